"""The figure of what GC settings cost, with its caption and alternative text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from wrkparse.analysis.comparison.text.claims import labels_of
from wrkparse.analysis.comparison.text.wording import name_words, place_words
from wrkparse.analysis.go.gc.costs import GcCosts, costs_of
from wrkparse.analysis.runs.labels.conditions import conditions
from wrkparse.analysis.shown.numbers import rounded, whole_mib
from wrkparse.analysis.summary.summary import Summary
from wrkparse.analysis.wording import counted
from wrkparse.dataset.queries.sql import sql_string
from wrkparse.plot.figures.go.gc_costs import gc_costs
from wrkparse.report.exhibits.objects import Figure, Table, attempt
from wrkparse.text.escape import escaped, one_line

_MOST = 12  # settings that an alternative text lists; processes that a reader compares one by one
_NUMBERS = {
    "processes": "processes", "cycles": "cycles", "cycles_per_s": "rate", "pause_p50_s": "pause p50",
    "pause_max_s": "longest pause", "gc_cpu_ratio": "GC CPU", "heap_max_bytes": "largest heap",
}  # fmt: skip


def gc_cost_exhibits(found: Summary) -> Iterator[Figure | Table]:
    """A figure for each study with gctraces of several GC settings, unless it is the main figure.

    With repeats, whose processes are too many to be read one by one, a table of the medians of each setting.
    """
    if found.gc.empty:
        return
    for number, part in enumerate(found.parts, 1):
        several = len(found.parts) > 1
        traces = found.gc[found.gc["study"].fillna("") == part.study] if several else found.gc
        costs = costs_of(found.dataset, traces) if several else found.costs
        if costs.compares and found.figure != "gc_costs" and (drawn := attempt(gc_costs, costs)):
            caption, alt = describe_costs(costs, f" of {part.study}" if part.study else "")
            held = held_line(found, costs)
            yield Figure(drawn, f"{escaped(caption)}.  \n{escaped(held)}", f"fig:gc-settings-{number}", alt)
        if costs.compares and len(costs.processes) > max(_MOST, len(costs.settings)):
            of = f" of {escaped(part.study)}" if part.study else ""
            caption = f"Collections under each setting{of}: medians of its processes"
            yield Table(
                costs.settings, caption, f"tbl:gc-settings-{number}", columns=[*costs.keys, *_NUMBERS], titles=_NUMBERS
            )


def describe_costs(costs: GcCosts, of: str = "") -> tuple[str, str]:
    """The caption, which states the settings with the most and the fewest collections, and the alternative text.

    `of` names the study.
    """
    rows = costs.settings.to_dict("records")
    listed = "; ".join(f"{_words(costs, row)}: {_numbers(row)}" for row in rows[:_MOST])
    more = f"; and {len(rows) - _MOST} more" if len(rows) > _MOST else ""
    alt = one_line(f"Pauses, CPU, collections and heap of each GC setting. {listed}{more}.")
    known = sorted((row for row in rows if row["cycles_per_s"] > 0), key=lambda row: row["cycles_per_s"])
    what = f"What garbage collection costs under each setting{of}"
    if len(known) < 2:
        return what, alt
    few, many = known[0], known[-1]
    return f"{what}: most collections {_extreme(costs, many)}, fewest {_extreme(costs, few)}", alt


def held_line(found: Summary, costs: GcCosts) -> str:
    """What the drawn processes share, in what they differ, and what is pooled."""
    runs = ", ".join(map(sql_string, costs.processes["run"]))
    return conditions(found.dataset, f"run IN ({runs})").line()


def _words(costs: GcCosts, row: Mapping[Any, Any]) -> str:
    """``with GOGC=50``, ``heron with GOGC=off with GOMEMLIMIT=64MiB``."""
    labels = {key: value for key, value in labels_of(row, costs.keys).items() if value is not None}
    return name_words(labels) or place_words(labels) or "without a setting"


def _extreme(costs: GcCosts, row: Mapping[Any, Any]) -> str:
    """``with GOGC=50 (36 per second, largest heap 97 MiB)``."""
    heap = row["heap_max_bytes"]
    beside = f", largest heap {whole_mib(heap)} MiB" if not math.isnan(heap) else ""
    return f"{_words(costs, row)} ({row['cycles_per_s']:.3g} per second{beside})"


def _numbers(row: Mapping[Any, Any]) -> str:
    numbers = {
        "median pause": rounded(row["pause_p50_s"], "s"), "worst": rounded(row["pause_max_s"], "s"),
        "CPU": rounded(row["gc_cpu_ratio"], "ratio"), "collections": rounded(row["cycles_per_s"], "1/s"),
        "largest heap": rounded(row["heap_max_bytes"], "bytes"),
    }  # fmt: skip
    said = [f"{name} {words}" for name, words in numbers.items() if words.strip()]
    return f"{', '.join(said)} ({counted(row['processes'], 'process', 'processes')})"
