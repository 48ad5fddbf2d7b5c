"""Aligns the numbers of a column at their decimal points. HTML pages need it, so it does not import pandas."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

_POINT_WIDTH = 0.5  # of a decimal point in Source Sans Pro, in widths of a digit (249 and 497 units)
_NUMBER = re.compile(r"[-−+<]?[0-9,]+(?:\.[0-9]+)?")  # "1,040.50", "−5", "<0.001"
_DECIMALS = re.compile(r"[-−+<]?[0-9,]+\.([0-9]+)")  # "50" in "1,040.50"


def digits_after_point(cell: str) -> str:
    """The digits after the decimal point of a cell; empty if the cell is not a number.

    >>> [digits_after_point(cell) for cell in ("1,040.50", "12", "1.5e-09", "baseline")]
    ['50', '', '', '']
    """
    return found[1] if (found := _DECIMALS.fullmatch(cell)) else ""


def point_gaps(rows: Sequence[Sequence[str]], columns: Sequence[Mapping[str, Any]]) -> list[list[float]]:
    """The gap between each cell and the right edge that aligns the decimal points of a column.

    The unit is the width of a digit; a point takes half of it. Only numbers in columns that are `right` have a gap.

    >>> point_gaps([["0.25"], ["12.5"], ["3"], [""], ["n/a"]], [{"right": True}])
    [[0.0], [1.0], [2.5], [0], [0]]
    """
    widths = [
        [_width_after_digits(cell) if one["right"] else 0 for cell, one in zip(row, columns, strict=True)]
        for row in rows
    ]
    most = [max(column) for column in zip(*widths, strict=True)]
    return [
        [
            longest - width if longest and _NUMBER.fullmatch(cell) else 0
            for cell, width, longest in zip(row, own, most, strict=True)
        ]
        for row, own in zip(rows, widths, strict=True)
    ]


def _width_after_digits(cell: str) -> float:
    places = len(digits_after_point(cell))
    return places + _POINT_WIDTH if places else 0
