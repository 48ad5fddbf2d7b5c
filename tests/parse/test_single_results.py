"""Reports of which people show one line, or the rows of a table: below a name, a heading or a command."""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.samples import WRK as WRK_REPORT

WRK = "wrk -t2 -c10 -d10s http://localhost/"
HEY, AB = "hey -n 10000 -c 10 http://localhost/", "ab -n 1000 -c 10 http://localhost/"


def rates(text: str) -> list[tuple[str, str, float]]:
    """The tool, the framework and the throughput of each run."""
    data = wp.parse_text(text)
    rate = data.measurements.query("metric == 'throughput'").set_index("run")["value"]
    runs = data.runs.sort_values("line")
    return [
        (tool, name, rate[run]) for run, tool, name in zip(runs["run"], runs["tool"], runs["framework"], strict=True)
    ]


@pytest.mark.parametrize(
    ("command", "lines", "tool"),
    [
        (HEY, ("  Requests/sec:\t3567.4125", "  Requests/sec:\t4569.7754"), "hey"),
        (WRK, ("Requests/sec: 3,567.41", "Requests/sec: 4,569.77"), "wrk"),
        (WRK, ("Requests/sec: 3567", "Requests/sec: 4569.7"), "wrk"),
        (AB, ("Requests per second:    3567.41", "Requests per second:    4569.77"), "ab"),
        (AB, ("Requests per second: 3567.41 [#/sec]", "Requests per second: 4569.77 [#/sec]"), "ab"),
    ],
)
def test_a_rate_by_itself_is_of_the_tool_whose_command_is_above(
    command: str, lines: tuple[str, str], tool: str
) -> None:
    one, other = lines
    page = f"```sh\n$ {command}\n```\n\n## kiwi\n\n```\n{one}\n```\n\n## emu\n\n```\n{other}\n```\n"
    first, second = (float(line.split()[-1 if "#" not in line else -2].replace(",", "")) for line in lines)
    assert rates(page) == [(tool, "kiwi", first), (tool, "emu", second)]
    named = f"```sh\n$ {command}\n```\n\nkiwi: {one.strip()}\nemu: {other.strip()}\n"
    assert rates(named) == [(tool, "kiwi", first), (tool, "emu", second)]


@pytest.mark.parametrize(
    "line", ["  Requests/sec:\t3567.4125", "Requests per second:    3567.41", "Requests/sec: 3,567"]
)
@pytest.mark.parametrize("above", ["", "$ oha -c64 http://localhost/\n", "$ ./kiwi &\n"])
def test_without_the_command_it_may_be_of_any_program(line: str, above: str) -> None:
    data = wp.parse_text(f"{above}{line}\n")
    assert data.runs.empty


def test_a_report_of_oha_below_a_command_of_hey_keeps_its_rate() -> None:
    report = (
        "Summary:\n  Success rate:\t100.00%\n  Total:\t2.0000 secs\n  Slowest:\t0.0100 secs\n  Fastest:\t0.0001 secs\n"
        "  Average:\t0.0010 secs\n  Requests/sec:\t5000.0000\n\n"
    )
    data = wp.parse_text(f"$ {HEY}\n$ oha -n 10000 http://localhost/\n{report}")
    assert data.runs["tool"].tolist() == ["oha"]


def test_emphasis_and_a_link_of_markdown_in_a_line_of_ab_are_no_part_of_it() -> None:
    page = (
        "**kiwi**: Requests per second:    **3623.53** [#/sec](mean)\n"
        "**emu**: Requests per second:    **4686.68** [#/sec](mean)\n"
    )
    assert rates(page) == [("ab", "kiwi", 3623.53), ("ab", "emu", 4686.68)]


