r"""wrk 1.0 to 4.2, and wrk2 as a dialect of it.

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
"""

from __future__ import annotations

import re

from wrkparse.records import Metric
from wrkparse.tools.base import Flags, Reader, Report, ReportTool, Rule
from wrkparse.tools.common import ELAPSED, NON_2XX, REQUESTS, SPECTRUM, THROUGHPUT, TRANSFER_RATE
from wrkparse.units import BINARY, DECIMAL, MILLISECONDS, NOTHING, PERCENT, PLAIN, SECONDS, Quantity, parse

LATENCY = Metric("latency", "s", "lower", "Latency")
LATENCY_SHARE = LATENCY._replace(unit="ratio")  # of the samples, those within one standard deviation
UNCORRECTED = Metric("latency_uncorrected", "s", "lower", "Latency without the wait for a late start")
HISTOGRAM = Metric("latency_histogram", "s", "lower", "Latency, from the histogram's footer")
HISTOGRAM_COUNT = Metric("latency_histogram_count", "1", None, "Latencies in the histogram")
CALIBRATION = Metric("calibration_latency", "s", None, "Mean latency of a thread's calibration")
SAMPLING = Metric("sampling_interval", "s", None, "Rate sampling interval of a thread")
THREAD_RATE = Metric("thread_throughput", "1/s", "higher", "Throughput of one thread")
THREAD_SHARE = THREAD_RATE._replace(unit="ratio")
PLANNED = Metric("planned_duration", "s", None, "Planned duration")
BYTES_READ = Metric("bytes_read", "bytes", None, "Bytes read")
ERRORS = {
    kind: Metric(f"errors_{kind}", "1", "lower", title)
    for kind, title in {
        "connect": "Connections that failed",
        "read": "Reads that failed",
        "write": "Writes that failed",
        "timeout": "Requests that took longer than the time-out",
    }.items()
}

METRICS = (
    LATENCY, UNCORRECTED, HISTOGRAM, HISTOGRAM_COUNT, CALIBRATION, SAMPLING, THREAD_RATE, PLANNED, REQUESTS, ELAPSED,
    BYTES_READ, *ERRORS.values(), NON_2XX, THROUGHPUT, TRANSFER_RATE,
)  # fmt: skip

# One printed cell. Columns may touch: "Latency   999.99ms 1000.00ms1000.00ms   93.69%" (units.c print_units pads
# within a fixed width), so a cell ends where its unit does.
_CELL = re.compile(r"[+-]?nan(?:us|s)?%?|-?[0-9][0-9.,]*(?:us|µs|μs|ms|[smhkMGT%])?", re.IGNORECASE)
_ROW = r" ((?:(?:[+-]?nan|-?[0-9])\S* ?){3,4})"
_AVG_CUT = "1000.00m"


def _cells(text: str) -> list[str]:
    words = text.split()
    return words if len(words) == 4 else _CELL.findall(text)


def _version(report: Report, match: re.Match[str], line: int) -> None:
    report.version = match[1]


def _header(report: Report, match: re.Match[str], line: int) -> None:
    # -d is printed as "%.0Lf" of seconds, or of minutes from 51 s on: "2m" is anything from 90 to 150 s.
    number, unit, url = match.groups()
    if unit == "s":
        report.add(PLANNED, "total", Quantity(float(number), 0.0), line)
        report.label("duration_s", number, line)
    else:
        report.add(PLANNED, "total", Quantity(60.0 * float(number), 30.0), line)
    _url(report, url, line)


def _making(report: Report, match: re.Match[str], line: int) -> None:
    report.dialect = "wrk 1"
    _url(report, match[2], line)


# Pages turn a URL into a link: "[http://h/](http://h/)", "<http://h/>".
_LINK = re.compile(r"\[?<?([^\]<>()\s]+)>?\]?(?:\([^)]*\))?")


def _url(report: Report, text: str, line: int) -> None:
    match = _LINK.match(text)
    if match:
        report.label("url", match[1], line)


def _threads(report: Report, match: re.Match[str], line: int) -> None:
    report.label("threads", match[1], line)
    report.label("connections", match[2], line)


def _connections_only(report: Report, match: re.Match[str], line: int) -> None:
    report.mode = "foreign"


def _calibration(report: Report, match: re.Match[str], line: int) -> None:
    report.dialect = "wrk2"
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


