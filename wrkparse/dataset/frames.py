"""Arrow tables as DataFrames with nullable dtypes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    import pandas as pd


def to_pandas(table: pa.Table) -> pd.DataFrame:
    """Arrow → pandas: Int64, boolean, string; floats as float64 with NaN; lists as Arrow lists."""
    import pandas as pd

    if len(set(table.column_names)) < table.num_columns:  # a user's query may name two columns alike
        frame: pd.DataFrame = table.to_pandas(types_mapper=_dtype)
        return frame
    arrays = {name: _array(column) for name, column in zip(table.column_names, table.columns, strict=True)}
    return pd.DataFrame(arrays, copy=False, index=pd.RangeIndex(table.num_rows), columns=pd.Index(table.column_names))


def frame_of_rows(rows: Sequence[Mapping[str, Any]], dtypes: Mapping[str, Any]) -> pd.DataFrame:
    """Rows as a DataFrame with these columns; what a row lacks is missing.

    To change the dtypes of a DataFrame takes three times as long.
    """
    import pandas as pd

    return pd.DataFrame(
        {name: pd.array([row.get(name) for row in rows], dtype=dtype) for name, dtype in dtypes.items()}
    )


def _dtype(kind: pa.DataType) -> Any:
    """The pandas dtype of an Arrow type; None for Arrow's own choice."""
    import pandas as pd

    nullable = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype(), pa.string(): pd.StringDtype()}
    if kind in nullable:
        return nullable[kind]
    return pd.ArrowDtype(kind) if pa.types.is_list(kind) else None


def _array(column: pa.ChunkedArray) -> Any:
    """One column as pandas holds it.

    Arrow would do the same, but it touches every byte of an empty column, and copies integers twice. A trace fills only
    a third of the columns of its table, so Arrow took more time than parsing.
    """
    import pandas as pd

    rows = len(column)
    empty = column.null_count == rows
    if column.type == pa.float64():
        return np.full(rows, np.nan) if empty else _values(column)
    if column.type == pa.int64():
        values, missing = _masked(column, np.dtype(np.int64), empty=empty)
        return pd.arrays.IntegerArray(values, missing)
    dtype = _dtype(column.type)  # `to_pandas` of the column would make a Series, which takes four times as long
    return column.to_pandas().array if dtype is None else dtype.__from_arrow__(column)


def _masked(column: pa.ChunkedArray, dtype: np.dtype[Any], *, empty: bool) -> tuple[Any, Any]:
    """The values of a column, and which of them are missing."""
    rows = len(column)
    if empty:
        return np.zeros(rows, dtype), np.ones(rows, np.bool_)
    if column.null_count:
        # NumPy has no missing integers: 0 in their places, which the mask hides.
        return _values(column.fill_null(0)), _values(column.is_null())
    return _values(column), np.zeros(rows, np.bool_)


def _values(column: pa.ChunkedArray) -> Any:
    """The values in one writable array; Arrow's own memory is read-only."""
    chunks = [chunk.to_numpy(zero_copy_only=False) for chunk in column.chunks]
    return np.concatenate(chunks)
