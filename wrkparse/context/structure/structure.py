"""The labels that follow from where runs stand among each other: headings, folders and file names that vary.

A single heading says little about a server that no list names. Its siblings say more: where the runs of a page stand
under ``## kiwi`` and ``## emu``, the headings tell them apart. So this module looks at all runs at once, by the slots
of `wrkparse.context.slots`. A slot in which runs of one tool differ is a factor. One factor is the framework, where
only one can be; the others get a key that says where they stand. The labels that a run has otherwise hold, but for a
framework that its path or a heading further out gives, where its siblings show that the factor names it
(`wrkparse.context.slots.siblings`).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from wrkparse.context.commands.loops import TITLE
from wrkparse.context.leads import SEPARATOR, Surroundings
from wrkparse.context.slots.name_kinds import (
    Kind,
    are_drawn,
    are_lettered,
    are_machines,
    are_numbered,
    are_variants,
    are_versions,
    have_baseline,
    is_set_aside,
    is_short,
    kind_of_name,
    only_conditions,
    says_resources,
    short_name,
)
from wrkparse.context.slots.siblings import FRAMEWORK, Subjects, printed_servers, subjects
from wrkparse.context.slots.slots import URL_HOST, Names, Place, Slot, Slots, SlotText, read_slots
from wrkparse.context.structure.arguments import label_arguments
from wrkparse.context.structure.captions_below import with_captions_below
from wrkparse.context.structure.days import label_days
from wrkparse.context.structure.held_titles import with_held_titles, with_titles_of_paragraphs
from wrkparse.context.structure.load_tools import kind_of_tool, name_tools
from wrkparse.context.structure.log_facts import label_facts
from wrkparse.context.structure.loop_runs import SERIES, label_series, loop_labels
from wrkparse.context.structure.products import split_products
from wrkparse.context.structure.remark_names import without_filler
from wrkparse.context.structure.remarks import label_remarks
from wrkparse.context.structure.runtimes import runtime_labels, titled_runtimes, with_runtime
from wrkparse.context.structure.subject_labels import name_by_labels
from wrkparse.context.structure.warm_ups import warm_up_labels
from wrkparse.context.titles.path_parts import PATH_KINDS, without_suffixes
from wrkparse.context.titles.reduction import beside, says_nothing
from wrkparse.context.titles.titles import read_path_part

__all__ = ["FACTOR_KEYS", "FRAMEWORK", "ORIGIN", "SERIES", "Place", "structural_labels"]

ORIGIN = "structure"
_KEYS = {"folder": "directory", "file": "file_name", "section": "heading", "title": "heading", "lead": "heading"}
FACTOR_KEYS = tuple(dict.fromkeys(_KEYS.values()))
_VERSION = "version"
_MACHINE = "machine"
_IMPLEMENTATION = " implementation"
_SCRIPT = re.compile(r"\.{0,2}/\S{1,80}|\S{1,80}\.(?:sh|bash|py|js|rb|pl)")
_MANY = 4  # runs, above each of which another message stands: whether it names them nobody knows


class _Factor(NamedTuple):
    """A slot in which runs differ."""

    slot: Slot
    names: Names
    subjects: Subjects
    kind: Kind
    is_series: bool  # a, b, c
    inner: bool = False  # of one source


_Found = Sequence[dict[str, SlotText]]  # by run, the labels by key


def structural_labels(places: Sequence[Place], runs: Mapping[int, int] | None = None) -> list[dict[str, SlotText]]:
    """The labels that each run gets from its place among the others, with the text of the place that gives each.

    `runs` is how many runs are at each of the places, by its index; one each without it.

    ``framework`` where one factor can be it, else and for further factors ``heading``, ``directory`` and ``file_name``,
    with ``_2`` for a second one of a key. Names such as ``c64`` and ``t4`` give connections and threads where siblings
    have other numbers and the run says nothing of it.
    """
    own_labels = [place.labels for place in places]
    places, moved = with_captions_below(places)
    places = with_held_titles(with_titles_of_paragraphs(places))
    looped, unclear = loop_labels(places)
    places = [_with_loop(place, looped[at]) if at in looped else place for at, place in enumerate(places)]
    phases = warm_up_labels(places)
    places = [_with_labels(place, phases[at]) if at in phases else place for at, place in enumerate(places)]
    runtimes = runtime_labels(places) | titled_runtimes(places)
    places = [with_runtime(place, runtimes[at]) if at in runtimes else place for at, place in enumerate(places)]
    slots = read_slots(places, runs or {})
    found: list[dict[str, SlotText]] = [
        {**slots.settings.get(at, {}), **runtimes.get(at, {}), **phases.get(at, {})} for at in range(len(places))
    ]
    lettered = {slot for slot, texts in slots.texts.items() if slot.kind in PATH_KINDS and _is_series(texts.values())}
    outer = _factors(places, slots.outer, range(len(places)), {}, lettered)
    by_source: dict[str, list[int]] = defaultdict(list)
    for at, place in enumerate(places):
        by_source[place.source].append(at)
    inner = {
        source: [
            factor._replace(inner=True)
            for factor in _factors(places, own, by_source[source], slots.inner_texts[source])
        ]
        for source, own in slots.inner.items()
    }
    overruled = _name_frameworks(places, by_source, outer, inner, found, slots)
    overruled |= _name_servers(places, by_source, found)
    name_by_labels(places, found)
    overruled |= {at for at in runtimes if FRAMEWORK in found[at]}
    for at, named in moved.items():
        found[at].setdefault(FRAMEWORK, named)
        overruled.add(at)
    places = [
        place._replace(labels={**place.labels, FRAMEWORK: None}) if at in overruled else place
        for at, place in enumerate(places)
    ]
    _label(places, range(len(places)), outer, found, slots)
    for source, factors in inner.items():
        _label(places, by_source[source], factors, found, slots)
    label_arguments(places, found)
    label_remarks(places, by_source, found)
    label_facts(places, by_source, found)
    for at, labels in looped.items():
        found[at] |= {key: said for key, said in labels.items() if key != TITLE}
    label_series(unclear, places, found)
    label_days(places, found, runs or {})
    return [
        {
            key: value
            for key, value in labels.items()
            if (key == FRAMEWORK and at in overruled) or own_labels[at].get(key) is None
        }
        for at, labels in enumerate(found)
    ]


def _with_labels(place: Place, labels: Mapping[str, SlotText]) -> Place:
    """A run's place with more labels, which explain words of it."""
    return place._replace(labels={**place.labels, **{key: said.value for key, said in labels.items()}})


