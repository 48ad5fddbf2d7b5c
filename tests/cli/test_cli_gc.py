from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pandas as pd
import pytest

from tests.command_line import wrkparse
from tests.samples import WRK
from wrkparse.analysis.shown.side_by_side import TableRow, as_columns

FIXTURES = Path(__file__).parents[1] / "fixtures"


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)


def ingest(*names: str) -> None:
    assert wrkparse("ingest", "-q", *(str(FIXTURES / name) for name in names)).exit_code == 0


def rows(text: str) -> dict[str, list[str]]:
    """Title → cells, of runs side by side."""
    lines = [line.split("  ") for line in text.splitlines() if line]
    return {line[0].strip(): [cell.strip() for cell in line[1:] if cell.strip()] for line in lines}


def test_settings_stand_side_by_side() -> None:
    ingest("analysis/go1.26.8-gogc20.log", "analysis/go1.26.8-gogc400.log", "analysis/go1.26.8-memlimit-gogc-off.log")
    result = wrkparse("gc")
    assert result.exit_code == 0
    found = rows(result.stdout)
    assert found["gogc"] == ["20", "400", "off"]
    assert found["cycles"] == ["15", "4", "18"]
    assert found["paced by"] == ["GOGC", "GOGC", "memory limit"]
    assert found["pause max"] == ["22.00 ms", "15.00 ms", "9.200 ms"]
    assert found["GC cpu"] == ["19 %", "8 %", "15 %"]
    assert "missing lines" not in found


@pytest.mark.parametrize("columns", [80, 120])
def test_the_table_keeps_to_the_width_of_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    ingest("analysis")
    monkeypatch.setenv("COLUMNS", str(columns))
    for arguments in ([], ["--table", "mmu"]):
        text = wrkparse("gc", *arguments).stdout
        table = text.split("\n\n")[:-1]
        assert max(len(line) for block in table for line in block.splitlines()) <= columns
        assert text.count("\nsource") > 1  # in blocks


def test_many_runs_are_listed_and_what_has_no_room_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    ingest("gctrace", "analysis")
    monkeypatch.setenv("COLUMNS", "100")
    lines = wrkparse("gc").stdout.splitlines()
    assert lines[0].split()[0] == "run"
    assert len(lines[0]) <= 100
    below = next(index for index, line in enumerate(lines) if " runs; no room for " in line)
    assert int(lines[below].split()[0]) == below - 1 >= 29  # a line for each
    assert max(map(len, lines)) <= 100


def test_a_label_that_the_goals_contradict_is_noted(tmp_path: Path) -> None:
    log = (FIXTURES / "analysis" / "go1.26.8-gogc400.log").read_text()
    (tmp_path / "run.txt").write_text(log)
    assert wrkparse("ingest", "-q", "run.txt", "--label", "gogc=100").exit_code == 0
    assert "is labelled gogc=100, but the heap goals say 395.9 to 403.1" in wrkparse("gc").stdout


def test_a_pause_printed_as_nothing_is_below_what_can_be_printed(tmp_path: Path) -> None:
    (tmp_path / "run.txt").write_text(
        "gc #1 @18.212s 1%: 0+2+0+11371+358 ms clock, 1+2+1+11371+717 ms cpu, 4->7736->7632 MB, 36 P\n"
    )
    wrkparse("ingest", "-q", "run.txt")
    found = rows(wrkparse("gc").stdout)
    assert found["pause p50"] == ["< 1 ms"]
    assert found["pause max"] == ["358.0 ms"]


def test_lines_that_are_missing_are_noted(tmp_path: Path) -> None:
    log = (FIXTURES / "analysis" / "go1.26.8-gogc20.log").read_text().splitlines()
    (tmp_path / "run.txt").write_text("\n".join(log[:4] + log[6:]) + "\n")
    wrkparse("ingest", "-q", "run.txt")
    assert "2 collections have no readable line; sums are too low" in wrkparse("gc").stdout


def test_other_formats_hold_every_number() -> None:
    ingest("analysis/go1.26.8-gogc20.log")
    (row,) = csv.DictReader(io.StringIO(wrkparse("gc", "--format", "csv").stdout))
    assert float(row["pause_max_s"]) == 0.022
    assert row["gogc"] == "20"
    (record,) = json.loads(wrkparse("gc", "--format", "json").stdout)["rows"]
    assert record["heap_live_max_bytes"] == 105 * 2**20


def test_the_utilisation_curve_is_a_table() -> None:
    ingest("analysis/go1.26.8-gogc20.log")
    table = list(csv.DictReader(io.StringIO(wrkparse("gc", "--table", "mmu", "--format", "csv").stdout)))
    assert [float(row["window_s"]) for row in table] == pytest.approx([0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2])
    assert all(float(row["mmu_marking_ratio"]) <= float(row["mmu_ratio"]) for row in table)


def test_without_a_trace_there_is_too_little_to_say() -> None:
    ingest("schedtrace/go1.24.13.log")
    assert wrkparse("gc").exit_code == 3
    ingest("analysis/go1.26.8-gogc20.log")
    result = wrkparse("gc", "--where", "gogc = '50'")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == "wrkparse: no gctrace run matches gogc = '50'\n"
    assert wrkparse("gc", "--where", "nonsense = 1").exit_code == 2
    assert wrkparse("gc", "--store", "nowhere.duckdb").exit_code == 3


def test_notes_keep_to_the_width_of_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = (FIXTURES / "analysis" / "go1.26.8-gogc400.log").read_text()
    (tmp_path / "run.md").write_text(f"```\n{WRK}```\n\n```\n{log}```\n")
    assert wrkparse("ingest", "-q", "run.md").exit_code == 0
    monkeypatch.setenv("COLUMNS", "80")
    lines = wrkparse("gc").stdout.splitlines()
    assert any(line.startswith("beside it: the load report nearest in the text; ") for line in lines)
    assert max(map(len, lines)) <= 80


def test_runs_side_by_side_fill_each_block_and_none_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    table = pd.DataFrame({"run": list("abcdef"), "source": "x", "line": 1, "n": range(6)})
    blocks = as_columns(table, [TableRow("n of it", "run"), TableRow("m", "n", "1")]).split("\n\n")
    assert [block.splitlines()[0].split()[3:] for block in blocks] == [["a", "b"], ["c", "d"], ["e", "f"]]
