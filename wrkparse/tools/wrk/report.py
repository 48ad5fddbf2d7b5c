r"""wrk 1.0 to 4.2, and wrk2 and others that print its report as dialects of it.

The lines are those of ``main()`` in wrk's ``src/wrk.c``, the units those of ``src/units.c``: time in steps of 1000 and
60, Req/Sec in steps of 1000 (``k``), bytes in steps of 1024 (``KB``). wrk2 adds calibration lines, HdrHistogram
percentiles and a spectrum (``print_hdr_latency`` of its ``src/wrk.c``) in milliseconds. A real report::

    Running 10s test @ http://10.0.1.70:8080/hello
      8 threads and 8 connections
      Thread Stats   Avg      Stdev     Max   +/- Stdev
        Latency   193.32us   51.20us   1.57ms   83.29%
        Req/Sec     5.11k   299.35     6.84k    78.34%
      410759 requests in 10.10s, 72.06MB read
    Requests/sec:  40669.44
    Transfer/sec:      7.13MB

Dialects: ``wrk 1``; ``wrk2``; ``wrk2 (99% column)``, whose third column is the 99th percentile (DeathStarBench's wrk2);
``hyperfoil`` (``printStats`` of Hyperfoil's ``WrkAbstract.java``: no % behind the Req/Sec row, errors at the end);
``zrk`` (``formatReport`` of its ``stats.zig``: other columns).
"""

from __future__ import annotations

import re

from wrkparse.model.records import Diagnostic
from wrkparse.model.units import BINARY, DECIMAL, MILLISECONDS, NOTHING, PERCENT, PLAIN, SECONDS, Quantity, count, parse
from wrkparse.tools.base import ANYWHERE, Flags, Lack, Reader, Report, ReportTool, Rule
from wrkparse.tools.common import ELAPSED, NON_2XX, REQUESTS, SPECTRUM, THROUGHPUT, TRANSFER_RATE
from wrkparse.tools.wrk.metrics import (
    BYTES_READ,
    CALIBRATION,
    ERRORS,
    HISTOGRAMS,
    LATENCY,
    LATENCY_SHARE,
    METRICS,
    PLANNED,
    SAMPLING,
    SENT,
    THREAD_RATE,
    THREAD_SHARE,
    UNCORRECTED,
    WRK2,
)  # fmt: skip
from wrkparse.tools.wrk.url import keep_url, url_goes_on
from wrkparse.tools.wrk.whole import WHOLE

WRK2_P99, HYPERFOIL, ZRK = "wrk2 (99% column)", "hyperfoil", "zrk"
BYTES = BINARY | {"kB": BINARY["KB"]}  # as Hyperfoil writes it

# One printed cell. Columns may touch: "Latency   999.99ms 1000.00ms1000.00ms   93.69%" (units.c print_units pads
# within a fixed width), so a cell ends where its unit does.
_CELL = re.compile(r"[+-]?nan(?:us|s)?%?|-?[0-9][0-9.,]*(?:us|µs|μs|ms|ns|[smhkMGT%])?", re.IGNORECASE)
_NUMBER = r"(?:[+-]?nan|-?[0-9])\S*"
_ROW = rf" ((?:{_NUMBER} ){{2,3}}{_NUMBER}%)"
# People part a number from its unit; Hyperfoil's last column has no %.
_LOOSE = rf" ({_NUMBER}(?: (?:{_NUMBER}|[nuµμm]?s|[mkMGT%])){{2,7}})"
_AVG_CUT = "1000.00m"
_APART = re.compile(r"(?<=[0-9]) (?!nan)(?=[a-zµμ%])", re.IGNORECASE)


def _cells(text: str) -> list[str]:
    words = _APART.sub("", text).split()
    return words if len(words) == 4 else _CELL.findall(text)


def _version(report: Report, match: re.Match[str], line: int) -> None:
    report.version = match[1]


_STEPS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600}
_STEP = re.compile(r"([0-9]{1,9})(ms|[smh])")


