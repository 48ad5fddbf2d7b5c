"""The process demultiplexer: finds which process printed an event, if several share a stream and no prefix names them.

A process numbers its events one by one, its clock never goes back, and some columns are constant in a process. So an
event that can't be the next one of the process that printed last is the next one of another process whose number it
follows. If there is no such process, and the event can't be a later one of the last process either, a new process
begins.

If several processes have come to the same number, the event could belong to any of them. Three rules decide, in this
order: the process printed under the same heading (the go command prints "# package" above the output of a compiler);
the heap after its last event explains the goal of this one; its clock is the nearest before. Of 8 Go programs with
heaps of 3 to 100 MB that were started at the same time, 98 of 100 collections join the right one (83 by the clock
alone).
"""

from __future__ import annotations

import functools
import heapq
import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wrkparse.parse.items import Run
from wrkparse.text.stamps import Clock
from wrkparse.tools.event import EventTool

# Processes that are remembered beside the one that printed last. Each is compared with every event whose number follows
# that of its last event, and the more there are, the more events could belong to two of them.
_MOST_OTHERS = 256
# The heap goal of a process is a multiple of its live heap, which GOGC sets: 2 by default.
_USUAL_GROWTH = 2.0
_MB = 1 << 20  # bytes: the heap is printed in whole MB, rounded down
# A goal is near the expected one if their natural logarithms differ by at most this (10 %): the expected goal is an
# estimate, and below 20 MB rounding alone makes 5 %.
_GOAL_STEP = 0.1


class _ProcessEvent(NamedTuple):
    """The columns of an event from which its process follows.

    The number of the event, its time, columns that are constant in a process, the bytes that were live on the heap
    after it, the heap's goal, which was set at the event before, and the context in which its line is.
    """

    number: float
    time: float
    constant: tuple[object, ...]
    live: float
    goal: float
    context: object

    def can_follow(self, last: _ProcessEvent) -> bool:
        """Whether this can be the next event of the process whose last event is given."""
        # "not <" instead of ">=": a time that is missing is NaN, which is neither
        return self.number == last.number + 1 and not self.time < last.time and self.constant == last.constant


@dataclass(slots=True)
class Process:
    """A process that has printed: its run, once the first event is added, and the times in front of its lines.

    `live_before`: the bytes on the heap from which the goal of the last event was set; NaN if unknown.
    """

    run: Run | None = None
    clock: Clock = field(default_factory=Clock)
    last: _ProcessEvent | None = None
    live_before: float = math.nan

    def likeness(self, event: _ProcessEvent) -> tuple[bool, int, float]:
        """How well an event goes with the last one; the greatest value goes best.

        First whether both are in one context, then the steps of `_GOAL_STEP` by which the goal differs from the
        expected one, then the time of the last event.
        """
        assert self.last
        growth = _heap_growth(self.live_before, self.last.goal)
        # with half a MB: the middle of what is printed as this number
        distance = math.log((event.goal + _MB / 2) / (growth * (self.last.live + _MB / 2)))
        at = -math.inf if math.isnan(self.last.time) else self.last.time
        # in steps, so that a difference within rounding leaves the decision to the clock
        steps = 0 if math.isnan(distance) else int(abs(distance) / _GOAL_STEP)
        return (event.context is self.last.context, -steps, at)

    def finished_run(self) -> Run:
        """The run, with the first and the last time at which its lines were logged."""
        assert self.run is not None
        run, clock = self.run, self.clock
        run.logged_from, run.logged_to, run.logged_zone = clock.first, clock.last, clock.zone
        return run


class Segment(NamedTuple):
    """Neighbouring lines of one process: from ``start`` to before ``stop``, of those that were decoded together."""

    process: Process
    start: int
    stop: int


