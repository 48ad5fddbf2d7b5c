"""The points of figures: where they are in the drawing, and which runs and lines they name."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import wrkparse as wp
from tests.samples import GC, WRK
from wrkparse.dataset import Dataset
from wrkparse.plot.layout import figure_of
from wrkparse.plot.points import Point, add_points, placed_points

SETTINGS = "".join(
    f"# {name}\n```\n{WRK.replace('40669.44', f'40{rate}.44')}```\n"
    for name, rates in (("heron", (661, 669, 671, 670)), ("plover", (662, 668, 672, 666)))
    for rate in rates
)
COMPLETE = WRK.replace("  410759", "  Latency Distribution\n     50%  150.00us\n     99%    1.10ms\n  410759")
CORES = "".join(
    f"## heron\n```\n$ GOMAXPROCS={cores} ./heron\n$ wrk -t8 -c8 http://10.0.1.70:8080/hello\n{WRK.replace('40669.44', rate)}```\n"
    for cores, rate in ((1, "40669.43"), (2, "40669.44"), (4, "40669.45"))
)


def drawn_points(ax: Axes) -> tuple[list[Point], str]:
    """The points of a figure and its SVG; points are placed when it is drawn."""
    from wrkparse.plot.files import svg

    drawing = svg(ax)
    return placed_points(figure_of(ax)), drawing


def markers(drawing: str) -> list[tuple[float, float]]:
    """The places of the markers in an SVG, as matplotlib wrote them."""
    return [(float(x), float(y)) for x, y in re.findall(r'<use xlink:href="#[^"]*" x="([\d.]+)" y="([\d.]+)"', drawing)]


@pytest.mark.parametrize(
    ("text", "draw"),
    [
        (SETTINGS, wp.plot.audit),
        (SETTINGS, wp.plot.compare),
        (SETTINGS, wp.plot.multiples),
        (CORES, wp.plot.scaling),
        (COMPLETE, wp.plot.latency),
        (COMPLETE, wp.plot.ccdf),
        ("".join(GC.format(n=n, t=n) for n in range(1, 6)), wp.plot.gc),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_each_point_is_where_the_drawing_has_a_marker(text: str, draw: Callable[[Dataset], Axes]) -> None:
    points, drawing = drawn_points(draw(wp.parse_text(text)))
    there = markers(drawing)
    assert points
    for point in points:
        assert min(abs(point.x - x) + abs(point.y - y) for x, y in there) < 0.02, point
    assert points == sorted(points, key=lambda point: (point.x, point.y))


def test_the_runs_of_the_points_are_all_runs_of_the_data() -> None:
    ds = wp.parse_text(SETTINGS)
    for draw in (wp.plot.audit, wp.plot.multiples):
        points, _ = drawn_points(draw(ds))
        assert sorted(run for point in points for run in point.runs) == sorted(ds.runs["run"])


def test_a_dot_of_a_comparison_says_what_its_run_measured() -> None:
    ds = wp.parse_text(SETTINGS)
    points, _ = drawn_points(wp.plot.compare(ds, baseline="framework=heron", metric="latency_mean"))
    dots = [point for point in points if len(point.runs) == 1]
    assert {point.series for point in dots} == {"heron", "plover"}
    assert {point.words for point in dots} == {"193.3 µs, 1 times the baseline"}
    assert len(dots) == ds.count("runs")


def test_a_percentile_and_a_pause_name_their_lines() -> None:
    points, _ = drawn_points(wp.plot.latency(wp.parse_text(COMPLETE)))
    lines = COMPLETE.splitlines()
    assert {(point.words.split(":")[0], point.line) for point in points} == {
        ("p50", 1 + lines.index("     50%  150.00us")), ("p99", 1 + lines.index("     99%    1.10ms")),
        ("maximum", 1 + next(at for at, line in enumerate(lines) if "1.57ms" in line)),
    }  # fmt: skip
    points, _ = drawn_points(wp.plot.gc(wp.parse_text("".join(GC.format(n=n, t=n) for n in range(1, 4)))))
    assert sorted({point.line for point in points}) == [1, 2, 3]  # type: ignore[type-var]
    said = {point.words for point in points if point.line == 2}
    assert said == {
        "collection 2 at 2.000 s: sweep termination 18 µs", "collection 2 at 2.001 s: mark termination 76 µs",
    }  # fmt: skip


def test_a_panel_without_points_has_none() -> None:
    ax = Figure().add_subplot()
    add_points(ax, [])
    assert placed_points(figure_of(ax)) == []