def _head(report: Report, match: re.Match[str], line: int) -> None:
    if match[1] == "99%":
        report.dialect = "wrk2 (99% column)"


def _latency(report: Report, match: re.Match[str], line: int) -> None:
    cells = _cells(match[1])
    if len(cells) != 4:
        return report.bad(line, f"Latency row with {len(cells)} readable columns instead of 4", "bad-line")
    if cells[0] == _AVG_CUT:  # the 8 wide column cuts "1000.00ms"
        cells[0] = "1000.00ms"
    if cells[0].lower().endswith("nanus"):
        report.dialect = report.dialect or "wrk2"
    third = "p99" if report.dialect == "wrk2 (99% column)" else "max"
    for stat, cell in zip(("mean", "stdev", third), cells, strict=False):
        report.cell(LATENCY, stat, cell, SECONDS, line)
    report.cell(LATENCY_SHARE, "within_stdev", cells[3], PERCENT, line)
    return None


def _rate(report: Report, match: re.Match[str], line: int) -> None:
    cells = _cells(match[1])
    if len(cells) != 4:
        return report.bad(line, f"Req/Sec row with {len(cells)} readable columns instead of 4", "bad-line")
    if "nan" in cells[0]:
        report.dialect = report.dialect or "wrk2"
    for stat, cell in zip(("mean", "stdev", "max"), cells, strict=False):
        report.cell(THREAD_RATE, stat, cell, DECIMAL, line)
    report.cell(THREAD_SHARE, "within_stdev", cells[3], PERCENT, line)
    return None


def _distribution(report: Report, match: re.Match[str], line: int) -> None:
    kind = match[1]
    report.mode = "corrected" if kind else "plain"
    if kind:
        report.dialect = report.dialect or "wrk2"
        if kind.startswith(("Uncorrected", "As Sampled", "Measured")):
            report.mode = "uncorrected"


def _percentile(report: Report, match: re.Match[str], line: int) -> None:
    metric = UNCORRECTED if report.mode == "uncorrected" else LATENCY
    report.cell(metric, percentile_name(match[1]), match[2], SECONDS, line)


def percentile_name(text: str) -> str:
    """``50`` → ``p50``, ``99.900`` → ``p99.9``, ``100.000`` → ``p100``."""
    return "p" + (text.rstrip("0").rstrip(".") if "." in text else text)


def _nothing(report: Report, match: re.Match[str], line: int) -> None:
    """A line that carries no number, but is the report's."""


def _spectrum_row(report: Report, match: re.Match[str], line: int) -> None:
    value, percentile, total, _ = match.groups()
    milliseconds = parse(value, MILLISECONDS).value
    report.row("spectrum", float(percentile), milliseconds, int(total), report.mode != "uncorrected", line)


def _footer(report: Report, match: re.Match[str], line: int) -> None:
    if report.mode == "uncorrected":
        return
    stats = {"Mean": "mean", "StdDeviation": "stdev", "Max": "max"}
    for name, number in ((match[1], match[2]), (match[3], match[4])):
        if name in stats:
            report.cell(HISTOGRAM, stats[name], number, MILLISECONDS, line)
        elif name == "Total count":
            report.counted(HISTOGRAM_COUNT, number, line)


def _totals(report: Report, match: re.Match[str], line: int) -> None:
    report.counted(REQUESTS, match[1], line)
    report.cell(ELAPSED, "total", match[2], SECONDS, line)
    report.cell(BYTES_READ, "total", match[3].replace(" ", ""), BINARY, line)


def _socket_errors(report: Report, match: re.Match[str], line: int) -> None:
    for metric, number in zip(ERRORS.values(), match.groups(), strict=True):
        report.counted(metric, number, line)


def _non_2xx(report: Report, match: re.Match[str], line: int) -> None:
    report.counted(NON_2XX, match[1], line)


def _requests_rate(report: Report, match: re.Match[str], line: int) -> None:
    report.cell(THROUGHPUT, "total", match[1], PLAIN, line)


def _transfer_rate(report: Report, match: re.Match[str], line: int) -> None:
    report.cell(TRANSFER_RATE, "total", match[1].replace(" ", ""), BINARY, line)


def _finish(report: Report) -> None:
    if report.dialect and report.dialect.startswith("wrk2"):
        report.tool = "wrk2"


