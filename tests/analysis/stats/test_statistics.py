from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from wrkparse.analysis.stats import comparisons
from wrkparse.analysis.stats.comparisons import compare_means, compare_medians
from wrkparse.analysis.stats.families import geometric_means, holm, rank_intervals
from wrkparse.analysis.stats.mann_whitney import mann_whitney, runs_for_separation, runs_needed, separation_p
from wrkparse.analysis.stats.summaries import mean_summary, median_summary, runs_for_interval

samples = st.lists(st.integers(1, 6).map(float), min_size=1, max_size=5)


def by_enumeration(x: list[float], y: list[float]) -> float:
    """Two-sided p of the rank sum over all C(n1+n2, n1) ways to deal the pooled runs."""
    ranks = stats.rankdata([*x, *y]).tolist()
    sums = [sum(chosen) for chosen in itertools.combinations(ranks, len(x))]
    seen = sum(ranks[: len(x)])
    below = sum(s <= seen + 1e-9 for s in sums) / len(sums)
    above = sum(s >= seen - 1e-9 for s in sums) / len(sums)
    return min(1.0, 2 * min(below, above))


@pytest.mark.parametrize(("n", "confidence"), [(1, 0.95), (2, 0.95), (5, 0.95), (7, 0.99)])
def test_a_median_of_too_few_runs_has_no_interval_and_says_how_many_it_takes(n: int, confidence: float) -> None:
    found = median_summary([float(value) for value in range(n)], confidence)
    assert found.center == (n - 1) / 2
    assert math.isnan(found.lo)
    assert math.isnan(found.hi)
    assert math.isnan(found.confidence)
    assert f"{6 if confidence == 0.95 else 8} are needed at {100 * confidence:g} %" in found.warnings[0]


@pytest.mark.parametrize(
    ("n", "confidence", "k", "reached"),
    [
        (6, 0.95, 1, 1 - 2 / 2**6),
        (8, 0.95, 1, 1 - 2 / 2**8),
        (8, 0.99, 1, 1 - 2 / 2**8),
        (9, 0.95, 2, 1 - 2 * (1 + 9) / 2**9),
        (10, 0.95, 2, 1 - 2 * (1 + 10) / 2**10),
        (20, 0.95, 6, 1 - 2 * (1 + 20 + 190 + 1140 + 4845 + 15504) / 2**20),
    ],
)
def test_a_median_interval_is_the_pair_of_order_statistics_that_reaches_the_level(
    n: int, confidence: float, k: int, reached: float
) -> None:
    found = median_summary([float(value) for value in range(n, 0, -1)], confidence)
    assert (found.lo, found.hi) == (k, n + 1 - k)
    assert found.confidence == pytest.approx(reached, abs=1e-12)
    assert found.warnings == ()


def test_intervals_of_a_median_cover_it_as_often_as_they_say() -> None:
    draws = np.random.default_rng(1).exponential(size=(3000, 7))
    found = [median_summary(row.tolist()) for row in draws]
    covered = np.mean([summary.lo <= math.log(2) <= summary.hi for summary in found])
    assert found[0].confidence == 1 - 2 / 2**7  # 0.984; three standard errors of a share of 3000 are 0.007
    assert covered == pytest.approx(found[0].confidence, abs=0.007)


def test_runs_for_an_interval() -> None:
    assert [runs_for_interval(level) for level in (0.5, 0.9, 0.95, 0.99)] == [2, 5, 6, 8]


def test_a_mean_has_students_interval_from_two_runs_on() -> None:
    found = mean_summary([1.0, 2.0, 3.0, 4.0, 5.0])
    half = 2.776445 * math.sqrt(2.5) / math.sqrt(5)  # t(0.975, 4) from the tables
    assert found.center == 3
    assert found.lo == pytest.approx(3 - half, rel=1e-6)
    assert found.hi == pytest.approx(3 + half, rel=1e-6)
    alone = mean_summary([7.0])
    assert alone.center == 7
    assert math.isnan(alone.lo)
    assert alone.warnings == ("1 run: no interval; 2 are needed at 95 %",)


def test_no_runs_have_no_centre() -> None:
    for found in (median_summary([]), mean_summary([])):
        assert math.isnan(found.center)
        assert found.warnings == ("no runs",)


