"""A comparison as text: tables that fit a terminal or a pull request, with notes."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from wrkparse.analysis.comparison.text.notes import marks, notes, over_settings
from wrkparse.analysis.comparison.text.wording import factor, label_list, label_text, p_text, percent, points
from wrkparse.analysis.shown.fitting import fitted_grid
from wrkparse.analysis.shown.grids import grid
from wrkparse.analysis.shown.numbers import quantity
from wrkparse.analysis.shown.screen import ORDINARY_WIDTH
from wrkparse.dataset.aliases import SHOWN
from wrkparse.text.escape import escaped, printable

if TYPE_CHECKING:
    import pandas as pd

    from wrkparse.analysis.comparison.compare import ComparisonTable

_NARROWEST = 60


def render(table: ComparisonTable, limit: int | None, *, markdown: bool) -> str:
    """All metrics of a comparison, each with its tables, then the notes. `limit` is the terminal's width."""
    parts: list[str] = []
    for _, cells in table.cells.groupby("metric", sort=False):
        parts += _metric(table, cells, limit, markdown=markdown)
    parts.append(note_lines(notes(table), limit, markdown=markdown))
    return "\n\n".join(part for part in parts if part)


def _metric(table: ComparisonTable, cells: pd.DataFrame, limit: int | None, *, markdown: bool) -> list[str]:
    name = str(cells["metric"].iloc[0])
    mark_of = marks(table)
    measured = [_measured(row, mark_of, _same_n(cells)) for row in cells.to_dict("records")]
    parts = [
        _title(f"{name}, {_what(table, cells)}", limit, markdown=markdown),
        _matrix(table, cells, measured, limit, markdown=markdown),
    ]
    if table.baseline and not (cells["n"] > 1).any():
        ratios = [_ratio(row) for row in cells.to_dict("records")]
        parts += [
            _title(f"{name}, {_effect(cells)} {label_list(table.baseline)}", limit, markdown=markdown),
            _matrix(table, cells, ratios, limit, markdown=markdown),
        ]
    elif table.baseline or cells["rank_lo"].notna().any():
        against = f" against {label_list(table.baseline)}" if table.baseline else ""
        parts += [
            _title(f"{name}{against}: verdicts", limit, markdown=markdown),
            _verdicts(table, cells, limit, markdown=markdown),
        ]
    return [*parts, note_lines(over_settings(table, name), limit, markdown=markdown)]


def _title(text: str, limit: int | None, *, markdown: bool) -> str:
    return f"### {escaped(text)}" if markdown else textwrap.fill(printable(text), limit or ORDINARY_WIDTH)


def _what(table: ComparisonTable, cells: pd.DataFrame) -> str:
    by = f"{', '.join(table.rows)}" + (f" × {', '.join(table.columns)}" if table.columns else "")
    n = _same_n(cells)
    if n == 1:
        return f"one run per cell: {by}"
    runs = f"{n} runs per cell" if n else "n runs"
    interval = f" [{100 * table.confidence:g} % interval]" if cells["lo"].notna().any() else ""
    return f"{table.center} of {runs}{interval}: {by}"


def _same_n(cells: pd.DataFrame) -> int | None:
    counts = set(cells["n"]) - {0}
    return int(counts.pop()) if len(counts) == 1 else None


def _measured(row: dict[Any, Any], mark_of: dict[str, str], common_n: int | None) -> str:
    if row["verdict"] == "missing":
        return "missing"
    text = quantity(row["center"], row["unit"])
    if not math.isnan(row["lo"]):
        ends = (row["lo"], row["hi"])
        shown = [quantity(end, row["unit"]) if row["is_share"] else _change(end, row["center"]) for end in ends]
        text += f" [{', '.join(shown)}]"
    if common_n is None and row["n"] > 1:
        text += f" n={row['n']}"
    return text + mark_of.get(row["varies"], "") + (" (not used)" if row["verdict"] == "invalid" else "")


def _change(bound: float, center: float) -> str:
    return f"{bound:.4g}" if center == 0 else f"{100 * (bound / center - 1):+.2g} %"


def _effect(cells: pd.DataFrame) -> str:
    return "difference from" if cells["is_share"].any() else "ratio to"


def _ratio(row: dict[Any, Any]) -> str:
    return _changed(row) or str(row["verdict"])


def _changed(row: dict[Any, Any], end: str = "") -> str:
    """The ratio, or for shares the difference; or an end of its interval."""
    if row["is_share"] is True:
        return points(row[f"difference{end}"])
    return factor(row[f"ratio{end}"])


