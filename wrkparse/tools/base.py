"""What a tool's module is made of. Tools import this, `records` and `units`, and nothing else of ours.

Two kinds of tool. A *report* tool (wrk, ab, time) prints one block of lines about one run: its module is a table of
`Rule`\\ s, one per printed line, and yields measurements. An *event* tool (gctrace, schedtrace) prints a line per event
for as long as a process lives, gigabytes at times: its module turns many lines at once into columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

import pyarrow as pa

from wrkparse.model.records import Column, Diagnostic, Label, Measurement, Metric, Numbers, Severity
from wrkparse.model.units import Quantity, Scale, count, parse

if TYPE_CHECKING:
    from wrkparse.tools.whole import Whole

# Numbers in front of a word are not part of the word that names a line: "3.22user" is keyed as "user", "50%" as "%".
_NUMERIC = "0123456789.,:-"


def key_of(word: str) -> str:
    """The part of a word that names a printed line, by which rules are looked up."""
    return word.lstrip(_NUMERIC)


Columns = tuple[Sequence[object], ...]  # of a table


class AtOnce(NamedTuple):
    """What a complete report gives that is read at once: its lines with their numbers, and columns of its tables.

    ``empty`` is the last empty line among them.
    """

    lines: tuple[int, ...]
    texts: tuple[str, ...]
    empty: int | None
    numbers: Numbers
    rows: dict[str, Columns]


@dataclass(slots=True)
class Report:
    """One run's report while it is being read: what its rules have found so far.

    What was read ``at_once`` is not among the rows that rules add to, until it is `spread`.
    """

    tool: str
    source: str
    line: int
    line_end: int
    version: str | None = None
    dialect: str | None = None
    measurements: list[Measurement] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    rows: dict[str, list[tuple[object, ...]]] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    rank: int = -1
    mode: str = ""  # for the tool's own use: which part of the report the next lines belong to
    stopped: str | None = None  # why the tool gave up, in its own words
    # While the tool shows what others said (ab -v): the only kinds of lines that are believed to be its own.
    verbatim: frozenset[str] = frozenset()
    text: list[tuple[int, str]] = field(default_factory=list)
    at_once: AtOnce | None = None

    def spread(self) -> None:
        """Put what was read at once among the rows: the report goes on."""
        if self.at_once is not None:
            lines, texts, _, numbers, rows = self.at_once
            self.text = list(zip(lines, texts, strict=True))
            self.measurements = numbers.rows()
            self.rows = {table: list(zip(*columns, strict=True)) for table, columns in rows.items()}
            self.at_once = None

    @property
    def raw(self) -> str:
        """The line that is being read, as found."""
        return self.text[-1][1] if self.text else ""

    def add(self, metric: Metric, stat: str, quantity: Quantity, line: int) -> None:
        """Keep one number."""
        self.measurements.append(Measurement(metric.name, stat, quantity.value, metric.unit, quantity.resolution, line))

    def cell(self, metric: Metric, stat: str, text: str, scale: Scale, line: int) -> None:
        """Read one printed cell; a cell that can't be read costs itself and a diagnostic, nothing more."""
        try:
            self.add(metric, stat, parse(text, scale), line)
        except ValueError as problem:
            self.bad(line, f"{metric.name} {stat}: {problem}")

    def counted(self, metric: Metric, text: str, line: int, stat: str = "total") -> None:
        """Read one printed count; as `cell`."""
        try:
            self.add(metric, stat, count(text), line)
        except ValueError as problem:
            self.bad(line, f"{metric.name}: {problem}")

    def label(self, key: str, value: str, line: int) -> None:
        """Keep what the tool says of the run itself."""
        self.labels.append(Label(key, value, "report", line))

    def bad(self, line: int, message: str, code: str = "bad-cell") -> None:
        """Note something that can't be read."""
        self.diagnostics.append(Diagnostic(self.source, line, "warning", code, f"{self.tool}: {message}"))

    def stated(self, metric: Metric, stat: str = "total") -> Measurement | None:
        """The number of a metric, if it was read."""
        return next((row for row in self.measurements if (row.metric, row.stat) == (metric.name, stat)), None)

    def row(self, table: str, *values: object) -> None:
        """Keep one row of another table than the measurements (`spectrum`, `requests`); without its run."""
        self.rows.setdefault(table, []).append(values)


