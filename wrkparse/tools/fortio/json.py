"""Reads the files of ``fortio load -json FILE`` and ``-a``: ``HTTPRunnerResults`` of ``fhttp/httprunner.go``.

Times are in seconds, ``ActualDuration`` in nanoseconds. ``DurationHistogram`` has all requests, including failed ones.
``Labels`` is the text of the option ``-labels``. The results of TCP, UDP and gRPC have the same beginning and no
statuses: all their error cases are failures. A real object begins::

    {
      "RunType": "HTTP",
      "Labels": "static try",
      "StartTime": "2026-11-23T21:07:52.498904432Z",
      "RequestedQPS": "max",
      "RequestedDuration": "exactly 300 calls",
      "ActualQPS": 18694.41449530004,
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from wrkparse.model.records import Metric
from wrkparse.tools.common import (
    BODIES,
    BYTES_READ,
    CONNECT,
    ELAPSED,
    FAILED,
    LATENCY,
    PLANNED_REQUESTS,
    REQUESTS,
    THROUGHPUT,
    add_sums,
)
from wrkparse.tools.fortio.metrics import ERROR_LATENCY, SOCKETS
from wrkparse.tools.fortio.text import counts_of, note_failures, planned
from wrkparse.tools.objects import Json, Number, ObjectForm, at, counts_by_key, put, put_count
from wrkparse.tools.report import Report

_NANOSECONDS = -9
_DEFAULT_LABELS = re.compile(
    r" , [\w-]{1,63}\Z"
)  # without -labels: the URL and the name of the machine (fortio_main.go)
_STATS = {"Min": "min", "Max": "max", "Avg": "mean", "StdDev": "stdev"}
_TIMES = {"DurationHistogram": LATENCY, "ErrorsDurationHistogram": ERROR_LATENCY, "ConnectionStats": CONNECT}


def _read(report: Report, value: Mapping[str, Json]) -> None:
    _labels(report, value)
    if _above_zero(exactly := at(value, "Exactly")):
        put_count(report, PLANNED_REQUESTS, exactly)
    put_count(report, REQUESTS, at(value, "DurationHistogram", "Count"))
    put(report, THROUGHPUT, "total", at(value, "ActualQPS"))
    put(report, ELAPSED, "total", at(value, "ActualDuration"), _NANOSECONDS, places=0)
    for key, metric in _TIMES.items():
        _times(report, metric, at(value, key))
    put_count(report, SOCKETS, at(value, "SocketCount"))
    with_headers = _above_zero(at(value, "HeaderSizes", "Sum"))
    put(report, BYTES_READ if with_headers else BODIES, "total", at(value, "Sizes", "Sum"))
    note_failures(report, add_sums(report, _counts(value)))


def _labels(report: Report, value: Mapping[str, Json]) -> None:
    version, rate, url = (at(value, key) for key in ("Version", "RequestedQPS", "URL"))
    report.version = version if isinstance(version, str) else None
    if isinstance(rate, str) and rate != "max":
        report.add_label("rate", rate, report.line)
    if isinstance(url, str) and url:
        report.add_label("url", url, report.line)
    duration = at(value, "RequestedDuration")  # "2s", "exactly 300 calls" or "until stop"
    if isinstance(duration, str) and " " not in duration:
        planned(report, duration, None, report.line)
    labels = at(value, "Labels")
    if isinstance(labels, str) and labels and not _DEFAULT_LABELS.search(labels):
        report.add_label("title", labels, report.line)
    threads = at(value, "NumThreads")
    if isinstance(threads, Number):
        report.add_label("connections", threads.text, threads.line)


def _times(report: Report, metric: Metric, times: Json) -> None:
    if not _above_zero(at(times, "Count")):
        return  # zeros mean that nothing was measured
    for key, stat in _STATS.items():
        put(report, metric, stat, at(times, key))
    percentiles = at(times, "Percentiles")
    for row in percentiles if isinstance(percentiles, list) else ():
        share = at(row, "Percentile")
        if isinstance(share, Number):
            put(report, metric, f"p{share.text}", at(row, "Value"))


def _above_zero(value: Json) -> bool:
    return isinstance(value, Number) and value.text.strip("0.") != ""


def _counts(value: Mapping[str, Json]) -> list[tuple[Metric, int, int]]:
    codes = at(value, "RetCodes")
    errors = at(value, "ErrorsDurationHistogram", "Count")
    if value.get("RunType") != "HTTP" and isinstance(errors, Number) and errors.text.isdecimal():
        return [(FAILED, int(errors.text), errors.line)]
    found = []
    for code, count, line in counts_by_key(codes):
        if code.lstrip("-").isdecimal() and len(code) <= 4:
            found += counts_of(int(code), count, line)
    return found


FORM = ObjectForm('"RunType"', (("RequestedQPS",), ("ActualQPS",), ("DurationHistogram", "Avg")), _read)
