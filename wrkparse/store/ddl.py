"""SQL that creates the tables of a store, adds columns, and shows missing tables and columns as empty."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

import duckdb
import pyarrow as pa

from wrkparse.dataset.queries.on_demand import ConnectionOnDemand
from wrkparse.dataset.queries.sql import sql_name
from wrkparse.store import renamed
from wrkparse.tools import event_tools
from wrkparse.tools.schema import columns, run_schema, schema

# Grows with every change to a table's columns or to the names of metrics. Older stores are updated when they are
# opened; newer ones are refused.
SCHEMA_VERSION = 6
# What the store knows about each file (`wrkparse.store.parquet_store.IngestedFile`) and about itself.
_INTERNAL = {
    "files": "source VARCHAR, origin VARCHAR, size BIGINT, mtime_ns BIGINT, digest VARCHAR, settings VARCHAR,"
    " resume BLOB",
    "meta": "key VARCHAR, value VARCHAR",
}
_FILES_AT_ONCE = 5000  # files in one INSERT
_KEYS = ("run", "line")  # columns that every event table has from the start
SQL_TYPES = {
    pa.string(): "VARCHAR",
    pa.int64(): "BIGINT",
    pa.float64(): "DOUBLE",
    pa.bool_(): "BOOLEAN",
    pa.timestamp("us", tz="UTC"): "TIMESTAMPTZ",
    pa.timestamp("us"): "TIMESTAMP",
    pa.list_(pa.int64()): "BIGINT[]",
}


def existing_columns(connection: duckdb.DuckDBPyConnection, name: str) -> list[str]:
    """The columns of a table of the store, in order; empty if it has no such table."""
    # Not from duckdb_columns() or duckdb_tables(): they first create all of DuckDB's own views, which takes half as
    # long as opening the file.
    [(database,)] = connection.execute("SELECT current_database()").fetchall()
    try:
        return list(connection.table(_full_name(database, name)).columns)
    except duckdb.CatalogException:
        return []


def _full_name(database: str, table: str) -> str:
    """The name of a stored table, which no view and no variable of Python hides."""
    return f"{sql_name(database)}.main.{sql_name(table)}"


def create_tables(connection: duckdb.DuckDBPyConnection, version: str, *, existed: bool) -> dict[str, set[str]]:
    """Create missing tables and columns, and store the version of wrkparse; return the columns of each table.

    An event table gets a column when it first has a value (`add_columns`): each version of Go prints only some of a
    trace's many columns, and an empty column takes as long to write as one with numbers.
    """
    names = (*_INTERNAL, *columns())
    found = {name: existing_columns(connection, name) if existed else [] for name in names}
    for name, declaration in _INTERNAL.items():
        if not found[name]:
            connection.execute(f"CREATE TABLE {name} ({declaration})")
        elif not set(_names(declaration)).issubset(found[name]):
            for column in declaration.split(", "):
                connection.execute(f"ALTER TABLE {name} ADD COLUMN IF NOT EXISTS {column}")
    for name in columns():
        wanted = schema(name)
        if not found[name]:
            begin = [field for field in wanted if name not in _event_table_names() or field.name in _KEYS]
            connection.execute(f"CREATE TABLE {sql_name(name)} ({', '.join(map(_column, begin))})")
            found[name] = [field.name for field in begin]
        elif name not in _event_table_names() and not set(wanted.names).issubset(found[name]):
            # Of `runs`, the other columns are those of labels; other tables lose columns that are no longer declared.
            extra = set(found[name]).difference(wanted.names)
            complete = run_schema(extra) if name == "runs" else wanted
            _reshape(connection, name, complete, found[name])
            found[name] = complete.names
    # After the columns above, because `resume` may be one of them.
    if _has_former_names(connection):
        connection.execute(renamed.rename_in_place())
        connection.execute("UPDATE files SET resume = NULL")  # an open report would continue with the former names
    meta = [("schema_version", str(SCHEMA_VERSION)), ("wrkparse_version", version)]
    # Only if they differ: an ingest without changes writes nothing.
    if connection.execute("SELECT key, value FROM meta ORDER BY key").fetchall() != meta:
        connection.execute("DELETE FROM meta")
        connection.execute("INSERT INTO meta VALUES (?, ?), (?, ?)", [text for row in meta for text in row])
    return {name: set(present) for name, present in found.items()}


def _names(declaration: str) -> list[str]:
    return [column.split()[0] for column in declaration.split(", ")]


def _has_former_names(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether a store's metrics may have names of an earlier version."""
    if not existing_columns(connection, "meta"):
        return False
    versions = connection.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchall()
    return any(int(version) < renamed.SINCE for (version,) in versions)


def without_empty_columns(name: str, rows: pa.Table) -> pa.Table:
    """The rows of an event table without its empty columns; the rows of other tables with all columns."""
    if name not in _event_table_names():
        return rows
    return rows.select([n for n in rows.column_names if n in _KEYS or rows[n].null_count < rows.num_rows])


def add_columns(connection: duckdb.DuckDBPyConnection, name: str, fields: Iterable[pa.Field]) -> None:
    """Add the columns that a table lacks."""
    for field in fields:
        connection.execute(f"ALTER TABLE {sql_name(name)} ADD COLUMN IF NOT EXISTS {_column(field)}")


@functools.cache
def _event_table_names() -> frozenset[str]:
    return frozenset(name for tool in event_tools() for name in tool.tables)


def _column(field: pa.Field) -> str:
    return f"{sql_name(field.name)} {SQL_TYPES[field.type]}"


