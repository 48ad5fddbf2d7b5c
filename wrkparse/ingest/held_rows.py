"""Rows of runs and of other tables, held as plain values until they become Arrow tables.

Values of many sources become one table. If one of them can't, `convert_rows` finds the run or row to which it belongs:
a fault in wrkparse costs one source, not all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wrkparse.tools.report import Columns
from wrkparse.tools.schema import columns, concat_parts, run_schema, schema

RUN_COLUMNS = (
    "run", "tool", "tool_version", "dialect", "loop", "corrected", "source", "line", "line_end", "section", "command",
    "study", "logged_from", "logged_to", "logged_zone",
)  # fmt: skip
_SHARED_COLUMNS = {  # in which most runs of a tool have equal values
    "labels": ("key", "value", "origin", "overruled", "rule"),
    "measurements": ("metric", "stat", "unit", "line"),
    "texts": ("line",),
}


class LostRun(NamedTuple):
    """A run that is in no table: its identifier, tool and line, and the keys of its labels."""

    run: str
    tool: str
    line: int | None
    keys: frozenset[str]


class Fault(NamedTuple):
    """A run, or a row of another table, that could not become a row of its table, and why."""

    source: str
    run: LostRun | None
    problem: Exception


class _RunRows(list[tuple[str, int, Columns, Columns]]):
    """Rows of runs in one table: for each run its first line, the shared columns and the others, in the table's order.

    Equal values of the shared columns become Arrow values once. A shared line is counted from the run's first one,
    which is 0.
    """

    def __init__(self, table: str) -> None:
        super().__init__()
        self._table, self._shared_names = table, _SHARED_COLUMNS.get(table, ())

    def table(self) -> pa.Table:
        """All rows, of which there is at least one."""
        wanted = schema(self._table)
        runs, lines, shared_of_runs, own = zip(*self, strict=True)
        counts = np.array([len(columns[0]) for columns in own])
        run_index = np.repeat(np.arange(len(counts)), counts)  # the index of each row's run
        types = {field.name: field.type for field in wanted}
        arrays = {"run": pa.array(runs).take(run_index)}
        own_names = [name for name in wanted.names[1:] if name not in self._shared_names]
        for name, parts in zip(own_names, zip(*own, strict=True), strict=True):
            arrays[name] = pa.array(list(chain.from_iterable(parts)), types[name])
        numbers: dict[Columns, int] = {}  # of the different shared columns, from 0
        shared_index = [numbers.setdefault(shared, len(numbers)) for shared in shared_of_runs]
        heights = np.array([len(shared[0]) if shared else 0 for shared in numbers])
        # for each run, how far its rows of shared values are from its own rows
        firsts = (np.cumsum(heights) - heights)[shared_index] - (np.cumsum(counts) - counts)
        rows = np.arange(len(run_index)) + firsts[run_index]
        for name, parts in zip(self._shared_names, zip(*numbers, strict=True), strict=False):
            arrays[name] = pa.array(chain.from_iterable(parts), types[name]).take(rows)
            if name == "line":
                arrays[name] = pc.add(arrays[name], np.array(lines)[run_index])
        return pa.table([arrays[name] for name in wanted.names], wanted)

    def split(self, runs: Iterable[str]) -> tuple[_RunRows, _RunRows]:
        """The rows of these runs, which are the first runs, and the rows of the others. A run may have no rows here."""
        first, others = _RunRows(self._table), _RunRows(self._table)
        run_count = 0
        for run in runs:
            # the rows are in the order of the runs, some of which have none: a merge of two sorted lists
            run_count += [of_run[0] for of_run in self[run_count : run_count + 1]] == [run]
        first += self[:run_count]
        others += self[run_count:]
        return first, others

    def shared_values(self, name: str) -> Iterator[object]:
        """The values of a shared column, each at least once."""
        at = self._shared_names.index(name)
        return chain.from_iterable(shared[at] for _, _, shared, _ in self)


class _RowsByTable(dict[str, _RunRows]):
    """Rows of runs by table."""

    def __missing__(self, table: str) -> _RunRows:
        return self.setdefault(table, _RunRows(table))


class _TableColumns(dict[str, list[list[object]]]):
    """Columns of other tables. The garbage collector would visit millions of tuples again and again."""

    def __missing__(self, table: str) -> list[list[object]]:
        return self.setdefault(table, [[] for _ in columns()[table]])


class HeldRows:
    """Rows of the table `runs`, of tables of runs, and of tables of sources."""

    def __init__(self) -> None:
        self.runs: list[tuple[object, ...]] = []  # the columns of all runs
        self.labels: list[Mapping[str, object]] = []  # the other columns; runs with the same labels share them
        self.of_runs = _RowsByTable()
        self.columns = _TableColumns()

    def add_row(self, table: str, values: Sequence[object]) -> None:
        """Add a row of a table of sources."""
        for column, value in zip(self.columns[table], values, strict=True):
            column.append(value)

    def tables(self) -> dict[str, pa.Table]:
        """All rows by table."""
        tables = {name: _table(schema(name), values) for name, values in self.columns.items()}
        tables |= {name: rows.table() for name, rows in self.of_runs.items()}
        if self.runs:
            # by identity: runs share their mapping, and there are far fewer of them than runs
            keys = set().union(*{id(some): some for some in self.labels}.values())
            wanted = run_schema(keys.difference(schema("runs").names))
            columns_by_name = dict(zip(RUN_COLUMNS, map(list, zip(*self.runs, strict=True)), strict=True))
            values = [columns_by_name.get(name) or [some.get(name) for some in self.labels] for name in wanted.names]
            tables["runs"] = _table(wanted, values)
        return tables

    def halves(self) -> tuple[HeldRows, HeldRows] | None:
        """Two parts that together have all rows; None for one run with its rows, or one row of another table."""
        # From coarse to fine: runs and other rows, halves of the runs, single tables, halves of their rows.
        first, second = HeldRows(), HeldRows()
        if self.runs and self.columns:
            first.runs, first.labels, first.of_runs = self.runs, self.labels, self.of_runs
            second.columns = self.columns
        elif len(self.runs) > 1:
            self._split_runs(len(self.runs) // 2, first, second)
        elif len(self.columns) > 1:
            for name, columns in self.columns.items():
                (second if first.columns else first).columns[name] = columns
        elif any(len(columns[0]) > 1 for columns in self.columns.values()):
            for name, columns in self.columns.items():
                middle = len(columns[0]) // 2
                first.columns[name], second.columns[name] = [c[:middle] for c in columns], [c[middle:] for c in columns]
        else:
            return None
        return first, second

    def _split_runs(self, middle: int, first: HeldRows, second: HeldRows) -> None:
        first.runs, second.runs = self.runs[:middle], self.runs[middle:]
        first.labels, second.labels = self.labels[:middle], self.labels[middle:]
        for name, rows in self.of_runs.items():
            parts = rows.split(str(run[0]) for run in first.runs)
            for half, part in zip((first, second), parts, strict=True):
                if part:
                    half.of_runs[name] = part

    def fault(self, problem: Exception) -> Fault:
        """The fault of rows that can't be halved."""
        if not self.runs:
            ((name, columns),) = self.columns.items()
            return Fault(str(columns[schema(name).names.index("source")][0]), None, problem)
        row = dict(zip(RUN_COLUMNS, self.runs[0], strict=True))
        line = row["line"] if isinstance(row["line"], int) else None
        labels = self.of_runs.get("labels")
        keys = frozenset(map(str, labels.shared_values("key") if labels else ()))
        return Fault(str(row["source"]), LostRun(str(row["run"]), str(row["tool"]), line, keys), problem)


