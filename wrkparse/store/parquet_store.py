"""A store of many parts: a directory of Parquet, here or in a bucket, that many machines write at once.

``TABLE/PART-0.parquet``, ``TABLE/PART-1.parquet`` … hold the rows that came of one job, and ``files/PART.parquet``,
written last, which files it has read: a part without it does not count. A part that takes another's place is named
``files/PART~OLD.parquet``, so that one listing says which parts are in force. Every file appears whole, is never
changed, and its name follows from what was read: a job that is done twice writes the same twice. The audit's verdicts
on all runs are in ``verdicts.parquet``.

A directory without ``files/`` is read as it is: ``runs.parquet`` or ``runs/*.parquet``, and so on.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import duckdb
import pyarrow as pa

from wrkparse.dataset.sql import sql_name, sql_string
from wrkparse.source import remote
from wrkparse.store import ddl
from wrkparse.tools.schema import columns, run_schema, schema

if TYPE_CHECKING:
    from upath import UPath

    Root = Path | UPath

FILES = "files"
VERDICTS = "verdicts.parquet"
_SUFFIX = ".parquet"
_IN_PLACE_OF = "~"
_AT_ONCE = 16  # requests, when many small files are read


class NoTablesError(Exception):
    """A directory that holds no tables."""


class IngestedFile(NamedTuple):
    """What is remembered of a file that was read, to tell whether it has changed.

    ``source`` is its name in the tables, ``origin`` its absolute path (None: standard input), ``size`` in bytes,
    ``digest`` that of the stored bytes, ``settings`` whatever else its rows depend on, ``resume`` how to go on when it
    has grown (`wrkparse.parse.checkpoint`; None: from its beginning).
    """

    source: str
    origin: str | None
    size: int
    mtime_ns: int | None
    digest: str
    settings: str
    resume: bytes | None = None


_KINDS = {"size": pa.int64(), "mtime_ns": pa.int64(), "resume": pa.binary()}
_FILE_SCHEMA = pa.schema([(name, _KINDS.get(name, pa.string())) for name in IngestedFile._fields])


def is_parquet_store(root: Root) -> bool:
    """Whether there are runs, in force or not."""
    return any(name in ("runs.parquet", f"runs/{name.rpartition('/')[2]}") for name in _names(root))


def active_parts(root: Root) -> dict[str, str]:
    """The parts in force, each with the name of its list of files."""
    return _active(_names(root))


def _active(names: Iterable[str]) -> dict[str, str]:
    chains = {name: _chain(name) for name in names if name.startswith(f"{FILES}/")}
    replaced = {old for _, *olds in chains.values() for old in olds}
    return {part: name for name, (part, *_) in chains.items() if part not in replaced}


def _chain(name: str) -> list[str]:
    """The part that a list of files puts in force, and the one that it replaces."""
    return name.removeprefix(f"{FILES}/").removesuffix(_SUFFIX).split(_IN_PLACE_OF)


def _names(root: Root) -> list[str]:
    """All Parquet files of the directory, relative to it, two levels deep at most."""
    if isinstance(root, Path):
        found = [*root.glob(f"*{_SUFFIX}"), *root.glob(f"*/*{_SUFFIX}")]
        return sorted(path.relative_to(root).as_posix() for path in found if not path.name.startswith("."))
    return [file.name for file in remote.list_files(root) if file.name.endswith(_SUFFIX)]


class PartWriter:
    """One job's share of the store while it is being written."""

    def __init__(self, root: Root, name: str, replaces: Sequence[str] = ()) -> None:
        self.root, self.name = root, name
        self._replaces = replaces
        self._written = 0

    def append(self, tables: Mapping[str, pa.Table]) -> None:
        """Write rows of some tables, as files of their own."""
        for table, rows in tables.items():
            if rows.num_rows:
                write_table(
                    self.root / table / f"{self.name}-{self._written}{_SUFFIX}", ddl.without_empty_columns(table, rows)
                )
        self._written += 1

    def finish(self, states: Iterable[IngestedFile]) -> None:
        """Put the part in force."""
        name = _IN_PLACE_OF.join([self.name, *self._replaces])
        write_table(self.root / FILES / f"{name}{_SUFFIX}", _table_of(states))


def _table_of(states: Iterable[IngestedFile]) -> pa.Table:
    return pa.Table.from_pylist([state._asdict() for state in states], _FILE_SCHEMA)


def write_table(path: Root, rows: pa.Table) -> None:
    """Write a Parquet file, whole or not at all; an object store does that of itself. Raises OSError."""
    from pyarrow import parquet

    sink = pa.BufferOutputStream()
    parquet.write_table(rows, sink, compression="zstd")
    data = sink.getvalue()
    with remote.uniform_errors(path):
        if not isinstance(path, Path):
            path.write_bytes(data)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
        try:
            partial.write_bytes(data)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)


