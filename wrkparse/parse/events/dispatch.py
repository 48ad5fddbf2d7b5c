"""Gives each event line of a source to the trace of its tool and its stream."""

from __future__ import annotations

import functools
import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from wrkparse.context.page.document import Context
from wrkparse.model.records import Diagnostic
from wrkparse.parse.events.literals import StringLiterals, opens_literal
from wrkparse.parse.events.scan import CommonEvents, ScannedBlock, find_in_pieces
from wrkparse.parse.events.traces import Trace, Tried
from wrkparse.parse.items import Item
from wrkparse.parse.pending import EVENT, MOST_STREAMS
from wrkparse.parse.prefilter import Piece
from wrkparse.text.normalize import NormalizedLine
from wrkparse.text.window import LineWindow
from wrkparse.text.wrapping.prefixes import PrefixReader, has_markup, longest_prefix
from wrkparse.tools import event_tools
from wrkparse.tools.columnar.buffers import line_breaks
from wrkparse.tools.event import EventTool, piece_word_pattern

_SIGNS = b"> |#*/"  # of a quotation, a comment


class FoundEvents(NamedTuple):
    """Event lines of one tool in a block: numbers of their lines, the text in front of each, and the event's text."""

    tool: EventTool
    numbers: list[int]
    fronts: list[bytes]
    texts: list[bytes]


class EventDispatcher:
    """Holds the traces of a source. Lines are kept until `decode` turns them into columns, many at a time."""

    def __init__(self, source: str, context: Context, window: LineWindow) -> None:
        self._source, self._context, self._window = source, context, window
        self._traces: dict[tuple[str, str], Trace] = {}
        self._claimed = 0  # by traces that have ended
        self._process_epoch = 0
        self._literals = StringLiterals(source)

    @property
    def claimed(self) -> int:
        """How many lines were read as events."""
        return self._claimed + sum(trace.claimed for trace in self._traces.values())

    @property
    def has_traces(self) -> bool:
        """Whether a trace is open."""
        return bool(self._traces)

    @property
    def held_from(self) -> int | None:
        """The first line of those that a trace holds until it has seen the lines behind them."""
        return min((trace.held_from for trace in self._traces.values() if trace.held_from is not None), default=None)

    @property
    def pending(self) -> int:
        """The bit of `parse.pending` that may be set: EVENT."""
        return EVENT if self._traces and self.held_from is not None else 0

    def take_scanned(self, scanned: ScannedBlock, first: int) -> Iterator[Item] | None:
        """Take the events that the block scanner found in a block, whose first line has this number.

        None, and nothing taken, if they are of too many streams or a trace can't take them as they are.
        """
        if self._literals.may_hold(first):
            return None
        taken: list[tuple[Trace, CommonEvents, Tried]] = []
        for some, events in scanned.events:
            trace = self._traces.get((some.tool.name, some.stream))
            if trace is None and len(self._traces) + len(taken) >= MOST_STREAMS:
                return None
            trace = trace or Trace(self._source, some.tool, some.stream)
            tried = trace.tried(some.lines, events)
            if tried is None:
                return None
            taken.append((trace, some, tried))
        return self._take_all(taken, first)

    def _take_all(self, taken: list[tuple[Trace, CommonEvents, Tried]], first: int) -> Iterator[Item]:
        for trace, some, tried in taken:
            self._traces[trace.tool.name, trace.name] = trace
            yield from trace.take(self._context, some.indices + first, some.stamps, tried)

    def keep(self, found: FoundEvents, number: int) -> Iterator[Item]:
        """Keep event lines of a block, each for the stream that the text in front of it names.

        ``number`` is the last line in front of the block.
        """
        tool, numbers, fronts, texts = found
        if self._literals.may_hold(numbers[0]) or any(map(opens_literal, fronts)):
            found, notes = self._outside_literals(found)
            yield from notes
            tool, numbers, fronts, texts = found
            if not numbers:
                return
        if not any(fronts):
            trace = yield from self._trace(tool, "", number)
            trace.keep(self._context, numbers, texts, [""] * len(texts))
            return
        prefixes = PrefixReader()
        streams: dict[str, list[tuple[int, bytes, str]]] = {}
        for line, front, text in zip(numbers, fronts, texts, strict=True):
            stamp, stream = prefixes.stamp_and_stream(front)
            streams.setdefault(stream, []).append((line, text, stamp))
        for stream, lines in streams.items():
            trace = yield from self._trace(tool, stream, number)
            trace.keep(self._context, *zip(*lines, strict=True))

    def keep_line(
        self, line: NormalizedLine, events: Sequence[tuple[EventTool, bytes, bytes]], number: int
    ) -> Iterator[Item]:
        """Keep the events in one line, each with its tool and the text in front of it."""
        for tool, front, text in events:
            if self._literals.holds(line.number, front, text):
                yield from self._literal(tool, line.number)
                continue
            before = longest_prefix(front.decode("utf-8", "replace"))
            trace = yield from self._trace(tool, f"{line.stream} {before.stream}".strip(), number)
            trace.keep(self._context, [line.number], [text], [before.stamp or line.stamp])

    def keep_piece(
        self, line: NormalizedLine, events: Sequence[tuple[EventTool, bytes, bytes]], number: int
    ) -> Iterator[Item]:
        """Keep a line if it may be the first piece of an event line that other output tore, or the last of one.

        ``events`` are those found in the line: they are no pieces.
        """
        before = longest_prefix(line.plain)
        own = line.plain[before.end :].encode()
        stream = f"{line.stream} {before.stream}".strip()
        for tool in event_tools():
            if tool.torn.match(own) and not any(of is tool and text == own for of, _, text in events):
                trace = yield from self._trace(tool, stream, number)
                trace.keep_doubtful(self._context, line.number, own, before.stamp or line.stamp)
            elif tool.continuation.fullmatch(own.strip(_SIGNS)) and (tool.name, stream) in self._traces:
                self._traces[tool.name, stream].keep(self._context, [line.number], [own.strip(_SIGNS)], [before.stamp])

    def _outside_literals(self, found: FoundEvents) -> tuple[FoundEvents, list[Diagnostic]]:
        """The event lines that do not stand in string literals of source code, and notes on the others."""
        kept: list[int] = []
        notes: list[Diagnostic] = []
        for at, row in enumerate(zip(found.numbers, found.fronts, found.texts, strict=True)):
            if self._literals.holds(*row):
                notes += self._literal(found.tool, row[0])
            else:
                kept.append(at)
        numbers, fronts = [found.numbers[at] for at in kept], [found.fronts[at] for at in kept]
        return FoundEvents(found.tool, numbers, fronts, [found.texts[at] for at in kept]), notes

    def _literal(self, tool: EventTool, number: int) -> Iterator[Diagnostic]:
        """A note on a literal, at its first line."""
        if self._literals.begins:
            message = f"{tool.name}: a string of source code, not output; no run"
            yield Diagnostic(self._source, number, "note", "source-code", message)

    @property
    def process_changed(self) -> bool:
        """Whether the context says that another process may have begun since `begin_processes`."""
        return self._context.session.process_epoch != self._process_epoch

    def begin_processes(self, number: int) -> Iterator[Item]:
        """Give what was kept so far to the processes before: another one may begin at this line."""
        self._process_epoch = self._context.session.process_epoch
        for trace in self._traces.values():
            yield from trace.decode(self._window, number)
            trace.begin_anew = True

    def decode(self) -> Iterator[Item]:
        """Turn the lines that were kept into batches of columns."""
        for trace in self._traces.values():
            yield from trace.decode(self._window)

    def close(self, number: int) -> Iterator[Item]:
        """End all traces; ``number`` is the last line of the source."""
        for trace in self._traces.values():
            yield from trace.decode(self._window, number)
            yield from trace.close()

    def abandon(self) -> Iterator[Item]:
        """End the runs of which rows were given; lines that wait are dropped."""
        for trace in self._traces.values():
            yield from trace.end()

    def _trace(self, tool: EventTool, stream: str, number: int) -> Generator[Item, None, Trace]:
        """The trace of a tool in a stream; where there are too many, the oldest ends."""
        trace = self._traces.get((tool.name, stream))
        if trace is None:
            if len(self._traces) >= MOST_STREAMS:
                first, oldest = next(iter(self._traces.items()))
                yield from oldest.decode(self._window, number)
                yield from oldest.end()
                del self._traces[first]
                self._claimed += oldest.claimed
            trace = self._traces[tool.name, stream] = Trace(self._source, tool, stream)
        return trace