def convert_rows(rows: HeldRows, faults: list[Fault]) -> list[dict[str, pa.Table]]:
    """The tables of all rows, in parts. Rows that can't be converted go to `faults`; halving the rows finds them."""
    try:
        return [rows.tables()]
    except Exception as problem:  # noqa: BLE001 (a bug in reading one source must not cost the others)
        if halves := rows.halves():
            return [tables for half in halves for tables in convert_rows(half, faults)]
        faults.append(rows.fault(problem))
        return []


def join_parts(parts: Iterable[Mapping[str, pa.Table]]) -> dict[str, pa.Table]:
    """The parts of each table as one."""
    found: dict[str, list[pa.Table]] = {}
    for tables in parts:
        for name, table in tables.items():
            found.setdefault(name, []).append(table)
    return {name: concat_parts(name, some) for name, some in found.items()}


def drop_runs(tables: Mapping[str, pa.Table], runs: set[str]) -> dict[str, pa.Table]:
    """The tables without the rows of these runs: events were held before their run was lost."""
    lost = pa.array(runs, pa.string())
    return {
        name: table.filter(pc.invert(pc.is_in(table["run"], lost))) if runs and "run" in table.column_names else table
        for name, table in tables.items()
    }


def _table(wanted: pa.Schema, values: list[list[object]]) -> pa.Table:
    return pa.table([pa.array(column, field.type) for column, field in zip(values, wanted, strict=True)], wanted)
