"""Finds the objects of JSON that tools write, in the text of a source: see `wrkparse.tools.objects`.

A text without a sign of such an object passes unchanged. In a text with one, each object is followed from its opening
to its closing brace, in linear time, with any text around it. If an object goes on after the end of a text, its lines
are kept until another text ends it, up to `_MOST_CHARS`. Objects that no tool claims pass as text.
"""

from __future__ import annotations

import bisect
import functools
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from wrkparse.text.wrapping.prefixes import QUOTE_SIGNS
from wrkparse.tools import report_tools
from wrkparse.tools.base import ReportTool
from wrkparse.tools.objects import Json, ObjectForm, find, number_lines, parse

_MOST_CHARS = 4 << 20  # characters of an object; results have some KB, the largest seen 200 KB
# Characters after its opening brace within which an object of a tool has a sign. In the fixtures the first sign is
# within 52 of them; the rest is for keys that others put in front.
_SIGN_WITHIN = 2000
_OPENING_BRACE = re.compile(r'\{(?=[ \t\r]*(?:"|$))', re.MULTILINE)  # '{"options": …', or a brace that ends its line
# A string ends where its line ends, at the latest: after a missing quotation mark the next line is read correctly.
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\\n]++|\\[^\n])*+"?|[{}\[\]]')
_LINE_END = re.compile("\n")
_MOST_OPEN_BRACKETS = 200  # nested in each other; results have 6
_LONGEST_SIGN = 100  # characters; it bounds the text after `_SIGN_WITHIN` in which a sign may end
_MOST_TRIES = 8  # opening braces of objects without an end, after which no more are followed: it bounds the time


class ClaimedObject(NamedTuple):
    """An object that a tool claims, with the numbers and texts of its lines in the source."""

    tool: ReportTool
    form: ObjectForm
    value: Mapping[str, Json]
    lines: tuple[tuple[int, str], ...]


class ClaimedLines(NamedTuple):
    """Whole lines with objects of tools; the text is empty if the lines were returned with the object before."""

    text: str
    objects: list[ClaimedObject]


class DamagedObject(NamedTuple):
    """A tool's object that can't be read: its first line, the name of the tool, and why. Its text follows as text."""

    line: int
    tool: str
    why: str


TextPart = str | ClaimedLines | DamagedObject
"""A part of a text: lines to be read as text, lines with claimed objects, or a damaged object."""


@functools.cache
def object_forms() -> tuple[tuple[ReportTool, ObjectForm], ...]:
    """The forms of the objects of all tools."""
    return tuple((tool, form) for tool in report_tools() for form in tool.objects)


@functools.cache
def object_signs() -> tuple[str, ...]:
    """Texts, one of which is near the beginning of each object of a tool."""
    return tuple(dict.fromkeys(sign for _, form in object_forms() for sign in (form.sign, *form.other_signs)))


@functools.cache
def _sign_pattern() -> re.Pattern[str]:
    """Finds the position of each sign, also of those that overlap."""
    return re.compile(f"(?={'|'.join(map(re.escape, object_signs()))})")


def _sign_positions(text: str) -> list[int]:
    """The positions in a text at which signs of objects begin, in order."""
    if not any(sign in text for sign in object_signs()):
        return []
    return [match.start() for match in _sign_pattern().finditer(text)]


def _has_sign_near(positions: list[int], brace: int) -> bool:
    """Whether one of these positions is so near after a brace that its object may be a tool's."""
    at = bisect.bisect_left(positions, brace)
    return at < len(positions) and positions[at] - brace < _SIGN_WITHIN


