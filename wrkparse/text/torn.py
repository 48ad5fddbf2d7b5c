"""Rejoins a torn event line, where its pieces prove that they belong together.

Runtimes write a line in dozens of system calls. What other programs write at the same time stands between the pieces,
each time as a line with its line break. Some collectors make a line of each piece, and pages wrap long lines. The proof
is the strict form of the tool's line: the pieces, in order and with nothing left over, make a complete line. Where a
number might end at either of two places (``0.13`` and ``2 requests`` make ``0.132 requests``), the line stays torn.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from string import ascii_letters

# Lines after the first piece in which the others are searched for. It bounds the work: other programs may write many
# lines between two pieces, but each line makes the proof by their heads less likely.
WINDOW = 320
_MOST_WRAPPED = 8  # pieces of a line that a page wrapped; collectors that cut at each system call make more
_LONGEST_WRAPPED = 200  # characters of one piece; terminals and pages wrap earlier
_HEAD = 10  # characters that tell the lines of one program, whatever their digits are: "[GIN] 2026", "level=info"
_LETTERS = frozenset(f'{ascii_letters}{{"<')  # a piece that ends within a number is not followed by one of them
_DIGITS = str.maketrans("123456789", "000000000")
_STAMPED = r"[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}[T ][0-9]{2}:|(?:level|time|ts|msg)="  # dates, logfmt

IsComplete = Callable[[str], bool]


class Heads:
    """How lines begin, by which other lines of their programs are known in the middle of a torn one."""

    def __init__(self) -> None:
        self._places: list[int] = []  # of the lines with a head, in order
        self._heads: list[str] = []  # of these lines

    def add(self, place: int, line: str) -> None:
        """Add a line behind all others."""
        if len(line) >= _HEAD and line[0] in _LETTERS:
            self._places.append(place)
            self._heads.append(line[:_HEAD].translate(_DIGITS))

    def within(self, begin: str, places: range) -> set[str]:
        """The heads of lines at these places that stand in a torn line, which has none of them in front."""
        low, high = bisect_left(self._places, places.start), bisect_left(self._places, places.stop)
        masked = begin.translate(_DIGITS)
        return {head for head in {*self._heads[low:high]} - {masked[:_HEAD]} if masked.find(head, 1) >= 0}


def foreign_line(openings: Iterable[str]) -> re.Pattern[str]:
    """A pattern that finds where another program's line begins: with a time, with logfmt, or with an opening."""
    return re.compile("|".join([_STAMPED, *openings]))


def rejoin_torn_line(
    begin: str,
    after: Sequence[str],
    joins: Iterable[tuple[str, int]],
    heads: AbstractSet[str],
    is_complete: IsComplete,
    foreign: re.Pattern[str],
) -> tuple[str, int] | None:
    """The complete line that begins with the piece `begin`, and the number of lines of `after` that it takes.

    `joins` are those of `likely_joins`, `heads` those of lines of `after` within the piece, `foreign` is a pattern of
    `foreign_line`. None if no line is complete.
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
    """What a line may be whose pieces fill their lines, each with the number of these lines.

    A page wrapped it, with or without a blank, or each piece has a prefix. Of many pieces, those with one of `ends`,
    the endings of complete lines. The longest line has `longest` characters; no piece follows where no text
    `may_go_on`, which says whether a complete line begins so.
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
    """Rejoin pieces that share their lines: behind each piece but the last, another program's line begins."""
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
    """The index at which another program's line begins, by the pattern or by a head; -1 if there is none."""
    if match := foreign.search(line, start):
        return match.start()
    masked = line.translate(_DIGITS)
    return max((masked.find(head, start) for head in heads), default=-1)
