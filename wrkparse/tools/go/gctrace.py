"""GODEBUG=gctrace=1 (GOGCTRACE=1 before Go 1.2): a line for each garbage collection of a Go process.

The lines are printed by ``gc()`` of ``runtime/mgc0.c`` up to Go 1.4 and by ``gcMarkTermination`` of ``runtime/mgc.go``
since. Their shape has changed ten times; ``era`` names the shapes:

====== ================== =============================================================================
era    Go                 what is particular
====== ================== =============================================================================
G0     before 1.0         three phases in ms, the whole collection stops the world; pointer lookups
G1     1.0                as G0, without them
G1b    1.1 in development as G1, with yields
G2     1.1, 1.2           as G1, but the first number no longer holds the stop; gccgo 4.8 ends at objects
G3a    1.3 in development as G3, but the three phases of G2, in ms; gccgo 4.9
G3     1.3                four phases in µs; sweeping is concurrent; the first heap is the previous live one
G4     1.4                as G3, with goroutines
G5a-e  1.5 in development ``gc #``, five phases in whole ms; ``@`` is the cycle's end
G6     1.5beta1, 2        five phases, decimals; ``@`` is the cycle's start
G7     1.5, 1.6beta1      as G6 without ``#``
G8     1.6 to 1.17        three phases
G9     1.18 and later     with stacks and globals
G10    1.26 and later     as G9, in a cycle that looks for leaked goroutines
====== ================== =============================================================================

Lines of other traces may be among them (`gc_details`), and ``GC forced`` before a collection that begins because there
was none for two minutes (Go 1.4 on).

Times are truncated, not rounded, to at most two significant digits and 1 µs; sizes are truncated to MiB. A real line::

    gc 763 @77536.239s 1%: 0.11+2192+0.75 ms clock, 0.92+9269/4379/3243+6.0 ms cpu, 6370->6390->3298 MB, 6533 MB goal, 8 P
"""  # noqa: E501 (a real line)

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wrkparse.model.records import Column
from wrkparse.tools.columnar.decode import decode, events_schema, joined_table
from wrkparse.tools.columnar.shapes import BLANKS, BadLines, Shape, ShapeGroup, Values, shape
from wrkparse.tools.event import Events, EventSpec, EventTool, Opening
from wrkparse.tools.go import gc_details

