"""Takes pairs of a key and words out of titles: ``server: kiwi``, ``target=kiwi``, fields of JSON."""

from __future__ import annotations

import re

from wrkparse.context.titles.known_names import is_known_name
from wrkparse.context.titles.name_extraction import extract_name, has_only_common_words, holes_as_blanks, is_sentence
from wrkparse.context.titles.settings.setting_extraction import HOLE, REPEAT_WORDS, SettingExtractor
from wrkparse.context.titles.vocabulary import LABEL_KEYS, NON_LABEL_KEYS, RESULT_KEY, TEXT_KEY_WORDS

# '"server": "kiwi"', '"threads": 4'
_JSON_FIELD = re.compile(r'"([A-Za-z_]\w{0,30})"\s?:\s?(?:"([^"]{0,60})"|(-?[0-9][0-9.eE+-]{0,20}|true|false|null))')
_JSON_FIELDS = re.compile(rf"\{{?\s?{_JSON_FIELD.pattern}(?:,\s?{_JSON_FIELD.pattern}){{0,20}}\s?\}}?")
_CLAUSE_START = r"(?:\A|(?<=[,;|(\[\0•])|(?<=[^\w\s] )|(?<=\s\s))\s*"
_CLAUSE_END = r"(?=\s*(?:[,;、|()\[\]\0]|\s\s|\Z|\s\w+\s?[:=]|\s[-–—/•@]\s*(?:\0|[0-9]+\s*(?:\Z|[,;|)]))))"
# "server: kiwi" at the beginning, or after a sign that separates clauses
_STATED_WORDS = re.compile(
    rf"{_CLAUSE_START}({TEXT_KEY_WORDS})\s?:\s{{0,3}}([^,;、|()\[\]\0]{{0,60}}?){_CLAUSE_END}", re.IGNORECASE
)
_STATED_UNKNOWN_KEY = re.compile(
    rf"(?<=[,;|\0])\s*([A-Za-z][A-Za-z0-9_]{{1,30}}):\s([^\s,;、|()\[\]\0]{{1,40}}){_CLAUSE_END}"
)
# "TLS: true" as the whole text
_STATED_SWITCH = re.compile(
    r"([A-Za-z][A-Za-z0-9_ -]{1,30}?)\s?:\s{1,3}(true|false|on|off|yes|no|enabled|disabled)", re.IGNORECASE
)
_NAME_VALUE = r"[^\s,;|()\[\]\0=:](?:[^\n,;|()\[\]\0=]{0,58}?[^\s,;|()\[\]\0=:])?(?=\s*(?:\Z|[,;|()\[\]\0])|\s\S+=)"
_RESULT_KEY = re.compile(RESULT_KEY)
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
_ENVIRONMENT = re.compile(r"(.{2,40}?)\s+environment", re.IGNORECASE)  # "Low latency environment"
_NOT_ENVIRONMENTS = frozenset(
    """test testing tests benchmark benchmarking hardware software server client runtime the a an our my your this
    system my-test setup set setting build development about""".split()
)
_MAIL_HEADERS = frozenset("re from to subject".split())  # keys before a colon


def starts_with_announced_name(text: str) -> bool:
    """Whether a text starts with a word that announces a name: ``target: kiwi``."""
    return (":" in text or "=" in text) and _STATED_NAME.match(text) is not None


def without_json_signs(text: str) -> str:
    """The fields of an object of JSON in a line as ``key: value``, without numbers that may be results."""
    if '": ' not in text and '":"' not in text:
        return text
    fields = _JSON_FIELDS.fullmatch(text) and _JSON_FIELD.findall(text)
    if not fields:
        return text
    pairs = [(key, value) for key, value, number in fields if not number] + [
        (key, number) for key, _, number in fields if key.lower() in LABEL_KEYS or key.lower() in REPEAT_WORDS
    ]
    return ", ".join(f"{key}{' ' if key.lower() in REPEAT_WORDS else ': '}{value}" for key, value in pairs if value)


def take_stated_name(extractor: SettingExtractor) -> str:
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


def stated_switch(text: str) -> str:
    """The value of a text that says only whether something is on: *true* of ``TLS: true``; empty for other texts."""
    switch = _STATED_SWITCH.fullmatch(text)
    return switch[2] if switch else ""


def stated_environment(text: str) -> tuple[tuple[str, str], ...]:
    """The setting ``environment`` of a text that is only that: ``Low latency environment``; empty for others."""
    match = _ENVIRONMENT.fullmatch(text)
    if match is None or not _NOT_ENVIRONMENTS.isdisjoint(match[1].lower().split()) or _has_known_name(match[1]):
        return ()
    return (("environment", match[1]),)


def _has_known_name(text: str) -> bool:
    return any(map(is_known_name, text.split()))


def take_stated_words(extractor: SettingExtractor) -> None:
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
    if switch := _STATED_SWITCH.fullmatch(extractor.text):
        _take_switch(extractor, re.sub("[ -]", "_", switch[1].lower()), switch[2])
        return
    colons = len(_COLON_PAIR.findall(holes_as_blanks(extractor.text))) + len(extractor.settings)
    extractor.take_matches(_STATED_WORDS, stated)
    if colons > 1 and not _CODE_SIGNS.search(extractor.text):
        for match in list(_STATED_UNKNOWN_KEY.finditer(extractor.text)):
            key = match[1].lower()
            # a number may be a result, unless it is in brackets with a setting: "(Threads: 4 | Forks: 2)"
            is_value = not match[2].isdecimal() or (
                _is_in_brackets_with_setting(extractor.text, match.start(1)) and not _RESULT_KEY.fullmatch(key)
            )
            if is_value and key not in NON_LABEL_KEYS | _MAIL_HEADERS:
                extractor.add_setting(match.start(), key, match[2])
                extractor.blank_out(*match.span())


def _take_switch(extractor: SettingExtractor, key: str, value: str) -> None:
    """Take out a text that says only whether something is on: its siblings show whether that is a result."""
    if key not in NON_LABEL_KEYS | _MAIL_HEADERS | LABEL_KEYS.keys():
        extractor.possible_settings.append((0, key, value))
        extractor.blank_out(0, len(extractor.text))


def _is_in_brackets_with_setting(text: str, at: int) -> bool:
    """Whether a place is in brackets from which a setting was taken."""
    opening = text.rfind("(", 0, at)
    return opening >= 0 and ")" not in text[opening:at] and HOLE in text[opening:at]


def take_unknown_keys(extractor: SettingExtractor, *, decorated: bool) -> None:
    """Take out pairs of unknown keys, if the title is decorated or sets something else, too."""
    pairs = [match for match in extractor.unknown_assignments() if match[1].lower() not in NON_LABEL_KEYS]
    if _CODE_SIGNS.search(extractor.text):
        return
    if decorated or len(pairs) + len(extractor.settings) + len(extractor.possible_settings) > 1:
        for match in pairs:
            extractor.add_setting(match.start(), match[1].lower(), match[2])
            extractor.blank_out(*match.span())
