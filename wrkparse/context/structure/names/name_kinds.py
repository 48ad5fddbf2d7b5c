"""Classifies names in slots: the name of a thing, of its state, or of a condition of the measurement.

``## kiwi`` names a thing (→ framework), ``## before`` a state, ``## keep-alive off`` a condition (→ heading).
"""

from __future__ import annotations

import functools
import re
import string
from collections.abc import Collection, Iterable
from enum import IntEnum
from itertools import takewhile

from wrkparse.context.titles.decoration import without_last_brackets
from wrkparse.context.titles.known_names import is_known_name, is_prose
from wrkparse.context.titles.name_extraction import (
    LONGEST_NAME,
    MOST_WORDS,
    WHERE_WORDS,
    place_of_word,
    without_description,
)
from wrkparse.context.titles.settings.setting_extraction import is_day
from wrkparse.context.titles.vocabulary import TIME_WORDS

# Words of sentences that may be the last noun of a name: "kiwi release build".
_LAST_NOUNS = frozenset("build config configuration example package setup version".split())

# Words for a state of the framework. A factor that has only such words is the framework only if no other factor is.
_STATE_WORDS = frozenset(
    """after base baseline before branch candidate control current debug experiment feature first fix fixed head
    improved last latest main master modified naive new next no old optimised optimized original patch patched
    pr previous reference release second stock this trunk tuned unpatched untuned upstream with without""".split()
)
# States that make variants of the names beside them, whatever these are: "baseline", "cache", "cache+gzip".
_BASELINE_WORDS = frozenset(
    "base baseline control original reference stock unmodified unpatched untuned vanilla".split()
)
# Words of protocols, payloads, loads and modes: a factor that has only such words is never the framework.
_CONDITION_WORDS = frozenset(
    """access async big bulk busy bytes c10k cache cached caching client close cluster clustered cold compressed
    concurrency concurrent connection connections cpu cpus core cores db default delete disabled docker dynamic
    empty enabled error errors fast file full get gzip heavy hello high hot html http http/1.0 http/1.1 http/2 http/3
    http1 http2 http3 https idle images io ipv4 ipv6 json kb keep-alive keepalive lan large latency light load local
    local localhost long low lua max mb medium middle min mixed multi multi-core multi-threaded native no nocache none
    off on only peak pipeline pipelined pipelining plain plaintext post pre-fork prefork process put queries query
    random rate read reads remote request requests sequential short single single-core single-threaded slow
    small socket spike ssl static steady stress sustained sync tcp test text thread threaded threads throughput tiny
    tls udp uncached unix update updates user users vm wan warm warmup web websocket wifi world write writes""".split()
)
# What somebody thinks of a result: "much better", "quite slow".
_OPINION_WORDS = frozenset("awesome bad better good great horrible meh nice nicer perfect terrible weird worse".split())
_DEGREES = frozenset("a bit even far lot much not pretty quite really slightly so still too very way".split())
_SPEEDS = frozenset("fast faster slow slower".split())  # alone, each may be the name of a variant
# Conditions that also name the way a server is built or run: "cluster" beside "one process".
_MODE_WORDS = frozenset("cluster clustered prefork".split())
# Words for the processes and threads of a server: beside other servers "Single process" and "cluster" are variants.
_PROCESS_WORDS = _MODE_WORDS | frozenset(
    """clustering fork forked multi multi-core multi-process multi-threaded multicore multiprocess multithreaded
    pre-fork process processes single single-core single-process single-threaded singlethreaded thread threaded threads
    with without worker workers""".split()
)
# Conditions that name variants if files or folders have no other name: "sync.txt" beside "async.txt".
_SWITCH_STATES = frozenset("async asynchronous disabled enabled off on sync synchronous".split())

