"""Lines that are the page's, whatever stands around them, and lines that may be a report's or an event's."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.samples import GC, SCHED, WRK
from wrkparse.context.commands.classifier import CommandClassifier
from wrkparse.parse.reports.matcher import Matcher
from wrkparse.parse.reports.negative_cache import NegativeCache
from wrkparse.tools import event_tools, report_tools
from wrkparse.tools.lines import ANYWHERE


def cache() -> NegativeCache:
    return NegativeCache(Matcher(report_tools()), event_tools())


@pytest.mark.parametrize(
    "line", ["", "# nginx", "## Go 3", "###### fast-http 12 on-cloud", f"# {' '.join('abcdefghi')}"]
)
def test_an_empty_line_and_a_heading_of_plain_words_are_known_at_once(line: str) -> None:
    assert cache().has(line)


def test_headings_that_differ_in_the_number_at_their_end_are_known_alike() -> None:
    lines = cache()
    assert [lines.has(f"# setup {number}") for number in (1, 22, 33333, 123456789)] == [True] * 4
    assert [lines.has(f"# Requests {number}") for number in (1, 22, 33333, 123456789)] == [False] * 4


@pytest.mark.parametrize(
    "line",
    ["worker ready", "The server has 8 cores.", "$ wrk -c 8 http://h/", "```", "GOGC=off", "$ cd /srv",
     "* a remark about it", f"# {' '.join('abcdefghij')}", f"# {'x' * 42}", "####### seven", "#nginx", "y" * 200],
)  # fmt: skip
def test_another_line_is_looked_at_when_it_comes_again(line: str) -> None:
    """The parser asks twice where a line comes once: before the line is normalised, and behind that."""
    lines = cache()
    assert [lines.has(line) for _ in range(4)] == [False, False, True, True]


@pytest.mark.parametrize(
    "line",
    [
        *WRK.splitlines()[:5], "  410759 requests in 10.10s, 72.06MB read", "Transfer/sec:      7.13MB",
        "Requests/sec: about 10", "> Latency 5 6 7", "* 50% 1.2ms", "real 0m1.2s",
        f"ok:{WRK.splitlines()[0]}", "web-1  | ready", "2024-01-31T07:08:09Z ready", "-", ">", "* * * * * * * * * ready",
        GC.format(n=1, t="0.1").strip(), SCHED.format(t=5).strip(), "the gc ran", "# gc 1 @0.5s", "# SCHED 5", "(forced)", "timerslen=4",
        "# Latency", "# Requests in total user", "# ZeusBench 2", "# Successful calls 5", "Successful calls \t 5000",
        "# reqs  # fails", "<b>ready</b>", "@@ -1 +1 @@", "z" * 201,
    ],
)  # fmt: skip
def test_what_may_be_a_report_s_an_event_s_or_wrapped_is_never_the_page_s(line: str) -> None:
    lines = cache()
    assert [lines.has(line) for _ in range(4)] == [False, False, False, False]


def test_the_cache_forgets_when_it_is_full() -> None:
    lines = cache()
    for n in range(2047):
        assert [lines.has(f"worker {n} ready") for _ in range(3)] == [False, False, True]
    assert [lines.has("server ready") for _ in range(3)] == [False, False, True]
    assert lines.has("worker 0 ready")
    assert [lines.has("client ready") for _ in range(3)] == [False, False, True]
    assert not lines.has("worker 0 ready")


def test_the_cache_forgets_what_it_was_asked_when_that_is_too_much() -> None:
    lines = cache()
    for n in range(2048):
        assert not lines.has(f"worker {n} ready")
    assert not lines.has("line 2049")
    assert [lines.has("worker 0 ready") for _ in range(3)] == [False, False, True]


@pytest.mark.parametrize("line", ["server {} done", "{} {} ok", "$ ./kiwi -n {}", "> worker {} ready", "# depth {}"])
def test_a_line_is_known_by_its_form_when_it_comes_with_other_numbers(line: str) -> None:
    lines = cache()
    assert [lines.has_digit_form(line.format(n, n), None, ANYWHERE) for n in (17, 46, 95)] == [False, True, True]


@pytest.mark.parametrize(
    "line",
    [
        "real {}", "> real {}", "Latency {} {} {} {}", "Requests/sec: {}", "kiwi: Requests/sec: {}", "- quests/sec: {}",
        "{} requests in {}", "web-a | {}", "gc {} of 4", "the lines {} % done in h2load", "{}",
    ],
)  # fmt: skip
def test_a_line_of_a_report_is_not_known_by_its_form_in_one(line: str) -> None:
    """Numbers alone are a row of wrk2's spectrum there."""
    wrk = next(tool for tool in report_tools() if tool.name == "wrk")
    lines = cache()
    assert [lines.has_digit_form(line.format(n, n, n, n), wrk, 0) for n in (17, 46, 95)] == [False, False, False]


def test_a_line_in_which_a_filled_paragraph_may_go_on_is_not_known_by_its_form() -> None:
    """fortio lists addresses with counts (``10.0.0.1:80: 5``); two of them may have been filled into one line."""
    fortio = next(tool for tool in report_tools() if tool.name == "fortio")
    sockets = next(spec.rank for spec in fortio.lines if spec.kind == "socket")
    lines, text = cache(), "kiwi: {} emu: {} 0.1 0 0"
    assert [lines.has_digit_form(text.format(n, n), fortio, sockets) for n in (17, 46, 95)] == [False, False, False]
    assert [lines.has_digit_form(text.format(n, n), None, ANYWHERE) for n in (17, 46, 95)] == [False, True, True]


WORDS = st.sampled_from(
    "server done real user sys Running Requests/sec: 5 17 0.25 99.9 1700000000.123 ok $ > # | - total Latency requests "
    "in kiwi: [INFO] time ./kiwi wrk /usr/bin/time sleep taskset nice set export -n -v 2026 100 Percentage".split()
)


@examples(1)
@given(st.lists(WORDS, min_size=1, max_size=7), st.randoms())
def test_what_is_known_of_a_form_holds_for_all_its_lines(words: list[str], rng: random.Random) -> None:
    line = " ".join(words)
    other = re.sub("[0-9]", lambda _: rng.choice("0123456789"), line)
    tools, lines = report_tools(), cache()
    places = [(None, ANYWHERE), *((tool, rank) for tool in tools for rank in (0, 3, 99))]
    for tool, rank in places:
        assert lines._is_foreign(line, tool, rank) == lines._is_foreign(other, tool, rank)
    for in_fence in (False, True):
        read = [CommandClassifier(tuple(tools))._read_line(text, in_fence) for text in (line, other)]
        assert (read[0] is None) == (read[1] is None)
