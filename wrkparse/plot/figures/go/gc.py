"""Garbage collection of one Go process: STW pauses with marking phases, and the heap with its goal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from wrkparse.analysis.go.gc import timeline
from wrkparse.analysis.shown.numbers import quantity, rounded
from wrkparse.plot import runs
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.figures.go.pauses import STEM_MM, TEXT_BACKGROUND, draw_pauses, name_longest_pause
from wrkparse.plot.frames import remember_frame
from wrkparse.plot.layout import LineEnd, add_note, label_lines, make_panels
from wrkparse.plot.marks import show_setting
from wrkparse.plot.points import Point, add_points
from wrkparse.plot.style import palette, ticks
from wrkparse.plot.style.house import WIDTH_MM, drawn_width_mm, in_house_style, set_title

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

# Widths of the axes that a collection needs: with a grey phase of marking, and with a tooth of the line of the heap. If
# there is less for each, intervals of time are drawn.
_MARKING_MM, _TOOTH_MM = 2.4, 0.6
_INTERVAL_MM = 2.4  # the width of an interval of time
_AXES_SHARE = 0.8  # of the width of the figure: the axes take about this
_MARKING_COLOUR = "#D9DEE3"
_DARKEST = 0.18  # of the shade where all the time is marking; points must stand out from it
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
    x axis is then the number of the collection. If collections have less room than 2.4 mm each, pauses are points
    without stems, and the grey is darker where more of the time is marking. More than 1,500 pauses are drawn in
    intervals of time: from the shortest to the longest of each kind, with the median. A heap of too many collections
    is drawn by the extremes in such intervals.

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
    show_setting(runs.run_settings(ds)[name], grid.host)
    upper, lower = grid.axes
    set_title(upper, f"Stop-the-world pauses (log): {runs.trace_title(trace)}")
    set_title(lower, "Heap")
    room = drawn_width_mm(grid.host) * _AXES_SHARE
    intervals, cycles = int(room / _INTERVAL_MM), len(set(pauses["gc"]))
    marking = timeline.marking(ds, name)
    notes = [_draw_marking(grid.axes, marking, pauses[x].max(), int(room / _MARKING_MM), intervals)]
    ends, drawn, note = draw_pauses(upper, pauses, x, room, intervals, slo_s)
    notes.append(note)
    is_line = len(set(heap["gc"])) <= int(room / _TOOTH_MM)
    # By number, too: gctrace prints times in ms, so that several collections may have the same.
    heap = heap.sort_values([at, "gc"], kind="stable")
    heap_ends = _draw_heap(lower, heap if is_line else timeline.envelope(heap, at, intervals), at)
    notes.append("" if is_line else f"Heap: the extremes of the {cycles:,} collections in intervals.")
    add_note(grid, "  ".join(filter(None, notes)))
    _set_limits(upper, lower, pauses, heap, x, at)
    lower.set_xlabel(
        "time since the process started" if timed else "number of the collection (this version of Go prints no times)"
    )
    upper.tick_params(labelbottom=False)
    _draw_slo(upper, slo_s)
    label_lines({upper: ends, lower: heap_ends})
    name_longest_pause(upper, pauses, x)
    # As many cards as stems would fit, for the longest pauses: more points could not be told apart by the pointer.
    add_points(upper, _points(timeline.worst(pauses, x, int(room / STEM_MM)), x, name))
    return remember_frame(grid.host, _drawn_frame(drawn, heap))


def _points(drawn: pd.DataFrame, x: str, run: str) -> Iterator[Point]:
    """The drawn pauses, each with its line of the trace."""
    columns = ["gc", "kind", x, "pause_s", "below_s", "line", "forced"]
    for number, kind, at, pause, below, line, forced in drawn[columns].itertuples(index=False):
        length = rounded(float(pause), "s") if pause > 0 else f"shorter than {rounded(float(below), 's')}"
        when = f" at {quantity(float(at), 's')}" if x == "start_s" else ""
        words = f"collection {number}{when}: {kind} {length}" + (", forced" if forced else "")
        yield Point(float(at), float(pause if pause > 0 else below), str(kind), words, (run,), int(line))


def _draw_marking(axes: list[Axes], marking: pd.DataFrame, last: float, most: int, intervals: int) -> str:
    """Draw marking phases in grey; return a note on them.

    If there are more than `most`, the share of marking in each interval is drawn as a shade.
    """
    if marking.empty:
        return ""
    if len(marking) <= most:
        corners = [[(a, 0), (b, 0), (b, 1), (a, 1)] for a, b in zip(marking["start_s"], marking["end_s"], strict=True)]
        for ax in axes:
            # The y of a corner is a share of the height of the axes; `autolim` leaves the limits alone.
            spans = PolyCollection(
                corners, facecolor=_MARKING_COLOUR, edgecolor=_MARKING_COLOUR, linewidth=0.3, zorder=0,
                transform=ax.get_xaxis_transform(), gid="marking",
            )  # fmt: skip
            ax.add_collection(spans, autolim=False)
        return "Grey: marking, while the program runs."
    edges = np.linspace(0, max(last, float(marking["end_s"].max())), intervals + 1)
    share = timeline.coverage(marking, edges)[None, :]
    for ax in axes:
        ax.imshow(
            1 - _DARKEST * share, cmap="gray", vmin=0, vmax=1, aspect="auto", interpolation="nearest", zorder=0,
            extent=(0, edges[-1], 0, 1), transform=ax.get_xaxis_transform(), gid="marking",
        )  # fmt: skip
    return "Grey: the darker, the more of the time is marking, while the program runs."


def _draw_heap(ax: Axes, heap: pd.DataFrame, at: str) -> list[LineEnd]:
    """Draw the heap, by its sizes or their envelope, and the goal as steps; return their labels.

    A step of the goal ends with the cycle that it was set for.
    """
    if heap.empty:
        ax.text(0.5, 0.5, "no heap sizes are printed", transform=ax.transAxes, ha="center", color=palette.MUTED)
        return []
    if "high_bytes" in heap:
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
    # A trace that begins late, of a process that ran before, would have half of its axes empty from 0 on.
    first = 0.0 if x == "start_s" and float(pauses[x].min()) < last / 2 else float(pauses[x].min())
    margin = 0.01 * (last - first) or 0.5
    upper.set_xlim(first - (margin if first or x == "gc" else 0), last + margin)
    top = float(np.nanmax([*heap["heap_bytes"], *heap["goal_bytes"].dropna(), 0.0]))
    lower.set_ylim(0, 1.08 * top or 1)
    ticks.set_linear(lower.yaxis, "bytes", most=4, whole_mib=True)  # gctrace prints whole MB
    ticks.set_linear(lower.xaxis, "s" if x == "start_s" else "1")


def _draw_slo(ax: Axes, slo_s: float | None) -> None:
    if slo_s is None:
        return
    ax.axhline(slo_s, color=palette.TEXT, linewidth=0.8, linestyle=(0, (5, 3)), gid="slo")
    ax.text(
        0.005, slo_s, f"SLO {ticks.format_number(slo_s, 's')}", transform=ax.get_yaxis_transform(), va="bottom",
        ha="left", color=palette.MUTED, fontsize=8, bbox=TEXT_BACKGROUND,
    )  # fmt: skip


def _drawn_frame(pauses: pd.DataFrame, heap: pd.DataFrame) -> pd.DataFrame:
    """The drawn pauses, then all heap sizes, in one frame."""
    sizes = heap.rename(columns={"at_s": "start_s"})
    return pd.concat([pauses.assign(panel="pauses"), sizes.assign(panel="heap")], ignore_index=True)
