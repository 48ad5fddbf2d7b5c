"""The values that pass from the readers to the tables; this module imports nothing of ours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "note"]
Better = Literal["lower", "higher"]

INCOMPLETE = "incomplete"  # the code of a diagnostic at the last line of a run whose report ends too early


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something that was not understood, or that contradicts something else.

    ``code`` is a stable word for programs (``bad-cell``, ``label-conflict`` …), ``message`` is for people: it says
    what happened and what to do. ``line`` is 1-based; None speaks of the whole file.
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
    """One thing that is said of a run: ``cores=36``; by whom (``origin``), and in which line if it is in the text."""

    key: str
    value: str
    origin: str
    line: int | None = None


class Metric(NamedTuple):
    """What a number means. ``unit`` is a base unit: s, bytes, 1/s, bytes/s, ratio (0 to 1), 1 (a count)."""

    name: str
    unit: str
    better: Better | None
    title: str


class Column(NamedTuple):
    """A column of a table. ``kind`` is one of string, int, float, bool, time (UTC), clock, ints (a list)."""

    name: str
    kind: Literal["string", "int", "float", "bool", "time", "clock", "ints"]
    doc: str


class Measurement(NamedTuple):
    """One number of a report, in its metric's base unit.

    ``resolution`` is half the last printed digit in that unit, 0 for a count (a printed count is exact). ``value`` is
    None where the tool itself printed ``nan``: it had nothing to compute from.
    """

    metric: str
    stat: str
    value: float | None
    unit: str
    resolution: float | None
    line: int


class Numbers(NamedTuple):
    """The measurements of a report as columns, in the order of `Measurement`."""

    metrics: tuple[str, ...] = ()
    stats: tuple[str, ...] = ()
    values: tuple[float | None, ...] = ()
    units: tuple[str, ...] = ()
    resolutions: tuple[float | None, ...] = ()
    lines: tuple[int, ...] = ()

    @classmethod
    def of(cls, measurements: Iterable[Measurement]) -> Numbers:
        """These measurements."""
        return cls(*zip(*measurements, strict=True))

    def plus(self, number: Measurement) -> Numbers:
        """These measurements and one more."""
        return Numbers.of([*self.rows(), number])

    def rows(self) -> list[Measurement]:
        """Each number by itself."""
        return [Measurement(*row) for row in zip(*self, strict=True)]
