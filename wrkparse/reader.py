"""One source's text → runs, batches of events and diagnostics, block after block in bounded memory.

Two paths give the same result. The careful one looks at every line: tools' rules first, then the context. The fast one
is taken for a block of a long log in which no report and no heading or prompt can stand: there only the event tools'
own search runs. Both hand the same lines to the same decoders.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wrkparse.context import Context, Snapshot
from wrkparse.records import Diagnostic, Label, Measurement
from wrkparse.tools import event_tools, report_tools
from wrkparse.tools.base import EventStream, EventTool, Report, ReportTool, Rule, key_of

# Lines that a report may be interrupted by: a server's log between wrk's header and its table, a script's own output.
_LONGEST_GAP = 200
_DECORATIONS = frozenset({">", "#", "//", "*", "|", "-", "+", ">>", ">>>", "##", "^C"})
# A block without any of these holds no report line, no prompt, no fence and no heading.
_CONTEXT_NEEDLES = (b"\n#", b"```", b"~~~", b"$ ", b"]# ", b"\n+ ", b"\n==", b"\n--", "❯".encode(), "➜".encode())
# The time that docker logs, CI systems and ts(1) put in front of each line, in one word or two.
_STAMP = re.compile(
    r"\[?(?:[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:.,]+(?:Z|[+-][0-9:]+)?)?|[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]+)?Z?)\]?"
)
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")  # colours and the like (ECMA-48 control sequences)
_MOST_DECORATIONS = 8  # what stands behind more of them is a drawing
_MAX_TEXT = 400  # lines of a report kept as its text
_SHOWN = 100


@dataclass(slots=True)
class Run:
    """One invocation of a tool, or one process's trace, with all that was said of it."""

    run: str
    tool: str
    source: str
    line: int
    line_end: int
    section: str
    command: str | None
    version: str | None = None
    dialect: str | None = None
    labels: list[Label] = field(default_factory=list)
    measurements: list[Measurement] = field(default_factory=list)
    rows: dict[str, list[tuple[object, ...]]] = field(default_factory=dict)
    text: list[tuple[int, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of an event table, with `run` and `line`."""

    table: str
    rows: pa.Table


Item = Run | Batch | Diagnostic


def run_id(source: str, line: int, tool: str, text: str) -> str:
    """The stable identifier of a run: the same text at the same place has the same."""
    key = f"{source}\0{line}\0{tool}\0{text}".encode(errors="surrogateescape")
    return hashlib.blake2b(key, digest_size=6).hexdigest()


class _Rules:
    """Every rule of the report tools by the words that it is looked up by."""

    def __init__(self, tools: Sequence[ReportTool]) -> None:
        self.by_key: dict[str, list[tuple[ReportTool, Rule]]] = {}
        for tool in tools:
            for key, rule in tool.keys:
                self.by_key.setdefault(key, []).append((tool, rule))
        # bytes that a block must hold for any rule to match; "" and "%" are keys of lines within a report only
        begins = {key for key, found in self.by_key.items() if any(not rule.inside for _, rule in found)}
        self.needles = tuple(key.encode() for key in sorted(begins) if key not in ("", "%"))

    def candidates(self, words: list[str]) -> Iterator[tuple[ReportTool, Rule]]:
        keys = dict.fromkeys((key_of(words[0]), key_of(words[1]) if len(words) > 1 else "", key_of(words[-1])))
        for key in keys:
            yield from self.by_key.get(key, ())


class _Reports:
    """The report that is open, if one is."""

    def __init__(self, source: str, context: Context, rules: _Rules) -> None:
        self._source, self._context, self._rules = source, context, rules
        self._tool: ReportTool | None = None
        self._report: Report | None = None
        self._snapshot: Snapshot | None = None
        self._epoch = 0
        self._gap = 0

    @property
    def open(self) -> bool:
        """Whether the next line may belong to a report that has begun."""
        return self._report is not None

    def offer(self, words: list[str], raw: str, line: int) -> tuple[bool, list[Item]]:
        """Try a line on the rules; returns whether one took it, and what was finished by it."""
        for _ in range(_MOST_DECORATIONS + 1):
            for tool, rule in self._rules.candidates(words):
                if rule.inside and not self._continues(tool, rule):
                    continue
                match = rule.pattern.fullmatch(" ".join(words))
                if match is not None:
                    finished = self._open(tool, rule, line)
                    self._take(rule, raw, line)
                    assert self._report is not None
                    rule.read(self._report, match, line)
                    return True, finished
            # decorations: time stamps, quote marks, comment signs, bullets, as words of their own or glued in front
            if len(words) > 1 and (words[0] in _DECORATIONS or _STAMP.fullmatch(words[0])):
                words = words[1:]
            elif words[0][0] in ">|" and len(words[0].lstrip(">|")):
                words = [words[0].lstrip(">|"), *words[1:]]
            else:
                break
        return False, []

    def passed(self) -> list[Item]:
        """A line went by that was not the report's."""
        self._gap += 1
        return self.close() if self._report and (self._gap > _LONGEST_GAP or self._ended()) else []

    def close(self) -> list[Item]:
        """End the open report: a run if it holds results, else a fragment."""
        report, tool, snapshot = self._report, self._tool, self._snapshot
        self._report = self._tool = None
        if report is None or tool is None or snapshot is None:
            return []
        tool.finish(report)
        if report.mode == "foreign":
            return []
        if not report.seen & tool.evidence:
            return [*report.diagnostics, self._fragment(report)]
        run = Run(
            run_id(self._source, report.line, report.tool, "\n".join(line for _, line in report.text)),
            report.tool, self._source, report.line, report.line_end, snapshot.section, snapshot.command,
            report.version, report.dialect, [*snapshot.labels, *report.labels], report.measurements, report.rows,
            report.text[:_MAX_TEXT],
        )  # fmt: skip
        return [*report.diagnostics, run]

    def _ended(self) -> bool:
        return self._epoch != self._context.epoch

    def _continues(self, tool: ReportTool, rule: Rule) -> bool:
        """Whether a line of this rule can be the open report's next."""
        report = self._report
        if report is None or self._tool is not tool or self._ended():
            return False
        return rule.rank > report.rank or (rule.rank == report.rank and rule.repeat)

    def _open(self, tool: ReportTool, rule: Rule, line: int) -> list[Item]:
        if self._continues(tool, rule):
            return []
        finished = self.close()
        self._tool = tool
        self._report = Report(tool.name, self._source, line, line)
        self._snapshot = self._context.snapshot(tool.name, line)
        self._epoch = self._context.epoch
        return finished

    def _take(self, rule: Rule, raw: str, line: int) -> None:
        report = self._report
        assert report is not None
        report.rank = rule.rank
        report.seen.add(rule.kind)
        report.line_end = line
        report.text.append((line, raw))
        self._gap = 0

    def _fragment(self, report: Report) -> Diagnostic:
        return Diagnostic(
            self._source, report.line, "warning", "fragment",
            f"{report.tool}: {' and '.join(sorted(report.seen))} without results; no run (was it stopped early?)",
        )  # fmt: skip


@dataclass(slots=True)
class _Trace:
    """One event tool in one source: its stream, the lines waiting for it, and the run they belong to.

    ``marks`` say from which of the waiting lines on which context was in force.
    """

    tool: EventTool
    stream: EventStream
    lines: list[bytes] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    marks: list[tuple[int, Snapshot]] = field(default_factory=list)
    epoch: int = -1
    run: Run | None = None
    begin_anew: bool = True

    def mark(self, context: Context) -> None:
        """Remember what the next line stands under, if that has changed."""
        if self.epoch != context.epoch:
            self.epoch = context.epoch
            self.marks.append((len(self.lines), context.snapshot(self.tool.name, 0, is_report=False)))

    def take(self) -> tuple[list[bytes], list[int], list[tuple[int, Snapshot]]]:
        """The waiting lines, their numbers and marks; the last context stays in force."""
        taken = self.lines, self.numbers, self.marks
        self.lines, self.numbers, self.marks = [], [], [(0, snapshot) for _, snapshot in self.marks[-1:]]
        return taken


class _Waiting(NamedTuple):
    """What a trace had waiting when it was decoded."""

    lines: list[bytes]
    numbers: npt.NDArray[np.int64]
    marks: list[tuple[int, Snapshot]]


class SourceReader:
    """Reads one source: `feed` it blocks of whole lines in order, then `finish`."""

    def __init__(self, source: str, source_labels: Iterable[Label] = ()) -> None:
        self.source = source
        self.lines = 0
        self.lines_claimed = 0
        self._context = Context(report_tools(), source_labels)
        self._rules = _Rules(report_tools())
        self._reports = _Reports(source, self._context, self._rules)
        self._signs = "|".join(_escaped(needle) for needle in (*_CONTEXT_NEEDLES, *self._rules.needles))
        self._traces = [_Trace(tool, tool.stream()) for tool in event_tools()]
        self._process_epoch = 0
        self._noted_bytes = False

    def feed(self, block: bytes) -> Iterator[Item]:
        """Read a block of UTF-8 text that ends where a line does."""
        first = self.lines + 1
        count = block.count(b"\n") + (not block.endswith(b"\n"))
        if self.lines and not self._reports.open and self._only_events(block):
            self._collect(block, first)
        else:
            yield from self._carefully(block, first)
        self.lines += count
        for trace in self._traces:
            yield from self._decode(trace)

    def finish(self) -> Iterator[Item]:
        """End what is open."""
        yield from self._reports.close()
        for trace in self._traces:
            yield from self._end(trace)

    def _only_events(self, block: bytes) -> bool:
        if block.startswith((b"#", b"+ ", b"==", b"--")):
            return False
        # RE2 looks for all of them in one pass, sixteen times as fast as looking for each with `in`
        text = pa.array([block], pa.large_binary())
        return not pc.match_substring_regex(text, self._signs)[0].as_py()

    def _find(self, block: bytes, first: int) -> Iterator[tuple[_Trace, list[int], list[bytes]]]:
        """The stretches of a block that each event tool takes for its own, with their line numbers."""
        for trace in self._traces:
            if trace.tool.needle not in block:
                continue
            spans = [match.span() for match in trace.tool.find.finditer(block)]
            if not spans:
                continue
            ends = np.flatnonzero(np.frombuffer(block, dtype=np.uint8) == ord("\n"))
            numbers = first + np.searchsorted(ends, [start for start, _ in spans])
            yield trace, numbers.tolist(), [block[start:end] for start, end in spans]

    def _collect(self, block: bytes, first: int) -> None:
        for trace, numbers, lines in self._find(block, first):
            trace.mark(self._context)
            trace.numbers += numbers
            trace.lines += lines

    def _carefully(self, block: bytes, first: int) -> Iterator[Item]:
        events: dict[int, list[tuple[_Trace, bytes]]] = {}
        for trace, numbers, stretches in self._find(block, first):
            for number, stretch in zip(numbers, stretches, strict=True):
                events.setdefault(number, []).append((trace, stretch))
        lines = block.decode("utf-8", "replace").removesuffix("\n").split("\n")
        yield from self._undecodable(block, first)
        for number, raw in enumerate(lines, first):
            if number in events:
                self._keep(number, events[number])
            elif finished := self._line(raw, number):
                yield from finished
            if self._context.process_epoch != self._process_epoch:
                self._process_epoch = self._context.process_epoch
                yield from self._boundary()

    def _keep(self, number: int, found: list[tuple[_Trace, bytes]]) -> None:
        for trace, stretch in found:
            trace.mark(self._context)
            trace.numbers.append(number)
            trace.lines.append(stretch)
        self._context.claimed()

    def _line(self, raw: str, number: int) -> list[Item]:
        """A line without an event: a report's, or else the context's; returns what it finished."""
        shown = _ESCAPES.sub("", raw) if "\x1b" in raw else raw
        words = shown.split()
        if not words or (len(words) == 1 and words[0] in _DECORATIONS):
            self._context.feed("", number)  # empty, or the empty line of something quoted or commented out
            return []
        taken, finished = self._reports.offer(words, raw, number)
        if taken:
            self.lines_claimed += 1
            self._context.claimed()
            return finished
        self._context.feed(shown, number)
        return self._reports.passed()

    def _undecodable(self, block: bytes, first: int) -> Iterator[Item]:
        try:
            block.decode()
        except UnicodeDecodeError as problem:
            if not self._noted_bytes:
                said = "not UTF-8 from here on; what can't be decoded is shown as U+FFFD"
                yield Diagnostic(self.source, first + block.count(b"\n", 0, problem.start), "note", "undecodable", said)
            self._noted_bytes = True

    def _boundary(self) -> Iterator[Item]:
        """Another process may have begun: what was found so far belongs to the ones before."""
        for trace in self._traces:
            yield from self._decode(trace)
            trace.begin_anew = True

    def _decode(self, trace: _Trace) -> Iterator[Item]:
        if not trace.lines:
            return
        lines, line_numbers, marks = trace.take()
        waiting = _Waiting(lines, np.array(line_numbers), marks)
        events = trace.stream.decode(lines)
        self.lines_claimed += len(lines) - len(events.bad)
        for index, reason in events.bad:
            message = f"{trace.tool.name}: {reason}: {lines[index][:_SHOWN].decode('utf-8', 'replace').rstrip()}"
            yield Diagnostic(self.source, line_numbers[index], "warning", "bad-event", message)
        rows = {name: table for name, table in events.tables.items() if table.num_rows}
        if not rows:
            return
        lowest = min(table["index"][0].as_py() for table in rows.values())
        cuts = sorted({index for index in events.starts if index > lowest})
        if trace.begin_anew or (events.starts and events.starts[0] <= lowest):
            yield from self._end(trace)
        for start, stop in pairwise([lowest, *cuts, len(lines)]):
            if start != lowest:
                yield from self._end(trace)
            parts = {name: _between(table, start, stop) for name, table in rows.items()}
            yield from self._rows(trace, {name: part for name, part in parts.items() if part.num_rows}, waiting)

    def _rows(self, trace: _Trace, tables: dict[str, pa.Table], waiting: _Waiting) -> Iterator[Item]:
        """The rows of one process among those that were decoded together."""
        if not tables:
            return
        trace.begin_anew = False
        trace.run = trace.run or self._begin(trace.tool, tables, waiting)
        for name, table in tables.items():
            numbers = waiting.numbers[table["index"].to_numpy()]
            trace.run.line_end = max(trace.run.line_end, int(numbers[-1]))
            columns = [pa.repeat(trace.run.run, len(numbers)), pa.array(numbers), *table.columns[1:]]
            yield Batch(name, pa.table(columns, names=["run", "line", *table.column_names[1:]]))

    def _begin(self, tool: EventTool, tables: dict[str, pa.Table], waiting: _Waiting) -> Run:
        first = min(table["index"][0].as_py() for table in tables.values())
        line = int(waiting.numbers[first])
        text = waiting.lines[first].decode("utf-8", "replace").rstrip()
        snapshot = next(found for at, found in reversed(waiting.marks) if at <= first)
        run = Run(
            run_id(self.source, line, tool.name, text), tool.name, self.source, line, line, snapshot.section,
            snapshot.command, labels=list(snapshot.labels), text=[(line, text)],
        )  # fmt: skip
        if tool.main in tables:
            head = tables[tool.main].slice(0, 1).to_pylist()[0]
            run.dialect = head["era"]
            said_at = int(waiting.numbers[head["index"]])
            for column, key in tool.reports.items():
                if head[column] is not None:
                    run.labels.append(Label(key, str(head[column]), "report", said_at))
        return run

    def _end(self, trace: _Trace) -> Iterator[Item]:
        run, trace.run = trace.run, None
        if run is not None:
            yield run


def _escaped(needle: bytes) -> str:
    """Bytes as a pattern of RE2, which reads binary data as Latin-1."""
    return "".join(chr(byte) if chr(byte).isalnum() and byte < 128 else f"\\x{byte:02x}" for byte in needle)


def _between(table: pa.Table, start: int, stop: int) -> pa.Table:
    """The rows that came from the lines of these indices."""
    low, high = np.searchsorted(table["index"].to_numpy(), [start, stop])
    return table.slice(low, high - low)
