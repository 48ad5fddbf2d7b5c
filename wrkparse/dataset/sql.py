"""Small pieces of SQL: quoting, running a query, and names of tables and labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import duckdb
import pyarrow as pa

from wrkparse.dataset.errors import QueryError
from wrkparse.tools.schema import columns

Connect = Callable[[], AbstractContextManager[duckdb.DuckDBPyConnection]]


def sql_string(value: str) -> str:
    """A string as an SQL literal, for places where no parameter may stand."""
    return "'" + value.replace("'", "''") + "'"


def sql_name(value: str) -> str:
    """A name as an SQL identifier."""
    return '"' + value.replace('"', '""') + '"'


def fetch(connection: duckdb.DuckDBPyConnection, query: str) -> pa.Table:
    """The answer to a query. Raises duckdb.Error; QueryError for a statement that gives no table."""
    relation = connection.sql(query)
    if relation is None:
        raise QueryError("the query gives no table")
    return relation.to_arrow_table()


def table_names(connection: duckdb.DuckDBPyConnection) -> set[str]:
    """The names of all tables and views."""
    rows = connection.execute(
        "SELECT table_name FROM duckdb_tables() UNION ALL SELECT view_name FROM duckdb_views() WHERE NOT internal"
    ).fetchall()
    return {row[0] for row in rows}


def label_keys(connection: duckdb.DuckDBPyConnection) -> set[str]:
    """The label keys that any run has: the columns of `runs` beyond the fixed ones."""
    fixed = {column.name for column in columns()["runs"]}
    return {row[0] for row in connection.execute("DESCRIBE runs").fetchall()} - fixed


@contextmanager
def one_thread(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """While the block runs, DuckDB uses one thread, and so keeps the order in which rows were written."""
    [(threads,)] = connection.execute("SELECT current_setting('threads')").fetchall()
    connection.execute("SET threads = 1")
    try:
        yield
    finally:
        connection.execute(f"SET threads = {threads}")
