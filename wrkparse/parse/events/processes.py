"""The process demultiplexer: which process printed an event, where several share a stream and no prefix names them.

A process numbers its events one by one, its clock never goes back, and some columns are constant in a process. So an
event that can't be the next one of the process that printed last is the next one of another process whose number it
follows. If there is none, and the event can't be a later one of the last process either, a new process begins. Where
several processes have come to the same number, the event could be of any: it goes to the one whose clock was nearest
before: of 50 processes that print in turn at random, this finds all 50, and nearly all events join the right one.
"""

from __future__ import annotations

import functools
import heapq
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wrkparse.parse.items import Run
from wrkparse.text.wrapping.prefixes import Clock
from wrkparse.tools.event import EventTool

# Processes that are remembered beside the one that printed last. Each is compared with every event whose number
# follows its last one, and the more there are, the more events could be of two.
_MOST_OTHERS = 256
_SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")


class _Event(NamedTuple):
    """What tells the process of an event: its number, its time, and columns that are constant in a process."""

    number: float
    at: float
    constant: tuple[object, ...]

    def can_follow(self, last: _Event) -> bool:
        """Whether this is the next event of the process whose last event is given."""
        return self.number == last.number + 1 and not self.at < last.at and self.constant == last.constant


@dataclass(slots=True)
class Process:
    """A process that has printed: its run, once the first event is added, and the times in front of its lines."""

    run: Run | None = None
    clock: Clock = field(default_factory=Clock)
    last: _Event | None = None

    def ended(self) -> Run:
        """The run, with the times that its lines were logged at."""
        assert self.run is not None
        self.run.logged_from, self.run.logged_to, self.run.logged_zone = (
            self.clock.first,
            self.clock.last,
            self.clock.zone,
        )
        return self.run


class Segment(NamedTuple):
    """Lines of one process, one after another: ``start`` to ``stop`` (without it) of those decoded together."""

    process: Process
    start: int
    stop: int


class ProcessDemultiplexer:
    """The processes of one event tool in one stream.

    `switches` counts how often an earlier process printed again, `ambiguous` the events that could be of two processes.
    """

    def __init__(self, tool: EventTool) -> None:
        self._tool = tool
        self._current: Process | None = None
        self._others: list[Process] = []
        self.switches = 0
        self.ambiguous = 0

    def end(self) -> list[Process]:
        """End all processes, and return them, the one that printed last at the end. The next event begins a process."""
        processes = [*self._others, *([self._current] if self._current else [])]
        self._current, self._others = None, []
        return processes

    def segments(
        self, tables: Mapping[str, pa.Table], starts: Sequence[int], lines: int
    ) -> tuple[list[Segment], list[Process]]:
        """Divide events that were decoded together into segments; returns them and the processes that have ended.

        `tables`: the rows by table, with their line in `index`. `starts`: lines at which another process must print.
        `lines`: the number of all lines.
        """
        events = _MainRows(tables.get(self._tool.main_table), self._tool)
        first = min(table["index"][0].as_py() for table in tables.values())
        seen = -1 if self._current else first  # a process that begins with the first line begins once
        now = self._current = self._current or Process()
        begun, ended = [(now, first)], []
        waiting = self._lines_in_doubt(events, starts)
        while waiting:
            line = heapq.heappop(waiting)
            if line == seen:
                continue
            seen = line
            event = events.of_line(line)
            now.last = events.between(begun[-1][1], line) or now.last
            successor = self._successor(event)
            if line not in starts and self._goes_on(event, successor):
                continue
            ended += self._changed(successor)
            for behind in events.lines_of(now.last, line):
                heapq.heappush(waiting, behind)
            now = self._current
            begun.append((now, line))
        now.last = events.between(begun[-1][1], lines) or now.last
        stops = [*(start for _, start in begun[1:]), lines]
        turns = [Segment(*turn, stop) for turn, stop in zip(begun, stops, strict=True) if turn[1] < stop]
        return turns, ended

    def _lines_in_doubt(self, events: _MainRows, starts: Sequence[int]) -> list[int]:
        """The lines at which another process may print, as a heap."""
        assert self._current
        found = set(starts)
        if starts or self._others:
            found.update(events.gaps(self._current.last))
            for process in self._others:
                found.update(events.lines_of(process.last, -1))
        return sorted(found)

    def _successor(self, event: _Event | None) -> Process | None:
        """Of the other processes the one whose next event this can be; the one whose clock is nearest, if several."""
        back = reversed(self._others)
        possible = [one for one in back if event and one.last and event.can_follow(one.last)]
        return max(possible, key=_clock, default=None)

    def _goes_on(self, event: _Event | None, successor: Process | None) -> bool:
        """Whether the event goes to the process that printed last; one that could be of two is counted."""
        assert self._current
        if successor is None:
            return True
        both = bool(event and self._current.last and event.can_follow(self._current.last))
        self.ambiguous += both
        return both and _clock(self._current) >= _clock(successor)

    def _changed(self, successor: Process | None) -> list[Process]:
        """Go on with the successor, or with a new process. Returns the processes that are remembered no longer."""
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


def _clock(process: Process) -> float:
    """The time of a process's last event."""
    return process.last.at if process.last and not math.isnan(process.last.at) else -math.inf


class _MainRows:
    """The rows of a tool's main table, as far as they identify processes; none for a tool that numbers no events."""

    def __init__(self, main: pa.Table | None, tool: EventTool) -> None:
        rows = main if main is not None and tool.number_column else None
        self._index: npt.NDArray[np.int64] = rows["index"].to_numpy() if rows else np.empty(0, np.int64)
        self._numbers = _floats(rows[tool.number_column]) if rows else np.empty(0)
        self._times = (
            _floats(rows[tool.time_column]) if rows and tool.time_column else np.full(len(self._numbers), np.nan)
        )
        self._constant = [rows[name] for name in tool.label_columns] if rows else []

    @functools.cached_property
    def _order(self) -> npt.NDArray[np.intp]:
        """The rows by their numbers."""
        return np.argsort(self._numbers, kind="stable")

    def of_line(self, line: int) -> _Event | None:
        place = int(np.searchsorted(self._index, line))
        return self._event(place) if place < len(self._index) and self._index[place] == line else None

    def between(self, begin: int, line: int) -> _Event | None:
        """The last event before a line, of those from line `begin` on."""
        place = int(np.searchsorted(self._index, line)) - 1
        return self._event(place) if place >= 0 and self._index[place] >= begin else None

    def gaps(self, last: _Event | None) -> list[int]:
        """The lines whose event does not have the number that follows that of the event before."""
        steps = np.diff(self._numbers, prepend=last.number if last else np.nan)
        found: list[int] = self._index[steps != 1].tolist()
        return found

    def lines_of(self, last: _Event | None, behind: int) -> list[int]:
        """The lines behind line `behind` whose event has the number that follows that of `last`."""
        if last is None:
            return []
        low, high = (np.searchsorted(self._numbers, last.number + 1, side, sorter=self._order) for side in _SIDES)
        lines = self._index[self._order[low:high]]
        found: list[int] = lines[lines > behind].tolist()
        return found

    def _event(self, place: int) -> _Event:
        constant = tuple(column[place].as_py() for column in self._constant)
        return _Event(float(self._numbers[place]), float(self._times[place]), constant)


def _floats(column: pa.ChunkedArray) -> npt.NDArray[np.float64]:
    found: npt.NDArray[np.float64] = column.cast(pa.float64()).to_numpy()
    return found
