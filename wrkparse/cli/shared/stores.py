"""Opening a store for a command, and what to say when it can't be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wrkparse.cli.shared.exits import fail
from wrkparse.source.remote import is_url
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset


Place = Path | str  # a path here, or a URL
DEFAULT_STORE = Path("wrkparse.duckdb")


class _Store(click.ParamType[Place]):
    """A path or a URL; a Path would make ``s3:/bucket`` of ``s3://bucket``."""

    name = "store"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Place:
        """What the command gets."""
        return value if isinstance(value, Path) or is_url(value) else Path(value)


STORE = _Store()

# The options of every command that asks a store; a command with other words for --where says so itself.
store_option = click.option(
    "-s", "--store", type=STORE, default=DEFAULT_STORE, show_default=True,
    help="The store that the runs are in: a DuckDB file, or a directory of Parquet, by path or URL.",
)  # fmt: skip
where_option = click.option(
    "-w", "--where", metavar="CONDITION", help="Only runs for which this holds, in SQL on labels and metrics."
)


@contextmanager
def opened(store: Place) -> Iterator[Dataset]:
    """The dataset of a store; a store that can't be read ends the command with a message and exit code 3."""
    from wrkparse.dataset import QueryError
    from wrkparse.store.duckdb_store import open_store
    from wrkparse.store.errors import StoreError

    try:
        with open_store(store) as dataset:
            yield dataset
    except StoreError as problem:
        fail(str(problem))
    except QueryError as problem:
        raise click.UsageError(printable(str(problem))) from None
