"""The numbers in a text → arrays, without a loop over them.

A number is digits, with one to three decimals where any are allowed. Four characters have so few forms that a table
holds what each of them says: a number is read by looking up its last four characters, and those in front of them where
there are more. What comes out is exactly ``int`` and ``float`` of the text: a whole number below 2⁵³ and a power of ten
are doubles, and their quotient is the double next to the decimal number.
"""

from __future__ import annotations

import functools
import itertools
import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wrkparse.tools.columnar import compiled

DIGITS = b"0123456789."
MARGIN = 4  # characters in front of the text: a number of fewer may begin with it
_INTEGER = re.compile(rb"0*[0-9]{1,18}")
_DECIMAL = re.compile(rb"[0-9]+(?:\.[0-9]{1,3})?")
_LIMIT = 10**18  # no tool prints more; and an int64 holds it
_LONGEST = 16  # characters of a number that is looked up
_SLICE = 1 << 17  # bytes worked on at a time where that takes new memory

# A character as four bits: a digit, a dot, anything else.
_DOT, _OTHER = 10, 15
_CODES = bytes(byte - 48 if byte in DIGITS[:10] else _DOT if byte in DIGITS else _OTHER for byte in range(256))
_POWERS = np.array([1.0, 10.0, 100.0, 1000.0])

Indices = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
Forms = npt.NDArray[np.uint16]
Floats = npt.NDArray[np.float64]


class Longer(NamedTuple):
    """Numbers of more than four characters: as whole numbers, -1 for one that is none, and as doubles, NaN then."""

    integers: Indices
    floats: Floats


def where(text: Bytes, what: bytes) -> Indices:
    """Where one or two bytes stand in a text."""
    if compiled.COMPILED:
        return _where(text, what)
    found = [np.empty(0, np.int64)]
    for first in range(0, len(text), _SLICE):
        piece = text[first : first + _SLICE + len(what) - 1]
        hits = piece[: len(piece) + 1 - len(what)] == what[0]
        if len(what) > 1:
            hits &= piece[1:] == what[1]
        found.append(np.flatnonzero(hits) + first)
    return np.concatenate(found)


def _where(text: Bytes, what: bytes) -> Indices:
    """As `where`, by the compiled loop."""
    found = np.empty(len(text) // 64 + 64, np.int64)
    count = compiled.where(text, what, found)
    if count > len(found):
        found = np.empty(count, np.int64)
        compiled.where(text, what, found)
    return found[:count]


def codes(text: bytes) -> Bytes:
    """A text that ends with a line break, a code for each character, behind a margin."""
    coded = np.empty(MARGIN + len(text), np.uint8)
    coded[:MARGIN] = _OTHER
    coded[MARGIN:] = np.frombuffer(text.translate(_CODES), np.uint8)
    return coded


def places(coded: Bytes) -> Indices:
    """In turns, the place in front of each number and that of its last character."""
    found = [np.empty(0, np.int64)]
    for first in range(0, len(coded), _SLICE):
        numeric = coded[first : first + _SLICE + 1] <= _DOT
        found.append(np.flatnonzero(numeric[1:] != numeric[:-1]) + first)
    return np.concatenate(found)


def pairs(coded: Bytes) -> Bytes:
    """Two codes in a byte: that of each character, and the next one's."""
    found = coded[:-1] * np.uint8(16)
    found |= coded[1:]
    return found


def forms(paired: Bytes, last: Indices) -> Forms:
    """The last four characters of the numbers that end at these places, four bits each."""
    found = paired.take(last - 3).astype(np.uint16)
    found *= np.uint16(256)
    found |= paired.take(last - 1)
    return found


def integers(form: Forms) -> Indices:
    """Numbers of up to four characters by their form; -1 for what is no whole number."""
    return _tables()[1].take(form)


def floats(form: Forms) -> Floats:
    """Numbers of up to four characters by their form; NaN for what is no number."""
    return _tables()[2].take(form)


def longer(paired: Bytes, last: Indices, lengths: Indices, form: Forms) -> Longer:
    """Numbers of more than four characters that end at these places."""
    tails, longest = _tables()[0], int(lengths.max(initial=0))
    tail = tails.take(form)
    sound = (tail >= 0) & (lengths <= _LONGEST)
    decimals = tail & 3
    digits = (tail >> 2).astype(np.int64)
    worth = np.where(decimals > 0, 1000, 10_000)
    going: Indices | slice = slice(None)
    for length in range(4, _LONGEST, 4):
        if length > 4:
            going = np.flatnonzero(lengths > length)
        ahead = tails.take(forms(paired, last[going] - length))
        sound[going] &= (ahead >= 0) & (ahead & 3 == 0)
        digits[going] += (ahead >> 2) * worth[going]
        worth[going] *= 10_000
        if length + 4 >= longest:
            break
    exact = np.where(sound, digits / _POWERS.take(decimals), np.nan)
    return Longer(np.where(sound & (decimals == 0), digits, -1), exact)


def exact(number: bytes, *, decimals: bool) -> float | None:
    """A number of any length, one at a time; None if it is none. Agrees with `read`."""
    if not decimals:
        return int(number) if _INTEGER.fullmatch(number) else None
    sound = _DECIMAL.fullmatch(number) is not None and float(number) < _LIMIT
    return float(number) if sound else None


@functools.cache
def _tables() -> tuple[npt.NDArray[np.int32], Indices, Floats]:
    """By form: four times the number that ends with it, and how many decimals, or -1; whole numbers; doubles.

    The first may begin with a dot where all four characters are its own, for then it goes on in front of them.
    """
    tails = _tails()
    alone = np.where((tails & 3 == 3) | (tails < 0), np.nan, (tails >> 2) / _POWERS.take(tails & 3))
    return tails, np.where(tails & 3 == 0, tails >> 2, -1).astype(np.int64), alone


def _tails() -> npt.NDArray[np.int32]:
    table = np.full(1 << 16, -1, np.int32)
    for length, dot in itertools.product(range(1, 5), range(-1, 4)):
        # a dot stands in front of so many digits, or nowhere
        if dot == 0 or dot >= length or (dot == length - 1 and length < 4):
            continue
        numerals = length - (dot > 0)
        number = np.arange(10**numerals)
        index = np.zeros(len(number), np.int64)
        for place in range(numerals):
            index |= (number // 10**place % 10) << 4 * (place + (place >= dot > 0))
        index |= _DOT << 4 * dot if dot > 0 else 0
        value = number * 4 + max(dot, 0)
        for ahead in range(1 << 4 * (3 - length)) if length < 4 else (None,):
            front = 0 if ahead is None else (ahead << 4 * (length + 1)) | (_OTHER << 4 * length)
            table[index | front] = value
    return table
