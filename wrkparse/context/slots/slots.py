"""Reads the places of runs by slots: names, numbers and possible settings.

A slot is a part of the place that many runs share: the first folder, the name of the file, the second level of
headings. Words of labels are removed from its texts: ``kiwi-c64.txt`` → kiwi in the slot of files, connections=64.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from wrkparse.context.labels import without_process_number
from wrkparse.context.nearby_lines import (
    EVIDENCE_KEYS,
    LINE_SEPARATOR,
    LINES_ABOVE,
    LINES_BELOW,
    PREFIX_WORDS,
    RESTARTED_UNIT,
    NearbyText,
    distinguishing_words,
)
from wrkparse.context.precedence import is_possible_value, normalize_value
from wrkparse.context.slots.label_words import BLANK_SEPARATED_WORD, IGNORED_KEY_PREFIXES, WORD, LabelWords
from wrkparse.context.slots.noun_counts import is_counted_noun, noun_counts
from wrkparse.context.slots.repeats import (
    are_one_variant_noun,
    are_repeat_numbers,
    belong_to_repeated_names,
    belong_to_unique_names,
    without_last_repeat_numbers,
    without_repeat_letters,
    without_repeat_numbers,
)
from wrkparse.context.titles.known_names import is_known_name
from wrkparse.context.titles.name_extraction import has_only_common_words, without_shared_preposition
from wrkparse.context.titles.path_parts import has_processor_0, without_code_suffix, without_suffixes
from wrkparse.context.titles.setting_extraction import is_day
from wrkparse.context.titles.titles import Title, printed_flags, read_heading, read_path_part, read_title
from wrkparse.context.titles.vocabulary import OPTION_LETTERS
from wrkparse.source.discover import STDIN

URL_HOST = "url_host"  # key among the labels of a place: the name of the host that answered
_LETTER_OF_KEY = {key: letter.lower() for letter, key in OPTION_LETTERS.items()}
_UNCOMPARED_KEYS = EVIDENCE_KEYS | {"title"}
READ_AS_PATHS = frozenset({"folder", "file", "process", "program", "host"})
_NAME_AND_LOAD = re.compile(r"([^\W\d_]{1,40})([0-9]{1,6})")
_DOTTED_NUMBERS = re.compile(r"(?:[^.@\s]{0,40}[^\W\d_][.@]){1,4}(?:([0-9]{1,6})\.)?([0-9]{1,6})")
_LETTER_AND_NUMBER = re.compile(r"[A-Za-z][-_ ]?[0-9]{1,3}")
_FEWEST_COUNTED = 3  # files of two settings may be called c1 and c2
_CHANGE_NOUNS = frozenset("pr mr issue ticket bug".split())  # the number after them is part of the name


class Place(NamedTuple):
    """The place of a run: the path of its source, the headings above it joined by ``>``, and the title directly above.

    ``process`` is the prefix of its lines. ``labels`` are its labels as text. ``framework_origin`` is the origin of its
    framework if that is ``heading`` or ``path``: a guess, which better ones may overrule. ``path`` has the parts of the
    source, empty for parts without information about the run; None if all may have some. ``port`` is that of the URL.
    """

    tool: str
    source: str
    section: str | None
    title: str | None
    process: str | None
    labels: Mapping[str, str | None]
    framework_origin: str | None = None
    path: tuple[str, ...] | None = None
    port: str | None = None


class Slot(NamedTuple):
    """A slot: its kind (``folder``, ``file``, ``section``, ``title`` …), its depth, and a part of its names.

    Part 0 is the whole name, 1 and 2 are its first and its second half. ``is_number`` marks the numbers beside a name.
    """

    kind: str
    depth: int = 0
    part: int = 0
    is_number: bool = False


Names = dict[int, str]  # by the index of the run; a run without a name is missing


class SlotText(NamedTuple):
    """A name or a setting, the text that gives it, and the kind of its slot."""

    value: str
    text: str
    kind: str


def setting_of(place: Place, found: Mapping[str, SlotText]) -> Hashable:
    """The setting of a run: its tool, its labels, and the labels that its place gives."""
    own = {key: value for key, value in place.labels.items() if value is not None and key not in _UNCOMPARED_KEYS}
    return place.tool, frozenset(({key: said.value for key, said in found.items()} | own).items())


class Slots(NamedTuple):
    """The names in each slot, outermost first, and the settings that short names such as ``c64`` give.

    ``outer`` slots are compared among all sources, ``inner`` ones among the runs of one source. ``texts`` and
    ``inner_texts`` have the whole texts of these slots; a name may be a part of its text.
    """

    outer: dict[Slot, Names]
    inner: dict[str, dict[Slot, Names]]
    settings: dict[int, dict[str, SlotText]]
    texts: dict[Slot, Names]
    inner_texts: dict[str, dict[Slot, Names]]

    def slot_text(self, value: str, slot: Slot, at: int, source: str | None) -> SlotText:
        """A value from a slot, with the text of the slot; `source` is None for an outer slot."""
        texts = self.texts if source is None else self.inner_texts[source]
        return SlotText(value, texts[slot._replace(part=0, is_number=False)][at], slot.kind)


def read_slots(places: Sequence[Place], runs: Mapping[int, int]) -> Slots:
    """Read the places of runs, slot by slot; `runs` counts the runs at a place that has several."""
    by_source: dict[str, list[int]] = defaultdict(list)
    for at, place in enumerate(places):
        by_source[place.source].append(at)
    texts: dict[Slot, dict[int, str]] = defaultdict(dict)
    inner: dict[str, dict[Slot, dict[int, str]]] = {}
    shared_levels: dict[str, int] = {}
    for source, of_source in by_source.items():
        *folders, file = places[of_source[0]].path or (("",) if source == STDIN else source.split("/"))
        shared, own = _split_sections(places, of_source)
        shared_levels[source] = len(shared)
        whole = {Slot("folder", depth): folder for depth, folder in enumerate(folders)}
        whole |= {Slot("file"): without_code_suffix(without_suffixes(file))}
        whole |= {Slot("section", depth): heading for depth, heading in enumerate(shared)}
        for slot, text in whole.items():
            texts[slot] |= dict.fromkeys(of_source, text)
        for slot, of_runs in own.items():
            if slot.kind != "section" and len({of_runs.get(at) for at in of_source}) == 1:
                texts[slot] |= of_runs
            else:
                inner.setdefault(source, {})[slot] = of_runs
    reader = _SlotReader(places, runs)
    inner_names = {source: reader.names(slots) for source, slots in inner.items()}
    for source, slots in inner.items():
        for slot in _slots_with_one_name(inner_names[source], by_source[source]):
            outside = slot._replace(depth=slot.depth + shared_levels[source]) if slot.kind == "section" else slot
            if texts[outside].keys().isdisjoint(by_source[source]):
                texts[outside] |= slots[slot]
    outer = {slot: texts[slot] for slot in sorted(texts, key=_slot_order)}
    return Slots(reader.names(outer), inner_names, reader.settings(), outer, inner)


def _slots_with_one_name(names: Mapping[Slot, Names], runs: Sequence[int]) -> Iterator[Slot]:
    """The headings and titles of a source that give all its runs one name: ``## kiwi run 1``, ``## kiwi run 2``."""
    for slot, of_runs in names.items():
        names_all = slot.kind in ("section", "title") and not slot.is_number and len(of_runs) == len(runs)
        if names_all and len({name.casefold() for name in of_runs.values()}) == 1:
            yield slot


