"""Real logs with the values that a person reads in them: `tests/fixtures/<tool>/<case>.txt` and `<case>.json`."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import wrkparse as wp

FIXTURES = Path(__file__).parent / "fixtures"
CASES = sorted(FIXTURES.glob("*/*.json"))


def read_case(case: Path) -> tuple[wp.Dataset, dict[str, Any]]:
    log = next(path for path in case.parent.glob(f"{case.stem}.*") if path != case)
    return wp.read(log), json.loads(case.read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.stem}")
def test_golden(case: Path) -> None:
    dataset, expected = read_case(case)
    runs = dataset.runs.to_dict("records")
    assert [(r["tool"], r["line"], r["line_end"]) for r in runs] == [
        (r["tool"], r["line"], r["line_end"]) for r in expected["runs"]
    ]
    for run, wanted in zip(runs, expected["runs"], strict=True):
        check_run(dataset, run, wanted)


def check_run(dataset: wp.Dataset, run: dict[str, Any], wanted: dict[str, Any]) -> None:
    rows = dataset.measurements[dataset.measurements.run == run["run"]]
    found = {f"{row.metric}/{row.stat}": row.value for row in rows.itertuples()}
    assert sorted(found) == sorted(wanted["measurements"])
    for name, value in wanted["measurements"].items():
        if value is None:
            assert math.isnan(found[name]), name
        else:
            assert math.isclose(found[name], value, rel_tol=1e-12, abs_tol=0), name
    labels = dataset.labels[(dataset.labels.run == run["run"]) & (dataset.labels.origin == "report")]
    assert dict(zip(labels.key, labels.value, strict=True)).items() >= wanted.get("labels", {}).items()
    for column in ("version", "dialect"):
        name = "tool_version" if column == "version" else column
        if column in wanted:
            assert (None if run[name] is None or run[name] != run[name] else run[name]) == wanted[column], column
    for table, count in wanted.get("rows", {}).items():
        assert dataset.count(table, run["run"]) == count
    if "events" in wanted:
        for table in dataset.event_tables():
            check_rows(dataset.rows_of(table, run["run"]).to_pylist(), wanted["events"].get(table, []))


def check_rows(found: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> None:
    """Rows are equal in all that either states; a time to a few steps of a double, as its text was scaled."""
    stated = [{name: value for name, value in row.items() if value is not None and name != "run"} for row in found]
    assert [row["line"] for row in stated] == [row["line"] for row in wanted]
    for ours, expected in zip(stated, wanted, strict=True):
        assert sorted(ours) == sorted(expected)
        for name, value in expected.items():
            close = isinstance(value, float) and math.isclose(ours[name], value, rel_tol=1e-15, abs_tol=0)
            assert close or ours[name] == value, (name, ours)


def test_every_report_tool_has_golden_logs() -> None:
    from wrkparse.tools import report_tools

    assert {case.parent.name for case in CASES} >= {tool.name for tool in report_tools()}


def test_the_check_of_events_can_fail() -> None:
    dataset, expected = read_case(FIXTURES / "gctrace" / "go1.8.7-forced.json")
    wanted = expected["runs"][0]
    wanted["events"]["gc_cycles"][1]["heap_start_bytes"] += 1
    with pytest.raises(AssertionError):
        check_run(dataset, dataset.runs.to_dict("records")[0], wanted)


@pytest.mark.parametrize("change", [{"throughput/total": 1.0}, {"no/such": 1.0}])
def test_the_check_can_fail(change: dict[str, float]) -> None:
    dataset, expected = read_case(FIXTURES / "wrk" / "latency.json")
    wanted = expected["runs"][0]
    wanted["measurements"] |= change
    with pytest.raises(AssertionError):
        check_run(dataset, dataset.runs.to_dict("records")[0], wanted)