Reader = Callable[[Report, "re.Match[str]", int], None]


ANYWHERE = -1


class Rule(NamedTuple):
    """One kind of line of a report.

    ``pattern`` must match the whole line after its blanks were collapsed to one and decorations (quote marks, comment
    signs, list bullets) were taken off. ``keys`` are the words (`key_of`) by which the line is offered to the rule: it
    is tried when its first, second or last word is one of them.

    A report prints its lines in a fixed order: ``rank``. A line of lower rank than one already read begins the next
    report; so does one of equal rank, unless it may ``repeat``. A line of rank `ANYWHERE` stands between any others.
    """

    kind: str
    keys: tuple[str, ...]
    pattern: re.Pattern[str]
    rank: int
    read: Reader
    repeat: bool = False
    # Found in prose or in other tools' output too: believed only within a report that has begun ...
    inside: bool = False
    # ... and is of this dialect, if only that prints it there.
    dialect: str | None = None
    # Not believed where another tool's report is open: it does not interrupt one.
    modest: bool = False
    # It takes any text in front of its own: what collectors put there is looked for first.
    free: bool = False
    # How it begins, if it is found behind output whose last line had no end, too.
    late: re.Pattern[str] | None = None
    # What every line of the rule holds, as a regular expression of RE2, where the words that its pattern begins with
    # don't tell it from other lines. A blank stands for all that may part words.
    sign: str = ""


class Lack(NamedTuple):
    """What a report that ends too early has not, in words; a warning if runs are compared by it and its head is there.

    Without its head, or with what runs are compared by, it may well be an excerpt that was meant as one.
    """

    what: str
    severity: Severity


@dataclass(frozen=True, slots=True, eq=False)
class Flags:
    """How a tool's command line says what the run was: option letter or name → label key.

    ``options`` take a value, ``switches`` don't. ``positional`` is the label of the last free argument.
    """

    options: Mapping[str, str] = field(default_factory=dict)
    switches: frozenset[str] = frozenset()
    positional: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ReportTool:
    """A tool that prints one report per run."""

    name: str
    metrics: tuple[Metric, ...]
    rules: tuple[Rule, ...]
    programs: frozenset[str]
    flags: Flags = Flags()
    # Tables other than the measurements that its reports have rows of, without the run.
    tables: Mapping[str, tuple[Column, ...]] = field(default_factory=dict)
    # A report is a run when a line of one of these kinds was read; else it is a fragment, and said to be one ...
    evidence: frozenset[str] = frozenset()
    # ... unless it has lines of these kinds only, which are printed or quoted without a run as well (`wrk -v`).
    idle: frozenset[str] = frozenset()
    # Called when the last line is read: derive labels, settle the dialect.
    finish: Callable[[Report], None] = lambda report: None
    # Called then with a report that is a run: what it lacks behind its last line, which the tool always prints.
    lacks: Callable[[Report], Lack | None] = lambda report: None
    # Called with a line (as it stands, and its number) that no rule took while a report is open: whether it is the
    # report's all the same.
    goes_on: Callable[[Report, str, int], bool] = lambda report, raw, line: False
    # Label key → what a format that a flag or a variable gives makes of the tool's report: its rules.
    formats: Mapping[str, Callable[[str], tuple[Rule, ...]]] = field(default_factory=dict)
    # The forms of complete reports that are read at once.
    wholes: tuple[Whole, ...] = ()

    @property
    def keys(self) -> Iterable[tuple[str, Rule]]:
        """Each rule under each of its keys."""
        return ((key, rule) for rule in self.rules for key in rule.keys)


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
