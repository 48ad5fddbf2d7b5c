"""A whole report of wrk 4 at once: as ``main()`` of its ``src/wrk.c`` prints it, with or without ``--latency``.

It is found by one pattern, and the numbers are read from tables: that takes a tenth of the time that the rules of
`wrk` take line by line, and gives the same. A report of which a character is otherwise is left to the rules.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from wrkparse.records import Label, Measurement, Metric
from wrkparse.tools.base import Report, Whole
from wrkparse.tools.common import ELAPSED, NON_2XX, REQUESTS, THROUGHPUT, TRANSFER_RATE
from wrkparse.tools.wrk_metrics import (
    BYTES_READ,
    ERRORS,
    LATENCY,
    LATENCY_SHARE,
    PLANNED,
    THREAD_RATE,
    THREAD_SHARE,
)  # fmt: skip
from wrkparse.units import BINARY, DECIMAL, PERCENT, PLAIN, SECONDS, Scale, parse

# suffix → (a, b, half the last digit): the number is its digits · a / b, which Python rounds once
_Steps = dict[str, tuple[int, int, float]]


class _Cell(NamedTuple):
    """One kind of printed number: its digits and its suffix, and what they stand for."""

    pattern: str
    steps: _Steps


def _two_decimals(scale: Scale, most: int = 3) -> _Cell:
    steps: _Steps = {}
    for suffix, (power, factor) in scale.items():
        resolution = parse(f"0.00{suffix}", scale).resolution
        assert resolution is not None
        steps[suffix] = factor * 10 ** max(0, power - 2), 10 ** max(0, 2 - power), resolution
    return _Cell(rf"([0-9]{{1,{most}}}\.[0-9]{{2}})({'|'.join(sorted(scale, reverse=True))})", steps)


_TIME, _RATE, _SHARE, _BYTES = map(_two_decimals, (SECONDS, DECIMAL, PERCENT, BINARY))
_PER_SECOND = _two_decimals(PLAIN, 12)
_COUNT = _Cell("([0-9]{1,18})()", {"": (1, 1, 0.0)})


class _Line(NamedTuple):
    """One line: its kind as the rules name it, its pattern with ``{}`` for each cell, and those cells' meaning."""

    kind: str
    pattern: str
    cells: tuple[tuple[Metric, str, _Cell], ...] = ()


def _row(kind: str, name: str, metric: Metric, share: Metric, cell: _Cell) -> _Line:
    cells = [(metric, stat, cell) for stat in ("mean", "stdev", "max")]
    return _Line(kind, f" +{name}{' +{}' * 4}", (*cells, (share, "within_stdev", _SHARE)))


def _percentile(share: int) -> _Line:
    return _Line("percentile", f" +{share}% +{{}}", ((LATENCY, f"p{share}", _TIME),))


# Those that are printed always, and in between those that may be left out.
_HEAD = (
    _Line("header", "Running {}s test @ (https?://[A-Za-z0-9.:/?=%~,+_-]{1,1000})", ((PLANNED, "total", _COUNT),)),
    _Line("threads", " +([0-9]{1,9}) threads and ([0-9]{1,9}) connections"),
    _Line("head", r"  Thread Stats   Avg      Stdev     Max   \+/- Stdev"),
    _row("latency", "Latency", LATENCY, LATENCY_SHARE, _TIME),
    _row("rate", "Req/Sec", THREAD_RATE, THREAD_SHARE, _RATE),
)
_DISTRIBUTION = (_Line("distribution", " +Latency Distribution"), *map(_percentile, (50, 75, 90, 99)))
_TOTALS = (
    _Line(
        "totals",
        " +{} requests in {}, {} read",
        ((REQUESTS, "total", _COUNT), (ELAPSED, "total", _TIME), (BYTES_READ, "total", _BYTES)),
    ),
)
_SOCKET = (
    _Line(
        "errors",
        " +Socket errors: connect {}, read {}, write {}, timeout {}",
        tuple((metric, "total", _COUNT) for metric in ERRORS.values()),
    ),
)
_STATUS = (_Line("non-2xx", " +Non-2xx or 3xx responses: {}", ((NON_2XX, "total", _COUNT),)),)
_RATES = (
    _Line("requests/sec", "Requests/sec: +{}", ((THROUGHPUT, "total", _PER_SECOND),)),
    _Line("transfer/sec", "Transfer/sec: +{}", ((TRANSFER_RATE, "total", _BYTES),)),
)
_PARTS: tuple[tuple[_Line, ...], ...] = (_HEAD, _DISTRIBUTION, _TOTALS, _SOCKET, _STATUS, _RATES)


def _pattern() -> re.Pattern[str]:
    whole = ""
    for part in _PARTS:
        text = ""
        for line in part:
            first, *rest = line.pattern.split("{}")
            cells = (cell.pattern for _, _, cell in line.cells)
            text += first + "".join(f"{cell}{after}" for cell, after in zip(cells, rest, strict=True)) + r"\n"
        whole += f"(?:{text})?" if part in (_DISTRIBUTION, _SOCKET, _STATUS) else text
    return re.compile(whole)


class _Form(NamedTuple):
    """What reports with the same lines have in common: kinds of lines, and of each number where it stands and means."""

    seen: frozenset[str]
    mode: str
    cells: tuple[tuple[int, str, str, str, _Steps], ...]


@functools.cache
def _form(present: tuple[bool, ...]) -> _Form:
    """The form of a report by which of all numbers it has."""
    has = iter(present)
    parts = [part for part in _PARTS if sum(next(has) for line in part for _ in line.cells)]
    lines = [line for part in parts for line in part]
    cells = tuple(
        (place, metric.name, stat, metric.unit, cell.steps)
        for place, line in enumerate(lines)
        for metric, stat, cell in line.cells
    )
    return _Form(frozenset(line.kind for line in lines), "plain" if _DISTRIBUTION in parts else "", cells)


def _read(report: Report, match: re.Match[str]) -> None:
    seconds, no_suffix, url, threads, connections, *rest = match.groups()
    numbers, suffixes = [seconds, *rest[::2]], [no_suffix, *rest[1::2]]
    form = _form(tuple([number is not None for number in numbers]))
    line = report.line
    digits = [int(number.replace(".", "")) for number in numbers if number is not None]
    printed = zip(form.cells, digits, [suffix for suffix in suffixes if suffix is not None], strict=True)
    report.measurements += [
        Measurement(metric, stat, number * (step := steps[suffix])[0] / step[1], unit, step[2], line + place)
        for (place, metric, stat, unit, steps), number, suffix in printed
    ]
    report.labels += [
        Label("duration_s", seconds, "report", line),
        Label("url", url, "report", line),
        Label("threads", threads, "report", line + 1),
        Label("connections", connections, "report", line + 1),
    ]
    report.seen |= form.seen
    report.mode = form.mode


WHOLE = Whole(_pattern(), "header", "transfer/sec", _read)
