"""Numbers in front of titles that only count them, and numbers that do not.

Expected labels are read by eye from the titles.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp
from tests.context.test_strangers import named, written

_IN_TURN = ["kiwi", "emu"] * 3
_IN_BLOCKS = ["kiwi"] * 3 + ["emu"] * 3


@pytest.mark.parametrize("names", [_IN_TURN, _IN_BLOCKS], ids=["in turn", "in blocks"])
@pytest.mark.parametrize(
    "form",
    ["# {n:02} {name}", "[{n}] {name}", "== {n} {name} ==", "#{n} {name}", "No. {n} {name}", "{n:03}_{name}"],
)
def test_numbers_that_count_titles_are_no_part_of_names(form: str, names: list[str]) -> None:
    page = "\n\n".join(f"{form.format(n=n, name=name)}\n\n@" for n, name in enumerate(names, 1))
    assert named(page) == names


@pytest.mark.parametrize("form", ["{n:02}_{name}", "{n:03}-{name}", "{n:02}.{name}", "{n:02} {name}"])
def test_numbers_that_count_titles_do_not_distinguish_runs(form: str) -> None:
    page = "\n\n".join(f"{form.format(n=n, name=name)}\n\n@" for n, name in enumerate(_IN_TURN, 1))
    cells = wp.compare(wp.parse_text(written(page), source="x.log"), metric="throughput").cells
    assert dict(zip(cells["framework"], cells["n"], strict=True)) == {"kiwi": 3, "emu": 3}


def test_numbers_that_count_files_are_no_part_of_names(tmp_path: Path) -> None:
    for number, name in enumerate(_IN_TURN, 1):
        (tmp_path / f"{number:03}.{name}.txt").write_text(written("\n" * number + "@"))
    runs = wp.read(tmp_path).runs.sort_values("source")
    assert runs["framework"].tolist() == _IN_TURN


@pytest.mark.parametrize(
    ("titles", "names"),
    [
        (["2 kiwi", "4 emu", "8 kiwi", "16 emu"], ["2 kiwi", "4 emu", "8 kiwi", "16 emu"]),  # not in turn: a setting
        (["3scale", "4store", "3scale", "4store"], ["3scale", "4store", "3scale", "4store"]),
        # The numbers may be amounts of what all titles say.
        (["1 ms kiwi", "2 ms emu", "3 ms kiwi", "4 ms emu"], ["1 ms kiwi", "2 ms emu", "3 ms kiwi", "4 ms emu"]),
        (["1 kiwi node", "2 emu nodes", "3 kiwi nodes", "4 emu nodes"],) * 2,
        (["1 kiwi", "2 emu"], ["1 kiwi", "2 emu"]),  # no name comes again: the numbers may belong to the names
    ],
)
def test_other_numbers_stay(titles: list[str], names: list[str]) -> None:
    assert named("\n\n".join(f"## {title}\n\n@" for title in titles)) == names


def test_numbers_of_settings_stay() -> None:
    titles = ["1 core kiwi", "2 cores kiwi", "3 cores emu", "4 cores emu"]
    page = "\n\n".join(f"## {title}\n\n@" for title in titles)
    runs = wp.parse_text(written(page), source="x.log").runs.sort_values("line")
    assert runs["cores"].astype(int).tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "line",
    [
        "[1] 12345",
        "[1]+  Done    ./moa",
        "[2]    4321 terminated  ./moa",
        "[1]  + done       ./moa",
        "[1]   Done  ./moa",
    ],
)
def test_lines_of_a_shell_s_jobs_name_nothing(line: str) -> None:
    assert named(f"kiwi:\n@\n{line}\nemu:\n@") == ["kiwi", "emu"]


@pytest.mark.parametrize(
    "form", ["[{n}] 10 connections, {name}", "[{n}] running {name} ...", "[{n}] 100 users: {name}"]
)
def test_numbers_in_brackets_before_other_numbers_and_words_are_no_jobs(form: str) -> None:
    """The runs lost their name, and were pooled."""
    assert named("\n".join(f"{form.format(n=n, name=name)}\n@\n@" for n, name in ((1, "kiwi"), (2, "emu")))) == [
        "kiwi", "kiwi", "emu", "emu",
    ]  # fmt: skip
