"""A report against the past: what it decides, draws and writes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import wrkparse as wp
from tests.plot.artists import gids
from tests.samples import WRK
from wrkparse.ingest.sides import SidesError
from wrkparse.plot import data
from wrkparse.plot.figures.comparison.changes import changes
from wrkparse.plot.layout import figure_of
from wrkparse.plot.points import placed_points
from wrkparse.report.build import report
from wrkparse.report.exhibits.mime_types import FACTS, FOR_REPORT
from wrkparse.report.notebook.suite import find_notebook

# Requests per second of six runs, 0.1 % apart: each value of one side is above each of the other where a factor is 2 %.
STEPS = np.arange(6) * 0.001 + 1


def side(folder: Path, **rates: float) -> str:
    """Six runs of each server, as logs in folders of its name."""
    for server, rate in rates.items():
        for run, step in enumerate(STEPS, 1):
            path = folder / server / f"run-{run}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            # requests = rate × time, so that the audit finds no contradiction
            text = WRK.replace("40669.44", f"{rate * step:.2f}").replace("410759 ", f"{rate * step * 10.1:.0f} ")
            path.write_text(text)
    return str(folder)


@pytest.fixture
def sides(tmp_path: Path) -> list[str]:
    """The first is the baseline; heron loses 10 %, plover stays as it is up to 0.1 %."""
    return [side(tmp_path / "old", heron=40000, plover=30000), side(tmp_path / "now", heron=36000, plover=30030)]


def test_the_verdicts_are_those_of_the_comparison(sides: list[str]) -> None:
    ds, inputs = wp.open_sides(sides)
    assert inputs == ("old", "now")
    found = wp.Changes(ds, inputs, limits=["throughput < -5%"])
    cells = found.table.cells.query("metric == 'throughput' and input == 'now'").set_index("framework")
    compared = wp.compare(ds, rows="input", baseline="input=old", same_within=0.02).cells
    compared = compared.query("metric == 'throughput' and input == 'now'").set_index("framework")
    for name in ("ratio", "ratio_lo", "ratio_hi", "p_adjusted", "verdict"):
        assert cells[name].equals(compared[name])
    assert cells["verdict"].to_dict() == {"heron": "worse", "plover": "undecided"}
    assert cells["ratio"].to_dict() == pytest.approx({"heron": 0.9, "plover": 1.001}, rel=1e-3)
    assert found.outcome == 1


def title(sides: list[str], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv(FOR_REPORT, "print")
    ds, inputs = wp.open_sides(sides)
    return str(wp.Changes(ds, inputs)._repr_mimebundle_()[FACTS]["title"])


def test_the_title_counts_the_settings_that_changed(
    sides: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Heron lost, plover did not: no sentence holds for both."""
    assert title(sides, monkeypatch) == "now beside old: throughput is worse in 1 of 2 settings"
    mixed = side(tmp_path / "mixed", heron=36000, plover=33000)
    assert title([sides[0], mixed], monkeypatch) == (
        "mixed beside old: throughput is better in 1 of 2 settings, worse in 1"
    )
    same = side(tmp_path / "same", heron=40001, plover=30001)
    assert title([sides[0], same], monkeypatch) == "same beside old: no difference is decided"


def test_a_table_has_ratios_with_equally_many_decimals(sides: list[str]) -> None:
    ds, inputs = wp.open_sides(sides)
    [table] = [one for one in wp.Changes(ds, inputs).exhibits() if getattr(one, "label", "") == "tbl:changes-1"]
    assert isinstance(table, wp.Table)
    columns = {column.title: column.cells for column in table.columns()}
    assert columns["ratio"] == ["1.000", "0.900", "1.000", "1.001"]


@pytest.mark.parametrize(
    ("limit", "outcome"), [("throughput < -5%", 1), ("throughput < -20%", 0), ("throughput < -10%", 3)]
)
def test_the_outcome_is_that_of_a_gate(sides: list[str], limit: str, outcome: int) -> None:
    ds, inputs = wp.open_sides(sides)
    assert wp.Changes(ds, inputs, limits=[limit]).outcome == outcome


