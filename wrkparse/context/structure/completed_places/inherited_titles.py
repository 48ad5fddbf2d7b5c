"""Finds the title that holds for runs without one, as other runs of their source show.

The last line of a paragraph is a title if other titles have its pattern: ``BEGIN kiwi`` below another line, ``BEGIN
emu`` alone. A title may also be above the first run of several: ``kiwi``, a run at 100 connections, a line of notes, a
run at 400, ``emu``, a run at 100, notes, a run at 400. The notes end the title, but the settings show that the same
series was measured below each title. A run that only one of the series has may belong to any title.

A line above a group of runs is a heading, and so are the lines above the single runs, if these are the same in each
group: ``kiwi``, ``delay 0:``, a run, ``delay 20:``, a run, ``emu``, ``delay 0:``, a run, ``delay 20:``, a run. The
groups of one name may come again, in rounds.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Sequence
from itertools import groupby

from wrkparse.context.nearby.evidence import LINE_SEPARATOR, LINES_ABOVE
from wrkparse.context.nearby.section_ends import patterns_with_gap
from wrkparse.context.page.title_lines import is_repeat, title_of_line
from wrkparse.context.slots.places import FRAMEWORK, Place, setting_of
from wrkparse.context.structure.completed_places.groups import changed_in_groups
from wrkparse.context.structure.completed_places.repeated_conditions import with_names_above_conditions
from wrkparse.context.structure.names.name_kinds import NameKind, kind_of_name
from wrkparse.context.titles.known_names import is_known_name
from wrkparse.context.titles.titles import read_title
from wrkparse.context.titles.vocabulary import TIME_WORDS

_TIME = re.compile(TIME_WORDS, re.IGNORECASE)  # a time of day does not name the runs below it


def with_inherited_titles(places: Sequence[Place]) -> list[Place]:
    """The places of runs, in order, with the titles of their paragraphs and series and the headings of groups."""
    places = changed_in_groups(places, lambda place: place.source, _with_titles_of_paragraphs)
    for change in (_with_titles_of_series, _with_headings_of_groups):
        places = changed_in_groups(places, lambda place: (place.source, place.section, place.tool), change)
    return list(with_names_above_conditions(places))


def _with_titles_of_series(runs: Sequence[Place]) -> Sequence[Place]:
    """Runs with the titles of their series."""
    titles = _titles_of_series(runs)
    return [run._replace(title=title) for run, title in zip(runs, titles, strict=True)] if titles else runs


def _with_titles_of_paragraphs(runs: Sequence[Place]) -> Sequence[Place]:
    """Runs of one source; one without a title gets the line above it, if other titles have its pattern."""
    # Comparing all titles takes longer than anything else that is done with them.
    if not any(not run.title and run.labels.get(LINES_ABOVE) for run in runs):
        return runs
    titles = {run.title for run in runs if run.title}
    are_names = len(titles) > 1 and all(map(_may_name_run, titles))
    forms = {form for title in titles for form in patterns_with_gap(title_of_line(title) or title)}
    if not (forms or are_names):
        return runs
    found: list[Place] = []
    held = ""
    for before, run in zip([runs[0], *runs], runs, strict=False):
        lines = [line for line in (run.labels.get(LINES_ABOVE) or "").split(LINE_SEPARATOR) if not is_repeat(line)]
        goes_on = run.section == before.section and not any(lines)
        held = "" if run.title else held if goes_on else _title_in_last_line(lines, forms, may_be_name=are_names)
        found.append(run._replace(title=held) if held else run)
    return found


def _with_headings_of_groups(runs: Sequence[Place]) -> Sequence[Place]:
    """Runs with the lines above groups of runs, and those above single ones, as headings."""
    headings = _names_and_steps(runs)
    return [
        run._replace(section=" > ".join(filter(None, (run.section, *names))), title=None)
        for run, names in zip(runs, headings, strict=True)
    ] if headings else runs  # fmt: skip


def _names_and_steps(runs: Sequence[Place]) -> list[tuple[str, str]]:
    """The line above the group of each run, and the one above the run; empty unless all groups have the same ones.

    Several groups may have one name, as in rounds of a script. The last one may be incomplete. A run directly below
    another one has the same line above it.
    """
    groups: list[tuple[str, list[str]]] = []
    found: list[tuple[str, str]] = []
    for place in runs:
        above = place.labels.get(LINES_ABOVE) or place.title or ""
        *names, step = map(title_of_line, _without_repeats(above.split(LINE_SEPARATOR)))
        is_same = bool(found) and not place.labels.get(LINES_ABOVE) and step in ("", found[-1][1])
        if not is_same:
            if not step or not (names or groups) or not all(map(_may_name_group, names)):
                return []
            groups += [(name, []) for name in names]
            groups[-1][1].append(step)
        found.append((groups[-1][0], groups[-1][1][-1]))
    *whole, last = [steps for _, steps in groups]
    first = whole[0] if whole else last
    are_alike = all(steps == first for steps in whole) and last == first[: len(last)]
    names_differ = len({name for name, _ in groups}) > 1
    return found if are_alike and names_differ and 1 < len(first) == len(set(first)) else []


def _without_repeats(lines: Sequence[str]) -> list[str]:
    """The lines above a run without those that only count a round; at least the last one."""
    return [*(line for line in lines[:-1] if not is_repeat(line)), lines[-1]]


def _may_name_group(title: str) -> bool:
    """Whether a title may name the runs below it: not a time of day."""
    return title != "" and _TIME.fullmatch(title) is None


def _title_in_last_line(lines: Sequence[str], forms: Collection[tuple[str, ...]], *, may_be_name: bool) -> str:
    """The last of some lines as a title; empty unless it has one of some patterns, or is a name.

    A name has a colon, or is a known one.
    """
    title = title_of_line(lines[-1]) if lines else ""
    is_name = may_be_name and ((lines[-1:] == [title] and is_known_name(title)) or _is_name_with_colon(lines, title))
    return title if is_name or any(form in forms for form in patterns_with_gap(title)) else ""


def _is_name_with_colon(lines: Sequence[str], title: str) -> bool:
    """Whether the last of some lines, whose title this is, is a name with a colon behind it."""
    return bool(lines) and lines[-1].endswith((":", "：")) and _may_name_run(title)


def _may_name_run(title: str) -> bool:
    """Whether a title is the name of a thing or of a state."""
    return kind_of_name(read_title(title).name) is not NameKind.OTHER


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
    # a title above one run only begins no series
    if any(len(list(series)) == 1 for _, series in groupby(held)):
        return []
    others = [settings for settings in following if settings]
    return held if len(others) > 1 and all(one == others[0] for one in others) and not others[0] & titled else []


def _shared_settings(runs: Sequence[Place]) -> list[Hashable]:
    """The setting of each run, made of the labels that all runs have: other labels may come from titles."""
    shared = {key for key in runs[0].labels if all(place.labels.get(key) is not None for place in runs)} - {FRAMEWORK}
    return [setting_of(place._replace(labels={key: place.labels[key] for key in shared}), {}) for place in runs]
