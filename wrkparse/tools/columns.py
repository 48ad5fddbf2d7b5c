"""Many lines of one shape → columns, without a loop over lines or numbers.

A line's *skeleton* is the line without its digits and dots. Lines with equal skeletons hold the same numbers in the
same order, so one `Shape` says what each number is. One comparison checks the skeletons of a whole block, the lengths
of the gaps between the numbers prove that each stands in its place, and `numbers` looks them up where they stand. The
check is strict: runtimes write a line in dozens of system calls, other output cuts into it, and a loose reader would
take ``0.132026/11/20`` for a number.
"""

from __future__ import annotations

import functools
import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wrkparse.records import Column
from wrkparse.tools import numbers
from wrkparse.tools.numbers import DIGITS, Bools, Bytes, Forms, Indices, Longer, where

BLANKS = b" \t\r"
_NUMBER = re.compile(rb"[0-9.]+")
_FIELD = re.compile(r"\{(\w+)\}")

FEW = 256  # pieces
_SLICE = 128 << 10  # bytes
_MANY_LENGTHS = 64  # of skeletons; what has more is no log of ours

Values = npt.NDArray[Any]  # int64 or float64
Bad = list[tuple[int, str]]


class Shape(NamedTuple):
    """What a line looks like: the text around its numbers, what each of them is, and which may have decimals."""

    gaps: tuple[bytes, ...]  # in front of the first number, between the numbers, after the last
    names: tuple[str, ...]
    decimals: frozenset[str]
    constants: Mapping[str, Any]  # what the words of the line say: its era, whether it was forced

    @property
    def skeleton(self) -> bytes:
        """The line without its numbers."""
        return b"".join(self.gaps)


class Group(NamedTuple):
    """Lines of one shape: where they stood among the lines, and a column (float64 or int64) for each number."""

    indices: Indices
    shape: Shape
    columns: dict[str, Values]


def shape(template: str, decimals: frozenset[str] = frozenset(), **constants: Any) -> Shape:
    """Make a shape of a line that has ``{name}`` for each number: ``gc {gc} @{at_s}s``."""
    parts = _FIELD.split(template)
    gaps = tuple(part.encode() for part in parts[::2])
    return Shape(gaps, tuple(parts[1::2]), decimals, constants)


class Texts(Sequence[bytes]):
    """Lines that are made when they are asked for, one at a time."""

    @abstractmethod
    def line(self, index: int) -> bytes:
        """One of them."""

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> list[bytes]: ...
    def __getitem__(self, index: int | slice) -> bytes | list[bytes]:
        if isinstance(index, slice):
            return [self.line(place) for place in range(*index.indices(len(self)))]
        return self.line(index)


class Lines(Texts):
    """Lines as one text, in which each ends with a line break."""

    def __init__(self, text: bytes, ends: Indices) -> None:
        self.text = text
        self.ends = ends  # where each line's break stands

    @classmethod
    def of(cls, lines: Iterable[bytes]) -> Lines:
        """Join lines; a line break within one is none of them, and makes it unreadable."""
        lines = list(lines)
        text = b"\n".join([*lines, b""])
        if text.count(b"\n") != len(lines):
            text = b"\n".join([line.replace(b"\n", b"\0") for line in lines] + [b""])
        return cls(text, breaks(text))

    @functools.cached_property
    def starts(self) -> Indices:
        """Where each line begins."""
        return np.append(0, self.ends[:-1] + 1)

    def only(self, indices: Indices) -> Lines:
        """Some of the lines, in order."""
        if len(indices) == len(self):
            return self
        first = np.flatnonzero(np.diff(indices, prepend=-2) != 1)  # of lines one after another
        last = np.append(first[1:], len(indices)) - 1
        ends = np.cumsum(self.ends[indices] - self.starts[indices] + 1) - 1
        return Lines(cut(self.text, self.starts[indices[first]], self.ends[indices[last]] + 1), ends)

    def __len__(self) -> int:
        return len(self.ends)

    def line(self, index: int) -> bytes:
        """Without its line break."""
        return self.text[self.starts[index] : self.ends[index]]

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.text.split(b"\n")[: len(self)])


