"""The metrics of a comparison that names none: the rate, one latency, and the failures that any run has."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from wrkparse.analysis.go.trace_metrics import DEFAULT_TRACE_METRICS, traced_runs
from wrkparse.analysis.runs.metrics import MetricStat, stated_metrics
from wrkparse.analysis.runs.selection import SelectedRun, TooLittleError
from wrkparse.dataset import Dataset
from wrkparse.dataset.counts import MEASURED
from wrkparse.tools import metrics
from wrkparse.tools.ab.metrics import CAUSES

_FIRST = ("throughput", "elapsed", "time_per_op")  # `time` prints no rate, nor does a benchmark of Go
_EITHER = "throughput, elapsed or time_per_op"
_LATENCY, _PREFERRED, _WITHOUT_PERCENTILES = "latency", "p99", "mean"
_PERCENTILE = re.compile(r"p([0-9.]+)")  # "p99.9"


def default_metrics(dataset: Dataset, runs: Iterable[SelectedRun], where: str | None = None) -> list[str]:
    """The names of the metrics to compare these runs by; `where` selected them.

    Raises TooLittleError if they state no rate and no time.

    - ``throughput``; ``elapsed`` if no run states a throughput; ``time_per_op`` if none states either.
    - ``latency_p99`` if all runs that state the first metric print it, else the highest percentile that they all print,
      else the mean, if any prints it.
    - Each count of failures of which any run has one.
    - Of runs with garbage collections that state neither rate nor time, `DEFAULT_TRACE_METRICS`.
    """
    tools = {run.run: run.labels["tool"] for run in runs}
    stats, failing = _stats_and_failures(dataset, tools)
    stating = (name for name in _FIRST if any((name, "total") in of_run for of_run in stats.values()))
    first = next(stating, None)
    if first is None and tools.keys() & traced_runs(dataset):
        return list(DEFAULT_TRACE_METRICS)
    if first is None:
        raise TooLittleError(_nothing_stated(stated_metrics(dataset), tools, where))
    compared = [of_run for of_run in stats.values() if (first, "total") in of_run]
    names = [first]
    if stat := _latency_stat([{stat for metric, stat in of_run if metric == _LATENCY} for of_run in compared]):
        names.append(f"{_LATENCY}_{stat}")
    return names + [name for name in _failures() if name in failing]


def _nothing_stated(stated: Sequence[MetricStat], runs: Collection[str], where: str | None) -> str:
    """Why there is nothing to compare by, and what to do."""
    if not runs:
        return "there are no runs to compare" if where is None else f"no run matches {where!r}: nothing to compare"
    which = "no run" if where is None else f"no run with {where!r}"
    if stated:
        return f"{which} states {_EITHER}; name another metric: {', '.join(one.name for one in stated)}"
    return f"{which} states {_EITHER}; wrkparse sched shows traces side by side"


def _stats_and_failures(
    dataset: Dataset, tools: Mapping[str, str | None]
) -> tuple[dict[str, set[tuple[str, str]]], set[str]]:
    """What each run states, metrics and stats in their own unit; and the failures of any run, which are not 0.

    `tools` are those of the wanted runs. ab's causes are in its sum of failures.
    """
    firsts, failures = (", ".join(f"'{name}'" for name in names) for names in ((*_FIRST, _LATENCY), _failures()))
    # wrk also prints the share of the latencies near their mean: a ratio, which is no latency to compare by.
    query = (
        f"SELECT run, metric, stat, metric IN ({failures}) FROM {MEASURED}"
        f" WHERE metric IN ({firsts}) AND unit <> 'ratio' AND value IS NOT NULL OR metric IN ({failures}) AND value > 0"
    )
    causes = {metric.name for metric in CAUSES.values()}
    stats: dict[str, set[tuple[str, str]]] = {}
    failing = set()
    for run, metric, stat, is_failure in dataset.answer_rows(query):
        if run not in tools:
            continue
        if not is_failure:
            stats.setdefault(run, set()).add((metric, stat))
        elif not (tools[run] == "ab" and metric in causes):
            failing.add(metric)
    return stats, failing


def _latency_stat(of_runs: list[set[str]]) -> str | None:
    shared = set.intersection(*of_runs) if of_runs else set()
    if _PREFERRED in shared:
        return _PREFERRED
    percentiles = [(float(match[1]), stat) for stat in shared if (match := _PERCENTILE.fullmatch(stat))]
    if percentiles:
        return max(percentiles)[1]
    return _WITHOUT_PERCENTILES if any(_WITHOUT_PERCENTILES in stats for stats in of_runs) else None


def _failures() -> list[str]:
    """The counts of failures, as tools declare them."""
    return [name for name, metric in metrics().items() if metric.share_of is not None]
