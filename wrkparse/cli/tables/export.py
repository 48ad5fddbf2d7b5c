"""``wrkparse export``."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrkparse.cli.shared.conditions import where_option
from wrkparse.cli.shared.exits import fail
from wrkparse.cli.shared.output import write
from wrkparse.cli.shared.stores import Place, opened, store_option
from wrkparse.store.whole_file import move_into_place, partial_path, sweep
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_FORMATS = ("parquet", "csv", "json")


@click.command("export")
@store_option
@where_option
@click.option("-t", "--table", metavar="NAME", help="The table; 'wide' (default for a file) has one row per run.")
@click.option(
    "--format", "form", type=click.Choice(_FORMATS), help="Format of the files in a directory; default: parquet."
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True,
    help="A file, whose suffix selects the format, or a new directory, which gets a file per table.",
)  # fmt: skip
def command(store: Place, where: str | None, table: str | None, form: str | None, output: Path) -> None:
    """Write one table as a file, or all tables as a directory.

    A directory of Parquet is a store, too: every command accepts it with --store.

    \b
    wrkparse export -o runs.csv
    wrkparse export --table measurements -o measurements.parquet
    wrkparse export --where "framework = 'nginx'" -o nginx/
    """
    with opened(store) as dataset:
        chosen = dataset.where(where) if where else dataset
        written = _one(chosen, table or "wide", form, output) if table or output.suffix else _all(chosen, form, output)
    click.echo(
        f"{printable(str(output))}: {', '.join(f'{name} {count:,}' for name, count in written.items())}", err=True
    )


def _one(dataset: Dataset, name: str, form: str | None, output: Path) -> dict[str, int]:
    """Write one table; return its number of rows."""
    from wrkparse.tools.schema import columns

    known = ["wide", *columns()]
    if name not in known:
        raise click.UsageError(f"--table {printable(name)}: no such table; the tables are: {', '.join(known)}")
    found = dataset.wide_arrow() if name == "wide" else dataset.arrow(name)
    write(found, form, output, text=found.to_string)
    return {name: len(found)}


def _all(dataset: Dataset, form: str | None, output: Path) -> dict[str, int]:
    """Write every table that has rows to a new directory, which appears complete or not at all; return their rows."""
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
                write(found, suffix, partial / f"{name}.{suffix}", text=str)
        move_into_place(partial, place)
        sweep(place.parent, place.name.__eq__)
    except OSError as problem:
        fail(f"{output} can't be written: {problem.strerror}")
    finally:
        with contextlib.suppress(OSError):
            shutil.rmtree(partial, ignore_errors=True)
    return counts
