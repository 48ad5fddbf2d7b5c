"""What other programs read, read back by those programs or their libraries."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import statistics
import subprocess
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner, Result
from junitparser import JUnitXml
from prometheus_client.openmetrics.parser import text_string_to_metric_families

import wrkparse as wp
from tests.analysis.comparison.runs import Runs
from wrkparse.cli import main
from wrkparse.dataset import QueryError
from wrkparse.export import FORMATS, content

ROOT = Path(__file__).parents[2]
SERVERS = ROOT / "tests" / "fixtures" / "servers"
BENCHSTAT = shutil.which("benchstat", path=f"{ROOT / 'build' / 'go'}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture(scope="module")
def servers() -> wp.Dataset:
    return wp.read(SERVERS)


def printed(server: str, connections: int, pattern: str) -> list[float]:
    """What a regular expression finds in the five reports of a server at a number of connections."""
    texts = [path.read_text() for path in sorted((SERVERS / server).glob(f"c{connections}-*.txt"))]
    return [float(match[1]) for text in texts if (match := re.search(pattern, text))]


def rate(server: str, connections: int) -> float:
    return statistics.median(printed(server, connections, r"Requests/sec:\s+([0-9.]+)"))


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments])


def two_settings(tmp_path: Path, levels: tuple[int, int], runs: int) -> Path:
    """Logs of two servers, each with rates of its level plus 0, 1, 2 …"""
    for server, level in zip(("alpha", "beta"), levels, strict=True):
        (tmp_path / server).mkdir()
        for number in range(runs):
            requests = (level + number) * 10
            (tmp_path / server / f"run-{number}.txt").write_text(
                "Running 10s test @ http://10.0.0.1/\n  2 threads and 64 connections\n"
                "  Thread Stats   Avg      Stdev     Max   +/- Stdev\n"
                f"    Latency   {64e3 / (level + number):.2f}ms    1.00ms   1.90s    90.00%\n"
                f"    Req/Sec   {(level + number) / 2000:.2f}k     9.00    90.00k    90.00%\n"
                f"  {requests} requests in 10.00s, {requests / 2**10:.2f}MB read\n"
                f"Requests/sec: {level + number:8.2f}\nTransfer/sec: {requests / 2**10 / 10:8.2f}MB\n"
            )
    return tmp_path


def test_bencher_has_the_median_of_each_setting_and_bounds_of_six_runs(servers: wp.Dataset, tmp_path: Path) -> None:
    """Five runs have no interval at 95 %; of six it goes from the lowest to the highest (2 · ½⁶ = 3.1 %)."""
    found = json.loads(content(servers, "bencher"))
    assert len(found) == 6
    assert found["framework=heron/connections=64"]["throughput"] == {"value": rate("heron", 64)}
    # 45.90 and 64.64 ms; the latencies of three more runs are in doubt
    assert found["framework=siskin/connections=64"]["latency-p99-seconds"]["value"] == pytest.approx(0.05527)
    six = json.loads(content(wp.read(two_settings(tmp_path, (1000, 2000), 6)), "bencher", "throughput"))
    bounds = six["framework=alpha"]["throughput"]
    assert (bounds["lower_value"], bounds["value"], bounds["upper_value"]) == pytest.approx(
        (1000, 1002.5, 1005), abs=0.01
    )


def test_github_action_benchmark_gets_one_direction(servers: wp.Dataset) -> None:
    rows = json.loads(content(servers, "github-action-benchmark"))
    assert rows[0] == {
        "name": "framework=heron/connections=8 throughput",
        "unit": "1/s",
        "value": rate("heron", 8),
        "extra": "median of 5 runs",
    }
    with pytest.raises(QueryError, match="in the same direction"):
        content(servers, "github-action-benchmark", ["throughput", "latency_p99"])


@pytest.mark.skipif(BENCHSTAT is None, reason="benchstat is not installed; scripts/test does that where Go is")
def test_benchstat_finds_the_same_medians_and_p_values(servers: wp.Dataset) -> None:
    assert BENCHSTAT
    lines = content(servers, "benchfmt", "throughput")
    command = [BENCHSTAT, "-format", "csv", "-col", "/framework", "-"]
    shown = subprocess.run(command, input=lines, capture_output=True, check=True).stdout.decode()
    rows = {line.split(",")[0]: line.split(",") for line in shown.splitlines()}
    for connections in (8, 64):
        row = rows[f"Run/connections={connections}"]
        numbers = [float(cell) for cell in row[1:] if re.fullmatch(r"[0-9.e+]+", cell)]
        assert numbers == pytest.approx([rate(name, connections) for name in ("heron", "plover", "siskin")])
        cells = wp.compare(servers, metric="throughput").cells.query(f"connections == '{connections}'")
        theirs = [float(p) for p in re.findall(r"p=([0-9.]+)", ",".join(row))]
        assert theirs == pytest.approx(cells["p"].dropna().tolist(), abs=0.0005)
    assert b"Unit req/s better=higher\n" in lines


def test_openmetrics_are_read_by_prometheus(servers: wp.Dataset) -> None:
    families = {one.name: one for one in text_string_to_metric_families(content(servers, "openmetrics").decode())}
    rates = families["wrkparse_throughput_per_second"]
    assert (rates.type, rates.unit) == ("gauge", "per_second")
    values = {(one.labels["framework"], one.labels["connections"]): one.value for one in rates.samples}
    assert values == {
        (name, str(connections)): rate(name, connections)
        for name in ("heron", "plover", "siskin")
        for connections in (8, 64)
    }
    assert families["wrkparse_latency_p99_seconds"].unit == "seconds"


def test_labels_with_quotes_and_line_ends_stay_one_label() -> None:
    text = (
        '## a "b" \\c\n\n```\nRunning 10s test @ http://h/\n  1 threads and 1 connections\nRequests/sec: 10.00\n```\n'
    )
    other = text.replace('## a "b" \\c', "## zebra").replace("10.00", "20.00")
    ds = wp.parse_text(text + "\n" + other)
    families = list(text_string_to_metric_families(content(ds, "openmetrics", "throughput").decode()))
    assert {value for one in families[0].samples for value in one.labels.values()} == {'a "b" \\c', "zebra"}


def test_junit_has_a_failure_for_each_check_that_finds_a_run_invalid(tmp_path: Path) -> None:
    """200 requests in 10 s are 20 a second, not 9999."""
    report = (
        "Running 10s test @ http://10.0.0.1/\n  1 threads and 1 connections\n"
        "  Thread Stats   Avg      Stdev     Max   +/- Stdev\n    Latency    50.00ms    1.00ms  60.00ms   90.00%\n"
        "    Req/Sec    20.00      1.00    22.00     90.00%\n  200 requests in 10.00s, 1.00MB read\n"
        "Requests/sec:   9999.00\nTransfer/sec:    102.40KB\n"
    )
    (tmp_path / "a&b.log").write_text(report)
    xml = JUnitXml.fromstring(content(wp.read(tmp_path), "junit"))
    [suite] = xml
    failed = {case.name: case.result[0] for case in suite if case.result}
    assert set(failed) == {"rate-contradiction"}
    assert failed["rate-contradiction"].text.startswith("a&b.log:7: invalid: ")
    assert (suite.failures, suite.tests) == (1, len(list(suite)))


def test_json_lines_have_what_a_run_has(servers: wp.Dataset) -> None:
    rows = [json.loads(line) for line in content(servers, "jsonl").splitlines()]
    assert len(rows) == 30
    heron = [row["throughput_per_s"] for row in rows if (row["framework"], row["connections"]) == ("heron", 8)]
    assert sorted(heron) == sorted(printed("heron", 8, r"Requests/sec:\s+([0-9.]+)"))
    assert all(value is not None for row in rows for value in row.values())


def test_a_workbook_has_a_sheet_per_table_and_no_formulas(servers: wp.Dataset) -> None:
    data = content(servers, "excel")
    assert data == content(servers, "excel")
    book = openpyxl.load_workbook(io.BytesIO(data))
    assert {"wide", "runs", "labels", "measurements", "texts"} <= set(book.sheetnames)
    header, *rows = book["wide"].iter_rows(values_only=True)
    assert len(rows) == 30
    assert {row[header.index("throughput_per_s")] for row in rows} >= {rate("heron", 8), rate("plover", 64)}
    ds = wp.parse_text(
        "## =1+1\n\n```\nRunning 10s test @ http://h/\n  1 threads and 1 connections\nRequests/sec: 10.00\n```\n"
    )
    texts = openpyxl.load_workbook(io.BytesIO(content(ds, "excel")))["labels"]
    assert all(cell.data_type != "f" for row in texts.iter_rows() for cell in row)


FIRST = """       Value     Percentile TotalCount 1/(1-Percentile)

       1.000 0.000000000000          1           1.00
       2.000 0.800000000000          4           5.00
       3.000 1.000000000000          5
