"""Where a report ends, and what is kept of it."""

from __future__ import annotations

import json

import pytest

import wrkparse as wp
from tests.analysis.audit.reports import AB
from tests.samples import WRK
from wrkparse.context.page.document import Context
from wrkparse.parse.items import Run
from wrkparse.parse.reports.assembler import ReportAssembler
from wrkparse.parse.reports.matcher import Matcher
from wrkparse.text.normalize import NormalizedLine
from wrkparse.tools import report_tools

HEADER = "Running 10s test @ http://10.0.1.70:8080/hello\n"
REST = WRK.removeprefix(HEADER)


def assembler() -> ReportAssembler:
    return ReportAssembler("x.log", Context(report_tools()), Matcher(report_tools()))


@pytest.mark.parametrize("gap", [1, 199, 200, 201, 300])
def test_two_hundred_lines_of_others_interrupt_a_report_and_one_more_ends_it(gap: int) -> None:
    dataset = wp.parse_text(HEADER + "worker ready\n" * gap + REST)
    one = gap <= 200
    assert dataset.runs.line.tolist() == [1 if one else gap + 2]
    assert dataset.diagnostics.code.tolist() == ([] if one else ["fragment"])
    assert dataset.runs.line_end.tolist() == [gap + 8]


def test_lines_of_others_are_counted_anew_behind_each_line_of_the_report() -> None:
    lines = WRK.splitlines(keepends=True)
    assert wp.parse_text(("worker ready\n" * 150).join(lines)).runs.line.tolist() == [1]


@pytest.mark.parametrize("between", ["# Results\n", "$ ./other\n"])
def test_a_heading_and_a_command_end_a_report_at_once(between: str) -> None:
    lines = WRK.splitlines(keepends=True)
    dataset = wp.parse_text("".join(lines[:5]) + between + "".join(lines[5:]))
    assert dataset.runs[["line", "line_end"]].to_numpy().tolist() == [[1, 5], [7, 9]]


def test_a_line_that_can_t_be_read_is_shown_up_to_a_hundred_characters() -> None:
    line = "    Latency   193.32us   51.20us   " + "x" * 200
    (message,) = wp.parse_text(
        WRK.replace("    Latency   193.32us   51.20us   1.57ms   83.29%", line)
    ).diagnostics.message
    assert line.strip()[:100] in message
    assert line.strip()[:101] not in message


def test_twenty_thousand_lines_of_other_streams_interrupt_a_report_and_one_more_ends_it() -> None:
    """The report of kiwi waits for a line longer than that of emu."""
    head, rest = ([f"{{0}} | {line}\n" for line in part.splitlines()] for part in (HEADER, REST))
    text = "".join(head).format("kiwi") + "moa | ready\n" + "".join(head).format("emu") + "moa | ready\n" * 20_000
    dataset = wp.parse_text(text + "".join(rest).format("kiwi") + "".join(rest).format("emu"))
    spans = dataset.runs[["process", "line", "line_end"]].to_numpy().tolist()
    assert sorted(spans) == [["emu", 3, 20_017], ["kiwi", 20_004, 20_010]]


def test_of_a_long_report_four_hundred_lines_are_stored_and_all_are_read() -> None:
    row = "  Thread calibration: mean lat.: {}.000ms, rate sampling interval: 10ms\n"
    threads = "  500 threads and 500 connections\n"
    text = HEADER + threads + "".join(row.format(n) for n in range(500)) + REST[REST.index("  Thread Stats") :]
    dataset = wp.parse_text(text)
    assert len(dataset.texts) == 400
    assert dataset.texts.text.tolist() == text.splitlines()[:400]
    assert dataset.runs.line_end.tolist() == [508]
    assert (dataset.measurements.metric == "calibration_latency").sum() == 500


def test_reports_in_one_line_are_runs_of_their_own_with_names_that_last() -> None:
    line = json.dumps({"output": WRK * 3})
    first, again = wp.parse_text(line + "\n"), wp.parse_text(line + "\nmore\n")
    assert first.runs.line.tolist() == [1, 1, 1]
    assert first.runs.run.nunique() == 3
    assert first.runs.run.tolist() == again.runs.run.tolist()


def test_the_same_report_in_two_lines_has_a_name_for_each_line() -> None:
    line = json.dumps({"output": WRK})
    dataset = wp.parse_text(f"{line}\n{line}\n")
    assert dataset.runs.line.tolist() == [1, 2]
    assert dataset.runs.run.nunique() == 2
    assert dataset.runs.run.tolist()[:1] == wp.parse_text(line + "\n").runs.run.tolist()


def test_a_report_has_the_time_in_front_of_its_own_lines() -> None:
    stamped = "".join(f"2024-01-31T07:08:{second:02}Z {line}\n" for second, line in enumerate(WRK.splitlines()))
    text = "2024-01-31T06:00:00Z start\n" + stamped + "2024-01-31T09:00:00Z end\n"
    (run,) = wp.parse_text(text).runs.itertuples()
    assert str(run.logged_from) == "2024-01-31 07:08:00"
    assert str(run.logged_to) == "2024-01-31 07:08:07"


WIDE = WRK.replace(
    "  410759 requests in 10.10s, 72.06MB read\n", "  Socket errors: connect 1, read 2, write 3, timeout 40\n"
)


