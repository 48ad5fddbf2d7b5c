"""Traces of the Go runtime: lines that contradict themselves, and a scheduler that leaves work lying.

A trace may have more lines than memory holds: they pass by in parts, in which only what a check says is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from wrkparse.analysis.checks.finding import NOTE, SUSPECT, Findings
from wrkparse.analysis.checks.run_arrays import NUMBERED, RunArrays
from wrkparse.analysis.stats.arrays import Bools, Floats, Indices

IDLE_SHARE = 0.1
_DECADES, _DIGITS = (0.99999e-4, 0.99999e-3, 0.99999e-2), np.array([1e-6, 1e-5, 1e-4, 1e-3])

_CYCLES = (
    "gc", "at_s", "stw_sweep_term_s", "cpu_sweep_term_s", "stw_mark_term_s", "cpu_mark_term_s", "heap_start_bytes",
    "heap_end_bytes", "heap_live_bytes", "procs", "line",
)  # fmt: skip


def checks(runs: RunArrays) -> Iterator[Findings]:
    """All checks of this module; `RunArrays.only_new` leaves settled what only a trace's own lines decide."""
    if runs.dataset.count("gc_cycles"):
        yield from _of_cycles(runs)
    if runs.dataset.count("sched_ticks"):
        yield from _of_ticks(runs)


class _DisorderError(Exception):
    """A run's lines did not come in their order."""


class _Tally:
    """What a check finds: for each run the first line, and how much there is of it."""

    def __init__(self, runs: int) -> None:
        self.amount = np.zeros(runs)
        self.first = np.full(runs, np.nan)

    def add(self, run: Indices, line: Floats, weight: Floats | None = None) -> None:
        """Count these lines, in their order."""
        self.amount += np.bincount(run, weight, len(self.amount))
        found, at = np.unique(run, return_index=True)
        fresh = np.isnan(self.first[found])
        self.first[found[fresh]] = line[at[fresh]]


class _Lines:
    """The rows of an event table, part after part: of each row its run's place in the runs, and its columns."""

    def __init__(self, runs: RunArrays) -> None:
        self.counts = np.zeros(runs.size, np.int64)
        self.run: Indices = np.empty(0, np.int64)
        self.columns: dict[str, Floats] = {}
        self._tallies: dict[str, _Tally] = {}
        self._last: dict[str, Floats] = {}

    def take(self, columns: dict[str, npt.NDArray[np.generic]]) -> None:
        """The next part; raises _DisorderError if a line of a run stands before its last one."""
        self.run = columns.pop("i").astype(np.int64)
        self.columns = {name: column.astype(np.float64, copy=False) for name, column in columns.items()}
        if (self.run[1:] < self.run[:-1]).any():
            order = np.argsort(self.run, kind="stable")
            self.run = self.run[order]
            self.columns = {name: column[order] for name, column in self.columns.items()}
        self.counts += np.bincount(self.run, minlength=len(self.counts))
        if (self.steps("line") < 0).any():
            raise _DisorderError

    def before(self, name: str, values: Floats) -> Floats:
        """What these were on the run's line before; NaN for its first. To be asked once per part and name."""
        last = self._last.setdefault(name, np.full(len(self.counts), np.nan))
        first = np.flatnonzero(np.diff(self.run, prepend=-1))
        found = np.empty_like(values)
        found[1:] = values[:-1]
        found[first] = last[self.run[first]]
        ends = np.append(first[1:], len(values)) - 1
        last[self.run[ends]] = values[ends]
        return found

    def steps(self, name: str) -> Floats:
        """By how much a column grew since the run's line before; NaN for its first."""
        return self.columns[name] - self.before(name, self.columns[name])

    def count(self, name: str, where: Bools, weight: Floats | None = None) -> None:
        """Keep what a check finds in this part."""
        some = None if weight is None else weight[where]
        self.tally(name).add(self.run[where], self.columns["line"][where], some)

    def tally(self, name: str) -> _Tally:
        """What a check has found so far."""
        return self._tallies.setdefault(name, _Tally(len(self.counts)))

    def findings(self, name: str, severity: str, message: str, runs: Bools | None = None) -> Findings:
        """One finding for each run that has such lines: at the first of them, its value their number."""
        tally = self.tally(name)
        found = np.flatnonzero(~np.isnan(tally.first) if runs is None else ~np.isnan(tally.first) & runs)
        return Findings(
            name, np.full(len(found), severity), found, tally.first[found].astype(np.int64), tally.amount[found],
            np.zeros(len(found)), np.full(len(found), np.nan), message, {"lines": self.counts[found]},
        )  # fmt: skip


def _passed(runs: RunArrays, query: str, look: Callable[[_Lines], None]) -> _Lines:
    """All rows of a query, shown to `look` part by part, each run's in the order of its lines."""

    def once(query: str) -> _Lines:
        lines = _Lines(runs)
        for part in runs.dataset.parts(query):
            if len(part["i"]):
                lines.take(part)
                look(lines)
        return lines

    query = f"{query} WHERE r.verdict IS NULL" if runs.only_new else query
    try:
        return once(query)  # tables are written in that order, and mostly kept in it
    except _DisorderError:
        return once(f"{query} ORDER BY line")


