"""The scheduler of a Go process, from its schedtrace lines: idle Ps, waiting goroutines, threads, episodes.

A ``SCHED`` line is a snapshot, here called a tick. Means over time use the trapezoidal rule: each tick holds half-way
to its neighbours, so that a line that is late under load weighs as much as the time that it stands for. Local queues do
not count the goroutine that a P runs next (``runnext``), so somewhat more goroutines wait. The runtime reads the state
without stopping the world, and a P can be idle in the microseconds before it takes a goroutine that is already queued.
So one tick with an idle P and a waiting goroutine is no proof of a problem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from wrkparse.analysis.go import traces
from wrkparse.analysis.go.sched_text import sched_html, sched_text
from wrkparse.analysis.shown.frames import ShownFrame
from wrkparse.analysis.shown.side_by_side import MOST_ACROSS

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

# Ticks in a row that make a backlog by default; one snapshot may be chance.
BACKLOG_TICKS = 2

# With scheddetail=1 there is no list of queues but a line for each P below the SCHED line; their queues are summed.
_TICKS = """
WITH queued AS (
  SELECT t.run, t.line, sum(p.runqsize) AS waiting
  FROM (SELECT * FROM sched_details WHERE kind = 'P' AND t_s IS NOT NULL AND {only}) p
  ASOF JOIN sched_ticks t ON p.run = t.run AND p.line > t.line
  WHERE t.t_s = p.t_s AND t.local_runqueues IS NULL GROUP BY t.run, t.line
), ticks AS (
  SELECT t.run, t.line, t_s, gomaxprocs, idleprocs, runqueue, threads, idlethreads,
    coalesce(spinningthreads, nmspinning) AS spinningthreads, local_runqueues, schedticks,
    coalesce(list_sum(local_runqueues), q.waiting)::BIGINT AS local_waiting
  FROM sched_ticks t LEFT JOIN queued q ON t.run = q.run AND t.line = q.line WHERE t.{only}
)
SELECT *, 1 - idleprocs / gomaxprocs AS utilisation_ratio, runqueue + local_waiting AS waiting,
  coalesce(idleprocs > 0 AND runqueue + coalesce(local_waiting, 0) > 0, false) AS starving,
  coalesce(runqueue > gomaxprocs, false) AS backlog,
  coalesce(idleprocs = 0 AND runqueue + coalesce(local_waiting, 0) >= gomaxprocs, false) AS overload,
  CASE WHEN count(*) OVER r = 1 THEN 1
    ELSE (coalesce(lead(t_s) OVER w, t_s) - coalesce(lag(t_s) OVER w, t_s)) / 2 END AS weight_s
FROM ticks WINDOW r AS (PARTITION BY run), w AS (PARTITION BY run ORDER BY t_s, line)"""

# quantile_disc gives the number of an actual tick.
_SUMMARY = """
SELECT run, count(*) AS ticks, max(t_s) - min(t_s) AS span_s, max(gomaxprocs) AS gomaxprocs,
  sum(utilisation_ratio * weight_s) / sum(weight_s) AS utilisation_mean_ratio,
  min(utilisation_ratio) AS utilisation_min_ratio,
  sum(waiting * weight_s) / sum(weight_s) FILTER (waiting IS NOT NULL) AS waiting_mean,
  quantile_disc(waiting, 0.5) AS waiting_p50, quantile_disc(waiting, 0.99) AS waiting_p99, max(waiting) AS waiting_max,
  sum(runqueue * weight_s) / sum(weight_s) AS global_queue_mean, max(runqueue) AS global_queue_max,
  arg_min(threads, t_s) AS threads_first, max(threads) AS threads_max, arg_max(threads, t_s) AS threads_last,
  sum(idlethreads * weight_s) / sum(weight_s) AS idle_threads_mean,
  sum(spinningthreads * weight_s) / sum(weight_s) FILTER (spinningthreads IS NOT NULL) AS spinning_threads_mean,
  max(spinningthreads) AS spinning_threads_max,
  count(*) FILTER (starving) AS starving_ticks, sum(weight_s) FILTER (starving) / sum(weight_s) AS starving_ratio,
  count(*) FILTER (backlog) AS backlog_ticks, sum(weight_s) FILTER (backlog) / sum(weight_s) AS backlog_ratio,
  count(*) FILTER (overload) AS overload_ticks, sum(weight_s) FILTER (overload) / sum(weight_s) AS overload_ratio
