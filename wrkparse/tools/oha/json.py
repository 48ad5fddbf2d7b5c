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
    FAILED,
    FIRST_ERROR,
    LATENCY,
    NON_2XX,
    REQUESTS,
    THROUGHPUT,
    TRANSFER_RATE,
    WAITING,
    add_sums,
    keep_only,
)
from wrkparse.tools.objects import Json, ObjectForm, at, counts_by_key, items, put, put_count
from wrkparse.tools.oha.metrics import ABORTED, ANSWERED, ERROR_LATENCY, OK_LATENCY
from wrkparse.tools.report import Report

METRICS = (WAITING,)
"""Those that the text does not print."""

_SUMMARY = {
    "total": (ELAPSED, "total"), "successRate": (ANSWERED, "total"), "slowest": (LATENCY, "max"),
    "fastest": (LATENCY, "min"), "average": (LATENCY, "mean"), "requestsPerSec": (THROUGHPUT, "total"),
    "sizePerSec": (TRANSFER_RATE, "total"),
}  # fmt: skip
_COUNTS = {"totalData": BODIES, "sizePerRequest": BODY}
_PERCENTILES = {
    "latencyPercentiles": LATENCY, "latencyPercentilesSuccessful": OK_LATENCY,
    "latencyPercentilesNotSuccessful": ERROR_LATENCY, "firstBytePercentiles": WAITING,
}  # fmt: skip
_PHASES = {"DNSDialup": DNS_AND_CONNECT, "DNSLookup": DNS_LOOKUP, "firstByte": WAITING}
_STATS = {"average": "mean", "fastest": "min", "slowest": "max"}
_DEADLINE = "aborted due to deadline"  # of -z (``ClientError::Deadline``)
_FEW = 0.01  # share of aborted requests that the rate may include without a word


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
    _judge(report, add_sums(report, _counts(value)))


def _counts(value: Mapping[str, Json]) -> Iterator[tuple[Metric, int, int]]:
    for status, count, line in counts_by_key(at(value, "statusCodeDistribution")):
        yield REQUESTS, count, line
        yield NON_2XX, count if int(status) >= FIRST_ERROR else 0, line
    for message, count, line in counts_by_key(at(value, "errorDistribution")):
        yield ABORTED if message.startswith(_DEADLINE) else FAILED, count, line


def _judge(report: Report, sums: Mapping[Metric, tuple[int, int]]) -> None:
    """Say what the rate includes besides responses (``ResultData::len``). Without a response leave it and times out."""
    done, _ = sums.get(REQUESTS, (0, 0))
    failed, line = sums.get(FAILED, (0, 0))
    aborted, at_line = sums.get(ABORTED, (0, 0))
    if not done and failed + aborted:
        keep_only(report, ELAPSED, ANSWERED, FAILED, ABORTED)
        message = f"all {failed or aborted} requests failed: requestsPerSec and the times are left out"
        report.bad(line or at_line, message, "failed-requests")
    elif failed:
        report.bad(line, f"requestsPerSec includes {failed} requests that failed", "failed-requests")
    elif aborted > _FEW * done:
        message = f"requestsPerSec includes {aborted} requests that were aborted at the end"
        report.bad(at_line, message, "failed-requests")


FORM = ObjectForm('"successRate"', (("summary", "successRate"), ("summary", "requestsPerSec"), ("details",)), _read)
