"""The framework of runs that no place names, but a label does: ``impl=kiwi`` and ``impl=emu``, the servers of ``ab``.

One such label alone may say anything. So it counts only where all runs of a tool have it, none has a framework, and
their values differ.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from wrkparse.context.slots.name_kinds import Kind, kind_of_name
from wrkparse.context.slots.slots import Place, SlotText

_FRAMEWORK = "framework"
SERVER = "server_software"
# Keys that say of a value that it is what was measured, as files have them in their names: impl=kiwi,conns=64.txt.
_KEYS = tuple(
    """impl implementation engine variant candidate contender subject target app application service svc lib library
    backend allocator scheduler""".split()
)


def name_by_labels(places: Sequence[Place], found: Sequence[dict[str, SlotText]]) -> None:
    """Give runs the framework that one of their labels says, where all runs of a tool have the label and no other."""
    by_tool: dict[str, list[int]] = defaultdict(list)
    for at, place in enumerate(places):
        by_tool[place.tool].append(at)
    for runs in by_tool.values():
        if any(places[at].labels.get(_FRAMEWORK) is not None or _FRAMEWORK in found[at] for at in runs):
            continue
        named = [names for key in _KEYS if (names := _names(places, runs, key))]
        if len(named) == 1 or (not named and (named := [_servers(places, runs)])):
            for at, said in named[0].items():
                found[at][_FRAMEWORK] = said


def _names(places: Sequence[Place], runs: Sequence[int], key: str) -> Mapping[int, SlotText]:
    """The names that the labels of a key are; none if a run has none, all are alike, or one is a condition."""
    values = {at: value for at in runs if (value := places[at].labels.get(key))}
    different = set(values.values())
    if len(values) < len(runs) or len(different) < 2 or any(kind_of_name(name) is Kind.OTHER for name in different):
        return {}
    return {at: SlotText(value, f"{key}={value}", "setting") for at, value in values.items()}


def _servers(places: Sequence[Place], runs: Sequence[int]) -> Mapping[int, SlotText]:
    """The servers that runs print: ``Apache/2.4.52`` is Apache, but with its version beside another one."""
    printed = {at: software for at in runs if (software := places[at].labels.get(SERVER))}
    products = {software: software.split("/")[0].split(" ")[0] for software in printed.values()}
    if len(printed) < len(runs) or len(products) < 2:
        return {}
    is_name = len(set(products.values())) == len(products)
    return {at: SlotText(products[one] if is_name else one, one, "printed") for at, one in printed.items()}
