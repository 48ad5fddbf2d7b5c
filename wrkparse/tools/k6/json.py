"""k6's results as JSON: ``--summary-export``, and the data of ``handleSummary``, if a script writes them unchanged.

``exportedSummary`` of ``internal/js/summary.go`` and the code below it: with ``handleSummary`` a metric has ``type``,
``contains`` and ``values``, in an exported summary the values are there directly. Times are in milliseconds
whatever ``summaryTimeUnit`` says, sizes in bytes. ``passes`` of a rate counts the events of the metric: for
``http_req_failed``, the requests that failed. Metrics that a script adds are not read. A real object begins::

    {"root_group":{"path":"","id":"d41d8cd98f00b204e9800998ecf8427e","groups":[],"checks":[],"name":""},
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from wrkparse.model.records import Metric
from wrkparse.tools.common import ELAPSED, UNEXPECTED
from wrkparse.tools.k6.metrics import CHECKS, CHECKS_PASSED, COUNTERS, EXPECTED_LATENCY, TRENDS, USERS
from wrkparse.tools.objects import Json, ObjectForm, at, items, put, put_count, put_sum
from wrkparse.tools.report import Report

METRICS = (ELAPSED,)
"""The metrics that the text does not print."""

_MILLISECONDS = -3
_STATS = {"avg": "mean", "min": "min", "med": "p50", "max": "max"}
_PERCENTILE = re.compile(r"p\(([0-9]{1,3}(?:\.[0-9]{1,8})?)\)")
_EXPECTED = "http_req_duration{expected_response:true}"


def _read(report: Report, value: Mapping[str, Json]) -> None:
    put(report, ELAPSED, "total", at(value, "state", "testRunDurationMs"), _MILLISECONDS)
    for name, metric in (*TRENDS.items(), (_EXPECTED, EXPECTED_LATENCY)):
        _trend(report, metric, _values(value, name))
    for name, (total, rate) in COUNTERS.items():
        found = _values(value, name)
        put_count(report, total, at(found, "count"))
        if rate is not None:
            put(report, rate, "total", at(found, "rate"))
    put_count(report, UNEXPECTED, at(_values(value, "http_req_failed"), "passes"))
    _checks(report, _values(value, "checks"))
    put_count(report, USERS, at(_values(value, "vus"), "max"), "max")


def _values(value: Mapping[str, Json], name: str) -> Json:
    """The values of a metric, in either form."""
    metric = at(value, "metrics", name)
    return at(metric, "values") or metric


def _trend(report: Report, metric: Metric, values: Json) -> None:
    for key, number in items(values):
        share = _PERCENTILE.fullmatch(key)
        stat = _STATS.get(key) or (f"p{float(share[1]):g}" if share else "")
        if stat and not (key == "p(50)" and at(values, "med")):
            put(report, metric, stat, number, _MILLISECONDS)


def _checks(report: Report, values: Json) -> None:
    passed, failed = at(values, "passes"), at(values, "fails")
    put_count(report, CHECKS_PASSED, passed)
    put_sum(report, CHECKS, passed, failed)


# The keys are sorted in the --summary-export of some versions: the metrics are before the group, by their names.
_KEYS = (("metrics", "iteration_duration"), ("metrics", "iterations"))
FORM = ObjectForm('"root_group"', _KEYS, _read, other_signs=('"data_received"',))
