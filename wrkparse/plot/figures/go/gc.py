"""The collections of one Go process: its pauses over the marking beside the program, and its heap against the goal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from wrkparse.analysis import gc_timeline
from wrkparse.plot import runs
from wrkparse.plot.drawn import remember
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.layout import End, figure_of, label_panels, panels
from wrkparse.plot.style import palette, ticks
from wrkparse.plot.style.house import WIDTH_MM, styled, title

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_MOST = 400  # cycles of which each is drawn; of more, the extremes in as many stretches of time
_MARKED = 150  # pauses that have a marker each
_MARKING = "#D9DEE3"
_GROUND = {"facecolor": "white", "alpha": 0.8, "linewidth": 0, "pad": 0.8}  # of words over stems and marking
_LOOKS = {kind: palette.look(slot) for kind, slot in zip(gc_timeline.KINDS, (1, 0, 3, 6), strict=True)}
_HEAP = palette.look(2)


@styled
def gc(
    ds: Dataset,
    *,
    ax: Axes | None = None,
    where: str | None = None,
    run: str | None = None,
    slo_s: float | None = None,
    width: float = WIDTH_MM,
) -> Axes:
    """Pauses by kind (log) over grey phases in which a cycle marked beside the program; below, the heap and its goal.

    One gctrace run: `run`, or the only one for which `where` holds. `slo_s` draws a line at the longest pause that is
    tolerable. Go 1.0 to 1.4 print no times: the axis is the collection's number. A pause printed as 0 is a hollow mark
    at the smallest time that is printed. Of more than 400 cycles each stretch of time shows its longest pause of a
    kind, the share in which marking went on, and the heap's extremes. NothingToPlotError: no such run, or several.
    """
    trace = runs.one_trace(ds, "gctrace", "GODEBUG=gctrace=1", run=run, where=where)
    name = str(trace["run"])
    pauses, heap = gc_timeline.pauses(ds, name), gc_timeline.heap(ds, name)
    timed = bool(pauses["start_s"].notna().any())
    x, at = ("start_s", "at_s") if timed else ("gc", "gc")
    pauses, heap = pauses[pauses[x].notna()], heap[heap[at].notna()]
    if pauses.empty:
        raise NothingToPlotError(f"run {name[:8]} states no pause")
    group = panels(ax, 2, columns=1, height_mm=100.0, heights=[3, 2], sharex=True, width_mm=width)
    upper, lower = group.axes
    title(upper, f"Stop-the-world pauses (log): {runs.title_of(trace)}")
    title(lower, "Heap")
    _mark(group.axes, gc_timeline.marking(ds, name), pauses[x].max())
    drawn = gc_timeline.worst(pauses, x, _MOST)
    ends = _pauses(upper, drawn, x, slo_s)
    heap_ends = _heap(lower, heap, at)
    _limits(upper, lower, pauses, heap, x, at)
    lower.set_xlabel(
        "time since the process started" if timed else "number of the collection (this Go prints no times)"
    )
    upper.tick_params(labelbottom=False)
    _slo(upper, slo_s)
    label_panels({upper: ends, lower: heap_ends})
    _worst(upper, drawn, x)
    return remember(group.host, _data(drawn, heap))


def _mark(axes: list[Axes], marking: pd.DataFrame, last: float) -> None:
    """Grey where a cycle marked; as dark as its share of the stretch where there are too many to tell apart."""
    if marking.empty:
        return
    if len(marking) <= _MOST:
        corners = [[(a, 0), (b, 0), (b, 1), (a, 1)] for a, b in zip(marking["start_s"], marking["end_s"], strict=True)]
        for ax in axes:
            spans = PolyCollection(
                corners, facecolor=_MARKING, edgecolor=_MARKING, linewidth=0.3, zorder=0,
                transform=ax.get_xaxis_transform(), gid="marking",
            )  # fmt: skip
            ax.add_collection(spans, autolim=False)
        return
    edges = np.linspace(0, max(last, float(marking["end_s"].max())), _MOST + 1)
    share = gc_timeline.coverage(marking, edges)[None, :]
    for ax in axes:
        ax.imshow(
            1 - 0.3 * share, cmap="gray", vmin=0, vmax=1, aspect="auto", interpolation="nearest", zorder=0,
            extent=(0, edges[-1], 0, 1), transform=ax.get_xaxis_transform(), gid="marking",
        )  # fmt: skip


def _pauses(ax: Axes, drawn: pd.DataFrame, x: str, slo_s: float | None) -> list[End]:
    """Stems from the floor of the axis, a path for each kind; the ends of the kinds' names."""
    least, most = _range(drawn, slo_s)
    ends = []
    for kind, of in drawn.groupby("kind"):
        look = _LOOKS[str(kind)]
        real = of[of["pause_s"] > 0]
        nothing = np.full(len(real), np.nan)
        stems = np.column_stack([real[x], real[x], nothing]).astype(float)
        heights = np.column_stack([np.full(len(real), least), real["pause_s"], nothing])
        ax.plot(
            stems.ravel(), heights.ravel(), color=look.colour, linewidth=0.8, solid_capstyle="butt", gid=f"stems {kind}"
        )
        if len(drawn) <= _MARKED:
            ax.plot(
                real[x], real["pause_s"], look.marker, color=look.colour, markersize=3, markeredgewidth=0, gid=str(kind)
            )
        none = of[of["pause_s"] == 0]
        if not none.empty:
            ax.plot(
                none[x], none["below_s"], look.marker, color=look.colour, markerfacecolor="white", markersize=3,
                markeredgewidth=0.7, clip_on=False, gid=f"below {kind}",
            )  # fmt: skip
        last = of.iloc[-1]
        ends.append(
            End(float(drawn[x].max()), max(float(last["pause_s"]), float(last["below_s"])), str(kind), look.ink)
        )
    ax.set_yscale("log")
    ax.set_ylim(least, most)
    ticks.log(ax.yaxis, "s")
    return ends


