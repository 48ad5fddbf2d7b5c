"""The tables as pandas DataFrames, whether they were parsed a moment ago or lie in a store."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wrkparse.tools import metrics
from wrkparse.tools.schema import CANONICAL, LABEL_KINDS, columns, run_schema, schema

if TYPE_CHECKING:
    import pandas as pd

# How each table's rows are ordered: SQL promises no order, people expect that of the text.
_ORDER = {
    "sources": "source",
    "runs": "source, line, run",
    "studies": "study",
    "diagnostics": "source, line, code, message",
    "labels": "r.source, r.line, t.run, t.key, t.overruled, t.line",
    "measurements": "r.source, r.line, t.run, t.line, t.metric, t.stat",
}
_ORDER_OF_ROWS = "r.source, r.line, t.run, t.line"
_SQL_TYPES = {pa.string(): "VARCHAR", pa.int64(): "BIGINT", pa.float64(): "DOUBLE"}
_Connect = Callable[[], AbstractContextManager[duckdb.DuckDBPyConnection]]
_WIDE = re.compile(r"\bwide\b", re.IGNORECASE)
_PART = 100_000  # rows that `Dataset.parts` gives at once
_SUFFIX = {"s": "_s", "bytes": "_bytes", "1/s": "_per_s", "bytes/s": "_bytes_per_s", "ratio": "_ratio", "1": ""}


class QueryError(ValueError):
    """A condition or a query that can't be answered; the message says why."""


class NoLabelError(QueryError):
    """No run has a label of this name: a slip of the pen, or data that does not say."""


