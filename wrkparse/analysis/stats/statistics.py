"""Statistics of a few runs: how far they fix a number, and whether two sets of them differ.

The run is the unit of replication. Functions take plain numbers and return plain numbers; what can't be told is NaN,
and ``warnings`` says why. One run has a value, and neither an interval nor a verdict.

Sources: order-statistic intervals, the exact Mann-Whitney test, and the interval that comes from inverting it are in
Hollander, Wolfe & Chicken, *Nonparametric Statistical Methods* (3rd ed., 2014), sections 3.6 and 4.1 to 4.3.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special  # scipy.stats takes ten times as long to import

Floats = NDArray[np.float64]

_EXACT_RUNS = 100  # both sides together; beyond it the normal approximation is right to the digits that are shown
_MOST_QUOTIENTS = 1_000_000  # that are sorted; of more, those wanted are found by counting


@dataclass(frozen=True, slots=True)
class Summary:
    """The centre of ``n`` runs and an interval for it.

    ``lo`` and ``hi`` are NaN where the runs are too few; ``confidence`` is the level that the interval really has
    (order statistics allow only some levels, so it is the asked-for level or more), NaN without an interval.
    """

    center: float
    lo: float
    hi: float
    confidence: float
    n: int
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """``n1`` runs against ``n2`` runs of a baseline.

    ``ratio`` with ``lo`` and ``hi`` says by which factor the first are higher; ``p`` is two-sided and not adjusted.
    ``enough``: these numbers of runs could give a p at or below alpha at all; ``least_p`` is the smallest that they
    could give. ``sign`` is 1 where the first are higher, -1 where they are lower. ``superiority`` is the share of pairs
    in which the first is higher, ties counting half.
    """

    ratio: float
    lo: float
    hi: float
    p: float
    n1: int
    n2: int
    warnings: tuple[str, ...]
    enough: bool
    least_p: float
    sign: int
    superiority: float


def median_summary(values: Sequence[float], confidence: float = 0.95) -> Summary:
    """Median, with the narrowest symmetric pair of order statistics that covers it with `confidence`.

    The k-th smallest and k-th largest of n cover the median with probability 1 - 2 P(Binomial(n, ½) <= k - 1),
    whatever the distribution (Hollander et al., section 3.6). At 95 % that takes 6 runs, at 99 % it takes 8.
    """
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    n = len(ordered)
    if n == 0:
        return Summary(math.nan, math.nan, math.nan, math.nan, 0, ("no runs",))
    center = float(np.median(ordered))
    outside = 2 * special.bdtr(np.arange(n // 2), n, 0.5)  # of the pair k = 1, 2, …
    fitting = int(np.count_nonzero(outside <= (1 - confidence) * (1 + 1e-12)))
    if fitting == 0:
        return Summary(
            center, math.nan, math.nan, math.nan, n, (_too_few(n, runs_for_interval(confidence), confidence),)
        )
    reached = 1 - float(outside[fitting - 1])
    return Summary(center, float(ordered[fitting - 1]), float(ordered[n - fitting]), reached, n)


def runs_for_interval(confidence: float) -> int:
    """The fewest runs whose smallest and largest cover the median with `confidence`: 1 - 2^(1-n) reaches it."""
    n = 2
    while 2.0 ** (1 - n) > (1 - confidence) * (1 + 1e-12):
        n += 1
    return n


def _too_few(n: int, needed: int, confidence: float) -> str:
    runs = "1 run" if n == 1 else f"{n} runs"
    return f"{runs}: no interval; {needed} are needed at {100 * confidence:g} %"


def mean_summary(values: Sequence[float], confidence: float = 0.95) -> Summary:
    """Arithmetic mean with Student's t interval, which supposes a normal distribution and needs 2 runs."""
    sample = np.asarray(values, dtype=np.float64)
    n = len(sample)
    if n == 0:
        return Summary(math.nan, math.nan, math.nan, math.nan, 0, ("no runs",))
    center = float(sample.mean())
    if n == 1:
        return Summary(center, math.nan, math.nan, math.nan, 1, (_too_few(1, 2, confidence),))
    half = float(special.stdtrit(n - 1, (1 + confidence) / 2) * sample.std(ddof=1) / math.sqrt(n))
    return Summary(center, center - half, center + half, confidence, n)