class ObjectFinder:
    """Takes the texts of one source in order, and returns them in parts."""

    def __init__(self) -> None:
        self.is_open = False  # whether an object has begun and may go on in the next text
        self._open_text: list[str] = []  # whole lines, from the one in which the open object begins
        self._size = 0  # characters of these lines
        self._start = 0  # the position of the object in these lines
        self._returned = 0  # characters that were returned before, with another object in the first line
        self._brackets = ""  # the brackets that are open at the end of these lines
        self._has_sign = False  # whether the object has a sign

    @property
    def held_lines(self) -> int:
        """The number of lines that are kept and were not yet returned."""
        return sum(text.count("\n") for text in self._open_text) - bool(self.is_open and self._returned)

    def take(self, text: str, line: int) -> Iterable[TextPart]:
        """The parts of a text, after those of the lines that were kept.

        `line` is the number of the first of all these lines.
        """
        if self.is_open:
            return self._continue_object(text, line)
        return self._parts(text, line) if "{" in text else (text,)

    def _continue_object(self, text: str, line: int) -> Iterator[TextPart]:
        """The parts of the lines that were kept and of the text after them, if that ends the open object."""
        seen = self._size - self._start
        if not self._has_sign:
            self._has_sign = _has_sign_near(_sign_positions(text[: _SIGN_WITHIN - seen + _LONGEST_SIGN]), -seen)
        self._open_text.append(text)
        self._size += len(text)
        self._brackets, end = _follow_brackets(text, 0, self._brackets)
        unsigned = not self._has_sign and self._size - self._start >= _SIGN_WITHIN
        if end is not None or unsigned or self._size > _MOST_CHARS:
            yield from self._parts_of_open_object(line, last=end is None and self._has_sign)

    def finish(self, line: int) -> Iterator[TextPart]:
        """The parts of what is kept at the end of the source."""
        if self.is_open:
            yield from self._parts_of_open_object(line, last=True)

    def _parts_of_open_object(self, line: int, *, last: bool) -> Iterator[TextPart]:
        """The parts of what was kept. If it is `last`, an object without an end is returned as damaged."""
        text, self._open_text, self.is_open = "".join(self._open_text), [], False
        return self._parts(text, line - bool(self._returned), self._start, self._returned, last=last)

    def _parts(self, text: str, line: int, at: int = 0, done: int = 0, *, last: bool = False) -> Iterator[TextPart]:
        """The parts of a text after its first `done` characters, with objects from position `at` on.

        An object that goes on after the text is kept, unless it is the `last` text that may end it.
        """
        lines, signs = _NumberedLines(text, line), _sign_positions(text)
        # without a sign here, only an object near the end may have one in the next text
        at = at if signs else max(at, len(text) - _SIGN_WITHIN)
        tries = _MOST_TRIES
        unended: DamagedObject | None = None
        while tries and (match := _OPENING_BRACE.search(text, at)) is not None:
            is_near = _has_sign_near(signs, match.start())
            if not is_near and (last or len(text) - match.start() >= _SIGN_WITHIN):
                at = match.end()
                continue
            opened, end = _follow_brackets(text, match.start(), "")
            inside = text[match.start() : end]
            if end is None and not last:
                yield from self._keep_open_object(text, done, match.start())
                self._brackets, self._has_sign = opened, is_near
                return
            if end is None:
                tries -= 1
                unended = unended or _damaged_object(inside, lines.number_at(match.start()), "is cut off")
                at = match.end()
                continue
            at = end
            begin = max(done, text.rfind("\n", 0, match.start()) + 1)
            found, why = ([], "is cut off") if opened else _claimed_objects(inside, match.start(), lines)
            if why and (damaged := _damaged_object(inside, lines.number_at(match.start()), why)):
                yield from _text_between(text, done, begin)
                yield damaged
                done = begin
            if found:
                yield from _text_between(text, done, begin)
                stop = lines.line_end_after(end)
                yield ClaimedLines(text[begin:stop], found)
                done, unended = max(done, stop), None
        if unended:
            yield unended
        yield from _text_between(text, done, len(text))

    def _keep_open_object(self, text: str, done: int, start: int) -> Iterator[TextPart]:
        """Keep the lines of an object that begins at `start`, and return those above that are not `done`."""
        begin = text.rfind("\n", 0, start) + 1
        self._open_text, self._size, self.is_open = [text[begin:]], len(text) - begin, True
        self._start, self._returned = start - begin, max(0, done - begin)
        yield from _text_between(text, done, begin)


