from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import wrkparse as wp
from wrkparse.analysis.go.gc import timeline
from wrkparse.analysis.go.gc.mmu import mmu_curves

MIB = 2**20
# Go 1.8 to 1.17: sweep termination + mark + mark termination; the heap at start, at the end of marking, and live.
TWO = """\
gc 1 @0.100s 5%: 1.0+10+2.0 ms clock, 2.0+3.0/8.0/1.0+4.0 ms cpu, 4->6->2 MB, 5 MB goal, 4 P
gc 2 @0.200s 5%: 0+20+3.0 ms clock, 0+3.0/8.0/1.0+6.0 ms cpu, 5->7->3 MB, 5 MB goal, 4 P
"""
# Go 1.0: no time; heap at start and live. Whole ms: mark, sweep, other.
OLD = """\
gc1(1): 0+0+0 ms 0 -> 0 MB 16 -> 18 (19-1) objects 0 handoff
gc2(2): 14+1+0 ms 7 -> 6 MB 10159 -> 10042 (10204-162) objects 2 handoff
"""
# Go 1.3: the live heap printed is that of the collection before.
G3 = """\
gc1(1): 3+2670+1160+8 us, 0 -> 4 MB, 94 (94-0) objects, 3/0/0 sweeps, 0(0) handoff, 0(0) steal, 0/0/0 yields
gc2(2): 3+2670+1160+8 us, 3 -> 6 MB, 10094 (10103-9) objects, 32/0/0 sweeps, 0(0) handoff, 3(8) steal, 32/1/0 yields
"""


def of(text: str) -> tuple[wp.Dataset, str]:
    ds = wp.parse_text(text)
    return ds, str(ds.runs["run"].iloc[0])


def test_pauses_stand_before_and_after_the_concurrent_mark() -> None:
    found = timeline.pauses(*of(TWO))
    assert found["kind"].tolist() == ["sweep termination", "mark termination"] * 2
    assert found["start_s"].tolist() == pytest.approx([0.100, 0.111, 0.200, 0.220])
    assert found["pause_s"].tolist() == pytest.approx([0.001, 0.002, 0, 0.003])
    assert set(found["below_s"]) == {1e-6}


def test_marking_lies_between_the_pauses() -> None:
    found = timeline.marking(*of(TWO))
    assert found["start_s"].tolist() == pytest.approx([0.101, 0.200])
    assert found["end_s"].tolist() == pytest.approx([0.111, 0.220])


def test_the_heap_rises_to_the_start_and_falls_to_what_is_live() -> None:
    found = timeline.heap(*of(TWO))
    assert found["size"].tolist() == ["start", "end", "live"] * 2
    assert (found["heap_bytes"] / MIB).tolist() == [4, 6, 2, 5, 7, 3]
    assert found["at_s"].tolist() == pytest.approx([0.100, 0.113, 0.113, 0.200, 0.223, 0.223])
    assert (found["goal_bytes"] / MIB).tolist() == [5] * 6


def test_a_pause_of_0_in_a_cycle_that_looks_for_leaks_is_below_a_microsecond() -> None:
    """Its era is G10, which begins like that of Go 1.0, G1."""
    checked = TWO.splitlines()[1].replace("5%:", "5% (checking for goroutine leaks):")
    ds, run = of(checked.replace("goal, ", "goal, 0 MB stacks, 0 MB globals, ") + "\n")
    found = timeline.pauses(ds, run)
    assert found["pause_s"].tolist() == pytest.approx([0, 0.003])
    assert set(found["below_s"]) == {1e-6}


def test_go_1_0_has_pauses_in_whole_milliseconds_and_no_times() -> None:
    ds, run = of(OLD)
    found = timeline.pauses(ds, run)
    assert found["kind"].tolist() == ["whole collection"] * 2
    assert found["start_s"].isna().all()
    assert found["pause_s"].tolist() == pytest.approx([0, 0.015])
    assert set(found["below_s"]) == {1e-3}
    assert timeline.marking(ds, run).empty
    heap = timeline.heap(ds, run)
    assert (heap["heap_bytes"] / MIB).tolist() == [0, 0, 7, 6]
    assert heap["goal_bytes"].isna().all()


def test_go_1_3_states_what_was_live_with_the_next_collection() -> None:
    text = G3.replace("0 -> 4 MB", "0 -> 9 MB")  # 9: previous of gc 1; 3 -> 6 of gc 2 says that gc 1 left 3
    heap = timeline.heap(*of(text))
    live = heap[heap["size"] == "live"]
    assert live["gc"].tolist() == [1]
    assert len(heap[heap["size"] == "start"]) == 2


