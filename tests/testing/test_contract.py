"""Every tool of wrkparse keeps the contract that plug-ins keep, but for what is named here with its reason."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.installed import ROOT
from wrkparse.testing import lacks
from wrkparse.testing.amid import OTHER_LINE, lost_amid_lines, lost_when_torn
from wrkparse.testing.reading import read_text
from wrkparse.tools import event_tools, hey
from wrkparse.tools.plugins import Tool, registered

FIXTURES = ROOT / "tests" / "fixtures"
TOOLS = [entry.tool for entry in registered() if entry.package == "wrkparse"]  # which imports their modules
MODULES = {id(tool): name for name, module in sys.modules.items() if (tool := getattr(module, "TOOL", None)) in TOOLS}
# Text of a lack, and why a tool of wrkparse may have it.
EXCUSED = {
    "there is no lookalike.txt": "tests/tools/lookalikes.py has those of all tools",
    ".json beside it": "the rows of long traces are compared by the tests of the tool",
    "is also matched by": "FIRST_WINS of tests/tools/test_lines.py has the reason",
    "may begin a report and takes the line": "FIRST_WINS of tests/tools/test_lines.py has the reason",
    "go1.1.2-longidle.log: line 9 is lost": "a gap of wrkparse: a line of Go 1.1 torn in its middle is lost in silence",
    "go1.17.13-inittrace.log: line 1 is lost": "a gap of wrkparse: a torn line of inittrace is lost in silence",
    "wrk-utf16.json": "the contract reads UTF-8, the test of blocks UTF-16",
    "hist-12.13.txt: a report that ends": "a histogram of vegeta has no last line",
    "post-hash.txt: the run at line 1 has other numbers when": "a quotation of ab -v is not told from what it quotes",
    "go1.26.8-cpu-1-2.txt: the metric": "go test -bench has the units that a benchmark reports",
}  # fmt: skip


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: MODULES[id(tool)])
def test_a_tool_of_wrkparse_lacks_nothing(tool: Tool) -> None:
    missing = lacks(MODULES[id(tool)], FIXTURES / tool.name)
    assert [one for one in missing if not any(text in one for text in EXCUSED)] == []


def test_lines_are_counted_as_those_of_a_source_are(tmp_path: Path) -> None:
    """`str.splitlines` ends lines at U+2028, vertical tabs and form feeds, too: reports would be cut elsewhere."""
    above = "ready\u2028" * 20 + "go\v\f\x85\r 50 %\r100 %\r\n"
    case = FIXTURES / "hey" / "mix-0.1.4.txt"
    (tmp_path / case.name).write_text(above + case.read_text(), encoding="utf-8", newline="")
    expected = json.loads(case.with_suffix(".json").read_text())
    for run in expected["runs"]:
        run["line"], run["line_end"] = run["line"] + 1, run["line_end"] + 1
    (tmp_path / "mix-0.1.4.json").write_text(json.dumps(expected))
    assert [one for one in lacks("wrkparse.tools.hey", tmp_path) if one.startswith(case.name)] == []


def test_a_torn_event_line_that_is_lost_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    gctrace = next(tool for tool in event_tools() if tool.name == "gctrace")
    text = (FIXTURES / "gctrace" / "go1.26.8-torn.log").read_text()
    assert list(lost_when_torn(gctrace, text)) == []
    monkeypatch.setattr(
        "wrkparse.testing.amid.read_text", lambda text: read_text(text if OTHER_LINE not in text else "")
    )
    (told,) = lost_when_torn(gctrace, text)
    assert "is lost without a diagnostic when it is torn" in told


def test_a_number_that_a_line_of_another_program_changes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (FIXTURES / "hey" / "mix-0.1.4.txt").read_text()
    runs = [run for run in read_text(text).runs if run.tool == "hey"]
    assert list(lost_amid_lines(hey.TOOL, text, runs)) == []
    changed = text.replace("Slowest:\t0.0012", "Slowest:\t0.0013")
    assert changed != text
    monkeypatch.setattr("wrkparse.testing.amid.read_text", lambda text: read_text(changed))
    assert "changes the numbers of the run" in next(lost_amid_lines(hey.TOOL, text, runs))
