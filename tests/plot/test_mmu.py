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


def processes(*settings: str, repeats: int = 1) -> wp.Dataset:
    """The same trace under several values of GOGC, each `repeats` times."""
    parts = [f"## heron\n```\n$ GOGC={gogc} ./heron\n{TWO}```\n" for gogc in settings for _ in range(repeats)]
    return wp.parse_text("".join(parts), "bench/gc.md")


@pytest.mark.parametrize("repeats", [2, 5])
def test_processes_of_a_setting_share_a_colour_and_one_name(repeats: int) -> None:
    ax = mmu(processes("50", "100", "400", repeats=repeats))
    assert [word for word in words(ax) if word.startswith("GOGC")] == ["GOGC 50", "GOGC 100", "GOGC 400"]
    assert f"Lines: {3 * repeats} processes of 3 settings; colours: GOGC." in words(ax)
    runs = list(dict.fromkeys(data(ax)["run"]))  # in the order of the settings
    lines = {str(line.get_gid()): line for line in ax.child_axes[1].get_lines()}
    colours = [str(lines[run].get_color()) for run in runs]
    assert colours == [colour for colour in dict.fromkeys(colours) for _ in range(repeats)]
    assert len(set(colours)) == 3
    assert cut_off(ax) == []


def test_more_settings_than_colours_tell_apart_have_no_names() -> None:
    ax = mmu(processes(*(str(10 * n) for n in range(1, 14))))
    assert not [word for word in words(ax) if word.startswith("GOGC")]
    assert any(word.startswith("Lines: 13 processes of 13 settings, more than colours can") for word in words(ax))


def test_many_processes_of_one_setting_have_one_name() -> None:
    ds = wp.parse_text("".join(f"# run {n}\n```\n{TWO}```\n" for n in range(13)))
    assert len(ds.runs) == 13
    assert words(mmu(ds)).count("13 processes") == 1


def test_a_trace_without_times_is_an_error() -> None:
    with pytest.raises(NothingToPlotError, match=r"Go 1\.5 and later print them"):
        mmu(wp.parse_text(OLD))


def test_the_bytes_are_the_same() -> None:
    ds = wp.parse_text(TWO)
    assert figure_bytes(mmu(ds), "svg") == figure_bytes(mmu(ds), "svg")