def breaks(text: bytes) -> Indices:
    """Where the line breaks of a text stand."""
    return where(np.frombuffer(text, np.uint8), b"\n")


def cut(text: bytes, starts: Indices, stops: Indices) -> bytes:
    """The pieces of a text between these places."""
    if len(starts) <= FEW:
        view = memoryview(text)
        return b"".join([view[start:stop] for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)])
    # to Arrow, they and what is between them are strings in turns
    edges = np.empty(2 * len(starts), np.int32)
    edges[::2], edges[1::2] = starts, stops
    pieces = pa.Array.from_buffers(pa.binary(), len(edges) - 1, [None, pa.py_buffer(edges), pa.py_buffer(text)])
    chosen = np.arange(0, len(edges), 2)
    kept = pieces.take(pa.Array.from_buffers(pa.int64(), len(chosen), [None, pa.py_buffer(chosen)]))
    found: bytes = kept.buffers()[2].to_pybytes()
    return found


def decode(lines: Sequence[bytes], shape_of: Callable[[bytes], Shape | None]) -> tuple[list[Group], Bad]:
    """Read lines by shape; returns the groups and the lines that fit no shape, with the reason.

    A number is digits, with one to three decimals where its shape allows any; blanks at a line's end don't count.
    """
    joined = lines if isinstance(lines, Lines) else Lines.of(lines)
    if not joined:
        return [], []
    groups: list[Group] = []
    bad: Bad = []
    for skeleton, indices in _by_skeleton(joined).items():
        known = _shape_of(skeleton, shape_of)
        if known is None:
            bad += [(i, "not a line that a known version prints: cut, or other output in it") for i in indices.tolist()]
            continue
        block = _Block(joined.only(indices))
        sound, found = block.read(known, blanks=len(skeleton) - len(known.skeleton))
        groups += [Group(indices[sound], known, found)] if len(sound) else []
        bad += [(int(indices[place]), reason) for place, reason in block.bad]
    return groups, sorted(bad)


def _shape_of(skeleton: bytes, shape_of: Callable[[bytes], Shape | None]) -> Shape | None:
    """The shape of a skeleton that may have blanks behind it; one may be the shape's, in front of a last number."""
    bare = len(skeleton.rstrip(BLANKS))
    for text in dict.fromkeys((skeleton, skeleton[:bare], skeleton[: bare + 1])):
        known = shape_of(text)
        if known is not None and known.skeleton == text:
            return known
    return None


def _by_skeleton(lines: Lines) -> dict[bytes, Indices]:
    """Which lines are of which skeleton."""
    text = lines.text.translate(None, DIGITS)
    first = text[: text.index(b"\n") + 1]
    if _repeats(first, text, len(lines)):
        return {first[:-1]: np.arange(len(lines))}
    skeletons = Lines(text, breaks(text))
    lengths = skeletons.ends - skeletons.starts
    like_first = lengths == len(first) - 1  # most are
    known = [len(first) - 1, *np.unique(lengths[~like_first]).tolist()]
    found: dict[bytes, Indices] = {}
    for length in known if len(known) <= _MANY_LENGTHS else ():
        indices = np.flatnonzero(lengths == length)
        some = skeletons.only(indices)
        head = some.text[: length + 1]
        found |= {head[:-1]: indices} if _repeats(head, some.text, len(some)) else _told_apart(some, indices)
    return found or _told_apart(skeletons, np.arange(len(lines)))


def _repeats(line: bytes, text: bytes, count: int) -> bool:
    return len(text) == count * len(line) and text == line * count


def _told_apart(skeletons: Lines, indices: Indices) -> dict[bytes, Indices]:
    apart: dict[bytes, list[int]] = {}
    for index, skeleton in zip(indices.tolist(), skeletons, strict=True):
        apart.setdefault(skeleton, []).append(index)
    return {skeleton: np.array(where) for skeleton, where in apart.items()}


class _Forms(NamedTuple):
    """The numbers of some lines: a row of forms for each column; which are longer (row, column), and what they are."""

    forms: Forms
    rows: Indices
    columns: Indices
    longer: Longer


