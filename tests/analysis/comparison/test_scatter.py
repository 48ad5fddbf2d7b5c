"""Slow first runs, and settings whose runs form two groups."""

from __future__ import annotations

import numpy as np
import pytest

import wrkparse as wp
from tests.analysis.comparison.runs import Runs
from wrkparse.analysis.comparison.cells.scatter import slow_first, value_groups
from wrkparse.analysis.comparison.text.headline import headline
from wrkparse.analysis.comparison.text.notes import notes

# Median of the others 100, median absolute deviation 1: ten scaled deviations are 14.826.
OTHERS = [99.0, 100.0, 101.0, 98.0, 102.0]


@pytest.mark.parametrize(
    ("first", "better", "change"),
    [
        (85.0, "higher", -0.15),
        (85.5, "higher", 0.0),  # 14.5 below
        (115.0, "higher", 0.0),  # faster
        (115.0, "lower", 0.15),
        (85.0, None, 0.0),
    ],
)
def test_a_first_run_is_slow_beyond_ten_scaled_deviations_on_the_worse_side(
    first: float, better: str | None, change: float
) -> None:
    assert slow_first([first, *OTHERS], better) == pytest.approx(change)


def test_less_than_five_per_cent_or_five_runs_show_no_slow_first_run() -> None:
    assert slow_first([960.0, 1000.0, 1000.0, 1000.1, 999.9, 1000.0], "higher") == 0
    assert slow_first([50.0, 100.0, 100.0, 100.0], "higher") == 0


def test_two_groups_have_a_gap_of_twice_the_wider_range_between_them() -> None:
    low, high = [10.0, 11.0, 12.0], [17.0, 18.0, 17.5, 17.0]
    assert value_groups(np.array([*high, *low])) == ((3, 4), (11.0, 17.25))  # a gap of 5, ranges of 2 and 1
    assert value_groups(np.array([10.0, 11.0, 12.0, 16.0, 17.0, 18.0])) is None  # 4, and 2
    assert value_groups(np.array([10.0, 10.0, 18.0, 18.0])) is None  # two each
    assert value_groups(np.array([100.0, 100.0, 100.0, 104.0, 104.0, 104.0])) is None  # 4 %


def test_three_groups_have_gaps_of_twice_the_widest_range_of_all() -> None:
    low, middle, high = [18.0, 18.1, 18.2], [24.0, 23.9, 24.1], [30.0, 29.9, 30.1]
    assert value_groups(np.array([*high, *low, *middle])) == ((3, 3, 3), (18.1, 24.0, 30.0))
    wide = [21.0, 24.0, 24.1]  # a range of 3.1 beside gaps of 2.8 and 5.8
    assert value_groups(np.array([*high, *low, *wide])) is None
    assert value_groups(np.array([*low, *middle[:2], *high])) is None  # two are no group


def compared(**throughputs: list[float]) -> list[str]:
    runs = Runs()
    for name, values in throughputs.items():
        runs.several(values, framework=name)
    return [note for note in notes(wp.compare(runs.dataset())) if "first run" in note or "groups" in note]


def test_notes_name_the_settings_and_the_sizes() -> None:
    steady = [100.0, 101.0, 99.0, 100.5, 99.5, 100.2]
    assert compared(heron=[200.0, 202.0, 198.0, 201.0, 199.0, 200.4], kiwi=steady) == []
    assert compared(heron=[100.0, 202.0, 198.0, 201.0, 199.0, 200.0], kiwi=steady) == [
        (
            "Throughput: the first run of heron is 50 % below the median of its others; to leave it out as "
            "a warm-up, label it phase=warm-up"
        )
    ]
    assert compared(heron=[100.0, 200.0, 101.0, 201.0, 99.0, 199.0], kiwi=steady) == [
        (
            "Throughput: the runs of heron form two groups, 3 near 100.0 requests/s and 3 near 200.0 requests/s, with none "
            "between: the median describes neither, and something changed from run to run"
        )
    ]


def test_a_note_counts_three_groups() -> None:
    three = [18.0, 24.0, 30.0, 18.1, 24.1, 30.1, 18.2, 24.2, 30.2]
    steady = [100.0, 101.0, 99.0, 100.5, 99.5, 100.2]
    assert compared(heron=three, kiwi=steady) == [
        (
            "Throughput: the runs of heron form 3 groups, 3 near 18.10 requests/s, 3 near 24.10 requests/s and 3 near 30.10 "
            "requests/s, with none between: the median describes none of them, and something changed from run to run"
        )
    ]


