"""Labels from files beside the logs in the tables: in memory, in a store that grows and changes, and their traces."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from click.testing import CliRunner

import wrkparse as wp
from tests.samples import WRK, logs
from wrkparse.cli import main
from wrkparse.ingest.ingest import ingest

README = "# Logs\n\n| Log | Server | TLS |\n|---|---|---|\n| 1.log | heron | on |\n| 2.log | ibis | off |\n"
OTHER = README.replace("heron", "moa").replace("| off |", "| |")


def column(dataset: wp.Dataset, key: str) -> dict[str, object]:
    """The values of a label, by source."""
    runs = dataset.runs
    values = runs[key] if key in runs else pd.Series([None] * len(runs), dtype=object)
    return {source: None if pd.isna(value) else value for source, value in zip(runs["source"], values, strict=True)}


def rows(dataset: wp.Dataset, key: str) -> list[tuple[str, str, bool]]:
    found = dataset.labels[dataset.labels["key"] == key]
    return sorted(zip(found["value"], found["origin"], map(bool, found["overruled"]), strict=True))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two logs, and a README that says what they are."""
    found = logs(tmp_path / "logs", "1.log", "2.log")
    (found / "README.md").write_text(README)
    return found


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store.duckdb"


def test_in_memory_the_columns_and_the_rows_of_labels_agree(folder: Path) -> None:
    dataset = wp.read(folder)
    assert column(dataset, "framework") == {"1.log": "heron", "2.log": "ibis"}
    assert column(dataset, "tls") == {"1.log": "on", "2.log": "off"}
    assert rows(dataset, "framework") == [("heron", "index", False), ("ibis", "index", False)]
    first = dataset.labels.query("key == 'tls' and value == 'on'").iloc[0]
    assert (first["line"], first["text"], first["rule"]) == (5, "README.md:5: | 1.log | heron | on |", "row")


def test_a_store_has_the_same_labels_as_memory(folder: Path, store: Path) -> None:
    summary = ingest([str(folder)], store)
    assert summary.indexed == {"README.md": 2}
    assert (summary.label_counts["framework"], summary.label_counts["tls"]) == (2, 2)
    one, other = (dataset.labels.sort_values(["run", "key", "origin"]) for dataset in (wp.load(store), wp.read(folder)))
    pd.testing.assert_frame_equal(one.reset_index(drop=True), other.reset_index(drop=True), check_dtype=False)
    assert column(wp.load(store), "tls") == column(wp.read(folder), "tls")


def test_an_index_counts_that_is_added_changed_and_removed_later(folder: Path, store: Path) -> None:
    (folder / "README.md").unlink()
    ingest([str(folder)], store)
    assert set(column(wp.load(store), "framework").values()) == {None}
    (folder / "README.md").write_text(README)
    assert ingest([str(folder)], store).unchanged == 2
    assert column(wp.load(store), "framework") == {"1.log": "heron", "2.log": "ibis"}
    (folder / "README.md").write_text(OTHER)
    assert ingest([str(folder)], store).indexed == {"README.md": 2}
    assert column(wp.load(store), "framework") == {"1.log": "moa", "2.log": "ibis"}
    assert column(wp.load(store), "tls") == {"1.log": "on", "2.log": None}
    (folder / "README.md").write_text("Nothing.\n")
    ingest([str(folder)], store)
    assert "tls" not in wp.load(store).runs
    assert rows(wp.load(store), "framework") == []


def test_labels_of_a_deleted_index_go_with_the_next_log(folder: Path, store: Path) -> None:
    ingest([str(folder)], store)
    (folder / "README.md").unlink()
    ingest([str(folder)], store)
    assert column(wp.load(store), "framework") == {"1.log": "heron", "2.log": "ibis"}
    logs(folder, "3.log")
    ingest([str(folder)], store)
    assert set(column(wp.load(store), "framework").values()) == {None}


def test_a_log_that_comes_later_is_labelled_by_the_index_that_is_there(folder: Path, store: Path) -> None:
    (folder / "2.log").rename(folder.parent / "away")
    (folder / "README.md").write_text(README + "| 3.log | moa | off |\n")
    logs(folder, "3.log")
    ingest([str(folder)], store)
    (folder.parent / "away").rename(folder / "2.log")
    summary = ingest([str(folder)], store)
    assert summary.indexed == {"README.md": 1}
    assert column(wp.load(store), "framework") == {"1.log": "heron", "2.log": "ibis", "3.log": "moa"}


