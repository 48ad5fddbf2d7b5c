"""Where runs stand, as far as no label says it: words of folders, file names and headings in which they differ."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

# Words that number repeats, as in `run1` and `wrk-rep-2`, or say when one was made.
_REPEAT = re.compile(
    r"(?:attempt|iter|iteration|log|no|out|output|part|r|rep|repeat|repetition|result|results|round|run|sample|take|test|"
    r"trial|try)[0-9]*|first|second|third|fourth|fifth|last|morning|noon|evening|night|"
    r"(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)(?:day|nesday|sday|rsday|urday)?|[0-9]{6,8}T[0-9]*Z?",
    re.IGNORECASE,
)
# A day, as folders and files are named by it; what follows may be a time.
_DAY = re.compile(
    r"(?<![0-9])[0-9]{4}[-_.]?[01][0-9][-_.]?[0-3][0-9](?:[-_.T ]?[0-9]{2}[-_.:]?[0-9]{2}(?:[-_.:]?[0-9]{2})?)?Z?"
)
_SUFFIXES = re.compile(
    r"(?:\.(?:txt|log|out|err|md|markdown|json|jsonl|csv|html?|ipynb|gz|bz2|xz|zst|lz4))+$", re.IGNORECASE
)
_WORD = re.compile(r"[^\W_]+(?:\.[0-9]+)*")
_NUMBERED = re.compile(r"([A-Za-z]*)([0-9]+)([A-Za-z]*)")
# What letters beside a number mean: `c8`, `8c`, `t2`, `d10s`.
_KEYS = {
    "c": "connections", "conn": "connections", "conns": "connections", "connections": "connections",
    "t": "threads", "thr": "threads", "threads": "threads", "d": "duration_s", "s": "duration_s", "ds": "duration_s",
    "r": "rate", "rate": "rate", "core": "cores", "cores": "cores", "cpu": "cores", "cpus": "cores", "procs": "cores",
}  # fmt: skip


class Place(NamedTuple):
    """The path of a run's source, the headings above the run, and its labels."""

    source: str
    section: str | None
    labels: Mapping[str, str | None]


def place_names(places: Sequence[Place]) -> list[str | None]:
    """For each run the words of its place that not all runs share, that no label explains, and that number nothing.

    ``kiwi/c8-1.txt`` with the label ``connections=8`` is ``kiwi``: ``c8`` is that label, and a number at the end of a
    file's name or a heading counts repeats. Days count nothing either. None if no word is left.
    """
    words = [_words(place) for place in places]
    folded = [{word.casefold() for word in of_place} for of_place in words]
    common = set.intersection(*folded) if folded else set()
    found = []
    for place, of_place in zip(places, words, strict=True):
        known = common | _explained(place.labels)
        left = [
            word
            for word in dict.fromkeys(of_place)
            if word.casefold() not in known and not _REPEAT.fullmatch(word) and not _is_label(word, place.labels)
        ]
        found.append(" ".join(left) or None)
    return found


def _words(place: Place) -> list[str]:
    """The words of the folders, of the file's name and of the headings, without numbers at the end of the latter."""
    folder, _, name = place.source.rpartition("/")
    words = _WORD.findall(_DAY.sub(" ", folder))
    for text in (_SUFFIXES.sub("", name), *(place.section or "").split(" > ")):
        of_text = _WORD.findall(_DAY.sub(" ", text))
        words += of_text[:-1] if of_text and of_text[-1].isdigit() else of_text
    return words


def _explained(labels: Mapping[str, str | None]) -> set[str]:
    """The words of the labels' keys and values, in lower case; numbers only if they are a whole value."""
    return {
        word.casefold()
        for key, value in labels.items()
        if value is not None
        for word in (*key.split("_"), key, value, *(part for part in _WORD.findall(value) if not part[0].isdigit()))
    }


def _is_label(word: str, labels: Mapping[str, str | None]) -> bool:
    """Whether a word is a label with its value, as ``c8`` is ``connections=8``."""
    numbered = _NUMBERED.fullmatch(word)
    if not numbered:
        return False
    letters, number, unit = numbered.groups()
    keys = {_KEYS.get(name.casefold()) for name in (letters, unit, letters + unit) if name}
    return any(key is not None and labels.get(key) == (number.lstrip("0") or "0") for key in keys)
