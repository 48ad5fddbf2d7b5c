"""A report's line that a terminal, a page or a mail program wrapped into two, put together where that can be proven.

The proof: the two together match a line spec of the tool, and the first does not alone. They are joined by a blank, as
words are wrapped, or by nothing, as a terminal wraps at its last column; only one of the two may match.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from wrkparse.parse.items import Item
from wrkparse.parse.reports.assembler import ReportAssembler
from wrkparse.text.normalize import NormalizedLine
from wrkparse.text.wrapping.prefixes import longest_prefix

_NARROWEST = 40  # columns: nothing is wrapped at fewer
_LONGEST = 400  # characters of one half: a terminal is not wider
_SIGNS = re.compile(r"[>|#*/+ \t]{0,20}")  # of a quotation, a comment


class FirstHalf(NamedTuple):
    """A line with the words of a report's line, but not its form.

    These words begin at ``start``, behind prefixes that name this ``stream``, whose reports ``assembler`` reads.
    """

    line: NormalizedLine
    start: int
    stream: str
    assembler: ReportAssembler


def rejoin(half: FirstHalf, line: NormalizedLine) -> list[Item] | None:
    """Take the line that a first half and the line behind it make; returns what it finished, None if they make none."""
    begin, rest = half.line.plain[half.start :], _second_half(half, line)
    words = rest.split()
    if (
        not words
        or line.number > half.line.number + 1
        or line.stream != half.line.stream
        or len(half.line.plain.rstrip()) + len(words[0]) < _NARROWEST
        or max(len(begin), len(rest)) > _LONGEST
    ):
        return None
    pieces = [half.line, line]
    spaced, touching = f"{begin} {rest}".split(), (begin + rest).split()
    if half.assembler.match(words):  # "8maxresident)k" of "146", which only a cut within a word leaves
        return None if spaced == touching else half.assembler.offer_joined([touching], pieces)
    finished = half.assembler.offer_joined([spaced] if spaced == touching else [spaced, touching], pieces)
    if finished is None and spaced != touching and begin[-1].isalpha() and rest[0].isalpha():  # no number is at stake
        finished = half.assembler.offer_joined([spaced], pieces)
    return finished


def _second_half(half: FirstHalf, line: NormalizedLine) -> str:
    """The line's text without the prefix that the first half has, too."""
    text = line.plain
    if half.start:
        before = longest_prefix(text)
        if f"{line.stream} {before.stream}".strip() == half.stream:
            return text[before.end :]
    match = _SIGNS.match(half.line.plain)
    return text.removeprefix(match[0].rstrip() if match else "")