# A request in the heading of a page about end points: "List users (GET /users)".
_METHOD = re.compile(r"(?<![\w-])(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)(?![\w-])")
_REQUEST = re.compile(rf"{_METHOD.pattern}|(?:\A|[\s(])/\w")
# Headings of the templates of issues and bug reports.
_TEMPLATE_HEADING = re.compile(
    r"""(?:the\ )?(?:expected|actual|current|observed|desired)\ (?:behaviou?rs?|results?|outputs?|performance|numbers)
    |expected|actual|observed|checklist|motivation|impact|severity|workarounds?
    |(?:steps\ |how\ )?to\ reproduce(?:\ (?:it|the\ (?:bug|issue|problem)))?
    |(?:minimal\ )?(?:reproduction|repro)(?:\ steps)?|bug\ description
    |(?:describe|description\ of)\ the\ (?:bug|issue|problem|regression)|what\ (?:happened|happens)(?:\ instead)?
    |what\ (?:did|do|were)\ you\ (?:do|doing|expect|see|get)(?:\ to\ (?:see|happen))?(?:\ instead)?
    |(?:your\ |system\ )?environment|anything\ else|(?:additional|more)\ (?:context|information|info|details|notes)
    |possible\ (?:fix|solution|cause)s?|proposed\ (?:fix|change|solution)s?|(?:relevant\ )?log\ output""",
    re.VERBOSE | re.IGNORECASE,
)
_PART_SEPARATORS = re.compile(r"[\s_/+-]+")
# A size, or a letter and a number, which is a count or a setting: "8k", "r1", "c64"; but "v2" is a version.
_SIZE_OR_COUNT = re.compile(r"[a-uw-z]?[0-9]+[a-z]{0,2}")
# "resultat1", "load1Put", "tc1"; but "sha256sum", "aes128gcm" and "pg14" are names.
_WORD_WITH_NUMBER = re.compile(r"([^\W\d_]{3,40})[ _-]?[0-9]{1,4}((?:[A-Z][^\W\d_]{0,40})?)|([^\W\d_]{2})[ _-]?[0-9]")
_ASSIGNMENTS = re.compile(
    r"(?:(?:[A-Za-z][\w.-]{0,40}=|--?[A-Za-z])\S{0,60}(?:\s|\Z))+"
)  # "workers=2 -q" behind a name
# "10 ms", "64 KB", "5 min"
_QUANTITY = re.compile(
    r"[0-9][0-9.,]{0,15}\s?(?:[mnuµ]?s|ms?ecs?|secs?|seconds?|mins?|minutes?|[kmgt]?i?b|bytes?|[kmg]?hz|%)",
    re.IGNORECASE,
)
_COMMIT = re.compile(r"(?=[a-f]{0,39}[0-9])(?=[0-9]{0,39}[a-f])[0-9a-f]{7,40}")
_VERSION = re.compile(
    r"v?[0-9]{1,4}(?:\.[0-9]{1,4}){1,3}(?:[-.]?(?:alpha|beta|rc|pre|dev)[-.]?[0-9]{0,3})?", re.IGNORECASE
)
_DECIMAL = re.compile(r"[0-9]+\.[0-9]+")  # a version, or a number
_TIME = re.compile(TIME_WORDS, re.IGNORECASE)
_WEEKDAYS = frozenset(
    f"{day}{end}"
    for day, ends in (("mon", "day"), ("tue", "s sday"), ("wed", "nesday"), ("thu", "r rs rsday"), ("fri", "day"),
                      ("sat", "urday"), ("sun", "day"))
    for end in ("", *ends.split())
)  # fmt: skip
_OPERATING_SYSTEM = re.compile(
    r"(?:alma|alpine|amazonlinux|amd64|arch|arm(?:64|v7)?|aarch64|centos|debian|fedora|freebsd|linux|macos|openbsd|osx|rhel|rocky"
    r"|ubuntu|win(?:dows)?|wsl[12]?|x86(?:_64)?|x64)(?:[-_ ]?[0-9]{1,4}(?:\.[0-9]{1,3}){0,2}|-latest)?",
    re.IGNORECASE,
)
_MACHINE = re.compile(r"(?:server|host|machine|box|vm|instance|rack|laptop|desktop|client)[0-9]{1,5}")
# A machine by its kind, an instance of a cloud, or a processor: "Big box", "MacBook Pro", "c5.2xlarge", "Ryzen 9".
_MACHINE_KIND = re.compile(
    r"""(?!(?:black|white|grey|state|virtual)\b)(?:[\w'’.-]{1,20}\ ){0,3}
    (?:box|laptop|notebook|desktop|machine|workstation|macbook(?:\ (?:pro|air))?|imac|mac\ (?:mini|studio|pro)|thinkpad
      |raspberry\ pi|vm|vps|droplet|bare\ metal)(?:\ [0-9]{1,2})?
    |(?:aws\ |ec2\ )?[a-z][0-9][a-z]{0,3}\.(?:[0-9]{0,2}x?large|metal|medium|small|micro|nano)
    |(?:(?:amd|intel)\ )?(?:ryzen|epyc|xeon|core\ i[3579])\b(?:[\ \w-]{0,20}[0-9][\w-]{0,9}|\ server)?
    |ip(?:-[0-9]{1,3}){4}
    |(?:host|machine|box|vm|instance|rack|laptop|desktop|client|runner)[-_ ][a-z]
    |.{0,60}(?:\((?:R|TM)\)|\b[0-9](?:\.[0-9]{1,3})?\ ?GHz\b).{0,60}  # 4x Intel(R) Core(TM) i5-4460 CPU @ 3.20GHz
    |apple\ m[1-9](?:\ (?:pro|max|ultra))?|m[1-9]\ (?:pro|max|ultra)""",
    re.VERBOSE | re.IGNORECASE,
)
_SET_ASIDE = re.compile(r"(?:aborted|discarded|excluded|ignored?|invalid|rejected|trash)(?:[-_ ]runs?)?", re.IGNORECASE)
_RESOURCE = re.compile(r"(?:(?:cpus?|mem|memory|ram)\b[^a-z]*)+", re.IGNORECASE)