FROM ({ticks}) GROUP BY run"""

# First for each P, then over the Ps. Counts of executions wrap at 2^32. The first and the last tick must list equally
# many Ps.
_BALANCE = """
WITH queues AS (
  SELECT run, p, avg(queue) AS mean
  FROM (SELECT run, unnest(local_runqueues) AS queue, generate_subscripts(local_runqueues, 1) AS p
    FROM sched_ticks WHERE {only}) GROUP BY run, p
), ends AS (
  SELECT run, arg_min(schedticks, t_s) AS began, arg_max(schedticks, t_s) AS ended
  FROM sched_ticks WHERE schedticks IS NOT NULL AND {only} GROUP BY run HAVING len(began) = len(ended)
), executed AS (
  SELECT run, (unnest(ended) - unnest(began) + 4294967296) % 4294967296 AS executions FROM ends
)
SELECT run, any_value(queue_imbalance) AS queue_imbalance, any_value(execution_imbalance) AS execution_imbalance FROM (
  SELECT run, max(mean) / nullif(avg(mean), 0) AS queue_imbalance, NULL AS execution_imbalance FROM queues GROUP BY run
  UNION ALL BY NAME
  SELECT run, NULL AS queue_imbalance, max(executions) / nullif(avg(executions), 0) AS execution_imbalance
  FROM executed GROUP BY run
) GROUP BY run"""

# The statuses of Ps and Gs are `_Pidle` … and `_Gidle` … of Go's runtime/runtime2.go. Its 5 and 7 are not in use.
_STATES = """
SELECT t_s, kind, CASE kind
    WHEN 'P' THEN CASE status WHEN 0 THEN 'idle' WHEN 1 THEN 'running' WHEN 2 THEN 'system call'
      WHEN 3 THEN 'stopped for a collection' WHEN 4 THEN 'dead' END
    WHEN 'M' THEN CASE WHEN curg IS NOT NULL THEN 'running' WHEN spinning THEN 'spinning'
      WHEN blocked THEN 'asleep' ELSE 'other' END
    ELSE CASE status WHEN 0 THEN 'idle' WHEN 1 THEN 'runnable' WHEN 2 THEN 'running' WHEN 3 THEN 'system call'
      WHEN 4 THEN 'waiting' WHEN 6 THEN 'dead' WHEN 8 THEN 'copying its stack' WHEN 9 THEN 'preempted'
      WHEN 10 THEN 'leaked' WHEN 11 THEN 'dead' END END AS state, count(*) AS count
FROM sched_details WHERE {only} GROUP BY ALL ORDER BY t_s, kind, count DESC, state"""

_REASONS = """
SELECT wait_reason, sum(n) / any_value(blocks) AS goroutines_mean, max(n) AS goroutines_max, count(*) AS ticks
FROM (SELECT wait_reason, t_s, count(*) AS n FROM sched_details
  WHERE kind = 'G' AND status = 4 AND {only} GROUP BY wait_reason, t_s),
  (SELECT count(DISTINCT t_s) AS blocks FROM sched_details WHERE kind = 'G' AND {only})
WHERE wait_reason IS NOT NULL GROUP BY wait_reason ORDER BY goroutines_mean DESC, wait_reason"""


# ``waitReasonStrings`` of Go's runtime/runtime2.go; a mutex waits as "semacquire" up to Go 1.20.
_LOCK_WAITS = """
SELECT run, count(*) FILTER (kind = 'G' AND status = 4 AND wait_reason IN (
    'semacquire', 'sync.Mutex.Lock', 'sync.RWMutex.Lock', 'sync.RWMutex.RLock'
  )) / count(DISTINCT t_s) AS lock_waits_mean