def _text_between(text: str, start: int, end: int) -> Iterator[str]:
    """The text between two positions, unless it is empty."""
    if start < end:
        yield text[start:end]


def _damaged_object(inside: str, line: int, why: str) -> DamagedObject | None:
    """The part for an object that can't be read; None if its text has no sign of a tool."""
    tool = next((tool.name for tool, form in object_forms() if form.sign in inside), None)
    return DamagedObject(line, tool, why) if tool else None


class _NumberedLines:
    """The lines of a text, counted from the number of the first one."""

    def __init__(self, text: str, first: int) -> None:
        self._text, self._first = text, first
        self._ends: list[int] | None = None

    def number_at(self, position: int) -> int:
        """The number of the line at a position."""
        if self._ends is None:
            self._ends = [match.start() for match in _LINE_END.finditer(self._text)]
        return self._first + bisect.bisect_left(self._ends, position)

    def line_end_after(self, position: int) -> int:
        """The position after the line break that ends the line at a position."""
        found = self._text.find("\n", position)
        return len(self._text) if found < 0 else found + 1

    def lines_between(self, start: int, end: int) -> tuple[tuple[int, str], ...]:
        """The lines from one position to another, with their numbers."""
        begin = self._text.rfind("\n", 0, start) + 1
        texts = self._text[begin : self.line_end_after(end)].removesuffix("\n").split("\n")
        return tuple(enumerate(texts, self.number_at(start)))


def _follow_brackets(text: str, at: int, opened: str) -> tuple[str, int | None]:
    """The brackets that are open after a text, and the position after the object; None if the object goes on.

    An object is cut off if it ends with open brackets. That is so if the brace of another object begins a line while no
    list is open, or if more brackets are open than any result has.
    """
    for match in _STRING_OR_BRACKET.finditer(text, at):
        match match[0]:
            case "{" if opened[-1:] == "{" and (not match.start() or text[match.start() - 1] == "\n"):
                return opened, match.start()
            case "{" | "[" if len(opened) >= _MOST_OPEN_BRACKETS:
                return opened, match.start()
            case "{" | "[":
                opened += match[0]
            case "}" | "]":
                opened = opened[:-1]
                if not opened:
                    return "", match.end()
    return opened, None


def _claimed_objects(inside: str, start: int, lines: _NumberedLines) -> tuple[list[ClaimedObject], str]:
    """The objects of tools in the text of an object, and why it can't be read; empty if it can."""
    candidates = [(tool, form) for tool, form in object_forms() if form.sign in inside]
    if not candidates:
        return [], ""
    first = lines.number_at(start)
    try:
        value = parse(_without_line_fronts(inside, start, lines), first)
    except json.JSONDecodeError as problem:
        return [], f"is not valid JSON: line {first + problem.lineno - 1}: {problem.msg}"
    except (ValueError, RecursionError) as problem:
        return [], f"is no JSON: {problem}"
    found = [
        ClaimedObject(
            tool, form, claimed, _lines_of_object(claimed, claimed is value, start, start + len(inside) - 1, lines)
        )
        for tool, form in candidates
        for claimed in find(value, form)
    ]
    return found, ""


def _lines_of_object(
    value: Mapping[str, Json], whole: bool, start: int, end: int, lines: _NumberedLines
) -> tuple[tuple[int, str], ...]:
    """The lines of an object; of an object within another one, the lines with its numbers."""
    all_lines = lines.lines_between(start, end)
    numbers = [] if whole else sorted(number_lines(dict(value)))
    return tuple(line for line in all_lines if numbers[0] <= line[0] <= numbers[-1]) if numbers else all_lines


def _without_line_fronts(inside: str, start: int, lines: _NumberedLines) -> str:
    """The text of an object without the signs of a quotation or a comment in front of each of its lines."""
    if "\n" not in inside:
        return inside
    (_, first), *_ = lines.lines_between(start, start)
    front = first[: first.find("{")]
    if not front.strip() or QUOTE_SIGNS.fullmatch(front) is None:
        return inside
    return "\n".join(each.removeprefix(front).removeprefix(front.rstrip()) for each in inside.split("\n"))