def _with_loop(place: Place, labels: Mapping[str, SlotText]) -> Place:
    """A run's place with the labels that the loop gives which made it."""
    given = {key: said.value for key, said in labels.items() if key != TITLE}
    hosts = {URL_HOST: given["host"]} if given.get("host", "").isalpha() else {}
    title = labels[TITLE].value if TITLE in labels else place.title
    return place._replace(labels={**place.labels, **given, **hosts}, title=title)


def _factors(
    places: Sequence[Place],
    slots: Mapping[Slot, Names],
    runs: Sequence[int],
    texts: Mapping[Slot, Names],
    lettered: Collection[Slot] = (),
) -> list[_Factor]:
    """The slots in which some of these runs differ that are of one tool; `texts` of slots within one source.

    The names of `lettered` slots are letters that may count, and so are second halves of paths' names: ``kiwi-a``.
    """
    return [
        _Factor(part, of_part, named, Kind.OTHER if is_series else _kind_of(part, named), is_series)
        for slot, names in slots.items()
        for part, of_part in ([(slot, names)] if _are_whole(places, names) else split_products(slot, names))
        if _varies(places, of_part, runs)
        for named in [subjects(places, of_part, slot.kind, texts.get(slot, {}))]
        for is_series in [part in lettered or _is_lettered_half(part, of_part)]
    ]


def _are_whole(places: Sequence[Place], names: Names) -> bool:
    """Whether most names are frameworks as they stand, and so no products: ``nginx + php-fpm``."""
    whole = {name for at, name in names.items() if name == places[at].labels.get(FRAMEWORK) and " + " in name}
    return 2 * len(whole) > len(set(names.values()))


