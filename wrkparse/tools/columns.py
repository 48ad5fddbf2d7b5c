"""Many lines of one shape → columns, without a loop over lines or numbers.

A line's *skeleton* is the line without its digits and dots. Lines with equal skeletons hold the same numbers in the
same order, so one `Shape` says what each number is. One comparison checks the skeletons of a whole block, the lengths
of the gaps between the numbers prove that each stands in its place, and Arrow reads the numbers where they stand. The
check is strict: runtimes write a line in dozens of system calls, other output cuts into it, and a loose reader would
take ``0.132026/11/20`` for a number.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wrkparse.records import Column

DIGITS = b"0123456789."
BLANKS = b" \t\r"
_NUMBER = re.compile(rb"[0-9.]+")
_INTEGER = re.compile(rb"0*[0-9]{1,18}")
_DECIMAL = re.compile(rb"[0-9]+(?:\.[0-9]{1,3})?")
_FIELD = re.compile(r"\{(\w+)\}")
_LIMIT = 10**18  # no tool prints more; and an int64 holds it

# Bytes are worked on so many at a time: new memory costs more than the work, so what it needs should stay in the cache.
_SLICE = 1 << 18

Indices = npt.NDArray[np.int64]
Spans = npt.NDArray[np.int32]  # where numbers begin and end in a text, in turns
Bools = npt.NDArray[np.bool_]
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
    columns: dict[str, pa.Array]


def shape(template: str, decimals: frozenset[str] = frozenset(), **constants: Any) -> Shape:
    """Make a shape of a line that has ``{name}`` for each number: ``gc {gc} @{at_s}s``."""
    parts = _FIELD.split(template)
    gaps = tuple(part.encode() for part in parts[::2])
    return Shape(gaps, tuple(parts[1::2]), decimals, constants)


class Lines(Sequence[bytes]):
    """Lines as one text, in which each ends with a line break."""

    def __init__(self, text: bytes, count: int) -> None:
        self.text = text
        self._count = count

    @classmethod
    def of(cls, lines: Iterable[bytes]) -> Lines:
        """Join lines; a line break within one is none of them, and makes it unreadable."""
        lines = list(lines)
        text = b"\n".join([*lines, b""])
        if text.count(b"\n") != len(lines):
            text = b"\n".join([line.replace(b"\n", b"\0") for line in lines] + [b""])
        return cls(text, len(lines))

    @functools.cached_property
    def ends(self) -> Indices:
        """Where each line's break stands."""
        return np.flatnonzero(np.frombuffer(self.text, np.uint8) == ord("\n"))

    @functools.cached_property
    def starts(self) -> Indices:
        """Where each line begins."""
        return np.append(0, self.ends[:-1] + 1)

    def only(self, indices: Indices) -> Lines:
        """Some of the lines, in order."""
        if len(indices) == self._count:
            return self
        first = np.flatnonzero(np.diff(indices, prepend=-2) != 1)  # of lines one after another
        last = np.append(first[1:], len(indices)) - 1
        starts, stops = self.starts[indices[first]], self.ends[indices[last]] + 1
        text = b"".join([self.text[a:b] for a, b in zip(starts.tolist(), stops.tolist(), strict=True)])
        return Lines(text, len(indices))

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> list[bytes]: ...
    def __getitem__(self, index: int | slice) -> bytes | list[bytes]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._count))]
        return self.text[self.starts[index] : self.ends[index]]

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.text.split(b"\n")[: self._count])


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
    first = text[: text.index(b"\n")]
    if text == (first + b"\n") * len(lines):
        return {first: np.arange(len(lines))}
    skeletons = text.split(b"\n")[:-1]
    others: dict[bytes, list[int]] = {}
    for index in [index for index, skeleton in enumerate(skeletons) if skeleton != first]:  # most lines are alike
        others.setdefault(skeletons[index], []).append(index)
    alike = np.ones(len(lines), bool)
    alike[[index for indices in others.values() for index in indices]] = False
    return {first: np.flatnonzero(alike)} | {skeleton: np.array(indices) for skeleton, indices in others.items()}


