"""Dixon's test for one outlier among repeats."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wrkparse.analysis.stats.arrays import Bools, Floats, Indices

# Of three, Q would have to exceed 0.994 (table 1 of the paper below): two that happen to agree would make an outlier of
# any third one.
FEWEST = 4  # numbers, of which one can stand out
# Dixon's Q of 4 to 10 numbers, two-sided, at the level 0.01 (D. B. Rorabacher, Analytical Chemistry 63, 1991, table 1).
# It falls with their number, so that the last is on the safe side for more.
_CRITICAL = np.array([0.926, 0.821, 0.740, 0.680, 0.634, 0.598, 0.568])
_LEAST = 0.1  # of the median: smaller outliers change no ranking that single runs could show


def is_outlier(gap: Floats, spread: Floats, median: Floats, count: Indices) -> Bools:
    """Whether the extreme of each of several samples is an outlier.

    `gap` is from the extreme to its neighbour, `spread` from the least to the greatest, `count` the size of the sample.
    """
    critical = _CRITICAL[np.clip(count - FEWEST, 0, len(_CRITICAL) - 1)]
    found: Bools = (count >= FEWEST) & (gap > critical * spread) & (gap > _LEAST * np.abs(median))
    return found


def find_outlier(values: Sequence[float]) -> int | None:
    """The index of the value that is an outlier among the others; None without one."""
    if len(values) < FEWEST:
        return None
    order = np.argsort(values, kind="stable")
    ordered = np.array(values)[order]
    # From the lowest to its neighbour, and from the highest to its neighbour.
    gaps = ordered[[1, -1]] - ordered[[0, -2]]
    end = int(gaps.argmax())
    # The upper one of two medians: it only sets the scale for `_LEAST`.
    spread, median = ordered[-1] - ordered[0], ordered[len(ordered) // 2]
    found = is_outlier(gaps[[end]], np.array([spread]), np.array([median]), np.array([len(ordered)]))
    return int(order[-end]) if found[0] else None  # 0 is the lowest, -1 the highest
