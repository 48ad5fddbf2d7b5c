"""Repeats from several folders or files: whether those of one place differ from those of another."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import NamedTuple

import numpy as np

from wrkparse.analysis.comparison.cells.cells import ComparisonCell, LabelKeys, LabelValues
from wrkparse.analysis.stats.mann_whitney import mann_whitney

_FEWEST = 3  # runs of a place; two may be alike by chance
_MOST = 8  # places of which each pair is tested: 28 pairs
_ALPHA = 0.01  # stricter than the 0.05 of verdicts, because every comparison makes this test
_LEAST = 0.02  # of the lower median, by convention: of many runs, even a difference without consequences is significant


class PlacesApart(NamedTuple):
    """A cell whose repeats of one place differ from those of another: its labels, both places, the ratio, and p."""

    cell: LabelValues
    high: str
    low: str
    ratio: float
    p: float


def places_apart(cell: ComparisonCell, keys: LabelKeys) -> PlacesApart | None:
    """The two places of a cell that are the farthest apart, if they differ significantly among all pairs of places.

    A place is a folder, or a file if all runs are of one folder. Mann and Whitney's p of the two is multiplied by the
    number of pairs (Bonferroni); 5 runs of each of two places that do not overlap have p = 0.0079.
    """
    if len(cell.sample) != len(cell.runs):
        return None
    for of_source in (lambda source: source.rpartition("/")[0], str):
        groups: dict[str, list[float]] = defaultdict(list)
        for run, value in zip(cell.runs, cell.sample, strict=True):
            groups[of_source(run.source)].append(value)
        if len(groups) > 1:
            return _farthest(cell.values_of(keys), groups)
    return None


def _farthest(cell: LabelValues, groups: dict[str, list[float]]) -> PlacesApart | None:
    if len(groups) > _MOST or min(map(len, groups.values())) < _FEWEST:
        return None
    ordered = sorted(groups, key=lambda place: float(np.median(groups[place])))
    low, high = ordered[0], ordered[-1]
    median = float(np.median(groups[low]))
    ratio = float(np.median(groups[high])) / median if median else 1.0
    p = min(1.0, math.comb(len(groups), 2) * mann_whitney(groups[high], groups[low]))
    return PlacesApart(cell, high, low, ratio, p) if p < _ALPHA and ratio > 1 + _LEAST else None
