"""A parser that was put aside between two blocks goes on as if it had not been."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.samples import GC, SCHED, WRK
from wrkparse.model.records import Measurements
from wrkparse.parse.checkpoint import Checkpoint, Tail, freeze, thaw
from wrkparse.parse.items import Batch, Item, Run
from wrkparse.parse.parser import SourceParser

BEGUN, ENDED = WRK[: WRK.index("  410759")], WRK[WRK.index("  410759") :]
TORN = GC.format(n=7, t="0.126")


def shown(items: list[Item]) -> list[str]:
    return [f"{item.table} {item.rows.to_pylist()}" if isinstance(item, Batch) else repr(item) for item in items]


@pytest.mark.parametrize(
    ("first", "rest"),
    [
        ("start\n", WRK),
        ("# Go\n\n" + BEGUN, ENDED),
        ("$ wrk -t8 -c8 -d10s http://10.0.1.70:8080/hello\n", WRK),
        ("".join(f"web-1  | {line}\n" for line in BEGUN.splitlines()), f"web-1  | {ENDED}"),
        ("$ GOGC=50 ./server\n" + GC.format(n=1, t="0.5"), GC.format(n=2, t="1.5") + "$ ./load\n" + WRK),
        (GC.format(n=1, t="0.5") + SCHED.format(t=10), SCHED.format(t=20) + GC.format(n=2, t="1.5")),
        ("$ export TIMEFORMAT='took %R'\n$ time ./a\ntook 1.234\n", "$ time ./a\ntook 2.345\n"),
        ("$ TIMEFORMAT=$'took %R\\nuser %U'; time ./a\ntook 1.234\n", "user 0.500\n"),
        (f"start\n{TORN[:30]}2026/11/20 11:38:23 worker ready\n", f"{TORN[30:]}{GC.format(n=8, t='0.2')}"),
    ],
)
def test_a_parser_that_was_put_aside_goes_on_as_if_it_had_not_been(first: str, rest: str) -> None:
    whole = SourceParser("x.log")
    expected = shown([*whole.feed(first.encode()), *whole.feed(rest.encode()), *whole.finish()])
    parser = SourceParser("x.log")
    items = [*parser.feed(first.encode())]
    data = freeze(Checkpoint(parser, len(first)))
    later = thaw(data) if data else None
    assert later
    assert later.offset == len(first)
    assert shown([*items, *later.parser.feed(rest.encode()), *later.parser.finish()]) == expected
    assert (later.parser.lines, later.parser.lines_claimed) == (whole.lines, whole.lines_claimed)


def test_what_was_open_at_the_end_is_a_report_or_a_trace_by_its_tool() -> None:
    """Of a trace the events stay; a report comes again as a whole, even one of which no number could be read."""
    parser = SourceParser("x.log")
    items = [*parser.feed((GC.format(n=1, t="0.5") + WRK).encode()), *parser.finish()]
    trace, report = sorted((item for item in items if isinstance(item, Run)), key=lambda run: run.line)
    tail = Tail()
    for run in (report, trace, replace(report, run="unread", numbers=Measurements())):
        tail.add(run, ())
    assert (tail.reports, tail.traces) == ([report.run, "unread"], [trace.run])
