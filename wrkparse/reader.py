"""One source's text → runs, batches of events and diagnostics, block after block in bounded memory.

Two paths give the same result. The careful one looks at every line: tools' rules first, then the context. The fast one
is taken for a block of a long log in which no report and no heading or prompt can stand: there only the event tools'
own search runs. Both hand the same lines to the same decoders.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Generator, Iterable, Iterator
from functools import partial
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wrkparse.context import Context
from wrkparse.events import Trace
from wrkparse.lines import Line, Lines, Page
from wrkparse.prefixes import NOTHING, front, layers
from wrkparse.records import Diagnostic, Label
from wrkparse.reports import DECORATIONS, LONGEST_GAP, Reports, Rules, escaped
from wrkparse.runs import Item
from wrkparse.shell import strip_prompt
from wrkparse.tools import columns, event_tools, report_tools
from wrkparse.tools.base import EventTool, ReportTool

# A block without any of these holds no report line, no prompt, no fence, no heading, nothing to be unwrapped or mended.
_CONTEXT_NEEDLES = (
    b"\n#", b"```", b"~~~", b"$ ", b"]# ", b"\n+ ", b"\n==", b"\n--", "❯".encode(), "➜".encode(),
    b"\x1b", b"\n{", b"stderr P ", b"stdout P ", b"\n@@ ", b"\xc2\xa0", b"&nbsp;",
)  # fmt: skip
_TORN_SIGNS = r"SCHED [^0-9]|gc ?#?[0-9]* ?@?(?:\n|SCHED |level=|time=|ts=|msg=|[0-9]{4}[-/]|[\[{])"
_CONTEXT_SIGNS = "|".join((*map(escaped, _CONTEXT_NEEDLES), _TORN_SIGNS))
_PIECE = 64 << 10
_FEW = 4 << 10  # bytes: RE2 is slow to start
_HEAD = re.compile(rb"[A-Za-z #(]+")  # what each line of a trace begins with
_UNTRIED = 16  # blocks after one in which a line of a trace is torn: others will be
_MOST_STREAMS = 256
_FAR = 20_000  # lines of other processes while a report is open and goes on no more


class SourceReader:
    """Reads one source: `feed` it blocks of whole lines in order, then `finish`."""

    def __init__(self, source: str, source_labels: Iterable[Label] = ()) -> None:
        self.source = source
        self.lines = 0
        self._claimed = 0
        self._context = Context(report_tools(), source_labels)
        self._rules = _rules()
        self._reports = {"": Reports(source, self._context, self._rules)}
        self._untried = 0  # blocks that are not tried as events alone
        self._traces: dict[tuple[str, str], Trace] = {}
        self._tools = event_tools()
        self._printed = Lines()
        self._page = Page()
        self._process_epoch = 0
        self._noted_bytes = False

    @property
    def lines_claimed(self) -> int:
        """Lines that a tool's parser read."""
        return self._claimed + sum(trace.claimed for trace in self._traces.values())

    def feed(self, block: bytes) -> Iterator[Item]:
        """Read a block of UTF-8 text that ends where a line does."""
        yield from self._undecodable(block, self.lines + 1)
        items = self._of_one_tool(block)
        if items is not None:
            yield from items
            return
        for part, plain in self._parts(block):
            yield from self._read(part, plain=plain)

    def _parts(self, block: bytes) -> Iterator[tuple[bytes, bool]]:
        """A block in parts that end where a line does, and whether there is nothing in them but events.

        What has to be read with care should be little; but what stands above a report or a prompt may be its title.
        """
        ends = [0]
        while ends[-1] < len(block):
            ends.append(block.find(b"\n", ends[-1] + _PIECE) + 1 or len(block))
        plain = [(self.lines + start) > 0 and self._only_events(block[start:end]) for start, end in pairwise(ends)]
        plain = [now and after for now, after in zip(plain, [*plain[1:], True], strict=True)]
        at = 0
        while at < len(plain):
            end = at + 1
            while plain[at] and not self._open and end < len(plain) and plain[end]:
                end += 1
            yield block[ends[at] : ends[end]], plain[at]
            at = end

    def _read(self, block: bytes, *, plain: bool) -> Iterator[Item]:
        """Read lines, of which `plain` says that nothing but events is among them."""
        if plain and self._printed.plain and not self._open and not self._reports[""].formatted:
            first = self.lines + 1
            self.lines += block.count(b"\n") + (not block.endswith(b"\n"))
            self._page.turn(partial(_printed, block, first), self._held_from)
            yield from self._collect(block, first)
            yield from self._decode()
            return
        text = block.decode("utf-8", "replace")
        at = 0
        for match, tool in self._rules.wholes(text):
            if match.start() > at:
                yield from self._part(text[at : match.start()])
            yield from self._whole(match, tool)
            at = match.end()
        if at < len(text):
            yield from self._part(text[at:])

    def _whole(self, match: re.Match[str], tool: ReportTool) -> Iterator[Item]:
        """Read a complete report at once, if nothing that is open has a claim on its lines."""
        items = None
        if not self._traces and self._printed.skip(match[0]):
            items = self._reports[""].whole(tool, match, self.lines + 1)
        if items is None:
            yield from self._part(match[0])
            return
        count = match[0].count("\n")
        self.lines += count
        self._claimed += count
        self._context.claimed()
        yield from items

    def _part(self, text: str) -> Iterator[Item]:
        """Read some lines with care."""
        raws = text.removesuffix("\n").split("\n")
        lines = self._printed.feed(raws, self.lines + 1)
        self.lines += len(raws)
        self._page.turn(lambda: lines, self._held_from)
        yield from self._carefully(lines)
        yield from self._decode()

    def _decode(self) -> Iterator[Item]:
        for trace in self._traces.values():
            yield from trace.decode(self._page)

    def settle(self) -> None:
        """Let go of lines that nothing waits for: between two blocks, before the reader is kept."""
        self._page.turn(list, self._held_from)

    def finish(self) -> Iterator[Item]:
        """End what is open."""
        rest = self._printed.finish()
        self._page.turn(lambda: rest, self._held_from)
        yield from self._carefully(rest)
        for reports in self._reports.values():
            yield from reports.close()
        for trace in self._traces.values():
            yield from trace.decode(self._page, self.lines)
            yield from trace.end()

    @property
    def _open(self) -> bool:
        return any(reports.open for reports in self._reports.values())

    @property
    def _held_from(self) -> int | None:
        return min((trace.held_from for trace in self._traces.values() if trace.held_from is not None), default=None)

    def _of_one_tool(self, block: bytes) -> Iterator[Item] | None:
        """What a block says of whose lines each is a sound event of one tool; None, and nothing done, if one is not."""
        busy = not self.lines or not self._printed.plain or self._open or self._held_from or self._reports[""].formatted
        head = _HEAD.match(block)
        if busy or head is None or self._untried or not block.endswith(b"\n"):
            self._untried = max(self._untried - 1, 0)
            return None
        tool = next((tool for tool in self._tools if tool.find.match(block)), None)
        trace = None if tool is None else self._traces.get((tool.name, ""))
        count = block.count(b"\n")
        if trace is None or block.count(b"\n" + head[0]) != count - 1:
            return None
        first = self.lines + 1
        items = trace.whole(self._context, first, columns.Lines(block, count))
        if items is None:
            self._untried = _UNTRIED
            return None
        self.lines += count
        self._page.turn(partial(_printed, block, first), None)
        return items

    def _only_events(self, block: bytes) -> bool:
        """Whether nothing in a block can be of a report that begins in it, nor of the context, nor in pieces."""
        if block.startswith((b"#", b"+ ", b"==", b"--", b"{", b"@@ ")):
            return False
        if not _matches(block, f"{_CONTEXT_SIGNS}|{self._rules.signs}"):
            return True
        if _matches(block, _CONTEXT_SIGNS):
            return False
        signs = f"(?:^|[^A-Za-z])(?:{self._rules.signs})(?:[^A-Za-z]|$)"
        return not any(self._begins(line.plain) for raw in _with(block, signs) for line in _printed(raw, 1))

    def _begins(self, plain: str) -> bool:
        return any(self._rules.begins(plain[before.end :].split()) for before in layers(plain))

    def _find(self, block: bytes) -> Iterator[tuple[EventTool, list[int], list[int], list[tuple[int, int]]]]:
        """The stretches of a block that each event tool takes for its own: their lines, and where those begin."""
        for tool in self._tools:
            if not _holds(block, tool):
                continue
            spans = [match.span() for match in tool.find.finditer(block)]
            if spans:
                ends = np.flatnonzero(np.frombuffer(block, dtype=np.uint8) == ord("\n"))
                indices = np.searchsorted(ends, [start for start, _ in spans])
                begins = np.concatenate([[0], ends + 1])[indices]
                yield tool, indices.tolist(), begins.tolist(), spans

    def _collect(self, block: bytes, first: int) -> Iterator[Item]:
        """Keep the events of a block that holds nothing else of ours."""
        for tool, indices, begins, spans in self._find(block):
            numbers = [first + index for index in indices]
            ahead = [
                block[begin:start] if begin != start else b"" for begin, (start, _) in zip(begins, spans, strict=True)
            ]
            if not any(text and not text.isspace() for text in ahead):
                trace = yield from self._trace(tool, "")
                trace.keep(self._context, numbers, [block[start:end] for start, end in spans], [""] * len(spans))
                continue
            for number, text, (start, end) in zip(numbers, ahead, spans, strict=True):
                before = front(text.decode("utf-8", "replace"))
                trace = yield from self._trace(tool, before.stream)
                trace.keep(self._context, [number], [block[start:end]], [before.stamp])

    def _carefully(self, lines: list[Line]) -> Iterator[Item]:
        text = "\n".join(line.plain for line in lines).encode("utf-8", "replace")
        events: dict[int, list[tuple[EventTool, bytes, bytes]]] = {}
        for tool, indices, begins, spans in self._find(text):
            for index, begin, (start, end) in zip(indices, begins, spans, strict=True):
                events.setdefault(index, []).append((tool, text[begin:start], text[start:end]))
        for index, line in enumerate(lines):
            if index in events:
                for tool, ahead, stretch in events[index]:
                    before = front(ahead.decode("utf-8", "replace"))
                    trace = yield from self._trace(tool, f"{line.stream} {before.stream}".strip())
                    trace.keep(self._context, [line.number], [stretch], [before.stamp or line.stamp])
                self._context.claimed()
            else:
                yield from self._line(line)
            yield from self._begun(line)
            if self._context.process_epoch != self._process_epoch:
                self._process_epoch = self._context.process_epoch
                yield from self._boundary(line.number)

    def _begun(self, line: Line) -> Iterator[Item]:
        """Keep what may be the first piece of an event that is torn before it can be told."""
        if "gc" not in line.plain and "SCHED" not in line.plain:
            return
        before = front(line.plain)
        own = line.plain[before.end :].encode()
        for tool in self._tools:
            if tool.torn.match(own):
                trace = yield from self._trace(tool, f"{line.stream} {before.stream}".strip())
                trace.keep_doubtful(self._context, line.number, own, before.stamp or line.stamp)

    def _trace(self, tool: EventTool, stream: str) -> Generator[Item, None, Trace]:
        """The trace of a tool in a stream; where there are too many, the oldest ends."""
        trace = self._traces.get((tool.name, stream))
        if trace is None:
            if len(self._traces) >= _MOST_STREAMS:
                oldest = self._traces.pop(next(iter(self._traces)))
                yield from oldest.decode(self._page, self.lines)
                yield from oldest.end()
                self._claimed += oldest.claimed
            trace = self._traces[tool.name, stream] = Trace(self.source, tool, stream)
        return trace

    def _line(self, line: Line) -> Iterator[Item]:
        """A line without an event: a report's, or else the context's."""
        words = line.plain.split()
        if not words or (len(words) == 1 and words[0] in DECORATIONS):
            if line.text is not None:
                self._context.feed("", line.number)  # empty, or the empty line of something quoted or commented out
            return
        reports, before = self._reports[""], NOTHING
        for before in layers(line.plain):
            words = line.plain[before.end :].split()
            if not words:
                break
            stream = f"{line.stream} {before.stream}".strip()
            reports = self._reports.get(stream) or Reports(self.source, self._context, self._rules, stream)
            taken, finished = reports.offer(words, line.raw, line.number, before.stamp or line.stamp)
            if taken:
                self._claimed += 1
                self._context.claimed()
                yield from finished
                yield from self._admit(stream, reports)
                return
        if reports.goes_on(line.raw, line.number):
            self._claimed += 1
            self._context.claimed()
            return
        reports.doubt(words, line.raw, line.number)
        if line.text is not None and not reports.verbatim:
            own = line.plain[before.end :]
            typed = before.end and strip_prompt(own.strip()) is not None
            self._context.feed(own if typed else line.text, line.number)
        for other in self._reports.values():
            yield from other.passed(LONGEST_GAP if other is reports else _FAR)

    def _admit(self, stream: str, reports: Reports) -> Iterator[Item]:
        """Remember the stream's report; where there are too many, the oldest ends."""
        if stream not in self._reports and len(self._reports) >= _MOST_STREAMS:
            oldest = next(key for key in self._reports if key)
            yield from self._reports.pop(oldest).close()
        self._reports[stream] = reports

    def _undecodable(self, block: bytes, first: int) -> Iterator[Item]:
        if self._noted_bytes or block.isascii():
            return
        try:
            block.decode()
        except UnicodeDecodeError as problem:
            said = "not UTF-8 from here on; what can't be decoded is shown as U+FFFD"
            yield Diagnostic(self.source, first + block.count(b"\n", 0, problem.start), "note", "undecodable", said)
            self._noted_bytes = True

    def _boundary(self, number: int) -> Iterator[Item]:
        """Another process may have begun: what was found so far belongs to the ones before."""
        for trace in self._traces.values():
            yield from trace.decode(self._page, number)
            trace.begin_anew = True


