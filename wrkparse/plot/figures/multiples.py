"""Small multiples: a panel for each framework (or any label), one scale for all, a line for each value of another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from wrkparse.analysis.compare import Center, ComparisonTable
from wrkparse.analysis.compare import compare as compared
from wrkparse.analysis.selection import label_text
from wrkparse.dataset import Dataset, column_name
from wrkparse.plot import layout
from wrkparse.plot.drawn import remember
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.layout import End
from wrkparse.plot.series import called, groups, keys, looks, name, named, ordered, quantity
from wrkparse.plot.style import ticks
from wrkparse.plot.style.house import WIDTH_MM, styled, title, width_mm
from wrkparse.plot.style.palette import ABOVE, BELOW, INVALID, MUTED, Look, ink, look, ramp

_PANEL_MM = 40.0  # as wide as a panel should be at least
_ROW_MM = 52.0
Labels = tuple[str | None, ...]


@styled
def multiples(
    source: Dataset | ComparisonTable,
    *,
    ax: Axes | None = None,
    where: str | None = None,
    metric: str = "throughput",
    panel: str | Sequence[str] = ("framework",),
    by: str | Sequence[str] = ("cores",),
    over: str = "connections",
    linear: bool = False,
    center: Center = "median",
    confidence: float = 0.95,
    include_invalid: bool = False,
    width: float = WIDTH_MM,
) -> Axes:
    """A metric over connections: a panel for each value of `panel`, a line for each of `by`, the same axes in all.

    Markers are the centre of the runs with its interval where there is one; the lines only join them. Both axes are
    logarithmic unless `linear`. The options are those of `wrkparse.compare`, whose result for one metric (`rows` of
    `panel` and `by`, `columns` of `over`) may be given instead of a dataset.

    Raises NothingToPlotError where no run has a number for `over`, and what `wrkparse.compare` raises.
    """
    found = source if isinstance(source, ComparisonTable) else compared(
        source, rows=[*keys(panel), *keys(by)], columns=over, metric=metric, where=where, center=center,
        confidence=confidence, include_invalid=include_invalid,
    )  # fmt: skip
    cells = _placed(found.cells, over, ("center", "lo", "hi"))
    metric, unit = str(cells["metric"].iloc[0]), str(cells["unit"].iloc[0])
    series = looks(groups(cells, keys(by)))
    grid = _grid(ax, groups(cells, keys(panel)), width)
    for one in grid.axes:
        if not linear:
            one.set_xscale("log", base=2)
            one.set_yscale("log")
        else:
            one.set_ylim(0, 1.06 * float(np.nanmax(cells[["value", "hi"]].to_numpy(float))))
    heading = quantity(column_name(metric, "total", unit), unit)
    _drawn(grid, cells, keys(panel), keys(by), over, series)
    for one in grid.axes:
        ticks.linear(one.yaxis, unit) if linear else ticks.log(one.yaxis, unit)
    return _finished(grid, cells, keys(panel), keys(by), over, series, heading)


@styled
def gc_settings(
    source: Dataset | ComparisonTable,
    *,
    ax: Axes | None = None,
    where: str | None = None,
    metric: str = "throughput",
    panel: str | Sequence[str] = ("framework",),
    by: str | Sequence[str] = ("gogc",),
    baseline: str = "gogc=100",
    over: str = "connections",
    center: Center = "median",
    confidence: float = 0.95,
    include_invalid: bool = False,
    width: float = WIDTH_MM,
) -> Axes:
    """A metric under each GOGC as a ratio to that of a baseline, over connections or cores, a panel for each framework.

    Settings above the baseline are blue, those below it orange, the further the darker; ``off`` is above all. The ratio
    axis is logarithmic: twice and half are as far from 1. Else as `multiples`; a result has to have the `baseline`.
    """
    found = source if isinstance(source, ComparisonTable) else compared(
        source, rows=[*keys(panel), *keys(by)], columns=over, metric=metric, where=where, baseline=baseline,
        center=center, confidence=confidence, include_invalid=include_invalid,
    )  # fmt: skip
    cells = _placed(found.cells, over, ("ratio", "ratio_lo", "ratio_hi"))
    shown = {value for value, part in groups(cells, keys(panel)).items() if (part["verdict"] != "baseline").any()}
    cells = cells[[value in shown for value in zip(*(_texts(cells[key]) for key in keys(panel)), strict=True)]]
    if cells.empty:
        raise NothingToPlotError(
            f"nothing is there to compare with {baseline}: no run has another {', '.join(keys(by))}"
        )
    series = _shades(ordered(groups(cells, keys(by))), tuple(found.baseline.get(key) for key in keys(by)))
    grid = _grid(ax, groups(cells, keys(panel)), width)
    for one in grid.axes:
        one.set_xscale("log", base=2)
        one.set_yscale("log")
    _drawn(grid, cells, keys(panel), keys(by), over, series)
    for one in grid.axes:
        ticks.log(one.yaxis, "×")
    metric, unit = str(cells["metric"].iloc[0]), str(cells["unit"].iloc[0])
    what = quantity(column_name(metric, "total", unit), unit).split(",")[0]
    return _finished(grid, cells, keys(panel), keys(by), over, series, f"{what} relative to {baseline}")


def _texts(column: pd.Series[str]) -> list[str | None]:
    return [label_text(value) for value in column]


def _placed(cells: pd.DataFrame, over: str, names: Sequence[str]) -> pd.DataFrame:
    """The cells that have a place on the axis and a value, as ``x``, ``value``, ``lo`` and ``hi``."""
    value, low, high = names
    found = cells.assign(x=pd.to_numeric(cells[over], errors="coerce"), value=cells[value])
    told = cells["verdict"].fillna("")  # there is none without a baseline
    found = found.assign(lo=cells[low], hi=cells[high], verdict=told).dropna(subset=["x", "value"])
    found = found[(found["x"] > 0) & (found["value"] > 0)]
    if found.empty:
        raise NothingToPlotError(f"no run has a number for {over}")
    return found.astype({"x": float}).sort_values("x", kind="stable")


def _shades(values: Sequence[Labels], baseline: Labels) -> dict[Labels, Look]:
    """Blues above the baseline and oranges below it, the further the darker; the baseline is grey."""
    at = values.index(baseline) if baseline in values else 0
    below, above = values[:at], values[at + 1 :]
    found = {}
    for place, value in enumerate(values):
        colour = MUTED
        if value in above:
            colour = ramp(ABOVE, above.index(value), len(above))
        elif value in below:
            colour = ramp(BELOW, len(below) - 1 - below.index(value), len(below))
        found[value] = look(place)._replace(colour=colour, ink=ink(colour))
    return found


def _grid(ax: Axes | None, panels: Mapping[Labels, pd.DataFrame], width: float) -> layout.Panels:
    room = width_mm(ax) if ax else width
    columns = max(1, min(len(panels), int(room // _PANEL_MM)))
    columns = -(-len(panels) // -(-len(panels) // columns))  # rows as full as can be
    height = _ROW_MM * -(-len(panels) // columns)
    return layout.panels(ax, len(panels), columns=columns, height_mm=height, width_mm=width, sharex=True, sharey=True)


def _drawn(
    grid: layout.Panels, cells: pd.DataFrame, panel: list[str], by: list[str], over: str, series: Mapping[Labels, Look]
) -> None:
    for one, (value, part) in zip(grid.axes, groups(cells, panel).items(), strict=True):
        for labels, line in groups(part, by).items():
            _line(one, line, series[labels])
        title(one, named(panel, value) or "all runs")


def _line(ax: Axes, line: pd.DataFrame, look: Look) -> None:
    """Markers joined by a line, intervals where there are some; invalid runs are crosses, and joined to nothing."""
    valid, invalid = line[line["verdict"] != "invalid"], line[line["verdict"] == "invalid"]
    if (valid["verdict"] == "baseline").all() and len(valid):
        ax.plot(valid["x"], valid["value"], color=MUTED, linestyle=(0, (4, 3)), linewidth=0.8, zorder=1)
        return
    known = valid.dropna(subset=["lo", "hi"])
    ax.vlines(known["x"], known["lo"], known["hi"], color=look.colour, linewidth=1.0)
    ax.plot(
        valid["x"], valid["value"], color=look.colour, linestyle=look.dash, marker=look.marker, markerfacecolor="white"
    )
    ax.plot(invalid["x"], invalid["value"], linestyle="", marker="x", color=INVALID)


def _finished(
    grid: layout.Panels, cells: pd.DataFrame, panel: list[str], by: list[str], over: str,
    series: Mapping[Labels, Look], heading: str,
) -> Axes:  # fmt: skip
    """What stands around the panels: the quantity, the axes below the last row only, names at the ends of lines."""
    layout.note(grid, "  ".join([f"{heading}; lines: {', '.join(map(called, by))}.", *_notes(cells)]))
    for at, one in enumerate(grid.axes):
        one.tick_params(labelleft=at % grid.columns == 0)
        last = at + grid.columns >= len(grid.axes)
        one.tick_params(labelbottom=last)
        one.set_xlabel(called(over) if last else "")
    for one in grid.axes:
        ticks.at_values(one.xaxis, cells["x"])
    parts = groups(cells, panel).values()
    layout.label_panels({one: list(_ends(part, by, series)) for one, part in zip(grid.axes, parts, strict=True)})
    columns = [*panel, *by, over, "metric", "unit", "value", "lo", "hi", "n", "invalid", "verdict"]
    return remember(grid.host, cells[columns].reset_index(drop=True))


def _ends(part: pd.DataFrame, by: list[str], series: Mapping[Labels, Look]) -> Iterator[End]:
    for labels, line in groups(part, by).items():
        last = line.iloc[-1]
        yield End(float(last["x"]), float(last["value"]), name(labels), series[labels].ink)


def _notes(cells: pd.DataFrame) -> Iterator[str]:
    if (cells["n"] == 1).all():
        yield "Each marker is one run: no intervals."
    if (cells["verdict"] == "invalid").any():
        yield "×: invalid runs."
    if (cells["varies"].fillna("") != "").any():
        varied = sorted({label for text in cells["varies"].dropna() for label in text.split()})
        yield f"One marker has runs of different {', '.join(map(called, varied[:4]))}."
