"""gctrace lines of every era, by hand from the format, and against an independent reader over real logs."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wrkparse as wp
from tests.cases import each_case
from wrkparse.parse.prefilter import re2_finds
from wrkparse.tools.event import Events
from wrkparse.tools.go.gctrace import TOOL

pytestmark = pytest.mark.usefixtures("loops")

LOGS = Path(__file__).parents[1] / "fixtures" / "gctrace"
MIB = 1_048_576


def read(*lines: bytes) -> Events:
    return TOOL.stream().decode(lines)


def rows(events: Events) -> list[dict[str, object]]:
    return events.tables["gc_cycles"].to_pylist()


def row(line: str) -> dict[str, object]:
    """What one line says, without what it does not say."""
    (found,) = rows(read(line.encode()))
    return {name: value for name, value in found.items() if value is not None and name != "index"}


def found(log: str) -> list[bytes]:
    """The lines of collections in a log."""
    return [line for line in TOOL.find.findall((LOGS / log).read_bytes()) if line.startswith(b"gc")]


def mib(**sizes: int) -> dict[str, int]:
    return {f"{name}_bytes": size * MIB for name, size in sizes.items()}


def ms(**times: float) -> dict[str, object]:
    return {f"{name}_s": pytest.approx(time / 1000, rel=1e-15, abs=0) for name, time in times.items()}


def us(**times: int) -> dict[str, object]:
    return {f"{name}_s": pytest.approx(time / 1_000_000, rel=1e-15, abs=0) for name, time in times.items()}


_YIELDS = {"yields_proc": 3, "yields_os": 2, "yields_sleep": 1}
_LOOKUPS = {"pointer_lookups": 812, "pointer_lookups_size": 12, "pointer_lookups_addr": 800}
_G0 = {**ms(stw_mark=14, stw_sweep=1, stw_other=2), **mib(heap_start=7, heap_live=6), "objects_start": 101,
       "objects_live": 99, "mallocs": 104, "frees": 5}  # fmt: skip

# G0 and the versions in development by the print statements of their commits (1e063b32cd, d324f2143b, d839a809b2,
# and libgo/runtime/mgc0.c of GCC 4.7 to 4.9); the others are lines of real processes.
CASES = {
    "G0": (
        "gc4: 14+1+2 ms 7 -> 6 MB 101 -> 99 (104-5) objects 812 pointer lookups (12 size, 800 addr)",
        {"gc": 4, **_G0, **_LOOKUPS, "era": "G0"},
    ),
    "G0, GCC 4.7": (
        "gc4: 14+1+2 ms 7 -> 6 MB 101 -> 99 (104-5) objects 812 pointer lookups (12 size, 800 addr) 8 handoff",
        {"gc": 4, **_G0, **_LOOKUPS, "handoffs": 8, "era": "G0"},
    ),
    "G0, with threads": (
        "gc4(2): 14+1+2 ms 7 -> 6 MB 101 -> 99 (104-5) objects 812 pointer lookups (12 size, 800 addr) 8 handoff",
        {"gc": 4, "gc_threads": 2, **_G0, **_LOOKUPS, "handoffs": 8, "era": "G0"},
    ),
    "G1b": (
        "gc4(2): 14+1+2 ms, 7 -> 6 MB 101 -> 99 (104-5) objects, 8(13) handoff, 3/2/1 yields",
        {"gc": 4, "gc_threads": 2, **_G0, "handoffs": 8, "handoff_objects": 13, **_YIELDS, "era": "G1b"},
    ),
    "G2, GCC 4.8": (
        "gc4(2): 14+1+2 ms, 7 -> 6 MB 101 -> 99 (104-5) objects",
        {"gc": 4, "gc_threads": 2, **_G0, "era": "G2"},
    ),
    "G3a": (
        ("gc4(2): 14+1+2 ms, 3 -> 6 MB, 99 (104-5) objects, 32/7/4 sweeps, 8(13) handoff, 5(11) steal, "
        "3/2/1 yields"),
        {"gc": 4, "gc_threads": 2, **ms(stw_mark=14, stw_sweep=1, stw_other=2)}
        | {**mib(heap_previous_live=3, heap_start=6), "objects_start": 99, "mallocs": 104, "frees": 5}
        | {"sweep_spans": 32, "sweep_background": 7, "sweep_paused": 4, "handoffs": 8, "handoff_objects": 13}
        | {"steals": 5, "steal_items": 11, **_YIELDS, "era": "G3a"},
    ),
    "G1": (
        "gc4(2): 14+1+0 ms 7 -> 6 MB 10159 -> 10042 (10204-162) objects 2 handoff",
        {"gc": 4, "gc_threads": 2, **ms(stw_mark=14, stw_sweep=1, stw_other=0), **mib(heap_start=7, heap_live=6)}
        | {"objects_start": 10159, "objects_live": 10042, "mallocs": 10204, "frees": 162, "handoffs": 2, "era": "G1"},
    ),
    "G2": (
        ("gc8(2): 0+0+1 ms, 15 -> 10 MB 36538 -> 35861 (39592-3731) objects, 7(286) handoff, 9(629) steal, "
        "22/5/0 yields"),
        {"gc": 8, "gc_threads": 2, **ms(stw_mark=0, stw_sweep=0, stw_other=1), **mib(heap_start=15, heap_live=10)}
        | {"objects_start": 36538, "objects_live": 35861, "mallocs": 39592, "frees": 3731, "handoffs": 7}
        | {"handoff_objects": 286, "steals": 9, "steal_items": 629, "yields_proc": 22, "yields_os": 5}
        | {"yields_sleep": 0, "era": "G2"},
    ),
    "G3": (
        ("gc4(2): 2670+1160+8+3 us, 3 -> 6 MB, 10094 (10103-9) objects, 32/0/0 sweeps, 0(0) handoff, 3(8) steal, "
        "16/1/0 yields"),
        {"gc": 4, "gc_threads": 2, **us(stw_stop=2670, stw_sweep=1160, stw_mark=8, stw_wait=3)}
        | {**mib(heap_previous_live=3, heap_start=6), "objects_start": 10094, "mallocs": 10103, "frees": 9}
        | {"sweep_spans": 32, "sweep_background": 0, "sweep_paused": 0, "handoffs": 0, "handoff_objects": 0}
        | {"steals": 3, "steal_items": 8, "yields_proc": 16, "yields_os": 1, "yields_sleep": 0, "era": "G3"},
    ),
    "G4": (
        ("gc6(2): 3566+18+1119+2807 us, 6 -> 13 MB, 21958 (22543-585) objects, 12 goroutines, 624/2/1 sweeps, "
        "5(67) handoff, 2(5) steal, 16/3/0 yields"),
        {"gc": 6, "gc_threads": 2, **us(stw_stop=3566, stw_sweep=18, stw_mark=1119, stw_wait=2807)}
        | {**mib(heap_previous_live=6, heap_start=13), "objects_start": 21958, "mallocs": 22543, "frees": 585}
        | {"goroutines": 12, "periodic": False, "sweep_spans": 624, "sweep_background": 2, "sweep_paused": 1, "handoffs": 5}
        | {"handoff_objects": 67, "steals": 2, "steal_items": 5, "yields_proc": 16, "yields_os": 3}
        | {"yields_sleep": 0, "era": "G4"},
    ),
    "G5a": (
        "gc #2 @0.078s: 9+0+7+1+18 ms clock, 9+0+14+1+36 ms cpu, 35->51 MB, 4 P",
        {"gc": 2, "at_s": 0.078, "procs": 4, "forced": False, "periodic": False, "era": "G5a", **mib(heap_start=35, heap_end=51)}
        | ms(stw_sweep_term=9, concurrent_scan=0, write_barrier=7, concurrent_mark=1, stw_mark_term=18)
        | ms(cpu_sweep_term=9, cpu_scan=0, cpu_write_barrier=14, cpu_mark=1, cpu_mark_term=36),
    ),
    "G5b": (
        "gc #2 @0.172s 21%: 2+0+6+21+9 ms clock, 2+0+6+21+9 ms cpu, 70->107 MB, 4 P",
        {"gc": 2, "at_s": 0.172, "gc_cpu_ratio": 0.21, "procs": 4, "forced": False, "periodic": False, "era": "G5b"}
        | ms(stw_sweep_term=2, concurrent_scan=0, write_barrier=6, concurrent_mark=21, stw_mark_term=9)
        | ms(cpu_sweep_term=2, cpu_scan=0, cpu_write_barrier=6, cpu_mark=21, cpu_mark_term=9)
        | mib(heap_start=70, heap_end=107),
    ),
    "G5c, published": (
        "gc #1 @18.212s 1%: 0+2+0+11371+358 ms clock, 1+2+1+11371+717 ms cpu, 4->7736->7632 MB, 36 P",
        {"gc": 1, "at_s": 18.212, "gc_cpu_ratio": 0.01, "procs": 36, "forced": False, "periodic": False, "era": "G5c"}
        | ms(stw_sweep_term=0, concurrent_scan=2, write_barrier=0, concurrent_mark=11371, stw_mark_term=358)
        | ms(cpu_sweep_term=1, cpu_scan=2, cpu_write_barrier=1, cpu_mark=11371, cpu_mark_term=717)
        | mib(heap_start=4, heap_end=7736, heap_live=7632),
    ),
    "G5c, forced": (
        "gc #4 @0.135s 34%: 0+0+0+0+10 ms clock, 0+0+0+0+21 ms cpu, 10->10->4 MB, 4 P (forced)",
        {"gc": 4, "at_s": 0.135, "gc_cpu_ratio": 0.34, "procs": 4, "forced": True, "periodic": False, "era": "G5c"}
        | ms(stw_sweep_term=0, concurrent_scan=0, write_barrier=0, concurrent_mark=0, stw_mark_term=10)
        | ms(cpu_sweep_term=0, cpu_scan=0, cpu_write_barrier=0, cpu_mark=0, cpu_mark_term=21)
        | mib(heap_start=10, heap_end=10, heap_live=4),
    ),
    "G5d": (
        "gc #1 @0.611s 15%: 48+1+13+29+115 ms clock, 96+1+26+8/25/0+230 ms cpu, 4->301->42 MB, 4 P",
        {"gc": 1, "at_s": 0.611, "gc_cpu_ratio": 0.15, "procs": 4, "forced": False, "periodic": False, "era": "G5d"}
        | ms(stw_sweep_term=48, concurrent_scan=1, write_barrier=13, concurrent_mark=29, stw_mark_term=115)
        | ms(cpu_sweep_term=96, cpu_scan=1, cpu_write_barrier=26, cpu_assist=8, cpu_background=25, cpu_idle=0)
        | {**ms(cpu_mark_term=230), **mib(heap_start=4, heap_end=301, heap_live=42)},
    ),
    "G5e": (
        "gc #3 @0.049s 25%: 0+0+3+9+1 ms clock, 0+0+6+5/9/0+2 ms cpu, 35->76->40 MB, 70 MB goal, 4 P",
        {"gc": 3, "at_s": 0.049, "gc_cpu_ratio": 0.25, "procs": 4, "forced": False, "periodic": False, "era": "G5e"}
        | ms(stw_sweep_term=0, concurrent_scan=0, write_barrier=3, concurrent_mark=9, stw_mark_term=1)
        | ms(cpu_sweep_term=0, cpu_scan=0, cpu_write_barrier=6, cpu_assist=5, cpu_background=9, cpu_idle=0)
        | {**ms(cpu_mark_term=2), **mib(heap_start=35, heap_end=76, heap_live=40, heap_goal=70)},
    ),
    "G6": (
        ("gc #1 @0.042s 4%: 0.051+1.1+0.026+16+0.43 ms clock, 0.10+1.1+0+2.0/6.7/0+0.86 ms cpu, 4->32->10 MB, "
        "4 MB goal, 4 P"),
        {"gc": 1, "at_s": 0.042, "gc_cpu_ratio": 0.04, "procs": 4, "forced": False, "periodic": False, "era": "G6"}
        | ms(stw_sweep_term=0.051, concurrent_scan=1.1, write_barrier=0.026, concurrent_mark=16, stw_mark_term=0.43)
        | ms(cpu_sweep_term=0.10, cpu_scan=1.1, cpu_write_barrier=0, cpu_assist=2.0, cpu_background=6.7, cpu_idle=0)
        | {**ms(cpu_mark_term=0.86), **mib(heap_start=4, heap_end=32, heap_live=10, heap_goal=4)},
    ),
    "G7": (
        ("gc 554 @65.900s 14%: 8.5+72+17+18+9.7 ms clock, 68+72+0+35/0.41/0+78 ms cpu, 944->1825->1293 MB, "
        "1294 MB goal, 8 P"),
        {"gc": 554, "at_s": 65.9, "gc_cpu_ratio": 0.14, "procs": 8, "forced": False, "periodic": False, "era": "G7"}
        | ms(stw_sweep_term=8.5, concurrent_scan=72, write_barrier=17, concurrent_mark=18, stw_mark_term=9.7)
        | ms(cpu_sweep_term=68, cpu_scan=72, cpu_write_barrier=0, cpu_assist=35, cpu_background=0.41, cpu_idle=0)
        | {**ms(cpu_mark_term=78), **mib(heap_start=944, heap_end=1825, heap_live=1293, heap_goal=1294)},
    ),
    "G8": (
        ("gc 763 @77536.239s 1%: 0.11+2192+0.75 ms clock, 0.92+9269/4379/3243+6.0 ms cpu, 6370->6390->3298 MB, "
        "6533 MB goal, 8 P"),
        {"gc": 763, "at_s": 77536.239, "gc_cpu_ratio": 0.01, "procs": 8, "forced": False, "periodic": False, "era": "G8"}
        | ms(stw_sweep_term=0.11, concurrent_mark=2192, stw_mark_term=0.75)
        | ms(cpu_sweep_term=0.92, cpu_assist=9269, cpu_background=4379, cpu_idle=3243, cpu_mark_term=6)
        | mib(heap_start=6370, heap_end=6390, heap_live=3298, heap_goal=6533),
    ),
    "G8, forced": (
        "gc 4 @0.008s 15%: 0+0+0.39 ms clock, 0.001+0.040/0/0+0.79 ms cpu, 24->24->0 MB, 24 MB goal, 2 P (forced)",
        {"gc": 4, "at_s": 0.008, "gc_cpu_ratio": 0.15, "procs": 2, "forced": True, "periodic": False, "era": "G8"}
        | ms(stw_sweep_term=0, concurrent_mark=0, stw_mark_term=0.39)
        | ms(cpu_sweep_term=0.001, cpu_assist=0.04, cpu_background=0, cpu_idle=0, cpu_mark_term=0.79)
        | mib(heap_start=24, heap_end=24, heap_live=0, heap_goal=24),
    ),
    "G9": (
        ("gc 391 @1630.064s 18%: 0.085+2172+0.030 ms clock, 0.25+1532/1646/817+0.090 ms cpu, 2069->2265->2079 MB, "
        "2069 MB goal, 48 MB stacks, 1 MB globals, 3 P"),
        {"gc": 391, "at_s": 1630.064, "gc_cpu_ratio": 0.18, "procs": 3, "forced": False, "periodic": False, "leak_check": False}
        | {"era": "G9", **ms(stw_sweep_term=0.085, concurrent_mark=2172, stw_mark_term=0.03)}
        | ms(cpu_sweep_term=0.25, cpu_assist=1532, cpu_background=1646, cpu_idle=817, cpu_mark_term=0.09)
        | mib(heap_start=2069, heap_end=2265, heap_live=2079, heap_goal=2069, stacks=48, globals=1),
    ),
    "G9, forced with GOGC=off: no goal": (
        ("gc 2 @0.040s 10%: 0.018+20+0.012 ms clock, 0.036+0/0.45/2.9+0.024 ms cpu, 10->10->7 MB, "
        "8532210231537 MB goal, 0 MB stacks, 1 MB globals, 4 P (forced)"),
        {"gc": 2, "at_s": 0.04, "gc_cpu_ratio": 0.1, "procs": 4, "forced": True, "periodic": False, "leak_check": False, "era": "G9"}
        | ms(stw_sweep_term=0.018, concurrent_mark=20, stw_mark_term=0.012)
        | ms(cpu_sweep_term=0.036, cpu_assist=0, cpu_background=0.45, cpu_idle=2.9, cpu_mark_term=0.024)
        | mib(heap_start=10, heap_end=10, heap_live=7, stacks=0, globals=1),
    ),
    "G10": (
        ("gc 1 @0.014s 0% (checking for goroutine leaks): 0.054+0.44+0.007 ms clock, 0.10+0/0.024/0.17+0.014 ms cpu, "
        "1->1->1 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 4 P (forced)"),
        {"gc": 1, "at_s": 0.014, "gc_cpu_ratio": 0.0, "procs": 4, "forced": True, "periodic": False, "leak_check": True, "era": "G10"}
        | ms(stw_sweep_term=0.054, concurrent_mark=0.44, stw_mark_term=0.007)
        | ms(cpu_sweep_term=0.10, cpu_assist=0, cpu_background=0.024, cpu_idle=0.17, cpu_mark_term=0.014)
        | mib(heap_start=1, heap_end=1, heap_live=1, heap_goal=4, stacks=0, globals=0),
    ),
}  # fmt: skip
G9 = CASES["G9"][0].encode()


@each_case("line, expected", CASES.values(), ids=CASES)
def test_each_era_says_what_its_format_means(line: str, expected: dict[str, object]):
    assert row(line) == expected


@each_case("line", [line for line, _ in CASES.values()], ids=CASES)
def test_a_line_is_found_with_text_in_front_and_blanks_behind(line: str):
    text = f"GC forced\nBenchmarkAlloc-2   \t{line}\r\nok\n".encode()
    announcement, stretch = TOOL.find.findall(text)
    assert announcement == b"GC forced"
    assert stretch == line.encode() + b"\r"
    assert rows(read(stretch)) == rows(read(line.encode()))


@pytest.mark.parametrize("goal", [17592186044415, 8796093022198, 8532210231537, 2**40 + 1])
def test_a_goal_that_no_machine_holds_is_no_goal(goal: int):
    assert "heap_goal_bytes" not in row(G9.decode().replace("2069 MB goal", f"{goal} MB goal"))


def test_a_goal_of_nothing_is_kept_for_it_is_printed_with_a_memory_limit():
    assert row(G9.decode().replace("2069 MB goal", "0 MB goal"))["heap_goal_bytes"] == 0


def test_a_time_that_went_backwards_is_unknown():
    # Go 1.9 on macOS; and a negative phase in unsigned nanoseconds, 2⁶⁴ − 5 ms.
    assert "at_s" not in row(G9.decode().replace("@1630.064s", "@18446653480.186s"))
    assert "concurrent_mark_s" not in row(G9.decode().replace("2172", "18446744073704"))


def test_five_phases_in_whole_milliseconds_are_of_the_development_version_only_with_a_hash():
    integers = "@0.049s 25%: 0+0+30+90+10 ms clock, 0+0+0+50/90/0+20 ms cpu, 35->76->40 MB, 70 MB goal, 4 P"
    assert row("gc #3 " + integers)["era"] == "G5e"
    assert row("gc #3 " + integers.replace("+10 ms", "+9.9 ms"))["era"] == "G6"
    assert row("gc 3 " + integers)["era"] == "G7"


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("gc 12 @0.5s 3%: ", id="nothing after the share"),
        pytest.param(
            "gc 7 @0.126s 9%: 0.132026/11/20 11:38:23 worker 2 handled request 11057 in 3.2ms", id="other output cut in"
        ),
        pytest.param("gc 13 @0.197s 14%level=info worker=1 n=16874 msg=", id="other output in place of a colon"),
        pytest.param(G9.decode().removesuffix(" P"), id="cut before the P"),
        pytest.param(G9.decode().replace("0.085", "0.0852"), id="four decimals"),
        pytest.param(G9.decode().replace("18%", "-9223372036854775808%"), id="a negative share"),
        pytest.param(G9.decode() + " (forced) and more", id="text behind the mark"),
        pytest.param(G9.decode() + " gc 392 @1631.000s 18%: 0.1+", id="the next line glued to it"),
        pytest.param(G9.decode() + "7", id="a digit behind the line"),
        pytest.param(G9.decode().replace("1 MB globals", "1MB globals"), id="the documentation's globals"),
        pytest.param(G9.decode().replace("2069->", "2069-\\u003e"), id="escaped"),
        pytest.param(CASES["G5c, published"][0].replace("+358", "+358.5"), id="decimals where whole ms are printed"),
        pytest.param(CASES["G4"][0].replace("3566+", "-3566+"), id="a negative time"),
        pytest.param(CASES["G3"][0].replace("us", "ms"), id="Go 1.3 in another unit"),
    ],
)
def test_a_line_that_breaks_is_found_and_bad(line: str):
    (stretch,) = TOOL.find.findall(f"x {line}\ny".encode())
    events = read(G9, stretch, G9)
    assert [index for index, _ in events.bad] == [1]
    assert events.tables["gc_cycles"]["index"].to_pylist() == [0, 2]


@each_case(
    "text",
    ["gc 5 pending", "gc: foo", "a GC forced", "Full GC forced", "GC forced by x", "gc # @#s #%: #+#+# ms clock", "gc controlled by gc 7", "gc(1): 2",
     'msg="gc pressure 12%"', "gc 2026/11/20 11:38:24 worker 0", "gc 1 at @0.5s", "gc1: 5 ms", "init scripts @5 pm",
     "scan: 190 files", "pacer: on", "scav is slow", "scvg: what", "checkfinalizers: done", "init: x @0.1 ms, 2"],
)  # fmt: skip
def test_what_only_speaks_of_gc_is_not_found(text: str):
    assert TOOL.find.findall(text.encode()) == []


def test_every_line_has_the_sign():
    assert all(re2_finds(line.encode(), TOOL.sign) for line, _ in CASES.values())


def numbered(*pairs: tuple[int, float], line: str = CASES["G8"][0]) -> list[bytes]:
    return [line.replace("gc 763 @77536.239s", f"gc {gc} @{at_s:.3f}s").encode() for gc, at_s in pairs]


@pytest.mark.parametrize(
    ("pairs", "starts"),
    [
        pytest.param([(1, 0.1), (2, 0.2), (3, 0.2)], [], id="one process"),
        pytest.param([(7, 0.7), (8, 0.8)], [], id="from the middle"),
        pytest.param([(1, 0.1), (2, 0.2), (1, 0.05), (2, 0.1)], [2], id="number and time fall"),
        pytest.param([(3, 0.1), (1, 0.3)], [1], id="the number falls, later than the other process began"),
        pytest.param([(1, 0.5), (2, 0.1)], [1], id="the time falls"),
        pytest.param([(1, 0.1), (1, 0.2)], [1], id="the same number at another time"),
        pytest.param([(1, 0.1), (1, 0.1), (2, 0.2)], [], id="a line twice in the log"),
        pytest.param([(5, 0.5), (9, 0.6)], [], id="lines between were torn"),
    ],
)
def test_another_process_begins_where_number_and_time_prove_it(pairs: list[tuple[int, float]], starts: list[int]):
    lines = numbered(*pairs)
    assert read(*lines).starts == starts
    stream = TOOL.stream()
    assert [i + at for i, line in enumerate(lines) for at in stream.decode([line]).starts] == starts


def test_before_go_1_5_the_number_tells_processes_apart():
    line = CASES["G1"][0]
    lines = [line.replace("gc4(", f"gc{gc}(").encode() for gc in (1, 2, 3, 1, 1, 5)]
    assert read(*lines).starts == [3, 4]


def test_go_1_5_prints_neighbours_out_of_order_and_under_one_number():
    lines = found("go1.5beta1-forced.log")
    cycles = read(*lines).tables["gc_cycles"]
    assert cycles["gc"].to_pylist()[:3] == [2, 2, 3]
    assert cycles["at_s"].to_pylist()[:3] == [0.031, 0.006, 0.049]
    assert read(*lines).starts == []
    assert read(*lines, lines[0]).starts == [len(lines)]


@pytest.mark.parametrize(
    ("lines", "starts"),
    [
        pytest.param([CASES["G8"][0], CASES["G9"][0].replace("391", "764").replace("1630", "77999")], [1],
                     id="another version"),
        pytest.param([CASES["G9"][0], CASES["G10"][0].replace("gc 1 @0", "gc 392 @1631")], [], id="a leak check"),
        pytest.param([CASES["G8"][0], CASES["G8"][0].replace("763 @77", "800 @78").replace("8 P", "4 P")], [1],
                     id="another GOMAXPROCS, and numbers left out"),
        pytest.param([CASES["G8"][0], CASES["G8"][0].replace("763 @77", "764 @78").replace("8 P", "4 P")], [],
                     id="runtime.GOMAXPROCS"),
    ],
)  # fmt: skip
def test_another_process_begins_where_what_a_process_keeps_changes(lines: list[str], starts: list[int]):
    assert read(*(line.encode() for line in lines)).starts == starts
    stream = TOOL.stream()
    assert [i + at for i, line in enumerate(lines) for at in stream.decode([line.encode()]).starts] == starts


def init(at_ms: str) -> bytes:
    return f"init os @{at_ms} ms, 0 ms clock, 0 bytes, 0 allocs".encode()


def test_a_process_begins_with_its_packages_and_not_again_with_its_first_collection():
    lines = [init("0.10"), init("0.35"), *numbered((1, 0.1), (2, 0.2)), init("0.11"), init("0.35"), *numbered((1, 0.1))]
    assert read(*lines).starts == [4]
    stream = TOOL.stream()
    assert [i + at for i, line in enumerate(lines) for at in stream.decode([line]).starts] == [4]


def test_gc_forced_announces_a_collection_that_two_minutes_without_one_began():
    lines = [b"GC forced", *numbered((1, 0.1), (2, 0.2)), b"GC forced", *numbered((3, 0.3))]
    assert read(*lines).tables["gc_cycles"]["periodic"].to_pylist() == [True, False, True]
    stream = TOOL.stream()
    apart = [stream.decode([line]).tables["gc_cycles"]["periodic"].to_pylist() for line in lines]
    assert apart == [[], [True], [False], [], [True]]


def test_a_bad_line_is_no_start():
    assert read(*numbered((3, 0.3)), b"gc 1 @0.001s 3%: ", *numbered((4, 0.4))).starts == []


def test_the_processes_of_one_log_are_told_apart_as_far_as_numbers_show():
    # go run: the go command's own cycles (15 to 20) between those of compilers, a linker and the program.
    lines = found("go1.26.8-several-processes.log")
    events = read(*lines)
    first_of = [lines[i].split(b" ")[1:3] for i in events.starts]
    assert first_of == [
        [b"1", b"@1.080s"], [b"1", b"@1.339s"], [b"1", b"@0.939s"], [b"1", b"@1.253s"], [b"1", b"@0.986s"],
        [b"1", b"@0.002s"], [b"1", b"@0.000s"],
    ]  # fmt: skip


# --- an independent reader, one line at a time -----------------------------------------------------------------------

_OLD = re.compile(
    r"gc(?P<gc>\d+)\((?P<gc_threads>\d+)\): (?P<times>[\d+]+) (?P<unit>ms|us),? (?P<h0>\d+) -> (?P<h1>\d+) MB,? "
    r"(?P<objects>\d+)(?: -> (?P<left>\d+))? \((?P<mallocs>\d+)-(?P<frees>\d+)\) objects,?(?: (?P<goroutines>\d+) "
    r"goroutines,)?(?: (?P<sweeps>[\d/]+) sweeps,)? (?P<handoffs>\d+)(?:\((?P<handoff_objects>\d+)\))? handoff"
    r"(?:, (?P<steals>\d+)\((?P<steal_items>\d+)\) steal, (?P<yields>[\d/]+) yields)?"
)
_NEW = re.compile(
    r"gc #?(?P<gc>\d+) @(?P<at>\d+\.\d{3})s(?: (?P<share>\d+)%)?(?P<leak> \(checking for goroutine leaks\))?: "
    r"(?P<clock>\d[\d.+]*) ms clock, (?P<cpu>\d[\d.+/]*) ms cpu, (?P<heap>\d[\d>-]*) MB, (?:(?P<goal>\d+) MB goal, )?"
    r"(?:(?P<stacks>\d+) MB stacks, (?P<globals>\d+) MB globals, )?(?P<procs>\d+) P(?P<forced> \(forced\))?"
)
_CLOCK = {
    3: "stw_sweep_term concurrent_mark stw_mark_term",
    5: "stw_sweep_term concurrent_scan write_barrier concurrent_mark stw_mark_term",
}
_CPU = {
    (3, 5): "cpu_sweep_term cpu_assist cpu_background cpu_idle cpu_mark_term",
    (5, 5): "cpu_sweep_term cpu_scan cpu_write_barrier cpu_mark cpu_mark_term",
    (5, 7): "cpu_sweep_term cpu_scan cpu_write_barrier cpu_assist cpu_background cpu_idle cpu_mark_term",
}


def reference(line: bytes) -> dict[str, object] | None:
    """The numbers of a line, exact; None if it is not sound."""
    text = line.decode()
    if match := _OLD.fullmatch(text):
        return _reference_old(match)
    match = _NEW.fullmatch(text)
    return _reference_new(match) if match else None


def _reference_old(match: re.Match[str]) -> dict[str, object]:
    times = match["times"].split("+")
    per_second = 1000 if match["unit"] == "ms" else 1_000_000
    names = "stw_mark stw_sweep stw_other" if len(times) == 3 else "stw_stop stw_sweep stw_mark stw_wait"
    values: dict[str, object] = {
        f"{name}_s": Decimal(time) / per_second for name, time in zip(names.split(), times, strict=True)
    }
    heaps = ("heap_start", "heap_live") if len(times) == 3 else ("heap_previous_live", "heap_start")
    values |= {f"{name}_bytes": int(match[group]) * MIB for name, group in zip(heaps, ("h0", "h1"), strict=True)}
    values |= {"objects_start": int(match["objects"])}
    counters = ("gc", "gc_threads", "mallocs", "frees", "goroutines", "handoffs", "handoff_objects", "steals")
    values |= {name: int(match[name]) for name in (*counters, "steal_items") if match[name]}
    values |= {"objects_live": int(match["left"])} if match["left"] else {}
    for group, parts in (("sweeps", "sweep_spans sweep_background sweep_paused"),
                         ("yields", "yields_proc yields_os yields_sleep")):  # fmt: skip
        if match[group]:
            values |= dict(zip(parts.split(), map(int, match[group].split("/")), strict=True))
    return values


def _reference_new(match: re.Match[str]) -> dict[str, object] | None:
    clock, cpu, heap = match["clock"].split("+"), re.split("[+/]", match["cpu"]), match["heap"].split("->")
    if any(re.search(r"\.\d{4}", number) for number in clock + cpu):
        return None
    names = zip((_CLOCK[len(clock)] + " " + _CPU[len(clock), len(cpu)]).split(), clock + cpu, strict=True)
    values: dict[str, object] = {f"{name}_s": Decimal(number) / 1000 for name, number in names}
    sizes = dict(zip(("heap_start", "heap_end", "heap_live"), heap, strict=False))
    sizes |= {"heap_goal": match["goal"], "stacks": match["stacks"], "globals": match["globals"]}
    values |= {f"{name}_bytes": int(size) * MIB for name, size in sizes.items() if size and int(size) <= 2**40}
    values |= {"gc": int(match["gc"]), "at_s": Decimal(match["at"]), "procs": int(match["procs"])}
    values |= {"gc_cpu_ratio": Decimal(match["share"]) / 100} if match["share"] else {}
    values |= {"leak_check": bool(match["leak"])} if match["stacks"] else {}
    return values | {"forced": bool(match["forced"])}


def same(ours: object, exact: object) -> bool:
    """Equal; a time to one step of a double."""
    if isinstance(exact, Decimal):
        return isinstance(ours, float) and abs(ours - float(exact)) <= math.ulp(float(exact))
    return type(ours) is type(exact) and ours == exact


BAD = {
    "go1.26.8-torn.log": [b"gc 7 @0.126s 9%: 0.132026/11/20 ", b"gc 13 @0.197s 14%level=info work"],
}  # fmt: skip


@each_case("log", sorted(path.name for path in LOGS.glob("*.log") if found(path.name)))
def test_every_line_of_a_real_log_is_read_as_the_reference_reads_it(log: str):
    lines = found(log)
    events = read(*lines)
    assert [lines[i][:32] for i, _ in events.bad] == BAD.get(log, [])
    assert {reason for _, reason in events.bad} <= {
        "not a line that a known version prints: cut, or other output in it"
    }
    for ours in rows(events):
        exact = reference(lines[ours.pop("index")])
        assert exact is not None
        assert ours.pop("era")
        ours.pop("periodic")
        known = {name: value for name, value in ours.items() if value is not None}
        assert set(known) == set(exact)
        assert [name for name in exact if not same(known[name], exact[name])] == []
    assert len(rows(events)) + len(events.bad) == len(lines)


@each_case(
    "log, era",
    [
        ("go1.0.3-forced.log", "G1"), ("go1.1.2-forced.log", "G2"), ("go1.3.3-forced.log", "G3"),
        ("go1.4.3-with-schedtrace.log", "G4"), ("go1.5dev-24ee948-forced.log", "G5a"),
        ("go1.5dev-f244a14-forced.log", "G5b"), ("go1.5dev-8c3fc08-forced.log", "G5c"),
        ("go1.5dev-8d03ace-forced.log", "G5d"), ("go1.5beta1-forced.log", "G6"), ("go1.5.4-forced.log", "G7"),
        ("go1.9.7-gogc-off.log", "G8"), ("go1.20.14-gogc-off.log", "G9"), ("go1.26.8-torn.log", "G9"),
    ],
)  # fmt: skip
def test_a_versions_lines_are_of_its_era(log: str, era: str):
    assert set(read(*found(log)).tables["gc_cycles"]["era"].to_pylist()) == {era}


def test_all_fixtures_together_read_as_each_by_itself():
    logs = sorted(path.name for path in LOGS.glob("*.log"))
    apart = [row for log in logs for row in rows(read(*found(log)))]
    together = rows(read(*(line for log in logs for line in found(log))))
    for each in apart + together:
        del each["index"]
    assert together == apart


sample = st.sampled_from([line.encode() for line, _ in CASES.values()])


@given(st.lists(st.binary(max_size=60) | sample, max_size=6))
def test_no_bytes_raise_and_each_line_is_a_row_or_bad(lines: list[bytes]):
    events = read(*lines)
    indices = [index for table in events.tables.values() for index in table["index"].to_pylist()]
    indices += [i for i, line in enumerate(lines) if line.rstrip(b" \t\r") == b"GC forced"]
    assert sorted(indices + [i for i, _ in events.bad]) == list(range(len(lines)))
    assert events.tables["gc_cycles"].schema.names == ["index", *(column.name for column in TOOL.tables["gc_cycles"])]


@given(st.lists(sample | st.just(b"gc 1 @0.1s 3%: "), max_size=8), st.integers(0, 8))
def test_where_a_block_ends_does_not_matter(lines: list[bytes], cut: int):
    cut = min(cut, len(lines))
    whole, stream = read(*lines), TOOL.stream()
    front, back = stream.decode(lines[:cut]), stream.decode(lines[cut:])
    moved = [{**each, "index": each["index"] + cut} for each in rows(back)]
    assert rows(front) + moved == rows(whole)
    assert front.starts + [i + cut for i in back.starts] == whole.starts
    assert front.bad + [(i + cut, reason) for i, reason in back.bad] == whole.bad


@given(sample, st.integers(0, 300), st.sampled_from(["replace", "insert", "delete"]), st.binary(min_size=1, max_size=3))
def test_a_damaged_line_is_bad_or_differs_in_digits_alone(line: bytes, at: int, how: str, by: bytes):
    at = min(at, len(line))
    damaged = line[:at] + (by if how != "delete" else b"") + line[at + (how != "insert") * len(by) :]
    events = read(damaged)
    if not events.bad:
        shapes = {re.sub(rb"[0-9]+(\.[0-9]{1,3})?", b"0", sound.encode()) for sound, _ in CASES.values()}
        shapes |= {known + b" (forced)" for known in shapes if known.endswith(b" P")}
        shapes |= {known.removesuffix(b" (forced)") for known in shapes}
        assert re.sub(rb"[0-9]+(\.[0-9]{1,3})?", b"0", damaged.rstrip(b" \t\r")) in shapes


def test_a_number_out_of_range_costs_its_line_though_no_other_line_has_its_form() -> None:
    """Go 1.5's betas count collections with #; the second line's CPU time has more digits than are read."""
    line = "gc #{n} @0.068s 14%: 0.044+0+0+0+0.90 ms clock, {sweep}+0+0+0/4.9/0+1.8 ms cpu, 10->10->7 MB, 10 MB goal, 4 P\n"
    ds = wp.parse_text(line.format(n=4, sweep="0.088") + line.format(n=5, sweep="9" * 20 + ".8"))
    assert ds.gc_cycles["gc"].tolist() == [4]
    assert ds.diagnostics[["line", "severity"]].to_numpy().tolist() == [[2, "warning"]]
