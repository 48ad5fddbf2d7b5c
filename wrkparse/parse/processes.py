"""Several processes that print into one stream, with nothing in front: whose turn it is, by what their events say.

A process numbers its events one by one (a gctrace's collections), its clock never goes back, and some of what it prints
does not change. So an event that can't be the next one of the process that printed last is the next one of another that
stands back, if its number follows there; else, if it can't be a later one either, a process begins. Where two have
come to the same number the next event could be of either: it is taken for one of the process that printed last.
"""

from __future__ import annotations

import functools
import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wrkparse.parse.items import Run
from wrkparse.text.prefixes import Clock
from wrkparse.tools.event import EventTool

_STANDING_BACK = 8  # processes at most
_SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")


class _Said(NamedTuple):
    """What an event says of its process: its number, the time, and what does not change."""

    number: float
    at: float
    constant: tuple[object, ...]

    def may_follow(self, last: _Said) -> bool:
        return self.number == last.number + 1 and not self.at < last.at and self.constant == last.constant


@dataclass(slots=True)
class Process:
    """One that has printed: its run, once its first event is taken in, and the times in front of its lines."""

    run: Run | None = None
    clock: Clock = field(default_factory=Clock)
    last: _Said | None = None

    def ended(self) -> Run:
        """Its run, complete."""
        assert self.run is not None
        self.run.logged_from, self.run.logged_to, self.run.logged_zone = (
            self.clock.first,
            self.clock.last,
            self.clock.zone,
        )
        return self.run


class Segment(NamedTuple):
    """Lines ``start`` to ``stop`` (without it) of those that were decoded together: a turn of one process."""

    process: Process
    start: int
    stop: int


class Turns:
    """The processes of one event tool in one stream.

    `taken_back` counts how often one went on that had stood back, `unsure` the events that could be of two.
    """

    def __init__(self, tool: EventTool) -> None:
        self._tool = tool
        self._now: Process | None = None
        self._back: list[Process] = []
        self.taken_back = 0
        self.unsure = 0

    def end(self) -> list[Process]:
        """All processes that have not ended yet, those that stand back first; the next event begins another."""
        processes = [*self._back, *([self._now] if self._now else [])]
        self._now, self._back = None, []
        return processes

    def segments(
        self, tables: Mapping[str, pa.Table], starts: Sequence[int], lines: int
    ) -> tuple[list[Segment], list[Process]]:
        """Whose turn it is among events that were decoded together, of so many lines; and the processes that end.

        `tables`: their rows by table, `index` the line; `starts`: where one can't be a later event of the same process.
        """
        events = _Events(tables.get(self._tool.main_table), self._tool)
        first = min(table["index"][0].as_py() for table in tables.values())
        seen = -1 if self._now else first  # a process that begins with these lines begins once
        now = self._now = self._now or Process()
        begun, ended = [(now, first)], []
        waiting = self._doubtful(events, starts)
        while waiting:
            line = heapq.heappop(waiting)
            if line == seen:
                continue
            seen = line
            said = events.of_line(line)
            now.last = events.before(line) or now.last
            other = self._standing_back(said)
            if line not in starts and self._goes_on(said, other):
                continue
            ended += self._changed(other)
            for behind in events.lines_of(now.last, line):
                heapq.heappush(waiting, behind)
            now = self._now
            begun.append((now, line))
        now.last = events.before(lines) or now.last
        stops = [*(start for _, start in begun[1:]), lines]
        turns = [Segment(*turn, stop) for turn, stop in zip(begun, stops, strict=True) if turn[1] < stop]
        return turns, ended

    def _doubtful(self, events: _Events, starts: Sequence[int]) -> list[int]:
        """The lines at which another process may speak, as a heap."""
        assert self._now
        found = set(starts)
        if starts or self._back:
            found.update(events.gaps(self._now.last))
            for process in self._back:
                found.update(events.lines_of(process.last, -1))
        return sorted(found)

    def _standing_back(self, said: _Said | None) -> Process | None:
        """The process that stands back and may have said this next."""
        back = reversed(self._back)
        return next((one for one in back if said and one.last and said.may_follow(one.last)), None)

    def _goes_on(self, said: _Said | None, other: Process | None) -> bool:
        """Whether the process that spoke is taken to have said this too, though the other may have."""
        assert self._now
        both = bool(other and said and self._now.last and said.may_follow(self._now.last))
        self.unsure += both
        return both or other is None

    def _changed(self, other: Process | None) -> list[Process]:
        """Let the one that spoke stand back for another, or for one that begins; the ones that end for it."""
        assert self._now
        before, self._now = self._now, other or Process()
        if not self._tool.number_column:
            return [before]
        if other:
            self.taken_back += 1
            self._back.remove(other)
        self._back.append(before)
        gone, self._back = self._back[:-_STANDING_BACK], self._back[-_STANDING_BACK:]
        return gone


class _Events:
    """The rows of a tool's main table, for what they say of their process; none of a tool that numbers nothing."""

    def __init__(self, main: pa.Table | None, tool: EventTool) -> None:
        told = main if main is not None and tool.number_column else None
        self._index: npt.NDArray[np.int64] = told["index"].to_numpy() if told else np.empty(0, np.int64)
        self._numbers = _floats(told[tool.number_column]) if told else np.empty(0)
        self._times = (
            _floats(told[tool.time_column]) if told and tool.time_column else np.full(len(self._numbers), np.nan)
        )
        self._constant = [told[name] for name in tool.label_columns] if told else []

    @functools.cached_property
    def _order(self) -> npt.NDArray[np.intp]:
        """The rows by their numbers."""
        return np.argsort(self._numbers, kind="stable")

    def of_line(self, line: int) -> _Said | None:
        place = int(np.searchsorted(self._index, line))
        return self._said(place) if place < len(self._index) and self._index[place] == line else None

    def before(self, line: int) -> _Said | None:
        """The last one before this line."""
        place = int(np.searchsorted(self._index, line)) - 1
        return self._said(place) if place >= 0 else None

    def gaps(self, last: _Said | None) -> list[int]:
        """The lines whose number does not follow that of the line before."""
        steps = np.diff(self._numbers, prepend=last.number if last else np.nan)
        found: list[int] = self._index[steps != 1].tolist()
        return found

    def lines_of(self, last: _Said | None, behind: int) -> list[int]:
        """The lines behind one whose number follows that of an event."""
        if last is None:
            return []
        low, high = (np.searchsorted(self._numbers, last.number + 1, side, sorter=self._order) for side in _SIDES)
        lines = self._index[self._order[low:high]]
        found: list[int] = lines[lines > behind].tolist()
        return found

    def _said(self, place: int) -> _Said:
        constant = tuple(column[place].as_py() for column in self._constant)
        return _Said(float(self._numbers[place]), float(self._times[place]), constant)


def _floats(column: pa.ChunkedArray) -> npt.NDArray[np.float64]:
    found: npt.NDArray[np.float64] = column.cast(pa.float64()).to_numpy()
    return found
