"""Names runs by their own command if the heading above them is the command of other runs below it.

Below ``## kiwi ci`` are ``time kiwi install`` and ``time kiwi ci``: the heading does not name the first of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from wrkparse.context.slots.places import FRAMEWORK, Place, SlotText
from wrkparse.context.structure.factors.factors import LabelsOfRuns, value_or_empty

_PROGRAM = "program"  # key of the label with the program that was measured


def name_by_own_commands(
    places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: LabelsOfRuns
) -> set[int]:
    """Name runs by their own command where a heading is that of other runs below it. Returns these runs."""
    renamed: set[int] = set()
    for runs in by_source.values():
        programs: dict[str | None, dict[int, str]] = defaultdict(dict)
        for at in runs:
            program = places[at].labels.get(_PROGRAM) or ""
            if " " in program:  # with its subcommand
                programs[places[at].section][at] = program
        for of_section in programs.values():
            others = {program.casefold() for program in of_section.values()}
            for at, program in of_section.items() if len(others) > 1 else ():
                name = value_or_empty(found[at].get(FRAMEWORK)).casefold()
                if name in others and name != program.casefold():
                    found[at][FRAMEWORK] = SlotText(program, program, _PROGRAM)
                    renamed.add(at)
    return renamed
