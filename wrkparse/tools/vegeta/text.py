r"""What ``vegeta report`` prints as text, ``-type=hist`` and ``-type=hdrplot``: ``lib/reporters.go`` of vegeta.

The text report (``NewTextReporter``)::

    Requests      [total, rate, throughput]         1200, 120.00, 65.87
    Duration      [total, attack, wait]             10.094965987s, 9.949883921s, 145.082066ms
    Latencies     [min, mean, 50, 90, 95, 99, max]  90.438µs, 113.172µs, 108.272µs, 140.18µs, 247.771µs, …
    Bytes In      [total, mean]                     714968, 2859.87
    Bytes Out     [total, mean]                     0, 0.00
    Success       [ratio]                           55.42%
    Status Codes  [code:count]                      0:535  200:665
    Error Set:
    Get http://localhost:6060: dial tcp 127.0.0.1:6060: connection refused

Each line names its numbers in brackets; versions differ in them (1.0 to 12.7: no ``min``, no ``90``, no
``throughput``), so wrkparse goes by the names, never by the positions. Times are ``time.Duration.String()``. Any text
may follow ``Error Set:``.

The histogram has a line for each bucket; the upper ends with the counts up to there are rows of ``spectrum``, as are
the lines of ``hdrplot``, which are in milliseconds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from wrkparse.model.records import Metric
from wrkparse.model.units import PERCENT, PLAIN, Quantity, parse_count, parse_quantity
from wrkparse.tools.common import (
    BODIES,
    BODY,
    ELAPSED,
    FAILED,
    LATENCY,
    REQUESTS,
    SENT,
    THROUGHPUT,
    add_sums,
    keep_only,
    responses,
)
from wrkparse.tools.durations import parse_duration
from wrkparse.tools.lines import LineSpec, ReadLine, ignore
from wrkparse.tools.report import Lack, Report
from wrkparse.tools.vegeta.metrics import (
    ATTACK,
    LAST_WAIT,
    SENT_BODIES,
    SENT_BODY,
    SENT_RATE,
    SUCCESS,
)

Read = Callable[[str], Quantity]


def _decimal(text: str) -> Quantity:
    return parse_quantity(text, PLAIN)


def _percent(text: str) -> Quantity:
    return parse_quantity(text, PERCENT)


def _time(text: str) -> Quantity:
    """A time: since 12.3 rounded to three decimals (``round``), without zeros at the end; before in nanoseconds."""
    fraction = text.partition(".")[2]
    return parse_duration(text, _PLACES if sum(map(str.isdigit, fraction)) <= _PLACES else None)


_PLACES = 3  # decimals of a rounded time
_REQUESTS: dict[str, tuple[Metric, str, Read]] = {
    "total": (SENT, "total", parse_count), "rate": (SENT_RATE, "total", _decimal),
    "throughput": (THROUGHPUT, "total", _decimal),
}  # fmt: skip
_DURATION: dict[str, tuple[Metric, str, Read]] = {
    "total": (ELAPSED, "total", _time), "attack": (ATTACK, "total", _time),
    "wait": (LAST_WAIT, "total", _time),
}  # fmt: skip
_LATENCIES: dict[str, tuple[Metric, str, Read]] = {
    **{stat: (LATENCY, stat, _time) for stat in ("min", "mean", "max")},
    **{share: (LATENCY, f"p{share}", _time) for share in ("50", "90", "95", "99")},
}
_IN: dict[str, tuple[Metric, str, Read]] = {
    "total": (BODIES, "total", parse_count), "mean": (BODY, "total", _decimal)
}  # fmt: skip
_OUT: dict[str, tuple[Metric, str, Read]] = {
    "total": (SENT_BODIES, "total", parse_count), "mean": (SENT_BODY, "total", _decimal)
}  # fmt: skip
_RATIO: dict[str, tuple[Metric, str, Read]] = {"ratio": (SUCCESS, "total", _percent)}
_CODE = re.compile(r"([0-9]{1,3}):([0-9]{1,18})")  # "200:100" of "Status Codes [code:count] 200:100 500:3"
_NO_RESPONSE = 0  # the status of a request that failed
_UPPER_ENDS = ("s]", "ms]", "µs]", "ns]", "m0s]", "h0m0s]", "+Inf]")  # without their numbers
_BUCKET = re.compile(r"\[([^\s,]{1,40}), ([^\s\]]{1,40})\] ([0-9]{1,18}) \S{1,12}%(?: #*)?")  # "[0s, 100µs] 0 0.00%"


def _named(slots: dict[str, tuple[Metric, str, Read]]) -> ReadLine:
    """A function that reads a line whose brackets name its numbers."""

    def read(report: Report, match: re.Match[str], line: int) -> None:
        names, values = match[1].split(", "), match[2].split(", ")
        if len(names) != len(values):
            report.warn(line, f"{len(names)} numbers belong here: {match[0]}", "bad-line")
            return
        for name, text in zip(names, values, strict=True):
            if name in slots:
                metric, stat, parse = slots[name]
                report.add_printed(metric, stat, parse, text.strip(), line)

    return read


def _codes(report: Report, match: re.Match[str], line: int) -> None:
    def counts() -> Iterator[tuple[Metric, int, int]]:
        for code, count in _CODE.findall(match[1]):
            if int(code) == _NO_RESPONSE:
                yield FAILED, int(count), line
            else:
                yield from responses(int(code), int(count), line)

    add_sums(report, counts())


def _bucket(report: Report, match: re.Match[str], line: int) -> None:
    """Read one bucket: its upper end and the number of responses up to it, which `finish` turns into shares."""
    try:
        count = int(match[3])
        high = None if match[2] == "+Inf" else parse_duration(match[2]).value
    except ValueError as problem:
        report.warn(line, f"bucket: {problem}")
        return
    rows = report.rows.setdefault("spectrum", [])
    before = rows[-1][2] if rows else 0
    assert isinstance(before, int)
    rows.append((None, high, before + count, None, line))


def _hdr_row(report: Report, match: re.Match[str], line: int) -> None:
    value, share, total = float(f"{match[1]}e-3"), float(match[2]), int(match[3])
    report.rows.setdefault("spectrum", []).append((share, value, total, None, line))


def _spec(
    kind: str, key: str, name: str, rank: int, read: ReadLine, *, inside: bool = True, values: str = ".{1,300}"
) -> LineSpec:
    pattern = re.compile(rf"{name} \[([a-z0-9, :]{{1,60}})\] ({values})")
    return LineSpec(kind, (key,), pattern, rank, read, inside=inside, sign=rf"{name} \[total" if not inside else "")


LINES = (
    _spec("requests", "Requests", "Requests", 0, _named(_REQUESTS), inside=False, values=r"[0-9][0-9., ]{0,80}"),
    _spec("duration", "Duration", "Duration", 1, _named(_DURATION)),
    _spec("latencies", "Latencies", "Latencies", 2, _named(_LATENCIES)),
    _spec("bytes", "Bytes", "Bytes In", 3, _named(_IN)),
    _spec("bytes", "Bytes", "Bytes Out", 4, _named(_OUT)),
    _spec("success", "Success", "Success", 5, _named(_RATIO)),
    LineSpec(
        "codes", ("Status",), re.compile(r"Status Codes \[code:count\]((?: [0-9]{1,3}:[0-9]{1,18})*)"), 6, _codes,
        inside=True,
    ),
    LineSpec("errors", ("Error",), re.compile("Error Set:"), 7, ignore, inside=True),
    LineSpec(
        "histogram", ("Bucket",), re.compile("Bucket # % Histogram"), 8, ignore, sign="Bucket Histogram",
    ),
    LineSpec("bucket", _UPPER_ENDS, _BUCKET, 9, _bucket, repeat=True, inside=True),
    LineSpec(
        "histogram", ("Value(ms)",), re.compile(r"Value\(ms\) Percentile TotalCount 1/\(1-Percentile\)"), 10, ignore,
    ),
    LineSpec(
        "hdrplot", ("",),
        re.compile(r"([0-9]{1,12}\.[0-9]{6}) ([01]\.[0-9]{6}) ([0-9]{1,18}) [0-9]{1,18}\.[0-9]{6}"), 11, _hdr_row,
        repeat=True, inside=True,
    ),
)  # fmt: skip


def finish(report: Report) -> None:
    """Turn the counts of a histogram into shares; without a response, leave out the times of failures."""
    rows = report.rows.get("spectrum", [])
    total = rows[-1][2] if "bucket" in report.seen and rows else 0
    if isinstance(total, int) and total:
        report.rows["spectrum"] = [
            (count / total, value, count, None, line)
            for _, value, count, _, line in rows
            if value is not None and isinstance(count, int)
        ]
    failed = report.measurement(FAILED)
    if failed is None or not failed.value:
        return
    if report.measurement(REQUESTS) is None:
        keep_only(report, SENT, SENT_RATE, FAILED, SUCCESS, ATTACK)
        message = f"all {failed.value:.0f} requests failed: throughput and times are left out"
    else:
        message = f"the latencies include {failed.value:.0f} requests that failed"
    report.warn(failed.line, message, "failed-requests")


def lacks(report: Report) -> Lack | None:
    """The part that an incomplete text report lacks; None for a complete one."""
    return None if "requests" not in report.seen or "codes" in report.seen else Lack("its status codes", "note")
