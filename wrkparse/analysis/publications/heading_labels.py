"""Labels of the runs behind a published table, guessed from its headings and the values that the runs have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from wrkparse.analysis.publications.printed_numbers import cell_text
from wrkparse.analysis.publications.raw_runs import RawRun

# Words that authors use for a label, by the label's key.
_WORDS_OF = {
    "connections": ("connections", "connection", "conns", "conn", "concurrency", "clients", "c"),
    "cores": ("cores", "core", "cpus", "cpu", "procs", "gomaxprocs", "p"),
    "threads": ("threads", "thread", "t"),
    "payload_bytes": ("bytes", "byte", "size", "payload", "b"),
    "rate": ("rate",),
}
_KEY_OF_WORD = {word: key for key, words in _WORDS_OF.items() for word in words}
_SHORTEST_HEADING_WORD = 2  # "c" is a unit, as in "64 c", but not the heading of a column
_WORD = re.compile(r"[^\W_]+")
_NUMBER_WITH_WORD = re.compile(r"([0-9]{1,12}) ?(k?) ?-?([a-z]{1,14})?", re.IGNORECASE)  # "12cores", "64 bytes", "1k"
# Keys that no heading stands for: they describe the origin of a run, or contain other labels.
NOT_LABELS = frozenset({"tool", "tool_version", "dialect", "study", "url", "command"})

Labels = dict[str, str]


def known_values(runs: Iterable[RawRun]) -> dict[str, set[str]]:
    """The values of each label among the runs, by key."""
    values: dict[str, set[str]] = {}
    for run in runs:
        for key, value in run.labels.items():
            if value is not None and key not in NOT_LABELS:
                values.setdefault(key, set()).add(value)
    return values


def guess_labels(texts: Sequence[str], heading: str, known: Mapping[str, set[str]]) -> list[Labels | None]:
    """The labels that each text of a column (under its `heading`), or of the header, stands for; None if for none.

    `known` has the possible values by key. These are tried in turn:

    1. numbers under a heading that names a label (``CONN``, ``data size``);
    2. numbers with a word that names a label (``12cores``, ``64bytes``; 1k is 1000 or 1024);
    3. values at the beginning of a word of the text (``nginx``, ``/1k`` in "1k bytes"), the longest of each label;
    4. bare numbers, if exactly one label has all of these values.
    """
    plain_texts = [cell_text(text) for text in texts]
    labels = [_labels_in(text, _key_in_heading(heading), known) for text in plain_texts]
    if not any(labels) and all(text.isdecimal() for text in plain_texts):
        keys = [key for key, values in known.items() if values.issuperset(plain_texts)]
        if len(keys) == 1:
            return [{keys[0]: text} for text in plain_texts]
    return [of_text or None for of_text in labels]


def names_a_label(heading: str) -> bool:
    """Whether a word of the heading says which label its column holds."""
    return _key_in_heading(heading) is not None


def _key_in_heading(heading: str) -> str | None:
    words = _WORD.findall(cell_text(heading).lower())
    long_words = [word for word in words if len(word) >= _SHORTEST_HEADING_WORD]
    return next((_KEY_OF_WORD[word] for word in long_words if word in _KEY_OF_WORD), None)


def _labels_in(text: str, heading_key: str | None, known: Mapping[str, set[str]]) -> Labels:
    labels: Labels = {}
    for digits, kilo, word in _NUMBER_WITH_WORD.findall(text):
        key = _KEY_OF_WORD.get(word.lower(), heading_key)
        value = _value_of_number(digits, kilo, known.get(key, set())) if key else None
        if key and value:
            labels.setdefault(key, value)
    return _values_in(text, known) | labels


def _value_of_number(digits: str, kilo: str, values: set[str]) -> str | None:
    factors = (1000, 1024) if kilo else (1,)
    return next((text for factor in factors if (text := str(int(digits) * factor)) in values), None)


def _values_in(text: str, known: Mapping[str, set[str]]) -> Labels:
    """The longest value of each label that begins at a word of the text; only letters and digits are compared."""
    words = list(_WORD.finditer(text.lower()))
    squeezed_text = "".join(word[0] for word in words)
    word_starts, position = set[int](), 0
    for word in words:
        word_starts.add(position)
        position += len(word[0])
    labels: Labels = {}
    for key, values in known.items():
        matching = [value for value in values if _begins_a_word(_squeezed(value), squeezed_text, word_starts)]
        if matching:
            labels[key] = max(sorted(matching), key=lambda value: len(_squeezed(value)))
    return labels


def _squeezed(value: str) -> str:
    return "".join(_WORD.findall(value.lower()))


def _begins_a_word(value: str, text: str, word_starts: set[int]) -> bool:
    # Numbers are found by their words and headings instead.
    if not value or value.isdecimal():
        return False
    # A single letter begins too many words.
    return value == text if len(value) == 1 else any(text.startswith(value, start) for start in word_starts)
