"""Reads the headings that programs print: tests and their suites, directories that make enters, keys of JSON."""

from __future__ import annotations

from wrkparse.context.labels import at_line, title_labels
from wrkparse.context.page.outline import Outline, Scope
from wrkparse.context.page.sections import Sections
from wrkparse.context.page.session_state import SessionState
from wrkparse.text.wrapping import markup
from wrkparse.text.wrapping.heading_formats import json_key


class PrintedHeadings:
    """Opens the sections of tests, directories and keys."""

    def __init__(self, outline: Outline, sections: Sections, session: SessionState) -> None:
        self._outline, self._sections, self._session = outline, sections, session
        self._field_column = -1  # the indentation of the last field of an object of JSON
        self._test_level = 0  # of the outermost open suite or test
        self._level_above_tests = 0  # of the heading above it
        self._open_suites = 0  # each in the one before

    def reads_json_key(self, raw: str, text: str, line: int) -> bool:
        """Whether the line is a key above values, which is a heading unless fields describe its object."""
        column = markup.indentation(raw)
        key = json_key(text)
        if not key and text[:1] == '"' and not text.endswith('": "'):
            self._field_column = column
        if not key or column == self._field_column:
            return False
        if column < self._field_column:  # another object begins
            self._field_column = -1
        self._sections.open(Scope(1 + column, -1, key, at_line(title_labels(key, heading=True), line, text)))
        return True

    def read_test(self, level: int, name: str, line: int) -> None:
        """Take in a test or a suite of tests that begins, or one without a name that ends, if it is open.

        They are below the heading of a page that shows them. A suite may contain suites.
        """
        if name and not self._test_level:
            above = self._outline.innermost
            self._level_above_tests, self._open_suites = max(above.level - (not above.text), 0), 0
        if level == 1:
            self._open_suites += bool(name)
        level += max(self._open_suites - 1, 0)
        if name:
            self._test_level = min(self._test_level or level, level)
            labels = at_line(title_labels(name, heading=True), line, name)
            self._sections.open(Scope(self._level_above_tests + level, -1, name, labels))
        elif 0 < self._test_level <= level:
            self._test_level *= level > self._test_level
            self._open_suites -= level == self._open_suites
            self._sections.open(Scope(self._level_above_tests + level, -1, "", []))

    def read_directory(self, level: int, name: str, line: int) -> None:
        """Take in a directory that make enters, or one without a name that it leaves: a heading of what it prints.

        The titles and lines above it still hold.
        """
        level += markup.DEEPEST_LEVEL
        if name:
            labels = at_line(title_labels(name, heading=True), line, name)
            self._outline.open(Scope(level, -1, name, labels, line))
        else:
            self._outline.close(level)
        self._session.epoch += 1