# A heading in Chinese that says what was done, and to nothing in particular: "性能分析", "测试优化结果".
_CHINESE_ACTIVITY = re.compile(
    "(?:性能|压力|壓力|负载|基准|测试|測試|压测|结果|結果|分析|解析|优化|優化|过程|步骤|方案|工具|环境|数据|指标|报告|总结"
    "|说明|介绍|详情|查看|验证|本机|程序|命令|使用|方法|的|与|和|及|并){1,9}"
)
# "高并发下": under many connections at once.
_UNDER_LOAD = re.compile(r"[\u3400-\u9fff0-9]{1,8}(?:并发|並發|压力|壓力|负载|流量)(?:量|数|情况|场景)?下")
_IDEOGRAPH = re.compile(r"[\u3400-\u9fff]")
_TWO_CLAUSES = re.compile(r"\A[\u3400-\u9fff].*[\u3400-\u9fff]\s?[,，、]\s?[\u3400-\u9fff]")
_MOST_IDEOGRAPHS = 15  # in a name; Chinese has no blanks between words
# In Japanese particles and the ends of verbs are in hiragana; a clause ends with one, a name with a noun.
_HIRAGANA = re.compile(r"[\u3041-\u309f]")
_TWO_JAPANESE_CLAUSES = re.compile(r"[\u3041-\u309f]\s?[,，、]\s?[^\s,，、]")
_MOST_HIRAGANA = 9  # in a name
_MOST_HIRAGANA_OF_VERB = 5  # in a name that ends with one