class Dataset:
    """All tables of some sources.

    Each table of `wrkparse.tools.schema.columns` is an attribute: ``ds.runs``, ``ds.measurements``, ``ds.gc_cycles``
    …, a pandas DataFrame with nullable dtypes, ordered by source and line. `wide` joins the first two.
    """

    def __init__(self, connect: _Connect, *, all_tables: bool = False, unjudged: _Connect | None = None) -> None:
        """`connect` gives a DuckDB connection whose tables or views are those of `wrkparse.tools.schema.columns`.

        It is asked for one each time, so that a notebook that holds a dataset does not keep others from writing to
        its store. If it has `all_tables`, it is asked when a table is. `unjudged` is for all tables but `runs`.
        """
        self._connect, self._unjudged = connect, unjudged or connect
        self._frames: dict[str, pd.DataFrame] = {}
        self._tables = set(columns())
        if not all_tables:
            with connect() as connection:
                self._tables = _table_names(connection)

    @classmethod
    def of_tables(cls, tables: Mapping[str, pa.Table], judge: Callable[[Dataset], pa.Table] | None = None) -> Dataset:
        """A dataset of Arrow tables in memory; a table that is missing is empty.

        `judge` makes of this dataset the table `runs` with the audit's verdicts: when it is first asked for.
        """
        held = _InMemory(tables, judge)
        return cls(held.judged, all_tables=True, unjudged=held.unjudged)

    def where(self, condition: str) -> Dataset:
        """The dataset of the runs for which a condition holds, as in `wide`: every table without the others' rows.

        Of `sources`, `studies` and `diagnostics` it has those of the files and studies that these runs come from, of
        the labels' columns those that one of them has. Rows are read when they are asked for. Raises QueryError.
        """
        chosen = self.wide_arrow(condition)
        own = {column.name for column in columns()["runs"]}
        names = [
            name for name in self.arrow("runs").column_names if name in own or chosen[name].null_count < len(chosen)
        ]
        return Dataset(lambda: _narrowed(self._connect, chosen.select(["run", "source", "study"]), names))

    def __getattr__(self, name: str) -> pd.DataFrame:
        if name.startswith("_") or name not in columns():
            raise AttributeError(f"a Dataset has no table {name!r}; its tables: {', '.join(columns())}")
        if name not in self._frames:
            self._frames[name] = to_pandas(self.arrow(name))
        return self._frames[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *columns()]

    def __repr__(self) -> str:
        counts = [f"{self.count(name)} {name}" for name in columns() if self.count(name)]
        return f"<Dataset: {', '.join(counts) or 'empty'}>"

    def count(self, table: str, run: str | None = None) -> int:
        """How many rows a table has, of one run if it is given."""
        if table not in self._tables:
            return 0
        of_run = "" if run is None else f" WHERE run = {_text(run)}"
        with self._unjudged() as connection:
            rows = connection.execute(f"SELECT count(*) FROM {table}{of_run}").fetchall()
        return int(rows[0][0])

    def rows_of(self, table: str, run: str) -> pa.Table:
        """One run's rows of a table, by line and as they stand in it, as Arrow."""
        if table not in self._tables:
            return schema(table).empty_table()
        names = ", ".join(schema(table).names)
        with self._connect() if table == "runs" else self._unjudged() as connection:
            found = _answer(connection, f"SELECT {names} FROM {table} WHERE run = {_text(run)}")
        return found.sort_by("line")  # stable, which SQL's order is not

    def arrow(self, table: str) -> pa.Table:
        """One table in its order, as Arrow."""
        if table not in self._tables:
            return schema(table).empty_table()
        order = _ORDER.get(table, _ORDER_OF_ROWS)
        of_runs = "" if order == _ORDER.get(table) and "r." not in order else " JOIN runs r ON t.run = r.run"
        with self._connect() if table == "runs" else self._unjudged() as connection:
            found = _answer(connection, f"SELECT t.* FROM {table} t{of_runs} ORDER BY {order}")
            wanted = run_schema(_label_keys(connection)) if table == "runs" else schema(table)
        return found.select(wanted.names).cast(wanted)

    def label_keys(self) -> set[str]:
        """The label keys that any run has: the columns that `runs` has beyond its own."""
        with self._unjudged() as connection:
            return _label_keys(connection)

    @staticmethod
    def event_tables() -> list[str]:
        """The tables whose rows are events or parts of a report: all that tools declare themselves."""
        fixed = ("sources", "runs", "labels", "measurements", "diagnostics", "studies", "texts")
        return [name for name in columns() if name not in fixed]

    def wide(self, where: str | None = None) -> pd.DataFrame:
        """One row per run: the columns of `runs`, then one per metric and stat, ordered by source and line.

        A metric's column is named ``metric_stat_unit`` (``latency_p99_s``, ``throughput_per_s``: the stat ``total`` and
        the unit of a count are left out); ``errors`` is the sum of wrk's socket errors. A label with the name of one
        is put as ``label_…``. `where` is a condition in SQL on these columns; a metric may be named without its unit
        (``cores = 36 and throughput > 1e5``). Raises QueryError for a condition that can't be answered.
        """
        return to_pandas(self.wide_arrow(where))

    def wide_arrow(self, where: str | None = None) -> pa.Table:
        """`wide`, as Arrow."""
        if "runs" not in self._tables:
            return schema("runs").empty_table()
        with self._connect() as connection:
            query = _wide_query(connection, where)
            try:
                return _answer(connection, query)
            except duckdb.Error as problem:
                raise QueryError(f"condition {where!r}: {_first_line(problem)}") from None

    def sql(self, query: str) -> pd.DataFrame:
        """The answer to a query in DuckDB's SQL on the tables, and on `wide` as a view; QueryError without one."""
        return to_pandas(self.sql_arrow(query))

    def sql_arrow(self, query: str) -> pa.Table:
        """`sql`, as Arrow."""
        with self._connect() as connection:
            try:
                if _WIDE.search(query):
                    connection.execute(f"CREATE OR REPLACE TEMP VIEW wide AS {_wide_query(connection, None)}")
                return _answer(connection, query)
            except duckdb.Error as problem:
                raise QueryError(_first_line(problem)) from None

    def parts(self, query: str) -> Iterator[dict[str, npt.NDArray[np.generic]]]:
        """The answer to a query in parts, each a NumPy array for each column: nothing missing but in floats, as NaN.

        Rows of one table come in the order in which they were written. Nothing else can be asked of the dataset until
        all have been taken.
        """
        with self._connect() as connection, _one_thread(connection):
            for batch in _ahead(connection.sql(query).to_arrow_reader(_PART)):
                yield {
                    name: column.to_numpy(zero_copy_only=False)
                    for name, column in zip(batch.schema.names, batch.columns, strict=True)
                }


