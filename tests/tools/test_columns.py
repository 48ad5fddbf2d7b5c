"""The decoder of many equal lines, on lines of its own: numbers, order, and what it must not believe."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrkparse.model.records import Column
from wrkparse.tools.columnar.decode import decode, events_schema, joined_table
from wrkparse.tools.columnar.shapes import ShapeGroup, shape

pytestmark = pytest.mark.usefixtures("loops")

PAIR = shape("n {whole} took {time} ms, {more}->{less} P", frozenset({"time"}), kind="pair")
SINGLE = shape("alone {whole}", kind="single")
SHAPES = {known.skeleton: known for known in (PAIR, SINGLE)}


def read(*lines: bytes) -> tuple[list[ShapeGroup], dict[int, str]]:
    groups, bad = decode(lines, SHAPES.get)
    return groups, dict(bad)


def rows(*lines: bytes) -> dict[int, dict[str, float]]:
    """Each line's numbers by its index, through all groups."""
    return {
        int(index): {name: column[i].item() for name, column in group.columns.items()}
        for group in read(*lines)[0]
        for i, index in enumerate(group.indices)
    }


def test_a_template_gives_names_and_the_text_around_the_numbers():
    assert PAIR.names == ("whole", "time", "more", "less")
    assert PAIR.gaps == (b"n ", b" took ", b" ms, ", b"->", b" P")
    assert PAIR.skeleton == b"n  took  ms, -> P"
    assert PAIR.constants == {"kind": "pair"}


def test_numbers_are_read_with_their_types():
    groups, bad = read(b"n 7 took 0.13 ms, 4->3 P", b"n 8 took 2192 ms, 6370->3298 P")
    assert not bad
    (group,) = groups
    assert group.indices.tolist() == [0, 1]
    assert {name: (str(column.dtype), column.tolist()) for name, column in group.columns.items()} == {
        "whole": ("int64", [7, 8]),
        "time": ("float64", [0.13, 2192.0]),
        "more": ("int64", [4, 6370]),
        "less": ("int64", [3, 3298]),
    }


def test_lines_of_several_shapes_keep_their_places():
    assert rows(b"alone 1", b"n 7 took 1 ms, 4->3 P", b"what?", b"alone 2") == {
        0: {"whole": 1},
        1: {"whole": 7, "time": 1.0, "more": 4, "less": 3},
        3: {"whole": 2},
    }


def test_nothing_gives_nothing():
    assert read() == ([], {})


def test_blanks_at_the_end_do_not_count():
    assert rows(b"alone 1\r", b"alone 2\r") == {0: {"whole": 1}, 1: {"whole": 2}}
    assert rows(b"alone 1", b"alone 2 \t") == {0: {"whole": 1}, 1: {"whole": 2}}


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b"n 7 took 0.1320 ms, 4->3 P", id="four decimals: two numbers ran together"),
        pytest.param(b"n 7 took 0.132026 ms, 4->3 P", id="six decimals"),
        pytest.param(b"n 7 took .5 ms, 4->3 P", id="nothing before the dot"),
        pytest.param(b"n 7 took 5. ms, 4->3 P", id="nothing behind the dot"),
        pytest.param(b"n 7 took . ms, 4->3 P", id="a dot alone"),
        pytest.param(b"n 7 took 1.2.3 ms, 4->3 P", id="two dots"),
        pytest.param(b"n 7.5 took 1 ms, 4->3 P", id="decimals in a whole number"),
        pytest.param(b"n 7 took 1 ms, 1000000000000000000->3 P", id="more than any counter holds"),
        pytest.param(b"n 7 took 1 ms, 99999999999999999999->3 P", id="more than an int64 holds"),
        pytest.param(b"n 7 took " + b"9" * 400 + b" ms, 4->3 P", id="more than a double holds"),
        pytest.param(b"n 7 took  ms, 4->3 P", id="a number is missing"),
        pytest.param(b"n 7 took 1 ms, 4->3 P8", id="digits behind the line"),
        pytest.param(b"8n 7 took 1 ms, 4->3 P", id="digits in front of the line"),
        pytest.param(b"n 7 t2ook 1 ms, 4->3 P", id="digits in a word"),
        pytest.param(b"n 7 took 1 ms, 4-2>3 P", id="digits in an arrow"),
        pytest.param(b"n7  took 1 ms, 4->3 P", id="a number at another place"),
        pytest.param(b"n 7 took 1 ms, 4->3", id="cut"),
        pytest.param(b"n 7 took -1 ms, 4->3 P", id="a sign"),
        pytest.param(b"n 7 took 1e3 ms, 4->3 P", id="an exponent"),
        pytest.param(b"n 7\xa0took 1 ms, 4->3 P", id="another blank"),
        pytest.param("n ７ took 1 ms, 4->3 P".encode(), id="another script's digit"),
        pytest.param(b"n 7 took 1 ms, 4->3 P n 8 took 1 ms, 4->3 P", id="two lines in one"),
        pytest.param(b"n 7 took 1 ms, 4->3 P\nn 8 took 1 ms, 4->3 P", id="a line break"),
        pytest.param(b"", id="empty"),
    ],
)
def test_a_doubtful_line_is_bad_and_costs_only_itself(line: bytes):
    sound = b"n 7 took 0.13 ms, 4->3 P"
    expected = {"whole": 7, "time": 0.13, "more": 4, "less": 3}
    for lines in ([line], [line, line], [sound, line, sound], [line, sound]):
        _, bad = read(*lines)
        assert set(bad) == {i for i, each in enumerate(lines) if each == line}
        assert rows(*lines) == {i: expected for i, each in enumerate(lines) if each == sound}


