"""Settings side by side: a bar for each, best first, every run a dot, the ratio to a baseline at the end."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from wrkparse.analysis.compare import Center, ComparisonTable
from wrkparse.analysis.compare import compare as compared
from wrkparse.dataset import Dataset, column_name
from wrkparse.plot import layout
from wrkparse.plot.drawn import remember
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.series import called, groups, keys, name, named, quantity, short
from wrkparse.plot.style import ticks
from wrkparse.plot.style.house import NARROW_MM, WIDTH_MM, dress, styled, title, width_mm
from wrkparse.plot.style.palette import BAR, BASELINE, BETTER, INVALID, TEXT, WORSE

_BAR_MM, _AROUND_MM = 6.0, 17.0
_LONGEST = 36  # of a row's name, in columns of a terminal
_FILL = {"baseline": BASELINE, "better": BETTER, "higher": BETTER, "worse": WORSE, "lower": WORSE}


@styled
def compare(
    source: Dataset | ComparisonTable,
    *,
    ax: Axes | None = None,
    where: str | None = None,
    rows: str | Sequence[str] = ("framework",),
    columns: str | Sequence[str] | None = None,
    metric: str = "throughput",
    baseline: str | None = None,
    center: Center = "median",
    confidence: float = 0.95,
    include_invalid: bool = False,
    width: float = WIDTH_MM,
) -> Axes:
    """Horizontal bars, best first, a panel for each value of `columns`; every run is a dot, whiskers are intervals.

    Behind each bar stand the value, the ratio to the baseline with its interval, and ``tie`` where the runs don't tell
    it from the baseline. What is told to be better is blue, worse is orange, the baseline dark; a bar of single runs
    stays grey. The options are those of `wrkparse.compare`, whose result may be given instead (its first metric is
    drawn, in its order).

    Raises NothingToPlotError where no cell has a value, and what `wrkparse.compare` raises.
    """
    found = source if isinstance(source, ComparisonTable) else compared(
        source, rows=keys(rows), columns=keys(columns), metric=metric, baseline=baseline or None, where=where,
        center=center, confidence=confidence, include_invalid=include_invalid, sort="best",
    )  # fmt: skip
    first = found.cells["metric"].iloc[0]
    cells = found.cells[(found.cells["metric"] == first) & found.cells["center"].notna()]
    cells = cells.assign(verdict=cells["verdict"].fillna(""))  # there is none without a baseline
    if cells.empty:
        raise NothingToPlotError(f"no run states {first}")
    samples = found.samples[found.samples["metric"] == first]
    order = {labels: place for place, labels in enumerate(_once(cells, found.rows))}
    panels = groups(cells, found.columns)
    side_by_side = 1 if (width_mm(ax) if ax else width) < NARROW_MM else min(len(panels), 2)
    height = (_BAR_MM * len(order) + _AROUND_MM) * -(-len(panels) // side_by_side) + 4
    grid = layout.panels(ax, len(panels), columns=side_by_side, height_mm=height, width_mm=width)
    unit = str(cells["unit"].iloc[0])
    heading = quantity(column_name(str(first), "total", unit), unit)
    for one, (value, part) in zip(grid.axes, panels.items(), strict=True):
        title(one, named(found.columns, value) or heading)
        dots = groups(samples, [*found.columns, *found.rows])
        mine = {labels[len(value) :]: dot for labels, dot in dots.items() if labels[: len(value)] == value}
        _bars(one, part, order, mine, found, unit)
    for place, one in enumerate(grid.axes):
        one.tick_params(axis="y", labelleft=place % side_by_side == 0)
    notes = [*([f"{heading}."] if len(panels) > 1 else []), *_notes(cells, found)]
    if notes:
        layout.note(grid, "  ".join(notes))
    layout.settle(grid.axes[0])
    columns_drawn = ["center", "lo", "hi", "n", "invalid", "ratio", "ratio_lo", "ratio_hi", "p_adjusted", "verdict"]
    drawn = cells[["metric", "unit", *found.rows, *found.columns, *columns_drawn, "rank_lo", "rank_hi"]]
    return remember(grid.host, drawn.reset_index(drop=True))


def _once(cells: pd.DataFrame, names: Sequence[str]) -> dict[tuple[str | None, ...], None]:
    rows = cells[list(names)].itertuples(index=False)
    return dict.fromkeys(tuple(None if pd.isna(part) else str(part) for part in row) for row in rows)


def _bars(
    ax: Axes, cells: pd.DataFrame, order: dict[tuple[str | None, ...], int],
    dots: dict[tuple[str | None, ...], pd.DataFrame], found: ComparisonTable, unit: str,
) -> None:  # fmt: skip
    """One panel: bars from 0 on, for their length is read as the value."""
    dress(ax, grid="x")
    ax.spines["left"].set_visible(False)
    reach = 0.0
    for labels, part in groups(cells, found.rows).items():
        cell, at = part.iloc[0], order[labels]
        runs = dots[labels]["value"].to_numpy(float) if labels in dots else np.empty(0)
        _bar(ax, cell, at, runs)
        end = float(np.nanmax([cell["center"], cell["hi"], *runs]))
        reach = max(reach, end)
        ax.annotate(
            _behind(cell, unit), (end, at), xytext=(6, 0), textcoords="offset points", va="center", fontsize=8,
            color=TEXT, annotation_clip=False, bbox={"facecolor": "white", "linewidth": 0, "pad": 0.8},
        )  # fmt: skip
    ax.set_ylim(len(order) - 0.4, -0.6)
    ax.set_yticks(range(len(order)), [_row_name(found.rows, labels) for labels in order])
    ax.tick_params(axis="y", length=0)
    ax.set_xlim(0, reach)
    ticks.linear(ax.xaxis, unit, most=4)


def _row_name(keys: Sequence[str], labels: tuple[str | None, ...]) -> str:
    """``nuster, cores 12, loopback``."""
    return short(named(keys, labels), _LONGEST) or name(labels)


def _bar(ax: Axes, cell: pd.Series[Any], at: int, runs: np.ndarray) -> None:
    """The bar, its whisker, and a dot for each run; runs that are all invalid have crosses and no bar."""
    if cell["verdict"] == "invalid":
        ax.plot(runs, [at] * len(runs), linestyle="", marker="x", color=INVALID)
        return
    first = str(cell["rank_lo"]) == str(cell["rank_hi"]) == "1" and pd.isna(cell["ratio"])
    ax.barh(at, cell["center"], height=0.62, color=BETTER if first else _FILL.get(str(cell["verdict"]), BAR))
    if not math.isnan(cell["lo"]):
        ax.errorbar(
            cell["center"], at, xerr=[[cell["center"] - cell["lo"]], [cell["hi"] - cell["center"]]], color=TEXT,
            linewidth=1.0, capsize=2.5,
        )  # fmt: skip
    spread = 0.16 * (np.arange(len(runs)) % 3 - 1) if len(runs) > 1 else np.zeros(len(runs))
    ax.plot(runs, at + spread, linestyle="", marker="o", markersize=2.8, color=TEXT, markerfacecolor="white",
            markeredgewidth=0.7, clip_on=False)  # fmt: skip


def _behind(cell: pd.Series[Any], unit: str) -> str:
    """``590 k  0.96× [0.93–1.01]  tie``, as far as there is any of it."""
    parts = [ticks.reader(float(cell["center"]), unit, 3, zeros=True)]
    if not math.isnan(cell["ratio"]) and cell["verdict"] != "baseline":
        parts.append(_ratios(cell))
    words = {"same?": "tie", "baseline": "baseline", "invalid": "invalid", "too few": "too few runs"}
    if str(cell["verdict"]) in words and not (cell["verdict"] == "too few" and cell["n"] == 1):
        parts.append(words[str(cell["verdict"])])
    return "\N{EN SPACE}".join(parts)


def _ratios(cell: pd.Series[Any]) -> str:
    """``0.963× [0.930–1.010]``: three digits, and as many decimals for its interval."""
    ratio = float(cell["ratio"])
    places = max(0, 2 - math.floor(math.log10(abs(ratio)))) if ratio and math.isfinite(ratio) else 2
    known = not math.isnan(cell["ratio_lo"])
    between = f" [{cell['ratio_lo']:,.{places}f}–{cell['ratio_hi']:,.{places}f}]" if known else ""
    return f"{ratio:,.{places}f}×{between}"


def _notes(cells: pd.DataFrame, found: ComparisonTable) -> Iterator[str]:
    if (cells["n"] == 1).all():
        yield "One run each: no interval and no verdict."
    elif cells["lo"].notna().any():
        yield f"Whiskers: {100 * found.confidence:g} % intervals; dots: runs."
    if (cells["verdict"] == "same?").any():
        yield f"tie: the runs don't tell it from the baseline (alpha {found.alpha:g})."
    compared = cells["ratio"].notna() & (cells["verdict"] != "baseline")
    if found.center == "median" and (compared & (cells["n"] > 1)).any():
        yield "Ratios: medians over pairs of runs (Hodges-Lehmann), not of the medians."
    varied = sorted({label for text in cells["varies"].dropna() for label in text.split()})
    if varied:
        yield f"One bar has runs of different {', '.join(map(called, varied[:4]))}."
