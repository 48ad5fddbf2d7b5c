"""The lines beside gctrace's, by hand from the runtime's print statements and from lines of real processes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrkparse.parse.prefilter import re2_finds
from wrkparse.tools.go import gc_details
from wrkparse.tools.go.gctrace import TOOL

Row = dict[str, object]
KIB, MIB = 1024, 1_048_576


def read(*lines: bytes) -> dict[str, list[Row]]:
    """The rows of each table but the collections', without what their lines do not say."""
    tables = TOOL.stream().decode(lines).tables
    found = {name: tables[name].to_pylist() for name in gc_details.TABLES}
    return {
        name: [{key: value for key, value in row.items() if value is not None and key != "index"} for row in rows]
        for name, rows in found.items()
        if rows
    }


def scvg(**values: object) -> Row:
    return {"forced": False, "gc_forced": False, **values}


def scav(**values: object) -> Row:
    return {"forced": False, "controller_reset": False, **values}


SCAVENGES = {
    # runtime.scavenge of mheap.c, Go 1.0 to 1.13; hexadecimal by a mistake of 1.0 and 1.1
    "scvg4: 0x1e MB released": scvg(round=4, work_bytes=30 * MIB),
    "scvg1: 30 MB released": scvg(round=1, work_bytes=30 * MIB),
    "scvg-1: 24 MB released": scvg(work_bytes=24 * MIB, forced=True),
    "scvg: 0 MB released": scvg(work_bytes=0),
    "forced scvg: 7 MB released": scvg(work_bytes=7 * MIB, forced=True),
    "scvg: 48 KB released": scvg(work_bytes=48 * KIB),
    "scvg1: inuse: 3, idle: 30, sys: 33, released: 29, consumed: 4 (MB)": scvg(
        round=1, inuse_bytes=3 * MIB, idle_bytes=30 * MIB, sys_bytes=33 * MIB, released_bytes=29 * MIB,
        consumed_bytes=4 * MIB,
    ),
    "forced scvg: inuse: 1, idle: 2, sys: 3, released: 2, consumed: 1 (MB)": scvg(
        inuse_bytes=MIB, idle_bytes=2 * MIB, sys_bytes=3 * MIB, released_bytes=2 * MIB, consumed_bytes=MIB, forced=True
    ),
    "scvg3: GC forced": scvg(round=3, gc_forced=True),
    # printScavTrace: Go 1.14, 1.15 to 1.18 (two numbers in front), 1.21 and later
    "scav 64 KiB work, 3472 KiB total, 99% util": scav(
        work_bytes=64 * KIB, released_bytes=3472 * KIB, util_ratio=0.99
    ),
    "scav 1 0 KiB work, 3472 KiB total, 99% util (forced)": scav(
        round=1, work_bytes=0, released_bytes=3472 * KIB, util_ratio=0.99, forced=True
    ),
    "scav 0 KiB work (bg), 24608 KiB work (eager), 28136 KiB now, 100% util (forced)": scav(
        work_background_bytes=0, work_eager_bytes=24608 * KIB, released_bytes=28136 * KIB, util_ratio=1.0, forced=True
    ),
    "scav 8 KiB work (bg), 0 KiB work (eager), 40 KiB now, 87% util [controller reset]": scav(
        work_background_bytes=8 * KIB, work_eager_bytes=0, released_bytes=40 * KIB, util_ratio=0.87,
        controller_reset=True,
    ),
}  # fmt: skip
PACING = {
    "pacer: assist ratio=+5.996704e-002 (scan 2 MB in 4->5 MB) workers=1+0": {
        "kind": "assist", "assist_ratio": 0.05996704, "scan_bytes": 2 * MIB, "heap_bytes": 4 * MIB,
        "heap_goal_bytes": 5 * MIB, "workers_dedicated": 1, "workers_fractional": 0.0,
    },
    "pacer: assist ratio=+2.087784e-002 (scan 0 MB in 4->5 MB) workers=1++2.500000e-001": {
        "kind": "assist", "assist_ratio": 0.02087784, "scan_bytes": 0, "heap_bytes": 4 * MIB,
        "heap_goal_bytes": 5 * MIB, "workers_dedicated": 1, "workers_fractional": 0.25,
    },
    "pacer: assist ratio=26.783477783203125 (scan 1 MB in 3->4 MB) workers=0+0.25": {
        "kind": "assist", "assist_ratio": 26.783477783203125, "scan_bytes": MIB, "heap_bytes": 3 * MIB,
        "heap_goal_bytes": 4 * MIB, "workers_dedicated": 0, "workers_fractional": 0.25,
    },
    ("pacer: H_m_prev=5631296 h_t=+6.117500e-001 H_T=7012002 h_a=-5.126181e-001 H_a=8518000 h_g=+1.000000e+000 "
     "H_g=11262592 u_a=+2.916188e-001 u_g=+2.500000e-001 W_a=214984 goalΔ=+3.882500e-001 actualΔ=-9.913196e-002 "
     "u_a/u_g=+1.166475e+000"): {
        "kind": "cycle", "heap_previous_live_bytes": 5631296, "trigger_growth_ratio": 0.61175,
        "trigger_bytes": 7012002, "growth_ratio": -0.5126181, "heap_bytes": 8518000, "goal_growth_ratio": 1.0,
        "heap_goal_bytes": 11262592, "gc_cpu_ratio": 0.2916188, "gc_cpu_goal_ratio": 0.25, "scanned_bytes": 214984,
    },
    ("pacer: 26% CPU (25 exp.) for 262800+38912+1823568 B work (1918344 B exp.) in 9688050 B -> 13846936 B "
     "(∆goal -16384, cons/mark +1.306270e-001)[controller reset]"): {
        "kind": "cycle", "gc_cpu_ratio": 0.26, "gc_cpu_goal_ratio": 0.25, "scanned_heap_bytes": 262800,
        "scanned_stacks_bytes": 38912, "scanned_globals_bytes": 1823568, "scan_expected_bytes": 1918344,
        "trigger_bytes": 9688050, "heap_bytes": 13846936, "over_goal_bytes": -16384, "cons_mark_ratio": 0.130627,
        "controller_reset": True,
    },
    "pacer: 0% CPU (25 exp.) for 1+2+3 B work (4 B exp.) in 5 B -> 6 B (∆goal 7, cons/mark NaN)": {
        "kind": "cycle", "gc_cpu_ratio": 0.0, "gc_cpu_goal_ratio": 0.25, "scanned_heap_bytes": 1,
        "scanned_stacks_bytes": 2, "scanned_globals_bytes": 3, "scan_expected_bytes": 4, "trigger_bytes": 5,
        "heap_bytes": 6, "over_goal_bytes": 7, "controller_reset": False,
    },
    "pacer: sweep done at heap size 9MB; allocated 2MB of spans; swept 1257 pages": {
        "kind": "sweep", "heap_bytes": 9 * MIB, "allocated_bytes": 2 * MIB, "swept_pages": 1257,
    },
    "pacer: sweep done at heap size 9MB; allocated 0MB during sweep; swept 1257 pages at 0.00011843448542950803 pages/byte": {
        "kind": "sweep", "heap_bytes": 9 * MIB, "allocated_bytes": 0, "swept_pages": 1257,
        "swept_pages_per_byte": 0.00011843448542950803,
    },
}  # fmt: skip
OTHERS = {
    "scan: total 190 objs": ("gc_scans", {"kind": "total", "objects": 190}),
    "scan: class 8B 6 objs": ("gc_scans", {"kind": "class", "class_bytes": 8, "objects": 6}),
    "scan: class L 2 objs": ("gc_scans", {"kind": "large", "objects": 2}),
    "scan: class 480B 35+19+15=69 objs, 7+3=10 spans": (
        "gc_scans",
        {"kind": "class", "class_bytes": 480, "objects_sparse": 35, "objects_span_sparse": 19}
        | {"objects_span_dense": 15, "objects": 69, "spans_sparse": 7, "spans_dense": 3, "spans": 10},
    ),
    "init internal/godebug @0.29 ms, 0.038 ms clock, 312 bytes, 7 allocs": (
        "inits",
        {"package": "internal/godebug", "at_s": pytest.approx(0.00029, rel=1e-15)}
        | {"elapsed_s": pytest.approx(0.000038, rel=1e-15), "allocated_bytes": 312, "mallocs": 7},
    ),
    "checkfinalizers: queue: 3 finalizers + 5 cleanups": ("finalizer_queues", {"finalizers": 3, "cleanups": 5}),
}  # fmt: skip
CASES = {
    **{line: ("scavenges", row) for line, row in SCAVENGES.items()},
    **{line: ("gc_pacing", row) for line, row in PACING.items()},
    **OTHERS,
}
LINES = [line.encode() for line in CASES]


