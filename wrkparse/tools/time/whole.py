"""Whole reports of ``time`` at once: GNU's two lines and its ``-v``, bash's three, and those of ``time -p``."""

from __future__ import annotations

import re

from wrkparse.model.records import Label
from wrkparse.model.units import KIBIBYTES, PERCENT
from wrkparse.tools.base import Report
from wrkparse.tools.common import ELAPSED
from wrkparse.tools.time.figures import (
    CPU_SHARE,
    EXIT_STATUS,
    FIRST,
    INPUTS,
    INVOLUNTARY,
    MAJOR,
    MAX_RSS,
    MINOR,
    OUTPUTS,
    PAGE_SIZE,
    SIGNALS,
    SOCKET_RECEIVED,
    SOCKET_SENT,
    SWAPS,
    SYSTEM,
    USER,
    VOLUNTARY,
    seconds,
)
from wrkparse.tools.whole import COUNT, Cell, Line, Part, Whole, decimals, read_by

_CLOCK = read_by(seconds, r"(?:[0-9]{1,9}:)?[0-9]{1,9}:[0-9]{2}\.[0-9]{2}")
_MINUTES = read_by(seconds, r"[0-9]{1,9}m[0-9]{1,2}\.[0-9]{3}s")
_SECONDS, _SHARE, _KIB = decimals(2), decimals(0, PERCENT), decimals(0, KIBIBYTES)
_GNU = (
    Line(
        "gnu",
        r"{}user {}system {}elapsed {}CPU \(0avgtext\+0avgdata {}maxresident\)k",
        ((USER, "total", _SECONDS), (SYSTEM, "total", _SECONDS), (ELAPSED, "total", _CLOCK),
         (CPU_SHARE, "total", _SHARE), (MAX_RSS, "total", _KIB)),
    ),
    Line(
        "gnu rest",
        r"{}inputs\+{}outputs \({}major\+{}minor\)pagefaults {}swaps",
        tuple((metric, "total", COUNT) for metric in (INPUTS, OUTPUTS, MAJOR, MINOR, SWAPS)),
    ),
)  # fmt: skip
_WORD = "[A-Za-z0-9./:=_,+%-]{1,200}"
_COMMAND = Line("command", rf'\tCommand being timed: "(?P<command>{_WORD}(?: {_WORD}){{0,99}})"')
_VERBOSE = (
    ("verbose", r"User time \(seconds\): {}", USER, _SECONDS),
    ("verbose", r"System time \(seconds\): {}", SYSTEM, _SECONDS),
    ("verbose", "Percent of CPU this job got: {}", CPU_SHARE, _SHARE),
    ("verbose", r"Elapsed \(wall clock\) time \(h:mm:ss or m:ss\): {}", ELAPSED, _CLOCK),
    ("verbose detail", r"Average shared text size \(kbytes\): 0", None, COUNT),
    ("verbose detail", r"Average unshared data size \(kbytes\): 0", None, COUNT),
    ("verbose detail", r"Average stack size \(kbytes\): 0", None, COUNT),
    ("verbose detail", r"Average total size \(kbytes\): 0", None, COUNT),
    ("verbose", r"Maximum resident set size \(kbytes\): {}", MAX_RSS, _KIB),
    ("verbose detail", r"Average resident set size \(kbytes\): 0", None, COUNT),
    ("verbose", r"Major \(requiring I/O\) page faults: {}", MAJOR, COUNT),
    ("verbose", r"Minor \(reclaiming a frame\) page faults: {}", MINOR, COUNT),
    ("verbose detail", "Voluntary context switches: {}", VOLUNTARY, COUNT),
    ("verbose detail", "Involuntary context switches: {}", INVOLUNTARY, COUNT),
    ("verbose detail", "Swaps: {}", SWAPS, COUNT),
    ("verbose detail", "File system inputs: {}", INPUTS, COUNT),
    ("verbose detail", "File system outputs: {}", OUTPUTS, COUNT),
    ("verbose detail", "Socket messages sent: {}", SOCKET_SENT, COUNT),
    ("verbose detail", "Socket messages received: {}", SOCKET_RECEIVED, COUNT),
    ("verbose detail", "Signals delivered: {}", SIGNALS, COUNT),
    ("verbose detail", r"Page size \(bytes\): {}", PAGE_SIZE, COUNT),
    ("verbose detail", "Exit status: {}", EXIT_STATUS, COUNT),
)


def _three(kinds: tuple[str, str, str], blank: str, time: Cell) -> tuple[Line, ...]:
    names = (("real", ELAPSED), ("user", USER), ("sys", SYSTEM))
    return tuple(
        Line(kind, f"{name}{blank}{{}}", ((metric, "total", time),))
        for kind, (name, metric) in zip(kinds, names, strict=True)
    )


def _of(dialect: str, sign: str, lines: tuple[Line, ...], last: int) -> Whole:
    def said(report: Report, match: re.Match[str]) -> bool:
        report.dialect = dialect
        if "command" in match.re.groupindex:
            report.labels.append(Label("command", match["command"], "report", report.line))
        return True

    return Whole(sign, lines[0].kind, last, [Part(lines)], said)


WHOLES = (
    _of("gnu", "elapsed ", _GNU, FIRST + 2),
    _of(
        "gnu -v",
        "\tCommand being timed: ",
        (
            _COMMAND,
            *(
                Line(kind, rf"\t{pattern}", ((metric, "total", cell),) if metric else ())
                for kind, pattern, metric, cell in _VERBOSE
            ),
        ),
        FIRST + len(_VERBOSE) - 1,
    ),
    _of("bash", "real\t", _three(("shell", "shell", "sys"), r"\t", _MINUTES), FIRST + 2),
    _of("posix", "real ", _three(("real", "plain", "sys"), " ", _SECONDS), FIRST + 2),
)
