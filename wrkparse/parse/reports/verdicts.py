"""What is said of a report at its end: it is a fragment, its numbers are none of the tool, or something is doubtful."""

from __future__ import annotations

import re

from wrkparse.model.records import INCOMPLETE, Diagnostic
from wrkparse.tools.base import ReportTool
from wrkparse.tools.objects import OBJECT_SEEN
from wrkparse.tools.report import Report

_SHOWN = 100  # characters of a line in a message
# What a template has in place of a number: "{{rps}}", "%.2f", "${RATE}".
_PLACEHOLDER = re.compile(r"(?<![^\s'\"])(?:\{\{|\$\{\w|%[-+0-9.]{0,8}[sdfgv](?![\w/]))")
# Others that a whole cell may be, but no other part of a line, which may be markup: "{rps:.2f}", "$RATE", "<rate>".
_PLACEHOLDER_CELL = re.compile(r"'(?:#?\{[A-Za-z_]|\$[A-Za-z_]\w{0,60}'|<[a-z][a-z_ ]{0,30}>'|%\([A-Za-z_])")
_TEMPLATE = "it is a template, with a placeholder instead of a number"
_EXPECTED = re.compile(r"\W*(?:expected|want(?:ed)?)(?: (?:output|results?|report))?\W*", re.IGNORECASE)
_NO_COMMAND = "New-TimeSpan"  # lists what Measure-Command does, of two times or of none


def fragment(report: Report) -> Diagnostic:
    """The warning about a report without results, which is not a run."""
    if report.stopped:
        what = f"stopped without results: {report.stopped[:_SHOWN]}"
    else:
        what = f"{' and '.join(sorted(report.seen))} without results; no run (was it stopped early?)"
    return Diagnostic(report.source, report.line, "warning", "fragment", f"{report.tool}: {what}")


def unmeasured(report: Report, above: str) -> str | None:
    """Why the numbers of a report are none that its tool measured; None if they may be. `above` is the text above."""
    if report.dialect == "powershell" and _NO_COMMAND in above:
        return f"what {_NO_COMMAND} lists is not measured"
    for one in report.diagnostics:
        if one.code in ("bad-cell", "bad-line") and _PLACEHOLDER.search(one.message):
            return _TEMPLATE
        if one.code == "bad-cell" and _PLACEHOLDER_CELL.search(one.message):
            return _TEMPLATE
    return report.unmeasured


def doubts(tool: ReportTool, report: Report, above: str) -> list[Diagnostic]:
    """What is doubtful in the report of a run: it ends too early, or the text above calls it expected."""
    found: list[Diagnostic] = []
    whole = report.complete is not None or OBJECT_SEEN in report.seen
    if not whole and (lack := tool.lacks(report)):
        message = f"{report.tool}: the report ends here, without {lack.what}"
        message += ": was it cut off?" if lack.severity == "warning" else ""
        found.append(Diagnostic(report.source, report.line_end, lack.severity, INCOMPLETE, message))
    if above and _EXPECTED.fullmatch(above):
        message = f"{report.tool}: the line above calls this report expected; was it measured? {above[:_SHOWN]}"
        found.append(Diagnostic(report.source, report.line, "note", "expected", message))
    return found
