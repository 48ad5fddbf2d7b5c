"""Defines the metrics of both forms of JMeter."""

from __future__ import annotations

from wrkparse.tools.common import (
    BYTES_READ,
    BYTES_SENT,
    ELAPSED,
    LATENCY,
    RATE_SENT,
    REQUESTS,
    THROUGHPUT,
    TRANSFER_RATE,
    UNEXPECTED,
)

METRICS = (
    REQUESTS, UNEXPECTED, THROUGHPUT, LATENCY, ELAPSED, BYTES_READ, TRANSFER_RATE, BYTES_SENT, RATE_SENT,
)  # fmt: skip
