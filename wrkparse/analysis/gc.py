"""What its collections cost a Go process, from its gctrace lines: pauses, CPU, heap, pacing, mutator utilisation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from wrkparse.analysis import cycles, gc_timeline, pacing, traces
from wrkparse.analysis.utilisation import minimum_utilisation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrkparse.analysis.utilisation import Floats
    from wrkparse.dataset import Dataset

# Share of the Ps that marking may take from the program: gcBackgroundUtilization of runtime/mgcpacer.go, since Go 1.5.
MARKING_SHARE = 0.25
_SHORTEST_S = 1e-3
_WINDOWS_PER_DECADE = 40

# Three passes over the cycles, each with the columns that it needs.
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

_LINKED = f"""
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


def gc_summary(ds: Dataset, *, where: str | None = None) -> pd.DataFrame:
    """One row per process with collections, for which `where` (as in `Dataset.wide`) holds: ``ds.runs``, and these.

    What counts as a pause, and where a trace begins, `wrkparse.analysis.cycles` says. NA: the era does not print it.

    * cycles; forced_cycles of them; missing_cycles: numbers that no line has, so that every sum is low; procs, the
      largest; span_s, from the begin of the trace to the end of its last cycle; cycles_per_s, between first and last.
    * allocated_bytes, allocation_bytes_per_s: heap at the end of each cycle less what was live after the one before,
      over the time between (G1 to G4: heap at its begin; no time). Printed in MiB: meaningless below 1 MiB per cycle.
    * pauses, pause_total_s, pause_p50_s, pause_p99_s (nearest rank: a pause that there was), pause_max_s;
      pause_forced_s of forced cycles; pause_ratio: share of span_s.
    * mark_total_s, mark_max_s, mark_ratio: time, and share of span_s, in which a cycle ran beside the program.
    * cpu_stw_s, cpu_scan_s (one goroutine: root scan to Go 1.5, and marking in G5a to G5c), cpu_assist_s,
      cpu_background_s, cpu_idle_s; cpu_available_s = procs × time; ratios to it.
    * gc_cpu_ratio = (cpu_stw_s + cpu_scan_s + cpu_assist_s + cpu_background_s) / cpu_available_s; gc_cpu_printed_ratio:
      the runtime's own, of the last cycle: since the process started, idle marking left out as here, in whole percent.
    * heap_live_median_bytes, heap_live_max_bytes, heap_goal_median_bytes, heap_max_bytes; over_goal_ratio: share of
      cycles that ended above their goal; overshoot_max_ratio: by how much the worst did (below 0: under the goal);
      heap_growth_ratio: median growth from the live heap to the next collection (GOGC/100 if that sets the pace).
    * gogc_estimate, in per cent as GOGC is; gogc_low and gogc_high, which 99 % of the cycles allow (low > high: no one
      GOGC explains them; the estimate is their median then); minimum_heap_cycles: goal is 4 MiB · GOGC/100;
      goal_at_live_cycles: goal leaves no room above the live heap; pacing: ``gogc``, ``off``, ``limit`` (a memory
      limit, see `wrkparse.analysis.pacing`), ``varies``, or NA.
    * beside_run and its beside_throughput_per_s …: a load report beside the trace, see `wrkparse.analysis.traces`.
    """
    runs = traces.chosen(ds, "gctrace", where)
    runs = runs[runs["run"].isin(ds.sql("SELECT DISTINCT run FROM gc_cycles")["run"])].reset_index(drop=True)
    if runs.empty:
        return runs
    only = "true" if where is None else traces.only(runs)
    totals, pauses = (ds.sql(query.format(cycles=cycles.cycles(only))) for query in (_TOTALS, _PAUSES))
    table = runs
    for part in (totals, _linked(ds, only), pauses):
        table = table.merge(part, on="run", how="left")
    for of in ("pause", "mark"):
        table[f"{of}_ratio"] = table[f"{of}_total_s"] / table["span_s"]
    for of in ("assist", "background", "idle"):
        table[f"cpu_{of}_ratio"] = table[f"cpu_{of}_s"] / table["cpu_available_s"]
    table["gc_cpu_ratio"] = table.pop("cpu_gc_s") / table["cpu_available_s"]
    return table.merge(traces.beside(ds, runs), on="run", how="left")


