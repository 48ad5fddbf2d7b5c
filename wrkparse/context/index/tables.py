"""Reads tables: CSV and TSV, and the tables of Markdown, Org, reStructuredText and AsciiDoc.

``| 01.log | envoy |`` below ``| Log | Server |`` is a row with the cells ``01.log`` and ``envoy``.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile, groupby

from wrkparse.context.index.blocks import Block, IndexRow, row_text
from wrkparse.text.wrapping.markup import row_cells

_DELIMITERS = "\t;,|"  # if a header has several equally often, it is the first of these
_BORDER_SIGNS = frozenset("|+-=: \t")

Line = tuple[int, str]  # its number, from 1, and its text


def read_csv(text: str) -> Iterator[Block]:
    """Read delimited text with a header (RFC 4180); lines before it that begin with ``#`` are comments."""
    lines = text.splitlines()
    first = next((at for at, line in enumerate(lines) if line.strip() and not line.startswith("#")), None)
    if first is None:
        return
    delimiter = max(_DELIMITERS, key=lines[first].count)
    rows: list[IndexRow] = []
    reader = csv.reader(lines[first:], delimiter=delimiter, skipinitialspace=True)
    start = first
    try:
        for cells in reader:
            end = first + reader.line_num
            if any(map(str.strip, cells)):
                rows.append(IndexRow(tuple(cells), start + 1, row_text(" ".join(lines[start:end]))))
            start = end
    except csv.Error:
        return
    if rows:
        yield from _table_block([rows[0].cells, *rows[1:]])


def read_tables(lines: Sequence[Line]) -> Iterator[Block]:
    """Read the tables of a page: rows with bars, simple tables of reStructuredText, tables of AsciiDoc."""
    for has_bars, some in groupby(lines, key=lambda line: "|" in line[1] or _is_border(line[1])):
        if has_bars:
            yield from _bar_table(list(some))
    yield from _simple_tables(lines)
    yield from _asciidoc_tables(lines)


def _table_block(rows: Sequence[tuple[str, ...] | IndexRow]) -> Iterator[Block]:
    """A block of a header and rows, if it has two columns and a row. Cells beyond the header are dropped."""
    header, *others = rows
    names = tuple(cell.strip() for cell in (header.cells if isinstance(header, IndexRow) else header))
    found = [row for row in others if isinstance(row, IndexRow)]
    if len(names) > 1 and found:
        width = len(names)
        filled = (row._replace(cells=(*row.cells, *[""] * width)[:width]) for row in found)
        yield Block("table", names, tuple(filled))


def _is_border(line: str) -> bool:
    """Whether a line is the border of a table."""
    return line.lstrip()[:1] in ("|", "+", "-", ":") and ("-" in line or "=" in line) and _BORDER_SIGNS.issuperset(line)


def _bar_table(lines: list[Line]) -> Iterator[Block]:
    """A table with a border below its header: ``|---|---|``, ``+===+===+``."""
    rows = [(number, line) for number, line in lines if not _BORDER_SIGNS.issuperset(line)]
    borders = [number for number, line in lines if _BORDER_SIGNS.issuperset(line)]
    if len(rows) > 1 and borders and borders[-1] > rows[0][0]:
        below = next(number for number in borders if number > rows[0][0])
        head = [row for row in rows if row[0] < below][-1]  # a line of text may be directly above
        body = [row for row in rows if row[0] > below]
        yield from _table_block([IndexRow(row_cells(line), number, row_text(line)) for number, line in [head, *body]])


def _simple_tables(lines: Sequence[Line]) -> Iterator[Block]:
    """The simple tables of reStructuredText: columns below stretches of ``=``, also below the header."""
    borders = [at for at, (_, line) in enumerate(lines) if " =" in line and set(line.strip()) == {"=", " "}]
    # Each table has three borders: above and below its header, and at its end.
    for top, below, bottom in zip(borders[::3], borders[1::3], borders[2::3], strict=False):
        if below - top == 2 and bottom - below > 1:
            starts = _column_starts(lines[top][1])
            cut = [_cut_row(line, starts) for line in lines[top + 1 : bottom] if line is not lines[below]]
            yield from _table_block(cut)


def _column_starts(border: str) -> list[int]:
    """The indexes at which columns begin."""
    return [at for at, sign in enumerate(border) if sign == "=" and (at == 0 or border[at - 1] != "=")]


def _cut_row(line: Line, starts: Sequence[int]) -> IndexRow:
    """A row with the cells of these columns."""
    ends: Iterable[int | None] = [*starts[1:], None]
    cells = tuple(line[1][start:end].strip() for start, end in zip(starts, ends, strict=True))
    return IndexRow(cells, line[0], row_text(line[1]))


def _asciidoc_tables(lines: Sequence[Line]) -> Iterator[Block]:
    """The tables of AsciiDoc between ``|===``: a row per line, or a cell per line and a blank line below the header."""
    marks = [at for at, (_, line) in enumerate(lines) if line.strip() == "|==="]
    for top, bottom in zip(marks[::2], marks[1::2], strict=False):
        inner = list(dropwhile(lambda line: not line[1].strip(), lines[top + 1 : bottom]))
        cells = [(number, cell.strip(), line) for number, line in inner if "|" in line for cell in line.split("|")[1:]]
        width = inner[0][1].count("|") if inner else 0
        if width == 1:
            blank = next((at for at, (_, line) in enumerate(inner) if not line.strip()), 0)
            width = sum(line.count("|") for _, line in inner[:blank])
        if width > 1:
            yield from _table_block([_asciidoc_row(cells[at : at + width]) for at in range(0, len(cells), width)])


def _asciidoc_row(cells: Sequence[tuple[int, str, str]]) -> IndexRow:
    """A row of these cells."""
    texts = dict.fromkeys(line for _, _, line in cells)
    return IndexRow(tuple(cell for _, cell, _ in cells), cells[0][0], row_text(" ".join(texts)))