def _header(report: Report, match: re.Match[str], line: int) -> None:
    # -d is printed as "%.0Lf" of seconds, or of minutes from 51 s on: "2m" is anything from 90 to 150 s. wrk never gets
    # to hours, forks of its units do. Hyperfoil prints what was typed (see _finish), Go programs "1m30s".
    steps = _STEP.findall(match[1])
    last = _STEPS[steps[-1][1]]
    rounded = len(steps) == 1 and last > 1
    total = sum(int(number) * _STEPS[unit] for number, unit in steps)
    report.add(PLANNED, "total", Quantity(float(total), last / 2 if rounded else 0.0), line)
    if not rounded:
        report.label("duration_s", f"{total:.15g}", line)
    keep_url(report, match[2], line)


def _typed_duration(report: Report) -> None:
    """Take the planned duration for exact."""
    planned = report.measurements[0] if report.measurements else None
    if planned and planned.metric == PLANNED.name and planned.resolution:
        report.measurements[0] = planned._replace(resolution=0.0)
        report.label("duration_s", f"{planned.value:.15g}", planned.line)


def _making(report: Report, match: re.Match[str], line: int) -> None:
    report.dialect = "wrk 1"
    keep_url(report, match[2], line)


def _stop(report: Report, match: re.Match[str], line: int) -> None:
    report.stopped = match[0]


def _threads(report: Report, match: re.Match[str], line: int) -> None:
    report.label("threads", match[1], line)
    report.label("connections", match[2], line)


def _results_of(report: Report, match: re.Match[str], line: int) -> None:
    """Of several URLs the heads come first, in the order of the command, then the results, each with its URL."""
    report.dialect = WRK2_P99
    report.labels = [label for label in report.labels if label.key != "url"]
    keep_url(report, match[1], line)


def _overall(report: Report, match: re.Match[str], line: int) -> None:
    report.dialect = WRK2_P99


def _sent(report: Report, match: re.Match[str], line: int) -> None:
    report.counted(SENT, match[1], line)


def _foreign(report: Report, match: re.Match[str], line: int) -> None:
    report.mode = "foreign"


def _calibration(report: Report, match: re.Match[str], line: int) -> None:
    report.dialect = WRK2
    mean, mean_unit, interval = match.groups()
    last = report.measurements[-1] if report.measurements else None
    threads = int(last.stat.removeprefix("thread_")) if last and last.metric == SAMPLING.name else 0
    stat = f"thread_{threads + 1}"
    try:
        quantity = parse(mean, MILLISECONDS if mean_unit == "ms" else {"": (-6, 1)})
        # NaN cast to int64 microseconds: nothing was answered before the calibration ended.
        report.add(CALIBRATION, stat, NOTHING if (quantity.value or 0) > 86400 else quantity, line)
    except ValueError as problem:
        report.bad(line, f"{CALIBRATION.name} {stat}: {problem}")
    report.cell(SAMPLING, stat, interval, MILLISECONDS, line)


# The blanks between the columns, which only wrk and its forks have like this.
_ZRK_HEAD = re.compile(r"Thread Stats {10}Avg {6}Stdev {8}Max {2}\+/- Stdev")


def _head(report: Report, match: re.Match[str], line: int) -> None:
    if match[1] == "99%":
        report.dialect = WRK2_P99
    elif _ZRK_HEAD.search(report.raw):
        report.dialect = ZRK


def _latency(report: Report, match: re.Match[str], line: int) -> None:
    cells = _cells(match[1])
    if len(cells) != 4:
        return report.bad(line, f"Latency row with {len(cells)} readable columns instead of 4", "bad-line")
    if cells[0] == _AVG_CUT:  # the 8 wide column cuts "1000.00ms"
        cells[0] = "1000.00ms"
        said = f"{report.tool}: the mean {_AVG_CUT} is 1000.00ms, cut to its column; so read"
        report.diagnostics.append(Diagnostic(report.source, line, "note", "mended", said))
    if cells[0].lower().endswith("nanus"):
        report.dialect = report.dialect or WRK2
    third = "p99" if report.dialect == WRK2_P99 else "max"
    for stat, cell in zip(("mean", "stdev", third), cells, strict=False):
        report.cell(LATENCY, stat, cell, SECONDS, line)
    report.cell(LATENCY_SHARE, "within_stdev", cells[3], PERCENT, line)
    return None


