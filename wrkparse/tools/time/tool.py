r"""``time``: the programs of GNU, BSD, macOS, busybox and toybox, and the word of bash, ksh, mksh, zsh, tcsh and fish.

PowerShell's ``Measure-Command`` is one of them. Most cut a time off after the last digit that they print. Two lines of
GNU time, two of its ``-v``, and bash's first::

    3.22user 2.24system 0:02.61elapsed 208%CPU (0avgtext+0avgdata 143804maxresident)k
    0inputs+0outputs (0major+36575minor)pagefaults 0swaps

            Elapsed (wall clock) time (h:mm:ss or m:ss): 0:00.45
            Maximum resident set size (kbytes): 3108

    real    0m0,102s

``sys`` is believed after ``real`` or ``user`` only, and ``real 0.10`` (``-p``) makes a run only with the ``user`` that
follows: by themselves they could be anything. A format of the user's own (``-f``, ``TIMEFORMAT``, ``TIMEFMT``) is read
where the command or setting that gives it stands above; without it only ``real``, ``user`` and ``sys`` in one line are.
"""

from __future__ import annotations

from wrkparse.tools.base import Flags, ReportTool
from wrkparse.tools.common import ELAPSED
from wrkparse.tools.report import Lack, Report
from wrkparse.tools.time import powershell, programs, shells
from wrkparse.tools.time.figures import METRICS
from wrkparse.tools.time.formats import FORMATS, MORE_LINES


def _finish(report: Report) -> None:
    programs.told_apart(report)
    programs.end_command(report)
    shells.settle_end(report)


def _lacks(report: Report) -> Lack | None:
    if report.mode == MORE_LINES:
        return Lack(report.mode, "note")
    what = programs.lacks(report) or shells.lacks(report) or powershell.lacks(report)
    if what is None:
        return None
    return Lack(what, "warning" if "command" in report.seen and not report.stated(ELAPSED) else "note")


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
    lacks=_lacks,
    goes_on=programs.command_goes_on,
    formats=FORMATS,
    layouts=(*programs.LAYOUTS, *shells.LAYOUTS),
)
