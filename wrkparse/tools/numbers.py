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

DIGITS = b"0123456789."
_INTEGER = re.compile(rb"0*[0-9]{1,18}")
_DECIMAL = re.compile(rb"[0-9]+(?:\.[0-9]{1,3})?")
_LIMIT = 10**18  # no tool prints more; and an int64 holds it
_LONGEST = 16  # characters of a number that is looked up

# A character as four bits: a digit, a dot, anything else.
_DOT, _OTHER = 10, 15
_CODES = bytes(byte - 48 if byte in DIGITS[:10] else _DOT if byte in DIGITS else _OTHER for byte in range(256))
POWERS = np.array([1.0, 10.0, 100.0, 1000.0])

Indices = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]


class Values(NamedTuple):
    """What numbers say: their digits without the dot, how many of these are decimals, and which can't be looked up."""

    digits: Indices
    decimals: npt.NDArray[np.int32]
    doubtful: Indices


def codes(text: bytes) -> Bytes:
    """A text that ends with a line break, a code for each character."""
    return np.frombuffer(text.translate(_CODES), np.uint8)


def places(coded: Bytes) -> Indices:
    """Where numbers begin and end, in turns."""
    numeric = coded <= _DOT
    edges: Indices = np.flatnonzero(numeric[1:] != numeric[:-1])
    edges += 1
    return np.append(0, edges) if len(numeric) and numeric[0] else edges


def read(coded: Bytes, begins: Indices, ends: Indices) -> Values:
    """Look up the numbers between these places."""
    lengths = ends - begins
    found = _four(coded, ends - 4)
    doubtful = [np.flatnonzero(found < 0)] if len(found) and found.min() < 0 else []
    decimals = found & 3
    digits = (found >> 2).astype(np.int64)
    longer = np.flatnonzero(lengths > 4)
    # three decimals and their dot are four characters: nothing is in front of the dot
    bare = np.count_nonzero(decimals == 3) - np.count_nonzero(decimals[longer] == 3)
    doubtful += [np.flatnonzero((decimals == 3) & (lengths <= 4))] if bare else []
    worth = np.where(decimals[longer] > 0, 1000, 10_000)
    for length in range(4, _LONGEST, 4):
        if not len(longer):
            break
        ahead = _four(coded, ends[longer] - (length + 4))
        wrong = (ahead < 0) | ((ahead & 3) > 0)
        doubtful += [longer[wrong]] if wrong.any() else []
        digits[longer] += (ahead >> 2) * worth
        kept = lengths[longer] > length + 4
        longer, worth = longer[kept], worth[kept] * 10_000
    return Values(digits, decimals, np.unique(np.concatenate([longer, *doubtful])))


def exact(number: bytes, *, decimals: bool) -> float | None:
    """A number of any length, one at a time; None if it is none. Agrees with `read`."""
    if not decimals:
        return int(number) if _INTEGER.fullmatch(number) else None
    sound = _DECIMAL.fullmatch(number) is not None and float(number) < _LIMIT
    return float(number) if sound else None


def _four(coded: Bytes, at: Indices) -> npt.NDArray[np.int32]:
    """What the four characters from each of these places on end with, see `_table`."""
    pairs = np.empty((len(at), 2), np.uint8)
    for place, column in ((2, 0), (0, 1)):
        first = coded.take(at + place, mode="wrap")  # in front of the text there is as little as behind its last line
        first <<= 4
        np.bitwise_or(first, coded.take(at + (place + 1), mode="wrap"), out=pairs[:, column])
    found: npt.NDArray[np.int32] = _table().take(pairs.view("<u2").ravel())
    return found


@functools.cache
def _table() -> npt.NDArray[np.int32]:
    """By the codes of four characters: the number that ends there, times four, and how many decimals it has; or -1.

    It may begin with the dot where all four are its own, for then it may go on in front of them.
    """
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
