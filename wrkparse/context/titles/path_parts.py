"""Finds the settings and the name in the name of a folder or a file: ``orca_gomaxprocs4_c100_run2``."""

from __future__ import annotations

import functools
import re

from wrkparse.context.titles.known_names import is_known_name
from wrkparse.context.titles.name_extraction import LAST_VERSION, without_end_signs
from wrkparse.context.titles.settings.setting_extraction import HOLE, REPEAT_WORDS, SettingExtractor
from wrkparse.context.titles.vocabulary import FOREIGN_COUNT_WORDS, LABEL_KEYS, TIME_WORDS
from wrkparse.source.discover import ARCHIVES, without_archive_suffix
from wrkparse.tools.schema import RESERVED

PATH_SLOT_KINDS = frozenset({"folder", "file"})  # the kinds of slots in the path of a run

# A number after them counts copies: "kiwi.log.1".
_SUFFIXES = re.compile(
    rf"(?:\.(?:txt|log|out|err|stdout|stderr|wrk2?|ab|hey|gc|gctrace|schedtrace|md|markdown|rst|adoc|json|jsonl|csv|jtl|xml|html?|ipynb|cast|{'|'.join(ARCHIVES)})){{1,9}}(?=(?:\.[0-9]{{1,3}})?\Z)",
    re.IGNORECASE,
)
# Programs, whose comments may contain runs; "node.js" is a name.
_CODE_SUFFIX = re.compile(
    r"(?<=[a-z0-9_-])\.(?:c|cc|clj|cpp|cr|cs|cxx|d|erl|ex|exs|go|hs|java|jl|js|kt|lua|mjs|ml|nim|php|pl|py|rb|rs|ru|scala"
    r"|sh|swift|ts|zig)\Z",
    re.IGNORECASE,
)
# Languages whose comments begin with //. In their files a # belongs to the preprocessor, or to output that a comment
# quotes; it does not begin a heading.
SLASH_COMMENT_SUFFIXES = frozenset(
    "c cc cpp cs cxx d dart go h hh hpp hxx java js kt m mjs rs scala swift ts zig".split()
)

