"""Checks of Go traces: lines that contradict each other, and idle Ps while goroutines wait.

A trace can have more lines than fit into memory. So its rows are read in parts, and only counts and first lines are
kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from wrkparse.analysis.checks.finding import NOTE, SUSPECT, Findings
from wrkparse.analysis.checks.run_arrays import NUMBERED, RunArrays
from wrkparse.analysis.stats.arrays import Bools, Floats, Indices

# Of the lines of a process, by convention: fewer lines with idle Ps beside waiting goroutines are only noted.
IDLE_SHARE = 0.1
# The last digit of a time that is printed with two digits: below the first limit, between the limits, above the last.
# The limits are lowered by a relative 1e-5, because a printed 0.1 ms may be a slightly smaller float.
_DIGIT_LIMITS_S, _DIGITS_S = (0.99999e-4, 0.99999e-3, 0.99999e-2), np.array([1e-6, 1e-5, 1e-4, 1e-3])

_CYCLES = (
    "gc", "at_s", "stw_sweep_term_s", "cpu_sweep_term_s", "stw_mark_term_s", "cpu_mark_term_s", "heap_start_bytes",
    "heap_end_bytes", "heap_live_bytes", "procs", "line",
)  # fmt: skip


def checks(runs: RunArrays) -> Iterator[Findings]:
    """All checks of this module. With `RunArrays.only_new` they skip runs that have a verdict."""
    if runs.dataset.count("gc_cycles"):
        yield from _cycle_findings(runs)
    if runs.dataset.count("sched_ticks"):
        yield from _tick_findings(runs)


class _DisorderError(Exception):
    """The lines of a run are stored out of order."""


class _Count:
    """For each run, how often a check found something, and the first line of it."""

    def __init__(self, runs: int) -> None:
        self.amount = np.zeros(runs)
        self.first = np.full(runs, np.nan)

    def add(self, run: Indices, line: Floats, weight: Floats | None = None) -> None:
        """Add lines, in their order; each counts 1, or its weight."""
        self.amount += np.bincount(run, weight, len(self.amount))
        runs, indices = np.unique(run, return_index=True)
        is_new = np.isnan(self.first[runs])
        self.first[runs[is_new]] = line[indices[is_new]]


class _EventRows:
    """The rows of an event table, one part at a time.

    ``run`` has the index in `RunArrays` of each row of the part, ``columns`` its numbers. ``row_counts`` has the number
    of rows of each run so far.
    """

    def __init__(self, runs: RunArrays) -> None:
        self.row_counts = np.zeros(runs.size, np.int64)
        self.run: Indices = np.empty(0, np.int64)
        self.columns: dict[str, Floats] = {}
        self._counts: dict[str, _Count] = {}
        self._last: dict[str, Floats] = {}

    def next_part(self, columns: dict[str, npt.NDArray[np.generic]]) -> None:
        """Go to the next part. Raises _DisorderError if a line of a run comes before the line of an earlier row."""
        self.run = columns.pop("i").astype(np.int64)
        self.columns = {name: column.astype(np.float64, copy=False) for name, column in columns.items()}
        if (self.run[1:] < self.run[:-1]).any():
            order = np.argsort(self.run, kind="stable")
            self.run = self.run[order]
            self.columns = {name: column[order] for name, column in self.columns.items()}
        self.row_counts += np.bincount(self.run, minlength=len(self.row_counts))
        if (self.steps("line") < 0).any():
            raise _DisorderError

    def previous(self, name: str, values: Floats) -> Floats:
        """The value on the previous line of the run; NaN on its first line. Call it once for each part and name."""
        last = self._last.setdefault(name, np.full(len(self.row_counts), np.nan))
        first = np.flatnonzero(np.diff(self.run, prepend=-1))
        previous = np.empty_like(values)
        previous[1:] = values[:-1]
        previous[first] = last[self.run[first]]
        ends = np.append(first[1:], len(values)) - 1
        last[self.run[ends]] = values[ends]
        return previous

    def steps(self, name: str) -> Floats:
        """The difference of a column to the previous line of the run; NaN on its first line."""
        return self.columns[name] - self.previous(name, self.columns[name])

    def count(self, name: str, where: Bools, weight: Floats | None = None) -> None:
        """Count the rows of this part for which a check finds something, under the check's name."""
        some = None if weight is None else weight[where]
        self.count_of(name).add(self.run[where], self.columns["line"][where], some)

    def count_of(self, name: str) -> _Count:
        """The counts of a check so far."""
        return self._counts.setdefault(name, _Count(len(self.row_counts)))

    def findings(self, name: str, severity: str, message: str, runs: Bools | None = None) -> Findings:
        """One finding for each run with counted lines: its line is the first of them, its value their number."""
        count = self.count_of(name)
        indices = np.flatnonzero(~np.isnan(count.first) if runs is None else ~np.isnan(count.first) & runs)
        return Findings(
            name, np.full(len(indices), severity), indices, count.first[indices].astype(np.int64),
            count.amount[indices], np.zeros(len(indices)), np.full(len(indices), np.nan), message,
            {"lines": self.row_counts[indices]},
        )  # fmt: skip


def _scan(runs: RunArrays, query: str, check_part: Callable[[_EventRows], None]) -> _EventRows:
    """Call `check_part` for each part of the rows of a query, with the rows of each run in the order of its lines."""

    def scan(query: str) -> _EventRows:
        lines = _EventRows(runs)
        for part in runs.dataset.parts(query):
            if len(part["i"]):
                lines.next_part(part)
                check_part(lines)
        return lines

    query = f"{query} WHERE r.verdict IS NULL" if runs.only_new else query
    try:
        return scan(query)  # mostly stored in the order of lines, which saves sorting
    except _DisorderError:
        return scan(f"{query} ORDER BY line")


