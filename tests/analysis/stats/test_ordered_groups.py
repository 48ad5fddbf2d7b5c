"""The test of a trend over groups, beside a count of all ways to deal the values out, and scipy's Kendall's tau."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from wrkparse.analysis.stats.ordered_groups import ordered_test


def arrays(*groups: Sequence[float]) -> list[np.ndarray]:
    return [np.array(group, dtype=float) for group in groups]


def score(groups: Sequence[Sequence[float]]) -> int:
    """The pairs of values of two groups that rise, less those that fall."""
    pairs = itertools.combinations(groups, 2)
    return sum((y > x) - (y < x) for one, other in pairs for x in one for y in other)


def dealings(values: frozenset[int], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Every way to deal these places out to groups of these sizes."""
    if not sizes:
        yield []
        return
    for first in itertools.combinations(sorted(values), sizes[0]):
        for rest in dealings(values - {*first}, sizes[1:]):
            yield [first, *rest]


def p_by_count(strata: Sequence[Sequence[Sequence[float]]]) -> float:
    """Twice the share of the smaller tail, of all ways to deal the values of each stratum out to its groups."""
    scores = []
    for groups in strata:
        values = [value for group in groups for value in group]
        deals = dealings(frozenset(range(len(values))), [*map(len, groups)])
        scores.append([score([[values[at] for at in group] for group in deal]) for deal in deals])
    sums = [sum(one) for one in itertools.product(*scores)]
    seen = sum(map(score, strata))
    tails = sum(one >= seen for one in sums), sum(one <= seen for one in sums)
    return min(1.0, 2 * min(tails) / len(sums))


def test_three_groups_apart_have_the_smallest_p() -> None:
    """Of 12! / (4! 4! 4!) = 34,650 ways to deal twelve values out, two give the extreme scores: p = 2 / 34,650."""
    found = ordered_test([arrays([1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12])])
    assert found.score == 3 * 16
    assert found.p == pytest.approx(2 / 34_650)
    falling = ordered_test([arrays([9, 10, 11, 12], [5, 6, 7, 8], [1, 2, 3, 4])])
    assert falling == (-48, pytest.approx(2 / 34_650))


@given(st.lists(st.integers(1, 3), min_size=2, max_size=3), st.randoms(use_true_random=False))
def test_without_ties_p_is_that_of_all_ways_to_deal_out(sizes, random) -> None:
    values = random.sample(range(100), sum(sizes))
    ends = [*itertools.accumulate(sizes)]
    groups = [values[end - size : end] for size, end in zip(sizes, ends, strict=True)]
    found = ordered_test([arrays(*groups)])
    assert found == (score(groups), pytest.approx(p_by_count([groups])))


def test_scores_of_several_strata_add_up() -> None:
    strata = [[[3, 1], [2, 5], [8]], [[30, 20], [50], [40, 60]]]
    found = ordered_test([arrays(*groups) for groups in strata])
    assert found == (sum(map(score, strata)), pytest.approx(p_by_count(strata)))
    first = ordered_test([arrays(*strata[0])])
    assert found.p < first.p


@given(st.lists(st.lists(st.integers(0, 6), min_size=9, max_size=12), min_size=4, max_size=5))
def test_of_many_values_with_ties_the_variance_is_that_of_kendall_s_tau(groups) -> None:
    """scipy corrects for ties alike, but not for continuity: its z is |S| / s, ours (|S| - 1) / s."""
    values, places = zip(*((value, place) for place, group in enumerate(groups) for value in group), strict=True)
    theirs = stats.kendalltau(places, values, method="asymptotic").pvalue
    found = ordered_test([arrays(*groups)])
    if found.score == 0 or len({*values}) == len(values):
        return
    if math.isnan(theirs):
        assert found.p == 1.0
        return
    z = stats.norm.isf(theirs / 2)
    assert found.p == pytest.approx(
        min(1.0, 2 * stats.norm.sf(z * (abs(found.score) - 1) / abs(found.score))), rel=1e-6
    )


@given(st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=3), min_size=3, max_size=3))
def test_with_ties_p_is_that_of_all_ways_to_deal_out(groups) -> None:
    assert ordered_test([arrays(*groups)]) == (score(groups), pytest.approx(p_by_count([groups])))


def test_many_values_are_judged_by_the_normal_approximation() -> None:
    rng = np.random.default_rng(7)
    groups = [rng.normal(level / 10, 1, 80) for level in range(4)]
    found = ordered_test([groups])
    places = np.repeat(range(4), 80)
    assert found.p == pytest.approx(stats.kendalltau(places, np.concatenate(groups)).pvalue, rel=0.02)


def test_equal_values_have_no_trend() -> None:
    assert ordered_test([arrays([5, 5], [5, 5], [5])]) == (0, 1.0)


def test_under_the_null_hypothesis_p_is_at_most_the_level_as_often_as_it_says() -> None:
    rng = np.random.default_rng(3)
    found = [ordered_test([[rng.normal(size=4) for _ in range(3)]]).p for _ in range(2000)]
    assert np.mean(np.array(found) <= 0.05) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 2000)
    assert np.mean(np.array(found) <= 0.05) >= 0.03
