"""Checks of failed requests: a server is fast while it answers with errors, or not at all."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wrkparse.analysis.checks.finding import INVALID, LATENCY_SUSPECT, NOTE, Findings, graded
from wrkparse.analysis.checks.reports.load import requests_beyond_kept
from wrkparse.analysis.checks.run_arrays import RunArrays
from wrkparse.analysis.stats.arrays import Bools, Floats
from wrkparse.tools import counting

# Of the requests, by convention: from 1 in 10,000 on the latencies are doubtful, because a tail of this size is
# missing; from 1 in 100 on the rate is, too, because failures can be as many as a difference that people compare; from
# 1 in 20 on it is the rate of failures.
SHARES = LATENCY_SHARE, SUSPECT_SHARE, INVALID_SHARE = 1e-4, 0.01, 0.05
_CLOSING = 0.05  # of the responses: those whose connection ended with the run, or in another way
SOCKET_ERRORS = ("connect", "read", "write", "timeout")


def checks(runs: RunArrays) -> Iterator[Findings]:
    """All checks of this module."""
    yield socket_errors(runs)
    yield closed_connections(runs)
    yield non_2xx(runs)
    yield from failed_requests(runs)


def closes_connections(share: Floats) -> Bools:
    """Whether wrk's failed reads, as a share of the completed requests, are connections that the server closed.

    ``socket_readable()`` of ``src/wrk.c`` counts the end of a connection as a failed read, unless the response before
    it said ``Connection: close``; newer versions do not. So a server that closes each connection after its response has
    as many failed reads as responses, and these are whole.
    """
    closes: Bools = np.abs(share - 1) <= _CLOSING
    return closes


def socket_errors(runs: RunArrays) -> Findings:
    """Socket errors of all four kinds ÷ (requests completed + errors), graded by `SHARES`.

    Those of ab are left to `failed_requests`: its connects that failed are among them. Reads of wrk that only
    `closes_connections` explains are left out. Its time-outs are responses that came late, and are among the completed
    requests (``response_complete()`` of ``src/wrk.c``), unless they are more than these: they make no rate invalid.
    """
    kinds = {
        kind: np.where(runs.tool == "ab", 0.0, np.nan_to_num(runs.value(f"errors_{kind}"))) for kind in SOCKET_ERRORS
    }
    kinds["read"] = np.where(_closing(runs), 0.0, kinds["read"])
    errors = np.sum(list(kinds.values()), axis=0)
    are_late = runs.wrk & (runs.texts("dialect") == "") & (kinds["timeout"] <= runs.value("requests"))
    late = np.where(are_late, kinds["timeout"], 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = errors / (errors + runs.value("requests"))
        of_failures = (errors - late) / (errors - late + runs.value("requests"))
        one_in = 1 / share
    severity = np.where(of_failures >= INVALID_SHARE, INVALID, graded(share, LATENCY_SHARE, SUSPECT_SHARE))
    message = "1 in {one_in:,.0f} failed: " + ", ".join(f"{kind} {{{kind}:,.0f}}" for kind in SOCKET_ERRORS)
    return runs.findings(
        errors > 0, "socket-errors", severity, message,
        value=share, expected=0.0, tolerance=LATENCY_SHARE, at="errors_connect", more={**kinds, "one_in": one_in},
    )  # fmt: skip


def closed_connections(runs: RunArrays) -> Findings:
    """A connection for each response, where wrk's failed reads show it: the latencies are without connecting."""
    return runs.findings(
        _closing(runs), "connections-closed", LATENCY_SUSPECT,
        "the server closed the connection after each response: {value:,.0f} reads failed, {requests:,.0f} responses",
        value=runs.value("errors_read"), at="errors_read", more={"requests": runs.value("requests")},
    )  # fmt: skip


def _closing(runs: RunArrays) -> Bools:
    with np.errstate(divide="ignore", invalid="ignore"):
        return runs.wrk & closes_connections(runs.value("errors_read") / runs.value("requests"))


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
    ``src/data.c``); hey counts a million responses at most. Without a count of responses, what was sent stands for
    both. Where failures are all that a report states, without requests and without a rate, all requests failed.
    """
    requests, sent = runs.value("requests"), runs.value("requests_sent")
    among = [name for name, one in counting().items() if one.failures_among_requests]
    made = np.where(np.isin(runs.tool, among), requests, requests + failed)
    beyond = requests_beyond_kept(runs)
    made = np.where(np.isnan(beyond), made, beyond)
    made = np.where(np.isnan(made), sent, made)
    return np.where(np.isnan(made) & np.isnan(runs.value("throughput")), failed, made)
