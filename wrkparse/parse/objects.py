"""Finds the objects of JSON that tools write, in the text of a source: see `wrkparse.tools.objects`.

A text without a sign of such an object passes as it is. In one with a sign, each object is followed from its brace to
the brace that ends it, in linear time, whatever stands around it. One that goes on behind the end of a text is held
until another text ends it, up to `_LARGEST`. Objects that no tool claims pass as text.
"""

from __future__ import annotations

import bisect
import functools
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from wrkparse.tools import report_tools
from wrkparse.tools.base import ReportTool
from wrkparse.tools.objects import Json, ObjectForm, find, number_lines, parse

_LARGEST = 4 << 20  # characters of an object; results have some KB, the largest seen 200 KB
_SHORT = 2000  # characters behind its brace in which an object of a tool shows a sign
_OPENING = re.compile(r'\{(?=[ \t\r]*(?:"|$))', re.MULTILINE)
# Strings end with their line at the latest.
_TOKEN = re.compile(r'"(?:[^"\\\n]++|\\[^\n])*+"?|[{}\[\]]')
_FRONT = re.compile(r"[ \t>|#/*]{0,40}")
_LINE_END = re.compile("\n")
_DEEPEST = 200  # brackets in each other; results have 6
_LONGEST_SIGN = 100  # characters
_TRIES = 8  # braces that open in an object that does not end, at each of which a whole one may begin


class FoundObject(NamedTuple):
    """An object that a tool claims, with the numbers of its lines and these as they stand in the source."""

    tool: ReportTool
    form: ObjectForm
    value: Mapping[str, Json]
    lines: tuple[tuple[int, str], ...]


class Claimed(NamedTuple):
    """Whole lines with objects of tools; the text is empty if the lines were given with the object before."""

    text: str
    objects: list[FoundObject]


class Damaged(NamedTuple):
    """What begins at this line as a tool's object and is none: the tool's name, and why. Its text follows."""

    line: int
    tool: str
    why: str


Part = str | Claimed | Damaged
"""A part of a text; a plain one is to be read otherwise."""


@functools.cache
def forms() -> tuple[tuple[ReportTool, ObjectForm], ...]:
    """The forms of all tools."""
    return tuple((tool, form) for tool in report_tools() for form in tool.objects)


@functools.cache
def signs() -> tuple[str, ...]:
    """Texts one of which stands near the beginning of each object of a tool."""
    return tuple(dict.fromkeys(sign for _, form in forms() for sign in (form.sign, *form.other_signs)))


@functools.cache
def _signs() -> re.Pattern[str]:
    return re.compile(f"(?={'|'.join(map(re.escape, signs()))})")


def _places_of_signs(text: str) -> list[int]:
    """Where the signs of objects stand in a text, in order."""
    return [match.start() for match in _signs().finditer(text)] if any(sign in text for sign in signs()) else []


def _is_near(places: list[int], brace: int) -> bool:
    """Whether one of these places is so near behind a brace that its object may be a tool's."""
    at = bisect.bisect_left(places, brace)
    return at < len(places) and places[at] - brace < _SHORT


class ObjectFinder:
    """Takes the texts of one source in order and returns them in parts."""

    def __init__(self) -> None:
        self._held: list[str] = []  # whole lines, from that of an open object on
        self._size = 0
        self._start = 0  # where the object begins in them
        self._given = 0  # characters of them that were returned already, with an object in front of it in its line
        self._opened = ""  # brackets that are open at their end
        self._signed = False  # whether the object has a sign

    @property
    def is_open(self) -> bool:
        """Whether an object has begun that goes on."""
        return bool(self._held)

    @property
    def lines(self) -> int:
        """How many lines are held that were not returned."""
        return sum(text.count("\n") for text in self._held) - bool(self._held and self._given)

    def take(self, text: str, line: int) -> Iterable[Part]:
        """The parts of a text of whole lines, and of what was held; `line` is the number of the first line of these."""
        if self._held:
            return self._take_more(text, line)
        return self._parts(text, line) if "{" in text else (text,)

    def _take_more(self, text: str, line: int) -> Iterator[Part]:
        """The parts of what was held and of the text behind it."""
        behind = self._size - self._start
        self._signed = self._signed or _is_near(_places_of_signs(text[: _SHORT - behind + _LONGEST_SIGN]), -behind)
        self._held.append(text)
        self._size += len(text)
        self._opened, end = _follow(text, 0, self._opened)
        unsigned = not self._signed and self._size - self._start >= _SHORT
        if end is not None or unsigned or self._size > _LARGEST:
            yield from self._parts_of_held(line, last=end is None and self._signed)

    def finish(self, line: int) -> Iterator[Part]:
        """The parts of what is held at the end of the source."""
        if self._held:
            yield from self._parts_of_held(line, last=True)

    def _parts_of_held(self, line: int, *, last: bool) -> Iterator[Part]:
        text, self._held = "".join(self._held), []
        return self._parts(text, line - bool(self._given), self._start, self._given, last=last)

    def _parts(self, text: str, line: int, at: int = 0, done: int = 0, *, last: bool = False) -> Iterator[Part]:
        """The parts of a text behind what is `done`, with objects from `at` on.

        One that goes on behind the text is held, unless this is the `last` chance to end it.
        """
        numbered, places = _Lines(text, line), _places_of_signs(text)
        at = at if places else max(at, len(text) - _SHORT)
        tries = _TRIES
        open_one: Damaged | None = None
        while tries and (match := _OPENING.search(text, at)) is not None:
            is_near = _is_near(places, match.start())
            if not is_near and (last or len(text) - match.start() >= _SHORT):
                at = match.end()
                continue
            opened, end = _follow(text, match.start(), "")
            inside = text[match.start() : end]
            if end is None and not last:
                yield from self._hold(text, done, match.start())
                self._opened, self._signed = opened, is_near
                return
            if end is None:
                tries -= 1
                open_one = open_one or _damaged(inside, numbered.at(match.start()), "is cut off")
                at = match.end()
                continue
            at = end
            begin = max(done, text.rfind("\n", 0, match.start()) + 1)
            found, why = ([], "is cut off") if opened else _claimed(inside, match.start(), numbered)
            if why and (damaged := _damaged(inside, numbered.at(match.start()), why)):
                yield from _texts(text, done, begin)
                yield damaged
                done = begin
            if found:
                yield from _texts(text, done, begin)
                stop = numbered.end_of(end)
                yield Claimed(text[begin:stop], found)
                done, open_one = max(done, stop), None
        if open_one:
            yield open_one
        yield from _texts(text, done, len(text))

    def _hold(self, text: str, done: int, start: int) -> Iterator[Part]:
        """Hold the lines of an object that begins at `start`; returns what stands above them and is not `done`."""
        begin = text.rfind("\n", 0, start) + 1
        self._held, self._size = [text[begin:]], len(text) - begin
        self._start, self._given = start - begin, max(0, done - begin)
        yield from _texts(text, done, begin)


