"""Which names of a slot may be frameworks, beside the frameworks that runs have from headings, titles and paths.

A known name labels a run by itself: ``## rails basic`` in ``rails.md``. Of ``## grape gem`` in the same file only the
file's name was known, and said rails. Its sibling shows that the headings name what was measured, so the heading
wins. A slot of which no name is anybody's framework holds conditions: ``## small files`` in ``nginx.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from wrkparse.context.name_kinds import Kind, contradicts, kind_of_name
from wrkparse.context.slots import Names, Place

_FRAMEWORK = "framework"


class Subjects(NamedTuple):
    """Names that may be frameworks, and the runs whose own label is another, which their siblings show to be wrong."""

    names: Names
    misnamed: frozenset[int] = frozenset()


_NONE = Subjects({})


def subjects(places: Sequence[Place], names: Names, kind: str, texts: Mapping[int, str]) -> Subjects:
    """The names of a slot that may be frameworks; none if they stand beside other frameworks, as conditions do.

    `kind` is the slot's, `texts` what stands in it: of a slot of one source, else empty.
    """
    against = [at for at, name in names.items() if contradicts(name, places[at].labels.get(_FRAMEWORK))]
    if not against:
        return Subjects(names)
    if kind not in ("section", "title") or not texts:
        return _NONE
    around = {at: _Around(places[at], kind, texts[at]) for at in names}
    # A section whose runs are named further in, such as a summary of all, names none of them itself.
    sections = {names[at] for at in against if around[at].is_named_inside()}
    kept = {at: name for at, name in names.items() if name not in sections}
    different = set(kept.values())
    if len(different) <= len(sections) or len(different) < 2:
        return _NONE
    misnamed = frozenset(at for at in against if at in kept)
    if not misnamed:
        return Subjects(kept)
    if not all(around[at].is_named_outside() for at in misnamed):
        return _NONE
    named_here = any(
        places[at].naming == "heading" and not around[at].is_named_outside()
        for at in kept
        if at not in misnamed and places[at].labels.get(_FRAMEWORK) is not None
    )
    if not named_here or any(kind_of_name(name) not in (Kind.KNOWN, Kind.NAMES) for name in different):
        return _NONE
    return Subjects(kept, misnamed)


class _Around:
    """What stands around a run's text in a slot: the headings further out, and those and the title further in."""

    def __init__(self, place: Place, kind: str, text: str) -> None:
        levels = (place.section or "").split(" > ")
        at = levels.index(text) if kind == "section" and text in levels else len(levels)
        self._outside = levels[:at]
        self._inside = [*levels[at + 1 :], *([place.title] if place.title and kind == "section" else [])]
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
