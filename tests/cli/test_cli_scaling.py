from __future__ import annotations

import contextlib
import csv
import io
import json
import shlex
import shutil
from pathlib import Path

import pytest

from tests.analysis.scaling.curves import Run, write
from tests.command_line import wrkparse

# Five points of λ = 1000, σ = 0.05, κ = 0.001 with errors of a few per mille, and a curve of two points.
USL = [Run(cores, rate) for cores, rate in ((1, 1003), (4, 3436), (10, 6460), (20, 8610), (40, 8850))]
TWO = [Run(1, 500, "/b"), Run(2, 750, "/b")]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store that each test gets a copy of."""
    folder = tmp_path_factory.mktemp("scaling")
    write(folder / "logs", [*USL, *TWO, Run(1, 100, "/alone")])
    with contextlib.chdir(folder):
        assert wrkparse("ingest", "logs").exit_code == 0
    return folder / "wrkparse.duckdb"


@pytest.fixture
def store(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    shutil.copy(made, tmp_path)
    return tmp_path


def test_curves_fits_and_a_summary_fit_80_columns(store: Path) -> None:
    result = wrkparse("scaling", "--by", "path")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "study=logs, path=/a, connections=128"
    assert lines[1].split() == ["cores", "throughput", "speed-up", "efficiency", "fit", "off", "by", "runs"]
    assert lines[3].split()[:6] == ["4", "3.436", "k/s", "×3.426", "85.64", "%"]  # 3436 / 1003 = 3.4257
    assert [line.split()[0] for line in lines[8:14:2]] == ["linear", "Amdahl", "USL"]
    assert "  no peak is claimed: no fall by 5 % was measured" in lines
    assert "one group" not in result.stdout
    assert "1 of 3 groups has fewer than two values of cores; left out" in lines
    assert max(map(len, lines)) <= 80


def test_two_core_counts_give_speed_up_and_no_law(store: Path) -> None:
    lines = wrkparse("scaling", "--by", "path", "-w", "path = '/b'").stdout.splitlines()
    assert lines[3].split() == ["2", "750.0", "/s", "×1.500", "75.00", "%", "1"]
    assert lines[4] == "  no law is fitted to 2 values of cores"
    assert len(lines) == 5  # one curve needs no summary


def test_one_core_count_is_too_little_to_decide(store: Path) -> None:
    result = wrkparse("scaling", "--by", "path", "-w", "path = '/alone'")
    assert result.exit_code == 3
    assert "no curve has two values of cores" in result.stderr


def test_no_runs_are_too_little_and_an_unknown_label_is_wrong_usage(store: Path) -> None:
    assert wrkparse("scaling", "-w", "path = '/nothing'").exit_code == 3
    result = wrkparse("scaling", "--by", "flavour")
    assert result.exit_code == 2
    assert "there is no label flavour" in result.stderr
    assert wrkparse("scaling", "-s", "absent.duckdb").exit_code == 3


def test_each_table_can_be_had_as_numbers(store: Path) -> None:
    points = list(csv.DictReader(io.StringIO(wrkparse("scaling", "--by", "path", "--format", "csv").stdout)))
    assert [float(point["speedup"]) for point in points if point["path"] == "/b"] == [1, 1.5]
    fits = json.loads(wrkparse("scaling", "--by", "path", "--table", "fits", "--format", "json").stdout)["rows"]
    assert [(fit["law"], fit["supported"]) for fit in fits] == [("linear", False), ("amdahl", False), ("usl", True)]
    assert fits[2]["kappa_lo"] <= 0.001 <= fits[2]["kappa_hi"]
    assert fits[2]["sigma_lo"] <= 0.05 <= fits[2]["sigma_hi"]
    wrkparse("scaling", "--by", "path", "--table", "groups", "-o", "groups.md")
    assert (store / "groups.md").read_text().startswith("| study")
    limits = wrkparse("scaling", "--by", "path", "--table", "limits", "--format", "csv").stdout
    assert limits.splitlines() == ["study,path,connections,code,n_from,message"]


def test_a_limit_is_told_in_words(store: Path) -> None:
    write(store / "near", [Run(1, 1000, host="127.0.0.1"), Run(2, 1500, host="127.0.0.1")])
    assert wrkparse("ingest", "near").exit_code == 0
    text = " ".join(wrkparse("scaling", "-w", "study = 'near'").stdout.split())
    assert "limited from cores=1 on: server and load generator share a machine and its cores (same-machine)" in text


def test_errors_may_be_taken_as_relative(store: Path) -> None:
    arguments = ("scaling", "-w", "path = '/a'", "--table", "fits", "--format", "json")
    absolute, relative = (
        json.loads(wrkparse(*arguments, *more).stdout)["rows"][2] for more in ((), ("--errors", "relative"))
    )
    assert absolute["residual_se"] > 1 > relative["residual_se"]  # a rate, a ratio


def test_help_says_what_the_command_needs() -> None:
    result = wrkparse("scaling", "--help")
    assert result.exit_code == 0
    assert "--over" in result.stdout


def test_the_example_of_the_manual_is_what_the_command_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).parents[2]
    block = (root / "docs" / "scaling.md").read_text().split("```console\n$ wrkparse ")[1].split("\n```")[0]
    command, _, shown = block.partition("\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    assert wrkparse("ingest", str(root / "data" / "haskell-go-node-io")).exit_code == 0
    assert wrkparse(*shlex.split(command)).stdout.rstrip("\n") == shown
