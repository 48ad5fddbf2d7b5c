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
from itertools import chain, groupby, starmap

import numpy as np

from wrkparse.context.document import Context
from wrkparse.model.records import Diagnostic, Label
from wrkparse.parse.dispatch import MOST_STREAMS, Dispatcher, matcher, negative_cache
from wrkparse.parse.event_scan import CommonEvents, ScannedBlock, find_in_lines, find_in_pieces, scan_block
from wrkparse.parse.items import Item
from wrkparse.parse.pending import BARS_COMPLETE, BARS_EVENTS, BARS_SCAN, EVENT, REPORT, START, UNWRAP
from wrkparse.parse.prefilter import Content, Piece, classify
from wrkparse.parse.traces import Trace, Tried
from wrkparse.text.normalize import LineNormalizer, NormalizedLine
from wrkparse.text.prefixes import PrefixReader, longest_prefix
from wrkparse.text.window import LineWindow
from wrkparse.tools import event_tools, report_tools
from wrkparse.tools.base import ReportTool
from wrkparse.tools.columnar.buffers import breaks
from wrkparse.tools.event import EventTool, pieces_of
from wrkparse.tools.layout import ReportLayout

_Found = tuple[EventTool, list[int], list[bytes], list[bytes]]  # numbers of lines, what is ahead of events, events
_SMALL = 64 << 10
_TOGETHER = 64  # pieces that are read with care in one go
_FEW = 4 << 10  # bytes: RE2 is slow to start
_SIGNS = b"> |#*/"  # of a quotation, a comment


