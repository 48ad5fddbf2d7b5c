from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.optimize import curve_fit
from scipy.stats import t as student

import wrkparse as wp
from tests.analysis.scaling.curves import Run, dataset
from tests.plot.growth import RATES, N, usl
from wrkparse.analysis.runs.selection import TooLittleError
from wrkparse.analysis.scaling import curves
from wrkparse.plot import layout
from wrkparse.plot.style import house


def texts(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.texts if text.get_text()]


def footer(ax: Axes) -> str:
    return " ".join(" ".join(texts(ax)).split())


def markers(ax: Axes) -> list[tuple[float, float]]:
    drawn = [line.get_xydata() for line in ax.lines if line.get_marker() not in {"None", "x", ""}]
    return sorted((float(x), float(y)) for points in drawn for x, y in np.asarray(points))


def test_the_law_has_its_coefficients_and_its_largest_residual(one: wp.Dataset) -> None:
    """Of a fit by another package: the weights are equal, as errors are absolute."""
    (scale, sigma, kappa), _ = curve_fit(usl, N, np.round(RATES, 2), p0=(1000, 0.05, 0.001))
    off = 100 * np.abs(RATES / usl(N, scale, sigma, kappa) - 1).max()
    ax = wp.plot.scaling(one)
    said = " ".join(footer(panel) for panel in (ax, *ax.child_axes))
    assert f"λ {scale:.1f} /s, σ {sigma:.2g}, κ {kappa:.2g}; the farthest point is {off:.2g} % off." in said


def test_the_laws_of_many_curves_are_left_to_a_table(haskell: wp.Dataset) -> None:
    ax = wp.plot.scaling(haskell)
    assert "λ" not in " ".join(footer(panel) for panel in (ax, *ax.child_axes))


def test_the_markers_are_what_was_measured(one: wp.Dataset) -> None:
    left, right = wp.plot.scaling(one).child_axes
    assert np.allclose(markers(left), list(zip(N, np.round(RATES, 2), strict=True)), rtol=1e-6)
    efficiency = RATES / N / RATES[0]
    assert np.allclose(markers(right), list(zip(N, efficiency, strict=True)), rtol=1e-4)
    assert right.get_xscale() == "log"
    assert [left.get_title("left"), right.get_title("left")] == [
        "Throughput, requests per second", "Efficiency, share of linear scaling",
    ]  # fmt: skip


def test_the_band_is_that_of_the_delta_method(one: wp.Dataset) -> None:
    """Fit and covariance by scipy; the gradient of the law by finite differences."""
    ax = wp.plot.scaling(one)
    frame = wp.plot.data(ax)
    fitted = frame[frame["drawn"] == "fitted"]
    n = fitted["cores"].to_numpy(float)
    best, covariance = curve_fit(usl, N, np.round(RATES, 2), (1000, 0.05, 0.001), xtol=1e-14, ftol=1e-14)
    steps = 1e-6 * best
    gradient = np.array(
        [(usl(n, *(best + step)) - usl(n, *(best - step))) / (2 * step.sum()) for step in np.diag(steps)]
    )
    half = student.ppf(0.975, len(N) - 3) * np.sqrt(np.einsum("in,ij,jn->n", gradient, covariance, gradient))
    assert np.allclose(fitted["throughput_per_s"], usl(n, *best), rtol=1e-5)
    assert np.allclose(fitted["hi"] - fitted["throughput_per_s"], half, rtol=1e-3)
    assert np.allclose(fitted["throughput_per_s"] - fitted["lo"], half, rtol=1e-3)
    band = ax.child_axes[0].collections[0].get_paths()[0].vertices
    assert np.asarray(band)[:, 1].max() == pytest.approx(fitted["hi"].max())


def test_nothing_is_drawn_beyond_what_was_measured(one: wp.Dataset) -> None:
    frame = wp.plot.data(wp.plot.scaling(one))
    fitted = frame[frame["drawn"] == "fitted"]["cores"]
    assert (fitted.min(), fitted.max()) == (1, 32)


