"""Measurements as analyses see them: with counts that are 0 and not printed, and one name for equal meanings."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from wrkparse.dataset.queries.sql import sql_name, sql_string
from wrkparse.model.records import Metric
from wrkparse.tools import report_tools
from wrkparse.tools.base import UnprintedZero

_COLUMNS = "run, metric, stat, value, unit, resolution, line"

# The row Total of ab's connection times is the time of a request as its client sees it; wrk, wrk2 and hey call that the
# latency. ab counts from the start of the connect, in whole milliseconds. Its median and its 100 % are the 50 % and the
# maximum of the same list.
_TOTAL_IS_LATENCY = "metric = 'total' AND unit = 's' AND stat NOT IN ('median', 'p100')"
MEASURED = f"""(
  SELECT {_COLUMNS} FROM measurements
  UNION ALL
  SELECT run, 'latency', stat, value, unit, resolution, line FROM measurements WHERE {_TOTAL_IS_LATENCY}
)"""


@functools.cache
def measurements_with_zeros() -> str:
    """`MEASURED` as SQL, with a row for each count that is 0 because a complete report does not print it.

    `MEASURED` is the table `measurements`, in which ab's ``total`` also appears as ``latency``. A row of such a count
    has no line. The tools say which counts these are (`wrkparse.tools.base.UnprintedZero`).
    """
    rules = [(tool, rule) for tool in report_tools() for rule in tool.unprinted_zeros]
    named = {metric.name for _, rule in rules for metric in (*rule.metrics, rule.before, rule.behind)}
    stated = ", ".join(f"bool_or(metric = {sql_string(name)}) AS {sql_name(name)}" for name in sorted(named))
    whole_metrics = {rule.whole.name for _, rule in rules if rule.whole}
    stated += "".join(
        f", bool_or(metric = {sql_string(name)} AND value = 0) AS {sql_name(f'no {name}')}"
        for name in sorted(whole_metrics)
    )
    names = ", ".join(sql_string(name) for name in sorted(named | whole_metrics))
    zeros = ", ".join(_zeros(tool.programs, rule) for tool, rule in rules)
    return f"""(
      SELECT {_COLUMNS} FROM {MEASURED}
      UNION ALL
      SELECT run, metric, 'total', 0, '1', 0, NULL
      FROM (
        SELECT run, unnest(flatten([{zeros}])) AS metric
        FROM (SELECT run, {stated} FROM measurements WHERE metric IN ({names}) GROUP BY run) s
          JOIN runs r USING (run)
      ) WHERE metric IS NOT NULL
    )"""


def _zeros(programs: Iterable[str], rule: UnprintedZero) -> str:
    """SQL for the list of the metrics that a rule makes 0, with NULL for the others."""
    condition = f"tool IN ({', '.join(map(sql_string, sorted(programs)))}) AND s.{sql_name(rule.before.name)}"
    condition += f" AND s.{sql_name(rule.behind.name)}"
    if rule.whole:
        condition += f" AND s.{sql_name(f'no {rule.whole.name}')}"
    if rule.not_in:
        condition += f" AND coalesce(dialect NOT IN ({', '.join(map(sql_string, rule.not_in))}), true)"
    each = ", ".join(
        f"CASE WHEN NOT s.{sql_name(metric.name)} THEN {sql_string(metric.name)} END" for metric in rule.metrics
    )
    return f"CASE WHEN {condition} THEN [{each}] ELSE [] END"


@functools.cache
def unprinted_metrics() -> tuple[Metric, ...]:
    """The metrics that are counts of this kind."""
    rules = [rule for tool in report_tools() for rule in tool.unprinted_zeros]
    return tuple(dict.fromkeys(metric for rule in rules for metric in rule.metrics))
