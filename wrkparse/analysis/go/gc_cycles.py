"""Collections of a Go process on a time line: what stopped the world, what ran beside the program, since when.

What stops the world depends on the Go version, which the shape of a line shows (``era``, see
`wrkparse.tools.go.gctrace`):

* G0 to G4 (up to Go 1.4): the whole collection is one pause.
* G5a to G5d (1.5 in development, to 2015-04-22): sweep termination, write barriers and mark termination are a pause
  each. Installing write barriers ceased to stop the world on 2015-04-27 (commit bb6320535d), on the sixth of the 41
  days in which G5e was printed: from G5e on it is no pause, and counts as concurrent.
* G5e and later: sweep termination and mark termination are a pause each.
* A cycle that was forced up to Go 1.8, or ran under ``gcstoptheworld`` up to Go 1.11, marks in mark termination and
  prints 0 for the concurrent phases: one pause. Forced ones repeat the worker times of the cycle before, which are not
  counted again. Since Go 1.12 nothing in the line shows ``gcstoptheworld``.

The printed time is the cycle's start, in G5 its end. A trace that begins with collection 1 is observed from the start
of the process, where that clock starts; any other from its first cycle on. It ends with its last cycle.
"""

from __future__ import annotations

_OLD = "regexp_full_match(era, 'G[0-4][ab]?')"  # a long list in IN would be a join, behind which rows lose their order
_BARRIER_STOPS = "era IN ('G5a', 'G5b', 'G5c', 'G5d')"
_ONE_STOP = (
    f"({_OLD} OR CASE WHEN starts_with(era, 'G5') THEN forced"
    " ELSE concurrent_mark_s + coalesce(concurrent_scan_s, 0) = 0 END)"
)
_STALE = f"(forced AND {_ONE_STOP})"
_CLOCK = (
    "stw_sweep_term_s", "concurrent_scan_s", "write_barrier_s", "concurrent_mark_s", "stw_mark_term_s",
    "stw_stop_s", "stw_mark_s", "stw_sweep_s", "stw_wait_s", "stw_other_s",
)  # fmt: skip
_WALL = "(" + " + ".join(f"coalesce({name}, 0)" for name in _CLOCK) + ")"
_KEPT = (
    "run", "line", "gc", "era", "procs", "forced", "gc_cpu_ratio", "heap_start_bytes", "heap_end_bytes",
    "heap_live_bytes", "heap_previous_live_bytes", "heap_goal_bytes", "stacks_bytes", "globals_bytes",
)  # fmt: skip


def cycles(only: str) -> str:
    """SQL: one row per cycle of the runs for which the condition `only` holds.

    Columns: those of the printed heap and number; one_stop, whether the cycle is a single pause; start_s and wall_s;
    the cycle's parts in their order in time: first_stop_s (pause), scan_s (concurrent), barrier_stop_s (pause, to G5d),
    barrier_s (concurrent), mark_s (concurrent), last_stop_s (pause); cpu_stw_s, cpu_scan_s (one goroutine: root scan,
    and marking in G5a to G5c), cpu_assist_s, cpu_background_s, cpu_idle_s. NULL: no such part in this era.
    """
    return f"""
SELECT {", ".join(_KEPT)}, {_ONE_STOP} AS one_stop, {_WALL} AS wall_s,
  CASE WHEN starts_with(era, 'G5') THEN at_s - {_WALL} ELSE at_s END AS start_s,
  CASE WHEN {_ONE_STOP} THEN {_WALL} ELSE stw_sweep_term_s END AS first_stop_s,
  CASE WHEN NOT {_ONE_STOP} THEN concurrent_scan_s END AS scan_s,
  CASE WHEN NOT {_ONE_STOP} AND {_BARRIER_STOPS} THEN write_barrier_s END AS barrier_stop_s,
  CASE WHEN NOT {_ONE_STOP} AND NOT {_BARRIER_STOPS} THEN write_barrier_s END AS barrier_s,
  CASE WHEN NOT {_ONE_STOP} THEN concurrent_mark_s END AS mark_s,
  CASE WHEN NOT {_ONE_STOP} THEN stw_mark_term_s END AS last_stop_s,
  cpu_sweep_term_s + cpu_mark_term_s + CASE WHEN {_BARRIER_STOPS} THEN cpu_write_barrier_s ELSE 0 END AS cpu_stw_s,
  cpu_scan_s + coalesce(cpu_mark_s, 0) AS cpu_scan_s,
  CASE WHEN {_STALE} THEN 0 ELSE cpu_assist_s END AS cpu_assist_s,
  CASE WHEN {_STALE} THEN 0 ELSE cpu_background_s END AS cpu_background_s,
  CASE WHEN {_STALE} THEN 0 ELSE cpu_idle_s END AS cpu_idle_s
FROM gc_cycles WHERE {only}"""


# What is wanted of the cycle before.
_BEFORE = {
    "ended_s": "start_s + wall_s", "gc_before": "gc", "live_before": "heap_live_bytes",
    "grown_before": "heap_end_bytes - heap_start_bytes", "stacks_before": "stacks_bytes",
    "globals_before": "globals_bytes",
}  # fmt: skip
_BY_TIME = "(PARTITION BY run ORDER BY start_s, line)"
_FOLLOWS_AS_STORED = (
    "lag(run) OVER () = run AND lag(line) OVER () < line AND (start_s IS NULL OR lag(start_s) OVER () <= start_s)"
)


def _linked(only: str, *, as_stored: bool) -> str:
    """SQL: `cycles`, each with what is wanted of the one before."""
    if not as_stored:
        before = ", ".join(f"lag({what}) OVER {_BY_TIME} AS {name}" for name, what in _BEFORE.items())
        return f"SELECT *, {before}, gc_before IS NULL AS apart FROM ({cycles(only)})"
    before = ", ".join(f"lag({what}) OVER () AS {name}" for name, what in _BEFORE.items())
    own = ", ".join(f"CASE WHEN NOT apart THEN {name} END AS {name}" for name in _BEFORE)
    return f"""
  SELECT * REPLACE ({own})
  FROM (SELECT *, {before}, NOT coalesce({_FOLLOWS_AS_STORED}, false) AS apart FROM ({cycles(only)}))"""


def placed(only: str, *, as_stored: bool = False) -> str:
    """SQL: `cycles` with what follows from the cycle before, in order of time.

    With `as_stored` a cycle is linked to the row before it, which takes neither a sort nor memory. That is right for
    a run of whose rows one is ``apart``, the first: its rows came one behind the other, by line and by time.

    since_s: when the cycle before ended (0 for collection 1; the cycle's own start if what was before is not known);
    interval_s: from there to this cycle's end. follows: no line is missing between the two. allocated_bytes: allocated
    from the end of the cycle before to the end of this one, which is the heap now less what was live then (G1 to G4:
    to this collection); NULL if not known. allocating_s: the time that this took. live_before_bytes,
    stacks_before_bytes, globals_before_bytes: as the cycle before left them; grown_before_bytes: allocated during it.
    """
    return f"""
WITH ordered AS (
  SELECT *, start_s + wall_s AS end_s FROM ({_linked(only, as_stored=as_stored)})
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