def test_a_peak_within_the_measured_range_is_marked(tmp_path: Path) -> None:
    """σ = 0.02 and κ = 0.003 have the peak at √(0.98/0.003) = 18.07."""
    rates = 1000 * N / (1 + 0.02 * (N - 1) + 0.003 * N * (N - 1)) * np.array([1.001, 0.999, 1.001, 0.999, 1.0, 1.0])
    inside = dataset(tmp_path / "study", [Run(int(n), rate) for n, rate in zip(N, rates, strict=True)])
    (peak,) = [text for text in wp.plot.scaling(inside).child_axes[0].texts if "peak" in text.get_text()]
    assert float(peak.get_text().split("peak ")[1]) == pytest.approx(18.07, abs=0.5)


def test_a_peak_beyond_the_measured_range_is_not_marked(one: wp.Dataset) -> None:
    """√(0.95/0.001) = 30.8 is below 32; without the last point it is out of range."""
    assert not [text for text in texts(wp.plot.scaling(one, where="cores < 20").child_axes[0]) if "peak" in text]


def test_linear_scaling_is_n_times_the_rate_of_one_core(one: wp.Dataset) -> None:
    left = wp.plot.scaling(one).child_axes[0]
    ends = [
        np.asarray(line.get_xydata()) for line in left.lines if len(line.get_xydata()) and line.get_xydata()[0, 1] == 0
    ]
    assert len(ends) == 1
    assert ends[0][1, 1] / ends[0][1, 0] == pytest.approx(RATES[0], rel=1e-4)
    assert "linear" in texts(left)


def test_single_runs_have_no_intervals_and_a_note_says_so(one: wp.Dataset) -> None:
    ax = wp.plot.scaling(one)
    assert "Each marker is one run: no intervals." in footer(ax)
    frame = wp.plot.data(ax)
    assert frame[frame["drawn"] == "measured"][["lo", "hi"]].isna().all(axis=None)


def test_six_runs_have_the_interval_of_their_median(tmp_path: Path) -> None:
    """Six runs: the smallest and the largest, each ± 0.005, cover the median with 1 - 2/64 = 96.9 %."""
    runs = [Run(n, base + step) for n, base in ((1, 1000), (2, 1900), (4, 3500)) for step in range(0, 60, 10)]
    ax = wp.plot.scaling(dataset(tmp_path / "study", runs))
    bars = [c for c in ax.child_axes[0].collections if hasattr(c, "get_segments")]
    segments = sorted(segment.tolist() for bar in bars for segment in bar.get_segments())
    assert segments == [
        [[1, 999.995], [1, 1050.005]], [[2, 1899.995], [2, 1950.005]], [[4, 3499.995], [4, 3550.005]],
    ]  # fmt: skip
    assert "no intervals" not in footer(ax)


def test_the_limit_of_a_curve_is_named(tmp_path: Path) -> None:
    runs = [Run(n, 1000 * n, host="127.0.0.1") for n in (1, 2, 4)]
    ax = wp.plot.scaling(dataset(tmp_path / "study", runs))
    said = footer(ax)
    assert "Dotted lines and grey markers: something other than cores may limit the rate" in said
    assert "(server and load on one machine)" in said


def test_the_note_mentions_dotted_lines_only_if_there_are_some(tmp_path: Path) -> None:
    runs = [Run(n, 1000 * n, host="127.0.0.1" if n == 4 else "10.0.0.1") for n in (1, 2, 4)]
    said = footer(wp.plot.scaling(dataset(tmp_path / "study", runs)))  # a single limited point makes no line
    assert "Grey markers: something other" in said
    assert "otted" not in said


