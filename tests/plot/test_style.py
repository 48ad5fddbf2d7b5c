from __future__ import annotations

import logging
import os
import subprocess
import sys
import warnings
from itertools import combinations, pairwise, product
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, fontManager

import wrkparse as wp
from tests.samples import WRK
from wrkparse.plot import layout, series
from wrkparse.plot.files import figure_bytes
from wrkparse.plot.frames import remember_frame
from wrkparse.plot.layout import LineEnd
from wrkparse.plot.series import describe_group
from wrkparse.plot.style import fonts, house, palette, ticks

# G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A Physiologically-based Model for Simulation of Color Vision
# Deficiency", IEEE TVCG 15 (2009), table 1, severity 1.0; on linear RGB.
SIGHT = {
    "normal": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
# IEC 61966-2-1: linear sRGB to CIE XYZ, white D65.
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(colour: str) -> np.ndarray:
    rgb = np.array(to_rgb(colour))
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def lab(rgb: np.ndarray) -> np.ndarray:
    """CIE 1976 L*a*b*."""
    t = XYZ @ np.clip(rgb, 0, 1) / XYZ.sum(axis=1)
    f = np.where(t > (6 / 29) ** 3, np.cbrt(t), t * (29 / 6) ** 2 / 3 + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def contrast_on_white(colour: str) -> float:
    return 1.05 / (float(np.array([0.2126, 0.7152, 0.0722]) @ linear(colour)) + 0.05)


def curves(names: list[str], ax: Axes | None = None) -> Axes:
    """Lines with close ends, each with a name."""
    ax = ax or house.new_axes(120, 60)
    ends = []
    for place, name in enumerate(names):
        look = palette.series_style(place)
        with house.house_style():
            ax.plot([1, 8], [1, 5 + place / 10], color=look.colour)
        ends.append(LineEnd(8, 5 + place / 10, name, look.text_colour))
    house.set_title(ax, "高速 (log), 回声")
    layout.label_lines({ax: ends})
    return ax


@pytest.mark.parametrize(("sight", "least"), [("normal", 20), ("protan", 15), ("deutan", 15), ("tritan", 15)])
def test_colours_differ_with_every_kind_of_colour_vision(sight: str, least: float) -> None:
    seen = [lab(np.array(SIGHT[sight]) @ linear(colour)) for colour in palette.COLOURS]
    assert min(float(np.linalg.norm(one - other)) for one, other in combinations(seen, 2)) > least


def test_lab_values_agree_with_the_cie_reference() -> None:
    assert np.allclose(lab(linear("#ff0000")), [53.24, 80.09, 67.20], atol=0.05)  # red of sRGB: Lindbloom's calculator
    assert contrast_on_white("#767676") == pytest.approx(4.54, abs=0.005)  # the well-known lightest passing grey


@pytest.mark.parametrize(
    "colour", [*palette.COLOURS, palette.TEXT, palette.MUTED, palette.INVALID, "#ffffff", "#000000"]
)
def test_text_colours_are_readable_on_white(colour: str) -> None:
    assert contrast_on_white(palette.text_colour(colour)) >= 4.5


def test_dark_colours_are_unchanged_for_text() -> None:
    assert palette.text_colour("#0072b2") == "#0072b2"


def test_more_series_than_colours_differ_in_marker_and_dash() -> None:
    looks = [palette.series_style(slot) for slot in range(70)]
    assert len({(look.colour, look.marker, str(look.dash)) for look in looks}) == 70
    first = looks[: len(palette.COLOURS)]
    assert len({look.colour for look in first}) == len({look.marker for look in first}) == len(first)


def test_settings_of_matplotlib_are_unchanged(tmp_path: Path) -> None:
    before = dict(mpl.rcParams)
    ax = curves(["a", "b"])
    wp.plot.save(ax, tmp_path / "a.svg")
    assert dict(mpl.rcParams) == before


def test_a_style_of_the_user_has_no_effect() -> None:
    plain = wp.plot.svg(curves(["a", "b"]))
    with mpl.rc_context({"axes.facecolor": "black", "font.size": 20, "lines.linewidth": 9, "axes.grid": True}):
        assert wp.plot.svg(curves(["a", "b"])) == plain


def test_the_files_of_a_font_are_looked_up_once_and_only_while_the_style_is_in_force() -> None:
    methods = set(vars(fontManager))
    with house.house_style():
        font, same = FontProperties(size=9), FontProperties(size=9)
        before = fontManager._find_fonts_by_props(font)  # type: ignore[attr-defined]
        assert fontManager._find_fonts_by_props(same) is before  # type: ignore[attr-defined]
        same.set_weight(fonts.SEMIBOLD)
        assert fontManager._find_fonts_by_props(same) != before  # type: ignore[attr-defined]
    assert set(vars(fontManager)) == methods


def test_axes_of_the_user_keep_the_font_when_drawn_outside_of_the_style() -> None:
    ax = house.new_axes()
    ax.plot([0, 1], [0, 1])
    figure = ax.get_figure(root=True)
    assert figure is not None
    figure.draw_without_rendering()
    assert {label.get_fontfamily()[0] for label in ax.get_xticklabels()} == {"Source Sans Pro"}


def test_chinese_and_japanese_are_drawn_without_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        figure_bytes(curves(["高速", "回声 → µ"]), "png")
    assert not caplog.records


@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_a_figure_has_the_same_bytes_each_time(form: str) -> None:
    ax = curves(["高速", "b", "c"])
    first = figure_bytes(ax, form)
    assert figure_bytes(ax, form) == first
    if form != "pdf":  # a PDF takes long, because glyphs are picked out of a font; the next test draws one
        assert figure_bytes(curves(["高速", "b", "c"]), form) == first


def test_a_figure_has_the_same_bytes_in_another_process(tmp_path: Path) -> None:
    code = (
        "from tests.plot.test_style import curves; from pathlib import Path; from wrkparse.plot.files import figure_bytes\n"
        f"for form in ('svg', 'png', 'pdf'): Path({str(tmp_path)!r}, 'a.' + form)"
        ".write_bytes(figure_bytes(curves(['a', '高速']), form))"
    )
    environment = os.environ | {"PYTHONHASHSEED": "2", "TZ": "Asia/Tokyo", "SOURCE_DATE_EPOCH": "2"}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, cwd=Path(__file__).parents[2])
    for form in ("svg", "png", "pdf"):
        assert (tmp_path / f"a.{form}").read_bytes() == figure_bytes(curves(["a", "高速"]), form)


def test_an_svg_needs_no_fonts() -> None:
    """A machine without the fonts would show text in others, of other widths."""
    drawn = wp.plot.svg(curves(["net/http 標準"]))
    assert "<text" not in drawn
    assert "font-family" not in drawn
    assert "<!-- net/http 標準 -->" in drawn  # the text can still be searched
    assert "<dc:date>" not in drawn


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("rocket \N{ROCKET}", "rocket :rocket:"),
        ("\N{HEAVY BLACK HEART}\ufe0f", "\N{HEAVY BLACK HEART}"),  # DejaVu Sans has it
        ("\N{WOMAN}\u200d\N{ROCKET}", ":woman::rocket:"),
        ("\N{THUMBS UP SIGN}\U0001f3fd", ":thumbs up sign:"),
        ("\N{THAI CHARACTER KO KAI}", "\N{WHITE SQUARE}"),
        ("go 標準 \N{MICRO SIGN}s", "go 標準 \N{MICRO SIGN}s"),
        ("a\x1bb", "a\\x1bb"),
    ],
)
def test_characters_that_no_font_has_are_replaced(text: str, shown: str) -> None:
    assert fonts.drawable(text) == shown


