"""The figures of growth with cores and of traces, with captions and alternative texts from their data."""

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
from wrkparse.report.exhibits.figures.descriptions import one_sentence, trace_caption
from wrkparse.report.exhibits.figures.gc_costs import gc_cost_exhibits
from wrkparse.report.exhibits.figures.part_styles import part_styles
from wrkparse.report.exhibits.objects import Figure, Missing, Table, attempt
from wrkparse.text.escape import escaped, one_line

_PAGE_MM = 225.0  # the height of the text on a page, less a caption
_FEWEST_EVENTS = 3  # of a trace that is drawn beside loads


def growth_exhibits(found: Summary) -> list[Figure]:
    """Throughput by cores, a figure for each study; none without two numbers of cores, or as the main figure."""
    return list(_growth(found)) if found.growth is not None and found.figure != "scaling" else []


def _growth(found: Summary) -> Iterator[Figure]:
    assert found.growth is not None
    groups = found.growth.groups
    known = groups.loc[groups["points"] > 1, "study"].fillna("").unique()
    for number, study in enumerate(known, 1):
        result = found.growth.only(study=study or None)
        of = f": {study}" if study else ""
        part = next(part for part in found.parts if part.study == study)
        with part_styles(part):
            loads = list(_loads(result)) if _is_too_high(result) else []
            for at, load in enumerate(loads, 1):
                own, place = result.only(connections=load), f"{of}, {load} connections"
                chosen = " AND ".join(filter(None, (part.where, f"connections = {load}")))
                held = str(conditions(found.dataset, chosen))
                yield _growth_figure(attempt(scaling, own), own, place, held, f"fig:growth-{number}-{at}")
            if not loads:
                drawn = attempt(scaling, result)
                if not drawn and of:
                    drawn = Missing(f"Growth of {study} is not drawn: {drawn.reason}")
                yield _growth_figure(drawn, result, of, str(part.conditions), f"fig:growth-{number}")


def _is_too_high(result: ScalingResult) -> bool:
    """Whether the figure has to be made smaller to fit a page, so that its text could not be read."""
    return (attempt(scaling_height_mm, result) or 0.0) > _PAGE_MM


def _loads(result: ScalingResult) -> Iterator[int]:
    """The numbers of connections of the curves, if they have several and all state them."""
    known = result.groups["connections"] if "connections" in result.keys else pd.Series(dtype=float)
    if known.notna().all() and len(loads := sorted({int(load) for load in known})) > 1:
        yield from loads


def _growth_figure(drawn: Any, result: ScalingResult, of: str, held: str, label: str) -> Figure:
    said = scaling_sentence(result)
    finding = f": {one_sentence(said)}" if said else ""
    caption = f"{result.what} by cores with the fitted law, and efficiency{of}{finding}{peak_words(result)}"
    alt = f"{result.what} by cores{of}, and its share of linear growth. {said or ''}"
    return Figure(drawn, _with(caption, held), label, one_line(alt))


def trace_exhibits(found: Summary, tool: str) -> list[Figure | Table]:
    """The figure of the trace of a `tool` (``gctrace``, ``schedtrace``) with the most events.

    There is none if the main figure shows it, or if no trace has three events: of two, the table says as much. Before
    it comes what each GC setting costs, if there are gctraces of several.
    """
    compared = list(gc_cost_exhibits(found)) if tool == "gctrace" else []
    return [*compared, *_longest_trace(found, tool)]


def _longest_trace(found: Summary, tool: str) -> list[Figure]:
    kinds = {"gctrace": ("gc", "cycles", found.gc), "schedtrace": ("sched", "ticks", found.sched)}
    kind, events, traces = kinds[tool]
    if kind == found.figure or traces.empty:
        return []
    longest = traces.sort_values([events, "run"], ascending=[False, True]).head(1)
    if int(longest[events].iloc[0]) < _FEWEST_EVENTS:
        return []
    run = str(longest["run"].iloc[0])
    drawn = attempt(gc if kind == "gc" else sched, found.dataset, run=run)
    held = conditions(found.dataset, f"run = {sql_string(run)}").line(pooled=False)
    caption = _with(trace_caption(kind, traces), f"{held} One process: nothing is pooled.")
    return [Figure(drawn, caption, f"fig:{kind}", _alt(kind, longest))]


def _alt(kind: str, trace: pd.DataFrame) -> str:
    sentences = gc_sentences(trace) if kind == "gc" else sched_sentences(trace)
    what = "Length of each pause, and the heap, over time" if kind == "gc" else "Waiting goroutines of each P over time"
    return one_line(f"{what}, in {trace['source'].iloc[0]}. {' '.join(sentences)}")


def _with(caption: str, held: str) -> str:
    """A caption with the line on what is held constant, in Markdown."""
    return f"{escaped(caption)}.  \n{escaped(held.strip())}"
