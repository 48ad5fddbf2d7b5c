"""Which numbers of a run count, by the audit's verdict on it."""

from __future__ import annotations

from wrkparse.analysis.checks.finding import INVALID, LATENCY_SUSPECT
from wrkparse.tools import hey
from wrkparse.tools.ab.metrics import PHASES
from wrkparse.tools.common import LATENCY
from wrkparse.tools.wrk.metrics import CALIBRATION, HISTOGRAMS, UNCORRECTED

_LATENCIES = frozenset(
    metric.name
    for metric in (
        LATENCY, UNCORRECTED, CALIBRATION, HISTOGRAMS[False][0], HISTOGRAMS[True][0], *PHASES.values(),
        *hey.PHASES.values(),
    )
)  # fmt: skip


def is_usable(verdict: str | None, metric: str) -> bool:
    """Whether a metric of a run counts: none of an invalid run, and no latency of a run with suspect latencies.

    The numbers of a suspect run count: a person decides about them. `verdict` is None if the run was never audited.

    >>> is_usable("latency-suspect", "throughput"), is_usable("latency-suspect", "latency")
    (True, False)
    """
    return verdict != INVALID and not (verdict == LATENCY_SUSPECT and metric in _LATENCIES)
