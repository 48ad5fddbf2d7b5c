"""Headings of a published table → labels of the runs beside it: a guess, from the values that the runs have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from wrkparse.analysis.publications.printed_numbers import bare
from wrkparse.analysis.publications.raw_runs import RawRun

_NAMES = {
    "connections": ("connections", "connection", "conns", "conn", "concurrency", "clients", "c"),
    "cores": ("cores", "core", "cpus", "cpu", "procs", "gomaxprocs", "p"),
    "threads": ("threads", "thread", "t"),
    "payload_bytes": ("bytes", "byte", "size", "payload", "b"),
    "rate": ("rate",),
}
_KEY_OF = {name: key for key, names in _NAMES.items() for name in names}
_SHORTEST_NAME = 2  # of a heading of its own: "c" is a unit, "64 c", not the name of a column
_WORD = re.compile(r"[^\W_]+")
_COUNTED = re.compile(r"([0-9]{1,12}) ?(k?) ?-?([a-z]{1,14})?", re.IGNORECASE)
# Who made a run, and what only spells other labels out.
NOT_LABELS = frozenset({"tool", "tool_version", "dialect", "study", "url", "command"})

Labels = dict[str, str]


def known_values(runs: Iterable[RawRun]) -> dict[str, set[str]]:
    """The values that each label has among the runs."""
    found: dict[str, set[str]] = {}
    for run in runs:
        for key, value in run.labels.items():
            if value is not None and key not in NOT_LABELS:
                found.setdefault(key, set()).add(value)
    return found


def labels_of(texts: Sequence[str], name: str, known: Mapping[str, set[str]]) -> list[Labels | None]:
    """The labels that each of the texts of one column, or of the header, stands for; None where it names none.

    In this order: numbers under a heading that names their label (``CONN``, ``data size``); numbers with their word
    (``12cores``, ``64bytes``, 1k of 1000 or 1024); values that the text begins a word with (``nginx``, ``/1k`` in
    "1k bytes"), the longest of each label; and bare numbers, if the runs have one label with all of these values.
    """
    cleaned = [bare(text) for text in texts]
    found = [_labels(text, _key_named(name), known) for text in cleaned]
    if not any(found) and all(text.isdecimal() for text in cleaned):
        keys = [key for key, values in known.items() if values.issuperset(cleaned)]
        if len(keys) == 1:
            return [{keys[0]: text} for text in cleaned]
    return [labels or None for labels in found]


def is_named(name: str) -> bool:
    """Whether a heading says which label its column holds, if only by a word of it."""
    return _key_named(name) is not None


def _key_named(name: str) -> str | None:
    words = [word for word in _WORD.findall(bare(name).lower()) if len(word) >= _SHORTEST_NAME]
    return next((_KEY_OF[word] for word in words if word in _KEY_OF), None)


def _labels(text: str, key: str | None, known: Mapping[str, set[str]]) -> Labels:
    found: Labels = {}
    for digits, kilo, word in _COUNTED.findall(text):
        its = _KEY_OF.get(word.lower(), key)
        value = _counted(digits, kilo, known.get(its, set())) if its else None
        if its and value:
            found.setdefault(its, value)
    return _named(text, known) | found


def _counted(digits: str, kilo: str, values: set[str]) -> str | None:
    sizes = (1000, 1024) if kilo else (1,)
    return next((text for size in sizes if (text := str(int(digits) * size)) in values), None)


def _named(text: str, known: Mapping[str, set[str]]) -> Labels:
    words = list(_WORD.finditer(text.lower()))
    run_together = "".join(word[0] for word in words)
    starts, place = set[int](), 0
    for word in words:
        starts.add(place)
        place += len(word[0])
    found: Labels = {}
    for key, values in known.items():
        fitting = [value for value in values if _begins(_squeezed(value), run_together, starts)]
        if fitting:
            found[key] = max(sorted(fitting), key=lambda value: len(_squeezed(value)))
    return found


def _squeezed(value: str) -> str:
    return "".join(_WORD.findall(value.lower()))


def _begins(value: str, text: str, starts: set[int]) -> bool:
    if not value or value.isdecimal():
        return False
    return value == text if len(value) == 1 else any(text.startswith(value, start) for start in starts)
