"""YAML as lists, mappings and texts that know their lines. Values stay as written: ``1.10`` is no number here.

It reads events, as the time for those grows with the text alone, whatever stands in it: a composer of nodes copies what
aliases name, and calls itself for each level.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import yaml

from wrkparse.context.index.blocks import row_text

_DEEPEST = 20  # levels; an index has three or four
_MOST_MERGED = 100_000  # keys that `<<: *name` copies in one file
_TALLEST_TEXT = 20  # lines of a value that are kept as its text
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # PyYAML without libyaml has the slow one only


class Located(dict[str, object]):
    """A mapping. ``place`` is its line and its text, ``places`` those of each key with its value."""

    def __init__(self) -> None:
        super().__init__()
        self.place = (0, "")
        self.places: dict[str, tuple[int, str]] = {}


class _RefusedError(Exception):
    """The text is deeper than any index, or copies too much."""


def yaml_documents(text: str) -> list[object]:
    """The documents of a text, up to its first mistake."""
    found: list[object] = []
    reader = _Reader(text)
    with contextlib.suppress(yaml.YAMLError, _RefusedError, ValueError):
        found.extend(reader.documents())
    return found


def yaml_mistake(text: str) -> tuple[int, str, bool] | None:
    """The line of the first mistake in a text, from 1, what it is, and whether documents stand in front of its own.

    None if the text is YAML to its end.
    """
    read = 0
    try:
        for _ in _Reader(text).documents():
            read += 1
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        return (_line(mark) + 1 if mark else 1), f"not valid YAML: {problem.problem or problem.context}", read > 0
    except (yaml.YAMLError, ValueError) as problem:  # of characters that YAML may not have
        return 1, f"not valid YAML: {getattr(problem, 'reason', problem)}", read > 0
    except _RefusedError:
        return 1, "YAML too deep, or with too many aliases, for a list of logs", read > 0
    return None


class _Reader:
    """Makes values of the events of one text."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._events: Iterator[Any] = yaml.parse(text, _LOADER)
        self._anchors: dict[str, object] = {}
        self._merged = 0
        self._last = 0  # the line, from 0, where the last value ends

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
            return self._anchors.get(event.anchor or "")
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

    def _next(self) -> Any:
        """The next event; None where the list or the mapping ends."""
        event = next(self._events)
        return None if isinstance(event, yaml.CollectionEndEvent) else event

    def _mapping(self, start: int, depth: int) -> Located:
        found, merged = Located(), Located()
        for event in iter(self._next, None):
            line = _line(event.start_mark)
            key = self._value(event, depth + 1)
            value = self._value(next(self._events), depth + 1)
            if key == "<<":
                merged.update(self._copied(value))
            elif isinstance(key, str):
                found[key] = value
                found.places[key] = self._place(line)
        for key, value in merged.items():
            found.setdefault(key, value)
        found.place = self._place(start)
        return found

    def _copied(self, value: object) -> dict[str, object]:
        """The keys that a merge copies, of one mapping or of several."""
        mappings = value if isinstance(value, list) else [value]
        found: dict[str, object] = {}
        for mapping in mappings:
            if isinstance(mapping, Located):
                self._merged += len(mapping)
                if self._merged > _MOST_MERGED:
                    raise _RefusedError
                found = {**mapping, **found}
        return found

    def _place(self, start: int) -> tuple[int, str]:
        """The line, from 1, and the text of what begins in this line and ends with the last value."""
        end = min(max(self._last, start) + 1, start + _TALLEST_TEXT)
        return start + 1, row_text("\n".join(self._lines[start:end]))


def _line(mark: Any) -> int:
    """The line of a place in the text, from 0; the events of a text have their places."""
    return int(mark.line)
