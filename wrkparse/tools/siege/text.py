r"""What siege prints at its end: ``main()`` of its ``src/main.c``.

::

    Transactions:		        2052 hits
    Availability:		       66.69 %
    Elapsed time:		        0.52 secs
    Data transferred:	        0.04 MB
    Response time:		        0.00 secs
    Transaction rate:	     3946.15 trans/sec
    Throughput:		        0.07 MB/sec
    Concurrency:		        3.77
    Successful transactions:        2052
    Failed transactions:	        1025
    Longest transaction:	        0.02
    Shortest transaction:	        0.00

Megabytes are 2^20 bytes (``data_get_megabytes`` of ``src/data.c``). Since 4.1.6 times of responses are in
milliseconds, with ``ms`` after them; before, in seconds with two decimals, so 0.00 is anything below 5 ms.
"""

from __future__ import annotations

import math
import re

from wrkparse.model.records import Measurement, Metric
from wrkparse.model.units import PERCENT, PLAIN, Quantity, Scale, parse_count, parse_quantity
from wrkparse.tools.common import (
    ACHIEVED,
    BODIES,
    ELAPSED,
    LATENCY,
    RATE_BODIES,
    REQUESTS,
    SUCCEEDED,
    THROUGHPUT,
    UNEXPECTED,
    keep_only,
)
from wrkparse.tools.lines import LineSpec, ReadLine, inner
from wrkparse.tools.report import Lack, Report
from wrkparse.tools.siege.metrics import AVAILABILITY

# "** SIEGE 4.0.7", "** Preparing 25 concurrent users for battle.", "HTTP/1.1 200 0.00 secs: 80 bytes ==> GET /"
PREAMBLE = re.compile(
    r"\*\* (?:SIEGE [0-9]|Preparing [0-9]).*|The server is now under siege.*|Lifting the server siege.*"
    r"|can change the failure threshold in \$HOME/\.siegerc|\[(?:error|alert|warning)\] .*"
    r"|HTTP/[0-9.]{1,4} [0-9]{3} .{1,40} bytes ==> .*"
)
_SECONDS: Scale = {"": (0, 1), "secs": (0, 1), "sec": (0, 1), "ms": (-3, 1)}
_MEGABYTES: Scale = {"": (0, 2**20)}


def _time(text: str) -> Quantity:
    return parse_quantity(text.replace(" ", ""), _SECONDS)


def _share(text: str) -> Quantity:
    return parse_quantity(f"{text}%", PERCENT)


def _megabytes(text: str) -> Quantity:
    return parse_quantity(text, _MEGABYTES)


def _plain(text: str) -> Quantity:
    return parse_quantity(text, PLAIN)


_READERS = {
    "hits": parse_count, "%": _share, "secs": _time, "MB": _megabytes, "trans/sec": _plain, "MB/sec": _megabytes,
    "": _plain, "count": parse_count,
}  # fmt: skip


def _number(metric: Metric, stat: str, unit: str) -> ReadLine:
    def read(report: Report, match: re.Match[str], line: int) -> None:
        report.add_printed(metric, stat, _READERS[unit], match[1], line)

    return read


def _spec(name: str, metric: Metric, rank: int, unit: str, stat: str = "total", *, inside: bool = True) -> LineSpec:
    behind = "" if unit in ("", "count", "secs") else f" {re.escape(unit)}"
    number = r"(\S+(?: (?:secs?|ms))?)" if unit == "secs" else r"(\S+)"
    key = name.partition(" ")[0] if " " in name else f"{name}:"
    return LineSpec(
        name.casefold(), (key,), re.compile(f"{name}: {number}{behind}"), rank,
        _number(metric, stat, unit), inside=inside, sign="[0-9] hits" if not inside else "",
    )  # fmt: skip


LINES = (
    _spec("Transactions", REQUESTS, 0, "hits", inside=False),
    _spec("Availability", AVAILABILITY, 1, "%"),
    _spec("Elapsed time", ELAPSED, 2, "secs"),
    _spec("Data transferred", BODIES, 3, "MB"),
    _spec("Response time", LATENCY, 4, "secs", "mean"),
    _spec("Transaction rate", THROUGHPUT, 5, "trans/sec"),
    _spec("Throughput", RATE_BODIES, 6, "MB/sec"),
    _spec("Concurrency", ACHIEVED, 7, "", "mean"),
    _spec("Successful transactions", SUCCEEDED, 8, "count"),
    inner("okay", "HTTP", r"HTTP OK received: [0-9]{1,18}", 9),
    _spec("Failed transactions", UNEXPECTED, 10, "count"),
    _spec("Longest transaction", LATENCY, 11, "secs", "max"),
    _spec("Shortest transaction", LATENCY, 12, "secs", "min"),
)


def finish(report: Report) -> None:
    """Set the resolution of the rates, which siege computes from a time in ticks of 10 ms.

    Rates and times are 0, and left out, without a transaction; so is the rate of a test that took less than a tick.
    """
    done, failed, rate = report.measurement(REQUESTS), report.measurement(UNEXPECTED), report.measurement(THROUGHPUT)
    if done is None or done.value is None:
        return
    missed = failed.value if failed is not None and failed.value is not None else 0.0
    if not done.value:
        keep_only(report, REQUESTS, SUCCEEDED, UNEXPECTED, AVAILABILITY)
        message = f"no transaction succeeded, {missed:.0f} failed: rates and times are left out"
        report.warn(done.line, message, "failed-requests")
    elif rate is not None and not rate.value:
        report.measurements = [number for number in report.measurements if number.metric not in _RATES]
        report.warn(
            rate.line, "the elapsed time is shorter than siege prints: its rates of 0 are left out", "too-short"
        )
    else:
        elapsed = report.measurement(ELAPSED)
        seconds = elapsed.value if elapsed is not None and elapsed.value else math.inf
        report.measurements = [_with_ticks(number, seconds) for number in report.measurements]


def _with_ticks(number: Measurement, seconds: float) -> Measurement:
    """A rate with the resolution that the ticks of its time leave; other numbers unchanged."""
    if number.metric not in _RATES or number.value is None or number.resolution is None:
        return number
    return number._replace(resolution=max(number.resolution, number.value * _TICK / seconds))


_TICK = 0.01  # seconds: times() counts them, data_get_elapsed() divides by sysconf(_SC_CLK_TCK)
_RATES = frozenset({THROUGHPUT.name, RATE_BODIES.name, ACHIEVED.name})


def lacks(report: Report) -> Lack | None:
    """The part that an incomplete report lacks; None for a complete one."""
    return None if "shortest transaction" in report.seen else Lack("its Shortest transaction line", "note")
