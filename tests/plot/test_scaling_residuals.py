"""Residuals below the curves of a figure of scaling."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import curve_fit

import wrkparse as wp
from tests.analysis.scaling.curves import Run, dataset
from tests.plot.artists import cut_off, points, words
from tests.plot.growth import RATES, N, usl


def test_residuals_are_those_of_a_fit_by_another_package(one: wp.Dataset) -> None:
    best, _ = curve_fit(usl, N, np.round(RATES, 2), p0=(1000, 0.05, 0.001), xtol=1e-14, ftol=1e-14)
    curves, _ = wp.plot.scaling(one).child_axes
    (strip,) = curves.child_axes
    (gid,) = {str(line.get_gid()) for line in strip.get_lines()} - {"law"}
    found = np.array(points(strip, gid))
    assert found[:, 0].tolist() == N.tolist()
    assert np.allclose(found[:, 1], RATES / usl(N, *best) - 1, atol=2e-5)


def test_residuals_are_below_the_curves_on_the_same_axis(one: wp.Dataset) -> None:
    for width in (166, 95):
        ax = wp.plot.scaling(one, width=width)
        assert cut_off(ax) == []
        curves = ax.child_axes[0]
        (strip,) = curves.child_axes
        assert strip.get_xlim() == curves.get_xlim()
        assert (strip.bbox.x0, strip.bbox.x1) == pytest.approx((curves.bbox.x0, curves.bbox.x1))
        assert strip.bbox.y1 < curves.bbox.y0
        assert (curves.get_xlabel(), strip.get_xlabel()) == ("", "cores")
        low, high = strip.get_ylim()
        assert low == pytest.approx(-high)


def test_a_curve_has_one_colour_in_all_panels(haskell: wp.Dataset) -> None:
    ax = wp.plot.scaling(haskell, where="connections = 5000")
    curves, shares = ax.child_axes
    (strip,) = curves.child_axes
    for name in ("go", "node", "haskell mio", "haskell stdio"):
        colours = {
            str(line.get_color())
            for panel in (curves, shares, strip)
            for line in panel.get_lines()
            if str(line.get_gid()).partition(" ")[2] == name
        }
        assert len(colours) == 1


def test_points_without_a_law_have_no_residuals(tmp_path: Path) -> None:
    """Two numbers of cores support no law: the x axis is named below the curve."""
    curves, _ = wp.plot.scaling(dataset(tmp_path / "study", [Run(1, 100), Run(2, 180)])).child_axes
    assert list(curves.child_axes) == []
    assert curves.get_xlabel() == "cores"


def test_the_only_curve_keeps_the_name_that_a_label_gives_it(haskell: wp.Dataset) -> None:
    assert "go" in words(wp.plot.scaling(haskell, where="connections = 5000 and framework = 'go'").child_axes[1])


def test_an_unnamed_curve_is_named_neither_at_its_line_nor_in_the_note(tmp_path: Path) -> None:
    found = wp.scaling(dataset(tmp_path / "study", [Run(n, 100 * n, threads=64) for n in (1, 2, 4, 8)]))
    for table in (found.points, found.samples, found.groups, found.fits, found.curves, found.limits):
        if "framework" in table:
            table["framework"] = None
    said = " ".join(words(wp.plot.scaling(found)))
    assert "none" not in said
    assert "λ 100.0 /s" in said
