"""``wrkparse sched``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrkparse.cli.shared.conditions import where_option
from wrkparse.cli.shared.exits import fail
from wrkparse.cli.shared.printing.output import format_options, write_table
from wrkparse.cli.shared.stores import StoreOrLogs, open_data, store_option

if TYPE_CHECKING:
    import pandas as pd

    from wrkparse.dataset import Dataset


# All but the first are functions of `wrkparse.analysis.go.sched`, made for each run (`_table_of_kind`).
_TABLES = ("summary", "ticks", "episodes", "states", "waits")


@click.command("sched")
@store_option
@where_option
@click.option(
    "-t", "--table", "kind", type=click.Choice(_TABLES), default="summary", show_default=True,
    help="summary: numbers of each trace; ticks: every tick; episodes: starvation and backlogs; for "
    "scheddetail=1, states of Ps, Ms and Gs (states), and what goroutines waited for (waits).",
)  # fmt: skip
@format_options
def command(store: StoreOrLogs, where: str | None, kind: str, form: str | None, output: Path | None) -> None:
    """Show what the schedulers of Go processes did, from schedtrace: idle Ps, run queues, threads, episodes.

    A few traces are shown side by side, and many as a list. docs/sched.md explains each number.

    \b
    wrkparse sched
    wrkparse sched --table episodes --where "framework = 'go 1.4'"
    wrkparse sched --table ticks -o ticks.csv
    """
    import pyarrow as pa

    from wrkparse.analysis.go.sched import sched_summary
    from wrkparse.analysis.go.sched_text import rows_text

    with open_data(store) as dataset:
        summary = sched_summary(dataset, where=where)
        if summary.empty:
            fail(f"no schedtrace run matches {where}" if where else "no schedtrace runs there")
        table = summary if kind == "summary" else _table_of_kind(dataset, summary, kind)
    write_table(
        pa.Table.from_pandas(table, preserve_index=False), form, output,
        schema=f"sched.{kind}",
        text=lambda: repr(summary) if kind == "summary" else rows_text(table, kind),
    )  # fmt: skip


def _table_of_kind(dataset: Dataset, summary: pd.DataFrame, kind: str) -> pd.DataFrame:
    from wrkparse.analysis.go import sched

    make = {"ticks": sched.ticks, "episodes": sched.episodes, "states": sched.states, "waits": sched.wait_reasons}[kind]
    return sched.table_of_runs(make, dataset, summary["run"])
