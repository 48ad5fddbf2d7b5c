"""A report that is read in one piece is the one that its specs read line by line: clean, among other lines, and damaged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.examples import examples
from tests.printers import ab_report, wrk2_distribution, wrk_report
from tests.samples import GC, SCHED, WRK
from tests.tools.harness import FIXTURES
from tests.tools.test_random_reports import AB, COUNTS, SECONDS
from tests.tools.test_random_reports import WRK as NUMBERS
from wrkparse.parse.checkpoint import Checkpoint, freeze, thaw
from wrkparse.parse.items import Batch, Item, Run
from wrkparse.parse.parser import SourceParser
from wrkparse.parse.reports.assembler import ReportAssembler
from wrkparse.parse.reports.dispatch import ReportDispatcher
from wrkparse.parse.reports.matcher import Matcher
from wrkparse.parse.reports.negative_cache import NegativeCache
from wrkparse.tools import report_tools

OTHERS = [
    "\n", "# nginx, 4 cores\n\n", "nginx\n\n", "- nginx\n", "```\n", "> ", "$ ", "text\n", "50% 1.2ms\n", "-" * 58 + "\n",
    "$ wrk -t8 -c64 -d10s --latency http://10.0.1.70:8080/hello\n", "wrk 4.1.0 [epoll] Copyright (C) 2012 Will Glozer\n",
    "unable to create thread 3: no\n", "  Socket errors: connectionErrors 1, requestTimeouts 2\n", "Transfer/sec:  1.00MB\n",
    "Requests/sec:  1.00\n", "  Latency Distribution\n     50%    1.00us\n", "web_1  | ", "2026-11-20T11:38:23Z ", '{"cells": [\n',
    "@@ -1,20 +1,20 @@\n", "2026-11-20T11:38:23.000000001Z stdout P begun ", "2026-11-20T11:38:23.000000002Z stdout F ended\n",
    "# setup 5\n", "## 8 threads and 64 connections\n", "# gc notes\n", "# INFO logs\n", "# Time 5 real 3\n", "# 8 9 10\n",
    "$ export TIME='%e'\n", "Command exited with non-zero status 3\n", "bash: line 1: 20251 Killed                  ./a\n",
    " 100%      9 (longest request)\n", "Completed 100 requests\n", "        Exit status: 1\n", "sys 0.10\n", "zsh: killed     ./a\n",
    "0inputs+0outputs (0major+85minor)pagefaults 0swaps\n", "../data/x.log:12:", "Total of 5 requests completed\n",
    "$ ab -n2000 -c8 http://127.0.0.1:8080/ > a.txt\n", "$ /usr/bin/time -p ./server &\n", "$ time \\\n", "$ time -f '%C %e %U' ls\n", "Thread calibration: mean lat.: 1.5, rate sampling interval: 10 ms\n",
    "LOG: header received:\n", "This is ApacheBench, Version 2.3 <$Revision: 1843412 $>\n", "real\t0m0.102s\n", "gc 5 @0.1",
    GC.format(n=1, t="0.005"), SCHED.format(t=5), WRK, WRK.replace("/sec: ", "/sec:\t"), "".join(WRK.splitlines(True)[3:]),
]  # fmt: skip


@st.composite
def of_wrk(draw: st.DrawFn) -> str:
    numbers: dict[str, Fraction | int] = draw(NUMBERS)
    percentiles = draw(st.one_of(st.just([]), st.lists(SECONDS, min_size=4, max_size=4)))
    text = wrk_report(numbers, "http://10.0.1.70:8080/a?b=c", micros=[value * 10**6 for value in percentiles])
    return text.replace("s test", draw(st.sampled_from(["s test", "m test", "h test", "ms test", "m30s test"])), 1)


@st.composite
def of_wrk2(draw: st.DrawFn) -> str:
    """With a spectrum or its percentiles alone; `Thread calibration` is of ``calibrate()``, in wrk2's ``src/wrk.c``."""
    numbers: dict[str, Fraction | int] = draw(NUMBERS)
    lines = wrk_report(numbers, "http://10.0.1.70:8080/a?b=c").splitlines(keepends=True)
    micros = draw(st.lists(st.integers(1, 900_000), min_size=1, max_size=9, unique=True))
    rows = [(value, Fraction(at, len(micros)), at) for at, value in enumerate(sorted(micros), 1)]
    kind = draw(
        st.sampled_from(["Recorded Latency"] * 3 + ["Uncorrected Latency (measured without taking … into account)"])
    )
    distribution = wrk2_distribution(kind, rows)
    if draw(st.booleans()):
        distribution = distribution[: distribution.index("\n  Detailed")]
    calibration = "  Thread calibration: mean lat.: 0.828ms, rate sampling interval: 10ms\n" * draw(st.integers(0, 3))
    return "".join([*lines[:2], calibration, *lines[2:5], distribution * draw(st.integers(0, 2)), *lines[5:]])