def _rate(report: Report, match: re.Match[str], line: int) -> None:
    cells = _cells(match[1])
    if len(cells) != 4:
        return report.bad(line, f"Req/Sec row with {len(cells)} readable columns instead of 4", "bad-line")
    if "nan" in cells[0]:
        report.dialect = report.dialect or WRK2
    if not cells[3].endswith("%"):
        report.dialect = report.dialect or HYPERFOIL
        cells[3] += "%"
    for stat, cell in zip(("mean", "stdev", "max"), cells, strict=False):
        report.cell(THREAD_RATE, stat, cell, DECIMAL, line)
    report.cell(THREAD_SHARE, "within_stdev", cells[3], PERCENT, line)
    return None


def _distribution(report: Report, match: re.Match[str], line: int) -> None:
    kind = match[1]
    report.mode = "corrected" if kind else "plain"
    if kind:
        report.dialect = report.dialect or WRK2
        if kind.startswith(("Uncorrected", "As Sampled", "Measured")):
            report.mode = "uncorrected"


def _percentile(report: Report, match: re.Match[str], line: int) -> None:
    metric = UNCORRECTED if report.mode == "uncorrected" else LATENCY
    report.cell(metric, percentile_name(match[1]), match[2].replace(" ", ""), SECONDS, line)


def percentile_name(text: str) -> str:
    """``50`` → ``p50``, ``99.900`` → ``p99.9``, ``100.000`` → ``p100``."""
    return "p" + (text.rstrip("0").rstrip(".") if "." in text else text)


def _nothing(report: Report, match: re.Match[str], line: int) -> None:
    """A line that carries no number, but is the report's."""


def _spectrum_row(report: Report, match: re.Match[str], line: int) -> None:
    value, share, total = match.groups()
    try:
        milliseconds, percentile = parse(value, MILLISECONDS).value, parse(share, PLAIN).value
    except ValueError as problem:
        return report.bad(line, f"row of the spectrum: {problem}")
    try:
        below = int(count(total).value or 0)
    except ValueError as problem:
        below = None
        report.bad(line, f"count of the spectrum: {problem}")
    return report.row("spectrum", percentile, milliseconds, below, report.mode != "uncorrected", line)


_FOOTER = {"Mean": "mean", "StdDeviation": "stdev", "Max": "max"}


def _footer(report: Report, match: re.Match[str], line: int) -> None:
    histogram, total = HISTOGRAMS[report.mode == "uncorrected"]
    for name, number in ((match[1], match[2]), (match[3], match[4])):
        if name in _FOOTER:
            report.cell(histogram, _FOOTER[name], number, MILLISECONDS, line)
        elif name == "Total count":
            report.counted(total, number, line)


def _totals(report: Report, match: re.Match[str], line: int) -> None:
    report.counted(REQUESTS, match[1], line)
    report.cell(ELAPSED, "total", match[2], SECONDS, line)
    report.cell(BYTES_READ, "total", match[3].replace(" ", ""), BYTES, line)


def _socket_errors(report: Report, match: re.Match[str], line: int) -> None:
    for metric, number in zip(ERRORS.values(), match.groups(), strict=True):
        report.counted(metric, number, line)


def _non_2xx(report: Report, match: re.Match[str], line: int) -> None:
    report.counted(NON_2XX, match[1], line)


def _hyperfoil_errors(report: Report, match: re.Match[str], line: int) -> None:
    report.counted(ERRORS["connect"], match[1], line)
    report.counted(ERRORS["timeout"], match[2], line)


def _requests_rate(report: Report, match: re.Match[str], line: int) -> None:
    if ":\t" in report.raw and not report.seen & {"latency", "rate"}:
        report.mode = "foreign"  # hey, oha and go-wrk print a TAB there
    report.cell(THROUGHPUT, "total", match[1], PLAIN, line)


def _transfer_rate(report: Report, match: re.Match[str], line: int) -> None:
    report.cell(TRANSFER_RATE, "total", match[1].replace(" ", ""), BYTES, line)


