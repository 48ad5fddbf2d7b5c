"""What every rule of every report tool keeps to."""

from __future__ import annotations

import time

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


@pytest.mark.parametrize(("tool", "rule"), RULES, ids=[f"{tool.name} {n}" for n, (tool, _) in enumerate(RULES)])
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_no_pattern_takes_long_to_refuse_a_long_line(tool: ReportTool, rule: Rule, data: st.DataObject) -> None:
    """A line that matches but for a long stretch within it and its end: quadratic time would take seconds."""
    line = data.draw(st.from_regex(rule.pattern, fullmatch=True))
    started = time.process_time()
    for at in range(len(line) + 1):
        for filler in (line[at - 1 : at] or "0", "0", " ", "1 "):
            rule.pattern.fullmatch(f"{line[:at]}{filler * 500}{line[at:]}\0")
    assert time.process_time() - started < 2
