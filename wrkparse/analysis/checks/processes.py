"""Checks of numbers that only ab or `time` print."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wrkparse.analysis.checks.finding import INVALID, NOTE, SUSPECT, Findings
from wrkparse.analysis.checks.run_arrays import RunArrays
from wrkparse.analysis.stats.intervals import Interval

FAILURE_CAUSES = ("connect", "receive", "length", "exceptions")
STOP_SIGNALS = (1, 2, 15)  # SIGHUP, SIGINT, SIGTERM: how a server is stopped
KILL_SIGNAL = 9  # SIGKILL: by hand, or by the kernel when memory runs out
COARSEST_TICK_S = 0.01  # tcsh prints 0.002u, but computes the CPU share from hundredths of a second


def checks(runs: RunArrays) -> Iterator[Findings]:
    """All checks of this module."""
    yield ab_concurrency(runs)
    yield ab_failures(runs)
    yield ab_incomplete(runs)
    yield cpu_share(runs)
    yield from command_ended(runs)


def ab_concurrency(runs: RunArrays) -> Findings:
    """Time per request ÷ time per request across all = concurrency (ab.c: ``concurrency * timetaken / done``)."""
    ratio = runs.printed("time_per_request", "mean") / runs.printed("time_per_request_across", "mean")
    level = np.where(runs.tool == "ab", runs.number("connections"), np.nan)
    return runs.findings(
        ratio.disjoint(Interval(level, level)), "ab-concurrency", INVALID,
        "time per request / time across all = {value:.5g}, but the concurrency level is {expected:.0f}",
        value=ratio.middle, expected=level, tolerance=ratio.half_width, at=("time_per_request", "mean"),
    )  # fmt: skip


def ab_failures(runs: RunArrays) -> Findings:
    """Failed = Connect + Receive + Length + Exceptions, exactly: ab.c counts one cause with each ``bad++``."""
    stated = np.any([runs.stated(f"failed_{cause}") for cause in FAILURE_CAUSES], axis=0)
    total = np.sum([np.nan_to_num(runs.value(f"failed_{cause}")) for cause in FAILURE_CAUSES], axis=0)
    failed = runs.value("failed_requests")
    return runs.findings(
        stated & (failed != total) & ~np.isnan(failed), "ab-failures", INVALID,
        "{value:.0f} failed requests, but causes of {expected:.0f}", value=failed, expected=total, tolerance=0.0,
        at="failed_requests",
    )  # fmt: skip


def ab_incomplete(runs: RunArrays) -> Findings:
    """Complete requests against -n, unless there is a time limit. With ``ab -r`` refused requests are complete."""
    asked, done = runs.numeric_text("flag_requests"), runs.value("requests")
    where = (runs.tool == "ab") & np.isnan(runs.number("duration_s")) & (done < asked)
    return runs.findings(
        where, "ab-incomplete", SUSPECT, "{value:,.0f} requests of {expected:,.0f}", value=done, expected=asked,
        tolerance=0.0, at="requests",
    )  # fmt: skip


def cpu_share(runs: RunArrays) -> Findings:
    """(user + system) ÷ elapsed against the printed share.

    Shells cut numbers off or round them, so the tolerance is one unit of the last digit each way, at least 0.01 s.
    """

    def cut_or_rounded(metric: str) -> Interval:
        value, digit = runs.value(metric), np.maximum(2 * runs.resolution(metric), COARSEST_TICK_S)
        return Interval(np.maximum(value - digit, 0.0), value + digit)

    user, system, share = cut_or_rounded("user"), cut_or_rounded("system"), cut_or_rounded("cpu_share")
    expected = Interval(user.low + system.low, user.high + system.high) / cut_or_rounded("elapsed")
    return runs.findings(
        (runs.tool == "time") & share.disjoint(expected), "cpu-share", INVALID,
        "{value:.0%} of a processor, but (user + system) / elapsed is {expected:.0%}", value=runs.value("cpu_share"),
        expected=expected.middle, tolerance=expected.half_width + share.half_width, at="cpu_share",
    )  # fmt: skip


def command_ended(runs: RunArrays) -> Iterator[Findings]:
    """The exit status, and the signal that ended the command. Shells report a signal as a status above 128."""
    status = np.nan_to_num(runs.value("exit_status"))
    by_signal = (status > 128) & (status < 160)
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
