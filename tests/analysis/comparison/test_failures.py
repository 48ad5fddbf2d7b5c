"""What a comparison says of requests that failed: near its answer, if they are many."""

from __future__ import annotations

import wrkparse as wp

REPORT = """## {name}

```
Running 10s test @ http://127.0.0.1:8080/
  4 threads and 100 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency    {mean}   50.10ms   {worst}   90.00%
    Req/Sec   {thread}    20.00      1.90k    70.00%
  {requests} requests in 10.00s, 50.00MB read
  Socket errors: connect {connect}, read {read}, write 0, timeout {timeout}
Requests/sec:  {rate}.00
Transfer/sec:      5.00MB
```

"""
NAMES = ("kiwi", "emu", "wren", "moss")


def said(**errors: tuple[int, ...]) -> list[str]:
    """The sentences on servers with 10,000 requests, 20,000 …; ``timeout=(0, 800)`` gives the second 800 late ones."""
    count = max(map(len, errors.values()))
    page = "".join(
        REPORT.format(
            name=NAMES[at],
            rate=1000 + 1000 * at,
            requests=10_000 + 10_000 * at,
            thread=f"{250 + 250 * at}.00",
            mean="25.11ms",
            worst="2.40s" if errors.get("timeout", (0,) * count)[at] else "300.00ms",
            **{kind: errors[kind][at] if kind in errors else 0 for kind in ("connect", "read", "timeout")},
        )
        for at in range(count)
    )
    return list(wp.compare(wp.parse_text(page), baseline="framework=kiwi").sentences)


def test_many_failures_are_told_directly_behind_the_answer() -> None:
    """8 % of one server's requests were late; of few, the latencies come first."""
    found = said(timeout=(0, 1_600))
    assert found[0].startswith("emu answered 2.0 times as many requests as kiwi")
    assert found[1].startswith(
        "Requests that took longer than the time-out: 8 % of the requests of emu, 0 % of those of"
    )
    assert any(sentence.startswith("Mean latency") for sentence in found[2:])
    few = said(timeout=(0, 16))
    assert few[1].startswith("Mean latency")


def test_that_all_requests_were_late_comes_before_their_rate() -> None:
    """10,000 of 10,000 and 20,000 of 20,000; 19,400 are 97 %, and 9,000 of 10,000 are too few to say it of both."""
    first, then, *_ = said(timeout=(10_000, 20_000))
    assert first == "All requests took longer than the time-out, so their rate says little."
    assert then.startswith("emu answered 2.0 times as many requests as kiwi")
    assert said(timeout=(10_000, 19_400))[0].startswith("97 % or more of the requests took longer than the time-out")
    assert said(timeout=(9_000, 20_000))[0].startswith("emu answered 2.0 times as many requests as kiwi")


def test_a_server_that_closes_connections_has_no_failures() -> None:
    """wrk counts each closed connection as a failed read."""
    found = said(read=(0, 20_000))
    assert found[1].startswith("Mean latency")


def test_connections_that_failed_are_a_share_of_the_connections() -> None:
    """90 of 100, which are 0.9 % of 10,000 requests; the failed reads, 40 %, make one run invalid."""
    found = said(connect=(90, 90), read=(0, 8_000))
    assert found[:2] == [
        "No comparison is left: the audit finds 1 of 2 runs invalid.",
        (
            "Connections that failed: 90 % of the connections of emu and 90 % of the connections of kiwi, so the load may "
            "not have been reached."
        ),
    ]


def test_error_responses_that_leave_nothing_to_compare_come_first() -> None:
    """17,600 of 20,000 responses are 88 %."""
    shared = {"mean": "25.11ms", "worst": "300.00ms", "connect": 0, "read": 0, "timeout": 0}
    good = REPORT.format(name="kiwi", thread="250.00", requests=10_000, rate=1000, **shared)
    bad = REPORT.format(name="emu", thread="500.00", requests=20_000, rate=2000, **shared)
    bad = bad.replace("Requests/sec", "  Non-2xx or 3xx responses: 17600\nRequests/sec")
    sentences = wp.compare(wp.parse_text(good + bad), baseline="framework=kiwi").sentences
    assert sentences[:2] == (
        "Responses with an error status: 88 % of the requests of emu and 0 % of the requests of kiwi.",
        "No comparison is left: the audit finds 1 of 2 runs invalid.",
    )


