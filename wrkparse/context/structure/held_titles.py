"""Which title holds for runs that have none, because every title stands above the first run of several.

``kiwi``, a run at 100 connections, a line of notes, a run at 400, ``emu``, … The notes end what a title names, but if
no run with a title has a setting of those without, a title stands above the first run of a series only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from itertools import groupby

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


def _series(runs: Sequence[Place]) -> list[str]:
    """The title that holds for each run; none unless each title stands above several, and another setting follows."""
    if runs[0].title is None or len({place.title for place in runs}) < 3:  # two titles, and none
        return []
    held: list[str] = []
    for place in runs:
        held.append(place.title or held[-1])
    if any(sum(1 for _ in series) == 1 for _, series in groupby(held)):
        return []
    settings = _settings(runs)
    titled = {setting for setting, place in zip(settings, runs, strict=True) if place.title is not None}
    is_other = all(setting not in titled for setting, place in zip(settings, runs, strict=True) if place.title is None)
    return held if is_other else []


def _settings(runs: Sequence[Place]) -> list[Hashable]:
    """The settings that all runs have, of each run: those that a title gives say nothing of runs without one."""
    shared = {key for key in runs[0].labels if all(place.labels.get(key) is not None for place in runs)} - {FRAMEWORK}
    return [setting_of(place._replace(labels={key: place.labels[key] for key in shared}), {}) for place in runs]
