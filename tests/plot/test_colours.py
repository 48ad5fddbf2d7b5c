"""The colour of a series says its framework, shade and marker the other labels."""

from __future__ import annotations

from colorsys import rgb_to_hls
from pathlib import Path

import numpy as np
from matplotlib.colors import to_rgb

import wrkparse as wp
from tests.samples import WRK
from wrkparse.plot.colours import run_styles, series_styles, shared_styles, style_words
from wrkparse.plot.runs import run_names
from wrkparse.plot.style.palette import COLOURS, series_style

KEYS = ("connections", "framework")


def hue(colour: str) -> float:
    """The hue in degrees."""
    return 360 * rgb_to_hls(*to_rgb(colour))[0]


def lightness(colour: str) -> float:
    return rgb_to_hls(*to_rgb(colour))[1]


def test_a_framework_has_one_hue_and_a_number_of_connections_one_shade_and_marker() -> None:
    groups = [(load, name) for name in ("heron", "plover", "siskin") for load in ("8", "64")]
    styles = series_styles(KEYS, groups)
    assert len({style.colour for style in styles.values()}) == 6
    for at, name in enumerate(("heron", "plover", "siskin")):
        few, many = styles["8", name], styles["64", name]
        assert np.allclose([hue(few.colour), hue(many.colour)], hue(COLOURS[at]), atol=2)
        assert lightness(few.colour) > lightness(COLOURS[at]) > lightness(many.colour)
    assert len({styles["8", name].marker for _, name in groups}) == 1
    assert styles["8", "heron"].marker != styles["64", "heron"].marker


def test_without_a_second_label_the_styles_are_those_of_the_palette() -> None:
    assert series_styles(KEYS, [("8", "heron"), ("8", "plover")]) == {
        ("8", "heron"): series_style(0), ("8", "plover"): series_style(1),
    }  # fmt: skip
    assert series_styles(KEYS, [("64", "heron"), ("8", "heron")]) == {
        ("8", "heron"): series_style(0), ("64", "heron"): series_style(1),
    }  # fmt: skip
    assert series_styles((), [()]) == {(): series_style(0)}


def test_a_framework_alone_keeps_the_colour_that_it_shares() -> None:
    with shared_styles(KEYS, [("8", "heron"), ("8", "plover"), ("64", "plover")]):
        styles = series_styles(KEYS, [("8", "plover"), ("64", "plover")])
    assert all(abs(hue(style.colour) - hue(COLOURS[1])) < 2 for style in styles.values())


def test_the_first_label_has_the_colours_if_there_is_one_framework() -> None:
    styles = series_styles(("environment", "gogc"), [(one, two) for one in ("a", "b") for two in ("50", "100")])
    assert abs(hue(styles["a", "50"].colour) - hue(styles["a", "100"].colour)) < 2
    assert abs(hue(styles["a", "50"].colour) - hue(styles["b", "50"].colour)) > 30


def test_words_say_what_colours_and_shades_are() -> None:
    assert style_words(KEYS, [("8", "a"), ("64", "b")]) == "colours: framework; shades: connections"
    assert style_words(("framework",), [("a",), ("b",)]) == "colours: framework"


def test_six_runs_of_three_frameworks_have_three_hues_in_the_figure_of_latency() -> None:
    lines = "  Latency Distribution\n     50%  150.00us\n     99%    1.10ms\n  410759"
    report = WRK.replace("  410759", lines)
    text = "".join(
        f"# {name}\n```\n{report.replace('and 8 conn', f'and {load} conn')}```\n"
        for name in ("heron", "plover", "siskin")
        for load in (8, 64)
    )
    ds = wp.parse_text(text)
    names = run_names(ds.runs, ds.runs["run"])
    styles = dict(zip(names.values(), run_styles(ds.runs, names), strict=True))
    assert len({style.colour for style in styles.values()}) == 6
    for at, name in enumerate(("heron", "plover", "siskin")):
        own = [style for words, style in styles.items() if name in words]
        assert np.allclose([hue(style.colour) for style in own], hue(COLOURS[at]), atol=2)
    drawn = {str(one.get_color()) for one in wp.plot.latency(ds).get_lines() if one.get_gid() in styles}
    assert drawn == {style.colour for style in styles.values()}


def test_runs_without_a_framework_have_a_colour_each() -> None:
    ds = wp.parse_text("".join(f"```\n{WRK.replace('40669.44', f'4066{n}.44')}```\n" for n in (7, 8, 9)))
    names = run_names(ds.runs, ds.runs["run"])
    assert run_styles(ds.runs, names) == [series_style(0), series_style(1), series_style(2)]


def test_runs_in_files_of_one_name_are_named_with_their_folders(tmp_path: Path) -> None:
    for place in ("monday/1.log", "monday/2.log", "tuesday/1.log"):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text(WRK)
    runs = wp.read(str(tmp_path)).runs.drop(columns="framework", errors="ignore")
    assert sorted(run_names(runs, runs["run"]).values()) == ["2.log", "monday/1.log", "tuesday/1.log"]
