"""hey's summary; expected values by hand from hey's ``requester/print.go`` and from what 0.1.4 and 0.1.5 printed."""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.samples import WRK
from tests.tools.harness import FIXTURES, numbers_of_run

MIX = (FIXTURES / "hey" / "mix-0.1.4.txt").read_text()
OVER = (FIXTURES / "hey" / "over-a-million-0.1.4.txt").read_text()  # -n 1200000 -c 20, bodies of 5 bytes
REFUSED = (FIXTURES / "hey" / "refused-0.1.4.txt").read_text()
OLD_OHA = """\
Summary:
  Total:\t0.0116 secs
  Slowest:\t0.0012 secs
  Fastest:\t0.0000 secs
  Average:\t0.0002 secs
  Requests/sec:\t25868.7435

  Total data:\t3.81 KiB
  Size/request:\t13 B
  Size/sec:\t328.13 KiB

Response time histogram:
"""


def test_two_reports_in_a_row_are_two_runs_of_equal_numbers() -> None:
    dataset = wp.parse_text(MIX + MIX)
    first, second = dataset.runs["run"]
    assert numbers_of_run(dataset, first) == numbers_of_run(dataset, second)
    assert numbers_of_run(dataset, first)["requests/total"] == 300


def test_the_command_above_labels_the_run() -> None:
    dataset = wp.parse_text(f"$ hey -n 300 -c 10 -z 5s http://127.0.0.1:18080/mix\n{MIX}")
    (run,) = dataset.runs.to_dict("records")
    assert (run["connections"], run["duration_s"], run["url"]) == (10, 5.0, "http://127.0.0.1:18080/mix")


@pytest.mark.parametrize("lines", [7, 20, 30, 41])
def test_a_report_that_is_cut_short_keeps_what_it_has_and_says_what_it_lacks(lines: int) -> None:
    dataset = wp.parse_text("\n".join(MIX.splitlines()[:lines]) + "\n")
    (run,) = dataset.runs["run"]
    assert numbers_of_run(dataset, run)["throughput/total"] == 25868.7435
    assert dataset.diagnostics.message.tolist() == ["hey: the report ends here, without its Status code distribution"]


def test_without_a_response_the_rate_of_failures_is_no_throughput() -> None:
    dataset = wp.parse_text(REFUSED)
    (run,) = dataset.runs["run"]
    assert numbers_of_run(dataset, run) == {"elapsed/total": 0.0005, "failed_requests/total": 10}
    assert dataset.diagnostics.message.tolist() == [
        "hey: all 10 requests failed: Requests/sec and the times are left out"
    ]


def test_failures_beside_responses_are_told() -> None:
    error = 'Error distribution:\n  [7]\tGet "http://h/": EOF\n  [2]\tPost "http://h/": EOF\n'
    dataset = wp.parse_text(MIX.rstrip() + "\n\n" + error)
    (run,) = dataset.runs["run"]
    assert numbers_of_run(dataset, run)["failed_requests/total"] == 9
    assert dataset.diagnostics.message.tolist() == ["hey: Requests/sec includes 9 requests that failed"]


def test_without_its_statuses_a_report_keeps_its_times_beside_failures() -> None:
    head, _, _ = MIX.partition("Status code distribution:")
    dataset = wp.parse_text(f'{head}Error distribution:\n  [7]\tGet "http://h/": EOF\n')
    (run,) = dataset.runs["run"]
    assert numbers_of_run(dataset, run)["latency/p99"] == 0.0011
    assert "hey: Requests/sec includes 7 requests that failed" in dataset.diagnostics.message.tolist()


def test_beyond_a_million_responses_the_means_are_left_out() -> None:
    """hey divides sums of 1,200,000 responses by 1,000,000: it prints 6 bytes for bodies of 5."""
    dataset = wp.parse_text(OVER)
    (run,) = dataset.runs["run"]
    numbers = numbers_of_run(dataset, run)
    assert [name for name in numbers if name.endswith("/mean") or name == "body_bytes/total"] == []
    assert (numbers["throughput/total"], numbers["latency/p99"], numbers["requests/total"]) == (15349.4834, 0.023, 1e6)
    (noted,) = dataset.diagnostics.itertuples()
    assert (noted.code, noted.line) == ("kept-responses", 43)
    assert "is 1,200,000 requests, of which hey counts the first 1,000,000 responses" in noted.message


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("15349.4834", "12791.2404"),  # · 78.1785 s = 999,999.99 to 1,000,000.0
        ("1000000 responses", "1000001 responses"),  # counted without a limit: hey 0.1.0
        ("1000000 responses", '1000000 responses\n\nError distribution:\n  [200000]\tGet "http://h/": EOF'),
    ],
)
def test_up_to_a_million_responses_hey_prints_the_true_means(old: str, new: str) -> None:
    assert old in OVER
    dataset = wp.parse_text(OVER.replace(old, new))
    (run,) = dataset.runs["run"]
    assert numbers_of_run(dataset, run)["latency/mean"] == 0.0016
    assert "kept-responses" not in set(dataset.diagnostics.code)


def test_an_old_report_of_oha_without_its_first_line_is_no_run() -> None:
    dataset = wp.parse_text(OLD_OHA)
    assert (len(dataset.runs), dataset.diagnostics.code.tolist()) == (0, [])


@pytest.mark.parametrize("text", [WRK + MIX, MIX + WRK])
def test_beside_a_report_of_wrk_each_has_its_own_numbers(text: str) -> None:
    dataset = wp.parse_text(text)
    assert sorted(dataset.runs["tool"]) == ["hey", "wrk"]
    assert dataset.diagnostics.message.tolist() == []
    found = {row.tool: numbers_of_run(dataset, row.run) for row in dataset.runs.itertuples()}
    assert (found["wrk"]["throughput/total"], found["hey"]["throughput/total"]) == (40669.44, 25868.7435)
