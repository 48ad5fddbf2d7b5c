"""The options that name a store and a condition, and opening the store for a command."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from wrkparse.cli.shared.exits import end_as_unreadable, fail
from wrkparse.cli.shared.printing.diagnostics import say_diagnostics
from wrkparse.cli.shared.printing.patience import patience
from wrkparse.source.remote import is_url
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset


Place = Path | str  # a path here, or a URL
Data = Place | tuple[Place, ...]  # a store, or one or more paths of logs
DEFAULT_STORE = Path("wrkparse.duckdb")
OF_THE_SHELL = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")  # begins the pipes of ``<(command)``, which end
_STDIN = Path("-")


class _Store(click.ParamType[Place]):
    """A path or URL; Path would turn ``s3://bucket`` into ``s3:/bucket``."""

    name = "store"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Place:
        """The URL as it is, or a Path."""
        if value == "":  # of a variable that is not set; as a Path it would be the current directory
            self.fail("the name is empty", param, ctx)
        return value if isinstance(value, Path) or is_url(value) else Path(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Files and directories, by the shell."""
        return [CompletionItem(incomplete, type="file")]


STORE = _Store()


def store_option(function: Callable[..., None]) -> Callable[..., None]:
    """Adds a store or logs as the last arguments and as the option ``--store``; the function gets them as `store`."""

    @functools.wraps(function)
    def with_store(*arguments: Any, store: Place | None, places: tuple[Place, ...], **options: Any) -> None:
        function(*arguments, store=_given(places, store), **options)

    option = click.option(
        "-s", "--store", type=STORE,
        help=f"A store (a DuckDB file, or a path or URL of a Parquet directory) or logs.  [default: {DEFAULT_STORE}]",
    )  # fmt: skip
    return click.argument("places", type=STORE, nargs=-1, metavar="[STORE|LOGS…]")(option(with_store))


def _given(places: tuple[Place, ...], store: Place | None) -> Data:
    """What is given as arguments or as an option; UsageError if both are."""
    if places and store is not None:
        given = f"{' '.join(map(str, places))} and --store {store}"
        raise click.UsageError(f"give the data only once, as arguments or with --store: {printable(given)}")
    return places if len(places) > 1 else places[0] if places else store or DEFAULT_STORE


def split_store(
    names: tuple[str, ...], store: Place | None, is_place: Callable[[str], bool] | None = None
) -> tuple[tuple[str, ...], Place | None]:
    """Arguments without the store among them, and the store that is given there or as an option.

    `is_place` says which existing paths are meant as the store; without it, those that are one.
    """
    places = [name for name in names if Path(name).exists() and (is_place or _is_store)(name)]
    given = [*places, *([] if store is None else [f"--store {store}"])]
    if len(given) > 1:
        raise click.UsageError(f"give one store or folder, once: {printable(' and '.join(given))}")
    return tuple(name for name in names if name not in places), Path(places[0]) if places else store


def _is_store(place: str) -> bool:
    from wrkparse.store.duckdb_store import is_store

    return is_store(place)


def refuse_pipes(places: Iterable[Place], besides: tuple[str, ...] = ()) -> None:
    """End the command if a place is a device or a pipe: reading it might wait for ever.

    `besides` has the beginnings of those that the command reads.
    """
    for place in places:
        path = Path(place)
        is_pipe = not is_url(str(place)) and path.exists() and not path.is_file() and not path.is_dir()
        if is_pipe and not str(place).startswith(besides):
            fail(f"{place} is a device or a pipe, not a store or a file of logs; name another one")


@contextmanager
def opened(store: Data) -> Iterator[Dataset]:
    """The dataset of a store, or of logs; if it can't be read, the command ends with a message and exit code 3.

    A terminal is told if the block takes long. So the block prints nothing.
    """
    from wrkparse.dataset import QueryError
    from wrkparse.store.duckdb_store import open_store
    from wrkparse.store.errors import StoreError

    places = store if isinstance(store, tuple) else (store,)
    refuse_pipes(places)
    logs = [Path(place) for place in places if _is_logs(place)]
    if len(places) > 1 and len(logs) < len(places):
        other = next(place for place in places if not _is_logs(place))
        raise click.UsageError(f"{printable(str(other))} {_what_is_wrong(other)}; give one store, or files and folders")
    try:
        with patience("working") as tell, _read_logs(logs, tell) if logs else open_store(places[0]) as dataset:
            yield dataset
    except StoreError as problem:
        fail(str(problem))
    except QueryError as problem:
        raise click.UsageError(printable(str(problem))) from None


def _is_logs(place: Place) -> bool:
    """Whether a place is standard input, or a file or directory that is no store; devices and pipes are none."""
    path = Path(place)
    readable = not is_url(str(place)) and (path == _STDIN or path.is_file() or path.is_dir())
    return readable and not _is_store(str(place))


def _what_is_wrong(place: Place) -> str:
    return "is a store" if is_url(str(place)) or _is_store(str(place)) else "does not exist"


@contextmanager
def _read_logs(places: list[Path], tell: Callable[[int, int, str], None]) -> Iterator[Dataset]:
    """The dataset of logs that no store holds."""
    from wrkparse.ingest.ingest import read

    dataset = read(*places, progress=tell)
    if say_diagnostics(dataset):
        end_as_unreadable()
    if not dataset.count("runs"):
        names = ", ".join(map(str, places))
        fail(f"{printable(names)}: neither a store nor logs with a run in them")
    yield dataset
