"""The runs of a dataset as arrays with one element for each run; NaN where a report has no such number."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wrkparse.analysis.checks.finding import Findings
from wrkparse.analysis.stats.arrays import Bools, Floats, Indices, TextArray
from wrkparse.analysis.stats.intervals import WRK_UNITS, Interval, printed_by_wrk, printed_interval, text_as_printed
from wrkparse.context.study import about_facts
from wrkparse.dataset.frames import to_pandas

if TYPE_CHECKING:
    import pandas as pd

    from wrkparse.dataset import Dataset

Key = tuple[str, str]  # metric and stat

_LONG_TEXTS = ("command", "section", "invalid_reason")  # that no check uses, or one only
# In SQL, the place `i` of each run in `RunArrays`, whose table has the same order.
NUMBERED = "(SELECT run, verdict, row_number() OVER (ORDER BY source, line, run) - 1 AS i FROM runs)"
# The last number of a path, without the suffix of a compression: in `bench/run-3.log.bz2` it is 3.
_LAST_NUMBER = re.compile(r"([0-9]+)(?=[^0-9/]*(?:\.bz2|\.lz4)?$)")
_LOOPBACK = re.compile(r"(?:\w+://)?(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/].*)?")  # "http://127.0.0.1:18080/"
_TIME = re.compile(r"([0-9]+)([smh]?)")  # wrk src/units.c scan_time
_CORES = re.compile(r"\b([0-9]{1,4}) (?:virtual |physical )?(?:cores|threads)\b")  # "4 cores, 8 threads"
HDR_BUCKET = 1 / 1024  # relative width of a bucket of wrk2's HdrHistogram, which has 2048 sub-buckets
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}


class RunArrays:
    """Measurements and labels of all runs of a dataset, ordered by source and line.

    ``table`` has the runs as a DataFrame. Metrics are in base units.
    """

    def __init__(self, dataset: Dataset, *, only_new: bool = False) -> None:
        """With `only_new`, the checks skip the event lines of runs that have a verdict."""
        self.dataset = dataset
        self.only_new = only_new
        self.table: pd.DataFrame = to_pandas(dataset.arrow("runs", without=_LONG_TEXTS))
        self.size = len(self.table)
        self._texts: dict[str, TextArray] = {}
        self.tool: npt.NDArray[np.str_] = self.texts("tool")
        self._columns = self._measured()
        self._missing = np.full(self.size, np.nan)

    def _measured(self) -> dict[Key, npt.NDArray[np.float64]]:
        """An array for each metric and stat: its rows are value, resolution and line, its columns the runs."""
        held = self.dataset.table_in_memory("measurements")
        repeats = self.table["run"].nunique() < self.size  # a join finds each of equal runs
        return self._selected() if held is None or repeats else self._arranged(held)

    def _arranged(self, measurements: pa.Table) -> dict[Key, npt.NDArray[np.float64]]:
        """The arrays of measurements in memory: a query takes longer, unless they are very many."""
        at = pc.index_in(measurements["run"], pa.array(self.table["run"], pa.string()))
        keys = pc.binary_join_element_wise(measurements["metric"], measurements["stat"], "\0").dictionary_encode()
        # The chunks of a column have dictionaries of their own; in a common one, equal keys have equal indices.
        keys = keys.unify_dictionaries().combine_chunks()
        known = at.is_valid().to_numpy()
        runs, kinds = at.fill_null(0).to_numpy()[known], keys.indices.to_numpy()[known]
        names: list[str] = keys.dictionary.to_pylist()
        measured = np.full((len(names), 3, self.size), np.nan)
        for row, column in enumerate(("value", "resolution", "line")):
            measured[kinds, row, runs] = measurements[column].cast(pa.float64()).to_numpy()[known]
        of_key = {(metric, stat): kind for kind, (metric, _, stat) in enumerate(name.partition("\0") for name in names)}
        return {key: measured[of_key[key]] for key in sorted(of_key)}

    def _selected(self) -> dict[Key, npt.NDArray[np.float64]]:
        """The arrays of measurements in a store."""
        keys = self.dataset.sql("SELECT DISTINCT metric, stat FROM measurements ORDER BY metric, stat")
        measured = np.full((len(keys), 3, self.size), np.nan)
        # `k` counts the metrics in the order of `keys`, `i` the runs in that of the table.
        rows = self.dataset.batches(
            f"SELECT r.i, k.k, m.value, m.resolution, m.line::DOUBLE AS line FROM measurements m JOIN {NUMBERED} r "
            "ON m.run = r.run JOIN (SELECT metric, stat, row_number() OVER (ORDER BY metric, stat) - 1 AS k "
            "FROM (SELECT DISTINCT metric, stat FROM measurements)) k ON m.metric = k.metric AND m.stat = k.stat"
        )
        for part in rows:
            for row, name in enumerate(("value", "resolution", "line")):
                measured[part["k"], row, part["i"]] = part[name]
        return dict(zip(zip(keys["metric"], keys["stat"], strict=True), measured, strict=True))

    def stats(self, metric: str) -> list[str]:
        """The stats of a metric that any run states."""
        return [stat for name, stat in self._columns if name == metric]

    @functools.cached_property
    def numbers(self) -> npt.NDArray[np.float64]:
        """All numbers of the reports: a row for each metric and stat, a column for each run."""
        return np.array([column[0] for column in self._columns.values()]).reshape(len(self._columns), self.size)

    def value(self, metric: str, stat: str = "total") -> Floats:
        """A number of each run's report."""
        column = self._columns.get((metric, stat))
        return self._missing if column is None else column[0]

    def resolution(self, metric: str, stat: str = "total") -> Floats:
        """The resolution of a number: half its last printed digit."""
        column = self._columns.get((metric, stat))
        return self._missing if column is None else column[1]

    def stated(self, metric: str, stat: str = "total") -> Bools:
        """Whether the report states the number, even if as ``nan``."""
        return ~np.isnan(self._line(metric, stat))

    def printed(self, metric: str, stat: str = "total") -> Interval:
        """The range that the printed number can stand for."""
        return printed_interval(self.value(metric, stat), self.resolution(metric, stat))

    def printed_by_wrk(self, unit: str, metric: str, stat: str = "total") -> Interval:
        """As `printed_interval`; for numbers of wrk within the range of their unit."""
        value, resolution = self.value(metric, stat), self.resolution(metric, stat)
        plain, clipped = printed_interval(value, resolution), printed_by_wrk(value, resolution, unit)[0]
        return Interval(np.where(self.wrk, clipped.low, plain.low), np.where(self.wrk, clipped.high, plain.high))

    def unprintable(self, unit: str, metric: str, stat: str) -> Bools:
        """Where wrk would have printed the number in another form."""
        assert unit in WRK_UNITS
        return self.wrk & printed_by_wrk(self.value(metric, stat), self.resolution(metric, stat), unit)[1]

    def texts_as_printed(self, unit: str, metric: str, stat: str, where: Bools) -> TextArray:
        """The number as wrk's report has it, with its suffix, for the runs `where`; empty for the others."""
        rows = zip(self.value(metric, stat), self.resolution(metric, stat), where, strict=True)
        return np.array([text_as_printed(value, last, unit) if wanted else "" for value, last, wanted in rows])

    def _line(self, metric: str, stat: str) -> Floats:
        column = self._columns.get((metric, stat))
        return self._missing if column is None else column[2]

    @functools.cached_property
    def wrk(self) -> Bools:
        """Runs of wrk and wrk2."""
        return np.isin(self.tool, ("wrk", "wrk2"))

    def number(self, label: str) -> Floats:
        """A label as a number."""
        if label not in self.table:
            return self._missing
        numbers: Floats = self.table[label].to_numpy(np.float64, na_value=np.nan)
        return numbers

    def numeric_text(self, label: str) -> Floats:
        """A label that is stored as text, as a number; NaN if it is none."""
        return self._mapped(label, lambda text: float(text) if text.isdecimal() else np.nan)

    def texts(self, column: str) -> TextArray:
        """A column of `runs` as text, empty where it is missing."""
        if column not in self._texts:
            known = column in self.table
            texts = self.table[column].to_numpy(object, na_value="").astype(str) if known else np.full(self.size, "")
            texts.flags.writeable = False  # several checks get the same array
            self._texts[column] = texts
        return self._texts[column]

    def _mapped(self, column: str, of: Any) -> npt.NDArray[Any]:
        values, places = np.unique(self.texts(column), return_inverse=True)
        return np.array([of(str(value)) for value in values])[places]

    @functools.cached_property
    def study_or_source(self) -> TextArray:
        """The study of each run, or its source if it has none: runs of one of them can be compared."""
        study = self.texts("study")
        return np.where(study == "", self.texts("source"), study)

    @functools.cached_property
    def series(self) -> tuple[TextArray, Floats]:
        """For each run the series of numbered files that its source belongs to, and the source's number there.

        Files whose paths differ only in their last number are a series if the numbers follow each other, as in
        ``run-1.log``, ``run-2.log``, ``run-3.log``: 1, 2, 4, 8 are more likely cores. A file without a run counts, as
        that of a run that was killed. A source that belongs to none is its own series, without a number.
        """
        sources = self.texts("source")
        read = self.dataset.arrow("sources", only=("source",))["source"].to_pylist()
        numbers: dict[str, dict[str, int]] = {}
        for source in dict.fromkeys([*sources.tolist(), *read]):
            if found := _LAST_NUMBER.search(source):
                name = f"{source[: found.start()]}\0{source[found.end() :]}"
                numbers.setdefault(name, {})[source] = int(found[1])
        of_source = {
            source: (name, float(number))
            for name, files in numbers.items()
            if len(files) > 1 and sorted(files.values()) == list(range(min(files.values()), max(files.values()) + 1))
            for source, number in files.items()
        }
        places = [of_source.get(source, (source, np.nan)) for source in sources.tolist()]
        return np.array([name for name, _ in places], str), np.array([number for _, number in places], np.float64)

    @functools.cached_property
    def settings(self) -> Indices:
        """A number for each run that is the same for runs of one setting.

        They have the same labels, headings and tool, and the same study; without one, the same `series` of files.
        """
        labels = self.dataset.arrow("runs", only=("tool", "dialect", *self.dataset.label_keys()))
        section = pc.fill_null(self.dataset.arrow("runs", only=("section",))["section"], "")
        study = self.texts("study")
        return numbered([np.where(study == "", self.series[0], study), section, *labels.columns])

    @functools.cached_property
    def open_connections(self) -> Floats:
        """Connections open at the same time. Each thread of wrk opens ``connections / threads``, rounded down."""
        connections, threads = self.number("connections"), self.number("threads")
        with np.errstate(divide="ignore", invalid="ignore"):
            opened = np.floor(connections / threads) * threads
        # 0 would be opened with fewer connections than threads, which wrk refuses: the report was changed, and keeps
        # its number.
        return np.where(self.wrk & (opened > 0), opened, connections)

    @functools.cached_property
    def timeout(self) -> Floats:
        """The ``--timeout`` of wrk in seconds; 2 without the option."""

        def seconds(text: str) -> float:
            match = _TIME.fullmatch(text)
            # SOCKET_TIMEOUT_MS of wrk's src/wrk.h is 2000.
            return float(match[1]) * _SECONDS[match[2]] if match else (np.nan if text else 2.0)

        return np.where(self.wrk, self._mapped("flag_timeout", seconds), np.nan)

    @functools.cached_property
    def loopback(self) -> Bools:
        """Runs whose URL is a loopback address, so that server and load generator share a machine."""
        loopback: Bools = self._mapped("url", lambda url: _LOOPBACK.fullmatch(url) is not None).astype(bool)
        return loopback

    @functools.cached_property
    def network_bits_per_s(self) -> Floats:
        """The rate of the network in bits per second, from the study file."""
        return self._mapped("study", lambda study: _float(self._facts.get(study, {}).get("nic_bits_per_s")))

    @functools.cached_property
    def machine_cores(self) -> Floats:
        """The largest number of cores or threads that the study's fact ``cpu`` names, as ``4 cores, 8 threads``."""

        def cores(study: str) -> float:
            found = _CORES.findall(str(self._facts.get(study, {}).get("cpu", "")))
            return max(map(float, found), default=np.nan)

        return self._mapped("study", cores)

    @functools.cached_property
    def _facts(self) -> dict[str, dict[str, Any]]:
        """What the file of each study states about it."""
        studies = self.dataset.arrow("studies", only=("study", "about"))  # a DataFrame takes a millisecond to make
        columns = (studies[name].to_pylist() for name in ("study", "about"))
        return {study: about_facts(about) for study, about in zip(*columns, strict=True)}

    def lines(self, metric: str | None = None, stat: str = "total") -> Indices:
        """The line of a metric; the first line of the run if it does not state the metric, or without a metric."""
        if metric is None:
            return self._first_lines
        line = self._line(metric, stat)
        return np.where(np.isnan(line), self._first_lines, np.nan_to_num(line)).astype(np.int64)

    @functools.cached_property
    def _first_lines(self) -> Indices:
        lines: Indices = self.table["line"].to_numpy(np.int64)
        return lines

    def findings(
        self,
        where: Bools,
        code: str,
        severity: str | TextArray,
        message: str,
        *,
        value: Floats | float = np.nan,
        expected: Floats | float = np.nan,
        tolerance: Floats | float = np.nan,
        at: str | Key | None = None,
        more: dict[str, npt.NDArray[Any]] | None = None,
    ) -> Findings:
        """The findings of a check for the runs where it holds.

        `value`, `expected`, `tolerance` and `more` have one element for each run, or are one number for all. `at` is
        the metric whose line the finding names.
        """
        runs = np.flatnonzero(where)
        # Most checks find nothing.
        if not len(runs):
            none = np.empty(0)
            return Findings(code, none.astype(str), runs, runs, none, none, none, message, {})
        metric, stat = at if isinstance(at, tuple) else (at, "total")

        def at_findings(array: Any) -> npt.NDArray[Any]:
            return np.broadcast_to(array, self.size)[runs]

        chosen = {name: at_findings(array) for name, array in (more or {}).items()}
        return Findings(
            code, at_findings(np.asarray(severity)), runs, at_findings(self.lines(metric, stat)),
            at_findings(value), at_findings(expected), at_findings(tolerance), message, chosen,
        )  # fmt: skip


def numbered(columns: Iterable[npt.NDArray[Any] | pa.ChunkedArray]) -> Indices:
    """A number for each row that is the same for rows that agree in all columns, also in what is missing.

    pandas takes ten times as long to group a few rows by twenty columns.
    """
    arrays = [one.combine_chunks() if isinstance(one, pa.ChunkedArray) else pa.array(one) for one in columns]
    codes = [array.dictionary_encode(null_encoding="encode").indices.to_numpy() for array in arrays]
    # NumPy 2.0 gives the inverse a second axis.
    numbers: Indices = np.unique(np.column_stack(codes), axis=0, return_inverse=True)[1].reshape(-1)
    return numbers


def _float(fact: object) -> float:
    """A number that a person wrote in a study file; NaN if it is none."""
    try:
        return float(fact) if isinstance(fact, int | float | str) else np.nan
    except (ValueError, OverflowError):
        return np.nan
