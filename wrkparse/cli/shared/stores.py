"""The options that name a store and a condition, and opening the store for a command."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from wrkparse.cli.shared.diagnostics import say_diagnostics
from wrkparse.cli.shared.exits import fail
from wrkparse.cli.shared.patience import patience
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

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Files and directories, by the shell."""
        return [CompletionItem(incomplete, type="file")]


STORE = _Store()


def store_option(function: Callable[..., None]) -> Callable[..., None]:
    """Adds the store as the last argument and as the option ``--store``; the function gets one of them as `store`."""

    @functools.wraps(function)
    def with_store(*arguments: Any, store: Place | None, place: Place | None, **options: Any) -> None:
        function(*arguments, store=one_store(place, store), **options)

    option = click.option(
        "-s", "--store", type=STORE,
        help=f"A store (a DuckDB file, or a directory of Parquet by path or URL), or logs.  [default: {DEFAULT_STORE}]",
    )  # fmt: skip
    return click.argument("place", type=STORE, required=False, metavar="[STORE]")(option(with_store))


def one_store(place: Place | None, store: Place | None) -> Place:
    """The store that is given as an argument or as an option; UsageError if it is given twice."""
    if place is not None and store is not None:
        raise click.UsageError(f"the store is given twice: {printable(str(place))} and --store {printable(str(store))}")
    return place or store or DEFAULT_STORE


def split_store(
    names: tuple[str, ...], store: Place | None, is_place: Callable[[str], bool] | None = None
) -> tuple[tuple[str, ...], Place | None]:
    """Arguments without the store among them, and the store that is given there or as an option.

    `is_place` says which existing paths are meant as the store; without it, those that are one.
    """
    places = [name for name in names if Path(name).exists() and (is_place or _is_store)(name)]
    given = [*places, *([] if store is None else [f"--store {store}"])]
    if len(given) > 1:
        raise click.UsageError(f"the store is given twice: {printable(' and '.join(given))}")
    return tuple(name for name in names if name not in places), Path(places[0]) if places else store


def _is_store(place: str) -> bool:
    from wrkparse.store.duckdb_store import is_store

    return is_store(place)


@contextmanager
def opened(store: Place) -> Iterator[Dataset]:
    """The dataset of a store, or of logs; if it can't be read, the command ends with a message and exit code 3.

    A terminal is told if the block takes long. So the block prints nothing.
    """
    from wrkparse.dataset import QueryError
    from wrkparse.store.duckdb_store import is_store, open_store
    from wrkparse.store.errors import StoreError

    try:
        is_logs = not is_url(str(store)) and _is_readable(Path(store)) and not is_store(store)
        with patience("working") as tell, _read_logs(Path(store), tell) if is_logs else open_store(store) as dataset:
            yield dataset
    except StoreError as problem:
        fail(str(problem))
    except QueryError as problem:
        raise click.UsageError(printable(str(problem))) from None


def _is_readable(place: Path) -> bool:
    """Whether a path is a file or a directory, and no device or pipe."""
    return place.is_file() or place.is_dir()


@contextmanager
def _read_logs(place: Path, tell: Callable[[int, int, str], None]) -> Iterator[Dataset]:
    """The dataset of logs that no store holds."""
    from wrkparse.ingest.ingest import read

    dataset = read(place, progress=tell)
    say_diagnostics(dataset)
    if not dataset.count("runs"):
        fail(f"{printable(str(place))}: neither a store nor logs with a run in them")
    yield dataset
