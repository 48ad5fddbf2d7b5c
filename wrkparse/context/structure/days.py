"""The day of a run as a label, where the paths name several days and nothing else tells the runs apart."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence

from wrkparse.context.slots.slots import Place, SlotText, setting_of
from wrkparse.context.titles.path_days import day_in_path, has_time

DAY = "day"


def label_days(places: Sequence[Place], found: Sequence[dict[str, SlotText]], runs: Mapping[int, int]) -> None:
    """Give runs the day of their path: ``2026-11-20/run-1.txt``. `runs` counts those of each place, if not one.

    Runs of two days that agree otherwise may be repeats, or before and after a change. Several runs on most days say
    that repeats were made within a day, so the days are compared; days with a run each stay repeats. So do runs whose
    paths have a time of day, too: a series of them may go on over midnight.
    """
    if not places or day_in_path(places[0].source) is None:
        return
    days = [day_in_path(place.source) for place in places]
    times: Counter[Hashable] = Counter()
    for at, (place, day) in enumerate(zip(places, days, strict=True)):
        times[place.tool, day] += runs.get(at, 1)
    has_repeats = 2 * sum(count > 1 for count in times.values()) > len(times)
    if None in days or len(set(days)) < 2 or not has_repeats or _differ(places, found):
        return
    if any(has_time(place.source) for place in places):
        return
    for at, (place, day) in enumerate(zip(places, days, strict=True)):
        assert day is not None
        text = next(part for part in place.source.split("/") if day_in_path(part))
        found[at][DAY] = SlotText(day.isoformat(), text, "file" if place.source.endswith(text) else "folder")


def _differ(places: Sequence[Place], found: Sequence[Mapping[str, SlotText]]) -> bool:
    """Whether labels tell runs of a tool apart."""
    settings: dict[str, set[Hashable]] = defaultdict(set)
    for place, labels in zip(places, found, strict=True):
        settings[place.tool].add(setting_of(place, labels))
    return any(len(of_tool) > 1 for of_tool in settings.values())
