"""Chooses the factor that names the framework of the runs of each source, and adds this label."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence

from wrkparse.context.commands.load_tools import include_tool_name, tool_group
from wrkparse.context.slots.places import FRAMEWORK, Names, Place, PlaceSlot
from wrkparse.context.slots.slots import Slots
from wrkparse.context.structure.factors.factors import Factor, LabelsOfRuns, value_or_empty
from wrkparse.context.structure.factors.siblings import printed_servers
from wrkparse.context.structure.names.lead_ins import without_lead_ins
from wrkparse.context.structure.names.name_kinds import (
    NameKind,
    has_length_of_name,
    is_opinion,
    is_set_aside,
    kind_of_name,
    says_where,
    short_name,
    states_only_resources,
)
from wrkparse.context.structure.names.runner_targets import without_runner
from wrkparse.context.structure.names.sentence_names import without_filler_words
from wrkparse.context.titles.name_extraction import has_only_common_words
from wrkparse.context.titles.titles import read_heading

_ARTICLE = "The "
_IMPLEMENTATION_SUFFIX = " implementation"
# "./bench.sh", "bench.py"
_SCRIPT = re.compile(r"\.{0,2}/\S{1,80}|\S{1,80}\.(?:sh|bash|py|js|rb|pl)")


def label_frameworks_by_factors(
    places: Sequence[Place],
    by_source: Mapping[str, Sequence[int]],
    outer: Sequence[Factor],
    inner: Mapping[str, Sequence[Factor]],
    found: LabelsOfRuns,
    slots: Slots,
) -> set[int]:
    """Add the framework from one factor to the runs: from a factor of their source if it has one, else of all sources.

    Returns the runs whose own framework is overruled.
    """
    overruled: set[int] = set()
    outer = [factor._replace(names=factor.candidates.names) for factor in outer]
    everywhere: dict[PlaceSlot, Names] = defaultdict(dict)  # the names of inner factors in all sources
    for factor in (factor for own in inner.values() for factor in own):
        everywhere[factor.slot] |= factor.candidates.names
    pages = {place.source for place in places if place.section}
    if _most_pages_compare(inner, pages):
        outer = [factor for factor in outer if factor.slot.kind not in ("section", "title")]
    sections = {place.section or "" for place in places} if len(by_source) > 1 else set()
    shared = frozenset.intersection(*(frozenset(section.split(" > ")) for section in sections or ("",)))
    # one spelling for all sources: "Kiwi" here and "kiwi" there are one framework
    spelling: dict[str, str] = {}
    chosen: dict[tuple[object, ...], list[Factor]] = {}  # sources with the same slots have the same choice
    for source, runs in by_source.items():
        misnamed = {factor.slot: factor.candidates.misnamed for factor in (*outer, *inner.get(source, ()))}
        if not any(misnamed.values()) and all(places[at].labels.get(FRAMEWORK) is not None for at in runs):
            continue
        own = [factor._replace(names=everywhere[factor.slot]) for factor in inner.get(source, ())]
        headings = {places[at].section or "" for at in runs}
        has_sections = any(_may_name(heading, shared) for heading in headings)
        has_sections &= len(headings) > 1 or 2 * len(pages) >= len(by_source)  # else the one heading is no page's
        known = (has_sections, *((factor.slot, factor.kind) for factor in own))
        if known not in chosen:
            best = _choose_framework_factors([*outer, *own], may_be_file=not has_sections)
            kept = _without_names_of_single_runs(places, _joined_names(best))
            chosen[known] = [
                factor._replace(names={at: name for at, name in names.items() if kept.get(at) == name})
                for factor in best
                for names in [_names_but_lead_ins(factor, places)]
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


def _may_name(section: str, shared: Collection[str]) -> bool:
    """Whether a heading above runs names something: not ``Results``, nor settings alone, ``64 connections``.

    Nor does a heading that the runs of all sources have, which is in `shared`.
    """
    headings = [heading for heading in section.split(" > ") if heading not in shared]
    return any(read_heading(heading).name for heading in headings if not has_only_common_words(heading))


def label_printed_servers(
    places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: LabelsOfRuns
) -> set[int]:
    """Add the servers that runs print if a heading names another one. Returns these runs."""
    renamed: set[int] = set()
    for runs in by_source.values():
        if any(places[at].labels.get("server_software") for at in runs):
            names = {
                at: value_or_empty(found[at].get(FRAMEWORK)) for at in runs if not places[at].labels.get(FRAMEWORK)
            }
            guessed = {
                at: places[at].labels.get(FRAMEWORK) or "" for at in runs if places[at].framework_origin == "heading"
            }
            for at, label in printed_servers(places, names | guessed).items():
                found[at][FRAMEWORK] = label
                renamed.add(at)
    return renamed


def _names_but_lead_ins(factor: Factor, places: Sequence[Place]) -> Names:
    """The names of a factor; of titles, without those of sentences that lead in to their runs."""
    if factor.slot.kind != "title":
        return factor.names
    return without_lead_ins(factor.names, {at: places[at].title or "" for at in factor.names})


def _most_pages_compare(inner: Mapping[str, Sequence[Factor]], pages: Collection[str]) -> bool:
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
        called = {name: "" if says_where(name) else short for name, short in called.items()}
    if called and all(short.startswith(_ARTICLE) for short in called.values()):  # "The kiwi server"
        called = {name: short.removeprefix(_ARTICLE) for name, short in called.items()}
    if len(called) > 1:  # "kiwi implementation" beside emu
        called = {name: _without_implementation(short, called.values()) for name, short in called.items()}
    if kind == "title":  # "Und jetzt mit kiwi"
        called |= without_filler_words({name: short for name, short in called.items() if short})
    called = {name: "" if is_opinion(short) else short for name, short in called.items()}  # "Tried it, much better"
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


def _choose_framework_factors(factors: Sequence[Factor], *, may_be_file: bool) -> list[Factor]:
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
    above: list[Factor] = []
    while len(best) > 1 and _determines(best[0].names, best[-1].names):
        outer = best.pop(0)  # an outer name that follows from the inner one groups the names
        if _name_other_runs(outer, best[-1]):
            above.insert(0, outer)
    return [*best, *above] if len(best) == 1 else []


def _name_other_runs(outer: Factor, inner: Factor) -> bool:
    """Whether several headings of an outer level are directly above runs that have no heading of the inner level."""
    if not (outer.slot.kind == inner.slot.kind == "section" and outer.is_of_one_source and inner.is_of_one_source):
        return False
    return len({name for at, name in outer.names.items() if at not in inner.names}) > 1


def _joined_names(factors: Sequence[Factor]) -> Names:
    """The names of some factors; of two for one run, that of the first factor."""
    return {at: name for factor in reversed(factors) for at, name in factor.names.items()}


def _determines(outer: Names, inner: Names) -> bool:
    """Whether runs with the same inner name also have the same outer name."""
    held: dict[str, str] = {}
    return all(held.setdefault(name, outer.get(at, "")) == outer.get(at, "") for at, name in inner.items())
