from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import wrkparse as wp
from tests.analysis.go.test_gc_costs import logs, trace
from tests.plot.artists import cut_off, words
from wrkparse.plot import NothingToPlotError, data
from wrkparse.plot.figures.go.gc_costs import gc_costs


@pytest.fixture(scope="module")
def ds(tmp_path_factory: pytest.TempPathFactory) -> wp.Dataset:
    return wp.read(
        logs(
            tmp_path_factory.mktemp("costs"),
            gogc_400_1=trace(stop_us=40, every_ms=100, heap_mib=40),
            gogc_50_1=trace(stop_us=30, every_ms=10, heap_mib=8),
            gogc_50_2=trace(stop_us=50, every_ms=20, heap_mib=10),
        )
    )


def drawn(ax: object, gid: str) -> list[float]:
    """The x values of all lines with this name."""
    return [float(x) for line in ax.get_lines() if line.get_gid() == gid for x in line.get_xdata()]  # type: ignore[attr-defined]


def test_each_number_has_a_panel_with_an_axis_from_0(ds: wp.Dataset) -> None:
    panels = gc_costs(ds).child_axes
    assert [panel.get_title("left").replace("\n", " ") for panel in panels] == [
        "Median pause", "Worst pause", "CPU in collections", "Collections per second", "Largest heap",
    ]  # fmt: skip
    assert [panel.get_xlim()[0] for panel in panels] == [0] * 5


def test_rows_are_settings_with_gogc_rising_downwards(ds: wp.Dataset) -> None:
    first, *others = gc_costs(ds).child_axes
    assert [label.get_text() for label in first.get_yticklabels()] == ["GOGC 50", "GOGC 400"]
    assert first.get_ylim()[0] > first.get_ylim()[1]
    assert all(other.get_ylim() == first.get_ylim() for other in others)


def test_processes_are_rings_beside_their_median(ds: wp.Dataset) -> None:
    """Collections every 10, 20 and 100 ms."""
    rate = gc_costs(ds).child_axes[3]
    assert np.allclose(sorted(drawn(rate, "processes")), [10, 50, 100])
    assert np.allclose(drawn(rate, "median"), [75, 10])


def test_the_note_says_what_rings_are(ds: wp.Dataset) -> None:
    assert "Rings: processes; bars: their medians. All axes begin at 0." in words(gc_costs(ds))
    single = gc_costs(ds, where="source LIKE '%-1.log'")
    assert "One process each." in words(single)


def test_panels_are_stacked_in_a_narrow_figure(ds: wp.Dataset) -> None:
    one, two, *_ = gc_costs(ds, width=95).child_axes
    assert one.get_position().y0 > two.get_position().y1
    assert cut_off(gc_costs(ds, width=95)) == cut_off(gc_costs(ds)) == []


def test_the_data_has_a_row_for_each_process(ds: wp.Dataset) -> None:
    assert len(data(gc_costs(ds))) == 3


def test_a_single_setting_is_an_error(ds: wp.Dataset) -> None:
    with pytest.raises(NothingToPlotError, match="no gctraces of several settings"):
        gc_costs(ds, where="gogc = '50'")


def test_more_settings_than_rows_of_a_page_are_an_error(tmp_path: Path) -> None:
    text = trace(stop_us=30, every_ms=10, heap_mib=8)
    many = wp.read(logs(tmp_path, **{f"gogc_{10 * number}": text for number in range(1, 46)}))
    with pytest.raises(NothingToPlotError, match=r"45 settings are too many .* at most 44"):
        gc_costs(many)
