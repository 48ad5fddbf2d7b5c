"""Rows of queries: those for which a condition holds, and long answers in batches."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wrkparse.dataset.queries.sql import Connection, fetch

_WHOLE_WIDE = "wrkparse_wide"  # a view of all columns of `wide`, while a condition is asked
_ROW_NUMBER = "wrkparse_row"  # a column of that view


def matching_rows(where: str, joined: pa.Table, connection: Connection) -> pa.Array:
    """The numbers, from 0, of the rows for which a condition holds, in order.

    To select some hundred columns would take four times as long, and to offer them to DuckDB half of the rest. Only
    ``COLUMNS(…)`` may mean columns that the condition does not name.
    """
    text = where.lower()
    offered = [name for name in joined.column_names if "columns" in text or name.lower() in text]
    numbers = pa.array(range(len(joined)), pa.int64())
    connection.register(_WHOLE_WIDE, joined.select(offered).append_column(_ROW_NUMBER, numbers))
    try:
        query = f"SELECT {_ROW_NUMBER} FROM {_WHOLE_WIDE} WHERE ({where}) ORDER BY {_ROW_NUMBER}"
        return fetch(connection, query)[_ROW_NUMBER].combine_chunks()
    finally:
        connection.unregister(_WHOLE_WIDE)


def arrays_of_batch(batch: pa.RecordBatch) -> dict[str, npt.NDArray[np.generic]]:
    """The columns of a batch by their names."""
    names = batch.schema.names
    return {name: column.to_numpy(zero_copy_only=False) for name, column in zip(names, batch.columns, strict=True)}


def prefetched_batches(connection: Connection, query: str, size: int) -> Iterator[pa.RecordBatch]:
    """The answer in batches of `size` rows; a thread fetches the next one while the caller works on one."""
    batches = connection.sql(query).to_arrow_reader(size)
    with ThreadPoolExecutor(1) as thread:
        next_batch = thread.submit(next, batches, None)
        while (batch := next_batch.result()) is not None:
            next_batch = thread.submit(next, batches, None)
            yield batch
