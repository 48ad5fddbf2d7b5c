"""Many lines of one shape → columns, at the speed of a CSV reader.

A line's *skeleton* is the line without its digits and dots. Lines with equal skeletons hold the same numbers in the
same order, so one `Shape` says what each number is, and the lines of a block are checked by one comparison, cut by one
`bytes.translate` and read by pyarrow's CSV reader. The check is strict: runtimes write a line in dozens of system
calls, other output cuts into it, and a loose reader would take ``0.132026/11/20`` for a number.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyarrow import csv

from wrkparse.records import Column

DIGITS = b"0123456789."
BLANKS = b" \t\r"
_NUMBER = re.compile(rb"[0-9.]+")
_INTEGER = re.compile(rb"0*[0-9]{1,18}")
_DECIMAL = re.compile(rb"[0-9]+(?:\.[0-9]{1,3})?")
_FIELD = re.compile(r"\{(\w+)\}")
_LIMIT = 10**18  # no tool prints more; and an int64 holds it

# A byte after a digit is told from the same byte after anything else by its highest bit.
_MARK_BIT = 7
_MARK = 1 << _MARK_BIT
_ALL_DIGITS = DIGITS + bytes(byte | _MARK for byte in DIGITS)
_UNMARKED = bytes(byte & ~_MARK for byte in range(256))
_MARKED_BREAK = bytes([ord("\n") | _MARK])
_NUMBER_AT_END = bytes([_MARK])  # in place of a line break's mark, so that lines can be split

# Lines are worked on so many at a time: new memory costs more than the work, so what it needs should stay in the cache.
_SLICE = 2048

Indices = npt.NDArray[np.int64]
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


def decode(lines: Sequence[bytes], shape_of: Callable[[bytes], Shape | None]) -> tuple[list[Group], Bad]:
    """Read lines by shape; returns the groups and the lines that fit no shape, with the reason.

    A number is digits, with one to three decimals where its shape allows any; blanks at a line's end don't count.
    """
    found = _by_form(lines)
    if any(form.translate(_UNMARKED)[-1:] in BLANKS for form in found):
        lines = [line.rstrip(BLANKS) for line in lines]
        found = _by_form(lines)
    groups: list[Group] = []
    bad: Bad = []
    for form, indices in found.items():
        expected = shape_of(form.translate(_UNMARKED, _NUMBER_AT_END))
        if expected is None:
            bad += [(int(i), "not a line that a known version prints: cut, or other output in it") for i in indices]
        elif form != _form_of(expected.gaps):
            bad += [(int(i), "a number is missing, or stands where none belongs") for i in indices]
        else:
            _read_group(lines if len(found) == 1 else [lines[i] for i in indices], indices, expected, groups, bad)
    return groups, sorted(bad)


def _by_form(lines: Sequence[bytes]) -> dict[bytes, Indices]:
    """Which lines are of which form: a skeleton in which the byte after each number is marked."""
    found: dict[bytes, list[int]] = {}
    last = _forms(lines[:1])[:-1]
    for first in range(0, len(lines), _SLICE):
        some = lines[first : first + _SLICE]
        forms = _forms(some)
        if forms == (last + b"\n") * len(some):
            found.setdefault(last, []).extend(range(first, first + len(some)))
            continue
        split = forms.split(b"\n")
        if len(split) != len(some) + 1:  # a line break within a line
            split = _forms([b"" if b"\n" in line else line for line in some]).split(b"\n")
        for index, form in enumerate(split[:-1], first):
            found.setdefault(form, []).append(index)
        last = split[0]
    return {form: np.array(indices) for form, indices in found.items()}


def _forms(lines: Sequence[bytes]) -> bytes:
    """The form of each line, and a line break; an empty one for a line with bytes that look like marked ones."""
    text = b"\n".join(lines) + b"\n"
    if not text.isascii():
        text = b"\n".join(line if line.isascii() else b"" for line in lines) + b"\n"
    plain = np.frombuffer(text, np.uint8)
    marked = plain.copy()
    marked[1:] |= ((plain - np.uint8(ord("0")) < 10) | (plain == ord(".")))[:-1].view(np.uint8) << _MARK_BIT
    return marked.tobytes().translate(None, _ALL_DIGITS).replace(_MARKED_BREAK, _NUMBER_AT_END + b"\n")


@functools.lru_cache(maxsize=256)
def _form_of(gaps: tuple[bytes, ...]) -> bytes:
    inner = b"".join(bytes([gap[0] | _MARK]) + gap[1:] for gap in gaps[1:-1])
    end = gaps[-1]
    return gaps[0] + inner + (bytes([end[0] | _MARK]) + end[1:] if end else _NUMBER_AT_END)


def _read_group(lines: Sequence[bytes], indices: Indices, expected: Shape, groups: list[Group], bad: Bad) -> None:
    columns = _columns(lines, expected)
    if columns is None:
        problems = [_problem(line, expected) for line in lines]
        bad += [(int(i), problem) for i, problem in zip(indices, problems, strict=True) if problem]
        sound = np.array([problem is None for problem in problems])
        columns = _columns([line for line, kept in zip(lines, sound, strict=True) if kept], expected)
        indices = indices[sound]
    if columns:
        groups.append(Group(indices, expected, columns))


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


def _columns(lines: Sequence[bytes], expected: Shape) -> dict[str, pa.Array] | None:
    """Read lines that have the shape's form; None if a number of one can't be read."""
    cut = _cut(expected.gaps)
    cells = _cells(lines, cut)
    if not cells:
        return None
    kinds = [pa.float64() if name in expected.decimals else pa.int64() for name in expected.names]
    wanted = {str(cell): kind for cell, kind in zip(cut.fields, kinds, strict=True)}
    try:
        table = csv.read_csv(
            pa.py_buffer(cells),
            csv.ReadOptions(
                use_threads=False,
                column_names=[str(i) for i in range(cut.cells)],
                block_size=max(len(cells) + 1, 1 << 16),
            ),
            csv.ParseOptions(quote_char=False),
            csv.ConvertOptions(column_types=wanted, include_columns=list(wanted), null_values=[]),
        )
    except pa.ArrowInvalid:
        return None
    columns = [column.combine_chunks() for column in table.columns]
    if any(column.to_numpy().max() >= _LIMIT for column in columns):
        return None
    return dict(zip(expected.names, columns, strict=True))


def _cells(lines: Sequence[bytes], cut: _Cut) -> bytes | None:
    """The lines as CSV; None if a number's decimals are not sound."""
    parts = []
    for first in range(0, len(lines), _SLICE):
        part = (b"\n".join(lines[first : first + _SLICE]) + b"\n").translate(cut.table, cut.delete)
        if not _sound_decimals(part):
            return None
        parts.append(part)
    return b"".join(parts)