def test_a_reason_names_the_number_and_its_meaning():
    assert read(b"n 7 took 0.1320 ms, 4->3 P")[1] == {0: "'0.1320' is not a number of time"}
    assert "is in the wrong place" in read(b"n 7 t2ook 1 ms, 4->3 P")[1][0]
    assert "cut" in read(b"n 7 took")[1][0]
    assert len(read(b"alone " + b"7" * 10_000)[1][0]) < 100


def test_zeros_in_front_are_no_reason_to_doubt():
    assert rows(b"n 007 took 00.5 ms, 0->" + b"0" * 40 + b"3 P") == {0: {"whole": 7, "time": 0.5, "more": 0, "less": 3}}


def test_thousands_of_zeros_in_front_raise_nothing():
    assert rows(b"alone " + b"0" * 5000 + b"7") == {0: {"whole": 7}}


whole = st.integers(0, 10**18 - 1).map(str)
time = st.decimals(0, 10**12, places=3, allow_nan=False).map(lambda d: f"{d:f}") | st.integers(0, 10**12).map(str)


@given(st.lists(st.tuples(whole, time, whole, whole), min_size=1, max_size=20))
def test_every_number_is_the_float_or_int_of_its_text(numbers: list[tuple[str, str, str, str]]):
    lines = [f"n {a} took {b} ms, {c}->{d} P".encode() for a, b, c, d in numbers]
    assert rows(*lines) == {
        i: {"whole": int(a), "time": float(b), "more": int(c), "less": int(d)} for i, (a, b, c, d) in enumerate(numbers)
    }


fragment = st.sampled_from(
    [b"n ", b"7", b"0.5", b" took ", b"1.", b" ms, ", b"->", b" P", b"alone ", b"\r", b"\n", b"x", b"\xa0"]
)
lines_of_fragments = st.lists(
    st.lists(fragment, max_size=10).map(b"".join)
    | st.sampled_from([b"n 7 took 0.13 ms, 4->3 P", b"alone 1", b"n 7 took 0.1320 ms, 4->3 P", b"alone 12\r"]),
    max_size=8,
)


@given(lines_of_fragments)
def test_a_line_is_judged_alike_alone_and_among_others(lines: list[bytes]):
    together = rows(*lines)
    apart = {i: rows(line)[0] for i, line in enumerate(lines) if rows(line)}
    assert together == apart
    assert set(together) | set(read(*lines)[1]) == set(range(len(lines)))
    assert not set(together) & set(read(*lines)[1])


@given(st.text("ab ,:>/", min_size=1, max_size=6), st.lists(st.text("ab ,:>/-", min_size=1, max_size=5), min_size=1))
def test_any_text_may_stand_between_the_numbers(first: str, gaps: list[str]):
    names = [f"n{i}" for i in range(len(gaps))]
    known = shape(first + "".join(f"{{{name}}}{gap}" for name, gap in zip(names, gaps, strict=True)))
    line = first + "".join(f"{i * 37}{gap}" for i, gap in enumerate(gaps))
    groups, bad = decode([line.encode()] * 2, {known.skeleton: known}.get)
    if line.rstrip(" ") == line:
        assert not bad
        assert {name: column.tolist() for name, column in groups[0].columns.items()} == {
            name: [i * 37] * 2 for i, name in enumerate(names)
        }


def test_lines_among_thousands_keep_their_places():
    lines = [f"n {i} took 0.{i % 10} ms, {2 * i}->1 P".encode() for i in range(7000)]
    lines[2047], lines[4100], lines[6999] = b"alone 5", b"n 1 took 0.1320 ms, 4->3 P", b"what?"
    groups, bad = read(*lines)
    assert set(bad) == {4100, 6999}
    pairs, singles = sorted(groups, key=lambda group: group.words["kind"])
    assert singles.indices.tolist() == [2047]
    assert pairs.indices.tolist() == [i for i in range(7000) if i not in {2047, 4100, 6999}]
    assert pairs.columns["whole"].tolist() == pairs.indices.tolist()
    assert pairs.columns["more"].tolist() == [2 * i for i in pairs.indices.tolist()]
    assert pairs.columns["time"].tolist() == [(i % 10) / 10 for i in pairs.indices.tolist()]


def test_a_line_of_a_thousand_numbers_is_read():
    known = shape("[" + " ".join(f"{{n{i}}}" for i in range(1000)) + "]")
    line = ("[" + " ".join(map(str, range(1000))) + "]").encode()
    groups, bad = decode([line], {known.skeleton: known}.get)
    assert not bad
    assert [column[0].item() for column in groups[0].columns.values()] == list(range(1000))


COLUMNS = (
    Column("count", "int", ""),
    Column("share", "float", ""),
    Column("flag", "bool", ""),
    Column("word", "string", ""),
    Column("list", "ints", ""),
)


def test_a_table_has_its_parts_in_the_order_of_their_lines():
    ones = ([0, 2], {"count": pa.array([10, 12]), "word": "one"})
    twos = ([1], {"share": pa.array([0.5]), "flag": True, "list": pa.array([[1, 2]])})
    parts = [(pa.array(indices).to_numpy(), values) for indices, values in (twos, ones)]
    assert joined_table(events_schema(COLUMNS), parts).to_pylist() == [
        {"index": 0, "count": 10, "share": None, "flag": None, "word": "one", "list": None},
        {"index": 1, "count": None, "share": 0.5, "flag": True, "word": None, "list": [1, 2]},
        {"index": 2, "count": 12, "share": None, "flag": None, "word": "one", "list": None},
    ]


def test_a_table_of_nothing_has_its_columns():
    empty = joined_table(events_schema(COLUMNS), [])
    assert empty.num_rows == 0
    assert empty.schema.names == ["index", "count", "share", "flag", "word", "list"]
    assert empty.schema.field("list").type == pa.list_(pa.int64())
