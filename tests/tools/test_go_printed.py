"""What the runtime's print statements make of any numbers is read as those numbers, on both paths of the reader.

The generators print as the runtimes do: runtime/mgc0.c up to Go 1.4, gcMarkTermination of runtime/mgc.go since, with its
fmtNSAsMS; schedtrace of runtime/proc.c and proc.go.
"""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from wrkparse.model.records import Diagnostic
from wrkparse.parse.items import Batch
from wrkparse.parse.parser import SourceParser

MIB = 1_048_576
Row = dict[str, Any]
Printed = tuple[str, Row]

small = st.integers(0, 99)
count = st.integers(0, 10**9)
mib = st.integers(0, 10**6)
ns = st.one_of(st.integers(0, 10**4), st.integers(0, 10**7), st.integers(0, 10**12))


def as_ms(nanoseconds: int) -> str:
    """fmtNSAsMS: truncated to two significant digits and to 1 µs."""
    if nanoseconds >= 10_000_000:
        return str(nanoseconds // 1_000_000)
    microseconds = nanoseconds // 1000
    if not microseconds:
        return "0"
    decimals = 3
    while microseconds >= 100:
        microseconds //= 10
        decimals -= 1
    return f"{microseconds / 10**decimals:.{decimals}f}"


def seconds(milliseconds: str) -> float:
    return float(milliseconds) / 1000


@st.composite
def old(draw: st.DrawFn, era: str) -> Printed:
    """G1 to G4."""
    row: Row = {"gc": draw(count), "gc_threads": draw(small), "era": era}
    new = era in {"G3", "G4"}
    names = "stw_stop stw_sweep stw_mark stw_wait" if new else "stw_mark stw_sweep stw_other"
    times = [draw(count) for _ in names.split()]
    row |= {f"{name}_s": time / (1e6 if new else 1e3) for name, time in zip(names.split(), times, strict=True)}
    h0, h1, o0, o1, mallocs, frees, handoffs = (draw(count) for _ in range(7))
    pair = ("heap_previous_live_bytes", "heap_start_bytes") if new else ("heap_start_bytes", "heap_live_bytes")
    row |= {pair[0]: h0 * MIB, pair[1]: h1 * MIB, "objects_start": o0, "mallocs": mallocs, "frees": frees}
    row |= {"handoffs": handoffs} | ({} if new else {"objects_live": o1})
    clock = "+".join(map(str, times))
    line = f"gc{row['gc']}({row['gc_threads']}): {clock} {'us' if new else 'ms'}{'' if era == 'G1' else ','}"
    line += f" {h0} -> {h1} MB{',' if new else ''} {o0}{'' if new else f' -> {o1}'} ({mallocs}-{frees}) objects"
    if era == "G1":
        return f"{line} {handoffs} handoff", row
    parts = {name: draw(count) for name in ("handoff_objects", "steals", "steal_items")}
    parts |= {name: draw(count) for name in ("yields_proc", "yields_os", "yields_sleep")}
    if new:
        parts |= {name: draw(count) for name in ("sweep_spans", "sweep_background", "sweep_paused")}
    if era == "G4":
        parts |= {"goroutines": draw(count)}
        line += f", {parts['goroutines']} goroutines"
    if new:
        line += f", {parts['sweep_spans']}/{parts['sweep_background']}/{parts['sweep_paused']} sweeps"
    line += f", {handoffs}({parts['handoff_objects']}) handoff, {parts['steals']}({parts['steal_items']}) steal"
    line += f", {parts['yields_proc']}/{parts['yields_os']}/{parts['yields_sleep']} yields"
    return line, row | parts | ({"periodic": False} if era == "G4" else {})


CLOCKS = {
    5: "stw_sweep_term concurrent_scan write_barrier concurrent_mark stw_mark_term",
    3: "stw_sweep_term concurrent_mark stw_mark_term",
}
MARKS = "cpu_assist cpu_background cpu_idle"


@st.composite
def new(draw: st.DrawFn, era: str) -> Printed:
    """G5a to G10; G5 in whole milliseconds."""
    whole = era.startswith("G5")
    one = st.integers(0, 10**7).map(str) if whole else ns.map(as_ms)
    clocks = CLOCKS[3 if era in {"G8", "G9", "G10"} else 5].split()
    fixed = ["cpu_sweep_term"] if len(clocks) == 3 else ["cpu_sweep_term", "cpu_scan", "cpu_write_barrier"]
    marks = ["cpu_mark"] if era in {"G5a", "G5b", "G5c"} else MARKS.split()
    clock, front, mark = ([draw(one) for _ in names] for names in (clocks, fixed, marks))
    end, at, share, procs = draw(one), draw(count), draw(st.integers(0, 100)), draw(small)
    forced, gc = draw(st.booleans()), draw(count)
    sizes = {name: draw(mib) for name in ("heap_start", "heap_end")}
    sizes |= {} if era in {"G5a", "G5b"} else {"heap_live": draw(mib)}
    heap = "->".join(map(str, sizes.values()))
    rest = ""
    if era not in {"G5a", "G5b", "G5c", "G5d"}:
        sizes["heap_goal"] = draw(mib)
        rest += f" {sizes['heap_goal']} MB goal,"
    row: Row = {"gc": gc, "at_s": float(f"{at // 1000}.{at % 1000:03d}"), "procs": procs, "forced": forced, "era": era}
    if era in {"G9", "G10"}:
        sizes |= {"stacks": draw(mib), "globals": draw(mib)}
        rest += f" {sizes['stacks']} MB stacks, {sizes['globals']} MB globals,"
        row["leak_check"] = era == "G10"
    cpu = "+".join([*front, "/".join(mark), end])
    names = [*clocks, *fixed, *marks, "cpu_mark_term"]
    row |= {f"{name}_s": seconds(text) for name, text in zip(names, [*clock, *front, *mark, end], strict=True)}
    row |= {f"{name}_bytes": size * MIB for name, size in sizes.items()} | {"periodic": False}
    row |= {} if era == "G5a" else {"gc_cpu_ratio": share / 100}
    hashed = "#" if whole or era == "G6" else ""
    if era == "G6" and not any("." in text for text in (*clock, *front, *mark, end)):
        row["era"] = "G5e"  # nothing in the line tells
    line = f"gc {hashed}{gc} @{at // 1000}.{at % 1000:03d}s{'' if era == 'G5a' else f' {share}%'}"
    line += f"{' (checking for goroutine leaks)' if era == 'G10' else ''}: {'+'.join(clock)} ms clock, {cpu} ms cpu,"
    return f"{line} {heap} MB,{rest} {procs} P{' (forced)' if forced else ''}", row


@st.composite
def state(draw: st.DrawFn, era: str) -> Printed:
    """A SCHED line of S1 to S4."""
    procs = draw(st.lists(count, min_size=1, max_size=20))
    names = ["idleprocs", "threads", "idlethreads", "runqueue"]
    row: Row = {name: draw(count) for name in names}
    keys = f"idleprocs={row['idleprocs']} threads={row['threads']}"
    if era != "S1":
        row["spinningthreads"] = draw(count)
        keys += f" spinningthreads={row['spinningthreads']}"
    if era in {"S3", "S4"}:
        row["needspinning"] = draw(st.booleans())
        keys += f" needspinning={int(row['needspinning'])}"
    milliseconds = draw(count)
    row |= {"t_s": milliseconds / 1000, "gomaxprocs": len(procs), "local_runqueues": procs, "era": era}
    line = f"SCHED {milliseconds}ms: gomaxprocs={len(procs)} {keys} idlethreads={row['idlethreads']}"
    line += f" runqueue={row['runqueue']} ["
    if era != "S4":
        return line + " ".join(map(str, procs)) + "]", row
    row["schedticks"] = [draw(st.integers(0, 2**32 - 1)) for _ in procs]
    return line + "".join(f" {n}" for n in procs) + " ] schedticks=[" + "".join(
        f" {n}" for n in row["schedticks"]
    ) + " ]", row  # fmt: skip


COLLECTIONS = {
    **{era: old(era) for era in ("G1", "G2", "G3", "G4")},
    **{era: new(era) for era in ("G5a", "G5b", "G5c", "G5d", "G5e", "G6", "G7", "G8", "G9", "G10")},
}
STATES = {era: state(era) for era in ("S1", "S2", "S3", "S4")}
DAMAGE = "2026/11/20 11:38:23 worker 2 handled request\n"


def read(text: str, *, fast: bool) -> tuple[dict[str, list[Row]], set[str]]:
    """The rows of each table, and the codes of diagnostics; on the path for long logs, or on the careful one."""
    reader = SourceParser("x.log")
    blocks = ["started\n", text] if fast else ["started\n$ ./x\n" + text]
    items = [item for block in blocks for item in reader.feed(block.encode())] + list(reader.finish())
    found: dict[str, list[Row]] = {}
    for batch in (item for item in items if isinstance(item, Batch)):
        rows = [{k: v for k, v in row.items() if v is not None and k != "run"} for row in batch.rows.to_pylist()]
        found.setdefault(batch.table, []).extend(rows)
    return found, {item.code for item in items if isinstance(item, Diagnostic)}


def same(ours: Row, printed: Row) -> bool:
    """Equal; a time to a step of a double."""
    return ours.keys() == printed.keys() and all(
        math.isclose(ours[name], value, rel_tol=1e-15, abs_tol=0) if isinstance(value, float) else ours[name] == value
        for name, value in printed.items()
    )


@pytest.mark.parametrize(("nanoseconds", "text"), [
    (999, "0"), (1000, "0.001"), (99_999, "0.099"), (100_000, "0.10"), (999_999, "0.99"), (1_000_000, "1.0"),
    (9_999_999, "9.9"), (10_000_000, "10"), (11_371_000_000, "11371"),
])  # fmt: skip
def test_the_generator_prints_times_as_the_runtime_does(nanoseconds: int, text: str):
    assert as_ms(nanoseconds) == text


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("era", [*COLLECTIONS, *STATES])
@examples(0.15)
@given(data=st.data())
def test_what_is_printed_is_read(era: str, fast: bool, data: st.DataObject):
    table = "gc_cycles" if era in COLLECTIONS else "sched_ticks"
    printed = data.draw(st.lists({**COLLECTIONS, **STATES}[era], min_size=1, max_size=5))
    found, diagnostics = read("".join(line + "\n" for line, _ in printed), fast=fast)
    in_order = sorted(found[table], key=lambda row: row["line"])
    rows = [{name: value for name, value in row.items() if name != "line"} for row in in_order]
    assert [same(ours, row) for ours, (_, row) in zip(rows, printed, strict=True)] == [True] * len(printed)
    assert diagnostics <= {"interleaved"}  # 1 behind 5 is another process, and 6 the first's again


@pytest.mark.parametrize("fast", [True, False])
@examples(0.6)
@given(data=st.data())
def test_a_line_that_other_output_cuts_is_put_together_or_costs_itself_alone(fast: bool, data: st.DataObject):
    lines = data.draw(st.lists(st.one_of(*COLLECTIONS.values()), min_size=3, max_size=3))
    cut = data.draw(st.integers(1, len(lines[1][0]) - 1))
    text = "".join(line[:cut] + DAMAGE + line[cut:] + "\n" if i == 1 else line + "\n" for i, (line, _) in
                   enumerate(lines))  # fmt: skip
    found, _ = read(text, fast=fast)
    rows = [{name: value for name, value in row.items() if name != "line"} for row in found["gc_cycles"]]
    printed = [lines[i][1] for i in ((0, 1, 2) if len(rows) == 3 else (0, 2))]
    assert [same(*pair) for pair in zip(rows, printed, strict=True)] == [True] * len(rows)


def test_both_paths_are_taken(monkeypatch: pytest.MonkeyPatch):
    taken: list[str] = []
    monkeypatch.setattr(SourceParser, "_take_scanned", lambda *_: taken.append("fast") or [])
    read("the gc ran\n", fast=True)
    read("the gc ran\n", fast=False)
    assert taken == ["fast"]
