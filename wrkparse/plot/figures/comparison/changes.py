"""Changes between inputs: ratios of each setting to the first input, as a slope chart or as a history."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from wrkparse.analysis.comparison.compare import ComparisonTable
from wrkparse.analysis.comparison.text.wording import metric_words, percent_text
from wrkparse.analysis.shown.numbers import quantity
from wrkparse.analysis.wording import counted
from wrkparse.plot import layout
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.figures.comparison.forest_rows import VERDICTS
from wrkparse.plot.frames import remember_frame
from wrkparse.plot.layout import LineEnd
from wrkparse.plot.marks import marks_of
from wrkparse.plot.names import shorten
from wrkparse.plot.points import Point, add_points
from wrkparse.plot.series import Group, group_names, group_rows, label_values, setting_words
from wrkparse.plot.style import ticks
from wrkparse.plot.style.house import WIDTH_MM, in_house_style, set_title
from wrkparse.plot.style.palette import COLOURS, GRID, MUTED, TEXT, text_colour

_HEIGHT_MM, _ROW_MM = 62.0, 4.6  # at least; and for each name at the right
_MOST_NAMED = 12  # lines with names, as many as `runs.MAX_NAMED`
_NAME_WIDTH = 34  # of a setting, in columns of text
_LONGEST_INPUT = 18  # columns of text of the name of an input
# Without it, the intervals of settings that changed alike would lie on each other.
_DODGE = 0.05  # of the width, over which the markers of one input are spread
_COLOURS = {"better": COLOURS[0], "higher": COLOURS[0], "worse": COLOURS[1], "lower": COLOURS[1]}
_LEAST_REACH = 1.05  # the axis reaches at least this far, so that noise does not fill it


@dataclass(frozen=True)
class _SettingLine:
    """A setting: its name, the whole one, and its cells and runs by the index of the input."""

    name: str
    setting: str
    cells: dict[int, dict[str, Any]]
    runs: dict[int, tuple[str, ...]]

    @property
    def last(self) -> dict[str, Any]:
        return self.cells[max(self.cells)]

    @property
    def colour(self) -> str:
        return _COLOURS.get(str(self.last["verdict"]), MUTED)

    @property
    def distance(self) -> tuple[bool, float]:
        """A sort key: decided changes first, then by the size of the change."""
        return self.colour == MUTED, -abs(math.log(_ratio(self.last)))


@in_house_style
def changes(
    table: ComparisonTable, inputs: Sequence[str], *, metric: str | None = None, ax: Axes | None = None,
    width: float = WIDTH_MM,
) -> Axes:  # fmt: skip
    """A line for each setting: its ratio to the first of the `inputs` on a log axis, with its interval in each input.

    An end of an interval beyond the axis is an arrow.

    `table` compares the inputs (the label ``input``) with the first one. Blue is significantly better at the end,
    orange worse, grey undecided. The grey band has the ratios that count as the same, if the comparison has
    `same_within`. At most 12 lines have names: decided ones first, then those that changed most. `metric` is one of
    the table, by default the first.

    Raises NothingToPlotError if no setting has a ratio.
    """
    metric = metric or str(table.cells["metric"].iloc[0])
    lines = sorted(_lines(table, metric, inputs), key=lambda line: line.distance)
    if not lines:
        raise NothingToPlotError(f"no setting has {metric} in {inputs[0]} and in another input")
    named = lines[:_MOST_NAMED]
    grid = layout.make_panels(ax, 1, columns=1, height_mm=max(_HEIGHT_MM, _ROW_MM * len(named) + 30), width_mm=width)
    (panel,) = grid.axes
    dodge = _DODGE * (len(inputs) - 1)
    _draw_scale(panel, table, lines, inputs)
    panel.set_xlim(-dodge, len(inputs) - 1 + 0.6 * dodge)
    for at, line in enumerate(lines):
        with marks_of(panel, line.setting):
            _draw_line(panel, line, dodge * ((at + 0.5) / len(lines) - 0.5), named=line in named)
    set_title(panel, f"{metric_words(metric)}, ratio to {inputs[0]} (log scale)")
    layout.add_note(grid, "  ".join(_notes(table, lines, metric)))
    layout.label_lines({panel: [_line_end(line, dodge / 2) for line in named]})
    cells = table.cells[table.cells["metric"] == metric]
    return remember_frame(grid.host, cells.reset_index(drop=True))


def _lines(table: ComparisonTable, metric: str, inputs: Sequence[str]) -> Iterator[_SettingLine]:
    cells = table.cells[(table.cells["metric"] == metric) & ~table.cells["is_share"].fillna(value=False)]
    samples = table.samples[table.samples["metric"] == metric]
    places = {name: at for at, name in enumerate(inputs)}
    settings = group_rows(cells, table.setting_keys)
    names = group_names(table.setting_keys, settings, _NAME_WIDTH)
    runs: Mapping[Group, pd.DataFrame] = group_rows(samples, table.setting_keys)
    for setting, rows in settings.items():
        found = {
            places[label_values(row, table.compared)[0] or ""]: {str(key): value for key, value in row.items()}
            for row in rows.to_dict("records")
            if not math.isnan(_ratio(row))
        }
        # Only a setting of the first input has ratios, and a line needs two ends.
        if 0 in found and len(found) > 1:
            of_inputs = group_rows(runs[setting], table.compared)
            known = {places[group[0] or ""]: tuple(map(str, of["run"])) for group, of in of_inputs.items()}
            yield _SettingLine(names[setting], setting_words(table.setting_keys, setting), found, known)


def _ratio(row: Mapping[Any, Any]) -> float:
    """The ratio of a cell; 1 for the baseline, NaN for a cell that does not count."""
    if row["verdict"] == "invalid" or not row["center"] > 0:
        return math.nan
    return 1.0 if row["verdict"] == "baseline" else float(row["ratio"])


def _draw_scale(ax: Axes, table: ComparisonTable, lines: Sequence[_SettingLine], inputs: Sequence[str]) -> None:
    """Set the axes, and draw the band of ratios that count as the same, and the line of no change."""
    ratios = [_ratio(cell) for line in lines for cell in line.cells.values()]
    # With twice its width beside 1, the grey band takes half of the axis at most.
    reach = max([_LEAST_REACH, 1 + 2 * (table.same_within or 0), *ratios, *(1 / ratio for ratio in ratios)])
    ends = [float(cell[end]) for line in lines for cell in line.cells.values() for end in ("ratio_lo", "ratio_hi")]
    sizes = [max(end, 1 / end) for end in ends if end > 0 and math.isfinite(end)]
    # One wide interval would press all lines together: it is cut if it ends beyond twice the reach of the ratios.
    far = max(reach**2, statistics.median_high(sizes) if sizes else 1.0)  # half of the intervals are shown as a whole
    # The exponent adds 8 % of the logarithmic axis at each end, as room for markers and arrows.
    reach = max(reach, *(size for size in sizes if size <= far), 1.0) ** 1.08
    ax.set_ylim(1 / reach, reach)
    ticks.set_log(ax.yaxis, "×")
    ax.set_xticks(range(len(inputs)), [shorten(name, _LONGEST_INPUT) for name in inputs])
    if table.same_within is not None:
        ax.axhspan(1 / (1 + table.same_within), 1 + table.same_within, color=GRID, linewidth=0, zorder=0, gid="ties")
    ax.axhline(1, color=TEXT, linewidth=0.8, zorder=1, gid="no change")


def _draw_line(ax: Axes, line: _SettingLine, shift: float, *, named: bool) -> None:
    places = sorted(line.cells)
    # Not at the first input: there all lines begin at 1.
    x = [at + (shift if at else 0.0) for at in places]
    bottom, top = ax.get_ylim()
    y = [_ratio(line.cells[at]) for at in places]
    colour = line.colour
    ax.plot(
        x, y, color=colour, linewidth=1.4 if colour != MUTED else 0.9, alpha=1 if named else 0.5, marker="o",
        markersize=3.6, markerfacecolor="white", zorder=3 if colour != MUTED else 2, gid=f"setting {line.name}",
    )  # fmt: skip
    for at, here in zip(places, x, strict=True):
        low, high = float(line.cells[at]["ratio_lo"]), float(line.cells[at]["ratio_hi"])
        if low > 0 and math.isfinite(high):
            ax.plot(
                [here, here], [low, high], color=colour, linewidth=0.9, alpha=0.8, zorder=2, gid=f"interval {line.name}"
            )
            for beyond, edge, marker in ((low < bottom, bottom, "v"), (high > top, top, "^")):
                if beyond:
                    ax.plot([here], [edge], marker, color=colour, markersize=3.5, clip_on=False, zorder=2, gid="beyond")
    add_points(ax, (_point(line, at, here) for at, here in zip(places, x, strict=True)))


def _point(line: _SettingLine, at: int, x: float) -> Point:
    cell = line.cells[at]
    value = quantity(float(cell["center"]), str(cell["unit"]))
    change = "" if not at else f", {_change_words(cell)}"
    words = f"{cell['input']}: {value}{change}, {counted(int(cell['n']), 'run')}"
    return Point(x, _ratio(cell), line.name, words, line.runs.get(at, ()), setting=line.setting)


def _change_words(cell: Mapping[str, Any]) -> str:
    """``-3.1 %, worse``; beyond a factor of two, ``2.41×``."""
    ratio = _ratio(cell)
    size = f"{100 * (ratio - 1):+.1f} %".replace("-", "\N{MINUS SIGN}") if 0.5 < ratio < 2 else f"{ratio:.3g}×"
    verdict = str(cell["verdict"])
    words = "same" if cell["equivalent"] is True else VERDICTS.get(verdict, verdict)
    return f"{size}, {words}"


def _line_end(line: _SettingLine, shift: float) -> LineEnd:
    colour = text_colour(line.colour)
    text, whole = (f"{name}  {_change_words(line.last)}" for name in (line.name, line.setting))
    return LineEnd(max(line.cells) + shift, _ratio(line.last), text, colour, line.setting, whole)


def _notes(table: ComparisonTable, lines: Sequence[_SettingLine], metric: str) -> Iterator[str]:
    cells = table.cells[table.cells["metric"] == metric]
    if cells["ratio_lo"].notna().any():
        yield f"Bars: {100 * table.confidence:g} % intervals."
    elif (cells["n"] == 1).all():
        yield "One run each: no interval and no verdict."
    better = str(cells["better"].iloc[0])
    if better in {"higher", "lower"}:
        yield f"{better.capitalize()} is better."
    if table.same_within is not None:
        yield f"Grey band: within {percent_text(table.same_within)}, the same."
    if len(lines) > _MOST_NAMED:
        yield f"{_MOST_NAMED} of {len(lines):,} settings are named: the decided ones, then those that changed most."
    lacking = len(group_rows(cells, table.setting_keys)) - len(lines)
    if lacking:
        yield f"{counted(lacking, 'setting')} not in both: left out."
