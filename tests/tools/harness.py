"""Drives a report tool's lines over a text as `wrkparse.tools.lines.LineSpec` says that they are tried, and by no reader."""

from __future__ import annotations

import json
from pathlib import Path

import wrkparse as wp
from wrkparse.tools.base import ReportTool
from wrkparse.tools.lines import ANYWHERE, LineSpec, key_of
from wrkparse.tools.report import Report

FIXTURES = Path(__file__).parents[1] / "fixtures"
_DECORATIONS = frozenset({">", "|", "#", "//", "*", "-", "+"})


def numbers_of_run(dataset: wp.Dataset, run: str) -> dict[str, float]:
    """The measurements of a run, by metric and statistic: ``latency/p99``."""
    rows = dataset.arrow("measurements").select(("run", "metric", "stat", "value")).to_pylist()
    return {f"{row['metric']}/{row['stat']}": row["value"] for row in rows if row["run"] == run}


def read_report(tool: ReportTool, text: str) -> list[Report]:
    """Every report of `tool` in `text`, fragments too, finished; lines count from 1."""
    reports: list[Report] = []
    for number, line in enumerate(text.split("\n"), 1):
        words = line.split()
        while words and words[0] in _DECORATIONS:
            words.pop(0)
        for spec in _offered(tool, words):
            match = spec.pattern.fullmatch(" ".join(words))
            last = reports[-1].rank if reports else 10**6
            anywhere = spec.rank == ANYWHERE and bool(reports)
            goes_on = anywhere or spec.rank > last or (spec.rank == last and spec.repeat)
            if match is None or (spec.inside and not goes_on):
                continue
            if not goes_on:
                reports.append(Report(tool.name, "test.log", number, number))
                if tool.carry and len(reports) > 1:
                    tool.carry(reports[-2], reports[-1])
            report = reports[-1]
            report.rank, report.line_end = report.rank if anywhere else spec.rank, number
            report.seen.add(spec.kind)
            report.text.append((number, line))
            spec.read(report, match, number)
            break
        else:
            text = " ".join(line.split())
            belongs = (
                tool.belongs is not None and bool(text) and bool(reports) and tool.belongs(reports[-1], text, number)
            )
            if belongs or (reports and tool.goes_on(reports[-1], line, number)):
                reports[-1].line_end = number
                reports[-1].text.append((number, line))
    for report in reports:
        tool.finish(report)
    return reports


def _offered(tool: ReportTool, words: list[str]) -> list[LineSpec]:
    places = [words[0], *words[1:2], words[-1]] if words else []
    keys = dict.fromkeys(map(key_of, places))
    stems = {
        key for spec in tool.lines for key in spec.keys if key.endswith("*") and words and words[0].startswith(key[:-1])
    }
    return [spec for key in (*keys, *stems) for spec in tool.lines if key in spec.keys]


def is_run(tool: ReportTool, report: Report) -> bool:
    """Whether a line of one of the kinds that make a run was read."""
    return report.mode != "foreign" and bool(tool.evidence & report.seen)


def numbers(report: Report) -> dict[str, float | None]:
    """``metric/stat`` → value; fails where a report states one twice."""
    found = {f"{row.metric}/{row.stat}": row.value for row in report.measurements}
    assert len(found) == len(report.measurements), "a number is stated twice"
    return found


def labels(report: Report) -> dict[str, str]:
    """What the report says of the run."""
    return {label.key: label.value for label in report.labels}


def cases(tool: ReportTool) -> list[Path]:
    """The texts of a tool that have their expected values beside them."""
    found = sorted((FIXTURES / tool.name).glob("*.txt"))
    assert found, f"no fixtures of {tool.name}"
    return found


def expected(tool: ReportTool, case: Path) -> list[dict[str, object]]:
    """The runs of `tool` that a case's expected values hold."""
    runs: list[dict[str, object]] = json.loads(case.with_suffix(".json").read_text())["runs"]
    return [run for run in runs if run["tool"] == tool.name]


def found(tool: ReportTool, case: Path) -> list[dict[str, object]]:
    """The runs of `tool` in a case's text, in the form of the expected values."""
    text = case.read_bytes().decode()
    return [
        {
            "tool": report.tool,
            "line": report.line,
            "line_end": report.line_end,
            "labels": labels(report),
            "version": report.version,
            "dialect": report.dialect,
            "measurements": numbers(report),
        }
        for report in read_report(tool, text)
        if is_run(tool, report)
    ]