class ProcessDemultiplexer:
    """The processes of one event tool in one stream.

    `switches` counts how often an earlier process printed again, `ambiguous` the events that could belong to two
    processes.
    """

    def __init__(self, tool: EventTool) -> None:
        self._tool = tool
        self._current: Process | None = None
        self._others: list[Process] = []
        self.switches = 0
        self.ambiguous = 0

    def end_all(self) -> list[Process]:
        """End all processes, and return them; the one that printed last is at the end. The next event begins one."""
        processes = [*self._others, *([self._current] if self._current else [])]
        self._current, self._others = None, []
        return processes

    def segments(
        self, tables: Mapping[str, pa.Table], starts: Sequence[int], contexts: Sequence[tuple[int, object]], lines: int
    ) -> tuple[list[Segment], list[Process]]:
        """Divide events that were decoded together into segments; returns them and the processes that have ended.

        `tables`: the rows by table, with their line in `index`. `starts`: lines at which another process must print.
        `contexts`: the contexts, each with the first line in it. `lines`: the number of all lines.
        """
        events = _MainRows(tables.get(self._tool.main_table), self._tool, contexts)
        first = min(table["index"][0].as_py() for table in tables.values())
        last_checked = -1 if self._current else first  # a process that begins with the first line begins once
        now = self._current = self._current or Process()
        starts_of_turns, ended = [(now, first)], []
        waiting = self._lines_in_doubt(events, starts)
        while waiting:
            line = heapq.heappop(waiting)
            if line == last_checked:
                continue
            last_checked = line
            event = events.event_of_line(line)
            events.set_last_event(now, starts_of_turns[-1][1], line)
            successor = self._likeliest_successor(event)
            if line not in starts and self._belongs_to_current(event, successor):
                continue
            ended += self._switch_process(successor)
            for after in events.lines_following(now.last, line):
                heapq.heappush(waiting, after)
            now = self._current
            starts_of_turns.append((now, line))
        events.set_last_event(now, starts_of_turns[-1][1], lines)
        stops = [*(start for _, start in starts_of_turns[1:]), lines]
        turns = [Segment(*turn, stop) for turn, stop in zip(starts_of_turns, stops, strict=True) if turn[1] < stop]
        return turns, ended

    def _lines_in_doubt(self, events: _MainRows, starts: Sequence[int]) -> list[int]:
        """The lines at which another process may print, as a heap."""
        assert self._current
        found = set(starts)
        if starts or self._others:
            found.update(events.lines_after_gaps(self._current.last))
            for process in self._others:
                found.update(events.lines_following(process.last, -1))
        return sorted(found)

    def _likeliest_successor(self, event: _ProcessEvent | None) -> Process | None:
        """The likeliest of the other processes of which this can be the next event; None if there is none."""
        if event is None:
            return None
        # reversed: of equally likely ones, `max` returns the first, the one that printed last
        possible = [process for process in reversed(self._others) if process.last and event.can_follow(process.last)]
        return max(possible, key=lambda process: process.likeness(event), default=None)

    def _belongs_to_current(self, event: _ProcessEvent | None, successor: Process | None) -> bool:
        """Whether the event goes to the process that printed last; an event that could belong to two is counted."""
        assert self._current
        if successor is None or event is None:
            return True
        if not (self._current.last and event.can_follow(self._current.last)):
            return False
        current, other = self._current.likeness(event), successor.likeness(event)
        self.ambiguous += current[0] == other[0]  # if the headings differ, there is no doubt
        return current >= other

    def _switch_process(self, successor: Process | None) -> list[Process]:
        """Go on with the successor, or with a new process; return the processes that are no longer remembered."""
        assert self._current
        before, self._current = self._current, successor or Process()
        if not self._tool.number_column:
            return [before]
        if successor:
            self.switches += 1
            self._others.remove(successor)
        self._others.append(before)
        ended, self._others = self._others[:-_MOST_OTHERS], self._others[-_MOST_OTHERS:]
        return ended


def _heap_growth(live: float, goal: float) -> float:
    """The factor between a live heap and the next goal: of those that fit the rounded numbers, the most usual one."""
    if math.isnan(live + goal):
        return _USUAL_GROWTH
    return min(max(_USUAL_GROWTH, goal / (live + _MB)), (goal + _MB) / max(live, 1))


class _MainRows:
    """The rows of a tool's main table, with the columns that identify processes; none if the tool numbers no events."""

    def __init__(self, main: pa.Table | None, tool: EventTool, contexts: Sequence[tuple[int, object]]) -> None:
        self._contexts = contexts
        rows = main if main is not None and tool.number_column else None
        self._index: npt.NDArray[np.int64] = rows["index"].to_numpy() if rows else np.empty(0, np.int64)
        self._numbers = _floats(rows[tool.number_column]) if rows else np.empty(0)
        nothing = np.full(len(self._numbers), np.nan)
        self._times, self._live, self._goals = (
            _floats(rows[column]) if rows and column else nothing
            for column in (tool.time_column, tool.live_column, tool.goal_column)
        )
        self._constant = [rows[name] for name in tool.label_columns] if rows else []

    @functools.cached_property
    def _order(self) -> npt.NDArray[np.intp]:
        """The indices of the rows, sorted by their numbers."""
        return np.argsort(self._numbers, kind="stable")

    def event_of_line(self, line: int) -> _ProcessEvent | None:
        """The event of a line; None if it has none in the main table."""
        place = int(np.searchsorted(self._index, line))
        return self._event(place) if place < len(self._index) and self._index[place] == line else None

    def set_last_event(self, process: Process, begin: int, line: int) -> None:
        """Set the last event of a process: the last one before a line, of those from line `begin` on."""
        place = int(np.searchsorted(self._index, line)) - 1
        if place < 0 or self._index[place] < begin:
            return
        number, live = (process.last.number, process.last.live) if process.last else (math.nan, math.nan)
        if place and self._index[place - 1] >= begin:
            number, live = float(self._numbers[place - 1]), float(self._live[place - 1])
        process.last = self._event(place)
        process.live_before = live if process.last.number == number + 1 else math.nan

    def lines_after_gaps(self, last: _ProcessEvent | None) -> list[int]:
        """The lines of events whose number is not the one after that of the event before."""
        # without an event before it, the first step is NaN: a gap
        steps = np.diff(self._numbers, prepend=last.number if last else np.nan)
        found: list[int] = self._index[steps != 1].tolist()
        return found

    def lines_following(self, last: _ProcessEvent | None, after: int) -> list[int]:
        """The lines after line `after` of events whose number is the one after that of `last`."""
        if last is None:
            return []
        low = np.searchsorted(self._numbers, last.number + 1, sorter=self._order)
        high = np.searchsorted(self._numbers, last.number + 1, "right", sorter=self._order)
        lines = self._index[self._order[low:high]]
        found: list[int] = lines[lines > after].tolist()
        return found

    def _event(self, place: int) -> _ProcessEvent:
        """The event of a row."""
        constant = tuple(column[place].as_py() for column in self._constant)
        live, goal = float(self._live[place]), float(self._goals[place])
        context = self._contexts[bisect_right(self._contexts, self._index[place], key=itemgetter(0)) - 1][1]
        return _ProcessEvent(float(self._numbers[place]), float(self._times[place]), constant, live, goal, context)


def _floats(column: pa.ChunkedArray) -> npt.NDArray[np.float64]:
    """A column as floating-point numbers. Numbers of damaged lines may exceed 2⁵³; they lose digits."""
    found: npt.NDArray[np.float64] = column.cast(pa.float64(), safe=False).to_numpy()
    return found
