"""``wrkparse runs``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrkparse.analysis.shown.grids import grid
from wrkparse.analysis.shown.numbers import quantity
from wrkparse.cli.shared.output import format_options, width, write
from wrkparse.cli.shared.stores import DEFAULT_STORE, STORE, Place, opened, where_option
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    import pyarrow as pa

# Columns that are shown without --columns if any run has a value; a narrow terminal gets the first that fit.
_HEADLINE = (
    "run", "tool", "framework", "cores", "gogc", "connections", "throughput_per_s", "latency_mean_s", "latency_max_s",
    "latency_p99_s", "verdict", "errors", "non_2xx", "failed_requests", "user_s", "system_s", "elapsed_s",
    "environment", "path", "source", "line",
)  # fmt: skip
_SHORT = {"connections": "conns", "latency_mean": "latency", "latency_max": "max", "latency_p99": "p99"}
_RUN_LENGTH = 8  # characters of the identifier that are shown
_UNITS = (("_bytes_per_s", "bytes/s"), ("_per_s", "1/s"), ("_bytes", "bytes"), ("_ratio", "ratio"), ("_s", "s"))


@click.command("runs")
@click.argument("store", type=STORE, default=DEFAULT_STORE)
@where_option
@click.option("-c", "--columns", metavar="A,B,…", help="Show these columns, or 'all'.")
@format_options
def command(store: Place, where: str | None, columns: str | None, form: str | None, output: Path | None) -> None:
    """List the runs of a STORE (default: wrkparse.duckdb), with labels and main numbers.

    \b
    wrkparse runs
    wrkparse runs --where "framework = 'nginx' and connections >= 512"
    wrkparse runs --where "errors_timeout > 0" --columns run,source,line,errors_timeout
    wrkparse runs bench.duckdb --columns all -o runs.csv
    """
    with opened(store) as dataset:
        table = dataset.wide_arrow(where)
    chosen = _chosen(table, columns, everything=form not in (None, "table") or output is not None)
    shown = _counts(table.select(chosen))
    write(shown, form, output, text=lambda: _text(shown, narrow=columns is None))


def _counts(table: pa.Table) -> pa.Table:
    """Convert counts to integers: measurements are floats."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for at, name in enumerate(table.column_names):
        column = table[name]
        if pa.types.is_floating(column.type) and not _unit(name) and pc.all(pc.equal(column, pc.floor(column))).as_py():
            table = table.set_column(at, name, column.cast(pa.int64()))
    return table


def _chosen(table: pa.Table, columns: str | None, *, everything: bool) -> list[str]:
    names = table.column_names
    if columns and columns != "all":
        wanted = list(dict.fromkeys(name.strip() for name in columns.split(",") if name.strip()))
        if not wanted:
            known = printable(", ".join(names))
            raise click.UsageError(f"--columns {columns!r} names no column; the columns are: {known}")
        unknown = [name for name in wanted if name not in names]
        if unknown:
            known = printable(", ".join(names))
            raise click.UsageError(f"no column {printable(', '.join(unknown))}; the columns are: {known}")
        return wanted
    if columns == "all" or everything:
        return list(names)
    return [name for name in _HEADLINE if name in names and table[name].null_count < len(table)]


def _text(table: pa.Table, *, narrow: bool) -> str:
    if not len(table):
        return "no runs"
    header = [_title(name) for name in table.column_names]
    cells = [[_cell(name, value) for value in table[name].to_pylist()] for name in table.column_names]
    right = [index for index, name in enumerate(table.column_names) if _unit(name) or _numeric(table, name)]
    dropped: list[str] = []
    limit = width() if narrow else None
    if limit is not None:
        widest = max(12, limit // 5)
        cells = [[cell if len(cell) <= widest else cell[: widest - 1] + "…" for cell in column] for column in cells]
    while True:
        text = grid(header, list(zip(*cells, strict=True)), right=right)
        if limit is None or len(header) < 3 or max(map(len, text.splitlines())) <= limit:
            break
        dropped.insert(0, header.pop())
        cells.pop()
    count = f"{len(table):,} run{'' if len(table) == 1 else 's'}"
    note = f"; no room for {', '.join(dropped)} (--columns)" if dropped else ""
    return f"{text}\n{count}{note}"


def _numeric(table: pa.Table, name: str) -> bool:
    import pyarrow as pa

    kind = table.schema.field(name).type
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _title(name: str) -> str:
    name = next((name.removesuffix(suffix) for suffix, _ in _UNITS if name.endswith(suffix)), name)
    return _SHORT.get(name, name)


def _unit(name: str) -> str | None:
    return next((unit for suffix, unit in _UNITS if name.endswith(suffix)), None)


def _cell(name: str, value: object) -> str:
    from wrkparse.tools.schema import LABEL_KINDS

    if value is None:
        return ""
    if isinstance(value, float) or (isinstance(value, int) and name not in LABEL_KINDS and name != "line"):
        return quantity(value, _unit(name) or "1")
    return str(value)[:_RUN_LENGTH] if name == "run" else str(value)
