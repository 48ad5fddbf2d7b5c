"""Texts side by side in the columns of one text: parted by bars, or by blanks.

Running 10s test @ http://h:1/      |  Running 10s test @ http://h:2/
8 threads and 8 connections       |    8 threads and 8 connections
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

STREAM = "column"  # their streams are "column 1", "column 2" …
_BAR = re.compile(r"\|{1,2}|[│┃]")
_BAR_BETWEEN = re.compile(rf"(?<=\S)[ \t]+({_BAR.pattern})[ \t]+(?=\S)")
_GAP = re.compile(r"[ \t]{2,}")
_SHIFT = 12  # columns by which lines of one text begin apart
_SHORTEST = 5  # letters of a word by which two texts are known to begin alike


class Columns(NamedTuple):
    """Where the columns of a text begin; with a bar between them, only how many there are."""

    starts: tuple[int, ...]
    bar: str  # "" if there are only blanks

    def split(self, text: str) -> list[str] | None:
        """The line of each column; None if the line has other columns."""
        if self.bar:
            parts = text.split(self.bar)
            if len(parts) > len(self.starts) and not parts[0].strip():  # the border of a table
                del parts[0]
            if len(parts) > len(self.starts) and not parts[-1].strip():
                del parts[-1]
            return parts if len(parts) == len(self.starts) or not text.strip() else None
        parts, begin = [], 0
        for start in self.starts[1:]:
            end = start if not text[start - 2 : start].strip() else self._nearest_gap(text, begin, start)
            if end is None:
                return None
            parts.append(text[begin:end])
            begin = end
        return [*parts, text[begin:]]

    @staticmethod
    def _nearest_gap(text: str, begin: int, start: int) -> int | None:
        """Where the gap of a line ends that is not set in a type of one width, or begins further to the left."""
        ends = [gap.end() for gap in _GAP.finditer(text, begin) if abs(gap.end() - start) <= _SHIFT]
        return min(ends, key=lambda end: abs(end - start), default=None)


def may_have_columns(text: str, words: list[str]) -> bool:
    """Whether a text has a bar, or one of its first words again, as columns that begin alike have; a quick test."""
    return bool(_BAR.search(text)) or text.count(words[0]) > 1 or (len(words) > 1 and text.count(words[1]) > 1)


def find_columns(text: str, words: list[str]) -> Columns | None:
    """The columns of a line in each of which the same word comes first or second; None if it has none."""
    for word in words[:2]:
        if len(word) < _SHORTEST or text.count(word) < 2:
            continue
        places = [match.start() for match in re.finditer(re.escape(word), text)]
        bars = {(_BAR.findall(text[before:place]) or [""])[-1] for before, place in pairwise(places)}
        if len(bars) == 1 and bars != {""}:
            return Columns(tuple(places), bars.pop())
        ahead = places[0] - (len(text) - len(text.lstrip()))  # of the word in its column
        starts = tuple(place - ahead for place in places)
        if all(_GAP.fullmatch(text[start - 2 : start]) for start in starts[1:]):
            return Columns(starts, "")
    return None


def find_two_columns(text: str) -> Columns | None:
    """The columns of a line with one bar in it, which may be of different tools; None if it is another line."""
    bars = list(_BAR_BETWEEN.finditer(text))
    return Columns((0, bars[0].end()), bars[0][1]) if len(bars) == 1 else None
