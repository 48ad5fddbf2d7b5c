r"""``time``: the programs of GNU, BSD, macOS and busybox, and the word of bash, ksh, mksh, zsh, tcsh and fish.

Where the forms come from: GNU time's ``src/time.c``, bash's ``execute_cmd.c`` (``BASH_TIMEFORMAT``), zsh's ``jobs.c``
(``printtime``), tcsh's ``sh.time.c``, the ``time.c`` of FreeBSD, Apple and busybox, fish's ``timer.cpp``. Most of them
cut a time off after the last digit that they print. GNU time's two lines, two of its ``-v``, and bash's first::

    3.22user 2.24system 0:02.61elapsed 208%CPU (0avgtext+0avgdata 143804maxresident)k
    0inputs+0outputs (0major+36575minor)pagefaults 0swaps

            Elapsed (wall clock) time (h:mm:ss or m:ss): 0:00.45
            Maximum resident set size (kbytes): 3108

    real    0m0,102s

``sys`` is believed after ``real`` or ``user`` only, and ``real 0.10`` (``-p``) makes a run only with the ``user`` that
follows: by themselves they could be anything. Formats of the user's own (``-f``, ``TIMEFORMAT``) are not read, but for
``real``, ``user`` and ``sys`` in one line.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from wrkparse.records import Metric
from wrkparse.tools.base import Flags, Report, ReportTool, Rule
from wrkparse.tools.common import ELAPSED
from wrkparse.units import KIBIBYTES, NOTHING, PERCENT, PLAIN, Quantity, Scale, count, parse

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

_LONGEST = 15  # digits of an hour, a minute or a second


def seconds(text: str) -> Quantity:
    """Read ``1:02:03``, ``0:02.61``, ``125m3,004s``, ``1h 2m 03s`` or ``0.10``.

    Raises ValueError, in words fit for a diagnostic, on anything else.
    """
    *steps, low = re.split("[:hm] ?", text.replace(",", ".").removesuffix("s"))
    whole, dot, fraction = low.partition(".")
    steps.append(whole)
    if len(steps) > 3 or not all(step.isdecimal() and len(step) <= _LONGEST for step in steps):
        raise ValueError(f"{text[:40]!r} is not a time")
    total = sum(int(step) * 60**power for power, step in enumerate(reversed(steps)))
    return parse(f"{total}{dot}{fraction}", PLAIN)


def _share(text: str) -> Quantity:
    return parse(text if text.endswith("%") else text + "%", PERCENT)


# How a figure is printed follows from what it measures; sizes are in KiB but where a reader says otherwise.
_READ: dict[str, Callable[[str], Quantity]] = {
    "s": seconds,
    "1": count,
    "ratio": _share,
    "bytes": partial(parse, scale=KIBIBYTES),
}
# What people put where a figure was, and GNU time itself where it has none: "...elapsed", "?%CPU".
_ELIDED = re.compile(r"[.…?*_-]*%?")


def _figure(report: Report, metric: Metric, text: str | None, line: int) -> None:
    """Read one figure; one that was elided is missing, one that can't be read costs itself and a diagnostic."""
    if text is None or _ELIDED.fullmatch(text) or (metric in AVERAGES and text == "0"):
        return
    try:
        report.add(metric, "total", _READ[metric.unit](text), line)
    except ValueError as problem:
        report.bad(line, f"{metric.name}: {problem}")


def _figures(metrics: tuple[Metric, ...], report: Report, match: re.Match[str], line: int) -> None:
    for metric, text in zip(metrics, match.groups(), strict=True):
        _figure(report, metric, text, line)


def _form(dialect: str, metrics: tuple[Metric, ...], report: Report, match: re.Match[str], line: int) -> None:
    """Read a line whose look says what printed it."""
    report.dialect = dialect
    _figures(metrics, report, match, line)


def _ended(report: Report, match: re.Match[str], line: int) -> None:
    how, number = match.groups()
    if number is None:  # BSD says that a signal ended it, but not which
        report.add(SIGNAL, "total", NOTHING, line)
    else:
        report.counted(EXIT_STATUS if how == "exited with non-zero status" else SIGNAL, number, line)


def _command(report: Report, match: re.Match[str], line: int) -> None:
    # Without its closing quote, the command goes on in the next line.
    text = match[1]
    report.label("command", text[:-1] if text.endswith('"') else f"{text} …", line)


def _verbose(metric: Metric, report: Report, match: re.Match[str], line: int) -> None:
    report.dialect = report.dialect or "gnu -v"
    if metric is ELAPSED and "m" in match[1]:
        report.dialect = "busybox -v"
    if metric is PAGE_SIZE:
        report.counted(metric, match[1], line)
    elif metric is MAX_RSS and report.dialect == "busybox -v":
        report.bad(line, "max_rss left out: busybox takes its KiB for pages and prints too much", "unit-unknown")
    # A command that a signal killed has "Exit status: 0"; and "Command exited …" has told the status before.
    elif metric is not EXIT_STATUS or "end" not in report.seen:
        _figure(report, metric, match[1], line)