@pytest.mark.parametrize(
    "wrapped",
    [
        "  Socket errors: connect 1, read 2, write\n3, timeout 40\n",
        "  Socket errors: connect 1, read 2, writ\ne 3, timeout 40\n",
    ],
)
def test_a_wrapped_line_is_put_together_and_noted(wrapped: str) -> None:
    text = WIDE.replace("  Socket errors: connect 1, read 2, write 3, timeout 40\n", wrapped)
    dataset = wp.parse_text(text)
    rows = dataset.measurements
    errors = rows[rows.metric.str.startswith("errors_")]
    assert dict(zip(errors.metric, errors.value, strict=True)) == {
        "errors_connect": 1, "errors_read": 2, "errors_write": 3, "errors_timeout": 40,
    }  # fmt: skip
    assert set(errors.line) == {6}
    assert dataset.diagnostics[["line", "code"]].to_numpy().tolist() == [[6, "mended"]]
    assert "6 to 7" in dataset.diagnostics.message[0]
    assert dataset.texts.text.tolist() == text.splitlines()


def test_a_line_that_was_cut_within_a_number_or_between_two_is_not_put_together() -> None:
    """As a terminal wraps at its last column: "timeout 4" and "0", or "timeout 4 0", who knows."""
    text = WIDE.replace("write 3, timeout 40\n", "write 3, timeout 4\n0\n")
    errors = wp.parse_text(text).measurements
    assert errors[errors.metric == "errors_timeout"].value.tolist() == [4.0]


def test_a_line_is_not_put_together_with_one_behind_the_next() -> None:
    wrapped = "  Socket errors: connect 1, read 2, write\nworker ready\n3, timeout 40\n"
    rows = wp.parse_text(
        WIDE.replace("  Socket errors: connect 1, read 2, write 3, timeout 40\n", wrapped)
    ).measurements
    assert not rows.metric.str.startswith("errors_").any()


def test_a_line_that_is_too_short_for_the_next_word_was_not_wrapped() -> None:
    """Whoever wraps at less than 40 columns would have put the next word, or half of it, into the first line."""
    wrapped = "  Socket errors: connect 1,\nread 2, write 3, timeout 40\n"
    dataset = wp.parse_text(WIDE.replace("  Socket errors: connect 1, read 2, write 3, timeout 40\n", wrapped))
    assert not dataset.measurements.metric.str.startswith("errors_").any()


def test_a_line_that_may_be_put_together_in_two_ways_is_not_guessed() -> None:
    texts = enumerate(("Requests/sec: 10.", "00"), 1)
    pieces = [NormalizedLine(number, text, text, text) for number, text in texts]
    one, other, neither = "Requests/sec: 10.00".split(), "Requests/sec: 10.01".split(), "Requests/sec: 10. 00".split()
    for ways in ([one, other], [neither], [one, neither, other], []):
        assert assembler().accept_joined(ways, pieces) is None
    for ways in ([one], [neither, one], [one, neither]):
        taken = assembler()
        assert taken.accept_joined(ways, pieces) == []
        (run,) = (item for item in taken.close() if isinstance(item, Run))
        assert (run.line, run.line_end, run.numbers.values) == (1, 2, (10.0,))


ERRORS = "  Socket errors: connect 0, read 1, write 0, timeout 2\n"
NON_2XX = "  Non-2xx or 3xx responses: 5\n"


def test_non_2xx_responses_in_front_of_socket_errors_are_of_one_report() -> None:
    head, rates = WRK[: WRK.index("Requests/sec")], WRK[WRK.index("Requests/sec") :]
    data = wp.parse_text(f"{head}{NON_2XX}{ERRORS}{rates}")
    found = data.measurements.set_index("metric")["value"]
    assert (len(data.runs), found["non_2xx"], found["errors_timeout"], found["throughput"]) == (1, 5, 2, 40669.44)
    assert data.diagnostics.empty
    twice = wp.parse_text(f"{head}{ERRORS}{NON_2XX}{rates}{ERRORS}{NON_2XX}{rates}").runs
    assert twice["line"].tolist() == [1, 11]  # the second report has no head


@pytest.mark.parametrize(
    "moved", [["Total transferred"], ["HTML transferred"], ["Total transferred", "HTML transferred"]]
)
@pytest.mark.parametrize("behind", ["Requests per second", "Transfer rate"])
def test_bytes_behind_the_rates_are_of_one_report(moved: list[str], behind: str) -> None:
    lines = AB.splitlines(keepends=True)
    taken = [line for line in lines if line.startswith(tuple(moved))]
    rest = [line for line in lines if line not in taken]
    at = next(place for place, line in enumerate(rest) if line.startswith(behind)) + 1
    found = [wp.parse_text("".join(text)) for text in (lines, [*rest[:at], *taken, *rest[at:]])]
    assert [len(data.runs) for data in found] == [1, 1]
    values = [data.measurements.set_index(["metric", "stat"])["value"].to_dict() for data in found]
    assert values[0] == values[1]
    both = wp.parse_text("".join([*rest[:at], *taken, *rest[at:]]) + AB)
    assert len(both.runs) == 2
