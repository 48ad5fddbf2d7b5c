"""A summary of collections for people: as text and as HTML."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from wrkparse.analysis.go.gc import cycles
from wrkparse.analysis.go.sentences import gc_sentences
from wrkparse.analysis.shown.numbers import quantity, whole_mib
from wrkparse.analysis.shown.screen import wrapped_lines
from wrkparse.analysis.shown.side_by_side import (
    MOST_ACROSS,
    TableRow,
    as_columns,
    as_html,
    as_list,
    identifying_rows,
    missing,
    records,
)
from wrkparse.text.escape import one_line

if TYPE_CHECKING:
    import pandas as pd

_PACING = {
    "gogc": "GOGC",
    "off": "nothing: forced",
    "limit": "memory limit",
    "varies": "no one GOGC",
}
# The runtime prints whole per cent. A difference beyond rounding gets a note.
_APART = 0.015


def _estimate(values: Mapping[str, Any]) -> str:
    if missing(values["gogc_estimate"]) or values["pacing"] == "limit":
        return ""
    if missing(values["gogc_low"]):
        return f"at most {values['gogc_high']:.3g}"
    if values["gogc_low"] <= values["gogc_high"]:
        return f"{values['gogc_low']:.4g} to {values['gogc_high']:.4g}"
    return f"median {values['gogc_estimate']:.3g}"


def _pace(values: Mapping[str, Any]) -> str:
    return "" if missing(values["pacing"]) else _PACING[values["pacing"]]


def _name_of_load(values: Mapping[str, Any]) -> str:
    return "" if missing(values["beside_run"]) else str(values["beside_run"])[:8]


def _lost(values: Mapping[str, Any]) -> str:
    return quantity(values["missing_cycles"], "1") if values["missing_cycles"] else ""


def _printed(values: Mapping[str, Any]) -> str:
    return "" if missing(share := values["gc_cpu_printed_ratio"]) else f"{100 * share:.0f} %"


def _pause(name: str) -> Callable[[Mapping[str, Any]], str]:
    """The text of a pause. A printed 0 means a pause below the smallest unit of the era's format."""

    def words(values: Mapping[str, Any]) -> str:
        if values[name] == 0:
            return "< 1 ms" if values["dialect"] in cycles.ERAS_IN_WHOLE_MS else "< 1 µs"
        return "" if missing(values[name]) else quantity(values[name], "s")

    return words


def _heap(name: str) -> Callable[[Mapping[str, Any]], str]:
    """The text of a size of the heap, which gctrace prints as whole MB."""
    return lambda values: "" if missing(values[name]) else f"{whole_mib(values[name])} MiB"


_ROWS = (
    TableRow("era", "dialect"),
    TableRow("GOMAXPROCS", "procs", "1"),
    TableRow("observed", "span_s", "s"),
    TableRow("cycles", "cycles", "1"),
    TableRow("forced", "forced_cycles", "1"),
    TableRow("missing lines", "missing_cycles", words=_lost),
    TableRow("cycle rate", "cycles_per_s", "1/s"),
    TableRow("allocation", "allocation_bytes_per_s", "bytes/s"),
    TableRow("pauses", "pauses", "1"),
    TableRow("pause sum", "pause_total_s", "s"),
    TableRow("pause share", "pause_ratio", "ratio"),
    TableRow("pause p50", "pause_p50_s", words=_pause("pause_p50_s")),
    TableRow("pause p99", "pause_p99_s", words=_pause("pause_p99_s")),
    TableRow("pause max", "pause_max_s", words=_pause("pause_max_s")),
    TableRow("pauses if forced", "pause_forced_s", "s"),
    TableRow("concurrent mark", "mark_total_s", "s"),
    TableRow("longest mark", "mark_max_s", "s"),
    TableRow("mark share", "mark_ratio", "ratio"),
    TableRow("GC cpu", "gc_cpu_printed_ratio", words=_printed),
    TableRow("GC cpu, by phases", "gc_cpu_ratio", "ratio"),
    TableRow("assists", "cpu_assist_ratio", "ratio"),
    TableRow("background", "cpu_background_ratio", "ratio"),
    TableRow("idle marking", "cpu_idle_ratio", "ratio"),
    TableRow("live heap, median", "heap_live_median_bytes", words=_heap("heap_live_median_bytes")),
    TableRow("live heap, max", "heap_live_max_bytes", words=_heap("heap_live_max_bytes")),
    TableRow("heap max", "heap_max_bytes", words=_heap("heap_max_bytes")),
    TableRow("goal, median", "heap_goal_median_bytes", words=_heap("heap_goal_median_bytes")),
    TableRow("cycles over goal", "over_goal_ratio", "ratio"),
    TableRow("worst overshoot", "overshoot_max_ratio", "ratio"),
    TableRow("growth to next", "heap_growth_ratio", "ratio"),
    TableRow("paced by", "pacing", words=_pace),
    TableRow("GOGC from goals", "gogc_estimate", words=_estimate),
    TableRow("beside it: run", "beside_run", words=_name_of_load),
    TableRow("at the same time", "beside_overlap_s", "s"),
    TableRow("throughput", "beside_throughput_per_s", "1/s"),
    TableRow("latency", "beside_latency_mean_s", "s"),
    TableRow("latency p99", "beside_latency_p99_s", "s"),
    TableRow("load lasted", "beside_elapsed_s", "s"),
)  # fmt: skip
# The most important first: a terminal that is too narrow loses the last ones.
_HEADLINE = (
    "cycles", "pause max", "pause share", "GC cpu", "GOGC from goals", "paced by", "live heap, max",
    "pause p99", "cycle rate", "allocation", "concurrent mark",
)  # fmt: skip


