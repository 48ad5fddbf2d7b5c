"""Reads the lines of the report of wrk: each function adds the content of one kind of line, and notes the dialect."""

from __future__ import annotations

import re

from wrkparse.model.records import Diagnostic
from wrkparse.model.units import (
    BINARY,
    DECIMAL,
    MILLISECONDS,
    NO_VALUE,
    PERCENT,
    PLAIN,
    SECONDS,
    Quantity,
    parse_count,
    parse_quantity,
)
from wrkparse.tools.common import BYTES_READ, ELAPSED, LATENCY, REQUESTS, SENT, THROUGHPUT, TRANSFER_RATE
from wrkparse.tools.report import Report
from wrkparse.tools.wrk.metrics import (
    CALIBRATION,
    ERRORS,
    HISTOGRAMS,
    LATENCY_SHARE,
    PLANNED,
    SAMPLING,
    THREAD_RATE,
    THREAD_SHARE,
    UNCORRECTED,
    WRK2,
)  # fmt: skip
from wrkparse.tools.wrk.url import keep_url

WRK2_P99, HYPERFOIL, ZRK = "wrk2 (99% column)", "hyperfoil", "zrk"
BYTES = BINARY | {"kB": BINARY["KB"]}  # as Hyperfoil writes it

# One printed cell. Columns may touch: "Latency   999.99ms 1000.00ms1000.00ms   93.69%" (units.c print_units pads
# within a fixed width), so a cell ends where its unit does.
_CELL = re.compile(r"[+-]?nan(?:us|s)?%?|-?[0-9][0-9.,]*(?:us|µs|μs|ms|ns|[smhkMGT%])?", re.IGNORECASE)
# "1000.00ms" in the 8 characters of the column; as a time in minutes it would be 16 hours
_AVG_CUT = "1000.00m"
# "193.32 us": the blank between a number and its unit, which people add
_APART = re.compile(r"(?<=[0-9]) (?!nan)(?=[a-zµμ%])", re.IGNORECASE)
# How far a rate in whole requests may be from the quotient of requests and time, relative: the rounding of a time of
# `0.11s` makes 4.5 %. If the last digit of the rate is cut off, it is 90 % away.
_ROUNDING = 0.05


def _cells(text: str) -> list[str]:
    words = _APART.sub("", text).split()
    return words if len(words) == 4 else _CELL.findall(text)


def version(report: Report, match: re.Match[str], line: int) -> None:
    """Read ``wrk 4.1.0 [epoll] Copyright …``."""
    report.version = match[1]


_STEPS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600}
_STEP = re.compile(r"([0-9]{1,9})(ms|[smh])")  # "1m30s" has two of them


def header(report: Report, match: re.Match[str], line: int) -> None:
    """Read ``Running 10s test @ http://…``."""
    # -d is printed as "%.0Lf" of seconds, or of minutes from 51 s on: "2m" is anything from 90 to 150 s. wrk never gets
    # to hours, forks of its units do. Hyperfoil prints the typed text (see _finish), Go programs "1m30s".
    steps = _STEP.findall(match[1])
    last = _STEPS[steps[-1][1]]
    rounded = len(steps) == 1 and last > 1
    total = sum(int(number) * _STEPS[unit] for number, unit in steps)
    report.add(PLANNED, "total", Quantity(float(total), last / 2 if rounded else 0.0), line)
    if not rounded:
        report.add_label("duration_s", f"{total:.15g}", line)
    keep_url(report, match[2], line)


def typed_duration(report: Report) -> None:
    """Mark the planned duration as exact."""
    planned = report.measurements[0] if report.measurements else None
    if planned and planned.metric == PLANNED.name and planned.resolution:
        report.measurements[0] = planned._replace(resolution=0.0)
        report.add_label("duration_s", f"{planned.value:.15g}", planned.line)


def making(report: Report, match: re.Match[str], line: int) -> None:
    """Read ``Making 1000 requests to http://…``, of wrk 1."""
    report.dialect = "wrk 1"
    keep_url(report, match[2], line)


def stop(report: Report, match: re.Match[str], line: int) -> None:
    """Read the message with which wrk gives up."""
    report.stopped = match[0]