def test_an_index_overrules_names_from_structure_in_a_store(tmp_path: Path, store: Path) -> None:
    folder = logs(tmp_path / "logs", "kiwi.log", "emu.log")
    ingest([str(folder)], store)
    assert column(wp.load(store), "framework") == {"emu.log": "emu", "kiwi.log": "kiwi"}
    (folder / "README.md").write_text("- kiwi.log: plain build\n- emu.log: arena build\n")
    ingest([str(folder)], store)
    stored = wp.load(store)
    assert column(stored, "framework") == {"emu.log": "arena build", "kiwi.log": "plain build"}
    assert {origin for _, origin, _ in rows(stored, "framework")} == {"index"}
    assert "file_name" not in stored.runs
    (folder / "README.md").write_text("gone\n")
    ingest([str(folder)], store)
    assert column(wp.load(store), "framework") == {"emu.log": "emu", "kiwi.log": "kiwi"}


def test_what_was_typed_is_stronger_and_a_contradiction_is_told_once(folder: Path, store: Path) -> None:
    (folder / "1.log").write_text("$ wrk -t8 -c8 http://10.0.1.70:8080/hello\n" + WRK)
    (folder / "README.md").write_text("| Log | Conns |\n|---|---|\n| 1.log | 64 |\n| 2.log | 8 |\n")
    for again in ("", "\n"):
        (folder / "README.md").write_text((folder / "README.md").read_text() + again)
        ingest([str(folder)], store)
        stored = wp.load(store)
        assert set(stored.runs["connections"]) == {8}
        told = [message for message in stored.diagnostics["message"] if "README.md" in message]
        assert told == [
            "connections: the report at line 3 says 8, README.md:3 says 64; 8 is used for the wrk run at line 2"
        ]
    (folder / "README.md").write_text("| Log | Conns |\n|---|---|\n| 1.log | 8 |\n| 2.log | 8 |\n")
    ingest([str(folder)], store)
    assert not any("README.md" in message for message in wp.load(store).diagnostics["message"])


def test_a_heading_is_weaker_without_a_word(folder: Path) -> None:
    (folder / "1.log").write_text("## nginx\n\n" + WRK)
    dataset = wp.read(folder)
    assert column(dataset, "framework")["1.log"] == "heron"
    assert ("nginx", "heading", True) in rows(dataset, "framework")
    assert not len(dataset.diagnostics)


def test_a_label_of_the_user_is_stronger(folder: Path, store: Path) -> None:
    ingest([str(folder)], store, labels={"framework": "mine"})
    assert set(column(wp.load(store), "framework").values()) == {"mine"}
    assert ("heron", "index", True) in rows(wp.load(store), "framework")


def test_opaque_names_are_no_names_where_an_index_says_what_they_are(tmp_path: Path) -> None:
    folder = logs(tmp_path / "logs", "8072f215.log", "9b90ffc3.log", "c1d2e3f4.log", "d4e5f6a7.log")
    (folder / "runs.csv").write_text("id,tls\n8072f215,on\n9b90ffc3,on\nc1d2e3f4,off\nd4e5f6a7,off\n")
    dataset = wp.read(folder)
    assert list(column(dataset, "tls").values()) == ["on", "on", "off", "off"]
    assert not {"framework", "file_name"} & set(dataset.runs.columns)


def test_letters_that_count_logs_are_no_series_where_an_index_names_them(tmp_path: Path) -> None:
    for name in "abcd":
        (tmp_path / f"{name}.txt").write_text(WRK)
    (tmp_path / "index.csv").write_text(
        "run,commit,workers\na.txt,1f2e3d4,2\nb.txt,1f2e3d4,8\nc.txt,9a8b7c6,2\nd.txt,9a8b7c6,8\n"
    )
    runs = wp.read(tmp_path).runs
    assert "series" not in runs
    assert runs["commit"].nunique() == runs["workers"].nunique() == 2


def test_folders_with_opaque_names_are_named_by_their_settings(tmp_path: Path) -> None:
    folder = logs(tmp_path / "logs", *(f"{name}/out.txt" for name in ("11aa22bb", "33cc44dd", "55ee66ff")))
    for name, server in (("11aa22bb", "heron"), ("33cc44dd", "heron"), ("55ee66ff", "ibis")):
        (folder / name / "meta.json").write_text(f'{{"server": "{server}"}}')
    dataset = wp.read(folder)
    assert list(column(dataset, "framework").values()) == ["heron", "heron", "ibis"]
    assert "directory" not in dataset.runs


