"""Complete reports, exactly as a tool prints them, found and read in one piece.

A tool lists in a `ReportLayout` the lines (`wrkparse.tools.lines.Form`) of which such a report is made. One pattern
finds the report, and the numbers of all such reports in a text are converted together: five times as fast as line by
line, with the same result. A report in which a single character is different is read line by line.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, repeat
from operator import itemgetter, mul, truediv
from typing import NamedTuple

import numpy as np

from wrkparse.model.records import Measurements
from wrkparse.model.units import Quantity
from wrkparse.tools.lines import Form, LineSpec, Slot, Steps
from wrkparse.tools.report import CompleteReport, Report

_MOST_LINES = 1000  # of a repeated part: wrk2 prints a calibration line for each thread, and spectra of some 100 rows
_TOGETHER = 128  # reports whose numbers are converted at once; their texts are to stay in the processor's cache
_FEW = 12  # reports; numpy takes longer to begin than it saves for fewer
_EXACT = float(1 << 53)  # whole numbers up to here are floats
_LARGEST = 10**18  # below it an int64 holds every number; numpy reads a larger one as the largest
TEXT = "[A-Za-z0-9.:/?=%~,+_-]"
"""Characters that have no other meaning in a page, a log or a URL."""

_CELL_GROUPS = re.compile(r"(?<!\\)\((?!\?)")


class Part(NamedTuple):
    """Lines that stand in a report together: once, ``optional``ly, or again and again in a group of this name."""

    forms: tuple[Form, ...]
    optional: bool = False
    repeated: str = ""

    @property
    def flexible(self) -> bool:
        """Whether reports differ in how many of these lines they have."""
        return self.optional or bool(self.repeated)

    @property
    def regex(self) -> str:
        """All its lines; in a group if the part is flexible."""
        text = "".join(form.regex for form in self.forms)
        if self.repeated:
            return f"(?P<{self.repeated}>(?:{_CELL_GROUPS.sub('(?:', text)}){{0,{_MOST_LINES}}})"
        return f"((?:{text})?)" if self.optional else text

    @property
    def height(self) -> int:
        """How many lines it has, once."""
        return self.regex.count(r"\n")


def once(*lines: LineSpec | Form) -> Part:
    """Lines that every complete report has."""
    return Part(_forms(lines))


def maybe(*lines: LineSpec | Form) -> Part:
    """Lines that may be missing together."""
    return Part(_forms(lines), optional=True)


def repeated(name: str, line: LineSpec | Form) -> Part:
    """A line that stands there any number of times; the pattern's group of this name holds all of them."""
    return Part(_forms([line]), repeated=name)


def _forms(lines: Iterable[LineSpec | Form]) -> tuple[Form, ...]:
    forms = [line.form if isinstance(line, LineSpec) else line for line in lines]
    assert all(form is not None for form in forms), "a line of a layout has no form"
    return tuple(form for form in forms if form is not None)


class _Source(NamedTuple):
    """Where some numbers stand: in groups of the layout's match, or in every line of one group, found by a pattern."""

    groups: Callable[[Sequence[str]], Sequence[str]]
    each: re.Pattern[str] | None = None

    def texts(self, groups: Sequence[str]) -> Iterable[str]:
        """The digits and suffix of each number, one after the other."""
        found = self.groups(groups)
        return found if self.each is None else chain.from_iterable(self.each.findall(found[0]))


@dataclass(frozen=True, slots=True, eq=False)
class _Shape:
    """What reports with the same lines have in common: the kinds of lines, and what each number is and where it stands.

    Places are counted in lines from the report's first one.
    """

    seen: frozenset[str]
    places: tuple[int, ...]  # of the lines that are not empty
    empty: int | None  # of the last empty line
    sources: tuple[_Source, ...]
    metrics: tuple[str, ...]
    stats: tuple[str, ...]
    units: tuple[str, ...]
    steps: tuple[Steps, ...]
    parsed: tuple[tuple[int, Callable[[str], Quantity]], ...]  # numbers that a function reads, by their index
    lines: tuple[int, ...]  # the place of each number
    height: int  # in lines
    printed: Callable[[Sequence[str]], Sequence[str]]  # the lines that are not empty, out of all

    def texts(self, groups: Sequence[str]) -> list[str]:
        """The digits and suffix of each number, one after the other."""
        found: list[str] = []
        for source in self.sources:
            found += source.texts(groups)
        return found


