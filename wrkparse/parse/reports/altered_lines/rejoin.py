"""Puts together a line of a report that a terminal, a page or a mail program wrapped into two, if that can be proven.

The proof: the two halves together match a line spec of the tool, and the first half alone does not. They are joined by
a blank, as words are wrapped, or by nothing, as a terminal wraps at its last column; only one of the two may match.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from wrkparse.parse.items import Item
from wrkparse.parse.reports.assembler import ReportAssembler
from wrkparse.text.normalize import NormalizedLine
from wrkparse.text.wrapping.prefixes import longest_prefix

_FEWEST_COLUMNS = 40  # of a terminal or page that wraps lines
_MOST_HALF_CHARS = 400  # a terminal is not wider
_QUOTE_SIGNS = re.compile(r"[>|#*/+ \t]{0,20}")  # of a quotation or a comment


class FirstHalf(NamedTuple):
    """A line with the words of a report's line, but not its form.

    Its words begin at ``start``, after prefixes that name this ``stream``, whose reports ``assembler`` reads.
    """

    line: NormalizedLine
    start: int
    stream: str
    assembler: ReportAssembler


def rejoin_halves(half: FirstHalf, line: NormalizedLine) -> list[Item] | None:
    """Take the line that a first half and the line after it make; return what it finished, None if they make none."""
    begin, rest = half.line.plain[half.start :], _second_half(half, line)
    words = rest.split()
    if (
        not words
        or line.number > half.line.number + 1
        or line.stream != half.line.stream
        or len(half.line.plain.rstrip()) + len(words[0]) < _FEWEST_COLUMNS
        or max(len(begin), len(rest)) > _MOST_HALF_CHARS
    ):
        return None
    pieces = [half.line, line]
    with_blank, without_blank = f"{begin} {rest}".split(), (begin + rest).split()
    if half.assembler.match(words):  # "8maxresident)k" after "146": the line was cut within a word
        return None if with_blank == without_blank else half.assembler.accept_joined([without_blank], pieces)
    # equal if a blank is left at the end of the first half
    joins = [with_blank] if with_blank == without_blank else [with_blank, without_blank]
    finished = half.assembler.accept_joined(joins, pieces)
    if finished is None and len(joins) > 1 and begin[-1].isalpha() and rest[0].isalpha():  # no number is at stake
        finished = half.assembler.accept_joined([with_blank], pieces)
    return finished


def _second_half(half: FirstHalf, line: NormalizedLine) -> str:
    """The text of a line without the prefix or the signs that the first half has, too."""
    text = line.plain
    if half.start:
        before = longest_prefix(text)
        if f"{line.stream} {before.stream}".strip() == half.stream:
            return text[before.end :]
    match = _QUOTE_SIGNS.match(half.line.plain)
    return text.removeprefix(match[0].rstrip() if match else "")