def test_of_many_settings_with_failures_the_ends_are_told() -> None:
    """20 % of 20,000, 40 % of 30,000 and 60 % of 40,000."""
    found = said(read=(0, 4_000, 12_000, 24_000))
    assert found == [
        "No comparison is left: the audit finds 3 of 4 runs invalid.",
        "Reads that failed or broke off: from 0 % of the requests of kiwi to 60 % of the requests of moss.",
    ]


def with_errors(kiwi: tuple[int, int], emu: tuple[int, int], connections: int = 100) -> list[str]:
    """The sentences on two servers with so many thousands of requests in 10 s, and so many error responses."""
    page = ""
    for name, (thousands, errors) in (("kiwi", kiwi), ("emu", emu)):
        text = REPORT.format(
            name=name, thread=f"{25 * thousands}.00", requests=1000 * thousands, rate=100 * thousands, mean="25.11ms",
            worst="300.00ms", connect=0, read=0, timeout=0,
        )  # fmt: skip
        printed = f"  Non-2xx or 3xx responses: {errors}\nRequests/sec" if errors else "Requests/sec"
        page += text.replace("Requests/sec", printed)
    here, _, last = page.rpartition("and 100 connections")
    page = f"{here}and {connections} connections{last}"
    return list(wp.compare(wp.parse_text(page), baseline="framework=kiwi").sentences)


def test_a_ratio_that_errors_cannot_turn_round_is_said_with_them() -> None:
    """20 % of 30,000 responses: 3,000 / 1,000 = 3.0 times, of those without errors 2,400 / 1,000 = 2.4 times."""
    found = with_errors((10, 0), (30, 6_000))
    assert found[:2] == [
        (
            "emu answered 3.0 times as many requests as kiwi (one run each); without the responses with an error status, "
            "20 % of those of emu, it was 2.4 times."
        ),
        "There is no verdict: the audit finds 1 of 2 runs invalid.",
    ]


def test_the_ratio_without_errors_is_that_of_the_runs_each_without_its_own() -> None:
    """A median of 1,000 requests/s; 3,000, 3,100 and 3,200, of which 10, 20 and 40 % are errors: 2,700, 2,480 and 1,920."""
    page = "".join(
        REPORT.format(
            name=name, thread=f"{rate / 4:.2f}", requests=10 * rate, rate=rate, mean="25.11ms", worst="300.00ms",
            connect=0, read=0, timeout=0,
        ).replace("Requests/sec", f"  Non-2xx or 3xx responses: {errors}\nRequests/sec")
        for name, rate, errors in (
            ("kiwi", 990, 0), ("kiwi", 1000, 0), ("kiwi", 1010, 0), ("emu", 3000, 3_000), ("emu", 3100, 6_200),
            ("emu", 3200, 12_800),
        )
    )  # fmt: skip
    found = wp.compare(wp.parse_text(page), baseline="framework=kiwi").sentences
    assert found[0] == (
        "emu answered 3.1 times as many requests as kiwi (3 runs each); without the responses with an error status, "
        "20 % of those of emu, it was 2.5 times."
    )
    assert "Responses with an error status: 0 % of the requests of kiwi and 20 % of the requests of emu." in found or (
        "Responses with an error status: 20 % of the requests of emu and 0 % of the requests of kiwi." in found
    )


def test_errors_of_the_slower_server_leave_the_other_one_faster() -> None:
    """10 % of 10,000 and 20 % of 20,000: 2.0 times, and 1,600 / 900 = 1.78 times without errors."""
    found = with_errors((20, 4_000), (10, 1_000))
    assert found[0] == (
        "kiwi answered 2.0 times as many requests as emu (one run each); without the responses with an error status, "
        "10 % of those of emu and 20 % of those of kiwi, it was 1.78 times."
    )
    assert found[1] == "There is no verdict: the audit finds both runs invalid."


def test_errors_that_may_be_the_difference_leave_no_comparison() -> None:
    """1,100 less 12 % are 968, fewer than 1,000. Of 20,000 responses half are errors; other connections may matter."""
    for found in (
        with_errors((10, 0), (11, 1_320)),
        with_errors((10, 0), (20, 10_000)),
        with_errors((10, 0), (30, 6_000), connections=50),
    ):
        assert not any("times" in sentence for sentence in found)
        assert "No comparison is left: the audit finds 1 of 2 runs invalid." in found
