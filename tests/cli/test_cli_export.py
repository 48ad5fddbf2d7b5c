from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import wrkparse as wp
from tests.samples import GC, WRK
from wrkparse.cli import main
from wrkparse.ingest.ingest import ingest


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store that each test gets a copy of."""
    folder = tmp_path_factory.mktemp("export")
    (folder / "logs").mkdir()
    (folder / "logs" / "a.txt").write_text(WRK + GC.format(n=1, t="0.010") + GC.format(n=2, t="0.020"))
    (folder / "logs" / "b.txt").write_text(WRK.replace("8 threads", "2 threads"))
    ingest([str(folder / "logs")], folder / "s.duckdb")
    return folder / "s.duckdb"


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Path:
    return shutil.copy(made, tmp_path / "s.duckdb")


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_a_query_is_answered_with_numbers_in_base_units(store: Path):
    result = run("sql", "SELECT threads, latency_mean_s FROM wide WHERE threads = 2", "-s", store, "--format", "csv")
    assert list(csv.reader(result.stdout.splitlines())) == [["threads", "latency_mean_s"], ["2", "0.00019332"]]


def test_a_query_from_standard_input(store: Path):
    result = CliRunner().invoke(
        main, ["sql", "-", "-s", str(store), "--format", "json"], input="SELECT max(gc) AS last FROM gc_cycles"
    )
    assert json.loads(result.stdout)["rows"] == [{"last": 2}]


@pytest.mark.parametrize("query", ["DELETE FROM runs", "FROM '/etc/hostname'", "COPY runs TO 'x.csv'", "selec", ""])
def test_a_query_that_has_no_answer_is_wrong_usage_and_changes_nothing(store: Path, query: str):
    before = store.read_bytes()
    result = run("sql", query, "-s", store)
    assert result.exit_code == 2
    assert "Error:" in result.stderr
    assert store.read_bytes() == before


def test_the_wide_table_as_a_file(store: Path, tmp_path: Path):
    assert run("export", "-s", store, "--where", "tool = 'wrk'", "-o", tmp_path / "runs.csv").exit_code == 0
    rows = list(csv.DictReader((tmp_path / "runs.csv").read_text().splitlines()))
    assert sorted(row["threads"] for row in rows) == ["2", "8"]
    assert {float(row["throughput_per_s"]) for row in rows} == {40669.44}


def test_a_directory_of_parquet_is_a_store(store: Path, tmp_path: Path):
    assert run("export", "-s", store, "-o", tmp_path / "out").exit_code == 0
    first, second = wp.load(store), wp.load(tmp_path / "out")
    for table in ("runs", "labels", "measurements", "gc_cycles", "texts", "sources"):
        assert first.arrow(table).to_pylist() == second.arrow(table).to_pylist()


def test_nothing_is_written_over(store: Path, tmp_path: Path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    result = run("export", "-s", store, "-o", tmp_path / "out")
    assert (result.exit_code, "not an empty directory" in result.stderr) == (3, True)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_a_table_that_is_not_there_names_those_that_are(store: Path, tmp_path: Path):
    result = run("export", "-s", store, "--table", "cycles", "-o", tmp_path / "x.csv")
    assert result.exit_code == 2
    assert "gc_cycles" in result.stderr
    assert not (tmp_path / "x.csv").exists()
