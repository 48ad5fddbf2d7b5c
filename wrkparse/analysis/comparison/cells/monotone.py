"""Whether a metric rises, or falls, with a number that is compared, such as GOGC, from each value to the next."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from wrkparse.analysis.comparison.cells.cell_results import Method
from wrkparse.analysis.comparison.cells.cells import Cell, LabelKeys, cells_by_setting
from wrkparse.analysis.runs.labels.factors import base_key
from wrkparse.analysis.runs.labels.key_words import NAME_KEYS
from wrkparse.analysis.runs.labels.labels import is_number, natural_order
from wrkparse.analysis.stats.arrays import Floats
from wrkparse.analysis.stats.ordered_groups import ordered_test
from wrkparse.analysis.stats.stratified import Stratum, compare_within
from wrkparse.context.structure.structure import FACTOR_KEYS

_FEWEST_VALUES, _FEWEST_RUNS = 3, 2  # of two values the comparison tells; one run of a value has no spread
_SWITCHED_OFF = "off"  # GOGC=off: beyond every number


class Monotone(NamedTuple):
    """A metric that `rises`, or else falls, with the label `key`, in all of so many `settings`.

    ``ratio``, with its interval from ``lo`` to ``hi``, is that of the value ``last`` to the smallest value, ``first``.
    ``last`` is the largest of so many ``values``, unless the rise is `flat` at its end: then it is the value from which
    on the runs of neighbouring values overlap in all settings. ``p`` is of the test of a trend
    (`stats.ordered_groups`). ``runs`` are the fewest and the most of one value in one setting.
    """

    key: str
    rises: bool
    first: str
    last: str
    flat: bool
    values: int
    settings: int
    runs: tuple[int, int]
    ratio: float
    lo: float
    hi: float
    p: float


def monotone(cells: Sequence[Cell], compared: LabelKeys, method: Method) -> Monotone | None:
    """The rise or fall of a metric whose cells these are; None if there is none, or it is not significant.

    Medians are compared, not pairs. One label is compared; it names nothing that answers, and has at least three
    values, all of them numbers (or ``off``, which comes last), and each with several runs in each of its settings. In
    each setting the medians follow each other in one direction.
    """
    values = {cell.labels[compared[0]] for cell in cells if cell.sample}
    if (
        method.paired
        or method.center != "median"
        or len(compared) > 1
        or len(values) < _FEWEST_VALUES
        or not _are_numbers(compared[0], values)
    ):
        return None
    groups = [[cell for cell in group if cell.sample] for group in cells_by_setting([*cells], compared).values()]
    settings = [sorted(group, key=lambda cell: natural_order(cell.labels[compared[0]])) for group in groups if group]
    sizes = [len(cell.sample) for group in settings for cell in group]
    if cells[0].record["is_share"] or min(sizes) < _FEWEST_RUNS or min(map(len, settings)) < 2:
        return None
    samples = [[np.asarray(cell.sample, dtype=np.float64) for cell in group] for group in settings]
    ways = {way for of_one in samples for way in _ways(of_one)}
    test = ordered_test(samples)
    if len(ways) != 1 or test.p > method.alpha or (test.score > 0) != ways.pop():
        return None
    first, *rest = sorted(values, key=natural_order)
    last = _last_that_differs([first, *rest], settings, compared[0])
    by_value = [{cell.labels[compared[0]]: cell.sample for cell in group} for group in settings]
    ends = [group for group in by_value if first in group and last in group]
    if not ends or first is None or last is None:
        return None
    strata = [Stratum(np.sort(group[last]), np.sort(group[first])) for group in ends]
    found = compare_within(strata, method.confidence)
    return Monotone(
        compared[0], test.score > 0, first, last, last != rest[-1], len(values), len(settings),
        (min(sizes), max(sizes)), found.ratio, found.lo, found.hi, test.p,
    )  # fmt: skip


def _last_that_differs(values: Sequence[str | None], settings: Sequence[Sequence[Cell]], key: str) -> str | None:
    """The value from which on the runs of each value overlap with those of the next, in every setting; else the last.

    It is not the first one.
    """
    by_value = [{cell.labels[key]: cell.sample for cell in group} for group in settings]
    last = len(values) - 1
    while last > 1:
        pairs = [(group.get(values[last - 1]), group.get(values[last])) for group in by_value]
        if not all(one and other and _overlap(one, other) for one, other in pairs):
            break
        last -= 1
    return values[last]


def _overlap(one: Sequence[float], other: Sequence[float]) -> bool:
    return min(one) <= max(other) and min(other) <= max(one)


def _are_numbers(key: str, values: set[str | None]) -> bool:
    if key in NAME_KEYS or base_key(key) in FACTOR_KEYS:
        return False
    return all(is_number(value) or value == _SWITCHED_OFF for value in values)


def _ways(samples: Sequence[Floats]) -> set[bool]:
    """Whether the medians rise (True), fall (False) or do both, from one value to the next."""
    medians = [float(np.median(sample)) for sample in samples]
    return {after > before for before, after in pairwise(medians) if after != before}
