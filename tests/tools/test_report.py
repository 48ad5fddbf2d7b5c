"""A report while it is read: what is added, what can't be read, and how one that was read in one piece goes on."""

from __future__ import annotations

from fractions import Fraction
from unittest import mock

from hypothesis import example, given
from hypothesis import strategies as st

from tests.examples import examples
from wrkparse.model.records import Label, Metric
from wrkparse.model.units import PLAIN, SECONDS, parse_count
from wrkparse.tools.columnar import compiled
from wrkparse.tools.layout import Part, ReportLayout, maybe, once, repeated
from wrkparse.tools.lines import BLANK, COUNT, Cell, Form, Slot, count_slot, decimals, key_of, line, read_by
from wrkparse.tools.report import Report

LATENCY = Metric("latency", "s", "lower", "Latency")
HITS = Metric("hits", "1", None, "Hits")


def report() -> Report:
    return Report("tool", "x.log", 3, 3)


def test_a_number_that_can_t_be_read_costs_itself_and_is_named_with_its_line() -> None:
    got = report()
    got.add_cell(LATENCY, "mean", "1.5ms", SECONDS, 4)
    got.add_cell(LATENCY, "max", "1.5x", SECONDS, 5)
    got.add_count(HITS, "12", 6)
    got.add_count(HITS, "1.2", 7)
    assert [(row.metric, row.stat, row.value, row.unit, row.line) for row in got.measurements] == [
        ("latency", "mean", 0.0015, "s", 4),
        ("hits", "total", 12.0, "1", 6),
    ]
    assert [(one.source, one.line, one.severity, one.code) for one in got.diagnostics] == [
        ("x.log", 5, "warning", "bad-cell"),
        ("x.log", 7, "warning", "bad-cell"),
    ]
    assert got.diagnostics[0].message.startswith("tool: latency max: ")
    assert got.diagnostics[1].message.startswith("tool: hits: ")


def test_the_number_of_a_metric_is_found_by_its_name_and_statistic() -> None:
    got = report()
    got.add_count(HITS, "12", 6)
    got.add_cell(LATENCY, "mean", "1.5ms", SECONDS, 4)
    hits, latency = got.measurement(HITS), got.measurement(LATENCY, "mean")
    assert hits is not None
    assert latency is not None
    assert (hits.value, latency.value) == (12.0, 0.0015)
    assert got.measurement(LATENCY) is None
    assert got.measurement(HITS, "mean") is None


def test_labels_rows_and_the_line_that_is_being_read() -> None:
    got = report()
    assert got.raw == ""
    got.text += [(3, "a"), (4, "b")]
    got.add_label("threads", "8", 4)
    got.add_row("spectrum", 0.5, 1)
    got.add_row("spectrum", 0.9, 2)
    assert got.raw == "b"
    assert list(got.numbered_text()) == [(3, "a"), (4, "b")]
    assert got.labels == [Label("threads", "8", "report", 4, None, "printed")]
    assert got.rows == {"spectrum": [(0.5, 1), (0.9, 2)]}


def test_a_label_without_a_text_has_that_of_its_line() -> None:
    got = report()
    got.text += [(3, "  8 threads "), (5, "other")]
    got.add_label("threads", "8", 3)
    got.add_label("url", "/", 4)
    got.labels += [Label("tls", "x", "report", 5, "its own", "printed"), Label("program", "p", "env")]
    places, texts, _, _ = got.columns()
    assert (places, texts) == ((0, 2), ("  8 threads ", "other"))
    assert [label.text for label in got.labels_with_texts(places, texts)] == ["8 threads", None, "its own", None]


