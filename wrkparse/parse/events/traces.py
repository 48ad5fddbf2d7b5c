"""Reads the lines of one event tool in one stream: decodes them together, and returns batches and runs.

Most lines are sound as they are. A line that can't be decoded is repaired, in this order, and only if the result can be
decoded (`Trace._decode_repaired`):

1. It is split, if it has several events.
2. The end of the quotation, the cell or the code around it is removed.
3. The remark that a writer added to it is removed.
4. It is joined with its pieces in the lines after it: other output tore it, or a terminal or page wrapped it.
5. It is taken in another form than any version prints, if the tool knows one (`EventTool.as_printed`).

Each line that is still bad is a diagnostic. Each repair decodes all lines again, from the state of the decoder before
the first one.
"""

from __future__ import annotations

import copy
import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from wrkparse.context.page.document import Context
from wrkparse.context.prefix_labels import process_labels
from wrkparse.model.records import Diagnostic, Label, Severity
from wrkparse.parse.events.line_repairs import split_lines, without_quoted_rest, without_remark
from wrkparse.parse.events.processes import Process, ProcessDemultiplexer, Segment
from wrkparse.parse.events.torn_lines import CompletenessCheck, RestFinder, TornLine
from wrkparse.parse.events.waiting_lines import LinesToDecode, WaitingLines
from wrkparse.parse.items import Batch, Excerpt, Item, Run, run_id
from wrkparse.text.torn import WINDOW_LINES, foreign_line_pattern, rejoin_torn_line
from wrkparse.text.window import LineWindow
from wrkparse.tools import event_tools
from wrkparse.tools.columnar.buffers import Indices
from wrkparse.tools.event import Events, EventStream, EventTool

_SHOWN = 100  # characters of a line in a message
# Torn lines of one stream that could not be joined, after which no more are tried: each is tried with many combinations
# of lines, so a log full of them would take long. A diagnostic says so.
_MOST_UNJOINED = 2000
_LineChange = Callable[[bytes], bytes]
_TRIED_TOGETHER = 256  # bad lines whose likely joins are decoded at once; one by one, they take ten times as long


class DecodedLines(NamedTuple):
    """Lines that were decoded, all of them sound, and the state of the decoder after them."""

    lines: Sequence[bytes]
    events: Events
    stream: EventStream


