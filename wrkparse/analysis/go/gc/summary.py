"""Summary of the collections of each Go process, from its gctrace lines: pauses, CPU time, heap, pacing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from wrkparse.analysis.go import traces
from wrkparse.analysis.go.gc import cycles, pacing
from wrkparse.analysis.go.gc.text import gc_html, gc_text
from wrkparse.analysis.runs.labels.labels import natural_order
from wrkparse.analysis.shown.frames import ShownFrame

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

# Three queries, each of which reads only the columns that it needs. greatest(…, 0): lines that are in the log twice
# would make missing_cycles negative.
_TOTALS = """
SELECT run,
  count(*) AS cycles,
  count(*) FILTER (forced) AS forced_cycles,
  greatest(max(gc) - min(gc) + 1 - count(*), 0) AS missing_cycles,
  max(procs) AS procs,
  (count(start_s) - 1) / nullif(max(start_s) - min(start_s), 0) AS cycles_per_s,
  sum(coalesce(scan_s, 0) + coalesce(barrier_s, 0) + mark_s) AS mark_total_s,
  max(coalesce(scan_s, 0) + coalesce(barrier_s, 0) + mark_s) AS mark_max_s,
  sum(cpu_stw_s) AS cpu_stw_s, sum(cpu_scan_s) AS cpu_scan_s, sum(cpu_assist_s) AS cpu_assist_s,
  sum(cpu_background_s) AS cpu_background_s, sum(cpu_idle_s) AS cpu_idle_s,
  sum(cpu_stw_s + coalesce(cpu_scan_s, 0) + coalesce(cpu_assist_s, 0) + coalesce(cpu_background_s, 0)) AS cpu_gc_s,
  arg_max(gc_cpu_ratio, start_s) AS gc_cpu_printed_ratio,
  median(heap_live_bytes) AS heap_live_median_bytes, max(heap_live_bytes) AS heap_live_max_bytes,
  median(heap_goal_bytes) AS heap_goal_median_bytes,
  max(coalesce(heap_end_bytes, heap_start_bytes)) AS heap_max_bytes,
  avg((heap_end_bytes > heap_goal_bytes)::INT) AS over_goal_ratio,
  max(heap_end_bytes / nullif(heap_goal_bytes, 0) - 1) AS overshoot_max_ratio
FROM ({cycles}) GROUP BY run"""

_BY_PREVIOUS_CYCLE = f"""
SELECT run,
  count(*) FILTER (apart) AS parts,
  sum(interval_s) AS span_s,
  sum(interval_s * procs) AS cpu_available_s,
  sum(allocated_bytes)::BIGINT AS allocated_bytes,
  sum(allocated_bytes) / nullif(sum(allocating_s), 0) AS allocation_bytes_per_s,
  median(heap_start_bytes / nullif(coalesce(heap_previous_live_bytes, live_before_bytes), 0) - 1) AS heap_growth_ratio,
  {pacing.AGGREGATES}
FROM ({{rows}}) GROUP BY run"""

_PAUSES = """
SELECT run, count(*) AS pauses, sum(pause_s) AS pause_total_s, quantile_disc(pause_s, 0.5) AS pause_p50_s,
  quantile_disc(pause_s, 0.99) AS pause_p99_s, max(pause_s) AS pause_max_s,
  sum(pause_s) FILTER (forced) AS pause_forced_s
