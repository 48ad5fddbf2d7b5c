"""The sizes and lines of texts, and the places of ticks, measured once where matplotlib measures them again and again.

A layout asks for the size of each text in every pass, and for the ticks of an axis eight times in one. These answers
took most of the time of a figure. What is measured stays the same.
"""

from __future__ import annotations

import functools
import itertools
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any
from weakref import WeakKeyDictionary

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text

_UNBROKEN: WeakKeyDictionary[Text, str] = WeakKeyDictionary()  # texts before they were broken into lines
_REPEATED = ("_update_ticks", "_get_ticklabel_bboxes")  # methods of an axis
_MOST_TEXTS = 8192  # whose sizes are kept: more than all figures of a report have


class MeasuringCanvas(FigureCanvasAgg):
    """A canvas that keeps its renderer, and shares the sizes of texts with all others."""

    _key: tuple[float, float, float] | None = None

    def get_renderer(self) -> RendererAgg:
        """The renderer of this canvas; a new one if the size or the resolution of the figure changed."""
        key = *self.get_width_height(physical=True), self.figure.dpi
        if self._key != key:
            self._key, self.renderer = key, _Renderer(*key)  # type: ignore[no-untyped-call]
        made: RendererAgg = self.renderer
        return made


class _Renderer(RendererAgg):
    def get_text_width_height_descent(self, s: str, prop: FontProperties, ismath: Any) -> tuple[float, float, float]:
        if ismath:
            sizes: tuple[float, float, float] = super().get_text_width_height_descent(s, prop, ismath)  # type: ignore[no-untyped-call]
            return sizes
        return text_size(s, prop.copy(), self.dpi, mpl.rcParams["text.hinting"])


@functools.lru_cache(_MOST_TEXTS)
def text_size(text: str, font: FontProperties, dpi: float, hinting: object) -> tuple[float, float, float]:
    """The width, the height and the descent of a line of text in pixels.

    `hinting` is the setting that is in force: matplotlib reads it. `font` must not be changed afterwards.
    """
    width, height, descent = _plain_renderer(dpi).get_text_width_height_descent(text, font, False)
    return float(width), float(height), float(descent)


@functools.cache
def _plain_renderer(dpi: float) -> Any:  # Any: matplotlib gives the methods of renderers no types
    return RendererAgg(1, 1, dpi)  # type: ignore[no-untyped-call]


def text_width_px(text: Text, words: str) -> float:
    """The width that a text would have with other words: that of the longest line, if these have line breaks."""
    figure = text.get_figure(root=True)
    assert figure is not None
    font, hinting = text.get_fontproperties().copy(), mpl.rcParams["text.hinting"]
    return max(text_size(line, font, figure.dpi, hinting)[0] for line in words.split("\n"))


def break_lines(text: Text, room: float) -> bool:
    """Break a text into lines of at most `room` pixels; returns whether it changed."""
    before = text.get_text()
    whole = _UNBROKEN.setdefault(text, before)
    lines, rest = ([], _breakable_parts(whole)) if text_width_px(text, whole) > room else ([whole], [])
    while rest:
        count = _count_fitting(text, rest, room)
        lines.append("".join(rest[:count]))
        rest = rest[count:]
    text.set_text("\n".join(line.strip() for line in lines))
    return text.get_text() != before


def _count_fitting(text: Text, parts: Sequence[str], room: float) -> int:
    """How many of the parts fit into a line, at least one; a longer line is wider."""

    def width(count: int) -> float:
        return text_width_px(text, "".join(parts[:count]).strip())

    return 1 + bisect_right(range(2, len(parts) + 1), room, key=width)


def _breakable_parts(text: str) -> list[str]:
    """Split a text where lines may break: after a space, and around each wide (Chinese, Japanese) character."""
    parts = [""]
    for one, two in itertools.pairwise(text + " "):
        parts[-1] += one
        if one == " " or {unicodedata.east_asian_width(one), unicodedata.east_asian_width(two)} & {"W", "F"}:
            parts.append("")
    return [part for part in parts if part]


@contextmanager
def ticks_updated_once(*axes: Axes) -> Iterator[None]:
    """Within this block, the ticks of axes and of those inside them are updated and measured once.

    Nothing may be moved or changed in it.
    """
    with ExitStack() as stack:
        for one in (one for ax in axes for one in (ax, *ax.child_axes)):
            for axis in (one.xaxis, one.yaxis):
                stack.enter_context(_axis_updated_once(axis))
        yield


@contextmanager
def _axis_updated_once(axis: Axis) -> Iterator[None]:
    """Let results stand in for two methods that are not public. Of a matplotlib without them, nothing is replaced."""
    update, measure = (getattr(axis, name, None) for name in _REPEATED)
    if update is None or measure is None:
        yield
        return
    ticks = functools.cache(update)
    boxes = functools.cache(lambda renderer: measure(ticks(), renderer))
    vars(axis).update(zip(_REPEATED, (ticks, lambda _, renderer: boxes(renderer)), strict=True))
    try:
        yield
    finally:
        for name in _REPEATED:
            del vars(axis)[name]
