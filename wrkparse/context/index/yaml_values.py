"""Reads YAML as lists, mappings and texts with their lines. Values stay as written: ``1.10`` is not a number here.

It reads events, because their time grows only with the text, whatever the text contains. A composer of nodes copies
the targets of aliases, and calls itself for each level.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

from wrkparse.context.index.blocks import COSTS_ALL_LABELS, COSTS_LATER_LABELS, Mistake, row_text

_DEEPEST = 20  # levels; an index has three or four
_MOST_MERGED = 100_000  # keys that `<<: *name` copies in one file
_MOST_MISTAKES = 10  # mistakes that are reported of one file
_LONGEST_KEY = 60  # characters in a message
_TALLEST_TEXT = 20  # lines of a value that are kept as its text
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # PyYAML without libyaml has only the slow one


class LocatedMapping(dict[str, object]):
    """A mapping. ``place`` is its line and its text, ``places`` those of each key with its value."""

    def __init__(self) -> None:
        super().__init__()
        self.place = (0, "")
        self.places: dict[str, tuple[int, str]] = {}


class _RefusedError(Exception):
    """The text is deeper than any index, or copies too much."""


def yaml_documents(text: str) -> tuple[list[object], list[Mistake]]:
    """The documents of a text, up to the first part that is not YAML, and its mistakes."""
    found: list[object] = []
    reader = _Reader(text)
    line = 1
    try:
        found.extend(reader.documents())
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        line, why = (_line(mark) + 1 if mark else 1), f"not valid YAML: {problem.problem or problem.context}"
    except (yaml.YAMLError, ValueError) as problem:  # characters that YAML does not allow
        why = f"not valid YAML: {getattr(problem, 'reason', problem)}"
    except _RefusedError:
        why = "YAML too deep, or with too many aliases, for a list of logs"
    else:
        return found, [Mistake(*mistake, text) for mistake in reader.mistakes]
    return found, [Mistake(line, why, COSTS_LATER_LABELS if found else COSTS_ALL_LABELS, text)]


def repeated_key(key: str, first: int | None) -> tuple[str, str]:
    """The reason and the cost of a mistake if an object has a key twice; `first` is the line of the first one."""
    where = f", first in line {first}" if first else ""
    return f"the key {key[:_LONGEST_KEY]!r} appears twice in one object{where}", "uses the last one alone"


class _Reader:
    """Makes values of the events of a text."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._events: Iterator[Any] = yaml.parse(text, _LOADER)
        self._anchors: dict[str, object] = {}
        self._merged = 0
        self._last = 0  # the line, from 0, of the end of the last value
        self.mistakes: list[tuple[int, str, str]] = []  # mistakes in valid YAML: lines, reasons, costs

    def documents(self) -> Iterator[object]:
        """The value of each document."""
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                self._anchors.clear()
                yield self._value(next(self._events), 0)

    def _value(self, event: Any, depth: int) -> object:
        if depth > _DEEPEST:
            raise _RefusedError
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event)
        value: object = None
        if isinstance(event, yaml.ScalarEvent):
            self._last = _line(event.end_mark)
            value = None if event.value in _NULLS and not event.style else event.value
        elif isinstance(event, yaml.SequenceStartEvent):
            value = [self._value(item, depth + 1) for item in iter(self._next, None)]
        elif isinstance(event, yaml.MappingStartEvent):
            value = self._mapping(_line(event.start_mark), depth)
        if getattr(event, "anchor", None):
            self._anchors[event.anchor] = value
        return value

    def _alias(self, event: Any) -> object:
        """The value that an alias names; None, and a mistake, if no anchor before it has the name."""
        if event.anchor not in self._anchors:
            why = f"the alias *{event.anchor[:_LONGEST_KEY]} has no anchor in front of it"
            self._note(_line(event.start_mark), why, "gives no label for the alias")
        return self._anchors.get(event.anchor)

    def _note(self, line: int, why: str, cost: str) -> None:
        if len(self.mistakes) < _MOST_MISTAKES:
            self.mistakes.append((line + 1, why, cost))

    def _next(self) -> Any:
        """The next event; None at the end of the list or the mapping."""
        event = next(self._events)
        return None if isinstance(event, yaml.CollectionEndEvent) else event

    def _mapping(self, start: int, depth: int) -> LocatedMapping:
        found, merged = LocatedMapping(), LocatedMapping()
        for event in iter(self._next, None):
            line = _line(event.start_mark)
            key = self._value(event, depth + 1)
            value = self._value(next(self._events), depth + 1)
            if key == "<<":
                merged.update(self._copied(value))
            elif isinstance(key, str):
                if key in found:
                    self._note(line, *repeated_key(key, found.places[key][0]))
                found[key] = value
                found.places[key] = self._place(line)
        for key, value in merged.items():
            found.setdefault(key, value)
        found.place = self._place(start)
        return found

    def _copied(self, value: object) -> dict[str, object]:
        """The keys that a merge copies from one mapping or from several."""
        mappings = value if isinstance(value, list) else [value]
        found: dict[str, object] = {}
        for mapping in mappings:
            if isinstance(mapping, LocatedMapping):
                self._merged += len(mapping)
                if self._merged > _MOST_MERGED:
                    raise _RefusedError
                found = {**mapping, **found}
        return found

    def _place(self, start: int) -> tuple[int, str]:
        """The line, from 1, and the text from this line to the end of the last value."""
        end = min(max(self._last, start) + 1, start + _TALLEST_TEXT)
        return start + 1, row_text("\n".join(self._lines[start:end]))


def _line(mark: Any) -> int:
    """The line of a mark, from 0."""
    return int(mark.line)
