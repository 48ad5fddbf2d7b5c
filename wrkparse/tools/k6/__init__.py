"""k6: the summary at the end of a test, in the layouts before and since 1.0. A real one is in `wrkparse.tools.k6.text`.

Meaning of the numbers (k6's documentation of built-in metrics, and ``lib/netext/httpext/tracer.go``): ``latency`` is
``http_req_duration``, the time to send the request, wait and receive; it leaves out connecting and the TLS handshake.
It includes requests that failed, as 0 s. ``latency_expected`` is the latency of responses with an expected status, 200
to 399 unless the script says otherwise. A script sends requests in iterations; ``throughput`` counts requests.

The loop depends on the executor of the scenario: arrival rates are open, the others closed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from wrkparse.model.records import Label
from wrkparse.tools.base import CLOSED, NO_LOOP, Counting, Flags, Loop, ReportTool, option
from wrkparse.tools.k6 import json, text
from wrkparse.tools.k6.metrics import METRICS
from wrkparse.tools.report import Report

_LOOPS = frozenset({"open loop", "closed loop"})


def _loop(report: Report, labels: Sequence[Label]) -> Loop:
    """As the scenarios above the test are, which k6 lists. The options for users overrule the scenarios of a script.

    An iteration of an open scenario is dropped if no user is free when it is due, and does not wait.
    """
    found = report.seen & _LOOPS
    if found == {"open loop"}:
        return Loop("open", corrected=None)
    if found == {"closed loop"} or (not found and option(labels, "connections") is not None):
        return CLOSED
    return NO_LOOP


TOOL = ReportTool(
    name="k6",
    counting=Counting("from when the request is sent on a connection", failures_among_requests=True),
    metrics=(*METRICS, *json.METRICS),
    lines=text.LINES,
    preamble=text.PREAMBLE,
    programs=frozenset({"k6"}),
    loop_of=_loop,
    flags=Flags(
        options={
            "-u": "connections", "--vus": "connections", "-d": "duration_s", "--duration": "duration_s",
            "-i": "flag_iterations", "--iterations": "flag_iterations", "-s": "flag_stage", "--stage": "flag_stage",
            "--rps": "flag_rps", "-e": "flag_env", "--env": "flag_env", "-o": "flag_out", "--out": "flag_out",
            "--summary-mode": "flag_summary_mode", "--summary-export": "flag_summary_export", "--tag": "flag_tag",
            "--summary-trend-stats": "flag_summary_trend_stats", "--summary-time-unit": "flag_summary_time_unit",
            "-c": "flag_config", "--config": "flag_config", "--log-output": "flag_log_output",
        },
        switches=frozenset({"-q", "--quiet", "-v", "--verbose", "-w", "--throw", "--no-color", "--no-summary"}),
        positional="flag_script",
    ),
    evidence=frozenset({"http_reqs", "http_req_duration", "iterations"}),
    objects=(json.FORM,),
    idle=frozenset({"header", "totals", *_LOOPS}),
    finish=text.finish,
    lacks=text.lacks,
    belongs=text.belongs,
    known_words=re.compile(r"[0-9]{1,12} interrupted iterations"),
)  # fmt: skip
