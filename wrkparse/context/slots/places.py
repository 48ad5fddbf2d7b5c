"""The place of a run among others: the path of its source, the headings, titles and labels above it, as slots.

A slot is a part of the place that many runs share: the first folder, the name of the file, the second level of
headings.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import NamedTuple

from wrkparse.context.nearby.evidence import EVIDENCE_KEYS, LINE_SEPARATOR, LINES_ABOVE

FRAMEWORK = "framework"  # key of the label with the thing that is measured
PHASE = "phase"
HEADING_KEYS = ("heading", "heading_2", "heading_3", "heading_4")  # keys of labels with the words of headings
URL_HOST = "url_host"  # key among the labels of a place: the name of the host that answered
_UNCOMPARED_KEYS = EVIDENCE_KEYS | {"title"}
READ_AS_PATHS = frozenset({"folder", "file", "process", "program", "host", "printed file"})


class Place(NamedTuple):
    """The place of a run: the path of its source, the headings above it joined by ``>``, and the title directly above.

    ``process`` is the prefix of its lines. ``labels`` are its labels as text. ``framework_origin`` is the origin of its
    framework if that is ``heading`` or ``path``: a guess, which better ones may overrule. ``path`` has the parts of the
    source, empty for parts without information about the run; None if all may have some. ``port`` is that of the URL.
    """

    tool: str
    source: str
    section: str | None
    title: str | None
    process: str | None
    labels: Mapping[str, str | None]
    framework_origin: str | None = None
    path: tuple[str, ...] | None = None
    port: str | None = None


def lines_above(place: Place) -> list[str]:
    """The lines above a run: those of its label, or its title if that is the only one."""
    above = place.labels.get(LINES_ABOVE) or place.title
    return above.split(LINE_SEPARATOR) if above else []


class PlaceSlot(NamedTuple):
    """A slot: its kind (``folder``, ``file``, ``section``, ``title`` …), its depth, and a part of its names.

    Part 0 is the whole name, 1 and 2 are its first and its second half. ``is_number`` marks the numbers beside a name.
    """

    kind: str
    depth: int = 0
    part: int = 0
    is_number: bool = False


Names = dict[int, str]  # by the index of the run; a run without a name is missing


class SlotText(NamedTuple):
    """A name or a setting, the text that gives it, and the kind of its slot."""

    value: str
    text: str
    kind: str


def framework_of(place: Place, labels: Mapping[str, SlotText]) -> str:
    """The framework of a run, its own or that of its other labels; empty if it has none."""
    return place.labels.get(FRAMEWORK) or (labels[FRAMEWORK].value if FRAMEWORK in labels else "")


def setting_of(place: Place, found: Mapping[str, SlotText]) -> Hashable:
    """The setting of a run: its tool, its labels, and the labels that its place gives."""
    own = {key: value for key, value in place.labels.items() if value is not None and key not in _UNCOMPARED_KEYS}
    return place.tool, frozenset(({key: label.value for key, label in found.items()} | own).items())


# outermost first: a file is in a folder, a title in a section
_KINDS_FROM_OUTSIDE = ("folder", "file", "process", "lead", "host", "program", "section", "title", "printed file")


def rank_of_slot(slot: PlaceSlot) -> tuple[int, int]:
    """The rank of a slot, outermost first."""
    return _KINDS_FROM_OUTSIDE.index(slot.kind), slot.depth
