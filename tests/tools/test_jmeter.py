"""JMeter's file of samples and its summary.

What the fixtures expect of the samples was computed from the same file by JMeter 5.6.3 itself: read by
``CSVSaveService`` and ``SaveService``, summed up by ``Calculator`` and ``SamplingStatCalculator``, which its Summary
Report and Aggregate Report show.
"""

from __future__ import annotations

import csv
import random
import tracemalloc
from itertools import chain
from pathlib import Path

import pandas as pd
import pytest

import wrkparse as wp
from tests.samples import WRK
from tests.tools.harness import FIXTURES
from wrkparse.parse.checkpoint import Checkpoint, freeze, thaw
from wrkparse.parse.items import Diagnostic, Run
from wrkparse.parse.parser import SourceParser
from wrkparse.testing import lacks
from wrkparse.testing.reading import differences
from wrkparse.tools import jmeter
from wrkparse.tools.jmeter import samples, xml

CASES = sorted(path for path in (FIXTURES / "jmeter").glob("*") if path.suffix in {".txt", ".log"})
SAMPLES = (FIXTURES / "jmeter" / "samples-5.6.log").read_text()
XML = (FIXTURES / "jmeter" / "samples-xml-5.6.log").read_text()
HEAD = SAMPLES.partition("\n")[0]
SHORT = "timeStamp,elapsed,label,success"
NUMBERS = "summary {} {} in 00:00:{:02d} = 50.0/s Avg: 12 Min: 3 Max: 98 Err: 1 (0.20%)"


def stats(dataset: wp.Dataset, line: int = 1) -> dict[str, float]:
    """The numbers of the run at a line."""
    run = dataset.runs.loc[dataset.runs["line"] == line, "run"].item()
    rows = dataset.measurements
    return {f"{row.metric}/{row.stat}": row.value for row in rows[rows["run"] == run].itertuples()}


def rows(*times: int, label: str = "a", begin: int = 1_700_000_000_000, ok: str = "true") -> str:
    return "".join(f"{begin + 10 * at},{time},{label},{ok}\n" for at, time in enumerate(times))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_real_output_is_read_exactly(case: Path) -> None:
    assert list(differences("jmeter", case)) == []


def test_the_tool_lacks_nothing() -> None:
    assert lacks(jmeter, FIXTURES / "jmeter") == []


def test_one_label_alone_has_no_total() -> None:
    dataset = wp.parse_text(f"{SHORT}\n{rows(1, 2, 3)}")
    assert dataset.runs["request"].tolist() == ["a"]
    assert stats(dataset, 2)["throughput/total"] == 3 / 0.023  # the last one begins at 20 ms and takes 3


def test_a_rate_is_as_exact_as_milliseconds_allow() -> None:
    found = wp.parse_text(f"{SHORT}\n{rows(1, 2, 3)}").measurements.set_index("metric")["resolution"]
    assert (found["elapsed"], found["throughput"]) == (0.001, pytest.approx(3 / 0.023 / 23))


def test_samples_without_a_duration_have_no_rate() -> None:
    assert not {"elapsed/total", "throughput/total"} & stats(wp.parse_text(f"{SHORT}\n{rows(0)}"), 2).keys()
    found = stats(wp.parse_text(f"{SHORT}\n{rows(1)}"), 2)
    assert (found["elapsed/total"], found["throughput/total"]) == (0.001, 1000)


def test_without_their_column_the_threads_are_not_known() -> None:
    assert "connections" not in wp.parse_text(f"{SHORT}\n{rows(1)}").runs


@pytest.mark.parametrize(("share", "place"), [("p50", 5), ("p90", 9), ("p95", 10), ("p99", 10)])
def test_a_percentile_is_the_time_that_the_rounded_share_of_samples_did_not_exceed(share: str, place: int) -> None:
    times = [10 * at for at in range(1, 11)]  # round(9.5) and round(9.9) are 10
    random.Random(7).shuffle(times)
    dataset = wp.parse_text(f"{SHORT}\n{rows(*times)}")
    assert stats(dataset, 2)[f"latency/{share}"] == place * 10 / 1000


