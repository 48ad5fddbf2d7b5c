"""Finds the names to which conditions belong that come again below each name.

``kiwi``, a run, ``with a cache``, a run, ``emu``, a run, ``with a cache``, a run: the second run is of kiwi with a
cache, the fourth of emu. The lines or headings look alike, but runs below the same condition are no repeats.
"""

from __future__ import annotations

import functools
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence

from wrkparse.context.slots.places import Place
from wrkparse.context.structure.completed_places.groups import changed_in_groups
from wrkparse.context.structure.names.combined_names import PRESENCE_WORDS
from wrkparse.context.structure.names.name_kinds import NameKind, kind_of_name
from wrkparse.context.titles.titles import read_title

_SEPARATOR = " > "  # between the headings of a section
_FEWEST_RUNS = 4  # two names, and a condition below each
# "now with a cache", "running without TLS"
_BEGINS_CONDITION = re.compile(
    r"\W{0,9}(?:(?:and|again|now|then|same|benchmarking|measuring|running|testing)\s+){0,3}"
    rf"(?:using|plus|{'|'.join(sorted(PRESENCE_WORDS))})\s",
    re.IGNORECASE,
)


def with_names_above_conditions(places: Sequence[Place]) -> Sequence[Place]:
    """The places of runs, in order; a condition that comes again below different names is below its name."""
    if max(Counter(place.source for place in places).values(), default=0) < _FEWEST_RUNS:  # many files of one run each
        return places
    if any(place.title for place in places):
        places = changed_in_groups(
            places, lambda place: (place.source, place.section, place.tool), _with_titles_below_names
        )
    return changed_in_groups(
        places, lambda place: (place.source, split_section(place.section)[0], place.tool), _with_sections_below_names
    )


def may_come_again(texts: Collection[str]) -> bool:
    """Whether a condition may be below several names, given what is above the runs of one section.

    Then the order of the runs counts.
    """
    conditions = {text for text, times in Counter(texts).items() if times > 1 and _is_condition(text)}
    return bool(conditions) and len(set(texts) - conditions) > 1


def _with_titles_below_names(runs: Sequence[Place]) -> Sequence[Place]:
    """Runs of one section: their titles as headings, the conditions among them below the names."""
    paths = _names_and_conditions([run.title or "" for run in runs])
    return [
        run._replace(section=_SEPARATOR.join(filter(None, (run.section, name))), title=condition or None)
        for run, (name, condition) in zip(runs, paths, strict=True)
    ] if paths else runs  # fmt: skip


def _with_sections_below_names(runs: Sequence[Place]) -> Sequence[Place]:
    """Runs below the headings of one level; the conditions among these are below the names."""
    outer, _ = split_section(runs[0].section)
    paths = _names_and_conditions([split_section(run.section)[1] for run in runs])
    return [
        run._replace(section=_SEPARATOR.join(filter(None, (outer, *path))))
        for run, path in zip(runs, paths, strict=True)
    ] if paths else runs  # fmt: skip


def _names_and_conditions(texts: Sequence[str]) -> list[tuple[str, str]]:
    """The name of each run and its condition, which may be empty.

    Empty unless names and conditions are all that is above the runs, and a condition is below several names.
    """
    if not may_come_again(texts):  # most pages
        return []
    found: list[tuple[str, str]] = []
    names_above: dict[str, set[str]] = defaultdict(set)
    name = ""
    for text in texts:
        if _is_condition(text):
            names_above[text].add(name)
        elif kind_of_name(read_title(text).name) in (NameKind.NAMES, NameKind.KNOWN):
            name = text
        else:
            return []
        if not name:
            return []
        found.append((name, "" if text == name else text))
    return found if any(len(names) > 1 for names in names_above.values()) else []


@functools.lru_cache(maxsize=1024)  # conditions come again
def _is_condition(text: str) -> bool:
    """Whether a text says how something was measured: ``with a cache``, ``keep-alive``, ``GET /json``."""
    title = read_title(text)
    if not title.name:
        return bool(title.settings)
    return _BEGINS_CONDITION.match(text) is not None or kind_of_name(title.name) is NameKind.OTHER


def split_section(section: str | None) -> tuple[str, str]:
    """The outer headings of a section, and the innermost one."""
    outer, _, heading = (section or "").rpartition(_SEPARATOR)
    return outer, heading
