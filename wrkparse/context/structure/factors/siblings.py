"""Finds the names of a slot that may be frameworks, beside the frameworks from headings, titles and paths.

A known name labels a run by itself: ``## rails basic`` in ``rails.md``. The run below ``## grape gem`` in the same file
had only the known name of the file, rails. Its sibling shows that the headings name the framework, so the heading wins.
If no name of a slot is the framework of a run, the slot contains conditions: ``## small files`` in ``nginx.md``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from wrkparse.context.slots.places import FRAMEWORK, Names, Place, PlaceSlot, SlotText
from wrkparse.context.structure.names.name_kinds import NameKind, contradicts, kind_of_name
from wrkparse.context.titles.decoration import without_markup
from wrkparse.context.titles.known_names import is_known_name
from wrkparse.context.titles.path_parts import PATH_SLOT_KINDS

_OUTER_KINDS = PATH_SLOT_KINDS | {"section"}  # kinds of slots whose names may contain several headings or lines


class FrameworkCandidates(NamedTuple):
    """Names that may be frameworks, and the runs whose framework is wrong, as their siblings show."""

    names: Names
    misnamed: frozenset[int] = frozenset()


_DASHED = re.compile(r"(.{1,60}?)\s[–—]\s.{1,100}")  # "Java — Kiwi"
_NO_CANDIDATES = FrameworkCandidates({})


def framework_candidates(
    places: Sequence[Place], names: Names, slot: PlaceSlot, texts: Mapping[int, str]
) -> FrameworkCandidates:
    """The names of a slot that may be frameworks; none if they are beside other frameworks, as conditions are.

    `texts` are the texts of the slot by run if it is a slot of one source, else empty.
    """
    kind = slot.kind
    against = [at for at, name in names.items() if contradicts(name, places[at].labels.get(FRAMEWORK))]
    misread = _runs_named_by_the_path(places, names) if texts else frozenset[int]()
    if not against:
        whole = _runs_named_whole(places, names, texts) | _runs_named_before_dash(places, names)
        return FrameworkCandidates(names, _numbered_runs(places, names) | whole | misread)

    def position(at: int) -> _FrameworkPosition:
        return _FrameworkPosition(places[at], kind, texts.get(at, ""))

    # A section or a file whose runs have names below it, such as a summary of all, does not name them itself.
    sections = {names[at] for at in against if position(at).is_named_inside()}
    kept = {at: name for at, name in names.items() if name not in sections}
    different = set(kept.values())
    if len(different) <= len(sections) or len(different) < 2:
        return _NO_CANDIDATES
    misnamed = frozenset(at for at in against if at in kept)
    if not misnamed:
        return FrameworkCandidates(kept, _numbered_runs(places, kept) | (misread & kept.keys()))
    if kind == "file":
        are_files = _are_framework_files(places, kept, misnamed)
        return FrameworkCandidates(kept, misnamed | _numbered_runs(places, kept)) if are_files else _NO_CANDIDATES
    if kind == "folder":
        are_folders = _are_framework_folders(places, kept, misnamed, slot.depth)
        return FrameworkCandidates(kept, misnamed) if are_folders else _NO_CANDIDATES
    if not texts or not all(position(at).is_named_outside() for at in misnamed):
        return _NO_CANDIDATES
    # Of "kiwi" and "emu" in go.md, no heading is a framework: they may be parts of one in Go.
    named_here = any(
        places[at].framework_origin == "heading" and not position(at).is_named_outside()
        for at in kept
        if at not in misnamed and places[at].labels.get(FRAMEWORK) is not None
    )
    if not named_here or not _are_names({kept[at] for at in misnamed}, different):
        return _NO_CANDIDATES
    return FrameworkCandidates(kept, misnamed | (misread & kept.keys()))


def _runs_named_whole(places: Sequence[Place], names: Names, texts: Mapping[int, str]) -> frozenset[int]:
    """The runs whose framework is a whole text, though the known name is its part: ``go/fib`` beside ``asm/fib``, asm.

    None if each whole text is a framework: nginx + PHP is one thing beside nginx + Ruby.
    """
    if all(places[at].labels.get(FRAMEWORK) is not None for at in names):
        return frozenset()
    return frozenset(
        at
        for at, name in names.items()
        if texts.get(at, "").casefold() == (places[at].labels.get(FRAMEWORK) or name).casefold() != name.casefold()
        and any(map(is_known_name, name.split()))
    )


def _runs_named_before_dash(places: Sequence[Place], names: Names) -> frozenset[int]:
    """The runs whose framework is only the words before a dash in their heading: ``Java`` for ``Java — Kiwi``.

    None unless the framework of a sibling is a whole heading with a dash: ``PHP — Swoole``. Else descriptions follow.
    """
    dashed = {at: match for at, name in names.items() if (match := _DASHED.fullmatch(name))}
    called = {at: places[at].labels.get(FRAMEWORK) for at in dashed if places[at].framework_origin == "heading"}
    if all(called[at] != names[at] for at in called):
        return frozenset()
    return frozenset(at for at, framework in called.items() if framework == dashed[at][1])


def _runs_named_by_the_path(places: Sequence[Place], names: Names) -> frozenset[int]:
    """The runs that have only a word of their name as framework, from the path: ``Kiwi Lua`` in ``lua.md``.

    None if no sibling has its framework from its heading or title: then the words beside it may be conditions.
    """
    if not any(places[at].framework_origin == "heading" for at in names):
        return frozenset()
    return frozenset(
        at
        for at, name in names.items()
        if places[at].framework_origin == "path"
        and name.casefold() != (places[at].labels.get(FRAMEWORK) or name).casefold()
        and not contradicts(name, places[at].labels.get(FRAMEWORK))
    )


def _are_names(surely: Collection[str], mostly: Collection[str]) -> bool:
    """Whether all of some names, and most of others, are those of things: one heading may be too long for a name."""
    able = {name for name in mostly if kind_of_name(name) in (NameKind.KNOWN, NameKind.NAMES)}
    return able.issuperset(surely) and 2 * len(able) > len(mostly)


def _are_framework_files(places: Sequence[Place], names: Names, misnamed: frozenset[int]) -> bool:
    """Whether the names of files are frameworks, though not all are known names: ``node/hono``, ``node/kiwi``.

    Some are the frameworks of their runs, beside folders with other names; the other runs have the frameworks of
    folders.
    """
    if not all(places[at].framework_origin == "path" and _has_framework_of_folder(places[at]) for at in misnamed):
        return False
    known = {
        name
        for at, name in names.items()
        if at not in misnamed and places[at].framework_origin == "path" and not _has_framework_of_folder(places[at])
    }
    different = set(names.values())
    return len(known) > 1 and _are_names((), different)


def _are_framework_folders(places: Sequence[Place], names: Names, misnamed: frozenset[int], depth: int) -> bool:
    """Whether the names of folders at a depth are frameworks, though not all are known names: ``rust/hyper``.

    Some are the frameworks of their runs; the others have those of outer folders: ``rust/kiwi`` is rust. Each name is
    in one outer folder: ``go/json`` and ``rust/json`` name something else.
    """
    outside: dict[str, set[str]] = defaultdict(set)
    for at, name in names.items():
        outside[name.casefold()].add("/".join(_path_of(places[at])[:depth]))
    if any(len(folders) > 1 for folders in outside.values()):
        return False
    if not all(
        places[at].framework_origin == "path" and _has_framework_of_folder(places[at], depth) for at in misnamed
    ):
        return False
    known = any(at not in misnamed and places[at].framework_origin == "path" for at in names)
    return known and _are_names((), set(names.values()))


def _path_of(place: Place) -> tuple[str, ...]:
    """The parts of the path of a place's source."""
    return place.path or tuple(place.source.split("/"))


