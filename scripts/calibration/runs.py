"""Made-up runs: numbers of a metric whose distribution is known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wrkparse.analysis.comparison.cells.cell_results import Method, cells_with_results
from wrkparse.analysis.comparison.cells.cells import ComparisonCell
from wrkparse.analysis.runs.metrics import MetricStat, MetricValue
from wrkparse.analysis.runs.selection import SelectedRun

METRIC = MetricStat("throughput", "throughput", "total", "1/s", "higher")
METHOD = Method(confidence=0.95, alpha=0.05, center="median", include_invalid=False)


def normal(generator: np.random.Generator, n: int, spread: float) -> np.ndarray:
    """Logarithms of `n` runs that spread normally by `spread` (0.02: 2 %) around 0."""
    return spread * generator.standard_normal(n)


def with_outliers(generator: np.random.Generator, n: int, spread: float) -> np.ndarray:
    """As `normal`; every tenth run is slower by five spreads on average."""
    logs = generator.standard_normal(n)
    return spread * np.where(generator.random(n) < 0.1, logs - 5, logs)


def skewed(generator: np.random.Generator, n: int, spread: float) -> np.ndarray:
    """Exponentially distributed logarithms with median 0: many slow runs, few fast ones."""
    return spread * (generator.exponential(size=n) - np.log(2))


SHAPES = {"normal": normal, "with outliers": with_outliers, "skewed": skewed}


def table(
    samples: Sequence[Sequence[Sequence[float]]], baseline: bool, method: Method = METHOD
) -> list[ComparisonCell]:
    """The cells of a comparison of made-up runs: a row for each variant, in it a sample for each setting.

    With `baseline` each is compared with the first row; else the rows are ranked.
    """
    cells: list[ComparisonCell] = []
    values: dict[str, MetricValue] = {}
    for row, settings in enumerate(samples):
        for column, sample in enumerate(settings):
            labels = {"variant": str(row), "setting": str(column)}
            runs = []
            for value in sample:
                name = f"run{len(values)}"
                values[name] = MetricValue(float(value), 0.0, float("nan"))
                runs.append(SelectedRun(name, "log", len(values), labels, valid=True, latency_valid=True))
            cells.append(ComparisonCell(dict(labels), runs))
    reference = {"variant": "0"} if baseline else {}
    return cells_with_results(METRIC, values, cells, ("variant",), dict(reference), method)
