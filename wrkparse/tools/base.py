"""What a report tool is made of.

A *report* tool (wrk, ab, time) prints one block of lines about one run. Its module has a `LineSpec` for each printed
line, and yields measurements. An *event* tool (gctrace, schedtrace) prints a line per event for as long as a process
lives, gigabytes at times; see `wrkparse.tools.event`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from wrkparse.model.records import Column, Label, Metric
from wrkparse.tools.layout import ReportLayout
from wrkparse.tools.lines import LineSpec
from wrkparse.tools.objects import ObjectForm
from wrkparse.tools.report import Lack, Report
from wrkparse.tools.samples import LineForm, SampleForm


@dataclass(frozen=True, slots=True, eq=False)
class Flags:
    """What a tool's command line says of a run: option → label key.

    ``options`` take a value, ``switches`` don't. ``positional`` is the label key of the last argument without a dash.
    With ``pipeline`` the options of all its commands in a line hold: ``vegeta attack -rate=100 | vegeta report``.
    Without ``glued`` no value stands directly behind a letter, as for Go's package flag: ``-stdclient`` is one option.
    """

    options: Mapping[str, str] = field(default_factory=dict)
    switches: frozenset[str] = frozenset()
    positional: str | None = None
    pipeline: bool = False
    glued: bool = True


class Loop(NamedTuple):
    """How a load generator decides when to send the next request; None: not known, or no load generator.

    ``kind`` is ``open`` if it sends at a rate that was asked for, whatever the responses do, so that the throughput is
    that rate as long as the server keeps up. It is ``closed`` if a connection waits for a response before it sends its
    next request, with or without a limit of the rate. ``corrected``: a latency is counted from when the request was
    due, so that no wait of the generator is left out (coordinated omission).
    """

    kind: Literal["open", "closed"] | None = None
    corrected: bool | None = None


class Counting(NamedTuple):
    """What a load generator counts: the audit and comparisons need it of each tool.

    ``latency`` says from when a latency is counted: ``from when the request is sent``. ``rate_is_quotient``: the rate
    that it prints is its requests divided by its elapsed time, so the audit checks the three together.
    ``failures_among_requests``: its requests include those that failed; other tools count these beside them.
    ``error_statuses`` are those of the responses that ``non_2xx`` counts: `FROM_400` or `ALL_BUT_2XX`.
    """

    latency: str = ""
    rate_is_quotient: bool = False
    failures_among_requests: bool = False
    error_statuses: str = ""


NO_LOOP = Loop()
NO_COUNTING = Counting()
FROM_400 = "400 or more"
ALL_BUT_2XX = "any but 2xx, redirects included"
CLOSED = Loop("closed", corrected=False)


def option(labels: Sequence[Label], key: str) -> str | None:
    """The value that an option of the command line gives a label; None without it."""
    for label in reversed(labels):
        if label.key == key and label.origin == "flag":
            return label.value
    return None


class UnprintedZero(NamedTuple):
    """Counts that a tool prints only if they are not zero.

    Where a report has the metrics ``before`` and ``behind``, which are always printed in front of their line and after
    it, and they are absent, they are 0. If they are the parts of a count, as ab's causes of failures, ``whole`` is
    that count, and must be 0 too. ``not_in`` are dialects that print these counts elsewhere.
    """

    metrics: tuple[Metric, ...]
    before: Metric
    behind: Metric
    whole: Metric | None = None
    not_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ReportTool:
    """A tool that prints one report per run."""

    name: str
    metrics: tuple[Metric, ...]
    lines: tuple[LineSpec, ...]
    programs: frozenset[str]
    flags: Flags = Flags()
    loop: Loop = NO_LOOP
    # Called after `finish`, with the labels of the run, where the report or the options of its command line decide.
    loop_of: Callable[[Report, Sequence[Label]], Loop] | None = None
    counting: Counting = NO_COUNTING
    # Those of its runs that have another tool's name, by that name: wrk reads wrk2.
    counting_by_name: Mapping[str, Counting] = field(default_factory=dict)
    # Other tables than the measurements that its reports fill; their columns without the run.
    tables: Mapping[str, tuple[Column, ...]] = field(default_factory=dict)
    # Kinds of lines: a report that has one of them is a run, any other a fragment, which becomes a diagnostic ...
    evidence: frozenset[str] = frozenset()
    # ... unless it has only lines of these kinds, which are also printed or quoted without a run (`wrk -v`).
    idle: frozenset[str] = frozenset()
    # Called after the last line: derives labels, settles the dialect.
    finish: Callable[[Report], None] = lambda report: None
    # Called after that with a report that is a run: what is missing at its end that the tool always prints.
    lacks: Callable[[Report], Lack | None] = lambda report: None
    # Called with a line (as found, and its number) that no spec matched while a report is open: whether the line
    # belongs to the report all the same.
    goes_on: Callable[[Report, str, int], bool] = lambda report, raw, line: False
    # The same, called with the line's text without prefix and decorations, its blanks collapsed.
    belongs: Callable[[Report, str, int], bool] | None = None
    # Called when a report begins behind another one of the tool, under the same headings and commands: the new report
    # takes over what was printed once for both.
    carry: Callable[[Report, Report], None] | None = None
    # The tool that prints a part of this tool's report in files of its own: its open report becomes this tool's where
    # this tool's next line follows.
    prints_report_of: str | None = None
    # Label key → function from a format that a flag or a variable gives to the lines that it prints.
    formats: Mapping[str, Callable[[str], tuple[LineSpec, ...]]] = field(default_factory=dict)
    unprinted_zeros: tuple[UnprintedZero, ...] = ()
    # Whether it runs the program that it measures: what stands in front of its report is printed by that.
    times_program: bool = False
    # What it prints in place of the program's command where it measured none: zsh's `time` alone.
    no_commands: frozenset[str] = frozenset()
    # The lines that it prints in front of its report's first one: no text of the page, and no title of what follows.
    preamble: re.Pattern[str] | None = None
    # The objects of JSON that it writes, each a run.
    objects: tuple[ObjectForm, ...] = ()
    # The files with a row for each request that it writes, of which runs are made.
    samples: tuple[SampleForm | LineForm, ...] = ()
    # Complete reports that are read in one piece.
    layouts: tuple[ReportLayout, ...] = ()

    def loop_of_run(self, report: Report, labels: Sequence[Label]) -> Loop:
        """The loop of a run with these labels: the tool's, unless the report or the command line decide."""
        return self.loop if self.loop_of is None else self.loop_of(report, labels)

    def takes(self, report: Report, raw: str, texts: Iterable[str], line: int) -> bool:
        """Whether a line that no spec matched belongs to an open report; `texts` are as for `belongs`."""
        if report.complete is None and self.goes_on(report, raw, line):
            return True
        return self.belongs is not None and any(self.belongs(report, text, line) for text in texts)
