"""``wrkparse sql``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrkparse.analysis.shown.grids import grid
from wrkparse.cli.shared.exits import fail
from wrkparse.cli.shared.printing.output import format_options, write_table
from wrkparse.cli.shared.stores import StoreOrLogs, open_data, store_option

if TYPE_CHECKING:
    import pyarrow as pa


@click.command("sql")
@click.argument("query")
@store_option
@format_options
def command(query: str, store: StoreOrLogs, form: str | None, output: Path | None) -> None:
    """Run a QUERY in DuckDB's SQL on the tables of a store; '-' reads the query from standard input.

    The view `wide` has one row per run, with a column for each label and metric (latency_p99_s, throughput_per_s). A
    query can't change the store or access other files.

    \b
    wrkparse sql "SELECT framework, count(*) AS runs FROM wide GROUP BY ALL"
    wrkparse sql "SELECT gc, stw_mark_term_s FROM gc_cycles ORDER BY 2 DESC LIMIT 5" -o worst.csv
    wrkparse sql "DESCRIBE measurements"
    """
    text = _read_standard_input() if query == "-" else query
    with open_data(store) as dataset:
        answer = dataset.sql_arrow(text)
    try:
        _write_answer(answer, form, output)
    except OverflowError:
        from wrkparse.dataset.queries.sql import with_far_times_as_text

        _write_answer(with_far_times_as_text(answer), form, output)


def _read_standard_input() -> str:
    """The query from standard input. The command ends if that is closed."""
    if sys.stdin is None:
        fail("standard input is closed; give it a query, or write the query in place of '-'")
    return sys.stdin.read()


def _write_answer(answer: pa.Table, form: str | None, output: Path | None) -> None:
    write_table(answer, form, output, schema="sql", text=lambda: _answer_text(answer))


def _answer_text(answer: pa.Table) -> str:
    columns = [column.to_pylist() for column in answer.columns]
    cells = [["" if value is None else _cell_text(value) for value in column] for column in columns]
    right = [at for at, column in enumerate(columns) if any(isinstance(value, int | float) for value in column)]
    return grid(answer.column_names, list(zip(*cells, strict=True)), right=right) if len(answer) else "no rows"


def _cell_text(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
