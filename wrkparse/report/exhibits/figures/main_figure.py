"""The main figure of a summary. Its kind follows from the labels in which runs differ."""

from __future__ import annotations

from typing import Any

import pandas as pd

from wrkparse.analysis.comparison.compare import ComparisonTable
from wrkparse.analysis.summary.summary import StudyPart, Summary
from wrkparse.plot.figures.comparison.compare import compare
from wrkparse.plot.figures.comparison.forest import drawn_forest
from wrkparse.plot.figures.go.gc import gc
from wrkparse.plot.figures.go.gc_costs import gc_costs
from wrkparse.plot.figures.go.sched import sched
from wrkparse.plot.figures.latency.latency import latency
from wrkparse.plot.figures.scaling.scaling import scaling
from wrkparse.report.exhibits.captioned import Figure, attempt
from wrkparse.report.exhibits.figures.descriptions import describe_main_figure, shown_comparison
from wrkparse.report.exhibits.figures.part_styles import part_styles

MAIN_LABEL = "fig:main"
_MOST_INCHES = 6.0  # the height that fits below the sentences of a first page
_MOST_ROWS = 24  # of a forest plot: with its titles 139 mm high, 5.5 inches


def main_figure(summary: Summary) -> Figure | None:
    """The figure with its caption; None if there is nothing to draw."""
    drawn = _drawn_main_figure(summary)
    if not drawn:
        return None
    caption, alt = describe_main_figure(summary)
    return Figure(drawn, caption, MAIN_LABEL, alt)


def _drawn_main_figure(summary: Summary) -> Any:
    """The axes of the main figure, drawn once; None or `Missing` if there is none."""
    with part_styles(summary.main):
        return summary.dataset.cached("main figure", lambda: _draw_main_figure(summary))


def repeats_main_figure(summary: Summary, part: StudyPart, metric: str, *, over_settings: bool) -> bool:
    """Whether the main figure prints a metric of a part for each setting; with `over_settings`, over all settings."""
    table = shown_comparison(summary)
    # A forest plot prints its numbers, beside the marks; other figures do not.
    if part is not summary.main or summary.figure != "compare" or table is None or metric != _first_metric(table):
        return False
    drawn = _drawn_main_figure(summary)
    forest = drawn_forest(drawn) if drawn else None
    return forest is not None and (forest.has_every_variant if over_settings else forest.has_every_setting)


def is_tall(figure: Figure) -> bool:
    """Whether a figure is too high for the first page."""
    return figure.drawing is not None and figure.drawing.get_size_inches()[1] > _MOST_INCHES


def _draw_main_figure(summary: Summary) -> Any:
    """The axes of the main figure; None or `Missing` if there is none."""
    main = summary.main
    if summary.figure == "compare" and main is not None:
        return attempt(compare, shown_comparison(summary), most_rows=_MOST_ROWS)
    if summary.figure == "scaling":
        return attempt(scaling, summary.growth)
    if summary.figure == "latency" and main is not None:
        return attempt(latency, summary.dataset, where=main.where)
    if summary.figure == "gc_costs":
        return attempt(gc_costs, summary.costs)
    if summary.figure == "gc":
        return attempt(gc, summary.dataset, run=_longest_trace(summary.gc, "cycles"))
    return (
        attempt(sched, summary.dataset, run=_longest_trace(summary.sched, "ticks"))
        if summary.figure == "sched"
        else None
    )


def _first_metric(table: ComparisonTable) -> str:
    return str(table.cells["metric"].iloc[0])


def _longest_trace(traces: pd.DataFrame, events: str) -> str:
    """The run with the most events."""
    # By the run, too: of equally long traces, a report always draws the same.
    return str(traces.sort_values([events, "run"], ascending=[False, True])["run"].iloc[0])
