"""Finds runs of a setting that seem not to be repeats: a slow first run or round, an outlier, groups of values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wrkparse.analysis.comparison.cells.cells import ComparisonCell, LabelKeys, LabelValues
from wrkparse.analysis.comparison.cells.order import run_order
from wrkparse.analysis.comparison.cells.places import PlacesApart, places_apart
from wrkparse.analysis.comparison.cells.rounds import SlowRound, slow_rounds
from wrkparse.analysis.stats.arrays import Floats
from wrkparse.analysis.stats.dixon import find_outlier

# The docstring of `scatter` says how often repeats with normal errors seem to be slow or grouped by these numbers.
_FEWEST = 5  # runs of which the first can differ from the others
_DEVIATIONS = 10.0  # scaled median absolute deviations from the median: the limit of hyperfine
# 1 / Φ⁻¹(3/4): the median absolute deviation of a normal distribution, times this, is its standard deviation.
_SCALE = 1.4826
_FEWEST_OF_GROUP = 3  # runs; two may be outliers
_GAP = 2.0  # between two groups, as a multiple of the widest one's range
_LEAST = 0.05  # of the median, by convention: less matters to nobody


class SlowFirst(NamedTuple):
    """A cell whose first run is worse than all others: its labels, and the change from their median to it."""

    cell: LabelValues
    change: float


class Outlier(NamedTuple):
    """A run that lies far from all others of its cell: the cell's labels, ``source:line``, the change from the others.

    ``change`` is from the median of the others to the run.
    """

    cell: LabelValues
    where: str
    change: float


class Groups(NamedTuple):
    """A cell whose values form two groups or more: its labels, and the size and the median of each, lowest first."""

    cell: LabelValues
    counts: tuple[int, ...]
    medians: tuple[float, ...]


class Scatter(NamedTuple):
    """The cells of a metric whose runs seem not to be repeats under equal conditions, of as many as were tested."""

    slow_first: tuple[SlowFirst, ...]
    groups: tuple[Groups, ...]
    tested: int
    slow_rounds: tuple[SlowRound, ...]
    places_apart: tuple[PlacesApart, ...]
    outliers: tuple[Outlier, ...]


def scatter(cells: Sequence[ComparisonCell], keys: LabelKeys, compared: LabelKeys) -> Scatter:
    """How the values of each cell of a metric lie, which `ComparisonCell.sample` has.

    A first run is slow if it lies ten scaled median absolute deviations beyond the median of the others, on the worse
    side of all of them. This is the test of hyperfine (``src/outlier_detection.rs``) for outliers, applied to the other
    runs. Of repeats with normal errors, 1 % of 5 runs and 0.3 % of 8 would appear so. Groups have three runs each
    or more, and between them gaps of twice the range of the widest one: 2 % of 6 runs and 0.7 % of 8. Both need
    differences of 5 % of the median. For an outlier see `wrkparse.analysis.stats.dixon`; a slow first run is none, nor
    is a run of a slow round.
    """
    tested = [cell for cell in cells if len(cell.sample) >= _FEWEST]
    slow = [(cell, slow_first(_in_order(cell), cell.record["better"])) for cell in tested]
    groups = ((cell.values_of(keys), value_groups(np.array(cell.sample))) for cell in tested)
    rounds = slow_rounds(cells, compared)
    of_rounds = tuple(f"{one.folder}/" for one in rounds)
    return Scatter(
        tuple(SlowFirst(cell.values_of(keys), change) for cell, change in slow if change),
        tuple(Groups(cell, *found) for cell, found in groups if found is not None),
        len(tested),
        rounds,
        tuple(found for cell in tested if (found := places_apart(cell, keys))),
        tuple(
            outlier
            for cell, change in slow
            if not change and (outlier := _outlier(cell, keys)) and not outlier.where.startswith(of_rounds)
        ),
    )


def _outlier(cell: ComparisonCell, keys: LabelKeys) -> Outlier | None:
    """The run of a cell that is far from the others; None without one."""
    at = find_outlier(cell.sample) if len(cell.sample) == len(cell.runs) else None
    if at is None:
        return None
    median = float(np.median([*cell.sample[:at], *cell.sample[at + 1 :]]))
    change = cell.sample[at] / median - 1 if median else 0.0
    return Outlier(cell.values_of(keys), cell.runs[at].where, change) if change else None


def _in_order(cell: ComparisonCell) -> list[float]:
    order = run_order(cell.runs)
    return [] if order is None else [cell.sample[at] for at in order]


def slow_first(values: Sequence[float], better: str | None) -> float:
    """The change from the median of all runs but the first to that, if it is slow; else 0."""
    if len(values) < _FEWEST or better is None:
        return 0.0
    first, others = values[0], np.array(values[1:])
    median = float(np.median(others))
    deviation = _SCALE * float(np.median(np.abs(others - median)))
    is_worst = first < others.min() if better == "higher" else first > others.max()
    is_far = abs(first - median) > max(_DEVIATIONS * deviation, _LEAST * abs(median))
    return first / median - 1 if is_worst and is_far and median else 0.0


def value_groups(sample: Floats) -> tuple[tuple[int, ...], tuple[float, ...]] | None:
    """The sizes and medians of the groups that values form, as many as there are; None if they form none."""
    values = np.sort(sample)
    gaps, least = np.diff(values), _LEAST * abs(float(np.median(values)))
    # From as many groups as there may be down to two: the first number that fits splits the values as finely as can be.
    for count in range(min(len(values) // _FEWEST_OF_GROUP, 1 + int((gaps > least).sum())), 1, -1):
        splits = np.sort(np.argsort(-gaps, kind="stable")[: count - 1])  # the widest gaps are those between groups
        groups = np.split(values, splits + 1)
        widest = max(float(np.ptp(group)) for group in groups if len(group))
        if min(map(len, groups)) >= _FEWEST_OF_GROUP and gaps[splits].min() > max(_GAP * widest, least):
            return tuple(map(len, groups)), tuple(float(np.median(group)) for group in groups)
    return None
