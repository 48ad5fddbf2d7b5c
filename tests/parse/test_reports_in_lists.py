"""Reports whose lines people made items of a list, with other items between them; values are read from the texts."""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.tools.harness import numbers_of_run

ABOVE = "# Loads\n\n```Running on a 8 cpu 16go```\n\n"
FIRST = """\
- 4 threads and 64 connections
    - `endpoint : /kiwi`
    - Thread Stats   Avg      Stdev     Max   +/- Stdev
    - Latency    12.50ms    1.25ms   1.50s    98.00%
    - Req/Sec     2.50k   125.00     3.75k    75.00%
    - `100000 requests in 10.00s`, 20.00MB read
    - Requests/sec:  `10000.00`
    - Transfer/sec:      2.00MB
"""
SECOND = """\
- 4 threads and 64 connections
   - `endpoint : /kiwi/emu`
   - Thread Stats   Avg      Stdev     Max   +/- Stdev
   - Latency   250.00ms    2.50ms   2.00s    87.00%
   - Req/Sec   250.00     25.00     1.25k    81.00%
   - `5000` requests in 10.00s, 40.00MB read
  - Requests/sec:   `500.00`
  - Transfer/sec:     4.00MB
"""
MIB = 1 << 20
NUMBERS = [
    {
        "latency/mean": 0.0125, "latency/stdev": 0.00125, "latency/max": 1.5, "latency/within_stdev": 0.98,
        "thread_throughput/mean": 2500, "thread_throughput/stdev": 125, "thread_throughput/max": 3750,
        "thread_throughput/within_stdev": 0.75, "requests/total": 100000, "elapsed/total": 10,
        "bytes_read/total": 20 * MIB, "throughput/total": 10000, "transfer_rate/total": 2 * MIB,
    },
    {
        "latency/mean": 0.25, "latency/stdev": 0.0025, "latency/max": 2, "latency/within_stdev": 0.87,
        "thread_throughput/mean": 250, "thread_throughput/stdev": 25, "thread_throughput/max": 1250,
        "thread_throughput/within_stdev": 0.81, "requests/total": 5000, "elapsed/total": 10,
        "bytes_read/total": 40 * MIB, "throughput/total": 500, "transfer_rate/total": 4 * MIB,
    },
]  # fmt: skip


@pytest.mark.parametrize("bullet", ["-", "*", "+"])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_bullets_of_uneven_indent_and_code_around_values_cost_no_line(order: tuple[int, int], bullet: str) -> None:
    reports = [text.replace("- ", f"{bullet} ").replace(f"+/{bullet} ", "+/- ") for text in (FIRST, SECOND)]
    data = wp.parse_text(f"{ABOVE}{reports[order[0]]}\n\n{reports[order[1]]}")
    runs = data.runs.sort_values("line")
    assert [numbers_of_run(data, run) for run in runs["run"]] == [pytest.approx(NUMBERS[at]) for at in order]
    assert runs["line"].tolist() == [5, 15]
    assert runs["line_end"].tolist() == [12, 22]
    assert runs["connections"].tolist() == [64, 64]
    assert runs["threads"].tolist() == [4, 4]
    assert runs["framework"].tolist() == [("kiwi", "kiwi/emu")[at] for at in order]
    assert data.diagnostics.empty


def test_the_machine_in_a_line_above_the_list_is_that_of_all_runs_in_it() -> None:
    assert wp.parse_text(f"{ABOVE}{FIRST}\n\n{SECOND}").runs["cores"].tolist() == [8, 8]


def test_the_next_machine_replaces_it() -> None:
    page = f"Running on a 8 cpu box\n\n{FIRST}\nRunning on a 16 core box\n\n{SECOND}"
    assert wp.parse_text(page).runs.sort_values("line")["cores"].tolist() == [8, 16]


def test_an_item_below_a_whole_report_names_the_next_one() -> None:
    page = f"- kiwi\n{FIRST.replace('- 4', '  - 4', 1)}\n- emu\n{SECOND.replace('- 4', '  - 4', 1)}"
    page = page.replace("    - `endpoint : /kiwi`\n", "").replace("   - `endpoint : /kiwi/emu`\n", "")
    runs = wp.parse_text(page).runs.sort_values("line")
    assert runs["framework"].tolist() == ["kiwi", "emu"]


def test_an_item_beside_the_first_line_ends_a_report_that_was_cut() -> None:
    cut = "".join(FIRST.splitlines(keepends=True)[:4])
    data = wp.parse_text(f"{cut}- emu\n   - Requests/sec: 500.00\n")
    assert len(data.runs) == 1
    assert "throughput/total" not in numbers_of_run(data, data.runs["run"][0])


@pytest.mark.parametrize(
    "line", ["  `12500 requests in 10.00s`, 20.00MB read", "  `12500` requests in 10.00s, 20.00MB read"]
)
def test_code_at_the_beginning_of_a_line_is_part_of_it(line: str) -> None:
    data = wp.parse_text(f"Running 10s test @ http://localhost/kiwi\n{line}\nRequests/sec:   1250.00\n")
    numbers = numbers_of_run(data, data.runs["run"][0])
    assert numbers["requests/total"] == 12500
    assert numbers["elapsed/total"] == 10
    assert numbers["bytes_read/total"] == 20 * MIB


def of_nested_items(*items: str) -> str:
    """A report in a list for each item, which is nested below its first line; without one if it is empty."""
    report = FIRST.replace("- 4", "    - 4", 1).replace("    - `endpoint : /kiwi`\n", "")
    nested = (f"    - {item}\n" if item else "" for item in items)
    return "\n".join(f"- Running 10s test @ http://localhost:8080/\n{item}{report}" for item in nested)


@pytest.mark.parametrize(
    ("items", "key", "values"),
    [
        (("cache: on", "cache: off"), "cache", ["on", "off"]),
        (("endpoint: /kiwi", "endpoint: /emu"), "framework", ["kiwi", "emu"]),
        (("kiwi", "emu"), "framework", ["kiwi", "emu"]),
    ],
)
def test_a_nested_item_above_the_results_labels_its_run(items: tuple[str, str], key: str, values: list[str]) -> None:
    runs = wp.parse_text(of_nested_items(*items)).runs.sort_values("line")
    assert runs[key].tolist() == values
    assert runs["url"].tolist() == ["http://localhost:8080/"] * 2


def test_the_name_in_a_nested_item_is_not_that_of_the_next_report() -> None:
    runs = wp.parse_text(of_nested_items("kiwi", "emu", "")).runs.sort_values("line")
    assert runs["framework"].isna().tolist() == [False, False, True]


def test_a_nested_item_with_a_command_ends_the_report() -> None:
    page = of_nested_items("`wrk -t4 -c64 http://localhost:8080/`")
    assert wp.parse_text(page).runs["line"].tolist() == [3]
