"""Gives headings that differ only in capitals one spelling: ``Cache On``, ``cache on``, ``CACHE ON``."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain

from wrkparse.context.slots.places import SlotText

_HEADING = "heading"
_UNITS = frozenset("kb mb gb tb kib mib gib bps kbps mbps gbps ms".split())  # "Mb" are bits, "MB" bytes
_SHORTEST = 2  # letters of a word that people spell in both ways; "a" and "A" may be two things


def unify_spellings(found: Sequence[dict[str, SlotText]]) -> None:
    """Give headings that differ only in the capitals of their words the spelling of most runs, else the first one.

    Headings stay as they are if there is no other one, because nothing else would tell the runs apart, or if each of
    them comes in the same spellings: these may be what was compared.
    """
    for key in sorted({key for labels in found for key in labels if key.partition("_")[0] == _HEADING}):
        times = Counter(labels[key].value for labels in found if key in labels)
        alike: dict[str, list[str]] = defaultdict(list)
        for heading in times:
            alike[heading.casefold()].append(heading)
        styles = {frozenset(map(_style, spellings)) for spellings in alike.values()}
        if len(alike) < 2 or len(alike) == len(times) or len(styles) == 1:
            continue
        chosen = {
            heading: max(spellings, key=lambda spelling: times[spelling])
            for spellings in alike.values()
            if _differ_in_plain_words(spellings)
            for heading in spellings
        }
        for labels in found:
            if key in labels:
                labels[key] = labels[key]._replace(value=chosen.get(labels[key].value, labels[key].value))


def _style(text: str) -> tuple[bool, bool, bool]:
    """How capitals are used in a text: none, all, or at its beginning."""
    return text.islower(), text.isupper(), text[:1].isupper()


def _differ_in_plain_words(spellings: Iterable[str]) -> bool:
    """Whether spellings of a heading differ in whole words, and not as identifiers (``getUser``) or units do."""
    words = zip(*map(str.split, spellings), strict=False)
    different = set(chain.from_iterable(set(of_place) for of_place in words if len(set(of_place)) > 1))
    return all(_is_plain(word.strip("():,.;!?[]\"'")) for word in different)


def _is_plain(word: str) -> bool:
    """Whether a word is one of a text, small, in capitals, or with one at its beginning."""
    is_word = word.isalpha() and len(word) >= _SHORTEST and word.casefold() not in _UNITS
    return is_word and word in (word.lower(), word.upper(), word.capitalize())
