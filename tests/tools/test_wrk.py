"""wrk's report and its dialects; expected values by hand from the text and from the tools' print statements."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import wrkparse as wp
from tests.cases import each_case
from tests.samples import WRK

from .lookalikes import LOOKALIKES

DATA = Path(__file__).parents[1] / "fixtures"


def only(text: str) -> tuple[dict[str, Any], dict[str, float], wp.Dataset]:
    """The run of a text that has one, its numbers, and all."""
    dataset = wp.parse_text(text)
    (run,) = dataset.runs.to_dict("records")
    rows = dataset.measurements
    assert not rows.duplicated(["run", "metric", "stat"]).any()
    return run, {f"{row.metric}/{row.stat}": row.value for row in rows.itertuples()}, dataset


def named(lookalike: str) -> list[str]:
    """The messages about a look-alike: which tool printed it. Two lines that several print alike name none."""
    tool = lookalike.partition(" ")[0]
    message = f"looks like the output of {tool}, which wrkparse does not read"
    return [] if lookalike.endswith("without its head") else [message]


@each_case("name", LOOKALIKES)
def test_the_output_of_another_tool_is_no_run_and_no_broken_one(name: str) -> None:
    dataset = wp.parse_text(LOOKALIKES[name])
    assert len(dataset.runs) == 0
    assert dataset.diagnostics.message.tolist() == named(name)


@each_case("name", [name for name in LOOKALIKES if named(name)])
def test_the_note_about_another_tool_points_to_its_line_once(name: str) -> None:
    diagnostics = wp.parse_text(f"# Load\n\n{LOOKALIKES[name]}\n{LOOKALIKES[name]}").diagnostics
    assert diagnostics["code"].tolist() == ["other-tool"]
    assert 3 <= diagnostics["line"][0] < 3 + LOOKALIKES[name].count("\n")


@each_case("name", LOOKALIKES)
def test_each_of_several_sources_has_the_note_about_another_tool(name: str) -> None:
    """Sources share a cache of lines of the page, which come again."""
    notes = [wp.parse_text(LOOKALIKES[name], f"{number}.log").diagnostics.message.tolist() for number in range(4)]
    assert notes == [named(name)] * 4


def test_the_name_of_another_tool_in_prose_is_not_its_output() -> None:
    text = (
        "We tried siege, k6 (http_req_duration), oha, Locust (# reqs) and ZeusBench; JMeter's summary says 5 trans/sec."
    )
    assert wp.parse_text(f"{text}\n").diagnostics.empty


@pytest.fixture(scope="module")
def alone() -> dict[str, float]:
    """The numbers of a run without anything beside it."""
    return only(WRK)[1]


@each_case("name", LOOKALIKES)
def test_the_output_of_another_tool_beside_a_run_adds_nothing_to_it(name: str, alone: dict[str, float]) -> None:
    for text in (WRK + LOOKALIKES[name], LOOKALIKES[name] + WRK):
        _, found, dataset = only(text)
        assert found == alone
        assert dataset.diagnostics.message.tolist() == named(name)


@pytest.mark.parametrize(
    "text",
    [
        "We saw Requests/sec: 40669.44 with nginx.\n",
        "- Requests/sec: 40669.44\n- Transfer/sec: 7.13MB\n",
        "The line `Requests/sec:  40669.44` is what counts.\n",
        "8 threads and 200 connections\n",
        "Thread Stats Avg Stdev Max +/- Stdev\n",
        "Latency 193.32us on average\n",
        "wrk 4.1.0 [epoll] Copyright (C) 2012 Will Glozer\nUsage: wrk <options> <url>\n",
    ],
)
def test_what_only_quotes_a_line_or_a_number_is_neither_a_run_nor_a_fragment(text: str) -> None:
    dataset = wp.parse_text(text)
    assert (len(dataset.runs), dataset.diagnostics.message.tolist()) == (0, [])


@pytest.mark.parametrize(
    "line",
    [
        "unable to connect to 127.0.0.1:18099 Connection refused",
        "unable to resolve no-such-host.invalid:http Name or service not known",
        "number of connections must be >= threads",
        "Throughput MUST be specified with the --rate or -R option",
    ],
)
def test_a_wrk_that_gave_up_says_why(line: str) -> None:
    dataset = wp.parse_text(line + "\n")
    assert len(dataset.runs) == 0
    assert dataset.diagnostics.message.tolist() == [f"wrk: stopped without results: {line}"]


def test_a_fork_of_wrk2_prints_percentiles_where_others_have_the_maximum() -> None:
    run, values, dataset = only(
        "Running 10s test @ http://h:8080/\n  2 threads and 4 connections\n\n" + "-" * 71 + "\n"
        "Test Results @ http://h:8080/ \nSent 400 requests\n\n"
        "  Thread Stats   Avg      Stdev     99%   +/- Stdev\n"
        "    Latency     3.20ms  499.01us   6.46ms   76.85%\n    Req/Sec   215.23     27.32   333.00     92.22%\n"
        "  Latency Distribution (HdrHistogram - Recorded Latency)\n 50.000%    3.20ms\n" + "-" * 71 + "\n"
        "  398 requests in 2.00s, 47.27KB read\nRequests/sec:    199.74  \nTransfer/sec:     23.60KB\n"
    )  # fmt: skip
    assert (run["tool"], run["dialect"], run["line"], run["line_end"]) == ("wrk2", "wrk2 (99% column)", 1, 16)
    assert (run["url"], run["threads"], run["connections"]) == ("http://h:8080/", 2, 4)
    assert (values["latency/p99"], values["latency/p50"]) == (0.00646, 0.0032)
    assert "latency/max" not in values
    assert (values["requests_sent/total"], values["requests/total"]) == (400, 398)
    assert dataset.diagnostics.message.tolist() == []


def test_several_urls_of_that_fork_are_a_run_each_and_one_over_all() -> None:
    table = "  Thread Stats   Avg      Stdev     99%   +/- Stdev\n    Latency     3.20ms  499.01us   6.46ms   76.85%\n"
    tail = "Requests/sec:    199.74  \nTransfer/sec:     23.60KB\n"
    ruler = "-" * 71
    text = "".join(f"Running 10s test @ http://{host}/\n  2 threads and 4 connections\n\n" for host in "ab")
    for host in "ab":
        text += f"\n{ruler}\nTest Results @ http://{host}/ \n{table}  398 requests in 2.00s, 47.27KB read\n{tail}"
    text += (
        f"\n{ruler}\n{'Overall Statistics':-^71}\n{ruler}\n{table}  Overall 796 requests in 2.00s, 94.54KB read\n{tail}"
    )
    dataset = wp.parse_text(text)
    assert dataset.runs.url.fillna("").tolist() == ["http://a/", "http://b/", ""]
    requests = dataset.measurements[dataset.measurements.metric == "requests"].value
    assert sorted(requests.tolist()) == [398, 398, 796]


def test_hyperfoil_s_report_is_read_and_named() -> None:
    run, values, dataset = only(
        "Running 10s test @ http://h:8080/\n  2 threads and 10 connections\n"
        "  Thread Stats   Avg      Stdev     Max   +/- Stdev\n"
        "    Latency    1.23ms  500.00μs   10.00ms   83.29%\n    Req/Sec    100.00      5.00   110.00     78.34\n"
        "  Latency Distribution\n     50.000%    1.20ms\n    100.000%   10.00ms\n\n  Detailed Percentile Spectrum\n"
        "       Value     Percentile TotalCount 1/(1-Percentile)\n\n"
        "     0.99942 0.000000000000          1           1.00\n    10.02700 1.000000000000       1002\n"
        "#[Mean    =      1.23000, StdDeviation   =      0.50000]\n"
        "#[Max     =     10.02700, Total count    =         1002]\n"
        "#[Buckets =           27, SubBuckets     =         2048]\n" + "-" * 58 + "\n"
        "  1002 requests in 10.02s,   1.50kB read\nRequests/sec: 100.00\nTransfer/sec: 153.29B  \n"
        "Socket errors: connectionErrors 3, requestTimeouts 2\nNon-2xx or 3xx responses: 7\n"
    )  # fmt: skip
    assert (run["tool"], run["dialect"], run["line_end"]) == ("wrk", "hyperfoil", 23)
    assert values["latency/stdev"] == 0.0005
    assert values["thread_throughput/within_stdev"] == 0.7834
    assert values["bytes_read/total"] == 1.5 * 1024
    assert (values["errors_connect/total"], values["errors_timeout/total"], values["non_2xx/total"]) == (3, 2, 7)
    assert dataset.spectrum[["percentile", "value_s", "total_count"]].to_numpy().tolist() == [
        [0, 0.00099942, 1],
        [1, 0.010027, 1002],
    ]
    assert dataset.diagnostics.message.tolist() == []


@pytest.mark.parametrize(
    ("printed", "seconds", "half_a_step"),
    [("10s", 10, 0), ("2m", 120, 30), ("60m", 3600, 30), ("2h", 7200, 1800), ("1m30s", 90, 0), ("500ms", 0.5, 0)],
)
def test_the_planned_duration_is_known_as_far_as_it_was_printed(
    printed: str, seconds: float, half_a_step: float
) -> None:
    # units.c rounds to the unit that it prints; parts of a time, as Go writes one, are exact
    run, values, dataset = only(WRK.replace("Running 10s", f"Running {printed}"))
    [planned] = dataset.measurements[dataset.measurements.metric == "planned_duration"].to_dict("records")
    assert (values["planned_duration/total"], planned["resolution"]) == (seconds, half_a_step)
    if half_a_step:
        assert "duration_s" not in dataset.labels.key.tolist()
    else:
        assert run["duration_s"] == seconds


def test_hyperfoil_prints_the_duration_that_was_typed() -> None:
    # WrkAbstract.java: "Running " + duration + " test @ "
    run, _, dataset = only(WRK.replace("10s test", "2h test").replace("78.34%", "78.34"))
    [planned] = dataset.measurements[dataset.measurements.metric == "planned_duration"].to_dict("records")
    assert (run["dialect"], run["duration_s"], planned["value"], planned["resolution"]) == ("hyperfoil", 7200, 7200, 0)


def test_zrk_s_report_is_read_and_named() -> None:
    # formatReport of its stats.zig: "  {s:<14} {s:>10} {s:>10} {s:>10} {s:>10}"
    head = f"  {'Thread Stats':<14} {'Avg':>10} {'Stdev':>10} {'Max':>10} {'+/- Stdev':>10}\n"
    run, values, _ = only(WRK.replace("  Thread Stats   Avg      Stdev     Max   +/- Stdev\n", head))
    assert (run["tool"], run["dialect"]) == ("wrk", "zrk")
    assert values == only(WRK)[1]


def test_lines_of_a_grep_through_many_reports_are_parted_by_their_order() -> None:
    text = "  Non-2xx or 3xx responses: 5\nRequests/sec:     10.00\n" * 3
    dataset = wp.parse_text(text)
    assert dataset.runs[["line", "line_end"]].to_numpy().tolist() == [[1, 2], [3, 4], [5, 6]]


def test_a_mean_that_was_cut_to_its_column_is_read_as_milliseconds_and_noted() -> None:
    _, values, dataset = only(WRK.replace("  193.32us", " 1000.00m"))
    assert values["latency/mean"] == 1.0
    assert dataset.diagnostics[["line", "severity", "code"]].to_numpy().tolist() == [[4, "note", "mended"]]


def test_columns_that_touch_are_parted_at_their_units() -> None:
    # printed by wrk's own units.c for 999990, 999999 and 999999 µs
    _, values, _ = only(WRK.replace("Latency   193.32us   51.20us   1.57ms", "Latency   999.99ms 1000.00ms1000.00ms"))
    assert [values[f"latency/{stat}"] for stat in ("mean", "stdev", "max")] == [0.99999, 1.0, 1.0]


@pytest.mark.parametrize(
    ("printed", "typed", "name", "value"),
    [
        ("410759 requests", "5,295,495 requests", "requests/total", 5295495),
        ("72.06MB read", "494.92 MB read", "bytes_read/total", 494.92 * 2**20),
        ("40669.44", "29,907.67", "throughput/total", 29907.67),
        ("193.32us   51.20us   1.57ms", "193.32 us   51.20 us   1.57 ms", "latency/mean", 0.00019332),
        ("1.57ms   83.29%", "1.57ms   83.29 %", "latency/within_stdev", 0.8329),
        ("193.32us", "0.19332ms", "latency/mean", 0.00019332),  # no wrk prints this; it is what stands there
        ("10.10s", "10.1s", "elapsed/total", 10.1),
    ],
)
def test_what_people_typed_is_read_as_it_stands(printed: str, typed: str, name: str, value: float) -> None:
    _, values, dataset = only(WRK.replace(printed, typed))
    assert values[name] == pytest.approx(value, rel=1e-12)
    assert dataset.diagnostics.message.tolist() == []


def test_a_counter_that_ran_over_is_missing_and_said_to_be() -> None:
    line = "  Socket errors: connect -5, read 0, write 0, timeout 1\nRequests/sec:"
    _, values, dataset = only(WRK.replace("Requests/sec:", line))
    assert "errors_connect/total" not in values
    assert values["errors_timeout/total"] == 1
    (diagnostic,) = dataset.diagnostics.to_dict("records")
    assert (diagnostic["line"], diagnostic["code"]) == (7, "bad-cell")


def test_a_row_of_the_spectrum_that_can_t_be_read_costs_itself() -> None:
    text = (DATA / "wrk" / "calibrated-u_latency.txt").read_text()
    _, _, whole = only(text)
    _, _, dataset = only(text.replace("4.587     0.997266          337", "4.5.7     0.997266          337", 1))
    assert len(dataset.spectrum) == len(whole.spectrum) - 1
    assert dataset.diagnostics.code.tolist() == ["bad-cell"]


def test_a_count_of_the_spectrum_that_ran_over_is_missing() -> None:
    text = (DATA / "wrk" / "calibrated-u_latency.txt").read_text()
    _, _, dataset = only(text.replace("4.587     0.997266          337", "4.587     0.997266  -2147483311", 1))
    assert dataset.spectrum.total_count.isna().sum() == 1
    assert dataset.diagnostics.code.tolist() == ["bad-cell"]


def test_a_run_that_is_quoted_twice_is_noted_with_both_places() -> None:
    quoted = "".join(f"> {line}\n" for line in WRK.splitlines())
    other = WRK.replace("40669.44", "40669.45")
    dataset = wp.parse_text(f"{WRK}\nAgain:\n\n{quoted}\n{other}", "bench.md")
    assert len(dataset.runs) == 3
    (note,) = dataset.diagnostics.to_dict("records")
    assert (note["source"], note["line"], note["severity"], note["code"]) == ("bench.md", 12, "note", "copy")
    assert "line 1;" in note["message"]


@pytest.mark.parametrize("count", ["99999999999999999999", str(2**63), str(2**63 - 1)])  # the last is 2^63 as a float
def test_a_count_that_no_counter_holds_costs_its_cell(count: str) -> None:
    text = (DATA / "wrk" / "calibrated-u_latency.txt").read_text()
    row = next(line for line in text.splitlines() if re.fullmatch(r" +[0-9.]+ +0\.100000 +[0-9]+ +[0-9.]+", line))
    found = wp.parse_text(text.replace(row, row.replace(row.split()[2], count)))
    sound = wp.parse_text(text)
    assert found.diagnostics.code.tolist() == ["bad-cell"]
    assert len(found.spectrum) == len(sound.spectrum)
    assert found.spectrum.total_count.isna().sum() == sound.spectrum.total_count.isna().sum() + 1


TAIL = """\
  Latency Distribution (HdrHistogram - Recorded Latency)
 50.000%    1.06ms
 99.000%    2.30ms
