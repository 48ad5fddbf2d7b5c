"""What a Go server did while a load generator measured it: pauses, run queues and the load's window on one clock.

Traces print the time since their process started, a load generator how long it measured. A log collector's stamps join
the two. A line is stamped after it was printed, so the process started at the earliest of (stamp - printed time) over
the lines of its trace, as nearly as the quickest line tells; how far the other lines are from that says how nearly. A
load report is printed when the load has ended: its window ends at its last stamp, and is as long as it states.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from wrkparse.analysis.go import sched as scheduler
from wrkparse.analysis.go import traces
from wrkparse.analysis.go.gc import timeline
from wrkparse.analysis.go.slow_requests import Bound, bound_of
from wrkparse.dataset.queries.sql import sql_string

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

SHARE_AROUND_LOAD = 0.12  # of the load's length, that is looked at before and after it
_STAMP_S = 0.05  # how late a report's last line may be stamped, beyond the resolution of the stamps


class Window(NamedTuple):
    """A load and the traces beside it; times are in seconds since the load began, NaN where nothing joins the clocks.

    - `load`: the row of ``ds.wide()``; `gc`, `sched`: identifiers of the traced runs, or None.
    - `length_s`: of the load; `doubt_s`: how far the clocks may be apart, by the resolution and delay of the stamps.
    - `pauses`, `marking`, `ticks`: as `timeline.pauses`, `timeline.marking` and `sched.ticks` return them (a pause
      with pause_s, or below_s if it is printed as 0), around the load, with at_s and until_s.
    - `bound`: how many of the slow requests the pauses can explain; None without a p99, without pauses, or for a load
      that is not a closed loop.
    """

    load: pd.Series
    gc: str | None
    sched: str | None
    length_s: float
    doubt_s: float
    pauses: pd.DataFrame
    marking: pd.DataFrame
    ticks: pd.DataFrame
    bound: Bound | None

    @property
    def within(self) -> pd.DataFrame:
        """The pauses that may lie in the window of the load."""
        at = self.pauses["at_s"]
        begin, end = -self.doubt_s - self.pauses["pause_s"], self.length_s + self.doubt_s
        return self.pauses[(at >= begin) & (at <= end)]


class Windows(NamedTuple):
    """The windows of a dataset by load, and the loads that traces belong to without a common clock."""

    joined: list[Window]
    unjoined: int


def windows(ds: Dataset) -> Windows:
    """The loads with traces of their server (`wrkparse.analysis.go.traces.overlapping_loads`), ordered as the runs.

    Those that only lie beside a trace, without times in common, are counted (`loads_beside`).
    """
    return ds.cached("windows", lambda: _windows(ds))


def _windows(ds: Dataset) -> Windows:
    """As `windows`, not from the cache."""
    runs = ds.runs
    traced = runs[runs["tool"].isin(["gctrace", "schedtrace"])]
    # Without traces, or without anything else, there is nothing to join.
    if traced.empty or len(traced) == len(runs):
        return Windows([], 0)
    timed = traces.overlapping_loads(ds, traced)
    wide = ds.wide()
    loads = {str(row["run"]): row for _, row in wide[wide["run"].isin(timed["load"])].iterrows()}
    clocks = _Clocks(ds, dict(zip(runs["run"], runs["tool"], strict=True)))
    found = [
        _window(clocks, row, timed[timed["load"] == load].sort_values("overlap_s", ascending=False)["run"].tolist())
        for load, row in loads.items()
    ]
    joined = [one for one in found if one is not None]
    beside = traces.loads_beside(ds, traced)
    near = set(beside.loc[beside["beside_overlap_s"].isna(), "beside_run"])
    return Windows(joined, len(near - {one.load["run"] for one in joined}))


class _TimedTrace(NamedTuple):
    """A traced run on the clock of the stamps.

    - `start_s`: when the process started, in seconds since 1970; NaN without stamps.
    - `apart_s`: how exactly `start_s` is known: the median delay of its lines beyond the smallest one, which gives it.
    - `rows`: its events (pauses and marking phases, or ticks), each with begin_s and finish_s since the start.
    """

    start_s: float
    apart_s: float
    rows: tuple[pd.DataFrame, ...]


class _Clocks:
    """The traces of a dataset, each read once: one trace may belong to several loads."""

    def __init__(self, ds: Dataset, tools: dict[str, str]) -> None:
        self.ds, self.tools = ds, tools
        self._known: dict[str, _TimedTrace] = {}

    def first(self, runs: list[str], tool: str) -> tuple[str | None, _TimedTrace | None]:
        """The first of the runs by this tool whose lines have stamps."""
        for run in runs:
            if self.tools[run] == tool and not math.isnan((found := self._trace_of(run)).start_s):
                return run, found
        return None, None

    def _trace_of(self, run: str) -> _TimedTrace:
        if run not in self._known:
            self._known[run] = _gc_trace(self.ds, run) if self.tools[run] == "gctrace" else _sched_trace(self.ds, run)
        return self._known[run]


def _window(clocks: _Clocks, load: pd.Series, traced: list[str]) -> Window | None:
    """The window of a load beside these traced runs, the nearest first; None if nothing joins the clocks."""
    gc, collections = clocks.first(traced, "gctrace")
    sched, ticks = clocks.first(traced, "schedtrace")
    length = float(load.get("elapsed_s", math.nan))
    if not length > 0 or pd.isna(load["logged_to"]) or (collections is None and ticks is None):
        return None
    end = load["logged_to"].timestamp()
    begin, doubt = end - length, _STAMP_S + _stamp_resolution_s(pd.Series([end]))
    doubt += collections.apart_s if collections else ticks.apart_s if ticks else 0.0
    # Without a trace of a kind, its table stays empty.
    pauses, marking, waiting = (pd.DataFrame({"at_s": []}) for _ in range(3))
    if collections:
        pauses, marking = (
            _rows_around_load(rows, collections.start_s - begin, length, doubt) for rows in collections.rows
        )
    if ticks:
        [waiting] = (_rows_around_load(rows, ticks.start_s - begin, length, doubt) for rows in ticks.rows)
    made = Window(load, gc, sched, length, doubt, pauses, marking, waiting, None)
    return made._replace(bound=bound_of(clocks.ds, load, made.within)) if gc is not None else made


def _rows_around_load(rows: pd.DataFrame, shift: float, length: float, doubt: float) -> pd.DataFrame:
    """The rows around the load, with the times when they begin and end since the load began: at_s, until_s."""
    moved = rows.assign(at_s=rows["begin_s"] + shift, until_s=rows["finish_s"] + shift)
    margin = SHARE_AROUND_LOAD * length + doubt
    return moved[(moved["until_s"] >= -margin) & (moved["at_s"] <= length + margin)].reset_index(drop=True)


def _gc_trace(ds: Dataset, run: str) -> _TimedTrace:
    """The pauses and the marking phases of a gctrace run."""
    placed = timeline.placed_cycles(ds, run)
    ends = placed["start_s"] + placed[list(timeline.PARTS)].sum(axis=1)
    stamps = ds.sql(f"SELECT line, epoch(logged_at) AS stamp_s FROM gc_cycles WHERE run = {sql_string(run)}")
    pauses, marking = timeline.pauses_of(placed), timeline.marking_of(placed)
    pauses = pauses[pauses["start_s"].notna()]
    rows = (
        pauses.assign(begin_s=pauses["start_s"], finish_s=pauses["start_s"] + pauses["pause_s"]),
        marking.assign(begin_s=marking["start_s"], finish_s=marking["end_s"]),
    )
    return _TimedTrace(*_start_by_stamps(placed[["line"]].assign(t_s=ends).merge(stamps, on="line")), rows)


def _sched_trace(ds: Dataset, run: str) -> _TimedTrace:
    """The ticks of a schedtrace run."""
    ticks = scheduler.ticks(ds, run)
    stamps = ds.sql(f"SELECT line, epoch(logged_at) AS stamp_s FROM sched_ticks WHERE run = {sql_string(run)}")
    return _TimedTrace(
        *_start_by_stamps(ticks.merge(stamps, on="line")), (ticks.assign(begin_s=ticks["t_s"], finish_s=ticks["t_s"]),)
    )


def _start_by_stamps(lines: pd.DataFrame) -> tuple[float, float]:
    """When the process started by the stamps, and how exactly, as in `_TimedTrace`; NaN without stamps.

    A line is stamped after it is printed, never before. So the line with the smallest delay says it best.
    """
    late = (lines["stamp_s"] - lines["t_s"]).dropna().astype(float)
    if late.empty:
        return math.nan, math.nan
    return float(late.min()), float(late.median() - late.min()) + _stamp_resolution_s(lines["stamp_s"].dropna())


def _stamp_resolution_s(stamps: pd.Series) -> float:
    """1 s if the stamps are whole seconds, else 0: their digits are finer than the delays of a log collector."""
    values = stamps.to_numpy(float)
    return 1.0 if len(values) and bool((values == np.floor(values)).all()) else 0.0
