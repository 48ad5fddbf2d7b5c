"""Which load report stands beside a trace, by the clocks in front of their lines."""

from __future__ import annotations

from pathlib import Path

import wrkparse as wp
from tests.samples import GC, WRK
from wrkparse.analysis.go.traces import loads_beside, runs_of_tool


def stamped(text: str, *clocks: str, zone: str = "Z") -> str:
    """Each line behind the next of these times of one morning; the last one holds on."""
    lines = text.splitlines()
    times = [*clocks, *[clocks[-1]] * len(lines)]
    return "".join(f"2026-11-20T{clock}{zone} {line}\n" for clock, line in zip(times, lines, strict=False))


TRACE = GC.format(n=1, t="0.1") + GC.format(n=2, t="20.1")


def found(tmp_path: Path, **sources: str) -> list[tuple[float, float]]:
    for name, text in sources.items():
        (tmp_path / f"{name}.log").write_text(text)
    ds = wp.read(tmp_path)
    rows = loads_beside(ds, runs_of_tool(ds, "gctrace", None))
    return [(row.beside_throughput_per_s, row.beside_overlap_s) for row in rows.itertuples()]


def test_of_loads_in_other_sources_the_one_that_ran_meanwhile(tmp_path: Path) -> None:
    # wrk lasted 10.10 s: from 11:00:05.9 to 11:00:16, within the trace; the slower one came an hour later
    trace = stamped(TRACE, "11:00:00", "11:00:20")
    during = stamped(WRK, "12:00:16", zone="+01:00")
    after = stamped(WRK.replace("40669.44", "1000.00"), "12:00:16")
    assert found(tmp_path, a=after, b=during, trace=trace) == [(40669.44, 10.1)]


def test_a_load_that_ran_at_another_time_is_not_beside_though_it_is_near(tmp_path: Path) -> None:
    both = stamped(TRACE, "11:00:00", "11:00:20") + stamped(WRK, "12:00:16")
    assert found(tmp_path, both=both) == []


def test_a_load_that_began_before_the_trace_overlaps_by_what_both_lasted(tmp_path: Path) -> None:
    trace, load = stamped(TRACE, "11:00:00", "11:00:20"), stamped(WRK, "10:59:50", "11:00:04")
    assert found(tmp_path, load=load, trace=trace) == [(40669.44, 4.0)]


def test_clocks_without_a_zone_are_compared_within_one_source_only(tmp_path: Path) -> None:
    trace, load = stamped(TRACE, "11:00:00", "11:00:20", zone=""), stamped(WRK, "11:00:16", zone="")
    assert found(tmp_path, load=load, trace=trace) == []
    assert found(tmp_path, load="", trace=trace + load) == [(40669.44, 10.1)]
