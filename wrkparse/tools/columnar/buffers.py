"""Keeps event lines in one text, without a Python object for each line, and searches such a text."""

from __future__ import annotations

import functools
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

import numpy as np
import numpy.typing as npt

from wrkparse.tools.columnar import compiled

Indices = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

FEWEST_FOR_C = 256  # slices: for fewer, a loop in Python is as fast as the call of a compiled one


class Texts(Sequence[bytes]):
    """A sequence of lines, each made on access."""

    @abstractmethod
    def line(self, index: int) -> bytes:
        """The line at an index."""

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> list[bytes]: ...
    def __getitem__(self, index: int | slice) -> bytes | list[bytes]:
        if isinstance(index, slice):
            return [self.line(place) for place in range(*index.indices(len(self)))]
        return self.line(index)


class Lines(Texts):
    """Lines in one text, each with a line break at its end."""

    def __init__(self, text: bytes, ends: Indices) -> None:
        self.text = text
        self.ends = ends  # the index of the line break of each line

    @classmethod
    def of(cls, lines: Iterable[bytes]) -> Lines:
        """Join lines. A line break inside a line becomes NUL, which no event line contains."""
        lines = list(lines)
        text = b"\n".join([*lines, b""])
        if text.count(b"\n") != len(lines):
            text = b"\n".join([line.replace(b"\n", b"\0") for line in lines] + [b""])
        return cls(text, line_breaks(text))

    @functools.cached_property
    def starts(self) -> Indices:
        """The index at which each line begins."""
        return np.append(0, self.ends[:-1] + 1)

    def select(self, indices: Indices) -> Lines:
        """Some of the lines, in order."""
        if len(indices) == len(self):
            return self
        first = np.flatnonzero(np.diff(indices, prepend=-2) != 1)  # the first of consecutive lines
        last = np.append(first[1:], len(indices)) - 1
        ends = np.cumsum(self.ends[indices] - self.starts[indices] + 1) - 1
        return Lines(join_slices(self.text, self.starts[indices[first]], self.ends[indices[last]] + 1), ends)

    def __len__(self) -> int:
        return len(self.ends)

    def line(self, index: int) -> bytes:
        """The line at an index, without its line break."""
        return self.text[self.starts[index] : self.ends[index]]

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.text.split(b"\n")[: len(self)])


def line_breaks(text: bytes) -> Indices:
    """The indices of the line breaks of a text."""
    characters = np.frombuffer(text, np.uint8)
    return find_bytes(characters, b"\n") if compiled.COMPILED else np.flatnonzero(characters == ord("\n"))


def find_bytes(text: Bytes, what: bytes) -> Indices:
    """The indices of one or two bytes in a text, found by the compiled loop."""
    found = np.empty(len(text) // 64 + 64, np.int64)  # a line has more than 64 characters on average
    count = compiled.where(text, what, found)
    if count > len(found):
        found = np.empty(count, np.int64)
        compiled.where(text, what, found)
    return found[:count]


def join_slices(text: bytes, starts: Indices, stops: Indices) -> bytes:
    """The slices of a text between these indices, joined."""
    if compiled.COMPILED and len(starts) > FEWEST_FOR_C:
        return compiled.cut(text, starts, stops)
    view = memoryview(text)
    return b"".join([view[start:stop] for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)])
