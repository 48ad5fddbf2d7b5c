"""Throughput over cores with the law that the data support, and the efficiency."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from wrkparse.analysis.scaling import scaling as analysis
from wrkparse.analysis.scaling.laws import Errors
from wrkparse.analysis.scaling.scaling import ScalingResult
from wrkparse.analysis.shown.numbers import quantity
from wrkparse.analysis.stats.arrays import Floats
from wrkparse.analysis.wording import counted
from wrkparse.dataset import Dataset
from wrkparse.dataset.aliases import label_names
from wrkparse.plot import layout
from wrkparse.plot.figures.scaling.notes import coefficients, meaning, notes
from wrkparse.plot.figures.scaling.residuals import STRIP_MM, add_residuals
from wrkparse.plot.figures.scaling.rows import CurveRow, scaling_rows
from wrkparse.plot.frames import remember_frame
from wrkparse.plot.layout import LineEnd
from wrkparse.plot.marks import marks_of, show_setting
from wrkparse.plot.points import Point, add_points
from wrkparse.plot.series import (
    Group,
    key_title,
    label_keys,
    metric_title,
    number_columns,
    series_name,
)
from wrkparse.plot.style import ticks
from wrkparse.plot.style.house import NARROW_MM, TITLES, WIDTH_MM, drawn_width_mm, in_house_style, set_title
from wrkparse.plot.style.palette import BAR, INVALID, MUTED

_ROW_MM = 62.0  # the height of a row of panels
_THIN = 0.8  # the width of a line, in points
_SMALL_PT = 7.5
_DASHED = (0, (4, 3))
_DOTTED = (0, (1, 1.3))


@in_house_style
def scaling(
    source: Dataset | ScalingResult,
    *,
    ax: Axes | None = None,
    where: str | None = None,
    by: str | Sequence[str] = ("framework",),
    load: str | None = "connections",
    over: str = "cores",
    metric: str | None = None,
    errors: Errors = "absolute",
    confidence: float = 0.95,
    include_invalid: bool = False,
    ignore: str | Sequence[str] | None = None,
    width: float = WIDTH_MM,
) -> Axes:
    """Throughput over cores with the efficiency beside it (below it in a narrow figure), and a row for each load.

    Labels in which the runs of one curve would differ make further rows (`ScalingResult.separated`).

    - Markers are the median of the runs at each N, with its interval if there are enough runs for one.
    - A smooth line is the law that the data support, with its confidence band, from the smallest to the largest N. If
      no law is supported, thin lines join the points. Where something other than cores limits a line, it is dotted.
    - The dashed line is linear scaling of the steepest curve.
    - A horizontal bar marks the interval of a peak, if the data support one within the measured range.
    - A low panel below the curves has the residuals of the laws: measured over fitted, less 1.
    - Below the panels are λ, σ and κ of up to four laws, with the distance of the farthest point from each.

    The options are those of `wrkparse.scaling`. A result of that function is accepted instead of a dataset.

    Raises NothingToPlotError if no curve has two values of N, and the errors of `wrkparse.scaling`.
    """
    result = _as_result(source, where, by, load, over, metric, errors, confidence, include_invalid, ignore)
    rows = scaling_rows(result, label_names(load, result.keys), panels_each=2)
    narrow = (drawn_width_mm(ax) if ax else width) < NARROW_MM
    grid = layout.make_panels(
        ax, 2 * len(rows), columns=1 if narrow else 2, height_mm=_height_mm(rows, columns=1 if narrow else 2),
        widths=None if narrow else (1.35, 1), width_mm=width,
    )  # fmt: skip
    for place, row in enumerate(rows):
        _draw_throughput(grid.axes[2 * place], row)
        add_residuals(grid.axes[2 * place], row)
        _draw_efficiency(grid.axes[2 * place + 1], row, subject="")
    laws = list(coefficients(rows))
    return _finish_figure(grid, rows, [*notes(rows, throughput=True), *meaning(rows)], laws)


def scaling_height_mm(result: ScalingResult) -> float:
    """The height in which `scaling` would draw a result in its default width. It raises the same errors."""
    return _height_mm(scaling_rows(result, label_names("connections", result.keys), panels_each=2), columns=2)


def _height_mm(rows: Sequence[CurveRow], columns: int) -> float:
    return _ROW_MM * len(rows) * 2 / columns + STRIP_MM * sum(bool(row.fits) for row in rows)


@in_house_style
def efficiency(
    source: Dataset | ScalingResult,
    *,
    ax: Axes | None = None,
    where: str | None = None,
    by: str | Sequence[str] = ("framework",),
    load: str | None = "connections",
    over: str = "cores",
    metric: str | None = None,
    confidence: float = 0.95,
    include_invalid: bool = False,
    ignore: str | Sequence[str] | None = None,
    width: float = WIDTH_MM,
) -> Axes:
    """Efficiency X(N)·N₁ / (X(N₁)·N) over cores, a panel for each load; the options are those of `scaling`.

    No law is drawn, so none is fitted, and there is no option for it.
    """
    result = _as_result(
        source, where, by, load, over, metric, "absolute", confidence, include_invalid, ignore, fit=False
    )
    # A result that was given may have laws; this figure has no panel for them.
    result = replace(result, fits=result.fits.iloc[:0], curves=result.curves.iloc[:0])
    rows = scaling_rows(result, label_names(load, result.keys), panels_each=1)
    columns = 1 if len(rows) == 1 or (drawn_width_mm(ax) if ax else width) < NARROW_MM else 2
    grid = layout.make_panels(
        ax, len(rows), columns=columns, height_mm=_ROW_MM * -(-len(rows) // columns), width_mm=width, sharey=True
    )
    for panel, row in zip(grid.axes, rows, strict=True):
        _draw_efficiency(panel, row, subject=row.title)
    grid.axes[0].set_ylim(0, max(map(_highest_efficiency, rows)))  # all panels share the axis
    return _finish_figure(grid, rows, notes(rows, throughput=False))


def _as_result(
    source: Dataset | ScalingResult, where: str | None, by: str | Sequence[str], load: str | None, over: str,
    metric: str | None, errors: Errors, confidence: float, include_invalid: bool, ignore: str | Sequence[str] | None,
    *, fit: bool = True,
) -> ScalingResult:  # fmt: skip
    if isinstance(source, ScalingResult):
        return source
    return analysis.scaling(
        source, by=label_keys(by), load=load or None, n=over, metric=metric, where=where, errors=errors,
        confidence=confidence, include_invalid=include_invalid, ignore=label_keys(ignore), fit=fit,
    )  # fmt: skip


def _draw_throughput(ax: Axes, row: CurveRow) -> None:
    """Draw rates over N. The axis begins at 0, so that half the rate is half as high."""
    n, value = row.result.n, row.result.metric
    for group in row.points:
        with marks_of(ax, row.setting(group)):
            _draw_curve(ax, row, group)
            _draw_points(ax, row, group)
            _draw_peak(ax, row, group)
    drawn = [frame[[value, "hi"]].to_numpy(float) for frame in (*row.points.values(), *row.lines.values())]
    ax.set_ylim(0, 1.06 * float(np.nanmax(np.concatenate(drawn))))
    ax.set_xlim(0, 1.03 * max(points[n].max() for points in row.points.values()))
    ticks.set_linear(ax.yaxis, row.result.unit)
    _draw_linear_scaling(ax, row)
    what = metric_title(value, row.result.unit)
    set_title(ax, f"{row.title}: {what[:1].lower()}{what[1:]}" if row.title else what)
    _show_place(ax, row)


def _draw_efficiency(ax: Axes, row: CurveRow, subject: str) -> None:
    """Draw the share of linear scaling over N, on an axis that doubles N with each step."""
    n = row.result.n
    ax.axhline(1, color=MUTED, linestyle=_DASHED, linewidth=0.8, zorder=1)
    for group, points in row.points.items():
        usable = points["usable"].to_numpy(bool)
        at, ratios = number_columns(points, n, "efficiency_ratio")
        with marks_of(ax, row.setting(group)):
            _draw_line(ax, row, group, at[usable], ratios[usable])
            _draw_markers(ax, row, group, "efficiency_ratio")
    ax.set_xscale("log", base=2)
    ax.set_ylim(0, _highest_efficiency(row))
    ticks.set_linear(ax.yaxis, "ratio")
    set_title(ax, f"{subject}: share of linear scaling" if subject else "Efficiency, share of linear scaling")
    _show_place(ax, row)


def _show_place(ax: Axes, row: CurveRow) -> None:
    """Say that the title of a panel is that of the setting which all its curves share."""
    if row.place:
        show_setting(row.place, TITLES[ax])


def _highest_efficiency(row: CurveRow) -> float:
    """The upper end of the axis of efficiency, above linear scaling and all points."""
    return 1.06 * max(1.0, *(float(points["efficiency_ratio"].max()) for points in row.points.values()))


def _draw_curve(ax: Axes, row: CurveRow, group: Group) -> None:
    """Draw the supported law with its confidence band, or thin lines between the points if there is none."""
    n, value, style = row.result.n, row.result.metric, row.styles[group]
    line = row.lines.get(group)
    if line is None:
        usable = row.points[group]["usable"].to_numpy(bool)
        at, rates = number_columns(row.points[group], n, value)
        ax.plot(
            at[usable], rates[usable], color=style.colour, linewidth=_THIN, alpha=0.7,
            gid=f"line {series_name(group)}",
        )  # fmt: skip
        return
    at, rates, lo, hi = number_columns(line, n, value, "lo", "hi")
    _draw_line(ax, row, group, at, rates)
    if not np.isnan(lo).any():
        ax.fill_between(
            at, lo, hi, color=style.colour, alpha=0.15, linewidth=0, gid=f"band {series_name(group)}"
        )  # fmt: skip


def _draw_line(ax: Axes, row: CurveRow, group: Group, n: Floats, values: Floats) -> None:
    """Draw a line, dotted from the N on at which something other than N limits it."""
    style, start = row.styles[group], row.limited_from(group)
    # Both parts have the point at the start, so that they meet.
    for part, dash in ((n <= start, style.dash), (n >= start, _DOTTED)):
        if part.sum() > 1:
            ax.plot(n[part], values[part], color=style.colour, linestyle=dash, gid=f"line {series_name(group)}")


def _draw_points(ax: Axes, row: CurveRow, group: Group) -> None:
    """Draw a marker for each N with the interval of its median, if it has one; invalid runs are crosses."""
    value, points = row.result.metric, row.points[group]
    usable = points["usable"].to_numpy(bool)
    n, rates, lo, hi = number_columns(points, row.result.n, value, "lo", "hi")
    known = usable & ~np.isnan(lo) & ~np.isnan(hi)
    ax.vlines(n[known], lo[known], hi[known], color=row.styles[group].colour, linewidth=1.0)
    _draw_markers(ax, row, group, value)
    ax.plot(n[~usable], rates[~usable], linestyle="", marker="x", color=INVALID)


def _draw_markers(ax: Axes, row: CurveRow, group: Group, value: str) -> None:
    """Draw the usable points. Those that something other than N limits are filled with grey."""
    style, usable = row.styles[group], row.points[group]["usable"].to_numpy(bool)
    n, numbers = number_columns(row.points[group], row.result.n, value)
    limited = n >= row.limited_from(group)
    for part, face in ((usable & ~limited, "white"), (usable & limited, BAR)):
        ax.plot(
            n[part], numbers[part], linestyle="", marker=style.marker, color=style.colour, markerfacecolor=face,
            gid=f"points {series_name(group)}",
        )  # fmt: skip
    add_points(ax, _points(row, group, value))


def _points(row: CurveRow, group: Group, value: str) -> Iterator[Point]:
    n, frame = row.result.n, row.points[group]
    runs = row.runs[group].groupby(n)["run"].agg(tuple).to_dict() if group in row.runs else {}
    unit = row.result.unit if value == row.result.metric else "ratio"
    place = f"{row.title}, " if row.title else ""
    for at, number, count in frame[[n, value, "runs"]].dropna(subset=[value]).itertuples(index=False):
        words = f"{place}{at} {key_title(n)}: {quantity(float(number), unit)}, {counted(int(count), 'run')}"
        of_point = tuple(map(str, runs.get(at, ())))
        yield Point(float(at), float(number), series_name(group), words, of_point, setting=row.setting(group))


def _draw_linear_scaling(ax: Axes, row: CurveRow) -> None:
    """Draw linear scaling of the steepest curve, across the axes."""
    n, value = row.result.n, row.result.metric
    first = pd.concat([points[points["usable"]].head(1) for points in row.points.values()])
    if first.empty:
        return
    slope = float((first[value] / first[n]).max())
    end, top = ax.get_xlim()[1], ax.get_ylim()[1]
    reach = min(end, top / slope)
    ax.plot([0, reach], [0, slope * reach], color=MUTED, linestyle=_DASHED, linewidth=0.8, zorder=1)
    # The word is left of the line, unless this is so steep that it would be over the y axis.
    left = reach > end / 4
    ax.annotate(
        "linear", (0.93 * reach, 0.93 * slope * reach), xytext=(-5 if left else 5, 0), textcoords="offset points",
        ha="right" if left else "left", va="center", fontsize=_SMALL_PT, color=MUTED,
    )  # fmt: skip


def _draw_peak(ax: Axes, row: CurveRow, group: Group) -> None:
    """Draw a bar along the confidence interval of the peak. The label of the curve has the peak."""
    fit, line, n, value = row.peaks.get(group), row.lines.get(group), row.result.n, row.result.metric
    if fit is None or line is None or not row.peak_suffix(group):
        return
    low, high = (float(fit[column].iloc[0]) for column in ("peak_lo", "peak_hi"))
    reach = max(low, line[n].min()), min(high, line[n].max())
    ax.hlines(float(line[value].max()), *reach, color=row.styles[group].text_colour, linewidth=3, alpha=0.5)


def _finish_figure(
    grid: layout.PanelGrid, rows: Sequence[CurveRow], below: Iterable[str], laws: Sequence[tuple[str, str]] = ()
) -> Axes:
    """Set the ticks, add labels and the notes below; return the axes. Call it after all panels are drawn."""
    # One law needs no paragraph of its own: it joins the note.
    if len(laws) == 1:
        below, laws = [*below, laws[0][1]], ()
    if note := "  ".join(below):
        layout.add_note(grid, note, laws)
    result = rows[0].result
    ends: dict[Axes, list[LineEnd]] = {}
    per_row = len(grid.axes) // len(rows)
    for at, ax in enumerate(grid.axes):
        row = rows[at // per_row]
        lowest = ax.child_axes[0] if ax.child_axes else ax  # the residuals share the x axis
        lowest.set_xlabel(key_title(result.n) + (" (log scale)" if ax.get_xscale() == "log" else ""))
        every = [float(value) for points in row.points.values() for value in points[result.n]]
        ticks.set_at_values(ax.xaxis, every, base=2 if ax.get_xscale() == "log" else None)
        # Only panels of efficiency have a logarithmic x axis.
        value = "efficiency_ratio" if ax.get_xscale() == "log" else result.metric
        ends[ax] = [_line_end(row, group, value) for group in row.points]
    layout.label_lines(ends)
    return remember_frame(grid.host, lambda: _drawn_frame(rows))


def _line_end(row: CurveRow, group: Group, value: str) -> LineEnd:
    """The end of the fitted line, or of the points if there is no line."""
    points = row.points[group]
    drawn = row.lines.get(group) if value == row.result.metric else None
    if drawn is None:
        drawn = points[points["usable"]] if points["usable"].any() else points
    last = drawn.iloc[-1]
    peak = row.peak_suffix(group) if value == row.result.metric else ""
    return LineEnd(
        float(last[row.result.n]),
        float(last[value]),
        (row.name(group) + peak).lstrip(", "),
        row.styles[group].text_colour,
        row.setting(group),
        f"{', '.join(value for value in group if value is not None)}{peak}" if row.name(group) else "",
    )


def _drawn_frame(rows: Sequence[CurveRow]) -> pd.DataFrame:
    """The frame for `data`: a row for each point (``drawn`` is measured) and each step of a line (fitted)."""
    parts = [
        frame.assign(drawn=drawn)
        for row in rows
        for drawn, frames in (("measured", row.points), ("fitted", row.lines))
        for frame in frames.values()
    ]
    frame = pd.concat(parts, ignore_index=True)
    result = rows[0].result
    columns = [
        *result.keys, "drawn", result.n, result.metric, "lo", "hi", "efficiency_ratio", "runs", "invalid", "usable",
    ]  # fmt: skip
    return frame[columns]
