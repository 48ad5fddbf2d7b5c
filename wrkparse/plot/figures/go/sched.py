"""Run queues of one Go process: each P's over time, how many goroutines waited in all, and how many Ps were idle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, PowerNorm
from matplotlib.image import AxesImage
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import Bbox

from wrkparse.analysis.run_queues import QueueGrid, mean_queues, most_in_stretches, queue_grid, run_queues
from wrkparse.analysis.sched import episodes
from wrkparse.analysis.sched import ticks as ticks_of
from wrkparse.plot import runs
from wrkparse.plot.drawn import remember
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.layout import figure_of, panels, settle
from wrkparse.plot.style import palette, ticks
from wrkparse.plot.style.house import WIDTH_MM, styled, title

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_COLUMNS = 600
_MOST_NAMED = 4  # episodes
_IDLE = "#E4E4E4"
_LOCAL, _GLOBAL = "#8A9BAA", palette.COLOURS[1]
_EPISODES = {"starvation": palette.COLOURS[0], "convoy": palette.COLOURS[3]}


@styled
def sched(
    ds: Dataset,
    *,
    ax: Axes | None = None,
    where: str | None = None,
    run: str | None = None,
    width: float = WIDTH_MM,
) -> Axes:
    """Goroutines that wait in each P's local queue over time (square-root scale), totals above, means at the right.

    One schedtrace run: `run`, or the only one for which `where` holds. Totals are stacked: local queues, and the global
    one. Below them the number of idle Ps, and bars over episodes of starvation and convoys
    (`wrkparse.analysis.sched.episodes`). A tick holds half-way to its neighbours. With ``scheddetail=1`` cells of idle
    Ps are grey. NothingToPlotError: no such run, or several, or no queues in it.
    """
    trace = runs.one_trace(ds, "schedtrace", "GODEBUG=schedtrace=1000", run=run, where=where)
    name = str(trace["run"])
    table, queues = ticks_of(ds, name), run_queues(ds, name)
    if queues.empty:
        raise NothingToPlotError(f"run {name[:8]} prints no local run queues (a SCHED line ends with them: [0 1 …])")
    grid = queue_grid(queues, _COLUMNS)
    count = len(grid.queued)
    group = panels(
        ax, 6, columns=2, width_mm=width, height_mm=62.0 + min(3.2 * count, 60.0), widths=[6, 1],
        heights=[1.0, 0.5, 0.35 + min(0.11 * count, 2)],
    )  # fmt: skip
    top, corner, idle, blank, heat, mean = group.axes
    for one in (corner, blank):
        one.set_axis_off()
    title(top, f"Goroutines that wait, all queues: {runs.title_of(trace)}")
    title(idle, "Idle Ps")
    title(heat, "Local queue of each P")
    _totals(top, table, grid)
    _idle(idle, table, grid)
    image = _heat(heat, grid)
    _means(mean, queues, count)
    _names(corner)
    _scale(blank, image, grid)
    for one in (top, idle, heat):
        one.set_xlim(grid.begin_s, grid.end_s)
        ticks.linear(one.xaxis, "s")
        one.tick_params(labelbottom=one is heat)
    heat.set_xlabel("time since the process started")
    if len(set(table["t_s"])) == 1:
        heat.set_xticks([])
        at = float(table["t_s"].iloc[0])
        heat.set_xlabel(f"one tick, {ticks.reader(at, 's')} after the start" if at else "one tick, at the start")
    settle(top)
    _episodes(top, episodes(ds, name))
    return remember(group.host, queues.merge(table, on=["t_s", "line"], how="left"))


def _held(values: pd.Series, grid: QueueGrid) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of the ticks, and the value of each with the last twice: for steps. Of too many ticks, the largest."""
    numbers = values.to_numpy(float, na_value=np.nan)
    bounds, most = most_in_stretches(numbers, grid.bounds_s, _COLUMNS)
    return bounds, np.append(most, most[-1:])


def _totals(ax: Axes, table: pd.DataFrame, grid: QueueGrid) -> None:
    bounds, own = _held(table["local_waiting"], grid)
    own = np.nan_to_num(own)
    _, both = _held(table["waiting"].fillna(table["runqueue"]), grid)
    ax.fill_between(bounds, 0, own, step="post", color=_LOCAL, linewidth=0, gid="local")
    ax.fill_between(bounds, own, both, step="post", color=_GLOBAL, linewidth=0, gid="global")
    ax.set_ylim(0, max(1.0, 1.3 * float(np.nanmax(both))))
    ticks.linear(ax.yaxis, "1", most=3)
    ax.yaxis.set_major_locator(MaxNLocator(3, integer=True))


def _idle(ax: Axes, table: pd.DataFrame, grid: QueueGrid) -> None:
    bounds, count = _held(table["idleprocs"], grid)
    _, procs = _held(table["gomaxprocs"], grid)
    ax.fill_between(bounds, 0, count, step="post", color=palette.BAR, linewidth=0, gid="idle")
    ax.step(bounds, procs, where="post", color=palette.MUTED, linewidth=0.7, linestyle=(0, (3, 2)), gid="gomaxprocs")
    ax.set_ylim(0, 1.05 * float(np.nanmax(procs)))
    ax.set_yticks([0, float(np.nanmax(procs))])


