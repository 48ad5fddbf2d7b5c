"""The file that ``ab -e`` writes: the time within which each percentage of the requests was served, as CSV.

``output_results()`` of ``support/ab.c`` of httpd prints ``%d,%.3f`` in milliseconds, up to httpd 2.2.8 ``%d,%e``; rows
go to 99, from 2.4.13 on to 100. It reads row *i* from element ``0.5 + n * i / 100`` of the sorted times, With
fewer than 51 requests it reads the last rows past the end of the array: a row with a smaller time than the row before
it is wrong, and is left out. A real file begins::

    Percentage served,Time in ms
    0,0.048
    1,0.060
"""

from __future__ import annotations

import re

from wrkparse.tools.base import ReportTool
from wrkparse.tools.common import SPECTRUM
from wrkparse.tools.lines import LineSpec
from wrkparse.tools.report import Lack, Report


def _head(report: Report, match: re.Match[str], line: int) -> None:
    report.dialect = "-e"


def _row(report: Report, match: re.Match[str], line: int) -> None:
    percent, number, exponent = match.groups()
    value = float(f"{number}e{int(exponent or 0) - 3}")
    rows = report.rows.get("spectrum")
    if rows and value < rows[-1][1]:  # type: ignore[operator]
        return report.warn(
            line, f"{percent} % within less than the row before it, which ab reads past the end; left out"
        )
    return report.add_row("spectrum", int(percent) / 100, value, None, False, line)


def _lacks(report: Report) -> Lack | None:
    """The last row: 99 up to httpd 2.4.12, 100 later."""
    return None if report.raw.strip().startswith(("99,", "100,")) else Lack("its row of 99 %", "warning")


TOOL = ReportTool(
    name="ab",
    metrics=(),
    lines=(
        LineSpec("percentiles head", ("Percentage",), re.compile(r"Percentage served,Time in ms"), 0, _head),
        LineSpec(
            "percentiles", ("",), re.compile(r"([0-9]{1,3}),([0-9]{1,15}\.[0-9]{3,6})(?:e([+-][0-9]{2}))?"), 1, _row,
            repeat=True, inside=True,
        ),
    ),
    programs=frozenset(),
    tables={"spectrum": SPECTRUM},
    evidence=frozenset({"percentiles"}),
    lacks=_lacks,
)  # fmt: skip
