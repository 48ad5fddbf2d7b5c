"""Renames metrics that stores of earlier versions have under another name, or as another statistic."""

from __future__ import annotations

from wrkparse.dataset.aliases import RENAMED, Renamed
from wrkparse.dataset.queries.sql import sql_string

SINCE = 6
"""The schema of a store (`wrkparse.store.ddl.SCHEMA_VERSION`) from which on it has the names of today."""


def renamed_measurements(measurements: str, runs: str) -> str:
    """A query of measurements with the current names. Rows that have them already are unchanged.

    `measurements` and `runs` are SQL sources of these tables; runs need the columns ``run`` and ``tool``.
    """
    tools = ", ".join(map(sql_string, sorted({one.tool for one in RENAMED})))
    of_tools = f"(SELECT run AS of_run, any_value(tool) AS tool FROM {runs} WHERE tool IN ({tools}) GROUP BY run)"
    return (
        f"SELECT m.* REPLACE ({_case('metric')} AS metric, {_case('stat')} AS stat)"
        f" FROM {measurements} m LEFT JOIN {of_tools} r ON m.run = r.of_run"
    )


def rename_in_place(table: str = "measurements", runs: str = "runs") -> str:
    """The statement that gives the rows of a table the current names."""
    former = " OR ".join(f"({_is(one)})" for one in RENAMED)
    return (
        f"UPDATE {table} AS m SET metric = {_case('metric')}, stat = {_case('stat')}"
        f" FROM {runs} r WHERE m.run = r.run AND ({former})"
    )


def _is(one: Renamed) -> str:
    return f"r.tool = {sql_string(one.tool)} AND m.metric = {sql_string(one.former)}"


def _case(column: str) -> str:
    values = [(one, one.metric if column == "metric" else one.stat) for one in RENAMED]
    each = " ".join(f"WHEN {_is(one)} THEN {sql_string(value)}" for one, value in values if value is not None)
    return f"CASE {each} ELSE m.{column} END"
