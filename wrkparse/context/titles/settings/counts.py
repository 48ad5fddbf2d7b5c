"""Takes numbers out of titles: pairs of a key and a number, counts with their nouns, ports, rates.

Counts with an uncertain meaning (``30s``, ``5000 rps``) become possible settings. A rate that was measured is none.
"""

from __future__ import annotations

import re

from wrkparse.context.titles.name_extraction import is_sentence
from wrkparse.context.titles.settings.setting_extraction import SettingExtractor
from wrkparse.context.titles.vocabulary import (
    COUNT_NOUNS,
    FOREIGN_COUNT_WORDS,
    GO_VERSION,
    LABEL_KEYS,
    QUANTITY_NOUNS,
    count_setting,
)

_FEWEST_DIGITS_MEASURED = 4  # of a rate that is a result, not a load: people ask for round rates, such as 20000
_PORT = re.compile(r"(?:(?<=[A-Za-z_])|(?<=[\s(])|\A):([0-9]{4,5})(?![\w.:])")  # ":8080", "localhost:8080"
# "8084 port"
_NUMBERED_PORT = re.compile(r"(?<![\w.:/-])([0-9]{4,5})[ -]?(?:port|порту?)(?!\w)", re.IGNORECASE)
_MAY_COUNT = re.compile(r"[0-9]k?[ -]?[A-Za-z\u0080-\uffff]")
# "64 conns", "10,000 concurrent connections", "4核"
_COUNT = re.compile(
    r"(?<![A-Za-z0-9_.,/-])([0-9]{1,3}(?:,[0-9]{3}){1,2}|[0-9]{1,7}k?)[ -]?(?:"
    r"(?:(?:concurrent|parallel|simultaneous|open|keep-?alive|https?|tcp|websocket|physical|logical) )?"
    rf"({COUNT_NOUNS})\b"
    rf"(?: (?:processes|threads|cores)\b)?|({FOREIGN_COUNT_WORDS})\b"
    r"|(?:(?:个|個)\s?(?:TCP\s?)?|的)?(コア|核心?|코어|线程|並列|并发|连接|进程|スレッド|接続|ワーカー|プロセス|스레드|연결|워커))",
    re.IGNORECASE,
)
# "1-4 threads" has no single count
_RANGE = re.compile(r"(?<![\w.])[0-9]{1,7}k?\s?(?:-|–|to|\.\.)\s?(?=[0-9])")
_KEY_BLANK_NUMBER = re.compile(
    r"(?<![0-9][ -])(?<![0-9]k[ -])(?<![\w./-])"
    r"(connections|conns|concurrency|parallel|并发|threads|workers|worker_processes|procs|processes|port|порту?|rate|gomaxprocs|gogc)"
    r"[ -]?([0-9]{1,3}(?:,[0-9]{3}){1,2}|[0-9]{1,9}k?|off)"
    rf"(?![\w.%]| (?:{COUNT_NOUNS})\b(?! [0-9]))",
    re.IGNORECASE,
)
# As Chinese and Japanese write it without blanks: "并发400", "并发数1000的情况下"; not "8核16线程".
_KEY_DIRECTLY_BEFORE_NUMBER = re.compile(
    r"(?<![0-9个個的单單多])(并发|连接|线程|进程|接続|スレッド|プロセス|ワーカー)(?:数|數)?(?:为|是)?([0-9]{1,9}k?)(?![0-9.%])"
    r"(?:的情况下|的條件下|的条件下|下)?"
)
# "持续10s"
_LASTING = re.compile(r"(?:持续|持續)(?:时间)?\s?([0-9]{1,6}\s?(?:s|m|h|秒|分钟)?)(?![0-9.%\w])")
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
# "30s", "5000 rps", "2 million requests"
_QUANTITY = re.compile(
    r"(?<![\w.,/-])([0-9]{1,3}(?:,[0-9]{3}){1,2}"
    r"|[0-9]{1,9}(?:\.[0-9]{1,3})?(?:k|(?:m|\smillion|\sthousand)(?=\s(?:rps|qps|req|user|iter)))?)[ ]?"
    rf"({QUANTITY_NOUNS})(?![\w/])(\s(?:per|a|an)\s(?:s|min|hour)\w*)?",
    re.IGNORECASE,
)
# "10 seconds of caching" are not the time that a load took.
_OF_ANOTHER = re.compile(r" (?:of|de|du|di|von) (?!load|test|traffic|warm)", re.IGNORECASE)
# What has a size: "kiwi, 10 KB response".
_PAYLOAD_NOUN = re.compile(
    r"[ -](?:response|request|reply|body|payload|message)(?:e?s|ies)?(?=\s*(?:\Z|[,;:()/|–—]))", re.IGNORECASE
)
# "kiwi (Go 1.21)"
_GO_VERSION = re.compile(rf"(?<=[(,\[])\s*{GO_VERSION}\s*(?=[),\]]|\Z)", re.IGNORECASE)