def _is_series(texts: Iterable[str]) -> bool:
    """Whether letters count files, or folders: ``wrk-a.log``, ``wrk-b.log``; but ``a-c8.log`` is a at 8 connections."""
    titles = list(map(read_path_part, set(texts)))
    return not any(title.settings or title.short for title in titles) and are_lettered(title.name for title in titles)


def _is_lettered_half(part: Slot, names: Names) -> bool:
    return part.kind in PATH_KINDS and part.part > 1 and are_lettered(names.values())


def _varies(places: Sequence[Place], names: Names, runs: Iterable[int]) -> bool:
    """Whether two runs of one tool, or of two that load servers, have different names; to have none differs from any.

    Names of tools say nothing of runs of two tools.
    """
    first: dict[str, str] = {}
    kind_of = str if name_tools(set(names.values())) else kind_of_tool
    return any(
        first.setdefault(kind_of(places[at].tool), name) != name
        for at in runs
        for name in [names.get(at, "").casefold()]
    )


def _kind_of(slot: Slot, named: Subjects) -> Kind:
    """What names say; of several kinds, what most of them say. Names beside other frameworks are conditions."""
    different = set(named.names.values())
    if slot.is_number or len(different) < 2 or only_conditions(different) or are_numbered(different):
        return Kind.OTHER
    if slot.kind in PATH_KINDS and are_variants(different):
        return Kind.STATES
    kinds = [kind_of_name(name) for name in different]
    if Kind.KNOWN in kinds:
        return Kind.KNOWN
    if slot.kind == "lead" and _MANY <= len(named.names) == len(different):  # as the notes of a server are
        return Kind.OTHER
    able = sum(kind is not Kind.OTHER for kind in kinds)
    if 2 * able <= len(kinds):
        return Kind.STATES if have_baseline(different) else Kind.OTHER
    return Kind.NAMES if Kind.NAMES in kinds else Kind.STATES


def _name_frameworks(
    places: Sequence[Place],
    by_source: Mapping[str, Sequence[int]],
    outer: Sequence[_Factor],
    inner: Mapping[str, Sequence[_Factor]],
    found: _Found,
    slots: Slots,
) -> set[int]:
    """Give runs the framework that one factor names: of their own source if it has one, else of all sources.

    Returns the runs whose own label it overrules.
    """
    overruled: set[int] = set()
    outer = [factor._replace(names=factor.subjects.names) for factor in outer]
    everywhere: dict[Slot, Names] = defaultdict(dict)  # the names of inner factors in all sources
    for factor in (factor for own in inner.values() for factor in own):
        everywhere[factor.slot] |= factor.subjects.names
    if _are_own_studies(inner, {place.source for place in places if place.section}):
        outer = [factor for factor in outer if factor.slot.kind not in ("section", "title")]
    spelling: dict[str, str] = {}
    chosen: dict[tuple[object, ...], _Factor | None] = {}  # sources with the same slots have the same choice
    for source, runs in by_source.items():
        misnamed = {factor.slot: factor.subjects.misnamed for factor in (*outer, *inner.get(source, ()))}
        if not any(misnamed.values()) and all(places[at].labels.get(FRAMEWORK) is not None for at in runs):
            continue
        own = [factor._replace(names=everywhere[factor.slot]) for factor in inner.get(source, ())]
        has_sections = any(not says_nothing(heading) for heading in {places[at].section or "" for at in runs})
        known = (has_sections, *((factor.slot, factor.kind) for factor in own))
        if known not in chosen:
            best = _chosen([*outer, *own], files=not has_sections)
            chosen[known] = best and best._replace(names=_names_of_varying_tools(places, best.names))
        if (naming := chosen[known]) is None:
            continue
        names = naming.names
        called = _called_apart({names[at] for at in runs if at in names}, naming.slot.kind)
        for at in runs:
            if name := called.get(names.get(at, "")):
                name = spelling.setdefault(name.casefold(), name)
                found[at][FRAMEWORK] = slots.said(name, naming.slot, at, source if naming.inner else None)
                if at in misnamed[naming.slot]:
                    overruled.add(at)
    return overruled


