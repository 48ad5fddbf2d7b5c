"""A Parquet store: a directory, local or in a bucket, that several machines write at the same time.

A job writes one part: its rows as ``TABLE/PART-0.parquet``, ``TABLE/PART-1.parquet`` …, and last the list of files that
it has read as ``files/PART.parquet``. A part without this list is ignored. The list of a part that replaces another is
named ``files/PART~OLD.parquet``, so that one directory listing shows which parts are active. Files are written
atomically and never changed. Names of parts depend on what was read: a job that runs twice writes the same files.
``verdicts.parquet`` has the audit's verdicts on all runs, ``structure.parquet`` the labels from their places.

A directory without ``files/`` is read as it is: ``runs.parquet`` or ``runs/*.parquet``, and so on.
"""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import duckdb
import pyarrow as pa

from wrkparse.dataset.queries.sql import sql_name, sql_string
from wrkparse.source import remote
from wrkparse.store import ddl
from wrkparse.store.atomic_file import sweep, write_file
from wrkparse.tools.schema import columns, run_schema, schema

if TYPE_CHECKING:
    from upath import UPath

    Root = Path | UPath

FILES = "files"
VERDICTS = "verdicts.parquet"
STRUCTURE = "structure.parquet"  # labels from the places of all runs (`wrkparse.context.structure.structure`)
_SUFFIX = ".parquet"
_IN_PLACE_OF = "~"
_REQUESTS = 16  # requests at the same time, for many small files


class NoTablesError(Exception):
    """A directory without tables."""