def take_numbers(extractor: SettingExtractor) -> None:
    """Take out pairs of known keys whose values are numbers, counts with their nouns, and ports."""
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
    _take_counts(extractor)
    if ":" in extractor.text:
        extractor.take_matches(_PORT, lambda match: extractor.add_setting(match.start(), "port", match[1]))
    extractor.take_matches(_NUMBERED_PORT, lambda match: extractor.add_setting(match.start(), "port", match[1]))
    extractor.take_matches(_GO_VERSION, lambda match: extractor.add_setting(match.start(), "go_version", match[1]))


def _take_measured_rate(extractor: SettingExtractor, match: re.Match[str]) -> bool | None:
    """Take out a rate that is a result; of one that was asked for, only the sign for about."""
    if not _ASKED_FOR.search(extractor.text[: match.start()]):
        return None
    if match[0][0] != ":":
        extractor.blank_out(match.start(), match.start() + 1)
    return False


def _is_result(rate: str) -> bool:
    """Whether a rate was measured, not asked for: ``74441.26 requests/sec``, ``38342 req/sec``.

    Rates that people ask for are round: multiples of 5, or of a power of two such as 256.
    """
    if "." in rate:
        return not rate.endswith("k")
    return len(rate) >= _FEWEST_DIGITS_MEASURED and rate.isdecimal() and bool(int(rate) % 5) and bool(int(rate) % 256)


def _short_number(number: str) -> str:
    """A number in one form: ``2 million`` and ``2m`` are 2M, ``1,000`` is 1000."""
    short = re.sub(r"\s?(?:million|m)\Z", "M", number, flags=re.IGNORECASE)
    return re.sub(r"\s?(?:thousand|k)\Z", "k", short, flags=re.IGNORECASE).replace(",", "")


def _take_counts(extractor: SettingExtractor) -> None:
    """Take out counts with their nouns; counts with an uncertain meaning become possible settings."""

    def counted(match: re.Match[str]) -> None:
        extractor.add_setting(
            match.start(), LABEL_KEYS[(match[2] or match[3] or match[4]).lower()], match[1].replace(",", "")
        )

    def stated(match: re.Match[str]) -> None:
        extractor.add_setting(match.start(), LABEL_KEYS[match[1].lower()], match[2])

    def few(match: re.Match[str]) -> bool | None:
        if _OF_ANOTHER.match(extractor.text, match.end()):
            return False
        key, value = count_setting(_short_number(match[1]), match[2])
        is_unclear = match[3] or match[2] == "M"  # "5m requests per second", "10M" of anything
        if not is_unclear and (key != "rate" or not _is_result(value)):
            extractor.possible_settings.append((match.start(), key, value))
            if key == "payload" and (noun := _PAYLOAD_NOUN.match(extractor.text, match.end())):
                extractor.blank_out(match.end(), noun.end())
        return None

    if not extractor.text.isascii():
        extractor.take_matches(_KEY_DIRECTLY_BEFORE_NUMBER, stated)
        extractor.take_matches(_LASTING, lambda match: extractor.add_setting(match.start(), "duration_s", match[1]))
    if _MAY_COUNT.search(extractor.text):
        extractor.take_matches(_RANGE, lambda match: False if not _COUNT.match(extractor.text, match.end()) else None)
        extractor.take_matches(_COUNT, counted)
        extractor.take_matches(_QUANTITY, few)
    extractor.take_matches(_SINGLE_CORE, lambda match: extractor.add_setting(match.start(), "cores", "1"))