def test_of_one_sample_each_percentile_is_its_time() -> None:
    assert stats(wp.parse_text(f"{SHORT}\n{rows(7)}"), 2)["latency/p50"] == 0.007


def test_total_leaves_out_transactions_unless_there_is_nothing_else() -> None:
    head = "timeStamp,elapsed,label,responseMessage"
    message = '"Number of samples in transaction : 1, number of failing samples : 0"'
    of_requests = f"1700000000000,5,a,OK\n1700000000000,6,buy,{message}\n"
    assert stats(wp.parse_text(f"{head}\n{of_requests}"))["requests/total"] == 1
    of_transactions = f"1700000000000,5,sell,{message}\n1700000000000,6,buy,{message}\n"
    assert stats(wp.parse_text(f"{head}\n{of_transactions}"))["requests/total"] == 2


def test_samples_counted_together_share_their_mean_time() -> None:
    text = "timeStamp,elapsed,label,success,SampleCount,ErrorCount\n1700000000000,11,a,true,4,1\n1700000000020,9,a,true,1,0\n"
    found = stats(wp.parse_text(text), 2)
    assert (found["requests/total"], found["unexpected_responses/total"]) == (5, 1)
    assert found["latency/mean"] == 0.004  # 20 / 5
    assert (found["latency/min"], found["latency/p50"], found["latency/max"]) == (0.002, 0.002, 0.009)  # 11 / 4, cut


@pytest.mark.parametrize(
    ("counted", "stdev"),
    [
        ([(11, 4), (9, 1)], 2.5),  # of 5, whose mean is 4 and whose squares are 11 * 11 / 4 + 9 * 9: 22.25 - 16
        ([(7, 2), (5, 1)], 0.5**0.5),  # of 3, whose mean is 4 and whose squares are 7 * 7 / 2 + 5 * 5: 16.5 - 16
    ],
)
def test_the_square_of_samples_counted_together_is_that_of_their_time_by_their_number(
    counted: list[tuple[int, int]], stdev: float
) -> None:
    """As ``addValue`` of ``org/apache/jorphan/math/StatCalculator.java`` adds it up."""
    text = "".join(f"1700000000000,{time},a,true,{count}\n" for time, count in counted)
    found = stats(wp.parse_text(f"{SHORT},SampleCount\n{text}"), 2)
    assert (found["latency/mean"], found["latency/stdev"]) == (0.004, pytest.approx(stdev / 1000, rel=1e-12))


@pytest.mark.parametrize("by", [";", "\t", "|"])
def test_cells_may_be_parted_by_another_sign(by: str) -> None:
    text = f"{SHORT}\n{rows(4, 6)}".replace(",", by)
    assert stats(wp.parse_text(text), 2)["latency/mean"] == 0.005


@pytest.mark.parametrize(
    "stamps",
    [
        ("2026/11/23 23:59:59.900", "2026/11/24 00:00:00.100"),
        ("2026-11-23 23:59:59.900", "2026-11-24 00:00:00.100"),
    ],
)
def test_a_time_stamp_may_be_a_date(stamps: tuple[str, str]) -> None:
    text = "".join(f"{stamp},300,a,true\n" for stamp in stamps)
    assert stats(wp.parse_text(f"{SHORT}\n{text}"), 2)["elapsed/total"] == 0.5


def test_dates_in_seconds_give_a_coarse_rate() -> None:
    text = "11/23/26 10:00:00,300,a,true\n11/23/26 10:00:04,1000,a,true\n"
    rows_ = wp.parse_text(f"{SHORT}\n{text}").measurements.set_index(["metric", "stat"])
    rate = rows_.loc[("throughput", "total")]
    assert (rate["value"], rate["resolution"]) == (0.4, 0.4 / 5)


