"""Texts side by side in the columns of one text: parted by bars, or by blanks.

Running 10s test @ http://h:1/      |  Running 10s test @ http://h:2/
8 threads and 8 connections       |    8 threads and 8 connections
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

STREAM = "column"  # their streams are "column 1", "column 2" …
_BARS = "|│┃"
_BAR = re.compile(f"[{_BARS}]")
_GAP = re.compile(r"[ \t]{2,}")
_SHIFT = 12  # columns by which lines of one text begin apart
_SHORTEST = 5  # letters of a word by which two texts are known to begin alike


class Columns(NamedTuple):
    """Where the columns of a text begin; with bars between them, only how many there are."""

    starts: tuple[int, ...]
    bars: bool

    def split(self, text: str) -> list[str] | None:
        """The line of each column; None if the line has other columns."""
        if self.bars:
            parts = _BAR.split(text)
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
    """Whether one of the first words comes again in a text, as in columns that begin alike; a quick test."""
    return text.count(words[0]) > 1 or (len(words) > 1 and text.count(words[1]) > 1)


def find_columns(text: str, words: list[str]) -> Columns | None:
    """The columns of a line in each of which the same word comes first or second; None if it has none."""
    for word in words[:2]:
        if len(word) < _SHORTEST or text.count(word) < 2:
            continue
        places = [match.start() for match in re.finditer(re.escape(word), text)]
        bars = [text[before:place] for before, place in pairwise(places)]
        if all(_BAR.search(between) for between in bars):
            return Columns(tuple(places), bars=True)
        ahead = places[0] - (len(text) - len(text.lstrip()))  # of the word in its column
        starts = tuple(place - ahead for place in places)
        if all(_GAP.fullmatch(text[start - 2 : start]) for start in starts[1:]):
            return Columns(starts, bars=False)
    return None
