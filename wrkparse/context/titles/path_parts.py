"""The settings and the name in a folder's or a file's name: ``orca_gomaxprocs4_c100_run2``."""

from __future__ import annotations

import re

from wrkparse.context.titles.names import is_known_name
from wrkparse.context.titles.reduction import LAST_VERSION, without_edges
from wrkparse.context.titles.spans import HOLE, REPEAT_WORDS, Spans
from wrkparse.context.titles.vocabulary import ALIASES, COUNT_WORDS_ABROAD, TIME_WORDS
from wrkparse.source.discover import ARCHIVES, without_archive_suffix
from wrkparse.tools.schema import RESERVED

PATH_KINDS = frozenset({"folder", "file"})  # of the slots of a run's place, those that a path has

# A number behind them counts copies: "kiwi.log.1".
_SUFFIXES = re.compile(
    rf"(?:\.(?:txt|log|out|err|stdout|stderr|wrk2?|ab|hey|gc|gctrace|schedtrace|md|markdown|rst|adoc|json|jsonl|csv|jtl|xml|html?|ipynb|{'|'.join(ARCHIVES)})){{1,9}}(?=(?:\.[0-9]{{1,3}})?\Z)",
    re.IGNORECASE,
)
# Programs in whose comments a run may be noted; "node.js" is a name.
_CODE_SUFFIX = re.compile(
    r"(?<=[a-z0-9_-])\.(?:c|cc|clj|cpp|cr|cs|cxx|d|erl|ex|exs|go|hs|java|jl|js|kt|lua|mjs|ml|nim|php|pl|py|rb|rs|ru|scala"
    r"|sh|swift|ts|zig)\Z",
    re.IGNORECASE,
)
# Languages whose comments begin with //. A # there is the preprocessor's, or stands in a program's output
# that a comment quotes; it begins no heading.
SLASH_COMMENTS = frozenset("c cc cpp cs cxx d dart go h hh hpp hxx java js kt m mjs rs scala swift ts zig".split())

_DATE = re.compile(
    r"(?<![0-9A-Za-z])(?:[0-9]{4}[-_.][0-9]{2}[-_.][0-9]{2}|(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01]))"
    r"(?:[T_-][0-9]{2}[-:.]?[0-9]{2}(?:[-:.]?[0-9]{2})?Z?)?(?![0-9A-Za-z])"
)
_REPEAT = re.compile(
    rf"(?<![^\W_])(?:{'|'.join(REPEAT_WORDS)})[-_=# ]?[0-9]{{1,4}}(?![^\W_]|\.[0-9])|(?<=\S) ?\([0-9]\)\Z"
    r"|(?<![^\W_])[0-9]{1,3}[-_ ]?of[-_ ]?[0-9]{1,3}(?![^\W_])"
    r"|(?<=[^\W_]) ?(?:\((?:another )?copy(?: [0-9]{1,2})?\)|- copy(?: \([0-9]{1,2}\))?)\Z"  # as file managers call it
    r"|(?<=[^\W_])[- _]?[#№] ?[0-9]{1,3}\Z",
    re.IGNORECASE,
)
_WORDS = "cores?|cpus?|gomaxprocs|procs|con|conc|conns?|connections|concurrency|clients|threads|workers"
_SETTING = re.compile(
    rf"(?<![^\W_])(?:({_WORDS}|gogc|rate|port)[-_]?([0-9]{{1,9}}|(?<=gogc[-_])off|(?<=gogc)off)"
    rf"|([0-9]{{1,9}})[-_ ]?({_WORDS}|{COUNT_WORDS_ABROAD}|コア|核|线程|并发|连接|코어))(?![^\W_])",
    re.IGNORECASE,
)
_MAY_NUMBER = frozenset({"cpu", "core"})  # "cpu4" is the fourth or the fifth one, or there are four
_FIRST_OF_ALL = re.compile(r"(?<![^\W_])(?:cpu|core)[-_]?0+(?![^\W_])", re.IGNORECASE)
_NUMBER_PAIR = re.compile(rf"(?<![^\W_])([A-Za-z]|{_WORDS}|rate|port)=([0-9]{{1,9}}k?)(?![^\W_]|\.)", re.IGNORECASE)
_PAIR = re.compile(
    r"(?<![^\W_])([A-Za-z][A-Za-z0-9]{1,30})=([^\s,;_+=\0]{1,80}?)(?=[\s,;_+\0]|-\0|-[A-Za-z0-9]{1,30}=|\Z)"
)
_NUMBER_LETTER = re.compile(r"(?<![^\W_])([0-9]{1,6})([ctw])(?![^\W_])")  # 10c-4t: with both, or beside siblings
_COUNTED_NAME = re.compile(r"(?<=[A-Za-z])\.([0-9]{1,3})\Z")  # "heron.2"; "heron-1.18" has a version
# "kiwi-warmup", but not "kiwi-no-warmup" and "warmup-10s", which are settings.
_WARM_UP = re.compile(
    r"(?<![^\W_])(?<!\bno[-_ ])(?<!\bwith[-_ ])(?<!\bwithout[-_ ])(?<!\bafter[-_ ])(?<!_no[-_ ])(?<!_with[-_ ])"
    r"(?<!_without[-_ ])(?<!_after[-_ ])(?:warm|heat)[-_ ]?up(?=(?:[-_ ]?[0-9]{1,3})?\Z)",
    re.IGNORECASE,
)
_SEPARATORS = re.compile(rf"((?:[_,\s{HOLE}]|(?<!\+)\+(?!\+))+|-+)")  # not in "clang++"
_GENERAL = re.compile(
    # tools and words for output, which a number behind them counts
    "(?:wrk|ab|hey|time|nohup|gctrace|schedtrace|results?|outputs?|out|raw|data|logs?|reports?|summar(?:y|ies)|stdout|stderr"
    "|bench(?:mark)?s?|tests?|salidas?|resultados?|pruebas?|ausgaben?|ergebnis(?:se)?|messung(?:en)?|sorties?|resultats?"
    f"|résultats?|essais?|saidas?|wyniki?|вывод|результаты?|тесты?)[0-9]{{0,3}}|{TIME_WORDS}",
    re.IGNORECASE,
)
_MACHINES = frozenset("server host machine box".split())
_ADDRESS = re.compile(r"(?<![^\W_])ip(?:-[0-9]{1,3}){4}(?![^\W_])", re.IGNORECASE)  # of a host: "ip-10-0-3-17"
_ARCHITECTURE = re.compile(r"x86_(?=64(?![^\W_]))", re.IGNORECASE)


