"""The settings that marks of figures show, so that a page can hide, mark and rename a setting in all its figures.

A mark is any artist: a line, a bar, a text, a whole panel. Figures are drawn the same with and without.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple
from weakref import WeakKeyDictionary

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Annotation, Text


class _ShownSettings(NamedTuple):
    """The setting of a mark, or one for each marker of a line; `whole` is the text that a label abridges."""

    settings: tuple[str, ...]
    whole: str = ""


_SHOWN: WeakKeyDictionary[Artist, _ShownSettings] = WeakKeyDictionary()


def show_setting(setting: str, *marks: Artist, whole: str = "") -> None:
    """Say that marks show a setting, named by the words of `wrkparse.plot.series.setting_words`.

    `whole` is the whole text of a label whose name is cut, for readers who give the setting another name.
    """
    for mark in marks:
        _SHOWN[mark] = _ShownSettings((setting,), whole)
        # The leader of a label is an artist of its own, and an element of its own in the SVG.
        if isinstance(mark, Annotation) and mark.arrow_patch is not None:
            _SHOWN[mark.arrow_patch] = _ShownSettings((setting,))


def show_settings(settings: Sequence[str], markers: Line2D) -> None:
    """Say which setting each marker of a line without strokes shows."""
    _SHOWN[markers] = _ShownSettings(tuple(settings) if len(set(settings)) > 1 else tuple(settings[:1]))


def show_like(mark: Artist, other: Artist) -> None:
    """Say that another mark shows what a mark does, if that shows one setting."""
    if mark in _SHOWN:
        show_setting(_SHOWN[mark].settings[0], other)


@contextmanager
def marks_of(ax: Axes, setting: str) -> Iterator[None]:
    """Say that all marks that are drawn into `ax` in this block show a setting, unless they show others."""
    # Whatever a drawing function adds: it need not return its artists.
    before = set(ax.get_children())
    yield
    show_setting(setting, *(mark for mark in ax.get_children() if mark not in before and mark not in _SHOWN))


@contextmanager
def settings_as_ids(figure: Figure) -> Iterator[list[str]]:
    """Identify the marks of a figure in SVG files that are written in this block by their settings.

    Yields texts to which the numbers in the identifiers refer: ``setting 3``; ``setting 3 4`` of a label whose whole
    text is the second one; ``settings 3 3 0`` of a line, whose markers show these.
    """
    marks = {mark: shown for mark, shown in _SHOWN.items() if mark.get_figure(root=True) is figure}
    numbers: dict[str, int] = {}
    # Identifiers that were there say what a mark is; they are restored, so that other files are the same.
    before = {mark: mark.get_gid() for mark in marks}
    for mark, (settings, name) in marks.items():
        whole = name if isinstance(mark, Text) and mark.get_text().strip() != name else ""
        listed = [numbers.setdefault(text, len(numbers)) for text in (*settings, *([whole] if whole else ()))]
        kind = "setting" if len(settings) == 1 else "settings"
        mark.set_gid(" ".join(map(str, (kind, *listed))))
    try:
        yield list(numbers)
    finally:
        for mark, gid in before.items():
            mark.set_gid(gid)
