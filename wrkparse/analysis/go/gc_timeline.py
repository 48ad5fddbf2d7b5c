"""When each part of a Go process's collections was: pauses, marking beside the program, the heap, by time or by number.

Starts are printed in whole milliseconds; a cycle that would overlap the one before is placed behind it. Go 1.0 to 1.4
print no times: there every time is NaN, and the number of the collection (``gc``) is all that orders them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from wrkparse.analysis.go import gc_cycles, traces

if TYPE_CHECKING:
    import numpy.typing as npt

    from wrkparse.dataset import Dataset

# In their order in time, with what the world stands still for; None: it does not.
PARTS = {
    "first_stop_s": "sweep termination",
    "scan_s": None,
    "barrier_stop_s": "write barriers",
    "barrier_s": None,
    "mark_s": None,
    "last_stop_s": "mark termination",
}
WHOLE = "whole collection"
KINDS = ("mark termination", "sweep termination", "write barriers", WHOLE)
_HEAP = ("heap_start_bytes", "heap_end_bytes", "heap_live_bytes", "heap_previous_live_bytes", "heap_goal_bytes")
_WHOLE_MS = ("G1", "G2", "G5")


def placed(ds: Dataset, run: str) -> pd.DataFrame:
    """One row per cycle in order of time: gc, line, era, procs, forced, one_stop, start_s (NaN: not printed), `PARTS`.

    Parts in seconds, NaN where the era has no such part; then the heap's sizes as printed, in bytes.
    """
    only = traces.only(pd.DataFrame({"run": [run]}))
    names = ", ".join((*PARTS, *(f"{name}::DOUBLE AS {name}" for name in _HEAP)))
    rows = ds.sql(
        f"SELECT gc, line, era, procs, coalesce(forced, false) AS forced, one_stop, start_s, {names} "
        f"FROM ({gc_cycles.cycles(only)}) ORDER BY start_s NULLS LAST, line"
    )
    known = rows["start_s"].notna().to_numpy()
    wall = rows.loc[known, list(PARTS)].sum(axis=1).to_numpy(float)
    if len(wall):
        passed = np.concatenate([[0.0], np.cumsum(wall)[:-1]])
        printed = rows.loc[known, "start_s"].to_numpy(float)
        rows.loc[known, "start_s"] = np.maximum.accumulate(printed - passed) + passed
    return rows


def pauses(ds: Dataset, run: str) -> pd.DataFrame:
    """One row per pause: gc, kind (one of `KINDS`), start_s, pause_s, below_s, forced; by time.

    start_s is NaN in Go 1.0 to 1.4. A pause that is printed as 0 is shorter than below_s, the smallest that the era
    prints (1 ms or 1 µs).
    """
    rows, begins = _begins(placed(ds, run))
    below = np.where(rows["era"].str.startswith(_WHOLE_MS).to_numpy(bool), 1e-3, 1e-6)
    found = []
    for part, kind in PARTS.items():
        if kind is None:
            continue
        there = rows[part].notna().to_numpy()
        whole = rows["one_stop"].fillna(value=False).to_numpy(bool) & (part == "first_stop_s")
        found.append(
            pd.DataFrame({
                "gc": rows["gc"], "kind": np.where(whole, WHOLE, kind), "start_s": begins[part],
                "pause_s": rows[part].astype(float), "below_s": below, "forced": rows["forced"],
            })[there]
        )  # fmt: skip
    return pd.concat(found).sort_values(["start_s", "gc"], kind="stable", ignore_index=True)


def marking(ds: Dataset, run: str) -> pd.DataFrame:
    """One row per cycle that marked beside the program: gc, start_s, end_s, of all that is concurrent in it.

    A pause in between (write barriers, to Go 1.5 in development) is within. No rows in Go 1.0 to 1.4.
    """
    rows, begins = _begins(placed(ds, run))
    lasted = rows[["scan_s", "barrier_s", "mark_s"]].sum(axis=1)
    found = pd.DataFrame({"gc": rows["gc"], "start_s": begins["scan_s"], "end_s": begins["last_stop_s"]})
    return found[(lasted > 0) & found["start_s"].notna()].reset_index(drop=True)


def heap(ds: Dataset, run: str) -> pd.DataFrame:
    """The heap over time, a row per size that a line states.

    Columns: gc, at_s, size (``start``, ``end`` or ``live``), heap_bytes, goal_bytes. ``start``: when the
    cycle begins; ``end``: when its marking ends; ``live``: what of it was in use, at the same time. goal_bytes is the
    goal that the cycle had, NaN where it is not printed, or as 0. Go 1.3 and 1.4 state what was live with the next
    collection.
    """
    rows = placed(ds, run)
    end = rows["start_s"] + rows[list(PARTS)].sum(axis=1)
    after = rows["heap_previous_live_bytes"].shift(-1).where(rows["gc"].shift(-1) == rows["gc"] + 1)
    live = rows["heap_live_bytes"].fillna(after)
    goal = rows["heap_goal_bytes"].where(rows["heap_goal_bytes"] > 0)
    sizes = (("start", rows["start_s"], rows["heap_start_bytes"]), ("end", end, rows["heap_end_bytes"]),
             ("live", end, live))  # fmt: skip
    found = pd.concat(
        pd.DataFrame({"gc": rows["gc"], "at_s": at, "size": size, "heap_bytes": value, "goal_bytes": goal})
        for size, at, value in sizes
    )
    found = found[found["heap_bytes"].notna()]
    return found.sort_index(kind="stable").reset_index(drop=True)


def _begins(rows: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The cycles, and when each of their parts begins."""
    parts = rows[list(PARTS)].fillna(0.0).astype(float)
    before = parts.cumsum(axis=1) - parts
    return rows, before.add(rows["start_s"].astype(float), axis=0)


