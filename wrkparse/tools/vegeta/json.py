"""vegeta's report as JSON (``vegeta report -type=json``): ``Metrics`` of its ``lib/metrics.go``, on one line.

Times are whole nanoseconds. ``duration`` is the time of the attack; the time up to the last response is ``duration``
plus ``wait``, as in the text. A real object begins::

    {"latencies":{"total":319006710,"mean":1595033,"50th":1507003,"90th":1612840,"95th":1652175,"99th":5084361,
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wrkparse.model.records import Metric
from wrkparse.tools.common import (
    BODIES,
    BODY,
    ELAPSED,
    FAILED,
    LATENCY,
    SENT,
    THROUGHPUT,
    add_sums,
    responses,
)
from wrkparse.tools.objects import Json, Number, ObjectForm, at, counts_by_status, json_quantity, put, put_count
from wrkparse.tools.report import Report
from wrkparse.tools.vegeta.metrics import ATTACK, LAST_WAIT, SENT_BODIES, SENT_BODY, SENT_RATE, SUCCESS

_NANOSECONDS = -9
_LATENCIES = {
    "min": "min", "mean": "mean", "50th": "p50", "90th": "p90", "95th": "p95", "99th": "p99", "max": "max",
}  # fmt: skip
_RATES = {"rate": SENT_RATE, "throughput": THROUGHPUT, "success": SUCCESS}
_BYTES = {"bytes_in": (BODIES, BODY), "bytes_out": (SENT_BODIES, SENT_BODY)}
_NO_RESPONSE = 0  # the status of a request that failed


def _read(report: Report, value: Mapping[str, Json]) -> None:
    for key, stat in _LATENCIES.items():
        put(report, LATENCY, stat, at(value, "latencies", key), _NANOSECONDS, places=0)
    for key, metric in _RATES.items():
        put(report, metric, "total", at(value, key))
    put_count(report, SENT, at(value, "requests"))
    put(report, ATTACK, "total", at(value, "duration"), _NANOSECONDS, places=0)
    put(report, LAST_WAIT, "total", at(value, "wait"), _NANOSECONDS, places=0)
    attack, wait = at(value, "duration"), at(value, "wait")
    if isinstance(attack, Number) and isinstance(wait, Number) and (attack.text + wait.text).isdigit():
        total = str(int(attack.text[:18]) + int(wait.text[:18]))
        report.add(ELAPSED, "total", json_quantity(total, _NANOSECONDS, places=0), wait.line)
    for key, (whole, mean) in _BYTES.items():
        put_count(report, whole, at(value, key, "total"))
        put(report, mean, "total", at(value, key, "mean"))
    add_sums(report, _counts(value))


def _counts(value: Mapping[str, Json]) -> Iterator[tuple[Metric, int, int]]:
    for status, count, line in counts_by_status(at(value, "status_codes")):
        if status == _NO_RESPONSE:
            yield FAILED, count, line
        else:
            yield from responses(status, count, line)


FORM = ObjectForm('"latencies"', (("latencies", "mean"), ("bytes_in",), ("status_codes",), ("success",)), _read)
