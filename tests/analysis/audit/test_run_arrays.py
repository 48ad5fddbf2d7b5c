"""The numbers of all runs as arrays, of tables in memory and of a store."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

import wrkparse as wp
from tests.samples import WRK
from wrkparse.analysis.checks.run_arrays import RunArrays, numbered
from wrkparse.dataset import Dataset


def test_tables_in_memory_and_a_store_give_the_same_arrays(studies: wp.Dataset, studies_store: Path) -> None:
    in_memory, stored = RunArrays(studies.without_verdicts), RunArrays(wp.load(studies_store))
    assert list(in_memory._columns) == list(stored._columns)
    assert in_memory.size == stored.size > 100
    for key, values in stored._columns.items():
        np.testing.assert_array_equal(in_memory._columns[key], values)


def test_a_number_that_is_missing_or_of_no_run_is_in_no_array() -> None:
    read = wp.parse_text(WRK).without_verdicts
    tables = {name: read.arrow(name) for name in ("runs", "measurements")}
    row = tables["measurements"].slice(0, 1).to_pylist()[0]
    added = [row | {"stat": "p1", "value": None}, row | {"run": "another", "stat": "p2"}]
    numbers = pa.concat_tables([tables["measurements"], pa.Table.from_pylist(added, tables["measurements"].schema)])
    runs = RunArrays(Dataset.of_tables(tables | {"measurements": numbers}))
    metric = row["metric"]
    assert np.isnan(runs.value(metric, "p1")).tolist() == runs.stated(metric, "p1").tolist() == [True]
    assert not runs.stated(metric, "p2").any()


def test_rows_have_one_number_if_all_columns_agree_also_in_what_is_missing() -> None:
    texts = np.array(["a", "b", "a", "a", "b"])
    numbers = pa.chunked_array([pa.array([1.0, None]), pa.array([1.0, 2.0, None])])
    found = numbered([texts, numbers])
    assert [found.tolist().index(number) for number in found] == [0, 1, 0, 3, 1]
    assert len(numbered([texts[:0], numbers[:0]])) == 0
