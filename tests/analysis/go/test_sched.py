from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import wrkparse as wp
from wrkparse.analysis.go.sched import episodes, sched_summary, states, ticks, wait_reasons

FIXTURES = Path(__file__).parents[2] / "fixtures" / "schedtrace"
DATA = Path(__file__).parents[3] / "data"

# The 18 ticks of the study, from the log by hand: ms, idle Ps (of 32), global queue, sum of the local queues.
TICKS = [
    (2746, 0, 53, 1), (2796, 0, 24, 1), (2847, 0, 8, 0), (2898, 0, 0, 0), (2948, 0, 0, 0), (2999, 3, 9, 0),
    (3050, 5, 2, 0), (3100, 0, 64, 8), (3151, 0, 51, 0), (3202, 0, 33, 8), (3253, 0, 5, 16), (3306, 0, 160, 27),
    (3357, 8, 0, 0), (3408, 15, 2, 0), (3459, 19, 2, 0), (3509, 0, 20, 0), (3560, 0, 8, 0), (3611, 0, 16, 0),
]  # fmt: skip


def sched(ms: int, idle: int, queue: int, queues: str) -> str:
    """A line of Go 1.20 or later with 4 Ps."""
    return (
        f"SCHED {ms}ms: gomaxprocs=4 idleprocs={idle} threads=6 spinningthreads=1 needspinning=0 idlethreads=2 "
        f"runqueue={queue} {queues}\n"
    )


IDLE = "[0 0 0 0]"


def summary(text: str) -> dict[str, Any]:
    (row,) = wp.sched_summary(wp.parse_text(text)).to_dict("records")
    return row


@pytest.fixture(scope="module")
def study() -> wp.Dataset:
    return wp.read(str(DATA / "go-many-cores"))


@pytest.fixture(scope="module")
def panic() -> wp.Dataset:
    return wp.read(str(FIXTURES / "go1.26.8-panic.log"))


def only_run(dataset: wp.Dataset) -> str:
    return str(wp.sched_summary(dataset)["run"][0])


def test_the_ticks_of_the_study_are_those_of_the_log(study: wp.Dataset) -> None:
    table = ticks(study, only_run(study))
    found = list(
        zip(
            (1000 * table["t_s"]).round().astype(int),
            table["idleprocs"],
            table["runqueue"],
            table["local_waiting"],
            strict=True,
        )
    )
    assert found == TICKS


def test_the_scheduler_of_the_study_over_time(study: wp.Dataset) -> None:
    (row,) = wp.sched_summary(study).to_dict("records")
    assert (row["ticks"], row["gomaxprocs"]) == (18, 32)
    assert row["span_s"] == pytest.approx(0.865)
    # each tick holds half-way to its neighbours: 3 idle Ps for 51 ms, 5 for 50.5, 8 for 51, 15 for 51, 19 for 50.5
    idle = 3 * 51 + 5 * 50.5 + 8 * 51 + 15 * 51 + 19 * 50.5
    assert row["utilisation_mean_ratio"] == pytest.approx(1 - idle / (32 * 865))
    assert row["utilisation_min_ratio"] == pytest.approx(1 - 19 / 32)
    assert (row["threads_first"], row["threads_max"], row["threads_last"]) == (42, 48, 48)
    assert row["spinning_threads_max"] == 4


def test_the_queues_of_the_study(study: wp.Dataset) -> None:
    (row,) = wp.sched_summary(study).to_dict("records")
    waiting = sorted(queue + local for _, _, queue, local in TICKS)
    assert (row["waiting_max"], row["global_queue_max"]) == (187, 160)  # 160 global and 27 local at 3306 ms
    assert (row["waiting_p50"], row["waiting_p99"]) == (waiting[8], 187)  # the 9th of 18
    # P1, P3: 6 in all; 61 in all queues of 32 Ps
    assert row["queue_imbalance"] == pytest.approx(6 / (61 / 32))
    assert pd.isna(row["execution_imbalance"])


def test_the_study_has_two_starvations_and_a_backlog(study: wp.Dataset) -> None:
    found = episodes(study, only_run(study))
    rows = found[["kind", "start_s", "end_s", "ticks", "peak_waiting", "peak_idle"]].to_numpy().tolist()
    assert rows == [
        ["starvation", 2.999, 3.050, 2, 9, 5],
        ["backlog", 3.100, 3.202, 3, 72, 0],  # 64, 51 and 33 in the global queue, 8 local at the first
        ["starvation", 3.408, 3.459, 2, 2, 19],
    ]
    (row,) = wp.sched_summary(study).to_dict("records")
    assert (row["starving_ticks"], row["backlog_ticks"]) == (4, 5)
    assert row["starving_ratio"] == pytest.approx((51 + 50.5 + 51 + 50.5) / 865)
    assert row["backlog_ratio"] == pytest.approx((25 + 50.5 + 51 + 51 + 52) / 865)


def test_a_backlog_of_one_tick_is_one_if_asked_for(study: wp.Dataset) -> None:
    found = episodes(study, only_run(study), backlog_ticks=1)
    assert found.loc[found["kind"] == "backlog", "start_s"].tolist() == [2.746, 3.100, 3.306]


def test_a_late_tick_weighs_as_much_as_the_time_it_stands_for() -> None:
    row = summary(sched(0, 0, 0, IDLE) + sched(10, 4, 0, IDLE) + sched(100, 4, 0, IDLE))
    # in use: 4 Ps until 5 ms, none later
    assert row["utilisation_mean_ratio"] == pytest.approx(5 / 100)


