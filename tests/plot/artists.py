"""Read the artists of a figure."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from wrkparse.plot import layout


def line(ax: Axes, gid: str) -> Line2D:
    (found,) = (one for one in ax.get_lines() if one.get_gid() == gid)
    return found


def points(ax: Axes, gid: str) -> list[tuple[float, float]]:
    data = np.asarray(line(ax, gid).get_xydata(), float)
    return [(float(x), float(y)) for x, y in data if not np.isnan(x)]


def same(found: object, expected: object, rel: float = 1e-6) -> bool:
    """Whether lists of points are equal up to rounding."""
    one, two = np.asarray(found, float), np.asarray(expected, float)
    return one.shape == two.shape and bool(np.allclose(one, two, rtol=rel, atol=0))


def gids(ax: Axes) -> set[str]:
    return {str(child.get_gid()) for child in ax.get_children() if child.get_gid()}


def words(ax: Axes) -> list[str]:
    """All visible texts of the axes and their panels."""
    own = [ax.get_title("left"), ax.get_xlabel(), *(text.get_text() for text in ax.texts)]
    found = [*own, *(text for child in ax.child_axes for text in words(child))]
    return [text.replace("\N{NO-BREAK SPACE}", " ") for text in found if text]


def cut_off(ax: Axes) -> list[str]:
    """Texts that extend beyond the figure."""
    figure = layout.figure_of(ax)
    figure.draw_without_rendering()
    room = figure.bbox.padded(1)
    found = []
    for one in [ax, *ax.child_axes]:
        for text in [*one.texts, one.title, one._left_title, one.xaxis.label]:  # type: ignore[attr-defined]
            box = text.get_window_extent()
            if text.get_text() and not (
                room.x0 <= box.x0 and box.x1 <= room.x1 and room.y0 <= box.y0 and box.y1 <= room.y1
            ):
                found.append(text.get_text())
    return found
