r"""The report that ``fortio load`` prints on standard error: ``RunHTTPTest`` of ``fhttp/httprunner.go`` of fortio.

The first lines and the last are printed by ``fortioLoad`` of ``cli/fortio_main.go``, those in between by ``Run`` of
``periodic/periodic.go``; ``Counter.Print`` and ``HistogramData.Print`` of ``stats/stats.go`` print the numbers. Lines
of fortio's logger appear among them. A real report, shortened::

    Fortio 1.68.2 running at 8 queries per second, 2->2 procs, for 2s: http://127.0.0.1:18080/
    Starting at 8 qps with 4 thread(s) [gomax 2] for 2s : 4 calls each (total 16)
    Ended after 2.000753566s : 16 calls. qps=7.997
    Sleep times : count 12 avg 0.66588626 +/- 0.0005124 min 0.665219002 max 0.666489335 sum 7.99063512
    Aggregated Function Time : count 16 avg 0.00033087669 +/- 0.0001502 min 6.8472e-05 max 0.000542155 sum 0.005294027
    # range, mid point, percentile, count
    >= 6.8472e-05 <= 0.000542155 , 0.000305313 , 100.00, 16
    # target 50% 0.000289524
    Error cases : no data
    Sockets used: 4 (for perfect keepalive, would be 4)
    Code 200 : 16 (100.0 %)
    All done 16 calls (plus 4 warmup) 0.331 ms avg, 8.0 qps

``# target`` lines are percentiles of the histogram above them, interpolated within its steps: they are printed with
more digits than are known. With ``-loglevel error`` the lines ``Starting`` and ``Ended`` are missing; then the rate is
that of the last line. A status of ``-1`` is a request without a response.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from wrkparse.model.records import Metric
from wrkparse.model.units import PERCENT, PLAIN
from wrkparse.tools.common import (
    BODIES,
    BYTES_READ,
    CONNECT,
    ELAPSED,
    FAILED,
    LATENCY,
    PLANNED_REQUESTS,
    REQUESTS,
    THROUGHPUT,
    add_sums,
    keep_only,
    responses,
)
from wrkparse.tools.durations import parse_duration
from wrkparse.tools.fortio.metrics import BEHIND, ERROR_LATENCY, SOCKETS
from wrkparse.tools.lines import ANYWHERE, LineSpec, ReadLine, ignore
from wrkparse.tools.report import Lack, Report
from wrkparse.tools.significant import NUMBER, nanoseconds, significant

_COUNT = "[0-9]{1,18}"
_TEXT = r"\S{1,2000}"
_STATISTICS = rf"count ({_COUNT}) avg (\S+) \+/- (\S+) min (\S+) max (\S+) sum (\S+)"
MEAN, STDEV, SUM, PERCENTILE, RATE = map(significant, (8, 4, 9, 6, 5))
"""A number that is printed with ``%.8g`` or a similar format."""

LIMIT = nanoseconds()
"""The number of a ``%g`` that is a time in whole nanoseconds."""

_CODE = re.compile(rf"Code +(-?[0-9]{{1,3}}) : ({_COUNT}) \(")  # "Code 200 : 300 (100.0 %)"
_ADDRESS = re.compile(rf"\S{{1,100}}: {_COUNT}")  # "127.0.0.1:8080: 4"
_ERRORS = re.compile(rf"Error cases : count ({_COUNT}) ")  # "Error cases : count 20 avg 0.00019113095 …"
# Lines of fortio's logger, as JSON or in the form for terminals: 21:07:45.045 r1 [INF] periodic.go:581> Run ended.
_LOGGED = re.compile(r'\s*(?:\{"ts":|[0-9:.]{8,16} (?:r[0-9]+ )?\[[A-Z]{3}\])')


def _sections(metric: Metric | None, mode: str) -> ReadLine:
    """A function that reads ``count … avg … +/- … min … max …``, and notes the metric of the next percentiles."""

    def read(report: Report, match: re.Match[str], line: int) -> None:
        report.mode = mode
        count, mean, stdev, least, most, _ = match.groups()
        if metric is LATENCY:
            report.add_count(REQUESTS, count, line)
        if metric is None or count == "0":
            return
        report.add_printed(metric, "mean", MEAN.parse, mean, line)
        report.add_printed(metric, "stdev", STDEV.parse, stdev, line)
        report.add_printed(metric, "min", LIMIT.parse, least, line)
        report.add_printed(metric, "max", LIMIT.parse, most, line)

    return read


_PERCENTILES_OF = {"requests": LATENCY, "errors": ERROR_LATENCY, "connections": CONNECT}


def _percentile(report: Report, match: re.Match[str], line: int) -> None:
    metric = _PERCENTILES_OF.get(report.mode)
    if metric is not None:
        report.add_printed(metric, f"p{match[1]}", PERCENTILE.parse, match[2], line)


def _start(report: Report, match: re.Match[str], line: int) -> None:
    report.version, rate, requests, duration, url = match.groups()
    of_start(report, rate, duration, requests, url, line)


def of_start(report: Report, rate: str, duration: str | None, requests: str | None, url: str, line: int) -> None:
    """Add the settings of the first line; 0 queries per second means no limit."""
    if rate != "0":
        report.add_label("rate", rate, line)
    planned(report, duration, requests, line)
    report.add_label("url", url, line)


def planned(report: Report, duration: str | None, requests: str | None, line: int) -> None:
    """Add the requested duration or number of requests, each as printed; None for a missing one."""
    if requests is not None:
        report.add_count(PLANNED_REQUESTS, requests, line)
    if duration is not None:
        try:
            seconds = parse_duration(duration).value
        except ValueError as problem:
            report.warn(line, f"duration: {problem}")
        else:
            report.add_label("duration_s", f"{seconds:.15g}", line)


def _threads(report: Report, match: re.Match[str], line: int) -> None:
    report.add_label("connections", match[1], line)


def _ended(report: Report, match: re.Match[str], line: int) -> None:
    report.add_printed(ELAPSED, "total", parse_duration, match[1], line)
    report.add_printed(THROUGHPUT, "total", RATE.parse, match[2], line)


def _read_end(report: Report, match: re.Match[str], line: int) -> None:
    if report.measurement(THROUGHPUT) is None:
        report.add_cell(THROUGHPUT, "total", match[1], PLAIN, line)


def _read_behind(report: Report, match: re.Match[str], line: int) -> None:
    report.add_cell(BEHIND, "total", match[1], PERCENT, line)


def _sockets(report: Report, match: re.Match[str], line: int) -> None:
    report.add_count(SOCKETS, match[1], line)


def _aborted(report: Report, match: re.Match[str], line: int) -> None:
    report.stopped = match[0]


def _headers(report: Report, match: re.Match[str], line: int) -> None:
    report.mode = "bodies" if match[6] == "0" else "sizes"


def _sizes(report: Report, match: re.Match[str], line: int) -> None:
    """Add the sum of the sizes: with headers, except for the net/http client (``-stdclient``)."""
    report.add_printed(BODIES if report.mode == "bodies" else BYTES_READ, "total", SUM.parse, match[6], line)


def _line(
    kind: str,
    keys: str,
    pattern: str,
    rank: int,
    read: ReadLine = ignore,
    *,
    repeat: bool = False,
    first: bool = False,
) -> LineSpec:
    return LineSpec(kind, tuple(keys.split()), re.compile(pattern), rank, read, repeat=repeat, inside=not first)


def _counter(kind: str, name: str, rank: int, read: Callable[..., None], *, first: bool = False) -> LineSpec:
    return _line(kind, name.split(maxsplit=1)[0], rf"{name} : {_STATISTICS}", rank, read, first=first)


LINES = (
    _line(
        "start", "Fortio", rf"Fortio ({_TEXT}) running at (\S+) queries per second, {_COUNT}->{_COUNT} procs, "
        rf"(?:for ({_COUNT}) calls|for (\S{{1,20}})|until interrupted): ({_TEXT})", 0, _start, first=True,
    ),
    _line(
        "setting", "Starting", rf"Starting at (?:max|\S+) qps with ({_COUNT}) thread\(s\) \[gomax {_COUNT}\].*", 1,
        _threads,
    ),
    _line("ended", "Ended", rf"Ended after (\S+) : {_COUNT} calls\. qps=(\S+)", 2, _ended),
    _counter("sleep", r"Sleep times", 3, _sections(None, "")),
    _counter("sleep", r"Aggregated Sleep Time", 3, _sections(None, "")),
    _line("behind", "WARNING", r"WARNING (\S+%) of sleep were falling behind", 4, _read_behind),
    _counter("latency", "Aggregated Function Time", 5, _sections(LATENCY, "requests"), first=True),
    _line("histogram", "range,", "range, mid point, percentile, count", ANYWHERE, repeat=True),
    _line(
        "step", ">= > <=", rf"(?:>=? )?{NUMBER} <= {NUMBER} , {NUMBER} , [0-9.]{{4,6}}, {_COUNT}", ANYWHERE,
        repeat=True,
    ),
    _line("percentile", "target", rf"target ([0-9.]{{1,12}})% ({_TEXT})", ANYWHERE, _percentile, repeat=True),
    _counter("errors", "Error cases", 6, _sections(ERROR_LATENCY, "errors")),
    _line("errors", "Error", "Error cases : no data", 6),
    _line("sockets", "Socket", "Socket and IP used for each connection:", 7),
    _line("socket", "[*", rf"\[{_COUNT}\] {_COUNT} socket used, resolved to .*", 8, repeat=True),
    _counter("connections", r"Connection time histogram \(s\)", 9, _sections(CONNECT, "connections")),
    _counter("connections", r"Connection time \(s\)", 9, _sections(CONNECT, "connections")),
    _line("used", "Sockets", rf"Sockets used: ({_COUNT}) \(for perfect .*\)", 10, _sockets),
    _line("catch up", "Uniform:", "Uniform: (?:true|false), Jitter: .*", 11),
    _line("addresses", "IP", "IP addresses distribution:", 12),
    _line("code", "Code", rf"Code -?[0-9]{{1,3}} : {_COUNT} \(\S+ %\)", 14, repeat=True),
    _counter("headers", "Response Header Sizes", 15, _headers),
    _counter("sizes", "Response Body/Total Sizes", 16, _sizes),
    _line("end", "All", rf"All done {_COUNT} calls \(plus {_COUNT} warmup\) \S+ ms avg, (\S+) qps", 17, _read_end),
    _line("aborted", "Aborting", r"Aborting because of .*", 17, _aborted),
)  # fmt: skip


def belongs(report: Report, text: str, line: int) -> bool:
    """Whether a line is an address of the server with the number of its connections."""
    among = "addresses" in report.seen and not report.seen & {"code", "headers", "sizes", "end"}
    return among and _ADDRESS.fullmatch(text) is not None


def is_logged(report: Report, raw: str, line: int) -> bool:
    """Whether a line is one of the logger of fortio, inside a report."""
    return "end" not in report.seen and _LOGGED.match(raw) is not None


def finish(report: Report) -> None:
    """Add the counts per status; without a response, leave out the rate and the times."""
    note_failures(report, add_sums(report, _counts(report)))


def note_failures(report: Report, sums: dict[Metric, tuple[int, int]]) -> None:
    """Add a diagnostic if the rate includes failures."""
    failed, line = sums.get(FAILED, (0, 0))
    requests = report.measurement(REQUESTS)
    if not failed or requests is None:
        return
    if failed == requests.value:
        keep_only(report, ELAPSED, PLANNED_REQUESTS, REQUESTS, FAILED, SOCKETS)
        report.warn(line, f"all {failed} requests failed: the rate and the times are left out", "failed-requests")
    else:
        report.warn(line, f"the rate and the times include {failed} requests that failed", "failed-requests")


def _counts(report: Report) -> list[tuple[Metric, int, int]]:
    """The counts of statuses; of error cases without any status, as for TCP, UDP and gRPC."""
    codes, errors = [], []
    for number, text in report.printed_lines():
        for code, count in _CODE.findall(text):
            codes += counts_of(int(code), int(count), number)
        errors += [(FAILED, int(count), number) for count in _ERRORS.findall(text)]
    without_status = "end" in report.seen and "code" not in report.seen
    return errors if without_status else codes


def counts_of(code: int, count: int, line: int) -> list[tuple[Metric, int, int]]:
    """The requests with a status, for `add_sums`; below 100 it is an error (``SocketError`` of ``http_client.go``)."""
    if code < 100:
        return [(FAILED, count, line)]
    return [found for found in responses(code, count, line) if found[0] is not REQUESTS]


def lacks(report: Report) -> Lack | None:
    """The last line of the report, if it is missing."""
    return None if "end" in report.seen else Lack("its line 'All done'", "warning")
