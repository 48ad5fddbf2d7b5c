"""Writes to a store: one transaction, by one process at a time.

A killed writer or a full disk leaves the store as it was before or as it would have become. DuckDB logs the transaction
on an existing store beside the file (``NAME.wal``). A new store is written as ``.NAME.partial`` and renamed when it is
complete. DuckDB's lock on the file keeps out other writers, and also readers during a write. On POSIX a process loses
this lock when it closes any other descriptor of the file, so nothing may open a store during a write.
"""

from __future__ import annotations

import contextlib
import os
import sys
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from wrkparse._version import __version__
from wrkparse.context.slots.places import FRAMEWORK
from wrkparse.context.structure.structure import ORIGIN as STRUCTURE
from wrkparse.dataset.queries.sql import sql_name
from wrkparse.store import ddl
from wrkparse.store.atomic_file import move_into_place
from wrkparse.store.connections import close_idle
from wrkparse.store.duckdb_file import OFFLINE, check_name, check_version, connect_file, real_path, retry_while_busy
from wrkparse.store.errors import StoreError, store_errors
from wrkparse.store.parquet_store import IngestedFile
from wrkparse.tools.schema import columns, run_schema, schema

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset
    from wrkparse.model.records import Diagnostic
    from wrkparse.parse.checkpoint import Tail

# DuckDB 1.4 and later read this format. Its files are as small as those of 2.0, and are written faster.
STORAGE_VERSION = "v1.4.0"
# The memory limit makes DuckDB spill a big transaction to disk. Two threads would each write half-full row groups and
# then merge them; in measurements, that took twice the time and twice the space.
_WRITE_LIMITS: dict[str, str | bool] = {"memory_limit": "200MB", "threads": "1"}