def find_events(block: bytes, first: int, pieces: Sequence[Piece]) -> list[FoundEvents] | None:
    """The event lines in pieces of a block in which no report stands; ``first`` is the number of the first line.

    None if one stands in a record of JSON or in markup: then its line must be normalised first.
    """
    with_events = [piece for piece in pieces if piece.content]
    ends, marked = line_breaks(block), _has_markup(block)
    found: list[FoundEvents] = []
    for tool in event_tools() if with_events else ():
        matches = find_in_pieces(with_events, tool, block, pieces[0].start)
        if not matches:
            continue
        starts = np.array([match.start() for match in matches])
        indices = np.searchsorted(ends, starts)
        line_starts = np.append(0, ends + 1)[indices]
        fronts = [block[begin:start] for begin, start in zip(line_starts.tolist(), starts.tolist(), strict=True)]
        in_json = any(front.startswith(b"{") for front in fronts)
        if in_json or (marked and any(_has_markup(match[0]) for match in matches)):
            return None
        if marked and any(map(has_markup, fronts)):
            return None
        found.append(FoundEvents(tool, (first + indices).tolist(), fronts, [match[0] for match in matches]))
    return found


def lines_with_words(lines: Iterable[NormalizedLine]) -> list[EventTool]:
    """The tools of which an event may stand in these lines."""
    text = "\n".join([line.plain for line in lines])
    return [tool for tool in event_tools() if any(map(text.__contains__, tool.words))]


def has_piece(text: str) -> bool:
    """Whether a line may hold a piece of an event line; `EventDispatcher.keep_piece` looks closer."""
    return _piece_pattern().search(text) is not None


@functools.cache
def _piece_pattern() -> re.Pattern[str]:
    """Finds a text that any line with a piece of an event line contains."""
    return piece_word_pattern(event_tools())


def _has_markup(text: bytes) -> bool:
    return b"<" in text or b"&" in text
