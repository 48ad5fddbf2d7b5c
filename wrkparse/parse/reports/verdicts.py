"""What is said of a report at its end: it is a fragment, its numbers are none of the tool, or something is doubtful."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wrkparse.model.records import INCOMPLETE, Diagnostic
from wrkparse.tools.base import ReportTool
from wrkparse.tools.objects import OBJECT_SEEN
from wrkparse.tools.report import Report

_SHOWN = 100  # characters of a line in a message
# What a template has in place of a number: "{{rps}}", "%.2f", "${RATE}".
_PLACEHOLDER = re.compile(r"(?<![^\s'\"])(?:\{\{|\$\{\w|%[-+0-9.]{0,8}[sdfgv](?![\w/]))")
# Others that a whole cell may be, but no other part of a line, which may be markup: "{rps:.2f}", "$RATE", "<rate>".
_PLACEHOLDER_CELL = re.compile(r"'(?:#?\{[A-Za-z_]|\$[A-Za-z_]\w{0,60}'|<[a-z][a-z_ ]{0,30}>'|%\([A-Za-z_])")
_STRING_OF_CODE = "it is in a string of source code"
_TEMPLATE_ABOVE = "it is a template: the line above has a placeholder instead of a number"
_TEMPLATE = "it is a template, with a placeholder instead of a number"
# In a line of the report that is none, because of the placeholder: "real 0m{{real}}s".
_PLACEHOLDER_WITHIN = re.compile(r"\{\{[^{}]{0,60}\}\}|\$\{\w{1,60}\}|%[-+0-9.]{0,8}[sdfgv]|<[a-z]{1,30}>")
_EXPECTED = re.compile(
    r"\W*(?:(?:expected|want(?:ed)?)(?: (?:output|results?|report))?|(?:it |this |you |that )?"
    r"should (?:print|see|output|show|get|look)(?: (?:something |an output )?like(?: this)?)?)\W*",
    re.IGNORECASE,
)
# What prints the same list as Measure-Command, of two times or of none.
_NO_COMMAND = re.compile(r"New-TimeSpan|\[(?:System\.)?TimeSpan\]|Get-Uptime|\.\w*Timeout\b", re.IGNORECASE)
# What opens a string of several lines in source code, behind code without strings: `x = """`, "const out = `". Prose
# has backticks in pairs.
_OPENING = (
    r"[^`'\"]{0,300}(?:(?:[=(,\[{:]|\breturn)\s{0,9}[A-Za-z]{0,3}(?:\"\"\"|\'\'\'|#+\"|[$@]{1,2}\")\\?"
    r"|(?:[\w)\]]\s{0,2}:?=\s{0,2}|\w\(|\breturn\s{1,3})`\\?)"
)
_BEGINS = rf"{_OPENING}\s{{0,9}}(?=[A-Z])[^`'\"]*"
_BEGINS_IN_STRING, _BELOW_STRING = re.compile(_BEGINS), re.compile(rf"{_OPENING}\s*|{_BEGINS}")
# One of these is in each text above a report that says why it was not measured.
_TELLING = re.compile(r"[`'\"%<{]|expected|want|should|timespan|uptime|timeout", re.IGNORECASE)
_STRING_OF_LINE = re.compile(r'\s+"(?:[^"\\]|\\.){0,400}\\n"[\s;)\\]*')  # adjacent ones are one: "a\n" "b\n"


def fragment(report: Report) -> Diagnostic:
    """The warning about a report without results, which is not a run."""
    if report.stopped:
        what = f"stopped without results: {report.stopped[:_SHOWN]}"
    else:
        what = f"{' and '.join(sorted(report.seen))} without results; no run (was it stopped early?)"
    return Diagnostic(report.source, report.line, "warning", "fragment", f"{report.tool}: {what}")


def unmeasured(tool: ReportTool, report: Report, above: str) -> str | None:
    """Why the numbers of a report are none that its tool measured; None if they may be. `above` is the text above."""
    if _TELLING.search(above) and (why := _unmeasured_below(tool, report, above)):
        return why
    if report.complete is None and OBJECT_SEEN not in report.seen and _is_string(report.text):
        return _STRING_OF_CODE
    for one in report.diagnostics:
        if one.code in ("bad-cell", "bad-line") and _PLACEHOLDER.search(one.message):
            return _TEMPLATE
        if one.code == "bad-cell" and _PLACEHOLDER_CELL.search(one.message):
            return _TEMPLATE
    return report.unmeasured


def _unmeasured_below(tool: ReportTool, report: Report, above: str) -> str | None:
    """The same, by the text above: what was typed or said there, or a line that a placeholder or a quote damages."""
    if report.dialect == "powershell" and "Measure-Command" not in above and (command := _NO_COMMAND.search(above)):
        return f"what {command[0]} lists is not measured"
    if _EXPECTED.fullmatch(above):
        return f"the line above calls it expected: {above[:_SHOWN]}"
    if OBJECT_SEEN not in report.seen and _BELOW_STRING.fullmatch(above):
        return _STRING_OF_CODE
    return _TEMPLATE_ABOVE if _PLACEHOLDER_WITHIN.search(above) and _is_line_of(tool, above) else None


def _is_string(lines: Sequence[tuple[int, str]]) -> bool:
    """Whether a report of these lines is a string of a program, such as the expected output of a test."""
    first = lines[0][1] if lines else ""
    if "`" in first or "'" in first or '"' in first:
        return bool(
            _BEGINS_IN_STRING.fullmatch(first)
            or (len(lines) > 1 and all(_STRING_OF_LINE.fullmatch(text) for _, text in lines))
        )
    return False


def _is_line_of(tool: ReportTool, line: str) -> bool:
    """Whether a line would be one of the tool's with something in place of its placeholders."""
    filled = {" ".join(_PLACEHOLDER_WITHIN.sub(value, line).split()) for value in ("1", "1s", "1.00", "1.000")}
    return any(spec.pattern.fullmatch(text) for spec in tool.lines for text in filled)


def lack(tool: ReportTool, report: Report) -> Diagnostic | None:
    """What is missing at the end of the report of a run."""
    if report.complete is not None or OBJECT_SEEN in report.seen:
        return None
    missing = tool.lacks(report)
    if missing is None:
        return None
    cut = ": was it cut off?" if missing.severity == "warning" else ""
    message = f"{report.tool}: the report ends here, without {missing.what}{cut}"
    return Diagnostic(report.source, report.line_end, missing.severity, INCOMPLETE, message)
