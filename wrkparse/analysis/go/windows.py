"""What a Go server did while a load generator measured it: pauses, run queues and the load's window on one clock.

Traces print the time since their process started, a load generator how long it measured. A log collector's stamps join
the two. A line is stamped after it was printed, so the process started at the earliest of (stamp - printed time) over
the lines of its trace, as nearly as the quickest line tells; how far the other lines are from that says how nearly. A
load report is printed when the load has ended: its window ends at its last stamp, and is as long as it states.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from wrkparse.analysis.go import sched as scheduler
from wrkparse.analysis.go import traces
from wrkparse.analysis.go.gc import timeline
from wrkparse.analysis.runs.latencies import latencies
from wrkparse.analysis.wording import counted
from wrkparse.dataset.queries.sql import sql_string

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

AROUND = 0.12  # of the load's length, that is looked at before and after it
_TAIL = 0.99
_NEARLY_ALL = 0.99  # of the slow requests: a bound above it says nothing
_STAMP_S = 0.05  # how late a report's last line may be stamped, beyond the resolution of the stamps
# These generators wait for the response before they send the next request on a connection, and count from the sending.
# wrk2 counts from when a request was due: a pause also delays those that wait behind it.
CLOSED_LOOP = ("wrk", "ab")


class Bound(NamedTuple):
    """The most that pauses can explain of the requests slower than the p99.

    - `latency_s`: the p99; `slower`: the requests beyond it, a hundredth of all; `pauses`: those in the window.
    - `requests`: the most of them that pauses can have delayed, by their number and by the distribution.
    - `by_count`, `by_tail`: the two bounds; the second is infinite if the report prints too few percentiles.
    """

    latency_s: float
    slower: float
    pauses: int
    by_count: float
    by_tail: float

    @property
    def requests(self) -> float:
        """The smaller of the bounds, and of all slow requests."""
        return min(self.by_count, self.by_tail, self.slower)

    @property
    def ratio(self) -> float:
        """The share of the slow requests."""
        return self.requests / self.slower

    @property
    def says_something(self) -> bool:
        """Whether the pauses can't have delayed all of the slow requests."""
        return self.ratio <= _NEARLY_ALL


