"""Finds the framework of runs in another label if no place names it: ``impl=kiwi``, the servers that ``ab`` prints.

One such label alone may mean anything. So it counts only if all runs of a tool have it, none has a framework, and its
values differ.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from wrkparse.context.slots.places import Place, SlotText
from wrkparse.context.structure.names.name_kinds import NameKind, kind_of_name

_FRAMEWORK = "framework"
SERVER_SOFTWARE = "server_software"
# Keys whose value is the thing that was measured, as in names of files: impl=kiwi,conns=64.txt.
_FRAMEWORK_KEYS = tuple(
    """impl implementation engine variant candidate contender subject target app application service svc lib library
    backend allocator scheduler""".split()
)


def label_frameworks(places: Sequence[Place], found: Sequence[dict[str, SlotText]]) -> None:
    """Add the framework from another label to the runs of a tool, if all have this label and only this one."""
    by_tool: dict[str, list[int]] = defaultdict(list)
    for at, place in enumerate(places):
        by_tool[place.tool].append(at)
    for runs in by_tool.values():
        if any(places[at].labels.get(_FRAMEWORK) is not None or _FRAMEWORK in found[at] for at in runs):
            continue
        named = [names for key in _FRAMEWORK_KEYS if (names := _frameworks_in_label(places, runs, key))]
        if len(named) == 1 or (not named and (named := [_printed_servers(places, runs)])):
            for at, label in named[0].items():
                found[at][_FRAMEWORK] = label


def _frameworks_in_label(places: Sequence[Place], runs: Sequence[int], key: str) -> Mapping[int, SlotText]:
    """The values of a key that are names; empty if a run has none, if all are equal, or if one is a condition."""
    values = {at: value for at in runs if (value := places[at].labels.get(key))}
    different = set(values.values())
    if len(values) < len(runs) or len(different) < 2 or any(kind_of_name(name) is NameKind.OTHER for name in different):
        return {}
    return {at: SlotText(value, f"{key}={value}", "setting") for at, value in values.items()}


def _printed_servers(places: Sequence[Place], runs: Sequence[int]) -> Mapping[int, SlotText]:
    """The servers that runs print: ``Apache/2.4.52`` is Apache, but with its version beside another one."""
    printed = {at: software for at in runs if (software := places[at].labels.get(SERVER_SOFTWARE))}
    products = {software: software.split("/")[0].split(" ")[0] for software in printed.values()}
    if len(printed) < len(runs) or len(products) < 2:
        return {}
    is_name = len(set(products.values())) == len(products)
    return {at: SlotText(products[one] if is_name else one, one, "printed") for at, one in printed.items()}
