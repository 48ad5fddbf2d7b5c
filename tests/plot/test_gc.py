from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes

import wrkparse as wp
from tests.analysis.go.test_gc_timeline import OLD, TWO
from tests.plot.artists import cut_off, gids, line, points, same, words
from wrkparse.plot import NothingToPlotError, data
from wrkparse.plot.figures.go.gc import gc
from wrkparse.plot.files import figure_bytes
from wrkparse.plot.style.house import new_axes

FIXTURES = Path(__file__).parents[1] / "fixtures"
MIB = 2**20


def panels(text: str, **options: float) -> tuple[Axes, Axes]:
    upper, lower = gc(wp.parse_text(text), **options).child_axes
    return upper, lower


def test_stems_stand_at_the_pauses_and_a_pause_of_0_is_hollow_at_the_floor() -> None:
    upper, _ = panels(TWO)
    assert same(points(upper, "mark termination"), [(0.111, 0.002), (0.220, 0.003)])
    assert same(points(upper, "sweep termination"), [(0.100, 0.001)])
    assert same(points(upper, "below sweep termination"), [(0.200, 1e-6)])  # 0 is less than 1 µs
    assert line(upper, "below sweep termination").get_markerfacecolor() == "white"
    assert upper.get_yscale() == "log"


def test_marking_is_grey_in_both_panels() -> None:
    for ax in panels(TWO):
        (spans,) = (one for one in ax.collections if one.get_gid() == "marking")
        corners = [np.asarray(path.vertices)[:, 0] for path in spans.get_paths()]
        assert same([(x.min(), x.max()) for x in corners], [(0.101, 0.111), (0.200, 0.220)])


def test_the_heap_is_a_saw_tooth_under_its_goal() -> None:
    _, lower = panels(TWO)
    assert [y / MIB for _, y in points(lower, "heap")] == [4, 6, 2, 5, 7, 3]
    assert {y / MIB for _, y in points(lower, "goal")} == {5}
    assert lower.get_ylim()[0] == 0


def test_the_longest_pause_has_a_label() -> None:
    assert "worst: 3 ms, mark termination of GC 2" in words(gc(wp.parse_text(TWO)))


def test_an_slo_is_a_line() -> None:
    upper, _ = panels(TWO, slo_s=0.005)
    assert set(np.asarray(line(upper, "slo").get_ydata())) == {0.005}
    assert upper.get_ylim()[1] > 0.005
    assert "SLO 5 ms" in words(upper)


def test_without_times_the_axis_is_the_number_of_the_collection() -> None:
    upper, lower = panels(OLD)
    assert same(points(upper, "whole collection"), [(2, 0.015)])
    assert points(upper, "below whole collection") == [(1, 0.001)]  # Go 1.0 prints whole ms
    assert [(x, y / MIB) for x, y in points(lower, "heap")] == [(1, 0), (1, 0), (2, 7), (2, 6)]
    assert "goal" not in gids(lower)
    assert "number of the collection" in lower.get_xlabel()


def test_a_trace_with_only_zero_pauses_says_so() -> None:
    assert "all pauses are printed as 0: less than 1 ms" in words(gc(wp.parse_text(OLD.replace("14+1+0", "0+0+0"))))


def test_ten_thousand_cycles_keep_the_worst_pause_and_the_extremes_of_the_heap() -> None:
    form = (
        "gc {n} @{t:.3f}s 5%: 0.01+1+{last} ms clock, 2.0+3.0/8.0/1.0+4.0 ms cpu, {at}->{end}->2 MB, 5 MB goal, 4 P\n"
    )
    lines = [
        form.format(n=n, t=n / 100, last=40 if n == 7777 else 0.02, at=3 + n % 3, end=900 if n == 1234 else 6)
        for n in range(1, 10_001)
    ]
    ax = gc(wp.parse_text("".join(lines)))
    upper, lower = ax.child_axes
    (columns,) = (one for one in upper.collections if one.get_gid() == "columns mark termination")
    heights = np.concatenate([np.asarray(path.vertices)[:, 1] for path in columns.get_paths()])
    assert heights.min() == pytest.approx(0.00002)
    assert heights.max() == pytest.approx(0.040)
    assert len(columns.get_paths()) == 55  # 166 mm, four fifths of it axes, at 2.4 mm for each interval
    (medians,) = (one for one in upper.collections if one.get_gid() == "medians mark termination")
    assert {round(float(path.vertices[0, 1]), 9) for path in medians.get_paths()} == {0.00002}
    assert "stems mark termination" not in gids(upper)
    (heap,) = (one for one in lower.collections if one.get_gid() == "heap")
    assert np.asarray(heap.get_paths()[0].vertices)[:, 1].max() == 900 * MIB
    assert len(figure_bytes(ax, "svg")) < 200_000
    assert any(word.startswith("worst: 40 ms") for word in words(ax))


