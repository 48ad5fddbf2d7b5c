"""A load with traces of its server: pauses, run queues and the window of the load generator on one time axis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from wrkparse.analysis.go.windows import SHARE_AROUND_LOAD, Window, windows
from wrkparse.analysis.shown.numbers import quantity, rounded
from wrkparse.analysis.wording import counted
from wrkparse.plot import layout
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.figures.go.pauses import STEM_MM
from wrkparse.plot.frames import remember_frame
from wrkparse.plot.layout import LineEnd
from wrkparse.plot.marks import show_setting
from wrkparse.plot.points import Point, add_points
from wrkparse.plot.runs import row_setting, select_load, source_place
from wrkparse.plot.style import palette, ticks
from wrkparse.plot.style.house import WIDTH_MM, drawn_width_mm, in_house_style, set_title

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_PANEL_MM = 46.0  # the height of a panel
_MOST_POINTS = 2_000  # pauses or ticks that are drawn; if there are more, the longest pauses, and every n-th tick
_LOAD_COLOUR, _MARKING_COLOUR = "#EEF3F7", "#D9DEE3"
_PAUSE_STYLE, _WAITING_STYLE, _IDLE_STYLE = palette.series_style(1), palette.series_style(0), palette.series_style(2)


@in_house_style
def window(
    shown: Dataset | Window,
    *,
    ax: Axes | None = None,
    where: str | None = None,
    run: str | None = None,
    width: float = WIDTH_MM,
) -> Axes:
    """Pauses on a logarithmic axis above waiting goroutines and idle Ps, with the window of the load in blue-grey.

    Time is in seconds since the load began. Grey columns are marking phases. A dashed line is the p99 of the load, if
    its report prints one: pauses far below it explain little. A panel without a trace is left out.

    - `shown`: a dataset, or a `Window`, which is drawn as it is.
    - `run`: the beginning of a load's identifier; `where`: a condition. Together they must select one load of the
      dataset. A load counts only if its times and those of a trace are on one clock, that of the stamps.

    Raises NothingToPlotError if no load fits, or several, or if the traces have no lines around it.
    """
    one = shown if isinstance(shown, Window) else _selected(shown, run, where)
    begin, end = -SHARE_AROUND_LOAD * one.length_s, (1 + SHARE_AROUND_LOAD) * one.length_s
    pauses = _rows_between(one.pauses, begin, end).nlargest(_MOST_POINTS, "pause_s") if len(one.pauses) else one.pauses
    waiting = _rows_between(one.ticks, begin, end)
    # Rounded up, so that at most `_MOST_POINTS` remain.
    waiting = waiting.iloc[:: max(1, -(-len(waiting) // _MOST_POINTS))]
    panels = [draw for draw, rows in ((_draw_pauses, pauses), (_draw_queues, waiting)) if len(rows)]
    if not panels:
        raise NothingToPlotError("the traces have no line around the load")
    grid = layout.make_panels(
        ax, len(panels), columns=1, height_mm=_PANEL_MM * len(panels) + 14, width_mm=width, sharex=True
    )
    show_setting(row_setting(one.load), grid.host)
    ends: dict[Axes, list[LineEnd]] = {}
    for panel, draw in zip(grid.axes, panels, strict=True):
        panel.axvspan(0, one.length_s, color=_LOAD_COLOUR, linewidth=0, zorder=0, gid="load")
        ends[panel] = list(draw(panel, one, pauses if draw is _draw_pauses else waiting))
        panel.set_xlim(begin, end)
        panel.tick_params(labelbottom=panel is grid.axes[-1])
    ticks.set_linear(grid.axes[-1].xaxis, "s")
    grid.axes[-1].set_xlabel(f"time since the load began ({source_place(one.load)}, {quantity(one.length_s, 's')})")
    layout.add_note(grid, "  ".join(_notes(one, pauses)))
    layout.label_lines(ends)
    return remember_frame(grid.host, pd.concat([pauses, waiting], ignore_index=True))


def _selected(ds: Dataset, run: str | None, where: str | None) -> Window:
    """The window of the one load that a prefix of its identifier and a condition select."""
    found = {str(one.load["run"]): one for one in windows(ds).joined}
    return found[str(select_load(ds, found, run=run, where=where)["run"])]


def _rows_between(rows: pd.DataFrame, begin: float, end: float) -> pd.DataFrame:
    return rows[(rows["at_s"] >= begin) & (rows["at_s"] <= end)]


def _draw_pauses(ax: Axes, one: Window, pauses: pd.DataFrame) -> Iterator[LineEnd]:
    """Draw a point for each pause, with a stem if there is room, the marking phases, and the p99 of the load."""
    lengths = pauses[["pause_s", "below_s"]].max(axis=1).to_numpy(float)  # a pause of 0: its upper bound, below_s
    at = pauses["at_s"].to_numpy(float)
    p99 = one.bound.latency_s if one.bound else float("nan")
    least = 10 ** np.floor(np.log10(lengths.min()))
    most = float(np.nanmax([lengths.max(), p99])) * 2.5  # room above the highest mark
    spans = [
        [(begin, 0), (end, 0), (end, 1), (begin, 1)]
        for begin, end in one.marking[["at_s", "until_s"]].itertuples(index=False)
    ]
    marking = PolyCollection(
        spans, facecolor=_MARKING_COLOUR, edgecolor=_MARKING_COLOUR, linewidth=0.3, zorder=0.5,
        transform=ax.get_xaxis_transform(),
        gid="marking",
    )  # fmt: skip
    ax.add_collection(marking, autolim=False)
    # As in the figure of one trace: with less room for each, stems become a block.
    if pauses["gc"].nunique() <= drawn_width_mm(ax) / STEM_MM:
        stems = ax.vlines(at, least, lengths, color=_PAUSE_STYLE.colour, linewidth=0.9, zorder=2, gid="stems")
        show_setting("pauses", stems)
    is_zero = pauses["pause_s"].to_numpy(float) == 0
    for part, face in ((~is_zero, _PAUSE_STYLE.colour), (is_zero, "white")):
        (markers,) = ax.plot(
            at[part], lengths[part], "o", color=_PAUSE_STYLE.colour, markerfacecolor=face, markersize=3,
            markeredgewidth=0.7,
            zorder=3, gid="pauses",
        )  # fmt: skip
        show_setting("pauses", markers)
    ax.set_yscale("log")
    ax.set_ylim(least, most)
    ticks.set_log(ax.yaxis, "s")
    set_title(ax, "Stop-the-world pauses (log)")
    add_points(ax, _pause_points(one, pauses, lengths))
    if one.bound:
        ax.axhline(p99, color=palette.MUTED, linestyle=(0, (4, 3)), linewidth=0.9, gid="p99")
        yield LineEnd((1 + SHARE_AROUND_LOAD) * one.length_s, p99, f"p99 {rounded(p99, 's')}", palette.MUTED)


def _pause_points(one: Window, pauses: pd.DataFrame, lengths: np.ndarray) -> Iterator[Point]:
    rows = pauses[["gc", "kind", "at_s", "pause_s", "line"]].itertuples(index=False)
    for (number, kind, at, pause, line), length in zip(rows, lengths.tolist(), strict=True):
        size = rounded(pause, "s") if pause else f"shorter than {rounded(length, 's')}"
        words = f"collection {number}, {at:.3f} s after the load began: {kind} {size}"
        yield Point(float(at), length, "pauses", words, (str(one.gc),), int(line))


def _draw_queues(ax: Axes, one: Window, waiting: pd.DataFrame) -> Iterator[LineEnd]:
    """Draw waiting goroutines and idle Ps at each tick, as steps."""
    last = (1 + SHARE_AROUND_LOAD) * one.length_s
    top = 1.0
    for column, style, name in (("waiting", _WAITING_STYLE, "waiting"), ("idleprocs", _IDLE_STYLE, "idle Ps")):
        rows = waiting[["at_s", column, "line"]].dropna()
        if rows.empty:
            continue
        numbers = rows[column].to_numpy(float)
        (line,) = ax.plot(
            rows["at_s"], numbers, color=style.colour, linewidth=1.1, drawstyle="steps-mid", marker=style.marker,
            markersize=2.4, markeredgewidth=0, gid=column,
        )  # fmt: skip
        show_setting(name, line)
        top = max(top, float(numbers.max()))
        add_points(ax, _tick_points(one, rows, column, name))
        yield LineEnd(last, float(numbers[-1]), name, style.text_colour, name)
    ax.set_ylim(0, 1.08 * top)
    ticks.set_linear(ax.yaxis, "1")
    set_title(ax, "Goroutines in run queues, and idle Ps, at each tick")


def _tick_points(one: Window, rows: pd.DataFrame, column: str, name: str) -> Iterator[Point]:
    for at, number, line in rows[["at_s", column, "line"]].itertuples(index=False):
        words = f"{at:.3f} s after the load began: {number:,.0f}"
        yield Point(float(at), float(number), name, words, (str(one.sched),), int(line))


def _notes(one: Window, pauses: pd.DataFrame) -> Iterator[str]:
    yield "Blue-grey: the window of the load."
    if len(one.marking):
        yield "Grey: marking."
    if len(pauses) == _MOST_POINTS:
        yield f"The {_MOST_POINTS:,} longest pauses."
    if (pauses.get("pause_s", pd.Series(dtype=float)) == 0).any():
        yield "Hollow: printed as 0, at the upper bound."
    apart = f"{1e3 * one.doubt_s:.2g} ms" if one.doubt_s < 1 else f"{one.doubt_s:.2g} s"
    yield f"Clocks joined by the stamps, to {apart}."
    if len(one.pauses):
        yield f"{counted(len(one.within), 'pause')} in the window."
