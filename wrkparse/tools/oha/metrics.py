"""The metrics of oha."""

from wrkparse.model.records import Metric
from wrkparse.tools.common import (
    BODIES,
    BODY,
    DNS_AND_CONNECT,
    DNS_LOOKUP,
    ELAPSED,
    FAILED,
    LATENCY,
    NON_2XX,
    RATE_BODIES,
    REQUESTS,
    THROUGHPUT,
)

ANSWERED = Metric("answered", "ratio", "higher", "Share of the requests that got a response, of any status")
ABORTED = Metric("aborted_requests", "1", None, "Requests under way at the end of the time")
OK_LATENCY = Metric("latency_2xx", "s", "lower", "Latency of responses with a status of 2xx")
ERROR_LATENCY = Metric("latency_4xx_5xx", "s", "lower", "Latency of responses with a status of 4xx or 5xx")

METRICS = (
    REQUESTS, THROUGHPUT, ELAPSED, LATENCY, OK_LATENCY, ERROR_LATENCY, ANSWERED, FAILED, ABORTED, NON_2XX, BODIES, BODY,
    RATE_BODIES, DNS_AND_CONNECT, DNS_LOOKUP,
)  # fmt: skip
