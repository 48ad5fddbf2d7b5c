"""A store is given to each command in the same way, as an argument or with -s."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import samples
from tests.command_line import wrkparse


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("stores")
    samples.logs(root / "logs", "kiwi/1.txt", "emu/1.txt")
    assert wrkparse("ingest", "-q", str(root / "logs"), "-s", str(root / "a.duckdb")).exit_code == 0
    return root


@pytest.fixture(autouse=True)
def here(bench: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(bench)


def test_ingest_writes_the_store_of_s_as_that_of_o(bench: Path) -> None:
    assert (bench / "a.duckdb").is_file()
    assert len(wrkparse("runs", "-s", "a.duckdb", "--format", "csv").stdout.splitlines()) == 1 + 2


@pytest.mark.parametrize("store", [("a.duckdb",), ("-s", "a.duckdb")])
def test_label_proposes_the_rules_for_the_runs_of_a_store(store: tuple[str, ...]) -> None:
    result = wrkparse("label", *store)
    assert (result.exit_code, result.stdout) == (0, wrkparse("label", "logs").stdout)
    assert "source: kiwi/*" in result.stdout


def test_label_writes_no_file_for_a_store_and_says_what_to_do(bench: Path) -> None:
    result = wrkparse("label", "--yes", "a.duckdb")
    assert (result.exit_code, "wrkparse label a.duckdb > LOGS/wrkparse.yaml" in result.stderr) == (2, True)
    assert not list(bench.rglob("wrkparse.yaml"))


@pytest.mark.parametrize("wrong", [("a.duckdb", "logs"), ("logs", "-s", "a.duckdb")])
def test_label_takes_one_store_or_logs(wrong: tuple[str, ...]) -> None:
    assert wrkparse("label", *wrong).exit_code == 2


@pytest.mark.parametrize("store", [("a.duckdb",), ("-s", "a.duckdb"), ("logs", "a.duckdb")])
def test_explain_says_of_a_store_that_it_needs_the_logs_and_which(store: tuple[str, ...]) -> None:
    result = wrkparse("explain", *store)
    assert (result.exit_code, result.stdout) == (3, "")
    assert "a.duckdb is a store" in result.stderr
    assert "wrkparse explain emu/1.txt (below the directory that was ingested)" in result.stderr


def test_explain_takes_logs_in_both_ways() -> None:
    assert wrkparse("explain", "-s", "logs").stdout == wrkparse("explain", "logs").stdout != ""
    assert wrkparse("explain").exit_code == 2
