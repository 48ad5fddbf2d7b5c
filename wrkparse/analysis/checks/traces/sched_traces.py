"""Checks of schedtrace: lines that contradict themselves or each other, and idle Ps while goroutines wait."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wrkparse.analysis.checks.finding import NOTE, SUSPECT, Findings
from wrkparse.analysis.checks.run_arrays import NUMBERED, RunArrays
from wrkparse.analysis.checks.traces.event_rows import EventRows, goes_on_earlier, scan_rows

_WRAPS = 2**31  # schedtick is a uint32: from a larger number, a smaller one can follow
_SAME = ("idleprocs", "threads", "idlethreads", "waiting", "gomaxprocs")  # of a line that stands twice
_COUNTS = "more idle Ps, idle threads or spinning threads than all, or not a run queue for each P"


def checks(runs: RunArrays) -> Iterator[Findings]:
    """All checks of this module. With `RunArrays.only_new` they skip runs that have a verdict."""
    if not runs.dataset.count("sched_ticks"):
        return
    query = (
        "SELECT i, t.t_s, t.gomaxprocs, t.idleprocs, t.threads, t.idlethreads, t.spinningthreads, t.runqueue + "
        "coalesce(list_sum(t.local_runqueues), 0) AS waiting, len(t.local_runqueues)::DOUBLE AS queues, t.line "
        f"FROM sched_ticks t JOIN {NUMBERED} r ON t.run = r.run"
    )
    lines = scan_rows(runs, query, _check_part)
    message = "{value:.0f} of {lines} lines"
    yield lines.findings("sched-idle-waiting", NOTE, f"{message} show idle Ps beside waiting goroutines")
    yield lines.findings("sched-counts", SUSPECT, f"{message}: {_COUNTS}")
    yield lines.findings("sched-order", SUSPECT, f"{message} stand twice")
    yield ticks_fall(runs)
    # A process prints its first line at 0 ms, so such a line begins another trace, and does not contradict the one
    # before.
    yield goes_on_earlier(
        runs, "sched_ticks", "sched-clock", "early > 0 AND gomaxprocs = last_gomaxprocs", ("gomaxprocs",), "t_s",
        "goes on at {value:.3f} s after {expected:.3f} s",
    )  # fmt: skip


def _check_part(lines: EventRows) -> None:
    idle_beside_waiting(lines)
    counts(lines)
    twice(lines)


def idle_beside_waiting(lines: EventRows) -> None:
    """Lines with idle Ps while goroutines wait in the global or a local queue.

    A note: they say how the scheduler worked, not that the lines are wrong. A single one may be a snapshot in the
    moment before a P takes a goroutine.
    """
    lines.count("sched-idle-waiting", (lines.columns["idleprocs"] > 0) & (lines.columns["waiting"] > 0))


def counts(lines: EventRows) -> None:
    """Idle Ps ≤ Ps, idle threads ≤ threads, spinning threads ≤ threads; a queue for each P.

    ``schedtrace`` in ``runtime/proc.go`` prints them while it holds the scheduler's lock. A thread can be counted as
    spinning and idle for a moment, so their sum is not checked.
    """
    columns = lines.columns
    above = columns["idleprocs"] > columns["gomaxprocs"]
    above |= (columns["idlethreads"] > columns["threads"]) | (columns["spinningthreads"] > columns["threads"])
    lines.count("sched-counts", above | (np.abs(columns["queues"] - columns["gomaxprocs"]) > 0))


def twice(lines: EventRows) -> None:
    """A line with the time and the numbers of the line before: lines are a period apart, 1 ms at least (``sysmon``).

    The block that a panic prints has no queues, and can follow at once.
    """
    same = (lines.steps("t_s") == 0) & ~np.isnan(lines.columns["queues"])
    for name in _SAME:
        same &= lines.steps(name) == 0
    lines.count("sched-order", same)


def ticks_fall(runs: RunArrays) -> Findings:
    """A P whose ``schedtick`` is smaller than on the line before: it counts up only, modulo 2³²."""
    found = runs.dataset.sql(
        "SELECT i, min(line) AS line, count(*)::DOUBLE AS amount FROM (SELECT r.i, t.line, t.schedticks AS ticks, "
        "lag(t.schedticks) OVER (PARTITION BY t.run ORDER BY t.line) AS before "
        f"FROM sched_ticks t JOIN {NUMBERED} r ON t.run = r.run WHERE t.schedticks IS NOT NULL"
        f"{' AND r.verdict IS NULL' if runs.only_new else ''}) WHERE len([pair for pair in "
        f"list_zip(ticks, before) if pair[1] < pair[2] AND pair[2] < {_WRAPS}]) > 0 GROUP BY i ORDER BY i"
    )
    amount = found["amount"].to_numpy(np.float64)
    nothing = np.full(len(found), np.nan)
    return Findings(
        "sched-ticks", np.full(len(found), SUSPECT), found["i"].to_numpy(np.int64), found["line"].to_numpy(np.int64),
        amount, np.zeros(len(found)), nothing, "{value:.0f} lines: a P has executed fewer goroutines than before",
    )  # fmt: skip
