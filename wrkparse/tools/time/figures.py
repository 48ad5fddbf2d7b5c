"""What every form of ``time`` prints: its figures, and how one is read from the text that stands for it."""

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

# Kernels that do not keep these report 0: a 0 says nothing.
AVERAGES = (AVERAGE_TEXT, AVERAGE_DATA, AVERAGE_STACK, AVERAGE_TOTAL, AVERAGE_RSS)
METRICS = (
    USER, SYSTEM, ELAPSED, CPU_SHARE, MAX_RSS, PEAK_FOOTPRINT, *AVERAGES, MAJOR, MINOR, SWAPS, INPUTS, OUTPUTS,
    VOLUNTARY, INVOLUNTARY, SOCKET_SENT, SOCKET_RECEIVED, SIGNALS, INSTRUCTIONS, CYCLES, PAGE_SIZE, EXIT_STATUS, SIGNAL,
)  # fmt: skip

# Ranks: what stands in front of the figures, and their first line.
FAILED, ENDED, NAMED, FIRST = range(4)

# Digits of one step of a time; the bound keeps a long row of digits from being tried at each of them.
_N = "[0-9]{1,15}"
# A time in any of the forms, with a fraction: "0.10", "1m2.03s", "0:00.10", "1d1h5,00s"
ANY_TIME = rf"(?:{_N}[dhm:] ?){{0,3}}{_N}[.,][0-9]{{1,9}}s?"
AMID_TIMES = "[0-9]s? real [0-9]+[dhm:.,]"  # what holds a line that names its times behind them, as a sign of `Rule`
_STEPPED = re.compile(rf"(?:({_N})d ?)?(?:({_N})h ?)?(?:({_N})m ?)?({_N}(?:\.[0-9]{{0,9}})?)s?")
_CLOCK = re.compile(rf"()(?:({_N}):)?({_N}):({_N}(?:\.[0-9]{{0,9}})?)")
_SECONDS = re.compile(rf"{_N}\.[0-9]{{1,9}}")
_IN_SECONDS = (86400, 3600, 60)


def seconds(text: str) -> Quantity:
    """Read ``1:02:03``, ``0:02.61``, ``125m3,004s``, ``1h 2m 03s``, ``1d1h5.00s``, ``101ms`` or ``0.10``.

    Raises ValueError, in words fit for a diagnostic, on anything else.
    """
    if _SECONDS.fullmatch(text):
        return parse_quantity(text, PLAIN)
    if text.endswith(("ms", "us", "ns")):
        return parse_quantity(text, SECONDS)
    plain = text.replace(",", ".", 1)
    match = _STEPPED.fullmatch(plain) or _CLOCK.fullmatch(plain)
    if match is None:
        raise ValueError(f"{text[:40]!r} is not a time")
    *steps, low = match.groups()
    whole, dot, fraction = low.partition(".")
    total = int(whole) + sum(int(step or 0) * size for step, size in zip(steps, _IN_SECONDS, strict=True))
    return parse_quantity(f"{total}{dot}{fraction}", PLAIN)


def _share(text: str) -> Quantity:
    return parse_quantity(text.replace(",", ".", 1).removesuffix("%") + "%", PERCENT)


def _kibibytes(text: str) -> Quantity:
    if "." in text:
        raise ValueError(f"{text[:40]!r} is not a whole number of KiB")
    return parse_quantity(text, KIBIBYTES)


# How a figure is printed follows from what it measures; sizes are in KiB but where a reader says otherwise.
_READ: dict[str, Callable[[str], Quantity]] = {
    "s": seconds,
    "1": parse_count,
    "ratio": _share,
    "bytes": _kibibytes,
}
# What people put where a figure was, and GNU time itself where it has none: "...elapsed", "?%CPU".
_ELIDED = re.compile(r"[.…?*_-]*%?")


def figure(report: Report, metric: Metric, text: str | None, line: int) -> None:
    """Read one figure; one that was elided is missing, one that can't be read costs itself and a diagnostic."""
    if text is None or _ELIDED.fullmatch(text) or (metric in AVERAGES and text == "0"):
        return
    try:
        quantity = parse_count(text) if metric is PAGE_SIZE else _READ[metric.unit](text)
    except ValueError as problem:
        report.bad(line, f"{metric.name}: {problem}")
    else:
        report.add(metric, "total", quantity, line)


def busybox_rss(report: Report, text: str, line: int) -> None:
    """Take busybox's figure where it is proven right.

    Up to 1.36, busybox takes the KiB of the kernel for pages of 4 KiB: four times a whole number of pages, which is a
    multiple of 16. Any other number comes from a busybox without this mistake.
    """
    if text.isdecimal() and int(text[-4:]) % 16:  # 10000 is a multiple of 16
        figure(report, MAX_RSS, text, line)
    else:
        message = "max_rss left out: older busybox takes its KiB for pages and prints 4 times too much"
        report.bad(line, message, "unit-unknown")


def figures(metrics: tuple[Metric, ...], report: Report, match: re.Match[str], line: int) -> None:
    """Read a line's figures in the order of its groups."""
    for metric, text in zip(metrics, match.groups(), strict=True):
        figure(report, metric, text, line)


def form(dialect: str, metrics: tuple[Metric, ...], report: Report, match: re.Match[str], line: int) -> None:
    """Read a line whose look says what printed it."""
    report.dialect = dialect
    figures(metrics, report, match, line)
