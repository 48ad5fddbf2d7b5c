from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrkparse.analysis.go.gc.mmu import minimum_utilisation


def brute_force(edges: list[int], taken: list[float], window: int) -> float:
    """Every place of a window at whole numbers: shares change there only, so that nothing lies between them."""
    per_unit = np.concatenate(
        [np.full(end - begin, share) for begin, end, share in zip(edges, edges[1:], taken, strict=False)]
    )
    return 1 - max(per_unit[place : place + window].sum() for place in range(len(per_unit) - window + 1)) / window


def test_a_window_no_longer_than_the_longest_pause_can_lie_in_it() -> None:
    assert minimum_utilisation([0, 5, 8, 20], [0, 1, 0], [1, 3]).tolist() == [0.0, 0.0]


def test_around_one_pause_the_curve_is_one_minus_pause_over_window() -> None:
    assert minimum_utilisation([0, 5, 8, 20], [0, 1, 0], [4, 6, 12, 20]) == pytest.approx(
        [1 / 4, 1 / 2, 3 / 4, 17 / 20]
    )


def test_periodic_pauses_have_the_closed_form() -> None:
    # a pause of d = 2 in every T = 10: a window of kT + r holds at most k·d + min(r, d)
    edges = np.concatenate([[0.0], *([10 * k + 4, 10 * k + 6] for k in range(50)), [500.0]])
    taken = [0.0] + [1.0, 0.0] * 50
    windows = [1, 2, 3, 9, 10, 11, 12, 35, 120]
    expected = [1 - (w // 10 * 2 + min(w % 10, 2)) / w for w in windows]
    assert minimum_utilisation(edges, taken, windows) == pytest.approx(expected)


def test_two_pauses_close_together_are_worse_than_the_longest_alone() -> None:
    # 2 + 2 of the 5 between the begin of the first and the end of the second; alone a pause would leave 3/5
    assert minimum_utilisation([0, 10, 12, 13, 15, 30], [0, 1, 0, 1, 0], [5]) == pytest.approx([1 / 5])


def test_a_part_of_the_processors_taken_counts_as_that_part() -> None:
    assert minimum_utilisation([0, 10, 14, 16, 40], [0, 0.25, 1, 0], [2, 4, 6]) == pytest.approx(
        [0, 1 - 2.5 / 4, 1 - 3 / 6]  # the pause; it and 2 of the 4 before; it and all 4
    )


def test_windows_that_fit_nowhere_are_missing() -> None:
    assert np.isnan(minimum_utilisation([0, 1, 2], [1, 0], [2.5, 0, -1])).all()


def test_the_longest_window_is_the_whole_observation_whatever_floats_add_up_to() -> None:
    for origin in (0.1, 0.7, 77536.239):
        edges = np.array([0, 0.1, 0.2, 0.3]) + origin
        (found,) = minimum_utilisation(edges, [0, 1, 0], [edges[-1] - edges[0]])
        assert found == pytest.approx(2 / 3, rel=1e-6)


def test_far_from_the_origin_nothing_is_left_of_a_pause() -> None:
    assert minimum_utilisation([0, 77536.239, 77537.239, 77600], [0, 1, 0], [0.002, 0.5, 1.0]).tolist() == [0, 0, 0]


@given(
    st.lists(st.tuples(st.integers(1, 9), st.sampled_from([0.0, 0.25, 1.0])), min_size=1, max_size=12),
    st.integers(1, 40),
)
def test_it_is_the_minimum_over_every_place(parts: list[tuple[int, float]], window: int) -> None:
    edges = [0, *np.cumsum([length for length, _ in parts]).tolist()]
    taken = [share for _, share in parts]
    (found,) = minimum_utilisation(edges, taken, [window])
    if window > edges[-1]:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(brute_force(edges, taken, window), abs=1e-12)


def test_the_brute_force_is_no_mean() -> None:
    assert brute_force([0, 4, 6, 10], [0, 1, 0], 4) == pytest.approx(1 / 2)  # 2 of 10 on the whole
