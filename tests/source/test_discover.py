"""Which files the arguments of a command name."""

from __future__ import annotations

from pathlib import Path

import pytest

from wrkparse.source.discover import find_sources


@pytest.mark.parametrize("other", ["./a.log", "logs/../a.log", "logs/../logs/../a.log", "{here}/logs/../a.log"])
def test_a_file_that_is_spelled_in_two_ways_is_one(other: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "a.log").write_text("")
    monkeypatch.chdir(tmp_path)
    found, problems = find_sources(["a.log", other.format(here=tmp_path)])
    assert len(found) == 1
    assert problems == []


def test_a_folder_that_is_spelled_in_two_ways_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.log").write_text("")
    monkeypatch.chdir(tmp_path)
    assert len(find_sources(["logs", "logs/../logs"])[0]) == 1


def test_the_parent_of_a_linked_folder_is_that_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "far" / "logs").mkdir(parents=True)
    (tmp_path / "far" / "a.log").write_text("")
    (tmp_path / "a.log").write_text("")
    (tmp_path / "linked").symlink_to(tmp_path / "far" / "logs")
    monkeypatch.chdir(tmp_path)
    found, _ = find_sources(["a.log", "linked/../a.log"])
    assert sorted(file.origin or "" for file in found) == [str(tmp_path / "a.log"), str(tmp_path / "far" / "a.log")]


def test_links_to_directories_are_named_unless_what_they_lead_to_is_read(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "logs" / "2026-11-02").mkdir(parents=True)
    (tmp_path / "logs" / "latest").symlink_to("2026-11-02")
    for number in range(6):
        (tmp_path / "logs" / f"far{number}").symlink_to(tmp_path / "far")
    found, (problem, empty) = find_sources([str(tmp_path / "logs")])
    assert found == []
    assert problem.code == "not-a-file"
    named = ", ".join(f"far{number} (a link to a directory)" for number in range(5))
    assert problem.message == f"not read: {named} and 1 more"
    assert empty.code == "empty"