class Trace:
    """One event tool in one stream (``name``) of a source.

    A line is doubtful if only the beginning of a torn event was found in it: it becomes an event, or is dropped.
    """

    def __init__(self, source: str, tool: EventTool, name: str) -> None:
        self.tool, self.name, self._source = tool, name, source
        self._stream: EventStream = tool.stream()
        self._waiting = WaitingLines()
        self._doubtful: set[int] = set()  # numbers of lines
        self._snapshot_key = (-1, -1, -1)
        self._demultiplexer = ProcessDemultiplexer(tool)
        self._unjoined = 0  # torn lines
        self.begins_new_process = True  # with the next event
        self.lines_claimed = 0

    @property
    def first_waiting(self) -> int | None:
        """The number of the first line that waits; None if none waits."""
        return self._waiting.numbers[0] if self._waiting.lines else None

    def keep(self, context: Context, numbers: Sequence[int], lines: Sequence[bytes], stamps: Sequence[str]) -> None:
        """Add lines of the tool, all in this context. They wait for `decode`."""
        waiting = self._waiting
        if self._snapshot_key != context.snapshot_key:
            self._snapshot_key = context.snapshot_key
            waiting.marks.append((len(waiting.lines), context.snapshot(self.tool.name, 0, is_report=False)))
        waiting.numbers += numbers
        waiting.lines += lines
        waiting.stamps += stamps

    def keep_doubtful(self, context: Context, number: int, begin: bytes, stamp: str) -> None:
        """Add a line that may be the beginning of a torn one."""
        self.keep(context, [number], [begin], [stamp])
        self._doubtful.add(number)

    def prepare_decoded(self, lines: Sequence[bytes], events: Events) -> DecodedLines | None:
        """The lines for `take_decoded`, decoded as the continuation of the earlier lines; None while other lines wait.

        All lines must be sound. `events` is the result of a new stream.
        """
        if self._waiting.lines:
            return None
        # a copy: the caller may still find that the block must be read in another way
        stream = copy.deepcopy(self._stream)
        return DecodedLines(lines, stream.follow(events), stream)

    def take_decoded(
        self, context: Context, numbers: Indices, stamps: pa.StringArray | None, decoded: DecodedLines
    ) -> Iterator[Item]:
        """Add lines that were decoded, all in this context."""
        self.keep(context, (), (), ())
        marks, self._waiting.marks = self._waiting.marks, [(0, self._waiting.marks[-1][1])]
        self._stream = decoded.stream
        self.lines_claimed += len(numbers)
        yield from self._rows_by_process(
            decoded.events.tables, decoded.events.starts, LinesToDecode(decoded.lines, numbers, stamps, marks)
        )

    def decode(self, window: LineWindow, upto: int | None = None) -> Iterator[Item]:
        """Decode the lines that wait.

        `upto` is the last line that may have a piece of a torn line. Without it, torn lines wait for more lines.
        """
        if not self._waiting.lines:
            return
        waiting, self._waiting = self._waiting, WaitingLines()
        # decoding changes the state, and repairs decode the same lines again
        stream_before = copy.deepcopy(self._stream)
        events = self._stream.decode(waiting.lines)
        notes: list[Diagnostic] = []
        added = 0  # lines, by splitting others
        if events.bad:
            events, added = self._decode_repaired(waiting, events, stream_before, window, upto, notes)
        if not self._waiting.marks:  # the last context stays in force
            self._waiting.marks = [(0, snapshot) for _, snapshot in waiting.marks[-1:]]
        self.lines_claimed += len(waiting.lines) - len(events.bad) - added
        for index, reason in events.bad:
            # a character has up to 4 bytes
            shown = waiting.lines[index][: 4 * _SHOWN].decode("utf-8", "replace")[:_SHOWN].rstrip()
            message = f"{self.tool.name}: {reason}: {shown}"
            yield Diagnostic(self._source, waiting.numbers[index], "warning", "bad-event", message)
        yield from notes
        yield from self._rows_by_process(events.tables, events.starts, waiting.to_decode())

    def _decode_repaired(
        self,
        waiting: WaitingLines,
        events: Events,
        stream_before: EventStream,
        window: LineWindow,
        upto: int | None,
        notes: list[Diagnostic],
    ) -> tuple[Events, int]:
        """Decode lines again of which some are bad, with the repairs that help; and how many lines were added."""
        added = split_lines(waiting, [index for index, _ in events.bad], self.tool, self._stream)
        if added is not None:
            events = self._decode_again(waiting.lines, stream_before)
        for change in (without_quoted_rest, without_remark):
            events = self._decode_changed(waiting, events, stream_before, partial(change, self.tool))
        if events.bad:
            self._join_pieces(waiting, [index for index, _ in events.bad], window, upto, notes)
            if notes or self._waiting.lines or self._doubtful:
                self._doubtful.intersection_update(self._waiting.numbers)
                events = self._decode_again(waiting.lines, stream_before)
        if self.tool.as_printed:
            events = self._decode_changed(waiting, events, stream_before, self.tool.as_printed)
        return events, added or 0

    def _decode_again(self, lines: list[bytes], stream_before: EventStream) -> Events:
        """Decode lines from the state of the decoder before the first of them."""
        self._stream = copy.deepcopy(stream_before)
        return self._stream.decode(lines)

    def end_runs(self) -> Iterator[Item]:
        """End the open runs."""
        yield from _finished_runs(self._demultiplexer.end_all())

    def close(self) -> Iterator[Item]:
        """End the open runs. A diagnostic says so if lines of several processes alternated."""
        processes = self._demultiplexer.end_all()
        yield from _finished_runs(processes)
        if self._demultiplexer.switches:
            line = max((run.line_end for process in processes if (run := process.run)), default=None)
            ambiguous = self._demultiplexer.ambiguous
            message = "lines of several processes are interleaved; they were separated by their numbers and times"
            message += f"; {ambiguous:,} fit two processes, so parts may be swapped" if ambiguous else ""
            severity: Severity = "warning" if ambiguous else "note"
            yield Diagnostic(self._source, line, severity, "interleaved", f"{self.tool.name}: {message}")

    def _decode_changed(
        self, waiting: WaitingLines, events: Events, stream_before: EventStream, change: _LineChange
    ) -> Events:
        """Decode again, with bad lines changed. A line that is still bad stays unchanged."""
        lines = list(waiting.lines)
        for index, _ in events.bad:
            lines[index] = change(lines[index])
        if lines == waiting.lines:
            return events
        events = self._decode_again(lines, stream_before)
        for index, _ in events.bad:
            lines[index] = waiting.lines[index]
        waiting.lines = lines
        return events

    def _join_pieces(
        self, waiting: WaitingLines, bad: list[int], window: LineWindow, upto: int | None, notes: list[Diagnostic]
    ) -> None:
        """Join bad lines with their pieces. From the first line whose rest may still follow, all lines keep waiting."""
        dropped: list[int] = []
        taken = 0  # the last line that was taken for a piece
        rests = RestFinder(self.tool, self.name, window)
        for group in (bad[at : at + _TRIED_TOGETHER] for at in range(0, len(bad), _TRIED_TOGETHER)):
            torn = [self._torn_line(waiting, index, window, upto, rests) for index in group]
            is_complete = CompletenessCheck(self.tool, self._stream)
            is_complete.check_joins([torn_line for torn_line in torn if torn_line])
            # complete, but in a form that no version prints: `decode` reads them in the end
            complete = {
                group[at] for at in is_complete.indices_if_as_printed([waiting.lines[index] for index in group])
            }
            for index, torn_line in zip(group, torn, strict=True):
                number = waiting.numbers[index]
                # the line was taken for a piece of a line above
                if number <= taken:
                    dropped.append(index)
                    continue
                if torn_line is None:
                    # the lines after it wait, too: the decoder takes lines in their order
                    self._waiting = waiting.split(index)
                    waiting.drop(dropped)
                    return
                joins = torn_line.joins(self.tool)
                found = rejoin_torn_line(
                    torn_line.begin, torn_line.after, joins, torn_line.heads, is_complete, _foreign_line_pattern()
                )
                if found:
                    waiting.lines[index] = found[0].encode()
                    taken = window.number(torn_line.indexes[found[1] - 1])
                    message = f"{self.tool.name}: rejoined from its pieces in lines {number} to {taken}"
                    notes.append(Diagnostic(self._source, number, "note", "mended", message))
                    continue
                if index in complete:
                    continue
                self._unjoined += 1
                if self._unjoined == _MOST_UNJOINED:
                    message = f"{_MOST_UNJOINED:,} torn lines could not be joined; no more of them are tried"
                    notes.append(
                        Diagnostic(self._source, number, "warning", "torn-limit", f"{self.tool.name}: {message}")
                    )
                if number in self._doubtful:
                    dropped.append(index)
        waiting.drop(dropped)

    def _torn_line(
        self, waiting: WaitingLines, index: int, window: LineWindow, upto: int | None, rests: RestFinder
    ) -> TornLine | None:
        """A bad line and the texts that may be its rest; None if more lines must be read first."""
        number, line = waiting.numbers[index], waiting.lines[index]
        begin = line.decode("utf-8", "replace").rstrip("\r")
        if self._unjoined >= _MOST_UNJOINED:
            return TornLine(begin)
        after = window.indexes_after(number, WINDOW_LINES, upto)
        if upto is None and len(after) < WINDOW_LINES:
            return None
        signs = None if self.name or waiting.stamps[index] else window.signs_before(number, begin)
        return rests.torn_line(begin, after, signs)

    def _rows_by_process(self, tables: dict[str, pa.Table], starts: list[int], found: LinesToDecode) -> Iterator[Item]:
        """The rows of lines that were decoded together, process by process."""
        rows = {name: table for name, table in tables.items() if table.num_rows}
        if not rows:
            return
        if self.begins_new_process:
            yield from self.end_runs()
            self.begins_new_process = False
        segments, ended = self._demultiplexer.segments(rows, starts, found.marks, len(found.lines))
        for process, of_process in _segments_by_process(segments):
            parts = {name: _rows_of_segments(table, of_process) for name, table in rows.items()}
            if parts := {name: part for name, part in parts.items() if part.num_rows}:
                yield from self._rows_of_process(process, parts, found)
        yield from _finished_runs(ended)

    def _rows_of_process(self, process: Process, tables: dict[str, pa.Table], found: LinesToDecode) -> Iterator[Item]:
        """The rows of one process, with the columns `run`, `line` and `logged_at`."""
        run = process.run = process.run or self._new_run(tables, found)
        if run.dialect is None and self.tool.main_table in tables:
            _add_dialect_and_labels(run, self.tool, tables[self.tool.main_table], found)
        if found.stamps is not None and len(tables) > 1:  # the first line decides, not the first table
            indices = np.sort(np.concatenate([table["index"].to_numpy() for table in tables.values()]))
            process.clock.begin(found.stamps.take(pa.array(indices)))
        for name, table in tables.items():
            indices = table["index"].to_numpy()
            numbers = found.numbers[indices]
            run.line_end = max(run.line_end, int(numbers[-1]))
            columns = {"run": pa.repeat(run.run, len(numbers)), "line": pa.array(numbers)}
            if found.stamps is not None:
                times = process.clock.times(found.stamps.take(table["index"].combine_chunks()))
                columns["logged_at"] = pa.array(times, pa.timestamp("us"))
            columns |= {each: table[each] for each in table.column_names[1:]}  # without the index
            yield Batch(name, pa.table(columns))

    def _new_run(self, tables: dict[str, pa.Table], found: LinesToDecode) -> Run:
        """The run of a process, at the first of these rows."""
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
def _foreign_line_pattern() -> re.Pattern[str]:
    """Finds where a line of another program, or a common event line, begins in a torn line."""
    return foreign_line_pattern(tool.opening.pattern for tool in event_tools() if tool.opening)


