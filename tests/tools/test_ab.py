"""ab's report, line by line and whole; expected values come from the texts and from httpd's support/ab.c."""

from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp
from wrkparse.tools.ab.tool import METRICS, TOOL
from wrkparse.tools.report import Report

from .harness import FIXTURES, cases, is_run, labels, numbers, read_report

BANNER = "This is ApacheBench, Version 2.3 <$Revision: 1757674 $>"
OLD_BANNER = "This is ApacheBench, Version 2.0.40-dev <$Revision: 1.146 $> apache-2.0"


def read(*lines: str) -> Report:
    """The only report of some lines."""
    (report,) = read_report(TOOL, "\n".join(lines))
    return report


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("Document Length:        80 bytes", {"document_bytes/total": 80}),
        ("Complete requests:      20000", {"requests/total": 20000}),
        ("Failed requests:        257", {"failed_requests/total": 257}),
        (
            "   (Connect: 1, Receive: 2, Length: 3, Exceptions: 4)",
            {
                "errors_connect/total": 1,
                "failed_receive/total": 2,
                "failed_length/total": 3,
                "failed_exceptions/total": 4,
            },
        ),
        (
            "   (Connect: 0, Length: 171, Exceptions: 5)",
            {"errors_connect/total": 0, "failed_length/total": 171, "failed_exceptions/total": 5},
        ),
        ("Write errors:           3", {"errors_write/total": 3}),
        ("Non-2xx responses:      100", {"non_2xx/total": 100}),
        ("Keep-Alive requests:    996", {"keep_alive_requests/total": 996}),
        ("Total transferred:      3940000 bytes", {"bytes_read/total": 3940000}),
        ("Total POSTed:           29748", {"bytes_sent/total": 29748}),
        ("Total PUT:              29748", {"bytes_sent/total": 29748}),
        ("Total body sent:        51300", {"bytes_sent/total": 51300}),
        ("HTML transferred:       1600000 bytes", {"bytes_bodies/total": 1600000}),
        ("Requests per second:    14876.96 [#/sec] (mean)", {"throughput/total": 14876.96}),
        ("Requests per second:    74.51", {"throughput/total": 74.51}),
        ("Time per request:       672.180 [ms] (mean)", {"time_per_request/mean": 0.67218}),
        (
            "Time per request:       0.067 [ms] (mean, across all concurrent requests)",
            {"time_per_request_across/mean": 0.000067},
        ),
        (
            "Time per request:       0.067 [ms] (mean, acrossall concurrent requests)",
            {"time_per_request_across/mean": 0.000067},
        ),
        ("Transfer rate:          2862.07 [Kbytes/sec] received", {"transfer_rate/total": 2862.07 * 1024}),
        ("                        1616.63 kb/s sent", {"transfer_rate_sent/total": 1616.63 * 1024}),
        ("                        2982.02 kb/s total", {"transfer_rate_total/total": 2982.02 * 1024}),
        ("Number of requests:     1000000", {"planned_requests/total": 1000000}),
        ("Number of requests:     50000 (window)", {"planned_requests/total": 50000}),
        ("Keep-Alive aborts:      2", {"keep_alive_aborts/total": 2}),
        ("Rampup delay:           250 [ms]", {"ramp_up_delay/total": 0.25}),
        (
            "Connect:       96  171  42.5    169     260",
            {
                "connect/min": 0.096,
                "connect/mean": 0.171,
                "connect/stdev": 0.0425,
                "connect/median": 0.169,
                "connect/max": 0.26,
            },
        ),
        (
            "Waiting:       18    70   255",
            {"response_wait/min": 0.018, "response_wait/mean": 0.07, "response_wait/max": 0.255},
        ),
        ("  66%    357", {"total/p66": 0.357}),
        (" 100%    450 (longest request)", {"total/p100": 0.45}),
    ],
)
def test_a_line_gives_its_numbers_in_base_units(line: str, values: dict[str, float]) -> None:
    assert numbers(read(BANNER, line)) == pytest.approx(values, rel=1e-12)


