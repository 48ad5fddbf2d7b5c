"""The lines of one event tool in one stream of a source: decoded together, given out as batches and runs."""

from __future__ import annotations

import copy
import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from wrkparse.context.labels import process_labels
from wrkparse.context.page.document import Context, Snapshot
from wrkparse.model.records import Diagnostic, Label, Severity
from wrkparse.parse.events.processes import Process, ProcessDemultiplexer, Segment
from wrkparse.parse.events.torn_lines import Completeness, RestFinder, TornLine
from wrkparse.parse.items import Batch, Excerpt, Item, Run, run_id
from wrkparse.text.torn import WINDOW_LINES, foreign_line_pattern, rejoin_torn_line
from wrkparse.text.window import LineWindow
from wrkparse.tools import event_tools
from wrkparse.tools.columnar.buffers import Indices
from wrkparse.tools.event import Events, EventStream, EventTool

_SHOWN = 100
# What closes a text that code, a table or a CSV quotes: a quotation mark, maybe behind a line's end; a cell's edge.
_TAIL = re.compile(
    rb"""(?:\\[nrt]){0,2}["'`](?:[\s,;+|)\]}]{0,9}|(?:,(?:[^"',]{0,60}|"[^"]{0,60}")){0,8}\s{0,2})\Z"""
    rb"""|[,;]\s{0,2}\Z|\s(?:\||\xe2\x94\x82)\s{0,2}\Z"""
)
# What a writer put behind a line: "# the first one", "<- here", "- thread M3".
_REMARK = re.compile(rb"[ \t](?:#{1,6}|//|<-{1,3}|--?|\xe2\x86\x90|\xe2\x80[\x93\x94])[ \t]")
_BETWEEN = b" \t\r,;|\"'`\\"  # what people and shells put between events in one line
_QUOTED = re.compile(rb"""["'`]""")  # behind an event: a list in source code
_LONGEST_PARTED = 1 << 16  # bytes of a line with several events: some hundred of them
_LONGEST_TAIL = 200  # bytes at the end of a line that are searched for it
# Lines of one stream that could not be joined with any others, after which no more are tried: each is tried with many
# combinations of lines, so a log full of them would take long. A diagnostic says so.
_MOST_FAILURES = 2000
_Change = Callable[[bytes], bytes]
_TRIED_TOGETHER = 256  # bad lines whose likely joins are decoded at once: one by one takes ten times as long


@dataclass(slots=True)
class _Waiting:
    """Lines that were found and not decoded yet: their numbers, the times in front, the context from which on."""

    lines: list[bytes] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    stamps: list[str] = field(default_factory=list)
    marks: list[tuple[int, Snapshot]] = field(default_factory=list)

    def all(self) -> _Lines:
        """The lines as they are decoded."""
        stamps = pa.array(self.stamps, pa.string()) if any(self.stamps) else None
        return _Lines(self.lines, np.array(self.numbers), stamps, self.marks)

    def split(self, index: int) -> _Waiting:
        """Cut off the lines from `index` on, and return them."""
        rest = _Waiting(self.lines[index:], self.numbers[index:], self.stamps[index:])
        del self.lines[index:], self.numbers[index:], self.stamps[index:]
        before = [(0, snapshot) for at, snapshot in self.marks if at <= index][-1:]
        rest.marks = before + [(at - index, snapshot) for at, snapshot in self.marks if at > index]
        return rest

    def replace(self, index: int, lines: list[bytes]) -> None:
        """Put several lines in the place of one."""
        more = len(lines) - 1
        self.lines[index : index + 1] = lines
        self.numbers[index : index + 1] = [self.numbers[index]] * len(lines)
        self.stamps[index : index + 1] = [self.stamps[index]] * len(lines)
        self.marks = [(at + more * (at > index), snapshot) for at, snapshot in self.marks]

    def drop(self, indices: list[int]) -> None:
        """Remove lines."""
        for index in reversed(indices):
            del self.lines[index], self.numbers[index], self.stamps[index]
            self.marks = [(at - (at > index), snapshot) for at, snapshot in self.marks]


