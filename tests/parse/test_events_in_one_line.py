"""Several event lines in one line of the source."""

from __future__ import annotations

from itertools import chain

import pytest

import wrkparse as wp
from tests.samples import GC, SCHED
from wrkparse.parse.parser import SourceParser

THREE = [GC.format(n=n, t=f"{n}.500").rstrip() for n in (1, 2, 3)]
TICKS = [SCHED.format(t=t).rstrip() for t in (1000, 2000)]


@pytest.mark.parametrize("between", [" ", "", "; ", ", ", "   ", " | ", "\t"])
@pytest.mark.parametrize("form", ["{}", "2024/05/01 10:00:00 {}", "> {}", "web-1  | {}", "out: {}", '"{}"'])
def test_each_of_them_is_an_event(between: str, form: str) -> None:
    data = wp.parse_text(f"started\n{form.format(between.join(THREE))}\nGET /\n")
    assert data.gc_cycles[["gc", "at_s"]].to_numpy().tolist() == [[1, 1.5], [2, 2.5], [3, 3.5]]
    assert (len(data.runs), data.diagnostics["message"].tolist()) == (1, [])


def test_events_of_one_line_have_its_time_and_those_below_their_own() -> None:
    events = [GC.format(n=n, t=f"{n}.500").rstrip() for n in range(1, 6)]
    lines = [events[0], f"{events[1]} {events[2]}", *events[3:]]
    data = wp.parse_text("".join(f"2024/05/01 10:00:0{second} {line}\n" for second, line in enumerate(lines)))
    assert data.gc_cycles["logged_at"].dt.second.tolist() == [0, 1, 1, 2, 3]


def test_events_of_both_tools_in_one_line_are_read() -> None:
    data = wp.parse_text(" ".join([THREE[0], TICKS[0], THREE[1], TICKS[1]]) + "\n")
    assert (len(data.gc_cycles), len(data.diagnostics)) == (2, 0)


@pytest.mark.parametrize("page", ["{}\n```\n", "# log\n\n```\n{}\n```\n", "{}\nGET /\n```\n"])
def test_one_of_each_tool_in_one_line_is_read_whatever_stands_below(page: str) -> None:
    """The trace of each tool takes its part of the line, though that leaves as many lines of the tool as before."""
    data = wp.parse_text(page.format(f"{THREE[0]} {TICKS[0]}"))
    assert (len(data.gc_cycles), len(data.sched_ticks)) == (1, 1)
    assert data.diagnostics["code"].tolist() == []


def test_in_a_long_log_they_are_read_as_elsewhere() -> None:
    lines = [GC.format(n=n, t=f"{n}.500").rstrip() for n in range(1, 3001)]
    glued = [*lines[:1000], " ".join(lines[1000:1003]), *lines[1003:]]
    found = [wp.parse_text("\n".join(text) + "\n") for text in (lines, glued)]
    rows = [data.gc_cycles.drop(columns=["run", "line", "logged_at"], errors="ignore") for data in found]
    assert rows[0].equals(rows[1])
    assert found[1].gc_cycles["line"].tolist()[999:1004] == [1000, 1001, 1001, 1001, 1002]


def test_a_damaged_one_among_them_is_named_and_none_is_read_wrong() -> None:
    line = " ".join([THREE[0], THREE[1].replace("1.3+", "1.x+"), THREE[2]])
    data = wp.parse_text(line + "\n")
    assert len(data.gc_cycles) == 0
    assert data.diagnostics["code"].tolist() == ["bad-event"]


def test_an_event_that_another_tool_s_tore_is_not_dropped() -> None:
    begin, rest = "init internal/bytealg @", "0 ms, 0 ms clock, 0 bytes, 0 allocs"
    data = wp.parse_text(f"{begin}{TICKS[0]}\n{rest}\n{THREE[0]}\n")
    assert (len(data.sched_ticks), len(data.gc_cycles), len(data.inits)) == (1, 1, 1)


@pytest.mark.parametrize("words", [" done! ", " // second test ", " 完成 "])
def test_other_words_between_them_are_left_out(words: str) -> None:
    ticks = [SCHED.format(t=t).rstrip() for t in (1000, 2000, 3000)]
    data = wp.parse_text(f"{words.join(ticks)}{words}\n")
    assert data.sched_ticks["t_s"].tolist() == [1.0, 2.0, 3.0]
    assert not len(data.diagnostics)


def test_the_last_of_them_may_be_cut_and_is_named() -> None:
    ticks = [SCHED.format(t=t).rstrip() for t in (1000, 2000, 3000)]
    data = wp.parse_text(" ".join([*ticks[:2], ticks[2][:40]]) + "\n")
    assert data.sched_ticks["t_s"].tolist() == [1.0, 2.0]
    assert data.diagnostics["code"].tolist() == ["bad-event"]


def test_their_line_is_counted_once() -> None:
    events = [GC.format(n=n, t=f"{n}.5").rstrip() for n in range(7)]
    lines = ["text", " ".join(events[:3]), " ".join(events[3:5]), events[5][:50], events[6]]
    parser = SourceParser("x.log")
    list(chain(parser.feed("\n".join([*lines, ""]).encode()), parser.finish()))
    assert (parser.lines, parser.lines_claimed) == (5, 3)


@pytest.mark.parametrize(("events", "read"), [(2, 0), (3, 2)])
def test_two_of_which_the_last_is_cut_are_one_torn_line(events: int, read: int) -> None:
    text = " ".join(GC.format(n=n, t=f"{n}.5").rstrip() for n in range(events))
    dataset = wp.parse_text(f"{text[:-50]}\n")
    assert dataset.gc_cycles["gc"].tolist() == [*range(read)]
    assert dataset.diagnostics["code"].tolist()[:1] == ["bad-event"]


@pytest.mark.parametrize("more", [0, 1])
def test_a_longer_line_than_64_kib_is_not_taken_apart(more: int) -> None:
    first, second = (GC.format(n=n, t=f"{n}.5").rstrip() for n in (1, 2))
    line = first + " " * ((1 << 16) - len(first + second) + more) + second
    assert len(wp.parse_text(f"{line}\n").gc_cycles) == (0 if more else 2)


@pytest.mark.parametrize("first", [True, False])
def test_a_run_ends_with_its_last_line_whatever_kind_that_is(*, first: bool) -> None:
    event, other = GC.format(n=1, t="0.5"), "init reflect @42 ms, 0.005 ms clock, 0 bytes, 0 allocs\n"
    runs = wp.parse_text(event + other if first else other + event).runs
    assert runs[["line", "line_end"]].to_numpy().tolist() == [[1, 2]]
