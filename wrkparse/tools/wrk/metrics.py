"""Defines the metrics of wrk and its forks."""

from wrkparse.model.records import Metric
from wrkparse.tools.common import (
    BYTES_READ,
    ELAPSED,
    ERRORS_CONNECT,
    ERRORS_WRITE,
    LATENCY,
    NON_2XX,
    REQUESTS,
    SENT,
    THROUGHPUT,
    TIMEOUTS,
    TRANSFER_RATE,
)

WRK2 = "wrk2"  # the dialect

LATENCY_SHARE = LATENCY._replace(unit="ratio")  # of the samples, those within one standard deviation
UNCORRECTED = Metric("latency_uncorrected", "s", "lower", "Latency without the wait for a late start")
HISTOGRAM = Metric("latency_histogram", "s", "lower", "Latency, from the histogram's footer")
HISTOGRAM_COUNT = Metric("latency_histogram_count", "1", None, "Latencies in the histogram")
HISTOGRAMS = {
    False: (HISTOGRAM, HISTOGRAM_COUNT),
    True: (  # of the uncorrected latencies
        Metric("latency_uncorrected_histogram", "s", "lower", "Uncorrected latency, from the histogram's footer"),
        Metric("latency_uncorrected_histogram_count", "1", None, "Latencies in the uncorrected histogram"),
    ),
}
CALIBRATION = Metric("calibration_latency", "s", None, "Mean latency of a thread's calibration")
SAMPLING = Metric("sampling_interval", "s", None, "Rate sampling interval of a thread")
THREAD_RATE = Metric("thread_throughput", "1/s", "higher", "Throughput of one thread")
THREAD_SHARE = THREAD_RATE._replace(unit="ratio")
PLANNED = Metric("planned_duration", "s", None, "Planned duration")
ERRORS = {
    "connect": ERRORS_CONNECT,
    "read": Metric("errors_read", "1", "lower", "Reads that failed or broke off", "requests"),
    "write": ERRORS_WRITE,
    "timeout": TIMEOUTS,
}

METRICS = (
    LATENCY, UNCORRECTED, *HISTOGRAMS[False], *HISTOGRAMS[True], CALIBRATION, SAMPLING, THREAD_RATE, PLANNED, SENT,
    REQUESTS, ELAPSED, BYTES_READ, *ERRORS.values(), NON_2XX, THROUGHPUT, TRANSFER_RATE,
)  # fmt: skip
