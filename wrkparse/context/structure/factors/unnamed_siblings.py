"""Names the runs whose line above is a name only beside the lines above the others: ``Old app:``, ``Python app:``.

If the framework of some runs is the whole line above them, the others have a line there, too, and it distinguishes
them, then each of these lines names what was measured. A known word in one of them is no reason to name that alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wrkparse.context.slots.places import FRAMEWORK, Place, SlotText, framework_of, lines_above
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
        if are_whole and all(_is_name_above(places[at], heading) for at, heading in headings.items()):
            for at, heading in headings.items():
                found[at][FRAMEWORK] = heading
                del found[at][_HEADING]


def _is_name_above(place: Place, heading: SlotText) -> bool:
    """Whether a heading is the beginning of a line above a run, and a name."""
    lines = map(_as_line, lines_above(place))
    is_line = _as_line(heading.text) in lines and _as_line(heading.text).startswith(_as_line(heading.value))
    return is_line and kind_of_name(heading.value) in (NameKind.KNOWN, NameKind.NAMES)


def _as_line(text: str | None) -> str:
    return (text or "").strip(" :：").casefold()
