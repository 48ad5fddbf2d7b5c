"""``wrkparse export``."""

from __future__ import annotations

import contextlib
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrkparse.cli.shared.conditions import where_option
from wrkparse.cli.shared.exits import fail
from wrkparse.cli.shared.printing.output import is_terminal, write_file, write_table
from wrkparse.cli.shared.stores import StoreOrLogs, open_data, store_option
from wrkparse.export import FORMATS
from wrkparse.store.atomic_file import move_into_place, partial_path, sweep
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_DIRECTORY_FORMATS = ("parquet", "csv", "json")  # of the files in a directory


@click.command("export")
@store_option
@where_option
@click.option("-t", "--table", metavar="NAME", help="The table; 'wide', the default for a file, has one row per run.")
@click.option(
    "--format",
    "form",
    type=click.Choice(_DIRECTORY_FORMATS),
    help="Format of the files in a directory.  [default: parquet]",
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path),
    help="A file, whose suffix selects the format, or a new directory, which gets one file per table.",
)  # fmt: skip
@click.option("--as", "name", type=click.Choice(list(FORMATS)), help="Write a format of another program; see below.")
@click.option(
    "-m", "--metric", metavar="A,B,…", help="With --as: the metrics.  [default: throughput, one latency, failures]"
)
def command(
    store: StoreOrLogs,
    where: str | None,
    table: str | None,
    form: str | None,
    output: Path | None,
    name: str | None,
    metric: str | None,
) -> None:
    """Write one table to a file, all tables to a directory, or a format of another program.

    A Parquet directory is also a store: every command accepts it with --store.

    \b
    wrkparse export -o runs.csv
    wrkparse export --table measurements -o measurements.parquet
    wrkparse export --where "framework = 'nginx'" -o nginx/
    wrkparse export --as benchfmt | benchstat -col /framework -
    """
    if name and (table or form):
        raise click.UsageError("--as selects the format; leave out --table and --format")
    if metric and not name:
        raise click.UsageError("--metric needs --as; tables contain all metrics")
    if not (name or output):
        raise click.UsageError("name a file or a directory with -o, or a format with --as")
    with open_data(store) as dataset:
        chosen = dataset.where(where) if where else dataset
        if name:
            _export_as(chosen, name, metric, output)
        elif output:
            _export_tables(chosen, table, form, output)


command.epilog = "\b\n" + "\n".join(["--as", *(f"  {name}: {form.summary}" for name, form in FORMATS.items())])


def _export_as(dataset: Dataset, name: str, metric: str | None, output: Path | None) -> None:
    """Write a format of another program to a file, or to standard output."""
    from wrkparse.analysis.runs.selection import TooLittleError
    from wrkparse.dataset.aliases import split_names
    from wrkparse.export import content

    if output is None and not FORMATS[name].is_text and is_terminal(sys.stdout):
        raise click.UsageError(f"{name} is binary; name a file with -o")
    try:
        data = content(dataset, name, split_names(metric) if metric else None)
    except TooLittleError as problem:
        fail(str(problem))
    except ImportError as problem:
        fail(f"--as {name} needs {problem.name}: pip install 'wrkparse[{name}]'")
    if output is None:
        click.echo(data, nl=False)
    else:
        write_file(output, data)


def _export_tables(dataset: Dataset, table: str | None, form: str | None, output: Path) -> None:
    """Write one table to a file, or all tables to a directory, and print how many rows they have."""
    written = (
        _write_one_table(dataset, table or "wide", form, output)
        if table or output.suffix
        else _write_all_tables(dataset, form, output)
    )
    counts = ", ".join(f"{name} {count:,}" for name, count in written.items())
    click.echo(f"{printable(str(output))}: {counts}", err=True)


def _write_one_table(dataset: Dataset, name: str, form: str | None, output: Path) -> dict[str, int]:
    """Write one table; return the number of rows by table."""
    from wrkparse.tools.schema import columns

    known = ["wide", *columns()]
    if name not in known:
        raise click.UsageError(f"--table {printable(name)}: no such table; the tables are: {', '.join(known)}")
    found = dataset.wide_arrow() if name == "wide" else dataset.arrow(name)
    write_table(found, form, output, schema=f"export.{name}", text=found.to_string)
    return {name: len(found)}


def _write_all_tables(dataset: Dataset, form: str | None, output: Path) -> dict[str, int]:
    """Write every table with rows to a new directory; return the number of rows by table.

    The directory appears complete or not at all.
    """
    from wrkparse.tools.schema import columns

    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        fail(f"{output} exists and is not an empty directory; give another name with -o")
    place, suffix = output.absolute(), form or "parquet"
    partial = partial_path(place)
    counts: dict[str, int] = {}
    try:
        partial.mkdir(parents=True)
        for name in columns():
            found = dataset.arrow(name)
            if len(found) or name == "runs":
                counts[name] = len(found)
                write_table(found, suffix, partial / f"{name}.{suffix}", schema=f"export.{name}", text=str)
        move_into_place(partial, place)
        # What killed exports of this name left behind.
        sweep(place.parent, place.name.__eq__)
    except OSError as problem:
        fail(f"{output} can't be written: {problem.strerror}")
    finally:
        with contextlib.suppress(OSError):
            shutil.rmtree(partial, ignore_errors=True)
    return counts
