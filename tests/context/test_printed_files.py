"""The names of files that grep prints in front of the lines of results; expected by eye, as of names of files."""

from __future__ import annotations

import pandas as pd
import pytest

import wrkparse as wp


def runs_of(*files: str) -> list[tuple[str | None, ...]]:
    """The framework, the heading and the connections of a result in each file, in their order."""
    lines = [f"{file}:Requests/sec:  {8000 + 17 * number}.73\n" for number, file in enumerate(files)]
    runs = wp.parse_text("$ grep Requests/sec logs/*.txt\n" + "".join(lines)).runs.sort_values("line")
    assert "process" not in runs
    rows = runs.reindex(columns=["framework", "heading", "connections"]).astype(object)
    return [tuple(None if pd.isna(value) else value for value in row) for row in rows.to_numpy()]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ("logs/kiwi.1.txt logs/kiwi.2.txt logs/kiwi-cached.1.txt logs/kiwi-cached.2.txt",
         [("kiwi", None, None)] * 2 + [("kiwi-cached", None, None)] * 2),
        ("kiwi-1.log kiwi-2.log emu-1.log emu-2.log", [("kiwi", None, None)] * 2 + [("emu", None, None)] * 2),
        ("out/kiwi/run1.txt out/kiwi/run2.txt out/emu/run1.txt",
         [("kiwi", None, None)] * 2 + [("emu", None, None)]),
        ("logs/kiwi-c8-1.txt logs/kiwi-c64-1.txt logs/emu-c8-1.txt logs/emu-c64-1.txt",
         [("kiwi", None, 8), ("kiwi", None, 64), ("emu", None, 8), ("emu", None, 64)]),
        ("logs/http.txt logs/https.txt", [(None, "http", None), (None, "https", None)]),
        ("logs/run1.txt logs/run2.txt", [(None, None, None)] * 2),
    ],
)  # fmt: skip
def test_names_of_files_in_front_of_results_are_read_as_those_of_files(
    files: str, expected: list[tuple[str | None, ...]]
) -> None:
    assert runs_of(*files.split()) == expected


def test_other_names_in_front_of_results_are_processes() -> None:
    page = "".join(f"{name}: Requests/sec:  {rate}.73\n" for name, rate in (("web-a", 8100), ("web-b", 8200)))
    assert sorted(wp.parse_text(page).runs["process"]) == ["web-a", "web-b"]
