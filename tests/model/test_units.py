"""Numbers as tools print them; wrk's own formats and factors are in `tests.printers`."""

import contextlib
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.printers import wrk_binary, wrk_metric, wrk_time
from wrkparse.model.units import (
    BINARY,
    DECIMAL,
    KIBIBYTES,
    MILLISECONDS,
    NO_VALUE,
    PERCENT,
    PLAIN,
    SECONDS,
    Quantity,
    Scale,
    parse_count,
    parse_quantity,
)

MICRO = Fraction(1, 10**6)


def amounts(largest: int) -> st.SearchStrategy[Fraction]:
    """Every order of magnitude alike, thousandths too."""
    return st.integers(0, len(str(largest))).flatmap(
        lambda digits: st.integers(0, min(largest, 10**digits) * 1000).map(lambda n: Fraction(n, 1000))
    )


def assert_covers(quantity: Quantity, true: Fraction) -> None:
    """The true value lies within the resolution; the last bits of three floats are forgiven."""
    assert quantity.value is not None
    assert quantity.resolution is not None
    slack = abs(true) / 2**50
    assert abs(Fraction(quantity.value) - true) <= Fraction(quantity.resolution) + slack


@pytest.mark.parametrize(
    ("text", "scale", "value", "resolution"),
    [
        ("193.32us", SECONDS, 0.00019332, 5e-9),
        ("193.32µs", SECONDS, 0.00019332, 5e-9),
        ("193.32μs", SECONDS, 0.00019332, 5e-9),
        ("12ns", SECONDS, 1.2e-8, 5e-10),
        ("0.85ms", SECONDS, 0.00085, 5e-6),
        ("1.60s", SECONDS, 1.6, 0.005),
        ("1.00m", SECONDS, 60.0, 0.3),
        ("60.00m", SECONDS, 3600.0, 0.3),
        ("0.29m", SECONDS, 17.4, 0.3),
        ("2h", SECONDS, 7200.0, 1800.0),
        ("5.11k", DECIMAL, 5110.0, 5.0),
        ("299.35", DECIMAL, 299.35, 0.005),
        ("1.10M", DECIMAL, 1100000.0, 5000.0),
        ("22.93MB", BINARY, 22.93 * 2**20, 0.005 * 2**20),
        ("1.21GB", BINARY, 1.21 * 2**30, 0.005 * 2**30),
        ("0.00B", BINARY, 0.0, 0.005),
        ("1.00TB", BINARY, 2.0**40, 0.005 * 2**40),
        ("83.29%", PERCENT, 0.8329, 0.00005),
        ("100%", PERCENT, 1.0, 0.005),
        ("0.351", MILLISECONDS, 0.000351, 5e-7),
        ("143804", KIBIBYTES, 143804 * 1024.0, 512.0),
        ("-3", PLAIN, -3.0, 0.5),
        ("-0.25", PLAIN, -0.25, 0.005),
        ("12.", PLAIN, 12.0, 0.5),
        ("007", PLAIN, 7.0, 0.5),
    ],
)
def test_value_and_half_the_last_digit_in_the_base_unit(text, scale, value, resolution):
    assert parse_quantity(text, scale) == Quantity(value, resolution)


@pytest.mark.parametrize("text", ["nan", "-nan", "NaN", "+nan", "-nanus", "nans"])
def test_a_printed_nan_is_nothing(text):
    assert parse_quantity(text, SECONDS) == NO_VALUE


@pytest.mark.parametrize(
    ("text", "scale", "said"),
    [
        ("", PLAIN, "'' is not a number"),
        ("abc", PLAIN, "'abc' is not a number"),
        ("nanny", SECONDS, "'nanny' is not a number"),
        ("-nan%", SECONDS, "'-nan%' is not a number"),
        ("inf", PLAIN, "'inf' is not a number"),
        (".5", PLAIN, "'.5' is not a number"),
        ("1,00", PLAIN, "is not a number"),
        ("1,0000", PLAIN, "is not a number"),
        ("1000,000", PLAIN, "is not a number"),
        ("1.2.3", PLAIN, "'1.2.3' is not a number"),
        ("--1", PLAIN, "'--1' is not a number"),
        ("1 s", SECONDS, "'1 s' is not a number"),
        ("١٢", PLAIN, "is not a number"),
        ("1.00KB", DECIMAL, "unit 'KB', expected none, k, M, G, T"),
        ("1.00k", BINARY, "unit 'k', expected B, KB, MB, GB, TB"),
        ("1.00", SECONDS, "unit ''"),
        ("1e5", PLAIN, "is not a number"),
        ("9" * 31, PLAIN, "more digits than any tool prints"),
        ("x" * 100, PLAIN, "x…' is not a number"),
    ],
)
def test_what_is_no_number_is_said_in_words(text, scale, said):
    with pytest.raises(ValueError, match=r".") as problem:
        parse_quantity(text, scale)
    assert said in str(problem.value)
    assert len(str(problem.value)) < 150


