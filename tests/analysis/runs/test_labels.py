"""The order of labels' values."""

from __future__ import annotations

import itertools

import pytest

from wrkparse.analysis.runs.labels.labels import has_size, natural_order


@pytest.mark.parametrize(
    "ordered",
    [
        ["9", "10", "200", "off", None],
        ["0.5", "2", "1e1"],
        ["64KiB", "256MiB", "512MiB", "1GiB", "1.5GiB", "2TiB", "off", None],
        ["100B", "1 kB", "64M", "1g"],
        ["4096", "8KiB"],  # GOMEMLIMIT without a unit is bytes
        ["2", "alpha", "b1", "inf", "nan"],
        ["/4k", "/64k", "/1m", "/hello"],
        ["go 1.9", "go 1.10", "go 1.10.2", "heron"],
        ["tapir_4k", "tapir_16k", "tapir_128k"],
    ],
)
def test_numbers_and_amounts_of_memory_are_in_the_order_of_their_size(ordered: list[str | None]) -> None:
    for mixed in itertools.islice(itertools.permutations(ordered), 200):
        assert sorted(mixed, key=natural_order) == ordered


def test_values_of_one_size_have_an_order_that_does_not_depend_on_the_runs() -> None:
    assert sorted({"1GiB", "1024MiB", "1.0GiB"}, key=natural_order) == ["1.0GiB", "1024MiB", "1GiB"]


@pytest.mark.parametrize(
    ("value", "expected"), [("64", True), ("256MiB", True), ("off", False), ("nan", False), ("", False), (None, False)]
)
def test_a_name_is_no_number(value: str | None, expected: bool) -> None:
    assert has_size(value) is expected
