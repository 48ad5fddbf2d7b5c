"""Reports of oha, k6, h2load, vegeta, bombardier, autocannon, siege and fortio: in company, cut short, and with their commands.

What whole reports mean is in ``tests/fixtures/<tool>/``.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import wrkparse as wp
from tests.cases import each_case
from tests.samples import WRK
from tests.tools.harness import FIXTURES, numbers_of_run
from tests.tools.test_hey import OLD_OHA

TOOLS = ("autocannon", "bombardier", "fortio", "h2load", "k6", "oha", "siege", "vegeta")
CASES = sorted(path for tool in TOOLS for path in (FIXTURES / tool).glob("*.txt"))
# Of a list that may end anywhere.
SUMS = {"fortio": {"non_2xx/total"}, "oha": {"requests/total", "non_2xx/total"}}
WHOLE = {
    "autocannon": "codes-9.0", "bombardier": "others-readme", "fortio": "mixed", "h2load": "mix-1.52", "k6": "arrivals-1.8", "oha": "mix-1.16",
    "siege": "mix-4.0.7", "vegeta": "mix-12.13",
}  # fmt: skip


def text_of(tool: str) -> str:
    return (FIXTURES / tool / f"{WHOLE[tool]}.txt").read_text(encoding="utf-8")


def by_tool(dataset: wp.Dataset) -> dict[str, dict[str, float]]:
    runs = dataset.arrow("runs")
    of_runs = zip(runs["tool"].to_pylist(), runs["run"].to_pylist(), strict=True)
    return {tool: numbers_of_run(dataset, run) for tool, run in of_runs}


def loop_of(text: str) -> tuple[str | None, bool | None]:
    (run,) = wp.parse_text(text).runs.to_dict("records")
    corrected = run["corrected"]
    return run["loop"], None if pd.isna(corrected) else bool(corrected)


@each_case("case", CASES, ids=lambda case: f"{case.parent.name}-{case.stem}")
def test_beside_a_report_of_wrk_each_has_its_own_numbers(case: Path) -> None:
    text = case.read_text(encoding="utf-8")
    alone = by_tool(wp.parse_text(text)) | by_tool(wp.parse_text(WRK))
    for both in (WRK + text, text + WRK):
        assert by_tool(wp.parse_text(both)) == alone


@pytest.mark.parametrize("tool", TOOLS)
def test_two_reports_in_a_row_are_two_runs_of_equal_numbers(tool: str) -> None:
    dataset = wp.parse_text(text_of(tool) * 2)
    first, second = dataset.runs["run"]
    assert numbers_of_run(dataset, first) == numbers_of_run(dataset, second)


@pytest.mark.parametrize("tool", TOOLS)
def test_quoted_and_fenced_a_report_is_the_same(tool: str) -> None:
    alone = by_tool(wp.parse_text(text_of(tool)))
    quoted = "".join(f"> {line}\n" for line in text_of(tool).splitlines())
    assert by_tool(wp.parse_text(quoted)) == alone
    assert by_tool(wp.parse_text(f"```\n{text_of(tool)}```\n")) == alone


@pytest.mark.parametrize("tool", TOOLS)
def test_a_report_that_is_cut_short_keeps_what_it_has(tool: str) -> None:
    whole = by_tool(wp.parse_text(text_of(tool)))[tool]
    lines = text_of(tool).splitlines(keepends=True)
    for end in range(1, len(lines)):
        dataset = wp.parse_text("".join(lines[:end]))
        for found in by_tool(dataset).values():
            assert {
                key: value for key, value in found.items() if value != whole.get(key) and key not in SUMS[tool]
            } == {}


@pytest.mark.parametrize(
    ("tool", "lines", "lack"),
    [
        ("oha", 30, "its Status code distribution"),
        ("k6", 40, "its iterations"),
        ("h2load", 20, "its table"),
        ("vegeta", 4, "its status codes"),
        ("bombardier", 10, "its Throughput line"),
        ("autocannon", 14, "its last line, the requests and their time"),
        ("siege", 12, "its Shortest transaction line"),
    ],
)
def test_a_report_that_ends_early_says_what_it_lacks(tool: str, lines: int, lack: str) -> None:
    dataset = wp.parse_text("".join(text_of(tool).splitlines(keepends=True)[:lines]))
    assert f"{tool}: the report ends here, without {lack}" in dataset.diagnostics.message.tolist()


@pytest.mark.parametrize(
    ("tool", "old", "new", "message"),
    [
        ("oha", "0.0662 ms", "?.0662 ms", "oha: latency p50: '?.0662' is not a number"),
        ("k6", "avg=1.52ms", "avg=1,52ms", "k6: latency mean: '1,52ms' is not a duration"),
        ("h2load", "369us", "x69us", "h2load: latency max: 'x69us' is not a number"),
        ("vegeta", "470.349µs", "47O.349µs", "vegeta: latency p50: '47O.349µs' is not a duration"),
        ("bombardier", "28.00ms", "28,00ms", "bombardier: latency p50: '28,00ms' is not a number"),
        ("siege", "0.52 secs", "O.52 secs", "siege: elapsed total: 'O.52secs' is not a number"),
    ],
)
def test_one_bad_cell_costs_one_cell(tool: str, old: str, new: str, message: str) -> None:
    assert old in text_of(tool)
    dataset = wp.parse_text(text_of(tool).replace(old, new, 1))
    assert message in dataset.diagnostics.message.tolist()
    whole = by_tool(wp.parse_text(text_of(tool)))[tool]
    assert len(whole) - len(by_tool(dataset)[tool]) == 1


@pytest.mark.parametrize(
    ("tool", "command", "labels"),
    [
        ("oha", "oha --no-tui -z 2s -c 4 -q 200 http://h:80/a", {"connections": 4, "duration_s": 2.0, "rate": 200.0}),
        ("k6", "k6 run -u 8 -d 1m30s s.js", {"flag_script": "s.js"}),
        ("h2load", "h2load --h1 -n300 -c4 -t2 http://h:80/a", {"connections": 4, "threads": 2, "url": "http://h:80/a"}),
        ("vegeta", 'echo "GET http://h/" | vegeta attack -rate=100/1s -duration=1s | vegeta report', {"rate": 100.0, "duration_s": 1.0}),
        ("bombardier", "bombardier -c 200 -d 10s -r 500 http://ya.ru", {"connections": 200, "rate": 500.0}),
        ("autocannon", "autocannon -c 2 -d 2 -R 100 http://127.0.0.1:18180/mix", {"connections": 2, "rate": 100.0}),
        ("siege", "siege -c4 -t2S -b http://127.0.0.1:18180/mix", {"connections": 4, "duration_s": 2.0}),
    ],
)  # fmt: skip
def test_the_command_above_labels_the_run(tool: str, command: str, labels: dict[str, object]) -> None:
    dataset = wp.parse_text(f"$ {command}\n{text_of(tool)}")
    (run,) = dataset.runs.to_dict("records")
    assert {key: run[key] for key in labels} == labels
    assert "label-conflict" not in dataset.diagnostics.code.tolist()


def test_the_loop_is_the_tool_s_its_report_s_or_its_command_s() -> None:
    for tool in ("oha", "h2load", "bombardier", "siege", "autocannon"):
        assert loop_of(text_of(tool)) == ("closed", False)
    assert loop_of(text_of("vegeta")) == ("open", None)
    assert loop_of(text_of("k6")) == ("open", None)  # constant-arrival-rate
    assert loop_of((FIXTURES / "k6" / "legacy-mix-1.8.txt").read_text()) == ("closed", False)  # looping VUs
    oha = "$ oha -q 200 {} http://h/\n" + text_of("oha")
    assert loop_of(oha.format("--latency-correction")) == ("open", True)
    assert loop_of(oha.format("--no-tui")) == ("closed", False)
    assert loop_of("$ autocannon -R 100 http://h/\n" + text_of("autocannon")) == ("closed", None)


def test_a_summary_of_k6_alone_does_not_tell_the_loop() -> None:
    summary = text_of("k6")[text_of("k6").index("  █ TOTAL RESULTS") :]
    assert loop_of(summary) == (None, None)
    assert loop_of(f"$ k6 run --vus 2 s.js\n{summary}") == ("closed", False)


def test_progress_of_k6_does_not_part_its_summary_from_what_it_ran() -> None:
    head, summary = text_of("k6").split("\n\n  █ THRESHOLDS")
    progress = "\nrunning (01.0s), 00/08 VUs, 197 complete and 0 interrupted iterations\narrivals   [  50% ] 00/08 VUs  1.0s/2s\n"
    dataset = wp.parse_text(f"{head}{progress * 600}\n  █ THRESHOLDS{summary}")
    (run,) = dataset.runs.to_dict("records")
    assert (run["loop"], run["rate"]) == ("open", 200.0)
    assert len(dataset.texts) < 60


def test_a_histogram_of_vegeta_gives_the_shares_up_to_each_bound() -> None:
    spectrum = wp.parse_text((FIXTURES / "vegeta" / "hist-12.13.txt").read_text()).spectrum
    # of 400 requests: 0, 125, 234, 13, 18, and 10 above 5 ms
    assert spectrum["value_s"].tolist() == [0.0001, 0.0002, 0.0005, 0.001, 0.005]
    assert spectrum["total_count"].tolist() == [0, 125, 359, 372, 390]
    assert spectrum["percentile"].tolist() == [0.0, 125 / 400, 359 / 400, 372 / 400, 390 / 400]


def test_siege_s_rate_is_as_exact_as_its_clock() -> None:
    dataset = wp.parse_text(text_of("siege"))
    rows = dataset.measurements.set_index("metric")
    # 2052 transactions in 0.52 s of ticks of 10 ms
    assert rows.loc["throughput", "resolution"] == pytest.approx(3946.15 * 0.01 / 0.52)


def test_the_number_of_requests_that_autocannon_was_asked_for_is_read() -> None:
    """As ``lib/progressTracker.js`` has it with ``-a 200``, instead of a duration."""
    text = text_of("autocannon").replace("Running 2s test", "Running 200 requests test")
    numbers = wp.parse_text(text).measurements.set_index("metric")["value"]
    assert numbers["planned_requests"] == 200
    assert "duration_s" not in set(wp.parse_text(text).labels["key"])


def test_the_last_line_of_an_old_autocannon_counts_responses_in_thousands() -> None:
    """Unless a line about their statuses counts them exactly."""
    text = (FIXTURES / "autocannon" / "plain-2.4.1.txt").read_text()
    text = text.replace("1225 2xx responses, 25 non 2xx responses\n", "")
    found = wp.parse_text(text).measurements.set_index(["metric", "stat"])
    assert found.loc[("requests", "total"), ["value", "resolution"]].tolist() == [1000, 500]
    assert "requests_sent" not in found.index


def test_runs_of_autocannon_with_failed_requests_are_compared(tmp_path: Path) -> None:
    """The report counts the requests that were sent, none that were answered."""
    text = text_of("autocannon").replace("134 2xx responses, 67 non 2xx responses\n", "")
    for name in ("kiwi", "emu"):
        (tmp_path / f"{name}.txt").write_text(text + "2 errors (0 timeouts)\n")
    assert wp.compare(wp.read(tmp_path)).sentences


def test_the_first_lines_of_autocannon_are_no_broken_report_of_wrk() -> None:
    dataset = wp.parse_text(text_of("autocannon"))
    assert dataset.runs["tool"].tolist() == ["autocannon"]
    assert dataset.diagnostics.message.tolist() == []


def test_in_a_terminal_s_colours_a_report_of_oha_is_read() -> None:
    # as print_summary of oha's src/printer.rs styles them
    coloured = (
        text_of("oha")
        .replace("Summary:", "\x1b[1m\x1b[4mSummary:\x1b[0m")
        .replace("  Success rate:\t100.00%", "\x1b[38;5;10m\x1b[1m  Success rate:\t100.00%\x1b[0m")
        .replace("  Slowest:", "\x1b[38;5;11m  Slowest:")
    )
    assert by_tool(wp.parse_text(coloured)) == by_tool(wp.parse_text(text_of("oha")))


@each_case("case", CASES, ids=lambda case: f"{case.parent.name}-{case.stem}")
def test_a_real_report_does_not_contradict_itself(case: Path) -> None:
    found = set(wp.audit(wp.parse_text(case.read_text(encoding="utf-8"))).findings["code"])
    assert found <= {"failed-requests", "non-2xx", "socket-errors", "nothing-measured", "same-machine"}


def test_the_failures_that_k6_and_siege_count_are_graded() -> None:
    # 1316 of 3948 requests of k6; siege's 2052 transactions leave the 1025 failed ones out
    for path, share in (("k6/legacy-mix-1.8.txt", 1316 / 3948), ("siege/mix-4.0.7.txt", 1025 / 3077)):
        (finding,) = wp.audit(wp.parse_text((FIXTURES / path).read_text())).findings.to_dict("records")
        assert (finding["code"], finding["severity"]) == ("failed-requests", "invalid")
        assert finding["value"] == pytest.approx(share)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("bombardier/json-refused-2.0.log", "100.00% failed: 100 of 100"),
        ("oha/drop-1.16.txt", "25.00% failed: 15 of 60"),  # it prints a success rate of 75 %
        ("hey/refused-0.1.4.txt", "100.00% failed: 10 of 10"),
        ("autocannon/refused-9.0.txt", "100.00% failed: 5,000 of 5,000"),
        ("vegeta/refused-12.13.txt", "100.00% failed: 10 of 10"),
    ],
)
def test_failures_that_a_tool_counts_beside_its_requests_are_a_share_of_both(path: str, words: str) -> None:
    findings = wp.audit(wp.parse_text((FIXTURES / path).read_text())).findings.set_index("code")
    assert findings.loc["failed-requests", ["severity", "message"]].tolist() == ["invalid", words]


def test_without_a_count_of_responses_failures_are_a_share_of_what_was_sent() -> None:
    # autocannon prints responses only if some had another status than 2xx
    text = text_of("autocannon").replace("134 2xx responses, 67 non 2xx responses\n", "")
    text = text.replace("27.4 kB read\n", "27.4 kB read\n7 errors (0 timeouts)\n")
    findings = wp.audit(wp.parse_text(text)).findings.set_index("code")
    assert findings.loc["failed-requests", "message"] == "2.33% failed: 7 of 301"


def test_summaries_of_old_versions_of_oha_are_read() -> None:
    # print_summary of src/printer.rs of oha 0.4: a ratio, always seconds, hey's title of the percentiles
    old = OLD_OHA.replace("Summary:\n", "Summary:\n  Success rate:\t0.9901\n")
    old += "  0.000 [50]  |■■■■\n\nLatency distribution:\n  10% in 0.0001 secs\n  99% in 0.0011 secs\n"
    (found,) = by_tool(wp.parse_text(old)).values()
    assert (found["answered/total"], found["elapsed/total"], found["latency/p99"]) == (0.9901, 0.0116, 0.0011)
    assert found["transfer_rate_bodies/total"] == 328.13 * 1024


@pytest.mark.parametrize(
    "path", ["autocannon/refused-9.0.txt", "hey/refused-0.1.4.txt", "oha/refused-1.16.txt", "vegeta/refused-12.13.txt"]
)
def test_a_run_in_which_every_request_failed_is_invalid(path: str) -> None:
    verdicts = wp.audit(wp.parse_text((FIXTURES / path).read_text(encoding="utf-8"))).verdicts
    assert verdicts["verdict"].tolist() == ["invalid"]


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        # What toLocaleString of Node makes of 80575, 87916.8, 4933.47 and 1131624 in en, de, fr, de-CH and en-IN.
        ("80,575", 80575.0), ("80.575", 80575.0), ("80\u202f575", 80575.0), ("80’575", 80575.0),
        ("87,916.8", 87916.8), ("87.916,8", 87916.8), ("87 916,8", 87916.8), ("4.933,47", 4933.47),
        ("1,131,624", 1131624.0), ("1.131.624", 1131624.0), ("11,31,624", 1131624.0),
        # Without locale, or below 1000.
        ("87916.8", 87916.8), ("12.34", 12.34), ("12,34", 12.34), ("0,5", 0.5), ("0", 0.0),
    ],
)  # fmt: skip
def test_autocannon_prints_rates_in_any_locale(cell: str, value: float) -> None:
    text = FIXTURES.joinpath("autocannon/portuguese-8.0.0.txt").read_text(encoding="utf-8")
    found = wp.parse_text(text.replace("40.690,67", cell.rjust(9))).measurements
    totals = found[(found["metric"] == "throughput") & (found["stat"] == "total")]
    assert list(totals["value"]) == [value]


@pytest.mark.parametrize("cell", ["1.234.56", "80.57.5", "1,2,3"])
def test_a_rate_of_autocannon_that_no_locale_prints_is_left_out(cell: str) -> None:
    text = FIXTURES.joinpath("autocannon/portuguese-8.0.0.txt").read_text(encoding="utf-8")
    ds = wp.parse_text(text.replace("40.690,67", cell.rjust(9)))
    assert not ((ds.measurements["metric"] == "throughput") & (ds.measurements["stat"] == "total")).any()
    assert any(cell in message for message in ds.diagnostics["message"])


@pytest.mark.parametrize("name", ["n20000-1.2", "others-readme", "moved-1.2.6"])
def test_a_report_of_bombardier_without_the_lines_above_its_rate_has_the_same_numbers(name: str) -> None:
    """Pages leave them out, because they have them as headings."""
    lines = (FIXTURES / "bombardier" / f"{name}.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    (at,) = (number for number, line in enumerate(lines) if line.lstrip().startswith("Reqs/sec"))
    whole, rest = ({**by_tool(wp.parse_text("".join(part)))["bombardier"]} for part in (lines, lines[at:]))
    assert rest.items() <= whole.items()
    assert {key.partition("/")[0] for key in whole.keys() - rest.keys()} <= {"planned_requests"}
    two = wp.parse_text("".join(lines[at:]) * 2)
    assert two.runs["tool"].tolist() == ["bombardier"] * 2


def test_a_row_of_rates_alone_is_no_report_of_bombardier() -> None:
    dataset = wp.parse_text(f"{WRK}\n  Reqs/sec 100 200 300\n\nAs said: Reqs/sec      50000.12    1000.00   60000.00\n")
    assert dataset.runs["tool"].tolist() == ["wrk"]
