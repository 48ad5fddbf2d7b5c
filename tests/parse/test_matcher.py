"""Which text may stand around a report's line, and which line may follow which."""

from __future__ import annotations

import re

import pytest

import wrkparse as wp
from tests.cases import each_case
from tests.samples import WRK
from wrkparse.context.page.document import Context
from wrkparse.parse.reports.altered_lines.surroundings import is_surrounding
from wrkparse.parse.reports.assembler import ReportAssembler
from wrkparse.parse.reports.decorations import undecorated
from wrkparse.parse.reports.matcher import Matcher
from wrkparse.tools import report_tools
from wrkparse.tools.base import ReportTool
from wrkparse.tools.lines import LineSpec, ignore

TOTALS = "410759 requests in 10.10s, 72.06MB read"


@pytest.mark.parametrize(
    "front",
    [
        "", '"', "stdout:", "stdout: ", "[out] ", "(", "12. ", "3) ", "1234. ", "• ", "- ", "ok", "done!", "$ ",
        "u@h:~$ ", f"{'x' * 59}: ",
    ],
)  # fmt: skip
def test_one_word_that_touches_a_line_or_ends_in_a_sign_may_stand_in_front_of_it(front: str) -> None:
    assert is_surrounding(front, "")


@pytest.mark.parametrize(
    "front", ["two words ", "word ", "two: words: ", "3", "v1.", "1,", "a b", f"{'x' * 70}: ", f"{'x' * 70}", "1 2. "]
)
def test_prose_and_what_may_be_the_begin_of_a_number_may_not_stand_in_front(front: str) -> None:
    assert not is_surrounding(front, "")


@each_case(
    "back",
    [
        "", '"', '",', "'", "`", ";", ".", " |", "|", " │", "]", ")", "}", "\\", '\\n" +', "\\n", "\\r", "\\t", '" +',
        "</td>", "</code>", "<b>", " <- here", "<-", " ← here", " # remark", "# remark", " // remark", " (warm)", "$ ls", " u@h:~$ ls",
    ],
)  # fmt: skip
def test_signs_an_end_tag_a_remark_and_the_next_prompt_may_stand_behind_a_line(back: str) -> None:
    assert is_surrounding("", back)


@pytest.mark.parametrize("back", [" more", "more", "7", "ms", " 7", ' and "', "</a href>", "\\x", "- 3"])
def test_words_and_what_may_be_the_end_of_a_number_may_not_stand_behind(back: str) -> None:
    assert not is_surrounding("", back)


def test_what_stands_in_front_and_what_stands_behind_must_both_be_surrounding() -> None:
    assert is_surrounding("stdout:", " # total")
    assert not is_surrounding("two words ", " # total")
    assert not is_surrounding("stdout:", " in total")


def counted(text: str) -> tuple[list[float], list[str]]:
    dataset = wp.parse_text(text)
    rows = dataset.measurements
    return rows[rows.metric == "requests"].value.tolist(), dataset.diagnostics.code.tolist()


@pytest.mark.parametrize(
    ("front", "back"), [("ok:", ""), ("", " # total"), ("bench:", " <- here"), ("[out]", "</td>"), ("job!", " (cold)")]
)
def test_a_line_is_read_out_of_other_text_in_the_same_line(front: str, back: str) -> None:
    assert counted(WRK.replace(f"  {TOTALS}", front + TOTALS + back)) == ([410759.0], [])


@pytest.mark.parametrize("front", ["1'", "1’", "1_", "of the ", "there were "])
def test_a_line_in_prose_or_in_a_number_is_not_read_but_named(front: str) -> None:
    assert counted(WRK.replace(f"  {TOTALS}", front + TOTALS)) == ([], ["bad-line"])


@pytest.mark.parametrize("gap", [0, 1, 2, 3])
def test_a_line_in_other_text_counts_close_to_its_report(gap: int) -> None:
    foreign = "worker started\n" * gap
    values, _ = counted(WRK.replace(f"  {TOTALS}", f"{foreign}job:{TOTALS} # total"))
    assert values == ([410759.0] if gap <= 2 else [])


