"""Splits names that combine two things: each half of ``kiwi-json``, ``kiwi-plain`` and ``emu-json`` is a slot."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from wrkparse.context.slots.places import READ_AS_PATHS, Names, PlaceSlot

# Words before a thing that is there or not: "with cache", "without cache".
PRESENCE_WORDS = frozenset("with without no w/ w/o mit ohne avec sans con sin com sem senza с без".split())
# A dot between digits is part of a number: "kiwi.json" has two parts, "1.21" one.
_PART_SEPARATORS = re.compile(r"(?:[\s_/+-]|(?<![0-9])\.|\.(?![0-9]))+")
_UNDERSCORES = re.compile(r"_+")
_LEAST_NAMES = 3  # names that combine two things; fewer give no evidence
_LEAST_PARTS = 3  # parts of a list; two may be any words
_BRACKETED = re.compile(
    r"(?P<first>[^()（）]{1,60}[^()（）\s])\s?[(（](?P<second>[^()（）]{1,60})[)）]"
)  # "kiwi (json)"
_DASH = re.compile(r"\s[–—|:-]\s|:\s")  # between the two things in a name: "Kiwi — Hello World"


def split_combined_names(slot: PlaceSlot, names: Names) -> list[tuple[PlaceSlot, Names]]:
    """Split the names of a slot into two slots if they combine first and second halves: ``kiwi-json``, ``emu-plain`` ….

    Names that are lists, ``lab-a, kiwi, 1.21``, get a slot for each part.

    Names are combined if there are more names than first halves and than second halves, and at least half of all
    combinations are names. The second half is the text after a dash or a colon; else the end that several names share
    (``kiwi``, ``kiwi-tls``, ``emu``, ``emu-tls``), the last word, or all words except the first. If all names have a
    ``_``, their words may contain other signs: ``rust-kiwi_hello_world``.
    """
    different = set(names.values())
    if slot.kind in READ_AS_PATHS and (columns := _split_lists(different)):
        return [
            (slot._replace(part=at + 1), {run: columns[name][at] for run, name in names.items()})
            for at in range(len(columns[names[min(names)]]))
        ]
    if parted := _split_at_brackets(different) or _split_at_dashes(different):
        return _two_slots(slot, parted, names)
    words = {name: _PART_SEPARATORS.split(name) for name in different}
    if firsts := _stems_without_suffixes(words):
        return _two_slots(slot, _halves(firsts), names)
    if slot.kind not in READ_AS_PATHS and len({name.rpartition(" ")[2] for name in different}) == 1 < len(different):
        # "Kiwi App", "Kiwi-Emu App": the last word is no half
        shorter = split_combined_names(slot, {at: name.rpartition(" ")[0] or name for at, name in names.items()})
        return shorter if len(shorter) > 1 else [(slot, names)]
    for words in _split_at_signs(different):
        for cut in (-1, 1):
            firsts = {name: of_name[:cut] for name, of_name in words.items()}
            first_words = {tuple(first) for first in firsts.values()}
            second_words = {tuple(of_name[cut:]) for of_name in words.values()}
            if slot.kind not in READ_AS_PATHS and any(first[-1].casefold() in PRESENCE_WORDS for first in first_words):
                continue
            if _combine(len(words), len(first_words), len(second_words)):
                return _two_slots(slot, _halves(firsts), names)
    return [(slot, names)]


def _split_lists(names: Collection[str]) -> dict[str, list[str]]:
    """The parts of names that are lists of three or more, as in jobs of a matrix: ``job lab-a, kiwi, 1.21``.

    Empty for other names. The lists may be after a word that all names have.
    """
    words = {name: name.partition(" ") for name in names}
    is_word = len({first for first, _, _ in words.values()}) == 1 and all(rest for *_, rest in words.values())
    lists = {name: (words[name][2] if is_word else name).split(", ") for name in names}
    sizes = {len(parts) for parts in lists.values()}
    different = [len(set(column)) for column in zip(*lists.values(), strict=False)]
    return lists if len(sizes) == 1 and min(sizes) >= _LEAST_PARTS and len(names) > max(different) else {}


def _split_at_signs(names: Collection[str]) -> Iterator[dict[str, list[str]]]:
    """The words of names, split at any sign, if there are three names or more and each has several words.

    If each name has a ``_``, first split at that alone: in ``net-http_hello_world`` the first word is net-http.
    """
    for parts in (_UNDERSCORES, _PART_SEPARATORS) if all("_" in name for name in names) else (_PART_SEPARATORS,):
        words = {name: parts.split(name) for name in names}
        if len(words) >= _LEAST_NAMES and all(len(of_name) > 1 for of_name in words.values()):
            yield words


def _two_slots(slot: PlaceSlot, halves: Mapping[str, Sequence[str]], names: Names) -> list[tuple[PlaceSlot, Names]]:
    """The slots of the first and of the second halves of names; a slot lacks the names without this half."""
    return [
        (slot._replace(part=side + 1), {at: half for at, name in names.items() if (half := halves[name][side])})
        for side in (0, 1)
    ]


def _halves(firsts: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """Both halves of each name, by the words of the first one."""
    return {name: [_half(name, first, side) for side in (0, 1)] for name, first in firsts.items()}


def _split_at_brackets(names: Collection[str]) -> dict[str, tuple[str, str]]:
    """The texts of names before and in their brackets, if names combine such halves: ``Kiwi (pool)``, ``Emu (off)``."""
    halves = {name: _BRACKETED.fullmatch(name) for name in names}
    parted = {name: (match["first"], match["second"]) for name, match in halves.items() if match}
    firsts, seconds = ({pair[side].casefold() for pair in parted.values()} for side in (0, 1))
    return parted if len(parted) == len(names) and _combine(len(names), len(firsts), len(seconds)) else {}


def _split_at_dashes(names: Collection[str]) -> dict[str, tuple[str, str]]:
    """The texts of names before and after a dash or a colon, if names combine such halves; else empty.

    The second half is empty if a label contained it.
    """
    halves = {name: _DASH.split(name, maxsplit=1) for name in names}
    if len(names) < 2 or 2 * sum(len(of_name) == 2 for of_name in halves.values()) < len(names):
        return {}
    parted = {
        name: (of_name[0].strip(), of_name[1].strip() if len(of_name) == 2 else "") for name, of_name in halves.items()
    }
    firsts, seconds = ({pair[side].casefold() for pair in parted.values()} for side in (0, 1))
    if len(firsts) == 1 and all(name.startswith(f"{pair[0]}:") and pair[1] for name, pair in parted.items()):
        # "variant: kiwi": the first half is the kind of the second
        return {name: ("", second) for name, (_, second) in parted.items()}
    return parted if len(seconds) == 1 or _combine(len(names), len(firsts), len(seconds)) else {}


def _stems_without_suffixes(words: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """The words of each name without a suffix, if each suffix is after several of the other names; else empty."""
    known = {tuple(map(str.casefold, of_name)) for of_name in words.values()}
    firsts: dict[str, Sequence[str]] = {}
    stems_of: dict[tuple[str, ...], set[tuple[str, ...]]] = defaultdict(set)
    for name, of_name in words.items():
        folded = tuple(map(str.casefold, of_name))
        cut = next((cut for cut in range(1, len(folded)) if folded[:cut] in known), len(folded))
        firsts[name] = of_name[:cut]
        if cut < len(folded):
            stems_of[folded[cut:]].add(folded[:cut])
    stems = {tuple(map(str.casefold, first)) for first in firsts.values()}
    if not stems_of or min(map(len, stems_of.values())) < 2 or not _combine(len(known), len(stems), len(stems_of) + 1):
        return {}
    return firsts


def _combine(names: int, firsts: int, seconds: int) -> bool:
    """Whether this number of names combines these numbers of first and second halves."""
    return names > max(firsts, seconds) and 2 * names >= firsts * seconds


def _half(name: str, first: Sequence[str], side: int) -> str:
    """A half of a name in its own spelling: 0 is the first, 1 the second."""
    at = 0
    for word in first:
        at = name.index(word, at) + len(word)
    return name[:at].rstrip(" ,;:") if side == 0 else name[at:].strip(" ,;:_/.+-")