class _Lines(NamedTuple):
    """Lines that are decoded together, as `_Waiting`; ``stamps`` is None if there are no times in front."""

    lines: Sequence[bytes]
    numbers: Indices
    stamps: pa.StringArray | None
    marks: Sequence[tuple[int, Snapshot]]


class Tried(NamedTuple):
    """Lines that were decoded, all of them sound, and the decoder's state behind them."""

    lines: Sequence[bytes]
    events: Events
    stream: EventStream


class Trace:
    """One event tool in one stream (``name``) of a source.

    A line of which only the beginning of a torn event was seen is doubtful: it becomes an event, or is dropped.
    """

    def __init__(self, source: str, tool: EventTool, name: str) -> None:
        self.tool, self.name, self._source = tool, name, source
        self._stream: EventStream = tool.stream()
        self._waiting = _Waiting()
        self._doubtful: set[int] = set()  # numbers of lines
        self._place = (-1, -1, -1)
        self._demultiplexer = ProcessDemultiplexer(tool)
        self._failures = 0
        self.begin_anew = True  # another process may have begun
        self.claimed = 0  # lines read

    @property
    def held_from(self) -> int | None:
        """The number of the first line that waits."""
        return self._waiting.numbers[0] if self._waiting.lines else None

    def keep(self, context: Context, numbers: Sequence[int], lines: Sequence[bytes], stamps: Sequence[str]) -> None:
        """Add lines of the tool, all under this context. They wait for `decode`."""
        waiting = self._waiting
        if self._place != context.snapshot_key:
            self._place = context.snapshot_key
            waiting.marks.append((len(waiting.lines), context.snapshot(self.tool.name, 0, is_report=False)))
        waiting.numbers += numbers
        waiting.lines += lines
        waiting.stamps += stamps

    def keep_doubtful(self, context: Context, number: int, begin: bytes, stamp: str) -> None:
        """Add what may be the beginning of a torn line."""
        self.keep(context, [number], [begin], [stamp])
        self._doubtful.add(number)

    def tried(self, lines: Sequence[bytes], events: Events) -> Tried | None:
        """Prepare lines that are all sound events for `take`; None while other lines wait.

        `events` is what a new stream made of them.
        """
        if self._waiting.lines:
            return None
        stream = copy.deepcopy(self._stream)
        return Tried(lines, stream.follow(events), stream)

    def take(self, context: Context, numbers: Indices, stamps: pa.StringArray | None, tried: Tried) -> Iterator[Item]:
        """Add lines that were tried, all under this context."""
        self.keep(context, (), (), ())
        marks, self._waiting.marks = self._waiting.marks, [(0, self._waiting.marks[-1][1])]
        self._stream = tried.stream
        self.claimed += len(numbers)
        yield from self._processes(
            tried.events.tables, tried.events.starts, _Lines(tried.lines, numbers, stamps, marks)
        )

    def decode(self, window: LineWindow, upto: int | None = None) -> Iterator[Item]:
        """Decode what waits. `upto`: the last line that may hold a piece; without it, a torn line waits for more."""
        if not self._waiting.lines:
            return
        waiting, self._waiting = self._waiting, _Waiting()
        before = copy.deepcopy(self._stream)
        events = self._stream.decode(waiting.lines)
        notes: list[Diagnostic] = []
        more = self._part_events(waiting, events) if events.bad else None
        if more is not None:
            self._stream = copy.deepcopy(before)
            events = self._stream.decode(waiting.lines)
        if events.bad:
            events = self._changed(waiting, events, before, self._unquoted)
        if events.bad:
            events = self._changed(waiting, events, before, self._without_remark)
        if events.bad:
            self._join_pieces(waiting, [index for index, _ in events.bad], window, upto, notes)
            if notes or self._waiting.lines or self._doubtful:
                self._doubtful.intersection_update(self._waiting.numbers)
                self._stream = copy.deepcopy(before)
                events = self._stream.decode(waiting.lines)
        if events.bad and self.tool.as_printed:
            events = self._changed(waiting, events, before, self.tool.as_printed)
        if not self._waiting.marks:  # the last context stays in force
            self._waiting.marks = [(0, snapshot) for _, snapshot in waiting.marks[-1:]]
        self.claimed += len(waiting.lines) - len(events.bad) - (more or 0)
        for index, reason in events.bad:
            shown = waiting.lines[index][: 4 * _SHOWN].decode("utf-8", "replace")[:_SHOWN].rstrip()
            message = f"{self.tool.name}: {reason}: {shown}"
            yield Diagnostic(self._source, waiting.numbers[index], "warning", "bad-event", message)
        yield from notes
        yield from self._processes(events.tables, events.starts, waiting.all())

    def end(self) -> Iterator[Item]:
        """End the runs that are open."""
        yield from _ended(self._demultiplexer.end())

    def close(self) -> Iterator[Item]:
        """End the runs. A diagnostic tells of processes whose lines alternated."""
        processes = self._demultiplexer.end()
        yield from _ended(processes)
        if self._demultiplexer.switches:
            line = max((run.line_end for process in processes if (run := process.run)), default=None)
            ambiguous = self._demultiplexer.ambiguous
            message = "lines of several processes are interleaved; they were separated by their numbers and times"
            message += f"; {ambiguous:,} fit two processes, so parts may be swapped" if ambiguous else ""
            severity: Severity = "warning" if ambiguous else "note"
            yield Diagnostic(self._source, line, severity, "interleaved", f"{self.tool.name}: {message}")

    def _part_events(self, waiting: _Waiting, events: Events) -> int | None:
        """Part bad lines that are several events in one line; returns how many lines that adds, None if it parts none.

        Each must be sound, but for the last, which may be cut. Other words may stand between them.
        """
        parted = {index: own for index, _ in events.bad if (own := self._parted(waiting.lines[index]))}
        for index, sound in self._sound_in_front(parted).items():
            if sound < len(parted[index]):
                parted[index] = [self._without_words(piece) for piece in parted[index]]
        added = None
        for index, sound in reversed(self._sound_in_front(parted).items()):
            own = parted[index]
            if sound >= len(own) - (len(own) > 2):
                waiting.replace(index, own)
                added = (added or 0) + len(own) - 1
        return added

    def _parted(self, line: bytes) -> list[bytes]:
        """The events of the tool in a line that begins with one and holds others; none if it holds no others."""
        if len(line) > _LONGEST_PARTED:
            return []
        cuts = sorted({match.start() for begins in _beginnings() for match in begins.finditer(line)})
        pieces = [line[begin:end].rstrip(_BETWEEN) for begin, end in pairwise([*cuts, len(line)])]
        own = [piece for piece in pieces if self.tool.begins.match(piece)]  # the others are another tool's
        return own if len(pieces) > 1 and own[:1] == pieces[:1] and line.startswith(pieces[0]) else []

    def _sound_in_front(self, parted: Mapping[int, list[bytes]]) -> dict[int, int]:
        """How many pieces of each line are sound, up to the first that is not."""
        pieces = [piece for own in parted.values() for piece in own]
        sound = self._stream.sound(pieces) if pieces else set()
        found: dict[int, int] = {}
        first = 0
        for index, own in parted.items():
            found[index] = next((at for at in range(len(own)) if first + at not in sound), len(own))
            first += len(own)
        return found

    def _without_words(self, piece: bytes) -> bytes:
        """An event line up to where such lines end, without what other programs printed behind it."""
        ends = (end.encode() for end in self.tool.ends)
        cut = max((piece.rfind(end) + len(end) for end in ends if end in piece), default=0)
        return piece if _QUOTED.search(piece, cut) else piece[:cut] or piece

    def _changed(self, waiting: _Waiting, events: Events, before: EventStream, change: _Change) -> Events:
        """Decode again, with bad lines changed. A line still bad stays as it is."""
        bad = {index for index, _ in events.bad}
        lines = [change(line) if index in bad else line for index, line in enumerate(waiting.lines)]
        if lines == waiting.lines:
            return events
        self._stream = copy.deepcopy(before)
        events = self._stream.decode(lines)
        for index, _ in events.bad:
            lines[index] = waiting.lines[index]
        waiting.lines = lines
        return events

    def _unquoted(self, line: bytes) -> bytes:
        """A line without what stands behind a quotation that is closed at its end."""
        tail = _TAIL.search(line, max(0, len(line) - _LONGEST_TAIL))
        return line[: tail.start()] if tail and not self.tool.find.search(tail[0]) else line

    def _without_remark(self, line: bytes) -> bytes:
        """A line up to where a writer's remark seems to begin; the whole if another event stands behind it."""
        remark = _REMARK.search(line)
        return line[: remark.start()].rstrip() if remark and not self.tool.find.search(line, remark.end()) else line

    def _join_pieces(
        self, waiting: _Waiting, bad: list[int], window: LineWindow, upto: int | None, notes: list[Diagnostic]
    ) -> None:
        """Join bad lines with their pieces. From the first one whose rest may follow, all lines keep waiting."""
        dropped: list[int] = []
        taken = 0  # the last line that was taken for a piece
        rests = RestFinder(self.tool, self.name, window)
        for some in (bad[at : at + _TRIED_TOGETHER] for at in range(0, len(bad), _TRIED_TOGETHER)):
            torn = [self._torn_line(waiting, index, window, upto, rests) for index in some]
            is_complete = Completeness(self.tool, self._stream)
            is_complete.learn_joins([one for one in torn if one])
            whole = {some[at] for at in is_complete.whole([waiting.lines[index] for index in some])}
            for index, one in zip(some, torn, strict=True):
                number = waiting.numbers[index]
                if number <= taken:
                    dropped.append(index)
                    continue
                if one is None:
                    self._waiting = waiting.split(index)
                    waiting.drop(dropped)
                    return
                joins = one.joins(self.tool)
                found = rejoin_torn_line(one.begin, one.after, joins, one.heads, is_complete, _foreign())
                if found:
                    waiting.lines[index] = found[0].encode()
                    taken = window.number(one.places[found[1] - 1])
                    message = f"{self.tool.name}: rejoined from its pieces in lines {number} to {taken}"
                    notes.append(Diagnostic(self._source, number, "note", "mended", message))
                    continue
                if index in whole:
                    continue
                self._failures += 1
                if self._failures == _MOST_FAILURES:
                    message = f"{_MOST_FAILURES:,} torn lines could not be joined; no more of them are tried"
                    notes.append(
                        Diagnostic(self._source, number, "warning", "torn-limit", f"{self.tool.name}: {message}")
                    )
                if number in self._doubtful:
                    dropped.append(index)
        waiting.drop(dropped)

    def _torn_line(
        self, waiting: _Waiting, index: int, window: LineWindow, upto: int | None, rests: RestFinder
    ) -> TornLine | None:
        """A bad line and the texts that may be its rest; None if more lines have to be seen first."""
        number, line = waiting.numbers[index], waiting.lines[index]
        begin = line.decode("utf-8", "replace").rstrip("\r")
        if self._failures >= _MOST_FAILURES:
            return TornLine(begin)
        after = window.indexes_after(number, WINDOW_LINES, upto)
        if upto is None and len(after) < WINDOW_LINES:
            return None
        signs = None if self.name or waiting.stamps[index] else window.signs_before(number, begin)
        return rests.torn_line(begin, after, signs)

    def _processes(self, tables: dict[str, pa.Table], starts: list[int], found: _Lines) -> Iterator[Item]:
        """The rows of lines that were decoded together, process by process."""
        rows = {name: table for name, table in tables.items() if table.num_rows}
        if not rows:
            return
        if self.begin_anew:
            yield from self.end()
            self.begin_anew = False
        segments, ended = self._demultiplexer.segments(rows, starts, found.marks, len(found.lines))
        for process, of_process in _by_process(segments):
            parts = {name: _of_segments(table, of_process) for name, table in rows.items()}
            if parts := {name: part for name, part in parts.items() if part.num_rows}:
                yield from self._rows(process, parts, found)
        yield from _ended(ended)

    def _rows(self, process: Process, tables: dict[str, pa.Table], found: _Lines) -> Iterator[Item]:
        """The rows of one process."""
        run = process.run = process.run or self._begin(tables, found)
        if run.dialect is None and self.tool.main_table in tables:
            _describe(run, self.tool, tables[self.tool.main_table], found)
        for name, table in tables.items():
            indices = table["index"].to_numpy()
            numbers = found.numbers[indices]
            run.line_end = max(run.line_end, int(numbers[-1]))
            own = {"run": pa.repeat(run.run, len(numbers)), "line": pa.array(numbers)}
            if found.stamps is not None:
                times = process.clock.times(found.stamps.take(table["index"].combine_chunks()))
                own["logged_at"] = pa.array(times, pa.timestamp("us"))
            rows = table.remove_column(0)  # the index
            for at, (column, values) in enumerate(own.items()):
                rows = rows.add_column(at, column, values)
            yield Batch(name, rows)

    def _begin(self, tables: dict[str, pa.Table], found: _Lines) -> Run:
        tool = self.tool
        first = min(table["index"][0].as_py() for table in tables.values())
        line = int(found.numbers[first])
        text = found.lines[first].decode("utf-8", "replace").rstrip()
        snapshot = next(mark for at, mark in reversed(found.marks) if at <= first)
        return Run(
            run_id(self._source, line, tool.name, text), tool.name, self._source, line, line, snapshot.section,
            snapshot.command, labels=[*snapshot.labels, *process_labels(self.name, line)],
            text=Excerpt((0,), (text,)),
        )  # fmt: skip