def _ahead(batches: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
    """Each of them, while a thread fetches the next."""
    with ThreadPoolExecutor(1) as thread:
        coming = thread.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = thread.submit(next, batches, None)
            yield batch


@contextmanager
def _one_thread(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """While this lasts, DuckDB does not let a later row overtake an earlier one."""
    [(threads,)] = connection.execute("SELECT current_setting('threads')").fetchall()
    connection.execute("SET threads = 1")
    try:
        yield
    finally:
        connection.execute(f"SET threads = {threads}")


class _InMemory:
    """Arrow tables as DuckDB's, and with verdicts: both take longer than to read a report, and wait to be needed."""

    def __init__(self, tables: Mapping[str, pa.Table], judge: Callable[[Dataset], pa.Table] | None) -> None:
        self._given, self._judge = tables, judge

    @functools.cached_property
    def _connection(self) -> duckdb.DuckDBPyConnection:
        connection = duckdb.connect(":memory:", config={"enable_external_access": False})
        for name in columns():
            table = self._given.get(name)
            connection.register(name, schema(name).empty_table() if table is None else table)
        return connection

    def unjudged(self) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        """A connection to the tables as they are."""
        return nullcontext(self._connection)

    def judged(self) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        """A connection to the tables with verdicts."""
        if self._judge:
            self._connection.register("runs", self._judge(Dataset(self.unjudged, all_tables=True)))
            self._judge = None
        return self.unjudged()


@contextmanager
def _narrowed(connect: _Connect, chosen: pa.Table, run_columns: list[str]) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection on which, for now, the tables have only the rows of the chosen runs (run, source, study)."""
    with connect() as connection:
        places = _places(connection)
        aside = f"all_{len(places)}_"  # of a name that is free, also where what is narrowed is narrowed already
        connection.register(f"{aside}chosen", chosen)
        for name in (
            hidden := [name for name, place in places.items() if place.startswith("temp.") and name in columns()]
        ):
            connection.execute(f"ALTER VIEW {places[name]} RENAME TO {aside}{name}")
            places[name] = f"temp.main.{aside}{name}"
        seen = [name for name in columns() if name in places]
        for name in seen:
            # a study's own source is its wrkparse.yaml, which no run comes from
            key = "study" if name == "studies" else next(key for key in ("run", "source") if key in schema(name).names)
            picked = ", ".join(map(_name, run_columns)) if name == "runs" else "*"
            connection.execute(
                f"CREATE TEMP VIEW {name} AS SELECT {picked} FROM {places[name]}"
                f" WHERE {key} IN (SELECT {key} FROM temp.main.{aside}chosen)"
            )
        try:
            yield connection
        finally:
            for name in seen:
                connection.execute(f"DROP VIEW temp.main.{name}")
            for name in hidden:
                connection.execute(f"ALTER VIEW {places[name]} RENAME TO {name}")
            connection.unregister(f"{aside}chosen")


def _places(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Where each table or view is; a temporary one hides another of its name."""
    found = connection.execute(
        "SELECT table_name, database_name, schema_name, temporary FROM duckdb_tables() UNION ALL"
        " SELECT view_name, database_name, schema_name, temporary FROM duckdb_views() WHERE NOT internal ORDER BY 4, 1"
    ).fetchall()
    return {
        name: f"{_name(database)}.{_name(part)}.{_name(name)}" if not temporary else f"temp.{part}.{_name(name)}"
        for name, database, part, temporary in found
    }


def _table_names(connection: duckdb.DuckDBPyConnection) -> set[str]:
    found = connection.execute(
        "SELECT table_name FROM duckdb_tables() UNION ALL SELECT view_name FROM duckdb_views() WHERE NOT internal"
    ).fetchall()
    return {row[0] for row in found}


def _answer(connection: duckdb.DuckDBPyConnection, query: str) -> pa.Table:
    relation = connection.sql(query)
    if relation is None:
        raise QueryError("the query gives no table")
    return relation.to_arrow_table()


def _label_keys(connection: duckdb.DuckDBPyConnection) -> set[str]:
    own = {column.name for column in columns()["runs"]}
    return {row[0] for row in connection.execute("DESCRIBE runs").fetchall()} - own


def _wide_query(connection: duckdb.DuckDBPyConnection, where: str | None) -> str:
    names = _metric_columns(connection)
    # a condition may name a metric without its unit
    short = {column: metric if stat == "total" else f"{metric}_{stat}" for (metric, stat), column in names.items()}
    keys = _label_keys(connection)
    renamed = {key: f"label_{key}" for key in sorted(keys & {*short, *short.values(), "errors"})}
    renaming = ", ".join(f"{_name(key)} AS {_name(name)}" for key, name in renamed.items())
    own = f"r.* RENAME ({renaming})" if renaming else "r.*"
    selected = ", ".join(
        f"any_value(value) FILTER (metric = {_text(metric)} AND stat = {_text(stat)}) AS {_name(column)}"
        for (metric, stat), column in names.items()
    )
    measured = f"SELECT run, {selected} FROM measurements GROUP BY run" if names else "SELECT NULL::VARCHAR AS run"
    more = [f"{_name(column)} AS {_name(alias)}" for column, alias in short.items() if alias != column]
    more += [  # and a canonical label that no run has
        f"NULL::{_SQL_TYPES[LABEL_KINDS.get(key, pa.string())]} AS {_name(key)}" for key in CANONICAL if key not in keys
    ]
    more.append(f"{_errors(names.values())} AS errors")
    kept = [*(renamed.get(name, name) for name in run_schema(keys).names), *names.values(), "errors"]
    return (
        f"WITH w AS (SELECT {own}, m.* EXCLUDE (run) FROM runs r LEFT JOIN ({measured}) m ON r.run = m.run), "
        f"q AS (SELECT {', '.join(['*', *more])} FROM w) "
        f"SELECT {', '.join(map(_name, kept))} FROM q {f'WHERE ({where})' if where else ''} ORDER BY source, line, run"
    )


def _errors(names: Iterable[str]) -> str:
    """The socket errors of wrk's four kinds together, as SQL."""
    return " + ".join(_name(name) for name in names if name.startswith("errors_")) or "NULL::DOUBLE"


def _metric_columns(connection: duckdb.DuckDBPyConnection) -> dict[tuple[str, str], str]:
    rows = connection.execute("SELECT metric, stat, any_value(unit) FROM measurements GROUP BY metric, stat").fetchall()
    units = {(metric, stat): unit for metric, stat, unit in rows}
    return {pair: column_name(*pair, units[pair]) for pair in sorted(units, key=_metric_order)}


def column_name(metric: str, stat: str, unit: str) -> str:
    """The name of a metric's column in a wide table: the unit at the end, as in ``latency_mean_s``."""
    name = metric if stat == "total" else f"{metric}_{stat}"
    suffix = _SUFFIX.get(unit, "")
    return name if "bytes" in name.split("_") and suffix == "_bytes" else name + suffix


_STATS = ("total", "mean", "stdev", "min", "median", "max")


def _metric_order(pair: tuple[str, str]) -> tuple[int, int, float, str, str]:
    """Metrics as their tools declare them; of one, the summary first, then the percentiles by size."""
    metric, stat = pair
    declared = list(metrics())
    place = declared.index(metric) if metric in declared else len(declared)
    if stat in _STATS:
        return place, 0, _STATS.index(stat), metric, stat
    try:
        return place, 1, float(stat.removeprefix("p")), metric, stat
    except ValueError:
        return place, 2, 0.0, metric, stat


def to_pandas(table: pa.Table) -> pd.DataFrame:
    """Arrow → pandas with nullable dtypes: Int64, boolean, string; floats as float64 with NaN; lists as Arrow lists."""
    import pandas as pd

    plain = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype(), pa.string(): pd.StringDtype()}

    def dtype(kind: pa.DataType) -> object:
        if kind in plain:
            return plain[kind]
        return pd.ArrowDtype(kind) if pa.types.is_list(kind) else None

    frame: pd.DataFrame = table.to_pandas(types_mapper=dtype)
    return frame


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _name(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'


def _first_line(problem: Exception) -> str:
    return str(problem).split("\n\n")[0].strip()