def test_many_files_read_by_processes_find_their_index(tmp_path: Path, store: Path) -> None:
    names = [f"{number:03}.log" for number in range(520)]  # more than two batches
    folder = logs(tmp_path / "logs", *names)
    (folder / "a-index.csv").write_text("file,server\n" + "".join(f"{name},s{name[2]}\n" for name in names))
    summary = ingest([str(folder)], store, jobs=2)
    assert summary.indexed == {"a-index.csv": 520}
    assert column(wp.load(store), "framework")["517.log"] == "s7"


def test_the_commands_say_which_row_a_label_comes_from(
    folder: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    printed = CliRunner().invoke(main, ["ingest", "logs", "-o", str(store)]).output
    assert "labels from README.md: 2 runs\n" in printed
    run = wp.load(store).runs.query("source == '1.log'")["run"].iloc[0]
    shown = CliRunner().invoke(main, ["show", run, "--store", str(store)]).output
    assert "index, README.md:5: | 1.log | heron | on |" in shown
    explained = CliRunner().invoke(main, ["explain", "logs"]).output
    assert "framework=heron (README.md:5: | 1.log | heron | on |)" in explained


def test_a_large_file_is_no_index(folder: Path) -> None:
    with (folder / "README.md").open("a") as file:
        file.write("words\n" * 200_000)
    assert set(column(wp.read(folder), "framework").values()) == {None}


LISTS = {
    "runs.yaml": "runs:\n  - log: 1.log\n    server: heron\n\t- log: 2.log\n    server: ibis\n",
    "runs.yml": "1.log: {server: heron}\n2.log: {server: ibis\n",
    "config.yaml": "tls: on\nlogs:\n  - file: 1.log\n  server: heron\n",
    "runs.json": '[{"log": "1.log", "server": "heron"},\n {"log": "2.log" "server": "ibis"}]\n',
    "runs.jsonl": '{"log": "1.log", "server": "heron"}\n\n{"log": "2.log", "server": ibis"}\n',
}


@pytest.mark.parametrize(
    ("name", "line"), [("runs.yaml", 4), ("runs.yml", 3), ("config.yaml", 4), ("runs.json", 2), ("runs.jsonl", 3)]
)
def test_a_mistake_in_a_list_of_logs_is_told_at_its_line(tmp_path: Path, store: Path, name: str, line: int) -> None:
    folder = logs(tmp_path / "logs", "1.log", "2.log")
    (folder / name).write_text(LISTS[name])
    ingest([str(folder)], store)
    for dataset in (wp.read(folder), wp.load(store)):
        [problem] = dataset.diagnostics.query("code == 'bad-index'").to_dict("records")
        assert (problem["source"], problem["line"], problem["severity"]) == (name, line, "warning")
        lost = "those from here on" if name == "runs.jsonl" else "them"
        assert problem["message"].endswith(f"; the file names logs, and gives {lost} no labels")
    (folder / name).unlink()
    (folder / "runs.json").write_text('[{"log": "1.log", "server": "heron"}, {"log": "2.log", "server": "ibis"}]')
    ingest([str(folder)], store)
    assert wp.load(store).diagnostics.query("code == 'bad-index' and source == 'runs.json'").empty
    assert column(wp.load(store), "framework") == {"1.log": "heron", "2.log": "ibis"}


ALIAS = "the alias *heron has no anchor in front of it; the file names logs, and gives no label for the alias"
TWICE = "the key {!r} appears twice in one object{}; the file names logs, and uses the last one alone"


@pytest.mark.parametrize(
    ("name", "text", "line", "message", "frameworks"),
    [
        ("runs.yaml", "- log: 1.log\n  server: *heron\n- log: 2.log\n  server: ibis\n", 2, ALIAS, [None, "ibis"]),
        (
            "runs.yaml", "1.log: {server: heron}\n2.log: {server: ibis}\n1.log: {server: rhea}\n",
            3, TWICE.format("1.log", ", first in line 1"), ["rhea", "ibis"],
        ),
        (
            "runs.json", '[{"log": "1.log", "server": "heron"},\n {"log": "2.log", "server": "ibis", "server": "gnu"}]',
            2, TWICE.format("server", ", first in line 2"), ["heron", "gnu"],
        ),
        (
            "runs.jsonl", '{"log": "1.log", "server": "heron"}\n{"log": "2.log", "server": "ibis", "server": "gnu"}\n',
            2, TWICE.format("server", ""), ["heron", "gnu"],
        ),
    ],
)  # fmt: skip
def test_an_alias_without_an_anchor_and_a_key_that_stands_twice_are_told(
    tmp_path: Path, store: Path, name: str, text: str, line: int, message: str, frameworks: list[str | None]
) -> None:
    folder = logs(tmp_path / "logs", "1.log", "2.log")
    (folder / name).write_text(text)
    ingest([str(folder)], store)
    for dataset in (wp.read(folder), wp.load(store)):
        [problem] = dataset.diagnostics.query("code == 'bad-index'").to_dict("records")
        assert (problem["source"], problem["line"], problem["message"]) == (name, line, message)
        assert list(column(dataset, "framework").values()) == frameworks


@pytest.mark.parametrize("value", ["1" * 5000, "[" * 100_000])
def test_a_line_of_json_that_no_reader_takes_costs_its_own_file_alone(tmp_path: Path, store: Path, value: str) -> None:
    folder = logs(tmp_path / "logs", "1.log", "2.log")
    (folder / "runs.jsonl").write_text(f'{{"log": "1.log"}}\n{{"log": "2.log", "n": {value}}}\n')
    ingest([str(folder)], store)
    assert len(wp.load(store).runs) == len(wp.read(folder).runs) == 2


def test_an_index_is_parsed_once(tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = logs(tmp_path / "logs", "1.log", "2.log")
    (folder / "runs.yaml").write_text("1.log: {server: heron}\n2.log: {server: ibis}\n")
    parsed: list[str] = []
    whole = yaml.parse

    def counted(text: str, *how: Any) -> Any:
        parsed.append(text)
        return whole(text, *how)

    monkeypatch.setattr(yaml, "parse", counted)
    ingest([str(folder)], store)
    assert len(parsed) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("runs.yaml", "runs:\n  - log: 1.log\n    server: heron\n  - log: 2.log\n    server: ibis\n"),
        ("runs.yaml", "all: &all {tls: on}\n1.log: {<<: *all, server: heron}\n2.log: {<<: *all, server: ibis}\n"),
        ("values.yaml", "a: 1\na: 2\nb: *c\n"),  # that names no log
        ("chart.yaml", "{{- if .Values.enabled }}\nname: kiwi\n{{- end }}\n"),  # a template that names no log
        ("package.json", '{"name": "kiwi",}'),
        ("docker-compose.yml", "services:\n\t1.log: x\n"),
        ("data.jsonl", '{"at": 1}\n{"at": 2}\n'),
        ("app.jsonl", '{"at": 1}\n{"at": 2}\nwrote 1.log\n{"at": 3}\n'),  # a log of an application
        ("runs.jsonl", '{"log": "1.log", "server": "a\u2028b"}\n{"log": "2.log", "server": "ibis"}\n'),
    ],
)
def test_other_files_and_lists_without_a_mistake_are_not_remarked_on(tmp_path: Path, name: str, text: str) -> None:
    folder = logs(tmp_path / "logs", "1.log", "2.log")
    (folder / name).write_text(text)
    assert "bad-index" not in set(wp.read(folder).diagnostics["code"])