def gc_text(table: pd.DataFrame) -> str:
    """A summary of collections as text: a few traces stand side by side, many are listed; sentences end it."""
    sentences = ["", *wrapped_lines(gc_sentences(table))]
    if len(table) > MOST_ACROSS:
        return "\n".join([as_list(table, _headline()), *sentences])
    notes = _notes(table)
    return "\n".join(
        [
            as_columns(table, [*identifying_rows(table), *_ROWS]),
            *sentences,
            *(["", *wrapped_lines(notes)] if notes else []),
        ]
    )


def gc_html(table: pd.DataFrame) -> str:
    """The same as HTML, for notebooks."""
    is_many = len(table) > MOST_ACROSS
    sentences = [*gc_sentences(table), *([] if is_many else _notes(table))]
    shown = as_html(table, [*identifying_rows(table), *(_headline() if is_many else _ROWS)])
    return shown + "".join(f"<p>{html.escape(one_line(sentence))}</p>" for sentence in sentences)


def _headline() -> list[TableRow]:
    """The rows of a list of many traces."""
    named = {row.title: row for row in _ROWS}
    return [named[title] for title in _HEADLINE]


def _notes(table: pd.DataFrame) -> list[str]:
    notes, apart = [], []
    for values in records(table):
        run = values["run"][:8]
        if values["missing_cycles"] > 0:
            notes.append(f"{run}: {values['missing_cycles']} collections have no readable line; sums are too low")
        if abs(values["gc_cpu_ratio"] - values["gc_cpu_printed_ratio"]) > _APART:
            apart.append(run)
        if not missing(label := values.get("gogc")) and _contradicts(str(label), values):
            notes.append(f"{run}: is labelled gogc={label}, but the heap goals say {_estimate(values)}")
    if apart:
        runs = ", ".join(apart)
        notes.append(
            f"GC cpu is the runtime's own share since the start of the process; in {runs}, the phases of the lines add "
            f"up to a share that differs by more than {100 * _APART:g} points (docs/gc.md explains why)"
        )
    beside = [values for values in records(table) if not missing(values["beside_run"])]
    if any(missing(values["beside_overlap_s"]) for values in beside):
        notes.append("beside it: the load report nearest in the text; it may have run against another process")
    elif beside:
        notes.append(
            "beside it: the load that ran at the same time, by the clocks of the logs; it may have run against another "
            "process"
        )
    return notes


def _contradicts(gogc: str, values: Mapping[str, Any]) -> bool:
    if missing(values["pacing"]) or values["pacing"] != "gogc":
        return False
    # Below a GOGC of 10 only an upper limit is known (`gc_summary`).
    low = 0 if missing(values["gogc_low"]) else values["gogc_low"]
    return not gogc.isdigit() or not low <= int(gogc) <= values["gogc_high"]
