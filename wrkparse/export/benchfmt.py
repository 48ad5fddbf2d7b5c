"""Go's benchmark format, as benchstat reads it (golang.org/design/14313-benchmark-format).

Every run is a line ``BenchmarkRun/framework=nginx/connections=64 1 40669.44 req/s …``: benchstat treats lines with the
same name as repeats, and computes medians and p values itself. A Go benchmark (the label ``benchmark``) gets its
original name and units: ``BenchmarkDecode/size=64-8 1 2.274e-07 sec/op``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import pandas as pd

from wrkparse.dataset import Dataset
from wrkparse.export.settings import by_setting, setting_labels

_BLANK = re.compile(r"\s+")  # would end the name of a benchmark
_HEAD = ("goos", "goarch", "pkg", "cpu")  # labels that Go prints above its benchmarks, in this order
_OWN_UNITS = {
    "throughput": "req/s",
    "time_per_op": "sec/op",
    "bytes_per_op": "B/op",
    "allocs_per_op": "allocs/op",
    "processing_rate": "B/s",
}
# Added to the name of a metric, because benchstat compares numbers by their units: `latency-p99-sec`.
_UNITS = {"1/s": "/s", "s": "-sec", "bytes": "-B", "bytes/s": "-B/s", "ratio": "-ratio"}


def content(dataset: Dataset, metric: str | Sequence[str] | None) -> bytes:
    """A line for each usable run, with its metrics in base units, and a line for each unit that says what is better.

    Copies of runs, invalid runs and suspect latencies are left out, as in `wrkparse.compare`.
    """
    table = by_setting(dataset, metric)
    keys = setting_labels(table)
    units = {
        name: (_unit(name, str(cells["unit"].iloc[0])), cells["better"].iloc[0])
        for name, cells in table.cells.groupby("metric", sort=False)
    }
    lines = [f"Unit {unit} better={better}" for unit, better in units.values() if not pd.isna(better)]
    benchmarks = _benchmarks(dataset)
    head: dict[str, str] = {}
    for name, run in table.samples.groupby("run", sort=False):
        labels = {key: str(run[key].iloc[0]) for key in keys if not pd.isna(run[key].iloc[0])}
        for key in _HEAD:
            if head.get(key, "") != (value := labels.get(key, "")):  # without a value, the key no longer holds
                head[key] = value
                lines.append(f"{key}: {value}".rstrip())
        values = [f"{float(row['value'])!r} {units[row['metric']][0]}" for row in run.to_dict("records")]
        lines.append(f"{_name(labels, benchmarks.get(name))} 1 {' '.join(values)}")
    return ("\n".join(lines) + "\n").encode()


def _benchmarks(dataset: Dataset) -> dict[object, str]:
    """The names of the Go benchmarks, by run."""
    runs = dataset.runs
    return dict(runs.set_index("run")["benchmark"].dropna()) if "benchmark" in runs else {}


def _name(labels: Mapping[str, str], benchmark: str | None) -> str:
    """The name of a run: the name of its benchmark, or ``Run``, with the labels in which the runs differ."""
    name_labels = {key: value for key, value in labels.items() if key not in _HEAD}
    processors = ""
    if benchmark is not None:
        name_labels.pop("benchmark", None)
        cores = name_labels.pop("cores", "1")
        # As Go writes GOMAXPROCS: `BenchmarkDecode-8`, and no number for 1.
        processors = f"-{cores}" if cores != "1" else ""
    parts = "".join(f"/{key}={_BLANK.sub('_', value)}" for key, value in name_labels.items())
    return f"Benchmark{benchmark or 'Run'}{parts or ('' if benchmark else '/all')}{processors}"


def _unit(metric: object, unit: str) -> str:
    """The unit of a metric that Go or benchstat knows; otherwise its name and unit, such as ``latency-p99-sec``."""
    return _OWN_UNITS.get(str(metric)) or f"{str(metric).replace('_', '-')}{_UNITS.get(unit, '')}"
