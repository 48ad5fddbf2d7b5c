r"""ApacheBench, ``ab`` of httpd 2.0 to 2.4 and trunk: the report, as text or as the HTML of ``-w``.

The lines are those of ``output_results()`` in ``support/ab.c`` of httpd. Times of the tables are whole milliseconds,
rounded since 2.2.9 and cut off before; Kbytes and kb are 1024 bytes. ``Failed requests`` counts failures, of which one
request may have several. A 4xx or 5xx response is not a failure, and ``Non-2xx responses`` also counts 3xx. A real
report::

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

Requests, responses and TLS details that ``-v`` prints are recognised and not read. The files of ``-g`` and ``-e`` have
separate modules, and so have the numbers that old versions print in another unit than they state.
"""

from __future__ import annotations

import math
import re

from wrkparse.model.records import Label
from wrkparse.tools.ab import lines as ab
from wrkparse.tools.ab.metrics import (
    CAUSES,
    METRICS,
    PHASES,
)
from wrkparse.tools.ab.readers import ZEUS_BENCH
from wrkparse.tools.ab.unit_corrections import correct_units, has_correct_units
from wrkparse.tools.base import ALL_BUT_2XX, CLOSED, Counting, Flags, ReportTool, UnprintedZero
from wrkparse.tools.common import BODIES, BYTES_READ, ERRORS_WRITE, FAILED, NON_2XX, REQUESTS, THROUGHPUT
from wrkparse.tools.layout import ReportLayout, maybe, once, repeated
from wrkparse.tools.lines import BLANK
from wrkparse.tools.report import Lack, Report


def _is_html(report: Report) -> bool:
    return any("<tr" in text for _, text in report.text)


def _finish(report: Report) -> None:
    if report.dialect == ZEUS_BENCH or _is_foreign_table(report):
        report.mode = "foreign"
        return
    html = _is_html(report)
    report.dialect = report.dialect or ("-w" if html else None)
    correct_units(report, html=html)


def _is_foreign_table(report: Report) -> bool:
    """Whether a report is a table with fields that any tool may have: ab's rates and times have units of their own."""
    lines = [text for _, text in report.text]
    are_rows = bool(lines) and all("|" in line for line in lines)  # "| Complete requests | 5000 |"
    return are_rows and report.seen.isdisjoint({"throughput", "per request", "transfer"})


def _lacks(report: Report) -> Lack | None:
    """The part of the output of `output_results` that is missing: times need one request, percentiles two."""
    total, done = PHASES["total"], report.measurement(REQUESTS)
    requests = done.value if done and done.value is not None else math.inf
    if report.measurement(total, "p100"):
        return None if "(longest" in report.raw else Lack("the end of its last line", "note")
    if report.measurement(total, "max"):
        return None if requests < 2 or _is_html(report) else Lack("percentiles, which ab -d leaves out", "note")
    if requests == 0 and report.measurement(BODIES):
        return None
    if report.measurement(THROUGHPUT):
        return Lack("the whole table of Connection Times", "note")
    headed = report.seen & {"banner", "start", "progress", "server", "document"}
    return Lack("its Requests per second line", "warning" if headed else "note")


def _describe(report: Report, match: re.Match[str]) -> bool:
    assert report.complete is not None
    numbers = report.complete.numbers
    if not has_correct_units(dict(zip(numbers.kinds.metrics, numbers.values, strict=True))):
        return False
    found = match.groupdict()
    server = f"https://{found['host']}" if found["tls"] else f"http://{found['host']}"
    port = "" if found["port"] == ("443" if found["tls"] else "80") else f":{found['port']}"
    report.mode = f"{server}:{found['port']}"
    labels = {
        "server_software": ("software", found["software"]),
        "tls": ("tls", found["tls"]),
        "tls_temp_key": ("key", found["key"]),
        "tls_server_name": ("name", found["name"]),
        "url": ("path", f"{server}{port}{found['path']}"),
        "connections": ("connections", found["connections"]),
    }
    for key, (group, value) in labels.items():
        if value:
            line = report.line + match.string.count("\n", match.start(), match.start(group))
            report.labels.append(Label(key, value, "report", line, None, "printed"))
    report.version = "2.3"
    return True


# As ``output_results()`` prints it since httpd 2.2.9, as text.
_LAYOUT = ReportLayout(
    "This is ApacheBench",
    ab.BANNER,
    (
        once(ab.BANNER),
        maybe(*ab.COPYRIGHT_LINES),
        maybe(BLANK, ab.BENCHMARKING),
        repeated("progress", ab.PROGRESS_LINE),
        repeated("empty", BLANK),
        maybe(ab.SOFTWARE),
        once(ab.HOST, ab.PORT),
        maybe(ab.TLS),
        maybe(ab.TEMP_KEY),
        maybe(ab.SERVER_NAME),
        once(BLANK, ab.PATH),
        maybe(ab.LENGTH_VARIABLE),
        maybe(ab.LENGTH),
        once(BLANK, ab.CONCURRENCY, ab.TIME_TAKEN, ab.COMPLETE, ab.FAILURES),
        maybe(ab.FAILURE_CAUSES),
        maybe(ab.WRITES),
        maybe(ab.ERROR_RESPONSES),
        maybe(ab.KEPT_ALIVE),
        once(ab.TOTAL_TRANSFERRED),
        maybe(ab.TOTAL_SENT),
        once(ab.HTML_TRANSFERRED, ab.RATE),
        maybe(ab.TIME_PER_REQUEST, ab.TIME_ACROSS),
        once(ab.RATE_RECEIVED),
        maybe(ab.RATE_OUT, ab.RATE_BOTH),
        once(BLANK, ab.PHASES_TITLE, ab.PHASES_HEAD, *map(ab.phase, PHASES)),
        repeated("advice", ab.ADVICE_LINE),
        once(BLANK, ab.PERCENTILES_TITLE, *map(ab.percentile, (50, 66, 75, 80, 90, 95, 98, 99, 100))),
    ),
    _describe,
)

TOOL = ReportTool(
    name="ab",
    counting=Counting(
        "from the start of the connect, in whole milliseconds", rate_is_quotient=True, failures_among_requests=True,
        error_statuses=ALL_BUT_2XX,
    ),
    metrics=METRICS,
    lines=ab.LINES,
    programs=frozenset({"ab", "ab.exe", "abs"}),
    loop=CLOSED,
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
    # `output_results()` of support/ab.c: the causes if a request failed, the others if they are not 0.
    unprinted_zeros=(
        UnprintedZero((ERRORS_WRITE, NON_2XX), FAILED, BYTES_READ),
        UnprintedZero(tuple(CAUSES.values()), REQUESTS, FAILED, whole=FAILED),
    ),
    # The progress stays if only some lines of a report are kept: `ab ... | grep -E "requests|per second"`.
    preamble=ab.PROGRESS.pattern,
    layouts=(_LAYOUT,),
    known_words=re.compile(
        r"Connection Times|Percentage of the requests|ApacheBench|Requests per second|Time per request"
        r"|\bab -[a-zA-Z] ?[0-9]+|^apr_\w+:|^Total of [0-9]+ requests completed"
        r"|^[ \t]*[0-9]{2,3}%[ \t]+[0-9]+$",
        re.MULTILINE,
    ),
)  # fmt: skip
