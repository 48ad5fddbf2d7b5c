"""Decodes many lines of a few shapes into columns, and makes Arrow tables of the columns.

Decoding is strict. A runtime writes a line in dozens of system calls, and other output cuts into it: a lenient decoder
would take ``0.132026/11/20`` for a number.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from wrkparse.model.records import Column
from wrkparse.tools.columnar import compiled, compiled_decoder, regex_decoder
from wrkparse.tools.columnar.buffers import Indices, Lines
from wrkparse.tools.columnar.shapes import BadLines, FindShape, ShapeGroup, Values


def decode(lines: Sequence[bytes], shape_of: FindShape) -> tuple[list[ShapeGroup], BadLines]:
    """Decode lines by shape. Returns the groups, and the lines that fit no shape, with the reason.

    A number is digits, with one to three decimals if its shape allows any. Blanks at the end of a line are ignored.
    """
    joined = lines if isinstance(lines, Lines) else Lines.of(lines)
    if not joined:
        return [], []
    groups, left = (
        compiled_decoder.decode_lines(joined, shape_of) if compiled.COMPILED else ([], np.arange(len(joined)))
    )
    if not len(left):
        return groups, []
    others, bad = regex_decoder.decode_lines(joined.select(left), shape_of)
    groups += [group._replace(indices=left[group.indices]) for group in others]
    return groups, sorted((int(left[index]), reason) for index, reason in bad)


_TYPES = {
    "string": pa.string(),
    "int": pa.int64(),
    "float": pa.float64(),
    "bool": pa.bool_(),
    "ints": pa.list_(pa.int64()),
}


def events_schema(columns: Sequence[Column]) -> pa.Schema:
    """The Arrow types of a table of events: ``index`` first, then `columns`."""
    return pa.schema([("index", pa.int64()), *((column.name, _TYPES[column.kind]) for column in columns)])


def joined_table(wanted: pa.Schema, parts: Sequence[tuple[Indices, Mapping[str, Any]]]) -> pa.Table:
    """Join parts into a table, in the order of their lines.

    A part is the indices of its lines, and its columns: each an array, or one value for all. A missing column is null.
    """
    if not parts:
        return _empty_table(wanted)
    index = np.concatenate([indices for indices, _ in parts])
    order = np.argsort(index) if len(parts) > 1 else None
    index = index if order is None else index[order]
    columns = [pa.array(index)]
    for field in list(wanted)[1:]:
        values = [part.get(field.name) for _, part in parts]
        columns.append(_column(values, [len(indices) for indices, _ in parts], order, field.type))
    return pa.Table.from_arrays(columns, schema=wanted)


@functools.lru_cache(maxsize=64)  # it takes a millisecond to make
def _empty_table(wanted: pa.Schema) -> pa.Table:
    return wanted.empty_table()


def _column(values: Sequence[Any], sizes: Sequence[int], order: Indices | None, kind: pa.DataType) -> pa.Array:
    """One column, joined from its parts of these sizes and put into this order."""
    if all(value is None for value in values):
        return nulls(kind, sum(sizes))
    if order is None:
        return _array(values[0], kind, sizes[0])
    if all(isinstance(value, np.ndarray) and value.ndim == 1 for value in values):
        return pa.array(np.concatenate(values)[order])
    if all(value is values[0] for value in values) and not isinstance(values[0], pa.Array):
        return _array(values[0], kind, sum(sizes))
    pieces = [_array(value, kind, size) for value, size in zip(values, sizes, strict=True)]
    return pa.concat_arrays(pieces).take(pa.array(order))


def _array(value: Any, kind: pa.DataType, length: int) -> pa.Array:
    """A column of this length from an array, or from one value for all rows."""
    if isinstance(value, pa.Array):
        return value
    if isinstance(value, np.ndarray):
        return pa.array(value) if value.ndim == 1 else _lists(value)
    return nulls(kind, length) if value is None else pa.repeat(pa.scalar(value, kind), length)


def _lists(rows: Values) -> pa.ListArray:
    """A column of lists from an array with two dimensions."""
    offsets = np.arange(len(rows) + 1, dtype=np.int32) * rows.shape[1]
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(rows.ravel()))


def nulls(kind: pa.DataType, length: int) -> pa.Array:
    """A column of `length` nulls: a slice of a longer one that all tables share."""
    # Of a length that is a power of two, so that few of them are made and kept.
    return _many_nulls(kind, 1 << (length - 1).bit_length() if length else 1)[:length]


@functools.lru_cache(maxsize=64)
def _many_nulls(kind: pa.DataType, length: int) -> pa.Array:
    return pa.nulls(length, kind)