def _finish(report: Report) -> None:
    if report.dialect in (WRK2, WRK2_P99):
        report.tool = "wrk2"
    if report.dialect == HYPERFOIL:
        _typed_duration(report)
    # a list of what somebody thinks worth telling, as "- Requests/sec: 40669.44"
    if report.seen <= {"requests/sec", "transfer/sec"} and all(_ITEM.match(text) for _, text in report.text):
        report.mode = "foreign"


_ITEM = re.compile(r"\s*[-*+] ")


def _lacks(report: Report) -> Lack | None:
    if "transfer/sec" in report.seen:
        return None
    if "requests/sec" in report.seen:
        return Lack("its Transfer/sec line", "note")
    return Lack("its Requests/sec line", "warning" if report.seen & {"header", "threads"} else "note")


def _rule(kind: str, keys: str, rank: int, pattern: str, read: Reader, sign: str = "") -> Rule:
    """A line that may begin a report, for reports are found without their head too."""
    return Rule(kind, tuple(keys.split()), re.compile(pattern), rank, read, sign=sign)


def _within(kind: str, keys: str, rank: int, pattern: str, read: Reader, *, repeat: bool = False) -> Rule:
    """A line that other tools and prose have too: believed within a report only."""
    return Rule(kind, tuple(keys.split()) or ("",), re.compile(pattern), rank, read, repeat=repeat, inside=True)


_VERSION = r"wrk (\S+) \[(?:epoll|kqueue|select|evport)\] Copyright \(C\) 2012 Will Glozer"
_RUNNING = r"Running ((?:[0-9]{1,9}(?:ms|[smh])){1,3}) test @ ?(.*)"
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
_CALIBRATED = r"Thread calibration: mean lat\.: ([0-9.]+) ?(ms|usec), rate sampling interval: ([0-9]{1,18}) ?m(?:s|sec)"
_DISTRIBUTED = r"Latency Distribution(?: \((?:HdrHistogram|HDR) - (.*))?"  # so long that its end is often wrapped
_PERCENTILE = r"([0-9]{2,3}(?:\.[0-9]+)?)% (\S+(?: [nuµμm]?s\b)?)(?: .*)?"
_VALUE = r"-?[0-9][^\s/:%]*"  # no time, no share
_SPECTRUM_ROW = rf"({_VALUE}) ({_VALUE}) ({_VALUE})(?: (?:inf|{_VALUE}))?"
# As wrk prints it; autocannon parts "MB" from its number, go-wrk prints all nanoseconds.
_TOTALS = r"(?:Overall )?([0-9]+) requests in ((?:[0-9]+\.[0-9]{1,3})(?:us|ms|s|m)), ([0-9.]+[KMGTk]?B) read"
_LOOSE_TOTALS = r"(?:Overall )?([0-9][0-9,]*) requests in (\S+), (\S+(?: [KMGTk]?B)?) read"
_ERRORS = r"Socket errors: connect (\S+), read (\S+), write (\S+), timeout (\S+)"
_HYPERFOIL_ERRORS = r"Socket errors: connectionErrors (\S+), requestTimeouts (\S+)"
_NON_2XX = r"Non-2xx or 3xx responses: (\S+)"