def _sound_decimals(cells: bytes) -> bool:
    """Whether a digit stands before each dot, and one to three behind it."""
    if b"." not in cells:
        return True
    plain = np.frombuffer(cells, np.uint8)
    digit, dot = plain - np.uint8(ord("0")) < 10, plain == ord(".")
    if dot[0] or (dot[1:] > digit[:-1]).any() or (dot[:-1] > digit[1:]).any():
        return False
    return not (dot[:-4] & digit[1:-3] & digit[2:-2] & digit[3:-1] & digit[4:]).any()


class _Cut(NamedTuple):
    """How to turn a line into CSV: bytes → commas, bytes to delete, and which cells hold the numbers."""

    table: bytes
    delete: bytes
    cells: int
    fields: tuple[int, ...]


@functools.lru_cache(maxsize=256)
def _cut(gaps: tuple[bytes, ...]) -> _Cut:
    """Choose few separators so that every gap between two numbers holds at least one.

    The CSV reader's time goes by cells, so the separators that occur least are the best: greedily, until all gaps are
    covered.
    """
    inner = [set(gap) for gap in gaps[1:-1]]
    everywhere = b"".join(gaps)
    separators: set[int] = set()
    while uncovered := [gap for gap in inner if not gap & separators]:
        candidates = set().union(*uncovered)
        separators.add(max(candidates, key=lambda c: (sum(c in gap for gap in uncovered) / everywhere.count(c), -c)))
    counts = [sum(byte in separators for byte in gap) for gap in gaps]
    fields = tuple(int(total) for total in np.cumsum(counts)[:-1])
    table = bytes(ord(",") if byte in separators else byte for byte in range(256))
    delete = bytes(byte for byte in sorted(set(everywhere)) if byte not in separators)
    return _Cut(table, delete, sum(counts) + 1, fields)


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
            columns.append(pa.nulls(len(index), field.type))
    return pa.Table.from_arrays(columns, schema=wanted)


def _array(value: Any, kind: pa.DataType, length: int) -> pa.Array:
    if isinstance(value, pa.Array):
        return value
    return pa.nulls(length, kind) if value is None else pa.repeat(pa.scalar(value, kind), length)
