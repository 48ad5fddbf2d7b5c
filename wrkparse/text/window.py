"""The printed lines around those that are being read, for a parser that must look ahead to rejoin a torn line."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from operator import attrgetter

from wrkparse.text.normalize import NormalizedLine
from wrkparse.text.wrapping.prefixes import longest_prefix

_number = attrgetter("number")
_MOST_SIGNS = 20  # characters of quote marks and comment signs in front of a line


class LineWindow:
    """The lines being read, and those before them that are still needed. Lines are made when they are asked for."""

    def __init__(self) -> None:
        self._lines: list[NormalizedLine] = []
        # Stream and text of lines by their place, as long as they are here: many torn lines may look at each.
        self._split: dict[int, tuple[str, str]] = {}
        self._next: Callable[[], list[NormalizedLine]] | None = None  # makes the lines that are not made yet

    def advance(self, make_lines: Callable[[], list[NormalizedLine]], keep_from: int | None) -> None:
        """Go on to the lines that `make_lines` returns. Of those before, keep the ones from number `keep_from` on."""
        before = [] if keep_from is None else self._all()
        self._lines = [line for line in before if keep_from is not None and line.number >= keep_from]
        self._next, self._split = make_lines, {}

    def places_after(self, number: int, most: int, upto: int | None = None) -> range:
        """The places of at most `most` lines behind the one of this number, none of them behind number `upto`."""
        lines = self._all()
        start = bisect_right(lines, number, key=_number)
        stop = min(start + most, len(lines) if upto is None else bisect_right(lines, upto, key=_number))
        return range(start, max(start, stop))

    def number(self, place: int) -> int:
        """The number of the line at a place."""
        return self._all()[place].number

    def signs_before(self, number: int, text: str) -> str:
        """The quote marks or comment signs in front of a text in the line of this number; empty if there are none."""
        lines = self._all()
        at = bisect_left(lines, number, key=_number)
        plain = lines[at].plain if at < len(lines) and lines[at].number == number else ""
        before = plain[: max(plain.find(text), 0)].rstrip()
        return before if len(before) <= _MOST_SIGNS and not before.strip("> |#*/+") else ""

    def texts_without_signs(self, places: range, stream: str, signs: str) -> list[tuple[int, str]]:
        """Place and text of those lines that are of a stream, without `signs` in front."""
        lines = self._all()
        texts = [(place, lines[place].plain) for place in places if lines[place].stream == stream]
        if not signs:
            return texts
        behind = len(signs)
        return [(place, text[behind:].removeprefix(" ") if text.startswith(signs) else text) for place, text in texts]

    def texts_without_prefix(self, places: range, stream: str) -> list[tuple[int, str]]:
        """Place and text of those lines whose prefix names a stream, without the prefix."""
        lines, split = self._all(), self._split
        texts = []
        for place in places:
            found = split.get(place)
            if found is None:
                line = lines[place]
                prefix = longest_prefix(line.plain)
                found = f"{line.stream} {prefix.stream}".strip(), line.plain[prefix.end :]
                split[place] = found
            if found[0] == stream:
                texts.append((place, found[1]))
        return texts

    def _all(self) -> list[NormalizedLine]:
        if self._next is not None:
            self._lines = self._lines + self._next()
            self._next = None
        return self._lines
