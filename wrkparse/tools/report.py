"""Defines a report while it is being read: the facts from the lines of one run so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from wrkparse.model.records import Diagnostic, Label, Measurement, Measurements, Metric, Severity, new_label
from wrkparse.model.units import Quantity, Scale, parse_count, parse_quantity

Columns = tuple[Sequence[object], ...]  # the columns of a table, in its order


class CompleteReport(NamedTuple):
    """A report that was read in one piece: its lines, its numbers, and columns of its other tables.

    ``places`` are the numbers of its lines that are not empty, and ``empty`` is that of its last empty line; both count
    from 0, its first line.
    """

    places: tuple[int, ...]
    texts: tuple[str, ...]
    empty: int | None
    numbers: Measurements
    rows: dict[str, Columns]


new_complete_report: Callable[[tuple[object, ...]], CompleteReport] = partial(tuple.__new__, CompleteReport)
"""Makes a `CompleteReport` of all its fields, in half the time of ``CompleteReport(…)``."""


class Lack(NamedTuple):
    """The part that an incomplete report lacks, in words.

    The severity is a warning if the report has its beginning and lacks the numbers by which runs are compared. Without
    its beginning, or with these numbers, it may be an intended excerpt.
    """

    what: str
    severity: Severity


@dataclass(slots=True)
class Report:
    """The report of one run while it is being read.

    A report that was read in one piece keeps its numbers in `complete`. If it continues, `reopen` moves them to the
    rows to which line after line is added.
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
    seen: set[str] = field(default_factory=set)  # kinds of lines
    rank: int = -1  # that of the last line, see `LineSpec`
    mode: str = ""  # set by a tool: the part of the report to which the next lines belong
    stopped: str | None = None  # the message with which the tool gave up
    unmeasured: str | None = None  # why its numbers are not measurements of the tool: then it is not a run
    # While the tool prints requests and responses (ab -v): the kinds of lines that still belong to the report.
    verbatim: frozenset[str] = frozenset()
    text: list[tuple[int, str]] = field(default_factory=list)
    # The lines of a paragraph that a formatter filled, as the tool printed them except for blanks.
    unfilled: list[tuple[int, str]] = field(default_factory=list)
    complete: CompleteReport | None = None
    progress: int | None = None  # the number of its last line of progress; only the last one is kept
    # The lines directly above, if they seemed to begin a report of another tool but did not.
    before: list[tuple[int, str]] = field(default_factory=list)

    def reopen(self) -> None:
        """Move the numbers of a report that was read in one piece to the rows for added lines: it continues."""
        if self.complete is not None:
            _, _, _, numbers, rows = self.complete
            self.text = list(self.numbered_text())
            self.measurements = numbers.rows()
            self.rows = {table: list(zip(*columns, strict=True)) for table, columns in rows.items()}
            self.complete = None

    @property
    def raw(self) -> str:
        """The line that is being read, as in the source."""
        return self.text[-1][1] if self.text else ""

    def numbered_text(self) -> Iterable[tuple[int, str]]:
        """The lines that are not empty, as in the source, with their numbers."""
        if self.complete is None:
            return self.text
        return zip(map(self.line.__add__, self.complete.places), self.complete.texts, strict=True)

    def columns(self) -> tuple[tuple[int, ...], tuple[str, ...], Measurements, dict[str, Columns]]:
        """The places and texts of its lines, its numbers, and its rows of other tables, as columns."""
        if self.complete is not None:
            places, texts, _, numbers, columns = self.complete
            return places, texts, numbers, columns
        lines, texts = zip(*self.text, strict=True)
        rows: dict[str, Columns] = {table: tuple(zip(*rows, strict=True)) for table, rows in self.rows.items()}
        return tuple([line - self.line for line in lines]), texts, Measurements.of(self.measurements, self.line), rows

    def labels_with_texts(self, places: Sequence[int], texts: Sequence[str]) -> list[Label]:
        """Its labels; labels without a text get that of their line, one of these (places and texts of `columns`)."""
        if None not in [label.text for label in self.labels]:
            return self.labels
        own = dict(zip(places, texts, strict=True))
        found: list[Label] = []
        for label in self.labels:
            key, value, origin, line, text, rule = label
            stated = own.get(line - self.line) if text is None and line is not None else None
            found.append(label if stated is None else new_label((key, value, origin, line, stated.strip(), rule)))
        return found

    def printed_lines(self) -> Iterator[tuple[int, str]]:
        """Its lines as they were printed: the lines in a string of JSON one by one, with tabs for their escapes."""
        for number, text in self.unfilled or self.numbered_text():
            for line in text.split("\\n"):
                yield number, line.replace("\\t", "\t")

    def foreign_lines(self) -> list[tuple[int, str]]:
        """Its lines with their numbers, if the report does not belong to its tool."""
        return list(self.numbered_text()) if self.mode == "foreign" else []

    def add(self, metric: Metric, stat: str, quantity: Quantity, line: int) -> None:
        """Add one number."""
        number = Measurement(metric.name, stat, quantity.value, metric.unit, quantity.resolution, line)
        if self.complete is None:
            self.measurements.append(number)
        else:
            self.complete = self.complete._replace(numbers=self.complete.numbers.plus(number))

    def add_printed(self, metric: Metric, stat: str, read: Callable[[str], Quantity], text: str, line: int) -> None:
        """Read one printed number with a function; if it can't be read, add only a diagnostic."""
        try:
            self.add(metric, stat, read(text), line)
        except ValueError as problem:
            what = metric.name if read is parse_count else f"{metric.name} {stat}"
            self.warn(line, f"{what}: {problem}")

    def add_cell(self, metric: Metric, stat: str, text: str, scale: Scale, line: int) -> None:
        """Read one printed number with a suffix of the scale, as `add_printed` does."""
        self.add_printed(metric, stat, partial(parse_quantity, scale=scale), text, line)

    def add_count(self, metric: Metric, text: str, line: int, stat: str = "total") -> None:
        """Read one printed count, as `add_printed` does."""
        self.add_printed(metric, stat, parse_count, text, line)

    def add_label(self, key: str, value: str, line: int) -> None:
        """Add a label that the tool itself prints."""
        self.labels.append(Label(key, value, "report", line, None, "printed"))

    def warn(self, line: int, message: str, code: str = "bad-cell") -> None:
        """Add a warning about something that can't be read."""
        self.diagnostics.append(Diagnostic(self.source, line, "warning", code, f"{self.tool}: {message}"))

    def measurement(self, metric: Metric, stat: str = "total") -> Measurement | None:
        """The number of a metric; None if the report does not have it."""
        return next((row for row in self.measurements if (row.metric, row.stat) == (metric.name, stat)), None)

    def add_row(self, table: str, *values: object) -> None:
        """Add one row, without its run, to another table than the measurements (`spectrum`)."""
        self.rows.setdefault(table, []).append(values)
