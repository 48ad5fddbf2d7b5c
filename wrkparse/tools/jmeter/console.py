r"""The summary that JMeter prints while a test runs: ``format`` of ``org/apache/jmeter/reporters/Summariser.java``.

A line with ``+`` is about the time since the one before, a line with ``=`` about the whole test so far. A real report::

    Starting standalone test @ 2026 Nov 23 13:19:38 UTC (1795439978535)
    summary +   1881 in 00:00:21 =   88.3/s Avg:    44 Min:    36 Max:    64 Err:   940 (49.97%) Active: 4 …
    summary +   2582 in 00:00:30 =   86.0/s Avg:    46 Min:     0 Max:   194 Err:  1291 (50.00%) Active: 4 …
    summary =   4463 in 00:00:51 =   87.0/s Avg:    45 Min:     0 Max:   194 Err:  2231 (49.99%)
    Tidying up ...    @ 2026 Nov 23 13:20:42 UTC (1795440042706)

The last line with ``=`` is the run. If there is only one line with ``+``, it is about the whole test, and JMeter prints
no line with ``=``. Samples of transaction controllers are not counted. ``Avg`` is cut to whole milliseconds
(``SummariserRunningSample.java``); ``Err`` are samples without success, which the others include. The rate counts from
the start of the test to the last sample, and is ``******`` in the first millisecond; pages take the stars for bold
type.
"""

from __future__ import annotations

import re
from functools import partial

from wrkparse.model.units import Quantity
from wrkparse.tools.common import ELAPSED, LATENCY, REQUESTS, THROUGHPUT, UNEXPECTED
from wrkparse.tools.lines import LineSpec, ReadLine, ignore
from wrkparse.tools.objects import json_quantity
from wrkparse.tools.report import Lack, Report

PREAMBLE = re.compile(
    r"Creating summariser <.*|Created the tree successfully using .*|Waiting for possible Shutdown/StopTestNow.*"
    r"|<\?xml(?:-stylesheet)? .{0,300}\?>"  # above the samples in XML
)
EVIDENCE = frozenset({"total", "part"})
IDLE = frozenset({"start", "end"})

_N = "[0-9]{1,18}"
_NUMBERS = (
    rf"({_N}) in ([0-9]{{1,9}}):([0-9]{{2}}):([0-9]{{2}}) = ([0-9]{{1,15}}[.,][0-9]|\*{{0,6}})/s"
    rf" Avg: ({_N}) Min: ({_N}) Max: ({_N}) Err: ({_N}) \([0-9]{{1,3}}[.,][0-9]{{2}}%\)"
)
_THREADS = rf"(?: Active: {_N}(?: Started: {_N} Finished: {_N})?)?"
_NAME = "(?:summary|Generate Summary Results)"  # of the command line, and of a listener in the plan of the test


def _clock(text: str) -> Quantity:
    """A time of hours, minutes and seconds, rounded to whole seconds."""
    hours, minutes, seconds = map(int, text.split(":"))
    return Quantity(float(hours * 3600 + minutes * 60 + seconds), 0.5)


def _keep(report: Report, match: re.Match[str], line: int) -> None:
    done, hours, minutes, seconds, rate, mean, least, most, failed = match.groups()
    report.measurements.clear()
    report.add_count(REQUESTS, done, line)
    report.add_printed(ELAPSED, "total", _clock, f"{hours}:{minutes}:{seconds}", line)
    if rate.strip("*"):
        report.add_printed(THROUGHPUT, "total", partial(json_quantity, power=0), rate.replace(",", "."), line)
    if int(done):
        for stat, text in (("mean", mean), ("min", least), ("max", most)):
            report.add_printed(LATENCY, stat, partial(json_quantity, power=-3), text, line)
    report.add_count(UNEXPECTED, failed, line)


def _total(report: Report, match: re.Match[str], line: int) -> None:
    """Read a line about the whole test so far; it replaces earlier lines."""
    before = report.measurement(REQUESTS) if report.mode == "total" else None
    if before is not None and before.value is not None and int(match[1]) < before.value:
        report.warn(line, f"fewer samples than line {before.line} has: another test's summary is left out", "bad-line")
        return
    report.mode = "total"
    _keep(report, match, line)


def _part(report: Report, match: re.Match[str], line: int) -> None:
    """Read a line about some time of the test: all of it, if this is the first line."""
    if not report.mode:
        report.mode = "part"
        _keep(report, match, line)
    elif report.mode == "part":
        report.mode = "parts"


def finish(report: Report) -> None:
    """Leave out the numbers of several parts without a line about the whole test."""
    if report.mode == "parts":
        report.measurements.clear()
        report.warn(report.line, "no line with 'summary =': the parts of a test are left out", "bad-line")


def lacks(report: Report) -> Lack | None:
    """The last line, if the report contains the beginning of the test."""
    if "end" in report.seen:
        return None
    return Lack("its line 'Tidying up'", "warning" if "start" in report.seen else "note")


def _summary(kind: str, sign: str, read: ReadLine) -> LineSpec:
    pattern = re.compile(rf"{_NAME} {re.escape(sign)} {_NUMBERS}{_THREADS}")
    keys = ("summary", "Generate")
    return LineSpec(kind, keys, pattern, 1, read, repeat=True, sign=rf"(?:summary|Summary Results) \{sign} [0-9]")


LINES = (
    LineSpec(
        "start", ("Starting",), re.compile(r"Starting (?:standalone|distributed|the) test.{0,40} @ .{1,80}"), 0, ignore,
        sign="Starting [a-z]+ test", yields=True,
    ),
    _summary("part", "+", _part),
    _summary("total", "=", _total),
    LineSpec("end", ("Tidying",), re.compile("Tidying up (?:remote|[.]{3}) @ .{1,80}"), 2, ignore, inside=True),
)  # fmt: skip
