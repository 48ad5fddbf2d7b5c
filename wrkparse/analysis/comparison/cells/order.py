"""The order in which the runs of a comparison were made: in blocks or in turns, with a trend or without."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from scipy import special  # scipy.stats takes ten times as long to import

from wrkparse.analysis.comparison.cells.cells import ComparisonCell, LabelKeys, cells_by_setting
from wrkparse.analysis.runs.selection import SelectedRun
from wrkparse.analysis.stats.arrays import Floats
from wrkparse.analysis.stats.comparisons import thin
from wrkparse.analysis.stats.kendall import kendall_score, kendall_variance

_FEWEST = 3  # runs of a cell that can show a trend
_MOST_RUNS = 1000  # of one cell in the test; evenly spaced ones stand for more
# The smallest p is 0.001 with 999 shuffles, and 0.01 with 99, which bound the time for more than 500 cells.
_SHUFFLES, _FEW_SHUFFLES, _MANY_CELLS = 999, 99, 500
_MOST_VALUES = 1_000_000  # that are shuffled at once, 8 MB of them


class RunLayout(NamedTuple):
    """In how many settings of those with a known order the compared runs were made in blocks, and in turns.

    In blocks: all runs of one cell before those of the next. In turns: rounds in which each cell has one run, in any
    order. Settings with fewer than two cells of two runs do not count. ``timed`` says that all orders are by time;
    else some are that of the lines. ``unknown`` counts the settings whose order is not known.
    """

    blocks: int
    turns: int
    settings: int
    timed: bool
    unknown: int


class Trend(NamedTuple):
    """What the order of the runs of a cell has to do with their values, over all cells.

    ``change`` is the median change from a cell's first run to its last (Theil's slope), relative to its median, NaN if
    it has not the direction of the test; ``p`` is of Kendall's test, summed over the cells. ``lag1`` is the correlation
    of successive runs of a cell; ``lag1_p`` is from permutations. All are NaN if no cell has three runs of known order.
    """

    change: float
    p: float
    lag1: float
    lag1_p: float


def run_order(runs: Sequence[SelectedRun]) -> list[int] | None:
    """The indices of these runs in the order in which they were made, None if it is not known.

    It is that of the times in the log, or of the lines if all are in one file.
    """
    if all(run.logged_from is not None for run in runs):
        return sorted(range(len(runs)), key=lambda at: (runs[at].logged_from, runs[at].source, runs[at].line))
    if len({run.source for run in runs}) == 1:
        return sorted(range(len(runs)), key=lambda at: runs[at].line)
    return None


def layout(cells: list[ComparisonCell], compared: LabelKeys) -> RunLayout:
    """How the runs of the cells of each setting follow each other."""
    blocks = turns = settings = unknown = 0
    timed = True
    for group in cells_by_setting(cells, compared).values():
        repeated = [cell for cell in group if len(cell.runs) > 1]
        owners = [place for place, cell in enumerate(repeated) for _ in cell.runs]
        order = run_order([run for cell in repeated for run in cell.runs])
        if len(repeated) < 2:
            continue
        if order is None:
            unknown += 1
            continue
        timed &= all(run.logged_from is not None for cell in repeated for run in cell.runs)
        sequence, count = [owners[at] for at in order], len(repeated)
        settings += 1
        # As many unbroken stretches of one cell as there are cells.
        blocks += sum(1 for _ in groupby(sequence)) == count
        turns += all(len(set(sequence[at : at + count])) == count for at in range(0, len(sequence), count))
    return RunLayout(blocks, turns, settings, timed and settings > 0, unknown)


def trend(cells: Iterable[ComparisonCell]) -> Trend:
    """Kendall's test and the correlation of successive runs, over the cells with `ComparisonCell.sample`."""
    series = [values for values in map(_in_order, cells) if len(values) >= _FEWEST and np.ptp(values) > 0]
    if not series:
        return Trend(math.nan, math.nan, math.nan, math.nan)
    scores = sum(kendall_score(values) for values in series)
    deviation = math.sqrt(sum(map(kendall_variance, map(len, series))))
    # Without ties, scores are 2 apart; half of that is the correction for continuity.
    p = min(1.0, float(2 * special.ndtr(-max(0.0, abs(scores) - 1) / deviation)))
    change = float(np.median([_change(values) for values in series]))
    return Trend(change if change * scores > 0 else math.nan, p, *_lag1(series))


def _in_order(cell: ComparisonCell) -> Floats:
    order = run_order(cell.runs)
    if order is None or not cell.sample:
        return np.empty(0)
    return np.array([cell.sample[at] for at in thin(np.array(order, dtype=float), _MOST_RUNS).astype(int)])


def _change(values: Floats) -> float:
    one, other = np.triu_indices(len(values), 1)
    slope = float(np.median((values[other] - values[one]) / (other - one)))
    median = float(np.median(values))
    return slope * (len(values) - 1) / median if median else math.nan


def _lag1(series: list[Floats]) -> tuple[float, float]:
    """The correlation, and the share of shuffled orders that have one as far from what shuffling gives on average."""
    generator = np.random.default_rng(0)  # the same answer at each call
    # Series of one length are one array, all of whose rows NumPy shuffles at once.
    by_length: dict[int, list[Floats]] = {}
    for values in series:
        by_length.setdefault(len(values), []).append(values - values.mean())
    deviations = [np.array(group) for group in by_length.values()]
    observed = float(_correlations(deviations))
    count = _SHUFFLES if len(series) <= _MANY_CELLS else _FEW_SHUFFLES
    at_once = max(1, _MOST_VALUES // sum(one.size for one in deviations))
    shuffled = np.concatenate(
        [
            _correlations([generator.permuted(np.repeat(one[None], some, axis=0), axis=-1) for one in deviations])
            for some in (min(at_once, count - done) for done in range(0, count, at_once))
        ]
    )
    distance = abs(observed - shuffled.mean())
    # The same order, shuffled by chance, must count: its sum may differ in the last bits.
    beyond = int(np.count_nonzero(np.abs(shuffled - shuffled.mean()) >= distance * (1 - 1e-12)))
    # The observed order is one of the possible ones, too. So p is never 0 (Phipson & Smyth, "Permutation p-values
    # should never be zero", Stat. Appl. Genet. Mol. Biol. 9, 2010).
    return observed, (1 + beyond) / (1 + count)


def _correlations(deviations: list[Floats]) -> Floats:
    """Of the rows of several arrays, a row for each cell; one for each order, if an axis of orders is in front."""
    products, squares = (
        np.sum([part.sum(axis=(-2, -1)) for part in parts], axis=0)
        for parts in ([one[..., :-1] * one[..., 1:] for one in deviations], [one**2 for one in deviations])
    )
    return np.asarray(products / squares)
