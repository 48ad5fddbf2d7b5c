"""What autocannon printed before version 3.2: ``track`` of its ``lib/progressTracker.js``.

::

    Running 5s test @ http://127.0.0.1:3000/
    100 connections with 10 pipelining factor

    Stat         Avg     Stdev   Max
    Latency (ms) 9.17    33.28   757
    Req/Sec      10700.4 2661.33 12487
    Bytes/Sec    10 MB   2.49 MB 12.1 MB

    53k requests in 5s, 50.1 MB read

Versions 3.0 and 3.1 print the tables of later versions, without lines::

    Stat    2.5% 50%  97.5% 99%  Avg     Stdev   Max
    Latency 0 ms 0 ms 0 ms  0 ms 0.01 ms 0.16 ms 13.82 ms

    Stat      1%      2.5%    50%    97.5%  Avg      Stdev   Min
    Req/Sec   41119   41119   44095  44127  43098.67 1410.51 41099
    Bytes/Sec 5.22 MB 5.22 MB 5.6 MB 5.6 MB 5.47 MB  179 kB  5.22 MB

With ``-l``, a table of percentiles follows the first. Latencies are of responses with the statuses 2xx, the count at
the end is of responses with any, and the time of versions before 3 is in whole seconds.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from wrkparse.model.records import Metric
from wrkparse.model.units import Quantity
from wrkparse.tools.autocannon.text import (
    PERCENTILE,
    keep_cell,
    read_head,
    read_milliseconds,
    read_percentile,
    read_rate,
    read_size,
    read_time,
)
from wrkparse.tools.common import LATENCY, THROUGHPUT, TRANSFER_RATE
from wrkparse.tools.lines import LineSpec, ReadLine, inner
from wrkparse.tools.report import Report

_COLUMNS = "Avg Stdev Max"  # of the only table before version 3
_NUMBER = r"([0-9][0-9.]{0,17})"
_SIZE = r"([0-9][0-9.]{0,11} [kMGTPE]?B)"  # "2.49 MB"
_TIME = r"([0-9][0-9.]{0,17} ms)"  # "0.01 ms"
_HEAD = r"(?:[0-9.]{1,8}% ){4}Avg Stdev "
_NO_MINIMUM = "9007199254740991"  # the largest whole number of JavaScript: no second was measured


def _row(metric: Metric, read_cell: Callable[[str], Quantity]) -> ReadLine:
    """A function that reads a row by the names of its columns."""

    def read(report: Report, match: re.Match[str], line: int) -> None:
        for name, text in zip(report.mode.split(), match.groups(), strict=False):
            if text is None:
                report.warn(line, f"{len(report.mode.split())} cells belong here: {match[0]}", "bad-line")
                return
            if text != _NO_MINIMUM:
                keep_cell(report, metric, name, read_cell, text, line)

    return read


def _cells(cell: str) -> str:
    """Three cells, or the seven of later versions."""
    return " ".join([cell] * 3) + f"(?: {' '.join([cell] * 4)})?"


LINES = (
    LineSpec("head", ("Stat",), re.compile(f"Stat ({_COLUMNS}|{_HEAD}Max)"), 4, read_head, sign=r"Stat (?:Avg|2\.5%)"),
    inner("latency", "Latency", rf"Latency \(ms\) {_NUMBER} {_NUMBER} {_NUMBER}", 5, _row(LATENCY, read_milliseconds)),
    inner("latency", "Latency", "Latency " + " ".join([_TIME] * 7), 5, _row(LATENCY, read_time)),
    inner("head", "Stat", f"Stat ({_HEAD}Min)", 6, read_head),
    inner("req/sec", "Req/Sec", f"Req/Sec {_cells(_NUMBER)}", 7, _row(THROUGHPUT, read_rate)),
    inner("bytes/sec", "Bytes/Sec", f"Bytes/Sec {_cells(_SIZE)}", 8, _row(TRANSFER_RATE, read_size)),
    inner("percentiles", "Percentile", r"Percentile Latency \(ms\)", 13),
    inner("percentile", "", f"{PERCENTILE} {_NUMBER}", 14, read_percentile, repeat=True),
)
