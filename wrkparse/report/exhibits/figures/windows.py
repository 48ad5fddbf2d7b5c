"""The section *What happened in a run*: loads with traces of their server, on one clock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from wrkparse.analysis.go.slow_requests import Bound
from wrkparse.analysis.go.window_sentences import bound_sentences, unjoined_sentence
from wrkparse.analysis.go.windows import Window, windows
from wrkparse.analysis.shown.numbers import quantity, rounded
from wrkparse.analysis.wording import word_list
from wrkparse.dataset import Dataset
from wrkparse.plot.figures.go.window import window as draw_window
from wrkparse.report.exhibits.about import Paragraphs
from wrkparse.report.exhibits.captioned import Figure, Table, attempt
from wrkparse.text.escape import escaped, one_line

_MOST_SENTENCES = 6  # the table has the other loads
_MOST_FIGURES = 3  # of loads with a telling bound; if there is none, the load with the longest p99 is drawn
_INTRODUCTION = """\
## What happened in a run

{shown}, on one clock: that of the stamps in front of the lines."""
_EXPLAINED = """\
 A pause *explains* a slow request if the request would have taken at most the p99 without the time that the process
stood still meanwhile."""
_BOUND_EXPLAINED = """\
The shares are upper bounds. A connection waits for each response, so a pause delays at most one request on it, and
requests that are slower than the p99 follow each other at least that far apart. With the connections, that bounds their
number. If the report prints percentiles beyond the p99, they bound it, too: without its pauses such a request took at
most the p99, so it is slower by no more than the pauses around it. Requests that queue behind delayed ones, and
generators that send more than one request at a time on a connection, are not covered."""


def window_exhibits(ds: Dataset) -> list[object]:
    """Sentences, a table of all loads with traces, and figures of at most three of them.

    The list is empty if no load and trace have a common clock. The first page says so.
    """
    clocked = windows(ds)
    if not clocked.joined:
        return []
    lines = [escaped(line) for line in bound_sentences(clocked)]
    bounded = any(one.bound is not None for one in clocked.joined)
    more = [f"The table has the other {len(lines) - _MOST_SENTENCES:,} loads"] if len(lines) > _MOST_SENTENCES else []
    lines = [*lines[:_MOST_SENTENCES], *more, *unjoined_sentence(clocked)]
    introduction = _INTRODUCTION.format(shown=_shown_words(clocked.joined)) + _EXPLAINED * bounded
    text = "\n\n".join(
        [introduction, *([_BOUND_EXPLAINED] if bounded else []), "\n".join(f"- {line}." for line in lines)]
    )
    shown: list[object] = [Paragraphs(text)]
    if len(clocked.joined) > 1:
        table = pd.DataFrame(map(_window_row, clocked.joined))
        caption = "Loads beside traces of their server"
        shown.append(Table(table, caption, "tbl:windows", formats={"waiting at most": "1", "beyond p99": "1"}))
    longest = sorted(clocked.joined, key=_latency_p99, reverse=True)
    telling = [one for one in longest if one.bound is None or one.bound.says_something][:_MOST_FIGURES] or longest[:1]
    shown += [_window_figure(one, number) for number, one in enumerate(telling, 1)]
    return shown


def _shown_words(loads: Sequence[Window]) -> str:
    """What the figures show: ``The pauses of the collector and the window of the load generator``."""
    parts = {
        "the pauses of the collector": any(one.gc for one in loads),
        "the run queues of the scheduler": any(one.sched for one in loads),
        "the window of the load generator": True,
    }
    words = word_list([part for part, is_shown in parts.items() if is_shown])
    return f"{words[:1].upper()}{words[1:]}"


def _latency_p99(one: Window) -> float:
    return one.bound.latency_s if one.bound else 0.0


def _window_figure(one: Window, number: int) -> Figure:
    place = f"{one.load['source']}:{one.load['line']}"
    pauses = _pauses_text(one)
    traced = word_list([*(["pauses"] if one.gc else []), *(["run queues"] if one.sched else [])]).capitalize()
    finding = f"{traced} around the load of {place}{_finding_clause(one)}"
    caption = f"{escaped(finding)}.  \n{escaped(pauses)}"
    drawn = word_list([*(["pauses"] if one.gc else []), *(["waiting goroutines", "idle Ps"] if one.sched else [])])
    alt = f"{drawn[:1].upper()}{drawn[1:]} over the {quantity(one.length_s, 's')} of the load. {pauses}"
    return Figure(attempt(draw_window, one), caption, f"fig:window-{number}", one_line(alt))


def _finding_clause(one: Window) -> str:
    """``: the longest pause was 24 ms, the p99 of the load 47.53 ms``; empty if neither is known."""
    within = one.within if len(one.pauses) else one.pauses
    longest = [f"the longest pause was {rounded(float(within['pause_s'].max()), 's')}"] if len(within) else []
    slow = [f"the p99 of the load {'' if longest else 'was '}{rounded(one.bound.latency_s, 's')}"] if one.bound else []
    return f": {', '.join([*longest, *slow])}" if longest or slow else ""


def _pauses_text(one: Window) -> str:
    """The pauses of the window, with their sum: ``42 pauses in the window, 3.100 ms together; …``."""
    within = one.within if len(one.pauses) else one.pauses
    together = quantity(float(within["pause_s"].sum()), "s") if len(within) else "0 s"
    pauses = f"{len(within):,} pauses in the window, {together} together; " if one.gc else ""
    return f"{pauses}one process and one load: nothing is pooled."


def _window_row(one: Window) -> dict[str, Any]:
    within = one.within if len(one.pauses) else one.pauses
    inside = one.ticks[(one.ticks["at_s"] >= 0) & (one.ticks["at_s"] <= one.length_s)]
    numbers: dict[str, Any] = {
        "load": f"{one.load['source']}:{one.load['line']}",
        "length_s": one.length_s,
        "pauses": len(within) if one.gc else None,
        "paused_s": float(within["pause_s"].sum()) if one.gc else None,
        "longest_s": float(within["pause_s"].max()) if len(within) else None,
        "waiting at most": float(inside["waiting"].max()) if len(inside) else None,
    }
    return numbers | _bound_columns(one.bound)


def _bound_columns(bound: Bound | None) -> dict[str, Any]:
    if bound is None:
        return {"p99_s": None, "beyond p99": None, "explained_ratio": None}
    return {"p99_s": bound.latency_s, "beyond p99": bound.slower, "explained_ratio": bound.ratio}
