"""What of a long log can be read without care: nothing of a report or of the context begins in it.

RE2 looks for everything of ours in one pass; what has nothing is passed over. Signs are cheap and mean little: where
one stands in a line, the line itself is looked at.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wrkparse.parse.matcher import Matcher
from wrkparse.text.normalize import LineNormalizer, NormalizedLine
from wrkparse.text.prefixes import prefix_candidates
from wrkparse.text.shell import strip_prompt
from wrkparse.tools import event_tools, report_tools
from wrkparse.tools.columnar import buffers
from wrkparse.tools.event import EventTool

PIECE = 8 << 10
_FEW = 4 << 10  # bytes: RE2 is slow to start
_ABOVE = 8  # pieces above one with a sign that are read with care too: they may hold a title, a server's command
_ENVELOPE = '"(?:log|Output|MESSAGE|msg|message|textPayload|line)":[ ]?"'
# Of headings, fences, prompts, notebooks, diffs, cut records; what has to be unwrapped or mended. A piece begins with
# the line break in front of it.
_HEADING = b"\n#"
_CONTEXT = (
    "\\n#", "```", "~~~", "\\n\\+ ", "\\n==", "\\n= [A-Za-z]", "\\n--", "\\n@@ ", "❯", "➜", "\\x1b",
    "\\x08", r"\\u001b",
    "\u00a0", r"\\u00a0", "&nbsp;", "\\r[^\\r\\n]", "(?:stderr|stdout) P ", f"{_ENVELOPE}(?:#|\\+ |==|--|@@ )",
    # a record of docker's or of `go test -json` whose text goes on in the next one
    r'"(?:log|Output)":[ ]?"(?:(?:[^"\\\n]|\\[^\n])*(?:[^"\\\n]|\\[^n\n]))?"',
    r"\n *[~^*+.:\"'_]{4,}(?:\n|\z)",  # what underlines a heading
)  # fmt: skip
_PROMPTS = (r"[$] +[^\s-]", r"\]# +[^\s-]")
Pieces = npt.NDArray[np.bool_]


class Piece(NamedTuple):
    """Some lines of a block: whether they need care; whether events may be among them, and rare ones."""

    start: int
    end: int
    care: bool
    events: bool
    rare: bool


class Sieve:
    """Tells what of a block needs care; `marked` if there may be markup or escapes in it."""

    def __init__(self, *, marked: bool) -> None:
        tools = event_tools()
        self._matcher = Matcher(report_tools())
        events = [tool.sign for tool in tools]
        torn = [tool.torn_sign for tool in tools if tool.torn_sign]
        wrapped = [rf"\n[ >|#*/]*(?:{tool.continuation_sign})" for tool in tools if tool.continuation_sign]
        self._hard = _any([*map(_latin, _CONTEXT), *torn, *wrapped])
        self._soft = _any((*_PROMPTS, *self._matcher.signs(marked=marked)))
        self._care = f"{self._hard}|{self._soft}"
        self._rare = _any(tool.rare_sign for tool in tools if tool.rare_sign)
        self._notable = f"{self._care}|{self._rare}"
        self._anything = _any((self._care, *events))

    def sort(self, block: bytes) -> list[Piece]:
        """A block in pieces."""
        ends = _line_ends(block)
        held, notable, care = self._sorted(block, ends)
        for _ in range(_ABOVE):
            care[:-1] |= care[1:]
        found = zip(ends[:-1], ends[1:], care.tolist(), held.tolist(), notable.tolist(), strict=True)
        return [Piece(*each) for each in found]

    def _sorted(self, block: bytes, ends: list[int]) -> tuple[Pieces, Pieces, Pieces]:
        """Which pieces hold anything of ours, which of them not only usual events, which of these need care."""
        text = b"\n" + block
        pieces = _texts(text, np.array(ends, np.int32))
        headed = np.array([text.find(_HEADING, low, high) >= 0 for low, high in pairwise(ends)])  # RE2 needn't be asked
        held = headed | _narrowed(~headed, pieces, self._anything)
        notable = headed | _narrowed(held & ~headed, pieces, self._notable)
        care = headed | _narrowed(notable & ~headed, pieces, self._care)
        hard = headed | _narrowed(care & ~headed, pieces, self._hard)
        for place in np.flatnonzero(care & ~hard):
            care[place] = self._told(block[ends[place] : ends[place + 1]])
        return held, notable, care

    def clear(self, text: bytes) -> bool:
        """Whether nothing in some lines, behind a line break, needs care, nor are rare events in them."""
        ends, last = [0], len(text) - 1  # each piece begins with the line break in front of it
        while ends[-1] < last:
            least = ends[-1] + max(PIECE, 1)
            ends.append(text.find(b"\n", least) if least < last else last)
        pieces = _texts(text, np.array(ends, np.int32))
        notable = np.flatnonzero(_found(pieces, self._notable))
        if not len(notable):
            return True
        some = pieces.take(pa.array(notable))
        if _found(some, self._rare).any() or _found(some, self._hard).any():
            return False
        return not any(self._told(text[ends[place] + 1 : ends[place + 1] + 1]) for place in notable)

    def _told(self, text: bytes) -> bool:
        """Whether one of the lines with a sign is what the sign is of."""
        if self._matcher.has_complete_report(text.decode("utf-8", "replace")):
            return True
        ends = np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n")) + 1
        offsets = np.unique(np.concatenate([[0], ends, [len(text)]])).astype(np.int32)
        for place in np.flatnonzero(_found(_texts(text, offsets), self._soft)):
            raw = text[offsets[place] : offsets[place + 1]].decode("utf-8", "replace").removesuffix("\n")
            if any(self._begins(line.plain) for line in LineNormalizer().feed(["no notebook", raw], 1)[1:]):
                return True
        return False

    def _begins(self, plain: str) -> bool:
        """Whether a line is a report's first or has a prompt, behind any prefix."""
        own = (plain[before.end :] for before in prefix_candidates(plain))
        begins = self._matcher.may_begin_report
        return any(begins(text.split()) or strip_prompt(text.strip()) is not None for text in own)


