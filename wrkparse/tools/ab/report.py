r"""ApacheBench, ``ab`` of httpd 2.0 to 2.4 and trunk: the report, as text or as the HTML of ``-w``.

The lines are those of ``output_results()`` in httpd's ``support/ab.c``. Times of the tables are whole milliseconds,
rounded since 2.2.9 and cut off before; Kbytes and kb are 1024 bytes. ``Failed requests`` counts failures, of which one
request may have several. A 4xx or 5xx answer is none of them, and ``Non-2xx responses`` counts 3xx too. A real report::

    Document Path:          /perf
    Document Length:        80 bytes

    Concurrency Level:      10000
    Time taken for tests:   1.344 seconds
    Complete requests:      20000
    Failed requests:        0
    Requests per second:    14876.96 [#/sec] (mean)
    Time per request:       672.180 [ms] (mean)

    Connection Times (ms)
                  min  mean[+/-sd] median   max
    Connect:       96  171  42.5    169     260
    Total:        266  347  20.5    351     450

What ``-v`` dumps of requests, responses and TLS is told from the report and not read. The files of ``-g`` and ``-e``
have modules of their own, and so has what old versions print in another unit than they say.
"""

from __future__ import annotations

import math
import re
from functools import partial

from wrkparse.model.records import Metric
from wrkparse.model.units import KIBIBYTES, MILLISECONDS, PLAIN, Scale
from wrkparse.tools.ab.metrics import (
    ACHIEVED,
    CAUSES,
    DOCUMENT,
    FAILED,
    HTML,
    KEEP_ALIVE,
    KEEP_ALIVE_ABORTS,
    METRICS,
    PER_REQUEST,
    PER_REQUEST_ACROSS,
    PHASES,
    PLANNED,
    RAMP_UP,
    RATE_SENT,
    RATE_TOTAL,
    SENT,
    TRANSFERRED,
    WRITE_ERRORS,
)  # fmt: skip
from wrkparse.tools.ab.repairs import mend
from wrkparse.tools.ab.whole import WHOLE
from wrkparse.tools.base import Flags, Lack, Reader, Report, ReportTool, Rule
from wrkparse.tools.common import ELAPSED, NON_2XX, REQUESTS, THROUGHPUT, TRANSFER_RATE


def _nothing(report: Report, match: re.Match[str], line: int) -> None:
    """A line that carries no number, but is the report's."""


def _counted(metric: Metric) -> Reader:
    return lambda report, match, line: report.counted(metric, match[1], line)


def _cell(metric: Metric, *, scale: Scale, stat: str = "total") -> Reader:
    return lambda report, match, line: report.cell(metric, stat, match[1], scale, line)


def _label(key: str, report: Report, match: re.Match[str], line: int) -> None:
    if match[1]:
        report.label(key, match[1], line)


def _version(report: Report, match: re.Match[str], line: int) -> None:
    report.version = match[1]


def _stop(report: Report, match: re.Match[str], line: int) -> None:
    report.stopped = report.stopped or match[1]


# ab -v shows what it sends and gets: headings, rules and numbers of others.
def _dump(report: Report, match: re.Match[str], line: int) -> None:
    report.verbatim = frozenset({"dump", "progress", "abort"})


def _dumped(report: Report, match: re.Match[str], line: int) -> None:
    report.verbatim = frozenset()


def _software(report: Report, match: re.Match[str], line: int) -> None:
    report.verbatim = frozenset()
    _label("server_software", report, match, line)


# The parts of the URL stand on three lines; report.mode holds what is known of it so far.
def _host(report: Report, match: re.Match[str], line: int) -> None:
    report.mode = f"http://[{match[1]}]" if ":" in match[1] else f"http://{match[1]}"


def _port(report: Report, match: re.Match[str], line: int) -> None:
    if report.mode:
        report.mode += f":{match[1]}"


def _tls(report: Report, match: re.Match[str], line: int) -> None:
    report.label("tls", match[1], line)
    report.mode = report.mode.replace("http:", "https:", 1)


def _path(report: Report, match: re.Match[str], line: int) -> None:
    if report.mode:
        default = ":443" if report.mode.startswith("https:") else ":80"
        report.label("url", report.mode.removesuffix(default) + match[1], line)


def _workers(report: Report, match: re.Match[str], line: int) -> None:
    report.dialect = "trunk"
    report.label("threads", match[1], line)


