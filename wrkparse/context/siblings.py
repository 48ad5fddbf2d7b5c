"""Which names of a slot may be frameworks, beside the frameworks that runs have from headings, titles and paths.

A known name labels a run by itself: ``## rails basic`` in ``rails.md``. Of ``## grape gem`` in the same file only the
file's name was known, and said rails. Its sibling shows that the headings name what was measured, so the heading
wins. A slot of which no name is anybody's framework holds conditions: ``## small files`` in ``nginx.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from wrkparse.context.name_kinds import Kind, contradicts, kind_of_name
from wrkparse.context.names import is_known_name
from wrkparse.context.slots import Names, Place, SlotText

_FRAMEWORK = "framework"
_PATHS = frozenset({"folder", "file"})


class Subjects(NamedTuple):
    """Names that may be frameworks, and the runs whose own label is another, which their siblings show to be wrong."""

    names: Names
    misnamed: frozenset[int] = frozenset()


_NONE = Subjects({})


def subjects(places: Sequence[Place], names: Names, kind: str, texts: Mapping[int, str]) -> Subjects:
    """The names of a slot that may be frameworks; none if they stand beside other frameworks, as conditions do.

    `kind` is the slot's, `texts` what stands in it by run: of a slot of one source, else empty.
    """
    against = [at for at, name in names.items() if contradicts(name, places[at].labels.get(_FRAMEWORK))]
    if not against:
        return Subjects(names)
    around = {at: _Around(places[at], kind, texts.get(at, "")) for at in names}
    # A section or a file whose runs are named further in, such as a summary of all, names none of them itself.
    sections = {names[at] for at in against if around[at].is_named_inside()}
    kept = {at: name for at, name in names.items() if name not in sections}
    different = set(kept.values())
    if len(different) <= len(sections) or len(different) < 2:
        return _NONE
    misnamed = frozenset(at for at in against if at in kept)
    if not misnamed:
        return Subjects(kept)
    if not texts or not all(around[at].is_named_outside() for at in misnamed):
        return _NONE
    named_here = any(
        places[at].naming == "heading" and not around[at].is_named_outside()
        for at in kept
        if at not in misnamed and places[at].labels.get(_FRAMEWORK) is not None
    )
    if not named_here or any(kind_of_name(name) not in (Kind.KNOWN, Kind.NAMES) for name in different):
        return _NONE
    return Subjects(kept, misnamed)


def printed_servers(places: Sequence[Place]) -> dict[int, SlotText]:
    """The servers that runs of one source print (``Server Software``), where the heading names another one.

    ``## nginx`` is another one if it prints nginx for some run of the source, and if this run's heading has no other
    known name: behind ``nginx + node`` node may answer.
    """
    printed = {at: software for at, place in enumerate(places) if (software := place.labels.get("server_software"))}
    headed = {at: software.split("/")[0] for at, software in printed.items() if places[at].naming == "heading"}
    frameworks = {at: places[at].labels.get(_FRAMEWORK) or "" for at in headed}
    proven = {server for at, server in headed.items() if not contradicts(server, frameworks[at])}
    found: dict[int, SlotText] = {}
    for at, server in headed.items():
        known = {word.casefold() for word in frameworks[at].split() if is_known_name(word)}
        if len(known) == 1 and contradicts(server, frameworks[at]) and known & {one.casefold() for one in proven}:
            found[at] = SlotText(server, printed[at], "printed")
    return found


class _Around:
    """What stands around a run's text in a slot: headings further out; headings and the title further in."""

    def __init__(self, place: Place, kind: str, text: str) -> None:
        levels = (place.section or "").split(" > ")
        self._outside, self._inside = levels, [place.title] if place.title else []
        if kind in _PATHS:
            self._outside, self._inside = [], [*levels, *self._inside]
        elif kind == "section" and text in levels:
            at = levels.index(text)
            self._outside, self._inside = levels[:at], [*levels[at + 1 :], *self._inside]
        else:
            self._inside = []
        self._framework = place.labels.get(_FRAMEWORK)
        self._naming = place.naming

    def is_named_inside(self) -> bool:
        """Whether a heading or a title further in gives the run its framework."""
        return self._naming == "heading" and self._agrees(self._inside)

    def is_named_outside(self) -> bool:
        """Whether the path or a heading further out gives the run its framework."""
        return self._naming == "path" or (self._naming == "heading" and self._agrees(self._outside))

    def _agrees(self, texts: Sequence[str]) -> bool:
        return any(text and not contradicts(text, self._framework) for text in texts)
