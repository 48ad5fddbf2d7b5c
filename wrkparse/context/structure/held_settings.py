"""Labels runs by settings that stand alone in a line: ``deploy=1``, two runs, ``deploy=3``, two runs.

One such line alone may be anything that a script prints. If it comes with several values, one of them above the first
run, it holds until the key comes again or the section ends.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from wrkparse.context.nearby_lines import LINE_SEPARATOR, LINES_ABOVE
from wrkparse.context.precedence import is_possible_value, normalize_value
from wrkparse.context.slots.slots import Place, SlotText, setting_of
from wrkparse.context.titles.titles import NON_LABEL_KEYS
from wrkparse.context.titles.vocabulary import LABEL_KEYS

_LabelsOfRuns = Sequence[dict[str, SlotText]]  # for each run, its labels by key
_SETTING = re.compile(r"[-#*=> ]{0,8}([a-z][a-z_]{1,30})\s?=\s?([\w.+-]{1,40})[-#*=< :]{0,8}", re.IGNORECASE)


def label_held_settings(places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: _LabelsOfRuns) -> None:
    """Add the settings that lines above runs state, if runs of a source with the same labels differ in them."""
    for runs in by_source.values():
        held = _held_settings([places[at] for at in runs])
        for key in held[0]:
            stated = {at: settings[key] for at, settings in zip(runs, held, strict=True) if key in settings}
            values: dict[object, set[str]] = defaultdict(set)
            for at in runs:
                values[setting_of(places[at], found[at])].add(stated[at].value if at in stated else "")
            if all(len(of_setting) == 1 for of_setting in values.values()):  # other labels tell the runs apart
                continue
            for at, said in stated.items():
                if places[at].labels.get(key) is None:
                    found[at].setdefault(key, said)


def _held_settings(runs: Iterable[Place]) -> list[dict[str, SlotText]]:
    """The settings that hold for each run, by their key."""
    held: list[dict[str, SlotText]] = []
    section: str | None = None
    for place in runs:
        before = held[-1] if held and place.section == section else {}
        section = place.section
        lines = (place.labels.get(LINES_ABOVE) or place.title or "").split(LINE_SEPARATOR)
        held.append(before | _settings_of(lines))
    return held


def _settings_of(lines: Iterable[str]) -> dict[str, SlotText]:
    """The settings that stand alone in lines, by their key; none for a key that has several values there."""
    found: dict[str, SlotText] = {}
    times: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        match = _SETTING.fullmatch(line)
        if match and (key := match[1].lower()) not in NON_LABEL_KEYS:
            key = LABEL_KEYS.get(key, key)
            value = normalize_value(key, match[2])
            if is_possible_value(key, value):
                times[key].add(value)
                found[key] = SlotText(value, line, "setting")
    return {key: said for key, said in found.items() if len(times[key]) == 1}
