"""Metrics and tables that more than one tool prints; those of one tool are declared in its module."""

from wrkparse.model.records import Column, Metric

REQUESTS = Metric("requests", "1", None, "Requests completed")
THROUGHPUT = Metric("throughput", "1/s", "higher", "Throughput")
TRANSFER_RATE = Metric("transfer_rate", "bytes/s", None, "Transfer rate")
ELAPSED = Metric("elapsed", "s", "lower", "Elapsed time")
FAILED = Metric("failed_requests", "1", "lower", "Failures of requests", "requests")
LATENCY = Metric("latency", "s", "lower", "Latency")
NON_2XX = Metric("non_2xx", "1", "lower", "Responses with an error status", "requests")

# Without the run, which the reader puts in front.
SPECTRUM = (
    Column("percentile", "float", "share of the requests, 0 to 1"),
    Column("value_s", "float", "latency that this share did not exceed"),
    Column("total_count", "int", "requests up to here"),
    Column("corrected", "bool", "latencies are counted from when the request was due (wrk2 -L)"),
    Column("line", "int", "line in the source"),
)
