"""autocannon's result as JSON (``--json``, ``-j``): ``aggregateResult`` of its ``lib/aggregateResult.js``, on one line.

Latencies are in milliseconds; the 2.5th percentile is ``p2_5`` (``addPercentiles`` of hdr-histogram-js). ``requests``
and ``throughput`` are samples, one a second: ``average`` is their mean, ``total`` their sum. A real
object begins::

    {"url":"http://127.0.0.1:8080/","connections":4,"sampleInt":1000,"pipelining":1,"workers":0,"duration":2.01,
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from wrkparse.model.records import Metric
from wrkparse.tools.autocannon.metrics import MISMATCHES
from wrkparse.tools.common import (
    BYTES_READ,
    ELAPSED,
    FAILED,
    LATENCY,
    NON_2XX,
    REQUESTS,
    SENT,
    THROUGHPUT,
    TIMEOUTS,
    TRANSFER_RATE,
)
from wrkparse.tools.objects import Json, Number, ObjectForm, at, items, put, put_count, put_sum
from wrkparse.tools.report import Report

_MILLISECONDS = -3
_PLACES = 2  # to which means and times are rounded (``histAsObj``, ``lib/run.js``); others are whole
_COUNTS = {"errors": FAILED, "timeouts": TIMEOUTS, "mismatches": MISMATCHES, "non2xx": NON_2XX}
_SAMPLED = {"requests": THROUGHPUT, "throughput": TRANSFER_RATE}
_STATS = {"mean": "mean", "stddev": "stdev", "min": "min", "max": "max"}  # ``average`` is the same as ``mean``
_PERCENTILE = re.compile(r"p[0-9]{1,2}(?:_[0-9]{1,6})?")  # "p97_5"


def _read(report: Report, value: Mapping[str, Json]) -> None:
    _label(report, value)
    put(report, ELAPSED, "total", at(value, "duration"), places=_PLACES)
    for key, metric in _COUNTS.items():
        put_count(report, metric, at(value, key))
    _stats(report, LATENCY, at(value, "latency"), _MILLISECONDS)
    for key, metric in _SAMPLED.items():
        _stats(report, metric, at(value, key), 0)
    put_count(report, SENT, at(value, "requests", "sent"))
    put_count(report, BYTES_READ, at(value, "throughput", "total"))
    put_sum(report, REQUESTS, at(value, "2xx"), at(value, "non2xx"))


def _label(report: Report, value: Mapping[str, Json]) -> None:
    url, connections = at(value, "url"), at(value, "connections")
    line = connections.line if isinstance(connections, Number) else report.line
    if isinstance(url, str) and url:
        report.add_label("url", url, line)
    if isinstance(connections, Number):
        report.add_label("connections", connections.text, line)


def _stats(report: Report, metric: Metric, value: Json, power: int) -> None:
    """Add the statistics of a histogram; the mean of samples is the total, because no other rate is written."""
    for key, number in items(value):
        stat = _STATS.get(key) or (key.replace("_", ".") if _PERCENTILE.fullmatch(key) else "")
        if stat:
            places = _PLACES if stat in ("mean", "stdev") else 0
            put(report, metric, "total" if stat == "mean" and metric is not LATENCY else stat, number, power, places)


FORM = ObjectForm(
    '"sampleInt"', (("latency", "p97_5"), ("requests", "sent"), ("throughput", "total"), ("non2xx",)), _read
)
