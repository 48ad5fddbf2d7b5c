"""The section of every setting in the overview."""

from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp
from tests.analysis.comparison.runs import Runs
from tests.plot.artists import words
from tests.samples import WRK
from wrkparse.report.exhibits.about import Paragraphs
from wrkparse.report.exhibits.captioned import Table
from wrkparse.report.exhibits.tables.settings import setting_exhibits

DATA = Path(__file__).parents[2] / "data"
FIXTURES = Path(__file__).parents[1] / "fixtures"


def tables(runs: Runs) -> dict[str, Table]:
    """The tables of the section, by the first words of their captions."""
    shown = [one for one in setting_exhibits(wp.summary(runs.dataset())) if isinstance(one, Table)]
    return {one.caption.partition(":")[0]: one for one in shown}


def test_failures_have_differences_in_percentage_points() -> None:
    """Of 1000 requests 10, 20 or 30 failed at the baseline, 40, 50 or 60 beside it: 3 percentage points more."""
    runs = Runs()
    for name, failed in (("main", (10, 20, 30)), ("slab", (40, 50, 60))):
        for count in failed:
            runs.add(labels={"framework": name}, throughput=100.0, requests=1000, errors_timeout=count)
    [table] = [one for one in tables(runs).values() if "ifferences" in one.caption]
    assert table.caption.endswith("median of each setting, and differences from main")
    columns = {one.title: one for one in table.columns()}
    assert (columns["median"].unit, columns["difference"].unit) == ("%", "% points")
    assert sorted(zip(columns["median"].cells, columns["difference"].cells, strict=True)) == [("2", ""), ("5", "+3")]
    assert "ratio" not in columns


def test_a_table_that_the_main_figure_prints_row_by_row_says_so() -> None:
    runs = Runs()
    for name, rate in (("heron", 100.0), ("plover", 150.0)):
        for step in (1.0, 1.01, 1.02):
            runs.add(labels={"framework": name}, throughput=rate * step, latency=1 / rate)
    repeats = {name: table.repeats for name, table in tables(runs).items()}
    assert repeats == {"Throughput": "fig:main", "Mean latency": ""}  # the figure is of throughput


def test_a_table_with_settings_that_the_main_figure_folds_is_printed() -> None:
    """Thirty servers: the figure has the best ten and one row for the others."""
    runs = Runs()
    for at in range(30):
        runs.several([100.0 + at, 101.0 + at, 102.0 + at], framework=f"server {at:02}")
    assert {table.repeats for table in tables(runs).values()} == {""}


def test_a_table_over_all_settings_that_the_main_figure_prints_is_not_printed_twice() -> None:
    """Three servers in 22 settings are 66 cells: figure and table have a row for each server over all of them."""
    runs = Runs()
    for connections in range(1, 23):
        for name, rate in (("heron", 100.0), ("plover", 150.0), ("wren", 200.0)):
            runs.add(labels={"framework": name, "connections": connections}, throughput=rate, latency=1 / rate)
    assert {name: table.repeats for name, table in tables(runs).items()} == {
        "Throughput": "fig:main", "Mean latency": "",
    }  # fmt: skip


def test_of_failures_over_all_settings_the_settings_are_counted() -> None:
    """Of 22 settings, plover has more failures in 21, and wren fewer in one: 66 cells are too many for a table."""
    runs = Runs()
    for connections in range(1, 23):
        for name, failed in (("heron", 5), ("plover", 5 + (connections > 1)), ("wren", 5 - (connections == 1))):
            labels = {"framework": name, "connections": connections}
            runs.add(labels=labels, throughput=100.0, requests=1000, errors_timeout=failed)
    [table] = [one for one in tables(runs).values() if "more and fewer than heron" in one.caption]
    columns = {one.title: one.cells for one in table.columns()}
    rows = dict(zip(columns["framework"], zip(columns["more in"], columns["fewer in"], strict=True), strict=True))
    assert rows == {"plover": ("21", "0"), "wren": ("0", "1")}


def test_a_row_without_a_name_says_so() -> None:
    runs = Runs()
    runs.several([200.0, 201.0, 202.0], framework="heron")
    runs.several([100.0, 101.0, 102.0])
    found = wp.compare(runs.dataset(), rows="framework", baseline="framework=heron")
    assert found.cells["framework"].isna().any()
    names = {cell for table in tables(runs).values() for column in table.columns()[:1] for cell in column.cells}
    assert names == {"heron", "(none)"}


def test_the_only_study_is_in_no_caption_and_no_column() -> None:
    found = wp.summary(wp.read(DATA / "haskell-go-node-io"))
    captions = [one.caption for one in setting_exhibits(found) if isinstance(one, wp.Table | wp.Figure)]
    assert len(captions) > 3
    assert not [caption for caption in captions if "haskell-go-node-io" in caption]
    highest = [caption for caption in captions if caption.startswith("Throughput by connections")]
    assert highest[0].startswith(
        "Throughput by connections: the highest is 1.736M requests/s of haskell stdio on 40 cores at 5000 connections."
    )


def figures(runs: Runs) -> list[str]:
    return [one.label for one in setting_exhibits(wp.summary(runs.dataset())) if isinstance(one, wp.Figure)]


def test_points_without_a_curve_have_no_figure_by_connections() -> None:
    """Three servers, each at another number of connections; then one of them at three."""
    runs = Runs()
    for name, connections in (("heron", 8), ("plover", 16), ("wren", 32)):
        runs.several([100.0, 101.0, 102.0], framework=name, connections=connections)
    assert "fig:load-1" not in figures(runs)
    for connections in (16, 32):
        runs.several([200.0, 201.0, 202.0], framework="heron", connections=connections)
    assert "fig:load-1" in figures(runs)


