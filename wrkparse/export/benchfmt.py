"""Go's benchmark format, as benchstat reads it (golang.org/design/14313-benchmark-format).

Every run is a line ``BenchmarkRun/framework=nginx/connections=64 1 40669.44 req/s …``: benchstat takes lines of one
name for repeats, and computes medians and p values itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pandas as pd

from wrkparse.dataset import Dataset
from wrkparse.export.settings import by_setting, differing_labels

_BLANK = re.compile(r"\s+")
_UNITS = {"1/s": "/s", "s": "-sec", "bytes": "-B", "bytes/s": "-B/s", "ratio": "-ratio"}


def content(dataset: Dataset, metric: str | Sequence[str] | None) -> bytes:
    """A line for each run that counts, with its metrics in base units, and one for each unit that says what is better.

    Copies of runs, invalid runs, and latencies that are suspect are left out, as `wrkparse.compare` leaves them out.
    """
    table = by_setting(dataset, metric)
    keys = differing_labels(table)
    units = {
        name: (_unit(name, str(cells["unit"].iloc[0])), cells["better"].iloc[0])
        for name, cells in table.cells.groupby("metric", sort=False)
    }
    lines = [f"Unit {unit} better={better}" for unit, better in units.values() if not pd.isna(better)]
    for _, run in table.samples.groupby("run", sort=False):
        first = run.iloc[0]
        labels = [f"/{key}={_BLANK.sub('_', str(first[key]))}" for key in keys if not pd.isna(first[key])]
        values = [f"{float(row['value'])!r} {units[row['metric']][0]}" for row in run.to_dict("records")]
        lines.append(f"BenchmarkRun{''.join(labels) or '/all'} 1 {' '.join(values)}")
    return ("\n".join(lines) + "\n").encode()


def _unit(metric: object, unit: str) -> str:
    """``req/s`` for throughput; else the metric's name with its unit, as ``latency-p99-sec``."""
    return "req/s" if metric == "throughput" else f"{str(metric).replace('_', '-')}{_UNITS.get(unit, '')}"
