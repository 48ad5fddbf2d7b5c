from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import Result
from junitparser import Error, Failure, JUnitXml

from tests.command_line import wrkparse

ROOT = Path(__file__).parents[2]
STUDY = """\
labels:
  - {when: {section: old}, set: {branch: old}}
  - {when: {section: new}, set: {branch: new}}
  - {when: {section: bad}, set: {branch: bad}}
"""
SLOW = (100.0, 101.0, 102.0, 103.0)
FAST = (110.0, 111.0, 112.0, 113.0)


@pytest.fixture(autouse=True)
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "bench").mkdir()
    (tmp_path / "bench" / "wrkparse.yaml").write_text(STUDY)
    return tmp_path


def report(throughput: float, connections: int = 8) -> str:
    """What wrk prints of such a run, at one with itself: Little's law, rates, threads, bytes."""
    requests, latency = round(throughput * 10.1), 1e3 * connections / throughput
    return f"""\
Running 10s test @ http://10.0.1.70:8080/hello
  8 threads and {connections} connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency    {latency:.2f}ms    1.00ms  {1.5 * latency:.2f}ms   83.29%
    Req/Sec     {throughput / 8:.2f}     {0.06 * throughput / 8:.2f}     {throughput / 7:.2f}    78.34%
  {requests} requests in 10.10s, {requests * 184 / 1024:.2f}KB read
Requests/sec: {throughput:9.2f}
Transfer/sec:    {requests * 184 / 1024 / 10.1:.2f}KB
"""


def page(**branches: tuple[float, ...]) -> str:
    return "".join(f"# {branch}\n\n" + "\n".join(map(report, values)) + "\n" for branch, values in branches.items())


MADE: dict[str, bytes] = {}


def store(**branches: tuple[float, ...]) -> None:
    """A store with wrk runs of these throughputs by branch; a log that was read before is not read again."""
    log = page(**branches)
    Path("bench/log.md").write_text(log)
    if log in MADE:
        Path("wrkparse.duckdb").write_bytes(MADE[log])
        return
    assert wrkparse("ingest", "bench").exit_code == 0
    MADE[log] = Path("wrkparse.duckdb").read_bytes()


def compare(*more: str) -> Result:
    return wrkparse("compare", "--rows", "branch", "--baseline", "branch=old", *more)


def test_one_run_each_shows_the_ratio_and_says_that_there_is_no_verdict() -> None:
    store(old=(100.0,), new=(90.0,))
    result = compare("--details", "--metric", "throughput")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    start = lines.index("throughput, one run per cell: branch")
    assert lines[start : start + 11] == [
        "throughput, one run per cell: branch",
        "",
        "branch",
        "new       90.00 /s",
        "old       100.0 /s",
        "",
        "throughput, ratio to branch=old",
        "",
        "branch",
        "new       0.9000",
        "old            1",
    ]
    # 0.005 of 90.00 and of 100.00; Req/Sec has 0.06 of its mean
    assert "one run each: no interval and no verdict; at alpha 0.05 it takes at least 4 runs" in result.stdout
    assert "the printed digits fix each ratio to ±0.011 %; a second run may differ" in result.stdout
    assert "stdev / mean within a run: one thread's rate 6 %; it shows how steady that run" in result.stdout


def test_several_runs_show_interval_p_and_verdict_and_without_a_baseline_ranks() -> None:
    store(old=(*SLOW, 104.0, 105.0), new=(*FAST, 114.0, 115.0))
    lines = compare("--details", "--metric", "throughput").stdout.splitlines()
    start = lines.index("throughput, median of 6 runs per cell [95 % interval]: branch")
    assert lines[start + 3].split(maxsplit=1) == ["new", "112.5 /s [-2.2 %, +2.2 %]"]
    head = next(index for index, line in enumerate(lines) if line.startswith("branch    ratio"))
    assert lines[head].split() == ["branch", "ratio", "95", "%", "interval", "p", "verdict"]
    # U = 0: 2 / C(12, 6) = 0.0022; k = 6 of the 36 quotients
    assert lines[head + 1].split()[-2:] == ["0.0022", "better"]
    assert lines[head + 2].split() == ["old", "1", "baseline"]
    assert (
        "all runs of one branch are in the file before those of the next: drift between runs would look like "
        "a difference; measure in turns, if they were made in that order"
    ) in " ".join(" ".join(lines).split())
    ranked = wrkparse("compare", "--rows", "branch", "--details", "--metric", "rps").stdout.splitlines()
    head = next(index for index, line in enumerate(ranked) if line.startswith("branch    rank"))
    assert [line.split() for line in ranked[head + 1 : head + 3]] == [["new", "1"], ["old", "2"]]


