"""Minimum mutator utilisation (MMU): the share of time left to the program in the worst window of each length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from wrkparse.analysis.go.gc.mmu import mmu_curves
from wrkparse.plot import runs
from wrkparse.plot.colours import run_styles
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.frames import remember_frame
from wrkparse.plot.layout import LineEnd, label_lines, make_panels
from wrkparse.plot.marks import marks_of, show_setting
from wrkparse.plot.style import palette, ticks
from wrkparse.plot.style.house import NARROW_MM, WIDTH_MM, drawn_width_mm, in_house_style, set_title

if TYPE_CHECKING:
    import pandas as pd

    from wrkparse.dataset import Dataset

_PANELS = {
    "mmu_ratio": "Minimum mutator utilisation, by pauses",
    "mmu_marking_ratio": "… with marking on 25 % of the Ps",
}


@in_house_style
def mmu(ds: Dataset, *, ax: Axes | None = None, where: str | None = None, width: float = WIDTH_MM) -> Axes:
    """MMU by the length of the window, a line per process: from STW pauses alone, and with marking.

    A line ends at the length of its trace. The numbers come from `wrkparse.analysis.go.gc.mmu.mmu_curves`.

    Raises NothingToPlotError if no gctrace run prints times and lasts longer than 1 ms.
    """
    curves = mmu_curves(ds, where=where)
    if curves.empty:
        if not ds.runs["tool"].eq("gctrace").any():
            raise NothingToPlotError("no gctrace run: this figure needs the output of GODEBUG=gctrace=1")
        raise NothingToPlotError(
            "no gctrace run of 1 ms or longer prints the times of its collections (Go 1.5 and later print them)"
        )
    names = runs.run_names(ds.runs, curves["run"])
    styles = dict(zip(names, run_styles(ds.runs, names), strict=True))
    settings = runs.run_settings(ds)
    narrow = (drawn_width_mm(ax) if ax else width) < NARROW_MM
    grid = make_panels(
        ax,
        2,
        columns=1 if narrow else 2,
        height_mm=130.0 if narrow else 78.0,
        width_mm=width,
        heights=[1, 1] if narrow else None,
        sharex=True,
        sharey=True,
    )
    for one, (column, text) in zip(grid.axes, _PANELS.items(), strict=True):
        set_title(one, text)
        _draw_lines(one, curves, column, styles, settings)
    for one in grid.axes:
        if one is grid.axes[-1] or not narrow:
            one.set_xlabel("length of the window (log scale)")
    labelled = grid.axes if narrow else grid.axes[1:]
    columns = dict(zip(grid.axes, _PANELS, strict=True))
    for one in grid.axes:
        one.tick_params(labelbottom=one in labelled or not narrow)
    label_lines({one: _line_ends(one, curves, columns[one], names, styles, settings) for one in labelled})
    return remember_frame(grid.host, curves.assign(name=curves["run"].map(names)))


def _draw_lines(
    ax: Axes, curves: pd.DataFrame, column: str, styles: Mapping[str, palette.SeriesStyle], settings: Mapping[str, str]
) -> None:
    named = len(styles) <= runs.MAX_NAMED
    for index, (run, style) in enumerate(styles.items()):
        curve = curves[curves["run"] == run]
        (line,) = ax.plot(
            curve["window_s"], curve[column], color=style.colour if named else palette.MUTED, gid=run,
            marker=style.marker if named else "", markevery=_marker_places(curve[column], index),
            markerfacecolor="white", linewidth=1.5 if named else 0.6,
        )  # fmt: skip
        show_setting(settings[run], line)
    ax.set_xlim(curves["window_s"].min(), curves["window_s"].max())
    ax.set_ylim(0, 1)
    ticks.set_log(ax.xaxis, "s")
    ticks.set_linear(ax.yaxis, "ratio")


def _marker_places(values: pd.Series, index: int) -> list[int]:
    """Every twentieth point above 0, where lines do not coincide; each line begins at another point."""
    above = np.flatnonzero(values.to_numpy(float) > 0)
    return [int(place) for place in above[3 + index * 3 % 20 :: 20]]


def _line_ends(
    ax: Axes, curves: pd.DataFrame, column: str, names: dict[str, str], styles: Mapping[str, palette.SeriesStyle],
    settings: Mapping[str, str],
) -> list[LineEnd]:  # fmt: skip
    """Labels at the right edge, each with a dotted line from the end of its curve."""
    if len(names) > runs.MAX_NAMED:
        ax.text(0.98, 0.03, f"{len(names)} processes", transform=ax.transAxes, ha="right", color=palette.MUTED)
        return []
    right = float(curves["window_s"].max())
    ends = []
    for run, name in names.items():
        last = curves[curves["run"] == run].iloc[-1]
        y = float(last[column])
        with marks_of(ax, settings[run]):
            ax.plot(
                [last["window_s"], right], [y, y], color=palette.MUTED, linewidth=0.5, linestyle=(0, (1, 2)), zorder=1
            )
        ends.append(LineEnd(right, y, name, styles[run].text_colour, settings[run]))
    return ends
