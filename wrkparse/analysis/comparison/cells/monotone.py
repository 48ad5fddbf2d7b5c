"""Tests whether a metric rises or falls with a compared quantity, such as GOGC or the number of cores.

The test is about all values together; two neighbouring values need not differ.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from wrkparse.analysis.comparison.cells.cell_results import Method
from wrkparse.analysis.comparison.cells.cells import ComparisonCell, LabelKeys, cells_by_setting
from wrkparse.analysis.runs.labels.factors import base_key
from wrkparse.analysis.runs.labels.key_words import VARIABLES
from wrkparse.analysis.runs.labels.labels import has_size, natural_order
from wrkparse.analysis.stats.arrays import Floats
from wrkparse.analysis.stats.ordered_groups import ordered_test
from wrkparse.analysis.stats.resolution import moved
from wrkparse.analysis.stats.stratified import Stratum, compare_within
from wrkparse.context.structure.factors.factor_labels import FACTOR_KEYS

_FEWEST_VALUES, _FEWEST_RUNS = 3, 2  # of two values the comparison tells; one run of a value has no spread
# Labels that are quantities; ports, identifiers and versions are numbers, too.
_QUANTITIES = frozenset(
    {*VARIABLES, "cores", "connections", "threads", "processes", "workers", "payload_bytes", "rate"}
)
# "max_conns", "pool_size"
_AMOUNT_WORDS = re.compile(
    r"(?:worker|proc(?:s|ess)|thread|core|cpu|conn|pool|size|limit|batch|buffer|concurren|queue|shard|mem|gogc|level)",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"(?:.*_)?(?:id|no|number|port|seed|version)", re.IGNORECASE)  # "worker_id", "port"
_ARGUMENT = re.compile(r"arg[0-9]{1,2}")  # "arg1", an argument without a name
# "P4", "16k"; not "v2", which is a version
_SIZE = re.compile(r"(?P<letter>[A-Ua-uW-Zw-z]?)-?(?P<number>[0-9]{1,7})(?P<unit>(?:[KMGkmg](?:i?[Bb])?)?)")
_SWITCHED_OFF = "off"  # GOGC=off: beyond every number


class Monotone(NamedTuple):
    """A metric that `rises`, or else falls, with the label `key` in all settings.

    - ``settings``, ``values``: their numbers.
    - ``first``: the smallest value. ``last``: the largest one, unless the rise is `flat` at its end; then it is the
      value from which on the runs of all values overlap with each other, in all settings.
    - ``ratio``: the metric at ``last`` over that at ``first``, with its interval from ``lo`` to ``hi``.
    - ``p``: of the test of a trend (`stats.ordered_groups`).
    - ``runs``: the fewest and the most runs of one value in one setting.
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


def monotone(cells: Sequence[ComparisonCell], compared: LabelKeys, method: Method) -> Monotone | None:
    """The rise or fall of a metric over these cells of it; None if there is none, or it is not significant.

    It needs all of these:

    - Medians are compared, not pairs.
    - One label is compared. It does not name servers, and has at least three values, which are numbers (or ``off``,
      which comes last).
    - Each value has several runs in each of its settings.
    - In each setting, the medians rise (or fall) from each value to the next, except at the end if the runs of the
      last values overlap. The runs of the first value and of the last that differs do not overlap.
    """
    values = {cell.labels[compared[0]] for cell in cells if cell.sample}
    if (
        method.paired
        or method.center != "median"
        or len(compared) > 1
        or len(values) < _FEWEST_VALUES
        or not _are_amounts(compared[0], values)
    ):
        return None
    groups = [[cell for cell in group if cell.sample] for group in cells_by_setting([*cells], compared).values()]
    settings = [sorted(group, key=lambda cell: natural_order(cell.labels[compared[0]])) for group in groups if group]
    sizes = [len(cell.sample) for group in settings for cell in group]
    if cells[0].record["is_share"] or min(sizes) < _FEWEST_RUNS or min(map(len, settings)) < 2:
        return None
    first, *rest = sorted(values, key=natural_order)
    by_value = [{cell.labels[compared[0]]: cell.sample for cell in group} for group in settings]
    last = _last_that_differs([first, *rest], by_value)
    samples = [[np.asarray(cell.sample, dtype=np.float64) for cell in group] for group in settings]
    ways = {way for group in settings for way in _ways(_up_to(last, group, compared[0]))}
    test = ordered_test(samples)
    rises = test.score > 0
    # the digits that were cut off may lessen the rise, as far as they can
    least = ordered_test([_moved_together(group, rises=rises) for group in settings])
    # `ways` has both True and False if the medians rise between two values and fall between two others.
    if ways != {rises} or (least.score > 0) != rises or not max(test.p, least.p) <= method.alpha:
        return None
    ends = [group for group in by_value if first in group and last in group]
    if not ends or first is None or last is None or any(_overlap(group[first], group[last]) for group in ends):
        return None
    strata = [Stratum(np.sort(group[last]), np.sort(group[first])) for group in ends]
    found = compare_within(strata, method.confidence)
    if not (math.isfinite(found.ratio) and found.ratio > 0):
        return None
    return Monotone(
        compared[0], rises, first, last, last != rest[-1], len(values), len(settings),
        (min(sizes), max(sizes)), found.ratio, found.lo, found.hi, max(test.p, least.p),
    )  # fmt: skip