def test_invalid_runs_are_crosses_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = wp.scaling(dataset(tmp_path / "study", [Run(n, 1000 * n) for n in (1, 2, 4)]))
    found.points.loc[1, "usable"] = False
    ax = wp.plot.scaling(found)
    crosses = [line for line in ax.child_axes[0].lines if line.get_marker() == "x"]
    assert [np.asarray(line.get_xydata()).tolist() for line in crosses] == [[[2, 2000]]]
    assert "×: invalid runs, not used." in footer(ax)


def test_each_load_has_a_row_and_each_framework_one_style(haskell: wp.Dataset) -> None:
    ax = wp.plot.scaling(haskell)
    rows = ax.child_axes[::2]
    assert [row.get_title("left").split(":")[0] for row in rows] == [
        f"connections {connections}" for connections in (100, 1000, 5000, 10000)
    ]
    names = [
        [text for text in row.texts if text.get_text().split(",")[0] in {"go", "node", "haskell mio", "haskell stdio"}]
        for row in rows
    ]
    assert [len(row) for row in names] == [4] * 4
    for name in ("go", "node", "haskell mio", "haskell stdio"):
        assert len({text.get_color() for row in names for text in row if text.get_text().split(",")[0] == name}) == 1


def test_a_result_is_accepted_instead_of_a_dataset(one: wp.Dataset) -> None:
    assert wp.plot.svg(wp.plot.scaling(wp.scaling(one))) == wp.plot.svg(wp.plot.scaling(one))


@pytest.mark.parametrize("own", [house.new_axes(166, 70), Figure((7, 3)).add_subplot()])
def test_axes_of_the_user_are_drawn_into(haskell: wp.Dataset, own: Axes) -> None:
    ax = wp.plot.scaling(haskell, where="connections = 5000", ax=own)
    assert ax is own
    assert not ax.axison
    figure = layout.figure_of(ax)
    figure.draw_without_rendering()
    for child in ax.child_axes:
        box = child.get_tightbbox()
        assert box is not None
        assert box.x0 >= ax.bbox.x0 - 1
        assert box.x1 <= figure.bbox.x1 + 1


def test_panels_are_stacked_in_a_narrow_figure(one: wp.Dataset) -> None:
    above, below = wp.plot.scaling(one, width=95).child_axes
    assert above.bbox.y0 > below.bbox.y1


def test_efficiency_has_a_panel_for_each_load(haskell: wp.Dataset) -> None:
    ax = wp.plot.efficiency(haskell)
    assert [child.get_title("left").replace("\n", " ") for child in ax.child_axes] == [
        f"connections {connections}: share of linear scaling" for connections in (100, 1000, 5000, 10000)
    ]


def test_every_efficiency_is_within_its_panel(tmp_path: Path) -> None:
    rates = {128: (1000, 3000), 512: (1000, 1800)}  # on 1 and 2 cores: 150 % and 90 % of linear scaling
    runs = [
        Run(n, rate, connections=load) for load, both in rates.items() for n, rate in zip((1, 2), both, strict=True)
    ]
    panels = wp.plot.efficiency(dataset(tmp_path / "study", runs)).child_axes
    assert [max(efficiency for _, efficiency in markers(ax)) for ax in panels] == [1.5, 1]
    assert all(1.5 < ax.get_ylim()[1] < 2 for ax in panels)


def test_efficiency_needs_no_law(one: wp.Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    with_laws = wp.scaling(one)
    assert with_laws.fits["supported"].any()
    monkeypatch.setattr(curves, "fit_curve", None)
    drawn = [wp.plot.efficiency(source) for source in (one, with_laws)]
    assert [footer(ax) for ax in drawn] == ["Each marker is one run: no intervals."] * 2
    assert [set(wp.plot.data(ax)["drawn"]) for ax in drawn] == [{"measured"}] * 2


def test_a_single_number_of_cores_is_an_error(one: wp.Dataset) -> None:
    with pytest.raises(wp.plot.NothingToPlotError, match="two values of cores"):
        wp.plot.scaling(one, where="cores = 4")
    with pytest.raises(TooLittleError):
        wp.plot.scaling(one, where="cores = 5")
