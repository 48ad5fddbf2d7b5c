"""How much of any stretch of time is left to the program (arrays only)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from wrkparse.analysis.go import gc_timeline, traces
from wrkparse.analysis.stats.arrays import Floats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrkparse.dataset import Dataset


# Share of the Ps that marking may take from the program: gcBackgroundUtilization of runtime/mgcpacer.go, since Go 1.5.
MARKING_SHARE = 0.25
_SHORTEST_S = 1e-3
_WINDOWS_PER_DECADE = 40

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


def mmu(ds: Dataset, run: str, windows: Sequence[float] | None = None) -> pd.DataFrame:
    """Minimum mutator utilisation of one run: window_s, mmu_ratio, mmu_marking_ratio; no rows without printed times.

    mmu_ratio counts pauses. mmu_marking_ratio also counts `MARKING_SHARE` (25 %) of the Ps as taken while a cycle runs
    beside the program, which is what the pacer plans for; assists come on top. (G5a to G5c: one P, for there one
    goroutine marks.) Ratios are NA for a window longer than the trace. `windows`: their lengths in seconds; otherwise
    1, 2, 5, 10 … ms up to the trace's length. Starts are printed in whole milliseconds: a cycle that would overlap the
    one before is placed behind it, and windows of a few ms are uncertain.
    """
    edges, pause, marking = timeline(ds, run)
    if not len(edges):
        return pd.DataFrame({"window_s": [], "mmu_ratio": [], "mmu_marking_ratio": []}, dtype=float)
    lengths = _windows(float(edges[-1] - edges[0])) if windows is None else np.asarray(windows, float)
    return pd.DataFrame({
        "window_s": lengths,
        "mmu_ratio": minimum_utilisation(edges, pause, lengths),
        "mmu_marking_ratio": minimum_utilisation(edges, np.maximum(pause, marking), lengths),
    })  # fmt: skip


def timeline(ds: Dataset, run: str) -> tuple[Floats, Floats, Floats]:
    """When the world stood still, and what marking took: n + 1 times in seconds, rising, and n shares of each between.

    Shares of the Ps: 1 in a pause, and `mmu`'s share while a cycle runs beside the program. Empty without times.
    """
    rows = gc_timeline.placed(ds, run)
    rows = rows[rows["start_s"].notna()]
    if rows.empty:
        return np.empty(0), np.empty(0), np.empty(0)
    start = rows["start_s"].to_numpy(float)
    parts: Floats = rows[list(gc_timeline.PARTS)].fillna(0.0).to_numpy(float)
    one_marks = rows["era"].isin(["G5a", "G5b", "G5c"])
    taken = np.where(one_marks, 1 / rows["procs"].to_numpy(float), MARKING_SHARE)[:, None]
    ends = start[:, None] + np.cumsum(parts, axis=1)
    origin = 0.0 if rows["gc"].iloc[0] == 1 else start[0]
    edges = np.concatenate([[origin], np.column_stack([start, ends]).ravel()])
    stops = np.array([kind is not None for kind in gc_timeline.PARTS.values()])
    pause = np.tile(np.append(0.0, stops), len(rows))
    marking = (np.append(0.0, ~stops) * taken).ravel()
    return np.maximum.accumulate(edges), pause, marking


def mmu_curves(ds: Dataset, *, where: str | None = None) -> pd.DataFrame:
    """`mmu` of every gctrace run for which `where` (as in `Dataset.wide`) holds, at windows close enough for a curve.

    Columns: run, window_s, mmu_ratio, mmu_marking_ratio. Windows begin at 1 ms, as starts are printed in whole ms, and
    end with the run's trace. No rows for a run without printed times.
    """
    found = []
    for run in traces.chosen(ds, "gctrace", where)["run"]:
        edges, _, _ = timeline(ds, run)
        span = float(edges[-1] - edges[0]) if len(edges) else 0.0
        if span > _SHORTEST_S:
            count = int(np.log10(span / _SHORTEST_S) * _WINDOWS_PER_DECADE) + 2
            found.append(mmu(ds, run, np.geomspace(_SHORTEST_S, span, count).tolist()).assign(run=run))
    columns = ["run", "window_s", "mmu_ratio", "mmu_marking_ratio"]
    return pd.concat(found, ignore_index=True)[columns] if found else pd.DataFrame(columns=columns)


def _windows(span_s: float) -> Floats:
    """1, 2, 5, 10 … ms, up to a length."""
    series = [digit * 10.0**power for power in range(-3, 9) for digit in (1, 2, 5)]
    return np.array([length for length in series if length <= span_s])