@pytest.mark.parametrize("form", ["svg", "png"])
def test_names_in_any_script_are_drawn_without_a_warning(form: str, tmp_path: Path) -> None:
    names = [
        "\N{ROCKET} rocket",
        "ภาษาไทย server",
        "हिन्दी server",
        "العربية server",
        "\N{TURTLE} slow",
        "한국어 server",
    ]
    for name in names:
        for connections in (8, 64):
            file = tmp_path / "logs" / name / f"c{connections}.txt"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(WRK.replace("8 connections", f"{connections} connections"))
    ds = wp.read(tmp_path / "logs")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kind in (wp.plot.compare, wp.plot.multiples):
            figure_bytes(kind(ds), form)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.svg"
    target.write_text("before")

    def full(descriptor: int) -> None:  # where a disk that has said yes to each write may still say no
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        wp.plot.save(curves(["a"]), target)
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]
    assert target.read_text() == "before"


def test_an_unknown_suffix_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\.svg, \.png or \.pdf"):
        wp.plot.save(curves(["a"]), tmp_path / "a.jpg")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (1.5e6, "1/s", "1.5 M"), (250e3, "1/s", "250 k"), (0, "1/s", "0"), (999_960, "1/s", "1 M"), (0.5, "1/s", "0.5"),
        (0.02, "s", "20 ms"), (120, "s", "120 s"), (1e-6, "s", "1 µs"), (64 * 2**20, "bytes", "64 MiB"),
        (1536, "bytes/s", "1.5 KiB/s"), (0.8, "ratio", "80 %"), (1.2, "×", "1.2×"), (-1500, "1", "−1,500"), (20, "1", "20"),
        (1024, "1", "1,024"), (2.5e6, "1", "2.5 M"), (0.25, "1", "0.25"),
    ],
)  # fmt: skip
def test_numbers_have_a_unit_prefix(value: float, unit: str, text: str) -> None:
    assert ticks.format_number(value, unit).replace("\N{NO-BREAK SPACE}", " ") == text


