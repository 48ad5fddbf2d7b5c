r"""The text that k6 prints: what it will run, and the summary at its end, in both layouts.

Before the test k6 prints a line for each scenario (``GetDescription`` in ``lib/executor/``), then progress lines. The
summary is that of ``internal/js/summary.js`` since 1.0::

      █ TOTAL RESULTS

        HTTP
        http_req_duration..............: avg=165.27µs min=22.39µs med=93.06µs  max=8.76ms  p(90)=233.14µs p(95)=418.21µs
          { expected_response:true }...: avg=162.8µs  min=22.39µs med=92.45µs  max=8.76ms  p(90)=229.58µs p(95)=408.7µs
        http_req_failed................: 33.34% 3251 out of 9751
        http_reqs......................: 9751   9748.549244/s

and that of ``summary-legacy.js`` before, a list of all metrics by name. Versions before 0.53 print the counts of a rate
as ``✓ 3251 ✗ 6500``. Times are cut to two decimals of their unit, without zeros at the end
(``humanizeGenericDuration``); sizes have steps of 1000 and two digits (``humanizeBytes``).

Sections of groups and scenarios, which follow the totals, repeat the metrics for a part of the requests: they belong to
the report, and their numbers are not read.
"""

from __future__ import annotations

import re

from wrkparse.model.records import Metric
from wrkparse.model.units import Quantity, Scale, parse_quantity
from wrkparse.tools.common import LATENCY, REQUESTS, UNEXPECTED, keep_only
from wrkparse.tools.durations import parse_duration
from wrkparse.tools.k6.metrics import (
    CHECKS,
    CHECKS_PASSED,
    COUNTERS,
    EXPECTED_LATENCY,
    ITERATIONS,
    TRENDS,
    USERS,
)
from wrkparse.tools.lines import ANYWHERE, LineSpec, ReadLine, ignore
from wrkparse.tools.report import Lack, Report

# The logo, and the messages of k6 below it, unlike those of other programs with the same logger.
PREAMBLE = re.compile(
    r"/\\ +Grafana .*|/ _{8,12} \\ .*\.io|time=\"[^\"]{10,40}\" level=[a-z]{1,8} msg=(?:"
    r'"(?:Request Failed|Insufficient VUs|(?:some )?thresholds|The \\"legacy\\" summary)\b.*'
    r"|.* (?:source=console|executor=\S+|scenario=\S+)\b.*)"
)
_BYTES: Scale = {"B": (0, 1), **{f"{prefix}B": (3 * power, 1) for power, prefix in enumerate("kMGTPEZY", 1)}}
_STATS = {"avg": "mean", "min": "min", "med": "p50", "max": "max"}
_ONE_STAT = r"(?:avg|min|med|max|count|p\([0-9]{1,3}(?:\.[0-9]{1,9})?\))=\S{1,40}"
# "avg=0s", "p(90)=1.2ms"
_STAT = re.compile(r"(avg|min|med|max|p\(([0-9]{1,3}(?:\.[0-9]{1,9})?)\))=(\S{1,40})")
_PLACES = 2  # decimals of a time and of a share
_MARK = r"(?:[✓✗] )?"
# One sign for all metric lines: the prefilter searches for it once.
_SIGN = r"(?:http_req|iteration|data_|vus|checks|dropped_)[a-z_]*\.\.\.+:"
_PLACE = {  # ranks in the older layout; in the newer one, the lines before http_* follow it
    name: rank
    for rank, name in enumerate(
        (
            "checks", "checks_total", "checks_succeeded", "checks_failed", "data_received", "data_sent",
            "dropped_iterations", "http_req_blocked", "http_req_connecting", "http_req_duration", "expected",
            "http_req_failed", "http_req_receiving", "http_req_sending", "http_req_tls_handshaking",
            "http_req_waiting", "http_reqs", "iteration_duration", "iterations", "vus", "vus_max",
        ),
        10,
    )
}  # fmt: skip
_LAST = max(_PLACE.values())
_LATE = frozenset({"data_received", "data_sent", "dropped_iterations"})
_PART = re.compile(r"\s*█ (?:GROUP|SCENARIO)\b.*")  # "█ GROUP: kiwi": its numbers are not those of the whole test
_THRESHOLDS = re.compile(r"\s*█ THRESHOLDS\s*")
# Other lines of a summary: results of checks and thresholds, other metrics, titles ...
_BETWEEN = re.compile(
    r"\s*(?:[█✓✗↳].*|\{ .{1,200}\}\.{3,}: .*|\w[^.:]{0,100}\.{3,}: .*"
    r"|(?:CUSTOM|HTTP|EXECUTION|NETWORK|BROWSER|WEB_VITALS|WEBSOCKET|GRPC))\s*"
)
_METRIC = re.compile(r"\s*\w{1,100}(?:\{.{0,200}\})?\s*")  # the title of a threshold
# ... and before and after it the log of k6, and its progress, a line each second.
_PROGRESS = re.compile(
    r'\s*(?:time="[^"]{10,40}" level=\w{1,10} .*|running \([0-9dhms.]{2,20}\), [0-9]{1,9}/[0-9]{1,9} VUs, .*'
    r"|\S.{0,100} \[ ?(?:[0-9 ]{1,4}%|-+) ?\] .*)"
)


