"""Finds the numbers in the names of a slot that count repeats: ``kiwi1`` and ``kiwi2`` beside ``emu1`` and ``emu2``.

Names are in dicts, by the index of their run.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence

from wrkparse.context.titles.name_extraction import LAST_VERSION
from wrkparse.context.titles.path_parts import MACHINE_WORDS

_END_SIGNS = " ,;:()[]+-–—/|&@\"'_."
# The letters with which scripts count repeats after the name of a file, if the numbers have no gap: r1, r2, r3.
_REPEAT_LETTER = re.compile(r"(?:\A|[-_. ])[rix]([0-9]{1,2})(?=[-_. ]|\Z)", re.IGNORECASE)
# Protocols, and things of which several are there at once: their numbers say which one it is.
_NUMBERED_THINGS = MACHINE_WORDS | frozenset(
    "client container core cpu http https instance ipv node pod replica shard thread tls v vm worker".split()
)
# A word with a number, unless the word is one of those, or any name and a number behind a sign: "kiwi #1".
_WORD_WITH_NUMBER = re.compile(
    rf"(?!(?:{'|'.join(sorted(_NUMBERED_THINGS))})[0-9])"
    r"(?:([^\W\d_]{3,40})|([^\W_][\w. +-]{1,60}?) ?[#№] ?)([0-9]{1,3})",
    re.IGNORECASE,
)
_MACHINE_WITH_NUMBER = re.compile(rf"({'|'.join(sorted(MACHINE_WORDS))})[-_. ]?([0-9]{{1,3}})", re.IGNORECASE)
# A process with the number of a replica: "kiwi-0", "pod/kiwi-0/wrk", "kiwi-0 wrk".
_REPLICA = re.compile(r"([^\s:]{0,99}?[^\W\d_])[-_]([0-9]{1,3})((?:[/ ].{0,99})?)")
# "-2_1" of "eu-west-2_1"
_LAST_NUMBERS = re.compile(r"([-_. ])[0-9]{1,9}([-_. ])[0-9]{1,9}\Z")
# The fewest digits of a number that is a time, a job or a process, and not a setting, and the end of a round number.
_IDENTIFIER_DIGITS = 5
_ROUND = "000"
# Nouns of things that are repeated, beside those of `REPEAT_WORDS`.
_ROUND_NOUNS = frozenset("block cycle day execution invocation night sample series session set week".split())
_MOST_WORDS_BEFORE_VERSION = 2  # "on .NET 7"; more words are rather about a test: "short query 1"
_MOST_NUMBERS = 2  # numbers in a name whose last one may count repeats; three are a version, 1_1_0


def without_repeat_letters(names: dict[int, str]) -> dict[int, str]:
    """Names without a letter and a number that count repeats, if the numbers have no gap: ``r1``, ``r2``.

    If all of several names are there without one, too, these are the first repeats: ``opt1``, ``opt1-r2``.
    """
    different = set(names.values())
    lettered = {name: match for name in different if (match := _REPEAT_LETTER.search(name))}
    numbers = {int(match[1]) for match in lettered.values()}
    bare = {_REPEAT_LETTER.sub("", name).strip(_END_SIGNS) for name in lettered}
    if len(bare) > 1 and bare <= different and all(match[0].lstrip("-_. ")[0] in "rR" for match in lettered.values()):
        numbers.add(1)
    if len(numbers) < 2 or numbers != set(range(min(numbers), max(numbers) + 1)) or min(numbers) > 1:
        return names
    left = {at: _REPEAT_LETTER.sub("", name).strip(_END_SIGNS) for at, name in names.items()}
    return {at: name for at, name in left.items() if name}


def repeat_letter(name: str) -> str:
    """The letter and the number in a name that may count repeats: ``r2`` of ``kiwi-r2``; empty without them."""
    match = _REPEAT_LETTER.search(name)
    return match[0].strip("-_. ") if match else ""


def without_shared_numbers(
    names: dict[int, str], numbers: Mapping[int, tuple[str, ...]], tools: Mapping[int, str]
) -> dict[int, str]:
    """Names of machines without the numbers that other names have beside them: ``server-1``, beside ``load`` 1.

    So a script names the logs of a load and of its server, repeat by repeat: ``load.1.txt``, ``server.1.txt``.
    Different tools wrote these; one tool may have measured several machines.
    """
    machines = {at: match for at, name in names.items() if (match := _MACHINE_WITH_NUMBER.fullmatch(name))}
    others = names.keys() - machines.keys()
    if not {tools[at] for at in machines}.isdisjoint(tools[at] for at in others):
        return names
    counted = {numbers[at] for at in others}
    if not counted or counted != {(match[2],) for match in machines.values()} or not are_repeat_numbers(counted):
        return names
    return names | {at: match[1] for at, match in machines.items()}


def without_repeat_numbers(names: dict[int, str], behind: Mapping[int, tuple[str, ...]]) -> dict[int, str]:
    """Names without the numbers that count their repeats: ``kiwi1``, ``kiwi2``, ``emu1``, ``emu2``.

    Also of ``kiwi00`` and ``kiwi#1``.

    The numbers of two or more words must count from 0 or 1: the numbers of one word alone may be versions. `behind` has
    the numbers behind names that count repeats. If one name has several, its own is a part of it: ``opt1``, ``opt1-2``.
    """
    matches = {name: match for name in set(names.values()) if (match := _WORD_WITH_NUMBER.fullmatch(name))}
    numbers: dict[str, set[int]] = defaultdict(set)
    for match in matches.values():
        numbers[_name_of(match).casefold()].add(int(match[3]))
    repeated = _numbers_behind(names, behind)
    numbered = {_name_of(matches[name]).casefold() for name in repeated if name in matches}
    if numbered:
        bare = {name.casefold() for name in names.values() if name not in repeated}
        counted = _words_counted_as_far(numbers, numbered, bare, list(repeated.values()))
    else:
        counted = {word for word, of_word in numbers.items() if len(of_word) > 1 and _is_sequence(of_word)}
        counted = counted if len(counted) > 1 else set()
    short = {name: _name_of(match) for name, match in matches.items() if _name_of(match).casefold() in counted}
    return {at: short.get(name, name) for at, name in names.items()}


def _numbers_behind(names: Mapping[int, str], behind: Mapping[int, tuple[str, ...]]) -> dict[str, set[int]]:
    """The names that have several numbers behind them, with these; the first may have none: ``opt1``, ``opt1-2``."""
    found: dict[str, set[int]] = defaultdict(set)
    for at, name in names.items():
        found[name].add(int((*behind.get(at, ()), "1")[0]))
    return {name: numbers for name, numbers in found.items() if len(numbers) > 1}


def _words_counted_as_far(
    numbers: Mapping[str, set[int]], numbered: Collection[str], bare: Collection[str], repeats: Sequence[set[int]]
) -> set[str]:
    """The words whose numbers count repeats beside `numbered` ones, whose numbers are parts of names.

    They must count as far as all `repeats` do: ``base1`` to ``base3`` beside ``opt1``, ``opt1-2`` and ``opt1-3``. A
    word may be alone for its first repeat, as `bare` ones are; else no numbered word may have the same numbers, because
    ``base1`` and ``base2`` may be made for ``opt1`` and ``opt2``.
    """
    taken = [numbers[word] for word in numbered]
    counts = {word: of_word | ({1} if word in bare else set()) for word, of_word in numbers.items()}
    return {
        word
        for word, count in counts.items()
        if word not in numbered
        and _is_sequence(count)
        and all(count == of_name for of_name in repeats)
        and (word in bare or count not in taken)
    }


def _name_of(match: re.Match[str]) -> str:
    return match[1] or match[2]


def without_replica_numbers(processes: Iterable[str | None]) -> dict[str, str]:
    """For each process that is a replica, its name without the number: ``pod/kiwi-0/wrk`` → ``pod/kiwi/wrk``.

    Two or more names must have the same numbers, from 0 as Kubernetes counts: ``kiwi-0``, ``kiwi-1``, ``emu-0``,
    ``emu-1``. Numbers from 1 may be regions or versions: ``us-east-1``, ``http-2``. Those of one name may be anything.
    """
    matches = {name: match for name in set(processes) if name and (match := _REPLICA.fullmatch(name))}
    names = {process: match[1] + match[3] for process, match in matches.items()}
    numbers: dict[str, set[int]] = defaultdict(set)
    for process, match in matches.items():
        numbers[names[process]].add(int(match[2]))
    times = Counter(frozenset(of_name) for of_name in numbers.values())
    return {
        process: name
        for process, name in names.items()
        if times[frozenset(numbers[name])] > 1
        and len(numbers[name]) > 1
        and min(numbers[name]) == 0
        and _is_sequence(numbers[name])
    }


def are_repeat_numbers(numbers: Iterable[tuple[str, ...]]) -> bool:
    """Whether numbers count repeats, as 1, 2, 3 do, or are long numbers such as times and job numbers.

    7 and 8 may be versions: ``rails 7``, ``php-8``. Long numbers that are all round are settings: ``kiwi-10000``,
    ``kiwi-20000``. The first run may have no number: ``kiwi``, ``kiwi_2``.
    """
    of_runs = set(numbers)
    distinct = of_runs - {()}
    every = [number for of_run in distinct for number in of_run]
    if all(len(number) >= _IDENTIFIER_DIGITS for number in every):
        return not every or not all(number.endswith(_ROUND) for number in every)
    if any(len(of_run) != 1 or not of_run[0].isdecimal() for of_run in distinct):
        return False
    values = {int(number) for (number,) in distinct}
    return _is_sequence(values | {1} if () in of_runs else values)


def belong_to_repeated_names(
    names: Mapping[int, str],
    numbers: Mapping[int, tuple[str, ...]],
    groups: Mapping[int, Hashable],
    times: Mapping[int, int],
) -> bool:
    """Whether numbers are parts of the names of folders or sections: ``kiwi-1``, ``kiwi-2``, each with repeats.

    `groups` has one value for the runs that may be repeats of each other; `times` counts the runs of a place that has
    several. If two names have the same number, the numbers count rounds: ``kiwi-1``, ``kiwi-2``, ``emu-1``.
    """
    runs: Counter[tuple[str, tuple[str, ...], Hashable]] = Counter()
    for at, of_run in numbers.items():
        runs[names.get(at, ""), of_run, groups[at]] += times.get(at, 1)
    if max(runs.values(), default=0) < 2 or not all(name for name, *_ in runs):
        return False
    of_name: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for name, number, _ in runs:
        of_name[name].add(number)
    names_of = Counter(number for found in of_name.values() for number in found if number)
    return bool(names_of) and max(names_of.values()) == 1


def are_numbers_of_variants(
    names: Mapping[int, str],
    numbers: Mapping[int, tuple[str, ...]],
    groups: Mapping[int, Hashable],
    times: Mapping[int, int],
    *,
    are_folders: bool,
) -> bool:
    """Whether numbers that count no repeats are parts of the names of folders or files: ``pg-14``, ``pg-16``, ``emu``.

    They are not if two names have one number, as loads have: ``kiwi-64``, ``emu-64``. A name without a number must be
    beside them, or repeats, else they may number the runs. One name alone has settings (``kiwi-4``, ``kiwi-8``), unless
    it is that of `are_folders`, and its numbers look like versions: ``redis-7``, ``redis-8``. `groups` and `times` are
    those of `belong_to_repeated_names`.
    """
    runs: Counter[tuple[str, tuple[str, ...], Hashable]] = Counter()
    for at, of_run in numbers.items():
        runs[names.get(at, ""), of_run, groups[at]] += times.get(at, 1)
    pairs = {(name, of_run) for name, of_run, _ in runs}
    numbered = [of_run for _, of_run in pairs if of_run]
    if not all(name and len(of_run) <= 1 for name, of_run in pairs) or len(numbered) < 2:
        return False
    if len({name for name, _ in pairs}) == 1:
        return are_folders and _look_like_versions({number for (number,) in numbered})
    return len(set(numbered)) == len(numbered) and (len(numbered) < len(pairs) or max(runs.values()) > 1)


def _look_like_versions(numbers: Collection[str]) -> bool:
    """Whether numbers are small, and not all of them sizes that one would choose: 4, 8 and 10."""
    if not all(number.isdecimal() and not number.startswith("0") and int(number) <= LAST_VERSION for number in numbers):
        return False
    return not all(int(number).bit_count() == 1 or int(number) % 5 == 0 for number in numbers)


def are_one_variant_noun(names: Iterable[str]) -> bool:
    """Whether all names are one word, and not a word for rounds: ``Impl``, but not ``Session``."""
    different = {name.casefold() for name in names}
    return len(different) == 1 and different.isdisjoint(_ROUND_NOUNS)


def are_numbered_things(names: Iterable[str]) -> bool:
    """Whether all names are one name for a thing that numbers tell apart: ``http`` of ``http 1`` and ``http 2``."""
    different = {name.casefold() for name in names}
    return len(different) == 1 and all(map(is_numbered_thing, different))


def are_versions_of_one_name(names: Mapping[int, str], numbers: Mapping[int, tuple[str, ...]]) -> bool:
    """Whether one name has a number of its own in each text, small enough for a version: ``Kiwi 6``, ``Kiwi 7``."""
    versions = {of_run[0] for of_run in numbers.values() if len(of_run) == 1 and of_run[0].isdecimal()}
    of_all = set(names.values())
    name = of_all.pop() if len(of_all) == 1 and names.keys() == numbers.keys() else ""
    is_proper = name != name.lower() and len(name.split()) <= _MOST_WORDS_BEFORE_VERSION  # "pool: 10" is a setting
    are_small = all(not text.startswith("0") and int(text) <= LAST_VERSION for text in versions)
    return is_proper and are_small and 1 < len(versions) == len(set(numbers.values()))


def is_numbered_thing(name: str) -> bool:
    """Whether a name ends with a word for a thing that numbers tell apart: ``kiwi-node``, ``http``."""
    return re.split(r"[-_. ]", name.casefold())[-1] in _NUMBERED_THINGS


def belong_to_unique_names(names: Mapping[int, str], numbers: Mapping[int, tuple[str, ...]]) -> bool:
    """Whether numbers are parts of the names beside them: each of several names has one, and no two have the same."""
    pairs = {(names.get(at, ""), of_run) for at, of_run in numbers.items()}
    return 1 < len(pairs) == len({name for name, _ in pairs if name}) == len({of_run for _, of_run in pairs if of_run})


def without_last_repeat_numbers(
    names: Mapping[int, str], numbers: Mapping[int, tuple[str, ...]], texts: Mapping[int, str]
) -> dict[int, tuple[str, ...]]:
    """The numbers of each run without the last one, if that counts repeats: ``kiwi_10_1`` to ``kiwi_10_3``.

    Of two small numbers the first may be a part of a version (``django_5_1``). Then it must vary, and beside each the
    last one must count to three or more from 1. In ``eu-west-2_1`` the signs show that it is not a version; `texts`
    contain them.
    """
    counts: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for at, of_run in numbers.items():
        if not of_run or len(of_run) > _MOST_NUMBERS or not of_run[-1].isdecimal():
            return dict(numbers)
        counts[names.get(at, ""), *of_run[:-1]].add(int(of_run[-1]))
    times = Counter(name for name, *_ in counts)
    are_parted = all(_have_different_signs(texts[at], of_run) for at, of_run in numbers.items())
    for (name, *rest), values in counts.items():
        is_small = bool(rest) and (not rest[0].isdecimal() or int(rest[0]) <= LAST_VERSION)
        may_be_version = is_small and not are_parted
        least = 2 if times[name] == 1 and not is_small else 3
        first = 1 if may_be_version else 0
        if (
            (may_be_version and times[name] < 2)
            or len(values) < least
            or min(values) < first
            or not _is_sequence(values)
        ):
            return dict(numbers)
    return {at: of_run[:-1] for at, of_run in numbers.items()}


def _have_different_signs(text: str, numbers: tuple[str, ...]) -> bool:
    """Whether the two numbers at the end of a text have different signs before them: ``eu-west-2_1``."""
    signs = _LAST_NUMBERS.search(text)
    return len(numbers) == _MOST_NUMBERS and signs is not None and signs[1] != signs[2]


def _is_sequence(values: set[int]) -> bool:
    """Whether numbers are consecutive and begin at 0 or 1."""
    return min(values) in (0, 1) and max(values) - min(values) == len(values) - 1