RULES = (
    _rule("version", "wrk", 0, _VERSION, _version, "2012 Will Glozer"),
    _rule("stopped", "unable threads Throughput wrk", 0, _STOPPED, _stop, _STOPPED_SIGN),
    _rule("header", "Running", 1, _RUNNING, _header, "Running [0-9]+(?:m?s|[mh])[0-9smh]* test")._replace(late=_LATE),
    _rule("header", "Making", 1, r"Making ([0-9]+) requests to (\S+)", _making, "Making [0-9]+ requests"),
    _rule("threads", "threads", 2, r"([0-9]+) threads and ([0-9]+) connections", _threads, "[0-9] threads and [0-9]"),
    _within("foreign", "connections", 2, r"[0-9]+ connections(?: with .*)?", _foreign),
    _rule("foreign", "goroutine(s)", 2, r"[0-9]+ goroutine\(s\) running concurrently", _foreign, r"\(s\) running"),
    _rule("calibration", "Thread", 3, _CALIBRATED, _calibration)._replace(repeat=True),
    _rule("results", "Test", 4, r"Test Results @ (.+)", _results_of),
    _rule("results", "Overall", 4, r"-+Overall Statistics-+", _overall, "Overall Statistics"),
    _within("sent", "Sent", 5, r"Sent (\S+) requests", _sent),
    _rule("head", "Thread", 6, r"Thread Stats Avg Stdev (Max|99%) \+/- Stdev", _head),
    _rule("latency", "Latency", 7, "Latency" + _ROW, _latency, "Latency (?:nan|[0-9])"),
    _within("latency", "Latency", 7, "Latency" + _LOOSE, _latency),
    _rule("rate", "Req/Sec", 8, "Req/Sec" + _ROW, _rate, "Req/Sec (?:nan|[0-9])"),
    _within("rate", "Req/Sec", 8, "Req/Sec" + _LOOSE, _rate),
    _within("distribution", "Latency", 9, _DISTRIBUTED, _distribution, repeat=True),
    _within("percentile", "%", 9, _PERCENTILE, _percentile, repeat=True),
    _within("spectrum", "Detailed", 9, r"Detailed Percentile [sS]pectrum:?", _nothing, repeat=True),
    _within("spectrum", "Value", 9, r"Value Percentile TotalCount 1/\(1-Percentile\)", _nothing, repeat=True),
    _within("spectrum", "", 9, _SPECTRUM_ROW, _spectrum_row, repeat=True),
    _within("footer", "#[Mean #[Max #[Buckets", 9, r"#\[(\w+) = +(\S+), ([\w ]+) = +(\S+)\]", _footer, repeat=True),
    _within("ruler", "", ANYWHERE, r"-{58}|-{71}", _nothing),
    _rule("totals", "requests Overall", 10, _TOTALS, _totals, r"[0-9] requests in [0-9]+\.[0-9]{1,3}[ums]"),
    _within("totals", "requests Overall", 10, _LOOSE_TOTALS, _totals),
    _rule("errors", "Socket", 11, _ERRORS, _socket_errors),
    _within("non-2xx", "Non-2xx", 16, _NON_2XX, _non_2xx)._replace(dialect=HYPERFOIL),
    _rule("non-2xx", "Non-2xx", 12, _NON_2XX, _non_2xx, "Non-2xx or 3xx responses"),
    # hey and oha print the same words with four decimals: by itself only the exact form is wrk's.
    _rule("requests/sec", "Requests/sec:", 13, r"Requests/sec: ([0-9]+\.[0-9]{2})", _requests_rate),
    _within("requests/sec", "Requests/sec:", 13, r"Requests/sec: (\S+)(?: (?![0-9]).*)?", _requests_rate),
    _rule("transfer/sec", "Transfer/sec:", 14, r"Transfer/sec: ([0-9]+\.[0-9]{2}[KMGT]?B)", _transfer_rate),
    _within(
        "transfer/sec", "Transfer/sec:", 14, r"Transfer/sec: (\S+(?: [KMGTk]?B)?)(?: (?![0-9]).*)?", _transfer_rate
    ),
    _within("errors", "Socket", 15, _HYPERFOIL_ERRORS, _hyperfoil_errors),
)

TOOL = ReportTool(
    name="wrk",
    metrics=METRICS,
    rules=RULES,
    programs=frozenset({"wrk", "wrk2"}),
    flags=Flags(
        options={
            "-t": "threads", "--threads": "threads",
            "-c": "connections", "--connections": "connections",
            "-d": "duration_s", "--duration": "duration_s",
            "-R": "rate", "--rate": "rate",
            "-s": "flag_script", "--script": "flag_script",
            "-H": "flag_header", "--header": "flag_header",
            "-T": "flag_timeout", "--timeout": "flag_timeout",
            "-r": "flag_requests", "--requests": "flag_requests",
        },
        switches=frozenset({"-L", "--latency", "-U", "--u_latency", "-v", "--version", "-k", "-B", "--batch_latency"}),
        positional="url",
    ),
    tables={"spectrum": SPECTRUM},
    evidence=frozenset({"latency", "rate", "totals", "requests/sec", "transfer/sec"}),
    idle=frozenset({"version", "threads", "head", "results", "ruler"}),
    finish=_finish,
    lacks=_lacks,
    goes_on=url_goes_on,
    wholes=(WHOLE,),
)  # fmt: skip