def _elapsed(report: Report, match: re.Match[str], line: int) -> None:
    """Seconds; ``1.20701 seconds`` of httpd 2.0.21 to 2.2.8 is 1 s and 20701 µs, unpadded; of 3 digits see `mend`."""
    seconds, dot, fraction = match[1].partition(".")
    if dot and len(fraction) != 3:
        fraction = fraction.rjust(6, "0")
    report.cell(ELAPSED, "total", f"{seconds}{dot}{fraction}", PLAIN, line)


def _causes(report: Report, match: re.Match[str], line: int) -> None:
    for metric, number in zip(CAUSES.values(), match.groups(), strict=True):
        if number is not None:
            report.counted(metric, number, line)


_MAX_GLUED = 20  # two numbers of 10 digits: 115 days in milliseconds
_STATS = {5: ("min", "mean", "stdev", "median", "max"), 3: ("min", "mean", "max")}


def _phase(report: Report, match: re.Match[str], line: int) -> None:
    cells = match[2].split()
    if len(cells) == 2:
        cells = [cells[0], *_parted(*cells)]
    stats = _STATS.get(len(cells))
    if stats is None:
        return report.bad(line, f"{match[1]} row with {len(cells)} readable columns instead of 5 or 3", "bad-line")
    for stat, cell in zip(stats, cells, strict=True):
        report.cell(PHASES[match[1].lower()], stat, cell, MILLISECONDS, line)
    return None


def _parted(least: str, text: str) -> list[str]:
    """The mean and the maximum that ``-S`` printed as one word (``%5d%5d``), if only one cut can be right.

    They touch when the maximum has 5 digits or more; neither begins with a 0, and minimum ≤ mean ≤ maximum.
    """
    if len(text) > _MAX_GLUED or not (least + text).isdecimal():
        return []
    cuts = [(text[:at], text[at:]) for at in range(1, len(text) - 4)]
    possible = [
        [mean, most]
        for mean, most in cuts
        if most[0] != "0" and (mean == "0" or mean[0] != "0") and _rising(least, mean, most)
    ]
    return possible[0] if len(possible) == 1 else []


def _rising(*numbers: str) -> bool:
    # Without leading zeros, the longer number is the larger one.
    keys = [(len(number), number) for number in numbers]
    return keys == sorted(keys)


def _percentile(report: Report, match: re.Match[str], line: int) -> None:
    report.cell(PHASES["total"], f"p{match[1]}", match[2], MILLISECONDS, line)


def _is_html(report: Report) -> bool:
    return any(text.lstrip().startswith("<tr") for _, text in report.text)


def _finish(report: Report) -> None:
    html = _is_html(report)
    report.dialect = report.dialect or ("-w" if html else None)
    mend(report, html=html)


def _lacks(report: Report) -> Lack | None:
    """What `output_results` prints at its end: times if a request was made, percentiles if two were."""
    total, done = PHASES["total"], report.stated(REQUESTS)
    requests = done.value if done and done.value is not None else math.inf
    if report.stated(total, "p100"):
        return None if "(longest" in report.raw else Lack("the end of its last line", "note")
    if report.stated(total, "max"):
        return None if requests < 2 or _is_html(report) else Lack("percentiles, which ab -d leaves out", "note")
    if requests == 0 and report.stated(HTML):
        return None
    if report.stated(THROUGHPUT):
        return Lack("the whole table of Connection Times", "note")
    headed = report.seen & {"banner", "start", "progress", "server", "document"}
    return Lack("its Requests per second line", "warning" if headed else "note")


_STOPPED = (
    r"(apr_\w+(?:\(\))?(?::| for ).+|socket: .+|SSL (?:handshake|read|write) failed.*|Server timed out.*"
    r"|Send request (?:timed out|failed)!|Test aborted after [0-9]+ failures|Total of [0-9]+ requests completed)"
)
_REFUSED = (
    r"ab: (invalid URL|wrong number of arguments|Cannot use concurrency level greater than total number of requests"
    r"|Invalid Concurrency .*)"
)
_DUMP = r"(?:INFO: \S+ header == ?|LOG: (?:header received:|Response code = .*)|WARNING: Response code not 2xx .*)"
_TLS_DUMP = r"SSL/TLS (?:Handshake|State|Alert) \[.*|(?:Transport Protocol|Cipher Suite \S+(?: \S+)?) ?:.*|SSL-Session:"
_STOP_WORDS = (
    "apr_socket_recv:", "apr_socket_connect():", "apr_pollset_poll:", "apr_poll:", "apr_sockaddr_info_get()", "socket:",
    "SSL", "timed", "request", "aborted", "Total",
)  # fmt: skip
_BENCHMARKING = r"Benchmarking \S+ (?:\[through \S+\] )?\(be patient\)"
_COPYRIGHT = r"(?:Copyright (?:1996 Adam Twiss|2[0-9]+ The Apache)|Licensed to The Apache)\b.*"
_PROGRESS = r"(?:Completed|Finished) [0-9]+ requests(?: \(interrupted\))?"
_PLANNED = r"Number of requests: (\S+)(?: \(window\))?"
_CAUSES = r"\(Connect: (\S+),(?: Receive: (\S+),)? Length: (\S+), Exceptions: (\S+)\)"
_ACROSS = r"Time per request: (\S+) \[ms\] \(mean, across all concurrent requests\)"
_PHASE = r"(Connect|Processing|Waiting|Total): ([-0-9. ]+)"
_ADVICE = (
    r"(?:WARNING|WARING|ERROR): The median and mean for the .+"
    r"|(?:deviation apart\. )?These results are (?:NOT|pro[bp]ably not that) reliable\."
)
_PHASES = r"Connn?ection Times \(ms\)"
_SHARES = r"Percentage of the requests served within a certain time \(ms\)"