def _cycle_findings(runs: RunArrays) -> Iterator[Findings]:
    names = ", ".join(f"g.{name}" for name in _CYCLES)
    query = (
        f"SELECT i, {names}, starts_with(era, 'G5') AS whole_ms, era IN ('G6', 'G7') OR whole_ms AS go15 "
        f"FROM gc_cycles g JOIN {NUMBERED} r ON g.run = r.run"
    )
    lines = _scan(runs, query, _check_cycles)
    message = "{value:.0f} of {lines} lines: processor time of a pause is no whole multiple of its length"
    yield lines.findings("gc-cpu-clock", SUSPECT, message)
    yield lines.findings("gc-order", NOTE, "{value:.0f} of {lines} lines after a later one")
    yield lines.findings("gc-missing", NOTE, "{value:.0f} numbers are missing between {lines} lines")
    yield lines.findings("gc-heap", SUSPECT, "{value:.0f} of {lines} lines: the heap's three sizes are out of order")


def _check_cycles(lines: _EventRows) -> None:
    cpu_and_clock(lines)
    order(lines)
    heap(lines)


def cpu_and_clock(lines: _EventRows) -> None:
    """Processor time = k · clock for both pauses of a line, with an integer k from 1 to GOMAXPROCS.

    ``gcMarkTermination`` in ``runtime/mgc.go`` multiplies nanoseconds by stwprocs and prints both, cut to two digits
    and to at least 1 µs (``fmtNSAsMS``); to ms in Go 1.5 before its betas. So there must be an integer k between cpu /
    (clock + digit) and (cpu + digit) / clock. It need not equal GOMAXPROCS, since the processors of the machine limit
    it.
    """
    whole_ms, procs = lines.columns["whole_ms"] > 0, lines.columns["procs"]
    contradicts = np.zeros(len(procs), dtype=bool)
    for phase in ("sweep_term", "mark_term"):
        clock, cpu = lines.columns[f"stw_{phase}_s"], lines.columns[f"cpu_{phase}_s"]
        smallest_k = np.floor(cpu / (clock + _digit(clock, whole_ms)) * (1 + 1e-9)) + 1
        contradicts |= (smallest_k > procs) | (smallest_k * clock > (cpu + _digit(cpu, whole_ms)) * (1 + 1e-9))
    lines.count("gc-cpu-clock", contradicts)


def _digit(seconds: Floats, whole_ms: Bools) -> Floats:
    """The last digit of a time that was printed with two digits and at least 1 µs, or in whole ms."""
    size = _DIGITS_S[sum((seconds >= least).view(np.int8) for least in _DIGIT_LIMITS_S)]
    return np.where(whole_ms, 1e-3, size) if whole_ms.any() else size


def order(lines: _EventRows) -> None:
    """From one line of a process to the next, the number rises by one and the time does not fall.

    Falling times occur only in Go 1.5: in other versions the parser starts a new run at such a line.
    """
    number, time = lines.steps("gc"), lines.steps("at_s")
    lines.count("gc-order", (number <= 0) | (time < 0))
    lines.count("gc-missing", (number > 1) & ~(lines.columns["go15"] > 0), number - 1)


def heap(lines: _EventRows) -> None:
    """Heap at the start ≤ heap at mark termination ≥ live heap, each cut to MiB, because sweeping starts afterwards.

    Go 1.5 before its betas counted differently and is not checked.
    """
    start, end, live = (lines.columns[f"heap_{part}_bytes"] for part in ("start", "end", "live"))
    lines.count("gc-heap", ((start > end) | (live > end)) & ~(lines.columns["whole_ms"] > 0))


def _tick_findings(runs: RunArrays) -> Iterator[Findings]:
    query = (
        "SELECT i, t.gomaxprocs, t.idleprocs, t.runqueue + coalesce(list_sum(t.local_runqueues), 0) AS waiting, t.line "
        f"FROM sched_ticks t JOIN {NUMBERED} r ON t.run = r.run"
    )
    lines = _scan(runs, query, _check_ticks)
    is_frequent = ~np.isnan(lines.count_of("in a row").first)
    is_frequent &= lines.count_of("sched-idle-waiting").amount >= IDLE_SHARE * lines.row_counts
    message = "{value:.0f} of {lines} lines show idle Ps beside waiting goroutines"
    yield lines.findings("sched-idle-waiting", SUSPECT, message, is_frequent)
    yield lines.findings("sched-idle-waiting", NOTE, message, ~is_frequent)
    yield lines.findings("sched-counts", SUSPECT, "{value:.0f} of {lines} lines")


def _check_ticks(lines: _EventRows) -> None:
    idle_beside_waiting(lines)
    lines.count("sched-counts", lines.columns["idleprocs"] > lines.columns["gomaxprocs"])


def idle_beside_waiting(lines: _EventRows) -> None:
    """Lines with idle Ps while goroutines wait in the global or a local queue.

    Suspect if they are a tenth of the lines of a process and two follow each other. A single such line may be a
    snapshot in the moment before a P takes a goroutine.
    """
    where = (lines.columns["idleprocs"] > 0) & (lines.columns["waiting"] > 0)
    lines.count("sched-idle-waiting", where)
    lines.count("in a row", where & (lines.previous("idle beside waiting", where.astype(np.float64)) > 0))
