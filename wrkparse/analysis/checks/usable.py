"""Which numbers of a run count, by what the audit found."""

from __future__ import annotations

from typing import Protocol

from wrkparse.tools import hey
from wrkparse.tools.ab.metrics import PHASES
from wrkparse.tools.common import LATENCY
from wrkparse.tools.oha.json import FIRST_BYTE
from wrkparse.tools.wrk.metrics import CALIBRATION, HISTOGRAMS, UNCORRECTED

# How long requests took, or a part of them. Doubt about latencies concerns no other number of a run.
_LATENCIES = frozenset(
    metric.name
    for metric in (
        LATENCY, UNCORRECTED, CALIBRATION, HISTOGRAMS[False][0], HISTOGRAMS[True][0], *PHASES.values(),
        *hey.PHASES.values(), FIRST_BYTE,
    )
)  # fmt: skip


class AuditedRun(Protocol):
    """A run with the columns `valid` and `latency_valid` of the table `runs`; None if it was never audited."""

    @property
    def valid(self) -> bool | None:
        """Whether it is not invalid."""

    @property
    def latency_valid(self) -> bool | None:
        """Whether it is valid, and no finding doubts its latencies."""


def is_usable(run: AuditedRun, metric: str) -> bool:
    """Whether a metric of a run counts: none of an invalid run, and no latency of a run with doubtful latencies.

    The other numbers of a suspect run count: a person decides about them.
    """
    return run.valid is not False and not (run.latency_valid is False and metric in _LATENCIES)
