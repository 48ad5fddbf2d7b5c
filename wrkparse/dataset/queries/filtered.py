"""Selects the rows of some runs: as temporary views with the names of the tables, or as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pyarrow as pa
import pyarrow.compute as pc

from wrkparse.dataset.queries.sql import Connect, Connection, sql_name
from wrkparse.tools.schema import columns, schema


def filtered_tables(table: Callable[[str], pa.Table], chosen: pa.Table, run_columns: list[str]) -> dict[str, pa.Table]:
    """The rows of the chosen runs, by table; `chosen` and `run_columns` are as in `filtered_connection`."""
    found = {}
    for name in columns():
        rows, key = table(name), _key(name)
        rows = rows.filter(pc.is_in(rows[key], chosen[key].combine_chunks(), skip_nulls=True)) if len(rows) else rows
        found[name] = rows.select(run_columns) if name == "runs" else rows
    return found


def _key(table: str) -> str:
    """The column that says to which run, source or study a row belongs."""
    # The source of a study is its wrkparse.yaml; no run has that source.
    return "study" if table == "studies" else next(key for key in ("run", "source") if key in schema(table).names)


@contextmanager
def filtered_connection(connect: Connect, chosen: pa.Table, run_columns: list[str]) -> Iterator[Connection]:
    """A connection whose tables have only the rows of the chosen runs while the block runs.

    `chosen` has the columns run, source and study; `run_columns` are the columns that `runs` keeps. A filtered
    connection can be filtered again: its views are renamed meanwhile.
    """
    with connect() as connection:
        places = _places(connection)
        prefix = f"all_{len(places)}_"  # each level of filtering adds views, so this name is free
        connection.register(f"{prefix}chosen", chosen)
        # Temporary views are those of an outer filter: a new view of the same name needs them renamed.
        hidden = [name for name, place in places.items() if place.startswith("temp.") and name in columns()]
        for name in hidden:
            connection.execute(f"ALTER VIEW {places[name]} RENAME TO {prefix}{name}")
            places[name] = f"temp.main.{prefix}{name}"
        viewed = [name for name in columns() if name in places]
        for name in viewed:
            key = _key(name)
            picked = ", ".join(map(sql_name, run_columns)) if name == "runs" else "*"
            connection.execute(
                f"CREATE TEMP VIEW {name} AS SELECT {picked} FROM {places[name]}"
                f" WHERE {key} IN (SELECT {key} FROM temp.main.{prefix}chosen)"
            )
        try:
            yield connection
        finally:
            for name in viewed:
                connection.execute(f"DROP VIEW temp.main.{name}")
            for name in hidden:
                connection.execute(f"ALTER VIEW {places[name]} RENAME TO {name}")
            connection.unregister(f"{prefix}chosen")


def _places(connection: Connection) -> dict[str, str]:
    """The full name of each table and view. A temporary view hides a table with the same name."""
    rows = connection.execute(
        "SELECT table_name, database_name, schema_name, temporary FROM duckdb_tables() UNION ALL"
        " SELECT view_name, database_name, schema_name, temporary FROM duckdb_views() WHERE NOT internal ORDER BY 4, 1"
    ).fetchall()
    return {
        name: f"{sql_name(database)}.{sql_name(part)}.{sql_name(name)}"
        if not temporary
        else f"temp.{part}.{sql_name(name)}"
        for name, database, part, temporary in rows
    }
