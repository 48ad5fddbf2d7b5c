r"""Which pieces of a long log hold anything that is parsed. RE2 searches them for signs, in front of all parsing.

A block is cut into pieces of whole lines. Three masks say of each piece what it contains. Each mask is part of the one
above it, and so a piece has one of four contents:

==================================================  ====================  ==============================================
mask                                                a piece only in it    how that piece is read
==================================================  ====================  ==============================================
(none)                                              ``NOTHING``           not at all: its lines are counted
contains anything that is parsed                    ``COMMON_EVENTS``     common event lines are taken out of it
contains more than common event lines               ``EVENTS``            all kinds of event lines are taken out of it
must be parsed line by line                         ``LINES``             each line is unwrapped, matched, and given to
                                                                          the context
==================================================  ====================  ==============================================

Signs are of two strengths. A piece with a strong sign (a heading, a fence, an escape) must be parsed. A weak one (a
prompt, the first words of a report's line) also stands in other text: the lines that have it are looked at themselves.
"""

from __future__ import annotations

import bisect
import functools
import re
from collections.abc import Iterable, Sequence
from enum import IntEnum
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wrkparse.parse.objects import signs
from wrkparse.parse.reports.matcher import Matcher
from wrkparse.text.normalize import LineNormalizer
from wrkparse.text.shell import strip_prompt
from wrkparse.text.wrapping.prefixes import prefix_candidates
from wrkparse.tools import event_tools, report_tools
from wrkparse.tools.columnar.buffers import Bools, line_breaks

# Large enough that the call of RE2 for a piece costs little, small enough that few lines around a report are parsed.
PIECE_BYTES = 8 << 10
# Bytes that `re` searches before RE2 has compiled its pattern.
_LITTLE = 2 << 10
# Pieces above a piece that must be parsed are parsed, too: 64 KB of a server's output may stand between its command or
# its heading and what a tool prints.
PIECES_ABOVE = 8
# Strong signs: headings, fences, notebooks, diffs, records that go on in the next line, and what unwrapping or joining
# lines changes. A piece begins with the line break in front of it.
_HEADING = b"\n#"
_ENVELOPE = '"(?:log|Output|MESSAGE|msg|message|textPayload|line)":[ ]?"'
_STRONG = (
    "\\n#", "```", "~~~", "\\n\\+ ", "\\n==", "\\n= [A-Za-z]", "\\n--", "\\n@@ ", "❯", "➜", "\\x1b",
    "\\x08", r"\\u001b",
    "\u00a0", r"\\u00a0", "&nbsp;", "\\r[^\\r\\n]", "(?:stderr|stdout) P ", "quoted-printable",
    f"{_ENVELOPE}(?:#|\\+ |==|--|@@ )",
    # a record of docker's or of `go test -json` whose text goes on in the next one
    r'"(?:log|Output)":[ ]?"(?:(?:[^"\\\n]|\\[^\n])*(?:[^"\\\n]|\\[^n\n]))?"',
    r"\n *[~^*+.:\"'_]{4,}(?:\n|\z)",  # what underlines a heading
)  # fmt: skip
_PROMPTS = (r"[$] +[^\s-]", r"\]# +[^\s-]")  # weak signs


def _stated_formats() -> list[str]:
    """Strong signs: a command, a setting, JSON or YAML that asks a tool for an output format, prompt or not."""
    tools = [tool for tool in report_tools() if tool.formats]
    programs = "|".join(re.escape(name) for tool in tools for name in tool.programs)
    variables = "|".join(key.removeprefix("env_") for tool in tools for key in tool.formats if key.startswith("env_"))
    typed, stated = rf"\b(?:{programs}) -[^\n]*%[A-Za-z]", rf"\b(?:{variables})[\"']?[:=][^\n]*%[0-9*A-Za-z]"
    return [typed, stated, r"\bset +time *="] if tools else []  # the last is tcsh's


class Content(IntEnum):
    """What a piece contains, at most."""

    NOTHING = 0
    COMMON_EVENTS = 1
    EVENTS = 2
    LINES = 3


class Piece(NamedTuple):
    """Whole lines of a block, from one byte to another, and what they contain."""

    start: int
    end: int
    content: Content

    @property
    def by_line(self) -> bool:
        """Whether the piece must be parsed line by line."""
        return self.content is Content.LINES