@pytest.mark.parametrize("colon", ["", ":"])
def test_a_table_of_two_columns_may_have_the_lines_of_ab(colon: str) -> None:
    def table(rate: float, seconds: str) -> str:
        rows = {
            "Label": "Value",
            "---": "---",
            f"Concurrency Level{colon}": "256",
            f"Time taken for tests{colon}": f"{seconds} seconds",
            f"Complete requests{colon}": "50000",
            f"Failed requests{colon}": "0",
            f"Requests per second{colon}": f"{rate:.2f} [#/sec] (mean)",
            f"Time per request{colon}": "18.861 [ms] (mean)",
            f"Transfer rate{colon}": "1166.44 [Kbytes/sec] received",
        }
        return "".join(f"| {key:<20} | {value:<26} |\n" for key, value in rows.items())

    page = f"## Kiwi\n\n{table(13573.17, '3.684')}\n## Emu\n\n{table(18629.66, '2.684')}"
    assert rates(page) == [("ab", "Kiwi", 13573.17), ("ab", "Emu", 18629.66)]
    data = wp.parse_text(page)
    assert data.runs["connections"].tolist() == [256, 256]
    found = data.measurements.groupby("metric")["value"].first()
    assert (found["elapsed"], found["requests"], found["failed_requests"]) == (3.684, 50000, 0)
    assert found["transfer_rate"] == 1166.44 * 1024
    assert not (set(data.diagnostics["severity"]) - {"note"})


@pytest.mark.parametrize(
    "rest", ["     Memory: 228 M", ", p99: 3.1ms", " | Errors: 0 | Memory: 12 MB", "  (CPU: 97 %)"]
)
def test_more_results_behind_a_rate_name_nothing(rest: str) -> None:
    page = f"Kiwi\nRequests/sec:  18045.80{rest}\n\nEmu\nRequests/sec:  26111.17{rest}\n"
    assert rates(page) == [("wrk", "Kiwi", 18045.8), ("wrk", "Emu", 26111.17)]


def test_settings_behind_a_rate_are_labels() -> None:
    data = wp.parse_text("Requests/sec:  18045.80, Connections: 64\n\nRequests/sec:  26111.17, Connections: 128\n")
    assert data.runs["connections"].tolist() == [64, 128]


def test_a_sentence_behind_a_rate_is_none_of_its_results() -> None:
    assert wp.parse_text("Requests/sec:  18045.80 was what kiwi: 3 made\n").runs.empty


@pytest.mark.parametrize("summary", ["Requests/sec: 40,669.44", "Requests/sec: 40669", "kiwi: Requests/sec: 40669.4"])
def test_a_rounded_rate_below_whole_reports_sums_them_up(summary: str) -> None:
    page = f"$ {WRK}\n{WRK_REPORT}\n{summary}\n"
    assert wp.parse_text(page).runs["line"].tolist() == [2]


@pytest.mark.parametrize(
    "page",
    [
        f"$ {HEY}\n$ oha -n 500 -c 50 http://localhost/b\n  Requests/sec:\t5000.1234\n",
        f"$ {WRK}\n$ bombardier -c 50 http://localhost/\nRequests/sec: 3567\n",
        f"$ {WRK}\n$ python3 bench.py\nRequests/sec: 4567.1\n",
        f"$ {WRK}\n\nWe need at least\n\nRequests/sec: 5000\n",
        f"$ {WRK}\n\nThe old server had\n\n> Requests/sec: 200\n",
        "## Locust\n\n| Complete requests | 5000 |\n| Failed requests | 12 |\n",
        "## Settings\n\n| Concurrency Level | 64 |\n| Server Hostname | kiwi.example |\n| Document Path | /hello |\n",
    ],
)
def test_a_number_of_another_program_or_of_prose_is_no_run(page: str) -> None:
    data = wp.parse_text(page)
    assert data.runs.empty
    assert "warning" not in set(data.diagnostics["severity"])


def test_a_rate_below_the_next_command_is_a_run_though_a_whole_report_is_above() -> None:
    page = f"## kiwi\n\n$ {WRK}\n{WRK_REPORT}\n## emu\n\n$ {WRK}\nRequests/sec: 9,547\n"
    assert rates(page)[1:] == [("wrk", "emu", 9547.0)]


@pytest.mark.parametrize("rest", [" Page: 3", ", Workers: 4, Note: 3"])
def test_other_numbers_behind_a_rate_are_no_results(rest: str) -> None:
    assert wp.parse_text(f"Kiwi\nRequests/sec:  18045.80{rest}\n").runs.empty
