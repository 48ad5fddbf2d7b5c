from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import wrkparse as wp
from tests.samples import WRK
from wrkparse.analysis.go.gc.mmu import mmu

FIXTURES = Path(__file__).parents[2] / "fixtures"
DATA = Path(__file__).parents[3] / "data"
MIB = 2**20


def line(gc: int, at: str, heap: str, goal: int, *, clock: str = "1.0+10+2.0", cpu: str = "2.0+3.0/8.0/1.0+4.0") -> str:
    """A line of Go 1.8 to 1.17, 4 P."""
    return f"gc {gc} @{at}s 5%: {clock} ms clock, {cpu} ms cpu, {heap} MB, {goal} MB goal, 4 P\n"


def summary(text: str) -> dict[str, Any]:
    (row,) = wp.gc_summary(wp.parse_text(text)).to_dict("records")
    return row


@pytest.fixture(scope="module")
def study() -> wp.Dataset:
    return wp.read(str(DATA / "go-many-cores"))


# gc #1 @18.212s 1%: 0+2+0+11371+358 ms clock, 1+2+1+11371+717 ms cpu, 4->7736->7632 MB, 36 P


def test_the_eleven_second_mark_of_the_study_stops_the_world_for_358_ms(study: wp.Dataset) -> None:
    (row,) = wp.gc_summary(study).to_dict("records")
    assert (row["cycles"], row["pauses"], row["procs"], row["forced_cycles"]) == (1, 3, 36, 0)
    assert row["pause_total_s"] == row["pause_max_s"] == pytest.approx(0 + 0 + 0.358)
    assert row["span_s"] == pytest.approx(18.212)  # @ is the end of the cycle, counted from the start of the process
    assert row["pause_ratio"] == pytest.approx(0.358 / 18.212)
    assert row["mark_total_s"] == pytest.approx(
        0.002 + 11.371
    )  # root scan and mark; write barriers stop the world here
    assert pd.isna(row["heap_growth_ratio"])  # nothing is known of the heap before


def test_the_cpu_share_of_the_study_is_what_the_runtime_printed(study: wp.Dataset) -> None:
    (row,) = wp.gc_summary(study).to_dict("records")
    assert row["gc_cpu_ratio"] == pytest.approx((1 + 2 + 1 + 11371 + 717) / 1000 / (36 * 18.212))  # 1.84 %
    assert int(100 * row["gc_cpu_ratio"]) / 100 == row["gc_cpu_printed_ratio"] == 0.01  # the runtime truncates


def test_the_study_allocated_7736_mib_until_the_mark_ended(study: wp.Dataset) -> None:
    (row,) = wp.gc_summary(study).to_dict("records")
    assert row["allocated_bytes"] == 7736 * MIB
    assert row["allocation_bytes_per_s"] == pytest.approx(7736 * MIB / 18.212)


def test_the_study_has_no_load_of_its_own_beside_the_trace(study: wp.Dataset) -> None:
    assert wp.gc_summary(study)["beside_run"].isna().all()  # the load above it ran with GOGC=off


def test_utilisation_of_the_study_follows_from_its_one_pause(study: wp.Dataset) -> None:
    (run,) = wp.gc_summary(study)["run"]
    curve = mmu(study, run, [0.3, 0.358, 1.0, 18.0, 19.0])
    assert curve["mmu_ratio"].tolist() == pytest.approx([0, 0, 1 - 0.358, 1 - 0.358 / 18, float("nan")], nan_ok=True)
    one_of_36 = 1 - (
        0.358 + (1 - 0.358) / 36
    )  # the second before the end: one goroutine marks on one P, then the pause
    assert curve["mmu_marking_ratio"][2] == pytest.approx(one_of_36)


