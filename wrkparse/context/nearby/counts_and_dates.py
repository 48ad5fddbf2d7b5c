"""Compares lines without the words that count or date.

Numbers, dates, random values and people differ between repeats, so they distinguish nothing. Versions do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from wrkparse.context.titles.known_names import is_known_name
from wrkparse.context.titles.vocabulary import DURATION_NOUNS, TIME_WORDS

SIGN_WORDS = "=:,;|\"'(){}<>[]"  # each is a word by itself
_ESCAPED_SIGNS = re.escape(SIGN_WORDS)
WORD_OR_SIGN = re.compile(
    rf"[a-z]{{2,9}}://[^\s,;|\"'(){{}}<>]+|[^\s{_ESCAPED_SIGNS}]+|[{_ESCAPED_SIGNS}]", re.IGNORECASE
)
# Numbers, dates, random values and people differ between repeats, so they distinguish nothing. Addresses have labels of
# their own.
_TWO_NUMBERS = re.compile(r"[0-9]{1,2}\.[0-9]{1,2}")
_COUNT_OR_DATE = re.compile(
    r"@\w[\w-]{0,39}|[\W_]*(?:[0-9][0-9.,:/+-]*[A-Za-zµ%]{0,3}|[0-9a-f]{12,64}|[0-9a-f-]{32,36}|0x[0-9a-f]+"
    rf"|[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T\S*|[a-z]{{2,9}}://\S+|{TIME_WORDS}|{DURATION_NOUNS})[\W_]*",
    re.IGNORECASE,
)
_UNIT = re.compile(r"[mnuµ]?s|secs?|mins?|[KMGT]?i?B(?:/s)?|%", re.IGNORECASE)  # after a number and a blank
# A version, which distinguishes runs. It has three numbers, so it is not an address, a date or a decimal.
_VERSION = re.compile(r"v?[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}(?:-[a-z0-9][a-z0-9.]{0,20})?[:：]?")
_VERSION_AS_TITLE = re.compile(r"v?[0-9]{1,3}\.[0-9]{1,3}\s?[:：]")
_MOST_WORDS_WITH_VERSION = 3  # "with", "5.1", ":"
_WITH = frozenset(["", "with", "on", "using"])
_LONG_NUMBER = re.compile(r"[0-9]{5}")
_DATE_OF_BUILD = re.compile(r"[-_.](?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])[0-3][0-9]\Z")  # at the end of "kiwi-20240216"


def is_equal_without_counts(one: str, other: str) -> bool:
    """Whether two lines are equal without the words that count or date."""
    words, others = (mask_counts(WORD_OR_SIGN.findall(line.casefold())) for line in (one, other))
    return words == others


def mask_counts(words: Iterable[str]) -> list[str]:
    """The words of a line, with an empty text for each that counts or dates.

    The word after a known name is a version, Go 1.22, and so is the only number of a title: ``with 5.1:``.
    """
    found: list[str] = []
    before = ""
    printed_words = list(words)
    is_title = len(printed_words) <= _MOST_WORDS_WITH_VERSION and printed_words[-1:] in ([":"], ["："])
    for printed in printed_words:
        word = _DATE_OF_BUILD.sub("", printed)
        is_version = _VERSION.fullmatch(word) or (
            _TWO_NUMBERS.fullmatch(word) and (is_known_name(before) or (is_title and before in _WITH))
        )
        is_unit = before[-1:].isdecimal() and _UNIT.fullmatch(word)
        found.append(word if is_version or not (is_unit or _is_count_or_date(word)) else "")
        before = word
    return found


def _is_count_or_date(word: str) -> bool:
    """Whether a word is a count, a date, a duration, an address or a number drawn at random."""
    return bool(_COUNT_OR_DATE.fullmatch(word) or _LONG_NUMBER.search(word))


def is_version(line: str) -> bool:
    """Whether a line is only the number of a version: ``5.9.1``, ``5.9:``."""
    return (_VERSION.fullmatch(line.strip("* ")) or _VERSION_AS_TITLE.fullmatch(line.strip("* "))) is not None
