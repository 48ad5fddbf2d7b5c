"""Defines the metrics of the report of ab."""

from wrkparse.model.records import Metric
from wrkparse.tools.common import (
    ACHIEVED,
    BODIES,
    BYTES_READ,
    BYTES_SENT,
    CONNECT,
    ELAPSED,
    ERRORS_CONNECT,
    ERRORS_WRITE,
    FAILED,
    NON_2XX,
    PLANNED_REQUESTS,
    RATE_SENT,
    RATE_TOTAL,
    REQUESTS,
    THROUGHPUT,
    TRANSFER_RATE,
    WAITING,
)

# Causes of failed requests that ab.c counts. ab counts a response that ends early as one of another length, not under
# `receive`; wrk counts it as a failed read.
CAUSES = {
    "connect": ERRORS_CONNECT,
    **{
        cause: Metric(f"failed_{cause}", "1", "lower", title, "requests")
        for cause, title in {
            "receive": "Reads that failed, without those that broke off",
            "length": "Responses of another length than the first",
            "exceptions": "Errors while waiting",
        }.items()
    },
}
KEEP_ALIVE = Metric("keep_alive_requests", "1", None, "Requests answered with keep-alive")
KEEP_ALIVE_ABORTS = Metric("keep_alive_aborts", "1", "lower", "Kept connections that were closed early")
RAMP_UP = Metric("ramp_up_delay", "s", None, "Delay between the first connections")
DOCUMENT = Metric("document_bytes", "bytes", None, "Length of the first response's body")
PER_REQUEST = Metric("time_per_request", "s", "lower", "Time per request")
PER_REQUEST_ACROSS = Metric("time_per_request_across", "s", "lower", "Time per request, across all connections")
PHASES = {
    "connect": CONNECT,
    "processing": Metric("processing", "s", "lower", "Time from the connection to the last byte"),
    "waiting": WAITING,
    "total": Metric("total", "s", "lower", "Time from the start to the last byte"),
}
"""The rows of Connection Times."""

METRICS = (
    REQUESTS, THROUGHPUT, ELAPSED, FAILED, *CAUSES.values(), ERRORS_WRITE, NON_2XX, KEEP_ALIVE, KEEP_ALIVE_ABORTS,
    PLANNED_REQUESTS, ACHIEVED, RAMP_UP, DOCUMENT, BYTES_READ, BODIES, BYTES_SENT, PER_REQUEST, PER_REQUEST_ACROSS,
    TRANSFER_RATE, RATE_SENT, RATE_TOTAL, *PHASES.values(),
)  # fmt: skip
