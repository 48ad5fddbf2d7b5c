"""The metrics of ab, of its report."""

from wrkparse.model.records import Metric
from wrkparse.tools.common import (
    BYTES_SENT,
    ELAPSED,
    FAILED,
    NON_2XX,
    RATE_SENT,
    RATE_TOTAL,
    REQUESTS,
    THROUGHPUT,
    TRANSFER_RATE,
)

CAUSES = {
    cause: Metric(f"failed_{cause}", "1", "lower", title, "requests")
    for cause, title in {
        "connect": "Connections that failed",
        "receive": "Responses that broke off",
        "length": "Responses as long as the first one was not",
        "exceptions": "Errors while waiting",
    }.items()
}
WRITE_ERRORS = Metric("write_errors", "1", "lower", "Writes that failed", "requests")
KEEP_ALIVE = Metric("keep_alive_requests", "1", None, "Requests answered with keep-alive")
KEEP_ALIVE_ABORTS = Metric("keep_alive_aborts", "1", "lower", "Kept connections that were closed early")
PLANNED = Metric("planned_requests", "1", None, "Planned requests")
ACHIEVED = Metric("concurrency_achieved", "1", None, "Connections that were open at once")
RAMP_UP = Metric("ramp_up_delay", "s", None, "Delay between the first connections")
DOCUMENT = Metric("document_bytes", "bytes", None, "Length of the first response's body")
TRANSFERRED = Metric("bytes_transferred", "bytes", None, "Bytes received")
HTML = Metric("bytes_html", "bytes", None, "Bytes received in bodies")
PER_REQUEST = Metric("time_per_request", "s", "lower", "Time per request")
PER_REQUEST_ACROSS = Metric("time_per_request_across", "s", "lower", "Time per request, across all connections")
PHASES = {
    phase: Metric(phase, "s", "lower", title)
    for phase, title in {
        "connect": "Time to connect",
        "processing": "Time from the connection to the last byte",
        "waiting": "Time from the request to the first byte",
        "total": "Time from the start to the last byte",
    }.items()
}

METRICS = (
    REQUESTS, THROUGHPUT, ELAPSED, FAILED, *CAUSES.values(), WRITE_ERRORS, NON_2XX, KEEP_ALIVE, KEEP_ALIVE_ABORTS,
    PLANNED, ACHIEVED, RAMP_UP, DOCUMENT, TRANSFERRED, HTML, BYTES_SENT, PER_REQUEST, PER_REQUEST_ACROSS, TRANSFER_RATE,
    RATE_SENT, RATE_TOTAL, *PHASES.values(),
)  # fmt: skip
