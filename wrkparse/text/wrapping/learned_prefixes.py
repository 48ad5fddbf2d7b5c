"""Learns the prefixes of lines that no rule of `prefixes` knows: those of loggers with a format of their own.

``kiwi :: Running 10s test @ http://h/`` and ``kiwi ::   2 threads and 64 connections`` begin alike, and the rest of
each is a line of a report. So the text in front of a report's first line is learned if the next line has it, too.
Numbers in it may differ: they are times, line numbers and counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_MOST = 16  # prefixes of a source that are known at a time: each takes a search in each line
_LONGEST = 400  # characters, as of the prefixes that rules know
_NUMBER = re.compile(r"(?:(?<![A-Za-z_0-9])|(?<=[0-9]T))[0-9]+")  # not that of a name, "kiwi2"


class LearnedPrefix(NamedTuple):
    """A prefix: its text without numbers, the pattern that its lines begin with, and the process that it names."""

    form: str
    pattern: str
    stream: str


class LearnedPrefixes:
    """The prefixes of a source that were learned last."""

    def __init__(self) -> None:
        self._by_form: dict[str, LearnedPrefix] = {}

    def __bool__(self) -> bool:
        return bool(self._by_form)

    def add(self, prefix: LearnedPrefix) -> None:
        """Learn a prefix; of too many, the oldest is forgotten."""
        self._by_form[prefix.form] = prefix
        if len(self._by_form) > _MOST:
            del self._by_form[next(iter(self._by_form))]

    def find(self, text: str) -> tuple[LearnedPrefix, int] | None:
        """The learned prefix of a line, and where it ends; None if the line has none."""
        found = ((prefix, end) for prefix in self._by_form.values() if (end := end_of_prefix(prefix, text)))
        return max(found, key=lambda one: one[1], default=None)


def prefix_to_learn(front: str, stream: str) -> LearnedPrefix | None:
    """The prefix that a text in front of a report's first line may be; None if it is too long for one."""
    if len(front) > _LONGEST:
        return None
    return LearnedPrefix(_NUMBER.sub("0", front), "".join(_pattern_parts(front)), stream)


def end_of_prefix(prefix: LearnedPrefix, text: str) -> int:
    """Where the prefix of a line ends; 0 if the line does not begin with it."""
    match = re.match(prefix.pattern, text)  # `re` caches the compiled pattern, which a checkpoint can't contain
    return match.end() if match else 0


def _pattern_parts(front: str) -> Iterator[str]:
    """A pattern for texts that differ from `front` only in their numbers; an empty line may lack the last blank."""
    bare = front.rstrip()
    at = 0
    for number in _NUMBER.finditer(bare):
        yield re.escape(bare[at : number.start()])
        yield "[0-9]{1,20}"
        at = number.end()
    yield re.escape(bare[at:])
    yield rf"(?:{re.escape(front[len(bare) :])}|\s*\Z)"
