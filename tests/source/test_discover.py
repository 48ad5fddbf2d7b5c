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