#[Mean    =        2.000, StdDeviation   =        0.632]
#[Max     =        3.000, Total count    =            5]
#[Buckets =           27, SubBuckets     =         2048]
"""
SECOND = """       Value     Percentile TotalCount 1/(1-Percentile)

       2.000 1.000000000000          5
#[Mean    =        2.000, StdDeviation   =        0.000]
#[Max     =        2.000, Total count    =            5]
#[Buckets =           27, SubBuckets     =         2048]
"""


def test_histograms_of_repeats_are_added_up(tmp_path: Path) -> None:
    """1 latency of 1 ms, 3 + 5 of 2 ms, 1 of 3 ms; their squares around the mean of 2 ms add up to 2, of 10 latencies."""
    for number, text in enumerate((FIRST, SECOND), 1):
        (tmp_path / f"run-{number}.hgrm").write_text(text)
    assert content(wp.read(tmp_path), "hgrm").decode().splitlines() == [
        "       Value     Percentile TotalCount 1/(1-Percentile)",
        "",
        "       1.000 0.100000000000          1           1.11",
        "       2.000 0.900000000000          9          10.00",
        "       3.000 1.000000000000         10",
        "#[Mean    =        2.000, StdDeviation   =        0.447]",
        "#[Max     =        3.000, Total count    =           10]",
    ]


def test_a_histogram_of_wrk2_is_read_back_with_its_percentiles() -> None:
    wrk2 = wp.read(ROOT / "tests" / "fixtures" / "wrk" / "wrk2-short-latency.txt")
    again = wp.parse_text(content(wrk2, "hgrm").decode())
    shown = {row.stat: row.value for row in again.measurements.itertuples() if row.metric == "latency"}
    assert (shown["mean"], shown["stdev"], shown["max"]) == (0.001250, 0.001452, 0.015152)
    of_wrk2 = wrk2.spectrum.drop_duplicates("total_count", keep="first")
    assert again.spectrum["total_count"].tolist() == of_wrk2["total_count"].tolist()
    assert again.spectrum["value_s"].tolist() == pytest.approx(of_wrk2["value_s"].tolist())


def test_histograms_of_several_settings_are_not_added_up(tmp_path: Path) -> None:
    for name, text in (("heron", FIRST), ("plover", SECOND)):
        (tmp_path / f"{name}.hgrm").write_text(text)
    assert "the runs differ in" in run("export", "-s", tmp_path, "--as", "hgrm").stderr


def test_without_a_histogram_the_message_says_where_there_are_some() -> None:
    result = run("export", "-s", SERVERS, "--as", "hgrm")
    assert (result.exit_code, "wrk2 prints one with --latency" in result.stderr) == (3, True)


@pytest.mark.parametrize("name", sorted({*FORMATS} - {"hgrm"}))
def test_the_command_writes_what_the_module_makes(name: str, servers: wp.Dataset, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = run("export", "-s", SERVERS, "--as", name, "-o", out)
    assert result.exit_code == 0
    if FORMATS[name].is_text:  # a workbook has the times when the files were read
        assert out.read_bytes() == content(servers, name)
    assert name in run("export", "--help").output


def test_what_can_not_be_exported_says_so(tmp_path: Path) -> None:
    for arguments, said in (
        (("--as", "bencher", "--table", "runs"), "leave out --table"),
        (("-m", "throughput", "-o", tmp_path / "x.csv"), "--metric needs --as"),
        ((), "name a file or a directory with -o"),
        (("--as", "bencher", "-m", "rsp"), "there is no metric 'rsp'"),
    ):
        result = run("export", "-s", SERVERS, *arguments)
        assert result.exit_code == 2
        assert said in result.stderr
    line = "SCHED 1000ms: gomaxprocs=2 idleprocs=0 threads=5 spinningthreads=0 idlethreads=1 runqueue=0 [0 1]\n"
    (tmp_path / "sched.log").write_text(line)
    assert wp.read(tmp_path / "sched.log").runs["tool"].tolist() == ["schedtrace"]
    assert run("export", "-s", tmp_path / "sched.log", "--as", "bencher").exit_code == 3


def test_a_package_does_not_hold_for_the_runs_of_none_behind_it() -> None:
    """A key without a value ends it (golang.org/design/14313-benchmark-format)."""
    runs = Runs()
    for cpu, package in (("one", "a"), ("one", "b"), ("two", None)):
        runs.add(labels={"cpu": cpu, "pkg": package}, throughput=5.0)
    assert content(runs.dataset(), "benchfmt").decode().splitlines()[1:] == [
        *("pkg: a", "cpu: one", "BenchmarkRun/all 1 5.0 req/s"),
        *("pkg: b", "BenchmarkRun/all 1 5.0 req/s"),
        *("pkg:", "cpu: two", "BenchmarkRun/all 1 5.0 req/s"),
    ]


def test_without_a_metric_benchmarks_of_go_have_their_time() -> None:
    text = "goos: linux\npkg: example.org/a\nBenchmarkA 1 10 ns/op\nBenchmarkB 1 20 ns/op\n"
    made = content(wp.parse_text(text), "benchfmt").decode()
    assert made.splitlines()[1:] == ["BenchmarkA 1 1e-08 sec/op", "BenchmarkB 1 2e-08 sec/op"]
