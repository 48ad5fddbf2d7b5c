"""Finds folders that are compared file by file: ``old/cart.txt``, ``old/search.txt``, ``new/cart.txt`` ….

Files of the same names in each folder say what was asked for, or of which service, and the folders are what differs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from wrkparse.context.slots.places import FRAMEWORK, Names, Place
from wrkparse.context.structure.factors.factors import Factor
from wrkparse.context.structure.names.name_kinds import NameKind
from wrkparse.context.titles.path_parts import PATH_SLOT_KINDS

_WORD = re.compile(r"[^\W_]+")
_ROOT_NAMES = frozenset("home index root".split())  # of the path "/"
# Words for one of the two sides of a change.
_SIDES = frozenset(
    """after base baseline before candidate control current head main master new old original patch patched pr previous
    trunk unpatched""".split()
)
_FEWEST_SHARED = 2  # names that are below each of the other ones; with one, nothing is compared


def with_compared_folders(places: Sequence[Place], factors: Sequence[Factor]) -> list[Factor]:
    """The factors; names of files or folders that are below each name of another factor are conditions of it.

    They are if they name the requests of their runs, or if all names of the other factor are sides of a change, and
    nothing else names a run of them.
    """
    able = [
        factor
        for factor in factors
        if factor.slot.kind in PATH_SLOT_KINDS and not factor.slot.is_number and factor.kind is not NameKind.OTHER
    ]
    conditions = [factor for factor in able if _are_conditions(places, factor, able)]
    slots = {factor.slot for factor in conditions}
    slots |= {
        factor.slot
        for factor in factors
        if factor.slot.kind == "host" and any(_are_same(factor.names, condition.names) for condition in conditions)
    }
    return [factor._replace(kind=NameKind.OTHER) if factor.slot in slots else factor for factor in factors]


def _are_conditions(places: Sequence[Place], factor: Factor, others: Sequence[Factor]) -> bool:
    """Whether the names of a factor are conditions under which the names of one of some other factors are compared."""
    names = factor.names
    if any(places[at].labels.get(FRAMEWORK) is not None for at in names):
        return False
    are_requests = _name_requests(places, names)
    return any(
        (are_requests or (other.slot.kind == "folder" and _are_sides(other.names))) and _are_crossed(other.names, names)
        for other in others
        if other.slot[:2] != factor.slot[:2]  # no other half of the same name
        and not (are_requests and _name_requests(places, other.names))
    )


def _name_requests(places: Sequence[Place], names: Names) -> bool:
    """Whether the words of each name are in the path of the URL of its runs, which is that of no other name."""
    paths: dict[str, set[str]] = defaultdict(set)
    for at, name in names.items():
        path = (places[at].labels.get("path") or "").casefold()
        is_root = path == "/" and name.casefold() in _ROOT_NAMES
        if not is_root and not set(_WORD.findall(name.casefold())) <= set(_WORD.findall(path)):
            return False
        paths[name].add(path)
    different = set().union(*paths.values())
    return len(different) == len(paths) == sum(map(len, paths.values()))


def _are_sides(names: Names) -> bool:
    """Whether all names are words for sides of a change, with or without a number: ``main`` and ``pr-42``."""
    words = [{word for word in _WORD.findall(name.casefold()) if not word.isdecimal()} for name in set(names.values())]
    return len(words) > 1 and all(of_name and of_name <= _SIDES for of_name in words)


def _are_same(hosts: Names, names: Names) -> bool:
    """Whether the runs of each name have a host of their own."""
    pairs = set(zip(hosts.values(), map(names.get, hosts), strict=True))
    return hosts.keys() == names.keys() and len(pairs) == len(set(hosts.values())) == len(set(names.values()))


def _are_crossed(outer: Mapping[int, str], inner: Mapping[int, str]) -> bool:
    """Whether all runs have both names, and some inner names are below each outer one."""
    below: dict[str, set[str]] = defaultdict(set)
    for at in outer.keys() & inner.keys():
        below[outer[at]].add(inner[at])
    if outer.keys() != inner.keys() or len(below) < 2:
        return False
    return len(set.intersection(*below.values())) >= _FEWEST_SHARED