def test_samples_that_do_not_overlap_have_the_smallest_p() -> None:
    assert separation_p(4, 4) == pytest.approx(2 / 70)
    assert separation_p(4, 4) == pytest.approx(0.02857, abs=5e-6)
    assert separation_p(3, 3) == pytest.approx(0.1)
    assert separation_p(1, 1) == 1.0
    assert mann_whitney([1, 2, 3, 4], [5, 6, 7, 8]) == pytest.approx(2 / 70)
    assert [runs_for_separation(alpha) for alpha in (0.05, 0.01, 0.05 / 5)] == [4, 5, 5]


def test_mann_whitney_of_five_and_five_by_hand() -> None:
    """U = 2: of C(10, 5) = 252 orders 1, 1 and 2 have U = 0, 1 and 2."""
    assert mann_whitney([1, 2, 3, 4, 7], [5, 6, 8, 9, 10]) == pytest.approx(2 * 4 / 252)


@given(samples, samples)
def test_mann_whitney_is_exact_with_ties_too(x: list[float], y: list[float]) -> None:
    assert mann_whitney(x, y) == pytest.approx(by_enumeration(x, y), abs=1e-12)


@pytest.mark.parametrize(("fewer", "more"), [(2, 99), (3, 300), (5, 120)])
def test_mann_whitney_of_a_few_runs_against_many_is_exact(fewer: int, more: int) -> None:
    """Without overlap, 2 of the C(n1 + n2, n1) orders are as extreme; the normal approximation is far from that."""
    x, y = np.arange(fewer, dtype=float), np.arange(1000, 1000 + more, dtype=float)
    assert mann_whitney(x, y) == pytest.approx(2 / math.comb(fewer + more, fewer))
    assert mann_whitney(y, x) == pytest.approx(2 / math.comb(fewer + more, fewer))


def test_mann_whitney_agrees_with_scipy_where_scipy_is_exact() -> None:
    draws = np.random.default_rng(2).normal(size=(20, 19))
    for row in draws:
        expected = stats.mannwhitneyu(row[:12], row[12:], method="exact").pvalue
        assert mann_whitney(row[:12], row[12:]) == pytest.approx(expected, rel=1e-9)


def test_the_normal_approximation_joins_the_exact_test_smoothly() -> None:
    draws = np.random.default_rng(3).normal(size=102)
    assert mann_whitney(draws[:51] + 0.5, draws[51:]) == pytest.approx(
        mann_whitney(draws[:50] + 0.5, draws[51:101]), rel=0.5
    )


# Permeability constants of the human chorioamnion at term and at 12 to 26 weeks (Hollander & Wolfe, 1973, p. 69, also in
# R's ?wilcox.test): one-sided p 0.1272, shift 0.305, 95 % interval from -0.15 to 0.76.
AT_TERM = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
EARLY = [1.15, 0.88, 0.90, 0.74, 1.21]


def test_ratio_interval_and_p_are_those_of_a_published_example() -> None:
    """A shift of logarithms is a ratio: the example's numbers are the logarithms here."""
    found = compare_medians(np.exp(AT_TERM).tolist(), np.exp(EARLY).tolist())
    assert math.log(found.ratio) == pytest.approx(0.305, abs=1e-9)
    assert (math.log(found.lo), math.log(found.hi)) == pytest.approx((-0.15, 0.76), abs=1e-9)
    assert found.p == pytest.approx(2 * 0.1272, abs=1e-4)
    assert found.superiority == 35 / 50  # U = 35 of 10 × 5 pairs
    assert found.conclusive
    assert found.direction == 1


def test_one_run_each_is_a_ratio_without_interval_test_or_verdict() -> None:
    found = compare_medians([38488.59], [34056.43])
    assert found.ratio == 38488.59 / 34056.43
    assert all(math.isnan(value) for value in (found.lo, found.hi, found.p))
    assert not found.conclusive
    assert found.warnings == (
        "1 run each: no verdict; at alpha 0.05 even runs that do not overlap need 4 on each side",
    )


