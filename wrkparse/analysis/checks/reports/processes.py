"""Checks of what `time` prints of a command, and of a load generator whose processors it shows to be busy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wrkparse.analysis.checks.finding import INVALID, NOTE, SUSPECT, Findings
from wrkparse.analysis.checks.run_arrays import RunArrays
from wrkparse.analysis.stats.intervals import Interval

STOP_SIGNALS = (1, 2, 15)  # SIGHUP, SIGINT, SIGTERM: how a server is stopped
KILL_SIGNAL = 9  # SIGKILL: by hand, or by the kernel when memory runs out
CORES_TOLERANCE = 0.02  # of the cores, for the time in which a command starts and ends
BUSY_SHARE = 0.95  # of what its threads can use, by convention: a load generator that has no processor left
COARSEST_TICK_S = 0.01  # tcsh prints 0.002u, but computes the CPU share from hundredths of a second


def checks(runs: RunArrays) -> Iterator[Findings]:
    """All checks of this module."""
    yield cpu_share(runs)
    yield missing_rss(runs)
    yield above_cores(runs)
    yield from command_ended(runs)
    yield generator_busy(runs)


def _cut_or_rounded(runs: RunArrays, metric: str) -> Interval:
    value, digit = runs.value(metric), np.maximum(2 * runs.resolution(metric), COARSEST_TICK_S)
    return Interval(np.maximum(value - digit, 0.0), value + digit)


def cpu_share(runs: RunArrays) -> Findings:
    """(user + system) ÷ elapsed against the printed share.

    Shells cut numbers off or round them, so the tolerance is one unit of the last digit each way, at least 0.01 s.
    """
    share = _cut_or_rounded(runs, "cpu_share")
    expected = _processors(runs)
    return runs.findings(
        (runs.tool == "time") & share.disjoint(expected), "cpu-share", INVALID,
        "{value:.0%} of a processor, but (user + system) / elapsed is {expected:.0%}", value=runs.value("cpu_share"),
        expected=expected.middle, tolerance=expected.half_width + share.half_width, at="cpu_share",
    )  # fmt: skip


def _processors(runs: RunArrays) -> Interval:
    """(user + system) ÷ elapsed: the processors that a command kept busy on average."""
    user, system = _cut_or_rounded(runs, "user"), _cut_or_rounded(runs, "system")
    return Interval(user.low + system.low, user.high + system.high) / _cut_or_rounded(runs, "elapsed")


def missing_rss(runs: RunArrays) -> Findings:
    """A largest resident set of 0: a process has some memory, so the kernel did not keep it (Linux before 2.6.32)."""
    memory = runs.value("max_rss")
    return runs.findings(
        (runs.tool == "time") & (memory == 0), "rss-missing", SUSPECT, "a largest resident set of 0", value=memory,
        at="max_rss",
    )  # fmt: skip


def above_cores(runs: RunArrays) -> Findings:
    """(user + system) ÷ elapsed against the cores of the label ``cores``, else of the study's fact ``cpu``.

    A command can use more than GOMAXPROCS for a while, because the runtime's own threads have no P: it is suspect.
    """
    busy, cores = _processors(runs), runs.number("cores")
    cores = np.where(np.isnan(cores), runs.machine_cores, cores)
    return runs.findings(
        (runs.tool == "time") & (busy.low > cores * (1 + CORES_TOLERANCE)), "cpu-above-cores", SUSPECT,
        "{value:.3g} processors busy on average, but there are {expected:.0f}", value=busy.middle, expected=cores,
        tolerance=busy.half_width, at="user",
    )  # fmt: skip


def generator_busy(runs: RunArrays) -> Findings:
    """A load generator that used all that its threads can: ab has one thread, wrk those of its report.

    The figures of `time` are those of the run before them in the source, or after them, if the elapsed times agree, to
    5 % and 0.1 s: `time` also counts the start and the end of the load generator.
    """
    busy = _processors(runs).middle
    place, source = np.arange(runs.size), runs.texts("source")
    threads = np.where(runs.tool == "ab", 1.0, np.where(runs.wrk, runs.number("threads"), np.nan))
    used = np.full(runs.size, np.nan)
    # The run after it comes first: `time` prints when the load generator has ended.
    for step in (1, -1):
        # At the ends a run stands beside itself; if it is one of `time`, it has no threads to be busy.
        other = np.clip(place + step, 0, max(runs.size - 1, 0))
        gap = np.abs(runs.value("elapsed")[other] - runs.value("elapsed"))
        timed = (runs.tool[other] == "time") & (source[other] == source) & (gap <= 0.1 + 0.05 * runs.value("elapsed"))
        used = np.where(np.isnan(used) & timed, busy[other], used)
    return runs.findings(
        used >= BUSY_SHARE * threads, "load-generator-busy", SUSPECT,
        "the load generator used {value:.2g} processors, and its threads can use {expected:.0f}", value=used,
        expected=threads, at="throughput",
    )  # fmt: skip


def command_ended(runs: RunArrays) -> Iterator[Findings]:
    """The exit status, and the signal that ended the command. Shells report a signal as a status above 128."""
    status = np.nan_to_num(runs.value("exit_status"))
    by_signal = (status > 128) & (status < 160)  # 128 and the number of the signal, from 1 to 31
    signal = np.where(by_signal, status - 128, np.nan_to_num(runs.value("signal")))
    failed = (status > 0) & ~by_signal
    yield runs.findings(
        failed, "command-failed", INVALID, "exit status {value:.0f}", value=status, expected=0.0, at="exit_status"
    )
    for where, code, severity in (
        (np.isin(signal, STOP_SIGNALS), "command-ended", NOTE),
        (signal == KILL_SIGNAL, "command-killed", SUSPECT),
        ((signal > 0) & ~np.isin(signal, (*STOP_SIGNALS, KILL_SIGNAL)), "command-failed", INVALID),
    ):
        yield runs.findings(where, code, severity, "ended by signal {value:.0f}", value=signal, at="signal")
