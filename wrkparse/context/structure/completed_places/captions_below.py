"""Titles below their runs: a run, ``kiwi``, a run, ``emu``.

Such a line is directly above the next run, so it looks like the title of that. The first and the last run of a section
decide: no such line is above the first one, and below the last one is one more like the others.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from wrkparse.context.labels import title_labels
from wrkparse.context.nearby.circumstances import is_circumstance
from wrkparse.context.nearby.evidence import LINE_SEPARATOR, LINES_ABOVE, LINES_BELOW, LINES_BELOW_LAST_RUN
from wrkparse.context.nearby.log_messages import is_step_or_outcome, says_how_run_went
from wrkparse.context.nearby.nearby_lines import may_have_captions_below
from wrkparse.context.nearby.section_ends import differ_in_one_word, differing_words
from wrkparse.context.page.title_lines import title_of_line
from wrkparse.context.slots.places import FRAMEWORK, Place, SlotText, lines_above
from wrkparse.context.structure.names.name_kinds import NameKind, kind_of_name
from wrkparse.context.titles.decoration import undecorated
from wrkparse.context.titles.name_extraction import has_only_common_words
from wrkparse.context.titles.titles import read_title

# Words that people write below the last run of a post or a session; `has_only_common_words` has those of documents.
_PARTING_WORDS = frozenset(
    """average bye cheers comments danke edit enjoy eof exit fin hmm hth interesting logout nice ps questions regards
    related reply sincerely thanks thoughts total update verdict wow""".split()
)
_NAME = re.compile(r"[^\W_](?:[\w.+#-]*[\w+#])?")  # a word without signs at its ends


def with_captions_below(places: Sequence[Place]) -> tuple[list[Place], dict[int, SlotText]]:
    """The places of runs, in order; a run has the lines below it instead of the lines above it, if those below name it.

    Also returns the framework that a title gives each of these runs, by index, if its own label is another one.
    """
    places = _without_circumstances(places)
    sections: dict[tuple[str, str | None], list[int]] = defaultdict(list)
    for at, place in enumerate(places):
        sections[place.source, place.section].append(at)
    found = list(places)
    frameworks: dict[int, SlotText] = {}
    for runs in sections.values():
        if _are_named_above([places[at] for at in runs]):  # "gc complete" is about a part of kiwi
            for at in runs:
                found[at] = places[at]._replace(labels={**places[at].labels, LINES_BELOW: None})
            continue
        below = _captions([places[at] for at in runs])
        if _are_alike(below):
            names = differing_words([undecorated(lines[-1]) for lines in below]) or [""] * len(below)
            for at, lines, name in zip(runs, below, names, strict=True):
                found[at], named = _with_caption(places[at], lines, name)
                is_new = named is not None and named.value != places[at].labels.get(FRAMEWORK)
                if named and is_new and not places[at].labels.get(LINES_BELOW):
                    frameworks[at] = named
    return found, frameworks


def _without_circumstances(places: Sequence[Place]) -> Sequence[Place]:
    """The places of runs without the lines below a run that only say what disturbed it: ``^ noisy, ignore``.

    The runs have names above. If half of the runs of a source have such lines, or several the same ones, these compare
    conditions.
    """
    if not places or LINES_BELOW not in places[0].labels:  # all places have the same keys
        return places
    remarked = [at for at, place in enumerate(places) if _has_circumstance_below(place)]
    if not remarked:
        return places
    found = list(places)
    runs = Counter(place.source for place in places)
    remarks = Counter(places[at].source for at in remarked)
    texts = Counter(_remark_below(places[at]) for at in remarked)
    for at in remarked:
        place = places[at]
        if 2 * remarks[place.source] < runs[place.source] and texts[_remark_below(place)] == 1:
            found[at] = place._replace(labels={**place.labels, LINES_BELOW: None})
    return found


def _remark_below(place: Place) -> tuple[str, str]:
    """The source of a run and the lines below the run, in small letters."""
    return place.source, (place.labels.get(LINES_BELOW) or "").casefold()


def _has_circumstance_below(place: Place) -> bool:
    """Whether a run has a name above, and all lines below it that are about it say what disturbed it."""
    below = place.labels.get(LINES_BELOW)
    is_named = bool(place.title or place.section or place.labels.get(FRAMEWORK))
    return bool(below) and is_named and all(map(is_circumstance, (below or "").split(LINE_SEPARATOR)))


def _are_named_above(runs: Sequence[Place]) -> bool:
    """Whether the lines above runs name several servers, none of which the lines below the runs name again."""
    if not all(below := [(run.labels.get(LINES_BELOW) or "").casefold() for run in runs]):
        return False
    names = [read_title(lines[-1]).name if lines else "" for lines in map(lines_above, runs)]
    if len(set(names)) < 2 or any(kind_of_name(name) not in (NameKind.NAMES, NameKind.KNOWN) for name in names):
        return False
    return not any(name.casefold() in line for name in names for line in below)


def _captions(runs: Sequence[Place]) -> list[list[str]]:
    """The lines below each run of a section that may name it; empty if the lines above the runs name them.

    Lines that surely are about the run above (``kiwi done``) name it whatever is above it.
    """
    if all(below_runs := [run.labels.get(LINES_BELOW) or "" for run in runs]):
        return [below.split(LINE_SEPARATOR) for below in below_runs]
    if not (last := runs[-1].labels.get(LINES_BELOW_LAST_RUN)):
        return []
    between = [*map(lines_above, runs[1:])]
    most = max([1, *map(len, between)])  # more lines below the last run are about all runs
    below = [*between, last.split(LINE_SEPARATOR)[:most]]
    return below if may_have_captions_below(lines_above(runs[0]), below[-1]) else []


def _are_alike(captions: Sequence[Sequence[str]]) -> bool:
    """Whether the line below the last run differs from another caption by one word, or all are single words."""
    if len(captions) < 2 or not all(captions):
        return False
    *others, last = (undecorated(lines[-1]) for lines in captions)
    if has_only_common_words(last) or says_how_run_went(last):
        return False
    if len(last.split()) == 1:
        return last in others or (all(map(_NAME.fullmatch, (*others, last))) and _is_name_like(last, others))
    return any(differ_in_one_word(line, last) for line in others)


def _is_name_like(word: str, others: Sequence[str]) -> bool:
    """Whether a word may be a name like the others: a signature below names in small letters is not one."""
    is_capital = word[0].isupper()
    is_parting = word.casefold() in _PARTING_WORDS or is_step_or_outcome(word)
    may_be_title = not is_parting and title_of_line(word) != ""
    return may_be_title and any(other[0].isupper() == is_capital for other in others)


def _with_caption(place: Place, lines: Sequence[str], name: str) -> tuple[Place, SlotText | None]:
    """The place of a run with these lines as those above it, and the framework that they give it.

    The last line is the title if it can be one; ``name``, if it is not empty, is the word that names the run in it. A
    framework that the line above gave is replaced; another one, such as that of a command, stays, and then the second
    value is None.
    """
    title = name or title_of_line(lines[-1])
    above = None if title and len(lines) == 1 else LINE_SEPARATOR.join(lines)
    labels = {**place.labels, LINES_ABOVE: above, LINES_BELOW: None}
    is_from_title = place.framework_origin == "heading" and place.title is not None
    if labels.get(FRAMEWORK) and not is_from_title:
        return place._replace(title=title or None, labels=labels), None
    known = next((label.value for label in title_labels(title) if label.key == FRAMEWORK), None) if title else None
    labels[FRAMEWORK] = known
    moved = place._replace(title=title or None, labels=labels, framework_origin="heading" if known else None)
    return moved, SlotText(known or title, title, "title") if title else None