def threads(report: Report, match: re.Match[str], line: int) -> None:
    """Read ``8 threads and 64 connections``."""
    report.add_label("threads", match[1], line)
    report.add_label("connections", match[2], line)


def results_of(report: Report, match: re.Match[str], line: int) -> None:
    """Read ``Test Results @ http://…``. With several URLs, all headers come first, then the results with their URLs."""
    report.dialect = WRK2_P99
    report.labels = [label for label in report.labels if label.key != "url"]
    keep_url(report, match[1], line)


def overall(report: Report, match: re.Match[str], line: int) -> None:
    """Read ``---Overall Statistics---``, of wrk2 of DeathStarBench."""
    report.dialect = WRK2_P99


def sent(report: Report, match: re.Match[str], line: int) -> None:
    """Read ``Sent 1000 requests``, of wrk2 of DeathStarBench."""
    report.add_count(SENT, match[1], line)


def foreign(report: Report, match: re.Match[str], line: int) -> None:
    """Read a line that only other programs print: the report is not one of wrk."""
    report.mode = "foreign"


def calibration(report: Report, match: re.Match[str], line: int) -> None:
    """Read ``Thread calibration: mean lat.: 0.8ms, …``, of wrk2; a line for each thread."""
    report.dialect = WRK2
    mean, mean_unit, interval = match.groups()
    last = report.measurements[-1] if report.measurements else None
    threads = int(last.stat.removeprefix("thread_")) if last and last.metric == SAMPLING.name else 0
    stat = f"thread_{threads + 1}"
    try:
        quantity = parse_quantity(mean, MILLISECONDS if mean_unit == "ms" else {"": (-6, 1)})
        # NaN cast to int64 microseconds: nothing was answered before the calibration ended.
        report.add(CALIBRATION, stat, NO_VALUE if (quantity.value or 0) > 86400 else quantity, line)
    except ValueError as problem:
        report.warn(line, f"{CALIBRATION.name} {stat}: {problem}")
    report.add_cell(SAMPLING, stat, interval, MILLISECONDS, line)


# The blanks between the columns, which only wrk and its forks print.
_ZRK_HEAD = re.compile(r"Thread Stats {10}Avg {6}Stdev {8}Max {2}\+/- Stdev")


def head(report: Report, match: re.Match[str], line: int) -> None:
    """Read the header of the table of Latency and Req/Sec."""
    if match[1] == "99%":
        report.dialect = WRK2_P99
    elif _ZRK_HEAD.search(report.raw):
        report.dialect = ZRK


def latency(report: Report, match: re.Match[str], line: int) -> None:
    """Read the row ``Latency 193.32us 51.20us 1.57ms 83.29%``."""
    cells = _cells(match[1])
    if len(cells) != 4:
        return report.warn(line, f"Latency row with {len(cells)} readable columns instead of 4", "bad-line")
    if cells[0] == _AVG_CUT:  # the 8 wide column cuts "1000.00ms"
        cells[0] = "1000.00ms"
        message = f"{report.tool}: the mean {_AVG_CUT} is 1000.00ms, cut to its column; so read"
        report.diagnostics.append(Diagnostic(report.source, line, "note", "mended", message))
    if cells[0].lower().endswith("nanus"):
        report.dialect = report.dialect or WRK2
    third = "p99" if report.dialect == WRK2_P99 else "max"
    for stat, cell in zip(("mean", "stdev", third), cells, strict=False):
        report.add_cell(LATENCY, stat, cell, SECONDS, line)
    report.add_cell(LATENCY_SHARE, "within_stdev", cells[3], PERCENT, line)
    return None


def rate(report: Report, match: re.Match[str], line: int) -> None:
    """Read the row ``Req/Sec 5.11k 299.35 6.84k 78.34%``."""
    cells = _cells(match[1])
    if len(cells) != 4:
        return report.warn(line, f"Req/Sec row with {len(cells)} readable columns instead of 4", "bad-line")
    if "nan" in cells[0]:
        report.dialect = report.dialect or WRK2
    if not cells[3].endswith("%"):
        report.dialect = report.dialect or HYPERFOIL
        cells[3] += "%"
    for stat, cell in zip(("mean", "stdev", "max"), cells, strict=False):
        report.add_cell(THREAD_RATE, stat, cell, DECIMAL, line)
    report.add_cell(THREAD_SHARE, "within_stdev", cells[3], PERCENT, line)
    return None


