"""The table inside a latency figure: the names of lines with their printed percentiles."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cbook import STEP_LOOKUP_MAP
from matplotlib.transforms import Affine2D, ScaledTranslation

from wrkparse.plot.figures.latency.axes import DOTTED
from wrkparse.plot.layout import figure_of
from wrkparse.plot.marks import marks_of
from wrkparse.plot.names import shorten_distinct
from wrkparse.plot.style import palette
from wrkparse.plot.style.house import MANAGED

PERCENTILES = {0.5: "p50", 0.99: "p99", 0.999: "p99.9"}

_MAX_NAMES_SHARE = 0.5  # of the width of the axes; longer names are shortened
_MAX_TABLE_SHARE = 0.7  # of the width of the axes; columns that do not fit are left out
_STEP, _MAX_STEPS = 1.08, 8  # an axis is extended for the table in these steps, to 1.85 times its length at most
# Sizes in points: a row, the sample of a line, a column of numbers (`999.99 ms` in 8 point type takes 34), a letter,
# the margin of the table.
_ROW_PT, _SAMPLE_PT, _NUMBER_PT, _LETTER_PT, _MARGIN_PT = 11.0, 22.0, 42.0, 4.1, 6.0


@dataclass(frozen=True, slots=True)
class LatencyCurve:
    """A latency distribution of a run.

    - `suffix`: distinguishes the corrected and the uncorrected distribution of a wrk2 run.
    - `points`: rows of `wrkparse.analysis.runs.latencies.latencies`.
    - `percentiles`: latencies as they were printed, for levels of `PERCENTILES`.
    - `setting`: the whole name of what the run measured.
    """

    run: str
    suffix: str
    style: palette.SeriesStyle
    dash: Any
    points: pd.DataFrame
    percentiles: dict[float, str]
    setting: str

    @property
    def name(self) -> str:
        """The name of the run, with the suffix."""
        return self.run + self.suffix

    @property
    def has_few_points(self) -> bool:
        """Whether the points are a few printed percentiles, not a spectrum."""
        return bool(self.points["detail"].eq("printed").all())


def add_table(ax: Axes, curves: list[LatencyCurve], *, tail: bool, note: bool) -> None:
    """Write the names and percentiles of the curves into a corner of the axes that the lines leave free.

    The table has as many columns as there is room for. It goes below the axes if no corner is free even after the axis
    is extended. `tail` is true for a falling figure (`ccdf`). `note` reserves a row for a note in the lower
    of the two candidate corners.
    """
    points = 72 / figure_of(ax).dpi
    width, height = ax.bbox.width * points, ax.bbox.height * points
    names = _shorten_names(curves, int((_MAX_NAMES_SHARE * width - _SAMPLE_PT) / _LETTER_PT))
    names_pt = _SAMPLE_PT + _LETTER_PT * max(map(len, names))
    available = [level for level in PERCENTILES if any(level in curve.percentiles for curve in curves)]
    # What does not fit is left out from the end: p99.9 first.
    levels = available[: max(0, int((_MAX_TABLE_SHARE * width - names_pt) / _NUMBER_PT))]
    table_width = names_pt + _NUMBER_PT * len(levels) + _MARGIN_PT
    table_height = _ROW_PT * (len(curves) + bool(levels) + note) + _MARGIN_PT
    (right, upper), free = _find_corner(ax, table_width / width, table_height / height, tail=tail)
    left = width - table_width if right else _MARGIN_PT
    top = height if upper else table_height
    if not free:  # below the axes there is room for all columns and longer names
        names = _shorten_names(curves, int((width - _SAMPLE_PT - _NUMBER_PT * len(available)) / _LETTER_PT))
        levels, names_pt = available, _SAMPLE_PT + _LETTER_PT * max(map(len, names))
        left, top = 0.0, -_depth_px(ax) * points - _ROW_PT / 2
        _grow_figure(ax, table_height / 72)

    def write(x: float, row: int, text: str, **style: Any) -> None:
        ax.annotate(
            text, (0, 0), xycoords="axes fraction", xytext=(left + x, top - _ROW_PT * (row + 0.5)),
            textcoords="offset points", va="center", fontsize=8, in_layout=not free, annotation_clip=False, **style,
        )  # fmt: skip

    ends = [names_pt + _NUMBER_PT * (place + 1) - 4 for place in range(len(levels))]  # 4 points between columns
    for x, level in zip(ends, levels, strict=True):
        write(x, 0, PERCENTILES[level], ha="right", color=palette.MUTED)
    for row, (curve, name) in enumerate(zip(curves, names, strict=True), start=bool(levels)):
        with marks_of(ax, curve.setting):
            _draw_sample(ax, curve, (left, left + _SAMPLE_PT - 6), top - _ROW_PT * (row + 0.5))
            write(_SAMPLE_PT, row, name, ha="left", color=curve.style.text_colour, fontweight=600, gid="name")
            for x, level in zip(ends, levels, strict=True):
                if level in curve.percentiles:
                    write(x, row, curve.percentiles[level], ha="right", color=palette.TEXT)


def _shorten_names(curves: list[LatencyCurve], letters: int) -> list[str]:
    """The names of the curves in this number of letters, with at least 8 for the name of the run."""
    available = max(8, letters - max(len(curve.suffix) for curve in curves))
    names = shorten_distinct([curve.run for curve in curves], available)
    return [name + curve.suffix for name, curve in zip(names, curves, strict=True)]


def _depth_px(ax: Axes) -> float:
    """The pixels by which the tick labels and the title of the x axis extend below the axes."""
    box = ax.xaxis.get_tightbbox()
    return float(ax.bbox.y0 - box.y0) if box else 0.0


def _grow_figure(ax: Axes, inches: float) -> None:
    """Make a managed figure higher, so that a table below the axes does not shrink them."""
    figure = figure_of(ax)
    if figure in MANAGED:
        width, height = figure.get_size_inches()
        figure.set_size_inches(width, height + inches)


def _draw_sample(ax: Axes, curve: LatencyCurve, x: tuple[float, float], y: float) -> None:
    """Draw a piece of the line of a curve; `x` and `y` are points from the lower left corner of the axes."""
    from_corner = figure_of(ax).dpi_scale_trans + ScaledTranslation(0, 0, ax.transAxes)  # type: ignore[arg-type]  # any transform works
    few = curve.has_few_points
    ax.plot(
        x, (y, y), transform=Affine2D().scale(1 / 72) + from_corner, color=curve.style.colour, linewidth=1.4,
        linestyle=DOTTED if few else curve.dash, marker=curve.style.marker if few else "",
        markerfacecolor="white", markersize=3.6, gid="sample", clip_on=False,
    )  # fmt: skip


def _find_corner(ax: Axes, width: float, height: float, *, tail: bool) -> tuple[tuple[bool, bool], bool]:
    """The corner (right, upper) for a table of this share of the axes, and whether no line crosses it.

    Lines rise to the right (in a tail they fall), so that two corners are usually free. If neither is, the y axis (in a
    tail the x axis) is extended step by step until the upper one is free. If that does not help, the axis is restored.
    """
    # (right, upper): a rising line leaves the upper left and the lower right free, a falling one the others.
    upper, lower = ((True, True), (False, False)) if tail else ((False, True), (True, False))
    for corner in (upper, lower):
        if not _is_crossed(ax, corner, width, height):
            return corner, True
    before = ax.get_xlim(), ax.get_ylim()
    for _ in range(_MAX_STEPS):
        # Lines get lower (in a tail, they move left), so that only the upper corner may become free.
        _extend_axis(ax, tail=tail)
        if not _is_crossed(ax, upper, width, height):
            return upper, True
    ax.set(xlim=before[0], ylim=before[1])
    return upper, False


def _extend_axis(ax: Axes, *, tail: bool) -> None:
    if tail:
        low, high = np.log(ax.get_xlim())
        ax.set_xlim(right=math.exp(low + (high - low) * _STEP))
    elif ax.get_yscale() == "log":
        low, high = np.log(ax.get_ylim())
        ax.set_ylim(top=math.exp(low + (high - low) * _STEP))
    else:
        ax.set_ylim(top=ax.get_ylim()[1] * _STEP)


def _is_crossed(ax: Axes, corner: tuple[bool, bool], width: float, height: float) -> bool:
    """Whether a line runs through the corner; both steps and straight lines are sampled at 200 points per piece."""
    right, upper = corner
    along = np.linspace(0, 1, 200)[:, None]
    for line in ax.get_lines():
        drawn = STEP_LOOKUP_MAP[line.get_drawstyle()](*np.asarray(line.get_xydata(), float).T)
        places = ax.transAxes.inverted().transform(ax.transData.transform(np.column_stack(drawn)))
        dense = (places[:-1, None] + along * np.diff(places, axis=0)[:, None]).reshape(-1, 2)
        x = dense[:, 0] >= 1 - width if right else dense[:, 0] <= width
        y = dense[:, 1] >= 1 - height if upper else dense[:, 1] <= height
        if (x & y).any():
            return True
    return False
