"""Tables in memory: rows that are in order are given as they are, others in order; frames have nullable dtypes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from wrkparse.dataset import Dataset, to_pandas
from wrkparse.dataset.in_memory import InMemoryTables
from wrkparse.tools.schema import schema

RUNS = {"r1": ("a.log", 9), "r2": ("b.log", 1), "r3": ("b.log", 5)}


def runs(names: list[str]) -> pa.Table:
    rows = [{"run": run, "source": RUNS[run][0], "line": RUNS[run][1]} for run in names]
    return pa.Table.from_pylist(rows, schema("runs"))


def texts(*parts: list[tuple[str, int | None]]) -> pa.Table:
    """A table in as many chunks, whose text is the place of the row."""
    wanted, place, chunks = schema("texts"), 0, []
    for part in parts:
        rows = [{"run": run, "line": line, "text": str(place + n)} for n, (run, line) in enumerate(part)]
        place += len(part)
        chunks.append(pa.Table.from_pylist(rows, wanted))
    return pa.concat_tables(chunks)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([[("r1", 9), ("r1", 10), ("r2", 1), ("r3", 5)]], "0123"),
        ([[("r1", 9), ("r1", 10)], [("r1", 11), ("r2", 1)]], "0123"),
        ([[("r2", 1), ("r1", 9)]], "10"),  # a source later than the next
        ([[("r3", 5), ("r2", 1)]], "10"),  # a run that begins later in the same source
        ([[("r1", 10), ("r1", 9)]], "10"),
        ([[("r1", 10)], [("r1", 9)]], "10"),  # across chunks
        ([[("r2", 1), ("r3", 5), ("r2", 2)]], "021"),
        ([[("r1", None), ("r1", 3)]], "10"),  # unknown lines come last
        ([[("r1", 9), ("gone", 1)]], "0"),  # a row of no run
    ],
)
def test_rows_come_by_source_run_and_line(rows: list[list[tuple[str, int | None]]], expected: str) -> None:
    dataset = Dataset.of_tables({"runs": runs(["r3", "r1", "r2"]), "texts": texts(*rows)})
    assert "".join(dataset.texts["text"]) == expected


def test_a_run_that_is_there_twice_is_left_to_the_join() -> None:
    memory = InMemoryTables({"runs": runs(["r1", "r1"]), "texts": texts([("r1", 1)])}, None)
    assert memory.in_order("texts") is None


def test_rows_in_order_need_no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duckdb.connect", lambda *_, **__: pytest.fail("DuckDB was started"))
    dataset = Dataset.of_tables({"runs": runs(["r1"]), "texts": texts([("r1", 1), ("r1", 1)])})
    assert list(dataset.texts["text"]) == ["0", "1"]


def test_columns_have_nullable_types_and_may_be_written_to() -> None:
    table = pa.table(
        {
            "whole": pa.chunked_array([pa.array([1, 2]), pa.array([None], pa.int64())]),
            "number": pa.array([0.5, None, 2.0]),
            "flag": pa.array([True, None, False]),
            "text": pa.array(["a", None, "c"]),
            "no_whole": pa.nulls(3, pa.int64()),
            "no_number": pa.nulls(3, pa.float64()),
            "list": pa.array([[1], None, []], pa.list_(pa.int64())),
        }
    )
    frame = to_pandas(table)
    assert list(map(str, frame.dtypes)) == [
        "Int64", "float64", "boolean", "string", "Int64", "float64", "list<item: int64>[pyarrow]",
    ]  # fmt: skip
    assert frame["whole"].sum() == 3
    assert frame["whole"].isna().tolist() == [False, False, True]
    assert np.isnan(frame["number"]).tolist() == [False, True, False]
    assert frame[["no_whole", "no_number"]].isna().all(axis=None)
    frame.loc[1, ["whole", "number", "no_whole", "no_number"]] = 7
    assert frame.loc[1, ["whole", "number", "no_whole", "no_number"]].tolist() == [7, 7, 7, 7]
    assert table["whole"].to_pylist() == [1, 2, None]


def test_a_table_without_rows_and_two_columns_of_one_name_become_frames() -> None:
    assert to_pandas(schema("texts").empty_table()).shape == (0, 3)
    doubled = to_pandas(pa.Table.from_arrays([pa.array([1]), pa.array([2])], ["n", "n"]))
    assert doubled.columns.tolist() == ["n", "n"]
    assert isinstance(doubled.index, pd.RangeIndex)