@pytest.mark.parametrize(
    ("banner", "printed", "value", "resolution"),
    [
        (BANNER, "13.400", 13.4, 0.0005),
        (OLD_BANNER, "1.20701", 1.020701, 5e-7),  # 1 s and 20701 µs
        (OLD_BANNER, "0.6834", 0.006834, 5e-7),
        (OLD_BANNER, "2.683", 2.000683, 5e-7),
        ("Concurrency Level: 8", "0.6834", 0.006834, 5e-7),  # no banner: four decimals can't be milliseconds
        ("Concurrency Level: 8", "0.683", 0.683, 0.0005),
    ],
)
def test_microseconds_of_old_httpd_are_not_padded(banner: str, printed: str, value: float, resolution: float) -> None:
    (row,) = read(banner, f"Time taken for tests:   {printed} seconds").measurements
    assert (row.metric, row.stat, row.unit) == ("elapsed", "total", "s")
    assert (row.value, row.resolution) == (pytest.approx(value), pytest.approx(resolution))


def test_resolution_is_half_the_last_printed_digit() -> None:
    report = read(BANNER, "Requests per second: 14876.96 [#/sec] (mean)", "Total: 266 347 20.5 351 450")
    resolution = {f"{row.metric}/{row.stat}": row.resolution for row in report.measurements}
    assert resolution == pytest.approx(
        {
            "throughput/total": 0.005,
            "total/min": 0.0005,
            "total/mean": 0.0005,
            "total/stdev": 0.00005,
            "total/median": 0.0005,
            "total/max": 0.0005,
        }
    )


@pytest.mark.parametrize(
    ("row", "mean", "most"),
    [
        ("Total:         12    1212345", 0.012, 12.345),  # 1 and 212345 would put the mean below the minimum
        ("Total:         12   1210005", 0.012, 10.005),
    ],
)
def test_mean_and_maximum_that_touch_are_parted_where_one_cut_is_possible(row: str, mean: float, most: float) -> None:
    values = numbers(read(BANNER, row))
    assert (values["total/mean"], values["total/max"]) == (pytest.approx(mean), pytest.approx(most))


@pytest.mark.parametrize(
    "row",
    [
        "Total:          1     1212345",  # 12 and 12345, or 1 and 212345
        "Total:          5   1000512345",  # 10005 and 12345, or 1000 and 512345
        "Total:         12      1234",  # no maximum of 5 digits
        "Total:         12   " + "1" * 21,
        "Total:         12   -1212345",
    ],
)
def test_mean_and_maximum_that_touch_are_left_out_where_no_cut_is_certain(row: str) -> None:
    report = read(BANNER, row)
    assert numbers(report) == {}
    assert [(found.line, found.code) for found in report.diagnostics] == [(2, "bad-line")]


@pytest.mark.parametrize(
    ("server", "url"),
    [
        (("127.0.0.1", "8080", None, "/perf"), "http://127.0.0.1:8080/perf"),
        (("example.com", "80", None, "/"), "http://example.com/"),
        (("example.com", "443", "TLSv1.3,TLS_AES_128_GCM_SHA256,2048,128", "/a?b=c"), "https://example.com/a?b=c"),
        (("example.com", "80", "TLSv1.3,TLS_AES_128_GCM_SHA256,2048,128", "/"), "https://example.com:80/"),
        (("::1", "8080", None, "/"), "http://[::1]:8080/"),
    ],
)
def test_url_is_put_together_at_the_line_of_the_path(server: tuple[str, str, str | None, str], url: str) -> None:
    host, port, tls, path = server
    lines = [f"Server Hostname:        {host}", f"Server Port:            {port}"]
    lines += [f"SSL/TLS Protocol:       {tls}"] if tls else []
    report = read(*lines, f"Document Path:          {path}")
    (label,) = [label for label in report.labels if label.key == "url"]
    assert (label.value, label.origin, label.line) == (url, "report", len(lines) + 1)


def test_without_a_host_there_is_a_path_and_no_url() -> None:
    assert labels(read("Document Path:          /", "Complete requests: 1")) == {"path": "/"}


def test_server_software_is_a_label_where_there_is_one() -> None:
    assert labels(read("Server Software:        nginx/1.22.1")) == {"server_software": "nginx/1.22.1"}
    assert labels(read("Server Software:        ")) == {}


def test_variable_length_is_no_number_of_bytes() -> None:
    report = read(BANNER, "Document Length:        Variable")
    assert (report.line_end, numbers(report), report.diagnostics) == (2, {}, [])


def test_one_bad_cell_costs_one_cell() -> None:
    report = read(BANNER, "Complete requests:      20,00", "Connect:       96  1.7.1  42.5    169     260")
    assert set(numbers(report)) == {"connect/min", "connect/stdev", "connect/median", "connect/max"}
    assert [(found.line, found.code) for found in report.diagnostics] == [(2, "bad-cell"), (3, "bad-cell")]


