"""Checks a report at its end: whether it is a fragment, its tool measured the numbers, and its last lines are there."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from wrkparse.model.records import INCOMPLETE, Diagnostic
from wrkparse.tools.base import ReportTool
from wrkparse.tools.objects import OBJECT_SEEN
from wrkparse.tools.report import Report

_SHOWN = 100  # characters of a line in a message
# A placeholder, which a template has in place of a number: "{{rps}}", "%.2f", "${RATE}".
_PLACEHOLDER = re.compile(r"(?<![^\s'\"])(?:\{\{|\$\{\w|%[-+0-9.]{0,8}[sdfgv](?![\w/]))")
# Other placeholders, which must be a whole cell: elsewhere in a line they may be markup. "{rps:.2f}", "$RATE".
_PLACEHOLDER_CELL = re.compile(r"'(?:#?\{[A-Za-z_]|\$[A-Za-z_]\w{0,60}'|<[a-z][a-z_ ]{0,30}>'|%\([A-Za-z_])")
_IS_STRING = "it is in a string of source code"
_BELOW_TEMPLATE = "it is a template: the line above has a placeholder instead of a number"
_IS_TEMPLATE = "it is a template, with a placeholder instead of a number"
# A placeholder within a line that would otherwise be one of the report: "real 0m{{real}}s".
_PLACEHOLDER_WITHIN = re.compile(r"\{\{[^{}]{0,60}\}\}|\$\{\w{1,60}\}|%[-+0-9.]{0,8}[sdfgv]|<[a-z]{1,30}>")
# "Expected output:", "You should see something like this:"
_EXPECTED = re.compile(
    r"\W*(?:(?:expected|want(?:ed)?)(?: (?:output|results?|report))?"
    r"|(?:it |this |you |that |(?:the |your )?(?:output|results?|report) )?"
    r"should (?:print|see|output|show|get|look)(?: (?:something |an output )?like(?: this)?)?)\W*",
    re.IGNORECASE,
)
# What somebody wants, or remembers, in the line above a single number: "We need at least", "The old server had".
_GOAL = re.compile(
    r"\b(?:(?:we |you )?(?:need|require|want|aim)|at (?:least|most)|target|goal|limit|(?:server|machine|it) had)\b"
    r"[^|#=]{0,60}:?\Z",
    re.IGNORECASE,
)
# Commands of PowerShell that print the same list as Measure-Command, but measure no command.
_OTHER_TIME_SPANS = re.compile(r"New-TimeSpan|\[(?:System\.)?TimeSpan\]|Get-Uptime|\.\w*Timeout\b", re.IGNORECASE)
# The beginning of a string of several lines in source code, after code without strings: `x = """`, "const out = `".
# Prose has backticks in pairs.
_STRING_OPENING = (
    r"[^`'\"]{0,300}(?:(?:[=(,\[{:]|\breturn)\s{0,9}[A-Za-z]{0,3}(?:\"\"\"|\'\'\'|#+\"|[$@]{1,2}\")\\?"
    r"|(?:[\w)\]]\s{0,2}:?=\s{0,2}|\w\(|\breturn\s{1,3})`\\?)"
)
_STRING_WITH_REPORT = rf"{_STRING_OPENING}\s{{0,9}}(?=[A-Z])[^`'\"]*"
_FIRST_LINE_IN_STRING = re.compile(_STRING_WITH_REPORT)
_BELOW_STRING = re.compile(rf"{_STRING_OPENING}\s*|{_STRING_WITH_REPORT}")
# Each text above a report that shows that the report was not measured contains one of these, in lower case: without
# IGNORECASE the search takes a third of the time.
_may_tell_why = functools.lru_cache(maxsize=256)(  # a page repeats its commands
    re.compile(r"[`'\"%<{]|expected|want|should|timespan|uptime|timeout").search
)
_STRING_OF_LINE = re.compile(r'\s+"(?:[^"\\]|\\.){0,400}\\n"[\s;)\\]*')  # C joins neighbours: "a\n" "b\n"


def fragment_warning(report: Report) -> Diagnostic:
    """The warning about a report without results, which does not become a run."""
    if report.stopped:
        what = f"stopped without results: {report.stopped[:_SHOWN]}"
    else:
        what = f"{' and '.join(sorted(report.seen))} without results; no run (was it stopped early?)"
    return Diagnostic(report.source, report.line, "warning", "fragment", f"{report.tool}: {what}")


def why_unmeasured(tool: ReportTool, report: Report, above: str) -> str | None:
    """Why the numbers of a report were not measured by its tool; None if they may be. `above` is the text above it."""
    if _may_tell_why(above.lower()) and (why := _why_unmeasured_below(tool, report, above)):
        return why
    if len(report.seen) == 1 and _GOAL.search(above):
        return f"the line above says that it was not measured here: {above[:_SHOWN]}"
    if report.complete is None and OBJECT_SEEN not in report.seen and _is_string(report.text):
        return _IS_STRING
    for diagnostic in report.diagnostics:
        if diagnostic.code in ("bad-cell", "bad-line") and _PLACEHOLDER.search(diagnostic.message):
            return _IS_TEMPLATE
        if diagnostic.code == "bad-cell" and _PLACEHOLDER_CELL.search(diagnostic.message):
            return _IS_TEMPLATE
    return report.unmeasured


def _why_unmeasured_below(tool: ReportTool, report: Report, above: str) -> str | None:
    """The reason in the text above: a command, a word such as *expected*, a placeholder, the beginning of a string."""
    if (
        report.dialect == "powershell"
        and "Measure-Command" not in above
        and (command := _OTHER_TIME_SPANS.search(above))
    ):
        return f"what {command[0]} lists is not measured"
    if _EXPECTED.fullmatch(above):
        return f"the line above calls it expected: {above[:_SHOWN]}"
    if OBJECT_SEEN not in report.seen and _BELOW_STRING.fullmatch(above):
        return _IS_STRING
    return _BELOW_TEMPLATE if _PLACEHOLDER_WITHIN.search(above) and _is_line_of(tool, above) else None


def _is_string(lines: Sequence[tuple[int, str]]) -> bool:
    """Whether a report of these lines is a string of a program, such as the expected output of a test."""
    first = lines[0][1] if lines else ""
    if "`" in first or "'" in first or '"' in first:
        return bool(
            _FIRST_LINE_IN_STRING.fullmatch(first)
            or (len(lines) > 1 and all(_STRING_OF_LINE.fullmatch(text) for _, text in lines))
        )
    return False


def _is_line_of(tool: ReportTool, line: str) -> bool:
    """Whether a line would match a spec of the tool with a number in place of each placeholder."""
    # a placeholder may be for a count, a duration, or a number with decimals
    filled = {" ".join(_PLACEHOLDER_WITHIN.sub(value, line).split()) for value in ("1", "1s", "1.00", "1.000")}
    return any(spec.pattern.fullmatch(text) for spec in tool.lines for text in filled)


def incomplete_diagnostic(tool: ReportTool, report: Report) -> Diagnostic | None:
    """The diagnostic about what is missing at the end of a report with results; None if nothing is."""
    if report.complete is not None or OBJECT_SEEN in report.seen:
        return None
    missing = tool.lacks(report)
    if missing is None:
        return None
    cut = ": was it cut off?" if missing.severity == "warning" else ""
    message = f"{report.tool}: the report ends here, without {missing.what}{cut}"
    return Diagnostic(report.source, report.line_end, missing.severity, INCOMPLETE, message)
