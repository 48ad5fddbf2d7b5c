"""The findings of a check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from wrkparse.analysis.stats.arrays import Bools, Floats, Indices, TextArray

NOTE, LATENCY_SUSPECT, SUSPECT, INVALID = "note", "latency-suspect", "suspect", "invalid"
SEVERITIES = (NOTE, LATENCY_SUSPECT, SUSPECT, INVALID)  # from the least to the worst

# Findings of these codes doubt latencies at any severity above a note; others only as ``latency-suspect``.
_OF_LATENCIES = frozenset({"failed-requests", "little-law-unexplained", "non-2xx", "socket-errors", "write-errors"})


def doubting(code: str) -> tuple[str, ...]:
    """The severities at which a finding of this code says that the latencies of its run do not count."""
    return SEVERITIES[1:] if code in _OF_LATENCIES else (LATENCY_SUSPECT,)


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings of one check. Each array has one element for each finding.

    ``runs`` are indices into `RunArrays`, ``lines`` line numbers in the sources. ``expected`` and ``tolerance`` are NaN
    where there is no such number. ``message`` is a format string with the fields ``value``, ``expected``,
    ``tolerance`` and those of ``more``.
    """

    code: str
    severity: TextArray
    runs: Indices
    lines: Indices
    value: Floats
    expected: Floats
    tolerance: Floats
    message: str
    more: Mapping[str, npt.NDArray[np.generic]] = field(default_factory=dict)

    @property
    def rank(self) -> Indices:
        """The index of each severity in `SEVERITIES`."""
        rank: Indices = np.select([self.severity == name for name in SEVERITIES], range(len(SEVERITIES)))
        return rank

    @property
    def doubts_latencies(self) -> Bools:
        """Whether each finding says that the latencies of its run do not count."""
        doubts: Bools = np.isin(self.severity, doubting(self.code))
        return doubts

    def where(self, chosen: Bools) -> Findings:
        """The findings for which `chosen` is true."""
        return replace(
            self, severity=self.severity[chosen], runs=self.runs[chosen], lines=self.lines[chosen],
            value=self.value[chosen], expected=self.expected[chosen], tolerance=self.tolerance[chosen],
            more={name: values[chosen] for name, values in self.more.items()},
        )  # fmt: skip

    def messages(self) -> list[str]:
        """The message of each finding."""
        named = {"value": self.value, "expected": self.expected, "tolerance": self.tolerance, **self.more}
        rows = zip(*(array.tolist() for array in named.values()), strict=True)
        return [self.message.format(**dict(zip(named, row, strict=True))) for row in rows]


def graded(share: Floats, latency: float, suspect: float, invalid: float = np.inf) -> TextArray:
    """The severity of each share: a note below the first limit, then latency-suspect, suspect, invalid."""
    # The first that holds counts, from the worst down. A share that is not known (NaN) reaches no limit, and is a note.
    return np.select([share >= invalid, share >= suspect, share >= latency], [INVALID, SUSPECT, LATENCY_SUSPECT], NOTE)
