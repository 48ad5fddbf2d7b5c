"""Processes that print into one stream without anything in front; what each printed is known, for it is made up."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wrkparse as wp
from wrkparse.parse.items import Batch, Run
from wrkparse.parse.parser import SourceParser
from wrkparse.parse.pending import MOST_STREAMS

FIXTURES = Path(__file__).parents[1] / "fixtures"
LINE = (
    "gc {n} @{at}s 2%: 0.018+1.3+0.076 ms clock, 0.054+0.35/1.2/3.0+0.22 ms cpu, "
    "4->5->1 MB, 5 MB goal, 0 MB stacks, 0 MB globals, {procs} P\n"
)


def log(*events: tuple[int, float, int]) -> str:
    return "".join(LINE.format(n=n, at=f"{at:.3f}", procs=procs) for n, at, procs in events)


def cycles(ds: wp.Dataset) -> list[list[tuple[int, float]]]:
    """Number and time of the collections of each run, in the order of the runs' first lines."""
    frame = ds.gc_cycles.sort_values("line")
    return [list(zip(part["gc"], part["at_s"], strict=True)) for _, part in frame.groupby("run", sort=False)]


def codes(ds: wp.Dataset) -> list[tuple[str, str]]:
    return list(zip(ds.diagnostics["severity"], ds.diagnostics["code"], strict=True))


def test_of_more_streams_than_are_read_at_a_time_each_is_a_run() -> None:
    """The oldest trace ends for a new one; that of web-0, when it ends, has two cycles."""
    lines = [f"web-{number}  | {log((1, 0.5, 4))}" for number in range(MOST_STREAMS + 10)]
    ds = wp.parse_text("".join([f"started\nweb-0  | {log((1, 0.5, 4))}web-0  | {log((2, 0.6, 4))}", *lines[1:]]))
    assert ds.gc_cycles.groupby("run").size().value_counts().to_dict() == {1: MOST_STREAMS + 9, 2: 1}
    assert len(ds.runs) == MOST_STREAMS + 10
    assert codes(ds) == []


def test_two_processes_that_print_in_turn_are_two_runs() -> None:
    ds = wp.parse_text(log((7, 3.0, 4), (1, 0.1, 4), (8, 3.2, 4), (2, 0.4, 4), (3, 0.5, 4), (9, 3.3, 4)))
    assert cycles(ds) == [[(7, 3.0), (8, 3.2), (9, 3.3)], [(1, 0.1), (2, 0.4), (3, 0.5)]]
    assert codes(ds) == [("note", "interleaved")]


def test_a_goal_beyond_what_a_float_counts_exactly_is_a_number_like_others() -> None:
    text = log((7, 3.0, 4), (1, 0.1, 4), (8, 3.2, 4)).replace("5 MB goal", f"{2**33 + 1} MB goal")
    ds = wp.parse_text(text)
    assert cycles(ds) == [[(7, 3.0), (8, 3.2)], [(1, 0.1)]]
    assert set(ds.gc_cycles["heap_goal_bytes"]) == {2**53 + 2**20}


def test_processes_of_other_size_are_apart_though_their_numbers_meet() -> None:
    turns = [(n, n + shift, procs) for n in range(1, 9) for shift, procs in ((0.1, 4), (0.2, 8))]
    ds = wp.parse_text(log(*turns))
    assert cycles(ds) == [[(n, n + 0.1) for n in range(1, 9)], [(n, n + 0.2) for n in range(1, 9)]]
    assert codes(ds) == [("note", "interleaved")]


def test_where_numbers_meet_the_events_that_could_be_of_either_are_counted() -> None:
    ds = wp.parse_text(log((1, 0.1, 4), (1, 0.2, 4), (2, 0.3, 4), (2, 0.4, 4), (5, 0.5, 4)))
    assert codes(ds) == [("warning", "interleaved")]
    assert "1 fit two processes" in ds.diagnostics["message"].iloc[0]


def test_a_number_that_follows_is_another_process_s_if_the_clock_went_back() -> None:
    """The third collection of a process can't be earlier than its second: a third process began."""
    ds = wp.parse_text(log((1, 5.0, 4), (2, 6.0, 4), (7, 0.1, 4), (3, 0.2, 4)))
    assert cycles(ds) == [[(1, 5.0), (2, 6.0)], [(7, 0.1)], [(3, 0.2)]]
    for at in (6.0, 6.1):  # at the same time or later it is the first one's
        ds = wp.parse_text(log((1, 5.0, 4), (2, 6.0, 4), (7, 0.1, 4), (3, at, 4)))
        assert cycles(ds) == [[(1, 5.0), (2, 6.0), (3, at)], [(7, 0.1)]]


