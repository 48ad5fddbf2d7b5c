"""Printed numbers, and the way of rounding that makes them of a raw number."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrkparse.analysis.publications.printed_numbers import find_rounding, is_empty, parse_printed_number


@pytest.mark.parametrize(
    ("text", "unit", "value", "step"),
    [
        ("95359", "1/s", "95359", "1"),
        ("95,359", "1/s", "95359", "1"),
        ("1 234 567", "1/s", "1234567", "1"),
        ("95'359.1", "1/s", "95359.1", "0.1"),
        ("**95k**", "1/s", "95000", "1000"),
        ("95.4k req/s", "1/s", "95400", "100"),
        ("1.2M", "1/s", "1200000", "100000"),
        ("`12`", "1", "12", "1"),
        ("95 ± 2", "1/s", "95", "1"),
        ("95.3k (+3 %)", "1/s", "95300", "100"),
        ("10.45ms", "s", "0.01045", "0.00001"),
        ("635 us", "s", "0.000635", "0.000001"),
        ("1.21s", "s", "1.21", "0.01"),
        ("23.19MB/s", "bytes/s", "24316477.44", "10485.76"),  # 23.19 · 1048576
        ("85.31%", "ratio", "0.8531", "0.0001"),
        ("-3", "1", "-3", "1"),
    ],
)
def test_a_cell_is_read_in_the_base_unit(text, unit, value, step):
    found = parse_printed_number(text, unit)
    assert (found.value, found.step) == (Decimal(value), Decimal(step))


@pytest.mark.parametrize(
    ("text", "unit"),
    [("ERROR", "1/s"), ("12,34,5", "1/s"), ("10ms", "1/s"), ("3 GB", "s"), ("1.2.3", "1"), ("v2", "1")],
)
def test_a_word_or_another_unit_is_no_number(text, unit):
    assert parse_printed_number(text, unit) is None


def test_a_number_without_a_unit_is_in_the_one_that_is_said():
    assert parse_printed_number("10.45", "s", "ms").value == Decimal("0.01045")
    assert parse_printed_number("10.45us", "s", "ms").value == Decimal("0.00001045")


@pytest.mark.parametrize("text", ["", " ", "-", "—", "n/a", "**-**"])
def test_dashes_say_that_nothing_is_printed(text):
    assert is_empty(text)
    assert not is_empty("0")


@pytest.mark.parametrize(
    ("printed", "raw", "rules", "digits"),
    [
        ("95359", 95359.08, ("floor", "round"), 0),
        ("357013", 357013.95, ("floor",), 0),
        ("357014", 357013.95, ("round", "ceil"), 0),
        ("95360", 95359.08, ("ceil",), 0),
        ("95359.08", 95359.08, ("exact",), 2),
        ("95359.1", 95359.08, ("round", "ceil"), 1),
        ("2", 2.5, ("floor", "round"), 0),  # half to even
        ("3", 2.5, ("round", "ceil"), 0),  # half up
        ("95000", 95359.08, ("round",), -3),
        ("95400", 95359.08, ("round",), -2),
        ("95300", 95359.08, (), 0),  # cut off to hundreds
        ("95360", 95369.08, (), 0),  # one number in ten ends in a zero
        ("90000", 92359.08, (), 0),  # one digit that stays is no evidence
        ("95358", 95359.08, (), 0),
        ("0", 0.3, ("floor", "round"), 0),
    ],
)
def test_the_rules_that_give_a_number_are_named(printed, raw, rules, digits):
    assert find_rounding(parse_printed_number(printed, "1/s"), raw) == (rules, digits)


def test_digits_are_those_behind_the_point_of_the_printed_unit():
    assert find_rounding(parse_printed_number("10.4ms", "s"), 0.01045) == (
        ("floor", "round"),
        1,
    )  # 10.45: a tie goes to the even 10.4
    assert find_rounding(parse_printed_number("357.01k", "1/s"), 357013.95) == (("floor", "round"), 2)


@given(st.integers(0, 10**12), st.integers(0, 6))
def test_cutting_and_rounding_are_those_of_whole_numbers(scaled, places):
    """`scaled` is the raw number in units of 10^-places: cut off and rounded by integer arithmetic."""
    raw = float(Decimal(scaled).scaleb(-places))
    unit = 10**places
    cut, up = scaled // unit, -(-scaled // unit)
    near = (2 * scaled + unit) // (2 * unit)
    for text, rule in ((cut, "floor"), (up, "ceil"), (near, "round")):
        rules = find_rounding(parse_printed_number(str(text), "1/s"), raw).rules
        assert rule in rules or (rules == ("exact",) and text * unit == scaled)


@given(st.text(max_size=60))
def test_any_text_is_a_number_or_none(text):
    for unit in ("1/s", "s", "bytes", "ratio"):
        found = parse_printed_number(text, unit)
        assert found is None or found.step > 0