def _trend(metric: Metric) -> ReadLine:
    def read(report: Report, match: re.Match[str], line: int) -> None:
        for stat, share, text in _STAT.findall(match[1]):
            report.add_printed(metric, _STATS.get(stat) or f"p{float(share):g}", _time, text, line)

    return read


def _time(text: str) -> Quantity:
    return parse_duration(text, _PLACES)


def _counter(metric: Metric, rate: Metric | None) -> ReadLine:
    def read(report: Report, match: re.Match[str], line: int) -> None:
        value = _size if metric.unit == "bytes" else _number
        report.add_printed(metric, "total", value, match[1], line)
        if rate is not None:
            report.add_printed(rate, "total", value, match[2], line)

    return read


def _number(text: str) -> Quantity:
    """A count, which is exact, or a rate with up to six decimals."""
    value = parse_quantity(text, {"": (0, 1)})
    return Quantity(value.value, 5e-7 if "." in text else 0.0)


def _size(text: str) -> Quantity:
    number, _, unit = text.partition(" ")
    return parse_quantity(number + unit, _BYTES)


def _rate(part: Metric, whole: Metric | None) -> ReadLine:
    def read(report: Report, match: re.Match[str], line: int) -> None:
        passed, failed, counted, total = match.groups()
        report.add_count(part, passed or counted, line)
        if whole is not None and passed is not None:
            report.add(whole, "total", Quantity(float(int(passed) + int(failed)), 0.0), line)
        elif whole is not None:
            report.add_count(whole, total, line)

    return read


def _users(report: Report, match: re.Match[str], line: int) -> None:
    report.add_count(USERS, match[1], line, stat="max")


def _scenarios(report: Report, match: re.Match[str], line: int) -> None:
    report.mode = "one" if match[1] == "1" else "several"


def _totals(report: Report, match: re.Match[str], line: int) -> None:
    report.mode = "totals"


def _executor(report: Report, match: re.Match[str], line: int) -> None:
    """Add the labels of the only scenario, and whether it is open, that is, begins iterations at a rate."""
    kind = "open" if match["rate"] or match["most"] else "closed"
    report.seen.add(f"{kind} loop")
    if report.mode != "one":
        return
    if match["rate"]:
        report.add_label("rate", f"{float(match['rate']):g}", line)
    users = match["users"] or match["each"] or match["among"]
    if users:
        report.add_label("connections", users, line)
    if time := match["time"] or match["duration"]:
        try:
            report.add_label("duration_s", f"{parse_duration(time).value:.15g}", line)
        except ValueError as problem:
            report.warn(line, f"duration: {problem}")


_T = r"[0-9hmsµn.]{2,20}"
_N = "[0-9]{1,9}"
# "* default: 5 iterations shared among 2 VUs (maxDuration: 10m0s, gracefulStop: 30s)"
_EXECUTOR = re.compile(
    rf"[^:]{{1,100}}: (?:(?P<users>{_N}) looping VUs for (?P<time>{_T})|Up to {_N} looping VUs for {_T} over .*"
    rf"|{_N} iterations for each of (?P<each>{_N}) VUs|{_N} iterations shared among (?P<among>{_N}) VUs"
    rf"|(?P<rate>{_N}\.[0-9]{{2}}) iterations/s for (?P<duration>{_T})"
    r"|Up to (?P<most>[0-9.]{1,12}) iterations/s for .*|Externally controlled execution .*)(?: \(.*\))?"
)


def _line(
    name: str, pattern: str, read: ReadLine, *, rank: int | None = None, key: str = "", inside: bool = False
) -> LineSpec:
    """The line of a metric; if layouts print it in different places, it may be in either."""

    def read_total(report: Report, match: re.Match[str], line: int) -> None:
        if report.mode != "part":
            read(report, match, line)

    place = _PLACE[name] if rank is None else rank
    return LineSpec(
        name, (key or f"{name}...:",), re.compile(rf"{_MARK}{name}\.{{3,}}: {pattern}" if not key else pattern),
        place, read_total, inside=inside, latest=_LAST if name in _LATE else ANYWHERE, sign=_SIGN,
    )  # fmt: skip


