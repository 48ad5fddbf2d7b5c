"""Tables with a column per run and a row per quantity, and lists with a line per run."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Container, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from wrkparse.analysis.shown.grids import grid
from wrkparse.analysis.shown.numbers import quantity
from wrkparse.analysis.shown.screen import terminal_width

if TYPE_CHECKING:
    import pandas as pd

# Up to this many runs are shown side by side; more are listed, one per line.
MOST_ACROSS = 8

# Labels that are shown if any run has them, in this order.
_LABELS = ("framework", "cores", "gogc", "gomemlimit", "go_version", "environment", "process")
_NARROW = 16  # characters of a cell at most, if the runs do not fit the terminal side by side


class TableRow(NamedTuple):
    """A row: title, column of the data, unit (None: text), and a function that formats the value in another way."""

    title: str
    column: str
    unit: str | None = None
    words: Callable[[Mapping[str, Any]], str] | None = None


def missing(value: Any) -> bool:
    """Whether a cell of a DataFrame is NA, NaN or None."""
    import pandas as pd

    return bool(pd.isna(value))


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a DataFrame, each a mapping of its columns."""
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]


def cell(row: TableRow, values: Mapping[str, Any]) -> str:
    """The text of one value of one run; empty if it is missing."""
    value = values.get(row.column)
    if row.words:
        return row.words(values)
    if value is None or missing(value):
        return ""
    return str(value) if row.unit is None else quantity(float(value), row.unit)


def identifying_rows(table: pd.DataFrame) -> list[TableRow]:
    """The rows that identify a run: identifier, source and line, labels. `as_columns` leaves out empty rows."""
    return [
        TableRow("run", "run", words=lambda values: str(values["run"])[:8]),
        TableRow("source", "source", words=_place),
        *(TableRow(label, label) for label in _LABELS if label in table),
        TableRow("invalid", "invalid_reason"),
    ]


def _place(values: Mapping[str, Any]) -> str:
    return f"{str(values['source']).rsplit('/', 1)[-1]}:{values['line']}"


def as_columns(table: pd.DataFrame, rows: Sequence[TableRow]) -> str:
    """Rows of numbers with a column per run, in as many blocks as fit the width of the terminal."""
    limit, lines = terminal_width() or 10**6, _lines_across(table, rows)
    runs = lines[0][1:]
    whole = _block(lines, 1, len(runs))
    if _wide(whole) <= limit:
        return whole
    lines = [[line[0], *(_short(text, _NARROW) for text in line[1:])] for line in lines]
    blocks, first = [], 1
    while first <= len(runs):
        last = first
        # A block has one run at least, however wide it is.
        while last < len(runs) and _wide(_block(lines, first, last + 1)) <= limit:
            last += 1
        blocks.append(_block(lines, first, last))
        first = last + 1
    return "\n\n".join(blocks)


def _lines_across(table: pd.DataFrame, rows: Sequence[TableRow]) -> list[list[str]]:
    """A line for each row that any run has: its title, and a cell for each run."""
    runs = records(table)
    texts = [[row.title, *(cell(row, run) for run in runs)] for row in rows]
    return [line for line in texts if any(line[1:])]


def as_html(table: pd.DataFrame, rows: Sequence[TableRow]) -> str:
    """The same rows as a table of HTML: a column per run, or of many runs a line per run."""
    lines = _lines_across(table, rows)
    if len(table) > MOST_ACROSS:
        lines = [list(line) for line in zip(*lines, strict=True)]
    return grid(lines[0], lines[1:], form="html")


def as_list(table: pd.DataFrame, rows: Sequence[TableRow]) -> str:
    """A line per run and a column per row, the source last. A note names the columns that did not fit.

    A label that is equal in all runs has no column.
    """
    limit, runs = terminal_width() or 10**6, records(table)
    names = identifying_rows(table)
    rows = [*(name for name in names if name.column != "source"), *rows, TableRow("source", "source", words=_place)]
    columns = [[row.title, *(_short(cell(row, run), max(12, limit // 6)) for run in runs)] for row in rows]
    columns = [
        column for column in columns if any(column[1:]) and (column[0] not in _LABELS or len(set(column[1:])) > 1)
    ]
    return fit_to_terminal(columns, {"run", "source", *_LABELS}, f"{len(table):,} runs")


def fit_to_terminal(columns: Sequence[Sequence[str]], left: Container[str], note: str = "") -> str:
    """Columns, each with its title first, as many as fit the terminal; a note below names the others.

    Columns whose titles are in `left` are flush left, the others flush right.
    """
    limit, shown, dropped = terminal_width() or 10**6, list(columns), list[str]()
    text = _columns(shown, left)
    if _wide(text) > limit:
        text = _columns(shown, left, tight=True)
    while len(shown) > 2 and _wide(text) > limit:
        dropped.insert(0, shown.pop()[0])
        text = _columns(shown, left, tight=True)
    note = "; ".join(filter(None, (note, f"no room for {', '.join(dropped)}" if dropped else "")))
    return "\n".join([text, *textwrap.wrap(note, limit, subsequent_indent="  ")])


def _columns(columns: Sequence[Sequence[str]], left: Container[str], *, tight: bool = False) -> str:
    """Columns as text; `tight` ones are two blanks apart, under their titles too."""
    rows = list(zip(*columns, strict=True))
    right = [place for place, column in enumerate(columns) if column[0] not in left]
    return grid((), rows, right=right) if tight else grid(rows[0], rows[1:], right=right)


def _block(lines: Sequence[Sequence[str]], first: int, last: int) -> str:
    shown = [[line[0], *line[first : last + 1]] for line in lines]
    return grid(shown[0], [line for line in shown[1:] if any(line[1:])], right=range(1, last - first + 2))


def _short(text: str, most: int) -> str:
    """The end of a text that is too long: file names often begin with the same characters."""
    return text if len(text) <= most else "…" + text[1 - most :]


def _wide(text: str) -> int:
    return max(map(len, text.splitlines()))
