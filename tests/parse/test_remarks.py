"""Remarks behind the lines of an open report, and lines that are cut."""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.samples import WRK

AB = """\
Server Software:        kiwi/1.2{}
Server Hostname:        10.0.0.9
Server Port:            80{}

Document Path:          /a.html
Document Length:        25 bytes{}

Concurrency Level:      10
Time taken for tests:   0.500 seconds
Complete requests:      1000
Failed requests:        0
Write errors:           3{}
Total transferred:      275000 bytes{}
HTML transferred:       25000 bytes{}
Requests per second:    2000.00 [#/sec] (mean)
Time per request:       5.000 [ms] (mean)
Time per request:       0.500 [ms] (mean, across all concurrent requests)
Transfer rate:          537.11 [Kbytes/sec] received

Connection Times (ms)
              min  mean[+/-sd] median   max
Connect:        0    1   2.3      0      16
Processing:     6   25   3.2     25      32
Waiting:        5   24   3.2     25      32
Total:          6   26   4.0     26      48

Percentage of the requests served within a certain time (ms)
  50%     26{}
  66%     27
  75%     27
  80%     27
  90%     28
  95%     31
  98%     38
  99%     43
 100%     48 (longest request)
"""


def _values(data: wp.Dataset) -> dict[str, float]:
    rows = data.measurements
    return dict(zip(rows["metric"] + "/" + rows["stat"], rows["value"], strict=True))


@pytest.mark.parametrize(
    "remark", ["  # bytes in all", "  ## 总字节数", " // all of it", "  -----------  # all", "  <- look"]
)
def test_a_remark_takes_no_line_from_abs_report(remark: str) -> None:
    data = wp.parse_text(AB.format(*[remark if remark.strip()[0] == "#" else ""], *[remark] * 6))
    assert _values(data) == _values(wp.parse_text(AB.format(*[""] * 7)))
    assert _values(data)["bytes_read/total"] == 275000
    assert _values(data)["errors_write/total"] == 3
    assert _values(data)["total/p50"] == 0.026
    labels = data.labels.set_index("key")["value"]
    assert labels["server_software"] == "kiwi/1.2"
    assert not len(data.diagnostics)


@pytest.mark.parametrize("rest", ["00 more", " 000", ".5.1"])
def test_what_goes_on_a_number_is_no_remark(rest: str) -> None:
    data = wp.parse_text(AB.format("", "", "", "", rest, "", ""))
    assert "bytes_read/total" not in _values(data)


def test_a_quote_mark_that_closes_a_session_takes_no_time() -> None:
    data = wp.parse_text("`$ time make\n\nreal    0m2.500s\nuser    0m1.250s\nsys     0m0.125s`\n")
    assert _values(data) == {"elapsed/total": 2.5, "user/total": 1.25, "system/total": 0.125}


def test_a_rate_of_wrk_without_decimals_is_read_if_the_requests_agree() -> None:
    """410759 requests in 10.10 s are 40669.2 a second."""
    head = WRK.partition("Requests/sec")[0]
    data = wp.parse_text(f"{head}Requests/sec: 40669\nTransfer/sec: 7.13MB\n")
    assert _values(data)["throughput/total"] == 40669


@pytest.mark.parametrize("cut", ["4", "4066"])
def test_a_rate_of_wrk_that_is_cut_is_not_read(cut: str) -> None:
    head = WRK.partition("Requests/sec")[0]
    data = wp.parse_text(f"{head}Requests/sec: {cut}")
    assert "throughput/total" not in _values(data)
    assert "bad-cell" in set(data.diagnostics["code"])


FOOTER = """\
#[Mean    =     1234.639, StdDeviation   =      339.985]
#[Max     =     1633.280, Total count    =         9365]
#[Buckets =           27, SubBuckets     =         2048]
----------------------------------------------------------
"""
TOTALS = "  11708 requests in 10.00s, 2.40MB read\nRequests/sec:   1170.78\nTransfer/sec:    245.82KB\n"


def test_the_end_of_a_report_of_wrk2_is_read_with_the_footer_of_its_histogram() -> None:
    data = wp.parse_text(FOOTER + TOTALS)
    assert data.runs[["tool", "line"]].to_numpy().tolist() == [["wrk2", 1]]
    values = _values(data)
    assert values["latency_histogram/mean"] == pytest.approx(1.234639)
    assert values["latency_histogram_count/total"] == 9365
    assert values["throughput/total"] == 1170.78


def test_the_histogram_of_another_program_is_no_run() -> None:
    data = wp.parse_text(f"latencies of the queue\n{FOOTER}bye\n")
    assert (len(data.runs), data.diagnostics["severity"].isin(["warning", "error"]).sum()) == (0, 0)
