"""Repairs event lines that can't be decoded: splits several events in one line, and removes what is around an event."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from itertools import pairwise

from wrkparse.parse.events.waiting_lines import WaitingLines
from wrkparse.tools import event_tools
from wrkparse.tools.event import EventStream, EventTool

# The end of a text that code, a table or a CSV quotes: a quotation mark, maybe after an escaped line end; the end of a
# cell.
_QUOTE_END = re.compile(
    rb"""(?:\\[nrt]){0,2}["'`](?:[\s,;+|)\]}]{0,9}|(?:,(?:[^"',]{0,60}|"[^"]{0,60}")){0,8}\s{0,2})\Z"""
    rb"""|[,;]\s{0,2}\Z|\s(?:\||\xe2\x94\x82)\s{0,2}\Z"""
)
# The beginning of a remark that a writer added to a line: "# the first one", "<- here", "- thread M3".
_REMARK = re.compile(rb"[ \t](?:#{1,6}|//|<-{1,3}|--?|\xe2\x86\x90|\xe2\x80[\x93\x94])[ \t]")
_SEPARATORS = b" \t\r,;|\"'`\\"  # what people and shells put between events in one line
_QUOTATION_MARK = re.compile(rb"""["'`]""")  # after an event it means a list in source code
_MOST_SPLIT_BYTES = 1 << 16  # of a line with several events: some hundred events; it bounds the time
_MOST_QUOTE_END_BYTES = 200  # at the end of a line, which are searched for the end of a quotation


def split_lines(waiting: WaitingLines, bad: Iterable[int], tool: EventTool, stream: EventStream) -> int | None:
    """Split bad lines that have several events; return how many lines are added, None if no line was changed.

    Each event must be sound, except the last, which may be cut off. Other words may be between them.
    """
    split = {index: own for index in bad if (own := _events_in_line(waiting.lines[index], tool))}
    for index, sound in _leading_sound_counts(split, stream).items():
        if sound < len(split[index]):
            split[index] = [_without_trailing_words(piece, tool) for piece in split[index]]
    added = None
    # from the last line: `replace` moves the lines after it
    for index, sound in reversed(_leading_sound_counts(split, stream).items()):
        own = split[index]
        if sound >= len(own) - (len(own) > 2):  # of two, one alone would be no proof of a list
            waiting.replace(index, own)
            added = (added or 0) + len(own) - 1
    return added


def without_quoted_rest(tool: EventTool, line: bytes) -> bytes:
    """A line without the end of the quotation, the cell or the code in which it is."""
    tail = _QUOTE_END.search(line, max(0, len(line) - _MOST_QUOTE_END_BYTES))
    return line[: tail.start()] if tail and not tool.find.search(tail[0]) else line


def without_remark(tool: EventTool, line: bytes) -> bytes:
    """A line up to where a remark of a writer seems to begin; the whole line if another event follows."""
    remark = _REMARK.search(line)
    return line[: remark.start()].rstrip() if remark and not tool.find.search(line, remark.end()) else line


def _events_in_line(line: bytes, tool: EventTool) -> list[bytes]:
    """The events of a tool in a line that begins with one and has others; none if it has no others."""
    if len(line) > _MOST_SPLIT_BYTES:
        return []
    cuts = sorted({match.start() for begins in _event_beginnings() for match in begins.finditer(line)})
    pieces = [line[begin:end].rstrip(_SEPARATORS) for begin, end in pairwise([*cuts, len(line)])]
    own = [piece for piece in pieces if tool.begins.match(piece)]  # other pieces belong to other tools
    return own if len(pieces) > 1 and own[:1] == pieces[:1] and line.startswith(pieces[0]) else []


def _leading_sound_counts(split: Mapping[int, list[bytes]], stream: EventStream) -> dict[int, int]:
    """How many pieces of each line are sound, up to the first that is not."""
    pieces = [piece for own in split.values() for piece in own]
    sound = stream.sound(pieces) if pieces else set()
    found: dict[int, int] = {}
    first = 0
    for index, own in split.items():
        found[index] = next((at for at in range(len(own)) if first + at not in sound), len(own))
        first += len(own)
    return found


def _without_trailing_words(piece: bytes, tool: EventTool) -> bytes:
    """An event line up to where such lines end, without what other programs printed after it."""
    ends = (end.encode() for end in tool.ends)
    cut = max((piece.rfind(end) + len(end) for end in ends if end in piece), default=0)
    return piece if _QUOTATION_MARK.search(piece, cut) else piece[:cut] or piece


@functools.cache
def _event_beginnings() -> tuple[re.Pattern[bytes], ...]:
    """Patterns of the beginnings of event lines, one for each tool."""
    return tuple(tool.begins for tool in event_tools())
