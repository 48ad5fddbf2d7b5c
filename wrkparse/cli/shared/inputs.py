"""What a command reads: a store, or files and folders of logs, each a side of its own where there are several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from wrkparse.analysis.runs.unread import unread_files
from wrkparse.cli.shared.exits import fail
from wrkparse.cli.shared.printing.diagnostics import say_diagnostics
from wrkparse.cli.shared.printing.patience import patience
from wrkparse.cli.shared.stores import DEFAULT_STORE, OF_THE_SHELL, Place, opened, refuse_pipes
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset
    from wrkparse.ingest.sides import Side


_FEWEST_FILES = 3  # that may be one set; two are compared with each other


class Inputs(NamedTuple):
    """The runs of all inputs; ``sides`` are the values of the label `INPUT`, empty for one input.

    ``unread`` has the errors of reading: what is missing, or could not be read to its end. ``read_now`` is false for a
    store, whose errors were told when it was written.
    """

    dataset: Dataset
    sides: tuple[str, ...]
    unread: tuple[str, ...]
    read_now: bool = True


@contextmanager
def opened_inputs(paths: Sequence[str], store: Place | None, *, sides: bool = False) -> Iterator[Inputs]:
    """The runs below some paths, or of a store. A path that can't be read ends the command with exit code 3.

    Several paths are sides, unless they are files of which some are repeats of one setting: then they are one set,
    unless `sides` says that they are compared with each other.

    Errors and warnings of reading are printed on standard error, the first few of them.
    """
    if paths and store is not None:
        raise click.UsageError("give the data only once: as arguments or with --store")
    if "" in paths:  # of a variable that is not set; as a Path it would be the current directory
        raise click.UsageError("a path is empty; name a file, a directory or a store")
    if store is None and not sides and (files := _set_of_files(paths)) is not None:
        with _usage_errors():
            yield Inputs(files, (), say_diagnostics(files))
        return
    inputs = _named(paths) if paths else []
    refuse_pipes((one.path for one in inputs), besides=OF_THE_SHELL)
    if not inputs or (len(inputs) == 1 and inputs[0].is_store):
        place = store or (inputs[0].path if inputs else DEFAULT_STORE)
        if place == DEFAULT_STORE and not inputs and not DEFAULT_STORE.exists():
            fail(f"there is no store {DEFAULT_STORE} here; name files or folders, or make one with `wrkparse ingest`")
        with opened(place) as dataset:
            yield Inputs(dataset, (), unread_files(dataset), read_now=False)
        return
    with _usage_errors():
        dataset = _read(inputs)
        unread = say_diagnostics(dataset)
        yield Inputs(dataset, tuple(one.name for one in inputs) if len(inputs) > 1 else (), unread)


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Turn what is wrong with a label, a metric or a condition into an error of usage."""
    from wrkparse.dataset import QueryError

    try:
        yield
    except QueryError as problem:
        raise click.UsageError(printable(str(problem))) from None


def _set_of_files(paths: Sequence[str]) -> Dataset | None:
    """The runs of files that are one set, as those of a folder: ``kiwi-1.log``, ``kiwi-2.log`` and ``emu-1.log``."""
    from wrkparse.store.duckdb_store import is_store

    if len(paths) < _FEWEST_FILES or not all(Path(path).is_file() and not is_store(path) for path in paths):
        return None
    from wrkparse.analysis.runs.labels.factors import repeat_settings
    from wrkparse.ingest.ingest import read

    with patience("reading") as tell:
        dataset = read(*paths, progress=tell)
    return dataset if dataset.count("runs") and repeat_settings(dataset) else None


def _named(paths: Sequence[str]) -> list[Side]:
    from wrkparse.ingest.sides import SidesError, named_sides

    try:
        return named_sides(paths)
    except SidesError as problem:
        raise click.UsageError(str(problem)) from None


def _read(inputs: Sequence[Side]) -> Dataset:
    from wrkparse.ingest.sides import SidesError, read_sides
    from wrkparse.store.errors import StoreError

    with patience("reading") as tell:
        try:
            whole = read_sides(inputs, tell)
        except (StoreError, SidesError) as problem:
            fail(str(problem))
    if len(inputs) > 1:
        _check_sides(whole, inputs)
    return whole


def _check_sides(dataset: Dataset, inputs: Sequence[Side]) -> None:
    """End the command if an input has no run."""
    from wrkparse.ingest.sides import without_runs

    for one in without_runs(dataset, inputs):
        say_diagnostics(dataset)
        fail(f"{one.path}: no run found there; nothing to compare")