def _shell(metric: Metric, report: Report, match: re.Match[str], line: int) -> None:
    if " " in match[1] or "h" in match[1]:
        report.dialect = "busybox"
    else:  # only ksh93 pads the seconds and stops at hundredths
        report.dialect = "ksh" if re.search(r"m[0-9]{2}[.,][0-9]{2}s", match[1]) else "bash"
    _figure(report, metric, match[1], line)


# decimals of "real 0.10"; three come from a zsh or bash that was told to imitate it
_PLAIN_DIALECTS = {2: "posix", 6: "toybox"}


def _plain(metric: Metric, report: Report, match: re.Match[str], line: int) -> None:
    report.dialect = _PLAIN_DIALECTS.get(len(match[2]), "own format")
    _figure(report, metric, match[1], line)


def _zsh(report: Report, match: re.Match[str], line: int) -> None:
    report.dialect = "zsh"
    if match["command"]:
        report.label("command", match["command"].removeprefix("^C").strip(), line)
    for metric, name in ((USER, "user"), (SYSTEM, "system"), (CPU_SHARE, "share"), (ELAPSED, "elapsed")):
        _figure(report, metric, match[name], line)


_FISH: Scale = {"micros": (-6, 1), "millis": (-3, 1), "secs": (0, 1), "mins": (0, 60)}


def _fish(metric: Metric, report: Report, match: re.Match[str], line: int) -> None:
    report.dialect = "fish"
    report.cell(metric, "total", match[1] + match[2], _FISH, line)


