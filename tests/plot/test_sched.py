from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import wrkparse as wp
from tests.analysis.go.test_run_queues import DETAIL, TEXT
from tests.plot.artists import cut_off, words
from wrkparse.plot import NothingToPlotError, data
from wrkparse.plot.figures.go.sched import _set_p_ticks, sched
from wrkparse.plot.files import figure_bytes

DATA = Path(__file__).parents[2] / "data"


def panel(ax: Axes, place: int) -> Axes:
    """The panel with this index: 0 totals, 2 idle Ps, 4 heat map, 5 means."""
    return list(ax.child_axes)[place]


def steps(ax: Axes, gid: str) -> np.ndarray:
    (found,) = (one for one in ax.collections if one.get_gid() == gid)
    return np.asarray(found.get_paths()[0].vertices)


def spans(ax: Axes, gid: str) -> list[float]:
    """Start and end of each bar."""
    (found,) = (one for one in ax.collections if one.get_gid() == gid)
    return [float(end) for path in found.get_paths() for end in np.asarray(path.vertices)[[0, 2], 0]]


def test_thousands_of_ticks_keep_their_peaks_in_a_small_file() -> None:
    text = "".join(
        f"SCHED {t}ms: gomaxprocs=2 idleprocs={t % 2} threads=5 spinningthreads=0 idlethreads=1 "
        f"runqueue={900 if t == 1777 else 1} [{60 * (t == 777)} 0]\n"
        for t in range(3000)
    )
    ax = sched(wp.parse_text(text))
    assert steps(panel(ax, 0), "global")[:, 1].max() == 900
    assert steps(panel(ax, 0), "local")[:, 1].max() == 60
    assert len(figure_bytes(ax, "svg")) < 250_000


def test_the_heat_map_has_each_p_over_time() -> None:
    heat = panel(sched(wp.parse_text(TEXT)), 4)
    (image,) = heat.images
    queued = np.asarray(image.get_array())
    assert queued.shape[0] == 2
    assert image.get_extent() == [0, 0.4, -0.5, 1.5]
    assert queued[:, 0].tolist() == [1, 2]  # each tick extends half-way to its neighbours: 0 to 50, to 250, to 400 ms
    assert queued[:, queued.shape[1] // 2].tolist() == [0, 7]
    assert queued[:, -1].tolist() == [4, 5]
    assert image.get_interpolation() == "none"


def test_nothing_is_painted_where_nothing_waits() -> None:
    """P0 has an empty queue in the second of three ticks."""
    (image,) = panel(sched(wp.parse_text(TEXT)), 4).images
    shown = np.ma.asarray(image.get_array())
    middle = shown.shape[1] // 2
    assert [bool(np.ma.getmaskarray(shown)[p, middle]) for p in (0, 1)] == [True, False]
    assert not np.ma.getmaskarray(shown)[:, 0].any()  # 1 and 2 wait


def test_totals_stack_the_global_queue_on_the_local_ones() -> None:
    top = panel(sched(wp.parse_text(TEXT)), 0)
    assert steps(top, "local")[:, 1].max() == 9  # 4 + 5
    assert steps(top, "global")[:, 1].max() == 9
    of_first = steps(top, "global")
    assert of_first[of_first[:, 0] < 0.04][:, 1].max() == 6  # 1 + 2 + 3


def test_idle_ps_and_means_are_drawn() -> None:
    ax = sched(wp.parse_text(TEXT))
    assert steps(panel(ax, 2), "idle")[:, 1].max() == 1
    bars = [patch.get_width() for patch in panel(ax, 5).patches]
    assert bars == pytest.approx([(1 + 0 + 4) / 3, (2 + 7 + 5) / 3])
    assert len(data(ax)) == 6


def test_a_single_tick_is_labelled_and_idle_ps_are_grey() -> None:
    ax = sched(wp.parse_text(DETAIL))
    heat = panel(ax, 4)
    assert heat.get_xlabel() == "one tick, at the start"
    assert [image.get_gid() for image in heat.images] == ["queues", "idle"]
    assert np.isnan(np.asarray(heat.images[1].get_array())[1]).all()  # P1 is not idle
    assert panel(ax, 3).child_axes[0].get_title("left") == "grey: idle P"


@pytest.mark.parametrize(("count", "step"), [(1, 1), (8, 1), (9, 2), (64, 8), (65, 16), (2048, 256), (4096, 512)])
def test_at_most_eight_ps_are_labelled(count: int, step: int) -> None:
    ax = Figure().add_subplot()
    _set_p_ticks(ax, count)
    assert ax.get_yticks().tolist() == list(range(0, count, step))
    assert len(ax.get_yticks()) <= 8


def test_one_p_has_one_row() -> None:
    text = "".join(
        f"SCHED {t}ms: gomaxprocs=1 idleprocs=0 threads=5 spinningthreads=0 idlethreads=1 runqueue=0 [{t}]\n"
        for t in range(3)
    )
    assert panel(sched(wp.parse_text(text)), 4).get_ylim() == (-0.5, 0.5)


def test_the_study_has_its_episodes_marked() -> None:
    ax = sched(wp.read(str(DATA / "go-many-cores")))
    # results.md: ticks with idle Ps and queued goroutines, 2.999 to 3.050 s and 3.408 to 3.459 s
    assert spans(panel(ax, 0), "starvation") == pytest.approx([2.999, 3.050, 3.408, 3.459], abs=1e-3)
    assert spans(panel(ax, 0), "backlog") == pytest.approx([3.100, 3.202], abs=1e-3)
    assert {"starvation", "backlog"} <= set(words(ax))
    assert cut_off(ax) == []
    assert len(figure_bytes(ax, "svg")) < 100_000


def test_the_bytes_are_the_same_and_nothing_is_cut_off_where_it_is_narrow() -> None:
    ds = wp.parse_text(TEXT)
    assert figure_bytes(sched(ds), "svg") == figure_bytes(sched(ds), "svg")
    assert cut_off(sched(ds, width=95)) == []


def test_missing_data_is_an_error_with_a_reason() -> None:
    with pytest.raises(NothingToPlotError, match="no schedtrace run"):
        sched(wp.parse_text("real\t0m1.0s\nuser\t0m1.0s\nsys\t0m0.0s\n"))
    bare = "SCHED 0ms: gomaxprocs=2 idleprocs=0 threads=5 runqueue=3\n"
    if len(wp.parse_text(bare).runs):
        with pytest.raises(NothingToPlotError, match="no local run queues"):
            sched(wp.parse_text(bare))
