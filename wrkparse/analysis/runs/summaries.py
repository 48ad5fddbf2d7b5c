"""Summaries of runs: a few numbers, such as ``- **Requests/sec:** 31677.78``, beside the report of the same run.

A few lines of a trace that a text shows again, to explain them, are one of the trace.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from wrkparse.analysis.runs.selection import COPY_COLUMNS, Numbers, SelectedRun
from wrkparse.dataset import Dataset
from wrkparse.model.records import FEWEST_COPIED

# Columns that tell the collections of two processes apart: what each line since Go 1.5 prints. Processes that do alike
# agree in some of them by chance.
_COLLECTION = (
    "gc", "at_s", "stw_sweep_term_s", "concurrent_mark_s", "stw_mark_term_s", "cpu_sweep_term_s", "cpu_assist_s",
    "cpu_background_s", "cpu_idle_s", "cpu_mark_term_s", "heap_start_bytes", "heap_end_bytes", "heap_live_bytes",
)  # fmt: skip
_FEWEST_STEPS = 50_000  # of the resolution in a rate: five digits, which two runs rarely share by chance


def without_summaries(
    dataset: Dataset, runs: Sequence[SelectedRun], numbers: Mapping[str, Numbers]
) -> tuple[list[SelectedRun], pd.DataFrame]:
    """The runs without summaries of other runs among them, and a table of these as of `without_copies`.

    A summary is a report with at most 7 numbers, a rate of five digits or more among them, if a longer report of the
    tool (see `_is_tool_of`) has each of these numbers; or a trace, if a longer one, or one above it, has each of its
    collections.
    """
    by_run = {run.run: run for run in runs}
    pairs = [*_parts_of_traces(dataset)]
    if any(own.has_rate and own.how_many < FEWEST_COPIED for own in numbers.values()):
        pairs += _short_reports(dataset)
    # Backwards, because the last entry of a key stays: of several longer reports it is always the same one.
    found = {
        summary: by_run[whole]
        for summary, whole in sorted(pairs, reverse=True)
        if summary in by_run and whole in by_run and _is_tool_of(by_run[summary], by_run[whole])
    }
    rows = [(run.run, run.where, found[run.run].run, found[run.run].where, True) for run in runs if run.run in found]
    return [run for run in runs if run.run not in found], pd.DataFrame(rows, columns=COPY_COLUMNS)


def _is_tool_of(summary: SelectedRun, whole: SelectedRun) -> bool:
    """Whether the tool of a report printed its summary, too.

    The first lines of hey and oha are the same (``defaultTmpl`` of hey's ``requester/print.go``, ``print_summary`` of
    oha's ``src/printer.rs``), so those of oha alone are read as a report of hey.
    """
    tools = summary.labels["tool"], whole.labels["tool"]
    return tools[0] == tools[1] or tools == ("hey", "oha")


def _short_reports(dataset: Dataset) -> Sequence[tuple[str, str]]:
    """Pairs of a short report whose numbers are all in a longer one, and that longer one."""
    # Pairs are found by their rate, which few reports share, before all of their numbers are compared.
    return dataset.answer_rows(
        f"""
        WITH counted AS (SELECT run, count(*) AS n FROM measurements WHERE value IS NOT NULL GROUP BY run),
        rates AS (SELECT run, value, resolution FROM measurements WHERE metric = 'throughput' AND stat = 'total'),
        pairs AS (
            SELECT a.run AS summary, b.run AS whole, short.n FROM counted short JOIN rates a USING (run)
            JOIN rates b ON b.value = a.value AND b.run <> a.run JOIN counted long ON long.run = b.run
            WHERE short.n < {FEWEST_COPIED} AND long.n > short.n AND a.value >= {_FEWEST_STEPS} * a.resolution
        )
        SELECT summary, whole FROM pairs JOIN measurements s ON s.run = summary
        JOIN measurements w ON w.run = whole AND w.metric = s.metric AND w.stat = s.stat AND w.value = s.value
        GROUP BY summary, whole HAVING count(*) = any_value(n)
        """
    )


def _parts_of_traces(dataset: Dataset) -> Sequence[tuple[str, str]]:
    """Pairs of a trace whose collections are all in another one of its source, and that other trace."""
    if not dataset.count("gc_cycles"):
        return []
    # Of two traces with the same collections, the lower one in the source is the part.
    return dataset.answer_rows(
        f"""
        WITH cycles AS (
            SELECT c.*, r.source, r.line AS first, count(*) OVER (PARTITION BY run) AS n
            FROM gc_cycles c JOIN runs r USING (run)
        )
        SELECT p.run AS part, w.run AS whole FROM cycles p JOIN cycles w ON w.source = p.source
        AND {" AND ".join(f"w.{name} = p.{name}" for name in _COLLECTION)}
        AND (p.n < w.n OR (p.n = w.n AND p.first > w.first))
        GROUP BY p.run, w.run HAVING count(*) = any_value(p.n)
        """
    )
