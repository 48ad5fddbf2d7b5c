r"""Finds the pieces of a long log that contain anything that is parsed. RE2 searches them for signs before all parsing.

A block is cut into pieces of whole lines. Three masks say what each piece contains. Each mask is part of the one above
it, so a piece has one of four contents:

==================================================  ====================  ==============================================
mask                                                a piece only in it    how that piece is read
==================================================  ====================  ==============================================
(none)                                              ``NOTHING``           not at all: its lines are counted
contains anything that is parsed                    ``COMMON_EVENTS``     common event lines are taken out of it
contains more than common event lines               ``EVENTS``            all kinds of event lines are taken out of it
must be parsed line by line                         ``LINES``             each line is unwrapped, matched, and given to
                                                                          the context
==================================================  ====================  ==============================================

Signs are of two strengths. A piece with a strong sign (a heading, a fence, an escape) must be parsed. A weak sign (a
prompt, the first words of a report's line) also appears in other text, so the lines that contain it are checked.

A piece in which a process begins to print events must be parsed, and so must the piece above it: a title may be there.
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

from wrkparse.parse.objects import object_signs
from wrkparse.parse.reports.matcher import shared_matcher
from wrkparse.text.normalize import LineNormalizer
from wrkparse.text.shell import strip_prompt
from wrkparse.text.wrapping.prefixes import prefix_candidates
from wrkparse.tools import event_tools, report_tools
from wrkparse.tools.columnar.buffers import Bools, line_breaks

# Bytes of a piece: large enough that calling RE2 costs little, small enough that few lines around a report are parsed.
PIECE_BYTES = 8 << 10
# Bytes. `re` searches a shorter text before RE2 has compiled its pattern.
_FEWEST_BYTES_FOR_RE2 = 2 << 10
# Pieces above a piece that must be parsed, which are parsed, too: a server's command or a heading may be followed by
# 64 KB of the server's output before a tool prints.
PIECES_ABOVE = 8
_HEADING_SIGN = b"\n#"  # of Markdown; a piece is searched with the line break before it
_TEXT_FIELD = '"(?:log|Output|MESSAGE|msg|message|textPayload|line)":[ ]?"'
# Headings, fences, notebooks, diffs, records that go on in the next line, and what unwrapping or rejoining changes.
_STRONG_SIGNS = (
    "\\n#", "```", "~~~", "\\n\\+ ", "\\n==", "\\n= [A-Za-z]", "\\n--", "\\n@@ ", "❯", "➜", "\\x1b",
    "\\x08", r"\\u001b",
    "\u00a0", r"\\u00a0", "&nbsp;", "\\r[^\\r\\n]", "(?:stderr|stdout) P ", "quoted-printable",
    f"{_TEXT_FIELD}(?:#|\\+ |==|--|@@ )",
    # a record of docker or `go test -json` whose text goes on in the next record
    r'"(?:log|Output)":[ ]?"(?:(?:[^"\\\n]|\\[^\n])*(?:[^"\\\n]|\\[^n\n]))?"',
    r"\n *[~^*+.:\"'_]{4,}(?:\n|\z)",  # the line below a heading
    r"\nh[1-6][.] ", "section_start:", "::group::",
)  # fmt: skip
# Headings of pages with tags or backslashes.
_MARKED_SIGNS = ("<(?:h[1-6]|summary|test(?:case|suite))[ >]", r"\\(?:sub)*section")
_PROMPT_SIGNS = (r"[$] +[^\s-]", r"\]# +[^\s-]")  # weak signs


def _format_signs() -> list[str]:
    """Strong signs of a request for an output format: a command, a setting, JSON or YAML."""
    tools = [tool for tool in report_tools() if tool.formats]
    programs = "|".join(re.escape(name) for tool in tools for name in tool.programs)
    variables = "|".join(key.removeprefix("env_") for tool in tools for key in tool.formats if key.startswith("env_"))
    # 'time -f "%e %U" ./a'; "TIMEFORMAT='%R'", "TIME: %E"
    typed, stated = rf"\b(?:{programs}) -[^\n]*%[A-Za-z]", rf"\b(?:{variables})[\"']?[:=][^\n]*%[0-9*A-Za-z]"
    return [typed, stated, r"\bset +time *="] if tools else []  # the last is tcsh's


class Content(IntEnum):
    """What a piece contains, at most."""

    NOTHING = 0
    COMMON_EVENTS = 1
    EVENTS = 2
    LINES = 3


class BlockPiece(NamedTuple):
    """Whole lines of a block: the bytes at which they begin and end, and what they contain."""

    start: int
    end: int
    content: Content

    @property
    def must_be_parsed(self) -> bool:
        """Whether the piece must be parsed line by line."""
        return self.content is Content.LINES


class Prefilter:
    """Searches text for signs; ``marked`` if it may contain markup or escapes between the words of a sign."""

    def __init__(self, *, marked: bool) -> None:
        tools = event_tools()
        self._matcher = shared_matcher()
        torn = [tool.torn_sign for tool in tools if tool.torn_sign]
        wrapped = [rf"\n[ >|#*/]*(?:{tool.continuation_sign})" for tool in tools if tool.continuation_sign]
        objects = [re.escape(sign) for sign in object_signs()]
        strong = (*_STRONG_SIGNS, *(_MARKED_SIGNS if marked else ()))
        # A piece with a strong sign must be parsed; one with a weak sign if a line confirms it.
        self._strong = _alternatives([*map(_as_latin_1, strong), *torn, *wrapped, *objects, *_format_signs()])
        self._weak = _alternatives((*_PROMPT_SIGNS, *self._matcher.sign_patterns(marked=marked)))
        self._to_be_parsed = f"{self._strong}|{self._weak}"
        # Event lines of other forms than the common one, and the three masks of the table above, each wider.
        self._rare = _alternatives(tool.rare_sign for tool in tools if tool.rare_sign)
        self._uncommon = f"{self._to_be_parsed}|{self._rare}"
        self._anything = _alternatives((self._to_be_parsed, *(tool.sign for tool in tools)))
        # The first event of a process.
        self._first = _alternatives(re.escape(tool.first_text) for tool in tools if tool.first_text)

    def classify_pieces(self, block: bytes) -> list[BlockPiece]:
        """Cut a block of whole lines into pieces, and find what each contains."""
        text = b"\n" + block
        ends = _piece_bounds(block)
        pieces = _texts_between(text, np.array(ends, np.int32))
        # headings are common in pages, and `find` is faster than RE2
        headed = np.array([text.find(_HEADING_SIGN, low, high) >= 0 for low, high in pairwise(ends)])
        # a piece in a mask is in those before it, too: each search needs only the pieces of the one before
        anything = headed | _match_mask_of_chosen(~headed, pieces, self._anything)
        uncommon = headed | _match_mask_of_chosen(anything & ~headed, pieces, self._uncommon)
        by_line = headed | _match_mask_of_chosen(uncommon & ~headed, pieces, self._to_be_parsed)
        strong = headed | _match_mask_of_chosen(by_line & ~headed, pieces, self._strong)
        begins_process = _match_mask_of_chosen(anything & ~strong, pieces, self._first)
        self._clear_unconfirmed(by_line, strong, [memoryview(block)[low:high] for low, high in pairwise(ends)])
        for _ in range(PIECES_ABOVE):
            # each round marks one more piece above
            by_line[:-1] |= by_line[1:]
        begins_process[:-1] |= begins_process[1:]
        # each mask that a piece is in counts 1: a piece in the second one is in the first, too
        contents = np.where(by_line | begins_process, Content.LINES, anything.astype(np.uint8) + uncommon).tolist()
        return [BlockPiece(*span, Content(content)) for span, content in zip(pairwise(ends), contents, strict=True)]

    def _clear_unconfirmed(self, by_line: Bools, strong: Bools, pieces: list[memoryview]) -> None:
        """Take those pieces out of the mask ``by_line`` that have no strong sign and no line that confirms a weak one.

        `PIECES_ABOVE` pieces above a piece that must be parsed are parsed anyway. So checking the
        uppermost of them first saves checks: if it must be parsed, the pieces between the two need no check.
        """
        indices = np.flatnonzero(by_line).tolist()
        doubtful = [index for index in indices if not strong[index]]
        signed = dict(zip(doubtful, self._lines_with_weak_signs([pieces[index] for index in doubtful]), strict=True))
        nearest = len(pieces) + PIECES_ABOVE
        while indices:
            near = bisect.bisect_left(indices, nearest - PIECES_ABOVE)
            tried = chain(range(near, len(indices)), range(near - 1, -1, -1))
            for at in tried:
                index = indices[at]
                by_line[index] = strong[index] or self._must_be_parsed(bytes(pieces[index]), signed[index])
                if by_line[index]:
                    nearest, indices = index, [earlier for earlier in indices[:at] if by_line[earlier]]
                    break
            else:
                return

    def has_only_common_events(self, block: bytes) -> bool:
        """Whether a block of whole lines is in neither of the two narrower masks."""
        text = b"\n" + block
        if _HEADING_SIGN in text:  # before RE2 searches
            return False
        ends = _piece_bounds(block)
        pieces = _texts_between(text, np.array(ends, np.int32))
        uncommon = np.flatnonzero(_match_mask(pieces, self._uncommon))
        if not len(uncommon):
            return True
        some = pieces.take(pa.array(uncommon))
        if _match_mask(some, self._rare).any() or _match_mask(some, self._strong).any():
            return False
        doubtful = [block[ends[index] : ends[index + 1]] for index in uncommon]
        return not any(map(self._must_be_parsed, doubtful, self._lines_with_weak_signs(doubtful)))

    def _lines_with_weak_signs(self, pieces: Sequence[bytes | memoryview]) -> list[list[bytes]]:
        """The lines with a weak sign in each of these pieces. Only the last piece may end without a line break.

        All pieces are searched at once: RE2 compiles the pattern for each search, which takes as long as searching half
        a megabyte.
        """
        signed: list[list[bytes]] = [[] for _ in pieces]
        if not pieces:
            return signed
        text = b"".join(pieces)
        ends = np.cumsum([len(piece) for piece in pieces])
        offsets = np.unique(np.concatenate([[0], line_breaks(text) + 1, [len(text)]])).astype(np.int32)
        found = np.flatnonzero(_match_mask(_texts_between(text, offsets), self._weak))
        for line, piece in zip(found.tolist(), np.searchsorted(ends, offsets[found], "right").tolist(), strict=True):
            signed[piece].append(text[offsets[line] : offsets[line + 1]])
        return signed

    def _must_be_parsed(self, text: bytes, signed: Iterable[bytes]) -> bool:
        """Whether a piece has a complete report, or a line with a weak sign begins a report or has a prompt."""
        if self._matcher.has_complete_report(text.decode("utf-8", "replace")):
            return True
        for line in signed:
            raw = line.decode("utf-8", "replace").removesuffix("\n")
            normalizer = LineNormalizer()
            normalizer.skip_container_check()  # a notebook begins with a source
            if any(self._needs_parsing(printed.plain) for printed in normalizer.feed([raw], 1)):
                return True
        return False

    def _needs_parsing(self, plain: str) -> bool:
        """Whether a line may begin a report or resembles one of its lines with results, or has a prompt.

        A prefix or a name may be in front.
        """
        texts = [plain[prefix.end :] for prefix in prefix_candidates(plain)]
        begins = self._matcher.may_begin_report
        if any(begins(text.split()) or strip_prompt(text.strip()) is not None for text in texts):
            return True
        words = texts[-1].split()
        late = any(begin.search(plain) for _, _, begin in self._matcher.late_specs)
        return (
            late
            or self._matcher.header_after_front(words) is not None
            or self._matcher.tool_of_lookalike(words) is not None
            or any(begins(words[at:]) for at in self._matcher.positions_after_names(words))
        )


def classify_pieces(block: bytes) -> list[BlockPiece]:
    """Cut a block of whole lines into pieces, and find what each contains."""
    return _prefilter(marked=_may_have_markup(block)).classify_pieces(block)


def has_only_common_events(block: bytes) -> bool:
    """Whether a block of whole lines contains nothing that is parsed except common event lines."""
    return not block or _prefilter(marked=_may_have_markup(block)).has_only_common_events(block)


def re2_finds(text: bytes, pattern: str) -> bool:
    """Whether RE2 finds a pattern in a text. RE2 searches for many words in one pass."""
    return bool(_match_mask(_texts_between(text, np.array([0, len(text)], np.int32)), pattern)[0])


def _may_have_markup(block: bytes) -> bool:
    """Whether a block may contain markup or escapes, which can be between the words of a sign."""
    return any(mark in block for mark in (b"<", b"&", b"\\"))


@functools.cache
def _prefilter(*, marked: bool) -> Prefilter:
    """The prefilter that all sources share. The one for text without markup searches in half the time."""
    return Prefilter(marked=marked)


def _alternatives(patterns: Iterable[str]) -> str:
    """A pattern that matches any of these."""
    return "|".join(f"(?:{pattern})" for pattern in patterns)


def _as_latin_1(pattern: str) -> str:
    """A pattern for RE2, which reads binary data as Latin-1."""
    return "".join(c if c.isascii() else "".join(f"\\x{byte:02x}" for byte in c.encode()) for c in pattern)


def _texts_between(text: bytes, offsets: npt.NDArray[np.int32]) -> pa.Array:
    """The texts between offsets, as an Arrow array that shares the memory of the whole text."""
    return pa.Array.from_buffers(pa.binary(), len(offsets) - 1, [None, pa.py_buffer(offsets), pa.py_buffer(text)])


def _match_mask(texts: pa.Array, pattern: str) -> Bools:
    """The texts in which a pattern is found: with RE2, or with `re` if there is little to search.

    Arrow compiles the pattern for each search, which takes a millisecond for the patterns of all tools. `re` caches it.
    """
    if texts.nbytes < _FEWEST_BYTES_FOR_RE2:
        search = _compiled_for_re(pattern).search
        return np.array([search(text) is not None for text in texts.to_pylist()], bool)
    found: Bools = pc.match_substring_regex(texts, pattern).to_numpy(zero_copy_only=False)
    return found


@functools.cache
def _compiled_for_re(pattern: str) -> re.Pattern[bytes]:
    """A pattern of RE2 for `re`, which has another sign for the end of the text."""
    return re.compile(pattern.replace(r"\z", r"\Z").encode("latin-1"))


def _match_mask_of_chosen(chosen: Bools, texts: pa.Array, pattern: str) -> Bools:
    """The chosen texts in which RE2 finds a pattern."""
    if chosen.all():
        return _match_mask(texts, pattern)
    narrowed = np.zeros(len(chosen), bool)
    if chosen.any():
        narrowed[chosen] = _match_mask(texts.filter(pa.array(chosen)), pattern)
    return narrowed


def _piece_bounds(block: bytes) -> list[int]:
    """The bytes at which the pieces of a block begin, and the end of the last one."""
    ends = [0]
    while ends[-1] < len(block):
        ends.append(block.find(b"\n", ends[-1] + PIECE_BYTES) + 1 or len(block))
    return ends
