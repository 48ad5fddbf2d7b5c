"""Minimum mutator utilisation (MMU): the share of time that collections leave to the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from wrkparse.analysis.go import traces
from wrkparse.analysis.go.gc import timeline
from wrkparse.analysis.stats.arrays import Floats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrkparse.dataset import Dataset


# Share of the Ps that marking takes from the program: gcBackgroundUtilization of runtime/mgcpacer.go, since Go 1.5.
MARKING_SHARE = 0.25
_SHORTEST_WINDOW_S = 1e-3  # starts are printed in whole milliseconds
_WINDOWS_PER_DECADE = 40  # enough for a smooth line

Indices = npt.NDArray[np.intp]


def minimum_utilisation(edges: npt.ArrayLike, taken: npt.ArrayLike, windows: npt.ArrayLike) -> Floats:
    """For each length of a window, the smallest share of time that is left to the program in any such window.

    `edges` are the rising times at which the taken share changes, from the beginning of the observation to its end.
    `taken` is the share (0 to 1) that is taken between each two of them. `windows` are lengths in the same unit. The
    result is NaN for a window that is longer than the observation or has no length.

    Definition: Cheng & Blelloch, *A Parallel, Real-Time Garbage Collector* (PLDI 2001), section 2. The result is exact:
    the time taken in a sliding window is piecewise linear in its position, and grows while the share at the end of the
    window is above that at its beginning. So it is largest where the end passes to a smaller share, where the beginning
    passes to a larger one, or at an end of the observation.
    """
    times, share = np.asarray(edges, float), np.asarray(taken, float)
    lengths = np.asarray(windows, float)
    total = np.concatenate([[0.0], np.cumsum(np.diff(times) * share)])
    # 0 and the last edge, the ends of the observation, are always among them.
    rises = np.append(np.flatnonzero(np.diff(share, prepend=0.0) > 0), 0)
    falls = np.append(np.flatnonzero(np.diff(share, append=0.0) < 0) + 1, len(share))
    return np.array([_smallest_share(times, total, rises, falls, length) for length in lengths.ravel()]).reshape(
        lengths.shape
    )


def _smallest_share(times: Floats, total: Floats, rises: Indices, falls: Indices, length: float) -> float:
    """The smallest share in the windows that begin at one of the edges `rises` or end at one of `falls`."""
    first, last = times[0], times[-1]
    if not 0 < length <= last - first:
        return np.nan
    # The first and the last window always fit, even if rounding says otherwise.
    begins = rises[(times[rises] <= last - length) | (rises == 0)]
    ends = falls[(times[falls] >= first + length) | (falls == len(times) - 1)]
    from_begins = np.interp(times[begins] + length, times, total) - total[begins]
    to_ends = total[ends] - np.interp(times[ends] - length, times, total)
    left = length - max(from_begins.max(), to_ends.max())
    rounding = 8 * np.finfo(float).eps * max(abs(first), abs(last))
    return float(left / length) if left > rounding else 0.0


def mmu(ds: Dataset, run: str, windows: Sequence[float] | None = None) -> pd.DataFrame:
    """The minimum mutator utilisation of one run: window_s, mmu_ratio, mmu_marking_ratio; no rows without times.

    mmu_ratio counts pauses as taken. mmu_marking_ratio also counts `MARKING_SHARE` (25 %) of the Ps as taken while a
    cycle runs concurrently, which is what the pacer plans for, without assists. (In G5a to G5c it is one P, since one
    goroutine marks.) Ratios are NA for a window that is longer than the trace.

    `windows` are lengths in seconds; by default 1, 2, 5, 10 … ms up to the length of the trace. Starts are printed in
    whole milliseconds, and a cycle that would overlap the previous one is placed after it. So windows of a few ms are
    uncertain.
    """
    edges, pause, marking = taken_shares(ds, run)
    if not len(edges):
        return pd.DataFrame({"window_s": [], "mmu_ratio": [], "mmu_marking_ratio": []}, dtype=float)
    lengths = _default_windows(float(edges[-1] - edges[0])) if windows is None else np.asarray(windows, float)
    return pd.DataFrame({
        "window_s": lengths,
        "mmu_ratio": minimum_utilisation(edges, pause, lengths),
        "mmu_marking_ratio": minimum_utilisation(edges, np.maximum(pause, marking), lengths),
    })  # fmt: skip


def taken_shares(ds: Dataset, run: str) -> tuple[Floats, Floats, Floats]:
    """The shares of the Ps that pauses and marking take over time.

    Returns n + 1 rising times in seconds, and for the n intervals between them the share of pauses (0 or 1) and the
    share of concurrent marking (as in `mmu`). All are empty without printed times.
    """
    rows = timeline.placed_cycles(ds, run)
    rows = rows[rows["start_s"].notna()]
    if rows.empty:
        return np.empty(0), np.empty(0), np.empty(0)
    start = rows["start_s"].to_numpy(float)
    parts: Floats = rows[list(timeline.PARTS)].fillna(0.0).to_numpy(float)
    one_goroutine_marks = rows["era"].isin(["G5a", "G5b", "G5c"])
    marking_share = np.where(one_goroutine_marks, 1 / rows["procs"].to_numpy(float), MARKING_SHARE)[:, None]
    ends = start[:, None] + np.cumsum(parts, axis=1)
    origin = 0.0 if rows["gc"].iloc[0] == 1 else start[0]
    edges = np.concatenate([[origin], np.column_stack([start, ends]).ravel()])
    stops = np.array([kind is not None for kind in timeline.PARTS.values()])
    # For each cycle: the time before it, in which nothing is taken, and then its parts.
    pause = np.tile(np.append(0.0, stops), len(rows))
    marking = (np.append(0.0, ~stops) * marking_share).ravel()
    # By rounding, a cycle may begin just before the end of the one before.
    return np.maximum.accumulate(edges), pause, marking


def mmu_curves(ds: Dataset, *, where: str | None = None) -> pd.DataFrame:
    """The `mmu` of each gctrace run that matches `where` (as in `Dataset.wide`), with enough windows for a curve.

    Columns: run, window_s, mmu_ratio, mmu_marking_ratio. The windows are from 1 ms, since starts are printed in whole
    ms, to the length of the trace. No rows for a run without printed times.
    """
    curves = []
    for run in traces.runs_of_tool(ds, "gctrace", where)["run"]:
        edges, _, _ = taken_shares(ds, run)
        span = float(edges[-1] - edges[0]) if len(edges) else 0.0
        if span > _SHORTEST_WINDOW_S:
            count = int(np.log10(span / _SHORTEST_WINDOW_S) * _WINDOWS_PER_DECADE) + 2
            curves.append(mmu(ds, run, np.geomspace(_SHORTEST_WINDOW_S, span, count).tolist()).assign(run=run))
    columns = ["run", "window_s", "mmu_ratio", "mmu_marking_ratio"]
    return pd.concat(curves, ignore_index=True)[columns] if curves else pd.DataFrame(columns=columns)


def _default_windows(span_s: float) -> Floats:
    """Lengths of 1, 2, 5, 10 … ms up to `span_s`, in seconds."""
    series = [digit * 10.0**power for power in range(-3, 9) for digit in (1, 2, 5)]
    return np.array([length for length in series if length <= span_s])
