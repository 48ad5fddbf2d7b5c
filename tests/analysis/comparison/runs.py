"""Made-up runs, and cells of comparisons by their labels."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa

from wrkparse.analysis.comparison.compare import ComparisonTable
from wrkparse.dataset import Dataset
from wrkparse.ingest.labels.structure_labels import with_structure
from wrkparse.tools.schema import run_schema, schema

METRICS = {
    "throughput": ("total", "1/s"), "latency": ("mean", "s"), "errors_timeout": ("total", "1"),
    "errors_read": ("total", "1"), "errors_connect": ("total", "1"), "failed_requests": ("total", "1"),
    "requests": ("total", "1"),
}  # fmt: skip


class Runs:
    """Runs from numbers, one `add` for one run."""

    def __init__(self, resolution: float = 0.0) -> None:
        self.resolution = resolution
        self.runs: list[dict[str, object]] = []
        self.measurements: list[dict[str, object]] = []
        self.texts: list[dict[str, object]] = []

    def add(
        self,
        text: str = "",
        *,
        verdict: str | None = None,
        labels: dict[str, object],
        source: str = "log.txt",
        **values: float,
    ) -> None:
        name, line = f"run{len(self.runs)}", 10 * len(self.runs) + 1
        audited = {
            "verdict": verdict,
            "valid": None if verdict is None else verdict != "invalid",
            "latency_valid": None if verdict is None else verdict in ("ok", "suspect"),
        }
        self.runs.append({"run": name, "tool": "wrk", "source": source, "line": line, **audited, **labels})
        for metric, value in values.items():
            stat, unit = METRICS[metric]
            self.measurements.append(
                {
                    "run": name,
                    "metric": metric,
                    "stat": stat,
                    "value": value,
                    "unit": unit,
                    "resolution": self.resolution,
                    "line": line,
                }
            )
        self.texts += [{"run": name, "line": line + n, "text": part} for n, part in enumerate(text.splitlines())]

    def several(self, throughputs: list[float], **labels: object) -> None:
        for value in throughputs:
            self.add(labels=labels, throughput=value)

    def dataset(self) -> Dataset:
        keys = {key for run in self.runs for key in run} - set(schema("runs").names)
        tables = {
            "runs": pa.Table.from_pylist(self.runs, run_schema(keys)),
            "measurements": pa.Table.from_pylist(self.measurements, schema("measurements")),
            "texts": pa.Table.from_pylist(self.texts, schema("texts")),
        }
        return Dataset.of_tables(with_structure(tables))


def cell(table: ComparisonTable, metric: str = "throughput", **labels: str) -> pd.Series:
    cells = table.cells[table.cells["metric"] == metric]
    for key, value in labels.items():
        cells = cells[cells[key] == value]
    assert len(cells) == 1
    return cells.iloc[0]
