"""Decodes event lines into columns with the compiled loop, which reads the lines that are exactly of a shape.

Other lines are left for `regex_decoder`, which gives the reason if one is bad.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from wrkparse.tools.columnar import compiled
from wrkparse.tools.columnar.buffers import Indices, Lines
from wrkparse.tools.columnar.shapes import DIGITS, FindShape, Shape, ShapeGroup, Values, find_shape

# Shapes that are tried on all lines, each in a separate pass; bounds the time. A log has a few at a time.
_MOST_TRIED = 32
_UNREAD = 255  # mark of a line without a known shape, or that its shape can't read


class _SharedColumns:
    """Columns of lines whose shapes have the same numbers, and constants that differ only in flags."""

    def __init__(self, known: Shape, lines: int) -> None:
        self._known, self._lines = known, lines
        self.words: dict[int, Mapping[str, Any]] = {}  # constants by the marks of the shapes
        self._cells = np.empty(len(known.names) * lines, np.int64)
        many = Counter(known.names)
        begins = np.cumsum([0, *many.values()]) * lines
        # by name: where its cells begin, and how many of them a line has
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

    def group(self, marks: np.ndarray[Any, np.dtype[np.uint8]]) -> ShapeGroup:
        """The lines that were read."""
        own = np.zeros(256, bool)
        own[list(self.words)] = True
        indices = np.flatnonzero(own[marks])
        columns = {name: self._column(name, indices) for name in self._spans}
        return ShapeGroup(indices, columns, self._constants(marks[indices]))

    def _column(self, name: str, indices: Indices) -> Values:
        begin, many = self._spans[name]
        cells = self._cells[begin : begin + many * self._lines]
        values: Values = cells.view(np.float64) if name in self._known.decimals else cells
        values = values.reshape(self._lines, many) if name in self._known.lists else values
        return values if len(indices) == self._lines else values[indices]

    def _constants(self, marks: np.ndarray[Any, np.dtype[np.uint8]]) -> Mapping[str, Any]:
        """The constants of the lines: one value for all, or a column of flags."""
        first, *others = self.words.values()
        found = dict(first)
        for key in first if others else ():
            if any(words[key] != first[key] for words in others):
                table = np.zeros(256, bool)
                table[[mark for mark, words in self.words.items() if words[key]]] = True
                found[key] = table[marks]
        return found


def decode_lines(lines: Lines, shape_of: FindShape) -> tuple[list[ShapeGroup], Indices]:
    """Decode the lines that are exactly of a shape. Returns their groups, and the indices of the other lines."""
    marks = np.zeros(len(lines), np.uint8)
    room = 2 * len(lines.text)  # cells: a number with the text before it takes at least two characters
    shared: dict[Hashable, _SharedColumns] = {}
    for mark in range(1, _MOST_TRIED):
        first = int(marks.argmin())
        if marks[first]:
            break
        known = find_shape(lines[first].translate(None, DIGITS), shape_of)
        key = _column_key(known) if known is not None else None
        if known is not None and key not in shared and len(known.names) * len(lines) <= room:
            room -= len(known.names) * len(lines)
            shared[key] = _SharedColumns(known, len(lines))
        if known is not None and key in shared:
            shared[key].read(lines, known, marks, mark)
        if not marks[first]:
            marks[first] = _UNREAD
    groups = [each.group(marks) for each in shared.values()]
    return [group for group in groups if len(group.indices)], np.flatnonzero((marks == 0) | (marks == _UNREAD))


def _column_key(known: Shape) -> Hashable:
    """A key that is equal for shapes that share columns."""
    return known.names, known.decimals, *((k, v) for k, v in known.constants.items() if not isinstance(v, bool))
