"""Finds and reads complete reports in one piece, if they are exactly as a tool prints them.

A tool lists in a `ReportLayout` the lines (`wrkparse.tools.lines.Form`) of such a report. One pattern finds the report,
and its numbers are converted together: five times as fast as line by line, with the same result. If a single character
differs, the report is read line by line.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from operator import itemgetter
from typing import NamedTuple

from wrkparse.model.records import NumberKinds, new_measurements
from wrkparse.model.units import Quantity
from wrkparse.tools.columnar import compiled
from wrkparse.tools.lines import Form, LineSpec, Slot, Steps
from wrkparse.tools.report import Report, new_complete_report

# Lines of a repeated part: wrk2 prints a calibration line for each thread, and spectra of some 100 rows.
_MOST_LINES = 1000
# Reports that are found before they are read, so that code and texts stay in the caches of the processor.
_FOUND_TOGETHER = 64
TEXT = "[A-Za-z0-9.:/?=%~,+_-]"
"""Characters that have no other meaning in a page, a log or a URL."""

# "(" of a group that captures, not "(?:" and not the sign "\("
_CELL_GROUPS = re.compile(r"(?<!\\)\((?!\?)")


class Part(NamedTuple):
    """Lines that a report has together: once, ``optional``ly, or repeatedly, in a group of this name."""

    forms: tuple[Form, ...]
    optional: bool = False
    repeated: str = ""

    @property
    def flexible(self) -> bool:
        """Whether the number of these lines differs between reports."""
        return self.optional or bool(self.repeated)

    @property
    def regex(self) -> str:
        """The pattern of all its lines; in a group if the part is flexible."""
        text = "".join(form.regex for form in self.forms)
        if self.repeated:
            return f"(?P<{self.repeated}>(?:{_CELL_GROUPS.sub('(?:', text)}){{0,{_MOST_LINES}}})"
        return f"((?:{text})?)" if self.optional else text

    @property
    def height(self) -> int:
        """The number of its lines if each appears once."""
        return self.regex.count(r"\n")


def once(*lines: LineSpec | Form) -> Part:
    """Lines that every complete report has."""
    return Part(_forms(lines))


def maybe(*lines: LineSpec | Form) -> Part:
    """Lines that may be missing together."""
    return Part(_forms(lines), optional=True)


def repeated(name: str, line: LineSpec | Form) -> Part:
    """A line that appears any number of times; the group of this name contains all of them."""
    return Part(_forms([line]), repeated=name)


def _forms(lines: Iterable[LineSpec | Form]) -> tuple[Form, ...]:
    """The forms of lines."""
    forms = [line.form if isinstance(line, LineSpec) else line for line in lines]
    assert all(form is not None for form in forms), "a line of a layout has no form"
    return tuple(form for form in forms if form is not None)


_Pick = Callable[[Sequence[str]], tuple[str, ...]]
"""Takes some texts out of the groups of a match, or some lines out of all."""


@dataclass(frozen=True, slots=True, eq=False)
class _Shape:
    """The common properties of reports with the same lines: kinds of lines, kinds and positions of numbers.

    ``places`` are counted in lines from the first line of the report.
    """

    seen: frozenset[str]
    places: tuple[int, ...]  # of the lines that are not empty
    empty: int | None  # of the last empty line
    texts: _Pick  # the digits and suffix of each number, one after the other, out of the groups of the match
    kinds: NumberKinds
    steps: tuple[Steps, ...]
    parsed: tuple[tuple[int, Callable[[str], Quantity]], ...]  # numbers that a function reads, by their index
    height: int  # in lines
    printed: _Pick  # the lines that are not empty, out of all


_Numbers = tuple[tuple[float | None, ...], tuple[float | None, ...]]  # values and resolutions


class PrintedReport(NamedTuple):
    """A complete report in a text, with its numbers in base units and their resolutions."""

    layout: ReportLayout
    match: re.Match[str]
    shape: _Shape
    values: tuple[float | None, ...]
    resolutions: tuple[float | None, ...]


# It takes half the time of PrintedReport(…).
_new_printed: Callable[[tuple[object, ...]], PrintedReport] = functools.partial(tuple.__new__, PrintedReport)


class ReportLayout:
    """A complete report that is read in one piece, with the same result as line by line.

    ``sign`` is text of its first line that few other lines have. ``first`` is the spec of that line, ``rank`` the rank
    of the last line, ``forms`` the forms of all lines. ``describe`` adds everything that the report contains besides
    its numbers, and returns whether the report can be read in one piece; if not, the line specs read it. Lines of other
    programs must not be inside such a report.
    """

    def __init__(
        self, sign: str, first: LineSpec, parts: Sequence[Part], describe: Callable[[Report, re.Match[str]], bool]
    ) -> None:
        self.sign, self.first = sign, first
        self.rank = parts[-1].forms[-1].rank
        self._parts, self._describe = tuple(parts), describe
        self.forms = tuple(form for part in parts for form in part.forms)
        self._shape = functools.lru_cache(maxsize=512)(self._make_shape)

    # The patterns are compiled when a text has the sign: those of all tools take longer than to read a small log.

    @functools.cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern of a complete report."""
        return re.compile("".join(part.regex for part in self._parts))

    @functools.cached_property
    def _groups(self) -> list[tuple[int, tuple[int, ...]]]:
        """For each part: its own group, and those of its numbers."""
        named = frozenset(self.pattern.groupindex.values())
        groups: list[tuple[int, tuple[int, ...]]] = []
        at = 0
        for part in self._parts:
            inner = re.compile(part.regex).groups
            numbers = range(at + part.flexible, at + inner)
            groups.append((at, tuple(group for group in numbers if group + 1 not in named)))
            at += inner
        return groups

    @functools.cached_property
    def _flexible(self) -> _Pick:
        """A function that takes the flexible parts out of the groups of a match."""
        parts = zip(self._parts, self._groups, strict=True)
        return _picker([own for part, (own, _) in parts if part.flexible])

    def find(self, text: str) -> Iterator[re.Match[str]]:
        """All such reports in a text, in order."""
        at = text.find(self.sign)
        while at >= 0:
            # a report begins at the beginning of the line with its sign, so only the sign is searched for
            match = self.pattern.match(text, text.rfind("\n", 0, at) + 1)
            if match:
                yield match
            end = match.end() if match else text.find("\n", at)
            at = text.find(self.sign, end) if end >= 0 else -1

    def find_printed(self, text: str) -> Iterator[PrintedReport]:
        """All such reports in a text, in order, with their numbers."""
        matches = self.find(text)
        while some := list(islice(matches, _FOUND_TOGETHER)):
            yield from list(map(self._printed, some))

    def _printed(self, match: re.Match[str]) -> PrintedReport:
        groups = match.groups()
        shape = self._shape(tuple([part.count("\n") if part else 0 for part in self._flexible(groups)]))
        return _new_printed((self, match, shape, *_numbers(shape, shape.texts(groups))))

    def read(self, report: Report, printed: PrintedReport) -> bool:
        """Read a report that has the number of its first line; False, with nothing read, if that is not possible."""
        _, match, shape, values, resolutions = printed
        numbers = new_measurements((shape.kinds, values, resolutions, report.line))
        texts = shape.printed(match[0].split("\n"))
        report.complete = new_complete_report((shape.places, texts, shape.empty, numbers, {}))
        if not self._describe(report, match):
            return False
        report.line_end = report.line + shape.places[-1]
        report.seen |= shape.seen
        report.rank = self.rank
        return True

    def _make_shape(self, counts: tuple[int, ...]) -> _Shape:
        """The shape of a report whose flexible parts have these numbers of lines."""
        remaining = iter(counts)
        seen: set[str] = set()
        places: list[int] = []
        numbers: list[_Pick] = []  # each takes the numbers of some lines
        next_groups: list[int] = []
        slots: list[tuple[int, str, Slot]] = []
        at, empty = 0, None
        for part, (own, inner) in zip(self._parts, self._groups, strict=True):
            # the lines of a part are printed together or not at all
            times = next(remaining) // part.height if part.flexible else 1
            if times and part.repeated and any(form.slots for form in part.forms):
                numbers += [_picker(next_groups), _picker_of_lines(own, part.forms[0].regex)]
                next_groups = []
            elif times:
                next_groups += inner
            for turn in range(1, times + 1):
                for form in part.forms:
                    slots += [(at, slot.stat.format(turn), slot) for slot in form.slots]
                    if form.kind:
                        seen.add(form.kind)
                        places.append(at)
                    else:
                        empty = at
                    at += 1
        numbers.append(_picker(next_groups))
        cells = [slot.cell for _, _, slot in slots]
        steps = tuple([cell.steps for cell in cells])
        kinds = tuple([(slot.metric.name, stat, slot.metric.unit, line) for line, stat, slot in slots])
        return _Shape(
            frozenset(seen),
            tuple(places),
            empty,
            numbers[0] if len(numbers) == 1 else _joined(numbers),
            NumberKinds(*zip(*kinds, strict=True)),
            steps,
            tuple([(index, cell.parse) for index, cell in enumerate(cells) if cell.always_parse]),
            at,
            _picker(places),
        )


