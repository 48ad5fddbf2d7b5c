"""The metrics of fortio."""

from wrkparse.model.records import Metric
from wrkparse.tools.common import (
    BODIES,
    BYTES_READ,
    CONNECT,
    ELAPSED,
    FAILED,
    LATENCY,
    NON_2XX,
    PLANNED_REQUESTS,
    REQUESTS,
    THROUGHPUT,
)

ERROR_LATENCY = Metric("latency_errors", "s", "lower", "Latency of requests that failed or whose status was an error")
SOCKETS = Metric("sockets_used", "1", "lower", "Sockets used; with keep-alive as many as connections")
BEHIND = Metric("pauses_behind", "ratio", "lower", "Share of the pauses up to the next request that came too late")

METRICS = (
    REQUESTS, THROUGHPUT, ELAPSED, LATENCY, ERROR_LATENCY, CONNECT, FAILED, NON_2XX, BYTES_READ, BODIES, SOCKETS,
    BEHIND, PLANNED_REQUESTS,
)  # fmt: skip