def test_a_single_tick_is_its_own_mean() -> None:
    row = summary(sched(0, 1, 2, "[1 0 0 3]"))
    assert (row["span_s"], row["utilisation_mean_ratio"], row["waiting_mean"]) == (0, 0.75, 6)
    assert (row["starving_ratio"], row["backlog_ratio"]) == (1.0, 0.0)


def test_what_never_happened_is_zero_not_missing() -> None:
    row = summary(sched(0, 0, 0, IDLE) + sched(50, 0, 0, IDLE))
    assert (row["starving_ticks"], row["starving_ratio"], row["backlog_ratio"]) == (0, 0, 0)
    assert pd.isna(row["queue_imbalance"])  # of queues that were always empty
    dataset = wp.parse_text(sched(0, 0, 0, IDLE))
    assert episodes(dataset, only_run(dataset)).empty


def test_executions_are_counted_between_the_first_and_last_tick_across_the_wrap() -> None:
    first = sched(0, 0, 0, "[ 0 0 0 0 ] schedticks=[ 4294967290 100 100 100 ]")
    row = summary(first + sched(50, 0, 0, "[ 0 0 0 0 ] schedticks=[ 4 120 110 100 ]"))
    assert row["execution_imbalance"] == pytest.approx(20 / ((10 + 20 + 10 + 0) / 4))


def test_in_detail_the_queues_are_those_of_the_p_lines(panic: wp.Dataset) -> None:
    last = ticks(panic, only_run(panic)).iloc[-1]
    assert (last["runqueue"], last["local_waiting"], last["waiting"]) == (0, 3 + 1, 4)


def test_what_ps_ms_and_gs_were_doing_is_counted(panic: wp.Dataset) -> None:
    table = states(panic, only_run(panic))
    assert table["t_s"].unique().tolist() == [0.351]
    found = {
        (kind, state): count for kind, state, count in zip(table["kind"], table["state"], table["count"], strict=True)
    }
    assert found == {
        ("P", "running"): 2,
        ("M", "running"): 2,  # M4 has G1, M2 has G20
        ("M", "asleep"): 2,  # M3, M0
        ("M", "other"): 1,  # M1, the monitor
        ("G", "running"): 1,
        ("G", "runnable"): 5,  # G3, G21 to G24
        ("G", "waiting"): 6,  # G2, G4, G17, G18, G19, G20
    }


def test_only_waiting_goroutines_have_a_reason(panic: wp.Dataset) -> None:
    table = wait_reasons(panic, only_run(panic)).set_index("wait_reason")
    assert set(table.index) == {
        "force gc (idle)", "sleep", "GOMAXPROCS updater (idle)", "finalizer wait", "GC worker (idle)", "flushing proc caches",
    }  # fmt: skip
    assert table.loc["sleep"].tolist() == [1.0, 1, 1]  # G4; G1 runs, and slept before


def test_go_1_2_and_1_3_do_not_tell_spinning_threads() -> None:
    (row,) = wp.sched_summary(wp.read(str(FIXTURES / "go1.3.3.log"))).to_dict("records")
    assert pd.isna(row["spinning_threads_mean"])
    assert row["utilisation_mean_ratio"] == 1.0


def test_a_condition_chooses_runs(study: wp.Dataset) -> None:
    assert len(wp.sched_summary(study, where="framework = 'go 1.4'")) == 1
    assert wp.sched_summary(study, where="framework = 'nginx'").empty


TRACES = Path(__file__).parents[2] / "fixtures" / "analysis"


def test_goroutines_that_only_compute_make_a_backlog_and_an_overload() -> None:
    """100 goroutines without any lock on 4 Ps: from the fourth line on, no P is idle and over 90 goroutines wait."""
    (row,) = sched_summary(wp.read(TRACES / "go1.26.8-schedtrace-compute.log")).to_dict("records")
    lines = (TRACES / "go1.26.8-schedtrace-compute.log").read_text().splitlines()
    ticks = [re.search(r"idleprocs=(\d+).*runqueue=(\d+) \[ ([\d ]+) \] sched", line) for line in lines]
    overloaded = [found[1] == "0" and int(found[2]) + sum(map(int, found[3].split())) >= 4 for found in ticks if found]
    assert row["overload_ticks"] == sum(overloaded) > 15
    assert row["backlog_ticks"] == sum(int(found[2]) > 4 for found in ticks if found)
    assert pd.isna(row["lock_waits_mean"])


def test_goroutines_behind_one_mutex_make_neither_and_are_seen_in_the_details_only() -> None:
    (row,) = sched_summary(wp.read(TRACES / "go1.26.8-schedtrace-mutex.log")).to_dict("records")
    assert (row["overload_ticks"], row["backlog_ticks"]) == (0, 0)
    assert row["utilisation_mean_ratio"] < 0.6
    (detailed,) = sched_summary(wp.read(TRACES / "go1.26.8-scheddetail-mutex.log")).to_dict("records")
    text = (TRACES / "go1.26.8-scheddetail-mutex.log").read_text()
    waiting = len(re.findall(r"status=4\(sync\.Mutex\.Lock\)", text))
    assert waiting > 300
    blocks = len(set(re.findall(r"SCHED (\d+)ms", text)))
    assert detailed["lock_waits_mean"] == pytest.approx(waiting / blocks)