class IngestedFile(NamedTuple):
    """What a store knows about a file that was read: how to see whether it has changed, and how to resume it.

    ``source`` is its name in the tables, ``origin`` its absolute path (None: standard input), ``size`` in bytes,
    ``digest`` of the stored bytes, ``settings`` a digest of everything else that its rows depend on, ``resume`` a
    checkpoint from which to continue when it has grown (`wrkparse.parse.checkpoint`; None: from the beginning).
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
    """Whether a directory contains files of the table `runs`, active or not."""
    return any(name in ("runs.parquet", f"runs/{name.rpartition('/')[2]}") for name in _names(root))


def active_parts(root: Root) -> dict[str, str]:
    """The active parts, each with the name of its list of files."""
    return _active(_names(root))


def _active(names: Iterable[str]) -> dict[str, str]:
    chains = {name: _replacement_chain(name) for name in names if name.startswith(f"{FILES}/")}
    # `files/3f2a~19bc.parquet`: the part 3f2a replaces 19bc, whose list may not be deleted yet.
    replaced = {old for _, *olds in chains.values() for old in olds}
    return {part: name for name, (part, *_) in chains.items() if part not in replaced}


def _replacement_chain(name: str) -> list[str]:
    """The part of a list of files, and the parts that it replaces."""
    return name.removeprefix(f"{FILES}/").removesuffix(_SUFFIX).split(_IN_PLACE_OF)


def _names(root: Root) -> list[str]:
    """All Parquet files of the directory, relative to it, at most two levels deep."""
    if isinstance(root, Path):
        found = [*root.glob(f"*{_SUFFIX}"), *root.glob(f"*/*{_SUFFIX}")]
        return sorted(path.relative_to(root).as_posix() for path in found if not path.name.startswith("."))
    return [file.name for file in remote.list_files(root) if file.name.endswith(_SUFFIX)]


class PartWriter:
    """Writes the part of one job."""

    def __init__(self, root: Root, name: str, replaces: Sequence[str] = ()) -> None:
        self.root, self.name = root, name
        self._replaces = replaces
        self._written = 0

    def append(self, tables: Mapping[str, pa.Table]) -> None:
        """Write rows as new files, one per table."""
        for table, rows in tables.items():
            if rows.num_rows:
                write_parquet_file(
                    self.root / table / f"{self.name}-{self._written}{_SUFFIX}", ddl.without_empty_columns(table, rows)
                )
        self._written += 1

    def finish(self, states: Iterable[IngestedFile]) -> None:
        """Write the list of files, which makes the part active."""
        name = _IN_PLACE_OF.join([self.name, *self._replaces])
        write_parquet_file(self.root / FILES / f"{name}{_SUFFIX}", _table_of(states))


def _table_of(states: Iterable[IngestedFile]) -> pa.Table:
    return pa.Table.from_pylist([state._asdict() for state in states], _FILE_SCHEMA)


def write_parquet_file(path: Root, rows: pa.Table) -> None:
    """Write a Parquet file atomically; an object store always does. Raises OSError."""
    from pyarrow import parquet

    sink = pa.BufferOutputStream()  # in memory first: a bucket takes whole objects, and a file appears at once
    parquet.write_table(rows, sink, compression="zstd")
    data = sink.getvalue()
    with remote.uniform_errors(path):
        if not isinstance(path, Path):
            path.write_bytes(data)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, data)


def delete_replaced_parts(root: Root) -> None:
    """Delete parts that other parts have replaced.

    Their lists are deleted last, so that a later call finds what a failure left.
    """
    names = _names(root)
    live = _active(names)
    lists = {_replacement_chain(name)[0]: name for name in names if name.startswith(f"{FILES}/")}
    replaced_parts = {part: name for part, name in lists.items() if part not in live}
    with remote.uniform_errors(root):
        for name in (name for name in names if not name.startswith(f"{FILES}/") and _part_of(name) in replaced_parts):
            (root / name).unlink(missing_ok=True)
        for name in replaced_parts.values():
            (root / name).unlink(missing_ok=True)
    if isinstance(root, Path):
        for folder in (FILES, *columns()):
            sweep(root / folder, lambda name: name.endswith(_SUFFIX))


def read_part(root: Root, part: str) -> dict[str, pa.Table]:
    """The rows of a part, by table."""
    found: dict[str, list[pa.Table]] = {}
    for name in _names(root):
        if _part_of(name) == part and not name.startswith(f"{FILES}/"):
            found.setdefault(name.partition("/")[0], []).append(_read_file(root / name))
    return {table: pa.concat_tables(some, promote_options="default") for table, some in found.items()}


def _read_file(path: Root) -> pa.Table:
    from pyarrow import parquet

    with remote.uniform_errors(path):
        return parquet.read_table(pa.BufferReader(path.read_bytes()))


def _part_of(name: str) -> str:
    """The part of a table's file: ``3f2a`` of ``runs/3f2a-0.parquet``."""
    return name.rpartition("/")[2].removesuffix(_SUFFIX).rpartition("-")[0]


def ingested_files(root: Root) -> dict[str, tuple[str, IngestedFile]]:
    """The files that active parts have read: by source, the part and the file."""
    live = active_parts(root)
    with ThreadPoolExecutor(_REQUESTS) as pool:  # in a bucket, each list of files takes a round trip
        lists = pool.map(lambda name: _read_file(root / name).to_pylist(), live.values())
        return {
            row["source"]: (part, IngestedFile(**row)) for part, rows in zip(live, lists, strict=True) for row in rows
        }


def connect(root: Root, config: Mapping[str, str | bool]) -> duckdb.DuckDBPyConnection:
    """A connection with a view of every table, which can't access other directories. Raises NoTablesError, OSError."""
    names = _names(root)
    live = _active(names) if any(name.startswith(f"{FILES}/") for name in names) else None
    own = {table: list(_table_files(table, names, live)) for table in columns()}
    if not own["runs"] and not live:
        raise NoTablesError
    connection = duckdb.connect(config=dict(config))
    try:
        _restrict_access(connection, root)
        ddl.create_views(
            connection, {table: _files_as_sql(root, of_table) for table, of_table in own.items() if of_table}
        )
        if VERDICTS in names and live is not None:
            _join_verdicts(connection, _files_as_sql(root, [VERDICTS]))
        if STRUCTURE in names and live is not None:
            _join_structure(connection, _files_as_sql(root, [STRUCTURE]))
        if live is not None:
            ddl.replace_view(connection, "studies", "SELECT DISTINCT *")  # each part has its own copy
    except BaseException:
        connection.close()
        raise
    return connection