def distribution(report: Report, match: re.Match[str], line: int) -> None:
    """Read the title of a latency distribution."""
    kind = match[1]
    report.mode = "corrected" if kind else "plain"
    if kind:
        report.dialect = report.dialect or WRK2
        if kind.startswith(("Uncorrected", "As Sampled", "Measured")):
            report.mode = "uncorrected"


def percentile(report: Report, match: re.Match[str], line: int) -> None:
    """Read ``99% 1.57ms``."""
    metric = UNCORRECTED if report.mode == "uncorrected" else LATENCY
    report.add_cell(metric, percentile_name(match[1]), match[2].replace(" ", ""), SECONDS, line)


def percentile_name(text: str) -> str:
    """``50`` → ``p50``, ``99.900`` → ``p99.9``, ``100.000`` → ``p100``."""
    return "p" + (text.rstrip("0").rstrip(".") if "." in text else text)


def spectrum_row(report: Report, match: re.Match[str], line: int) -> None:
    """Read a row of the spectrum of wrk2."""
    value, share, total = match.groups()
    try:
        milliseconds, percentile = parse_quantity(value, MILLISECONDS).value, parse_quantity(share, PLAIN).value
    except ValueError as problem:
        return report.warn(line, f"row of the spectrum: {problem}")
    try:
        below = int(parse_count(total).value or 0)
    except ValueError as problem:
        below = None
        report.warn(line, f"count of the spectrum: {problem}")
    return report.add_row("spectrum", percentile, milliseconds, below, report.mode != "uncorrected", line)


_FOOTER = {"Mean": "mean", "StdDeviation": "stdev", "Max": "max"}


def footer(report: Report, match: re.Match[str], line: int) -> None:
    """Read a line below the spectrum: ``#[Mean = 0.8, StdDeviation = 0.3]``."""
    histogram, total = HISTOGRAMS[report.mode == "uncorrected"]
    for name, number in ((match[1], match[2]), (match[3], match[4])):
        if name in _FOOTER:
            report.add_cell(histogram, _FOOTER[name], number, MILLISECONDS, line)
        elif name == "Total count":
            report.add_count(total, number, line)


def totals(report: Report, match: re.Match[str], line: int) -> None:
    """Read ``410759 requests in 10.10s, 72.06MB read``."""
    report.add_count(REQUESTS, match[1], line)
    report.add_cell(ELAPSED, "total", match[2], SECONDS, line)
    report.add_cell(BYTES_READ, "total", match[3].replace(" ", ""), BYTES, line)


def hyperfoil_errors(report: Report, match: re.Match[str], line: int) -> None:
    """Read ``Socket errors: connectionErrors 0, requestTimeouts 0`` of Hyperfoil."""
    report.add_count(ERRORS["connect"], match[1], line)
    report.add_count(ERRORS["timeout"], match[2], line)


def requests_rate(report: Report, match: re.Match[str], line: int) -> None:
    """Read ``Requests/sec: 40669.44``."""
    if ":\t" in report.raw and not report.seen & {"latency", "rate"}:
        report.mode = "foreign"  # hey, oha and go-wrk print a TAB there
    if match[1].isdecimal() and _is_cut(report, int(match[1])):  # all versions print two decimals
        report.warn(line, f"Requests/sec is cut off, for requests / elapsed are another rate: {match[1]}")
        return
    report.add_cell(THROUGHPUT, "total", match[1], PLAIN, line)


def _is_cut(report: Report, rate: int) -> bool:
    """Whether a rate without decimals differs from that of the requests by more than rounding."""
    requests, elapsed = report.measurement(REQUESTS), report.measurement(ELAPSED)
    if not (requests and elapsed and requests.value and elapsed.value):
        return False
    return abs(rate * elapsed.value / requests.value - 1) > _ROUNDING


def transfer_rate(report: Report, match: re.Match[str], line: int) -> None:
    """Read ``Transfer/sec: 7.13MB``."""
    report.add_cell(TRANSFER_RATE, "total", match[1].replace(" ", ""), BYTES, line)
