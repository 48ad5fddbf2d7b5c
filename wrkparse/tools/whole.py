"""Complete reports of the forms that most have, read at once: each found by one pattern, its numbers read by tables.

A tool says of which lines such a report is made, in `Part`\\ s. That takes a sixth of the time that its rules take line
by line, and gives the same. A report of which a character is otherwise is left to the rules.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter, mul, truediv
from typing import NamedTuple

from wrkparse.model.records import Metric, Numbers
from wrkparse.model.units import PLAIN, Quantity, Scale, parse
from wrkparse.tools.base import AtOnce, Report

# suffix → (a, b, half the last digit): the number is its digits · a / b, which Python rounds once
_Steps = dict[str, tuple[int, int, float]]
_MOST_LINES = 1000  # of a part that repeats itself
TEXT = "[A-Za-z0-9.:/?=%~,+_-]"  # characters that mean nothing else in a page, a log or a URL


class Cell(NamedTuple):
    """One kind of printed number: its digits and its suffix as two groups, and what they stand for, or who reads it."""

    pattern: str
    steps: _Steps
    read: Callable[[str], Quantity] | None = None


def decimals(places: int, scale: Scale = PLAIN, most: int = 12) -> Cell:
    """A number of so many decimal places and digits before them, with a suffix of the scale."""
    zero = f"0.{'0' * places}" if places else "0"
    steps: _Steps = {}
    for suffix, (power, factor) in scale.items():
        resolution = parse(f"{zero}{suffix}", scale).resolution
        assert resolution is not None
        steps[suffix] = factor * 10 ** max(0, power - places), 10 ** max(0, places - power), resolution
    fraction = rf"\.[0-9]{{{places}}}" if places else ""
    return Cell(rf"([0-9]{{1,{most}}}{fraction})({'|'.join(sorted(scale, reverse=True))})", steps)


COUNT = Cell("([0-9]{1,18})()", {"": (1, 1, 0.0)})


def read_by(read: Callable[[str], Quantity], pattern: str) -> Cell:
    """A number that is more than its digits, as minutes and seconds are."""
    return Cell(f"({pattern})()", COUNT.steps, read)


class Line(NamedTuple):
    """One line: its kind as the rules name it, its pattern with ``{}`` for each cell, and those cells' meaning.

    Groups of the pattern that are no cells have names. In a part that repeats itself, ``{}`` in a cell's statistic is
    the number of the line. An empty line has no kind.
    """

    kind: str
    pattern: str
    cells: tuple[tuple[Metric, str, Cell], ...] = ()

    @property
    def regex(self) -> str:
        """The line with its end."""
        first, *rest = self.pattern.split("{}")
        cells = (cell.pattern for _, _, cell in self.cells)
        return first + "".join(f"{cell}{after}" for cell, after in zip(cells, rest, strict=True)) + r"\n"


EMPTY = Line("", "")


class Part(NamedTuple):
    """Lines that stand in a report together, if ``optional`` or not at all, or ``again`` and again under that name."""

    lines: tuple[Line, ...]
    optional: bool = False
    again: str = ""

    @property
    def flexible(self) -> bool:
        """Whether only the report tells how many lines it has."""
        return self.optional or bool(self.again)

    @property
    def regex(self) -> str:
        """All its lines; in a group of its own where it is flexible."""
        text = "".join(line.regex for line in self.lines)
        if self.again:
            return f"(?P<{self.again}>(?:{_CELLS.sub('(?:', text)}){{0,{_MOST_LINES}}})"
        return f"((?:{text})?)" if self.optional else text

    @property
    def height(self) -> int:
        """How many lines it has, once."""
        return self.regex.count(r"\n")


_CELLS = re.compile(r"(?<!\\)\((?!\?)")


def maybe(*lines: Line) -> Part:
    """Lines that may be left out together."""
    return Part(lines, optional=True)


class _Piece(NamedTuple):
    """Where some numbers are: in groups of the whole pattern, or in each line of a group, found by another one."""

    groups: Callable[[Sequence[str]], Sequence[str]]
    each: re.Pattern[str] | None = None

    def of(self, groups: Sequence[str]) -> Iterable[str]:
        found = self.groups(groups)
        return found if self.each is None else chain.from_iterable(self.each.findall(found[0]))


@dataclass(frozen=True, slots=True, eq=False)
class _Form:
    """What reports with the same lines have in common: kinds of lines, and of each number where it stands and means."""

    seen: frozenset[str]
    places: tuple[int, ...]  # of the lines that are not empty, from the first one
    empty: int | None  # of the last line that is
    pieces: tuple[_Piece, ...]
    metrics: tuple[str, ...]
    stats: tuple[str, ...]
    units: tuple[str, ...]
    steps: tuple[_Steps, ...]
    otherwise: tuple[tuple[int, Callable[[str], Quantity]], ...]  # which numbers are read by whom
    lines: tuple[int, ...]


class Whole:
    """A complete report that is read at once: the same as its rules make of its lines.

    ``sign`` stands in its first line, and in few others. ``first`` is the kind of the first line's rule, ``rank`` the
    last line's. ``said`` keeps what else it says than its numbers, and returns whether it can be read at once; a
    report that can't be is left as it was. Nothing of it goes on in a line that none of the tool's rules takes.
    """

    def __init__(
        self, sign: str, first: str, rank: int, parts: Sequence[Part], said: Callable[[Report, re.Match[str]], bool]
    ) -> None:
        self.first, self.rank = first, rank
        self.pattern = re.compile("".join(part.regex for part in parts))
        self.sign, self._parts, self._said = sign, tuple(parts), said
        named = frozenset(self.pattern.groupindex.values())
        self._groups: list[tuple[int, tuple[int, ...]]] = []  # of each part: its own one, and those of its cells
        at = 0
        for part in parts:
            inner = re.compile(part.regex).groups
            numbers = range(at + part.flexible, at + inner)
            self._groups.append((at, tuple(place for place in numbers if place + 1 not in named)))
            at += inner
        flexible = [own for part, (own, _) in zip(parts, self._groups, strict=True) if part.flexible]
        self._flexible = _several(flexible)
        self._form = functools.lru_cache(maxsize=512)(self._make)

    def find(self, text: str) -> Iterator[re.Match[str]]:
        """All such reports in a text, none of which begins in another."""
        at = text.find(self.sign)
        while at >= 0:
            match = self.pattern.match(text, text.rfind("\n", 0, at) + 1)
            if match:
                yield match
            end = match.end() if match else text.find("\n", at)
            at = text.find(self.sign, end) if end >= 0 else -1

    def read(self, report: Report, match: re.Match[str]) -> bool:
        """Keep what the lines say, given a report that knows its first line; False, and nothing kept, if it can't."""
        groups = match.groups()
        form = self._form(tuple([group.count("\n") for group in self._flexible(groups)]))
        values, resolutions = _numbers(form, groups)
        line = report.line
        numbers = Numbers(
            form.metrics, form.stats, values, form.units, resolutions, tuple([line + place for place in form.lines])
        )
        places = tuple([line + place for place in form.places])
        empty = None if form.empty is None else line + form.empty
        report.at_once = AtOnce(places, tuple(filter(None, match[0].split("\n"))), empty, numbers, {})
        if not self._said(report, match):
            return False
        report.line_end = places[-1]
        report.seen |= form.seen
        report.rank = self.rank
        return True

    def _make(self, counts: tuple[int, ...]) -> _Form:
        """The form of a report whose flexible parts have so many lines."""
        has = iter(counts)
        seen: set[str] = set()
        places: list[int] = []
        pieces: list[_Piece] = []
        together: list[int] = []  # groups of one piece
        cells: list[tuple[int, Metric, str, Cell]] = []
        at, empty = 0, None
        for part, (own, inner) in zip(self._parts, self._groups, strict=True):
            times = next(has) // part.height if part.flexible else 1
            if times and part.again and any(line.cells for line in part.lines):
                pieces += [_Piece(_several(together)), _Piece(_several([own]), re.compile(part.lines[0].regex))]
                together = []
            elif times:
                together += inner
            for turn in range(1, times + 1):
                for line in part.lines:
                    cells += [(at, metric, stat.format(turn), cell) for metric, stat, cell in line.cells]
                    if line.kind:
                        seen.add(line.kind)
                        places.append(at)
                    else:
                        empty = at
                    at += 1
        pieces.append(_Piece(_several(together)))
        lines, metrics, stats, kinds = zip(*cells, strict=True)
        return _Form(
            frozenset(seen), tuple(places), empty, tuple(pieces),
            tuple([metric.name for metric in metrics]), stats, tuple([metric.unit for metric in metrics]),
            tuple([cell.steps for cell in kinds]),
            tuple([(index, cell.read) for index, cell in enumerate(kinds) if cell.read]), lines,
        )  # fmt: skip


