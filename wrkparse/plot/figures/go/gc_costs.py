"""The costs of garbage collection under each setting: a row for each setting, a panel for each number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from wrkparse.analysis.go.gc.costs import COSTS, GcCosts
from wrkparse.analysis.go.gc.costs import gc_costs as analysis
from wrkparse.analysis.shown.numbers import rounded
from wrkparse.plot import layout
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.frames import remember_frame
from wrkparse.plot.marks import marks_of
from wrkparse.plot.points import Point, add_points
from wrkparse.plot.series import Group, group_names, group_rows, label_values, setting_words, sorted_groups
from wrkparse.plot.style import ticks
from wrkparse.plot.style.house import NARROW_MM, WIDTH_MM, apply_style, drawn_width_mm, in_house_style, set_title
from wrkparse.plot.style.palette import COLOURS, INVALID, MUTED, TEXT

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_ROW_MM, _HIGH_ROW_MM, _FEW_ROWS = 4.6, 6.2, 8  # the height of a row, and if there are few
_MARGIN_MM = 22.0  # titles, ticks and the note
_MOST_ROWS = 44  # of 4.6 mm, with the margin 224 mm: a PDF has 225 mm for a figure
_NAME_COLUMNS = 34  # columns of text: a name takes at most this


class _PanelSpec(NamedTuple):
    """The title and the unit of a panel; `whole_mib` says that the number is printed in whole MiB."""

    title: str
    unit: str
    whole_mib: bool = False


_PANELS = dict(
    zip(
        COSTS,
        (
            _PanelSpec("Median pause", "s"),
            _PanelSpec("Worst pause", "s"),
            _PanelSpec("CPU in collections", "ratio"),
            _PanelSpec("Collections per second", "1/s"),
            _PanelSpec("Largest heap", "bytes", whole_mib=True),
        ),
        strict=True,
    )
)


@in_house_style
def gc_costs(
    source: Dataset | GcCosts, *, ax: Axes | None = None, where: str | None = None, width: float = WIDTH_MM
) -> Axes:
    """A row for each GC setting, a panel for each number: pauses, share of CPU, collections per second, largest heap.

    Rings are processes, the bar is their median; all axes begin at 0. A cross is a process that the audit finds
    invalid: no median includes it. Rows are in the order of their labels, so that GOGC rises downwards. In a narrow
    figure the panels are below each other. A result of `wrkparse.analysis.go.gc.costs.gc_costs` is accepted
    instead of a dataset.

    Raises NothingToPlotError without gctraces of several settings, and if there are more than 44.
    """
    costs = source if isinstance(source, GcCosts) else analysis(source, where=where)
    groups = sorted_groups(label_values(row, costs.keys) for row in costs.processes.to_dict("records"))
    if len(groups) < 2:
        raise NothingToPlotError("there are no gctraces of several settings: this figure compares GOGC or GOMEMLIMIT")
    if len(groups) > _MOST_ROWS:
        raise NothingToPlotError(
            f"{len(groups)} settings are too many for the rows of a figure, at most {_MOST_ROWS}: choose some with "
            f"--where on {', '.join(costs.keys)}"
        )
    shown = [name for name in COSTS if costs.processes[name].notna().any()]
    narrow = (drawn_width_mm(ax) if ax else width) < NARROW_MM
    rows = len(groups) * (_HIGH_ROW_MM if len(groups) <= _FEW_ROWS else _ROW_MM) + _MARGIN_MM
    grid = layout.make_panels(
        ax, len(shown), columns=1 if narrow else len(shown), height_mm=rows * (len(shown) if narrow else 1),
        width_mm=width, sharey=True,
    )  # fmt: skip
    names = group_names(costs.keys, groups, _NAME_COLUMNS)
    for panel, name in zip(grid.axes, shown, strict=True):
        _draw_panel(panel, costs, name, groups, names)
        panel.tick_params(axis="y", labelleft=narrow or panel is grid.axes[0])
    layout.add_note(grid, " ".join(_notes(costs)))
    layout.arrange(grid.axes[0])
    return remember_frame(grid.host, costs.processes[["run", "source", "used", *costs.keys, "cycles", *COSTS]])


def _draw_panel(ax: Axes, costs: GcCosts, name: str, groups: Sequence[Group], names: dict[Group, str]) -> None:
    """Draw one number: a bar from 0 to the median of each setting, and a ring for each process."""
    panel = _PANELS[name]
    apply_style(ax, grid="x")
    ax.spines["left"].set_visible(False)
    medians = {label_values(row, costs.keys): row[name] for row in costs.settings.to_dict("records")}
    processes = group_rows(costs.processes, costs.keys)
    for at, group in enumerate(groups):
        setting = setting_words(costs.keys, group)
        with marks_of(ax, setting):
            _draw_median(ax, at, float(medians.get(group, np.nan)))
            _draw_processes(ax, at, processes[group], name)
        add_points(ax, _points(at, processes[group], name, names[group], setting))
    top = float(costs.processes[name].max())
    ax.set_xlim(0, 1.08 * top or 1.0)
    ax.set_yticks(range(len(groups)), [names[group] for group in groups])
    whole = [setting_words(costs.keys, group) for group in groups]
    layout.show_rows(ax, [layout.RowSetting(words, words) for words in whole])
    # Row 0 is at the top. All panels share this axis.
    ax.set_ylim(len(groups) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ticks.set_linear(ax.xaxis, panel.unit, most=3, whole_mib=panel.whole_mib)
    set_title(ax, panel.title)


def _draw_median(ax: Axes, at: int, middle: float) -> None:
    if not np.isnan(middle):
        ax.plot([0, middle], [at, at], color=MUTED, linewidth=0.8, zorder=2, gid="from 0")
        ax.plot([middle], [at], "|", color=TEXT, markersize=9, markeredgewidth=1.4, zorder=3, gid="median")


def _draw_processes(ax: Axes, at: int, rows: pd.DataFrame, name: str) -> None:
    values, used = rows[name].to_numpy(float), rows["used"].to_numpy(bool)
    heights = at + _ring_offsets(len(rows))
    for part, marker, colour in ((used, "o", COLOURS[0]), (~used, "x", INVALID)):
        if part.any():
            ax.plot(
                values[part], heights[part], linestyle="", marker=marker, markersize=3.2, color=colour,
                markerfacecolor="white", markeredgewidth=0.8, zorder=3.5, clip_on=False, gid="processes",
            )  # fmt: skip


def _ring_offsets(count: int) -> np.ndarray:
    """The distances of the rings of a row from its middle, up or down, so that neighbours do not hide each other."""
    return 0.16 * (np.arange(count) % 3 - 1) if count > 1 else np.zeros(count)


def _points(at: int, rows: pd.DataFrame, name: str, series: str, setting: str) -> Iterator[Point]:
    panel = _PANELS[name]
    listed = rows[["run", "source", name]].itertuples(index=False)
    for (run, source, value), offset in zip(listed, _ring_offsets(len(rows)), strict=True):
        if pd.notna(value):
            words = f"{source}: {panel.title.lower()} {rounded(float(value), panel.unit)}"
            yield Point(float(value), at + float(offset), series, words, (str(run),), setting=setting)


def _notes(costs: GcCosts) -> Iterator[str]:
    several = bool((costs.settings["processes"] > 1).any())
    yield "Rings: processes; bars: their medians. All axes begin at 0." if several else "One process each."
    if not costs.processes["used"].all():
        yield "×: invalid, in no median."
