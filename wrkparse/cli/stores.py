"""Opening a store for a command, and what to say when it can't be."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrkparse.cli import UNREADABLE
from wrkparse.cli.output import plain

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset


DEFAULT_STORE = Path("wrkparse.duckdb")

# The options of every command that asks a store; a command with other words for --where says so itself.
store_option = click.option(
    "-s", "--store", type=click.Path(path_type=Path), default=DEFAULT_STORE, show_default=True,
    help="The store that the runs are in: a DuckDB file, or a directory of Parquet.",
)  # fmt: skip
where_option = click.option(
    "-w", "--where", metavar="CONDITION", help="Only runs for which this holds, in SQL on labels and metrics."
)


@contextmanager
def opened(store: Path) -> Iterator[Dataset]:
    """The dataset of a store; a store that can't be read ends the command with a message and exit code 3."""
    from wrkparse.dataset import QueryError
    from wrkparse.store import StoreError, held

    try:
        with held(store) as dataset:
            yield dataset
    except StoreError as problem:
        click.echo(f"wrkparse: {plain(str(problem))}", err=True)
        sys.exit(UNREADABLE)
    except QueryError as problem:
        raise click.UsageError(plain(str(problem))) from None
