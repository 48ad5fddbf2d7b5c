"""The tables of a comparison, made of its cells, and the order of their rows."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from wrkparse.analysis.comparison.cells.cells import ComparisonCell, LabelKeys, cells_by_setting
from wrkparse.analysis.comparison.cells.label_columns import FLOATS, INTEGERS, TRUTHS
from wrkparse.analysis.runs.metrics import MetricValues
from wrkparse.analysis.stats.families import geometric_means
from wrkparse.dataset.frames import frame_of_rows


def sort_best_first(results: list[list[ComparisonCell]], row_keys: LabelKeys) -> None:
    """Order the rows of all metrics by the first metric; rows without a value come last.

    A row's place is the geometric mean of its centres, each relative to the geometric mean of its column over the rows
    that have a value in every column that any row has. Without such rows it is relative to the column's median.
    """
    first = results[0]
    rows = {row: list(group) for row, group in itertools.groupby(first, key=lambda cell: cell.values_of(row_keys))}
    centers = np.array(
        [[cell.record["center"] if cell.sample else math.nan for cell in group] for group in rows.values()]
    )
    with np.errstate(divide="ignore", invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a column or row of which nothing is known
        logs = np.log(np.where(centers > 0, centers, math.nan))
        complete = ~np.isnan(logs).any(axis=1)
        level = logs[complete].mean(axis=0) if complete.any() else np.nanmedian(logs, axis=0)
        means = np.nanmean(logs - level, axis=1)
    ascending = first[0].record["better"] == "lower"
    order = {
        row: (math.isnan(mean), mean if ascending else -mean) for row, mean in zip(rows, means.tolist(), strict=True)
    }
    for cells in results:
        cells.sort(key=lambda cell: order[cell.values_of(row_keys)])


def cells_table(cells: Iterable[ComparisonCell]) -> pd.DataFrame:
    """A row for each cell: its labels, then its record (see `ComparisonTable`), with the dtypes of both."""
    rows = [{**cell.labels, **cell.record} for cell in cells]
    texts = [name for name in itertools.chain.from_iterable(rows) if name not in {*INTEGERS, *FLOATS, *TRUTHS}]
    dtypes = dict.fromkeys(texts, "string") | dict.fromkeys(FLOATS, "float64") | dict.fromkeys(INTEGERS, "Int64")
    dtypes |= dict.fromkeys(TRUTHS, "boolean")
    return frame_of_rows(rows, dtypes)


def samples_table(values: MetricValues, results: list[list[ComparisonCell]]) -> pd.DataFrame:
    """A row for each run of each cell: ``metric``, the labels of the cell, ``run``, ``source``, ``value`` (SI unit)."""
    rows = [
        {"metric": metric.name, **cell.labels, "run": run.run, "source": run.source, "value": of_metric[run.run].value}
        for (metric, of_metric), cells in zip(values.items(), results, strict=True)
        for cell in cells
        for run in cell.runs
    ]
    return pd.DataFrame(rows)


def geomeans_table(results: Iterable[list[ComparisonCell]], compared: LabelKeys) -> pd.DataFrame:
    """A row for each metric and variant: ``metric``, labels, ``geomean`` of ratios, ``settings_used``, ``settings``.

    A variant without any ratio has no mean and does not restrict the other variants.
    """
    rows: list[dict[str, Any]] = []
    for cells in results:
        settings = [
            {cell.values_of(compared): cell for cell in group} for group in cells_by_setting(cells, compared).values()
        ]
        variants = list(dict.fromkeys(cell.values_of(compared) for cell in cells))
        ratios = np.array([[_ratio_of(setting.get(variant)) for variant in variants] for setting in settings])
        has_ratio = ~np.isnan(ratios).all(axis=0)
        means = np.full(len(has_ratio), math.nan)
        means[has_ratio], used = geometric_means(ratios[:, has_ratio])
        counts = {"settings_used": int(used.sum()), "settings": len(settings)}
        for variant, mean in zip(variants, means, strict=True):
            labels = dict(zip(compared, variant, strict=True))
            rows.append({"metric": cells[0].record["metric"], **labels, "geomean": mean, **counts})
    return pd.DataFrame(rows).astype(dict.fromkeys(("metric", *compared), "string"))


def _ratio_of(cell: ComparisonCell | None) -> float:
    """NaN without a cell: if rows have two labels, a setting need not have every combination of them."""
    return math.nan if cell is None else float(cell.record.get("ratio", math.nan))
