"""Two small sets of runs compared: the ratio with its confidence interval, and a test.

The functions take one number for each run. What cannot be computed is NaN, and `Comparison.warnings` gives the reason.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import special  # scipy.stats takes ten times as long to import

from wrkparse.analysis.stats.arrays import Floats
from wrkparse.analysis.stats.mann_whitney import (
    critical_rank,
    mann_whitney,
    runs_for_separation,
    separation_p,
    superiority,
)

# Takes 8 MB as floats. Beyond it, single ranks are found by counting, which needs no list.
_MOST_SORTED_QUOTIENTS = 1_000_000
_BISECTIONS = 64  # halvings of the logarithm: more than the 53 bits of a float's mantissa
# Runs that spread more than twice as widely as the baseline's, or half as widely. Moses' interval assumes that they
# spread alike: at 1 % against 10 % it covers 91 % instead of 95 %, with Welch's beside it 95 % (scripts/calibrate).
UNEQUAL = 2.0
_FEWEST_SPREAD = 4  # runs on each side: without the farthest, fewer have hardly a range
_MOST_OF_A_SIDE = 1000  # a million differences; evenly spaced runs stand for more


@dataclass(frozen=True, slots=True)
class Comparison:
    """``n1`` runs compared with ``n2`` runs of a baseline.

    ``ratio`` says by which factor the runs are higher than the baseline; ``lo`` and ``hi`` are its confidence interval.
    For `compare_shares` the three are a difference. ``p`` is two-sided and not adjusted; ``smallest_p`` is the smallest
    p that these numbers of runs can give, and ``conclusive`` says whether that is at or below alpha. ``direction`` is 1
    if the runs are higher, -1 if they are lower, else 0. ``superiority`` is the share of pairs in which the run is
    higher, with ties counted as half. Where `resolution.with_resolution` took the printed digits into account,
    ``p_printed`` is the p without them.
    """

    ratio: float
    lo: float
    hi: float
    p: float
    n1: int
    n2: int
    warnings: tuple[str, ...]
    conclusive: bool
    smallest_p: float
    direction: int
    superiority: float
    p_printed: float = math.nan


def compare_medians(
    values: Sequence[float], baseline: Sequence[float], confidence: float = 0.95, alpha: float = 0.05
) -> Comparison:
    """The Mann-Whitney U test, and the ratio that belongs to it.

    The ratio is the median of the quotients of each run and each run of the baseline: the Hodges-Lehmann estimate of a
    shift of the logarithms. Its interval is Moses': the k-th smallest and the k-th largest quotient, with k from the
    exact distribution of U (Hollander, Wolfe & Chicken, *Nonparametric Statistical Methods*, 3rd ed., 2014,
    section 4.3). For one run against one run it is their quotient. The ratio is NaN unless all numbers are positive.

    Both assume that runs and baseline spread alike. Where the runs without the one farthest from their median span more
    than twice or less than half the range of the baseline's, Welch's t test of the logarithms is made, too: the
    interval covers both intervals, and p is the larger of the two.
    """
    x, y = np.sort(np.asarray(values, dtype=np.float64)), np.sort(np.asarray(baseline, dtype=np.float64))
    n1, n2 = len(x), len(y)
    if not n1 or not n2:
        return no_runs(n1, n2)
    ranked = _ranked(x, y, alpha)
    p, (ratio, lo, hi) = ranked.p, _median_quotient(x, y, confidence)
    # NaN: a number is not positive and has no logarithm, or the ranks have no interval that Welch's could widen (4
    # against 4 runs at 99 %).
    if min(n1, n2) >= _FEWEST_SPREAD and not math.isnan(lo) and _spread_unequally(np.log(x), np.log(y)):
        p, lo, hi = _with_welch(np.log(x), np.log(y), confidence, (p, lo, hi))
    return replace(ranked, ratio=ratio, lo=lo, hi=hi, p=p)


def compare_shares(
    values: Sequence[float], baseline: Sequence[float], confidence: float = 0.95, alpha: float = 0.05
) -> Comparison:
    """The Mann-Whitney U test of shares that may be 0, such as failures per request, and their difference.

    ``ratio`` of the result is the median of all differences of a run and a run of the baseline, ``lo`` and ``hi`` are
    Moses' interval of it. With `compare_medians` it shares the test, which is exact with ties, and so with zeros.
    """
    x, y = np.sort(np.asarray(values, dtype=np.float64)), np.sort(np.asarray(baseline, dtype=np.float64))
    n1, n2 = len(x), len(y)
    if not n1 or not n2:
        return no_runs(n1, n2)
    few_x, few_y = thin(x, _MOST_OF_A_SIDE), thin(y, _MOST_OF_A_SIDE)
    differences = np.sort((few_x[:, None] - few_y).ravel())
    k = critical_rank(n1, n2, confidence)
    # Of thinned values, the difference that has the same place among them.
    k = max(1, round(k * len(differences) / (n1 * n2))) if k else 0
    lo, hi = (float(differences[k - 1]), float(differences[-k])) if k else (math.nan, math.nan)
    return replace(_ranked(x, y, alpha), ratio=float(np.median(differences)), lo=lo, hi=hi)


def _ranked(x: Floats, y: Floats, alpha: float) -> Comparison:
    """The Mann-Whitney U test of two sorted samples that are not empty, without a ratio."""
    nan, n1, n2 = math.nan, len(x), len(y)
    smallest_p = separation_p(n1, n2)
    conclusive = min(n1, n2) > 1 and smallest_p <= alpha
    p = mann_whitney(x, y) if min(n1, n2) > 1 else nan
    x_above_y = superiority(x, y)
    direction = int(np.sign(round(x_above_y - 0.5, 12)))
    warnings = () if conclusive else (_too_few_for_verdict(n1, n2, alpha),)
    return Comparison(nan, nan, nan, p, n1, n2, warnings, conclusive, smallest_p, direction, x_above_y)


def thin(ordered: Floats, most: int) -> Floats:
    """At most `most` of sorted values, evenly spaced by rank."""
    if len(ordered) <= most:
        return ordered
    chosen: Floats = ordered[np.round(np.linspace(0, len(ordered) - 1, most)).astype(int)]
    return chosen


def compare_means(
    values: Sequence[float], baseline: Sequence[float], confidence: float = 0.95, alpha: float = 0.05
) -> Comparison:
    """Welch's t test, and the ratio of the means with Fieller's interval. Both assume normal distributions.

    The interval (Fieller, JRSS B 16, 1954, for unequal variances) uses Welch's degrees of freedom. So it excludes 1
    exactly if Welch's test gives a p below 1 - confidence. It is NaN if the mean of the baseline does not differ
    significantly from 0.
    """
    x, y = np.asarray(values, dtype=np.float64), np.asarray(baseline, dtype=np.float64)
    n1, n2 = len(x), len(y)
    if not n1 or not n2:
        return no_runs(n1, n2)
    mean1, mean2 = float(x.mean()), float(y.mean())
    ratio = mean1 / mean2 if mean2 > 0 else math.nan
    x_above_y = superiority(x, np.sort(y))
    direction = int(np.sign(mean1 - mean2))
    nan = math.nan
    if min(n1, n2) == 1:
        runs = "1 run each" if n1 == n2 else f"{n1} against {n2} runs"
        warnings = (f"{runs}: no verdict; a t test needs 2 on each side",)
        return Comparison(ratio, nan, nan, nan, n1, n2, warnings, False, nan, direction, x_above_y)
    variance1, variance2 = _variances_of_means(x, y)
    if variance1 + variance2 == 0:  # a t test would treat both means as known exactly
        warnings = ("runs without any spread: no t test",)
        return Comparison(ratio, nan, nan, nan, n1, n2, warnings, False, nan, direction, x_above_y)
    p, dof = _welch(x, y)
    lo, hi = _fieller(mean1, mean2, variance1, variance2, float(special.stdtrit(dof, (1 + confidence) / 2)))
    # With two runs each, a t test can already give any p: none is too small to be reached.
    return Comparison(ratio, lo, hi, p, n1, n2, (), True, 0.0, direction, x_above_y)


def _spread_unequally(x: Floats, y: Floats) -> bool:
    """Whether one of two sorted samples has a far larger range, each without the run farthest from its median."""
    one, other = _inner_range(x), _inner_range(y)
    return max(one, other) > UNEQUAL * min(one, other)


def _inner_range(ordered: Floats) -> float:
    median = float(np.median(ordered))
    # One slow run among ten must not bring in Welch's test, which it would make a third wider (docs/statistics.md).
    inner = ordered[1:] if median - ordered[0] > ordered[-1] - median else ordered[:-1]
    return float(inner[-1] - inner[0])


def _with_welch(
    x: Floats, y: Floats, confidence: float, by_ranks: tuple[float, float, float]
) -> tuple[float, float, float]:
    """The p value and the interval from `by_ranks`, widened to what Welch's t test of these logarithms gives."""
    p, dof = _welch(x, y)
    half = float(special.stdtrit(dof, (1 + confidence) / 2)) * math.sqrt(sum(_variances_of_means(x, y)))
    difference = float(x.mean() - y.mean())
    return (
        max(by_ranks[0], p),
        min(by_ranks[1], math.exp(difference - half)),
        max(by_ranks[2], math.exp(difference + half)),
    )


