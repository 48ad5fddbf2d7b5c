"""Lines that are the page's, whatever stands around them, and lines that may be a report's or an event's."""

from __future__ import annotations

import pytest

from tests.samples import GC, SCHED, WRK
from wrkparse.parse.reports.matcher import Matcher
from wrkparse.parse.reports.negative_cache import NegativeCache
from wrkparse.tools import event_tools, report_tools


def cache() -> NegativeCache:
    return NegativeCache(Matcher(report_tools()), event_tools())


@pytest.mark.parametrize(
    "line", ["", "# nginx", "## Go 3", "###### fast-http 12 on-cloud", f"# {' '.join('abcdefghi')}"]
)
def test_an_empty_line_and_a_heading_of_plain_words_are_known_at_once(line: str) -> None:
    assert cache().has(line)


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
        "# Latency", "# Requests in total user", "<b>ready</b>", "@@ -1 +1 @@", "z" * 201,
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