COLUMNS = (
    Column("gc", "int", "number of the collection, from 1"),
    Column("at_s", "float", "when the cycle began (G5: ended), since the process started"),
    Column("gc_cpu_ratio", "float", "share of the CPU time spent in collections since the process started, less idle marking"),  # noqa: E501
    Column("stw_sweep_term_s", "float", "world stopped: sweep termination (G5 and later)"),
    Column("concurrent_scan_s", "float", "concurrent root scan (G5 to G7)"),
    Column("write_barrier_s", "float", "installing write barriers; stops the world until G5d, a ragged barrier later (G5 to G7)"),  # noqa: E501
    Column("concurrent_mark_s", "float", "concurrent marking; since G8 with the root scan"),
    Column("stw_mark_term_s", "float", "world stopped: mark termination (G5 and later); forced cycles up to Go 1.8 mark here"),  # noqa: E501
    Column("stw_stop_s", "float", "stopping the world (G3, G4)"),
    Column("stw_mark_s", "float", "world stopped: marking (G1 to G4); G1: with the time to stop the world"),
    Column("stw_sweep_s", "float", "world stopped: sweeping (G1, G2); what the background had left to sweep (G3, G4)"),
    Column("stw_wait_s", "float", "world stopped: waiting for the other collecting threads (G3, G4)"),
    Column("stw_other_s", "float", "world stopped: clean-up and statistics (G1, G2); G2: with the time to stop the world"),  # noqa: E501
    Column("cpu_sweep_term_s", "float", "sweep termination: wall time × threads that stood still"),
    Column("cpu_scan_s", "float", "root scan, by one goroutine (G5 to G7)"),
    Column("cpu_write_barrier_s", "float", "installing write barriers: wall time × threads (G5); counted as 0 (G6, G7)"),  # noqa: E501
    Column("cpu_mark_s", "float", "marking, by one goroutine (G5a to G5c)"),
    Column("cpu_assist_s", "float", "marking by goroutines that allocate (G5d and later); forced cycles up to Go 1.8 repeat the previous cycle's"),  # noqa: E501
    Column("cpu_background_s", "float", "marking by dedicated and fractional workers; as cpu_assist_s"),
    Column("cpu_idle_s", "float", "marking by otherwise idle Ps; as cpu_assist_s"),
    Column("cpu_mark_term_s", "float", "mark termination: wall time × threads that stood still"),
    Column("heap_start_bytes", "int", "heap when the cycle began, garbage included (all eras)"),
    Column("heap_end_bytes", "int", "heap at mark termination, before the sweep (G5 and later)"),
    Column("heap_live_bytes", "int", "marked heap (G5c and later); heap after the sweep (G1, G2)"),
    Column("heap_goal_bytes", "int", "heap at which the cycle was to end; missing if there is none (GOGC=off)"),
    Column("heap_previous_live_bytes", "int", "live heap after the previous collection, estimated (G3, G4)"),
    Column("stacks_bytes", "int", "goroutine stacks to scan (G9, G10)"),
    Column("globals_bytes", "int", "global data to scan (G9, G10)"),
    Column("procs", "int", "GOMAXPROCS (G5 and later)"),
    Column("gc_threads", "int", "threads that took part, at most GOMAXPROCS, the CPUs and 4, 8 or 32 (G1 to G4)"),
    Column("forced", "bool", "called for, as by runtime.GC; Go 1.9 to 1.19 may mark the neighbouring line (G5 and later)"),  # noqa: E501
    Column("periodic", "bool", "begun because there was none for two minutes: GC forced is in front (G4 and later)"),
    Column("leak_check", "bool", "looked for leaked goroutines (G9, G10)"),
    Column("objects_start", "int", "objects on the heap when the collection began, dead ones included (G1 to G4)"),
    Column("objects_live", "int", "objects after it (G1, G2)"),
    Column("mallocs", "int", "objects allocated since the process started (G1 to G4)"),
    Column("frees", "int", "objects freed since the process started (G1 to G4)"),
    Column("goroutines", "int", "goroutines (G4)"),
    Column("pointer_lookups", "int", "pointers looked up (G0)"),
    Column("pointer_lookups_size", "int", "of them for the size of the object (G0)"),
    Column("pointer_lookups_addr", "int", "of them for its address (G0)"),
    Column("sweep_spans", "int", "spans on the heap (G3, G4)"),
    Column("sweep_background", "int", "spans swept in the background (G3, G4)"),
    Column("sweep_paused", "int", "spans swept during the previous pause (G3, G4)"),
    Column("handoffs", "int", "times that a thread gave work to another (G1 to G4)"),
    Column("handoff_objects", "int", "objects so given (G2 to G4)"),
    Column("steals", "int", "times that a thread took work from another (G2 to G4)"),
    Column("steal_items", "int", "items so taken (G2 to G4)"),
    Column("yields_proc", "int", "spins while waiting (G2 to G4)"),
    Column("yields_os", "int", "yields to the operating system while waiting (G2 to G4)"),
    Column("yields_sleep", "int", "sleeps while waiting (G2 to G4)"),
    Column("era", "string", "shape of the line, G0 to G10"),
)  # fmt: skip