def test_what_does_not_change_within_a_process_tells_whose_number_follows() -> None:
    ds = wp.parse_text(log((1, 5.0, 4), (2, 6.0, 4), (7, 0.1, 4), (3, 7.0, 8)))
    assert cycles(ds) == [[(1, 5.0), (2, 6.0)], [(7, 0.1)], [(3, 7.0)]]


def test_of_processes_that_may_have_said_the_next_it_is_the_one_whose_clock_is_nearest() -> None:
    ds = wp.parse_text(log((5, 1.0, 4), (5, 2.0, 4), (1, 0.1, 4), (6, 3.0, 4)))
    assert cycles(ds) == [[(5, 1.0)], [(5, 2.0), (6, 3.0)], [(1, 0.1)]]


def heap_log(*events: tuple[int, float, int, int]) -> str:
    """Collections by number, time, MB left alive, and MB of the goal."""
    lines = (LINE.format(n=n, at=f"{at:.3f}", procs=4) for n, at, _, _ in events)
    heaps = (f"{live}->{live}->{live} MB, {goal} MB goal" for _, _, live, goal in events)
    return "".join(line.replace("4->5->1 MB, 5 MB goal", heap) for line, heap in zip(lines, heaps, strict=True))


@pytest.mark.parametrize("growth", [2, 5])
@pytest.mark.parametrize("of", ["small", "large"])
def test_the_next_goal_tells_whose_collection_it_is_before_the_clock_does(growth: int, of: str) -> None:
    """A goal is what the collection before left, times what GOGC sets, whichever process was heard last."""
    small, large = [(n, n / 10, 10, 10 * growth) for n in (4, 5)], [(n, n + 1.0, 100, 200) for n in (4, 5)]
    goal = 10 * growth if of == "small" else 200
    ds = wp.parse_text(heap_log(*small, *large, (1, 0.01, 4, 4), (6, 9.0, 7, goal)))
    begun = [cycle[-1] == (6, 9.0) for cycle in cycles(ds)]
    assert begun == [of == "small", of == "large", False]


@pytest.mark.parametrize("first", [True, False])
def test_how_a_process_grows_is_known_from_its_first_two_collections(*, first: bool) -> None:
    """One has GOGC=400, and 5 * 10 MB is its next goal. With GOGC=100 it would be 20 MB, further from 50 than 2 * 30."""
    grows_fast, grows = [(n, n / 10, 10, 50) for n in (4, 5)], [(n, n / 10, 30, 60) for n in (4, 5)]
    begun = [*grows_fast, *grows] if first else [*grows, *grows_fast]
    ds = wp.parse_text(heap_log(*begun, (1, 0.01, 4, 4), (6, 9.0, 10, 50)))
    assert [len(cycle) for cycle in cycles(ds)] == ([3, 2, 1] if first else [2, 3, 1])


def test_how_a_process_grows_is_known_though_others_print_between_its_collections() -> None:
    """As above, but no two neighbours are of one process."""
    begun = [(4, 0.4, 10, 50), (1, 0.01, 4, 4), (5, 0.5, 10, 50), (5, 0.6, 30, 60), (1, 0.02, 4, 4)]
    ds = wp.parse_text(heap_log(*begun, (6, 9.0, 10, 50)))
    assert [[number for number, _ in cycle] for cycle in cycles(ds)] == [[4, 5, 6], [1], [5], [1]]


