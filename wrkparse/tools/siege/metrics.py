"""The metrics of siege."""

from wrkparse.model.records import Metric
from wrkparse.tools.common import (
    ACHIEVED,
    BODIES,
    ELAPSED,
    LATENCY,
    RATE_BODIES,
    REQUESTS,
    SUCCEEDED,
    THROUGHPUT,
    UNEXPECTED,
)

AVAILABILITY = Metric("availability", "ratio", "higher", "Share of the requests that succeeded")

METRICS = (
    REQUESTS, THROUGHPUT, ELAPSED, LATENCY, AVAILABILITY, ACHIEVED, SUCCEEDED, UNEXPECTED, BODIES, RATE_BODIES,
)  # fmt: skip
