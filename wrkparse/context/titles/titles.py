"""What one piece of text says of a run: a heading, a title line, the name of a folder or a file.

It holds settings, the number of a repeat, a document's own words (*Results of …*), and the name of what was measured,
which no list need know. `wrkparse.context.labels` makes labels of it: ``Results of kiwi, 4 workers, run 2`` →
name kiwi, workers=4, repeat 2.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from wrkparse.context.titles.names import is_known_name
from wrkparse.context.titles.path_parts import name_of_path, take_path_settings
from wrkparse.context.titles.reduction import (
    is_sentence,
    name_in,
    tidy_holes,
    without_edges,
    without_ending,
    without_holes,
)
from wrkparse.context.titles.spans import REPEAT_WORDS, Spans, find_repeat, is_day
from wrkparse.context.titles.vocabulary import (
    ALIASES,
    COUNT_NOUNS,
    COUNT_WORDS,
    COUNT_WORDS_ABROAD,
    GO_VERSION,
    TEXT_WORDS,
    few_of,
    flag_key,
    rts_labels,
)
from wrkparse.text.shell import split_flags
from wrkparse.tools.schema import RESERVED

_Settings = tuple[tuple[str, str], ...]


class Title(NamedTuple):
    """What a title says.

    ``settings``: keys and values of labels, in the text's order; ``framework`` only where the text says so.
    ``name``: what was measured, in the text's own spelling; empty if the text names nothing.
    ``repeat``: the number of a repeat as printed (``run 2 of 5``); empty if there is none.
    ``numbers``: numbers that nothing explains (``nginx / 2``), as printed.
    ``short``: settings of which only siblings show that they are any: ``c64`` beside ``c128``, ``30s``, ``5000 rps``,
    the port of a URL.
    """

    settings: _Settings = ()
    name: str = ""
    repeat: str = ""
    numbers: tuple[str, ...] = ()
    short: _Settings = ()


class TitleText(NamedTuple):
    """A title as labels are made of it.

    ``environment`` has the labels of variables and of GHC's runtime options, ``settings`` all others but flags, which
    stay in ``name``: a line may be a command. ``words`` is the text without settings, which may be a sentence.
    """

    title: Title
    settings: _Settings
    environment: _Settings
    words: str
    name: str


_NOTHING = TitleText(Title(), (), (), "", "")
_LONGEST = 200  # characters; a longer line is a paragraph
_DIGITS_OF_DATE = 8  # "20171105"
_LONGEST_SOURCE = 1000  # characters with the addresses of links
_LINK = re.compile(r"\[([^\[\]]{1,100})\]\([^()\s]{1,300}\)")
_ATTRIBUTES = re.compile(r"\s?\{[#.:][^{}]{0,100}\}\Z")  # of Markdown: "nginx {#nginx}"
_EMPHASIS = re.compile(r"(\*\*|\*|`)(?=[^\s*`])([^*`]{1,100})(?<=\S)\1(?!\w)")
_ESCAPED = re.compile(r"\\([_+.#~(){}-])")  # of Markdown: "mod\_php"
_EMOJI = re.compile(r"[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
_WIDE = str.maketrans({"：": ": ", "，": ", ", "；": "; ", "（": " (", "）": ") ", "＝": "=", "　": " "})
_SIGNS = r"=*#~+|│┃•▶►●■◆»«>→<←❯-"
_LEADING = re.compile(rf"[{_SIGNS}]{{1,90}}\s|([=*#~>_|])\1{{1,90}}(?=\S)|-{{3,90}}")
_TRAILING = re.compile(rf"\s[{_SIGNS}]{{1,90}}\Z|([=*~<_|])\1{{1,90}}\Z|-{{3,90}}\Z")
_WRAPPED = ("[]", "()", "{}", "<>", "【】", "「」", "『』", "“”", '""', "''", "``", "**", "__")

_URL = re.compile(r"(?<!=)(?:https?|tcp|unix)://[^\s,;()\[\]]{1,190}", re.IGNORECASE)
_HOST = re.compile(r"(?<![\w.])(?:localhost|[0-9]{1,3}(?:\.[0-9]{1,3}){3})(?::([0-9]{2,5}))?(?:/\S*)?(?![\w.])")
_FOUR_DIGITS = re.compile(r"[0-9](?:\.[0-9]){3}")  # "JRuby 1.6.7.2": a version; addresses of servers have longer parts
_PORT = re.compile(r"(?:(?<=[A-Za-z_])|(?<=[\s(])|\A):([0-9]{4,5})(?![\w.:])")
_NUMBERED_PORT = re.compile(r"(?<![\w.:/-])([0-9]{4,5})[ -]?(?:port|порту?)(?!\w)", re.IGNORECASE)
_URL_PORT = re.compile(r"://[^/\s]{1,100}:([0-9]{2,5})")
# Words, and a number behind them. It holds no setting, no repeat and no date if it also has none of these words.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z-]*(?: [A-Za-z][A-Za-z-]*){0,9}(?: [0-9]{1,5})?")
_TELLING = frozenset(
    {
        *ALIASES,
        *REPEAT_WORDS,
        *"einmal erneut fois mal nochmal nochmals nuevo rerun retry vez wiederholung".split(),
        "again",
        "more",
        "time",
        "environment",
        "warm",
        "warmup",
        "warm-up",
        "single",
        "single-core",
        "single-cpu",
    }
)
_MAY_DATE = re.compile(r"[0-9]:[0-9]|[0-9]{4}|pid", re.IGNORECASE)
_MAY_COUNT = re.compile(r"[0-9]k?[ -]?[A-Za-z\u0080-\uffff]")
_RTS = re.compile(r"\+RTS((?:\s+-[A-Za-z]\S*)+)(?:\s+-RTS\b)?")
# Not "-XX:+UseZGC" of Java, whose name is behind the colon.
_FLAG = re.compile(r"(?:\A|(?<=\s))--?[A-Za-z][\w.-]*(?![\w.:-])(?:=[^\s,;)]+)?(?:\s[0-9][\w.]*(?=[\s,)]|\Z))?")
_WRK_FLAG = re.compile(r"-([ctdR])\s?=?([0-9]+[kKsmh]?)")
_COUNTED = re.compile(
    r"(?<![A-Za-z0-9_.,/-])([0-9]{1,3}(?:,[0-9]{3}){1,2}|[0-9]{1,7}k?)[ -]?(?:"
    rf"(?:(?:concurrent|parallel|simultaneous|open|keep-?alive|physical|logical) )?({COUNT_WORDS})\b"
    rf"(?: (?:processes|threads|cores)\b)?|({COUNT_WORDS_ABROAD})\b"
    r"|(コア|核心?|코어|线程|並列|并发|连接|进程|スレッド|接続|ワーカー|プロセス|스레드|연결|워커))",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(?<![\w.])[0-9]{1,7}k?\s?(?:-|–|to|\.\.)\s?(?=[0-9])")
_BLANK_PAIR = re.compile(
    r"(?<![0-9k][ -])(?<![\w.-])"
    r"(connections|conns|concurrency|parallel|并发|threads|workers|procs|processes|port|порту?|rate|gomaxprocs|gogc)"
    rf"[ -]([0-9]{{1,9}}k?|off)(?![\w.%]| (?:{COUNT_WORDS})\b(?! [0-9]))",
    re.IGNORECASE,
)
_SINGLE_CORE = re.compile(r"\bsingle[ -](?:core|cpu)\b", re.IGNORECASE)
_FEW = re.compile(
    rf"(?<![\w.,/-])([0-9]{{1,3}}(?:,[0-9]{{3}}){{1,2}}|[0-9]{{1,9}}(?:\.[0-9]{{1,3}})?k?)[ ]?({COUNT_NOUNS})(?![\w/])",
    re.IGNORECASE,
)
_CLAUSE = r"(?:\A|(?<=[,;|(\[\0•])|(?<=[^\w\s] )|(?<=\s\s))\s*"
_END = r"(?=\s*(?:[,;、|()\[\]\0]|\s\s|\Z|\s\w+\s?[:=]|\s[-–—/•@]\s*(?:\0|[0-9]+\s*(?:\Z|[,;|)]))))"
_STATED = re.compile(rf"{_CLAUSE}({TEXT_WORDS})\s?:\s{{0,3}}([^,;、|()\[\]\0]{{0,60}}?){_END}", re.IGNORECASE)
_STATED_UNKNOWN = re.compile(rf"(?<=[,;|\0])\s*([A-Za-z][A-Za-z0-9_]{{1,30}}):\s([^\s,;、|()\[\]\0]{{1,40}}){_END}")
_NAME_VALUE = r"[^\s,;|()\[\]\0=:](?:[^\n,;|()\[\]\0=]{0,58}?[^\s,;|()\[\]\0=:])?(?=\s*(?:\Z|[,;|()\[\]\0])|\s\S+=)"
_CODE = re.compile(r"[{}$\\'\"]|\w\(|[-=]>|::|==")
_COLON_PAIR = re.compile(r"\w\s?:\s")
# Words in front of a name that say that one follows, as scripts print them: "variant=pooled", "image under test: a:v2".
_SUBJECT = re.compile(
    r"(?:\A|(?<=[\s\0,;|(\[]))(?:name|target|variants?|candidate|contender|subject|impl|implementation|service|svc"
    r"|app|application|allocator|library|lib|image|binary|build|system|case|(?:image|system|service) under test)"
    rf"\s?(?::\s+|=\s?)({_NAME_VALUE})",
    re.IGNORECASE,
)
_PROGRESS_COUNT = re.compile(r"\A[\[(]?[0-9]{1,4}\s?(?:/|of)\s?[0-9]{1,4}[\])]?[:.)]?\s+(?=\S)")
_WARM_UP = re.compile(
    r"(?:\A|(?<=[(:,;|–—/\[-])|(?<=[–—-]\s)|(?<=\0))\s?(?:warm|heat)[- ]?up(?: run)?(?=\s*(?:\Z|[():,;|\]0-9-]))"
    r"|\A(?:warm|heat)[- ]?up(?: run)?(?: for| of)?\s(?!time|duration|period|phase|is|was|off|on\b|disabled|enabled)"
    # "heron c=16 warm-up", but not "heron without warm-up", which is a setting
    r"|(?<=[\w.%])(?<!\bwith)(?<!\bwithout)(?<!\bno)(?<!\bafter)(?<!\bbefore)(?<!\band)(?<!\bmit)(?<!\bohne)"
    r"(?<!\bskip)(?<!\bskipped)(?<!\bskipping)"
    r"\s(?:warm|heat)-?up(?: run)?(?=\s*\Z)",
    re.IGNORECASE,
)
_PHASE = re.compile(r"(?:warm|heat)[- ]?up", re.IGNORECASE)
# It is over: "END WARM-UP", "kiwi: warm-up done", not "… before warm-up is over".
_WARMED_UP = re.compile(
    r"(?:\A|(?<=[(:,;|–—/\[=#*-])|(?<=\0))\s?(?:the )?"
    r"(?:(?:end|finished|done)(?: of| with)?(?: the)? (?:warm|heat)[- ]?up"
    r"|(?:warm|heat)[- ]?up (?:(?:is|has|phase) ){0,2}(?:over|done|finished|completed?|ended|ends?|stopped))"
    r"(?=[\s=*#-]*(?:\Z|[():,;|\].!]))",
    re.IGNORECASE,
)
_WARMING_UP = re.compile(
    r"\b(?:begin(?:ning)?|start(?:ing)?)(?: of)?(?: the)? (?=(?:warm|heat)[- ]?up\b)", re.IGNORECASE
)
_GO_VERSION = re.compile(rf"(?<=[(,\[])\s*{GO_VERSION}\s*(?=[),\]]|\Z)", re.IGNORECASE)
_ENVIRONMENT = re.compile(r"(.{2,40}?)\s+environment", re.IGNORECASE)
_NO_ENVIRONMENT = frozenset(
    """test testing tests benchmark benchmarking hardware software server client runtime the a an our my your this
    system my-test setup set setting build development about""".split()
)
# Keys of a text's own structure, of remarks and of addresses, which label no run.
NO_KEYS = RESERVED | frozenset(
    """note notes warning error info todo hint tip example usage date time author http https host url path title see
    update fyi nb ps re from to subject status result results test benchmark process debug log name id""".split()
)


def read_title(text: str) -> Title:
    """What a heading or a bare title line says; nothing if it is longer than 200 characters."""
    return read_title_text(text).title


def read_heading(text: str) -> Title:
    """What a heading says, whatever signs end it."""
    return read_title(without_ending(text))


def read_title_text(text: str) -> TitleText:
    """The same as `read_title`, with all that labels are made of."""
    return _read(text) if len(text) <= _LONGEST_SOURCE else _NOTHING


def printed_flags(text: str) -> str:
    """The flags of a title that set nothing a list knows, as printed: ``--no-cache``."""
    flags = (match[0].strip() for match in _FLAG.finditer(read_title_text(text).name))
    return " ".join(flag for flag in flags if not _WRK_FLAG.fullmatch(flag))


def states_subject(text: str) -> bool:
    """Whether a text begins with a word that announces a name, and that name: ``target: kiwi``."""
    return (":" in text or "=" in text) and _SUBJECT.match(text) is not None and bool(read_title(text).name)


def without_type(text: str) -> str:
    """A title without what sets its type: links, emphasis, emoji, attributes."""
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if text.endswith("}"):
        text = _ATTRIBUTES.sub("", text)
    if "\\" in text:
        text = _ESCAPED.sub(r"\1", text)
    if "*" in text or "`" in text:
        text = _EMPHASIS.sub(r"\2", text)
    return (text if text.isascii() else _EMOJI.sub("", text)).strip().strip("*_`").strip()


def ends_warm_up(text: str) -> bool:
    """Whether a line says that the warm-up is over: ``== END WARM-UP``."""
    return _WARMED_UP.search(text) is not None


def is_part(text: str) -> bool:
    """Whether a title says only which repeat or which phase of something begins: ``run 2``, ``Warm-up``."""
    if not (find_repeat(text) or _PHASE.search(text)):  # most headings: reading one takes longer
        return False
    read = read_title(text)
    if read.name or read.short or any(key != "phase" for key, _ in read.settings):
        return False
    return bool(read.repeat or read.settings) or ends_warm_up(text)


def without_decoration(text: str) -> str:
    """A title without the signs and brackets around it: ``==> nginx <==``, ``[nginx]``."""
    for _ in range(4):  # "### [*nginx*] ###" has three
        before = text
        leading = _LEADING.match(text)
        text = _TRAILING.sub("", text[leading.end() :] if leading else text).strip()
        inner = text[1:-1]
        if len(text) > 2 and text[0] + text[-1] in _WRAPPED and not {text[0], text[-1]} & set(inner):
            text = inner.strip()
        if text == before:
            break
    return text


def plain_words(text: str) -> list[str]:
    """The words, in small letters, of a title that holds a name at most; empty for one that may say more."""
    words = text.lower().split() if _PLAIN.fullmatch(text) else []
    return words if _TELLING.isdisjoint(words) else []


@functools.lru_cache(maxsize=4096)  # a page repeats the headings of its sections
def _read(source: str) -> TitleText:
    if is_day(source):
        return _NOTHING
    if len(source) <= _LONGEST and plain_words(source):
        rest = without_edges(source)
        name, numbers = name_in(rest, source)
        return TitleText(Title((), name, "", numbers), (), (), source, name)
    plain = without_type(_CONTROLS.sub(" ", source))
    if len(plain) > _LONGEST:
        return _NOTHING
    text = without_decoration(plain.translate(_WIDE).strip())
    if text[-11:].lower() == "environment" and (called := _environment_in(text)):
        return TitleText(Title(called), called, (), "", "")
    spans = Spans(_PROGRESS_COUNT.sub("", text))
    subject = _take_subject(spans)
    if "up" in text.lower():
        spans.take(_WARMED_UP, lambda _: None)
        spans.take(_WARMING_UP, lambda _: None)
        spans.take(_WARM_UP, lambda match: spans.set(match.start(), "phase", "warm-up"))
    if _MAY_DATE.search(text):
        spans.take_dates()
    _take_addresses(spans)
    if "+RTS" in text:
        spans.take(_RTS, lambda match: spans.add_environment(match.start(), rts_labels(match[1].split())))
    spans.take_repeats()
    _take_settings(spans, decorated=text != plain)
    _take_stated(spans)
    spans.take_letters()
    settings, words = spans.agreed(), without_holes(spans.text)
    with_flags, numbers = name_in(tidy_holes(spans.text), text)
    name = with_flags
    if " -" in text or text[:1] == "-":
        _take_flags(spans)
        name, numbers = name_in(tidy_holes(spans.text), text)
    name = subject or name
    framework = next((value for key, value in settings if key == "framework"), "")
    repeat = ", ".join(number for _, number in sorted(spans.repeats))
    title = Title(spans.agreed(all_origins=True), name or framework, repeat, numbers, spans.agreed_short())
    environment = tuple((key, value) for _, key, value in spans.environment)
    return TitleText(title, settings, environment, words, with_flags)


def _take_subject(spans: Spans) -> str:
    """Take out the name that a word such as *target* announces; empty if there is none, or it is an address."""
    found: list[str] = []

    def subject(match: re.Match[str]) -> bool | None:
        name = match[1].strip("\"'`")
        if found or "://" in name or is_sentence(name) or not any(map(str.isalpha, name)):
            return False
        found.append(name)
        return None

    if ":" in spans.text or "=" in spans.text:
        spans.take(_SUBJECT, subject)
    return "".join(found)


def _environment_in(text: str) -> _Settings:
    """The environment that a text names by itself: ``Low latency environment``."""
    match = _ENVIRONMENT.fullmatch(text)
    if match is None or not _NO_ENVIRONMENT.isdisjoint(match[1].lower().split()) or _has_known(match[1]):
        return ()
    return (("environment", match[1]),)


def _has_known(text: str) -> bool:
    return any(map(is_known_name, text.split()))


def _take_addresses(spans: Spans) -> None:
    """Take out URLs and hosts. Their port is a short setting: lines of all kinds hold URLs."""

    def url(match: re.Match[str]) -> None:
        if port := _URL_PORT.search(match[0]):
            spans.short.append((match.start(), "port", port[1]))

    def host(match: re.Match[str]) -> bool | None:
        if _FOUR_DIGITS.fullmatch(match[0]):
            return False
        if match[1]:
            spans.short.append((match.start(), "port", match[1]))
        return None

    if "://" in spans.text:
        spans.take(_URL, url)
    if "localhost" in spans.text or spans.text.count(".") > 2:
        spans.take(_HOST, host)


def _take_flags(spans: Spans) -> None:
    """Take out options of wrk and of a server."""

    def flag(match: re.Match[str]) -> bool | None:
        if wrk := _WRK_FLAG.fullmatch(match[0]):
            spans.set_short(match.start(), wrk[1], wrk[2])
            return None
        pairs = [(flag_key(name), value) for name, value in split_flags(tuple(match[0].split()))[0]]
        for key, value in pairs:
            if key:
                spans.set(match.start(), key, value)
        return bool(pairs)

    spans.take(_FLAG, flag)


def _take_settings(spans: Spans, *, decorated: bool) -> None:
    """Take out pairs whose values are numbers, counts, and pairs of unknown keys."""
    if "=" in spans.text:
        spans.take_assigned()
    if ":" in spans.text:
        spans.take_stated_numbers()
    if not is_sentence(spans.text):
        spans.take(_BLANK_PAIR, lambda match: spans.set(match.start(), ALIASES[match[1].lower()], match[2]))
    take_counts(spans)
    if ":" in spans.text:
        spans.take(_PORT, lambda match: spans.set(match.start(), "port", match[1]))
    spans.take(_NUMBERED_PORT, lambda match: spans.set(match.start(), "port", match[1]))
    spans.take(_GO_VERSION, lambda match: spans.set(match.start(), "go_version", match[1]))
    pairs = [match for match in spans.unknown_assigned() if match[1].lower() not in NO_KEYS]
    if _CODE.search(spans.text):
        return
    if decorated or len(pairs) + len(spans.settings) + len(spans.short) > 1:
        for match in pairs:
            spans.set(match.start(), match[1].lower(), match[2])
            spans.blank(*match.span())


def take_counts(spans: Spans) -> None:
    """Take out counts with their nouns; those of a less certain meaning are short settings."""

    def counted(match: re.Match[str]) -> None:
        spans.set(match.start(), ALIASES[(match[2] or match[3] or match[4]).lower()], match[1].replace(",", ""))

    def few(match: re.Match[str]) -> None:
        spans.short.append((match.start(), *few_of(match[1].replace(",", ""), match[2])))

    if _MAY_COUNT.search(spans.text):
        spans.take(_RANGE, lambda match: False if not _COUNTED.match(spans.text, match.end()) else None)
        spans.take(_COUNTED, counted)
        spans.take(_FEW, few)
    spans.take(_SINGLE_CORE, lambda match: spans.set(match.start(), "cores", "1"))


def _take_stated(spans: Spans) -> None:
    """Take out ``server: X`` and other pairs whose values are words."""

    def stated(match: re.Match[str]) -> bool | None:
        key, value = match[1].lower(), match[2].strip()
        if value and (is_sentence(value) or value.isdigit()):
            return False
        if value:
            spans.set(match.start(), ALIASES[key], value)
        return None

    if ":" not in spans.text:
        return
    colons = len(_COLON_PAIR.findall(without_holes(spans.text))) + len(spans.settings)
    spans.take(_STATED, stated)
    if colons > 1 and not _CODE.search(spans.text):
        for match in list(_STATED_UNKNOWN.finditer(spans.text)):
            if match[1].lower() not in NO_KEYS and not match[2].isdecimal():  # a number may be a result
                spans.set(match.start(), match[1].lower(), match[2])
                spans.blank(*match.span())


@functools.lru_cache(maxsize=4096)  # one directory holds many files
def read_path_part(part: str) -> Title:
    """What a folder's name says, or a file's without its suffixes; nothing if it is longer than 200 characters."""
    if len(part) > _LONGEST:
        return Title()
    if len(part) < _DIGITS_OF_DATE and part.isdecimal():  # one of many files: "1.txt", "0042.log"
        return Title(numbers=(part,))
    spans = Spans(_CONTROLS.sub(" ", part))
    take_path_settings(spans)
    name, numbers = name_of_path(spans.text)
    settings = spans.agreed()
    framework = next((value for key, value in settings if key == "framework"), "")
    repeat = ", ".join(number for _, number in sorted(spans.repeats))
    return Title(settings, name or framework, repeat, numbers, spans.agreed_short())
