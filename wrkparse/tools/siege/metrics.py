"""The metrics of siege."""

from wrkparse.model.records import Metric
from wrkparse.tools.common import BYTES_READ, ELAPSED, LATENCY, REQUESTS, THROUGHPUT, TRANSFER_RATE, UNEXPECTED

AVAILABILITY = Metric("availability", "ratio", "higher", "Share of the requests that succeeded")
CONCURRENCY = Metric("concurrency_achieved", "1", None, "Connections that were open at once")
SUCCEEDED = Metric("succeeded_requests", "1", None, "Responses with a status below 400")

METRICS = (
    REQUESTS,
    THROUGHPUT, ELAPSED, LATENCY, AVAILABILITY, CONCURRENCY, SUCCEEDED, UNEXPECTED, BYTES_READ,
    TRANSFER_RATE,
)  # fmt: skip
