"""The points of a figure: their places, their words, and the runs that they come from.

They are kept for each axes. A report puts them above the drawing, and shows for each point the log lines of its runs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

_POINTS_PER_INCH = 72.0
_SLACK_PX = 1.0  # a point this far outside of the panel counts, because its marker is on the axis


class Point(NamedTuple):
    """A point of a figure.

    - `x`, `y`: in the units of the axes; from `placed_points`, in points (1/72 inch) from the upper left corner of the
      figure.
    - `series`: the name of its series: ``heron``.
    - `words`: the text of its card: ``64 connections: 62.51 k/s``.
    - `runs`: the identifiers of its runs.
    - `line`: the line of an event, or of one number of a report, if the point is this alone; else None.
    - `setting`: what it shows, as `wrkparse.plot.series.setting_words` names it; empty if that is the series.
    """

    x: float
    y: float
    series: str
    words: str
    runs: tuple[str, ...] = ()
    line: int | None = None
    setting: str = ""


_POINTS: WeakKeyDictionary[Axes, list[Iterable[Point]]] = WeakKeyDictionary()


def add_points(ax: Axes, points: Iterable[Point]) -> None:
    """Keep points that were drawn into `ax`, in the units of its axes.

    The iterable is read by `placed_points`, so never for a PDF. It must not refer to `ax`, or `ax` is never freed, and
    its data must not change.
    """
    _POINTS.setdefault(ax, []).append(points)


def placed_points(figure: Figure) -> list[Point]:
    """The points of a figure that are within their axes, with their places in the drawing, from left to right.

    Call it after the figure was drawn, because layout moves panels.
    """
    found: list[Point] = []
    for ax, parts in _POINTS.items():
        if ax.get_figure(root=True) is figure:
            points = [point for part in parts for point in part]
            # An iterable may be read once only; a figure may be asked again.
            parts[:] = [points]
            found += _points_within(ax, points, float(figure.get_size_inches()[1]), figure.dpi)
    return sorted(found, key=lambda point: (point.x, point.y))


def _points_within(ax: Axes, points: list[Point], height_in: float, dpi: float) -> list[Point]:
    pixels = ax.transData.transform(np.array([(point.x, point.y) for point in points], float).reshape(-1, 2))
    box = ax.bbox
    inside = (pixels >= (box.x0 - _SLACK_PX, box.y0 - _SLACK_PX)) & (pixels <= (box.x1 + _SLACK_PX, box.y1 + _SLACK_PX))
    places = pixels * _POINTS_PER_INCH / dpi
    return [
        point._replace(x=float(x), y=float(_POINTS_PER_INCH * height_in - y))
        for point, (x, y), (right, high) in zip(points, places.tolist(), inside.tolist(), strict=True)
        if right and high
    ]