def _texts(text: str, start: int, end: int) -> Iterator[str]:
    """The text between two places, unless it is empty."""
    if start < end:
        yield text[start:end]


def _damaged(inside: str, line: int, why: str) -> Damaged | None:
    """What is said of the text of an object that can't be read; None if it has no sign of a tool."""
    tool = next((tool.name for tool, form in forms() if form.sign in inside), None)
    return Damaged(line, tool, why) if tool else None


class _Lines:
    """The lines of a text, the first of which has this number."""

    def __init__(self, text: str, first: int) -> None:
        self._text, self._first = text, first
        self._ends: list[int] | None = None

    def at(self, place: int) -> int:
        """The number of the line with this place."""
        if self._ends is None:
            self._ends = [match.start() for match in _LINE_END.finditer(self._text)]
        return self._first + bisect.bisect_left(self._ends, place)

    def end_of(self, place: int) -> int:
        """Where the line ends in which an object ends, with the line break."""
        found = self._text.find("\n", place)
        return len(self._text) if found < 0 else found + 1

    def between(self, start: int, end: int) -> tuple[tuple[int, str], ...]:
        """The lines that have these places, with their numbers."""
        begin = self._text.rfind("\n", 0, start) + 1
        texts = self._text[begin : self.end_of(end)].removesuffix("\n").split("\n")
        return tuple(enumerate(texts, self.at(start)))


def _follow(text: str, at: int, opened: str) -> tuple[str, int | None]:
    """The brackets that are open behind a text, and where the object ends; None if it goes on.

    It is cut off if it ends with open brackets: where a line begins with the brace of another object, and no list is
    open. Nor is it followed where more brackets are open than any result has.
    """
    for match in _TOKEN.finditer(text, at):
        match match[0]:
            case "{" if opened[-1:] == "{" and (not match.start() or text[match.start() - 1] == "\n"):
                return opened, match.start()
            case "{" | "[" if len(opened) >= _DEEPEST:
                return opened, match.start()
            case "{" | "[":
                opened += match[0]
            case "}" | "]":
                opened = opened[:-1]
                if not opened:
                    return "", match.end()
    return opened, None


def _claimed(inside: str, start: int, lines: _Lines) -> tuple[list[FoundObject], str]:
    """The objects of tools in the text of an object, and why it can't be read if it can't."""
    wanted = [(tool, form) for tool, form in forms() if form.sign in inside]
    if not wanted:
        return [], ""
    first = lines.at(start)
    try:
        value = parse(_without_front(inside, start, lines), first)
    except json.JSONDecodeError as problem:
        return [], f"is not valid JSON: line {first + problem.lineno - 1}: {problem.msg}"
    except (ValueError, RecursionError) as problem:
        return [], f"is no JSON: {problem}"
    found = [
        FoundObject(tool, form, each, _lines_of(each, each is value, start, start + len(inside) - 1, lines))
        for tool, form in wanted
        for each in find(value, form)
    ]
    return found, ""


def _lines_of(
    value: Mapping[str, Json], whole: bool, start: int, end: int, lines: _Lines
) -> tuple[tuple[int, str], ...]:
    """The lines of an object; of one inside of another, those that have its numbers."""
    everything = lines.between(start, end)
    numbers = [] if whole else sorted(number_lines(dict(value)))
    return tuple(one for one in everything if numbers[0] <= one[0] <= numbers[-1]) if numbers else everything


def _without_front(inside: str, start: int, lines: _Lines) -> str:
    """The text of an object without what stands in front of each of its lines: the signs of a quotation, a comment."""
    if "\n" not in inside:
        return inside
    (_, first), *_ = lines.between(start, start)
    front = first[: first.find("{")]
    if not front.strip() or _FRONT.fullmatch(front) is None:
        return inside
    return "\n".join(each.removeprefix(front).removeprefix(front.rstrip()) for each in inside.split("\n"))