def test_a_cycle_that_would_overlap_the_one_before_stands_behind_it() -> None:
    found = timeline.pauses(*of(TWO.replace("@0.200s", "@0.110s")))
    assert found["start_s"].tolist()[2] == pytest.approx(0.113)  # where gc 1 ends: 100 + 1 + 10 + 2 ms


def test_the_worst_pauses_stay_where_there_are_too_many_to_draw() -> None:
    rng = np.random.default_rng(1)
    n = 10_000
    found = pd.DataFrame({
        "gc": range(n), "kind": ["mark termination", "sweep termination"] * (n // 2),
        "start_s": np.arange(n) / 100, "pause_s": rng.uniform(1e-6, 1e-5, n),
    })  # fmt: skip
    found.loc[[17, 4998, 9999], "pause_s"] = [1.0, 2.0, 3.0]
    kept = timeline.worst(found, "start_s", 100)
    assert len(kept) == 200  # one of each kind in each of 100 stretches
    assert {17, 4998, 9999} <= set(kept["gc"])
    assert kept["gc"].is_monotonic_increasing
    assert len(timeline.worst(found[:50], "start_s", 100)) == 50


def test_the_envelope_has_the_extremes_of_each_stretch() -> None:
    found = pd.DataFrame({
        "at_s": [0.0, 1.0, 4.0, 5.0, 10.0], "heap_bytes": [3, 9, 1, 7, 5], "goal_bytes": [4, 5, 6, np.nan, 8],
    })  # fmt: skip
    envelope = timeline.envelope(found, "at_s", 2)  # 0 to 5, and 5 to 10
    assert envelope["at_s"].tolist() == [2.5, 7.5]
    assert envelope["low_bytes"].tolist() == [1, 5]
    assert envelope["high_bytes"].tolist() == [9, 7]
    assert envelope["goal_bytes"].tolist() == [6, 8]


def test_the_spread_has_the_shortest_the_median_and_the_longest_pause_of_each_kind() -> None:
    found = pd.DataFrame({
        "kind": ["mark termination"] * 4 + ["sweep termination"] * 2, "start_s": [0.0, 1.0, 2.0, 10.0, 3.0, 9.0],
        "pause_s": [5e-6, 0.0, 3e-6, 7e-6, 2e-6, 4e-6], "below_s": [1e-6] * 6,
    })  # fmt: skip
    spread = timeline.spread(found, "start_s", 2)  # 0 to 5, and 5 to 10
    rows = [tuple(row) for row in spread[["kind", "from", "until"]].itertuples(index=False)]
    assert rows == [
        ("mark termination", 0, 5), ("mark termination", 5, 10), ("sweep termination", 0, 5),
        ("sweep termination", 5, 10),
    ]  # fmt: skip
    numbers = spread[["low_s", "median_s", "high_s"]].to_numpy() * 1e6
    assert numbers.tolist() == [
        pytest.approx([1, 3, 5]), pytest.approx([7, 7, 7]), pytest.approx([2, 2, 2]), pytest.approx([4, 4, 4])
    ]  # fmt: skip


def test_coverage_is_the_share_of_time_in_which_marking_went_on() -> None:
    found = pd.DataFrame({"start_s": [1.0, 3.5], "end_s": [2.0, 4.5]})
    share = timeline.coverage(found, np.array([0.0, 2.0, 4.0, 5.0]))
    assert share.tolist() == pytest.approx([0.5, 0.25, 0.5])


def test_curves_of_utilisation_end_with_the_trace_and_leave_out_what_has_no_times() -> None:
    ds = wp.parse_text(TWO + "\nSCHED 0ms: gomaxprocs=1\n" + OLD)
    curves = mmu_curves(ds)
    assert len(set(curves["run"])) == 1
    assert curves["window_s"].iloc[0] == pytest.approx(0.001)
    assert curves["window_s"].iloc[-1] == pytest.approx(0.223)
    assert curves["mmu_ratio"].iloc[-1] == pytest.approx(1 - 0.006 / 0.223)  # all pauses, of the whole trace
    assert curves["mmu_marking_ratio"].iloc[-1] == pytest.approx(1 - (0.006 + 0.25 * 0.030) / 0.223)