def _table_files(table: str, names: Iterable[str], live: Mapping[str, str] | None) -> Iterator[str]:
    for name in names:
        folder, _, file = name.rpartition("/")
        is_single_file = not folder and file == f"{table}{_SUFFIX}"
        if (is_single_file or folder == table) if live is None else (folder == table and _part_of(name) in live):
            yield name


def _restrict_access(connection: duckdb.DuckDBPyConnection, root: Root) -> None:
    # Both, because DuckDB checks the pattern, in which signs such as [ are escaped, and the file that it finds.
    allowed = [str(root), glob.escape(str(root))]
    if not isinstance(root, Path):
        connection.register_filesystem(root.fs)
        allowed = [f"{str(root).rstrip('/')}/"]
    connection.execute(f"SET allowed_directories = [{', '.join(map(sql_string, allowed))}]")
    # Last, because it can't be taken back: `allowed_directories` could not be set after it.
    connection.execute("SET enable_external_access = false; SET GLOBAL TimeZone = 'UTC'")


def _files_as_sql(root: Root, names: Iterable[str]) -> str:
    """Parquet files as SQL, with [, * and ? in names escaped: DuckDB would expand them."""
    listed = ", ".join(sql_string(glob.escape(str(root / name))) for name in names)
    return f"read_parquet([{listed}], union_by_name = true)"


def _join_verdicts(connection: duckdb.DuckDBPyConnection, verdicts: str) -> None:
    """Join the verdicts to the view of runs."""
    own = {"verdict", "valid", "latency_valid", "invalid_reason"}
    labels = {row[0] for row in connection.execute("DESCRIBE runs").fetchall()} - set(schema("runs").names)
    names = run_schema(labels).names
    picked = ", ".join(f"{'v' if name in own else 'r'}.{sql_name(name)}" for name in names)
    ddl.replace_view(connection, "runs", f"SELECT {picked}", f"r LEFT JOIN {verdicts} v ON r.run = v.run")


def _join_structure(connection: duckdb.DuckDBPyConnection, structure: str) -> None:
    """Add the labels from structure to the views of labels and of runs.

    If a run also has such a label from another origin, it is its framework, which structure overrules.
    """
    keys = [key for (key,) in connection.execute(f"SELECT DISTINCT key FROM {structure} ORDER BY key").fetchall()]
    own = {row[0] for row in connection.execute("DESCRIBE runs").fetchall()}
    wanted = run_schema(own.union(keys) - set(schema("runs").names))
    values_of = {name: [f"r.{sql_name(name)}"] if name in own else [] for name in wanted.names}
    for key in keys:
        # first: `coalesce` takes the label from structure before that of another origin
        values_of[key].insert(0, f"CAST(s.{sql_name(key)} AS {ddl.SQL_TYPES[wanted.field(key).type]})")
    picked = ", ".join(f"coalesce({', '.join(values)}) AS {sql_name(name)}" for name, values in values_of.items())
    values = ", ".join(f"any_value(value) FILTER (key = {sql_string(key)}) AS {sql_name(key)}" for key in keys)
    pivoted = f"(SELECT run, {values} FROM {structure} GROUP BY run)" if keys else "(SELECT NULL AS run)"
    joined = f"r LEFT JOIN {pivoted} s ON r.run = s.run"
    ddl.replace_view(connection, "runs", f"SELECT {picked}", joined, prefix="unplaced")
    of_runs = f"UNION ALL BY NAME SELECT * FROM {structure} WHERE run IN (SELECT run FROM runs)"
    overruled = f"overruled OR (run, key) IN (SELECT (run, key) FROM {structure})"
    ddl.replace_view(connection, "labels", f"SELECT * REPLACE ({overruled} AS overruled)", of_runs)
