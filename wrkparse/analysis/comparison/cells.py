"""The cells of a comparison: which runs belong to each, and which cells are compared with each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from wrkparse.analysis.runs.labels import TITLE, differing_labels, natural_order, without_repeated_environment
from wrkparse.analysis.runs.selection import SelectedRun, TooLittleError

Labels = dict[str, str | None]
LabelValues = tuple[str | None, ...]
LabelKeys = tuple[str, ...]
RowOrder = Literal["labels", "source", "best"]


@dataclass
class Cell:
    """One cell of a comparison.

    ``labels`` are those of its row and column. ``sample`` has the values that are compared, one for each run.
    ``record`` has the columns of the cell's row in `ComparisonTable.cells`, as far as they are computed.
    """

    labels: Labels
    runs: list[SelectedRun]
    sample: list[float] = field(default_factory=list)
    record: dict[str, Any] = field(default_factory=dict)

    def values_of(self, keys: Iterable[str]) -> LabelValues:
        """The cell's values of these labels."""
        return tuple(self.labels[key] for key in keys)


def make_cells(runs: list[SelectedRun], row_keys: LabelKeys, column_keys: LabelKeys, row_order: RowOrder) -> list[Cell]:
    """The cells row by row, with those that have no runs. Columns are always ordered by their labels."""
    groups: dict[tuple[LabelValues, LabelValues], list[SelectedRun]] = {}
    for run in runs:
        position = tuple(run.labels[key] for key in row_keys), tuple(run.labels[key] for key in column_keys)
        groups.setdefault(position, []).append(run)
    rows = list(dict.fromkeys(row for row, _ in groups))
    if row_order != "source":
        rows.sort(key=_label_order)
    columns = sorted({column for _, column in groups}, key=_label_order)
    keys = (*row_keys, *column_keys)
    return [
        Cell(dict(zip(keys, (*row, *column), strict=True)), groups.get((row, column), []))
        for row in rows
        for column in columns
    ]


def _label_order(values: LabelValues) -> list[tuple[bool, bool, float, str]]:
    return [natural_order(value) for value in values]


def compared_labels(
    cells: list[Cell], row_keys: LabelKeys, column_keys: LabelKeys, baseline: Labels
) -> tuple[LabelKeys, Labels]:
    """The keys of the labels whose values are compared, and the baseline's values of them.

    If the baseline's labels select one row (or column), the baseline is that row, whatever other labels rows have.
    Otherwise the baseline of a cell is the cell that differs in just these labels. Without a baseline, rows are
    compared. Raises TooLittleError if no run has the baseline's labels.
    """
    if not baseline:
        return row_keys, {}
    matching = [cell for cell in cells if cell.runs and cell.labels.items() >= baseline.items()]
    if not matching:
        wanted = ", ".join(f"{key}={value or ''}" for key, value in baseline.items())
        values = {key: dict.fromkeys(cell.labels[key] or "(none)" for cell in cells) for key in baseline}
        choices = "; ".join(f"{key} is {', '.join(present)}" for key, present in values.items())
        raise TooLittleError(f"no run has the baseline's {wanted}: {choices}")
    for keys in (row_keys, column_keys):
        selected = {cell.values_of(keys) for cell in matching}
        if set(baseline) <= set(keys) and len(selected) == 1:
            return keys, dict(zip(keys, selected.pop(), strict=True))
    return tuple(baseline), baseline


_PROGRAM = "program"


def cells_by_setting(cells: list[Cell], compared: LabelKeys) -> dict[LabelValues, list[Cell]]:
    """Groups of cells that are compared with each other: all labels but the compared ones are the same."""
    groups: dict[LabelValues, list[Cell]] = {}
    for cell in cells:
        groups.setdefault(cell.values_of(key for key in cell.labels if key not in compared), []).append(cell)
    return groups


def shared_labels(runs: list[SelectedRun]) -> dict[str, str]:
    """The labels that all runs share, with their values; their loop is left to the notes."""
    first = runs[0].labels
    left_out = {*differing_labels(run.labels for run in runs), "loop", "corrected"}
    return {key: value for key, value in first.items() if value is not None and key not in left_out}


def confounded_labels(cells: list[Cell], compared: LabelKeys) -> LabelKeys:
    """Labels beside the compared ones that differ between the cells of a setting while no cell mixes their values.

    Such a label may be the reason for a difference as well as the compared ones.
    """
    confounded: dict[str, None] = {}
    for group in cells_by_setting(cells, compared).values():
        filled = [cell for cell in group if cell.runs]
        values = [_other_label_values(cell) for cell in filled]
        for key in values[0] if values else ():
            one_value_each = all(len(value[key]) == 1 for value in values)
            if key == _PROGRAM and any(None in value[key] for value in values):  # whoever started it, it is unknown
                continue
            if not one_value_each or len(set().union(*(value[key] for value in values))) == 1:
                continue
            if not all(_repeats(cell, compared, value[key]) for cell, value in zip(filled, values, strict=True)):
                confounded[key] = None
    return tuple(without_repeated_environment(confounded, compared))


def _repeats(cell: Cell, compared: LabelKeys, values: set[str | None]) -> bool:
    """Whether another label says what a compared one says already, as the program does where it is what answers."""
    return any(values == {cell.labels[key]} for key in compared)


def _other_label_values(cell: Cell) -> dict[str, set[str | None]]:
    """The values of each label that is not one of the cell's own."""
    keys = [key for key in cell.runs[0].labels if key not in cell.labels and key != TITLE]
    return {key: {run.labels[key] for run in cell.runs} for key in keys}