def _name_servers(places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: _Found) -> set[int]:
    """Give runs the servers that they print, where a heading names another one. Returns these runs."""
    renamed: set[int] = set()
    for runs in by_source.values():
        if any(places[at].labels.get("server_software") for at in runs):
            names = {at: _value(found[at].get(FRAMEWORK)) for at in runs if not places[at].labels.get(FRAMEWORK)}
            guessed = {at: places[at].labels.get(FRAMEWORK) or "" for at in runs if places[at].naming == "heading"}
            for at, said in printed_servers(places, names | guessed).items():
                found[at][FRAMEWORK] = said
                renamed.add(at)
    return renamed


def _are_own_studies(inner: Mapping[str, Sequence[_Factor]], pages: Collection[str]) -> bool:
    """Whether most pages compare names in themselves: the heading of another page is no sibling of theirs then."""
    comparing = sum(any(factor.kind is not Kind.OTHER for factor in inner.get(page, ())) for page in pages)
    return 2 * comparing > len(pages)


def _called_apart(names: Collection[str], kind: str) -> dict[str, str]:
    """What each name is called, without those of several names that would be called alike; `kind` is the slot's."""
    called = {
        name: short_name(rest)
        for name, rest in _without_script(names).items()
        if not (says_resources(name) or is_set_aside(name))
    }
    if kind in ("section", "title"):  # beside names even "Adding a pool" is one
        called = {name: short or (name if is_short(name) else "") for name, short in called.items()}
    if len(called) > 1:  # "kiwi implementation" beside emu
        called = {name: _without_implementation(short, called.values()) for name, short in called.items()}
    if kind == "title":  # "Und jetzt mit kiwi"
        called |= without_filler({name: short for name, short in called.items() if short})
    times = Counter(called.values())
    return {name: short for name, short in called.items() if short == name or times[short] == 1}


def _without_script(names: Collection[str]) -> dict[str, str]:
    """Names without the script that all of them begin with: ``./bench.sh kiwi`` and ``./bench.sh emu``."""
    firsts = {name.partition(" ")[0] for name in names}
    is_script = len(firsts) == 1 < len(names) and _SCRIPT.fullmatch(next(iter(firsts))) is not None
    return {name: (name.partition(" ")[2] if is_script else "") or name for name in names}


def _without_implementation(name: str, others: Collection[str]) -> str:
    bare = name.removesuffix(_IMPLEMENTATION)
    return bare if bare not in others and kind_of_name(bare) <= Kind.NAMES else name  # "new implementation"


def _names_of_varying_tools(places: Sequence[Place], names: Names) -> Names:
    """The names without those that only runs of tools have that have no second one: ``gc.txt`` beside two of wrk's."""
    by_tool: dict[str, set[str]] = defaultdict(set)
    kind_of = str if name_tools(set(names.values())) else kind_of_tool
    for at, name in names.items():
        by_tool[kind_of(places[at].tool)].add(name)
    kept = {name for of_tool in by_tool.values() if len(of_tool) > 1 for name in of_tool}
    return {at: name for at, name in names.items() if name in kept}


def _chosen(factors: Sequence[_Factor], *, files: bool) -> _Factor | None:
    """The factor that names the framework of a source's runs; None if several may, or none does.

    The name of a file may do so if it has no headings: that of a page says what the page is about.
    """
    able = [factor for factor in factors if factor.kind is not Kind.OTHER and (files or factor.slot.kind != "file")]
    able = [factor for factor in able if factor.slot.kind != "lead"] or able  # a message may be about anything
    best = [factor for factor in able if factor.kind == min(other.kind for other in able)]
    while len(best) > 1 and _follows(best[0].names, best[-1].names):
        del best[0]  # an outer name that follows from the inner one groups the names
    return best[0] if len(best) == 1 else None


def _follows(outer: Names, inner: Names) -> bool:
    """Whether runs with one inner name have one outer name, too."""
    held: dict[str, str] = {}
    return all(held.setdefault(name, outer.get(at, "")) == outer.get(at, "") for at, name in inner.items())


