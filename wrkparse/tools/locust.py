r"""Locust 1.0 to 2.47: the file ``…_stats.csv`` of ``--csv``; a run for each kind of request, and one for all together.

``StatsCSV`` of ``locust/stats.py`` writes the columns, and a row for each type and name. A real file::

    Type,Name,Request Count,Failure Count,Median Response Time,Average Response Time,Min Response Time, … ,99.99%,100%
    GET,/mix,516,171,4,5.462541174418841,1.8859289993997663,68.7786230000711,14.0,172.68164645667898, … ,69,69
    ,Aggregated,694,171,4,5.506765240632963,1.8859289993997663,87.51288999974349,14.0,232.25012139716125, … ,88,88

Times are in milliseconds: the mean, the smallest and the largest in full, the others rounded to whole ones, from 100 on
to two digits (``StatsEntry._log_response_time``). ``Request Count`` includes failures, and so do the times and
``Requests/s``. A user of Locust waits for its response: the loop is closed.
"""

from __future__ import annotations

import csv
import re
from functools import partial

from wrkparse.model.records import Metric
from wrkparse.tools.base import CLOSED, Counting, Flags, ReportTool
from wrkparse.tools.common import BODY, LATENCY, REQUESTS, THROUGHPUT, UNEXPECTED
from wrkparse.tools.lines import LineSpec
from wrkparse.tools.objects import json_quantity
from wrkparse.tools.report import Report

_MILLISECONDS = -3
_COUNTS = {"Request Count": REQUESTS, "Failure Count": UNEXPECTED}
_NUMBERS: dict[str, tuple[Metric, str, int]] = {
    "Average Response Time": (LATENCY, "mean", _MILLISECONDS),
    "Min Response Time": (LATENCY, "min", _MILLISECONDS),
    "Max Response Time": (LATENCY, "max", _MILLISECONDS),
    "Average Content Size": (BODY, "total", 0),
    "Requests/s": (THROUGHPUT, "total", 0),
}
_PERCENTILE = re.compile(r"([0-9]{1,2}(?:\.[0-9]{1,6})?)%")  # the name of a column: "99.9%"
_MISSING = ("N/A", "None")
_DIGITS = 2  # of a rounded time
_TYPES = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "grpc", "WS", ",Aggregated")
_HEAD_SIGN = "Type,Name,Request Count"
_ROW_SIGN = rf"(?:{'|'.join(_TYPES)}),[^\n]{{0,300}}[0-9]+,[0-9]+,[0-9.]+,[0-9.]+,[0-9.]+,[0-9.]+,[0-9.]+,"
_HEAD = "Type,Name,Request Count,Failure Count"
_ROW = re.compile(r'[A-Za-z]{0,12},(?:"(?:[^"\n]|"")*"|[^,"\r\n]*)(?:,(?:-?[0-9][0-9.e+-]{0,40}|N/A|None)){9,60}')


def _head(report: Report, match: re.Match[str], line: int) -> None:
    report.mode = match[0]


def _row(report: Report, match: re.Match[str], line: int) -> None:
    """Read one kind of request, by the columns of the header."""
    if not report.mode.startswith(_HEAD):
        report.mode = "foreign"
        return
    (names, cells) = csv.reader([report.mode, match[0]])
    if len(names) != len(cells):
        report.seen.discard("row")
        report.warn(line, f"{len(names)} cells belong here: {match[0][:60]}", "bad-line")
        return
    report.add_label("request", f"{cells[0]} {cells[1]}".strip(), line)
    for name, text in zip(names[2:], cells[2:], strict=True):
        if text not in _MISSING:
            _keep(report, name, text, line)


def _keep(report: Report, name: str, text: str, line: int) -> None:
    """Read one cell; the median is the 50 % of the row, and 100 % the largest time, rounded."""
    share = _PERCENTILE.fullmatch(name)
    if name in _COUNTS:
        report.add_count(_COUNTS[name], text, line)
    elif name in _NUMBERS:
        metric, stat, power = _NUMBERS[name]
        report.add_printed(metric, stat, partial(json_quantity, power=power), text, line)
    elif share:
        # "88" is rounded to ones, "120" to tens, "1500" to hundreds.
        places = min(0, _DIGITS - len(text))
        report.add_printed(
            LATENCY, f"p{share[1]}", partial(json_quantity, power=_MILLISECONDS, places=places), text, line
        )


def _carry(before: Report, report: Report) -> None:
    """Take over the header of the file, which holds for all its rows."""
    if before.mode != "foreign":
        report.mode = before.mode


def _goes_on(report: Report, raw: str, line: int) -> bool:
    """Whether a line is a row of a type that users of Locust have defined: it has the commas of the header."""
    if not report.mode.startswith(_HEAD) or _ROW.fullmatch(raw.strip()) is None:
        return False
    report.warn(line, f"a type of request that is not read: {raw.strip()[:60]}", "bad-line")
    return True


TOOL = ReportTool(
    name="locust",
    counting=Counting(failures_among_requests=True),
    metrics=(REQUESTS, THROUGHPUT, LATENCY, UNEXPECTED, BODY),
    lines=(
        LineSpec("head", ("Type,Name,Request",), re.compile(rf"{_HEAD},.{{1,2000}}"), 0, _head, sign=_HEAD_SIGN),
        LineSpec("row", tuple(f"{kind},*" for kind in _TYPES), _ROW, 1, _row, sign=_ROW_SIGN, yields=True),
    ),
    programs=frozenset({"locust"}),
    flags=Flags(
        options={
            "-u": "connections", "--users": "connections", "-r": "flag_spawn_rate", "--spawn-rate": "flag_spawn_rate",
            "-t": "duration_s", "--run-time": "duration_s", "-H": "url", "--host": "url", "-f": "flag_locustfile",
            "--locustfile": "flag_locustfile", "--csv": "flag_csv", "--html": "flag_html",
        },
        switches=frozenset({"--headless", "--only-summary", "--csv-full-history"}),
    ),
    loop=CLOSED,
    evidence=frozenset({"row"}),
    idle=frozenset({"head"}),
    goes_on=_goes_on,
    carry=_carry,
)  # fmt: skip