def test_tables_fit_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = (f"# old\n\n{report(100.0, 1000 + n)}\n" for n in range(20))
    Path("bench/log.md").write_text("".join(runs))
    assert wrkparse("ingest", "bench").exit_code == 0
    for columns in (80, 120):
        monkeypatch.setenv("COLUMNS", str(columns))
        result = compare("--columns", "connections", "--metric", "throughput,latency_mean", "--details")
        assert max(map(len, result.stdout.splitlines())) <= columns
        assert all(f" {1000 + n}" in result.stdout for n in range(20))


@pytest.mark.parametrize(
    ("old", "new", "limit", "code", "said"),
    [
        (FAST, SLOW, "throughput < -5%", 1, "branch=new: -9.0 % [-11.5 %, -6.4 %] (worse, n=4)"),
        (SLOW, FAST, "throughput < -5%", 0, "within the limit throughput < -5 %: 1 of 1"),
        (FAST[:1], SLOW[:1], "throughput < -5%", 3, "(too few, n=1, needs 4 runs on each side)"),
        (SLOW[:1], FAST[:1], "throughput < -5%", 3, "undecided: throughput of branch=new: +10.0 % (too few"),
        (FAST[:3], SLOW[:3], "throughput < -5%", 3, "(too few, n=3, needs 4 runs on each side)"),
        (FAST, SLOW, "latency_mean > 5%", 1, "branch=new: +9.9 % [+6.8 %, +13.0 %] (worse, n=4)"),
        (FAST, SLOW, "throughput_per_s < -5%", 1, "regression: throughput of branch=new: -9.0 %"),
        (FAST, SLOW, "latency_mean > 15%", 0, "within the limit latency_mean > +15 %: 1 of 1"),
        (FAST, (), "throughput < -5%", 3, "undecided: nothing to compare with the baseline"),
        ((), FAST, "throughput < -5%", 3, "no run has the baseline's branch=old: branch is new"),
        (FAST, SLOW, "latency_p99 > 5%", 3, "no run states latency_p99"),
    ],
)  # fmt: skip
def test_fail_on(old: tuple[float, ...], new: tuple[float, ...], limit: str, code: int, said: str) -> None:
    store(**{branch: values for branch, values in (("old", old), ("new", new)) if values})
    result = compare("--fail-on", limit)
    assert result.exit_code == code
    assert said in result.stderr


def test_a_regression_is_1_even_if_something_else_is_undecided() -> None:
    store(old=FAST, new=SLOW, bad=(50.0,))
    result = compare("--fail-on", "throughput < -5%", "--fail-on", "throughput > 50%")
    assert result.exit_code == 1
    assert "undecided: throughput of branch=bad" in result.stderr


def test_a_file_that_could_not_be_read_is_3_though_all_else_is_well(bench: Path) -> None:
    Path("bench/log.gz").write_bytes(gzip.compress(report(100.0).encode())[:-20])
    Path("bench/log.md").write_text(page(old=SLOW, new=FAST))
    wrkparse("ingest", "bench")
    result = compare("--fail-on", "throughput < -5%", "--where", "branch IS NOT NULL")
    assert result.exit_code == 3
    assert "could not be read: log.gz: the compressed data is damaged or cut off" in result.stderr
    assert "within the limit throughput < -5 %: 1 of 1" in result.stderr


