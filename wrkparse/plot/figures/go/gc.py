"""Garbage collection of one Go process: STW pauses with marking phases, and the heap with its goal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.text import Text

from wrkparse.analysis.go.gc import timeline
from wrkparse.analysis.shown.numbers import quantity
from wrkparse.plot import runs
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.frames import remember_frame
from wrkparse.plot.layout import LineEnd, add_note, figure_of, label_lines, make_panels
from wrkparse.plot.points import Point, add_points
from wrkparse.plot.style import palette, ticks
from wrkparse.plot.style.house import WIDTH_MM, drawn_width_mm, in_house_style, set_title

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

# The width of a cycle with the stems of two pauses. If there is less for each, intervals of this width are drawn with
# their extremes.
_CYCLE_MM = 1.2
_AXES_SHARE = 0.8  # of the width of the figure: the axes take about this
_MARKING_COLOUR = "#D9DEE3"
_TEXT_BACKGROUND = {
    "facecolor": "white",
    "alpha": 0.8,
    "linewidth": 0,
    "pad": 0.8,
}  # of text over stems and marking phases
_PAUSE_STYLES = {kind: palette.series_style(index) for kind, index in zip(timeline.KINDS, (1, 0, 3, 6), strict=True)}
_HEAP_STYLE = palette.series_style(2)


@in_house_style
def gc(
    ds: Dataset,
    *,
    ax: Axes | None = None,
    where: str | None = None,
    run: str | None = None,
    slo_s: float | None = None,
    width: float = WIDTH_MM,
) -> Axes:
    """STW pauses by kind on a logarithmic axis, with grey marking phases; below, the heap and its goal.

    - `run`: the beginning of a run's identifier; `where`: a condition. Together they must select one gctrace run.
    - `slo_s`: draws a line at the longest tolerable pause, in seconds.

    A pause printed as 0 is a hollow marker at the upper bound of what prints as 0. Go 1.0 to 1.4 print no times; the
    x axis is then the number of the collection. If the cycles have less room than 1.2 mm each, the figure shows
    intervals of time: the longest pause of each kind, the share of time with marking, the extremes of the heap.

    Raises NothingToPlotError if no run fits, or several, or if the run states no pause.
    """
    trace = runs.select_trace(ds, "gctrace", "GODEBUG=gctrace=1", run=run, where=where)
    name = str(trace["run"])
    pauses, heap = timeline.pauses(ds, name), timeline.heap(ds, name)
    timed = bool(pauses["start_s"].notna().any())
    x, at = ("start_s", "at_s") if timed else ("gc", "gc")
    pauses, heap = pauses[pauses[x].notna()], heap[heap[at].notna()]
    if pauses.empty:
        raise NothingToPlotError(f"run {name[:8]} states no pause")
    grid = make_panels(ax, 2, columns=1, height_mm=100.0, heights=[3, 2], sharex=True, width_mm=width)
    upper, lower = grid.axes
    set_title(upper, f"Stop-the-world pauses (log): {runs.trace_title(trace)}")
    set_title(lower, "Heap")
    most = int(drawn_width_mm(grid.host) * _AXES_SHARE / _CYCLE_MM)
    marking = timeline.marking(ds, name)
    _draw_marking(grid.axes, marking, pauses[x].max(), most)
    many = len(set(pauses["gc"])) > most
    drawn = timeline.worst(pauses, x, most) if many else pauses
    ends = _draw_pauses(upper, drawn, x, slo_s, with_markers=len(drawn) <= most)
    heap_ends = _draw_heap(lower, heap, at, most)
    if many:
        counted = f"{len(set(pauses['gc'])):,} collections in {most} intervals"
        add_note(grid, f"{counted}, each with the longest pause of each kind and the extremes of the heap.")
    _set_limits(upper, lower, pauses, heap, x, at)
    lower.set_xlabel(
        "time since the process started" if timed else "number of the collection (this version of Go prints no times)"
    )
    upper.tick_params(labelbottom=False)
    _draw_slo(upper, slo_s)
    label_lines({upper: ends, lower: heap_ends})
    _name_longest_pause(upper, drawn, x)
    add_points(upper, _points(drawn, x, name))
    return remember_frame(grid.host, _drawn_frame(drawn, heap))


def _points(drawn: pd.DataFrame, x: str, run: str) -> Iterator[Point]:
    """The drawn pauses, each with its line of the trace."""
    columns = ["gc", "kind", x, "pause_s", "below_s", "line", "forced"]
    for number, kind, at, pause, below, line, forced in drawn[columns].itertuples(index=False):
        length = quantity(float(pause), "s") if pause > 0 else f"shorter than {quantity(float(below), 's')}"
        when = f" at {quantity(float(at), 's')}" if x == "start_s" else ""
        words = f"collection {number}{when}: {kind} {length}" + (", forced" if forced else "")
        yield Point(float(at), float(pause if pause > 0 else below), str(kind), words, (run,), int(line))


def _draw_marking(axes: list[Axes], marking: pd.DataFrame, last: float, most: int) -> None:
    """Draw marking phases in grey; if there are more than `most`, the share of marking in each interval as a shade."""
    if marking.empty:
        return
    if len(marking) <= most:
        corners = [[(a, 0), (b, 0), (b, 1), (a, 1)] for a, b in zip(marking["start_s"], marking["end_s"], strict=True)]
        for ax in axes:
            spans = PolyCollection(
                corners, facecolor=_MARKING_COLOUR, edgecolor=_MARKING_COLOUR, linewidth=0.3, zorder=0,
                transform=ax.get_xaxis_transform(), gid="marking",
            )  # fmt: skip
            ax.add_collection(spans, autolim=False)
        return
    edges = np.linspace(0, max(last, float(marking["end_s"].max())), most + 1)
    share = timeline.coverage(marking, edges)[None, :]
    for ax in axes:
        ax.imshow(
            1 - 0.3 * share, cmap="gray", vmin=0, vmax=1, aspect="auto", interpolation="nearest", zorder=0,
            extent=(0, edges[-1], 0, 1), transform=ax.get_xaxis_transform(), gid="marking",
        )  # fmt: skip


def _draw_pauses(ax: Axes, drawn: pd.DataFrame, x: str, slo_s: float | None, *, with_markers: bool) -> list[LineEnd]:
    """Draw pauses as stems, one path for each kind; return the labels of the kinds."""
    least, most = _pause_limits(drawn, slo_s)
    ends = []
    for kind, pauses in drawn.groupby("kind"):
        style = _PAUSE_STYLES[str(kind)]
        positive = pauses[pauses["pause_s"] > 0]
        gap = np.full(len(positive), np.nan)
        stems = np.column_stack([positive[x], positive[x], gap]).astype(float)
        heights = np.column_stack([np.full(len(positive), least), positive["pause_s"], gap])
        ax.plot(
            stems.ravel(),
            heights.ravel(),
            color=style.colour,
            linewidth=0.8,
            solid_capstyle="butt",
            gid=f"stems {kind}",
        )
        if with_markers:
            ax.plot(
                positive[x],
                positive["pause_s"],
                style.marker,
                color=style.colour,
                markersize=3,
                markeredgewidth=0,
                gid=str(kind),
            )
        zero = pauses[pauses["pause_s"] == 0]
        if not zero.empty:
            ax.plot(
                zero[x], zero["below_s"], style.marker, color=style.colour, markerfacecolor="white", markersize=3,
                markeredgewidth=0.7, clip_on=False, gid=f"below {kind}",
            )  # fmt: skip
        last = pauses.iloc[-1]
        ends.append(
            LineEnd(
                float(drawn[x].max()), max(float(last["pause_s"]), float(last["below_s"])), str(kind), style.text_colour
            )
        )
    ax.set_yscale("log")
    ax.set_ylim(least, most)
    ticks.set_log(ax.yaxis, "s")
    return ends


def _pause_limits(drawn: pd.DataFrame, slo_s: float | None) -> tuple[float, float]:
    """Limits of the y axis: from the decade of the smallest pause, with room above the largest for its label."""
    shown = drawn["pause_s"].where(drawn["pause_s"] > 0, drawn["below_s"])
    high = max(float(shown.max()), slo_s or 0.0)
    return float(10 ** np.floor(np.log10(shown.min()))), high * (high / float(shown.min())) ** 0.12 * 1.6


def _draw_heap(ax: Axes, heap: pd.DataFrame, at: str, most: int) -> list[LineEnd]:
    """Draw the heap, or its envelope if there are over `most` cycles, and the goal as steps; return their labels.

    A step of the goal ends with the cycle that it was set for.
    """
    if heap.empty:
        ax.text(0.5, 0.5, "no heap sizes are printed", transform=ax.transAxes, ha="center", color=palette.MUTED)
        return []
    heap = heap.sort_values([at, "gc"], kind="stable")
    if len(set(heap["gc"])) > most:
        heap = timeline.envelope(heap, at, most)
        ax.fill_between(
            heap[at],
            heap["low_bytes"],
            heap["high_bytes"],
            color=_HEAP_STYLE.colour,
            alpha=0.55,
            linewidth=0,
            gid="heap",
        )
        top = heap["high_bytes"]
    else:
        top = heap["heap_bytes"]
        ax.plot(heap[at], top, color=_HEAP_STYLE.colour, linewidth=1.0, gid="heap")
        ax.fill_between(heap[at], 0, top, color=_HEAP_STYLE.colour, alpha=0.12, linewidth=0)
    ends = [LineEnd(float(heap[at].max()), float(top.iloc[-1]), "heap in use", _HEAP_STYLE.text_colour)]
    goal = heap[heap["goal_bytes"].notna()]
    if not goal.empty:
        ax.plot(
            goal[at], goal["goal_bytes"], color=palette.TEXT, linewidth=0.8, linestyle=(0, (1, 1)),
            drawstyle="steps-pre", gid="goal",
        )  # fmt: skip
        ends.append(LineEnd(float(heap[at].max()), float(goal["goal_bytes"].iloc[-1]), "heap goal", palette.MUTED))
    return ends


def _set_limits(upper: Axes, lower: Axes, pauses: pd.DataFrame, heap: pd.DataFrame, x: str, at: str) -> None:
    last = float(np.fmax(pauses[x].max(), heap[at].max()))
    first = 0.0 if x == "start_s" and float(pauses[x].min()) < last / 2 else float(pauses[x].min())
    margin = 0.01 * (last - first) or 0.5
    upper.set_xlim(first - (margin if first or x == "gc" else 0), last + margin)
    top = float(np.nanmax([*heap["heap_bytes"], *heap["goal_bytes"].dropna(), 0.0]))
    lower.set_ylim(0, 1.08 * top or 1)
    ticks.set_linear(lower.yaxis, "bytes", most=4, whole_mib=True)  # gctrace prints whole MB
    ticks.set_linear(lower.xaxis, "s" if x == "start_s" else "1")


def _name_longest_pause(ax: Axes, drawn: pd.DataFrame, x: str) -> None:
    worst = drawn.iloc[int(drawn["pause_s"].to_numpy(float).argmax())]
    if not worst["pause_s"] > 0:
        below = ticks.format_number(float(drawn["below_s"].max()), "s")
        text = f"all pauses are printed as 0: less than {below}"
        ax.text(0.5, 0.5, text, transform=ax.transAxes, ha="center", color=palette.MUTED)
        return
    equal = int((drawn["pause_s"] == worst["pause_s"]).sum())
    which = f"{worst['kind']} of GC {worst['gc']}" if equal == 1 else f"{equal:,} times"
    low, high = ax.get_xlim()
    right = float(worst[x]) < (low + high) / 2
    colour = _PAUSE_STYLES[worst["kind"]].text_colour
    place = float(worst[x]), float(worst["pause_s"])
    ax.plot(*place, "o", color=colour, markerfacecolor="none", markersize=6, markeredgewidth=1.0, gid="worst mark")
    label = ax.annotate(
        f"worst: {ticks.format_number(float(worst['pause_s']), 's')}, {which}",
        place, xytext=(12 if right else -12, 9), textcoords="offset points", ha="left" if right else "right",
        va="center", color=colour, fontsize=8, fontweight=600, gid="worst", in_layout=False, bbox=_TEXT_BACKGROUND,
        arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.8, "shrinkA": 0, "shrinkB": 3},
    )  # fmt: skip
    label.get_window_extent()  # places the text
    box, points = Text.get_window_extent(label), 72 / figure_of(ax).dpi  # without the leader
    overhang = max(box.x1 - figure_of(ax).bbox.x1, 0) + min(box.x0 - ax.bbox.x0, 0)
    label.set_position((label.get_position()[0] - overhang * points, 9))


def _draw_slo(ax: Axes, slo_s: float | None) -> None:
    if slo_s is None:
        return
    ax.axhline(slo_s, color=palette.TEXT, linewidth=0.8, linestyle=(0, (5, 3)), gid="slo")
    ax.text(
        0.005, slo_s, f"SLO {ticks.format_number(slo_s, 's')}", transform=ax.get_yaxis_transform(), va="bottom",
        ha="left", color=palette.MUTED, fontsize=8, bbox=_TEXT_BACKGROUND,
    )  # fmt: skip


def _drawn_frame(pauses: pd.DataFrame, heap: pd.DataFrame) -> pd.DataFrame:
    """The drawn pauses, then all heap sizes, in one frame."""
    sizes = heap.rename(columns={"at_s": "start_s"})
    return pd.concat([pauses.assign(panel="pauses"), sizes.assign(panel="heap")], ignore_index=True)
