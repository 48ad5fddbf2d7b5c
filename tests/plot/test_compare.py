from __future__ import annotations

import itertools
import statistics
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes

import wrkparse as wp
from tests.analysis.comparison.runs import Runs
from tests.analysis.scaling.curves import Run, dataset
from tests.plot.artists import cut_off, words
from wrkparse.plot.figures.comparison.forest_rows import _forest_data, _together_rows, forest_rows
from wrkparse.plot.files import figure_bytes

SERVERS = Path(__file__).parents[1] / "fixtures/servers"

# Rates of runs in requests per second, by path: the baseline, and twice, once and half of it.
RATES = {
    "/base": (1000, 1010, 990, 1005, 995, 1002),
    "/twice": (2000, 2040, 1980, 2010, 1990, 2004),
    "/same": (1001, 1009, 991, 1004, 996, 1003),
    "/half": (500, 505, 495, 502, 498, 501),
}


def measured(folder: Path, rates: dict[str, tuple[int, ...]], connections: tuple[int, ...] = (8,)) -> wp.Dataset:
    return dataset(
        folder, [Run(4, rate * n, path, n, threads=4) for path in rates for n in connections for rate in rates[path]]
    )


@pytest.fixture(scope="module")
def repeated(tmp_path_factory: pytest.TempPathFactory) -> wp.Dataset:
    return measured(tmp_path_factory.mktemp("repeated") / "study", RATES)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> wp.Dataset:
    return measured(tmp_path_factory.mktemp("loaded") / "study", RATES, (8, 64))


@pytest.fixture(scope="module")
def thirty(tmp_path_factory: pytest.TempPathFactory) -> wp.Dataset:
    """Thirty paths with two runs each; /p00 is the fastest, each next one a tenth of a thousand slower."""
    rates = {f"/p{n:02}": (4000 - 100 * n, 4010 - 100 * n) for n in range(30)}
    return measured(tmp_path_factory.mktemp("thirty") / "study", rates)


def panel_of(ax: Axes) -> Axes:
    (panel,) = ax.child_axes
    return panel


def names(panel: Axes) -> list[str]:
    return [label.get_text().strip() for label in panel.get_yticklabels()]


def marks(panel: Axes, gid: str) -> list[tuple[float, list[float]]]:
    """The row and the ratios of each artist with this id."""
    found = [np.asarray(line.get_xydata(), float) for line in panel.lines if line.get_gid() == gid]
    return [(round(float(data[0, 1])), data[:, 0].tolist()) for data in found if len(data)]


def column(panel: Axes, name: str) -> dict[str, str]:
    """The texts of a column by the name of their row; the title is without a name."""
    rows = names(panel)
    texts = {int(text.xy[1]): text.get_text() for text in panel.texts if text.get_gid() == name}
    return {rows[at] if at >= 0 else "": text for at, text in texts.items()}


def test_each_row_has_its_ratio_over_all_pairs_of_runs(repeated: wp.Dataset) -> None:
    panel = panel_of(wp.plot.compare(repeated, rows="path", baseline="path=/base"))
    assert names(panel) == ["/twice", "/same", "/base", "/half"]
    expected = [
        statistics.median(8 * x / (8 * y) for x, y in itertools.product(RATES[path], RATES["/base"]))
        for path in ("/twice", "/same", "/half")
    ]
    found = dict(marks(panel, "setting"))
    assert list(found) == [0, 1, 3]
    assert [ratio for (ratio,) in found.values()] == pytest.approx(expected, rel=1e-4)
    assert panel.get_xscale() == "log"
    assert "log scale; higher is better" in panel.get_xlabel()


def test_rings_are_runs_over_the_median_of_the_baseline(repeated: wp.Dataset) -> None:
    panel = panel_of(wp.plot.compare(repeated, rows="path", baseline="path=/base"))
    middle = statistics.median(RATES["/base"])  # 1001
    found = dict(marks(panel, "runs"))
    for row, path in enumerate(("/twice", "/same", "/base", "/half")):
        assert sorted(found[row]) == pytest.approx(sorted(rate / middle for rate in RATES[path]))


def test_the_columns_say_value_ratio_runs_and_verdict(repeated: wp.Dataset) -> None:
    panel = panel_of(wp.plot.compare(repeated, rows="path", baseline="path=/base"))
    assert column(panel, "verdict")["/twice"] == "better"
    assert column(panel, "verdict")["/half"] == "worse"
    assert column(panel, "verdict")["/base"] == "baseline"
    assert column(panel, "verdict")["/same"].endswith(")")
    assert column(panel, "ratio")[""] == "ratio (95 %)"
    assert column(panel, "ratio")["/twice"].startswith("2.0 (")
    assert "/base" not in column(panel, "ratio")
    assert column(panel, "center")["/base"] == "8.008 k/s"  # 8 x 1001
    assert set(column(panel, "runs").values()) == {"runs", "6"}


