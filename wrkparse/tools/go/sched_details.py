"""The P, M and G lines below a ``SCHED`` line: GODEBUG=schedtrace=N,scheddetail=1, and every crash with schedtrace on.

Printed by ``runtime·schedtrace`` of ``runtime/proc.c`` (Go 1.2 to 1.4) and ``schedtrace`` of ``runtime/proc.go``, read
without stopping the world: a P and its M need not name each other. Keys came and went in the middle of the lines, and
Go 1.20 writes ``nil`` for -1 and ``true`` for 1. Real lines (Go 1.26)::

      P0: status=1 schedtick=35 syscalltick=7 m=5 runqsize=0 gfreecnt=1 timerslen=4
      M4: p=nil curg=nil mallocing=0 throwing=0 preemptoff= locks=0 dying=0 spinning=false blocked=true lockedg=10
      G2: status=4(force gc (idle)) m=nil lockedm=nil
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from wrkparse.model.records import Column
from wrkparse.tools.columnar.decode import events_schema
from wrkparse.tools.event import EventSpec

COLUMNS = (
    Column("t_s", "float", "time of the SCHED line above, since the first one; missing where that one can't be read"),
    Column("kind", "string", "P (processor), M (thread) or G (goroutine)"),
    Column("id", "int", "its number"),
    Column("status", "int", "P: 0 idle, 1 running, 2 in a system call, 3 stopped for a collection, 4 dead; G: 0 idle, 1 runnable, 2 running, 3 in a system call, 4 waiting, 6 dead, 8 copying its stack, 9 preempted, 10 leaked, 11 dead extra"),  # noqa: E501
    Column("schedtick", "int", "P: goroutine executions, modulo 2³²"),
    Column("syscalltick", "int", "P: system calls, modulo 2³²"),
    Column("m", "int", "P, G: the M it runs on"),
    Column("p", "int", "M: the P it holds"),
    Column("curg", "int", "M: the G it runs"),
    Column("runqsize", "int", "P: goroutines in its queue"),
    Column("runqcap", "int", "P: places in its queue (Go 1.2)"),
    Column("gfreecnt", "int", "P: dead goroutines kept for reuse"),
    Column("timerslen", "int", "P: timers (Go 1.14 and later)"),
    Column("mallocing", "int", "M: in the allocator"),
    Column("throwing", "int", "M: in a fatal error"),
    Column("preemptoff", "string", "M: why it may not be preempted (Go 1.5 and later)"),
    Column("gcing", "bool", "M: in a collection (up to Go 1.4)"),
    Column("locks", "int", "M: locks held"),
    Column("dying", "int", "M: in a panic"),
    Column("helpgc", "int", "M: its part in a collection (up to Go 1.11)"),
    Column("spinning", "bool", "M: looking for work"),
    Column("blocked", "bool", "M: asleep (Go 1.3 and later; right since 1.7)"),
    Column("lockedg", "int", "M: the G locked to it"),
    Column("lockedm", "int", "G: the M locked to it"),
    Column("wait_reason", "string", "G: what it waits for; if its status is not 4, what it waited for last"),
    Column("scanning", "bool", "G: the collector scans its stack (bit 0x1000 of the printed status)"),
)  # fmt: skip

SCHEMA = events_schema(COLUMNS)

# Go prints two blanks before these lines, which pages remove: any character except one of a word may be there.
SPECS = (
    EventSpec(
        "sched_details",
        word=": status=",
        begins=r"P(?<!\wP)[0-9]{1,19}: status=[0-9] sched",
        continuations=("timerslen=[0-9]{1,18}",),
    ),
    EventSpec("sched_details", word=": p=", begins=r"M(?<!\wM)[0-9]{1,19}: p=[-0-9n]"),
    EventSpec("sched_details", word=": status=", begins=r"G(?<!\wG)[0-9]{1,19}: status=[0-9]{1,5}\("),
)

_SCANNING = 0x1000  # _Gscan of runtime/runtime2.go, added to the status while the collector scans the stack
_N = rb"[0-9]{1,18}"
_LINK = rb"nil|-1|[0-9]{1,18}"
_FLAG = rb"0|1|true|false"
# A reason is words, and parentheses at times: "force gc (idle)". Anything else is other output that cut in.
_REASON = rb"[A-Za-z0-9_ .()/-]{0,80}"


_LINES: Mapping[bytes, re.Pattern[bytes]] = {
    b"P": re.compile(
        rb"P(?P<id>%(n)b): status=(?P<status>[0-9]) schedtick=(?P<schedtick>%(n)b) syscalltick=(?P<syscalltick>%(n)b)"
        rb" m=(?P<m>%(link)b) runqsize=(?P<runqsize>%(n)b)(?:/(?P<runqcap>%(n)b))? gfreecnt=(?P<gfreecnt>%(n)b)"
        rb"(?: timerslen=(?P<timerslen>%(n)b))?" % {b"n": _N, b"link": _LINK}
    ),
    b"M": re.compile(
        rb"M(?P<id>%(n)b): p=(?P<p>%(link)b) curg=(?P<curg>%(link)b) mallocing=(?P<mallocing>%(n)b)"
        rb" throwing=(?P<throwing>-?%(n)b) (?:gcing=(?P<gcing>%(flag)b)|preemptoff=(?P<preemptoff>%(reason)b))"
        rb" locks=(?P<locks>-?%(n)b) dying=(?P<dying>%(n)b)(?: helpgc=(?P<helpgc>-?%(n)b))?"
        rb" spinning=(?P<spinning>%(flag)b)(?: blocked=(?P<blocked>%(flag)b))? lockedg=(?P<lockedg>%(link)b)"
        % {b"n": _N, b"link": _LINK, b"flag": _FLAG, b"reason": _REASON}
    ),
    b"G": re.compile(
        rb"G(?P<id>%(n)b): status=(?P<status>[0-9]{1,5})\((?P<wait_reason>%(reason)b)\)"
        rb" m=(?P<m>%(link)b) lockedm=(?P<lockedm>%(link)b)" % {b"n": _N, b"link": _LINK, b"reason": _REASON}
    ),
}  # fmt: skip

DetailRow = dict[str, object]
_KINDS = {column.name: column.kind for column in COLUMNS}
_LINKS = frozenset({"m", "p", "curg", "lockedg", "lockedm"})


def read_line(line: bytes) -> DetailRow | None:
    """The fields of a P, M or G line from its letter on, without empty ones; None for other lines."""
    kind = line[:1]
    pattern = _LINES.get(kind)
    match = pattern.fullmatch(line) if pattern else None
    if match is None:
        return None
    row: DetailRow = {name: _value(name, text.decode()) for name, text in match.groupdict().items() if text}
    if kind == b"G":
        status = int(match["status"])
        row.update(status=status & ~_SCANNING, scanning=bool(status & _SCANNING))
    return {**row, "kind": kind.decode()}


def _value(name: str, text: str) -> object:
    """The value of a field, by the kind of its column."""
    if name in _LINKS:
        return None if text in {"nil", "-1"} else int(text)
    match _KINDS[name]:
        case "int":
            return int(text)
        case "bool":
            return text in {"1", "true"}
        case _:
            return text
