"""A line directly above a report names it, whatever the tool prints in front of its first number."""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.tools.harness import cases
from wrkparse.tools import report_tools
from wrkparse.tools.base import ReportTool

_LONGEST = 20_000  # characters; two of a longer one take long to read
FORMS = ("heron:\n{}\nkiwi:\n{}\n", "heron:\n\n```\n{}```\n\nkiwi:\n\n```\n{}```\n")


def reports(tool: ReportTool) -> list[str]:
    """The fixtures of a tool that hold a single run, and are no pages."""
    texts = [
        case.read_text(encoding="utf-8", errors="replace")
        for case in cases(tool)
        if case.stat().st_size < _LONGEST and case.suffix == ".txt" and not case.stem.endswith("fenced")
    ]
    return [text for text in texts if wp.parse_text(text).count("runs") == 1]


@pytest.mark.parametrize("tool", [pytest.param(tool, id=tool.name) for tool in report_tools() if cases(tool)])
def test_the_line_above_a_report_names_it(tool: ReportTool) -> None:
    for report in reports(tool):
        for form in FORMS:
            runs = wp.parse_text(form.format(report, report)).arrow("runs")  # a DataFrame takes as long as to read them
            assert runs["framework"].to_pylist() == ["heron", "kiwi"], report
