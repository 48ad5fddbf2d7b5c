"""Metrics by the names that users write, and the value of a metric in each run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from wrkparse.analysis.runs.selection import TooLittleError
from wrkparse.dataset import Dataset, QueryError, column_name
from wrkparse.dataset.aliases import full_name, with_short_names
from wrkparse.dataset.queries.sql import sql_string
from wrkparse.model.records import Better
from wrkparse.text.suggestions import did_you_mean
from wrkparse.tools import counting, metrics
from wrkparse.tools.common import FAILED, UNEXPECTED

# The metric whose stdev and mean show how much another one varied within a run. wrk prints no stdev of its total rate,
# but one of the Req/Sec of its threads.
_VARIATION_OF = {"throughput": "thread_throughput"}
ERRORS = "errors"  # the column of `Dataset.wide`: the sum of wrk's socket errors
_ERRORS_SHARE_OF = "requests"
_FAILURES = frozenset((FAILED.name, UNEXPECTED.name))


class MetricStat(NamedTuple):
    """One number of a report: ``name`` as users write it (``throughput``, ``latency_p99``), ``unit`` a base unit.

    ``is_share`` marks failures as a share of the requests (`as_shares`).
    """

    name: str
    metric: str
    stat: str
    unit: str
    better: Better | None
    is_share: bool = False


class MetricValue(NamedTuple):
    """The value of a metric in one run, in its base unit.

    `resolution` is half the last printed digit. `within_cv` is the coefficient of variation (stdev / mean) within the
    run, NaN if the report does not state it.
    """

    value: float
    resolution: float
    within_cv: float


MetricValues = Mapping[MetricStat, Mapping[str, MetricValue]]  # of several metrics, by metric and run


def choose_metric(dataset: Dataset, name: str) -> MetricStat:
    """The number that `name` means: ``metric`` for its total, else ``metric_stat``; the unit may be appended.

    A short name of `wrkparse.dataset.aliases` (``rps``, ``p99``) means the metric that it stands for. ``errors`` is the
    sum of wrk's socket errors, as in `Dataset.wide`.

    Raises TooLittleError if no run states it, QueryError if there is no such metric.
    """
    rows = dataset.rows_with_zeros("SELECT DISTINCT metric, stat, unit FROM {stated} ORDER BY ALL")
    stated: list[str] = []
    name = full_name(name)
    if name == ERRORS and len(_errors(dataset)):
        return MetricStat(ERRORS, ERRORS, "total", "1", "lower")
    for metric, stat, unit in rows:
        short = short_metric_name(metric, stat)
        stated.append(short)
        if name in {short, column_name(metric, stat, unit)}:
            declared = metrics().get(metric)
            return MetricStat(
                short, metric, stat, unit, declared.better if declared and declared.unit == unit else None
            )
    # requests_sent is a metric of its own
    if stats := [short_metric_name(metric, stat) for metric, stat, _ in rows if metric == name and name in metrics()]:
        raise QueryError(f"metric {name} has several numbers; choose one: {', '.join(stats)}")
    if name == ERRORS or any(name == declared or name.startswith(f"{declared}_") for declared in metrics()):
        raise TooLittleError(f"no run states {name}" + (f"; there are: {', '.join(stated)}" if stated else ""))
    hint = did_you_mean(name, with_short_names([*stated, *metrics()]))
    raise QueryError(f"there is no metric {name!r}{hint}; there are: {', '.join(stated) or 'none'}")


def stated_metrics(dataset: Dataset) -> list[MetricStat]:
    """Every number that the reports state: totals and means first, then in the order in which tools declare them."""
    rows = dataset.answer_rows("SELECT DISTINCT metric, stat, unit FROM measurements ORDER BY ALL")
    declared = metrics()
    stated = []
    for metric, stat, unit in rows:
        better: Better | None = declared[metric].better if metric in declared else None
        stated.append(MetricStat(short_metric_name(metric, stat), metric, stat, unit, better))
    order = {name: position for position, name in enumerate(declared)}
    return sorted(
        stated, key=lambda metric: (metric.stat not in {"total", "mean"}, order.get(metric.metric, len(order)))
    )


def short_metric_name(metric: str, stat: str) -> str:
    """The name of a statistic of a metric: ``throughput`` for the total, ``latency_p99``."""
    return metric if stat == "total" else f"{metric}_{stat}"


def metric_values(dataset: Dataset, metric: MetricStat) -> dict[str, MetricValue]:
    """The value in each run that states the metric, by run. A run that states it as ``nan`` is left out.

    A count that a complete report does not print because it is 0 is stated (`wrkparse.dataset.counts`).
    """
    if metric.metric == ERRORS:
        return _errors(dataset)
    variation = _VARIATION_OF.get(metric.metric, metric.metric)
    names, stats = ", ".join(map(sql_string, (metric.metric, variation))), f"{sql_string(metric.stat)}, 'mean', 'stdev'"
    rows = dataset.rows_with_zeros(
        "SELECT run, metric, stat, value, resolution FROM {stated}"
        f" WHERE metric IN ({names}) AND stat IN ({stats}) AND value IS NOT NULL"
    )
    stated: dict[str, dict[tuple[str, str], tuple[float, float]]] = {}
    for run, name, stat, value, resolution in rows:
        stated.setdefault(run, {}).setdefault((name, stat), (value, math.nan if resolution is None else resolution))
    found = {}
    for run, numbers in stated.items():
        value, resolution = numbers.get((metric.metric, metric.stat), (math.nan, math.nan))
        mean, stdev = (numbers.get((variation, stat), (math.nan,))[0] for stat in ("mean", "stdev"))
        if not math.isnan(value):
            found[run] = MetricValue(value, resolution, stdev / mean if mean else math.nan)
    return found


def _errors(dataset: Dataset) -> dict[str, MetricValue]:
    """The sum of socket errors of each run whose tool counts them."""
    wide = dataset.wide_arrow()
    if ERRORS not in wide.column_names:
        return {}
    values = zip(wide["run"].to_pylist(), wide[ERRORS].to_pylist(), strict=True)
    return {run: MetricValue(float(value), 0.0, math.nan) for run, value in values if value is not None}


def as_shares(
    dataset: Dataset, metric: MetricStat, values: dict[str, MetricValue]
) -> tuple[MetricStat, dict[str, MetricValue]]:
    """Counts of failures as shares of the requests, with the unit ``ratio``; other metrics as they are.

    Runs without a number of requests, or with none made, are left out; if there are no others, counts stay counts.
    """
    declared = metrics().get(metric.metric)
    share_of = _ERRORS_SHARE_OF if metric.metric == ERRORS else declared.share_of if declared else None
    if share_of is None or metric.unit != "1":
        return metric, values
    try:
        wholes = metric_values(dataset, choose_metric(dataset, share_of))
    except TooLittleError:
        return metric, values
    beside = _counting_failures_beside(dataset) if metric.metric in _FAILURES else frozenset()
    made = {
        run: wholes[run].value + (value.value if run in beside else 0.0)
        for run, value in values.items()
        if run in wholes
    }
    shares = {run: values[run]._replace(value=values[run].value / whole) for run, whole in made.items() if whole > 0}
    return (metric._replace(unit="ratio", is_share=True), shares) if shares else (metric, values)


def _counting_failures_beside(dataset: Dataset) -> frozenset[str]:
    """The runs of tools whose requests are without those that failed."""
    tools = ", ".join(sql_string(name) for name, tool in counting().items() if tool.failures_among_requests)
    return frozenset(run for (run,) in dataset.answer_rows(f"SELECT run FROM runs WHERE tool NOT IN ({tools})"))
