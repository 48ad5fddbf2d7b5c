"""``wrkparse reproduce`` from the command line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.samples import WRK
from wrkparse.cli import main

STUDY = """\
labels:
- set: {framework: nginx}
tables:
- {file: rates.csv, rows: [connections], columns: [framework], metric: throughput, title: Rates}
"""
CLAIM = "claims:\n- {claim: as fast as itself, metric: throughput, of: {cores: 4}, against: {cores: 4}, says: 1}\n"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def stored(cell: str = "40669", more: str = "") -> None:
    """A store of one run with 8 connections and 40669.44 requests per second, in line 6 of its log."""
    bench = Path("bench")
    bench.mkdir()
    (bench / "wrk.log").write_text(WRK)
    (bench / "wrkparse.yaml").write_text(STUDY + more)
    (bench / "rates.csv").write_text(f"connections,nginx\n8,{cell}\n")
    assert run("ingest", "bench", "--label", "cores=4").exit_code == 0


def test_a_table_that_follows_is_shown_with_its_count() -> None:
    stored()
    result = run("reproduce")
    assert result.exit_code == 0
    assert result.output.splitlines()[0] == "bench: rates.csv: Rates (throughput)"
    assert "1 of 1 cells follow (1 number, all cut off or rounded)" in result.output


def test_a_cell_that_differs_is_told_with_both_numbers_and_lines_and_exits_1() -> None:
    """45000 / 40669.44 is 10.6 % more; the raw number stands in the line that names it."""
    stored("45000")
    line = WRK.splitlines().index("Requests/sec:  40669.44") + 1
    result = run("reproduce", "bench")
    assert result.exit_code == 1
    said = " ".join(result.output.split())
    assert "0 of 1 cells follow; 1 differs" in said
    assert (
        f"rates.csv:2: connections=8; framework=nginx: 45000, raw 40669.44 (+10.6 %) at wrk.log:{line}"
        in said.replace("bench/", "")
    )


def test_claims_are_shown_with_the_rule_and_that_runs_are_single() -> None:
    stored(more=CLAIM)
    output = " ".join(run("reproduce").output.split())
    assert "holds: as fast as itself: throughput 1.00 in 1 pair; said by page: 1, tolerance 20 %" in output
    assert "A claim holds if every pair" in output
    assert "the verdict can't account for chance" in output


def test_a_claim_shows_who_makes_it_in_the_text_and_in_the_rows() -> None:
    stored(more=CLAIM.replace("says:", "said_by: us, says:"))
    assert "; said by us: 1, tolerance 20 %" in " ".join(run("reproduce").output.split())
    (claim,) = json.loads(run("reproduce", "--format", "json", "--table", "claims").output)["rows"]
    (pair,) = json.loads(run("reproduce", "--format", "json", "--table", "pairs").output)["rows"]
    assert (claim["said_by"], pair["said_by"]) == ("us", "us")


def test_other_formats_hold_the_rows() -> None:
    stored(more=CLAIM)
    (row,) = csv.DictReader(io.StringIO(run("reproduce", "--format", "csv").output))
    assert (row["study"], row["printed"], row["value"], row["verdict"]) == ("bench", "40669", "40669.44", "follows")
    (claim,) = json.loads(run("reproduce", "--format", "json", "--table", "claims").output)["rows"]
    assert (claim["verdict"], claim["median"]) == ("holds", 1.0)


def test_nothing_to_reproduce_exits_3() -> None:
    Path("wrk.log").write_text(WRK)
    assert run("ingest", "wrk.log").exit_code == 0
    result = run("reproduce")
    assert result.exit_code == 3
    assert "no published tables and no claims" in result.output


def test_a_table_that_is_gone_exits_3_and_is_named() -> None:
    stored(more=CLAIM)
    Path("bench/rates.csv").unlink()
    result = run("reproduce")
    assert result.exit_code == 3
    assert "rates.csv: the published table can't be read: no longer there" in result.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothing",), "no study nothing; there are: bench"),
        (("--metric", "throughput"), "need --from"),
        (("--where", "colour = 1"), "colour"),
        (("--from", "none.md"), "does not exist"),
    ],
)
def test_wrong_usage_exits_2(arguments: tuple[str, ...], said: str) -> None:
    stored()
    result = run("reproduce", *arguments)
    assert result.exit_code == 2
    assert said in result.output


PAGE = "server | conns | req/s\n--- | --- | ---\nnginx | 8 | %s\n\n"


def test_a_page_is_held_against_its_own_runs() -> None:
    Path("page.md").write_text(PAGE % "**40,669**" + f"## nginx\n\n```\n{WRK}```\n")
    result = run("reproduce", "--from", "page.md")
    assert result.exit_code == 0
    assert "1 of 1 cells follow" in result.output
    assert "page.md:1: column 'req/s': throughput, which gives 1 of 1 numbers" in result.output


def test_a_page_without_runs_is_held_against_the_store() -> None:
    stored()
    Path("page.md").write_text(PAGE % "40,669")
    assert run("reproduce", "--from", "page.md").exit_code == 0
    assert run("reproduce", "--from", "page.md", "--store", "wrkparse.duckdb").exit_code == 0


def test_with_its_metric_given_a_wrong_number_of_a_page_exits_1() -> None:
    Path("page.md").write_text(PAGE % "40,966" + f"## nginx\n\n```\n{WRK}```\n")
    assert run("reproduce", "--from", "page.md").exit_code == 3
    result = run("reproduce", "--from", "page.md", "--metric", "throughput")
    assert result.exit_code == 1
    assert "40,966, raw 40669.44 (+0.729 %) at page.md:14" in " ".join(result.output.split())


def test_a_page_without_a_table_or_without_runs_exits_3() -> None:
    Path("page.md").write_text(WRK)
    assert run("reproduce", "--from", "page.md").exit_code == 3
    Path("page.md").write_text(PAGE % "40,669")
    assert run("reproduce", "--from", "page.md").exit_code == 3
