"""The run queue of each P at each tick, as printed and as a grid over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from wrkparse.analysis.go import traces

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_P_IDLE = 0  # the status _Pidle of runtime/runtime2.go

# With scheddetail=1 there is no list of queues but a line for each P below the SCHED line. ASOF takes the last SCHED
# line above the line of a P. Their times must agree: the P's own SCHED line may be lost.
_QUEUES = """
SELECT t_s, line, unnest(local_runqueues) AS queued, unnest(range(len(local_runqueues))) AS p, NULL::BOOLEAN AS idle
FROM sched_ticks WHERE local_runqueues IS NOT NULL AND {only}
UNION ALL BY NAME
SELECT t.t_s, t.line, p.id AS p, p.runqsize AS queued, p.status = {idle} AS idle
FROM (SELECT * FROM sched_details WHERE kind = 'P' AND t_s IS NOT NULL AND {only}) p
ASOF JOIN (SELECT * FROM sched_ticks WHERE {only}) t ON p.line > t.line
WHERE t.t_s = p.t_s AND t.local_runqueues IS NULL
ORDER BY t_s, line, p"""


def run_queues(ds: Dataset, run: str) -> pd.DataFrame:
    """One row for each P and tick of a schedtrace run: t_s, line, p, queued, idle.

    queued does not count the goroutine that the P runs next. idle is NA without ``scheddetail=1``: other lines only
    count the idle Ps (`wrkparse.analysis.go.sched.ticks`).
    """
    only = traces.run_condition(pd.DataFrame({"run": [run]}))
    return ds.sql(_QUEUES.format(only=only, idle=_P_IDLE))[["t_s", "line", "p", "queued", "idle"]]


@dataclass(frozen=True, slots=True)
class QueueGrid:
    """The queues of the Ps (rows) in equal intervals of the time from begin_s to end_s (columns).

    queued is the longest queue at the ticks of an interval, NaN if there was no such P. idle is whether the P is known
    to have been idle at all of these ticks. A tick holds half-way to its neighbours; bounds_s are these limits.
    """

    begin_s: float
    end_s: float
    bounds_s: npt.NDArray[np.float64]
    queued: npt.NDArray[np.float64]
    idle: npt.NDArray[np.bool_]


def queue_grid(queues: pd.DataFrame, columns: int) -> QueueGrid:
    """`run_queues` as a grid with this number of columns. Every tick counts, and a single tick holds for 1 s.

    `queues` must have at least one row.
    """
    ticks = queues[["t_s", "line"]].drop_duplicates()
    tick_numbers = pd.Series(range(len(ticks)), index=pd.MultiIndex.from_frame(ticks))
    tick = tick_numbers.reindex(pd.MultiIndex.from_frame(queues[["t_s", "line"]])).to_numpy()
    shape = (int(queues["p"].max()) + 1, len(ticks))
    # GOMAXPROCS may change: a P that a tick does not list stays NaN.
    of_tick = np.full(shape, np.nan)
    idle_of_tick = np.zeros(shape, bool)
    p = queues["p"].to_numpy(np.int64)
    of_tick[p, tick] = queues["queued"].to_numpy(float, na_value=np.nan)
    idle_of_tick[p, tick] = queues["idle"].fillna(value=False).to_numpy(bool)
    bounds = _bounds(ticks["t_s"].to_numpy(float))
    edges = np.linspace(bounds[0], bounds[-1], columns + 1)
    ranges = _tick_ranges(bounds, edges)
    # A column behind the last tick, which the end of the last range may name: `reduceat` takes no index beyond the
    # array.
    padded = np.concatenate([of_tick, np.full((shape[0], 1), np.nan)], axis=1)
    idle_padded = np.concatenate([idle_of_tick, np.ones((shape[0], 1), bool)], axis=1)
    return QueueGrid(
        float(bounds[0]), float(bounds[-1]), bounds,
        np.fmax.reduceat(padded, ranges, axis=1)[:, ::2], np.logical_and.reduceat(idle_padded, ranges, axis=1)[:, ::2],
    )  # fmt: skip


def most_in_stretches(
    values: npt.NDArray[np.float64], bounds: npt.NDArray[np.float64], columns: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The largest value in each of `columns` equal intervals, with the edges of the intervals.

    `values` hold between `bounds`, as in a `QueueGrid`. If there are no more values than columns, both are returned as
    they are.
    """
    if len(values) <= columns:
        return bounds, values
    edges = np.linspace(bounds[0], bounds[-1], columns + 1)
    return edges, np.fmax.reduceat(np.append(values, np.nan), _tick_ranges(bounds, edges))[::2]


def _tick_ranges(bounds: npt.NDArray[np.float64], edges: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
    """The first tick in each interval, and the one after its last, for `numpy.ufunc.reduceat` (every other result)."""
    ticks = len(bounds) - 1
    first = np.clip(np.searchsorted(bounds, edges[:-1], "right") - 1, 0, ticks - 1)
    last = np.clip(np.searchsorted(bounds, edges[1:], "left"), first + 1, ticks)
    return np.column_stack([first, last]).ravel()


def _bounds(times: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The times between which each tick holds, half-way to its neighbours."""
    # A single tick, or several lines with one time, share 1 s.
    if times[0] == times[-1]:
        return np.linspace(times[0] - 0.5, times[0] + 0.5, len(times) + 1)
    return np.concatenate([times[:1], (times[1:] + times[:-1]) / 2, times[-1:]])


def mean_queues(queues: pd.DataFrame) -> pd.DataFrame:
    """The mean queue of each P in `run_queues`, over the ticks at which the P existed: p, queued_mean."""
    return queues.groupby("p", as_index=False).agg(queued_mean=("queued", "mean"))
