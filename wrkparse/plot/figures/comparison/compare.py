"""A comparison: a row for each setting with its ratio to a baseline, or bars if there are no ratios."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes

from wrkparse.analysis.comparison.cells.cell_results import Center
from wrkparse.analysis.comparison.compare import ComparisonTable
from wrkparse.analysis.comparison.compare import compare as compute_comparison
from wrkparse.dataset import Dataset, column_name
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.figures.comparison.bars import draw_bars
from wrkparse.plot.figures.comparison.forest import draw_forest
from wrkparse.plot.figures.comparison.forest_rows import MOST_ROWS
from wrkparse.plot.frames import remember_frame
from wrkparse.plot.series import label_keys, metric_title
from wrkparse.plot.style.house import WIDTH_MM, in_house_style

_DRAWN_COLUMNS = (
    "center", "lo", "hi", "n", "invalid", "ratio", "ratio_lo", "ratio_hi", "p_adjusted", "verdict",
    "rank_lo", "rank_hi",
)  # fmt: skip


@in_house_style
def compare(
    source: Dataset | ComparisonTable,
    *,
    ax: Axes | None = None,
    where: str | None = None,
    rows: str | Sequence[str] | None = None,
    columns: str | Sequence[str] | None = None,
    metric: str | None = None,
    baseline: str | None = None,
    center: Center = "median",
    confidence: float = 0.95,
    include_invalid: bool = False,
    ignore: str | Sequence[str] | None = None,
    width: float = WIDTH_MM,
    most_rows: int = MOST_ROWS,
) -> Axes:
    """A forest plot: a row for each setting, grouped by variant, with its ratio to the baseline on a log axis.

    A filled marker is the ratio, its line the interval; small rings are runs, over the centre of the baseline's runs in
    the same setting. A diamond is the ratio over all settings together. Blue is significantly better than the baseline,
    orange worse, grey undecided. A grey band has the ratios that count as the same, if the comparison has
    `same_within`. The columns at the right are those of the printed table, as many as there is room for.

    If there would be more than `most_rows` rows, there is one for each variant, over all settings together, with the
    ratios of the settings as rings. If there are more than 24 variants, the best ten and the baseline have rows, and
    one row is for all others.

    Without a baseline, and for failures, whose shares have no ratios, settings are bars, best first.

    The options are those of `wrkparse.compare`. A result of that function is accepted instead of a dataset: its first
    metric is drawn, in the order of its rows.

    Raises NothingToPlotError if no setting has a value, and the errors of `wrkparse.compare`.
    """
    result = source if isinstance(source, ComparisonTable) else compute_comparison(
        source, rows=label_keys(rows) or None, columns=label_keys(columns), metric=metric or None,
        baseline=baseline or None, where=where, center=center, confidence=confidence, include_invalid=include_invalid,
        sort="best", ignore=label_keys(ignore),
    )  # fmt: skip
    name, cells = _first_metric(result)
    if cells.empty:
        raise NothingToPlotError(f"no run states {name}")
    unit = str(cells["unit"].iloc[0])
    title = metric_title(column_name(name, "total", unit), unit)
    if _has_ratios(cells):
        grid = draw_forest(ax, cells, result, title, width, most_rows=most_rows)
    else:
        grid = draw_bars(ax, cells, result, title, width)
    drawn = cells[["metric", "unit", *result.rows, *result.columns, *_DRAWN_COLUMNS]]
    return remember_frame(grid.host, drawn.reset_index(drop=True))


def _first_metric(table: ComparisonTable) -> tuple[str, pd.DataFrame]:
    """The name of the first metric, and its cells that have a centre."""
    name = str(table.cells["metric"].iloc[0])
    cells = table.cells[(table.cells["metric"] == name) & table.cells["center"].notna()]
    return name, cells.assign(verdict=cells["verdict"].fillna(""))  # missing if there is no baseline


def _has_ratios(cells: pd.DataFrame) -> bool:
    return bool((cells["ratio"].notna() & (cells["verdict"] != "baseline")).any())
