r"""h2load of nghttp2, 1.7 to 1.69, and the columns that it has got since.

The lines are those of ``main()`` in ``src/h2load.cc`` of nghttp2. ``format_duration`` of ``src/util.cc`` prints times
(whole ``us``, ``ms`` and ``s`` with two decimals), ``utos_funit`` of ``src/util.h`` sizes, in steps of 1024. A real
report::

    finished in 17.42ms, 28699.35 req/s, 3.56MB/s
    requests: 500 total, 500 started, 500 done, 500 succeeded, 0 failed, 0 errored, 0 timeout
    status codes: 500 2xx, 0 3xx, 0 4xx, 0 5xx
    traffic: 63.48KB (65000) total, 41.99KB (43000) headers (space savings 0.00%), 6.35KB (6500) data
                         min         max         mean         sd        +/- sd
    time for request:       15us      3.92ms       278us       550us    94.00%
    time for connect:       91us       490us       241us       127us    70.00%
    time to 1st byte:     4.00ms      4.33ms      4.12ms       102us    80.00%
    req/s           :    3136.78     4880.34     3579.55      528.26    90.00%

Newer versions name the rows ``request``, ``connect`` and ``TTFB``, and have columns for the median and percentiles.

Meaning of the numbers: a latency is counted from when the request goes to the session (``record_request_time``); the
time to connect includes TLS; ``succeeded`` are statuses below 400, ``errored`` requests without a response. With
``-D`` the rate and the traffic are of the main duration, and ``finished in`` includes the warm-up.
"""

from __future__ import annotations

import re

from wrkparse.model.records import Metric
from wrkparse.model.units import BINARY, PERCENT, PLAIN, SECONDS, Quantity, Scale, parse_count
from wrkparse.tools.base import CLOSED, FROM_400, Counting, Flags, ReportTool
from wrkparse.tools.common import (
    BODIES,
    BYTES_READ,
    CONNECT,
    ELAPSED,
    FAILED,
    LATENCY,
    NON_2XX,
    PLANNED_REQUESTS,
    REQUESTS,
    SUCCEEDED,
    THROUGHPUT,
    TIMEOUTS,
    TRANSFER_RATE,
    keep_only,
)
from wrkparse.tools.lines import LineSpec, ReadLine, ignore, inner
from wrkparse.tools.report import Lack, Report

WITH_WARM_UP = Metric("elapsed_with_warm_up", "s", None, "Elapsed time, with connecting and warm-up")
HEADERS = Metric("bytes_headers", "bytes", None, "Bytes received in headers")
FIRST_BYTE = Metric("first_byte", "s", "lower", "Time from the start of the connect to the first byte")
CLIENT_RATE = Metric("client_throughput", "1/s", "higher", "Throughput of one client")

_STATS = {"min": "min", "max": "max", "median": "p50", "p95": "p95", "p99": "p99", "mean": "mean", "sd": "stdev"}
_TIME, _SIZE, _RATE, _SHARE = SECONDS, BINARY, PLAIN, PERCENT
_N = "[0-9]{1,18}"


def _clients(report: Report, match: re.Match[str], line: int) -> None:
    """Add the clients of a thread, with a connection each, to the labels, which are the sums so far."""
    clients, seconds = match.groups()
    before = {label.key: label.value for label in report.labels}
    report.labels = [label for label in report.labels if label.key not in ("connections", "threads")]
    report.add_label("threads", str(int(before.get("threads", "0")) + 1), line)
    report.add_label("connections", str(int(before.get("connections", "0")) + int(clients)), line)
    if seconds and "duration_s" not in before:
        report.add_label("duration_s", seconds, line)


def _finished(report: Report, match: re.Match[str], line: int) -> None:
    timed = any(label.key == "duration_s" for label in report.labels)
    report.add_cell(WITH_WARM_UP if timed else ELAPSED, "total", match[1], _TIME, line)
    report.add_cell(THROUGHPUT, "total", match[2], _RATE, line)
    report.add_cell(TRANSFER_RATE, "total", match[3], _SIZE, line)


