"""Names cut to a width: where they agree, never where they differ."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Iterable, Sequence

from wrkparse.plot.style.fonts import drawable

MAX_WIDTH = 30  # of a name, in columns of a terminal
_ELLIPSIS = "…"
_KEPT_BEFORE = 2  # characters before the first difference of two names that a cut leaves


def text_columns(text: str) -> int:
    """The columns of a terminal that a text takes; a Chinese or Japanese character takes two."""
    return sum(_columns(text))


def shorten(text: str, width: int = MAX_WIDTH) -> str:
    """A text of at most `width` columns, cut with an ellipsis."""
    text = _clean(text)
    if text_columns(text) <= width:
        return text
    return f"{_head(text, width - 1).rstrip()}{_ELLIPSIS}"


def shorten_distinct(texts: Sequence[str], width: int = MAX_WIDTH) -> list[str]:
    """The texts in at most `width` columns each; distinct texts stay distinct.

    If one is too long, the words with which all begin or end are left out first. What is still too long is cut in
    the middle, or at the end, or around the place where it differs from the texts that it would be confused with.
    """
    whole = [_clean(text) for text in texts]
    if max(map(text_columns, whole), default=0) <= width:
        return whole
    inner = _without_common_words(whole)
    for cut in (_in_middle, _at_end):
        found = [cut(text, width) for text in inner]
        if len(set(found)) == len(set(whole)):
            return found
    return _numbered(whole, _around_difference(inner, width), width)


def _columns(text: str) -> list[int]:
    return [0 if unicodedata.combining(one) else 1 + (unicodedata.east_asian_width(one) in "WF") for one in text]


def _clean(text: str) -> str:
    return " ".join(drawable(text).split())


def _head(text: str, width: int) -> str:
    """The longest beginning of a text in `width` columns."""
    ends = itertools.accumulate(_columns(text))
    return text[: sum(1 for end in ends if end <= width)]


def _tail(text: str, width: int) -> str:
    return _head(text[::-1], width)[::-1]


def _at_end(text: str, width: int) -> str:
    return shorten(text, width)


def _in_middle(text: str, width: int) -> str:
    if text_columns(text) <= width:
        return text
    half = width // 2
    return f"{_head(text, half).rstrip()}{_ELLIPSIS}{_tail(text, width - half - 1).lstrip()}"


def _without_common_words(texts: Sequence[str]) -> list[str]:
    """The texts without the words with which all begin or end; each keeps a word at least."""
    split = [text.split(" ") for text in texts]
    distinct = {tuple(words) for words in split}
    if len(distinct) == 1:
        return list(texts)
    shortest = min(map(len, distinct))
    before = min(_agreeing(distinct), shortest - 1)
    after = min(_agreeing({words[::-1] for words in distinct}), shortest - 1 - before)
    return [
        " ".join(
            [*([_ELLIPSIS] if before else []), *words[before : len(words) - after], *([_ELLIPSIS] if after else [])]
        )
        for words in split
    ]


def _agreeing(sequences: Iterable[Sequence[str]]) -> int:
    """How many items all sequences have in common at the beginning."""
    return sum(1 for _ in itertools.takewhile(lambda items: len(set(items)) == 1, zip(*sequences, strict=False)))


def _around_difference(texts: Sequence[str], width: int) -> list[str]:
    """Each text from shortly before the place where it differs from those with the same cut."""
    found = [_at_end(text, width) for text in texts]
    by_cut: dict[str, list[str]] = {}
    for text, cut in zip(texts, found, strict=True):
        by_cut.setdefault(cut, []).append(text)
    windows = {}
    for alike in by_cut.values():
        differs = _agreeing(set(alike)) if len(set(alike)) > 1 else 0
        for text in alike:
            start = max(min(differs - _KEPT_BEFORE, len(text) - width + 1), 0)
            windows[text] = shorten(_ELLIPSIS + text[start:] if start else text, width)
    return [windows[text] for text in texts]


def _numbered(whole: Sequence[str], cut: Sequence[str], width: int) -> list[str]:
    """The cut names; where distinct texts still have one name, it ends in a number."""
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