class Window(NamedTuple):
    """A load and the traces beside it; times are in seconds since the load began, NaN where nothing joins the clocks.

    - `load`: the row of ``ds.wide()``; `gc`, `sched`: identifiers of the traced runs, or None.
    - `length_s`: of the load; `doubt_s`: how far the clocks may be apart, from the stamps.
    - `pauses`, `marking`, `ticks`: as `timeline.pauses`, `timeline.marking` and `sched.ticks` return them, around
      the load, with at_s and until_s.
    - `bound`: None without a p99, without pauses, or for a load that is no closed loop.
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
    """The load runs beside traces of their server, in the order of the runs.

    They are those of `wrkparse.analysis.go.traces.overlapping_loads`; `loads_beside` counts what has no common times.
    """
    return ds.cached("windows", lambda: _windows(ds))


def _windows(ds: Dataset) -> Windows:
    runs = ds.runs
    traced = runs[runs["tool"].isin(["gctrace", "schedtrace"])]
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


class _Trace(NamedTuple):
    """A traced run: when it started by the stamps, in seconds; how nearly that is known; and its rows by time."""

    start_s: float
    apart_s: float
    rows: tuple[pd.DataFrame, ...]


class _Clocks:
    """The traces of a dataset, each read once: several loads may stand beside one."""

    def __init__(self, ds: Dataset, tools: dict[str, str]) -> None:
        self.ds, self.tools = ds, tools
        self._known: dict[str, _Trace] = {}

    def first(self, runs: list[str], tool: str) -> tuple[str | None, _Trace | None]:
        """The first of the runs by this tool whose lines have stamps."""
        for run in runs:
            if self.tools[run] == tool and not math.isnan((found := self._read(run)).start_s):
                return run, found
        return None, None

    def _read(self, run: str) -> _Trace:
        if run not in self._known:
            self._known[run] = _collections(self.ds, run) if self.tools[run] == "gctrace" else _ticks(self.ds, run)
        return self._known[run]


def _window(clocks: _Clocks, load: pd.Series, traced: list[str]) -> Window | None:
    gc, collections = clocks.first(traced, "gctrace")
    sched, ticks = clocks.first(traced, "schedtrace")
    length = float(load.get("elapsed_s", math.nan))
    if not length > 0 or pd.isna(load["logged_to"]) or (collections is None and ticks is None):
        return None
    end = load["logged_to"].timestamp()
    begin, doubt = end - length, _STAMP_S + _resolution(pd.Series([end]))
    doubt += collections.apart_s if collections else ticks.apart_s if ticks else 0.0
    pauses, marking, waiting = (pd.DataFrame({"at_s": []}) for _ in range(3))
    if collections:
        pauses, marking = (_around(rows, collections.start_s - begin, length, doubt) for rows in collections.rows)
    if ticks:
        [waiting] = (_around(rows, ticks.start_s - begin, length, doubt) for rows in ticks.rows)
    made = Window(load, gc, sched, length, doubt, pauses, marking, waiting, None)
    return made._replace(bound=_bound(clocks.ds, made)) if gc is not None else made


def _around(rows: pd.DataFrame, shift: float, length: float, doubt: float) -> pd.DataFrame:
    """The rows around the load, with the times when they begin and end since the load began: at_s, until_s."""
    moved = rows.assign(at_s=rows["begin_s"] + shift, until_s=rows["finish_s"] + shift)
    margin = AROUND * length + doubt
    return moved[(moved["until_s"] >= -margin) & (moved["at_s"] <= length + margin)].reset_index(drop=True)


def _collections(ds: Dataset, run: str) -> _Trace:
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
    return _Trace(*_started(placed[["line"]].assign(t_s=ends).merge(stamps, on="line")), rows)


def _ticks(ds: Dataset, run: str) -> _Trace:
    """The ticks of a schedtrace run."""
    ticks = scheduler.ticks(ds, run)
    stamps = ds.sql(f"SELECT line, epoch(logged_at) AS stamp_s FROM sched_ticks WHERE run = {sql_string(run)}")
    return _Trace(
        *_started(ticks.merge(stamps, on="line")), (ticks.assign(begin_s=ticks["t_s"], finish_s=ticks["t_s"]),)
    )


def _started(lines: pd.DataFrame) -> tuple[float, float]:
    """When the process started by the stamps, and how far the middle of its lines is from that; NaN without stamps."""
    late = (lines["stamp_s"] - lines["t_s"]).dropna().astype(float)
    if late.empty:
        return math.nan, math.nan
    return float(late.min()), float(late.median() - late.min()) + _resolution(lines["stamp_s"].dropna())


def _resolution(stamps: pd.Series) -> float:
    """1 s if the stamps are whole seconds, else 0: their digits are finer than the delays of a log collector."""
    values = stamps.to_numpy(float)
    return 1.0 if len(values) and bool((values == np.floor(values)).all()) else 0.0


def _bound(ds: Dataset, window: Window) -> Bound | None:
    """At most so many requests beyond the p99 were delayed by a pause.

    A pause explains a request if the request would have taken at most the p99 without the time that the process stood
    still meanwhile. What waits in a queue behind requests that a pause delayed does not count.

    **By count.** On a connection that waits for each response, the requests follow each other without overlap. One that
    pauses made slower than the p99, q, lasts longer than q and overlaps a pause. So the requests of a connection that a
    pause can explain are at most as many as there are intervals longer than q, without overlap, that each hold another
    pause: of three pauses in a row with one request each, the third begins more than q after the first. A greedy choice
    gives the largest number; times the connections, it is the bound.

    **By the distribution.** Without its pauses such a request would have taken at most q. So it took at most q + D,
    where D is the most time that pauses take within q + D. The requests beyond the p99 that are not slower than the
    first printed percentile above q + D are the bound.
    """
    load = window.load
    numbers = [float(load.get(name, math.nan)) for name in ("latency_p99_s", "total_p99_s", "requests", "connections")]
    p99, of_ab, count, connections = numbers
    q = of_ab if load["tool"] == "ab" and of_ab > 0 else p99
    coarse = _resolution_of_p99(ds, str(load["run"]))
    if load["tool"] not in CLOSED_LOOP or not (q > 0 and count > 0 and connections > 0):
        return None
    within = window.within
    begins, lengths = within["at_s"].to_numpy(float), within[["pause_s", "below_s"]].max(axis=1).to_numpy(float)
    slower = (1 - _TAIL) * count
    by_count = connections * _most_slow_requests(begins, begins + lengths, q - coarse)
    return Bound(q, slower, len(within), by_count, _by_tail(ds, str(load["run"]), q + coarse, count, begins, lengths))


def _resolution_of_p99(ds: Dataset, run: str) -> float:
    """Half the last printed digit of the p99, in seconds."""
    stated = ds.sql(
        "SELECT coalesce(max(resolution), 0) AS resolution FROM measurements "
        f"WHERE run = {sql_string(run)} AND stat = 'p99' AND metric IN ('latency', 'total')"
    )
    return float(stated["resolution"].iloc[0])


def _most_slow_requests(begins: npt.NDArray[np.float64], ends: npt.NDArray[np.float64], q: float) -> int:
    """The most requests of one connection, each longer than `q` and overlapping a pause of its own."""
    chosen: list[tuple[float, float]] = []
    for begin, end in sorted(zip(begins.tolist(), ends.tolist(), strict=True)):
        if len(chosen) < 2 or end - chosen[-2][0] > q:  # the request before lies between the two pauses
            chosen.append((begin, end))
    return len(chosen)


def _by_tail(
    ds: Dataset, run: str, q: float, count: float, begins: npt.NDArray[np.float64], lengths: npt.NDArray[np.float64]
) -> float:
    """The requests beyond the p99 that are at most as slow as the first printed latency above q + D."""
    longest = q
    for _ in range(100):  # D grows with the interval; it is reached when nothing is added
        reach = q + _most_paused(begins, lengths, longest)
        if reach <= longest:
            break
        longest = reach
    else:
        return math.inf
    printed = ds.cached("printed latencies", lambda: latencies(ds))
    printed = printed[printed["run"] == run]
    above = printed[(printed["value_s"] > longest) & (printed["percentile"] >= _TAIL)]
    return math.inf if above.empty else float((1 - _TAIL - above["slower_ratio"].max()) * count)


def _most_paused(begins: npt.NDArray[np.float64], lengths: npt.NDArray[np.float64], span: float) -> float:
    """The most time that pauses take within any interval of this length."""
    order = np.argsort(begins)
    begins, lengths = begins[order], lengths[order]
    sums = np.concatenate([[0.0], np.cumsum(lengths)])
    last = np.searchsorted(begins, begins + lengths + span, side="right")
    return float((sums[last] - sums[:-1]).max()) if len(begins) else 0.0


def bound_sentences(found: Windows) -> Iterator[str]:
    """What the windows say of slow requests: a sentence for each load with a bound below all of them.

    The other loads have one sentence together.
    """
    bounded = [(one, one.bound) for one in found.joined if one.bound is not None]
    open_ = [pair for pair in bounded if not pair[1].says_something]
    if len(open_) < 2:
        yield from (_sentence(one, bound) for one, bound in bounded)
        return
    yield from (_sentence(one, bound) for one, bound in bounded if bound.says_something)
    loads = f"all {len(bounded):,} loads" if len(open_) == len(bounded) else f"{len(open_):,} of {len(bounded):,} loads"
    loads = "both loads" if loads == "all 2 loads" else loads
    longest = 1e3 * max(_longest(one) for one, _ in open_)
    yield (
        f"In {loads}, the pauses, of at most {longest:,.3g} ms, could have delayed all of the requests slower than the "
        "p99: these logs do not exclude it"
    )


def unjoined_sentence(found: Windows) -> Iterator[str]:
    """What would join the loads and traces that no clock joins, as Markdown; nothing if there are none."""
    if found.unjoined:
        loads, them = counted(found.unjoined, "load"), "it" if found.unjoined == 1 else "them"
        yield (
            f"The clocks of {loads} and of the traces beside {them} can't be aligned. That needs times with a zone in "
            "front of the lines of both logs, as `docker logs -t` or `ts` write them"
        )


def _longest(window: Window) -> float:
    """The longest pause of a window with pauses, in seconds."""
    return float(window.within[["pause_s", "below_s"]].max(axis=1).max())


def _sentence(window: Window, bound: Bound) -> str:
    place = f"{window.load['source']}:{window.load['line']}"
    slow = f"the {bound.slower:,.0f} requests slower than its p99 of {1e3 * bound.latency_s:,.4g} ms"
    if not bound.pauses:
        return f"In {place}, no pause happened during the load, so pauses explain none of {slow}"
    pauses = f"{bound.pauses:,} pauses of at most {1e3 * _longest(window):,.3g} ms"
    if not bound.says_something:
        return f"In {place}, {pauses} could have delayed all of {slow}: these logs do not exclude it"
    return f"In {place}, {pauses} explain at most {100 * bound.ratio:.3g} % of {slow}"
