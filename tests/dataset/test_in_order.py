"""Tables in memory: rows that are in order are given as they are, others in order; frames have nullable dtypes."""

from __future__ import annotations

import os
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import wrkparse as wp
from tests.samples import WRK
from wrkparse.dataset import Dataset, QueryError, to_pandas
from wrkparse.dataset.frames import frame_of_rows
from wrkparse.dataset.queries import in_memory
from wrkparse.dataset.queries.in_memory import InMemoryTables
from wrkparse.dataset.queries.sql import one_thread
from wrkparse.ingest.ingest import ingest
from wrkparse.tools.schema import columns, schema

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


@pytest.fixture(params=["arrow", "query"], autouse=True)
def _sorted_by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short tables are sorted by Arrow, long ones by DuckDB."""
    if request.param == "query":
        monkeypatch.setattr(in_memory, "_MOST_SORTED", 0)


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


def test_labels_and_numbers_have_an_order_within_a_line() -> None:
    labels = [
        ("r2", "b", 1, False), ("r2", "a", 3, True), ("r2", "a", None, False), ("r2", "a", 2, False), ("r1", "z", 1, False),
    ]  # fmt: skip
    numbers = [("r1", 2, "m", "p99"), ("r1", 2, "m", "mean"), ("r1", 1, "z", "mean"), ("r1", 2, "l", "p99")]
    dataset = Dataset.of_tables(
        {
            "runs": runs(["r2", "r1"]),
            "labels": pa.Table.from_pylist(
                [dict(zip(("run", "key", "line", "overruled"), row, strict=True)) for row in labels], schema("labels")
            ),
            "measurements": pa.Table.from_pylist(
                [dict(zip(("run", "line", "metric", "stat"), row, strict=True)) for row in numbers],
                schema("measurements"),
            ),
        }
    )
    assert dataset.arrow("labels").select(["key", "line", "overruled"]).to_pydict() == {
        "key": ["z", "a", "a", "a", "b"],
        "line": [1, 2, None, 3, 1],
        "overruled": [False, False, False, True, False],
    }
    assert list(dataset.measurements["line"]) == [1, 2, 2, 2]
    assert list(dataset.measurements["metric"] + dataset.measurements["stat"]) == ["zmean", "lp99", "mmean", "mp99"]


def test_rows_in_order_need_no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_memory, "_database", lambda _: pytest.fail("DuckDB was started"))
    dataset = Dataset.of_tables({"runs": runs(["r1"]), "texts": texts([("r1", 1), ("r1", 1)])})
    assert list(dataset.texts["text"]) == ["0", "1"]
    assert list(dataset.runs["run"]) == ["r1"]
    assert (dataset.count("texts"), dataset.count("texts", "r1"), dataset.count("texts", "r2")) == (2, 2, 0)
    assert dataset.label_keys() == set()


def test_runs_come_by_source_and_line_and_a_missing_line_last() -> None:
    rows = [
        {"run": "r3", "source": "b.log", "line": None},
        {"run": "r2", "source": "b.log", "line": 10},
        {"run": "r1", "source": "b.log", "line": 9},
        {"run": "r0", "source": "a.log", "line": 11},
    ]
    dataset = Dataset.of_tables({"runs": pa.Table.from_pylist(rows, schema("runs"))})
    assert list(dataset.runs["run"]) == ["r0", "r1", "r2", "r3"]
    assert dataset.arrow("runs", only=("line", "run")).to_pydict()["line"] == [11, 9, 10, None]
    assert {"run", "line"}.isdisjoint(dataset.arrow("runs", without=("line", "run")).column_names)


def test_no_dataset_sees_the_tables_of_another() -> None:
    one, other = (Dataset.of_tables({"runs": runs(names)}) for names in (["r1"], ["r2", "r3"]))
    query = "SELECT run FROM runs ORDER BY run"
    assert [list(dataset.sql(query)["run"]) for dataset in (one, other, one)] == [["r1"], ["r2", "r3"], ["r1"]]
    assert list(one.sql("SHOW TABLES")["name"]) == sorted(columns())


def test_a_process_that_was_forked_opens_a_database_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def databases(dataset: Dataset) -> set[str]:
        dataset.sql("SELECT 1")
        return opened

    opened: set[str] = set()
    open_database = in_memory._database
    monkeypatch.setattr(in_memory, "_database", lambda process: opened.add(str(process)) or open_database(process))
    assert databases(Dataset.of_tables({"runs": runs(["r1"])})) == {str(os.getpid())}
    monkeypatch.setattr("os.getpid", lambda: -1)
    assert "-1" in databases(Dataset.of_tables({"runs": runs(["r1"])}))
    assert open_database(-1) is not open_database(-2)


def test_wide_is_in_the_order_of_runs_without_a_condition_too() -> None:
    dataset = Dataset.of_tables({"runs": runs(["r3", "r1", "r2"])})
    assert list(dataset.wide()["run"]) == list(dataset.wide("line > 0")["run"]) == ["r1", "r2", "r3"]


def test_the_runs_that_match_are_in_order_and_have_their_own_labels() -> None:
    labelled = runs(["r3", "r1", "r2"]).append_column("latency_mean_s", pa.array(["low", "high", None]))
    measured = pa.Table.from_pylist(
        [{"run": run, "metric": "latency", "stat": "mean", "value": 1.0, "unit": "s"} for run in RUNS],
        schema("measurements"),
    )
    dataset = Dataset.of_tables({"runs": labelled, "measurements": measured})
    assert dataset.matching(None)["run"].to_pylist() == ["r1", "r2", "r3"]
    found = dataset.matching("latency_mean > 0 and line < 9")
    assert found.select(["run", "latency_mean_s"]).to_pylist() == [
        {"run": "r2", "latency_mean_s": None}, {"run": "r3", "latency_mean_s": "low"},
    ]  # fmt: skip
    assert found.schema == dataset.arrow("runs").schema


def test_answers_as_rows() -> None:
    dataset = Dataset.of_tables({"runs": runs(["r1"])})
    assert list(dataset.answer_rows("SELECT run, line, tool, line / 2 FROM runs")) == [("r1", 9, None, 4.5)]
    with pytest.raises(QueryError, match="colour"):
        dataset.answer_rows("SELECT colour FROM runs")


def test_a_frame_of_rows_lacks_what_the_rows_lack() -> None:
    dtypes = {"a": "string", "b": "float64", "c": "Int64", "d": "boolean"}
    frame = frame_of_rows([{"a": "x", "c": 2, "other": 1}, {"b": 0.5, "d": True}], dtypes)
    assert frame.dtypes.map(str).to_dict() == dtypes
    assert frame.isna().to_numpy().tolist() == [[False, True, False, True], [True, False, True, False]]
    assert frame.loc[0, ["a", "c"]].tolist() + frame.loc[1, ["b", "d"]].tolist() == ["x", 2, 0.5, True]
    assert frame_of_rows([], dtypes).dtypes.map(str).to_dict() == dtypes


def test_a_count_that_is_0_and_not_printed_is_stated_in_memory_and_in_a_store(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(WRK)
    ingest([str(tmp_path / "a.txt")], tmp_path / "s.duckdb")
    stored, held = wp.load(tmp_path / "s.duckdb"), wp.parse_text(WRK)
    query = "SELECT value FROM {stated} WHERE metric = 'non_2xx'"
    assert stored.rows_with_zeros(query) == held.rows_with_zeros(query) == [(0.0,)]
    assert len(held.sql("SELECT value FROM measurements WHERE metric = 'non_2xx'")) == 0


def test_the_last_block_of_one_thread_leaves_as_many_threads_as_there_were() -> None:
    connection = duckdb.connect(config={"threads": 3})

    def threads() -> int:
        return int(connection.execute("SELECT current_setting('threads')").fetchall()[0][0])

    first, second = one_thread(connection), one_thread(connection.cursor())
    with first:
        second.__enter__()
        assert threads() == 1
    second.__exit__(None, None, None)
    assert threads() == 3


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