def _moved_together(group: Sequence[ComparisonCell], *, rises: bool) -> list[Floats]:
    """The samples of one setting, moved as near to each other as their printed digits allow.

    If the metric rises, the first values are moved up and the last ones down.
    """
    # In proportion to the places of the values, so that all neighbours come nearer by the same amount.
    steps = np.linspace(1, -1, len(group)) * (1 if rises else -1)
    return [
        moved(np.asarray(cell.sample, np.float64), abs(step) * float(cell.record["resolution"]), int(np.sign(step)))
        for cell, step in zip(group, steps, strict=True)
    ]


def _last_that_differs(
    values: Sequence[str | None], by_value: Sequence[Mapping[str | None, Sequence[float]]]
) -> str | None:
    """The value from which on the runs of all values overlap with each other, in every setting; else the last.

    It is the second one at least.
    """
    last = len(values) - 1
    while last > 1:
        pairs = [(group.get(values[last - 1]), group.get(value)) for group in by_value for value in values[last:]]
        if not all(one and other and _overlap(one, other) for one, other in pairs):
            break
        last -= 1
    return values[last]


def _up_to(last: str | None, group: Sequence[ComparisonCell], key: str) -> list[Floats]:
    """The samples of one setting, in its order, up to a value."""
    end = natural_order(last)
    return [np.asarray(cell.sample, np.float64) for cell in group if natural_order(cell.labels[key]) <= end]


def _overlap(one: Sequence[float], other: Sequence[float]) -> bool:
    return min(one) <= max(other) and min(other) <= max(one)


def _are_amounts(key: str, values: set[str | None]) -> bool:
    """Whether a label is a quantity, and all its values are numbers.

    - An argument without a name is a quantity if its values leave gaps (``gzip -1``, ``-6``, ``-9``). Without gaps, the
      numbers may count variants.
    - The same holds for headings, folders and files (``P1``, ``P2``, ``P4``), but not for versions (``v1``, ``v2``).
    """
    if base_key(key) in FACTOR_KEYS:
        return _are_sizes(values)
    if not all(has_size(value) or value == _SWITCHED_OFF for value in values):
        return False
    if _ARGUMENT.fullmatch(key):
        return not _count_up(values)
    return key in _QUANTITIES or (_AMOUNT_WORDS.search(key) is not None and not _IDENTIFIER.fullmatch(key))


def _are_sizes(names: Collection[str | None]) -> bool:
    """Whether names are numbers with one letter or unit that leave gaps: ``P1``, ``P2``, ``P4``; ``1k``, ``16k``."""
    matches = [match for name in names if (match := _SIZE.fullmatch(name or ""))]
    if len(matches) < len(names) or _count_up([match["number"] for match in matches]):
        return False
    letters = {match["letter"] for match in matches}
    return len(letters) == 1 and (letters != {""} or any(match["unit"] for match in matches))


def _count_up(values: Collection[str | None]) -> bool:
    """Whether values are numbers that go on by one: 1, 2 and 3."""
    numbers = sorted(int(value) for value in values if value and value.isdecimal())
    return len(numbers) == len(values) and numbers == [*range(numbers[0], numbers[0] + len(numbers))]


def _ways(samples: Sequence[Floats]) -> set[bool]:
    """Whether the medians rise (True), fall (False) or do both, from one value to the next."""
    medians = [float(np.median(sample)) for sample in samples]
    return {after > before for before, after in pairwise(medians) if after != before}
