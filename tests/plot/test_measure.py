"""What is measured once has the sizes that matplotlib measures again and again."""

from __future__ import annotations

import itertools
from typing import Any

import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.ticker import MaxNLocator

import wrkparse as wp
from wrkparse.plot.figures.scaling.scaling import scaling, scaling_height_mm
from wrkparse.plot.layout import arrange, figure_of
from wrkparse.plot.series import group_rows
from wrkparse.plot.style import measure
from wrkparse.plot.style.house import TITLES, house_style, new_axes, set_title
from wrkparse.plot.style.measure import break_lines, text_size, text_width_px, ticks_updated_once


@pytest.mark.parametrize("words", ["Throughput, requests per second", "性能 μs", "one\ntwo lines", ""])
def test_a_text_has_the_size_that_matplotlib_measures(words: str) -> None:
    ax = new_axes()
    with house_style():
        text = ax.text(0.2, 0.4, words, fontsize=7.5, fontweight=600)
        ours = text.get_window_extent(figure_of(ax).canvas.get_renderer())  # type: ignore[attr-defined]
        plain = text.get_window_extent(FigureCanvasAgg(figure_of(ax)).get_renderer())  # type: ignore[no-untyped-call]
    assert ours.bounds == plain.bounds


def test_the_size_of_a_text_follows_the_resolution_of_its_figure() -> None:
    ax = new_axes()
    with house_style():
        text = ax.text(0, 0, "wide")
        before = text_width_px(text, "wide")
        figure_of(ax).set_dpi(200)
        assert text_width_px(text, "wide") == pytest.approx(2 * before, rel=0.02)


def test_axes_are_as_large_as_matplotlib_finds_them_with_each_axis_updated_once() -> None:
    ax = new_axes()
    with house_style():
        ax.plot([0, 1500], [0, 3e7])
        ax.set_xlabel("cores")
        ax.set_title("rate", loc="left")
        inner = ax.inset_axes((0, -0.5, 1, 0.2))
        locators = [_Counting(), _Counting(), _Counting()]
        for axis, locator in zip((ax.xaxis, ax.yaxis, inner.xaxis), locators, strict=True):
            axis.set_major_locator(locator)
        expected = ax.get_tightbbox(for_layout_only=True)
        before = [one.asked for one in locators]
        with ticks_updated_once(ax):
            found = ax.get_tightbbox(for_layout_only=True)
        assert found is not None
        assert expected is not None
        assert found.bounds == expected.bounds
        assert [one.asked - was for one, was in zip(locators, before, strict=True)] == [1, 1, 1]
        ax.set_xlim(0, 5)
        assert "5.0" in [label.get_text() for label in ax.xaxis.get_majorticklabels()]


class _Counting(MaxNLocator):
    """A locator that counts how often it is asked for the places of ticks."""

    asked = 0

    def __call__(self) -> Any:
        self.asked += 1
        return super().__call__()


def test_a_text_is_broken_where_the_next_word_does_not_fit() -> None:
    ax = new_axes()
    with house_style():
        text = ax.text(0, 0, "aa bb cc dddddddddddddddd e")
        room = text_width_px(text, "aa bb") + 0.1
        assert break_lines(text, room)
        assert text.get_text().split("\n") == ["aa bb", "cc", "dddddddddddddddd", "e"]
        assert not break_lines(text, room)
        assert break_lines(text, 10_000)
    assert text.get_text() == "aa bb cc dddddddddddddddd e"


def test_a_long_text_is_broken_after_a_few_measurements_of_whole_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[str] = []

    def recorded(line: str, *how: Any) -> tuple[float, float, float]:
        measured.append(line)
        return text_size(line, *how)

    words = [f"{'iw' * (at % 4 + 1)}{at}" for at in range(120)]
    ax = new_axes()
    with house_style():
        text = ax.text(0, 0, " ".join(words))
        room = text_width_px(text, " ".join(words)) / 5
        with monkeypatch.context() as patched:
            patched.setattr(measure, "text_size", recorded)
            break_lines(text, room)
        lines = text.get_text().split("\n")
        for line, following in itertools.pairwise(lines):
            assert text_width_px(text, line) <= room < text_width_px(text, f"{line} {following.split()[0]}")
    assert " ".join(lines).split() == words
    # Each word, and a line only if its end is close to the room.
    assert len([one for one in measured if len(one.strip("| ").split()) > 1]) <= len(lines) / 2


def test_a_note_is_broken_once_for_a_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """A layout asks again in each pass."""
    measured: list[str] = []
    ax = new_axes()
    with house_style():
        text = ax.text(0, 0, "aa bb cc")
        break_lines(text, 100)
        monkeypatch.setattr(measure, "text_size", lambda line, *_: measured.append(line) or (10.0, 1.0, 0.0))
        assert not break_lines(text, 100)
        assert not measured
        break_lines(text, 15)
        assert measured


def test_a_title_above_ticks_is_higher_than_one_without_them() -> None:
    heights = []
    for above in (False, True):
        ax = new_axes()
        with house_style():
            ax.xaxis.tick_top()
            set_title(ax, "Rate", above_ticks=above)
            arrange(ax)
        heights.append(TITLES[ax].get_window_extent().y0 - ax.bbox.y1)
    assert heights[1] > heights[0]


def test_rows_without_labels_are_one_group() -> None:
    frame = pd.DataFrame({"a": [3, 4]}, index=[7, 9])
    assert {group: rows.index.to_list() for group, rows in group_rows(frame, []).items()} == {(): [7, 9]}
    assert group_rows(frame.iloc[:0], ["a"]) == {}


def test_groups_keep_the_order_of_their_rows() -> None:
    frame = pd.DataFrame({"cores": pd.array([10, 9, None, 10, 9], "Int64"), "x": range(5)})
    found = {group: rows["x"].to_list() for group, rows in group_rows(frame, ["cores"]).items()}
    assert list(found.items()) == [(("9",), [1, 4]), (("10",), [0, 3]), ((None,), [2])]


def test_the_height_of_a_figure_of_scaling_is_known_before_it_is_drawn(haskell: wp.Dataset) -> None:
    result = wp.scaling(haskell)
    drawn = figure_of(scaling(result)).get_size_inches()[1] * 25.4
    assert scaling_height_mm(result) == pytest.approx(drawn)