_KINDS_FROM_OUTSIDE = ("folder", "file", "process", "lead", "host", "program", "section", "title")


def _slot_order(slot: Slot) -> tuple[int, int]:
    """The rank of a slot, outermost first."""
    return _KINDS_FROM_OUTSIDE.index(slot.kind), slot.depth


def _split_sections(places: Sequence[Place], runs: Sequence[int]) -> tuple[Sequence[str], dict[Slot, dict[int, str]]]:
    """The headings that all runs of a source share, and the slots of other headings, titles, processes and messages."""
    printed = {at: tuple((places[at].section or "").split(" > ")) for at in runs}
    holding = set(printed.values())
    headings = _without_uneven_levels(
        {at: _without_sibling_headings(levels, holding) for at, levels in printed.items()}
    )
    shared = list(filter(None, _shared_levels(headings.values())))
    slots: dict[Slot, dict[int, str]] = defaultdict(dict)
    for at, levels in headings.items():
        for depth, heading in enumerate(levels[len(shared) :]):
            if heading:
                slots[Slot("section", depth)][at] = heading
    labels = places[runs[0]].labels
    said = (
        {at: NearbyText.of(places[at].labels) for at in runs} if LINES_ABOVE in labels or LINES_BELOW in labels else {}
    )
    captions = _captions_of_runs(said)
    own = {
        "title": {at: without_suffixes(name) for at in runs if (name := places[at].title or captions.get(at))},
        "process": _shorten_processes({at: text for at in runs if (text := places[at].process)})
        or _names_in_prefixes(places, runs),
        "host": {at: text for at in runs if (text := places[at].labels.get(URL_HOST))},
        "program": _shorten_programs(_started_programs(places, runs)),
    }
    slots |= {Slot(kind): found for kind, found in own.items() if found}
    if said:  # a message holds for the runs that follow
        sections = {at: places[at].section for at in runs}
        slots |= {Slot("lead", depth): names for depth, names in enumerate(distinguishing_words(said, sections))}
    return shared, dict(sorted(slots.items(), key=lambda item: _slot_order(item[0])))