def test_bytes_are_counted_in_powers_of_two() -> None:
    ax = house.new_axes()
    ax.plot([0, 1], [0, 300 * 2**20])
    ticks.set_linear(ax.yaxis, "bytes")
    assert all(tick % (10 * 2**20) == 0 for tick in ax.get_yticks())


def test_ticks_are_at_measured_values_as_far_as_there_is_room() -> None:
    ax = house.new_axes(80, 50)
    values = [1, 2, 4, 8, 16, 32, 64]
    ax.plot(values, values)
    layout.arrange(ax)
    ticks.set_at_values(ax.xaxis, values)
    assert list(ax.get_xticks()) == values
    layout.arrange(ax)
    shown = [label for label in ax.get_xticklabels() if label.get_text()]
    boxes = [label.get_window_extent() for label in shown]
    assert {"1", "64"} < {label.get_text() for label in shown}
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def test_zeros_at_the_end_can_be_kept() -> None:
    found = [ticks.format_number(value, "1/s", 3, zeros=True) for value in (24_000, 30_300, 698_000, 1.2e6, 0.5)]
    assert [text.replace("\N{NO-BREAK SPACE}", " ") for text in found] == [
        "24.0 k",
        "30.3 k",
        "698 k",
        "1.20 M",
        "0.500",
    ]


@pytest.mark.parametrize(
    ("values", "unit", "texts"),
    [
        ([0, 5e5, 1e6, 1.5e6], "1/s", ["0", "0.5 M", "1.0 M", "1.5 M"]),
        ([0, 0.5, 1], "s", ["0", "0.5 s", "1.0 s"]),
        ([0, 20e3, 40e3], "1/s", ["0", "20 k", "40 k"]),
        ([0.9, 1, 1.1], "×", ["0.9×", "1.0×", "1.1×"]),
        ([0, 0.25, 1], "ratio", ["0 %", "25 %", "100 %"]),
        ([1000.1, 1000.2], "s", ["1,000.1 s", "1,000.2 s"]),
    ],
)
def test_the_numbers_of_an_axis_have_one_prefix_and_the_same_decimals(
    values: list[float], unit: str, texts: list[str]
) -> None:
    assert [text.replace("\N{NO-BREAK SPACE}", " ") for text in ticks.format_axis(values, unit)] == texts


def test_a_count_is_written_in_full() -> None:
    ax = house.new_axes()
    ax.plot([64, 1024, 4992, 10000], [0, 1, 2, 3])
    ticks.set_at_values(ax.xaxis, [64, 1024, 4992, 10000], base=10)
    layout.arrange(ax)
    shown = [label.get_text().replace("\N{NO-BREAK SPACE}", " ") for label in ax.get_xticklabels()]
    assert shown == ["64", "1024", "4992", "10000"]


