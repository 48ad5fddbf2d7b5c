"""Draws the import graph as SVG: a row of boxes for each layer, and beside the rows a line of dots for its imports."""

from __future__ import annotations

import json
from html import escape

from graph import Box, Layer, as_data

# Pixels. The drawing is as wide as a page of documentation on GitHub.
_WIDTH, _LEFT, _TITLE = 1000, 10, 92  # _TITLE: the column with the layers' names
_CONTENT = 690  # right edge of the rows
_BUS = 21  # between the vertical lines of two layers
_BOX, _GAP, _PAD = 34, 6, 9  # height of a box, between boxes, inside a row
_ROW_GAP, _TOP = 10, 58
_LETTER = 6.6  # the mean width of a letter of the boxes' type
_FONT = "font-family='Helvetica, Arial, sans-serif'"
_INK, _FAINT, _LINE = "#1f2933", "#667380", "#2f6690"
_ROW_FILL, _PACKAGE_FILL, _MODULE_FILL = "#eef2f6", "#cfe0ee", "#ffffff"


def svg(layers: list[Layer]) -> str:
    """The drawing, with the graph as JSON in its metadata. The same graph gives the same text."""
    rows, height = _rows(layers)
    parts = [_heading(), *_guides(layers, rows)]
    for layer, (top, bottom, places) in zip(layers, rows, strict=True):
        parts += _row(layer, top, bottom, places)
    parts += _buses(layers, rows)
    body = "\n".join(parts)
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {_WIDTH} {height}' width='{_WIDTH}' height='{height}'>\n"
        f"<metadata>{escape(json.dumps(as_data(layers), indent=0), quote=False)}</metadata>\n"
        f"<rect width='{_WIDTH}' height='{height}' fill='white'/>\n{body}\n</svg>\n"
    )


_Row = tuple[int, int, list[tuple[Box, int, int, int]]]  # top, bottom, and each box with its left, top and width


def _rows(layers: list[Layer]) -> tuple[list[_Row], int]:
    rows: list[_Row] = []
    top = _TOP
    for layer in layers:
        places, bottom = _places(layer.boxes, top + _PAD)
        rows.append((top, bottom, places))
        top = bottom + _ROW_GAP
    return rows, top


def _places(boxes: list[Box], top: int) -> tuple[list[tuple[Box, int, int, int]], int]:
    """Where the boxes of a row are, in as many lines as they need, and the row's bottom."""
    places: list[tuple[Box, int, int, int]] = []
    first = left = _LEFT + _TITLE
    for box in boxes:
        width = _box_width(box)
        if left > first and left + width > _CONTENT - _PAD:
            left, top = first, top + _BOX + _GAP
        places.append((box, left, top, width))
        left += width + _GAP
    return places, top + _BOX + _PAD


def _box_width(box: Box) -> int:
    return round(max(len(box.name) * _LETTER, len(_caption(box)) * _LETTER * 0.84)) + 14


def _caption(box: Box) -> str:
    """The second line of a box: its size, and for a sub-package the boxes beside it that it imports."""
    size = f"{box.lines:,}"
    return f"{size} → {', '.join(box.imports)}" if box.is_package and box.imports else size


def _heading() -> str:
    return (
        f"<text x='{_LEFT}' y='20' {_FONT} font-size='13' fill='{_INK}'>"
        "<tspan font-weight='bold'>The packages of wrkparse/.</tspan> Each box is a sub-package (blue) or a module "
        "(white) with its lines of code.</text>"
        f"<text x='{_LEFT}' y='40' {_FONT} font-size='13' fill='{_INK}'>"
        "From each row a line goes out to the right and down; a dot on it marks a package that the row imports. "
        "“→” names imports within a row.</text>"
    )


def _row(layer: Layer, top: int, bottom: int, places: list[tuple[Box, int, int, int]]) -> list[str]:
    right = _CONTENT - _LEFT
    middle = (top + bottom) // 2
    parts = [
        f"<rect x='{_LEFT}' y='{top}' width='{right}' height='{bottom - top}' rx='5' fill='{_ROW_FILL}'/>",
        _text(_LEFT + 9, middle - 1, layer.name, 14, _INK, "font-weight='bold'"),
        _text(_LEFT + 9, middle + 14, f"{layer.lines:,} lines", 11, _FAINT),
    ]
    for box, left, above, width in places:
        fill = _PACKAGE_FILL if box.is_package else _MODULE_FILL
        parts += [
            f"<rect x='{left}' y='{above}' width='{width}' height='{_BOX}' rx='3' fill='{fill}' stroke='#b3c0cc'/>",
            _text(left + 7, above + 14, box.name, 12, _INK),
            _text(left + 7, above + 27, _caption(box), 10, _FAINT),
        ]
    return parts


def _text(x: int, y: int, text: str, size: int, fill: str, more: str = "") -> str:
    return f"<text x='{x}' y='{y}' {_FONT} font-size='{size}' fill='{fill}' {more}>{escape(text)}</text>"


def _bus_x(index: int, count: int) -> int:
    """The vertical line of a layer: the upper the layer, the farther to the right, so that no two lines cross twice."""
    return _CONTENT + 24 + _BUS * (count - 1 - index)


def _levels(row: _Row) -> tuple[int, int]:
    """Where a row's own line goes out, and where the lines of those that import it come in."""
    middle = (row[0] + row[1]) // 2
    return middle - 10, middle + 10


def _guides(layers: list[Layer], rows: list[_Row]) -> list[str]:
    """For each layer that is imported, a faint arrow from the farthest dot to the row."""
    parts = []
    for layer, row in zip(layers, rows, strict=True):
        users = [index for index, other in enumerate(layers) if layer.name in other.imports]
        if users:
            y, right = _levels(row)[1], _bus_x(min(users), len(layers))
            parts += [
                f"<path d='M{right} {y}H{_CONTENT + 8}' stroke='#a9b7c4' fill='none'/>",
                f"<path d='M{_CONTENT + 1} {y}l9 -4v8z' fill='#7b8794'/>",
            ]
    return parts


def _buses(layers: list[Layer], rows: list[_Row]) -> list[str]:
    """For each layer the line that leads to what it imports, with a dot at each."""
    index_of = {layer.name: index for index, layer in enumerate(layers)}
    parts = []
    for index, (layer, row) in enumerate(zip(layers, rows, strict=True)):
        if not layer.imports:
            continue
        x, start = _bus_x(index, len(layers)), _levels(row)[0]
        ends = [_levels(rows[index_of[name]])[1] for name in layer.imports]
        parts.append(f"<path d='M{_CONTENT} {start}H{x}V{max(ends)}' stroke='{_LINE}' stroke-width='1.5' fill='none'/>")
        parts += [
            f"<circle cx='{x}' cy='{y}' r='4' fill='{_LINE}'><title>{layer.name} imports {name}</title></circle>"
            for name, y in zip(layer.imports, ends, strict=True)
        ]
    return parts
