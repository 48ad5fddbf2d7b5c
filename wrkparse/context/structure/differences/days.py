"""Labels the day of a run, if the paths name several days and nothing else distinguishes the runs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence

from wrkparse.context.slots.places import Place, SlotText, setting_of
from wrkparse.context.titles.path_days import day_in_path, has_time_of_day

DAY = "day"


def label_days(places: Sequence[Place], found: Sequence[dict[str, SlotText]], runs: Mapping[int, int]) -> None:
    """Add the day of its path to each run: ``2026-11-20/run-1.txt``. `runs` counts the runs of a place with several.

    Runs of two days with the same labels may be repeats, or runs before and after a change. If most days have several
    runs, repeats were made within a day, so the days are compared. Days with one run each stay repeats, as do runs
    whose paths have a time of day: a series of them may continue after midnight.
    """
    if not places or day_in_path(places[0].source) is None:
        return
    days = [day_in_path(place.source) for place in places]
    times: Counter[Hashable] = Counter()
    for at, (place, day) in enumerate(zip(places, days, strict=True)):
        times[place.tool, day] += runs.get(at, 1)
    has_repeats = 2 * sum(count > 1 for count in times.values()) > len(times)
    if None in days or len(set(days)) < 2 or not has_repeats or _have_different_settings(places, found):
        return
    if any(has_time_of_day(place.source) for place in places):
        return
    for at, (place, day) in enumerate(zip(places, days, strict=True)):
        assert day is not None
        text = next(part for part in place.source.split("/") if day_in_path(part))
        found[at][DAY] = SlotText(day.isoformat(), text, "file" if place.source.endswith(text) else "folder")


def _have_different_settings(places: Sequence[Place], found: Sequence[Mapping[str, SlotText]]) -> bool:
    """Whether labels distinguish runs of a tool."""
    settings: dict[str, set[Hashable]] = defaultdict(set)
    for place, labels in zip(places, found, strict=True):
        settings[place.tool].add(setting_of(place, labels))
    return any(len(of_tool) > 1 for of_tool in settings.values())