def test_the_slope_chart_shows_each_setting_and_the_zone_of_ties(sides: list[str]) -> None:
    ds, inputs = wp.open_sides(sides)
    table = wp.Changes(ds, inputs).table
    ax = wp.plot.changes(table, inputs)
    [panel] = ax.child_axes
    lines = [
        np.asarray(line.get_ydata(), float) for line in panel.get_lines() if str(line.get_gid()).startswith("setting")
    ]
    assert sorted(line[-1] for line in lines) == pytest.approx([0.9, 1.001], rel=1e-3)
    assert [line[0] for line in lines] == [1, 1]
    assert "ties" in gids(panel)
    labels = sorted(text.get_text() for text in panel.texts)
    assert [label.split("  ")[0] for label in labels] == ["heron", "plover"]
    assert labels[0].endswith("worse")
    assert labels[1].endswith("same")
    assert len(data(ax)) == 4
    figure_of(ax).draw_without_rendering()
    points = placed_points(figure_of(ax))
    assert {len(point.runs) for point in points} == {6}
    assert sorted(run for point in points for run in point.runs) == sorted(ds.runs["run"])


def intervals(sides: list[str]) -> tuple[list[tuple[float, float]], list[str], tuple[float, float]]:
    """Of a chart of changes: the intervals, the arrows at the ends of the axis, and these ends."""
    ds, inputs = wp.open_sides(sides)
    (panel,) = changes(wp.Changes(ds, inputs).table, inputs, metric="throughput").child_axes
    lines = [line for line in panel.lines if str(line.get_gid()).startswith("interval")]
    ends = [tuple(map(float, np.asarray(line.get_ydata()))) for line in lines]
    arrows = [str(line.get_marker()) for line in panel.lines if line.get_gid() == "beyond"]
    return [(low, high) for low, high in ends if low != high], arrows, panel.get_ylim()


def test_an_interval_is_shown_as_a_whole_if_none_is_narrower(tmp_path: Path) -> None:
    """The runs of the one side are 1 to 11 times as fast as its slowest; the middle ones have not changed."""
    old, now = side(tmp_path / "old", heron=40000), side(tmp_path / "now", heron=40000)
    for run in range(1, 7):
        path = tmp_path / "now" / "heron" / f"run-{run}.txt"
        rate = 10_000 * run
        path.write_text(WRK.replace("40669.44", f"{rate:.2f}").replace("410759 ", f"{rate * 10.1:.0f} "))
    [(low, high)], arrows, (bottom, top) = intervals([old, now])
    assert low < 0.5
    assert high > 1.2
    assert bottom < low < high < top
    assert not arrows


def test_an_interval_far_beyond_the_others_ends_in_arrows(tmp_path: Path) -> None:
    """Of three servers, one has such runs; the axis is that of the others."""
    servers = {"heron": 40000.0, "plover": 30000.0, "siskin": 20000.0}
    old, now = side(tmp_path / "old", **servers), side(tmp_path / "now", **servers)
    for run in range(1, 7):
        path = tmp_path / "now" / "heron" / f"run-{run}.txt"
        rate = 10_000 * run
        path.write_text(WRK.replace("40669.44", f"{rate:.2f}").replace("410759 ", f"{rate * 10.1:.0f} "))
    found, arrows, (bottom, top) = intervals([old, now])
    assert sum(bottom < low < high < top for low, high in found) == 2
    assert sorted(arrows) == ["^", "v"]


def test_several_inputs_are_a_history_in_their_order(tmp_path: Path, sides: list[str]) -> None:
    between = side(tmp_path / "between", heron=41000)
    ds, inputs = wp.open_sides([sides[0], f"spring={between}", sides[1]])
    ax = wp.plot.changes(wp.Changes(ds, inputs).table, inputs)
    [panel] = ax.child_axes
    assert [label.get_text() for label in panel.get_xticklabels()] == ["old", "spring", "now"]
    lengths = sorted(
        len(np.asarray(line.get_xdata())) for line in panel.get_lines() if str(line.get_gid()).startswith("setting")
    )
    assert lengths == [2, 3]  # nobody measured plover in spring


def test_a_run_on_two_sides_and_an_empty_side_are_named(tmp_path: Path, sides: list[str]) -> None:
    with pytest.raises(SidesError, match=r"now: no run found there for which connections = 9 or .* holds"):
        wp.open_sides([f"x={tmp_path / 'old'}", sides[1]], "connections = 9 or input = 'x'")
    with pytest.raises(SidesError, match="two inputs are named now"):
        wp.open_sides([f"now={sides[0]}", sides[1]])
    with pytest.raises(SidesError, match="nowhere: no such file or directory"):
        wp.open_sides([str(tmp_path / "nowhere"), sides[1]])