def without_suffixes(name: str) -> str:
    """A file's name without the suffixes of logs, pages and archives: ``nginx-1.12.log.gz`` → ``nginx-1.12``.

    Nothing is left of ``typescript``, as script(1) calls any session, and of ``syslog``.
    """
    short = _SUFFIXES.sub("", name)
    return "" if short in ("syslog", "typescript") else short


def without_code_suffix(name: str) -> str:
    """A file's name without the suffix of a programming language, unless the whole is a name: ``node.js``."""
    return name if is_known_name(name) else _CODE_SUFFIX.sub("", name)


def format_of(source: str) -> str:
    """The suffix of a source in small letters, without that of an archive: ``org``, ``go``."""
    return without_archive_suffix(source).rpartition(".")[2].lower()


def take_path_settings(spans: Spans) -> None:
    """Take dates, repeats and settings out of a folder's or a file's name."""

    def repeat(match: re.Match[str]) -> None:
        spans.repeats.append((match.start(), match[0].strip()))

    def pair(match: re.Match[str]) -> bool | None:
        key, value = match[1], match[2].strip()
        known = ALIASES.get(key.lower(), key.lower())
        if len(key) == 1:
            spans.set_short(match.start(), key, value)
        elif known in REPEAT_WORDS and known in RESERVED:  # "run=2"
            spans.repeats.append((match.start(), match[0].strip()))
        elif known in RESERVED:
            return False  # a part of the name
        else:
            spans.set(match.start(), known, value)
        return None

    def setting(match: re.Match[str]) -> None:
        name, value, number, unit = match.groups()
        if name and name.lower() in _MAY_NUMBER:
            spans.short.append((match.start(), "cores", value))
            return
        spans.set(match.start(), ALIASES[(name or unit).lower()], value or number)

    spans.take(_DATE, lambda match: None)
    if "up" in spans.text.lower():
        spans.take(_WARM_UP, lambda match: spans.set(match.start(), "phase", "warm-up"))
    if "=" in spans.text:
        spans.take(_NUMBER_PAIR, pair)
        spans.take(_PAIR, pair)
    spans.take(_REPEAT, repeat)
    spans.take(_SETTING, setting)
    spans.take_letters()
    spans.take(_NUMBER_LETTER, lambda match: spans.set_short(match.start(), match[2], match[1]))


def numbers_from_0(text: str) -> bool:
    """Whether a name numbers a processor from 0, so that its siblings' numbers are no counts: ``cpu0``."""
    return _FIRST_OF_ALL.search(text) is not None


def _is_version(name: str, separator: str, number: str) -> bool:
    """Whether a number behind a known name and a blank is its version: ``rails 7``. ``rails-7`` may be the seventh."""
    return separator.isspace() and int(number) <= LAST_VERSION and is_known_name(name)


def _numbers_a_machine(name: str) -> bool:
    """Whether the number behind a name is its part, as in the names of hosts: ``server_2``."""
    return name.lower() in _MACHINES


def name_of_path(text: str) -> tuple[str, tuple[str, ...]]:
    """The name in what is left of a folder's or a file's name, and the numbers that nothing explains."""
    numbers: list[str] = []
    name, separator = "", ""
    text = _ARCHITECTURE.sub("x86\1", text)  # its parts are no name and number
    text = _ADDRESS.sub(lambda match: match[0].replace("-", "\2"), text)
    if counted := _COUNTED_NAME.search(text):
        numbers.append(counted[1])
        text = text[: counted.start()]
    for at, token in enumerate(_SEPARATORS.split(text)):
        if at % 2:
            separator = (token.replace(HOLE, "")[:1] if HOLE in token else token) or "-"
            continue
        word = token.strip("-_. ()[]")
        if word.isdecimal() and not (_is_version(name, separator, word) or _numbers_a_machine(name)):
            numbers.append(word)
        elif word and not _GENERAL.fullmatch(word):
            name += (separator if name else "") + word
    return without_edges(name).replace("\1", "_").replace("\2", "-"), tuple(numbers)