def test_a_quoted_cell_may_hold_lines_commas_and_marks() -> None:
    row = '1700000000000,5,"a ""b"", c",false,"expected:\n\n<ok>,\n17"\n'
    dataset = wp.parse_text(f"{SHORT},failureMessage\n{row}{row}")
    assert dataset.runs["request"].tolist() == ['a "b", c']
    assert dataset.runs[["line", "line_end"]].to_numpy().tolist() == [[2, 6]]
    assert dataset.texts["text"].tolist() == [row.partition("\n")[0]] * 2
    assert stats(dataset, 2)["unexpected_responses/total"] == 2
    assert dataset.diagnostics.empty


def test_rows_that_can_not_be_read_are_told_and_cost_themselves() -> None:
    torn = '1700000000000,5,a\n1700000000000,x,a,true\n1700000000001,5,"a\nb"\n1700000000002,5,a"b,true\n",\n1700000000000,5,"a\n'
    dataset = wp.parse_text(f"{SHORT}\n{rows(1)}{torn}{rows(3)}")
    assert stats(dataset, 2)["requests/total"] == 2
    assert dataset.diagnostics["line"].tolist() == [3, 4, 5, 7, 9]
    assert [text.partition(": ")[2] for text in dataset.diagnostics["message"]] == [
        "4 cells belong here, not 3: 1700000000000,5,a", "'x' is not whole milliseconds: 1700000000000,x,a,true",
        '4 cells belong here, not 3: 1700000000001,5,"a',
        'its quotation marks don\'t match: 1700000000002,5,a"b,true',
        'the row is cut off: 1700000000000,5,"a',
    ]  # fmt: skip


@pytest.mark.parametrize("more", [0, 1])
def test_a_row_is_kept_while_its_cell_goes_on_up_to_a_mebibyte(more: int) -> None:
    begin, size = '1700000000000,5,a,false,"', 1 << 20
    cell = f'{begin}{"x" * (size // 2 - len(begin))}\n{"y" * (size // 2 + more)}\n"\n'
    good = "1700000000010,3,a,true,\n"
    dataset = wp.parse_text(f"{SHORT},failureMessage\n{good}{cell}{good}")
    assert stats(dataset, 2)["requests/total"] == (1 if more else 3)
    assert csv.field_size_limit() == 1 << 17  # Python's, for other code in the process
    told = [text.partition(": ")[2].partition(":")[0] for text in dataset.diagnostics["message"]]
    assert told == (["the row is cut off"] if more else [])


def test_a_longer_cell_is_told_as_what_it_is() -> None:
    """A mebibyte is the most for a cell within one line, too; its quotation marks are right."""
    rows_of_cells = [f'1700000000000,5,a,false,"{"x" * ((1 << 20) + more)}"\n' for more in (0, 1)]
    dataset = wp.parse_text(f"{SHORT},failureMessage\n{''.join(rows_of_cells)}")
    assert stats(dataset, 2)["requests/total"] == 1
    assert dataset.diagnostics["line"].tolist() == [3]
    assert dataset.diagnostics["message"][0] == f"jmeter: a cell is too long: {rows_of_cells[1][:60]}"


@pytest.mark.parametrize("more", [0, 1])
def test_a_head_has_up_to_four_thousand_bytes(more: int) -> None:
    """Bytes in UTF-8: with names that are not in ASCII it may have more of them."""
    head = SHORT + f",{'é' * 60}" * 32 + f",{'d' * 48},{'e' * (47 + more)}"  # 31 + 32 * 121 + 49 + 48
    assert len(head.encode()) == 4000 + more
    row = "1700000000000,5,a,true" + "," * (head.count(",") - 3) + "\n"
    assert len(wp.parse_text(f"{head}\n{row}").runs) == 1 - more


def test_many_such_rows_are_counted() -> None:
    dataset = wp.parse_text(f"{SHORT}\n" + "1700000000000,x,a,true\n" * 30 + rows(3))
    assert len(dataset.diagnostics) == 6
    assert "25 more rows" in dataset.diagnostics["message"].iloc[-1]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_all_lines_of_a_file_at_the_end_are_of_the_tool(end: str) -> None:
    reader = SourceParser("x.csv")
    list(chain(reader.feed(f"{SHORT}{end}{rows(1, 2)}".encode()), reader.finish()))
    assert (reader.lines, reader.lines_claimed) == (3, 3)