def test_failures_of_a_run_that_is_not_used_are_told(tmp_path: Path) -> None:
    """The median of plover is over its other two runs; of 410,759 responses 300,000 are an error."""
    failed = WRK.replace("Requests/sec", "  Non-2xx or 3xx responses: 300000\nRequests/sec")
    for name in ("heron", "plover"):
        (tmp_path / name).mkdir()
        for number in range(3):
            text = failed if (name, number) == ("plover", 1) else WRK
            (tmp_path / name / f"run{number}.log").write_text(text)
    said = [one.markdown for one in setting_exhibits(wp.summary(wp.read(tmp_path))) if isinstance(one, Paragraphs)]
    assert any(
        line.endswith("the median of every setting is 0; a run of plover that is not used has 300,000.")
        for line in said
    ), said


def test_without_a_comparison_a_table_has_no_verdicts() -> None:
    """Each server was measured at numbers of connections of its own."""
    runs = Runs()
    for name, connections in (("heron", 8), ("heron", 16), ("plover", 32), ("plover", 64)):
        runs.several([100.0, 101.0, 102.0], framework=name, connections=connections)
    [table] = tables(runs).values()
    assert "verdict" not in [one.title for one in table.columns()]


def test_the_numbers_of_a_single_run_have_the_digits_that_its_tool_prints() -> None:
    """The log has a second run, of time. ab prints whole milliseconds: ``99%    396``."""
    found = wp.summary(wp.read(DATA / "go-net-http-ab"))
    totals, _, spreads, timed = [one.frame for one in setting_exhibits(found) if isinstance(one, Table)]
    assert dict(totals[["metric", "total"]].to_numpy())["Throughput"] == "14.88k requests/s"
    assert dict(spreads[["metric", "p99"]].to_numpy())["Time from the start to the last byte"] == "396 ms"
    assert dict(timed[["metric", "total"]].to_numpy())["CPU time in user mode"] == "3.22 s"


def test_runs_of_one_setting_have_no_empty_columns() -> None:
    runs = Runs()
    runs.several([100.0, 101.0])
    [table] = tables(runs).values()
    assert [one.title for one in table.columns()] == ["file", "line", "Throughput"]


@pytest.mark.parametrize(("settings", "printed"), [(12, 12), (13, 6)])
def test_of_many_settings_that_the_audit_lets_not_count_few_are_printed(
    tmp_path: Path, settings: int, printed: int
) -> None:
    """8 connections answered 40,669 requests/s: after 0.2 ms on average, not after 0.5 ms."""
    for letter in "abcdefghijklm"[:settings]:
        (tmp_path / f"{letter}bird").mkdir()
        (tmp_path / f"{letter}bird" / "run.log").write_text(WRK.replace("193.32us", "500.00us"))
    found = [one for one in setting_exhibits(wp.summary(wp.read(tmp_path))) if isinstance(one, wp.Table)]
    [latencies] = [one for one in found if one.caption.startswith("Mean latency")]
    assert len(latencies.frame) == settings
    assert set(latencies.frame["verdict"]) == {"not used"}
    assert {len(one.cells) for one in latencies.columns()} == {printed}


def test_the_connections_of_settings_are_called_so() -> None:
    runs = Runs()
    for name, connections in (("heron", 8), ("heron", 16), ("plover", 8), ("plover", 16)):
        runs.several([100.0, 101.0, 102.0], framework=name, connections=connections)
    assert "connections" in [one.title for table in tables(runs).values() for one in table.columns()]


def test_the_value_of_a_label_is_written_alike_in_text_figures_and_tables() -> None:
    """Text had 1024 connections, and figures, conditions and growth 1,024."""
    runs = Runs()
    for cores in (1, 2, 4, 8):
        for load in (1024, 4096, 16384):
            for name in ("heron", "plover"):
                runs.several([1000.0 * cores, 1010.0 * cores], framework=name, connections=load, cores=cores)
    ds = runs.dataset()
    assert "connections (1024, 4096, 16384)" in str(wp.conditions(ds))
    assert "1024 connections" in str(wp.conditions(ds, "connections = 1024"))
    shown = " ".join(words(wp.plot.scaling(ds)))
    assert "connections 4096" in shown
    assert "4,096" not in shown
    growth = wp.Table(wp.scaling(ds).fits, "Laws", "tbl:laws")
    [column] = [one for one in growth.columns() if one.title == "connections"]
    assert set(column.cells) == {"1024", "4096", "16384"}


def test_one_ab_run_has_its_percentiles_in_a_table_of_their_own() -> None:
    """ab prints a table of connection times with five columns, and nine percentiles."""
    ds = wp.parse_text((FIXTURES / "ab" / "basic-n10.txt").read_text())
    found = {one.caption: one for one in setting_exhibits(wp.summary(ds)) if isinstance(one, Table)}
    assert list(found) == ["Totals of the run", "Distributions of the run", "Percentiles of the run"]
    titles = {caption: [column.title for column in table.columns()] for caption, table in found.items()}
    assert titles["Totals of the run"] == ["metric", "total"]
    assert sorted(titles["Distributions of the run"]) == ["max", "mean", "median", "metric", "min", "stdev"]
    assert titles["Percentiles of the run"] == ["metric", *(f"p{at}" for at in (50, 66, 75, 80, 90, 95, 98, 99, 100))]
    assert len(found["Percentiles of the run"].frame) == 1