def sort(block: bytes) -> list[Piece]:
    """A block of whole lines in pieces."""
    return _sieve(marked=_marked(block)).sort(block)


def clear(text: bytes) -> bool:
    """Whether some lines, behind a line break, can be passed over: none needs care or is an event but a usual one."""
    return len(text) <= 1 or _sieve(marked=_marked(text)).clear(text)


def _marked(block: bytes) -> bool:
    return any(mark in block for mark in (b"<", b"&", b"\\"))


@functools.cache
def _sieve(*, marked: bool) -> Sieve:
    """The one that all readers share: the plain one is prepared and runs in half the time."""
    return Sieve(marked=marked)


def holds(text: bytes, pattern: str) -> bool:
    """Whether RE2 finds a pattern: it looks for many words in one pass, many times as fast as `in` one by one."""
    return bool(_found(_texts(text, np.array([0, len(text)], np.int32)), pattern)[0])


def events_of(lines: list[NormalizedLine], tools: list[EventTool]) -> dict[int, list[tuple[EventTool, bytes, bytes]]]:
    """The events of tools by the indices of their lines, each behind what stands ahead of it."""
    plain = buffers.Lines.of(line.plain.encode("utf-8", "replace") for line in lines)
    events: dict[int, list[tuple[EventTool, bytes, bytes]]] = {}
    for tool in tools:
        if len(plain.text) > _FEW and not holds(plain.text, tool.sign):
            continue
        for match in tool.find.finditer(plain.text):
            index = int(np.searchsorted(plain.ends, match.start()))
            ahead = plain.text[plain.starts[index] : match.start()]
            events.setdefault(index, []).append((tool, ahead, match[0]))
    return events


def events_in(pieces: list[Piece], tool: EventTool, block: bytes, start: int) -> list[re.Match[bytes]]:
    """The events of a tool in some pieces of a block, which begins here."""
    found: list[re.Match[bytes]] = []
    for rare, some in groupby(pieces, key=lambda piece: piece.rare):
        for low, high in _joined(some, start):
            if not rare:
                found += tool.find_common.finditer(block, low, high) if tool.opening else ()
            elif holds(block[low:high], tool.sign):
                found += tool.find.finditer(block, low, high)
    return found


def _joined(pieces: Iterable[Piece], start: int) -> Iterator[tuple[int, int]]:
    """Where pieces begin and end, those beside each other as one, counted from here."""
    low = high = -1
    for piece in pieces:
        if piece.start != high:
            if high >= 0:
                yield low - start, high - start
            low = piece.start
        high = piece.end
    yield low - start, high - start


def _any(patterns: Iterable[str]) -> str:
    return "|".join(f"(?:{pattern})" for pattern in patterns)


def _latin(pattern: str) -> str:
    """A pattern for RE2, which reads binary data as Latin-1."""
    return "".join(c if c.isascii() else "".join(f"\\x{byte:02x}" for byte in c.encode()) for c in pattern)


def _texts(text: bytes, offsets: npt.NDArray[np.int32]) -> pa.Array:
    """The texts between offsets, which may leave the end out."""
    return pa.Array.from_buffers(pa.binary(), len(offsets) - 1, [None, pa.py_buffer(offsets), pa.py_buffer(text)])


def _found(texts: pa.Array, pattern: str) -> Pieces:
    """In which texts RE2 finds a pattern."""
    found: Pieces = pc.match_substring_regex(texts, pattern).to_numpy(zero_copy_only=False)
    return found


def _narrowed(chosen: Pieces, texts: pa.Array, pattern: str) -> Pieces:
    """Which of the chosen texts hold a pattern."""
    if chosen.all():
        return _found(texts, pattern)
    narrowed = np.zeros(len(chosen), bool)
    if chosen.any():
        narrowed[chosen] = _found(texts.filter(pa.array(chosen)), pattern)
    return narrowed


def _line_ends(block: bytes) -> list[int]:
    """Where pieces of a block begin and end."""
    ends = [0]
    while ends[-1] < len(block):
        ends.append(block.find(b"\n", ends[-1] + PIECE) + 1 or len(block))
    return ends
