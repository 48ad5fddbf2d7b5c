"""Reports in comments that a formatter filled again: lines are joined, and broken at other places."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest

import wrkparse as wp
from tests.cases import each_case
from wrkparse.parse.parser import SourceParser

FIXTURES = Path(__file__).parents[1] / "fixtures"
TIME = "real\t0m1.234s\nuser\t0m0.512s\nsys\t0m0.101s\n"
REPORTS = {name: (FIXTURES / name).read_text() for name in ("wrk/latency.txt", "ab/3xx.txt", "hey/few-0.1.5.txt")}


def filled(report: str, width: int, mark: str) -> str:
    lines = textwrap.wrap(" ".join(report.split()), width, initial_indent=mark, subsequent_indent=mark)
    return "\n".join(["package x", "", *lines, "func main() {}", ""])


def numbers(text: str) -> set[tuple[str, str, float]]:
    rows = wp.parse_text(text).arrow("measurements")
    return set(zip(*(rows[name].to_pylist() for name in ("metric", "stat", "value")), strict=True))


@each_case("report", [*REPORTS.values(), TIME], ids=[*REPORTS, "time"])
@each_case("mark", ["// ", "# ", " * "])
@each_case("width", [44, 60, 72, 79, 100, 119])
def test_a_report_in_a_filled_comment_gives_no_other_number_and_is_named(report: str, mark: str, width: int) -> None:
    text = filled(report, width, mark)
    assert numbers(text) <= numbers(report)
    parser = SourceParser("x.go")
    assert [*parser.feed(text.encode()), *parser.finish()] or parser.first_lookalike


WHOLE = {**REPORTS, "calibrated": (FIXTURES / "wrk/calibrated.txt").read_text()}


@each_case("name", ["wrk/latency.txt", "calibrated", "ab/3xx.txt"])
@each_case("mark", ["// ", "# ", " * ", "-- ", "; ", ""])
@each_case("width", [60, 72, 79, 100, 119])
def test_a_report_of_wrk_or_ab_in_a_filled_paragraph_gives_all_its_numbers(name: str, mark: str, width: int) -> None:
    text = filled(WHOLE[name], width, mark)
    assert numbers(text) == numbers(WHOLE[name])
    dataset = wp.parse_text(text)
    assert len(dataset.runs) == 1
    assert dataset.runs["line"].tolist() == [3]


def test_each_number_of_a_filled_paragraph_has_the_line_in_which_its_own_begins() -> None:
    lines = [
        "# Running 10s test @ http://h:8080/hello 8 threads and 64",
        "# connections Thread Stats Avg Stdev Max +/- Stdev Latency",
        "# 193.32us 51.20us 1.57ms 83.29% Req/Sec 5.11k 299.35 6.84k",
        "# 78.34% 410759 requests in 10.10s, 72.06MB read Requests/sec:",
        "# 40669.44 Transfer/sec: 7.13MB and that is all of it.",
    ]
    dataset = wp.parse_text("\n".join(lines) + "\n")
    rows = dataset.measurements.set_index(["metric", "stat"])["line"]
    assert rows["latency", "mean"] == 2
    assert rows["thread_throughput", "mean"] == 3
    assert rows["requests", "total"] == 4
    assert rows["throughput", "total"] == 4
    assert rows["transfer_rate", "total"] == 5
    assert dataset.runs[["threads", "connections", "url"]].iloc[0].tolist() == [8, 64, "http://h:8080/hello"]
    assert dataset.diagnostics.empty


def test_two_reports_in_one_filled_paragraph_are_two_runs() -> None:
    report = REPORTS["wrk/latency.txt"]
    text = filled(report + report, 72, "// ")
    assert len(wp.parse_text(text).runs) == 2


def test_a_filled_report_with_a_line_of_no_layout_is_no_run_and_is_told() -> None:
    """wrk2 -U prints a second distribution, whose percentiles have the form of the first one's."""
    report = (FIXTURES / "wrk/calibrated-u_latency.txt").read_text()
    dataset = wp.parse_text(filled(report, 72, "// ") + "\n" + REPORTS["wrk/latency.txt"])
    assert len(dataset.runs) == 1
    [told] = dataset.diagnostics["message"]
    assert told.startswith("wrk: no run: this line of a filled paragraph can't be read: Latency Distribution")


