"""Defines metrics and tables that several tools share; metrics of one tool are in its module."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wrkparse.model.records import Column, Metric
from wrkparse.model.units import Quantity
from wrkparse.tools.report import Report

# Name, base unit, better direction (None: neither), title, and the metric of which it may be shown as a share.
REQUESTS = Metric("requests", "1", None, "Requests completed")
THROUGHPUT = Metric("throughput", "1/s", "higher", "Throughput")
TRANSFER_RATE = Metric("transfer_rate", "bytes/s", None, "Transfer rate")
ELAPSED = Metric("elapsed", "s", "lower", "Elapsed time")
FAILED = Metric("failed_requests", "1", "lower", "Failures of requests", "requests")
LATENCY = Metric("latency", "s", "lower", "Latency")
NON_2XX = Metric("non_2xx", "1", "lower", "Responses with an error status", "requests")
DNS_AND_CONNECT = Metric("dns_and_connect", "s", "lower", "Time to get a connection, name lookup included")
DNS_LOOKUP = Metric("dns_lookup", "s", "lower", "Time to look up the name")
BODIES = Metric("bytes_bodies", "bytes", None, "Bytes received in bodies")
BODY = Metric("body_bytes", "bytes", None, "Length of a body, on average")
UNEXPECTED = Metric(
    "unexpected_responses", "1", "lower", "Requests that failed or whose status was not expected", "requests"
)
TIMEOUTS = Metric("errors_timeout", "1", "lower", "Requests that took longer than the time-out", "requests")
RATE_BODIES = Metric("transfer_rate_bodies", "bytes/s", None, "Transfer rate of bodies")
RATE_TOTAL = Metric("transfer_rate_total", "bytes/s", None, "Transfer rate, both ways")
SENT = Metric("requests_sent", "1", None, "Requests sent")
BYTES_READ = Metric("bytes_read", "bytes", None, "Bytes received, headers included")
BYTES_SENT = Metric("bytes_sent", "bytes", None, "Bytes sent, headers included")
RATE_SENT = Metric("transfer_rate_sent", "bytes/s", None, "Transfer rate, sent")
WRITING = Metric("request_write", "s", "lower", "Time to write the request")
WAITING = Metric("response_wait", "s", "lower", "Time from the request to the first byte")
READING = Metric("response_read", "s", "lower", "Time to read the response")
CONNECT = Metric("connect", "s", "lower", "Time to connect, TLS included")
ERRORS_CONNECT = Metric("errors_connect", "1", "lower", "Connections that failed", "requests")
ERRORS_WRITE = Metric("errors_write", "1", "lower", "Writes that failed", "requests")
PLANNED_REQUESTS = Metric("planned_requests", "1", None, "Planned requests")
SUCCEEDED = Metric("succeeded_requests", "1", None, "Responses with a status below 400")
ACHIEVED = Metric("concurrency_achieved", "1", None, "Connections in use at once")

_FIRST_ERROR = 400  # wrk calls these "Non-2xx or 3xx responses": a redirect is not an error

_PERCENTILES = ("50", "75", "90", "95", "99", "99.9", "99.99")  # the percentiles that are read from a spectrum

# The column of the run, which comes first, is added on reading.
SPECTRUM = (
    Column("percentile", "float", "share of the requests, 0 to 1: 0.99 is the 99th percentile"),
    Column("value_s", "float", "latency that this share did not exceed"),
    Column("total_count", "int", "requests that took at most value_s; missing if not printed"),
    Column(
        "corrected",
        "bool",
        "latencies are counted from when the request was due, as wrk2's -L prints them; missing if unknown",
    ),
    Column("line", "int", "line in the source"),
)


def responses(status: int, count: int, line: int) -> Iterator[tuple[Metric, int, int]]:
    """The counts of responses with one status: metric, count and line, for `add_sums`."""
    yield REQUESTS, count, line
    yield NON_2XX, count if status >= _FIRST_ERROR else 0, line


def add_sums(report: Report, counts: Iterable[tuple[Metric, int, int]]) -> dict[Metric, tuple[int, int]]:
    """Add the sum of the counts of each metric; returns the sums, each with the line of its first count."""
    sums: dict[Metric, tuple[int, int]] = {}
    for metric, count, line in counts:
        total, first = sums.get(metric, (0, line))
        sums[metric] = total + count, first
    for metric, (total, line) in sums.items():
        report.add(metric, "total", Quantity(float(total), 0.0), line)
    return sums


def keep_only(report: Report, *metrics: Metric) -> None:
    """Drop all numbers except those of `metrics`: without a response, times and rates are zero or meaningless."""
    known = {metric.name for metric in metrics}
    report.measurements = [number for number in report.measurements if number.metric in known]


def add_enclosed_percentiles(report: Report, resolution: float) -> None:
    """Add p50 … p99.99, if rows of the spectrum, in ascending order, enclose them.

    A percentile without a row at or above it is not added. Between two rows, it is the value of the upper one, which it
    does not exceed; its resolution is the distance of the rows, because the true value is between them. It is at least
    `resolution`, the resolution of the printed values in seconds.
    """
    for name in _PERCENTILES:
        _add_enclosed(report, name, float(name) / 100, resolution)


def _add_enclosed(report: Report, name: str, target: float, resolution: float) -> None:
    """Add the percentile of this name and share, if rows of the spectrum enclose it."""
    below = 0.0
    for share, value, _, _, line in report.rows.get("spectrum", ()):
        assert isinstance(share, float) and isinstance(value, float) and isinstance(line, int)  # noqa: PT018
        # the first row at or above it; the rows ascend
        if share >= target:
            distance = 0.0 if share == target else value - below
            report.add(LATENCY, f"p{name}", Quantity(value, max(resolution, distance)), line)
            return
        below = value
