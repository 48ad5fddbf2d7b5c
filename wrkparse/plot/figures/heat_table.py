"""Many lines as a table: a row for each, a column for each load, colours for the ratio to the best of the column."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from wrkparse.analysis.comparison.cells.relative import mean_distance, ratios_to_best
from wrkparse.plot import layout
from wrkparse.plot.marks import marks_of
from wrkparse.plot.series import group_names, group_rows, key_title, setting_words
from wrkparse.plot.style import ticks
from wrkparse.plot.style.house import apply_style, drawn_width_mm, set_title
from wrkparse.plot.style.palette import INVALID, MUTED, TEXT, ramp_colour

_ROW_MM, _MARGIN_MM = 4.6, 26.0  # the height of a row; of title, column names and note
_NAME_SHARE, _LETTER_MM = 0.34, 1.45  # names take at most this share of the width; a letter in 8 point type
_CELL_MM = 11.0  # a number in 7.5 point type with its prefix: `999 MiB/s` takes 10.7 mm, `62.5 ms` 8.4 mm
# 44 rows and the margin are 228 mm high; a PDF prints that at 98 %, because it has 225 mm for a figure.
_MOST_ROWS, _SHOWN_ROWS = 44, 40  # 44 rows fill a page; if there are more, the best 40 are shown
_SHADE_STEPS = 8  # distinct shades
_MOST_NAMED = 4  # left-out columns that the note names
_SHADES = ("#EAF2F8", "#4F97C7")  # text on both is dark
# The factor of the lightest shade is that of the farthest cell, within these: alike cells look alike.
_LEAST_REACH, _MOST_REACH = math.log(2), math.log(64)


def draw_heat_table(
    ax: Axes | None, cells: pd.DataFrame, keys: Sequence[str], over: str, title: str, width: float
) -> layout.PanelGrid:
    """Draw `cells`, rows of a comparison with value, x and verdict, as a table with a row for each group of `keys`.

    The best is first, by the mean distance from the best of each column. If there are more than 44 rows, the best 40
    are shown. If the columns do not fit, some are left out. A note says so.
    """
    width_mm = drawn_width_mm(ax) if ax else width
    cells = cells.assign(to_best=ratios_to_best(cells, over))
    groups = group_rows(cells, keys)
    order = sorted(groups, key=lambda group: mean_distance(groups[group]["to_best"]))
    shown = order if len(order) <= _MOST_ROWS else order[:_SHOWN_ROWS]
    loads = sorted(set(cells["x"]))
    kept = _columns_that_fit(loads, int(width_mm * (1 - _NAME_SHARE) / _CELL_MM))
    rest = len(order) - len(shown)
    grid = layout.make_panels(
        ax, 1, columns=1, height_mm=_ROW_MM * (len(shown) + bool(rest)) + _MARGIN_MM, width_mm=width
    )
    (panel,) = grid.axes
    apply_style(panel, grid="")
    for spine in panel.spines.values():
        spine.set_visible(False)
    reach = _reach(pd.concat([groups[group] for group in shown])["to_best"])
    for at, group in enumerate(shown):
        with marks_of(panel, setting_words(keys, group)):
            _draw_row(panel, at, groups[group], kept, reach)
    names = group_names(keys, order, int(_NAME_SHARE * width_mm / _LETTER_MM), "(none)")
    _name_rows(panel, [names[group] for group in shown], [setting_words(keys, group) for group in shown], rest)
    panel.set_xlim(-0.5, len(kept) - 0.5)
    panel.set_ylim(len(shown) + bool(rest) - 0.5, -0.5)
    panel.set_xticks(range(len(kept)), [ticks.format_label(load) for load in kept])
    panel.xaxis.tick_top()
    panel.tick_params(axis="x", length=0)
    set_title(panel, f"{title}, by {key_title(over)}", above_ticks=True)
    layout.add_note(grid, "  ".join(_notes(cells, over, [load for load in loads if load not in kept], rest)))
    layout.arrange(panel)
    return grid


def _columns_that_fit(loads: list[float], most: int) -> list[float]:
    """At most `most` of the loads, the first and the last among them, the others at equal steps."""
    if len(loads) <= most:
        return loads
    # Steps of indices, not of loads: loads often double, and equal steps would leave out the small ones.
    places = np.unique(np.linspace(0, len(loads) - 1, max(most, 2)).round().astype(int))
    return [loads[place] for place in places]


def _reach(ratios: pd.Series) -> float:
    """The distance from the best at which shades end: that of the farthest ratio, as a logarithm."""
    return float(np.clip(np.abs(np.log(ratios.dropna())).max(), _LEAST_REACH, _MOST_REACH))


def _draw_row(ax: Axes, at: int, rows: pd.DataFrame, loads: list[float], reach: float) -> None:
    for row in rows.to_dict("records"):
        if row["x"] not in loads:
            continue
        column = loads.index(row["x"])
        ratio = float(row["to_best"])
        if not math.isnan(ratio):
            # A rectangle with thin white gaps around it: 0.04 of a column, 0.08 of a row.
            ax.barh(at, 0.96, left=column - 0.48, height=0.92, color=_shade(ratio, reach), linewidth=0, gid="cell")
        invalid = str(row["verdict"]) == "invalid"
        number = ticks.format_number(float(row["value"]), str(row["unit"]), 3, zeros=True)
        ax.text(
            column, at, f"×\N{THIN SPACE}{number}" if invalid else number, ha="center", va="center", fontsize=7.5,
            color=INVALID if invalid else TEXT, fontweight=600 if ratio == 1 else "normal", gid="number",
        )  # fmt: skip


def _shade(ratio: float, reach: float) -> str:
    """The colour for a ratio to the best: dark for 1, and lighter by the same amount with each halving, to `reach`."""
    distance = min(abs(math.log(ratio)) / reach, 1.0)
    return ramp_colour(_SHADES, round((1 - distance) * _SHADE_STEPS), _SHADE_STEPS + 1)


def _name_rows(ax: Axes, names: list[str], settings: list[str], rest: int) -> None:
    more = [f"… {rest:,} more rows"] if rest else []
    layout.name_rows(
        ax, [*names, *more], bold=[False] * (len(names) + len(more)),
        colours=[*([TEXT] * len(names)), *([MUTED] * len(more))],
        settings=[*(layout.RowSetting(words, words) for words in settings), *(layout.RowSetting() for _ in more)],
    )  # fmt: skip


def _notes(cells: pd.DataFrame, over: str, left_out: list[float], rest: int) -> list[str]:
    many = bool((cells["n"] > 1).any())
    found = [f"{'Medians' if many else 'One run each'}; the darker, the nearer to the best of the column."]
    if left_out:
        values = ", ".join(ticks.format_label(load) for load in left_out[:_MOST_NAMED])
        more = f" and {len(left_out) - _MOST_NAMED} more" if len(left_out) > _MOST_NAMED else ""
        found.append(f"No room for {key_title(over)} {values}{more}.")
    if rest:
        found.append("Best first; choose others with a condition.")
    if (cells["verdict"] == "invalid").any():
        found.append("×: not used, invalid or latencies suspect.")
    return found
