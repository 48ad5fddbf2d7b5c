"""The lines that appear among those of gctrace: scavenger, pacer, package initialisation, scanned objects, finalizers.

============================================ ============================================= ==================
line                                         printed under GODEBUG by                      table
============================================ ============================================= ==================
``scvg0: 1 MB released``, ``scvg0: inuse:``  gctrace=1, Go 1.0 to 1.13                     `scavenges`
``scvg0: GC forced``                         gctrace=1, Go 1.0 to 1.3                      `scavenges`
``scav 0 KiB work …``                        scavtrace=1, Go 1.14 on                       `scavenges`
``pacer: …``                                 gcpacertrace=1, Go 1.5 on                     `gc_pacing`
``scan: total …``, ``scan: class 8B …``      gctrace=2, Go 1.25 on                         `gc_scans`
``init os @0.35 ms, …``                      inittrace=1, Go 1.16 on                       `inits`
``checkfinalizers: queue: …``                checkfinalizers=1, Go 1.25 on                 `finalizer_queues`
============================================ ============================================= ==================

Printed by ``scavenge`` of ``runtime/mheap``, ``printScavTrace``, ``startCycle``, ``endCycle`` and ``gcSweep`` of the
pacer, ``doInit`` of ``runtime/proc.go``, ``dumpScanStats`` of ``runtime/mgcmark`` and ``runFinalizers``. They are rare
and are read one at a time. A number that only repeats the difference or quotient of two others (``goalΔ``,
``actualΔ``, ``u_a/u_g``) is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from wrkparse.model.records import Column
from wrkparse.tools.columnar.decode import events_schema
from wrkparse.tools.event import OTHER_OUTPUT, EventSpec

TABLES: Mapping[str, tuple[Column, ...]] = {
    "scavenges": (
        Column("round", "int", "number of the scvg round, or of the scav line's generation (Go 1.15 to 1.18)"),
        Column("work_bytes", "int", "returned to the operating system by this round (scvg), or since the last line (scav, Go 1.14 to 1.20)"),  # noqa: E501
        Column("work_background_bytes", "int", "so returned in the background (Go 1.21 and later)"),
        Column("work_eager_bytes", "int", "so returned by goroutines that allocate, or debug.FreeOSMemory (Go 1.21 and later)"),  # noqa: E501
        Column("inuse_bytes", "int", "heap in spans that are in use (scvg)"),
        Column("idle_bytes", "int", "heap in idle spans, what was returned included (scvg)"),
        Column("sys_bytes", "int", "heap obtained from the operating system (scvg)"),
        Column("released_bytes", "int", "heap that is returned at present"),
        Column("consumed_bytes", "int", "sys less released (scvg)"),
        Column("util_ratio", "float", "heap in use / heap not returned (scav)"),
        Column("forced", "bool", "called for by debug.FreeOSMemory"),
        Column("controller_reset", "bool", "the background scavenger's controller was reset (scav, Go 1.18 and later)"),
        Column("gc_forced", "bool", "the round began a collection, because there was none for two minutes (scvg, Go 1.0 to 1.3)"),  # noqa: E501
    ),
    "gc_pacing": (
        Column("kind", "string", "assist: a cycle begins; cycle: it has marked; sweep: the sweep after it is done"),
        Column("assist_ratio", "float", "assist: scan work that a goroutine owes per byte that it allocates"),
        Column("scan_bytes", "int", "assist: scan work expected"),
        Column("workers_dedicated", "int", "assist: Ps that only mark"),
        Column("workers_fractional", "float", "assist: workers that mark part of the time; since Go 1.10 the share of each P's time"),  # noqa: E501
        Column("heap_previous_live_bytes", "int", "cycle, to Go 1.17: heap marked by the cycle before (H_m_prev)"),
        Column("trigger_growth_ratio", "float", "cycle, to Go 1.17: growth over it at which it was to begin (h_t)"),
        Column("trigger_bytes", "int", "cycle: heap at which it was to begin (H_T; since Go 1.18 at which it began)"),
        Column("growth_ratio", "float", "cycle, to Go 1.17: growth over it when marking ended (h_a)"),
        Column("heap_bytes", "int", "assist: heap as it begins; cycle: as marking ends (H_a); sweep: as it ends"),
        Column("goal_growth_ratio", "float", "cycle, to Go 1.17: growth that was aimed at (h_g)"),
        Column("heap_goal_bytes", "int", "assist, and cycle to Go 1.17: heap that is aimed at (H_g)"),
        Column("over_goal_bytes", "int", "cycle, Go 1.18 on: heap over the goal when marking ended; below 0: under it"),
        Column("gc_cpu_ratio", "float", "cycle: share of the CPU time that marking took (u_a)"),
        Column("gc_cpu_goal_ratio", "float", "cycle: share that it was to take (u_g)"),
        Column("scanned_bytes", "int", "cycle, to Go 1.17: scan work done (W_a)"),
        Column("scanned_heap_bytes", "int", "cycle, Go 1.18 on: scan work done on the heap"),
        Column("scanned_stacks_bytes", "int", "cycle, Go 1.18 on: on stacks"),
        Column("scanned_globals_bytes", "int", "cycle, Go 1.18 on: on globals"),
        Column("scan_expected_bytes", "int", "cycle, Go 1.18 on: scan work expected"),
        Column("cons_mark_ratio", "float", "cycle, Go 1.18 on: bytes allocated per byte marked, per CPU time of each, as estimated before"),  # noqa: E501
        Column("controller_reset", "bool", "cycle, Go 1.18 on: the pacer's controller was reset"),
        Column("allocated_bytes", "int", "sweep: allocated in spans, or during the sweep (Go 1.9 and later)"),
        Column("swept_pages", "int", "sweep: pages swept"),
        Column("swept_pages_per_byte", "float", "sweep: pages to sweep per byte allocated (Go 1.7 and later)"),
    ),
    "gc_scans": (
        Column("kind", "string", "total, class (a size class) or large (objects with a span of their own)"),
        Column("class_bytes", "int", "class: size of its objects"),
        Column("objects", "int", "objects scanned"),
        Column("objects_sparse", "int", "objects scanned one at a time (Green Tea)"),
        Column("objects_span_sparse", "int", "objects scanned with their span, one at a time (Green Tea)"),
        Column("objects_span_dense", "int", "objects scanned with their span, all at once (Green Tea)"),
        Column("spans", "int", "spans scanned (Green Tea)"),
        Column("spans_sparse", "int", "spans of which some objects were scanned (Green Tea)"),
        Column("spans_dense", "int", "spans scanned all at once (Green Tea)"),
    ),
    "inits": (
        Column("package", "string", "import path of the package"),
        Column("at_s", "float", "when its initialisation began, since the process started"),
        Column("elapsed_s", "float", "how long it took"),
        Column("allocated_bytes", "int", "allocated by it"),
        Column("mallocs", "int", "objects allocated by it"),
    ),
    "finalizer_queues": (
        Column("finalizers", "int", "finalizers that wait to be run"),
        Column("cleanups", "int", "cleanups that wait to be run"),
    ),
}  # fmt: skip

SCHEMAS = {table: events_schema(columns) for table, columns in TABLES.items()}

_SCAV_ENDS = ("(forced)", "[controller reset]")
# The end of a line that was cut early: the line ends there, or another one begins.
_CUT = rf"(?=[ \t\r]*(?:\n|\Z)|{OTHER_OUTPUT})"
_SCVG_CUT = rf"(?:inu(?:s|se|se:)?|GC f(?:o|or|orc|orce)?){_CUT}"  # without a number, as Go 1.13 prints it
_INIT_CUT = rf"[0-9]{{1,7}}(?:\.[0-9]{{0,3}})?(?: (?:ms?,?)?)?{_CUT}"
SPECS = (
    EventSpec(
        "scavenges", "scvg", rf"scvg(?:-?[0-9]{{1,10}}:|: (?:[0-9]|inuse: |GC forced|{_SCVG_CUT}))",
        torn="scvg-?[0-9]{0,10}", ends=(")",),
    ),
    EventSpec("scavenges", "scvg", "forced scvg: ", ends=(")",)),
    EventSpec(
        "scavenges", "scav ", rf"scav [0-9]{{1,18}} (?:[0-9]|KiB|Ki?{_CUT})", torn="scav [0-9]{1,18} ?",
        continuations=(r"\[controller reset\]",), ends=_SCAV_ENDS,
    ),
    EventSpec(
        "gc_pacing", "pacer: ", "pacer: (?:assist ratio=|H_m_prev=|-?[0-9]{1,20}% CPU |sweep done at heap size )",
        torn="pacer: -?[0-9]{1,20}", ends=(")", "[controller reset]"),
    ),
    EventSpec(
        "gc_scans", "scan: ", "scan: (?:total |class (?:L|[0-9]{1,9}B) )[0-9]",
        torn="scan: (?:total |class (?:L |[0-9]{1,9}B? ?))",
    ),
    EventSpec(
        "inits", "init ",
        rf"init [^\s]{{1,200}} @(?:[0-9][0-9.]{{0,9}} ms, [0-9]|SCHED |{_INIT_CUT})",
        torn=r"init [^\s]{1,200} @",
    ),
    EventSpec("finalizer_queues", "checkfinalizers: ", "checkfinalizers: queue: [0-9]"),
)  # fmt: skip


def _finite(text: str) -> float | None:
    value = float(text)
    return value if abs(value) < float("inf") else None


# How each kind of number is printed, and its conversion to base units.
_KINDS: Mapping[str, tuple[bytes, Callable[[str], object]]] = {
    "n": (rb"-?[0-9]{1,18}", int),
    "MB": (rb"[0-9]{1,12}", lambda text: int(text) << 20),
    "KiB": (rb"[0-9]{1,15}", lambda text: int(text) << 10),
    "hexMB": (rb"0x[0-9a-f]{1,10}", lambda text: int(text, 16) << 20),
    "%": (rb"-?[0-9]{1,18}", lambda text: int(text) / 100),
    # +1.234567e-002 up to Go 1.25; later as few digits as distinguish the number from its neighbours: 0, 0.25, 1e-05
    "f": (rb"[+-]?(?:[0-9]{1,20}(?:\.[0-9]{1,20})?(?:e[+-][0-9]{2,3})?|Inf)|NaN", _finite),
    # as in gctrace's lines: at most three decimals, more are two numbers that ran together
    "ms": (rb"[0-9]{1,12}(?:\.[0-9]{1,3})?", lambda text: float(text) / 1000),
    # cmd/internal/objabi/path.go, PathToPrefix: characters other than printable ASCII are escaped as %xx.
    "name": (rb"[!-~]{1,200}", str),
}


class _LineForm(NamedTuple):
    """One form of a line: its table, its pattern, a reader for each number, and the meaning of its words."""

    table: str
    pattern: re.Pattern[bytes]
    readers: Mapping[str, Callable[[str], object]]
    constants: Mapping[str, object]


_FIELD = re.compile(r"\{(\w+):([\w%]+)\}")  # "{work_bytes:MB}"


def _line(table: str, template: str, **constants: object) -> _LineForm:
    """A line as printed, with ``{column:kind}`` for each number."""
    first, *rest = _FIELD.split(template)
    pattern, readers = re.escape(first).encode(), {}
    for column, kind, text in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        number, readers[column] = _KINDS[kind]
        pattern += b"(?P<%b>%b)%b" % (column.encode(), number, re.escape(text).encode())
    return _LineForm(table, re.compile(pattern), readers, constants)


def _scavenges() -> Iterator[_LineForm]:
    sizes = ": inuse: {inuse_bytes:MB}, idle: {idle_bytes:MB}, sys: {sys_bytes:MB}, released: {released_bytes:MB}, consumed: {consumed_bytes:MB} (MB)"  # noqa: E501
    # Go 1.0 and 1.1 print the returned memory in hexadecimal, 1.14beta1 in KB; 1.13 does not number its rounds
    for released in (
        ": {work_bytes:MB} MB released",
        ": {work_bytes:hexMB} MB released",
        ": {work_bytes:KiB} KB released",
    ):
        for opening, forced in _SCVG:
            yield _line("scavenges", opening + released, forced=forced, gc_forced=False)
    for opening, forced in _SCVG:
        yield _line("scavenges", opening + sizes, forced=forced, gc_forced=False)
    yield _line("scavenges", "scvg{round:n}: GC forced", forced=False, gc_forced=True)
    for end, forced, reset in (("", False, False), (" (forced)", True, False), (" [controller reset]", False, True)):
        for work in _SCAV:
            yield _line("scavenges", work + ", {util_ratio:%}% util" + end, forced=forced, controller_reset=reset)


_SCVG = (("scvg-1", True), ("scvg{round:n}", False), ("forced scvg", True), ("scvg", False))
_SCAV = (
    "scav {work_bytes:KiB} KiB work, {released_bytes:KiB} KiB total",
    "scav {round:n} {work_bytes:KiB} KiB work, {released_bytes:KiB} KiB total",
    "scav {work_background_bytes:KiB} KiB work (bg), {work_eager_bytes:KiB} KiB work (eager), {released_bytes:KiB} KiB now",  # noqa: E501
)


def _pacing() -> Iterator[_LineForm]:
    yield _line(
        "gc_pacing",
        "pacer: assist ratio={assist_ratio:f} (scan {scan_bytes:MB} MB in {heap_bytes:MB}->{heap_goal_bytes:MB} MB)"
        " workers={workers_dedicated:n}+{workers_fractional:f}",
        kind="assist",
    )
    yield _line(
        "gc_pacing",
        "pacer: H_m_prev={heap_previous_live_bytes:n} h_t={trigger_growth_ratio:f} H_T={trigger_bytes:n}"
        " h_a={growth_ratio:f} H_a={heap_bytes:n} h_g={goal_growth_ratio:f} H_g={heap_goal_bytes:n}"
        " u_a={gc_cpu_ratio:f} u_g={gc_cpu_goal_ratio:f} W_a={scanned_bytes:n}"
        " goalΔ={_:f} actualΔ={__:f} u_a/u_g={___:f}",
        kind="cycle",
    )
    for end, reset in ((")", False), (")[controller reset]", True)):
        yield _line(
            "gc_pacing",
            "pacer: {gc_cpu_ratio:%}% CPU ({gc_cpu_goal_ratio:%} exp.) for {scanned_heap_bytes:n}"
            "+{scanned_stacks_bytes:n}+{scanned_globals_bytes:n} B work ({scan_expected_bytes:n} B exp.) in"
            " {trigger_bytes:n} B -> {heap_bytes:n} B (∆goal {over_goal_bytes:n}, cons/mark {cons_mark_ratio:f}" + end,
            kind="cycle", controller_reset=reset,
        )  # fmt: skip
    sweep = "pacer: sweep done at heap size {heap_bytes:MB}MB; allocated {allocated_bytes:MB}MB %s; swept {swept_pages:n} pages"  # noqa: E501
    yield _line("gc_pacing", sweep % "of spans", kind="sweep")
    for what in ("of spans", "during sweep"):
        yield _line("gc_pacing", sweep % what + " at {swept_pages_per_byte:f} pages/byte", kind="sweep")


def _other_lines() -> Iterator[_LineForm]:
    tea = (
        " {objects_sparse:n}+{objects_span_sparse:n}+{objects_span_dense:n}={objects:n} objs,"
        " {spans_sparse:n}+{spans_dense:n}={spans:n} spans"
    )
    for what, kind in (("total", "total"), ("class {class_bytes:n}B", "class"), ("class L", "large")):
        yield _line("gc_scans", f"scan: {what} {{objects:n}} objs", kind=kind)
        yield _line("gc_scans", f"scan: {what}{tea}", kind=kind)
    yield _line(
        "inits",
        "init {package:name} @{at_s:ms} ms, {elapsed_s:ms} ms clock, {allocated_bytes:n} bytes, {mallocs:n} allocs",
    )
    yield _line("finalizer_queues", "checkfinalizers: queue: {finalizers:n} finalizers + {cleanups:n} cleanups")


def _by_opening() -> Mapping[bytes, Sequence[_LineForm]]:
    """The lines by their first four letters."""
    found: dict[bytes, list[_LineForm]] = {}
    for known in (*_scavenges(), *_pacing(), *_other_lines()):
        found.setdefault(known.pattern.pattern[:4], []).append(known)
    return found


_LINES = _by_opening()

DetailRow = dict[str, object]


def read_line(line: bytes) -> tuple[str, DetailRow] | None:
    """The table of a line and its fields, without missing ones; None for other lines."""
    for known in _LINES.get(line[:4], ()):
        if match := known.pattern.fullmatch(line):
            numbers = {name: known.readers[name](text.decode()) for name, text in match.groupdict().items()}
            return known.table, {
                **known.constants,
                **{name: value for name, value in numbers.items() if name.strip("_")},
            }
    return None
