"""The scheduler of one Go process: the run queue of each P, all waiting goroutines and idle Ps over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, PowerNorm
from matplotlib.image import AxesImage
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import Bbox

from wrkparse.analysis.go.run_queues import QueueGrid, mean_queues, most_in_stretches, queue_grid, run_queues
from wrkparse.analysis.go.sched import episodes
from wrkparse.analysis.go.sched import ticks as sched_ticks
from wrkparse.plot import runs
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.frames import remember_frame
from wrkparse.plot.layout import arrange, figure_of, make_panels
from wrkparse.plot.marks import show_setting
from wrkparse.plot.style import palette, ticks
from wrkparse.plot.style.house import WIDTH_MM, in_house_style, set_title

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_MAX_INTERVALS = 600  # intervals of time: about one for each pixel at 166 mm and 100 dpi
_MAX_NAMED = 4  # episodes with a label
_IDLE_COLOUR = "#E4E4E4"
_LOCAL_COLOUR, _GLOBAL_COLOUR = "#8A9BAA", palette.COLOURS[1]
_EPISODE_COLOURS = {"starvation": palette.COLOURS[0], "backlog": palette.COLOURS[3]}


@in_house_style
def sched(
    ds: Dataset,
    *,
    ax: Axes | None = None,
    where: str | None = None,
    run: str | None = None,
    width: float = WIDTH_MM,
) -> Axes:
    """Goroutines in the local run queue of each P over time, with means at the right; blank if none waits.

    - `run`: the beginning of a run's identifier; `where`: a condition. Together they must select one schedtrace run.

    Above, all waiting goroutines, stacked by local and global queues, with bars over episodes of starvation and backlog
    (`wrkparse.analysis.go.sched.episodes`), and the number of idle Ps. A tick is drawn from half-way to the tick before
    to half-way to the next one. The colour scale is a square root. With ``scheddetail=1``, cells of idle Ps are grey.

    Raises NothingToPlotError if no run fits, or several, or if the run prints no local run queues.
    """
    trace = runs.select_trace(ds, "schedtrace", "GODEBUG=schedtrace=1000", run=run, where=where)
    name = str(trace["run"])
    table, queues = sched_ticks(ds, name), run_queues(ds, name)
    if queues.empty:
        raise NothingToPlotError(f"run {name[:8]} prints no local run queues (a SCHED line ends with them: [0 1 …])")
    grid = queue_grid(queues, _MAX_INTERVALS)
    count = len(grid.queued)
    # 3.2 mm of height for each P, up to 60 mm; from 19 Ps on, the rows of the heat map get lower.
    panels = make_panels(
        ax, 6, columns=2, width_mm=width, height_mm=62.0 + min(3.2 * count, 60.0), widths=[6, 1],
        heights=[1.0, 0.5, 0.35 + min(0.11 * count, 2)],
    )  # fmt: skip
    show_setting(runs.run_settings(ds)[name], panels.host)
    top, corner, idle, blank, heat, mean = panels.axes
    for one in (corner, blank):
        one.set_axis_off()
    set_title(top, f"Waiting goroutines, all queues: {runs.trace_title(trace)}")
    set_title(idle, "Idle Ps")
    set_title(heat, "Local queue of each P")
    _draw_totals(top, table, grid)
    _draw_idle_ps(idle, table, grid)
    image = _draw_queues(heat, grid)
    _draw_means(mean, queues, count)
    _name_queues(corner)
    _draw_colour_scale(blank, image, grid)
    _set_time_axes([top, idle, heat], table, grid)
    arrange(top)
    # After the layout: whether a name has room depends on where the panel is.
    _draw_episodes(top, episodes(ds, name))
    return remember_frame(panels.host, queues.merge(table, on=["t_s", "line"], how="left"))


def _set_time_axes(panels: list[Axes], table: pd.DataFrame, grid: QueueGrid) -> None:
    """Give the panels the same time axis, with labels below the last one; a single tick needs no axis."""
    lowest = panels[-1]
    for ax in panels:
        ax.set_xlim(grid.begin_s, grid.end_s)
        ticks.set_linear(ax.xaxis, "s")
        ax.tick_params(labelbottom=ax is lowest)
    lowest.set_xlabel("time since the process started")
    if len(set(table["t_s"])) == 1:
        lowest.set_xticks([])
        at = float(table["t_s"].iloc[0])
        lowest.set_xlabel(
            f"one tick, {ticks.format_number(at, 's')} after the start" if at else "one tick, at the start"
        )


def _steps(values: pd.Series, grid: QueueGrid) -> tuple[np.ndarray, np.ndarray]:
    """Bounds and values of steps, the last value twice as matplotlib needs it.

    A step is a tick or, if there are too many ticks, an interval of time with the largest value in it.
    """
    numbers = values.to_numpy(float, na_value=np.nan)
    bounds, most = most_in_stretches(numbers, grid.bounds_s, _MAX_INTERVALS)
    return bounds, np.append(most, most[-1:])


def _draw_totals(ax: Axes, table: pd.DataFrame, grid: QueueGrid) -> None:
    bounds, local = _steps(table["local_waiting"], grid)
    local = np.nan_to_num(local)
    # If a tick has no local queues, `waiting` is missing, and the global queue is all that is known.
    _, waiting = _steps(table["waiting"].fillna(table["runqueue"]), grid)
    ax.fill_between(bounds, 0, local, step="post", color=_LOCAL_COLOUR, linewidth=0, gid="local")
    ax.fill_between(bounds, local, waiting, step="post", color=_GLOBAL_COLOUR, linewidth=0, gid="global")
    ax.set_ylim(0, max(1.0, 1.3 * float(np.nanmax(waiting))))
    ticks.set_linear(ax.yaxis, "1", most=3)
    ax.yaxis.set_major_locator(MaxNLocator(3, integer=True))


def _draw_idle_ps(ax: Axes, table: pd.DataFrame, grid: QueueGrid) -> None:
    bounds, count = _steps(table["idleprocs"], grid)
    _, procs = _steps(table["gomaxprocs"], grid)
    ax.fill_between(bounds, 0, count, step="post", color=palette.BAR, linewidth=0, gid="idle")
    ax.step(bounds, procs, where="post", color=palette.MUTED, linewidth=0.7, linestyle=(0, (3, 2)), gid="gomaxprocs")
    ax.set_ylim(0, 1.05 * float(np.nanmax(procs)))
    ax.set_yticks([0, float(np.nanmax(procs))])


def _draw_queues(ax: Axes, grid: QueueGrid) -> AxesImage:
    extent = (grid.begin_s, grid.end_s, -0.5, len(grid.queued) - 0.5)
    most = max(1.0, float(np.nanmax(grid.queued)))
    ax.grid(visible=False)
    waiting = np.ma.masked_less(grid.queued, 1)  # where none waits, nothing is painted
    image = ax.imshow(
        waiting, cmap="cividis_r", norm=PowerNorm(0.5, 0, most), aspect="auto", interpolation="none", origin="lower",
        extent=extent, gid="queues",
    )  # fmt: skip
    if grid.idle.any():
        ax.imshow(
            np.where(grid.idle, 0.0, np.nan), cmap=ListedColormap([_IDLE_COLOUR]), aspect="auto", interpolation="none",
            origin="lower", extent=extent, gid="idle",
        )  # fmt: skip
    ax.set_ylim(-0.5, len(grid.queued) - 0.5)
    _set_p_ticks(ax, len(grid.queued))
    ax.set_ylabel("P")
    return image


def _set_p_ticks(ax: Axes, count: int) -> None:
    # At most eight labels, a power of two apart.
    step = 1 << ((count - 1) // 8).bit_length()
    ax.set_yticks(range(0, count, step))


def _draw_means(ax: Axes, queues: pd.DataFrame, count: int) -> None:
    means = mean_queues(queues)
    ax.barh(means["p"], means["queued_mean"], height=0.8, color=_LOCAL_COLOUR, linewidth=0, gid="means")
    ax.set_ylim(-0.5, count - 0.5)
    ax.tick_params(labelleft=False)
    ax.grid(visible=False)
    ax.grid(visible=True, axis="x")
    ax.set_yticks([])
    ax.set_xlim(0, max(float(means["queued_mean"].max()), 0.1) * 1.05)
    ticks.set_linear(ax.xaxis, "1", most=2)
    ax.set_xlabel("mean")


def _name_queues(corner: Axes) -> None:
    for y, text, colour in ((0.95, "global queue", _GLOBAL_COLOUR), (0.6, "local queues", _LOCAL_COLOUR)):
        corner.text(
            0,
            y,
            text,
            color=palette.text_colour(colour),
            fontsize=8,
            fontweight=600,
            va="top",
            transform=corner.transAxes,
        )


def _draw_colour_scale(corner: Axes, image: AxesImage, grid: QueueGrid) -> None:
    """Draw the colour scale in the free corner."""
    bar = corner.inset_axes((0.0, 0.3, 1.0, 0.4))
    figure_of(corner).colorbar(image, cax=bar, orientation="horizontal")
    most = float(np.max(image.norm.vmax or 1.0))
    bar.set_xlim(min(1.0, most / 2), most)  # where nothing waits, nothing is painted
    # On a scale of square roots, a quarter of the largest number is in the middle.
    bar.set_xticks(sorted({1.0, most} if most < 4 else {1.0, float(round(most / 4)), most}))
    bar.tick_params(labelsize=8, width=0.7, size=2, pad=1.5)
    bar.set_title("grey: idle P" if grid.idle.any() else "at one P", fontsize=8, loc="left", pad=3)


def _draw_episodes(ax: Axes, table: pd.DataFrame) -> None:
    """Draw a bar at the top for each episode, and label the longest ones if there is room.

    A bar is at least 1/200 of the width of the axes, so that short episodes can be seen.
    """
    width = ax.get_xlim()[1] - ax.get_xlim()[0]
    lengths = np.maximum((table["end_s"] - table["start_s"]).to_numpy(float), width / 200)
    middles = ((table["start_s"] + table["end_s"]) / 2).to_numpy(float)
    for kind, colour in _EPISODE_COLOURS.items():
        of_kind = (table["kind"] == kind).to_numpy(bool)
        if of_kind.any():
            ax.broken_barh(
                _join_touching(middles[of_kind] - lengths[of_kind] / 2, lengths[of_kind]), (0.97, 0.06), color=colour,
                linewidth=0, transform=ax.get_xaxis_transform(), clip_on=False, gid=kind,
            )  # fmt: skip
    order = np.argsort(-lengths, kind="stable")
    taken: list[Bbox] = []
    for kind in _EPISODE_COLOURS:  # each kind gets one label, however short its episodes are
        places = (place for place in order if table["kind"].iloc[place] == kind)
        any(_label_episode(ax, kind, middles[place], taken) for place in places)
    for place in order:
        if len(taken) < _MAX_NAMED:
            _label_episode(ax, str(table["kind"].iloc[place]), middles[place], taken)


def _label_episode(ax: Axes, kind: str, middle: float, taken: list[Bbox]) -> bool:
    """Write the name of an episode below its bar, if there is room; return whether there was."""
    label = ax.text(
        middle, 0.95, kind, transform=ax.get_xaxis_transform(), ha="center", va="top", fontsize=8,
        color=palette.text_colour(_EPISODE_COLOURS[kind]), in_layout=False,
    )  # fmt: skip
    box = label.get_window_extent()
    if box.x0 < ax.bbox.x0 or box.x1 > ax.bbox.x1 or any(box.overlaps(other) for other in taken):
        label.remove()
        return False
    taken.append(box.padded(6))
    return True


def _join_touching(starts: np.ndarray, lengths: np.ndarray) -> list[tuple[float, float]]:
    """Join bars that touch; return starts and lengths. The input is in the order of starts."""
    joined: list[list[float]] = []
    for start, end in zip(starts.tolist(), (starts + lengths).tolist(), strict=True):
        if joined and start <= joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], end)
        else:
            joined.append([start, end])
    return [(start, end - start) for start, end in joined]