@pytest.mark.parametrize(
    ("text", "pauses", "total_s"),
    [
        # Go 1.0: all of it is one pause
        ("gc4(2): 14+1+0 ms 7 -> 6 MB 10159 -> 10042 (10204-162) objects 2 handoff", 1, 0.015),
        # Go 1.3: four parts in µs
        (("gc4(2): 2670+1160+8+3 us, 3 -> 6 MB, 10094 (10103-9) objects, 32/0/0 sweeps, 0(0) handoff, 3(8) steal, "
         "16/1/0 yields"), 1, 0.003841),
        # 21 April 2015: installing write barriers stops the world
        ("gc #1 @0.611s 15%: 48+1+13+29+115 ms clock, 96+1+26+8/25/0+230 ms cpu, 4->301->42 MB, 4 P", 3, 0.176),
        # from 27 April 2015 it does not
        ("gc #3 @0.049s 25%: 0+0+3+9+1 ms clock, 0+0+6+5/9/0+2 ms cpu, 35->76->40 MB, 70 MB goal, 4 P", 2, 0.001),
        ("gc #4 @0.135s 34%: 0+0+0+0+10 ms clock, 0+0+0+0+21 ms cpu, 10->10->4 MB, 4 P (forced)", 1, 0.010),
        (("gc 4 @0.037s 31%: 0.003+0.98+0+4.8+0.79 ms clock, 0.003+0.98+0+0/3.9/0+0.79 ms cpu, 12->12->8 MB, "
         "13 MB goal, 1 P"), 2, 0.000793),
        # Go 1.6: a forced collection stops the world throughout
        ("gc 4 @0.030s 19%: 3.2+0+0.69 ms clock, 6.4+0/0.64/0.32+1.3 ms cpu, 10->10->7 MB, 10 MB goal, 4 P (forced)",
         1, 0.00389),
        # Go 1.9: it does not
        (("gc 1 @0.001s 9%: 0.084+0.73+0.009 ms clock, 0.16+0/0.68/0+0.019 ms cpu, 7->7->7 MB, 17592186044415 MB goal, "
         "4 P (forced)"), 2, 0.000093),
        (("gc 2 @0.004s 8%: 0.039+0.15+0.003 ms clock, 0.078+0.14/0.034/0.10+0.006 ms cpu, 10->10->10 MB, 10 MB goal, "
         "0 MB stacks, 1 MB globals, 2 P"), 2, 0.000042),
    ],
)  # fmt: skip
def test_what_stops_the_world_depends_on_the_version(text: str, pauses: int, total_s: float) -> None:
    row = summary(text + "\n")
    assert row["pauses"] == pauses
    assert row["pause_total_s"] == pytest.approx(total_s)


def test_a_forced_collection_up_to_go_1_8_repeats_worker_times_that_count_once() -> None:
    row = summary(
        "gc 1 @0.003s 15%: 3.0+0.63+0.46+2.3+0.49 ms clock, 6.1+0.63+0+0/0.003/0.43+0.99 ms cpu, 7->7->7 MB, "
        "4 MB goal, 4 P\n"
        "gc 2 @0.010s 17%: 0.083+0+0+0+0.77 ms clock, 0.16+0+0+0/0.003/0.43+1.5 ms cpu, 7->7->7 MB, 7 MB goal, "
        "4 P (forced)\n"
    )
    assert row["cpu_background_s"] == pytest.approx(0.003e-3)
    assert row["cpu_idle_s"] == pytest.approx(0.43e-3)
    assert row["cpu_stw_s"] == pytest.approx((6.1 + 0.99 + 0.16 + 1.5) / 1000)
    assert (row["forced_cycles"], row["pauses"]) == (1, 3)
    assert row["pause_forced_s"] == pytest.approx((0.083 + 0.77) / 1000)


THREE = line(1, "0.100", "4->5->3", 4) + line(2, "0.300", "6->8->4", 6) + line(3, "1.000", "8->9->5", 8)


def test_times_and_cpu_are_shares_of_what_was_observed() -> None:
    row = summary(THREE)  # from the start of the process to 1.000 + (1 + 10 + 2) ms
    assert row["span_s"] == pytest.approx(1.013)
    assert row["cycles_per_s"] == pytest.approx(2 / 0.9)
    assert row["pause_total_s"] == pytest.approx(3 * 0.003)
    assert row["pause_ratio"] == pytest.approx(0.009 / 1.013)
    assert (row["pause_p50_s"], row["pause_p99_s"]) == (0.001, 0.002)  # of 1 1 1 2 2 2 ms, nearest rank
    assert row["mark_ratio"] == pytest.approx(0.030 / 1.013)
    assert row["cpu_assist_ratio"] == pytest.approx(0.009 / (4 * 1.013))
    assert row["cpu_background_ratio"] == pytest.approx(0.024 / (4 * 1.013))
    assert row["cpu_idle_ratio"] == pytest.approx(0.003 / (4 * 1.013))
    assert row["gc_cpu_ratio"] == pytest.approx(3 * (2 + 3 + 8 + 4) / 1000 / (4 * 1.013))  # idle marking left out
    assert row["gc_cpu_printed_ratio"] == 0.05


