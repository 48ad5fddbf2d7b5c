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
