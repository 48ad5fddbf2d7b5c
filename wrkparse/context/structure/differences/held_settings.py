"""Labels runs by settings in lines above them: ``deploy=1``, two runs, ``deploy=3``, two runs.

One such line alone may be anything that a script prints. If it comes with several values, one of them above the first
run, it holds until the key comes again or the section ends. A setting beside other text (``level=info server=kiwi
pool=8``) or behind a colon (``Pool size: 8``) may also be a result, or identify a run; it counts if each of its values
comes again.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from wrkparse.context.nearby.evidence import LINE_SEPARATOR, LINES_ABOVE
from wrkparse.context.precedence import is_possible_value, normalize_value
from wrkparse.context.slots.places import Place, SlotText, setting_of
from wrkparse.context.titles.settings.setting_extraction import REPEAT
from wrkparse.context.titles.vocabulary import LABEL_KEYS, NON_LABEL_KEYS

_LabelsOfRuns = Sequence[dict[str, SlotText]]  # for each run, its labels by key
_KEY, _VALUE = r"[a-z][a-z_]{1,30}", r"[\w.+-]{1,40}"
# "pool=8", "== pool = 8 =="
_ALONE = re.compile(rf"[-#*=> ]{{0,8}}({_KEY})\s?=\s?({_VALUE})[-#*=< :]{{0,8}}", re.IGNORECASE)
# "Pool size: 8"
_BEFORE_COLON = re.compile(
    rf"[-#*=> ]{{0,8}}([a-z][a-z_ -]{{1,30}}?)\s{{0,20}}:\s{{1,20}}({_VALUE})[-#*=< ]{{0,8}}", re.IGNORECASE
)
# "pool=8" of "level=info server=kiwi pool=8", and what is quoted: CFLAGS="-O3 -g"
_AMONG_OTHERS = re.compile(
    rf"""(?<![\w.$/-])({_KEY})=(?:(?P<quote>["'])([\w.+=-][\w.+= -]{{0,39}})(?P=quote)|({_VALUE})"?)(?![\w=/."])""",
    re.IGNORECASE,
)
# What went wrong, and when, is a result.
_RESULT = re.compile(
    r"(?:\w+_)?(?:errors?|exceptions?|fail(?:ed|ures?)|timeouts|exit_(?:code|status)|return(?:ed|_code)?|total|uptime"
    r"|started|elapsed|load_average)"
)


class StatedSetting(NamedTuple):
    """A setting that a line states, and whether it is the whole line: ``pool=8``."""

    label: SlotText
    is_alone: bool


def label_held_settings(places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: _LabelsOfRuns) -> None:
    """Add the settings that lines above runs state, if runs of a source with the same labels differ in them."""
    for runs in by_source.values():
        held = _held_settings([places[at] for at in runs])
        for key in held[0]:
            stated = {at: settings[key] for at, settings in zip(runs, held, strict=True) if key in settings}
            tools = [places[at].tool for at in stated]
            if not (all(setting.is_alone for setting in stated.values()) or _come_again(key, stated.values(), tools)):
                continue
            values: dict[object, set[str]] = defaultdict(set)
            for at in runs:
                values[setting_of(places[at], found[at])].add(stated[at].label.value if at in stated else "")
            if all(len(of_setting) == 1 for of_setting in values.values()):  # other labels tell the runs apart
                continue
            for at, setting in stated.items():
                if places[at].labels.get(key) is None:
                    found[at].setdefault(key, setting.label)


def _come_again(key: str, stated: Iterable[StatedSetting], tools: Iterable[str]) -> bool:
    """Whether each value of a key is that of several runs of one tool, and the key does not count or judge the runs.

    A report and the trace of the measured server are of one run.
    """
    times = Counter((setting.label.value, tool) for setting, tool in zip(stated, tools, strict=True))
    again = {value for (value, _), count in times.items() if count > 1}
    return again == {value for value, _ in times} and not is_result_or_repeat(key)


def is_result_or_repeat(key: str) -> bool:
    """Whether a key in front of a value judges a run, or counts the runs: ``errors``, ``iteration``."""
    return bool(REPEAT.fullmatch(f"{key} 1") or _RESULT.fullmatch(key))


def _held_settings(runs: Iterable[Place]) -> list[dict[str, StatedSetting]]:
    """The settings that hold for each run, by their key."""
    held: list[dict[str, StatedSetting]] = []
    section: str | None = None
    for place in runs:
        before = held[-1] if held and place.section == section else {}
        section = place.section
        lines = (place.labels.get(LINES_ABOVE) or place.title or "").split(LINE_SEPARATOR)
        held.append(before | settings_in_lines(lines))
    return held


def settings_in_lines(lines: Iterable[str]) -> dict[str, StatedSetting]:
    """The settings in lines, by their key; none for a key that has several values there."""
    found: dict[str, StatedSetting] = {}
    times: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        alone = _ALONE.fullmatch(line)
        for match in [alone] if alone else filter(None, [_BEFORE_COLON.fullmatch(line), *_AMONG_OTHERS.finditer(line)]):
            key = re.sub(r"[ -]", "_", match[1].lower())
            if key in NON_LABEL_KEYS:
                continue
            key = LABEL_KEYS.get(key, key)
            value = normalize_value(key, match[match.lastindex or 0])  # the value is the last group of each pattern
            if is_possible_value(key, value):
                times[key].add(value)
                found[key] = StatedSetting(SlotText(value, line, "setting"), alone is not None)
    return {key: setting for key, setting in found.items() if len(times[key]) == 1}
