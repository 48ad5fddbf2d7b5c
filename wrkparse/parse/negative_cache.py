"""Lines that are the page's alone, whatever stands around them: commands, headings, fences. The context reads them.

What a document of thousands of reports has between these are the same few lines again and again, and headings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from wrkparse.parse.matcher import DECORATIONS, MOST_DECORATIONS, Rules, bare, tells
from wrkparse.text.normalize import Line, Lines
from wrkparse.text.prefixes import layers
from wrkparse.tools.base import EventTool, key_of

PIECE = re.compile(r"gc|SCHED|\(forced\)|timerslen=|\[controller reset\]")  # what a piece of an event has one of
# A heading of plain words: in such a text a rule is told by a word of its own.
_HEADING = re.compile(r"#{1,6}(?: [A-Za-z][A-Za-z0-9_-]{0,40}(?: [0-9]{1,9})?){1,9}")
_MOST, _LONGEST = 2048, 200  # lines that are known, and characters of one


class Quiet:
    """Knows lines that hold nothing of a tool's; one for all sources."""

    def __init__(self, rules: Rules, tools: Iterable[EventTool]) -> None:
        self._rules = rules
        self._words = re.compile("|".join([*(re.escape(word) for tool in tools for word in tool.words), PIECE.pattern]))
        self._keys = rules.by_key.keys() - {"", "%"}
        self._known: dict[str, bool | None] = {}  # lines that were seen, and from the second time on what they are

    def has(self, line: str) -> bool:
        """Whether a line, of which this may be known at first sight or when it was seen before, is such a one."""
        known = self._known.get(line)
        if known is None and len(line) <= _LONGEST:
            if _HEADING.fullmatch(line):
                return self._keys.isdisjoint(line.split()) and self._words.search(line) is None
            if len(self._known) >= _MOST:
                self._known.clear()
            known = self._known[line] = self._is_quiet(line) if line in self._known else None
        return bool(known)

    def _is_quiet(self, line: str) -> bool:
        """Whether a line is printed as it stands, holds no word of an event's, and is no report's."""
        lines = Lines()
        lines.settle("-")
        as_found = lines.feed([line], 1) == [Line(1, line, line, line)] and lines.plain
        return as_found and self._words.search(line) is None and self._is_no_report_s(line)

    def _is_no_report_s(self, line: str) -> bool:
        """Whether nothing stands in front of a line, no rule matches it, and no report may wait for one like it."""
        words = line.split()
        if not words or (len(words) == 1 and words[0] in DECORATIONS) or len(list(layers(line))) > 1:
            return False
        if any(begin.search(line) for _, _, begin in self._rules.late):
            return False
        for _ in range(MOST_DECORATIONS + 1):
            text = " ".join(words)
            keys = (key_of(words[0]), key_of(words[1]) if len(words) > 1 else "", key_of(words[-1]))
            for _, rule in (pair for key in keys for pair in self._rules.by_key.get(key, ())):
                told = rule.keys[0] not in ("", "%")
                if rule.pattern.fullmatch(text) or (told and (rule.rank != 0 or rule.repeat or tells(rule, text))):
                    return False
            words = bare(words)
            if not words:
                return True
        return False
