from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp
from tests.analysis.go.test_gc_timeline import OLD, TWO
from tests.plot.artists import cut_off, points, words
from wrkparse.plot import NothingToPlotError, data
from wrkparse.plot.figures.go.mmu import mmu
from wrkparse.plot.files import figure_bytes

FIXTURES = Path(__file__).parents[1] / "fixtures"


def test_a_line_ends_with_the_share_left_of_the_whole_trace() -> None:
    ds = wp.parse_text(TWO)
    (run,) = ds.runs["run"]
    pauses, marking = mmu(ds).child_axes
    assert points(pauses, run)[-1] == pytest.approx((0.223, 1 - 0.006 / 0.223))  # 1 + 2 + 0 + 3 ms of 223
    assert points(marking, run)[-1] == pytest.approx((0.223, 1 - (0.006 + 0.25 * 0.030) / 0.223))
    assert points(pauses, run)[0] == pytest.approx((0.001, 0))  # 1 ms within a pause
    assert pauses.get_xscale() == "log"
    assert pauses.get_ylim() == (0, 1)


def test_each_process_is_named_by_the_labels_that_differ() -> None:
    ax = mmu(wp.read(str(FIXTURES / "analysis")), where="gogc in ('20', '400')")
    assert {"GOGC 20", "GOGC 400"} <= {word.split(", ")[-1] for word in words(ax)}
    assert set(data(ax).columns) == {"run", "window_s", "mmu_ratio", "mmu_marking_ratio", "name"}
    assert cut_off(ax) == []


def test_panels_are_stacked_in_a_narrow_figure() -> None:
    ds = wp.read(str(FIXTURES / "analysis"))
    upper, lower = mmu(ds, width=95).child_axes
    assert upper.get_position().y0 > lower.get_position().y1
    assert upper.bbox.x0 == pytest.approx(lower.bbox.x0)
    assert cut_off(mmu(ds, width=95)) == []


def test_many_processes_have_no_names() -> None:
    ds = wp.parse_text("".join(f"# run {n}\n```\n{TWO}```\n" for n in range(13)))
    assert len(ds.runs) == 13
    assert "13 processes" in words(mmu(ds))


def test_a_trace_without_times_is_an_error() -> None:
    with pytest.raises(NothingToPlotError, match=r"Go 1\.5 and later print them"):
        mmu(wp.parse_text(OLD))


def test_the_bytes_are_the_same() -> None:
    ds = wp.parse_text(TWO)
    assert figure_bytes(mmu(ds), "svg") == figure_bytes(mmu(ds), "svg")
