"""Which title holds for runs that have none, as other runs of their source show.

The last line of a paragraph is a title if others have its form: ``BEGIN kiwi`` below another line, ``BEGIN emu`` alone.
And every title may stand above the first run of several: ``kiwi``, a run at 100 connections, a line of notes, a run at
400, ``emu``, a run at 100, notes, a run at 400. The notes end what a title names, but the settings show that the same
series was measured below each. A run that only one of them has may be of anything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Sequence
from itertools import groupby

from wrkparse.context.leads import ABOVE, SEPARATOR
from wrkparse.context.page.title_lines import title_of_line
from wrkparse.context.section_ends import forms_of
from wrkparse.context.slots.siblings import FRAMEWORK
from wrkparse.context.slots.slots import Place, setting_of


def with_held_titles(places: Sequence[Place]) -> list[Place]:
    """The places of runs, in order, with the titles that hold for them."""
    groups: dict[tuple[str, str | None, str], list[int]] = defaultdict(list)
    for at, place in enumerate(places):
        groups[place.source, place.section, place.tool].append(at)
    found = list(places)
    for runs in groups.values():
        series = _series([places[at] for at in runs])
        for at, title in zip(runs, series, strict=False):
            found[at] = places[at]._replace(title=title)
    return found


def with_titles_of_paragraphs(places: Sequence[Place]) -> list[Place]:
    """The places of runs, in order; a run without a title has the line above it, if other titles have its form."""
    by_source: dict[str, list[int]] = defaultdict(list)
    for at, place in enumerate(places):
        by_source[place.source].append(at)
    found = list(places)
    for runs in by_source.values():
        forms = {form for title in {places[at].title or "" for at in runs} for form in forms_of(title)}
        held = ""
        for before, at in zip([runs[0], *runs], runs if forms else (), strict=False):
            goes_on = places[at].section == places[before].section and not places[at].labels.get(ABOVE)
            held = "" if places[at].title else held if goes_on else _last_line(places[at], forms)
            if held:
                found[at] = places[at]._replace(title=held)
    return found


def _last_line(place: Place, forms: Collection[tuple[str, ...]]) -> str:
    """The last line above a run as a title; empty unless it has one of some forms."""
    title = title_of_line((place.labels.get(ABOVE) or "").rpartition(SEPARATOR)[2])
    return title if any(form in forms for form in forms_of(title)) else ""


def _series(runs: Sequence[Place]) -> list[str]:
    """The title that holds for each run; none unless the same settings follow each title, and stand below none."""
    if not runs[0].title or len({place.title or None for place in runs}) < 3:  # two titles, and none
        return []
    titled: set[Hashable] = set()
    following: list[set[Hashable]] = []  # of each title, the settings of the runs without one
    held: list[str] = []
    for place, setting in zip(runs, _settings(runs), strict=True):
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


def _settings(runs: Sequence[Place]) -> list[Hashable]:
    """The settings that all runs have, of each run: those that a title gives say nothing of runs without one."""
    shared = {key for key in runs[0].labels if all(place.labels.get(key) is not None for place in runs)} - {FRAMEWORK}
    return [setting_of(place._replace(labels={key: place.labels[key] for key in shared}), {}) for place in runs]
