"""Event lines → columns with `re`: the decoder where the compiled loops are missing, and for the lines that they leave.

Each shape becomes one regular expression. Lines that match it as a whole hold numbers in known places and nowhere else,
so Arrow converts these together. The columns are those of `by_c`, number for number.
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict

import numpy as np
import pyarrow as pa

from wrkparse.tools.columnar.buffers import Bools, Indices, Lines
from wrkparse.tools.columnar.templates import DIGITS, Bad, Group, Shape, ShapeOf, Values, fitting, named

_NUMBER = re.compile(rb"[0-9.]+")
_INTEGER = rb"0*+[0-9]{1,18}|0++"  # an int64 holds 18 digits
_DECIMAL = rb"[0-9]++(?:\.[0-9]{1,3})?"  # no runtime prints more decimals: they are two numbers that ran together
_LIMIT = 10**18  # numbers with decimals are below it, too
_BLANKED = bytes(byte if byte in DIGITS else ord(" ") for byte in range(256))
_LONGEST_SHOWN = 40  # characters of a number in a message


def read(lines: Lines, shape_of: ShapeOf) -> tuple[list[Group], Bad]:
    """Decode lines by shape. Returns the groups, and the lines that fit no shape with the reason."""
    groups: list[Group] = []
    bad: Bad = []
    for skeleton, indices in _by_skeleton(lines).items():
        known = fitting(skeleton, shape_of)
        if known is None:
            bad += [(i, "not a line that a known version prints: cut, or other output in it") for i in indices.tolist()]
            continue
        some = lines.only(indices)
        sound = _matching(some, known)
        if sound.any():
            values = _values(some.only(np.flatnonzero(sound)), known)
            in_range = np.logical_and.reduce([column < _LIMIT for column in values])
            sound[sound] = in_range
            groups.append(Group(indices[sound], named(known, [column[in_range] for column in values]), known.constants))
        bad += [(int(indices[place]), _fault(some[place], known)) for place in np.flatnonzero(~sound).tolist()]
    return groups, bad


def _by_skeleton(lines: Lines) -> dict[bytes, Indices]:
    """The indices of the lines of each skeleton."""
    found: defaultdict[bytes, list[int]] = defaultdict(list)
    for index, skeleton in enumerate(lines.text.translate(None, DIGITS).split(b"\n")[:-1]):
        found[skeleton].append(index)
    return {skeleton: np.array(indices) for skeleton, indices in found.items()}


def _matching(lines: Lines, known: Shape) -> Bools:
    """Which lines are exactly of a shape."""
    pattern = _pattern(known.gaps, tuple(name in known.decimals for name in known.names))
    if pattern.fullmatch(lines.text):
        return np.ones(len(lines), bool)
    return np.array([pattern.fullmatch(line + b"\n") is not None for line in lines])


@functools.lru_cache(maxsize=256)  # shapes in use at a time: lists of each length are a shape
def _pattern(gaps: tuple[bytes, ...], decimals: tuple[bool, ...]) -> re.Pattern[bytes]:
    """The pattern of lines of a shape, blanks and a line break behind each."""
    numbers = (b"(?:%b)" % (_DECIMAL if fractional else _INTEGER) for fractional in decimals)
    pieces = (re.escape(gap) + number for gap, number in zip(gaps[:-1], numbers, strict=True))
    return re.compile(rb"(?:%b%b[ \t\r]*\n)*+" % (b"".join(pieces), re.escape(gaps[-1])))


def _values(lines: Lines, known: Shape) -> list[Values]:
    """A column for each number of lines of a shape."""
    width = len(known.names)
    numbers = pa.array(lines.text.translate(_BLANKED).split(), pa.string())
    columns = (numbers.take(pa.array(np.arange(first, len(numbers), width))) for first in range(width))
    kinds = (pa.float64() if name in known.decimals else pa.int64() for name in known.names)
    return [column.cast(kind).to_numpy().copy() for column, kind in zip(columns, kinds, strict=True)]


def _fault(line: bytes, known: Shape) -> str:
    """Why a line that has the skeleton of a shape can't be read."""
    if tuple(_NUMBER.split(line)[:-1]) != known.gaps[:-1]:
        return "a number is missing, or stands where none belongs"
    for name, number in zip(known.names, _NUMBER.findall(line), strict=True):
        decimals = name in known.decimals
        if not re.fullmatch(_DECIMAL if decimals else _INTEGER, number) or (decimals and float(number) >= _LIMIT):
            return f"{_shown(number)} is not a number of {name}"
    raise AssertionError(line)


def _shown(number: bytes) -> str:
    return repr((number if len(number) <= _LONGEST_SHOWN else number[: _LONGEST_SHOWN - 3] + b"...").decode())
