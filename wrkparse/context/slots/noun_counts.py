"""Finds settings of a noun and a number in the names of a slot: ``depth 8`` beside ``depth 16``, ``1 shard``.

A number after a name may count repeats: ``kiwi_1``, ``kiwi_2``. Two things show that it does not:

* The noun is in a list of sizes and variants: runs at ``depth 1`` and ``depth 2`` are two settings.
* A word is beside several names, and its numbers are not consecutive. It is the name of a parameter, whatever the word:
  ``kiwi-hops-2``, ``kiwi-hops-4``, ``emu-hops-2``, ``emu-hops-4``.
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from wrkparse.context.slots.repeats import are_repeat_numbers
from wrkparse.context.titles.known_names import SECTION_WORDS, is_known_name
from wrkparse.context.titles.name_extraction import (
    WHERE_WORDS,
    has_only_common_words,
    has_only_joining_words,
    is_sentence,
    remove_holes,
)
from wrkparse.context.titles.path_parts import PATH_SLOT_KINDS
from wrkparse.context.titles.settings.setting_extraction import HOLE, REPEAT_WORDS
from wrkparse.context.titles.titles import Title
from wrkparse.context.titles.vocabulary import LABEL_KEYS, NON_LABEL_KEYS, OPTION_LETTERS, TIME_WORDS

# Parts and sizes of a server, of its load and of its machine. Also their plurals: "shards".
_SIZES = """replica shard partition node pod instance container host machine vm depth iodepth qd pipeline pipelining
    level batch chunk size bufsize buffer pool layer hop fanout stream channel goroutine fiber coroutine actor eventloop
    reactor acceptor listener socket key row item tenant topic consumer producer subscriber publisher window lane queue
    gen generation retry timeout delay sleep scale factor ratio percent quota limit slot bucket segment region zone disk
    part"""
# Things that an author numbers after trying several of them.
_VARIANTS = """option variant version config configuration scenario approach design setup patch stage phase step case
    experiment group revision release model type tier strategy policy profile proposal prototype candidate
    implementation impl algorithm algo method technique solution idea plan change commit fix build cluster env"""
_NOUNS = frozenset(f"{_SIZES} {_VARIANTS}".split())
# Units and words of output: a number beside them is not a setting.
_OTHER_WORDS = (
    NON_LABEL_KEYS
    | SECTION_WORDS
    | (frozenset(LABEL_KEYS) - {"version"})
    | frozenset(REPEAT_WORDS)
    | frozenset(OPTION_LETTERS)
    | frozenset(
        """wrk wrk2 ab hey oha k6 gctrace schedtrace log logs file files day days week weeks month months year years
        hour hours minute minutes min second seconds sec secs ms us ns am pm kb mb gb kib mib gib rps qps percent ipv
        http http2 pr bug no nr number chapter section figure table listing example appendix sample samples""".split()
    )
)
# Words for a size of the noun before them, "queue depth 8", and more nouns that have a size.
_SIZE_WORDS = "count|depth|factor|length|level|limit|ratio|size|timeout"
_NOUNS_WITH_SIZE = "|".join(
    [*_SIZES.split(), *"block body cache heap message page payload record request response".split()]
)
_NUMBER = r"[0-9]{1,9}k?"
# As in files of settings; in the names of files an underscore may separate anything.
_PARAMETER = r"[A-Za-z]{2,20}(?:_[A-Za-z]{2,20}){1,3}(?=[ =]{1,3}[0-9])"
# "queue depth 8", "depth-16", "hops=2", "pool of 4k"
_NOUN_THEN_NUMBER = re.compile(
    rf"(?<![^\W_])((?:{_NOUNS_WITH_SIZE})[-_ ](?:{_SIZE_WORDS})(?=[-_ =#0-9])|{_PARAMETER}|[A-Za-z]{{2,30}})"
    rf"(?:[-_ ]| of |(\s?=\s?))?#?({_NUMBER})(?=[-_]?[^\w.:]|_|\.[^0-9]|\Z)",
    re.IGNORECASE,
)
# "1 shard", "8-workers"
_NUMBER_THEN_NOUN = re.compile(rf"(?<![^\W_])(?<![.,:/])({_NUMBER})([-_ ]?)([A-Za-z]{{3,30}})(?![^\W_])", re.IGNORECASE)
_SLOT_KINDS = PATH_SLOT_KINDS | {"section", "title"}
_SIZE_NOUNS = frozenset(_SIZE_WORDS.split("|"))
_SIGN = re.compile(r"[-_ ]")
_LAST_WORD = re.compile(r"[A-Za-z]{2,30}\Z")
_TIME = re.compile(TIME_WORDS, re.IGNORECASE)


class _Count(NamedTuple):
    """A noun with a number in a text, from index ``start`` to ``end``."""

    noun: str  # as printed, in small letters
    number: str
    start: int
    end: int
    is_assigned: bool = False  # "hops=2"


class CountedText(NamedTuple):
    """The text of a slot without a noun and its number, and the setting that they give: key and value."""

    rest: str
    key: str
    value: str


def noun_counts(texts: Mapping[int, str], kind: str, read: Callable[[str], Title]) -> dict[int, CountedText]:
    """By run, the setting of a noun and a number in its text, if other runs have other numbers.

    `texts` are those of a slot of this kind; `read` reads one of them.
    """
    if kind not in _SLOT_KINDS or len(set(texts.values())) < 2:
        return {}
    by_noun: dict[str, dict[int, _Count]] = defaultdict(dict)
    for at, text in texts.items():
        for count in _find_counts(text, is_path=kind in PATH_SLOT_KINDS):
            by_noun[_to_singular(count.noun)].setdefault(at, count)
    found: dict[int, CountedText] = {}
    for noun, counts in by_noun.items():
        numbers = {count.number for count in counts.values()}
        if len(numbers) < 2 or not _others_name_nothing(texts, counts):
            continue
        is_assigned = kind == "section" and all(count.is_assigned for count in counts.values())
        if not (
            is_assigned
            or _is_size_or_variant(noun)
            or _is_setting(noun, texts, counts)
            or _is_parameter(texts, counts, read)
            or (kind not in PATH_SLOT_KINDS and _is_only_difference(texts, counts))
        ):
            continue
        key = max((count.noun for count in counts.values()), key=len)
        for at, count in counts.items():
            found.setdefault(at, CountedText(_without_count(texts[at], count), key, count.number))
    return found


def is_counted_noun(name: str) -> bool:
    """Whether the last word of a name is a size or a variant: a number after it does not count repeats."""
    words = _LAST_WORD.search(name)
    return words is not None and _is_size_or_variant(_to_singular(words[0].lower()))


def _is_size_or_variant(key: str) -> bool:
    """Whether a key is in the lists of sizes and variants, or ends in a word for a size."""
    return key in _NOUNS or key.rpartition("_")[2] in _SIZE_NOUNS


def _find_counts(text: str, *, is_path: bool) -> Iterator[_Count]:
    """The nouns with numbers in a text; none in a sentence."""
    if not any(map(str.isdecimal, text)) or (not is_path and is_sentence(text)):
        return
    for match in _NOUN_THEN_NUMBER.finditer(text):
        if _may_be_key(match[1]):
            yield _Count(
                _SIGN.sub("_", match[1].lower()), _expand_thousands(match[3]), *match.span(), match[2] is not None
            )
    for match in _NUMBER_THEN_NOUN.finditer(text):
        number, sign, noun = match.groups()
        if _to_singular(noun.lower()) in _NOUNS or (
            sign and noun[-1] in "sS" and _may_be_key(noun)  # not "4zorps", nor "100 concurrent users"
        ):
            yield _Count(noun.lower(), _expand_thousands(number), *match.span())


def _expand_thousands(number: str) -> str:
    """A number with zeros instead of a *k* at its end."""
    return number[:-1] + "000" if number[-1] in "kK" else number


@functools.lru_cache(maxsize=1024)  # names of files share their words
def _may_be_key(word: str) -> bool:
    """Whether a word may be the key of a setting: no unit, word of output, preposition, known name or time."""
    lower = word.lower()
    if has_only_joining_words(lower) or lower in WHERE_WORDS:  # "kiwi with 2 workers"
        return False
    return lower not in _OTHER_WORDS and not is_known_name(word) and not _TIME.fullmatch(word)


def _to_singular(noun: str) -> str:
    """A noun in the singular."""
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    if noun.endswith(("ches", "xes")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun


def _others_name_nothing(texts: Mapping[int, str], counts: Mapping[int, _Count]) -> bool:
    """Whether all texts without the noun name nothing else: beside "Plain", "Queue 50" is a name."""
    rests = {_without_count(texts[at], count).casefold() for at, count in counts.items()}
    others = (text for at, text in texts.items() if at not in counts)
    return all(has_only_common_words(text) or text.casefold() in rests for text in others)


def _is_setting(noun: str, texts: Mapping[int, str], counts: Mapping[int, _Count]) -> bool:
    """Whether words joined by underscores are a setting beside a name in all texts: ``kiwi: pool_slots 4``."""
    if "_" not in noun or are_repeat_numbers((count.number,) for count in counts.values()):
        return False
    return not any(has_only_common_words(_without_count(texts[at], count)) for at, count in counts.items())


def _is_parameter(texts: Mapping[int, str], counts: Mapping[int, _Count], read: Callable[[str], Title]) -> bool:
    """Whether an unknown word names a parameter: several names have it, each with several numbers."""
    if len(counts) < len(texts) or are_repeat_numbers((count.number,) for count in counts.values()):
        return False
    of_name: dict[str, set[str]] = defaultdict(set)
    for at, count in counts.items():
        name = read(_without_count(texts[at], count)).name
        if not name or has_only_common_words(name):
            return False
        of_name[name.casefold()].add(count.number)
    return len(of_name) > 1 and all(len(of_one) > 1 for of_one in of_name.values())


def _is_only_difference(texts: Mapping[int, str], counts: Mapping[int, _Count]) -> bool:
    """Whether long texts differ only in the number of a plural: ``Answers of 100 characters``."""
    if len(counts) < len(texts) or are_repeat_numbers((count.number,) for count in counts.values()):
        return False
    rests = {_without_count(texts[at], count).casefold() for at, count in counts.items()}
    return len(rests) == 1 and all(
        text[count.start].isdecimal() for at, count in counts.items() for text in [texts[at]]
    )


def _without_count(text: str, count: _Count) -> str:
    """A text without a noun and its number."""
    return remove_holes(text[: count.start] + HOLE + text[count.end :])
