"""Tables without the columns that a log never has."""

from __future__ import annotations

import re

import wrkparse as wp
from tests.samples import WRK

# As Go 1.18 and later print it (runtime/mgc.go, gcMarkTermination).
LINE = (
    "gc 1 @0.012s 2%: 0.015+0.55+0.003 ms clock, 0.12+0.22/0.48/0.90+0.024 ms cpu, 4->5->1 MB, 5 MB goal, "
    "0 MB stacks, 0 MB globals, 8 P\n"
)


def test_columns_without_a_value_are_left_out_on_request() -> None:
    dataset = wp.parse_text(LINE)
    whole, known = dataset.gc_cycles, dataset.known("gc_cycles")
    assert set(whole.columns) > set(known.columns)
    assert known.notna().all().all()
    assert {"run", "line", "gc", "cpu_background_s"} <= set(known.columns)
    assert whole.drop(columns=known.columns).isna().all().all()


def test_an_empty_table_has_no_column() -> None:
    assert list(wp.parse_text("nothing").known("gc_cycles").columns) == []


def test_counts_are_integers_and_rates_are_not() -> None:
    wide = wp.parse_text(WRK).wide()
    assert str(wide["requests"].dtype) == "Int64"
    assert wide["requests"].tolist() == [int(match[1]) for match in re.finditer(r"(\d+) requests in", WRK)]
    assert str(wide["errors"].dtype) == "Int64"
    assert str(wide["throughput_per_s"].dtype) == "float64"