100.000%    4.20ms

  Detailed Percentile spectrum:
       Value   Percentile   TotalCount 1/(1-Percentile)

       0.222     0.000000            1         1.00
       4.203     1.000000         2000          inf
#[Mean    =        1.103, StdDeviation   =        0.401]
#[Max     =        4.196, Total count    =         2000]
"""


@pytest.mark.parametrize("ahead", ["", "# Results\n\n", "GET /x 200\n" * 9000])
@pytest.mark.parametrize("rates", ["", "Requests/sec:    198.44\nTransfer/sec:    107.13KB\n"])
def test_the_end_of_a_report_of_wrk2_is_wrk2_s_without_its_head(ahead: str, rates: str) -> None:
    data = wp.parse_text(ahead + TAIL + rates)
    assert data.runs["tool"].tolist() == ["wrk2"]
    found = data.measurements.set_index(["metric", "stat"])["value"]
    assert [found["latency", stat] for stat in ("p50", "p99", "p100")] == [0.00106, 0.0023, 0.0042]
    assert len(data.spectrum) == 2
    assert (("throughput", "total") in found.index) == bool(rates)


SPECTRUM = TAIL[TAIL.index("  Detailed") :]


@pytest.mark.parametrize("ahead", ["", "# Results\n\n", "GET /x 200\n" * 9000])
@pytest.mark.parametrize("end", ["", "-" * 58 + "\n  2000 requests in 10.00s, 1.00MB read\nRequests/sec:    198.44\n"])
def test_a_report_of_wrk2_may_begin_with_its_spectrum(ahead: str, end: str) -> None:
    data = wp.parse_text(ahead + SPECTRUM + end)
    assert data.runs["tool"].tolist() == ["wrk2"]
    assert data.spectrum["value_s"].tolist() == [0.000222, 0.004203]
    found = data.measurements.set_index(["metric", "stat"])
    # half of the requests took no longer than the second row says, and longer than the first
    assert found.loc[("latency", "p50"), ["value", "resolution"]].tolist() == pytest.approx([0.004203, 0.003981])
    assert (("throughput", "total") in found.index) == bool(end)
    assert "unit-unknown" not in data.diagnostics["code"].tolist()


END = f"{'-' * 58}\n  2000 requests in 10.00s, 1.00MB read\nRequests/sec:    198.44\nTransfer/sec:    107.13KB\n"


@pytest.mark.parametrize("prefix", ["", "> ", "// "])
def test_a_report_of_wrk2_may_begin_with_the_head_of_its_histogram(prefix: str) -> None:
    text = (
        f"{SPECTRUM[SPECTRUM.index('       Value') :]}#[Buckets =           27, SubBuckets     =         2048]\n{END}"
    )
    data = wp.parse_text("".join(prefix + line for line in text.splitlines(keepends=True)))
    assert data.runs[["tool", "line"]].to_numpy().tolist() == [["wrk2", 1]]
    assert data.spectrum["value_s"].tolist() == [0.000222, 0.004203]
    found = data.measurements.set_index(["metric", "stat"])["value"]
    assert [found[key] for key in (("latency_histogram", "max"), ("throughput", "total"))] == [0.004196, 198.44]
    assert data.diagnostics["code"].tolist() == []


@pytest.mark.parametrize("first", ["#[Mean", "#[Max", "#[Buckets"])
@pytest.mark.parametrize("name", ["wrk2-overload", "wrk2-hang", "calibrated-u_latency"])
def test_a_report_of_wrk2_may_begin_with_any_line_of_its_histogram_s_end(name: str, first: str) -> None:
    text = (DATA / "wrk" / f"{name}.txt").read_text()
    data = wp.parse_text(text[text.rindex(first) :])
    assert data.runs["tool"].tolist() == ["wrk2"]
    assert ("throughput" in set(data.measurements["metric"])) == ("Requests/sec" in text)


@pytest.mark.parametrize("between", ["Running 10s test @ http://h:1/\n  2 threads and 8 connections\n", "text\n" * 3])
def test_a_file_of_a_histogram_is_no_part_of_the_report_below_it(between: str) -> None:
    text = SPECTRUM[SPECTRUM.index("       Value") :] + between + END
    assert wp.parse_text(text).runs["tool"].tolist() == ["hdrhistogram", "wrk"]


def test_a_spectrum_of_which_no_row_can_be_read_costs_its_rows() -> None:
    data = wp.parse_text("  Detailed Percentile spectrum:\n 1.2.3 0.5 7 2.00\nRequests/sec:    198.44\n")
    assert data.diagnostics["code"].tolist()[0] == "bad-cell"
    assert data.measurements[["metric", "value"]].to_numpy().tolist() == [["throughput", 198.44]]


def test_its_title_alone_is_no_run() -> None:
    data = wp.parse_text("Latency Distribution (HdrHistogram - Recorded Latency)\n")
    assert (len(data.runs), len(data.diagnostics)) == (0, 0)


OTHER_TOOL = """\
Running 10s GET test @ 127.0.0.1:8080
  50 connections
  Stats\tAvg\tMin\tMax
  Req/Sec\t650.125µs\t12.5ms\t15.25µs
  51234 requests in 10.000001234s
