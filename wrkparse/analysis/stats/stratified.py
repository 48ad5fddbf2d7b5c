"""Runs of several settings compared within each setting, and judged over all of them.

Sources: van Elteren, "On the combination of independent two sample tests of Wilcoxon", Bull. Int. Stat. Inst. 37, 1960;
Lehmann, *Nonparametrics: Statistical Methods Based on Ranks* (1975), section 3.3.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import special  # scipy.stats takes ten times as long to import

from wrkparse.analysis.stats.arrays import Floats
from wrkparse.analysis.stats.comparisons import UNEQUAL, thin
from wrkparse.analysis.stats.mann_whitney import doubled_ranks, rank_sum_distribution, superiority
from wrkparse.analysis.stats.summaries import LEVEL_ROUNDING

_MOST_SUMS = 20_000  # different sums in the exact distribution; beyond it, the normal approximation agrees
# The common multiple of the sizes of settings up to which weights are exact; of a larger one, they are rounded to a
# millionth.
_LARGEST_MULTIPLE, _WEIGHTS = 2**40, 1_000_000
_MOST_QUOTIENTS = 1000  # of one side of a setting: a million pairs; evenly spaced ones stand for more
_ROUNDING = 1e-9  # of a sum of weights: above the errors of float arithmetic, so that equal sums are equal


class Stratum(NamedTuple):
    """One setting: a number for each run, and for each run of the baseline."""

    runs: Floats
    baseline: Floats


@dataclass(frozen=True, slots=True)
class StratifiedComparison:
    """Runs compared with those of a baseline within each of several settings.

    ``ratio`` is the factor by which the runs are higher, with the interval from ``lo`` to ``hi``, if it is the same in
    all settings. ``p`` is two-sided; ``smallest_p`` is the smallest that these numbers of runs can give. ``higher`` and
    ``lower`` count the settings by their median quotient. ``p_differ`` is the p value of a test of whether the factor
    is the same in all settings, NaN unless two settings have several runs on both sides. ``p_printed`` is as in
    `comparisons.Comparison`.
    """

    ratio: float
    lo: float
    hi: float
    p: float
    smallest_p: float
    direction: int
    settings: int
    higher: int
    lower: int
    p_differ: float
    p_printed: float = math.nan


def compare_within(strata: Sequence[Stratum], confidence: float = 0.95) -> StratifiedComparison:
    """Van Elteren's test, and the ratio that belongs to it.

    In each setting the runs are ranked among the runs and the baseline together. The sums of ranks, divided by the
    number of runs + 1, are added up. If runs and baseline do not differ, each choice of runs within each setting is
    equally likely (a permutation test), which gives p. It needs no two settings to be alike, in level or in spread.
    Settings with one run on each side make it the sign test.

    The ratio is the median of the quotients of all settings, of each run and each run of its baseline, weighted as in
    the test. The interval has the ratios that the test, at 1 - confidence, does not reject if the runs are divided by
    them. Both are NaN unless all numbers are positive.

    Where the runs spread far more widely than the baseline, or far less (as in `comparisons.compare_medians`; here the
    medians of the settings' ranges are compared), Welch's t test of the logarithms is made over the settings, too: the
    interval covers both intervals, and p is the larger of the two.
    """
    used = [
        Stratum(np.sort(stratum.runs), np.sort(stratum.baseline))
        for stratum in strata
        if len(stratum.runs) and len(stratum.baseline)
    ]
    if not used:
        nan = math.nan
        return StratifiedComparison(nan, nan, nan, nan, nan, 0, 0, 0, 0, nan)
    ranks = [(doubled_ranks(np.concatenate(stratum)), len(stratum.runs)) for stratum in used]
    observed, null = [int(doubled[:n].sum()) for doubled, n in ranks], _NullDistribution.of(ranks)
    p = null.two_sided_p(observed)
    sides = [_side(stratum) for stratum in used]
    ratio, lo, hi = _common_quotient(used, confidence)
    if not math.isnan(lo) and _spread_unequally(used):
        p, lo, hi = _with_welch(used, confidence, (p, lo, hi))
    # of integers, whose quotient underflows to 0 where a float would overflow
    smallest = 2 / math.prod(
        math.comb(len(stratum.runs) + len(stratum.baseline), len(stratum.runs)) for stratum in used
    )
    return StratifiedComparison(
        ratio, lo, hi, p, min(1.0, smallest), null.side(observed), len(used), sides.count(1), sides.count(-1),
        _p_of_interaction(used),
    )  # fmt: skip


def _side(stratum: Stratum) -> int:
    return int(np.sign(round(superiority(stratum.runs, stratum.baseline) - 0.5, 9)))


class _NullDistribution(NamedTuple):
    """The distribution of the weighted sum of doubled rank sums when nothing differs; symmetric if nothing is tied.

    `scales` are the integer weights of the strata. `probabilities` of the sums 0, 1, 2 …; empty if there are too many
    sums: then mean and deviation make it a normal distribution.
    """

    scales: list[int]
    probabilities: Floats
    mean: float
    deviation: float

    @classmethod
    def of(cls, strata: Sequence[tuple[np.ndarray, int]]) -> _NullDistribution:
        """From the doubled ranks of each stratum, and the number of its runs."""
        sizes = [len(ranks) + 1 for ranks, _ in strata]
        # Van Elteren weights a rank sum by 1 / (N + 1). Multiplied by the common multiple, all sums are integers.
        common = math.lcm(*sizes)
        # Weights that have a large common multiple are rounded: they only serve the normal approximation then.
        scales = [common // size if common <= _LARGEST_MULTIPLE else round(_WEIGHTS / size) for size in sizes]
        mean = variance = 0.0
        longest = 1
        for (ranks, n), scale in zip(strata, scales, strict=True):
            total = len(ranks)
            mean += scale * n * (total + 1)
            # The variance of a sum of n ranks that are drawn from all of them without replacement.
            if total > 1:
                variance += scale**2 * n * (total - n) / (total - 1) * float(ranks.var())
            longest += scale * int(np.sort(ranks)[-n:].sum())
        probabilities = np.empty(0)
        if longest <= _MOST_SUMS:
            probabilities = np.ones(1)
            for (ranks, n), scale in zip(strata, scales, strict=True):
                of_one = rank_sum_distribution(ranks, n)
                # The weighted sum of this setting takes only multiples of its weight.
                spread = np.zeros((len(of_one) - 1) * scale + 1)
                spread[::scale] = of_one
                probabilities = np.convolve(probabilities, spread)
        return cls(scales, probabilities, mean, math.sqrt(variance))

    def weighted(self, sums: Sequence[int]) -> int:
        """The weighted sum of the strata's doubled rank sums."""
        return sum(scale * total for scale, total in zip(self.scales, sums, strict=True))

    def side(self, sums: Sequence[int]) -> int:
        """1 if the sum is above what is expected, -1 if below, else 0."""
        return int(np.sign(round(self.weighted(sums) - self.mean, 6)))

    def two_sided_p(self, sums: Sequence[int]) -> float:
        """Twice the smaller tail, at most 1."""
        total = self.weighted(sums)
        if not len(self.probabilities):
            z = abs(total - self.mean) / self.deviation if self.deviation else 0.0
            return min(1.0, float(2 * special.ndtr(-z)))
        lower, upper = float(self.probabilities[: total + 1].sum()), float(self.probabilities[total:].sum())
        return min(1.0, 2 * min(lower, upper))

    def lower_critical(self, alpha: float) -> float:
        """The largest sum whose lower tail has a probability of at most alpha / 2; NaN if there is none."""
        if not len(self.probabilities):
            return self.mean + float(special.ndtri(alpha / 2)) * self.deviation
        below = np.flatnonzero(2 * np.cumsum(self.probabilities) <= alpha * (1 + LEVEL_ROUNDING))
        return float(below[-1]) if len(below) else math.nan


def _common_quotient(strata: Sequence[Stratum], confidence: float) -> tuple[float, float, float]:
    """The weighted median of all quotients, and the interval: a stratified form of Moses'."""
    nan = math.nan
    if any(stratum.runs[0] <= 0 or stratum.baseline[0] <= 0 for stratum in strata):
        return nan, nan, nan
    # The interval has the ratios that the test does not reject. Runs divided by a ratio tie with the baseline only at
    # single points, so the test without ties decides.
    without_ties = [
        (2 * np.arange(1, len(stratum.runs) + len(stratum.baseline) + 1), len(stratum.runs)) for stratum in strata
    ]
    null = _NullDistribution.of(without_ties)
    thinned = [
        Stratum(thin(stratum.runs, _MOST_QUOTIENTS), thin(stratum.baseline, _MOST_QUOTIENTS)) for stratum in strata
    ]
    quotients = np.concatenate([(stratum.runs[:, None] / stratum.baseline).ravel() for stratum in thinned])
    pairs = [len(stratum.runs) * len(stratum.baseline) for stratum in thinned]
    of_pair = [
        scale * len(stratum.runs) * len(stratum.baseline) / count
        for scale, stratum, count in zip(null.scales, strata, pairs, strict=True)
    ]
    weights = np.repeat(of_pair, pairs)
    order = np.argsort(quotients, kind="stable")
    quotients, below = quotients[order], np.cumsum(weights[order])
    total = below[-1]
    # If the weights are split in half between two quotients, these two are in the middle.
    low, high = (float(quotients[np.searchsorted(below, total / 2, side=side)]) for side in ("left", "right"))
    # The sum of doubled ranks if the runs have the lowest ones: 2 · n (n + 1) / 2.
    smallest = sum(
        scale * len(stratum.runs) * (len(stratum.runs) + 1) for scale, stratum in zip(null.scales, strata, strict=True)
    )
    critical = (null.lower_critical(1 - confidence) - smallest) / 2  # of U: half of what the doubled ranks exceed
    if math.isnan(critical) or critical < 0:
        return math.sqrt(low * high), nan, nan
    # From each end, the first quotient at which U is above the critical value.
    at = int(np.searchsorted(below, critical + _ROUNDING, side="right"))
    above = int(np.searchsorted(below, total - critical - _ROUNDING, side="left"))
    return math.sqrt(low * high), float(quotients[at]), float(quotients[above])


def _repeated_logs(strata: Sequence[Stratum]) -> list[tuple[Floats, Floats]]:
    """The logarithms of the settings with several runs on both sides."""
    repeated = [stratum for stratum in strata if min(len(stratum.runs), len(stratum.baseline)) > 1]
    return [(np.log(stratum.runs), np.log(stratum.baseline)) for stratum in repeated]


def _spread_unequally(strata: Sequence[Stratum]) -> bool:
    ranges = [(float(np.ptp(x)), float(np.ptp(y))) for x, y in _repeated_logs(strata)]
    if not ranges:
        return False
    # The median over the settings: one slow run somewhere is not a wider spread.
    one, other = np.median(ranges, axis=0)
    return bool(max(one, other) > UNEQUAL * min(one, other))


def _with_welch(
    strata: Sequence[Stratum], confidence: float, by_ranks: tuple[float, float, float]
) -> tuple[float, float, float]:
    """The p value and the interval from `by_ranks`, widened to what Welch's t test gives.

    It tests the mean of the settings' differences, weighted by n1 n2 / (n1 + n2 + 1) as van Elteren's test is, with
    the degrees of freedom of Satterthwaite (Biometrics 2, 1946).
    """
    logs = _repeated_logs(strata)
    weights = np.array([len(x) * len(y) / (len(x) + len(y) + 1) for x, y in logs])
    weights /= weights.sum()
    difference = sum(weight * float(x.mean() - y.mean()) for weight, (x, y) in zip(weights, logs, strict=True))
    parts = [
        (weight**2 * float(logs_of_side.var(ddof=1)) / len(logs_of_side), len(logs_of_side) - 1)
        for weight, both in zip(weights, logs, strict=True)
        for logs_of_side in both
    ]
    variance = sum(part for part, _ in parts)
    freedom = variance**2 / sum(part**2 / n for part, n in parts)
    # Above 0: `_spread_unequally` found a setting whose runs differ.
    error = math.sqrt(variance)
    p = float(2 * special.stdtr(freedom, -abs(difference) / error))
    half = float(special.stdtrit(freedom, (1 + confidence) / 2)) * error
    return (
        max(by_ranks[0], p),
        min(by_ranks[1], math.exp(difference - half)),
        max(by_ranks[2], math.exp(difference + half)),
    )


def _p_of_interaction(strata: Sequence[Stratum]) -> float:
    """The p value of a test of whether the differences of the logarithms' means are the same in all settings.

    It is Welch's test of several means ("On the comparison of several mean values", Biometrika 38, 1951), with the
    degrees of freedom of Satterthwaite for each difference: settings may spread differently. Only settings with several
    runs on both sides count, as one run does not show how far the next would be off. NaN if fewer than two are left,
    or if the printed digits hide the spread of one.
    """
    if any(stratum.runs[0] <= 0 or stratum.baseline[0] <= 0 for stratum in strata):
        return math.nan
    logs = _repeated_logs(strata)
    errors = np.array([[float(logs_of_side.var(ddof=1)) / len(logs_of_side) for logs_of_side in both] for both in logs])
    if len(logs) < 2 or not errors.sum(axis=1).all():
        return math.nan
    differences = np.array([x.mean() - y.mean() for x, y in logs])
    variances = errors.sum(axis=1)
    freedoms = variances**2 / (
        errors**2 / np.array([[len(logs_of_side) - 1 for logs_of_side in both] for both in logs])
    ).sum(axis=1)
    shares = (1 / variances) / (1 / variances).sum()
    # F of Welch (1951) for k means: their mean square around the weighted mean, over 1 + 2 (k - 2) · correction, with 1
    # / (3 · correction) as the second degrees of freedom.
    between = float(((differences - shares @ differences) ** 2 / variances).sum()) / (len(logs) - 1)
    correction = float(((1 - shares) ** 2 / freedoms).sum()) / (len(logs) ** 2 - 1)
    f = between / (1 + 2 * (len(logs) - 2) * correction)
    return float(special.fdtrc(len(logs) - 1, 1 / (3 * correction), f))
