"""oha's results as JSON (``--output-format json``, formerly ``-j``): ``print_json`` of its ``src/printer.rs``.

Times are in seconds, sizes in bytes, percentiles are ``p50`` … ``p99.99``. ``metrics`` (since 1.12) repeats numbers of
``summary`` in milliseconds, and is not read, nor are the histograms and ``rps``, the rate between two responses.
``null`` stands for NaN: there was no response. A real object, of version 1.16, begins::

    {
      "summary": {
        "successRate": 1.0,
        "total": 2.002511048,
        "slowest": 0.032240545,
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wrkparse.model.records import Metric
from wrkparse.tools.common import (
    BODIES,
    BODY,
    DNS_AND_CONNECT,
    DNS_LOOKUP,
    ELAPSED,
    LATENCY,
    RATE_BODIES,
    THROUGHPUT,
    add_sums,
    responses,
)
from wrkparse.tools.objects import Json, ObjectForm, at, counts_by_key, counts_by_status, items, put, put_count
from wrkparse.tools.oha import failures
from wrkparse.tools.oha.metrics import ANSWERED, ERROR_LATENCY, OK_LATENCY
from wrkparse.tools.report import Report

FIRST_BYTE = Metric(
    "first_body_byte", "s", "lower", "Time from the start of a request, with its connect, to the first byte of the body"
)
METRICS = (FIRST_BYTE,)
"""The metrics that the text does not print."""

_SUMMARY = {
    "total": (ELAPSED, "total"), "successRate": (ANSWERED, "total"), "slowest": (LATENCY, "max"),
    "fastest": (LATENCY, "min"), "average": (LATENCY, "mean"), "requestsPerSec": (THROUGHPUT, "total"),
    "sizePerSec": (RATE_BODIES, "total"),
}  # fmt: skip
_COUNTS = {"totalData": BODIES, "sizePerRequest": BODY}
_PERCENTILES = {
    "latencyPercentiles": LATENCY, "latencyPercentilesSuccessful": OK_LATENCY,
    "latencyPercentilesNotSuccessful": ERROR_LATENCY, "firstBytePercentiles": FIRST_BYTE,
}  # fmt: skip
_PHASES = {"DNSDialup": DNS_AND_CONNECT, "DNSLookup": DNS_LOOKUP, "firstByte": FIRST_BYTE}
_STATS = {"average": "mean", "fastest": "min", "slowest": "max"}


def _read(report: Report, value: Mapping[str, Json]) -> None:
    for key, (metric, stat) in _SUMMARY.items():
        put(report, metric, stat, at(value, "summary", key))
    for key, metric in _COUNTS.items():
        put_count(report, metric, at(value, "summary", key))
    for key, metric in _PERCENTILES.items():
        for share, number in items(at(value, key)):
            put(report, metric, share, number)
    for key, metric in _PHASES.items():
        for name, stat in _STATS.items():
            put(report, metric, stat, at(value, "details", key, name))
    failures.note_failures(report, add_sums(report, _counts(value)), "requestsPerSec")


def _counts(value: Mapping[str, Json]) -> Iterator[tuple[Metric, int, int]]:
    for status, count, line in counts_by_status(at(value, "statusCodeDistribution")):
        yield from responses(status, count, line)
    for message, count, line in counts_by_key(at(value, "errorDistribution")):
        yield failures.failure_metric(message), count, line


FORM = ObjectForm('"successRate"', (("summary", "successRate"), ("summary", "requestsPerSec"), ("details",)), _read)
