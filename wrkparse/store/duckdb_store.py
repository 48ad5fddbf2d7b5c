"""Reads a store with every table: a DuckDB file, or a Parquet directory (`wrkparse.store.parquet_store`)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from wrkparse.dataset.queries.on_demand import ConnectionOnDemand
from wrkparse.source import remote
from wrkparse.source.remote import is_url
from wrkparse.store import ddl, parquet_store
from wrkparse.store.connections import ConnectionPool
from wrkparse.store.duckdb_file import (
    OFFLINE,
    check_name,
    check_version,
    connect_file,
    is_duckdb_file,
    real_path,
    retry_while_busy,
)
from wrkparse.store.errors import StoreError, store_errors, url_errors

if TYPE_CHECKING:
    from upath import UPath

    from wrkparse.dataset import Dataset

READ_WAIT_S = 5.0  # for a writer to finish


def connect(place: str | Path) -> duckdb.DuckDBPyConnection:
    """Open a store for reading: a connection that has every table and can't access other files.

    `place` is a DuckDB file, or the path or URL of a directory of Parquet. Times are in UTC; the order of rows is not
    defined. Raises StoreError.
    """
    connection = connect_on_demand(place)
    with _closed_on_error(connection.bare):
        connection.add_all()
    return connection.bare


def connect_on_demand(place: str | Path) -> ConnectionOnDemand:
    """The same as `connect`, but a table that lacks columns gets them when a statement first names the table."""
    if is_url(str(place)):
        with url_errors(str(place)):
            return ConnectionOnDemand(_connect_parquet(remote.url_path(str(place))))
    path = real_path(place)
    check_name(path)
    with store_errors(path):
        if not path.exists():
            raise StoreError(f"{path} does not exist; make it with: wrkparse ingest PATH -o {path.name}")
        if path.is_dir():
            return ConnectionOnDemand(_connect_parquet(path))
        if not path.is_file():
            raise StoreError(f"{path} is a device or a pipe, not a store; name another one")
    config = OFFLINE | {"enable_external_access": False}
    connection = retry_while_busy(lambda: connect_file(path, config, read_only=True), path, READ_WAIT_S, None)
    with _closed_on_error(connection), store_errors(path):
        connection.execute("SET GLOBAL TimeZone = 'UTC'")
        check_version(connection, path)
    return ddl.views_on_demand(connection)


def load(path: str | Path) -> Dataset:
    """Open a store as a Dataset: a DuckDB file, or the path or URL of a directory of Parquet. Raises StoreError.

    The dataset closes the file a moment after each query and opens it for the next one, so that others can write.
    """
    from wrkparse.dataset import Dataset

    pool = ConnectionPool(lambda: connect_on_demand(path))
    # Opened once here, so that this call raises StoreError, not the first query.
    with pool.connection():
        return Dataset(pool.connection, all_tables=True)


def is_store(place: str | Path) -> bool:
    """Whether a path or URL is a store, rather than logs."""
    if is_url(str(place)):
        with url_errors(str(place)):
            return parquet_store.is_parquet_store(remote.url_path(str(place)))
    path = Path(place)
    if path.is_dir():
        return parquet_store.is_parquet_store(path)
    # By the suffix first, because a store may not exist yet, and need not be opened.
    return path.suffix == ".duckdb" or is_duckdb_file(path)


@contextlib.contextmanager
def open_store(path: str | Path) -> Iterator[Dataset]:
    """The same as `load`, but the store stays open while the block runs: faster, but nobody can write meanwhile."""
    from wrkparse.dataset import Dataset

    with contextlib.closing(connect_on_demand(path)) as connection:
        yield Dataset(lambda: contextlib.nullcontext(connection), all_tables=True)


def _connect_parquet(root: Path | UPath) -> duckdb.DuckDBPyConnection:
    try:
        return parquet_store.connect(root, OFFLINE)
    except parquet_store.NoTablesError:
        message = f"{root} is not a store: it has neither runs.parquet nor runs/*.parquet; name another one"
        raise StoreError(message) from None


@contextlib.contextmanager
def _closed_on_error(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    try:
        yield
    except BaseException:
        connection.close()
        raise
