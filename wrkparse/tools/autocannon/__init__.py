"""autocannon: its tables. Real reports are in `wrkparse.tools.autocannon.text` (since version 3.2) and `old_text`.

Meaning of the numbers (``lib/run.js``, ``lib/httpClient.js``): ``throughput`` is the mean of the requests answered in
each second, because no other rate is printed; its other stats also come from these seconds. Latencies are in whole
milliseconds, of responses with any status (``-x``: of 2xx alone), connecting left out. ``non_2xx`` counts redirects,
too.
"""

from __future__ import annotations

from collections.abc import Sequence

from wrkparse.model.records import Label
from wrkparse.tools.autocannon import json, old_text, text
from wrkparse.tools.autocannon.metrics import METRICS
from wrkparse.tools.base import ALL_BUT_2XX, CLOSED, Counting, Flags, Loop, ReportTool, option
from wrkparse.tools.report import Report


def _loop(report: Report, labels: Sequence[Label]) -> Loop:
    """Closed. With a rate, it adds samples (``recordValueWithExpectedInterval``) that are not counted from any time."""
    limited = option(labels, "rate") is not None or option(labels, "flag_connection_rate") is not None
    return Loop("closed", corrected=None) if limited else CLOSED


TOOL = ReportTool(
    name="autocannon",
    counting=Counting("from when the request is sent, in whole milliseconds", error_statuses=ALL_BUT_2XX),
    metrics=METRICS,
    lines=(*text.LINES, *old_text.LINES),
    programs=frozenset({"autocannon", "autocannon.js"}),
    loop_of=_loop,
    flags=Flags(
        options={
            "-c": "connections", "--connections": "connections", "-p": "flag_pipelining",
            "--pipelining": "flag_pipelining",
            "-d": "duration_s", "--duration": "duration_s", "-a": "flag_amount", "--amount": "flag_amount",
            "-L": "flag_sample_interval", "-S": "flag_socket_path", "-w": "flag_workers", "--workers": "flag_workers",
            "-W": "flag_warmup", "-t": "flag_timeout", "--timeout": "flag_timeout", "-m": "flag_method",
            "--method": "flag_method", "-H": "flag_header", "--headers": "flag_header", "-b": "flag_body",
            "--body": "flag_body", "-F": "flag_form", "-i": "flag_input", "--input": "flag_input", "-T": "flag_title",
            "--title": "flag_title", "-B": "flag_bailout", "-M": "flag_max_connection_requests",
            "-O": "flag_max_overall_requests", "-r": "flag_connection_rate", "--connectionRate": "flag_connection_rate",
            "-R": "rate", "--overallRate": "rate", "-D": "flag_reconnect_rate", "-E": "flag_expect_body",
            "-s": "flag_server_name", "-I": "flag_id_replacement",
        },
        switches=frozenset({"-l", "--latency", "-j", "-n", "-x", "-C", "-f", "-V", "--renderStatusCodes", "--json"}),
        positional="url",
    ),
    evidence=frozenset({"latency", "req/sec"}),
    objects=(json.FORM,),
    idle=frozenset({"head"}),
    finish=text.finish,
    lacks=text.lacks,
    belongs=text.belongs,
)  # fmt: skip
