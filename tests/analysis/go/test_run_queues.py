from __future__ import annotations

import numpy as np
import pytest

import wrkparse as wp
from wrkparse.analysis.go.run_queues import queue_grid, run_queues

TEXT = """\
SCHED 0ms: gomaxprocs=2 idleprocs=0 threads=5 spinningthreads=0 idlethreads=1 runqueue=3 [1 2]
SCHED 100ms: gomaxprocs=2 idleprocs=1 threads=5 spinningthreads=0 idlethreads=1 runqueue=0 [0 7]
SCHED 400ms: gomaxprocs=2 idleprocs=0 threads=5 spinningthreads=0 idlethreads=1 runqueue=0 [4 5]
"""
DETAIL = """\
SCHED 0ms: gomaxprocs=2 idleprocs=1 threads=4 spinningthreads=0 idlethreads=2 runqueue=0 gcwaiting=0 nmidlelocked=-1 stopwait=0 sysmonwait=0
  P0: status=0 schedtick=0 syscalltick=0 m=-1 runqsize=0 gfreecnt=0
  P1: status=1 schedtick=1 syscalltick=0 m=3 runqsize=6 gfreecnt=0
  M3: p=1 curg=-1 mallocing=0 throwing=0 preemptoff= locks=0 dying=0 helpgc=0 spinning=false blocked=true lockedg=-1
"""  # fmt: skip


def of(text: str) -> tuple[wp.Dataset, str]:
    ds = wp.parse_text(text)
    return ds, str(ds.runs["run"].iloc[0])


def test_each_p_of_each_tick_has_a_row() -> None:
    queues = run_queues(*of(TEXT))
    assert queues["p"].tolist() == [0, 1] * 3
    assert queues["queued"].tolist() == [1, 2, 0, 7, 4, 5]
    assert queues["t_s"].tolist() == pytest.approx([0, 0, 0.1, 0.1, 0.4, 0.4])
    assert queues["idle"].isna().all()  # the line counts idle Ps and does not name them


def test_a_detailed_trace_says_which_p_is_idle() -> None:
    queues = run_queues(*of(DETAIL))
    assert queues["queued"].tolist() == [0, 6]
    assert queues["idle"].tolist() == [True, False]
    grid = queue_grid(queues, 3)
    assert (grid.end_s - grid.begin_s) == 1.0  # a lone tick
    assert grid.queued.tolist() == [[0] * 3, [6] * 3]
    assert grid.idle.tolist() == [[True] * 3, [False] * 3]


def test_a_tick_holds_half_way_to_its_neighbours() -> None:
    grid = queue_grid(run_queues(*of(TEXT)), 8)  # stretches of 50 ms
    assert grid.bounds_s.tolist() == pytest.approx([0, 0.05, 0.25, 0.4])
    assert grid.queued[1].tolist() == [2, 7, 7, 7, 7, 5, 5, 5]


def test_no_tick_is_lost_where_there_are_more_than_columns() -> None:
    lines = [
        f"SCHED {t}ms: gomaxprocs=1 idleprocs=0 threads=5 spinningthreads=0 idlethreads=1 runqueue=0 [{60 * (t == 777)}]\n"
        for t in range(1000)
    ]
    grid = queue_grid(run_queues(*of("".join(lines))), 10)
    assert grid.queued.shape == (1, 10)
    assert np.flatnonzero(grid.queued[0]).tolist() == [7]
    assert grid.queued[0, 7] == 60
