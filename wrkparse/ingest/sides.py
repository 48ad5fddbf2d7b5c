"""Reads several inputs (logs and stores) into one dataset; the label `INPUT` says which input a run comes from."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wrkparse.analysis.runs.labels.labels import INPUT
from wrkparse.ingest.ingest import read
from wrkparse.source.discover import split_label, without_archive_suffix
from wrkparse.source.remote import is_url
from wrkparse.store.duckdb_store import is_store, load
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

STDIN = "stdin"  # its value for '-'


class SidesError(ValueError):
    """Inputs that can't be compared with each other; the message is for the user."""


class Side(NamedTuple):
    """An input: the name for its runs, and its path or URL."""

    name: str
    path: str

    @property
    def is_store(self) -> bool:
        """Whether the input is a store; otherwise it is logs."""
        return self.path != "-" and is_store(self.path)


def named_sides(paths: Sequence[str]) -> list[Side]:
    """The inputs with their names: those that the user gave (``before=old/``), or the parts in which the paths differ.

    Raises SidesError if two have one name.
    """
    parts = [split_label(path) for path in paths]
    if len(paths) == 1:
        return [Side(parts[0][0] or "", parts[0][1])]
    names = _distinct_names([path for _, path in parts])
    found = [Side(label or name, path) for (label, path), name in zip(parts, names, strict=True)]
    repeated = [
        side.name for index, side in enumerate(found) if side.name in {earlier.name for earlier in found[:index]}
    ]
    if repeated:
        raise SidesError(
            f"two inputs are named {printable(repeated[0])}; name one of them in front of it, as in before={paths[0]}"
        )
    return found


def read_sides(sides: Sequence[Side], progress: Callable[[int, int, str], None] | None = None) -> Dataset:
    """The runs of all inputs; with several, each run has the label `INPUT`.

    Raises SidesError for a path that does not exist and for a run that is in two inputs, and StoreError.
    """
    several = len(sides) > 1
    stores = [side for side in sides if side.is_store]
    logs = [side for side in sides if side not in stores]
    for side in logs:
        if side.path != "-" and not is_url(side.path) and not os.path.lexists(side.path):
            raise SidesError(f"{side.path}: no such file or directory")
    parts: list[Dataset] = []
    if logs:
        named = (f"{side.name}={side.path}" if several or side.name else side.path for side in logs)
        parts.append(read(*named, progress=progress))
    parts += [load(side.path).labelled(INPUT, side.name) for side in stores]
    whole = parts[0]
    for part in parts[1:]:
        try:
            whole = whole + part
        except ValueError as problem:
            raise SidesError(
                f"{problem}: the same text at the same place is one run, and can't be on two sides"
            ) from None
    return whole


def sides_without_runs(dataset: Dataset, sides: Sequence[Side]) -> list[Side]:
    """The inputs from which `dataset` has no run."""
    runs = dataset.arrow("runs")
    present = set(runs[INPUT].to_pylist()) if INPUT in runs.column_names else set()
    return [side for side in sides if side.name not in present]


def open_sides(paths: Sequence[str], where: str | None = None) -> tuple[Dataset, tuple[str, ...]]:
    """The dataset of several stores or logs with the label ``input``, and its values in the order of the paths.

    A name may be in front: ``before=old.duckdb``. One path has no label and no value. Raises SidesError if the inputs
    can't be compared, or if one has no run; StoreError and QueryError as `open_dataset` does.
    """
    sides = named_sides(paths)
    whole = read_sides(sides)
    dataset = whole if where is None else whole.where(where)
    if len(sides) == 1:
        return dataset, ()
    if empty := sides_without_runs(dataset, sides):
        chosen = f" for which {where} holds" if where else ""
        raise SidesError(f"{empty[0].path}: no run found there{chosen}; nothing to compare")
    return dataset, tuple(side.name for side in sides)


def _distinct_names(paths: Sequence[str]) -> list[str]:
    """The last folder or file name in which each path differs from the others."""
    split = [_parts(path) for path in paths]
    # `old/out/1.log` and `new/out/1.log` are `old` and `new`: parts at the end that are the same are left out.
    while all(len(parts) > 1 for parts in split) and len({parts[-1] for parts in split}) == 1:
        split = [parts[:-1] for parts in split]
    last = [parts[-1] for parts in split]
    names = last if len(set(last)) == len(last) else ["-".join(parts) for parts in split]
    # `name=path` gives an input its name, so a name has no `=`.
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