def test_allocated_is_what_each_cycle_ended_with_less_what_the_one_before_left() -> None:
    row = summary(THREE)  # 5 − 0, 8 − 3, 9 − 4
    assert row["allocated_bytes"] == 15 * MIB
    assert row["allocation_bytes_per_s"] == pytest.approx(15 * MIB / 1.013)
    assert row["heap_growth_ratio"] == pytest.approx((6 / 3 + 8 / 4) / 2 - 1)


def test_the_heap_is_compared_with_its_goal() -> None:
    row = summary(THREE)
    assert (row["heap_live_median_bytes"], row["heap_live_max_bytes"]) == (4 * MIB, 5 * MIB)
    assert (row["heap_goal_median_bytes"], row["heap_max_bytes"]) == (6 * MIB, 9 * MIB)
    assert row["over_goal_ratio"] == 1.0
    assert row["overshoot_max_ratio"] == pytest.approx(8 / 6 - 1)


def test_a_trace_that_begins_later_is_observed_from_its_first_cycle() -> None:
    row = summary(line(7, "5.000", "4->5->3", 4) + line(8, "6.000", "6->8->4", 6))
    assert row["span_s"] == pytest.approx(1.013)
    assert row["allocated_bytes"] == 5 * MIB  # 8 − 3; what came before the first is not known
    assert row["allocation_bytes_per_s"] == pytest.approx(5 * MIB / 1.0)


def test_cycles_without_a_line_are_counted_and_not_bridged() -> None:
    row = summary(line(1, "0.100", "4->5->3", 4) + line(4, "1.100", "6->8->4", 6) + line(5, "2.100", "8->9->5", 8))
    assert (row["cycles"], row["missing_cycles"]) == (3, 2)
    assert row["allocated_bytes"] == (5 + 5) * MIB  # of the first and the third
    assert row["allocation_bytes_per_s"] == pytest.approx(10 * MIB / (0.113 + 1.0))


def test_old_eras_give_pauses_and_heap_and_no_times() -> None:
    row = summary(
        "gc1(1): 1+1+0 ms, 8 -> 4 MB 9 -> 5 (9-4) objects, 0(0) handoff, 0(0) steal, 0/0/0 yields\n"
        "gc2(1): 2+1+0 ms, 9 -> 5 MB 9 -> 5 (9-4) objects, 0(0) handoff, 0(0) steal, 0/0/0 yields\n"
    )
    assert row["pause_total_s"] == pytest.approx(0.005)
    assert row["heap_live_max_bytes"] == 5 * MIB
    assert row["allocated_bytes"] == (8 + 5) * MIB
    assert row["heap_growth_ratio"] == pytest.approx(9 / 4 - 1)
    for name in ("span_s", "cycles_per_s", "pause_ratio", "mark_total_s", "gc_cpu_ratio", "gogc_estimate", "procs"):
        assert pd.isna(row[name]), name


@pytest.mark.parametrize(
    ("name", "gogc", "width"),
    [("gogc20", 20, 3), ("gogc400", 400, 10), ("bigheap", 100, 1), ("stacks", 100, 11)],
)
def test_gogc_that_a_real_process_ran_with_is_found(name: str, gogc: int, width: float) -> None:
    (row,) = wp.gc_summary(wp.read(str(FIXTURES / "analysis" / f"go1.26.8-{name}.log"))).to_dict("records")
    assert row["gogc_low"] <= gogc <= row["gogc_high"] <= row["gogc_low"] + width
    assert row["pacing"] == "gogc"


def test_a_very_low_gogc_is_no_memory_limit() -> None:
    """A process under GOGC=5 whose live heap grows to 60 MiB: its goals grow with it, by 1.05."""
    (row,) = wp.gc_summary(wp.read(str(FIXTURES / "analysis" / "go1.26.8-gogc5.log"))).to_dict("records")
    assert row["pacing"] == "gogc"
    assert pd.isna(row["gogc_low"])
    assert 5 <= row["gogc_high"] == row["gogc_estimate"] < 6