def _without_sibling_headings(levels: tuple[str, ...], holding: Collection[tuple[str, ...]]) -> tuple[str, ...]:
    """The headings above a run, without a heading that begins the next one and has runs of its own.

    ``### kiwi tuned`` below the runs of ``## kiwi`` is a sibling of it: of the two names, only the inner one is that of
    the run.
    """
    found: list[str] = []
    for depth, heading in enumerate(levels):
        if found and levels[:depth] in holding and heading.casefold().startswith(found[-1].casefold() + " "):
            found.pop()
        found.append(heading)
    return tuple(found)


def _shared_levels(headings: Iterable[tuple[str, ...]]) -> list[str]:
    """The outer headings that all runs share."""
    return [level[0] for level in takewhile(lambda level: len(set(level)) == 1, zip(*set(headings), strict=False))]


def _without_uneven_levels(headings: dict[int, tuple[str, ...]]) -> dict[int, tuple[str, ...]]:
    """The headings above each run, without one above another whose parts have the same headings as its own.

    ``# kiwi`` > ``## c=10`` and ``# kiwi`` > ``## emu`` > ``### c=10``: someone wrote the second name a level too deep.
    """
    depth = len(_shared_levels(headings.values()))
    if not depth or len(set(headings.values())) <= depth:
        return headings
    below: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for levels in headings.values():
        if len(levels) > depth + 1:
            below[levels[depth]].add(levels[depth + 1 :])
    own = {levels[depth:] for levels in headings.values() if len(levels) == depth + 1}
    siblings = {name for name, parts in below.items() if (name,) not in own and parts <= own}
    return {
        at: levels[: depth - 1] + levels[depth:] if len(levels) > depth and levels[depth] in siblings else levels
        for at, levels in headings.items()
    }


def _captions_of_runs(said: Mapping[int, NearbyText]) -> dict[int, str]:
    """The caption of each run, such as ``*Listing 2: kiwi*``.

    It is the only line below the run, or below the run that follows directly.
    """
    captions: dict[int, str] = {}
    below = ""
    for at in sorted(said, reverse=True):
        of_run = said[at]
        captions[at] = ("" if LINE_SEPARATOR in of_run.below else of_run.below) or below
        below = "" if of_run.above else captions[at]
    return captions