@pytest.mark.parametrize("front", ["", "> ", "    "])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_it_may_stand_between_other_text(front: str, end: str) -> None:
    file = "".join(f"{front}{line}{end}" for line in f"{SHORT}\n{rows(1, 2)}".splitlines())
    dataset = wp.parse_text(f"{WRK}\n## GOGC=50\n{file}\n{WRK}")
    assert dataset.runs["tool"].tolist() == ["wrk", "jmeter", "wrk"]
    assert "GOGC=50" in dataset.runs["section"].tolist()[1]
    lines = WRK.count("\n") + 2
    assert dataset.runs["line"].tolist()[1] == lines + 2


def test_two_files_in_one_text_are_two_tests() -> None:
    dataset = wp.parse_text(f"{SHORT}\n{rows(1, 2)}{SHORT}\n{rows(3)}")
    assert dataset.runs["line"].tolist() == [2, 5]


def test_files_of_both_kinds_in_one_text_are_read_in_their_order() -> None:
    rows_, elements = f"{SHORT}\n{rows(1, 2)}", document(sample(9), sample(7))
    for text, lines in ((f"{rows_}{elements}", [2, 6]), (f"{elements}{rows_}", [3, 7])):
        assert wp.parse_text(text).runs["line"].tolist() == lines


def test_a_file_below_a_command_with_a_format_is_read() -> None:
    text = f"$ TIMEFORMAT='took %R'; time ./a\n{SHORT}\n{rows(1, 2)}took 1.234\n"
    dataset = wp.parse_text(text)
    assert dataset.runs[["tool", "line"]].to_numpy().tolist() == [["jmeter", 3], ["time", 5]]


def test_a_head_without_rows_is_no_run() -> None:
    assert wp.parse_text(f"{HEAD}\n\nfor example\n").runs.empty


def test_without_a_response_only_counts_stay() -> None:
    text = "timeStamp,elapsed,label,responseCode,success\n"
    text += "1700000000000,0,a,Non HTTP response code: java.net.ConnectException,false\n" * 2
    dataset = wp.parse_text(text)
    assert set(stats(dataset, 2)) == {"requests/total", "unexpected_responses/total"}
    assert dataset.diagnostics["code"].tolist() == ["failed-requests"]


WITHOUT_HEAD = (FIXTURES / "jmeter" / "samples-without-head-5.6.log").read_text()


CUT_OBJECT = (FIXTURES / "autocannon" / "json-9.0.0.log").read_text()[:200].replace("\n", "") + "\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{WRK}{SAMPLES}{WRK}",
        f"{WRK}{XML}{WRK}",
        f"{WITHOUT_HEAD}{WRK}",
        f"{CUT_OBJECT}{XML}{WRK}",
        f"{WRK}{CUT_OBJECT}{SAMPLES}{WRK}{SAMPLES}",
    ],
)
def test_a_file_is_read_alike_in_blocks_of_any_size_and_when_it_grows(text: str) -> None:
    lines = text.encode().splitlines(keepends=True)
    whole = SourceParser("x")
    expected = [*whole.feed(text.encode()), *whole.finish()]
    reader, found = SourceParser("x"), []
    for at in range(0, len(lines), 7):
        found += reader.feed(b"".join(lines[at : at + 7]))
        kept = freeze(Checkpoint(reader, 0))
        assert kept is not None
        again = thaw(kept)
        assert again is not None
        reader = again.parser
    assert list(chain(found, reader.finish())) == expected


def test_memory_does_not_grow_with_the_rows() -> None:
    block = rows(*(random.Random(3).choices(range(2000), k=5000))).encode()
    reader = SourceParser("x")
    list(reader.feed(f"{SHORT}\n".encode() + block))
    tracemalloc.start()
    for _ in range(10):
        list(reader.feed(block))
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 200_000


