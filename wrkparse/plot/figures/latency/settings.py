"""Latency distributions by setting: a line for each with the range of its runs, in panels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cbook import STEP_LOOKUP_MAP
from matplotlib.lines import Line2D

from wrkparse.analysis.comparison.latency_settings import LatencySettings
from wrkparse.analysis.shown.numbers import rounded
from wrkparse.analysis.wording import counted
from wrkparse.plot import layout
from wrkparse.plot.colours import series_styles, style_words
from wrkparse.plot.figures.latency.axes import (
    DOTTED,
    UNCORRECTED,
    draw_slo,
    is_list,
    is_log,
    percentile_words,
    set_axes,
    title,
)
from wrkparse.plot.marks import marks_of, show_setting
from wrkparse.plot.points import Point, add_points
from wrkparse.plot.series import Group, describe_group, group_names, group_rows, setting_words
from wrkparse.plot.style.house import TITLES, drawn_width_mm, set_title
from wrkparse.plot.style.palette import SeriesStyle

# So a figure of 166 mm has two panels side by side, or three if there are just three.
_PANEL_MM = 72.0  # panels are at least this wide
# Three panels side by side may be as narrow as this. In panels of 43 mm, the tick label of 99 % has no room.
_PANELS_SIDE_BY_SIDE, _MIN_PANEL_MM = 3, 52.0
_ROW_MM, _SINGLE_PANEL_MM = 58.0, 84.0  # the height of a row of panels, and of a single panel
_MAX_NAME_WIDTH = 34  # columns of text


def draw_settings(
    ax: Axes | None, settings: LatencySettings, width: float, slo_s: float | None, *, tail: bool
) -> layout.PanelGrid:
    """Draw each setting as a line, the median of its runs, and a band, their range; panels are by `settings.panel`."""
    panels = group_rows(settings.points, settings.panel)
    columns = _columns(len(panels), drawn_width_mm(ax) if ax else width)
    rows = -(-len(panels) // columns)
    grid = layout.make_panels(
        ax, len(panels), columns=columns, height_mm=rows * (_SINGLE_PANEL_MM if len(panels) == 1 else _ROW_MM),
        width_mm=width,
        sharex=True, sharey=True,
    )  # fmt: skip
    groups = group_rows(settings.points, settings.by)
    names = group_names(settings.by, groups, _MAX_NAME_WIDTH)
    styles = series_styles(settings.by, names)
    log = tail or is_log(settings.points)
    for panel, (place, points) in zip(grid.axes, panels.items(), strict=True):
        shown_place = describe_group(settings.panel, place)
        for group, of_setting in group_rows(points, settings.by).items():
            setting = setting_words((*settings.by, *settings.panel), (*group, *place))
            with marks_of(panel, setting):
                _draw_setting(panel, of_setting, styles[group], names[group], log=log, tail=tail)
            found = _points(of_setting, names[group], shown_place, setting, log=log, tail=tail)
            add_points(panel, found)
        set_title(panel, shown_place or title(tail=tail, log=log))
        if shown_place:
            words = setting_words(settings.panel, place)
            show_setting(words, TITLES[panel], whole=words)
    for at, panel in enumerate(grid.axes):
        set_axes(panel, settings.points, slo_s, log=log, tail=tail)
        panel.tick_params(labelleft=at % columns == 0, labelbottom=at + columns >= len(grid.axes))
        if at + columns < len(grid.axes):
            panel.set_xlabel("")
        draw_slo(panel, slo_s, tail=tail)
    _add_legend(grid, names, styles, settings)
    layout.add_note(grid, "  ".join(_notes(settings, len(panels), title(tail=tail, log=log), log=log)))
    layout.arrange(grid.axes[0])
    return grid


def _columns(panels: int, width_mm: float) -> int:
    """The number of panels in a row. Three are side by side in a wide figure, so that none is alone in its row."""
    if panels == _PANELS_SIDE_BY_SIDE and width_mm >= panels * _MIN_PANEL_MM:
        return panels
    return max(1, min(panels, int(width_mm // _PANEL_MM)))


def _draw_setting(ax: Axes, points: pd.DataFrame, style: SeriesStyle, name: str, *, log: bool, tail: bool) -> None:
    """Draw the distributions of one setting: one, or for wrk2 a corrected and an uncorrected one."""
    for corrected, of_one in points.groupby("corrected", dropna=False, sort=False):
        known = of_one[of_one["value_s"] > 0] if log else of_one
        ratio = known["slower_ratio"].to_numpy(float)
        printed = _are_printed(known)
        steps = "default" if not printed else "steps-post" if tail else "steps-pre"
        plain = str(corrected) != "False"  # not by wrk2: missing
        x, y = (known["value_s"], ratio) if tail else (1 / ratio, known["value_s"])
        ax.plot(
            x, y, color=style.colour, linewidth=1.4, drawstyle=steps, gid=f"median {name}",
            linestyle=DOTTED if printed else "solid" if plain else UNCORRECTED, marker=style.marker if printed else "",
            markerfacecolor="white", markersize=3.8,
        )  # fmt: skip
        if (known["runs"] > 1).any():
            # A logarithmic axis has no 0: the band of a run that printed 0 goes down to below the axis.
            lows = np.maximum(known["lo_s"].to_numpy(float), known["value_s"].min() / 1e3 if log else 0)
            # The outline of the band: along the lowest runs, and back along the highest.
            corners = [
                _line_corners(ratio, seconds, steps, tail=tail) for seconds in (lows, known["hi_s"].to_numpy(float))
            ]
            ax.fill(
                *np.concatenate([corners[0], corners[1][::-1]]).T, color=style.colour, alpha=0.16, linewidth=0,
                gid=f"range {name}",
            )  # fmt: skip


def _points(
    rows: pd.DataFrame, name: str, panel: str, setting: str, *, log: bool, tail: bool
) -> Iterator[Point]:  # fmt: skip
    columns = ["percentile", "slower_ratio", "value_s", "lo_s", "hi_s", "members"]
    for percentile, slower, seconds, low, high, runs in rows[columns].itertuples(index=False):
        if seconds > 0 or not log:
            ends = f" (runs from {rounded(low, 's')} to {rounded(high, 's')})" if len(runs) > 1 else ""
            at = f"{panel}, {percentile_words(percentile)}" if panel else percentile_words(percentile)
            x, y = (seconds, slower) if tail else (1 / slower, seconds)
            words = f"{at}: {rounded(float(seconds), 's')}{ends}"
            yield Point(float(x), float(y), name, words, runs, setting=setting)


def _line_corners(ratio: np.ndarray, seconds: np.ndarray, steps: str, *, tail: bool) -> np.ndarray:
    """The corners of a line that is drawn with steps, or straight."""
    x, y = (seconds, ratio) if tail else (1 / ratio, seconds)
    return np.column_stack(STEP_LOOKUP_MAP[steps](x, y))


def _add_legend(
    grid: layout.PanelGrid, names: dict[Group, str], styles: dict[Group, SeriesStyle], settings: LatencySettings
) -> None:
    """Name the settings below the panels, if there are several. Samples look as the lines do."""
    if len(names) == 1:
        return
    printed = {group: _are_printed(points) for group, points in group_rows(settings.points, settings.by).items()}
    samples = [
        Line2D(
            [], [], color=styles[group].colour, linestyle=DOTTED if printed[group] else "solid",
            marker=styles[group].marker if printed[group] else "", markerfacecolor="white", markersize=3.8,
        )
        for group in names
    ]  # fmt: skip
    words = [setting_words(settings.by, group) for group in names]
    layout.add_legend(grid, samples, list(names.values()), [styles[group].text_colour for group in names], words)


def _are_printed(points: pd.DataFrame) -> bool:
    """Whether a line has a few printed percentiles only, so that it is dotted steps with markers."""
    return bool(points["detail"].eq("printed").all())


def _notes(settings: LatencySettings, panels: int, title: str, *, log: bool) -> Iterator[str]:
    if panels > 1:
        yield f"{title}; {style_words(settings.by, group_rows(settings.points, settings.by))}."
    fewest, most = int(settings.points["runs"].min()), int(settings.points["runs"].max())
    if most > 1:
        runs = f"{fewest} runs" if fewest == most else f"{fewest} to {most} runs"
        yield f"Lines: at each printed percentile the median of {runs}; bands: the lowest to the highest."
    if settings.points["detail"].eq("printed").any():
        yield "Dotted steps: upper bounds between the printed percentiles."
    if (settings.points["percentile"] == 1).any() and not is_list(settings.points):
        yield "Last point of a line: the maximum."
    zeros = int((settings.points["value_s"] <= 0).sum()) if log else 0
    if zeros:
        yield f"{counted(zeros, 'percentile')} of 0, below what the load generator prints: not on a logarithmic axis."
    yield from settings.doubts
