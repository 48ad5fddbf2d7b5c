"""The rows of event tables, for checks that follow a trace from line to line.

A trace can have more lines than fit into memory. So its rows are read in parts, and only counts and first lines are
kept.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from wrkparse.analysis.checks.finding import SUSPECT, Findings
from wrkparse.analysis.checks.run_arrays import NUMBERED, RunArrays
from wrkparse.analysis.stats.arrays import Bools, Floats, Indices


class _DisorderError(Exception):
    """The lines of a run are stored out of order."""


class _Occurrences:
    """For each run, how often a check found something, and the first line of it."""

    def __init__(self, runs: int) -> None:
        self.amount = np.zeros(runs)
        self.first = np.full(runs, np.nan)

    def add(self, run: Indices, line: Floats, weight: Floats | None = None) -> None:
        """Add lines, in their order; each counts 1, or its weight."""
        self.amount += np.bincount(run, weight, len(self.amount))
        runs, indices = np.unique(run, return_index=True)
        # Parts are in the order of lines, so a line that is already there is the earlier one.
        is_new = np.isnan(self.first[runs])
        self.first[runs[is_new]] = line[indices[is_new]]


class EventRows:
    """The rows of an event table, one part at a time.

    ``run`` has the index in `RunArrays` of each row of the part, ``columns`` its numbers. ``row_counts`` has the number
    of rows of each run so far, ``previous_lines`` the line of the row before each row.
    """

    def __init__(self, runs: RunArrays) -> None:
        self.row_counts = np.zeros(runs.size, np.int64)
        self.run: Indices = np.empty(0, np.int64)
        self.columns: dict[str, Floats] = {}
        self.previous_lines: Floats = np.empty(0)
        self._counts: dict[str, _Occurrences] = {}
        self._last: dict[str, Floats] = {}

    def next_part(self, columns: dict[str, npt.NDArray[np.generic]]) -> None:
        """Go to the next part. Raises _DisorderError if a line of a run comes before the line of an earlier row."""
        self.run = columns.pop("i").astype(np.int64)
        self.columns = {name: column.astype(np.float64, copy=False) for name, column in columns.items()}
        if (self.run[1:] < self.run[:-1]).any():
            # Stable, so that the lines of each run keep their order.
            order = np.argsort(self.run, kind="stable")
            self.run = self.run[order]
            self.columns = {name: column[order] for name, column in self.columns.items()}
        self.row_counts += np.bincount(self.run, minlength=len(self.row_counts))
        self.previous_lines = self.previous("line", self.columns["line"])
        if (self.columns["line"] < self.previous_lines).any():
            raise _DisorderError

    def previous(self, name: str, values: Floats) -> Floats:
        """The value on the previous line of the run; NaN on its first line. Call it once for each part and name."""
        last = self._last.setdefault(name, np.full(len(self.row_counts), np.nan))
        # `next_part` has put the rows of each run together.
        first = np.flatnonzero(np.diff(self.run, prepend=-1))
        previous = np.empty_like(values)
        previous[1:] = values[:-1]
        previous[first] = last[self.run[first]]
        ends = np.append(first[1:], len(values)) - 1
        # For the first row of the run in the next part.
        last[self.run[ends]] = values[ends]
        return previous

    def steps(self, name: str) -> Floats:
        """The difference of a column to the previous line of the run; NaN on its first line."""
        return self.columns[name] - self.previous(name, self.columns[name])

    def count(self, name: str, where: Bools, weight: Floats | None = None, lines: Floats | None = None) -> None:
        """Count the rows of this part for which a check finds something, under the check's name.

        `lines` are their lines if what was found is not in the rows themselves.
        """
        some = None if weight is None else weight[where]
        of = self.columns["line"] if lines is None else lines
        self.count_of(name).add(self.run[where], of[where], some)

    def count_of(self, name: str) -> _Occurrences:
        """The counts of a check so far."""
        return self._counts.setdefault(name, _Occurrences(len(self.row_counts)))

    def findings(
        self, name: str, severity: str, message: str, runs: Bools | None = None, *, code: str | None = None
    ) -> Findings:
        """One finding for each run with counted lines: its line is the first of them, its value their number."""
        count = self.count_of(name)
        indices = np.flatnonzero(~np.isnan(count.first) if runs is None else ~np.isnan(count.first) & runs)
        return Findings(
            code or name, np.full(len(indices), severity), indices, count.first[indices].astype(np.int64),
            count.amount[indices], np.zeros(len(indices)), np.full(len(indices), np.nan), message,
            {"lines": self.row_counts[indices]},
        )  # fmt: skip


def scan_rows(runs: RunArrays, query: str, check_part: Callable[[EventRows], None]) -> EventRows:
    """Call `check_part` for each part of the rows of a query, with the rows of each run in the order of its lines."""

    def scan(query: str) -> EventRows:
        lines = EventRows(runs)
        for part in runs.dataset.batches(query):
            if len(part["i"]):
                lines.next_part(part)
                check_part(lines)
        return lines

    query = f"{query} WHERE r.verdict IS NULL" if runs.only_new else query
    try:
        return scan(query)  # mostly stored in the order of lines, which saves sorting
    except _DisorderError:
        return scan(f"{query} ORDER BY line")


def goes_on_earlier(
    runs: RunArrays, table: str, code: str, follows: str, columns: tuple[str, ...], clock: str, message: str
) -> Findings:
    """Runs of a trace that go on with another run's numbers, but at an earlier time.

    Reading starts a new run where time falls, as another process would. `follows` is an SQL condition that holds if the
    first line of a run follows the last line of the one before in its source; it has `columns` and, of the last line,
    ``last_`` and the column. ``clock`` is the column of the time. `message` has the fields ``value`` and ``expected``
    (both times) and those of `columns`.
    """
    firsts = ", ".join(f"arg_min({name}, line) AS {name}, arg_max({name}, line) AS end_{name}" for name in columns)
    lasts = ", ".join(f"lag(end_{name}) OVER w AS last_{name}" for name in columns)
    # `s` has the first and the last row of each run; the window `w` goes over a tool's runs of a source from top to
    # bottom.
    found = runs.dataset.sql(
        f"SELECT * FROM (SELECT r.i, s.*, r.verdict, {lasts}, lag(late) OVER w AS last_late FROM (SELECT run, "
        f"min(line) AS line, arg_min({clock}, line) AS early, arg_max({clock}, line) AS late, {firsts} "
        f"FROM {table} GROUP BY run) s JOIN {NUMBERED} r ON r.run = s.run JOIN runs u ON u.run = s.run "
        f"WINDOW w AS (PARTITION BY u.source, u.tool ORDER BY s.line)) WHERE early < last_late AND {follows}"
        f"{' AND verdict IS NULL' if runs.only_new else ''} ORDER BY i"
    )
    more = {name: found[name].to_numpy(np.float64) for name in columns}
    return Findings(
        code, np.full(len(found), SUSPECT), found["i"].to_numpy(np.int64), found["line"].to_numpy(np.int64),
        found["early"].to_numpy(np.float64), found["last_late"].to_numpy(np.float64),
        np.full(len(found), np.nan), message, more,
    )  # fmt: skip