@pytest.mark.parametrize(
    "line",
    [
        "Copyright 1996 Adam Twiss, Zeus Technology Ltd, http://www.zeustech.net/",
        "Copyright 2006 The Apache Software Foundation, http://www.apache.org/",
        "Licensed to The Apache Software Foundation, http://www.apache.org/",
        "Benchmarking 127.0.0.1 (be patient)",
        "Benchmarking 127.0.0.1 (be patient).....done",
        "Benchmarking example.invalid [through 127.0.0.1:18080] (be patient).....done",
        "Benchmarking 127.0.0.1 (be patient)...apr_socket_recv: Connection refused (111)",
        "Benchmarking 127.0.0.1 (be patient)...INFO: GET header == ",
        "Completed 200 requests",
        "Finished 7603 requests (interrupted)",
        "..done",
        "apr_pollset_poll: The timeout specified has expired (70007)",
        "apr_sockaddr_info_get() for no-such-host.invalid: Name or service not known (670002)",
        "SSL handshake failed (1).",
        "Send request timed out!",
        "Test aborted after 10 failures",
        "Total of 20 requests completed",
        "TLS Server Name:        localhost",
        "Concurrency achieved:   4",
        "Connnection Times (ms)",
        "              min  mean[+/-sd] median   max",
        "              min   avg   max",
        "WARNING: The median and mean for the total time are not within a normal deviation",
        "        These results are probably not that reliable.",
        "        These results are propably not that reliable.",
        "ERROR: The median and mean for the processing time are more than twice the standard",
        "       deviation apart. These results are NOT reliable.",
        "Percentage of the requests served within a certain time (ms)",
    ],
)
def test_every_line_of_the_report_is_claimed(line: str) -> None:
    report = read(BANNER, line)
    assert (report.line, report.line_end, report.diagnostics) == (1, 2, [])


@pytest.mark.parametrize(
    "line",
    [
        "Complete requests are counted below",
        "Requests per second       74.51 [#/sec]",  # drill
        "Time taken for tests      13.4 seconds",
        "Requests/sec: 14876.96",
        "Connect: 0 0 0.1 0 0",
        "  50%    351",
        "WARNING: Response code not 2xx (404)",
        "Total of 20 requests completed",
        "Completed 200 requests",
        "Benchmarking 60 connections @ http://127.0.0.1:5000 for 5 seconds",  # rewrk
    ],
)
def test_a_line_that_others_print_too_begins_no_report(line: str) -> None:
    assert read_report(TOOL, line) == []


def test_a_stopped_ab_is_no_run() -> None:
    report = read(BANNER, "Benchmarking 127.0.0.1 (be patient)", "Completed 100 requests", "Completed 200 requests")
    assert not is_run(TOOL, report)


def test_one_quoted_line_with_a_result_is_a_run() -> None:
    assert is_run(TOOL, read("Requests per second:    14876.96 [#/sec] (mean)"))


def test_reports_that_follow_each_other_are_parted() -> None:
    text = next(case for case in cases(TOOL) if case.stem == "nginx-404").read_text()
    first, second = read_report(TOOL, text + text)
    assert (first.line, first.line_end, second.line, second.line_end) == (1, 46, 47, 92)
    assert numbers(first) == numbers(second)


def test_lines_picked_by_grep_are_parted_by_their_order() -> None:
    lines = ["Failed requests: 0", "Requests per second: 10.00 [#/sec] (mean)"]
    reports = read_report(TOOL, "\n".join(lines * 3))
    assert [(report.line, report.line_end) for report in reports] == [(1, 2), (3, 4), (5, 6)]


def test_no_metric_is_declared_twice() -> None:
    names = [metric.name for metric in METRICS]
    assert len(names) == len(set(names))


def test_what_a_line_may_say_is_declared() -> None:
    declared = {metric.name: metric.unit for metric in METRICS}
    for case in cases(TOOL):
        for report in read_report(TOOL, case.read_text()):
            assert {row.metric: row.unit for row in report.measurements}.items() <= declared.items()


