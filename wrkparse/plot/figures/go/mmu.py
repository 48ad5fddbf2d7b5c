"""Minimum mutator utilisation: what is left to the program in the worst window of each length."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from wrkparse.analysis.gc import mmu_curves
from wrkparse.plot import runs
from wrkparse.plot.drawn import remember
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.layout import End, label_panels, panels
from wrkparse.plot.style import palette, ticks
from wrkparse.plot.style.house import NARROW_MM, WIDTH_MM, styled, title, width_mm

if TYPE_CHECKING:
    import pandas as pd

    from wrkparse.dataset import Dataset

_PANELS = {
    "mmu_ratio": "Minimum mutator utilisation, by pauses",
    "mmu_marking_ratio": "… with marking on 25 % of the Ps",
}


@styled
def mmu(ds: Dataset, *, ax: Axes | None = None, where: str | None = None, width: float = WIDTH_MM) -> Axes:
    """Utilisation against the window's length, a line per process: by pauses, and with marking.

    The numbers are those of `wrkparse.analysis.gc.mmu_curves`. A line ends with its trace. NothingToPlotError: no
    gctrace run, or none that prints times and lasts longer than 1 ms.
    """
    curves = mmu_curves(ds, where=where)
    if curves.empty:
        raise NothingToPlotError(
            "no gctrace run prints when its collections were (Go 1.5 and later do), for 1 ms or more"
        )
    names = runs.names(ds.runs, curves["run"])
    narrow = (width_mm(ax) if ax else width) < NARROW_MM
    group = panels(
        ax,
        2,
        columns=1 if narrow else 2,
        height_mm=130.0 if narrow else 78.0,
        width_mm=width,
        heights=[1, 1] if narrow else None,
        sharex=True,
        sharey=True,
    )
    for one, (column, text) in zip(group.axes, _PANELS.items(), strict=True):
        title(one, text)
        _lines(one, curves, column, names)
    for one in group.axes:
        if one is group.axes[-1] or not narrow:
            one.set_xlabel("length of the window")
    labelled = group.axes if narrow else group.axes[1:]
    columns = dict(zip(group.axes, _PANELS, strict=True))
    for one in group.axes:
        one.tick_params(labelbottom=one in labelled or not narrow)
    label_panels({one: _ends(one, curves, columns[one], names) for one in labelled})
    return remember(group.host, curves.assign(name=curves["run"].map(names)))


def _lines(ax: Axes, curves: pd.DataFrame, column: str, names: dict[str, str]) -> None:
    named = len(names) <= runs.MOST_NAMED
    for slot, run in enumerate(names):
        of = curves[curves["run"] == run]
        look = palette.look(slot)
        ax.plot(
            of["window_s"], of[column], color=look.colour if named else palette.MUTED, gid=run,
            marker=look.marker if named else "", markevery=_marked(of[column], slot), markerfacecolor="white",
            linewidth=1.5 if named else 0.6,
        )  # fmt: skip
    ax.set_xlim(curves["window_s"].min(), curves["window_s"].max())
    ax.set_ylim(0, 1)
    ticks.log(ax.xaxis, "s")
    ticks.linear(ax.yaxis, "ratio")


def _marked(values: pd.Series, slot: int) -> list[int]:
    """Every twentieth point that is not at 0, where all lines lie on each other; from another place for each line."""
    above = np.flatnonzero(values.to_numpy(float) > 0)
    return [int(place) for place in above[3 + slot * 3 % 20 :: 20]]


def _ends(ax: Axes, curves: pd.DataFrame, column: str, names: dict[str, str]) -> list[End]:
    """The lines' ends at the right edge, each tied to where its trace ends."""
    if len(names) > runs.MOST_NAMED:
        ax.text(0.98, 0.03, f"{len(names)} processes", transform=ax.transAxes, ha="right", color=palette.MUTED)
        return []
    right = float(curves["window_s"].max())
    ends = []
    for slot, (run, name) in enumerate(names.items()):
        last = curves[curves["run"] == run].iloc[-1]
        y = float(last[column])
        ax.plot([last["window_s"], right], [y, y], color=palette.MUTED, linewidth=0.5, linestyle=(0, (1, 2)), zorder=1)
        ends.append(End(right, y, name, palette.look(slot).ink))
    return ends
