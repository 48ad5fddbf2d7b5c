"""Gives each event line of a source to the trace of its tool and its stream."""

from __future__ import annotations

import functools
import re
from collections.abc import Generator, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from wrkparse.context.page.document import Context
from wrkparse.model.records import Diagnostic
from wrkparse.parse.events.literals import StringLiterals, opens_literal
from wrkparse.parse.events.scan import CommonEvents, ScannedBlock, find_events_in_pieces
from wrkparse.parse.events.traces import DecodedLines, Trace
from wrkparse.parse.items import Item
from wrkparse.parse.pending import MOST_STREAMS, OPEN_EVENT
from wrkparse.parse.prefilter import BlockPiece
from wrkparse.text.normalize import NormalizedLine
from wrkparse.text.window import LineWindow
from wrkparse.text.wrapping.prefixes import PrefixReader, has_markup, longest_prefix
from wrkparse.tools import event_tools
from wrkparse.tools.columnar.buffers import line_breaks
from wrkparse.tools.event import EventTool, piece_word_pattern

_QUOTE_SIGNS = b"> |#*/"  # of a quotation or a comment


class FoundEvents(NamedTuple):
    """Event lines of one tool in a block: their numbers, the text in front of each event, and the events."""

    tool: EventTool
    numbers: list[int]
    fronts: list[bytes]
    texts: list[bytes]


class EventDispatcher:
    """Has the traces of a source. They keep lines until `decode` turns these into columns, many at a time."""

    def __init__(self, source: str, context: Context, window: LineWindow) -> None:
        self._source, self._context, self._window = source, context, window
        self._traces: dict[tuple[str, str], Trace] = {}
        self._claimed = 0  # lines of traces that have ended
        self._process_epoch = 0
        self._literals = StringLiterals(source)

    @property
    def lines_claimed(self) -> int:
        """The number of lines that were read as events."""
        claimed = self._claimed
        for trace in self._traces.values():
            claimed += trace.lines_claimed
        return claimed

    @property
    def has_traces(self) -> bool:
        """Whether a trace is open."""
        return bool(self._traces)

    @property
    def first_waiting(self) -> int | None:
        """The first line that waits in a trace for lines after it; None if none waits."""
        waiting = (trace.first_waiting for trace in self._traces.values())
        return min((number for number in waiting if number is not None), default=None)

    @property
    def pending(self) -> int:
        """The bit of `parse.pending` that may be set: OPEN_EVENT."""
        return OPEN_EVENT if self._traces and self.first_waiting is not None else 0

    def take_scanned(self, scanned: ScannedBlock, first: int) -> Iterator[Item] | None:
        """Take the events that the block scanner found in a block, whose first line has the number ``first``.

        Returns None, and takes nothing, if there are too many streams or a trace can't take them as they are.
        """
        if self._literals.may_be_in_literal(first):
            return None
        taken: list[tuple[Trace, CommonEvents, DecodedLines]] = []
        for some, events in scanned.events:
            trace = self._traces.get((some.tool.name, some.stream))
            if trace is None and len(self._traces) + len(taken) >= MOST_STREAMS:
                return None
            trace = trace or Trace(self._source, some.tool, some.stream)
            decoded = trace.prepare_decoded(some.lines, events)
            if decoded is None:
                return None
            taken.append((trace, some, decoded))
        return self._take_decoded(taken, first)

    def _take_decoded(self, taken: list[tuple[Trace, CommonEvents, DecodedLines]], first: int) -> Iterator[Item]:
        """Add the decoded lines to their traces."""
        for trace, some, decoded in taken:
            self._traces[trace.tool.name, trace.name] = trace
            yield from trace.take_decoded(self._context, some.indices + first, some.stamps, decoded)

    def keep_lines(self, found: FoundEvents, number: int) -> Iterator[Item]:
        """Keep event lines of a block, each in the trace of the stream that the text in front of it names.

        ``number`` is the last line before the block.
        """
        tool, numbers, fronts, texts = found
        if self._literals.may_be_in_literal(numbers[0]) or any(map(opens_literal, fronts)):
            rows = []
            for row in zip(numbers, fronts, texts, strict=True):
                if self._literals.is_in_literal(*row):
                    yield from self._note_literal(tool, row[0])
                else:
                    rows.append(row)
            if not rows:
                return
            numbers, fronts, texts = (list(column) for column in zip(*rows, strict=True))
        # Without prefixes, all lines are of one stream.
        if not any(fronts):
            trace = yield from self._trace_of(tool, "", number)
            trace.keep(self._context, numbers, texts, [""] * len(texts))
            return
        prefixes = PrefixReader()
        streams: dict[str, list[tuple[int, bytes, str]]] = {}
        for line, front, text in zip(numbers, fronts, texts, strict=True):
            stamp, stream = prefixes.stamp_and_stream(front)
            streams.setdefault(stream, []).append((line, text, stamp))
        for stream, lines in streams.items():
            trace = yield from self._trace_of(tool, stream, number)
            trace.keep(self._context, *zip(*lines, strict=True))

    def keep_line(
        self, line: NormalizedLine, events: Sequence[tuple[EventTool, bytes, bytes]], number: int
    ) -> Iterator[Item]:
        """Keep the events in one line, each with its tool and the text in front of it."""
        for tool, front, text in events:
            if self._literals.is_in_literal(line.number, front, text):
                yield from self._note_literal(tool, line.number)
                continue
            prefix = longest_prefix(front.decode("utf-8", "replace"))
            trace = yield from self._trace_of(tool, f"{line.stream} {prefix.stream}".strip(), number)
            trace.keep(self._context, [line.number], [text], [prefix.stamp or line.stamp])

    def keep_torn_piece(
        self, line: NormalizedLine, events: Sequence[tuple[EventTool, bytes, bytes]], number: int
    ) -> Iterator[Item]:
        """Keep a line if it may be the first piece of an event line that other output tore, or the last one.

        ``events`` are the events that were found in the line: they are not pieces.
        """
        prefix = longest_prefix(line.plain)
        own = line.plain[prefix.end :].encode()
        stream = f"{line.stream} {prefix.stream}".strip()
        for tool in event_tools():
            if tool.torn.match(own) and not any(owner is tool and text == own for owner, _, text in events):
                trace = yield from self._trace_of(tool, stream, number)
                trace.keep_doubtful(self._context, line.number, own, prefix.stamp or line.stamp)
            elif tool.continuation.fullmatch(own.strip(_QUOTE_SIGNS)) and (tool.name, stream) in self._traces:
                self._traces[tool.name, stream].keep(
                    self._context, [line.number], [own.strip(_QUOTE_SIGNS)], [prefix.stamp]
                )

    def _note_literal(self, tool: EventTool, number: int) -> Iterator[Diagnostic]:
        """A note about a literal, at its first line."""
        if self._literals.has_begun:
            message = f"{tool.name}: a string of source code, not output; no run"
            yield Diagnostic(self._source, number, "note", "source-code", message)

    @property
    def may_have_new_process(self) -> bool:
        """Whether the context says that another process may have begun since `allow_new_processes`."""
        return self._context.session.process_epoch != self._process_epoch

    def allow_new_processes(self, number: int) -> Iterator[Item]:
        """Decode the lines that were kept, as lines of the processes so far: another process may begin at this line."""
        self._process_epoch = self._context.session.process_epoch
        for trace in self._traces.values():
            yield from trace.decode(self._window, number)
            trace.begins_new_process = True

    def decode(self) -> Iterator[Item]:
        """Turn the lines that were kept into batches of columns."""
        for trace in self._traces.values():
            yield from trace.decode(self._window)

    def close(self, number: int) -> Iterator[Item]:
        """End all traces; ``number`` is the last line of the source."""
        for trace in self._traces.values():
            yield from trace.decode(self._window, number)
            yield from trace.close()

    def end_runs(self) -> Iterator[Item]:
        """End the runs whose rows were returned. Lines that wait are dropped."""
        for trace in self._traces.values():
            yield from trace.end_runs()

    def _trace_of(self, tool: EventTool, stream: str, number: int) -> Generator[Item, None, Trace]:
        """The trace of a tool in a stream. If there are too many traces, the oldest one ends."""
        trace = self._traces.get((tool.name, stream))
        if trace is None:
            if len(self._traces) >= MOST_STREAMS:
                first, oldest = next(iter(self._traces.items()))
                yield from oldest.decode(self._window, number)
                yield from oldest.end_runs()
                del self._traces[first]
                self._claimed += oldest.lines_claimed
            trace = self._traces[tool.name, stream] = Trace(self._source, tool, stream)
        return trace