def test_a_title_states_no_ratio_of_a_setting_whose_runs_form_two_groups() -> None:
    """Its median is a value that no run had."""
    runs = Runs()
    runs.several([100.0, 200.0, 101.0, 201.0, 99.0, 199.0], framework="heron")
    runs.several([400.0, 404.0, 396.0, 402.0, 398.0, 400.8], framework="kiwi")
    assert headline(wp.compare(runs.dataset())) is None
    runs.several([800.0, 808.0, 792.0, 804.0, 796.0, 801.6], framework="emu")
    assert headline(wp.compare(runs.dataset(), baseline="framework=kiwi")) == (
        "emu answers 2.0 times as many requests as kiwi"
    )


def test_an_outlier_is_named_once_with_its_place_and_a_slow_first_run_is_none() -> None:
    """Of 100 to 104 the median is 102; 51 is half of it. The latency of the same run is an outlier, too."""
    runs = Runs()
    for name, odd in (("heron", 3), ("kiwi", 0)):
        values = [100.0, 101.0, 102.0, 103.0, 104.0]
        values.insert(odd, 51.0)
        for value in values:
            runs.add(labels={"framework": name}, throughput=value, latency=10 / value)
    found = [note for note in notes(wp.compare(runs.dataset())) if "one run" in note]
    assert found == [
        (
            "Throughput: one run of heron, log.txt:31, is 50 % below the median of the others; it counts as the others "
            "do, and its log may tell why"
        )
    ]


def test_many_settings_with_a_slow_first_run_are_counted() -> None:
    names = ("heron", "kiwi", "emu", "moa")
    found = compared(**{name: [50.0, 100.0, 101.0, 99.0, 100.5, 99.5] for name in names})
    assert found == [
        (
            "Throughput: the first runs of all 4 settings are 50 % below the median of the others; to leave them out as "
            "warm-ups, label them phase=warm-up"
        )
    ]


def in_places(runs: Runs, places: dict[str, list[float]], **labels: object) -> None:
    for place, values in places.items():
        for at, value in enumerate(values):
            runs.add(labels=labels, source=place.format(at), throughput=value)


FIVE = [100.0, 110.0, 120.0, 130.0, 140.0]
BEYOND = [145.0, 150.0, 155.0, 160.0, 165.0]


@pytest.mark.parametrize("form", ["{}/{{}}.txt", "{}.txt"])
def test_repeats_of_two_places_that_do_not_overlap_are_said_to_differ(form: str) -> None:
    """Medians 120 and 155; p of 5 and 5 that do not overlap is 2 / C(10, 5)."""
    runs = Runs()
    in_places(runs, {form.format("run1"): FIVE, form.format("run2"): BEYOND}, framework="kiwi")
    in_places(runs, {form.format("run1"): FIVE, form.format("run2"): FIVE}, framework="emu")
    table = wp.compare(runs.dataset(), rows="framework", baseline="framework=emu")
    [found] = table.scatters["throughput"].places_apart
    assert (found.cell, found.ratio, found.p) == (("kiwi",), pytest.approx(155 / 120), pytest.approx(2 / 252))
    suffix = "" if "/" in form else ".txt"
    assert (
        f"Throughput of kiwi: in run2{suffix} it is 1.29 times as high as in run1{suffix} (p = 0.0079), though nothing "
        "else tells these runs apart and they count as repeats; if they are not, compare both paths, or label them"
    ) in notes(table)


@pytest.mark.parametrize(
    "places",
    [
        {"run1/{}.txt": FIVE, "run2/{}.txt": [*FIVE[1:], 150.0]},  # they overlap
        {"run1/{}.txt": FIVE[:3], "run2/{}.txt": BEYOND[:3]},  # p = 2 / C(6, 3) = 0.1
        {"run1/{}.txt": FIVE, "run2/{}.txt": BEYOND, "run3/{}.txt": FIVE},  # 3 pairs: p = 0.024
        {"run1/{}.txt": [*FIVE, *BEYOND]},
    ],
)
def test_places_that_no_test_tells_apart_are_not(places: dict[str, list[float]]) -> None:
    runs = Runs()
    in_places(runs, places, framework="kiwi")
    assert wp.compare(runs.dataset(), rows="framework").scatters["throughput"].places_apart == ()


def test_one_setting_says_first_that_its_places_differ() -> None:
    runs = Runs()
    in_places(runs, {"run1/{}.txt": FIVE, "run2/{}.txt": BEYOND})
    assert wp.summary(runs.dataset()).findings[0] == (
        "Throughput: in run2 it is 1.29 times as high as in run1 (p = 0.0079), though nothing else tells these runs apart."
    )