def test_processes_that_began_together_are_parted_by_their_heaps() -> None:
    """Eight with GOGC=100, a heap each, and collections at random times: the clock alone parts them badly."""
    rng = random.Random(8)
    printed: list[tuple[float, int, int, int, int]] = []  # when, by which process, number, MB alive, MB of the goal
    for process, heap in enumerate((3, 5, 8, 15, 30, 50, 80, 120)):
        at, goal = 0.0, 4
        for n in range(1, 61):
            at += rng.expovariate(10)
            live = heap + rng.randint(0, max(1, heap // 20))
            printed.append((round(at, 3), process, n, live, goal))
            goal = 2 * live + rng.randint(0, 1)
    printed.sort()
    ds = wp.parse_text(heap_log(*((n, at, live, goal) for at, _, n, live, goal in printed)))
    truth = dict(enumerate((process for _, process, *_ in printed), 1))
    owners = ds.gc_cycles.groupby("run")["line"].agg(lambda lines: [truth[line] for line in lines])
    right = sum(max(map(of_run.count, set(of_run))) for of_run in owners)
    assert right > 0.95 * len(printed)


def test_what_stands_below_one_heading_is_one_process_s() -> None:
    """As the go command prints it: what each compiler printed, as a block below the package's name."""
    blocks = [("a", (1, 0.5, 4, 4)), ("b", (1, 0.4, 40, 50)), ("c", (1, 0.3, 10, 20), (2, 0.6, 9, 80))]
    ds = wp.parse_text("".join(f"# {package}\n{heap_log(*events)}" for package, *events in blocks))
    assert cycles(ds) == [[(1, 0.5)], [(1, 0.4)], [(1, 0.3), (2, 0.6)]]


def test_of_a_real_build_each_package_has_its_own_collections() -> None:
    """The second collection below ``# reflect`` is its compiler's; the go command's own have numbers of their own."""
    ds = wp.read(FIXTURES / "gctrace/go1.26.8-several-processes.log")
    lines = ds.gc_cycles.groupby("run")["line"].agg(list)
    assert [33, 34] in lines.tolist()
    assert not (ds.diagnostics["severity"] == "warning").any()


def test_goals_that_both_follow_from_what_was_left_leave_it_to_the_clock() -> None:
    first, second = [(5, 1.0, 10, 20)], [(5, 2.0, 10, 20)]
    ds = wp.parse_text(heap_log(*first, *second, (1, 0.01, 4, 4), (6, 3.0, 10, 21)))
    assert [cycle[-1] for cycle in cycles(ds)] == [(5, 1.0), (6, 3.0), (1, 0.01)]


@given(st.data())
def test_heaps_part_processes_alike_however_the_text_comes(data: Any) -> None:
    heaps = data.draw(st.lists(st.sampled_from([1, 3, 10, 40, 200]), min_size=2, max_size=4))
    numbers, events = [0] * len(heaps), []
    for place, who in enumerate(data.draw(st.lists(st.integers(0, len(heaps) - 1), min_size=2, max_size=40))):
        numbers[who] += 1
        live = heaps[who] + data.draw(st.integers(0, 2))
        events.append((numbers[who], place / 10, live, data.draw(st.sampled_from([2, 3])) * heaps[who]))
    lines = heap_log(*events).encode().splitlines(keepends=True)

    def runs_of_lines(size: int) -> dict[int, int]:
        reader, found = SourceParser("x.log"), []
        for begin in range(0, len(lines), size):
            found += list(reader.feed(b"".join(lines[begin : begin + size])))
        found += list(reader.finish())
        batches = [item.rows.to_pylist() for item in found if isinstance(item, Batch)]
        return {row["line"]: row["run"] for batch in batches for row in batch}

    whole = runs_of_lines(len(lines))
    assert len(whole) == len(lines)
    assert all(runs_of_lines(size) == whole for size in (1, 2, 3, 7))


@pytest.mark.parametrize(("processes", "events"), [(3, 400), (20, 100), (50, 40)])
def test_many_processes_that_print_in_turn_are_found(processes: int, events: int) -> None:
    """As ``go test ./...`` under GODEBUG=gctrace=1: each has its own clock; what each printed is drawn at random."""
    rng = random.Random(processes)
    printed: list[tuple[float, int, int, float]] = []  # when, by which process, number, time on its clock
    for process in range(processes):
        begun, at = rng.uniform(0, 60), 0.0
        for n in range(1, events + 1):
            at += rng.expovariate(4)
            printed.append((begun + at, process, n, round(at, 3)))
    printed.sort()
    ds = wp.parse_text(log(*((n, at, 4) for _, _, n, at in printed)))
    assert len(ds.runs) == processes
    truth = dict(enumerate((process for _, process, _, _ in printed), 1))
    right = total = 0
    for _, part in ds.gc_cycles.sort_values("line").groupby("run"):
        pairs = list(pairwise(truth[line] for line in part["line"]))
        right, total = right + sum(one == other for one, other in pairs), total + len(pairs)
    assert right > 0.95 * total


@pytest.mark.parametrize("others", [7, 8, 9])
def test_so_many_processes_stand_back_and_the_first_of_more_has_ended(
    others: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wrkparse.parse.events.processes._MOST_OTHERS", 8)
    begun = [(100 * (others - place), 10.0 - place / 10, 4) for place in range(others)]
    ds = wp.parse_text(log((1000, 20.0, 4), *begun, (1001, 21.0, 4)))
    kept = [(1000, 20.0), (1001, 21.0)] in cycles(ds)
    assert kept == (others <= 8)
    assert len(ds.runs) == others + 1  # what the first said later is a later event of the last one


@pytest.mark.parametrize(
    "numbers", [(1, 2, 3, 1, 2, 3), (1, 2, 4, 5, 1, 2, 1, 2, 1, 2), range(1, 9), (1,), (5, 9, 10, 30)]
)
def test_processes_one_after_the_other_and_lost_lines_are_nothing_to_remark(numbers: tuple[int, ...]) -> None:
    ds = wp.parse_text(log(*((n, place / 10, 4) for place, n in enumerate(numbers))))
    assert codes(ds) == []
    assert len(ds.runs) == 1 + sum(after <= before for before, after in pairwise(numbers))


@given(st.data())
def test_whoever_speaks_and_however_the_text_comes_each_process_keeps_its_own(data: Any) -> None:
    """Processes whose numbers are far apart; each appears first with lower numbers than those before it."""
    count = data.draw(st.integers(2, 5))
    turns = [*range(count), *data.draw(st.lists(st.integers(0, count - 1), max_size=60))]
    told: list[list[int]] = [[] for _ in range(count)]
    events = []
    for place, who in enumerate(turns):
        told[who].append(1000 * (count - who) + len(told[who]))
        events.append((told[who][-1], place / 10, 4))
    lines = log(*events).encode().splitlines(keepends=True)
    reader, found = SourceParser("x.log"), []
    while lines:
        size = data.draw(st.integers(1, len(lines)))
        found += list(reader.feed(b"".join(lines[:size])))
        del lines[:size]
    found += list(reader.finish())
    by_run: dict[str, list[int]] = {}
    for batch in found:
        if isinstance(batch, Batch):
            for run, number in zip(batch.rows["run"].to_pylist(), batch.rows["gc"].to_pylist(), strict=True):
                by_run.setdefault(run, []).append(number)
    assert list(by_run.values()) == told
    assert sorted(run.run for run in found if isinstance(run, Run)) == sorted(by_run)


@pytest.mark.parametrize(
    "tail", ["pacer: assist ratio=+3.0e-001 (scan 0 MB in 4->5 MB) workers=1+0\n", "kiwi is ready\n", "GC forced\n"]
)
@pytest.mark.parametrize("front", ["", "Nov 20 11:38:21 h s[7]: "])
def test_a_trace_below_a_command_is_one_run_though_each_line_comes_by_itself(front: str, tail: str) -> None:
    """A command begins one process: the lines behind its first event may come in any block."""
    events = [front + log((n, float(n), 4)) for n in (1, 2)]
    lines = ["$ GOGC=50 ./kiwi\n", events[0], front + tail, events[1], "$ GOGC=50 ./kiwi\n", *events]
    reader = SourceParser("x.log")
    items = [item for line in lines for item in reader.feed(line.encode())]
    runs = [item for item in [*items, *reader.finish()] if isinstance(item, Run)]
    assert [(run.line, run.line_end) for run in runs] == [(2, 4), (6, 7)]


def test_a_torn_event_below_a_fence_is_put_together_line_by_line_too() -> None:
    lines = ["```\n", "gc \n", LINE.format(n=4, at="0.469", procs=4).removeprefix("gc ")]
    assert cycles(wp.parse_text("".join(lines))) == [[(4, 0.469)]]  # from now on the fence is a line that is known
    parser = SourceParser("x.log")
    items = [item for line in lines for item in parser.feed(line.encode())] + list(parser.finish())
    assert [row["gc"] for item in items if isinstance(item, Batch) for row in item.rows.to_pylist()] == [4]
    assert [item.line for item in items if isinstance(item, Run)] == [2]


@pytest.mark.parametrize("pieces", [1, 4])
def test_a_process_that_begins_with_another_event_has_no_number_yet(pieces: int) -> None:
    """Its package was initialised before the collection above it: another process. The next number is the first's."""
    lines = [
        "init reflect @42 ms, 0.005 ms clock, 0 bytes, 0 allocs\n",
        log((9, 0.088, 2)),
        "init runtime @39 ms, 0.028 ms clock, 0 bytes, 0 allocs\n",
        log((10, 0.110, 2)),
    ]
    parser = SourceParser("x.log")
    blocks = lines if pieces > 1 else ["".join(lines)]
    items = [item for block in blocks for item in parser.feed(block.encode())] + list(parser.finish())
    runs = {
        row["gc"]: row["run"]
        for item in items
        if isinstance(item, Batch) and item.table == "gc_cycles"
        for row in item.rows.to_pylist()
    }
    assert runs[9] == runs[10]
    assert sum(isinstance(item, Run) for item in items) == 2
