"""Rows of a comparison whose labels are numbers."""

from __future__ import annotations

import wrkparse as wp
from tests.analysis.comparison.runs import Runs
from wrkparse.analysis.comparison.cells.numeric_rows import in_numeric_order
from wrkparse.analysis.comparison.compare import ComparisonTable


def compared(key: str, rates: dict[str | None, float]) -> ComparisonTable:
    runs = Runs()
    for value, rate in rates.items():
        for step in (1.0, 1.01):
            runs.add(labels={key: value} if value else {"threads": 2}, throughput=rate * step, latency=1 / rate)
    return wp.compare(runs.dataset(), rows=key, sort="best")


def test_numbers_are_in_the_order_of_their_size_in_each_metric_with_off_last() -> None:
    table = compared("gogc", {"100": 100, "off": 900, "50": 50, "400": 400})
    assert table.cells["gogc"].tolist()[:4] == ["off", "400", "100", "50"]
    ordered = in_numeric_order(table)
    count = len(ordered.cells) // len(ordered.cells["metric"].unique())
    assert ordered.cells["gogc"].tolist() == ["50", "100", "400", "off"] * (len(ordered.cells) // count)
    assert ordered.cells["metric"].tolist() == table.cells["metric"].tolist()


def test_the_numbers_of_a_row_stay_with_it() -> None:
    table = compared("gogc", {"100": 100, "off": 900, "50": 50})
    before = table.cells.set_index(["metric", "gogc"])["center"].to_dict()
    assert in_numeric_order(table).cells.set_index(["metric", "gogc"])["center"].to_dict() == before


def test_days_are_in_the_order_of_their_dates() -> None:
    table = compared("day", {"2026-03-09": 100, "2026-03-02": 90, "2026-03-16": 400})
    count = len(table.cells) // len(table.cells["metric"].unique())
    assert in_numeric_order(table).cells["day"].tolist()[:count] == ["2026-03-02", "2026-03-09", "2026-03-16"]


def test_names_stay_best_first() -> None:
    table = compared("framework", {"heron": 100, "plover": 400, "2": 50})
    assert in_numeric_order(table).cells["framework"].tolist() == table.cells["framework"].tolist()


def test_the_first_page_has_settings_in_the_order_of_their_numbers() -> None:
    runs = Runs()
    for value, rate in (("50", 300.0), ("400", 200.0), ("100", 100.0)):
        runs.add(labels={"gogc": value}, throughput=rate)
    main = wp.summary(runs.dataset()).main
    assert main is not None
    assert main.comparison is not None
    assert main.comparison.cells["gogc"].tolist() == ["50", "100", "400"]


def test_limits_of_memory_are_in_the_order_of_their_bytes() -> None:
    table = compared("gomemlimit", {"1GiB": 300, "256MiB": 100, "off": 900, "512MiB": 200})
    listed = in_numeric_order(table).cells["gomemlimit"].tolist()
    assert listed[:4] == ["256MiB", "512MiB", "1GiB", "off"]
