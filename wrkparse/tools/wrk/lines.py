"""Describes the lines of the report of wrk, of its forks and of programs that print the same report."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from wrkparse.model.records import Metric
from wrkparse.model.units import BINARY, DECIMAL, MILLISECONDS, PERCENT, SECONDS, parse_quantity
from wrkparse.tools.common import BYTES_READ, ELAPSED, LATENCY, NON_2XX, REQUESTS, THROUGHPUT, TRANSFER_RATE
from wrkparse.tools.layout import TEXT
from wrkparse.tools.lines import ANYWHERE, Cell, LineSpec, ReadLine, Slot, count_slot, decimals, ignore, line
from wrkparse.tools.wrk import readers as read
from wrkparse.tools.wrk.metrics import (
    CALIBRATION,
    ERRORS,
    LATENCY_SHARE,
    PLANNED,
    SAMPLING,
    THREAD_RATE,
    THREAD_SHARE,
)  # fmt: skip


def _inside(kind: str, keys: str, rank: int, pattern: str, read: ReadLine, *, repeat: bool = False) -> LineSpec:
    """A line that other tools and prose contain, too: it counts only within a report."""
    return LineSpec(kind, tuple(keys.split()) or ("",), re.compile(pattern), rank, read, repeat=repeat, inside=True)


def _row(kind: str, name: str, metric: Metric, share: Metric, cell: Cell, read: ReadLine, rank: int) -> LineSpec:
    slots = [Slot(metric, stat, cell) for stat in ("mean", "stdev", "max")]
    return line(
        kind,
        f" {name}{' {}' * 4}",
        *slots,
        Slot(share, "within_stdev", _SHARE),
        rank=rank,
        loose=name + _ROW,
        read=read,
        sign=f"{name} (?:nan|[0-9])",
    )


_NUMBER = r"(?:[+-]?nan|-?[0-9])\S*"
_ROW = rf" ((?:{_NUMBER} ){{2,3}}{_NUMBER}%)"
# People put a blank before the unit; the last column of Hyperfoil has no %.
_LOOSE = rf" ({_NUMBER}(?: (?:{_NUMBER}|[nuµμm]?s|[mkMGT%])){{2,7}})"
# In a table of Markdown: "Latency | 193.32us | 51.20us | 1.57ms | 83.29%".
_MARKDOWN_ROW = r" \| ((?:nan|[0-9])[^\s|]{0,20}(?: \| (?:nan|[0-9])[^\s|]{0,20}){3})"
# "wrk 4.1.0 [epoll] Copyright (C) 2012 Will Glozer"
_VERSION = r"wrk (\S+) \[(?:epoll|kqueue|select|evport)\] Copyright \(C\) 2012 Will Glozer"
_RUNNING = r"Running ((?:[0-9]{1,9}(?:ms|[smh])){1,3}) test @ ?(.*)"
# "Running 10s GET test @ 127.0.0.1:8080" of other programs: wrk prints neither a method nor a URL without a scheme.
_RUNNING_METHOD = r"Running ((?:[0-9]{1,9}(?:ms|[smh])){1,3}) [A-Z]{2,10} test @ ((?!\w{1,10}://)\S+)"
# "starting server...Running 10s test @ http://h:8080/": "test @" and a URL must follow, because prose has "Running",
# too
_LATE = re.compile(r"Running +[0-9]{1,9}(?:ms|[smh])[0-9smh]{0,20} +test +@ +\[?<?https?://")
_STOPPED = (
    r"unable to (?:connect to|resolve) (?=[^\s:]++:+\S)\S++ [A-Z].*|unable to initialize SSL"
    r"|unable to create thread [0-9]+.*"
    r"|number of connections must be >= threads|Throughput MUST be specified with the --rate or -R option"
    r"|wrk 2\.0\.0\+ uses -d instead of -r"
)
_STOPPED_SIGN = (
    r"unable to (?:connect|resolve|initialize|create)|number of connections must|Throughput MUST|wrk 2\.0\.0"
)
# "Thread calibration: mean lat.: 1.047ms, rate sampling interval: 10ms"
_CALIBRATED = r"Thread calibration: mean lat\.: ([0-9.]+) ?(ms|usec), rate sampling interval: ([0-9]{1,18}) ?m(?:s|sec)"
_DISTRIBUTED = r"Latency Distribution(?: \((?:HdrHistogram|HDR) - (.*))?"  # so long that its end is often wrapped
_PERCENTILE = r"([0-9]{2,3}(?:\.[0-9]+)?)% (\S+(?: [nuµμm]?s\b)?)(?: .*)?"  # "99.900%    1.57ms"
_VALUE = r"-?[0-9][^\s/:%]*"  # no time, no share
# "0.442 0.500000 10002 2.00", the last one 1.000000 and inf
_SPECTRUM_ROW = rf"({_VALUE}) ({_VALUE}) ({_VALUE})(?: (?:inf|{_VALUE}))?"
# As wrk prints it; autocannon puts a blank before "MB", go-wrk prints all nanoseconds.
_TOTALS = r"(?:Overall )?([0-9]+) requests in ((?:[0-9]+\.[0-9]{1,3})(?:us|ms|s|m)), ([0-9.]+[KMGTk]?B) read"
_LOOSE_TOTALS = r"(?:Overall )?([0-9][0-9,]*) requests in (\S+), (\S+(?: [KMGTk]?B)?) read"
_HYPERFOIL_ERRORS = r"Socket errors: connectionErrors (\S+), requestTimeouts (\S+)"


# As ``src/units.c`` prints them, with two decimals.
_TIME, _RATE, _SHARE, _BYTES = (decimals(2, scale, 3) for scale in (SECONDS, DECIMAL, PERCENT, BINARY))
_INTERVAL, _MILLIS = decimals(0, MILLISECONDS), decimals(3, MILLISECONDS, 7)
# See `read.header`: minutes and hours are rounded.
_PLANNED = Cell(
    "([1-9][0-9]{0,8})(s|m|h)",
    {"s": (1, 1, 0.0), "m": (60, 1, 30.0), "h": (3600, 1, 1800.0)},
    partial(parse_quantity, scale=SECONDS),
)

VERSION = LineSpec("version", ("wrk",), re.compile(_VERSION), 0, read.version, sign="2012 Will Glozer")
STOPPED = LineSpec(
    "stopped", tuple("unable threads Throughput wrk".split()), re.compile(_STOPPED), 0, read.stop, sign=_STOPPED_SIGN
)
HEADER = replace(
    line(
        "header",
        f"Running {{}} test @ (?P<url>https?://{TEXT}{{1,1000}})",
        Slot(PLANNED, "total", _PLANNED),
        rank=1,
        loose=_RUNNING,
        read=read.header,
        sign="Running [0-9]+(?:m?s|[mh])[0-9smh]* test",
    ),
    late=_LATE,
)
THREADS = line(
    "threads",
    " (?P<threads>[0-9]{1,9}) threads and (?P<connections>[0-9]{1,9}) connections",
    rank=2,
    keys=["threads"],
    loose=r"([0-9]+) threads and ([0-9]+) connections",
    read=read.threads,
    sign="[0-9] threads and [0-9]",
)
CALIBRATED = line(
    "calibration",
    "  Thread calibration: mean lat.: {}ms, rate sampling interval: {}ms",
    Slot(CALIBRATION, "thread_{}", _MILLIS),
    Slot(SAMPLING, "thread_{}", _INTERVAL),
    rank=3,
    loose=_CALIBRATED,
    read=read.calibration,
    repeat=True,
)
HEAD = line(
    "head",
    r"  Thread Stats   Avg      Stdev     Max   \+/- Stdev",
    rank=6,
    loose=r"Thread Stats Avg Stdev (Max|99%) \+/- Stdev",
    read=read.head,
)
LATENCY_ROW = _row("latency", "Latency", LATENCY, LATENCY_SHARE, _TIME, read.latency, 7)
RATE_ROW = _row("rate", "Req/Sec", THREAD_RATE, THREAD_SHARE, _RATE, read.rate, 8)
DISTRIBUTION = _inside("distribution", "Latency", 9, _DISTRIBUTED, read.distribution, repeat=True)
RECORDED = LineSpec(  # only wrk2 prints it, so the end of a report is recognised without its head
    "distribution", ("Latency",), re.compile(r"Latency Distribution \(HdrHistogram - (Recorded.*|Uncorrected.*)"), 9,
    read.distribution, repeat=True, sign="Latency Distribution .HdrHistogram",
)  # fmt: skip
PERCENTILE = _inside("percentile", "%", 9, _PERCENTILE, read.percentile, repeat=True)
SPECTRUM_TITLE = LineSpec(  # only wrk2 prints it, as RECORDED
    "spectrum", ("Detailed",), re.compile(r"Detailed Percentile [sS]pectrum:?"), 9, ignore, repeat=True,
    sign="Detailed Percentile",
)  # fmt: skip
SPECTRUM_HEAD = _inside("spectrum", "Value", 9, r"Value Percentile TotalCount 1/\(1-Percentile\)", ignore, repeat=True)
SPECTRUM_ROW = _inside("row", "", 9, _SPECTRUM_ROW, read.spectrum_row, repeat=True)
FOOTER = _inside(
    "footer", "#[Mean #[Max #[Buckets", 9, r"#\[(\w+) = +(\S+), ([\w ]+) = +(\S+)\]", read.footer, repeat=True
)
FOOTER_HEAD = LineSpec(  # of a cut report; no requests follow the end of a histogram of another program
    "footer", ("#[Mean", "#[Max", "#[Buckets"),
    re.compile(r"#\[(Mean|Max|Buckets) = +(\S+), (StdDeviation|Total count|SubBuckets) = +(\S+)\]"), 9, read.footer,
    repeat=True, sign=r"#\[(?:Mean|Max|Buckets)",
)  # fmt: skip
RULER = _inside("ruler", "", ANYWHERE, r"-{58}|-{71}", ignore)
TOTALS = line(
    "totals",
    " {} requests in {}, {} read",
    count_slot(REQUESTS),
    Slot(ELAPSED, "total", _TIME),
    Slot(BYTES_READ, "total", _BYTES),
    rank=10,
    keys=["requests", "Overall"],
    loose=_TOTALS,
    read=read.totals,
    sign=r"[0-9] requests in [0-9]+\.[0-9]{1,3}[ums]",
)
SOCKET_ERRORS = replace(
    line(
        "errors",
        " Socket errors: connect {}, read {}, write {}, timeout {}",
        *map(count_slot, ERRORS.values()),
        rank=11,
    ),
    latest=12,
)
ERROR_RESPONSES = line(
    "non-2xx", " Non-2xx or 3xx responses: {}", count_slot(NON_2XX), rank=12, sign="Non-2xx or 3xx responses"
)
# hey and oha print the same words with four decimals: outside of a report, only the exact form counts as wrk.
REQUEST_RATE = line(
    "requests/sec",
    "Requests/sec: {}",
    Slot(THROUGHPUT, "total", decimals(2)),
    rank=13,
    loose=r"Requests/sec: ([0-9]+\.[0-9]{2})",
    read=read.requests_rate,
)
# As people write it below the command: with commas, or rounded.
ROUNDED_RATE = replace(
    REQUEST_RATE,
    pattern=re.compile(r"Requests/sec: ([0-9]{1,3}(?:,[0-9]{3}){1,3}(?:\.[0-9]{1,2})?|[0-9]{1,9}(?:\.[0-9])?)(?!\S)"),
    needs_command=True,
)
TRANSFER = line(
    "transfer/sec",
    "Transfer/sec: {}",
    Slot(TRANSFER_RATE, "total", _BYTES),
    rank=14,
    loose=r"Transfer/sec: ([0-9]+\.[0-9]{2}[KMGT]?B)",
    read=read.transfer_rate,
)

LINES = (
    VERSION,
    STOPPED,
    HEADER,
    LineSpec(
        "header", ("Making",), re.compile(r"Making ([0-9]+) requests to (\S+)"), 1, read.making,
        sign="Making [0-9]+ requests",
    ),
    LineSpec(
        "header", ("Running",), re.compile(_RUNNING_METHOD), 1, read.header,
        sign="Running [0-9]+(?:m?s|[mh])[0-9smh]* [A-Z]+ test",
    ),
    THREADS,
    _inside("foreign", "connections", 2, r"[0-9]+ connections(?: with .*)?", read.foreign),
    _inside("foreign", "workers", 3, r"[0-9]+ workers", read.foreign),
    _inside("foreign", "%", 4, r"running \[.{0,400}", read.foreign, repeat=True),
    LineSpec(
        "foreign", ("goroutine(s)",), re.compile(r"[0-9]+ goroutine\(s\) running concurrently"), 2, read.foreign,
        sign=r"\(s\) running",
    ),
    CALIBRATED,
    LineSpec("results", ("Test",), re.compile(r"Test Results @ (.+)"), 4, read.results_of),
    LineSpec(
        "results", ("Overall",), re.compile(r"-+Overall Statistics-+"), 4, read.overall, sign="Overall Statistics",
    ),
    _inside("sent", "Sent", 5, r"Sent (\S+) requests", read.sent),
    HEAD,
    LATENCY_ROW,
    _inside("latency", "Latency", 7, "Latency" + _LOOSE, read.latency),
    _inside("latency", "Latency", 7, "Latency" + _MARKDOWN_ROW, read.latency),
    RATE_ROW,
    _inside("rate", "Req/Sec", 8, "Req/Sec" + _LOOSE, read.rate),
    _inside("rate", "Req/Sec", 8, "Req/Sec" + _MARKDOWN_ROW, read.rate),
    RECORDED,
    DISTRIBUTION,
    PERCENTILE,
    SPECTRUM_TITLE,
    SPECTRUM_HEAD,
    SPECTRUM_ROW,
    FOOTER,
    FOOTER_HEAD,
    RULER,
    TOTALS,
    _inside("totals", "requests Overall", 10, _LOOSE_TOTALS, read.totals),
    SOCKET_ERRORS,
    replace(ERROR_RESPONSES, rank=16, inside=True, dialect=read.HYPERFOIL, sign="", form=None),
    ERROR_RESPONSES,
    REQUEST_RATE,
    ROUNDED_RATE,
    _inside("requests/sec", "Requests/sec:", 13, r"Requests/sec: (\S+)(?: (?![0-9]).*)?", read.requests_rate),
    TRANSFER,
    _inside(
        "transfer/sec", "Transfer/sec:", 14, r"Transfer/sec: (\S+(?: [KMGTk]?B)?)(?: (?![0-9]).*)?", read.transfer_rate,
    ),
    _inside("errors", "Socket", 15, _HYPERFOIL_ERRORS, read.hyperfoil_errors),
)  # fmt: skip
