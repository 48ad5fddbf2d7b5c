"""Finds event lines: in a whole block at once, in pieces of a block, or in lines that are parsed one by one.

The block scanner takes the common event lines out of a block as one text, without a loop over lines. That works if the
prefilter puts the block only into the widest mask, and the text in front of the events differs little. The result
does not depend on the lines before the block, so several threads can scan. `SourceParser` goes on from there: it knows
the process, the run and the line numbers of the events.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from wrkparse.parse.events.literals import opens_literal
from wrkparse.parse.prefilter import BlockPiece, Content, has_only_common_events, re2_finds
from wrkparse.text.normalize import NormalizedLine
from wrkparse.text.wrapping.prefixes import PrefixReader, has_markup
from wrkparse.tools import event_tools
from wrkparse.tools.columnar import compiled
from wrkparse.tools.columnar.buffers import (
    FEWEST_FOR_C,
    Bools,
    Bytes,
    Indices,
    Lines,
    find_bytes,
    join_slices,
    line_breaks,
)
from wrkparse.tools.event import Events, EventTool, Opening

_FEWEST_BYTES_FOR_RE2 = 4 << 10  # `re` searches a shorter text before RE2 has compiled its pattern
_MOST_WIDTHS = 16  # of prefixes: each width is read by itself. In one log they differ by a few digits
_SAMPLE_BYTES = 20  # of an event after its prefix: enough to see that it begins there, too few to be an event


class CommonEvents(NamedTuple):
    """The common event lines of a tool in a block, all of one stream.

    ``indices`` number their lines in the block from 0. ``lines`` are the texts of the events. ``stamps`` are the stamps
    in front of them, None if there are none.
    """

    tool: EventTool
    stream: str
    indices: Indices
    lines: Sequence[bytes]
    stamps: pa.StringArray | None


class CommonLines(NamedTuple):
    """The common event lines of a block, the number of its lines, and the text that may contain more events.

    ``other_text`` has all lines without such an event, and the beginning of one event line for each form of prefix.
    """

    events: list[CommonEvents]
    lines: int
    other_text: bytes


class ScannedBlock(NamedTuple):
    """A block of whole lines that contains only common event lines: the number of its lines, and the decoded events."""

    block: bytes
    lines: int
    events: list[tuple[CommonEvents, Events]]


LineEvent = tuple[EventTool, bytes, bytes]
"""An event in a line: its tool, the text in front of it, and its text."""


def scan_block(block: bytes) -> ScannedBlock | None:
    """The events of a block; None if it may contain other events, an event is bad, or it ends within a line."""
    common = find_common_lines(block, event_tools()) if block.endswith(b"\n") else None
    if common is None or _may_have_title(block, common) or not has_only_common_events(common.other_text):
        return None
    decoded: list[tuple[CommonEvents, Events]] = []
    for some in common.events:
        events = some.tool.stream().decode(some.lines)
        if events.bad or sum(table.num_rows for table in events.tables.values()) != len(some.lines):
            return None
        decoded.append((some, events))
    return ScannedBlock(block, common.lines, decoded)


def _may_have_title(block: bytes, common: CommonLines) -> bool:
    """Whether a process begins in a block that also has other lines: one of them may name the process."""
    has_other_lines = sum(len(some.indices) for some in common.events) < common.lines
    return has_other_lines and any(tool.first_text and tool.first_text.encode() in block for tool in event_tools())


def find_common_lines(block: bytes, tools: Sequence[EventTool]) -> CommonLines | None:
    """The common event lines of a block of whole lines.

    None if the block must be read line by line: a line contains two events; a record of JSON, markup or a string of
    source code contains one; or there are several streams.
    """
    ends = line_breaks(block)
    begins = np.append(0, ends[:-1] + 1)
    is_event = np.zeros(len(ends), bool)
    found: list[CommonEvents] = []
    samples: list[bytes] = []
    for tool in tools:
        complete = is_event.all() and not samples  # if not, another tool's event may be in a prefix
        starts = _event_starts(block, tool.opening) if tool.opening and not complete else ends[:0]
        indices = np.searchsorted(ends, starts)
        if not len(starts):
            continue
        if is_event[indices].any() or (np.diff(indices) == 0).any():
            return None
        prefixes = _stamps_and_stream(block, begins[indices], starts, samples)
        if prefixes is None:
            return None
        is_event[indices] = True
        stops = ends[indices]
        if len(starts) == len(ends) and not samples:
            lines = Lines(block, ends)
        else:
            # The events without their prefixes, each with its line end.
            lines = Lines(join_slices(block, starts, stops + 1), np.cumsum(stops - starts + 1) - 1)
        found.append(CommonEvents(tool, prefixes[1], indices, lines, prefixes[0]))
    return CommonLines(found, len(ends), b"".join([*_lines_without_events(block, ends, is_event), *samples]))


def _event_starts(block: bytes, opening: Opening) -> Indices:
    """The positions at which event lines with an opening begin."""
    if compiled.COMPILED:
        text: Bytes = np.frombuffer(block, np.uint8)
        places = find_bytes(text, opening.mark[-2:])  # the loop checks what is in front of these two bytes
        return places[: compiled.openings(text, opening.word, opening.digits, opening.mark, places)]
    matches = re.finditer(opening.pattern.encode(), block)
    return np.array([match.start() for match in matches], np.int64)


def _stamps_and_stream(
    block: bytes, begins: Indices, starts: Indices, samples: list[bytes]
) -> tuple[pa.StringArray | None, str] | None:
    """The stamps in front of events, and their stream. Adds the beginning of a line of each form to `samples`.

    None if prefixes of one width differ in more than their stamps, or name several streams.
    """
    widths = starts - begins
    if not widths.any():
        return None, ""
    known = np.unique(widths)
    if len(known) > _MOST_WIDTHS:
        return None
    reader = PrefixReader()
    stamps: list[pa.StringArray] = []
    order: list[Indices] = []
    streams: set[str] = set()
    for width in known.tolist():
        rows = np.flatnonzero(widths == width)
        prefixes = reader.stamps_if_alike(join_slices(block, begins[rows], starts[rows]), len(rows))
        first = int(begins[rows[0]])
        front = block[first : first + width]
        if prefixes is None or front[:1] == b"{" or opens_literal(front) or has_markup(front):
            return None
        stamps.append(prefixes[0])
        streams.add(prefixes[1])
        order.append(rows)
        samples.append(block[first : first + width + _SAMPLE_BYTES].partition(b"\n")[0] + b"\n")
    if len(streams) > 1:
        return None
    if not any(texts[0].as_py() for texts in stamps):  # the prefixes contain no time
        return None, streams.pop()
    joined = pa.concat_arrays(stamps)
    return joined if len(order) == 1 else joined.take(pa.array(np.argsort(np.concatenate(order)))), streams.pop()


def _lines_without_events(block: bytes, ends: Indices, is_event: Bools) -> Iterator[memoryview]:
    """The lines of a block without events, neighbours together."""
    # Where lines with and without events change: by turns, others begin and end.
    boundaries = np.flatnonzero(np.diff(is_event, prepend=True, append=True))
    begins = np.append(0, ends + 1)
    starts, stops = begins[boundaries[::2]], begins[boundaries[1::2]]
    if len(starts) > FEWEST_FOR_C:
        yield memoryview(join_slices(block, starts, stops))
        return
    view = memoryview(block)
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        yield view[start:stop]


def find_events_in_lines(lines: Sequence[NormalizedLine], tools: Sequence[EventTool]) -> dict[int, list[LineEvent]]:
    """The events of tools in printed lines, by the indices of the lines."""
    plain = Lines.of(line.plain.encode("utf-8", "replace") for line in lines)
    events: dict[int, list[LineEvent]] = {}
    for tool in tools:
        if len(plain.text) > _FEWEST_BYTES_FOR_RE2 and not re2_finds(plain.text, tool.sign):
            continue
        for match in tool.find.finditer(plain.text):
            index = int(np.searchsorted(plain.ends, match.start()))
            ahead = plain.text[plain.starts[index] : match.start()]
            events.setdefault(index, []).append((tool, ahead, match[0]))
    return events


def find_events_in_pieces(
    pieces: Iterable[BlockPiece], tool: EventTool, text: bytes, start: int
) -> list[re.Match[bytes]]:
    """The events of a tool in pieces of a block. `text` is the part of the block from byte `start` on."""
    found: list[re.Match[bytes]] = []
    for common, some in groupby(pieces, key=lambda piece: piece.content <= Content.COMMON_EVENTS):
        for low, high in _joined_spans(some, start):
            if common:
                found += tool.find_common.finditer(text, low, high) if tool.opening else ()
            elif re2_finds(text[low:high], tool.sign):
                found += tool.find.finditer(text, low, high)
    return found


def _joined_spans(pieces: Iterable[BlockPiece], start: int) -> Iterator[tuple[int, int]]:
    """The positions at which pieces begin and end, counted from byte `start`; neighbouring pieces are joined."""
    low = high = -1
    for piece in pieces:
        if piece.start != high:
            if high >= 0:
                yield low - start, high - start
            low = piece.start
        high = piece.end
    yield low - start, high - start