_c = re.compile
_ms = partial(_cell, scale=MILLISECONDS)
_kib = partial(_cell, scale=KIBIBYTES)
_rate = _cell(THROUGHPUT, scale=PLAIN)
_begin = Rule  # a line that is ab's wherever it stands
_inner = partial(Rule, inside=True)
_inner_many = partial(Rule, inside=True, repeat=True)
RULES = (
    _begin("banner", ("This",), _c(r"This is ApacheBench, Version (\S+) .*"), 0, _version),
    _inner_many("banner", ("Copyright", "Licensed"), _c(_COPYRIGHT), 1, _nothing),
    _begin("abort", ("ab:",), _c(_REFUSED), 0, _stop, sign="ab: (?:invalid|Invalid|wrong|Cannot)"),
    _begin("abort", ("Benchmarking",), _c(_BENCHMARKING + r"\.\.\." + _STOPPED), 2, _stop, sign="be patient"),
    _begin("start", ("Benchmarking",), _c(_BENCHMARKING + r"\.\.\.(?:INFO:|SSL/TLS) .+"), 2, _dump, sign="be patient"),
    _begin("start", ("Benchmarking",), _c(_BENCHMARKING + r"(?:\.\.\..*)?"), 2, _nothing, sign="be patient"),
    _inner_many("dump", ("INFO:", "LOG:", "WARNING:"), _c(_DUMP), 3, _dump),
    _inner_many("dump", ("SSL/TLS", "Transport", "Cipher", "SSL-Session:"), _c(_TLS_DUMP), 3, _dump),
    _inner_many("progress", ("Completed", "Finished"), _c(_PROGRESS), 3, _nothing),
    _inner_many("progress", ("done",), _c(r"\.\.done"), 3, _dumped),
    _inner_many("abort", _STOP_WORDS, _c(_STOPPED), 3, _stop),
    _begin("server", ("Server",), _c(r"Server Software:(?: (.*))?"), 4, _software),
    _begin("server", ("Server",), _c(r"Server Hostname: (\S+)"), 5, _host),
    _inner("server", ("Server",), _c(r"Server Port: ([0-9]+)"), 6, _port),
    _inner("tls", ("SSL/TLS",), _c(r"SSL/TLS Protocol: (.+)"), 7, _tls),
    _inner("tls", ("Server",), _c(r"Server Temp Key: (.+)"), 8, partial(_label, "tls_temp_key")),
    _inner("tls", ("TLS",), _c(r"TLS Server Name: (\S+)"), 9, partial(_label, "tls_server_name")),
    _begin("document", ("Document",), _c(r"Document Path: (.+)"), 10, _path),
    _inner("document", ("Document",), _c(r"Document Length: Variable"), 11, _nothing),
    _begin("document", ("Document",), _c(r"Document Length: (\S+) bytes"), 11, _counted(DOCUMENT)),
    _inner("workers", ("Number",), _c(r"Number of workers: ([0-9]+)"), 12, _workers),
    _begin("connections", ("Concurrency",), _c(r"Concurrency Level: ([0-9]+)"), 13, partial(_label, "connections")),
    _inner("achieved", ("Concurrency",), _c(r"Concurrency achieved: (\S+)"), 14, _counted(ACHIEVED)),
    _inner("ramp-up", ("Rampup",), _c(r"Rampup delay: (\S+) \[ms\]"), 15, _ms(RAMP_UP)),
    _begin("elapsed", ("Time",), _c(r"Time taken for tests: (\S+) seconds"), 16, _elapsed),
    _inner("planned", ("Number",), _c(_PLANNED), 17, _counted(PLANNED)),
    _begin("complete", ("Complete",), _c(r"Complete requests: (\S+)"), 18, _counted(REQUESTS)),
    _begin("failed", ("Failed",), _c(r"Failed requests: ([0-9]\S*)"), 19, _counted(FAILED)),
    _inner("causes", ("(Connect:",), _c(_CAUSES), 20, _causes),
    _inner("write errors", ("Write",), _c(r"Write errors: (\S+)"), 21, _counted(WRITE_ERRORS)),
    _begin("non-2xx", ("Non-2xx",), _c(r"Non-2xx responses: (\S+)"), 22, _counted(NON_2XX), sign="Non-2xx responses"),
    _inner("keep-alive", ("Keep-Alive",), _c(r"Keep-Alive requests: (\S+)"), 23, _counted(KEEP_ALIVE)),
    _inner("keep-alive", ("Keep-Alive",), _c(r"Keep-Alive aborts: (\S+)"), 24, _counted(KEEP_ALIVE_ABORTS)),
    _inner("bytes", ("Total",), _c(r"Total transferred: (\S+) bytes"), 25, _counted(TRANSFERRED)),
    _inner("bytes", ("Total",), _c(r"Total (?:POSTed|PUT|body sent): (\S+)"), 26, _counted(SENT)),
    _inner("bytes", ("HTML",), _c(r"HTML transferred: (\S+) bytes"), 27, _counted(HTML)),
    _begin("throughput", ("Requests",), _c(r"Requests per second: (\S+) \[#/sec\] \(mean\)"), 28, _rate),
    _inner("throughput", ("Requests",), _c(r"Requests per second: ([0-9]\S*)(?: (?![0-9]).*)?"), 28, _rate),
    _begin("per request", ("Time",), _c(r"Time per request: (\S+) \[ms\] \(mean\)"), 29, _ms(PER_REQUEST, stat="mean")),
    _begin("per request", ("Time",), _c(_ACROSS), 30, _ms(PER_REQUEST_ACROSS, stat="mean")),
    _begin("transfer", ("Transfer",), _c(r"Transfer rate: (\S+) \[Kbytes/sec\] received"), 31, _kib(TRANSFER_RATE)),
    _inner("transfer", ("Transfer",), _c(r"Transfer rate: (\S+) kb/s received"), 31, _kib(TRANSFER_RATE)),
    _inner("transfer", ("kb/s",), _c(r"(\S+) kb/s sent"), 32, _kib(RATE_SENT)),
    _inner("transfer", ("kb/s",), _c(r"(\S+) kb/s total"), 33, _kib(RATE_TOTAL)),
    _begin("phases head", ("Connection", "Connnection"), _c(_PHASES), 34, _nothing, sign="ection Times"),
    _inner("phases head", ("min",), _c(r"min (?:mean\[\+/-sd\] median|avg) max"), 35, _nothing),
    _inner_many("phases", ("Connect:", "Processing:", "Waiting:", "Total:"), _c(_PHASE), 36, _phase),
    _inner_many("advice", ("WARNING:", "WARING:", "ERROR:", "These", "deviation"), _c(_ADVICE), 37, _nothing),
    _begin("percentiles head", ("Percentage",), _c(_SHARES), 38, _nothing),
    _inner_many("percentiles", ("%",), _c(r"([0-9]{1,3})% (\S+)(?: \(longest request\))?"), 39, _percentile),
)  # fmt: skip

