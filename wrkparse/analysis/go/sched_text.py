"""Writes what schedtrace showed of Go schedulers, one trace per column, as text and as HTML; and tables of one trace.

The numbers are columns of `wrkparse.analysis.go.sched`. A `TableRow` gives one of them a title and a unit.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from wrkparse.analysis.go.sentences import sched_sentences
from wrkparse.analysis.shown.screen import wrapped_lines
from wrkparse.analysis.shown.side_by_side import (
    MOST_ACROSS,
    TableRow,
    as_columns,
    as_html,
    as_list,
    cell,
    fit_to_terminal,
    identifying_rows,
    missing,
    records,
)
from wrkparse.text.escape import one_line

if TYPE_CHECKING:
    import pandas as pd


def _number(title: str, column: str) -> TableRow:
    """A row for a mean of counts, with two decimals."""
    return TableRow(title, column, words=lambda values: "" if missing(values[column]) else f"{values[column]:.2f}")


_ROWS = (
    TableRow("era", "dialect"),
    TableRow("GOMAXPROCS", "gomaxprocs", "1"),
    TableRow("ticks", "ticks", "1"),
    TableRow("span", "span_s", "s"),
    TableRow("Ps in use", "utilisation_mean_ratio", "ratio"),
    TableRow("at the worst tick", "utilisation_min_ratio", "ratio"),
    _number("waiting, mean", "waiting_mean"),
    TableRow("waiting p50", "waiting_p50", "1"),
    TableRow("waiting p99", "waiting_p99", "1"),
    TableRow("waiting max", "waiting_max", "1"),
    _number("global queue, mean", "global_queue_mean"),
    TableRow("global queue, max", "global_queue_max", "1"),
    _number("queue imbalance", "queue_imbalance"),
    _number("execution imbalance", "execution_imbalance"),
    TableRow("threads at first", "threads_first", "1"),
    TableRow("threads, max", "threads_max", "1"),
    _number("idle threads, mean", "idle_threads_mean"),
    _number("spinning, mean", "spinning_threads_mean"),
    TableRow("starving", "starving_ratio", "ratio"),
    TableRow("global backlog", "backlog_ratio", "ratio"),
    TableRow("overload", "overload_ratio", "ratio"),
    _number("waiting for locks, mean", "lock_waits_mean"),
)
# The most important first: a terminal that is too narrow loses the last ones.
_HEADLINE = (
    "GOMAXPROCS", "ticks", "Ps in use", "waiting, mean", "waiting max", "starving", "global backlog", "overload",
    "queue imbalance",
    "threads, max", "spinning, mean", "span",
)  # fmt: skip
_UNITS = {"start_s": "s", "end_s": "s", "t_s": "s", "weight_s": "s", "utilisation_ratio": "ratio"}
_MOST_EPISODES = 12  # in a text; `--table episodes` has all


def sched_text(table: pd.DataFrame, episodes: pd.DataFrame | None = None) -> str:
    """A summary of schedulers as text: a few traces stand side by side, many are listed; then episodes, and sentences.

    `episodes` are those of all traces, with their runs.
    """
    is_many = len(table) > MOST_ACROSS
    parts = [as_list(table, _headline()) if is_many else as_columns(table, [*identifying_rows(table), *_ROWS])]
    if episodes is not None and len(episodes):
        parts.append(rows_text(episodes.head(_MOST_EPISODES), "episodes"))
    if episodes is not None and (more := len(episodes) - _MOST_EPISODES) > 0:
        parts.append(f"{more} more episodes: --table episodes")
    return "\n\n".join([*parts, "\n".join(wrapped_lines(sched_sentences(table)))])


def sched_html(table: pd.DataFrame) -> str:
    """The same as HTML, for notebooks, without episodes."""
    shown = as_html(table, [*identifying_rows(table), *(_headline() if len(table) > MOST_ACROSS else _ROWS)])
    return shown + "".join(f"<p>{html.escape(one_line(sentence))}</p>" for sentence in sched_sentences(table))


def _headline() -> list[TableRow]:
    """The rows of a list of many traces."""
    named = {row.title: row for row in _ROWS}
    return [named[title] for title in _HEADLINE]


def rows_text(table: pd.DataFrame, kind: str) -> str:
    """Ticks, episodes, states or waits as aligned columns."""
    if table.empty:
        return {"episodes": "no episodes", "ticks": "no ticks"}.get(kind, "no trace has details (scheddetail=1)")
    names = [str(name) for name in table if name not in {"line", "weight_s"}]
    rows = [_row(table, name) for name in names]
    found = records(table)
    columns = [[row.title, *(_cell(row, record) for record in found)] for row in rows]
    return fit_to_terminal(columns, {row.title for row in rows if not (row.unit or row.words)})


def _row(table: pd.DataFrame, name: str) -> TableRow:
    """The row for a column: its title is the name without the unit, which may be at the end of it."""
    import pandas as pd

    title = name.removesuffix("_s").removesuffix("_ratio").replace("_", " ")
    if name.endswith("_mean"):
        return _number(title, name)
    numeric = pd.api.types.is_numeric_dtype(table[name]) and not pd.api.types.is_bool_dtype(table[name])
    return TableRow(title, name, _UNITS.get(name, "1") if numeric else None)


def _cell(row: TableRow, record: dict[str, Any]) -> str:
    """The value of a row in one record: identifiers of runs are shortened, booleans are *yes* or empty."""
    text = cell(row, record)
    return text[:8] if row.column == "run" else {"True": "yes", "False": ""}.get(text, text)
