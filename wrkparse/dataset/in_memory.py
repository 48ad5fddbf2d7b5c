"""Arrow tables in memory: as DuckDB's tables, and in order without it where they are in order already."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from itertools import pairwise

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wrkparse.tools.schema import columns, schema


class InMemoryTables:
    """Tables by name; a table that is missing is empty.

    DuckDB and the audit start when they are first needed: each takes longer than to read a report.
    """

    def __init__(self, tables: Mapping[str, pa.Table], judge: Callable[[], pa.Table] | None) -> None:
        """`judge` returns the table `runs` with the audit's verdicts."""
        self._tables, self._judge = tables, judge

    @functools.cached_property
    def _connection(self) -> duckdb.DuckDBPyConnection:
        connection = duckdb.connect(":memory:", config={"enable_external_access": False})
        for name in columns():
            table = self._tables.get(name)
            connection.register(name, schema(name).empty_table() if table is None else table)
        return connection

    def connect_without_verdicts(self) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        """A connection to the tables as they are."""
        return nullcontext(self._connection)

    def connect(self) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        """A connection to the tables, `runs` with verdicts."""
        if self._judge:
            self._connection.register("runs", self._judge())
            self._judge = None
        return self.connect_without_verdicts()

    def in_order(self, name: str) -> pa.Table | None:
        """A table whose rows are ordered by their runs' source and line, run and line; None if they are not."""
        table, runs = self._tables.get(name), self._tables.get("runs")
        if table is None or runs is None or not _is_ordered(table, runs):
            return None
        return table


def _is_ordered(table: pa.Table, runs: pa.Table) -> bool:
    """Whether rows are in the order of: source and first line of the run, the run's identifier, line."""
    names = runs["run"].to_pylist()
    first_lines = zip(runs["source"].to_pylist(), runs["line"].to_pylist(), names, strict=True)
    places = dict(zip(names, first_lines, strict=True))
    stretches, ends = _run_lengths(table["run"])
    keys = [places.get(run, (None,)) for run in stretches]
    if len(places) < len(names) or table["line"].null_count or any(None in key for key in keys):
        return False  # a join would repeat rows or leave some out
    if any(a > b for a, b in pairwise(keys)):
        return False
    lines = table["line"].to_numpy()
    decreases = np.flatnonzero(lines[1:] < lines[:-1]) + 1
    begins = {end for end, (run, following) in zip(ends, pairwise(stretches), strict=False) if run != following}
    return begins.issuperset(decreases.tolist())


def _run_lengths(runs: pa.ChunkedArray) -> tuple[list[str | None], list[int]]:
    """Each stretch of equal values: the value, and the row behind its last one."""
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
