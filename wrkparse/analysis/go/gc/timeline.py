"""The collections of a Go process over time: pauses, concurrent marking, heap sizes.

Starts are printed in whole milliseconds, so a cycle may seem to overlap the previous one; then it is placed after it.
Go 1.0 to 1.4 print no times: every time is NaN, and only the number of the collection (``gc``) gives the order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from wrkparse.analysis.go import traces
from wrkparse.analysis.go.gc import cycles

if TYPE_CHECKING:
    import numpy.typing as npt

    from wrkparse.dataset import Dataset

# The phases of a cycle in the order of time, with the kind of the pause; None for a concurrent phase.
PARTS = {
    "first_stop_s": "sweep termination",
    "scan_s": None,
    "barrier_stop_s": "write barriers",
    "barrier_s": None,
    "mark_s": None,
    "last_stop_s": "mark termination",
}
WHOLE = "whole collection"  # the kind of a pause that takes the whole cycle
KINDS = ("mark termination", "sweep termination", "write barriers", WHOLE)
_HEAP_COLUMNS = ("heap_start_bytes", "heap_end_bytes", "heap_live_bytes", "heap_previous_live_bytes", "heap_goal_bytes")


def placed_cycles(ds: Dataset, run: str) -> pd.DataFrame:
    """One row for each cycle of a run, in the order of time.

    Columns: gc, line, era, procs, forced, one_stop, start_s (NaN if not printed), the phases in `PARTS` (in seconds;
    NaN if the era has no such phase), and the printed sizes of the heap in bytes.
    """
    only = traces.run_condition(pd.DataFrame({"run": [run]}))
    columns = ", ".join((*PARTS, *(f"{name}::DOUBLE AS {name}" for name in _HEAP_COLUMNS)))
    rows = ds.sql(
        f"SELECT gc, line, era, procs, coalesce(forced, false) AS forced, one_stop, start_s, {columns} "
        f"FROM ({cycles.cycles_query(only)}) ORDER BY start_s NULLS LAST, line"
    )
    known = rows["start_s"].notna().to_numpy()
    durations = rows.loc[known, list(PARTS)].sum(axis=1).to_numpy(float)
    if len(durations):
        earlier = np.concatenate([[0.0], np.cumsum(durations)[:-1]])
        printed = rows.loc[known, "start_s"].to_numpy(float)
        # At once for all cycles: the later one of the printed start and the end of the cycle before.
        rows.loc[known, "start_s"] = np.maximum.accumulate(printed - earlier) + earlier
    return rows


def pauses(ds: Dataset, run: str) -> pd.DataFrame:
    """One row for each pause of a run: gc, line, kind (one of `KINDS`), start_s, pause_s, below_s, forced; by time.

    start_s is NaN in Go 1.0 to 1.4. A pause that is printed as 0 is shorter than below_s, the shortest that the era
    prints (1 ms or 1 µs).
    """
    return pauses_of(placed_cycles(ds, run))


def pauses_of(rows: pd.DataFrame) -> pd.DataFrame:
    """The `pauses` of cycles that are `placed_cycles`."""
    starts = _phase_starts(rows)
    below = np.where(rows["era"].isin(cycles.ERAS_IN_WHOLE_MS).to_numpy(bool), 1e-3, 1e-6)
    of_phases = []
    for part, kind in PARTS.items():
        if kind is None:
            continue
        is_printed = rows[part].notna().to_numpy()
        # `cycles` makes a whole collection the first phase.
        is_whole = rows["one_stop"].fillna(value=False).to_numpy(bool) & (part == "first_stop_s")
        of_phases.append(
            pd.DataFrame({
                "gc": rows["gc"], "line": rows["line"], "kind": np.where(is_whole, WHOLE, kind),
                "start_s": starts[part],
                "pause_s": rows[part].astype(float), "below_s": below, "forced": rows["forced"],
            })[is_printed]
        )  # fmt: skip
    return pd.concat(of_phases).sort_values(["start_s", "gc"], kind="stable", ignore_index=True)


def marking(ds: Dataset, run: str) -> pd.DataFrame:
    """One row for each cycle with concurrent phases: gc, start_s and end_s of these phases together.

    A pause between them (write barriers, in Go 1.5 in development) is included. No rows in Go 1.0 to 1.4.
    """
    return marking_of(placed_cycles(ds, run))


def marking_of(rows: pd.DataFrame) -> pd.DataFrame:
    """The `marking` of cycles that are `placed_cycles`."""
    starts = _phase_starts(rows)
    concurrent_s = rows[["scan_s", "barrier_s", "mark_s"]].sum(axis=1)
    table = pd.DataFrame({"gc": rows["gc"], "start_s": starts["scan_s"], "end_s": starts["last_stop_s"]})
    return table[(concurrent_s > 0) & table["start_s"].notna()].reset_index(drop=True)


def heap(ds: Dataset, run: str) -> pd.DataFrame:
    """The heap of a run over time: one row for each size that a line states.

    Columns: gc, at_s, size, heap_bytes, goal_bytes. The size is ``start`` when the cycle begins, ``end`` when its
    marking ends, or ``live``, the part that was in use at the same time (Go 1.3 and 1.4 state it with the next
    collection). goal_bytes is the goal of the cycle, NaN if it is not printed or printed as 0.
    """
    rows = placed_cycles(ds, run)
    end = rows["start_s"] + rows[list(PARTS)].sum(axis=1)
    # Only if no line is missing between the two.
    stated_by_next = rows["heap_previous_live_bytes"].shift(-1).where(rows["gc"].shift(-1) == rows["gc"] + 1)
    live = rows["heap_live_bytes"].fillna(stated_by_next)
    goal = rows["heap_goal_bytes"].where(rows["heap_goal_bytes"] > 0)
    sizes = (("start", rows["start_s"], rows["heap_start_bytes"]), ("end", end, rows["heap_end_bytes"]),
             ("live", end, live))  # fmt: skip
    table = pd.concat(
        pd.DataFrame({"gc": rows["gc"], "at_s": at, "size": size, "heap_bytes": value, "goal_bytes": goal})
        for size, at, value in sizes
    )
    table = table[table["heap_bytes"].notna()]
    # The index is the row of the cycle: its start, end and live heap come together.
    return table.sort_index(kind="stable").reset_index(drop=True)


def _phase_starts(rows: pd.DataFrame) -> pd.DataFrame:
    """The start of each phase of each cycle, in seconds."""
    parts = rows[list(PARTS)].fillna(0.0).astype(float)
    before = parts.cumsum(axis=1) - parts
    return before.add(rows["start_s"].astype(float), axis=0)


def worst(pauses: pd.DataFrame, by: str, most: int) -> pd.DataFrame:
    """The longest of the `pauses` of each kind in each of `most` equal intervals of the column `by`.

    All pauses if there are no more than `most`. The longest pause of each kind is always included.
    """
    if len(pauses) <= most:
        return pauses
    interval = _interval_indices(pauses[by].to_numpy(float), most)
    longest = pauses.groupby([interval, pauses["kind"].to_numpy()])["pause_s"].idxmax()
    return pauses.loc[np.sort(longest.to_numpy())].reset_index(drop=True)


def spread(pauses: pd.DataFrame, by: str, most: int) -> pd.DataFrame:
    """The shortest, the median and the longest of the `pauses` of each kind in each of `most` equal intervals of `by`.

    Columns: kind, from and until (the ends of the interval), low_s, median_s, high_s. A pause that is printed as 0
    counts as below_s. An interval without a pause of a kind has no row of it.
    """
    at = pauses[by].to_numpy(float)
    lengths = pauses[["pause_s", "below_s"]].max(axis=1)
    grouped = lengths.groupby([pauses["kind"], _interval_indices(at, most)])
    rows = grouped.agg(low_s="min", median_s="median", high_s="max").rename_axis(["kind", "interval"]).reset_index()
    width = (at.max() - at.min()) / most
    rows.insert(1, "from", at.min() + rows["interval"] * width)
    rows.insert(2, "until", at.min() + (rows["interval"] + 1) * width)
    return rows.drop(columns="interval")


def envelope(sizes: pd.DataFrame, by: str, most: int) -> pd.DataFrame:
    """The smallest and the largest size of `heap` in each of `most` equal intervals of the column `by`.

    Columns: `by` (the middle of the interval), low_bytes, high_bytes, goal_bytes (the highest). An interval without a
    cycle has no row.
    """
    at = sizes[by].to_numpy(float)
    interval = _interval_indices(at, most)
    rows = sizes.groupby(interval).agg(
        low_bytes=("heap_bytes", "min"), high_bytes=("heap_bytes", "max"), goal_bytes=("goal_bytes", "max")
    )
    width = (at.max() - at.min()) / most
    rows.insert(0, by, at.min() + (rows.index.to_numpy() + 0.5) * width)
    return rows.reset_index(drop=True)


def coverage(marking: pd.DataFrame, edges: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The share (0 to 1) of each interval between two of the rising times `edges` that `marking` takes."""
    if marking.empty:
        return np.zeros(len(edges) - 1)
    start, end = marking["start_s"].to_numpy(float), marking["end_s"].to_numpy(float)
    # The time in phases up to each begin and end; it grows within phases only.
    times = np.column_stack([start, end]).ravel()
    total = np.column_stack([np.zeros(len(start)), end - start]).ravel().cumsum()
    share: npt.NDArray[np.float64] = np.diff(np.interp(edges, times, total)) / np.diff(edges)
    return share


def _interval_indices(at: npt.NDArray[np.float64], most: int) -> npt.NDArray[np.int64]:
    """Which of `most` equal intervals between the smallest and the largest value each value is in."""
    first, last = at.min(), at.max()
    if last == first:
        return np.zeros(len(at), np.int64)
    # The largest value belongs to the last interval, and not to one behind it.
    indices: npt.NDArray[np.int64] = np.minimum((most * ((at - first) / (last - first))).astype(np.int64), most - 1)
    return indices