@pytest.mark.usefixtures("without_kernel")
def test_the_report_judges_limits_and_says_it_first(sides: list[str]) -> None:
    parameters = {"DATA": sides[1], "WHERE": None, "AGAINST": [f"old={sides[0]}"], "FAIL_ON": ["throughput < -5%"]}
    made = report(find_notebook("changes"), parameters)
    assert made.outcome == 1
    assert made.warnings == []
    text = made.content(".md").decode()
    lines = text.splitlines()
    assert lines[0].startswith("# ")
    assert "**Regression.**" in lines[:6]
    assert any(line.startswith("- regression: throughput of input=now framework=heron: -10") for line in lines)
    [table] = re.findall(r"<details><summary>Table\s1: Throughput.*?</details>", text, re.DOTALL)
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines() if row.startswith("|")]
    heads, aligned, *cells = rows
    assert [len(row) for row in rows] == [len(heads)] * 6
    assert aligned[heads.index("runs")] == "--:"
    found = {(row[0], row[1]): row[heads.index("verdict")] for row in cells}
    assert found == {
        ("heron", "old"): "baseline", ("heron", "now"): "worse", ("plover", "old"): "baseline", ("plover", "now"): "same",
    }  # fmt: skip
    assert len(text) < 65_536
    assert made.content(".html") == made.content(".html")


def test_the_csv_of_a_table_of_changes_is_in_base_units(sides: list[str]) -> None:
    ds, inputs = wp.open_sides(sides)
    exhibits = wp.Changes(ds, inputs).exhibits()
    table = next(one for one in exhibits if isinstance(one, wp.Table))
    heron = table.frame.query("framework == 'heron'")
    assert heron["center"].to_list() == pytest.approx([40000 * STEPS[2:4].mean(), 36000 * STEPS[2:4].mean()], rel=1e-6)


@pytest.mark.usefixtures("without_kernel")
def test_the_notebook_without_a_past_is_a_front_page(sides: list[str]) -> None:
    made = report(find_notebook("changes"), {"DATA": sides[1], "WHERE": None})
    assert made.outcome is None
    assert "plover" in json.dumps(made.document.summary)


def test_ignored_labels_let_settings_meet_that_differ_there(tmp_path: Path) -> None:
    """Three runs at each of 8 and 16 connections then, and at 32 and 64 now: no setting has runs on both sides."""
    old, now = side(tmp_path / "old", heron=40000), side(tmp_path / "now", heron=36000)
    for folder, loads in ((old, (8, 16)), (now, (32, 64))):
        for number, path in enumerate(sorted(Path(folder).rglob("*.txt"))):
            text = path.read_text().replace("and 8 connections", f"and {loads[number // 3]} connections")
            path.write_text(text)
    ds, inputs = wp.open_sides([old, now])
    apart, met = (wp.Changes(ds, inputs, ignore=ignored).table.cells for ignored in (None, "conns"))
    assert apart.loc[apart["input"] == "now", "ratio"].dropna().tolist() == []
    cells = met.query("metric == 'throughput' and input == 'now'")
    assert cells["ratio"].tolist() == pytest.approx([0.9], rel=1e-3)
    caption = next(
        one for one in wp.Changes(ds, inputs, ignore="conns").exhibits() if isinstance(one, wp.Figure)
    ).caption
    assert "connections" not in caption.partition("Varies")[2]
    assert "Pooled: 6 runs of each setting." in caption


def test_inputs_of_other_names_differ_in_nothing_more(tmp_path: Path) -> None:
    """A study is named after its folder, which need not be the name of the input."""
    for name, rate in (("one", 40000), ("two", 36000)):
        side(tmp_path / name, heron=rate)
        (tmp_path / name / "wrkparse.yaml").write_text("title: A study\n")
    ds, inputs = wp.open_sides([f"old={tmp_path / 'one'}", f"now={tmp_path / 'two'}"])
    assert set(ds.runs["study"]) == {"one", "two"}
    said = wp.Changes(ds, inputs)._repr_mimebundle_()["text/markdown"]
    assert "0.90 times" in said
    assert "differ in more" not in said


def test_without_a_setting_in_both_there_are_no_cautions_about_a_comparison(tmp_path: Path) -> None:
    sides = [
        side(tmp_path / "old", heron=40000, plover=30000),
        side(tmp_path / "now", wren=20000, finch=10000),
    ]
    for path in tmp_path.rglob("run-1.txt"):  # ten times the printed rate: invalid
        path.write_text(path.read_text().replace("in 10.10s", "in 1.01s"))
    ds, inputs = wp.open_sides(sides)
    said = wp.Changes(ds, inputs)._repr_mimebundle_()["text/markdown"]
    assert "no setting has other runs beside those of old" in said
    assert "not used" not in said
