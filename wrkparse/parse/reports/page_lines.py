"""Gives the lines that belong to no report to the context, and keeps those that may name the reports below them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wrkparse.context.page.document import Context
from wrkparse.context.page.title_lines import names_run_behind_prefix
from wrkparse.text.normalize import NormalizedLine
from wrkparse.text.shell import strip_prompt
from wrkparse.tools.report import Report

_RULERS = ("|-", "|:", "| -", "| :", "--", "==")  # lines between the titles of columns and the columns
_NAMED_TITLE = re.compile(r"[\w.@/+-]{1,60}: [^:]{1,100}:\s*")  # "kiwi: Summary:"
_FIRST_OF_RULER = "|-="


class PageLines:
    """The lines of the page around the reports of one source."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.line_above = ""  # the last line; it may have the titles of reports side by side
        self.row_header = ""  # the first line of the source; it may name the columns of CSV

    def take(self, line: NormalizedLine, start: int, report: Report | None) -> None:
        """Take a line whose text without prefix begins at ``start``; `report` is open around it.

        Text of another program that a report contains says nothing about the report.
        """
        if line.page_text is not None and (report is None or not report.verbatim):
            text = line.page_text
            if start and (own := line.plain[start:]):
                is_comment = report is not None and own[:2].rstrip() == "#"
                bare = own.strip()
                names_run = line.stamp and not is_comment and names_run_behind_prefix(bare)
                text = own if names_run or self._context.is_preamble(bare) or strip_prompt(bare) is not None else text
            elif line.stream or (":" in text[-2:] and _NAMED_TITLE.fullmatch(text)):  # the first test saves the second
                own = line.plain if line.stream else text.partition(":")[2]
                text = own if self._context.is_preamble(own.strip()) else text
            self._context.feed(text, line.number)
        if line.number == 1:
            self.row_header = line.plain
        # the first test saves the second: most lines begin otherwise
        if line.plain[:1] not in _FIRST_OF_RULER or not line.plain.startswith(_RULERS):
            self.line_above = line.plain

    def take_empty(self, line: NormalizedLine) -> None:
        """Take a line that is empty, maybe within a quotation or a comment, or a row of a table without a word."""
        if line.page_text is not None:
            has_cells = "<t" in line.page_text or "</t" in line.page_text or line.page_text[:1] == "|"
            self._context.feed(line.page_text if has_cells else "", line.number)

    def note(self, texts: Sequence[str], number: int) -> None:
        """Keep of these lines what may name what is below them; ``number`` is that of the first one."""
        if number == 1 and texts:
            self.row_header = texts[0]
        for text in reversed(texts):
            if text[:1] not in _FIRST_OF_RULER or not text.startswith(_RULERS):
                self.line_above = text
                return
