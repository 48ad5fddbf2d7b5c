"""Dixon's test: Q is the gap of the extreme to its neighbour, divided by the range of all."""

from __future__ import annotations

import pytest

from wrkparse.analysis.stats.dixon import find_outlier

FIVE = [103.0, 100.0, 104.0, 101.0, 102.0]


@pytest.mark.parametrize(
    ("values", "at"),
    [
        ([*FIVE, 88.0], 5),  # Q = 12 / 16 = 0.75, critical 0.740
        ([*FIVE, 89.5], None),  # Q = 10.5 / 14.5 = 0.724
        ([116.0, *FIVE], 0),  # Q = 12 / 16
        ([*[1.0 + value / 1000 for value in FIVE], 1.0], None),  # Q = 0.96, but a tenth of the median is more
        ([100.0, 101.0, 300.0], None),  # three numbers
        ([100.0, 100.0, 100.0, 50.0], 3),  # Q = 1
        ([100.0] * 5, None),
        ([0.0, 0.0, 0.0, 0.0], None),
    ],
)
def test_one_value_far_from_the_others_is_an_outlier(values: list[float], at: int | None) -> None:
    assert find_outlier(values) == at
