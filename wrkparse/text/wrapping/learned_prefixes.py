"""Learns prefixes that no rule of `prefixes` knows: those of loggers with an unusual format.

``kiwi :: Running 10s test @ http://h/`` and ``kiwi ::   2 threads and 64 connections`` begin alike, and the rest of
each is a line of a report. So the text in front of a report's first line is learned if the next line has it, too. Times
in it may differ from line to line. Numbers that differ between these two lines are counts and may differ, too. Other
numbers are part of the name: ``worker 1``, ``localhost:8081``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

LEARNED_STREAM = "~ "  # before the text of a prefix, which is the name of its stream
_MOST = 16  # prefixes of a source that are known at a time: each takes a search in each line
_LONGEST = 400  # characters, as of the prefixes that rules know
_NUMBER = re.compile(r"(?:(?<![A-Za-z_0-9])|(?<=[0-9]T))[0-9]+")  # not that of a name, "kiwi2"
_WORD = re.compile(r"\S+")
# A word of several numbers, or a share: "[10:00:00,123]", "2026-11-20T10:00:00Z", "1.25s", "30%"; not a version or an
# address.
_TIME = re.compile(
    r"(?![\W_]*[0-9]{1,2}\.[0-9]{1,2}\W*\Z)(?![0-9]+(?:\.[0-9]+){3}(?::|\Z))"
    r"[\[(@+]*[0-9]+(?:[:.,/T+-][0-9]+)+[A-Zmnsuµh]{0,3}[\])|:,]*|[\[(]?[0-9]+%[\])]?"
)
_FEWEST_DIGITS_OF_COUNT = 3  # a smaller number that differs in the next line may number another process


class LearnedPrefix(NamedTuple):
    """A prefix: the pattern of the beginning of its lines, and the name of their stream."""

    pattern: str
    stream: str


class LearnedPrefixes:
    """The prefixes of a source that were learned last."""

    def __init__(self) -> None:
        self._by_stream: dict[str, LearnedPrefix] = {}

    def add(self, prefix: LearnedPrefix) -> None:
        """Learn a prefix; of too many, the oldest is forgotten."""
        self._by_stream[prefix.stream] = prefix
        if len(self._by_stream) > _MOST:
            del self._by_stream[next(iter(self._by_stream))]

    def forget(self, stream: str) -> None:
        """Forget the prefix of a stream, if it has one."""
        self._by_stream.pop(stream, None)

    def has(self, stream: str) -> bool:
        """Whether a stream is that of a learned prefix."""
        return stream in self._by_stream

    def find(self, text: str) -> tuple[LearnedPrefix, int] | None:
        """The learned prefix of a line, and where it ends; None if the line has none."""
        # `re` caches the compiled patterns, which a checkpoint can't contain
        found = [
            (prefix, match.end()) for prefix in self._by_stream.values() if (match := re.match(prefix.pattern, text))
        ]
        return max(found, key=lambda prefix: prefix[1]) if found else None


def learn_prefix(front: str, following: str) -> tuple[LearnedPrefix, int] | None:
    """The prefix that a text in front of a report's first line is, and where it ends in the line that follows.

    None if that line does not begin with it.
    """
    if len(front) > _LONGEST:
        return None
    numbers = list(_NUMBER.finditer(front))
    match = re.match(_pattern(front, [number.span() for number in numbers]), following)
    if match is None:
        return None
    times = [word.span() for word in _WORD.finditer(front) if _TIME.fullmatch(word[0])]
    variable = []
    for number, later in zip(numbers, match.groups(), strict=True):
        if any(start <= number.start() < end for start, end in times):
            variable.append(number.span())
        elif number[0] != later:
            if len(later) < _FEWEST_DIGITS_OF_COUNT:
                return None
            variable.append(number.span())
    form = front
    # from the end, so that the earlier positions stay valid
    for start, end in reversed(variable):
        form = f"{form[:start]}0{form[end:]}"
    return LearnedPrefix(_pattern(front, variable), LEARNED_STREAM + form), match.end()


def prefix_of_name(front: str) -> LearnedPrefix:
    """The prefix that is this text in front of each line, with all of its numbers: ``web1: ``."""
    return LearnedPrefix(_pattern(front, []), LEARNED_STREAM + front)


def _pattern(front: str, variable: Sequence[tuple[int, int]]) -> str:
    """A pattern for texts that differ from `front` only in some numbers.

    A number may be padded with blanks; an empty line may lack the last blank.
    """
    bare, at = front.rstrip(), 0
    pattern = ""
    for start, end in variable:
        between = bare[at:start]
        pattern += re.escape(between.rstrip(" ")) + (" {1,20}" if between[-1:] == " " else "") + "([0-9]{1,20})"
        at = end
    return rf"{pattern}{re.escape(bare[at:])}(?:{re.escape(front[len(bare) :])}|\s*\Z)"
