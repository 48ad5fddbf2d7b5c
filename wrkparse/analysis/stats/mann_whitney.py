"""The Mann-Whitney U test of two small samples, exact and with ties, and the sample sizes that it needs.

Source: Hollander, Wolfe & Chicken, *Nonparametric Statistical Methods* (3rd ed., 2014), sections 4.1 to 4.3.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import special  # scipy.stats takes ten times as long to import

from wrkparse.analysis.stats.arrays import Floats
from wrkparse.analysis.stats.summaries import LEVEL_ROUNDING

# The product of the smaller sample and all runs up to which p is exact: 50 runs against 50, 2 against 2,498. The cost
# grows with its square, and takes milliseconds here. Beyond it the normal approximation is close near p = 0.05; far in
# the tails its p is too large if one sample has only a few runs.
_MOST_FOR_EXACT = 50 * 100


def mann_whitney(x: Sequence[float] | Floats, y: Sequence[float] | Floats) -> float:
    """The two-sided p value of the Mann-Whitney U test: twice the smaller tail, at most 1.

    The values must be finite. Up to 50 runs against 50, or fewer against more, the p value is exact, given the ties
    (the exact method of scipy ignores ties). Beyond that it is scipy's normal approximation, corrected for continuity
    and ties.
    """
    n1 = len(x)
    pooled = np.concatenate([np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)])
    if not _is_exact(n1, len(pooled) - n1):
        from scipy import stats

        return float(stats.mannwhitneyu(x, y, method="asymptotic").pvalue)
    ranks = doubled_ranks(pooled)
    observed = int(ranks[:n1].sum())
    # Without ties, the distribution depends on the numbers of runs alone and is taken from the cache. It is that of U,
    # so the sum of doubled ranks becomes U: half the sum, less the smallest sum of ranks.
    if len(np.unique(pooled)) == len(pooled):
        probabilities, observed = u_distribution(n1, len(pooled) - n1), (observed - n1 * (n1 + 1)) // 2
    else:
        probabilities = rank_sum_distribution(ranks, n1)
    # Both tails contain what was observed, so twice the smaller one may be above 1.
    lower_tail, upper_tail = float(probabilities[: observed + 1].sum()), float(probabilities[observed:].sum())
    return min(1.0, 2 * min(lower_tail, upper_tail))


def _is_exact(n1: int, n2: int) -> bool:
    return min(n1, n2) * (n1 + n2) <= _MOST_FOR_EXACT


def superiority(x: Floats, y: Floats) -> float:
    """The share of pairs in which x is higher, with ties counted as half. `y` must be sorted, and neither be empty."""
    lower, not_higher = np.searchsorted(y, x, side="left"), np.searchsorted(y, x, side="right")
    return float((lower.sum() + not_higher.sum()) / (2 * len(x) * len(y)))


def critical_rank(n1: int, n2: int, confidence: float) -> int:
    """The largest k with 2 P(U <= k - 1) <= 1 - confidence; 0 if there is none, or if a sample has a single run.

    An interval from one run would say nothing of how the next one differs. The k-th smallest and the k-th largest
    difference of pairs bound Moses' confidence interval of the shift; those of quotients bound that of the ratio.
    """
    if min(n1, n2) < 2:
        return 0
    if not _is_exact(n1, n2):
        # Mean and variance of U without ties; no correction for continuity, which matters little beyond
        # `_MOST_FOR_EXACT`.
        stdev = math.sqrt(n1 * n2 * (n1 + n2 + 1) / 12)
        return max(0, math.floor(n1 * n2 / 2 - special.ndtri((1 + confidence) / 2) * stdev))
    tails = 2 * np.cumsum(u_distribution(n1, n2))
    return int(np.count_nonzero(tails <= (1 - confidence) * (1 + LEVEL_ROUNDING)))


def separation_p(n1: int, n2: int) -> float:
    """The p value of samples that do not overlap, the smallest that is possible: 2 / C(n1 + n2, n1).

    It is 0.0286 for four runs against four.
    """
    return min(1.0, 2 / math.comb(n1 + n2, n1))


def runs_for_separation(alpha: float) -> int:
    """The fewest runs on each side whose separation is significant at `alpha`: 4 at 0.05, 5 at 0.01."""
    n = 2
    while separation_p(n, n) > alpha:
        n += 1
    return n


def runs_needed(superiority: float, alpha: float = 0.05, power: float = 0.8) -> int | None:
    """The runs on each side that the U test needs to detect this superiority at `alpha` with this power.

    For two samples of equal size: n = (z(1-α/2) + z(power))² / (6 (superiority - ½)²) (Noether, JASA 82, 1987, p. 645),
    but no fewer than `runs_for_separation`. If the samples do not overlap at all, it is that number. None if
    neither side is higher. The result is a plan for the next measurement. It is only as good as the estimate of
    `superiority`, and a few runs estimate that roughly.
    """
    if math.isnan(superiority) or superiority == 0.5:
        return None
    fewest = runs_for_separation(alpha)
    if superiority in {0.0, 1.0}:
        return fewest
    z = float(special.ndtri(1 - alpha / 2) + special.ndtri(power))
    return max(fewest, math.ceil(z**2 / (6 * (superiority - 0.5) ** 2)))


def superiority_interval(superiority: float, n1: int, n2: int, confidence: float = 0.9) -> tuple[float, float]:
    """The interval of the true superiority, given the one seen in `n1` and `n2` runs; it must not be NaN.

    Source: Newcombe, *Stat. Med.* 25, 2006, method 5. At the default level each end is a one-sided bound at 95 %.

    The interval has the values θ whose distance to the observed one is within z standard errors, with the variance
    θ (1 - θ) (1 + m (1 - θ) / (2 - θ) + m θ / (1 + θ)) / (n1 n2), where m is (n1 + n2) / 2 - 1.
    """
    z = float(special.ndtri((1 + confidence) / 2))
    m = (n1 + n2) / 2 - 1
    theta = np.linspace(0.0, 1.0, 2001)  # in steps of 0.0005, far below what a plan needs
    factor = 1 + m * ((1 - theta) / (2 - theta) + theta / (1 + theta))
    rounding = 1e-12  # so that an observed 0 or 1 is within its own interval
    within = np.abs(theta - superiority) <= z * np.sqrt(theta * (1 - theta) * factor / (n1 * n2)) + rounding
    return float(theta[within][0]), float(theta[within][-1])


def u_distribution(n1: int, n2: int) -> Floats:
    """P(U = 0), P(U = 1) … P(U = n1 n2) under the null hypothesis, without ties."""
    return _distribution_of(min(n1, n2), max(n1, n2))  # it is the same for both orders


@functools.lru_cache(maxsize=1024)  # one entry for each pair of sample sizes, 80 kB at most
def _distribution_of(fewer: int, more: int) -> Floats:
    smallest_sum = fewer * (fewer + 1) // 2  # of the lowest ranks
    return rank_sum_distribution(np.arange(1, fewer + more + 1), fewer)[smallest_sum:][: fewer * more + 1]


def rank_sum_distribution(ranks: NDArray[np.int64], n1: int) -> Floats:
    """P(the sum of n1 of these whole ranks = s) for s = 0, 1 …, where each choice of n1 ranks is equally likely.

    The shift algorithm (Streitberg & Röhmel, "Exact distributions for permutation and rank tests", 1986) counts the
    choices: adding one rank turns each choice of k - 1 ranks into a choice of k, whose sum is higher by that rank.
    Doubled midranks are integers, so the result is exact with ties too.
    """
    # No choice has a larger sum than that of the highest ranks.
    size = int(np.sort(ranks)[::-1][:n1].sum()) + 1
    choices = np.zeros((n1 + 1, size))
    choices[0, 0] = 1.0
    for rank in ranks.tolist():
        # False only if no ranks are chosen (n1 = 0): then the only sum is 0.
        if rank < size:
            # Row k takes row k - 1 as it was before this rank. NumPy copies operands that overlap, so the order of rows
            # is no matter.
            choices[1:, rank:] += choices[:-1, : size - rank]
    probabilities: Floats = choices[n1] / choices[n1].sum()
    return probabilities


def doubled_ranks(values: Floats) -> NDArray[np.int64]:
    """Twice the rank of each value: an integer, since ties share the mean of their ranks, which may end in .5."""
    # Equal values have the ranks from `left` + 1 to `right`, whose mean is (left + right + 1) / 2.
    ordered = np.sort(values)
    return np.searchsorted(ordered, values, side="left") + np.searchsorted(ordered, values, side="right") + 1
