"""One colour for each name in all figures of a report."""

from __future__ import annotations

import wrkparse as wp
from tests.analysis.comparison.runs import Runs
from tests.samples import WRK
from wrkparse.plot.colours import series_styles, shared_styles
from wrkparse.plot.style.palette import series_style
from wrkparse.report.exhibits.figures.part_styles import part_styles

FRAMEWORK = ("framework",)


def test_a_figure_of_some_gives_each_the_style_that_it_has_among_all() -> None:
    heron, plover, siskin = (("heron",), ("plover",), ("siskin",))
    with shared_styles(FRAMEWORK, [siskin, heron, plover]):
        assert series_styles(FRAMEWORK, [siskin, plover]) == {plover: series_style(1), siskin: series_style(2)}
        assert series_styles(FRAMEWORK, [("other",), heron]) == {heron: series_style(0), ("other",): series_style(1)}
        assert series_styles(("gogc",), [("50",), ("100",)]) == {("50",): series_style(0), ("100",): series_style(1)}
    assert series_styles(FRAMEWORK, [siskin, plover]) == {plover: series_style(0), siskin: series_style(1)}


def test_the_settings_of_a_part_are_shared() -> None:
    runs = Runs()
    for name in ("heron", "plover", "siskin"):
        runs.add(labels={"framework": name}, throughput=100.0)
    with part_styles(wp.summary(runs.dataset()).main):
        assert series_styles(FRAMEWORK, [("siskin",)]) == {("siskin",): series_style(2)}
    with part_styles(None):
        assert series_styles(FRAMEWORK, [("siskin",)]) == {("siskin",): series_style(0)}


def test_a_name_has_one_colour_in_the_figures_of_latency_and_growth() -> None:
    """Latencies of heron, the first by name, are not printed: without sharing, plover would have its colour."""
    lines = "  Latency Distribution\n     50%  150.00us\n     99%    1.10ms\n  410759"
    text = ""
    for name in ("heron", "plover", "siskin"):
        report = WRK if name == "heron" else WRK.replace("  410759", lines)
        for connections in (8, 16, 32):
            of_load = report.replace("and 8 conn", f"and {connections} conn")
            text += "".join(f"# {name}\n```\n{of_load.replace('40669.44', f'4066{run}.44')}```\n" for run in (8, 9))
    figures = [one for one in wp.setting_exhibits(wp.summary(wp.parse_text(text))) if isinstance(one, wp.Figure)]
    colours: dict[str, set[str]] = {}
    for figure in figures:
        assert figure.drawing is not None
        for ax in figure.drawing.axes:
            for panel in (ax, *ax.child_axes):
                for line in panel.get_lines():
                    for name in ("plover", "siskin"):
                        if name in str(line.get_gid()):
                            colours.setdefault(name, set()).add(str(line.get_color()))
    assert len(figures) == 2
    assert colours == {"plover": {series_style(1).colour}, "siskin": {series_style(2).colour}}
