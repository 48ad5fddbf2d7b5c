"""Reports in several places count once: quoted, in a backup, in a file of all. p values are 2 / C(2n, n)."""

from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp
from tests.samples import WRK
from wrkparse.analysis.comparison.text.notes import cautions
from wrkparse.analysis.runs.selection import NothingToCompareError

RATES = {"kiwi": (40100, 40900, 40300, 40700), "emu": (32500, 32100, 32900, 32300)}


def report(rate: int) -> str:
    text = WRK.replace("40669.44", f"{rate}.25").replace("410759", f"{round(rate * 10.1)}")
    return text.replace("5.11k", f"{rate / 8000:.2f}k")


def page(title: str = "{}:") -> str:
    return "\n".join(f"{title.format(name)}\n\n" + "\n".join(map(report, rates)) for name, rates in RATES.items())


def files(folder: Path, suffix: str = ".txt") -> None:
    folder.mkdir(exist_ok=True)
    for name, rates in RATES.items():
        for at, rate in enumerate(rates, 1):
            (folder / f"{name}-{at}{suffix}").write_text(report(rate))


def check_four_each(folder: Path) -> None:
    table = wp.compare(wp.read(folder))
    assert (table.rows, table.columns, set(table.cells["n"])) == (("framework",), (), {4})
    assert "p = 0.029, 4 runs each" in table.sentences[0]  # 2 / 70
    assert len(table.copies) == 8
    assert table.copies["dropped"].all()
    assert any(note.startswith("duplicate reports, counted once: ") for note in cautions(table))


@pytest.mark.parametrize("mark", ["> ", "> > ", "| "])
def test_quoted_reports_are_no_new_runs(tmp_path: Path, mark: str) -> None:
    quoted = "".join(f"{mark}{line}\n" for line in page().splitlines())
    (tmp_path / "mail.txt").write_text(f"Hi,\n\n{page()}\nOn Monday, Ann wrote:\n\n{quoted}")
    check_four_each(tmp_path)


def test_a_backup_of_a_folder_is_no_setting(tmp_path: Path) -> None:
    files(tmp_path / "logs")
    files(tmp_path / "backup")
    check_four_each(tmp_path)


def test_an_older_copy_in_a_folder_beside_the_files_is_no_setting(tmp_path: Path) -> None:
    files(tmp_path)
    files(tmp_path / "archive-2026-11-20")
    check_four_each(tmp_path)


def test_files_and_one_of_all_of_them_are_the_same_runs(tmp_path: Path) -> None:
    files(tmp_path, ".log")
    (tmp_path / "all.log").write_text(page("== {} =="))
    check_four_each(tmp_path)


def test_a_file_with_other_line_ends_is_a_copy(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(page())
    (tmp_path / "b.log").write_bytes(page().replace("\n", "\r\n").encode())
    check_four_each(tmp_path)


def test_the_copies_of_the_larger_place_stay_if_others_have_only_some(tmp_path: Path) -> None:
    files(tmp_path / "logs")
    files(tmp_path / "backup")
    for path in (tmp_path / "backup").glob("*-[34].txt"):
        path.unlink()
    table = wp.compare(wp.read(tmp_path))
    assert (table.columns, set(table.cells["n"])) == ((), {4})
    assert [where.partition("/")[0] for where in table.copies["where"]] == ["backup"] * 4


def test_of_one_report_with_two_names_nobody_knows_whose_it_is(tmp_path: Path) -> None:
    files(tmp_path)
    (tmp_path / "emu-4.txt").write_text(report(RATES["kiwi"][3]))
    table = wp.compare(wp.read(tmp_path))
    assert set(table.cells["n"]) == {4}
    assert table.copies["dropped"].tolist() == [False]


def test_folders_of_copies_are_compared_if_nothing_else_is_there_or_they_are_asked_for(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        for at, rate in enumerate(RATES["kiwi"], 1):
            (tmp_path / name / f"kiwi-{at}.txt").write_text(report(rate))
    table = wp.compare(wp.read(tmp_path))
    assert table.cells["n"].tolist()[:2] == [4, 4]
    assert not table.copies["dropped"].any()
    asked = wp.compare(wp.read(tmp_path), rows=table.rows)
    assert asked.cells["n"].tolist()[:2] == [4, 4]


def test_one_report_in_two_files_is_one_run(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(f"```\n{report(RATES['kiwi'][0])}\n```\n")
    (tmp_path / "result.txt").write_text(report(RATES["kiwi"][0]))
    with pytest.raises(NothingToCompareError, match=r"only one run, in README.md:\d+ and result.txt:\d+: nothing to"):
        wp.compare(wp.read(tmp_path))