_DATE = re.compile(
    r"(?<![0-9A-Za-z])(?:[0-9]{4}[-_.][0-9]{2}[-_.][0-9]{2}|(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01]))"
    r"(?:[T_-][0-9]{2}[-:.]?[0-9]{2}(?:[-:.]?[0-9]{2})?Z?)?(?![0-9A-Za-z])"
)
_REPEAT = re.compile(
    rf"(?<![^\W_])(?:{'|'.join(REPEAT_WORDS)})[-_=# ]?[0-9]{{1,4}}(?![^\W_]|\.[0-9])|(?<=\S) ?\([0-9]\)\Z"
    r"|(?<![^\W_])[0-9]{1,3}[-_ ]?of[-_ ]?[0-9]{1,3}(?![^\W_])"
    r"|(?<=\S)[-_. ](?:re-?run|again)(?:[-_ ]?[0-9]{1,2})?\Z"
    r"|(?<=[^\W_]) ?(?:\((?:another )?copy(?: [0-9]{1,2})?\)|- copy(?: \([0-9]{1,2}\))?)\Z",  # as file managers call it
    re.IGNORECASE,
)
_SETTING_WORDS = "cores?|cpus?|gomaxprocs|procs|con|conc|conns?|connections|concurrency|clients|threads|workers"
_SETTING = re.compile(
    rf"(?<![^\W_])(?:({_SETTING_WORDS}|gogc|rate|port)[-_]?([0-9]{{1,9}}|(?<=gogc[-_])off|(?<=gogc)off)"
    rf"|([0-9]{{1,9}})[-_ ]?({_SETTING_WORDS}|connection|client|thread|worker|{FOREIGN_COUNT_WORDS}"
    r"|コア|核|线程|并发|连接|코어))(?![^\W_])",
    re.IGNORECASE,
)
_NUMBER_OF_FILE = re.compile(r"0[0-9]{1,8}[-_ ](?:connection|client|thread|worker)", re.IGNORECASE)  # "05_thread"
_NUMBERED_PROCESSORS = frozenset({"cpu", "core"})  # "cpu4" is the fourth or the fifth one, or there are four
_PROCESSOR_0 = re.compile(r"(?<![^\W_])(?:cpu|core)[-_]?0+(?![^\W_])", re.IGNORECASE)
_NUMBER_PAIR = re.compile(
    rf"(?<![^\W_])([A-Za-z]|{_SETTING_WORDS}|rate|port)=([0-9]{{1,9}}k?)(?![^\W_]|\.)", re.IGNORECASE
)
_UNKNOWN_PAIR = re.compile(
    r"(?<![^\W_])([A-Za-z][A-Za-z0-9]{1,30})=([^\s,;_+=\0]{1,80}?)(?=[\s,;_+\0]|-\0|-[A-Za-z0-9]{1,30}=|\Z)"
)
_NUMBER_LETTER = re.compile(r"(?<![^\W_])([0-9]{1,6})([ct])(?![^\W_])")  # 10c-4t: with both, or beside siblings
# "heron.2", "R1000.2"; "heron-1.18" and "go1.21" have a version
_DOT_NUMBER = re.compile(
    r"(?:(?<=[A-Za-z])|(?<=[A-Za-z][0-9]{3})|(?<=[A-Za-z][0-9]{4})|(?<=[A-Za-z][0-9]{5}))\.([0-9]{1,3})\Z"
)
# "kiwi-warmup", but not "kiwi-no-warmup" and "warmup-10s", which are settings.
_WARM_UP = re.compile(
    r"(?<![^\W_])(?<!\bno[-_ ])(?<!\bwith[-_ ])(?<!\bwithout[-_ ])(?<!\bafter[-_ ])(?<!_no[-_ ])(?<!_with[-_ ])"
    r"(?<!_without[-_ ])(?<!_after[-_ ])(?:warm|heat)[-_ ]?up(?=(?:[-_ ]?[0-9]{1,3})?\Z)",
    re.IGNORECASE,
)
_SEPARATORS = re.compile(rf"((?:[_,\s{HOLE}]|(?<!\+)\+(?!\+))+|-+)")  # not in "clang++"
_OUTPUT_WORDS = re.compile(
    # tools and words for output, which a number after them counts
    "(?:wrk|ab|hey|oha|autocannon|bombardier|fortio|h2load|jmeter|k6|locust|siege|vegeta|time|nohup|gctrace|schedtrace|results?|outputs?|out|raw|data|logs?|reports?|summar(?:y|ies)|stdout|stderr"
    "|bench(?:mark)?s?|tests?|salidas?|resultados?|pruebas?|ausgaben?|ergebnis(?:se)?|messung(?:en)?|sorties?|resultats?"
    f"|résultats?|essais?|saidas?|wyniki?|вывод|результаты?|тесты?)[0-9]{{0,3}}|{TIME_WORDS}",
    re.IGNORECASE,
)
_NUMBERED_SYSTEMS = frozenset("alma almalinux debian fedora freebsd rhel rocky rockylinux sles".split())
MACHINE_WORDS = frozenset("server host machine box".split())
_HOST_ADDRESS = re.compile(r"(?<![^\W_])ip(?:-[0-9]{1,3}){4}(?![^\W_])", re.IGNORECASE)  # of a host: "ip-10-0-3-17"
_ARCHITECTURE = re.compile(r"x86_(?=64(?![^\W_]))", re.IGNORECASE)


def without_suffixes(name: str) -> str:
    """The name of a file without the suffixes of logs, pages and archives: ``nginx-1.12.log.gz`` → ``nginx-1.12``.

    Empty for ``typescript``, the name that script(1) gives any session, and for ``syslog``.
    """
    short = _SUFFIXES.sub("", name)
    return "" if short in ("syslog", "typescript") else short


def is_printed_file(text: str) -> bool:
    """Whether a text is the name of a log, with or without folders: ``logs/kiwi-1.txt``."""
    return " " not in text and not text.endswith("/") and without_suffixes(text) != text


def without_code_suffix(name: str) -> str:
    """The name of a file without the suffix of a programming language, except a known name: ``node.js``."""
    return name if is_known_name(name) else _CODE_SUFFIX.sub("", name)


