"""autocannon's tables, as people turn them into those of Markdown; expected values are read from the texts by hand."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

import wrkparse as wp

from .harness import FIXTURES, numbers_of_run

BOXED = [path for path in sorted((FIXTURES / "autocannon").glob("*.txt")) if "│" in path.read_text()]
HEAD = "| Stat | 2.5% | 50% | 97.5% | 99% | Avg | Stdev | Max |\n|---|---|---|---|---|---|---|---|\n"
LATENCY = "| Latency | 1 ms | 2 ms | 4 ms | 5 ms | 2.25 ms | 0.75 ms | 115 ms |\n\n"
RATES = (
    "| Stat      | 1%      | 2.5%    |50%      |97.5%    |Avg      |Stdev    |Min     |\n"
    "|-----------|---------|---------|---------|---------|---------|---------|--------|\n"
    "| Req/Sec   | 21,503  | 21,503 | 27,007 | 29,823 | 26,730.25| 1,241.75 | 21,495  |\n"
    "| Bytes/Sec | 3.25 MB | 3.25 MB | 4.5 MB | 4.75 MB | 4.25 MB | 250 kB | 3.25 MB |\n\n"
)
END = "540k requests in 20.25s, 86 MB read\n\n200 errors (150 timeouts)\n"
NUMBERS = {
    "latency/p2.5": 0.001, "latency/p50": 0.002, "latency/p97.5": 0.004, "latency/p99": 0.005,
    "latency/mean": 0.00225, "latency/stdev": 0.00075, "latency/max": 0.115,
    "throughput/p1": 21503, "throughput/p2.5": 21503, "throughput/p50": 27007, "throughput/p97.5": 29823,
    "throughput/total": 26730.25, "throughput/stdev": 1241.75, "throughput/min": 21495,
    "transfer_rate/p1": 3.25e6, "transfer_rate/p2.5": 3.25e6, "transfer_rate/p50": 4.5e6,
    "transfer_rate/p97.5": 4.75e6, "transfer_rate/total": 4.25e6, "transfer_rate/stdev": 250e3,
    "transfer_rate/min": 3.25e6,
    "requests_sent/total": 540e3, "elapsed/total": 20.25, "bytes_read/total": 86e6,
    "failed_requests/total": 200, "errors_timeout/total": 150,
}  # fmt: skip


def padded(row: str) -> str:
    return row.replace("│", "|")


def tight(row: str) -> str:
    return "|".join(cell.strip() for cell in row.split("│"))


def open_at_both_ends(row: str) -> str:
    return padded(row).strip("| ")


def markdown(text: str, row: Callable[[str], str]) -> str:
    """A report with tables of Markdown: one line below the first row of each, and none else."""
    lines: list[str] = []
    for line in text.split("\n"):
        if line.startswith("├"):
            is_below_head = lines[-1].lstrip("| ").startswith(("Stat", "Code", "Percentile"))
            lines += [row("│".join(["", *[" :--- "] * (line.count("┼") + 1), ""]))] if is_below_head else []
        elif not line.startswith(("┌", "└")):
            lines.append(row(line) if line.startswith("│") else line)
    return "\n".join(lines)


@pytest.mark.parametrize("row", [padded, tight, open_at_both_ends])
@pytest.mark.parametrize("path", BOXED, ids=lambda path: path.stem)
def test_a_table_of_markdown_has_the_numbers_of_the_table_that_was_printed(
    path: object, row: Callable[[str], str]
) -> None:
    text = FIXTURES.joinpath(str(path)).read_text()
    (expected,) = json.loads(FIXTURES.joinpath(str(path)).with_suffix(".json").read_text())["runs"]
    data = wp.parse_text(markdown(text, row))
    assert data.runs["tool"].tolist() == ["autocannon"]
    assert numbers_of_run(data, data.runs["run"][0]) == pytest.approx(expected["measurements"])
    assert data.runs["url"].tolist() == [expected["labels"]["url"]]


@pytest.mark.parametrize("fence", ["", "```text\n"])
def test_tables_below_the_command_or_the_first_lines_are_runs(fence: str) -> None:
    head = "Running 20s test @ http://localhost:3000/kiwi\n20 connections with 2 pipelining factor\n1 workers\n\n"
    page = (
        f"# Loads\n\n## kiwi\n\n{fence}{head}{HEAD}{LATENCY}{RATES}{END}{fence[:3]}\n\n"
        f"## emu\n\n```\nautocannon -c 64 -d 20 http://localhost:3000/emu\n```\n\n{HEAD}{LATENCY}\n{RATES}\n{END}"
    )
    data = wp.parse_text(page)
    runs = data.runs.sort_values("line")
    assert [numbers_of_run(data, run) for run in runs["run"]] == [pytest.approx(NUMBERS)] * 2
    assert runs["framework"].tolist() == ["kiwi", "emu"]
    assert runs["connections"].tolist() == [20, 64]
    assert runs["url"].tolist() == ["http://localhost:3000/kiwi", "http://localhost:3000/emu"]


def test_a_cell_that_can_not_be_read_costs_that_cell() -> None:
    data = wp.parse_text(HEAD + LATENCY.replace("4 ms", "soon", 1) + RATES + END)
    expected = {name: value for name, value in NUMBERS.items() if name != "latency/p97.5"}
    assert numbers_of_run(data, data.runs["run"][0]) == pytest.approx(expected)
    assert any("p97.5" in message and "soon" in message for message in data.diagnostics["message"])


def test_a_row_without_a_cell_is_a_diagnostic() -> None:
    data = wp.parse_text(HEAD + LATENCY + RATES.replace("| 250 kB ", "") + END)
    expected = {name: value for name, value in NUMBERS.items() if not name.startswith("transfer_rate")}
    assert numbers_of_run(data, data.runs["run"][0]) == pytest.approx(expected)
    assert any("Bytes/Sec" in message for message in data.diagnostics["message"])


def test_a_table_with_other_columns_is_no_report() -> None:
    page = "| Stat | 2.5% | 50% |\n|---|---|---|\n| Latency | 1 ms | 2 ms |\n\n540k requests in 20.25s, 86 MB read\n"
    assert wp.parse_text(page).runs.empty
