"""Processes that print into one log: each line begins with the name of one, a stamp, or both."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence

import pytest

import wrkparse as wp
from wrkparse.dataset import Dataset

WRK = """\
Running 10s test @ http://localhost:8080/
  2 threads and 8 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     2.00ms    1.00ms   9.00ms   83.00%
    Req/Sec     1.50k   100.00     2.00k    70.00%
  {requests} requests in 10.00s, 7.00MB read
Requests/sec:   {rate}.00
Transfer/sec:    716.80KB
"""
AB = """\
This is ApacheBench, Version 2.3 <$Revision: 1903618 $>
Copyright 1996 Adam Twiss, Zeus Technology Ltd, http://www.zeustech.net/
Licensed to The Apache Software Foundation, http://www.apache.org/

Benchmarking localhost (be patient)
Completed 1000 requests
Completed 2000 requests
Finished 2000 requests


Server Software:
Server Hostname:        localhost
Server Port:            8080

Document Path:          /
Document Length:        150 bytes

Concurrency Level:      8
Time taken for tests:   2.000 seconds
Complete requests:      2000
Failed requests:        0
Total transferred:      540000 bytes
HTML transferred:       300000 bytes
Requests per second:    {rate}.00 [#/sec] (mean)
Time per request:       8.000 [ms] (mean)
Time per request:       1.000 [ms] (mean, across all concurrent requests)
Transfer rate:          263.67 [Kbytes/sec] received

Connection Times (ms)
              min  mean[+/-sd] median   max
Connect:        0    0   0.1      0       2
Processing:     1    2   0.6      2       7
Waiting:        1    2   0.6      2       7
Total:          1    2   0.6      2       8

Percentage of the requests served within a certain time (ms)
  50%      2
  66%      2
  75%      2
  80%      2
  90%      2
  95%      3
  98%      4
  99%      {p99}
 100%      8 (longest request)
"""
HEY = """\

Summary:
  Total:	10.0000 secs
  Slowest:	0.0090 secs
  Fastest:	0.0002 secs
  Average:	0.0020 secs
  Requests/sec:	{rate}.0000

  Total data:	390000 bytes
  Size/request:	13 bytes

Response time histogram:
  0.000 [1]	|
  0.002 [{requests}]	|■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■
  0.009 [1]	|


Latency distribution:
  10% in 0.0010 secs
  50% in 0.0020 secs
  99% in 0.00{p99}0 secs

Details (average, fastest, slowest):
  DNS+dialup:	0.0001 secs, 0.0002 secs, 0.0090 secs
  DNS-lookup:	0.0000 secs, 0.0000 secs, 0.0012 secs
  req write:	0.0000 secs, 0.0000 secs, 0.0009 secs
  resp wait:	0.0018 secs, 0.0002 secs, 0.0088 secs
  resp read:	0.0000 secs, 0.0000 secs, 0.0011 secs

Status code distribution:
  [200]	{requests} responses



"""
REPORTS: Mapping[str, str] = {"wrk": WRK, "ab": AB, "hey": HEY}
# The p99 in ms of a report whose rate ends in a digit: wrk prints none, and ab counts whole milliseconds.
P99: Mapping[str, Callable[[int], int]] = {
    "wrk": lambda digit: 0,
    "ab": lambda digit: digit,
    "hey": lambda digit: digit,
}


def report(tool: str, rate: int) -> list[str]:
    """The lines of a report; its p99 in ms is the last digit of the rate."""
    return COLON_REPORTS[tool].format(rate=rate, requests=rate * 10, p99=f"{rate % 10}").splitlines()


def found(data: Dataset) -> list[tuple[object, float, float]]:
    """The process, the rate and the p99 in ms of each run, in the order of their first lines; 0 for no p99."""
    stats = data.measurements.set_index(["run", "stat"])["value"]
    rates = data.measurements.query("metric == 'throughput'").set_index("run")["value"]
    runs = data.runs.sort_values("line")
    return [
        (name, rates[run], round(1000 * float(stats.get((run, "p99"), 0))))
        for name, run in zip(runs["process"], runs["run"], strict=True)
    ]


def behind(front: str, name: str, lines: Sequence[str]) -> list[str]:
    """Lines behind the name of a process."""
    return [front.format(name) + line for line in lines]


def by_turns(first: Sequence[str], second: Sequence[str], most: int = 3) -> str:
    """The lines of two processes, in turns of 1 line, 2 lines and so on."""
    turns, rest = itertools.cycle(range(1, most + 1)), [list(first), list(second)]
    text = ""
    while any(rest):
        for lines, turn in zip(rest, (next(turns), next(turns)), strict=True):
            text += "".join(f"{line}\n" for line in lines[:turn])
            del lines[:turn]
    return text


FRONTS = ["[{}] ", "{}-1  | ", "{}\t", "2026-10-03T08:00:07.1234567Z [{}] ", "2026-10-03T08:00:07Z {}-1  | "]


@pytest.mark.parametrize("front", FRONTS)
@pytest.mark.parametrize("tool", REPORTS)
def test_an_empty_line_behind_a_name_names_no_run_of_another_process(tool: str, front: str) -> None:
    lines = [
        *behind(front, "kiwi", [*report(tool, 1001), *report(tool, 1002)]),
        *behind(front, "emu", [*report(tool, 2003), *report(tool, 2004)]),
    ]
    # without its blank, the name above the first report of hey may be a title
    changes = (str, str.rstrip) if tool != "hey" or "|" in front else (str,)
    for change in changes:
        data = wp.parse_text("\n".join([*map(change, lines), ""]))
        assert [(str(name).removesuffix("-1"), *numbers) for name, *numbers in found(data)] == [
            ("kiwi", 1001, P99[tool](1)), ("kiwi", 1002, P99[tool](2)),
            ("emu", 2003, P99[tool](3)), ("emu", 2004, P99[tool](4)),
        ]  # fmt: skip
        assert {"title", "heading"}.isdisjoint(data.runs)
        assert data.diagnostics.empty


@pytest.mark.parametrize("front", FRONTS)
@pytest.mark.parametrize("tool", REPORTS)
def test_processes_that_print_by_turns_have_their_own_runs(tool: str, front: str) -> None:
    kiwi = behind(front, "kiwi", [*report(tool, 1001), *report(tool, 1002)])
    emu = behind(front, "emu", [*report(tool, 2003), *report(tool, 2004)])
    data = wp.parse_text(by_turns(kiwi, emu))
    assert sorted((str(name).removesuffix("-1"), *numbers) for name, *numbers in found(data)) == [
        ("emu", 2003, P99[tool](3)), ("emu", 2004, P99[tool](4)),
        ("kiwi", 1001, P99[tool](1)), ("kiwi", 1002, P99[tool](2)),
    ]  # fmt: skip
    assert {"title", "heading"}.isdisjoint(data.runs)
    assert data.diagnostics.empty


def test_a_name_in_brackets_alone_is_a_title() -> None:
    text = "".join(
        f"[{name}]\n" + "\n".join(report("wrk", rate)) + "\n" for name, rate in (("kiwi", 1001), ("emu", 1002))
    )
    assert wp.parse_text(text).runs.sort_values("line")["title"].tolist() == ["kiwi", "emu"]


def test_stamps_of_a_ci_system_change_nothing_in_a_log_of_hey() -> None:
    lines = []
    for name, rate in (("kiwi", 1001), ("emu", 2001)):
        lines += [f"starting {name} ...", "warm-up", *report("hey", rate), f"measuring {name}"]
        for repeat in (1, 2):
            lines += [f"  run {repeat} of 2", *report("hey", rate + repeat)]
        lines.append(f"stopping {name}")
    lines.append("Post job cleanup.")
    stamped = [f"2026-10-03T08:{at // 60:02}:{at % 60:02}.1234567Z {line}" for at, line in enumerate(lines)]
    plain, data = (wp.parse_text("\n".join([*text, ""])) for text in (lines, stamped))
    assert data.diagnostics.empty
    phases = data.runs.sort_values("line")["phase"].fillna("")
    assert phases.tolist() == ["warm-up", "", "", "warm-up", "", ""]
    assert phases.tolist() == plain.runs.sort_values("line")["phase"].fillna("").tolist()
    names = data.runs.sort_values("line")["framework"].tolist()
    assert [names[at] for at in (1, 2, 4, 5)] == ["kiwi", "kiwi", "emu", "emu"]
    assert "heading" not in data.runs


@pytest.mark.parametrize("names", [("web1", "web2"), ("kiwi-1", "kiwi-2"), ("client", "server"), ("jdk17", "node20")])
@pytest.mark.parametrize("tool", REPORTS)
def test_names_in_brackets_that_might_be_those_of_threads_tell_processes_apart(
    tool: str, names: tuple[str, str]
) -> None:
    first = behind("[{}] ", names[0], [*report(tool, 1001), *report(tool, 1002)])
    second = behind("[{}] ", names[1], [*report(tool, 2003), *report(tool, 2004)])
    for lines in ((first, second), (second, first)):
        data = wp.parse_text(by_turns(*lines))
        assert sorted(numbers for _, *numbers in found(data)) == [
            [1001, P99[tool](1)], [1002, P99[tool](2)], [2003, P99[tool](3)], [2004, P99[tool](4)],
        ]  # fmt: skip
        assert data.diagnostics.empty


def test_a_command_of_one_process_ends_no_report_of_another() -> None:
    kiwi = ["+ ./run.sh kiwi", *report("ab", 1001)]
    text = by_turns(
        behind("[{}1] ", "web", kiwi), ["", *behind("[{}2] ", "web", ["+ ./run.sh emu", *report("ab", 2003)])]
    )
    assert [numbers for _, *numbers in found(wp.parse_text(text))] == [[1001, 1], [2003, 3]]


def test_a_report_whose_lines_may_be_those_of_two_processes_is_none() -> None:
    """The beginning of the log of web2 is missing: whose results follow can't be known."""
    first, second = report("ab", 1001), report("ab", 2003)
    lines = [
        *behind("[{}] ", "web1", first[:8]),
        *behind("[{}] ", "web2", second[8:18]),
        *behind("[{}] ", "web1", report("ab", 1002)),
    ]
    data = wp.parse_text("\n".join([*lines, ""]))
    assert found(data) == [("web1", 1002, 2)]
    assert data.diagnostics["message"].tolist() == [
        "ab: no run: its lines may be those of several processes: web1, web2"
    ]


OHA = """\
Summary:
  Success rate:	100.00%
  Total:	10.0000 sec
  Slowest:	9.0000 ms
  Fastest:	0.2000 ms
  Average:	2.0000 ms
  Requests/sec:	{rate}.0000

  Total data:	0.41 MiB
  Size/request:	13 B
  Size/sec:	42.13 KiB

Response time distribution:
  50.00% in 2.0000 ms
  99.00% in {p99}.0000 ms


Status code distribution:
  [200] {requests} responses
"""
K6 = """\

     execution: local
        script: s.js
        output: -

     scenarios: (100.00%) 1 scenario, 8 max VUs, 40s max duration (incl. graceful stop):
              * default: 8 looping VUs for 10s (gracefulStop: 30s)


  █ TOTAL RESULTS

    HTTP
    http_req_duration..............: avg=2.00ms min=200.00µs med=1.90ms max=9.00ms p(90)=3.00ms p(95)=4.00ms
    http_req_failed................: 0.00% 0 out of {requests}
    http_reqs......................: {requests} {rate}/s
"""
COLON_REPORTS = {**REPORTS, "oha": OHA, "k6": K6}


@pytest.mark.parametrize("names", [("kiwi", "emu"), ("web1", "web2")])
@pytest.mark.parametrize("tool", COLON_REPORTS)
def test_a_name_and_a_colon_in_front_of_each_line_is_that_of_a_process(tool: str, names: tuple[str, str]) -> None:
    first, second = (
        [f"{name}: {line}" for rate in rates for line in report(tool, rate)]
        for name, rates in zip(names, ((1001, 1002), (2003, 2004)), strict=True)
    )
    expected = [(1001, names[0]), (1002, names[0]), (2003, names[1]), (2004, names[1])]
    for text in ("\n".join([*first, *second, ""]), by_turns(first, second)):
        data = wp.parse_text(text)
        rates = data.measurements.query("metric == 'throughput'").set_index("run")["value"]
        runs = data.runs.set_index("run")["process"]
        assert sorted((rates[run], name) for run, name in runs.items()) == expected
        assert {"title", "heading"}.isdisjoint(data.runs)
        assert "fragment" not in set(data.diagnostics["code"])
