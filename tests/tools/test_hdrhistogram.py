"""HdrHistogram's percentile distributions that stand alone; the fixture is of its Java library, 2.2.2."""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.tools.harness import FIXTURES
from wrkparse.testing import lacks
from wrkparse.testing.reading import differences
from wrkparse.tools import hdrhistogram

CASE = FIXTURES / "hdrhistogram" / "latency-2.2.txt"
# What ``getValueAtPercentile`` of the histogram that wrote the file gives, in milliseconds.
TRUE = {
    "p50": 0.441599, "p75": 0.705535, "p90": 1.083391, "p95": 1.404927, "p99": 2.236415, "p99.9": 3.864575,
    "p99.99": 8.921087,
}  # fmt: skip


def test_a_real_file_is_read_exactly() -> None:
    assert list(differences("hdrhistogram", CASE)) == []


def test_the_tool_lacks_nothing() -> None:
    # wrk2 prints the first line and the last ones, too, and a cut report of wrk2 may begin with them
    missing = lacks(hdrhistogram, FIXTURES / "hdrhistogram")
    assert [one for one in missing if "'footer' of wrk" not in one and "TotalCount" not in one] == []


@pytest.mark.parametrize("stat", TRUE)
def test_the_histogram_s_own_percentile_is_within_the_resolution(stat: str) -> None:
    row = wp.parse_text(CASE.read_text()).measurements.set_index("stat").loc[stat]
    assert row["value"] - row["resolution"] <= TRUE[stat] / 1000 <= row["value"] + row["resolution"]


def test_the_unit_is_said_to_be_assumed() -> None:
    assert wp.parse_text(CASE.read_text()).diagnostics["code"].tolist() == ["unit-unknown"]


def test_a_file_that_is_cut_has_a_note() -> None:
    text = "".join(CASE.read_text().splitlines(keepends=True)[:20])
    assert "incomplete" in wp.parse_text(text).diagnostics["code"].tolist()


def test_the_spectrum_within_a_report_of_wrk2_stays_wrk2_s() -> None:
    for case in (FIXTURES / "wrk").glob("*.txt"):
        text = case.read_text(errors="replace")
        if "Detailed Percentile spectrum" in text:
            assert "hdrhistogram" not in wp.parse_text(text).runs["tool"].tolist(), case.name


def test_two_files_in_one_text_are_two_runs() -> None:
    text = CASE.read_text()
    assert wp.parse_text(text + text.replace("0.442", "0.443")).runs["line"].tolist() == [1, 37]