def find_events_in_block(block: bytes, first: int, pieces: Sequence[BlockPiece]) -> list[FoundEvents] | None:
    """The event lines in pieces of a block without reports; ``first`` is the number of the first line.

    None if an event is in a record of JSON or in markup, so that its line must be normalised first.
    """
    with_events = [piece for piece in pieces if piece.content]
    ends, marked = line_breaks(block), _has_markup(block)
    found: list[FoundEvents] = []
    for tool in event_tools() if with_events else ():
        matches = find_events_in_pieces(with_events, tool, block, pieces[0].start)
        if not matches:
            continue
        starts = np.array([match.start() for match in matches])
        indices = np.searchsorted(ends, starts)
        line_starts = np.append(0, ends + 1)[indices]
        fronts = [block[begin:start] for begin, start in zip(line_starts.tolist(), starts.tolist(), strict=True)]
        if any(front.startswith(b"{") for front in fronts):
            return None
        if marked and (any(_has_markup(match[0]) for match in matches) or any(map(has_markup, fronts))):
            return None
        found.append(FoundEvents(tool, (first + indices).tolist(), fronts, [match[0] for match in matches]))
    return found


def tools_with_words(text: str) -> list[EventTool]:
    """The tools whose words are in a text, so that its lines may contain their events."""
    return [tool for tool in event_tools() if any(map(text.__contains__, tool.words))]


def may_have_torn_piece(text: str) -> bool:
    """Whether a line may contain a piece of an event line. `EventDispatcher.keep_torn_piece` checks it."""
    return _torn_piece_pattern().search(text) is not None


@functools.cache
def _torn_piece_pattern() -> re.Pattern[str]:
    """Finds a text that is in every line with a piece of an event line."""
    return piece_word_pattern(event_tools())


def _has_markup(text: bytes) -> bool:
    """Whether a text may contain tags or entities of HTML."""
    return b"<" in text or b"&" in text
