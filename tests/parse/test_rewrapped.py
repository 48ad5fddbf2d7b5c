"""Reports in comments that a formatter filled again: lines are joined, and broken at other places."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

import wrkparse as wp
from wrkparse.parse.parser import SourceParser

FIXTURES = Path(__file__).parents[1] / "fixtures"
TIME = "real\t0m1.234s\nuser\t0m0.512s\nsys\t0m0.101s\n"
REPORTS = {name: (FIXTURES / name).read_text() for name in ("wrk/latency.txt", "ab/3xx.txt", "hey/few-0.1.5.txt")}


def filled(report: str, width: int, mark: str) -> str:
    lines = textwrap.wrap(" ".join(report.split()), width, initial_indent=mark, subsequent_indent=mark)
    return "\n".join(["package x", "", *lines, "func main() {}", ""])


def numbers(text: str) -> set[tuple[str, str, float]]:
    rows = wp.parse_text(text).measurements
    return set(zip(rows["metric"], rows["stat"], rows["value"], strict=True))


@pytest.mark.parametrize("report", [*REPORTS.values(), TIME], ids=[*REPORTS, "time"])
@pytest.mark.parametrize("mark", ["// ", "# ", " * "])
@pytest.mark.parametrize("width", [44, 60, 72, 79, 100, 119])
def test_a_report_in_a_filled_comment_gives_no_other_number_and_is_named(report: str, mark: str, width: int) -> None:
    text = filled(report, width, mark)
    assert numbers(text) <= numbers(report)
    parser = SourceParser("x.go")
    assert [*parser.feed(text.encode()), *parser.finish()] or parser.resembling


def test_times_of_bash_in_one_line_of_a_comment_are_read() -> None:
    assert numbers(filled(TIME, 79, "// ")) == numbers(TIME)
