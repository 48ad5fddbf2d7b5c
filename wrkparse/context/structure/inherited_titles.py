"""Finds the title that holds for runs without one, as other runs of their source show.

The last line of a paragraph is a title if other titles have its pattern: ``BEGIN kiwi`` below another line, ``BEGIN
emu`` alone. A title may also be above the first run of several: ``kiwi``, a run at 100 connections, a line of notes, a
run at 400, ``emu``, a run at 100, notes, a run at 400. The notes end the title, but the settings show that the same
series was measured below each title. A run that only one of the series has may belong to any title.

A line above a group of runs is a heading, and so are the lines above the single runs, if these are the same in each
group: ``kiwi``, ``delay 0:``, a run, ``delay 20:``, a run, ``emu``, ``delay 0:``, a run, ``delay 20:``, a run.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Hashable, Sequence
from itertools import groupby

from wrkparse.context.nearby_lines import LINE_SEPARATOR, LINES_ABOVE
from wrkparse.context.page.title_lines import title_of_line
from wrkparse.context.section_ends import patterns_with_gap
from wrkparse.context.slots.siblings import FRAMEWORK
from wrkparse.context.slots.slots import Place, setting_of
from wrkparse.context.titles.vocabulary import TIME_WORDS

_TIME = re.compile(TIME_WORDS, re.IGNORECASE)  # a time of day does not name the runs below it


def with_titles_of_series(places: Sequence[Place]) -> list[Place]:
    """The places of runs, in order, with the titles of their series."""
    groups: dict[tuple[str, str | None, str], list[int]] = defaultdict(list)
    for at, place in enumerate(places):
        groups[place.source, place.section, place.tool].append(at)
    found = list(places)
    for runs in groups.values():
        series = _titles_of_series([places[at] for at in runs])
        for at, title in zip(runs, series, strict=False):
            found[at] = places[at]._replace(title=title)
    return found


def with_titles_of_paragraphs(places: Sequence[Place]) -> list[Place]:
    """The places of runs, in order; a run without a title gets the line above it, if other titles have its pattern."""
    by_source: dict[str, list[int]] = defaultdict(list)
    for at, place in enumerate(places):
        by_source[place.source].append(at)
    found = list(places)
    for runs in by_source.values():
        forms = {form for title in {places[at].title or "" for at in runs} for form in patterns_with_gap(title)}
        held = ""
        for before, at in zip([runs[0], *runs], runs if forms else (), strict=False):
            goes_on = places[at].section == places[before].section and not places[at].labels.get(LINES_ABOVE)
            held = "" if places[at].title else held if goes_on else _title_in_last_line(places[at], forms)
            if held:
                found[at] = places[at]._replace(title=held)
    return found


def with_headings_of_groups(places: Sequence[Place]) -> list[Place]:
    """The places of runs, in order, with the lines above groups of runs, and those above single ones, as headings."""
    by_section: dict[tuple[str, str | None, str], list[int]] = defaultdict(list)
    for at, place in enumerate(places):
        by_section[place.source, place.section, place.tool].append(at)
    found = list(places)
    for runs in by_section.values():
        for at, (name, step) in zip(runs, _names_and_steps([places[at] for at in runs]), strict=False):
            section = " > ".join(filter(None, (places[at].section, name, step)))
            found[at] = places[at]._replace(section=section, title=None)
    return found


def _names_and_steps(runs: Sequence[Place]) -> list[tuple[str, str]]:
    """The line above the group of each run, and the one above the run; empty unless all groups have the same ones."""
    found: list[tuple[str, str]] = []
    steps: dict[str, list[str]] = {}
    for place in runs:
        above = place.labels.get(LINES_ABOVE) or place.title or ""
        *names, step = map(title_of_line, above.split(LINE_SEPARATOR))
        is_name = bool(names) and names[0] not in ("", *steps) and _TIME.fullmatch(names[0]) is None
        if not step or len(names) > 1 or (names and not is_name) or not (names or found):
            return []
        name = names[0] if names else found[-1][0]
        steps.setdefault(name, []).append(step)
        found.append((name, step))
    first = next(iter(steps.values()), [])
    are_alike = len(steps) > 1 and all(of_name == first for of_name in steps.values())
    return found if are_alike and len(first) > 1 and len(set(first)) == len(first) else []


def _title_in_last_line(place: Place, forms: Collection[tuple[str, ...]]) -> str:
    """The last line above a run as a title; empty unless it has one of some patterns."""
    title = title_of_line((place.labels.get(LINES_ABOVE) or "").rpartition(LINE_SEPARATOR)[2])
    return title if any(form in forms for form in patterns_with_gap(title)) else ""


def _titles_of_series(runs: Sequence[Place]) -> list[str]:
    """The title of each run; empty unless the same settings follow each title, and are not directly below one."""
    if not runs[0].title or len({place.title or None for place in runs}) < 3:  # two titles, and none
        return []
    titled: set[Hashable] = set()
    following: list[set[Hashable]] = []  # of each title, the settings of the runs without one
    held: list[str] = []
    for place, setting in zip(runs, _shared_settings(runs), strict=True):
        if not place.title:
            following[-1].add(setting)
        else:
            titled.add(setting)
            if not held or place.title != held[-1]:
                following.append(set())
        held.append(place.title or held[-1])
    if any(len(list(series)) == 1 for _, series in groupby(held)):
        return []
    others = [settings for settings in following if settings]
    return held if len(others) > 1 and all(one == others[0] for one in others) and not others[0] & titled else []


def _shared_settings(runs: Sequence[Place]) -> list[Hashable]:
    """The setting of each run, made of the labels that all runs have: other labels may come from titles."""
    shared = {key for key in runs[0].labels if all(place.labels.get(key) is not None for place in runs)} - {FRAMEWORK}
    return [setting_of(place._replace(labels={key: place.labels[key] for key in shared}), {}) for place in runs]
