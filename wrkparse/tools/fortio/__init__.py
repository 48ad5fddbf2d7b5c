"""Reads the output of ``fortio load``, fortio 1.0 to 1.75. A real report is in `wrkparse.tools.fortio.text`.

Meaning of the numbers (``runOne`` of ``periodic/periodic.go``): each of the ``-c`` connections waits for its response
before it sends the next request, with ``-qps``, too. ``-qps`` limits the rate: a connection that is early sleeps until
its next request is due; a late one sends at once until it has caught up, or skips requests (``-nocatchup``). A latency
is counted from when the request is sent, never from when it was due. So the loop is closed, and no option corrects
latencies. ``-qps`` is 8 if it is not given, and 0 asks for no limit. A new connection is part of the latency of the
request that needs it.
"""

from wrkparse.tools.base import CLOSED, FROM_400, Counting, Flags, ReportTool
from wrkparse.tools.fortio import json, text
from wrkparse.tools.fortio.layout import LAYOUTS
from wrkparse.tools.fortio.metrics import METRICS

TOOL = ReportTool(
    name="fortio",
    counting=Counting(
        "from before a new connection, if it needs one", rate_is_quotient=True, failures_among_requests=True,
        error_statuses=FROM_400,
    ),
    metrics=METRICS,
    lines=text.LINES,
    programs=frozenset({"fortio"}),
    loop=CLOSED,
    flags=Flags(
        glued=False,
        options={
            "-c": "connections", "-qps": "flag_rate", "-t": "duration_s", "-n": "flag_requests",
            "-p": "flag_percentiles", "-r": "flag_resolution", "-offset": "flag_offset", "-json": "flag_json",
            "-labels": "flag_labels", "-loglevel": "flag_loglevel", "-H": "flag_header", "-X": "flag_method",
            "-payload": "flag_body", "-payload-size": "flag_body_size", "-payload-file": "flag_body_file",
            "-content-type": "flag_content_type", "-timeout": "flag_timeout", "-user": "flag_user",
            "-gomaxprocs": "flag_gomaxprocs", "-connection-reuse": "flag_connection_reuse",
            "-abort-on": "flag_abort_on", "-resolve": "flag_resolve", "-runid": "flag_runid", "-s": "flag_streams",
            "-access-log-file": "flag_access_log_file", "-access-log-format": "flag_access_log_format",
            "-data-dir": "flag_data_dir", "-cacert": "flag_cacert", "-cert": "flag_cert", "-key": "flag_key",
        },
        switches=frozenset({
            "-a", "-k", "-h2", "-L", "-stdclient", "-http1.0", "-quiet", "-jitter", "-uniform", "-nocatchup",
            "-allow-initial-errors", "-keepalive", "-compression", "-halfclose", "-sequential-warmup", "-grpc", "-ping",
            "-calc-qps", "-log-errors", "-https-insecure",
        }),
        positional="url",
    ),
    evidence=frozenset({"latency"}),
    objects=(json.FORM,),
    layouts=LAYOUTS,
    finish=text.finish,
    lacks=text.lacks,
    belongs=text.belongs,
    goes_on=text.is_logged,
)  # fmt: skip
