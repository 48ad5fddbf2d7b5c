"""What garbage collection cost and what the scheduler did, in a sentence or two."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from wrkparse.analysis.shown.numbers import rounded
from wrkparse.analysis.wording import counted, share_text

if TYPE_CHECKING:
    import pandas as pd

ENOUGH_FOR_P99 = 100  # collections of one process; of fewer, the p99 of its pauses is the longest


def gc_sentences(traces: pd.DataFrame) -> Iterator[str]:
    """The longest pause, the share of time in pauses and the share of CPU, of `gc_summary`."""
    if traces.empty:
        return
    cycles, several = int(traces["cycles"].sum()), len(traces) > 1
    over = f"{counted(cycles, 'collection')} of {_processes(traces)}"
    longest = traces["pause_max_s"].dropna()
    if len(longest):
        worst = traces[traces["pause_max_s"].notna()].iloc[int(longest.map(float).argmax())]
        equal = int((longest == longest.max()).sum())  # gctrace prints two digits
        where = f", in {worst['source'] if equal == 1 else f'{equal} of them'}" if several else ""
        p99 = _span(traces["pause_p99_s"], "s")
        tail = f"; the p99 of pauses was {p99}" if traces["cycles"].min() >= ENOUGH_FOR_P99 else ""
        yield f"In {over}, the longest pause was {rounded(float(worst['pause_max_s']), 's')}{where}{tail}."
    spans = {"pauses": ("pause_ratio", "time"), "collections": ("gc_cpu_ratio", "CPU")}
    known = [
        f"{what} took {span} of the {of}"
        for what, (name, of) in spans.items()
        if (span := _span(traces[name], "ratio"))
    ]
    if known:
        words = " and ".join(known)
        yield f"{words[0].upper()}{words[1:]}{' (range over the processes)' if ' to ' in words else ''}."


def sched_sentences(traces: pd.DataFrame) -> Iterator[str]:
    """How busy the Ps were and how often goroutines waited beside idle ones, of `sched_summary`."""
    if traces.empty:
        return
    over = f"{counted(int(traces['ticks'].sum()), 'tick')} of {_processes(traces)}"
    busy = _span(traces["utilisation_mean_ratio"], "ratio")
    most = traces["waiting_max"].dropna()
    waiting = f"; at most {counted(int(most.max()), 'goroutine')} waited" if len(most) else ""
    yield f"In {over}, {busy} of the Ps were busy on average{waiting}."
    starving = traces["starving_ratio"].dropna()
    if (starving > 0).any():
        yield f"Goroutines waited beside idle Ps for {_span(starving[starving > 0], 'ratio')} of the time."
    overload = traces["overload_ratio"].dropna()
    if (overload > 0).any():
        how_long = _span(overload[overload > 0], "ratio")
        yield f"All Ps were busy, with at least as many goroutines waiting, for {how_long} of the time."


def _processes(traces: pd.DataFrame) -> str:
    return "one Go process" if len(traces) == 1 else f"{len(traces):,} Go processes"


def _span(values: pd.Series[Any], unit: str) -> str:
    """``0.3 ms``, ``0.3 ms to 1.2 ms``, ``33.4 %``; empty without a number."""
    known = values.dropna()
    if not len(known):
        return ""
    ends = float(known.min()), float(known.max())
    low, high = map(share_text, ends) if unit == "ratio" else (rounded(end, unit) for end in ends)
    return low if low == high else f"{low} to {high}"