def _has_framework_of_folder(place: Place, depth: int = -1) -> bool:
    """Whether the framework of a run is the name of a folder, outside of those from a depth on."""
    folders = _path_of(place)[:depth]
    framework = place.labels.get(FRAMEWORK)
    return framework is not None and any(not contradicts(folder, framework) for folder in folders)


def _numbered_runs(places: Sequence[Place], names: Names) -> frozenset[int]:
    """The runs whose framework is a name with the number of a repeat."""
    return frozenset(at for at, name in names.items() if _is_name_with_number(places[at], name))


def _is_name_with_number(place: Place, name: str) -> bool:
    """Whether the framework of a run is the name of its file with a number: ``nginx2`` beside ``nginx1``."""
    framework = (place.labels.get(FRAMEWORK) or "").casefold()
    number = framework.removeprefix(name.casefold())
    return place.framework_origin == "path" and number != framework and number.isdecimal()


def printed_servers(places: Sequence[Place], names: Mapping[int, str]) -> dict[int, SlotText]:
    """The servers that runs of one source print (``Server Software``), if their framework is another one.

    `names` are frameworks from headings, by run. A printed ``nginx`` is another framework than a heading if it is the
    framework of some run that prints it, and if the heading of this run has no second known word: after ``nginx +
    node`` the response may come from node.
    """
    printed = {at: software for at in names if (software := places[at].labels.get("server_software"))}
    servers = {at: software.split("/")[0] for at, software in printed.items()}
    proven = {server.casefold() for at, server in servers.items() if names[at] and not contradicts(server, names[at])}
    found: dict[int, SlotText] = {}
    for at, server in servers.items():
        known = {word.casefold() for word in names[at].split() if is_known_name(word)}
        if len(known) == 1 and known <= proven and contradicts(server, names[at]):
            found[at] = SlotText(server, printed[at], "printed")
    return found


class _FrameworkPosition:
    """The position of the heading or path that gives a run its framework, relative to a text of a slot."""

    def __init__(self, place: Place, kind: str, text: str) -> None:
        levels = (place.section or "").split(" > ")
        outside = levels[: levels.index(text)] if kind == "section" and text in levels else levels
        framework = place.labels.get(FRAMEWORK)
        self._kind = kind
        self._framework_origin = place.framework_origin
        self._outside = kind not in PATH_SLOT_KINDS and any(
            one and not contradicts(without_markup(one), framework) for one in outside
        )

    def is_named_inside(self) -> bool:
        """Whether the framework comes from a heading, a list item or a line below the text."""
        return self._framework_origin == "heading" and not self._outside and self._kind in _OUTER_KINDS

    def is_named_outside(self) -> bool:
        """Whether the framework comes from the path or from a heading above the text."""
        return self._framework_origin == "path" or (self._framework_origin == "heading" and self._outside)
