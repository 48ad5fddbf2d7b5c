"""Small pieces of SQL: quoting, running a query, and names of tables and labels."""

from __future__ import annotations

import re
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
    """The answer to a query. Raises duckdb.Error; QueryError if it may change something or gives no table."""
    refuse_changes(connection, query)
    relation = connection.sql(query)
    if relation is None:
        raise QueryError("the query gives no table")
    return relation.to_arrow_table()


# EXPLAIN ANALYZE runs the statement that it explains. DuckDB makes several statements of a PIVOT without IN.
_EXPLAIN = re.compile(r"EXPLAIN\b(?:\s*\([^()]*\)|\s+ANALYZE\b)?", re.IGNORECASE)
_PIVOT = re.compile(r"PIVOT|FROM|SELECT|WITH|\(", re.IGNORECASE)
# Table functions that change DuckDB itself: where its log goes, and when it writes.
_CHANGING = re.compile(
    r"\b(enable_logging|disable_logging|enable_profiling|disable_profiling|truncate_duckdb_logs|"
    r"(?:force_)?checkpoint)\s*\(",
    re.IGNORECASE,
)


def refuse_changes(connection: duckdb.DuckDBPyConnection, query: str) -> None:
    """Let queries pass. Raises QueryError for a statement that may change something, duckdb.Error if it can't be read.

    DuckDB's own read-only mode allows files to be written in the directories that it may read.
    """
    for statement in connection.extract_statements(query):
        kind = statement.type.name
        if kind == "EXPLAIN":
            found = _EXPLAIN.search(statement.query)
            refuse_changes(connection, statement.query[found.end() :] if found else "EXPLAIN")
        elif kind != "SELECT" and not (kind == "MULTI" and _PIVOT.match(statement.query.lstrip())):
            word = (statement.query.split() or [kind])[0].upper()
            raise QueryError(f"{word} is not a query: only statements that read can be run here")
        if function := _CHANGING.search(statement.query):
            raise QueryError(f"{function[1]} changes DuckDB itself: only statements that read can be run here")


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
