"""A comparison in short: one table with a row for each metric and cell, and the sentences below it."""

from __future__ import annotations

import html
import itertools
import math
import textwrap
from typing import TYPE_CHECKING, Any, get_args

import pandas as pd

from wrkparse.analysis.comparison.text.wording import (
    NOT_USED,
    center_text,
    label_list,
    p_cell,
    percent_text,
    ratio_words,
    share_difference_text,
    value_words,
)
from wrkparse.analysis.shown.fitting import Breaks, fitted_columns
from wrkparse.analysis.shown.grids import grid
from wrkparse.analysis.shown.screen import ORDINARY_WIDTH
from wrkparse.dataset.aliases import SHOWN
from wrkparse.text.escape import escaped, one_line, printable

if TYPE_CHECKING:
    from wrkparse.analysis.comparison.compare import ComparisonTable

_MOST_ROWS = 60  # a page
_GAP = 2  # columns between two of the table
_LEFT_OUT: tuple[tuple[str, ...], ...] = ((), ("n",), ("p", "n"))  # columns, where there is no room
_WAYS: tuple[tuple[tuple[str, ...], Breaks], ...] = (  # what is left out, and where names are broken, the best first
    *((names, breaks) for names in _LEFT_OUT for breaks in get_args(Breaks)[:2]),
    *((names, "anywhere") for names in _LEFT_OUT),
)
# Verdicts that the table shows in another way; the others are shown as they are.
_MARKS = {
    "undecided": "~", "too few": "too few", "baseline": "", "no baseline": "no baseline", "invalid": NOT_USED,
    "missing": "missing",
}  # fmt: skip


def overview(table: ComparisonTable, width: int | None = None) -> str:
    """The table and the sentences as text of at most `width` columns, where the labels can be cut to fit."""
    width = width or ORDINARY_WIDTH
    sentences = "\n".join(textwrap.fill(printable(line), width, subsequent_indent="  ") for line in table.sentences)
    return f"{textwrap.fill(columns_title(table), width)}\n\n{_fitted(table, width)}\n\n{sentences}"


def columns_title(table: ComparisonTable) -> str:
    """What the columns of the table are: ``medians ± 95 % interval, ratios to framework=go``."""
    several = (table.cells["n"] > 1).any()
    level = f"{100 * table.confidence:g} % interval"
    tests = table.over_settings if _is_long(table) else table.cells
    adjusted = ", p adjusted (Holm)" if tests.groupby("metric")["p"].count().gt(1).any() else ""
    if _is_long(table):
        return printable(f"all settings together, ratios to {label_list(table.baseline)} ({level}){adjusted}")
    measured = f"{table.center}s" if several else "one run each"
    measured += f" ± {level}" if table.cells["lo"].notna().any() else ""
    ratios = f", ratios to {label_list(table.baseline)}" if table.baseline else ""
    ratios += f" ({level})" if table.cells["ratio_lo"].notna().any() else ""
    return printable(measured + ratios + adjusted)


def _fitted(table: ComparisonTable, width: int) -> str:
    """The table in `width` columns; a line below names the columns for which there was no room."""
    rows = _rows(table)
    more = len(rows) - 1 - _MOST_ROWS if table.over_settings.empty else 0
    rows = rows[: len(rows) - more] if more > 0 else rows
    lines, left_out = _first_that_fits(rows, len(_keys(table)), width)
    lines += [_on_left_out(rows, left_out)] if left_out else []
    return "\n".join([*lines, f"… and {more:,} more rows"] if more > 0 else lines)


def _on_left_out(rows: list[list[str]], names: tuple[str, ...]) -> str:
    """Which columns are not shown; what all rows have in one of them is stated here."""
    values = {name: {row[rows[0].index(name)] for row in rows} - {name, ""} for name in names if name in rows[0]}
    same = [f"{name} is {one} in each row" for name, of_name in values.items() if len(of_name) == 1 for one in of_name]
    differing = [name for name, of_name in values.items() if len(of_name) > 1]
    return "; ".join([*same, *([f"no room for {' and '.join(differing)}"] if differing else [])])


def _first_that_fits(rows: list[list[str]], keys: int, width: int) -> tuple[list[str], tuple[str, ...]]:
    """The lines of a table and the columns that are left out; of the last way, if none is narrow enough.

    Names are broken at blanks, then cut where they agree, then broken behind signs. Then n and p are left out; the
    sentences below the table have them, too. Words are broken last.
    """
    lines: list[str] = []
    left_out: tuple[str, ...] = ()
    for left_out, breaks in _WAYS:
        kept = [at for at, name in enumerate(rows[0]) if at < keys or name not in left_out]
        lines = _lines([[row[at] for at in kept] for row in rows], keys, width, breaks)
        if max(map(len, lines)) <= width:
            break
    return lines, left_out


def _lines(rows: list[list[str]], keys: int, width: int, breaks: Breaks) -> list[str]:
    """The rows as lines of text, several of them where a name is broken."""
    numbers = [row[keys:] for row in rows]
    right = [at for at, head in enumerate(numbers[0]) if head]  # all numbers; not the verdict
    room = width - max(map(len, grid((), numbers, right=right).splitlines())) - _GAP * keys
    names = [[one_line(row[at]) for row in rows] for at in range(keys)]
    cells = zip(*fitted_columns(names, room, breaks), strict=True)
    broken = []
    for of_row, row in zip(cells, numbers, strict=True):
        first, *others = itertools.zip_longest(*of_row, fillvalue="")
        broken += [[*first, *row], *([*parts, *([""] * len(row))] for parts in others)]
    text = grid((), broken, right=[keys + at for at in right])
    return [line.rstrip() for line in text.splitlines()]


