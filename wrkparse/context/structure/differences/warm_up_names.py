"""Gives the framework of a warm-up to the measured runs below it.

``kiwi``, ``Warmup...``, a report, ``Test...``, a report: the name above the warm-up holds for the next runs, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wrkparse.context.slots.places import FRAMEWORK, PHASE, Place, SlotText, framework_of
from wrkparse.context.structure.factors.factors import LabelsOfRuns


def share_warm_up_names(places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: LabelsOfRuns) -> None:
    """Add the framework of the warm-up above to the runs of a source, if all warm-ups and no other runs have one."""
    for runs in by_source.values():
        warm = [at for at in runs if places[at].labels.get(PHASE)]
        named = [at for at in runs if framework_of(places[at], found[at])]
        if not warm or warm != named or warm[0] != runs[0]:
            continue
        name = ""
        for at in runs:
            name = framework_of(places[at], found[at]) or name
            if at not in warm and places[at].section == places[runs[0]].section:
                found[at][FRAMEWORK] = SlotText(name, name, "title")
