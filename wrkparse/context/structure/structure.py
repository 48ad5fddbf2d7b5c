"""Derives labels from the places of runs: headings, folders and names of files in which the runs differ.

One heading alone says little about a server that is not a known name. Its siblings say more: if the runs of a page are
under ``## kiwi`` and ``## emu``, the headings distinguish them. So this module looks at all runs at once, by the slots
of `wrkparse.context.slots`. A slot in which runs of one tool differ is a factor. One factor is the framework, if only
one can be; the others get the key of their kind of slot. Other labels of a run hold, except a framework from the path
or from an outer heading, if the siblings show that the factor names it (`wrkparse.context.slots.siblings`).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from wrkparse.context.commands.loops import TITLE_KEY
from wrkparse.context.nearby_lines import LINE_SEPARATOR, PREFIX_WORDS, NearbyText
from wrkparse.context.slots.name_kinds import (
    NameKind,
    are_first_letters,
    are_machines,
    are_one_word_with_numbers,
    are_random,
    are_switch_states,
    are_versions,
    differ_in_methods,
    differ_only_in_conditions,
    has_length_of_name,
    include_baseline,
    include_request,
    is_set_aside,
    kind_of_name,
    short_name,
    states_only_resources,
)
from wrkparse.context.slots.siblings import FRAMEWORK, FrameworkCandidates, framework_candidates, printed_servers
from wrkparse.context.slots.slots import URL_HOST, Names, Place, Slot, Slots, SlotText, read_slots
from wrkparse.context.structure.arguments import label_arguments
from wrkparse.context.structure.captions_below import with_captions_below
from wrkparse.context.structure.combined_names import split_combined_names
from wrkparse.context.structure.days import label_days
from wrkparse.context.structure.differing_headings import label_by_headings
from wrkparse.context.structure.framework_labels import label_frameworks
from wrkparse.context.structure.held_settings import label_held_settings
from wrkparse.context.structure.inherited_titles import with_inherited_titles
from wrkparse.context.structure.load_tools import include_tool_name, tool_group
from wrkparse.context.structure.log_facts import label_log_facts
from wrkparse.context.structure.loop_runs import SERIES, label_series, loop_labels
from wrkparse.context.structure.own_prefixes import without_own_prefixes
from wrkparse.context.structure.remarks import label_by_remarks
from wrkparse.context.structure.runner_targets import without_runner
from wrkparse.context.structure.runtimes import runtime_labels, runtime_title_labels, with_runtime
from wrkparse.context.structure.sentence_names import without_filler_words
from wrkparse.context.structure.sentences_above import label_by_sentences_above
from wrkparse.context.structure.warm_ups import warm_up_labels
from wrkparse.context.titles.name_extraction import has_only_common_words, without_frameworks
from wrkparse.context.titles.path_parts import PATH_SLOT_KINDS, without_suffixes
from wrkparse.context.titles.titles import read_path_part

__all__ = ["FACTOR_KEYS", "FRAMEWORK", "ORIGIN", "SERIES", "Place", "structural_labels"]

ORIGIN = "structure"
_KEY_OF_SLOT_KIND = {
    "folder": "directory",
    "file": "file_name",
    "section": "heading",
    "title": "heading",
    "lead": "heading",
}
FACTOR_KEYS = tuple(dict.fromkeys(_KEY_OF_SLOT_KIND.values()))
_VERSION = "version"
_MACHINE = "machine"
_IMPLEMENTATION_SUFFIX = " implementation"
_SCRIPT = re.compile(r"\.{0,2}/\S{1,80}|\S{1,80}\.(?:sh|bash|py|js|rb|pl)")
_MANY_RUNS = 4  # runs: the messages above so many runs may be about anything if all messages differ


class _Factor(NamedTuple):
    """A slot in which runs differ."""

    slot: Slot
    names: Names
    candidates: FrameworkCandidates
    kind: NameKind
    is_series: bool  # a, b, c
    is_of_one_source: bool = False  # of one source


_LabelsOfRuns = Sequence[dict[str, SlotText]]  # for each run, its labels by key


def structural_labels(places: Sequence[Place], runs: Mapping[int, int] | None = None) -> list[dict[str, SlotText]]:
    """The labels of each run from its place among the others, with the text of the place that gives each.

    `runs` counts the runs at each place, by its index; without it, each place has one run.

    The key is ``framework`` if one factor can be it; for other factors ``heading``, ``directory`` and ``file_name``,
    with ``_2`` for the second one of a key. Names such as ``c64`` and ``t4`` give connections and threads if siblings
    have other numbers and the run has no such label.
    """
    own_labels = [place.labels for place in places]
    places = without_own_prefixes(places)
    places, frameworks_below = with_captions_below(places)
    places = with_inherited_titles(places)
    looped, unclear = loop_labels(places)
    places = [_with_turn_labels(place, looped[at]) if at in looped else place for at, place in enumerate(places)]
    phases = warm_up_labels(places)
    places = [_with_labels(place, phases[at]) if at in phases else place for at, place in enumerate(places)]
    runtimes = runtime_labels(places) | runtime_title_labels(places)
    places = [with_runtime(place, runtimes[at]) if at in runtimes else place for at, place in enumerate(places)]
    slots = read_slots(places, runs or {})
    found: list[dict[str, SlotText]] = [
        {**slots.settings.get(at, {}), **runtimes.get(at, {}), **phases.get(at, {})} for at in range(len(places))
    ]
    lettered = {
        slot
        for slot, texts in slots.texts.items()
        if slot.kind in PATH_SLOT_KINDS and _are_counting_letters(texts.values())
    }
    outer = _find_factors(places, slots.outer, range(len(places)), {}, lettered)
    by_source: dict[str, list[int]] = defaultdict(list)
    for at, place in enumerate(places):
        by_source[place.source].append(at)
    inner = {
        source: [
            factor._replace(is_of_one_source=True)
            for factor in _find_factors(places, own, by_source[source], slots.inner_texts[source])
        ]
        for source, own in slots.inner.items()
    }
    overruled = _label_frameworks(places, by_source, outer, inner, found, slots)
    overruled |= _label_printed_servers(places, by_source, found)
    label_frameworks(places, found)
    overruled |= {at for at in runtimes if FRAMEWORK in found[at]}
    for at, named in frameworks_below.items():
        found[at].setdefault(FRAMEWORK, named)
        overruled.add(at)
    places = [
        place._replace(labels={**place.labels, FRAMEWORK: None}) if at in overruled else place
        for at, place in enumerate(places)
    ]
    _label_factors(places, range(len(places)), outer, found, slots)
    for source, factors in inner.items():
        _label_factors(places, by_source[source], factors, found, slots)
    label_arguments(places, found)
    label_by_headings(places, by_source, found)
    label_held_settings(places, by_source, found)
    label_by_remarks(places, by_source, found)
    label_by_sentences_above(places, by_source, found)
    label_log_facts(places, by_source, found)
    for at, labels in looped.items():
        found[at] |= {key: said for key, said in labels.items() if key != TITLE_KEY}
    _label_by_prefixes(places, by_source, found)
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


def _label_by_prefixes(places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: _LabelsOfRuns) -> None:
    """Add a heading to the runs of a source that only the words of their prefixes distinguish: ``worker 1``.

    Each text must be that of several runs: one that only a single run has may be an identifier.
    """
    for runs in by_source.values():
        texts = {at: words for at in runs if (words := places[at].labels.get(PREFIX_WORDS))}
        times = Counter(texts.values())
        is_known = any(places[at].labels.get(FRAMEWORK) or {FRAMEWORK, "heading"} & found[at].keys() for at in runs)
        if len(times) > 1 and min(times.values()) > 1 and not is_known:
            for at, words in texts.items():
                found[at]["heading"] = SlotText(words, words, "prefix")


def _with_labels(place: Place, labels: Mapping[str, SlotText]) -> Place:
    """The place of a run with more labels, which explain words of its texts."""
    return place._replace(labels={**place.labels, **{key: said.value for key, said in labels.items()}})


def _with_turn_labels(place: Place, labels: Mapping[str, SlotText]) -> Place:
    """The place of a run with the labels from the loop that made it."""
    given = {key: said.value for key, said in labels.items() if key != TITLE_KEY}
    hosts = {URL_HOST: given["host"]} if given.get("host", "").isalpha() else {}
    title = labels[TITLE_KEY].value if TITLE_KEY in labels else place.title
    return place._replace(labels={**place.labels, **given, **hosts}, title=title)


def _find_factors(
    places: Sequence[Place],
    slots: Mapping[Slot, Names],
    runs: Sequence[int],
    texts: Mapping[Slot, Names],
    lettered: Collection[Slot] = (),
) -> list[_Factor]:
    """The slots in which some of these runs of one tool differ; `texts` are those of slots within one source.

    The names of `lettered` slots are letters that may count, as second halves of names of paths may: ``kiwi-a``.
    """
    return [
        _Factor(part, of_part, named, NameKind.OTHER if is_series else _kind_of_names(part, named), is_series)
        for slot, names in slots.items()
        for part, of_part in ([(slot, names)] if _are_frameworks(places, names) else split_combined_names(slot, names))
        if _varies(places, of_part, runs)
        for named in [framework_candidates(places, of_part, slot.kind, texts.get(slot, {}))]
        for is_series in [part in lettered or _is_half_of_letters(part, of_part)]
    ]


def _are_frameworks(places: Sequence[Place], names: Names) -> bool:
    """Whether most names are frameworks as a whole, and so not combined names: ``nginx + php-fpm``."""
    whole = {name for at, name in names.items() if name == places[at].labels.get(FRAMEWORK) and " + " in name}
    return 2 * len(whole) > len(set(names.values()))


def _are_counting_letters(texts: Iterable[str]) -> bool:
    """Whether letters count files or folders: ``wrk-a.log``, ``wrk-b.log``; but ``a-c8.log`` is a at 8 connections."""
    titles = list(map(read_path_part, set(texts)))
    return not any(title.settings or title.possible_settings for title in titles) and are_first_letters(
        title.name for title in titles
    )


def _is_half_of_letters(part: Slot, names: Names) -> bool:
    """Whether the second halves of names of paths are the first letters of the alphabet."""
    return part.kind in PATH_SLOT_KINDS and part.part > 1 and are_first_letters(names.values())


def _varies(places: Sequence[Place], names: Names, runs: Iterable[int]) -> bool:
    """Whether two runs of one tool, or of two tools that load servers, have different names, or only one has a name.

    Names of tools do not distinguish runs of two tools.
    """
    first: dict[str, str] = {}
    kind_of = str if include_tool_name(set(names.values())) else tool_group
    return any(
        first.setdefault(kind_of(places[at].tool), name) != name
        for at in runs
        for name in [names.get(at, "").casefold()]
    )


def _kind_of_names(slot: Slot, named: FrameworkCandidates) -> NameKind:
    """The kind of names; of several kinds, that of most names. Names beside other frameworks are conditions."""
    different = set(named.names.values())
    if (
        slot.is_number
        or len(different) < 2
        or differ_only_in_conditions(different)
        or are_one_word_with_numbers(different)
    ):
        return NameKind.OTHER
    if slot.kind in PATH_SLOT_KINDS and are_switch_states(different):
        return NameKind.STATES
    kinds = list(map(kind_of_name, without_runner(different).values()))
    if NameKind.KNOWN in kinds:
        return NameKind.KNOWN
    if slot.kind == "lead" and _MANY_RUNS <= len(named.names) == len(different):  # as the notes of a server are
        return NameKind.OTHER
    able = sum(kind is not NameKind.OTHER for kind in kinds)
    if 2 * able <= len(kinds):
        return NameKind.STATES if include_baseline(different) and not include_request(different) else NameKind.OTHER
    return NameKind.NAMES if NameKind.NAMES in kinds else NameKind.STATES


def _label_frameworks(
    places: Sequence[Place],
    by_source: Mapping[str, Sequence[int]],
    outer: Sequence[_Factor],
    inner: Mapping[str, Sequence[_Factor]],
    found: _LabelsOfRuns,
    slots: Slots,
) -> set[int]:
    """Add the framework from one factor to the runs: from a factor of their source if it has one, else of all sources.

    Returns the runs whose own framework is overruled.
    """
    overruled: set[int] = set()
    outer = [factor._replace(names=factor.candidates.names) for factor in outer]
    everywhere: dict[Slot, Names] = defaultdict(dict)  # the names of inner factors in all sources
    for factor in (factor for own in inner.values() for factor in own):
        everywhere[factor.slot] |= factor.candidates.names
    pages = {place.source for place in places if place.section}
    if _most_pages_compare(inner, pages):
        outer = [factor for factor in outer if factor.slot.kind not in ("section", "title")]
    spelling: dict[str, str] = {}
    chosen: dict[tuple[object, ...], list[_Factor]] = {}  # sources with the same slots have the same choice
    for source, runs in by_source.items():
        misnamed = {factor.slot: factor.candidates.misnamed for factor in (*outer, *inner.get(source, ()))}
        if not any(misnamed.values()) and all(places[at].labels.get(FRAMEWORK) is not None for at in runs):
            continue
        own = [factor._replace(names=everywhere[factor.slot]) for factor in inner.get(source, ())]
        headings = {places[at].section or "" for at in runs}
        has_sections = any(not has_only_common_words(heading) for heading in headings)
        has_sections &= len(headings) > 1 or 2 * len(pages) >= len(by_source)  # else the one heading is no page's
        known = (has_sections, *((factor.slot, factor.kind) for factor in own))
        if known not in chosen:
            best = _choose_framework_factors([*outer, *own], may_be_file=not has_sections)
            kept = _without_names_of_single_runs(places, _joined_names(best))
            chosen[known] = [
                factor._replace(names={at: name for at, name in factor.names.items() if kept.get(at) == name})
                for factor in best
            ]
        if not (naming := chosen[known]):
            continue
        names = _joined_names(naming)
        called = _distinct_short_names({names[at] for at in runs if at in names}, naming[0].slot.kind)
        for at in runs:
            if name := called.get(names.get(at, "")):
                name = spelling.setdefault(name.casefold(), name)
                factor = next(factor for factor in naming if at in factor.names)
                found[at][FRAMEWORK] = slots.slot_text(
                    name, factor.slot, at, source if factor.is_of_one_source else None
                )
                if at in misnamed[factor.slot]:
                    overruled.add(at)
    return overruled


def _label_printed_servers(
    places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: _LabelsOfRuns
) -> set[int]:
    """Add the servers that runs print if a heading names another one. Returns these runs."""
    renamed: set[int] = set()
    for runs in by_source.values():
        if any(places[at].labels.get("server_software") for at in runs):
            names = {
                at: _value_or_empty(found[at].get(FRAMEWORK)) for at in runs if not places[at].labels.get(FRAMEWORK)
            }
            guessed = {
                at: places[at].labels.get(FRAMEWORK) or "" for at in runs if places[at].framework_origin == "heading"
            }
            for at, said in printed_servers(places, names | guessed).items():
                found[at][FRAMEWORK] = said
                renamed.add(at)
    return renamed


def _most_pages_compare(inner: Mapping[str, Sequence[_Factor]], pages: Collection[str]) -> bool:
    """Whether most pages compare names within themselves: then headings of other pages are not siblings."""
    comparing = sum(any(factor.kind is not NameKind.OTHER for factor in inner.get(page, ())) for page in pages)
    return 2 * comparing > len(pages)


def _distinct_short_names(names: Collection[str], kind: str) -> dict[str, str]:
    """A short form of each name, without names whose short forms would be equal; `kind` is the kind of the slot."""
    without_script = _without_script(names)
    without_runner_words = without_runner(set(without_script.values()))
    called = {
        name: short_name(without_runner_words[rest]).removeprefix("./")
        for name, rest in without_script.items()
        if not (states_only_resources(name) or is_set_aside(name))
    }
    if kind in ("section", "title"):  # beside names even "Adding a pool" is one
        called = {name: short or (name if has_length_of_name(name) else "") for name, short in called.items()}
    if len(called) > 1:  # "kiwi implementation" beside emu
        called = {name: _without_implementation(short, called.values()) for name, short in called.items()}
    if kind == "title":  # "Und jetzt mit kiwi"
        called |= without_filler_words({name: short for name, short in called.items() if short})
    times = Counter(called.values())
    return {name: short for name, short in called.items() if short == name or times[short] == 1}


def _without_script(names: Collection[str]) -> dict[str, str]:
    """Names without the script that all of them begin with: ``./bench.sh kiwi`` and ``./bench.sh emu``."""
    firsts = {name.partition(" ")[0] for name in names}
    is_script = len(firsts) == 1 < len(names) and _SCRIPT.fullmatch(next(iter(firsts))) is not None
    return {name: (name.partition(" ")[2] if is_script else "") or name for name in names}


def _without_implementation(name: str, others: Collection[str]) -> str:
    """A name without *implementation* at its end, unless that is another name or a state: ``new implementation``."""
    bare = name.removesuffix(_IMPLEMENTATION_SUFFIX)
    return bare if bare not in others and kind_of_name(bare) <= NameKind.NAMES else name  # "new implementation"


def _without_names_of_single_runs(places: Sequence[Place], names: Names) -> Names:
    """The names without those of tools that have only one name: ``gc.txt`` beside two files of wrk."""
    by_tool: dict[str, set[str]] = defaultdict(set)
    kind_of = str if include_tool_name(set(names.values())) else tool_group
    for at, name in names.items():
        by_tool[kind_of(places[at].tool)].add(name)
    kept = {name for of_tool in by_tool.values() if len(of_tool) > 1 for name in of_tool}
    return {at: name for at, name in names.items() if name in kept}


def _choose_framework_factors(factors: Sequence[_Factor], *, may_be_file: bool) -> list[_Factor]:
    """The factor that names the framework of the runs of a source; empty if several may, or none does.

    The name of a file may do so if the file has no headings: that of a page is the topic of the page. Behind a factor
    of headings are those of outer headings directly above other runs: ``## Kiwi`` beside ``## Emu`` > ``### Moa``.
    """
    able = [
        factor
        for factor in factors
        if factor.kind is not NameKind.OTHER and (may_be_file or factor.slot.kind != "file")
    ]
    able = [factor for factor in able if factor.slot.kind != "lead"] or able  # a message may be about anything
    best = [factor for factor in able if factor.kind == min(other.kind for other in able)]
    above: list[_Factor] = []
    while len(best) > 1 and _determines(best[0].names, best[-1].names):
        outer = best.pop(0)  # an outer name that follows from the inner one groups the names
        if _name_other_runs(outer, best[-1]):
            above.insert(0, outer)
    return [*best, *above] if len(best) == 1 else []


def _name_other_runs(outer: _Factor, inner: _Factor) -> bool:
    """Whether several headings of an outer level are directly above runs that have no heading of the inner level."""
    if not (outer.slot.kind == inner.slot.kind == "section" and outer.is_of_one_source and inner.is_of_one_source):
        return False
    return len({name for at, name in outer.names.items() if at not in inner.names}) > 1


def _joined_names(factors: Sequence[_Factor]) -> Names:
    """The names of some factors; of two for one run, that of the first factor."""
    return {at: name for factor in reversed(factors) for at, name in factor.names.items()}


def _determines(outer: Names, inner: Names) -> bool:
    """Whether runs with the same inner name also have the same outer name."""
    held: dict[str, str] = {}
    return all(held.setdefault(name, outer.get(at, "")) == outer.get(at, "") for at, name in inner.items())


def _label_factors(
    places: Sequence[Place], runs: Iterable[int], factors: Sequence[_Factor], found: _LabelsOfRuns, slots: Slots
) -> None:
    """Add the factors to runs that the labels found so far do not determine."""
    runs = list(runs)
    frameworks = [places[at].labels.get(FRAMEWORK) or _value_or_empty(found[at].get(FRAMEWORK)) for at in runs]
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
        names = without_frameworks([factor.names.get(at, "") for at in runs], frameworks)
        before = [
            (places[at].tool, name, *sorted((key, said.value) for key, said in found[at].items() if key != FRAMEWORK))
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


def _only_identify_runs(slots: Slots, slot: Slot, runs: Sequence[int], frameworks: Sequence[str]) -> bool:
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
    places: Sequence[Place], runs: Sequence[int], factor: _Factor, names: Sequence[str], slots: Slots
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


def _are_sentences_above(places: Sequence[Place], runs: Iterable[int], factor: _Factor) -> bool:
    """Whether titles are sentences or conditions directly above their runs.

    `label_by_sentences_above` compares them with all other sentences.
    """
    if factor.slot.kind != "title" or factor.kind is not NameKind.OTHER or factor.slot.is_number:
        return False
    if differ_in_methods(factor.names.values()) or _recur_in_sections(places, factor.names):
        return False
    said = ((places[at].title, NearbyText.of(places[at].labels).above.rpartition(LINE_SEPARATOR)[2]) for at in runs)
    return all(not title or not above or _letters(title) in _letters(above) for title, above in said)


def _recur_in_sections(places: Sequence[Place], names: Names) -> bool:
    """Whether each of several names is above runs of the same sections: ``direct to the app`` and ``gateway``."""
    sections: dict[str, set[str | None]] = defaultdict(set)
    for at, name in names.items():
        sections[name].add(places[at].section)
    first, *others = sections.values() or [set()]
    return len(first) > 1 and bool(others) and all(other == first for other in others)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _value_or_empty(said: SlotText | None) -> str:
    """The value of a label; empty without a label."""
    return said.value if said else ""


def _distinguishes_more(before: Iterable[tuple[object, ...]], names: Iterable[str]) -> bool:
    """Whether a factor differs between runs that have the same tool, framework and earlier factors."""
    held: dict[tuple[object, ...], str] = {}
    return any(held.setdefault(known, name) != name for known, name in zip(before, names, strict=True))
