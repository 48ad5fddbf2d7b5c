"""The programs called ``time`` of GNU, busybox, toybox, BSD and macOS.

Where the forms come from: GNU time's ``src/time.c``, the ``time.c`` of busybox, toybox, FreeBSD and Apple's
``shell_cmds``.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from wrkparse.model.records import Label, Metric
from wrkparse.model.units import KIBIBYTES, NO_VALUE, PERCENT
from wrkparse.tools.common import ELAPSED
from wrkparse.tools.layout import ReportLayout, once
from wrkparse.tools.lines import COUNT, LineSpec, Slot, decimals, line, read_by
from wrkparse.tools.report import Report
from wrkparse.tools.time.values import (
    AMID_TIMES,
    AVERAGE_DATA,
    AVERAGE_RSS,
    AVERAGE_STACK,
    AVERAGE_TEXT,
    AVERAGE_TOTAL,
    AVERAGES,
    CPU_SHARE,
    CYCLES,
    ENDED,
    EXIT_STATUS,
    FAILED,
    FIRST,
    INPUTS,
    INSTRUCTIONS,
    INVOLUNTARY,
    MAJOR,
    MAX_RSS,
    MINOR,
    NAMED,
    OUTPUTS,
    PAGE_SIZE,
    PEAK_FOOTPRINT,
    SIGNAL,
    SIGNALS,
    SOCKET_RECEIVED,
    SOCKET_SENT,
    SWAPS,
    SYSTEM,
    USER,
    VOLUNTARY,
    add_busybox_rss,
    add_value,
    add_values,
    parse_time,
    read_values,
)

_c = re.compile


def _read_failure(report: Report, match: re.Match[str], line: int) -> None:
    report.add_label("command", match[1], line)


def _read_end(report: Report, match: re.Match[str], line: int) -> None:
    outcome, number = match.groups()
    if number is None:  # BSD says that a signal ended it, but not which
        report.add(SIGNAL, "total", NO_VALUE, line)
    else:
        report.add_count(EXIT_STATUS if outcome == "exited with non-zero status" else SIGNAL, number, line)


# A number, or the signs in place of one, in GNU time's default line.
_VALUE = r"([^\sA-Za-z()+%]*)"
_GNU_PATTERN = (
    # It begins where an unfinished line of the command ended; a number is not cut in two.
    rf"(?:.*[^0-9.,:?…])?([0-9.,:?…]*)user {_VALUE}system {_VALUE}elapsed"
    # The rest is in the next line where it was wrapped.
    rf"(?: {_VALUE}%CPU(?: \({_VALUE}avgtext\+{_VALUE}avgdata(?: {_VALUE}maxresident\)k)?)?)?"
)
_GNU_SIGN = r"user (?:[^\sA-Za-z()+%]*)system "
# the second piece of the wrapped line: "208%CPU (0avgtext+0avgdata 143804maxresident)k"
_GNU_REST = rf"(?:{_VALUE}%CPU )?(?:\({_VALUE}avgtext\+{_VALUE}avgdata )?{_VALUE}maxresident\)k"
# "0inputs+0outputs (0major+36575minor)pagefaults 0swaps"
_GNU_FAULTS_PATTERN = rf"{_VALUE}inputs\+{_VALUE}outputs \({_VALUE}major\+{_VALUE}minor\)pagefaults {_VALUE}swaps"
_GNU_FIRST_METRICS = (USER, SYSTEM, ELAPSED, CPU_SHARE, AVERAGE_TEXT, AVERAGE_DATA, MAX_RSS)
_GNU_SECOND_METRICS = (INPUTS, OUTPUTS, MAJOR, MINOR, SWAPS)
# "Command exited with non-zero status 3", "time: command terminated abnormally" of BSD
_END_PATTERN = (
    r"(?:\^C)?(?:time: )?[Cc]ommand "
    r"(?:(exited with non-zero status|(?:terminated|stopped) by signal) ([0-9]+)|terminated abnormally\.?)"
)
_END_SIGN = "ommand (?:exited with|(?:terminated|stopped) by|terminated abnormally)"
# As GNU time prints them.
_SECONDS, _SHARE, _KIB = decimals(2), decimals(0, PERCENT), decimals(0, KIBIBYTES)
_CLOCK = read_by(parse_time, r"(?:[0-9]{1,9}:)?[0-9]{1,9}:[0-9]{2}\.[0-9]{2}")


def _slot(metric: Metric) -> Slot:
    """The place of a number in a line of GNU time."""
    cells = {"s": _SECONDS, "ratio": _SHARE, "bytes": _KIB, "1": COUNT}
    return Slot(metric, "total", {ELAPSED: _CLOCK, PAGE_SIZE: COUNT}.get(metric, cells[metric.unit]))


_GNU_TIMES = replace(
    line(
        "gnu",
        r"{}user {}system {}elapsed {}CPU \(0avgtext\+0avgdata {}maxresident\)k",
        *map(_slot, (USER, SYSTEM, ELAPSED, CPU_SHARE, MAX_RSS)),
        rank=FIRST,
        keys=["maxresident)k", "system"],
        loose=_GNU_PATTERN,
        read=partial(read_values, "gnu", _GNU_FIRST_METRICS),
        sign=_GNU_SIGN,
    ),
    any_front=True,
)
_GNU_FAULTS = line(
    "gnu rest",
    r"{}inputs\+{}outputs \({}major\+{}minor\)pagefaults {}swaps",
    *map(_slot, _GNU_SECOND_METRICS),
    rank=FIRST + 2,
    keys=["swaps"],
    loose=_GNU_FAULTS_PATTERN,
    read=partial(add_values, _GNU_SECOND_METRICS),
    sign="pagefaults ",
)
_GNU_LINES = (
    LineSpec(
        "failed",
        ("cannot",),
        _c(r"\S*time: cannot run (\S.*): [^:]+"),
        FAILED,
        _read_failure,
        sign="time: cannot run",
    ),
    LineSpec(
        "end",
        ("Command", "exited", "terminated", "stopped", "abnormally", "abnormally."),
        _c(_END_PATTERN),
        ENDED,
        _read_end,
        sign=_END_SIGN,
    ),
    _GNU_TIMES,
    LineSpec(
        "gnu rest",
        ("maxresident)k",),
        _c(_GNU_REST),
        FIRST + 1,
        partial(add_values, _GNU_FIRST_METRICS[3:]),
        inside=True,
    ),
    _GNU_FAULTS,
)

# The lines of GNU time's -v after the command, in their order. Only those of `_METRICS_OF_GNU_ALONE` begin with words
# that no other program prints.
_VERBOSE = {
    "User time (seconds)": USER,
    "System time (seconds)": SYSTEM,
    "Percent of CPU this job got": CPU_SHARE,
    "Elapsed (wall clock) time (h:mm:ss or m:ss)": ELAPSED,
    "Average shared text size (kbytes)": AVERAGE_TEXT,
    "Average unshared data size (kbytes)": AVERAGE_DATA,
    "Average stack size (kbytes)": AVERAGE_STACK,
    "Average total size (kbytes)": AVERAGE_TOTAL,
    "Maximum resident set size (kbytes)": MAX_RSS,
    "Average resident set size (kbytes)": AVERAGE_RSS,
    "Major (requiring I/O) page faults": MAJOR,
    "Minor (reclaiming a frame) page faults": MINOR,
    "Voluntary context switches": VOLUNTARY,
    "Involuntary context switches": INVOLUNTARY,
    "Swaps": SWAPS,
    "File system inputs": INPUTS,
    "File system outputs": OUTPUTS,
    "Socket messages sent": SOCKET_SENT,
    "Socket messages received": SOCKET_RECEIVED,
    "Signals delivered": SIGNALS,
    "Page size (bytes)": PAGE_SIZE,
    "Exit status": EXIT_STATUS,
}
_METRICS_OF_GNU_ALONE = (USER, SYSTEM, CPU_SHARE, ELAPSED, MAX_RSS, MAJOR, MINOR)
_IN_COMMAND = "in the command"
_MOST_COMMAND_LINES = 50  # of one command; if its closing quote is missing, not all of the log is its text


def _read_command(report: Report, match: re.Match[str], line: int) -> None:
    report.add_label("command", match[1].removesuffix('"'), line)
    if not match[1].endswith('"'):
        report.mode = _IN_COMMAND


def continue_command(report: Report, raw: str, line: int) -> bool:
    """Take a line of a command that has several; the closing quote ends it. Returns whether the line is one."""
    if report.mode != _IN_COMMAND or line - report.line > _MOST_COMMAND_LINES:
        return False
    command, text = report.labels.pop(), raw.rstrip()
    more = text.removesuffix('"')
    report.add_label("command", f"{command.value}\n{more}", command.line or line)
    if more != text:
        report.mode = ""
    return True


def end_command(report: Report) -> None:
    """Mark a command as cut off if its closing quote is missing."""
    if report.mode == _IN_COMMAND:
        cut = report.labels.pop()
        report.add_label("command", f"{cut.value} …", cut.line or report.line)


def _read_verbose_line(metric: Metric, report: Report, match: re.Match[str], line: int) -> None:
    report.mode = ""
    report.dialect = report.dialect or "gnu -v"
    if metric is ELAPSED and "m" in match[1]:
        report.dialect = "busybox -v"
    if metric is MAX_RSS and report.dialect == "busybox -v":
        add_busybox_rss(report, match[1], line)
    # A command that a signal killed has "Exit status: 0"; and the status is known from "Command exited …".
    elif metric is not EXIT_STATUS or "end" not in report.seen:
        add_value(report, metric, match[1], line)


def _verbose_lines() -> tuple[LineSpec, ...]:
    return tuple(
        line(
            "verbose" if metric in _METRICS_OF_GNU_ALONE else "verbose detail",
            rf"\t{re.escape(label)}: {0 if metric in AVERAGES else '{}'}",
            *(() if metric in AVERAGES else (_slot(metric),)),
            rank=rank,
            # busybox writes an elapsed time as "1h 2m 03s"
            loose=re.escape(label) + r": ([^ ]+(?: [0-9]+m)?(?: [0-9.]+s)?)",
            keys=[f"{label}:".split()[0]],
            read=partial(_read_verbose_line, metric),
            inside=metric not in _METRICS_OF_GNU_ALONE,
        )
        for rank, (label, metric) in enumerate(_VERBOSE.items(), FIRST)
    )


_TOYBOX = {
    "User time (s)": USER,
    "System time (s)": SYSTEM,
    "Max RSS (KiB)": MAX_RSS,
    "Major faults": MAJOR,
    "Minor faults": MINOR,
    "File system inputs": INPUTS,
    "File system outputs": OUTPUTS,
    "Voluntary context switches": VOLUNTARY,
    "Involuntary context switches": INVOLUNTARY,
}


def _toybox_lines() -> tuple[LineSpec, ...]:
    """The lines of -v of toybox: some of the lines of GNU in another order, so details may come in any order."""
    details = [
        LineSpec("toybox detail", (label.split()[0],), _c(re.escape(label) + r": ([0-9.]+)"), FIRST + len(_VERBOSE),
             partial(add_values, (metric,)), repeat=True, inside=True)
        for label, metric in _TOYBOX.items()
    ]  # fmt: skip
    return (
        LineSpec(
            "toybox",
            ("Real",),
            _c(r"Real time \(s\): ([0-9.]+)"),
            FIRST,
            partial(read_values, "toybox -v", (ELAPSED,)),
        ),
        *details,
    )


# -l of BSD and macOS; only macOS prints the last three
_RESOURCES = {
    "maximum resident set size": MAX_RSS,
    "average shared memory size": AVERAGE_TEXT,
    "average unshared data size": AVERAGE_DATA,
    "average unshared stack size": AVERAGE_STACK,
    "page reclaims": MINOR,
    "page faults": MAJOR,
    "swaps": SWAPS,
    "block input operations": INPUTS,
    "block output operations": OUTPUTS,
    "messages sent": SOCKET_SENT,
    "messages received": SOCKET_RECEIVED,
    "signals received": SIGNALS,
    "voluntary context switches": VOLUNTARY,
    "involuntary context switches": INVOLUNTARY,
    "instructions retired": INSTRUCTIONS,
    "cycles elapsed": CYCLES,
    "peak memory footprint": PEAK_FOOTPRINT,
}
# "  3108  maximum resident set size"
_RESOURCE = rf"([0-9]{{1,20}}) ({'|'.join(_RESOURCES)})"
_RESOURCE_WORDS = tuple(sorted({label.split()[0] for label in _RESOURCES}))
_MACOS_ONLY = (INSTRUCTIONS, CYCLES, PEAK_FOOTPRINT)
_PAGE_BYTES = 4096  # the smallest page: 16 KiB on Apple's processors is a multiple of it
_MACOS_WIDTH = re.compile(r"[ 0-9]{19}[0-9]  \w.*")  # "%20ld  %s"; BSD's and older macOS' is "%10ld  %s"


def _read_resource(report: Report, match: re.Match[str], line: int) -> None:
    number, metric = match[1], _RESOURCES[match[2]]
    if metric in _MACOS_ONLY or (report.text and _MACOS_WIDTH.fullmatch(report.text[-1][1].rstrip())):
        report.dialect = "macos"
    if metric is PEAK_FOOTPRINT:
        report.add_count(metric, number, line)
    elif metric is not MAX_RSS:
        add_value(report, metric, number, line)  # averages in KiB: BSD alone keeps them
    elif int(number) % _PAGE_BYTES:
        report.dialect = "bsd"  # macOS counts whole pages, in bytes; FreeBSD prints KiB
        add_value(report, metric, number, line)
    else:
        report.add_count(metric, number, line)
        report.mode = f"{line}"


def note_doubtful_rss(report: Report) -> None:
    """Add a diagnostic if BSD may have printed the resident set in KiB, or macOS in bytes."""
    if report.mode.isdecimal() and report.dialect != "macos":
        message = "max_rss read as bytes, as macOS prints it; it would be KiB if FreeBSD's time printed it"
        report.warn(int(report.mode), message, "unit-unknown")


def missing_line(report: Report) -> str | None:
    """The last line of a report of one of these programs, if the report does not have it."""
    seen = report.seen
    if "gnu" in seen:
        return None if report.measurement(SWAPS) else "its line of page faults"
    if "toybox" in seen:
        return None if report.measurement(INVOLUNTARY) else "its Involuntary context switches"
    if seen & {"command", "verbose", "verbose detail"}:
        return None if report.rank == FIRST + len(_VERBOSE) - 1 else "its Exit status"
    resources = "resource" in seen and not report.measurement(INVOLUNTARY)
    return "its involuntary context switches" if resources else None


_TIMES = (ELAPSED, USER, SYSTEM)
_BSD_TIME = r"((?:[0-9]{1,15}[dhm]){0,3}[0-9]{1,15}[.,][0-9]{2}s?)"  # -h: "1h2m3.04s"
_BSD_PATTERN = f"{_BSD_TIME} real {_BSD_TIME} user {_BSD_TIME} sys"

_WORD = "[A-Za-z0-9./:=_,+%-]{1,200}"
_COMMAND = line(
    "command",
    rf'\tCommand being timed: "(?P<command>{_WORD}(?: {_WORD}){{0,99}})"',
    rank=NAMED,
    keys=["Command"],
    loose=r'Command being timed: "(.*)',
    read=_read_command,
)
_VERBOSE_LINES = _verbose_lines()

LINES = (
    *_GNU_LINES,
    _COMMAND,
    *_VERBOSE_LINES,
    *_toybox_lines(),
    LineSpec("bsd", ("real",), _c(_BSD_PATTERN), FIRST, partial(read_values, "bsd", _TIMES), sign=AMID_TIMES),
    LineSpec("resource", _RESOURCE_WORDS, _c(_RESOURCE), FIRST + 1, _read_resource, repeat=True, inside=True),
)


def _describe(report: Report, match: re.Match[str]) -> bool:
    report.dialect = "gnu"
    return True


def _describe_verbose(report: Report, match: re.Match[str]) -> bool:
    report.dialect = "gnu -v"
    report.labels.append(Label("command", match["command"], "report", report.line, None, "printed"))
    return True


LAYOUTS = (
    ReportLayout("elapsed ", _GNU_TIMES, [once(_GNU_TIMES, _GNU_FAULTS)], _describe),
    ReportLayout("\tCommand being timed: ", _COMMAND, [once(_COMMAND, *_VERBOSE_LINES)], _describe_verbose),
)