def _started_programs(places: Sequence[Place], runs: Sequence[int]) -> dict[int, str]:
    """The program of each run: the one that a command started, or restarted if several programs are.

    If all restarts are of one program, they name nothing.
    """
    started = {at: name for at in runs if (name := places[at].labels.get("program"))}
    restarted = {at: name for at in runs if (name := places[at].labels.get(RESTARTED_UNIT))}
    return started | restarted if len(set(restarted.values())) > 1 else started


def _shorten_programs(programs: Mapping[int, str]) -> dict[int, str]:
    """Programs without suffixes, and without the interpreter if all have the same: ``node kiwi.js`` is kiwi.

    Images lose their owner, unless only the owner distinguishes them: ``acme/api:1.4`` is api:1.4.
    """
    split = {at: program.partition(" ") for at, program in programs.items()}
    if len({(interpreter, blank) for interpreter, blank, _ in split.values()}) == 1:
        programs = {at: script or interpreter for at, (interpreter, _, script) in split.items()}
    images = {name: name if name.startswith((".", "/")) else name.rpartition("/")[2] for name in programs.values()}
    if len(set(images.values())) == len(images):
        programs = {at: images[program] for at, program in programs.items()}
    return {at: without_code_suffix(program) for at, program in programs.items()}


def _shorten_processes(prefixes: Mapping[int, str]) -> dict[int, str]:
    """Processes without number and machine, and the part in which pods and their containers differ.

    ``load1 api[2208]`` is api; ``pod/emu/main`` is emu beside ``pod/kiwi/main``, and main beside ``pod/emu/proxy``.
    """
    names = {at: without_process_number(text).rpartition(" ")[2] for at, text in prefixes.items()}
    pods = {at: name.split("/", 2)[1] for at, name in names.items() if name.startswith("pod/")}
    if len(pods) == len(names) and len(set(pods.values())) == len(set(names.values())):
        names = pods
    elif len(pods) == len(names) and len(set(pods.values())) == 1:
        names = {at: name.rpartition("/")[2] for at, name in names.items()}
    return {at: without_suffixes(name) for at, name in names.items()}


_IDENTIFYING_PART = re.compile(r"(?:[-_.:@/#]|\A)(?=[^\W_0-9]{0,40}[0-9])[^\W_]{1,100}(?=[\W_]|\Z)")


def _names_in_prefixes(places: Sequence[Place], runs: Sequence[int]) -> dict[int, str]:
    """The words of the prefixes of runs if nothing else names them.

    Words that all of them share are left out, as are parts with digits of words that only one run has: they may be
    identifiers, ``kiwi-7d9f8b6c5-x4k2z``.
    """
    if any(places[at].title or places[at].section or places[at].labels.get("framework") for at in runs):
        return {}
    whole = {at: words.split() for at in runs if (words := places[at].labels.get(PREFIX_WORDS))}
    times = Counter(word for words in whole.values() for word in set(words))
    found = {at: [word if times[word] > 1 else _IDENTIFYING_PART.sub("", word) for word in whole[at]] for at in whole}
    times = Counter(word for words in found.values() for word in set(words))
    own = {at: [word for word in words if word and times[word] < len(found)] for at, words in found.items()}
    if not all(any(map(str.isalpha, "".join(words))) for words in own.values()):  # "worker 1", "worker 2"
        own = whole
    return {at: name for at, words in own.items() if (name := " ".join(word.rpartition("/")[2] for word in words))}


class _SlotEvidence(NamedTuple):
    """Facts that the runs of a slot show together.

    ``varying_settings``: texts, each with a key of its settings that varies in the runs below. ``kept_words``: words of
    labels that belong to names.
    """

    varying_settings: frozenset[tuple[str, str]]
    kept_words: frozenset[str]


