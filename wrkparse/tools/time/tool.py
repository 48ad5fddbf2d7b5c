r"""``time``: the programs of GNU, BSD, macOS, busybox and toybox, and the keyword of bash, ksh, mksh, zsh, tcsh, fish.

``Measure-Command`` of PowerShell is read, too. Most of them truncate a time after the last digit. Two lines of GNU
time, two of its ``-v``, and the first one of bash::

    3.22user 2.24system 0:02.61elapsed 208%CPU (0avgtext+0avgdata 143804maxresident)k
    0inputs+0outputs (0major+36575minor)pagefaults 0swaps

            Elapsed (wall clock) time (h:mm:ss or m:ss): 0:00.45
            Maximum resident set size (kbytes): 3108

    real    0m0,102s

``sys`` is read only after ``real`` or ``user``, and ``real 0.10`` (``-p``) is a run only with the ``user`` below it:
alone they may mean anything. A format of the user (``-f``, ``TIMEFORMAT``, ``TIMEFMT``) is read below the command or
setting that contains it; otherwise only ``real``, ``user`` and ``sys`` in one line are.
"""

from __future__ import annotations

import re

from wrkparse.tools.base import Flags, ReportTool
from wrkparse.tools.common import ELAPSED
from wrkparse.tools.report import Lack, Report
from wrkparse.tools.time import powershell, programs, shells
from wrkparse.tools.time.formats import FORMATS, MORE_LINES
from wrkparse.tools.time.values import METRICS


def _finish(report: Report) -> None:
    programs.note_doubtful_rss(report)
    programs.end_command(report)
    shells.drop_distant_end(report)


def _find_lack(report: Report) -> Lack | None:
    if report.mode == MORE_LINES:
        return Lack(report.mode, "note")
    what = programs.missing_line(report) or shells.missing_line(report) or powershell.missing_line(report)
    if what is None:
        return None
    return Lack(what, "warning" if "command" in report.seen and not report.measurement(ELAPSED) else "note")


TOOL = ReportTool(
    name="time",
    times_program=True,
    no_commands=frozenset({"shell", "children"}),
    metrics=METRICS,
    lines=(*programs.LINES, *shells.LINES, *powershell.LINES),
    programs=frozenset({"time", "gtime"}),
    flags=Flags(
        options={"-f": "flag_format", "--format": "flag_format", "-o": "flag_output", "--output": "flag_output"},
        switches=frozenset({"-v", "--verbose", "-p", "--portability", "-a", "--append", "-q", "--quiet", "-l", "-h"}),
    ),
    evidence=frozenset(
        {
            "verbose",
            "gnu",
            "toybox",
            "one line",
            "shell",
            "plain",
            "mksh",
            "zsh",
            "tcsh",
            "bsd",
            "fish",
            "format",
            "ticks",
        }
    ),
    idle=frozenset({"killed", "timespan"}),
    finish=_finish,
    lacks=_find_lack,
    goes_on=programs.continue_command,
    formats=FORMATS,
    layouts=(*programs.LAYOUTS, *shells.LAYOUTS),
    # "real 0m0.102s", "3.22user", "Maximum resident set size", and of tcsh "0.002u 0.001s".
    known_words=re.compile(
        r"^(?:real|user|sys)\s+[0-9][0-9.]*(?:m[0-9.]+)?s?$|[0-9]user\b|Maximum resident set|[0-9]u [0-9.]+s\b",
        re.MULTILINE,
    ),
)