def test_options_that_take_a_value_are_told_from_switches() -> None:
    options = TOOL.flags.options
    assert (options["-c"], options["-n"], options["-t"]) == ("connections", "flag_requests", "duration_s")
    assert not options.keys() & TOOL.flags.switches
    assert {"-k", "-q", "-r", "-l", "-i"} <= TOOL.flags.switches


def test_a_path_without_its_server_is_the_reports_word_all_the_same() -> None:
    text = (FIXTURES / "ab" / "3xx.txt").read_text()
    without = "".join(line for line in text.splitlines(True) if not line.startswith("Server Hostname"))
    ds = wp.parse_text(f"$ ab -c 4 http://10.0.1.70:8080/other\n{without}")
    assert ds.runs["path"].tolist() == ["/302"]
    message = "path: the report at line 15 says /302, the flag at line 1 says /other"
    assert ds.diagnostics["message"].str.startswith(message).tolist() == [True]


AB_1_3 = """\
Server Software:        Apache/1.3.9
Server Hostname:        localhost
Server Port:            80

Document Path:          /a
Document Length:        1316 bytes

Concurrency Level:      10
Time taken for tests:   2.000 seconds
Complete requests:      1000
Failed requests:        0
Total transferred:      1600000 bytes
HTML transferred:       1316000 bytes
Requests per second:    500.00
Transfer rate:          800.00 kb/s received

Connnection Times (ms)
              min   avg   max
Connect:        0     0     2
Processing:     3    18    40
Total:          3    18    42
"""


@pytest.mark.parametrize(
    ("text", "bytes_per_second"),
    [
        (AB_1_3, 800_000),  # 1,600,000 bytes in 2 s
        ("This is ApacheBench, Version 1.3d <$Revision: 1.65 $> apache-1.3\n" + AB_1_3, 800_000),
        (AB_1_3.replace("kb/s", "[Kbytes/sec]").replace("500.00", "500.00 [#/sec] (mean)"), 800_000),
        (
            AB_1_3.replace("Total transferred:      1600000 bytes\n", ""),
            800_000,
        ),  # nothing proves it; only 1.3 says kb/s
        (AB_1_3.replace("800.00 kb/s", "781.25 [Kbytes/sec]"), 781.25 * 1024),  # as later versions divide
        (AB_1_3.replace("800.00", "781.25"), 781.25 * 1024),
        (AB_1_3.replace("800.00 kb/s", "0.80 [Kbytes/sec]").replace("1600000", "1600"), 0.80 * 1024),  # too few digits
    ],
)
def test_a_kilobyte_of_1_3_s_text_has_a_thousand_bytes(text: str, bytes_per_second: float) -> None:
    found = wp.parse_text(text).measurements.set_index("metric")["value"]
    assert found["transfer_rate"] == pytest.approx(bytes_per_second, rel=1e-12)


@pytest.mark.parametrize("left_out", [["Server Hostname"], ["Server Software", "Server Hostname", "Server Port"]])
def test_the_path_that_a_report_states_wins_over_the_command_above_it(left_out: list[str]) -> None:
    report = "".join(line for line in AB_1_3.splitlines(keepends=True) if not line.startswith(tuple(left_out)))
    same, other = (wp.parse_text(f"$ ab -n 1000 http://h:8080/{path}\n{report}") for path in ("a", "b"))
    assert [data.runs["path"].tolist() for data in (same, other)] == [["/a"], ["/a"]]
    assert "label-conflict" not in same.diagnostics["code"].tolist()
    assert other.diagnostics["code"].tolist().count("label-conflict") == 1


HTML_FILES = sorted(FIXTURES.glob("ab/*.html"))


@pytest.mark.parametrize("path", HTML_FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("between", ["", " ", "</p>\n"])
def test_the_html_of_w_in_one_line_is_read_as_in_many(path: Path, between: str) -> None:
    page = path.read_text()
    head, table, rest = page.partition("<table")
    one = head + between + (table + rest).replace("\n", "") + "\n"
    found = [wp.parse_text(text) for text in (page, one)]
    values = [sorted(data.measurements[["metric", "stat", "value"]].to_numpy().tolist()) for data in found]
    assert values[0]
    assert values[0] == values[1]
    assert [len(data.runs) for data in found] == [1, 1]
    assert found[0].runs["url"].tolist() == found[1].runs["url"].tolist()


def test_a_whole_page_of_ab_in_one_line_is_one_run() -> None:
    page = HTML_FILES[0].read_text().replace("\n", "")
    assert len(wp.parse_text(page).runs) == 1
