"""The figure and table of the costs of GC settings, with caption and alternative text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wrkparse.analysis.go.gc.costs import GcCosts, costs_of
from wrkparse.analysis.runs.labels.conditions import conditions
from wrkparse.analysis.shown.numbers import rounded
from wrkparse.analysis.summary.gc_costs import cost_words, gc_setting_words
from wrkparse.analysis.summary.summary import Summary
from wrkparse.analysis.wording import counted
from wrkparse.dataset.queries.sql import sql_string
from wrkparse.plot.figures.go.gc_costs import gc_costs
from wrkparse.report.exhibits.captioned import Figure, Table, attempt
from wrkparse.text.escape import escaped, one_line

_MOST_SETTINGS = 12  # settings that an alternative text lists; with more processes, there is a table of medians
_COLUMN_TITLES = {
    "processes": "processes", "cycles": "cycles", "cycles_per_s": "rate", "pause_p50_s": "pause p50",
    "pause_max_s": "longest pause", "gc_cpu_ratio": "GC CPU", "heap_max_bytes": "largest heap",
}  # fmt: skip


def gc_cost_exhibits(summary: Summary) -> Iterator[Figure | Table]:
    """A figure for each study with gctraces of several GC settings, unless it is the main figure.

    If settings have repeats and there are many processes, a table of the medians of each setting is added.
    """
    if summary.gc.empty:
        return
    for number, part in enumerate(summary.parts, 1):
        several = len(summary.parts) > 1
        traces = summary.gc[summary.gc["study"].fillna("") == part.study] if several else summary.gc
        if traces.empty:
            continue
        costs = costs_of(summary.dataset, traces) if several else summary.costs
        if costs.compares and summary.figure != "gc_costs" and (drawn := attempt(gc_costs, costs)):
            caption, alt = describe_costs(costs, part.of_study)
            conditions_text = conditions_line(summary, costs)
            yield Figure(drawn, f"{escaped(caption)}.  \n{escaped(conditions_text)}", f"fig:gc-settings-{number}", alt)
        # A table of medians is worth its place if it is shorter than that of the processes.
        if costs.compares and len(costs.processes) > max(_MOST_SETTINGS, len(costs.settings)):
            caption = f"Collections under each setting{escaped(part.of_study)}: medians of its processes"
            yield Table(
                costs.settings,
                caption,
                f"tbl:gc-settings-{number}",
                columns=[*costs.keys, *_COLUMN_TITLES],
                titles=_COLUMN_TITLES,
            )


def describe_costs(costs: GcCosts, of: str = "") -> tuple[str, str]:
    """The caption, with the settings that have the most and the fewest collections, and the alternative text.

    `of` is empty, or the words for the study: ` of kiwi-study`.
    """
    rows = costs.settings.to_dict("records")
    listed = "; ".join(f"{gc_setting_words(costs, row)}: {_numbers_words(row)}" for row in rows[:_MOST_SETTINGS])
    more = f"; and {len(rows) - _MOST_SETTINGS} more" if len(rows) > _MOST_SETTINGS else ""
    alt = one_line(f"Pauses, CPU, collections and heap of each GC setting. {listed}{more}.")
    what = f"What garbage collection costs under each setting{of}"
    extremes = cost_words(costs)
    return f"{what}: {extremes}" if extremes else what, alt


def conditions_line(summary: Summary, costs: GcCosts) -> str:
    """A line on the labels that the drawn processes share, those in which they differ, and what is pooled."""
    runs = ", ".join(map(sql_string, costs.processes["run"]))
    return conditions(summary.dataset, f"run IN ({runs})").line()


def _numbers_words(row: Mapping[Any, Any]) -> str:
    numbers = {
        "median pause": rounded(row["pause_p50_s"], "s"), "worst": rounded(row["pause_max_s"], "s"),
        "CPU": rounded(row["gc_cpu_ratio"], "ratio"), "collections": rounded(row["cycles_per_s"], "1/s"),
        "largest heap": rounded(row["heap_max_bytes"], "bytes"),
    }  # fmt: skip
    listed = [f"{name} {words}" for name, words in numbers.items() if words.strip()]
    return f"{', '.join(listed)} ({counted(row['processes'], 'process', 'processes')})"
