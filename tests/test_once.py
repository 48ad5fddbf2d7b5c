"""Processes that run tests side by side make what is shared once."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.once import made_once


def process(folder: Path) -> pytest.TempPathFactory:
    """The factory of a process of a run in this folder."""
    folder.mkdir()
    return pytest.TempPathFactory(folder, 3, "none", None, folder, _ispytest=True)


@pytest.mark.skipif(sys.platform == "win32", reason="each process makes its own")
def test_the_second_process_has_what_the_first_one_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw0")
    made: list[str] = []

    def make() -> dict[str, int]:
        made.append("made")
        return {"a": len(made)}

    def fails() -> dict[str, int]:
        raise OSError("no space")

    one, two = process(tmp_path / "one"), process(tmp_path / "two")
    with pytest.raises(OSError, match="no space"):
        made_once(one, "it", fails)  # leaves it to the next one
    assert made_once(two, "it", make) == made_once(one, "it", make) == {"a": 1}
    assert made_once(two, "other", make) == {"a": 2}


def test_a_process_alone_makes_it_as_often_as_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    made: list[str] = []
    for _ in range(2):
        made_once(process(tmp_path / str(len(made))), "it", lambda: made.append("made"))
    assert len(made) == 2