@functools.cache
def _foreign() -> re.Pattern[str]:
    """Finds where another line begins in a torn one: another program's, or a common event line."""
    return foreign_line_pattern(tool.opening.pattern for tool in event_tools() if tool.opening)


@functools.cache
def _beginnings() -> tuple[re.Pattern[bytes], ...]:
    """Where event lines of each tool begin."""
    return tuple(tool.begins for tool in event_tools())


def _describe(run: Run, tool: EventTool, main: pa.Table, found: _Lines) -> None:
    """Take the dialect and the labels of a run from the first row of the tool's main table."""
    run.dialect = tool.dialect or main["era"][0].as_py()
    line = int(found.numbers[main["index"][0].as_py()])
    text = run.text.texts[0].strip() if line == run.line else None
    for column, key in tool.label_columns.items():
        if (value := main[column][0].as_py()) is not None:
            run.labels.append(Label(key, str(value), "report", line, text, "printed"))


def _ended(processes: Iterable[Process]) -> Iterator[Run]:
    return (process.ended() for process in processes if process.run)


def _by_process(segments: Sequence[Segment]) -> Iterable[tuple[Process, list[Segment]]]:
    """The segments of each process, in the order of their first segments."""
    found: dict[int, tuple[Process, list[Segment]]] = {}
    for segment in segments:
        found.setdefault(id(segment.process), (segment.process, []))[1].append(segment)
    return found.values()


def _of_segments(table: pa.Table, segments: Sequence[Segment]) -> pa.Table:
    """The rows that came from the lines of these segments."""
    parts = [_between(table, one.start, one.stop) for one in segments]
    return parts[0] if len(parts) == 1 else pa.concat_tables(parts).combine_chunks()


def _between(table: pa.Table, start: int, stop: int) -> pa.Table:
    """The rows that came from the lines of these indices."""
    low, high = np.searchsorted(table["index"].to_numpy(), [start, stop])
    return table.slice(low, high - low)
