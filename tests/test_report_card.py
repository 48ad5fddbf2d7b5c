"""The report card: what it holds for right, what it names, and how it ends."""

from __future__ import annotations

import hashlib
import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from scripts.reportcard import scoring
from scripts.reportcard.scoring import BadExpectationError, Sample, Score, add, samples, score

ROOT = Path(__file__).parent.parent
FIXTURES = ROOT / "tests" / "fixtures"
BASH = "real\t0m0.102s\nuser\t0m0.020s\nsys\t0m0.001s\n"
RIGHT: dict[str, Any] = {
    "tool": "time",
    "line": 1,
    "line_end": 3,
    "dialect": "bash",
    "measurements": {"elapsed/total": 0.102, "user/total": 0.02, "system/total": 0.001},
}


def said(tmp_path: Path, *runs: dict[str, Any], text: str = BASH) -> list[str]:
    (tmp_path / "a.txt").write_text(text)
    (tmp_path / "a.json").write_text(json.dumps({"runs": runs}))
    return [str(problem) for problem in score(tmp_path).problems]


def changed(**changes: object) -> dict[str, Any]:
    return RIGHT | {"measurements": RIGHT["measurements"] | changes.pop("measurements", {})} | changes  # type: ignore[operator]


def test_what_is_right_counts_and_is_not_named(tmp_path: Path) -> None:
    assert said(tmp_path, RIGHT) == []
    tally = score(tmp_path).tallies["time"]
    assert (tally.runs, tally.runs_found, tally.values, tally.right, tally.surplus) == (1, 1, 6, 6, 0)


@pytest.mark.parametrize(
    ("run", "message"),
    [
        (changed(measurements={"user/total": 0.03}), "a.txt:2: wrong: time user/total is 0.02 s at line 2, expected 0.03"),
        (changed(measurements={"user/total": None}), "a.txt:2: wrong: time user/total is 0.02 s at line 2, expected None"),
        (changed(measurements={"max_rss/total": 5}), "a.txt:1: missing: time max_rss/total, expected 5"),
        (changed(measurements={"max_rss/total": None}), "a.txt:1: missing: time max_rss/total, expected None"),
        (changed(measurements={"user/total": {"value": 0.02, "line": 3}}), "a.txt:2: wrong: time user/total is 0.02 s at line 2, expected 0.02 at line 3"),
        (changed(measurements={"user/total": {"value": 0.02, "unit": "ms"}}), "a.txt:2: wrong: time user/total is 0.02 s at line 2, expected 0.02 ms"),
        (changed(dialect="ksh"), "a.txt:1: wrong: time dialect is 'bash', expected 'ksh'"),
        (changed(dialect=None), "a.txt:1: wrong: time dialect is 'bash', expected None"),
        (changed(version="5.2"), "a.txt:1: wrong: time version is None, expected '5.2'"),
        (changed(line_end=4), "a.txt:1: wrong: time line_end is 3, expected 4"),
        (changed(line=2), "a.txt:1: wrong: time line is 1, expected 2"),
        (changed(labels={"cores": 4}), "a.txt:1: missing: time label cores, expected '4'"),
        (changed(rows={"spectrum": 2}), "a.txt:1: wrong: time rows of spectrum is 0, expected 2"),
        (changed(events={"spectrum": [{"line": 2, "value_s": 1.0}]}), "a.txt:1: wrong: time rows of spectrum is 0, expected 1"),
    ],
)  # fmt: skip
def test_what_is_not_right_is_named_with_its_line(tmp_path: Path, run: dict[str, Any], message: str) -> None:
    assert message in said(tmp_path, run)


def test_a_number_that_nobody_expected_is_surplus(tmp_path: Path) -> None:
    run = RIGHT | {"measurements": {"elapsed/total": 0.102, "user/total": 0.02}}
    assert said(tmp_path, run) == ["a.txt:3: surplus: time system/total is 0.001 s at line 3"]


def test_a_run_that_is_not_found_costs_all_its_values(tmp_path: Path) -> None:
    found = said(tmp_path, RIGHT, changed(line=5))
    assert len(found) == 6
    assert all(line.startswith("a.txt:5: missing: time ") for line in found)
    tally = score(tmp_path).tallies["time"]
    assert (tally.runs_found, tally.runs, tally.right, tally.values) == (1, 2, 6, 12)