_Numbers = tuple[tuple[float | None, ...], tuple[float | None, ...]]  # values and resolutions


class PrintedReport(NamedTuple):
    """A complete report in a text, with its numbers in base units and their resolutions."""

    layout: ReportLayout
    match: re.Match[str]
    shape: _Shape
    values: tuple[float | None, ...]
    resolutions: tuple[float | None, ...]


class ReportLayout:
    """A complete report, read in one piece: the same as line by line.

    ``sign`` is text of its first line that few other lines have. ``first`` is the spec of that line. ``rank`` is the
    last line's. ``describe`` adds what the report says besides its numbers, and returns whether the report can be read
    in one piece; if not, it is left to the line specs. No line of another program may stand in such a report.
    """

    def __init__(
        self, sign: str, first: LineSpec, parts: Sequence[Part], describe: Callable[[Report, re.Match[str]], bool]
    ) -> None:
        self.sign, self.first = sign, first
        self.rank = parts[-1].forms[-1].rank
        self.pattern = re.compile("".join(part.regex for part in parts))
        self._parts, self._describe = tuple(parts), describe
        named = frozenset(self.pattern.groupindex.values())
        self._groups: list[tuple[int, tuple[int, ...]]] = []  # of each part: its own group, and those of its numbers
        at = 0
        for part in parts:
            inner = re.compile(part.regex).groups
            numbers = range(at + part.flexible, at + inner)
            self._groups.append((at, tuple(group for group in numbers if group + 1 not in named)))
            at += inner
        self._flexible = _pick([own for part, (own, _) in zip(parts, self._groups, strict=True) if part.flexible])
        self._shape = functools.lru_cache(maxsize=512)(self._make_shape)

    def find(self, text: str) -> Iterator[re.Match[str]]:
        """All such reports in a text, in order."""
        at = text.find(self.sign)
        while at >= 0:
            match = self.pattern.match(text, text.rfind("\n", 0, at) + 1)
            if match:
                yield match
            end = match.end() if match else text.find("\n", at)
            at = text.find(self.sign, end) if end >= 0 else -1

    def find_printed(self, text: str) -> Iterator[PrintedReport]:
        """All such reports in a text, in order, with their numbers."""
        matches = self.find(text)
        while some := list(islice(matches, _TOGETHER)):
            yield from self._with_numbers(some)

    def _with_numbers(self, matches: Sequence[re.Match[str]]) -> list[PrintedReport]:
        """Some reports with their numbers; those of reports with the same lines are converted at once."""
        shapes: list[_Shape] = []
        texts: list[list[str]] = []  # of the numbers
        for match in matches:
            groups = match.groups()
            counts = [part.count("\n") if part else 0 for part in self._flexible(groups)]
            shape = self._shape(tuple(counts))
            shapes.append(shape)
            texts.append(shape.texts(groups))
        if len(matches) < _FEW:
            numbers = list(map(_numbers, shapes, texts))
        else:
            numbers = [((), ())] * len(matches)
            for shape in set(shapes):
                alike = [at for at, other in enumerate(shapes) if other is shape]
                for at, of_one in zip(alike, _numbers_together(shape, [texts[at] for at in alike]), strict=True):
                    numbers[at] = of_one
        return [
            PrintedReport(self, match, shape, *of_one)
            for match, shape, of_one in zip(matches, shapes, numbers, strict=True)
        ]

    def read(self, report: Report, printed: PrintedReport) -> bool:
        """Read a report that has the number of its first line; False, with nothing read, if it can't."""
        _, match, shape, values, resolutions = printed
        line = report.line
        numbers = Measurements(
            shape.metrics, shape.stats, values, shape.units, resolutions, tuple(map(line.__add__, shape.lines))
        )
        lines = tuple(map(line.__add__, shape.places))
        empty = None if shape.empty is None else line + shape.empty
        report.complete = CompleteReport(lines, tuple(shape.printed(match[0].split("\n"))), empty, numbers, {})
        if not self._describe(report, match):
            return False
        report.line_end = lines[-1]
        report.seen |= shape.seen
        report.rank = self.rank
        return True

    def _make_shape(self, counts: tuple[int, ...]) -> _Shape:
        """The shape of a report whose flexible parts have these numbers of lines."""
        remaining = iter(counts)
        seen: set[str] = set()
        places: list[int] = []
        sources: list[_Source] = []
        together: list[int] = []  # groups of the next source
        slots: list[tuple[int, str, Slot]] = []
        at, empty = 0, None
        for part, (own, inner) in zip(self._parts, self._groups, strict=True):
            times = next(remaining) // part.height if part.flexible else 1
            if times and part.repeated and any(form.slots for form in part.forms):
                sources += [_Source(_pick(together)), _Source(_pick([own]), re.compile(part.forms[0].regex))]
                together = []
            elif times:
                together += inner
            for turn in range(1, times + 1):
                for form in part.forms:
                    slots += [(at, slot.stat.format(turn), slot) for slot in form.slots]
                    if form.kind:
                        seen.add(form.kind)
                        places.append(at)
                    else:
                        empty = at
                    at += 1
        sources.append(_Source(_pick(together)))
        cells = [slot.cell for _, _, slot in slots]
        return _Shape(
            frozenset(seen),
            tuple(places),
            empty,
            tuple(sources),
            tuple([slot.metric.name for _, _, slot in slots]),
            tuple([stat for _, stat, _ in slots]),
            tuple([slot.metric.unit for _, _, slot in slots]),
            tuple([cell.steps for cell in cells]),
            tuple([(index, cell.parse) for index, cell in enumerate(cells) if cell.always_parse]),
            tuple([line for line, _, _ in slots]),
            at,
            _pick(places),
        )


