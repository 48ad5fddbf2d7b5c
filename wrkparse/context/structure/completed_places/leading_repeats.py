"""Removes the number of a repeat in front of a condition in titles: ``Pass 2. With --inline`` is With --inline.

A title may also begin with the number of a repeat and a name, ``Run 2: kiwi``: there the name is found without this.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from wrkparse.context.nearby.evidence import LINE_SEPARATOR, LINES_ABOVE
from wrkparse.context.slots.places import Place
from wrkparse.context.titles.settings.setting_extraction import find_repeat

_CONDITION_BEHIND = re.compile(r"\s?[.:,;–—-]\s+(?=(?:with|without|no|using)\s|`?-)", re.IGNORECASE)


def without_leading_repeats(places: Sequence[Place]) -> list[Place]:
    """The places with titles and lines above without the number of a repeat that is in front of a condition."""
    return [_without_leading_repeats(place) for place in places]


def _without_leading_repeats(place: Place) -> Place:
    above = place.labels.get(LINES_ABOVE)
    if above and _CONDITION_BEHIND.search(above):
        lines = LINE_SEPARATOR.join(map(_without_repeat, above.split(LINE_SEPARATOR)))
        place = place._replace(labels={**place.labels, LINES_ABOVE: lines})
    return place._replace(title=_without_repeat(place.title)) if place.title else place


def _without_repeat(title: str) -> str:
    repeat = find_repeat(title)
    behind = _CONDITION_BEHIND.match(title, repeat.end()) if repeat and repeat.start() == 0 else None
    return title[behind.end() :] if behind else title
