"""The last section of a report: counted words and formatted facts."""

from __future__ import annotations

from pathlib import Path

import wrkparse as wp
from tests.samples import WRK
from wrkparse.report.exhibits.about import Paragraphs, about
from wrkparse.report.exhibits.captioned import Table


def test_one_is_singular() -> None:
    (said,) = (part.markdown for part in about(wp.parse_text(WRK)) if isinstance(part, Paragraphs))
    assert " from 1 run. 1 file was read, " in said


def test_rates_of_a_network_are_in_bits_per_second(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(WRK)
    (tmp_path / "wrkparse.yaml").write_text("title: t\nabout:\n  nic_bits_per_s: 2500000000\n  os: Linux\n")
    (studies,) = (
        part for part in about(wp.read(str(tmp_path))) if isinstance(part, Table) and part.label == "tbl:about-studies"
    )
    assert studies.frame["facts"].tolist() == ["nic: 2.5 Gbit/s; os: Linux"]


def test_one_file_with_several_runs_is_a_sentence_and_no_table() -> None:
    twice = WRK + WRK.replace("40669.44", "40669.45")
    _, said, *others = about(wp.parse_text(twice, "bench/page.md"), "cores = 4")
    assert isinstance(said, Paragraphs)
    assert " from 2 runs. 1 file was read, bench/page.md: " in said.markdown
    assert f" {len(twice.splitlines())} lines, XXH3-128 " in said.markdown
    assert " It contains only runs for which cores = 4 holds. Known of all runs: connections 8, " in said.markdown
    assert others == []


def test_a_label_of_two_origins_is_listed_once() -> None:
    (said,) = (
        part.markdown
        for part in about(wp.parse_text(f"$ wrk -t4 -c8 -d10s http://h/\n{WRK}"))
        if isinstance(part, Paragraphs)
    )
    assert said.count("connections") == 1
    assert "Known of the run: connections 8, duration 10 s (from options of commands and the tool's output); " in said


def test_the_version_that_read_the_files_is_named_if_it_is_another_one(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(WRK)
    _, said, *_ = about(wp.read(tmp_path))
    assert isinstance(said, Paragraphs)
    assert "2 files were read. " in said.markdown


def test_a_study_that_states_nothing_is_not_listed(tmp_path: Path) -> None:
    """A `wrkparse.yaml` with labels only left a table with a column `facts` without any."""
    (tmp_path / "a.md").write_text(WRK)
    (tmp_path / "wrkparse.yaml").write_text("labels:\n- when: {file: a.md}\n  set: {server: heron}\n")
    assert not [part for part in about(wp.read(str(tmp_path))) if isinstance(part, Table)]
