"""What a command reads: a store, or files and folders of logs, each a side of its own where there are several."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from wrkparse.cli.shared.diagnostics import say_diagnostics, unread_files
from wrkparse.cli.shared.exits import fail
from wrkparse.cli.shared.patience import patience
from wrkparse.cli.shared.stores import DEFAULT_STORE, Place, opened
from wrkparse.source.discover import without_archive_suffix
from wrkparse.source.remote import is_url
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

INPUT = "input"  # the label that says which input a run is from
STDIN = "stdin"  # its value for '-'


class Inputs(NamedTuple):
    """The runs of all inputs; ``sides`` are the values of the label `INPUT`, empty for one input.

    ``unread`` has the errors of reading: what is missing, or could not be read to its end. ``read_now`` is false for a
    store, whose errors were told when it was written.
    """

    dataset: Dataset
    sides: tuple[str, ...]
    unread: tuple[str, ...]
    read_now: bool = True


class _Input(NamedTuple):
    """An argument: the name it gives to its runs, and its path or URL."""

    name: str
    path: str

    @property
    def is_store(self) -> bool:
        from wrkparse.store.duckdb_store import is_store

        return self.path != "-" and is_store(self.path)


@contextmanager
def opened_inputs(paths: Sequence[str], store: Place | None) -> Iterator[Inputs]:
    """The runs below some paths, or of a store. A path that can't be read ends the command with exit code 3.

    Errors and warnings of reading are printed on standard error, the first few of them.
    """
    if paths and store is not None:
        raise click.UsageError("give the data once: as arguments, or with --store")
    inputs = _named(paths)
    if not inputs or (len(inputs) == 1 and inputs[0].is_store):
        place = store or (inputs[0].path if inputs else DEFAULT_STORE)
        if place == DEFAULT_STORE and not inputs and not DEFAULT_STORE.exists():
            fail(f"there is no store {DEFAULT_STORE} here; name files or folders, or make one with `wrkparse ingest`")
        with opened(place) as dataset:
            yield Inputs(dataset, (), unread_files(dataset), read_now=False)
        return
    from wrkparse.dataset import QueryError

    try:
        dataset = _read(inputs)
        unread = say_diagnostics(dataset)
        yield Inputs(dataset, tuple(one.name for one in inputs) if len(inputs) > 1 else (), unread)
    except QueryError as problem:
        raise click.UsageError(printable(str(problem))) from None


def _named(paths: Sequence[str]) -> list[_Input]:
    """The inputs with their names: those that the user gave, else what tells the paths apart."""
    from wrkparse.source.discover import split_label

    parts = [split_label(path) for path in paths]
    if len(paths) == 1:
        return [_Input(parts[0][0] or "", parts[0][1])]
    names = _distinct_names([path for _, path in parts])
    found = [_Input(label or name, path) for (label, path), name in zip(parts, names, strict=True)]
    twice = [one.name for at, one in enumerate(found) if one.name in {other.name for other in found[:at]}]
    if twice:
        raise click.UsageError(
            f"two inputs are named {printable(twice[0])}; name one of them in front of it, as in before={paths[0]}"
        )
    return found


def _distinct_names(paths: Sequence[str]) -> list[str]:
    """The last folder or file name in which each path differs from the others."""
    split = [_parts(path) for path in paths]
    while all(len(parts) > 1 for parts in split) and len({parts[-1] for parts in split}) == 1:
        split = [parts[:-1] for parts in split]
    last = [parts[-1] for parts in split]
    names = last if len(set(last)) == len(last) else ["-".join(parts) for parts in split]
    return [name.replace("=", "-") for name in names]


def _parts(path: str) -> list[str]:
    if path == "-":
        return [STDIN]
    if is_url(path):
        return [part for part in path.partition("://")[2].split("/") if part] or [path]
    place = Path(path)
    if place.name in {"", ".."}:
        place = place.resolve()
    parts = [part for part in place.parts if part.strip("/\\")] or [path]
    if not place.is_dir():
        parts[-1] = Path(without_archive_suffix(parts[-1])).stem
    return parts


def _read(inputs: Sequence[_Input]) -> Dataset:
    """The runs of all inputs; with several, each run has the label `INPUT`."""
    from wrkparse.ingest.ingest import read
    from wrkparse.store.duckdb_store import load
    from wrkparse.store.errors import StoreError

    several = len(inputs) > 1
    stores = [one for one in inputs if one.is_store]
    logs = [one for one in inputs if one not in stores]
    for one in logs:
        if one.path != "-" and not is_url(one.path) and not os.path.lexists(one.path):
            fail(f"{one.path}: no such file or directory")
    parts: list[Dataset] = []
    with patience("reading") as tell:
        try:
            if logs:
                named = (f"{one.name}={one.path}" if several or one.name else one.path for one in logs)
                parts.append(read(*named, progress=tell))
            parts += [load(one.path).labelled(INPUT, one.name) for one in stores]
            whole = parts[0]
            for part in parts[1:]:
                whole = whole + part
        except StoreError as problem:
            fail(str(problem))
        except ValueError as problem:
            fail(f"{problem}: the same text at the same place is one run, and can't be on two sides")
    if several:
        _check_sides(whole, inputs)
    return whole


def _check_sides(dataset: Dataset, inputs: Sequence[_Input]) -> None:
    """End the command if an input has no run."""
    runs = dataset.arrow("runs")
    present = set(runs[INPUT].to_pylist()) if INPUT in runs.column_names else set()
    for one in inputs:
        if one.name not in present:
            say_diagnostics(dataset)
            fail(f"{one.path}: no run found there; nothing to compare")
