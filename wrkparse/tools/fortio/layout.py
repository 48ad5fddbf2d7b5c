"""Reads the report of fortio in one piece if no request failed.

`wrkparse.tools.fortio.text` describes the lines and their sources. The lines of the logger among them are those of the
default level. A report of the client of net/http (``-stdclient``), which counts no headers, is read
line by line, and so are percentiles chosen with ``-p``, failures, and paced runs that fell behind.
"""

from __future__ import annotations

import re

from wrkparse.model.records import Metric
from wrkparse.tools.common import BYTES_READ, CONNECT, ELAPSED, LATENCY, PLANNED_REQUESTS, REQUESTS, THROUGHPUT
from wrkparse.tools.durations import parse_duration
from wrkparse.tools.fortio import text
from wrkparse.tools.fortio.metrics import SOCKETS
from wrkparse.tools.layout import TEXT, Part, ReportLayout, maybe, once, repeated
from wrkparse.tools.lines import Form, Slot, count_slot, read_by
from wrkparse.tools.report import Report
from wrkparse.tools.significant import NUMBER

_N = "[0-9]{1,18}"
_FLAG = "(?:true|false)"
_DURATION = r"(?:[0-9]{1,9}h)?(?:[0-9]{1,9}m)?[0-9]{1,12}(?:\.[0-9]{1,9})?(?:ns|µs|ms|s)"
_ELAPSED = Slot(ELAPSED, "total", read_by(parse_duration, _DURATION))
_RATE = Slot(THROUGHPUT, "total", text.RATE)
_SHARES = ("50", "75", "90", "99", "99.9")  # those of -p by default (cli/fortio_main.go)
_SPECS = {spec.kind: spec for spec in text.LINES}
# Messages of periodic.go and httprunner.go, as JSON or in the form for terminals without colours.
_MESSAGE = r"(?:Starting http test|T[0-9]{3,6} (?:ended after|warning only did)|Run ended)"
_LOGGED = Form(
    "logged",
    0,
    r'(?:\{"ts":[0-9.]{1,20},"level":"[a-z]{4,5}","r":[0-9]{1,9},"file":"[a-z]{1,20}\.go","line":[0-9]{1,6},"msg":"'
    r"|[0-9:.]{8,16} (?:r[0-9]{1,9} )?\[[A-Z]{3}\] [a-z]{1,20}\.go:[0-9]{1,6}> )"
    rf'{_MESSAGE}(?:{TEXT}|[ "}}]){{0,400}}',
)


def _printed(kind: str, pattern: str, *slots: Slot) -> Form:
    """A line exactly as fortio prints it; the kind names its spec."""
    return _SPECS[kind].printed(pattern, *slots)


def _statistics(metric: Metric) -> tuple[Slot, ...]:
    return (
        Slot(metric, "mean", text.MEAN), Slot(metric, "stdev", text.STDEV), Slot(metric, "min", text.LIMIT),
        Slot(metric, "max", text.LIMIT),
    )  # fmt: skip


def _histogram(kind: str, name: str, metric: Metric, steps: str) -> tuple[Part, ...]:
    """The statistics of a metric, the steps of its histogram, and the percentiles."""
    first = (count_slot(REQUESTS),) if metric is LATENCY else ()
    count = "{}" if first else _N
    return (
        once(
            _printed(
                kind, rf"{name} : count (?!0 ){count} avg {{}} \+/- {{}} min {{}} max {{}} sum {NUMBER}",
                *first, *_statistics(metric),
            ),
            _printed("histogram", "# range, mid point, percentile, count"),
        ),
        repeated(steps, _printed("step", rf">=? {NUMBER} <= {NUMBER} , {NUMBER} , [0-9.]{{4,6}}, {_N}")),
        once(*(
            _printed("percentile", rf"# target {re.escape(share)}% {{}}", Slot(metric, f"p{share}", text.PERCENTILE))
            for share in _SHARES
        )),
    )  # fmt: skip


_COUNTER = rf"count {_N} avg {NUMBER} \+/- {NUMBER} min {NUMBER} max {NUMBER} sum"
_PARTS = (
    repeated("logged", _LOGGED),
    once(_printed(
        "setting", rf"Starting at (?:max|{NUMBER}) qps with (?P<connections>{_N}) thread\(s\) \[gomax {_N}\]"
        rf" (?:{TEXT}|[ ()]){{1,200}}",
    )),
    repeated("ended", _LOGGED),
    once(_printed("ended", rf"Ended after {{}} : {_N} calls\. qps={{}}", _ELAPSED, _RATE)),
    repeated("over", _LOGGED),
    maybe(_printed("sleep", rf"Sleep times : {_COUNTER} {NUMBER}")),
    *_histogram("latency", "Aggregated Function Time", LATENCY, "steps"),
    once(_printed("errors", "Error cases : no data"), _printed("sockets", "# Socket and IP used for each connection:")),
    repeated("sockets", _printed(
        "socket", rf"\[{_N}\] {{1,3}}{_N} socket used, resolved to (?:{TEXT}|[ \[\]()]){{1,400}}"
    )),
    *_histogram("connections", r"Connection time histogram \(s\)", CONNECT, "connects"),
    once(_printed("used", rf"Sockets used: {{}} \(for perfect keepalive, would be {_N}\)", count_slot(SOCKETS))),
    maybe(_printed("catch up", rf"Uniform: {_FLAG}, Jitter: {_FLAG}(?:, Catchup allowed: {_FLAG})?")),
    once(_printed("addresses", "IP addresses distribution:")),
    repeated("addresses", Form("address", _SPECS["addresses"].rank, rf"(?:{TEXT}|[\[\]]){{1,100}}: {_N}")),
    repeated("codes", _printed("code", rf"Code {{1,3}}[1-9][0-9]{{2}} : {_N} \([0-9]{{1,3}}\.[0-9] %\)")),
    once(
        _printed("headers", rf"Response Header Sizes : {_COUNTER} (?!0\n){NUMBER}"),
        _printed("sizes", rf"Response Body/Total Sizes : {_COUNTER} {{}}", Slot(BYTES_READ, "total", text.SUM)),
        _printed("end", rf"All done {_N} calls \(plus {_N} warmup\) {NUMBER} ms avg, {NUMBER} qps"),
    ),
)  # fmt: skip


def _describe(report: Report, match: re.Match[str]) -> bool:
    """Add the content of the first line and the settings besides numbers."""
    assert report.complete is not None
    found = match.groupdict()
    report.version = found["version"]
    text.of_start(report, found["rate"], found.get("duration"), None, found["url"], report.line)
    setting = match.string.count("\n", match.start(), match.start("connections"))
    report.add_label("connections", found["connections"], report.line + setting)
    return True


def _layout(planned: str, *slots: Slot) -> ReportLayout:
    start = _printed(
        "start", rf"Fortio (?P<version>{TEXT}{{1,200}}) running at (?P<rate>{NUMBER}) queries per second, "
        rf"{_N}->{_N} procs, for {planned}: (?P<url>{TEXT}{{1,2000}})",
        *slots,
    )  # fmt: skip
    return ReportLayout("Fortio ", _SPECS["start"], (once(start), *_PARTS), _describe)


LAYOUTS = (
    _layout(rf"(?P<duration>{_DURATION})"),
    _layout("{} calls", count_slot(PLANNED_REQUESTS)),
)
