"""Finds event lines: in a whole block at once, in pieces of a block, or in lines that are parsed one by one.

The block scanner takes the common event lines of a block out as one text, without a loop over lines. That works for a
block that the prefilter puts into no mask but the widest, and where little differs in front of the events. The result
does not depend on what stands before the block, so several threads can scan. `SourceParser` goes on from there: it
knows which process, run and line number the events come under.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from wrkparse.parse.events.literals import opens_literal
from wrkparse.parse.prefilter import Content, Piece, has_common_events_at_most, holds
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

_SHORT = 4 << 10  # bytes: `re` has searched so much before RE2 is ready
_MOST_WIDTHS = 16  # of prefixes of events: each is read by itself. Those of one log differ in a few digits
_SAMPLE = 20  # bytes of an event behind its prefix: enough to see that it begins there, too few to be an event


class CommonEvents(NamedTuple):
    """The common event lines of a tool in a block, all of one stream.

    ``indices`` number their lines in the block from 0, ``lines`` are their stretches, ``stamps`` the times in front;
    None if there are none.
    """

    tool: EventTool
    stream: str
    indices: Indices
    lines: Sequence[bytes]
    stamps: pa.StringArray | None


class CommonLines(NamedTuple):
    """The common event lines of a block, its number of lines, and the text that may hold more.

    ``others`` is, behind a line break, all lines without such an event and the beginning of one event line for each
    form of prefix.
    """

    events: list[CommonEvents]
    lines: int
    others: bytes


class ScannedBlock(NamedTuple):
    """A block of whole lines that holds common event lines at most: their number, and the events, decoded."""

    block: bytes
    lines: int
    events: list[tuple[CommonEvents, Events]]


Found = tuple[EventTool, bytes, bytes]  # a tool, what stands in front of an event in its line, the event's stretch


def scan_block(block: bytes) -> ScannedBlock | None:
    """The events of a block; None if more may be in it, an event is bad, or the block does not end with a line."""
    common = find_common_lines(block, event_tools()) if block.endswith(b"\n") else None
    if common is None or not has_common_events_at_most(common.others):
        return None
    decoded: list[tuple[CommonEvents, Events]] = []
    for some in common.events:
        events = some.tool.stream().decode(some.lines)
        if events.bad or sum(table.num_rows for table in events.tables.values()) != len(some.lines):
            return None
        decoded.append((some, events))
    return ScannedBlock(block, common.lines, decoded)


def find_common_lines(block: bytes, tools: Sequence[EventTool]) -> CommonLines | None:
    """The common event lines of a block of whole lines.

    None if the block needs a closer look: a line holds two events, a record of JSON, markup or a string of source code
    holds one, or there are several streams.
    """
    ends = line_breaks(block)
    begins = np.append(0, ends[:-1] + 1)
    is_event = np.zeros(len(ends), bool)
    found: list[CommonEvents] = []
    samples: list[bytes] = []
    for tool in tools:
        complete = is_event.all() and not samples  # else another tool's event may stand in a prefix
        starts = _starts(block, tool.opening) if tool.opening and not complete else ends[:0]
        indices = np.searchsorted(ends, starts)
        if not len(starts):
            continue
        if is_event[indices].any() or (np.diff(indices) == 0).any():
            return None
        prefixes = _prefixes(block, begins[indices], starts, samples)
        if prefixes is None:
            return None
        is_event[indices] = True
        stops = ends[indices]
        if len(starts) == len(ends) and not samples:
            lines = Lines(block, ends)
        else:
            lines = Lines(join_slices(block, starts, stops + 1), np.cumsum(stops - starts + 1) - 1)
        found.append(CommonEvents(tool, prefixes[1], indices, lines, prefixes[0]))
    return CommonLines(found, len(ends), b"".join([b"\n", *_others(block, ends, is_event), *samples]))


def _starts(block: bytes, opening: Opening) -> Indices:
    """Where event lines with an opening begin."""
    if compiled.COMPILED:
        text: Bytes = np.frombuffer(block, np.uint8)
        places = find_bytes(text, opening.mark[-2:])
        return places[: compiled.openings(text, opening.word, opening.digits, opening.mark, places)]
    matches = re.finditer(opening.pattern.encode(), block)
    return np.array([match.start() for match in matches], np.int64)


def _prefixes(
    block: bytes, begins: Indices, starts: Indices, samples: list[bytes]
) -> tuple[pa.StringArray | None, str] | None:
    """The times that stand in front of events, and their stream; adds a beginning of a line of each form to `samples`.

    None if prefixes of one width differ in more than their times, or name several streams.
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
        alike = reader.stamps_if_alike(join_slices(block, begins[rows], starts[rows]), len(rows))
        first = int(begins[rows[0]])
        front = block[first : first + width]
        if alike is None or front[:1] == b"{" or opens_literal(front) or has_markup(front):
            return None
        stamps.append(alike[0])
        streams.add(alike[1])
        order.append(rows)
        samples.append(block[first : first + width + _SAMPLE].partition(b"\n")[0] + b"\n")
    if len(streams) > 1:
        return None
    if not any(alike[0].as_py() for alike in stamps):  # the prefixes hold no time
        return None, streams.pop()
    joined = pa.concat_arrays(stamps)
    return joined if len(order) == 1 else joined.take(pa.array(np.argsort(np.concatenate(order)))), streams.pop()


def _others(block: bytes, ends: Indices, is_event: Bools) -> Iterator[memoryview]:
    """The lines of a block without events, neighbours together."""
    edges = np.flatnonzero(np.diff(is_event, prepend=True, append=True))
    begins = np.append(0, ends + 1)
    starts, stops = begins[edges[::2]], begins[edges[1::2]]
    if len(starts) > FEWEST_FOR_C:
        yield memoryview(join_slices(block, starts, stops))
        return
    view = memoryview(block)
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        yield view[start:stop]


def find_in_lines(lines: Sequence[NormalizedLine], tools: Sequence[EventTool]) -> dict[int, list[Found]]:
    """The events of tools in printed lines, by the indices of the lines."""
    plain = Lines.of(line.plain.encode("utf-8", "replace") for line in lines)
    events: dict[int, list[Found]] = {}
    for tool in tools:
        if len(plain.text) > _SHORT and not holds(plain.text, tool.sign):
            continue
        for match in tool.find.finditer(plain.text):
            index = int(np.searchsorted(plain.ends, match.start()))
            ahead = plain.text[plain.starts[index] : match.start()]
            events.setdefault(index, []).append((tool, ahead, match[0]))
    return events


def find_in_pieces(pieces: Iterable[Piece], tool: EventTool, text: bytes, start: int) -> list[re.Match[bytes]]:
    """The events of a tool in some pieces of a block, of which `text` is the part from byte `start` on."""
    found: list[re.Match[bytes]] = []
    for common, some in groupby(pieces, key=lambda piece: piece.content <= Content.COMMON_EVENTS):
        for low, high in _joined(some, start):
            if common:
                found += tool.find_common.finditer(text, low, high) if tool.opening else ()
            elif holds(text[low:high], tool.sign):
                found += tool.find.finditer(text, low, high)
    return found


def _joined(pieces: Iterable[Piece], start: int) -> Iterator[tuple[int, int]]:
    """Where pieces begin and end, counted from `start`; neighbours as one."""
    low = high = -1
    for piece in pieces:
        if piece.start != high:
            if high >= 0:
                yield low - start, high - start
            low = piece.start
        high = piece.end
    yield low - start, high - start
