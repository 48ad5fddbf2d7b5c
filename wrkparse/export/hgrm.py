"""HdrHistogram's percentile distribution (``.hgrm``), in milliseconds, as its plotters and `wrkparse` itself read it.

The layout is that of ``outputPercentileDistribution`` of ``org/HdrHistogram/AbstractHistogram.java``. The histograms of
several runs of one setting are added up. A latency between two rows of a run counts as the upper row, so no percentile
is too low. The line ``#[Buckets`` is left out: sums have no buckets.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import pandas as pd

from wrkparse.analysis.runs.selection import TooLittleError
from wrkparse.dataset import Dataset, QueryError
from wrkparse.export.settings import by_setting, setting_labels

_MS = 1000  # in a second


def content(dataset: Dataset, metric: str | Sequence[str] | None) -> bytes:
    """The latencies of all usable runs that have a histogram.

    Raises QueryError if the runs have different settings or if metrics are named, TooLittleError without a histogram.
    """
    if metric:
        raise QueryError("a histogram contains only latencies; leave out --metric")
    rows = dataset.spectrum
    rows = rows[rows["total_count"].notna() & (rows["corrected"].isna() | rows["corrected"].eq(True))]
    if rows.empty:
        raise TooLittleError("no run has a histogram; wrk2 prints one with --latency, and .hgrm files contain one")
    table = by_setting(dataset, _stated_by_most(dataset, rows))
    counting = table.samples.loc[table.samples["run"].isin(rows["run"]), [*setting_labels(table), "run"]]
    differing = [key for key in counting.columns[:-1] if len(counting[key].unique()) > 1]
    if differing:
        raise QueryError(f"the runs differ in {', '.join(differing)}; choose one setting with --where")
    rows = rows[rows["run"].isin(counting["run"])]
    counts = _merged(rows)
    if not counts:
        raise TooLittleError("the histograms of these runs are empty: no request was answered")
    head = f"{'Value':>12} {'Percentile':>14} {'TotalCount':>10} {'1/(1-Percentile)':>14}"
    return "\n".join([head, "", *_rows(counts), *_footer(dataset, counts, rows), ""]).encode()


def _stated_by_most(dataset: Dataset, rows: pd.DataFrame) -> str:
    """The latency that the most of these runs print: a file may be without its line `Max`."""
    printed = dataset.measurements
    printed = printed[printed["run"].isin(rows["run"]) & printed["metric"].eq("latency")]
    counts = printed.groupby("stat")["run"].nunique().sort_index()
    return f"latency_{counts.idxmax()}" if len(counts) else "latency_max"


def _merged(rows: pd.DataFrame) -> Counter[float]:
    """The number of latencies by value in seconds."""
    counts: Counter[float] = Counter()
    for _, of_run in rows.groupby("run"):
        ordered = of_run.sort_values(["total_count", "value_s"])
        before = 0
        for value, total in zip(ordered["value_s"], ordered["total_count"], strict=True):
            # The report has the number of latencies up to a value: the difference is those in between.
            counts[value] += int(total) - before
            before = int(total)
    return +counts  # without the rows that no latency is in


def _rows(counts: Counter[float]) -> list[str]:
    """A row for each value, with the share and the count of latencies up to it."""
    total, up_to, lines = counts.total(), 0, []
    for value, count in sorted(counts.items()):
        up_to += count
        line = f"{value * _MS:12.3f} {up_to / total:.12f} {up_to:10d}"
        # The last row has no 1/(1 - p), which is infinite; HdrHistogram leaves it out, too.
        lines.append(line if up_to == total else f"{line} {total / (total - up_to):14.2f}")
    return lines


def _footer(dataset: Dataset, counts: Counter[float], rows: pd.DataFrame) -> list[str]:
    """Mean and deviation, if all runs print them below their histograms, and the largest latency."""
    weights = rows.groupby("run")["total_count"].max().astype(float)
    tools = dataset.runs.set_index("run")["tool"]
    printed = dataset.measurements[dataset.measurements["run"].isin(weights.index)]
    has_only_histogram = printed["run"].map(tools).eq("hdrhistogram")  # wrk2 has other latencies above its histogram
    printed = printed[
        printed["metric"].eq("latency_histogram") | (has_only_histogram & printed["metric"].eq("latency"))
    ]
    stats = {
        stat: printed[printed["stat"] == stat].set_index("run")["value"].reindex(weights.index)
        for stat in ("mean", "stdev", "max")
    }
    lines, most = [], max(counts)
    if not any(stats[stat].isna().any() for stat in ("mean", "stdev")):
        mean = float((stats["mean"] * weights).sum() / weights.sum())
        # The mean of all squares: of each run, deviation² + mean².
        squares = float(((stats["stdev"] ** 2 + stats["mean"] ** 2) * weights).sum() / weights.sum())
        deviation = math.sqrt(max(0.0, squares - mean**2))
        lines.append(f"#[Mean    = {mean * _MS:12.3f}, StdDeviation   = {deviation * _MS:12.3f}]")
    if not stats["max"].isna().any():
        most = float(stats["max"].max())
    return [*lines, f"#[Max     = {most * _MS:12.3f}, Total count    = {counts.total():12d}]"]
