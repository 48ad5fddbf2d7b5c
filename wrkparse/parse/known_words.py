"""Finds words that the tools print, in a source without runs: its reports may be damaged or cut off."""

from __future__ import annotations

from typing import NamedTuple

from wrkparse.tools import all_tools


class KnownWords(NamedTuple):
    """A line with words of a tool: its number, counted from 1, the tool, and the words."""

    line: int
    tool: str
    words: str


def find_known_words(text: str) -> KnownWords | None:
    """The first line of a text with words of a tool (`known_words` of the tools); None if there is none."""
    found = [
        (match.start(), tool.name, match[0])
        for tool in all_tools()
        if tool.known_words and (match := tool.known_words.search(text))
    ]
    if not found:
        return None
    start, tool, words = min(found, key=lambda words_of_tool: words_of_tool[0])
    return KnownWords(text.count("\n", 0, start) + 1, tool, words.strip())