TOOL = ReportTool(
    name="ab",
    metrics=METRICS,
    rules=RULES,
    programs=frozenset({"ab", "ab.exe", "abs"}),
    flags=Flags(
        options={
            "-n": "flag_requests", "-c": "connections", "-t": "duration_s", "-s": "flag_timeout", "-W": "threads",
            "-b": "flag_window", "-B": "flag_bind", "-p": "flag_post", "-u": "flag_put", "-T": "flag_content_type",
            "-v": "flag_verbosity", "-x": "flag_x", "-y": "flag_y", "-z": "flag_z", "-C": "flag_cookie",
            "-H": "flag_header", "-A": "flag_auth", "-P": "flag_proxy_auth", "-X": "flag_proxy", "-g": "flag_gnuplot",
            "-e": "flag_csv", "-m": "flag_method", "-Z": "flag_ciphers", "-f": "flag_protocol", "-E": "flag_cert",
        },
        switches=frozenset("-w -i -V -k -d -S -q -Q -l -r -h -I".split()),
        positional="url",
    ),
    evidence=frozenset({"complete", "throughput", "per request", "phases", "percentiles"}),
    idle=frozenset({"banner"}),
    finish=_finish,
    lacks=_lacks,
    wholes=(WHOLE,),
)  # fmt: skip
