"""``wrkparse export``."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrkparse.cli.shared.exits import fail
from wrkparse.cli.shared.output import write
from wrkparse.cli.shared.stores import Place, opened, store_option, where_option
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_FORMATS = ("parquet", "csv", "json")


@click.command("export")
@store_option
@where_option
@click.option("-t", "--table", metavar="NAME", help="This table; 'wide' (default for a file): one row per run.")
@click.option("--format", "form", type=click.Choice(_FORMATS), help="Of a directory's files; default: parquet.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True,
    help="A file, its suffix names the format; or a directory, which gets a file for each table.",
)  # fmt: skip
def command(store: Place, where: str | None, table: str | None, form: str | None, output: Path) -> None:
    """Tables as files for other programs: one as a file, or all as a directory.

    A directory of Parquet is a store too: every command takes it with --store.

    \b
    wrkparse export -o runs.csv
    wrkparse export --table measurements -o measurements.parquet
    wrkparse export --where "framework = 'nginx'" -o nginx/
    """
    with opened(store) as dataset:
        chosen = dataset.where(where) if where else dataset
        if table or output.suffix:
            _one(chosen, table or "wide", form, output)
        else:
            _all(chosen, form or "parquet", output)


def _one(dataset: Dataset, name: str, form: str | None, output: Path) -> None:
    from wrkparse.tools.schema import columns

    known = ["wide", *columns()]
    if name not in known:
        raise click.UsageError(f"--table {printable(name)}: no such table; there are: {', '.join(known)}")
    found = dataset.wide_arrow() if name == "wide" else dataset.arrow(name)
    write(found, form, output, text=found.to_string)
    click.echo(f"{printable(str(output))}: {name} {len(found):,}", err=True)


def _all(dataset: Dataset, form: str, output: Path) -> None:
    """Every table that has rows, as a file of a new directory that appears whole or not at all."""
    from wrkparse.tools.schema import columns

    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        fail(f"{output} exists and is not an empty directory; give another name with -o")
    partial = output.absolute().with_name(f".{output.name}.{os.getpid()}.partial")
    counts: dict[str, int] = {}
    try:
        partial.mkdir(parents=True)
        for name in columns():
            found = dataset.arrow(name)
            if len(found) or name == "runs":
                counts[name] = len(found)
                write(found, form, partial / f"{name}.{form}", text=str)
        partial.replace(output)
    except OSError as problem:
        fail(f"{output} can't be written: {problem.strerror}")
    finally:
        with contextlib.suppress(OSError):
            shutil.rmtree(partial, ignore_errors=True)
    click.echo(
        f"{printable(str(output))}: {', '.join(f'{name} {count:,}' for name, count in counts.items())}", err=True
    )
