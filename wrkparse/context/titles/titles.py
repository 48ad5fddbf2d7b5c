"""Reads a short text about a run: a heading, a title line, the name of a folder or a file.

It contains settings, the number of a repeat, words of documents (*Results of …*), and a name of the framework, which
need not be a known name. `wrkparse.context.labels` makes labels of it: ``Results of kiwi, 4 workers, run 2`` → name
kiwi, workers=4, repeat 2.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from wrkparse.context.titles.known_names import is_known_name
from wrkparse.context.titles.name_extraction import (
    extract_name,
    has_only_common_words,
    holes_as_blanks,
    is_sentence,
    remove_holes,
    without_end_punctuation,
    without_end_signs,
)
from wrkparse.context.titles.path_parts import name_in_path_part, take_path_settings
from wrkparse.context.titles.setting_extraction import REPEAT_WORDS, SettingExtractor, find_repeat, is_day
from wrkparse.context.titles.vocabulary import (
    COUNT_NOUNS,
    FOREIGN_COUNT_WORDS,
    GO_VERSION,
    LABEL_KEYS,
    QUANTITY_NOUNS,
    TEXT_KEY_WORDS,
    count_setting,
    flag_key,
    runtime_option_pairs,
)
from wrkparse.text.shell import split_flags
from wrkparse.tools.schema import RESERVED

_Settings = tuple[tuple[str, str], ...]


class Title(NamedTuple):
    """The content of a title.

    ``settings``: keys and values of labels, in the order of the text; ``framework`` only if the text states it.
    ``name``: the name, as spelled in the text; empty if the text names nothing. ``repeat``: the number of a repeat as
    printed (``run 2 of 5``); empty without one. ``numbers``: numbers without a known meaning (``nginx / 2``), as
    printed. ``possible_settings``: settings that count only if siblings have other values: ``c64`` beside ``c128``,
    ``30s``, ``5000 rps``, the port of a URL.
    """

    settings: _Settings = ()
    name: str = ""
    repeat: str = ""
    numbers: tuple[str, ...] = ()
    possible_settings: _Settings = ()


class TitleText(NamedTuple):
    """A title with all parts from which labels are made.

    ``environment`` has the labels of variables and of GHC runtime options, ``settings`` all others except flags. Flags
    stay in ``name``, because a line may be a command. ``words`` is the text without settings, which may be a sentence.
    """

    title: Title
    settings: _Settings
    environment: _Settings
    words: str
    name: str


_EMPTY = TitleText(Title(), (), (), "", "")
_LONGEST = 200  # characters; a longer line is a paragraph
_FEWEST_DIGITS_MEASURED = 5  # of a rate that is a result: whoever asks for a rate takes a round number
_DIGITS_OF_DATE = 8  # "20171105"
_LONGEST_WITH_LINKS = 1000  # characters with the addresses of links
_LINK = re.compile(r"\[([^\[\]]{1,100})\]\([^()\s]{1,300}\)")
_ATTRIBUTES = re.compile(r"\s?\{[#.:][^{}]{0,100}\}\Z")  # of Markdown: "nginx {#nginx}"
_EMPHASIS = re.compile(r"(\*\*|\*|`)(?=[^\s*`])([^*`]{1,100})(?<=\S)\1(?!\w)")
_MARKDOWN_ESCAPE = re.compile(r"\\([_+.#~(){}-])")  # of Markdown: "mod\_php"
_EMOJI = re.compile(r"[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
_FULL_WIDTH_SIGNS = str.maketrans({"：": ": ", "，": ", ", "；": "; ", "（": " (", "）": ") ", "＝": "=", "　": " "})
_DECORATION_SIGNS = r"=*#~+|│┃•▶►●■◆»«>→<←❯-"
_LEADING = re.compile(rf"[{_DECORATION_SIGNS}]{{1,90}}\s|([=*#~>_|])\1{{1,90}}(?=\S)|-{{3,90}}")
_TRAILING = re.compile(rf"\s[{_DECORATION_SIGNS}]{{1,90}}\Z|([=*~<_|])\1{{1,90}}\Z|-{{3,90}}\Z")
_PLUS_SIGNS = re.compile(r"\+{2,99} ?([^+].{0,99}?) ?\+{2,99}")  # on both sides only: C++
_BRACKET_PAIRS = ("[]", "()", "{}", "<>", "【】", "「」", "『』", "“”", '""', "''", "``", "**", "__")

_URL = re.compile(r"(?<!=)(?:https?|tcp|unix)://[^\s,;()\[\]]{1,190}", re.IGNORECASE)
_HOST = re.compile(r"(?<![\w.])(?:localhost|[0-9]{1,3}(?:\.[0-9]{1,3}){3})(?::([0-9]{2,5}))?(?:/\S*)?(?![\w.])")
_FOUR_DIGITS = re.compile(r"[0-9](?:\.[0-9]){3}")  # "JRuby 1.6.7.2": a version; addresses of servers have longer parts
_PORT = re.compile(r"(?:(?<=[A-Za-z_])|(?<=[\s(])|\A):([0-9]{4,5})(?![\w.:])")
_NUMBERED_PORT = re.compile(r"(?<![\w.:/-])([0-9]{4,5})[ -]?(?:port|порту?)(?!\w)", re.IGNORECASE)
_URL_PORT = re.compile(r"://[^/\s]{1,100}:([0-9]{2,5})")
# Words, and a number after them. Without one of the words below, such a text has no setting, repeat or date.
_PLAIN_WORDS = re.compile(r"[A-Za-z][A-Za-z-]*(?: [A-Za-z][A-Za-z-]*){0,9}(?: [0-9]{1,5})?")
_SETTING_WORDS = frozenset(
    {
        *LABEL_KEYS,
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
# Not "-XX:+UseZGC" of Java, whose name is after the colon.
_FLAG = re.compile(r"(?:\A|(?<=\s))--?[A-Za-z][\w.-]*(?![\w.:-])(?:=[^\s,;)]+)?(?:\s[0-9][\w.]*(?=[\s,)]|\Z))?")
_WRK_FLAG = re.compile(r"-([ctdR])\s?=?([0-9]+[kKsmh]?)")
_COUNT = re.compile(
    r"(?<![A-Za-z0-9_.,/-])([0-9]{1,3}(?:,[0-9]{3}){1,2}|[0-9]{1,7}k?)[ -]?(?:"
    r"(?:(?:concurrent|parallel|simultaneous|open|keep-?alive|https?|tcp|websocket|physical|logical) )?"
    rf"({COUNT_NOUNS})\b"
    rf"(?: (?:processes|threads|cores)\b)?|({FOREIGN_COUNT_WORDS})\b"
    r"|(?:(?:个|個)\s?(?:TCP\s?)?|的)?(コア|核心?|코어|线程|並列|并发|连接|进程|スレッド|接続|ワーカー|プロセス|스레드|연결|워커))",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(?<![\w.])[0-9]{1,7}k?\s?(?:-|–|to|\.\.)\s?(?=[0-9])")
_KEY_BLANK_NUMBER = re.compile(
    r"(?<![0-9][ -])(?<![0-9]k[ -])(?<![\w.-])"
    r"(connections|conns|concurrency|parallel|并发|threads|workers|worker_processes|procs|processes|port|порту?|rate|gomaxprocs|gogc)"
    r"[ -]([0-9]{1,3}(?:,[0-9]{3}){1,2}|[0-9]{1,9}k?|off)"
    rf"(?![\w.%]| (?:{COUNT_NOUNS})\b(?! [0-9]))",
    re.IGNORECASE,
)
# As Chinese and Japanese write it without blanks: "并发400", "并发数1000的情况下"; not "8核16线程".
_KEY_DIRECTLY_BEFORE_NUMBER = re.compile(
    r"(?<![0-9个個的单單多])(并发|连接|线程|进程|接続|スレッド|プロセス|ワーカー)(?:数|數)?(?:为|是)?([0-9]{1,9}k?)(?![0-9.%])"
    r"(?:的情况下|的條件下|的条件下|下)?"
)
_LASTING = re.compile(r"(?:持续|持續)(?:时间)?\s?([0-9]{1,6}\s?(?:s|m|h|秒|分钟)?)(?![0-9.%\w])")
_JSON_FIELD = re.compile(r'"([A-Za-z_]\w{0,30})"\s?:\s?(?:"([^"]{0,60})"|(-?[0-9][0-9.eE+-]{0,20}|true|false|null))')
_JSON_FIELDS = re.compile(rf"\{{?\s?{_JSON_FIELD.pattern}(?:,\s?{_JSON_FIELD.pattern}){{0,20}}\s?\}}?")
# Rates that are results: behind a name in a unit that no request for a rate has, "Kiwi: 51k/sec", or about so many.
_MEASURED_RATE = re.compile(
    r":\s*[0-9][0-9.,]{0,12}k?/s(?:ec(?:ond)?)?\Z"
    r"|[~≈]\s?[0-9][0-9.,]{0,12}\s?[km]?\s?(?:(?:req(?:uest)?s?)?/s(?:ec(?:ond)?)?|rps|qps)(?!\w)",
    re.IGNORECASE,
)
# The text before a rate that was asked for: "Kiwi at ~1000 rps", "limit: 100/s". One without a name is no result.
_ASKED_FOR = re.compile(
    r"(?:\A|\b(?:at|to|under|with|load|target|limit|limiter)|@|限流|限速)[\s=]{0,3}\Z", re.IGNORECASE
)
_SIGNS_OF_RESULTS = frozenset(":~≈")
_SINGLE_CORE = re.compile(r"\bsingle[ -](?:core|cpu)\b", re.IGNORECASE)
_QUANTITY = re.compile(
    r"(?<![\w.,/-])([0-9]{1,3}(?:,[0-9]{3}){1,2}|[0-9]{1,9}(?:\.[0-9]{1,3})?k?)[ ]?"
    rf"({QUANTITY_NOUNS})(?![\w/])",
    re.IGNORECASE,
)
_CLAUSE_START = r"(?:\A|(?<=[,;|(\[\0•])|(?<=[^\w\s] )|(?<=\s\s))\s*"
_CLAUSE_END = r"(?=\s*(?:[,;、|()\[\]\0]|\s\s|\Z|\s\w+\s?[:=]|\s[-–—/•@]\s*(?:\0|[0-9]+\s*(?:\Z|[,;|)]))))"
_STATED_WORDS = re.compile(
    rf"{_CLAUSE_START}({TEXT_KEY_WORDS})\s?:\s{{0,3}}([^,;、|()\[\]\0]{{0,60}}?){_CLAUSE_END}", re.IGNORECASE
)
_STATED_UNKNOWN_KEY = re.compile(
    rf"(?<=[,;|\0])\s*([A-Za-z][A-Za-z0-9_]{{1,30}}):\s([^\s,;、|()\[\]\0]{{1,40}}){_CLAUSE_END}"
)
_NAME_VALUE = r"[^\s,;|()\[\]\0=:](?:[^\n,;|()\[\]\0=]{0,58}?[^\s,;|()\[\]\0=:])?(?=\s*(?:\Z|[,;|()\[\]\0])|\s\S+=)"
_CODE_SIGNS = re.compile(r"[{}$\\'\"]|\w\(|[-=]>|::|==")
_COLON_PAIR = re.compile(r"\w\s?:\s")
# Words that announce a name, as scripts print them: "variant=pooled", "image under test: a:v2". Those of the first
# group announce a variant if a name is before them: "kiwi variant=pooled".
_STATED_NAME = re.compile(
    r"(?:\A|(?<=[\s\0,;|(\[]))(?:(variant|build|allocator|library|lib|impl|implementation)|name|target|variants"
    r"|candidate|contender|subject|service|svc|app|application|image|binary|system|case"
    r"|(?:image|system|service) under test)"
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
_WARM_UP_WORD = re.compile(r"(?:warm|heat)[- ]?up", re.IGNORECASE)
# The warm-up is over: "END WARM-UP", "kiwi: warm-up done", not "… before warm-up is over".
_WARM_UP_END = re.compile(
    r"(?:\A|(?<=[(:,;|–—/\[=#*-])|(?<=\0))\s?(?:the )?"
    r"(?:(?:end|finished|done)(?: of| with)?(?: the)? (?:warm|heat)[- ]?up"
    r"|(?:warm|heat)[- ]?up (?:(?:is|has|phase) ){0,2}(?:over|done|finished|completed?|ended|ends?|stopped))"
    r"(?=[\s=*#-]*(?:\Z|[():,;|\].!]))",
    re.IGNORECASE,
)
_WARM_UP_START = re.compile(
    r"\b(?:begin(?:ning)?|start(?:ing)?)(?: of)?(?: the)? (?=(?:warm|heat)[- ]?up\b)", re.IGNORECASE
)
_GO_VERSION = re.compile(rf"(?<=[(,\[])\s*{GO_VERSION}\s*(?=[),\]]|\Z)", re.IGNORECASE)
_ENVIRONMENT = re.compile(r"(.{2,40}?)\s+environment", re.IGNORECASE)
_NOT_ENVIRONMENTS = frozenset(
    """test testing tests benchmark benchmarking hardware software server client runtime the a an our my your this
    system my-test setup set setting build development about""".split()
)
# Keys of the structure of a text, of notes and of addresses, which label no run.
NON_LABEL_KEYS = RESERVED | frozenset(
    """note notes warning error info todo hint tip example usage date time author http https host url path title see
    update fyi nb ps status result results test benchmark process debug log name id""".split()
)
_MAIL_HEADERS = frozenset("re from to subject".split())  # keys before a colon


def read_title(text: str) -> Title:
    """Read a heading or a bare title line; empty if it is longer than 200 characters."""
    return read_title_text(text).title


def read_heading(text: str) -> Title:
    """Read a heading, without the signs at its end."""
    return read_title(without_end_punctuation(text))


def read_title_text(text: str) -> TitleText:
    """Read a title as `read_title` does, with all parts from which labels are made."""
    return _read_text(text) if len(text) <= _LONGEST_WITH_LINKS else _EMPTY


def printed_flags(text: str) -> str:
    """The flags of a title that set no known key, as printed: ``--no-cache``."""
    flags = (match[0].strip() for match in _FLAG.finditer(read_title_text(text).name))
    return " ".join(flag for flag in flags if not _WRK_FLAG.fullmatch(flag))


def starts_with_stated_name(text: str) -> bool:
    """Whether a text starts with a word that announces a name, and the name: ``target: kiwi``."""
    return (":" in text or "=" in text) and _STATED_NAME.match(text) is not None and bool(read_title(text).name)


def without_markup(text: str) -> str:
    """A title without links, emphasis, emoji and attributes."""
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if text.endswith("}"):
        text = _ATTRIBUTES.sub("", text)
    if "\\" in text:
        text = _MARKDOWN_ESCAPE.sub(r"\1", text)
    if "*" in text or "`" in text:
        text = _EMPHASIS.sub(r"\2", text)
    return (text if text.isascii() else _EMOJI.sub("", text)).strip().strip("*_`").strip()


def ends_warm_up(text: str) -> bool:
    """Whether a line says that the warm-up is over: ``== END WARM-UP``."""
    return _WARM_UP_END.search(text) is not None


def is_repeat_or_phase(text: str) -> bool:
    """Whether a title says only which repeat or which phase begins: ``run 2``, ``Warm-up``."""
    if not (find_repeat(text) or _WARM_UP_WORD.search(text)):  # most headings: reading one takes longer
        return False
    read = read_title(text)
    if read.name or read.possible_settings or any(key != "phase" for key, _ in read.settings):
        return False
    return bool(read.repeat or read.settings) or ends_warm_up(text)


def without_decoration(text: str) -> str:
    """A title without the signs and brackets around it: ``==> nginx <==``, ``[nginx]``."""
    if text.startswith("++") and (framed := _PLUS_SIGNS.fullmatch(text)):
        return framed[1]
    for _ in range(4):  # "### [*nginx*] ###" has three
        before = text
        leading = _LEADING.match(text)
        text = _TRAILING.sub("", text[leading.end() :] if leading else text).strip()
        inner = text[1:-1]
        if len(text) > 2 and text[0] + text[-1] in _BRACKET_PAIRS and not {text[0], text[-1]} & set(inner):
            text = inner.strip()
        if text == before:
            break
    return text


def plain_words(text: str) -> list[str]:
    """The words in lower case of a title that contains a name at most; empty if it may contain more."""
    words = text.lower().split() if _PLAIN_WORDS.fullmatch(text) else []
    return words if _SETTING_WORDS.isdisjoint(words) else []


@functools.lru_cache(maxsize=4096)  # a page repeats the headings of its sections
def _read_text(source: str) -> TitleText:
    if is_day(source):
        return _EMPTY
    if len(source) <= _LONGEST and plain_words(source):
        rest = without_end_signs(source)
        name, numbers = extract_name(rest, source)
        return TitleText(Title((), name, "", numbers), (), (), source, name)
    plain = without_markup(_CONTROLS.sub(" ", source))
    if len(plain) > _LONGEST:
        return _EMPTY
    text = _without_json_signs(without_decoration(plain.translate(_FULL_WIDTH_SIGNS).strip()))
    if text[-11:].lower() == "environment" and (called := _stated_environment(text)):
        return TitleText(Title(called), called, (), "", "")
    extractor = SettingExtractor(_PROGRESS_COUNT.sub("", text))
    subject = _take_stated_name(extractor)
    if "up" in text.lower():
        extractor.take_matches(_WARM_UP_END, lambda _: None)
        extractor.take_matches(_WARM_UP_START, lambda _: None)
        extractor.take_matches(_WARM_UP, lambda match: extractor.add_setting(match.start(), "phase", "warm-up"))
    if _MAY_DATE.search(text):
        extractor.take_dates()
    _take_addresses(extractor)
    if "+RTS" in text:
        extractor.take_matches(
            _RTS, lambda match: extractor.add_environment(match.start(), runtime_option_pairs(match[1].split()))
        )
    extractor.take_repeats()
    _take_settings(extractor, decorated=text != plain)
    _take_stated_words(extractor)
    extractor.take_letters()
    settings, words = extractor.agreed_settings(), holes_as_blanks(extractor.text)
    with_flags, numbers = extract_name(remove_holes(extractor.text), text)
    name = with_flags
    if " -" in text or text[:1] == "-":
        _take_flags(extractor)
        name, numbers = extract_name(remove_holes(extractor.text), text)
    name = subject or name
    framework = next((value for key, value in settings if key == "framework"), "")
    repeat = ", ".join(number for _, number in sorted(extractor.repeats))
    title = Title(
        extractor.agreed_settings(all_origins=True),
        name or framework,
        repeat,
        numbers,
        extractor.agreed_possible_settings(),
    )
    environment = tuple((key, value) for _, key, value in extractor.environment)
    return TitleText(title, settings, environment, words, with_flags)


def _without_json_signs(text: str) -> str:
    """The fields of an object of JSON in a line as ``key: value``, without numbers that may be results."""
    if '": ' not in text and '":"' not in text:
        return text
    fields = _JSON_FIELDS.fullmatch(text) and _JSON_FIELD.findall(text)
    if not fields:
        return text
    kept = [(key, said) for key, said, number in fields if not number] + [
        (key, number) for key, _, number in fields if key.lower() in LABEL_KEYS or key.lower() in REPEAT_WORDS
    ]
    return ", ".join(f"{key} {said}" if key.lower() in REPEAT_WORDS else f"{key}: {said}" for key, said in kept if said)


def _take_stated_name(extractor: SettingExtractor) -> str:
    """Take out the name that a word such as *target* announces; empty if there is none, or if it is an address.

    The variant of a name before it is a setting.
    """
    found: list[str] = []

    def subject(match: re.Match[str]) -> bool | None:
        name = match[2].strip("\"'`")
        if found or "://" in name or is_sentence(name) or not any(map(str.isalpha, name)):
            return False
        front = extractor.text[: match.start()].rstrip(" ,;|([")
        if match[1] and extract_name(front, front)[0] and not has_only_common_words(front):
            extractor.add_setting(match.start(), match[1].lower(), name)
        else:
            found.append(name)
        return None

    if ":" in extractor.text or "=" in extractor.text:
        extractor.take_matches(_STATED_NAME, subject)
    return "".join(found)


def _stated_environment(text: str) -> _Settings:
    """The setting ``environment`` of a text that is only that: ``Low latency environment``; empty for others."""
    match = _ENVIRONMENT.fullmatch(text)
    if match is None or not _NOT_ENVIRONMENTS.isdisjoint(match[1].lower().split()) or _has_known_name(match[1]):
        return ()
    return (("environment", match[1]),)


def _has_known_name(text: str) -> bool:
    return any(map(is_known_name, text.split()))


def _take_addresses(extractor: SettingExtractor) -> None:
    """Take out URLs and hosts. Their ports are possible settings, because lines of all kinds contain URLs."""

    def url(match: re.Match[str]) -> None:
        if port := _URL_PORT.search(match[0]):
            extractor.possible_settings.append((match.start(), "port", port[1]))

    def host(match: re.Match[str]) -> bool | None:
        if _FOUR_DIGITS.fullmatch(match[0]):
            return False
        if match[1]:
            extractor.possible_settings.append((match.start(), "port", match[1]))
        return None

    if "://" in extractor.text:
        extractor.take_matches(_URL, url)
    if "localhost" in extractor.text or extractor.text.count(".") > 2:
        extractor.take_matches(_HOST, host)


def _take_flags(extractor: SettingExtractor) -> None:
    """Take out options of wrk and of a server."""

    def flag(match: re.Match[str]) -> bool | None:
        if wrk := _WRK_FLAG.fullmatch(match[0]):
            extractor.add_letter_setting(match.start(), wrk[1], wrk[2])
            return None
        pairs = [(flag_key(name), value) for name, value in split_flags(tuple(match[0].split()))[0]]
        for key, value in pairs:
            if key:
                extractor.add_setting(match.start(), key, value)
        return bool(pairs)

    extractor.take_matches(_FLAG, flag)


def _take_measured_rate(extractor: SettingExtractor, match: re.Match[str]) -> bool | None:
    """Take out a rate that is a result; of one that was asked for, only the sign for about."""
    if not _ASKED_FOR.search(extractor.text[: match.start()]):
        return None
    if match[0][0] != ":":
        extractor.blank_out(match.start(), match.start() + 1)
    return False


def _take_settings(extractor: SettingExtractor, *, decorated: bool) -> None:
    """Take out pairs whose values are numbers, counts, and pairs of unknown keys."""
    if "=" in extractor.text:
        extractor.take_assignments()
    if ":" in extractor.text:
        extractor.take_stated_numbers()
    if not is_sentence(extractor.text):
        extractor.take_matches(
            _KEY_BLANK_NUMBER,
            lambda match: extractor.add_setting(match.start(), LABEL_KEYS[match[1].lower()], match[2].replace(",", "")),
        )
    if not _SIGNS_OF_RESULTS.isdisjoint(extractor.text):
        extractor.take_matches(_MEASURED_RATE, lambda match: _take_measured_rate(extractor, match))
    take_counts(extractor)
    if ":" in extractor.text:
        extractor.take_matches(_PORT, lambda match: extractor.add_setting(match.start(), "port", match[1]))
    extractor.take_matches(_NUMBERED_PORT, lambda match: extractor.add_setting(match.start(), "port", match[1]))
    extractor.take_matches(_GO_VERSION, lambda match: extractor.add_setting(match.start(), "go_version", match[1]))
    pairs = [match for match in extractor.unknown_assignments() if match[1].lower() not in NON_LABEL_KEYS]
    if _CODE_SIGNS.search(extractor.text):
        return
    if decorated or len(pairs) + len(extractor.settings) + len(extractor.possible_settings) > 1:
        for match in pairs:
            extractor.add_setting(match.start(), match[1].lower(), match[2])
            extractor.blank_out(*match.span())


def _is_result(rate: str) -> bool:
    """Whether a rate was measured, not asked for: ``74441.26 requests/sec``, ``38342 req/sec``.

    Rates that people ask for are round: multiples of 5, or of a power of two such as 256.
    """
    if "." in rate:
        return not rate.endswith("k")
    return len(rate) >= _FEWEST_DIGITS_MEASURED and rate.isdecimal() and bool(int(rate) % 5) and bool(int(rate) % 256)


def take_counts(extractor: SettingExtractor) -> None:
    """Take out counts with their nouns; counts with an uncertain meaning become possible settings."""

    def counted(match: re.Match[str]) -> None:
        extractor.add_setting(
            match.start(), LABEL_KEYS[(match[2] or match[3] or match[4]).lower()], match[1].replace(",", "")
        )

    def stated(match: re.Match[str]) -> None:
        extractor.add_setting(match.start(), LABEL_KEYS[match[1].lower()], match[2])

    def few(match: re.Match[str]) -> None:
        key, value = count_setting(match[1].replace(",", ""), match[2])
        if key != "rate" or not _is_result(value):
            extractor.possible_settings.append((match.start(), key, value))

    if not extractor.text.isascii():
        extractor.take_matches(_KEY_DIRECTLY_BEFORE_NUMBER, stated)
        extractor.take_matches(_LASTING, lambda match: extractor.add_setting(match.start(), "duration_s", match[1]))
    if _MAY_COUNT.search(extractor.text):
        extractor.take_matches(_RANGE, lambda match: False if not _COUNT.match(extractor.text, match.end()) else None)
        extractor.take_matches(_COUNT, counted)
        extractor.take_matches(_QUANTITY, few)
    extractor.take_matches(_SINGLE_CORE, lambda match: extractor.add_setting(match.start(), "cores", "1"))


def _take_stated_words(extractor: SettingExtractor) -> None:
    """Take out ``server: X`` and other pairs whose values are words."""

    def stated(match: re.Match[str]) -> bool | None:
        key, value = match[1].lower(), match[2].strip()
        if value and (is_sentence(value) or value.isdigit()):
            return False
        if value:
            extractor.add_setting(match.start(), LABEL_KEYS[key], value)
        return None

    if ":" not in extractor.text:
        return
    colons = len(_COLON_PAIR.findall(holes_as_blanks(extractor.text))) + len(extractor.settings)
    extractor.take_matches(_STATED_WORDS, stated)
    if colons > 1 and not _CODE_SIGNS.search(extractor.text):
        for match in list(_STATED_UNKNOWN_KEY.finditer(extractor.text)):
            key = match[1].lower()
            if key not in NON_LABEL_KEYS | _MAIL_HEADERS and not match[2].isdecimal():  # a number may be a result
                extractor.add_setting(match.start(), key, match[2])
                extractor.blank_out(*match.span())


@functools.lru_cache(maxsize=4096)  # one directory holds many files
def read_path_part(part: str) -> Title:
    """Read the name of a folder, or of a file without its suffixes; empty if it is longer than 200 characters."""
    if len(part) > _LONGEST:
        return Title()
    if len(part) < _DIGITS_OF_DATE and part.isdecimal():  # one of many files: "1.txt", "0042.log"
        return Title(numbers=(part,))
    extractor = SettingExtractor(_CONTROLS.sub(" ", part))
    take_path_settings(extractor)
    name, numbers = name_in_path_part(extractor.text)
    settings = extractor.agreed_settings()
    framework = next((value for key, value in settings if key == "framework"), "")
    repeat = ", ".join(number for _, number in sorted(extractor.repeats))
    return Title(settings, name or framework, repeat, numbers, extractor.agreed_possible_settings())
