"""`wrkparse compare old/ new/`: sides from paths, without a store."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.cli.test_cli_compare import report
from tests.command_line import wrkparse
from tests.samples import WRK
from wrkparse.cli import main


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five runs each, new 1.5 times as fast as old, at 8 connections."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for folder, level in (("old", 1000.0), ("new", 1500.0)):
        Path(folder).mkdir()
        for run in range(5):
            Path(folder, f"run{run}.txt").write_text(report(level * 1.01**run))


def words(result: Result) -> str:
    return " ".join(result.stdout.split())


def test_two_folders_are_two_sides_and_the_first_is_the_baseline() -> None:
    result = wrkparse("compare", "old/", "new")
    assert result.exit_code == 0
    assert not result.stderr
    # 2 / C(10, 5); the quotients are 1.5 · 1.01^(i-j), the interval is from -3 to 3 steps
    assert "new answers 1.50 times as many requests as old (1.46–1.55, p = 0.0079, 5 runs each)." in words(result)
    assert result.stdout.startswith("medians, ratios to input=old")
    assert wrkparse("compare", "x=new", "y=old").stdout.startswith("medians, ratios to input=x")
    assert not list(Path().glob("*.duckdb"))


def test_a_name_in_front_of_a_path_names_its_side() -> None:
    said = words(wrkparse("compare", "before=old/", "after=new/"))
    assert "“after” answers 1.50 times as many requests as “before” (" in said
    said = words(wrkparse("compare", "before=old", "after=new", "--baseline", "input=after"))
    assert "“before” answers 0.67 times as many requests as “after” (" in said


def test_files_standard_input_and_stores_are_sides_too(command: tuple[str, ...]) -> None:
    piped = subprocess.run(
        [*command, "compare", "old/run0.txt", "-"], input=report(2000.0), capture_output=True, text=True, check=True
    )
    assert "stdin answered 2.0 times as many requests as run0 (one run each)." in " ".join(piped.stdout.split())
    assert wrkparse("ingest", "old", "-o", "monday.duckdb").exit_code == 0
    said = words(wrkparse("compare", "monday.duckdb", "new"))
    assert "new answers 1.50 times as many requests as monday (" in said


def test_paths_that_end_alike_are_named_by_what_differs() -> None:
    said = words(wrkparse("compare", "old/run0.txt", "new/run0.txt"))
    assert "new answered 1.50 times as many requests as old" in said


def test_one_path_is_compared_by_its_labels_as_a_store_is() -> None:
    assert wrkparse("ingest", ".").exit_code == 0
    from_store = wrkparse("compare", "--details")
    for place in (".", "wrkparse.duckdb"):
        assert wrkparse("compare", place, "--details").stdout == from_store.stdout
    assert "new answers 1.50 times as many requests as old" in words(from_store)


def test_three_sides_are_compared_with_the_first() -> None:
    Path("newest").mkdir()
    for run in range(5):
        Path("newest", f"run{run}.txt").write_text(report(500.0 * 1.01**run))
    said = words(wrkparse("compare", "old", "new", "newest"))
    assert "new answers 1.50 times as many requests as old" in said
    assert "newest answers 0.50 times as many requests as old" in said


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("old", "nowhere"), 3, "nowhere: no such file or directory"),
        (("old", "notes.txt"), 3, "notes.txt: no run found there"),
        (("old", "--store", "wrkparse.duckdb"), 2, "give the data only once: as arguments or with --store"),
        (("old", "old"), 2, "two inputs are named old; name one of them"),
        ((), 3, "there is no store wrkparse.duckdb here; name files or folders"),
        (("old", "old.duckdb"), 3, "can't be on two sides"),
    ],
)
def test_what_can_not_be_compared_is_said(arguments: tuple[str, ...], code: int, message: str) -> None:
    Path("notes.txt").write_text("nothing of interest\n")
    if "old.duckdb" in arguments:
        assert wrkparse("ingest", "x=old", "-o", "old.duckdb").exit_code == 0
        arguments = ("x=old", "y=old.duckdb")
    result = wrkparse("compare", *arguments)
    assert result.exit_code == code
    assert message in result.stderr


def test_a_file_that_could_not_be_read_is_named_and_the_exit_code_is_3() -> None:
    Path("new/broken.gz").write_bytes(b"\x1f\x8b\x08 cut off")
    result = wrkparse("compare", "old", "new")
    assert result.exit_code == 3
    assert "new/broken.gz: error: " in result.stderr or "new/broken.gz: warning: " in result.stderr
    assert "new answers 1.50 times as many requests as old" in words(result)
    assert wrkparse("ingest", ".", "-q").exit_code == 3
    assert wrkparse("compare", "wrkparse.duckdb").exit_code == wrkparse("compare").exit_code == 0


@pytest.mark.parametrize("command", [
    ("runs",), ("audit",), ("sql", "FROM runs"), ("export", "-o", "runs.csv"), ("label", "-y"), ("explain",),
    ("report", "-o", "report.md"), ("compare", "--rows", "conns"), ("compare", "-s"),
])  # fmt: skip
@pytest.mark.usefixtures("without_kernel")
def test_every_command_that_reads_logs_exits_with_3_if_one_could_not_be_read(command: tuple[str, ...]) -> None:
    assert wrkparse(*command, ".").exit_code == 0
    Path("wrkparse.yaml").unlink(missing_ok=True)  # written by label
    Path("new/broken.gz").write_bytes(b"\x1f\x8b\x08 cut off")
    result = wrkparse(*command, ".")
    assert result.exit_code == 3
    assert "new/broken.gz" in result.stderr or command == ("explain",)


@pytest.mark.parametrize("options", [("--rows", "conns"), ("--columns", "conns")])
def test_sides_are_compared_within_each_setting_that_is_asked_for(options: tuple[str, ...]) -> None:
    result = wrkparse("compare", "old", "new", *options)
    assert "new answers 1.50 times as many requests as old at 8 connections (1.46–1.55, " in words(result)


def test_a_limit_is_judged_between_folders() -> None:
    assert wrkparse("compare", "old", "new", "--fail-on", "throughput < -5%").exit_code == 0
    result = wrkparse("compare", "x=new", "y=old", "--fail-on", "throughput < -5%")
    assert result.exit_code == 1
    assert "regression: throughput of input=y: -33.3 %" in result.stderr


@pytest.mark.parametrize("command", ["runs", "audit"])
def test_other_commands_take_several_files_and_folders_as_one_set_of_logs(command: str) -> None:
    several = wrkparse(command, "old/run0.txt", "old/run1.txt", "new", "--format", "json")
    assert several.exit_code == 0
    assert several.stdout.count('"run"') >= 7
    refused = wrkparse(command, "old", "missing.txt")
    assert refused.exit_code == 2
    assert "missing.txt does not exist; give one store, or files and folders" in refused.stderr


def test_a_store_stands_alone() -> None:
    assert wrkparse("ingest", "old", "-o", "old.duckdb").exit_code == 0
    refused = wrkparse("runs", "old.duckdb", "new")
    assert refused.exit_code == 2
    assert "old.duckdb is a store; give one store, or files and folders" in refused.stderr


def test_other_commands_read_standard_input(command: tuple[str, ...]) -> None:
    words = [*command, "runs", "-", "--columns", "throughput,source"]
    piped = subprocess.run(words, input=report(2000.0), capture_output=True, text=True, check=True)
    assert "2.000 k/s  <stdin>" in piped.stdout


@pytest.mark.parametrize("words", [
    ["ingest", ""], ["ingest", "a.log", ""], ["ingest", "a.log", "-o", ""], ["runs", ""], ["runs", "-s", ""],
    ["compare", ""], ["compare", "a.log", ""], ["audit", ""],
])  # fmt: skip
def test_an_empty_name_is_not_the_current_directory(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a variable that is not set."""
    (tmp_path / "a.log").write_text(WRK)
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert "is empty" in result.stderr


@pytest.mark.parametrize("place", [".", "..", "/"])
def test_a_directory_is_no_name_for_a_store_to_write(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.log").write_text(WRK)
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["ingest", "a.log", "-o", place])
    assert result.exit_code == 3
    assert "is a directory, and a store is written as a file; give another name with -o" in result.stderr


def test_the_next_commands_can_be_typed_as_they_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.log").write_text(WRK)
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["ingest", "a.log", "-o", "my store.duckdb"])
    assert "wrkparse runs 'my store.duckdb'    wrkparse show RUN --store 'my store.duckdb'\n" in result.stdout
