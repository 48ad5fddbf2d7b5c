"""Reports the requests besides responses that the rate of oha includes: failed and aborted ones, in text and JSON."""

from __future__ import annotations

from collections.abc import Mapping

from wrkparse.model.records import Metric
from wrkparse.tools.common import ELAPSED, FAILED, REQUESTS, keep_only
from wrkparse.tools.oha.metrics import ABORTED, ANSWERED
from wrkparse.tools.report import Report

_DEADLINE = "aborted due to deadline"  # of -z (``ClientError::Deadline`` of ``src/client.rs``)
_NEGLIGIBLE = 0.01  # share of the requests: fewer aborted ones change the rate by less than the difference between runs


def failure_metric(message: str) -> Metric:
    """The metric that counts the requests with a message of the error distribution."""
    return ABORTED if message.startswith(_DEADLINE) else FAILED


def note_failures(report: Report, sums: Mapping[Metric, tuple[int, int]], rate: str) -> None:
    """Add a diagnostic if the rate, of this name, includes failures; without a response, leave out rate and times.

    The rate counts all requests (``ResultData::len`` of ``src/result_data.rs``). `sums` are the counts with their
    lines.
    """
    done, _ = sums.get(REQUESTS, (0, 0))
    failed, line = sums.get(FAILED, (0, 0))
    aborted, at_line = sums.get(ABORTED, (0, 0))
    if not done and failed + aborted:
        keep_only(report, ELAPSED, ANSWERED, FAILED, ABORTED)
        message = f"all {failed or aborted} requests failed: {rate} and the times are left out"
    elif failed:
        message = f"{rate} includes {failed} requests that failed"
    elif aborted > _NEGLIGIBLE * done:
        message = f"{rate} includes {aborted} requests that were aborted at the end"
    else:
        return
    report.warn(line or at_line, message, "failed-requests")
