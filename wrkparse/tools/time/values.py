"""The numbers that all forms of ``time`` print: their metrics, and how each is parsed."""

from __future__ import annotations

import re
from collections.abc import Callable

from wrkparse.model.records import Metric
from wrkparse.model.units import KIBIBYTES, PERCENT, PLAIN, SECONDS, Quantity, parse_count, parse_quantity
from wrkparse.tools.common import ELAPSED
from wrkparse.tools.report import Report

USER = Metric("user", "s", "lower", "CPU time in user mode")
SYSTEM = Metric("system", "s", "lower", "CPU time in the kernel")
CPU_SHARE = Metric("cpu_share", "ratio", None, "CPU time per elapsed time")
MAX_RSS = Metric("max_rss", "bytes", "lower", "Largest resident set")
PEAK_FOOTPRINT = Metric("peak_footprint", "bytes", "lower", "Largest memory footprint")
AVERAGE_TEXT = Metric("avg_shared_text", "bytes", None, "Shared text, average")
AVERAGE_DATA = Metric("avg_unshared_data", "bytes", None, "Unshared data, average")
AVERAGE_STACK = Metric("avg_stack", "bytes", None, "Stack, average")
AVERAGE_TOTAL = Metric("avg_total", "bytes", None, "Text, data and stack, average")
AVERAGE_RSS = Metric("avg_rss", "bytes", None, "Resident set, average")
MAJOR = Metric("page_faults_major", "1", "lower", "Page faults that read from a disk")
MINOR = Metric("page_faults_minor", "1", "lower", "Page faults that read nothing")
SWAPS = Metric("swaps", "1", "lower", "Times swapped out")
INPUTS = Metric("fs_inputs", "1", None, "Inputs from file systems")
OUTPUTS = Metric("fs_outputs", "1", None, "Outputs to file systems")
VOLUNTARY = Metric("context_switches_voluntary", "1", None, "Context switches in order to wait")
INVOLUNTARY = Metric("context_switches_involuntary", "1", None, "Context switches forced on the command")
SOCKET_SENT = Metric("socket_sent", "1", None, "Socket messages sent")
SOCKET_RECEIVED = Metric("socket_received", "1", None, "Socket messages received")
SIGNALS = Metric("signals", "1", None, "Signals delivered")
INSTRUCTIONS = Metric("instructions", "1", "lower", "Instructions retired")
CYCLES = Metric("cycles", "1", "lower", "CPU cycles elapsed")
PAGE_SIZE = Metric("page_size", "bytes", None, "Size of a page")
EXIT_STATUS = Metric("exit_status", "1", None, "Exit status")
SIGNAL = Metric("signal", "1", None, "Signal that ended or stopped the command")

# Most kernels do not measure these and report 0, so 0 is unknown.
AVERAGES = (AVERAGE_TEXT, AVERAGE_DATA, AVERAGE_STACK, AVERAGE_TOTAL, AVERAGE_RSS)
METRICS = (
    USER, SYSTEM, ELAPSED, CPU_SHARE, MAX_RSS, PEAK_FOOTPRINT, *AVERAGES, MAJOR, MINOR, SWAPS, INPUTS, OUTPUTS,
    VOLUNTARY, INVOLUNTARY, SOCKET_SENT, SOCKET_RECEIVED, SIGNALS, INSTRUCTIONS, CYCLES, PAGE_SIZE, EXIT_STATUS, SIGNAL,
)  # fmt: skip

# Ranks of the lines above the times, and of the first line with times.
FAILED, ENDED, NAMED, FIRST = range(4)

# Digits of one part of a time. They are bounded, so that a long row of digits is not tried at each of them.
_DIGITS = "[0-9]{1,15}"
# A time in any of the forms, with a fraction: "0.10", "1m2.03s", "0:00.10", "1d1h5,00s"
ANY_TIME = rf"(?:{_DIGITS}[dhm:] ?){{0,3}}{_DIGITS}[.,][0-9]{{1,9}}s?"
AMID_TIMES = "[0-9]s? real [0-9]+[dhm:.,]"  # the sign of a line with the names after the times
# "0m0.102s", "1d1h5.00s", "1h 2m 03s"
_TIME_WITH_UNITS = re.compile(
    rf"(?:({_DIGITS})d ?)?(?:({_DIGITS})h ?)?(?:({_DIGITS})m ?)?({_DIGITS}(?:\.[0-9]{{0,9}})?)s?"
)
# "0:02.61", "1:02:03"; the empty group is that of the days
_CLOCK_TIME = re.compile(rf"()(?:({_DIGITS}):)?({_DIGITS}):({_DIGITS}(?:\.[0-9]{{0,9}})?)")
_SECONDS = re.compile(rf"{_DIGITS}\.[0-9]{{1,9}}")
_SECONDS_OF_UNITS = (86400, 3600, 60)


