"""A forest plot: rows of settings with ratios to a baseline on a log axis, and columns of text at the right."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.text import Annotation

from wrkparse.analysis.comparison.compare import ComparisonTable
from wrkparse.plot import layout
from wrkparse.plot.figures.comparison.forest_rows import MOST_ROWS, Forest, ForestRow, forest_rows
from wrkparse.plot.marks import marks_of, show_setting, show_settings
from wrkparse.plot.points import Point, add_points
from wrkparse.plot.series import describe_group, group_names, key_title, label_values, setting_words, sorted_groups
from wrkparse.plot.style import ticks
from wrkparse.plot.style.house import WIDTH_MM, apply_style, drawn_width_mm, set_title
from wrkparse.plot.style.palette import COLOURS, GRID, INVALID, MUTED, TEXT

_ROW_MM, _HIGH_ROW_MM = 4.6, 5.6  # the height of a row, and if there are few
_FEW_ROWS = 8  # up to this number, rows are high
_MARGIN_MM = 24.0  # title, header, ticks and title of the axis
# Of the width of the figure: names take at most this. With 0.5, names of 60 letters push the runs out of a figure of
# 166 mm, and go beyond the edge of one of 90 mm.
_NAME_SHARE = 0.27
# Of a name; enough for "connections 10000". With 25, names of 60 letters go beyond the edge of a figure of 90 mm.
_FEWEST_LETTERS = 20
# Of the width of the figure: the axes get at least this. With 0.2, a figure of 90 mm keeps all columns, and 17 % for
# its axes; with 0.6, one of 166 mm loses the medians and the runs.
_AXES_SHARE = 0.34
# More than letters take on average (in words 1.2 mm, digits 1.4 mm), so that most names fit without measuring.
_LETTER_MM = 1.45  # a letter in 8 point type: 4.1 points
_COLUMN_GAP_PT = 9.0
_REFERENCE_COLUMNS = 24  # letters of the name of the baseline above its line
_TITLE_SHARE, _TITLE_LETTER_MM = 0.7, 1.75  # of the width of the figure, for a name in the title; a letter of it
# Without it, one interval of two runs that differ much would press all markers together.
_MAX_REACH = 3.0  # an interval that reaches beyond the outermost marker by a larger factor ends in an arrow
_COLUMNS = ("center", "ratio", "p", "runs", "verdict")  # from left to right
_COLUMNS_BY_IMPORTANCE = ("ratio", "verdict", "center", "runs", "p")  # the last ones are left out first
_RIGHT_ALIGNED = {"center", "p", "runs"}
_COLOURS = {"better": COLOURS[0], "higher": COLOURS[0], "worse": COLOURS[1], "lower": COLOURS[1]}
_DIRECTIONS = {"higher": "; higher is better", "lower": "; lower is better"}
_FORESTS: WeakKeyDictionary[Axes, Forest] = WeakKeyDictionary()  # what was drawn


def draw_forest(
    ax: Axes | None,
    cells: pd.DataFrame,
    result: ComparisonTable,
    title: str,
    width: float = WIDTH_MM,
    *,
    most_rows: int = MOST_ROWS,
) -> layout.PanelGrid:
    """Draw the ratios of `cells`, the rows of ``result.cells`` for one metric, to the baseline of `result`.

    `title` is the title of the metric. The rows are those of `forest_rows`, at most `most_rows`.
    """
    width_mm = drawn_width_mm(ax) if ax else width
    forest = forest_rows(result, cells, max(_FEWEST_LETTERS, int(_NAME_SHARE * width_mm / _LETTER_MM)), most_rows)
    rows = forest.rows
    height = (_HIGH_ROW_MM if len(rows) <= _FEW_ROWS else _ROW_MM) * (len(rows) + 1) + _MARGIN_MM
    grid = layout.make_panels(ax, 1, columns=1, height_mm=height, width_mm=width)
    (panel,) = grid.axes
    apply_style(panel, grid="x")
    panel.spines["left"].set_visible(False)
    limits = _x_limits(rows)
    panel.set_xlim(*limits)
    panel.set_ylim(len(rows) - 0.4, -1.6)
    ticks.set_log(panel.xaxis, "×")
    for at, row in enumerate(rows):
        with marks_of(panel, row.setting):
            _draw_row(panel, at, row, limits)
        add_points(panel, _row_points(at, row))
    reference = _draw_reference(panel, cells, result, len(rows), limits)
    _name_rows(panel, rows)
    set_title(panel, _figure_title(cells, result, title, int(_TITLE_SHARE * width_mm / _TITLE_LETTER_MM)))
    better = str(cells["better"].iloc[0])
    panel.set_xlabel(f"ratio, log scale{_DIRECTIONS.get(better, '')}")
    _write_columns(panel, rows, _column_titles(result), width_mm)
    layout.add_note(grid, "  ".join(_notes(cells, result, forest)))
    layout.arrange(panel)
    # Whether the name of the baseline fits above the axes is known only now, because the layout moved these.
    box = reference.get_window_extent()
    if box.x0 < panel.bbox.x0 or box.x1 > panel.bbox.x1:
        reference.set_text("baseline = 1")
    _FORESTS[grid.host] = forest
    return grid


def drawn_forest(ax: Axes) -> Forest | None:
    """The rows that `draw_forest` drew into axes; None if it drew nothing into them."""
    return _FORESTS.get(ax)


def _figure_title(cells: pd.DataFrame, result: ComparisonTable, title: str, most: int) -> str:
    """The title of the figure: ``Throughput relative to heron``, with the setting if there is only one.

    The name of the baseline has at most `most` letters.
    """
    places = {label_values(row, result.setting_keys) for row in cells.to_dict("records")}
    place = describe_group(result.setting_keys, places.pop()) if len(places) == 1 else ""
    base = _baseline_name(cells, result, most, "runs without the label")
    return f"{title.split(',', maxsplit=1)[0]} relative to {base}" + (f": {place}" if place else "")


def _baseline_name(cells: pd.DataFrame, result: ComparisonTable, width: int, missing: str) -> str:
    """The name of the baseline, at most `width` letters long, and different from that of each variant."""
    keys, baseline = tuple(result.baseline), label_values(result.baseline, result.baseline)
    variants = {label_values(row, keys) for row in cells.to_dict("records")}
    return group_names(keys, sorted_groups({baseline, *variants}), width, missing)[baseline]


def _x_limits(rows: Sequence[ForestRow]) -> tuple[float, float]:
    """The ends of the x axis: around all markers, and around the intervals unless they reach far beyond."""
    marks = np.array([1.0, *(value for row in rows for value in (row.ratio, *row.dots))])
    marks = marks[np.isfinite(marks) & (marks > 0)]
    low, high = float(marks.min()), float(marks.max())
    ends = np.array([end for row in rows for end in (row.lo, row.hi)])
    near = ends[np.isfinite(ends) & (ends >= low / _MAX_REACH) & (ends <= high * _MAX_REACH)]
    low, high = min([low, *near]), max([high, *near])
    # 5 % of the logarithmic axis, and at least 1 % of the ratio, if all ratios are 1.
    margin = max((high / low) ** 0.05, 1.01)
    return low / margin, high * margin


def _draw_row(ax: Axes, at: int, row: ForestRow, limits: tuple[float, float]) -> None:
    colour = _COLOURS.get(row.verdict, MUTED)
    invalid = row.verdict == "invalid"
    (dots,) = ax.plot(
        row.dots, at + _dot_offsets(row), linestyle="", marker="x" if invalid else "o", markersize=2.9,
        color=INVALID if invalid else colour, markerfacecolor="white", markeredgewidth=0.7, zorder=3.5, gid="runs",
    )  # fmt: skip
    if row.dot_settings:
        show_settings(row.dot_settings, dots)
    if math.isfinite(row.lo) and math.isfinite(row.hi):
        _draw_interval(ax, at, row, limits, colour)
    together = row.kind == "together"
    if not math.isnan(row.ratio) and not invalid:
        ax.plot(
            [row.ratio], [at], linestyle="", marker="D" if together else "o", markersize=5.2 if together else 4.6,
            color=colour, markeredgecolor="white", markeredgewidth=0.5, zorder=4, gid=row.kind,
        )  # fmt: skip


def _dot_offsets(row: ForestRow) -> np.ndarray:
    """The distances of the dots of a row from its middle, up or down, so that neighbours do not hide each other."""
    count = len(row.dots)
    return 0.14 * (np.arange(count) % 3 - 1) if count > 1 and row.kind != "rest" else np.zeros(count)


def _row_points(at: int, row: ForestRow) -> Iterator[Point]:
    """The dots of a row, if they are runs, and its marker."""
    name = row.name.strip()
    setting = "" if name == row.series else f"{name}: "
    for ratio, offset, (run, value) in zip(row.dots, _dot_offsets(row), row.runs, strict=False):  # settings have no run
        words = f"{setting}{value}, {ratio:.3g} times the baseline"
        yield Point(ratio, at + float(offset), row.series, words, (run,), setting=row.setting)
    if not math.isnan(row.ratio) and row.verdict != "invalid":
        texts = [row.texts.get("center", ""), f"{row.texts['ratio']} times the baseline", row.texts.get("verdict", "")]
        yield Point(
            row.ratio, at, row.series, f"{setting}{', '.join(filter(None, texts))}",
            tuple(run for run, _ in row.runs), setting=row.setting,
        )  # fmt: skip


def _draw_interval(ax: Axes, at: int, row: ForestRow, limits: tuple[float, float], colour: str) -> None:
    """Draw the interval; an end beyond the axis is an arrow."""
    low, high = max(row.lo, limits[0]), min(row.hi, limits[1])
    ax.plot(
        [low, high], [at, at], color=colour, linewidth=1.9 if row.kind == "together" else 1.3, solid_capstyle="butt",
        zorder=3, gid="interval",
    )  # fmt: skip
    for end, shown, marker in ((row.lo, low, "<"), (row.hi, high, ">")):
        if end != shown:
            ax.plot([shown], [at], marker=marker, markersize=3.5, color=colour, clip_on=False, zorder=3, gid="beyond")


def _draw_reference(
    ax: Axes, cells: pd.DataFrame, result: ComparisonTable, count: int, limits: tuple[float, float]
) -> Annotation:
    """Draw the line of the baseline and the band of ratios that count as the same; return the name above the line."""
    if result.same_within is not None:
        ends = 1 / (1 + result.same_within), 1 + result.same_within
        ax.axvspan(*ends, color=GRID, linewidth=0, zorder=0, gid="ties")
    ax.plot([1, 1], [-0.55, count - 0.4], color=TEXT, linewidth=0.8, zorder=1, gid="baseline")
    share = -math.log(limits[0]) / math.log(limits[1] / limits[0])  # where 1 is along the axis
    # Near an end of the axis, the name is written towards the middle.
    side = "left" if share < 0.3 else "right" if share > 0.7 else "center"
    name = _baseline_name(cells, result, _REFERENCE_COLUMNS, "without")
    written = ax.annotate(
        f"{name} = 1", (1, -1), ha=side, va="center", fontsize=8, color=TEXT, annotation_clip=False, in_layout=False,
        bbox={"facecolor": "white", "linewidth": 0, "pad": 1.0}, gid="reference",
    )  # fmt: skip
    show_setting(setting_words(tuple(result.baseline), tuple(result.baseline.values())), written)
    return written


def _name_rows(ax: Axes, rows: Sequence[ForestRow]) -> None:
    """Write the names; those of groups, and of all settings together in a group, are semibold."""
    bold = _bold_kinds(rows)
    layout.name_rows(
        ax, [row.name for row in rows], bold=[row.kind in bold for row in rows],
        colours=[MUTED if row.kind == "rest" else TEXT for row in rows],
        settings=[layout.RowSetting(row.setting, row.whole) for row in rows],
    )  # fmt: skip


def _bold_kinds(rows: Sequence[ForestRow]) -> set[str]:
    """The kinds of rows with semibold names: groups and, in groups, all settings together."""
    return {"group", "together"} if any(row.kind == "group" for row in rows) else set()


def _column_titles(result: ComparisonTable) -> dict[str, str]:
    level = f"{100 * result.confidence:g} %"
    return {"center": result.center, "ratio": f"ratio ({level})", "p": "p", "runs": "runs", "verdict": "verdict"}


def _write_columns(ax: Axes, rows: Sequence[ForestRow], titles: dict[str, str], width_mm: float) -> None:
    """Write as many columns as leave the axes their share of the width."""
    # The title says "ratio (95 %)" only if a ratio has an interval: "0.96 (0.93–1.01)".
    points = 72 / layout.figure_of(ax).dpi
    if not any(row.texts.get("ratio", "").endswith(")") for row in rows):
        titles["ratio"] = "ratio"
    # All columns are written first, because only a text in the figure can be measured.
    columns = {
        name: _write_column(ax, rows, name, title)
        for name, title in titles.items()
        if any(row.texts.get(name) for row in rows)
    }
    widths = {
        name: max(text.get_window_extent().width for text in texts) * points + _COLUMN_GAP_PT
        for name, texts in columns.items()
    }
    names = max(label.get_window_extent().width for label in ax.get_yticklabels()) * points
    room = width_mm / 25.4 * 72 * (1 - _AXES_SHARE) - names
    kept = [name for name in _COLUMNS_BY_IMPORTANCE if name in columns]
    # The names need their width, and the axes get their share; columns have the rest.
    while kept and sum(widths[name] for name in kept) > room:
        # The least important one of those that are left.
        kept.pop()
    start = 0.0
    for name in _COLUMNS:
        if name not in kept:
            for text in columns.get(name, ()):
                text.remove()
            continue
        right = name in _RIGHT_ALIGNED
        for text in columns[name]:
            text.set_position((start + (widths[name] if right else _COLUMN_GAP_PT), 0))
        start += widths[name]
    last = [name for name in _COLUMNS if name in kept][-1:]
    for name in last:  # the widest text of the last column is the one that the layout leaves room for
        max(columns[name], key=lambda text: text.get_window_extent().width).set_in_layout(True)


def _write_column(ax: Axes, rows: Sequence[ForestRow], name: str, title: str) -> list[Annotation]:
    """Write the title and the texts of a column, at a place that is set later."""
    side = "right" if name in _RIGHT_ALIGNED else "left"
    bold = _bold_kinds(rows)
    found = []
    for at, text in ((-1, title), *((at, row.texts.get(name, "")) for at, row in enumerate(rows))):
        if not text:
            continue
        weight = 600 if at >= 0 and rows[at].kind in bold else "normal"
        written = ax.annotate(
            text, (1, at), xycoords=("axes fraction", "data"), xytext=(0, 0), textcoords="offset points",
            ha=side, va="center", fontsize=8, color=MUTED if at < 0 else TEXT, fontweight=weight,
            annotation_clip=False, in_layout=False, gid=name,
        )  # fmt: skip
        if at >= 0 and rows[at].setting:
            show_setting(rows[at].setting, written)
        found.append(written)
    return found


def _notes(cells: pd.DataFrame, result: ComparisonTable, forest: Forest) -> Iterator[str]:
    """Notes that explain the marks in the figure."""
    rows = forest.rows
    compared = cells["ratio"].notna() & (cells["verdict"] != "baseline")
    varied = sorted({label for text in cells["varies"].dropna() for label in text.split()})
    notes = {
        "Diamonds: all settings together.": any(row.kind == "together" for row in rows),
        **_notes_on_runs(cells, result, forest),
        "Ratios: medians over all pairs of runs, not ratios of the medians.": (
            result.center == "median" and (compared & (cells["n"] > 1)).any()
        ),
        "In brackets: the runs that each side needs for a verdict, if the true difference is the one seen.": any(
            row.texts.get("verdict", "").endswith(")") for row in rows
        ),
        f"Grey band: within {100 * (result.same_within or 0):g} %, the same.": result.same_within is not None,
        "×: runs that are not used.": (cells["verdict"] == "invalid").any(),
        f"Some rows combine runs with different {', '.join(map(key_title, varied[:4]))}.": bool(varied),
    }
    yield from (text for text, holds in notes.items() if holds)


def _notes_on_runs(cells: pd.DataFrame, result: ComparisonTable, forest: Forest) -> dict[str, bool]:
    has_intervals = any(math.isfinite(row.lo) for row in forest.rows)
    single = bool((cells["n"] == 1).all())
    return {
        "One run each: no interval and no verdict.": single and not has_intervals,
        f"Lines: {100 * result.confidence:g} % intervals.": has_intervals,
        "Rings: single settings.": forest.dots == "settings",
        f"Rings: single runs, divided by the baseline's {result.center}.": forest.dots == "runs" and not single,
    }