def test_what_a_report_beside_the_logs_says_of_its_files_labels_no_run(tmp_path: Path, store: Path) -> None:
    """`wrkparse report -o report.md` and then `ingest` of the same folder: digests differ from log to log."""
    folder = logs(tmp_path / "logs", "heron-1.log", "heron-2.log")
    before = wp.read(folder).labels
    invoked = CliRunner().invoke(main, ["report", str(folder), "-o", str(folder / "report.md")])
    assert invoked.exit_code == 0, invoked.output
    assert "| heron-1.log |" in (folder / "report.md").read_text()
    pd.testing.assert_frame_equal(wp.read(folder).labels, before)


@pytest.mark.parametrize(
    ("second", "names"), [("branch: heron", set()), ("branch: main", {"exp1", "exp2"}), (None, {"exp1", "exp2"})]
)
def test_numbered_folders_that_an_index_tells_apart_are_no_settings(
    tmp_path: Path, second: str | None, names: set[str]
) -> None:
    for folder, branch in (("exp1", "branch: main"), ("exp2", second)):
        logs(tmp_path / folder, "out-1.log", "out-2.log")
        if branch:
            (tmp_path / folder / "meta.yaml").write_text(f"{branch}\nnote: at night\n")
    dataset = wp.read(tmp_path)
    assert {*column(dataset, "directory").values(), *column(dataset, "framework").values()} - {None} == names
