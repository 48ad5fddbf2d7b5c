from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wrkparse.plot.names import shorten, shorten_distinct, text_columns


def test_names_that_fit_stay_as_they_are() -> None:
    assert shorten_distinct(["go net/http", "go fasthttp"], 20) == ["go net/http", "go fasthttp"]


def test_words_that_all_names_share_are_left_out() -> None:
    names = [f"company web framework {kind} with json" for kind in ("alpha", "beta")]
    assert shorten_distinct(names, 12) == ["… alpha …", "… beta …"]


def test_a_name_that_begins_another_keeps_a_word() -> None:
    assert shorten_distinct(["a long framework", "a long framework tuned"], 16) == ["… framework", "… framew…k tuned"]


def test_names_are_cut_where_they_agree() -> None:
    """The names differ in one letter in the middle of a word."""
    names = ["x" * 40 + letter + "y" * 40 for letter in "ab"]
    assert shorten_distinct(names, 12) == ["…xxayyyyyyy…", "…xxbyyyyyyy…"]


def test_the_end_of_a_name_fills_the_width_where_it_differs() -> None:
    names = ["a" * 8 + "z" * 20 + "b" * 8 + letter for letter in "xy"]
    assert shorten_distinct(names, 9) == ["aaaa…bbbx", "aaaa…bbby"]


def test_chinese_characters_take_two_columns() -> None:
    assert shorten("高性能网络框架", 9) == "高性能网…"
    assert text_columns("高性能") == 6


@given(st.lists(st.text("ab 高", max_size=30), min_size=1, max_size=8), st.integers(8, 20))
def test_distinct_names_stay_distinct_and_fit(texts: list[str], width: int) -> None:
    found = shorten_distinct(texts, width)
    whole = [" ".join(text.split()) for text in texts]
    assert len(set(zip(whole, found, strict=True))) == len(set(whole)) == len(set(found))
    assert all(text_columns(name) <= width for name in found)