class _Block:
    """Lines of one skeleton that are being read: where their numbers are, and those lines that are bad."""

    def __init__(self, lines: Lines) -> None:
        self.bad: Bad = []
        self._lines = lines
        self._numbers, unsound = _scan(lines.text)
        self._doubtful = np.unique(np.searchsorted(lines.ends, unsound)) if len(unsound) else unsound

    def read(self, known: Shape, blanks: int) -> tuple[Indices, dict[str, pa.Array]]:
        """Read lines of a shape, with so many blanks behind it: those that are sound, and their columns."""
        indices = np.arange(len(self._lines))
        spans = None if blanks else self._if_all_alike(known)
        if spans is None:
            placed, spans = self._placed(known, blanks)
            self.bad += [(i, "a number is missing, or stands where none belongs") for i in indices[~placed].tolist()]
            indices = indices[placed]
        indices, spans = self._without_bad(indices, spans, known, np.isin(indices, self._doubtful))
        columns = _columns(self._lines.text, spans, known)
        if columns is None:
            indices, spans = self._without_bad(indices, spans, known, np.ones(len(indices), bool))
            columns = _columns(self._lines.text, spans, known)
        return (indices, columns) if columns is not None else (indices[:0], {})

    def _if_all_alike(self, known: Shape) -> Spans | None:
        """The numbers, a row for each line, if all are where they should be: all gaps have their lengths."""
        count, width = len(self._lines), len(known.names)
        if not width or len(self._numbers) != 2 * width * count:
            return None
        found = np.diff(self._numbers, prepend=np.int32(0))[::2].reshape(count, width)
        lengths = np.array([len(gap) for gap in known.gaps], np.int32)
        begin = lengths[:-1].copy()
        if (found[0] != begin).any():
            return None
        begin[0] += lengths[-1] + 1  # the end of the line before, its break, the begin of this one
        return self._numbers.reshape(count, 2 * width) if (found[1:] == begin).all() else None

    def _placed(self, known: Shape, blanks: int) -> tuple[Bools, Spans]:
        """Which lines have all their numbers in their places; and these, a row for each of those lines."""
        starts, breaks = self._lines.starts, self._lines.ends
        width = 2 * len(known.names)
        first = np.searchsorted(self._numbers, starts)
        placed = np.searchsorted(self._numbers, breaks, side="right") - first == width
        spans = self._numbers[first[placed][:, None] + np.arange(width)]
        edges = np.column_stack([starts[placed], spans, breaks[placed] - blanks])
        sound = (np.diff(edges, axis=1)[:, ::2] == [len(gap) for gap in known.gaps]).all(axis=1)
        placed[placed] = sound
        return placed, np.ascontiguousarray(spans[sound])

    def _without_bad(self, indices: Indices, spans: Spans, known: Shape, suspects: Bools) -> tuple[Indices, Spans]:
        """The lines without those suspects that have a number which can't be read."""
        if not suspects.any():
            return indices, spans
        kept = np.ones(len(indices), bool)
        for place in np.flatnonzero(suspects):
            if problem := _problem(self._lines[int(indices[place])], known):
                self.bad.append((int(indices[place]), problem))
                kept[place] = False
        return indices[kept], spans[kept]


def _scan(text: bytes) -> tuple[Spans, Indices]:
    """Where numbers begin and end in a text that ends with a line break, in turns; and where a dot is unsound in one.

    That is without a digit in front, without one behind, or with more than three behind.
    """
    plain = np.frombuffer(text, np.uint8)
    edges = [np.zeros(int(text[0] in DIGITS), np.int32)]
    unsound = [np.zeros(int(text.startswith(b".")), np.int64)]
    for first in range(0, len(plain), _SLICE):
        piece = plain[first : first + _SLICE + 6]  # with what stands behind its last dot
        digit, dot = piece - np.uint8(ord("0")) < 10, piece == ord(".")
        numeric = digit | dot
        edges.append((np.flatnonzero((numeric[1:] != numeric[:-1])[:_SLICE]) + (first + 1)).astype(np.int32))
        two = digit[:-1] & digit[1:]
        wrong = dot[1:] > digit[:-1]
        wrong[:-1] |= dot[1:-1] > digit[2:]
        wrong[:-4] |= dot[1:-4] & two[2:-2] & two[4:]
        unsound.append(np.flatnonzero(wrong[:_SLICE]) + (first + 1))
    return np.concatenate(edges), np.concatenate(unsound)


