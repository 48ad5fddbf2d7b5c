r"""The summary that oha prints: its lines, as ``print_summary`` of ``src/printer.rs`` of oha has them.

All times have one unit, chosen by the slowest response (``TimeScale::from_f64`` of ``src/timescale.rs``) or by ``-u``;
versions before 1.6 always print ``secs``. Above ten seconds the unit itself has a number: ``1.2345 10 sec``. A TAB
follows each name. Versions before 0.6 print the success rate as a ratio, and ``Latency distribution:`` as hey
does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wrkparse.model.records import Metric
from wrkparse.model.units import NO_VALUE, PERCENT, PLAIN, Quantity, Scale, parse_quantity
from wrkparse.tools.common import (
    BODIES,
    BODY,
    DNS_AND_CONNECT,
    DNS_LOOKUP,
    ELAPSED,
    LATENCY,
    RATE_BODIES,
    THROUGHPUT,
    add_sums,
    responses,
)
from wrkparse.tools.layout import ReportLayout, once, repeated
from wrkparse.tools.lines import BLANK, Cell, Form, LineSpec, Slot, decimals, ignore, line, read_by
from wrkparse.tools.oha import failures
from wrkparse.tools.oha.metrics import ANSWERED, ERROR_LATENCY, OK_LATENCY
from wrkparse.tools.report import Lack, Report

PREAMBLE = re.compile("Summary:")
_TIMES: Scale = {
    "ns": (-9, 1), "us": (-6, 1), "ms": (-3, 1), "sec": (0, 1), "10 sec": (1, 1), "min": (0, 60), "10 min": (1, 60),
    "hr": (0, 3600), "secs": (0, 1),
}  # fmt: skip
_BYTES: Scale = {"B": (0, 1), **{f"{prefix}iB": (0, 2 ** (10 * power)) for power, prefix in enumerate("KMGTPE", 1)}}


def _with_unit(scale: Scale, pattern: str) -> Cell:
    """A number with its unit after a blank; without a response oha prints ``inf``, ``-inf`` and ``NaN``."""

    def parse(text: str) -> Quantity:
        number, _, unit = text.partition(" ")
        if number in ("inf", "-inf", "NaN"):
            return NO_VALUE
        if unit not in scale:
            raise ValueError(f"{text!r} has no unit that oha prints")
        return parse_quantity(number, {"": scale[unit]})

    return read_by(parse, pattern)


def _share(text: str) -> Quantity:
    return parse_quantity(text, PERCENT if text.endswith("%") else PLAIN)


_TIME = _with_unit(_TIMES, r"[0-9]{1,12}\.[0-9]{4} (?:secs|(?:10 )?(?:sec|min)|hr|[num]s)")
_SIZE = _with_unit(_BYTES, r"[0-9]{1,12}(?:\.[0-9]{2})? (?:[KMGTPE]i)?B")
_RATE = decimals(4)
_LOOSE_TIME = r"(\S+(?: 10)? [a-z]+)"


def _latency(name: str, stat: str, rank: int) -> LineSpec:
    slot = Slot(LATENCY, stat, _TIME)
    return line("latency", rf" {name}:\t{{}}", slot, rank=rank, inside=True, loose=rf"{name}: {_LOOSE_TIME}")


def _size(name: str, metric: Metric, rank: int) -> LineSpec:
    slot, loose = Slot(metric, "total", _SIZE), rf"{name}: (NaN|\S+ [KMGTPE]?i?B)"
    return line("data", rf" {name}:\t{{}}", slot, rank=rank, inside=True, loose=loose)


def _title(text: str, rank: int, kind: str = "title") -> LineSpec:
    return line(kind, text, rank=rank, inside=True)


def _bars(rank: int) -> LineSpec:
    """The lines of a histogram, with three decimals; the percentiles are more exact, so they are not read."""
    return LineSpec("bar", ("",), _BAR, rank, ignore, repeat=True, inside=True, form=Form("bar", rank, _PRINTED_BAR))


def _percentiles(metric: Metric, rank: int) -> LineSpec:
    def read(report: Report, match: re.Match[str], line: int) -> None:
        report.add_printed(metric, f"p{float(match[1]):g}", _TIME.parse, match[2], line)

    return LineSpec("percentile", ("%",), _PERCENTILE, rank, read, repeat=True, inside=True)


# "20.720 us [1] |■■■"; the unit may be missing
_BAR = re.compile(r"[0-9.]{1,16}(?:(?: 10)? [a-z]+)? \[[0-9]{1,18}\] \|[ ■]*")
_PRINTED_BAR = r" *[0-9]{1,9}\.[0-9]{3} (?:10 )?[a-z]{2,4} \[[0-9]{1,18}\] *\|■{0,32}"
_PERCENTILE = re.compile(rf"([0-9]{{1,3}}(?:\.[0-9]{{1,4}})?)% in {_LOOSE_TIME}")  # "99.90% in 0.0012 secs"
SUCCESS = line(
    "success", r" Success rate:\t{}", Slot(ANSWERED, "total", read_by(_share, r"[0-9]{1,3}\.[0-9]{2}%")),
    rank=0, loose=r"Success rate: ([0-9.]{1,12}%?|NaN%?)", sign=r"Success rate: (?:[0-9]|NaN)",
)  # fmt: skip
# An excerpt may begin with it; with "secs" it may be hey's.
TOTAL = line(
    "total", r" Total:\t{}", Slot(ELAPSED, "total", _TIME), rank=1,
    loose=r"Total: ([0-9]{1,12}\.[0-9]{4}(?: 10)? (?:[num]s|sec|min|hr))",
    sign=r"Total: [0-9]+\.[0-9]+ (?:10|[num]s|sec|min|hr)",
)  # fmt: skip
TOTAL_SECS = line(
    "total", r" Total:\t{}", Slot(ELAPSED, "total", _TIME), rank=1, inside=True, loose=r"Total: ([0-9.]{1,16} secs)"
)
SLOWEST = _latency("Slowest", "max", 2)
FASTEST = _latency("Fastest", "min", 3)
AVERAGE = _latency("Average", "mean", 4)
RATE = line(
    "requests/sec", r" Requests/sec:\t{}", Slot(THROUGHPUT, "total", _RATE), rank=5, inside=True,
    loose=r"Requests/sec: ([0-9]{1,12}\.[0-9]{4})",
)  # fmt: skip
DATA = _size("Total data", BODIES, 6)
SIZE = _size("Size/request", BODY, 7)
SIZE_RATE = _size("Size/sec", RATE_BODIES, 8)
HISTOGRAM, BAR = _title("Response time histogram:", 9), _bars(10)
LATENCIES = LineSpec(
    "title", ("Response", "Latency"), re.compile("(?:Response time|Latency) distribution:"), 11, ignore, inside=True
)
PERCENTILE = _percentiles(LATENCY, 12)
# With --stats-success-breakdown.
BREAKDOWN = [
    spec
    for rank, group, metric in ((13, "2xx only", OK_LATENCY), (17, r"4xx \+ 5xx only", ERROR_LATENCY))
    for spec in (
        _title(rf"Response time histogram \({group}\):", rank),
        _bars(rank + 1),
        _title(rf"Response time distribution \({group}\):", rank + 2),
        _percentiles(metric, rank + 3),
    )
]
DETAILS = _title(r"Details \(average, fastest, slowest\):", 21)
PHASES = [
    line(
        "phase", rf" {re.escape(name)}:\t{{}}, {{}}, {{}}", *(Slot(metric, stat, _TIME) for stat in ("mean", "min",
        "max")),
        rank=rank, keys=[f"{name}:"], inside=True,
        loose=", ".join([f"{re.escape(name)}: {_LOOSE_TIME}", *[_LOOSE_TIME] * 2]),
    )
    for rank, (name, metric) in enumerate((("DNS+dialup", DNS_AND_CONNECT), ("DNS-lookup", DNS_LOOKUP)), 22)
]  # fmt: skip
STATUSES = line("status", "Status code distribution:", rank=24, inside=True)
STATUS = line("status", r" \[[0-9]{3}\] [0-9]{1,18} responses", rank=25, keys=["responses"], inside=True, repeat=True)
ERRORS = _title("Error distribution:", 26, "errors")

LINES = (
    SUCCESS, TOTAL, TOTAL_SECS, SLOWEST, FASTEST, AVERAGE, RATE, DATA, SIZE, SIZE_RATE, HISTOGRAM, BAR, LATENCIES,
    PERCENTILE, *BREAKDOWN, DETAILS, *PHASES, STATUSES, STATUS, ERRORS,
)  # fmt: skip


def belongs(report: Report, text: str, line: int) -> bool:
    """Whether a line belongs to the error distribution, whose messages may be any text."""
    return "errors" in report.seen and _ERROR.fullmatch(text) is not None


def finish(report: Report) -> None:
    """Add the sums of counts per status and per message."""
    failures.note_failures(report, add_sums(report, _counts(report)), "Requests/sec")


def _counts(report: Report) -> Iterator[tuple[Metric, int, int]]:
    """Each count of a status or a message: its metric, the count, its line."""
    in_errors = False
    for number, text in report.printed_lines():
        in_errors = in_errors or "Error distribution:" in text
        if status := _COUNTED_STATUS.search(text):
            yield from responses(int(status[1]), int(status[2]), number)
        elif in_errors and (error := _COUNTED_ERROR.search(text)):
            yield failures.failure_metric(error[2]), int(error[1]), number


def lacks(report: Report) -> Lack | None:
    """The part that an incomplete report lacks; None for a complete one."""
    return None if "status" in report.seen else Lack("its Status code distribution", "note")


_COUNTED_STATUS = re.compile(r"\[([0-9]{3})\]\s+([0-9]{1,18}) responses")  # "[200] 20 responses"
_COUNTED_ERROR = re.compile(r"\[([0-9]{1,18})\] (\S.*)")  # "[5] aborted due to deadline"
_ERROR = re.compile(r"\[[0-9]{1,18}\] \S.*")


def _describe(report: Report, match: re.Match[str]) -> bool:
    return True


def _printed_percentile(share: float) -> Form:
    return PERCENTILE.printed(rf"  {re.escape(f'{share:.2f}')}% in {{}}", Slot(LATENCY, f"p{share:g}", _TIME))


# Of oha 1.0 and later; without failures and without colours.
LAYOUT = ReportLayout(
    " Success rate:\t",
    SUCCESS,
    (
        once(SUCCESS, TOTAL, SLOWEST, FASTEST, AVERAGE, RATE, BLANK, DATA, SIZE, SIZE_RATE, BLANK, HISTOGRAM),
        repeated("bars", BAR),
        once(BLANK, LATENCIES.printed("Response time distribution:")),
        once(*map(_printed_percentile, (10, 25, 50, 75, 90, 95, 99, 99.9, 99.99))),
        once(BLANK, BLANK, DETAILS, *PHASES, BLANK, STATUSES),
        repeated("statuses", STATUS),
    ),
    _describe,
)
