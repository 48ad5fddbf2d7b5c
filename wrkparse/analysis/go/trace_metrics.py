"""Numbers of a gctrace by which runs can be compared as by those of a report: collections, pauses, CPU, heap."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from wrkparse.analysis.go.gc.summary import gc_summary
from wrkparse.analysis.runs.metrics import MetricStat, MetricValue
from wrkparse.analysis.runs.selection import TooLittleError
from wrkparse.model.records import Better

if TYPE_CHECKING:
    import pandas as pd

    from wrkparse.dataset import Dataset

_HALF_MIB = 0.5 * 1024 * 1024  # runtime/mgc.go prints heap sizes in whole MiB


class TraceMetric(NamedTuple):
    """A number of each traced process; ``column`` is that of `gc_summary`."""

    column: str
    unit: str
    better: Better | None
    title: str


# More collections are neither better nor worse: GOGC exchanges them for memory.
TRACE_METRICS = {
    "gc_cycles": TraceMetric("cycles", "1", None, "Number of collections"),
    "gc_pause_total": TraceMetric("pause_total_s", "s", None, "Time in GC pauses"),
    "gc_pause_share": TraceMetric("pause_ratio", "ratio", "lower", "Share of time in GC pauses"),
    "gc_pause_max": TraceMetric("pause_max_s", "s", "lower", "Longest GC pause"),
    "gc_cpu": TraceMetric("gc_cpu_ratio", "ratio", "lower", "GC CPU share"),
    "gc_heap_max": TraceMetric("heap_max_bytes", "bytes", "lower", "Largest heap"),
}
# What is compared where runs state neither a rate nor a time.
DEFAULT_TRACE_METRICS = ("gc_cycles", "gc_pause_share", "gc_cpu")
SUMS = ("gc_cycles", "gc_pause_total")  # they grow with the time that is traced, so more of them is not worse


def traced_runs(dataset: Dataset) -> set[str]:
    """The runs with collections."""
    return {run for (run,) in dataset.answer_rows("SELECT DISTINCT run FROM gc_cycles")}


def trace_values(dataset: Dataset, name: str) -> tuple[MetricStat, dict[str, MetricValue]]:
    """A metric of `TRACE_METRICS` and its value in each traced run that has one.

    Raises TooLittleError if no run has.
    """
    metric = TRACE_METRICS[name]
    table = _summary(dataset)
    numbers = {} if table.empty else table.set_index("run")[metric.column].dropna().astype(float).to_dict()
    if not numbers:
        raise TooLittleError(f"no run states {name}: it comes from the lines of GODEBUG=gctrace=1")
    values = {str(run): MetricValue(value, _resolution(name, value), math.nan) for run, value in numbers.items()}
    return MetricStat(name, name, "total", metric.unit, metric.better), values


def _summary(dataset: Dataset) -> pd.DataFrame:
    """`gc_summary` of all runs, made once for all metrics; nobody changes it."""
    return dataset.cached("gc_summary", lambda: gc_summary(dataset))


def _resolution(name: str, value: float) -> float:
    """Half the last printed digit of what is printed once; 0 for counts, and for sums, in which roundings cancel."""
    if name == "gc_heap_max":
        return _HALF_MIB
    if name == "gc_pause_max" and value > 0:  # two digits: runtime/mgc.go, fmtNSAsMS
        return 0.5 * 10.0 ** (math.floor(math.log10(value)) - 1)
    return 0.0


def traced_seconds(dataset: Dataset, runs: set[str]) -> tuple[float, float] | None:
    """The shortest and the longest time that these runs were traced; None if no trace tells."""
    table = _summary(dataset)
    spans = table.loc[table["run"].isin(runs), "span_s"].dropna() if len(table) else ()
    return (float(min(spans)), float(max(spans))) if len(spans) else None
