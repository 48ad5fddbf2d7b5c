"""What the printed digits of the runs leave open in a comparison."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np

from wrkparse.analysis.stats.arrays import Floats
from wrkparse.analysis.stats.comparisons import Comparison
from wrkparse.analysis.stats.stratified import StratifiedComparison

C = TypeVar("C", Comparison, StratifiedComparison)

_NEGLIGIBLE = 1e-9  # relative: the errors of float arithmetic


def with_resolution(compare: Callable[[int], C]) -> C:
    """A comparison of printed numbers that holds whatever the true ones are.

    `compare` compares the printed numbers if it is called with 0, the lowest possible runs with the highest possible
    baseline for -1, and the opposite for 1 (see `moved`). The interval goes from the one to the other. p is that of
    the runs and the baseline moved towards each other, and 1 if that turns the direction: no numbers in reach have a
    larger one, since U, and the difference of means, only rise with each run.
    """
    printed, lowest, highest = compare(0), compare(-1), compare(1)
    nearest = lowest if printed.direction > 0 else highest  # the smallest difference that the digits allow
    p = printed.p  # NaN: there is no test
    if not math.isnan(p):
        p = max(p, nearest.p) if nearest.direction == printed.direction else 1.0
    # An end that has no value for the numbers moved apart could be anywhere: the interval is open there.
    lo = 0.0 if not math.isnan(printed.lo) and math.isnan(lowest.lo) else lowest.lo
    hi = math.inf if not math.isnan(printed.hi) and math.isnan(highest.hi) else highest.hi
    return replace(printed, p=p, lo=lo, hi=hi, p_printed=printed.p)


def moved(values: Floats, resolution: float, direction: int) -> Floats:
    """The values as high (`direction` 1) or as low (-1) as the true ones may be; never below 0, as no metric is."""
    if math.isnan(resolution) or not len(values) or resolution <= _NEGLIGIBLE * float(np.abs(values).max()):
        return values
    return np.maximum(values + direction * resolution, 0.0)