def _rule(kind: str, key: str, rank: int, pattern: str, read: Reader) -> Rule:
    """A line that may begin a report, for reports are found without their head too."""
    return Rule(kind, (key,), re.compile(pattern), rank, read)


def _within(kind: str, keys: str, rank: int, pattern: str, read: Reader, *, repeat: bool = False) -> Rule:
    """A line that other tools and prose have too: believed within a report only."""
    return Rule(kind, tuple(keys.split()) or ("",), re.compile(pattern), rank, read, repeat=repeat, inside=True)


_VERSION = r"wrk (\S+) \[(?:epoll|kqueue|select|evport)\] Copyright \(C\) 2012 Will Glozer"
_CALIBRATED = r"Thread calibration: mean lat\.: ([0-9.]+) ?(ms|usec), rate sampling interval: ([0-9]{1,18}) ?m(?:s|sec)"
_DISTRIBUTED = r"Latency Distribution(?: \((?:HdrHistogram|HDR) - (.*)\))?"
_SPECTRUM_ROW = r"([0-9]{1,18}\.[0-9]{1,9}) ([01]\.[0-9]+) ([0-9]{1,18}) (inf|[0-9.]+)"
_TOTALS = r"(?:Overall )?([0-9][0-9,]*) requests in (\S+), (\S+(?: [KMGT]?B)?) read"
_ERRORS = r"Socket errors: connect (\S+), read (\S+), write (\S+), timeout (\S+)"

RULES = (
    _rule("version", "wrk", 0, _VERSION, _version),
    _rule("header", "Running", 1, r"Running ([0-9]+)([smh]) test @ ?(.*)", _header),
    _rule("header", "Making", 1, r"Making ([0-9]+) requests to (\S+)", _making),
    _rule("threads", "threads", 2, r"([0-9]+) threads and ([0-9]+) connections", _threads),
    _within("foreign", "connections", 2, r"[0-9]+ connections(?: with .*)?", _connections_only),
    _rule("calibration", "Thread", 3, _CALIBRATED, _calibration)._replace(repeat=True),
    _rule("head", "Thread", 4, r"Thread Stats Avg Stdev (Max|99%) \+/- Stdev", _head),
    _rule("latency", "Latency", 5, "Latency" + _ROW, _latency),
    _rule("rate", "Req/Sec", 6, "Req/Sec" + _ROW, _rate),
    _within("distribution", "Latency", 7, _DISTRIBUTED, _distribution, repeat=True),
    _within("percentile", "%", 7, r"([0-9]{2,3}(?:\.[0-9]+)?)% (\S+)(?: .*)?", _percentile, repeat=True),
    _within("spectrum", "Detailed", 7, r"Detailed Percentile spectrum:", _nothing, repeat=True),
    _within("spectrum", "Value", 7, r"Value Percentile TotalCount 1/\(1-Percentile\)", _nothing, repeat=True),
    _within("spectrum", "", 7, _SPECTRUM_ROW, _spectrum_row, repeat=True),
    _within("footer", "#[Mean #[Max #[Buckets", 7, r"#\[(\w+) = +(\S+), ([\w ]+) = +(\S+)\]", _footer, repeat=True),
    _within("ruler", "", 7, r"-{58}|-{71}", _nothing, repeat=True),
    _rule("totals", "requests", 8, _TOTALS, _totals),
    _rule("errors", "Socket", 9, _ERRORS, _socket_errors),
    _rule("non-2xx", "Non-2xx", 10, r"Non-2xx or 3xx responses: (\S+)", _non_2xx),
    # hey and oha print the same words with four decimals: by itself only the exact form is wrk's.
    _rule("requests/sec", "Requests/sec:", 11, r"Requests/sec: ([0-9]+\.[0-9]{2})", _requests_rate),
    _within("requests/sec", "Requests/sec:", 11, r"Requests/sec: (\S+)(?: .*)?", _requests_rate),
    _rule("transfer/sec", "Transfer/sec:", 12, r"Transfer/sec: ([0-9]+\.[0-9]{2}[KMGT]?B)", _transfer_rate),
    _within("transfer/sec", "Transfer/sec:", 12, r"Transfer/sec: (\S+(?: [KMGT]?B)?)(?: .*)?", _transfer_rate),
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
    finish=_finish,
)  # fmt: skip