class _SlotReader:
    """Reads the texts of slots, and collects the possible settings in them."""

    def __init__(self, places: Sequence[Place], runs: Mapping[int, int]) -> None:
        self._places, self._runs = places, runs
        label_words = {id(place.labels): LabelWords(place.labels) for place in _one_place_per_labels(places)}
        self._label_words = [label_words[id(place.labels)] for place in places]
        self._possible_settings: dict[tuple[Slot, str], dict[int, SlotText]] = defaultdict(dict)

    def names(self, slots: Mapping[Slot, Mapping[int, str]]) -> dict[Slot, Names]:
        """The names and the numbers of each slot."""
        found: dict[Slot, Names] = {}
        for slot, said in slots.items():
            whole, read, is_path = _choose_reading(slot, said)
            texts = self._without_noun_counts(slot, self._dots_to_dashes(whole) if slot.kind == "file" else whole, read)
            titles = {at: read(text) for at, text in texts.items()}
            kept = self._numbers_by_chance(titles) | self._words_of_some_paths(titles, texts)
            if is_path:
                kept |= self._path_words_of_compounds(titles)
            evidence = _SlotEvidence(self._varying_settings(titles, texts), kept)
            names = {
                at: self._name_without_labels(slot, at, title, texts[at], evidence) for at, title in titles.items()
            }
            if is_path:
                names = self._without_load_numbers(without_repeat_letters(names))
            if numbered := _numbered_variants(names, titles, is_path=is_path):
                names |= numbered
                titles = {at: title._replace(numbers=()) for at, title in titles.items()}
            if not is_path:
                names |= _flagged_variants(names, titles, texts)
                names = without_shared_preposition(names)
            found |= self._split_numbers(slot, names, titles, texts)
        return found

    def _split_numbers(
        self, slot: Slot, names: Names, titles: Mapping[int, Title], texts: Mapping[int, str]
    ) -> dict[Slot, Names]:
        """The names of a slot, and a slot of the numbers beside them, unless the numbers belong to names or count."""
        numbers = self._without_label_numbers({at: title.numbers for at, title in titles.items()})
        may_count = are_repeat_numbers(numbers.values())
        counted = (
            without_last_repeat_numbers(names, numbers, texts)
            if slot.kind in READ_AS_PATHS and not may_count
            else numbers
        )
        may_hold = may_count and (
            slot.kind == "folder" or (slot.kind == "section" and are_one_variant_noun(names.values()))
        )
        groups = {at: _repeat_group(self._places[at]) for at in titles} if may_hold else {}
        are_names = (counted != numbers or _are_inner_numbers(names, counted, texts)) and belong_to_unique_names(
            names, counted
        )
        if are_names or (groups and belong_to_repeated_names(names, counted, groups, self._runs)):
            return {slot: {at: _with_number(names[at], of_run, texts[at]) for at, of_run in counted.items()}}
        found = {slot: without_repeat_numbers({at: name for at, name in names.items() if name})}
        if not may_count:
            numbers = counted
            found[slot._replace(is_number=True)] = {at: " ".join(of_run) for at, of_run in numbers.items() if of_run}
        return found

    def _dots_to_dashes(self, files: Mapping[int, str]) -> Mapping[int, str]:
        """Names of files with dashes instead of the dots before numbers: ``out.kiwi.64.1`` → out-kiwi-64-1.

        Other numbers may be versions: the first of two must be a label of the run; a single one may count instead.
        """
        found = {at: _DOTTED_NUMBERS.fullmatch(name) for at, name in files.items()}
        dotted = {at: match for at, match in found.items() if match}
        if len(dotted) < len(files):
            return files
        numbers = {at: match[1] or match[2] for at, match in dotted.items()}
        explained = all(self._label_words[at].has_number(number) for at, number in numbers.items())
        if not explained and (
            any(match[1] for match in dotted.values())
            or not are_repeat_numbers([(number,) for number in numbers.values()])
        ):
            return files
        return {at: re.sub("[.@]", "-", name) for at, name in files.items()}

    def _without_noun_counts(
        self, slot: Slot, texts: Mapping[int, str], read: Callable[[str], Title]
    ) -> Mapping[int, str]:
        """Texts without nouns and their numbers, which become possible settings unless the run has such a label."""
        left = dict(texts)
        for at, counted in noun_counts(texts, slot.kind, read).items():
            if self._places[at].labels.get(counted.key) is None and is_possible_value(counted.key, counted.value):
                self._possible_settings[slot, counted.key][at] = SlotText(counted.value, texts[at], slot.kind)
                left[at] = counted.rest
        return left

    def _without_load_numbers(self, names: Names) -> Names:
        """Names without the numbers after them, if these are labels of all runs: ``axum50`` at 50 connections."""
        found = {at: _NAME_AND_LOAD.fullmatch(name) for at, name in names.items()}
        matches = {at: match for at, match in found.items() if match}
        loads = {match[2] for match in matches.values()}
        if len(matches) < len(names) or len(loads) < 2:
            return names
        if not all(self._label_words[at].has_number(match[2]) for at, match in matches.items()):
            return names
        return {at: match[1] for at, match in matches.items()}

    def _without_label_numbers(self, numbers: Mapping[int, tuple[str, ...]]) -> dict[int, tuple[str, ...]]:
        """The numbers of each run, without the first, the second … if it is a label in all runs.

        One run may have such a label by chance: the two threads of wrk do not explain the 2 of ``kiwi / 2``.
        """
        most = max(map(len, numbers.values()), default=0)
        kept = [
            place
            for place in range(most)
            if not all(
                self._label_words[at].has_number(of_run[place]) for at, of_run in numbers.items() if len(of_run) > place
            )
        ]
        return {at: tuple(of_run[place] for place in kept if place < len(of_run)) for at, of_run in numbers.items()}

    def _varying_settings(self, titles: Mapping[int, Title], texts: Mapping[int, str]) -> frozenset[tuple[str, str]]:
        """The texts, each with a key of its settings, for which the runs below one text have different labels.

        Such a text describes the machine and not a run: ``16-core epyc`` above runs on 1, 4 and 16 cores.
        """
        held: dict[tuple[str, str], set[str | None]] = defaultdict(set)
        for at, title in titles.items():
            for key, _ in (*title.possible_settings, *title.settings):
                held[texts[at], key].add(self._places[at].labels.get(key))
        return frozenset(found for found, values in held.items() if len(values - {None}) > 1)

    def _numbers_by_chance(self, titles: Mapping[int, Title]) -> frozenset[str]:
        """The numbers in names that are labels of some runs only by chance, as the names of their siblings show.

        The four threads of wrk do not explain the 4 of ``Nimbus 4 + pgo`` beside ``Nimbus 3`` or ``Quokka``. A number
        that all names have distinguishes none: it need not be a label.
        """
        numbers = {at: {word for word in title.name.split() if word.isdecimal()} for at, title in titles.items()}
        shared = set.intersection(*numbers.values()) if numbers else set[str]()
        if all(own and all(map(self._label_words[at].has_number, own - shared)) for at, own in numbers.items()):
            return frozenset()
        return frozenset().union(*numbers.values())

    def _words_of_some_paths(self, titles: Mapping[int, Title], texts: Mapping[int, str]) -> frozenset[str]:
        """The words in names that the path of a URL has in some of the runs below one text: ``/?by=kiwi``."""
        held: dict[tuple[str, str], set[bool]] = defaultdict(set)
        for at, title in titles.items():
            words = WORD.findall(title.name.casefold())
            for word in words if len(words) > 1 else ():
                held[texts[at], word].add(self._label_words[at].is_only_in_path(word))
        return frozenset(word for (_, word), found in held.items() if len(found) > 1)

    def _path_words_of_compounds(self, titles: Mapping[int, Title]) -> frozenset[str]:
        """The words of the path of a URL that only one other word is joined with in names: ``list_orders``.

        In ``kiwi_json`` and ``emu_json`` two words are joined with the word of the path.
        """
        beside: dict[str, set[str]] = defaultdict(set)
        for at, title in titles.items():
            first, joint, last = title.name.casefold().rpartition("_")
            if joint and self._label_words[at].is_only_in_path(last):
                beside[last].add(first)
        times = Counter(first for firsts in beside.values() for first in firsts)
        alone = {last for last, firsts in beside.items() if len(firsts) == 1 and times[next(iter(firsts))] == 1}
        return frozenset(alone)

    def _name_without_labels(self, slot: Slot, at: int, title: Title, text: str, evidence: _SlotEvidence) -> str:
        """The words of a title that are not in labels of the run; a setting that differs from the label stays a word.

        Settings of unknown keys in a bare line are possible settings: only siblings show that they are not results.
        """
        if slot.kind == "section" and not any(title) and _may_name(text):  # "How it was" beside names is one
            return text.rstrip(":： ")
        label_words = self._label_words[at]
        more = []
        for key, printed in (*title.possible_settings, *title.settings):
            if key.startswith(IGNORED_KEY_PREFIXES):
                continue
            value, held = normalize_value(key, printed), self._places[at].labels.get(key)
            if held is None and is_possible_value(key, value):
                self._possible_settings[slot, key][at] = SlotText(value, text, slot.kind)
            elif (text, key) in evidence.varying_settings:
                continue
            elif held != value and not (slot.kind == "title" and key == "duration_s"):  # "up in 1.5s" is a result
                letter = _LETTER_OF_KEY.get(key, key)
                forms = (f"{printed}{letter}", f"{letter}{printed}", printed if printed[-1:].isalpha() else "\0")
                more.append(next((form for form in forms if form in text), f"{letter}{printed}"))
        only_flags = title.settings and all(key.startswith("flag_") for key, _ in title.settings)
        rest = label_words.removed_from(
            title.name or (text if only_flags and slot.kind not in READ_AS_PATHS else ""),
            WORD if slot.kind in READ_AS_PATHS else BLANK_SEPARATED_WORD,
            evidence.kept_words,
        )
        return " ".join([*filter(None, [rest]), *more])

    def settings(self) -> dict[int, dict[str, SlotText]]:
        """The possible settings in which siblings differ."""
        found: dict[int, dict[str, SlotText]] = defaultdict(dict)
        for (_, key), settings in self._possible_settings.items():
            if len({setting.value for setting in settings.values()}) > 1 and not _only_number_files(settings.values()):
                for at, setting in settings.items():
                    found[at].setdefault(key, setting)
        return dict(found)


