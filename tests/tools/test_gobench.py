"""Go's benchmarks; expected values from the format's definition (benchfmt, benchunit of golang.org/x/perf) and benchstat."""

from __future__ import annotations

import csv
import io
import os
import shutil
import statistics
import subprocess
from pathlib import Path

import pytest

import wrkparse as wp
from tests.samples import WRK
from tests.tools.harness import FIXTURES, numbers_of_run
from wrkparse.export import content
from wrkparse.model.units import NO_VALUE
from wrkparse.testing import lacks
from wrkparse.tools.go import benchmarks
from wrkparse.tools.go.benchmarks import printed_quantity, unit_of

ROOT = Path(__file__).parents[2]
OLD = FIXTURES / "gobench" / "old.log"
CPUS = FIXTURES / "gobench" / "go1.26.8-cpu-1-2.txt"
BENCHSTAT = shutil.which("benchstat", path=f"{ROOT / 'build' / 'go'}{os.pathsep}{os.environ['PATH']}")
HEAD = "goos: linux\ngoarch: amd64\npkg: example.org/a\n"


@pytest.mark.parametrize(
    ("unit", "metric", "base", "stat", "power"),
    [
        ("ns/op", "time_per_op", "s", "total", -9),
        ("sec/op", "time_per_op", "s", "total", 0),
        ("MB/s", "processing_rate", "bytes/s", "total", 6),
        ("B/op", "bytes_per_op", "bytes", "total", 0),
        ("allocs/op", "allocs_per_op", "1", "total", 0),
        ("req/s", "throughput", "1/s", "total", 0),
        ("p99-ns", "latency", "s", "p99", -9),
        ("p99.9-sec", "latency", "s", "p99.9", 0),
        ("latency-p99-sec", "latency", "s", "p99", 0),
        ("elapsed-sec", "elapsed", "s", "total", 0),
        ("transfer-rate-B/s", "transfer_rate", "bytes/s", "total", 0),
        ("peak-RSS-bytes", "peak_rss", "bytes", "total", 0),
        ("hit-ratio", "hit", "ratio", "total", 0),
        ("MB/ns", "b_per_ns", "bytes", "total", 6),  # nothing is scaled below the stroke
        ("bins/op", "bins_per_op", "1", "total", 0),  # "ns" is no part of a word
        ("retries/op", "retries_per_op", "1", "total", 0),
    ],
)
def test_units_are_made_tidy(unit: str, metric: str, base: str, stat: str, power: int) -> None:
    found = unit_of(unit)
    assert (found.metric.name, found.metric.unit, found.stat, found.power) == (metric, base, stat, power)


@pytest.mark.parametrize(
    ("text", "power", "value", "resolution"),
    [
        ("227.4", -9, 2.274e-07, 5e-11),
        ("5", 0, 5.0, 0.0),
        ("5", -9, 5e-09, 5e-10),
        ("0.2500", 0, 0.25, 5e-05),
        ("1.5e+06", 0, 1.5e6, 5e4),
        ("28.52", 6, 28520000.0, 5e3),
    ],
)
def test_numbers_keep_their_resolution(text: str, power: int, value: float, resolution: float) -> None:
    assert printed_quantity(text, power) == (value, pytest.approx(resolution))


def test_nan_and_infinity_are_missing() -> None:
    assert [printed_quantity(text, 0) for text in ("NaN", "+Inf", "-Inf")] == [NO_VALUE] * 3


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("Decode-8", {"benchmark": "Decode", "cores": "8"}),
        ("Decode/size=64/json-16", {"benchmark": "Decode/json", "size": "64", "cores": "16"}),
        ("Decode/Content-Type=text/plain", {"benchmark": "Decode/plain", "content_type": "text"}),
        ("Get/tool=curl", {"benchmark": "Get", "label_tool": "curl"}),
        ("Get/empty=/x", {"benchmark": "Get/empty=/x"}),
    ],
)
def test_a_name_gives_labels(name: str, labels: dict[str, str]) -> None:
    (run,) = wp.parse_text(f"Benchmark{name} 100 5 ns/op\n").runs["run"]
    dataset = wp.parse_text(f"Benchmark{name} 100 5 ns/op\n").labels
    found = dataset[(dataset["run"] == run) & (dataset["origin"] == "report")]
    assert dict(zip(found["key"], found["value"], strict=True)) == labels