def test_labels_above_the_limit_are_in_the_total(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "_MOST_LABELS", 2)
    dataset = wp.parse_text(f"{SHORT}\n" + "".join(rows(5 + at, label=label) for at, label in enumerate("abcd")))
    assert dataset.runs["request"].tolist() == ["TOTAL", "a", "b"]
    assert stats(dataset)["requests/total"] == 4
    assert dataset.diagnostics["line"].tolist() == [4]


def test_a_thousand_labels_are_runs_of_their_own() -> None:
    table = samples.CsvTable(SHORT, 1)
    for line in range(1002):
        table.add(["1700000000000", "5", f"label {line}", "true"], line, "")
    assert len(list(table.runs())) == 1001  # and one for all


def test_too_many_different_times_cost_the_percentiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "_MOST_TIMES", 3)
    monkeypatch.setattr(samples, "_CHECKED_EVERY", 4)
    dataset = wp.parse_text(f"{SHORT}\n{rows(1, 2, 3, 6, 8)}")
    found = stats(dataset, 2)
    assert {stat for stat in found if stat.startswith("latency")} == {
        f"latency/{s}" for s in ("mean", "stdev", "min", "max")
    }
    assert (found["latency/mean"], found["latency/min"], found["latency/max"]) == (0.004, 0.001, 0.008)
    assert found["latency/stdev"] == pytest.approx(pd.Series([1, 2, 3, 6, 8]).std(ddof=0) / 1000, rel=1e-12)


def test_that_is_looked_at_after_every_so_many_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """After four rows there are three times, and after six rows nobody looks."""
    monkeypatch.setattr(samples, "_MOST_TIMES", 3)
    monkeypatch.setattr(samples, "_CHECKED_EVERY", 4)
    assert stats(wp.parse_text(f"{SHORT}\n{rows(1, 2, 3, 3, 6, 8)}"), 2)["latency/p50"] == 0.003


def test_times_that_were_dropped_are_missing_in_the_total_and_in_each_label(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "_MOST_TIMES", 3)
    monkeypatch.setattr(samples, "_CHECKED_EVERY", 5)
    dataset = wp.parse_text(f"{SHORT}\n{rows(0, label='b')}{rows(1, 2, 3, 6)}")
    wanted = {1: (0, 0.006, 0.0024), 2: (0, 0, 0), 3: (0.001, 0.006, 0.003)}  # TOTAL, b, a
    for line, (least, most, mean) in wanted.items():
        found = stats(dataset, line)
        assert (found["latency/min"], found["latency/max"], found["latency/mean"]) == (least, most, mean)
        assert "latency/p50" not in found


@pytest.mark.parametrize("more", [0, 1])
def test_a_million_different_times_are_kept(more: int) -> None:
    table = samples.CsvTable(SHORT, 1)
    table.add(["1700000000000", "0", "a", "true"], 2, "")
    table._groups["a"].times.update(range((1 << 20) + more))
    table._rows = (1 << 16) - 1
    table.add(["1700000000000", "0", "a", "true"], 3, "")
    assert table._groups["a"].folded == bool(more)


def test_the_last_line_of_the_whole_is_the_run() -> None:
    lines = [NUMBERS.format("+", 500, 10), NUMBERS.format("+", 300, 20), NUMBERS.format("=", 800, 30)]
    dataset = wp.parse_text("\n".join([*lines, "Tidying up ...    @ 2026 Nov 23 13:12:41 UTC (1795439561478)", ""]))
    assert stats(dataset)["requests/total"] == 800
    assert dataset.diagnostics.empty


def test_the_first_part_is_the_whole_so_far_and_two_parts_are_not() -> None:
    one, two = NUMBERS.format("+", 500, 10), NUMBERS.format("+", 300, 20)
    assert stats(wp.parse_text(f"{one}\n"))["requests/total"] == 500
    cut = wp.parse_text(f"{one}\n{two}\n")
    assert "the parts of a test are left out" in cut.diagnostics["message"].str.cat()
    assert cut.measurements.empty


