"""The Jonckheere-Terpstra test of whether values rise, or fall, over groups that have an order.

Sources: Jonckheere, "A distribution-free k-sample test against ordered alternatives", Biometrika 41, 1954; Kendall,
*Rank Correlation Methods* (4th ed., 1970), section 4.9, for the variance with ties: the test is that of Kendall's S
between the values and the places of their groups.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import special  # scipy.stats takes ten times as long to import

from wrkparse.analysis.stats.arrays import Floats
from wrkparse.analysis.stats.mann_whitney import u_distribution

_MOST_FOR_EXACT = 5_000  # pairs of values of different groups; beyond it, the normal approximation agrees


class OrderedTest(NamedTuple):
    """``score``: the pairs of values of which that of the later group is higher, less those of which it is lower.

    ``p`` is two-sided.
    """

    score: int
    p: float


def ordered_test(strata: Sequence[Sequence[Floats]]) -> OrderedTest:
    """Test whether values rise or fall over groups, which each stratum has in their order.

    Values are compared within a stratum only, and the scores are added up. If the groups do not differ, each way to
    deal the values of a stratum out to its groups is equally likely. The p value is exact if no stratum has equal
    values and few pairs; else it is from the normal approximation, with corrections for ties and continuity.
    """
    scores = [_score(groups) for groups in strata]
    score, pairs = sum(scores), sum(map(_pairs, strata))
    if pairs <= _MOST_FOR_EXACT and not any(map(_has_ties, strata)):
        chances = np.ones(1)
        for groups in strata:
            chances = np.convolve(chances, _distribution([len(group) for group in groups]))
        higher = (score + pairs) // 2  # the pairs of which the later one is higher
        tails = float(chances[: higher + 1].sum()), float(chances[higher:].sum())
        return OrderedTest(score, min(1.0, 2 * min(tails)))
    deviation = math.sqrt(max(0.0, sum(map(_variance, strata))))  # not below 0 by rounding
    z = (abs(score) - 1) / deviation if deviation else 0.0
    return OrderedTest(score, min(1.0, float(2 * special.ndtr(-z))))


def _score(groups: Sequence[Floats]) -> int:
    places = range(len(groups))
    return sum(
        int(np.sign(groups[later][:, None] - groups[earlier]).sum())
        for earlier in places
        for later in places[earlier + 1 :]
    )


def _pairs(groups: Sequence[Floats]) -> int:
    sizes = np.array([len(group) for group in groups])
    return int((sizes.sum() ** 2 - (sizes**2).sum()) // 2)


def _has_ties(groups: Sequence[Floats]) -> bool:
    values = np.concatenate(groups)
    return len(np.unique(values)) < len(values)


def _distribution(sizes: Sequence[int]) -> Floats:
    """P(0), P(1) … of the pairs in the groups' order: each group's U beside those before it is independent of them."""
    chances, before = np.ones(1), sizes[0]
    for size in sizes[1:]:
        chances = np.convolve(chances, u_distribution(before, size))
        before += size
    return chances


def _variance(groups: Sequence[Floats]) -> float:
    """The variance of the score, with the values that are equal and the groups as two sets of ties."""
    n = sum(map(len, groups))
    _, equal = np.unique(np.concatenate(groups), return_counts=True)
    sizes = np.array([len(group) for group in groups])
    whole, *of_ties = ((t * (t - 1) * (2 * t + 5)).sum() for t in (np.array([n]), equal, sizes))
    triples = math.prod((t * (t - 1) * (t - 2)).sum() for t in (equal, sizes))
    doubles = math.prod((t * (t - 1)).sum() for t in (equal, sizes))
    variance = (whole - sum(of_ties)) / 18 + doubles / (2 * n * (n - 1))
    return float(variance + (triples / (9 * n * (n - 1) * (n - 2)) if n > 2 else 0))
