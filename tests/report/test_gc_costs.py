"""The comparison of GC settings in a report: where it stands, its caption, its alternative text."""

from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp
from tests.analysis.go.test_gc_costs import logs, trace
from tests.samples import WRK
from wrkparse.report.exhibits.figures.gc_costs import describe_costs
from wrkparse.report.exhibits.front_page import FrontPage

TRACES = {
    "gogc_50_1": trace(stop_us=30, every_ms=10, heap_mib=8),
    "gogc_50_2": trace(stop_us=50, every_ms=20, heap_mib=10),
    "gogc_400_1": trace(stop_us=40, every_ms=100, heap_mib=40),
}


@pytest.fixture
def traces(tmp_path: Path) -> Path:
    return logs(tmp_path, **TRACES)


def test_traces_of_several_settings_alone_have_the_comparison_on_the_first_page(traces: Path) -> None:
    found = wp.summary(wp.read(traces))
    assert found.figure == "gc_costs"
    figure = FrontPage(found).figure()
    assert figure is not None
    assert figure.caption.startswith("What garbage collection costs under each setting: most collections with GOGC=50")
    assert "Varies: GOGC (50, 400)" in figure.caption
    assert [one.label for one in wp.trace_exhibits(found, "gctrace")] == ["fig:gc"]


def test_the_first_page_says_which_setting_collects_most_and_fewest(traces: Path) -> None:
    found = wp.summary(wp.read(traces))
    assert (
        "Most collections with GOGC=50 (75 per second, largest heap 14 MiB), fewest with GOGC=400 (10 per second, "
        "largest heap 45 MiB)."
    ) in found.findings
    alone = wp.summary(wp.read(traces).where("gogc = '50'"))
    assert not any(line.startswith("Most collections") for line in alone.findings)


def test_settings_with_the_same_rate_of_collections_are_not_called_most_and_fewest(tmp_path: Path) -> None:
    alike = logs(
        tmp_path,
        gogc_50_1=trace(stop_us=30, every_ms=10, heap_mib=8),
        gogc_400_1=trace(stop_us=40, every_ms=10, heap_mib=40),
    )
    assert "100 collections per second in each setting." in wp.summary(wp.read(alike)).findings


def test_beside_loads_the_comparison_stands_before_the_longest_trace(traces: Path) -> None:
    (traces / "wrk.txt").write_text(WRK)
    found = wp.summary(wp.read(traces))
    assert found.figure == "latency"
    assert [one.label for one in wp.trace_exhibits(found, "gctrace")] == ["fig:gc-settings-1", "fig:gc"]


def test_traces_of_one_setting_are_not_compared(tmp_path: Path) -> None:
    found = wp.summary(wp.read(logs(tmp_path, gogc_50_1=TRACES["gogc_50_1"], gogc_50_2=TRACES["gogc_50_2"])))
    assert found.figure == "gc"
    assert wp.trace_exhibits(found, "gctrace") == []


def test_the_words_state_the_medians(traces: Path) -> None:
    """Collections every 10 and 20 ms, and every 100 ms; largest heaps of 13 and 15, and of 45 MiB."""
    caption, alt = describe_costs(wp.summary(wp.read(traces)).costs)
    assert caption.endswith(
        "most collections with GOGC=50 (75 per second, largest heap 14 MiB), "
        "fewest with GOGC=400 (10 per second, largest heap 45 MiB)"
    )
    assert "with GOGC=50: median pause 10 µs, worst 1 ms, " in alt
    assert "collections 75 /s, largest heap 14 MiB (2 processes); with GOGC=400:" in alt
    assert alt.endswith("largest heap 45 MiB (1 process).")


def test_many_processes_of_a_few_settings_have_a_table_of_medians(tmp_path: Path) -> None:
    """Seven processes with GOGC=50, every 10 ms; six with GOGC=400, every 100 ms."""
    many = {f"gogc_50_{at}": trace(stop_us=30, every_ms=10, heap_mib=8) for at in range(1, 8)}
    many |= {f"gogc_400_{at}": trace(stop_us=40, every_ms=100, heap_mib=40) for at in range(1, 7)}
    found = wp.summary(wp.read(logs(tmp_path, **many)))
    [table] = [one for one in wp.trace_exhibits(found, "gctrace") if isinstance(one, wp.Table)]
    cells = {one.title: one.cells for one in table.columns()}
    assert (cells["GOGC"], cells["processes"], cells["cycles"]) == (["50", "400"], ["7", "6"], ["35", "30"])
    few = {name: text for name, text in many.items() if name.endswith(("_1", "_2"))}
    (tmp_path / "few").mkdir()
    found = wp.summary(wp.read(logs(tmp_path / "few", **few)))
    assert not any(isinstance(one, wp.Table) for one in wp.trace_exhibits(found, "gctrace"))