def test_the_lines_at_the_top_hold_for_all_below_and_end_at_a_heading() -> None:
    other = HEAD.replace("example.org/a", "example.org/b")
    text = f"{HEAD}BenchmarkA-2 1 5 ns/op\nBenchmarkB-2 1 5 ns/op\nPASS\n{other}BenchmarkA-2 1 6 ns/op\n\n## Mine\n\nBenchmarkC 1 7 ns/op\n"
    runs = wp.parse_text(text).runs
    assert runs["pkg"].fillna("").tolist() == ["example.org/a", "example.org/a", "example.org/b", ""]
    assert runs["cores"].fillna(0).tolist() == [2, 2, 2, 0]  # without go test's head, one processor is not known


def test_a_line_at_the_top_replaces_that_of_the_package_before() -> None:
    other = HEAD.replace("example.org/a", "example.org/b")
    dataset = wp.parse_text(f"{HEAD}BenchmarkA-2 1 5 ns/op\nPASS\n{other}BenchmarkA-2 1 6 ns/op\n")
    labels = dataset.labels[dataset.labels["run"] == dataset.runs["run"].tolist()[1]]
    assert labels[labels["key"] == "pkg"][["value", "line"]].to_numpy().tolist() == [["example.org/b", 8]]
    assert labels["key"].is_unique


def test_without_a_number_go_test_ran_on_one_processor() -> None:
    assert wp.parse_text(f"{HEAD}BenchmarkA 1 5 ns/op\n").runs["cores"].tolist() == [1]


def test_the_result_behind_other_output_goes_to_the_name_above() -> None:
    text = "BenchmarkNoisy-2   \tconnecting\nconnected to 3 servers\n     100\t      227.4 ns/op\n"
    (run,) = wp.parse_text(text).runs.to_dict("records")
    assert (run["benchmark"], run["line"], run["line_end"]) == ("Noisy", 1, 3)


def test_a_result_without_a_name_is_told() -> None:
    dataset = wp.parse_text(f"{HEAD}BenchmarkA 1 5 ns/op\nBenchmarkNoisy   \tconnecting\n     100\t      227.4 ns/op\n")
    assert dataset.runs["benchmark"].tolist() == ["A"]
    (message,) = dataset.diagnostics["message"]
    assert message == "gobench: a result without the name of its benchmark: 100 227.4 ns/op"


def test_a_heading_with_the_name_of_a_benchmark_is_a_heading() -> None:
    dataset = wp.parse_text("## BenchmarkDecode results\n\nBenchmarkDecode-2 1 5 ns/op\n")
    assert dataset.runs["section"].tolist() == ["BenchmarkDecode results"]


def test_a_verbose_test_prints_each_name_twice() -> None:
    text = f"{HEAD}BenchmarkA\nBenchmarkA-2   \t 100\t 5 ns/op\nBenchmarkB\nBenchmarkB-2   \t 100\t 6 ns/op\n"
    dataset = wp.parse_text(text)
    assert dataset.runs["benchmark"].tolist() == ["A", "B"]
    assert dataset.runs["goos"].tolist() == ["linux", "linux"]
    assert dataset.diagnostics.empty


@pytest.mark.parametrize(
    "line",
    [
        '{"Time":"2026-11-23T08:00:00Z","Action":"output","Package":"a","Output":"BenchmarkA-2   \\t 100\\t 5 ns/op\\n"}',
        "    BenchmarkA-2   \t 100\t 5 ns/op",
        "> BenchmarkA-2   \t 100\t 5 ns/op",
        "2026-11-23T08:00:00.1Z BenchmarkA-2   \t 100\t 5 ns/op",
    ],
)
def test_it_is_found_in_any_text(line: str) -> None:
    dataset = wp.parse_text(f"{WRK}\n{line}\n")
    assert dataset.runs["tool"].tolist() == ["wrk", "gobench"]


def test_what_is_no_pair_of_number_and_unit_is_told() -> None:
    dataset = wp.parse_text("BenchmarkA-2 100 5 ns/op 7\nBenchmarkB-2 100 5 ns/op 6 ns/op\n")
    assert dataset.runs["benchmark"].tolist() == ["B"]
    assert dataset.diagnostics["line"].tolist() == [1, 1, 2]
    assert dataset.diagnostics["message"].tolist()[0] == "gobench: A-2: not pairs of a number and a unit: 100 5 ns/op 7"
    assert dataset.diagnostics["message"].tolist()[2] == "gobench: a second number in ns/op: 6 is left out"


