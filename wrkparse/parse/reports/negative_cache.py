"""Lines that belong to the page whatever stands around them: commands, headings, fences.

Between the reports of a page of thousands stand the same few lines again and again, and headings. The cache knows them,
so that they need not be matched against all line specs again. Of lines that differ in their numbers only it knows the
form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from wrkparse.parse.reports.matcher import MOST_DECORATIONS, Matcher, announced, has_sign, is_decoration, undecorated
from wrkparse.text.digit_forms import digit_form
from wrkparse.text.normalize import LineNormalizer, NormalizedLine
from wrkparse.text.wrapping.prefixes import prefix_candidates
from wrkparse.tools.base import ReportTool
from wrkparse.tools.event import EventTool

# A heading of plain words: a report's line is announced by one of its words, which the heading must not have.
_HEADING = re.compile(r"#{1,6}(?: [A-Za-z][A-Za-z0-9_-]{0,40}(?: [0-9]{1,9})?){1,9}")
# The lines that are remembered, and the characters of the longest one: some 100 KB, and a page has few different ones.
_MOST, _LONGEST = 2048, 200
_ASKED = 3  # times that the cache is asked before it looks at a line: the parser asks twice where a line comes once


class NegativeCache:
    """Knows lines that are neither a report's nor an event's; one cache for all sources."""

    def __init__(self, matcher: Matcher, tools: Iterable[EventTool]) -> None:
        self._matcher = matcher
        words = (word for tool in tools for word in (*tool.words, *tool.piece_words))
        self._words = re.compile("|".join(map(re.escape, words)))
        self._keys = matcher.by_key.keys() - {"", "%"}
        self._lines: dict[str, bool] = {}
        self._asked: dict[str, int] = {}  # how often for lines that were not looked at
        self._forms: dict[tuple[bytes, str | None, int], bool | None] = {}  # None: seen once

    def has(self, line: str) -> bool:
        """Whether a line is empty, or known to be the page's.

        A heading of plain words is known at once. Another line is looked at when it comes again.
        """
        known = self._lines.get(line)
        if known is not None:
            return known
        if not line:
            return True
        return len(line) <= _LONGEST and self._has_learnt(line)

    def has_all(self, lines: Iterable[str]) -> bool:
        """Whether each of these lines is empty, or known to be the page's."""
        known = self._lines
        for line in lines:  # noqa: SIM110 (a generator takes twice as long)
            if line and not known.get(line) and not self.has(line):
                return False
        return True

    def _has_learnt(self, line: str) -> bool:
        """Whether a line that was not looked at yet is found to be the page's."""
        asked = self._asked.get(line, 0) + 1
        if asked == 1 and _HEADING.fullmatch(line):
            return self._keys.isdisjoint(line.split()) and self._words.search(line) is None
        if asked < _ASKED:
            if len(self._asked) >= _MOST:
                self._asked.clear()
            self._asked[line] = asked
            return False
        del self._asked[line]
        if len(self._lines) >= _MOST:
            self._lines.clear()
        self._lines[line] = known = self._is_page_text(line)
        return known

    def has_form(self, line: str, tool: ReportTool | None, rank: int) -> bool:
        """Whether no report's line of a tool stands in a normalised line, and no prefix, whatever its numbers are.

        A line is looked at when one of its form comes again. A report of ``tool`` is open, at ``rank``.
        """
        form = digit_form(line) if len(line) <= _LONGEST else None
        if form is None:
            return False
        key = form, tool.name if tool else None, rank
        known = self._forms.get(key)
        if known is None:
            if len(self._forms) >= _MOST:
                self._forms.clear()
            self._forms[key] = known = self._is_foreign(line, tool, rank) if key in self._forms else None
        return known is True

    def _is_foreign(self, line: str, tool: ReportTool | None, rank: int) -> bool:
        """Whether a line has no prefix and no word under which a spec is found that may stand here."""
        words = line.split()
        if not words or is_decoration(words) or self._may_be_led(line, words) or self._matcher.may_state_results(words):
            return False
        for _ in range(MOST_DECORATIONS + 1):
            if self._matcher.candidates(words, tool, rank)[0]:
                return False
            words = undecorated(words)
            if not words:
                return True
        return False

    def may_hold_event(self, text: str) -> bool:
        """Whether a text has a word of an event's, or of a piece of one."""
        return self._words.search(text) is not None

    def _is_page_text(self, line: str) -> bool:
        """Whether a line needs no unwrapping, has no word of an event's, and can't be a report's."""
        lines = LineNormalizer()
        lines.skip_notebook_check()
        as_it_stands = lines.feed([line], 1) == [NormalizedLine(1, line, line, line)] and not lines.is_unwrapping
        return as_it_stands and self._words.search(line) is None and self._never_matches(line)

    def _may_be_led(self, line: str, words: list[str]) -> bool:
        """Whether a prefix stands in front of a line's text, or output; or whether it may have lost its beginning."""
        prefixed = len(list(prefix_candidates(line))) > 1
        late = any(begin.search(line) for _, _, begin in self._matcher.late)
        return prefixed or late or self._matcher.with_lost_letters(words) is not None

    def _never_matches(self, line: str) -> bool:
        """Whether a line has no prefix, no spec matches it, and no open report may wait for one like it."""
        words = line.split()
        if not words or is_decoration(words) or self._may_be_led(line, words):
            return False
        if self._matcher.may_state_results(words) and (
            self._matcher.behind_names(words) or self._matcher.resembles(words)
        ):
            return False
        for _ in range(MOST_DECORATIONS + 1):
            text = " ".join(words)
            for _, spec in (pair for key in self._matcher.keys(words) for pair in self._matcher.by_key.get(key, ())):
                may_wait = announced(spec) and (spec.rank != 0 or spec.repeat or has_sign(spec, text))
                if may_wait or spec.pattern.fullmatch(text):
                    return False
            words = undecorated(words)
            if not words:
                return True
        return False