def cycles(count: int, step_s: float = 0.01) -> str:
    """The longest sweep termination is 9 ms, of cycle 7."""
    form = "gc {n} @{t:.3f}s 5%: {first}+1+0.02 ms clock, 2.0+3.0/8.0/1.0+4.0 ms cpu, 3->3->2 MB, 3 MB goal, 4 P\n"
    return "".join(form.format(n=n, t=n * step_s, first=9 if n == 7 else 0.01) for n in range(1, count + 1))


@pytest.mark.parametrize(("width", "most"), [(166, 55), (90, 30)])
def test_pauses_have_stems_only_if_the_width_holds_them(width: float, most: int) -> None:
    """Four fifths of the width at 2.4 mm for each collection."""
    few, many = (gc(wp.parse_text(cycles(count)), width=width) for count in (most, most + 1))
    assert "stems sweep termination" in gids(few.child_axes[0])
    assert "stems sweep termination" not in gids(many.child_axes[0])
    assert len(points(many.child_axes[0], "sweep termination")) == most + 1
    assert any(f"{most + 1} collections: a point for each pause" in " ".join(word.split()) for word in words(many))


def test_pauses_printed_as_0_are_in_the_columns_at_their_upper_bound() -> None:
    text = cycles(800).replace("0.01+1+", "0+1+")
    (columns,) = (one for one in panels(text)[0].collections if one.get_gid() == "columns sweep termination")
    heights = np.concatenate([np.asarray(path.vertices)[:, 1] for path in columns.get_paths()])
    assert (heights.min(), heights.max()) == pytest.approx((1e-6, 0.009))


def test_the_note_says_what_grey_is() -> None:
    shown = {count: " ".join(" ".join(words(gc(wp.parse_text(cycles(count))))).split()) for count in (10, 100)}
    assert "Grey: marking, while the program runs." in shown[10]
    assert "Grey: the darker, the more of the time is marking" in shown[100]


def test_the_worst_pause_has_a_ring_and_a_leader() -> None:
    upper, _ = gc(wp.parse_text(cycles(50))).child_axes
    assert same(points(upper, "worst mark"), [(0.07, 0.009)])
    (label,) = (text for text in upper.texts if text.get_gid() == "worst")
    assert label.arrow_patch is not None
    assert same([label.xy], [(0.07, 0.009)])


@pytest.mark.parametrize("top", [1, 2, 3, 5, 300, 700, 1500, 2500])
def test_a_heap_in_whole_megabytes_has_ticks_at_whole_megabytes(top: int) -> None:
    _, lower = panels(cycles(20).replace("3->3->2 MB, 3 MB", f"{top}->{top}->1 MB, {top} MB"))
    ticks = [float(tick) / MIB for tick in lower.get_yticks()]
    assert [tick for tick in ticks if tick != round(tick)] == []
    assert len([tick for tick in ticks if tick <= top * 1.08]) > 1


def test_the_data_are_the_drawn_values() -> None:
    frame = data(gc(wp.parse_text(TWO)))
    assert frame.groupby("panel").size().to_dict() == {"pauses": 4, "heap": 6}


def test_no_trace_several_traces_and_a_wrong_identifier_are_errors() -> None:
    with pytest.raises(NothingToPlotError, match="no gctrace run: this figure needs the output of GODEBUG=gctrace=1"):
        gc(wp.parse_text("SCHED 0ms: gomaxprocs=1 idleprocs=0 threads=1 runqueue=0 [0]\n"))
    ds = wp.read(str(FIXTURES / "analysis"))
    with pytest.raises(NothingToPlotError, match=r"there are 8 gctrace runs: choose one .*go1\.26\.8-bigheap\.log:1"):
        gc(ds)
    with pytest.raises(NothingToPlotError, match="begins with 'zz'"):
        gc(ds, run="zz")
    assert gc(ds, run=str(ds.runs["run"][0])[:8]).child_axes


@pytest.mark.parametrize("source", ["analysis/go1.26.8-memlimit.log", "gctrace/go1.3.3-forced.log"])
def test_nothing_is_cut_off_and_the_bytes_are_the_same(source: str) -> None:
    ds = wp.read(str(FIXTURES / source))
    ax = gc(ds, slo_s=1e-3)
    assert cut_off(ax) == []
    assert figure_bytes(ax, "svg") == figure_bytes(gc(ds, slo_s=1e-3), "svg")
    assert cut_off(gc(ds, width=95)) == []
    mine = new_axes(95, 100)
    assert gc(ds, ax=mine) is mine
    assert cut_off(mine) == []