@pytest.mark.parametrize(
    ("wanted", "placed"),
    [
        ([5, 1], [5, 1]),  # no collision
        ([4, 4], [3.5, 4.5]),  # least squares: 0.5 each
        ([0, 0, 0], [0, 1, 2]),  # not below the axes
        ([9.9, 10], [9, 10]),  # nor above
        ([1, 1.2, 5, 5, 5], [0.6, 1.6, 4, 5, 6]),
    ],
)
def test_labels_move_as_little_as_possible(wanted: list[float], placed: list[float]) -> None:
    assert np.allclose(layout.spread_apart(np.array(wanted, float), 1.0, 0.0, 10.0), placed)


NAMES = ["net/http 標準", "fasthttp", "a-very-long-name-of-a-framework", "gin", "echo", "x"]


@pytest.mark.parametrize("names", [NAMES[:1], NAMES])
def test_names_do_not_overlap_and_stay_inside_the_figure(names: list[str]) -> None:
    alone = curves(names)
    with house.house_style():
        own = Figure((4, 2.5)).add_axes((0.1, 0.1, 0.88, 0.8))  # no room on the right
    for ax in (alone, curves(names, own)):
        figure = layout.figure_of(ax)
        figure.draw_without_rendering()
        labels = [text for text in ax.texts if text.get_text()]
        boxes = [label.get_window_extent() for label in labels]
        assert [label.get_text() for label in labels] == names
        assert all(figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 for box in boxes)
        assert all(figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1 for box in boxes)
        middles = sorted((box.y0 + box.y1) / 2 for box in boxes)
        assert all(high - low > 9 * figure.dpi / 72 for low, high in pairwise(middles))


def test_panels_fill_the_figure_without_overlap() -> None:
    grid = layout.make_panels(None, 4, columns=2, height_mm=90)
    for ax in grid.axes:
        ax.plot([1, 1000], [1, 123_456_789])
        house.set_title(ax, "a title that is much too long to stand in one line above one of two panels")
    layout.arrange(grid.axes[0])
    boxes = [box for ax in grid.axes if (box := ax.get_tightbbox()) is not None]
    figure = layout.figure_of(grid.host)
    assert grid.host.child_axes == grid.axes
    assert len(boxes) == 4
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    for box, edge in product(boxes, ("x", "y")):
        assert getattr(box, f"{edge}0") >= -1
        assert getattr(box, f"{edge}1") <= getattr(figure.bbox, f"{edge}1") + 1


def test_data_returns_the_remembered_frame() -> None:
    frame = pd.DataFrame({"cores": [1, 2]})
    ax = remember_frame(house.new_axes(), frame)
    assert wp.plot.data(ax) is frame
    with pytest.raises(KeyError, match=r"wrkparse\.plot"):
        wp.plot.data(house.new_axes())


def test_matplotlib_is_imported_on_first_use() -> None:
    code = "import sys, wrkparse, wrkparse.plot; assert 'matplotlib' not in sys.modules; wrkparse.plot.save; assert 'matplotlib' in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_number_or_switch_is_named_with_its_key() -> None:
    assert describe_group(["framework", "gogc", "connections"], ["go", "off", "504"]) == "go, GOGC off, connections 504"
    assert describe_group(["framework", "gogc"], ["nginx", None]) == "nginx"


def test_numbers_and_switches_have_their_keys() -> None:
    keys = ["framework", "connections", "gogc", "port", "payload_bytes"]
    assert (
        series.describe_group(keys, ["go", "10000", "off", "8080", None])
        == "go, connections 10000, GOGC off, port 8080"
    )


def test_labels_of_a_narrow_axis_do_not_touch() -> None:
    """50 MiB and 100 MiB are 24 points apart on an axis of 65 points, and 26 points wide."""
    figure = Figure(figsize=(65 / 72, 1))
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set_xlim(0, 136 * 2**20)
    with house.house_style():
        ticks.set_linear(ax.xaxis, "bytes", most=3, whole_mib=True)
        figure.draw_without_rendering()
        shown = [label for label in ax.get_xticklabels() if label.get_text()]
        boxes = [label.get_window_extent() for label in shown]
    assert len(boxes) == 2
    assert boxes[0].x1 < boxes[1].x0
