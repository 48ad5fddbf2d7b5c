"""Derives labels from the places of runs: headings, folders and names of files in which the runs differ.

One heading alone says little about a server that is not a known name. Its siblings say more: if the runs of a page are
under ``## kiwi`` and ``## emu``, the headings distinguish them. So this module looks at all runs at once, by the slots
of `wrkparse.context.slots`. A slot in which runs of one tool differ is a factor. One factor is the framework, if only
one can be; the others get the key of their kind of slot. Other labels of a run hold, except a framework from the path
or from an outer heading, if the siblings show that the factor names it (`wrkparse.context.structure.factors.siblings`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from wrkparse.context.commands.loops import TITLE_KEY
from wrkparse.context.nearby.evidence import PREFIX_WORDS
from wrkparse.context.slots.places import FRAMEWORK, URL_HOST, Place, SlotText
from wrkparse.context.slots.slots import Slots, read_slots
from wrkparse.context.structure.completed_places.captions_below import with_captions_below
from wrkparse.context.structure.completed_places.inherited_titles import with_inherited_titles
from wrkparse.context.structure.completed_places.leading_repeats import without_leading_repeats
from wrkparse.context.structure.completed_places.lines_between import with_lines_of_each_run
from wrkparse.context.structure.completed_places.loop_runs import UnknownTurns, label_series, loop_labels
from wrkparse.context.structure.completed_places.own_prefixes import without_own_prefixes
from wrkparse.context.structure.completed_places.runtimes import runtime_labels, runtime_title_labels, with_runtime
from wrkparse.context.structure.completed_places.warm_ups import warm_up_labels
from wrkparse.context.structure.differences.arguments import label_arguments
from wrkparse.context.structure.differences.days import label_days
from wrkparse.context.structure.differences.differing_headings import label_by_headings
from wrkparse.context.structure.differences.held_settings import label_held_settings
from wrkparse.context.structure.differences.log_facts import label_log_facts
from wrkparse.context.structure.differences.log_heads import label_log_heads
from wrkparse.context.structure.differences.remarks import label_by_remarks
from wrkparse.context.structure.differences.section_facts import label_by_section_facts
from wrkparse.context.structure.differences.sentences_above import label_by_sentences_above
from wrkparse.context.structure.differences.warm_up_names import share_warm_up_names
from wrkparse.context.structure.factors.command_headings import name_by_own_commands
from wrkparse.context.structure.factors.compared_folders import with_compared_folders
from wrkparse.context.structure.factors.factor_labels import label_by_factors
from wrkparse.context.structure.factors.factors import Factor, LabelsOfRuns, are_counting_letters, find_factors
from wrkparse.context.structure.factors.framework_choice import label_frameworks_by_factors, label_printed_servers
from wrkparse.context.structure.factors.framework_labels import label_frameworks
from wrkparse.context.structure.factors.page_titles import share_page_titles
from wrkparse.context.structure.factors.port_servers import name_by_ports
from wrkparse.context.structure.factors.unnamed_siblings import name_unnamed_siblings
from wrkparse.context.structure.names.spellings import unify_spellings
from wrkparse.context.titles.path_parts import PATH_SLOT_KINDS

ORIGIN = "structure"


class _CompletedPlaces(NamedTuple):
    """The places of runs with what the text around them adds, and the labels that this gives, by the index of the run.

    ``loops`` are those of the turns of loops, ``warm_ups`` the phases, ``frameworks_below`` those that captions below
    runs name. ``unknown_turns`` are the runs below loops whose turns are unknown.
    """

    places: list[Place]
    frameworks_below: dict[int, SlotText]
    loops: dict[int, dict[str, SlotText]]
    unknown_turns: UnknownTurns
    warm_ups: dict[int, dict[str, SlotText]]
    runtimes: dict[int, dict[str, SlotText]]


class _Factors(NamedTuple):
    """The slots in which runs differ: among all sources, and within each source."""

    outer: list[Factor]
    inner: dict[str, list[Factor]]


def structural_labels(places: Sequence[Place], runs: Mapping[int, int] | None = None) -> list[dict[str, SlotText]]:
    """The labels of each run from its place among the others, with the text of the place that gives each.

    `runs` counts the runs at each place, by its index; without it, each place has one run.

    The key is ``framework`` if one factor can be it; for other factors ``heading``, ``directory`` and ``file_name``,
    with ``_2`` for the second one of a key. Names such as ``c64`` and ``t4`` give connections and threads if siblings
    have other numbers and the run has no such label.
    """
    completed = _complete(places)
    by_source: dict[str, list[int]] = defaultdict(list)
    for at, place in enumerate(places):
        by_source[place.source].append(at)
    slots = read_slots(completed.places, runs or {})
    given = (slots.settings, completed.runtimes, completed.warm_ups)
    found = [{key: label for labels in given for key, label in labels.get(at, {}).items()} for at in range(len(places))]
    factors = _all_factors(completed.places, slots, by_source)
    # The framework comes first: what the other factors are called depends on which one it is.
    overruled = _label_by_framework(completed, factors, slots, by_source, found)
    named = [
        place._replace(labels={**place.labels, FRAMEWORK: None}) if at in overruled else place
        for at, place in enumerate(completed.places)
    ]
    label_by_factors(named, range(len(named)), factors.outer, found, slots)
    for source, of_source in factors.inner.items():
        label_by_factors(named, by_source[source], of_source, found, slots)
    unify_spellings(found)
    # Text, prefixes and series only label runs that agree in all labels so far.
    _label_by_text(named, by_source, found)
    name_unnamed_siblings(named, by_source, found)
    for at, labels in completed.loops.items():
        found[at] |= {key: label for key, label in labels.items() if key != TITLE_KEY}
    _label_by_prefixes(named, by_source, found)
    label_series(completed.unknown_turns, named, found)
    label_days(named, found, runs or {})
    return [
        {
            key: label
            for key, label in labels.items()
            if (key == FRAMEWORK and at in overruled) or places[at].labels.get(key) is None
        }
        for at, labels in enumerate(found)
    ]


def _complete(places: Sequence[Place]) -> _CompletedPlaces:
    """Complete the places: with lines and captions below runs, titles of groups, turns of loops, warm-ups, runtimes."""
    # Each step needs what those before it add: a turn of a loop is recognised by the lines of its run, and a warm-up is
    # named as the run below it.
    places, frameworks_below = with_captions_below(with_lines_of_each_run(without_own_prefixes(places)))
    places = with_inherited_titles(without_leading_repeats(places))
    loops, unknown_turns = loop_labels(places)
    places = [_with_turn_labels(place, loops[at]) if at in loops else place for at, place in enumerate(places)]
    warm_ups = warm_up_labels(places)
    places = [_with_labels(place, warm_ups[at]) if at in warm_ups else place for at, place in enumerate(places)]
    runtimes = runtime_labels(places) | runtime_title_labels(places)
    places = [with_runtime(place, runtimes[at]) if at in runtimes else place for at, place in enumerate(places)]
    return _CompletedPlaces(places, frameworks_below, loops, unknown_turns, warm_ups, runtimes)


def _all_factors(places: Sequence[Place], slots: Slots, by_source: Mapping[str, Sequence[int]]) -> _Factors:
    """The slots in which runs differ."""
    lettered = {
        slot
        for slot, texts in slots.texts.items()
        if slot.kind in PATH_SLOT_KINDS and are_counting_letters(texts.values())
    }
    outer = find_factors(places, slots.outer, range(len(places)), {}, lettered)
    inner = {
        source: [
            factor._replace(is_of_one_source=True)
            for factor in find_factors(places, own, by_source[source], slots.inner_texts[source])
        ]
        for source, own in slots.inner.items()
    }
    return _Factors(with_compared_folders(places, outer), inner)


def _label_by_framework(
    completed: _CompletedPlaces,
    factors: _Factors,
    slots: Slots,
    by_source: Mapping[str, Sequence[int]],
    found: LabelsOfRuns,
) -> set[int]:
    """Add the framework to runs. Returns the runs whose own framework, from a path or a heading, it overrules."""
    places = completed.places
    overruled = label_frameworks_by_factors(places, by_source, factors.outer, factors.inner, found, slots)
    overruled |= label_printed_servers(places, by_source, found)
    label_frameworks(places, found)
    share_page_titles(places, by_source, found)
    name_by_ports(places, by_source, found)
    overruled |= name_by_own_commands(places, by_source, found)
    overruled |= {at for at in completed.runtimes if FRAMEWORK in found[at]}
    for at, named in completed.frameworks_below.items():
        found[at].setdefault(FRAMEWORK, named)
        overruled.add(at)
    return overruled


def _label_by_text(places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: LabelsOfRuns) -> None:
    """Add the text around runs to those that the factors do not distinguish; a label that was found first stays."""
    label_arguments(places, found)
    label_by_headings(places, by_source, found)
    label_held_settings(places, by_source, found)
    label_by_remarks(places, by_source, found)
    label_by_section_facts(places, by_source, found)
    label_by_sentences_above(places, by_source, found)
    share_warm_up_names(places, by_source, found)
    label_log_facts(places, by_source, found)
    label_log_heads(places, by_source, found)


def _label_by_prefixes(places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: LabelsOfRuns) -> None:
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
    return place._replace(labels={**place.labels, **{key: label.value for key, label in labels.items()}})


def _with_turn_labels(place: Place, labels: Mapping[str, SlotText]) -> Place:
    """The place of a run with the labels from the loop that made it."""
    given = {key: label.value for key, label in labels.items() if key != TITLE_KEY}
    hosts = {URL_HOST: given["host"]} if given.get("host", "").isalpha() else {}
    title = labels[TITLE_KEY].value if TITLE_KEY in labels else place.title
    return place._replace(labels={**place.labels, **given, **hosts}, title=title)
