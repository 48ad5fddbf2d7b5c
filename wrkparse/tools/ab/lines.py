"""Describes the lines of the report of ab."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Any

from wrkparse.model.units import KIBIBYTES, MILLISECONDS
from wrkparse.tools.ab import readers as read
from wrkparse.tools.ab.metrics import (
    CAUSES,
    DOCUMENT,
    KEEP_ALIVE,
    KEEP_ALIVE_ABORTS,
    PER_REQUEST,
    PER_REQUEST_ACROSS,
    PHASES,
    RAMP_UP,
)
from wrkparse.tools.common import (
    ACHIEVED,
    BODIES,
    BYTES_READ,
    BYTES_SENT,
    ELAPSED,
    ERRORS_WRITE,
    FAILED,
    NON_2XX,
    PLANNED_REQUESTS,
    RATE_SENT,
    RATE_TOTAL,
    REQUESTS,
    THROUGHPUT,
    TRANSFER_RATE,
)
from wrkparse.tools.layout import TEXT
from wrkparse.tools.lines import Form, LineSpec, ReadLine, Slot, count_slot, decimals, ignore, line

# "apr_socket_recv: Connection refused (111)", "apr_pollset_poll: The timeout specified has expired (70007)"
_STOPPED = (
    r"(apr_\w+(?:\(\))?(?::| for ).+|socket: .+|SSL (?:handshake|read|write) failed.*|Server timed out.*"
    r"|Send request (?:timed out|failed)!|Test aborted after [0-9]+ failures|Total of [0-9]+ requests completed)"
)
_REFUSED = (
    r"ab: (invalid URL|wrong number of arguments|Cannot use concurrency level greater than total number of requests"
    r"|Invalid Concurrency .*)"
)
# "LOG: header received:", "WARNING: Response code not 2xx (404)": of -v
_DUMP = r"(?:INFO: \S+ header == ?|LOG: (?:header received:|Response code = .*)|WARNING: Response code not 2xx .*)"
_TLS_DUMP = r"SSL/TLS (?:Handshake|State|Alert) \[.*|(?:Transport Protocol|Cipher Suite \S+(?: \S+)?) ?:.*|SSL-Session:"
_STOP_WORDS = (
    "apr_socket_recv:", "apr_socket_connect():", "apr_pollset_poll:", "apr_poll:", "apr_sockaddr_info_get()", "socket:",
    "SSL", "timed", "request", "aborted", "Total",
)  # fmt: skip
_BENCHMARKING = r"Benchmarking \S+ (?:\[through \S+\] )?\(be patient\)"
_DUMPING = r"\.\.\.(?:INFO:|SSL/TLS) .+"
_COPYRIGHT = r"(?:Copyright (?:1996 Adam Twiss|2[0-9]+ The Apache)|Licensed to The Apache)\b.*"
_PROGRESS = r"(?:Completed|Finished) [0-9]+ requests(?: \(interrupted\))?"
_PLANNED = r"Number of requests: (\S+)(?: \(window\))?"
_PHASE = r"(Connect|Processing|Waiting|Total): ([-0-9. ]+)"  # "Connect:       96  171  42.5    169     260"
# "WARNING: The median and mean for the initial connection time are not within a normal deviation"; old versions have
# typing errors
_ADVICE = (
    r"(?:WARNING|WARING|ERROR): The median and mean for the .+"
    r"|(?:deviation apart\. )?These results are (?:NOT|pro[bp]ably not that) reliable\."
)

_c = re.compile
_MS, _TENTHS, _MICROS = (decimals(places, MILLISECONDS) for places in (0, 1, 3))
_KIB = decimals(2, KIBIBYTES)
_WORDS = "[A-Za-z0-9./()_+-]{1,80}(?: [A-Za-z0-9./()_+-]{1,80}){0,9}"
_STRICT_ADVICE = (
    "(?:(?:WARNING|ERROR): The median and mean for the [a-z ]{1,99}"
    r"| +(?:deviation apart\. )?These results are (?:NOT|probably not that) reliable\.)"
)

# Behind the name of a field: a colon, the border of a cell, or both.
_BEFORE_VALUE = r"(?::(?: \|)?| \|) "


def _field(kind: str, template: str, *slots: Slot, **options: Any) -> LineSpec:
    """A line with a name and a value, which may be a row of a table of Markdown: ``| Complete requests | 50000 |``."""
    spec = line(kind, template, *slots, **options)
    return replace(spec, pattern=re.compile(spec.pattern.pattern.replace(": ", _BEFORE_VALUE, 1)))


_inner = partial(line, inside=True)
_inner_field = partial(_field, inside=True)


def _repeated_line(kind: str, keys: tuple[str, ...], pattern: str, rank: int, function: ReadLine = ignore) -> LineSpec:
    return LineSpec(kind, keys, re.compile(pattern), rank, function, repeat=True, inside=True)


def _moved(*args: Any, latest: int, **options: Any) -> LineSpec:
    return replace(_inner_field(*args, **options), latest=latest)


def _label(key: str) -> ReadLine:
    return partial(read.label, key)


BANNER = line(
    "banner",
    r"This is ApacheBench, Version 2\.3 <\$Revision(?:: [0-9]{1,9} )?\$>",
    rank=0,
    loose=r"This is ApacheBench, Version (\S+) .*",
    read=read.version,
)
COPYRIGHT = _repeated_line("banner", ("Copyright", "Licensed"), _COPYRIGHT, 1)
BENCHMARKING = line(
    "start",
    rf"Benchmarking {TEXT}{{1,255}} \(be patient\)(?:\.\.\.\.\.done)?",
    rank=2,
    loose=_BENCHMARKING + r"(?:\.\.\..*)?",
    sign="be patient",
)
PROGRESS = _repeated_line("progress", ("Completed", "Finished"), _PROGRESS, 3)
SOFTWARE = line(
    "server",
    f"Server Software: +(?P<software>{_WORDS})?",
    rank=4,
    loose=r"Server Software:(?: (.*))?",
    read=read.software,
)
HOST = _field(
    "server",
    "Server Hostname: +(?P<host>[A-Za-z0-9._-]{1,255})",
    rank=5,
    loose=r"Server Hostname: (\S+)",
    read=read.host,
)
PORT = _inner_field(
    "server", "Server Port: +(?P<port>[0-9]{1,5})", rank=6, loose="Server Port: ([0-9]+)", read=read.port
)
TLS = _inner_field(
    "tls",
    "SSL/TLS Protocol: +(?P<tls>[A-Za-z0-9.,_-]{1,200})",
    rank=7,
    loose="SSL/TLS Protocol: (.+)",
    read=read.tls,
)
TEMP_KEY = _inner_field(
    "tls",
    f"Server Temp Key: +(?P<key>{_WORDS})",
    rank=8,
    loose="Server Temp Key: (.+)",
    read=_label("tls_temp_key"),
)
SERVER_NAME = _inner_field(
    "tls",
    "TLS Server Name: +(?P<name>[A-Za-z0-9._-]{1,255})",
    rank=9,
    loose=r"TLS Server Name: (\S+)",
    read=_label("tls_server_name"),
)
PATH = _field(
    "document", f"Document Path: +(?P<path>{TEXT}{{1,1000}})", rank=10, loose="Document Path: (.+)", read=read.path
)
LENGTH_VARIABLE = _inner("document", "Document Length: +Variable", rank=11, loose="Document Length: Variable")
LENGTH = _field("document", "Document Length: {} bytes", count_slot(DOCUMENT), rank=11)
CONCURRENCY = _field(
    "connections",
    "Concurrency Level: +(?P<connections>[0-9]{1,9})",
    rank=13,
    loose="Concurrency Level: ([0-9]+)",
    read=_label("connections"),
)
TIME_TAKEN = _field(
    "elapsed",
    "Time taken for tests: {} seconds",
    Slot(ELAPSED, "total", decimals(3)),
    rank=16,
    read=read.elapsed,
)
COMPLETE = _field("complete", "Complete requests: {}", count_slot(REQUESTS), rank=18)
FAILURES = _field("failed", "Failed requests: {}", count_slot(FAILED), rank=19, loose=r"Failed requests: ([0-9]\S*)")
FAILURE_CAUSES = _inner(
    "causes",
    r" \(Connect: {}, Receive: {}, Length: {}, Exceptions: {}\)",
    *map(count_slot, CAUSES.values()),
    rank=20,
    keys=["(Connect:"],
    loose=r"\(Connect: (\S+),(?: Receive: (\S+),)? Length: (\S+), Exceptions: (\S+)\)",
)
WRITES = _inner_field("write errors", "Write errors: {}", count_slot(ERRORS_WRITE), rank=21)
ERROR_RESPONSES = _field("non-2xx", "Non-2xx responses: {}", count_slot(NON_2XX), rank=22, sign="Non-2xx responses")
KEPT_ALIVE = _inner_field("keep-alive", "Keep-Alive requests: {}", count_slot(KEEP_ALIVE), rank=23)
_bytes = partial(_moved, latest=33)  # they may also follow the rates
TOTAL_TRANSFERRED = _bytes("bytes", "Total transferred: {} bytes", count_slot(BYTES_READ), rank=25)
TOTAL_SENT = _bytes("bytes sent", "Total (?:POSTed|PUT|body sent): {}", count_slot(BYTES_SENT), rank=26)
HTML_TRANSFERRED = _bytes("bytes of html", "HTML transferred: {} bytes", count_slot(BODIES), rank=27)
RATE = _field(
    "throughput", r"Requests per second: {} \[#/sec\] \(mean\)", Slot(THROUGHPUT, "total", decimals(2)), rank=28,
    # "[#/sec](mean)" is a link of Markdown
    loose=r"Requests per second: (\S+) \[#/sec\] ?\(mean\)",
)  # fmt: skip
# As people excerpt it; other programs print the same words.
_LONE_RATE = line(
    "throughput", "Requests per second: {}", Slot(THROUGHPUT, "total", decimals(2)), rank=28,
    loose=r"Requests per second: ([0-9]{1,9}\.[0-9]{2})(?: \[#/sec\])?(?!\S)",
)  # fmt: skip
TIME_PER_REQUEST = _field(
    "per request", r"Time per request: {} \[ms\] \(mean\)", Slot(PER_REQUEST, "mean", _MICROS), rank=29
)
TIME_ACROSS = _field(
    "per request",
    r"Time per request: {} \[ms\] \(mean, across ?all concurrent requests\)",
    Slot(PER_REQUEST_ACROSS, "mean", _MICROS),
    rank=30,
)
RATE_RECEIVED = _field(
    "transfer", r"Transfer rate: {} \[Kbytes/sec\] received", Slot(TRANSFER_RATE, "total", _KIB), rank=31
)
RATE_OUT = _inner("transfer", " {} kb/s sent", Slot(RATE_SENT, "total", _KIB), rank=32, keys=["kb/s"])
RATE_BOTH = _inner("transfer", " {} kb/s total", Slot(RATE_TOTAL, "total", _KIB), rank=33, keys=["kb/s"])
PHASES_TITLE = line(
    "phases head",
    r"Connection Times \(ms\)",
    rank=34,
    # ab -w of httpd 2.2.8 to 2.4.1 prints three n: "Connnection Times (ms)".
    keys=["Connection", "Connnection"],
    loose=r"Connn?ection Times \(ms\)",
    sign="ection Times",
)
PHASES_HEAD = _inner(
    "phases head",
    r" min  mean\[\+/-sd\] median   max",
    rank=35,
    keys=["min"],
    loose=r"min (?:mean\[\+/-sd\] median|avg) max",
)
PHASE = _repeated_line("phases", ("Connect:", "Processing:", "Waiting:", "Total:"), _PHASE, 36, read.phase)
ADVICE = _repeated_line("advice", ("WARNING:", "WARING:", "ERROR:", "These", "deviation"), _ADVICE, 37)
PERCENTILES_TITLE = line("percentiles head", r"Percentage of the requests served within a certain time \(ms\)", rank=38)
PERCENTILE = _repeated_line("percentiles", ("%",), r"([0-9]{1,3})% (\S+)(?: \(longest request\))?", 39, read.percentile)

LINES = (
    LineSpec(
        "foreign", ("This", "ZeusBench"), _c(r"(?:This is )?ZeusBench,? (?:v|Version )?[0-9].*"), 0, read.foreign,
        sign="ZeusBench",
    ),
    BANNER,
    COPYRIGHT,
    LineSpec("abort", ("ab:",), _c(_REFUSED), 0, read.stop, sign="ab: (?:invalid|Invalid|wrong|Cannot)"),
    LineSpec("abort", ("Benchmarking",), _c(_BENCHMARKING + r"\.\.\." + _STOPPED), 2, read.stop, sign="be patient"),
    LineSpec("start", ("Benchmarking",), _c(_BENCHMARKING + _DUMPING), 2, read.dump_begins, sign="be patient"),
    BENCHMARKING,
    _repeated_line("dump", ("INFO:", "LOG:", "WARNING:"), _DUMP, 3, read.dump_begins),
    _repeated_line("dump", ("SSL/TLS", "Transport", "Cipher", "SSL-Session:"), _TLS_DUMP, 3, read.dump_begins),
    PROGRESS,
    _repeated_line("progress", ("done",), r"\.\.done", 3, read.dump_ends),
    _repeated_line("abort", _STOP_WORDS, _STOPPED, 3, read.stop),
    SOFTWARE,
    HOST,
    PORT,
    TLS,
    TEMP_KEY,
    SERVER_NAME,
    PATH,
    LENGTH_VARIABLE,
    LENGTH,
    _inner("workers", "Number of workers: {}", rank=12, loose="Number of workers: ([0-9]+)", read=read.workers),
    CONCURRENCY,
    _inner("achieved", "Concurrency achieved: {}", count_slot(ACHIEVED), rank=14),
    _inner("ramp-up", r"Rampup delay: {} \[ms\]", Slot(RAMP_UP, "total", _MS), rank=15),
    TIME_TAKEN,
    _inner("planned", "Number of requests: {}", count_slot(PLANNED_REQUESTS), rank=17, loose=_PLANNED),
    COMPLETE,
    FAILURES,
    FAILURE_CAUSES,
    WRITES,
    ERROR_RESPONSES,
    KEPT_ALIVE,
    _inner("keep-alive", "Keep-Alive aborts: {}", count_slot(KEEP_ALIVE_ABORTS), rank=24),
    TOTAL_TRANSFERRED,
    TOTAL_SENT,
    HTML_TRANSFERRED,
    RATE,
    replace(_LONE_RATE, needs_command=True),
    _inner(
        "throughput", "Requests per second: {}", Slot(THROUGHPUT, "total", decimals(2)), rank=28,
        loose=r"Requests per second: ([0-9]\S*)(?: (?![0-9]).*)?",
    ),
    TIME_PER_REQUEST,
    TIME_ACROSS,
    RATE_RECEIVED,
    _inner("transfer", "Transfer rate: {} kb/s received", Slot(TRANSFER_RATE, "total", _KIB), rank=31),
    RATE_OUT,
    RATE_BOTH,
    PHASES_TITLE,
    PHASES_HEAD,
    PHASE,
    ADVICE,
    PERCENTILES_TITLE,
    PERCENTILE,
)  # fmt: skip


def phase(name: str) -> Form:
    """A row of the table of Connection Times as ab prints it."""
    cells = {"min": _MS, "mean": _MS, "stdev": _TENTHS, "median": _MS, "max": _MS}
    return PHASE.printed(f"{name.title()}:{' +{}' * 5}", *(Slot(PHASES[name], *cell) for cell in cells.items()))


def percentile(share: int) -> Form:
    """A row of the percentiles as ab prints it."""
    end = r" \(longest request\)" if share == 100 else ""
    return PERCENTILE.printed(f" *{share}% +{{}}{end}", Slot(PHASES["total"], f"p{share}", _MS))


ADVICE_LINE = ADVICE.printed(_STRICT_ADVICE)
COPYRIGHT_LINES = (
    COPYRIGHT.printed(r"Copyright 1996 Adam Twiss, Zeus Technology Ltd, http://www\.zeustech\.net/"),
    COPYRIGHT.printed(r"Licensed to The Apache Software Foundation, http://www\.apache\.org/"),
)
PROGRESS_LINE = PROGRESS.printed("(?:Completed|Finished) [0-9]{1,10} requests")
