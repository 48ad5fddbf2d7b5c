"""bombardier 1.0 to 2.0: its plain text. A real report is in `wrkparse.tools.bombardier.text`.

Meaning of the numbers (``bombardier.go``, ``clients.go``): ``throughput`` is the mean of the rates sampled during the
test, because no other rate is printed; ``stdev`` and ``max`` also come from these samples. A latency is counted from
when the request is given to the HTTP client, a new connection included; requests that failed count, too.
``transfer_rate_total`` is what was read and written. ``others`` are requests that failed.
"""

from wrkparse.tools.base import CLOSED, FROM_400, Counting, Flags, ReportTool
from wrkparse.tools.bombardier import json, text
from wrkparse.tools.bombardier.metrics import METRICS

TOOL = ReportTool(
    name="bombardier",
    counting=Counting("from before a new connection, if it needs one", error_statuses=FROM_400),
    metrics=(*METRICS, *json.METRICS),
    lines=text.LINES,
    programs=frozenset({"bombardier"}),
    loop=CLOSED,  # -r limits the rate (limiter.go); a connection waits for its response
    flags=Flags(
        options={
            "-c": "connections", "--connections": "connections", "-t": "flag_timeout", "--timeout": "flag_timeout",
            "-m": "flag_method", "--method": "flag_method", "-b": "flag_body", "--body": "flag_body",
            "-f": "flag_body_file",
            "--body-file": "flag_body_file", "--cert": "flag_cert", "--key": "flag_key", "-H": "flag_header",
            "--header": "flag_header", "-n": "flag_requests", "--requests": "flag_requests", "-d": "duration_s",
            "--duration": "duration_s", "-r": "rate", "--rate": "rate", "-p": "flag_print", "--print": "flag_print",
            "-o": "flag_format", "--format": "flag_format",
        },
        switches=frozenset({"-l", "--latencies", "-k", "--insecure", "-a", "-s", "-q", "--fasthttp", "--http1",
            "--http2"}),
        positional="url",
    ),
    evidence=frozenset({"latency", "codes", "throughput"}),  # a row of rates alone may be anything
    objects=(json.FORM,),
    finish=text.finish,
    lacks=text.lacks,
    belongs=text.belongs,
)  # fmt: skip
