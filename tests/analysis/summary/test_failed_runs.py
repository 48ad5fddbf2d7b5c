"""Files without results among files of runs, which may be runs that failed."""

from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp
from tests.samples import WRK
from wrkparse.analysis.summary.failed_runs import failed_sentence

REFUSED = "unable to connect to 127.0.0.1:8080 Connection refused\n"
CUT = "\n".join(WRK.splitlines()[:2]) + "\n"  # wrk, killed before it printed a result


@pytest.mark.parametrize(
    ("others", "words"),
    [
        ({}, ""),
        ({"notes.md": "# Notes\n"}, ""),
        (
            {"emu/4.txt": REFUSED},
            "emu/4.txt has a report without results: if this run failed, no number here shows it.",
        ),
        ({"emu/4.txt": ""}, "emu/4.txt is empty: if this run failed, no number here shows it."),
        (
            {"emu/4.txt": REFUSED, "emu/5.txt": CUT, "kiwi/4.txt": ""},
            (
                "2 files such as emu/4.txt have a report without results, and kiwi/4.txt is empty: if these runs failed, "
                "no number here shows it."
            ),
        ),
    ],
)
def test_files_without_results_are_named(tmp_path: Path, others: dict[str, str], words: str) -> None:
    files = {
        f"{name}/{number}.txt": WRK.replace("69.44", f"{number}.44") for name in ("emu", "kiwi") for number in "123"
    }
    for name, text in (files | others).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    dataset = wp.read(tmp_path)
    assert failed_sentence(dataset) == words
    found = wp.summary(dataset)
    assert (words in (*found.doubts, *found.notes)) == bool(words)


def test_a_report_without_results_on_a_page_with_runs_may_be_a_quotation() -> None:
    assert failed_sentence(wp.parse_text(f"```\n{WRK}```\n\n```\n{CUT}```\n")) == ""
    assert failed_sentence(wp.parse_text(CUT)) == ""
