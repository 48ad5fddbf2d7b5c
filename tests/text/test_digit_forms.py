"""Lines that differ in their numbers only."""

from __future__ import annotations

import pytest

from wrkparse.text.digit_forms import digit_form, without_number


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("server 17 done", b"server 00 done"),
        ("12.5 of 300", b"00.0 of 000"),
        ("$ ./kiwi -n 8", b"$ ./kiwi -n 0"),
        ("no number", b"no number"),
        ("größer 9", "größer 0".encode()),
        ("", b""),
    ],
)
def test_the_form_of_a_line_has_zeros_for_its_digits(line: str, form: bytes) -> None:
    assert digit_form(line) == form


@pytest.mark.parametrize("line", ["h2load 5", "99% 5", "a=5", "7,5 of 8", "-5", "p99", "10s", "12:30", "(3)", "v1.2"])
def test_a_line_with_a_digit_in_a_word_has_no_form(line: str) -> None:
    assert digit_form(line) is None


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("# setup 17", ("# setup", "17")),
        ("a  12345", ("a ", "12345")),
        ("a 123456", ("", "")),
        ("a 1.5", ("", "")),
        ("a v2", ("", "")),
        ("a ٣", ("", "")),
        ("a 17 ", ("", "")),
        ("17", ("", "")),
    ],
)
def test_a_line_is_split_before_the_short_number_at_its_end(line: str, parts: tuple[str, str]) -> None:
    assert without_number(line) == parts
