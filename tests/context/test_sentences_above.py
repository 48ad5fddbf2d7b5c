"""Sentences between the runs of a page, below headings that name what was measured."""

from __future__ import annotations

from pathlib import Path

import wrkparse as wp
from tests.samples import WRK


def page(*sections: tuple[str, tuple[str, ...]]) -> str:
    """A page with a heading for each section, and a run below each of its sentences."""
    runs = ("".join(f"{said}\n\n```\n{WRK}```\n\n" for said in sentences) for _, sentences in sections)
    return "# Load\n\n" + "".join(f"## {name}\n\n{text}" for (name, _), text in zip(sections, runs, strict=True))


def test_what_is_remarked_on_each_server_alike_is_one_heading(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        page(
            ("brask", ("We run brask with its defaults.", "As one sees, brask is stable.")),
            ("quenlo", ("We run quenlo with its defaults.", "As one sees, quenlo is stable.")),
        )
    )
    runs = wp.read(tmp_path / "a.md").runs.sort_values("line")
    assert runs["framework"].tolist() == ["brask", "brask", "quenlo", "quenlo"]
    headings = runs["heading"].tolist()
    assert headings[:2] == headings[2:]
    assert headings[0] != headings[1]
    assert not any("brask" in heading or "quenlo" in heading for heading in headings)


def test_a_sentence_of_the_section_above_says_nothing_of_a_run(tmp_path: Path) -> None:
    said = "Then brask was as fast again."
    (tmp_path / "a.md").write_text(
        page(("brask", ("Here:", said)), ("quenlo", ("Here:", said.replace("brask", "quenlo"))))
    )
    runs = wp.read(tmp_path / "a.md").runs.sort_values("line")
    assert runs["framework"].tolist() == ["brask", "brask", "quenlo", "quenlo"]
    assert "brask" not in str(runs.get("heading", runs["framework"]).tolist()[2:])


def test_a_date_above_each_run_is_no_heading(tmp_path: Path) -> None:
    """As ``date`` prints it in a loop: the line above the first of the runs holds for all of them."""
    days = ("Thu Jan 28 00:37:25 UTC 2021", "Thu Jan 28 00:46:09 UTC 2021", "Fri Jan 29 09:05:00 UTC 2021")
    text = "".join(
        f"{state} changes:\n\n" + "".join(f"{number}] {day}\n\n{WRK}\n" for number, day in enumerate(days, 1))
        for state in ("Before", "After")
    )
    (tmp_path / "a.txt").write_text(text)
    runs = wp.read(tmp_path / "a.txt").runs.sort_values("line")
    assert runs["heading"].tolist() == ["Before changes"] * 3 + ["After changes"] * 3


def times(said: str, seconds: int) -> str:
    return f"{said}\n\nreal\t0m{seconds}.431s\nuser\t1m4.390s\nsys\t0m1.490s\n"


def below_names(*names: str) -> wp.Dataset:
    """A page with three runs of time(1), each in a fence with the lines of its program, below a name."""
    printed = ("Total took 41.4s", "Total took 36.9s", "count: 163\ntotal took: 20 s")
    runs = zip(names, printed, (41, 36, 20), strict=True)
    return wp.parse_text(
        "# Pictures\n\n" + "".join(f"{name}\n\n```\n{times(said, at)}```\n\n" for name, said, at in runs), source="a.md"
    )


def test_names_with_a_colon_are_above_what_programs_print() -> None:
    runs = below_names("go:", "go kiwi:", "rust:").runs.sort_values("line")
    assert runs["framework"].tolist() == ["go", "go kiwi", "rust"]


def test_lines_with_a_colon_that_are_no_known_names_are_headings() -> None:
    """They may be words of a sentence: only siblings that are known names show that they name something."""
    runs = below_names("emu:", "kiwi pool:", "plover:").runs.sort_values("line")
    assert runs["heading"].tolist() == ["emu", "kiwi pool", "plover"]