class StoreWriter:
    """An open transaction on a store, made by `open_writer`. Methods raise StoreError.

    A thread inserts rows while the caller parses the next ones.
    """

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, thread: ThreadPoolExecutor, path: Path, *, existed: bool
    ) -> None:
        self._connection, self._thread, self._path = connection, thread, path
        self._columns = ddl.create_tables(connection, __version__, existed=existed)
        # False until rows are added: a new store has nothing to delete.
        self._has_rows = existed
        rows = connection.execute(f"SELECT {', '.join(IngestedFile._fields)} FROM files").fetchall()
        self.existed = existed
        self.files: dict[str, IngestedFile] = {row[0]: IngestedFile._make(row) for row in rows}
        self._stored_files = dict(self.files)
        self._appending: Future[None] | None = None

    def delete_sources(self, sources: Iterable[str]) -> None:
        """Delete all rows of these sources. A call may scan every table, so pass all sources in one call."""
        deleted = list(sources)
        if deleted and self._has_rows:
            with self._after_append():
                self._delete(deleted)
        for source in deleted:
            self.files.pop(source, None)

    def _delete(self, deleted: list[str]) -> None:
        """Delete all rows of these sources from the tables that have such rows."""
        run = self._connection.execute
        of_source = [name for name in columns() if "source" in schema(name).names]
        run("CREATE OR REPLACE TEMP TABLE deleted AS SELECT unnest(?::VARCHAR[]) AS source", [deleted])
        run("CREATE OR REPLACE TEMP TABLE deleted_runs AS SELECT run FROM runs WHERE source IN (FROM deleted)")
        # EXISTS ends at the first row; DELETE would scan and rewrite tables without such rows, too.
        has_rows = ", ".join(f"EXISTS (FROM {sql_name(name)} WHERE source IN (FROM deleted))" for name in of_source)
        [found] = run(f"SELECT {has_rows}").fetchall()
        present = set(compress(of_source, found))
        for name in columns():
            if name in present:
                run(f"DELETE FROM {sql_name(name)} WHERE source IN (FROM deleted)")
            elif "runs" in present and name not in of_source:
                run(f"DELETE FROM {sql_name(name)} WHERE run IN (FROM deleted_runs)")

    def delete_tail(self, source: str, tail: Tail) -> None:
        """Delete the rows from the end of a file before more of it is read (`wrkparse.parse.checkpoint.Tail`)."""
        from wrkparse.dataset import Dataset

        with self._after_append():
            run = self._connection.execute
            run("DELETE FROM sources WHERE source = ?", [source])
            for name in ("runs", "labels", "measurements", "texts"):
                run(f"DELETE FROM {name} WHERE run IN (SELECT unnest(?::VARCHAR[]))", [[*tail.reports, *tail.traces]])
            for name in Dataset.event_tables():
                run(f"DELETE FROM {sql_name(name)} WHERE run IN (SELECT unnest(?::VARCHAR[]))", [tail.reports])
            for name, of_run, lines in tail.events:
                run(
                    f"DELETE FROM {sql_name(name)} WHERE run = ? AND line IN (SELECT unnest(?::BIGINT[]))",
                    [of_run, lines],
                )
            for diagnostic in tail.diagnostics:
                is_same = "line IS NOT DISTINCT FROM ? AND code = ? AND message = ?"  # the line may be NULL
                run(f"DELETE FROM diagnostics WHERE source = ? AND {is_same}", [source, *diagnostic])

    def delete_events(self, runs: Collection[str]) -> None:
        """Delete the events of runs that could not be stored themselves."""
        from wrkparse.dataset import Dataset

        for name in Dataset.event_tables() if runs else ():
            with self._after_append():
                of_run = "run IN (SELECT unnest(?::VARCHAR[]))"
                self._connection.execute(f"DELETE FROM {sql_name(name)} WHERE {of_run}", [list(runs)])

    def sources_with_runs(self, sources: Iterable[str]) -> set[str]:
        """The sources of this list that have runs in the store."""
        with self._after_append():
            in_sources = "source IN (SELECT unnest(?::VARCHAR[]))"
            rows = self._connection.execute(f"SELECT DISTINCT source FROM runs WHERE {in_sources}", [list(sources)])
            return {source for (source,) in rows.fetchall()}

    def append(self, tables: Mapping[str, pa.Table]) -> None:
        """Add rows; a table may lack columns of the store, and `runs` may have new label columns.

        Returns when the rows of the previous call are written. Errors of this call are raised by the next method call.
        """
        self._has_rows = True
        with self._after_append():
            self._appending = self._thread.submit(self._append, tables)

    def _append(self, tables: Mapping[str, pa.Table]) -> None:
        for name, table in tables.items():
            if table.num_rows:
                self._insert(name, table)

    @contextlib.contextmanager
    def _after_append(self) -> Iterator[None]:
        """Wait for the thread, so that only the caller uses the connection."""
        appending, self._appending = self._appending, None
        with store_errors(self._path):
            if appending:
                appending.result()
            yield

    def _insert(self, name: str, table: pa.Table) -> None:
        # DuckDB finds the local variable by its name. A registered table would stay in memory until the commit.
        incoming = ddl.without_empty_columns(name, table)
        column_names = self._columns.setdefault(name, set())
        ddl.add_columns(self._connection, name, (field for field in incoming.schema if field.name not in column_names))
        column_names.update(incoming.column_names)
        self._connection.execute(f"INSERT INTO {sql_name(name)} BY NAME FROM incoming")

    @contextlib.contextmanager
    def dataset(self) -> Iterator[Dataset]:
        """The tables as this transaction sees them. Nothing may be added while the block runs."""
        from wrkparse.dataset import Dataset

        with self._after_append(), ddl.views_for_missing_columns(self._connection) as connection:
            yield Dataset(lambda: contextlib.nullcontext(connection), all_tables=True)

    def set_verdicts(self, verdicts: pa.Table) -> None:
        """Write the audit's columns (all but ``run``) into `runs`."""
        with self._after_append():
            self._connection.register("verdicts", verdicts)
            values = ", ".join(f"{name} = v.{name}" for name in verdicts.column_names if name != "run")
            self._connection.execute(f"UPDATE runs SET {values} FROM verdicts v WHERE runs.run = v.run")
            self._connection.unregister("verdicts")

    def set_labels(self, runs: list[str], rows: pa.Table, values: Mapping[str, Mapping[str, str | None]]) -> None:
        """Replace all labels of these runs by `rows`, and the `values` of runs in the columns of their keys."""
        if not runs:
            return
        wanted = run_schema(set(values))
        with self._after_append():
            run = self._connection.execute
            run("DELETE FROM labels WHERE run IN (SELECT unnest(?::VARCHAR[]))", [runs])
            run("INSERT INTO labels BY NAME FROM rows")
            known = self._columns["runs"]
            ddl.add_columns(self._connection, "runs", (wanted.field(key) for key in values if key not in known))
            known.update(values)
            for key, of_runs in values.items():
                given = pa.table({"run": list(of_runs), "value": pa.array(of_runs.values(), pa.string())})
                self._connection.register("given", given)
                value = f"CAST(given.value AS {ddl.SQL_TYPES[wanted.field(key).type]})"
                run(f"UPDATE runs SET {sql_name(key)} = {value} FROM given WHERE runs.run = given.run")
                self._connection.unregister("given")

    def delete_diagnostics_of(self, sources: Collection[str], codes: Collection[str]) -> None:
        """Delete the diagnostics of these sources with these codes."""
        with self._after_append():
            in_lists = "source IN (SELECT unnest(?::VARCHAR[])) AND code IN (SELECT unnest(?::VARCHAR[]))"
            self._connection.execute(f"DELETE FROM diagnostics WHERE {in_lists}", [list(sources), list(codes)])

    def delete_diagnostics(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Delete diagnostics that no longer apply."""
        with self._after_append():
            for diagnostic in diagnostics:
                is_same = "source = ? AND line IS NOT DISTINCT FROM ? AND code = ? AND message = ?"
                self._connection.execute(
                    f"DELETE FROM diagnostics WHERE {is_same}",
                    [diagnostic.source, diagnostic.line, diagnostic.code, diagnostic.message],
                )

    def set_structure(self, rows: pa.Table, stored: pa.Table, overruled: pa.Table) -> None:
        """Replace the labels of origin ``structure``: `stored` by `rows`, both with the columns of `labels`.

        Only the rows that differ are written. `overruled` has the frameworks from other origins, as ``run`` and
        ``value``: a framework is used again if the row that overruled it is removed.
        """
        added, removed = _labels_besides(rows, stored), _labels_besides(stored, rows)
        with self._after_append():
            run = self._connection.execute
            # DuckDB finds the local variables `removed` and `added` by their names.
            for key in sorted(set(removed["key"].to_pylist())):
                of_key = "run IN (SELECT run FROM removed WHERE key = ?)"
                run(f"UPDATE runs SET {sql_name(key)} = NULL WHERE {of_key}", [key])
                run(f"DELETE FROM labels WHERE origin = ? AND key = ? AND {of_key}", [STRUCTURE, key, key])
                if key == FRAMEWORK:
                    self._restore(removed, overruled)
            if not added.num_rows:
                return
            run("INSERT INTO labels BY NAME FROM added")
            known, keys = self._columns["runs"], sorted(set(added["key"].to_pylist()))
            wanted = run_schema(set(keys))
            ddl.add_columns(self._connection, "runs", (wanted.field(key) for key in keys if key not in known))
            known.update(keys)
            for key in keys:
                value = f"CAST(l.value AS {ddl.SQL_TYPES[wanted.field(key).type]})"
                of_run = "runs.run = l.run AND l.key = ?"
                run(f"UPDATE runs SET {sql_name(key)} = {value} FROM added l WHERE {of_run}", [key])
            # Of all keys, structure overrules only frameworks: see `siblings` in wrkparse.context.structure.factors.
            weaker = "labels.run = l.run AND labels.key = ? AND l.key = labels.key AND labels.origin <> ?"
            run(f"UPDATE labels SET overruled = true FROM added l WHERE {weaker}", [FRAMEWORK, STRUCTURE])

    def _restore(self, removed: pa.Table, overruled: pa.Table) -> None:
        """Use again the frameworks that removed labels from structure had overruled."""
        wanted = removed.filter(pc.equal(removed["key"], FRAMEWORK))["run"].combine_chunks()
        restored = overruled.filter(pc.is_in(overruled["run"], wanted))
        self._connection.register("restored", restored)
        run = self._connection.execute
        run("UPDATE runs SET framework = r.value FROM restored r WHERE runs.run = r.run")
        of_run = "labels.run = r.run AND labels.key = ?"
        run(f"UPDATE labels SET overruled = labels.value <> r.value FROM restored r WHERE {of_run}", [FRAMEWORK])
        self._connection.unregister("restored")

    def kept_rows(self) -> list[tuple[str, str | None, str | None]]:
        """The rows of the table `kept` (`wrkparse.store.kept`)."""
        with self._after_append():
            if not ddl.existing_columns(self._connection, "kept"):
                return []
            return self._connection.execute("SELECT store, source, tail FROM kept ORDER BY ALL").fetchall()

    def replace_kept(self, rows: Iterable[tuple[str, str | None, str | None]]) -> None:
        """Replace the rows of the table `kept`."""
        with self._after_append():
            declared = "store VARCHAR, source VARCHAR, tail VARCHAR"
            self._connection.execute(f"CREATE OR REPLACE TABLE kept ({declared})")
            for row in rows:
                self._connection.execute("INSERT INTO kept VALUES (?, ?, ?)", row)

    def record_file(self, file: IngestedFile) -> None:
        """Record that a file was read; replaces an earlier record."""
        self.files[file.source] = file

    def forget_file(self, source: str) -> None:
        """Record that a file could not be read to its end, so that the next ingest reads it from its beginning."""
        self.files.pop(source, None)

    def finish(self) -> None:
        """Write the table of files and drop unused columns of `runs`; `open_writer` calls it before the commit."""
        with self._after_append():
            if self.files != self._stored_files:
                ddl.replace_files(self._connection, list(self.files.values()))
            ddl.drop_unused_labels(self._connection)


def _labels_besides(labels: pa.Table, others: pa.Table) -> pa.Table:
    """The labels that differ from all `others` in run, key, value or text."""
    names = ("run", "key", "value", "text")
    known = set(zip(*(others[name].to_pylist() for name in names), strict=True))
    own = zip(*(labels[name].to_pylist() for name in names), strict=True)
    return labels.filter(pa.array([label not in known for label in own], pa.bool_()))


@contextlib.contextmanager
def open_writer(
    path: Path, *, wait_s: float = 60, waiting: Callable[[str], None] | None = None,
    is_given_up: Callable[[], bool] = bool,
) -> Iterator[StoreWriter]:  # fmt: skip
    """Change a store, or create one. Commits the changes of the block, or none of them if it raises.

    Waits up to `wait_s` seconds, unless `is_given_up`, while another process has the store; `waiting` gets one message
    when that begins. Raises StoreError.
    """
    path = real_path(path)
    with store_errors(path):
        _check_path(path)
    # an idle connection of this process would keep the writer out, too
    close_idle()
    connection, existed = retry_while_busy(lambda: _open(path), path, wait_s, waiting, is_given_up)
    try:
        # One thread: inserts keep their order, and DuckDB's connection is not for several threads.
        with ThreadPoolExecutor(1) as thread:  # waits for the last insert, also when the block raises
            with store_errors(path):
                connection.begin()
                if existed:
                    check_version(connection, path)
                writer = StoreWriter(connection, thread, path, existed=existed)
            yield writer
            # before the thread ends: `finish` waits for the last insert and raises its error
            writer.finish()
        # DuckDB may have logged the transaction, and then fail to move it from the log into the file.
        with store_errors(path, "the store is whole, with these rows or without" if existed else "nothing was changed"):
            connection.commit()
            if not existed:
                _publish(connection, path)
    except BaseException:
        if not existed:
            with contextlib.suppress(OSError):  # Windows can't delete an open file; the next writer will
                delete_unpublished(path)
        raise
    finally:
        connection.close()  # rolls back what is not committed


def _partial(path: Path) -> Path:
    return path.with_name(f".{path.name}.partial")


def _wal(path: Path) -> Path:
    return path.with_name(f"{path.name}.wal")


def _check_path(path: Path) -> None:
    """Raise StoreError if no store can be written there, before DuckDB tries."""
    check_name(path)
    if not path.parent.is_dir():
        raise StoreError(f"{path}: the directory {path.parent} does not exist; make it, or give another name with -o")
    if path.is_dir():
        raise StoreError(f"{path} is a directory, and a store is written as a file; give another name with -o")
    if path.exists() and not path.is_file():
        raise StoreError(f"{path} is a device or a pipe, not a file; give another name with -o")


def _open(path: Path) -> tuple[duckdb.DuckDBPyConnection, bool]:
    """Open a store to write: the connection, and whether the store existed. Raises BusyError, StoreError."""
    # Within a process, connections with equal settings share a file; a unique user agent keeps this one exclusive.
    unique = {"custom_user_agent": uuid.uuid4().hex, "storage_compatibility_version": STORAGE_VERSION}
    config = OFFLINE | _WRITE_LIMITS | unique
    with store_errors(path), _directory_lock(path.parent):
        if path.exists():
            return connect_file(path, config), True
        if _wal(path).exists():
            raise StoreError(f"{_wal(path)} is left of a store that is gone; delete it, or give another name with -o")
        if _partial(path).exists():
            # Raises BusyError if a writer is at work on it. StoreError: writing it ended before it was a database.
            with contextlib.suppress(StoreError):
                connect_file(_partial(path), OFFLINE, read_only=True).close()
        delete_unpublished(path)
        try:
            return connect_file(_partial(path), config), False
        except StoreError:
            delete_unpublished(path)
            raise


def delete_unpublished(path: Path) -> None:
    """Delete what is left of a new store that was never complete."""
    _wal(_partial(path)).unlink(missing_ok=True)
    _partial(path).unlink(missing_ok=True)


@contextlib.contextmanager
def _directory_lock(directory: Path) -> Iterator[None]:
    """While the block runs, no other writer creates, deletes or renames a new store in this directory.

    Without the lock, two writers could both find an abandoned partial file, and one would delete the file that the
    other has begun.
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
    """Rename a complete new store, while DuckDB's lock on it still keeps others out."""
    connection.execute("CHECKPOINT")  # moves everything from the log into the file
    with _directory_lock(path.parent):
        if path.exists():
            raise StoreError(f"another process made {path} meanwhile; it is unchanged, so give another name with -o")
        # An open file can't be renamed there.
        if sys.platform == "win32":
            connection.close()
        move_into_place(_partial(path), path)