def _range(drawn: pd.DataFrame, slo_s: float | None) -> tuple[float, float]:
    """The axis: from the decade of the smallest that is drawn, with room above the largest for its words."""
    floor = drawn["pause_s"].where(drawn["pause_s"] > 0, drawn["below_s"])
    high = max(float(floor.max()), slo_s or 0.0)
    return float(10 ** np.floor(np.log10(floor.min()))), high * (high / float(floor.min())) ** 0.12 * 1.6


def _heap(ax: Axes, heap: pd.DataFrame, at: str) -> list[End]:
    """The saw-tooth, or its envelope; the goal as steps that end with the cycle each was for."""
    if heap.empty:
        ax.text(0.5, 0.5, "no heap sizes are printed", transform=ax.transAxes, ha="center", color=palette.MUTED)
        return []
    heap = heap.sort_values([at, "gc"], kind="stable")
    if len(heap) > 3 * _MOST:
        heap = gc_timeline.envelope(heap, at, _MOST)
        ax.fill_between(
            heap[at], heap["low_bytes"], heap["high_bytes"], color=_HEAP.colour, alpha=0.55, linewidth=0, gid="heap"
        )
        top = heap["high_bytes"]
    else:
        top = heap["heap_bytes"]
        ax.plot(heap[at], top, color=_HEAP.colour, linewidth=1.0, gid="heap")
        ax.fill_between(heap[at], 0, top, color=_HEAP.colour, alpha=0.12, linewidth=0)
    ends = [End(float(heap[at].max()), float(top.iloc[-1]), "heap in use", _HEAP.ink)]
    goal = heap[heap["goal_bytes"].notna()]
    if not goal.empty:
        ax.plot(
            goal[at], goal["goal_bytes"], color=palette.TEXT, linewidth=0.8, linestyle=(0, (1, 1)),
            drawstyle="steps-pre", gid="goal",
        )  # fmt: skip
        ends.append(End(float(heap[at].max()), float(goal["goal_bytes"].iloc[-1]), "heap goal", palette.MUTED))
    return ends


def _limits(upper: Axes, lower: Axes, pauses: pd.DataFrame, heap: pd.DataFrame, x: str, at: str) -> None:
    last = float(np.fmax(pauses[x].max(), heap[at].max()))
    first = 0.0 if x == "start_s" and float(pauses[x].min()) < last / 2 else float(pauses[x].min())
    margin = 0.01 * (last - first) or 0.5
    upper.set_xlim(first - (margin if first or x == "gc" else 0), last + margin)
    top = float(np.nanmax([*heap["heap_bytes"], *heap["goal_bytes"].dropna(), 0.0]))
    lower.set_ylim(0, 1.08 * top or 1)
    ticks.linear(lower.yaxis, "bytes", most=4)
    ticks.linear(lower.xaxis, "s" if x == "start_s" else "1")


def _worst(ax: Axes, drawn: pd.DataFrame, x: str) -> None:
    worst = drawn.iloc[int(drawn["pause_s"].to_numpy(float).argmax())]
    if not worst["pause_s"] > 0:
        below = ticks.reader(float(drawn["below_s"].max()), "s")
        ax.text(
            0.5,
            0.5,
            f"all are printed as 0: less than {below}",
            transform=ax.transAxes,
            ha="center",
            color=palette.MUTED,
        )
        return
    low, high = ax.get_xlim()
    right = float(worst[x]) < (low + high) / 2
    words = ax.annotate(
        f"worst: {ticks.reader(float(worst['pause_s']), 's')}, {worst['kind']} of GC {worst['gc']}",
        (float(worst[x]), float(worst["pause_s"])), xytext=(4 if right else -4, 3), textcoords="offset points",
        ha="left" if right else "right", va="bottom", color=_LOOKS[worst["kind"]].ink, fontsize=8, fontweight=600,
        gid="worst", in_layout=False, bbox=_GROUND,
    )  # fmt: skip
    box, points = words.get_window_extent(), 72 / figure_of(ax).dpi
    over = max(box.x1 - figure_of(ax).bbox.x1, 0) + min(box.x0 - ax.bbox.x0, 0)
    words.set_position((words.get_position()[0] - over * points, 3))


def _slo(ax: Axes, slo_s: float | None) -> None:
    if slo_s is None:
        return
    ax.axhline(slo_s, color=palette.TEXT, linewidth=0.8, linestyle=(0, (5, 3)), gid="slo")
    ax.text(
        0.005, slo_s, f"SLO {ticks.reader(slo_s, 's')}", transform=ax.get_yaxis_transform(), va="bottom", ha="left",
        color=palette.MUTED, fontsize=8, bbox=_GROUND,
    )  # fmt: skip


def _data(pauses: pd.DataFrame, heap: pd.DataFrame) -> pd.DataFrame:
    """The pauses that are drawn, then all heap sizes, in one frame."""
    sizes = heap.rename(columns={"at_s": "start_s"})
    return pd.concat([pauses.assign(panel="pauses"), sizes.assign(panel="heap")], ignore_index=True)
