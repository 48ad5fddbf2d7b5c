"""Little's law and the connections: whether the load was what it claims to be, and the latency that of the requests."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wrkparse.analysis.checks.finding import INVALID, NOTE, SUSPECT, Findings
from wrkparse.analysis.checks.run_arrays import Sheet
from wrkparse.analysis.stats.arrays import Floats, Texts
from wrkparse.analysis.stats.intervals import Interval

TOLERANCE = 0.05  # connections open and close, and a connection rests between a response and the next request
LOW, HIGH = 0.5, 2.0  # from here on suspect
NEAR_TIMEOUT = 0.95


def checks(sheet: Sheet) -> Iterator[Findings]:
    """All checks of this module."""
    yield from little(sheet)
    yield from connections(sheet)
    yield max_at_timeout(sheet)
    yield timeouts_impossible(sheet)


def most_by_correction(ratio: Floats) -> Floats:
    """The largest L = X·R/c that the correction of wrk 4 can make, of the ratio of the maximum to c/X.

    In units of e = c/X, requests one after the other take 1 on average, at most. ``stats_correct`` of wrk's ``stats.c``
    adds x−1, x−2, … > 1 for a latency x > 2: k = ⌈x⌉−2 latencies. The mean becomes the largest where requests take 0 or
    x, of these a share 1/x: then it is (x + kx − k(k+1)/2) / (x + k), with x the maximum r or the whole number below,
    which gives (x+2)/4.
    """
    added = np.maximum(np.ceil(ratio) - 2, 0.0)
    with np.errstate(invalid="ignore"):
        of_maximum = (ratio + added * ratio - added * (added + 1) / 2) / (ratio + added)
    most: Floats = np.fmax(1.0, np.fmax(of_maximum, (np.floor(ratio) + 2) / 4))
    return most


def busy(sheet: Sheet) -> tuple[Interval, Floats]:
    """L = X·R / c of every run, the range of what its printed numbers can stand for, and `little`'s tolerance."""
    open_connections = sheet.open_connections
    latency = sheet.printed_by_wrk("s", "latency", "mean")
    ab = sheet.tool == "ab"
    total = sheet.printed("total", "mean")
    latency = latency._replace(low=np.where(ab, total.low, latency.low), high=np.where(ab, total.high, latency.high))
    with np.errstate(divide="ignore", invalid="ignore"):
        tolerance = TOLERANCE + 2 * open_connections / sheet.value("requests")
    return sheet.printed("throughput") * latency / open_connections, tolerance


def little(sheet: Sheet) -> Iterator[Findings]:
    """L = X·R / c against 1: throughput × mean latency ÷ open connections (Little, Operations Research 9, 1961).

    Holds for requests that follow each other at once on each connection. The tolerance is 5 % and the printed
    resolution, and twice connections ÷ requests for the requests under way at both ends.
    """
    open_connections = sheet.open_connections
    law, tolerance = busy(sheet)
    maximum = sheet.printed_by_wrk("s", "latency", "max") * sheet.value("throughput") / open_connections
    wrk, ab, high = sheet.tool == "wrk", sheet.tool == "ab", law.low > 1 + tolerance
    unexplained = wrk & high & (law.low > most_by_correction(maximum.high) * (1 + TOLERANCE))
    message = "latency × throughput / connections = {value:.3g}"
    for where, code, severity in (
        (wrk & high & ~unexplained, "little-law-high", _severity(law.middle)),
        (unexplained, "little-law-unexplained", SUSPECT),
        (ab & high, "little-law-unexplained", SUSPECT),
        ((sheet.tool == "wrk2") & high, "backlog", _severity(law.middle)),
        ((wrk | ab) & (law.high < 1 - tolerance), "little-law-low", _severity(law.middle)),
    ):
        yield sheet.findings(
            where, code, severity, message, value=law.middle, expected=1.0, tolerance=tolerance + law.half_width,
            at=("latency", "mean"),
        )  # fmt: skip


def _severity(law: Floats) -> Texts:
    return np.where((law > HIGH) | (law < LOW), SUSPECT, NOTE)


def connections(sheet: Sheet) -> Iterator[Findings]:
    """Connections against threads (wrk.c ``main``: ``connections / threads``, an integer) and against the cores."""
    asked, opened = sheet.number("connections"), sheet.open_connections
    threads, cores = sheet.number("threads"), sheet.number("cores")
    for where, code, severity, message, expected in (
        (
            sheet.wrk & (opened < asked) & (asked >= threads), "fewer-connections", NOTE,
            "{value:.0f} connections open, not {expected:.0f}", asked,
        ),
        (
            sheet.wrk & (asked < threads), "threads-exceed-connections", INVALID,
            "{value:.0f} connections for {expected:.0f} threads", threads,
        ),
        (
            (sheet.wrk | (sheet.tool == "ab")) & (opened < cores), "few-connections", NOTE,
            "{value:.0f} connections for {expected:.0f} cores", cores,
        ),
    ):  # fmt: skip
        yield sheet.findings(where, code, severity, message, value=opened, expected=expected)


def max_at_timeout(sheet: Sheet) -> Findings:
    """The largest latency lies within 5 % below the time-out: wrk 4 ``stats_record`` takes nothing larger.

    Above the time-out it can't be the limit (wrk before 4, or a --timeout that is not known), so nothing is said.
    """
    maximum, limit = sheet.value("latency", "max"), sheet.timeout
    reach = limit + sheet.resolution("latency", "max")
    cut = sheet.value("errors_timeout") > 0
    return sheet.findings(
        (sheet.tool == "wrk") & (maximum >= NEAR_TIMEOUT * limit) & (maximum <= reach), "max-at-timeout",
        np.where(cut, SUSPECT, NOTE), "latency max {value:.3g} s at the time-out of {expected:.3g} s",
        value=maximum, expected=limit, tolerance=(1 - NEAR_TIMEOUT) * limit, at=("latency", "max"),
    )  # fmt: skip


def timeouts_impossible(sheet: Sheet) -> Findings:
    """Time-outs in a run that was shorter than the time-out."""
    count, limit, elapsed = sheet.value("errors_timeout"), sheet.timeout, sheet.value("elapsed")
    return sheet.findings(
        (count > 0) & (elapsed + sheet.resolution("elapsed") < limit), "timeouts-impossible", SUSPECT,
        "{value:,.0f} time-outs of {limit:.0f} s in {elapsed:.0f} s", value=count, expected=0.0, at="errors_timeout",
        more={"limit": limit, "elapsed": elapsed},
    )  # fmt: skip
