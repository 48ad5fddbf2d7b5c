"""What every line spec of every report tool keeps to."""

from __future__ import annotations

import re
import time
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.tools.harness import FIXTURES
from wrkparse.context.page.document import Context
from wrkparse.parse.reports.assembler import ReportAssembler
from wrkparse.parse.reports.decorations import undecorated
from wrkparse.parse.reports.matcher import Matcher
from wrkparse.tools import event_tools, report_tools
from wrkparse.tools.base import ReportTool
from wrkparse.tools.lines import LineSpec, ignore, key_of
from wrkparse.tools.report import Report

SPECS = [(tool, spec) for tool in report_tools() for spec in tool.lines]


@pytest.mark.parametrize(("tool", "spec"), SPECS, ids=[f"{tool.name} {n}" for n, (tool, _) in enumerate(SPECS)])
@examples(0.1)
@given(data=st.data())
def test_a_line_that_a_pattern_matches_is_read_and_a_long_one_like_it_soon_refused(
    tool: ReportTool, spec: LineSpec, data: st.DataObject
) -> None:
    """Nothing is raised. The long line matches but for a stretch within it and its end: quadratic time would take seconds."""
    line = data.draw(st.from_regex(spec.pattern, fullmatch=True))
    match = spec.pattern.fullmatch(line)
    assert match is not None
    report = Report(tool.name, "x.log", 1, 1)
    spec.read(report, match, 1)
    tool.finish(report)
    started = time.process_time()
    for at in range(len(line) + 1):
        for filler in (line[at - 1 : at] or "0", "0", " ", "1 "):
            spec.pattern.fullmatch(f"{line[:at]}{filler * 500}{line[at:]}\0")
    assert time.process_time() - started < 2


# Texts that two kinds of lines match. Of one tool the one that is first in its table wins, of two that of the open report.
FIRST_WINS = {
    ("hey", "total", "oha", "total"): "oha before 1.6 prints hey's line, behind its own first one",
    (
        "hey",
        "requests/sec",
        "oha",
        "requests/sec",
    ): "oha prints hey's line; by itself it is one of hey below its command",
    ("hey", "requests/sec", "wrk", "requests/sec"): "in an open report of wrk any number is its rate",
    ("ab", "abort", "start"): "ab prints why it gives up behind 'Benchmarking …', which may be followed by anything",
    (
        "time",
        "verbose detail",
        "toybox detail",
    ): "GNU time's -v and toybox's have some lines in common: the same figures",
    (
        "hdrhistogram",
        "head",
        "wrk",
        "spectrum",
    ): "wrk2 prints HdrHistogram's lines below its own, in a report that is open",
    (
        "hdrhistogram",
        "mean",
        "wrk",
        "footer",
    ): "the same; where no report is open, the line is the end of a cut one of wrk2",
    ("hdrhistogram", "max", "wrk", "footer"): "the same",
    ("hdrhistogram", "buckets", "wrk", "footer"): "the same",
    ("time", "mksh", "one line"): "mksh's line has the words of those that people write, in which the units are free",
}


def matched(text: str) -> list[tuple[ReportTool, LineSpec]]:
    """The specs that a line is tried with, in or outside a report, and that match it."""
    words = text.split()
    while words:
        keys = {key_of(word) for word in (words[0], words[min(1, len(words) - 1)], words[-1])}
        found = [
            (tool, spec)
            for tool, spec in SPECS
            if keys.intersection(spec.keys) and spec.pattern.fullmatch(" ".join(words))
        ]
        if found:
            return found
        words = undecorated(words)
    return []


def conflicts(text: str) -> set[tuple[str, ...]]:
    """Pairs of kinds that match one line where both may stand: of one tool, or of two if a report begins with one."""
    return {
        (tool.name, spec.kind, other.kind) if tool is tool_2 else (tool.name, spec.kind, tool_2.name, other.kind)
        for (tool, spec), (tool_2, other) in combinations(matched(text), 2)
        if (tool is tool_2 and spec.kind != other.kind) or (tool is not tool_2 and (spec.begins or other.begins))
    }


@pytest.mark.parametrize("folder", sorted({tool.name for tool in (*report_tools(), *event_tools())}))
def test_no_line_of_a_tool_is_matched_by_two_kinds(folder: str) -> None:
    lines = {
        line
        for path in (FIXTURES / folder).iterdir()
        if path.suffix in {".txt", ".log"}
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines()
    }
    assert lines
    found = {pair: line for line in sorted(lines) for pair in conflicts(line)}
    assert {pair: line for pair, line in found.items() if pair not in FIRST_WINS} == {}


def test_a_catch_all_of_a_new_tool_conflicts(monkeypatch: pytest.MonkeyPatch) -> None:
    greedy = LineSpec("all", ("Requests/sec:",), re.compile("Requests/sec: .*"), 0, ignore)
    tool = ReportTool("new", (), (greedy,), frozenset())
    monkeypatch.setitem(globals(), "SPECS", [*SPECS, (tool, greedy)])
    assert conflicts("Requests/sec:  40669.44") == {("wrk", "requests/sec", "new", "all")}


def test_the_first_spec_of_a_table_wins() -> None:
    text = "Benchmarking 127.0.0.1 (be patient)...apr_pollset_poll: The timeout specified has expired (70007)"
    assert [spec.kind for _, spec in matched(text)][:2] == ["abort", "start"]
    match = ReportAssembler("x.log", Context(report_tools()), Matcher(report_tools())).match(text.split())
    assert match is not None
    assert match[1].kind == "abort"
