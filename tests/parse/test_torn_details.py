"""Torn lines of Go's inittrace, scavenger and pacer. Where they tear: between the arguments of the runtime's prints.

``doInit1`` of ``runtime/proc.go``, ``scavenge`` of ``runtime/mheap.go`` (to Go 1.13), ``printScavTrace`` and ``endCycle``.
"""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.cases import each_case

INIT = "init internal/bytealg @0.008 ms, 0 ms clock, 0 bytes, 0 allocs"
LATER = "init os @12 ms, 0.35 ms clock, 1448 bytes, 22 allocs"
GO = "server 1 started\n{}\nGET /orders/17 200\n"


@each_case(
    "piece",
    [
        *(INIT[:end] for end in range(INIT.index("@") + 2, len(INIT) - 5)),
        *(LATER[:end] for end in range(LATER.index("@") + 2, len(LATER) - 5)),
        "init internal/bytealg @0.008 m2026/11/20 11:38:23 worker 2",
        "init internal/bytealg @0.008level=info msg=ok",
        "web_1  | init internal/bytealg @0.008 m",
        *("scvg1: GC forced"[:end] for end in range(6, 16)),
        *("scvg0: inuse: 4, idle: 1, sys: 5, released: 0, consumed: 5 (MB)"[:end] for end in range(6, 62)),
        "scvg1: GC fGET /orders/17 200",
        *("scvg: inuse: 4"[:end] for end in range(9, 15)),
        *("scvg-1: 24 MB released"[:end] for end in range(7, 22)),
        "scvg: GC f",
        "scav 12 Ki",
        "scav 3 12 Ki",
    ],
)
def test_a_torn_line_beside_gctrace_s_is_told_of(piece: str) -> None:
    found = wp.parse_text(GO.format(piece))
    told = found.arrow("diagnostics").select(("line", "severity", "code")).to_pylist()
    assert told == [{"line": 2, "severity": "warning", "code": "bad-event"}]
    assert found.count("runs") == 0


@pytest.mark.parametrize(
    "text",
    [
        "init done",
        "init script started",
        "init",
        "init 3 of 5 done",
        "init user@host",
        "init user @host",
        "init pool @10.0.0.5:5432",
        "init done @12:04:31",
        "init done @ 12",
        "init step @2.5 seconds",
        "init took 12 ms",
        "scvg",
        "scvg: the scavenger's lines",
        "scvg: in short",
        "the scvg lines: 2",
        "scav 12 tests",
        "pacer: 25 runs",
        "scan: total of 3",
    ],
)
def test_plain_text_is_no_torn_line(text: str) -> None:
    found = wp.parse_text(GO.format(text))
    assert len(found.diagnostics) == 0
    assert len(found.runs) == 0


@each_case(
    "line, cut, table, column, value",
    [
        (INIT, "init internal/bytealg @", "inits", "package", "internal/bytealg"),
        (INIT, "init internal/bytealg @0.008", "inits", "package", "internal/bytealg"),
        (LATER, "init os @1", "inits", "mallocs", 22),
        ("scvg1: inuse: 4, idle: 1, sys: 5, released: 0, consumed: 5 (MB)", "scvg1", "scavenges", "round", 1),
        ("scvg1: inuse: 4, idle: 1, sys: 5, released: 0, consumed: 5 (MB)", "scvg1: in", "scavenges", "round", 1),
        ("scvg7: 3 MB released", "scvg", "scavenges", "work_bytes", 3 << 20),
        ("scav 12 KiB work, 78 KiB total, 99% util", "scav 12", "scavenges", "work_bytes", 12 << 10),
        ("scan: total 190 objs", "scan: total ", "gc_scans", "objects", 190),
        ("scan: class 8B 6 objs", "scan: class 8", "gc_scans", "objects", 6),
        (
            "pacer: 25% CPU (25 exp.) for 1+2+3 B work (6 B exp.) in 7 B -> 8 B (∆goal -5, cons/mark +1.5e-001)",
            "pacer: 25", "gc_pacing", "heap_bytes", 8,
        ),
    ],
)  # fmt: skip
@each_case("between", ["", "2026/11/20 11:38:23 worker 2 handled request"])
def test_a_torn_line_beside_gctrace_s_is_put_together(
    line: str, cut: str, table: str, column: str, value: object, between: str
) -> None:
    found = wp.parse_text(GO.format(f"{cut}{between}\n{line.removeprefix(cut)}"))
    assert getattr(found, table)[column].tolist() == [value]
    assert found.diagnostics.code.tolist() == ["mended"]


def test_many_lines_of_plain_text_are_no_torn_lines() -> None:
    found = wp.parse_text("".join(f"init job{n}\nscan: total\n" for n in range(3000)))
    assert len(found.diagnostics) == 0
