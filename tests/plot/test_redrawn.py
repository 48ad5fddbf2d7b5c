"""Figures drawn anew with another width."""

from __future__ import annotations

from typing import Any

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import wrkparse as wp
from tests.samples import GC, WRK
from wrkparse.analysis.comparison.compare import ComparisonTable, compare
from wrkparse.plot.colours import shared_styles
from wrkparse.plot.layout import figure_of
from wrkparse.plot.style.house import redrawn


@pytest.fixture
def drawn() -> Axes:
    return wp.plot.gc(wp.parse_text("".join(GC.format(n=n, t=n) for n in (1, 2, 3))))


def test_a_figure_has_the_same_data_and_the_other_width(drawn: Axes) -> None:
    narrow = redrawn(figure_of(drawn), 86.0)
    assert narrow is not None
    assert narrow.get_size_inches()[0] == pytest.approx(86 / 25.4)
    assert figure_of(drawn).get_size_inches()[0] == pytest.approx(166 / 25.4)
    assert wp.plot.data(narrow.axes[0]).equals(wp.plot.data(drawn))


def test_a_figure_that_was_saved_is_the_same(drawn: Axes) -> None:
    wp.plot.svg(drawn)
    assert redrawn(figure_of(drawn), 86.0) is not None


@pytest.mark.parametrize("change", ["limits", "line", "text"])
def test_a_figure_that_a_user_changed_is_not_drawn_anew(drawn: Axes, change: str) -> None:
    panel = drawn.child_axes[0]
    if change == "limits":
        panel.set_ylim(1e-6, 1.0)
    elif change == "line":
        panel.axhline(1e-3)
    else:
        panel.set_title("My title", loc="left")
    assert redrawn(figure_of(drawn), 86.0) is None


def test_axes_of_a_user_are_not_drawn_anew() -> None:
    mine = Figure().subplots()
    wp.plot.gc(wp.parse_text("".join(GC.format(n=n, t=n) for n in (1, 2, 3))), ax=mine)
    assert redrawn(figure_of(mine), 86.0) is None


def test_a_narrow_figure_has_the_colours_of_the_wide_one(haskell: wp.Dataset) -> None:
    """Styles are those of a report, where other figures have more series."""
    where = "connections = 5000 and framework = 'node'"
    with shared_styles(("framework",), [("a",), ("go",), ("node",), ("warp",)]):
        wide = figure_of(wp.plot.scaling(haskell, where=where))
    narrow = redrawn(wide, 86.0)
    assert narrow is not None
    colours = [{line.get_color() for ax in one.findobj(Axes) for line in ax.lines} for one in (wide, narrow)]
    assert colours[0] == colours[1]


def test_a_figure_of_another_width_compares_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []

    def counted(*args: Any, **options: Any) -> ComparisonTable:
        made.append(options)
        return compare(*args, **options)

    monkeypatch.setattr("wrkparse.plot.figures.multiples.compute_comparison", counted)
    runs = wp.parse_text("".join(f"# go\n\n$ wrk -c{count} http://h/\n{WRK}\n" for count in (8, 64)))
    wide = wp.plot.multiples(runs)
    assert redrawn(figure_of(wide), 86.0) is not None
    assert len(made) == 1
    wp.plot.multiples(runs, center="mean")
    assert len(made) == 2
