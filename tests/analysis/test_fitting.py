"""Names in narrow columns."""

from __future__ import annotations

import pytest

from wrkparse.analysis.shown.fitting import cut_where_equal, fitted_columns, wrapped, wrapped_anywhere


@pytest.mark.parametrize(
    ("names", "most", "expected"),
    [
        (["kiwi", "emu"], 4, ["kiwi", "emu"]),
        (["release-of-kiwi", "release-of-emu"], 10, ["relea…kiwi", "relea…emu"]),  # five of the beginning fit
        (["release-of-kiwi", "release-of-emu"], 6, ["…kiwi", "…emu"]),  # one would say nothing
        (["kiwi-new", "kiwi-next"], 6, ["…new", "…next"]),  # whole words differ, not letters
        (["kiwi with a warm cache", "emu with a warm cache"], 12, ["kiwi with a…", "emu with a…"]),
        (["quokka", "wombat"], 3, ["quokka", "wombat"]),  # nothing agrees
        (["one name alone"], 5, ["one name alone"]),
        (["x" * 30 + "1", "", "x" * 30 + "2", "x" * 30 + "1"], 8, ["xxxxxx…1", "", "xxxxxx…2", "xxxxxx…1"]),
        (["a-long-beginning", "a-long-beginning-2"], 8, ["…beginning", "…beginning-2"]),
    ],
)
def test_names_are_cut_where_all_agree_and_differ_still(names: list[str], most: int, expected: list[str]) -> None:
    found = cut_where_equal(names, most)
    assert found == expected
    assert len(set(found)) == len(set(names))


def test_text_is_broken_at_blanks_and_else_only_where_it_must() -> None:
    assert wrapped("Maple proxy 2", 8) == ["Maple", "proxy 2"]
    assert wrapped("unbreakable", 4) == ["unbreakable"]
    assert wrapped_anywhere("net/http and more", 8) == ["net/http", "and more"]
    assert wrapped_anywhere("unbreakable", 8) == ["unbreaka", "ble"]
    assert wrapped_anywhere("", 8) == [""]


def test_the_widest_column_gives_way_first() -> None:
    columns = [["key", "a b"], ["name", "one two three four"]]
    assert fitted_columns(columns, 16, break_words=False) == [[["key"], ["a b"]], [["name"], ["one two three", "four"]]]