def test_a_run_that_nobody_expected_is_surplus(tmp_path: Path) -> None:
    assert said(tmp_path) == ["a.txt:1: surplus: time run is '3 values'"]
    assert said(tmp_path, RIGHT, text=BASH * 2) == ["a.txt:4: surplus: time run is '3 values'"]


def test_runs_are_told_apart_by_their_line_whatever_their_order(tmp_path: Path) -> None:
    text = BASH + "$ x\n" + BASH.replace("0.102", "0.2")
    second = changed(line=5, line_end=7, measurements={"elapsed/total": 0.2})
    assert said(tmp_path, second, RIGHT, text=text) == []


def test_runs_without_a_line_go_by_their_order(tmp_path: Path) -> None:
    bare = {key: value for key, value in RIGHT.items() if not key.startswith("line")}
    assert said(tmp_path, bare) == []


def test_events_are_compared_cell_by_cell() -> None:
    sample = next(sample for sample in samples(FIXTURES) if sample.name.startswith("gctrace/go1.8.7-forced"))
    wanted = json.loads(json.dumps(sample.runs))
    row = wanted[0]["events"]["gc_cycles"][1]
    row["heap_start_bytes"] += 1
    del row["procs"]
    total = Score()
    add(total, Sample(sample.name, sample.path, wanted))
    assert [(problem.kind, problem.name) for problem in total.problems] == [
        ("wrong", "gc_cycles[1].heap_start_bytes"),
        ("surplus", "gc_cycles[1].procs"),
    ]


def test_one_file_may_hold_the_values_of_many(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.txt").write_text(BASH)
    (tmp_path / "b.txt").write_text("nothing\n")
    (tmp_path / "expected.json").write_text(json.dumps({"logs/a.txt": {"runs": [RIGHT]}, "b.txt": []}))
    total = score(tmp_path)
    assert (total.samples, total.problems, total.tallies["time"].right) == (2, [], 6)


def test_public_samples_of_one_folder_are_read_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By itself neither file says what was measured; beside the other its name does."""
    known = {}
    for name in ("kiwi", "emu"):
        (tmp_path / f"{name}.txt").write_text(text := f"{BASH}{name}\n")
        run = {"tool": "time", "line": 1, "labels": {"framework": name}}
        digest = hashlib.sha256(text.encode()).hexdigest()
        known[f"shop/{name}.txt"] = {"folder": "shop", "sha256": digest, "runs": [run]}
    listed = tmp_path / "public" / "list"
    listed.parent.mkdir()
    monkeypatch.setattr(scoring, "PUBLIC", listed)
    listed.write_text(json.dumps(known))
    assert score(tmp_path, public=True).problems == []
    listed.write_text(json.dumps({name: entry | {"folder": None} for name, entry in known.items()}))
    assert [problem.kind for problem in score(tmp_path, public=True).problems] == ["missing", "missing"]


class Done(NamedTuple):
    """How the command ended, and what it printed."""

    code: int
    output: str
    errors: str


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """The command in this process; tests/test_docs.py starts it."""
    monkeypatch.syspath_prepend(ROOT / "scripts" / "reportcard")

    def run(*arguments: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["card.py", *arguments])
        return Done(importlib.import_module("card").main(), *capsys.readouterr())

    return run


def test_the_command_counts_names_and_ends_with_1(tmp_path: Path, card: Callable[..., Done]) -> None:
    said(tmp_path, changed(measurements={"user/total": 0.03}))
    done = card(str(tmp_path))
    assert done.code == 1
    assert done.output.splitlines()[0].startswith("a.txt:2: wrong: time user/total")
    assert done.output.splitlines()[-3].split() == ["time", "1/1", "5/6", "0"]
    told = json.loads(card(str(tmp_path), "--json").output)
    assert told["tools"]["time"] == {"runs": 1, "runs_found": 1, "values": 6, "right": 5, "surplus": 0}
    assert told["problems"][0]["found"] == {"value": 0.02, "line": 2, "unit": "s"}


def test_all_right_ends_with_0(tmp_path: Path, card: Callable[..., Done]) -> None:
    said(tmp_path, RIGHT)
    assert card(str(tmp_path)).code == 0


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "no sample in it has expected values"),
        ({"a.json": '{"runs": [}'}, "a.json: can't be read as JSON"),
        ({"a.json": '{"runs": []}'}, "a.json: 0 files beside it could be its sample"),
        ({"a.json": '{"runs": []}', "a.txt": "", "a.log": ""}, "a.json: 2 files beside it could be its sample"),
        ({"a.json": '{"runs": [{}]}', "a.txt": ""}, "a.txt needs a list of runs, each with its tool"),
        ({"expected.json": '{"no.txt": []}'}, "there is no sample"),
        ({"expected.json": "[]"}, "expected.json: needs a path for each list of runs"),
    ],
)
def test_what_cannot_be_scored_is_told(
    tmp_path: Path, files: dict[str, str], message: str, card: Callable[..., Done]
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    done = card(str(tmp_path))
    assert (done.code, done.output) == (2, "")
    assert message in done.errors


def test_a_sample_may_be_json_itself(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"log": "x"}\n')
    (tmp_path / "a.json.json").write_text('{"runs": []}')
    (tmp_path / "b.json").write_text('{"log": "x"}\n{"log": "y"}\n')
    (tmp_path / "expected.json").write_text('{"b.json": []}')
    assert [sample.name for sample in samples(tmp_path)] == ["a.json", "b.json"]


def test_peers_that_are_missing_are_told_how_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, card: Callable[..., Done]
) -> None:
    said(tmp_path, RIGHT)
    monkeypatch.chdir(tmp_path)
    done = card(".", "--peers", "none")
    assert done.code == 2
    assert "pip install jc==" in done.errors


def test_a_peer_is_counted_by_the_numbers_it_gets_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, card: Callable[..., Done]
) -> None:
    """A stand-in for the peers' Python answers; what they really read is in docs/report-card.md."""
    said(tmp_path, RIGHT)
    python = tmp_path / "peers" / "bin" / "python"
    python.parent.mkdir(parents=True)
    answer = [
        {"jc": "1", "wrk2img": "2", "wrk-load-tools": "3"},
        [{"jc": {"elapsed/total": [9, 0.102], "user/total": [7]}}],
    ]
    python.write_text(f"#!/bin/sh\ncat > question.json\ncat <<'END'\n{json.dumps(answer)}\nEND\n")
    python.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    done = card(".", "--peers", "peers")
    assert json.loads((tmp_path / "question.json").read_text()) == [["time", BASH]]
    assert done.output.splitlines()[-1] == "| time | 3 | 3 | 1 (1) |  |  |"


def test_expected_values_that_cannot_be_read_are_an_error_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"\xff")
    with pytest.raises(BadExpectationError, match="can't be read as JSON"):
        samples(tmp_path)