def compare_medians(
    values: Sequence[float], baseline: Sequence[float], confidence: float = 0.95, alpha: float = 0.05
) -> Comparison:
    """Mann-Whitney U test, and the ratio that inverting it gives.

    The ratio is the median of all quotients of a run and a run of the baseline: the Hodges-Lehmann estimate of a shift
    of the logarithms. Its interval is Moses' (Hollander et al., section 4.3): the k-th smallest and k-th largest
    quotient, k as large as the exact distribution of U allows. One run against one run is their plain quotient. A ratio
    needs positive numbers on both sides, else it is NaN.
    """
    x, y = np.sort(np.asarray(values, dtype=np.float64)), np.sort(np.asarray(baseline, dtype=np.float64))
    n1, n2 = len(x), len(y)
    if not n1 or not n2:
        return _nothing(n1, n2)
    superiority = _superiority(x, y)
    least = separation_p(n1, n2)
    enough = min(n1, n2) > 1 and least <= alpha
    p = mann_whitney(x, y) if min(n1, n2) > 1 else math.nan
    ratio, lo, hi = _quotients(x, y, confidence)
    sign = int(np.sign(round(superiority - 0.5, 12)))
    warnings = () if enough else (_no_verdict(n1, n2, alpha),)
    return Comparison(ratio, lo, hi, p, n1, n2, warnings, enough, least, sign, superiority)


def _nothing(n1: int, n2: int) -> Comparison:
    nan = math.nan
    return Comparison(
        nan, nan, nan, nan, n1, n2, ("no runs on one side",), enough=False, least_p=nan, sign=0, superiority=nan
    )


def _no_verdict(n1: int, n2: int, alpha: float) -> str:
    runs = "1 run each" if n1 == n2 == 1 else f"{n1} against {n2} runs"
    needed = runs_for_separation(alpha)
    return f"{runs}: no verdict; at alpha {alpha:g} even runs that do not overlap need {needed} on each side"


def _superiority(x: Floats, y: Floats) -> float:
    """The share of pairs in which x is higher, ties counting half; `y` is sorted."""
    lower, not_higher = np.searchsorted(y, x, side="left"), np.searchsorted(y, x, side="right")
    return float((lower.sum() + not_higher.sum()) / (2 * len(x) * len(y)))


