"""What every rule of every report tool keeps to."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wrkparse.tools import report_tools
from wrkparse.tools.base import Report, ReportTool, Rule

RULES = [(tool, rule) for tool in report_tools() for rule in tool.rules]


@pytest.mark.parametrize(("tool", "rule"), RULES, ids=[f"{tool.name} {n}" for n, (tool, _) in enumerate(RULES)])
@settings(max_examples=10)
@given(data=st.data())
def test_no_rule_raises_on_a_line_that_its_pattern_matches(tool: ReportTool, rule: Rule, data: st.DataObject) -> None:
    match = rule.pattern.fullmatch(data.draw(st.from_regex(rule.pattern, fullmatch=True)))
    assert match is not None
    report = Report(tool.name, "x.log", 1, 1)
    rule.read(report, match, 1)
    tool.finish(report)
