r"""What bombardier prints: ``plainTextTemplate`` of its ``templates.go``, units of ``format.go``.

::

    Bombarding http://ya.ru for 10s using 200 connections
    [=========================================================================] 10s Done!
    Statistics        Avg      Stdev        Max
      Reqs/sec      6607.00     524.56       7109
      Latency       29.86ms     5.36ms   305.02ms
      Latency Distribution
         50%    28.00ms
         99%    48.00ms
      HTTP codes:
        1xx - 0, 2xx - 0, 3xx - 66561, 4xx - 0, 5xx - 0
        others - 5
      Errors:
        dialing to the given TCP address timed out - 5
      Throughput:     3.06MB/s

Since 1.2 the first line says ``2000 request(s)`` and ``8 connection(s)`` (``printIntro`` of its ``bombardier.go``).
Times have two decimals and steps of 1000 and 60, sizes steps of 1024. The percentiles are printed with ``-l``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wrkparse.model.records import Metric
from wrkparse.model.units import BINARY, PLAIN, SECONDS, Scale
from wrkparse.tools.common import (
    FAILED,
    LATENCY,
    PLANNED_REQUESTS,
    RATE_TOTAL,
    REQUESTS,
    THROUGHPUT,
    add_sums,
    keep_only,
    responses,
)
from wrkparse.tools.durations import parse_duration
from wrkparse.tools.lines import LineSpec, ReadLine, ignore, inner
from wrkparse.tools.report import Lack, Report

_BYTES: Scale = {**BINARY, "": (0, 1), "PB": (0, 2**50)}  # below 870 bytes no unit is printed
_STATS = ("total", "stdev", "max")  # the mean of the samples of the rate is its total
_N = "[0-9]{1,18}"
_CLASSES = re.compile(rf"([1-5])xx - ({_N})")  # "2xx - 20000"


def _target(report: Report, match: re.Match[str], line: int) -> None:
    report.add_label("url", match[1], line)
    report.add_label("connections", match[4], line)
    if match[3] is not None:
        report.add_count(PLANNED_REQUESTS, match[3], line)
    if match[2] is not None:
        try:
            seconds = parse_duration(match[2]).value
        except ValueError as problem:
            report.warn(line, f"duration: {problem}")
        else:
            report.add_label("duration_s", f"{seconds:.15g}", line)


def _row(metric: Metric, stats: tuple[str, ...], scale: Scale) -> ReadLine:
    def read(report: Report, match: re.Match[str], line: int) -> None:
        for stat, text in zip(stats, match.groups(), strict=True):
            report.add_cell(metric, stat, text, scale, line)

    return read


def _percentile(report: Report, match: re.Match[str], line: int) -> None:
    report.add_cell(LATENCY, f"p{match[1]}", match[2], SECONDS, line)


def _codes(report: Report, match: re.Match[str], line: int) -> None:
    def counts() -> Iterator[tuple[Metric, int, int]]:
        for digit, count in _CLASSES.findall(match[0]):
            yield from responses(100 * int(digit), int(count), line)

    add_sums(report, counts())


def _others(report: Report, match: re.Match[str], line: int) -> None:
    report.add_count(FAILED, match[1], line)


def _throughput(report: Report, match: re.Match[str], line: int) -> None:
    report.add_cell(RATE_TOTAL, "total", match[1], _BYTES, line)


LINES = (
    LineSpec(
        "header", ("Bombarding",),
        re.compile(
            rf"Bombarding (\S+) (?:for (\S{{1,20}})|with ({_N}) request(?:s|\(s\))?|for \S+ or {_N} requests?)"
            rf" using ({_N}) connection(?:s|\(s\))?"
        ),
        0, _target,
    ),
    # A mean of samples. The line of rewrk has one column less, and a colon.
    LineSpec("head", ("Statistics",), re.compile("Statistics Avg Stdev Max"), 1, ignore),
    # Only bombardier prints this line, so pages that leave out the two lines above it have reports, too.
    LineSpec(
        "reqs/sec", ("Reqs/sec",), re.compile(r"Reqs/sec (\S+) (\S+) (\S+)"), 2, _row(THROUGHPUT, _STATS, PLAIN)
    ),
    inner("latency", "Latency", r"Latency (\S+) (\S+) (\S+)", 3, _row(LATENCY, ("mean", "stdev", "max"), SECONDS)),
    inner("no statistics", "There", "There wasn't enough data to compute statistics for .{1,40}", 3, repeat=True),
    inner("distribution", "Distribution", "Latency Distribution", 4),
    inner("percentile", "%", r"([0-9]{1,3})% (\S+)", 5, _percentile, repeat=True),
    inner("title", "HTTP", "HTTP codes:", 6),
    inner("codes", "xx", rf"1xx - {_N}, 2xx - {_N}, 3xx - {_N}, 4xx - {_N}, 5xx - {_N}", 7, _codes),
    inner("others", "others", rf"others - ({_N})", 8, _others),
    inner("errors", "Errors:", "Errors:", 9),
    inner("throughput", "Throughput:", r"Throughput: (\S+)/s", 11, _throughput),
)  # fmt: skip
# "dial tcp 127.0.0.1:8080: connect: connection refused - 20"
_ERROR = re.compile(rf"\S.{{0,400}} - {_N}\s*")
# On a terminal a bar with "Done!" after it; elsewhere the counts and the time without a bar, and "Done!" below.
_PROGRESS = re.compile(
    rf"\s*(?:{_N} / {_N} )?\[[=>-]{{0,400}}\].{{0,80}}"
    rf"|\s*{_N} / {_N} +[0-9.]{{4,6}}%(?: {_N}/s)?(?: [0-9dhms]{{2,12}})?|\s*[0-9dhms]{{2,12}}|Done!"
)


def belongs(report: Report, text: str, line: int) -> bool:
    """Whether a line is a progress bar, or an error with its count, whose text may be anything."""
    if "codes" not in report.seen:
        return _PROGRESS.fullmatch(text) is not None
    return "errors" in report.seen and "throughput" not in report.seen and _ERROR.fullmatch(text) is not None


def finish(report: Report) -> None:
    """Leave out the rate if there is no response: it counts failures."""
    failed, done = report.measurement(FAILED), report.measurement(REQUESTS)
    if not failed or not failed.value or not done:
        return
    if done.value:
        report.warn(failed.line, f"Reqs/sec includes {failed.value:.0f} requests that failed", "failed-requests")
    else:
        keep_only(report, PLANNED_REQUESTS, REQUESTS, FAILED)
        message = f"all {failed.value:.0f} requests failed: Reqs/sec and the times are left out"
        report.warn(failed.line, message, "failed-requests")


def lacks(report: Report) -> Lack | None:
    """The part that an incomplete report lacks; None for a complete one."""
    return None if "throughput" in report.seen else Lack("its Throughput line", "note")
