"""Defines a report tool.

A *report* tool (wrk, ab, time) prints one block of lines about one run. Its module has a `LineSpec` for each printed
line, and yields measurements. An *event* tool (gctrace, schedtrace) prints a line per event while a process runs,
gigabytes at times; see `wrkparse.tools.event`.
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
    """The labels that the command line of a tool gives a run: option → label key.

    ``options`` take a value, ``switches`` do not. ``positional`` is the label key of the last argument without a dash.
    With ``pipeline`` the options of all commands of the tool in a line hold: ``vegeta attack -rate=100 | vegeta
    report``. Without ``glued``, a value never directly follows a letter, as with flags of Go: ``-stdclient`` is one
    option.
    """

    options: Mapping[str, str] = field(default_factory=dict)
    switches: frozenset[str] = frozenset()
    positional: str | None = None
    pipeline: bool = False
    glued: bool = True


class Loop(NamedTuple):
    """How a load generator decides when to send the next request; None: unknown, or not a load generator.

    ``kind`` is ``open`` if it sends at a given rate, whatever the responses do, so that the throughput is that rate
    while the server keeps up. It is ``closed`` if a connection waits for a response before it sends its next request,
    with or without a limit of the rate. ``corrected``: a latency is counted from when the request was due, so it
    includes the time for which the generator waited (coordinated omission).
    """

    kind: Literal["open", "closed"] | None = None
    corrected: bool | None = None


class Counting(NamedTuple):
    """What a load generator counts, for the audit and comparisons.

    ``latency`` says from when a latency is counted: ``from when the request is sent``. ``rate_is_quotient``: the
    printed rate is the requests divided by the elapsed time, so the audit checks the three together.
    ``failures_among_requests``: the requests include those that failed; other tools count these separately.
    ``error_statuses`` are the statuses of the responses that ``non_2xx`` counts: `FROM_400` or `ALL_BUT_2XX`.
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
    """The value of a label from an option of the command line; None without it."""
    for label in reversed(labels):
        if label.key == key and label.origin == "flag":
            return label.value
    return None


class UnprintedZero(NamedTuple):
    """Counts that a tool prints only if they are not zero.

    A missing count is 0 if the report has the metrics ``before`` and ``behind``, which are always printed before and
    after the line of the count. If the counts are the parts of another one, as the causes of failures of ab, ``whole``
    is that count, and must be 0, too. ``not_in`` are dialects that print these counts elsewhere.
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
    # Called after `finish`, with the labels of the run, if the report or the options of its command line decide.
    loop_of: Callable[[Report, Sequence[Label]], Loop] | None = None
    counting: Counting = NO_COUNTING
    # The same for runs that get the name of another tool, by that name: wrk also reads wrk2.
    counting_by_name: Mapping[str, Counting] = field(default_factory=dict)
    # Tables that its reports fill besides the measurements, with their columns without the run.
    tables: Mapping[str, tuple[Column, ...]] = field(default_factory=dict)
    # Kinds of lines: a report that has one of them is a run, any other a fragment, which becomes a diagnostic ...
    evidence: frozenset[str] = frozenset()
    # ... unless it has only lines of these kinds, which also appear without a run (`wrk -v`).
    idle: frozenset[str] = frozenset()
    # Called after the last line: derives labels and the dialect.
    finish: Callable[[Report], None] = lambda report: None
    # Called after that with a report that is a run: returns the part that the tool always prints and that is missing.
    lacks: Callable[[Report], Lack | None] = lambda report: None
    # Called with a line (as in the source, and its number) that no spec matched while a report is open: returns
    # whether the line belongs to the report.
    goes_on: Callable[[Report, str, int], bool] = lambda report, raw, line: False
    # The same, called with the text of the line without prefix and decorations, its blanks collapsed.
    belongs: Callable[[Report, str, int], bool] | None = None
    # Called when two reports of the tool are under the same headings and commands: the second one takes over lines that
    # were printed once for both.
    carry: Callable[[Report, Report], None] | None = None
    # The tool that prints a part of the report of this tool as separate files: its open report becomes one of this tool
    # if a line of this tool follows.
    prints_report_of: str | None = None
    # Label key → function that returns the printed lines for a format from a flag or a variable.
    formats: Mapping[str, Callable[[str], tuple[LineSpec, ...]]] = field(default_factory=dict)
    unprinted_zeros: tuple[UnprintedZero, ...] = ()
    # Whether it runs the program that it measures: the lines before its report are output of that program.
    times_program: bool = False
    # The text that it prints instead of a command if it measured none: `time` alone in zsh.
    no_commands: frozenset[str] = frozenset()
    # The lines that it prints before the first one of its report; they are not text of the page, and not titles.
    preamble: re.Pattern[str] | None = None
    # The JSON objects that it writes, each a run.
    objects: tuple[ObjectForm, ...] = ()
    # The files with a row for each request that it writes, from which runs are made.
    samples: tuple[SampleForm | LineForm, ...] = ()
    # The layouts of complete reports, which are read in one piece.
    layouts: tuple[ReportLayout, ...] = ()
    # Finds words that only the tool prints, in a source without runs: its reports may be damaged.
    known_words: re.Pattern[str] | None = None

    def loop_of_run(self, report: Report, labels: Sequence[Label]) -> Loop:
        """The loop of a run with these labels: that of the tool, unless the report or the command line decides."""
        return self.loop if self.loop_of is None else self.loop_of(report, labels)

    def takes(self, report: Report, raw: str, texts: Iterable[str], line: int) -> bool:
        """Whether a line that no spec matched belongs to an open report; `texts` are the arguments of `belongs`."""
        if report.complete is None and self.goes_on(report, raw, line):
            return True
        return self.belongs is not None and any(self.belongs(report, text, line) for text in texts)