def test_a_complete_report_that_goes_on_has_its_lines_numbers_and_rows() -> None:
    got = read("Report of 12\n\nend\n", layout(once(TITLE), once(BLANK, END)))
    assert got.complete is not None
    got.complete = got.complete._replace(rows={"spectrum": ([0.5, 0.9], [1, 2])})
    got.add(LATENCY, "mean", parse_count("2"), 12)
    assert got.measurements == []
    assert got.complete.numbers.values == (12.0, 2.0)
    assert list(got.numbered_text()) == [(10, "Report of 12"), (12, "end")]
    got.reopen()
    assert got.complete is None
    assert got.text == [(10, "Report of 12"), (12, "end")]
    assert [(row.metric, row.value, row.line) for row in got.measurements] == [("hits", 12.0, 10), ("latency", 2.0, 12)]
    assert got.rows == {"spectrum": [(0.5, 1), (0.9, 2)]}
    got.reopen()
    assert got.text == [(10, "Report of 12"), (12, "end")]


def test_a_cell_with_decimals_has_the_value_and_the_resolution_of_its_last_digit() -> None:
    cell = decimals(2, SECONDS, 3)
    digits, divisor, resolution = cell.steps["ms"]
    assert 123 * digits / divisor == 0.00123
    assert resolution == 0.000005  # half of 0.01 ms
    digits, divisor, resolution = cell.steps["m"]
    assert (150 * digits / divisor, resolution) == (90.0, 0.3)
    assert decimals(0, SECONDS).steps["m"] == (60, 1, 30.0)
    assert decimals(1, PLAIN).steps[""] == (1, 10, 0.05)
    assert cell.parse("1.23ms").value == 0.00123
    assert not cell.always_parse


def test_the_key_of_a_word_is_what_stands_behind_numbers() -> None:
    words = ["3.22user", "user", "50%", "12:30", "-1,5ms", "a1"]
    assert [key_of(word) for word in words] == ["user", "user", "%", "", "ms", "a1"]


TITLE = line("title", "Report of {}", count_slot(HITS), rank=1, keys=["Report"])
ROW = line("row", " part {}: {}", Slot(HITS, "part_{}", COUNT), Slot(LATENCY, "part_{}", decimals(2, SECONDS)), rank=2, repeat=True)  # fmt: skip
NOTE = line("note", r"\tnote {}", count_slot(HITS, "note"), rank=3)
TOOK = line("took", "took {}", Slot(LATENCY, "total", read_by(lambda text: parse_count(text.rstrip("!")), "[0-9]{1,3}!")), rank=4)  # fmt: skip
END = Form("end", 5, "end")


def layout(*parts: Part, described: bool = True) -> ReportLayout:
    return ReportLayout("Report of", TITLE, parts, lambda report, match: described)


ALL = layout(once(TITLE), repeated("rows", ROW), maybe(BLANK, NOTE), once(TOOK, BLANK, END))
TEXT = "Report of 5\n part 7: 1.50ms\n   part 8: 2.00s\n\n\tnote 9\ntook 12!\n\nend\n"


def read(text: str, by: ReportLayout = ALL) -> Report:
    (printed,) = by.find_printed(text)
    got = Report("tool", "x.log", 10, 10)
    assert by.read(got, printed)
    return got


def test_a_layout_reads_each_number_of_a_report_at_its_line() -> None:
    got = read(TEXT)
    assert got.complete is not None
    numbers = got.complete.numbers
    rows = list(zip(numbers.kinds.metrics, numbers.kinds.stats, numbers.values, numbers.lines, strict=True))
    assert rows == [
        ("hits", "total", 5.0, 10),
        ("hits", "part_1", 7.0, 11), ("latency", "part_1", 0.0015, 11),
        ("hits", "part_2", 8.0, 12), ("latency", "part_2", 2.0, 12),
        ("hits", "note", 9.0, 14), ("latency", "total", 12.0, 15),
    ]  # fmt: skip
    assert numbers.kinds.units == ("1", "1", "s", "1", "s", "1", "s")
    assert numbers.resolutions[:3] == (0.0, 0.0, 0.000005)
    assert got.complete.places == (0, 1, 2, 4, 5, 7)
    assert got.complete.texts == tuple(text for text in TEXT.split("\n") if text)
    assert (got.complete.empty, got.line_end, got.rank) == (6, 17, 5)
    assert got.seen == {"title", "row", "note", "took", "end"}


