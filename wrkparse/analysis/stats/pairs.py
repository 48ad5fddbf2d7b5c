"""Runs made in turns, compared pair by pair.

Source: Hollander, Wolfe & Chicken, *Nonparametric Statistical Methods* (3rd ed., 2014), sections 3.1 to 3.3.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy import special  # scipy.stats takes ten times as long to import

from wrkparse.analysis.stats.arrays import Floats
from wrkparse.analysis.stats.comparisons import Comparison, no_runs, thin
from wrkparse.analysis.stats.mann_whitney import doubled_ranks
from wrkparse.analysis.stats.summaries import LEVEL_ROUNDING, runs_for_interval

_MOST_PAIRS_FOR_EXACT = 200  # beyond it the normal approximation agrees to the digits that tables show
_MOST_AVERAGED = 1000  # half a million averages; evenly spaced pairs stand for more
# Of the logarithm of a quotient: above the errors of float arithmetic, so that equal numbers are equal.
_ROUNDING = 1e-12


def compare_pairs(
    values: Sequence[float], baseline: Sequence[float], confidence: float = 0.95, alpha: float = 0.05
) -> Comparison:
    """Wilcoxon's signed-rank test of the logarithms of quotients, and the ratio that belongs to it.

    The i-th run and the i-th run of the baseline are a pair, made one after the other: what drifts from pair to pair
    has no effect. The ratio is the median of the geometric means of any two quotients (Hodges and Lehmann's estimate);
    the interval is Tukey's, from the k-th smallest to the k-th largest. Both are exact with ties. The quotients are
    assumed to spread symmetrically around their median on a logarithmic axis. Pairs that do not differ are left out of
    the test.

    Raises ValueError if there are not as many runs as runs of the baseline.
    """
    x, y = np.asarray(values, dtype=np.float64), np.asarray(baseline, dtype=np.float64)
    n = len(x)
    if n != len(y):
        raise ValueError(f"{n} runs and {len(y)} runs of the baseline make no pairs")
    if not n:
        return no_runs(0, 0)
    above = float(((x > y) + (x == y) / 2).mean())
    smallest_p = min(1.0, 2.0 ** (1 - n))
    conclusive = smallest_p <= alpha
    warnings = () if conclusive else (f"{n} pairs: no verdict; at alpha {alpha:g} it takes {_fewest(alpha)}",)
    # A quotient of 0 has no logarithm.
    if min(x.min(), y.min()) <= 0:
        nan = math.nan
        return Comparison(nan, nan, nan, nan, n, n, warnings, False, smallest_p, 0, above)
    logs = np.log(x / y)
    p, direction = _signed_rank(logs)
    ratio, lo, hi = (math.exp(log_ratio) for log_ratio in _walsh(logs, confidence))
    return Comparison(ratio, lo, hi, p if n > 1 else math.nan, n, n, warnings, conclusive, smallest_p, direction, above)


def _fewest(alpha: float) -> int:
    return runs_for_interval(1 - alpha)  # both are 1 + log2(1 / alpha)


def _signed_rank(differences: Floats) -> tuple[float, int]:
    """The two-sided p, and the direction of the sum of signed ranks."""
    different = differences[np.abs(differences) > _ROUNDING]
    if not len(different):
        return 1.0, 0
    # Rounded, so that quotients that differ by rounding errors only are ties.
    ranks = doubled_ranks(np.round(np.abs(different), 12).astype(np.float64))
    positive, total = int(ranks[different > 0].sum()), int(ranks.sum())
    direction = int(np.sign(2 * positive - total))
    if len(different) > _MOST_PAIRS_FOR_EXACT:
        # The signed sum has the variance Σ rank², if each sign is a fair coin. That the ranks are doubled cancels out.
        z = abs(2 * positive - total) / math.sqrt(float((ranks.astype(float) ** 2).sum()))
        return min(1.0, float(2 * special.ndtr(-z))), direction
    probabilities = _sum_distribution(ranks)
    tail = min(float(probabilities[: positive + 1].sum()), float(probabilities[positive:].sum()))
    return min(1.0, 2 * tail), direction


def _sum_distribution(ranks: np.ndarray) -> Floats:
    """P(the sum of those ranks whose sign is positive = s) for s = 0, 1 …, if each sign is equally likely."""
    probabilities = np.zeros(int(ranks.sum()) + 1)
    probabilities[0] = 1.0
    for rank in ranks.tolist():
        # The right side is complete before it is stored, so the sums of this step don't mix with those of the last.
        probabilities[rank:] = (probabilities[rank:] + probabilities[: len(probabilities) - rank]) / 2
        # A sum below the rank is only reached if the rank's sign is negative.
        probabilities[:rank] /= 2
    return probabilities


def _walsh(logs: Floats, confidence: float) -> tuple[float, float, float]:
    """The median of the means of any two of the logarithms, each with itself too, and Tukey's interval."""
    n = len(logs)
    few = thin(np.sort(logs), _MOST_AVERAGED)
    one, other = np.triu_indices(len(few))
    means = np.sort((few[one] + few[other]) / 2)
    if n > _MOST_PAIRS_FOR_EXACT:
        # Mean and deviation of the signed-rank sum without ties: the interval's levels are those of a continuous
        # distribution.
        deviation = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        k = math.floor(n * (n + 1) / 4 - float(special.ndtri((1 + confidence) / 2)) * deviation)
        # Of the means of thinned pairs, the one in the same place.
        k = max(1, round(k * len(means) / (n * (n + 1) / 2)))
    else:
        tails = 2 * np.cumsum(_sum_distribution(np.arange(1, n + 1)))
        k = int(np.count_nonzero(tails <= (1 - confidence) * (1 + LEVEL_ROUNDING)))
    center = float(np.median(means))
    return (center, float(means[k - 1]), float(means[-k])) if k else (center, math.nan, math.nan)
