"""Labels from structure in the tables: in memory, in a store that grows, and in a directory of Parquet."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import wrkparse as wp
from tests.samples import WRK, logs
from wrkparse.ingest.ingest import ingest


def frameworks(dataset: wp.Dataset) -> dict[str, object]:
    runs = dataset.runs
    named = runs["framework"] if "framework" in runs else pd.Series([None] * len(runs), dtype=object)
    return {source: None if pd.isna(name) else name for source, name in zip(runs["source"], named, strict=True)}


def test_in_memory_the_column_and_the_rows_of_labels_agree(tmp_path: Path) -> None:
    dataset = wp.read(str(logs(tmp_path / "logs", "kiwi/1.txt", "emu/1.txt")))
    assert frameworks(dataset) == {"emu/1.txt": "emu", "kiwi/1.txt": "kiwi"}
    labels = dataset.labels
    rows = labels[labels["key"] == "framework"]
    assert rows["value"].tolist() == ["emu", "kiwi"]
    assert set(rows["origin"]) == {"structure"}
    assert rows["line"].isna().all()


def test_text_is_labelled_by_its_headings() -> None:
    text = "".join(f"## {name}\n\n```\n{WRK}```\n\n" for name in ("kiwi", "emu", "kiwi"))
    assert wp.parse_text(text).runs["framework"].tolist() == ["kiwi", "emu", "kiwi"]


@pytest.mark.parametrize(
    "between", ["----", "![requests](a.png)", "[![requests](a.png)](b.html)", "It was idle. Then not."]
)
def test_a_name_above_the_first_run_of_several_holds_for_repeats_too(between: str) -> None:
    def series(name: str, *counts: int) -> str:
        fences = (f"```\n{WRK.replace('8 conn', f'{count} conn')}```\n" for count in counts)
        return f"{name}:\n\n" + f"\n{between}\n\n".join(fences)

    runs = wp.parse_text(series("kiwi", 8, 64, 64) + "\n" + series("emu", 8, 64, 64)).runs
    assert runs["connections"].tolist() == [8, 64, 64, 8, 64, 64]
    assert runs["framework"].tolist() == ["kiwi"] * 3 + ["emu"] * 3


def test_a_store_gets_the_labels_when_siblings_come_and_loses_them_when_they_go(tmp_path: Path) -> None:
    folder, store = tmp_path / "logs", tmp_path / "store.duckdb"
    ingest([str(logs(folder, "kiwi/1.txt"))], store)
    assert frameworks(wp.load(store)) == {"kiwi/1.txt": None}
    summary = ingest([str(logs(folder, "emu/1.txt"))], store)
    assert frameworks(wp.load(store)) == {"emu/1.txt": "emu", "kiwi/1.txt": "kiwi"}
    assert summary.label_counts["framework"] == 1  # of the run that this ingest read
    (folder / "emu/1.txt").write_text("no more")
    ingest([str(folder)], store)
    assert frameworks(wp.load(store)) == {"kiwi/1.txt": None}
    assert wp.load(store).sql("SELECT count(*) AS n FROM labels WHERE origin = 'structure'")["n"].tolist() == [0]


def test_what_the_user_says_holds(tmp_path: Path) -> None:
    folder, store = logs(tmp_path / "logs", "kiwi/1.txt", "emu/1.txt"), tmp_path / "store.duckdb"
    ingest([str(folder)], store, labels={"framework": "mine"})
    assert set(frameworks(wp.load(store)).values()) == {"mine"}
    assert wp.load(store).runs["directory"].tolist() == ["emu", "kiwi"]


def test_a_study_says_itself_what_tells_its_runs_apart(tmp_path: Path) -> None:
    folder = logs(tmp_path / "logs", "kiwi/1.txt", "emu/1.txt")
    study = folder / "wrkparse.yaml"
    study.write_text("title: mine\n")  # without rules it says nothing
    assert set(frameworks(wp.read(str(folder))).values()) == {"kiwi", "emu"}
    study.write_text("labels:\n- set: {branch: main}\n  when: {file: 1.txt}\n")
    assert set(frameworks(wp.read(str(folder))).values()) == {None}
    ingest([str(folder)], tmp_path / "store.duckdb")
    assert set(frameworks(wp.load(tmp_path / "store.duckdb")).values()) == {None}


def test_conditions_and_rules_may_name_the_folder_and_the_file(tmp_path: Path) -> None:
    folder = logs(tmp_path / "logs", "a/b/1.txt", "a/2.txt", "3.txt")
    dataset = wp.read(str(folder))
    for condition, sources in (
        ("folder = 'a/b'", ["a/b/1.txt"]),
        ("file = '2.txt'", ["a/2.txt"]),
        ("folder = ''", ["3.txt"]),
    ):
        assert dataset.wide(condition)["source"].tolist() == sources
    (folder / "wrkparse.yaml").write_text("labels:\n- when: {folder: a*}\n  set: {branch: main}\n")
    assert wp.read(str(folder)).wide("branch = 'main'")["source"].tolist() == ["a/2.txt", "a/b/1.txt"]


def test_a_rule_that_labels_no_run_is_a_warning_with_its_line(tmp_path: Path) -> None:
    folder, store = logs(tmp_path / "logs", "a.txt"), tmp_path / "store.duckdb"
    study = folder / "wrkparse.yaml"
    study.write_text(
        "labels:\n- when: {file: a.txt}\n  set: {branch: main}\n- when: {file: [b.txt, c.txt], tool: wrk}\n  set: {a: b}\n"
    )
    said = [
        (
            str(study),
            4,
            "warning",
            "unused-rule",
            "no run has file = b.txt or c.txt, tool = wrk: this rule labels nothing",
        )
    ]
    assert list(wp.read(str(folder)).diagnostics.itertuples(index=False, name=None)) == said
    for _ in range(2):
        ingest([str(folder)], store, everything=True)
        assert list(wp.load(store).diagnostics.itertuples(index=False, name=None)) == said


def page(*names: str) -> str:
    return "".join(f"## {name}\n\n```\n{WRK}```\n\n" for name in names)


def named(dataset: wp.Dataset) -> list[tuple[str, str, str, bool]]:
    """The frameworks of all runs as `runs` has them, each with its rows of `labels`: value, origin, overruled."""
    query = """SELECT r.framework, l.value, l.origin, l.overruled FROM runs r JOIN labels l USING (run)
        WHERE l.key = 'framework' ORDER BY r.line, l.origin"""
    return [tuple(row) for row in dataset.sql(query).itertuples(index=False, name=None)]


ALONE = [("rails", "rails", "path", False)]
OVERRULED = [
    ("moa gem", "rails", "path", True),
    ("moa gem", "moa gem", "structure", False),
    ("rails basic", "rails basic", "heading", False),
    ("rails basic", "rails", "path", True),
]


def test_an_overruled_path_is_marked_in_memory(tmp_path: Path) -> None:
    log = tmp_path / "rails.md"
    log.write_text(page("moa gem"))
    assert named(wp.read(log)) == ALONE
    log.write_text(page("moa gem", "rails basic"))
    assert named(wp.read(log)) == OVERRULED


def test_an_overruled_path_is_marked_in_a_store_and_holds_again_when_its_siblings_go(tmp_path: Path) -> None:
    log, store = tmp_path / "rails.md", tmp_path / "store.duckdb"
    for names, expected in [
        (("moa gem",), ALONE),
        (("moa gem", "rails basic"), OVERRULED),
        (("moa gem", "rails basic"), OVERRULED),
        (("moa gem",), ALONE),
        (("moa gem", "rails basic"), OVERRULED),
    ]:
        log.write_text(page(*names))
        ingest([str(log)], store)
        assert named(wp.load(store)) == expected
        ingest([str(log)], store, everything=True)
        assert named(wp.load(store)) == expected


def test_a_framework_that_another_file_no_longer_overrules_holds_again(tmp_path: Path) -> None:
    """The run itself is not read again: its rows in the store change back."""
    folder, store = tmp_path / "logs", tmp_path / "store.duckdb"
    folder.mkdir()
    (folder / "rails.md").write_text(page("moa gem", "rails basic"))
    ingest([str(folder)], store)
    (folder / "wrkparse.yaml").write_text("labels:\n- when: {line: 3-9}\n  set: {branch: main}\n")
    ingest([str(folder)], store)
    assert named(wp.load(store))[0] == ALONE[0]
    (folder / "wrkparse.yaml").unlink()
    ingest([str(folder)], store)
    assert named(wp.load(store)) == OVERRULED
