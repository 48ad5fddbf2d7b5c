"""Checks of where a run comes from: a report that is cut off, that is copied, or that has another run's command.

They take up what reading found: the diagnostics, and the labels that contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pyarrow.compute as pc

from wrkparse.analysis.checks.finding import INVALID, NOTE, SUSPECT, Findings
from wrkparse.analysis.checks.run_arrays import NUMBERED, RunArrays
from wrkparse.model.records import COPY, FEWEST_COPIED, INCOMPLETE

if TYPE_CHECKING:
    import pandas as pd

_MOST_RESTATED = 2  # numbers: a rate of requests, and one of bytes
_FEWEST_DIGITS = 1_000  # times the last printed digit: of four digits or more
_STATED = ("threads", "connections", "duration_s", "rate", "url")  # labels that reports print and flags give


def checks(runs: RunArrays) -> Iterator[Findings]:
    """All checks of this module."""
    some = runs.dataset.count("diagnostics")
    noted = set(runs.dataset.sql("SELECT DISTINCT code FROM diagnostics")["code"]) if some else set()
    if INCOMPLETE in noted:
        yield incomplete(runs)
    if COPY in noted:
        yield copies(runs)
    yield copies_of_other_files(runs)
    yield restated(runs)
    # The query finds overruled labels only; in memory, it is quicker to see first whether there are any.
    labels = runs.dataset.table_in_memory("labels")
    if labels is None or pc.any(labels["overruled"]).as_py():
        yield command_differs(runs)


def incomplete(runs: RunArrays) -> Findings:
    """A report that ends before the last line of its tool: the parser's diagnostics; a warning means suspect."""
    found = _diagnostics(runs, INCOMPLETE, "line_end")
    return _found(found, INCOMPLETE, np.where(found["severity"] == "warning", SUSPECT, NOTE))


def copies(runs: RunArrays) -> Findings:
    """A run whose numbers are all those of an earlier run of its source, as reading noted."""
    found = _diagnostics(runs, COPY, "line")
    return _found(found, COPY, np.full(len(found), SUSPECT))


def copies_of_other_files(runs: RunArrays) -> Findings:
    """A run of a load generator that prints the same numbers as a run of another source, all of them.

    A rate has six digits or more, and a report several numbers: chance does not repeat them.
    """
    numbers = runs.numbers
    enough = ~np.isnan(runs.value("throughput")) & (np.count_nonzero(~np.isnan(numbers), axis=0) >= FEWEST_COPIED)
    first: dict[tuple[str, bytes], int] = {}
    original = np.full(runs.size, -1)
    for i in np.flatnonzero(enough).tolist():
        # As bytes, numbers that are missing in both are equal; NaN is not.
        # The first of equal runs is its own original: it has that source, and is no copy.
        original[i] = first.setdefault((str(runs.tool[i]), numbers[:, i].tobytes()), i)
    sources, lines = runs.texts("source"), runs.lines()
    copied = (original >= 0) & (sources[original] != sources)
    where = [f"{source}:{line}" for source, line in zip(sources[original], lines[original], strict=True)]
    return runs.findings(
        copied, COPY, SUSPECT, "all numbers are those of the run at {where}", more={"where": np.array(where, object)}
    )


def restated(runs: RunArrays) -> Findings:
    """A line or two that state the rate of a whole report of the same tool in their source, as summaries do.

    The output of a load's own command is a run, whatever its rate is: ``wrk … | grep Requests``.
    """
    numbers, rate = runs.numbers, runs.value("throughput")
    stated = ~np.isnan(numbers)
    how_many = np.count_nonzero(stated, axis=0)
    has_digits = rate >= _FEWEST_DIGITS * 2 * runs.resolution("throughput")  # else chance may repeat it
    may_restate = (how_many <= _MOST_RESTATED) & has_digits & (runs.texts("url") == "")
    reports: dict[tuple[str, str, float], int] = {}
    sources, lines = runs.texts("source"), runs.lines()
    if np.any(may_restate):
        for i in np.flatnonzero((how_many > _MOST_RESTATED) & has_digits).tolist():
            # Floats as keys: a rate that is printed with the same digits is read as the same float.
            reports.setdefault((sources[i], runs.tool[i], rate[i]), i)
    where = np.full(runs.size, "", dtype=object)
    for i in np.flatnonzero(may_restate).tolist() if reports else ():
        report = reports.get((sources[i], runs.tool[i], rate[i]))
        if report is not None and np.array_equal(numbers[stated[:, i], i], numbers[stated[:, i], report]):
            where[i] = f"{sources[i]}:{lines[report]}"
    return runs.findings(
        where != "", "restated", INVALID, "the rate is that of the report at {where}", more={"where": where}
    )


def _diagnostics(runs: RunArrays, code: str, place: str) -> pd.DataFrame:
    """The diagnostics with this code at a line of a run: i (index of the run), line, severity, what.

    `place` is the column with the line: line or line_end.
    """
    found = runs.dataset.sql(
        "SELECT r.i, d.line, d.severity, d.message AS what FROM diagnostics d "
        f"JOIN runs u ON u.source = d.source AND u.{place} = d.line AND starts_with(d.message, u.tool || ':') "
        f"JOIN {NUMBERED} r ON r.run = u.run WHERE d.code = '{code}' ORDER BY r.i"
    )
    # "ab: the report ends …": the finding belongs to a run, which names its tool.
    found["what"] = found["what"].str.replace(r"^\w+: ", "", regex=True)
    return found


def command_differs(runs: RunArrays) -> Findings:
    """A flag of the command above a report against what the report says: another command's report.

    ``Running 2m`` is any duration from 90 to 150 s, so a duration differs by more than the printed resolution.
    """
    keys = ", ".join(f"'{key}'" for key in _STATED)
    found = runs.dataset.sql(
        "SELECT r.i, f.line, f.key, f.value AS flag, p.value AS printed FROM labels f "
        "JOIN labels p ON p.run = f.run AND p.key = f.key AND p.origin = 'report' AND p.value <> f.value "
        f"JOIN {NUMBERED} r ON r.run = f.run WHERE f.origin = 'flag' AND (f.overruled OR p.overruled) "
        f"AND f.line IS NOT NULL AND f.key IN ({keys}) ORDER BY r.i, f.line, f.key"
    )
    i = found["i"].to_numpy(np.int64)
    rounded = np.nan_to_num(runs.resolution("planned_duration"))[i]
    is_duration = (found["key"] == "duration_s").to_numpy(bool)
    # Values of other labels, such as a URL, become NaN, which no comparison below holds for.
    flag, printed = (_numbers(found[name].where(is_duration, "")) for name in ("flag", "printed"))
    found = found[~(is_duration & (np.abs(flag - printed) <= rounded))]
    found = found.assign(
        what="the command says " + found["key"] + "=" + found["flag"] + ", the report " + found["printed"].astype(str)
    )
    return _found(found, "command-differs", np.full(len(found), SUSPECT))


def _numbers(texts: pd.Series[str]) -> np.ndarray:
    import pandas as pd

    return pd.to_numeric(texts, errors="coerce").to_numpy(np.float64)


def _found(found: pd.DataFrame, code: str, severity: np.ndarray) -> Findings:
    nothing = np.full(len(found), np.nan)
    return Findings(
        code, severity, found["i"].to_numpy(np.int64), found["line"].to_numpy(np.int64), nothing, nothing, nothing,
        "{what}", {"what": found["what"].to_numpy(object)},
    )  # fmt: skip
