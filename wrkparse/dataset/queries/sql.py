"""Small pieces of SQL: quoting, running a query, and names of tables and labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import pairwise
from typing import NamedTuple, Protocol

import duckdb
import pyarrow as pa

from wrkparse.dataset.queries.errors import QueryError
from wrkparse.dataset.queries.on_demand import ConnectionOnDemand
from wrkparse.tools.schema import columns


class Connection(Protocol):
    """What queries need of a DuckDB connection. That of `wrkparse.dataset.queries.on_demand` fetches its tables."""

    def execute(self, query: str, /) -> duckdb.DuckDBPyConnection:
        """Run a statement."""

    def sql(self, query: str, /) -> duckdb.DuckDBPyRelation:
        """The answer to a query; None for a statement without one."""

    def register(self, name: str, table: object, /) -> object:
        """Make an Arrow table a view of this name."""

    def unregister(self, name: str, /) -> object:
        """Drop the view of a registered table."""

    def extract_statements(self, query: str, /) -> list[duckdb.Statement]:
        """The statements of a text, parsed."""


Connect = Callable[[], AbstractContextManager[Connection]]


def sql_string(value: str) -> str:
    """A string as an SQL literal, for places where SQL allows no parameter."""
    return "'" + value.replace("'", "''") + "'"


def sql_name(value: str) -> str:
    """A name as an SQL identifier."""
    return '"' + value.replace('"', '""') + '"'


def fetch(connection: Connection, query: str) -> pa.Table:
    """The answer to a query.

    Raises duckdb.Error, and QueryError if the query may change something or returns no table.
    """
    refuse_changes(connection, query)
    relation = connection.sql(query)
    if relation is None:
        raise QueryError("the query gives no table")
    return relation.to_arrow_table()


# Statements that a query may hide: DuckDB makes several of a PIVOT without IN, and names none of them.
_WRITING = frozenset(
    """ALTER ATTACH CALL CHECKPOINT COMMENT COPY CREATE DEALLOCATE DELETE DETACH DROP EXECUTE EXPORT IMPORT INSERT
    INSTALL LOAD MERGE PRAGMA PREPARE SET TRUNCATE UPDATE USE VACUUM""".split()
)
# Functions that change DuckDB itself, or run a text that is not known in advance. A test lists the functions that only
# read.
_CHANGING = frozenset(
    """checkpoint create_external_resource deregister_external_resource destroy_external_resource disable_logging
    disable_profiling enable_logging enable_profiling force_checkpoint json_execute_serialized_sql query query_table
    register_external_resource register_external_resource_type truncate_duckdb_logs write_log""".split()
)
# A single statement that begins like this only reads, if it contains none of these words. Searching a query of 5 KB for
# them takes 1.3 ms, a tenth of the time that DuckDB takes to parse it.
_READS = re.compile(r"(?:SELECT|WITH|FROM)\b", re.IGNORECASE)
_ALARMING = re.compile(rf"\b(?:{'|'.join(sorted(_WRITING | _CHANGING))})\b", re.IGNORECASE)


class _Token(NamedTuple):
    """A word or sign of a statement, and the byte at which it begins."""

    text: str
    at: int


def refuse_changes(connection: Connection, query: str) -> None:
    """Accept queries only. Raises QueryError for a statement that may change something, duckdb.Error for invalid SQL.

    DuckDB's own read-only mode allows files to be written in the directories that it may read.
    """
    if _READS.match(query.lstrip()) and ";" not in query and not _ALARMING.search(query):
        return
    statements = connection.extract_statements(query)
    if not statements:
        raise QueryError("the query is empty")
    for statement in statements:
        kind, tokens = _kind(statement), _tokens(statement.query)
        words = [token.text.upper() for token in tokens]
        # A name before a parenthesis is a call: `checkpoint(`, `"checkpoint"(`.
        for name, behind in pairwise(words):
            if behind == "(" and name.strip('"').lower() in _CHANGING:
                raise QueryError(f"{name.lower()} may change DuckDB: only statements that read can be run here")
        if kind == "EXPLAIN":  # with ANALYZE it runs the statement that it explains
            # `EXPLAIN ANALYZE SELECT …`, `EXPLAIN SELECT …`.
            inner = 2 if words[1:2] == ["ANALYZE"] else 1
            if words[inner : inner + 1] == ["("]:
                raise QueryError("write EXPLAIN without options or parentheses")
            refuse_changes(connection, statement.query.encode()[tokens[inner].at :].decode())
        elif kind != "SELECT" and not (kind == "MULTI" and _WRITING.isdisjoint(words)):
            hint = "; use DESCRIBE or SHOW TABLES to see the tables" if kind == "PRAGMA" else ""
            raise QueryError(f"{words[0]} is not a query: only statements that read can be run here{hint}")


def _kind(statement: duckdb.Statement) -> str:
    """The kind of a statement; empty for one that DuckDB parses but does not name, such as UPDATE EXTENSIONS."""
    try:
        return statement.type.name
    except ValueError:
        return ""


def _tokens(query: str) -> list[_Token]:
    """The words and signs of a statement, without comments."""
    found, encoded = duckdb.tokenize(query), query.encode()
    # DuckDB gives the first byte of each token, so a token ends where the next one begins.
    ends = [*(at for at, _ in found[1:]), len(encoded)]
    return [
        _Token(encoded[at:end].decode("utf-8", "replace").strip(), at)
        for (at, kind), end in zip(found, ends, strict=True)
        if kind != duckdb.token_type.comment
    ]


def with_far_times_as_text(table: pa.Table) -> pa.Table:
    """The table with columns as DuckDB writes them if they have dates or times that Python lacks, such as infinity."""
    for at, name in enumerate(table.column_names):
        try:
            table[at].to_pylist()
        except OverflowError:
            with duckdb.connect() as connection:
                connection.register("far", pa.table({"value": table[at]}))
                text = connection.sql("SELECT CAST(value AS VARCHAR) AS value FROM far").to_arrow_table()
            table = table.set_column(at, name, text["value"])
    return table


def table_names(connection: Connection) -> set[str]:
    """The names of all tables and views."""
    rows = connection.execute(
        "SELECT table_name FROM duckdb_tables() UNION ALL SELECT view_name FROM duckdb_views() WHERE NOT internal"
    ).fetchall()
    return {row[0] for row in rows}


def row_counts(connection: Connection, names: Sequence[str]) -> dict[str, int]:
    """The number of rows of each of these tables."""
    each = " UNION ALL ".join(f"SELECT {sql_string(name)}, count(*) FROM {sql_name(name)}" for name in names)
    execute = connection.execute_bare if isinstance(connection, ConnectionOnDemand) else connection.execute
    counts = dict(execute(each).fetchall()) if each else {}
    return {name: counts[name] for name in names}


def label_keys(connection: Connection) -> set[str]:
    """The label keys that any run has: the columns of `runs` beyond the fixed ones."""
    fixed = {column.name for column in columns()["runs"]}
    return {row[0] for row in connection.execute("DESCRIBE runs").fetchall()} - fixed


@contextmanager
def one_thread(connection: Connection) -> Iterator[None]:
    """While the block runs, DuckDB uses one thread, so it keeps the order in which rows were written.

    Datasets in memory share the setting. If the block of another dataset set it first, that block restores it, perhaps
    earlier.
    """
    [(threads,)] = connection.execute("SELECT current_setting('threads')").fetchall()
    if threads == 1:
        yield
        return
    connection.execute("SET threads = 1")
    try:
        yield
    finally:
        connection.execute(f"SET threads = {threads}")
