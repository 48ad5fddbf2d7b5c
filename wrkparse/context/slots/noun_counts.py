"""Settings of a noun and a number in the names of a slot: ``depth 8`` beside ``depth 16``, ``1 shard``, ``2 shards``.

A number behind a name may count repeats: ``kiwi_1``, ``kiwi_2``. Two things say that it does not. A noun of the list
below is a size or a variant of what was measured: runs at ``depth 1`` and ``depth 2`` are two settings. And a word that
stands beside different names, with numbers that do not go on by one, is the name of a parameter, whatever it is called:
``kiwi-hops-2``, ``kiwi-hops-4``, ``emu-hops-2``, ``emu-hops-4``.
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from wrkparse.context.slots.repeats import count_repeats
from wrkparse.context.titles.names import SECTION_WORDS, is_known_name
from wrkparse.context.titles.path_parts import PATH_KINDS
from wrkparse.context.titles.reduction import is_sentence, says_nothing, tidy_holes
from wrkparse.context.titles.spans import HOLE, REPEAT_WORDS
from wrkparse.context.titles.titles import NO_KEYS, Title
from wrkparse.context.titles.vocabulary import ALIASES, LETTERS, TIME_WORDS

# Parts and sizes of a server, of its load and of its machine. Also their plurals: "shards".
_SIZES = """replica shard partition node pod instance container host machine vm depth iodepth qd pipeline pipelining
    level batch chunk size bufsize buffer pool layer hop fanout stream channel goroutine fiber coroutine actor eventloop
    reactor acceptor listener socket key row item tenant topic consumer producer subscriber publisher window lane queue
    gen generation retry timeout delay sleep scale factor ratio percent quota limit slot bucket segment region zone disk
    part"""
# What an author numbers who tries several of them.
_VARIANTS = """option variant version config configuration scenario approach design setup patch stage phase step case
    experiment group revision release model type tier strategy policy profile proposal prototype candidate
    implementation impl algorithm algo method technique solution idea plan change commit fix build cluster env"""
_NOUNS = frozenset(f"{_SIZES} {_VARIANTS}".split())
# Units and words of output, behind or in front of which a number says something else.
_OTHER_WORDS = (
    NO_KEYS
    | SECTION_WORDS
    | (frozenset(ALIASES) - {"version"})
    | frozenset(REPEAT_WORDS)
    | frozenset(LETTERS)
    | frozenset(
        """wrk wrk2 ab hey oha k6 gctrace schedtrace log logs file files day days week weeks month months year years
        hour hours minute minutes min second seconds sec secs ms us ns am pm kb mb gb kib mib gib rps qps percent ipv
        http http2 pr bug no nr number chapter section figure table listing example appendix sample samples""".split()
    )
)
# Words that say which size of the noun in front of them is meant, "queue depth 8", and more nouns that have one.
_SIZE_WORDS = "count|depth|factor|length|level|limit|ratio|size|timeout"
_SIZED = "|".join([*_SIZES.split(), *"block body cache heap message page payload record request response".split()])
_NUMBER = r"[0-9]{1,9}k?"
# As files of settings have it; in the names of files an underscore may part anything.
_PARAMETER = r"[A-Za-z]{2,20}(?:_[A-Za-z]{2,20}){1,3}(?=[ =]{1,3}[0-9])"
_BEHIND = re.compile(
    rf"(?<![^\W_])((?:{_SIZED})[-_ ](?:{_SIZE_WORDS})(?=[-_ =#0-9])|{_PARAMETER}|[A-Za-z]{{2,30}})"
    rf"(?:[-_ ]| of |(\s?=\s?))?#?({_NUMBER})(?=[-_]?[^\w.:]|_|\.[^0-9]|\Z)",
    re.IGNORECASE,
)
_IN_FRONT = re.compile(rf"(?<![^\W_])(?<![.,:/])({_NUMBER})([-_ ]?)([A-Za-z]{{3,30}})(?![^\W_])", re.IGNORECASE)
_KINDS = PATH_KINDS | {"section", "title"}
_SIZE_NOUNS = frozenset(_SIZE_WORDS.split("|"))
_SIGN = re.compile(r"[-_ ]")
_LAST_WORD = re.compile(r"[A-Za-z]{2,30}\Z")
_TIME = re.compile(TIME_WORDS, re.IGNORECASE)


class _Count(NamedTuple):
    noun: str  # as printed, in small letters
    number: str
    start: int
    end: int
    is_assigned: bool = False  # "hops=2"


class CountedText(NamedTuple):
    """The text of a slot without a noun and its number, which are a setting: key, value."""

    rest: str
    key: str
    value: str


def noun_counts(texts: Mapping[int, str], kind: str, read: Callable[[str], Title]) -> dict[int, CountedText]:
    """By run, the setting that a noun and a number in its text give, where other runs have other numbers.

    `texts` are those of a slot of this kind; `read` gives what one says.
    """
    if kind not in _KINDS or len(set(texts.values())) < 2:
        return {}
    by_noun: dict[str, dict[int, _Count]] = defaultdict(dict)
    for at, text in texts.items():
        for count in _counts(text, is_path=kind in PATH_KINDS):
            by_noun[_singular(count.noun)].setdefault(at, count)
    found: dict[int, CountedText] = {}
    for noun, counts in by_noun.items():
        numbers = {count.number for count in counts.values()}
        if len(numbers) < 2 or not _is_of_all(texts, counts):
            continue
        is_assigned = kind == "section" and all(count.is_assigned for count in counts.values())
        if not (
            is_assigned or _is_noun(noun) or _is_setting(noun, texts, counts) or _is_parameter(texts, counts, read)
        ):
            continue
        key = max((count.noun for count in counts.values()), key=len)
        for at, count in counts.items():
            found.setdefault(at, CountedText(_without(texts[at], count), key, count.number))
    return found


def is_counted_noun(name: str) -> bool:
    """Whether the last word of a name is a size or a variant: a number behind it counts no repeats."""
    words = _LAST_WORD.search(name)
    return words is not None and _is_noun(_singular(words[0].lower()))


def _is_noun(key: str) -> bool:
    return key in _NOUNS or key.rpartition("_")[2] in _SIZE_NOUNS


def _counts(text: str, *, is_path: bool) -> Iterator[_Count]:
    """The nouns with numbers in a text; none in a sentence."""
    if not any(map(str.isdecimal, text)) or (not is_path and is_sentence(text)):
        return
    for match in _BEHIND.finditer(text):
        if _may_be_key(match[1]):
            yield _Count(_SIGN.sub("_", match[1].lower()), _plain(match[3]), *match.span(), match[2] is not None)
    for match in _IN_FRONT.finditer(text):
        number, sign, noun = match.groups()
        if _singular(noun.lower()) in _NOUNS or (
            sign and noun[-1] in "sS" and _may_be_key(noun)  # not "4zorps", nor "100 concurrent users"
        ):
            yield _Count(noun.lower(), _plain(number), *match.span())


def _plain(number: str) -> str:
    return number[:-1] + "000" if number[-1] in "kK" else number


@functools.lru_cache(maxsize=1024)  # names of files share their words
def _may_be_key(word: str) -> bool:
    lower = word.lower()
    return lower not in _OTHER_WORDS and not is_known_name(word) and not _TIME.fullmatch(word)


def _singular(noun: str) -> str:
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    if noun.endswith(("ches", "xes")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun


def _is_of_all(texts: Mapping[int, str], counts: Mapping[int, _Count]) -> bool:
    """Whether texts without the noun name nothing else. Beside "Plain", "Queue 50" is a name."""
    rests = {_without(texts[at], count).casefold() for at, count in counts.items()}
    others = (text for at, text in texts.items() if at not in counts)
    return all(says_nothing(text) or text.casefold() in rests for text in others)


def _is_setting(noun: str, texts: Mapping[int, str], counts: Mapping[int, _Count]) -> bool:
    """Whether words that underscores join are a setting of what else the texts name: ``kiwi: pool_slots 4``."""
    if "_" not in noun or count_repeats((count.number,) for count in counts.values()):
        return False
    return not any(says_nothing(_without(texts[at], count)) for at, count in counts.items())


def _is_parameter(texts: Mapping[int, str], counts: Mapping[int, _Count], read: Callable[[str], Title]) -> bool:
    """Whether a word that no list knows names a parameter: each of several names has it, with several numbers."""
    if len(counts) < len(texts) or count_repeats((count.number,) for count in counts.values()):
        return False
    of_name: dict[str, set[str]] = defaultdict(set)
    for at, count in counts.items():
        name = read(_without(texts[at], count)).name
        if not name or says_nothing(name):
            return False
        of_name[name.casefold()].add(count.number)
    return len(of_name) > 1 and all(len(of_one) > 1 for of_one in of_name.values())


def _without(text: str, count: _Count) -> str:
    return tidy_holes(text[: count.start] + HOLE + text[count.end :])