@pytest.mark.parametrize("line", CASES)
def test_each_line_says_what_its_print_statement_means(line: str):
    table, row = CASES[line]
    assert read(line.encode()) == {table: [row]}


@pytest.mark.parametrize("line", CASES)
def test_a_line_is_found_with_text_in_front_and_blanks_behind(line: str):
    assert TOOL.find.findall(f"x 1\nweb_1 | {line}\r\nok\n".encode()) == [line.encode() + b"\r"]
    assert read(line.encode() + b"\r") == read(line.encode())


def test_every_line_has_the_sign():
    assert all(re2_finds(line, TOOL.rare_sign) for line in LINES)


@pytest.mark.parametrize(
    "line",
    [
        "init internal/bytealg @SCHED 0ms: gomaxprocs=8 idleprocs=7",
        "init os @0.29 ms, 0.0381 ms clock, 312 bytes, 7 allocs",
        "scav 0 KiB work (bg), 24608 KiB wo",
        "scav 0 KiB work (bg), 246082026/11/20 11:38:23 worker 2",
        "scvg1: inuse: 3, idle: 30, sys: 33, released: 29, consumed: 4",
        "scvg4: 0x1e KB released",
        "pacer: assist ratio=+5.9967 (scan 2 MB in 4->5 MB",
        "pacer: 26% CPU (25 exp.) for 262800+38912 B work (1918344 B exp.)",
        "scan: total 35+19+15 objs",
        "checkfinalizers: queue: 3 finalizers",
    ],
)
def test_a_line_that_breaks_is_found_and_bad(line: str):
    (stretch,) = TOOL.find.findall(line.encode())
    assert [index for index, _ in TOOL.stream().decode([LINES[0], stretch]).bad] == [1]