@st.composite
def of_ab(draw: st.DrawFn) -> str:
    """Of numbers that agree with each other, as ab's do, or of any."""
    numbers: dict[str, Fraction | int] = draw(AB)
    if draw(st.booleans()):
        numbers["elapsed/total"] = numbers["requests/total"] / (numbers["throughput/total"] + Fraction(1, 100))
    return ab_report(numbers, draw(st.sampled_from(["example.com", "127.0.0.1"])), "/a?b=c")


CLOCKS = st.sampled_from(["0:00.45", "0:10.50", "59:59.99", "1:00:00.00", "100:00:00.00", "0:60.00"])
CENTIS = st.integers(0, 10**9).map(lambda centis: f"{centis / 100:.2f}")
MINUTES = st.tuples(st.integers(0, 999), st.integers(0, 59_999)).map(lambda it: f"{it[0]}m{it[1] / 1000:.3f}s")
COMMANDS = st.sampled_from(["./busy.sh", "bash -c ls", "ls  -l", "a@b", 'say "hi"', ""])


@st.composite
def of_time(draw: st.DrawFn) -> str:
    """GNU time's lines (``src/time.c``), bash's (``BASH_TIMEFORMAT``), and those of ``time -p``."""
    count = [draw(COUNTS) for _ in range(6)]
    user, system, clock = draw(CENTIS), draw(CENTIS), draw(CLOCKS)
    if draw(st.booleans()):
        text = (FIXTURES / "time" / "gnu-v.txt").read_text()
        command = draw(COMMANDS)
        text = text.replace("bash ./busy.sh", command).replace("0.18", user).replace("0:00.45", clock)
        return text.replace("3108", str(count[0])).replace("167", str(count[1])).replace("4096", str(count[2]))
    gnu = (
        f"{user}user {system}system {clock}elapsed {count[0] % 1000}%CPU (0avgtext+0avgdata {count[1]}maxresident)k\n"
        f"{count[2]}inputs+{count[3]}outputs ({count[4]}major+{count[5]}minor)pagefaults 0swaps\n"
    )
    bash = f"\nreal\t{draw(MINUTES)}\nuser\t{draw(MINUTES)}\nsys\t{draw(MINUTES)}\n"
    return draw(st.sampled_from([gnu, bash, f"real {user}\nuser {system}\nsys {draw(CENTIS)}\n"]))


FORTIO = [(FIXTURES / "fortio" / name).read_text(encoding="utf-8") for name in ("calls.txt", "paced.txt")]
PRINTED = st.sampled_from(
    ["0", "-0", "5e-10", "6.8472e-05", "0.000542155", "12", "1e+06", "36528", "NaN", "+Inf", "0x1", "1."]
)
NUMBER = re.compile(r"(?<=[ =])[0-9.e-]+(?=\n| )")


@st.composite
def of_fortio(draw: st.DrawFn) -> str:
    """What fortio printed, with its logger among it; some numbers are others, as ``%g`` prints them or not."""
    text = draw(st.sampled_from(FORTIO))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.sampled_from([match.span() for match in NUMBER.finditer(text)]))
        text = text[: at[0]] + draw(PRINTED) + text[at[1] :]
    return text