def file_suffix(source: str) -> str:
    """The suffix of a source in lower case, without that of an archive: ``org``, ``go``."""
    return without_archive_suffix(source).rpartition(".")[2].lower()


def take_path_settings(extractor: SettingExtractor) -> None:
    """Take dates, repeats and settings out of the name of a folder or a file."""

    def repeat(match: re.Match[str]) -> None:
        extractor.repeats.append((match.start(), match[0].strip()))

    def pair(match: re.Match[str]) -> bool | None:
        key, value = match[1], match[2].strip()
        known = LABEL_KEYS.get(key.lower(), key.lower())
        if len(key) == 1:
            extractor.add_letter_setting(match.start(), key, value)
        elif known in REPEAT_WORDS and known in RESERVED:  # "run=2"
            extractor.repeats.append((match.start(), match[0].strip()))
        elif known in RESERVED:
            return False  # a part of the name
        else:
            extractor.add_setting(match.start(), known, value)
        return None

    extractor.take_matches(_DATE, lambda match: None)
    if "up" in extractor.text.lower():
        extractor.take_matches(_WARM_UP, lambda match: extractor.add_setting(match.start(), "phase", "warm-up"))
    if "=" in extractor.text:
        extractor.take_matches(_NUMBER_PAIR, pair)
        extractor.take_matches(_UNKNOWN_PAIR, pair)
    extractor.take_matches(_REPEAT, repeat)
    extractor.take_matches(_SETTING, functools.partial(_take_count, extractor))
    extractor.take_letters()
    extractor.take_matches(
        _NUMBER_LETTER, lambda match: extractor.add_letter_setting(match.start(), match[2], match[1])
    )


def _take_count(extractor: SettingExtractor, match: re.Match[str]) -> bool | None:
    """Take a count beside its noun, ``64_connections``; False if it is none."""
    name, value, number, unit = match.groups()
    if match.start() == 0 and _NUMBER_OF_FILE.fullmatch(match[0]):  # the fifth one, about a thread
        return False
    if name and name.lower() in _NUMBERED_PROCESSORS:
        extractor.possible_settings.append((match.start(), "cores", value))
    else:
        extractor.add_setting(match.start(), LABEL_KEYS[(name or unit).lower()], value or number)
    return None


def has_processor_0(text: str) -> bool:
    """Whether a name numbers a processor from 0, so the numbers of its siblings are not counts: ``cpu0``."""
    return _PROCESSOR_0.search(text) is not None


def _is_version(name: str, separator: str, number: str) -> bool:
    """Whether a number after a known name and a blank is its version: ``rails 7``; ``rails-7`` may be a repeat.

    A system has one in any case: ``debian-12``.
    """
    if re.split("[-_ ]", name)[-1].casefold() in _NUMBERED_SYSTEMS:
        return int(number) < 100
    return separator.isspace() and int(number) <= LAST_VERSION and is_known_name(name)


def _is_machine_word(name: str) -> bool:
    """Whether a word with a number is the name of a host: ``server_2``."""
    return name.lower() in MACHINE_WORDS


def name_in_path_part(text: str) -> tuple[str, tuple[str, ...]]:
    """The name in the rest of the name of a folder or a file, and the numbers without a known meaning."""
    numbers: list[str] = []
    name, separator = "", ""
    text = _ARCHITECTURE.sub("x86\1", text)  # its parts are not a name and a number
    text = _HOST_ADDRESS.sub(lambda match: match[0].replace("-", "\2"), text)
    if counted := _DOT_NUMBER.search(text):
        numbers.append(counted[1])
        text = text[: counted.start()]
    for at, token in enumerate(_SEPARATORS.split(text)):
        if at % 2:
            separator = (token.replace(HOLE, "")[:1] if HOLE in token else token) or "-"
            continue
        word = token.strip("-_. ()[]")
        if word.isdecimal() and not (_is_version(name, separator, word) or _is_machine_word(name)):
            numbers.append(word)
        elif word and not _OUTPUT_WORDS.fullmatch(word):
            name += (separator if name else "") + word
    return without_end_signs(name).replace("\1", "_").replace("\2", "-"), tuple(numbers)
