"""Minimum mutator utilisation (MMU): the share of time left to the program in the worst window of each length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from wrkparse.analysis.go.gc.costs import process_settings
from wrkparse.analysis.go.gc.mmu import mmu_curves
from wrkparse.analysis.runs.selection import matching_runs
from wrkparse.analysis.wording import counted
from wrkparse.plot import runs
from wrkparse.plot.colours import run_styles, series_styles, style_words
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.frames import remember_frame
from wrkparse.plot.layout import LineEnd, add_note, label_lines, make_panels
from wrkparse.plot.marks import marks_of, show_setting
from wrkparse.plot.series import group_names, label_values, setting_words
from wrkparse.plot.style import palette, ticks
from wrkparse.plot.style.house import NARROW_MM, WIDTH_MM, drawn_width_mm, in_house_style, set_title

if TYPE_CHECKING:
    import pandas as pd

    from wrkparse.dataset import Dataset

_PANELS = {
    "mmu_ratio": "Minimum mutator utilisation, by pauses",
    "mmu_marking_ratio": "… with marking on 25 % of the Ps",
}
_PLAIN = palette.SeriesStyle(palette.MUTED, "", "solid", palette.MUTED)


@in_house_style
def mmu(ds: Dataset, *, ax: Axes | None = None, where: str | None = None, width: float = WIDTH_MM) -> Axes:
    """MMU by the length of the window, a line per process: from STW pauses alone, and with marking.

    If processes repeat settings, or there are more than 12, a line has the colour and the name of its setting; more
    than 12 settings have neither.

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
    lines = _lines(ds, list(dict.fromkeys(curves["run"])))
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
        _draw_lines(one, curves, column, lines)
    for one in grid.axes:
        if one is grid.axes[-1] or not narrow:
            one.set_xlabel("length of the window (log scale)")
    labelled = grid.axes if narrow else grid.axes[1:]
    columns = dict(zip(grid.axes, _PANELS, strict=True))
    for one in grid.axes:
        one.tick_params(labelbottom=one in labelled or not narrow)
    if lines.note:
        add_note(grid, lines.note)
    label_lines({one: _line_ends(one, curves, columns[one], lines) for one in labelled})
    return remember_frame(grid.host, curves.assign(name=curves["run"].map(runs.run_names(ds.runs, curves["run"]))))


class _ProcessLines(NamedTuple):
    """The style and the setting of the line of each process.

    `names` has a name for each process that has one. Those of a setting share the name, and one of their lines has it.
    """

    styles: Mapping[str, palette.SeriesStyle]
    settings: Mapping[str, str]
    names: Mapping[str, str]
    note: str = ""

    @property
    def grouped(self) -> bool:
        return len(set(self.names.values())) < len(self.styles)


def _lines(ds: Dataset, processes: list[str]) -> _ProcessLines:
    """A style for each process if there are few, and none repeats another's setting; else one for each setting."""
    settings = runs.run_settings(ds)
    known = set(processes)
    keys, labels = process_settings([run for run in matching_runs(ds, None, ()) if run.run in known])
    groups = {row["run"]: label_values(row, keys) for row in labels.to_dict("records")}
    names_of = group_names(keys, groups.values(), missing=f"{len(processes)} processes")
    # If there is one setting in all, its name would distinguish no line.
    repeated = 1 < len(names_of) < len(processes)
    if len(processes) <= runs.MAX_NAMED and not repeated:
        names = runs.run_names(ds.runs, processes)
        return _ProcessLines(dict(zip(names, run_styles(ds.runs, names), strict=True)), settings, names)
    count = f"Lines: {len(processes)} processes of {counted(len(names_of), 'setting')}"
    if len(names_of) > runs.MAX_NAMED:
        note = f"{count}, more than colours can tell apart; choose some of them with --where."
        return _ProcessLines(dict.fromkeys(processes, _PLAIN), settings, {}, note)
    styles = series_styles(keys, names_of)
    note = f"{count}; {style_words(keys, names_of)}." if len(names_of) > 1 else ""
    return _ProcessLines(
        {run: styles[groups[run]] for run in processes},
        {run: setting_words(keys, groups[run]) if keys else settings[run] for run in processes},
        {run: names_of[groups[run]] for run in processes},
        note,
    )


def _draw_lines(ax: Axes, curves: pd.DataFrame, column: str, lines: _ProcessLines) -> None:
    for index, (run, style) in enumerate(lines.styles.items()):
        curve = curves[curves["run"] == run]
        (line,) = ax.plot(
            curve["window_s"], curve[column], color=style.colour, gid=run,
            marker="" if lines.grouped else style.marker, markevery=_marker_places(curve[column], index),
            markerfacecolor="white", linewidth=0.7 if lines.grouped else 1.5,
            linestyle=style.dash if lines.grouped else "solid",
        )  # fmt: skip
        show_setting(lines.settings[run], line)
    ax.set_xlim(curves["window_s"].min(), curves["window_s"].max())
    ax.set_ylim(0, 1)
    ticks.set_log(ax.xaxis, "s")
    ticks.set_linear(ax.yaxis, "ratio")


def _marker_places(values: pd.Series, index: int) -> list[int]:
    """Every twentieth point above 0, where lines do not coincide; each line begins at another point."""
    # Short windows lie in a pause as a whole: there, all lines are at 0.
    above = np.flatnonzero(values.to_numpy(float) > 0)
    return [int(place) for place in above[3 + index * 3 % 20 :: 20]]


def _line_ends(ax: Axes, curves: pd.DataFrame, column: str, lines: _ProcessLines) -> list[LineEnd]:
    """Labels at the right edge, each with a dotted line from the end of its curve, or of the middle one of several."""
    right = float(curves["window_s"].max())
    last = {run: curve.iloc[-1] for run, curve in curves.groupby("run", sort=False)}
    ends = []
    for name in dict.fromkeys(lines.names.values()):
        # Of several lines of a setting, the middle one has the name.
        of_name = sorted((run for run in lines.names if lines.names[run] == name), key=lambda run: last[run][column])
        run = of_name[(len(of_name) - 1) // 2]
        y = float(last[run][column])
        with marks_of(ax, lines.settings[run]):
            ax.plot(
                [last[run]["window_s"], right], [y, y], color=palette.MUTED, linewidth=0.5, linestyle=(0, (1, 2)),
                zorder=1,
            )  # fmt: skip
        ends.append(LineEnd(right, y, name, lines.styles[run].text_colour, lines.settings[run]))
    return ends
