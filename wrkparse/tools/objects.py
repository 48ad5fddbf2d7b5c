"""Reads results as JSON: objects that a tool writes, found by their keys anywhere in a text.

A tool lists in `ReportTool.objects` an `ObjectForm` for each kind of object that it writes. ``wrkparse.parse.objects``
finds them: on one line or many, several in a file, in lists, inside of other objects. Each becomes a run; its numbers
keep their lines.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from wrkparse.model.records import Metric
from wrkparse.model.units import NO_VALUE, Quantity, parse_count
from wrkparse.tools.report import Report

OBJECT_SEEN = "object"
"""The kind of line of a report from an object. Such a report is a run, and complete without the lines of the text."""

_NUMBER = re.compile(r"(-?[0-9]{1,400})(?:\.([0-9]{1,400}))?(?:[eE]([+-]?[0-9]{1,4}))?")
# A number, or a string, which may contain digits.
_LEAF = re.compile(r'"(?:[^"\\]++|\\.)*+"|(-?(?:[0-9][0-9.eE+-]*+|Infinity|NaN))', re.DOTALL)
# at most 18 digits: an int64 holds them
_COUNT = re.compile(r"[0-9]{1,18}")
_STATUS = re.compile(r"[0-9]{1,3}")
_DEEPEST = 20  # nested objects in which that of a tool is searched


class Number(NamedTuple):
    """A number as written, and its line in the source."""

    text: str
    line: int


Json = dict[str, "Json"] | list["Json"] | str | bool | Number | None


@dataclass(frozen=True, slots=True, eq=False)
class ObjectForm:
    """One kind of object that a tool writes.

    ``sign`` is text near its beginning that few other texts have, with its quotation marks. ``keys`` are the paths of
    the keys that it has in all versions; an object without one of them belongs to another tool. ``read`` adds its
    numbers. ``other_signs`` are near its beginning if versions write the text of ``sign`` at the end.
    """

    sign: str
    keys: tuple[tuple[str, ...], ...]
    read: Callable[[Report, Mapping[str, Json]], None]
    other_signs: tuple[str, ...] = ()

    def claims(self, value: Json) -> bool:
        """Whether a value is such an object."""
        return isinstance(value, dict) and all(has(value, *path) for path in self.keys)


def parse(text: str, line: int) -> Json:
    """Parse JSON that begins at this line. Raises ValueError for other text, RecursionError if it is too deep."""
    lines = _number_lines(text, line)

    def number(written: str) -> Number:
        return Number(written, next(lines))

    value: Json = json.loads(text, parse_float=number, parse_int=number, parse_constant=number)
    return value


def _number_lines(text: str, line: int) -> Iterator[int]:
    """The line of each number, in order."""
    at = 0
    # `json` does not tell where a number is; it calls the hooks in the order of the text, as this search goes
    for match in _LEAF.finditer(text):
        if match[1]:
            line += text.count("\n", at, match.start())
            at = match.start()
            yield line


def find(value: Json, form: ObjectForm, depth: int = 0) -> Iterator[Mapping[str, Json]]:
    """The outermost objects of a form in a value, including the value itself."""
    if isinstance(value, dict) and form.claims(value):
        yield value
    elif isinstance(value, dict | list) and depth < _DEEPEST:
        for inner in value.values() if isinstance(value, dict) else value:
            yield from find(inner, form, depth + 1)


def number_lines(value: Json) -> Iterator[int]:
    """The lines of all numbers in a value."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Number):
            yield item.line
        elif isinstance(item, dict | list):
            waiting += item.values() if isinstance(item, dict) else item


def at(value: Json | Mapping[str, Json], *path: str) -> Json:
    """The value at a path of keys; None if there is none, or null."""
    for key in path:
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value  # type: ignore[return-value]


def has(value: Json | Mapping[str, Json], *path: str) -> bool:
    """Whether there is a key at a path, even with null."""
    inner = at(value, *path[:-1])
    return isinstance(inner, Mapping) and path[-1] in inner


def items(value: Json) -> Iterator[tuple[str, Json]]:
    """The keys and values of an object; empty for other values."""
    return iter(value.items() if isinstance(value, dict) else ())


def json_quantity(text: str, power: int = 0, places: int | None = None) -> Quantity:
    """A number of JSON times a power of ten. Raises ValueError for other text.

    Most programs write as many digits as distinguish the value from any other: its resolution is that of a double. If
    it was rounded to some decimal ``places`` before, the resolution is half of the last of these.
    """
    match = _NUMBER.fullmatch(text)
    if match is None:
        if text.lstrip("-") in ("NaN", "Infinity"):
            return NO_VALUE
        raise ValueError(f"{text[:40]!r} is not a number")
    whole, fraction, exponent = match[1], match[2] or "", int(match[3] or 0)
    value = float(f"{whole}{fraction}e{exponent - len(fraction) + power}")
    if math.isinf(value):
        raise ValueError(f"{text[:40]!r} is larger than any number that can be stored")
    return Quantity(value, math.ulp(value) / 2 if places is None else float(f"5e{power - places - 1}"))


def put(report: Report, metric: Metric, stat: str, value: Json, power: int = 0, places: int | None = None) -> None:
    """Add a number, if it is there, as `json_quantity` reads it; null, which tools write for NaN, is missing."""
    if isinstance(value, Number):
        report.add_printed(metric, stat, lambda text: json_quantity(text, power, places), value.text, value.line)
    elif value is not None:
        report.warn(report.line, f"{metric.name} {stat}: {str(value)[:40]!r} is not a number")


def put_count(report: Report, metric: Metric, value: Json, stat: str = "total") -> None:
    """Add a count, if it is there."""
    if isinstance(value, Number):
        report.add_printed(metric, stat, parse_count, value.text, value.line)
    elif value is not None:
        report.warn(report.line, f"{metric.name}: {str(value)[:40]!r} is not a count")


def put_sum(report: Report, metric: Metric, *counts: Json) -> None:
    """Add the sum of some counts, with the line of the first, if all are there."""
    found = [int(count.text) for count in counts if isinstance(count, Number) and _COUNT.fullmatch(count.text)]
    if len(found) == len(counts) and isinstance(counts[0], Number):
        report.add(metric, "total", Quantity(float(sum(found)), 0.0), counts[0].line)


def counts_by_key(value: Json) -> Iterator[tuple[str, int, int]]:
    """The counts of an object by key, such as statuses, each with its line; other values are left out."""
    for key, count in items(value):
        if isinstance(count, Number) and _COUNT.fullmatch(count.text):
            yield key, int(count.text), count.line


def counts_by_status(value: Json) -> Iterator[tuple[int, int, int]]:
    """The same for an object whose keys are statuses; other keys are left out."""
    for key, count, line in counts_by_key(value):
        if _STATUS.fullmatch(key):
            yield int(key), count, line