def test_one_run_against_many_has_no_verdict_either() -> None:
    """2 / C(41, 1) is below 0.05, but one run may be any run."""
    found = compare_medians([100.0], [float(value) for value in range(1, 41)])
    assert not found.conclusive
    assert math.isnan(found.p)
    assert math.isnan(found.lo)


def test_four_against_four_have_the_widest_interval() -> None:
    """k = 1: from the smallest to the largest quotient, with confidence 1 - 2/70."""
    found = compare_medians([8.0, 9.0, 10.0, 12.0], [2.0, 4.0, 5.0, 6.0])
    assert (found.lo, found.hi) == (8 / 6, 12 / 2)
    assert found.conclusive
    assert found.p == pytest.approx(2 / 70)
    assert math.isnan(compare_medians([8.0, 9.0, 10.0], [2.0, 4.0, 5.0]).lo)


def test_a_ratio_to_zero_is_missing_and_the_test_is_not() -> None:
    found = compare_medians([3.0, 4.0, 5.0, 6.0], [0.0, 0.0, 0.0, 0.0])
    assert math.isnan(found.ratio)
    assert found.p == pytest.approx(2 / 70)
    assert found.direction == 1


@given(st.lists(st.floats(0.1, 10), min_size=4, max_size=8), st.lists(st.floats(0.1, 10), min_size=4, max_size=8))
def test_the_ratio_lies_in_its_interval_and_turns_over_with_the_sides(x: list[float], y: list[float]) -> None:
    found, turned = compare_medians(x, y), compare_medians(y, x)
    assert found.lo <= found.ratio <= found.hi
    assert found.ratio * turned.ratio == pytest.approx(1)
    assert found.lo * turned.hi == pytest.approx(1)
    assert found.p == pytest.approx(turned.p)


def test_intervals_of_a_ratio_cover_it_as_often_as_they_say() -> None:
    """Six against six: k = 6, for U = 0 to 5 has 1 + 1 + 2 + 3 + 5 + 7 of C(12, 6) = 924 orders."""
    draws = np.exp(np.random.default_rng(4).normal(0, 0.1, size=(3000, 12)))
    found = [compare_medians((1.3 * row[:6]).tolist(), row[6:].tolist()) for row in draws]
    covered = np.mean([comparison.lo <= 1.3 <= comparison.hi for comparison in found])
    assert covered == pytest.approx(1 - 2 * 19 / 924, abs=0.012)


def test_large_samples_have_an_interval_too() -> None:
    draws = np.exp(np.random.default_rng(5).normal(0, 0.1, size=160))
    found = compare_medians(draws[:80].tolist(), draws[80:].tolist())
    expected = math.sqrt(0.1**2 * 2 / 80 * math.pi / 3)  # standard error of the Hodges-Lehmann shift of normal data
    assert (math.log(found.hi) - math.log(found.lo)) / 2 == pytest.approx(1.96 * expected, rel=0.25)


def test_means_are_compared_by_welch_and_fieller() -> None:
    x, y = [10.0, 11.0, 12.0, 15.0], [8.0, 8.5, 9.5, 7.0, 8.0]
    found = compare_means(x, y)
    welch = stats.ttest_ind(x, y, equal_var=False)
    assert found.p == pytest.approx(welch.pvalue)
    assert found.ratio == pytest.approx(12 / 8.2)
    t = stats.t.ppf(0.975, welch.df)
    for bound in (found.lo, found.hi):  # just t standard errors away from the means' being in this ratio
        error = math.sqrt(np.var(x, ddof=1) / 4 + bound**2 * np.var(y, ddof=1) / 5)
        assert abs(12 - bound * 8.2) / error == pytest.approx(t)


@given(
    st.lists(st.floats(50, 70), min_size=2, max_size=6, unique=True),
    st.lists(st.floats(50, 70), min_size=2, max_size=6, unique=True),
)
def test_fieller_leaves_out_1_where_welch_says_so(x: list[float], y: list[float]) -> None:
    found = compare_means(x, y)
    if not math.isnan(found.lo) and abs(found.p - 0.05) > 1e-6:
        assert (found.lo <= 1 <= found.hi) == (found.p > 0.05)


