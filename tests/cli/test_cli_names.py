"""The names that users write for labels, values and metrics."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from wrkparse.cli import main

FIXTURES = Path(__file__).parents[1] / "fixtures"
SERVERS = str(FIXTURES / "servers")  # heron, plover and siskin with 8 and 64 connections


@pytest.fixture(autouse=True)
def eighty_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")


def wrkparse(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False)


@pytest.mark.parametrize(
    ("baseline", "said"),
    [
        ("colour=red", "there is no label colour; there are: connections, corrected, "),
        ("framwork=heron", "there is no label framwork; did you mean framework?"),
        ("conns=8,colour=red", "there is no label colour; there are: "),
    ],
)
def test_a_baseline_by_a_label_that_no_run_has_is_wrong_usage(baseline: str, said: str) -> None:
    result = wrkparse("compare", SERVERS, "--baseline", baseline)
    assert (result.exit_code, said in result.stderr) == (2, True), result.stderr


def test_a_baseline_with_a_value_that_no_run_has_names_the_values_and_the_one_meant() -> None:
    result = wrkparse("compare", SERVERS, "--baseline", "framework=plovr")
    said = "no run has the baseline's framework=plovr: framework is heron, plover, siskin; did you mean plover?"
    assert (result.exit_code, said in result.stderr) == (3, True), result.stderr
