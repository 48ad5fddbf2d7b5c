"""Splits texts that are side by side in the columns of one text, separated by bars or by blanks.

Running 10s test @ http://h:1/      |  Running 10s test @ http://h:2/
8 threads and 8 connections       |    8 threads and 8 connections
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

COLUMN_STREAM = "column"  # the streams of columns are "column 1", "column 2" …
_BAR = re.compile(r"\|{1,2}|[│┃]")
_BAR_BETWEEN = re.compile(rf"(?<=\S)[ \t]+({_BAR.pattern})[ \t]+(?=\S)")
_GAP = re.compile(r"[ \t]{2,}")
# Characters between the beginnings of lines of one column: a tab moves them by up to 8, a longer line a little more.
_MOST_SHIFT = 12
_SHORTEST_WORD = 5  # letters of a word that shows that two texts begin alike


class TextColumns(NamedTuple):
    """The indexes at which the columns of a text begin; with a bar between them, only their number counts."""

    starts: tuple[int, ...]
    bar: str  # "" if there are only blanks

    def split(self, text: str) -> list[str] | None:
        """The text of each column; None if the line has other columns."""
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
        """The end of the gap nearest to the beginning of a column, if columns are shifted; None without a gap."""
        ends = [gap.end() for gap in _GAP.finditer(text, begin) if abs(gap.end() - start) <= _MOST_SHIFT]
        return min(ends, key=lambda end: abs(end - start), default=None)


def may_have_columns(text: str, words: list[str]) -> bool:
    """Whether a text has a bar, or repeats one of its first words, as columns with the same text do; a quick test."""
    return bool(_BAR.search(text)) or text.count(words[0]) > 1 or (len(words) > 1 and text.count(words[1]) > 1)


def find_columns(text: str, words: list[str]) -> TextColumns | None:
    """The columns of a line if the same word is the first or the second in each; None for other lines."""
    for word in words[:2]:
        if len(word) < _SHORTEST_WORD or text.count(word) < 2:
            continue
        places = [match.start() for match in re.finditer(re.escape(word), text)]
        bars = {(_BAR.findall(text[before:place]) or [""])[-1] for before, place in pairwise(places)}
        if len(bars) == 1 and bars != {""}:
            return TextColumns(tuple(places), bars.pop())
        ahead = places[0] - (len(text) - len(text.lstrip()))  # of the word in its column
        starts = tuple(place - ahead for place in places)
        if all(_GAP.fullmatch(text[start - 2 : start]) for start in starts[1:]):
            return TextColumns(starts, "")
    return None


def find_two_columns(text: str) -> TextColumns | None:
    """The columns of a line with one bar, which may contain different tools; None for other lines."""
    bars = list(_BAR_BETWEEN.finditer(text))
    return TextColumns((0, bars[0].end()), bars[0][1]) if len(bars) == 1 else None