def worst(found: pd.DataFrame, by: str, most: int) -> pd.DataFrame:
    """Of `pauses`, the longest of each kind in each of `most` equal stretches of the column `by`; all if there are few.

    The longest pauses of all are always among them.
    """
    if len(found) <= most:
        return found
    stretch = _stretches(found[by].to_numpy(float), most)
    kept = found.groupby([stretch, found["kind"].to_numpy()])["pause_s"].idxmax()
    return found.loc[np.sort(kept.to_numpy())].reset_index(drop=True)


def envelope(found: pd.DataFrame, by: str, most: int) -> pd.DataFrame:
    """Of `heap`, the extremes in each of `most` equal stretches of the column `by`.

    Columns: `by` (the middle), low_bytes, high_bytes, goal_bytes (the highest). A stretch without a cycle has no row.
    """
    at = found[by].to_numpy(float)
    stretch = _stretches(at, most)
    rows = found.groupby(stretch).agg(
        low_bytes=("heap_bytes", "min"), high_bytes=("heap_bytes", "max"), goal_bytes=("goal_bytes", "max")
    )
    width = (at.max() - at.min()) / most
    rows.insert(0, by, at.min() + (rows.index.to_numpy() + 0.5) * width)
    return rows.reset_index(drop=True)


def coverage(found: pd.DataFrame, edges: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Of each stretch between two of the rising times `edges`, the share (0 to 1) in which `marking` went on."""
    if found.empty:
        return np.zeros(len(edges) - 1)
    start, end = found["start_s"].to_numpy(float), found["end_s"].to_numpy(float)
    times = np.column_stack([start, end]).ravel()
    total = np.column_stack([np.zeros(len(start)), end - start]).ravel().cumsum()
    share: npt.NDArray[np.float64] = np.diff(np.interp(edges, times, total)) / np.diff(edges)
    return share


def _stretches(at: npt.NDArray[np.float64], most: int) -> npt.NDArray[np.int64]:
    first, last = at.min(), at.max()
    if last == first:
        return np.zeros(len(at), np.int64)
    found: npt.NDArray[np.int64] = np.minimum((most * ((at - first) / (last - first))).astype(np.int64), most - 1)
    return found
