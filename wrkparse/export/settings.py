"""The settings of a dataset's runs, with the median of each metric and its interval."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from wrkparse.analysis.comparison.choice.default_metrics import default_metrics
from wrkparse.analysis.comparison.compare import ComparisonTable, compare
from wrkparse.analysis.runs.labels.factors import factors
from wrkparse.analysis.runs.selection import select_runs
from wrkparse.dataset import Dataset
from wrkparse.dataset.aliases import split_names

_STUDY = "study"  # a label of the rows even if no label differs, so that there is at least one row


class Setting(NamedTuple):
    """One metric of one setting: the median of its `runs`, and its interval (NaN with too few runs), in base units.

    ``labels`` has the labels in which the settings differ, without missing values. ``better`` is ``higher``, ``lower``
    or None.
    """

    labels: Mapping[str, str]
    metric: str
    unit: str
    better: str | None
    center: float
    lo: float
    hi: float
    runs: int

    @property
    def name(self) -> str:
        """``framework=nginx/connections=64``; ``all`` if there is one setting only."""
        return benchmark_name(self.labels)


def benchmark_name(labels: Mapping[str, str]) -> str:
    """A setting's name: its labels, written like Go's sub-benchmarks."""
    return "/".join(f"{key}={value}" for key, value in labels.items()) or "all"


def by_setting(dataset: Dataset, metric: str | Sequence[str] | None) -> ComparisonTable:
    """A comparison without a baseline, with a row for each setting of the runs that have the first metric.

    Raises TooLittleError if no run has the metric, QueryError for a metric that does not exist.
    """
    names = default_metrics(dataset, select_runs(dataset, None, ())) if metric is None else split_names(metric)
    known = factors(dataset, metric=names[0])
    return compare(dataset, rows=[_STUDY, *known.compared, *known.load], metric=names)


def setting_labels(table: ComparisonTable) -> list[str]:
    """The labels of the rows and columns; the study only if there are several."""
    keys = table.cell_keys
    return [key for key in keys if key != _STUDY or len(table.cells[key].unique()) > 1]


def settings(table: ComparisonTable) -> list[Setting]:
    """The settings of a `by_setting` table that have usable runs: those without a verdict, by metric."""
    keys = setting_labels(table)
    counted = table.cells[(table.cells["n"] > 0) & table.cells["center"].notna() & table.cells["verdict"].isna()]
    return [
        Setting(
            {key: str(row[key]) for key in keys if not pd.isna(row[key])},
            str(row["metric"]), str(row["unit"]), None if pd.isna(row["better"]) else str(row["better"]),
            row["center"], row["lo"], row["hi"], int(row["n"]),
        )
        for row in counted.to_dict("records")
    ]  # fmt: skip


def has_interval(setting: Setting) -> bool:
    """Whether there are enough runs for an interval."""
    return not (math.isnan(setting.lo) or math.isnan(setting.hi))