def test_means_of_one_run_or_without_spread_are_not_tested() -> None:
    alone, constant = compare_means([2.0], [1.0, 1.5]), compare_means([2.0, 2.0], [1.0, 1.0])
    assert (alone.ratio, constant.ratio) == (1.6, 2.0)
    assert not alone.conclusive
    assert not constant.conclusive
    assert math.isnan(alone.p)
    assert math.isnan(constant.p)


def test_a_ratio_of_means_is_unbounded_where_the_baseline_may_be_zero() -> None:
    assert math.isnan(compare_means([5.0, 6.0], [-3.0, 4.0]).lo)


def test_an_empty_side_gives_nothing() -> None:
    for test in (compare_medians, compare_means):
        found = test([], [1.0, 2.0])
        assert not found.conclusive
        assert math.isnan(found.ratio)


def test_holm_by_hand() -> None:
    """0.005 × 4, 0.01 × 3, 0.03 × 2; and 0.04 × 1 may not be less than the one before."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.8, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_what_is_no_test_does_not_count_in_holm() -> None:
    adjusted = holm([math.nan, 0.02, 0.03])
    assert math.isnan(adjusted[0])
    assert adjusted[1:] == [0.04, 0.04]


@pytest.mark.parametrize(
    ("superiority", "alpha", "runs"),
    [
        (0.7, 0.05, 33),  # (1.959964 + 0.841621)² / (6 × 0.2²) = 7.84888 / 0.24 = 32.7
        (0.3, 0.05, 33),
        (0.9, 0.05, 9),  # 7.84888 / 0.96 = 8.2
        (1.0, 0.05, 4),
        (1.0, 0.01, 5),
        (0.5, 0.05, None),
        (math.nan, 0.05, None),
    ],
)
def test_runs_needed(superiority: float, alpha: float, runs: int | None) -> None:
    assert runs_needed(superiority, alpha) == runs


def test_that_many_runs_find_the_difference_about_as_often_as_promised() -> None:
    """Normal runs whose means differ by 1.5 standard deviations: superiority Φ(1.5 / √2)."""
    n = runs_needed(float(stats.norm.cdf(1.5 / math.sqrt(2))))
    assert n is not None
    draws = np.random.default_rng(6).normal(size=(600, 2 * n))
    found = np.mean([mann_whitney(row[:n] + 1.5, row[n:]) <= 0.05 for row in draws])
    assert 0.7 < found < 0.95


def test_ranks_are_intervals() -> None:
    """The first is told from the others, which are not told apart."""
    better = np.array([[False, True, True], [False, False, False], [False, False, False]])
    assert rank_intervals(better) == [(1, 1), (2, 3), (2, 3)]
    assert rank_intervals(np.zeros((2, 2), dtype=np.bool_)) == [(1, 2), (1, 2)]


def test_geometric_means_are_over_the_rows_that_all_columns_have() -> None:
    means, used = geometric_means(np.array([[2.0, 8.0], [8.0, 2.0], [100.0, math.nan], [5.0, 0.0]]))
    assert means == pytest.approx([4.0, 4.0])
    assert used.tolist() == [True, True, False, False]
    means, used = geometric_means(np.array([[1.0, math.nan]]))
    assert all(math.isnan(mean) for mean in means)
    assert not used.any()


def test_quotients_that_are_too_many_to_list_are_those_of_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    x, y = random.lognormal(0.1, 0.3, 80).round(2), random.lognormal(0, 0.3, 70).round(2)
    listed = compare_medians(x.tolist(), y.tolist())
    monkeypatch.setattr(comparisons, "_MOST_SORTED_QUOTIENTS", 0)
    counted = compare_medians(x.tolist(), y.tolist())
    assert math.log(listed.ratio) == pytest.approx(float(np.median(np.log(x[:, None] / y))), rel=1e-12)
    assert (counted.ratio, counted.lo, counted.hi) == pytest.approx((listed.ratio, listed.lo, listed.hi), rel=1e-12)


def test_superiority_is_the_share_of_pairs_with_ties_as_halves() -> None:
    # 5 beats both; 4 beats 1 and ties with 4: 3.5 of 4
    assert compare_medians([5.0, 4.0], [4.0, 1.0]).superiority == 3.5 / 4
    assert compare_means([5.0, 4.0], [4.0, 1.0]).superiority == 3.5 / 4
