"""The values that pass from the parsers to the tables. This module imports no other module of the package."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "note"]
Better = Literal["lower", "higher"]

BASE_UNITS = ("s", "bytes", "1/s", "bytes/s", "ratio", "1")  # of metrics; a ratio is from 0 to 1, "1" counts

COPY = "copy"  # the code of a diagnostic at the first line of a run whose numbers all equal an earlier run's
FEWEST_COPIED = 8  # numbers of a run that may be a copy of another run; fewer may be equal by chance
INCOMPLETE = "incomplete"  # the code of a diagnostic at the last line of a run whose report ends too early


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A part of a source that could not be read, or that contradicts another part.

    ``code`` is a stable word for programs (``bad-cell``, ``label-conflict`` …). ``message`` tells people what happened
    and what to do. ``line`` counts from 1; None means the whole source.
    """

    source: str
    line: int | None
    severity: Severity
    code: str
    message: str

    def __str__(self) -> str:
        where = self.source if self.line is None else f"{self.source}:{self.line}"
        return f"{where}: {self.severity}: {self.message}"


class Label(NamedTuple):
    """A fact about a run, such as ``cores=36``, with its origin and the line of the text that gives it.

    The origins are those of `wrkparse.context.precedence.ORIGINS`. ``text`` is the text that gives the label (``-c64``,
    ``## heron v2``), None if there is none or it is not known. ``rule`` is the kind of that text: ``option``,
    ``variable``, ``setting``, ``name`` … (docs/labels.md).
    """

    key: str
    value: str
    origin: str
    line: int | None = None
    text: str | None = None
    rule: str | None = None


new_label: Callable[[tuple[object, ...]], Label] = partial(tuple.__new__, Label)
"""Make a label of all its fields, in half the time of ``Label(…)``: each run has a dozen."""


class Metric(NamedTuple):
    """The meaning of a number. ``unit`` is a base unit: s, bytes, 1/s, bytes/s, ratio (0 to 1), 1 (a count).

    ``share_of`` is set for counts of failures: the metric that they are a part of. Runs are compared by their shares.
    """

    name: str
    unit: str
    better: Better | None
    title: str
    share_of: str | None = None


class Column(NamedTuple):
    """A column of a table. The kind ``time`` is in UTC, ``clock`` has no zone, ``ints`` is a list."""

    name: str
    kind: Literal["string", "int", "float", "bool", "time", "clock", "ints"]
    doc: str


class Measurement(NamedTuple):
    """One number of a report, in the base unit of its metric.

    ``resolution`` is half the last printed digit in that unit; 0 for a count, which is exact. ``value`` is None if the
    tool printed ``nan``: it had no data.
    """

    metric: str
    stat: str
    value: float | None
    unit: str
    resolution: float | None
    line: int


class NumberKinds(NamedTuple):
    """What each number of a report is, and its line, counted from the report's first one, which is 0."""

    metrics: tuple[str, ...] = ()
    stats: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    places: tuple[int, ...] = ()


class Measurements(NamedTuple):
    """The measurements of a report that begins at `line`, as columns. Reports of one form share the kinds."""

    kinds: NumberKinds = NumberKinds()
    values: tuple[float | None, ...] = ()
    resolutions: tuple[float | None, ...] = ()
    line: int = 0

    @classmethod
    def of(cls, measurements: Iterable[Measurement], line: int) -> Measurements:
        """The columns of these measurements of a report that begins at a line."""
        # Without measurements, zip gives nothing: six empty columns.
        metrics, stats, values, units, resolutions, lines = list(zip(*measurements, strict=True)) or [()] * 6
        return cls(NumberKinds(metrics, stats, units, tuple([at - line for at in lines])), values, resolutions, line)

    def plus(self, number: Measurement) -> Measurements:
        """These measurements and one more."""
        return Measurements.of([*self.rows(), number], self.line)

    @property
    def lines(self) -> tuple[int, ...]:
        """The line of each number in the source."""
        return tuple(map(self.line.__add__, self.kinds.places))

    def rows(self) -> list[Measurement]:
        """The measurements one by one."""
        metrics, stats, units, _ = self.kinds
        return list(map(Measurement, metrics, stats, self.values, units, self.resolutions, self.lines))


new_measurements: Callable[[tuple[object, ...]], Measurements] = partial(tuple.__new__, Measurements)
"""Make measurements of all their fields, in half the time of ``Measurements(…)``."""
