"""The metrics of vegeta."""

from wrkparse.model.records import Metric
from wrkparse.tools.common import BODIES, BODY, ELAPSED, FAILED, LATENCY, NON_2XX, REQUESTS, SENT, THROUGHPUT

SENT_RATE = Metric("request_rate", "1/s", None, "Rate at which requests were sent")
ATTACK = Metric("attack_duration", "s", None, "Time from the first request to the last one")
LAST_WAIT = Metric("last_wait", "s", None, "Time from the last request to the last response")
SENT_BODIES = Metric("bytes_bodies_sent", "bytes", None, "Bytes sent in bodies")
SENT_BODY = Metric("body_bytes_sent", "bytes", None, "Length of a sent body, on average")
SUCCESS = Metric("success", "ratio", "higher", "Share of the requests with a status of 200 to 399")

METRICS = (
    REQUESTS, THROUGHPUT, ELAPSED, LATENCY, SENT, SENT_RATE, FAILED, NON_2XX, SUCCESS, ATTACK, LAST_WAIT, BODIES, BODY,
    SENT_BODIES, SENT_BODY,
)  # fmt: skip