def _of_cycles(runs: RunArrays) -> Iterator[Findings]:
    names = ", ".join(f"g.{name}" for name in _CYCLES)
    query = (
        f"SELECT i, {names}, starts_with(era, 'G5') AS whole, era IN ('G6', 'G7') OR whole AS go15 "
        f"FROM gc_cycles g JOIN {NUMBERED} r ON g.run = r.run"
    )
    lines = _passed(runs, query, _cycles)
    message = "{value:.0f} of {lines} lines: processor time of a pause is no whole multiple of its length"
    yield lines.findings("gc-cpu-clock", SUSPECT, message)
    yield lines.findings("gc-order", NOTE, "{value:.0f} of {lines} lines after a later one")
    yield lines.findings("gc-missing", NOTE, "{value:.0f} numbers are missing between {lines} lines")
    yield lines.findings("gc-heap", SUSPECT, "{value:.0f} of {lines} lines: the heap's three sizes are out of order")


def _cycles(lines: _Lines) -> None:
    cpu_and_clock(lines)
    order(lines)
    heap(lines)


def cpu_and_clock(lines: _Lines) -> None:
    """Processor time = k · clock for both pauses of a line, with a whole k from 1 to GOMAXPROCS.

    ``gcMarkTermination`` of ``runtime/mgc.go`` multiplies nanoseconds by stwprocs, and prints both cut to two digits
    and 1 µs at least (``fmtNSAsMS``), whole ms in Go 1.5 before its betas. So k is sought between cpu / (clock + digit)
    and (cpu + digit) / clock. That k equals GOMAXPROCS is not checked: the processors of the machine limit it.
    """
    whole, procs = lines.columns["whole"] > 0, lines.columns["procs"]
    off = np.zeros(len(procs), dtype=bool)
    for phase in ("sweep_term", "mark_term"):
        clock, cpu = lines.columns[f"stw_{phase}_s"], lines.columns[f"cpu_{phase}_s"]
        least = np.floor(cpu / (clock + _digit(clock, whole)) * (1 + 1e-9)) + 1
        off |= (least > procs) | (least * clock > (cpu + _digit(cpu, whole)) * (1 + 1e-9))
    lines.count("gc-cpu-clock", off)


def _digit(seconds: Floats, whole: Bools) -> Floats:
    """The last digit of a time that was printed with two digits, and with 1 µs at least."""
    size = _DIGITS[sum((seconds >= least).view(np.int8) for least in _DECADES)]
    return np.where(whole, 1e-3, size) if whole.any() else size


def order(lines: _Lines) -> None:
    """Numbers rise by one and times do not fall from a line to the next of its process.

    Times fall in Go 1.5 only: elsewhere such a line begins another process's run when it is read.
    """
    number, time = lines.steps("gc"), lines.steps("at_s")
    lines.count("gc-order", (number <= 0) | (time < 0))
    lines.count("gc-missing", (number > 1) & ~(lines.columns["go15"] > 0), number - 1)


def heap(lines: _Lines) -> None:
    """Heap at the start ≤ heap at mark termination ≥ live heap, each cut to MiB: sweeping waits until both are known.

    Not so in Go 1.5 before its betas, which counted otherwise.
    """
    start, end, live = (lines.columns[f"heap_{part}_bytes"] for part in ("start", "end", "live"))
    lines.count("gc-heap", ((start > end) | (live > end)) & ~(lines.columns["whole"] > 0))


def _of_ticks(runs: RunArrays) -> Iterator[Findings]:
    query = (
        "SELECT i, t.gomaxprocs, t.idleprocs, t.runqueue + coalesce(list_sum(t.local_runqueues), 0) AS waiting, t.line "
        f"FROM sched_ticks t JOIN {NUMBERED} r ON t.run = r.run"
    )
    lines = _passed(runs, query, _ticks)
    often = ~np.isnan(lines.tally("in a row").first)
    often &= lines.tally("sched-idle-waiting").amount >= IDLE_SHARE * lines.counts
    message = "{value:.0f} of {lines} lines show idle Ps beside waiting goroutines"
    yield lines.findings("sched-idle-waiting", SUSPECT, message, often)
    yield lines.findings("sched-idle-waiting", NOTE, message, ~often)
    yield lines.findings("sched-counts", SUSPECT, "{value:.0f} of {lines} lines")


def _ticks(lines: _Lines) -> None:
    idle_beside_waiting(lines)
    lines.count("sched-counts", lines.columns["idleprocs"] > lines.columns["gomaxprocs"])


def idle_beside_waiting(lines: _Lines) -> None:
    """Lines with idle Ps and goroutines in the global or a local queue.

    Suspect where it is a tenth of a process's lines, and two in a row: a single one is a snapshot of the scheduler as
    it moves.
    """
    where = (lines.columns["idleprocs"] > 0) & (lines.columns["waiting"] > 0)
    lines.count("sched-idle-waiting", where)
    lines.count("in a row", where & (lines.before("idle beside waiting", where.astype(np.float64)) > 0))
