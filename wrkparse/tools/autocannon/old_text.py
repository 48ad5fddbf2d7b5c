"""What autocannon printed before version 3: ``track`` of its ``lib/progressTracker.js``.

::

    Running 5s test @ http://127.0.0.1:3000/
    100 connections with 10 pipelining factor

    Stat         Avg     Stdev   Max
    Latency (ms) 9.17    33.28   757
    Req/Sec      10700.4 2661.33 12487
    Bytes/Sec    10 MB   2.49 MB 12.1 MB

    53k requests in 5s, 50.1 MB read

With ``-l``, a table of percentiles follows the first. Latencies are of responses with the statuses 2xx, the count at
the end is of responses with any, and the time is in whole seconds.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from wrkparse.model.records import Metric
from wrkparse.model.units import Quantity
from wrkparse.tools.autocannon.text import (
    OLD_COLUMNS,
    PERCENTILE,
    keep_statistic,
    read_head,
    read_milliseconds,
    read_percentile,
    read_rate,
    read_size,
)
from wrkparse.tools.common import LATENCY, THROUGHPUT, TRANSFER_RATE
from wrkparse.tools.lines import LineSpec, ReadLine, inner
from wrkparse.tools.report import Report

_STATS = ("mean", "stdev", "max")
_NUMBER = r"([0-9][0-9.]{0,17})"
_SIZE = r"([0-9][0-9.]{0,11} [kMGTPE]?B)"


def _row(metric: Metric, read_cell: Callable[[str], Quantity]) -> ReadLine:
    def read(report: Report, match: re.Match[str], line: int) -> None:
        for stat, text in zip(_STATS, match.groups(), strict=True):
            keep_statistic(report, metric, stat, read_cell, text, line)

    return read


LINES = (
    LineSpec("head", ("Stat",), re.compile(f"Stat ({OLD_COLUMNS})"), 4, read_head, sign="Stat Avg"),
    inner("latency", "Latency", rf"Latency \(ms\) {_NUMBER} {_NUMBER} {_NUMBER}", 5, _row(LATENCY, read_milliseconds)),
    inner("req/sec", "Req/Sec", f"Req/Sec {_NUMBER} {_NUMBER} {_NUMBER}", 7, _row(THROUGHPUT, read_rate)),
    inner("bytes/sec", "Bytes/Sec", f"Bytes/Sec {_SIZE} {_SIZE} {_SIZE}", 8, _row(TRANSFER_RATE, read_size)),
    inner("percentiles", "Percentile", r"Percentile Latency \(ms\)", 13),
    inner("percentile", "", f"{PERCENTILE} {_NUMBER}", 14, read_percentile, repeat=True),
)
