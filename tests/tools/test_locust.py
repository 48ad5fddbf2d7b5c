"""Locust's statistics as CSV; expected values from the file's own head and cells."""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.samples import WRK
from tests.tools.harness import FIXTURES
from wrkparse.testing import lacks
from wrkparse.testing.reading import differences
from wrkparse.tools import locust

CASE = FIXTURES / "locust" / "mix-2.47.log"
HEAD, HELLO, MIX, ALL = CASE.read_text().splitlines()


def test_each_row_is_a_run_with_the_numbers_of_its_cells() -> None:
    assert list(differences("locust", CASE)) == []


def test_the_tool_lacks_nothing() -> None:
    assert lacks(locust, FIXTURES / "locust") == []


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_it_may_stand_between_other_text(end: str) -> None:
    text = f"{WRK}\n{end.join([HEAD, MIX, ALL])}{end}\n{WRK}"
    dataset = wp.parse_text(text)
    assert dataset.runs["tool"].tolist() == ["wrk", "locust", "locust", "wrk"]
    assert dataset.runs["request"].dropna().tolist() == ["GET /mix", "Aggregated"]


def test_rows_are_found_in_a_long_log_far_below_their_head() -> None:
    rows = "".join(MIX.replace("/mix", f"/mix{number}") + "\n" for number in range(1500))
    dataset = wp.parse_text(f"{HEAD}\n{rows}{ALL}\n")
    assert len(dataset.runs) == 1501


def test_rows_below_a_heading_have_lost_their_head() -> None:
    assert wp.parse_text(f"{HEAD}\n{MIX}\n\n## Later\n\n{MIX}\n").runs["line"].tolist() == [1]


def test_a_cell_without_a_value_is_missing() -> None:
    none = ",".join(["GET,/x,0,0,0,0,0,0,0,0.0,0.0", *["N/A"] * 11])
    rows = wp.parse_text(f"{HEAD}\n{none}\n").measurements
    assert set(rows["stat"]) == {"total", "mean", "min", "max"}


def test_rounded_times_have_two_digits() -> None:
    row = MIX.split(",")
    row[-4:-1] = ["99", "130", "1200"]  # 99 %, 99.9 % and 99.99 %
    rows = wp.parse_text(f"{HEAD}\n{','.join(row)}\n").measurements.set_index("stat")["resolution"]
    assert [rows[stat] for stat in ("p99", "p99.9", "p99.99")] == [0.0005, 0.005, 0.05]


def test_what_can_not_be_read_is_told() -> None:
    other = MIX.replace("GET,", "kafka,")
    dataset = wp.parse_text(f"{HEAD}\n{MIX}\n{other}\n{ALL},7\n")
    assert dataset.runs["request"].tolist() == ["GET /mix"]
    assert dataset.diagnostics["line"].tolist()[:2] == [3, 4]
    assert "a type of request that is not read: kafka,/mix" in dataset.diagnostics["message"][0]
    assert "22 cells belong here" in dataset.diagnostics["message"][1]


def test_a_line_break_within_a_cell_costs_its_row() -> None:
    """A carriage return stands in no cell that is not quoted, and Python's csv raises an exception at one."""
    dataset = wp.parse_text(f"{HEAD}\n{HELLO}\n{MIX.replace('/mix', '/mix' + chr(13) + 'ed')}\n{ALL}\n")
    assert {"GET /hello, world", "Aggregated"} <= set(dataset.runs["request"])
    assert "fault" not in set(dataset.diagnostics["code"])
