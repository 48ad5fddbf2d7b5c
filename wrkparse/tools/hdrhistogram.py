r"""HdrHistogram's percentile distribution (``.hgrm``), in a separate file.

``outputPercentileDistribution`` of ``org/HdrHistogram/AbstractHistogram.java`` prints it, and ports of HdrHistogram do.
wrk2 prints the same at the end of its report, where it belongs to that report. A real file::

           Value     Percentile TotalCount 1/(1-Percentile)

           0.029 0.000000000000          1           1.00
           0.442 0.500000000000      10002           2.00
          16.458 1.000000000000      20000
    #[Mean    =        0.565, StdDeviation   =        0.473]
    #[Max     =       16.458, Total count    =        20000]
    #[Buckets =           32, SubBuckets     =         2048]

HdrHistogram's package for Python writes ``TotalCount     =       20000.000`` (``hdrh/histogram.py``).

The file has no unit. ``HistogramLogProcessor.java`` and most other programs write milliseconds, so values are taken as
milliseconds, with a diagnostic. A percentile between two rows is the value of the upper one, which it does not exceed;
its resolution is the distance of the two.
"""

from __future__ import annotations

import re

from wrkparse.model.units import MILLISECONDS, parse_quantity
from wrkparse.tools.base import ReportTool
from wrkparse.tools.common import LATENCY, REQUESTS, SPECTRUM, add_enclosed_percentiles
from wrkparse.tools.lines import LineSpec, ignore
from wrkparse.tools.report import Lack, Report

_NUMBER = r"[0-9]{1,15}(?:\.[0-9]{1,9})?"
# "0.442 0.500000000000 10002 2.00", and the last one, which may end in "inf"
_ROW = re.compile(
    rf"({_NUMBER}) ([01]\.[0-9]{{6,12}}) ([0-9]{{1,18}})(?: (?:[0-9]{{1,18}}\.[0-9]{{1,9}}|inf|Infinity))?"
)
_FOOTER = re.compile(rf"#\[(Mean|Max|Buckets) = ({_NUMBER}), (StdDeviation|Total ?[cC]ount|SubBuckets) = ({_NUMBER})\]")
_STATS = {"Mean": "mean", "StdDeviation": "stdev", "Max": "max"}


def _row(report: Report, match: re.Match[str], line: int) -> None:
    value = parse_quantity(match[1], MILLISECONDS)
    report.add_row("spectrum", float(match[2]), value.value, int(match[3]), None, line)
    report.mode = match[1]


def _footer(report: Report, match: re.Match[str], line: int) -> None:
    for name, number in ((match[1], match[2]), (match[3], match[4])):
        if name in _STATS:
            report.add_cell(LATENCY, _STATS[name], number, MILLISECONDS, line)
        elif name.startswith("Total"):
            report.add_count(REQUESTS, number.partition(".")[0], line)  # Python's package prints a count as 10.000


def _finish(report: Report) -> None:
    """Add the percentiles that the rows enclose."""
    if "row" not in report.seen:
        return
    report.warn(report.line, "no unit is printed: the values are taken as milliseconds", "unit-unknown")
    add_enclosed_percentiles(report, parse_quantity(report.mode, MILLISECONDS).resolution or 0.0)


def _lacks(report: Report) -> Lack | None:
    return None if "buckets" in report.seen else Lack("its line '#[Buckets'", "note")


def _read_footer(kind: str, name: str, rank: int) -> LineSpec:
    return LineSpec(kind, (f"#[{name}",), _FOOTER, rank, _footer, inside=True)


TOOL = ReportTool(
    name="hdrhistogram",
    metrics=(LATENCY, REQUESTS),
    lines=(
        LineSpec(
            "head", ("Value",), re.compile(r"Value Percentile TotalCount 1/\(1-Percentile\)"), 0, ignore, yields=True,
            sign="Value Percentile TotalCount",
        ),
        LineSpec("row", ("",), _ROW, 1, _row, repeat=True, inside=True),
        _read_footer("mean", "Mean", 2),
        _read_footer("max", "Max", 3),
        _read_footer("buckets", "Buckets", 4),
    ),
    programs=frozenset(),
    tables={"spectrum": SPECTRUM},
    evidence=frozenset({"row"}),
    idle=frozenset({"head"}),
    finish=_finish,
    lacks=_lacks,
)  # fmt: skip
