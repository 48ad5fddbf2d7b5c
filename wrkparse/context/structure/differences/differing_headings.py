"""Labels runs that nothing else distinguishes by the headings and titles above them, and by the names of their files.

``## kiwi (17 worker processes)`` and ``## kiwi (17 worker threads)`` give the same name and the same number of workers.
Runs below them are no repeats, because the headings differ in words. Emoji and signs are words here: ``## kiwi 🚀`` and
``## kiwi 🐢``, ``## kiwi +`` and ``## kiwi -``. So are the files ``kiwi.txt`` and ``kiwi+.txt``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from wrkparse.context.slots.places import FRAMEWORK, HEADING_KEYS, Place, SlotText, setting_of
from wrkparse.context.structure.names.sentence_names import shorten_names
from wrkparse.context.titles.decoration import without_markup
from wrkparse.context.titles.name_extraction import has_only_common_words, without_framework
from wrkparse.context.titles.path_parts import without_suffixes
from wrkparse.context.titles.titles import Title, read_path_part, read_title
from wrkparse.context.titles.vocabulary import TIME_WORDS

_LabelsOfRuns = Sequence[dict[str, SlotText]]  # for each run, its labels by key
_FILE_KEYS = ("file_name", "file_name_2")
_EMOJI = "[\\u2600-\\u27bf\\u2b00-\\u2bff\\U0001f000-\\U0001faff]"
# "processes", "🐢", and "+" by itself
_WORD = re.compile(rf"[^\W\d_]+|{_EMOJI}{{1,9}}|(?<=\s)[+-]{{1,9}}(?!\S)")
_WORD_OF_FILE = re.compile(r"[^\W\d_]+|[+~!'#*@]{1,9}")  # "kiwi", and "+" of "kiwi+"
_JOINING_WORDS = frozenset("a an and at by for in of on the to using w with".split())
_TIME = re.compile(TIME_WORDS, re.IGNORECASE)


def label_by_headings(places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: _LabelsOfRuns) -> None:
    """Add the nearest heading, or the title, to the runs of a source with the same labels that differ in its words.

    Of runs with the same labels in several files, those whose names are read alike but differ in words or signs get
    the name of the file.
    """
    for runs in by_source.values():
        headings = {at: heading for at in runs if (heading := (places[at].section or "").rpartition(" > ")[2])}
        _label_by_texts(places, headings, found, "section")
        titles = {at: title for at in runs if (title := places[at].title)}
        _label_by_texts(places, titles, found, "title")
    files = {source: without_suffixes(source.rpartition("/")[2]) for source in by_source}
    _label_by_texts(places, {at: files[source] for source, runs in by_source.items() for at in runs}, found, "file")


def _label_by_texts(places: Sequence[Place], texts: Mapping[int, str], found: _LabelsOfRuns, kind: str) -> None:
    """Add the text of a run to those that have the same labels and texts that are read alike, in different words."""
    alike: dict[Title, set[str]] = defaultdict(set)
    for text in set(texts.values()):
        title = read_path_part(text)._replace(numbers=()) if kind == "file" else read_title(text)
        may_tell = title.name or title.settings or (kind == "section" and not any(map(str.isalnum, text)))
        if may_tell and not title.repeat:
            alike[title._replace(name=title.name.casefold())].add(text)
    titles = {text: title for title, of_title in alike.items() if _differ_in_words(of_title, kind) for text in of_title}
    groups: dict[object, list[int]] = defaultdict(list)
    for at, text in texts.items() if titles else ():
        if text in titles:
            groups[setting_of(places[at], found[at]), titles[text]].append(at)
    for group in groups.values():
        different = {texts[at] for at in group}
        if _differ_in_words(different, kind):
            whole = {at: _without_framework(places[at], found[at], texts[at]) for at in group}
            short = shorten_names(whole.values())
            rests = {at: short[rest] for at, rest in whole.items()}
            are_told = len(set(rests.values())) == len(different)  # emoji are no part of names
            for at in group:
                _add_text(places[at], found[at], texts[at], rests[at] if are_told else texts[at], kind)


def _differ_in_words(texts: Collection[str], kind: str) -> bool:
    """Whether texts that are read alike differ in words that tell something; in names of files, each word may."""
    pattern = _WORD_OF_FILE if kind == "file" else _WORD
    words = [{word.casefold() for word in pattern.findall(text) if not _TIME.fullmatch(word)} for text in texts]
    rest = set().union(*words) - set.intersection(*words) - _JOINING_WORDS
    return any(not word.isalpha() or kind == "file" or not has_only_common_words(word) for word in rest)


def _without_framework(place: Place, labels: Mapping[str, SlotText], text: str) -> str:
    """The words of a text besides the framework of a run."""
    framework = place.labels.get(FRAMEWORK) or (labels[FRAMEWORK].value if FRAMEWORK in labels else "")
    return without_framework(without_markup(text), framework)


def _add_text(place: Place, labels: dict[str, SlotText], text: str, rest: str, kind: str) -> None:
    """Add a part of a text under the first key that the run does not have."""
    keys = _FILE_KEYS if kind == "file" else HEADING_KEYS
    key = next((key for key in keys if place.labels.get(key) is None and key not in labels), None)
    if key and rest:
        labels[key] = SlotText(rest, text, kind)
