"""Reads reports whose lines begin with a prefix that no rule knows: see `wrkparse.text.wrapping.learned_prefixes`.

A report's first line at the end of another text is held until the next line shows whether the text is a prefix: then
the next line begins with it, too, and may be the second one of the report.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from wrkparse.parse.reports.matcher import Matcher, ends_name
from wrkparse.text.normalize import NormalizedLine
from wrkparse.text.wrapping.learned_prefixes import LearnedPrefixes, learn_prefix, prefix_of_name
from wrkparse.text.wrapping.prefixes import longest_prefix
from wrkparse.tools.base import ReportTool

_WORD = re.compile(r"\S+")


class HeaderBehindFront(NamedTuple):
    """A report's first line after text that may be a prefix.

    ``front`` is that text. The line is of a report of `tool`, has `rank`, and matched `pattern`: a checkpoint can't
    contain a spec.
    """

    front: str
    tool: ReportTool
    rank: int
    pattern: str


def find_header(matcher: Matcher, plain: str, words: list[str], start: int) -> HeaderBehindFront | None:
    """The report's first line at the end of a line whose words begin at ``start``; None without one."""
    if (found := matcher.header_after_front(words)) is None:
        return None
    at, tool, spec = found
    front = plain[: [word.start() for word in _WORD.finditer(plain, start)][at]]
    end = len(front.rstrip()) + 1  # further blanks indent this line: "kiwi:   Success rate:"
    return HeaderBehindFront(front[:end], tool, spec.rank, spec.pattern.pattern)


class UnknownPrefixes:
    """The prefixes of one source that were learned."""

    def __init__(self) -> None:
        self._learned = LearnedPrefixes()
        self.are_known = False  # whether one was learned
        self._shared_stream = ""  # the stream of the last prefix that two processes used by turns

    def learn(self, matcher: Matcher, header: HeaderBehindFront, following: str) -> bool:
        """Learn the prefix of a report's first line if the line that follows shows that it is one; return whether."""
        learned = learn_prefix(header.front, following)
        if learned is None:
            return self._learn_two(matcher, header, following)
        prefix, end = learned
        words = following[end:].split()
        if re.fullmatch(header.pattern, " ".join(words)):  # the first line of another process
            self._shared_stream = prefix.stream
        if prefix.stream == self._shared_stream or not (
            _may_be_second_line(matcher, header, words) or _is_name(header.front)
        ):
            return False
        self._learned.add(prefix)
        self.are_known = True
        return True

    def _learn_two(self, matcher: Matcher, header: HeaderBehindFront, following: str) -> bool:
        """Learn the prefixes of two processes whose reports begin in neighbouring lines; return whether they do.

        Each is one word: ``kiwi: Running 10s test @ http://h/`` above ``emu: Running 10s test @ http://h/``.
        """
        words = following.split()
        other = find_header(matcher, following, words, 0) if words else None
        if other is None or other.pattern != header.pattern or not (_is_name(header.front) and _is_name(other.front)):
            return False
        if header.front.rstrip()[-1] != other.front.rstrip()[-1]:
            return False
        for front in (header.front, other.front):
            self._learned.add(prefix_of_name(front))
        self.are_known = True
        return True

    def without_prefix(self, line: NormalizedLine) -> NormalizedLine:
        """A line without the learned prefix that it begins with, which names its stream; other lines unchanged."""
        found = self._learned.find(line.plain)
        if found is None:
            return line
        prefix, end = found
        stamp = longest_prefix(line.plain[:end]).stamp
        return line._replace(plain=line.plain[end:], stream=prefix.stream, stamp=stamp or line.stamp)

    def has(self, stream: str) -> bool:
        """Whether a stream is that of a learned prefix."""
        return self._learned.has(stream)

    def forget(self, stream: str) -> None:
        """Forget the prefix of a stream: two processes may have it by turns."""
        self._learned.forget(stream)


def _is_name(front: str) -> bool:
    """Whether a text in front of a line is one word that ends as a name does: ``kiwi: ``."""
    words = front.split()
    return len(words) == 1 and ends_name(words[0]) and words[0][0].isalpha()


def _may_be_second_line(matcher: Matcher, header: HeaderBehindFront, words: list[str]) -> bool:
    """Whether a line of these words may be the second one of a report: one of its tool, or an empty one."""
    candidates = matcher.candidates(words, header.tool, header.rank)[0] if words else ()
    return not words or any(
        tool is header.tool and spec.pattern.pattern != header.pattern and spec.pattern.fullmatch(" ".join(words))
        for tool, spec in candidates
    )