@pytest.mark.parametrize("behind", ["", "# kiwi\n", "$ wrk -t2 http://h/\n"])
def test_what_follows_a_filled_report_that_cannot_be_read_is_read(behind: str) -> None:
    """No empty line ends the paragraph: a report of this tool or another, a heading or a command does."""
    lost = (
        filled((FIXTURES / "wrk/calibrated-u_latency.txt").read_text(), 72, "").split("\n", 2)[2].rpartition("func")[0]
    )
    for name, tool in (("wrk/latency.txt", "wrk"), ("ab/3xx.txt", "ab")):
        dataset = wp.parse_text(f"{lost}{behind}{REPORTS[name]}{TIME}")
        assert dataset.runs["tool"].tolist() == [tool, "time"]
        assert numbers(f"{lost}{behind}{REPORTS[name]}") == numbers(REPORTS[name])


def test_prose_behind_a_filled_report_and_code_below_it_are_no_part_of_it() -> None:
    text = filled(REPORTS["wrk/latency.txt"] + " That is 3 times 5.", 72, "// ")
    assert numbers(text) == numbers(REPORTS["wrk/latency.txt"])
    assert wp.parse_text(text).diagnostics.empty


def test_times_of_bash_in_one_line_of_a_comment_are_read() -> None:
    assert numbers(filled(TIME, 79, "// ")) == numbers(TIME)


AB = """\
Server Hostname:        10.0.0.7
Document Path:          /hello
Concurrency Level:      10
Time taken for tests:   0.661 seconds
Complete requests:      1000
Failed requests:        0
Requests per second:    1512.45 [#/sec] (mean)
Time per request:       6.612 [ms] (mean)
Time per request:       0.661 [ms] (mean, across all concurrent requests)
Transfer rate:          251.09 [Kbytes/sec] received
"""
STATED = {
    ("elapsed", "total", 0.661), ("requests", "total", 1000.0), ("failed_requests", "total", 0.0),
    ("throughput", "total", 1512.45), ("time_per_request", "mean", 0.006612),
    ("time_per_request_across", "mean", 0.000661), ("transfer_rate", "total", 251.09 * 1024),
}  # fmt: skip


def mailed(text: str, width: int, mark: str, second: str) -> str:
    """A text as a mail client breaks each of its lines; the pieces behind the first may have lost the mark."""
    lines = (line if len(line) <= width else textwrap.fill(line, width) for line in text.splitlines())
    return "".join(f"{mark}{line}\n".replace("\n", f"\n{second}", line.count("\n")) for line in lines)


@pytest.mark.parametrize(("mark", "second"), [("", ""), ("> ", "> "), ("> ", "")])
@pytest.mark.parametrize("width", [42, 45, 50, 60, 72])
def test_a_report_in_a_mail_gives_all_its_numbers(width: int, mark: str, second: str) -> None:
    text = mailed(AB, width, mark, second)
    assert max(map(len, text.splitlines())) <= width + len(mark)
    found = wp.parse_text(text)
    assert numbers(text) == STATED
    assert len(found.runs) == 1
    assert {"mended", "incomplete"} >= {*found.diagnostics["code"]}


OHA = {name: (FIXTURES / "oha" / name).read_text() for name in ("breakdown-1.16.txt", "drop-1.16.txt")}
COUNTS = {  # as the two reports state them
    "breakdown-1.16.txt": {("requests", 40.0), ("non_2xx", 14.0)},
    "drop-1.16.txt": {("failed_requests", 15.0)},
}


@pytest.mark.parametrize("name", OHA)
def test_counts_in_a_string_of_json_are_all_added(name: str) -> None:
    text = json.dumps({"level": "info", "message": OHA[name]}) + "\n"
    assert {(metric, value) for metric, _, value in numbers(text)} >= COUNTS[name]


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
@pytest.mark.parametrize("key", ["log", "message", "msg", "output"])
def test_a_whole_report_in_one_string_of_json_gives_all_its_numbers(report: str, key: str) -> None:
    lines = [{"time": f"2024-05-01T10:00:0{at}Z", key: text} for at, text in enumerate(["begun\n", report, "done\n"])]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    assert numbers(text) == numbers(report)
    assert wp.parse_text(text).runs["line"].tolist() == [2] * len(wp.parse_text(report).runs)
