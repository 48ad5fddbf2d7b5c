from __future__ import annotations

import json
import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wrkparse as wp
from tests.cases import each_case
from tests.examples import examples
from tests.samples import GC, SCHED, WRK
from wrkparse.model.records import Diagnostic
from wrkparse.parse import pending
from wrkparse.parse.items import Batch, Item, Run
from wrkparse.parse.parser import SourceParser
from wrkparse.parse.prefilter import classify_pieces
from wrkparse.parse.reports.dispatch import ReportDispatcher
from wrkparse.parse.reports.matcher import Matcher
from wrkparse.parse.reports.negative_cache import NegativeCache
from wrkparse.text.normalize import LineNormalizer
from wrkparse.text.wrapping.prefixes import prefix_candidates
from wrkparse.tools import event_tools, report_tools
from wrkparse.tools.event import EventTool

FIXTURES = Path(__file__).parents[1] / "fixtures"
LOGS = sorted(path for path in FIXTURES.glob("*/*.*") if path.suffix in (".txt", ".log"))
MATCHER = Matcher(report_tools())
TEXTS = [path.read_bytes() for path in LOGS]
# UTF-16 is decoded before blocks are made.
IN_UTF_8 = [path for path, text in zip(LOGS, TEXTS, strict=True) if not text.startswith(b"\xff\xfe")]


def items_of(data: bytes, cuts: list[int] | None = None) -> list[Item]:
    reader = SourceParser("x.log")
    found: list[Item] = []
    limits = [0, *(cuts or []), len(data)]
    for start, stop in pairwise(limits):
        if stop > start:
            found += reader.feed(data[start:stop])
    return [*found, *reader.finish()]


def shape(items: list[Item]) -> tuple[list[str], dict[str, list[object]], list[str]]:
    """What must not depend on how a text came in pieces: runs, each one's rows of each table in order, diagnostics."""
    runs = [
        repr(
            (
                i.run,
                i.tool,
                i.line,
                i.line_end,
                i.section,
                i.command,
                i.labels,
                i.numbers,
                i.dialect,
                i.text,
                i.logged_from,
                i.logged_to,
                i.logged_zone,
            )
        )
        for i in items
        if isinstance(i, Run)
    ]
    rows: dict[str, list[object]] = {}
    for item in items:
        if isinstance(item, Batch):
            for row in item.rows.to_pylist():  # a batch need not have a column in which all is missing
                known = {name: value for name, value in row.items() if value is not None}
                rows.setdefault(f"{item.table} {row['run']}", []).append(known)
    return sorted(runs), rows, sorted(str(item) for item in items if isinstance(item, Diagnostic))


def test_consecutive_reports_without_anything_between_are_runs_of_their_own() -> None:
    runs = [item for item in items_of((WRK * 3).encode()) if isinstance(item, Run)]
    assert [(run.line, run.line_end) for run in runs] == [(1, 8), (9, 16), (17, 24)]


def test_reports_that_lack_their_head_are_told_apart_by_their_order() -> None:
    rows_only = "".join(WRK.splitlines(keepends=True)[3:])
    runs = [item for item in items_of((rows_only * 2).encode()) if isinstance(item, Run)]
    assert [(run.line, run.line_end) for run in runs] == [(1, 5), (6, 10)]


def test_one_bad_cell_costs_one_cell() -> None:
    text = WRK.replace("51.20us", "51.2o-us")
    dataset = wp.parse_text(text, "a.txt")
    rows = dataset.measurements.set_index(["metric", "stat"]).value
    assert rows["latency", "mean"] == 193.32e-6
    assert rows["latency", "max"] == 1.57e-3
    assert ("latency", "stdev") not in rows.index
    (diagnostic,) = dataset.diagnostics.to_dict("records")
    assert (diagnostic["source"], diagnostic["line"], diagnostic["severity"]) == ("a.txt", 4, "warning")
    assert "51.2o-us" in diagnostic["message"]


def test_a_report_that_was_cut_off_before_its_results_is_named_not_lost() -> None:
    dataset = wp.parse_text("".join(WRK.splitlines(keepends=True)[:2]))
    assert len(dataset.runs) == 0
    assert dataset.diagnostics.code.tolist() == ["fragment"]
    assert dataset.diagnostics.line.tolist() == [1]


