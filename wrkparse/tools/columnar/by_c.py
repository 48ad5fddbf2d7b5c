"""Many lines of one shape → columns, by the compiled loop: it reads the lines that are exactly of a shape.

Lines with anything unusual are left for `by_regex`, which gives the reason if one is bad.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from wrkparse.tools.columnar import compiled
from wrkparse.tools.columnar.buffers import Indices, Lines
from wrkparse.tools.columnar.templates import DIGITS, Group, Shape, ShapeOf, Values, fitting

_MOST_TRIED = 32  # lines whose shapes are tried on all others
_LEFT = 255  # the mark of a line that is none of them


class _Alike:
    """Lines of shapes with the same numbers (and words, but for those that are true or false): they share columns."""

    def __init__(self, known: Shape, lines: int) -> None:
        self._known, self._lines = known, lines
        self.words: dict[int, Mapping[str, Any]] = {}  # by the marks of the shapes
        self._cells = np.empty(len(known.names) * lines, np.int64)
        many = Counter(known.names)
        begins = np.cumsum([0, *many.values()]) * lines
        # of each name: where its cells begin, how many a line has
        self._spans = {name: (int(begin), many[name]) for name, begin in zip(many, begins, strict=False)}
        taken: Counter[str] = Counter()
        starts = []
        for name in known.names:
            starts.append(self._spans[name][0] + taken[name])
            taken[name] += 1
        self._places = np.array(starts + [many[name] for name in known.names], np.int64)
        self._kinds = bytes(name in known.decimals for name in known.names)

    def read(self, lines: Lines, known: Shape, marks: np.ndarray[Any, np.dtype[np.uint8]], mark: int) -> None:
        """Read the lines of one of the shapes."""
        self.words[mark] = known.constants
        compiled.read(lines.text, lines.ends, known.gaps, self._kinds, self._cells, self._places, marks, mark)

    def group(self, marks: np.ndarray[Any, np.dtype[np.uint8]]) -> Group:
        """What was read."""
        own = np.zeros(256, bool)
        own[list(self.words)] = True
        indices = np.flatnonzero(own[marks])
        columns = {name: self._column(name, indices) for name in self._spans}
        return Group(indices, columns, self._said(marks[indices]))

    def _column(self, name: str, indices: Indices) -> Values:
        begin, many = self._spans[name]
        cells = self._cells[begin : begin + many * self._lines]
        values: Values = cells.view(np.float64) if name in self._known.decimals else cells
        values = values.reshape(self._lines, many) if name in self._known.lists else values
        return values if len(indices) == self._lines else values[indices]

    def _said(self, marks: np.ndarray[Any, np.dtype[np.uint8]]) -> Mapping[str, Any]:
        """What the words of the lines say: one value for all, or a column of what is true."""
        first, *others = self.words.values()
        said = dict(first)
        for key in first if others else ():
            if any(words[key] != first[key] for words in others):
                table = np.zeros(256, bool)
                table[[mark for mark, words in self.words.items() if words[key]]] = True
                said[key] = table[marks]
        return said


def read(lines: Lines, shape_of: ShapeOf) -> tuple[list[Group], Indices]:
    """The groups of the lines that are exactly of a shape, and the indices of those that are left."""
    marks = np.zeros(len(lines), np.uint8)
    room = 2 * len(lines.text)  # cells; each of its numbers takes two characters at least
    alike: dict[Hashable, _Alike] = {}
    for mark in range(1, _MOST_TRIED):
        first = int(marks.argmin())
        if marks[first]:
            break
        known = fitting(lines[first].translate(None, DIGITS), shape_of)
        same = _same(known) if known is not None else None
        if known is not None and same not in alike and len(known.names) * len(lines) <= room:
            room -= len(known.names) * len(lines)
            alike[same] = _Alike(known, len(lines))
        if known is not None and same in alike:
            alike[same].read(lines, known, marks, mark)
        if not marks[first]:
            marks[first] = _LEFT
    groups = [each.group(marks) for each in alike.values()]
    return [group for group in groups if len(group.indices)], np.flatnonzero((marks == 0) | (marks == _LEFT))


def _same(known: Shape) -> Hashable:
    """What shapes have in common that share columns."""
    return known.names, known.decimals, *((k, v) for k, v in known.constants.items() if not isinstance(v, bool))