@each_case(
    "line, bare",
    [
        ("> real 1", "real 1"), ("// real 1", "real 1"), ("##  real 1", "real 1"), ("• real 1", "real 1"),
        ("| real 1 |", "real 1"), ("│ real │", "real"), ("┃ real 1 s ┃", "real 1 s"), ("| |", "|"), ("| real 1", "real 1"),
        ('"real 1",', "real 1"), ("'real 1'", "real 1"), ('" real 1 ",', "real 1"), ('" real 1"', "real 1"),
        ('"real"', "real"), ('" real ",', "real"), ('"real ",', "real"),
        ("$ real 1", "real 1"), ("host$ real 1", "real 1"), ("❯ real", "real"),
        ("#real 1", "real 1"), ("*real 1", "real 1"), (">real 1", "real 1"), ("-+real 1", "real 1"), ("jd> real 1", "real 1"),
        ("jd>real 1", "real 1"), ("//real", "real"),
        ("real 1", ""), ("-", ""), ("$", ""), (">>", ""), ("(real 1", ""), ("1 real", ""), ("real: 1", ""), ('"', ""),
    ],
)  # fmt: skip
def test_the_first_decoration_of_a_line_is_taken_off(line: str, bare: str) -> None:
    assert undecorated(line.split()) == bare.split()


@pytest.mark.parametrize("count", [1, 7, 8, 9, 20])
def test_a_line_behind_at_most_eight_decorations_is_read(count: int) -> None:
    dataset = wp.parse_text("> " * count + "Requests/sec:  10.00\n")
    assert dataset.measurements.value.tolist() == ([10.0] if count <= 8 else [])


def test_every_tool_s_words_are_looked_up_in_first_second_and_last_place() -> None:
    tools = {tool.name: tool for tool in report_tools()}
    assert {"wrk", "ab", "time"} <= tools.keys()
    text = "410759 requests in 10.10s, 72.06MB read\nRequests/sec:  40669.44\n"  # the second word, and the first
    assert set(wp.parse_text(text).measurements.metric) == {"requests", "elapsed", "bytes_read", "throughput"}
    csh = "3.226u 2.244s 0:02.61 208.8%\t0+0k 0+0io 0pf+0w\n"  # the last word
    assert wp.parse_text(csh).runs.tool.tolist() == ["time"]


@pytest.mark.parametrize("late", ["see ", "it says: ", '"', "`", "(", "the ", "a, ", "log, "])
def test_a_first_line_behind_prose_or_an_opening_sign_begins_nothing(late: str) -> None:
    text = f"text {late}Running 10s test @ http://h/\n"
    assert (len(wp.parse_text(text).runs), wp.parse_text(text).diagnostics.code.tolist()) == (0, [])


@pytest.mark.parametrize("end", [*"w7_.:!?)]}>$%#", ": ", "] ", "$ "])
def test_a_first_line_behind_the_end_of_other_output_begins_a_report(end: str) -> None:
    dataset = wp.parse_text(f"log/of-it{end}{WRK}")
    assert dataset.runs[["line", "url"]].to_numpy().tolist() == [[1, "http://10.0.1.70:8080/hello"]]


def test_a_first_line_that_goes_on_differently_does_not_begin_a_report_late() -> None:
    assert len(wp.parse_text("done.Running 10s test @\n" + WRK[WRK.index("  8 threads") :]).runs) == 1
    assert wp.parse_text("done.Running 10 tests @ http://h/\n").diagnostics.code.tolist() == []


def test_of_a_tools_specs_the_first_in_its_table_wins_whatever_word_finds_it() -> None:
    by_last_word = LineSpec("first", ("end",), re.compile("begin .* end"), 0, ignore, sign="begin")
    by_first_word = LineSpec("second", ("begin",), re.compile("begin .*"), 0, ignore)
    for lines in ((by_last_word, by_first_word), (by_first_word, by_last_word)):
        matcher = Matcher([ReportTool("new", (), lines, frozenset())])
        match = ReportAssembler("x.log", Context(()), matcher).match(["begin", "1", "end"])
        assert match is not None
        assert match[1] is lines[0]