class SourceParser:
    """Reads one source: `feed` it blocks of whole lines in order, then `finish`."""

    def __init__(self, source: str, source_labels: Iterable[Label] = ()) -> None:
        self.source = source
        self.lines = 0
        self._claimed = 0
        self._context = Context(report_tools(), source_labels)
        self._dispatcher = Dispatcher(source, self._context)
        self._traces: dict[tuple[str, str], Trace] = {}
        self._tools = event_tools()
        self._printed = LineNormalizer()
        self._window = LineWindow()
        self._process_epoch = 0
        self._noted_bytes = False

    @property
    def lines_claimed(self) -> int:
        """Lines that a tool's parser read."""
        return self._claimed + self._dispatcher.claimed + sum(trace.claimed for trace in self._traces.values())

    def feed(self, block: bytes, scanned: ScannedBlock | None = None) -> Iterator[Item]:
        """Read a block of UTF-8 text that ends where a line does; `scanned` is what the block scanner found in it."""
        yield from self._undecodable(block, self.lines + 1)
        head = 0 if self.lines or len(block) <= _SMALL else block.find(b"\n", _FEW) + 1
        for part in filter(None, (block[:head], block[head:])):
            if self._pending & BARS_SCAN:
                scanned = None
            elif scanned is None:
                scanned = scan_block(part)
            items = scanned and self._taken(scanned)
            if items is None:
                items = chain.from_iterable(starmap(self._read, self._parts(part)))
            yield from items
            scanned = None

    def _parts(self, block: bytes) -> Iterator[tuple[bytes, list[Piece]]]:
        """A block in parts: lines that need care, or that are near ones, in small ones; the others together."""
        if not self.lines and len(block) <= _SMALL:
            yield block, [Piece(0, len(block), Content.LINES)]
            return
        pieces = classify(block)
        if not self.lines:
            pieces[0] = pieces[0]._replace(content=Content.LINES)
        at = 0
        while at < len(pieces):
            by_line = pieces[at].by_line
            most = _TOGETHER if by_line else 1 if self._pending & REPORT else len(pieces)
            end = at + 1
            while end < min(at + most, len(pieces)) and pieces[end].by_line == by_line:
                end += 1
            yield block[pieces[at].start : pieces[end - 1].end], pieces[at:end]
            at = end

    def _read(self, block: bytes, pieces: list[Piece]) -> Iterator[Item]:
        """Read lines, those in these pieces of the whole block."""
        found = None
        if not pieces[0].by_line and not self._pending & BARS_EVENTS:
            found = self._collected(block, self.lines + 1, pieces)
        if found is not None:
            self._window.advance(partial(_printed, block, self.lines + 1), self._held_from)
            self.lines += block.count(b"\n") + (not block.endswith(b"\n"))
            for events in found:
                yield from self._keep(*events)
            yield from self._decode()
            return
        text = block.decode("utf-8", "replace")
        if self._pending & (START | UNWRAP):
            yield from self._lines(self._printed.release_opening(text))
        at = 0
        for match, tool, layout in matcher().complete_reports(text):
            if match.start() > at:
                yield from self._between(text[at : match.start()])
            yield from self._complete(match, tool, layout)
            at = match.end()
        if at < len(text):
            yield from self._between(text[at:])

    def _complete(self, match: re.Match[str], tool: ReportTool, layout: ReportLayout) -> Iterator[Item]:
        """Read a complete report in one piece, unless something that is open may have a claim on its lines."""
        barred = self._pending & BARS_COMPLETE
        items = None if barred else self._dispatcher.take_complete(tool, layout, match, self.lines + 1)
        if items is None:
            yield from self._between(match[0])
            return
        self.lines += match[0].count("\n")
        yield from items

    def _between(self, text: str) -> Iterator[Item]:
        """Read lines that are no complete report: those known to be the page's at once, the others with care."""
        lines = text.removesuffix("\n").split("\n")
        barred = self._pending & BARS_COMPLETE
        if barred:
            yield from self._feed(lines)
            return
        careful: list[str] = []
        for of_page, group in groupby(lines, negative_cache().has):
            if not of_page:
                careful += group
                continue
            if careful:
                yield from self._feed(careful)
                barred = self._pending & BARS_COMPLETE
            page = list(group)
            taken, items = (0, ()) if barred else self._dispatcher.take_page_lines(page, self.lines + 1)
            self.lines += taken
            yield from items
            careful = page[taken:]
        if careful:
            yield from self._feed(careful)

    @property
    def _pending(self) -> int:
        """What is open, as the bits of `parse.pending`."""
        pending = self._dispatcher.pending
        if self._printed.at_start:
            pending |= START
        if self._printed.unwrapping:
            pending |= UNWRAP
        if self._traces and self._held_from is not None:
            pending |= EVENT
        return pending

    def _feed(self, raws: list[str]) -> Iterator[Item]:
        lines = self._printed.feed(raws, self.lines + 1)
        self.lines += len(raws)
        yield from self._lines(lines)

    def _lines(self, lines: list[NormalizedLine]) -> Iterator[Item]:
        if not lines:
            return
        self._window.advance(lambda: lines, self._held_from)
        yield from self._carefully(lines)
        yield from self._decode()

    def _decode(self) -> Iterator[Item]:
        for trace in self._traces.values():
            yield from trace.decode(self._window)

    def settle(self) -> None:
        """Let go of lines that nothing waits for: between two blocks, before the reader is kept."""
        self._window.advance(list, self._held_from)

    def finish(self) -> Iterator[Item]:
        """End what is open."""
        rest = self._printed.finish()
        self._window.advance(lambda: rest, self._held_from)
        yield from self._carefully(rest) if rest else ()
        yield from self._dispatcher.close()
        for trace in self._traces.values():
            yield from trace.decode(self._window, self.lines)
            yield from trace.close()

    @property
    def _held_from(self) -> int | None:
        return min((trace.held_from for trace in self._traces.values() if trace.held_from is not None), default=None)

    def _taken(self, scanned: ScannedBlock) -> Iterator[Item] | None:
        """Take in a block's events; None, and nothing done, if there are too many streams or a line waits in one."""
        taken: list[tuple[Trace, CommonEvents, Tried]] = []
        for some, events in scanned.events:
            trace = self._traces.get((some.tool.name, some.stream))
            if trace is None and len(self._traces) + len(taken) >= MOST_STREAMS:
                return None
            trace = trace or Trace(self.source, some.tool, some.stream)
            tried = trace.tried(some.lines, events)
            if tried is None:
                return None
            taken.append((trace, some, tried))
        return self._gone_on(scanned, taken)

    def _gone_on(self, scanned: ScannedBlock, taken: list[tuple[Trace, CommonEvents, Tried]]) -> Iterator[Item]:
        first = self.lines + 1
        self.lines += scanned.lines
        self._window.advance(partial(_printed, scanned.block, first), None)
        for trace, some, tried in taken:
            self._traces[trace.tool.name, trace.name] = trace
            yield from trace.take(self._context, some.indices + first, some.stamps, tried)

    def _collected(self, block: bytes, first: int, pieces: list[Piece]) -> list[_Found] | None:
        """The events of a block that holds nothing else of ours; None if one is in a record of JSON or in markup."""
        where = [piece for piece in pieces if piece.content]
        ends, marked = breaks(block), _marked(block)
        collected: list[_Found] = []
        for tool in self._tools if where else ():
            found = find_in_pieces(where, tool, block, pieces[0].start)
            if found:
                starts = np.array([match.start() for match in found])
                indices = np.searchsorted(ends, starts)
                begins = np.append(0, ends + 1)[indices]
                ahead = [block[begin:start] for begin, start in zip(begins.tolist(), starts.tolist(), strict=True)]
                if any(text.startswith(b"{") for text in ahead) or (
                    marked and any(_marked(match[0]) for match in found)
                ):
                    return None
                collected.append((tool, (first + indices).tolist(), ahead, [match[0] for match in found]))
        return collected

    def _keep(self, tool: EventTool, numbers: list[int], ahead: list[bytes], texts: list[bytes]) -> Iterator[Item]:
        """Keep events of a tool, each in the stream that what stands ahead of it names."""
        if not any(ahead):
            trace = yield from self._trace(tool, "")
            trace.keep(self._context, numbers, texts, [""] * len(texts))
            return
        prefixes = PrefixReader()
        streams: dict[str, list[tuple[int, bytes, str]]] = {}
        for number, before, text in zip(numbers, ahead, texts, strict=True):
            stamp, stream = prefixes.stamp_and_stream(before)
            streams.setdefault(stream, []).append((number, text, stamp))
        for stream, kept in streams.items():
            trace = yield from self._trace(tool, stream)
            trace.keep(self._context, *zip(*kept, strict=True))

    def _carefully(self, lines: list[NormalizedLine]) -> Iterator[Item]:
        text = "\n".join([line.plain for line in lines])
        tools = [tool for tool in self._tools if any(map(text.__contains__, tool.words))]
        events = find_in_lines(lines, tools) if tools else {}
        for index, line in enumerate(lines):
            if index in events:
                yield from self._dispatcher.release()
                yield from self._begun_anew(line.number)
                for tool, ahead, stretch in events[index]:
                    before = longest_prefix(ahead.decode("utf-8", "replace"))
                    trace = yield from self._trace(tool, f"{line.stream} {before.stream}".strip())
                    trace.keep(self._context, [line.number], [stretch], [before.stamp or line.stamp])
                self._context.line_claimed()
            elif found := self._dispatcher.take(line):
                yield from found
            if _event_pieces().search(line.plain):
                yield from self._begun(line, [(tool, stretch) for tool, _, stretch in events.get(index, ())])
            if self._context.process_epoch != self._process_epoch:
                yield from self._begun_anew(line.number)

    def _begun(self, line: NormalizedLine, kept: list[tuple[EventTool, bytes]]) -> Iterator[Item]:
        """Keep what may be the first piece of an event that is torn before it can be told, or the last of one."""
        before = longest_prefix(line.plain)
        own = line.plain[before.end :].encode()
        stream = f"{line.stream} {before.stream}".strip()
        for tool in self._tools:
            if tool.torn.match(own) and (tool, own) not in kept:
                trace = yield from self._trace(tool, stream)
                trace.keep_doubtful(self._context, line.number, own, before.stamp or line.stamp)
            elif tool.continuation.fullmatch(own.strip(_SIGNS)) and (tool.name, stream) in self._traces:
                self._traces[tool.name, stream].keep(self._context, [line.number], [own.strip(_SIGNS)], [before.stamp])

    def _trace(self, tool: EventTool, stream: str) -> Generator[Item, None, Trace]:
        """The trace of a tool in a stream; where there are too many, the oldest ends."""
        trace = self._traces.get((tool.name, stream))
        if trace is None:
            if len(self._traces) >= MOST_STREAMS:
                oldest = self._traces.pop(next(iter(self._traces)))
                yield from oldest.decode(self._window, self.lines)
                yield from oldest.end()
                self._claimed += oldest.claimed
            trace = self._traces[tool.name, stream] = Trace(self.source, tool, stream)
        return trace

    def _undecodable(self, block: bytes, first: int) -> Iterator[Item]:
        if self._noted_bytes or block.isascii():
            return
        try:
            block.decode()
        except UnicodeDecodeError as problem:
            said = "not UTF-8 from here on; what can't be decoded is shown as U+FFFD"
            yield Diagnostic(self.source, first + block.count(b"\n", 0, problem.start), "note", "undecodable", said)
            self._noted_bytes = True

    def _begun_anew(self, number: int) -> Iterator[Item]:
        """Where another process may have begun, what was found so far belongs to the ones before."""
        if self._context.process_epoch == self._process_epoch:
            return
        self._process_epoch = self._context.process_epoch
        for trace in self._traces.values():
            yield from trace.decode(self._window, number)
            trace.begin_anew = True


@functools.cache
def _event_pieces() -> re.Pattern[str]:
    """Finds a text that any line with a piece of an event line contains."""
    return pieces_of(event_tools())


def _marked(text: bytes) -> bool:
    return b"<" in text or b"&" in text


def _printed(block: bytes, first: int) -> list[NormalizedLine]:
    return LineNormalizer().feed(block.decode("utf-8", "replace").removesuffix("\n").split("\n"), first)
