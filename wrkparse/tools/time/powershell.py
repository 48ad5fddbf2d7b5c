"""PowerShell's ``Measure-Command``: the list of the properties of a .NET ``TimeSpan``, a line each.

    Seconds           : 8
    Milliseconds      : 618
    Ticks             : 86182763
    TotalDays         : 9.9748568287037E-05

A tick is 100 ns; all the other lines say the same, rounded or in part. Other TimeSpans are listed like this, too:
``New-TimeSpan -Minutes 85`` has whole seconds, which one measurement in ten million has.
"""

from __future__ import annotations

import re

from wrkparse.model.units import Quantity
from wrkparse.tools.common import ELAPSED
from wrkparse.tools.lines import LineSpec
from wrkparse.tools.report import Report
from wrkparse.tools.time.figures import FIRST

_PARTS = ("Days", "Hours", "Minutes", "Seconds", "Milliseconds")
_TOTALS = ("TotalDays", "TotalHours", "TotalMinutes", "TotalSeconds", "TotalMilliseconds")
_TICKS = 10_000_000  # in a second
_LAST = FIRST + len(_PARTS) + len(_TOTALS)


def _begin(report: Report, match: re.Match[str], line: int) -> None:
    report.dialect = "powershell"


def _same(report: Report, match: re.Match[str], line: int) -> None:
    """A line that says what the ticks say."""


def _ticks(report: Report, match: re.Match[str], line: int) -> None:
    report.dialect = "powershell"
    if int(match[1]) % _TICKS == 0:
        report.unmeasured = "a TimeSpan of whole seconds is computed, not measured"
    report.add(ELAPSED, "total", Quantity(int(match[1]) / 1e7, 0.5e-7), line)


def lacks(report: Report) -> str | None:
    """What a report of this one lacks at its end."""
    return "its TotalMilliseconds" if "ticks" in report.seen and report.rank < _LAST else None


def _line(name: str, rank: int, number: str) -> LineSpec:
    return LineSpec("timespan", (name,), re.compile(rf"{name} : {number}"), rank, _same, inside=True)


LINES = (
    LineSpec(
        "timespan",
        ("Days",),
        re.compile("Days : [0-9]{1,9}"),
        FIRST,
        _begin,
        yields=True,
        sign="Days : [0-9]",
    ),
    *(_line(name, FIRST + rank, "[0-9]{1,9}") for rank, name in enumerate(_PARTS[1:], 1)),
    LineSpec("ticks", ("Ticks",), re.compile("Ticks : ([0-9]{1,18})"), FIRST + 5, _ticks, inside=True),
    *(_line(name, FIRST + rank, r"[0-9][0-9.,E+-]{0,30}") for rank, name in enumerate(_TOTALS, 6)),
)
