"""The main figure of a summary: what varies chooses it."""

from __future__ import annotations

from typing import Any

import pandas as pd

from wrkparse.analysis.comparison.compare import ComparisonTable
from wrkparse.analysis.summary.summary import Part, Summary
from wrkparse.plot.figures.comparison.compare import compare, has_every_setting, has_every_variant
from wrkparse.plot.figures.go.gc import gc
from wrkparse.plot.figures.go.gc_costs import gc_costs
from wrkparse.plot.figures.go.sched import sched
from wrkparse.plot.figures.latency.latency import latency
from wrkparse.plot.figures.scaling.scaling import scaling
from wrkparse.report.exhibits.figures.descriptions import describe, shown_comparison
from wrkparse.report.exhibits.figures.part_styles import part_styles
from wrkparse.report.exhibits.objects import Figure, attempt

MAIN = "fig:main"  # its label
_TALLEST_IN = 6.0  # what fits below the sentences of a first page
_MOST_ROWS = 24  # of a forest plot of this height


def main_figure(found: Summary) -> Figure | None:
    """The figure with its caption; None if there is nothing to draw."""
    with part_styles(found.main):
        drawn = found.dataset.cached("main figure", lambda: _draw(found))
    if not drawn:
        return None
    caption, alt = describe(found)
    return Figure(drawn, caption, MAIN, alt)


def repeats_main_figure(found: Summary, part: Part, metric: str, *, together: bool) -> bool:
    """Whether the main figure prints the numbers of a part's metric: of each setting, or over them `together`."""
    table = shown_comparison(found)
    if part is not found.main or found.figure != "compare" or table is None or metric != _first_metric(table):
        return False
    return (has_every_variant if together else has_every_setting)(table, _MOST_ROWS)


def is_tall(figure: Figure) -> bool:
    """Whether a figure is too high for the first page."""
    return figure.drawing is not None and figure.drawing.get_size_inches()[1] > _TALLEST_IN


def _draw(found: Summary) -> Any:
    """The axes of the main figure; false if there is none."""
    main = found.main
    if found.figure == "compare" and main is not None:
        return attempt(compare, shown_comparison(found), most_rows=_MOST_ROWS)
    if found.figure == "scaling":
        return attempt(scaling, found.growth)
    if found.figure == "latency" and main is not None:
        return attempt(latency, found.dataset, where=main.where)
    if found.figure == "gc_costs":
        return attempt(gc_costs, found.costs)
    if found.figure == "gc":
        return attempt(gc, found.dataset, run=_longest(found.gc, "cycles"))
    return attempt(sched, found.dataset, run=_longest(found.sched, "ticks")) if found.figure == "sched" else None


def _first_metric(table: ComparisonTable) -> str:
    return str(table.cells["metric"].iloc[0])


def _longest(traces: pd.DataFrame, events: str) -> str:
    """The run with the most events."""
    return str(traces.sort_values([events, "run"], ascending=[False, True])["run"].iloc[0])
