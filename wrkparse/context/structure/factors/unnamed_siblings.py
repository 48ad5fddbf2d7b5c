"""Names the runs whose line above is a name only beside the lines above the others: ``Old app:``, ``Python app:``.

If the framework of some runs is the whole line above them, and the others have a line there, too, that distinguishes
them or begins like one of those, then each of these lines names what was measured. A known word in one of them is no
reason to name that alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from wrkparse.context.slots.places import FRAMEWORK, Place, SlotText, framework_of, lines_above
from wrkparse.context.structure.factors.factors import LabelsOfRuns
from wrkparse.context.structure.names.name_kinds import NameKind, kind_of_name

_HEADING = "heading"


def name_unnamed_siblings(places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: LabelsOfRuns) -> None:
    """Turn the lines above the unnamed runs of a source into frameworks if all lines above its runs are names."""
    for runs in by_source.values():
        frameworks = {at: name for at in runs if (name := framework_of(places[at], found[at]))}
        if not frameworks or len(frameworks) == len(runs):
            continue
        if not all(_as_line(places[at].title) == _as_line(name) for at, name in frameworks.items()):
            continue
        beginnings = {_beginning(name) for name in frameworks.values()}
        names = {
            at: _name_above(places[at], found[at].get(_HEADING), beginnings) for at in runs if at not in frameworks
        }
        named = {at: label for at, label in names.items() if label}
        if len(named) == len(names):
            for at, label in named.items():
                found[at][FRAMEWORK] = label
                found[at].pop(_HEADING, None)


def _name_above(place: Place, heading: SlotText | None, beginnings: Collection[str]) -> SlotText | None:
    """The name in the nearest line above a run, or in the one that gave its heading; None if the line names nothing.

    A long line is a name if it begins like one above another run: ``Static pages through kiwi``, ``Static pages
    through a proxy that emu is behind``.
    """
    lines = lines_above(place)
    text = heading.text if heading else next(reversed(lines), "")
    line = _as_line(text)
    if not line or line not in map(_as_line, lines):
        return None
    is_name = heading is not None and kind_of_name(heading.value) in (NameKind.KNOWN, NameKind.NAMES)
    if heading and is_name and line.startswith(_as_line(heading.value)):
        return heading
    return SlotText(text.strip(" :："), text, "lead") if _beginning(text) in beginnings else None


def _beginning(line: str) -> str:
    """The first two words of a line with more of them; the whole of a shorter one."""
    return " ".join(_as_line(line).split()[:2])


def _as_line(text: str | None) -> str:
    return (text or "").strip(" :：").casefold()
