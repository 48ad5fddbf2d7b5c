"""The store: one DuckDB file that holds every table, and which files they were read from.

What a killed writer or a full disk leaves is the store as it was or as it would have become. An existing store is
changed in one transaction, which DuckDB logs beside it (``NAME.wal``). A new one is written as ``.NAME.partial`` and
gets its name when it is complete. DuckDB's lock on the file keeps writers apart, and readers from a writer. On POSIX a
process loses that lock when it closes the file once more, so nothing may open a store while it is being written.

A directory of Parquet files, `wrkparse.store.parquet_store`, is read as a store too.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import duckdb
import pyarrow as pa

from wrkparse._version import __version__
from wrkparse.source import remote
from wrkparse.source.discover import legible
from wrkparse.source.remote import is_url
from wrkparse.store import ddl, parquet_store
from wrkparse.store.connections import Lender, close_idle
from wrkparse.store.ddl import SCHEMA_VERSION, quoted
from wrkparse.store.errors import BusyError, StoreError, explained, explained_url, holder
from wrkparse.store.parquet_store import FileState
from wrkparse.tools.schema import columns, schema

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from upath import UPath

    from wrkparse.dataset import Dataset
    from wrkparse.parse.checkpoint import Tail

T = TypeVar("T")

# DuckDB 1.4 and later read this format; it is as small as that of 2.0, and faster to write.
STORAGE_VERSION = "v1.4.0"
READ_WAIT_S = 5.0
_POLL_S = 0.05
# Nothing is fetched from the network because a query or the look of a file suggests an extension.
_OFFLINE: dict[str, str | bool] = {"autoload_known_extensions": False, "autoinstall_known_extensions": False}
# What DuckDB may hold of what is written; the rest goes to the disk. A big transaction is no bigger in memory. Of two
# threads each would write its own half-full groups of rows, and join them again: twice the work, and twice the file.
_FRUGAL: dict[str, str | bool] = {"memory_limit": "200MB", "threads": "1"}


class Writer:
    """An open transaction on a store; `writing` makes it. Its methods raise StoreError.

    A thread writes rows while the next ones are being read.
    """

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, thread: ThreadPoolExecutor, path: Path, *, existed: bool
    ) -> None:
        self._connection, self._thread, self._path = connection, thread, path
        rows = connection.execute(f"SELECT {', '.join(FileState._fields)} FROM files").fetchall()
        self.existed = existed
        self.files: dict[str, FileState] = {row[0]: FileState._make(row) for row in rows}
        self._known = dict(self.files)
        self._columns = {name: set(names) for name, names in ddl.present(connection).items()}
        self._appending: Future[None] | None = None

    def forget(self, sources: Iterable[str]) -> None:
        """Delete all rows of these sources. Each call reads every table: give it all sources at once."""
        gone = list(sources)
        if not gone:
            return
        with self._alone():
            run = self._connection.execute
            run("CREATE OR REPLACE TEMP TABLE gone AS SELECT unnest(?::VARCHAR[]) AS source", [gone])
            run("CREATE OR REPLACE TEMP TABLE gone_runs AS SELECT run FROM runs WHERE source IN (FROM gone)")
            for name in columns():
                keyed = "source IN (FROM gone)" if "source" in schema(name).names else "run IN (FROM gone_runs)"
                run(f"DELETE FROM {quoted(name)} WHERE {keyed}")
        for source in gone:
            self.files.pop(source, None)

    def retract(self, source: str, tail: Tail) -> None:
        """Take back what a file's end gave, before its rest is read: see `wrkparse.parse.checkpoint.Tail`."""
        from wrkparse.dataset import Dataset

        with self._alone():
            run = self._connection.execute
            run("DELETE FROM sources WHERE source = ?", [source])
            for name in ("runs", "labels", "measurements", "texts"):
                run(f"DELETE FROM {name} WHERE run IN (SELECT unnest(?::VARCHAR[]))", [[*tail.reports, *tail.traces]])
            for name in Dataset.event_tables():
                run(f"DELETE FROM {quoted(name)} WHERE run IN (SELECT unnest(?::VARCHAR[]))", [tail.reports])
            for name, of_run, lines in tail.events:
                run(
                    f"DELETE FROM {quoted(name)} WHERE run = ? AND line IN (SELECT unnest(?::BIGINT[]))",
                    [of_run, lines],
                )
            for said in tail.diagnostics:
                same = "line IS NOT DISTINCT FROM ? AND code = ? AND message = ?"
                run(f"DELETE FROM diagnostics WHERE source = ? AND {same}", [source, *said])

    def append(self, tables: Mapping[str, pa.Table]) -> None:
        """Add rows; a table may have fewer columns than the store's, and `runs` other label keys.

        Returns when those given before are written: what goes wrong is raised by the next method that is called.
        """
        with self._alone():
            self._appending = self._thread.submit(self._append, tables)

    def _append(self, tables: Mapping[str, pa.Table]) -> None:
        for name, table in tables.items():
            if table.num_rows:
                self._insert(name, table)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Wait for the thread; then the connection is this one's."""
        appending, self._appending = self._appending, None
        with explained(self._path):
            if appending:
                appending.result()
            yield

    def _insert(self, name: str, table: pa.Table) -> None:
        # DuckDB finds the variable by its name; a registered table would be kept until the transaction ends
        incoming = ddl.told(name, table)
        known = self._columns.setdefault(name, set())
        ddl.widen(self._connection, name, (field for field in incoming.schema if field.name not in known))
        known.update(incoming.column_names)
        self._connection.execute(f"INSERT INTO {quoted(name)} BY NAME FROM incoming")

    @contextlib.contextmanager
    def dataset(self) -> Iterator[Dataset]:
        """The tables as they will be, seen from within the transaction; nothing can be added meanwhile."""
        from wrkparse.dataset import Dataset

        with self._alone(), ddl.completed(self._connection):
            yield Dataset(lambda: contextlib.nullcontext(self._connection))

    def judge(self, verdicts: pa.Table) -> None:
        """Put the audit's columns (all but ``run``) into `runs`."""
        with self._alone():
            self._connection.register("verdicts", verdicts)
            values = ", ".join(f"{name} = v.{name}" for name in verdicts.column_names if name != "run")
            self._connection.execute(f"UPDATE runs SET {values} FROM verdicts v WHERE runs.run = v.run")
            self._connection.unregister("verdicts")

    def remember(self, state: FileState) -> None:
        """Note that a file was read, in place of what was known of it."""
        self.files[state.source] = state

    def finish(self) -> None:
        """Write down the files and settle the columns of `runs`; `writing` calls it before it commits."""
        with self._alone():
            if self.files != self._known:
                ddl.set_files(self._connection, list(self.files.values()))
            ddl.tidy_runs(self._connection)