_FEWEST_RANDOM = 4  # names; a few names may share their length and letters by chance
_RANDOM_NAME = re.compile(r"[0-9A-Za-z]{6,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_DIGIT_AND_LETTER = re.compile(r"[0-9]-?[A-Za-z]")


_FEWEST_LETTERS = 4  # of a name within another one, "actix" in "actixweb"; "go" in "gozilla" is none


class NameKind(IntEnum):
    """The kind of the names of a factor, the likeliest framework first."""

    KNOWN = 0  # one of them is that of a known server, framework or language
    NAMES = 1
    STATES = 2
    OTHER = 3  # conditions, sentences, numbers


def include_request(names: Iterable[str]) -> bool:
    """Whether one of some names is a request: ``query: /users``; then *baseline* beside it may be one, too."""
    return any(map(_REQUEST.search, names))


def differ_in_methods(names: Iterable[str]) -> bool:
    """Whether some names have different methods of HTTP: ``GET /menu …`` and ``POST /menu …``."""
    return len({method[0] for name in names if (method := _METHOD.search(name))}) > 1


def differ_only_in_conditions(names: Iterable[str]) -> bool:
    """Whether names differ only in conditions and sizes: ``kiwi-GET-8k`` and ``kiwi-PUT-1k``."""
    parts = [{part for part in _PART_SEPARATORS.split(name.casefold()) if part} for name in names]
    shared = set.intersection(*parts)
    rest = {part for of_name in parts for part in of_name - shared if not _SIZE_OR_COUNT.fullmatch(part)}
    if shared in parts:  # "kiwi" beside "kiwi-native" is a name without a condition
        return False
    return bool(shared and rest) and rest <= _CONDITION_WORDS


def are_switch_states(names: Iterable[str]) -> bool:
    """Whether names are the states of a switch: on and off, sync and async."""
    return _SWITCH_STATES.issuperset(name.casefold() for name in names)


def include_baseline(names: Iterable[str]) -> bool:
    """Whether one of some names is the state with which the others are compared."""
    return not _BASELINE_WORDS.isdisjoint(name.casefold() for name in names)


def are_one_word_with_numbers(names: Iterable[str]) -> bool:
    """Whether names are one unknown word with different numbers: ``resultat1`` and ``resultat2``, ``load1Put`` …."""
    matches = [_WORD_WITH_NUMBER.fullmatch(name) for name in names]
    stems = {" ".join(match.groups("")).strip().casefold() for match in matches if match}
    return all(matches) and len(stems) == 1 and not any(map(is_known_name, next(iter(stems)).split()))


def are_weekdays(names: Iterable[str]) -> bool:
    """Whether all names are days of the week, as folders are called: ``mon`` and ``tue``."""
    return _WEEKDAYS.issuperset(name.casefold() for name in names)


def are_versions(names: Iterable[str]) -> bool:
    """Whether names are several version numbers: ``v1.2.0`` and ``v1.3.0``."""
    different = set(names)
    return len(different) > 1 and all(map(_VERSION.fullmatch, different))


def are_machines(names: Iterable[str]) -> bool:
    """Whether all names are machines: ``Big box`` and ``Laptop``."""
    return all(map(_MACHINE_KIND.fullmatch, names))


def are_first_letters(names: Iterable[str]) -> bool:
    """Whether names are the first letters of the alphabet, which count as numbers do: a, b and c."""
    letters = sorted({name.casefold() for name in names})
    return len(letters) > 1 and letters == list(string.ascii_lowercase[: len(letters)])


def are_random(names: Collection[str]) -> bool:
    """Whether names are random, as programs name their files: ``tmp.U8kgR88TO6``, ``2b523fb1``.

    They have one length, letters and digits in any order, and share only the text at their beginning.
    """
    front = sum(1 for _ in takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False)))
    drawn = {name[front:] for name in names}
    if (
        len(drawn) < _FEWEST_RANDOM
        or len({len(name) for name in drawn}) > 1
        or not all(map(_RANDOM_NAME.fullmatch, drawn))
    ):
        return False
    are_mixed = 2 * sum(_DIGIT_AND_LETTER.search(name) is not None for name in drawn) > len(drawn)
    return are_mixed and 2 * len({name[0] for name in drawn}) > _FEWEST_RANDOM


def kind_of_name(name: str) -> NameKind:
    """The kind of one name."""
    if any(form.fullmatch(name) for form in (_ASSIGNMENTS, _QUANTITY, _MACHINE_KIND)) or is_day(name):
        return NameKind.OTHER
    if _TEMPLATE_HEADING.fullmatch(name.rstrip("?:.! ")) or _is_chinese_activity(name):
        return NameKind.OTHER
    if is_opinion(name):
        return NameKind.OTHER
    if _OPERATING_SYSTEM.fullmatch(name) or (_VERSION.fullmatch(name) and not _DECIMAL.fullmatch(name)):
        return NameKind.STATES
    name = short_name(name)
    words = [word.casefold() for word in name.split() if not _TIME.fullmatch(word)]
    if not words or _REQUEST.search(name) or says_where(words[0]) or _CONDITION_WORDS.issuperset(words):
        return NameKind.STATES if words and _MODE_WORDS.issuperset(words) else NameKind.OTHER
    parts = {
        part for word in words for part in _PART_SEPARATORS.split(word) if part and not _SIZE_OR_COUNT.fullmatch(part)
    }
    if all(map(_is_state_or_condition, parts)):
        return NameKind.STATES if parts and (parts <= _MODE_WORDS or not parts <= _CONDITION_WORDS) else NameKind.OTHER
    return NameKind.KNOWN if any(map(is_known_name, words)) else NameKind.NAMES


