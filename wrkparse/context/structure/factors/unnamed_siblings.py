"""Names the runs whose line above is a name only beside the lines above the others: ``Legacy app:``, ``Go app:``.

If the framework of some runs is the whole line above them, the others have a line there, too, and it distinguishes
them, then each of these lines names what was measured. A known word in one of them is no reason to name that alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wrkparse.context.slots.places import FRAMEWORK, Place, framework_of
from wrkparse.context.structure.factors.factors import LabelsOfRuns
from wrkparse.context.structure.names.name_kinds import NameKind, kind_of_name

_HEADING = "heading"


def name_unnamed_siblings(places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: LabelsOfRuns) -> None:
    """Turn the headings of the unnamed runs of a source into frameworks if all lines above its runs are names."""
    for runs in by_source.values():
        frameworks = {at: name for at in runs if (name := framework_of(places[at], found[at]))}
        headings = {at: found[at][_HEADING] for at in runs if at not in frameworks and _HEADING in found[at]}
        if not (headings and frameworks) or len(headings) + len(frameworks) < len(runs):
            continue
        are_whole = all(_as_line(places[at].title) == _as_line(name) for at, name in frameworks.items())
        if are_whole and all(
            heading.kind == "lead"
            and _as_line(heading.text).startswith(_as_line(heading.value))
            and _may_name(heading.value)
            for heading in headings.values()
        ):
            for at, heading in headings.items():
                found[at][FRAMEWORK] = heading
                del found[at][_HEADING]


def _as_line(text: str | None) -> str:
    return (text or "").strip(" :：").casefold()


def _may_name(text: str) -> bool:
    return kind_of_name(text) in (NameKind.KNOWN, NameKind.NAMES)
