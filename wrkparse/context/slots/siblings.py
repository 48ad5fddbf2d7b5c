"""Which names of a slot may be frameworks, beside the frameworks that runs have from headings, titles and paths.

A known name labels a run by itself: ``## rails basic`` in ``rails.md``. Of ``## grape gem`` in the same file only the
file's name was known, and said rails. Its sibling shows that the headings name what was measured, so the heading
wins. A slot of which no name is anybody's framework holds conditions: ``## small files`` in ``nginx.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from wrkparse.context.slots.name_kinds import Kind, contradicts, kind_of_name
from wrkparse.context.slots.slots import Names, Place, SlotText
from wrkparse.context.titles.names import is_known_name
from wrkparse.context.titles.path_parts import PATH_KINDS

FRAMEWORK = "framework"
_HOLDING = PATH_KINDS | {"section"}  # slots of which one name may hold several headings or lines


class Subjects(NamedTuple):
    """Names that may be frameworks, and the runs whose own label is another, which their siblings show to be wrong."""

    names: Names
    misnamed: frozenset[int] = frozenset()


_NONE = Subjects({})


def subjects(places: Sequence[Place], names: Names, kind: str, texts: Mapping[int, str]) -> Subjects:
    """The names of a slot that may be frameworks; none if they stand beside other frameworks, as conditions do.

    `kind` is the slot's, `texts` what stands in it by run: of a slot of one source, else empty.
    """
    against = [at for at, name in names.items() if contradicts(name, places[at].labels.get(FRAMEWORK))]
    if not against:
        return Subjects(names, _counted(places, names))

    def around(at: int) -> _Around:
        return _Around(places[at], kind, texts.get(at, ""))

    # A section or a file whose runs are named further in, such as a summary of all, names none of them itself.
    sections = {names[at] for at in against if around(at).is_named_inside()}
    kept = {at: name for at, name in names.items() if name not in sections}
    different = set(kept.values())
    if len(different) <= len(sections) or len(different) < 2:
        return _NONE
    misnamed = frozenset(at for at in against if at in kept)
    if not misnamed:
        return Subjects(kept, _counted(places, kept))
    if kind == "file":
        are_files = _are_frameworks_of_files(places, kept, misnamed)
        return Subjects(kept, misnamed | _counted(places, kept)) if are_files else _NONE
    if not texts or not all(around(at).is_named_outside() for at in misnamed):
        return _NONE
    named_here = any(
        places[at].naming == "heading" and not around(at).is_named_outside()
        for at in kept
        if at not in misnamed and places[at].labels.get(FRAMEWORK) is not None
    )
    if not named_here or any(kind_of_name(name) not in (Kind.KNOWN, Kind.NAMES) for name in different):
        return _NONE
    return Subjects(kept, misnamed)


def _are_frameworks_of_files(places: Sequence[Place], names: Names, misnamed: frozenset[int]) -> bool:
    """Whether files are called as what was measured, of which no list knows all: ``node/hono``, ``node/kiwi``.

    Some are frameworks, beside folders that have another name, and the others have those of their folders.
    """
    if not all(places[at].naming == "path" and _is_of_folder(places[at]) for at in misnamed):
        return False
    known = {
        name
        for at, name in names.items()
        if at not in misnamed and places[at].naming == "path" and not _is_of_folder(places[at])
    }
    different = set(names.values())
    able = sum(kind_of_name(name) in (Kind.KNOWN, Kind.NAMES) for name in different)
    return len(known) > 1 and 2 * able > len(different)


def _is_of_folder(place: Place) -> bool:
    """Whether a folder has the name of a run's framework."""
    folders = (place.path or tuple(place.source.split("/")))[:-1]
    framework = place.labels.get(FRAMEWORK)
    return framework is not None and any(not contradicts(folder, framework) for folder in folders)


def _counted(places: Sequence[Place], names: Names) -> frozenset[int]:
    return frozenset(at for at, name in names.items() if _is_counted(places[at], name))


def _is_counted(place: Place, name: str) -> bool:
    """Whether a run's framework is the name of its file with the number of a repeat: ``nginx2`` beside ``nginx1``."""
    framework = (place.labels.get(FRAMEWORK) or "").casefold()
    number = framework.removeprefix(name.casefold())
    return place.naming == "path" and number != framework and number.isdecimal()


def printed_servers(places: Sequence[Place], names: Mapping[int, str]) -> dict[int, SlotText]:
    """The servers that runs of one source print (``Server Software``), where their framework is another one.

    `names` are frameworks that headings give, by run. ``nginx`` is another one if some run of that name prints it, and
    if this run's name has no other known word: behind ``nginx + node`` node may answer.
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


class _Around:
    """Where a run's framework stands, seen from its text in a slot."""

    def __init__(self, place: Place, kind: str, text: str) -> None:
        levels = (place.section or "").split(" > ")
        outside = levels[: levels.index(text)] if kind == "section" and text in levels else levels
        framework = place.labels.get(FRAMEWORK)
        self._kind = kind
        self._naming = place.naming
        self._outside = kind not in PATH_KINDS and any(one and not contradicts(one, framework) for one in outside)

    def is_named_inside(self) -> bool:
        """Whether a heading, a list item or a line further in gives the run its framework."""
        return self._naming == "heading" and not self._outside and self._kind in _HOLDING

    def is_named_outside(self) -> bool:
        """Whether the path or a heading further out gives the run its framework."""
        return self._naming == "path" or (self._naming == "heading" and self._outside)