@functools.cache
def _rules() -> Rules:
    return Rules(report_tools())


def _printed(block: bytes, first: int) -> list[Line]:
    return Lines().feed(block.decode("utf-8", "replace").removesuffix("\n").split("\n"), first)


def _with(block: bytes, pattern: str) -> Iterator[bytes]:
    """The lines in which RE2 finds a pattern."""
    ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n")) + 1
    offsets = np.unique(np.concatenate([[0], ends, [len(block)]])).astype(np.int32)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(block)]
    lines = pa.Array.from_buffers(pa.binary(), len(offsets) - 1, buffers)
    for place in np.flatnonzero(pc.match_substring_regex(lines, pattern).to_numpy(zero_copy_only=False)):
        yield block[offsets[place] : offsets[place + 1]]


def _holds(block: bytes, tool: EventTool) -> bool:
    """Whether a line of the tool may be in a block."""
    if tool.needle in block or not tool.also:
        return tool.needle in block
    if len(block) < _FEW:
        return any(needle in block for needle in tool.also)
    return _matches(block, "|".join(map(escaped, tool.also)))


def _matches(block: bytes, pattern: str) -> bool:
    """Whether RE2 finds a pattern: it looks for many words in one pass, sixteen times as fast as `in` one by one."""
    found: bool = pc.match_substring_regex(pa.array([block], pa.large_binary()), pattern)[0].as_py()
    return found
