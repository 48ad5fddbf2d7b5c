"""A whole report of ab at once: as ``output_results()`` of ``support/ab.c`` prints it since httpd 2.2.9, as text."""

from __future__ import annotations

import re

from wrkparse.model.records import Label
from wrkparse.model.units import KIBIBYTES, MILLISECONDS
from wrkparse.tools.ab.metrics import (
    CAUSES,
    DOCUMENT,
    FAILED,
    HTML,
    KEEP_ALIVE,
    PER_REQUEST,
    PER_REQUEST_ACROSS,
    PHASES,
    RATE_SENT,
    RATE_TOTAL,
    SENT,
    TRANSFERRED,
    WRITE_ERRORS,
)  # fmt: skip
from wrkparse.tools.ab.repairs import is_right
from wrkparse.tools.base import Report
from wrkparse.tools.common import ELAPSED, NON_2XX, REQUESTS, THROUGHPUT, TRANSFER_RATE
from wrkparse.tools.whole import COUNT, EMPTY, TEXT, Line, Part, Whole, decimals, maybe

_MS, _TENTHS, _MICROS = (decimals(places, MILLISECONDS) for places in (0, 1, 3))
_KIB = decimals(2, KIBIBYTES)
_WORDS = "[A-Za-z0-9./()_+-]{1,80}(?: [A-Za-z0-9./()_+-]{1,80}){0,9}"


def _phase(name: str) -> Line:
    cells = {"min": _MS, "mean": _MS, "stdev": _TENTHS, "median": _MS, "max": _MS}
    return Line("phases", f"{name.title()}:{' +{}' * 5}", tuple((PHASES[name], *cell) for cell in cells.items()))


def _percentile(share: int) -> Line:
    end = r" \(longest request\)" if share == 100 else ""
    return Line("percentiles", f" *{share}% +{{}}{end}", ((PHASES["total"], f"p{share}", _MS),))