Requests/sec: 5123.40
"""


@pytest.mark.parametrize("text", [OTHER_TOOL, OTHER_TOOL.replace(" GET", ""), OTHER_TOOL.replace("127.0.0.1", "kiwi")])
def test_a_program_that_copies_the_first_and_last_lines_is_not_wrk(text: str) -> None:
    """wrk wants ``http://`` (``script_parse_url`` of src/script.c), and prints the address as it was given."""
    data = wp.parse_text(text + "\n" + text)
    assert data.runs.empty
    assert data.diagnostics[["line", "severity", "code"]].to_numpy().tolist() == [
        [1, "note", "unmeasured"],
        [8, "note", "unmeasured"],
    ]
    assert all("http://" in message for message in data.diagnostics["message"])


def test_a_report_of_wrk_below_that_of_such_a_program_has_its_own_lines_only() -> None:
    run, numbers, _ = only(f"{OTHER_TOOL}\n{WRK}")
    assert run["line"] == 8
    assert numbers["throughput/total"] == 40669.44


@pytest.mark.parametrize(
    "line",
    [
        "  2 threads and 50 connections",
        "  Thread Stats   Avg      Stdev     Max   +/- Stdev",
        "    Latency   193.32us   51.20us   1.57ms   83.29%",
        "  51234 requests in 10.00s, 1.00MB read",
    ],
)
def test_a_line_that_only_wrk_prints_makes_it_wrk_s_though_the_scheme_was_cut(line: str) -> None:
    run, numbers, _ = only(f"Running 10s test @ 127.0.0.1:8080\n{line}\nRequests/sec: 5123.40\n")
    assert (run["tool"], run["url"], numbers["throughput/total"]) == ("wrk", "127.0.0.1:8080", 5123.4)


