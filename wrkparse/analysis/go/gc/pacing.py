"""The GOGC, or the memory limit, that explains the printed heap goals.

Go sets the goal of a cycle from the heap that the previous cycle left (``commit`` of ``runtime/mgcpacer.go``; in
earlier versions ``gcMark`` of ``runtime/mgc.go``)::

    goal = max(live + (live + stacks + globals) · GOGC/100, 4 MiB · GOGC/100)

Stacks and globals count since Go 1.18. In Go 1.5 and 1.6 the live heap is taken without what was allocated during the
cycle. Solved for GOGC::

    GOGC = 100 · min((goal − live) / (live + stacks + globals), goal / 4 MiB)

Printed sizes are cut to MiB, so each cycle allows a range of GOGC. The runtime raises the goal if the heap has almost
reached it when the cycle begins; such a cycle gives only an upper limit of GOGC. A memory limit (Go 1.19 and later,
``memoryLimitHeapGoal``) lowers the goal, at most to the live heap. Then the result for GOGC is too low and differs
between cycles.
"""

from __future__ import annotations

_MIB = 2.0**20  # bytes
_MINIMUM_MIB = 4  # defaultHeapMinimum of Go's runtime, at GOGC=100
# Share of the cycles that must agree on GOGC. One cycle in a hundred may differ, because lines get damaged and a new
# setting takes a cycle to take effect; of fewer than a hundred, from the tenth on, one may.
_AGREEING_SHARE = 0.99
_FEWEST_WITH_OUTLIER = 10
# A goal that leaves less room than this comes from a memory limit, unless it grows faster than the live heap.
_LOWEST_GOGC = 10

_HAS_KNOWN_RULE = "era IN ('G7', 'G8', 'G9', 'G10')"  # the betas of Go 1.5 set goals by other rules
# Go 1.5. Go 1.6 does the same, but prints the lines of G8, so that its GOGC is estimated too low (docs/gc.md).
_LIVE_WITHOUT_GROWTH = "era = 'G7'"
# G9 begins with Go 1.18, which has no limit yet: its lines are those of Go 1.19.
_HAS_MEMORY_LIMIT = "era IN ('G9', 'G10')"
_PRINTS_NO_GOAL_IF_OFF = "era IN ('G8', 'G9', 'G10')"

# The goal of a cycle and the sizes that it depends on, in MiB. Printing cuts, so the size is from live + live_under to
# live + live_over. The goal is NULL if it is not printed, printed as 0, or set to the size of the heap by a collection
# that is one pause.
_SIZES = f"""
  CASE WHEN {_HAS_KNOWN_RULE} AND NOT one_stop AND live_before_bytes IS NOT NULL AND heap_goal_bytes > 0
    THEN heap_goal_bytes / {_MIB} END AS goal,
  (live_before_bytes - CASE WHEN {_LIVE_WITHOUT_GROWTH} THEN grown_before_bytes ELSE 0 END) / {_MIB} AS live,
  CASE WHEN first THEN 0 WHEN {_LIVE_WITHOUT_GROWTH} THEN -1 ELSE 0 END AS live_under,
  CASE WHEN first THEN 0 WHEN {_LIVE_WITHOUT_GROWTH} THEN 2 ELSE 1 END AS live_over,
  coalesce(stacks_before_bytes + globals_before_bytes, 0) / {_MIB} AS roots,
  CASE WHEN first OR stacks_before_bytes IS NULL THEN 0 ELSE 2 END AS roots_over,
  heap_start_bytes / {_MIB} + 1 >= goal AS raised"""


def _gogc(goal: str, live: str, roots: str) -> str:
    """GOGC from sizes in MiB, by the formula above."""
    # With nothing live, the smallest heap alone says what GOGC can be: hence 1e18.
    base = f"greatest({live} + {roots}, 0)"
    return f"100 * least(coalesce(({goal} - ({live})) / nullif({base}, 0), 1e18), ({goal}) / {_MINIMUM_MIB})"


# The smallest and the largest GOGC that the printed sizes of a cycle allow: the goal is less than 1 MiB above its
# number.
_ESTIMATES = f"""
  CASE WHEN NOT raised THEN {_gogc("goal", "live + live_over", "roots + roots_over")} END AS gogc_from,
  CASE WHEN goal IS NOT NULL THEN {_gogc("goal + 1", "live + live_under", "roots")} END AS gogc_to,
  CASE WHEN NOT raised THEN {_gogc("goal + 0.5", "live + (live_under + live_over) / 2", "roots + roots_over / 2")} END
    AS gogc_middle,
  CASE WHEN NOT raised THEN coalesce((goal - live) / nullif(live + roots, 0) > goal / {_MINIMUM_MIB}, true) END
    AS at_minimum,
  CASE WHEN live >= {_MINIMUM_MIB} THEN goal <= live END AS at_live"""

# The bounds that the share of the cycles allows. Below a hundred cycles that is all of them: a cycle that contradicts
# the others shows a memory limit under which the live heap hardly changes.
_MOST_AT_LEAST = f"quantile_disc(gogc_from, {_AGREEING_SHARE})"
_MOST_AT_MOST = f"quantile_disc(gogc_to, {1 - _AGREEING_SHARE:.2f})"

# max(x, 2)[2] is the second largest: one cycle may contradict the others. By GOGC, a goal grows by 1 + GOGC/100 for
# each byte of the live heap, so a slope below 1 shows a limit.
AGGREGATES = f"""
  CASE WHEN count(gogc_from) BETWEEN {_FEWEST_WITH_OUTLIER} AND 99 THEN max(gogc_from, 2)[2]
    ELSE {_MOST_AT_LEAST} END AS gogc_low,
  CASE WHEN count(gogc_to) BETWEEN {_FEWEST_WITH_OUTLIER} AND 99 THEN min(gogc_to, 2)[2]
    ELSE {_MOST_AT_MOST} END AS gogc_high,
  CASE WHEN gogc_low <= gogc_high THEN (gogc_low + gogc_high) / 2
    WHEN gogc_low IS NULL AND gogc_high < {_LOWEST_GOGC} THEN gogc_high ELSE median(gogc_middle) END AS gogc_estimate,
  count(*) FILTER (at_minimum) AS minimum_heap_cycles,
  count(*) FILTER (at_live) AS goal_at_live_cycles,
  CASE
    WHEN count(heap_goal_bytes) = 0 THEN CASE WHEN bool_and(forced AND {_PRINTS_NO_GOAL_IF_OFF}) THEN 'off' END
    WHEN bool_and({_HAS_MEMORY_LIMIT})
      AND (gogc_high < {_LOWEST_GOGC} AND coalesce(regr_slope(goal, live) < 1, true)
        OR {_MOST_AT_LEAST} > {_MOST_AT_MOST} AND regr_slope(goal, live) < 1) THEN 'limit'
    WHEN gogc_low IS NULL AND gogc_high < {_LOWEST_GOGC} AND count(*) FILTER (at_live) = 0 THEN 'gogc'
    WHEN gogc_low IS NULL THEN NULL
    WHEN gogc_low <= gogc_high THEN 'gogc' ELSE 'varies' END AS pacing"""


def paced_cycles_query(placed: str) -> str:
    """SQL for the rows of `gc_cycles.placed` with the GOGC that each goal allows, as `AGGREGATES` needs them."""
    return f"SELECT *, {_ESTIMATES} FROM (SELECT *, {_SIZES} FROM ({placed}))"
