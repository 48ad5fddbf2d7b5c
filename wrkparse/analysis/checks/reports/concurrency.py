"""Checks of concurrency: Little's law, connections against threads and cores, and latencies at the time-out."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wrkparse.analysis.checks.finding import INVALID, LATENCY_SUSPECT, NOTE, SUSPECT, Findings
from wrkparse.analysis.checks.run_arrays import RunArrays
from wrkparse.analysis.stats.arrays import Floats, TextArray
from wrkparse.analysis.stats.intervals import Interval

# Of L = X·R / c around 1: connections open and close, and pause between a response and the next request. Of the 214
# runs of wrk in data/, half are within it, and four of five within the factor of two below.
TOLERANCE = 0.05
LOW, HIGH = 0.5, 2.0  # a ratio beyond a factor of two is more than a note
NEAR_TIMEOUT = 0.95  # of the time-out; a maximum in the last 5 % is taken as cut off there


def checks(runs: RunArrays) -> Iterator[Findings]:
    """All checks of this module."""
    yield from little_law(runs)
    yield from connections(runs)
    yield max_at_timeout(runs)
    yield timeouts_impossible(runs)


def most_by_correction(ratio: Floats) -> Floats:
    """The largest L = X·R / c that the correction of wrk 4 can produce; `ratio` is the maximum latency ÷ (c/X).

    Take c/X as the unit of time. Then requests that follow each other on a connection take 1 on average, at most.
    ``stats_correct`` in ``stats.c`` of wrk adds k = ⌈x⌉ - 2 latencies for a latency x > 2: x - 1, x - 2, … > 1. The
    mean is largest if requests take either 0 or x, the latter with a share of 1/x. It is then (x + kx - k(k+1)/2) / (x
    + k), where x is the maximum; for x the integer below the maximum, that is (x + 2) / 4.
    """
    added = np.maximum(np.ceil(ratio) - 2, 0.0)
    with np.errstate(invalid="ignore"):
        of_maximum = (ratio + added * ratio - added * (added + 1) / 2) / (ratio + added)
    largest: Floats = np.fmax(1.0, np.fmax(of_maximum, (np.floor(ratio) + 2) / 4))
    return largest


def busy_connections(runs: RunArrays) -> tuple[Interval, Floats]:
    """L = X·R / c of each run, as the range that its printed numbers allow, and the tolerance of `little_law`."""
    open_connections = runs.open_connections
    latency = runs.printed_by_wrk("s", "latency", "mean")
    ab = runs.tool == "ab"
    # The latency of ab is the row Total of its table Connection Times.
    total = runs.printed("total", "mean")
    latency = latency._replace(low=np.where(ab, total.low, latency.low), high=np.where(ab, total.high, latency.high))
    with np.errstate(divide="ignore", invalid="ignore"):
        tolerance = TOLERANCE + 2 * open_connections / runs.value("requests")
    return runs.printed("throughput") * latency / open_connections, tolerance


def little_law(runs: RunArrays) -> Iterator[Findings]:
    """L = X·R / c against 1: throughput × mean latency ÷ open connections (Little, Operations Research 9, 1961).

    L is 1 if each connection sends the next request as soon as it has the response. The tolerance is 5 %, plus the
    printed resolution, plus 2 × connections ÷ requests for the requests that are under way at the start and the end.
    Above 1, the mean latency is not that of the completed requests, while the rate is checked against the count: the
    latency is suspect. Below 1, connections were idle, so that the load was another one than stated.
    """
    open_connections = runs.open_connections
    law, tolerance = busy_connections(runs)
    maximum = runs.printed_by_wrk("s", "latency", "max") * runs.value("throughput") / open_connections
    wrk, ab, high = runs.tool == "wrk", runs.tool == "ab", law.low > 1 + tolerance
    unexplained = wrk & high & (law.low > most_by_correction(maximum.high) * (1 + TOLERANCE))
    message = "latency × throughput / connections = {value:.3g}"
    too_high = _severity(law.middle, LATENCY_SUSPECT)
    for where, code, severity in (
        (wrk & high & ~unexplained, "little-law-high", too_high),
        (unexplained, "little-law-unexplained", LATENCY_SUSPECT),
        # ab corrects nothing, so that nothing explains it.
        (ab & high, "little-law-unexplained", SUSPECT),
        ((runs.tool == "wrk2") & high, "backlog", too_high),
        ((wrk | ab) & (law.high < 1 - tolerance), "little-law-low", _severity(law.middle, SUSPECT)),
    ):
        yield runs.findings(
            where, code, severity, message, value=law.middle, expected=1.0, tolerance=tolerance + law.half_width,
            at=("latency", "mean"),
        )  # fmt: skip


def _severity(law: Floats, far: str) -> TextArray:
    """A note within a factor of two of 1, else `far`."""
    return np.where((law > HIGH) | (law < LOW), far, NOTE)


def connections(runs: RunArrays) -> Iterator[Findings]:
    """Connections against threads and cores; a thread of wrk opens ``connections / threads``, an integer (wrk.c)."""
    asked, opened = runs.number("connections"), runs.open_connections
    threads, cores = runs.number("threads"), runs.number("cores")
    for where, code, severity, message, expected in (
        (
            # With fewer connections than threads, the next finding says more.
            runs.wrk & (opened < asked) & (asked >= threads), "fewer-connections", NOTE,
            "{value:.0f} connections open, not {expected:.0f}", asked,
        ),
        (
            runs.wrk & (asked < threads), "threads-exceed-connections", INVALID,
            "{value:.0f} connections for {expected:.0f} threads", threads,
        ),
        (
            (runs.wrk | (runs.tool == "ab")) & (opened < cores), "few-connections", NOTE,
            "{value:.0f} connections for {expected:.0f} cores", cores,
        ),
    ):  # fmt: skip
        yield runs.findings(where, code, severity, message, value=opened, expected=expected)


def max_at_timeout(runs: RunArrays) -> Findings:
    """The largest latency is within 5 % below the time-out: ``stats_record`` of wrk 4 drops anything larger.

    A maximum above the time-out was not cut off there (wrk before 4, or an unknown --timeout), so it is not a finding.
    """
    maximum, limit = runs.value("latency", "max"), runs.timeout
    reach = limit + runs.resolution("latency", "max")
    has_timeouts = runs.value("errors_timeout") > 0
    return runs.findings(
        (runs.tool == "wrk") & (maximum >= NEAR_TIMEOUT * limit) & (maximum <= reach), "max-at-timeout",
        np.where(has_timeouts, LATENCY_SUSPECT, NOTE), "latency max {value:.3g} s at the time-out of {expected:.3g} s",
        value=maximum, expected=limit, tolerance=(1 - NEAR_TIMEOUT) * limit, at=("latency", "max"),
    )  # fmt: skip


def timeouts_impossible(runs: RunArrays) -> Findings:
    """Time-outs in a run that is shorter than the time-out."""
    count, limit, elapsed = runs.value("errors_timeout"), runs.timeout, runs.value("elapsed")
    return runs.findings(
        (count > 0) & (elapsed + runs.resolution("elapsed") < limit), "timeouts-impossible", LATENCY_SUSPECT,
        "{value:,.0f} time-outs of {limit:.0f} s in {elapsed:.0f} s", value=count, expected=0.0, at="errors_timeout",
        more={"limit": limit, "elapsed": elapsed},
    )  # fmt: skip
