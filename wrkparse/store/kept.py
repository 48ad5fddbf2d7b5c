"""Keeps rows while another process has the store: in a kept store beside it, which the next ingest takes in.

The name of a kept store contains the number of the process that writes it. Its table `kept` says for which store and
source the rows are, and what they replace there. The store that takes them in notes the name in its own table `kept`,
in the same transaction. So the rows are taken in once, even if the process is killed before it deletes the file.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import re
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import duckdb
import pyarrow as pa

from wrkparse.dataset.queries.sql import sql_name
from wrkparse.parse.checkpoint import Tail
from wrkparse.store import ddl
from wrkparse.store.atomic_file import is_alive
from wrkparse.store.duckdb_file import OFFLINE, connect_file
from wrkparse.store.duckdb_store import connect
from wrkparse.store.errors import BusyError, StoreError, store_errors
from wrkparse.store.parquet_store import IngestedFile
from wrkparse.store.writer import StoreWriter, delete_unpublished
from wrkparse.tools.schema import columns, run_schema, schema

# The end of a name: the process, and a random number: "-4711-0f3a9c1e.duckdb".
_END = re.compile(r"-([0-9]{1,9})-[0-9a-f]{8}\.duckdb")
_ROWS = 122_880  # rows that are read at once: the size of DuckDB's row groups


class TakenStore(NamedTuple):
    """A kept store whose rows were taken in, to be deleted after the commit.

    ``rows`` is 0 if an earlier ingest took them in. ``replaced`` says whether they replaced all rows of the source.
    """

    path: Path
    source: str
    rows: int
    replaced: bool


def kept_path(store: Path) -> Path:
    """A new path for a kept store of this process."""
    return store.with_name(f"{store.stem}-{os.getpid()}-{secrets.token_hex(4)}.duckdb")


def note_kept(writer: StoreWriter, store: Path, source: str, tail: Tail | None) -> None:
    """Write into a kept store for which store and source its rows are.

    They replace the rows in `tail`, or all rows of the source if that is None.
    """
    replaced = None if tail is None else json.dumps(dataclasses.asdict(tail))
    writer.replace_kept([(store.name, source, replaced)])


def kept_beside(store: Path) -> list[Path]:
    """The kept stores beside a store whose processes have ended; they are recognised by their names."""
    found = []
    for path in sorted(store.parent.glob(f"{_escaped(store.stem)}-*.duckdb")):
        match = _END.fullmatch(path.name.removeprefix(store.stem))
        if match and not is_alive(int(match[1])):
            found.append(path)
    return found


def _escaped(name: str) -> str:
    return re.sub(r"([*?[])", r"[\1]", name)


def take_in_kept_stores(writer: StoreWriter, store: Path) -> list[TakenStore]:
    """Take in the kept stores of processes that have ended. Call `delete_taken` after the commit."""
    _delete_unfinished(store)
    noted = {name for name, *_ in writer.kept_rows()}
    kept_stores = kept_beside(store)
    # noted, and still there: an ingest was killed between its commit and the deletion
    before = [TakenStore(path, "", 0, False) for path in kept_stores if path.name in noted]
    now = [taken for path in kept_stores if path.name not in noted and (taken := take_in(writer, store, path))]
    return before + now


def _delete_unfinished(store: Path) -> None:
    """Delete kept stores that were never complete: nothing was committed to them."""
    for path in store.parent.glob(f".{_escaped(store.stem)}-*.duckdb.partial"):
        name = path.name.removeprefix(".").removesuffix(".partial")
        if (match := _END.fullmatch(name.removeprefix(store.stem))) and not is_alive(int(match[1])):
            with contextlib.suppress(OSError):
                delete_unpublished(store.with_name(name))


def take_in(writer: StoreWriter, store: Path, path: Path) -> TakenStore | None:
    """Add the rows of a kept store to its store.

    Returns None, and changes nothing, if it can't be opened or belongs to another store. Raises StoreError if it is
    damaged.
    """
    try:
        connection = _opened(path, store)
    except (BusyError, StoreError):
        return None
    if connection is None:
        return None
    with contextlib.closing(connection), store_errors(path):
        [(_, source, tail)] = connection.execute("SELECT store, source, tail FROM kept").fetchall()
        replaced = tail is None and source in writer.files
        if tail is None:
            writer.delete_sources([source])
        else:
            writer.delete_tail(source, _tail(tail))
        rows = 0
        for name, table in _tables(connection):
            # A study is replaced as a whole: the store may have it from an earlier ingest.
            if name == "studies":
                writer.delete_sources(table["source"].to_pylist())
            writer.append({name: table})
            rows += table.num_rows
        files = connection.execute(f"SELECT {', '.join(IngestedFile._fields)} FROM files").fetchall()
    for row in files:
        writer.record_file(IngestedFile._make(row))
    _note_taken(writer, path)
    return TakenStore(path, source, rows, replaced)


def _opened(path: Path, store: Path) -> duckdb.DuckDBPyConnection | None:
    """A connection to a kept store with every table; None if it belongs to another store."""
    with contextlib.closing(connect_file(path, OFFLINE, read_only=True)) as connection:
        if not ddl.existing_columns(connection, "kept"):
            return None
        if connection.execute("SELECT store FROM kept").fetchall() != [(store.name,)]:
            return None
    return connect(path)


def _tail(text: str) -> Tail:
    values = json.loads(text)
    events = [(table, run, lines) for table, run, lines in values["events"]]
    diagnostics = [(line, code, message) for line, code, message in values["diagnostics"]]
    return Tail(values["reports"], values["traces"], events, diagnostics)


def _tables(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, pa.Table]]:
    """All rows by table, some at a time."""
    for name in columns():
        batches: pa.RecordBatchReader = connection.sql(f"FROM {sql_name(name)}").to_arrow_reader(_ROWS)
        extra = set(batches.schema.names).difference(schema(name).names)
        wanted = run_schema(extra) if name == "runs" else schema(name)
        for batch in batches:
            yield name, pa.Table.from_batches([batch]).select(wanted.names).cast(wanted)


def _note_taken(writer: StoreWriter, path: Path) -> None:
    """Note that a kept store is taken in; the names of deleted ones are dropped."""
    # Only a name whose file is still there could be taken in twice.
    before = [row for row in writer.kept_rows() if path.with_name(row[0]).exists()]
    writer.replace_kept([*before, (path.name, None, None)])


def delete_taken(taken: Iterable[TakenStore]) -> None:
    """Delete kept stores: their rows are committed."""
    for store in taken:
        with contextlib.suppress(OSError):  # the next ingest deletes it
            store.path.with_name(f"{store.path.name}.wal").unlink(missing_ok=True)
            store.path.unlink(missing_ok=True)