def _add_dialect_and_labels(run: Run, tool: EventTool, main: pa.Table, found: LinesToDecode) -> None:
    """Add the dialect and the labels to a run, from the first row of the tool's main table."""
    run.dialect = tool.dialect or main["era"][0].as_py()
    line = int(found.numbers[main["index"][0].as_py()])
    text = run.text.texts[0].strip() if line == run.line else None
    for column, key in tool.label_columns.items():
        if (value := main[column][0].as_py()) is not None:
            run.labels.append(Label(key, str(value), "report", line, text, "printed"))


def _finished_runs(processes: Iterable[Process]) -> Iterator[Run]:
    """The runs of processes that have ended."""
    return (process.finished_run() for process in processes if process.run)


def _segments_by_process(segments: Sequence[Segment]) -> Iterable[tuple[Process, list[Segment]]]:
    """The segments of each process, in the order of their first segments."""
    found: dict[int, tuple[Process, list[Segment]]] = {}
    for segment in segments:
        found.setdefault(id(segment.process), (segment.process, []))[1].append(segment)
    return found.values()


def _rows_of_segments(table: pa.Table, segments: Sequence[Segment]) -> pa.Table:
    """The rows of the lines in these segments."""
    parts = [_rows_between(table, segment.start, segment.stop) for segment in segments]
    return parts[0] if len(parts) == 1 else pa.concat_tables(parts).combine_chunks()


def _rows_between(table: pa.Table, start: int, stop: int) -> pa.Table:
    """The rows of the lines from one index to before another."""
    low, high = np.searchsorted(table["index"].to_numpy(), [start, stop])
    return table.slice(low, high - low)
