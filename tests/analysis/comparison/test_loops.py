"""What a comparison says of load generators that wait for responses beside those that send at a rate."""

from __future__ import annotations

import pandas as pd

import wrkparse as wp
from wrkparse.analysis.comparison.text.notes import cautions

HEAD = """\
Running 10s test @ http://127.0.0.1:8080/
  2 threads and 8 connections
"""
CALIBRATION = "  Thread calibration: mean lat.: 1.070ms, rate sampling interval: 10ms\n"
TABLE = """\
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   400.00us   51.20us   1.57ms   83.29%
    Req/Sec    10.00k   299.35    10.84k    78.34%
  200000 requests in 10.00s, 35.00MB read
Requests/sec:  20000.00
Transfer/sec:      3.50MB
"""
WRK, WRK2 = HEAD + TABLE, HEAD + CALIBRATION + TABLE
OPEN_AND_CLOSED = (
    "open loops (wrk2) send at a rate, closed ones (wrk) wait for responses: their latencies can't be compared; "
    "the throughput of an open loop is the requested rate as long as the server keeps up"
)
CORRECTED = (
    "latencies of wrk2 are corrected for coordinated omission, those of wrk are not: "
    "a difference may come from that alone"
)


def notes(first: str, second: str, metric: str | None = None) -> list[str]:
    dataset = wp.parse_text(f"# nginx\n\n{first}\n# caddy\n\n{second}")
    return cautions(wp.compare(dataset, rows="framework", metric=metric))


def loops(text: str) -> list[tuple[object, object]]:
    runs = wp.parse_text(text).runs
    return [
        (None if pd.isna(kind) else kind, None if pd.isna(corrected) else bool(corrected))
        for kind, corrected in zip(runs["loop"], runs["corrected"], strict=True)
    ]


def test_each_run_has_its_loop() -> None:
    assert loops(WRK) == [("closed", False)]
    assert loops(WRK2) == [("open", True)]


def test_the_command_line_tells_wrk2_where_its_report_does_not() -> None:
    # wrk2 prints no calibration in its first ten seconds; wrk has no -R (parse_args of both src/wrk.c)
    assert loops(f"$ wrk -t2 -c8 -d10s -R20000 http://127.0.0.1:8080/\n{WRK}") == [("open", True)]
    assert loops(f"$ wrk -t2 -c8 -d10s http://127.0.0.1:8080/\n{WRK}") == [("closed", False)]


def test_what_is_no_load_generator_has_no_loop() -> None:
    assert loops("\nreal\t0m1.000s\nuser\t0m0.500s\nsys\t0m0.100s\n") == [(None, None)]


def test_open_beside_closed_is_named_with_what_follows() -> None:
    found = notes(WRK, WRK2)
    assert OPEN_AND_CLOSED in found
    assert CORRECTED in found


def test_a_rate_alone_can_be_compared_but_for_the_loop() -> None:
    found = notes(WRK, WRK2, metric="throughput")
    assert OPEN_AND_CLOSED.replace(": their latencies can't be compared", "") in found
    assert CORRECTED not in found


def test_open_loops_alone_keep_the_rate_asked_for() -> None:
    slower = WRK2.replace("20000.00", "16000.00")
    assert slower != WRK2
    found = [note for note in notes(WRK2, slower) if "open loop" in note]
    assert found == ["the throughput of an open loop is the requested rate as long as the server keeps up"]


AB = """\
Server Software:        \n\
Server Hostname:        127.0.0.1
Server Port:            8080

Document Path:          /
Document Length:        13 bytes

Concurrency Level:      8
Time taken for tests:   1.000 seconds
Complete requests:      20000
Failed requests:        0
Non-2xx responses:      100
Total transferred:      2600000 bytes
HTML transferred:       260000 bytes
Requests per second:    20000.00 [#/sec] (mean)
Time per request:       0.400 [ms] (mean)
Time per request:       0.050 [ms] (mean, across all concurrent requests)
Transfer rate:          2539.06 [Kbytes/sec] received
"""
WITH_ERRORS = WRK.replace("Requests/sec:", "  Non-2xx or 3xx responses: 100\nRequests/sec:")


def on_statuses(first: str, second: str) -> list[str]:
    return [note for note in notes(first, second, metric="non_2xx") if "statuses" in note]


def test_error_responses_with_redirects_are_told_from_those_without() -> None:
    # wrk: status > 399 (response_complete of wrk.c); ab: all but 2xx (read_connection of ab.c)
    (told,) = on_statuses(WITH_ERRORS, AB)
    assert told == (
        "non_2xx counts responses of different statuses: ab any but 2xx, redirects included; wrk 400 or more"
    )


def test_error_responses_of_tools_that_count_alike_and_none_at_all_need_no_word() -> None:
    assert on_statuses(WITH_ERRORS, WRK2) == []
    assert on_statuses(WRK, AB.replace("Non-2xx responses:      100\n", "")) == []


def test_closed_loops_alone_need_no_word() -> None:
    assert [note for note in notes(WRK, WRK) if "loop" in note or "omission" in note] == []
