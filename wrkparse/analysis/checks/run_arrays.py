"""The runs of a dataset as arrays: an element for each run, NaN where a report has no such number."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from wrkparse.analysis.checks.finding import Findings
from wrkparse.analysis.stats.arrays import Bools, Floats, Indices, Texts
from wrkparse.analysis.stats.intervals import WRK_UNITS, Interval, printed, printed_by_wrk
from wrkparse.context.study import facts

if TYPE_CHECKING:
    import pandas as pd

    from wrkparse.dataset import Dataset

Key = tuple[str, str]  # metric and stat

NUMBERED = "(SELECT run, verdict, row_number() OVER (ORDER BY source, line, run) - 1 AS i FROM runs)"
_LOOPBACK = re.compile(r"(?:\w+://)?(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/].*)?")
_TIME = re.compile(r"([0-9]+)([smh]?)")  # wrk src/units.c scan_time
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}


class Sheet:
    """Measurements and labels of all runs of a dataset, ordered by source and line."""

    def __init__(self, dataset: Dataset, *, only_new: bool = False) -> None:
        """With `only_new`, event lines of runs that have a verdict are not looked at again."""
        self.dataset = dataset
        self.only_new = only_new
        long = "command, section, invalid_reason"  # texts that no check looks at
        self.runs: pd.DataFrame = dataset.sql(f"SELECT * EXCLUDE ({long}) FROM runs ORDER BY source, line, run")
        self.size = len(self.runs)
        self.tool: npt.NDArray[np.str_] = self.texts("tool")
        self._columns = self._measured()
        self._nothing = np.full(self.size, np.nan)

    def _measured(self) -> dict[Key, npt.NDArray[np.float64]]:
        """Value, resolution and line of each metric and stat: the rows of an array with a column for each run."""
        keys = self.dataset.sql("SELECT DISTINCT metric, stat FROM measurements ORDER BY metric, stat")
        found = np.full((len(keys), 3, self.size), np.nan)
        rows = self.dataset.parts(
            f"SELECT r.i, k.k, m.value, m.resolution, m.line::DOUBLE AS line FROM measurements m JOIN {NUMBERED} r "
            "ON m.run = r.run JOIN (SELECT metric, stat, row_number() OVER (ORDER BY metric, stat) - 1 AS k "
            "FROM (SELECT DISTINCT metric, stat FROM measurements)) k ON m.metric = k.metric AND m.stat = k.stat"
        )
        for part in rows:
            for place, name in enumerate(("value", "resolution", "line")):
                found[part["k"], place, part["i"]] = part[name]
        return dict(zip(zip(keys["metric"], keys["stat"], strict=True), found, strict=True))

    def stats(self, metric: str) -> list[str]:
        """The stats that any run has of a metric."""
        return [stat for name, stat in self._columns if name == metric]

    def value(self, metric: str, stat: str = "total") -> Floats:
        """A number of each run's report."""
        column = self._columns.get((metric, stat))
        return self._nothing if column is None else column[0]

    def resolution(self, metric: str, stat: str = "total") -> Floats:
        """Half the last printed digit of it."""
        column = self._columns.get((metric, stat))
        return self._nothing if column is None else column[1]

    def stated(self, metric: str, stat: str = "total") -> Bools:
        """Whether the report has it, were it as ``nan``."""
        return ~np.isnan(self._line(metric, stat))

    def printed(self, metric: str, stat: str = "total") -> Interval:
        """What the printed number can stand for."""
        return printed(self.value(metric, stat), self.resolution(metric, stat))

    def printed_by_wrk(self, unit: str, metric: str, stat: str = "total") -> Interval:
        """The same; where wrk printed it, within the range of its unit."""
        value, resolution = self.value(metric, stat), self.resolution(metric, stat)
        plain, clipped = printed(value, resolution), printed_by_wrk(value, resolution, unit)[0]
        return Interval(np.where(self.wrk, clipped.low, plain.low), np.where(self.wrk, clipped.high, plain.high))

    def unprintable(self, unit: str, metric: str, stat: str) -> Bools:
        """Where the number is one that wrk would have printed otherwise."""
        assert unit in WRK_UNITS
        return self.wrk & printed_by_wrk(self.value(metric, stat), self.resolution(metric, stat), unit)[1]

    def _line(self, metric: str, stat: str) -> Floats:
        column = self._columns.get((metric, stat))
        return self._nothing if column is None else column[2]

    @functools.cached_property
    def wrk(self) -> Bools:
        """Runs of wrk and wrk2."""
        return np.isin(self.tool, ("wrk", "wrk2"))

    def number(self, label: str) -> Floats:
        """A label as a number."""
        if label not in self.runs:
            return self._nothing
        numbers: Floats = self.runs[label].to_numpy(np.float64, na_value=np.nan)
        return numbers

    def numeric_text(self, label: str) -> Floats:
        """A label that is kept as text, as a number; NaN where it is none."""
        return self._mapped(label, lambda text: float(text) if text.isdecimal() else np.nan)

    def texts(self, column: str) -> Texts:
        """A column of `runs` as text, empty where it is missing."""
        if column not in self.runs:
            return np.full(self.size, "")
        return self.runs[column].fillna("").to_numpy(object).astype(str)

    def _mapped(self, column: str, of: Any) -> npt.NDArray[Any]:
        values, places = np.unique(self.texts(column), return_inverse=True)
        return np.array([of(str(value)) for value in values])[places]

    @functools.cached_property
    def open_connections(self) -> Floats:
        """Connections that were open at once: wrk's threads open ``connections / threads`` each, rounded down."""
        connections, threads = self.number("connections"), self.number("threads")
        with np.errstate(divide="ignore", invalid="ignore"):
            opened = np.floor(connections / threads) * threads
        return np.where(self.wrk & (opened > 0), opened, connections)

    @functools.cached_property
    def timeout(self) -> Floats:
        """The ``--timeout`` of wrk in seconds, 2 unless the command says otherwise."""

        def seconds(text: str) -> float:
            match = _TIME.fullmatch(text)
            return float(match[1]) * _SECONDS[match[2]] if match else (np.nan if text else 2.0)

        return np.where(self.wrk, self._mapped("flag_timeout", seconds), np.nan)

    @functools.cached_property
    def loopback(self) -> Bools:
        """Runs whose URL is on the machine of the load generator."""
        found: Bools = self._mapped("url", lambda url: _LOOPBACK.fullmatch(url) is not None).astype(bool)
        return found

    @functools.cached_property
    def nic_bits_per_s(self) -> Floats:
        """What the study says of its network."""
        studies = self.dataset.studies
        pairs = zip(studies["study"], studies["about"], strict=True)
        stated = {study: facts(about).get("nic_bits_per_s") for study, about in pairs}
        return self._mapped("study", lambda study: _float(stated.get(study)))

    def lines(self, metric: str | None = None, stat: str = "total") -> Indices:
        """The line of a metric; a run's first where it has none, or without a metric."""
        first = self.runs["line"].to_numpy(np.int64)
        if metric is None:
            return first
        line = self._line(metric, stat)
        return np.where(np.isnan(line), first, np.nan_to_num(line)).astype(np.int64)

    def findings(
        self,
        where: Bools,
        code: str,
        severity: str | Texts,
        message: str,
        *,
        value: Floats | float = np.nan,
        expected: Floats | float = np.nan,
        tolerance: Floats | float = np.nan,
        at: str | Key | None = None,
        more: dict[str, npt.NDArray[Any]] | None = None,
    ) -> Findings:
        """A check's findings: the elements of the arrays at the runs where it holds. `at` is the metric in question."""
        runs = np.flatnonzero(where)
        metric, stat = at if isinstance(at, tuple) else (at, "total")

        def some(array: Any) -> npt.NDArray[Any]:
            return np.broadcast_to(array, self.size)[runs]

        chosen = {name: some(array) for name, array in (more or {}).items()}
        return Findings(
            code, some(np.asarray(severity)), runs, some(self.lines(metric, stat)),
            some(value), some(expected), some(tolerance), message, chosen,
        )  # fmt: skip


def _float(fact: object) -> float:
    """A number that a person wrote; NaN for another thing."""
    try:
        return float(fact) if isinstance(fact, int | float | str) else np.nan
    except (ValueError, OverflowError):
        return np.nan
