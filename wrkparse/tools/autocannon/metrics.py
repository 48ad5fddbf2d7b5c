"""The metrics of autocannon."""

from wrkparse.model.records import Metric
from wrkparse.tools.common import (
    BYTES_READ,
    ELAPSED,
    FAILED,
    LATENCY,
    NON_2XX,
    PLANNED_REQUESTS,
    REQUESTS,
    SENT,
    THROUGHPUT,
    TIMEOUTS,
    TRANSFER_RATE,
)

MISMATCHES = Metric("mismatched_bodies", "1", "lower", "Responses with another body than expected", "requests")

METRICS = (
    REQUESTS, THROUGHPUT, ELAPSED, LATENCY, SENT, FAILED, TIMEOUTS, NON_2XX, MISMATCHES, BYTES_READ, TRANSFER_RATE,
    PLANNED_REQUESTS,
)  # fmt: skip