class _Block:
    """Lines of one skeleton that are being read, and those of them that are bad."""

    def __init__(self, lines: Lines) -> None:
        self.bad: Bad = []
        self._lines = lines

    def read(self, known: Shape, blanks: int) -> tuple[Indices, dict[str, Values]]:
        """Read lines of a shape, with so many blanks behind it: those that are sound, and their columns."""
        indices = np.arange(len(self._lines))
        found = None if blanks else self._if_all_alike(known)
        if found is None:
            placed, alone = self._placed(known, blanks)
            self.bad += [(i, "a number is missing, or stands where none belongs") for i in indices[~placed].tolist()]
            indices, found = indices[placed], [alone]
        kept, columns = self._columns(found, known, indices)
        return indices[kept], columns

    def _if_all_alike(self, known: Shape) -> list[_Forms] | None:
        """The numbers if all are where they should be: all gaps have their lengths. Some lines at a time."""
        width, lengths = len(known.names), np.array([len(gap) for gap in known.gaps])
        begin = lengths[:-1].copy()
        begin[:1] += lengths[-1] + 1  # the end of the line before, its break, the begin of this one
        found: list[_Forms] = []
        for text, count in self._slices() if width else ():
            coded = numbers.codes(text)
            places = numbers.places(coded)
            if len(places) != 2 * width * count:
                return None
            gaps = places[::2].copy()
            gaps[1:] -= places[1:-1:2]
            gaps[0] += begin[0] - lengths[0] - numbers.MARGIN + 1
            if (gaps.reshape(count, width) != begin).any():
                return None
            found.append(_forms(coded, places.reshape(count, 2 * width)))
        return found or None

    def _slices(self) -> Iterator[tuple[bytes, int]]:
        """The text a few lines at a time, with their number: what is made of them stays in the processor's cache."""
        text, ends = self._lines.text, self._lines.ends
        at = first = 0
        while first < len(ends):
            last = max(first + 1, int(np.searchsorted(ends, at + _SLICE)))
            stop = int(ends[last - 1]) + 1
            yield text[at:stop], last - first
            at, first = stop, last

    def _placed(self, known: Shape, blanks: int) -> tuple[Bools, _Forms]:
        """Which lines have all their numbers in their places; and the numbers of those lines."""
        coded = numbers.codes(self._lines.text)
        places = numbers.places(coded)
        starts, breaks = (at + numbers.MARGIN - 1 for at in (self._lines.starts, self._lines.ends))
        width = 2 * len(known.names)
        first = np.searchsorted(places, starts)
        placed = np.searchsorted(places, breaks, side="right") - first == width
        spans = places[first[placed][:, None] + np.arange(width)]
        edges = np.column_stack([starts[placed], spans, breaks[placed] - blanks])
        sound = (np.diff(edges, axis=1)[:, ::2] == [len(gap) for gap in known.gaps]).all(axis=1)
        placed[placed] = sound
        return placed, _forms(coded, spans[sound])

    def _columns(self, found: list[_Forms], known: Shape, indices: Indices) -> tuple[Bools, dict[str, Values]]:
        """Which of these lines are sound, and their columns."""
        forms = np.concatenate([each.forms for each in found], axis=1)
        fractional = np.array([name in known.decimals for name in known.names], bool)
        whole, parts = np.flatnonzero(~fractional), np.flatnonzero(fractional)
        integers, floats = numbers.integers(forms[whole]), numbers.floats(forms[parts])
        place = np.where(fractional, np.cumsum(fractional), np.cumsum(~fractional)) - 1
        first = 0
        for each in found:
            of_parts = fractional[each.columns]
            for chosen, columns, values in (
                (of_parts, floats, each.longer.floats), (~of_parts, integers, each.longer.integers)
            ):  # fmt: skip
                columns[place[each.columns[chosen]], each.rows[chosen] + first] = values[chosen]
            first += each.forms.shape[1]
        by_name = dict(zip([known.names[i] for i in (*whole, *parts)], (*integers, *floats), strict=True))
        unsure = np.flatnonzero((integers < 0).any(axis=0) | np.isnan(floats).any(axis=0))
        kept = np.ones(len(indices), bool)
        for row in unsure.tolist():
            kept[row] = self._one(int(indices[row]), row, known, by_name)
        return kept, {name: by_name[name] if kept.all() else by_name[name][kept] for name in known.names}

    def _one(self, index: int, row: int, known: Shape, columns: dict[str, Values]) -> bool:
        """Read the numbers of one line into its row; whether all can be read."""
        for name, text in zip(known.names, _NUMBER.findall(self._lines[index]), strict=True):
            value = numbers.exact(text, decimals=name in known.decimals)
            if value is None:
                self.bad.append((index, f"{_shown(text)} is not a number of {name}"))
                return False
            columns[name][row] = value
        return True


