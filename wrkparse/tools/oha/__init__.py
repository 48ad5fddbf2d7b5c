"""oha to 1.16: its summary as text. A real report is in `wrkparse.tools.oha.text`.

Meaning of the numbers (``src/result_data.rs``, ``src/client.rs``): latencies are of all responses, including errors of
the server, counted from when a request is sent, and include new connections. With ``-q`` and ``--latency-correction``
they are counted from when the request was due. The success rate is the share of requests that got any response. Sizes
and their rate are of bodies; ``firstByte`` counts from the start of the request, before a new connection, to the first
byte of the body.
"""

from __future__ import annotations

from collections.abc import Sequence

from wrkparse.model.records import Label
from wrkparse.tools.base import CLOSED, FROM_400, Counting, Flags, Loop, ReportTool, option
from wrkparse.tools.oha import json, text
from wrkparse.tools.oha.metrics import METRICS
from wrkparse.tools.report import Report


def _loop(report: Report, labels: Sequence[Label]) -> Loop:
    """Open with ``-q`` and ``--latency-correction``, else closed.

    With ``-q`` alone a connection still waits for its response (``work_with_qps`` of ``src/client.rs``).
    """
    if option(labels, "rate") is not None and option(labels, "flag_latency_correction") == "true":
        return Loop("open", corrected=True)
    return CLOSED


TOOL = ReportTool(
    name="oha",
    counting=Counting(
        "from when the request is sent, or was due with --latency-correction", rate_is_quotient=True,
        error_statuses=FROM_400,
    ),
    metrics=(*METRICS, *json.METRICS),
    lines=text.LINES,
    preamble=text.PREAMBLE,
    programs=frozenset({"oha"}),
    loop_of=_loop,
    flags=Flags(
        options={
            "-n": "flag_requests", "-c": "connections", "-p": "flag_parallel", "-z": "duration_s", "-q": "rate",
            "-u": "flag_time_unit", "-m": "flag_method", "--method": "flag_method", "-H": "flag_header",
            "-t": "flag_timeout",
            "-A": "flag_accept", "-d": "flag_body", "-D": "flag_body_file", "-Z": "flag_body_file",
            "-T": "flag_content_type",
            "-a": "flag_auth", "-x": "flag_proxy", "-o": "flag_output", "--output": "flag_output",
            "--output-format": "flag_output_format", "--http-version": "flag_http_version", "--host": "flag_host",
            "--burst-delay": "flag_burst_delay", "--burst-rate": "flag_burst_rate", "--fps": "flag_fps",
            "--redirect": "flag_redirect", "-r": "flag_redirect", "--connect-timeout": "flag_connect_timeout",
        },
        switches=frozenset({"--latency-correction", "--no-tui", "--http2", "--disable-keepalive", "--ipv4", "--ipv6"}),
        positional="url",
    ),
    evidence=frozenset({"requests/sec"}),
    objects=(json.FORM,),
    finish=text.finish,
    lacks=text.lacks,
    belongs=text.belongs,
    layouts=(text.LAYOUT,),
)  # fmt: skip
