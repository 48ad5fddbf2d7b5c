"""Kendall's S, the score of a trend in a series (M. G. Kendall, Biometrika 30, 1938)."""

from __future__ import annotations

import numpy as np

from wrkparse.analysis.stats.arrays import Floats


def kendall_score(values: Floats) -> int:
    """The pairs of which the later number is higher, less those of which it is lower."""
    one, other = np.triu_indices(len(values), 1)
    return int(np.sign(values[other] - values[one]).sum())


def kendall_variance(n: int) -> float:
    """The variance of the score of n numbers without ties, if all orders are equally likely; its mean is 0."""
    return n * (n - 1) * (2 * n + 5) / 18
