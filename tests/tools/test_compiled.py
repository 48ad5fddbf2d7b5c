"""The compiled loops give what Python code gives, and refuse arguments that reach beyond a buffer."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrkparse.tools.columnar import compiled, compiled_decoder, regex_decoder
from wrkparse.tools.columnar.buffers import Lines
from wrkparse.tools.columnar.shapes import Shape, ShapeGroup, shape

pytestmark = pytest.mark.skipif(not compiled.COMPILED, reason="the package was installed without a C compiler")

TEXTS = st.text("gc 1@x\n", max_size=300).map(str.encode)
WORDS = [
    "n ",
    " took ",
    " ms",
    ",",
    "->",
    " more words than eight bytes ",
    "7",
    "12.5",
    "0.125",
    "0.1234",
    "1" * 16,
    " ",
    "\r",
    "",
    "é",
]
PAIR = shape("n {whole} took {time} ms", frozenset({"time"}), kind="pair", long=False)
LONG = shape("n {whole} took {time} ms more words than eight bytes ", frozenset({"time"}), kind="pair", long=True)
LISTED = shape("n {whole},{some*}->{some*}", kind="listed")
BARE = shape("{whole}", kind="bare")
SHAPES = {known.skeleton: known for known in (PAIR, LONG, LISTED, BARE)}


def places(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


@given(TEXTS, st.sampled_from([b"\n", b"g", b" @", b"cc"]), st.integers(0, 40))
def test_where_is_where_python_finds_it_as_far_as_there_is_room(text: bytes, what: bytes, room: int):
    expected = [match.start() for match in re.finditer(b"(?=" + what + b")", text)]
    found = np.full(room, -1, np.int64)
    assert compiled.where(np.frombuffer(text, np.uint8), what, found) == len(expected)
    assert found[: len(expected)].tolist() == expected[:room]


@given(TEXTS)
def test_openings_are_where_a_pattern_finds_them(text: bytes):
    expected = [match.start() for match in re.finditer(rb"(?=gc [0-9]{1,3} @)", text)]
    marks = places(*(match.start() for match in re.finditer(rb"(?= @)", text)))
    count = compiled.openings(np.frombuffer(text, np.uint8), b"gc ", 3, b" @", marks)
    assert marks[:count].tolist() == expected


@given(TEXTS, st.data())
def test_cut_gives_the_pieces(text: bytes, data: st.DataObject):
    edges = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=20).filter(lambda some: len(some) % 2 == 0)))
    starts, stops = edges[::2], edges[1::2]
    pieces = b"".join(text[a:b] for a, b in zip(starts, stops, strict=True))
    assert compiled.cut(text, places(*starts), places(*stops)) == pieces


def cells(groups: list[ShapeGroup]) -> dict[int, dict[str, object]]:
    """What each line holds, by its index."""
    found: dict[int, dict[str, object]] = {}
    for group in groups:
        for at, index in enumerate(group.indices.tolist()):
            row = {name: column[at].tolist() for name, column in group.columns.items()}
            words = {
                key: word[at].item() if isinstance(word, np.ndarray) else word for key, word in group.words.items()
            }
            assert found.setdefault(index, row | words) == row | words
    return found


def of(skeleton: bytes) -> Shape | None:
    return SHAPES.get(skeleton)


usual = st.builds(
    "n {} took {}.{} ms{}".format,
    st.integers(0, 10**6),
    st.integers(0, 99),
    st.integers(0, 999),
    st.sampled_from(["", "\t", " more words than eight bytes "]),
)
listed = st.builds("n {},{}->{}".format, *[st.integers(0, 10**15 - 1)] * 3)
any_line = st.lists(st.sampled_from(WORDS), max_size=8).map("".join) | usual | listed | st.integers(0, 10**17).map(str)


@given(st.lists(any_line, min_size=1, max_size=30))
def test_lines_are_read_as_by_regular_expressions_or_left_to_them(some: list[str]):
    lines = Lines.of([line.encode() for line in some])
    groups, left = compiled_decoder.decode_lines(lines, of)
    expected, _ = regex_decoder.decode_lines(lines, of)
    read = cells(groups)
    assert {index: row for index, row in cells(expected).items() if index not in set(left.tolist())} == read
    assert sorted([*read, *left.tolist()]) == list(range(len(some)))


def test_usual_lines_are_all_read():
    lines = Lines.of([b"n 7 took 1.5 ms", b"n 8 took 2 ms more words than eight bytes \r", b"n 1,22->333", b"9"])
    groups, left = compiled_decoder.decode_lines(lines, of)
    assert not len(left)
    assert cells(groups) == {
        0: {"whole": 7, "time": 1.5, "kind": "pair", "long": False},
        1: {"whole": 8, "time": 2.0, "kind": "pair", "long": True},
        2: {"whole": 1, "some": [22, 333], "kind": "listed"},
        3: {"whole": 9, "kind": "bare"},
    }


def test_a_shape_of_many_numbers_does_not_take_memory_for_lines_that_are_too_short_for_it():
    wide = shape(" ".join(["{all*}"] * 4000), kind="wide")
    known = {each.skeleton: each for each in (wide, BARE)}
    lines = Lines.of([b"1 " * 3999 + b"1", *[b"7"] * 50_000])
    groups, left = compiled_decoder.decode_lines(lines, known.get)
    assert left.tolist() == [0]  # the cells for it would take 1.6 GB
    assert [len(group.indices) for group in groups] == [50_000]


TEXT = b"n 7\nn 8\n"


def told(**others: object) -> int:
    """Has two lines read, with some other arguments than those that are right."""
    right: dict[str, object] = {
        "text": TEXT, "ends": places(3, 7), "gaps": (b"n ", b""), "kinds": b"\0", "cells": np.zeros(2, np.int64),
        "places": places(0, 1), "marks": np.zeros(2, np.uint8), "mark": 1,
    }  # fmt: skip
    return compiled.read(*(right | others).values())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [
        {"ends": places(3, 9)}, {"ends": places(7, 3)}, {"ends": places(-1, 3)}, {"gaps": (b"n ",)}, {"gaps": ()},
        {"places": places(1, 1)}, {"places": places(-1, 1)}, {"places": places(0, -1)}, {"places": places(0, 2**62)},
        {"places": places(2**62, 1)}, {"places": places(0)}, {"marks": np.zeros(1, np.uint8)}, {"mark": 0}, {"mark": 256},
        {"cells": np.zeros(1, np.int64)}, {"cells": np.zeros(0, np.int64)},
    ],
    ids=str,
)  # fmt: skip
def test_what_would_reach_beyond_a_buffer_is_refused(wrong: dict[str, object]):
    assert told() == 2
    with pytest.raises(ValueError, match=r"line|column"):
        told(**wrong)


def test_places_outside_of_a_text_are_refused():
    text = np.frombuffer(TEXT, np.uint8)
    for starts, stops in (([0], [9]), ([5], [4]), ([4, 0], [5, 1]), ([-1], [1]), ([0], [])):
        with pytest.raises(ValueError, match="rising"):
            compiled.cut(TEXT, places(*starts), places(*stops))
    for mark, at in ((b" @", [7]), (b" @", [-1]), (b" @", [3, 2]), (b"@", [0])):
        with pytest.raises(ValueError, match="mark"):
            compiled.openings(text, b"gc ", 3, mark, places(*at))
    with pytest.raises(ValueError, match="one or two"):
        compiled.where(text, b"abc", places())


def test_numbers_that_doubles_would_round_twice_or_of_another_form_are_left_to_python() -> None:
    steps = ({"k": (1000, 1, 0.5), "x": (1, 3, 0.0), "huge": (1 << 70, 1, 0.0)},)
    assert compiled.numbers(("1.5", "k"), steps) == ((15_000.0,), (0.5,))  # of the digits, 15
    others = [
        ("1e5", "k"),
        ("", "k"),
        (".", "k"),
        ("1" * 19, "x"),
        ("5", "M"),
        ("5", "huge"),
        ("9007199254740993", "x"),
    ]
    assert [compiled.numbers(texts, steps) for texts in others] == [None] * len(others)


def test_numbers_need_digits_and_a_suffix_for_each() -> None:
    steps = ({"k": (1000, 1, 0.5)},)
    for texts in ((), ("1", "k", "2"), ("1", "k", "2", "k")):
        with pytest.raises(ValueError, match="the digits and the suffix of each number"):
            compiled.numbers(texts, steps)
    with pytest.raises(TypeError):
        compiled.numbers(["1", "k"], steps)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        compiled.numbers(("1", "k"), ({"k": ("1", "2", 0.5)},))  # type: ignore[dict-item]
    assert compiled.numbers(("1", "k"), ({"k": (1000, 1)},)) is None  # type: ignore[dict-item]
