"""Runs that nothing else tells apart, by the text above them: ``Then I turned off keep-alive and ran it again:``.

A sentence names nothing for sure. But runs of one source that stand below different ones are no repeats of one setting
either, unless the text says so (``once more:``). It becomes their ``heading``, as it stands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from wrkparse.context.leads import ABOVE, above_each, is_of_one_kind
from wrkparse.context.reduction import says_nothing
from wrkparse.context.slots import Place, SlotText
from wrkparse.context.title_lines import is_message, is_repeat
from wrkparse.context.titles import read_title, without_decoration, without_type

_KEYS = ("heading", "heading_2", "heading_3", "heading_4")
_LONGEST = 60  # characters of a heading
_UNSAID = " "  # of a run whose remark would stand below it, too
# Labels by which no comparison tells runs apart.
_SILENT = frozenset({ABOVE, "title"})

_Found = Sequence[dict[str, SlotText]]  # by run, the labels by key


def label_remarks(places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: _Found) -> None:
    """Give a heading to the runs of one source that have the same labels and different remarks above them."""
    for runs in by_source.values():
        if len(runs) < 2 or not any(places[at].labels.get(ABOVE) for at in runs):
            continue
        remarks = _remarks([_above(places[at]) for at in runs])
        groups: dict[object, list[int]] = defaultdict(list)
        for number, at in enumerate(runs):
            groups[_setting(places[at], found[at])].append(number)
        for numbers in groups.values():
            different = {remarks[number] for number in numbers}
            if _differ(different):
                names = _names(different)
                for number in numbers:
                    at, remark = runs[number], remarks[number]
                    _give(places[at], found[at], names[remark], remark)


def _setting(place: Place, labels: Mapping[str, SlotText]) -> object:
    """All that tells a run apart so far."""
    own = {key: value for key, value in place.labels.items() if value is not None and key not in _SILENT}
    return place.tool, frozenset(({key: said.value for key, said in labels.items()} | own).items())


def _above(place: Place) -> str:
    """The lines above a run; a title is the only one of a run that has no other."""
    return place.labels.get(ABOVE) or place.title or ""


def _remarks(leads: Sequence[str]) -> list[str]:
    """The remark that holds for each run: the nearest above it; that of the run before if no text stands between."""
    found: list[str] = []
    for lines, upwards in above_each(leads):
        own = next(filter(_is_remark, reversed(lines)), "")
        if upwards:
            found.append(own or _UNSAID)
        else:
            found.append(found[-1] if found and (not lines or is_repeat(lines[-1])) else own)
    return found


def _is_remark(line: str) -> bool:
    text = without_decoration(without_type(line))
    return not (is_message(text) or is_repeat(text) or says_nothing(text))


def _differ(remarks: Iterable[str]) -> bool:
    """Whether remarks are different texts; a run without one differs from none."""
    texts = sorted(filter(None, remarks))
    return any(_tell_apart(texts[0], text) for text in texts[1:])


def _tell_apart(one: str, other: str) -> bool:
    """Whether two texts differ in more than what counts or dates, or in their settings."""
    first, second = read_title(one), read_title(other)
    return not is_of_one_kind(one, other) or first.settings != second.settings


def _names(remarks: Iterable[str]) -> dict[str, str]:
    """What each remark is called: the name in it, if these tell all apart, else its text."""
    texts = {remark: without_decoration(without_type(remark)).rstrip(":： ") for remark in remarks}
    names = {remark: read_title(text).name or text for remark, text in texts.items()}
    chosen = names if len(set(names.values())) == len(names) else texts
    return {remark: _cut(name) for remark, name in chosen.items()}


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST else name[:_LONGEST].rpartition(" ")[0].rstrip(",;:") + " …"


def _give(place: Place, labels: dict[str, SlotText], name: str, remark: str) -> None:
    key = next((key for key in _KEYS if place.labels.get(key) is None and key not in labels), None)
    if name and key:
        labels[key] = SlotText(name, remark, "lead")