def _keys(table: ComparisonTable) -> tuple[str, ...]:
    """The labels that have a column: those of the columns first, so that what is compared stands together."""
    return table.compared if _is_long(table) else (*table.columns, *table.rows)


def _is_long(table: ComparisonTable) -> bool:
    """Whether there are too many cells for a page, and rows for all settings together can stand for them."""
    return (table.cells["n"] > 0).sum() > _MOST_ROWS and len(table.over_settings) > 0


def _rows(table: ComparisonTable) -> list[list[str]]:
    """The header, then a row for each cell; each metric has its own header. A repeated label is blank."""
    keys, found = _keys(table), list[list[str]]()
    titles = [SHOWN.get(key, key) for key in keys]
    for name, cells in _frame(table).groupby("metric", sort=False):
        records = cells.to_dict("records")
        effect = "ratio" if table.baseline else ""
        if any(isinstance(row["rank_lo"], int) for row in records):
            effect = "rank"
        elif any(row["is_share"] is True for row in records):
            effect = "difference"
        found += [[""] * (len(keys) + 5)] if found else []
        found.append([*(titles if not found else [""] * len(keys)), str(name), effect, "", "p", "n"])
        before: list[str] = []
        for row in records:
            labels = [value_words(row[key], key) for key in keys]
            found.append([*_without_repeats(labels, before), *_numbers(row)])
            before = labels
    # The last cell of a header is "n". Columns without anything below their headers are left out, but for labels and
    # values.
    heads = [row for row in found if row[-1] == "n"]
    used = [at for at in range(len(found[0])) if any(row[at] for row in found if row not in heads) or at <= len(keys)]
    return [[row[at] for at in used] for row in found]


def _frame(table: ComparisonTable) -> pd.DataFrame:
    """The rows to show, of `cells`, or of `over_settings` with the same names of columns."""
    if _is_long(table):
        renamed = table.over_settings.rename(columns={"lo": "ratio_lo", "hi": "ratio_hi", "runs": "n"})
        units = table.cells.drop_duplicates("metric")[["metric", "unit", "is_share"]]
        return renamed.merge(units, on="metric").assign(
            center=math.nan, lo=math.nan, hi=math.nan, difference=math.nan, rank_lo=None
        )
    keys = [*table.rows, *table.columns]
    cells = table.cells
    has_runs = cells["verdict"].ne("missing").fillna(value=True)
    stated = has_runs.groupby([cells[key] for key in keys], dropna=False).transform("any")
    # Missing labels come last.
    places = pd.DataFrame({key: cells[key].map(_places(cells[key])).fillna(len(cells)) for key in table.columns})
    metric = cells["metric"].map(_places(cells["metric"]))
    order = places.assign(metric=metric).sort_values(["metric", *places.columns], kind="stable").index
    return cells.loc[order][stated.loc[order]]


def _places(values: pd.Series[str]) -> dict[object, int]:
    """The place of each value among the distinct ones."""
    return {value: at for at, value in enumerate(values.dropna().unique())}


def _without_repeats(labels: list[str], before: list[str]) -> list[str]:
    same = 0
    while same < len(labels) - 1 and labels[: same + 1] == before[: same + 1]:
        same += 1
    return [""] * same + labels[same:]


def _numbers(row: dict[Any, Any]) -> list[str]:
    """Value ± interval, ratio, verdict, p, runs."""
    verdict = row["verdict"] if isinstance(row["verdict"], str) else ""
    value = center_text(row["center"], row["unit"], row.get("resolution", math.nan))
    if not math.isnan(row["lo"]) and row["center"] and row["is_share"] is not True:
        beyond = max(row["hi"] - row["center"], row["center"] - row["lo"]) / abs(row["center"])
        value += f" ± {percent_text(beyond)}"
    shown_p = p_cell(row["p_adjusted"])
    single = verdict == "too few" and row["n"] == 1
    mark = "1 run" if single else _MARKS.get(verdict, verdict)
    return [value, _effect(row), mark, shown_p if verdict != "too few" else "", str(row["n"]) if row["n"] else ""]


def _effect(row: dict[Any, Any]) -> str:
    if isinstance(row["rank_lo"], int):
        low, high = row["rank_lo"], row["rank_hi"]
        return str(low) if low == high else f"{low}–{high}"
    if row["is_share"] is True:
        return share_difference_text(row["difference"])
    if row["verdict"] == "baseline":
        return ""
    return ratio_words(row["ratio"], row["ratio_lo"], row["ratio_hi"], row.get("ratio_resolution", math.nan))


def overview_markdown(table: ComparisonTable) -> str:
    """The table and the sentences as Markdown."""
    header, *rows = [[escaped(cell) for cell in row] for row in _rows(table) if any(row)]
    sentences = "\n".join(f"- {escaped(line)}" for line in table.sentences)
    return f"{escaped(columns_title(table))}\n\n{grid(header, rows, form='pipe')}\n\n{sentences}"


def overview_html(table: ComparisonTable) -> str:
    """The table and the sentences as HTML, for notebooks."""
    header, *rows = [row for row in _rows(table) if any(row)]
    sentences = "".join(f"<p>{html.escape(one_line(line))}</p>" for line in table.sentences)
    return f"<p>{html.escape(columns_title(table))}</p>{grid(header, rows, form='html')}{sentences}"
