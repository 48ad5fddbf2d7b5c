"""Wilcoxon's signed-rank test, against scipy and by hand."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from wrkparse.analysis.stats.pairs import compare_pairs


@pytest.mark.parametrize("n", [5, 6, 9, 14])
def test_p_is_scipys_without_ties(n: int) -> None:
    generator = np.random.default_rng(n)
    x, y = np.exp(generator.normal(0.1, 0.1, n)), np.exp(generator.normal(0.0, 0.1, n))
    found = compare_pairs(x.tolist(), y.tolist())
    assert found.p == pytest.approx(stats.wilcoxon(np.log(x / y), method="exact").pvalue)


@given(st.lists(st.sampled_from([0.5, 0.8, 1.25, 2.0, 4.0]), min_size=2, max_size=7))
def test_p_with_ties_is_that_of_all_signs(quotients: list[float]) -> None:
    ranks = stats.rankdata(np.round(np.abs(np.log(quotients)), 9))
    seen = sum(rank for rank, quotient in zip(ranks, quotients, strict=True) if quotient > 1)
    sums = np.array([sum(chosen) for k in range(len(ranks) + 1) for chosen in itertools.combinations(ranks, k)])
    expected = min(1.0, 2 * min((sums <= seen + 1e-9).mean(), (sums >= seen - 1e-9).mean()))
    assert compare_pairs(quotients, [1.0] * len(quotients)).p == pytest.approx(expected)


def test_six_pairs_on_one_side_are_told_apart_through_any_drift() -> None:
    """The level doubles from pair to pair; each run is 1 % to 6 % above its neighbour."""
    baseline = [100.0 * 2**pair for pair in range(6)]
    found = compare_pairs([value * (1 + 0.01 * (1 + pair)) for pair, value in enumerate(baseline)], baseline)
    assert found.p == pytest.approx(2 / 64)
    # 21 Walsh averages; the interval at 95 % goes from the smallest to the largest (k = 1: 2 · 1/64 = 0.031)
    assert (found.lo, found.hi) == pytest.approx((1.01, 1.06))
    assert found.ratio == pytest.approx(1.035, abs=2e-4)
    assert (found.conclusive, found.direction) == (True, 1)


def test_five_pairs_are_too_few() -> None:
    found = compare_pairs([2.0] * 5, [1.0] * 5)
    assert (found.conclusive, found.smallest_p) == (False, 2 / 32)
    assert math.isnan(found.lo)
    assert "at alpha 0.05 it takes 6" in found.warnings[0]


def test_equal_runs_have_no_direction() -> None:
    found = compare_pairs([1.0, 2.0], [1.0, 2.0])
    assert (found.p, found.direction, found.ratio) == (1.0, 0, 1.0)


def test_unequal_numbers_make_no_pairs() -> None:
    with pytest.raises(ValueError, match="3 runs and 2 runs of the baseline make no pairs"):
        compare_pairs([1.0, 2.0, 3.0], [1.0, 2.0])


def test_many_pairs_take_the_normal_approximation() -> None:
    generator = np.random.default_rng(1)
    logs = generator.normal(0.02, 0.2, 400)
    found = compare_pairs(np.exp(logs).tolist(), [1.0] * 400)
    assert found.p == pytest.approx(stats.wilcoxon(logs, method="asymptotic").pvalue, rel=1e-6)
    assert found.lo < found.ratio < found.hi