def test_one_cycle_in_fourteen_may_contradict_the_others() -> None:
    """GOGC=100 with live heaps of 20 MiB; the goal of one cycle is that of GOGC=300, before a change took effect."""
    goals = [80 if number == 5 else 40 for number in range(2, 16)]
    text = "".join(line(number, f"{number / 10:.3f}", "38->39->20", goal) for number, goal in enumerate(goals, 2))
    row = summary(text)
    assert row["pacing"] == "gogc"
    assert row["gogc_low"] <= 100 <= row["gogc_high"] < 120


def test_gogc_is_found_in_lines_of_go_1_8() -> None:
    (row,) = wp.gc_summary(wp.read(str(FIXTURES / "analysis" / "go1.8.7-gogc100.log"))).to_dict("records")
    assert row["gogc_low"] <= 100 <= row["gogc_high"] <= row["gogc_low"] + 10


def test_a_goal_allows_the_range_of_gogc_that_truncation_hides() -> None:
    # go1.26.8-gogc400.log, last cycle: goal 959 of [959, 960) from 190 of [190, 191) live, 0 stacks and 1 globals of
    # [1, 3) together: at least (959 − 191) / (191 + 3), at most (960 − 190) / (190 + 1)
    (row,) = wp.gc_summary(wp.read(str(FIXTURES / "analysis" / "go1.26.8-gogc400.log"))).to_dict("records")
    assert row["gogc_low"] == pytest.approx(100 * (959 - 191) / (191 + 3))
    assert row["gogc_high"] == pytest.approx(100 * (960 - 190) / (190 + 1))


def test_a_goal_at_the_minimum_heap_tells_gogc_by_four_mib() -> None:
    row = summary(line(1, "0.100", "12->13->1", 16) + line(2, "0.200", "12->13->1", 16))
    assert (row["gogc_low"], row["gogc_high"]) == (400, 425)  # 4 MiB · GOGC/100 of [16, 17)
    assert row["minimum_heap_cycles"] == 2


@pytest.mark.parametrize("name", ["memlimit", "memlimit-gogc-off"])
def test_a_memory_limit_is_told_from_gogc(name: str) -> None:
    (row,) = wp.gc_summary(wp.read(str(FIXTURES / "analysis" / f"go1.26.8-{name}.log"))).to_dict("records")
    assert row["pacing"] == "limit"
    assert row["goal_at_live_cycles"] > 0


def test_a_goal_that_falls_while_the_live_heap_rises_is_a_memory_limit() -> None:
    lives = [100, 120, 140, 160, 180]
    text = "".join(
        f"gc {n} @{n}.000s 5%: 1.0+10+2.0 ms clock, 2.0+3.0/8.0/1.0+4.0 ms cpu, 190->205->{live} MB, "
        f"{250 - n} MB goal, 0 MB stacks, 0 MB globals, 4 P\n"
        for n, live in enumerate(lives, 1)
    )
    assert summary(text)["pacing"] == "limit"


def test_a_setting_that_changes_is_no_one_gogc() -> None:
    goals = [(200, 100), (200, 100), (200, 100), (150, 100), (150, 100), (150, 100)]
    text = "".join(line(n, f"{n}.000", f"140->145->{live}", goal) for n, (goal, live) in enumerate(goals, 2))
    row = summary(text)
    assert row["pacing"] == "varies"
    assert row["gogc_low"] > row["gogc_high"]


def test_gogc_off_leaves_forced_cycles_without_a_goal() -> None:
    (row,) = wp.gc_summary(wp.read(str(FIXTURES / "gctrace" / "go1.20.14-gogc-off.log"))).to_dict("records")
    assert row["pacing"] == "off"
    assert row["forced_cycles"] == row["cycles"] == 3


def test_cycles_that_overlap_by_rounding_are_placed_one_after_the_other() -> None:
    # the second is printed to begin at 0.101, 13 ms in the first: it is placed at 0.113, its pause follows 2 ms of pause
    dataset = wp.parse_text(line(1, "0.100", "4->5->3", 4) + line(2, "0.101", "6->8->4", 6))
    curve = mmu(dataset, dataset.runs["run"][0], [0.003, 0.004])
    assert curve["mmu_ratio"].tolist() == pytest.approx([0, 1 / 4])


