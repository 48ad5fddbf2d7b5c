"""Slow first runs, and settings whose runs form two groups."""

from __future__ import annotations

import numpy as np
import pytest

import wrkparse as wp
from tests.analysis.comparison.runs import Runs
from wrkparse.analysis.comparison.cells.scatter import slow_first, two_groups
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
    assert two_groups(np.array([*high, *low])) == ((3, 4), (11.0, 17.25))  # a gap of 5, ranges of 2 and 1
    assert two_groups(np.array([10.0, 11.0, 12.0, 16.0, 17.0, 18.0])) is None  # 4, and 2
    assert two_groups(np.array([10.0, 10.0, 18.0, 18.0])) is None  # two each
    assert two_groups(np.array([100.0, 100.0, 100.0, 104.0, 104.0, 104.0])) is None  # 4 %


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


def test_many_settings_with_a_slow_first_run_are_counted() -> None:
    names = ("heron", "kiwi", "emu", "moa")
    found = compared(**{name: [50.0, 100.0, 101.0, 99.0, 100.5, 99.5] for name in names})
    assert found == [
        (
            "Throughput: the first runs of all 4 settings are 50 % below the median of the others; to leave them out as "
            "warm-ups, label them phase=warm-up"
        )
    ]
