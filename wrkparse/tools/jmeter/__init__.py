r"""Apache JMeter 3.1 to 5.6: the file of samples that ``-l`` writes as CSV, and the summary on the console.

`wrkparse.tools.jmeter.samples` and `wrkparse.tools.jmeter.console` describe the two. A thread sends its next request
when it has the response: the loop is closed, but in an Open Model Thread Group, which neither form shows. ``elapsed``
counts from before a new connection, if it needs one, to the last byte, in whole milliseconds (``sample`` of
``org/apache/jmeter/protocol/http/sampler/HTTPHC4Impl.java``).
"""

from __future__ import annotations

from wrkparse.tools.base import CLOSED, Flags, ReportTool
from wrkparse.tools.jmeter import console, samples
from wrkparse.tools.jmeter.metrics import METRICS

TOOL = ReportTool(
    name="jmeter",
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
    loop=CLOSED,
    evidence=console.EVIDENCE,
    idle=console.IDLE,
    finish=console.finish,
    lacks=console.lacks,
    samples=(samples.FORM,),
)  # fmt: skip
