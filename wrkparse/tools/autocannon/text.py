r"""What autocannon prints to standard error: ``printResult`` of its ``lib/printResult.js``, since version 3.2.

Versions before 3.2 print tables without lines (``lib/progressTracker.js``): `wrkparse.tools.autocannon.old_text`.

::

    Running 1s test @ http://127.0.0.1:18080/
    4 connections

    ┌─────────┬──────┬──────┬───────┬──────┬─────────┬─────────┬───────┐
    │ Stat    │ 2.5% │ 50%  │ 97.5% │ 99%  │ Avg     │ Stdev   │ Max   │
    ├─────────┼──────┼──────┼───────┼──────┼─────────┼─────────┼───────┤
    │ Latency │ 0 ms │ 0 ms │ 0 ms  │ 0 ms │ 0.02 ms │ 0.39 ms │ 23 ms │
    └─────────┴──────┴──────┴───────┴──────┴─────────┴─────────┴───────┘
    ┌───────────┬─────────┬─────────┬─────────┬─────────┬─────────┬───────┬─────────┐
    │ Stat      │ 1%      │ 2.5%    │ 50%     │ 97.5%   │ Avg     │ Stdev │ Min     │
    ├───────────┼─────────┼─────────┼─────────┼─────────┼─────────┼───────┼─────────┤
    │ Req/Sec   │ 31,631  │ 31,631  │ 31,631  │ 31,631  │ 31,624  │ 0     │ 31,626  │
    ├───────────┼─────────┼─────────┼─────────┼─────────┼─────────┼───────┼─────────┤
    │ Bytes/Sec │ 4.11 MB │ 4.11 MB │ 4.11 MB │ 4.11 MB │ 4.11 MB │ 0 B   │ 4.11 MB │
    └───────────┴─────────┴─────────┴─────────┴─────────┴─────────┴───────┴─────────┘

    32k requests in 1.01s, 4.11 MB read

wrk begins with the same two lines; the table shows which tool printed them. Latencies are whole
milliseconds (mean and deviation have two decimals), sizes have steps of 1000 and three digits (``pretty-bytes``).
Since version 7.14, ``toLocaleString`` writes the rates with the signs of the machine's locale: ``31.624,5`` in Brazil.
The count at the end is of requests sent, in thousands from 1000 on (``lib/format.js``).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from wrkparse.model.records import Metric
from wrkparse.model.units import PLAIN, Quantity, Scale, parse_count, parse_quantity
from wrkparse.tools.autocannon.metrics import MISMATCHES
from wrkparse.tools.common import (
    BYTES_READ,
    ELAPSED,
    FAILED,
    LATENCY,
    NON_2XX,
    PLANNED_REQUESTS,
    REQUESTS,
    SENT,
    THROUGHPUT,
    TIMEOUTS,
    TRANSFER_RATE,
    keep_only,
)
from wrkparse.tools.durations import parse_duration
from wrkparse.tools.lines import LineSpec, ReadLine, inner
from wrkparse.tools.report import Lack, Report

_BYTES: Scale = {"B": (0, 1), **{f"{prefix}B": (3 * power, 1) for power, prefix in enumerate("kMGTPE", 1)}}
_THOUSANDS: Scale = {"": (0, 1), "k": (3, 1)}
_MILLISECONDS: Scale = {"ms": (-3, 1)}
_PLACES = 2  # of a mean: histAsObj of lib/histUtil.js
_DECIMALS = re.compile(r"[.,]([0-9]{1,2})(?: ms)?\Z")  # "1.5 ms", "31,624.51"
_STATS = {"Avg": "mean", "Stdev": "stdev", "Max": "max", "Min": "min"}
_RUN = r"Running (?:(\S{1,20}) test|([0-9]{1,18}) requests test) @ (\S+)"
_CONNECTIONS = r"([0-9]{1,9}) connections(?: with ([0-9]{1,9}) pipelining factor)?"
_WORKERS = r"([0-9]{1,6}) workers"
# thousands with a sign, or lakhs of India ("1,31,624"), or none; then at most two decimals after another sign
_LOCAL_NUMBER = re.compile(
    r"(?P<whole>[1-9][0-9]{0,2}(?P<mark>[.,'’\u00a0\u202f ])[0-9]{3}(?:(?P=mark)[0-9]{3}){0,5}"
    r"|[1-9][0-9]?(?:,[0-9]{2}){1,6},[0-9]{3}|0|[1-9][0-9]{0,18})(?:(?P<point>[.,])(?P<decimals>[0-9]{1,2}))?"
)
_BAR = " ?[│|] ?"  # between two cells; people turn the tables into those of Markdown
_CELL = re.compile(_BAR)
# "├─────────┼──────┤", "|---------|:----:|"
_BOX = re.compile(r"[┌├└][─┬┼┴┐┤┘]{1,400}\s*|\|(?: ?:?-{1,100}:? ?\|){1,16}")


def _run(report: Report, match: re.Match[str], line: int) -> None:
    report.add_label("url", match[3], line)
    if match[2]:
        report.add_count(PLANNED_REQUESTS, match[2], line)
    if match[1] and (seconds := _seconds(match[1])):
        report.add_label("duration_s", seconds, line)


def _connections(report: Report, match: re.Match[str], line: int) -> None:
    report.add_label("connections", match[1], line)
    if match[2]:
        report.add_label("flag_pipelining", match[2], line)  # the key of its option


def _workers(report: Report, match: re.Match[str], line: int) -> None:
    report.add_label("workers", match[1], line)


_OPENING = ((re.compile(_RUN), _run), (re.compile(_CONNECTIONS), _connections), (re.compile(_WORKERS), _workers))


def read_head(report: Report, match: re.Match[str], line: int) -> None:
    """Read the names of the columns. The lines above the first table, which wrk prints, too, describe the settings."""
    report.mode = match[1]
    for number, text in report.before:
        for pattern, read in _OPENING:
            if found := pattern.search(text):
                read(report, found, number)
        report.line = min(report.line, number)
    report.text = [*report.before, *report.text]
    report.before = []


def _seconds(text: str) -> str | None:
    try:
        return f"{parse_duration(text).value:.15g}"
    except ValueError:
        return None


def read_time(text: str) -> Quantity:
    """A number of milliseconds with its unit."""
    return parse_quantity(text.replace(" ", ""), _MILLISECONDS)


def read_milliseconds(text: str) -> Quantity:
    """A number of milliseconds without its unit."""
    return parse_quantity(f"{text}ms", _MILLISECONDS)


def read_size(text: str) -> Quantity:
    """A size such as ``4.11 MB``."""
    return parse_quantity(text.replace(" ", ""), _BYTES)


def read_rate(text: str) -> Quantity:
    """A number in any locale: ``31624.5``, ``31,624.5``, ``31.624,5``, ``31 624,5``, ``1,31,624``.

    It has at most two decimals, so three digits behind a sign are thousands.
    """
    match = _LOCAL_NUMBER.fullmatch(text)
    if match is None or match["mark"] == match["point"] is not None:
        return parse_quantity(text, PLAIN)  # which says what is wrong
    digits = "".join(filter(str.isdecimal, match["whole"]))
    return parse_quantity(f"{digits}.{match['decimals']}" if match["decimals"] else digits, PLAIN)


def _with_decimals(read_cell: Callable[[str], Quantity], text: str) -> Quantity:
    """A number that is rounded to two decimals, without zeros at the end."""
    value, resolution = read_cell(text)
    digits = _DECIMALS.search(text)
    missing = _PLACES - (len(digits[1]) if digits else 0)
    return Quantity(value, None if resolution is None else resolution * 10.0 ** min(0, -missing))


def keep_cell(
    report: Report, metric: Metric, column: str, read_cell: Callable[[str], Quantity], text: str, line: int
) -> None:
    """Keep a cell of a row, by the name of its column; the mean of a rate is its total."""
    stat = _STATS.get(column) or f"p{column.removesuffix('%')}"
    named = "total" if stat == "mean" and metric is not LATENCY else stat
    exact = metric is not TRANSFER_RATE and stat in ("mean", "stdev")
    report.add_printed(metric, named, partial(_with_decimals, read_cell) if exact else read_cell, text, line)


def _row(metric: Metric, read_cell: Callable[[str], Quantity]) -> ReadLine:
    """A function that reads a row by the names of its columns."""

    def read(report: Report, match: re.Match[str], line: int) -> None:
        names, cells = _CELL.split(report.mode), _CELL.split(match[1])
        if len(names) != len(cells):
            report.warn(line, f"{len(names)} cells belong here: {match[0]}", "bad-line")
            return
        for name, text in zip(names, cells, strict=True):
            keep_cell(report, metric, name, read_cell, text, line)

    return read


def read_percentile(report: Report, match: re.Match[str], line: int) -> None:
    """A percentile of the long table, unless the short table above has it."""
    stat = f"p{match[1]}"
    if report.measurement(LATENCY, stat) is None:
        report.add_printed(LATENCY, stat, read_milliseconds, match[2], line)


def _responses(report: Report, match: re.Match[str], line: int) -> None:
    good, others = parse_count(match[1]).value, parse_count(match[2]).value
    report.add(REQUESTS, "total", Quantity((good or 0.0) + (others or 0.0), 0.0), line)
    report.add_count(NON_2XX, match[2], line)


def _count(text: str) -> Quantity:
    """A count, or thousands; below 1000 it is exact."""
    return parse_quantity(text, _THOUSANDS) if text.endswith("k") else parse_count(text)


def _totals(report: Report, match: re.Match[str], line: int) -> None:
    if _CELL.search(report.mode):
        report.add_printed(SENT, "total", _count, match[1], line)
    elif report.measurement(REQUESTS) is None:  # old versions count responses; the line about statuses does exactly
        report.add_printed(REQUESTS, "total", _count, match[1], line)
    report.add_printed(ELAPSED, "total", parse_duration, match[2], line)
    report.add_printed(BYTES_READ, "total", read_size, match[3], line)


def _errors(report: Report, match: re.Match[str], line: int) -> None:
    report.add_printed(FAILED, "total", _count, match[1], line)
    report.add_printed(TIMEOUTS, "total", _count, match[2], line)


def _mismatches(report: Report, match: re.Match[str], line: int) -> None:
    report.add_printed(MISMATCHES, "total", _count, match[1], line)


_CELLS = r"((?:[^│|]{1,40}[│|]){6}[^│|]{1,40})\|?"
PERCENTILE = r"((?:100|[0-9]{1,2})(?:\.[0-9]{1,6})?)"
_K = r"([0-9]{1,18}k?)"
_HEAD = rf"Stat{_BAR}((?:[0-9.]{{1,8}}%{_BAR})+Avg{_BAR}Stdev{_BAR}"
LINES = (
    # With a duration it is also the first line of wrk, whose spec reads it.
    LineSpec(
        "header", ("Running",), re.compile(r"Running ()([0-9]{1,18}) requests test @ (\S+)"), 0, _run,
        sign="Running [0-9]+ requests",
    ),
    inner("header", "connections", _CONNECTIONS, 1, _connections),
    inner("header", "workers", _WORKERS, 2, _workers),
    inner("progress", "%", r"running \[.{0,400}", 3, repeat=True),
    LineSpec(
        "head", ("Stat",), re.compile(rf"{_HEAD}Max) ?\|?"), 4, read_head, sign=r"2\.5%",
    ),
    inner("latency", "Latency", f"Latency{_BAR}{_CELLS}", 5, _row(LATENCY, read_time)),
    inner("head", "Stat", rf"{_HEAD}Min) ?\|?", 6, read_head),
    inner("req/sec", "Req/Sec", f"Req/Sec{_BAR}{_CELLS}", 7, _row(THROUGHPUT, read_rate)),
    inner("bytes/sec", "Bytes/Sec", f"Bytes/Sec{_BAR}{_CELLS}", 8, _row(TRANSFER_RATE, read_size)),
    inner("codes", "Code", rf"Code{_BAR}Count ?\|?", 9),
    inner("code", "", rf"[1-5][0-9]{{2}}{_BAR}[0-9]{{1,18}} ?\|?", 10, repeat=True),
    inner("samples", "Req/Bytes", r"Req/Bytes counts sampled .{1,60}", 11),
    inner("samples", "of", r"(?:# )?of samples: [0-9]{1,18}", 12),
    inner("percentiles", "Percentile", rf"Percentile{_BAR}Latency \(ms\) ?\|?", 13),
    inner("percentile", "", rf"{PERCENTILE}{_BAR}([0-9.]{{1,18}}) ?\|?", 14, read_percentile, repeat=True),
    inner("responses", "responses", r"([0-9]{1,18}) 2xx responses, ([0-9]{1,18}) non 2xx responses", 15, _responses),
    inner("totals", "requests", rf"{_K} requests in (\S{{1,20}}), ([0-9.]{{1,12}} [kMGTPE]?B) read", 16, _totals),
    inner("errors", "errors", rf"{_K} errors \({_K} timeouts\)", 17, _errors),
    inner("mismatches", "requests", rf"{_K} requests with mismatched body", 18, _mismatches),
    inner("resets", "request", r"request pipeline was reset .{1,40}", 19),
)  # fmt: skip


def belongs(report: Report, text: str, line: int) -> bool:
    """Whether a line belongs to the box around a table."""
    return _BOX.fullmatch(text) is not None


def finish(report: Report) -> None:
    """Leave out all rates and times if there is no response: autocannon prints 0 for them."""
    failed, read = report.measurement(FAILED), report.measurement(BYTES_READ)
    if not failed or not failed.value:
        return
    if read and not read.value:
        keep_only(report, ELAPSED, PLANNED_REQUESTS, SENT, FAILED, TIMEOUTS)
        message = f"all {failed.value:.0f} requests failed: rates and times are left out"
    else:
        message = f"{failed.value:.0f} requests failed, which no rate or time includes"
    report.warn(failed.line, message, "failed-requests")


def lacks(report: Report) -> Lack | None:
    """The part that an incomplete report lacks; None for a complete one."""
    return None if "totals" in report.seen else Lack("its last line, the requests and their time", "note")