sample = st.sampled_from(LINES)


def test_a_package_name_that_is_not_printable_ascii_is_no_name_a_linker_writes():
    line = b"init internal/godebug @0.29 ms, 0.038 ms clock, 312 bytes, 7 allocs"
    assert gc_details.read_line(line)
    for byte in (b"\x80", b"\xc3\xa9", b"\x00", b"\t"):
        assert gc_details.read_line(line.replace(b"/", byte)) is None


@given(sample, st.integers(0, 300), st.sampled_from(["replace", "insert", "delete"]), st.binary(min_size=1, max_size=3))
def test_a_damaged_line_is_bad_or_is_what_a_runtime_could_print(line: bytes, at: int, how: str, by: bytes):
    at = min(at, len(line))
    damaged = line[:at] + (by if how != "delete" else b"") + line[at + (how != "insert") * len(by) :]
    if found := gc_details.read_line(damaged):
        assert {name.strip("_") for name in found[1]} <= {column.name for column in gc_details.TABLES[found[0]]}
        words = {"".join(filter(str.isalpha, each)) for each in CASES}
        letters = "".join(filter(str.isalpha, damaged.decode()))
        assert letters in words or damaged.startswith((b"init ", b"pacer: ", b"scvg"))


@given(st.lists(sample | st.binary(max_size=40), max_size=8), st.integers(0, 8))
def test_where_a_block_ends_does_not_matter(lines: list[bytes], cut: int):
    cut = min(cut, len(lines))
    whole, stream = TOOL.stream().decode(lines), TOOL.stream()
    front, back = stream.decode(lines[:cut]), stream.decode(lines[cut:])
    for table in TOOL.tables:
        moved = [{**row, "index": row["index"] + cut} for row in back.tables[table].to_pylist()]
        assert front.tables[table].to_pylist() + moved == whole.tables[table].to_pylist()
    assert front.starts + [i + cut for i in back.starts] == whole.starts
    assert front.bad + [(i + cut, reason) for i, reason in back.bad] == whole.bad
