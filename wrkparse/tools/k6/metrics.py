"""The metrics of k6."""

from wrkparse.model.records import Metric
from wrkparse.tools.common import (
    BYTES_READ,
    BYTES_SENT,
    LATENCY,
    RATE_SENT,
    READING,
    REQUESTS,
    THROUGHPUT,
    TRANSFER_RATE,
    UNEXPECTED,
    WAITING,
    WRITING,
)

EXPECTED_LATENCY = Metric("latency_expected", "s", "lower", "Latency of the responses that were expected")
BLOCKED = Metric("request_blocked", "s", "lower", "Time before a connection was free or begun")
CONNECTING = Metric("tcp_connect", "s", "lower", "Time of the TCP connect, 0 on a kept connection")
HANDSHAKE = Metric("tls_handshake", "s", "lower", "Time of the TLS handshake")
ITERATION = Metric("iteration_duration", "s", "lower", "Time of an iteration of the script")
ITERATIONS = Metric("iterations", "1", None, "Iterations of the script")
ITERATION_RATE = Metric("iteration_rate", "1/s", "higher", "Iterations of the script in a second")
DROPPED = Metric("dropped_iterations", "1", "lower", "Iterations that were due and had no virtual user", "iterations")
CHECKS = Metric("checks", "1", None, "Checks of the script")
CHECKS_PASSED = Metric("checks_passed", "1", None, "Checks of the script that passed")
USERS = Metric("virtual_users", "1", None, "Virtual users")

TRENDS = {
    "http_req_blocked": BLOCKED, "http_req_connecting": CONNECTING, "http_req_duration": LATENCY,
    "http_req_receiving": READING, "http_req_sending": WRITING, "http_req_tls_handshaking": HANDSHAKE,
    "http_req_waiting": WAITING, "iteration_duration": ITERATION,
}  # fmt: skip
COUNTERS = {
    "data_received": (BYTES_READ, TRANSFER_RATE), "data_sent": (BYTES_SENT, RATE_SENT),
    "dropped_iterations": (DROPPED, None),
    "http_reqs": (REQUESTS, THROUGHPUT), "iterations": (ITERATIONS, ITERATION_RATE), "checks_total": (CHECKS, None),
}  # fmt: skip
METRICS = (
    REQUESTS, THROUGHPUT, *TRENDS.values(), EXPECTED_LATENCY, UNEXPECTED, ITERATIONS, ITERATION_RATE, DROPPED, CHECKS,
    CHECKS_PASSED, USERS, BYTES_READ, TRANSFER_RATE, BYTES_SENT, RATE_SENT,
)  # fmt: skip