def _protocol(report: Report, match: re.Match[str], line: int) -> None:
    report.add_label("protocol", match[1], line)


def _requests(report: Report, match: re.Match[str], line: int) -> None:
    planned, done, succeeded, errored, timeouts = match.groups()
    report.add_count(PLANNED_REQUESTS, planned, line)
    report.add_count(REQUESTS, done, line)
    report.add_count(SUCCEEDED, succeeded, line)
    report.add_count(FAILED, errored, line)
    if timeouts is not None:
        report.add_count(TIMEOUTS, timeouts, line)


def _statuses(report: Report, match: re.Match[str], line: int) -> None:
    client, server = parse_count(match[1]).value, parse_count(match[2]).value
    report.add(NON_2XX, "total", Quantity((client or 0.0) + (server or 0.0), 0.0), line)


def _traffic(report: Report, match: re.Match[str], line: int) -> None:
    for metric, text in zip((BYTES_READ, HEADERS, BODIES), match.groups(), strict=True):
        report.add_count(metric, text, line)


def _head(report: Report, match: re.Match[str], line: int) -> None:
    report.mode = match[1]


def _row(metric: Metric, scale: Scale) -> ReadLine:
    def read(report: Report, match: re.Match[str], line: int) -> None:
        columns = (report.mode or "min max mean sd").split()
        *values, share = match[1].split()
        if len(values) != len(columns):
            report.warn(line, f"{len(columns)} numbers and a share belong here: {match[0]}", "bad-line")
            return
        for column, text in zip(columns, values, strict=True):
            report.add_cell(metric, _STATS[column], text, scale, line)
        report.add_cell(metric._replace(unit="ratio"), "within_stdev", share, _SHARE, line)

    return read


# Of a row ": 15us 3.92ms 278us 550us 94.00%"; newer versions have three numbers more.
_VALUES = r": ((?:\S{1,24} ){4,7}\S{1,12}%)"
LINES = (
    LineSpec("header", ("starting",), re.compile(r"starting benchmark\.\.\."), 0, ignore),
    inner(
        "header", "spawning",
        rf"spawning thread #{_N}: ({_N}) (?:total|concurrent) clients?(?:\(s\))?[.,] (?:{_N} total requests.*"
        r"|Timing-based test with \S+ of warm-up time and ([0-9]{1,9})s of main duration .*)",
        1, _clients, repeat=True,
    ),
    inner("header", "Application", r"Application protocol: (\S+)", 3, _protocol, repeat=True),
    # Lines of the warm-up, of each thread, and of each tenth part of the requests.
    inner("progress", "progress:", r"progress: [0-9]{1,3}% (?:done|of clients started)", 3, repeat=True),
    LineSpec(
        "finished", ("finished",), re.compile(r"finished in (\S+), (\S+) req/s, (\S+)/s"), 4, _finished,
        sign=r"finished in [0-9.]+[mu]?s",
    ),
    inner(
        "requests", "requests:",
        rf"requests: ({_N}) total, {_N} started, ({_N}) done, ({_N}) succeeded, {_N} failed, ({_N}) errored"
        rf"(?:, ({_N}) timeout)?",
        5, _requests,
    ),
    inner("status", "status", rf"status codes: {_N} 2xx, {_N} 3xx, ({_N}) 4xx, ({_N}) 5xx", 6, _statuses),
    inner(
        "traffic", "traffic:",
        rf"traffic: \S+ \(({_N})\) total, \S+ \(({_N})\) headers(?: \(space savings \S+%\))?, \S+ \(({_N})\) data",
        7, _traffic,
    ),
    inner("traffic", "UDP", r"UDP datagram: .*", 8),
    inner("head", "min", r"(min max (?:median p95 p99 )?mean sd) \+/- sd", 9, _head),
    inner("latency", "request", f"request ?{_VALUES}", 10, _row(LATENCY, _TIME)),
    inner("latency", "time", f"time for request ?{_VALUES}", 10, _row(LATENCY, _TIME)),
    inner("connect", "connect", f"connect ?{_VALUES}", 11, _row(CONNECT, _TIME)),
    inner("connect", "time", f"time for connect ?{_VALUES}", 11, _row(CONNECT, _TIME)),
    inner("first byte", "TTFB", f"TTFB ?{_VALUES}", 12, _row(FIRST_BYTE, _TIME)),
    inner("first byte", "time", f"time to 1st byte ?{_VALUES}", 12, _row(FIRST_BYTE, _TIME)),
    inner("req/s", "req/s", f"req/s ?{_VALUES}", 13, _row(CLIENT_RATE, _RATE)),
)  # fmt: skip


