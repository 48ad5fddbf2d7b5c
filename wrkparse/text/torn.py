"""Rejoins a torn event line if its pieces prove that they belong together.

Runtimes write a line in dozens of system calls. Other programs write whole lines at the same time, which
get between the pieces. Some collectors make a line of each piece, and pages wrap long lines. The proof
is the strict form of the line of the tool: the pieces, in order and with nothing left over, make a complete line. If a
number might end at either of two positions (``0.13`` and ``2 requests`` make ``0.132 requests``), the line stays torn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from string import ascii_letters

from wrkparse.text.digit_forms import DIGITS_TO_ZERO

# Lines after the first piece that are searched for the other pieces. It bounds the time; in the fixtures the rest is in
# the next line. Other programs may write many lines between two pieces, but with each line a proof by their heads
# becomes less likely.
WINDOW_LINES = 320
_MOST_WRAPPED = 8  # pieces of a line that a page wrapped; collectors that cut at each system call make more
_LONGEST_WRAPPED = 200  # characters of one piece; terminals and pages wrap earlier
_HEAD_LENGTH = 10  # characters that identify lines of a program, whatever their digits: "[GIN] 2026", "level=info"
_HEAD_STARTS = frozenset(f'{ascii_letters}{{"<')  # a number never continues with one of these
_STAMP_OR_LOGFMT = r"[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}[T ][0-9]{2}:|(?:level|time|ts|msg)="  # dates, logfmt

IsComplete = Callable[[str], bool]


def line_head(line: str) -> str:
    """The first characters of a line, by which lines of its program are found within a torn line; empty if too few."""
    has_head = len(line) >= _HEAD_LENGTH and line[0] in _HEAD_STARTS
    return line[:_HEAD_LENGTH].translate(DIGITS_TO_ZERO) if has_head else ""


def heads_within(begin: str, heads: Iterable[str]) -> set[str]:
    """Those of some heads that are inside a torn line, without the one with which it begins."""
    masked = begin.translate(DIGITS_TO_ZERO)
    return {head for head in {*heads} - {"", masked[:_HEAD_LENGTH]} if masked.find(head, 1) >= 0}


def foreign_line_pattern(openings: Iterable[str]) -> re.Pattern[str]:
    """A pattern that finds the beginning of a line of another program: a time, logfmt, or an opening."""
    return re.compile("|".join([_STAMP_OR_LOGFMT, *openings]))


def rejoin_torn_line(
    begin: str,
    after: Sequence[str],
    joins: Iterable[tuple[str, int]],
    heads: AbstractSet[str],
    is_complete: IsComplete,
    foreign: re.Pattern[str],
) -> tuple[str, int] | None:
    """The complete line that begins with the piece `begin`, and the number of lines of `after` that it takes.

    `joins` comes from `likely_joins`, `heads` are the heads of lines of `after` within the piece, `foreign` comes from
    `foreign_line_pattern`. None if no line is complete.
    """
    for text, count in joins:
        if is_complete(text):
            rest = after[count].strip() if count < len(after) else ""
            longer = f"{text.rstrip()} {rest}"  # some complete lines may go on
            return (longer, count + 1) if rest and is_complete(longer) else (text, count)
    return _rejoin_interrupted(begin, after, heads, is_complete, foreign)


def likely_joins(
    begin: str, after: Iterable[str], ends: tuple[str, ...], longest: int, may_go_on: Callable[[str], bool]
) -> Iterator[tuple[str, int]]:
    """The texts that a line may have if its pieces fill their lines, each with the number of these lines.

    A page wrapped it, with or without a blank, or each piece has a prefix. Of many pieces, only texts with one of
    `ends`, the endings of complete lines, are returned. The longest line has `longest` characters. The search ends when
    no text `may_go_on`, that is, begins like a complete line.
    """
    exact = bare = spaced = begin
    for count, piece in enumerate(after, 1):
        if len(exact) + len(piece) > longest:
            return
        stripped = piece.strip()
        exact, bare, spaced = exact + piece, bare + stripped, f"{spaced} {stripped}"
        texts = dict.fromkeys((exact, bare, spaced))
        if count <= _MOST_WRAPPED or exact.rstrip().endswith(ends):
            for text in texts:
                yield text, count
        if len(piece) > _LONGEST_WRAPPED or not any(map(may_go_on, texts)):
            return


def _rejoin_interrupted(
    begin: str, after: Sequence[str], heads: AbstractSet[str], is_complete: IsComplete, foreign: re.Pattern[str]
) -> tuple[str, int] | None:
    """Rejoin pieces that share their lines with other programs, whose lines begin after each piece except the last."""
    # from 1: the piece itself begins at 0, and begins like a line of its tool
    cut = _find_foreign(begin, 1, heads, foreign)
    if cut < 0:
        return None
    text = begin[:cut]
    for count, line in enumerate(after, 1):
        cut = _find_foreign(line, 0, heads, foreign)
        text += line[:cut] if cut >= 0 else line
        if cut < 0:
            return (text, count) if is_complete(text) else None
    return None


def _find_foreign(line: str, start: int, heads: AbstractSet[str], foreign: re.Pattern[str]) -> int:
    """The index at which a line of another program begins, by the pattern or by a head; -1 without one."""
    if match := foreign.search(line, start):
        return match.start()
    masked = line.translate(DIGITS_TO_ZERO)
    # a head that is not in the line gives -1, which is less than any index
    return max((masked.find(head, start) for head in heads), default=-1)
