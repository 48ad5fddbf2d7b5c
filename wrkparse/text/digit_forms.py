"""Maps lines that differ only in their numbers to one form, so results that do not depend on numbers can be cached.

``server 17 done`` and ``server 46 done`` have the form ``server 00 done``. A line that ends in a number, such as
``# setup 17``, is known without it.
"""

from __future__ import annotations

import re

_DIGIT_IN_WORD = re.compile(r"[0-9](?:(?<=[^\s0-9.][0-9])|[^\s0-9.])")
_MOST_DIGITS = 5  # of a number at the end of a line
DIGITS_TO_ZERO = bytes.maketrans(b"123456789", b"000000000")  # for `translate` of bytes, and of text as well


def digit_form(line: str) -> bytes | None:
    """The line with each digit as 0; None if a digit is part of a word, as in ``h2load`` and ``99%``.

    With a 0, it would be another word.
    """
    if _DIGIT_IN_WORD.search(line):
        return None
    # Translating bytes takes a tenth of the time.
    return line.encode("utf-8", "surrogatepass").translate(DIGITS_TO_ZERO)


def without_number(line: str) -> tuple[str, str]:
    """A line without the short number at its end, and the number; both are empty if there is none."""
    rest, _, number = line.rpartition(" ")
    is_short = len(number) <= _MOST_DIGITS and number.isdecimal() and number.isascii()
    return (rest, number) if rest and is_short else ("", "")
