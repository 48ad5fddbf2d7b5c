"""The log lines behind the points of a report's figures."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

import wrkparse as wp
from tests.samples import GC, WRK
from wrkparse.plot.points import Point
from wrkparse.report.build import report
from wrkparse.report.exhibits import excerpts as module
from wrkparse.report.exhibits.excerpts import excerpts, shown_points
from wrkparse.report.notebook.suite import find_notebook

PAGE = f"# heron\n\n```\n{WRK}```\n\nwords between\n\n```\n{WRK.replace('40669.44', '40670.44')}```\n"


def lines_of(run: list[Any]) -> dict[int, str]:
    return {first + at: text for first, piece in run[3] for at, text in enumerate(piece.split("\n"))}


def test_the_lines_of_a_run_are_those_of_its_source() -> None:
    ds = wp.parse_text(PAGE, "page.md")
    found = excerpts(ds, {run: set() for run in ds.runs["run"]})
    assert found["sources"] == ["page.md"]
    there = dict(enumerate(PAGE.splitlines(), 1))
    for (source, line, end, _), run in zip(found["runs"].values(), found["runs"], strict=True):
        lines = lines_of(found["runs"][run])
        assert (source, line, end) == (0, min(lines), max(lines))
        assert lines == {number: there[number] for number in range(line, end + 1)}


def test_beyond_the_bound_a_run_has_its_place_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_CHARACTERS", len(WRK) + 10)
    ds = wp.parse_text(PAGE, "page.md")
    runs = list(ds.runs["run"])
    found = excerpts(ds, {run: set() for run in runs})["runs"]
    assert [bool(lines_of(found[run])) for run in runs] == [True, False]
    assert found[runs[1]][:3] == [0, *ds.runs.loc[1, ["line", "line_end"]]]


def test_a_figure_with_very_many_points_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_POINTS", 2)
    points = [Point(n, n, "heron", "words", (f"run{n}",)) for n in range(3)]
    assert shown_points(points) == []
    assert [len(one["points"]) for one in shown_points(points[:2])] == [2]


def test_lines_of_events_are_read_from_the_logs_that_were_read(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    trace = [GC.format(n=n, t=n) for n in range(1, 6)]
    log.write_text("listening\n" + "".join(trace))
    ds = wp.read(tmp_path)
    [run] = ds.runs["run"]
    found = excerpts(ds, {run: {4, 6}}, str(tmp_path))["runs"][run]
    assert lines_of(found) == {2: trace[0].rstrip(), 4: trace[2].rstrip(), 6: trace[4].rstrip()}
    log.write_text("listening\n" + "".join(reversed(trace)))  # no longer what was read
    assert set(lines_of(excerpts(ds, {run: {4, 6}}, str(tmp_path))["runs"][run])) == {2}
    assert set(lines_of(excerpts(ds, {run: {4, 6}}, None)["runs"][run])) == {2}


@pytest.mark.usefixtures("without_kernel")
def test_a_page_carries_the_lines_behind_its_points(tmp_path: Path) -> None:
    for at, (name, run) in enumerate((name, run) for name in ("heron", "plover") for run in (1, 2)):
        (tmp_path / name).mkdir(exist_ok=True)
        text = WRK.replace("40669.44", f"4066{at}.44").replace("/hello", "/</script><b>")
        (tmp_path / name / f"{run}.txt").write_text(text)
    page = report(find_notebook("overview"), {"DATA": str(tmp_path), "WHERE": None}).content(".html").decode()
    [packed] = re.findall(r'<script type="application/octet-stream" id="excerpts">([^<]*)</script>', page)
    content = json.loads(zlib.decompress(base64.b64decode(packed)))
    assert len(re.findall("<script", page)) == len(re.findall("</script", page)) == 2  # the lines of logs are no markup
    assert sorted(content["sources"]) == [f"{name}/{run}.txt" for name in ("heron", "plover") for run in (1, 2)]
    for source, *_, pieces in content["runs"]:
        assert pieces == [[1, (tmp_path / content["sources"][source]).read_text().rstrip("\n")]]
    for title in re.findall(r'data-runs="\d+"><title>([^<]*)</title>', page):  # of one run, without a script
        assert re.fullmatch(r"(heron|plover): .*\n(heron|plover)/[12]\.txt:1", title)
