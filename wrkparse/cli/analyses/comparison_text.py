"""The text of ``compare --details``: tables of each metric that fit a terminal or a pull request, and all notes."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from wrkparse.analysis.comparison.text.notes import marks, notes, over_settings
from wrkparse.analysis.comparison.text.wording import (
    label_list,
    p_text,
    percent_text,
    ratio_text,
    share_difference_text,
    value_words,
)
from wrkparse.analysis.shown.fitting import fitted_grid
from wrkparse.analysis.shown.grids import grid
from wrkparse.analysis.shown.numbers import quantity
from wrkparse.analysis.shown.screen import ORDINARY_WIDTH
from wrkparse.dataset.aliases import SHOWN
from wrkparse.text.escape import escaped, printable

if TYPE_CHECKING:
    import pandas as pd

    from wrkparse.analysis.comparison.compare import ComparisonTable

_MIN_WIDTH = 60  # columns of text; a narrower terminal wraps the tables


def detailed_text(table: ComparisonTable, limit: int | None, *, markdown: bool) -> str:
    """The tables of all metrics of a comparison, then the notes.

    `limit` is the width of the terminal in columns of text; None if there is no limit.
    """
    parts: list[str] = []
    for _, cells in table.cells.groupby("metric", sort=False):
        parts += _metric_parts(table, cells, limit, markdown=markdown)
    parts.append(note_lines(notes(table), limit, markdown=markdown))
    return "\n\n".join(part for part in parts if part)


def _metric_parts(table: ComparisonTable, cells: pd.DataFrame, limit: int | None, *, markdown: bool) -> list[str]:
    """The headings, tables and notes of one metric: the values, then ratios or verdicts if there is a baseline."""
    name = str(cells["metric"].iloc[0])
    mark_of = marks(table)
    measured = [_value_text(row, mark_of, _runs_per_cell(cells)) for row in cells.to_dict("records")]
    parts = [
        _table_heading(f"{name}, {_values_description(table, cells)}", limit, markdown=markdown),
        _matrix_text(table, cells, measured, limit, markdown=markdown),
    ]
    # Of one run each there are ratios, and nothing to judge.
    if table.baseline and not (cells["n"] > 1).any():
        ratios = [_effect_or_verdict(row) for row in cells.to_dict("records")]
        parts += [
            _table_heading(f"{name}, {_effect_words(cells)} {label_list(table.baseline)}", limit, markdown=markdown),
            _matrix_text(table, cells, ratios, limit, markdown=markdown),
        ]
    elif table.baseline or cells["rank_lo"].notna().any():
        against = f" against {label_list(table.baseline)}" if table.baseline else ""
        parts += [
            _table_heading(f"{name}{against}: verdicts", limit, markdown=markdown),
            _verdict_table(table, cells, limit, markdown=markdown),
        ]
    return [*parts, note_lines(over_settings(table, name), limit, markdown=markdown)]


def _table_heading(text: str, limit: int | None, *, markdown: bool) -> str:
    return f"### {escaped(text)}" if markdown else textwrap.fill(printable(text), limit or ORDINARY_WIDTH)


def _values_description(table: ComparisonTable, cells: pd.DataFrame) -> str:
    """``median of 5 runs per cell [95 % interval]: framework × connections``."""
    by = f"{', '.join(table.rows)}" + (f" × {', '.join(table.columns)}" if table.columns else "")
    n = _runs_per_cell(cells)
    if n == 1:
        return f"one run per cell: {by}"
    runs = f"{n} runs per cell" if n else "n runs"
    interval = f" [{100 * table.confidence:g} % interval]" if cells["lo"].notna().any() else ""
    return f"{table.center} of {runs}{interval}: {by}"


def _runs_per_cell(cells: pd.DataFrame) -> int | None:
    """The number of runs of each cell that has any; None if it varies."""
    counts = set(cells["n"]) - {0}
    return int(counts.pop()) if len(counts) == 1 else None


def _value_text(row: dict[Any, Any], mark_of: dict[str, str], runs_per_cell: int | None) -> str:
    """``67.8 k/s [-1.2 %, +0.9 %] n=5``, with the marks of notes; n only if it varies (`runs_per_cell` is None)."""
    if row["verdict"] == "missing":
        return "missing"
    text = quantity(row["center"], row["unit"])
    if not math.isnan(row["lo"]):
        ends = (row["lo"], row["hi"])
        shown = [quantity(end, row["unit"]) if row["is_share"] else _relative_bound(end, row["center"]) for end in ends]
        text += f" [{', '.join(shown)}]"
    if runs_per_cell is None and row["n"] > 1:
        text += f" n={row['n']}"
    return text + mark_of.get(row["varies"], "") + (" (not used)" if row["verdict"] == "invalid" else "")


def _relative_bound(bound: float, center: float) -> str:
    """An end of an interval relative to the centre, ``+1.2 %``; its value if the centre is 0."""
    return f"{bound:.4g}" if center == 0 else f"{100 * (bound / center - 1):+.2g} %"


def _effect_words(cells: pd.DataFrame) -> str:
    return "difference from" if cells["is_share"].any() else "ratio to"


def _effect_or_verdict(row: dict[Any, Any]) -> str:
    return _effect_text(row) or str(row["verdict"])


def _effect_text(row: dict[Any, Any], end: str = "") -> str:
    """The ratio of a cell, or for shares the difference; with `end` ``_lo`` or ``_hi``, that end of its interval."""
    if row["is_share"] is True:
        return share_difference_text(row[f"difference{end}"])
    return ratio_text(row[f"ratio{end}"])


def _matrix_text(
    table: ComparisonTable, cells: pd.DataFrame, texts: list[str], limit: int | None, *, markdown: bool
) -> str:
    """Texts of cells as a table of rows by columns. Columns that do not fit side by side go to further tables below."""
    heads = [" / ".join(parts) for parts in _label_texts(cells, table.columns)] if table.columns else [""]
    width = len(dict.fromkeys(heads))
    # Cells come row by row, each row with all columns, also those that it has no runs in.
    rows = [texts[start : start + width] for start in range(0, len(texts), width)]
    labels = _label_texts(cells, table.rows)[::width]
    blocks = []
    for start, end in _column_ranges(table.rows, labels, heads[:width], rows, None if markdown else limit):
        body = [[*label, *row[start:end]] for label, row in zip(labels, rows, strict=True)]
        right = range(len(table.rows), len(table.rows) + end - start)
        blocks.append(_table_text([*table.rows, *heads[start:end]], body, right, markdown=markdown))
    return "\n\n".join(blocks)


def _label_texts(cells: pd.DataFrame, keys: Sequence[str]) -> list[list[str]]:
    return [[value_words(row[key], key) for key in keys] for row in cells.to_dict("records")]


def _column_width(column: Sequence[str]) -> int:
    """The width of a column with the gap after it. tabulate sets headers two blanks wider (MIN_PADDING)."""
    return 2 + max(len(column[0]) + 2, *map(len, column[1:]))


def _column_ranges(
    keys: Sequence[str], labels: list[list[str]], heads: list[str], rows: list[list[str]], limit: int | None
) -> Iterable[tuple[int, int]]:
    """The ranges of columns, from the first to before the second number, that fit into `limit`."""
    if limit is None:
        return [(0, len(heads))]
    space = max(limit, _MIN_WIDTH) - sum(map(_column_width, zip(keys, *labels, strict=True)))
    widths = [_column_width(column) for column in zip(heads, *rows, strict=True)]
    blocks, start, used = [], 0, 0
    for index, column_width in enumerate(widths):
        # A block has one column at least, however wide it is.
        if index > start and used + column_width > space:
            blocks.append((start, index))
            start, used = index, 0
        used += column_width
    return [*blocks, (start, len(widths))]


def _verdict_table(table: ComparisonTable, cells: pd.DataFrame, limit: int | None, *, markdown: bool) -> str:
    """A table with a line per cell: ratio, interval, p, verdict, rank, runs needed. Empty columns are left out."""
    keys = (*table.columns, *table.rows)
    effect = "difference" if cells["is_share"].any() else "ratio"
    within_header = f"within ±{percent_text(table.same_within)}" if table.same_within is not None else ""
    header = [effect, f"{100 * table.confidence:g} % interval", "p", "verdict", within_header, "rank", "runs to tell"]
    rows = cells.to_dict("records")
    places = {key: {value: place for place, value in enumerate(cells[key].unique())} for key in table.columns}
    # By columns first, so that the cells that are compared are neighbours.
    rows.sort(key=lambda row: [places[key][row[key]] for key in table.columns])
    body = [[_effect_text(row), _interval_text(row), p_text(row["p_adjusted"]), *_verdict_texts(row)] for row in rows]
    used = [index for index in range(len(header)) if any(line[index] for line in body)]
    lines = [
        [value_words(row[key], key) for key in keys] + [line[index] for index in used]
        for row, line in zip(rows, body, strict=True)
    ]
    heads = [*keys, *(header[index] for index in used)]
    if markdown:
        return _table_text(heads, lines, (), markdown=True)
    return fitted_grid([SHOWN.get(head, head) for head in heads], lines, limit, names=len(keys))


def _interval_text(row: dict[Any, Any]) -> str:
    low, high = _effect_text(row, "_lo"), _effect_text(row, "_hi")
    return f"{low} to {high}" if low and high else ""


def _verdict_texts(row: dict[Any, Any]) -> list[str]:
    """The verdict, whether the change is within --same-within, the rank, and the runs needed."""
    verdict = row["verdict"] if isinstance(row["verdict"], str) else ""
    if verdict == "invalid":
        verdict = "not used"
    if verdict == "too few":
        verdict = "none: 1 run" if row["n"] == 1 else "none: too few"
    within = "" if row["equivalent"] is None else "yes" if row["equivalent"] else "not shown"
    lo, hi = row["rank_lo"], row["rank_hi"]
    rank = "" if lo != lo or not isinstance(lo, int) else str(lo) if lo == hi else f"{lo}-{hi} tied"  # noqa: PLR0124
    return [verdict, within, rank, _needed_runs_text(row)]


def _needed_runs_text(row: dict[Any, Any]) -> str:
    """``84 (12 or more)``: the runs needed if the true difference is the measured one, and the fewest that may do."""
    needed, fewest = row["runs_needed"], row["runs_needed_lo"]
    if not isinstance(needed, int):
        return f"{fewest} or more" if isinstance(fewest, int) else ""
    return f"{needed} ({fewest} or more)" if isinstance(fewest, int) and fewest < needed else str(needed)


def _table_text(header: Sequence[str], rows: list[list[str]], right: Sequence[int], *, markdown: bool) -> str:
    if not markdown:
        return grid(header, rows, right=right)
    return grid(
        [escaped(name) for name in header], [[escaped(cell) for cell in row] for row in rows], form="pipe", right=right
    )


def note_lines(lines: list[str], limit: int | None, *, markdown: bool) -> str:
    """Notes as lines of at most `limit` columns of text, or as a list in Markdown. Empty ones are left out."""
    lines = [line for line in lines if line]
    if markdown:
        return "\n".join(f"- {escaped(line)}" for line in lines)
    return "\n".join(textwrap.fill(printable(line), limit or ORDINARY_WIDTH, subsequent_indent="  ") for line in lines)
