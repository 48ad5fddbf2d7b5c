"""What follows from many comparisons together: adjusted p values, rank intervals, geometric means."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from wrkparse.analysis.stats.arrays import Bools, Floats


def holm(p_values: Sequence[float]) -> list[float]:
    """The adjusted p values of a family of tests (Holm, Scand. J. Statist. 6, 1979).

    The i-th smallest of m is multiplied by m - i + 1, and none becomes smaller than the one before it. NaN stands for
    no test and stays NaN.
    """
    adjusted = [math.nan] * len(p_values)
    tests = sorted((p, index) for index, p in enumerate(p_values) if not math.isnan(p))
    highest = 0.0
    # Holm steps down: a test that fails makes all with larger p fail, too. So an adjusted p never falls.
    for position, (p, index) in enumerate(tests):
        highest = max(highest, min(1.0, p * (len(tests) - position)))
        adjusted[index] = highest
    return adjusted


def rank_intervals(better: Bools) -> list[tuple[int, int]]:
    """The ranks that each of k candidates may have; ``better[i, j]`` means that i is significantly better than j.

    They range from 1 + the number of significantly better candidates to k - the number of significantly worse ones.
    The intervals hold simultaneously if the tests control the family-wise error (Mohamad, van Zwet, Zwinderman &
    Goeman, "Simultaneous confidence intervals for ranks", 2018).
    """
    k = len(better)
    return [(1 + int(better[:, i].sum()), k - int(better[i].sum())) for i in range(k)]


def geometric_means(ratios: Floats) -> tuple[list[float], Bools]:
    """The geometric mean of each column, over the rows in which every column has a positive number.

    Means of two columns over different rows would not be comparable. Returns the means, NaN if there is no such row,
    and a mask of the rows that were used.
    """
    used = np.all(ratios > 0, axis=1)  # False where a ratio is NaN
    if not used.any():
        return [math.nan] * ratios.shape[1], used
    means: list[float] = np.exp(np.log(ratios[used]).mean(axis=0)).tolist()
    return means, used