def parse_time(text: str) -> Quantity:
    """Parse ``1:02:03``, ``0:02.61``, ``125m3,004s``, ``1h 2m 03s``, ``1d1h5.00s``, ``101ms`` or ``0.10``.

    Raises ValueError for any other text; its message is that of the diagnostic.
    """
    if _SECONDS.fullmatch(text):
        return parse_quantity(text, PLAIN)
    if text.endswith(("ms", "us", "ns")):
        return parse_quantity(text, SECONDS)
    plain = text.replace(",", ".", 1)
    match = _TIME_WITH_UNITS.fullmatch(plain) or _CLOCK_TIME.fullmatch(plain)
    if match is None:
        raise ValueError(f"{text[:40]!r} is not a time")
    *steps, low = match.groups()
    whole, dot, fraction = low.partition(".")
    total = int(whole) + sum(int(step or 0) * size for step, size in zip(steps, _SECONDS_OF_UNITS, strict=True))
    return parse_quantity(f"{total}{dot}{fraction}", PLAIN)


def _parse_share(text: str) -> Quantity:
    return parse_quantity(text.replace(",", ".", 1).removesuffix("%") + "%", PERCENT)


def _parse_kibibytes(text: str) -> Quantity:
    if "." in text:
        raise ValueError(f"{text[:40]!r} is not a whole number of KiB")
    return parse_quantity(text, KIBIBYTES)


# By the unit of the metric. Sizes are in KiB, except in lines that have a reader of their own.
_PARSERS_BY_UNIT: dict[str, Callable[[str], Quantity]] = {
    "s": parse_time,
    "1": parse_count,
    "ratio": _parse_share,
    "bytes": _parse_kibibytes,
}
# In place of a number: the signs of people who left it out ("...elapsed"), or of GNU time if it has no value ("?%CPU").
_ELIDED = re.compile(r"[.…?*_-]*%?")


def add_value(report: Report, metric: Metric, text: str | None, line: int) -> None:
    """Add a number to a report: nothing if it was left out, a diagnostic if it can't be parsed."""
    if text is None or _ELIDED.fullmatch(text) or (text == "0" and metric in AVERAGES):
        return
    try:
        quantity = parse_count(text) if metric is PAGE_SIZE else _PARSERS_BY_UNIT[metric.unit](text)
    except ValueError as problem:
        report.warn(line, f"{metric.name}: {problem}")
    else:
        report.add(metric, "total", quantity, line)


def add_busybox_rss(report: Report, text: str, line: int) -> None:
    """Add the resident set that busybox printed, if it is certain.

    Up to 1.36, busybox takes the KiB of the kernel for pages of 4 KiB and prints four times as much. The kernel counts
    whole pages, so such a number is a multiple of 16. Any other number comes from a busybox without this bug.
    """
    if text.isdecimal() and int(text[-4:]) % 16:  # 10000 is a multiple of 16
        add_value(report, MAX_RSS, text, line)
    else:
        message = "max_rss left out: older busybox takes its KiB for pages and prints 4 times too much"
        report.warn(line, message, "unit-unknown")


def add_values(metrics: tuple[Metric, ...], report: Report, match: re.Match[str], line: int) -> None:
    """Add the numbers of a line to a report, in the order of the groups."""
    for metric, text in zip(metrics, match.groups(), strict=True):
        add_value(report, metric, text, line)


def read_values(dialect: str, metrics: tuple[Metric, ...], report: Report, match: re.Match[str], line: int) -> None:
    """Add the numbers of a line that only one dialect prints."""
    report.dialect = dialect
    add_values(metrics, report, match, line)