def _finish(report: Report) -> None:
    """Leave out the rates and times if there is no response: they are 0."""
    done = report.measurement(REQUESTS)
    if done and not done.value:
        failed = report.measurement(FAILED)
        keep_only(report, ELAPSED, PLANNED_REQUESTS, REQUESTS, SUCCEEDED, FAILED, TIMEOUTS)
        report.warn(
            done.line,
            f"no response, {failed.value if failed else 0:.0f} errors: rates and times are left out",
            "failed-requests",
        )
    slowest = report.measurement(CONNECT, "max")
    if slowest and not slowest.value:
        dropped = {CONNECT.name, FIRST_BYTE.name}  # connected before the measured time, with -D and a warm-up
        report.measurements = [number for number in report.measurements if number.metric not in dropped]


def _lacks(report: Report) -> Lack | None:
    return None if "req/s" in report.seen else Lack("its table", "note")


def _belongs(report: Report, text: str, line: int) -> bool:
    """Whether a line is a phase of a thread."""
    return "finished" not in report.seen and _PHASE.fullmatch(text) is not None


# "Warm-up started for thread #0.", "Main benchmark duration is over for thread #0. Stopping all clients."
_PHASE = re.compile(
    r"(?:Warm-up (?:started|phase is over)|Main benchmark duration is (?:started|over)|Stopped all clients)"
    r" for thread #.{1,80}"
    r"|(?:TLS Protocol|Cipher|Server Temp Key|Negotiated Group|Resumption): .{1,80}"
    r"|No protocol negotiated.{0,200}|.{0,20}DEPRECATED.{0,80}"
)
TOOL = ReportTool(
    name="h2load",
    counting=Counting("from when the request goes to the session", rate_is_quotient=True, error_statuses=FROM_400),
    metrics=(
        REQUESTS, THROUGHPUT, ELAPSED, WITH_WARM_UP, LATENCY, PLANNED_REQUESTS, SUCCEEDED, FAILED, TIMEOUTS, NON_2XX,
        BYTES_READ, HEADERS, BODIES, TRANSFER_RATE, CONNECT, FIRST_BYTE, CLIENT_RATE,
    ),
    lines=LINES,
    programs=frozenset({"h2load"}),
    loop=CLOSED,  # a client keeps -m requests under way; --rps only limits its rate
    flags=Flags(
        options={
            "-n": "flag_requests", "--requests": "flag_requests", "-c": "connections", "--clients": "connections",
            "-t": "threads", "--threads": "threads", "-m": "flag_streams", "--max-concurrent-streams": "flag_streams",
            "-D": "duration_s", "--duration": "duration_s", "-r": "flag_connection_rate",
            "--rate": "flag_connection_rate",
            "--rps": "flag_rps", "-i": "flag_input_file", "-H": "flag_header", "--header": "flag_header",
            "-p": "flag_protocol",
            "-d": "flag_data", "--data": "flag_data", "-w": "flag_window_bits", "-W": "flag_connection_window_bits",
            "-T": "flag_connection_timeout", "-N": "flag_inactivity_timeout", "-B": "flag_base_uri",
            "--warm-up-time": "flag_warm_up_time", "--log-file": "flag_log_file", "--alpn-list": "flag_alpn_list",
        },
        switches=frozenset({"--h1", "-v", "--verbose"}),
        positional="url",
    ),
    evidence=frozenset({"finished"}),
    idle=frozenset({"header", "progress"}),
    finish=_finish,
    lacks=_lacks,
    belongs=_belongs,
)  # fmt: skip
