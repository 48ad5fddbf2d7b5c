"""The arguments of ``compare``: a store, or files and folders of logs; several are inputs of the comparison."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from wrkparse.analysis.runs.unread import unread_files
from wrkparse.cli.shared.exits import fail
from wrkparse.cli.shared.printing.diagnostics import print_diagnostics
from wrkparse.cli.shared.printing.progress import late_progress
from wrkparse.cli.shared.stores import DEFAULT_STORE, SHELL_PIPES, Location, open_data, refuse_pipes
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset
    from wrkparse.ingest.sides import Side


_FEWEST_FILES_OF_SET = 3  # two files are compared with each other, even if both repeat one setting


class Inputs(NamedTuple):
    """The runs of all inputs.

    ``names`` are the values of the label `INPUT`, empty for one input. ``unread`` has the errors of reading: files that
    are missing, or could not be read to their end. ``read_now`` is false for a store, because ``ingest`` printed its
    errors.
    """

    dataset: Dataset
    names: tuple[str, ...]
    unread: tuple[str, ...]
    read_now: bool = True


@contextmanager
def open_inputs(paths: Sequence[str], store: Location | None, *, separate: bool = False) -> Iterator[Inputs]:
    """The runs below some paths, or of a store. A path that can't be read ends the command with exit code 3.

    Each of several paths is an input. Three or more files of which some repeat one setting are one set of logs instead;
    not with `separate`, which says that the options of the command compare inputs.

    The first errors and warnings of reading are printed on standard error.
    """
    if paths and store is not None:
        raise click.UsageError("give the data only once: as arguments or with --store")
    if "" in paths:  # of a variable that is not set; as a Path it would be the current directory
        raise click.UsageError("a path is empty; name a file, a directory or a store")
    if store is None and not separate and (files := _read_file_set(paths)) is not None:
        with _query_errors_as_usage():
            yield Inputs(files, (), print_diagnostics(files))
        return
    inputs = _name_inputs(paths) if paths else []
    refuse_pipes((side.path for side in inputs), besides=SHELL_PIPES)
    if not inputs or (len(inputs) == 1 and inputs[0].is_store):
        location = store or (inputs[0].path if inputs else DEFAULT_STORE)
        if location == DEFAULT_STORE and not inputs and not DEFAULT_STORE.exists():
            fail(f"there is no store {DEFAULT_STORE} here; name files or folders, or make one with `wrkparse ingest`")
        with open_data(location) as dataset:
            yield Inputs(dataset, (), unread_files(dataset), read_now=False)
        return
    with _query_errors_as_usage():
        dataset = _read_inputs(inputs)
        unread = print_diagnostics(dataset)
        yield Inputs(dataset, tuple(side.name for side in inputs) if len(inputs) > 1 else (), unread)


@contextmanager
def _query_errors_as_usage() -> Iterator[None]:
    """Turn a QueryError (a wrong label, metric or condition) into an error of usage."""
    from wrkparse.dataset import QueryError

    try:
        yield
    except QueryError as problem:
        raise click.UsageError(printable(str(problem))) from None


def _read_file_set(paths: Sequence[str]) -> Dataset | None:
    """Read files that are one set, such as ``kiwi-1.log``, ``kiwi-2.log`` and ``emu-1.log``; None for other paths.

    They are a set if some of their runs repeat one setting.
    """
    from wrkparse.store.duckdb_store import is_store

    if len(paths) < _FEWEST_FILES_OF_SET or not all(Path(path).is_file() and not is_store(path) for path in paths):
        return None
    from wrkparse.analysis.runs.labels.factors import are_some_sources_repeats
    from wrkparse.ingest.ingest import read

    with late_progress("reading") as progress:
        dataset = read(*paths, progress=progress)
    return dataset if dataset.count("runs") and are_some_sources_repeats(dataset) else None


def _name_inputs(paths: Sequence[str]) -> list[Side]:
    """The inputs with their names. UsageError if two have the same name."""
    from wrkparse.ingest.sides import SidesError, named_sides

    try:
        return named_sides(paths)
    except SidesError as problem:
        raise click.UsageError(str(problem)) from None


def _read_inputs(inputs: Sequence[Side]) -> Dataset:
    """The runs of all inputs as one dataset; if one can't be read, or is one of several and empty, the command ends."""
    from wrkparse.ingest.sides import SidesError, read_sides
    from wrkparse.store.errors import StoreError

    with late_progress("reading") as progress:
        try:
            whole = read_sides(inputs, progress)
        except (StoreError, SidesError) as problem:
            fail(str(problem))
    if len(inputs) > 1:
        _check_inputs(whole, inputs)
    return whole


def _check_inputs(dataset: Dataset, inputs: Sequence[Side]) -> None:
    """End the command if an input has no runs."""
    from wrkparse.ingest.sides import sides_without_runs

    for side in sides_without_runs(dataset, inputs):
        print_diagnostics(dataset)
        fail(f"{side.path}: no run found there; nothing to compare")