def _only_number_files(settings: Collection[SlotText]) -> bool:
    """Whether settings are the whole names of files, and number them: ``t1.log``, ``t2.log``, ``t3.log``."""
    values = {(setting.value,) for setting in settings}
    return (
        len(values) >= _FEWEST_COUNTED
        and all(setting.kind == "file" and _LETTER_AND_NUMBER.fullmatch(setting.text) for setting in settings)
        and are_repeat_numbers(values)
    )


class _Reading(NamedTuple):
    """The texts of a slot, the function that reads them, and whether it reads them as paths."""

    texts: Mapping[int, str]
    read: Callable[[str], Title]
    is_path: bool


def _choose_reading(slot: Slot, texts: Mapping[int, str]) -> _Reading:
    """The texts of a slot, and how they are read.

    Words of commands above runs may be files, such as those to which reports were written: ``tee kiwi-1.txt``.
    """
    if slot.kind == "lead":
        files = {at: without_suffixes(text) for at, text in texts.items()}
        if all(files[at] != text for at, text in texts.items()):
            return _Reading({at: file.replace("/", "-") for at, file in files.items()}, read_path_part, is_path=True)
    if slot.kind in READ_AS_PATHS:
        read = _read_folder if slot.kind == "folder" else read_path_part
        return _Reading(texts, _as_whole_name if any(map(has_processor_0, texts.values())) else read, is_path=True)
    return _Reading(texts, read_heading if slot.kind == "section" else read_title, is_path=False)