class Prefilter:
    """Searches text for signs; ``marked`` if it may hold markup or escapes, which part the words of a sign."""

    def __init__(self, *, marked: bool) -> None:
        tools = event_tools()
        self._matcher = Matcher(report_tools())
        torn = [tool.torn_sign for tool in tools if tool.torn_sign]
        wrapped = [rf"\n[ >|#*/]*(?:{tool.continuation_sign})" for tool in tools if tool.continuation_sign]
        objects = [re.escape(sign) for sign in signs()]
        self._strong = _any([*map(_latin, _STRONG), *torn, *wrapped, *objects, *_stated_formats()])
        self._weak = _any((*_PROMPTS, *self._matcher.signs(marked=marked)))
        self._by_line = f"{self._strong}|{self._weak}"
        self._rare = _any(tool.rare_sign for tool in tools if tool.rare_sign)
        self._uncommon = f"{self._by_line}|{self._rare}"
        self._anything = _any((self._by_line, *(tool.sign for tool in tools)))

    def classify(self, block: bytes) -> list[Piece]:
        """The pieces of a block of whole lines, with their contents."""
        ends = _piece_ends(block)
        anything, uncommon, by_line = self._masks(block, ends)
        for _ in range(PIECES_ABOVE):
            by_line[:-1] |= by_line[1:]
        contents = np.where(by_line, Content.LINES, anything.astype(np.uint8) + uncommon).tolist()
        return [Piece(*span, Content(content)) for span, content in zip(pairwise(ends), contents, strict=True)]

    def _masks(self, block: bytes, ends: list[int]) -> tuple[Bools, Bools, Bools]:
        """The three masks, from the widest one to the narrowest."""
        text = b"\n" + block
        pieces = _texts(text, np.array(ends, np.int32))
        # headings are common in pages, and `find` is faster than RE2
        headed = np.array([text.find(_HEADING, low, high) >= 0 for low, high in pairwise(ends)])
        anything = headed | _narrowed(~headed, pieces, self._anything)
        uncommon = headed | _narrowed(anything & ~headed, pieces, self._uncommon)
        by_line = headed | _narrowed(uncommon & ~headed, pieces, self._by_line)
        strong = headed | _narrowed(by_line & ~headed, pieces, self._strong)
        self._confirm(by_line, strong, [memoryview(block)[low:high] for low, high in pairwise(ends)])
        return anything, uncommon, by_line

    def _confirm(self, by_line: Bools, strong: Bools, pieces: list[memoryview]) -> None:
        """Take back the pieces none of whose lines is what its sign is of.

        Those between two that must be parsed and are near each other are parsed anyway, so they are not looked at: of
        the pieces above one, the uppermost come first.
        """
        places = np.flatnonzero(by_line).tolist()
        doubtful = [place for place in places if not strong[place]]
        signed = dict(zip(doubtful, self._signed_lines([pieces[place] for place in doubtful]), strict=True))
        nearest = len(pieces) + PIECES_ABOVE
        while places:
            near = bisect.bisect_left(places, nearest - PIECES_ABOVE)
            tried = chain(range(near, len(places)), range(near - 1, -1, -1))
            for at in tried:
                place = places[at]
                by_line[place] = strong[place] or self._is_confirmed(bytes(pieces[place]), signed[place])
                if by_line[place]:
                    nearest, places = place, [other for other in places[:at] if by_line[other]]
                    break
            else:
                return

    def has_common_events_at_most(self, text: bytes) -> bool:
        """Whether text, which begins with a line break, is in none of the two narrower masks."""
        if _HEADING in text:  # before RE2 is asked
            return False
        ends, last = [0], len(text) - 1  # each piece begins with the line break in front of it
        while ends[-1] < last:
            least = ends[-1] + max(PIECE_BYTES, 1)
            ends.append(text.find(b"\n", least) if least < last else last)
        pieces = _texts(text, np.array(ends, np.int32))
        uncommon = np.flatnonzero(_holding(pieces, self._uncommon))
        if not len(uncommon):
            return True
        some = pieces.take(pa.array(uncommon))
        if _holding(some, self._rare).any() or _holding(some, self._strong).any():
            return False
        doubtful = [text[ends[place] + 1 : ends[place + 1] + 1] for place in uncommon]
        return not any(map(self._is_confirmed, doubtful, self._signed_lines(doubtful)))

    def _signed_lines(self, pieces: Sequence[bytes | memoryview]) -> list[list[bytes]]:
        """The lines with a weak sign in each of some pieces; only the last piece may end without a line break.

        One search for all: RE2 compiles the pattern each time, which takes as long as searching half a megabyte.
        """
        signed: list[list[bytes]] = [[] for _ in pieces]
        if not pieces:
            return signed
        text = b"".join(pieces)
        ends = np.cumsum([len(piece) for piece in pieces])
        offsets = np.unique(np.concatenate([[0], line_breaks(text) + 1, [len(text)]])).astype(np.int32)
        found = np.flatnonzero(_holding(_texts(text, offsets), self._weak))
        for line, piece in zip(found.tolist(), np.searchsorted(ends, offsets[found], "right").tolist(), strict=True):
            signed[piece].append(text[offsets[line] : offsets[line + 1]])
        return signed

    def _is_confirmed(self, text: bytes, signed: Iterable[bytes]) -> bool:
        """Whether a piece has a complete report, or one of its lines with a weak sign is what the sign is of."""
        if self._matcher.has_complete_report(text.decode("utf-8", "replace")):
            return True
        for line in signed:
            raw = line.decode("utf-8", "replace").removesuffix("\n")
            # the line in front shows that no notebook begins here
            if any(self._begins(line.plain) for line in LineNormalizer().feed(["no notebook", raw], 1)[1:]):
                return True
        return False

    def _begins(self, plain: str) -> bool:
        """Whether a line is a report's first or has a prompt, behind any prefix."""
        own = [plain[before.end :] for before in prefix_candidates(plain)]
        begins = self._matcher.may_begin_report
        if any(begins(text.split()) or strip_prompt(text.strip()) is not None for text in own):
            return True
        words = own[-1].split()
        late = any(begin.search(plain) for _, _, begin in self._matcher.late)
        return (
            late
            or self._matcher.resembles(words) is not None
            or any(begins(words[at:]) for at in self._matcher.behind_names(words))
        )


