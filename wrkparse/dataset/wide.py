"""The table `wide`: one row per run, with a column for each label and each metric."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence

import pyarrow as pa

from wrkparse.dataset.aliases import ALIASES, FORMER
from wrkparse.dataset.counts import MEASURED, measurements_with_zeros, unprinted_metrics
from wrkparse.dataset.queries.sql import Connection, label_keys, sql_name, sql_string
from wrkparse.tools import metrics
from wrkparse.tools.schema import CANONICAL, LABEL_KINDS, run_schema

_SQL_TYPES = {pa.string(): "VARCHAR", pa.int64(): "BIGINT", pa.float64(): "DOUBLE"}
_SUFFIX = {"s": "_s", "bytes": "_bytes", "1/s": "_per_s", "bytes/s": "_bytes_per_s", "ratio": "_ratio", "1": ""}
# The parts of a source that a condition may name.
_SOURCE_PARTS = {
    "folder": "regexp_replace(source, '/?[^/]*$', '')",
    "file": "regexp_replace(source, '.*/', '')",
}
_STATS = ("total", "mean", "stdev", "min", "median", "max")  # in this order, before percentiles


def wide_query(source: str, shown: Sequence[str], where: str | None = None) -> str:
    """`wide` as SQL, ordered by source, line and run; `where` is a condition on its columns.

    `source` and `shown` are what `all_columns_query` returns: the query in parentheses, or a table with its answer.
    """
    return (
        f"SELECT {', '.join(map(sql_name, shown))} FROM {source} {f'WHERE ({where})' if where else ''} "
        "ORDER BY source, line, run"
    )


def all_columns_query(connection: Connection) -> tuple[str, list[str]]:
    """The query of all columns that a condition may name, and those of them that belong to `wide`."""
    names = _metric_columns(connection)
    unprinted = {
        (metric.name, "total"): column_name(metric.name, "total", metric.unit)
        for metric in unprinted_metrics()
        if (metric.name, "total") not in names
    }
    # A condition may name a metric without its unit ...
    short = {column: metric if stat == "total" else f"{metric}_{stat}" for (metric, stat), column in names.items()}
    # ... a count that every report leaves out because it is 0 ...
    counted = names | unprinted if names else names
    keys = label_keys(connection)
    # A label may have the name of a metric: without a new name, two columns would have the same.
    renamed = {key: f"label_{key}" for key in sorted(keys & {*short, *short.values(), "errors"})}
    renaming = ", ".join(f"{sql_name(key)} AS {sql_name(name)}" for key, name in renamed.items())
    own = f"r.* RENAME ({renaming})" if renaming else "r.*"
    selected = ", ".join(
        f"stated[{sql_string(f'{metric} {stat}')}] AS {sql_name(column)}" for (metric, stat), column in counted.items()
    )
    measured = f"SELECT run, {selected} FROM ({_numbers_by_run()})" if names else "SELECT NULL::VARCHAR AS run"
    more = [f"{sql_name(column)} AS {sql_name(alias)}" for column, alias in short.items() if alias != column]
    # ... and a canonical label that no run has.
    more += [
        f"NULL::{_SQL_TYPES[LABEL_KINDS.get(key, pa.string())]} AS {sql_name(key)}"
        for key in CANONICAL
        if key not in keys
    ]
    more.append(f"{_errors(counted.values())} AS errors")
    # ... the parts of the source ...
    more += [f"{part} AS {name}" for name, part in _SOURCE_PARTS.items() if name not in keys]
    # ... and labels and metrics by a short name, or by that of an earlier version.
    column_of = {column: column for column in counted.values()} | {alias: column for column, alias in short.items()}
    column_of |= {key: renamed.get(key, key) for key in keys}
    taken = {*column_of, *names.values(), *run_schema(keys).names}
    more += [
        f"{sql_name(column_of[name])} AS {sql_name(alias)}"
        for alias, name in (ALIASES | FORMER).items()
        if alias not in taken and name in column_of
    ]
    shown = [*(renamed.get(name, name) for name in run_schema(keys).names), *names.values(), "errors"]
    # LEFT JOIN: a trace has no measurements, and keeps its row.
    joined = f"SELECT {own}, m.* EXCLUDE (run) FROM runs r LEFT JOIN ({measured}) m ON r.run = m.run"
    return f"WITH w AS ({joined}) SELECT {', '.join(['*', *more])} FROM w", shown


def _numbers_by_run() -> str:
    """SQL for a map of each run's numbers by metric and stat: ``{'latency p99': 0.01}``.

    With a filtered aggregate for each column, planning alone would take four times as long as this query runs.
    """
    return (
        "SELECT run, map_from_entries(list((name, value))) AS stated"
        " FROM (SELECT run, metric || ' ' || stat AS name, any_value(value) AS value"
        f" FROM {measurements_with_zeros()} GROUP BY ALL) GROUP BY run"
    )


def with_integer_counts(wide: pa.Table) -> pa.Table:
    """`wide` with counts as integers, for columns in which all counts are whole numbers."""
    counts = {metric.name for metric in metrics().values() if metric.unit == "1"} | {"errors"}
    for at, name in enumerate(wide.column_names):
        if name in counts and wide[name].type == pa.float64():
            with contextlib.suppress(pa.ArrowInvalid):  # not whole, or too large for an integer
                wide = wide.set_column(at, name, wide[name].cast(pa.int64()))
    return wide


def condition_names(connection: Connection) -> list[str]:
    """The names that a condition may use: labels, metrics with and without unit, short names."""
    stated = _metric_columns(connection)
    metrics_ = [metric if stat == "total" else f"{metric}_{stat}" for metric, stat in stated]
    return [
        *run_schema(label_keys(connection)).names,
        *CANONICAL,
        *metrics_,
        *stated.values(),
        "errors",
        *_SOURCE_PARTS,
        *ALIASES,
    ]


def _errors(names: Iterable[str]) -> str:
    """The sum of wrk's four kinds of socket errors, as SQL."""
    return " + ".join(sql_name(name) for name in names if name.startswith("errors_")) or "NULL::DOUBLE"


def _metric_columns(connection: Connection) -> dict[tuple[str, str], str]:
    """The column of each metric and stat that occurs."""
    rows = connection.execute(f"SELECT metric, stat, any_value(unit) FROM {MEASURED} GROUP BY metric, stat").fetchall()
    units = {(metric, stat): unit for metric, stat, unit in rows}
    return {pair: column_name(*pair, units[pair]) for pair in sorted(units, key=_metric_order)}


def column_name(metric: str, stat: str, unit: str) -> str:
    """The name of a metric's column in a wide table, with the unit at its end: ``latency_mean_s``."""
    name = metric if stat == "total" else f"{metric}_{stat}"
    suffix = _SUFFIX.get(unit, "")
    # `bytes_read`, not `bytes_read_bytes`.
    return name if "bytes" in name.split("_") and suffix == "_bytes" else name + suffix


def _metric_order(pair: tuple[str, str]) -> tuple[int, int, float, str, str]:
    """The order of metrics: as their tools declare them; for each metric the summary, then the percentiles by size."""
    metric, stat = pair
    declared = list(metrics())
    place = declared.index(metric) if metric in declared else len(declared)
    if stat in _STATS:
        return place, 0, _STATS.index(stat), metric, stat
    try:
        return place, 1, float(stat.removeprefix("p")), metric, stat
    except ValueError:
        return place, 2, 0.0, metric, stat  # no percentile: "within_stdev", "thread_1"
