"""Arrow tables in memory: as DuckDB tables, or without DuckDB if they are already in order."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import pairwise

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wrkparse.dataset.queries.on_demand import ConnectionOnDemand
from wrkparse.dataset.queries.sql import Connection
from wrkparse.tools.schema import columns, schema

# The order of tables that can be sorted without another table.
_OWN_ORDER = {
    "sources": ("source",),
    "runs": ("source", "line", "run"),
    "studies": ("study",),
    "diagnostics": ("source", "line", "code", "message"),
}
# The order of the rows of one run, if it is not only that of their lines.
_OF_RUN = {"labels": ("key", "overruled", "line"), "measurements": ("line", "metric", "stat")}
_PLACE = "place of the run"
_MOST_SORTED = 50_000  # rows that Arrow sorts by several columns before DuckDB has started


@functools.cache
def _database(process: int) -> duckdb.DuckDBPyConnection:
    """The database of all tables in memory of a process; each dataset has a connection with its own views.

    Opening a database takes ten times as long as a connection to it. A forked process may not use its parent's
    database, because a fork does not copy the database's threads.
    """
    return duckdb.connect(":memory:", config={"enable_external_access": False})


@functools.cache
def _empty(name: str) -> pa.Table:
    return schema(name).empty_table()


class InMemoryTables:
    """Tables by name; a table that is missing is empty.

    DuckDB and the audit start when they are first needed: each takes longer than reading a report.
    """

    def __init__(self, tables: Mapping[str, pa.Table], judge: Callable[[], pa.Table] | None) -> None:
        """`judge` returns the table `runs` with the audit's verdicts."""
        self._tables, self._judge = tables, judge

    @functools.cached_property
    def _connection(self) -> ConnectionOnDemand:
        cursor = _database(os.getpid()).cursor()
        return ConnectionOnDemand(cursor, columns(), lambda name: cursor.register(name, self.table(name)))

    def table(self, name: str) -> pa.Table:
        """A table as it is; `runs` has verdicts if they have been computed."""
        return self._tables[name] if name in self._tables else _empty(name)

    def connect_without_verdicts(self) -> AbstractContextManager[Connection]:
        """A connection to the tables as they are."""
        return nullcontext(self._connection)

    def connect(self) -> AbstractContextManager[Connection]:
        """A connection to the tables; `runs` has verdicts."""
        self._add_verdicts()
        return self.connect_without_verdicts()

    def _add_verdicts(self) -> None:
        if self._judge:
            runs = self._judge()
            self._judge, self._tables = None, {**self._tables, "runs": runs}
            # Only if it is open: asking for the property would start DuckDB.
            if "_connection" in self.__dict__:
                self._connection.forget("runs")

    def in_order(self, name: str) -> pa.Table | None:
        """A table in the order of `Dataset.arrow`; None if that takes a query.

        Rows of runs are in order by their run's source and line, the run's identifier, and the line.
        """
        table, runs = self.table(name), self.table("runs")
        if name in _OWN_ORDER:
            return _sorted(table, _OWN_ORDER[name])
        if not len(table) or (name not in _OF_RUN and _is_ordered(table, runs)):
            return table
        return _by_run(table, runs, _OF_RUN.get(name, ("line",))) if len(table) <= _MOST_SORTED else None

    def in_order_with_verdicts(self, name: str) -> pa.Table | None:
        """The same as `in_order`, but `runs` has verdicts."""
        if name == "runs":
            self._add_verdicts()
        return self.in_order(name)


def _sorted(table: pa.Table, names: Sequence[str]) -> pa.Table:
    return table.sort_by([(name, "ascending") for name in names])  # what is missing comes last, as in DuckDB


def _by_run(table: pa.Table, runs: pa.Table, names: Sequence[str]) -> pa.Table | None:
    """The rows sorted by their run's source and line, the run and these columns; None if a run appears twice."""
    ordered = _sorted(runs.select(("run", *_OWN_ORDER["runs"][:2])), _OWN_ORDER["runs"])["run"].combine_chunks()
    if len(ordered.unique()) < len(ordered):
        return None  # a join would repeat rows
    place = pc.index_in(table["run"], ordered)
    placed = table.select(dict.fromkeys(names)).append_column(_PLACE, place)
    order = pc.sort_indices(placed, [(_PLACE, "ascending"), *((name, "ascending") for name in names)])
    return table.take(order[: len(table) - place.null_count])  # rows of no run are last


def _is_ordered(table: pa.Table, runs: pa.Table) -> bool:
    """Whether rows are in the order of: source and first line of the run, the run's identifier, line."""
    names = runs["run"].to_pylist()
    first_lines = zip(runs["source"].to_pylist(), runs["line"].to_pylist(), names, strict=True)
    places = dict(zip(names, first_lines, strict=True))
    runs_of_stretches, ends = _run_lengths(table["run"])
    keys = [places.get(run, (None,)) for run in runs_of_stretches]
    if len(places) < len(names) or table["line"].null_count or any(None in key for key in keys):
        return False  # a join would repeat rows or leave some out
    if any(a > b for a, b in pairwise(keys)):
        return False
    lines = table["line"].to_numpy()
    # Lines may only decrease where another run begins.
    decreases = np.flatnonzero(lines[1:] < lines[:-1]) + 1
    # The same run may go on in the next chunk; its lines may not decrease there.
    begins = {end for end, (run, following) in zip(ends, pairwise(runs_of_stretches), strict=False) if run != following}
    return begins.issuperset(decreases.tolist())


def _run_lengths(runs: pa.ChunkedArray) -> tuple[list[str | None], list[int]]:
    """Each stretch of equal values: the value, and the index after its last row."""
    found: list[str | None] = []
    ends: list[int] = []
    before = 0
    for chunk in runs.chunks:
        if len(chunk):
            encoded = pc.run_end_encode(chunk)
            found += encoded.values.to_pylist()
            ends += [before + end for end in encoded.run_ends.to_pylist()]
        before += len(chunk)
    return found, ends
