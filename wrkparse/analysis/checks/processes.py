"""ab's own figures, and those of `time`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wrkparse.analysis.checks.finding import INVALID, NOTE, SUSPECT, Findings
from wrkparse.analysis.checks.run_arrays import Sheet
from wrkparse.analysis.stats.intervals import Interval

CAUSES = ("connect", "receive", "length", "exceptions")
ENDED = (1, 2, 15)  # SIGHUP, SIGINT, SIGTERM: how a server is ended
COARSEST = 0.01  # tcsh prints 0.002u, and computes its share from hundredths of a second
KILLED = 9  # SIGKILL: by hand, or for want of memory


def checks(sheet: Sheet) -> Iterator[Findings]:
    """All checks of this module."""
    yield ab_concurrency(sheet)
    yield ab_failures(sheet)
    yield ab_incomplete(sheet)
    yield cpu_share(sheet)
    yield from command_ended(sheet)


def ab_concurrency(sheet: Sheet) -> Findings:
    """Time per request ÷ time per request across all = concurrency (ab.c: ``concurrency * timetaken / done``)."""
    ratio = sheet.printed("time_per_request", "mean") / sheet.printed("time_per_request_across", "mean")
    level = np.where(sheet.tool == "ab", sheet.number("connections"), np.nan)
    return sheet.findings(
        ratio.disjoint(Interval(level, level)), "ab-concurrency", INVALID,
        "time per request / time across all = {value:.5g}, but the concurrency level is {expected:.0f}",
        value=ratio.middle, expected=level, tolerance=ratio.half_width, at=("time_per_request", "mean"),
    )  # fmt: skip


def ab_failures(sheet: Sheet) -> Findings:
    """Failed = Connect + Receive + Length + Exceptions: each ``bad++`` of ab.c has one of them. Exact."""
    stated = np.any([sheet.stated(f"failed_{cause}") for cause in CAUSES], axis=0)
    total = np.sum([np.nan_to_num(sheet.value(f"failed_{cause}")) for cause in CAUSES], axis=0)
    failed = sheet.value("failed_requests")
    return sheet.findings(
        stated & (failed != total) & ~np.isnan(failed), "ab-failures", INVALID,
        "{value:.0f} failed requests, but causes of {expected:.0f}", value=failed, expected=total, tolerance=0.0,
        at="failed_requests",
    )  # fmt: skip


def ab_incomplete(sheet: Sheet) -> Findings:
    """Complete requests against -n, where no time limit was given; refused requests of ``ab -r`` count as complete."""
    asked, done = sheet.numeric_text("flag_requests"), sheet.value("requests")
    where = (sheet.tool == "ab") & np.isnan(sheet.number("duration_s")) & (done < asked)
    return sheet.findings(
        where, "ab-incomplete", SUSPECT, "{value:,.0f} requests of {expected:,.0f}", value=done, expected=asked,
        tolerance=0.0, at="requests",
    )  # fmt: skip


def cpu_share(sheet: Sheet) -> Findings:
    """(user + system) ÷ elapsed against the printed share.

    Figures may be cut off or rounded, so the tolerance is one last digit each way, and 0.01 s of processor time.
    """

    def either(metric: str) -> Interval:
        value, digit = sheet.value(metric), np.maximum(2 * sheet.resolution(metric), COARSEST)
        return Interval(np.maximum(value - digit, 0.0), value + digit)

    user, system, share = either("user"), either("system"), either("cpu_share")
    expected = Interval(user.low + system.low, user.high + system.high) / either("elapsed")
    return sheet.findings(
        (sheet.tool == "time") & share.disjoint(expected), "cpu-share", INVALID,
        "{value:.0%} of a processor, but (user + system) / elapsed is {expected:.0%}", value=sheet.value("cpu_share"),
        expected=expected.middle, tolerance=expected.half_width + share.half_width, at="cpu_share",
    )  # fmt: skip


def command_ended(sheet: Sheet) -> Iterator[Findings]:
    """The exit status (above 128: a signal, as shells say it) and the signal that ended the command."""
    status = np.nan_to_num(sheet.value("exit_status"))
    shell = (status > 128) & (status < 160)
    signal = np.where(shell, status - 128, np.nan_to_num(sheet.value("signal")))
    failed = (status > 0) & ~shell
    yield sheet.findings(
        failed, "command-failed", INVALID, "exit status {value:.0f}", value=status, expected=0.0, at="exit_status"
    )
    for where, code, severity in (
        (np.isin(signal, ENDED), "command-ended", NOTE),
        (signal == KILLED, "command-killed", SUSPECT),
        ((signal > 0) & ~np.isin(signal, (*ENDED, KILLED)), "command-failed", INVALID),
    ):
        yield sheet.findings(where, code, severity, "ended by signal {value:.0f}", value=signal, at="signal")
