r"""hey up to 0.1.5: the summary that it prints, not its CSV (``-o csv``).

The lines are those of ``defaultTmpl`` in ``requester/print.go`` of hey: seconds with four decimals, a TAB after each
name. A real report::

    Summary:
      Total:	0.0116 secs
      Slowest:	0.0012 secs
      Fastest:	0.0000 secs
      Average:	0.0002 secs
      Requests/sec:	25868.7435

    Latency distribution:
      50% in 0.0002 secs

    Status code distribution:
      [200]	200 responses
      [500]	100 responses

A report begins with its ``Total`` line, because any text may contain ``Summary:``. hey counts responses per status and
failures per message: ``requests``, ``non_2xx`` and ``failed_requests`` are sums. ``Requests/sec`` includes failures.
0.1.5 prints ``50%%``.

Since 0.1.1, hey keeps the times and statuses of the first 1,000,000 responses (``maxRes`` of ``runReporter`` in
``requester/report.go``). Percentiles, extremes, histogram and the counts per status are those of the kept responses.
``Total``, ``Requests/sec``, ``Total data`` and the failures are of all requests. Means and ``Size/request`` are wrong:
``finalize`` and ``snapshot`` divide sums of all responses by the number of those kept.

The histogram is not read: it has three decimals, and the percentiles four. oha prints some of these lines, and others
that hey does not have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from wrkparse.model.records import Diagnostic, Metric
from wrkparse.tools.base import CLOSED, FROM_400, Counting, Flags, ReportTool
from wrkparse.tools.common import (
    BODIES,
    BODY,
    DNS_AND_CONNECT,
    DNS_LOOKUP,
    ELAPSED,
    FAILED,
    LATENCY,
    NON_2XX,
    READING,
    REQUESTS,
    THROUGHPUT,
    WAITING,
    WRITING,
    add_sums,
    keep_only,
    responses,
)
from wrkparse.tools.layout import ReportLayout, maybe, once, repeated
from wrkparse.tools.lines import BLANK, Form, LineSpec, Slot, count_slot, decimals, ignore, line
from wrkparse.tools.report import Lack, Report

PHASES = {
    "DNS+dialup": DNS_AND_CONNECT,
    "DNS-lookup": DNS_LOOKUP,
    "req write": WRITING,
    "resp wait": WAITING,
    "resp read": READING,
}
MOST_KEPT = 1_000_000  # responses: `maxRes` of ``requester/report.go``
_WRONG_BEYOND = {(BODY.name, "total"), *((metric.name, "mean") for metric in (LATENCY, *PHASES.values()))}
_SECONDS = decimals(4)
_ROUNDED = 0.5e-4  # half of the last of four decimals
# "[200] 200 responses", "[5] Get http://h/: EOF"
_COUNTED = re.compile(r"\[([0-9]{1,18})\]\s+(?:([0-9]{1,18}) responses|[A-Z].*)")


def _foreign(report: Report, match: re.Match[str], line: int) -> None:
    report.mode = "foreign"


def _percentile(report: Report, match: re.Match[str], line: int) -> None:
    if match[1] != "0":  # of fewer than 100 requests, 0.1.5 prints "0%% in 0.0000 secs" for the high percentiles
        report.add_printed(LATENCY, f"p{match[1]}", _SECONDS.parse, match[2], line)


def _finish(report: Report) -> None:
    """Add the sums of counts per status and per message, each with the line of the first count."""
    sums = add_sums(report, _counts(report))
    kept, of_kept = sums.get(REQUESTS, (0, 0))
    if kept == MOST_KEPT:
        _leave_out_quotients(report, sums.get(FAILED, (0, 0))[0], of_kept)
    if FAILED in sums:
        total, line = sums[FAILED]
        mean = report.measurement(LATENCY, "mean")
        if mean is not None and mean.value is None:  # NaN: the mean of no response
            keep_only(report, ELAPSED, FAILED)  # hey prints times of 0 then, and the rate of its failures
            report.warn(
                line, f"all {total} requests failed: Requests/sec and the times are left out", "failed-requests"
            )
        else:
            report.warn(line, f"Requests/sec includes {total} requests that failed", "failed-requests")


def _leave_out_quotients(report: Report, failed: int, line: int) -> None:
    """Drop what hey divides by the number of the kept responses, if by rate and time it got more than it kept."""
    report.reopen()
    rate, elapsed = (number and number.value for number in map(report.measurement, (THROUGHPUT, ELAPSED)))
    if not rate or not elapsed or (rate - _ROUNDED) * (elapsed - _ROUNDED) <= MOST_KEPT + failed:
        return
    report.measurements = [one for one in report.measurements if (one.metric, one.stat) not in _WRONG_BEYOND]
    message = (
        f"{report.tool}: Requests/sec × Total is {rate * elapsed:,.0f} requests, of which hey counts the "
        f"first {MOST_KEPT:,} responses: means and Size/request are left out"
    )
    report.diagnostics.append(Diagnostic(report.source, line, "note", "kept-responses", message))


def _counts(report: Report) -> Iterator[tuple[Metric, int, int]]:
    """Each count of a status or a message: its metric, the count, its line."""
    for number, text in report.printed_lines():
        for match in _COUNTED.finditer(text):
            first, count = match.groups()
            if count is None:
                yield FAILED, int(first), number
            else:
                yield from responses(int(first), int(count), number)


def _lacks(report: Report) -> Lack | None:
    return None if "status" in report.seen else Lack("its Status code distribution", "note")


def _seconds(kind: str, name: str, stat: str, rank: int) -> LineSpec:
    return line(kind, rf" {name}:\t{{}} secs", Slot(LATENCY, stat, _SECONDS), rank=rank, inside=True)


def _title(text: str, rank: int) -> LineSpec:
    return line("title", text, rank=rank, inside=True)


TOTAL = line(
    "total", r" Total:\t{} secs", Slot(ELAPSED, "total", _SECONDS), rank=0, loose=r"Total: ([0-9]+\.[0-9]{4}) secs",
    sign=r"Total: [0-9]+\.[0-9]+ secs",
)  # fmt: skip
SLOWEST, FASTEST = _seconds("latency", "Slowest", "max", 1), _seconds("latency", "Fastest", "min", 2)
AVERAGE = _seconds("latency", "Average", "mean", 3)
# With four decimals; wrk prints two.
RATE = line(
    "requests/sec", r" Requests/sec:\t{}", Slot(THROUGHPUT, "total", _SECONDS), rank=4, inside=True,
    loose=r"Requests/sec: ([0-9]+\.[0-9]{4})",
)  # fmt: skip
# By itself, as people excerpt it; oha prints the same.
LONE_RATE = replace(RATE, inside=False, needs_command=True)
DATA = line("data", r" Total data:\t{} bytes", count_slot(BODIES), rank=5, inside=True)
SIZE = line("data", r" Size/request:\t{} bytes", count_slot(BODY), rank=6, inside=True)
HISTOGRAM = _title("Response time histogram:", 7)
BAR = line(
    "bar", r" [0-9]{1,9}\.[0-9]{3} \[[0-9]{1,18}\]\t\|■{0,40}", rank=8, keys=[""], inside=True, repeat=True,
)  # fmt: skip
LATENCIES = _title("Latency distribution:", 9)
PERCENTILE = LineSpec(
    "percentile", ("%", "%%"), re.compile(r"([0-9]{1,3})%%? in (\S+) secs"), 10, _percentile, repeat=True, inside=True
)
DETAILS = _title(r"Details \(average, fastest, slowest\):", 11)
PHASE_LINES = [
    line(
        "phase", rf" {re.escape(name)}:\t{{}} secs, {{}} secs, {{}} secs",
        *(Slot(metric, stat, _SECONDS) for stat in ("mean", "min", "max")),
        rank=rank, keys=f"{name}:".split()[:1], inside=True,
    )
    for rank, (name, metric) in enumerate(PHASES.items(), 12)
]  # fmt: skip
STATUSES = line("status", "Status code distribution:", rank=17, inside=True)
STATUS = line("status", r" \[[0-9]{3}\]\t[0-9]{1,18} responses", rank=18, keys=["responses"], inside=True, repeat=True)
ERRORS = _title("Error distribution:", 19)
# The message of Go's url.Error begins with the method.
ERROR = LineSpec(
    "error", tuple("Get Head Post Put Patch Delete Options".split()), re.compile(r"\[[0-9]{1,18}\] [A-Z].*"), 20,
    ignore, repeat=True, inside=True,
)  # fmt: skip
OF_OHA = LineSpec(
    "foreign", ("Size/sec:", "Response"), re.compile(r"Size/sec: .*|Response time distribution:"), 6, _foreign,
    repeat=True, inside=True,
)  # fmt: skip

_LINE_OF_BLANKS = Form("", BLANK.rank, " *")


def _describe(report: Report, match: re.Match[str]) -> bool:
    return True


def _printed_percentile(share: int) -> Form:
    return PERCENTILE.printed(rf" +{share}%%? in {{}} secs", Slot(LATENCY, f"p{share}", _SECONDS))


_LAYOUT = ReportLayout(
    " Total:\t",
    TOTAL,
    (
        once(TOTAL, SLOWEST, FASTEST, AVERAGE, RATE, _LINE_OF_BLANKS),
        maybe(DATA, SIZE),
        once(BLANK, HISTOGRAM),
        repeated("bars", BAR),
        once(BLANK, BLANK, LATENCIES, *map(_printed_percentile, (10, 25, 50, 75, 90, 95, 99))),
        once(BLANK, DETAILS, *PHASE_LINES, BLANK, STATUSES),
        repeated("statuses", STATUS),
    ),
    _describe,
)

TOOL = ReportTool(
    name="hey",
    counting=Counting("from before a new connection, if it needs one", rate_is_quotient=True, error_statuses=FROM_400),
    preamble=re.compile("Summary:"),
    metrics=(
        REQUESTS, THROUGHPUT, ELAPSED, LATENCY, FAILED, NON_2XX, BODIES, BODY, *PHASES.values(),
    ),
    lines=(
        TOTAL, SLOWEST, FASTEST, AVERAGE, RATE, LONE_RATE, DATA, SIZE, OF_OHA, HISTOGRAM, BAR, LATENCIES, PERCENTILE,
        DETAILS, *PHASE_LINES, STATUSES, STATUS, ERRORS, ERROR,
    ),
    programs=frozenset({"hey"}),
    flags=Flags(
        glued=False,
        options={
            "-n": "flag_requests", "-c": "connections", "-q": "flag_rate", "-z": "duration_s", "-o": "flag_output",
            "-m": "flag_method", "-H": "flag_header", "-t": "flag_timeout", "-A": "flag_accept", "-d": "flag_body",
            "-D": "flag_body_file", "-T": "flag_content_type", "-U": "flag_user_agent", "-a": "flag_auth",
            "-x": "flag_proxy", "-host": "flag_host", "-cpus": "flag_cpus",
        },
        switches=frozenset({"-h2", "-disable-compression", "-disable-keepalive", "-disable-redirects"}),
        positional="url",
    ),
    loop=CLOSED,  # -q limits the rate of each worker, which still waits for responses (runWorker of requester.go)
    evidence=frozenset({"requests/sec"}),
    finish=_finish,
    lacks=_lacks,
    layouts=(_LAYOUT,),
)  # fmt: skip