def test_each_thread_s_calibration_is_numbered_and_a_bad_cell_costs_itself_alone() -> None:
    cells = ("1.500ms", "2.5.0ms", "9223372036854775807.000ms", "4.000ms")
    lines = [f"  Thread calibration: mean lat.: {cell}, rate sampling interval: 10ms\n" for cell in cells]
    dataset = wp.parse_text("Running 20s test @ http://h/\n" + "".join(lines) + WRK[WRK.index("Requests/sec") :])
    rows = dataset.measurements.set_index(["metric", "stat"]).value
    assert rows["calibration_latency"].dropna().to_dict() == {"thread_1": 1.5e-3, "thread_4": 4e-3}
    assert rows["sampling_interval"].to_dict() == dict.fromkeys([f"thread_{n}" for n in (1, 2, 3, 4)], 0.01)
    assert dataset.diagnostics.line.tolist() == [3]


def test_a_line_behind_a_few_decorations_is_read_and_one_in_a_drawing_is_not() -> None:
    line = "Requests/sec:  10.00\n"
    assert len(wp.parse_text("> > | " + line).runs) == 1
    assert len(wp.parse_text("| " * 100 + line).runs) == 0


@pytest.mark.parametrize(
    "before",
    ["2024-01-31T07:08:09.1234567Z ", "[2024-01-31 07:08:09] ", "07:08:09.123 ", "2024-01-31 | ", "\x1b[1;32m"],
)
def test_a_report_is_read_behind_time_stamps_and_in_colours(before: str) -> None:
    decorated = "".join(f"{before}{line}\x1b[0m\n" for line in WRK.splitlines())
    dataset = wp.parse_text(decorated)
    values = dataset.measurements[["metric", "stat", "value", "line"]]
    assert values.equals(wp.parse_text(WRK).measurements[["metric", "stat", "value", "line"]])
    assert dataset.texts.text.tolist() == decorated.splitlines()


@pytest.mark.parametrize("ahead", ["$", "ok", "done.", "$ ./run.sh ", "listening on :8080", "[out]", "log: ", "u@h:~$"])
def test_a_first_line_behind_output_without_a_line_s_end_keeps_its_url(ahead: str) -> None:
    dataset = wp.parse_text(f"web-1  | {ahead}" + WRK.replace("\n", "\nweb-1  | "))
    plain = wp.parse_text(f"start\n{ahead}{WRK}").runs
    assert plain[["line", "url", "duration_s"]].to_numpy().tolist() == [[2, "http://10.0.1.70:8080/hello", 10.0]]
    assert dataset.runs[["line", "url", "process"]].to_numpy().tolist() == [[1, plain["url"][0], "web-1"]]


@pytest.mark.parametrize("prompt", ["$ ", "ann@lab:~$ ", "[ann@lab ~]$ ", "❯ "])
def test_a_line_of_a_report_in_a_command_is_no_run(prompt: str) -> None:
    dataset = wp.parse_text(f"{prompt}echo kiwi: Requests/sec: 1234.56\nkiwi: Requests/sec: 1234.56\n")
    assert dataset.runs["line"].tolist() == [2]


@pytest.mark.parametrize(
    "text", ["It says `Running 10s test @ http://h/` first.", 'print("Running 10s test @ http://h/")']
)
def test_a_first_line_that_is_quoted_begins_nothing(text: str) -> None:
    dataset = wp.parse_text(text)
    assert (len(dataset.runs), len(dataset.diagnostics)) == (0, 0)


CLOSED = [
    ('"', '",'), ("  '", "',"), ("", ","), ("| ", " |"), ('["', '"]'), ('"', '\\n" +'), ('print("', '")'),
    ('2024-01-02,"', '",web-1,"a, b"'),
]  # fmt: skip


@pytest.mark.parametrize(("ahead", "behind"), CLOSED)
@pytest.mark.parametrize("event", [GC.format(n=1, t="1.000"), SCHED.format(t=1000)])
def test_an_event_is_read_out_of_a_quotation_a_cell_and_a_field(event: str, ahead: str, behind: str) -> None:
    quoted, plain = wp.parse_text(f"{ahead}{event.rstrip()}{behind}\n"), wp.parse_text(event)
    for table in ("gc_cycles", "sched_ticks"):
        columns = [name for name in plain.arrow(table).column_names if name != "run"]
        assert quoted.arrow(table).select(columns).to_pylist() == plain.arrow(table).select(columns).to_pylist()
    assert quoted.diagnostics.empty


@pytest.mark.parametrize("remark", ["# the first", "  <- here", "// idle", "-- see below", "– thread M3", "← here"])
@pytest.mark.parametrize("event", [GC.format(n=1, t="1.000"), SCHED.format(t=1000)])
def test_an_event_is_read_in_front_of_a_remark(event: str, remark: str) -> None:
    remarked, plain = wp.parse_text(f"{event.rstrip()} {remark}\n"), wp.parse_text(event)
    for table in ("gc_cycles", "sched_ticks"):
        columns = [name for name in plain.arrow(table).column_names if name != "run"]
        assert remarked.arrow(table).select(columns).to_pylist() == plain.arrow(table).select(columns).to_pylist()
    assert remarked.diagnostics.empty