def test_a_layout_s_flexible_parts_may_be_missing() -> None:
    got = read("Report of 5\ntook 12!\n\nend\n")
    assert got.complete is not None
    assert got.complete.numbers.kinds.stats == ("total", "total")
    assert got.complete.numbers.lines == (10, 11)
    assert (got.complete.empty, got.line_end, got.seen) == (2, 13, {"title", "took", "end"})


def test_a_report_without_an_empty_line_has_none() -> None:
    got = read("Report of 5\nend\n", layout(once(TITLE), once(END)))
    assert got.complete is not None
    assert (got.complete.empty, got.complete.places) == (None, (0, 1))


SUFFIXES = {"k": (999_999_999_989, 10**6, 0.5), "m": (60, 100, 0.3), "": (1, 1, 0.0), "B": (1 << 40, 100, 0.5)}


@examples(2)
@given(st.integers(0, 10**18 - 1), st.integers(0, 6), st.sampled_from(sorted(SUFFIXES)))
@example(2**53 + 1, 0, "")
@example(123_456_789_012_345_678, 6, "k")  # its factor is a prime number
def test_each_number_is_rounded_once_with_compiled_loops_and_without(number: int, places: int, suffix: str) -> None:
    cell = Cell(r"([0-9]{1,19}(?:\.[0-9]{1,6})?)(k|m|B|)", SUFFIXES, parse_count)
    hits = line("hits", "hits {}", Slot(HITS, "total", cell), rank=1)
    one = ReportLayout("hits", hits, [once(hits, END)], lambda report, match: True)
    digits = f"{number:07}"
    point = len(digits) - places
    text = f"hits {digits[:point]}{'.' if places else ''}{digits[point:]}{suffix}\nend\n"
    times, over, resolution = SUFFIXES[suffix]
    exact = float(Fraction(number * times, over))
    for compiled_loops in {False, compiled.COMPILED}:
        with mock.patch.object(compiled, "COMPILED", compiled_loops):
            (printed,) = one.find_printed(text)
        assert (printed.values, printed.resolutions) == ((exact,), (resolution,))


def test_a_report_that_can_t_be_described_is_left() -> None:
    left = layout(once(TITLE), once(END), described=False)
    (printed,) = left.find_printed("Report of 5\nend\n")
    got = Report("tool", "x.log", 10, 10)
    assert not left.read(got, printed)
    assert (got.line_end, got.rank, got.seen) == (10, -1, set())


def test_reports_are_found_from_the_begin_of_a_line_one_after_the_other() -> None:
    text = f"> {TEXT}Report of x\n{TEXT}{TEXT}see the Report of"
    assert [match.start() for match in ALL.find(text)] == [text.index(TEXT, 5), len(text) - len(TEXT) - 17]
    assert list(ALL.find("no such thing\n")) == []


def test_a_group_of_lines_has_at_most_a_thousand() -> None:
    few, many = ("Report of 5\n" + " part 7: 1.50ms\n" * count + "took 1!\n\nend\n" for count in (1000, 1001))
    assert len(list(ALL.find(few))) == 1
    assert len(list(ALL.find(many))) == 0


def test_an_alternative_cell_is_a_group_of_two() -> None:
    cell = Cell("([0-9]+)(x|)", {"x": (3, 1, 0.5), "": (1, 1, 0.5)}, parse_count)
    times = line("times", "times {}", Slot(HITS, "total", cell), rank=1)
    got = read("times 7x\nend\n", ReportLayout("times", times, [once(times, END)], lambda report, match: True))
    assert got.complete is not None
    assert got.complete.numbers.values == (21.0,)


def test_the_pattern_of_a_layout_is_compiled_only_if_a_text_has_its_sign() -> None:
    one = layout(once(TITLE), repeated("rows", ROW), once(TOOK, BLANK, END))
    assert list(one.find("Rapport of 5\ntook 12!\n\nend\n")) == []
    assert "pattern" not in vars(one)
    assert len(list(one.find("Report of 5\ntook 12!\n\nend\n"))) == 1
    assert "pattern" in vars(one)
