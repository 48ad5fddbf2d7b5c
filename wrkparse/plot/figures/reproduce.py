"""Published tables as a picture of agreement: each cell coloured and marked by whether it follows from the raw runs."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from wrkparse.analysis import verdicts
from wrkparse.analysis.reproduce import ReproduceResult
from wrkparse.analysis.reproduce import reproduce as held_against
from wrkparse.plot.drawn import remember
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.layout import note, panels, settle
from wrkparse.plot.series import quantity, short
from wrkparse.plot.style.house import WIDTH_MM, styled, title, width_mm

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset


class _Look(NamedTuple):
    fill: str
    symbol: str
    ink: str


_LOOKS = {
    verdicts.FOLLOWS: _Look("#D3E9E0", "✓", "#00664A"),
    verdicts.DIFFERS: _Look("#F6C9A8", "✗", "#8C2D04"),
    verdicts.SEVERAL: _Look("#CFE3F2", "≈", "#004C78"),
    verdicts.EXPLAINED: _Look("#EFE6F4", "!", "#6B3A6B"),
    verdicts.UNEXPLAINED: _Look("#F7E3A1", "?", "#6B4E00"),
    verdicts.NO_RUN: _Look("#E4E4E4", "–", "#4D4D4D"),
    verdicts.EMPTY: _Look("#FFFFFF", "", "#777777"),
}
_ROW_MM = 4.6
_LETTER_MM = 1.45  # a digit in 7.5 point type, with some air


@styled
def reproduce(
    source: Dataset | ReproduceResult,
    *,
    ax: Axes | None = None,
    where: str | None = None,
    study: str | None = None,
    width: float = WIDTH_MM,
) -> Axes:
    """Every cell of the published tables: what is printed, on a colour and with a symbol for its verdict.

    `source`: a dataset, or what `wrkparse.analysis.reproduce` found. A cell that differs says by how much; of cells too
    narrow for their text only the symbol stands. Below, what the symbols mean, and how many there are of each.
    NothingToPlotError: no published table; then the problems that were found are told.
    """
    result = source if isinstance(source, ReproduceResult) else held_against(source, study=study, where=where)
    cells = result.cells if study is None else result.cells[result.cells["study"] == study]
    if cells.empty:
        why = "; ".join(result.problems) or "no wrkparse.yaml of the data names one under `tables:`"
        raise NothingToPlotError(f"no published table to hold against the runs: {why}")
    tables = [of for _, of in cells.groupby(["study", "table"], sort=False)]
    rows = [_grid(of).shape[0] for of in tables]
    group = panels(
        ax,
        len(tables),
        columns=1,
        height_mm=sum(_ROW_MM * count + 16 for count in rows) + 8,
        heights=rows,
        width_mm=width,
    )
    for one, of in zip(group.axes, tables, strict=True):
        _table(one, of, width_mm(ax) if ax else width)
    note(group, _legend(cells))
    settle(group.axes[0])
    return remember(group.host, cells)


def _grid(cells: pd.DataFrame) -> pd.DataFrame:
    """Places of the cells: rows and columns in the order of the table."""
    rows, columns = list(dict.fromkeys(cells["row"])), list(dict.fromkeys(cells["column"]))
    numbered = cells.reset_index(drop=True).reset_index()
    return numbered.pivot_table(index="row", columns="column", values="index", aggfunc="first").reindex(
        rows, columns=columns
    )


def _table(ax: Axes, cells: pd.DataFrame, width: float) -> None:
    cells = cells.reset_index(drop=True)
    grid = _grid(cells)
    first = cells.iloc[0]
    named = str(first["title"] or PurePosixPath(first["table"]).stem)
    title(ax, f"{named[:1].upper()}{named[1:]}: {_quantity(first)}")
    ax.grid(visible=False)
    for spine in ax.spines.values():
        spine.set_visible(False)
    ax.set_xlim(-0.5, grid.shape[1] - 0.5)
    ax.set_ylim(grid.shape[0] - 0.5, -0.5)
    room = (0.78 * width / grid.shape[1]) / _LETTER_MM
    for y, row in enumerate(grid.itertuples(index=False)):
        for x, at in enumerate(row):
            if pd.notna(at):
                _cell(ax, x, y, cells.iloc[int(at)], room)
    _headings(ax, grid, room)


def _quantity(cell: pd.Series) -> str:
    """``throughput, requests per second``; a table may name its metric as it likes, and print it without a unit."""
    if pd.isna(cell["unit"]) or cell["unit"] in {"", "1"}:
        return str(cell["metric"])
    words = quantity(str(cell["metric"]), str(cell["unit"]))
    return words[:1].lower() + words[1:]


def _cell(ax: Axes, x: int, y: int, cell: pd.Series, room: float) -> None:
    look = _LOOKS[cell["verdict"]]
    ax.add_patch(
        Rectangle((x - 0.48, y - 0.45), 0.96, 0.9, facecolor=look.fill, linewidth=0, gid=cell["verdict"])
    )  # fmt: skip
    off = _difference(cell)
    wanted = ([look.symbol, cell["printed"], off], [look.symbol, cell["printed"]], [look.symbol, off], [look.symbol])
    fits = (" ".join(filter(None, parts)) for parts in wanted)
    words = next((text for text in fits if len(text) <= room), look.symbol)
    ax.text(x, y, words.replace("-", "\N{MINUS SIGN}"), ha="center", va="center_baseline", fontsize=7.5, color=look.ink)


def _difference(cell: pd.Series) -> str:
    if cell["verdict"] != verdicts.DIFFERS or pd.isna(cell["difference"]):
        return ""
    percent = 100 * float(cell["difference"])
    return f"{percent:+.2g} %" if abs(percent) < 99.5 else f"{percent:+,.0f} %"


def _headings(ax: Axes, grid: pd.DataFrame, room: float) -> None:
    columns = [_values(text) for text in grid.columns]
    narrow = max(map(len, columns)) > 0.8 * room
    ax.set_xticks(
        range(len(columns)), columns, rotation=40 if narrow else 0, ha="left" if narrow else "center", fontsize=8,
    )  # fmt: skip
    ax.tick_params(top=False, bottom=False, left=False, labeltop=True, labelbottom=False, pad=1)
    ax.set_yticks(range(len(grid.index)), [short(_values(text)) for text in grid.index], fontsize=8)


def _values(labels: str) -> str:
    """``path=/64b, connections=1000`` → ``/64b 1000``."""
    return " ".join(part.partition("=")[2] or part for part in labels.split(", "))


def _legend(cells: pd.DataFrame) -> str:
    counts = cells["verdict"].value_counts()
    told = [
        f"{look.symbol} {verdict}: {counts[verdict]}".strip() for verdict, look in _LOOKS.items() if verdict in counts
    ]
    return ",  ".join(told)