def test_of_two_events_in_one_line_none_is_taken_for_a_remark() -> None:
    first, second = (GC.format(n=n, t=f"{n}.000").rstrip() for n in (1, 2))
    cycles = wp.parse_text(f"{first} # {second}\n").gc_cycles
    assert cycles["gc"].tolist() == [1, 2]


@pytest.mark.parametrize("cut", [-5, -12, -20])
def test_an_event_that_is_cut_within_a_quotation_is_no_event(cut: int) -> None:
    dataset = wp.parse_text(f'"{GC.format(n=1, t="1.000").rstrip()[:cut]}",\n')
    assert dataset.gc_cycles.empty
    assert dataset.diagnostics["code"].tolist() == ["bad-event"]


def test_two_events_quoted_in_one_line_are_both_told_of() -> None:
    first, second = (GC.format(n=n, t=f"{n}.000").rstrip() for n in (1, 2))
    dataset = wp.parse_text(f'["{first}", "{second}"]\n')
    assert dataset.gc_cycles.empty
    assert dataset.diagnostics["code"].tolist() == ["bad-event"]


def test_prose_that_quotes_a_number_is_no_run() -> None:
    text = "Latency is 5 ms, Requests/sec: about 1000.\nreal 5 problems\nIt says 8 threads and 8 connections there.\n"
    assert len(wp.parse_text(text).runs) == 0


def test_an_event_line_keeps_its_number_and_a_broken_one_becomes_a_diagnostic() -> None:
    text = "start\n" + GC.format(n=1, t="0.005") + "gc 2 @0.0INFO hello\n" + GC.format(n=3, t="0.025")
    dataset = wp.parse_text(text, "srv.log")
    assert dataset.gc_cycles.line.tolist() == [2, 4]
    assert dataset.gc_cycles.gc.tolist() == [1, 3]
    assert dataset.diagnostics.line.tolist() == [3]
    assert dataset.runs.line.tolist() == [2]
    assert dataset.runs.line_end.tolist() == [4]


def test_a_process_that_starts_again_is_another_run() -> None:
    text = "".join(GC.format(n=n, t=f"0.{n}00") for n in (1, 2, 3, 1, 2))
    dataset = wp.parse_text(text)
    assert dataset.runs.line.tolist() == [1, 4]
    assert dataset.gc_cycles.groupby("run", sort=False).gc.apply(list).tolist() == [[1, 2, 3], [1, 2]]


def test_two_traces_of_one_process_are_a_run_each() -> None:
    text = GC.format(n=1, t="0.005") + SCHED.format(t=0) + GC.format(n=2, t="0.015") + SCHED.format(t=10)
    dataset = wp.parse_text(text)
    assert dataset.runs.tool.tolist() == ["gctrace", "schedtrace"]
    assert dataset.runs.cores.tolist() == [4, 2]
    assert dataset.sched_ticks.local_runqueues.tolist()[0] == [1, 2]


def test_a_run_has_the_same_identifier_wherever_it_is_read() -> None:
    first = wp.parse_text("\n" + WRK, "a.txt").runs.run.tolist()
    again = wp.parse_text("\n" + WRK + "\nmore text\n" + WRK, "a.txt").runs.run.tolist()
    assert first == again[:1]
    assert first != wp.parse_text("\n" + WRK, "b.txt").runs.run.tolist()
    assert first != wp.parse_text("\n\n" + WRK, "a.txt").runs.run.tolist()


@each_case("path", IN_UTF_8)
def test_cutting_a_log_into_blocks_changes_nothing(path: Path) -> None:
    data = path.read_bytes()
    data = data.removeprefix(b"\xef\xbb\xbf")
    whole = shape(items_of(data))
    ends = [i + 1 for i, byte in enumerate(data) if byte == 10]
    for step in (1, 7):
        assert shape(items_of(data, ends[::step])) == whole


