"""PowerShell's ``Measure-Command``: the list of the properties of a .NET ``TimeSpan``, a line each.

    Seconds           : 8
    Milliseconds      : 618
    Ticks             : 86182763
    TotalDays         : 9.9748568287037E-05

A tick is 100 ns. The other lines are parts of the same time, or round it. Other TimeSpans are listed like this, too:
``New-TimeSpan -Minutes 85`` has whole seconds, which one measurement in ten million has.
"""

from __future__ import annotations

import re

from wrkparse.model.units import Quantity
from wrkparse.tools.common import ELAPSED
from wrkparse.tools.lines import LineSpec
from wrkparse.tools.report import Report
from wrkparse.tools.time.values import FIRST

_PARTS = ("Days", "Hours", "Minutes", "Seconds", "Milliseconds")
_TOTALS = ("TotalDays", "TotalHours", "TotalMinutes", "TotalSeconds", "TotalMilliseconds")
_TICKS_PER_SECOND = 10_000_000  # in a second
_LAST_RANK = FIRST + len(_PARTS) + len(_TOTALS)


def _read_first_line(report: Report, match: re.Match[str], line: int) -> None:
    report.dialect = "powershell"


def _read_nothing(report: Report, match: re.Match[str], line: int) -> None:
    """Read nothing: the ticks state the same."""


def _read_ticks(report: Report, match: re.Match[str], line: int) -> None:
    report.dialect = "powershell"
    if int(match[1]) % _TICKS_PER_SECOND == 0:
        report.unmeasured = "a TimeSpan of whole seconds is computed, not measured"
    report.add(ELAPSED, "total", Quantity(int(match[1]) / 1e7, 0.5e-7), line)


def missing_line(report: Report) -> str | None:
    """The last line of a report, if the report does not have it."""
    return "its TotalMilliseconds" if "ticks" in report.seen and report.rank < _LAST_RANK else None


def _property_line(name: str, rank: int, number: str) -> LineSpec:
    return LineSpec("timespan", (name,), re.compile(rf"{name} : {number}"), rank, _read_nothing, inside=True)


LINES = (
    LineSpec(
        "timespan",
        ("Days",),
        re.compile("Days : [0-9]{1,9}"),
        FIRST,
        _read_first_line,
        yields=True,
        sign="Days : [0-9]",
    ),
    *(_property_line(name, FIRST + rank, "[0-9]{1,9}") for rank, name in enumerate(_PARTS[1:], 1)),
    LineSpec("ticks", ("Ticks",), re.compile("Ticks : ([0-9]{1,18})"), FIRST + 5, _read_ticks, inside=True),
    *(_property_line(name, FIRST + rank, r"[0-9][0-9.,E+-]{0,30}") for rank, name in enumerate(_TOTALS, 6)),
)