def _matrix(table: ComparisonTable, cells: pd.DataFrame, texts: list[str], limit: int | None, *, markdown: bool) -> str:
    """Texts of cells as a table of rows by columns, in several blocks if the columns do not fit side by side."""
    heads = [" / ".join(parts) for parts in _label_rows(cells, table.columns)] if table.columns else [""]
    width = len(dict.fromkeys(heads))
    rows = [texts[start : start + width] for start in range(0, len(texts), width)]
    labels = _label_rows(cells, table.rows)[::width]
    blocks = []
    for start, end in _blocks(table.rows, labels, heads[:width], rows, None if markdown else limit):
        body = [[*label, *row[start:end]] for label, row in zip(labels, rows, strict=True)]
        right = range(len(table.rows), len(table.rows) + end - start)
        blocks.append(_grid([*table.rows, *heads[start:end]], body, right, markdown=markdown))
    return "\n\n".join(blocks)


def _label_rows(cells: pd.DataFrame, keys: Sequence[str]) -> list[list[str]]:
    return [[label_text(row[key]) for key in keys] for row in cells.to_dict("records")]


def _wide(column: Sequence[str]) -> int:
    """The width of a column with its gap; tabulate sets headers two blanks wider (MIN_PADDING)."""
    return 2 + max(len(column[0]) + 2, *map(len, column[1:]))


def _blocks(
    keys: Sequence[str], labels: list[list[str]], heads: list[str], rows: list[list[str]], limit: int | None
) -> Iterable[tuple[int, int]]:
    """Ranges of columns that fit into `limit`."""
    if limit is None:
        return [(0, len(heads))]
    space = max(limit, _NARROWEST) - sum(map(_wide, zip(keys, *labels, strict=True)))
    widths = [_wide(column) for column in zip(heads, *rows, strict=True)]
    blocks, start, used = [], 0, 0
    for index, wide in enumerate(widths):
        if index > start and used + wide > space:
            blocks.append((start, index))
            start, used = index, 0
        used += wide
    return [*blocks, (start, len(widths))]


def _verdicts(table: ComparisonTable, cells: pd.DataFrame, limit: int | None, *, markdown: bool) -> str:
    """A line per cell, columns first: ratio, interval, p, verdict, rank, runs needed. Empty columns are left out."""
    keys = (*table.columns, *table.rows)
    effect = "difference" if cells["is_share"].any() else "ratio"
    within = f"within ±{percent(table.same_within)}" if table.same_within is not None else ""
    header = [effect, f"{100 * table.confidence:g} % interval", "p", "verdict", within, "rank", "runs to tell"]
    rows = cells.to_dict("records")
    places = {key: {value: place for place, value in enumerate(cells[key].unique())} for key in table.columns}
    rows.sort(key=lambda row: [places[key][row[key]] for key in table.columns])
    body = [[_changed(row), _between(row), p_text(row["p_adjusted"]), *_words(row)] for row in rows]
    used = [index for index in range(len(header)) if any(line[index] for line in body)]
    lines = [
        [label_text(row[key]) for key in keys] + [line[index] for index in used]
        for row, line in zip(rows, body, strict=True)
    ]
    heads = [*keys, *(header[index] for index in used)]
    if markdown:
        return _grid(heads, lines, (), markdown=True)
    return fitted_grid([SHOWN.get(head, head) for head in heads], lines, limit, names=len(keys))


def _between(row: dict[Any, Any]) -> str:
    low, high = _changed(row, "_lo"), _changed(row, "_hi")
    return f"{low} to {high}" if low and high else ""


def _words(row: dict[Any, Any]) -> list[str]:
    verdict = row["verdict"] if isinstance(row["verdict"], str) else ""
    if verdict == "invalid":
        verdict = "not used"
    if verdict == "too few":
        verdict = "none: 1 run" if row["n"] == 1 else "none: too few"
    within = "" if row["equivalent"] is None else "yes" if row["equivalent"] else "not shown"
    lo, hi = row["rank_lo"], row["rank_hi"]
    rank = "" if lo != lo or not isinstance(lo, int) else str(lo) if lo == hi else f"{lo}-{hi} tied"  # noqa: PLR0124
    return [verdict, within, rank, _runs_to_tell(row)]


def _runs_to_tell(row: dict[Any, Any]) -> str:
    """``84 (12 or more)``: what is needed if the difference is the one seen, and the fewest that may do."""
    needed, fewest = row["runs_needed"], row["runs_needed_lo"]
    if not isinstance(needed, int):
        return f"{fewest} or more" if isinstance(fewest, int) else ""
    return f"{needed} ({fewest} or more)" if isinstance(fewest, int) and fewest < needed else str(needed)


def _grid(header: Sequence[str], rows: list[list[str]], right: Sequence[int], *, markdown: bool) -> str:
    if not markdown:
        return grid(header, rows, right=right)
    return grid(
        [escaped(name) for name in header], [[escaped(cell) for cell in row] for row in rows], form="pipe", right=right
    )


def note_lines(lines: list[str], limit: int | None, *, markdown: bool) -> str:
    """Notes as lines of at most `limit` columns, or as a list in Markdown; empty ones are left out."""
    lines = [line for line in lines if line]
    if markdown:
        return "\n".join(f"- {escaped(line)}" for line in lines)
    return "\n".join(textwrap.fill(printable(line), limit or ORDINARY_WIDTH, subsequent_indent="  ") for line in lines)