@st.composite
def reports(draw: st.DrawFn) -> str:
    """A report as a tool prints it, mostly; a character or a line of some is changed."""
    text = draw(st.one_of(of_wrk(), of_wrk2(), of_ab(), of_time(), of_fortio()))
    at = draw(st.integers(0, len(text)))
    lines = text.splitlines(keepends=True)
    damage = draw(st.sampled_from(["none"] * 4 + ["cut", "put", "drop", "twice", "swap", "crlf", "quoted"]))
    if damage == "cut":
        return text[:at]
    if damage == "put":
        return text[:at] + draw(st.sampled_from(list(" \n\t\r9.,kM%<&*`é"))) + text[at + draw(st.integers(0, 1)) :]
    if damage == "crlf":
        return text.replace("\n", "\r\n")
    if damage == "quoted":
        return "".join(f"> {line}" for line in lines)
    if damage != "none":
        line = draw(st.integers(0, max(0, len(lines) - 2)))
        now = {"drop": [], "twice": [lines[line]] * 2, "swap": lines[line : line + 2][::-1]}[damage]
        return "".join([*lines[:line], *now, *lines[line + (2 if damage == "swap" else 1) :]])
    return text


def read(text: str) -> tuple[list[str], dict[str, list[object]], int, int]:
    """What a text gives: runs and diagnostics, the rows of events, lines, lines claimed.

    Traces are told of at the end of a part that is read, so what is of different tools may come in another order.
    """
    reader = SourceParser("nginx/x.log")
    items: list[Item] = [*(reader.feed(text.encode()) if text else ()), *reader.finish()]
    rows: dict[str, list[object]] = {}
    for item in items:
        if isinstance(item, Batch):
            rows.setdefault(item.table, []).extend(item.rows.to_pylist())
    return sorted(repr(i) for i in items if not isinstance(i, Batch)), rows, reader.lines, reader.lines_claimed


@examples(1)
@given(st.lists(st.one_of(st.sampled_from(OTHERS), reports()), min_size=1, max_size=6).map("".join))
@example(WRK * 2)
@example("> " + WRK)
@example(WRK.replace("193.32us   51.20us", "1000.00m  51.20us"))
@example(WRK.replace("10s test", "2m test"))
@example(WRK.replace("10s test", "1h test"))
@example(WRK.removesuffix("\n"))
def test_in_one_piece_or_line_by_line_a_report_is_the_same(text: str) -> None:
    in_one_piece = read(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Matcher, "find_complete_reports", lambda self, text: [])
        patch.setattr(ReportDispatcher, "take_page_lines", lambda self, raws, number: (0, []))
        patch.setattr(NegativeCache, "has", lambda self, line: False)
        assert in_one_piece == read(text)


def refuse(*_: object) -> Iterator[None]:
    raise AssertionError("a line was looked at by itself")


def test_what_is_printed_as_wrk_prints_it_is_read_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ReportAssembler, "match", refuse)
    text = WRK.replace("Requests/sec", "  Non-2xx or 3xx responses: 7\nRequests/sec")
    reader = SourceParser("x.log")
    runs = [item for item in [*reader.feed((WRK + text).encode()), *reader.finish()] if isinstance(item, Run)]
    assert [(run.line, run.line_end, len(run.numbers.lines)) for run in runs] == [(1, 8, 14), (9, 17, 15)]
    assert (reader.lines, reader.lines_claimed) == (17, 17)


@pytest.mark.parametrize(
    "name",
    "wrk/latency wrk/duration-51s-header wrk/reset-some wrk/calibrated wrk/wrk2-short-latency ab/n2000-k ab/https-rsa12 ab/varlen-l ab/non2xx-mix "
    "ab/basic-n10 time/gnu-v time/gnu-p time/bash-default".split(),
)
def test_what_a_tool_printed_is_read_in_one_piece(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ReportAssembler, "match", refuse)
    text = (FIXTURES / f"{name}.txt").read_text().replace("   -nan      -nan  ", "1.00k     1.00k  ")
    reader = SourceParser("x.log")
    items = [*reader.feed(text.encode()), *reader.finish()]
    assert [type(item) for item in items] == [Run]


@pytest.mark.parametrize("text", FORTIO, ids=["calls", "paced"])
def test_what_fortio_printed_is_read_in_one_piece_with_its_logger(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ReportAssembler, "match", refuse)
    on_a_terminal = re.sub(
        r'\{"ts":.*?"r":([0-9]+),"file":"([a-z.]+)","line":([0-9]+),"msg":"(.*?)".*',
        r"21:07:45.045 r\1 [INF] \2:\3> \4, threads=4",
        text,
    )
    for printed in (text, on_a_terminal):
        reader = SourceParser("x.log")
        items = [*reader.feed(printed[printed.index("Fortio ") :].encode()), *reader.finish()]
        assert [type(item) for item in items] == [Run]
        assert reader.lines_claimed == reader.lines


