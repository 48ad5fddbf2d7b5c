"""bombardier's result as JSON (``-o json``): ``jsonTemplate`` of its ``templates.go``, on one line.

Latencies are in microseconds. ``Throughput`` in the text is the bytes read and written per second; the object has the
three numbers. A real object begins::

    {"spec":{"numberOfConnections":4,"testType":"timed","testDurationSeconds":2,"method":"GET","url":"http://127.0.0.1/",
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wrkparse.model.records import Metric
from wrkparse.tools.common import (
    BYTES_READ,
    BYTES_SENT,
    ELAPSED,
    FAILED,
    LATENCY,
    PLANNED_REQUESTS,
    THROUGHPUT,
    add_sums,
    responses,
)
from wrkparse.tools.objects import Json, Number, ObjectForm, at, counts_by_key, items, put, put_count
from wrkparse.tools.report import Report

METRICS = (ELAPSED, BYTES_READ, BYTES_SENT)
"""The metrics that the text does not print."""

_MICROSECONDS = -6
_STATS = {"stddev": "stdev", "max": "max"}
_CLASSES = {f"req{digit}xx": 100 * digit for digit in range(1, 6)}
_LABELS = {"numberOfConnections": "connections", "testDurationSeconds": "duration_s", "rate": "rate"}


def _read(report: Report, value: Mapping[str, Json]) -> None:
    _label(report, at(value, "spec"))
    put_count(report, PLANNED_REQUESTS, at(value, "spec", "numberOfRequests"))
    result = at(value, "result")
    put(report, ELAPSED, "total", at(result, "timeTakenSeconds"))
    put_count(report, BYTES_READ, at(result, "bytesRead"))
    put_count(report, BYTES_SENT, at(result, "bytesWritten"))
    put_count(report, FAILED, at(result, "others"))
    put(report, LATENCY, "mean", at(result, "latency", "mean"), _MICROSECONDS)
    put(report, THROUGHPUT, "total", at(result, "rps", "mean"))
    for metric, key, power in ((LATENCY, "latency", _MICROSECONDS), (THROUGHPUT, "rps", 0)):
        for name, stat in _STATS.items():
            put(report, metric, stat, at(result, key, name), power, 0 if (key, name) == ("latency", "max") else None)
        for share, number in items(at(result, key, "percentiles")):
            put(report, metric, f"p{share.strip()}", number, power, places=0 if metric is LATENCY else 6)
    add_sums(report, _counts(result))


def _counts(result: Json) -> Iterator[tuple[Metric, int, int]]:
    for key, count, line in counts_by_key(result):
        if key in _CLASSES:
            yield from responses(_CLASSES[key], count, line)


def _label(report: Report, spec: Json) -> None:
    for key, label in _LABELS.items():
        number = at(spec, key)
        if isinstance(number, Number):
            report.add_label(label, number.text, number.line)
    url = at(spec, "url")
    if isinstance(url, str):
        report.add_label("url", url, report.line)


FORM = ObjectForm('"numberOfConnections"', (("spec", "numberOfConnections"), ("result", "req2xx")), _read)
