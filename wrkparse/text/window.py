"""Keeps the printed lines around those being read, for a parser that looks ahead to rejoin a torn line."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from operator import attrgetter

from wrkparse.text.normalize import NormalizedLine
from wrkparse.text.wrapping.prefixes import longest_prefix

_number_of = attrgetter("number")
_MOST_SIGNS = 20  # characters of quote marks and comment signs before a line


class LineWindow:
    """The lines being read, and earlier lines that are still needed. Lines are made on demand."""

    def __init__(self) -> None:
        self._lines: list[NormalizedLine] = []
        # The stream and the text of lines, by index: many torn lines may need each.
        self._split: dict[int, tuple[str, str]] = {}
        self._next: Callable[[], list[NormalizedLine]] | None = None  # makes the lines that are not made yet

    def advance(self, make_lines: Callable[[], list[NormalizedLine]], keep_from: int | None) -> None:
        """Go on to the lines that `make_lines` returns. Of the earlier lines, keep those from number `keep_from` on."""
        before = [] if keep_from is None else self._all()
        self._lines = [line for line in before if keep_from is not None and line.number >= keep_from]
        self._next, self._split = make_lines, {}

    def indexes_after(self, number: int, most: int, upto: int | None = None) -> range:
        """The indexes of at most `most` lines after the line with this number, up to the line with number `upto`."""
        lines = self._all()
        start = bisect_right(lines, number, key=_number_of)
        stop = min(start + most, len(lines) if upto is None else bisect_right(lines, upto, key=_number_of))
        return range(start, max(start, stop))

    def number(self, index: int) -> int:
        """The number of the line at an index."""
        return self._all()[index].number

    def signs_before(self, number: int, text: str) -> str:
        """The quote marks or comment signs before a text in the line with this number; empty without any."""
        lines = self._all()
        at = bisect_left(lines, number, key=_number_of)
        plain = lines[at].plain if at < len(lines) and lines[at].number == number else ""
        before = plain[: max(plain.find(text), 0)].rstrip()
        return before if len(before) <= _MOST_SIGNS and not before.strip("> |#*/+") else ""

    def texts_without_signs(self, indexes: range, stream: str, signs: str) -> list[tuple[int, str]]:
        """The index and the text of the lines of a stream, without `signs` at the beginning."""
        lines = self._all()
        texts = [(index, lines[index].plain) for index in indexes if lines[index].stream == stream]
        if not signs:
            return texts
        length = len(signs)
        return [(index, text[length:].removeprefix(" ") if text.startswith(signs) else text) for index, text in texts]

    def texts_without_prefix(self, indexes: range, stream: str) -> list[tuple[int, str]]:
        """The index and the text of the lines whose prefix names a stream, without the prefix."""
        lines, split = self._all(), self._split
        texts = []
        for index in indexes:
            found = split.get(index)
            if found is None:
                line = lines[index]
                prefix = longest_prefix(line.plain)
                found = f"{line.stream} {prefix.stream}".strip(), line.plain[prefix.end :]
                split[index] = found
            if found[0] == stream:
                texts.append((index, found[1]))
        return texts

    def _all(self) -> list[NormalizedLine]:
        if self._next is not None:
            self._lines = self._lines + self._next()
            self._next = None
        return self._lines