def test_a_label_of_null_must_not_be_there(tmp_path: Path) -> None:
    assert said(tmp_path, changed(labels={"framework": None})) == []
    (tmp_path / "kiwi").mkdir()
    found = said(tmp_path / "kiwi", changed(labels={"framework": None}), text=f"## nginx\n\n{BASH}")
    assert [line for line in found if "framework" in line] == [
        "a.txt:3: wrong: time label framework is 'nginx', expected None"
    ]


def test_public_samples_are_known_by_their_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digest = hashlib.sha256(BASH.encode()).hexdigest()
    listed = {"time/a.txt": {"repository": "o/r", "path": "a", "sha256": digest, "runs": [RIGHT]}}
    (tmp_path / "listed.json").write_text(json.dumps(listed))
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "any name.md").write_text(BASH)
    (tmp_path / "texts" / "other.md").write_text(BASH + BASH)
    monkeypatch.setattr(scoring, "PUBLIC", tmp_path / "listed.json")
    total = score(tmp_path / "texts", public=True)
    assert (total.samples, total.tallies["time"].right, total.problems) == (1, 6, [])


def test_the_list_of_public_samples_says_where_each_is_from_and_holds_none_of_their_text() -> None:
    listed = json.loads(scoring.PUBLIC.read_text(encoding="utf-8"))
    assert len(listed) >= 100
    for name, entry in listed.items():
        assert len(entry["sha256"]) == 64, name
        assert {"repository", "path", "commit", "lines"} <= entry.keys() or entry.keys() & {"address", "search"}, name
        assert entry.keys() <= {
            "repository",
            "path",
            "commit",
            "lines",
            "address",
            "search",
            "sha256",
            "runs",
            "folder",
        }, name
        for run in entry["runs"]:
            assert run.keys() <= {"tool", "line", "measurements", "labels", "rows", "events"}, name
