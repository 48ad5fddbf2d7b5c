"""Lines between two runs that are about the first of them: ``start kiwi``, a run, ``kiwi: done``, ``start emu``, a run.

The first and the last run of a section show which these are: the lines above the first one are like those above each
run, and the lines below the last one are like those below each run. Then the lines between two runs begin with lines
of one kind and end with one of the other. If the word in which the titles differ is in a line of the other kind, it is
the name: ``Avvio kiwi``, a run, ``Fermo kiwi``. No list of words decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from wrkparse.context.nearby.evidence import LINE_SEPARATOR, LINES_ABOVE, LINES_BELOW_LAST_RUN
from wrkparse.context.nearby.section_ends import differ_in_one_word, differing_words
from wrkparse.context.page.title_lines import title_of_line
from wrkparse.context.slots.places import Place, lines_above
from wrkparse.context.structure.completed_places.groups import changed_in_groups
from wrkparse.context.titles.decoration import undecorated

_WORD = re.compile(r"\w[\w.+#-]*")
_DIGITS = re.compile(r"[0-9]+")
_NAME = re.compile(r"(?!v[0-9])[^\W\d_][\d_.+#-]*[^\W\d_][\w.+#-]*")  # not "A" or "v2", which are parts of names
_END_SIGNS = " .…:"


def with_lines_of_each_run(places: Sequence[Place]) -> Sequence[Place]:
    """The places of runs, in order; each has the lines about it, also those below it, as the lines above it."""
    return changed_in_groups(places, lambda place: (place.source, place.section), _with_lines_of_section)


def _with_lines_of_section(runs: Sequence[Place]) -> Sequence[Place]:
    """The runs of a section with the lines about them; unchanged if these do not show which run they are about."""
    if not (below := _lines_below_last(runs[-1])):  # most sections
        return runs
    above = [*map(lines_above, runs)]
    count = _count_about_run_above(above, below)
    own = [*(lines[:count] for lines in above[1:]), below[:count]]
    rest = [above[0], *(lines[count:] for lines in above[1:])]
    if not count:
        return _with_names_said_below(runs, below)
    if _announce_next(own, rest):
        return runs
    are_same = len({_DIGITS.sub("", lines[-1]) for lines in rest}) == 1  # they name nothing
    names = differing_words([lines[-1] for lines in own]) if are_same else []
    return list(map(_with_lines, runs, own, rest, names or [""] * len(runs)))


def _with_names_said_below(runs: Sequence[Place], below_last: Sequence[str]) -> Sequence[Place]:
    """The runs of a section with the words in which their titles differ as titles, if a line below the last says so.

    Such a line has the word of the last title, and words that no title has. The lines below the other runs are not kept
    if they ended what the titles had begun.
    """
    titles = [place.title or "" for place in runs]
    names = [] if any(place.labels.get(LINES_ABOVE) for place in runs) else differing_words(titles)
    if not names or not all(map(_NAME.fullmatch, names)):
        return runs
    known = {word.casefold() for title in titles for word in _WORD.findall(title)}
    said = [{word.casefold() for word in _WORD.findall(line)} for line in below_last]
    if not any(names[-1].casefold() in words and words - known for words in said):
        return runs
    return [place._replace(title=name) for place, name in zip(runs, names, strict=True)]


def _announce_next(own: Sequence[Sequence[str]], above: Sequence[Sequence[str]]) -> bool:
    """Whether one of the lines below each run has the name of the next one, as the last line above that shows."""
    names = differing_words([lines[-1] for lines in above])
    return names != [] and any(differing_words(same)[:-1] == names[1:] for same in zip(*own, strict=True))


def _with_lines(place: Place, below: Sequence[str], above: Sequence[str], name: str) -> Place:
    """The place of a run with these lines below and above it; its title is ``name`` or the only line above it."""
    own_title = title_of_line(above[0].rstrip(_END_SIGNS)) if len(above) == 1 else ""
    title = name or own_title
    lines = LINE_SEPARATOR.join([*below, *([] if own_title else above)])
    labels = {**place.labels, LINES_ABOVE: lines, LINES_BELOW_LAST_RUN: None}
    return place._replace(title=title or place.title, labels=labels)


def _lines_below_last(place: Place) -> list[str]:
    """The lines below the last run of a section."""
    below = place.labels.get(LINES_BELOW_LAST_RUN)
    return below.split(LINE_SEPARATOR) if below else []


def _count_about_run_above(above: Sequence[Sequence[str]], below_last: Sequence[str]) -> int:
    """The number of lines between two runs that are about the first one; 0 if the lines do not show it."""
    between = above[1:]
    if not above[0] or not between:
        return 0
    count = min(_count_alike(lines, below_last) for lines in between)
    are_explained = all(_end_alike(lines[count:], above[0]) for lines in between)
    are_distinct = not any(differ_in_one_word(line, other) for line in below_last[:count] for other in above[0])
    return count if are_explained and are_distinct else 0


def _end_alike(lines: Sequence[str], first: Sequence[str]) -> bool:
    """Whether there are lines, and all are like the last ones of `first`, which may have more: those of a group."""
    pairs = list(zip(reversed(lines), reversed(first), strict=False))
    return 0 < len(lines) == len(pairs) and all(_are_alike(*pair) for pair in pairs)


def _count_alike(lines: Sequence[str], others: Sequence[str]) -> int:
    """How many lines at the beginning are like the others, each like the one in its place."""
    pairs = zip(lines, others, strict=False)
    return next((at for at, pair in enumerate(pairs) if not differ_in_one_word(*pair)), min(len(lines), len(others)))


def _are_alike(line: str, other: str) -> bool:
    """Whether two lines above runs may have the same meaning: but for one word they are equal, or each is a word.

    A title lacks the signs around its line.
    """
    line, other = (undecorated(text).rstrip(_END_SIGNS) for text in (line, other))
    return differ_in_one_word(line, other) or (_WORD.fullmatch(line) and _WORD.fullmatch(other)) is not None
