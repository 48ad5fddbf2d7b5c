"""Labels runs that nothing else distinguishes by the headings directly above them.

``## kiwi (17 worker processes)`` and ``## kiwi (17 worker threads)`` give the same name and the same number of workers.
Runs below them are no repeats, because the headings differ in words. Emoji and signs are words here: ``## kiwi 🚀`` and
``## kiwi 🐢``, ``## kiwi +`` and ``## kiwi -``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from wrkparse.context.slots.places import FRAMEWORK, Place, SlotText, setting_of
from wrkparse.context.structure.names.sentence_names import shorten_names
from wrkparse.context.titles.decoration import without_markup
from wrkparse.context.titles.name_extraction import has_only_common_words, without_framework
from wrkparse.context.titles.titles import read_title
from wrkparse.context.titles.vocabulary import TIME_WORDS

_LabelsOfRuns = Sequence[dict[str, SlotText]]  # for each run, its labels by key
_KEYS = ("heading", "heading_2", "heading_3", "heading_4")
_WORD = re.compile(r"[^\W\d_]+|[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]|(?<=\s)[+-]{1,9}(?!\S)")
_JOINING_WORDS = frozenset("a an and at by for in of on the to using w with".split())
_TIME = re.compile(TIME_WORDS, re.IGNORECASE)


def label_by_headings(places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: _LabelsOfRuns) -> None:
    """Add the nearest heading to the runs of one source that have the same labels and headings in different words."""
    for runs in by_source.values():
        headings = {at: (places[at].section or "").rpartition(" > ")[2] for at in runs}
        groups: dict[object, list[int]] = defaultdict(list)
        for at in runs if len(set(headings.values())) > 1 else ():
            title = read_title(headings[at])
            if not title.repeat and (title.name or title.settings or not any(map(str.isalnum, headings[at]))):
                groups[setting_of(places[at], found[at]), title._replace(name=title.name.casefold())].append(at)
        for group in groups.values():
            if _differ_in_words({headings[at] for at in group}):
                whole = {at: _without_framework(places[at], found[at], headings[at]) for at in group}
                short = shorten_names(whole.values())
                rests = {at: short[rest] for at, rest in whole.items()}
                are_told = len(set(rests.values())) == len({headings[at] for at in group})  # emoji are no part of names
                for at in group:
                    _add_heading(places[at], found[at], headings[at], rests[at] if are_told else headings[at])


def _differ_in_words(headings: Collection[str]) -> bool:
    """Whether headings that are read alike differ in words that tell something."""
    words = [set(_WORD.findall(heading.casefold())) for heading in headings]
    shared = set.intersection(*words)
    rest = set().union(*words) - shared - _JOINING_WORDS
    return any(not word.isalpha() or not (_TIME.fullmatch(word) or has_only_common_words(word)) for word in rest)


def _without_framework(place: Place, labels: Mapping[str, SlotText], heading: str) -> str:
    """The words of a heading besides the framework of a run."""
    framework = place.labels.get(FRAMEWORK) or (labels[FRAMEWORK].value if FRAMEWORK in labels else "")
    return without_framework(without_markup(heading), framework)


def _add_heading(place: Place, labels: dict[str, SlotText], heading: str, rest: str) -> None:
    """Add a part of a heading under the first key that the run does not have."""
    key = next((key for key in _KEYS if place.labels.get(key) is None and key not in labels), None)
    if key and rest:
        labels[key] = SlotText(rest, heading, "section")