@pytest.mark.parametrize(("text", "value"), [("0", 0.0), ("410759", 410759.0), ("5,295,495", 5295495.0), ("007", 7.0)])
def test_a_count_is_exact(text, value):
    assert parse_count(text) == Quantity(value, 0.0)


@pytest.mark.parametrize("text", ["", "-", "--1", "1.0", "1,00", "1,0000", "1k", "²", "٣", "9" * 31, " 1", "0x1"])
def test_what_is_no_count_is_said_in_words(text):
    with pytest.raises(ValueError, match="is not a count"):
        parse_count(text)


def test_a_counter_that_overflowed_is_no_count():
    with pytest.raises(ValueError, match="-5 is below 0: the counter overflowed"):
        parse_count("-5")


def test_a_count_is_a_float_that_a_signed_64_bit_number_holds() -> None:
    """Below 2^63 floats stand 1024 apart; 2^63 - 512 is in the middle and rounds to 2^63, whose last bit is even."""
    assert parse_count(str(2**63 - 513)).value == 2.0**63 - 1024
    for text in (str(2**63 - 512), "9223372036854775807", "9223372036854775808", "18446744073709551615", "9" * 30):
        with pytest.raises(ValueError, match=r"not below 2\^63"):
            parse_count(text)


@pytest.mark.parametrize(("text", "value"), [("29,907.67", 29907.67), ("1,234.50", 1234.5)])
def test_commas_between_thousands_are_read_over(text, value):
    assert parse_quantity(text, PLAIN).value == value


@given(amounts(10**13))
@example(Fraction(849_995, 1000))
@example(Fraction(850))
@example(Fraction(999_995))
@example(Fraction(10**6))
@example(Fraction(51 * 10**6))
def test_times_as_wrk_prints_them_come_back(micros):
    """Microseconds to months, over all the ranges in which a unit is used."""
    assert_covers(parse_quantity(wrk_time(micros), SECONDS), micros * MICRO)


@given(amounts(10**16))
@example(Fraction(850))
@example(Fraction(850_000))
def test_rates_as_wrk_prints_them_come_back(amount):
    assert_covers(parse_quantity(wrk_metric(amount), DECIMAL), amount)


@given(amounts(2**53))
@example(Fraction(8704, 10))
@example(Fraction(8703, 10))
def test_bytes_as_wrk_prints_them_come_back(amount):
    assert_covers(parse_quantity(wrk_binary(amount), BINARY), amount)


def test_the_formatter_of_these_tests_prints_as_wrk_does():
    """Examples that wrk's own code printed: where a unit begins and that the last one is never used."""
    times = {850: "0.85ms", 920: "0.92ms", 999: "1.00ms", 10**6: "1.00s", 51 * 10**6: "0.85m", 3600 * 10**6: "60.00m"}
    assert {micros: wrk_time(Fraction(micros)) for micros in times} == times
    assert wrk_time(Fraction(849_995, 1000)) == "850.00us"
    assert wrk_time(Fraction(999_996)) == "1000.00ms"
    assert wrk_metric(Fraction(850)) == "0.85k"
    assert wrk_binary(Fraction(1023)) == "1.00KB"
    assert wrk_binary(Fraction(2**60)) == "1048576.00TB"


@given(st.integers(0, 10**15), st.integers(0, 6), st.sampled_from(["us", "ms", "s", "m", "h"]))
def test_a_value_is_the_float_nearest_to_what_is_printed(digits, decimals, unit):
    """No rounding beyond the one that a float needs."""
    text = str(Decimal(digits).scaleb(-decimals).quantize(Decimal(1).scaleb(-decimals)))
    power, factor = SECONDS[unit]
    exact = Fraction(digits, 10**decimals) * Fraction(10) ** power * factor
    assert parse_quantity(text + unit, SECONDS).value == float(exact)


@given(st.text(max_size=60), st.sampled_from([SECONDS, DECIMAL, BINARY, PERCENT, PLAIN]))
def test_any_text_gives_a_quantity_or_a_value_error(text, scale: Scale):
    for read in (lambda: parse_quantity(text, scale), lambda: parse_count(text)):
        with contextlib.suppress(ValueError):
            assert isinstance(read(), Quantity)


@pytest.mark.parametrize("text", ["1" * 10**6, "-" * 10**6, "1." * 5 * 10**5, "nan" * 10**5, "1" + "x" * 10**6])
def test_a_long_text_is_refused_at_once(text):
    with pytest.raises(ValueError, match=r"."):
        parse_quantity(text, SECONDS)
