"""siege 2 to 4: its report as text. A real one is in `wrkparse.tools.siege.text`.

Meaning of the numbers (``__http`` of ``src/browser.c``, ``src/data.c``): a transaction is a response with a status
below 400; only these count as requests, for the rate and for the response time, which includes a new connection.
Others, and requests without a response, are failed transactions. The data transferred are bodies, of any status
(``http_read`` of ``src/http.c``). The concurrency is a mean: the time of all transactions by the elapsed time. Without
``-b`` a user waits between its requests (``-d``), which lowers the rate.
"""

import re

from wrkparse.tools.base import CLOSED, Counting, Flags, ReportTool
from wrkparse.tools.siege import text
from wrkparse.tools.siege.metrics import METRICS

TOOL = ReportTool(
    name="siege",
    counting=Counting("from before a new connection, if it needs one, in coarse steps", rate_is_quotient=True),
    metrics=METRICS,
    lines=text.LINES,
    preamble=text.PREAMBLE,
    programs=frozenset({"siege"}),
    loop=CLOSED,
    flags=Flags(
        options={
            "-c": "connections", "--concurrent": "connections", "-r": "flag_repetitions", "--reps": "flag_repetitions",
            "-t": "duration_s", "--time": "duration_s", "-d": "flag_delay", "--delay": "flag_delay", "-f": "flag_file",
            "--file": "flag_file", "-R": "flag_rc", "--rc": "flag_rc", "-l": "flag_log", "--log": "flag_log",
            "-m": "flag_mark", "--mark": "flag_mark", "-H": "flag_header", "--header": "flag_header",
            "-A": "flag_user_agent", "--user-agent": "flag_user_agent", "-T": "flag_content_type",
            "--content-type": "flag_content_type",
        },
        switches=frozenset({"-b", "--benchmark", "-i", "--internet", "-q", "--quiet", "-v", "--verbose", "-j",
            "--no-parser"}),
        positional="url",
    ),
    evidence=frozenset({"transactions"}),
    finish=text.finish,
    lacks=text.lacks,
    known_words=re.compile(
        r"\*\* SIEGE [0-9]|server is now under siege|Lifting the server siege"
        r"|[0-9]{1,6}\.[0-9]{1,6} secs:[ \t]{1,20}[0-9]{1,15} bytes ==>",
    ),
)  # fmt: skip
