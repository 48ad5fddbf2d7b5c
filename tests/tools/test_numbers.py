"""Numbers looked up by four characters at a time are those that Python reads one at a time."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wrkparse.tools.columnar import numbers

SOUND = re.compile(r"[0-9]+(?:\.[0-9]{1,3})?")


def looked_up(text: str) -> list[float | None]:
    """What is found in a text; None for what is in doubt."""
    coded = numbers.codes(text.encode() + b"\n")
    before, last = numbers.places(coded).reshape(-1, 2).T
    paired = numbers.pairs(coded)
    form, lengths = numbers.forms(paired, last), last - before
    floats, integers = numbers.floats(form), numbers.integers(form)
    long = np.flatnonzero(lengths > 4)
    integers[long], floats[long] = numbers.longer(paired, last[long], lengths[long], form[long])
    assert all(
        number == -1 or float(number) == other for number, other in zip(integers.tolist(), floats.tolist(), strict=True)
    )
    assert [number == -1 for number in integers.tolist()] == [
        "." in word or len(word) > 16 for word in re.findall(r"[0-9.]+", text)
    ]
    return [None if math.isnan(number) else number for number in floats.tolist()]


def expected(text: str) -> list[float | None]:
    """By `float`; of more than 16 characters none is looked up."""
    return [float(word) if SOUND.fullmatch(word) and len(word) <= 16 else None for word in re.findall(r"[0-9.]+", text)]


def test_every_form_of_up_to_five_characters_is_what_python_makes_of_it():
    forms = ["".join(form) for n in range(1, 6) for form in itertools.product("0.7x", repeat=n)]
    text = " ".join(forms)
    assert looked_up(text) == expected(text)


def test_all_numbers_to_a_hundred_thousand_are_themselves():
    text = "\n".join(map(str, range(100_000)))
    assert np.array_equal(looked_up(text), np.arange(100_000))


@given(st.lists(st.from_regex(r"[0-9.]{1,20}|[0-9]{1,20}|[0-9]{1,16}\.[0-9]{1,3}", fullmatch=True), min_size=1))
def test_numbers_of_any_length_are_what_python_makes_of_them_or_in_doubt(words: list[str]):
    text = "+".join(words)
    assert looked_up(text) == expected(text)


@given(st.text("0123456789.", min_size=1, max_size=40))
def test_one_at_a_time_gives_the_same(word: str):
    found = looked_up(word)[0]
    alone = numbers.exact(word.encode(), decimals=True)
    assert found is None or found == alone
    assert (alone is None) == (SOUND.fullmatch(word) is None or float(word) >= 10**18)
