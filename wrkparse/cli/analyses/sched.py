"""``wrkparse sched``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wrkparse.cli.shared.conditions import where_option
from wrkparse.cli.shared.exits import fail
from wrkparse.cli.shared.output import format_options, write
from wrkparse.cli.shared.side_by_side import (
    MOST_ACROSS,
    Row,
    across,
    cell,
    fit_to_terminal,
    listed,
    missing,
    records,
    titles,
)
from wrkparse.cli.shared.stores import Data, opened, store_option

if TYPE_CHECKING:
    import pandas as pd

    from wrkparse.dataset import Dataset


def _number(title: str, column: str) -> Row:
    """A row for a mean of counts, with two decimals."""
    return Row(title, column, words=lambda values: "" if missing(values[column]) else f"{values[column]:.2f}")


_ROWS = (
    Row("era", "dialect"),
    Row("GOMAXPROCS", "gomaxprocs", "1"),
    Row("ticks", "ticks", "1"),
    Row("span", "span_s", "s"),
    Row("Ps in use", "utilisation_mean_ratio", "ratio"),
    Row("at the worst tick", "utilisation_min_ratio", "ratio"),
    _number("waiting, mean", "waiting_mean"),
    Row("waiting p50", "waiting_p50", "1"),
    Row("waiting p99", "waiting_p99", "1"),
    Row("waiting max", "waiting_max", "1"),
    _number("global queue, mean", "global_queue_mean"),
    Row("global queue, max", "global_queue_max", "1"),
    _number("queue imbalance", "queue_imbalance"),
    _number("execution imbalance", "execution_imbalance"),
    Row("threads at first", "threads_first", "1"),
    Row("threads, max", "threads_max", "1"),
    _number("idle threads, mean", "idle_threads_mean"),
    _number("spinning, mean", "spinning_threads_mean"),
    Row("starving", "starving_ratio", "ratio"),
    Row("global backlog", "backlog_ratio", "ratio"),
    Row("overload", "overload_ratio", "ratio"),
    _number("waiting for locks, mean", "lock_waits_mean"),
)
_HEADLINE = (
    "GOMAXPROCS", "ticks", "Ps in use", "waiting, mean", "waiting max", "starving", "global backlog", "overload",
    "queue imbalance",
    "threads, max", "spinning, mean", "span",
)  # fmt: skip
_TABLES = ("summary", "ticks", "episodes", "states", "waits")
_UNITS = {"start_s": "s", "end_s": "s", "t_s": "s", "weight_s": "s", "utilisation_ratio": "ratio"}
_MOST_EPISODES = 12


@click.command("sched")
@store_option
@where_option
@click.option(
    "-t", "--table", "kind", type=click.Choice(_TABLES), default="summary", show_default=True,
    help="summary: numbers of each trace; ticks: every tick; episodes: starvation and backlogs; for "
    "scheddetail=1, states of Ps, Ms and Gs (states), and what goroutines waited for (waits).",
)  # fmt: skip
@format_options
def command(store: Data, where: str | None, kind: str, form: str | None, output: Path | None) -> None:
    """Show what the schedulers of Go processes did, from schedtrace: idle Ps, run queues, threads, episodes.

    A few traces are shown side by side, and many as a list. docs/sched.md explains each number.

    \b
    wrkparse sched
    wrkparse sched --table episodes --where "framework = 'go 1.4'"
    wrkparse sched --table ticks -o ticks.csv
    """
    import pyarrow as pa

    from wrkparse.analysis.go.sched import sched_summary

    with opened(store) as dataset:
        summary = sched_summary(dataset, where=where)
        if summary.empty:
            fail(f"no schedtrace run matches {where}" if where else "no schedtrace runs in the store")
        table = summary if kind == "summary" else _per_run(dataset, summary, kind)
        parts = _per_run(dataset, summary, "episodes") if kind == "summary" and len(summary) <= MOST_ACROSS else None
    write(
        pa.Table.from_pandas(table, preserve_index=False), form, output,
        schema=f"sched.{kind}",
        text=lambda: _summary_text(table, parts) if kind == "summary" else _rows_text(table, kind),
    )  # fmt: skip


def _per_run(dataset: Dataset, summary: pd.DataFrame, kind: str) -> pd.DataFrame:
    import pandas as pd

    from wrkparse.analysis.go import sched

    make = {"ticks": sched.ticks, "episodes": sched.episodes, "states": sched.states, "waits": sched.wait_reasons}[kind]
    tables = []
    for run in summary["run"]:
        found = make(dataset, run)
        found.insert(0, "run", run)
        tables.append(found)
    filled = [found for found in tables if len(found)]
    return pd.concat(filled or tables[:1], ignore_index=True)


def _summary_text(table: pd.DataFrame, episodes: pd.DataFrame | None) -> str:
    rows = [*titles(table), *_ROWS]
    if episodes is None:
        named = {row.title: row for row in rows}
        return listed(table, [named[title] for title in _HEADLINE])
    parts = [across(table, rows)]
    if len(episodes):
        parts.append(_rows_text(episodes.head(_MOST_EPISODES), "episodes"))
    if (more := len(episodes) - _MOST_EPISODES) > 0:
        parts.append(f"{more} more episodes: --table episodes")
    return "\n\n".join(parts)


def _rows_text(table: pd.DataFrame, kind: str) -> str:
    if table.empty:
        return {"episodes": "no episodes", "ticks": "no ticks"}.get(kind, "no trace has details (scheddetail=1)")
    names = [str(name) for name in table if name not in {"line", "weight_s"}]
    rows = [_row(table, name) for name in names]
    found = records(table)
    columns = [[row.title, *(_cell(row, record) for record in found)] for row in rows]
    return fit_to_terminal(columns, {row.title for row in rows if not (row.unit or row.words)})


def _row(table: pd.DataFrame, name: str) -> Row:
    import pandas as pd

    title = name.removesuffix("_s").removesuffix("_ratio").replace("_", " ")
    if name.endswith("_mean"):
        return _number(title, name)
    numeric = pd.api.types.is_numeric_dtype(table[name]) and not pd.api.types.is_bool_dtype(table[name])
    return Row(title, name, _UNITS.get(name, "1") if numeric else None)


def _cell(row: Row, record: dict[str, Any]) -> str:
    text = cell(row, record)
    return text[:8] if row.column == "run" else {"True": "yes", "False": ""}.get(text, text)
