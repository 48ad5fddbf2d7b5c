"""The options that name a store or logs, and functions that open them for a command."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from wrkparse.cli.shared.exits import fail, note_unreadable
from wrkparse.cli.shared.printing.diagnostics import print_diagnostics
from wrkparse.cli.shared.printing.progress import late_progress
from wrkparse.source.remote import is_url
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset


Location = Path | str  # a path, or a URL
StoreOrLogs = Location | tuple[Location, ...]  # a store, or one or more paths of logs
DEFAULT_STORE = Path("wrkparse.duckdb")
# The beginnings of the paths of standard input and of ``<(command)``. These pipes end, so a command can read them.
SHELL_PIPES = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
_STDIN = Path("-")


class _Store(click.ParamType[Location]):
    """A path or URL. A URL stays text, because Path would turn ``s3://bucket`` into ``s3:/bucket``."""

    name = "store"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Location:
        """The URL as text, or a Path."""
        if value == "":  # of a variable that is not set; as a Path it would be the current directory
            self.fail("the name is empty", param, ctx)
        return value if isinstance(value, Path) or is_url(value) else Path(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Let the shell complete files and directories."""
        return [CompletionItem(incomplete, type="file")]


STORE = _Store()


def store_option(function: Callable[..., None]) -> Callable[..., None]:
    """Add the last arguments [STORE|LOGS…] and the option ``--store``; the function gets their value as `store`."""

    @functools.wraps(function)
    def with_store(*arguments: Any, store: Location | None, locations: tuple[Location, ...], **options: Any) -> None:
        function(*arguments, store=_chosen_data(locations, store), **options)

    option = click.option(
        "-s", "--store", type=STORE,
        help=f"A store (a DuckDB file, or a path or URL of a Parquet directory) or logs.  [default: {DEFAULT_STORE}]",
    )  # fmt: skip
    return click.argument("locations", type=STORE, nargs=-1, metavar="[STORE|LOGS…]")(option(with_store))


def _chosen_data(locations: tuple[Location, ...], store: Location | None) -> StoreOrLogs:
    """The data that the arguments or the option name, or the default store. UsageError if both name some."""
    if locations and store is not None:
        given = f"{' '.join(map(str, locations))} and --store {store}"
        raise click.UsageError(f"give the data only once, as arguments or with --store: {printable(given)}")
    return locations if len(locations) > 1 else locations[0] if locations else store or DEFAULT_STORE


def take_store(
    names: tuple[str, ...], store: Location | None, is_meant: Callable[[str], bool] | None = None
) -> tuple[tuple[str, ...], Location | None]:
    """Take the store out of arguments: the other arguments, and the store that an argument or the option names.

    `is_meant` says whether an existing path is meant as the store. By default, it is one.
    """
    # An argument that does not exist, or is no store, is another name: a study, a notebook.
    locations = [name for name in names if Path(name).exists() and (is_meant or _is_store)(name)]
    given = [*locations, *([] if store is None else [f"--store {store}"])]
    if len(given) > 1:
        raise click.UsageError(f"give one store or folder, once: {printable(' and '.join(given))}")
    return tuple(name for name in names if name not in locations), Path(locations[0]) if locations else store


def _is_store(location: str) -> bool:
    from wrkparse.store.duckdb_store import is_store

    return is_store(location)


def refuse_pipes(locations: Iterable[Location], besides: tuple[str, ...] = ()) -> None:
    """End the command if a location is a device or a pipe: reading it might wait for ever.

    `besides` has the beginnings of paths that are allowed.
    """
    for location in locations:
        path = Path(location)
        is_pipe = not is_url(str(location)) and path.exists() and not path.is_file() and not path.is_dir()
        if is_pipe and not str(location).startswith(besides):
            fail(f"{location} is a device or a pipe, not a store or a file of logs; name another one")


@contextmanager
def open_data(store: StoreOrLogs) -> Iterator[Dataset]:
    """The dataset of a store or of logs. If it can't be read, the command ends with a message and exit code 3.

    If the block takes long, a line of progress appears on the terminal. So the block must not print.
    """
    from wrkparse.dataset import QueryError
    from wrkparse.store.duckdb_store import open_store
    from wrkparse.store.errors import StoreError

    locations = store if isinstance(store, tuple) else (store,)
    refuse_pipes(locations)
    logs = [Path(location) for location in locations if _is_logs(location)]
    if len(locations) > 1 and len(logs) < len(locations):
        unfit = next(location for location in locations if not _is_logs(location))
        raise click.UsageError(f"{printable(str(unfit))} {_why_not_logs(unfit)}; give one store, or files and folders")
    try:
        with (
            late_progress("working") as progress,
            _read_logs(logs, progress) if logs else open_store(locations[0]) as dataset,
        ):
            yield dataset
    except StoreError as problem:
        fail(str(problem))
    except QueryError as problem:
        raise click.UsageError(printable(str(problem))) from None


def _is_logs(location: Location) -> bool:
    """Whether a location is standard input, or a file or directory that is not a store."""
    path = Path(location)
    readable = not is_url(str(location)) and (path == _STDIN or path.is_file() or path.is_dir())
    return readable and not _is_store(str(location))


def _why_not_logs(location: Location) -> str:
    return "is a store" if is_url(str(location)) or _is_store(str(location)) else "does not exist"


@contextmanager
def _read_logs(locations: list[Path], progress: Callable[[int, int, str], None]) -> Iterator[Dataset]:
    """The dataset of logs, read into memory. The command ends if they contain no run."""
    from wrkparse.ingest.ingest import read

    dataset = read(*locations, progress=progress)
    if print_diagnostics(dataset):
        note_unreadable()
    if not dataset.count("runs"):
        names = ", ".join(map(str, locations))
        fail(f"{printable(names)}: neither a store nor logs with a run in them")
    yield dataset
