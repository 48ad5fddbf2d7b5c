"""The queue of every P at every tick, as printed, and as a grid over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from wrkparse.analysis.go import traces

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_IDLE = 0  # of a P: runtime/runtime2.go, _Pidle

# scheddetail prints no queue list, but a P line each below its SCHED line.
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
    """One row per P and tick of a schedtrace run: t_s, line, p, queued, idle.

    queued leaves out the goroutine that the P runs next. idle is NA unless ``scheddetail=1`` says of each P what it
    was doing; other lines only count the idle Ps (`wrkparse.analysis.go.sched.ticks`).
    """
    only = traces.only(pd.DataFrame({"run": [run]}))
    return ds.sql(_QUEUES.format(only=only, idle=_IDLE))[["t_s", "line", "p", "queued", "idle"]]


@dataclass(frozen=True, slots=True)
class QueueGrid:
    """Queues of the Ps (rows) in equal stretches of the time from begin_s to end_s (columns).

    queued: the longest queue at the ticks that hold in a stretch, NaN where there was no such P; idle: whether the P
    is known to have been idle at all of them. bounds_s: from when to when each tick holds, half-way to its neighbours.
    """

    begin_s: float
    end_s: float
    bounds_s: npt.NDArray[np.float64]
    queued: npt.NDArray[np.float64]
    idle: npt.NDArray[np.bool_]


def queue_grid(queues: pd.DataFrame, columns: int) -> QueueGrid:
    """`run_queues` as a grid of so many columns; no tick is left out, however many there are. Needs a row.

    A lone tick is given 1 s.
    """
    ticks = queues[["t_s", "line"]].drop_duplicates()
    at = pd.Series(range(len(ticks)), index=pd.MultiIndex.from_frame(ticks))
    place = at.reindex(pd.MultiIndex.from_frame(queues[["t_s", "line"]])).to_numpy()
    shape = (int(queues["p"].max()) + 1, len(ticks))
    of_tick = np.full(shape, np.nan)
    idle_of_tick = np.zeros(shape, bool)
    p = queues["p"].to_numpy(np.int64)
    of_tick[p, place] = queues["queued"].to_numpy(float, na_value=np.nan)
    idle_of_tick[p, place] = queues["idle"].fillna(value=False).to_numpy(bool)
    bounds = _bounds(ticks["t_s"].to_numpy(float))
    edges = np.linspace(bounds[0], bounds[-1], columns + 1)
    first = np.clip(np.searchsorted(bounds, edges[:-1], "right") - 1, 0, len(ticks) - 1)
    last = np.clip(np.searchsorted(bounds, edges[1:], "left"), first + 1, len(ticks))
    pairs = np.column_stack([first, last]).ravel()
    padded = np.concatenate([of_tick, np.full((shape[0], 1), np.nan)], axis=1)
    idle_padded = np.concatenate([idle_of_tick, np.ones((shape[0], 1), bool)], axis=1)
    return QueueGrid(
        float(bounds[0]), float(bounds[-1]), bounds,
        np.fmax.reduceat(padded, pairs, axis=1)[:, ::2], np.logical_and.reduceat(idle_padded, pairs, axis=1)[:, ::2],
    )  # fmt: skip


def most_in_stretches(
    values: npt.NDArray[np.float64], bounds: npt.NDArray[np.float64], columns: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Edges, and the largest value between each two: as they are, or of `columns` equal stretches if there are more.

    `values` hold between `bounds`, as those of a `QueueGrid`. No tick is left out.
    """
    if len(values) <= columns:
        return bounds, values
    edges = np.linspace(bounds[0], bounds[-1], columns + 1)
    first = np.clip(np.searchsorted(bounds, edges[:-1], "right") - 1, 0, len(values) - 1)
    last = np.clip(np.searchsorted(bounds, edges[1:], "left"), first + 1, len(values))
    most = np.fmax.reduceat(np.append(values, np.nan), np.column_stack([first, last]).ravel())[::2]
    return edges, most


def _bounds(times: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    if times[0] == times[-1]:
        return np.linspace(times[0] - 0.5, times[0] + 0.5, len(times) + 1)
    return np.concatenate([times[:1], (times[1:] + times[:-1]) / 2, times[-1:]])


def mean_queues(queues: pd.DataFrame) -> pd.DataFrame:
    """Of `run_queues`, each P's mean queue over the ticks at which it was there: p, queued_mean."""
    return queues.groupby("p", as_index=False).agg(queued_mean=("queued", "mean"))
