"""Checks of gctrace: lines that contradict themselves or each other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wrkparse.analysis.checks.finding import INVALID, NOTE, SUSPECT, Findings
from wrkparse.analysis.checks.run_arrays import NUMBERED, RunArrays
from wrkparse.analysis.checks.traces.event_rows import EventRows, goes_on_earlier, scan_rows
from wrkparse.analysis.stats.arrays import Bools, Floats

# The last digit of a time that is printed with two digits: below the first limit, between the limits, above the last.
# The limits are lowered by a relative 1e-5, because a printed 0.1 ms may be a slightly smaller float.
_DIGIT_LIMITS_S, _DIGITS_S = (0.99999e-4, 0.99999e-3, 0.99999e-2), np.array([1e-6, 1e-5, 1e-4, 1e-3])
_AT_DIGIT_S = 1e-3  # @ is cut to ms
_SHARE_DIGIT = 0.01  # the share is cut to whole percents
# The share counts from the scheduler's start, @ from a moment later, when the runtime is initialised. This bounds the
# time between them; the largest in the traces of Go 1.6 to 1.27 at hand is a few milliseconds.
_START_S = 0.05

_CLOCKS = ("stw_sweep_term_s", "concurrent_scan_s", "write_barrier_s", "concurrent_mark_s", "stw_mark_term_s")
_WORK = ("cpu_assist_s", "cpu_background_s", "cpu_idle_s")
# Only these columns are read: a trace may have millions of lines.
_CYCLES = (
    "gc", "at_s", *_CLOCKS, *_WORK, "cpu_sweep_term_s", "cpu_mark_term_s", "heap_start_bytes", "heap_end_bytes",
    "heap_live_bytes", "procs", "gc_cpu_ratio", "mallocs", "frees", "objects_start", "objects_live", "line",
)  # fmt: skip


def checks(runs: RunArrays) -> Iterator[Findings]:
    """All checks of this module. With `RunArrays.only_new` they skip runs that have a verdict."""
    if not runs.dataset.count("gc_cycles"):
        return
    names = ", ".join(f"g.{name}" for name in _CYCLES)
    # Eras as in `wrkparse.tools.go.gctrace`: G5 is Go 1.5 before its betas, G6 and G7 are 1.5 and 1.6beta1, G1 and G2
    # are 1.0 to 1.2. Forced cycles up to Go 1.8, in G6 to G8, repeat the work of the cycle before (see
    # `analysis.go.gc.cycles`).
    query = (
        f"SELECT i, {names}, starts_with(era, 'G5') AS whole_ms, era IN ('G6', 'G7') OR whole_ms AS go15, "
        "era IN ('G1', 'G2') AS swept, coalesce(forced, false) AND era IN ('G6', 'G7', 'G8') AS stale "
        f"FROM gc_cycles g JOIN {NUMBERED} r ON g.run = r.run"
    )
    lines = scan_rows(runs, query, _check_part)
    message = "{value:.0f} of {lines} lines: "
    for code, what in (
        ("gc-cpu-clock", "processor time of a pause is not a whole multiple of its length"),
        ("gc-heap", "the heap's three sizes are out of order"),
        ("gc-overlap", "the cycle began before the one before it had ended"),
        ("gc-workers", "workers and assists took more processor time than all Ps have in the cycle"),
        ("gc-cpu-share", "the share of all GC CPU since the start can't follow from the line before"),
        ("gc-procs", "another number of Ps than in the lines before and after"),
        ("gc-objects", "objects are not allocations less frees"),
    ):
        yield lines.findings(code, SUSPECT, message + what)
    yield lines.findings("gc-order", SUSPECT, message + "a number that was there before, or time falls")
    yield lines.findings("gc-order of Go 1.5", NOTE, message + "after a later one", code="gc-order")
    yield lines.findings("gc-missing", NOTE, "{value:.0f} numbers are missing between {lines} lines")
    yield goes_on_earlier(
        runs, "gc_cycles", "gc-clock", "gc = last_gc + 1 AND procs IS NOT DISTINCT FROM last_procs",
        ("gc", "procs"), "at_s", "goes on with number {gc:.0f}, but at {value:.3f} s after {expected:.3f} s",
    )  # fmt: skip
    yield go_run(runs)


def go_run(runs: RunArrays) -> Findings:
    """Only one process prints a trace below a command ``go run``.

    ``cmd/go`` hands its environment down to the compiler, the linker and the program, and a trace does not say whose it
    is.
    """
    # The line of a command is that of its label `program`, or of a GODEBUG that it sets; an exported GODEBUG has the
    # line of another command.
    rows = runs.dataset.answer_rows(
        f"""
        WITH typed AS (
          SELECT n.i, r.source, max(l.line) AS command_line
          FROM runs r JOIN {NUMBERED} n ON n.run = r.run JOIN labels l ON l.run = r.run
          WHERE r.tool = 'gctrace' AND regexp_matches(r.command, '\\bgo\\s+run\\s')
            AND (l.key = 'program' OR (l.key = 'env_GODEBUG' AND contains(r.command, 'GODEBUG=')))
          GROUP BY n.i, r.source)
        SELECT i, count(*) OVER (PARTITION BY source, command_line) AS processes FROM typed QUALIFY processes > 1
        """
    )
    processes = np.full(runs.size, np.nan)
    for at, count in rows:
        processes[at] = count
    message = "one of {value:.0f} processes below one `go run`, which may be the compiler"
    return runs.findings(~np.isnan(processes), "gc-go-run", INVALID, message, value=processes)


def _check_part(lines: EventRows) -> None:
    cpu_and_clock(lines)
    order(lines)
    heap(lines)
    cycles(lines)
    processors(lines)
    objects(lines)


def _digit(seconds: Floats, whole_ms: Bools) -> Floats:
    """The last digit of a time that was printed with two digits and at least 1 µs, or in whole ms."""
    size = _DIGITS_S[sum((seconds >= least).view(np.int8) for least in _DIGIT_LIMITS_S)]
    return np.where(whole_ms, 1e-3, size) if whole_ms.any() else size


def cpu_and_clock(lines: EventRows) -> None:
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
        # The pause was shorter than clock + digit, so k is above this quotient: it is the next integer at least.
        smallest_k = np.floor(cpu / (clock + _digit(clock, whole_ms)) * (1 + 1e-9)) + 1
        contradicts |= (smallest_k > procs) | (smallest_k * clock > (cpu + _digit(cpu, whole_ms)) * (1 + 1e-9))
    lines.count("gc-cpu-clock", contradicts)


def order(lines: EventRows) -> None:
    """From one line of a process to the next, the number rises by one and the time does not fall.

    Falling times occur only in Go 1.5, which printed its lines after it had released the lock, so that they are only
    noted: in other versions the parser starts a new run at such a line.
    """
    number, time = lines.steps("gc"), lines.steps("at_s")
    disorder, go15 = (number <= 0) | (time < 0), lines.columns["go15"] > 0
    lines.count("gc-order", disorder & ~go15)
    lines.count("gc-order of Go 1.5", disorder & go15)
    lines.count("gc-missing", (number > 1) & ~go15, number - 1)


def heap(lines: EventRows) -> None:
    """Heap at the start ≤ heap at mark termination ≥ live heap, each cut to MiB, because sweeping starts afterwards.

    Go 1.5 before its betas counted differently and is not checked.
    """
    start, end, live = (lines.columns[f"heap_{part}_bytes"] for part in ("start", "end", "live"))
    lines.count("gc-heap", ((start > end) | (live > end)) & ~(lines.columns["whole_ms"] > 0))


def cycles(lines: EventRows) -> None:
    """The length of a cycle, the sum of its phases, against the next cycle, the work in it, and the share of GC CPU.

    ``@`` is when a cycle begins, and one ends before the next begins (``gcStart`` in ``runtime/mgc.go``). At most
    GOMAXPROCS goroutines assist and mark at a time. The share is the GC CPU since the start, without idle marking, over
    the CPU time since then (``gcMarkTermination``): so the GC CPU can't fall, nor rise by more than the time that
    passed. All are cut, so each stands for a range. Go 1.5 printed lines out of order, and forced lines up to Go 1.8
    repeat the work of the cycle before; they are left out.
    """
    columns, whole_ms, go15 = lines.columns, lines.columns["whole_ms"] > 0, lines.columns["go15"] > 0
    clocks = [columns[name] for name in _CLOCKS]
    least = np.sum([np.nan_to_num(clock) for clock in clocks], axis=0)
    digits = np.sum([np.where(np.isnan(clock), 0.0, _digit(clock, whole_ms)) for clock in clocks], axis=0)
    end = columns["at_s"] + least
    forward = lines.columns["gc"] > lines.previous("gc of cycles", columns["gc"])
    begins_before = columns["at_s"] + _AT_DIGIT_S <= lines.previous("end", end) - 1e-9
    lines.count("gc-overlap", begins_before & forward & ~go15)
    work = np.sum([columns[name] for name in _WORK], axis=0)
    lines.count("gc-workers", (work > columns["procs"] * (least + digits) * (1 + 1e-9)) & ~(columns["stale"] > 0))
    _share(lines, end, end + digits + _AT_DIGIT_S, forward & ~go15)


def _share(lines: EventRows, earliest: Floats, latest: Floats, checked: Bools) -> None:
    share, procs = lines.columns["gc_cpu_ratio"], lines.columns["procs"]
    before = lines.previous("share", share)
    earliest_before, latest_before = lines.previous("earliest", earliest), lines.previous("latest", latest)
    # The share is of the time of all Ps: sums over different numbers of Ps can't be compared by the time that passed.
    checked &= procs == lines.previous("procs of share", procs)
    falls, rises = checked.copy(), checked.copy()
    for start in (0.0, _START_S):  # both sides are linear in it, so its ends decide
        falls &= (share + _SHARE_DIGIT) * (latest + start) < before * (earliest_before + start)
        most = (before + _SHARE_DIGIT) * (latest_before + start) + (latest - earliest_before)
        rises &= share * (earliest + start) > most
    lines.count("gc-cpu-share", falls | rises)


def processors(lines: EventRows) -> None:
    """A single line with another GOMAXPROCS than the lines before and after it, which have the same."""
    procs = lines.columns["procs"]
    before = lines.previous("procs", procs)
    two_before = lines.previous("procs before", before)
    # The odd line is that before this one, between two that agree.
    lines.count("gc-procs", (procs == two_before) & (procs != before) & ~np.isnan(before), lines=lines.previous_lines)


def objects(lines: EventRows) -> None:
    """Objects = allocations - frees: after the sweep in Go 1.0 to 1.2, else before it (``runtime·gc``, mgc0.c)."""
    columns = lines.columns
    stated = np.where(columns["swept"] > 0, columns["objects_live"], columns["objects_start"])
    lines.count("gc-objects", np.abs(stated - (columns["mallocs"] - columns["frees"])) > 0)
