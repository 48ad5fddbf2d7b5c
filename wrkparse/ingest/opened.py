"""Opens a store, or reads logs, as a dataset. Opening a store imports nothing that reads logs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from wrkparse.dataset import Dataset
from wrkparse.source.remote import is_url
from wrkparse.store.duckdb_store import is_store, load
from wrkparse.store.errors import StoreError

# Rows of a store that is copied into memory. A row takes 77 bytes in data/, 460 for a collection: 80 to 460 MB.
_MOST_ROWS = 1_000_000


def open_dataset(path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], where: str | None = None) -> Dataset:
    """The dataset of a store, or of files and directories of logs, which are read in memory.

    A store with up to a million rows is read once, as it is now. `where` selects runs, as `Dataset.where` does. Raises
    `wrkparse.store.errors.StoreError` for a path that does not exist, or for a store among several paths, and
    `wrkparse.dataset.QueryError` for a condition that can't be answered.
    """
    places = [os.fspath(item) for item in ([path] if isinstance(path, str | os.PathLike) else path)]
    stores = [place for place in places if is_store(place) or not (is_url(place) or Path(place).exists())]
    if stores and len(places) > 1:
        raise StoreError(f"{stores[0]}: not a file or directory of logs; a store is opened by itself")
    dataset = load(places[0]).in_memory(_MOST_ROWS) if stores else _read_logs(places)
    return dataset if where is None else dataset.where(where)


def _read_logs(places: Sequence[str]) -> Dataset:
    from wrkparse.ingest.ingest import read

    return read(*places)
