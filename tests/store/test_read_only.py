"""A query changes no store and no other file, whatever statement it is, in both kinds of store."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

import wrkparse as wp
from tests.cases import each_case
from tests.samples import WRK
from wrkparse.cli import main
from wrkparse.dataset import QueryError
from wrkparse.dataset.queries.sql import refuse_changes
from wrkparse.ingest.ingest import ingest

# One of each kind of statement that DuckDB names, with {0} for a file in the store's directory.
STATEMENTS = {
    "INSERT": "INSERT INTO texts (run) VALUES ('x')",
    "UPDATE": "UPDATE runs SET line = 1",
    "CREATE": "CREATE TABLE mine AS SELECT 1",
    "DELETE": "DELETE FROM runs",
    "PREPARE": "PREPARE p AS COPY runs TO '{0}'",
    "EXECUTE": "EXECUTE p",
    "ALTER": "ALTER TABLE runs ADD COLUMN mine INTEGER",
    "TRANSACTION": "BEGIN",
    "COPY": "COPY runs TO '{0}'",
    "ANALYZE": "ANALYZE",
    "EXPLAIN": "EXPLAIN ANALYZE COPY runs TO '{0}'",
    "DROP": "DROP TABLE runs",
    "EXPORT": "EXPORT DATABASE '{0}'",
    "PRAGMA": "PRAGMA enable_profiling",
    "VACUUM": "VACUUM",
    "CALL": "CALL enable_logging()",
    "SET": "SET threads = 1",
    "LOAD": "LOAD httpfs",
    "ATTACH": "ATTACH '{0}'",
    "DETACH": "DETACH memory",
    "MULTI": "COPY (PIVOT runs ON tool USING count(*)) TO '{0}'",
    "COPY_DATABASE": "COPY FROM DATABASE memory TO temp",
    "MERGE_INTO": "MERGE INTO runs USING texts ON false WHEN NOT MATCHED THEN INSERT (run) VALUES ('x')",
}
# Kinds without a statement of their own in SQL.
NO_STATEMENT = {"INVALID", "SELECT", "VARIABLE_SET", "CREATE_FUNC", "RELATION", "EXTENSION", "LOGICAL_PLAN"}
OTHERS = [
    "FROM enable_logging()",
    "SELECT 1; COPY runs TO '{0}'",
    "EXPLAIN (ANALYZE, FORMAT json) COPY runs TO '{0}'",
    "WITH one AS (SELECT 1) COPY (FROM one) TO '{0}'",
    "FROM force_checkpoint()",
    "EXPLAIN (ANALYZE /*)--*/) COPY runs TO '{0}'",
    'FROM "enable_logging"/**/()',
    "SELECT * FROM query('FROM enable_' || 'logging()')",
    "WITH one AS (FROM runs) INSERT INTO runs BY NAME FROM (PIVOT one ON tool USING count(*))",
    "UPDATE EXTENSIONS",
    "FROM json_execute_serialized_sql(json_serialize_sql('FROM enable_' || 'logging()'))",
    "-- nothing else",
]
# DuckDB's table functions that only read. Those for files and URLs find none in a store that queries can't leave.
READING = re.compile(
    r"(?:duckdb|pragma|read|parquet|test|icu|pg)_\w+|\w+_scan|arrow_scan_dumb|python_map_function|which_secret"
    r"|generate_series|range|repeat|repeat_row|unnest|json_each|json_tree|histogram|histogram_values|glob|sniff_csv"
    r"|summary"
)


@pytest.fixture(scope="module", params=["duckdb", "parquet"])
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("store")
    (directory / "a.log").write_text(WRK)
    ingest([str(directory / "a.log")], directory / "s.duckdb")
    if request.param == "duckdb":
        return directory / "s.duckdb"
    found = CliRunner().invoke(main, ["export", "-s", str(directory / "s.duckdb"), "-o", str(directory / "tables")])
    assert found.exit_code == 0
    return directory / "tables"


def files(store: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(store.parent.rglob("*")) if path.is_file()}


def test_each_kind_of_statement_is_tried() -> None:
    assert set(duckdb.StatementType.__members__) == STATEMENTS.keys() | NO_STATEMENT
    for kind, statement in STATEMENTS.items():
        kinds = {one.type.name for one in duckdb.connect().extract_statements(statement.format("x"))}
        assert kind in kinds or kind in ("ANALYZE", "COPY_DATABASE"), kind  # DuckDB takes them for VACUUM and PRAGMA


@each_case("statement", [*STATEMENTS.values(), *OTHERS])
def test_a_statement_that_may_change_something_is_refused(statement: str, store: Path) -> None:
    before = files(store)
    inside = (store if store.is_dir() else store.parent) / "runs.parquet"
    with pytest.raises(QueryError):
        wp.load(store).sql(statement.format(inside))
    assert files(store) == before


def test_each_function_of_duckdb_is_known_to_read_or_refused() -> None:
    connection = duckdb.connect()
    tables = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type IN ('table', 'table_macro')"
    found = {name for (name,) in connection.execute(tables).fetchall()}
    for name in sorted(name for name in found if not READING.fullmatch(name)):
        with pytest.raises(QueryError, match=f"{name} may change DuckDB"):
            refuse_changes(connection, f"FROM {name}()")


def test_a_condition_can_not_end_and_begin_a_statement(store: Path) -> None:
    before = files(store)
    with pytest.raises(QueryError):
        wp.load(store).wide(f"true); COPY runs TO '{store.parent}/x.parquet'; SELECT (true")
    assert files(store) == before


@each_case(
    "query",
    [
        "SELECT tool FROM runs", "FROM runs SELECT tool", "WITH one AS (FROM runs) SELECT tool FROM one", "TABLE runs",
        "DESCRIBE runs", "SHOW TABLES", "SUMMARIZE runs", "PIVOT runs ON tool USING count(*)", "VALUES (1)",
        "EXPLAIN SELECT 1", "SELECT 'COPY; enable_logging' AS text FROM runs;", "-- a remark\nSELECT 1",
        "SELECT run FROM texts WHERE text NOT LIKE '%größer checkpoint (%'", "EXPLAIN ANALYZE SELECT 'ü' AS a",
    ],
)  # fmt: skip
def test_a_query_is_answered(query: str, store: Path) -> None:
    assert len(wp.load(store).sql(query)) > 0
