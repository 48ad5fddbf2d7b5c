"""The names that users write for labels, values and metrics."""

from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp
from tests.command_line import wrkparse
from tests.samples import WRK

FIXTURES = Path(__file__).parents[1] / "fixtures"
SERVERS = str(FIXTURES / "servers")  # heron, plover and siskin with 8 and 64 connections


@pytest.fixture(autouse=True)
def eighty_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")


def with_errors(errors: str) -> str:
    return WRK.replace("Requests/sec:", f"  Socket errors: {errors}\nRequests/sec:")


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


def test_the_column_errors_of_runs_is_a_metric_of_compare_as_share_of_the_requests() -> None:
    Path("old.txt").write_text(with_errors("connect 1, read 20, write 300, timeout 4000"))
    Path("new.txt").write_text(WRK)  # no line: none
    table = wp.compare(wp.read("old.txt", "new.txt"), metric="errors", baseline="framework=old")
    cells = table.cells.set_index("framework")
    assert cells["center"].to_dict() == pytest.approx({"new": 0.0, "old": 4321 / 410759})
    assert set(cells["unit"]) == {"ratio"}
    result = wrkparse("compare", "old.txt", "new.txt", "--metric", "errors")
    assert (result.exit_code, " errors " in result.stdout) == (0, True), result.output
    listed = wrkparse("runs", "old.txt", "new.txt", "--sort", "errors", "--columns", "errors", "--format", "csv")
    assert sorted(listed.stdout.split()[1:]) == ["0", "4321"]


def test_errors_of_tools_that_count_none_are_said_to_be_missing() -> None:
    Path("time.txt").write_text("\nreal\t0m1.000s\nuser\t0m0.500s\nsys\t0m0.100s\n" * 2)
    result = wrkparse("compare", "time.txt", "--metric", "errors")
    assert (result.exit_code, "no run states errors" in result.stderr) == (3, True), result.output


@pytest.mark.parametrize(
    ("option", "rows", "columns"),
    [
        (("--rows", "folder"), ["heron", "plover", "siskin"], ("connections",)),
        (("--rows", "framework", "--ignore", "folder"), ["heron", "plover", "siskin"], ("connections",)),
        (("--rows", "connections", "--columns", "folder"), ["8", "64"], ("folder",)),
        (("--rows", "folder", "--baseline", "folder=plover"), ["heron", "plover", "siskin"], ("connections",)),
    ],
)
def test_the_parts_of_a_place_are_labels_of_a_comparison(
    option: tuple[str, ...], rows: list[str], columns: tuple[str, ...]
) -> None:
    given = {option[at].removeprefix("--"): option[at + 1] for at in range(0, len(option), 2)}
    table = wp.compare(wp.read(SERVERS), metric="throughput", **given)  # type: ignore[arg-type]
    assert table.cells[table.rows[0]].unique().tolist() == rows
    assert table.columns == columns
    assert set(table.cells["n"]) == {5}
    assert wrkparse("compare", SERVERS, "--metric", "rps", *option).exit_code == 0


def test_the_section_and_the_file_are_labels_of_a_comparison_if_they_are_asked_for() -> None:
    Path("page.md").write_text(f"# One\n\n{WRK}\n# Two\n\n{with_errors('connect 1, read 0, write 0, timeout 0')}")
    page = wp.read("page.md")
    assert wp.compare(page, rows="section").cells["section"].unique().tolist() == ["One", "Two"]
    assert wp.compare(page, rows="file").cells["file"].unique().tolist() == ["page.md"]
    assert wp.compare(page, rows="folder").cells["folder"].isna().all()  # a file without one
    assert {"section", "file", "folder"}.isdisjoint(wp.compare(page).constants)


def test_a_label_of_the_name_goes_before_the_part_of_the_place() -> None:
    runs = wp.read(SERVERS, labels={"folder": "mine"})
    assert wp.compare(runs, rows="folder", metric="throughput").cells["folder"].unique().tolist() == ["mine"]