def _heat(ax: Axes, grid: QueueGrid) -> AxesImage:
    extent = (grid.begin_s, grid.end_s, -0.5, len(grid.queued) - 0.5)
    most = max(1.0, float(np.nanmax(grid.queued)))
    ax.grid(visible=False)
    image = ax.imshow(
        grid.queued, cmap="cividis", norm=PowerNorm(0.5, 0, most), aspect="auto", interpolation="none", origin="lower",
        extent=extent, gid="queues",
    )  # fmt: skip
    if grid.idle.any():
        ax.imshow(
            np.where(grid.idle, 0.0, np.nan), cmap=ListedColormap([_IDLE]), aspect="auto", interpolation="none",
            origin="lower", extent=extent, gid="idle",
        )  # fmt: skip
    ax.set_ylim(-0.5, len(grid.queued) - 0.5)
    _ps(ax, len(grid.queued))
    ax.set_ylabel("P")
    return image


def _ps(ax: Axes, count: int) -> None:
    step = next(step for step in (1, 2, 4, 8, 16, 32, 64, 128, 256) if count / step <= 8)
    ax.set_yticks(range(0, count, step))


def _means(ax: Axes, queues: pd.DataFrame, count: int) -> None:
    means = mean_queues(queues)
    ax.barh(means["p"], means["queued_mean"], height=0.8, color=_LOCAL, linewidth=0, gid="means")
    ax.set_ylim(-0.5, count - 0.5)
    ax.tick_params(labelleft=False)
    ax.grid(visible=False)
    ax.grid(visible=True, axis="x")
    ax.set_yticks([])
    ax.set_xlim(0, max(float(means["queued_mean"].max()), 0.1) * 1.05)
    ticks.linear(ax.xaxis, "1", most=2)
    ax.set_xlabel("mean")


def _names(corner: Axes) -> None:
    for y, text, colour in ((0.95, "global queue", _GLOBAL), (0.6, "local queues", _LOCAL)):
        corner.text(
            0, y, text, color=palette.ink(colour), fontsize=8, fontweight=600, va="top", transform=corner.transAxes
        )


def _scale(corner: Axes, image: AxesImage, grid: QueueGrid) -> None:
    """The colours' scale, in the corner that is free."""
    bar = corner.inset_axes((0.0, 0.3, 1.0, 0.4))
    figure_of(corner).colorbar(image, cax=bar, orientation="horizontal")
    most = float(np.max(image.norm.vmax or 1.0))
    bar.set_xticks([0, most] if most < 4 else [0, round(most / 4), most])
    bar.tick_params(labelsize=8, width=0.7, size=2, pad=1.5)
    bar.set_title("grey: idle P" if grid.idle.any() else "at one P", fontsize=8, loc="left", pad=3)


def _episodes(ax: Axes, found: pd.DataFrame) -> None:
    """A bar at the top for each episode, thick enough to be seen; the longest have words, as far as there is room."""
    width = ax.get_xlim()[1] - ax.get_xlim()[0]
    lengths = np.maximum((found["end_s"] - found["start_s"]).to_numpy(float), width / 200)
    middles = ((found["start_s"] + found["end_s"]) / 2).to_numpy(float)
    for kind, colour in _EPISODES.items():
        of = (found["kind"] == kind).to_numpy(bool)
        if of.any():
            ax.broken_barh(
                _joined(middles[of] - lengths[of] / 2, lengths[of]), (0.97, 0.06), color=colour, linewidth=0,
                transform=ax.get_xaxis_transform(), clip_on=False, gid=kind,
            )  # fmt: skip
    order = np.argsort(-lengths, kind="stable")
    taken: list[Bbox] = []
    for kind in _EPISODES:  # each has its name once, however short its episodes are
        places = (place for place in order if found["kind"].iloc[place] == kind)
        any(_named(ax, kind, middles[place], taken) for place in places)
    for place in order:
        if len(taken) < _MOST_NAMED:
            _named(ax, str(found["kind"].iloc[place]), middles[place], taken)


def _named(ax: Axes, kind: str, middle: float, taken: list[Bbox]) -> bool:
    """Write the name of an episode below its bar, if there is room; whether there was."""
    words = ax.text(
        middle, 0.95, kind, transform=ax.get_xaxis_transform(), ha="center", va="top", fontsize=8,
        color=palette.ink(_EPISODES[kind]), in_layout=False,
    )  # fmt: skip
    box = words.get_window_extent()
    if box.x0 < ax.bbox.x0 or box.x1 > ax.bbox.x1 or any(box.overlaps(other) for other in taken):
        words.remove()
        return False
    taken.append(box.padded(6))
    return True


def _joined(starts: np.ndarray, lengths: np.ndarray) -> list[tuple[float, float]]:
    """Bars (from, length) with those that touch as one; they come in order."""
    found: list[list[float]] = []
    for start, end in zip(starts.tolist(), (starts + lengths).tolist(), strict=True):
        if found and start <= found[-1][1]:
            found[-1][1] = max(found[-1][1], end)
        else:
            found.append([start, end])
    return [(start, end - start) for start, end in found]
