"""How throughput grows with cores: what was measured, the law that the data support, and what is left of linear."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from wrkparse.analysis import scaling as analysis
from wrkparse.analysis.laws import Errors
from wrkparse.analysis.scaling import ScalingResult
from wrkparse.analysis.wording import name_of
from wrkparse.dataset import Dataset
from wrkparse.plot import layout
from wrkparse.plot.drawn import remember
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.layout import End
from wrkparse.plot.series import called, groups, keys, looks, name, named, quantity
from wrkparse.plot.style import ticks
from wrkparse.plot.style.house import NARROW_MM, WIDTH_MM, styled, title, width_mm
from wrkparse.plot.style.palette import BAR, INVALID, MUTED, Look

_ROW_MM = 62.0
_THIN = 0.8
_SMALL = 7.5
_DASHED = (0, (4, 3))
_DOTTED = (0, (1, 1.3))
Labels = tuple[str | None, ...]


@dataclass(frozen=True)
class _Row:
    """The curves that share a study and a load: by their labels, points and lines."""

    result: ScalingResult
    heading: str
    points: dict[Labels, pd.DataFrame]
    lines: dict[Labels, pd.DataFrame]
    limits: dict[Labels, pd.DataFrame]
    peaks: dict[Labels, pd.DataFrame]
    looks: Mapping[Labels, Look]

    def limited_from(self, labels: Labels) -> float:
        """The smallest N where something else than N limits this curve; infinite where nothing does."""
        limits = self.limits.get(labels)
        return math.inf if limits is None else float(limits["n_from"].min())


@styled
def scaling(
    source: Dataset | ScalingResult,
    *,
    ax: Axes | None = None,
    where: str | None = None,
    by: str | Sequence[str] = ("framework",),
    load: str | None = "connections",
    over: str = "cores",
    metric: str = "throughput",
    errors: Errors = "absolute",
    confidence: float = 0.95,
    include_invalid: bool = False,
    width: float = WIDTH_MM,
) -> Axes:
    """Throughput over cores, and the efficiency beside it (below it where there is little room); a row for each load.

    Markers are the median of the runs at each N, with its interval where there are runs enough for one. Lines are the
    law that the data support, with its confidence band, between the smallest and the largest N only; where none is
    supported, thin lines join the points. The dashed line is linear scaling of the steepest curve. A peak is marked
    where the data show it and it was reached, a part that is limited by something else than cores is dotted.
    The options are those of `wrkparse.scaling`; a result of it may be given instead of a dataset.

    Raises NothingToPlotError where no curve has two values of N, and what `wrkparse.scaling` raises.
    """
    found = _result(source, where, by, load, over, metric, errors, confidence, include_invalid)
    rows = _rows(found, keys(load))
    narrow = (width_mm(ax) if ax else width) < NARROW_MM
    grid = layout.panels(
        ax, 2 * len(rows), columns=1 if narrow else 2, height_mm=_ROW_MM * len(rows) * (2 if narrow else 1),
        widths=None if narrow else (1.35, 1), width_mm=width,
    )  # fmt: skip
    for place, row in enumerate(rows):
        _throughput(grid.axes[2 * place], row)
        _efficiency(grid.axes[2 * place + 1], row, titled="")
    return _finished(grid, rows)


@styled
def efficiency(
    source: Dataset | ScalingResult,
    *,
    ax: Axes | None = None,
    where: str | None = None,
    by: str | Sequence[str] = ("framework",),
    load: str | None = "connections",
    over: str = "cores",
    metric: str = "throughput",
    errors: Errors = "absolute",
    confidence: float = 0.95,
    include_invalid: bool = False,
    width: float = WIDTH_MM,
) -> Axes:
    """Efficiency X(N)·N₁ / (X(N₁)·N) over cores, a panel for each load; else as `scaling`."""
    found = _result(source, where, by, load, over, metric, errors, confidence, include_invalid)
    rows = _rows(found, keys(load))
    columns = 1 if len(rows) == 1 or (width_mm(ax) if ax else width) < NARROW_MM else 2
    grid = layout.panels(
        ax, len(rows), columns=columns, height_mm=_ROW_MM * -(-len(rows) // columns), width_mm=width, sharey=True
    )
    for panel, row in zip(grid.axes, rows, strict=True):
        _efficiency(panel, row, titled=row.heading)
    return _finished(grid, rows)


def _result(
    source: Dataset | ScalingResult, where: str | None, by: str | Sequence[str], load: str | None, over: str,
    metric: str, errors: Errors, confidence: float, include_invalid: bool,
) -> ScalingResult:  # fmt: skip
    if isinstance(source, ScalingResult):
        return source
    return analysis.scaling(
        source, by=keys(by), load=load or None, n=over, metric=metric, where=where, errors=errors,
        confidence=confidence, include_invalid=include_invalid,
    )  # fmt: skip


def _rows(found: ScalingResult, load: Sequence[str]) -> list[_Row]:
    """The curves of two N or more, by study and load."""
    outer = [key for key in found.keys if key in {"study", *load}]
    inner = [key for key in found.keys if key not in outer]
    several = found.points.groupby(list(found.keys), dropna=False)[found.n].transform("size") > 1
    points = found.points[several]
    if points.empty:
        raise NothingToPlotError(f"no curve has two values of {found.n}: there is nothing to draw")
    colours = looks(value for group in groups(points, outer).values() for value in groups(group, inner))
    peaks = found.fits[found.fits["supported"].astype(bool) & found.fits["peak"].notna()]
    varied = [key for key in outer if len(points[key].unique()) > 1]
    lines, limits, tops = (groups(table, outer) for table in (found.curves, found.limits, peaks))
    none = found.limits.iloc[:0]
    return [
        _Row(
            found,
            named(varied, [part for key, part in zip(outer, value, strict=True) if key in varied]),
            groups(frame, inner),
            groups(lines.get(value, none), inner),
            groups(limits.get(value, none), inner),
            groups(tops.get(value, none), inner),
            colours,
        )
        for value, frame in groups(points, outer).items()
    ]


def _throughput(ax: Axes, row: _Row) -> None:
    """Rates over N, from 0 on, so that half as much is half as high."""
    n, value = row.result.n, row.result.metric
    for labels in row.points:
        _curve(ax, row, labels)
        _measured(ax, row, labels)
        _peak(ax, row, labels)
    drawn = [frame[[value, "hi"]].to_numpy(float) for frame in (*row.points.values(), *row.lines.values())]
    ax.set_ylim(0, 1.06 * float(np.nanmax(np.concatenate(drawn))))
    ax.set_xlim(0, 1.03 * max(points[n].max() for points in row.points.values()))
    ticks.linear(ax.yaxis, row.result.unit)
    _linear(ax, row)
    what = quantity(value, row.result.unit)
    title(ax, f"{row.heading}: {what[:1].lower()}{what[1:]}" if row.heading else what)


def _efficiency(ax: Axes, row: _Row, titled: str) -> None:
    """Shares of linear scaling over N, each step twice as many."""
    n = row.result.n
    ax.axhline(1, color=MUTED, linestyle=_DASHED, linewidth=0.8, zorder=1)
    for labels, points in row.points.items():
        usable = points[points["usable"]]
        _dotted_where_limited(ax, row, labels, usable[n], usable["efficiency_ratio"])
        _markers(ax, row, labels, "efficiency_ratio")
    ax.set_xscale("log", base=2)
    ax.set_ylim(0, max(1.06, 1.06 * max(points["efficiency_ratio"].max() for points in row.points.values())))
    ticks.linear(ax.yaxis, "ratio")
    title(ax, f"{titled}: share of linear scaling" if titled else "Efficiency, share of linear scaling")


def _curve(ax: Axes, row: _Row, labels: Labels) -> None:
    """The supported law with its band; where none is, thin lines between points."""
    n, value, look = row.result.n, row.result.metric, row.looks[labels]
    line = row.lines.get(labels)
    if line is None:
        points = row.points[labels]
        usable = points[points["usable"]]
        ax.plot(usable[n], usable[value], color=look.colour, linewidth=_THIN, alpha=0.7)
        return
    _dotted_where_limited(ax, row, labels, line[n], line[value])
    if line["lo"].notna().all():
        ax.fill_between(line[n], line["lo"], line["hi"], color=look.colour, alpha=0.15, linewidth=0)


def _dotted_where_limited(ax: Axes, row: _Row, labels: Labels, n: pd.Series[Any], values: pd.Series[Any]) -> None:
    """A line whose part from where something else than N limits it is dotted."""
    look, start = row.looks[labels], row.limited_from(labels)
    for part, dash in ((n <= start, look.dash), (n >= start, _DOTTED)):
        if part.sum() > 1:
            ax.plot(n[part], values[part], color=look.colour, linestyle=dash)


def _measured(ax: Axes, row: _Row, labels: Labels) -> None:
    """A marker for each N, with the interval of its median if it has one; invalid runs are crosses."""
    n, value, points = row.result.n, row.result.metric, row.points[labels]
    invalid, known = points[~points["usable"]], points[points["usable"]].dropna(subset=["lo", "hi"])
    ax.vlines(known[n], known["lo"], known["hi"], color=row.looks[labels].colour, linewidth=1.0)
    _markers(ax, row, labels, value)
    ax.plot(invalid[n], invalid[value], linestyle="", marker="x", color=INVALID)


def _markers(ax: Axes, row: _Row, labels: Labels, value: str) -> None:
    """Usable points; those that something else than N limits are filled with grey."""
    n, look, points = row.result.n, row.looks[labels], row.points[labels]
    limited = points[n] >= row.limited_from(labels)
    for part, face in ((points[points["usable"] & ~limited], "white"), (points[points["usable"] & limited], BAR)):
        ax.plot(part[n], part[value], linestyle="", marker=look.marker, color=look.colour, markerfacecolor=face)


def _linear(ax: Axes, row: _Row) -> None:
    """What the steepest curve would be if N times as many did N times as much, as far as it is in sight."""
    n, value = row.result.n, row.result.metric
    first = pd.concat([points[points["usable"]].head(1) for points in row.points.values()])
    if first.empty:
        return
    slope = float((first[value] / first[n]).max())
    end, top = ax.get_xlim()[1], ax.get_ylim()[1]
    reach = min(end, top / slope)
    ax.plot([0, reach], [0, slope * reach], color=MUTED, linestyle=_DASHED, linewidth=0.8, zorder=1)
    left = reach > end / 4
    ax.annotate(
        "linear", (0.93 * reach, 0.93 * slope * reach), xytext=(-5 if left else 5, 0), textcoords="offset points",
        ha="right" if left else "left", va="center", fontsize=_SMALL, color=MUTED,
    )  # fmt: skip


def _peak(ax: Axes, row: _Row, labels: Labels) -> None:
    """A bar along the interval of the N where the curve turns; its name says the N."""
    fit, line, n, value = row.peaks.get(labels), row.lines.get(labels), row.result.n, row.result.metric
    if fit is None or line is None or not _peak_of(row, labels):
        return
    low, high = (float(fit[column].iloc[0]) for column in ("peak_lo", "peak_hi"))
    reach = max(low, line[n].min()), min(high, line[n].max())
    ax.hlines(float(line[value].max()), *reach, color=row.looks[labels].ink, linewidth=3, alpha=0.5)


def _peak_of(row: _Row, labels: Labels) -> str:
    """``, peak 34`` where the data show one within the measurements; beyond them it is a guess."""
    fit, line = row.peaks.get(labels), row.lines.get(labels)
    if fit is None or line is None or fit["peak"].iloc[0] > line[row.result.n].max():
        return ""
    return f", peak {fit['peak'].iloc[0]:.1f}"


def _finished(grid: layout.Panels, rows: Sequence[_Row]) -> Axes:
    """Axes over N, names, notes and the data, when all panels are there."""
    notes = list(_notes(rows))
    if notes:
        layout.note(grid, "  ".join(notes))
    result = rows[0].result
    ends: dict[Axes, list[End]] = {}
    per_row = len(grid.axes) // len(rows)
    for at, ax in enumerate(grid.axes):
        row = rows[at // per_row]
        ax.set_xlabel(called(result.n))
        every = [float(value) for points in row.points.values() for value in points[result.n]]
        ticks.at_values(ax.xaxis, every, base=2 if ax.get_xscale() == "log" else None)
        value = "efficiency_ratio" if ax.get_xscale() == "log" else result.metric
        ends[ax] = [_end(row, labels, value) for labels in row.points]
    layout.label_panels(ends)
    return remember(grid.host, _frame(rows))


def _end(row: _Row, labels: Labels, value: str) -> End:
    """Where the line ends, or the points where there is none."""
    points = row.points[labels]
    drawn = row.lines.get(labels) if value == row.result.metric else None
    if drawn is None:
        drawn = points[points["usable"]] if points["usable"].any() else points
    last = drawn.iloc[-1]
    peak = _peak_of(row, labels) if value == row.result.metric else ""
    return End(float(last[row.result.n]), float(last[value]), name(labels) + peak, row.looks[labels].ink)


def _notes(rows: Sequence[_Row]) -> Iterator[str]:
    points = [frame for row in rows for frame in row.points.values()]
    limited = [(row, labels) for row in rows for labels in row.points if labels in row.limits]
    looks = dict.fromkeys(look for row, labels in limited for look in _limited_looks(row, labels))
    if looks:
        codes = dict.fromkeys(code for row, labels in limited for code in row.limits[labels]["code"])
        why = ", ".join(sorted(map(name_of, codes)))
        yield f"{' and '.join(looks).capitalize()}: something else than {rows[0].result.n} limits the rate ({why})."
    if any(labels not in row.lines for row in rows for labels in row.points):
        yield "Thin: joins the points, no law is supported."
    if all((frame["runs"] == 1).all() for frame in points):
        yield "Each marker is one run: no intervals."
    if not all(frame["usable"].all() for frame in points):
        yield "×: invalid runs, not used."


def _limited_looks(row: _Row, labels: Labels) -> Iterator[str]:
    """What shows in the figure that something else than N limits a curve: a single step of a line is not dotted."""
    start, n = row.limited_from(labels), row.result.n
    points = row.points[labels][row.points[labels]["usable"]]
    if any((drawn[n] >= start).sum() > 1 for drawn in (points, row.lines.get(labels, points))):
        yield "dotted lines"
    if (points[n] >= start).any():
        yield "grey markers"


def _frame(rows: Sequence[_Row]) -> pd.DataFrame:
    """What was drawn: a row for each point (``drawn`` is measured) and for each step of a line (fitted)."""
    parts = [
        frame.assign(drawn=drawn)
        for row in rows
        for drawn, frames in (("measured", row.points), ("fitted", row.lines))
        for frame in frames.values()
    ]
    found = pd.concat(parts, ignore_index=True)
    result = rows[0].result
    columns = (
        *result.keys,
        "drawn",
        result.n,
        result.metric,
        "lo",
        "hi",
        "efficiency_ratio",
        "runs",
        "invalid",
        "usable",
    )
    return found[list(columns)]