def _variances_of_means(x: Floats, y: Floats) -> tuple[float, float]:
    return float(x.var(ddof=1)) / len(x), float(y.var(ddof=1)) / len(y)


def _welch(x: Floats, y: Floats) -> tuple[float, float]:
    """The two-sided p of Welch's t test, and its degrees of freedom; at least one sample has a spread."""
    one, other = _variances_of_means(x, y)
    dof = (one + other) ** 2 / (one**2 / (len(x) - 1) + other**2 / (len(y) - 1))
    return float(2 * special.stdtr(dof, -abs(float(x.mean() - y.mean())) / math.sqrt(one + other))), dof


def no_runs(n1: int, n2: int) -> Comparison:
    """The comparison of nothing: a side has no runs."""
    nan = math.nan
    return Comparison(nan, nan, nan, nan, n1, n2, ("no runs on one side",), False, nan, 0, nan)


def _too_few_for_verdict(n1: int, n2: int, alpha: float) -> str:
    runs = "1 run each" if n1 == n2 == 1 else f"{n1} against {n2} runs"
    needed = runs_for_separation(alpha)
    return f"{runs}: no verdict; at alpha {alpha:g} even runs that do not overlap need {needed} on each side"


def _median_quotient(x: Floats, y: Floats, confidence: float) -> tuple[float, float, float]:
    """The median of all quotients and Moses' interval; `x` and `y` are sorted."""
    if x[0] <= 0 or y[0] <= 0:
        return math.nan, math.nan, math.nan
    pairs = len(x) * len(y)
    k = critical_rank(len(x), len(y), confidence)
    ranks = [(pairs + 1) // 2, pairs // 2 + 1, *([k, pairs + 1 - k] if k else [])]
    low, high, *limits = _quotients_of_rank(x, y, ranks)
    # The geometric mean of the two in the middle is the median of the logarithms.
    ratio = low if low == high else math.sqrt(low * high)
    return (ratio, limits[0], limits[1]) if k else (ratio, math.nan, math.nan)


def _quotients_of_rank(x: Floats, y: Floats, ranks: Sequence[int]) -> list[float]:
    """The quotients x/y of these ranks, where rank 1 is the smallest.

    If there are too many quotients to sort, each is found by counting, to the precision of a float.
    """
    if len(x) * len(y) <= _MOST_SORTED_QUOTIENTS:
        quotients: list[float] = np.sort((x[:, None] / y).ravel())[np.asarray(ranks) - 1].tolist()
        return quotients
    return [_quotient_by_counting(x, y, rank) for rank in ranks]


def _quotient_by_counting(x: Floats, y: Floats, rank: int) -> float:
    """The smallest number that at least `rank` of the quotients do not exceed, by bisection of its logarithm."""
    low, high = float(x[0] / y[-1]), float(x[-1] / y[0])
    for _ in range(_BISECTIONS):
        middle = math.sqrt(low) * math.sqrt(high)
        # x / y <= middle is x <= middle · y: counted for each y in sorted x, without a list of all quotients.
        if int(np.searchsorted(x, middle * y, side="right").sum()) >= rank:
            high = middle
        else:
            low = middle
    return high


def _fieller(mean1: float, mean2: float, variance1: float, variance2: float, t: float) -> tuple[float, float]:
    """The ratios r for which mean1 - r·mean2 is within t standard errors of 0: between the roots of a quadratic."""
    quadratic, half_linear = mean2 * mean2 - t * t * variance2, mean1 * mean2
    constant = mean1 * mean1 - t * t * variance1
    # Then the baseline's mean could be 0, and the ratios that fit have no upper limit.
    if quadratic <= 0 or mean2 <= 0:
        return math.nan, math.nan
    # The discriminant is 0 if neither side has a spread, and may come out below that by rounding.
    root = math.sqrt(max(0.0, half_linear * half_linear - quadratic * constant))
    return (half_linear - root) / quadratic, (half_linear + root) / quadratic