def test_settings_are_grouped_below_what_all_of_them_say_together(loaded: wp.Dataset) -> None:
    panel = panel_of(wp.plot.compare(loaded, rows="path", baseline="path=/base"))
    group = ["/twice", "both settings", "connections 8", "connections 64"]
    assert names(panel)[:4] == group
    assert [row for row, _ in marks(panel, "together")] == [1, 5, 12]
    (twice,) = (ratios for row, ratios in marks(panel, "together") if row == 1)
    assert twice == pytest.approx([2.0], rel=1e-2)
    assert column(panel, "runs")["both settings"] == "12"
    assert "Diamonds: all settings together." in " ".join(words(panel.figure.axes[0]))


def test_of_many_rows_the_best_ten_and_the_baseline_are_shown(thirty: wp.Dataset) -> None:
    panel = panel_of(wp.plot.compare(thirty, rows="path", baseline="path=/p20"))
    best = [f"/p{n:02}" for n in range(10)]
    assert names(panel) == [*best, "/p20", "… 19 more rows"]
    others = dict(marks(panel, "runs"))[11]
    assert len(others) == 19
    assert column(panel, "ratio")["… 19 more rows"] == "0.55 to 1.50"  # 1105 / 2005 and 3005 / 2005


def test_where_less_is_better_the_lowest_ratios_are_the_best_ten(thirty: wp.Dataset) -> None:
    table = wp.compare(thirty, rows="path", baseline="path=/p00", metric="latency_mean")
    assert names(panel_of(wp.plot.compare(table)))[-1] == "… 20 more rows"  # the baseline is one of the best ten
    assert "lower is better" in panel_of(wp.plot.compare(table)).get_xlabel()


def test_more_settings_than_a_page_holds_are_rings_of_one_row(tmp_path: Path) -> None:
    rates = {"/base": (1000, 1010), "/twice": (2000, 2020), "/half": (500, 505)}
    panel = panel_of(
        wp.plot.compare(measured(tmp_path, rates, tuple(range(4, 26))), rows="path", baseline="path=/base")
    )
    assert names(panel) == ["/twice", "/half"]
    assert [len(ratios) for _, ratios in marks(panel, "runs")] == [22, 22]
    assert "Rings: single settings." in " ".join(words(panel.figure.axes[0]))


def test_one_run_each_has_a_ratio_but_neither_interval_nor_verdict(tmp_path: Path) -> None:
    ax = wp.plot.compare(measured(tmp_path, {"/a": (1000,), "/b": (1500,)}), rows="path", baseline="path=/a")
    panel = panel_of(ax)
    assert marks(panel, "interval") == []
    assert dict(marks(panel, "setting")) == {0: pytest.approx([1.5])}
    assert column(panel, "ratio") == {"": "ratio", "/b": "1.50"}
    assert not {"better", "worse"} & set(column(panel, "verdict").values())
    assert "One run each: no interval and no verdict." in " ".join(words(ax)).replace("\n", " ")


def test_the_zone_of_ties_is_that_of_the_comparison(repeated: wp.Dataset) -> None:
    table = wp.compare(repeated, rows="path", baseline="path=/base", metric="throughput", same_within=0.05)
    panel = panel_of(wp.plot.compare(table))
    (band,) = (patch for patch in panel.patches if patch.get_gid() == "ties")
    box = band.get_extents().transformed(panel.transData.inverted())
    assert (box.x0, box.x1) == pytest.approx((1 / 1.05, 1.05))
    assert column(panel, "verdict")["/same"] == "same within 5 %"
    plain = wp.compare(repeated, rows="path", baseline="path=/base", metric="throughput")
    assert not panel_of(wp.plot.compare(plain)).patches


def test_an_interval_far_beyond_the_markers_ends_in_an_arrow(tmp_path: Path) -> None:
    rates = {"/a": (1000, 1001, 1002, 1003, 1004), "/b": (10, 1000, 1100, 1200, 1300)}
    ds = measured(tmp_path, rates)
    panel = panel_of(wp.plot.compare(ds, rows="path", baseline="path=/a"))
    low, high = panel.get_xlim()
    assert low > 10 / 1002 / 4
    assert high < 1300 / 1002 * 4


def test_a_narrow_figure_leaves_columns_out_and_nothing_is_cut_off(loaded: wp.Dataset) -> None:
    wide, narrow = (wp.plot.compare(loaded, rows="path", baseline="path=/base", width=width) for width in (166, 90))
    kept = {text.get_gid() for text in panel_of(narrow).texts}
    assert "ratio" in kept
    assert "p" not in kept
    assert {"center", "ratio", "p", "runs", "verdict"} <= {text.get_gid() for text in panel_of(wide).texts}
    for ax in (wide, narrow):
        assert cut_off(ax) == []
        assert panel_of(ax).bbox.width > 0.25 * ax.figure.bbox.width


