"""The options that name a store and a condition, and opening the store for a command."""

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
    """A path or URL; Path would turn ``s3://bucket`` into ``s3:/bucket``."""

    name = "store"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Place:
        """The URL as it is, or a Path."""
        return value if isinstance(value, Path) or is_url(value) else Path(value)


STORE = _Store()

# Options of most commands. A command whose --where differs has another text for it.
store_option = click.option(
    "-s", "--store", type=STORE, default=DEFAULT_STORE, show_default=True,
    help="The store: a DuckDB file, or a directory of Parquet by path or URL.",
)  # fmt: skip
where_option = click.option(
    "-w", "--where", metavar="CONDITION", help="Use only runs that match an SQL condition on labels and metrics."
)


@contextmanager
def opened(store: Place) -> Iterator[Dataset]:
    """The dataset of a store; if it can't be read, the command ends with a message and exit code 3."""
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