def _is_chinese_activity(name: str) -> bool:
    """Whether a heading in Chinese says what was done, or under which load, and names nothing."""
    return not name.isascii() and bool(_CHINESE_ACTIVITY.fullmatch(name) or _UNDER_LOAD.fullmatch(name))


def says_where(name: str) -> bool:
    """Whether a text says where, or over which network, something was measured: ``on server129``, ``In my office``."""
    return _PART_SEPARATORS.split(name.casefold(), maxsplit=1)[0] in WHERE_WORDS


def may_be_variant(name: str) -> bool:
    """Whether a name may be that of a variant of a server: it describes no load."""
    return kind_of_name(name) is not NameKind.OTHER or _PROCESS_WORDS.issuperset(name.casefold().split())


def _is_state_or_condition(part: str) -> bool:
    """Whether a part of a name is a state, a condition, a commit or a machine."""
    return part in _CONDITION_WORDS or part in _STATE_WORDS or bool(_COMMIT.fullmatch(part) or _MACHINE.fullmatch(part))


def is_set_aside(name: str) -> bool:
    """Whether a name says that its runs do not count: ``discarded``."""
    return _SET_ASIDE.fullmatch(name) is not None


def is_opinion(name: str) -> bool:
    """Whether a text only says what somebody thinks of a result: ``much better``."""
    words = set(name.casefold().rstrip(" .!:").split())
    told = words & _OPINION_WORDS or (words & _SPEEDS and words & _DEGREES)
    return bool(told) and words <= _OPINION_WORDS | _SPEEDS | _DEGREES


def states_only_resources(name: str) -> bool:
    """Whether a text states only the resources that a server used or had: ``cpu 99, mem``."""
    return _RESOURCE.fullmatch(name) is not None


def short_name(name: str) -> str:
    """A name, without a description that makes it too long to be a name; empty if no name is left."""
    if _may_be_name(name):
        return name
    front = without_description(name)
    return front if _may_be_name(front) else ""


def _may_be_name(name: str) -> bool:
    """Whether a text may be a name: short, with a letter, and not a sentence."""
    if not has_length_of_name(name):
        return False
    # "kiwi (pool of 10)" is a name with a condition, which may have any words.
    words = [word for word in without_last_brackets(name).split() if any(map(str.isalnum, word))]
    if len(words) > 1 and words[-1].casefold() in _LAST_NOUNS:
        words.pop()
    # "Service A" and "The rewrite" are not sentences, and a state may be called "before".
    plain = [word for word in words if len(word) > 1 and word.casefold() not in _STATE_WORDS | {"the"}]
    plain[1:-1] = [word for word in plain[1:-1] if word.casefold() != "using"]  # "Kiwi using workers"
    return not is_prose(" ".join(plain))


def has_length_of_name(name: str) -> bool:
    """Whether a text is as short as a name, has a letter, and does not end like a sentence."""
    words = [word for word in name.split() if any(map(str.isalnum, word))]
    if len(name) > LONGEST_NAME or len(words) > MOST_WORDS or _is_chinese_sentence(name):
        return False
    return any(map(str.isalpha, name)) and not name.endswith((".", "?", "!", "。", "？", "！", "…"))


def _is_chinese_sentence(text: str) -> bool:
    """Whether a text in Chinese or Japanese is too long for a name, or has two clauses."""
    if text.isascii():
        return False
    hiragana = len(_HIRAGANA.findall(text))
    return (
        len(_IDEOGRAPH.findall(text)) > _MOST_IDEOGRAPHS
        or hiragana > (_MOST_HIRAGANA_OF_VERB if _HIRAGANA.match(text[-1]) else _MOST_HIRAGANA)
        or any(clauses.search(text) for clauses in (_TWO_CLAUSES, _TWO_JAPANESE_CLAUSES))
    )


@functools.lru_cache(maxsize=4096)  # the runs of a page share their names
def contradicts(name: str, framework: str | None) -> bool:
    """Whether a run has another framework than this name."""
    if framework is None:
        return False
    one, other = name.casefold(), framework.casefold()
    words, others = ({part.strip("()[],;:") for part in _PART_SEPARATORS.split(text)} for text in (one, other))
    is_part = any(
        place_of_word(part, whole) is not None or (len(part) >= _FEWEST_LETTERS and part in whole)
        for part, whole in ((one, other), (other, one))
    )
    return not (is_part or words <= others or others <= words)
