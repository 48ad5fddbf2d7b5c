"""The word ``time`` of bash, ksh, mksh, zsh, tcsh and fish, and ``time -p``, which all programs and shells print alike.

Where the forms come from: bash's ``execute_cmd.c`` (``BASH_TIMEFORMAT``) and ``jobs.c``, ksh93's ``xec.c``
(``p_time``), mksh's ``c_time``, zsh's ``jobs.c`` (``printtime``), tcsh's ``sh.time.c``, fish's ``timer.cpp``.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from wrkparse.model.records import Metric
from wrkparse.model.units import Scale, parse_count
from wrkparse.tools.common import ELAPSED
from wrkparse.tools.layout import ReportLayout, once
from wrkparse.tools.lines import LineSpec, Slot, decimals, line, read_by
from wrkparse.tools.report import Report
from wrkparse.tools.time.values import (
    AMID_TIMES,
    ANY_TIME,
    AVERAGE_DATA,
    AVERAGE_TEXT,
    CPU_SHARE,
    ENDED,
    FIRST,
    INPUTS,
    MAJOR,
    OUTPUTS,
    SIGNAL,
    SWAPS,
    SYSTEM,
    USER,
    add_value,
    parse_time,
    read_values,
)

_c = re.compile
_TIMES = (ELAPSED, USER, SYSTEM)


def _read_bash_line(metric: Metric, report: Report, match: re.Match[str], line: int) -> None:
    if " " in match[1]:
        report.dialect = "busybox"
    else:  # only ksh93 pads the seconds, knows hours and stops at hundredths
        report.dialect = "ksh" if re.search(r"h|m[0-9]{2}[.,][0-9]{2}s", match[1]) else "bash"
    add_value(report, metric, match[1], line)


# by the decimals of "real 0.10"; three are those of a format of zsh or bash that imitates it
_PLAIN_DIALECTS = {2: "posix", 6: "toybox"}


def _read_posix_line(metric: Metric, report: Report, match: re.Match[str], line: int) -> None:
    plain = ":" not in match[1] and not match["unit"]
    report.dialect = _PLAIN_DIALECTS.get(len(match[2]), "own format") if plain else "own format"
    add_value(report, metric, match[1], line)


def _read_value(metric: Metric, report: Report, match: re.Match[str], line: int) -> None:
    add_value(report, metric, match[1], line)


def _read_named_times(metrics: tuple[Metric, ...], report: Report, match: re.Match[str], line: int) -> None:
    read_values("gnu -f" if ":" in match[1] else "own format", metrics, report, match, line)


def _read_zsh_line(report: Report, match: re.Match[str], line: int) -> None:
    report.dialect = "zsh"
    if command := (match["command"] or "").removeprefix("^C").lstrip("-*•+ ").rstrip():  # without the sign of a list
        report.add_label("command", command, line)
    for metric, name in ((USER, "user"), (SYSTEM, "system"), (CPU_SHARE, "share"), (ELAPSED, "elapsed")):
        add_value(report, metric, match[name], line)


_FISH_UNITS: Scale = {"micros": (-6, 1), "millis": (-3, 1), "secs": (0, 1), "mins": (0, 60)}


def _read_fish_line(metric: Metric, report: Report, match: re.Match[str], line: int) -> None:
    report.dialect = "fish"
    report.add_cell(metric, "total", match[1].replace(",", ".", 1) + match[2], _FISH_UNITS, line)


# The numbers of signals that are the same on every system, by the words of strsignal(3) and by their names.
_SIGNALS = {
    **dict.fromkeys(("hangup", "sighup"), 1),
    **dict.fromkeys(("interrupt", "sigint"), 2),
    **dict.fromkeys(("quit", "sigquit"), 3),
    **dict.fromkeys(("illegal instruction", "illegal hardware instruction", "sigill"), 4),
    **dict.fromkeys(("aborted", "abort", "abort trap", "sigabrt"), 6),
    **dict.fromkeys(("floating point exception", "sigfpe"), 8),
    **dict.fromkeys(("killed", "sigkill"), 9),
    **dict.fromkeys(("segmentation fault", "sigsegv"), 11),
    **dict.fromkeys(("terminated", "sigterm"), 15),
}
_SIGNAL_NAMES = "|".join(sorted(_SIGNALS, key=len, reverse=True))
_BY_SIGNAL = rf"(?P<signal>{_SIGNAL_NAMES})(?:: [0-9]+)?(?: \(core dumped\))?"
_SIGNAL_LINES = {  # by the key and the sign of the line
    # bash: line 1: 20251 Killed                  sh -c "kill -9 \$\$"
    ("line", ": line [0-9]+: [0-9]"): rf"\S{{1,200}}: line [0-9]{{1,9}}: [0-9]{{1,9}} {_BY_SIGNAL} (?P<command>.*)",
    # zsh: killed     ./server
    ("zsh:", "zsh: "): rf"zsh: {_BY_SIGNAL} (?P<command>.*)",
    # fish: Job 1, './server' terminated by signal SIGKILL (Forced quit)
    (
        "fish:",
        "fish: ",
    ): rf"fish: (?:Job [0-9]{{1,9}}, )?'(?P<command>.*)' terminated by signal (?P<signal>{_SIGNAL_NAMES}) \(.*\)",
}
_MOST_LINES_AFTER_END = 3  # lines from the message about a killed command to its times


def _read_signal(report: Report, match: re.Match[str], line: int) -> None:
    report.add(SIGNAL, "total", parse_count(str(_SIGNALS[match["signal"].lower()])), line)
    report.add_label("command", match["command"], line)


def drop_distant_end(report: Report) -> None:
    """Drop the message about a killed command unless the times of the command are directly below it."""
    if "killed" not in report.seen:
        return
    line = report.line
    below = [row for row in report.measurements if row.line != line]
    if below and below[0].line - line > _MOST_LINES_AFTER_END:
        report.measurements = below
        report.labels = [label for label in report.labels if label.line != line]
        report.text = report.text[1:]
        report.line = below[0].line


def missing_line(report: Report) -> str | None:
    """The last line of a report of a shell or of ``time -p``, if the report does not have it."""
    lines = report.seen & {"shell", "plain", "fish"}
    return "its sys line" if lines and not report.measurement(SYSTEM) else None


# "0m0.102s", "0m 0,10s", "1h 2m 03s"
_MINUTES_PATTERN = r"((?:[0-9]{1,15}h ?)?[0-9]{1,15}m ?[0-9]{1,15}(?:[.,][0-9]{1,9})?s)"
_WORD = "(?: [A-Za-z]{2,30})"  # after a number with its unit
_REMARK = r"(?: ?(?:#|//|<-|←|--|[(|;,]).*)?"
# "0.10", "0,10", "1:02.03": 1 to 3 decimals, 6 of toybox or 9
_DECIMAL = r"((?:[0-9]{1,15}:){0,2}[0-9]{1,15}[.,]([0-9]{1,3}|[0-9]{6}|[0-9]{9}))"
_SEPARATOR = r"[ ,;|/]{1,9}"
_SHARE = rf"(?:{_SEPARATOR}([0-9]{{1,9}}(?:[.,][0-9]{{1,3}})?%)(?: (?:cpu|CPU))?)?"
_NAMES_BEFORE_TIMES = rf"real ({ANY_TIME}){_SEPARATOR}user ({ANY_TIME}){_SEPARATOR}sys ({ANY_TIME}){_REMARK}"
_NAMES_AFTER_TIMES = rf"({ANY_TIME}) real{_SEPARATOR}({ANY_TIME}) user{_SEPARATOR}({ANY_TIME}) sys(?:tem)?{_SHARE}"
# "./a  0.10s user 0.02s system 98% cpu 0.122 total"
_ZSH_TIMES = (
    r"(?P<user>[0-9]{1,15}[.,][0-9]{1,9})s user,? (?P<system>[0-9]{1,15}[.,][0-9]{1,9})s system,? "
    r"(?P<share>[0-9]{1,15}%) cpu,? (?P<elapsed>[0-9:]{1,30}[.,][0-9]{1,9}) total"
)
_ZSH_PATTERN = rf"(?:(?P<command>.*) )?{_ZSH_TIMES}"
_ZSH_NOTED_PATTERN = rf"(?P<command>[-*•+] )?{_ZSH_TIMES}[,;]? .*"  # with what people add to it in a list
# "%Uu %Ss %E %P\t%X+%Dk %I+%Oio %Fpf+%Ww"; where the system keeps no more than times, "%Uu %Ss %E %P"
_TCSH_PATTERN = (
    r"([0-9]{1,15}\.[0-9]{1,9})u ([0-9]{1,15}\.[0-9]{1,9})s ([0-9]{1,15}:[0-9:]{1,30}(?:\.[0-9]{1,9})?) "
    r"([0-9]{1,15}(?:\.[0-9]{1,9})?%)"
)
_TCSH_SIZES_PATTERN = r" ([0-9]{1,15})\+([0-9]{1,15})k ([0-9]{1,15})\+([0-9]{1,15})io ([0-9]{1,15})pf\+([0-9]{1,15})w"
_TCSH_TIMES = (USER, SYSTEM, ELAPSED, CPU_SHARE)
_TCSH_METRICS = (*_TCSH_TIMES, AVERAGE_TEXT, AVERAGE_DATA, INPUTS, OUTPUTS, MAJOR, SWAPS)
_TIMES_AND_SHARE = (*_TIMES, CPU_SHARE)
_MKSH_USER_PATTERN = f"{_MINUTES_PATTERN} user {_MINUTES_PATTERN} system"
_MKSH_PATTERN = f"{_MINUTES_PATTERN} real {_MKSH_USER_PATTERN}"  # "0m0.10s real     0m0.10s user     0m0.00s system"
_REAL_SIGN = "real [0-9]+[dhm:.,]"
_USER_SIGN = "user [0-9]+(?:h|m)"
_TCSH_SIGN = "[0-9]u [0-9]"  # "u" alone is in every text

_SECONDS = decimals(2)
_MINUTES = read_by(parse_time, r"[0-9]{1,9}m[0-9]{1,2}\.[0-9]{3}s")


def _bash_line(kind: str, name: str, metric: Metric, rank: int, *, sign: str = "") -> LineSpec:
    """A line of bash: the name, a TAB, minutes and seconds."""
    spec = line(
        kind,
        rf"{name}\t{{}}",
        Slot(metric, "total", _MINUTES),
        rank=rank,
        keys=[name],
        loose=f"{name} {_MINUTES_PATTERN}(?:{_WORD}|{_REMARK})",
        read=partial(_read_bash_line, metric),
        inside=not sign,
        sign=sign,
    )
    return replace(spec, behind_word=bool(sign))


def _posix_line(kind: str, name: str, metric: Metric, rank: int, *, sign: str = "") -> LineSpec:
    """A line of ``time -p``: the name, a blank, seconds."""
    spec = line(
        kind,
        f"{name} {{}}",
        Slot(metric, "total", _SECONDS),
        rank=rank,
        loose=rf"{name} {_DECIMAL}(?P<unit>s\b)?{_REMARK}",  # zsh prints "2.08s" with TIMEFMT='real\t%E …'
        read=partial(_read_posix_line, metric),
        inside=not sign,
        sign=sign,
    )
    return replace(spec, behind_word=bool(sign))


_BASH = (
    _bash_line("shell", "real", ELAPSED, FIRST, sign=_REAL_SIGN),
    _bash_line("shell", "user", USER, FIRST + 1, sign=_USER_SIGN),
    _bash_line("sys", "sys", SYSTEM, FIRST + 2),
)
_POSIX = (
    _posix_line("real", "real", ELAPSED, FIRST, sign=_REAL_SIGN),
    _posix_line("plain", "user", USER, FIRST + 1),
    _posix_line("sys", "sys", SYSTEM, FIRST + 2),
)
# "cpu 89%", which people add to a TIMEFMT that imitates bash's
_CPU = LineSpec("cpu", ("cpu",), _c(r"cpu ([0-9]{1,9}%)"), FIRST + 3, partial(_read_value, CPU_SHARE), inside=True)

LINES = (
    *(
        LineSpec("killed", (key,), _c(f"(?i:{pattern})"), ENDED, _read_signal, yields=True, sign=sign)
        for (key, sign), pattern in _SIGNAL_LINES.items()
    ),
    LineSpec(
        "one line",
        ("real",),
        _c(_NAMES_BEFORE_TIMES),
        FIRST,
        partial(_read_named_times, _TIMES),
        sign=_REAL_SIGN,
        behind_word=True,
    ),
    *_BASH,
    *_POSIX,
    _CPU,
    LineSpec("mksh", ("real",), _c(_MKSH_PATTERN), FIRST, partial(read_values, "mksh", _TIMES), sign=AMID_TIMES),
    LineSpec(
        "mksh",
        ("user",),
        _c(_MKSH_USER_PATTERN),
        FIRST,
        partial(read_values, "mksh", (USER, SYSTEM)),
        sign="s user [0-9]",
    ),
    LineSpec(
        "one line",
        ("real", "real,"),
        _c(_NAMES_AFTER_TIMES),
        FIRST,
        partial(_read_named_times, _TIMES_AND_SHARE),
        sign=AMID_TIMES,
    ),
    LineSpec("zsh", ("total",), _c(_ZSH_PATTERN), FIRST, _read_zsh_line, sign="% cpu [0-9]", any_front=True),
    LineSpec("zsh", ("s",), _c(_ZSH_NOTED_PATTERN), FIRST, _read_zsh_line, sign="% cpu [0-9]"),
    LineSpec(
        "tcsh",
        ("u",),
        _c(_TCSH_PATTERN + _TCSH_SIZES_PATTERN),
        FIRST,
        partial(read_values, "tcsh", _TCSH_METRICS),
        sign=_TCSH_SIGN,
        behind_word=True,
    ),
    LineSpec(
        "tcsh",
        ("u",),
        _c(_TCSH_PATTERN),
        FIRST,
        partial(read_values, "tcsh", _TCSH_TIMES),
        sign=_TCSH_SIGN,
        behind_word=True,
    ),
    LineSpec(
        "fish",
        ("Executed",),
        _c(r"Executed in (\S+) (\w+) fish external"),
        FIRST,
        partial(_read_fish_line, ELAPSED),
        sign="fish external",
    ),
    LineSpec(
        "fish", ("usr",), _c(r"usr time (\S+) (\w+)(?: .*)?"), FIRST + 1, partial(_read_fish_line, USER), inside=True
    ),
    LineSpec(
        "fish", ("sys",), _c(r"sys time (\S+) (\w+)(?: .*)?"), FIRST + 2, partial(_read_fish_line, SYSTEM), inside=True
    ),
)


def _layout(dialect: str, sign: str, lines: tuple[LineSpec, ...]) -> ReportLayout:
    def describe(report: Report, match: re.Match[str]) -> bool:
        report.dialect = dialect
        return True

    return ReportLayout(sign, lines[0], [once(*lines)], describe)


LAYOUTS = (_layout("bash", "real\t", _BASH), _layout("posix", "real ", _POSIX))
