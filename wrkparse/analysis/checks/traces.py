"""Traces of the Go runtime: lines that contradict themselves, and a scheduler that leaves work lying."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wrkparse.analysis.checks.finding import NOTE, SUSPECT, Bools, Findings, Floats, Indices
from wrkparse.analysis.checks.sheet import NUMBERED, Sheet

IDLE_SHARE = 0.1


_CYCLES = (
    "gc", "at_s", "stw_sweep_term_s", "cpu_sweep_term_s", "stw_mark_term_s", "cpu_mark_term_s", "heap_start_bytes",
    "heap_end_bytes", "heap_live_bytes", "procs", "line",
)  # fmt: skip
_TICKS = ("gomaxprocs", "idleprocs", "waiting", "line")


def checks(sheet: Sheet) -> Iterator[Findings]:
    """All checks of this module."""
    if sheet.dataset.count("gc_cycles"):
        yield from _of_cycles(sheet)
    if sheet.dataset.count("sched_ticks"):
        yield from _of_ticks(sheet)


class _Lines:
    """Rows of an event table: their run's row in the sheet, and their columns, by run and line."""

    def __init__(self, sheet: Sheet, query: str, columns: tuple[str, ...]) -> None:
        rows = sheet.dataset.sql(f"{query} ORDER BY i, line")
        self.sheet = sheet
        self.run: Indices = rows["i"].to_numpy(np.int64)
        self.columns: dict[str, Floats] = {name: rows[name].to_numpy(np.float64, na_value=np.nan) for name in columns}
        self.counts = np.bincount(self.run, minlength=sheet.size)

    def steps(self, name: str) -> Floats:
        """By how much a column grew since the run's line before; NaN for its first."""
        column = self.columns[name]
        same = np.append(False, self.run[1:] == self.run[:-1])
        return np.where(same, np.diff(column, prepend=np.nan), np.nan)

    def findings(self, where: Bools, code: str, severity: str, message: str, weight: Floats | None = None) -> Findings:
        """One finding for each run that has such lines: at the first of them, its value their number."""
        found, first = np.unique(self.run[where], return_index=True)
        total = np.bincount(self.run[where], None if weight is None else weight[where], minlength=self.sheet.size)
        count = total[found].astype(np.float64)
        nothing = np.full(len(found), np.nan)
        return Findings(
            code, np.full(len(found), severity), found, self.columns["line"][where][first].astype(np.int64), count,
            np.zeros(len(found)), nothing, message, {"lines": self.counts[found]},
        )  # fmt: skip


def _of_cycles(sheet: Sheet) -> Iterator[Findings]:
    names = ", ".join(f"g.{name}" for name in _CYCLES)
    query = (
        f"SELECT i, {names}, starts_with(era, 'G5') AS whole, era IN ('G6', 'G7') OR whole AS go15 "
        f"FROM gc_cycles g JOIN {NUMBERED} r ON g.run = r.run"
    )
    lines = _Lines(sheet, query, (*_CYCLES, "whole", "go15"))
    yield cpu_and_clock(lines)
    yield from order(lines)
    yield heap(lines)


def cpu_and_clock(lines: _Lines) -> Findings:
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
    message = "{value:.0f} of {lines} lines: processor time of a pause is no whole multiple of its length"
    return lines.findings(off, "gc-cpu-clock", SUSPECT, message)


def _digit(seconds: Floats, whole: Bools) -> Floats:
    """The last digit of a time that was printed with two digits, and with 1 µs at least."""
    size = np.select([seconds < 0.99999e-4, seconds < 0.99999e-3, seconds < 0.99999e-2], [1e-6, 1e-5, 1e-4], 1e-3)
    return np.where(whole, 1e-3, size)


def order(lines: _Lines) -> Iterator[Findings]:
    """Numbers rise by one and times do not fall from a line to the next of its process.

    Times fall in Go 1.5 only: elsewhere such a line begins another process's run when it is read.
    """
    number, time = lines.steps("gc"), lines.steps("at_s")
    message = "{value:.0f} of {lines} lines after a later one"
    yield lines.findings((number <= 0) | (time < 0), "gc-order", NOTE, message)
    message = "{value:.0f} numbers are missing between {lines} lines"
    lost = (number > 1) & ~(lines.columns["go15"] > 0)
    yield lines.findings(lost, "gc-missing", NOTE, message, number - 1)


def heap(lines: _Lines) -> Findings:
    """Heap at the start ≤ heap at mark termination ≥ live heap, each cut to MiB: sweeping waits until both are known.

    Not so in Go 1.5 before its betas, which counted otherwise.
    """
    start, end, live = (lines.columns[f"heap_{part}_bytes"] for part in ("start", "end", "live"))
    message = "{value:.0f} of {lines} lines: the heap's three sizes are out of order"
    off = ((start > end) | (live > end)) & ~(lines.columns["whole"] > 0)
    return lines.findings(off, "gc-heap", SUSPECT, message)


def _of_ticks(sheet: Sheet) -> Iterator[Findings]:
    query = (
        "SELECT i, t.gomaxprocs, t.idleprocs, t.runqueue + coalesce(list_sum(t.local_runqueues), 0) AS waiting, t.line "
        f"FROM sched_ticks t JOIN {NUMBERED} r ON t.run = r.run"
    )
    lines = _Lines(sheet, query, _TICKS)
    yield from idle_beside_waiting(lines)
    message = "{value:.0f} of {lines} lines"
    yield lines.findings(lines.columns["idleprocs"] > lines.columns["gomaxprocs"], "sched-counts", SUSPECT, message)


def idle_beside_waiting(lines: _Lines) -> Iterator[Findings]:
    """Lines with idle Ps and goroutines in the global or a local queue.

    Suspect where it is a tenth of a process's lines, and two in a row: a single one is a snapshot of the scheduler as
    it moves.
    """
    where = (lines.columns["idleprocs"] > 0) & (lines.columns["waiting"] > 0)
    count = np.bincount(lines.run[where], minlength=len(lines.counts))
    in_a_row = where[1:] & where[:-1] & (lines.run[1:] == lines.run[:-1])
    lasting = np.bincount(lines.run[1:][in_a_row], minlength=len(lines.counts)) > 0
    often = lasting & (count >= IDLE_SHARE * lines.counts)
    message = "{value:.0f} of {lines} lines show idle Ps beside waiting goroutines"
    yield lines.findings(where & often[lines.run], "sched-idle-waiting", SUSPECT, message)
    yield lines.findings(where & ~often[lines.run], "sched-idle-waiting", NOTE, message)
