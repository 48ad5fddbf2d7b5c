"""How much of any stretch of time is left to the program (arrays only)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]


def minimum_utilisation(edges: npt.ArrayLike, taken: npt.ArrayLike, windows: npt.ArrayLike) -> Floats:
    """Minimum mutator utilisation: of all windows of a length, the smallest share that was left to the program.

    `edges`: the times, rising, at which the share taken changes, from the begin of observation to its end. `taken`: the
    share (0 to 1) taken between each two of them. `windows`: lengths, in the same unit. Cheng & Blelloch, A Parallel,
    Real-Time Garbage Collector (PLDI 2001), section 2. Exact: the time taken in a window that slides is piecewise
    linear in its place, and grows where the share at the window's end is above that at its begin. So it is largest
    where the end passes to a smaller share, the begin passes to a larger one, or at an end of the observation. NaN for
    a window longer than the observation, or of no length.
    """
    times, share = np.asarray(edges, float), np.asarray(taken, float)
    lengths = np.asarray(windows, float)
    total = np.concatenate([[0.0], np.cumsum(np.diff(times) * share)])
    rises = np.append(np.flatnonzero(np.diff(share, prepend=0.0) > 0), 0)
    falls = np.append(np.flatnonzero(np.diff(share, append=0.0) < 0) + 1, len(share))
    return np.array([_least(times, total, rises, falls, length) for length in lengths.ravel()]).reshape(lengths.shape)


def _least(times: Floats, total: Floats, rises: Places, falls: Places, length: float) -> float:
    """Of the windows that begin at one of the edges `rises`, or end at one of `falls`."""
    first, last = times[0], times[-1]
    if not 0 < length <= last - first:
        return np.nan
    # the outermost windows fit, even if a sum of floats says otherwise
    begins = rises[(times[rises] <= last - length) | (rises == 0)]
    ends = falls[(times[falls] >= first + length) | (falls == len(times) - 1)]
    from_begins = np.interp(times[begins] + length, times, total) - total[begins]
    to_ends = total[ends] - np.interp(times[ends] - length, times, total)
    left = length - max(from_begins.max(), to_ends.max())
    rounding = 8 * np.finfo(float).eps * max(abs(first), abs(last))
    return float(left / length) if left > rounding else 0.0
