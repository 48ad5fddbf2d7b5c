"""Removes the prefix of a run's lines from the text above the run.

A logger writes ``[load-1] ## kiwi`` above a report of which each line begins with ``[load-1]``. The prefix of a report
is known from its lines; a line of text alone does not show that it has one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from wrkparse.context.nearby.evidence import LINE_SEPARATOR, LINES_ABOVE, PREFIX_WORDS
from wrkparse.context.slots.places import Place
from wrkparse.context.titles.decoration import without_decoration


def without_own_prefixes(places: Sequence[Place]) -> list[Place]:
    """The places of runs, with titles and lines above that do not begin with the prefix of the run's lines."""
    return [_without_own_prefix(place) for place in places]


def _without_own_prefix(place: Place) -> Place:
    words = place.process or place.labels.get(PREFIX_WORDS)
    above = place.labels.get(LINES_ABOVE) or ""
    if not words or words not in f"{place.title}\n{above}":
        return place
    prefix = re.compile(rf"\W{{0,2}}{re.escape(words)}(?:\s?[\])>}}:|]{{1,3}})?\s+(?=\S)")
    lines = [_without(prefix, line) for line in above.split(LINE_SEPARATOR)]
    labels = {**place.labels, LINES_ABOVE: LINE_SEPARATOR.join(lines)} if above else place.labels
    return place._replace(title=_without(prefix, place.title) if place.title else None, labels=labels)


def _without(prefix: re.Pattern[str], line: str) -> str:
    """A line without a prefix and the decoration behind it; unchanged if it does not begin with the prefix."""
    match = prefix.match(line)
    return without_decoration(line[match.end() :]) if match else line
