"""Rounds: folders of logs in each of which every compared setting has one run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from wrkparse.analysis.comparison.cells.cells import ComparisonCell, LabelKeys, cells_by_setting
from wrkparse.analysis.comparison.cells.order import run_order
from wrkparse.analysis.runs.labels.labels import natural_order
from wrkparse.analysis.runs.selection import SelectedRun
from wrkparse.analysis.stats.arrays import Floats

_FEWEST = 3  # rounds of which one can differ from the others

# As for groups of values in `wrkparse.analysis.comparison.cells.scatter`.
_GAP = 2.0  # between a slow run and the others, as a multiple of their range
_LEAST = 0.05  # of the median; smaller differences are not reported


class SlowRound(NamedTuple):
    """A round in which each setting was worse than in all others: its folder, and each change from their median."""

    folder: str
    changes: tuple[float, ...]


def paired_order(cell: ComparisonCell, reference: ComparisonCell) -> tuple[list[int], list[int]] | None:
    """The indices of the runs of two cells in an order in which the i-th ones are a pair; None if they make no pairs.

    They were made in a known order, or in rounds.
    """
    if len(cell.runs) != len(reference.runs) or len(cell.sample) != len(reference.sample):
        return None
    if run_order([*cell.runs, *reference.runs]) is not None:
        one, other = run_order(cell.runs), run_order(reference.runs)
        return None if one is None or other is None else (one, other)
    folders = round_folders([cell.runs, reference.runs])
    if folders is None:
        return None
    # By number: round-2 comes before round-10.
    one, other = (sorted(range(len(of)), key=lambda at: natural_order(of[at])) for of in folders)
    return one, other


def round_folders(cells: Sequence[Sequence[SelectedRun]]) -> list[list[str]] | None:
    """The round of each run of each cell; None if the runs are not in rounds.

    A round is a folder that has one run of each cell: ``round-1/kiwi.txt`` and ``round-1/emu.txt``.
    """
    parts = [[run.source.split("/")[:-1] for run in runs] for runs in cells]
    # From the outermost folder down: `2026-11-20/round-1/kiwi.txt` has its rounds at the second depth.
    for depth in range(1, 1 + min((len(one) for of_cell in parts for one in of_cell), default=0)):
        folders = [["/".join(one[:depth]) for one in of_cell] for of_cell in parts]
        rounds = set(folders[0])
        # Each cell has as many runs as there are folders, and the same folders.
        if len(rounds) > 1 and all(len(of_cell) == len(rounds) == len({*of_cell, *rounds}) for of_cell in folders):
            return folders
    return None


def slow_rounds(cells: Iterable[ComparisonCell], compared: LabelKeys) -> tuple[SlowRound, ...]:
    """The rounds that are worse than all others in each of two or more settings, by the samples of a metric.

    In each setting the gap to the others is twice their range, and 5 % of their median. Of three rounds of two settings
    with normal errors, some 1 % would appear so, and of more fewer.
    """
    found: list[SlowRound] = []
    for group in cells_by_setting(list(cells), compared).values():
        filled = [cell for cell in group if cell.sample and len(cell.sample) == len(cell.runs)]
        folders = round_folders([cell.runs for cell in filled]) if len(filled) > 1 else None
        if folders is None or len(folders[0]) < _FEWEST:
            continue
        for folder in folders[0]:
            changes = [_slowness(cell, of_cell.index(folder)) for cell, of_cell in zip(filled, folders, strict=True)]
            if all(changes):
                found.append(SlowRound(folder, tuple(changes)))
    return tuple(found)


def _slowness(cell: ComparisonCell, at: int) -> float:
    """The change from the median of a cell's other runs to one of them, if that is far worse than each; else 0."""
    value, others = cell.sample[at], np.delete(np.array(cell.sample), at)
    gap = _gap(value, others, cell.record["better"])
    median = float(np.median(others))
    is_far = gap > max(_GAP * float(np.ptp(others)), _LEAST * abs(median))
    return value / median - 1 if is_far and median else 0.0


def _gap(value: float, others: Floats, better: str | None) -> float:
    """How far a value is on the worse side of all others; negative if it is not."""
    if better is None:
        return -1.0
    return float(others.min() - value if better == "higher" else value - others.max())
