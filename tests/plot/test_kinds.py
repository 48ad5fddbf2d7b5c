from __future__ import annotations

import csv
import inspect
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from wrkparse import plot
from wrkparse.cli import main

ROOT = Path(__file__).parents[2]
SOURCES = (
    "tests/fixtures/analysis/go1.26.8-gogc20.log",
    "tests/fixtures/schedtrace/go1.24.13.log",
    "tests/fixtures/wrk/calibrated-u_latency.txt",
    "data/nuster-nginx-varnish",
)


def wrkparse(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_efficiency_has_no_option_of_a_law() -> None:
    result = wrkparse("plot", "efficiency", "--errors", "relative", "-s", "nothing")
    assert result.exit_code == 2
    assert "No such option '--errors'" in result.output


@pytest.mark.parametrize("name", plot.KINDS)
def test_a_kind_has_the_options_of_its_function(name: str) -> None:
    of_function = set(inspect.signature(getattr(plot, name)).parameters)
    of_notebooks = {"ds", "source", "shown", "ax", "where", "width", "most_rows"}
    assert set(plot.KINDS[name].options) == of_function - of_notebooks


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("kinds") / "all.duckdb")
    assert wrkparse("ingest", "-q", "-o", path, *(str(ROOT / source) for source in SOURCES)).exit_code == 0
    return path


# Rows: 15 lines of 2 pauses and 3 sizes each; P × ticks; lines of both spectra; published cells; runs with a latency.
@pytest.mark.parametrize(
    ("arguments", "rows"),
    [
        (["gc", "--slo-s", "0.01"], 15 * 5),
        (["mmu"], None),
        (["sched"], None),
        (["latency", "-w", "tool = 'wrk2'"], 90),
        (["ccdf", "-w", "tool = 'wrk2'"], 90),
        (["reproduce", "--study", "nuster-nginx-varnish"], 90),
        (["audit", "-w", "tool = 'wrk'"], 90),
    ],
)
def test_each_kind_is_drawn_with_its_data(store: str, tmp_path: Path, arguments: list[str], rows: int | None) -> None:
    figure, table = tmp_path / "a.svg", tmp_path / "a.csv"
    result = wrkparse("plot", *arguments, "-s", store, "-o", str(figure), "--data", str(table))
    assert result.exit_code == 0, result.output
    assert 5_000 < figure.stat().st_size < 200_000  # with the outlines of its letters
    found = list(csv.DictReader(table.read_text().splitlines()))
    assert len(found) == rows if rows else found


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gc", "-w", "tool = 'wrk'"], "no gctrace run for which"),
        (["gc", "--run", "nothing"], "whose identifier begins with 'nothing'"),
        (["mmu", "-w", "tool = 'wrk'"], "no gctrace run"),
        (["gc_costs"], "there are no gctraces of several settings"),
        (["sched", "-w", "tool = 'wrk'"], "no schedtrace run for which"),
        (["latency", "-w", "tool = 'gctrace'"], "no run prints latency percentiles"),
        (["audit", "-w", "tool = 'gctrace'"], "no report states"),
    ],
)
def test_missing_data_gives_a_message_without_a_traceback(store: str, arguments: list[str], message: str) -> None:
    result = wrkparse("plot", *arguments, "-s", store)
    assert result.exit_code == 3
    assert message in " ".join(result.output.split())
