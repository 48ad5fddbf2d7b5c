"""Warm-ups that remarks announce, or that only other runs show: lines above runs, ``warmup/`` beside ``measured/``.

One path alone does not tell whether such a folder has warm-ups: beside ``no-warmup/`` it is a setting. Nor does one
line: the output of the warm-up may not be in the log.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from wrkparse.context.nearby.evidence import REMARK
from wrkparse.context.slots.places import PHASE, Place, SlotText, lines_above
from wrkparse.context.titles.titles import read_title

_WARM_UP = re.compile(r"(?:warm|heat)(?:ing)?[-_ ]?ups?(?:[-_ ]?runs?)?", re.IGNORECASE)  # "warmup", "warm-up runs"
# "warm", "no-warmup"
_WARM = re.compile(r"(?<![a-z])(?:no|un)?(?:warm|heat)(?:ed|ing)?(?:[-_ ]?ups?)?(?![a-z])", re.IGNORECASE)
# Beside a folder with one of these names, a folder "warm" has warm-ups; beside "cold", "warm" is the state of a cache.
_MEASURED = re.compile(
    r"(?:bench(?:mark)?(?:ed|s)?|final|measure(?:d|ments?)?|real|timed)(?:[-_ ]?runs?)?", re.IGNORECASE
)


def warm_up_labels(places: Sequence[Place]) -> dict[int, dict[str, SlotText]]:
    """The label ``phase`` of runs of warm-ups, by the run's index."""
    remarked = {
        at: {PHASE: SlotText("warm-up", remark, "lead")}
        for at, place in enumerate(places)
        if (remark := place.labels.get(REMARK)) and _announces_warm_up(remark) and place.labels.get(PHASE) is None
    }
    return remarked | _warm_ups_below_lines(places) | _warm_ups_in_folders(places)


def _announces_warm_up(line: str) -> bool:
    return (PHASE, "warm-up") in read_title(line.rstrip(" .…")).settings


def _warm_ups_below_lines(places: Sequence[Place]) -> dict[int, dict[str, SlotText]]:
    """The runs directly below ``warming up kiwi...``, if the next other run of the section has a line of its own above.

    Without that, the line may be about a warm-up whose output is elsewhere.
    """
    found: dict[int, dict[str, SlotText]] = {}
    measured: dict[str, Place] = {}  # by source, the next run that is no warm-up
    for at, place in reversed(list(enumerate(places))):
        line = (lines_above(place) or [""])[-1]
        if not _announces_warm_up(line):
            measured[place.source] = place
        elif (following := measured.get(place.source)) and lines_above(following):
            is_same_section = (following.section or "").startswith(place.section or "")
            if is_same_section and place.labels.get(PHASE) is None:
                found[at] = {PHASE: SlotText("warm-up", line, "lead")}
    return found


def _warm_ups_in_folders(places: Sequence[Place]) -> dict[int, dict[str, SlotText]]:
    """The runs in folders of warm-ups, if other folders are beside them."""
    folders: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))  # by depth, the runs by folder
    for at, place in enumerate(places):
        for depth, folder in enumerate(place.source.split("/")[:-1]):
            folders[depth][folder].append(at)
    return {
        at: {PHASE: SlotText("warm-up", folder, "folder")}
        for of_depth in folders.values()
        for folder in _warm_up_folders(of_depth)
        for at in of_depth[folder]
        if places[at].labels.get(PHASE) is None
    }


def _warm_up_folders(folders: Mapping[str, Sequence[int]]) -> list[str]:
    """The folders of warm-ups among the folders at one depth; none if others say that runs had none: ``no-warmup``."""
    others = [folder for folder in folders if not _WARM.search(folder)]
    found = [folder for folder in folders if _WARM_UP.fullmatch(folder)]
    if all(map(_MEASURED.fullmatch, others)):
        found += [folder for folder in folders if folder.casefold() == "warm"]
    are_all_known = len(found) + len(others) == len(folders)  # no "no-warmup", and no "warm" that is a state
    return found if others and are_all_known else []