@contextlib.contextmanager
def writing(path: Path, *, wait_s: float = 60, waiting: Callable[[str], None] | None = None) -> Iterator[Writer]:
    """Change a store, or make one: all that the block does, or nothing if it raises.

    While another process has the store it waits for up to `wait_s` seconds, after saying so once to `waiting`. Raises
    StoreError.
    """
    path = Path(os.path.realpath(path))
    with explained(path):
        _refuse(path)
    close_idle()
    connection, existed = _patiently(lambda: _open(path), path, wait_s, waiting)
    try:
        with ThreadPoolExecutor(1) as thread:  # what it is at is over in a moment
            with explained(path):
                connection.begin()
                if existed:
                    _check(connection, path)
                ddl.declare(connection, __version__)
                writer = Writer(connection, thread, path, existed=existed)
            yield writer
            writer.finish()
        with explained(path):
            connection.commit()
            if not existed:
                _publish(connection, path)
    except BaseException:
        if not existed:
            with contextlib.suppress(OSError):  # Windows deletes no open file; the next writer will
                _sweep(path)
        raise
    finally:
        connection.close()  # what is not committed is gone with it


def connect(place: str | Path) -> duckdb.DuckDBPyConnection:
    """Open a store, or a directory of Parquet, to read: a connection that has every table and reaches no other file.

    `place` is a path, or the URL of a directory. Times are shown in UTC; rows come in no promised order. Raises
    StoreError.
    """
    if is_url(str(place)):
        with explained_url(str(place)):
            return _connect_lake(remote.at(str(place)))
    path = Path(os.path.realpath(place))
    _refuse_name(path)
    with explained(path):
        if not path.exists():
            raise StoreError(f"{path} does not exist; make it with: wrkparse ingest PATH -o {path.name}")
        if path.is_dir():
            return _connect_lake(path)
    locked = _OFFLINE | {"enable_external_access": False}
    connection = _patiently(lambda: _connect(path, locked, read_only=True), path, READ_WAIT_S, None)
    with _closed_on_error(connection), explained(path):
        connection.execute("SET GLOBAL TimeZone = 'UTC'")
        _check(connection, path)
        ddl.complete(connection)
    return connection


def load(path: str | Path) -> Dataset:
    """Open a store, or a directory of Parquet, as a Dataset. Raises StoreError.

    Its connection is closed a moment after each question, and opened again for the next: others can write meanwhile.
    """
    from wrkparse.dataset import Dataset

    return Dataset(Lender(lambda: connect(path)).lent)


def is_store(place: str | Path) -> bool:
    """Whether it is a store, or a directory or URL of Parquet, rather than logs."""
    if is_url(str(place)):
        with explained_url(str(place)):
            return parquet_store.is_lake(remote.at(str(place)))
    path = Path(place)
    if path.is_dir():
        return parquet_store.is_lake(path)
    return path.suffix == ".duckdb" or (_start(path) or b"")[8:12] == b"DUCK"


@contextlib.contextmanager
def held(path: str | Path) -> Iterator[Dataset]:
    """As `load`, but the store stays open while the block lasts: faster, and nobody writes meanwhile."""
    from wrkparse.dataset import Dataset

    with connect(path) as connection:
        yield Dataset(lambda: contextlib.nullcontext(connection))


def _connect_lake(root: Path | UPath) -> duckdb.DuckDBPyConnection:
    try:
        return parquet_store.connect(root, _OFFLINE)
    except parquet_store.NoLakeError:
        message = f"{root} is no store: it has neither runs.parquet nor runs/*.parquet; name another one"
        raise StoreError(message) from None