def _quotients(x: Floats, y: Floats, confidence: float) -> tuple[float, float, float]:
    """The median of all quotients and Moses' interval; `x` and `y` are sorted."""
    if x[0] <= 0 or y[0] <= 0:
        return math.nan, math.nan, math.nan
    pairs = len(x) * len(y)
    k = _moses_rank(len(x), len(y), confidence)
    wanted = [(pairs + 1) // 2, pairs // 2 + 1, *([k, pairs + 1 - k] if k else [])]
    low, high, *limits = _smallest_quotients(x, y, wanted)
    # the geometric mean of the two in the middle: the median of the logarithms
    ratio = low if low == high else math.sqrt(low * high)
    return (ratio, limits[0], limits[1]) if k else (ratio, math.nan, math.nan)


def _smallest_quotients(x: Floats, y: Floats, ranks: Sequence[int]) -> list[float]:
    """The quotients of these ranks, 1 the smallest; among very many to the precision of a float, without a list."""
    if len(x) * len(y) <= _MOST_QUOTIENTS:
        chosen: list[float] = np.sort((x[:, None] / y).ravel())[np.asarray(ranks) - 1].tolist()
        return chosen
    return [_counted_quotient(x, y, rank) for rank in ranks]


def _counted_quotient(x: Floats, y: Floats, rank: int) -> float:
    """The smallest number that at least `rank` of the quotients do not exceed, by bisection of its logarithm."""
    low, high = float(x[0] / y[-1]), float(x[-1] / y[0])
    for _ in range(64):
        middle = math.sqrt(low) * math.sqrt(high)
        if int(np.searchsorted(x, middle * y, side="right").sum()) >= rank:
            high = middle
        else:
            low = middle
    return high


def _moses_rank(n1: int, n2: int, confidence: float) -> int:
    """The largest k with 2 P(U <= k - 1) <= 1 - confidence; 0 where there is none, or a side has one run."""
    if min(n1, n2) < 2:
        return 0
    if n1 + n2 > _EXACT_RUNS:
        spread = math.sqrt(n1 * n2 * (n1 + n2 + 1) / 12)
        return max(0, math.floor(n1 * n2 / 2 - special.ndtri((1 + confidence) / 2) * spread))
    tails = 2 * np.cumsum(_null_of_u(n1, n2))
    return int(np.count_nonzero(tails <= (1 - confidence) * (1 + 1e-12)))


@functools.lru_cache(maxsize=256)
def _null_of_u(n1: int, n2: int) -> Floats:
    """P(U = 0), P(U = 1) … P(U = n1 n2) under the hypothesis, without ties."""
    doubled = 2 * np.arange(1, n1 + n2 + 1)
    smallest = n1 * (n1 + 1)  # twice the sum of the lowest ranks
    return _rank_sums(doubled, n1)[smallest::2][: n1 * n2 + 1]


def _rank_sums(doubled_ranks: NDArray[np.int64], n1: int) -> Floats:
    """P(twice the sum of n1 of these ranks = s), s = 0, 1 …: all choices of n1 are alike.

    Counted by the shift algorithm (Streitberg & Röhmel, "Exact distributions for permutation and rank tests", 1986):
    one rank more turns the choices of k - 1 into choices of k, moved up by that rank. Midranks, doubled, are integers,
    so the result is exact with ties too.
    """
    size = int(np.sort(doubled_ranks)[::-1][:n1].sum()) + 1
    ways = np.zeros((n1 + 1, size))
    ways[0, 0] = 1.0
    for rank in doubled_ranks.tolist():
        if rank < size:
            ways[1:, rank:] += ways[:-1, : size - rank]
    total: Floats = ways[n1] / ways[n1].sum()
    return total


def mann_whitney(x: Sequence[float] | Floats, y: Sequence[float] | Floats) -> float:
    """Two-sided p of the Mann-Whitney U test: twice the smaller tail, at most 1.

    Exact, given the ties, for up to 100 runs (scipy's exact method ignores ties); beyond that the normal approximation
    with continuity and ties corrected, as in scipy.
    """
    n1 = len(x)
    pooled = np.concatenate([np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)])
    if len(pooled) > _EXACT_RUNS:
        from scipy import stats

        return float(stats.mannwhitneyu(x, y, method="asymptotic").pvalue)
    doubled = _doubled_ranks(pooled)
    seen = int(doubled[:n1].sum())
    if len(np.unique(pooled)) == len(pooled):
        chances, seen = _null_of_u(n1, len(pooled) - n1), (seen - n1 * (n1 + 1)) // 2
    else:
        chances = _rank_sums(doubled, n1)
    below, above = float(chances[: seen + 1].sum()), float(chances[seen:].sum())
    return min(1.0, 2 * min(below, above))


def _doubled_ranks(values: Floats) -> NDArray[np.int64]:
    """Twice the rank of each value; those alike share the mean of theirs, a half at most, so that these are whole."""
    _, places, alike = np.unique(values, return_inverse=True, return_counts=True)
    return (2 * np.cumsum(alike) - alike + 1)[places]


def separation_p(n1: int, n2: int) -> float:
    """The p of samples that do not overlap, the smallest possible: 2 / C(n1 + n2, n1); 0.0286 for four and four."""
    return min(1.0, 2 / math.comb(n1 + n2, n1))


def runs_for_separation(alpha: float) -> int:
    """The fewest runs on each side for which samples that do not overlap differ at alpha: 4 at 0.05, 5 at 0.01."""
    n = 2
    while separation_p(n, n) > alpha:
        n += 1
    return n


def runs_needed(superiority: float, alpha: float = 0.05, power: float = 0.8) -> int | None:
    """Runs on each side for the U test to see such a difference at alpha with this power, were it the true one.

    Noether (JASA 82, 1987, p. 645) for two equal sides: n = (z(1-α/2) + z(power))² / (6 (superiority - ½)²), and never
    fewer than samples that do not overlap need; just those where none overlap. None where no side is higher. It is a
    plan for the next measurement, from an estimate that is as rough as the runs at hand are few.
    """
    if math.isnan(superiority) or superiority == 0.5:
        return None
    least = runs_for_separation(alpha)
    if superiority in {0.0, 1.0}:
        return least
    z = float(special.ndtri(1 - alpha / 2) + special.ndtri(power))
    return max(least, math.ceil(z**2 / (6 * (superiority - 0.5) ** 2)))