def test_windows_are_chosen_up_to_the_length_of_the_trace() -> None:
    dataset = wp.parse_text(line(1, "0.012", "4->5->3", 4))
    curve = mmu(dataset, dataset.runs["run"][0])
    assert curve["window_s"].tolist() == pytest.approx([0.001, 0.002, 0.005, 0.010, 0.020])


def test_a_trace_without_times_has_no_curve() -> None:
    dataset = wp.parse_text("gc4(2): 14+1+0 ms 7 -> 6 MB 10159 -> 10042 (10204-162) objects 2 handoff\n")
    assert mmu(dataset, dataset.runs["run"][0]).empty


PAGE = "# Echo\n\n## go\n\n```\n$ GOGC=100 GODEBUG=gctrace=1 ./hello &\n{trace}$ wrk -t8 -c8 http://10.0.1.70:8080/hello\n{wrk}```\n"


def test_the_load_report_beside_a_trace_is_named() -> None:
    dataset = wp.parse_text(PAGE.format(trace=THREE, wrk=WRK), "page.md")
    (row,) = wp.gc_summary(dataset).to_dict("records")
    assert row["beside_run"] == dataset.runs.set_index("tool")["run"]["wrk"]
    assert (row["beside_throughput_per_s"], row["beside_latency_mean_s"]) == (40669.44, pytest.approx(193.32e-6))


def test_a_load_report_under_another_heading_is_not_beside() -> None:
    dataset = wp.parse_text(
        PAGE.format(trace=THREE, wrk="").replace("```\n$ wrk", "") + "\n## rust\n\n" + WRK, "page.md"
    )
    assert wp.gc_summary(dataset)["beside_run"].isna().all()


def test_a_condition_chooses_runs() -> None:
    dataset = wp.read(str(FIXTURES / "analysis"))
    assert len(wp.gc_summary(dataset)) == 8
    assert wp.gc_summary(dataset, where="gogc = '20'")["cycles"].tolist() == [15]
    assert wp.gc_summary(dataset, where="tool = 'wrk'").empty


def test_a_trace_without_collections_has_no_summary() -> None:
    scavenger = "scav 0 KiB work (bg), 0 KiB work (eager), 4616 KiB now, 99% util\n"
    assert wp.gc_summary(wp.parse_text(scavenger)).empty
    assert summary(scavenger + line(1, "0.100", "4->5->1", 5))["cycles"] == 1


def test_lines_of_gccgo_are_one_pause_each() -> None:
    text = "gc1(2): 14+1+2 ms, 3 -> 6 MB, 99 (104-5) objects, 3/2/1 sweeps, 0(0) handoff, 0(0) steal, 0/0/0 yields\n"
    row = summary(text)
    assert (row["pauses"], row["pause_total_s"]) == (1, pytest.approx(0.017))


@pytest.mark.parametrize("order", ["by time", "in turn", "backwards", "mixed"])
def test_the_order_of_rows_in_a_store_says_nothing(order: str) -> None:
    """What is allocated up to a cycle is its heap at the end, 6 MB, less the 2 MB that the one before left; growth 5 / 2."""
    traces = "".join(line(n, f"{n}.000", "5->6->2", 6) for n in (*range(1, 41), *range(1, 31)))
    ds = wp.parse_text(traces)
    rows, count = ds.arrow("gc_cycles"), 70
    at = {
        "by time": np.arange(count), "in turn": np.argsort([*range(40), *range(30)], kind="stable"),
        "backwards": np.arange(count)[::-1], "mixed": np.random.default_rng(1).permutation(count),
    }[order]  # fmt: skip
    names = ("sources", "runs", "labels", "measurements", "diagnostics")
    stored = wp.Dataset.of_tables({name: ds.arrow(name) for name in names} | {"gc_cycles": rows.take(at)})
    found = wp.gc_summary(stored)
    assert found["cycles"].tolist() == [40, 30]
    assert found["allocated_bytes"].tolist() == [6 * MIB + 39 * 4 * MIB, 6 * MIB + 29 * 4 * MIB]
    assert found["heap_growth_ratio"].tolist() == [1.5, 1.5]
    assert found["span_s"].tolist() == pytest.approx([40.013, 30.013])
