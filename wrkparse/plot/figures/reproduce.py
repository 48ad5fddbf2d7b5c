"""The figure of published tables: each cell has the colour and symbol of its verdict."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from wrkparse.analysis.publications import verdicts
from wrkparse.analysis.publications.reproduce import reproduce as compute_verdicts
from wrkparse.analysis.publications.result import ReproduceResult
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.frames import remember_frame
from wrkparse.plot.layout import add_note, arrange, make_panels
from wrkparse.plot.marks import marks_of, show_setting
from wrkparse.plot.names import shorten
from wrkparse.plot.series import metric_title, setting_words
from wrkparse.plot.style.house import WIDTH_MM, drawn_width_mm, in_house_style, set_title

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset


class _CellStyle(NamedTuple):
    fill: str
    symbol: str
    text_colour: str


_CELL_STYLES = {
    verdicts.FOLLOWS: _CellStyle("#D3E9E0", "✓", "#00664A"),
    verdicts.DIFFERS: _CellStyle("#F6C9A8", "✗", "#8C2D04"),
    verdicts.SEVERAL: _CellStyle("#CFE3F2", "≈", "#004C78"),
    verdicts.EXPLAINED: _CellStyle("#EFE6F4", "!", "#6B3A6B"),
    verdicts.UNEXPLAINED: _CellStyle("#F7E3A1", "?", "#6B4E00"),
    verdicts.NO_RUN: _CellStyle("#E4E4E4", "–", "#4D4D4D"),
    verdicts.EMPTY: _CellStyle("#FFFFFF", "", "#777777"),
}
_ROW_MM = 4.6  # the height of a row
_LETTER_MM = 1.45  # a digit in 7.5 point type, and a margin


@in_house_style
def reproduce(
    source: Dataset | ReproduceResult,
    *,
    ax: Axes | None = None,
    where: str | None = None,
    study: str | None = None,
    width: float = WIDTH_MM,
) -> Axes:
    """The published tables: each cell with its printed value, and a colour and a symbol for its verdict.

    A cell that differs states the difference in per cent. A cell too narrow for its text has the symbol only. The note
    explains the symbols and counts them. `source` is a dataset or a result of `wrkparse.reproduce`.

    Raises NothingToPlotError if there is no published table; its message lists the problems of the study files.
    """
    result = source if isinstance(source, ReproduceResult) else compute_verdicts(source, study=study, where=where)
    cells = result.cells if study is None else result.cells[result.cells["study"] == study]
    if cells.empty:
        why = "; ".join(result.problems) or "no wrkparse.yaml of the data lists one under `tables:`"
        raise NothingToPlotError(f"no published table to compare with the runs: {why}")
    tables = [table for _, table in cells.groupby(["study", "table"], sort=False)]
    rows = [_cell_places(table).shape[0] for table in tables]
    group = make_panels(
        ax,
        len(tables),
        columns=1,
        height_mm=sum(_ROW_MM * count + 16 for count in rows) + 8,
        heights=rows,
        width_mm=width,
    )
    for panel, table in zip(group.axes, tables, strict=True):
        _draw_table(panel, table, drawn_width_mm(ax) if ax else width)
    add_note(group, _legend_text(cells))
    arrange(group.axes[0])
    return remember_frame(group.host, cells)


def _cell_places(cells: pd.DataFrame) -> pd.DataFrame:
    """The published table with row numbers of `cells` as values, in the order of the publication."""
    rows, columns = list(dict.fromkeys(cells["row"])), list(dict.fromkeys(cells["column"]))
    numbered = cells.reset_index(drop=True).reset_index()
    return numbered.pivot_table(index="row", columns="column", values="index", aggfunc="first").reindex(
        rows, columns=columns
    )


def _draw_table(ax: Axes, cells: pd.DataFrame, width: float) -> None:
    cells = cells.reset_index(drop=True)
    grid = _cell_places(cells)
    first = cells.iloc[0]
    name = str(first["title"] or PurePosixPath(first["table"]).stem)
    set_title(ax, f"{name[:1].upper()}{name[1:]}: {_quantity_words(first)}", above_ticks=True)
    ax.grid(visible=False)
    for spine in ax.spines.values():
        spine.set_visible(False)
    ax.set_xlim(-0.5, grid.shape[1] - 0.5)
    ax.set_ylim(grid.shape[0] - 0.5, -0.5)
    # About 78 % of the width are cells; the headings of rows have the rest.
    letters = (0.78 * width / grid.shape[1]) / _LETTER_MM
    for y, row in enumerate(grid.itertuples(index=False)):
        for x, at in enumerate(row):
            if pd.notna(at):
                cell = cells.iloc[int(at)]
                with marks_of(ax, _setting(f"{cell['row']}, {cell['column']}")):
                    _draw_cell(ax, x, y, cell, letters)
    _set_headings(ax, grid, letters)


def _quantity_words(cell: pd.Series) -> str:
    """``throughput, requests per second``; if there is no unit, the name of the metric in the table."""
    if pd.isna(cell["unit"]) or cell["unit"] in {"", "1"}:
        return str(cell["metric"])
    words = metric_title(str(cell["metric"]), str(cell["unit"]))
    return words[:1].lower() + words[1:]


def _draw_cell(ax: Axes, x: int, y: int, cell: pd.Series, letters: float) -> None:
    style = _CELL_STYLES[cell["verdict"]]
    ax.add_patch(
        Rectangle((x - 0.48, y - 0.45), 0.96, 0.9, facecolor=style.fill, linewidth=0, gid=cell["verdict"])
    )  # fmt: skip
    difference = _difference_text(cell)
    variants = (  # the longest first
        [style.symbol, cell["printed"], difference],
        [style.symbol, cell["printed"]],
        [style.symbol, difference],
    )
    texts = (" ".join(filter(None, parts)) for parts in variants)
    words = next((text for text in texts if len(text) <= letters), style.symbol)
    ax.text(
        x,
        y,
        words.replace("-", "\N{MINUS SIGN}"),
        ha="center",
        va="center_baseline",
        fontsize=7.5,
        color=style.text_colour,
    )


def _difference_text(cell: pd.Series) -> str:
    if cell["verdict"] != verdicts.DIFFERS or pd.isna(cell["difference"]):
        return ""
    percent = 100 * float(cell["difference"])
    return f"{percent:+.2g} %" if abs(percent) < 99.5 else f"{percent:+,.0f} %"


def _set_headings(ax: Axes, grid: pd.DataFrame, letters: float) -> None:
    columns = [_label_values(text) for text in grid.columns]
    narrow = max(map(len, columns)) > 0.8 * letters
    ax.set_xticks(
        range(len(columns)), columns, rotation=40 if narrow else 0, ha="left" if narrow else "center", fontsize=8,
    )  # fmt: skip
    ax.tick_params(top=False, bottom=False, left=False, labeltop=True, labelbottom=False, pad=1)
    ax.set_yticks(range(len(grid.index)), [shorten(_label_values(text)) for text in grid.index], fontsize=8)
    for labels, names in ((grid.columns, ax.get_xticklabels()), (grid.index, ax.get_yticklabels())):
        for text, name in zip(labels, names, strict=True):
            show_setting(_setting(text), name)


def _setting(labels: str) -> str:
    """``path=/64b, connections=1000`` → ``/64b, connections 1000``."""
    pairs = [part.partition("=") for part in labels.split(", ")]
    return setting_words([key for key, _, _ in pairs], [value or key for key, _, value in pairs])


def _label_values(labels: str) -> str:
    """``path=/64b, connections=1000`` → ``/64b 1000``."""
    return " ".join(part.partition("=")[2] or part for part in labels.split(", "))


def _legend_text(cells: pd.DataFrame) -> str:
    counts = cells["verdict"].value_counts()
    entries = (
        f"{style.symbol} {verdict}: {counts[verdict]}".strip()
        for verdict, style in _CELL_STYLES.items()
        if verdict in counts
    )
    return ",  ".join(entries)
