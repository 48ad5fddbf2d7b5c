"""Defines the shapes of event lines: the text between their numbers, and the meaning of each number.

The *skeleton* of a line is the line without its digits and dots. Lines with equal skeletons contain the same numbers in
the same order, so one `Shape` describes all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wrkparse.tools.columnar.buffers import Indices

BLANKS = b" \t\r"
DIGITS = b"0123456789."  # of numbers
_FIELD = re.compile(r"\{(\w+)(\*?)\}")  # "{ms}", and "{ticks*}" in a list

Values = npt.NDArray[Any]  # int64 or float64
BadLines = list[tuple[int, str]]


class Shape(NamedTuple):
    """A shape of a line: the text around its numbers, a name for each, and the numbers that may have decimals."""

    gaps: tuple[bytes, ...]  # before the first number, between the numbers, after the last
    names: tuple[str, ...]
    decimals: frozenset[str]
    lists: frozenset[str]  # names of lists, which may have any number of numbers
    constants: Mapping[str, Any]  # the meaning of the text: the era of the line, whether it was forced

    @property
    def skeleton(self) -> bytes:
        """The line without its numbers."""
        return b"".join(self.gaps)


FindShape = Callable[[bytes], Shape | None]  # of a skeleton


class ShapeGroup(NamedTuple):
    """Lines of one shape: their indices among all lines, and a column (float64 or int64) for each name.

    A column of a list has two dimensions. ``words`` are the constants of the shape, or a column for each.
    """

    indices: Indices
    columns: dict[str, Values]
    words: Mapping[str, Any]


def shape(template: str, decimals: frozenset[str] = frozenset(), **constants: Any) -> Shape:
    """The shape of a line with ``{name}`` for each number, ``{name*}`` in a list: ``read {pages} in {ms} ms``."""
    parts = _FIELD.split(template)
    lists = frozenset(name for name, star in zip(parts[1::3], parts[2::3], strict=True) if star)
    return Shape(tuple(part.encode() for part in parts[::3]), tuple(parts[1::3]), decimals, lists, constants)


def find_shape(skeleton: bytes, shape_of: FindShape) -> Shape | None:
    """The shape of a skeleton. Blanks may follow the shape; it may itself end with one, before a last number."""
    bare = len(skeleton.rstrip(BLANKS))
    for text in dict.fromkeys((skeleton, skeleton[:bare], skeleton[: bare + 1])):
        known = shape_of(text)
        if known is not None and known.skeleton == text:
            return known
    return None


def columns_by_name(known: Shape, values: Sequence[Values]) -> dict[str, Values]:
    """The columns of a shape by name, made of a column for each number; those of a list are joined."""
    found: dict[str, list[Values]] = {}
    for name, value in zip(known.names, values, strict=True):
        found.setdefault(name, []).append(value)
    return {name: np.stack(some, axis=1) if name in known.lists else some[0] for name, some in found.items()}
