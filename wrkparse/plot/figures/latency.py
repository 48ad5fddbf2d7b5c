"""Latency distributions, a line for each run: by percentile as HdrHistogram draws them, or the share slower."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cbook import STEP_LOOKUP_MAP
from matplotlib.transforms import Affine2D, ScaledTranslation

from wrkparse.analysis.latencies import latencies, printed_percentiles
from wrkparse.analysis.wording import counted
from wrkparse.plot import runs
from wrkparse.plot.drawn import remember
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.layout import figure_of, settle
from wrkparse.plot.series import distinct
from wrkparse.plot.style import palette, ticks
from wrkparse.plot.style.house import OWN, WIDTH_MM, dress, new_axes, styled, title

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_WANTED = {0.5: "p50", 0.99: "p99", 0.999: "p99.9"}
_DOTTED = (0, (1, 1.6))
_UNCORRECTED = (0, (5, 1.6))
_LOG_FROM = 20.0  # the largest over the smallest latency from which ratios matter more than differences
_LONGEST = 48  # of a name, in columns of a terminal
_NAMES = 0.5  # of the width of the axes, at most; longer names are cut
_STEP, _MOST_STEPS = 1.08, 8  # an axis is widened for the table by so much at a time: to 1.85 times its length at most
_LEADING, _SAMPLE, _NUMBER, _LETTER, _MARGIN = 11.0, 22.0, 42.0, 4.1, 6.0  # points


@dataclass(frozen=True, slots=True)
class _Curve:
    """One run's distribution: `stated` has the percentiles for the small table."""

    run: str
    word: str
    look: palette.Look
    dash: Any
    points: pd.DataFrame
    stated: dict[float, float]

    @property
    def name(self) -> str:
        return self.run + self.word


def latency(ds: Dataset, *, ax: Axes | None = None, where: str | None = None, width: float = WIDTH_MM) -> Axes:
    """Latency (up) by percentile, on an axis of 1 / (1 − p), a line per run (`wrkparse.analysis.latencies`).

    A spectrum is a line, dashed if it leaves out the time for which requests were held back (uncorrected). Of a report
    that prints a few percentiles these are points, and dotted steps: up to a percentile no latency is longer than its
    own. The last point is the maximum, at one of n. Up to 12 lines have a name and their p50, p99 and p99.9 as printed.
    NothingToPlotError: no run of these prints percentiles.
    """
    return _drawn(ds, ax, where, width, tail=False)


def ccdf(ds: Dataset, *, ax: Axes | None = None, where: str | None = None, width: float = WIDTH_MM) -> Axes:
    """The share of requests slower than a latency, both logarithmic (complementary CDF): `latency`, turned."""
    return _drawn(ds, ax, where, width, tail=True)


@styled
def _drawn(ds: Dataset, ax: Axes | None, where: str | None, width: float, *, tail: bool) -> Axes:
    table = latencies(ds, where=where)
    table = table[table["slower_ratio"].notna()]
    if table.empty:
        raise NothingToPlotError("no run prints latency percentiles (wrk --latency, wrk2 --latency, ab)")
    curves = _curves(ds, table)
    one = new_axes(width, 84.0) if ax is None else dress(ax)
    title(one, "Share of requests slower than a latency" if tail else "Latency by percentile of requests")
    log = tail or _spread(table) > _LOG_FROM
    for curve in curves:
        _line(one, curve, named=len(curves) <= runs.MOST_NAMED, tail=tail, log=log)
    (_tail_axes if tail else _percentile_axes)(one, table, log=log)
    zeros = int((table["value_s"] <= 0).sum()) if log else 0
    many = f"{len(curves)} distributions" if len(curves) > runs.MOST_NAMED else ""
    left_out = f"{counted(zeros, 'latency', 'latencies')} printed as 0 left out" if zeros else ""
    _note(one, ", ".join(filter(None, (many, left_out))), tail=tail)
    settle(one)
    if not many:
        _table(one, curves, tail=tail, noted=bool(left_out))
    settle(one)
    return remember(one, table)


def _spread(table: pd.DataFrame) -> float:
    positive = table.loc[table["value_s"] > 0, "value_s"]
    return float(positive.max() / positive.min()) if len(positive) else 1.0


def _curves(ds: Dataset, table: pd.DataFrame) -> list[_Curve]:
    names = runs.names(ds.runs, table["run"])
    cut = dict(zip(names, distinct(list(names.values()), _LONGEST), strict=True))
    stated = printed_percentiles(ds, _WANTED)
    found = []
    for slot, (run, name) in enumerate(cut.items()):
        of = table[table["run"] == run]
        for corrected, points in of.groupby("corrected", dropna=False, sort=False):
            plain = pd.isna(corrected)
            numbers = stated[
                (stated["run"] == run) & (stated["corrected"].isna() if plain else stated["corrected"].eq(corrected))
            ]
            word = "" if plain else ", corrected" if corrected else ", uncorrected"
            found.append(
                _Curve(
                    name, word, palette.look(slot), "solid" if plain or corrected else _UNCORRECTED,
                    points.sort_values("percentile", kind="stable"),
                    dict(zip(numbers["percentile"], numbers["value_s"], strict=True)),
                )
            )  # fmt: skip
    return found


