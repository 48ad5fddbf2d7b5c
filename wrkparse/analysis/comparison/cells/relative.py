"""The runs of a comparison relative to the baseline of their setting."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from wrkparse.analysis.comparison.compare import ComparisonTable


def relative_samples(table: ComparisonTable) -> pd.DataFrame:
    """The rows of ``table.samples`` with the column ``ratio``: the run's value over the baseline's centre.

    The centre is that of the baseline's runs in the same setting. The ratio is NaN where the baseline has no run that
    counts there, or a centre of 0, for shares, and in a comparison without a baseline.
    """
    samples = table.samples.astype(dict.fromkeys(("metric", *table.rows, *table.columns), "string"))
    keys = ["metric", *table.setting_keys]
    bases = table.cells[table.cells["verdict"].eq("baseline").fillna(value=False) & ~table.cells["is_share"]]
    centers = bases[[*keys, "center"]].rename(columns={"center": "ratio"})
    found = samples.merge(centers, on=keys, how="left") if len(bases) else samples.assign(ratio=np.nan)
    return found.assign(ratio=found["value"] / found["ratio"].where(found["ratio"] > 0))


def ratios_to_best(cells: pd.DataFrame, key: str) -> pd.Series[float]:
    """The ratio of each cell's centre to the best one among the cells with the same value of the label `key`.

    `cells` are rows of ``ComparisonTable.cells`` for one metric. The best is the lowest where lower is better, else the
    highest. Invalid cells and centres of 0 have NaN, and are not the best.
    """
    counting = cells["center"].where((cells["center"] > 0) & cells["verdict"].ne("invalid").fillna(value=True))
    lower = bool(len(cells) and str(cells["better"].iloc[0]) == "lower")
    best = counting.groupby(cells[key], dropna=False).transform("min" if lower else "max")
    return (counting / best).astype(float)


def mean_distance(ratios: pd.Series[float]) -> float:
    """How far ratios are from 1, as the mean of the absolute values of their logarithms; infinite if none is known."""
    known = ratios.dropna().to_numpy(float)
    return float(np.abs(np.log(known)).mean()) if len(known) else math.inf
