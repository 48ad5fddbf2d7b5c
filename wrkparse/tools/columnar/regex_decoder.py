"""Decodes event lines into columns with `re`, if there are no compiled loops, and for the lines that they leave.

Each shape becomes one regular expression. Lines that match it as a whole have numbers only in known places, so Arrow
converts these together. The columns equal those of `compiled_decoder`.
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict

import numpy as np
import pyarrow as pa

from wrkparse.tools.columnar.buffers import Bools, Indices, Lines
from wrkparse.tools.columnar.shapes import (
    DIGITS,
    BadLines,
    FindShape,
    Shape,
    ShapeGroup,
    Values,
    columns_by_name,
    find_shape,
)

_NUMBER = re.compile(rb"[0-9.]+")
_INTEGER = rb"0*+[0-9]{1,18}|0++"  # an int64 holds 18 digits
_DECIMAL = rb"[0-9]++(?:\.[0-9]{1,3})?"  # no runtime prints more decimals: they are two numbers that ran together
_LIMIT = 10**18  # numbers with decimals are below it, too
_NUMBERS_ONLY = bytes(byte if byte in DIGITS else ord(" ") for byte in range(256))
_LONGEST_SHOWN = 40  # characters of a number in a message


def decode_lines(lines: Lines, shape_of: FindShape) -> tuple[list[ShapeGroup], BadLines]:
    """Decode lines by shape. Returns the groups, and the lines that fit no shape, with the reason."""
    groups: list[ShapeGroup] = []
    bad: BadLines = []
    for skeleton, indices in _by_skeleton(lines).items():
        known = find_shape(skeleton, shape_of)
        if known is None:
            bad += [(i, "not a line that a known version prints: cut, or other output in it") for i in indices.tolist()]
            continue
        some = lines.select(indices)
        sound = _matching_lines(some, known)
        if sound.any():
            values = _number_columns(some.select(np.flatnonzero(sound)), known)
            in_range = np.logical_and.reduce([column < _LIMIT for column in values])
            # of the lines that match, those without a number that is too large
            sound[sound] = in_range
            groups.append(
                ShapeGroup(
                    indices[sound], columns_by_name(known, [column[in_range] for column in values]), known.constants
                )
            )
        bad += [(int(indices[place]), _reason(some[place], known)) for place in np.flatnonzero(~sound).tolist()]
    return groups, bad


def _by_skeleton(lines: Lines) -> dict[bytes, Indices]:
    """The indices of the lines of each skeleton."""
    found: defaultdict[bytes, list[int]] = defaultdict(list)
    for index, skeleton in enumerate(lines.text.translate(None, DIGITS).split(b"\n")[:-1]):
        found[skeleton].append(index)
    return {skeleton: np.array(indices) for skeleton, indices in found.items()}


def _matching_lines(lines: Lines, known: Shape) -> Bools:
    """Whether each line is exactly of a shape."""
    pattern = _shape_pattern(known.gaps, tuple(name in known.decimals for name in known.names))
    if pattern.fullmatch(lines.text):
        return np.ones(len(lines), bool)
    return np.array([pattern.fullmatch(line + b"\n") is not None for line in lines])


@functools.lru_cache(maxsize=256)  # shapes in use at a time: lists of each length are a shape
def _shape_pattern(gaps: tuple[bytes, ...], decimals: tuple[bool, ...]) -> re.Pattern[bytes]:
    """The pattern of lines of a shape, with blanks and a line break after each."""
    numbers = (b"(?:%b)" % (_DECIMAL if fractional else _INTEGER) for fractional in decimals)
    pieces = (re.escape(gap) + number for gap, number in zip(gaps[:-1], numbers, strict=True))
    return re.compile(rb"(?:%b%b[ \t\r]*\n)*+" % (b"".join(pieces), re.escape(gaps[-1])))


def _number_columns(lines: Lines, known: Shape) -> list[Values]:
    """A column for each number of lines of a shape."""
    width = len(known.names)
    numbers = pa.array(lines.text.translate(_NUMBERS_ONLY).split(), pa.string())
    columns = (numbers.take(pa.array(np.arange(first, len(numbers), width))) for first in range(width))
    kinds = (pa.float64() if name in known.decimals else pa.int64() for name in known.names)
    return [column.cast(kind).to_numpy().copy() for column, kind in zip(columns, kinds, strict=True)]


def _reason(line: bytes, known: Shape) -> str:
    """The reason why a line with the skeleton of a shape can't be read."""
    if tuple(_NUMBER.split(line)[:-1]) != known.gaps[:-1]:
        return "a number is missing, or is in the wrong place"
    for name, number in zip(known.names, _NUMBER.findall(line), strict=True):
        decimals = name in known.decimals
        if not re.fullmatch(_DECIMAL if decimals else _INTEGER, number) or (decimals and float(number) >= _LIMIT):
            return f"{_shorten(number)} is not a number of {name}"
    raise AssertionError(line)


def _shorten(number: bytes) -> str:
    """A number as text for a message."""
    return repr((number if len(number) <= _LONGEST_SHOWN else number[: _LONGEST_SHOWN - 3] + b"...").decode())