def _line(ax: Axes, curve: _Curve, *, named: bool, tail: bool, log: bool) -> None:
    points = curve.points[curve.points["value_s"] > 0] if log else curve.points
    value, place = points["value_s"], points["slower_ratio"] if tail else 1 / points["slower_ratio"]
    x, y = (value, place) if tail else (place, value)
    printed = points["detail"].eq("printed").all()
    colour = curve.look.colour if named else palette.MUTED
    ax.plot(
        x, y, color=colour, gid=curve.name, linewidth=1.4 if named else 0.6,
        linestyle=_DOTTED if printed else curve.dash,
        drawstyle="default" if not printed else "steps-post" if tail else "steps-pre",
        marker=curve.look.marker if printed and named else "", markerfacecolor="white",
    )  # fmt: skip


def _percentile_axes(ax: Axes, table: pd.DataFrame, *, log: bool) -> None:
    most = float(1 / table["slower_ratio"].min())
    ax.set_xscale("log")
    ax.set_xlim(1, max(most * 1.3, 20))
    powers = (10.0**at for at in range(int(math.log10(ax.get_xlim()[1])) + 1))
    ticks.at_values(ax.xaxis, [2.0, *powers], text=_percentile)
    ax.grid(visible=True, axis="x")
    ax.set_xlabel("percentile")
    positive = table.loc[table["value_s"] > 0, "value_s"]
    if log:
        ax.set_yscale("log")
        ax.set_ylim(float(positive.min()) / 1.15, float(positive.max()) * 1.15)
        ticks.log(ax.yaxis, "s")
    else:
        ax.set_ylim(0, 1.06 * float(table["value_s"].max()) or 1)
        ticks.linear(ax.yaxis, "s")


def _tail_axes(ax: Axes, table: pd.DataFrame, *, log: bool) -> None:
    positive = table.loc[table["value_s"] > 0, "value_s"]
    if positive.empty:
        raise NothingToPlotError("all latencies are printed as 0")
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_ylim(float(table["slower_ratio"].min()) / 1.4, 1.15)
    ax.set_xlim(float(positive.min()) / 1.15, float(positive.max()) * 1.15)
    ticks.log(ax.yaxis, "ratio")
    ticks.log(ax.xaxis, "s")
    ax.grid(visible=True, axis="x")
    ax.set_xlabel("latency")


def _percentile(value: float) -> str:
    """``99 %`` for 100: one of so many requests was slower."""
    return f"{100 * (1 - 1 / value):.10g}\N{NO-BREAK SPACE}%"


def _note(ax: Axes, text: str, *, tail: bool) -> None:
    ax.text(
        0.02 if tail else 0.98, 0.03, text, transform=ax.transAxes, ha="left" if tail else "right", fontsize=8,
        color=palette.MUTED, gid="note",
    )  # fmt: skip


def _table(ax: Axes, curves: list[_Curve], *, tail: bool, noted: bool) -> None:
    """Names with their percentiles in a corner that the lines leave free, as many columns as there is room for.

    Below the axes where no corner is free, even on a longer axis. `noted`: the note stands in the lower one of the two
    corners, and has its line there.
    """
    points = 72 / figure_of(ax).dpi
    width, height = ax.bbox.width * points, ax.bbox.height * points
    names = _cut(curves, int((_NAMES * width - _SAMPLE) / _LETTER))
    widest = _SAMPLE + _LETTER * max(map(len, names))
    wanted = [level for level in _WANTED if any(level in curve.stated for curve in curves)]
    columns = wanted[: max(0, int((0.7 * width - widest) / _NUMBER))]
    size = widest + _NUMBER * len(columns) + _MARGIN, _LEADING * (len(curves) + bool(columns) + noted) + _MARGIN
    (right, top), free = _corner(ax, size[0] / width, size[1] / height, tail=tail)
    left = width - size[0] if right else _MARGIN
    begin = height if top else size[1]
    if not free:  # below the axes no line can cross it, and names have room
        names = _cut(curves, int((width - _SAMPLE - _NUMBER * len(wanted)) / _LETTER))
        columns, widest = wanted, _SAMPLE + _LETTER * max(map(len, names))
        left, begin = 0.0, -_below(ax) * points - _LEADING / 2
        _grow(ax, size[1] / 72)

    def put(x: float, row: int, text: str, **look: Any) -> None:
        ax.annotate(
            text, (0, 0), xycoords="axes fraction", xytext=(left + x, begin - _LEADING * (row + 0.5)),
            textcoords="offset points", va="center", fontsize=8, in_layout=not free, annotation_clip=False, **look,
        )  # fmt: skip

    for place, level in enumerate(columns):
        put(widest + _NUMBER * (place + 1) - 4, 0, _WANTED[level], ha="right", color=palette.MUTED)
    for row, (curve, name) in enumerate(zip(curves, names, strict=True), start=bool(columns)):
        _sample(ax, curve, (left, left + _SAMPLE - 6), begin - _LEADING * (row + 0.5))
        put(_SAMPLE, row, name, ha="left", color=curve.look.ink, fontweight=600, gid="name")
        for place, level in enumerate(columns):
            if level in curve.stated:
                number = ticks.reader(curve.stated[level], "s", 3)
                put(widest + _NUMBER * (place + 1) - 4, row, number, ha="right", color=palette.TEXT)