@contextlib.contextmanager
def _closed_on_error(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    try:
        yield
    except BaseException:
        connection.close()
        raise


def _partial(path: Path) -> Path:
    return path.with_name(f".{path.name}.partial")


def _wal(path: Path) -> Path:
    return path.with_name(f"{path.name}.wal")


def _refuse(path: Path) -> None:
    """Raise StoreError where no store can be, before DuckDB tries."""
    _refuse_name(path)
    if not path.parent.is_dir():
        raise StoreError(f"{path}: the directory {path.parent} does not exist; make it, or give another name with -o")
    if path.is_dir():
        raise StoreError(f"{path} is a directory, and a store is written as a file; give another name with -o")
    if path.exists() and not path.is_file():
        raise StoreError(f"{path} is a device or a pipe, not a file; give another name with -o")


def _refuse_name(path: Path) -> None:
    if str(path) != legible(str(path)):
        raise StoreError(f"{legible(str(path))}: DuckDB opens no path that is not UTF-8; give another name")


def _patiently(attempt: Callable[[], T], path: Path, wait_s: float, waiting: Callable[[str], None] | None) -> T:
    """Try until nobody else has the file, or the time is up: StoreError."""
    deadline = time.monotonic() + wait_s
    while True:
        try:
            return attempt()
        except BusyError as busy:
            if time.monotonic() >= deadline:
                late = f"{path} is still in use by {busy} after {wait_s:g} s"
                raise StoreError(f"{late}; close it there, or try again when that is done") from None
            if waiting is not None:
                waiting(f"{path} is in use by {busy}; waiting for up to {wait_s:g} s")
                waiting = None
        time.sleep(_POLL_S)


def _open(path: Path) -> tuple[duckdb.DuckDBPyConnection, bool]:
    """Open a store to write: the connection, and whether it was there. Raises BusyError, StoreError."""
    # Within a process DuckDB shares a file among connections of equal settings; a setting of its own keeps it to one.
    own = _OFFLINE | _FRUGAL | {"custom_user_agent": uuid.uuid4().hex, "storage_compatibility_version": STORAGE_VERSION}
    with explained(path), _alone_in(path.parent):
        if path.exists():
            return _connect(path, own), True
        if _wal(path).exists():
            raise StoreError(f"{_wal(path)} is left of a store that is gone; delete it, or give another name with -o")
        if _partial(path).exists():
            with contextlib.suppress(StoreError):  # cut short in its first bytes: not a database yet
                _connect(_partial(path), _OFFLINE, read_only=True).close()  # a living writer has it locked
        _sweep(path)
        try:
            return _connect(_partial(path), own), False
        except StoreError:
            _sweep(path)
            raise


def _sweep(path: Path) -> None:
    """Delete what is left of a new store that did not come to its name."""
    _wal(_partial(path)).unlink(missing_ok=True)
    _partial(path).unlink(missing_ok=True)


@contextlib.contextmanager
def _alone_in(directory: Path) -> Iterator[None]:
    """Keep other writers from making, sweeping or naming a new store here for a moment.

    Without it two writers could find the same left-over free, and one would delete what the other has begun.
    """
    if sys.platform == "win32":  # there an open file can be neither deleted nor renamed
        yield
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some network file systems can't lock a directory
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _publish(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Give a complete new store its name, while its lock still keeps others off."""
    connection.execute("CHECKPOINT")  # all of it is in the one file, nothing in the log
    with _alone_in(path.parent):
        if path.exists():
            raise StoreError(f"{path} was made by another meanwhile and is left alone; give another name with -o")
        if sys.platform == "win32":
            connection.close()
        _partial(path).replace(path)


def _connect(path: Path, config: dict[str, str | bool], *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    with explained(path):
        try:
            return duckdb.connect(str(path), read_only=read_only, config=dict(config))
        except duckdb.Error as problem:
            if holder(str(problem)) is None and (start := _start(path)) is not None and start[8:12] != b"DUCK":
                begins = f"it begins with {start!r}" if start else "it is empty"
                raise StoreError(f"{path} is not a wrkparse store: {begins}; give another name") from None
            raise


def _start(path: Path) -> bytes | None:
    """The first bytes of a file that DuckDB has not opened: closing it can't cost a lock."""
    try:
        with path.open("rb") as file:
            return file.read(24)
    except OSError:
        return None


def _check(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Raise StoreError unless the file is a store that this version can use."""
    meta: dict[str, str] = {}
    if ddl.present(connection).get("meta") == ["key", "value"]:
        meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    version = str(meta.get("schema_version"))
    if not version.isdecimal() or "wrkparse_version" not in meta:
        raise StoreError(f"{path} is a DuckDB file, but not a wrkparse store; give another name")
    if int(version) > SCHEMA_VERSION:
        made = f"{path} was made by wrkparse {meta['wrkparse_version']} (schema {version})"
        this = f"this is {__version__} (schema {SCHEMA_VERSION})"
        raise StoreError(f"{made}, {this}; update wrkparse, or give another name")