def _numbers(shape: _Shape, texts: tuple[str, ...]) -> _Numbers:
    """The values and resolutions of a report, given the digits and suffix of each number."""
    if shape.parsed:
        return _numbers_with_functions(shape, list(texts))
    found = compiled.numbers(texts, shape.steps) if compiled.COMPILED else None
    return found or _exact_numbers(shape, texts)


def _numbers_with_functions(shape: _Shape, texts: list[str]) -> _Numbers:
    """The same for a report with numbers that a function reads."""
    parsed = [(at, read(texts[2 * at])) for at, read in shape.parsed]
    for at, _ in parsed:
        # a placeholder, so that the others can be converted together
        texts[2 * at] = "0"
    values, resolutions = map(list, _exact_numbers(shape, texts))
    for at, read in parsed:
        values[at], resolutions[at] = read
    return tuple(values), tuple(resolutions)


def _exact_numbers(shape: _Shape, texts: Sequence[str]) -> _Numbers:
    """The same with whole numbers, which Python divides with one rounding."""
    steps = [steps[suffix] for steps, suffix in zip(shape.steps, texts[1::2], strict=True)]
    digits = map(int, " ".join(texts[::2]).replace(".", "").split())
    values = [number * times / over for number, (times, over, _) in zip(digits, steps, strict=True)]
    return tuple(values), tuple([resolution for _, _, resolution in steps])


def _picker(places: Sequence[int]) -> _Pick:
    """A function that takes the items at these indexes out of a sequence."""
    if len(places) > 1:
        return itemgetter(*places)
    return lambda items: tuple([items[place] for place in places])


def _picker_of_lines(place: int, regex: str) -> _Pick:
    """A function that takes the groups of each line out of the lines at this index."""
    line = re.compile(regex)
    return lambda items: tuple(chain.from_iterable(line.findall(items[place])))


def _joined(picks: Sequence[_Pick]) -> _Pick:
    """A function that takes what several do, one after the other."""
    return lambda items: tuple(chain.from_iterable([pick(items) for pick in picks]))