def _repeat_group(place: Place) -> Hashable:
    """A value that is equal for runs of a folder that may be repeats: the tool, the load, the name without numbers."""
    load = tuple(place.labels.get(key) for key in ("connections", "threads", "rate", "path", "payload_bytes"))
    return place.tool, load, re.sub("[0-9]+", "", place.source.rpartition("/")[2])


def _with_number(name: str, numbers: Sequence[str], text: str) -> str:
    """A name with its number, as in the name of a folder: ``fix-nodelay-2``, ``0002-fix``."""
    if not numbers:
        return name
    own, number = re.escape(name), re.escape(numbers[0])
    both = re.search(rf"{own}[\s._-]{{0,3}}{number}(?![0-9])|(?<![0-9]){number}[\s._-]{{1,3}}{own}(?![^\W_])", text)
    return both[0] if both else _with_inner_number(name, numbers[0], text) or f"{name} {numbers[0]}"


def _with_inner_number(name: str, number: str, text: str) -> str:
    """A name with the number between two of its words: ``AES_128_GCM``; empty if there is none."""
    match = re.search(rf"[-_]{re.escape(number)}(?=[-_])", text)
    without = text[: match.start()] + text[match.end() :] if match else ""
    at = without.find(name) if match else -1
    if match is None or not 0 <= at < match.start() < at + len(name):
        return ""
    return text[at : at + len(name) + len(match[0])]


