"""Latency distributions, a line for each run: latency by percentile, or the share of slower requests by latency."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pandas as pd
from matplotlib.axes import Axes

from wrkparse.analysis.runs.latencies import latencies, printed_percentiles
from wrkparse.analysis.wording import counted
from wrkparse.plot import runs
from wrkparse.plot.drawn import remember
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.figures.latency_table import DOTTED, PERCENTILES, Curve, add_table
from wrkparse.plot.layout import arrange
from wrkparse.plot.names import shorten_distinct
from wrkparse.plot.style import palette, ticks
from wrkparse.plot.style.house import WIDTH_MM, apply_style, in_house_style, new_axes, set_title

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_UNCORRECTED = (0, (5, 1.6))
_MAX_LINEAR_RANGE = 20.0  # if the largest latency is more than 20 times the smallest, the axis is logarithmic
_MAX_NAME_WIDTH = 48  # in columns of a terminal


def latency(ds: Dataset, *, ax: Axes | None = None, where: str | None = None, width: float = WIDTH_MM) -> Axes:
    """Latency by percentile, a line per run, on the axis of HdrHistogram: 1 / (1 − p).

    - A spectrum is a line. It is dashed if it is uncorrected: without the time for which requests waited to be sent.
    - A few printed percentiles are points with dotted steps: a step is the upper bound of all latencies up to the
      percentile. The last point is the maximum, drawn as the percentile of 1 in n requests.
    - Up to 12 lines have a name, with their p50, p99 and p99.9 as printed.

    The numbers come from `wrkparse.analysis.runs.latencies`. Raises NothingToPlotError if no run prints percentiles.
    """
    return _draw(ds, ax, where, width, tail=False)


def ccdf(ds: Dataset, *, ax: Axes | None = None, where: str | None = None, width: float = WIDTH_MM) -> Axes:
    """The share of requests slower than a latency (complementary CDF), on logarithmic axes; lines as in `latency`."""
    return _draw(ds, ax, where, width, tail=True)


@in_house_style
def _draw(ds: Dataset, ax: Axes | None, where: str | None, width: float, *, tail: bool) -> Axes:
    table = latencies(ds, where=where)
    table = table[table["slower_ratio"].notna()]
    if table.empty:
        raise NothingToPlotError("no run prints latency percentiles (wrk --latency, wrk2 --latency, ab)")
    curves = _curves(ds, table)
    one = new_axes(width, 84.0) if ax is None else apply_style(ax)
    set_title(one, "Share of requests slower than a latency" if tail else "Latency by percentile of requests")
    log = tail or _range_ratio(table) > _MAX_LINEAR_RANGE
    for curve in curves:
        _draw_line(one, curve, named=len(curves) <= runs.MAX_NAMED, tail=tail, log=log)
    (_set_tail_axes if tail else _set_percentile_axes)(one, table, log=log)
    zeros = int((table["value_s"] <= 0).sum()) if log else 0
    many = f"{len(curves)} distributions" if len(curves) > runs.MAX_NAMED else ""
    left_out = f"{counted(zeros, 'latency', 'latencies')} printed as 0 left out" if zeros else ""
    _add_note(one, ", ".join(filter(None, (many, left_out))), tail=tail)
    arrange(one)
    if not many:
        add_table(one, curves, tail=tail, note=bool(left_out))
    arrange(one)
    return remember(one, table)


def _range_ratio(table: pd.DataFrame) -> float:
    """The largest latency over the smallest positive one."""
    positive = table.loc[table["value_s"] > 0, "value_s"]
    return float(positive.max() / positive.min()) if len(positive) else 1.0


def _curves(ds: Dataset, table: pd.DataFrame) -> list[Curve]:
    """A curve for each run, and for wrk2 one each for corrected and uncorrected latencies."""
    names = runs.run_names(ds.runs, table["run"])
    short = dict(zip(names, shorten_distinct(list(names.values()), _MAX_NAME_WIDTH), strict=True))
    percentiles = printed_percentiles(ds, PERCENTILES)
    curves = []
    for index, (run, name) in enumerate(short.items()):
        for corrected, points in table[table["run"] == run].groupby("corrected", dropna=False, sort=False):
            plain = pd.isna(corrected)  # not by wrk2: there is one distribution
            same = percentiles["corrected"].isna() if plain else percentiles["corrected"].eq(corrected)
            printed = percentiles[(percentiles["run"] == run) & same]
            suffix = "" if plain else ", corrected" if corrected else ", uncorrected"
            curves.append(
                Curve(
                    name, suffix, palette.series_style(index), "solid" if plain or corrected else _UNCORRECTED,
                    points.sort_values("percentile", kind="stable"),
                    dict(zip(printed["percentile"], printed["value_s"], strict=True)),
                )
            )  # fmt: skip
    return curves


def _draw_line(ax: Axes, curve: Curve, *, named: bool, tail: bool, log: bool) -> None:
    points = curve.points[curve.points["value_s"] > 0] if log else curve.points
    seconds, ratio = points["value_s"], points["slower_ratio"]
    x, y = (seconds, ratio) if tail else (1 / ratio, seconds)
    printed = bool(points["detail"].eq("printed").all())
    colour = curve.style.colour if named else palette.MUTED
    ax.plot(
        x, y, color=colour, gid=curve.name, linewidth=1.4 if named else 0.6,
        linestyle=DOTTED if printed else curve.dash,
        drawstyle="default" if not printed else "steps-post" if tail else "steps-pre",
        marker=curve.style.marker if printed and named else "", markerfacecolor="white",
    )  # fmt: skip


def _set_percentile_axes(ax: Axes, table: pd.DataFrame, *, log: bool) -> None:
    most = float(1 / table["slower_ratio"].min())
    ax.set_xscale("log")
    ax.set_xlim(1, max(most * 1.3, 20))
    powers = (10.0**at for at in range(int(math.log10(ax.get_xlim()[1])) + 1))
    ticks.set_at_values(ax.xaxis, [2.0, *powers], text=_percentile)
    ax.grid(visible=True, axis="x")
    ax.set_xlabel("percentile")
    positive = table.loc[table["value_s"] > 0, "value_s"]
    if log:
        ax.set_yscale("log")
        ax.set_ylim(float(positive.min()) / 1.15, float(positive.max()) * 1.15)
        ticks.set_log(ax.yaxis, "s")
    else:
        ax.set_ylim(0, 1.06 * float(table["value_s"].max()) or 1)
        ticks.set_linear(ax.yaxis, "s")


def _set_tail_axes(ax: Axes, table: pd.DataFrame, *, log: bool) -> None:
    positive = table.loc[table["value_s"] > 0, "value_s"]
    if positive.empty:
        raise NothingToPlotError("all latencies are printed as 0")
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_ylim(float(table["slower_ratio"].min()) / 1.4, 1.15)
    ax.set_xlim(float(positive.min()) / 1.15, float(positive.max()) * 1.15)
    ticks.set_log(ax.yaxis, "ratio")
    ticks.set_log(ax.xaxis, "s")
    ax.grid(visible=True, axis="x")
    ax.set_xlabel("latency")


def _percentile(value: float) -> str:
    """The percentile for a value of 1 / (1 − p): ``99 %`` for 100."""
    return f"{100 * (1 - 1 / value):.10g}\N{NO-BREAK SPACE}%"


def _add_note(ax: Axes, text: str, *, tail: bool) -> None:
    ax.text(
        0.02 if tail else 0.98, 0.03, text, transform=ax.transAxes, ha="left" if tail else "right", fontsize=8,
        color=palette.MUTED, gid="note",
    )  # fmt: skip
