"""The pipe tables of a Markdown page (GitHub Flavored Markdown, section "Tables (extension)")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from wrkparse.text.wrapping import markup

_DASHES = re.compile(r":?-+:?")  # "---", ":---:"


@dataclass(frozen=True, slots=True)
class MarkdownTable:
    """A pipe table.

    ``line`` is the number of its header's line, ``heading`` the heading above it. ``rows`` has the line number and the
    cells of each row.
    """

    line: int
    heading: str
    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]


def markdown_tables(text: str) -> Iterator[MarkdownTable]:
    """The pipe tables of a page in order, without those in fenced code.

    A table is a line of cells, a line of as many dashes (with colons for alignment), and the lines with bars below it.
    Rows are padded or cut to the width of the header, as Markdown viewers do.
    """
    lines = [line.strip() for line in text.split("\n")]  # as editors count them; splitlines also ends them at U+2028
    heading, fence, index = "", None, 0
    while index < len(lines):
        line = lines[index]
        if fence:
            fence = None if markup.closes_fence(line, fence) else fence
        elif mark := markup.fence_mark(line):
            fence = mark
        elif "|" in line and index + 1 < len(lines) and _is_delimiter(lines[index + 1], len(markup.row_cells(line))):
            table = _table(lines, index, heading)
            yield table
            index += 1 + len(table.rows)
        elif index and lines[index - 1] and markup.is_underline(line, lines[index - 1]):
            heading = markup.without_title_mark(lines[index - 1])
        elif found := markup.parse_heading(line):
            heading = found.text
        index += 1


def _is_delimiter(line: str, columns: int) -> bool:
    cells = markup.row_cells(line)
    return len(cells) == columns and all(_DASHES.fullmatch(cell) for cell in cells)


def _table(lines: list[str], first: int, heading: str) -> MarkdownTable:
    header = markup.row_cells(lines[first])
    rows = []
    for index in range(first + 2, len(lines)):
        if "|" not in lines[index]:
            break
        cells = [*markup.row_cells(lines[index]), *[""] * len(header)][: len(header)]
        rows.append((index + 1, tuple(cells)))
    return MarkdownTable(first + 1, heading, header, tuple(rows))
