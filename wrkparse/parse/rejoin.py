"""A report's line that a terminal, a page or a mail program wrapped into two, put together where that can be proven.

The proof is that the two together have the shape of a line of the tool's, and the first has not alone: parted by a
blank, as words are wrapped, or by nothing, as a terminal wraps at its last column; not both.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from wrkparse.parse.assembler import Reports
from wrkparse.parse.items import Item
from wrkparse.text.normalize import Line
from wrkparse.text.prefixes import front

_NARROWEST = 40  # columns at which anything is wrapped
_LONGEST = 400  # characters of a piece
_SIGNS = re.compile(r"[>|#*/+ \t]{0,20}")  # of a quotation, a comment


class Held(NamedTuple):
    """A line with the words of a line of ours and not its shape.

    ``start`` is where these words begin, behind prefixes of this ``stream``, whose ``reports`` know the line.
    """

    line: Line
    start: int
    stream: str
    reports: Reports


def joined(held: Held, line: Line) -> list[Item] | None:
    """What was finished by the line that these two are; None if they are none."""
    begin, rest = held.line.plain[held.start :], _rest(held, line)
    words = rest.split()
    if (
        not words
        or line.number > held.line.number + 1
        or line.stream != held.line.stream
        or len(held.line.plain.rstrip()) + len(words[0]) < _NARROWEST
        or max(len(begin), len(rest)) > _LONGEST
    ):
        return None
    pieces = [held.line, line]
    parted, glued = f"{begin} {rest}".split(), (begin + rest).split()
    if held.reports.match(words):  # "8maxresident)k" of "146", which only a cut within a word can leave
        return None if parted == glued else held.reports.offer_joined([glued], pieces)
    finished = held.reports.offer_joined([parted] if parted == glued else [parted, glued], pieces)
    if finished is None and parted != glued and begin[-1].isalpha() and rest[0].isalpha():  # no number is at stake
        finished = held.reports.offer_joined([parted], pieces)
    return finished


def _rest(held: Held, line: Line) -> str:
    """The line's text without the prefix that the first piece has too."""
    text = line.plain
    if held.start:
        before = front(text)
        if f"{line.stream} {before.stream}".strip() == held.stream:
            return text[before.end :]
    match = _SIGNS.match(held.line.plain)
    return text.removeprefix(match[0].rstrip() if match else "")