def test_lines_of_benchcmp_are_no_results() -> None:
    """As ``fmt.Fprintf`` of golang.org/x/tools/cmd/benchcmp prints them: a name, two numbers, and how they differ."""
    compared = (
        "benchmark           old ns/op     new ns/op     delta\n"
        "BenchmarkKiwi-4     6511          1181          -81.86%\n"
        "BenchmarkEmu-4      339           345           +1.77%\n"
        "\nbenchmark           old allocs     new allocs     delta\n"
        "BenchmarkKiwi-4     41             41             +0.00%\n"
    )
    dataset = wp.parse_text(f"BenchmarkKiwi-4 100 5 ns/op\n\n{compared}")
    assert dataset.runs["line"].tolist() == [1]
    assert dataset.measurements["line"].unique().tolist() == [1]
    assert wp.parse_text(compared).runs.empty
    assert "looks like the output of benchcmp" in dataset.diagnostics["message"].str.cat()


def test_lines_of_a_long_log_are_found_whatever_their_last_unit_is() -> None:
    filler = "10.0.0.7 GET /index.html 200 612 0.012\n" * 4000
    text = f"{filler}BenchmarkA-2   \t 100\t 5 ns/op\t 7 retries/op\n{filler}"
    assert wp.parse_text(text).runs["line"].tolist() == [4001]


def test_the_medians_are_those_of_the_lines() -> None:
    """By setting, of seven lines each, taken from the text by splitting it."""
    cells = wp.compare(wp.read(OLD), rows=["level", "size"], columns=[], metric="time_per_op").cells
    wanted: dict[tuple[str, str], list[float]] = {}
    for line in OLD.read_text().splitlines():
        if line.startswith("Benchmark"):
            _, level, size = line.split("-2 ")[0].split("/")
            wanted.setdefault((level[6:], size[5:]), []).append(float(line.split()[2]))
    found = {(row["level"], row["size"]): row["center"] for row in cells.to_dict("records")}
    assert found == {key: pytest.approx(statistics.median(times) * 1e-9) for key, times in wanted.items()}
    assert len(found) == 4


@pytest.mark.skipif(BENCHSTAT is None, reason="benchstat is not installed; scripts/test does that where Go is")
@pytest.mark.parametrize(
    ("metric", "unit"), [("time_per_op", "sec/op"), ("allocs_per_op", "allocs/op"), ("processing_rate", "B/s")]
)
def test_benchstat_has_the_same_medians_of_the_log_and_of_its_export(metric: str, unit: str, tmp_path: Path) -> None:
    dataset = wp.read(CPUS)
    (tmp_path / "exported").write_bytes(
        content(dataset, "benchfmt", ["time_per_op", "allocs_per_op", "processing_rate"])
    )
    answers = [medians(path, unit) for path in (CPUS, tmp_path / "exported")]
    again = wp.read(tmp_path / "exported")
    cells = wp.compare(again, rows=["benchmark", "level", "size", "cores"], columns=[], metric=metric).cells
    unnamed = {
        name: answers[1].pop(name, None) for name in ("Noisy-2",)
    }  # benchstat does not put parted lines together
    assert (unnamed["Noisy-2"] is not None) == (unit == "sec/op")
    assert answers[1] == pytest.approx(answers[0])
    assert sorted(cells["center"].dropna()) == pytest.approx(
        sorted([*answers[0].values(), *([unnamed["Noisy-2"]] if unnamed["Noisy-2"] else [])])
    )


def medians(path: Path, unit: str) -> dict[str, float]:
    """What benchstat says are the medians in a unit, by the benchmark's name."""
    command = [str(BENCHSTAT), "-format", "csv", str(path)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found: dict[str, float] = {}
    here = ""
    for row in csv.reader(io.StringIO(answer)):
        if len(row) > 1 and row[0] == "" and row[1]:
            here = row[1]
        elif here == unit and len(row) > 1 and row[0] not in ("", "geomean"):
            found[row[0]] = float(row[1])
    return found


def test_the_tool_lacks_nothing_but_the_metrics_that_programs_define() -> None:
    found = lacks(benchmarks, FIXTURES / "gobench")
    assert [one for one in found if "is not among the metrics" not in one and "there is no " not in one] == []


def test_a_benchmark_without_the_head_of_go_test_says_nothing_of_its_cores() -> None:
    """`go test` leaves out a -1; without its head, another program may have printed the line."""
    line = "BenchmarkKiwi \t 100\t 12.5 ns/op\n"
    assert wp.parse_text(f"{HEAD}{line}").runs["cores"].tolist() == [1]
    assert "cores" not in wp.parse_text(f"pkg: example.org/a\n{line}").runs


def test_a_metric_of_ones_own_may_end_as_a_percentile_does() -> None:
    found = wp.parse_text(f"{HEAD}BenchmarkKiwi-8 \t 100\t 12.5 ns/op\t 7 hops-p99\n")
    assert numbers_of_run(found, found.runs["run"][0])["hops_p99/total"] == 7
