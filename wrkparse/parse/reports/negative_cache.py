"""Knows lines that belong to the page, whatever the lines around them are: commands, headings, fences.

Between the reports of a page of thousands, the same few lines and headings appear again and again. The cache knows
them, so they need not be matched against all line specs again. For lines that differ only in their numbers, it
knows the digit form.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from wrkparse.parse.other_tools import SIGN_WORDS, may_be_of_other_tool
from wrkparse.parse.reports.altered_lines.filled import may_be_filled
from wrkparse.parse.reports.decorations import MOST_DECORATIONS, is_decoration, undecorated
from wrkparse.parse.reports.matcher import Matcher, has_sign, is_announced, shared_matcher
from wrkparse.text.digit_forms import digit_form, without_number
from wrkparse.text.normalize import LineNormalizer, NormalizedLine
from wrkparse.text.wrapping.prefixes import prefix_candidates
from wrkparse.tools import event_tools
from wrkparse.tools.base import ReportTool
from wrkparse.tools.event import EventTool

# A heading of plain words. It belongs to the page if none of its words announces a report's line or another tool's.
_HEADING = re.compile(r"#{1,6}(?: [A-Za-z][A-Za-z0-9_-]{0,40}(?: [0-9]{1,9})?){1,9}")
# Lines that are remembered, and characters of the longest one: some 100 KB. A page has few different lines that repeat.
_MOST_LINES, _LONGEST_LINE = 2048, 200
_LOOKUPS = 3  # of a line, after which it is checked: the parser looks up a line twice that comes once


@functools.cache
def shared_negative_cache() -> NegativeCache:
    """The cache that all sources share."""
    return NegativeCache(shared_matcher(), event_tools())


class NegativeCache:
    """Knows lines that belong neither to a report nor to a trace."""

    def __init__(self, matcher: Matcher, tools: Iterable[EventTool]) -> None:
        self._matcher = matcher
        words = (word for tool in tools for word in (*tool.words, *tool.piece_words))
        self._words = re.compile("|".join(map(re.escape, words)))
        # keys of lines without a word are no words of a heading
        self._keys = matcher.specs_by_key.keys() - {"", "%"} | SIGN_WORDS
        self._lines: dict[str, bool] = {}
        self._heading = functools.lru_cache(maxsize=_MOST_LINES)(self._read_heading)
        self._lookups: dict[str, int] = {}  # how often each line that was not checked was looked up
        self._forms: dict[tuple[bytes, str | None, int], bool | None] = {}  # None if seen once

    def has(self, line: str) -> bool:
        """Whether a line is empty, or known as text of the page.

        A heading of plain words is known at once. Other lines are checked when they come again.
        """
        known = self._lines.get(line)
        if known is not None:
            return known
        if not line:
            return True
        return len(line) <= _LONGEST_LINE and self._learns(line)

    def has_all(self, lines: Iterable[str]) -> bool:
        """Whether each of these lines is empty, or known as text of the page."""
        known = self._lines
        for line in lines:  # noqa: SIM110 (a generator takes twice as long)
            if line and not known.get(line) and not self.has(line):
                return False
        return True

    def _learns(self, line: str) -> bool:
        """Whether a line that was not checked before is found to be text of the page."""
        if line[0] == "#":
            rest, _ = without_number(line)
            if (is_page_text := self._heading(f"{rest} 0" if rest else line)) is not None:
                return is_page_text
        lookups = self._lookups.get(line, 0) + 1
        if lookups < _LOOKUPS:
            if len(self._lookups) >= _MOST_LINES:
                self._lookups.clear()
            self._lookups[line] = lookups
            return False
        del self._lookups[line]
        if len(self._lines) >= _MOST_LINES:
            self._lines.clear()
        self._lines[line] = known = self._is_page_text(line)
        return known

    def _read_heading(self, line: str) -> bool | None:
        """Whether a heading of plain words is text of the page, whatever the number at its end is; None for others."""
        if not _HEADING.fullmatch(line):
            return None
        return self._keys.isdisjoint(line.split()) and self._words.search(line) is None

    def has_digit_form(self, line: str, tool: ReportTool | None, rank: int) -> bool:
        """Whether lines that differ from a normalised line only in their numbers have no prefix and match no spec.

        A line is checked when one of its form comes again. A report of ``tool`` is open, at ``rank``.
        """
        form = digit_form(line) if len(line) <= _LONGEST_LINE else None
        if form is None:
            return False
        key = form, tool.name if tool else None, rank
        known = self._forms.get(key)
        if known is None:
            if len(self._forms) >= _MOST_LINES:
                self._forms.clear()
            self._forms[key] = known = self._is_foreign(line, tool, rank) if key in self._forms else None
        return known is True

    def _is_foreign(self, line: str, tool: ReportTool | None, rank: int) -> bool:
        """Whether a line has no prefix, and no word announces a spec that may come here."""
        words = line.split()
        if (
            not words
            or is_decoration(words)
            or self._may_have_prefix(line, words)
            or self._matcher.may_have_results(words)
            or (tool is not None and may_be_filled(tool, rank, line))
        ):
            return False
        for _ in range(MOST_DECORATIONS + 1):
            if self._matcher.candidates(words, tool, rank)[0]:
                return False
            words = undecorated(words)
            if not words:
                return True
        return False

    def may_contain_event(self, text: str) -> bool:
        """Whether a text has a word of an event line, or of a piece of one."""
        return self._words.search(text) is not None

    def _is_page_text(self, line: str) -> bool:
        """Whether a line needs no unwrapping, has no word of an event line or another tool, and can't be a report's."""
        lines = LineNormalizer()
        lines.skip_container_check()
        is_unchanged = lines.feed([line], 1) == [NormalizedLine(1, line, line, line)] and not lines.is_unwrapping
        is_of_tool = self._words.search(line) is not None or may_be_of_other_tool(line)
        return is_unchanged and not is_of_tool and self._never_matches(line)

    def _may_have_prefix(self, line: str, words: list[str]) -> bool:
        """Whether a line may have a prefix or other output in front of its text, or may have lost its first letters."""
        if self._matcher.header_after_front(words):
            return True
        prefixed = len(list(prefix_candidates(line))) > 1
        late = self._matcher.may_have_late_line(line)
        return prefixed or late or self._matcher.restore_first_letters(words) is not None

    def _never_matches(self, line: str) -> bool:
        """Whether a line has no prefix, matches no spec, and no open report may wait for a line like it."""
        words = line.split()
        if not words or is_decoration(words) or self._may_have_prefix(line, words):
            return False
        if self._matcher.may_have_results(words) and (
            self._matcher.positions_after_names(words) or self._matcher.tool_of_lookalike(words)
        ):
            return False
        for _ in range(MOST_DECORATIONS + 1):
            text = " ".join(words)
            for _, spec in (
                pair for key in self._matcher.lookup_keys(words) for pair in self._matcher.specs_by_key.get(key, ())
            ):
                may_wait = is_announced(spec) and (spec.rank != 0 or spec.repeat or has_sign(spec, text))
                if may_wait or spec.pattern.fullmatch(text):
                    return False
            words = undecorated(words)
            if not words:
                return True
        return False
