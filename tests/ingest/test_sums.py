"""Sums of datasets that were read one by one are what reading all at once gives."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import wrkparse as wp
from tests.samples import WRK

FOLDERS = {
    "files of one name": ["old/1.txt", "new/1.txt"],
    "files of several names": ["left/kiwi.txt", "right/emu.txt"],
    "folders of one name": ["monday/out/1.txt", "tuesday/out/1.txt"],
    "three": ["kiwi/1.txt", "emu/1.txt", "teal/1.txt"],
    "one name, repeats": ["a/kiwi/run-1.txt", "b/kiwi/run-2.txt"],
}


@pytest.mark.parametrize("files", FOLDERS.values(), ids=FOLDERS)
def test_a_sum_has_the_names_and_labels_of_what_is_read_at_once(
    files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    roots = list(dict.fromkeys(file.split("/")[0] for file in files))
    parts = [wp.read(root) for root in roots]
    monkeypatch.chdir("/")  # the names come from where the files were
    whole = parts[0]
    for part in parts[1:]:
        whole = whole + part
    monkeypatch.chdir(tmp_path)
    expected = wp.read(*roots)
    assert whole.runs["source"].tolist() == [str(source) for source in expected.runs["source"]]
    for table in ("runs", "labels", "sources", "diagnostics"):
        assert facts(whole, table) == facts(expected, table), table


def test_two_servers_in_files_of_one_name_are_compared(tmp_path: Path) -> None:
    write(tmp_path, ["old/1.txt", "new/1.txt"])
    whole = wp.read(tmp_path / "old") + wp.read(tmp_path / "new")
    assert [str(name) for name in whole.runs["framework"]] == ["new", "old"]
    assert wp.compare(whole, metric="throughput").rows == ("framework",)


def test_a_file_that_is_read_again_keeps_its_name(tmp_path: Path) -> None:
    log = tmp_path / "out.txt"
    log.write_text(WRK)
    before = wp.read(log)
    log.write_text(WRK.replace("40669.44", "40668.44"))
    assert (before + wp.read(log)).runs["source"].tolist() == ["out.txt"] * 2


def test_texts_are_told_apart_by_their_names() -> None:
    whole = wp.parse_text(WRK, "kiwi.txt") + wp.parse_text(WRK, "emu.txt")
    assert [str(name) for name in whole.runs["framework"]] == ["emu", "kiwi"]


def write(root: Path, files: list[str]) -> None:
    for number, file in enumerate(files):
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(WRK.replace("40669.44", f"4066{number}.44"))  # each run is another one


def facts(dataset: wp.Dataset, table: str) -> list[dict[str, object]]:
    """The rows of a table, without what depends on when it was made; runs by their sources."""
    rows: pd.DataFrame = getattr(dataset, table)
    named = dict(zip(dataset.runs["run"], dataset.runs["source"], strict=True))
    if "run" in rows:
        rows = rows.assign(run=rows["run"].map(named))
    rows = rows.drop(columns=["ingested_at"], errors="ignore")
    return [{key: str(value) for key, value in row.items()} for row in rows.to_dict("records")]
