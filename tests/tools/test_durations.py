"""Durations as Go prints them; expected values by arithmetic."""

from __future__ import annotations

import pytest

from wrkparse.tools.durations import parse_duration


@pytest.mark.parametrize(
    ("text", "seconds", "resolution"),
    [
        ("0s", 0.0, 0.0),
        ("473ns", 473e-9, 0.5e-9),
        ("22.41µs", 22.41e-6, 0.005e-6),
        ("22.41μs", 22.41e-6, 0.005e-6),  # the Greek letter, U+03BC
        ("22.41us", 22.41e-6, 0.005e-6),
        ("145.082066ms", 0.145082066, 0.0000005e-3),
        ("10.094965987s", 10.094965987, 0.0000000005),
        ("5ms", 0.005, 0.0005),
        ("5m", 300.0, 0.0),
        ("1m2.5s", 62.5, 0.05),
        ("10m30s", 630.0, 0.5),
        ("2h3m4s", 7384.0, 0.5),
    ],
)
def test_each_part_counts_in_its_unit(text: str, seconds: float, resolution: float) -> None:
    found = parse_duration(text)
    assert found.value == pytest.approx(seconds, rel=1e-15)
    assert found.resolution == pytest.approx(resolution, rel=1e-12)


def test_zeros_that_a_program_cuts_are_digits_all_the_same() -> None:
    # k6 prints 85.60µs as 85.6µs
    assert parse_duration("85.6µs", 2).resolution == pytest.approx(0.005e-6)
    assert parse_duration("473ns", 2).resolution == pytest.approx(0.5e-9)


@pytest.mark.parametrize("text", ["", "12", "ms", "1,5ms", "-1s", "1.5", "1s2m", "1.2.3s", "1 s"])
def test_other_text_is_no_duration(text: str) -> None:
    with pytest.raises(ValueError, match="is not a duration"):
        parse_duration(text)
