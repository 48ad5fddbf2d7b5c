"""Where runs stand, as far as no label says it: words of folders, file names and headings in which they differ."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

# Words that number repeats, as in `run1`, `wrk-rep-2`, `3.log`, `2026-11-22T10`. Digits alone may be a date.
_REPEAT = re.compile(
    r"(?:attempt|iter|iteration|log|no|out|output|part|r|rep|repeat|repetition|result|results|round|run|sample|take|test|"
    r"trial|try)?[0-9]*|[0-9]{6,8}T[0-9]*Z?",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"[A-Za-z]*?([0-9]+)[A-Za-z]*")


class Place(NamedTuple):
    """The path of a run's source, the headings above the run, and its labels."""

    source: str
    section: str | None
    labels: Mapping[str, str | None]


def place_names(places: Sequence[Place]) -> list[str | None]:
    """For each run the words of its place that not all runs share, that no label explains, and that number nothing.

    ``kiwi/c8-1.txt`` with the label ``connections=8`` is ``kiwi``: ``c8`` is the label's number, ``1`` counts repeats.
    None if no word is left.
    """
    words = [_words(place) for place in places]
    common = set(words[0]).intersection(*words[1:]) if words else set()
    found = []
    for place, of_place in zip(places, words, strict=True):
        explained = common | _explained(place.labels)
        left = [
            word
            for word in dict.fromkeys(of_place)
            if word.casefold() not in explained and not _counts(word, explained)
        ]
        found.append(" ".join(left) or None)
    return found


def _words(place: Place) -> list[str]:
    """The words of the folders, of the file's name without its suffix, and of the headings."""
    folder, _, name = place.source.rpartition("/")
    return _WORD.findall(f"{folder} {name.partition('.')[0] or name} {place.section or ''}")


def _explained(labels: Mapping[str, str | None]) -> set[str]:
    """The words of the labels' keys and values, in lower case."""
    return {
        word.casefold()
        for key, value in labels.items()
        if value is not None
        for word in (*key.split("_"), key, value, *_WORD.findall(value))
    }


def _counts(word: str, explained: set[str]) -> bool:
    """Whether a word numbers repeats, or is a number that a label has, as ``c8`` beside ``connections=8``."""
    if _REPEAT.fullmatch(word):
        return True
    number = _NUMBER.fullmatch(word)
    return number is not None and number[1].lstrip("0") in explained
