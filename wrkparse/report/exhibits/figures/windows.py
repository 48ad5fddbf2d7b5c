"""What happened in a run: the section of a report on loads with traces of their server."""

from __future__ import annotations

from typing import Any

import pandas as pd

from wrkparse.analysis.go.windows import Bound, Window, bound_sentences, unjoined_sentence, windows
from wrkparse.analysis.shown.numbers import quantity, rounded
from wrkparse.dataset import Dataset
from wrkparse.plot.figures.go.window import window as draw_window
from wrkparse.report.exhibits.about import Paragraphs
from wrkparse.report.exhibits.objects import Figure, Table, attempt
from wrkparse.text.escape import escaped, one_line

_MOST_SENTENCES = 6
_MOST_FIGURES = 3  # of the loads of which a bound says something; without one, of the load whose p99 is longest
_TEXT = """\
## What happened in a run

Pauses of the collector, the run queues of the scheduler and the window of the load generator, on one clock: that of the
stamps in front of the lines. A pause *explains* a slow request if the request would have taken at most the p99 without
the time that the process stood still meanwhile."""
_BOUND = """\
The shares are upper bounds. A connection waits for each response, so a pause delays at most one request on it, and
requests that are slower than the p99 follow each other at least that far apart. With the connections, that bounds their
number. If the report prints percentiles beyond the p99, they bound it, too: without its pauses such a request took at
most the p99, so it is slower by no more than the pauses around it. Requests that queue behind delayed ones, and
generators that send more than one request at a time on a connection, are not covered."""


def window_exhibits(ds: Dataset) -> list[object]:
    """Sentences, a table of all loads beside traces, and figures of up to three, as far as a bound says something.

    Nothing if no clock joins a load with a trace: the first page names that among what the logs do not hold.
    """
    found = windows(ds)
    if not found.joined:
        return []
    said = [escaped(line) for line in bound_sentences(found)]
    bounded = any(one.bound is not None for one in found.joined)
    more = [f"The table has the other {len(said) - _MOST_SENTENCES:,} loads"] if len(said) > _MOST_SENTENCES else []
    said = [*said[:_MOST_SENTENCES], *more, *unjoined_sentence(found)]
    text = "\n\n".join([_TEXT, *([_BOUND] if bounded else []), "\n".join(f"- {line}." for line in said)])
    shown: list[object] = [Paragraphs(text)]
    if len(found.joined) > 1:
        table = pd.DataFrame(map(_row, found.joined))
        caption = "Loads beside traces of their server"
        shown.append(Table(table, caption, "tbl:windows", formats={"waiting at most": "1", "beyond p99": "1"}))
    longest = sorted(found.joined, key=_p99, reverse=True)
    telling = [one for one in longest if one.bound is None or one.bound.says_something][:_MOST_FIGURES] or longest[:1]
    shown += [_figure(one, number) for number, one in enumerate(telling, 1)]
    return shown


def _p99(one: Window) -> float:
    return one.bound.latency_s if one.bound else 0.0


def _figure(one: Window, number: int) -> Figure:
    place = f"{one.load['source']}:{one.load['line']}"
    caption = f"{escaped(f'Pauses and run queues around the load of {place}{_finding(one)}')}.  \n{escaped(_held(one))}"
    alt = f"Pauses, waiting goroutines and idle Ps over the {quantity(one.length_s, 's')} of the load. {_held(one)}"
    return Figure(attempt(draw_window, one), caption, f"fig:window-{number}", one_line(alt))


def _finding(one: Window) -> str:
    """``: the longest pause was 24 ms, the p99 of the load 47.53 ms``; empty without either."""
    within = one.within if len(one.pauses) else one.pauses
    longest = [f"the longest pause was {rounded(float(within['pause_s'].max()), 's')}"] if len(within) else []
    slow = [f"the p99 of the load {'' if longest else 'was '}{rounded(one.bound.latency_s, 's')}"] if one.bound else []
    return f": {', '.join([*longest, *slow])}" if longest or slow else ""


def _held(one: Window) -> str:
    """The pauses of the window, with their sum: ``42 pauses in the window, 3.100 ms together; …``."""
    within = one.within if len(one.pauses) else one.pauses
    together = quantity(float(within["pause_s"].sum()), "s") if len(within) else "0 s"
    pauses = f"{len(within):,} pauses in the window, {together} together; " if one.gc else ""
    return f"{pauses}one process and one load: nothing is pooled."


def _row(one: Window) -> dict[str, Any]:
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
    return numbers | _bound_of(one.bound)


def _bound_of(bound: Bound | None) -> dict[str, Any]:
    if bound is None:
        return {"p99_s": None, "beyond p99": None, "explained_ratio": None}
    return {"p99_s": bound.latency_s, "beyond p99": bound.slower, "explained_ratio": bound.ratio}
