"""Runs compared within settings: against full enumeration, other tests that it contains, and scipy."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from wrkparse.analysis.stats.comparisons import compare_medians
from wrkparse.analysis.stats.stratified import Stratum, compare_within

sides = st.lists(st.integers(1, 5).map(float), min_size=1, max_size=3)
FEW = Stratum(np.array([1.0, 1.1, 1.2]), np.array([2.0, 2.2, 2.4]))


def by_enumeration(strata: list[tuple[list[float], list[float]]]) -> float:
    """Two-sided p of van Elteren's sum over every way to deal the pooled runs of every stratum."""
    sums, seen = [0.0], 0.0
    for x, y in strata:
        ranks = stats.rankdata([*x, *y]) / (len(x) + len(y) + 1)
        seen += ranks[: len(x)].sum()
        sums = [one + sum(dealt) for one in sums for dealt in itertools.combinations(ranks, len(x))]
    found = np.array(sums)
    return min(1.0, 2 * min((found <= seen + 1e-9).mean(), (found >= seen - 1e-9).mean()))


@given(st.lists(st.tuples(sides, sides), min_size=1, max_size=3))
def test_p_is_that_of_all_ways_to_deal_the_runs(strata: list[tuple[list[float], list[float]]]) -> None:
    found = compare_within([Stratum(np.array(x), np.array(y)) for x, y in strata])
    ranges = [(math.log(max(x) / min(x)), math.log(max(y) / min(y))) for x, y in strata if min(len(x), len(y)) > 1]
    one, other = np.median(ranges, axis=0) if ranges else (0.0, 0.0)
    if max(one, other) > 2 * min(one, other):  # Welch's test has its say, too
        assert found.p >= by_enumeration(strata) * (1 - 1e-9)
    else:
        assert found.p == pytest.approx(by_enumeration(strata), rel=1e-9)


