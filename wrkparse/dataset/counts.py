"""Counts that tools print only if they are not zero."""

from __future__ import annotations

import functools

from wrkparse.dataset.sql import sql_string
from wrkparse.model.records import Metric
from wrkparse.tools import report_tools

_COLUMNS = "run, metric, stat, value, unit, resolution, line"


@functools.cache
def measurements_with_zeros() -> str:
    """The table `measurements` as SQL, with a row for each count that is 0 because a complete report does not print it.

    Such a row has no line. Which counts these are, the tools say (`wrkparse.tools.base.UnprintedZero`).
    """
    zeros = ", ".join(
        f"({sql_string(program)}, {sql_string(metric.name)}, {sql_string(rule.before.name)}, "
        f"{sql_string(rule.behind.name)}, {sql_string(rule.whole.name) if rule.whole else 'NULL'}, "
        f"{sql_string(' '.join(rule.not_in))})"
        for tool in report_tools()
        for program in tool.programs
        for rule in tool.unprinted_zeros
        for metric in rule.metrics
    )
    return f"""(
      SELECT {_COLUMNS} FROM measurements
      UNION ALL
      SELECT run, z.metric, 'total', 0, '1', 0, NULL
      FROM (
        SELECT m.run, any_value(tool) AS tool, any_value(dialect) AS dialect, list(DISTINCT metric) AS stated,
          list(DISTINCT metric) FILTER (value = 0) AS zero
        FROM measurements m JOIN runs r ON m.run = r.run GROUP BY m.run
      ) s, (VALUES {zeros}) z(program, metric, before, behind, whole, not_in)
      WHERE s.tool = z.program AND list_contains(stated, before) AND list_contains(stated, behind)
        AND NOT list_contains(stated, z.metric) AND (whole IS NULL OR list_contains(zero, whole))
        AND (dialect IS NULL OR NOT list_contains(string_split(not_in, ' '), dialect))
    )"""


@functools.cache
def unprinted_metrics() -> tuple[Metric, ...]:
    """The metrics that are counts of this kind."""
    rules = [rule for tool in report_tools() for rule in tool.unprinted_zeros]
    return tuple(dict.fromkeys(metric for rule in rules for metric in rule.metrics))
