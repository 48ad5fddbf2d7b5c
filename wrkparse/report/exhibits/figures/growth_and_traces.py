"""The figures of growth with cores and of traces, with captions and alternative texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from wrkparse.analysis.go.sentences import gc_sentences, sched_sentences
from wrkparse.analysis.runs.labels.conditions import conditions
from wrkparse.analysis.scaling.scaling import ScalingResult
from wrkparse.analysis.summary.sentences import peak_words, scaling_sentence
from wrkparse.analysis.summary.summary import Summary
from wrkparse.dataset.queries.sql import sql_string
from wrkparse.plot.figures.go.gc import gc
from wrkparse.plot.figures.go.sched import sched
from wrkparse.plot.figures.scaling.scaling import scaling, scaling_height_mm
from wrkparse.report.exhibits.captioned import Figure, Missing, Table, attempt
from wrkparse.report.exhibits.figures.descriptions import finding_clause, trace_caption
from wrkparse.report.exhibits.figures.gc_costs import gc_cost_exhibits
from wrkparse.report.exhibits.figures.part_styles import part_styles
from wrkparse.text.escape import escaped, one_line

_PAGE_MM = 225.0  # the height of the text on a page, without that of a caption, as in `report.output.pdf`
_FEWEST_EVENTS = 3  # of a trace that is drawn; the table shows as much of two


def growth_exhibits(summary: Summary) -> list[Figure]:
    """Throughput by cores, a figure for each study; empty without two numbers of cores, or if it is the main figure."""
    return list(_growth_figures(summary)) if summary.growth is not None and summary.figure != "scaling" else []


def _growth_figures(summary: Summary) -> Iterator[Figure]:
    assert summary.growth is not None
    groups = summary.growth.groups
    known = groups.loc[groups["points"] > 1, "study"].fillna("").unique()
    for number, study in enumerate(known, 1):
        result = summary.growth.only(study=study or None)
        part = next(part for part in summary.parts if part.study == study)
        of = f": {study}" if part.of_study else ""
        with part_styles(part):
            loads = list(_connection_counts(result)) if _is_too_high(result) else []
            for at, load in enumerate(loads, 1):
                own, place = result.only(connections=load), f"{of}, {load} connections"
                chosen = " AND ".join(filter(None, (part.where, f"connections = {load}")))
                conditions_text = str(conditions(summary.dataset, chosen))
                yield _growth_figure(attempt(scaling, own), own, place, conditions_text, f"fig:growth-{number}-{at}")
            if not loads:
                drawn = attempt(scaling, result)
                if not drawn and of:
                    # The reason alone would not say of which study it is.
                    drawn = Missing(f"Growth of {study} is not drawn: {drawn.reason}")
                yield _growth_figure(drawn, result, of, str(part.conditions), f"fig:growth-{number}")


def _is_too_high(result: ScalingResult) -> bool:
    """Whether the figure is higher than a page. Made smaller, its text could not be read."""
    return (attempt(scaling_height_mm, result) or 0.0) > _PAGE_MM


def _connection_counts(result: ScalingResult) -> Iterator[int]:
    """The numbers of connections of the curves, if there are several and every curve has one."""
    known = result.groups["connections"] if "connections" in result.keys else pd.Series(dtype=float)
    if known.notna().all() and len(loads := sorted({int(load) for load in known})) > 1:
        yield from loads


def _growth_figure(drawn: Any, result: ScalingResult, of: str, conditions_text: str, label: str) -> Figure:
    sentence = scaling_sentence(result)
    finding = f": {finding_clause(sentence)}" if sentence else ""
    law = " with the fitted law" if len(result.curves) else ""
    caption = f"{result.what} by cores{law}, and efficiency{of}{finding}{peak_words(result)}"
    alt = f"{result.what} by cores{of}, and its share of linear growth. {sentence or ''}"
    return Figure(drawn, _with_conditions(caption, conditions_text), label, one_line(alt))


def trace_exhibits(summary: Summary, tool: str) -> list[Figure | Table]:
    """The figure of the trace of a `tool` (``gctrace``, ``schedtrace``) with the most events.

    It is left out if it is the main figure, or if no trace has three events. If there are gctraces of several GC
    settings, figures of their costs come first.
    """
    compared = list(gc_cost_exhibits(summary)) if tool == "gctrace" else []
    return [*compared, *_longest_trace(summary, tool)]


def _longest_trace(summary: Summary, tool: str) -> list[Figure]:
    kinds = {"gctrace": ("gc", "cycles", summary.gc), "schedtrace": ("sched", "ticks", summary.sched)}
    kind, events, traces = kinds[tool]
    if kind == summary.figure or traces.empty:
        return []
    # By the run, too: of equally long traces, a report always draws the same.
    longest = traces.sort_values([events, "run"], ascending=[False, True]).head(1)
    if int(longest[events].iloc[0]) < _FEWEST_EVENTS:
        return []
    run = str(longest["run"].iloc[0])
    drawn = attempt(gc if kind == "gc" else sched, summary.dataset, run=run)
    conditions_text = conditions(summary.dataset, f"run = {sql_string(run)}").line(pooled=False)
    caption = _with_conditions(trace_caption(kind, traces), f"{conditions_text} One process: nothing is pooled.")
    return [Figure(drawn, caption, f"fig:{kind}", _trace_alt(kind, longest))]


def _trace_alt(kind: str, trace: pd.DataFrame) -> str:
    sentences = gc_sentences(trace) if kind == "gc" else sched_sentences(trace)
    what = "Length of each pause, and the heap, over time" if kind == "gc" else "Waiting goroutines of each P over time"
    return one_line(f"{what}, in {trace['source'].iloc[0]}. {' '.join(sentences)}")


def _with_conditions(caption: str, conditions_text: str) -> str:
    """A caption in Markdown, with a second line on the labels that the runs share."""
    return f"{escaped(caption)}.  \n{escaped(conditions_text.strip())}"
