"""`Dataset`: every table as a DataFrame."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from html import escape
from typing import TYPE_CHECKING, Any, TypeVar

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wrkparse.dataset.answer_cache import AnswerCache
from wrkparse.dataset.counts import measurements_with_zeros
from wrkparse.dataset.frames import to_pandas
from wrkparse.dataset.joined import joined_tables, labelled_tables
from wrkparse.dataset.queries.condition_errors import condition_error, with_full_name
from wrkparse.dataset.queries.errors import QueryError, first_paragraph
from wrkparse.dataset.queries.filtered import filtered_connection, filtered_tables
from wrkparse.dataset.queries.in_memory import InMemoryTables
from wrkparse.dataset.queries.rows import arrays_of_batch, matching_rows, prefetched_batches
from wrkparse.dataset.queries.sql import (
    Connect,
    fetch,
    label_keys,
    one_thread,
    row_counts,
    sql_name,
    sql_string,
    table_names,
)
from wrkparse.dataset.wide import all_columns_query, condition_names, wide_query, with_integer_counts
from wrkparse.text.escape import printable
from wrkparse.tools.schema import columns, run_schema, schema

if TYPE_CHECKING:
    import pandas as pd

# The order of each table's rows: SQL defines none, and people expect the order of the text.
_ORDER = {
    "sources": "source",
    "runs": "source, line, run",
    "studies": "study",
    "diagnostics": "source, line, code, message",
    "labels": "r.source, r.line, t.run, t.key, t.overruled, t.line",
    "measurements": "r.source, r.line, t.run, t.line, t.metric, t.stat",
}
_ORDER_OF_ROWS = "r.source, r.line, t.run, t.line"
_WIDE = re.compile(r"\bwide\b", re.IGNORECASE)
_STATED = "wrkparse_stated"  # a view of the measurements with zeros, while it is asked
_BATCH_ROWS = 100_000  # that `Dataset.batches` yields at once
_BY_LINE_AND_RUN = [("source", "ascending"), ("line", "ascending"), ("run", "ascending")]

Answer = TypeVar("Answer")
Add = Callable[["Dataset", "Dataset"], "Dataset | None"]
Rows = Sequence[tuple[Any, ...]]


class Dataset:
    """All tables of some sources.

    Each table of `wrkparse.tools.schema.columns` is an attribute: ``ds.runs``, ``ds.measurements``, ``ds.gc_cycles``
    …, a pandas DataFrame with nullable dtypes, ordered by source and line. `wide` joins the first two.
    """

    def __init__(
        self,
        connect: Connect,
        *,
        all_tables: bool = False,
        without_verdicts: Connect | None = None,
        memory_table: Callable[[str], pa.Table] | None = None,
        in_order: Callable[[str], pa.Table | None] | None = None,
        fixed: bool = False,
    ) -> None:
        """`connect` opens a DuckDB connection whose tables or views are those of `wrkparse.tools.schema.columns`.

        Each query calls it, so other processes can write to the store while a notebook has a dataset. With
        `all_tables`, the connection has every table. `without_verdicts` serves all tables except `runs`. `memory_table`
        returns a table that is in memory, and `in_order` returns its rows in order if that needs no query. The tables
        of a `fixed` dataset never change, so it keeps its answers.
        """
        self._connect, self._without_verdicts = connect, without_verdicts or connect
        self._memory_table, self._in_order = memory_table, in_order
        self._frames: dict[str, pd.DataFrame] = {}
        self._cache = AnswerCache() if fixed else None
        self._unjudged: Dataset | None = None
        self._add: Add | None = None
        self._tables = set(columns())
        if not all_tables:
            with connect() as connection:
                self._tables = table_names(connection)

    @classmethod
    def of_tables(
        cls,
        tables: Mapping[str, pa.Table],
        judge: Callable[[Dataset], pa.Table] | None = None,
        add: Add | None = None,
    ) -> Dataset:
        """A dataset of Arrow tables in memory; a table that is missing is empty.

        `judge` returns the table `runs` of this dataset with the audit's verdicts; it is called when they are first
        needed. `add` returns the sum with another dataset; if it returns None, the sum has the rows of both unchanged.
        """
        memory = InMemoryTables(tables, (lambda: judge(unjudged)) if judge else None)
        unjudged = cls(
            memory.connect_without_verdicts,
            all_tables=True,
            memory_table=memory.table,
            in_order=memory.in_order,
            fixed=True,
        )
        unjudged._add = add
        if judge is None:
            return unjudged
        judged = cls(
            memory.connect,
            all_tables=True,
            without_verdicts=memory.connect_without_verdicts,
            memory_table=memory.table,
            in_order=memory.in_order_with_verdicts,
            fixed=True,
        )
        judged._unjudged, judged._add = unjudged, add
        return judged

    @property
    def without_verdicts(self) -> Dataset:
        """The same tables for the audit, which needs no verdicts; tables in memory may have none yet."""
        return self if self._unjudged is None else self._unjudged

    def in_memory(self, most_rows: int) -> Dataset:
        """A copy of the tables in memory, as they are now; the dataset itself if they have more than `most_rows` rows.

        A copy keeps its answers.
        """
        if self._cache is not None:
            return self
        with self._connect() as connection:
            rows = row_counts(connection, [name for name in columns() if name in self._tables])
            if sum(rows.values()) > most_rows:
                return self
            stored = Dataset(lambda: nullcontext(connection), all_tables=True)
            return Dataset.of_tables(
                # `runs` even without rows, because its columns say which labels there are.
                {name: stored.arrow(name) for name, count in rows.items() if count or name == "runs"}
            )

    def table_in_memory(self, table: str) -> pa.Table | None:
        """A table that is in memory, in no defined order and `runs` without verdicts; None if it is not in memory."""
        return None if self._memory_table is None else self._memory_table(table)

    def _is_small(self) -> bool:
        """Whether the tables are in memory and have no more rows than a batch."""
        return (
            self._memory_table is not None
            and sum(len(self._memory_table(name)) for name in self._tables) <= _BATCH_ROWS
        )

    def cached(self, key: Hashable, make: Callable[[], Answer]) -> Answer:
        """The result of `make`. A fixed dataset keeps it under `key`, so it must not be changed."""
        return make() if self._cache is None else self._cache.get(key, make)

    def where(self, condition: str) -> Dataset:
        """The dataset of the runs that match an SQL condition on `wide`; every table has only their rows.

        `sources`, `studies` and `diagnostics` keep the rows of the files and studies of these runs; `runs` keeps the
        labels that one of them has. Rows are read when a table is used. Raises QueryError.
        """
        chosen = self.wide_arrow(condition)
        fixed = {column.name for column in columns()["runs"]}
        names = [
            name for name in self.arrow("runs").column_names if name in fixed or chosen[name].null_count < len(chosen)
        ]
        chosen = chosen.select(["run", "source", "study"])
        if (memory_table := self._memory_table) and self._is_small():
            return Dataset.of_tables(
                filtered_tables(lambda name: self.arrow(name) if name == "runs" else memory_table(name), chosen, names)
            )
        return Dataset(
            lambda: filtered_connection(self._connect, chosen, names),
            all_tables=self._tables.issuperset(columns()),
            fixed=self._cache is not None,
        )

    def __getattr__(self, name: str) -> pd.DataFrame:
        if name.startswith("_") or name not in columns():
            raise AttributeError(f"a Dataset has no table {name!r}; its tables: {', '.join(columns())}")
        if name not in self._frames:
            self._frames[name] = to_pandas(self.arrow(name))
        return self._frames[name]

    def known(self, table: str) -> pd.DataFrame:
        """One table without the columns that have no value here.

        Each version of Go prints only some of a trace's columns: a log has about a third of the 56 columns of
        `gc_cycles`.
        """
        rows = self.arrow(table)
        return to_pandas(rows.select([name for name in rows.column_names if rows[name].null_count < len(rows)]))

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *columns()]

    def __add__(self, other: object) -> Dataset:
        """The runs of two datasets as one dataset, in memory.

        Raises ValueError if both have a run with the same identifier.

        If `wrkparse.read` read both, the labels from structure and the verdicts are those of all runs together.
        """
        if not isinstance(other, Dataset):
            return NotImplemented
        joined = self._add(self, other) if self._add else None
        return Dataset.of_tables(joined_tables(self, other)) if joined is None else joined

    def labelled(self, key: str, value: str) -> Dataset:
        """The same runs in memory, with one more label on each run; it overrules labels of the same key."""
        return Dataset.of_tables(labelled_tables(self, key, value))

    def __repr__(self) -> str:
        counts = [f"{self.count(name)} {name}" for name in columns() if self.count(name)]
        errors = self.arrow("diagnostics").to_pylist() if self.count("diagnostics") and not self.count("runs") else []
        first_error = next((f"; {row['source']}: {row['message']}" for row in errors if row["severity"] == "error"), "")
        return printable(f"<Dataset: {', '.join(counts) or 'empty'}{first_error}>")

    def _repr_html_(self) -> str:
        """The tables with their numbers of rows, and the labels of the runs, for notebooks."""
        counts = {name: self.count(name) for name in columns()}
        rows = "".join(f"<tr><td>{name}</td><td>{count:,}</td></tr>" for name, count in counts.items() if count)
        labels = escape(", ".join(sorted(self.label_keys())) if counts["runs"] else "none")
        return f"<table><tr><th>table</th><th>rows</th></tr>{rows}</table><p>labels: {labels}</p>"

    def count(self, table: str, run: str | None = None) -> int:
        """The number of rows of a table, or of one run in it."""
        if table not in self._tables:
            return 0
        if self._memory_table:
            rows = self._memory_table(table)
            # `min_count`: 0 for a table without rows, not null.
            return len(rows) if run is None else pc.sum(pc.equal(rows["run"], run), min_count=0).as_py()
        of_run = "" if run is None else f" WHERE run = {sql_string(run)}"
        with self._without_verdicts() as connection:
            [(counted,)] = connection.execute(f"SELECT count(*) FROM {table}{of_run}").fetchall()
        return int(counted)

    def rows_of(self, table: str, run: str) -> pa.Table:
        """One run's rows of a table as Arrow, by line; rows with the same line keep their order."""
        if table not in self._tables:
            return schema(table).empty_table()
        names = ", ".join(schema(table).names)
        with self._connection_for(table)() as connection:
            rows = fetch(connection, f"SELECT {names} FROM {table} WHERE run = {sql_string(run)}")
        return rows.sort_by("line")  # stable; SQL's ORDER BY is not

    def arrow(self, table: str, *, only: Sequence[str] = (), without: Sequence[str] = ()) -> pa.Table:
        """One table as Arrow, in its order; `only` and `without` select columns."""
        if table not in self._tables:
            return schema(table).empty_table()
        declared = run_schema(self.label_keys()) if table == "runs" else schema(table)
        declared = pa.schema(
            [field for field in declared if field.name not in without and (not only or field.name in only)]
        )
        if self._in_order and (rows := self._in_order(table)) is not None:
            return _as_declared(rows, declared)
        order = _ORDER.get(table, _ORDER_OF_ROWS)
        of_runs = " JOIN runs r ON t.run = r.run" if "r." in order else ""
        names = ", ".join(f"t.{sql_name(name)}" for name in declared.names)
        with self._connection_for(table)() as connection:
            rows = fetch(connection, f"SELECT {names} FROM {table} t{of_runs} ORDER BY {order}")
        return _as_declared(rows, declared)

    def _connection_for(self, table: str) -> Connect:
        return self._connect if table == "runs" else self._without_verdicts

    def label_keys(self) -> set[str]:
        """The label keys that any run has: the columns of `runs` beyond the fixed ones."""

        def find_keys() -> set[str]:
            if self._memory_table:
                return set(self._memory_table("runs").column_names) - set(schema("runs").names)
            with self._without_verdicts() as connection:
                return label_keys(connection)

        return set(self.cached("label keys", find_keys))

    @staticmethod
    def event_tables() -> list[str]:
        """The tables that tools declare: their rows are events, or parts of a report."""
        fixed = ("sources", "runs", "labels", "measurements", "diagnostics", "studies", "texts")
        return [name for name in columns() if name not in fixed]

    def wide(self, where: str | None = None) -> pd.DataFrame:
        """One row per run: the columns of `runs`, then one per metric and stat, ordered by source and line.

        A metric's column is named ``metric_stat_unit`` (``latency_p99_s``, ``throughput_per_s``: the stat ``total`` and
        the unit of a count are left out); ``errors`` is the sum of wrk's socket errors. A label with the name of such
        a column is named ``label_…``. `where` is a condition in SQL on these columns; it may name a metric without its
        unit (``cores = 36 and throughput > 1e5``). Counts are integers. Raises QueryError.
        """
        return to_pandas(self.wide_arrow(where))

    def wide_arrow(self, where: str | None = None) -> pa.Table:
        """`wide`, as Arrow."""
        if "runs" not in self._tables:
            return schema("runs").empty_table()
        if where is not None and not where.strip():
            raise QueryError("the condition is empty; leave it out to get all runs")
        return self.cached(("wide", where), lambda: self._ask_wide(where))

    def _ask_wide(self, where: str | None) -> pa.Table:
        with self._connect() as connection:
            whole, shown = self.cached("whole query", lambda: all_columns_query(connection))
            try:
                if self._cache is None:
                    return with_integer_counts(fetch(connection, wide_query(f"({whole})", shown, where)))
                # The joined columns take longest to make; of those, a condition says only which rows it holds for.
                joined = self.cached("whole", lambda: fetch(connection, whole).sort_by(_BY_LINE_AND_RUN))
                found = joined if where is None else joined.take(matching_rows(where, joined, connection))
                return with_integer_counts(found.select(shown))
            except duckdb.Error as problem:
                names = condition_names(connection)
                raise QueryError(condition_error(where or "", problem, names)) from None

    def matching(self, where: str | None) -> pa.Table:
        """The rows of `runs` for which a condition holds (as in `wide`), in order; all if it is None. As Arrow.

        Raises QueryError.
        """
        runs = self.arrow("runs")
        return (
            runs
            if where is None
            else runs.filter(pc.is_in(runs["run"], self.wide_arrow(where)["run"].combine_chunks()))
        )

    def sql(self, query: str) -> pd.DataFrame:
        """The answer to a query in DuckDB's SQL on the tables and on the view `wide`. Raises QueryError."""
        return to_pandas(self.sql_arrow(query))

    def sql_arrow(self, query: str) -> pa.Table:
        """`sql`, as Arrow."""
        with self._connect() as connection:
            try:
                if _WIDE.search(query):
                    whole, shown = all_columns_query(connection)
                    # Made for each query, because its columns are the metrics that the runs have now.
                    connection.execute(f"CREATE OR REPLACE TEMP VIEW wide AS {wide_query(f'({whole})', shown)}")
                return fetch(connection, query)
            except duckdb.Error as problem:
                columns = all_columns_query(connection)[1] if "runs" in self._tables else []
                raise QueryError(with_full_name(first_paragraph(problem), columns)) from None

    def answer(self, query: str) -> pd.DataFrame:
        """The same as `sql`, for a query that depends only on the tables: a fixed dataset runs it once."""
        return to_pandas(self.cached(("sql", query), lambda: self.sql_arrow(query)))

    def answer_rows(self, query: str) -> Rows:
        """The same as `answer`, as tuples with None for what is missing: a few rows take less time than a DataFrame."""
        return self.cached(("rows", query), lambda: self._ask_rows(query))

    def _ask_rows(self, query: str) -> Rows:
        with self._connect() as connection:
            try:
                return connection.execute(query).fetchall()
            except duckdb.Error as problem:
                raise QueryError(first_paragraph(problem)) from None

    def rows_with_zeros(self, query: str) -> Rows:
        """The same as `answer_rows`, for a query of ``{stated}``: measurements with counts that are 0 and not printed.

        The zeros take most of the time of such a query (`wrkparse.dataset.counts`); a fixed dataset finds them once.
        """
        if self._cache is None:
            return self.answer_rows(query.format(stated=measurements_with_zeros()))
        return self.cached(("stated", query), lambda: self._ask_with_zeros(query))

    def _ask_with_zeros(self, query: str) -> Rows:
        with self._connect() as connection:
            connection.register(
                _STATED, self.cached("stated", lambda: fetch(connection, f"FROM {measurements_with_zeros()}"))
            )
            try:
                return connection.execute(query.format(stated=_STATED)).fetchall()
            finally:
                connection.unregister(_STATED)

    def batches(self, query: str) -> Iterator[dict[str, npt.NDArray[np.generic]]]:
        """The answer to a query in batches of rows: a NumPy array for each column. Only floats may be missing, as NaN.

        Rows of one table come in the order in which they were written. Consume all batches before the next query.
        """
        with self._connect() as connection:
            if self._is_small():  # a batch of rows is read in order, and does not pay for a thread
                yield from map(arrays_of_batch, fetch(connection, query).to_batches())
                return
            with one_thread(connection):
                yield from map(arrays_of_batch, prefetched_batches(connection, query, _BATCH_ROWS))


def _as_declared(rows: pa.Table, declared: pa.Schema) -> pa.Table:
    return rows if rows.schema.equals(declared, check_metadata=True) else rows.select(declared.names).cast(declared)