@pytest.mark.parametrize("address", ["http://127.0.0.1:8080/kiwi", "<url>", "kiwi"])
def test_an_address_that_may_be_shortened_keeps_a_short_report(address: str) -> None:
    run, numbers, _ = only(f"Running 10s test @ {address}\nRequests/sec: 5123.40\n")
    assert (run["tool"], numbers["throughput/total"]) == ("wrk", 5123.4)


def test_a_method_that_was_added_to_the_line_of_wrk_names_the_run() -> None:
    reports = [WRK.replace(" test @", f" {method} test @") for method in ("GET", "PUT")]
    data = wp.parse_text("\n".join(reports))
    assert data.runs.sort_values("line")["heading"].tolist() == ["GET", "PUT"]


@pytest.mark.parametrize("bar", ["|", " | "])
def test_the_table_of_a_report_may_be_one_of_markdown(bar: str) -> None:
    rows = [
        ["Thread Stats", "Avg", "Stdev", "Max", "+/- Stdev"],
        ["---"] * 5,
        ["Latency", "7.50ms", "2.25ms", "120.50ms", "91.25%"],
        ["Req/Sec", "1.25k", "125.50", "2.75k", "78.50%"],
    ]
    table = "\n".join(f"{bar}{bar.join(row)}{bar}".strip() for row in rows)
    _, numbers, data = only(
        f"Running 30s test @ http://localhost/kiwi\n4 threads and 64 connections\n\n{table}\n\n"
        "150000 requests in 30.00s, 1.50GB read\n\nRequests/sec:  5000.00\n\nTransfer/sec:     51.20MB\n"
    )
    assert numbers == pytest.approx(
        {
            "planned_duration/total": 30, "latency/mean": 0.0075, "latency/stdev": 0.00225, "latency/max": 0.1205,
            "latency/within_stdev": 0.9125, "thread_throughput/mean": 1250, "thread_throughput/stdev": 125.5,
            "thread_throughput/max": 2750, "thread_throughput/within_stdev": 0.785, "requests/total": 150000,
            "elapsed/total": 30, "bytes_read/total": 1.5 * 2**30, "throughput/total": 5000,
            "transfer_rate/total": 51.2 * 2**20,
        }
    )  # fmt: skip
    assert data.diagnostics.empty


def test_a_row_of_a_comparison_in_markdown_is_no_report() -> None:
    page = "| Stat | kiwi | emu | plover | heron |\n|---|---|---|---|---|\n| Latency | 8ms | 4ms | 14ms | 9ms |\n"
    assert wp.parse_text(page).runs.empty