def _forms(coded: Bytes, spans: Indices) -> _Forms:
    """The numbers at these places, a row for each line."""
    width = spans.shape[1] // 2
    before, last = spans[:, ::2].ravel(), spans[:, 1::2].ravel()
    paired = numbers.pairs(coded)
    forms = numbers.forms(paired, last)
    lengths = last - before
    long = np.flatnonzero(lengths > numbers.MARGIN)
    read = numbers.longer(paired, last.take(long), lengths.take(long), forms.take(long))
    rows = long // max(width, 1)
    return _Forms(forms.reshape(len(spans), width).T, rows, long - rows * width, read)


def _shown(number: bytes) -> str:
    return repr((number if len(number) <= 40 else number[:37] + b"...").decode())


_TYPES = {
    "string": pa.string(),
    "int": pa.int64(),
    "float": pa.float64(),
    "bool": pa.bool_(),
    "ints": pa.list_(pa.int64()),
}


def schema(columns: Sequence[Column]) -> pa.Schema:
    """The Arrow types of a table of events: ``index`` first, then `columns`."""
    return pa.schema([("index", pa.int64()), *((column.name, _TYPES[column.kind]) for column in columns)])


def table(wanted: pa.Schema, parts: Sequence[tuple[Indices, Mapping[str, Any]]]) -> pa.Table:
    """Put parts together, in the order of their lines.

    A part is the indices of its lines and its columns: an array, or one value for all. What it lacks is null.
    """
    index = np.concatenate([np.empty(0, np.int64), *(indices for indices, _ in parts)])
    order = np.argsort(index) if len(parts) > 1 else None
    index = index if order is None else index[order]
    columns = [pa.array(index)]
    for field in list(wanted)[1:]:
        values = [part.get(field.name) for _, part in parts]
        columns.append(_column(values, [len(indices) for indices, _ in parts], order, field.type))
    return pa.Table.from_arrays(columns, schema=wanted)


def _column(values: Sequence[Any], sizes: Sequence[int], order: Indices | None, kind: pa.DataType) -> pa.Array:
    """A column of parts of these sizes, in this order."""
    if all(value is None for value in values):
        return nulls(kind, sum(sizes))
    if order is None:
        return _array(values[0], kind, sizes[0])
    if all(isinstance(value, np.ndarray) for value in values):
        return pa.array(np.concatenate(values)[order])
    if all(value is values[0] for value in values) and not isinstance(values[0], pa.Array):
        return _array(values[0], kind, sum(sizes))
    pieces = [_array(value, kind, size) for value, size in zip(values, sizes, strict=True)]
    return pa.concat_arrays(pieces).take(pa.array(order))


def _array(value: Any, kind: pa.DataType, length: int) -> pa.Array:
    if isinstance(value, pa.Array):
        return value
    if isinstance(value, np.ndarray):
        return pa.array(value)
    return nulls(kind, length) if value is None else pa.repeat(pa.scalar(value, kind), length)


def nulls(kind: pa.DataType, length: int) -> pa.Array:
    """So many missing values: a part of a longer column, which all that need one share."""
    return _many_nulls(kind, 1 << (length - 1).bit_length() if length else 1)[:length]


@functools.lru_cache(maxsize=64)
def _many_nulls(kind: pa.DataType, length: int) -> pa.Array:
    return pa.nulls(length, kind)