def _linked(ds: Dataset, only: str) -> pd.DataFrame:
    """What follows from the cycle before; cycles are mostly stored in order of time, and sorted where they are not."""
    found = ds.sql(_LINKED.format(rows=pacing.paced(cycles.placed(only, as_stored=True))))
    apart = found.pop("parts") > 1
    if not apart.any():
        return found
    again = ds.sql(_LINKED.format(rows=pacing.paced(cycles.placed(traces.only(found[apart])))))
    return pd.concat([found[~apart], again.drop(columns="parts")], ignore_index=True)


def mmu(ds: Dataset, run: str, windows: Sequence[float] | None = None) -> pd.DataFrame:
    """Minimum mutator utilisation of one run: window_s, mmu_ratio, mmu_marking_ratio; no rows without printed times.

    mmu_ratio counts pauses. mmu_marking_ratio also counts `MARKING_SHARE` (25 %) of the Ps as taken while a cycle runs
    beside the program, which is what the pacer plans for; assists come on top. (G5a to G5c: one P, for there one
    goroutine marks.) Ratios are NA for a window longer than the trace. `windows`: their lengths in seconds; otherwise
    1, 2, 5, 10 … ms up to the trace's length. Starts are printed in whole milliseconds: a cycle that would overlap the
    one before is placed behind it, and windows of a few ms are uncertain.
    """
    edges, pause, marking = timeline(ds, run)
    if not len(edges):
        return pd.DataFrame({"window_s": [], "mmu_ratio": [], "mmu_marking_ratio": []}, dtype=float)
    lengths = _windows(float(edges[-1] - edges[0])) if windows is None else np.asarray(windows, float)
    return pd.DataFrame({
        "window_s": lengths,
        "mmu_ratio": minimum_utilisation(edges, pause, lengths),
        "mmu_marking_ratio": minimum_utilisation(edges, np.maximum(pause, marking), lengths),
    })  # fmt: skip


def timeline(ds: Dataset, run: str) -> tuple[Floats, Floats, Floats]:
    """When the world stood still, and what marking took: n + 1 times in seconds, rising, and n shares of each between.

    Shares of the Ps: 1 in a pause, and `mmu`'s share while a cycle runs beside the program. Empty without times.
    """
    rows = gc_timeline.placed(ds, run)
    rows = rows[rows["start_s"].notna()]
    if rows.empty:
        return np.empty(0), np.empty(0), np.empty(0)
    start = rows["start_s"].to_numpy(float)
    parts: Floats = rows[list(gc_timeline.PARTS)].fillna(0.0).to_numpy(float)
    one_marks = rows["era"].isin(["G5a", "G5b", "G5c"])
    taken = np.where(one_marks, 1 / rows["procs"].to_numpy(float), MARKING_SHARE)[:, None]
    ends = start[:, None] + np.cumsum(parts, axis=1)
    origin = 0.0 if rows["gc"].iloc[0] == 1 else start[0]
    edges = np.concatenate([[origin], np.column_stack([start, ends]).ravel()])
    stops = np.array([kind is not None for kind in gc_timeline.PARTS.values()])
    pause = np.tile(np.append(0.0, stops), len(rows))
    marking = (np.append(0.0, ~stops) * taken).ravel()
    return np.maximum.accumulate(edges), pause, marking


def mmu_curves(ds: Dataset, *, where: str | None = None) -> pd.DataFrame:
    """`mmu` of every gctrace run for which `where` (as in `Dataset.wide`) holds, at windows close enough for a curve.

    Columns: run, window_s, mmu_ratio, mmu_marking_ratio. Windows begin at 1 ms, as starts are printed in whole ms, and
    end with the run's trace. No rows for a run without printed times.
    """
    found = []
    for run in traces.chosen(ds, "gctrace", where)["run"]:
        edges, _, _ = timeline(ds, run)
        span = float(edges[-1] - edges[0]) if len(edges) else 0.0
        if span > _SHORTEST_S:
            count = int(np.log10(span / _SHORTEST_S) * _WINDOWS_PER_DECADE) + 2
            found.append(mmu(ds, run, np.geomspace(_SHORTEST_S, span, count).tolist()).assign(run=run))
    columns = ["run", "window_s", "mmu_ratio", "mmu_marking_ratio"]
    return pd.concat(found, ignore_index=True)[columns] if found else pd.DataFrame(columns=columns)


def _windows(span_s: float) -> Floats:
    """1, 2, 5, 10 … ms, up to a length."""
    series = [digit * 10.0**power for power in range(-3, 9) for digit in (1, 2, 5)]
    return np.array([length for length in series if length <= span_s])