def replace_files(connection: duckdb.DuckDBPyConnection, rows: Sequence[tuple[object, ...]]) -> None:
    """Replace all rows of `files`."""
    connection.execute("DELETE FROM files")
    lists = ", ".join(f"unnest(?::{declared.split()[1]}[])" for declared in _INTERNAL["files"].split(", "))
    for start in range(0, len(rows), _FILES_AT_ONCE):  # DuckDB needs a kilobyte of memory for each parameter value
        values = [list(column) for column in zip(*rows[start : start + _FILES_AT_ONCE], strict=True)]
        connection.execute(f"INSERT INTO files SELECT {lists}", values)


def drop_unused_labels(connection: duckdb.DuckDBPyConnection) -> None:
    """Drop the label columns that no run uses any more, and put the others in order."""
    names = [name for name, *_ in connection.execute("DESCRIBE runs").fetchall()]
    labels = [name for name in names if name not in schema("runs").names]
    # `count(*)` first, so that the query is valid without any label.
    counts = ", ".join(["count(*)", *(f"count({sql_name(label)})" for label in labels)])
    [(_, *found)] = connection.execute(f"SELECT {counts} FROM runs").fetchall()
    used = {label for label, count in zip(labels, found, strict=True) if count}
    _reshape(connection, "runs", run_schema(used), names)


def _reshape(connection: duckdb.DuckDBPyConnection, name: str, wanted: pa.Schema, names: list[str]) -> None:
    """Rebuild a table with these columns in this order: new ones are NULL, others are dropped."""
    if names == wanted.names:
        return
    picked = ", ".join(sql_name(field.name) if field.name in names else _null(field) for field in wanted)
    connection.execute(f"CREATE TABLE reshaped AS SELECT {picked} FROM {sql_name(name)}")
    connection.execute(f"DROP TABLE {sql_name(name)}")
    connection.execute(f"ALTER TABLE reshaped RENAME TO {sql_name(name)}")


def views_on_demand(connection: duckdb.DuckDBPyConnection) -> ConnectionOnDemand:
    """A connection with every table and column.

    A table that lacks some gets a temporary view when a statement first names it.

    A store of an older version may also lack tables, and have former names of metrics. The views exist only for this
    connection.
    """
    return ConnectionOnDemand(connection, columns(), partial(_add_missing_columns, connection))


def _add_missing_columns(connection: duckdb.DuckDBPyConnection, name: str) -> bool:
    """Make a view with all columns over a table that lacks some or has former names; return False if it has all."""
    names, wanted = existing_columns(connection, name), schema(name).names
    renames = name == "measurements" and _has_former_names(connection)
    if not renames and (names[: len(wanted)] == wanted or (name == "runs" and set(wanted).issubset(names))):
        return False
    [(database,)] = connection.execute("SELECT current_database()").fetchall()
    origin = _full_name(database, name)
    if renames:
        origin = f"({renamed.renamed_measurements(origin, _full_name(database, 'runs'))})"
    _view(connection, "TEMP VIEW", name, names, origin)
    return True


@contextmanager
def views_for_missing_columns(connection: duckdb.DuckDBPyConnection) -> Iterator[ConnectionOnDemand]:
    """The same as `views_on_demand`, but only while the block runs, because rows can't be inserted into a view."""
    views = []

    def add(name: str) -> None:
        if _add_missing_columns(connection, name):
            views.append(name)

    try:
        yield ConnectionOnDemand(connection, columns(), add)
    finally:
        for name in views:
            connection.execute(f"DROP VIEW temp.main.{sql_name(name)}")


def create_views(connection: duckdb.DuckDBPyConnection, origins: Mapping[str, str]) -> None:
    """Make a view for every table. `origins` are SQL sources by table; a table without one is empty.

    Sources don't say which version wrote them, so measurements always get the current names.
    """
    found = {
        name: [row[0] for row in connection.execute(f"DESCRIBE FROM {origin}").fetchall()]
        for name, origin in origins.items()
    }
    sources = dict(origins)
    if {"run", "metric", "stat"}.issubset(found.get("measurements", ())) and "tool" in found.get("runs", ()):
        sources["measurements"] = f"({renamed.renamed_measurements(origins['measurements'], origins['runs'])})"
    for name in columns():
        _view(connection, "VIEW", name, found.get(name, []), sources.get(name, ""))


def replace_view(
    connection: duckdb.DuckDBPyConnection, name: str, select: str, rest: str = "", prefix: str = "stored"
) -> None:
    """Replace a view by ``SELECT … FROM old view`` and ``rest``; the old view gets a prefix."""
    old = sql_name(f"{prefix}_{name}")
    connection.execute(f"ALTER VIEW {sql_name(name)} RENAME TO {old}")
    connection.execute(f"CREATE VIEW {sql_name(name)} AS {select} FROM {old} {rest}")


def _view(connection: duckdb.DuckDBPyConnection, kind: str, name: str, names: list[str], origin: str) -> None:
    own = [sql_name(field.name) if field.name in names else _null(field) for field in schema(name)]
    # the columns of labels
    more = [sql_name(extra) for extra in names if extra not in schema(name).names]
    rest = f"FROM {origin}" if names else "WHERE false"
    connection.execute(f"CREATE {kind} {sql_name(name)} AS SELECT {', '.join([*own, *more])} {rest}")


def _null(field: pa.Field) -> str:
    return f"NULL::{SQL_TYPES[field.type]} AS {sql_name(field.name)}"