def compare_means(
    values: Sequence[float], baseline: Sequence[float], confidence: float = 0.95, alpha: float = 0.05
) -> Comparison:
    """Welch's t test, and the ratio of the means with Fieller's interval.

    Both suppose normal distributions. The interval (Fieller, JRSS B 16, 1954, for unequal variances) takes Welch's
    degrees of freedom, so that it leaves out 1 just where Welch's test gives a p below 1 - confidence. It is NaN where
    the baseline's own mean can't be told from 0.
    """
    x, y = np.asarray(values, dtype=np.float64), np.asarray(baseline, dtype=np.float64)
    n1, n2 = len(x), len(y)
    if not n1 or not n2:
        return _nothing(n1, n2)
    a, b = float(x.mean()), float(y.mean())
    ratio = a / b if b > 0 else math.nan
    superiority = _superiority(x, np.sort(y))
    sign = int(np.sign(a - b))
    if min(n1, n2) == 1:
        warnings = (
            f"{'1 run each' if n1 == n2 else f'{n1} against {n2} runs'}: no verdict; a t test needs 2 on each side",
        )
        return Comparison(ratio, math.nan, math.nan, math.nan, n1, n2, warnings, False, math.nan, sign, superiority)
    va, vb = float(x.var(ddof=1)) / n1, float(y.var(ddof=1)) / n2
    if va + vb == 0:  # all runs of a side alike: as if known exactly, which a t test can't judge
        warnings = ("runs without any spread: no t test",)
        return Comparison(ratio, math.nan, math.nan, math.nan, n1, n2, warnings, False, math.nan, sign, superiority)
    freedom = (va + vb) ** 2 / (va**2 / (n1 - 1) + vb**2 / (n2 - 1))
    p = float(2 * special.stdtr(freedom, -abs(a - b) / math.sqrt(va + vb)))
    lo, hi = _fieller(a, b, va, vb, float(special.stdtrit(freedom, (1 + confidence) / 2)))
    return Comparison(ratio, lo, hi, p, n1, n2, (), enough=True, least_p=0.0, sign=sign, superiority=superiority)


def _fieller(a: float, b: float, va: float, vb: float, t: float) -> tuple[float, float]:
    """The ratios r for which a - r b is within t standard errors of 0: between the roots of a quadratic."""
    lead, middle, last = b * b - t * t * vb, a * b, a * a - t * t * va
    if lead <= 0 or b <= 0:
        return math.nan, math.nan
    root = math.sqrt(max(0.0, middle * middle - lead * last))
    return (middle - root) / lead, (middle + root) / lead


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p values of a family of tests (Holm, Scand. J. Statist. 6, 1979); NaN is no test and stays NaN.

    The i-th smallest of m is multiplied by m - i + 1, and none becomes smaller than one before it.
    """
    adjusted = [math.nan] * len(p_values)
    tests = sorted((p, index) for index, p in enumerate(p_values) if not math.isnan(p))
    highest = 0.0
    for place, (p, index) in enumerate(tests):
        highest = max(highest, min(1.0, p * (len(tests) - place)))
        adjusted[index] = highest
    return adjusted


def rank_intervals(better: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The ranks that each of k candidates may have; ``better[i, j]``: i is told to be better than j.

    From 1 + those told to be better, to k - those told to be worse: simultaneous intervals if the tests hold the
    family-wise error (Mohamad, van Zwet, Zwinderman & Goeman, "Simultaneous confidence intervals for ranks", 2018).
    """
    k = len(better)
    return [(1 + int(better[:, i].sum()), k - int(better[i].sum())) for i in range(k)]


def geometric_means(ratios: Floats) -> tuple[list[float], NDArray[np.bool_]]:
    """Geometric mean of each column over those rows in which every column has a positive number.

    Over different rows the means of two columns would not be of the same thing. Returns the means and which rows they
    are over; NaN where there is no such row.
    """
    equal = np.all(ratios > 0, axis=1)  # NaN > 0 is false
    if not equal.any():
        return [math.nan] * ratios.shape[1], equal
    means: list[float] = np.exp(np.log(ratios[equal]).mean(axis=0)).tolist()
    return means, equal