@given(
    st.lists(st.floats(0.5, 2.0), min_size=4, max_size=7, unique=True),
    st.lists(st.floats(0.51, 2.1), min_size=4, max_size=7, unique=True),
)
def test_one_stratum_is_the_mann_whitney_test_with_moses_interval(x: list[float], y: list[float]) -> None:
    found = compare_within([Stratum(np.array(x), np.array(y))])
    quotients = sorted(one / other for one in x for other in y)
    if len({*x, *y}) == len(x) + len(y):
        assert found.p >= stats.mannwhitneyu(x, y, method="exact").pvalue * (1 - 1e-9)
        alike = [compare_within([Stratum(np.array(x) + 10, np.array(x) + 10.7)]), compare_medians(
            [one + 10 for one in x], [one + 10.7 for one in x]
        )]  # fmt: skip
        assert alike[0].p == pytest.approx(alike[1].p)
        assert (alike[0].lo, alike[0].hi) == pytest.approx((alike[1].lo, alike[1].hi))
    middle = sorted(quotients)[(len(quotients) - 1) // 2], sorted(quotients)[len(quotients) // 2]
    assert found.ratio == pytest.approx(math.sqrt(middle[0] * middle[1]))


def test_unequal_spread_makes_the_interval_at_least_welchs() -> None:
    """Two settings alike: the mean difference of two Welch tests, each with half the weight."""
    x, y = np.array([100.0, 110.0, 125.0, 95.0]), np.array([99.0, 99.5, 100.0, 100.5])
    one = stats.ttest_ind(np.log(x), np.log(y), equal_var=False)
    error = (np.log(x).mean() - np.log(y).mean()) / one.statistic / math.sqrt(2)
    half = stats.t.ppf(0.975, 2 * one.df) * error
    found = compare_within([Stratum(x, y), Stratum(x * 2, y * 2)])
    difference = np.log(x).mean() - np.log(y).mean()
    # the ranks alone: quotients from 95 / 100.5 to 125 / 99, of which the interval leaves out the ends
    assert found.lo == pytest.approx(min(math.exp(difference - half), found.lo))
    assert found.hi >= math.exp(difference + half) * (1 - 1e-9)
    assert found.p >= 2 * stats.t.sf(difference / error, 2 * one.df) * (1 - 1e-9)


def test_one_run_each_is_the_sign_test() -> None:
    """Six of six: 2 / 2^6. The interval of the median of six: the smallest and the largest."""
    pairs = [Stratum(np.array([value * quotient]), np.array([value])) for value, quotient in
             zip((1.0, 5.0, 20.0, 3.0, 7.0, 9.0), (1.1, 1.2, 1.3, 1.4, 1.5, 1.6), strict=True)]  # fmt: skip
    found = compare_within(pairs)
    assert found.p == found.smallest_p == pytest.approx(2 / 64)
    assert (found.lo, found.hi) == pytest.approx((1.1, 1.6))
    assert found.ratio == pytest.approx(math.sqrt(1.3 * 1.4))
    assert (found.settings, found.higher, found.lower) == (6, 6, 0)
    assert math.isnan(found.p_differ)


def test_three_runs_against_three_in_three_settings_tell_what_one_setting_cannot() -> None:
    """One setting has p = 2 / C(6, 3) = 0.1; three have 2 / C(6, 3)^3."""
    assert compare_within([FEW]).p == pytest.approx(0.1)
    found = compare_within([FEW, Stratum(FEW.runs * 10, FEW.baseline * 10), Stratum(FEW.runs * 3, FEW.baseline * 3)])
    assert found.p == pytest.approx(2 / 20**3)
    assert found.lower == 3
    assert found.p_differ == pytest.approx(1.0)


def test_the_interval_has_the_ratios_that_the_test_does_not_reject() -> None:
    generator = np.random.default_rng(5)
    strata = [
        Stratum(np.exp(generator.normal(level + 0.3, 0.2, 3)), np.exp(generator.normal(level, 0.2, 4)))
        for level in (0.0, 2.0, 5.0)
    ]
    found = compare_within(strata)

    def p_if_the_ratio_were(ratio: float) -> float:
        return compare_within([Stratum(one.runs / ratio, one.baseline) for one in strata]).p

    for end, outside in ((found.lo, 0.999), (found.hi, 1.001)):
        assert p_if_the_ratio_were(end / outside) > 0.05
        assert p_if_the_ratio_were(end * outside) <= 0.05


def test_settings_that_differ_are_noticed_as_by_the_analysis_of_variance() -> None:
    """F of the interaction by hand: differences log 2 and log 4 of four runs, each group's squares sum to 2 · 0.1²."""
    group = np.exp(np.array([-0.1, 0.1]))
    strata = [Stratum(2 * group, group), Stratum(4 * group, group)]
    between = (math.log(2) / 2) ** 2 * 2  # two differences, each (log 2) / 2 from their mean, with weights 1
    within = 4 * 2 * 0.1**2 / 4
    assert compare_within(strata).p_differ == pytest.approx(float(stats.f.sf(between / within, 1, 4)))


def test_settings_that_spread_differently_are_compared_as_welch_does() -> None:
    """Beside a baseline whose runs are all but equal, the differences are means of groups: Welch's test by SciPy."""
    generator = np.random.default_rng(7)
    groups = [generator.normal(mean, spread, n) for mean, spread, n in ((0.0, 0.8, 4), (0.5, 0.1, 9), (0.6, 0.3, 6))]
    steady = np.exp(np.array([-1e-9, 1e-9]))
    found = compare_within([Stratum(np.exp(group), steady) for group in groups])
    assert found.p_differ == pytest.approx(float(stats.f_oneway(*groups, equal_var=False).pvalue), rel=1e-5)


def test_a_setting_of_one_run_does_not_show_that_settings_differ() -> None:
    """One run against one may be off by any factor; beside five that agree to 1 % it said so with p < 0.0001."""
    steady = np.exp(np.array([-0.01, -0.005, 0.0, 0.005, 0.01]))
    single = Stratum(np.array([7.7]), np.array([1.0]))
    assert math.isnan(compare_within([single, Stratum(steady, steady)]).p_differ)
    others = [Stratum(steady, steady), Stratum(steady * 1.001, steady)]
    assert compare_within([single, *others]).p_differ == pytest.approx(compare_within(others).p_differ)


def test_a_setting_that_spreads_widely_does_not_make_settings_differ() -> None:
    """Of 1000 pairs of settings without a difference, three runs that spread by 80 % beside ten that spread by 20 %."""
    generator = np.random.default_rng(3)
    said = 0
    for _ in range(1000):
        wide, narrow = (
            Stratum(*(np.sort(np.exp(generator.normal(0, spread, n))) for _ in range(2)))
            for spread, n in ((0.8, 3), (0.2, 10))
        )
        said += compare_within([wide, narrow]).p_differ <= 0.05
    assert said <= 65  # 5 %, and two standard deviations of such a count


def test_very_many_settings_and_runs_are_no_reason_to_fail() -> None:
    """The smallest p underflows; sizes from 2 to 400 have a common multiple of 170 digits."""
    generator = np.random.default_rng(4)
    strata = [Stratum(generator.normal(10, 1, n), generator.normal(10, 1, n)) for n in range(1, 200)]
    found = compare_within(strata)
    assert found.smallest_p == 0
    assert 0.001 < found.p <= 1
    assert found.lo < 1 < found.hi


def test_digits_that_hide_the_spread_do_not_show_that_settings_differ() -> None:
    found = compare_within([Stratum(np.full(3, 2.0), np.full(3, 1.0)), Stratum(np.full(3, 3.0), np.full(3, 2.0))])
    assert math.isnan(found.p_differ)


def test_nothing_to_compare_is_nothing() -> None:
    found = compare_within([Stratum(np.array([1.0]), np.empty(0))])
    assert (found.settings, found.direction) == (0, 0)
    assert math.isnan(found.p)


def test_zeros_have_a_test_but_no_ratio() -> None:
    zeros = Stratum(np.array([0.0, 0.0, 0.0]), np.array([1.0, 2.0, 3.0]))
    found = compare_within([zeros, zeros])
    assert math.isnan(found.ratio)
    assert found.p == pytest.approx(2 / 400)


def test_many_runs_of_different_numbers_take_the_normal_approximation() -> None:
    generator = np.random.default_rng(2)
    strata = [Stratum(generator.normal(10, 1, n), generator.normal(10.2, 1, 2 * n + 1)) for n in (23, 31, 47, 53)]
    ranks, mean, variance = 0.0, 0.0, 0.0
    for x, y in strata:
        n, total = len(x), len(x) + len(y)
        ranks += stats.rankdata([*x, *y])[:n].sum() / (total + 1)
        mean += n / 2
        variance += n * len(y) / (12 * (total + 1))
    assert compare_within(strata).p == pytest.approx(2 * stats.norm.sf(abs(ranks - mean) / math.sqrt(variance)))
