"""Renames metrics that have another name, or another statistic, in stores of earlier versions."""

from __future__ import annotations

from wrkparse.dataset.aliases import RENAMED, Renamed
from wrkparse.dataset.queries.sql import sql_string

SINCE = 6
"""The schema of a store (`wrkparse.store.ddl.SCHEMA_VERSION`) since which it has the current names."""


def renamed_measurements(measurements: str, runs: str) -> str:
    """A query of measurements with the current names. Rows that already have them are unchanged.

    `measurements` and `runs` are SQL sources of these tables; runs need the columns ``run`` and ``tool``.
    """
    tools = ", ".join(map(sql_string, sorted({metric.tool for metric in RENAMED})))
    of_tools = f"(SELECT run AS of_run, any_value(tool) AS tool FROM {runs} WHERE tool IN ({tools}) GROUP BY run)"
    return (
        f"SELECT m.* REPLACE ({_case('metric')} AS metric, {_case('stat')} AS stat)"
        f" FROM {measurements} m LEFT JOIN {of_tools} r ON m.run = r.of_run"
    )


def rename_in_place() -> str:
    """The statement that gives the table of measurements the current names."""
    former = " OR ".join(f"({_has_former_name(metric)})" for metric in RENAMED)
    return (
        f"UPDATE measurements AS m SET metric = {_case('metric')}, stat = {_case('stat')}"
        f" FROM runs r WHERE m.run = r.run AND ({former})"
    )


def _has_former_name(metric: Renamed) -> str:
    return f"r.tool = {sql_string(metric.tool)} AND m.metric = {sql_string(metric.former)}"


def _case(column: str) -> str:
    values = [(metric, metric.metric if column == "metric" else metric.stat) for metric in RENAMED]
    cases = " ".join(
        f"WHEN {_has_former_name(metric)} THEN {sql_string(value)}" for metric, value in values if value is not None
    )
    return f"CASE {cases} ELSE m.{column} END"
