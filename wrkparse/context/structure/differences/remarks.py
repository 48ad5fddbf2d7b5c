"""Labels runs that nothing else distinguishes by the remarks of a person behind their commands.

``wrk http://h/  # pool of 10`` and ``wrk http://h/  # pool of 50`` are no repeats. Unlike a line above several runs,
such a remark is about this command, so its numbers distinguish, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from wrkparse.context.nearby.evidence import REMARK
from wrkparse.context.page.title_lines import is_exclamation, is_repeat, repeated_names
from wrkparse.context.precedence import normalize_value
from wrkparse.context.slots.places import FRAMEWORK, HEADING_KEYS, Place, SlotText, framework_of, setting_of
from wrkparse.context.structure.names.name_kinds import NameKind, has_length_of_name, kind_of_name
from wrkparse.context.structure.names.sentence_names import shorten_names
from wrkparse.context.titles.titles import read_title

_LabelsOfRuns = Sequence[dict[str, SlotText]]  # for each run, its labels by key
_MOST_KNOWN = 50  # remarks with which one is compared, the last ones; bounds time


def label_by_remarks(places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: _LabelsOfRuns) -> None:
    """Add the remark as the heading of the runs of a source if runs with the same labels have different remarks.

    It is the framework if all remarks are names and no run has another one.
    """
    for runs in by_source.values():
        if REMARK not in places[runs[0]].labels:  # all places have the same keys
            continue
        remarks = _remarks_of(places, runs, found)
        texts: dict[object, set[str]] = defaultdict(set)
        for at in runs:
            texts[setting_of(places[at], found[at])].add(remarks.get(at, ""))
        if all(len(of_setting) == 1 for of_setting in texts.values()):
            continue
        is_framework = len(remarks) == len(runs) and all(map(_is_name, remarks.values()))
        is_framework &= all(
            framework_of(places[at], found[at]).casefold() in ("", text.casefold()) for at, text in remarks.items()
        )
        short = shorten_names(remarks.values())
        for at, text in remarks.items():
            keys = (FRAMEWORK,) if is_framework else HEADING_KEYS
            key = next((key for key in keys if places[at].labels.get(key) is None and key not in found[at]), None)
            if key:
                found[at][key] = SlotText(short[text], text, "lead")


def only_restates(text: str, labels: Mapping[str, str | None]) -> bool:
    """Whether a text states only settings that are labels of its run anyway: ``500 connections:``."""
    title = read_title(text)
    settings = (*title.settings, *title.possible_settings)
    if title.name or title.numbers or not settings:
        return False
    return all(labels.get(key) == normalize_value(key, value) for key, value in settings)


def _remarks_of(places: Sequence[Place], runs: Sequence[int], found: _LabelsOfRuns) -> dict[int, str]:
    """The remarks of the runs of a source that have one; a repeat has that which it repeats: ``new image, again``."""
    remarks: dict[int, str] = {}
    known: dict[str, str] = {}  # each remark, by itself in lower case
    for at in runs:
        text = places[at].labels.get(REMARK) or ""
        names = repeated_names(text, known) if text and is_repeat(text) else []
        if remark := known[names[0]] if len(names) == 1 else _remark_of(places[at], found[at]):
            remarks[at] = known[remark.casefold()] = remark
            if len(known) > _MOST_KNOWN:
                del known[next(iter(known))]
    return remarks


def _remark_of(place: Place, found: Mapping[str, SlotText]) -> str:
    """The remark behind the command of a run; empty if it counts a repeat, exclaims, or restates labels of the run."""
    text = place.labels.get(REMARK) or ""
    held = {key: value for key, value in place.labels.items() if value is not None}
    labels = {key: label.value for key, label in found.items()} | held
    return "" if not text or is_repeat(text) or is_exclamation(text) or only_restates(text, labels) else text


def _is_name(text: str) -> bool:
    """Whether a remark may be the name of what was measured."""
    return (
        has_length_of_name(text) and len(text.split()) == 1 and kind_of_name(text) in (NameKind.KNOWN, NameKind.NAMES)
    )