def test_another_summary_without_its_beginning_is_left_out() -> None:
    dataset = wp.parse_text(f"{NUMBERS.format('=', 800, 30)}\n{NUMBERS.format('=', 500, 10)}\n")
    assert stats(dataset)["requests/total"] == 800
    assert dataset.diagnostics["line"].tolist()[0] == 2


def test_a_test_that_shows_its_beginning_and_not_its_end_was_cut_off() -> None:
    text = f"Starting standalone test @ 2026 Nov 23 13:12:40 UTC (1795439560395)\n{NUMBERS.format('=', 800, 30)}\n"
    items = list(chain((reader := SourceParser("x")).feed(text.encode()), reader.finish()))
    assert [item.severity for item in items if isinstance(item, Diagnostic)] == ["warning"]
    assert [item.line for item in items if isinstance(item, Run)] == [1]


def test_a_rate_before_the_first_millisecond_is_missing() -> None:
    found = stats(wp.parse_text(NUMBERS.format("=", 1, 0).replace("50.0", "******") + "\n"))
    assert "throughput/total" not in found
    assert found["latency/mean"] == 0.012


@pytest.mark.parametrize("text", [SAMPLES, XML, WITHOUT_HEAD])
def test_whether_arrivals_or_threads_sent_the_requests_is_not_known(text: str) -> None:
    assert wp.parse_text(text).runs["loop"].isna().all()


def document(*elements: str, last: str = "</testResults>\n") -> str:
    return '<?xml version="1.0" encoding="UTF-8"?>\n<testResults version="1.2">\n' + "\n".join([*elements, last])


def sample(time: int, label: str = "a", more: str = "", end: str = "/>") -> str:
    return f'<httpSample t="{time}" ts="1700000000000" s="true" lb="{label}"{more}{end}'


def test_what_a_request_fetches_besides_is_part_of_it() -> None:
    page = [
        sample(9, "page", end=">"),
        sample(4, "page-0"),
        sample(5, "page-1", end=">"),
        "</httpSample>",
        "</httpSample>",
    ]
    dataset = wp.parse_text(document(*page, sample(7, "other")))
    assert dataset.runs["request"].tolist() == ["TOTAL", "page", "other"]
    assert stats(dataset, 2)["requests/total"] == 2


def test_text_of_a_response_is_no_sample() -> None:
    data = (
        '<responseData class="java.lang.String">Requests/sec: 4\n\n&lt;httpSample t=&quot;1&quot;/&gt;\n</responseData>'
    )
    dataset = wp.parse_text(document(sample(9, end=">"), data, "</httpSample>", sample(3)))
    assert dataset.runs["tool"].tolist() == ["jmeter"]
    assert stats(dataset, 3)["requests/total"] == 2


@pytest.mark.parametrize("end", ["```\n", "Then with wrk:\n", "```\n\n# wrk\n\n"])
def test_what_stands_behind_a_part_of_a_document_is_read(end: str) -> None:
    part = document(sample(9), sample(3), last="")
    dataset = wp.parse_text(f"```\n{part}{end}{WRK}")
    assert sorted(dataset.runs["tool"]) == ["jmeter", "wrk"]
    assert dataset.diagnostics["code"].tolist() == ["incomplete"]


def test_a_block_of_code_may_end_within_an_element() -> None:
    part = document(sample(9), sample(3, end=">"), last="")
    assert sorted(wp.parse_text(f"```\n{part}```\n{WRK}").runs["tool"]) == ["jmeter", "wrk"]


def test_characters_that_xml_escapes_are_those_of_the_label() -> None:
    dataset = wp.parse_text(document(sample(9, "a &lt;&quot;b&quot;&gt;&#xa;&amp;amp;")))
    assert dataset.runs["request"].tolist() == ['a <"b">\n&amp;']


def test_samples_in_xml_may_stand_for_several() -> None:
    dataset = wp.parse_text(document(sample(11, more=' sc="4" ec="1"')))
    found = stats(dataset, 3)
    assert (found["requests/total"], found["unexpected_responses/total"], found["latency/min"]) == (4, 1, 0.002)