_TREND = rf"({_ONE_STAT}(?: {_ONE_STAT})*) ?"
# "50.00% ✓ 10 ✗ 10", "50.00% 10 out of 20"
_COUNTS = r"[0-9.]{1,12}% (?:✓ ([0-9]{1,18}) ✗ ([0-9]{1,18})|([0-9]{1,18}) out of ([0-9]{1,18}))"
_NUMBER = r"([0-9.]{1,20}) ([0-9.]{1,20})/s"
_SIZES = r"([0-9.]{1,12} [kMGTPEZY]?B) ([0-9.]{1,12} [kMGTPEZY]?B)/s"  # "1.2 MB 240 kB/s"

HEADER = LineSpec("header", ("execution:",), re.compile(r"execution: (?:local|cloud)"), 0, ignore)
SCRIPT = LineSpec("header", ("script:", "output:"), re.compile(r"(?:script|output): .+"), 1, ignore, True, True)
SCENARIOS = LineSpec(
    "header", ("scenarios:",),
    re.compile(r"scenarios: \([0-9.]{1,8}%\) ([0-9]{1,6}) scenarios?, [0-9]{1,9} max VUs, .*"), 2, _scenarios,
    sign=r"scenarios: \([0-9.]+%\)",
)  # fmt: skip
EXECUTOR = LineSpec("header", ("", "Up", "Externally"), _EXECUTOR, 3, _executor, repeat=True, inside=True)
TOTALS = LineSpec("totals", ("RESULTS",), re.compile("█ TOTAL RESULTS"), 9, _totals, sign="TOTAL RESULTS")
EXPECTED = _line(
    "expected", rf"\{{ ?expected_response:true ?\}}\.{{3,}}: {_TREND}", _trend(EXPECTED_LATENCY),
    key="expected_response:true", inside=True,
)  # fmt: skip

LINES = (
    HEADER, SCRIPT, SCENARIOS, EXECUTOR, TOTALS,
    *(_line(name, _TREND, _trend(metric)) for name, metric in TRENDS.items()),
    EXPECTED,
    *(
        _line(name, _SIZES if metric.unit == "bytes" else _NUMBER, _counter(metric, rate))
        for name, (metric, rate) in COUNTERS.items()
    ),
    _line("http_req_failed", _COUNTS, _rate(UNEXPECTED, None)),
    _line("checks", _COUNTS, _rate(CHECKS_PASSED, CHECKS)),
    _line("checks_succeeded", _COUNTS, _rate(CHECKS_PASSED, None)),
    _line("checks_failed", _COUNTS, ignore),
    _line("vus", r"[0-9]{1,9} min=[0-9]{1,9} max=([0-9]{1,9})", _users),
    _line("vus_max", r"[0-9]{1,9} min=[0-9]{1,9} max=[0-9]{1,9}", ignore),
)  # fmt: skip


def belongs(report: Report, text: str, line: int) -> bool:
    """Whether a line that no spec matched belongs to k6: progress, its log, or text between the metrics.

    Only the last line of progress or log is kept: k6 prints one each second.
    """
    if _PROGRESS.fullmatch(text):
        if report.text and report.text[-1][0] == report.progress:
            report.text.pop()
        report.progress = line
        return True
    if _PART.fullmatch(text):
        report.mode = "part"
    elif _THRESHOLDS.fullmatch(text):
        report.mode = "thresholds"
    elif report.mode == "thresholds" and _METRIC.fullmatch(text):
        return True
    return _BETWEEN.fullmatch(text) is not None


def finish(report: Report) -> None:
    """Leave out the times and the rate if there is no response: they are 0, or those of failures."""
    failed, done = report.measurement(UNEXPECTED), report.measurement(REQUESTS)
    slowest = report.measurement(LATENCY, "max")
    if failed and done and slowest and done.value == failed.value and not slowest.value:
        keep_only(report, REQUESTS, UNEXPECTED, ITERATIONS, CHECKS, CHECKS_PASSED, USERS)
        message = f"all {done.value:.0f} requests failed: their rate and times are left out"
        report.warn(failed.line, message, "failed-requests")


def lacks(report: Report) -> Lack | None:
    """The part that an incomplete report lacks: both layouts print iterations after the requests."""
    return None if "iterations" in report.seen else Lack("its iterations", "note")
