"""Collections of a Go process on a time line: their STW pauses, their concurrent phases, and their starts.

Which phases stop the world depends on the Go version, which the shape of a line shows (``era``, see
`wrkparse.tools.go.gctrace`):

* G0 to G4 (up to Go 1.4): the whole collection is one pause.
* G5a to G5d (1.5 in development, up to 2015-04-22): sweep termination, installing write barriers and mark termination
  are one pause each. Write barriers no longer stop the world since 2015-04-27 (commit bb6320535d), which is the sixth
  of the 41 days in which G5e was printed. So in G5e and later the phase counts as concurrent.
* G5e and later: sweep termination and mark termination are one pause each.
* A cycle that was forced (up to Go 1.8) or ran under ``gcstoptheworld`` (up to Go 1.11) marks during mark termination
  and prints 0 for the concurrent phases. It is one pause. Forced cycles repeat the worker times of the previous cycle,
  so these are not counted again. Since Go 1.12 nothing in the line shows ``gcstoptheworld``.

The printed time is the start of the cycle, in G5 its end. If a trace begins with collection 1, the observation begins
with the process, where that clock starts; otherwise with the first cycle. It ends with the last cycle.
"""

from __future__ import annotations

# Eras whose lines have the phases in whole milliseconds; others have decimals, or microseconds.
ERAS_IN_WHOLE_MS = frozenset("G0 G1 G1b G2 G3a G5a G5b G5c G5d G5e".split())
# A regular expression, since DuckDB turns a long list after IN into a join, and that does not keep the order of rows.
_BEFORE_GO_1_5 = "regexp_full_match(era, 'G[0-4][ab]?')"
_BARRIER_STOPS = "era IN ('G5a', 'G5b', 'G5c', 'G5d')"
_IS_ONE_PAUSE = (
    f"({_BEFORE_GO_1_5} OR CASE WHEN starts_with(era, 'G5') THEN forced"
    " ELSE concurrent_mark_s + coalesce(concurrent_scan_s, 0) = 0 END)"
)
# The phases since Go 1.5, then those of earlier versions; a line has some of them, and NULL for the rest.
_PHASES = (
    "stw_sweep_term_s", "concurrent_scan_s", "write_barrier_s", "concurrent_mark_s", "stw_mark_term_s",
    "stw_stop_s", "stw_mark_s", "stw_sweep_s", "stw_wait_s", "stw_other_s",
)  # fmt: skip
_WALL = "(" + " + ".join(f"coalesce({name}, 0)" for name in _PHASES) + ")"
_COPIED_COLUMNS = (
    "run", "line", "gc", "era", "procs", "forced", "gc_cpu_ratio", "heap_start_bytes", "heap_end_bytes",
    "heap_live_bytes", "heap_previous_live_bytes", "heap_goal_bytes", "stacks_bytes", "globals_bytes",
)  # fmt: skip


def cycles_query(only: str) -> str:
    """SQL for one row per cycle of the runs for which the condition `only` holds.

    Columns: the printed number and heap sizes; one_stop (whether the cycle is a single pause); start_s and wall_s; the
    phases in the order of time: first_stop_s (pause), scan_s (concurrent), barrier_stop_s (pause, up to G5d), barrier_s
    (concurrent), mark_s (concurrent), last_stop_s (pause); cpu_stw_s, cpu_scan_s (of one goroutine: root scan, in G5a
    to G5c marking too), cpu_assist_s, cpu_background_s, cpu_idle_s. A value is NULL if the era has no such phase.
    """
    return f"""
SELECT {", ".join(_COPIED_COLUMNS)}, one_stop, wall_s,
  CASE WHEN starts_with(era, 'G5') THEN at_s - wall_s ELSE at_s END AS start_s,
  CASE WHEN one_stop THEN wall_s ELSE stw_sweep_term_s END AS first_stop_s,
  CASE WHEN NOT one_stop THEN concurrent_scan_s END AS scan_s,
  CASE WHEN NOT one_stop AND barrier_stops THEN write_barrier_s END AS barrier_stop_s,
  CASE WHEN NOT one_stop AND NOT barrier_stops THEN write_barrier_s END AS barrier_s,
  CASE WHEN NOT one_stop THEN concurrent_mark_s END AS mark_s,
  CASE WHEN NOT one_stop THEN stw_mark_term_s END AS last_stop_s,
  cpu_sweep_term_s + cpu_mark_term_s + CASE WHEN barrier_stops THEN cpu_write_barrier_s ELSE 0 END AS cpu_stw_s,
  cpu_scan_s + coalesce(cpu_mark_s, 0) AS cpu_scan_s,
  CASE WHEN repeats_worker_times THEN 0 ELSE cpu_assist_s END AS cpu_assist_s,
  CASE WHEN repeats_worker_times THEN 0 ELSE cpu_background_s END AS cpu_background_s,
  CASE WHEN repeats_worker_times THEN 0 ELSE cpu_idle_s END AS cpu_idle_s
FROM (
  SELECT *, {_WALL} AS wall_s, {_BARRIER_STOPS} AS barrier_stops, {_IS_ONE_PAUSE} AS one_stop,
    forced AND one_stop AS repeats_worker_times
  FROM gc_cycles WHERE {only})"""