def classify(block: bytes) -> list[Piece]:
    """The pieces of a block of whole lines, with their contents."""
    return _prefilter(marked=_is_marked(block)).classify(block)


def has_common_events_at_most(text: bytes) -> bool:
    """Whether text, which begins with a line break, holds nothing that is parsed but common event lines."""
    return len(text) <= 1 or _prefilter(marked=_is_marked(text)).has_common_events_at_most(text)


def holds(text: bytes, pattern: str) -> bool:
    """Whether RE2 finds a pattern in a text. It searches for many words in one pass."""
    return bool(_holding(_texts(text, np.array([0, len(text)], np.int32)), pattern)[0])


def _is_marked(block: bytes) -> bool:
    return any(mark in block for mark in (b"<", b"&", b"\\"))


@functools.cache
def _prefilter(*, marked: bool) -> Prefilter:
    """The prefilter that all sources share. The one for unmarked text is prepared and runs in half the time."""
    return Prefilter(marked=marked)


def _any(patterns: Iterable[str]) -> str:
    return "|".join(f"(?:{pattern})" for pattern in patterns)


def _latin(pattern: str) -> str:
    """A pattern for RE2, which reads binary data as Latin-1."""
    return "".join(c if c.isascii() else "".join(f"\\x{byte:02x}" for byte in c.encode()) for c in pattern)


def _texts(text: bytes, offsets: npt.NDArray[np.int32]) -> pa.Array:
    """The texts between offsets, as an Arrow array that shares the memory of the whole text."""
    return pa.Array.from_buffers(pa.binary(), len(offsets) - 1, [None, pa.py_buffer(offsets), pa.py_buffer(text)])


def _holding(texts: pa.Array, pattern: str) -> Bools:
    """In which texts a pattern is found: by RE2, or by `re` where there is little to search.

    Arrow gives RE2 each pattern anew, which takes it a millisecond for those of all tools. `re` keeps its own.
    """
    if texts.nbytes < _LITTLE:
        search = _compiled(pattern).search
        return np.array([search(text) is not None for text in texts.to_pylist()], bool)
    found: Bools = pc.match_substring_regex(texts, pattern).to_numpy(zero_copy_only=False)
    return found


@functools.cache
def _compiled(pattern: str) -> re.Pattern[bytes]:
    """A pattern of RE2 for `re`, which calls the end of the text otherwise."""
    return re.compile(pattern.replace(r"\z", r"\Z").encode("latin-1"))


def _narrowed(chosen: Bools, texts: pa.Array, pattern: str) -> Bools:
    """In which of the chosen texts RE2 finds a pattern."""
    if chosen.all():
        return _holding(texts, pattern)
    narrowed = np.zeros(len(chosen), bool)
    if chosen.any():
        narrowed[chosen] = _holding(texts.filter(pa.array(chosen)), pattern)
    return narrowed


def _piece_ends(block: bytes) -> list[int]:
    """Where the pieces of a block begin and end."""
    ends = [0]
    while ends[-1] < len(block):
        ends.append(block.find(b"\n", ends[-1] + PIECE_BYTES) + 1 or len(block))
    return ends
