"""Pauses of a Go process over time: a stem for each, points without stems, or columns with the range of many."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.text import Text

from wrkparse.analysis.go.gc import timeline
from wrkparse.analysis.wording import counted
from wrkparse.plot.layout import LineEnd, figure_of
from wrkparse.plot.marks import marks_of, show_setting
from wrkparse.plot.style import palette, ticks

STEM_MM = 2.4  # the width of the axes that a collection with stems needs, so that stems do not become a block
TEXT_BACKGROUND = {"facecolor": "white", "alpha": 0.8, "linewidth": 0, "pad": 0.8}  # of text over pauses and marking
_MOST_POINTS = 1500  # more lie on each other, and make large files
_PAUSE_STYLES = {kind: palette.series_style(index) for kind, index in zip(timeline.KINDS, (1, 0, 3, 6), strict=True)}


def draw_pauses(
    ax: Axes, pauses: pd.DataFrame, x: str, room_mm: float, intervals: int, slo_s: float | None
) -> tuple[list[LineEnd], pd.DataFrame, str]:
    """Draw pauses over the column `x`; return the labels of their kinds, what was drawn, and a note on it.

    If the collections have less than `STEM_MM` of `room_mm` each, pauses have no stems. If there are too many points,
    columns are drawn for each of the `intervals`.
    """
    cycles = len(set(pauses["gc"]))
    least, most = _pause_limits(pauses, slo_s)
    ax.set_yscale("log")
    ax.set_ylim(least, most)
    ticks.set_log(ax.yaxis, "s")
    if len(pauses) > _MOST_POINTS:
        drawn = timeline.spread(pauses, x, intervals)
        note = f"{counted(cycles, 'collection')} in {intervals} intervals: from the shortest to the longest pause of"
        return _draw_columns(ax, drawn), drawn, f"{note} each kind, with a line at the median."
    with_stems = cycles <= room_mm / STEM_MM
    note = "" if with_stems else f"{counted(cycles, 'collection')}: a point for each pause."
    return _draw_points(ax, pauses, x, least, with_stems=with_stems), pauses, note


def _draw_points(ax: Axes, drawn: pd.DataFrame, x: str, least: float, *, with_stems: bool) -> list[LineEnd]:
    """Draw a point for each pause, with stems from the bottom if there is room; return the labels of the kinds."""
    size = 3.0 if with_stems else 2.2
    ends = []
    for kind, pauses in drawn.groupby("kind"):
        style = _PAUSE_STYLES[str(kind)]
        positive, zero = pauses[pauses["pause_s"] > 0], pauses[pauses["pause_s"] == 0]
        with marks_of(ax, str(kind)):
            if with_stems:
                _draw_stems(ax, positive, x, least, style.colour, str(kind))
            ax.plot(
                positive[x], positive["pause_s"], style.marker, color=style.colour, markersize=size, markeredgewidth=0,
                alpha=None if with_stems else 0.75, gid=str(kind),
            )  # fmt: skip
            if not zero.empty:
                ax.plot(
                    zero[x], zero["below_s"], style.marker, color=style.colour, markerfacecolor="white",
                    markersize=size, markeredgewidth=0.7, clip_on=False, gid=f"below {kind}",
                )  # fmt: skip
        last = pauses.iloc[-1]
        height = max(float(last["pause_s"]), float(last["below_s"]))
        ends.append(LineEnd(float(drawn[x].max()), height, str(kind), style.text_colour, str(kind)))
    return ends


def _draw_stems(ax: Axes, positive: pd.DataFrame, x: str, least: float, colour: str, kind: str) -> None:
    """Draw the stems of the pauses of one kind, as one path."""
    gap = np.full(len(positive), np.nan)
    stems = np.column_stack([positive[x], positive[x], gap]).astype(float)
    # NaN after each stem: the path is not drawn from its end to the next stem.
    heights = np.column_stack([np.full(len(positive), least), positive["pause_s"], gap])
    ax.plot(
        stems.ravel(), heights.ravel(), color=colour, linewidth=0.8, solid_capstyle="butt", gid=f"stems {kind}"
    )  # fmt: skip


def _draw_columns(ax: Axes, drawn: pd.DataFrame) -> list[LineEnd]:
    """Draw a column from the shortest to the longest pause of each kind and interval, with a line at the median."""
    ends = []
    for kind, rows in drawn.groupby("kind"):
        style = _PAUSE_STYLES[str(kind)]
        numbers = rows[["from", "until", "low_s", "median_s", "high_s"]].to_numpy(float)
        corners = [[(a, low), (b, low), (b, high), (a, high)] for a, b, low, _, high in numbers]
        columns = PolyCollection(corners, facecolor=style.colour, alpha=0.3, linewidth=0, gid=f"columns {kind}")
        with marks_of(ax, str(kind)):
            ax.add_collection(columns, autolim=False)
            ax.hlines(
                rows["median_s"], rows["from"], rows["until"], color=style.colour, linewidth=1.6, gid=f"medians {kind}"
            )  # fmt: skip
        ends.append(
            LineEnd(float(drawn["until"].max()), float(numbers[-1][3]), str(kind), style.text_colour, str(kind))
        )
    return ends


def _pause_limits(drawn: pd.DataFrame, slo_s: float | None) -> tuple[float, float]:
    """Limits of the y axis: from the decade of the smallest pause, with room above the largest for its label."""
    # A pause printed as 0 is drawn at its upper bound.
    shown = drawn["pause_s"].where(drawn["pause_s"] > 0, drawn["below_s"])
    high = max(float(shown.max()), slo_s or 0.0)
    # The label needs 12 % of the logarithmic axis, and a factor of 1.6 if all pauses are nearly alike.
    return float(10 ** np.floor(np.log10(shown.min()))), high * (high / float(shown.min())) ** 0.12 * 1.6


def name_longest_pause(ax: Axes, pauses: pd.DataFrame, x: str) -> None:
    """Mark the longest of the pauses and name it; the limits of the axes must be set."""
    worst = pauses.iloc[int(pauses["pause_s"].to_numpy(float).argmax())]
    if not worst["pause_s"] > 0:
        below = ticks.format_number(float(pauses["below_s"].max()), "s")
        text = f"all pauses are printed as 0: less than {below}"
        ax.text(0.5, 0.5, text, transform=ax.transAxes, ha="center", color=palette.MUTED)
        return
    # gctrace prints few digits (`0.018`, `1.3`), so that several pauses may be the longest.
    equal = int((pauses["pause_s"] == worst["pause_s"]).sum())
    which = f"{worst['kind']} of GC {worst['gc']}" if equal == 1 else f"{equal:,} times"
    low, high = ax.get_xlim()
    right = float(worst[x]) < (low + high) / 2
    colour = _PAUSE_STYLES[worst["kind"]].text_colour
    place = float(worst[x]), float(worst["pause_s"])
    (ring,) = ax.plot(
        *place, "o", color=colour, markerfacecolor="none", markersize=6, markeredgewidth=1.0, gid="worst mark"
    )
    label = ax.annotate(
        f"worst: {ticks.format_number(float(worst['pause_s']), 's')}, {which}",
        place, xytext=(12 if right else -12, 9), textcoords="offset points", ha="left" if right else "right",
        va="center", color=colour, fontsize=8, fontweight=600, gid="worst", in_layout=False, bbox=TEXT_BACKGROUND,
        arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.8, "shrinkA": 0, "shrinkB": 3},
    )  # fmt: skip
    show_setting(str(worst["kind"]), ring, label)
    label.get_window_extent()  # places the text
    box, points = Text.get_window_extent(label), 72 / figure_of(ax).dpi  # without the leader
    # The layout does not know this label: it is moved back into the figure by hand.
    overhang = max(box.x1 - figure_of(ax).bbox.x1, 0) + min(box.x0 - ax.bbox.x0, 0)
    label.set_position((label.get_position()[0] - overhang * points, 9))
