"""Reads the texts of a slot: names, the numbers beside them, and settings that count if siblings have others.

Words of labels are removed: ``kiwi-c64.txt`` → kiwi in the slot of files, and the possible setting connections=64.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from wrkparse.context.precedence import is_possible_value, normalize_value
from wrkparse.context.slots.compounds import with_compounds_read
from wrkparse.context.slots.label_words import BLANK_SEPARATED_WORD, IGNORED_KEY_PREFIXES, WORD, LabelWords
from wrkparse.context.slots.name_numbers import are_inner_numbers, flagged_variants, numbered_variants, with_number
from wrkparse.context.slots.noun_counts import noun_counts
from wrkparse.context.slots.ordinals import without_ordinals
from wrkparse.context.slots.places import READ_AS_PATHS, Names, Place, PlaceSlot, SlotText
from wrkparse.context.slots.repeats import (
    are_numbered_things,
    are_numbers_of_variants,
    are_one_variant_noun,
    are_repeat_numbers,
    are_versions_of_one_name,
    belong_to_repeated_names,
    belong_to_unique_names,
    repeat_letter,
    without_last_repeat_numbers,
    without_repeat_letters,
    without_repeat_numbers,
    without_shared_numbers,
)
from wrkparse.context.slots.requests import crossed_requests
from wrkparse.context.titles.name_extraction import (
    has_only_common_words,
    without_shared_preposition,
    without_shared_words_around,
)
from wrkparse.context.titles.path_parts import PATH_SLOT_KINDS, has_processor_0, without_suffixes
from wrkparse.context.titles.settings.setting_extraction import find_repeat, is_day
from wrkparse.context.titles.titles import Title, read_heading, read_path_part, read_title, states_result
from wrkparse.context.titles.vocabulary import OPTION_LETTERS

_LETTER_OF_KEY = {key: letter.lower() for letter, key in OPTION_LETTERS.items()}
# "axum50", a name and the number of connections
_NAME_AND_LOAD = re.compile(r"([^\W\d_]{1,40})([0-9]{1,6})")
# "out.kiwi.64.1", without its suffix; "srv.1.18" looks alike, but 1.18 is a version
_DOTTED_NUMBERS = re.compile(r"(?:[^.@\s]{0,40}[^\W\d_][.@]){1,4}(?:([0-9]{1,6})\.)?([0-9]{1,6})")
_LETTER_AND_NUMBER = re.compile(r"[A-Za-z][-_ ]?[0-9]{1,3}")  # "t1", "c-2"
_PAYLOAD = "payload"
_SIZE = re.compile("([0-9]{1,9})")
_ROUND, _ROUND_DIGITS = 16, 3  # a size that was chosen is a multiple, or has fewer digits before its zeros
_FILES = frozenset({"file", "printed file"})
_JOINTS = frozenset("and to und et y e bis".split())  # between two numbers
_FEWEST_COUNTED = 3  # files; with two files, c1 and c2 may be settings
_AROUND_REPEAT = " .,;:–—|-"


class _SlotEvidence(NamedTuple):
    """Facts that the runs of a slot show together.

    ``varying_settings``: texts, each with a key of its settings that varies in the runs below. ``kept_words``: words of
    labels that belong to names.
    """

    varying_settings: frozenset[tuple[str, str]]
    kept_words: frozenset[str]


class SlotReader:
    """Reads the texts of slots, and collects the possible settings in them."""

    def __init__(self, places: Sequence[Place], runs: Mapping[int, int]) -> None:
        self._places, self._runs = places, runs
        label_words = {id(place.labels): LabelWords(place.labels) for place in _one_place_per_labels(places)}
        self._label_words = [label_words[id(place.labels)] for place in places]
        self._possible_settings: dict[tuple[PlaceSlot, str], dict[int, SlotText]] = defaultdict(dict)

    def names(self, slots: Mapping[PlaceSlot, Mapping[int, str]]) -> dict[PlaceSlot, Names]:
        """The names of each slot, and the numbers beside them as a slot of their own.

        The words of labels are removed from each text first: in ``kiwi-c64`` of a run on 64 connections, kiwi remains.
        The other texts of the slot show which words are labels only by chance, and belong to the name after all.
        """
        found: dict[PlaceSlot, Names] = {}
        for slot, of_runs in slots.items():
            printed, read, is_path = _choose_reading(slot, of_runs)
            # before names are read: an ordinal, a request or a noun with its number is no part of a name
            whole = without_ordinals(printed, read)
            whole = self._dots_to_dashes(whole) if slot.kind in _FILES else self._without_requests(slot, whole, read)
            texts = self._without_noun_counts(slot, whole, read)
            titles = {at: read(text) for at, text in texts.items()}
            if not is_path:
                titles = with_compounds_read(titles)
            # words of labels that stay, because the other names of the slot show that they are parts of names
            kept = self._numbers_by_chance(titles) | self._words_of_some_labels(titles, texts, is_path=is_path)
            kept |= self._path_words_inside_names(titles, WORD if is_path else BLANK_SEPARATED_WORD)
            kept |= self._path_words_of_variants(titles, WORD if is_path else BLANK_SEPARATED_WORD)
            if is_path:
                kept |= self._path_words_of_compounds(titles)
            evidence = _SlotEvidence(self._varying_settings(titles, texts), kept)
            names = {
                at: self._name_without_labels(slot, at, title, texts[at], evidence) for at, title in titles.items()
            }
            names |= _names_of_shared_texts(names, of_runs)
            if is_path:
                lettered, names = names, without_repeat_letters(names)
                titles = {
                    at: title if names.get(at) == lettered[at] else _with_repeat_letter(title, lettered[at])
                    for at, title in titles.items()
                }
                names = self._without_load_numbers(names)
                tools = {at: self._places[at].tool for at in names}
                names = without_shared_numbers(names, {at: title.numbers for at, title in titles.items()}, tools)
            if numbered := numbered_variants(names, titles, texts, is_path=is_path):
                names |= numbered
                titles = {at: title._replace(numbers=()) for at, title in titles.items()}
            if not is_path:
                names |= flagged_variants(names, titles, texts)
                names = without_shared_words_around(without_shared_preposition(names))
            found |= self._split_numbers(slot, names, titles, texts)
        return found

    def _split_numbers(
        self, slot: PlaceSlot, names: Names, titles: Mapping[int, Title], texts: Mapping[int, str]
    ) -> dict[PlaceSlot, Names]:
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
        may_be_variants = not may_count and slot.kind in _FILES | PATH_SLOT_KINDS
        groups = (
            {at: (_repeat_group(self._places[at]), title.settings) for at, title in titles.items()}
            if may_hold or may_be_variants
            else {}
        )
        are_names = (counted != numbers or are_inner_numbers(names, counted, texts)) and belong_to_unique_names(
            names, counted
        )
        # "http 1", "http 2"
        are_names |= slot.kind not in READ_AS_PATHS and are_numbered_things(names.values())
        # "Kiwi 6", "Kiwi 7"
        are_names |= slot.kind not in READ_AS_PATHS and not may_count and are_versions_of_one_name(names, counted)
        if may_be_variants:
            are_folders = slot.kind == "folder"
            are_names |= are_numbers_of_variants(names, counted, groups, self._runs, are_folders=are_folders)
        if are_names or (may_hold and belong_to_repeated_names(names, counted, groups, self._runs)):
            # one slot: the number is a part of the name
            return {slot: {at: with_number(names[at], of_run, texts[at]) for at, of_run in counted.items()}}
        behind = {
            at: _repeat_behind(title, numbers[at] if may_count else numbers[at][len(counted[at]) :])
            for at, title in titles.items()
        }
        # the 2 of "opt1-2" beside "opt1" counts, though it is the number of threads, too
        bare = {names.get(at) for at, title in titles.items() if not title.numbers and not title.repeat}
        last = {at: title.numbers[-1:] for at, title in titles.items() if names.get(at) in bare}
        behind = {at: own or tuple(filter(str.isdecimal, last.get(at, ()))) for at, own in behind.items()}
        found = {slot: without_repeat_numbers({at: name for at, name in names.items() if name}, behind)}
        # numbers that count repeats are no slot: the runs of one name are repeats
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

    def _without_requests(
        self, slot: PlaceSlot, texts: Mapping[int, str], read: Callable[[str], Title]
    ) -> Mapping[int, str]:
        """Texts without requests, which become possible settings; unchanged if a report states another path."""
        found = crossed_requests(texts, read)
        if any((self._places[at].labels.get("path") or one.path) != one.path for at, one in found.items()):
            return texts
        for at, title in found.items():
            for key, value in (("method", title.method), ("path", title.path)):
                if self._places[at].labels.get(key) is None:
                    self._possible_settings[slot, key][at] = SlotText(value, texts[at], slot.kind)
        return dict(texts) | {at: title.rest for at, title in found.items()}

    def _without_noun_counts(
        self, slot: PlaceSlot, texts: Mapping[int, str], read: Callable[[str], Title]
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
        if len(matches) < len(names) or len(loads) < 2:  # "heron10", "kiwi10"
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

    def _words_of_some_labels(
        self, titles: Mapping[int, Title], texts: Mapping[int, str], *, is_path: bool
    ) -> frozenset[str]:
        """The words in names that labels have in some of the runs below one text: *rate* if only one run has a rate.

        For paths, only words of the path of a URL count: ``/?by=kiwi``.
        """
        held: dict[tuple[str, str], set[bool]] = defaultdict(set)
        for at, title in titles.items():
            labels = self._label_words[at]
            words = WORD.findall(title.name.casefold())
            for word in words:
                by_chance = labels.is_only_in_path(word) if is_path or not word.isalpha() else labels.has_word(word)
                held[texts[at], word].add(by_chance)
        return frozenset(word for (_, word), found in held.items() if len(found) > 1)

    def _path_words_inside_names(self, titles: Mapping[int, Title], words: re.Pattern[str]) -> frozenset[str]:
        """The words of the path of a URL that stand inside one name only: *status* in ``list_status_with_get``.

        Of ``kiwi_json_tuned`` and ``emu_json_tuned`` the ends name the servers.
        """
        rests: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        for at, title in titles.items():
            labels, name = self._label_words[at], words.findall(title.name.casefold())
            # inside: between the first and the last word that no label has
            own = [place for place, word in enumerate(name) if not labels.has_word(word)]
            for place in range(own[0] + 1, own[-1]) if own else ():
                if labels.is_only_in_path(name[place]):
                    rests[name[place]].add((*name[:place], *name[place + 1 :]))
        return frozenset(_words_of_one_rest(rests))

    def _path_words_of_variants(self, titles: Mapping[int, Title], words: re.Pattern[str]) -> frozenset[str]:
        """The words of the path of a URL in whose place another name has a word that no label has.

        ``Heavy endpoint`` at /heavy beside ``Light endpoint`` at /hello; not *users* and *orders*, each at its path.
        """
        split = {at: words.findall(title.name.casefold()) for at, title in titles.items()}
        in_path: dict[tuple[tuple[str, ...], ...], set[str]] = defaultdict(set)
        for at, name in split.items():
            for word, around in _words_with_others(name):
                if self._label_words[at].is_only_in_path(word):
                    in_path[around].add(word)
        if not in_path:  # most pages
            return frozenset()
        return frozenset(
            word
            for at, name in split.items()
            for other, around in _words_with_others(name)
            if len(in_path.get(around, ())) == 1 and other.isalpha() and not self._label_words[at].has_word(other)
            for word in in_path[around]
        )

    def _path_words_of_compounds(self, titles: Mapping[int, Title]) -> frozenset[str]:
        """The words of the path of a URL that only one other word is joined with in names: ``list_orders``.

        In ``kiwi_json`` and ``emu_json`` two words are joined with the word of the path.
        """
        beside: dict[str, set[str]] = defaultdict(set)
        for at, title in titles.items():
            first, joint, last = title.name.casefold().rpartition("_")
            if joint and self._label_words[at].is_only_in_path(last):
                beside[last].add(first)
        return frozenset(_words_of_one_rest(beside))

    def _name_without_labels(self, slot: PlaceSlot, at: int, title: Title, text: str, evidence: _SlotEvidence) -> str:
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
            title.name or (_without_repeat(text) if only_flags and slot.kind not in READ_AS_PATHS else ""),
            WORD if slot.kind in READ_AS_PATHS else BLANK_SEPARATED_WORD,
            evidence.kept_words,
        )
        return " ".join([*filter(None, [rest]), *more])

    def settings(self) -> dict[int, dict[str, SlotText]]:
        """The possible settings in which siblings differ."""
        found: dict[int, dict[str, SlotText]] = defaultdict(dict)
        for (_, key), settings in self._possible_settings.items():
            if key == _PAYLOAD and _are_measured_sizes(settings.values()):
                continue
            if len({setting.value for setting in settings.values()}) > 1 and not _only_number_files(settings.values()):
                for at, setting in settings.items():
                    found[at].setdefault(key, setting)
        return dict(found)


def _names_of_shared_texts(names: Names, texts: Mapping[int, str]) -> Names:
    """The names of runs below one text that lost other words to the labels of each run: without the words of all.

    ``### From 3000 to 4000 connections`` above runs on 3000, 3500 and 4000 connections has one name.
    """
    below: dict[str, set[str]] = defaultdict(set)
    for at, name in names.items():
        below[texts[at]].add(name)
    shared = {text: _shared_words(of_text) for text, of_text in below.items() if len(of_text) > 1}
    return {at: shared[texts[at]] for at in names if texts[at] in shared}


def _shared_words(names: Collection[str]) -> str:
    """The words that all names have, without those and signs that joined the others: ``kiwi`` of ``kiwi 8 and``."""
    first, *others = (name.split() for name in sorted(names))
    words = [word for word in first if all(word in of_name for of_name in others)]
    while words and (words[-1] in _JOINTS or not any(map(str.isalnum, words[-1]))):
        words.pop()
    return " ".join(words)


def _words_of_one_rest(rests: Mapping[str, Collection[Hashable]]) -> Iterator[str]:
    """The words that are in one name only, if no other word has the rest of this name; `rests` has those of each word.

    ``list_orders`` and ``list_users`` have one rest.
    """
    times = Counter(rest for of_word in rests.values() for rest in of_word)
    for word, of_word in rests.items():
        if len(of_word) == 1 and times[next(iter(of_word))] == 1:
            yield word


def _are_measured_sizes(settings: Iterable[SlotText]) -> bool:
    """Whether lines of text state sizes, and not all of them numbers that one would choose: ``Max RAM: 276 MB``."""
    texts = [setting.value for setting in settings if setting.kind in ("lead", "title")]
    sizes = [match[1] for text in texts if (match := _SIZE.match(text))]
    return not all(int(size) % _ROUND == 0 or len(size.rstrip("0")) < _ROUND_DIGITS for size in sizes)


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


def _choose_reading(slot: PlaceSlot, texts: Mapping[int, str]) -> _Reading:
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


def _with_repeat_letter(title: Title, name: str) -> Title:
    """A title with the letter and number in its name as the number of its repeat: ``kiwi-r2``."""
    return title._replace(repeat=repeat_letter(name) or title.repeat)


def _repeat_behind(title: Title, numbers: tuple[str, ...]) -> tuple[str, ...]:
    """The number of a repeat behind the name of a title: of the words for it, else of `numbers`; empty without one."""
    return tuple(re.findall("[0-9]+", title.repeat)[:1]) or numbers[-1:]


def _read_folder(text: str) -> Title:
    """Read the name of a folder; a name with a phase is not split."""
    title = read_path_part(text)
    return _as_whole_name(text) if any(key == "phase" for key, _ in title.settings) else title


def _as_whole_name(text: str) -> Title:
    """A title with the text as its name."""
    return Title((), text, "", ())


def _may_name(text: str) -> bool:
    """Whether a heading without a name has words other than words of documents, and sets nothing."""
    if is_day(text):
        return True
    if states_result(text):
        return False
    return "=" not in text and any(map(str.isalpha, text)) and not has_only_common_words(text.rstrip(" .!?…。！？"))


def _without_repeat(text: str) -> str:
    """A text without the number of a repeat: ``Pass 1. With --inline`` → With --inline."""
    repeat = find_repeat(text)
    return (text[: repeat.start()] + text[repeat.end() :]).strip(_AROUND_REPEAT) if repeat else text


def _words_with_others(name: Sequence[str]) -> Iterator[tuple[str, tuple[tuple[str, ...], ...]]]:
    """Each word of a name but the last, with the words before and behind it."""
    for place, word in enumerate(name[:-1]):
        yield word, (tuple(name[:place]), tuple(name[place + 1 :]))


def _one_place_per_labels(places: Iterable[Place]) -> Iterable[Place]:
    """One place for each mapping of labels: places with the same labels share one mapping."""
    return {id(place.labels): place for place in places}.values()
