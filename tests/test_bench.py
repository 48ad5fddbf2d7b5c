"""The benchmarks' readers agree on every input; what they take is not tested."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BENCHMARKS = ROOT / "scripts" / "benchmarks"


def bench(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHMARKS), "--size", "small", "--rounds", "1", "--directory", "build", *arguments]
    return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """A directory in which a small benchmark was run, with JSON in out.json."""
    directory = tmp_path_factory.mktemp("bench")
    return directory, bench(directory, "gctrace-mixed-stamped", "wrk2-document", "--json", "out.json")


def test_a_small_benchmark_finds_the_same_numbers_and_says_what_it_took(
    measured: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    directory, done = measured
    assert done.returncode == 0, done.stderr
    told = json.loads((directory / "out.json").read_text())
    readers = {(row["case"], row["reader"]) for row in told["rows"]}
    assert {
        (name, reader) for name in ("gctrace-mixed-stamped", "wrk2-document") for reader in ("wrkparse", "re")
    } <= readers
    assert all(row["cpu_s"] >= 0 and row["peak_bytes"] > 1e6 for row in told["rows"])
    assert done.stdout.count("\n") == 2 + len(told["rows"])


def test_a_reader_that_finds_other_numbers_is_named(
    measured: tuple[Path, subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    shutil.copytree(measured[0] / "build", tmp_path / "build")
    note = next((tmp_path / "build").glob("wrk2-document-*.json"))
    size, rows, sums = json.loads(note.read_text())
    note.write_text(json.dumps([size, rows, sums | {"requests/total": sums["requests/total"] + 1}]))
    done = bench(tmp_path, "wrk2-document")
    assert done.returncode == 1
    assert f"wrk2-document: wrkparse found {rows} of {rows} rows; other sums: requests/total" in done.stderr


def test_whole_commands_are_measured_too_and_set_against_others(tmp_path: Path) -> None:
    done = bench(tmp_path, "start", "--json", "out.json")
    assert done.returncode == 0, done.stderr
    told = {row["command"]: row for row in json.loads((tmp_path / "out.json").read_text())["commands"]}
    assert told["wrkparse --help"]["against"] == "python -c 'import click'"
    assert told["wrkparse --help"]["cpu_ratio"] >= 0.5  # it imports click itself
    assert all(row["wall_s"] > 0 and row["peak_bytes"] > 5e6 for row in told.values())
    assert done.stdout.count("\n") == 2 + len(told)
