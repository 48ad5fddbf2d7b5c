"""Reads the places of runs by slots: names, numbers and possible settings.

`wrkparse.context.slots.slot_texts` finds the texts of the slots, `wrkparse.context.slots.slot_names` reads them. A slot
in which all runs of a source have one name is compared among all sources.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from wrkparse.context.slots.places import Names, Place, PlaceSlot, SlotText, rank_of_slot
from wrkparse.context.slots.slot_names import SlotReader
from wrkparse.context.slots.slot_texts import split_sections
from wrkparse.context.titles.path_parts import without_code_suffix, without_suffixes
from wrkparse.source.discover import STDIN


class Slots(NamedTuple):
    """The names in each slot, outermost first, and the settings that short names such as ``c64`` give.

    ``outer`` slots are compared among all sources, ``inner`` ones among the runs of one source. ``texts`` and
    ``inner_texts`` have the whole texts of these slots; a name may be a part of its text.
    """

    outer: dict[PlaceSlot, Names]
    inner: dict[str, dict[PlaceSlot, Names]]
    settings: dict[int, dict[str, SlotText]]
    texts: dict[PlaceSlot, Names]
    inner_texts: dict[str, dict[PlaceSlot, Names]]

    def slot_text(self, value: str, slot: PlaceSlot, at: int, source: str | None) -> SlotText:
        """A value from a slot, with the text of the slot; `source` is None for an outer slot."""
        texts = self.texts if source is None else self.inner_texts[source]
        return SlotText(value, texts[slot._replace(part=0, is_number=False)][at], slot.kind)


def read_slots(places: Sequence[Place], runs: Mapping[int, int]) -> Slots:
    """Read the places of runs, slot by slot; `runs` counts the runs at a place that has several."""
    by_source: dict[str, list[int]] = defaultdict(list)
    for at, place in enumerate(places):
        by_source[place.source].append(at)
    texts: dict[PlaceSlot, dict[int, str]] = defaultdict(dict)
    inner: dict[str, dict[PlaceSlot, dict[int, str]]] = {}
    shared_levels: dict[str, int] = {}
    for source, of_source in by_source.items():
        *folders, file = places[of_source[0]].path or (("",) if source == STDIN else source.split("/"))
        shared, own = split_sections(places, of_source)
        shared_levels[source] = len(shared)
        whole = {PlaceSlot("folder", depth): folder for depth, folder in enumerate(folders)}
        whole |= {PlaceSlot("file"): without_code_suffix(without_suffixes(file))}
        whole |= {PlaceSlot("section", depth): heading for depth, heading in enumerate(shared)}
        for slot, text in whole.items():
            texts[slot] |= dict.fromkeys(of_source, text)
        for slot, of_runs in own.items():
            if slot.kind != "section" and len({of_runs.get(at) for at in of_source}) == 1:
                texts[slot] |= of_runs
            else:
                inner.setdefault(source, {})[slot] = of_runs
    reader = SlotReader(places, runs)
    inner_names = {source: reader.names(slots) for source, slots in inner.items()}
    for source, slots in inner.items():
        for slot in _slots_with_one_name(inner_names[source], by_source[source]):
            outside = slot._replace(depth=slot.depth + shared_levels[source]) if slot.kind == "section" else slot
            if texts[outside].keys().isdisjoint(by_source[source]):
                texts[outside] |= slots[slot]
    outer = {slot: texts[slot] for slot in sorted(texts, key=rank_of_slot)}
    return Slots(reader.names(outer), inner_names, reader.settings(), outer, inner)


def _slots_with_one_name(names: Mapping[PlaceSlot, Names], runs: Sequence[int]) -> Iterator[PlaceSlot]:
    """The headings and titles of a source that give all its runs one name: ``## kiwi run 1``, ``## kiwi run 2``."""
    for slot, of_runs in names.items():
        names_all = slot.kind in ("section", "title") and not slot.is_number and len(of_runs) == len(runs)
        if names_all and len({name.casefold() for name in of_runs.values()}) == 1:
            yield slot
