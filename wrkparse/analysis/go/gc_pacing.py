"""Which GOGC, or memory limit, the printed heap goals come from.

Go sets the goal of a cycle from the heap that the cycle before left (``commit`` of ``runtime/mgcpacer.go``; in earlier
versions ``gcMark`` of ``runtime/mgc.go``)::

    goal = max(live + (live + stacks + globals) · GOGC/100, 4 MiB · GOGC/100)

stacks and globals since Go 1.18. In Go 1.5 and 1.6 the live heap is taken less what was allocated during the cycle.
Solved for GOGC, the cycle's goal says::

    GOGC = 100 · min((goal − live) / (live + stacks + globals), goal / 4 MiB)

Printed sizes are truncated to MiB, so a cycle allows a range of GOGC. The runtime raises a goal that the heap has
(almost) reached when the cycle begins; such a cycle tells only that GOGC is not higher. A memory limit (Go 1.19 and
later, ``memoryLimitHeapGoal``) lowers the goal, down to the live heap: there GOGC comes out lower than it is, and does
not come out as one number.
"""

from __future__ import annotations

_MIB = 2.0**20
_MINIMUM_MIB = 4
# Lines of text get damaged and settings take a cycle to act: of a hundred cycles one may disagree with the others.
_AGREEING = 0.99
# A GOGC that nobody sets; a goal that leaves less room than this comes from a memory limit.
_TINY_GOGC = 10

_KNOWN = "era IN ('G7', 'G8', 'G9', 'G10')"  # the betas of Go 1.5 set goals by other rules
_REACHABLE = "era = 'G7'"
_LIMITED = "era IN ('G9', 'G10')"
_OFF_IS_PRINTED = "era IN ('G8', 'G9', 'G10')"

# Of a cycle, in MiB: the goal and the sizes that it was made from, [low, high) as printing truncates; NULL if the goal
# says nothing: not printed, printed as 0, or set to the heap's size by a collection that stops the world throughout.
_SIZES = f"""
  CASE WHEN {_KNOWN} AND NOT one_stop AND live_before_bytes IS NOT NULL AND heap_goal_bytes > 0
    THEN heap_goal_bytes / {_MIB} END AS goal,
  (live_before_bytes - CASE WHEN {_REACHABLE} THEN grown_before_bytes ELSE 0 END) / {_MIB} AS live,
  CASE WHEN first THEN 0 WHEN {_REACHABLE} THEN -1 ELSE 0 END AS live_under,
  CASE WHEN first THEN 0 WHEN {_REACHABLE} THEN 2 ELSE 1 END AS live_over,
  coalesce(stacks_before_bytes + globals_before_bytes, 0) / {_MIB} AS roots,
  CASE WHEN first OR stacks_before_bytes IS NULL THEN 0 ELSE 2 END AS roots_over,
  heap_start_bytes / {_MIB} + 1 >= goal AS raised"""


def _gogc(goal: str, live: str, roots: str) -> str:
    """GOGC from sizes in MiB, by the formula above."""
    base = f"greatest({live} + {roots}, 0)"
    return f"100 * least(coalesce(({goal} - ({live})) / nullif({base}, 0), 1e18), ({goal}) / {_MINIMUM_MIB})"


_ESTIMATES = f"""
  CASE WHEN NOT raised THEN {_gogc("goal", "live + live_over", "roots + roots_over")} END AS gogc_from,
  CASE WHEN goal IS NOT NULL THEN {_gogc("goal + 1", "live + live_under", "roots")} END AS gogc_to,
  CASE WHEN NOT raised THEN {_gogc("goal + 0.5", "live + (live_under + live_over) / 2", "roots + roots_over / 2")} END
    AS gogc_middle,
  CASE WHEN NOT raised THEN coalesce((goal - live) / nullif(live + roots, 0) > goal / {_MINIMUM_MIB}, true) END
    AS at_minimum,
  CASE WHEN live >= {_MINIMUM_MIB} THEN goal <= live END AS at_live"""

AGGREGATES = f"""
  quantile_disc(gogc_from, {_AGREEING}) AS gogc_low,
  quantile_disc(gogc_to, {1 - _AGREEING:.2f}) AS gogc_high,
  CASE WHEN gogc_low <= gogc_high THEN (gogc_low + gogc_high) / 2 ELSE median(gogc_middle) END AS gogc_estimate,
  count(*) FILTER (at_minimum) AS minimum_heap_cycles,
  count(*) FILTER (at_live) AS goal_at_live_cycles,
  CASE
    WHEN count(heap_goal_bytes) = 0 THEN CASE WHEN bool_and(forced AND {_OFF_IS_PRINTED}) THEN 'off' END
    WHEN bool_and({_LIMITED}) AND (gogc_high < {_TINY_GOGC} OR gogc_low > gogc_high AND regr_slope(goal, live) < 1)
      THEN 'limit'
    WHEN gogc_low IS NULL THEN NULL
    WHEN gogc_low <= gogc_high THEN 'gogc' ELSE 'varies' END AS pacing"""


def paced(placed: str) -> str:
    """SQL: the rows of `wrkparse.analysis.go.gc_cycles.placed` with what each cycle's goal says, for `AGGREGATES`."""
    return f"SELECT *, {_ESTIMATES} FROM (SELECT *, {_SIZES} FROM ({placed}))"