def test_a_store_that_is_not_there_is_3() -> None:
    assert compare("--fail-on", "throughput < -5%").exit_code == 3
    Path("wrkparse.duckdb").write_text("no database")
    assert compare("--fail-on", "throughput < -5%").exit_code == 3


def test_many_undecided_cells_are_counted_not_listed() -> None:
    runs = (f"# {branch}\n\n{report(100.0, n)}\n" for branch in ("old", "new") for n in range(1, 16))
    Path("bench/log.md").write_text("".join(runs))
    wrkparse("ingest", "bench")
    result = compare("--columns", "connections", "--fail-on", "throughput < -5%")
    assert result.stderr.count("undecided: throughput of ") == 10
    assert "undecided: 5 more, limit throughput < -5 %" in result.stderr


def test_the_summary_is_markdown_with_the_outcome_first() -> None:
    store(old=FAST, new=SLOW)
    assert compare("--fail-on", "throughput < -5%", "--summary", "pr.md").exit_code == 1
    lines = Path("pr.md").read_text().splitlines()
    assert lines[:5] == [
        "## Benchmark comparison",
        "",
        "**Regression.**",
        "",
        "- regression: throughput of branch=new: -9.0 % [-11.5 %, -6.4 %] (worse, n=4), limit throughput &lt; -5 %",
    ]
    rows = [[part.strip() for part in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    assert rows[0] == ["branch", "throughput", "ratio", "", "p", "n"]
    # 100 … 103 against 110 … 113; 2 / C(8, 4)
    assert (rows[1][:2], rows[1][3:]) == (["new", "101.5 /s"], ["worse", "0.029", "4"])
    assert lines[-1].startswith("wrkparse ")


def test_gates_are_test_cases_that_fail_or_say_that_the_runs_cannot_decide() -> None:
    """Slower by 9 %; faster by 10 %; and one run, which decides nothing: the exit code is that of the failure."""
    store(old=FAST, new=SLOW, bad=(50.0,))
    result = compare("--fail-on", "throughput < -5%", "--fail-on", "throughput > 50%", "--junit", "gates.xml")
    [suite] = JUnitXml.fromstring(Path("gates.xml").read_bytes())
    kinds = {case.name: [type(found) for found in case.result] for case in suite}
    assert kinds == {
        "throughput < -5 %: branch=bad": [Error],
        "throughput < -5 %: branch=new": [Failure],
        "throughput > +50 %: branch=bad": [Error],
        "throughput > +50 %: branch=new": [],
        "every input can be read": [],
    }
    assert (suite.tests, suite.failures, suite.errors) == (5, 1, 2)
    [failed] = next(case for case in suite if case.name == "throughput < -5 %: branch=new").result
    assert failed.message in result.stderr.splitlines()
    assert failed.message.startswith("regression: throughput of branch=new: -9.0 % [-11.5 %, -6.4 %] (worse, n=4)")


def test_an_input_that_was_not_read_is_an_error_among_the_gates() -> None:
    Path("bench/log.gz").write_bytes(gzip.compress(report(100.0).encode())[:-20])
    Path("bench/log.md").write_text(page(old=SLOW, new=FAST))
    wrkparse("ingest", "bench")
    result = compare("--fail-on", "throughput < -5%", "--where", "branch IS NOT NULL", "--junit", "gates.xml")
    assert result.exit_code == 3
    [suite] = JUnitXml.fromstring(Path("gates.xml").read_bytes())
    [case] = [case for case in suite if case.result]
    assert case.name == "every input can be read"
    [found] = case.result
    assert isinstance(found, Error)
    assert found.message.startswith("log.gz: the compressed data is damaged or cut off")


def test_test_cases_need_a_limit() -> None:
    store(old=(100.0,), new=(90.0,))
    result = compare("--junit", "gates.xml")
    assert (result.exit_code, "--fail-on" in result.stderr, Path("gates.xml").exists()) == (2, True, False)


def test_the_summary_is_written_without_limits_too() -> None:
    store(old=(100.0,), new=(90.0,))
    assert compare("--summary", "pr.md").exit_code == 0
    text = Path("pr.md").read_text()
    assert text.startswith("## Benchmark comparison\n\none run each, ratios to branch=old\n")
    assert "One run each can't distinguish a difference from chance; that takes at least 4 runs each." in text


def test_text_of_a_log_is_shown_in_markdown_and_does_nothing(bench: Path) -> None:
    (bench / "bench" / "wrkparse.yaml").write_text('labels: [{when: {section: old}, set: {branch: "a|<b>@x"}}]\n')
    store(old=(100.0,))
    result = wrkparse("compare", "--rows", "branch", "--format", "md")
    assert "| a\\|&lt;b&gt;&#64;x | 100.0 /s " in result.stdout


def test_formats_for_programs_have_numbers_in_base_units() -> None:
    store(old=(100.0,), new=(90.0,))
    rows = json.loads(compare("--format", "json", "--metric", "throughput").stdout)["rows"]
    assert [(row["branch"], row["center"], row["ratio"], row["verdict"]) for row in rows] == [
        ("new", 90.0, 0.9, "too few"),
        ("old", 100.0, 1.0, "baseline"),
    ]
    assert rows[0]["lo"] is None
    assert compare("-o", "cells.csv").exit_code == 0
    assert Path("cells.csv").read_text().splitlines()[1].startswith("new,throughput,1/s,higher,")
    assert compare("-o", "cells.md").exit_code == 0
    assert Path("cells.md").read_text().startswith("one run each, ratios to branch=old")


def test_rows_sorted_by_the_best() -> None:
    store(old=(100.0,), new=(90.0,), bad=(95.0,))
    lines = compare("--sort", "best").stdout.splitlines()
    assert [line.split()[0] for line in lines[3:6]] == ["old", "bad", "new"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--rows", "brunch"),
        ("--rows", "branch", "--metric", "speed"),
        ("--rows", "branch", "--where", "nonsense ="),
        ("--rows", "branch", "--fail-on", "throughput < -5%"),
        ("--rows", "branch", "--baseline", "branch=old", "--fail-on", "slower"),
        ("--rows", "branch", "--confidence", "95"),
    ],
)
def test_wrong_usage_is_2(arguments: tuple[str, ...]) -> None:
    store(old=(100.0,))
    assert wrkparse("compare", *arguments).exit_code == 2


def test_without_rows_the_first_label_that_differs_makes_them() -> None:
    store(old=(100.0,), new=(90.0,))
    lines = wrkparse("compare").stdout.splitlines()
    assert lines[0] == "one run each, ratios to branch=old"  # which stands first in the log
    assert [line.split()[0] for line in lines[2:5]] == ["branch", "new", "old"]
    assert "one run each, ratios to branch=new" in wrkparse("compare", "--baseline", "branch=new").stdout


def test_runs_that_differ_in_nothing_have_nothing_to_compare() -> None:
    store(old=(100.0, 101.0))
    result = wrkparse("compare")
    assert result.exit_code == 3
    assert "the 2 runs differ in no label: nothing to compare" in result.stderr
    assert result.stdout.startswith("Throughput: 100.5 requests/s, the median of 2 runs, too few for an interval.\n")
    assert wrkparse("compare", "--format", "json").stdout == ""


def test_a_run_of_one_setting_that_does_not_count_is_said_with_its_line() -> None:
    """Of 1,010 responses 606 are errors, 60 %. The first report begins in line 3, below the heading and a blank line."""
    bad = report(100.0).replace("Requests/sec", "  Non-2xx or 3xx responses: 606\nRequests/sec")
    Path("kiwi.md").write_text(f"# kiwi\n\n{bad}\n{report(300.0)}")
    lines = wrkparse("compare", "kiwi.md").stdout.splitlines()
    assert lines[0] == "Throughput: 300.0 requests/s."
    assert lines[-1] == "1 run is invalid and not used, kiwi.md:3: error responses; wrkparse audit says more"
    Path("emu.md").write_text(f"# emu\n\n{bad}\n{bad.replace('606', '707')}")
    lines = wrkparse("compare", "emu.md").stdout.splitlines()
    # of 100.0 and 100.0; both are shown with their doubt, so none is left out
    assert lines[0].startswith("Throughput: 100.0 requests/s")
    assert lines[0].endswith(", invalid: error responses.")
    assert not any("not used" in line for line in lines)


def test_an_interval_that_reaches_beyond_the_limit_is_3() -> None:
    store(old=(100.0, 101.0, 102.0, 103.0), new=(60.0, 100.0, 102.5, 140.0))
    result = compare("--fail-on", "throughput < -5%")
    assert result.exit_code == 3
    # Welch's t test of the logarithms, by scipy.stats.ttest_ind: 0.5430 to 1.658
    assert "[-45.7 %, +65.8 %] (undecided, n=4" in result.stderr


def test_the_runs_that_a_single_run_lacks_are_counted_among_all_comparisons() -> None:
    store(old=FAST, new=SLOW, bad=(50.0,))
    text = " ".join(compare("--details").stdout.split())
    # two comparisons: 2 / C(8, 4) = 0.029 is above 0.025, 2 / C(10, 5) = 0.008 below
    assert "at alpha 0.05 among 2 comparisons it takes at least 5 runs on each side" in text


@pytest.mark.parametrize("columns", [60, 80])
def test_the_tables_of_details_keep_to_the_width_and_lose_no_word(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers = str(Path(__file__).parents[1] / "fixtures" / "servers")
    monkeypatch.setenv("COLUMNS", str(columns))
    text = wrkparse("compare", servers, "--details").stdout
    assert max(map(len, text.splitlines())) <= columns
    for word in ("heron", "plover", "siskin", "verdicts", "worse", "95 % interval"):
        assert word in text
    if columns == 80:  # the 3rd of the 25 quotients of plover's and heron's runs: the least that U of 5 and 5 allows
        assert "0.1969 to " in text


def test_files_of_which_some_repeat_a_setting_are_compared_as_those_of_a_folder(bench: Path) -> None:
    names = [f"{name}-{number}.log" for name in ("emu", "kiwi") for number in (1, 2, 3, 4)]
    for number, name in enumerate(names):
        (bench / name).write_text(report(1000 + number + 500 * name.startswith("kiwi")))
    assert wrkparse("compare", *names).stdout == wrkparse("compare", ".").stdout
    assert "kiwi answers 1.50 times as many requests as emu" in " ".join(wrkparse("compare", *names).stdout.split())


def test_files_of_which_each_is_a_setting_are_sides(bench: Path) -> None:
    for number, name in enumerate(("mon", "tue", "wed")):
        (bench / f"{name}.log").write_text(report(1000 + number))
    assert wrkparse("compare", "mon.log", "tue.log", "wed.log").stdout.startswith("one run each, ratios to input=mon")


def test_an_input_called_before_is_the_baseline_wherever_it_stands(bench: Path) -> None:
    for number, name in enumerate(("after", "before")):
        (bench / f"{name}.log").write_text(report(1000 + number))
    assert wrkparse("compare", "after.log", "before.log").stdout.startswith("one run each, ratios to input=before")
    assert wrkparse("compare", "x=before.log", "y=after.log").stdout.startswith("one run each, ratios to input=x")


def test_a_set_of_files_has_errors_of_usage_and_is_sides_if_inputs_are_asked_for(bench: Path) -> None:
    names = ["emu-1.log", "kiwi-1.log", "kiwi-2.log"]
    for number, name in enumerate(names):
        (bench / name).write_text(report(1000 + number))
    wrong = wrkparse("compare", *names, "--where", "bogus = 1")
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert "bogus" in wrong.stderr
    for asked in (("--rows", "input"), ("--baseline", "input=kiwi-1")):
        assert "ratios to input=" in wrkparse("compare", *names, *asked).stdout
