"""Which metrics are compared if none is named, and what the tools call alike."""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.samples import WRK
from wrkparse.analysis.comparison.compare import compare
from wrkparse.analysis.runs.selection import TooLittleError

DISTRIBUTION = """\
  Latency Distribution
     50%  190.00us
     75%  200.00us
     90%  220.00us
     99%  {}us
"""
AB_TIMES = """\
Connection Times (ms)
              min  mean[+/-sd] median   max
Connect:        0    0   0.1      0       1
Processing:     1    2   0.5      2       9
Waiting:        1    2   0.5      2       9
Total:          1    3   0.5      2      10

Percentage of the requests served within a certain time (ms)
  50%      2
  66%      2
  75%      3
  80%      3
  90%      4
  95%      5
  98%      6
  99%      7
 100%     10 (longest request)
"""
AB = f"""\
This is ApacheBench, Version 2.3 <$Revision: 1879490 $>
Concurrency Level:      8
Time taken for tests:   1.000 seconds
Complete requests:      3000
Failed requests:        0
Total transferred:      498000 bytes
HTML transferred:       36000 bytes
Requests per second:    3000.00 [#/sec] (mean)
Time per request:       2.667 [ms] (mean)
Time per request:       0.333 [ms] (mean, across all concurrent requests)
Transfer rate:          485.00 [Kbytes/sec] received

{AB_TIMES}"""
TIME = "\nreal\t0m{}s\nuser\t0m0.100s\nsys\t0m0.010s\n"


def wrk(throughput: float, p99: str | None = None, errors: str = "") -> str:
    lines = WRK.replace("40669.44", f"{throughput:.2f}").splitlines(keepends=True)
    lines.insert(5, DISTRIBUTION.format(p99) if p99 else "")
    lines.insert(7, errors)
    return "".join(lines)


def metrics_of(*texts: str) -> list[str]:
    page = "".join(f"# {name}\n\n{text}\n" for name, text in zip(("old", "new"), texts, strict=True))
    return list(compare(wp.parse_text(page), rows="framework").cells["metric"].unique())


def test_the_rate_and_p99_if_all_runs_print_it_else_the_mean() -> None:
    assert metrics_of(wrk(100, "250.00"), wrk(110, "260.00")) == ["throughput", "latency_p99"]
    assert metrics_of(wrk(100, "250.00"), wrk(110)) == ["throughput", "latency_mean"]


def test_the_highest_percentile_that_all_print_where_p99_is_not_among_them() -> None:
    without = wrk(110, "260.00").replace("     99%  260.00us\n", "")
    assert metrics_of(wrk(100, "250.00"), without) == ["throughput", "latency_p90"]


def test_failures_that_any_run_has_are_compared_and_the_others_are_not() -> None:
    errors = "  Socket errors: connect 0, read 0, write 0, timeout 5\n"
    assert metrics_of(wrk(100), wrk(110, errors=errors)) == ["throughput", "latency_mean", "errors_timeout"]


def test_without_a_rate_the_elapsed_time_is_compared() -> None:
    assert metrics_of(TIME.format("1.000"), TIME.format("1.200")) == ["elapsed"]


def test_without_either_it_is_said() -> None:
    trace = "SCHED 0ms: gomaxprocs=4 idleprocs=1 threads=4 spinningthreads=1 idlethreads=0 runqueue=0 [0 0 0 0]\n"
    with pytest.raises(TooLittleError, match="no run states throughput, elapsed or time_per_op; wrkparse sched"):
        compare(wp.parse_text(trace))
    with pytest.raises(TooLittleError, match="there are no runs to compare"):
        compare(wp.parse_text("nothing of a tool"))
    latency = (
        "  Thread Stats   Avg      Stdev     Max   +/- Stdev\n    Latency   193.32us   51.20us   1.57ms   83.29%\n"
    )
    with pytest.raises(TooLittleError, match="name another metric: latency_mean, "):
        compare(wp.parse_text(f"Running 1s test @ http://h/\n  1 threads and 1 connections\n{latency}"))


def test_the_times_of_ab_and_the_latency_of_wrk_are_one_metric() -> None:
    dataset = wp.parse_text(f"# old\n\n{wrk(100, '250.00')}\n# new\n\n{AB}\n")
    cells = compare(dataset, rows="tool", baseline="tool=wrk", metric="p99,latency").cells
    found = dict(zip(zip(cells["metric"], cells["tool"], strict=True), cells["center"], strict=True))
    assert found == {
        ("latency_p99", "wrk"): 0.00025, ("latency_p99", "ab"): 0.007,
        ("latency_mean", "wrk"): 193.32e-6, ("latency_mean", "ab"): 0.003,
    }  # fmt: skip
    assert dataset.wide("p99 > 0.005")["tool"].tolist() == ["ab"]
    assert dataset.wide()["latency_max_s"].tolist() == [1.57e-3, 0.010]


@pytest.mark.parametrize(
    "condition",
    ["rps > 39000", "conns = 8 AND latency < 1e-3", "p99 = 250e-6", '"max" > 1e-3', "timeouts = 0", "qps > 1"],
)
def test_short_names_stand_in_conditions(condition: str) -> None:
    dataset = wp.parse_text(wrk(40000, "250.00"))
    assert len(dataset.wide(condition)) == 1
    assert len(dataset.wide(f"NOT ({condition})")) == 0


def test_a_label_with_a_short_name_is_that_label() -> None:
    dataset = wp.parse_text(WRK, labels={"rps": "3", "conns": "9"})
    assert len(dataset.wide("rps = '3' AND conns = '9'")) == 1