def _cut(curves: list[_Curve], letters: int) -> list[str]:
    """The curves' names in so many letters, if that leaves some of the runs'."""
    room = max(8, letters - max(len(curve.word) for curve in curves))
    return [run + curve.word for run, curve in zip(distinct([one.run for one in curves], room), curves, strict=True)]


def _below(ax: Axes) -> float:
    """How far the axis with its numbers and its name reaches down, in pixels."""
    box = ax.xaxis.get_tightbbox()
    return float(ax.bbox.y0 - box.y0) if box else 0.0


def _grow(ax: Axes, inches: float) -> None:
    """Make a figure of ours higher, so that what is put below its axes takes nothing from them."""
    figure = figure_of(ax)
    if figure in OWN:
        width, height = figure.get_size_inches()
        figure.set_size_inches(width, height + inches)


def _sample(ax: Axes, curve: _Curve, x: tuple[float, float], y: float) -> None:
    """A piece of the curve's line, at points from the lower left of the axes."""
    printed = curve.points["detail"].eq("printed").all()
    from_corner = figure_of(ax).dpi_scale_trans + ScaledTranslation(0, 0, ax.transAxes)  # type: ignore[arg-type]  # any transform does
    ax.plot(
        x, (y, y), transform=Affine2D().scale(1 / 72) + from_corner, color=curve.look.colour, linewidth=1.4,
        linestyle=_DOTTED if printed else curve.dash, marker=curve.look.marker if printed else "",
        markerfacecolor="white", markersize=3.6, gid="sample", clip_on=False,
    )  # fmt: skip


def _corner(ax: Axes, width: float, height: float, *, tail: bool) -> tuple[tuple[bool, bool], bool]:
    """The corner (right, top) for a table of this share of the axes, and whether no line crosses it.

    Lines rise to the right, or fall as a tail: two corners are free as a rule. If neither is, the vertical axis (of a
    tail the horizontal one) is widened until the upper one is, within reason; if that is in vain it stays as it was.
    """
    upper, lower = ((True, True), (False, False)) if tail else ((False, True), (True, False))
    for corner in (upper, lower):
        if not _crossed(ax, corner, width, height):
            return corner, True
    before = ax.get_xlim(), ax.get_ylim()
    for _ in range(_MOST_STEPS):
        _widen(ax, tail=tail)
        if not _crossed(ax, upper, width, height):
            return upper, True
    ax.set(xlim=before[0], ylim=before[1])
    return upper, False


def _widen(ax: Axes, *, tail: bool) -> None:
    if tail:
        low, high = np.log(ax.get_xlim())
        ax.set_xlim(right=math.exp(low + (high - low) * _STEP))
    elif ax.get_yscale() == "log":
        low, high = np.log(ax.get_ylim())
        ax.set_ylim(top=math.exp(low + (high - low) * _STEP))
    else:
        ax.set_ylim(top=ax.get_ylim()[1] * _STEP)


def _crossed(ax: Axes, corner: tuple[bool, bool], width: float, height: float) -> bool:
    """Whether a line runs through the corner, on steps or straight from point to point."""
    right, top = corner
    along = np.linspace(0, 1, 200)[:, None]
    for line in ax.get_lines():
        drawn = STEP_LOOKUP_MAP[line.get_drawstyle()](*np.asarray(line.get_xydata(), float).T)
        places = ax.transAxes.inverted().transform(ax.transData.transform(np.column_stack(drawn)))
        dense = (places[:-1, None] + along * np.diff(places, axis=0)[:, None]).reshape(-1, 2)
        x = dense[:, 0] >= 1 - width if right else dense[:, 0] <= width
        y = dense[:, 1] >= 1 - height if top else dense[:, 1] <= height
        if (x & y).any():
            return True
    return False