def delete_replaced_parts(root: Root) -> None:
    """Delete parts that others have replaced: their lists of files last, so that a rest of one stays known as such."""
    names = _names(root)
    live = _active(names)
    lists = {_chain(name)[0]: name for name in names if name.startswith(f"{FILES}/")}
    dead = {part: name for part, name in lists.items() if part not in live}
    with remote.uniform_errors(root):
        for name in (name for name in names if not name.startswith(f"{FILES}/") and _part_of(name) in dead):
            (root / name).unlink(missing_ok=True)
        for name in dead.values():
            (root / name).unlink(missing_ok=True)


def read_part(root: Root, part: str) -> dict[str, pa.Table]:
    """A part's rows, by table."""
    found: dict[str, list[pa.Table]] = {}
    for name in _names(root):
        if _part_of(name) == part and not name.startswith(f"{FILES}/"):
            found.setdefault(name.partition("/")[0], []).append(_get(root / name))
    return {table: pa.concat_tables(some, promote_options="default") for table, some in found.items()}


def _get(path: Root) -> pa.Table:
    from pyarrow import parquet

    with remote.uniform_errors(path):
        return parquet.read_table(pa.BufferReader(path.read_bytes()))


def _part_of(name: str) -> str:
    """Which part a table's file belongs to: ``runs/3f2a-0.parquet`` to ``3f2a``."""
    return name.rpartition("/")[2].removesuffix(_SUFFIX).rpartition("-")[0]


def ingested_files(root: Root) -> dict[str, tuple[str, IngestedFile]]:
    """What the parts in force have read: by source, the part and what is remembered of the file."""
    live = active_parts(root)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        lists = pool.map(lambda name: _get(root / name).to_pylist(), live.values())
        return {
            row["source"]: (part, IngestedFile(**row)) for part, rows in zip(live, lists, strict=True) for row in rows
        }


def connect(root: Root, config: Mapping[str, str | bool]) -> duckdb.DuckDBPyConnection:
    """A connection that has a view of every table and reaches no other directory. Raises NoTablesError, OSError."""
    names = _names(root)
    live = _active(names) if any(name.startswith(f"{FILES}/") for name in names) else None
    own = {table: list(_table_files(table, names, live)) for table in columns()}
    if not own["runs"] and not live:
        raise NoTablesError
    connection = duckdb.connect(config=dict(config))
    try:
        _confine(connection, root)
        ddl.create_views(connection, {table: _read(root, of_table) for table, of_table in own.items() if of_table})
        if VERDICTS in names and live is not None:
            _judge(connection, _read(root, [VERDICTS]))
        if live is not None:
            ddl.replace_view(connection, "studies", "SELECT DISTINCT *")  # each part tells its own
    except BaseException:
        connection.close()
        raise
    return connection


def _table_files(table: str, names: Iterable[str], live: Mapping[str, str] | None) -> Iterator[str]:
    for name in names:
        folder, _, file = name.rpartition("/")
        alone = not folder and file == f"{table}{_SUFFIX}"
        if (alone or folder == table) if live is None else (folder == table and _part_of(name) in live):
            yield name


def _confine(connection: duckdb.DuckDBPyConnection, root: Root) -> None:
    allowed = [str(root), glob.escape(str(root))]
    if not isinstance(root, Path):
        connection.register_filesystem(root.fs)
        allowed = [f"{str(root).rstrip('/')}/"]
    connection.execute(f"SET allowed_directories = [{', '.join(map(sql_string, allowed))}]")
    connection.execute("SET enable_external_access = false; SET GLOBAL TimeZone = 'UTC'")


def _read(root: Root, names: Iterable[str]) -> str:
    """Parquet files as SQL; DuckDB takes [, * and ? in a path for a pattern."""
    listed = ", ".join(sql_string(glob.escape(str(root / name))) for name in names)
    return f"read_parquet([{listed}], union_by_name = true)"


def _judge(connection: duckdb.DuckDBPyConnection, verdicts: str) -> None:
    """Show each run with its verdict."""
    own = {"verdict", "valid", "invalid_reason"}
    labels = {row[0] for row in connection.execute("DESCRIBE runs").fetchall()} - set(schema("runs").names)
    names = run_schema(labels).names
    picked = ", ".join(f"{'v' if name in own else 'r'}.{sql_name(name)}" for name in names)
    ddl.replace_view(connection, "runs", f"SELECT {picked}", f"r LEFT JOIN {verdicts} v ON r.run = v.run")
