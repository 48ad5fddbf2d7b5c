"""Takes URLs, hosts and the options of commands out of titles."""

from __future__ import annotations

import re

from wrkparse.context.titles.settings.setting_extraction import SettingExtractor
from wrkparse.context.titles.vocabulary import LABEL_KEYS, flag_key
from wrkparse.text.shell import split_arguments

_URL = re.compile(r"(?<!=)(?:https?|tcp|unix)://[^\s,;()\[\]]{1,190}", re.IGNORECASE)
_HOST = re.compile(r"(?<![\w.])(?:localhost|[0-9]{1,3}(?:\.[0-9]{1,3}){3})(?::([0-9]{2,5}))?(?:/\S*)?(?![\w.])")
_FOUR_DIGITS = re.compile(r"[0-9](?:\.[0-9]){3}")  # "JRuby 1.6.7.2": a version; addresses of servers have longer parts
_URL_PORT = re.compile(r"://[^/\s]{1,100}:([0-9]{2,5})")
# Not "-XX:+UseZGC" of Java, whose name is after the colon.
_FLAG = re.compile(r"(?:\A|(?<=\s))--?[A-Za-z][\w.-]*(?![\w.:-])(?:=[^\s,;)]+)?(?:\s[0-9][\w.]*(?=[\s,)]|\Z))?")
_SERVER_COUNTS = frozenset({"workers", "processes", "cores", "jobs"})  # which no load generator prints
_JOBS = frozenset({"-j", "--jobs"})  # of make, and of programs that work in parallel
_WRK_FLAG = re.compile(r"-([ctdR])\s?=?([0-9]+[kKsmh]?)")


def take_addresses(extractor: SettingExtractor) -> None:
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


def take_flags(extractor: SettingExtractor) -> None:
    """Take out options of wrk and of a server."""

    def flag(match: re.Match[str]) -> bool | None:
        if wrk := _WRK_FLAG.fullmatch(match[0]):
            extractor.add_letter_setting(match.start(), wrk[1], wrk[2])
            return None
        pairs = [(_key_of_flag(name, value), value) for name, value, _ in split_arguments(tuple(match[0].split()))[0]]
        for key, value in pairs:
            if key:
                extractor.add_setting(match.start(), key, value)
        return bool(pairs)

    extractor.take_matches(_FLAG, flag)


def _key_of_flag(name: str, value: str) -> str:
    """The key of the label of a flag: that of a count of the server, ``--workers=2``, else its own."""
    if name in _JOBS and value.isdecimal():
        return "jobs"
    counted = LABEL_KEYS.get(name.removeprefix("--").removeprefix("num-")) if value.isdecimal() else None
    return counted if counted in _SERVER_COUNTS else flag_key(name)


def flags_without_keys(text: str) -> str:
    """The flags in a text that set no known key, as printed: ``--no-cache``."""
    flags = (match[0].strip() for match in _FLAG.finditer(text))
    return " ".join(flag for flag in flags if not (_WRK_FLAG.fullmatch(flag) or _sets_count(flag)))


def _sets_count(flag: str) -> bool:
    """Whether a flag, as printed, sets a count of the server."""
    name, *value = re.split(r"[=\s]", flag, maxsplit=1)
    return _key_of_flag(name, "".join(value)) in _SERVER_COUNTS
