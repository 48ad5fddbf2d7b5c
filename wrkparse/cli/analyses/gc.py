"""``wrkparse gc``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrkparse.analysis.shown.numbers import quantity
from wrkparse.analysis.shown.side_by_side import TableRow, as_columns, identifying_rows, records
from wrkparse.cli.shared.conditions import where_option
from wrkparse.cli.shared.exits import fail
from wrkparse.cli.shared.printing.output import format_options, write_table
from wrkparse.cli.shared.stores import StoreOrLogs, open_data, store_option

if TYPE_CHECKING:
    import pandas as pd

    from wrkparse.dataset import Dataset


@click.command("gc")
@store_option
@where_option
@click.option(
    "-t", "--table", "kind", type=click.Choice(("summary", "mmu")), default="summary", show_default=True,
    help="summary: numbers of each trace; mmu: minimum mutator utilisation by window length.",
)  # fmt: skip
@format_options
def command(store: StoreOrLogs, where: str | None, kind: str, form: str | None, output: Path | None) -> None:
    """Show what garbage collection costs Go processes, from gctrace: pauses, CPU, heap, pacing.

    A few traces are shown side by side, and many as a list. docs/gc.md explains each number.

    \b
    wrkparse gc
    wrkparse gc --where "gogc in ('off', '100', '400')"
    wrkparse gc --table mmu
    wrkparse gc -o gc.csv
    """
    import pyarrow as pa

    from wrkparse.analysis.go.gc.summary import gc_summary
    from wrkparse.analysis.go.gc.text import gc_text

    with open_data(store) as dataset:
        summary = gc_summary(dataset, where=where)
        if summary.empty:
            fail(f"no gctrace run matches {where}" if where else "no gctrace runs there")
        table = summary if kind == "summary" else _utilisation_curves(dataset, summary)
    write_table(
        pa.Table.from_pandas(table, preserve_index=False), form, output,
        schema=f"gc.{kind}",
        text=lambda: gc_text(summary) if kind == "summary" else _utilisation_text(summary, table),
    )  # fmt: skip


def _utilisation_curves(dataset: Dataset, summary: pd.DataFrame) -> pd.DataFrame:
    """The MMU curve of each run of the summary: a row for each run and window."""
    import pandas as pd

    from wrkparse.analysis.go.gc.mmu import mmu

    curves = [mmu(dataset, run).assign(run=run) for run in summary["run"]]
    return pd.concat(curves, ignore_index=True)[["run", "window_s", "mmu_ratio", "mmu_marking_ratio"]]


def _utilisation_text(summary: pd.DataFrame, curves: pd.DataFrame) -> str:
    """The MMU curves as text, with a row for each window and a column for each run."""
    if curves.empty:
        return "no gctrace run prints times (Go 1.5 and later do)"
    rows = [_window_row(curves, window) for window in sorted(set(curves["window_s"]))]
    shown = summary[summary["run"].isin(curves["run"])]
    legend = "smallest share left in any such window: after pauses / after pauses and marking"
    return f"{as_columns(shown, [*identifying_rows(shown), *rows])}\n\n{legend}"


def _window_row(curves: pd.DataFrame, window: float) -> TableRow:
    at = records(curves[curves["window_s"] == window])
    shares = {row["run"]: f"{100 * row['mmu_ratio']:.1f} / {100 * row['mmu_marking_ratio']:.1f} %" for row in at}
    return TableRow(quantity(window, "s"), "run", words=lambda values: shares.get(values["run"], ""))
