"""The two kinds of tool.

A *report* tool (wrk, ab, time) prints one block of lines about one run. Its module has a `LineSpec` for each printed
line, and yields measurements. An *event* tool (gctrace, schedtrace) prints a line per event for as long as a process
lives, gigabytes at times: its module turns many lines at once into columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import pyarrow as pa

from wrkparse.model.records import Column, Metric
from wrkparse.tools.layout import ReportLayout
from wrkparse.tools.lines import LineSpec
from wrkparse.tools.report import Lack, Report


@dataclass(frozen=True, slots=True, eq=False)
class Flags:
    """What a tool's command line says of a run: option → label key.

    ``options`` take a value, ``switches`` don't. ``positional`` is the label key of the last argument without a dash.
    """

    options: Mapping[str, str] = field(default_factory=dict)
    switches: frozenset[str] = frozenset()
    positional: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ReportTool:
    """A tool that prints one report per run."""

    name: str
    metrics: tuple[Metric, ...]
    lines: tuple[LineSpec, ...]
    programs: frozenset[str]
    flags: Flags = Flags()
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
    # Label key → function from a format that a flag or a variable gives to the lines that it prints.
    formats: Mapping[str, Callable[[str], tuple[LineSpec, ...]]] = field(default_factory=dict)
    # Complete reports that are read in one piece.
    layouts: tuple[ReportLayout, ...] = ()


class Events(NamedTuple):
    """What a stream made of some lines.

    Each of ``tables`` has the tool's columns without ``run`` and ``line``, and first ``index`` (int64): the row came
    from ``lines[index]``. ``starts`` are the indices at which another process's events begin. ``bad`` are lines that
    look like the tool's and can't be read, with the reason.
    """

    tables: dict[str, pa.Table]
    starts: list[int]
    bad: list[tuple[int, str]]


class EventStream(Protocol):
    """Reads one source's events of one tool, block after block; remembers what it needs from block to block."""

    def decode(self, lines: Sequence[bytes]) -> Events:
        """Turn lines, each as `EventTool.find` found it, into columns."""

    def follow(self, events: Events) -> Events:
        """What `decode` makes of lines, from what a new stream made of them: usual events, each sound."""


class Opening(NamedTuple):
    """How a usual event begins: with a word, a number of so many digits at most, and a mark of two bytes or more."""

    word: bytes
    digits: int
    mark: bytes


@dataclass(frozen=True, slots=True)
class EventTool:
    """A tool that prints a line per event, as long as its process lives."""

    name: str
    # Finds in a block of text each stretch from where an event's line seems to begin to the end of the line.
    find: re.Pattern[bytes]
    # What every such stretch holds, as a regular expression of RE2: text without it is passed over.
    sign: str
    # One of which each of them holds: so short a text as the lines between two reports is passed over by these.
    words: tuple[str, ...]
    stream: Callable[[], EventStream]
    tables: Mapping[str, tuple[Column, ...]]
    # The table whose first row speaks for the run, and which of its columns are labels of the run.
    main: str
    reports: Mapping[str, str]
    # The column of the main table that numbers a process's events one by one, if there is one.
    count: str = ""
    # The column of the main table with the time since the process started, if there is one.
    time: str = ""
    # Of its runs, where no column ``era`` of the main table says it of each.
    dialect: str | None = None
    metrics: tuple[Metric, ...] = ()
    # Finds the same as `find`, and faster, for it begins with letters, in text without what `rare` matches (for RE2).
    usual: re.Pattern[bytes] | None = None
    rare: str = ""
    # How the events begin that `usual` finds.
    opening: Opening | None = None
    # How a line begins that other output tore before `find` could tell it: matched where a line's own text begins.
    torn: re.Pattern[bytes] = re.compile(rb"(?!)")
    # What can only be the rest of an event's line that was wrapped, though the line is one without it.
    rest: re.Pattern[bytes] = re.compile(rb"(?!)")
