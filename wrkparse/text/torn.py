"""An event's line that is in pieces, put together again where that can be proven.

Runtimes write a line in dozens of system calls; what others write at the same time stands between the pieces, each
time a line of its own with its line break. Some collectors make a line of each piece, and pages wrap long lines. The
proof is the tool's own strict form: the pieces, in order and with nothing left over, make a whole line of it. Where a
number might end at either of two places (``0.13`` and ``2 requests`` make ``0.132 requests``), nothing is mended.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from string import ascii_letters

WINDOW = 320  # lines in which the pieces of one line are looked for
_WRAPPED = 8  # pieces that a page makes of a line at most; collectors that cut at each write make more
_HEAD = 10  # characters by which the lines of another program are known again, digits apart
_LETTERS = frozenset(f'{ascii_letters}{{"<')  # a piece of a number can't end with one
_DIGITS = str.maketrans("123456789", "000000000")
_STAMPED = r"[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}[T ][0-9]{2}:|(?:level|time|ts|msg)="  # dates, logfmt

Whole = Callable[[str], bool]


def foreign_line(openings: Iterable[str]) -> re.Pattern[str]:
    """Finds where a line begins that most programs may print, or one with such an opening."""
    return re.compile("|".join([_STAMPED, *openings]))


def mended(
    begin: str, after: Sequence[str], whole: Whole, ends: tuple[str, ...], foreign: re.Pattern[str]
) -> tuple[str, int] | None:
    """The whole line that begins with `begin`, and how many of the lines `after` it took; None if there is no proof.

    `ends`: how a whole line may end; one of many pieces is tried only there. `foreign`: see `foreign_line`.
    """
    found = _wrapped(begin, after, whole, ends)
    if found is None:
        return _torn(begin, after, whole, foreign)
    text, count = found
    longer = f"{text} {after[count].strip()}" if count < len(after) else text  # a whole line may go on all the same
    return (longer, count + 1) if longer.rstrip() != text and whole(longer) else found


def _wrapped(begin: str, after: Sequence[str], whole: Whole, ends: tuple[str, ...]) -> tuple[str, int] | None:
    """The pieces are whole lines: wrapped by a page, with or without a blank, or one by one behind a prefix."""
    exact = bare = spaced = begin
    for count, piece in enumerate(after, 1):
        exact, bare, spaced = exact + piece, bare + piece.strip(), f"{spaced} {piece.strip()}"
        if count > _WRAPPED and not exact.rstrip().endswith(ends):
            continue
        for text in dict.fromkeys((exact, bare, spaced)):
            if whole(text):
                return text, count
        if len(piece) > 200:
            break
    return None


def _torn(begin: str, after: Sequence[str], whole: Whole, foreign: re.Pattern[str]) -> tuple[str, int] | None:
    """Behind each piece but the last stands a line of another program."""
    heads = {line[:_HEAD].translate(_DIGITS) for line in after if len(line) >= _HEAD and line[0] in _LETTERS}
    masked = begin.translate(_DIGITS)
    heads = {head for head in heads if masked.find(head) > 0}
    cut = _foreign(begin, 1, heads, foreign)
    if cut < 0:
        return None
    text = begin[:cut]
    for count, line in enumerate(after, 1):
        cut = _foreign(line, 0, heads, foreign)
        text += line[:cut] if cut >= 0 else line
        if cut < 0:
            return (text, count) if whole(text) else None
    return None


def _foreign(line: str, start: int, heads: set[str], foreign: re.Pattern[str]) -> int:
    """Where another program's line begins in a line, -1 if nowhere: at what all logs begin with, or at a known head."""
    if match := foreign.search(line, start):
        return match.start()
    masked = line.translate(_DIGITS)
    return max((masked.find(head, start) for head in heads), default=-1)