_OLDEST = "gc{gc}: "
_OLD = "gc{gc}({gc_threads}): "
_OBJECTS = "{objects_start} -> {objects_live} ({mallocs}-{frees}) objects"
_LOOKUPS = " {pointer_lookups} pointer lookups ({pointer_lookups_size} size, {pointer_lookups_addr} addr)"
_HANDOFF = "{handoffs}({handoff_objects}) handoff, "
_YIELDS = "{yields_proc}/{yields_os}/{yields_sleep} yields"
_PARALLEL = _HANDOFF + "{steals}({steal_items}) steal, " + _YIELDS
_STOPPED = "{stw_mark_s}+{stw_sweep_s}+{stw_other_s} ms"
_FOUR = "{stw_stop_s}+{stw_sweep_s}+{stw_mark_s}+{stw_wait_s} us, "
_HEAP_OLD = "{heap_start_bytes} -> {heap_live_bytes} MB "
_HEAP_PREVIOUS = "{heap_previous_live_bytes} -> {heap_start_bytes} MB, "
_LEFT = "{objects_start} ({mallocs}-{frees}) objects, "
_SWEEPS = "{sweep_spans}/{sweep_background}/{sweep_paused} sweeps, "
_FIVE = (
    "{stw_sweep_term_s}+{concurrent_scan_s}+{write_barrier_s}+{concurrent_mark_s}+{stw_mark_term_s} ms clock, "
    "{cpu_sweep_term_s}+{cpu_scan_s}+{cpu_write_barrier_s}+"
)
_THREE = "{stw_sweep_term_s}+{concurrent_mark_s}+{stw_mark_term_s} ms clock, {cpu_sweep_term_s}+"
_MARK_1 = "{cpu_mark_s}+{cpu_mark_term_s} ms cpu, "
_MARK_3 = "{cpu_assist_s}/{cpu_background_s}/{cpu_idle_s}+{cpu_mark_term_s} ms cpu, "
_HEAP_2 = "{heap_start_bytes}->{heap_end_bytes} MB, "
_HEAP_3 = "{heap_start_bytes}->{heap_end_bytes}->{heap_live_bytes} MB, "
_GOAL = "{heap_goal_bytes} MB goal, "
_ROOTS = "{stacks_bytes} MB stacks, {globals_bytes} MB globals, "
_HASH = "gc #{gc} @{at_s}s"
_NEW = "gc {gc} @{at_s}s"
_SHARE = " {gc_cpu_ratio}%"

# Each is the line as far as it is the same in the whole era: a new version of Go is a new entry here.
_ERAS: tuple[tuple[str, str], ...] = (
    ("G0", _OLDEST + _STOPPED + " " + _HEAP_OLD + _OBJECTS + _LOOKUPS),
    ("G0", _OLDEST + _STOPPED + " " + _HEAP_OLD + _OBJECTS + _LOOKUPS + " {handoffs} handoff"),
    ("G0", _OLD + _STOPPED + " " + _HEAP_OLD + _OBJECTS + _LOOKUPS + " {handoffs} handoff"),
    ("G1", _OLD + _STOPPED + " " + _HEAP_OLD + _OBJECTS + " {handoffs} handoff"),
    ("G1b", _OLD + _STOPPED + ", " + _HEAP_OLD + _OBJECTS + ", " + _HANDOFF + _YIELDS),
    ("G2", _OLD + _STOPPED + ", " + _HEAP_OLD + _OBJECTS),
    ("G2", _OLD + _STOPPED + ", " + _HEAP_OLD + _OBJECTS + ", " + _PARALLEL),
    ("G3a", _OLD + _STOPPED + ", " + _HEAP_PREVIOUS + _LEFT + _SWEEPS + _PARALLEL),
    ("G3", _OLD + _FOUR + _HEAP_PREVIOUS + _LEFT + _SWEEPS + _PARALLEL),
    ("G4", _OLD + _FOUR + _HEAP_PREVIOUS + _LEFT + "{goroutines} goroutines, " + _SWEEPS + _PARALLEL),
    ("G5a", _HASH + ": " + _FIVE + _MARK_1 + _HEAP_2 + "{procs} P"),
    ("G5b", _HASH + _SHARE + ": " + _FIVE + _MARK_1 + _HEAP_2 + "{procs} P"),
    ("G5c", _HASH + _SHARE + ": " + _FIVE + _MARK_1 + _HEAP_3 + "{procs} P"),
    ("G5d", _HASH + _SHARE + ": " + _FIVE + _MARK_3 + _HEAP_3 + "{procs} P"),
    ("G6", _HASH + _SHARE + ": " + _FIVE + _MARK_3 + _HEAP_3 + _GOAL + "{procs} P"),
    ("G7", _NEW + _SHARE + ": " + _FIVE + _MARK_3 + _HEAP_3 + _GOAL + "{procs} P"),
    ("G8", _NEW + _SHARE + ": " + _THREE + _MARK_3 + _HEAP_3 + _GOAL + "{procs} P"),
    ("G9", _NEW + _SHARE + ": " + _THREE + _MARK_3 + _HEAP_3 + _GOAL + _ROOTS + "{procs} P"),
    ("G10", _NEW + _SHARE + " (checking for goroutine leaks): " + _THREE + _MARK_3 + _HEAP_3 + _GOAL + _ROOTS + "{procs} P"),  # noqa: E501
)  # fmt: skip
_ERAS_BEFORE_1_5 = ("G0", "G1", "G1b", "G2", "G3a", "G3", "G4")
_ERAS_BEFORE_1_4 = _ERAS_BEFORE_1_5[:-1]
_ERAS_WITHOUT_DECIMALS = (*_ERAS_BEFORE_1_5, "G5a", "G5b", "G5c", "G5d")  # print no decimals but the time of the cycle
_PER_SECOND = {"G3": 1e6, "G4": 1e6}  # all others print milliseconds