@each_case("path", [path for path in IN_UTF_8 if path.stat().st_size < 20_000])
def test_lines_that_are_known_to_be_no_report_s_are_read_as_others(path: Path) -> None:
    data = path.read_bytes()
    items_of(data * 2)  # from the second time on a line is known
    known = items_of(data * 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(NegativeCache, "has", lambda *_: False)
        patch.setattr(NegativeCache, "has_digit_form", lambda *_: False)
        patch.setattr("wrkparse.context.commands.classifier.digit_form", lambda _: None)
        anew = items_of(data * 2)
    assert shape(known) == shape(anew)
    said = [[str(item) for item in items if isinstance(item, Diagnostic)] for items in (known, anew)]
    assert said[0] == said[1]


LOG_LINES = st.sampled_from(
    [
        "2026/11/20 11:38:23 worker 2 handled request 11057 in 3.2ms\n",
        "INFO gc 5 pending\n",
        "gc 7 @0.126s 9%: 0.132026/11/20 11:38:23 worker\n",
        "\n",
        'level=info msg="ok 12%"\n',
        "worker 3: user 17 asked, requests in total 40\n",
        "user system real\n",
        "Requests/sec: about 1000\n",
        "paid 5 $ per user of 8 threads and 8 more, real 0 m\n",
        '{"level":"info","msg":"user 17: real requests in total"}\n',
        '{"log":"' + GC.format(n=9, t="9.005").strip() + '\\n","stream":"stderr"}\n',
        '{"log":"cut ","stream":"stderr"}\n',
        "[INFO] user=17 gc 5 @ total\treal 3\n",
        GC.format(n=5, t="5.505").replace("\n", " (forced)\n"),
        GC.format(n=6, t="0.0051"),
        GC.format(n=7, t="7.5")[:60] + "\n",
        "2026-11-20T11:38:23.000000001Z stderr F " + GC.format(n=8, t="8.005"),
        SCHED.format(t=5).replace("[1 2]", "[1]"),
        "50%\r" + GC.format(n=10, t="10.5"),
        GC.format(n=11, t="11.5").replace("\n", "\rdone\n"),
        GC.format(n=12, t="12.5").replace(" ms clock", "\r ms clock"),
        GC.format(n=13, t="13.5").replace("\n", "\r") + GC.format(n=14, t="14.5"),
        GC.format(n=15, t="15.5").replace("\n", " \r\r\n"),
        "2026-11-20T11:38:23.01Z stderr F " + GC.format(n=16, t="16.005"),
        "2026-11-20T11:38:23.02Z stderr F 50%\r" + GC.format(n=17, t="17.005"),
        "$ " + GC.format(n=18, t="18.5"),
        "gc 5 @host and gc 00000000019 @0.5s\n",
        "init main @" + SCHED.format(t=20),
        "gc 21 " + SCHED.format(t=21),
        SCHED.format(t=22).strip() + GC.format(n=22, t="22.5"),
        "app_1  | " + GC.format(n=23, t="23.5"),
        "\x1b[32mapp_2  | \x1b[0m" + GC.format(n=24, t="24.5"),
        "GC forced\n",
        "scvg0: inuse: 1, idle: 2, sys: 3, released: 4, consumed: 5 (MB)\n",
    ]
)


@pytest.mark.usefixtures("loops")
@given(
    st.lists(st.one_of(LOG_LINES, st.integers(1, 99).map(lambda n: GC.format(n=n, t=f"{n}.005"))), max_size=60),
    st.lists(st.one_of(LOG_LINES, st.integers(0, 99).map(lambda n: SCHED.format(t=n * 10))), max_size=60),
)
def test_the_fast_path_and_the_careful_path_agree(first: list[str], second: list[str]) -> None:
    head, tail = "".join(first).encode(), "".join(second).encode()
    fast = SourceParser("x.log")
    careful = SourceParser("x.log")
    careful._take_event_pieces = lambda *_: None  # type: ignore[method-assign]
    careful._take_scanned = lambda scanned: None  # type: ignore[method-assign]
    # the first block of a source is always read with care, so the second is the one to compare
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("wrkparse.parse.prefilter.PIECE_BYTES", 150)
        results = [
            shape([*reader.feed(b"start\n" + head), *(reader.feed(tail) if tail else ()), *reader.finish()])
            for reader in (fast, careful)
        ]
    assert results[0] == results[1]
    assert (fast.lines, fast.lines_claimed) == (careful.lines, careful.lines_claimed)


STAMPED = st.sampled_from(["", "2026-11-20T11:38:2{}.5Z stderr F ", "app-1  | ", "50%: ", "Nov 20 11:38:2{} h s[7]: "])
WRITTEN = st.one_of(
    st.integers(1, 10**11).map(lambda n: GC.format(n=n, t=f"{n}.{n % 1000:03}")),
    st.integers(0, 10**7).map(lambda t: SCHED.format(t=t)),
    st.integers(0, 99).map(lambda n: f"worker 2 handled request {n} @ 7ms: ok\n"),
)


@pytest.mark.usefixtures("loops")
@given(STAMPED, st.lists(WRITTEN, min_size=1, max_size=40), st.lists(LOG_LINES, max_size=2))
def test_events_among_a_service_s_lines_are_read_alike_on_all_paths(
    ahead: str, lines: list[str], odd: list[str]
) -> None:
    written = [ahead.format(i % 10) + line for i, line in enumerate(lines)]
    text = "".join(written[: len(lines) // 2] + odd + written[len(lines) // 2 :]).encode()
    fast, middle, careful = (SourceParser("x.log") for _ in range(3))
    middle._take_scanned = careful._take_scanned = lambda scanned: None  # type: ignore[method-assign]
    careful._take_event_pieces = lambda *_: None  # type: ignore[method-assign]
    results = [
        shape([*reader.feed(b"start\n"), *reader.feed(text), *reader.finish()]) for reader in (fast, middle, careful)
    ]
    assert results[0] == results[1] == results[2]
    assert fast.lines_claimed == middle.lines_claimed == careful.lines_claimed


@given(st.lists(st.integers(1, 99), min_size=1, max_size=30), st.booleans())
def test_a_block_of_events_alone_is_read_as_one_among_other_lines(numbers: list[int], torn: bool) -> None:
    lines = [GC.format(n=n, t=f"{n}.005").encode() for n in numbers]
    if torn:
        lines.append(lines[0])
        lines[len(lines) // 2] = b"gc 7 @0.126s 9%: 0.132026/11/20 11:38:23 worker\n"
    alone, among = SourceParser("x.log"), SourceParser("x.log")
    among._take_scanned = lambda scanned: None  # type: ignore[method-assign]
    results = [
        shape([*reader.feed(b"start\n" + lines[0]), *reader.feed(b"".join(lines)), *reader.finish()])
        for reader in (alone, among)
    ]
    assert results[0] == results[1]
    assert (alone.lines, alone.lines_claimed) == (among.lines, among.lines_claimed)


def test_only_what_stands_near_a_report_in_a_long_log_is_read_with_care(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wrkparse.parse.prefilter.PIECE_BYTES", 100)
    reader = SourceParser("x.log")
    seen: list[str] = []
    take = reader._reports.take
    monkeypatch.setattr(reader._reports, "take", lambda line: (seen.append(line.raw), take(line))[1])
    service = "worker 3: user 17 asked, requests in total 40\n" * 1000
    title = "nginx 9.8.7"  # of this test alone: a line that another test's page holds is known at once
    items = [
        *reader.feed(b"start\n"),
        *reader.feed((service + f"\n{title}\n\n" + WRK + service).encode()),
        *reader.finish(),
    ]
    (run,) = (item for item in items if isinstance(item, Run))
    assert (run.line, run.line_end) == (1005, 1012)
    assert ("framework", title) in {(label.key, label.value) for label in run.labels}
    assert title in seen  # the report itself is read at once
    assert len(seen) < 300  # of 2000: a report stays open for 200 lines


@pytest.mark.parametrize("above", [1, 8_000, 24_000, 60_000])
def test_a_command_some_way_above_a_report_in_a_long_log_is_the_report_s(above: int) -> None:
    """Nothing but the report far below says that this line, which has no prompt, is a command."""
    service = "2026/11/20 11:38:23 worker 3: user 17 asked, requests in total 40\n"
    command = "wrk -t8 -c8 -d10s http://10.0.1.70:8080/hello"
    far = service * 2000
    (run,) = wp.parse_text(f"{far}{command}\n{service * (above // len(service))}{WRK}{far}").runs.itertuples()
    assert (run.line, run.command) == (2002 + above // len(service), command)


def check_sound(data: bytes) -> None:
    """No exception, and every line named is one of the text's."""
    items = items_of(data)
    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    for item in items:
        if isinstance(item, Run):
            assert 1 <= item.line <= item.line_end <= lines
            assert all(item.line <= line <= item.line_end for line in item.numbers.lines)
        elif isinstance(item, Diagnostic):
            assert item.line is None or 1 <= item.line <= lines


@examples(1.5)
@given(st.data())
def test_no_prefix_of_a_log_is_too_much(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(TEXTS))
    check_sound(text[: data.draw(st.integers(0, len(text)))])


@examples(1.5)
@given(st.data())
def test_no_shuffle_of_lines_is_too_much(data: st.DataObject) -> None:
    texts = data.draw(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=3))
    lines = b"\n".join(texts).split(b"\n")[:200]
    check_sound(b"\n".join(data.draw(st.permutations(lines))))


@examples(3)
@given(st.data())
def test_no_flipped_byte_is_too_much(data: st.DataObject) -> None:
    text = bytearray(data.draw(st.sampled_from(TEXTS)))
    for _ in range(data.draw(st.integers(1, 8))):
        if text:
            text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    check_sound(bytes(text))


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    check_sound(text.encode())


def test_a_log_that_is_split_between_two_runs_gives_the_same_runs(tmp_path: Path) -> None:
    one, two = "# nginx\n\n" + WRK, "# go\n\n" + WRK.replace("193.32us", "242.89us")
    whole = wp.parse_text(one + two)
    parts = [wp.parse_text(part) for part in (one, two)]
    keep = ["tool", "framework", "connections", "section"]
    split = [row for part in parts for row in part.runs[keep].to_dict("records")]
    assert whole.runs[keep].to_dict("records") == split
    assert whole.measurements.value.tolist() == [v for part in parts for v in part.measurements.value]


@pytest.mark.parametrize("tool", event_tools(), ids=lambda tool: tool.name)
@given(st.data())
@examples(0.3)
def test_every_event_holds_one_of_its_tool_s_words(tool: EventTool, data: st.DataObject) -> None:
    event = data.draw(st.from_regex(tool.find))
    assert any(word.encode() in event for word in tool.words)


def test_an_empty_block_says_nothing() -> None:
    reader = SourceParser("x.log")
    assert list(reader.feed(b"")) == []
    assert [item.line for item in [*reader.feed(WRK.encode()), *reader.feed(b""), *reader.finish()]] == [1]


def test_undecodable_bytes_are_noted_once_with_their_line() -> None:
    items = items_of(b"caf\xe9\n" + WRK.encode() + b"\xff\n")
    notes = [item for item in items if isinstance(item, Diagnostic)]
    assert [(note.line, note.severity, note.code) for note in notes] == [(1, "note", "undecodable")]
    assert sum(isinstance(item, Run) for item in items) == 1


def test_a_heading_and_a_number_in_the_next_line_are_no_output_of_another_tool() -> None:
    items = items_of(b"# Requests per second\n    16343.04 [#/sec] (mean)\n")
    assert [item.code for item in items if isinstance(item, Diagnostic)] == []


@pytest.mark.parametrize(("line", "code"), [(b"caf\xe9\n", "undecodable"), (b"# reqs  # fails  Avg\n", "other-tool")])
@pytest.mark.parametrize("opening", [b'{"latencyPercentiles": {\n"p10": 1,\n', b"\n{\n"])
def test_behind_an_open_object_a_note_has_the_line_that_it_has_in_one_piece(
    opening: bytes, line: bytes, code: str
) -> None:
    data = opening + line
    for cuts in ([], [len(opening)], [opening.find(b"\n", 1) + 1, len(opening)]):
        notes = [item for item in items_of(data, cuts) if isinstance(item, Diagnostic) and item.code == code]
        assert [note.line for note in notes] == [opening.count(b"\n") + 1], cuts


@pytest.mark.parametrize(
    "line",
    [
        "# a heading", "$ ./srv", "```", "~~~", "[root@h ~]# ls", "+ wrk -c1", "== t", "----", "❯ wrk", "➜ ls",
        "Running 10s test @ http://x/", "Requests/sec:  40669.44", "  8 threads and 8 connections", "real\t0m0.102s",
        "Complete requests:      2000", "3.22user 2.24system 0:02.61elapsed 208%CPU (0avgtext+0avgdata 143804maxresident)k",
    ],
)  # fmt: skip
def test_a_block_with_a_sign_of_a_report_or_of_context_is_read_with_care(line: str) -> None:
    plain = b"2026/11/20 11:38:23 worker 2 handled request 11057 in 3.2ms\n" * 50
    assert not any(piece.must_be_parsed for piece in classify_pieces(plain + GC.format(n=2, t="0.001").encode()))
    assert any(piece.must_be_parsed for piece in classify_pieces(plain + line.encode() + b"\n" + plain))


@pytest.mark.parametrize("first", [GC.format(n=1, t="0.001"), SCHED.format(t=0)])
def test_where_a_process_begins_a_block_and_the_lines_above_are_read_with_care(first: str) -> None:
    plain = b"2026/11/20 11:38:23 worker 2 handled request 11057 in 3.2ms\n" * 400
    pieces = classify_pieces(plain + first.encode() + plain)
    careful = [piece for piece in pieces if piece.must_be_parsed]
    assert 1 < len(careful) < len(pieces)
    assert careful[0].start < len(plain) < careful[-1].end


def begins(raw: bytes) -> bool:
    lines = LineNormalizer().feed(["text", raw.decode("utf-8", "replace")], 1)[1:]
    return any(
        MATCHER.may_begin_report(line.plain[before.end :].split())
        for line in lines
        for before in prefix_candidates(line.plain)
    )


def one_of_each_shape(lines: Iterable[bytes]) -> list[bytes]:
    """Of lines that differ in digits alone, the first."""
    return list({re.sub(rb"[0-9]+", b"0", line): line for line in reversed(list(lines))}.values())


def test_each_line_with_which_a_report_may_begin_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [line for line in one_of_each_shape(line for data in TEXTS for line in data.split(b"\n")) if begins(line)]
    assert len(found) > 200
    marked = [line.replace(b" ", between) for line in found for between in (b"&#160;", b" <b class='x'> ", b" | ")]
    in_json = [json.dumps({"log": f"{line.decode('utf-8', 'replace')}\n"}).encode() for line in found]
    lines = [*found, *(line for line in (*marked, *in_json) if begins(line))]
    assert len(lines) > 1000
    monkeypatch.setattr("wrkparse.parse.prefilter.PIECE_BYTES", 0)
    monkeypatch.setattr("wrkparse.parse.prefilter.PIECES_ABOVE", 0)
    pieces = classify_pieces(b"\n".join([*lines, b""]))
    assert [line for line, piece in zip(lines, pieces, strict=True) if not piece.must_be_parsed] == []
    unmarked = [line for line in found if not any(mark in line for mark in (b"<", b"&", b"\\"))]
    assert len(unmarked) > 200
    assert [
        line
        for line, piece in zip(unmarked, classify_pieces(b"\n".join([*unmarked, b""])), strict=True)
        if not piece.must_be_parsed
    ] == []


@pytest.mark.parametrize(
    "line",
    [
        "[INFO] user=17 total=40 requests=3 real=2 threads=8 time=1.2s", "paid 5 $ per user, 3 $ in total",
        "user 17 asked, requests in total 40: Latency is 5 ms # not yet", "Running 12 workers on 3 threads",
        '{"level":"info","user":17,"msg":"requests in total: 40, real user time 3 s","ts":1.5}',
        '{"log":"Server started: 8 threads\\n","stream":"stderr"}',
        "E1120 11:38:23.000000 1 server.go:17] Failed request from user 3: Time out", "wrk is done\tab: \tOverall 3",
    ],
)  # fmt: skip
def test_what_services_write_is_passed_over(line: str) -> None:
    assert not any(piece.must_be_parsed for piece in classify_pieces(f"{line}\n".encode() * 500))


def test_a_line_that_a_report_waits_for_and_that_can_t_be_read_is_named() -> None:
    dataset = wp.parse_text(WRK.replace("83.29%", "83.29% 7 \\ more"), "a.txt")
    assert [(d.line, d.code) for d in dataset.diagnostics.itertuples()] == [(4, "bad-line")]
    assert len(dataset.runs) == 1
    after = wp.parse_text(WRK + "Latency 5 words of what comes after\n")  # the report is complete
    assert len(after.diagnostics) == 0


def test_what_stands_in_front_of_events_and_is_no_time_makes_no_column_of_times() -> None:
    # as benchmarks print it: their name, and the runtime's line behind it
    lines = [GC.format(n=n, t=f"{n}.5") for n in range(6)]
    lines[1] = f"BenchmarkA-2   \t{lines[1]}"
    reader = SourceParser("x.log")
    items = [item for line in lines for item in reader.feed(line.encode())]
    assert not [item for item in items if isinstance(item, Batch) and "logged_at" in item.rows.column_names]


def test_a_sign_that_is_struck_out_is_gone_in_a_long_log_too() -> None:
    # as programs draw progress: a character, a backspace
    line = "scav 0 KiB work, 28160 KiB total, 1%\b% util\n"
    lines = [GC.format(n=n, t=f"{n}.5") for n in range(6)] + [line]
    at_once = list(SourceParser("x.log").feed("".join(lines).encode()))
    reader = SourceParser("x.log")
    apart = [item for line in lines for item in reader.feed(line.encode())]
    for items in (at_once, apart):
        assert [item.rows.num_rows for item in items if isinstance(item, Batch) and item.table == "scavenges"] == [1]


def test_a_bug_costs_no_run_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    take, taken = ReportDispatcher.take_complete, iter(range(5))

    def fail_at_fifth(self: ReportDispatcher, *args: Any) -> Any:
        if next(taken) == 4:
            raise IndexError
        return take(self, *args)

    monkeypatch.setattr(ReportDispatcher, "take_complete", fail_at_fifth)
    found: list[Item] = []
    with pytest.raises(IndexError):
        found.extend(SourceParser("x.log").feed((WRK * 6).encode()))
    assert [item.line for item in found if isinstance(item, Run)] == [1, 9, 17]  # the fourth one is open still


BEGUN = WRK[: WRK.index("  Thread Stats")]
HALF = f"{BEGUN}  Socket errors: connect 1, read 2, write\n"
FORMAT = "$ TIMEFORMAT='took %R'; time ./a\n"


@pytest.mark.parametrize(
    ("text", "bits"),
    [
        ("", 0),
        ("@@ -1,2 +1,2 @@\n a\n", pending.OPEN_WRAPPING),
        ("@@ -1,2 +1,2 @@\n a\n b\n", 0),
        ("Content-Transfer-Encoding: quoted-printable\n", pending.OPEN_WRAPPING),
        ("2026-11-20T11:38:23.1Z stdout P abc\n", pending.OPEN_WRAPPING),
        (BEGUN, pending.OPEN_REPORT),
        (f"{WRK}\n# a\n", 0),
        (HALF, pending.OPEN_REPORT | pending.OPEN_HALF_LINE),
        (f"{HALF}3, timeout 40\n", pending.OPEN_REPORT),
        (FORMAT, pending.FORMAT_IN_FORCE),
        (f"{FORMAT}{BEGUN}", pending.FORMAT_IN_FORCE | pending.OPEN_REPORT),
        (f"kiwi | {BEGUN.partition(chr(10))[0]}\n", pending.SEVERAL_STREAMS | pending.OPEN_REPORT),
        (f"kiwi | {BEGUN.partition(chr(10))[0]}\n\n# a\n", pending.SEVERAL_STREAMS),
        ('{"latencies": {\n', pending.OPEN_OBJECT),
        ('{"latencies": {\n}}\n', 0),
        (GC.format(n=1, t="0.1")[:50] + "\n", pending.OPEN_EVENT),
        (GC.format(n=1, t="0.1"), 0),
    ],
)
def test_what_is_open_behind_a_text_is_said_and_nothing_else(text: str, bits: int) -> None:
    """As the table of ``parse.pending`` has it; a line in front shows that no notebook begins."""
    reader = SourceParser("x.log")
    list(reader.feed(f"text\n{text}".encode()))
    assert reader._pending == bits


def test_blank_lines_are_not_kept_for_a_notebook_that_may_begin_below() -> None:
    reader = SourceParser("x.log")
    list(reader.feed(b"\n" * 1000))
    assert (reader.lines, reader._pending) == (1000, 0)


@pytest.mark.parametrize("text", ["", "{\n"])
def test_a_notebook_may_begin_at_the_beginning(text: str) -> None:
    reader = SourceParser("x.log")
    list(reader.feed(text.encode()))
    assert reader._pending == pending.OPEN_WRAPPING


ENCODED = "".join("".join(f"={ord(sign):02X}" for sign in line) + "\n" for line in WRK.splitlines())
HISTOGRAM = [
    "       Value     Percentile TotalCount 1/(1-Percentile)\n\n",
    "       0.029 0.000000000000          1           1.00\n",
    "       0.442 0.500000000000      10002           2.00\n",
]
TIME = "0.52user 0.10system 0:00.65elapsed 95%CPU (0avgtext+0avgdata 1234maxresident)k\n"


@pytest.mark.parametrize(
    ("begun", "rest", "runs", "rows"),
    [
        ("@@ -1,2 +1,9 @@\n a\n", "".join(f"+{line}\n" for line in WRK.splitlines()), 1, 0),
        ("Content-Transfer-Encoding: quoted-printable\n", ENCODED, 1, 0),
        (BEGUN, WRK.removeprefix(BEGUN), 1, 0),
        ("".join(HISTOGRAM[:2]), HISTOGRAM[2], 1, 0),
        (HALF, "3, timeout 40\n" + WRK.removeprefix(BEGUN), 1, 0),
        (f"{TIME[:54]}\n", TIME[54:], 1, 0),  # a half line without a report above
        (FORMAT, "took 1.234\n", 1, 0),
        ('{"latencies": {\n', WRK, 1, 0),
        (GC.format(n=1, t="0.1")[:50] + "\n", GC.format(n=1, t="0.1")[50:], 1, 1),
    ],
)
def test_what_is_open_goes_on_in_a_long_block(begun: str, rest: str, runs: int, rows: int) -> None:
    """The rest by itself has no sign for which a piece of the block would be parsed line by line."""
    data = f"text\n{begun}{rest}{'worker 3 is done' + chr(10)}".encode()
    long = data + b"worker 3 is done\n" * 5000
    expected, found = items_of(data), items_of(long, [len("text\n" + begun)])
    assert shape(found) == shape(expected)
    assert sum(isinstance(item, Run) for item in found) == runs
    assert sum(item.rows.num_rows for item in found if isinstance(item, Batch)) == rows
