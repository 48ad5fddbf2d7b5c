"""Labels the facts at the top of logs in which the logs differ: ``commit: 91d3f44``.

The same line in one log alone may be about anything, so it is not a label there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence

from wrkparse.context.nearby.evidence import LINE_SEPARATOR, LINES_ABOVE
from wrkparse.context.slots.places import Place, SlotText, setting_of
from wrkparse.context.titles.vocabulary import LABEL_KEYS

_KEY_OF_WORD = {
    "sha": "commit",
    "rev": "commit",
    "revision": "commit",
    "hash": "commit",
    "head": "commit",
    "ref": "branch",
}
# "commit: 91d3f44 Merge branch 'heron'", "# git-branch: main", "Version: 1.3.0-rc1"
_FACT = re.compile(
    r"(?:[#*-]\s?)?(?:git[ _-])?(commit|branch|version|revision|rev|sha|hash|head|ref|tag|release|build)"
    r"(?:[ _-](?:hash|id|sha|name))?\s?[:=]\s?(\S.{0,80})",
    re.IGNORECASE,
)
# The size of a job: "running 4 tasks on node7". Without the verb a count may be a result.
_COUNT = re.compile(
    r"(?:running|using|starting|launching|started|launched)(?:\s(?:with|on))?\s([0-9]{1,6})\s(?:(?:mpi|openmp|omp)\s)?"
    r"(tasks?|ranks?|nodes?|processes|procs|workers?|threads?|cores?|cpus?)\b.{0,60}",
    re.IGNORECASE,
)
_COMMIT = re.compile(r"[0-9a-f]{7,40}\b")  # "91d3f44" of "91d3f44 Merge branch"
_LONGEST = 60  # characters of a value


def label_log_facts(
    places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: Sequence[dict[str, SlotText]]
) -> None:
    """Add the facts in which logs differ to runs that no other label distinguishes.

    A fact holds for the runs of its log up to the next fact of its key.
    """
    if len(by_source) < 2 or LINES_ABOVE not in places[0].labels:
        return
    facts: dict[str, dict[int, SlotText]] = defaultdict(dict)
    for runs in by_source.values():
        current: dict[str, SlotText] = {}
        for at in runs:
            if not places[at].section:
                current |= _facts_above(places[at])
                for key, fact in current.items():
                    facts[key][at] = fact
    for key, of_runs in facts.items():
        settings: dict[Hashable, str] = {}
        values = ((setting_of(places[at], found[at]), fact.value) for at, fact in of_runs.items())
        if any(settings.setdefault(setting, value) != value for setting, value in values):
            for at, fact in of_runs.items():
                found[at].setdefault(key, fact)


def _facts_above(place: Place) -> dict[str, SlotText]:
    lines = (place.labels.get(LINES_ABOVE) or "").split(LINE_SEPARATOR)
    facts = [_read_fact(match) for line in lines if (match := _FACT.fullmatch(line.strip()))]
    return dict([*facts, *(_read_count(match) for line in lines if (match := _COUNT.fullmatch(line.strip())))])


def _read_count(match: re.Match[str]) -> tuple[str, SlotText]:
    noun = match[2].lower()
    return LABEL_KEYS.get(noun) or noun.removesuffix("s") + "s", SlotText(match[1], match[0], "lead")


def _read_fact(match: re.Match[str]) -> tuple[str, SlotText]:
    """The key and the value of a fact; of a commit with its subject, only the commit."""
    key = _KEY_OF_WORD.get(match[1].lower(), match[1].lower())
    value = match[2].strip("\"' ")
    commit = _COMMIT.match(value) if key == "commit" else None
    return key, SlotText(commit[0] if commit else value[:_LONGEST], match[0], "lead")