def _numbers(shape: _Shape, texts: list[str]) -> _Numbers:
    """The values of a report of this shape, given the digits and suffix of each number, and their resolutions."""
    digits = texts[::2]
    parsed = [(at, read(digits[at])) for at, read in shape.parsed]
    for at, _ in parsed:
        digits[at] = "0"
    times, over, resolutions = _scale(shape, tuple(texts[1::2]))
    values = tuple(map(truediv, map(mul, map(int, " ".join(digits).replace(".", "").split()), times), over))
    if not parsed:
        return values, resolutions
    read = dict(parsed)
    return tuple([read[at].value if at in read else value for at, value in enumerate(values)]), tuple(
        [read[at].resolution if at in read else resolution for at, resolution in enumerate(resolutions)]
    )


def _numbers_together(shape: _Shape, reports: list[list[str]]) -> Iterable[_Numbers]:
    """The same of many reports: at once, if floats round no number of them twice."""
    together = None if shape.parsed else _values_together(shape, reports)
    return map(_numbers, repeat(shape), reports) if together is None else together


def _values_together(shape: _Shape, reports: list[list[str]]) -> Iterable[_Numbers] | None:
    texts = " ".join([" ".join(report[::2]) for report in reports])
    digits = np.fromstring(texts.replace(".", ""), np.int64, sep=" ").reshape(len(reports), -1)
    suffixes: dict[tuple[str, ...], int] = {}  # the different ones, numbered
    which = [suffixes.setdefault(tuple(report[1::2]), len(suffixes)) for report in reports]
    scales = [_scale(shape, one) for one in suffixes]
    times, over = (np.array([scale[side] for scale in scales], np.float64)[which] for side in (0, 1))
    odd = np.array([[factor // (factor & -factor) for factor in scale[0]] for scale in scales], np.float64)[which]
    is_count = (times == 1) & (over == 1) & (digits < _LARGEST)
    if not ((digits * odd <= _EXACT) | is_count).all():
        return None
    values = map(tuple, (digits * times / over).tolist())
    return [(of_one, scales[at][2]) for of_one, at in zip(values, which, strict=True)]


@functools.lru_cache(maxsize=4096)
def _scale(shape: _Shape, suffixes: tuple[str, ...]) -> tuple[tuple[int, ...], tuple[int, ...], tuple[float, ...]]:
    """The factor of each number's digits, its divisor, and its resolution."""
    times, over, resolutions = zip(
        *(steps[suffix] for steps, suffix in zip(shape.steps, suffixes, strict=True)), strict=True
    )
    return times, over, resolutions


def _pick(places: Sequence[int]) -> Callable[[Sequence[str]], Sequence[str]]:
    """A function that takes the items at these places out of a sequence."""
    if len(places) > 1:
        return itemgetter(*places)
    return lambda items: [items[place] for place in places]
