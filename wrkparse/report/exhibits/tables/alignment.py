"""How the numbers of a column stand below each other; pages need it, and they are written without pandas."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

_POINT = 0.5  # the width of a point in Source Sans Pro, in widths of a digit (249 and 497 units)
_NUMBER = re.compile(r"[-−+<]?[0-9,]+(?:\.[0-9]+)?")
_DECIMALS = re.compile(r"[-−+<]?[0-9,]+\.([0-9]+)")


def decimals(cell: str) -> str:
    """The digits behind the point of a cell; none of other cells than numbers.

    >>> decimals("1,040.50"), decimals("12"), decimals("1.5e-09"), decimals("baseline")
    ('50', '', '', '')
    """
    return found[1] if (found := _DECIMALS.fullmatch(cell)) else ""


def point_gaps(rows: Sequence[Sequence[str]], columns: Sequence[Mapping[str, Any]]) -> list[list[float]]:
    """How far each cell ends in front of the right edge, so that the points of a column stand below each other.

    The unit is the width of a digit; a point takes half of it. Only numbers in columns that are `right` have a gap.

    >>> point_gaps([["0.25"], ["12.5"], ["3"], [""], ["n/a"]], [{"right": True}])
    [[0], [1], [2.5], [0], [0]]
    """
    widths = [
        [_width_behind(cell) if one["right"] else 0 for cell, one in zip(row, columns, strict=True)] for row in rows
    ]
    most = [max(column) for column in zip(*widths, strict=True)]
    return [
        [
            longest - width if longest and _NUMBER.fullmatch(cell) else 0
            for cell, width, longest in zip(row, own, most, strict=True)
        ]
        for row, own in zip(rows, widths, strict=True)
    ]


def _width_behind(cell: str) -> float:
    behind = len(decimals(cell))
    return behind + _POINT if behind else 0
