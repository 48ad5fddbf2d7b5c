"""Reads the output of ``vegeta report``, vegeta 1 to 12. A real report is in `wrkparse.tools.vegeta.text`.

Meaning of the numbers (``Metrics`` of ``lib/metrics.go``, ``hit`` of ``lib/attack.go``): vegeta sends at a rate
whatever the responses do, with as many workers as that takes. A latency is counted from when a worker takes up the
request, name lookup and connection included; failed requests count, too. ``throughput`` counts requests with a status
of 200 to 399 in the time up to the last response; ``request_rate`` is the rate at which they were sent. ``requests``
are responses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from wrkparse.model.records import Label
from wrkparse.tools.base import FROM_400, NO_LOOP, Counting, Flags, Loop, ReportTool, option
from wrkparse.tools.common import SPECTRUM
from wrkparse.tools.report import Report
from wrkparse.tools.vegeta import json, text
from wrkparse.tools.vegeta.metrics import METRICS


def _loop(report: Report, labels: Sequence[Label]) -> Loop:
    """Open, and never corrected. ``-rate=0`` with ``-max-workers`` is as fast as the responses."""
    if option(labels, "flag_max_workers") is not None and option(labels, "rate") is None:
        return NO_LOOP
    return Loop("open", corrected=None)


TOOL = ReportTool(
    name="vegeta",
    counting=Counting("from before a new connection, if it needs one", error_statuses=FROM_400),
    metrics=METRICS,
    lines=text.LINES,
    programs=frozenset({"vegeta"}),
    loop_of=_loop,
    flags=Flags(
        options={
            **{f"-{name}": f"flag_{name.replace('-', '_')}" for name in (
                "name", "targets", "format", "output", "body", "cert", "key", "root-certs", "timeout", "workers",
                "max-workers", "redirects", "max-body", "header", "proxy-header", "laddr", "unix-socket", "dns-ttl",
                "type",
                "every", "buckets", "connect-to", "prometheus-addr", "max-connections", "keepalive", "http2",
            )},
            "-duration": "duration_s", "-rate": "rate", "-connections": "flag_connections",
        },
        switches=frozenset({"-lazy", "-insecure", "-chunked", "-h2c", "-session-tickets"}),
        pipeline=True,
    ),
    tables={"spectrum": SPECTRUM},
    evidence=frozenset({"requests", "bucket", "hdrplot"}),
    objects=(json.FORM,),
    idle=frozenset({"histogram"}),
    finish=text.finish,
    lacks=text.lacks,
    known_words=re.compile(r"\[total, rate(?:, throughput)?\]"),
)  # fmt: skip
