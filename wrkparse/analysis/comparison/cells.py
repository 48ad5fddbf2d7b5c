"""The grid of a comparison: which runs stand in which cell, and which cells are compared with each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from wrkparse.analysis.runs.selection import Chosen, TooLittleError, natural_order

Labels = dict[str, str | None]
Key = tuple[str | None, ...]
Names = tuple[str, ...]
Sort = Literal["labels", "source", "best"]


@dataclass
class Cell:
    """One cell on its way into the table: `sample` is what is compared, `record` what is shown."""

    labels: Labels
    runs: list[Chosen]
    sample: list[float] = field(default_factory=list)
    record: dict[str, Any] = field(default_factory=dict)

    def of(self, keys: Iterable[str]) -> Key:
        """Its values of these labels."""
        return tuple(self.labels[key] for key in keys)


def grid(runs: list[Chosen], row_keys: Names, column_keys: Names, sort: Sort) -> list[Cell]:
    """All cells, empty ones too, row by row. Columns are always ordered by their labels."""
    groups: dict[tuple[Key, Key], list[Chosen]] = {}
    for run in runs:
        place = tuple(run.labels[key] for key in row_keys), tuple(run.labels[key] for key in column_keys)
        groups.setdefault(place, []).append(run)
    rows = list(dict.fromkeys(row for row, _ in groups))
    if sort != "source":
        rows.sort(key=_by_labels)
    columns = sorted({column for _, column in groups}, key=_by_labels)
    keys = (*row_keys, *column_keys)
    return [
        Cell(dict(zip(keys, (*row, *column), strict=True)), groups.get((row, column), []))
        for row in rows
        for column in columns
    ]


def _by_labels(key: Key) -> list[tuple[bool, bool, float, str]]:
    return [natural_order(part) for part in key]


def compared_labels(cells: list[Cell], row_keys: Names, column_keys: Names, base: Labels) -> tuple[Names, Labels]:
    """The labels whose values are compared, and the baseline's values of them.

    A baseline that names one row (or column) is that row, whatever other labels rows have; else it is the cell with
    just these labels exchanged.
    """
    if not base:
        return row_keys, {}
    matching = [cell for cell in cells if cell.runs and cell.labels.items() >= base.items()]
    if not matching:
        wanted = ", ".join(f"{key}={value or ''}" for key, value in base.items())
        there = {key: dict.fromkeys(cell.labels[key] or "(none)" for cell in cells) for key in base}
        choices = "; ".join(f"{key} is {', '.join(found)}" for key, found in there.items())
        raise TooLittleError(f"no run has the baseline's {wanted}: {choices}")
    for keys in (row_keys, column_keys):
        places = {cell.of(keys) for cell in matching}
        if set(base) <= set(keys) and len(places) == 1:
            return keys, dict(zip(keys, places.pop(), strict=True))
    return tuple(base), base


def varying(labels: Iterable[Mapping[str, str | None]]) -> list[str]:
    """The keys whose values differ."""
    return _once(_differing(list(labels)))


def _differing(listed: list[Mapping[str, str | None]]) -> list[str]:
    return [key for key in (listed[0] if listed else ()) if len({label[key] for label in listed}) > 1]


def _once(keys: Iterable[str], said: Names = ()) -> list[str]:
    """Without ``env_GOGC`` where ``gogc`` says the same."""
    listed = list(keys)
    return [key for key in listed if key.removeprefix("env_").lower() not in {*listed, *said}.difference([key])]


def settings(cells: list[Cell], compared: Names) -> dict[Key, list[Cell]]:
    """Cells that are compared with each other: all labels but the compared ones are the same."""
    found: dict[Key, list[Cell]] = {}
    for cell in cells:
        found.setdefault(cell.of(key for key in cell.labels if key not in compared), []).append(cell)
    return found


def constants(runs: list[Chosen]) -> dict[str, str]:
    """The labels that all runs share, with their values."""
    first = runs[0].labels
    differing = set(_differing([run.labels for run in runs]))
    return {key: value for key, value in first.items() if value is not None and key not in differing}


def also_differ(cells: list[Cell], compared: Names) -> Names:
    """Labels, beside those compared, that each cell of a setting has one value of, but not all the same one."""
    found: dict[str, None] = {}
    for group in settings(cells, compared).values():
        values = [_labels_of(cell) for cell in group if cell.runs]
        for key in values[0] if values else ():
            if (
                all(len(value[key]) == 1 for value in values)
                and len(set().union(*(value[key] for value in values))) > 1
            ):
                found[key] = None
    return tuple(_once(found, compared))


def _labels_of(cell: Cell) -> dict[str, set[str | None]]:
    return {key: {run.labels[key] for run in cell.runs} for key in cell.runs[0].labels if key not in cell.labels}
