"""Small multiples: a panel for each value of a label, a line for each value of another, the same axes in all."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from wrkparse.analysis.comparison.cells.cell_results import Center
from wrkparse.analysis.comparison.choice.baseline import default_baseline
from wrkparse.analysis.comparison.compare import ComparisonTable
from wrkparse.analysis.comparison.compare import compare as compute_comparison
from wrkparse.analysis.runs.labels.factors import factors
from wrkparse.analysis.runs.labels.lines import lines_of
from wrkparse.analysis.runs.selection import select_runs
from wrkparse.analysis.shown.numbers import quantity
from wrkparse.analysis.wording import counted
from wrkparse.dataset import Dataset, column_name
from wrkparse.dataset.aliases import label_names
from wrkparse.plot import layout
from wrkparse.plot.colours import coloured_label, series_styles
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.figures.comparison.compare import compare
from wrkparse.plot.figures.heat_table import draw_heat_table
from wrkparse.plot.frames import remember_frame
from wrkparse.plot.layout import LineEnd
from wrkparse.plot.marks import marks_of, show_setting
from wrkparse.plot.points import Point, add_points
from wrkparse.plot.series import (
    Group,
    describe_group,
    distinct_series_names,
    group_names,
    group_rows,
    key_title,
    label_values,
    metric_title,
    number_columns,
    refuse_many_panels,
    setting_words,
    sorted_groups,
)
from wrkparse.plot.style import ticks
from wrkparse.plot.style.house import TITLES, WIDTH_MM, drawn_width_mm, in_house_style, set_title
from wrkparse.plot.style.palette import (
    ABOVE,
    BELOW,
    INVALID,
    MUTED,
    SeriesStyle,
    ramp_colour,
    series_style,
    text_colour,
)

# Four panels are side by side in a figure of 166 mm. With 20 mm, axes of eight loads had room for two tick labels.
_PANEL_MM = 40.0  # panels are at least this wide
_ROW_MM = 52.0  # the height of a row of panels
_MAX_TITLE_WIDTH = 60  # of a panel, in columns of text; long titles are broken into lines
_MOST_PANELS, _MOST_LINES = 12, 12  # if there are more, the figure is a table


@in_house_style
def multiples(
    source: Dataset | ComparisonTable,
    *,
    ax: Axes | None = None,
    where: str | None = None,
    metric: str = "throughput",
    panel: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    over: str = "connections",
    linear: bool = False,
    center: Center = "median",
    confidence: float = 0.95,
    include_invalid: bool = False,
    ignore: str | Sequence[str] | None = None,
    width: float = WIDTH_MM,
) -> Axes:
    """A metric over connections: a panel for each value of `panel`, a line for each of `by`, the same axes in all.

    Without `by`, the lines are the cores, and without `panel`, the panels are the frameworks, or else the first label
    of the server in which the runs differ. If all runs have the same cores, or none, the frameworks are the lines, in
    one panel.

    Labels in which runs of one marker would differ make further panels, as they make columns in `wrkparse.compare`, and
    so do those in which the runs of one line would (`wrkparse.analysis.runs.labels.lines.line_labels`).
    Markers are the centre of the runs, with its interval if there is one. Lines only join the markers. Both axes are
    logarithmic unless `linear` is set. The options are those of `wrkparse.compare`. A result of that function for one
    metric (`rows` of `panel` and `by`, `columns` of `over`) is accepted instead of a dataset.

    If there are more than 12 panels, or 12 lines in a panel, the figure is a table: a row for each line, a column for
    each value of `over`, coloured by the ratio to the best of the column.

    Raises NothingToPlotError if no run has a number for `over`, and the errors of `wrkparse.compare`.
    """
    panel, by, ignore, (over,) = _labels_of(source, panel, by, ignore, over)
    panel, by = _default_keys(source, metric, where, panel, by, over, ignore)
    separating = _separating_labels(source, metric, where, [*panel, *by], over, ignore)
    result = _comparison_to_draw(
        source, rows=[*panel, *by, *separating], columns=over, metric=metric, where=where,
        center=center, confidence=confidence, include_invalid=include_invalid, ignore=ignore,
    )  # fmt: skip
    cells = _drawable_cells(result.cells, over, ("center", "lo", "hi"))
    metric, unit = str(cells["metric"].iloc[0]), str(cells["unit"].iloc[0])
    separated = (*separating, *result.separated)
    panels = [*panel, *separated]
    coloured = [key for key in coloured_label(panels) if key not in by]
    lines = _PanelContent(
        cells,
        panels,
        by,
        over,
        series_styles([*coloured, *by], group_rows(cells, [*coloured, *by])),
        coloured,
        _runs_by_marker(result, [*panels, *by, over]),
        are_ratios=False,
    )
    refuse_many_panels(lines.panels(), panels, separated)
    title = metric_title(column_name(metric, "total", unit), unit)
    if lines.are_too_many():
        grid = draw_heat_table(ax, cells, [*panels, *by], over, title, width)
        return remember_frame(grid.host, lines.frame())
    grid = _make_grid(ax, lines, width)
    for one in grid.axes:
        if not linear:
            one.set_xscale("log", base=2)
            one.set_yscale("log")
        else:
            one.set_ylim(0, 1.06 * float(np.nanmax(cells[["value", "hi"]].to_numpy(float))))
    _draw_lines(grid, lines, title)
    for one in grid.axes:
        ticks.set_linear(one.yaxis, unit) if linear else ticks.set_log(one.yaxis, unit)
    return _finish_figure(grid, lines, title)


@in_house_style
def gc_settings(
    source: Dataset | ComparisonTable,
    *,
    ax: Axes | None = None,
    where: str | None = None,
    metric: str = "throughput",
    panel: str | Sequence[str] | None = None,
    by: str | Sequence[str] = ("gogc",),
    baseline: str | None = None,
    over: str = "connections",
    center: Center = "median",
    confidence: float = 0.95,
    include_invalid: bool = False,
    ignore: str | Sequence[str] | None = None,
    width: float = WIDTH_MM,
) -> Axes:
    """A metric under each GOGC relative to a baseline, over connections or cores, with a panel for each framework.

    Settings above the baseline are blue, those below it orange; the further away, the darker. ``off`` is above all
    numbers. Without `baseline`, that is 100, Go's default, or else the smallest. The ratio axis is logarithmic, so that
    twice and half are equally far from 1. If there is one number of `over`, at which all markers would stand, the
    figure is that of `compare`. The other options are those of `multiples`. A result given instead of a dataset must
    have this `baseline`.
    """
    panel, keys, ignore, (over,) = _labels_of(source, panel, by, ignore, over)
    if isinstance(source, Dataset) and "gogc" in keys and "gogc" not in source.label_keys():
        raise NothingToPlotError("no run has the label gogc: this figure needs runs of servers with GOGC=…")
    panel, keys = _default_keys(source, metric, where, panel, keys, over, ignore)
    separating = _separating_labels(source, metric, where, [*panel, *keys], over, ignore)
    result = _comparison_to_draw(
        source, rows=[*panel, *keys, *separating], columns=over, metric=metric, where=where,
        baseline=baseline or _default_setting(source, where, keys),
        center=center, confidence=confidence, include_invalid=include_invalid, ignore=ignore,
    )  # fmt: skip
    cells = _drawable_cells(result.cells, over, ("ratio", "ratio_lo", "ratio_hi"))
    separated = (*separating, *result.separated)
    panels = [*panel, *separated]
    # A panel whose runs all have the baseline's setting would show the line at 1 only.
    compared = {group for group, rows in group_rows(cells, panels).items() if (rows["verdict"] != "baseline").any()}
    cells = cells[[label_values(row, panels) in compared for row in cells.to_dict("records")]]
    if cells.empty:
        base = ",".join(f"{key}={value or ''}" for key, value in result.baseline.items())
        raise NothingToPlotError(f"nothing to compare with {base}: no run has another {', '.join(keys)}")
    styles = _ramp_styles(sorted_groups(group_rows(cells, keys)), tuple(result.baseline.get(key) for key in keys))
    runs = _runs_by_marker(result, [*panels, *keys, over])
    lines = _PanelContent(cells, panels, keys, over, styles, [], runs, are_ratios=True)
    if len(set(cells["x"])) == 1:
        return remember_frame(compare(result, ax=ax, width=width), lines.frame())
    refuse_many_panels(lines.panels(), panels, separated)
    grid = _make_grid(ax, lines, width)
    for one in grid.axes:
        one.set_xscale("log", base=2)
        one.set_yscale("log")
    metric, unit = str(cells["metric"].iloc[0]), str(cells["unit"].iloc[0])
    base = describe_group(list(result.baseline), list(result.baseline.values()))
    title = f"{metric_title(column_name(metric, 'total', unit), unit).split(',')[0]} relative to {base}"
    _draw_lines(grid, lines, title)
    for one in grid.axes:
        ticks.set_log(one.yaxis, "×")
    return _finish_figure(grid, lines, title)


def _default_setting(
    source: Dataset | ComparisonTable, where: str | None, keys: Sequence[str]
) -> dict[str, str | None] | None:
    """The setting with which the others are compared, of the runs that have one; None if there are none."""
    if isinstance(source, ComparisonTable):
        return None
    runs = [run for run in select_runs(source, where, keys) if all(run.labels[key] is not None for key in keys)]
    counting = [run for run in runs if run.valid is not False] or runs
    return default_baseline(runs, counting, keys) if runs else None


def _comparison_to_draw(source: Dataset | ComparisonTable, **options: Any) -> ComparisonTable:
    """The comparison to draw. A dataset caches it, because a phone needs the same figure in another width."""
    if isinstance(source, ComparisonTable):
        return source
    return source.cached(("comparison to draw", repr(options)), lambda: compute_comparison(source, **options))


def _labels_of(source: Dataset | ComparisonTable, *names: str | Sequence[str] | None) -> Iterator[list[str]]:
    """The full names of labels, for each list of names."""
    known = source.label_keys() if isinstance(source, Dataset) else (*source.rows, *source.columns)
    return (list(label_names(of_option, known)) for of_option in names)


def _default_keys(
    source: Dataset | ComparisonTable, metric: str, where: str | None, panel: list[str], by: list[str], over: str,
    ignored: Sequence[str],
) -> tuple[list[str], list[str]]:  # fmt: skip
    """The labels of panels and lines; those that are not given are chosen as `multiples` says."""
    if isinstance(source, ComparisonTable):
        return panel or [key for key in source.rows if key not in by][:1], by or [*source.rows[1:]] or [*source.rows]
    if panel and by:
        return panel, by
    runs = source.wide(where)
    runs = runs[runs[over].notna()] if over in runs else runs  # traces may state other cores
    free = {key for key in runs.columns if runs[key].notna().any()} - {*panel, *by, over, *ignored}
    first = [key for key in ("framework", *factors(source, where, metric).compared) if key in free][:1]
    # Without several numbers of cores, the frameworks are not panels but lines.
    if not by and ("cores" not in free or len(runs["cores"].unique()) == 1):
        return panel, first or ["tool"]
    return panel or first, by or ["cores"]


def _separating_labels(
    source: Dataset | ComparisonTable, metric: str, where: str | None, keys: Sequence[str], over: str,
    ignore: Sequence[str],
) -> tuple[str, ...]:  # fmt: skip
    """Further labels in which the runs of one line differ; empty if `source` is a comparison."""
    if isinstance(source, ComparisonTable):
        return ()
    return lines_of(source, metric, where, keys, over, ignore)


class _PanelContent(NamedTuple):
    """The content of the panels: the cells, and the labels of panels, of lines and of the x axis.

    `styles` are by the labels of panels that are `coloured`, and those of lines. `runs` are the runs of each marker, by
    the labels of its panel, its line and the x axis.
    """

    cells: pd.DataFrame
    panel: list[str]
    by: list[str]
    over: str
    styles: Mapping[Group, SeriesStyle]
    coloured: list[str]
    runs: Mapping[Group, tuple[str, ...]]
    are_ratios: bool

    def panels(self) -> dict[Group, pd.DataFrame]:
        """The cells of each panel."""
        return group_rows(self.cells, self.panel)

    def style(self, panel: Group, line: Group) -> SeriesStyle:
        """The style of a line of a panel."""
        own = (value for key, value in zip(self.panel, panel, strict=True) if key in self.coloured)
        return self.styles[(*own, *line)]

    def setting(self, panel: Group, line: Group) -> str:
        """The whole name of a line of a panel."""
        return setting_words([*self.panel, *self.by], [*panel, *line])

    def are_too_many(self) -> bool:
        """Whether there are more panels, or more lines in one of them, than readers can distinguish."""
        panels = self.panels()
        return len(panels) > _MOST_PANELS or max(len(group_rows(one, self.by)) for one in panels.values()) > _MOST_LINES

    def frame(self) -> pd.DataFrame:
        """The frame for `data`."""
        numbers = ("metric", "unit", "value", "lo", "hi", "n", "invalid", "verdict")
        return self.cells[[*self.panel, *self.by, self.over, *numbers]].reset_index(drop=True)


def _drawable_cells(cells: pd.DataFrame, over: str, names: Sequence[str]) -> pd.DataFrame:
    """The cells with a positive value and a positive number of `over`, with columns ``x``, ``value``, ``lo``, ``hi``.

    `names` are the columns that become the last three. Raises NothingToPlotError if there are none.
    """
    value, low, high = names
    verdict = cells["verdict"].fillna("")  # missing if there is no baseline
    x = pd.to_numeric(cells[over], errors="coerce")
    found = cells.assign(x=x, value=cells[value], lo=cells[low], hi=cells[high], verdict=verdict)
    found = found[found["x"] > 0]
    if found.empty:
        raise NothingToPlotError(f"no run has a number for {over}")
    # Most figures have a logarithmic axis, which has no 0.
    found = found[found["value"] > 0]
    if found.empty:
        raise NothingToPlotError(
            "no setting has a value to draw; wrkparse compare shows which runs are not used, and why"
        )
    return found.astype({"x": float}).sort_values("x", kind="stable")


def _ramp_styles(groups: Sequence[Group], baseline: Group) -> dict[Group, SeriesStyle]:
    """Styles: blue above the baseline and orange below it, darker with the distance; the baseline is grey."""
    at = groups.index(baseline) if baseline in groups else 0
    below, above = groups[:at], groups[at + 1 :]
    styles = {}
    for index, group in enumerate(groups):
        colour = MUTED
        if group in above:
            colour = ramp_colour(ABOVE, above.index(group), len(above))
        elif group in below:
            colour = ramp_colour(BELOW, len(below) - 1 - below.index(group), len(below))
        styles[group] = series_style(index)._replace(colour=colour, text_colour=text_colour(colour))
    return styles


def _make_grid(ax: Axes | None, lines: _PanelContent, width: float) -> layout.PanelGrid:
    count = len(lines.panels())
    available = drawn_width_mm(ax) if ax else width
    columns = max(1, min(count, int(available // _PANEL_MM)))
    columns = -(-count // -(-count // columns))  # five panels: 3 + 2, not 4 + 1
    height = _ROW_MM * -(-count // columns)
    return layout.make_panels(ax, count, columns=columns, height_mm=height, width_mm=width, sharex=True, sharey=True)


def _draw_lines(grid: layout.PanelGrid, lines: _PanelContent, title: str) -> None:
    panels = lines.panels()
    titles = group_names(lines.panel, panels, _MAX_TITLE_WIDTH) if lines.panel else dict.fromkeys(panels, title)
    names = group_names([*lines.panel, *lines.by], group_rows(lines.cells, [*lines.panel, *lines.by]), _MAX_TITLE_WIDTH)
    for ax, (panel, cells) in zip(grid.axes, lines.panels().items(), strict=True):
        for group, points in group_rows(cells, lines.by).items():
            with marks_of(ax, lines.setting(panel, group)):
                _draw_line(ax, points, lines.style(panel, group), f"line {names[(*panel, *group)]}")
        add_points(ax, _points(cells, lines, names))
        set_title(ax, titles[panel])
        if any(panel):
            words = setting_words(lines.panel, panel)
            show_setting(words, TITLES[ax], whole=words)


def _runs_by_marker(result: ComparisonTable, keys: list[str]) -> dict[Group, tuple[str, ...]]:
    """The runs of each cell, by the labels `keys`."""
    of_metric = result.samples[result.samples["metric"] == result.cells["metric"].iloc[0]]
    return {group: tuple(map(str, rows["run"])) for group, rows in group_rows(of_metric, keys).items()}


def _points(cells: pd.DataFrame, lines: _PanelContent, names: Mapping[Group, str]) -> Iterator[Point]:
    keys = [*lines.panel, *lines.by]
    for row in cells.to_dict("records"):
        group, at = label_values(row, keys), label_values(row, [lines.over])
        unit = "×" if lines.are_ratios else str(row["unit"])
        words = f"{at[0]} {key_title(lines.over)}: {_value_words(row, unit)}"
        runs = lines.runs.get((*group, *at), ())
        yield Point(float(row["x"]), float(row["value"]), names[group], words, runs, setting=setting_words(keys, group))


def _value_words(row: Mapping[Any, Any], unit: str) -> str:
    """``62.51 k/s (60.1 k/s to 63.0 k/s), 5 runs``."""
    value, low, high = (
        "" if math.isnan(number) else f"{number:.3g} times" if unit == "×" else quantity(number, unit)
        for number in (float(row["value"]), float(row["lo"]), float(row["hi"]))
    )
    ends = f" ({low} to {high})" if low and high else ""
    return f"{value}{ends}, {counted(int(row['n']), 'run')}" + (", invalid" if row["verdict"] == "invalid" else "")


def _draw_line(ax: Axes, points: pd.DataFrame, style: SeriesStyle, gid: str) -> None:
    """Draw markers that a line joins, with their intervals; invalid runs are separate crosses."""
    x, value, lo, hi = number_columns(points, "x", "value", "lo", "hi")
    invalid, baseline = (points["verdict"].eq(verdict).to_numpy(bool) for verdict in ("invalid", "baseline"))
    valid = ~invalid
    # The baseline itself is at 1 everywhere: a dashed line, without markers.
    if valid.any() and baseline[valid].all():
        ax.plot(x[valid], value[valid], color=MUTED, linestyle=(0, (4, 3)), linewidth=0.8, zorder=1)
        return
    known = valid & ~np.isnan(lo) & ~np.isnan(hi)
    ax.vlines(x[known], lo[known], hi[known], color=style.colour, linewidth=1.0, gid=gid)
    ax.plot(
        x[valid], value[valid], color=style.colour, linestyle=style.dash, marker=style.marker, markerfacecolor="white",
        gid=gid,
    )  # fmt: skip
    ax.plot(x[invalid], value[invalid], linestyle="", marker="x", color=INVALID)


def _finish_figure(grid: layout.PanelGrid, lines: _PanelContent, title: str) -> Axes:
    """Add the note, the ticks at the outer panels, and the names of lines; return the axes."""
    log = ["Both axes are logarithmic."] if grid.axes[0].get_yscale() == "log" else []
    # A single panel without labels has the title above it, so that the note does not repeat it.
    begins = f"{title}; lines" if lines.panel else "Lines"
    notes = [f"{begins}: {', '.join(map(key_title, lines.by))}.", *log, *_notes(lines.cells)]
    layout.add_note(grid, "  ".join(notes))
    for at, ax in enumerate(grid.axes):
        ax.tick_params(labelleft=at % grid.columns == 0)
        lowest = at + grid.columns >= len(grid.axes)
        ax.tick_params(labelbottom=lowest)
        ax.set_xlabel(key_title(lines.over) if lowest else "")
    for ax in grid.axes:
        ticks.set_at_values(ax.xaxis, lines.cells["x"])
    panels = lines.panels().items()
    layout.label_lines({ax: list(_line_ends(*panel, lines)) for ax, panel in zip(grid.axes, panels, strict=True)})
    return remember_frame(grid.host, lines.frame())


def _line_ends(panel: Group, cells: pd.DataFrame, lines: _PanelContent) -> Iterator[LineEnd]:
    names = distinct_series_names(group_rows(lines.cells, lines.by))
    for group, points in group_rows(cells, lines.by).items():
        last = points.iloc[-1]
        whole = ", ".join(value for value in group if value is not None)
        yield LineEnd(
            float(last["x"]), float(last["value"]), names[group], lines.style(panel, group).text_colour,
            lines.setting(panel, group), whole,
        )  # fmt: skip


def _notes(cells: pd.DataFrame) -> Iterator[str]:
    if (cells["n"] == 1).all():
        yield "Each marker is one run: no intervals."
    if (cells["verdict"] == "invalid").any():
        yield "×: not used, invalid or latencies suspect."
    if (cells["varies"].fillna("") != "").any():
        varied = sorted({label for text in cells["varies"].dropna() for label in text.split()})
        yield f"Some markers combine runs with different {', '.join(map(key_title, varied[:4]))}."
