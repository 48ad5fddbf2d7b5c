"""``wrkparse audit`` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.samples import WRK
from wrkparse.cli import main

SLOW = WRK.replace("193.32us", "470.00us")  # Little's law: 2.39
WRONG = WRK.replace("40669.44", "40700.00")  # 410759 / 10.10 is 40690 at most
PAGE = f"# nginx\n\n```\n{WRK}```\n\n# go\n\n```\n{SLOW}```\n"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def stored(page: str) -> None:
    Path("page.md").write_text(page)
    assert run("ingest", "page.md", "--label", "framework=nginx").exit_code == 0


def test_a_suspect_run_is_shown_with_its_place_its_reason_and_what_to_do() -> None:
    """The run begins in line 17, its latency row is line 20."""
    stored(PAGE)
    result = run("audit")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[0].startswith("page.md:17: latency-suspect: wrk, nginx, ")
    assert "  20: little-law-high: latency × throughput / connections = 2.39" in lines
    assert "little-law-high (1)" in lines
    assert lines[-1] == "2 runs: 1 ok, 1 latency-suspect, 0 suspect, 0 invalid"
    assert max(map(len, lines)) <= 80


def test_an_invalid_run_ends_with_exit_code_1() -> None:
    stored(PAGE.replace(SLOW, WRONG))
    result = run("audit")
    assert result.exit_code == 1
    assert "  23: rate-contradiction: " in result.output
    assert result.output.endswith("2 runs: 1 ok, 0 latency-suspect, 0 suspect, 1 invalid\n")


def test_where_shows_and_judges_some_runs_only() -> None:
    stored(PAGE.replace(SLOW, WRONG))
    result = run("audit", "--where", "throughput < 40700")
    assert (result.exit_code, result.output) == (0, "1 run: 1 ok, 0 latency-suspect, 0 suspect, 0 invalid\n")
    assert run("audit", "--where", "nonsense = 1").exit_code == 2


def test_without_a_run_nothing_is_judged_fit() -> None:
    stored(PAGE)
    result = run("audit", "--where", "throughput < 1")
    assert (result.exit_code, result.output) == (3, "wrkparse: no run matches throughput < 1\n")
    stored("no report\n")
    assert run("audit").exit_code == 3


def test_notes_are_counted_and_shown_on_request() -> None:
    stored(PAGE.replace(SLOW, WRK.replace("193.32us", "250.00us")))
    assert run("audit").output == "2 runs: 2 ok, 0 latency-suspect, 0 suspect, 0 invalid; 1 note (--all shows them)\n"
    shown = run("audit", "--all").output
    assert "  20: little-law-high: latency × throughput / connections = 1.27\n" in shown
    assert shown.endswith("2 runs: 2 ok, 0 latency-suspect, 0 suspect, 0 invalid\n")


def test_findings_as_json() -> None:
    stored(PAGE)
    (finding,) = json.loads(run("audit", "--format", "json").output)["rows"]
    assert (finding["source"], finding["line"], finding["code"]) == ("page.md", 20, "little-law-high")
    assert finding["value"] == pytest.approx(470e-6 * 40669.44 / 8)


def test_findings_as_a_file(tmp_path: Path) -> None:
    stored(PAGE)
    assert run("audit", "-o", "findings.csv").output == ""
    assert len((tmp_path / "findings.csv").read_text().splitlines()) == 2


def test_a_store_that_is_not_there() -> None:
    assert run("audit", "--store", "none.duckdb").exit_code == 3
