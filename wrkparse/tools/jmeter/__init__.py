r"""Apache JMeter 3.1 to 5.6: the file of samples that ``-l`` writes as CSV or XML, and the summary on the console.

`wrkparse.tools.jmeter.samples`, `wrkparse.tools.jmeter.xml` and `wrkparse.tools.jmeter.console` describe them. In most
thread groups a thread sends its next request when it has the response, in an Open Model Thread Group arrivals start
threads. None of the forms says which it was (both write ``group 1-3`` as the thread's name), so the loop is not known:
``org/apache/jmeter/threads/ThreadGroup.java`` and ``openmodel/OpenModelThreadGroup.kt`` there. ``elapsed``
counts from before a new connection, if it needs one, to the last byte, in whole milliseconds (``sample`` of
``org/apache/jmeter/protocol/http/sampler/HTTPHC4Impl.java``).
"""

from __future__ import annotations

from wrkparse.tools.base import Counting, Flags, ReportTool
from wrkparse.tools.jmeter import console, samples, xml
from wrkparse.tools.jmeter.metrics import METRICS

TOOL = ReportTool(
    name="jmeter",
    counting=Counting(
        "from before a new connection, if it needs one, in whole milliseconds", failures_among_requests=True,
    ),
    metrics=METRICS,
    lines=console.LINES,
    preamble=console.PREAMBLE,
    programs=frozenset({"jmeter", "jmeter.sh", "jmeter.bat"}),
    flags=Flags(
        options={
            "-t": "flag_plan", "--testfile": "flag_plan", "-l": "flag_log", "--logfile": "flag_log",
            "-j": "flag_log", "--jmeterlogfile": "flag_log", "-p": "flag_properties", "--propfile": "flag_properties",
            "-q": "flag_properties", "--addprop": "flag_properties", "-o": "flag_output",
            "--reportoutputfolder": "flag_output", "-R": "flag_hosts", "--remotestart": "flag_hosts",
        },
        switches=frozenset({"-n", "--nongui", "-e", "--reportatendofloadtests", "-f", "--forceDeleteResultFile"}),
    ),
    evidence=console.EVIDENCE,
    idle=console.IDLE,
    finish=console.finish,
    lacks=console.lacks,
    samples=(samples.FORM, xml.FORM),
)  # fmt: skip
