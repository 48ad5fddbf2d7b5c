from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

import wrkparse as wp
from tests.command_line import wrkparse

FIXTURES = Path(__file__).parents[1] / "fixtures" / "schedtrace"
DATA = Path(__file__).parents[2] / "data"


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)


def ingest(path: Path) -> None:
    assert wrkparse("ingest", "-q", str(path)).exit_code == 0


def test_the_trace_of_the_study_is_summed_up_and_its_episodes_listed() -> None:
    ingest(DATA / "go-many-cores" / "logs")
    lines = [line.split() for line in wrkparse("sched").stdout.splitlines()]
    assert ["Ps", "in", "use", "90.83", "%"] in lines
    assert ["waiting", "max", "187"] in lines
    assert ["queue", "imbalance", "3.15"] in lines
    assert ["backlog", "3.100", "s", "3.202", "s", "3", "72", "0"] in [line[1:] for line in lines]


def test_sentences_end_a_summary_and_python_prints_the_same() -> None:
    ingest(DATA / "go-many-cores" / "logs")
    shown = wrkparse("sched").stdout
    assert "at most 187 goroutines waited." in " ".join(shown.split())
    summary = wp.sched_summary(wp.open_dataset("wrkparse.duckdb"))
    assert f"{summary}\n" == shown
    assert "at most 187 goroutines waited." in summary._repr_html_()


def test_the_name_of_a_file_in_a_sentence_has_no_control_characters(tmp_path: Path) -> None:
    trace = (FIXTURES.parent / "analysis" / "go1.26.8-gogc20.log").read_text()
    for name in ("a\x1b[31m.log", "b.log"):
        (tmp_path / name).write_text(trace if name[0] == "a" else trace + "\n")
    ingest(tmp_path)
    shown = wrkparse("gc").stdout
    assert "\x1b" not in shown
    assert "the longest pause was" in shown


def test_each_tick_has_a_row() -> None:
    ingest(DATA / "go-many-cores" / "logs")
    table = list(csv.DictReader(io.StringIO(wrkparse("sched", "--table", "ticks", "--format", "csv").stdout)))
    assert [row["waiting"] for row in table][:3] == ["54", "25", "8"]
    assert len(table) == 18
    text = wrkparse("sched", "--table", "ticks").stdout.splitlines()
    assert text[1].endswith("yes")  # a backlog at the first tick


def test_details_tell_states_and_what_goroutines_waited_for() -> None:
    ingest(FIXTURES / "go1.26.8-panic.log")
    states = wrkparse("sched", "--table", "states", "--format", "csv").stdout.splitlines()
    assert any(line.endswith(",0.351,G,runnable,5") for line in states)
    assert "GOMAXPROCS updater (idle)" in wrkparse("sched", "--table", "waits").stdout


@pytest.mark.parametrize("kind", ["states", "waits"])
def test_a_trace_without_details_says_so(kind: str) -> None:
    ingest(FIXTURES / "go1.24.13.log")
    result = wrkparse("sched", "--table", kind)
    assert (result.exit_code, result.stdout) == (0, "no trace has details (scheddetail=1)\n")


@pytest.mark.parametrize("columns", [80, 120])
def test_the_table_keeps_to_the_width_of_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    eight = sorted(FIXTURES.glob("go*.log"))[:8]
    assert wrkparse("ingest", "-q", *map(str, eight)).exit_code in (0, 3)
    monkeypatch.setenv("COLUMNS", str(columns))
    text = wrkparse("sched").stdout
    assert max(map(len, text.splitlines())) <= columns
    assert text.count("\nsource") > 1  # 8 traces side by side, in blocks


def test_columns_without_room_are_left_out_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    ingest(DATA / "go-many-cores" / "logs")
    monkeypatch.setenv("COLUMNS", "80")
    lines = wrkparse("sched", "--table", "ticks").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert "backlog" not in lines[0]
    assert " ".join(" ".join(lines[19:]).split()).endswith("starving, backlog, overload")


def test_without_a_trace_there_is_too_little_to_say() -> None:
    ingest(FIXTURES / "go1.24.13.log")
    result = wrkparse("sched", "--where", "cores = 99")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == "wrkparse: no schedtrace run matches cores = 99\n"
    assert wrkparse("sched", "--store", "nowhere.duckdb").exit_code == 3