def _label(
    places: Sequence[Place], runs: Iterable[int], factors: Sequence[_Factor], found: _Found, slots: Slots
) -> None:
    """Give runs the factors that their labels so far do not determine."""
    runs = list(runs)
    frameworks = [places[at].labels.get(FRAMEWORK) or _value(found[at].get(FRAMEWORK)) for at in runs]
    used: dict[str, int] = defaultdict(int)
    for factor in factors:
        key = SERIES if factor.is_series else _KEYS.get(factor.slot.kind)
        if key is None or _are_remarks(places, runs, factor):  # the prefix is a label already
            continue
        if factor.slot.kind in PATH_KINDS and _only_identify(slots, factor.slot, runs, frameworks):
            continue
        if are_versions(factor.names.values()) and not any(places[at].labels.get(_VERSION) for at in runs):
            key = _VERSION
        if are_machines(factor.names.values()):
            key = _MACHINE
        names = [beside(factor.names.get(at, ""), name) for at, name in zip(runs, frameworks, strict=True)]
        before = [
            (places[at].tool, name, *sorted((key, said.value) for key, said in found[at].items() if key != FRAMEWORK))
            for at, name in zip(runs, frameworks, strict=True)
        ]
        if not _adds(before, names) and key != _MACHINE:  # a machine counts even if it follows from the name
            continue
        used[key] += 1
        named = key if used[key] == 1 else f"{key}_{used[key]}"
        whole = _whole_name(places, runs, factor, names, slots)
        for at, name in zip(runs, names, strict=True):
            if name or whole:
                source = places[at].source if factor.inner else None
                found[at].setdefault(named, slots.said(name or whole, factor.slot, at, source))


def _only_identify(slots: Slots, slot: Slot, runs: Sequence[int], frameworks: Sequence[str]) -> bool:
    """Whether the names of files or folders are drawn for each run, and what was measured is known otherwise.

    Without several runs of each framework they may be what was measured, such as commits.
    """
    times = Counter(frameworks)
    if len(times) < 2 or min(times.values()) < 2 or "" in times:
        return False
    texts = slots.texts[slot._replace(part=0, is_number=False)]
    names = {without_suffixes(texts.get(at, "")) for at in runs}
    return len(names) == len(runs) and are_drawn(names)


def _whole_name(
    places: Sequence[Place], runs: Sequence[int], factor: _Factor, names: Sequence[str], slots: Slots
) -> str:
    """What runs without a name stand below, if that is one text: ``results.txt`` beside ``results-new.txt``.

    Empty if a framework is a part of the names.
    """
    slot = factor.slot
    if (
        slot.part
        or slot.is_number
        or any(factor.names.get(at, "") != name for at, name in zip(runs, names, strict=True))
    ):
        return ""
    texts = slots.inner_texts[places[runs[0]].source] if factor.inner else slots.texts
    whole = {texts[slot].get(at, "") for at, name in zip(runs, names, strict=True) if not name}
    name = without_suffixes(whole.pop()) if len(whole) == 1 else ""
    return name if any(map(str.isalpha, name)) else ""


def _are_remarks(places: Sequence[Place], runs: Iterable[int], factor: _Factor) -> bool:
    """Whether titles are sentences or conditions directly above their runs: `label_remarks` compares them with all."""
    if factor.slot.kind != "title" or factor.kind is not Kind.OTHER or factor.slot.is_number:
        return False
    said = ((places[at].title, Surroundings.of(places[at].labels).above.rpartition(SEPARATOR)[2]) for at in runs)
    return all(not title or not above or _letters(title) in _letters(above) for title, above in said)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _value(said: SlotText | None) -> str:
    return said.value if said else ""


def _adds(before: Iterable[tuple[object, ...]], names: Iterable[str]) -> bool:
    """Whether runs differ in a factor that agree in the tool, the framework and the factors before."""
    held: dict[tuple[object, ...], str] = {}
    return any(held.setdefault(known, name) != name for known, name in zip(before, names, strict=True))
