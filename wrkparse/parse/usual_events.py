"""The usual events of a block of a long log, taken out as one text: no loop over lines, no object for one.

A usual event begins with a word, a number and a mark: ``gc 763 @``, ``SCHED 46ms:``. Where its line goes on to its end
as a known version prints it (`Trace.tried`), nothing else can be in it, and what stands in front of it has few forms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from wrkparse.text.prefixes import PrefixReader
from wrkparse.tools.columnar import compiled
from wrkparse.tools.columnar.buffers import FEW, Bools, Indices, Lines, breaks, cut, where
from wrkparse.tools.event import EventTool, Opening

_MOST_WIDTHS = 16  # of what stands in front of events
_SAMPLE = 20  # bytes of an event that what stands in front of it is looked at with


class Skimmed(NamedTuple):
    """A tool's usual events in one stream: the indices of their lines in the block, their text, the times in front."""

    tool: EventTool
    stream: str
    indices: Indices
    lines: Sequence[bytes]
    stamps: pa.StringArray | None


class Block(NamedTuple):
    """The usual events of a block, how many lines it has, and what has to be looked at besides.

    That is, behind a line break, the lines without such an event, and one of each form of what stands in front of
    events.
    """

    events: list[Skimmed]
    lines: int
    others: bytes


def skim(block: bytes, tools: Sequence[EventTool]) -> Block | None:
    """The usual events of a block of whole lines.

    None if they can't be told so simply: there are two in a line, or one in a record of JSON, or several streams.
    """
    ends = breaks(block)
    begins = np.append(0, ends[:-1] + 1)
    events = np.zeros(len(ends), bool)
    found: list[Skimmed] = []
    samples: list[bytes] = []
    for tool in tools:
        all_told = events.all() and not samples  # what stands in front of an event may be another one
        starts = _starts(block, tool.opening) if tool.opening and not all_told else ends[:0]
        indices = np.searchsorted(ends, starts)
        if not len(starts):
            continue
        if events[indices].any() or (np.diff(indices) == 0).any():
            return None
        ahead = _ahead(block, begins[indices], starts, samples)
        if ahead is None:
            return None
        events[indices] = True
        alone = len(starts) == len(ends) and not samples
        stops = ends[indices]
        lines = Lines(block, ends) if alone else Lines(cut(block, starts, stops + 1), np.cumsum(stops - starts + 1) - 1)
        found.append(Skimmed(tool, ahead[1], indices, lines, ahead[0]))
    return Block(found, len(ends), b"".join([b"\n", *_others(block, ends, events), *samples]))


def _starts(block: bytes, opening: Opening) -> Indices:
    """Where events of a tool begin."""
    if compiled.COMPILED:
        text = np.frombuffer(block, np.uint8)
        places = where(text, opening.mark[-2:])
        return places[: compiled.openings(text, opening.word, opening.digits, opening.mark, places)]
    begins = re.finditer(opening.pattern.encode(), block)
    return np.array([match.start() for match in begins], np.int64)


def _ahead(
    block: bytes, begins: Indices, starts: Indices, samples: list[bytes]
) -> tuple[pa.StringArray | None, str] | None:
    """The times that stand in front of events, and their stream; adds a line of each form to the samples."""
    widths = starts - begins
    if not widths.any():
        return None, ""
    known = np.unique(widths)
    if len(known) > _MOST_WIDTHS:
        return None
    prefixes = PrefixReader()
    stamps: list[pa.StringArray] = []
    order: list[Indices] = []
    streams: set[str] = set()
    for width in known.tolist():
        rows = np.flatnonzero(widths == width)
        alike = prefixes.stamps_of_equal(cut(block, begins[rows], starts[rows]), len(rows))
        first = int(begins[rows[0]])
        if alike is None or block[first : first + 1] == b"{":
            return None
        stamps.append(alike[0])
        streams.add(alike[1])
        order.append(rows)
        samples.append(block[first : first + width + _SAMPLE].partition(b"\n")[0] + b"\n")
    if len(streams) > 1:
        return None
    if not any(alike[0].as_py() for alike in stamps):  # what stands there is no time
        return None, streams.pop()
    joined = pa.concat_arrays(stamps)
    return joined if len(order) == 1 else joined.take(pa.array(np.argsort(np.concatenate(order)))), streams.pop()


def _others(block: bytes, ends: Indices, events: Bools) -> Iterator[memoryview]:
    """The lines of a block without events, those one after another together."""
    edges = np.flatnonzero(np.diff(events, prepend=True, append=True))
    begins = np.append(0, ends + 1)
    starts, stops = begins[edges[::2]], begins[edges[1::2]]
    if len(starts) > FEW:
        yield memoryview(cut(block, starts, stops))
        return
    view = memoryview(block)
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        yield view[start:stop]
