"""Measures texts and ticks once, where matplotlib measures them again and again, and breaks texts into lines.

A layout needs the size of each text in every pass, and the ticks of an axis eight times in one. To measure them took
most of the time of a figure. The results are those of matplotlib.
"""

from __future__ import annotations

import functools
import itertools
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from weakref import WeakKeyDictionary

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text

# Texts before they were broken into lines, and the width that they were broken for.
_WHOLE_TEXTS: WeakKeyDictionary[Text, tuple[str, float | None]] = WeakKeyDictionary()
_CACHED_METHODS = ("_update_ticks", "_get_ticklabel_bboxes")  # of an axis; they are not public
_DOUBT_PX = 4.0  # by which the width of a line may differ from the sum of its parts' widths
_MOST_TEXTS = 8192  # whose sizes are kept; all figures of a report have fewer


class MeasuringCanvas(FigureCanvasAgg):
    """A canvas that keeps its renderer, and shares the sizes of texts with all others."""

    _key: tuple[float, float, float] | None = None

    def get_renderer(self) -> RendererAgg:
        """The renderer of this canvas; a new one if the size or the resolution of the figure changed."""
        key = *self.get_width_height(physical=True), self.figure.dpi
        if self._key != key:
            self._key, self.renderer = key, _MeasuringRenderer(*key)  # type: ignore[no-untyped-call]
        made: RendererAgg = self.renderer
        return made


class _MeasuringRenderer(RendererAgg):
    """A renderer that gets the sizes of texts from `text_size`."""

    def get_text_width_height_descent(self, s: str, prop: FontProperties, ismath: Any) -> tuple[float, float, float]:
        if ismath:
            sizes: tuple[float, float, float] = super().get_text_width_height_descent(s, prop, ismath)  # type: ignore[no-untyped-call]
            return sizes
        return text_size(s, prop.copy(), self.dpi, mpl.rcParams["text.hinting"])


@functools.lru_cache(_MOST_TEXTS)
def text_size(text: str, font: FontProperties, dpi: float, hinting: object) -> tuple[float, float, float]:
    """The width, the height and the descent of a line of text in pixels.

    `hinting` is the setting in force, which matplotlib reads; sizes are kept by it. `font` must not change afterwards.
    """
    width, height, descent = _plain_renderer(dpi).get_text_width_height_descent(text, font, False)
    return float(width), float(height), float(descent)


@functools.cache
def _plain_renderer(dpi: float) -> Any:  # Any: matplotlib gives the methods of renderers no types
    return RendererAgg(1, 1, dpi)  # type: ignore[no-untyped-call]


def text_width_px(text: Text, words: str) -> float:
    """The width in pixels that a text would have with other words: that of the longest line."""
    return _measure_of(text)(words)


def _measure_of(text: Text) -> Callable[[str], float]:
    """A function that returns the width in pixels of words in the font of a text: that of the longest line."""
    figure = text.get_figure(root=True)
    assert figure is not None
    font, hinting, dpi = text.get_fontproperties().copy(), mpl.rcParams["text.hinting"], figure.dpi
    return lambda words: max(text_size(line, font, dpi, hinting)[0] for line in words.split("\n"))


def break_lines(text: Text, room: float) -> bool:
    """Break a text into lines of at most `room` pixels; return whether it changed."""
    before = text.get_text()
    whole, broken_for = _WHOLE_TEXTS.get(text, (before, None))
    if broken_for == room:  # notes keep their width from pass to pass
        return False
    _WHOLE_TEXTS[text] = whole, room
    text.set_text("\n".join(_fitting_lines(text, whole.strip(), room)))
    return text.get_text() != before


def _fitting_lines(text: Text, whole: str, room: float) -> Iterator[str]:
    """The lines of a text that are at most `room` pixels wide.

    To measure a line takes as long as the line is. So the widths of its parts, most of which are words that were
    measured before, say where it ends, and it is measured only if that is close.
    """
    measure, parts = _measure_of(text), _breakable_parts(whole)

    def advance(words: str) -> float:
        """The width in pixels that words add to a line, with the spaces around their letters."""
        return measure(f"|{words}|") - measure("||")

    widths, space = [advance(part) for part in parts], advance(" ")
    spaces = [space if part.endswith(" ") else 0.0 for part in parts]  # at the end of a line: no ink
    begin = 0
    while begin < len(parts):
        so_far = itertools.accumulate(widths[begin:])
        ends = [end - space for end, space in zip(so_far, spaces[begin:], strict=True)]
        surely, perhaps = (bisect_right(ends, room + doubt) for doubt in (-_DOUBT_PX, _DOUBT_PX))
        count = max(1, surely)
        while count < perhaps and measure("".join(parts[begin : begin + count + 1]).strip()) <= room:
            count += 1
        yield "".join(parts[begin : begin + count]).strip()
        begin += count


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
    """Update and measure the ticks of axes, and of axes inside them, only once in the block.

    The block must not move or change anything.
    """
    with ExitStack() as stack:
        for one in (one for ax in axes for one in (ax, *ax.child_axes)):
            for axis in (one.xaxis, one.yaxis):
                stack.enter_context(_axis_updated_once(axis))
        yield


@contextmanager
def _axis_updated_once(axis: Axis) -> Iterator[None]:
    """Cache two methods of an axis in the block. A matplotlib without them stays unchanged: they are not public."""
    update, measure = (getattr(axis, name, None) for name in _CACHED_METHODS)
    if update is None or measure is None:
        yield
        return
    ticks = functools.cache(update)
    boxes = functools.cache(lambda renderer: measure(ticks(), renderer))
    # Attributes of the instance hide the methods of its class; deleting them restores these.
    vars(axis).update(zip(_CACHED_METHODS, (ticks, lambda _, renderer: boxes(renderer)), strict=True))
    try:
        yield
    finally:
        for name in _CACHED_METHODS:
            del vars(axis)[name]
