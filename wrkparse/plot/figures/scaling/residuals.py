"""Draws the residuals of fitted laws: a low panel below the curves, on the same x axis."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.transforms import Bbox, TransformedBbox

from wrkparse.analysis.shown.numbers import rounded
from wrkparse.plot.figures.scaling.rows import CurveRow
from wrkparse.plot.layout import figure_of
from wrkparse.plot.marks import marks_of, show_setting
from wrkparse.plot.points import Point, add_points
from wrkparse.plot.series import Group, key_title, series_name
from wrkparse.plot.style import ticks
from wrkparse.plot.style.house import apply_style
from wrkparse.plot.style.palette import MUTED

STRIP_MM = 15.0  # by which residuals make a figure higher: the 41 points of the panel and its gap, in mm
_HEIGHT_PT, _GAP_PT = 26.0, 15.0  # of the panel, and between it and the curves, with its title
_TITLE_PT = 7.5
_LEAST_LIMIT = 0.001  # the axis reaches at least to ±0.1 %: less is the rounding of the printed rates


def add_residuals(ax: Axes, row: CurveRow) -> Axes | None:
    """Add a panel with the distance of each point from the law of its curve below the curves in `ax`.

    A residual is the measured rate divided by the fitted one, less 1. Points that are not used have none. Returns the
    panel, which shares the x axis of `ax`; None if no curve has a supported law.
    """
    residuals = {group: _residuals(row, group) for group in row.points if group in row.fits}
    residuals = {group: frame for group, frame in residuals.items() if len(frame)}
    if not residuals:
        return None
    # This place is never used: the locator keeps the height of the panel when the layout resizes `ax`.
    panel = apply_style(ax.inset_axes((0, -0.3, 1, 0.2), sharex=ax))
    panel.set_axes_locator(_panel_locator(ax))  # type: ignore[arg-type]  # matplotlib documents any callable
    panel.axhline(0, color=MUTED, linewidth=0.8, zorder=1, gid="law")
    for group, frame in residuals.items():
        style = row.styles[group]
        with marks_of(panel, row.setting(group)):
            panel.vlines(frame[row.result.n], 0, frame["residual"], color=style.colour, linewidth=0.8)
            panel.plot(
                frame[row.result.n], frame["residual"], linestyle="", marker=style.marker, markersize=3.2,
                color=style.colour, markerfacecolor="white", markeredgewidth=0.8, clip_on=False,
                gid=f"residuals {series_name(group)}",
            )  # fmt: skip
        add_points(panel, _points(row, group, frame))
    most = max(float(frame["residual"].abs().max()) for frame in residuals.values())
    panel.set_ylim(-1.25 * max(most, _LEAST_LIMIT), 1.25 * max(most, _LEAST_LIMIT))
    ticks.set_linear(panel.yaxis, "ratio", most=2)
    title = panel.annotate(
        "residuals: measured / fitted - 1", (0, 1), xycoords="axes fraction", xytext=(0, 2.5),
        textcoords="offset points", ha="left", va="bottom", fontsize=_TITLE_PT, color=MUTED,
    )  # fmt: skip
    if row.place:
        show_setting(row.place, title)
    ax.tick_params(labelbottom=False)
    return panel


def _residuals(row: CurveRow, group: Group) -> pd.DataFrame:
    points, value = row.points[group], row.result.metric
    points = points[points["usable"]]
    return points.assign(residual=points[value] / points[f"fitted_{value}"] - 1).dropna(subset=["residual"])


def _points(row: CurveRow, group: Group, frame: pd.DataFrame) -> Iterator[Point]:
    runs = row.runs[group].groupby(row.result.n)["run"].agg(tuple).to_dict() if group in row.runs else {}
    for at, residual in frame[[row.result.n, "residual"]].itertuples(index=False):
        side = "above" if residual > 0 else "below"
        words = f"{at} {key_title(row.result.n)}: {rounded(abs(float(residual)), 'ratio')} {side} the law"
        of_point = tuple(map(str, runs.get(at, ())))
        yield Point(float(at), float(residual), series_name(group), words, of_point, setting=row.setting(group))


def _panel_locator(ax: Axes) -> object:
    """A locator that places the panel below `ax`, with a fixed height, wherever the layout puts `ax`."""

    def locate(_: object, __: object) -> TransformedBbox:
        figure = figure_of(ax)
        pixels = figure.dpi / 72
        top = ax.bbox.y0 - _GAP_PT * pixels
        place = Bbox.from_extents(ax.bbox.x0, top - _HEIGHT_PT * pixels, ax.bbox.x1, top)
        return TransformedBbox(place, figure.transSubfigure.inverted())

    return locate