_ADVICE = (
    "(?:(?:WARNING|ERROR): The median and mean for the [a-z ]{1,99}"
    r"| +(?:deviation apart\. )?These results are (?:NOT|probably not that) reliable\.)"
)
_PARTS = (
    Part((Line("banner", r"This is ApacheBench, Version 2\.3 <\$Revision(?:: [0-9]{1,9} )?\$>"),)),
    maybe(
        Line("banner", "Copyright 1996 Adam Twiss, Zeus Technology Ltd, http://www\\.zeustech\\.net/"),
        Line("banner", "Licensed to The Apache Software Foundation, http://www\\.apache\\.org/"),
    ),
    maybe(EMPTY, Line("start", rf"Benchmarking {TEXT}{{1,255}} \(be patient\)(?:\.\.\.\.\.done)?")),
    Part((Line("progress", "(?:Completed|Finished) [0-9]{1,10} requests"),), again="progress"),
    Part((EMPTY,), again="empty"),
    maybe(Line("server", f"Server Software: +(?P<software>{_WORDS})?")),
    Part((
        Line("server", "Server Hostname: +(?P<host>[A-Za-z0-9._-]{1,255})"),
        Line("server", "Server Port: +(?P<port>[0-9]{1,5})"),
    )),
    maybe(Line("tls", "SSL/TLS Protocol: +(?P<tls>[A-Za-z0-9.,_-]{1,200})")),
    maybe(Line("tls", f"Server Temp Key: +(?P<key>{_WORDS})")),
    maybe(Line("tls", "TLS Server Name: +(?P<name>[A-Za-z0-9._-]{1,255})")),
    Part((EMPTY, Line("document", f"Document Path: +(?P<path>{TEXT}{{1,1000}})"))),
    maybe(Line("document", "Document Length: +Variable")),
    maybe(Line("document", "Document Length: +{} bytes", ((DOCUMENT, "total", COUNT),))),
    Part((
        EMPTY,
        Line("connections", "Concurrency Level: +(?P<connections>[0-9]{1,9})"),
        Line("elapsed", "Time taken for tests: +{} seconds", ((ELAPSED, "total", decimals(3)),)),
        Line("complete", "Complete requests: +{}", ((REQUESTS, "total", COUNT),)),
        Line("failed", "Failed requests: +{}", ((FAILED, "total", COUNT),)),
    )),
    maybe(Line(
        "causes",
        r" +\(Connect: {}, Receive: {}, Length: {}, Exceptions: {}\)",
        tuple((metric, "total", COUNT) for metric in CAUSES.values()),
    )),
    maybe(Line("write errors", "Write errors: +{}", ((WRITE_ERRORS, "total", COUNT),))),
    maybe(Line("non-2xx", "Non-2xx responses: +{}", ((NON_2XX, "total", COUNT),))),
    maybe(Line("keep-alive", "Keep-Alive requests: +{}", ((KEEP_ALIVE, "total", COUNT),))),
    Part((Line("bytes", "Total transferred: +{} bytes", ((TRANSFERRED, "total", COUNT),)),)),
    maybe(Line("bytes", "Total (?:POSTed|PUT|body sent): +{}", ((SENT, "total", COUNT),))),
    Part((
        Line("bytes", "HTML transferred: +{} bytes", ((HTML, "total", COUNT),)),
        Line("throughput", r"Requests per second: +{} \[#/sec\] \(mean\)", ((THROUGHPUT, "total", decimals(2)),)),
    )),
    maybe(
        Line("per request", r"Time per request: +{} \[ms\] \(mean\)", ((PER_REQUEST, "mean", _MICROS),)),
        Line(
            "per request",
            r"Time per request: +{} \[ms\] \(mean, across all concurrent requests\)",
            ((PER_REQUEST_ACROSS, "mean", _MICROS),),
        ),
    ),
    Part((Line("transfer", r"Transfer rate: +{} \[Kbytes/sec\] received", ((TRANSFER_RATE, "total", _KIB),)),)),
    maybe(
        Line("transfer", " +{} kb/s sent", ((RATE_SENT, "total", _KIB),)),
        Line("transfer", " +{} kb/s total", ((RATE_TOTAL, "total", _KIB),)),
    ),
    Part((
        EMPTY,
        Line("phases head", r"Connection Times \(ms\)"),
        Line("phases head", r" +min  mean\[\+/-sd\] median   max"),
        *map(_phase, PHASES),
    )),
    Part((Line("advice", _ADVICE),), again="advice"),
    Part((
        EMPTY,
        Line("percentiles head", r"Percentage of the requests served within a certain time \(ms\)"),
        *map(_percentile, (50, 66, 75, 80, 90, 95, 98, 99, 100)),
    )),
)  # fmt: skip


def _said(report: Report, match: re.Match[str]) -> bool:
    assert report.at_once is not None
    numbers = report.at_once.numbers
    if not is_right(dict(zip(numbers.metrics, numbers.values, strict=True))):
        return False
    said = match.groupdict()
    server = f"https://{said['host']}" if said["tls"] else f"http://{said['host']}"
    port = "" if said["port"] == ("443" if said["tls"] else "80") else f":{said['port']}"
    report.mode = f"{server}:{said['port']}"
    labels = {
        "server_software": ("software", said["software"]),
        "tls": ("tls", said["tls"]),
        "tls_temp_key": ("key", said["key"]),
        "tls_server_name": ("name", said["name"]),
        "url": ("path", f"{server}{port}{said['path']}"),
        "connections": ("connections", said["connections"]),
    }
    for key, (group, value) in labels.items():
        if value:
            line = report.line + match.string.count("\n", match.start(), match.start(group))
            report.labels.append(Label(key, value, "report", line))
    report.version = "2.3"
    return True


WHOLE = Whole("This is ApacheBench", "banner", 39, _PARTS, _said)