def test_a_document_that_ends_too_early_is_told() -> None:
    dataset = wp.parse_text(document(sample(9), sample(3), last='<httpSample t="4" ts="17000'))
    assert stats(dataset, 3)["requests/total"] == 2
    assert dataset.diagnostics[["line", "code"]].to_numpy().tolist() == [[2, "incomplete"], [5, "bad-line"]]


def test_two_documents_in_one_text_are_two_tests() -> None:
    cut = document(sample(9), last="")
    dataset = wp.parse_text(f"{cut}{document(sample(3), sample(4))}{WRK}")
    assert dataset.runs["tool"].tolist() == ["jmeter", "jmeter", "wrk"]
    assert dataset.runs["line"].tolist()[:2] == [3, 6]
    assert dataset.diagnostics["code"].tolist() == ["incomplete"]


def test_an_element_that_never_ends_costs_bounded_memory() -> None:
    table = xml.XmlTable('<testResults version="1.2">', 1)
    for line in range(10_000):
        table.take(sample(9, end=">"), line)
    assert len(table._around) == 100


# The columns of a row by default, which differ in what stands between `success` and the end
ROW = "1700000000000,5,a,200,OK,users 1-1,text,true"


@pytest.mark.parametrize(
    ("more", "read", "sent"),
    [
        (",117,2,3,4", 117, None),  # JMeter 2.13
        (",,117,2,3,4,0", 117, None),  # 3.0
        (",,117,118,2,3,4,0,1", 117, 118),  # 3.1 to 4.0
        (",,117,118,2,3,http://127.0.0.1/?a=b,4,0,1", 117, 118),  # from 5.0 on
    ],
)
def test_without_a_head_the_columns_are_those_of_a_version(more: str, read: int, sent: int | None) -> None:
    dataset = wp.parse_text(f"{ROW}{more}\n" * 2)
    found = stats(dataset)
    assert (found["requests/total"], found["latency/mean"], found["bytes_read/total"]) == (2, 0.005, 2 * read)
    assert found.get("bytes_sent/total") == (None if sent is None else 2 * sent)
    assert dataset.runs["connections"].tolist() == [3]
    assert dataset.diagnostics[["severity", "code"]].to_numpy().tolist() == [["note", "no-head"]]


@pytest.mark.parametrize("more", [",117", ",117,118,4,1", ",a,b,c,d", ",,117,118,2,3,x,4,0,1"])
def test_of_other_columns_without_a_head_only_the_first_are_read(more: str) -> None:
    found = stats(wp.parse_text(f"{ROW}{more}\n"))
    assert (found["requests/total"], found["latency/mean"], found["unexpected_responses/total"]) == (1, 0.005, 0)
    assert not any(name.startswith("bytes") for name in found)


@pytest.mark.parametrize(
    "row",
    [
        "1700000000000,5,a,200,OK,users,text,true,117,2,3,4",  # no thread
        "1700000000000,5,a,200,OK,users 1-1,text,yes,117,2,3,4",
        "170000000000,5,a,200,OK,users 1-1,text,true,117,2,3,4",  # twelve digits
        "1700000000000,5.5,a,200,OK,users 1-1,text,true,117,2,3,4",
        "1700000000000,5",
    ],
)
def test_other_rows_of_numbers_are_none_of_jmeter(row: str) -> None:
    assert wp.parse_text(f"{row}\n" * 3).runs.empty


def test_rows_without_a_head_within_a_text_are_none() -> None:
    assert wp.parse_text(f"for example\n{ROW},117,2,3,4\n").runs.empty


def test_a_line_break_within_a_cell_begins_no_file_without_head() -> None:
    """Python's csv raises an exception at a carriage return that is not quoted."""
    row = "1700000000000,5,a\rb,200,OK,Thread Group 1-1,text,true,,10,20,1,1,http://h/,5,0,1"
    dataset = wp.parse_text(f"{row}\n{WRK}")
    assert dataset.runs["tool"].tolist() == ["wrk"]
    assert "fault" not in set(dataset.diagnostics["code"])