# BSD's and macOS' -l; the last three are macOS' own
_RESOURCES = {
    "maximum resident set size": MAX_RSS,
    "average shared memory size": None,
    "average unshared data size": None,
    "average unshared stack size": None,
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
_MACOS_ONLY = (INSTRUCTIONS, CYCLES, PEAK_FOOTPRINT)
_PAGE = 4096


def _resource(report: Report, match: re.Match[str], line: int) -> None:
    number, metric = match[1], _RESOURCES[match[2]]
    if metric in _MACOS_ONLY:
        report.dialect = "macos"
    if metric is MAX_RSS and int(number) % _PAGE:
        report.dialect = "bsd"  # macOS counts whole pages, in bytes; FreeBSD prints KiB
        _figure(report, metric, number, line)
    elif metric is MAX_RSS:
        report.mode = f"{line}"
        report.counted(metric, number, line)
    elif metric is not None:
        report.counted(metric, number, line)


def _finish(report: Report) -> None:
    if report.mode and report.dialect != "macos":
        message = "max_rss read as bytes, as macOS prints it; it would be KiB if FreeBSD's time printed it"
        report.bad(int(report.mode), message, "unit-unknown")


# A figure, or what stands in its place, in GNU time's default line.
_V = r"([^\sA-Za-z()+%]*)"
_GNU = (
    # It begins where an unfinished line of the command ended; a number is not cut in two.
    rf"(?:.*[^0-9.,:?…])?([0-9.,:?…]*)user {_V}system {_V}elapsed"
    # The rest is in the next line where it was wrapped.
    rf"(?: {_V}%CPU(?: \({_V}avgtext\+{_V}avgdata(?: {_V}maxresident\)k)?)?)?"
)
_GNU_FAULTS = rf"{_V}inputs\+{_V}outputs \({_V}major\+{_V}minor\)pagefaults {_V}swaps"
_END = (
    r"(?:\^C)?(?:time: )?[Cc]ommand "
    r"(?:(exited with non-zero status|(?:terminated|stopped) by signal) ([0-9]+)|terminated abnormally\.?)"
)
# "0m0.102s", "0m 0,10s", "1h 2m 03s"
_M = r"((?:[0-9]+h ?)?[0-9]+m ?[0-9]+(?:[.,][0-9]+)?s)"
_REMARK = r"(?: ?(?:#|//|<-|←|--|[(|;,]).*)?"
_DECIMAL = r"([0-9]+[.,]([0-9]{2}|[0-9]{3}|[0-9]{6}))"
# a time in any of the forms: "0.10", "1m2.03s", "0:00.10"
_D = r"((?:(?:[0-9]+[h:] ?)?[0-9]+[m:] ?)?[0-9]+[.,][0-9]+s?)"
_ONE_LINE = rf"real {_D}[ ,;|/]*user {_D}[ ,;|/]*sys {_D}" + _REMARK
_ZSH = (
    r"(?:(?P<command>.*) )?(?P<user>[0-9]+[.,][0-9]+)s user (?P<system>[0-9]+[.,][0-9]+)s system "
    r"(?P<share>[0-9]+%) cpu (?P<elapsed>[0-9:]+[.,][0-9]+) total"
)
_TCSH = (
    r"([0-9]+\.[0-9]+)u ([0-9]+\.[0-9]+)s ([0-9:]+(?:\.[0-9]+)?) ([0-9]+\.[0-9]+%) "
    r"[0-9]+\+[0-9]+k ([0-9]+)\+([0-9]+)io ([0-9]+)pf\+(0)w"
)
_RESOURCE = f"([0-9]{{1,{_LONGEST}}}) ({'|'.join(_RESOURCES)})"
_THREE = (ELAPSED, USER, SYSTEM)
_GNU_FIRST = (USER, SYSTEM, ELAPSED, CPU_SHARE, AVERAGE_TEXT, AVERAGE_DATA, MAX_RSS)
_GNU_SECOND = (INPUTS, OUTPUTS, MAJOR, MINOR, SWAPS)
_TCSH_ALL = (USER, SYSTEM, ELAPSED, CPU_SHARE, INPUTS, OUTPUTS, MAJOR, SWAPS)
_RESOURCE_WORDS = tuple(sorted({label.split()[0] for label in _RESOURCES}))

# GNU time's -v after the command, in the order in which it is printed; from "Average …" and "Voluntary …" on, other
# programs have lines of the same words.
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
_TELLING = (USER, SYSTEM, CPU_SHARE, ELAPSED, MAX_RSS, MAJOR, MINOR)

_c = re.compile


def _verbose_rules() -> tuple[Rule, ...]:
    return tuple(
        Rule(
            "verbose" if metric in _TELLING else "verbose detail",
            (f"{label}:".split()[0],),
            _c(re.escape(label) + ": ([^ ]+(?: [0-9.]+s)?)"),
            rank,
            partial(_verbose, metric),
            inside=metric not in _TELLING,
        )
        for rank, (label, metric) in enumerate(_VERBOSE.items(), 2)
    )


# Each form's first line has rank 2, so that it begins a report whatever form the one before had.
RULES = (
    Rule("end", ("Command", "exited", "terminated", "stopped", "abnormally", "abnormally."), _c(_END), 0, _ended),
    Rule("command", ("Command",), _c(r'Command being timed: "(.*)'), 1, _command),
    *_verbose_rules(),
    Rule("gnu", ("maxresident)k", "system"), _c(_GNU), 2, partial(_form, "gnu", _GNU_FIRST)),
    Rule("gnu rest", ("maxresident)k",), _c(rf"{_V}maxresident\)k"), 3, partial(_figures, (MAX_RSS,)), inside=True),
    Rule("gnu rest", ("swaps",), _c(_GNU_FAULTS), 4, partial(_figures, _GNU_SECOND)),
    Rule("one line", ("real",), _c(_ONE_LINE), 2, partial(_form, "own format", _THREE)),
    Rule("shell", ("real",), _c(f"real {_M}{_REMARK}"), 2, partial(_shell, ELAPSED)),
    Rule("shell", ("user",), _c(f"user {_M}{_REMARK}"), 3, partial(_shell, USER)),
    Rule("sys", ("sys",), _c(f"sys {_M}{_REMARK}"), 4, partial(_shell, SYSTEM), inside=True),
    Rule("real", ("real",), _c(f"real {_DECIMAL}"), 2, partial(_plain, ELAPSED)),
    Rule("plain", ("user",), _c(f"user {_DECIMAL}"), 3, partial(_plain, USER), inside=True),
    Rule("sys", ("sys",), _c(f"sys {_DECIMAL}"), 4, partial(_plain, SYSTEM), inside=True),
    Rule("zsh", ("total",), _c(_ZSH), 2, _zsh),
    Rule("tcsh", ("pf+0w",), _c(_TCSH), 2, partial(_form, "tcsh", _TCSH_ALL)),
    Rule("bsd", ("real",), _c(f"{_D} real {_D} user {_D} sys"), 2, partial(_form, "bsd", _THREE)),
    Rule("bsd", ("real",), _c(f"{_D} real {_D} user {_D} system"), 2, partial(_form, "mksh", _THREE)),
    Rule("one line", ("real,",), _c(f"{_D} real, {_D} user, {_D} sys"), 2, partial(_form, "gnu -f", _THREE)),
    Rule("resource", _RESOURCE_WORDS, _c(_RESOURCE), 3, _resource, repeat=True, inside=True),
    Rule("fish", ("Executed",), _c(r"Executed in (\S+) (\w+) fish external"), 2, partial(_fish, ELAPSED)),
    Rule("fish", ("usr",), _c(r"usr time (\S+) (\w+)(?: .*)?"), 3, partial(_fish, USER), inside=True),
    Rule("fish", ("sys",), _c(r"sys time (\S+) (\w+)(?: .*)?"), 4, partial(_fish, SYSTEM), inside=True),
)  # fmt: skip

TOOL = ReportTool(
    name="time",
    metrics=METRICS,
    rules=RULES,
    programs=frozenset({"time", "gtime"}),
    flags=Flags(
        options={"-f": "flag_format", "--format": "flag_format", "-o": "flag_output", "--output": "flag_output"},
        switches=frozenset({"-v", "--verbose", "-p", "--portability", "-a", "--append", "-q", "--quiet", "-l", "-h"}),
    ),
    evidence=frozenset({"verbose", "gnu", "one line", "shell", "plain", "zsh", "tcsh", "bsd", "fish"}),
    finish=_finish,
)  # fmt: skip
