"""Latencies of many settings: a row for each, with its p50, p90, p99 and maximum on a logarithmic axis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from wrkparse.analysis.comparison.latency_settings import LatencySettings
from wrkparse.plot import layout
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.figures.latency.axes import draw_slo
from wrkparse.plot.marks import marks_of
from wrkparse.plot.series import describe_group, group_names, group_rows, setting_words
from wrkparse.plot.style import ticks
from wrkparse.plot.style.house import apply_style, drawn_width_mm, set_title
from wrkparse.plot.style.palette import COLOURS, GRID, MUTED, TEXT, text_colour

_ROW_MM, _MARGIN_MM = 4.4, 28.0  # the height of a row, and of the texts around the rows
_NAME_SHARE, _LETTER_MM = 0.3, 1.45  # as in the rows of a comparison
# Rows and groups of a page, and rows of each group. 44 rows with their margin are 222 mm high; a PDF has 225 mm.
_MOST_ROWS, _MOST_GROUPS, _FEWEST_ROWS = 44, 24, 3
# The percentiles with their markers and colours, and what they are called.
_MARKS = {0.5: ("p50", "o", COLOURS[0]), 0.9: ("p90", "s", COLOURS[5]), 0.99: ("p99", "D", COLOURS[4]),
          1.0: ("max", "|", COLOURS[1])}  # fmt: skip
_ORDERED_BY = (0.99, 0.9, 0.5, 1.0)  # the first of these that all settings print


class _Row(NamedTuple):
    """A row: the latencies at each percentile of `_MARKS`; empty for a heading, and for rows that are left out.

    `setting` is what it shows, `whole` its name before that was cut.
    """

    name: str
    points: Mapping[float, Mapping[str, float]]
    kind: str
    setting: str = ""
    whole: str = ""


def draw_ranges(ax: Axes | None, settings: LatencySettings, width: float, slo_s: float | None) -> layout.PanelGrid:
    """Draw the settings as rows, best first within each group of the labels of panels.

    Marks are the medians of the runs at these percentiles, shades the lowest to the highest run. Raises
    NothingToPlotError if there are too many groups, or no positive latency.
    """
    rows = _rows(settings, max(20, int(_NAME_SHARE * (drawn_width_mm(ax) if ax else width) / _LETTER_MM)))
    grid = layout.make_panels(ax, 1, columns=1, height_mm=_ROW_MM * len(rows) + _MARGIN_MM, width_mm=width)
    (panel,) = grid.axes
    apply_style(panel, grid="x")
    panel.spines["left"].set_visible(False)
    for at, row in enumerate(rows):
        with marks_of(panel, row.setting):
            _draw_row(panel, at, row)
    _name_rows(panel, rows)
    seconds = [value for row in rows for point in row.points.values() for value in point.values() if value > 0]
    seconds += [slo_s] if slo_s else []
    if not seconds:
        raise NothingToPlotError("all latencies are printed as 0")
    panel.set_xscale("log")
    panel.set_xlim(min(seconds) / 1.15, max(seconds) * 1.15)
    panel.set_ylim(len(rows) - 0.4, -0.7)
    ticks.set_log(panel.xaxis, "s")
    panel.set_xlabel("latency (log scale)")
    draw_slo(panel, slo_s, tail=True)
    set_title(panel, "Latencies by setting")
    shown = [level for level in _MARKS if any(level in row.points for row in rows)]
    _add_legend(grid, shown)
    layout.add_note(grid, "  ".join(_notes(settings, rows)))
    layout.arrange(panel)
    return grid


def _rows(settings: LatencySettings, width: int) -> list[_Row]:
    points = settings.points[settings.points["corrected"].fillna(value=True)]  # of wrk2 the corrected latencies
    groups = group_rows(points, settings.panel)
    if len(groups) > _MOST_GROUPS:
        raise NothingToPlotError(
            f"the runs differ in {', '.join(settings.panel)}, which would make {len(groups)} groups of rows; choose "
            "some of them with --where"
        )
    names = group_names(settings.by, group_rows(points, settings.by), width - 1)
    ordered_by = _ordering_percentile(points, settings)
    whole = sum(len(group_rows(of_group, settings.by)) + 1 for of_group in groups.values())
    # Each group has two rows more: its heading, and the number of those left out.
    most = max(_FEWEST_ROWS, (_MOST_ROWS - 2) // len(groups) - 2) if whole > _MOST_ROWS else whole
    rows: list[_Row] = []
    for place, of_group in groups.items():
        if settings.panel:
            words = setting_words(settings.panel, place)
            rows.append(_Row(describe_group(settings.panel, place) or "(none)", {}, "group", words, words))
        found = [
            _Row(
                names[group], _latencies_by_percentile(one), "setting",
                setting_words((*settings.by, *settings.panel), (*group, *place)), setting_words(settings.by, group),
            )
            for group, one in group_rows(of_group, settings.by).items()
        ]  # fmt: skip
        # Settings that do not print it are the last.
        found.sort(key=lambda row: row.points.get(ordered_by, {"value_s": float("inf")})["value_s"])
        rows += found[:most]
        if len(found) > most:
            rows.append(_Row(f"… {len(found) - most:,} more rows", {}, "rest"))
    return rows


def _latencies_by_percentile(points: pd.DataFrame) -> dict[float, dict[str, float]]:
    return {
        level: {name: float(row[name]) for name in ("value_s", "lo_s", "hi_s")}
        for row in points.to_dict("records")
        if (level := round(float(row["percentile"]), 6)) in _MARKS
    }


def _ordering_percentile(points: pd.DataFrame, settings: LatencySettings) -> float:
    whole = len(group_rows(points, settings.keys))
    counts = points["percentile"].round(6).value_counts()
    return next((level for level in _ORDERED_BY if counts.get(level, 0) == whole), _ORDERED_BY[-1])


def _draw_row(ax: Axes, at: int, row: _Row) -> None:
    drawn = {level: point for level, point in row.points.items() if point["value_s"] > 0}
    if not drawn:
        return
    values = [point["value_s"] for point in drawn.values()]
    ax.plot([min(values), max(values)], [at, at], color=GRID, linewidth=1.2, zorder=1, gid="span")
    for level, point in drawn.items():
        name, marker, colour = _MARKS[level]
        if point["hi_s"] > point["lo_s"]:
            low = point["lo_s"] or point["value_s"]  # a logarithmic axis has no 0
            ax.plot(
                [low, point["hi_s"]], [at, at], color=colour, alpha=0.3, linewidth=4.5, solid_capstyle="butt",
                zorder=2, gid=f"range {name}",
            )  # fmt: skip
        ax.plot(
            [point["value_s"]], [at], linestyle="", marker=marker, markersize=6 if marker == "|" else 3.8, color=colour,
            markeredgewidth=1.5 if marker == "|" else 0, zorder=3, gid=name,
        )  # fmt: skip


def _name_rows(ax: Axes, rows: list[_Row]) -> None:
    grouped = any(row.kind == "group" for row in rows)
    indent = "\N{EN SPACE}" if grouped else ""
    names = [row.name if row.kind == "group" else indent + row.name for row in rows]
    layout.name_rows(
        ax, names, bold=[row.kind == "group" for row in rows],
        colours=[MUTED if row.kind == "rest" else TEXT for row in rows],
        settings=[layout.RowSetting(row.setting, row.whole) for row in rows],
    )  # fmt: skip


def _add_legend(grid: layout.PanelGrid, levels: list[float]) -> None:
    names, markers, colours = zip(*(_MARKS[level] for level in levels), strict=True)
    samples = [
        Line2D(
            [], [], linestyle="", marker=marker, color=colour, markersize=6 if marker == "|" else 4,
            markeredgewidth=1.5 if marker == "|" else 0,
        )
        for marker, colour in zip(markers, colours, strict=True)
    ]  # fmt: skip
    layout.add_legend(grid, samples, names, [text_colour(colour) for colour in colours])


def _notes(settings: LatencySettings, rows: list[_Row]) -> Iterator[str]:
    fewest, most = int(settings.points["runs"].min()), int(settings.points["runs"].max())
    if most > 1:
        runs = f"{fewest} runs" if fewest == most else f"{fewest} to {most} runs"
        yield f"Marks: at each percentile the median of {runs}; shades: the lowest to the highest run."
    else:
        yield "One run each."
    if any(row.kind == "rest" for row in rows):
        yield "Best first; choose others with a condition."
    yield from settings.doubts