def test_failures_have_shares_and_no_ratios_so_they_are_bars() -> None:
    ax = wp.plot.compare(wp.read(SERVERS), metric="errors_timeout")
    assert all(panel.patches for panel in ax.child_axes)
    assert not any(panel.get_xscale() == "log" for panel in ax.child_axes)


def test_runs_that_are_not_used_are_crosses() -> None:
    """Of heron at 8 connections, the latencies of 3 of 5 runs are suspect; the other two count."""
    table = wp.compare(wp.read(SERVERS), metric="latency_p99")
    panel = panel_of(wp.plot.compare(table))
    assert column(panel, "runs")["connections 8"] in {"2", "5"}
    assert len(dict(marks(panel, "runs"))[1]) == 2


def test_marks_at_zero_leave_the_names_of_bars_free() -> None:
    """The middle of a mark is on the axis, beside which the names end."""
    ax = wp.plot.compare(wp.read(SERVERS), metric="errors_timeout")
    for panel in ax.child_axes:
        assert any(0 in line.get_xdata() for line in panel.lines)
        ends = [label.get_window_extent().x1 for label in panel.get_yticklabels() if label.get_text()]
        assert all(end < panel.bbox.x0 - 5 for end in ends)


def test_the_same_comparison_gives_the_same_bytes(loaded: wp.Dataset) -> None:
    one, two = (figure_bytes(wp.plot.compare(loaded, rows="path", baseline="path=/base"), "svg") for _ in range(2))
    assert one == two


def test_panels_of_bars_have_the_same_scale(loaded: wp.Dataset) -> None:
    """The rates at 64 connections are 8 times those at 8."""
    panels = wp.plot.compare(loaded, rows="path").child_axes
    assert len(panels) == 2
    assert len({panel.get_xlim() for panel in panels}) == 1


def test_settings_of_a_variant_without_a_baseline_have_names_that_differ(tmp_path: Path) -> None:
    """The odd one was measured at other loads than the rest: two rows of it stay, each with its load."""
    runs = Runs()
    for name in ("base", *(f"server {number}" for number in range(24))):
        for connections in (8, 64):
            for step in (1.0, 1.01):
                runs.add(labels={"framework": name, "connections": connections}, throughput=100.0 * step)
    for connections in (16, 128):
        runs.add(labels={"framework": "odd", "connections": connections}, throughput=300.0)
    table = wp.compare(runs.dataset(), rows="framework", columns="connections", baseline="framework=base")
    cells = table.cells[table.cells["center"].notna()]
    rows = forest_rows(table, cells, 30, 24).rows
    odd = [row.name for row in rows if "odd" in row.name]
    names = [row.name for row in rows]
    assert len(set(names)) == len(names)
    assert not odd or odd == ["odd, connections 16", "odd, connections 128"]
    together = _together_rows(_forest_data(table, cells, 30))
    [odd_together] = [row for _, row in together if "odd" in row.name]  # none of its settings can be compared
    assert odd_together.name == "odd"
    assert odd_together.texts == {"runs": "2", "verdict": "no baseline"}


def test_a_variant_whose_only_setting_has_no_label_is_one_row() -> None:
    runs = Runs()
    for name in ("base", "kiwi", "emu"):
        runs.several([100.0, 101.0], framework=name)
    runs.several([200.0, 201.0], framework="kiwi", heading="tuned")
    table = wp.compare(runs.dataset(), rows="framework", columns="heading", baseline="framework=base")
    rows = forest_rows(table, table.cells[table.cells["center"].notna()], 30).rows
    at = {row.name.strip(): row for row in rows}
    assert (at["emu"].kind, at["kiwi"].kind, at["base"].kind) == ("setting", "group", "baseline")
    assert len(rows) == 5  # kiwi has a row for each of its two settings
    assert at["emu"].texts["runs"] == "2"


def test_the_baseline_is_cut_where_names_agree(tmp_path: Path) -> None:
    long = "/a-path-with-a-very-long-beginning-that-both-have/"
    drawn = wp.plot.compare(measured(tmp_path / "study", {f"{long}one": (1000,) * 6, f"{long}two": (900,) * 6}))
    said = [text.get_text() for text in panel_of(drawn).texts]
    assert any(text.endswith("one = 1") for text in said)
    assert f"{long}one" in panel_of(drawn).get_title(loc="left")


def test_a_long_baseline_does_not_leave_a_narrow_figure(tmp_path: Path) -> None:
    long = "/a-path-with-a-very-long-beginning-that-both-of-them-have/"
    ds = measured(tmp_path / "study", {f"{long}one": (1000,) * 6, f"{long}two": (900,) * 6})
    drawn = wp.plot.compare(ds, width=90)
    assert cut_off(drawn) == []
    assert panel_of(drawn).get_title(loc="left").endswith("one")
