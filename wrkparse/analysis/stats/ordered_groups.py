"""The Jonckheere-Terpstra test of whether values rise, or fall, over groups that have an order.

Sources: Jonckheere, "A distribution-free k-sample test against ordered alternatives", Biometrika 41, 1954; Kendall,
*Rank Correlation Methods* (4th ed., 1970), section 4.9, for the variance with ties: the test is that of Kendall's S
between the values and the places of their groups.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy import special  # scipy.stats takes ten times as long to import

from wrkparse.analysis.stats.arrays import Floats
from wrkparse.analysis.stats.mann_whitney import u_distribution

_MOST_FOR_EXACT = 5_000  # pairs of values of different groups; beyond it, the normal approximation is within 2 %
# With ties, the exact distribution takes up to half a second for so many states and pairs: 4 groups of 5, 6 of 3.
_MOST_STATES, _MOST_PAIRS_WITH_TIES = 4_096, 200


class OrderedTest(NamedTuple):
    """``score``: the pairs of values of which that of the later group is higher, less those of which it is lower.

    ``p`` is two-sided.
    """

    score: int
    p: float


def ordered_test(strata: Sequence[Sequence[Floats]]) -> OrderedTest:
    """Test whether values rise or fall over groups, which each stratum has in their order.

    Values are compared within a stratum only, and the scores are added up. If the groups do not differ, each way to
    deal the values of a stratum out to its groups is equally likely. The p value is exact for small samples, also with
    ties; else it is from the normal approximation, with corrections for ties and continuity.
    """
    scores = [_score(groups) for groups in strata]
    score, pairs = sum(scores), sum(map(_pairs, strata))
    # One None is enough for the approximation below: the sum has an exact distribution only if each stratum has one.
    distributions = [_distribution(groups) for groups in strata] if pairs <= _MOST_FOR_EXACT else [None]
    if all(distribution is not None for distribution in distributions):
        # Strata are dealt out independently, so the distribution of their summed scores is the convolution.
        chances = functools.reduce(
            np.convolve, [distribution for distribution in distributions if distribution is not None]
        )
        at = score + pairs  # the lowest score is -pairs
        tails = float(chances[: at + 1].sum()), float(chances[at:].sum())
        return OrderedTest(score, min(1.0, 2 * min(tails)))
    deviation = math.sqrt(max(0.0, sum(map(_variance, strata))))  # not below 0 by rounding
    # Without ties, scores are 2 apart; half of that is the correction for continuity.
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


def _distribution(groups: Sequence[Floats]) -> Floats | None:
    """P(-pairs), P(-pairs + 1) … of the score; None if it would take long."""
    sizes = [len(group) for group in groups]
    _, ties = np.unique(np.concatenate(groups), return_counts=True)
    if ties.max() == 1:
        return _without_ties(sizes)
    if math.prod(size + 1 for size in sizes) > _MOST_STATES or _pairs(groups) > _MOST_PAIRS_WITH_TIES:
        return None
    return _with_ties(sizes, ties.tolist())


def _without_ties(sizes: Sequence[int]) -> Floats:
    """Each group's U beside the groups before it is independent of theirs; each pair adds or takes 1 of the score."""
    chances, before = np.ones(1), sizes[0]
    for size in sizes[1:]:
        chances = np.convolve(chances, u_distribution(before, size))
        before += size
    spread = np.zeros(2 * len(chances) - 1)
    spread[::2] = chances  # a pair whose order changes moves the score by 2
    return spread


def _with_ties(sizes: Sequence[int], ties: Sequence[int]) -> Floats:
    """The ways to deal out the values, from the lowest up, by how many each group has so far."""
    pairs = (sum(sizes) ** 2 - sum(size**2 for size in sizes)) // 2
    # The index is score + pairs. A state says how many values each group has; its array counts the ways there by score.
    start = np.zeros(2 * pairs + 1)
    start[pairs] = 1.0
    ways = {(0,) * len(sizes): start}
    for equal in ties:
        after: dict[tuple[int, ...], Floats] = {}
        for dealt, by_score in ways.items():
            free = [size - has for size, has in zip(sizes, dealt, strict=True)]
            for given in _distributions(equal, free):
                # Which free places of the groups the equal values take. Their order among each other is the same factor
                # everywhere.
                count = math.prod(math.comb(room, here) for room, here in zip(free, given, strict=True))
                moved = np.roll(by_score, _gain(dealt, given)) * count  # no score leaves the ends
                now = tuple(has + here for has, here in zip(dealt, given, strict=True))
                after[now] = after[now] + moved if now in after else moved
        ways = after
    # When all values are dealt out, each group is full: one state is left.
    [by_score] = ways.values()
    chances: Floats = by_score / by_score.sum()
    return chances


def _distributions(count: int, free: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The ways to give so many equal values to groups with this room."""
    if len(free) == 1:
        if count <= free[0]:
            yield (count,)
        return
    for here in range(min(count, free[0]) + 1):
        for rest in _distributions(count - here, free[1:]):
            yield (here, *rest)


def _gain(dealt: Sequence[int], given: Sequence[int]) -> int:
    """What values add to the score that are higher than all dealt out before."""
    return sum(here * (sum(dealt[:at]) - sum(dealt[at + 1 :])) for at, here in enumerate(given))


def _variance(groups: Sequence[Floats]) -> float:
    """The variance of the score, with the values that are equal and the groups as two sets of ties."""
    n = sum(map(len, groups))
    _, equal = np.unique(np.concatenate(groups), return_counts=True)
    sizes = np.array([len(group) for group in groups])
    # Kendall's variance of S with ties in both rankings: here equal values, and the members of a group.
    whole, *of_ties = ((t * (t - 1) * (2 * t + 5)).sum() for t in (np.array([n]), equal, sizes))
    triples = math.prod((t * (t - 1) * (t - 2)).sum() for t in (equal, sizes))
    doubles = math.prod((t * (t - 1)).sum() for t in (equal, sizes))
    variance = (whole - sum(of_ties)) / 18 + doubles / (2 * n * (n - 1))
    return float(variance + (triples / (9 * n * (n - 1) * (n - 2)) if n > 2 else 0))
