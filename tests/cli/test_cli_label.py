"""``wrkparse label``: the file that it proposes gives the labels that it shows."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest
import yaml
from click.testing import CliRunner, Result

import wrkparse as wp
from tests.samples import WRK, logs
from wrkparse.analysis.runs.labels.proposal import propose_rules
from wrkparse.cli import main
from wrkparse.cli.tables.label import schema_path

DATA = Path(__file__).parents[2] / "data"


def label(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["label", *map(str, arguments)])


@pytest.fixture
def machines(tmp_path: Path) -> Path:
    return logs(
        tmp_path / "logs", *(f"{a}/{b}-{n}.txt" for a in ("big", "small") for b in ("kiwi", "emu") for n in "12")
    )


def test_the_rules_give_the_labels_under_the_chosen_names(machines: Path) -> None:
    result = label(machines, "--name", "directory=machine", "--name", "file_name=framework", "--yes")
    assert result.exit_code == 0, result.output
    written = yaml.safe_load((machines / "wrkparse.yaml").read_text())
    assert written["labels"] == [
        {"when": {"file": "emu*"}, "set": {"framework": "emu"}},
        {"when": {"file": "kiwi*"}, "set": {"framework": "kiwi"}},
        {"when": {"source": "big/*"}, "set": {"machine": "big"}},
        {"when": {"source": "small/*"}, "set": {"machine": "small"}},
    ]
    runs = wp.read(str(machines)).runs
    assert [tuple(run) for run in runs[["source", "machine", "framework"]].itertuples(index=False)] == [
        (f"{a}/{b}-{n}.txt", a, b) for a in ("big", "small") for b in ("emu", "kiwi") for n in "12"
    ]
    assert "directory" not in runs
    assert wp.read(str(machines)).diagnostics.empty


def test_a_name_that_is_part_of_another_gets_a_condition_of_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    page = "".join(f"## {name}\n\n```\n{WRK}```\n\n" for name in ("alpha", "alphabet", "alpha [v2]"))
    (folder / "page.md").write_text(page)
    assert label(folder, "--yes").exit_code == 0
    assert wp.read(str(folder)).runs["framework"].tolist() == ["alpha", "alphabet", "alpha [v2]"]


def test_without_a_terminal_the_rules_are_printed_alone(machines: Path) -> None:
    result = label(machines)
    assert result.exit_code == 0
    assert not (machines / "wrkparse.yaml").exists()
    assert len(yaml.safe_load(result.output)["labels"]) == 4
    assert result.output.splitlines()[1].startswith("# yaml-language-server: $schema=file://")


def test_an_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    folder = logs(tmp_path / "logs", "kiwi/1.txt", "emu/1.txt")
    (folder / "wrkparse.yaml").write_text("title: mine\n")
    result = label(folder, "--yes")
    assert result.exit_code == 3
    assert "exists already" in result.output
    assert (folder / "wrkparse.yaml").read_text() == "title: mine\n"


def test_what_can_not_be_labelled_is_said(tmp_path: Path) -> None:
    assert "nothing to add: there is one run" in label(logs(tmp_path / "one", "kiwi.txt")).output
    (tmp_path / "told.md").write_text("".join(f"GOGC={gogc} ./server\n{WRK}\n" for gogc in (50, 100)))
    assert "already distinguish the runs, by gogc" in label(tmp_path / "told.md").output
    assert "no runs" in label(tmp_path / "none").output
    assert label().exit_code == 2
    assert "as in --name" in label(tmp_path, "--name", "machine").output


def test_where_nothing_tells_runs_apart_the_rule_that_would_is_shown(tmp_path: Path) -> None:
    folder = logs(tmp_path / "logs", "out.txt", "out2.txt")
    result = label(folder)
    assert result.exit_code == 3
    said, _, rules = result.output.partition("\n")
    assert "distinguishes the 2 runs" in said
    (folder / "wrkparse.yaml").write_text(rules)
    found = wp.read(str(folder)).runs.set_index("source")["framework"]
    assert found["out.txt"] == "NAME"
    assert found.isna()["out2.txt"]


def test_the_schema_fits_the_files_that_are_read_and_refuses_those_that_are_not() -> None:
    schema = json.loads(schema_path().read_text())
    assert json.loads(label("--schema").output) == schema
    checker = jsonschema.Draft202012Validator(schema)
    studies = sorted(DATA.glob("*/wrkparse.yaml"))
    assert len(studies) == 5
    for study in studies:
        checker.validate(yaml.safe_load(study.read_text()))
    for wrong in ("label: []", "labels: [{when: {file: a}}]", "labels: [{set: {}}]", "tables: [{file: a}]", "labels: {}",
                  "labels: [{set: {a-b: 1}}]", "claims: [{claim: x}]", "labels: [{when: {file: []}, set: {a: 1}}]"):  # fmt: skip
        assert not checker.is_valid(yaml.safe_load(wrong)), wrong


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wrkparse.cli.tables.label.is_terminal", lambda stream: True)


def answer(folder: Path, *answers: str) -> Result:
    return CliRunner().invoke(main, ["label", str(folder)], input="".join(f"{line}\n" for line in answers))


@pytest.mark.usefixtures("terminal")
def test_a_terminal_is_asked_for_the_name_of_each_label_and_then_to_write(machines: Path) -> None:
    result = answer(machines, "bird", "machine", "y")
    assert result.exit_code == 0, result.output
    assert "big, small: label [directory]: " in result.output
    assert "emu, kiwi: label [framework]: " in result.output
    written = yaml.safe_load((machines / "wrkparse.yaml").read_text())
    assert [rule["set"] for rule in written["labels"]] == [
        {"bird": "emu"}, {"bird": "kiwi"}, {"machine": "big"}, {"machine": "small"},
    ]  # fmt: skip


@pytest.mark.usefixtures("terminal")
def test_enter_keeps_a_name_and_no_writes_nothing(machines: Path) -> None:
    result = answer(machines, "", "", "n")
    assert result.exit_code == 0
    assert "framework    directory" in result.output
    assert not (machines / "wrkparse.yaml").exists()


@pytest.mark.usefixtures("terminal")
def test_a_name_that_can_not_be_is_asked_for_again(machines: Path) -> None:
    result = answer(machines, "big machine", "source", "threads", "machine", "machine", "", "n")
    assert result.exit_code == 0, result.output
    for said in (
        "'big machine' is not a valid name",
        "source is a column",
        "threads is another label",
        "machine is another label",
    ):
        assert said in result.output


@pytest.mark.usefixtures("terminal")
def test_names_that_are_given_are_not_asked_for(machines: Path) -> None:
    result = CliRunner().invoke(main, ["label", str(machines), "--name", "directory=machine"], input="n\n")
    assert "label [" not in result.output
    assert result.output.count("?") == 1


def test_many_names_get_the_rules_that_few_get(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    names = ["srv-" + chr(97 + number % 26) + chr(97 + number // 26) for number in range(300)] + ["srv-q", "srv-qab"]
    (folder / "page.md").write_text("".join(f"## {name}\n\n```\n{WRK}```\n\n" for name in names))
    found = propose_rules(wp.read(str(folder)))
    assert [rule.set for rule in found.rules] == [{"framework": name} for name in sorted(names)]
    assert all(rule.when == {"section": (rule.set["framework"],)} for rule in found.rules)


def test_runs_that_only_their_lines_distinguish_keep_their_labels(tmp_path: Path) -> None:
    """Two sizes by turns, in two files: a rule for each size and file, and no run gets the other size."""
    times = "$ time ./heron {}\n\nreal\t0m{}s\nuser\t0m0.100s\nsys\t0m0.010s\n\n"
    folder = tmp_path / "logs"
    folder.mkdir()
    for file in ("a.txt", "b.txt"):
        text = "".join(times.format(size, f"{place}.{size}") for place in range(3) for size in (100, 200))
        (folder / file).write_text(text if file == "a.txt" else f"\n{text}")
    before = wp.read(str(folder))
    rules = propose_rules(before).rules
    assert {(rule.when["source"], rule.when["line"]) for rule in rules if rule.set == {"arg1": "100"}} == {
        (("a.txt",), ("3", "15", "27")),
        (("b.txt",), ("4", "16", "28")),
    }
    written = {
        "labels": [{"when": {k: list(v) for k, v in rule.when.items()}, "set": dict(rule.set)} for rule in rules]
    }
    (folder / "wrkparse.yaml").write_text(yaml.safe_dump(written))
    after = wp.read(str(folder))
    assert after.runs["arg1"].tolist() == before.runs["arg1"].tolist() == ["100", "200"] * 6


def test_texts_that_numbers_match_are_told_apart(tmp_path: Path) -> None:
    folder = logs(tmp_path / "logs", *(f"{name}/kiwi.txt" for name in ("100", "100.0", "1-200")))
    rules = propose_rules(wp.read(str(folder))).rules
    assert {rule.when["source"] for rule in rules if "directory" in rule.set} <= {
        ("100/*",),
        ("100.0/*",),
        ("1-200/*",),
    }


def test_what_could_not_be_read_is_said_as_other_commands_say_it(machines: Path, tmp_path: Path) -> None:
    """Several files with one error are one message, and an empty file among repeats is named."""
    for name in ("1.log.gz", "2.log.gz"):
        (machines / name).write_bytes(b"\x1f\x8b\x08\x00")
    result = label(machines)
    assert result.exit_code == 3
    [line] = result.stderr.splitlines()
    assert line.startswith("1.log.gz: error: the compressed data is damaged or cut off")
    assert line.endswith("(and in 1 more place)")
    assert len(yaml.safe_load(result.stdout)["labels"]) == 4