# Digits, decimals and a suffix as `src/units.c` of wrk prints them; what one of the suffix is in a base unit.
TIMES = {"us": Fraction(1, 10**6), "ms": Fraction(1, 1000), "s": Fraction(1), "m": Fraction(60), "h": Fraction(3600)}
THOUSANDS = {suffix: Fraction(1000**power) for power, suffix in enumerate(("", "k", "M", "G", "T"))}
BYTES = {suffix: Fraction(1024**power) for power, suffix in enumerate(("B", "KB", "MB", "GB", "TB"))}
ONE_REPORT = """\
Running 10s test @ http://10.0.1.70:8080/hello
  8 threads and 8 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   {}   {}   {}   {}
    Req/Sec   {}   {}   {}   {}
  {} requests in {}, {} read
Requests/sec:  {}
Transfer/sec:  {}
"""


def cells(units: dict[str, Fraction], most: int = 99_999) -> st.SearchStrategy[tuple[str, Fraction]]:
    """A printed number of two decimals, and its exact value."""
    return st.tuples(st.integers(0, most), st.sampled_from(list(units))).map(
        lambda cell: (f"{cell[0] // 100}.{cell[0] % 100:02}{cell[1]}", Fraction(cell[0], 100) * units[cell[1]])
    )


SHARE = cells({"%": Fraction(1, 100)})
COUNT = st.integers(0, 10**18 - 1).map(lambda number: (str(number), Fraction(number)))
CELLS = st.tuples(
    *[cells(TIMES)] * 3, SHARE, *[cells(THOUSANDS)] * 3, SHARE, COUNT, cells(TIMES), cells(BYTES),
    cells({"": Fraction(1)}, 10**14 - 1), cells(BYTES),
)  # fmt: skip
LARGEST = ("999.99TB", Fraction(99_999, 100) * 1024**4)


@examples(1)
@given(st.lists(CELLS, min_size=1, max_size=40))
@example([(*[("1.00ms", Fraction(1, 1000))] * 3, ("1.00%", Fraction(1, 100)), *[("1.00T", Fraction(10**12))] * 3,
           ("1.00%", Fraction(1, 100)), ("999999999999999999", Fraction(10**18 - 1)), ("999.99h", Fraction(359_996_400, 100)),
           LARGEST, ("999999999999.99", Fraction(10**14 - 1, 100)), LARGEST)] * 20)  # fmt: skip
def test_of_one_report_or_of_many_each_number_is_the_float_nearest_to_the_printed_one(
    printed: list[tuple[tuple[str, Fraction], ...]],
) -> None:
    text = "".join(ONE_REPORT.format(*(cell for cell, _ in report)) for report in printed)
    found = [report for _, report in Matcher(report_tools()).find_complete_reports(text)]
    assert [report.values[1:] for report in found] == [tuple(float(value) for _, value in report) for report in printed]


def test_reports_of_which_the_last_line_is_missing_take_linear_time() -> None:
    text = "".join(WRK.splitlines(keepends=True)[:-1])
    (layout,) = (layout for tool in report_tools() for layout in tool.layouts if tool.name == "wrk")
    assert list(layout.find(text * 20_000)) == []
    assert list(layout.find("Running 10s test @ http://h/\n" + " " * 10**6)) == []
    assert list(layout.find("Running 10s test @ http://" * 40_000)) == []
    for layout in (layout for tool in report_tools() for layout in tool.layouts if tool.name == "fortio"):
        for whole in FORTIO:
            lines = whole[whole.index("Fortio ") :].splitlines(keepends=True)
            assert list(layout.find("".join(lines[:-1]) * 2000)) == []
            assert list(layout.find(lines[0] + lines[1] * 20_000)) == []
            assert list(layout.find(lines[0] * 20_000)) == []


@pytest.mark.parametrize("name", ["wrk/latency", "wrk/calibrated", "ab/n2000-k", "time/gnu-v"])
def test_an_open_report_that_was_read_in_one_piece_can_be_put_aside(name: str) -> None:
    reader = SourceParser("x.log")
    list(reader.feed((FIXTURES / f"{name}.txt").read_bytes()))
    kept = freeze(Checkpoint(reader, 0))
    later = thaw(kept) if kept else None
    assert later
    assert repr(list(later.parser.finish())) == repr(list(reader.finish()))