def _problem(line: bytes, expected: Shape) -> str | None:
    """Which number of a line of the shape's form can't be read; None if all can. Agrees with `_columns`."""
    for name, number in zip(expected.names, _NUMBER.findall(line), strict=True):
        if name in expected.decimals:
            sound = _DECIMAL.fullmatch(number) is not None and float(number) < _LIMIT
        else:
            sound = _INTEGER.fullmatch(number) is not None
        if not sound:
            return f"{_shown(number)} is not a number of {name}"
    return None


def _shown(number: bytes) -> str:
    return repr((number if len(number) <= 40 else number[:37] + b"...").decode())


def _columns(text: bytes, spans: Spans, known: Shape) -> dict[str, pa.Array] | None:
    """Read the numbers at these places, a row for each line; None if one can't be read."""
    found: dict[str, pa.Array] = {}
    for decimals, kind in ((False, pa.int64()), (True, pa.float64())):
        wanted = tuple((name in known.decimals) is decimals for name in known.names)
        values = _cast(text, spans, wanted, kind) if any(wanted) and len(spans) else np.empty(0, kind.to_pandas_dtype())
        if values is None:
            return None
        for place in np.flatnonzero(wanted):
            column = values[2 * place :: spans.shape[1]].copy()
            if len(column) and column.max() >= _LIMIT:
                return None
            found[known.names[place]] = pa.Array.from_buffers(kind, len(column), [None, pa.py_buffer(column)])
    return {name: found[name] for name in known.names}


def _cast(text: bytes, spans: Spans, wanted: tuple[bool, ...], kind: pa.DataType) -> npt.NDArray[Any] | None:
    """The wanted numbers of each line, with room for the others and for the gaps; None if one can't be read.

    To Arrow, the numbers and the gaps between them are strings in turns, and those that are not wanted are missing.
    """
    texts = pa.Array.from_buffers(
        pa.string(),
        spans.size - 1,
        [pa.py_buffer(_validity(wanted, len(spans))), pa.py_buffer(spans), pa.py_buffer(text)],
        spans.size - 1 - sum(wanted) * len(spans),
    )
    try:
        values = pc.cast(texts, kind)
    except pa.ArrowInvalid:
        return None
    return np.frombuffer(values.buffers()[1], kind.to_pandas_dtype(), len(values))


@functools.lru_cache(maxsize=16)
def _validity(wanted: tuple[bool, ...], count: int) -> bytes:
    row = np.zeros(2 * len(wanted), bool)
    row[::2] = wanted
    return np.packbits(np.tile(row, count), bitorder="little").tobytes()


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
    sizes = [len(indices) for indices, _ in parts]
    index = np.concatenate([np.empty(0, np.int64), *(indices for indices, _ in parts)])
    order = pa.array(np.argsort(index)) if len(parts) > 1 else None
    columns = [pa.array(np.sort(index) if order else index)]
    for field in list(wanted)[1:]:
        values = [part.get(field.name) for _, part in parts]
        if any(value is not None for value in values):
            pieces = [_array(value, field.type, size) for value, size in zip(values, sizes, strict=True)]
            columns.append(pa.concat_arrays(pieces).take(order) if order else pieces[0])
        else:
            columns.append(_nulls(field.type, len(index)))
    return pa.Table.from_arrays(columns, schema=wanted)


def _array(value: Any, kind: pa.DataType, length: int) -> pa.Array:
    if isinstance(value, pa.Array):
        return value
    return _nulls(kind, length) if value is None else pa.repeat(pa.scalar(value, kind), length)


def _nulls(kind: pa.DataType, length: int) -> pa.Array:
    """So many missing values: a part of a longer column, which all that need one share."""
    return _many_nulls(kind, 1 << (length - 1).bit_length() if length else 1)[:length]


@functools.lru_cache(maxsize=64)
def _many_nulls(kind: pa.DataType, length: int) -> pa.Array:
    return pa.nulls(length, kind)
