"""Takes a report's line beside other text, such as output, a name, a remark, or without its first letters.

starting server...Running 10s test @ http://h:8080/
nginx: Requests/sec: 20296.63
equests/sec: 18001.10
"""

from __future__ import annotations

import re

from wrkparse.context.labels import at_line
from wrkparse.context.prefix_labels import labels_in_front, prefix_labels
from wrkparse.model.records import Diagnostic
from wrkparse.parse.items import Item
from wrkparse.parse.reports.altered_lines.named_lines import NamedLineFinder
from wrkparse.parse.reports.altered_lines.surroundings import is_surrounding, is_within_number
from wrkparse.parse.reports.assembler import SHOWN, ReportAssembler
from wrkparse.parse.reports.matcher import MatchedLine
from wrkparse.text.normalize import NormalizedLine
from wrkparse.tools.base import ReportTool
from wrkparse.tools.lines import LineSpec

_LAST_OF_OUTPUT = re.compile(r"[\w.:!?)\]}>$%#]")  # the last character of output without a line end


def take_surrounded_line(assembler: ReportAssembler, words: list[str], line: NormalizedLine) -> list[Item] | None:
    """Take a line of the open report out of other text in the same line; None if there is none."""
    report, tool = assembler.report, assembler.tool
    if report is None or tool is None:
        return None
    text = " ".join(words)
    for owner, spec in assembler.matcher.candidates(words, tool, report.rank)[0]:
        if spec.inside and (remarked := _line_before_remark(assembler, owner, spec, text)):
            return assembler.accept(remarked, line)
    for spec in assembler.matcher.specs_after(tool, report.rank):
        match = spec.pattern.search(text)
        if match is None:
            continue
        whole = None if is_within_number(text, match) else spec.pattern.fullmatch(match[0])
        if whole and is_surrounding(text[: match.start()], text[match.end() :]):
            return assembler.accept((tool, spec, whole), line)
        message = f"this line can't be separated from the text around it: {line.raw.strip()[:SHOWN]}"
        report.warn(line.number, message, "bad-line")
        return []
    return None


def _line_before_remark(assembler: ReportAssembler, tool: ReportTool, spec: LineSpec, text: str) -> MatchedLine | None:
    """The line of the open report with which a text begins, if only a remark or signs follow it."""
    match = spec.pattern.match(text) if assembler.continues(tool, spec) else None
    if match and not is_within_number(text, match) and is_surrounding("", text[match.end() :]):
        return tool, spec, match
    return None


def take_late_line(assembler: ReportAssembler, line: NormalizedLine, start: int) -> list[Item] | None:
    """Take a report's first line that comes after output without a line end; None if there is none.

    The output begins at ``start``.
    """
    plain = line.plain[start:]
    for tool, spec, begin in assembler.matcher.late_specs:
        at = begin.search(plain)
        ahead = plain[: at.start()] if at else ""
        whole = spec.pattern.fullmatch(" ".join(plain[at.start() :].split())) if at else None
        if whole and (_LAST_OF_OUTPUT.fullmatch(ahead[-1:]) or (ahead[-1:] == " " and is_surrounding(ahead, ""))):
            finished = assembler.accept((tool, spec, whole), line)
            assembler.add_labels(prefix_labels(ahead, line.number))
            assembler.name_words = ahead.split() if ahead[-1:] == " " else []
            return finished
    return None


def take_damaged_line(assembler: ReportAssembler, words: list[str], line: NormalizedLine) -> list[Item] | None:
    """Take a report's line that has lost its first letters; None if there is none."""
    whole = assembler.matcher.restore_first_letters(words)
    matched = assembler.match(whole) if whole else None
    if whole is None or matched is None:
        return None
    finished = assembler.accept(matched, line)
    assert assembler.report is not None
    message = f"{assembler.report.tool}: the line has lost its first letters; read as {whole[0]!r}"
    assembler.report.diagnostics.append(Diagnostic(assembler.source, line.number, "note", "mended", message))
    return finished


def take_named_line(
    assembler: ReportAssembler, finder: NamedLineFinder, words: list[str], line: NormalizedLine
) -> list[Item] | None:
    """Take a report's line that has a name in front or a remark after it; None if there is none."""
    name, own = assembler.name_words, words[len(assembler.name_words) :]
    if name and own and words[: len(name)] == name and (goes_on := assembler.match(own)):
        was_open = assembler.report
        finished = assembler.accept(goes_on, line)
        if assembler.report is not was_open:  # the next report of the same name
            assembler.add_labels(labels_in_front(" ".join(name), line.number))
        assembler.name_words = name
        return finished
    for found, at, labels in finder.find(words):
        if assembler.may_occur_here(*found[:2]):
            finished = [*(assembler.close() if at and name else []), *assembler.accept(found, line)]
            front = " ".join(words[:at])
            assembler.add_labels([*labels_in_front(front, line.number), *at_line(labels, line.number)])
            assembler.name_words = words[:at]
            return finished
    return None
