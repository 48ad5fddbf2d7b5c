"""Checks of failed requests: a server is fast while it answers with errors, or not at all."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wrkparse.analysis.checks.finding import NOTE, Findings, graded
from wrkparse.analysis.checks.run_arrays import RunArrays
from wrkparse.analysis.stats.arrays import Floats
from wrkparse.tools import counting

# Of the requests, by convention: from 1 in 10,000 on the latencies are doubtful, because a tail of this size is
# missing; from 1 in 100 on the rate is, too, because failures can be as many as a difference that people compare; from
# 1 in 20 on it is the rate of failures.
SHARES = LATENCY_SHARE, SUSPECT_SHARE, INVALID_SHARE = 1e-4, 0.01, 0.05
SOCKET_ERRORS = ("connect", "read", "write", "timeout")


def checks(runs: RunArrays) -> Iterator[Findings]:
    """All checks of this module."""
    yield socket_errors(runs)
    yield non_2xx(runs)
    yield from failed_requests(runs)


def socket_errors(runs: RunArrays) -> Findings:
    """Socket errors of all four kinds ÷ (requests completed + errors), graded by `SHARES`.

    Those of ab are left to `failed_requests`: its connects that failed are among them.
    """
    kinds = {
        kind: np.where(runs.tool == "ab", 0.0, np.nan_to_num(runs.value(f"errors_{kind}"))) for kind in SOCKET_ERRORS
    }
    errors = np.sum(list(kinds.values()), axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = errors / (errors + runs.value("requests"))
        one_in = 1 / share
    message = "1 in {one_in:,.0f} failed: " + ", ".join(f"{kind} {{{kind}:,.0f}}" for kind in SOCKET_ERRORS)
    return runs.findings(
        errors > 0, "socket-errors", graded(share, *SHARES), message,
        value=share, expected=0.0, tolerance=LATENCY_SHARE, at="errors_connect", more={**kinds, "one_in": one_in},
    )  # fmt: skip


def non_2xx(runs: RunArrays) -> Findings:
    """Responses with an error status ÷ requests completed, graded by `SHARES`."""
    with np.errstate(divide="ignore", invalid="ignore"):
        share = runs.value("non_2xx") / runs.value("requests")
    return runs.findings(
        runs.value("non_2xx") > 0, "non-2xx", graded(share, *SHARES),
        "{value:.2%} of the responses: {count:,.0f}", value=share, expected=0.0, tolerance=LATENCY_SHARE,
        at="non_2xx", more={"count": runs.value("non_2xx")},
    )  # fmt: skip


def failed_requests(runs: RunArrays) -> Iterator[Findings]:
    """Failures ÷ requests, graded by `SHARES`. Differing lengths, which ab counts among them, are only noted.

    ab.c counts one failure for each cause, so a request may count several times. k6, siege and Locust count responses
    with a status of 400 and more, too.
    """
    failed, lengths = runs.value("failed_requests"), np.nan_to_num(runs.value("failed_length"))
    not_sent = np.where(runs.tool == "ab", runs.value("errors_write"), np.nan)  # of wrk see `socket_errors`
    for metric, count, code, message in (
        ("failed_requests", failed - lengths, "failed-requests", "{value:.2%} failed: {count:,.0f} of {requests:,.0f}"),
        ("unexpected_responses", runs.value("unexpected_responses"), "failed-requests",
         "{value:.2%} failed: {count:,.0f} of {requests:,.0f}"),
        ("failed_requests", not_sent, "write-errors", "{value:.2%} could not be sent: {count:,.0f}"),
        ("failed_requests", lengths, "lengths-differ", "{value:.2%} of another length than the first: {count:,.0f}"),
    ):  # fmt: skip
        requests = _requests_made(runs, count)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = count / requests
        severity = NOTE if code == "lengths-differ" else graded(share, *SHARES)
        yield runs.findings(
            count > 0, code, severity, message, value=share, expected=0.0, at=metric,
            more={"count": count, "requests": requests},
        )  # fmt: skip


def _requests_made(runs: RunArrays, failed: Floats) -> Floats:
    """The requests of each run, those that failed among them.

    Most tools count a request that failed beside those that got a response (of siege see ``data_get_count`` of
    ``src/data.c``). Without a count of responses, what was sent stands for both. Where failures are all that a report
    states, without requests and without a rate, all requests failed.
    """
    requests, sent = runs.value("requests"), runs.value("requests_sent")
    among = [name for name, one in counting().items() if one.failures_among_requests]
    made = np.where(np.isin(runs.tool, among), requests, requests + failed)
    made = np.where(np.isnan(made), sent, made)
    return np.where(np.isnan(made) & np.isnan(runs.value("throughput")), failed, made)
