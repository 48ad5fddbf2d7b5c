"""Labels runs by the lines at the top of a section: ``## Benchmark 1``, ``- limit-conn 512``, runs.

*Benchmark 1* and *Benchmark 2* name nothing, but if the lines below them differ, their runs are no repeats.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

from wrkparse.context.nearby.evidence import LINE_SEPARATOR, SECTION_FACTS
from wrkparse.context.page.title_lines import is_repeat
from wrkparse.context.slots.places import HEADING_KEYS, Place, SlotText, lines_above, setting_of
from wrkparse.context.structure.differences.held_settings import is_result_or_repeat, settings_in_lines
from wrkparse.context.titles.titles import read_title
from wrkparse.context.titles.vocabulary import LABEL_KEYS, NON_LABEL_KEYS

_LabelsOfRuns = Sequence[dict[str, SlotText]]  # for each run, its labels by key
# "limit-conn 512", "pool size 16", "limit-conn=512"
_KEY_AND_NUMBER = re.compile(
    r"[-*• ]{0,4}([A-Za-z][A-Za-z_-]{1,30}(?: [a-z][a-z_-]{1,20})?)(?: {1,4}| ?= ?)([0-9][\w.]{0,15})"
)
_NUMBER = re.compile(r"[0-9]{1,9}")
# A time, and the number beside a word for what is new in each run: "pid 4121", "load average: 0.52", "4121 MB free".
_NEW_EACH_TIME = re.compile(
    r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?"
    r"|\b(?:pid|process|job|load(?: average)?|uptime|temp(?:erature)?|free|avail(?:able)?|idle|took|since)\b\D{0,12}"
    r"[0-9][0-9.,]{0,12}"
    r"|[0-9][0-9.,]{0,12}\D{0,6}\b(?:free|available|idle|up)\b",
    re.IGNORECASE,
)


class _Facts(NamedTuple):
    """A heading, and the lines directly below it."""

    heading: str
    lines: tuple[str, ...]


def label_by_section_facts(
    places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: _LabelsOfRuns
) -> None:
    """Add the settings at the top of sections to runs of a source that have the same labels and differ in them.

    If the lines state no setting, the runs get the headings of their sections.
    """
    for runs in by_source.values():
        for facts in _facts_of_siblings(runs, places):
            if not _unlike(facts, places, found):
                continue
            settings = {of_section: _settings(of_section.lines) for of_section in set(facts.values())}
            for key in set.intersection(*(set(of_section) for of_section in settings.values())):
                if len({of_section[key].value for of_section in settings.values()}) > 1:
                    for at, of_run in facts.items():
                        if places[at].labels.get(key) is None:
                            found[at].setdefault(key, settings[of_run][key])
            if _unlike(facts, places, found):
                free = next((key for key in HEADING_KEYS if not any(key in found[at] for at in facts)), "heading")
                for at, of_run in facts.items():
                    found[at].setdefault(free, SlotText(of_run.heading.rstrip(" :.："), of_run.heading, "section"))


def _facts_of_siblings(runs: Sequence[int], places: Sequence[Place]) -> list[dict[int, _Facts]]:
    """The facts that hold for the runs below headings that differ only in their numbers, if several have facts."""
    of_sections: dict[str, _Facts] = {}
    of_texts: dict[str, _Facts] = {}  # all runs of a section have the same text
    siblings: dict[tuple[str, str], dict[int, _Facts]] = defaultdict(dict)
    for at in runs:
        section = places[at].section or ""
        outer, _, heading = section.rpartition(" > ")
        if section not in of_sections:  # the first run of the section has its lines
            of_sections[section] = _facts_of(LINE_SEPARATOR.join([heading, *lines_above(places[at])]))
        siblings[outer, _without_number(heading)][at] = of_sections[section]
        if text := places[at].labels.get(SECTION_FACTS):
            if text not in of_texts:
                of_texts[text] = _facts_of(text)
            facts = of_texts[text]
            siblings[section.rpartition(facts.heading)[0], _without_number(facts.heading)][at] = facts
    return [of_runs for of_runs in siblings.values() if len({of.heading for of in of_runs.values() if of.lines}) > 1]


def _without_number(heading: str) -> str:
    return _NUMBER.sub("", heading.rstrip(" :.："))


def _facts_of(text: str) -> _Facts:
    heading, *lines = text.split(LINE_SEPARATOR)
    stated = (line for line in lines if not any(map(is_result_or_repeat, settings_in_lines([line]))))
    return _Facts(heading, tuple(line for line in stated if not is_repeat(line) and not _NEW_EACH_TIME.fullmatch(line)))


def _unlike(facts: Mapping[int, _Facts], places: Sequence[Place], found: _LabelsOfRuns) -> list[list[int]]:
    """The groups of runs with the same labels that are below different facts."""
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for at in facts:
        groups[setting_of(places[at], found[at])].append(at)
    return [group for group in groups.values() if len({_unchanging(facts[at].lines) for at in group}) > 1]


def _unchanging(lines: Sequence[str]) -> tuple[str, ...]:
    """Lines without what is new in each run."""
    return tuple(_NEW_EACH_TIME.sub("", line) for line in lines)


def _settings(lines: Sequence[str]) -> dict[str, SlotText]:
    """The settings that lines state, by their key."""
    stated = {key: setting.label for key, setting in settings_in_lines(lines).items()}
    for line in lines:
        for key, value in () if _NEW_EACH_TIME.search(line) else _of_line(line):
            stated.setdefault(LABEL_KEYS.get(key, key), SlotText(value, line, "setting"))
    return {key: label for key, label in stated.items() if key not in NON_LABEL_KEYS}


def _of_line(line: str) -> Iterator[tuple[str, str]]:
    title = read_title(line)
    yield from ((key, value) for key, value in title.settings)
    if not title.settings and (match := _KEY_AND_NUMBER.fullmatch(line)):
        yield re.sub(r"[ -]", "_", match[1].lower()), match[2]
