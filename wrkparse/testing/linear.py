"""Checks whether a regular expression takes linear time on any text, because somebody may craft a slow input."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

Pattern = re.Pattern[Any]

SHORT, LONG = 500, 4_000
_SURELY_LINEAR = 0.001  # seconds below which nothing at `LONG` is quadratic: eight million steps take longer
SLOW = 24  # 8 times the length takes 8 times as long if time is linear, 64 times if it is quadratic
ATTEMPTS = 3  # a machine may be busy, and seem slow, once
# The characters that are tried first when an example needs a member of a character class.
_MEMBERS = {_constants.CATEGORY_DIGIT: "1", _constants.CATEGORY_SPACE: " "}
_FILLERS = (" ", "0", "a", "a ", '"', "<", "&", "\\", "a.", "1:", "-", "=", "A")
_MANY = 50  # repetitions: fewer take little time, however they are divided
# Repetitions tried before `SHORT` and `LONG`: 24 take seconds if each doubles the time. If the time grows with the 6th
# power, 24 take no time and 4000 take years; the steps between find that while it is short. A step is a quarter more,
# or twice as many if the last one took next to no time: even if each repetition multiplies the time, twice as many then
# take no more than seconds. If all steps double, the last one is 768 repetitions.
_FEW = range(24, 800)
# Seconds. In this time no machine takes the quarter of a million steps that 768 repetitions are if time is quadratic.
_NO_TIME = 0.000_05
_LONG_TIME = 0.1  # seconds that no such short text takes in linear time
_LONGEST = 60  # characters of an example: the slow part of a pattern is near its beginning


class UsedPattern(NamedTuple):
    """A pattern, and whether it is searched anywhere in a text; otherwise it must match at a given place."""

    pattern: Pattern
    anywhere: bool


def _seconds(used: UsedPattern, text: Any) -> float:
    """The CPU time of this process for one try."""
    started = time.process_time()
    _try(used, text)
    return time.process_time() - started


def _least_seconds(used: UsedPattern, text: Any) -> float:
    """The smallest of five times; fewer tries if they are too short to matter, or too long to repeat."""
    taken = []
    for _ in range(5):
        taken.append(_seconds(used, text))
        if not _SURELY_LINEAR < taken[-1] < _LONG_TIME:
            break
    return min(taken)


def _try(used: UsedPattern, text: Any) -> None:
    used.pattern.fullmatch(text)
    if used.anywhere:
        used.pattern.search(text)


def is_slow(used: UsedPattern, before: Any, filler: Any, behind: Any) -> bool:
    """Whether 8 times the length takes more than `SLOW` times as long in every attempt."""
    few = _FEW[0]
    while few in _FEW:
        text = before + filler * few + behind
        started = time.perf_counter()  # it is read faster than the CPU time, which is no longer
        _try(used, text)
        took = time.perf_counter() - started
        # CPU time, too: on a busy machine, the clock alone would call any pattern slow.
        if took > _LONG_TIME and _seconds(used, text) > _LONG_TIME:
            return True
        few = few * 2 if took < _NO_TIME else few * 5 // 4
    if took < _NO_TIME:
        return False
    long, short = before + filler * LONG + behind, before + filler * SHORT + behind
    for _ in range(ATTEMPTS):
        if (once := _seconds(used, long)) < _SURELY_LINEAR:
            return False
        most = SLOW * _least_seconds(used, short)
        if once < most or _least_seconds(used, long) < most:
            return False
    return True


def slow_texts(used: UsedPattern) -> Iterator[tuple[str, str]]:
    """Texts on which a pattern is slow, each as a beginning and the text that is repeated after it.

    The texts tried are a matching text, cut anywhere and followed by one of its characters, a blank, a digit … a
    thousand times; and the parts that the pattern repeats, with an end that no part matches.
    """
    code = used.pattern.pattern
    # Python's own parser of patterns, which is not public: texts are made from what it has understood.
    tree = _parser.parse(code, used.pattern.flags)
    text = _examples(tree)[:_LONGEST]
    typed = str.encode if isinstance(code, bytes) else str
    repeated = dict.fromkeys(_repeated(tree))
    for at in range(len(text) + 1):
        for filler in dict.fromkeys((*_FILLERS, *({text[at - 1 : at], text[max(0, at - 2) : at]} - {""}))):
            # No part of a pattern matches the end, so that all ways to match the rest are tried.
            if is_slow(used, typed(text[:at]), typed(filler), typed("\0")):
                yield text[:at], filler
        for filler in repeated:
            if text.startswith(filler, at) and is_slow(used, typed(text[:at]), typed(filler), typed(" \0")):
                yield text[:at], filler


def _repeated(tree: Iterable[tuple[Any, Any]]) -> Iterator[str]:
    """An example of each part that a pattern repeats many times and may split in different ways."""
    for kind, value in tree:
        match str(kind):
            case "MAX_REPEAT" | "MIN_REPEAT":
                if value[1] > _MANY:
                    example = _examples(value[2])
                    # a blank between repetitions may be optional
                    yield from (example, example.strip()) if example.strip() else (example,)
                yield from _repeated(value[2])
            case "SUBPATTERN":
                yield from _repeated(value[3])
            case "BRANCH":
                yield from (filler for part in value[1] for filler in _repeated(part))


def example(pattern: str | bytes, flags: int = 0) -> str:
    """A text that a pattern begins to match, or nearly: the first of each choice, each repetition once."""
    return _examples(_parser.parse(pattern, flags))


def _examples(tree: Iterable[tuple[Any, Any]]) -> str:
    return "".join(_example(kind, value) for kind, value in tree)


def _example(kind: Any, value: Any) -> str:
    match str(kind):
        case "LITERAL":
            return chr(int(value))
        case "IN":
            first, member = value[0]
            return _member(str(first), member)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            least: int = value[0]
            return _examples(value[2]) * min(max(least, 1), 4)
        case "SUBPATTERN":
            return _examples(value[3])
        case "ATOMIC_GROUP":
            return _examples(value)
        case "BRANCH":
            return _examples(value[1][0])
        case "NOT_LITERAL" | "ANY":
            return "a"
    return ""


def _member(kind: str, value: Any) -> str:
    if kind in ("LITERAL", "RANGE"):
        return chr(value if kind == "LITERAL" else value[0])
    return str(_MEMBERS.get(value, "a"))
