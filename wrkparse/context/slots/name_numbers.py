"""Joins names with the numbers and flags beside them, if these belong to the name: ``Pool 50``, ``kiwi --no-cache``."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from wrkparse.context.slots.noun_counts import is_counted_noun
from wrkparse.context.slots.places import Names
from wrkparse.context.slots.repeats import are_repeat_numbers
from wrkparse.context.titles.decoration import without_last_brackets
from wrkparse.context.titles.known_names import is_known_name, is_prose
from wrkparse.context.titles.titles import Title, printed_flags

# "--pool 8"
_FLAG_AND_NUMBER = re.compile(r"(?<!\S)(--?[A-Za-z][\w-]{0,40})\s([0-9]\S{0,20})")
_CHANGE_NOUNS = frozenset("pr mr issue ticket bug".split())  # the number after them is part of the name


def with_number(name: str, numbers: Sequence[str], text: str) -> str:
    """A name with its number, as in the name of a folder: ``fix-nodelay-2``, ``0002-fix``."""
    if not numbers:
        return name
    own, number = re.escape(name), re.escape(numbers[0])
    both = re.search(rf"{own}[\s._-]{{0,3}}{number}(?![0-9])|(?<![0-9]){number}[\s._-]{{1,3}}{own}(?![^\W_])", text)
    return both[0] if both else _with_inner_number(name, numbers[0], text) or f"{name} {numbers[0]}"


def _with_inner_number(name: str, number: str, text: str) -> str:
    """A name with the number between two of its words: ``AES_128_GCM``; empty if there is none."""
    match = re.search(rf"[-_]{re.escape(number)}(?=[-_])", text)
    without = text[: match.start()] + text[match.end() :] if match else ""
    at = without.find(name) if match else -1
    if match is None or not 0 <= at < match.start() < at + len(name):
        return ""
    return text[at : at + len(name) + len(match[0])]


def are_inner_numbers(names: Names, numbers: Mapping[int, tuple[str, ...]], texts: Mapping[int, str]) -> bool:
    """Whether each name has one number, between two of its words."""
    return all(
        len(of_run) == 1 and _with_inner_number(names[at], of_run[0], texts[at]) for at, of_run in numbers.items()
    )


def numbered_variants(names: Names, titles: Mapping[int, Title], texts: Mapping[int, str], *, is_path: bool) -> Names:
    """Names with the numbers after them, if one word alone has numbers beside names without: ``Pool 50``.

    If all names have numbers, these are a factor of their own: ``kiwi / 2``. Only numbers of changes belong to names:
    ``pr-88``.
    """
    numbered = {at: names[at] for at, title in titles.items() if len(title.numbers) == 1 and names[at]}
    stems, others = set(numbered.values()), {name for at, name in names.items() if name and at not in numbered}
    different = {titles[at].numbers for at in numbered}
    if len(stems) != 1 or any(map(is_known_name, next(iter(stems)).split())):
        return {}
    may_be_change = next(iter(stems)).lower() in _CHANGE_NOUNS
    if may_be_change and (others - stems or len(different) > 1):
        return {at: f"{name}{'-' if is_path else ' '}{titles[at].numbers[0]}" for at, name in numbered.items()}
    if len(different) < 2 or not others - stems:
        return {}
    if not all(map(is_counted_noun, stems)) and (is_path or are_repeat_numbers(different)):
        return {}
    return {at: _as_written(name, titles[at].numbers[0], texts[at]) for at, name in numbered.items()}


def _as_written(name: str, number: str, text: str) -> str:
    """A name with its number as the text has both: ``kiwi (pool of 10)``; else with the number after it."""
    first, *others = name.split()
    match = re.search(rf"{re.escape(first)}\s.*(?<![0-9.,]){re.escape(number)}(?![0-9.,])\S?", text)
    is_whole = match is not None and all(word.strip("()[]") in match[0] for word in others)
    written = match[0].rstrip(",;:") if match and is_whole else ""
    is_name = written and not is_prose(without_last_brackets(written))
    return written if is_name else f"{name} {number}"


def flagged_variants(names: Names, titles: Mapping[int, Title], texts: Mapping[int, str]) -> Names:
    """Names with the flags after them, if one name has several: ``kiwi`` and ``kiwi --no-cache``.

    A number is joined to its flag, ``kiwi --pool=8``, or it would be a number beside the name.
    """
    flags = {
        at: frozenset(setting for setting in titles[at].settings if setting[0].startswith("flag_"))
        for at, name in names.items()
        if name
    }
    different: dict[str, set[frozenset[tuple[str, str]]]] = defaultdict(set)
    for at, own in flags.items():
        different[names[at].casefold()].add(own)
    flagged = (at for at, own in flags.items() if own and len(different[names[at].casefold()]) > 1)
    printed = ((at, printed_flags(_FLAG_AND_NUMBER.sub(r"\1=\2", texts[at]))) for at in flagged)
    return {at: f"{names[at]} {flags}" for at, flags in printed if flags}