def _are_inner_numbers(names: Names, numbers: Mapping[int, tuple[str, ...]], texts: Mapping[int, str]) -> bool:
    """Whether each name has one number, between two of its words."""
    return all(
        len(of_run) == 1 and _with_inner_number(names[at], of_run[0], texts[at]) for at, of_run in numbers.items()
    )


def _read_folder(text: str) -> Title:
    """Read the name of a folder; a name with a phase is not split."""
    title = read_path_part(text)
    return _as_whole_name(text) if any(key == "phase" for key, _ in title.settings) else title


def _as_whole_name(text: str) -> Title:
    """A title with the text as its name."""
    return Title((), text, "", ())


def _numbered_variants(names: Names, titles: Mapping[int, Title], *, is_path: bool) -> Names:
    """Names with the numbers after them, if one word alone has numbers beside names without: ``Pool 50``.

    If all names have numbers, these are a factor of their own: ``kiwi / 2``. Only numbers of changes belong to names:
    ``pr-88``.
    """
    numbered = {at: names[at] for at, title in titles.items() if len(title.numbers) == 1 and names[at]}
    stems, others = set(numbered.values()), {name for at, name in names.items() if name and at not in numbered}
    different = {titles[at].numbers for at in numbered}
    if len(stems) != 1 or any(map(is_known_name, next(iter(stems)).split())):
        return {}
    may_be_change = next(iter(stems)).lower() in _CHANGE_NOUNS
    if may_be_change and (others - stems or len(different) > 1):
        return {at: f"{name}{'-' if is_path else ' '}{titles[at].numbers[0]}" for at, name in numbered.items()}
    if len(different) < 2 or not others - stems:
        return {}
    if not all(map(is_counted_noun, stems)) and (is_path or are_repeat_numbers(different)):
        return {}
    return {at: f"{name} {titles[at].numbers[0]}" for at, name in numbered.items()}


def _flagged_variants(names: Names, titles: Mapping[int, Title], texts: Mapping[int, str]) -> Names:
    """Names with the flags after them, if one name has several: ``kiwi`` and ``kiwi --no-cache``."""
    flags = {
        at: frozenset(setting for setting in titles[at].settings if setting[0].startswith("flag_"))
        for at, name in names.items()
        if name
    }
    different: dict[str, set[frozenset[tuple[str, str]]]] = defaultdict(set)
    for at, own in flags.items():
        different[names[at].casefold()].add(own)
    flagged = (at for at, own in flags.items() if own and len(different[names[at].casefold()]) > 1)
    return {at: f"{names[at]} {printed}" for at in flagged if (printed := printed_flags(texts[at]))}


def _may_name(text: str) -> bool:
    """Whether a heading without a name has words other than words of documents, and sets nothing."""
    if is_day(text):
        return True
    return "=" not in text and any(map(str.isalpha, text)) and not has_only_common_words(text.rstrip(" .!?…。！？"))


def _one_place_per_labels(places: Iterable[Place]) -> Iterable[Place]:
    """One place for each mapping of labels: places with the same labels share one mapping."""
    return {id(place.labels): place for place in places}.values()
