"""One name for each metric: what two tools count alike is called alike, and what differs has titles that say so."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable

import pytest

from wrkparse.model.records import Metric
from wrkparse.tools import all_tools, metrics

SMALL_WORDS = frozenset("a an and by for from in of on or the to with".split())
SAME = {"read": "received", "transferred": "received", "reading": "read", "answers": "responses"}


def words(title: str) -> frozenset[str]:
    """The words of a title that tell it from others, without regard to their order."""
    found = re.findall(r"[a-z0-9]+", title.casefold())
    return frozenset(SAME.get(word, word) for word in found if word not in SMALL_WORDS)


def alike(declared: Iterable[Metric]) -> list[tuple[str, str]]:
    """The pairs of names whose unit and title say the same."""
    return [
        (one.name, other.name)
        for one, other in itertools.combinations(declared, 2)
        if one.unit == other.unit and words(one.title) == words(other.title)
    ]


def test_no_two_metrics_have_one_unit_and_title() -> None:
    assert alike(metrics().values()) == []


@pytest.mark.parametrize(
    ("title", "other"),
    [
        ("Bytes received in bodies", "Bytes received in bodies"),
        ("Bytes read", "Bytes received"),
        ("Time to connect", "The time to connect"),
        ("Writes that failed", "Writes, that failed"),
    ],
)
def test_titles_that_say_the_same_are_found(title: str, other: str) -> None:
    assert alike([Metric("one", "s", None, title), Metric("two", "s", None, other)]) == [("one", "two")]
    assert alike([Metric("one", "s", None, title), Metric("two", "1", None, other)]) == []


def test_a_title_says_in_what_a_metric_differs() -> None:
    assert (
        alike([Metric("one", "s", None, "Time to connect"), Metric("two", "s", None, "Time to connect, TLS too")]) == []
    )


@pytest.mark.parametrize(
    ("name", "tools"),
    [
        # waittime of ab.c and "resp wait" of hey and http_req_waiting of k6: request written to first byte of the response
        ("response_wait", {"ab", "hey", "k6"}),
        # ctime of ab.c, connect_time of h2load.cc and connectStats of fortio's http_client.go have the TLS handshake in them
        ("connect", {"ab", "fortio", "h2load"}),
        ("tcp_connect", {"k6"}),
        ("bytes_bodies", {"ab", "fortio", "h2load", "hey", "oha", "siege", "vegeta"}),
        ("bytes_read", {"ab", "autocannon", "bombardier", "fortio", "h2load", "jmeter", "k6", "wrk"}),
        ("transfer_rate_bodies", {"oha", "siege"}),
        ("errors_connect", {"ab", "wrk"}),
        ("errors_write", {"ab", "wrk"}),
        # of ab.c a socket's error alone, of wrk.c also what the parser refuses and a response that ends early
        ("errors_read", {"wrk"}),
        ("failed_receive", {"ab"}),
        ("first_body_byte", {"oha"}),
    ],
)
def test_tools_that_count_the_same_name_it_alike(name: str, tools: set[str]) -> None:
    assert {tool.name for tool in all_tools() for metric in tool.metrics if metric.name == name} == tools