FROM (SELECT run, forced, unnest([first_stop_s, barrier_stop_s, last_stop_s]) AS pause_s FROM ({cycles}))
WHERE pause_s IS NOT NULL GROUP BY run"""


class GcSummary(ShownFrame):
    """The result of `gc_summary`: a DataFrame that is shown as ``wrkparse gc`` prints it."""

    def _text(self) -> str:
        return gc_text(self)

    def _html(self) -> str:
        return gc_html(self)


def gc_summary(ds: Dataset, *, where: str | None = None) -> GcSummary:
    """One row for each process with collections that matches `where` (as in `Dataset.wide`).

    Processes of a study and framework are in the order of GOGC and GOMEMLIMIT, numbers by size.

    The columns are those of ``ds.runs`` and the following. `cycles` defines pauses and the beginning of a trace. A
    value is NA if the era does not print what it needs.

    * cycles; forced_cycles; missing_cycles (numbers without a line; all sums are too low then); procs (the largest);
      span_s (from the beginning of the trace to the end of its last cycle); cycles_per_s (between the first and the
      last cycle).
    * allocated_bytes, allocation_bytes_per_s: the heap at the end of each cycle less what was live after the previous
      one, and that over the time between (G1 to G4: the heap at the start; no rate). Sizes are printed in MiB, so these
      mean nothing below 1 MiB per cycle.
    * pauses, pause_total_s, pause_p50_s, pause_p99_s (nearest rank, so each is an actual pause), pause_max_s;
      pause_forced_s (of forced cycles); pause_ratio (share of span_s).
    * mark_total_s, mark_max_s, mark_ratio: the time, and its share of span_s, in which a cycle ran concurrently.
    * cpu_stw_s, cpu_scan_s (of one goroutine: root scan up to Go 1.5, in G5a to G5c marking too), cpu_assist_s,
      cpu_background_s, cpu_idle_s; cpu_available_s = procs × time; ratios to it.
    * gc_cpu_ratio = (cpu_stw_s + cpu_scan_s + cpu_assist_s + cpu_background_s) / cpu_available_s; gc_cpu_printed_ratio:
      the runtime's figure in the last cycle, since the start of the process, without idle marking, in whole percent.
    * heap_live_median_bytes, heap_live_max_bytes, heap_goal_median_bytes, heap_max_bytes; over_goal_ratio (share of the
      cycles that ended above their goal); overshoot_max_ratio (the largest excess; below 0 if all stayed under the
      goal); heap_growth_ratio (median growth from the live heap to the next collection, which is GOGC/100 if GOGC sets
      the pace).
    * gogc_estimate, in percent as GOGC is; gogc_low and gogc_high: the range that 99 % of the cycles allow (if low >
      high, no single GOGC explains them, and the estimate is their median; with a GOGC below 10 each collection
      begins within 1 MiB of its goal, so there is only an upper limit, which is the estimate); minimum_heap_cycles
      (the goal is
      4 MiB · GOGC/100); goal_at_live_cycles (the goal leaves no room above the live heap); pacing: ``gogc``, ``off``,
      ``limit`` (a memory limit, see `pacing`), ``varies``, or NA.
    * beside_run, beside_throughput_per_s …: a load report that belongs to the trace, see `traces.beside`.
    """
    runs = traces.runs_of_tool(ds, "gctrace", where)
    runs = runs[runs["run"].isin(ds.sql("SELECT DISTINCT run FROM gc_cycles")["run"])].reset_index(drop=True)
    if runs.empty:
        return GcSummary(runs)
    runs = _by_setting(runs)
    # A list of all runs would leave none out, and only take time.
    only = "true" if where is None else traces.run_condition(runs)
    totals, pauses = (ds.sql(query.format(cycles=cycles.cycles_query(only))) for query in (_TOTALS, _PAUSES))
    table = runs
    for part in (totals, _linked_totals(ds, only), pauses):
        table = table.merge(part, on="run", how="left")
    for of in ("pause", "mark"):
        table[f"{of}_ratio"] = table[f"{of}_total_s"] / table["span_s"]
    for of in ("assist", "background", "idle"):
        table[f"cpu_{of}_ratio"] = table[f"cpu_{of}_s"] / table["cpu_available_s"]
    table["gc_cpu_ratio"] = table.pop("cpu_gc_s") / table["cpu_available_s"]
    return GcSummary(table.merge(traces.loads_beside(ds, runs), on="run", how="left"))


def _by_setting(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs in the order of their GC settings, within a study and framework; as they stand without settings."""
    places = pd.DataFrame(index=runs.index)
    for key in ("study", "framework"):
        if key in runs:
            places[key] = pd.factorize(runs[key].fillna(""))[0]
    for key in ("gogc", "gomemlimit"):
        if key in runs:
            known = [None if pd.isna(value) else str(value) for value in runs[key]]
            ranks = {value: at for at, value in enumerate(sorted(set(known), key=natural_order))}
            places[key] = [ranks[value] for value in known]
    if places.empty:
        return runs
    keys = [str(key) for key in places]
    return runs.loc[places.sort_values(keys, kind="stable").index].reset_index(drop=True)


def _linked_totals(ds: Dataset, only: str) -> pd.DataFrame:
    """The columns that need the previous cycle. Cycles are sorted only in runs that are not stored in order of time."""
    totals = ds.sql(
        _BY_PREVIOUS_CYCLE.format(rows=pacing.paced_cycles_query(cycles.placed_cycles_query(only, as_stored=True)))
    )
    unordered = totals.pop("parts") > 1
    if not unordered.any():
        return totals
    of_unordered = ds.sql(
        _BY_PREVIOUS_CYCLE.format(
            rows=pacing.paced_cycles_query(cycles.placed_cycles_query(traces.run_condition(totals[unordered])))
        )
    )
    return pd.concat([totals[~unordered], of_unordered.drop(columns="parts")], ignore_index=True)