# Columns that are taken from the previous cycle.
_FROM_PREVIOUS = {
    "ended_s": "start_s + wall_s", "gc_before": "gc", "live_before": "heap_live_bytes",
    "grown_before": "heap_end_bytes - heap_start_bytes", "stacks_before": "stacks_bytes",
    "globals_before": "globals_bytes",
}  # fmt: skip
_BY_TIME = "(PARTITION BY run ORDER BY start_s, line)"
# `lag` over nothing takes the row before as it is stored.
_FOLLOWS_AS_STORED = (
    "lag(run) OVER () = run AND lag(line) OVER () < line AND (start_s IS NULL OR lag(start_s) OVER () <= start_s)"
)


def _with_previous(only: str, *, as_stored: bool) -> str:
    """SQL for `cycles` with the columns of `_FROM_PREVIOUS`, and apart: whether the previous cycle is not known."""
    if not as_stored:
        before = ", ".join(
            f"lag({expression}) OVER {_BY_TIME} AS {name}" for name, expression in _FROM_PREVIOUS.items()
        )
        return f"SELECT *, {before}, gc_before IS NULL AS apart FROM ({cycles_query(only)})"
    before = ", ".join(f"lag({expression}) OVER () AS {name}" for name, expression in _FROM_PREVIOUS.items())
    linked = ", ".join(f"CASE WHEN NOT apart THEN {name} END AS {name}" for name in _FROM_PREVIOUS)
    return f"""
  SELECT * REPLACE ({linked})
  FROM (SELECT *, {before}, NOT coalesce({_FOLLOWS_AS_STORED}, false) AS apart FROM ({cycles_query(only)}))"""


def placed_cycles_query(only: str, *, as_stored: bool = False) -> str:
    """SQL for `cycles` with what follows from the previous cycle, in the order of time.

    With `as_stored`, the previous cycle is the previous row, which needs no sort and no memory. That is only right for
    runs in which ``apart`` is true for one row, the first: then all rows of the run are adjacent, and ordered by line
    and by time.

    Columns besides those of `cycles`:

    * since_s: the end of the previous cycle (0 for collection 1; the start of this cycle if the previous one is not
      known). interval_s: from since_s to the end of this cycle.
    * follows: whether no line is missing between the two cycles.
    * allocated_bytes: allocated between the ends of the two cycles, which is the heap at the end of this one less what
      was live after the previous one (G1 to G4: up to the start of this one); NULL if not known. allocating_s: the time
      that this took.
    * live_before_bytes, stacks_before_bytes, globals_before_bytes: after the previous cycle. grown_before_bytes:
      allocated during the previous cycle.
    """
    return f"""
WITH ordered AS (
  SELECT *, start_s + wall_s AS end_s FROM ({_with_previous(only, as_stored=as_stored)})
), linked AS (
  SELECT * EXCLUDE (live_before, grown_before, stacks_before, globals_before),
    coalesce(gc_before IS NULL AND gc = 1, false) AS first,
    coalesce(gc - gc_before BETWEEN 0 AND 1, false) AS follows,
    CASE WHEN follows THEN live_before WHEN first THEN 0 END AS live_before_bytes,
    CASE WHEN follows THEN grown_before WHEN first THEN 0 END AS grown_before_bytes,
    CASE WHEN follows THEN stacks_before WHEN first THEN 0 END AS stacks_before_bytes,
    CASE WHEN follows THEN globals_before WHEN first THEN 0 END AS globals_before_bytes,
    coalesce(ended_s, CASE WHEN first THEN 0 ELSE start_s END) AS since_s
  FROM ordered
)
SELECT *, end_s - since_s AS interval_s,
  coalesce(heap_end_bytes, heap_start_bytes) - coalesce(heap_previous_live_bytes, live_before_bytes) AS allocated_bytes,
  CASE WHEN allocated_bytes IS NOT NULL THEN end_s - since_s END AS allocating_s
FROM linked"""
