"""Requests that failed: a server that answers errors, or nothing, is fast."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wrkparse.analysis.checks.finding import NOTE, Findings, graded
from wrkparse.analysis.checks.run_arrays import Sheet

SUSPECT_SHARE, INVALID_SHARE = 1e-4, 0.05
SOCKET = ("connect", "read", "write", "timeout")


def checks(sheet: Sheet) -> Iterator[Findings]:
    """All checks of this module."""
    yield socket_errors(sheet)
    yield non_2xx(sheet)
    yield from failed_requests(sheet)


def socket_errors(sheet: Sheet) -> Findings:
    """Socket errors of all four kinds ÷ (requests completed + errors): suspect from 0.0001, invalid from 0.05."""
    kinds = {kind: np.nan_to_num(sheet.value(f"errors_{kind}")) for kind in SOCKET}
    errors = np.sum(list(kinds.values()), axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = errors / (errors + sheet.value("requests"))
        one_in = 1 / share
    message = "1 in {one_in:,.0f} failed: " + ", ".join(f"{kind} {{{kind}:,.0f}}" for kind in SOCKET)
    return sheet.findings(
        errors > 0, "socket-errors", graded(share, SUSPECT_SHARE, INVALID_SHARE), message,
        value=share, expected=0.0, tolerance=SUSPECT_SHARE, at="errors_connect", more={**kinds, "one_in": one_in},
    )  # fmt: skip


def non_2xx(sheet: Sheet) -> Findings:
    """Responses with an error status ÷ requests completed: suspect from 0.0001, invalid from 0.05."""
    with np.errstate(divide="ignore", invalid="ignore"):
        share = sheet.value("non_2xx") / sheet.value("requests")
    return sheet.findings(
        sheet.value("non_2xx") > 0, "non-2xx", graded(share, SUSPECT_SHARE, INVALID_SHARE),
        "{value:.2%} of the responses: {count:,.0f}", value=share, expected=0.0, tolerance=SUSPECT_SHARE,
        at="non_2xx", more={"count": sheet.value("non_2xx")},
    )  # fmt: skip


def failed_requests(sheet: Sheet) -> Iterator[Findings]:
    """Failures that ab counts, without those of length alone ÷ requests: suspect from 0.0001, invalid from 0.05.

    ab.c counts a failure for each cause that a request has; the causes are printed when there is a failure.
    """
    failed, lengths = sheet.value("failed_requests"), np.nan_to_num(sheet.value("failed_length"))
    requests = sheet.value("requests")
    for count, code, message in (
        (failed - lengths, "failed-requests", "{value:.2%} failed: {count:,.0f} of {requests:,.0f}"),
        (sheet.value("write_errors"), "write-errors", "{value:.2%} could not be sent: {count:,.0f}"),
        (lengths, "lengths-differ", "{value:.2%} of another length than the first: {count:,.0f}"),
    ):
        with np.errstate(divide="ignore", invalid="ignore"):
            share = count / requests
        severity = NOTE if code == "lengths-differ" else graded(share, SUSPECT_SHARE, INVALID_SHARE)
        yield sheet.findings(
            count > 0, code, severity, message, value=share, expected=0.0, at="failed_requests",
            more={"count": count, "requests": requests},
        )  # fmt: skip
