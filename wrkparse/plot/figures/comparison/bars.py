"""Settings side by side as bars: values that have no ratio to a baseline."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from wrkparse.analysis.comparison.compare import ComparisonTable
from wrkparse.analysis.shown.numbers import quantity
from wrkparse.plot import layout
from wrkparse.plot.marks import marks_of, show_setting
from wrkparse.plot.names import shorten
from wrkparse.plot.points import Point, add_points
from wrkparse.plot.series import (
    Group,
    describe_group,
    group_rows,
    key_title,
    refuse_many_panels,
    series_name,
    setting_words,
)
from wrkparse.plot.style import ticks
from wrkparse.plot.style.house import NARROW_MM, TITLES, apply_style, drawn_width_mm, set_title
from wrkparse.plot.style.palette import BAR, BASELINE, BETTER, INVALID, TEXT, WORSE

_BAR_MM = 6.0  # height of a row
_MARGIN_MM = 17.0  # title, tick labels and gaps of a panel
_PAD_BESIDE_MARKS_PT = 5.5  # between names and the axis, if runs have marks on it
_MAX_NAME_WIDTH = 36  # of the name of a row, in columns of text
# Other verdicts, such as undecided, have the grey of `BAR`.
_BAR_COLOURS = {"baseline": BASELINE, "better": BETTER, "higher": BETTER, "worse": WORSE, "lower": WORSE}
_DRAWN_COLUMNS = (
    "center", "lo", "hi", "n", "invalid", "ratio", "ratio_lo", "ratio_hi", "p_adjusted", "verdict",
    "rank_lo", "rank_hi",
)  # fmt: skip


def draw_bars(
    ax: Axes | None, cells: pd.DataFrame, result: ComparisonTable, title: str, width: float
) -> layout.PanelGrid:
    """Draw settings as horizontal bars in the order of `cells`, with a panel for each value of the columns.

    - `cells`: the rows of ``result.cells`` for one metric, each with a centre.
    - `title`: the title of the metric.

    Dots are runs, whiskers are intervals. The text at the end of a bar gives the value, and the ratio to the baseline
    if there is one. The bar that is surely the best of its panel is blue.
    """
    grid = _draw_panels(ax, cells, result, str(cells["unit"].iloc[0]), title, width)
    notes = [*([f"{title}."] if len(grid.axes) > 1 else []), *_notes(cells, result)]
    if notes:
        layout.add_note(grid, "  ".join(notes))
    layout.arrange(grid.axes[0])
    return grid


def _draw_panels(
    ax: Axes | None, cells: pd.DataFrame, result: ComparisonTable, unit: str, title: str, width: float
) -> layout.PanelGrid:
    """Draw a panel for each group of the columns; all panels have the same rows in the same order."""
    order = {group: place for place, group in enumerate(_groups_in_order(cells, result.rows))}
    panels = group_rows(cells, result.columns)
    refuse_many_panels(panels, result.columns, result.separated)
    columns = 1 if (drawn_width_mm(ax) if ax else width) < NARROW_MM else min(len(panels), 2)
    height = (_BAR_MM * len(order) + _MARGIN_MM) * -(-len(panels) // columns) + 4
    grid = layout.make_panels(ax, len(panels), columns=columns, height_mm=height, width_mm=width)
    samples = group_rows(
        result.samples[result.samples["metric"] == cells["metric"].iloc[0]], [*result.columns, *result.rows]
    )
    for panel, (column, rows) in zip(grid.axes, panels.items(), strict=True):
        set_title(panel, describe_group(result.columns, column) or title)
        if any(column):
            words = setting_words(result.columns, column)
            show_setting(words, TITLES[panel], whole=words)
        runs = {group[len(column) :]: frame for group, frame in samples.items() if group[: len(column)] == column}
        _draw_panel(panel, rows, order, runs, result, unit, column)
    longest = max(panel.get_xlim()[1] for panel in grid.axes)  # the same scale in all panels
    for place, panel in enumerate(grid.axes):
        panel.set_xlim(0, longest)
        panel.tick_params(axis="y", labelleft=place % columns == 0)
    return grid


def _groups_in_order(cells: pd.DataFrame, keys: Sequence[str]) -> list[Group]:
    """The distinct groups of the cells, in the order of the frame."""
    rows = cells[list(keys)].itertuples(index=False)
    return list(dict.fromkeys(tuple(None if pd.isna(value) else str(value) for value in row) for row in rows))


def _draw_panel(
    ax: Axes, cells: pd.DataFrame, order: dict[Group, int], runs: dict[Group, pd.DataFrame], result: ComparisonTable,
    unit: str, column: Group,
) -> None:  # fmt: skip
    """Draw the bars of one panel. The axis begins at 0, because readers compare the lengths of bars."""
    apply_style(ax, grid="x")
    ax.spines["left"].set_visible(False)
    longest = 0.0
    for group, rows in group_rows(cells, result.rows).items():
        cell, at = rows.iloc[0], order[group]
        values = runs[group]["value"].to_numpy(float) if group in runs else np.empty(0)
        setting = setting_words((*result.rows, *result.columns), (*group, *column))
        # The text is right of the bar, of its whisker and of its runs.
        end = float(np.nanmax([cell["center"], cell["hi"], *values]))
        with marks_of(ax, setting):
            _draw_bar(ax, cell, at, values)
            ax.annotate(
                _bar_text(cell, unit), (end, at), xytext=(6, 0), textcoords="offset points", va="center", fontsize=8,
                color=TEXT, annotation_clip=False, bbox={"facecolor": "white", "linewidth": 0, "pad": 0.8},
            )  # fmt: skip
        if group in runs:
            add_points(ax, _points(_row_name(result.rows, group), at, runs[group], unit, setting))
        longest = max(longest, end)
    ax.set_ylim(len(order) - 0.4, -0.6)
    ax.set_yticks(range(len(order)), [_row_name(result.rows, group) for group in order])
    names = [setting_words(result.rows, group) for group in order]
    layout.show_rows(ax, [layout.RowSetting(name, name) for name in names])
    ax.tick_params(axis="y", length=0)
    if any((frame["value"] == 0).any() for frame in runs.values()):
        ax.tick_params(axis="y", pad=_PAD_BESIDE_MARKS_PT)
    ax.set_xlim(0, longest or 1.0)  # no failures in any run
    ticks.set_linear(ax.xaxis, unit, most=4)


def _row_name(keys: Sequence[str], group: Group) -> str:
    """``nuster, cores 12, loopback``."""
    return shorten(describe_group(keys, group), _MAX_NAME_WIDTH) or series_name(group)


def _draw_bar(ax: Axes, cell: pd.Series[Any], at: int, runs: np.ndarray) -> None:
    """Draw the bar, its whisker and a dot for each run; if all runs are invalid, crosses only."""
    if cell["verdict"] == "invalid":
        ax.plot(runs, [at] * len(runs), linestyle="", marker="x", color=INVALID, clip_on=False, gid="invalid")
        return
    # Without a baseline, cells have ranks. With those from 1 to 1, no other setting may be as good.
    only_best = str(cell["rank_lo"]) == str(cell["rank_hi"]) == "1" and pd.isna(cell["ratio"])
    ax.barh(at, cell["center"], height=0.62, color=BETTER if only_best else _BAR_COLOURS.get(str(cell["verdict"]), BAR))
    if not math.isnan(cell["lo"]):
        ax.errorbar(
            cell["center"], at, xerr=[[cell["center"] - cell["lo"]], [cell["hi"] - cell["center"]]], color=TEXT,
            linewidth=1.0, capsize=2.5,
        )  # fmt: skip
    ax.plot(
        runs, at + _dot_offsets(len(runs)), linestyle="", marker="o", markersize=2.8, color=TEXT,
        markerfacecolor="white",
        markeredgewidth=0.7, clip_on=False,
    )  # fmt: skip


def _dot_offsets(count: int) -> np.ndarray:
    """The distances of the dots of a bar from its middle, up or down."""
    # Three rows of dots within the bar, whose half height is 0.31: neighbours do not hide each other.
    return 0.16 * (np.arange(count) % 3 - 1) if count > 1 else np.zeros(count)


def _points(name: str, at: int, runs: pd.DataFrame, unit: str, setting: str) -> Iterator[Point]:
    for (run, value), offset in zip(
        runs[["run", "value"]].itertuples(index=False), _dot_offsets(len(runs)), strict=True
    ):
        words = f"one run, {quantity(float(value), unit) or '0'}"
        yield Point(float(value), at + float(offset), name, words, (run,), setting=setting)


def _bar_text(cell: pd.Series[Any], unit: str) -> str:
    """The text at the end of a bar, with the parts that are known: ``590 k  0.96× [0.93–1.01]  undecided``."""
    parts = [ticks.format_number(float(cell["center"]), unit, 3, zeros=True)]
    if not math.isnan(cell["ratio"]) and cell["verdict"] != "baseline":
        parts.append(_format_ratio(cell))
    words = {"undecided": "undecided", "baseline": "baseline", "invalid": "invalid", "too few": "too few runs"}
    if str(cell["verdict"]) in words and not (cell["verdict"] == "too few" and cell["n"] == 1):
        parts.append(words[str(cell["verdict"])])
    return "\N{EN SPACE}".join(parts)


def _format_ratio(cell: pd.Series[Any]) -> str:
    """``0.963× [0.930–1.010]``: three digits, and the same number of decimals for the interval."""
    ratio = float(cell["ratio"])
    # 0.963 has three decimals, 12.3 one, 123 none.
    places = max(0, 2 - math.floor(math.log10(abs(ratio)))) if ratio and math.isfinite(ratio) else 2
    known = not math.isnan(cell["ratio_lo"])
    between = f" [{cell['ratio_lo']:,.{places}f}–{cell['ratio_hi']:,.{places}f}]" if known else ""
    return f"{ratio:,.{places}f}×{between}"


def _notes(cells: pd.DataFrame, result: ComparisonTable) -> Iterator[str]:
    if (cells["n"] == 1).all():
        yield "One run each: no interval and no verdict."
    elif cells["lo"].notna().any():
        yield f"Whiskers: {100 * result.confidence:g} % intervals; dots: runs."
    if (cells["verdict"] == "undecided").any():
        yield f"Undecided: no significant difference from the baseline (alpha {result.alpha:g})."
    compared = cells["ratio"].notna() & (cells["verdict"] != "baseline")
    if result.center == "median" and (compared & (cells["n"] > 1)).any():
        yield "Ratios: medians over all pairs of runs, not ratios of the medians."
    varied = sorted({label for text in cells["varies"].dropna() for label in text.split()})
    if varied:
        yield f"Some bars combine runs with different {', '.join(map(key_title, varied[:4]))}."