FROM sched_details WHERE {only} GROUP BY run HAVING count(*) FILTER (kind = 'G') > 0"""


class SchedSummary(ShownFrame):
    """The result of `sched_summary`: a DataFrame that is shown as ``wrkparse sched`` prints it.

    ``shown_episodes`` has the `episodes` of all runs, with a column ``run``; None of more runs than stand side by side.
    """

    _metadata = ("shown_episodes",)
    shown_episodes: pd.DataFrame | None = None

    def _text(self) -> str:
        return sched_text(self, self.shown_episodes)

    def _html(self) -> str:
        return sched_html(self)


def sched_summary(ds: Dataset, *, where: str | None = None) -> SchedSummary:
    """One row for each schedtrace run that matches `where` (as in `Dataset.wide`).

    The columns are those of ``ds.runs`` and the following. Means are over time, by the trapezoidal rule. A value is NA
    if the era does not print it (up to Go 1.3, spinning threads only with ``scheddetail=1``).

    * ticks (``SCHED`` lines), span_s (between the first and the last), gomaxprocs (the largest).
    * utilisation_mean_ratio, utilisation_min_ratio: 1 - idleprocs / gomaxprocs, the mean and the lowest. A P that is
      not idle may run a goroutine, wait in a system call, spin, or stand still for a collection.
    * waiting_mean, waiting_p50, waiting_p99, waiting_max: runnable goroutines that wait in the global and all local
      queues; percentiles are over ticks. global_queue_mean, global_queue_max: those in the global queue.
    * queue_imbalance: the longest mean local queue of a P over the mean of all Ps (1: balanced; gomaxprocs: all on one
      P); NA if no goroutine waits in a local queue. execution_imbalance: the same for the executions of goroutines that
      schedticks counts (Go 1.25 and later).
    * threads_first, threads_max, threads_last, idle_threads_mean, spinning_threads_mean, spinning_threads_max.
    * starving_ticks, starving_ratio: the ticks, and the share of time, with an idle P while a goroutine waits.
      backlog_ticks, backlog_ratio: the same with more goroutines in the global queue than Ps. See `episodes`.
      overload_ticks, overload_ratio: the same with no idle P and at least as many waiting goroutines as Ps.
    * lock_waits_mean: goroutines that wait for a mutex or semaphore, the mean over the ticks with ``scheddetail=1``; NA
      without them. Queues cannot show this: a goroutine that waits for a lock is in none.
    """
    runs = traces.runs_of_tool(ds, "schedtrace", where)
    if runs.empty:
        return SchedSummary(runs)
    only = traces.run_condition(runs)
    totals = ds.sql(_SUMMARY.format(ticks=_TICKS.format(only=only)))
    # A sum over no ticks is NULL in SQL; here it is the share of time without such ticks, 0.
    no_episodes = {"starving_ratio": 0.0, "backlog_ratio": 0.0, "overload_ratio": 0.0}
    balance = ds.sql(_BALANCE.format(only=only))
    table = runs.merge(totals.fillna(no_episodes), on="run", how="left").merge(balance, on="run", how="left")
    summary = SchedSummary(table.merge(ds.sql(_LOCK_WAITS.format(only=only)), on="run", how="left"))
    if len(runs) <= MOST_ACROSS:
        summary.shown_episodes = table_of_runs(episodes, ds, runs["run"])
    return summary


def table_of_runs(make: Callable[[Dataset, str], pd.DataFrame], ds: Dataset, runs: Iterable[str]) -> pd.DataFrame:
    """What a function of this module finds in each of some runs, in one table with the column ``run`` first."""
    tables = []
    for run in runs:
        found = make(ds, run)
        found.insert(0, "run", run)
        tables.append(found)
    # Empty tables would have a say in the types of the columns. If all are empty, one keeps the columns.
    return pd.concat([found for found in tables if len(found)] or tables[:1], ignore_index=True)


def ticks(ds: Dataset, run: str) -> pd.DataFrame:
    """One row for each ``SCHED`` line of a run, by time.

    Columns: t_s, line, gomaxprocs, idleprocs, utilisation_ratio, runqueue (global), local_waiting, waiting (both),
    threads, idlethreads, spinningthreads, starving, backlog, overload, weight_s (the time that the tick stands for; 1
    if it is the only one).
    """
    columns = (
        "t_s, line, gomaxprocs, idleprocs, utilisation_ratio, runqueue, local_waiting, waiting, threads, idlethreads, "
        "spinningthreads, starving, backlog, overload, weight_s"
    )
    return ds.answer(f"SELECT {columns} FROM ({_TICKS.format(only=_condition_of_run(run))}) ORDER BY t_s, line")


def episodes(ds: Dataset, run: str, *, backlog_ticks: int = BACKLOG_TICKS) -> pd.DataFrame:
    """When goroutines waited beside idle Ps, or many in the global queue: one row for each sequence of such ticks.

    Columns: kind, start_s, end_s, ticks, peak_waiting and peak_idle (the most goroutines and Ps at a tick). The kinds:

    * ``starvation``: Ps were idle while goroutines waited.
    * ``backlog``: more goroutines than Ps were in the global queue, for at least `backlog_ticks` ticks.

    start_s and end_s are the times of the first and the last tick. The episode lasted at least from start_s to end_s,
    but began after the tick before and ended before the tick after.
    """
    table = ticks(ds, run)
    of_kinds = [_episodes(table, "starvation", "starving", 1), _episodes(table, "backlog", "backlog", backlog_ticks)]
    return pd.concat(of_kinds).sort_values(["start_s", "kind"], ignore_index=True)


def _episodes(table: pd.DataFrame, kind: str, flag: str, fewest_ticks: int) -> pd.DataFrame:
    """The episodes of one kind: unbroken sequences of at least `fewest_ticks` ticks for which `flag` is true."""
    is_in_episode = table[flag].to_numpy(bool)
    # The difference of booleans is whether they differ: each begin and end of an episode starts a new number.
    number = np.cumsum(np.diff(is_in_episode, prepend=False))[is_in_episode]
    ticks_of = table[is_in_episode].groupby(number)
    rows = ticks_of.agg(
        start_s=("t_s", "first"), end_s=("t_s", "last"), ticks=("t_s", "size"),
        peak_waiting=("waiting", "max"), peak_idle=("idleprocs", "max"),
    )  # fmt: skip
    rows.insert(0, "kind", pd.Series(kind, index=rows.index, dtype="string"))
    return rows[rows["ticks"] >= fewest_ticks]


def states(ds: Dataset, run: str) -> pd.DataFrame:
    """The states of the Ps, Ms and Gs of a run with ``scheddetail=1``: t_s, kind (P, M or G), state, count.

    An M is ``running`` if it has a goroutine, else ``spinning``, ``asleep``, or ``other`` (the monitor thread, or in
    the scheduler; Go 1.2 does not print sleep, and Go 1.3 to 1.7beta2 print it wrongly). The state is NA for a number
    without a name. No rows without details.
    """
    return ds.sql(_STATES.format(only=_condition_of_run(run)))


def wait_reasons(ds: Dataset, run: str | None = None) -> pd.DataFrame:
    """What goroutines waited for by ``scheddetail=1``, the most frequent reason first.

    `run` is a process; the default is the one with the most detail. Columns: wait_reason, goroutines_mean (over the
    detailed ticks), goroutines_max, ticks (with such goroutines). Only goroutines in the state ``waiting`` count: for
    others the printed reason is that of their last wait.
    """
    if run is None:
        found = ds.sql("SELECT run FROM sched_details GROUP BY run ORDER BY count(*) DESC, run LIMIT 1")["run"]
        run = next(iter(found), "")
    return ds.sql(_REASONS.format(only=_condition_of_run(run)))


def _condition_of_run(run: str) -> str:
    return traces.run_condition(pd.DataFrame({"run": [run]}))