# Pairs of eras that one process can print. (No Arrow array before one is needed: making one imports pandas.)
_SAME_VERSION = (
    "G0", "", "G1", "", "G1b", "", "G2", "", "G3a", "", "G3", "", "G4", "",
    "G5a", "", "G5b", "", "G5c", "", "G5d", "", "G5e", "G6", "G7", "", "G8", "", "G9", "G10",
)  # fmt: skip
# Go prints the line when the next collection may have begun: a cycle may come after the next one, with its number.
_UNORDERED_ERAS = [_SAME_VERSION.index(era) // 2 for era in ("G5a", "G5b", "G5c", "G5d", "G5e", "G6", "G7")]

_TIMES = frozenset(column.name for column in COLUMNS if column.name.endswith("_s"))

# Times are unsigned nanoseconds: when a clock went back, Go prints almost 2⁶⁴ of them.
_NEGATIVE_S = 2.0**63 / 1e9
# In MiB. Without a goal Go prints one near 2⁶³ or 2⁶⁴ bytes.
_NO_SIZE = 2**40

_SCHEMA = events_schema(COLUMNS)


@functools.cache
def _empty_detail_tables() -> Mapping[str, pa.Table]:
    """The tables of other lines without a row; made when needed, because Arrow imports pandas to make them."""
    return {name: kind.empty_table() for name, kind in gc_details.SCHEMAS.items()}


_PERIODIC = b"GC forced"


def _shapes(head: str) -> Iterator[Shape]:
    """The shapes of all eras whose lines begin with this text."""
    for era, template in _ERAS:
        if not template.startswith(head):
            continue
        decimals = frozenset({"at_s"}) if era in _ERAS_WITHOUT_DECIMALS else _TIMES
        words: dict[str, Any] = {"era": era}
        if era in {"G9", "G10"}:
            words["leak_check"] = era == "G10"
        if era not in _ERAS_BEFORE_1_4:
            words["periodic"] = False
        if era in _ERAS_BEFORE_1_5:
            yield shape(template, decimals, **words)
        else:
            yield shape(template, decimals, **words, forced=False)
            yield shape(template + " (forced)", decimals, **words, forced=True)


_ENDS = (" P", "(forced)", "yields")
_CYCLES = (
    EventSpec(
        "gc_cycles",
        word="gc",
        begins="gc [0-9]{1,10} @[0-9]",
        shapes=tuple(_shapes(_NEW)),
        opening=Opening(b"gc ", 10, b" @"),
        torn="gc ?#?[0-9]{0,10} ?@?",
        torn_by="SCHED ",
        continuations=(r"\(forced\)",),
        ends=_ENDS,
    ),
    EventSpec("gc_cycles", "gc", "gc #[0-9]{1,10} @[0-9]", tuple(_shapes(_HASH)), ends=_ENDS),
    EventSpec("gc_cycles", "gc", r"gc[0-9]{1,10}\([0-9]{1,10}\): -?[0-9]", tuple(_shapes(_OLD)), ends=_ENDS),
    EventSpec("gc_cycles", "gc", r"gc[0-9]{1,10}: [0-9]{1,10}\+[0-9]{1,10}\+", tuple(_shapes(_OLDEST)), ends=_ENDS),
)
# The line has these two words alone. Prose ("a GC forced") and other runtimes ("Full GC forced") have more.
_ANNOUNCEMENT = EventSpec("", _PERIODIC.decode(), r"GC(?<![a-z] GC) forced(?=[ \t\r]*(?:\n|\Z))")

_SHAPES = {known.skeleton: known for spec in _CYCLES for known in spec.shapes}


class _Stream:
    """Decodes the collections of one source and the lines among them, and remembers the last collection."""

    def __init__(self) -> None:
        self._last: dict[str, float] = {}  # values of the last collection, which `_belongs_to_new_process` compares
        self._init_at_s = -1.0
        self._periodic = False  # the next collection begins because there was none for two minutes

    def decode(self, lines: Sequence[bytes]) -> Events:
        groups, bad = decode(lines, _SHAPES.get)
        cycles = joined_table(_SCHEMA, [(group.indices, _values(group, lines)) for group in groups])
        details: dict[str, list[gc_details.DetailRow]] = {}
        announced: list[int] = []
        if bad:
            bad = _read_details(lines, bad, details, announced)
        read = {name: pa.Table.from_pylist(rows, gc_details.SCHEMAS[name]) for name, rows in details.items()}
        new_processes = self._new_processes(details.get("inits", []))
        starts = sorted({*new_processes, *self._starts(cycles, new_processes)})
        if announced or self._periodic:
            cycles = self._mark_periodic(cycles, announced)
        return Events({"gc_cycles": cycles, **_empty_detail_tables(), **read}, starts, bad)

    def sound(self, lines: Sequence[bytes]) -> set[int]:
        groups, others = decode(lines, _SHAPES.get)
        cycles = {index for group in groups for index in group.indices.tolist()}
        return cycles | {index for index, _ in others if gc_details.read_line(lines[index].rstrip(BLANKS))}

    def follow(self, events: Events) -> Events:
        cycles = events.tables["gc_cycles"]
        starts = self._starts(cycles, [])
        if self._periodic:
            cycles = self._mark_periodic(cycles, [])
        return Events(events.tables | {"gc_cycles": cycles}, starts, [])

    def _mark_periodic(self, cycles: pa.Table, announced: list[int]) -> pa.Table:
        """The collections; the first one after each of these lines has ``periodic`` set."""
        # the line comes before its collection, which may be the first of the next block
        at = np.unique(np.searchsorted(cycles["index"].to_numpy(), ([0] if self._periodic else []) + announced))
        self._periodic = bool(len(at)) and int(at[-1]) == cycles.num_rows
        marked = np.zeros(cycles.num_rows, bool)
        marked[at[at < cycles.num_rows]] = True
        column = pc.if_else(pc.is_null(cycles["periodic"]), None, pa.array(marked))
        return cycles.set_column(cycles.schema.get_field_index("periodic"), "periodic", column)

    def _new_processes(self, inits: list[gc_details.DetailRow]) -> list[int]:
        """The indices where another process initialises its packages: within a process, these times never fall."""
        indices = []
        for row in inits:
            at_s, index = row["at_s"], row["index"]
            assert isinstance(at_s, float)
            assert isinstance(index, int)
            if at_s < self._init_at_s:
                indices.append(index)
            self._init_at_s = at_s
        return indices

    def _starts(self, cycles: pa.Table, new_processes: list[int]) -> list[int]:
        """The indices where collections of another process begin.

        The first collection after an index in `new_processes` belongs to that process.
        """
        if not cycles.num_rows:
            self._last = {} if new_processes else self._last
            return []
        index = cycles["index"].to_numpy()
        current = {"gc": cycles["gc"].to_numpy(), "at_s": cycles["at_s"].to_numpy()}
        current["procs"] = pc.fill_null(cycles["procs"], 0).to_numpy()
        current["version"] = pc.index_in(cycles["era"], pa.array(_SAME_VERSION)).to_numpy() // 2
        last = {name: np.concatenate([[self._last.get(name, np.nan)], values]) for name, values in current.items()}
        self._last = {name: float(values[-1]) for name, values in last.items()}
        restarted = _belongs_to_new_process(last)
        first = np.searchsorted(index, new_processes)
        restarted[first[first < len(index)]] = False
        if len(first) and first[-1] == len(index):
            self._last = {}
        starts: list[int] = index[restarted].tolist()
        return starts


def _belongs_to_new_process(rows: Mapping[str, npt.NDArray[np.float64]]) -> npt.NDArray[np.bool_]:
    """Whether each collection, except the first, belongs to another process than the one before.

    Within a process the number never falls: it is read under the lock of the printer. If collections are printed in
    order, it rises with each line, and the time does not fall; the same number at the same time is the same line, twice
    in the log. A process has one version of Go. It may change its GOMAXPROCS, but loses no lines by that.
    """
    before, now = ({name: values[part] for name, values in rows.items()} for part in (slice(-1), slice(1, None)))
    ordered = ~np.isin(now["version"], _UNORDERED_ERAS)
    is_repeated = (now["gc"] == before["gc"]) & (now["at_s"] != before["at_s"])
    restarted = (now["gc"] < before["gc"]) | ordered & (is_repeated | (now["at_s"] < before["at_s"]))
    has_gap = now["gc"] > before["gc"] + 1
    restarted |= (now["version"] != before["version"]) | has_gap & (now["procs"] != before["procs"])
    # NaN: no collection is before it
    is_new: npt.NDArray[np.bool_] = restarted & ~np.isnan(before["gc"])
    return is_new


def _read_details(
    lines: Sequence[bytes], others: BadLines, details: dict[str, list[gc_details.DetailRow]], announced: list[int]
) -> BadLines:
    """Read the lines that are not collections; returns unknown lines."""
    bad: BadLines = []
    for index, reason in others:
        line = lines[index].rstrip(BLANKS)
        if line == _PERIODIC:
            announced.append(index)
        elif found := gc_details.read_line(line):
            details.setdefault(found[0], []).append({"index": index, **found[1]})
        else:
            bad.append((index, reason))
    return bad


def _values(group: ShapeGroup, lines: Sequence[bytes]) -> Mapping[str, Any]:
    """The columns of a group: numbers in base units, constants."""
    words = dict(group.words)
    era = words["era"]
    if era == "G6":
        words["era"] = pa.array([_era_of_hash(lines[i]) for i in group.indices], pa.string())
    per_second = _PER_SECOND.get(era, 1e3)
    values = {name: _in_base_units(name, column, per_second) for name, column in group.columns.items()}
    return {**values, **words}


def _in_base_units(name: str, column: Values, per_second: float) -> Values | pa.Array:
    """A column in base units, computed in place if possible."""
    if name in _TIMES:
        if name != "at_s":
            column = np.divide(column, per_second, out=column if column.dtype == np.float64 else None)
        return pa.array(column, mask=column >= _NEGATIVE_S) if column.max(initial=0) >= _NEGATIVE_S else column
    if name.endswith("_bytes"):
        unknown = column.max(initial=0) > _NO_SIZE
        return pa.array(column * 2**20, mask=column > _NO_SIZE) if unknown else np.multiply(column, 2**20, out=column)
    return column / 100.0 if name == "gc_cpu_ratio" else column


def _era_of_hash(line: bytes) -> str:
    """The era of a line with ``gc #``: G5e prints only whole milliseconds; a G6 line may have no decimals by chance."""
    return "G6" if b"." in line.partition(b":")[2] else "G5e"


TOOL = EventTool(
    name="gctrace",
    specs=(*_CYCLES, _ANNOUNCEMENT, *gc_details.SPECS),
    stream=_Stream,
    tables={"gc_cycles": COLUMNS, **gc_details.TABLES},
    main_table="gc_cycles",
    label_columns={"procs": "cores"},
    number_column="gc",
    time_column="at_s",
    live_column="heap_live_bytes",
    goal_column="heap_goal_bytes",
    first_text="gc 1 @",
    longest=2000,  # the lines of the pacer have 300; paths of packages may be long
    known_words=re.compile(r"\bgc [0-9]+ @|ms clock|ms cpu|MB goal|gctrace"),
)
