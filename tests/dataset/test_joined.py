"""Two datasets as one, and a label for all runs of a dataset."""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.samples import GC, WRK


def test_two_datasets_are_one_with_the_runs_and_labels_of_both() -> None:
    one = wp.parse_text(WRK, "one.txt", labels={"side": "a"})
    other = wp.parse_text(f"GOGC=50\n\n{GC.format(n=1, t='0.001')}", "other.txt")
    both = one + other
    assert both.runs["run"].tolist() == [*one.runs["run"], *other.runs["run"]]
    assert both.runs["side"].tolist()[0] == "a"
    assert both.runs["side"].isna().tolist() == [False, True]
    assert both.runs["verdict"].tolist() == [*one.runs["verdict"], *other.runs["verdict"]]
    for table in ("sources", "measurements", "texts", "gc_cycles", "labels"):
        assert both.count(table) == one.count(table) + other.count(table)
    assert both.wide("throughput > 1")["source"].tolist() == ["one.txt"]


def test_a_run_in_both_datasets_is_said() -> None:
    one = wp.parse_text(WRK)
    with pytest.raises(ValueError, match=f"1 run is in both datasets: {one.runs['run'].iloc[0]}"):
        one + one
    with pytest.raises(TypeError):
        one + 1  # type: ignore[operator]


def test_a_label_overrules_that_of_the_same_key() -> None:
    before = wp.parse_text(f"# nginx\n\n{WRK}")
    assert before.runs["framework"].tolist() == ["nginx"]
    after = before.labelled("framework", "other").labelled("input", "monday")
    assert after.runs[["framework", "input"]].to_numpy().tolist() == [["other", "monday"]]
    labels = after.labels.query("key == 'framework'").sort_values("overruled")
    assert labels[["value", "origin", "overruled"]].to_numpy().tolist() == [
        ["other", "cli", False],
        ["nginx", "heading", True],
    ]