def _numbers(form: _Form, groups: Sequence[str]) -> tuple[tuple[float | None, ...], tuple[float | None, ...]]:
    """The values of a report of this form, and their resolutions."""
    found: list[str] = []
    for piece in form.pieces:
        found += piece.of(groups)
    texts = found[::2]
    otherwise = [(at, read(texts[at])) for at, read in form.otherwise] if form.otherwise else ()
    for at, _ in otherwise:
        texts[at] = "0"
    digits = map(int, " ".join(texts).replace(".", "").split())
    times, over, resolutions = _scaled(form, tuple(found[1::2]))
    values = tuple(map(truediv, map(mul, digits, times), over))
    if not otherwise:
        return values, resolutions
    read = dict(otherwise)
    return tuple([read[at].value if at in read else value for at, value in enumerate(values)]), tuple(
        [read[at].resolution if at in read else resolution for at, resolution in enumerate(resolutions)]
    )


@functools.lru_cache(maxsize=4096)
def _scaled(form: _Form, suffixes: tuple[str, ...]) -> tuple[tuple[int, ...], tuple[int, ...], tuple[float, ...]]:
    """What the digits of each number are times, and over, and its resolution."""
    times, over, resolutions = zip(*(steps[end] for steps, end in zip(form.steps, suffixes, strict=True)), strict=True)
    return times, over, resolutions


def _several(places: Sequence[int]) -> Callable[[Sequence[str]], Sequence[str]]:
    """What takes the items at these places out of a sequence."""
    if len(places) > 1:
        return itemgetter(*places)
    return lambda items: [items[place] for place in places]
