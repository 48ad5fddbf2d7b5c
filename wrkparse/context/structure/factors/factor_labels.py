"""Labels runs by the factors that do not name the framework: ``heading``, ``directory``, ``file_name``, ``version``."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from wrkparse.context.commands.load_tools import tool_group
from wrkparse.context.nearby.evidence import LINE_SEPARATOR, NearbyText
from wrkparse.context.slots.places import FRAMEWORK, Names, Place, PlaceSlot
from wrkparse.context.slots.slots import Slots
from wrkparse.context.structure.completed_places.loop_runs import SERIES
from wrkparse.context.structure.factors.factors import Factor, LabelsOfRuns, value_or_empty
from wrkparse.context.structure.names.name_kinds import (
    NameKind,
    are_machines,
    are_random,
    are_versions,
    differ_in_methods,
)
from wrkparse.context.titles.name_extraction import has_only_common_words, without_frameworks
from wrkparse.context.titles.path_parts import PATH_SLOT_KINDS, without_suffixes

_KEY_OF_SLOT_KIND = {
    "folder": "directory",
    "file": "file_name",
    "section": "heading",
    "title": "heading",
    "lead": "heading",
    "printed file": "heading",
}
FACTOR_KEYS = tuple(dict.fromkeys(_KEY_OF_SLOT_KIND.values()))
_VERSION = "version"
_MACHINE = "machine"


def label_by_factors(
    places: Sequence[Place], runs: Iterable[int], factors: Sequence[Factor], found: LabelsOfRuns, slots: Slots
) -> None:
    """Add the factors to runs that the labels found so far do not determine."""
    runs = list(runs)
    frameworks = [places[at].labels.get(FRAMEWORK) or value_or_empty(found[at].get(FRAMEWORK)) for at in runs]
    used: dict[str, int] = defaultdict(int)
    for factor in factors:
        key = SERIES if factor.is_series else _KEY_OF_SLOT_KIND.get(factor.slot.kind)
        if key is None or _are_sentences_above(places, runs, factor):  # the prefix is a label already
            continue
        if factor.slot.kind in PATH_SLOT_KINDS and _only_identify_runs(slots, factor.slot, runs, frameworks):
            continue
        if are_versions(factor.names.values()) and not any(places[at].labels.get(_VERSION) for at in runs):
            key = _VERSION
        if are_machines(factor.names.values()):
            key = _MACHINE
        # "kiwi-tuned" of kiwi is tuned: the framework is a label of its own
        names = without_frameworks([factor.names.get(at, "") for at in runs], frameworks)
        before = [
            (
                tool_group(places[at].tool),
                name,
                *sorted((key, label.value) for key, label in found[at].items() if key != FRAMEWORK),
            )
            for at, name in zip(runs, frameworks, strict=True)
        ]
        if (
            not _distinguishes_more(before, names) and key != _MACHINE
        ):  # a machine counts even if it follows from the name
            continue
        used[key] += 1
        named = key if used[key] == 1 else f"{key}_{used[key]}"
        whole = _name_of_unnamed(places, runs, factor, names, slots)
        for at, name in zip(runs, names, strict=True):
            if name or whole:
                source = places[at].source if factor.is_of_one_source else None
                found[at].setdefault(named, slots.slot_text(name or whole, factor.slot, at, source))


def _only_identify_runs(slots: Slots, slot: PlaceSlot, runs: Sequence[int], frameworks: Sequence[str]) -> bool:
    """Whether the names of files or folders are random for each run, and the framework is known otherwise.

    Unless each framework has several runs, the names may be the thing that was measured, such as commits.
    """
    times = Counter(frameworks)
    if len(times) < 2 or min(times.values()) < 2 or "" in times:
        return False
    texts = slots.texts[slot._replace(part=0, is_number=False)]
    names = {without_suffixes(texts.get(at, "")) for at in runs}
    return len(names) == len(runs) and are_random(names)


def _name_of_unnamed(
    places: Sequence[Place], runs: Sequence[int], factor: Factor, names: Sequence[str], slots: Slots
) -> str:
    """The name for runs without a name in a factor, if they share one text: ``results.txt`` beside ``results-new.txt``.

    Empty if a framework is part of the names, or if the text is a heading of words that any document has: ``Setup``.
    """
    slot = factor.slot
    if (
        slot.part
        or slot.is_number
        or any(factor.names.get(at, "") != name for at, name in zip(runs, names, strict=True))
    ):
        return ""
    texts = slots.inner_texts[places[runs[0]].source] if factor.is_of_one_source else slots.texts
    whole = {texts[slot].get(at, "") for at, name in zip(runs, names, strict=True) if not name}
    name = without_suffixes(whole.pop()) if len(whole) == 1 else ""
    if slot.kind not in PATH_SLOT_KINDS and " " not in name and has_only_common_words(name):
        return ""
    return name if any(map(str.isalpha, name)) else ""


def _are_sentences_above(places: Sequence[Place], runs: Iterable[int], factor: Factor) -> bool:
    """Whether titles are sentences or conditions directly above their runs.

    `label_by_sentences_above` compares them with all other sentences.
    """
    if factor.slot.kind != "title" or factor.kind is not NameKind.OTHER or factor.slot.is_number:
        return False
    if differ_in_methods(factor.names.values()) or _recur_in_sections(places, factor.names):
        return False
    near = ((places[at].title, NearbyText.of(places[at].labels).above.rpartition(LINE_SEPARATOR)[2]) for at in runs)
    return all(not title or not above or _letters(title) in _letters(above) for title, above in near)


def _recur_in_sections(places: Sequence[Place], names: Names) -> bool:
    """Whether each of several names is above runs of the same sections: ``direct to the app`` and ``gateway``."""
    sections: dict[str, set[str | None]] = defaultdict(set)
    for at, name in names.items():
        sections[name].add(places[at].section)
    first, *others = sections.values() or [set()]
    return len(first) > 1 and bool(others) and all(other == first for other in others)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _distinguishes_more(before: Iterable[tuple[object, ...]], names: Iterable[str]) -> bool:
    """Whether a factor differs between runs that have the same tool, framework and earlier factors."""
    held: dict[tuple[object, ...], str] = {}
    return any(held.setdefault(known, name) != name for known, name in zip(before, names, strict=True))
