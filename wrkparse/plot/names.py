"""Cuts names to a width, so that different names stay different."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Iterable, Sequence

from wrkparse.plot.style.fonts import drawable

MAX_WIDTH = 30  # of a name, in columns of a terminal
_ELLIPSIS = "…"
_BEFORE_DIFFERENCE = 2  # characters that are kept before the first difference of two names


def text_columns(text: str) -> int:
    """The columns of a terminal that a text takes. A Chinese or Japanese character takes two."""
    return len(text) if text.isascii() else sum(_character_widths(text))


def shorten(text: str, width: int = MAX_WIDTH) -> str:
    """A text of at most `width` columns, cut with an ellipsis."""
    text = _one_drawable_line(text)
    if text_columns(text) <= width:
        return text
    return f"{_beginning(text, width - 1).rstrip()}{_ELLIPSIS}"


def shorten_distinct(texts: Sequence[str], width: int = MAX_WIDTH) -> list[str]:
    """The texts in at most `width` columns each; distinct texts stay distinct.

    If a text is too long, words with which all texts begin or end are left out first. A text that is still too long is
    cut in the middle, or at the end, or around the first difference from texts with the same cut.
    """
    whole = [_one_drawable_line(text) for text in texts]
    if max(map(text_columns, whole), default=0) <= width:
        return whole
    inner = _without_common_words(whole)
    # `kiwi-long-server-name-one` and `-two` in 16 columns differ at their ends, which a cut in the middle keeps.
    for cut in (_cut_in_middle, _cut_at_end):
        found = [cut(text, width) for text in inner]
        if len(set(found)) == len(set(whole)):
            return found
    return _number_equal_names(whole, _cut_around_difference(inner, width), width)


def _character_widths(text: str) -> list[int]:
    if text.isascii():
        return [1] * len(text)
    return [0 if unicodedata.combining(one) else 1 + (unicodedata.east_asian_width(one) in "WF") for one in text]


def _one_drawable_line(text: str) -> str:
    return " ".join(drawable(text).split())


def _beginning(text: str, width: int) -> str:
    """The longest beginning of a text that fits in `width` columns."""
    ends = itertools.accumulate(_character_widths(text))
    return text[: sum(1 for end in ends if end <= width)]


def _ending(text: str, width: int) -> str:
    return _beginning(text[::-1], width)[::-1]


def _cut_at_end(text: str, width: int) -> str:
    return shorten(text, width)


def _cut_in_middle(text: str, width: int) -> str:
    if text_columns(text) <= width:
        return text
    half = width // 2
    return f"{_beginning(text, half).rstrip()}{_ELLIPSIS}{_ending(text, width - half - 1).lstrip()}"


def _without_common_words(texts: Sequence[str]) -> list[str]:
    """The texts without the words with which all begin or end. Each keeps at least one word."""
    split = [text.split(" ") for text in texts]
    distinct = {tuple(words) for words in split}
    if len(distinct) == 1:
        return list(texts)
    # `kiwi with cache 1` and `kiwi with cache 2` are `… 1` and `… 2`.
    shortest = min(map(len, distinct))
    before = min(_common_length(distinct), shortest - 1)
    # The words that all begin with are taken first; at least one word is left between both.
    after = min(_common_length({words[::-1] for words in distinct}), shortest - 1 - before)
    return [
        " ".join(
            [*([_ELLIPSIS] if before else []), *words[before : len(words) - after], *([_ELLIPSIS] if after else [])]
        )
        for words in split
    ]


def _common_length(sequences: Iterable[Sequence[str]]) -> int:
    """The number of items with which all sequences begin."""
    return sum(1 for _ in itertools.takewhile(lambda items: len(set(items)) == 1, zip(*sequences, strict=False)))


def _cut_around_difference(texts: Sequence[str], width: int) -> list[str]:
    """Each text from shortly before its first difference from the texts with the same cut."""
    found = [_cut_at_end(text, width) for text in texts]
    by_cut: dict[str, list[str]] = {}
    for text, cut in zip(texts, found, strict=True):
        by_cut.setdefault(cut, []).append(text)
    windows = {}
    for alike in by_cut.values():
        # `…e-one-alpha-an…` and `…e-two-alpha-an…`, of names that begin and end alike.
        differs = _common_length(set(alike)) if len(set(alike)) > 1 else 0
        for text in alike:
            start = max(min(differs - _BEFORE_DIFFERENCE, len(text) - width + 1), 0)
            windows[text] = shorten(_ELLIPSIS + text[start:] if start else text, width)
    return [windows[text] for text in texts]


def _number_equal_names(whole: Sequence[str], cut: Sequence[str], width: int) -> list[str]:
    """The cut names, with a number at the end if distinct texts have the same one."""
    taken: dict[str, str] = {}
    for text, name in zip(whole, cut, strict=True):
        if text in taken:
            continue
        chosen, number = name, 1
        while chosen in taken.values():
            number += 1
            mark = f" ({number})"
            chosen = shorten(name, width - len(mark)) + mark
        taken[text] = chosen
    return [taken[text] for text in whole]
