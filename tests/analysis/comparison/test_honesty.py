"""What a comparison must not claim: digits that were not printed, zeros that were, order, and settings together."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import wrkparse as wp
from tests.analysis.comparison.runs import Runs, cell
from wrkparse.analysis.comparison.compare import compare
from wrkparse.analysis.comparison.gate import check_limit, parse_limit
from wrkparse.analysis.comparison.text.next_label import next_label_sentences
from wrkparse.analysis.comparison.text.notes import cautions
from wrkparse.analysis.comparison.text.run_notes import on_next_label
from wrkparse.dataset import QueryError

FIXTURES = Path(__file__).parents[2] / "fixtures"
WRK = """\
# {name}

Running 10s test @ http://127.0.0.1:8080/
  2 threads and 8 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   400.00us   51.20us   1.57ms   83.29%
    Req/Sec    10.00k   299.35    10.84k    78.34%
  200000 requests in 10.00s, 35.00MB read
{errors}Requests/sec:  20000.0{last}
{transfer}"""


def wrk(name: str, timeouts: int, last: int, *, transfer: bool = True) -> str:
    errors = f"  Socket errors: connect 0, read 0, write 0, timeout {timeouts}\n" if timeouts else ""
    return WRK.format(name=name, errors=errors, last=last, transfer="Transfer/sec:      3.50MB\n" if transfer else "")


def timeouts(a: tuple[int, ...], b: tuple[int, ...]) -> wp.Dataset:
    text = [
        wrk(name, count, last) for name, counts in (("nginx", a), ("caddy", b)) for last, count in enumerate(counts)
    ]
    return wp.parse_text("\n".join(text))


# wrk prints "Socket errors" only if one of the four counts is not 0 (main() of src/wrk.c).


def test_counts_that_wrk_leaves_out_are_zero_and_compared_as_shares_of_the_requests() -> None:
    table = compare(
        timeouts((50, 0, 0, 0, 0, 0), (5, 3, 4, 6, 7, 5)), rows="framework", baseline="framework=nginx",
        metric="errors_timeout",
    )  # fmt: skip
    nginx, caddy = cell(table, "errors_timeout", framework="nginx"), cell(table, "errors_timeout", framework="caddy")
    assert (nginx["n"], nginx["center"], nginx["unit"]) == (6, 0.0, "ratio")
    assert (caddy["n"], caddy["center"]) == (6, 5 / 200_000)
    assert math.isnan(caddy["ratio"])
    # of the 36 differences 30 are b - 0 and 6 are b - 50: those in the middle (18, 19) are 4 and 5, or 5 and 5
    differences = sorted(b - a for b in (5, 3, 4, 6, 7, 5) for a in (50, 0, 0, 0, 0, 0))
    assert caddy["difference"] == pytest.approx((differences[17] + differences[18]) / 2 / 200_000)
    # all C(12, 6) = 924 ways to deal these counts: 22 have a rank sum as high, so p is 44/924
    assert caddy["p"] == pytest.approx(44 / 924)
    assert caddy["verdict"] == "worse"


def test_failures_beside_the_requests_are_a_share_of_both() -> None:
    """15 requests of oha failed beside 45 responses; it prints a success rate of 75 %."""
    oha = (FIXTURES / "oha" / "drop-1.16.txt").read_text()
    text = "".join(f"# {name}\n\n```\n{oha}```\n\n" for name in ("nginx", "caddy"))
    table = compare(wp.parse_text(text), rows="framework", metric="failed_requests", include_invalid=True)
    assert table.cells["center"].tolist() == [0.25, 0.25]


def test_a_gate_on_errors_fires_from_a_clean_baseline() -> None:
    table = compare(
        timeouts((0, 0, 0, 0), (500, 510, 520, 530)), rows="framework", baseline="framework=nginx",
        metric="errors_timeout",
    )  # fmt: skip
    for limit, expected in (("> 0.1%", "regression"), ("> 0.26%", "undecided"), ("> 1%", "ok")):
        assert check_limit(table, parse_limit(f"errors_timeout {limit}"))["outcome"].tolist() == [expected]
    assert cell(table, "errors_timeout", framework="caddy")["verdict"] == "worse"


def test_an_incomplete_report_states_no_zeros() -> None:
    cut = wp.parse_text(wrk("nginx", 0, 1).split("Requests/sec")[0])
    assert cut.wide("errors_timeout IS NULL")["run"].size == 1
    whole = wp.parse_text(wrk("nginx", 0, 1))
    assert whole.wide("errors_timeout = 0 and non_2xx = 0 and errors = 0")["run"].size == 1
    assert "errors_timeout" not in whole.wide().columns
    assert whole.measurements["metric"].isin(["errors_timeout"]).sum() == 0  # that table has what is printed


def test_ab_prints_causes_only_of_failures() -> None:
    """`output_results()` of support/ab.c: causes `if (bad)`, Write errors `if (epipe)`, Non-2xx `if (err_response)`."""
    report = """\
Concurrency Level:      10
Time taken for tests:   1.000 seconds
Complete requests:      1000
Failed requests:        {failed}
Total transferred:      180000 bytes
HTML transferred:       80000 bytes
Requests per second:    1000.00 [#/sec] (mean)
Time per request:       10.000 [ms] (mean)
Time per request:       1.000 [ms] (mean, across all concurrent requests)
Transfer rate:          175.78 [Kbytes/sec] received
"""
    sound = wp.parse_text(report.format(failed=0))
    assert len(sound.wide("failed_length = 0 and errors_write = 0 and non_2xx = 0")) == 1
    trimmed = wp.parse_text(report.format(failed=3))  # ab would have printed the causes: somebody cut them out
    assert len(trimmed.wide("failed_length IS NULL and non_2xx = 0")) == 1


# ab prints whole milliseconds: 1.49 ms as 1, 1.51 ms as 2.


def whole_milliseconds(a: float, b: float) -> pd.Series:
    """The cell of b, compared with a: six runs each that are all printed alike."""
    runs = Runs(resolution=0.5)
    for branch, value in (("a", a), ("b", b)):
        for _ in range(6):
            runs.add(labels={"branch": branch}, latency=value)
    table = compare(runs.dataset(), rows="branch", metric="latency_mean", baseline="branch=a")
    return cell(table, "latency_mean", branch="b")


def test_digits_that_could_make_the_whole_difference_give_no_verdict() -> None:
    b = whole_milliseconds(1.0, 2.0)
    assert b["verdict"] == "too coarse"
    assert (b["lo"], b["hi"]) == (1.5, 2.5)
    assert (b["ratio"], b["ratio_lo"], b["ratio_hi"]) == (2.0, 1.0, 5.0)  # 1.5 / 1.5 and 2.5 / 0.5
    assert b["p"] == 1.0


def test_digits_that_are_finer_than_the_difference_do_not_matter() -> None:
    b = whole_milliseconds(10.0, 12.0)
    assert b["verdict"] == "worse"
    assert (b["ratio_lo"], b["ratio_hi"]) == pytest.approx((11.5 / 10.5, 12.5 / 9.5))


def test_a_share_that_is_no_failure_is_compared_by_its_ratio() -> None:
    """GNU time's "Percent of CPU" has the unit of a share, but is none of requests."""
    form = (
        '\tCommand being timed: "{name}"\n\tUser time (seconds): {user}\n\tSystem time (seconds): 0.00\n'
        "\tPercent of CPU this job got: {share}%\n\tElapsed (wall clock) time (h:mm:ss or m:ss): 0:10.00\n"
        "\tExit status: 0\n"
    )
    text = "".join(
        f"# {name}\n\n" + form.format(name=name, user=f"{share / 10:.2f}", share=share)
        for name, share in (("nginx", 50), ("caddy", 75))
    )
    dataset = wp.parse_text(text)
    (metric,) = set(dataset.measurements.query("unit == 'ratio'")["metric"])
    caddy = cell(
        compare(dataset, rows="framework", metric=metric, baseline="framework=nginx"), metric, framework="caddy"
    )
    assert caddy["ratio"] == 1.5
    assert not caddy["is_share"]


# One family, one story.


def test_ranks_of_all_columns_are_one_family() -> None:
    """4 against 4 apart: p = 2/70. One column's pair alone has a rank; with a second column it takes 2 · 2/70 = 0.057."""
    runs = Runs()
    for connections in (8, 64):
        runs.several([110.0, 111.0, 112.0, 113.0], branch="new", connections=connections)
        runs.several([100.0, 101.0, 102.0, 103.0], branch="old", connections=connections)
    both = compare(runs.dataset(), rows="branch", columns="connections")
    one = compare(runs.dataset(), rows="branch", columns="connections", where="connections = 8")
    assert both.cells["rank_lo"].isna().all()
    assert one.cells["rank_lo"].tolist() == [1, 2]


def test_runs_that_spread_unequally_are_also_compared_by_welch() -> None:
    """1 % against 10 %: scipy's Welch test of the logarithms has p = 0.077, the ranks alone 2/70."""
    from scipy import stats

    steady, wild = [100.0, 100.5, 101.0, 101.5], [102.0, 108.0, 116.0, 135.0]
    runs = Runs()
    runs.several(steady, branch="old")
    runs.several(wild, branch="new")
    new = cell(compare(runs.dataset(), rows="branch", baseline="branch=old"), branch="new")
    p = stats.ttest_ind(np.log(wild), np.log(steady), equal_var=False).pvalue
    assert p > 0.05
    assert new["p"] == pytest.approx(p)
    assert new["verdict"] == "undecided"
    assert new["ratio_lo"] < 1


def test_settings_are_the_same_within_what_two_one_sided_tests_show() -> None:
    runs = Runs()
    runs.several([100.0, 100.2, 100.4, 100.6, 100.8, 101.0], branch="old")
    runs.several([100.1, 100.3, 100.5, 100.7, 100.9, 101.1], branch="new")
    new = cell(compare(runs.dataset(), rows="branch", baseline="branch=old", same_within=0.02), branch="new")
    assert (new["verdict"], new["equivalent"]) == ("undecided", True)
    close = cell(compare(runs.dataset(), rows="branch", baseline="branch=old", same_within=0.002), branch="new")
    assert not close["equivalent"]


# All settings together.


def settings(runs: Runs, *ratios: float, repeats: int = 3) -> None:
    for place, ratio in enumerate(ratios):
        level = 1000.0 * (place + 1)
        runs.several([level + run for run in range(repeats)], branch="old", connections=2**place)
        runs.several([(level + run) * ratio for run in range(repeats)], branch="new", connections=2**place)


def test_three_runs_each_in_six_settings_speak_together() -> None:
    runs = Runs()
    settings(runs, 0.4, 0.41, 0.4, 0.42, 0.4, 0.41)
    table = compare(runs.dataset(), rows="branch", columns="connections", baseline="branch=old")
    assert set(table.cells["verdict"]) == {"too few", "baseline"}
    (row,) = table.over_settings.to_dict("records")
    assert (row["branch"], row["settings"], row["settings_lower"], row["verdict"]) == ("new", 6, 6, "worse")
    assert row["p"] == pytest.approx(2 / 20**6)
    assert 0.4 <= row["lo"] <= row["ratio"] <= row["hi"] <= 0.42


def test_one_run_a_setting_is_judged_as_pairs_over_the_settings() -> None:
    runs = Runs()
    settings(runs, 1.1, 1.2, 1.3, 1.2, 1.1, 1.2, repeats=1)
    (row,) = compare(runs.dataset(), rows="branch", columns="connections", baseline="branch=old").over_settings.to_dict(
        "records"
    )
    assert (row["p"], row["verdict"], row["settings_higher"]) == (2 / 64, "better", 6)


def test_settings_that_disagree_are_said_to() -> None:
    runs = Runs()
    settings(runs, 0.5, 2.0, 0.5, 2.0)
    (row,) = compare(runs.dataset(), rows="branch", columns="connections", baseline="branch=old").over_settings.to_dict(
        "records"
    )
    assert row["p_differ"] < 1e-6
    assert (row["verdict"], row["settings_higher"], row["settings_lower"]) == ("undecided", 2, 2)
    assert (row["lowest"], row["highest"]) == pytest.approx((0.5, 2.0))


# Places.


@pytest.mark.parametrize(
    ("names", "key", "values"),
    [
        (("go-p1.txt", "go-p2.txt"), "framework", ["go-p1", "go-p2"]),
        (("alpha/wrk.txt", "beta/wrk.txt"), "framework", ["alpha", "beta"]),
        (("go-run1.txt", "go-run2.txt"), "", []),
        (("go/1.log", "go/2.log"), "", []),
        (("2026-11-20/go.txt", "2026-11-21/go.txt"), "", []),
        (("go-rep-1.txt.gz", "go-rep-2.txt.gz"), "", []),
        (("go.txt", "go-tuned.txt"), "framework", ["go", "go-tuned"]),
        (("a-c8.txt", "b-c8.txt"), "framework", ["a", "b"]),
        (("v1/c8-run1.txt", "v2/c8-run1.txt"), "framework", ["v1", "v2"]),
        (("srv-1.18.0-run1.txt", "srv-1.25.3-run1.txt"), "framework", ["srv-1.18.0", "srv-1.25.3"]),
        (("100/wrk.txt", "400/wrk.txt"), "directory", ["100", "400"]),
        (("alpha-Mon.txt", "alpha-Tue.txt"), "", []),
        (("Bench-alpha.txt", "bench-beta.txt"), "framework", ["alpha", "beta"]),
    ],
)
def test_names_of_paths_that_no_label_explains_tell_runs_apart(
    names: tuple[str, ...], key: str, values: list[str]
) -> None:
    runs = Runs()
    for name in names:
        runs.add(labels={"connections": 8}, source=name, throughput=100.0)
    table = compare(runs.dataset(), rows="connections")
    assert table.separated == ((key,) if key else ())
    if key:
        assert sorted(table.cells[key]) == values


def test_servers_that_no_list_knows_are_compared_by_their_folders_without_a_word() -> None:
    runs = Runs()
    for server, level in (("kiwi", 100.0), ("mango", 50.0)):
        for connections in (8, 32):
            for run in range(3):
                runs.add(
                    labels={"connections": connections}, source=f"{server}/c{connections}-{run}.txt",
                    throughput=level + run,
                )  # fmt: skip
    table = compare(runs.dataset())
    assert (table.rows, table.columns) == (("framework",), ("connections",))
    assert table.cells["n"].tolist() == [3] * 4
    (row,) = table.over_settings.to_dict("records")
    assert (row["framework"], row["settings_lower"], row["verdict"]) == ("mango", 2, "worse")


# The order of the runs.


def test_runs_in_blocks_are_said_to_be() -> None:
    runs = Runs()
    runs.several([100.0, 101.0, 102.0], branch="old")
    runs.several([110.0, 111.0, 112.0], branch="new")
    assert compare(runs.dataset(), rows="branch", baseline="branch=old").layout == (1, 0, 1, False, 0)


def test_runs_in_turns_are_said_to_be_and_are_compared_in_pairs() -> None:
    """The machine slows down by 10 % a round; the new branch is 1 % to 3 % faster in every round."""
    runs = Runs()
    for turn, gain in enumerate((1.01, 1.02, 1.03, 1.01, 1.02, 1.03)):
        runs.several([100.0 * 0.9**turn], branch="old")
        runs.several([100.0 * 0.9**turn * gain], branch="new")
    alone = compare(runs.dataset(), rows="branch", baseline="branch=old")
    assert alone.layout == (0, 1, 1, False, 0)
    assert cell(alone, branch="new")["verdict"] == "undecided"
    pairs = compare(runs.dataset(), rows="branch", baseline="branch=old", paired=True)
    new = cell(pairs, branch="new")
    assert (new["verdict"], new["p"]) == ("better", pytest.approx(2 / 64))
    assert new["ratio"] == pytest.approx(1.02, abs=1e-3)


def test_a_drift_within_the_cells_is_noticed() -> None:
    """Kendall: all 15 pairs of both cells of six rise; variance 6 · 5 · 17 / 18 each, so z = 29 / 7.53."""
    runs = Runs()
    runs.several([100.0 + run for run in range(6)], branch="old")
    runs.several([100.0 + run for run in range(6)], branch="new")
    trend = compare(runs.dataset(), rows="branch").trends["throughput"]
    assert trend.p == pytest.approx(math.erfc(29 / math.sqrt(2 * 6 * 5 * 17 / 18) / math.sqrt(2)))
    assert trend.change == pytest.approx(5 / 102.5)


def test_runs_without_order_or_spread_have_no_trend() -> None:
    runs = Runs()
    runs.several([100.0] * 5, branch="old")
    assert math.isnan(compare(runs.dataset(), rows="branch").trends["throughput"].p)


def test_pairs_need_a_baseline_and_as_many_runs() -> None:
    runs = Runs()
    runs.several([100.0, 101.0], branch="old")
    runs.several([100.0], branch="new")
    with pytest.raises(QueryError, match="paired comparison needs a baseline"):
        compare(runs.dataset(), rows="branch", paired=True)
    table = compare(runs.dataset(), rows="branch", baseline="branch=old", paired=True)
    assert cell(table, branch="new")["verdict"] == "no pairs"


def test_runs_of_unknown_order_make_no_pairs() -> None:
    runs = Runs()
    for branch in ("old", "new"):
        for run in range(6):
            runs.add(labels={"branch": branch}, source=f"{branch}-{run}.txt", throughput=100.0 + run)
    table = compare(runs.dataset(), rows="branch", baseline="branch=old", paired=True)
    assert cell(table, branch="new")["verdict"] == "no pairs"
    assert table.layout.unknown == 1
    assert table.sentences == (
        "Throughput of new and old can't be compared in pairs: their order is not known (6 runs each).",
    )


ROUNDS = [100.0, 101.0, 60.0, 99.0, 102.0, 100.5]


def in_rounds(levels: dict[str, float], path: str) -> Runs:
    """Runs of names in rounds, each at a level times that of its round."""
    runs = Runs()
    for name, level in levels.items():
        for number, of_round in enumerate(ROUNDS, 1):
            runs.add(
                labels={"branch": name}, source=path.format(number=number, name=name), throughput=level * of_round
            )  # fmt: skip
    return runs


def test_runs_of_one_folder_each_are_pairs() -> None:
    """Each new run is 1.02 times that of its round; of six pairs on one side p is 2 / 2^6."""
    runs = in_rounds({"old": 1.0, "new": 1.02}, "round-{number}/{name}.txt")
    row = cell(compare(runs.dataset(), rows="branch", baseline="branch=old", paired=True), branch="new")
    assert (row["ratio"], row["p"], row["verdict"]) == (pytest.approx(1.02), 2 / 64, "better")


def test_rounds_count_as_numbers_do() -> None:
    """Round 10 comes behind round 9 on both sides, whatever the order of the files."""
    runs = Runs()
    for name, level in (("old", 1.0), ("new", 1.5)):
        for number in range(1, 12) if name == "old" else range(11, 0, -1):
            runs.add(labels={"branch": name}, source=f"{number}/{name}.txt", throughput=level * number)
    row = cell(compare(runs.dataset(), rows="branch", baseline="branch=old", paired=True), branch="new")
    assert (row["ratio"], row["ratio_lo"], row["ratio_hi"]) == pytest.approx((1.5, 1.5, 1.5))


def test_a_round_that_was_slow_for_all_is_said() -> None:
    """The third round has 60, the others' median is 100.5: 40.3 % less."""
    table = compare(in_rounds({"old": 1.0, "new": 1.02}, "day/round-{number}/{name}.txt").dataset(), rows="branch")
    [note] = [note for note in cautions(table) if "day/round-3" in note]
    assert note.startswith("Throughput: in day/round-3 both settings are 40 % below the median of their other runs")
    assert "--paired" in note


@pytest.mark.parametrize("path", ["{name}/{number}.txt", "{name}-{number}.txt"])
def test_without_rounds_nothing_is_said_of_them(path: str) -> None:
    table = compare(in_rounds({"old": 1.0, "new": 1.02}, path).dataset(), rows="branch")
    assert not any(scatter.slow_rounds for scatter in table.scatters.values())


def test_a_round_in_which_one_setting_is_slow_is_no_slow_round() -> None:
    runs = in_rounds({"old": 1.0}, "{number}/{name}.txt")
    for number in range(1, 1 + len(ROUNDS)):
        runs.add(labels={"branch": "new"}, source=f"{number}/new.txt", throughput=200.0 + number)
    table = compare(runs.dataset(), rows="branch", baseline="branch=old")
    assert not table.scatters["throughput"].slow_rounds


@pytest.mark.parametrize(("names", "baseline"), [
    (("v10", "v9", "v2"), "v2"),
    (("buf-16k", "buf-4k", "buf-64k"), "buf-4k"),
    (("kiwi2", "emu1"), "kiwi2"),
])  # fmt: skip
def test_of_names_that_differ_in_numbers_the_smallest_is_the_baseline(names: tuple[str, ...], baseline: str) -> None:
    runs = Runs()
    for level, name in enumerate(names, 1):
        runs.several([100.0 * level, 101.0 * level], framework=name)
    assert compare(runs.dataset()).baseline == {"framework": baseline}


def test_what_is_named_like_a_baseline_is_one() -> None:
    runs = Runs()
    runs.add(labels={}, source="after.txt", throughput=90.0)
    runs.add(labels={}, source="before.txt", throughput=100.0)
    table = compare(runs.dataset())
    assert table.baseline == {"framework": "before"}
    assert cell(table, framework="after")["ratio"] == 0.9


def test_failures_are_not_compared_in_pairs() -> None:
    with pytest.raises(QueryError, match="errors_timeout can't be compared in pairs"):
        compare(
            timeouts((0, 1), (2, 3)), rows="framework", baseline="framework=nginx", metric="errors_timeout", paired=True
        )


def test_equal_ratios_within_the_printed_digits_are_no_difference_of_settings() -> None:
    """ab's whole milliseconds: 12 and 10, 24 and 22: both may be 1.15."""
    runs = Runs(resolution=0.5)
    for connections, new, old in ((8, 12.0, 10.0), (16, 24.0, 22.0)):
        for _ in range(3):
            runs.add(labels={"branch": "new", "connections": connections}, latency=new)
            runs.add(labels={"branch": "old", "connections": connections}, latency=old)
    (row,) = compare(
        runs.dataset(), rows="branch", columns="connections", baseline="branch=old", metric="latency_mean"
    ).over_settings.to_dict("records")
    assert math.isnan(row["p_differ"])


def test_a_row_without_a_value_comes_last_and_the_others_stay_in_order() -> None:
    runs = Runs()
    for branch, values in {"a": (100.0, 10.0), "b": (300.0, 30.0), "c": (200.0,), "d": ()}.items():
        for connections, value in zip((8, 64), values, strict=False):
            runs.several([value], branch=branch, connections=connections)
    runs.add(labels={"branch": "d", "connections": 8}, latency=1.0)
    table = compare(runs.dataset(), rows="branch", columns="connections", metric="throughput,latency_mean", sort="best")
    assert list(dict.fromkeys(table.cells["branch"])) == ["b", "c", "a", "d"]


def test_what_a_second_label_says_is_said_too() -> None:
    """The second build is a fifth faster on both machines: all 16 pairs of runs of each say so, p = 2 / (70 * 70)."""
    runs = Runs()
    rates, gains = {"alder": 100.0, "birch": 50.0}, {"old": 1.0, "new": 1.2}
    for machine, build, number in itertools.product(rates, gains, range(1, 5)):
        rate = rates[machine] * gains[build] * (1 + number / 1000)
        runs.add(labels={"framework": machine, "branch": build}, throughput=rate)
    data = runs.dataset()
    table = compare(data)
    assert table.rows == ("framework",)
    (said,) = next_label_sentences(data, table)
    assert said == (
        "Across alder and birch, new answers 1.20 times as many requests as old (1.198–1.202, p = 0.00041), higher in both."
    )
    on_alder = {"where": "framework = 'alder'"}
    assert compare(data, **on_alder).rows == ("branch",)
    assert next_label_sentences(data, compare(data, **on_alder), **on_alder) == ()


def test_benchmarks_are_not_compared_with_each_other() -> None:
    runs = Runs()
    for build, (name, level), number in itertools.product(("old", "new"), (("Get", 1.0), ("Put", 90.0)), range(1, 5)):
        rate = level * (1 + number / 1000) * (0.8 if build == "new" else 1.0)
        runs.add(labels={"framework": build, "benchmark": name}, throughput=rate)
    table = compare(runs.dataset())
    assert (table.rows, on_next_label(table)) == (("framework",), "")
    assert next_label_sentences(runs.dataset(), table) == ()


def test_a_second_label_that_could_be_compared_is_named_with_how_to() -> None:
    runs = Runs()
    for machine, build in itertools.product(("alder", "birch"), ("old", "new")):
        runs.add(labels={}, source=f"{machine}/{build}/1.txt", throughput=100.0)
        runs.add(labels={}, source=f"{machine}/{build}/2.txt", throughput=101.0)
    table = compare(runs.dataset())
    (second,) = table.separated
    assert on_next_label(table) == f"{second} also differs; --rows {second} compares its values"
    assert on_next_label(table, has_first=True) == f"--rows {second} shows the table of {second}"
    asked = compare(runs.dataset(), rows=second)
    assert asked.rows == (second,)
    connections = Runs()
    for number, framework in itertools.product((8, 64), ("heron", "wren")):
        connections.add(labels={"framework": framework, "connections": number}, throughput=100.0)
    assert not on_next_label(compare(connections.dataset()))


def test_why_runs_are_not_used_is_said_with_their_numbers() -> None:
    """200,000 requests in 10 s are 20,000/s: wrk's rate of three runs contradicts that. One has socket errors, too."""
    runs = ["Requests/sec:  30000.0", "Requests/sec:  31000.0", "Requests/sec:  20000.0", "Requests/sec:  29000.0"]
    page = WRK.format(name="{name}", errors="{errors}", last="", transfer="")
    texts = [page.replace("Requests/sec:  20000.0", rate) for rate in runs]
    log = "\n".join(text.format(name=name, errors="") for text, name in zip(texts, ("a", "b", "a", "b"), strict=True))
    data = wp.parse_text(log)
    table = compare(data, metric="throughput")
    places = tuple(f"<text>:{number}" for number, line in enumerate(log.splitlines(), 1) if line.startswith("Running"))
    invalid = (places[0], places[1], places[3])
    assert table.unused == ((True, 3, (("rate-contradiction", 3),), invalid),)
    where = f"{invalid[0]}, {invalid[1]} and {invalid[2]}"
    said = f"3 runs are invalid and not used, {where}: rate contradicts requests; wrkparse audit says more"
    assert said in cautions(table)
    assert compare(data, metric="throughput", include_invalid=True).unused == ()


def test_of_many_runs_that_are_not_used_the_first_is_located() -> None:
    runs = Runs()
    for name in ("heron", "wren"):
        for _ in range(2):
            runs.add(labels={"framework": name}, throughput=100.0, verdict="invalid")
    notes = cautions(compare(runs.dataset()))
    assert any(note.startswith("4 runs are invalid and not used, the first at log.txt:1") for note in notes)


def test_suspect_latencies_have_their_cause_where_latencies_are_compared() -> None:
    """Of siskin's runs at 64 connections, latency x rate / connections is 2.39, 3.07 and 2.16 in three: 1 is the most."""
    data = wp.read(FIXTURES / "servers")
    options = {"where": "connections = 64 and framework in ('plover', 'siskin')", "rows": "framework"}
    assert compare(data, metric="latency_p99", **options).unused == ((False, 3, (("little-law-high", 3),), ()),)
    assert compare(data, metric="throughput", **options).unused == ()


def test_runs_whose_latencies_alone_are_left_out_are_not_said_to_be_left_out() -> None:
    """Of both servers' ten runs at 64 connections three have 1.5 times more under way than connections, or above."""
    data = wp.read(FIXTURES / "servers")
    table = compare(data, where="connections = 64 and framework in ('plover', 'siskin')", rows="framework")
    assert "the latencies of 3 runs are not used: above Little's law; wrkparse audit says more" in cautions(table)


def test_repeats_of_several_days_are_said_to_be() -> None:
    runs = Runs()
    for day, framework in itertools.product(("2026-03-01", "2026-03-02"), ("heron", "wren")):
        runs.add(labels={"framework": framework}, source=f"{day}/{framework}.txt", throughput=100.0)
    note = "the repeats are from 2 days, 2026-03-01 and 2026-03-02: what changed between them is part of their scatter"
    assert note in cautions(compare(runs.dataset(), rows="framework"))
    one_day = Runs()
    for framework, number in itertools.product(("heron", "wren"), (1, 2)):
        one_day.add(labels={"framework": framework}, source=f"2026-03-01/{framework}{number}.txt", throughput=100.0)
    assert not any("days" in said for said in cautions(compare(one_day.dataset(), rows="framework")))


def test_a_load_that_differs_with_what_is_compared_is_said_first() -> None:
    runs = Runs()
    for branch, connections, level in (("old", 64, 100.0), ("new", 128, 130.0)):
        for step in (0.99, 1.0, 1.01, 1.02):
            runs.add(labels={"branch": branch, "connections": connections}, throughput=level * step)
    table = compare(runs.dataset(), rows="branch", baseline="branch=old", ignore="connections")
    assert table.sentences[0] == (
        "The runs of new at 128 connections are compared with those of old at 64 connections: that alone may make a "
        "difference."
    )
    same = compare(runs.dataset(), rows="branch", columns="connections", baseline="branch=old")
    assert not any(sentence.startswith("The runs of") for sentence in same.sentences)


def test_settings_of_different_days_are_said_to_be() -> None:
    """Whatever changed from March to April would look like a difference of the two."""
    runs = Runs()
    for framework, month in (("heron", 3), ("wren", 4)):
        for day in (1, 2, 3):
            runs.add(
                labels={"framework": framework},
                throughput=100.0 + day + month,
                source=f"{framework}/2026-0{month}-0{day}.txt",
            )
    [note] = [note for note in cautions(compare(runs.dataset(), rows="framework")) if "days" in note]
    assert note == (
        "all runs of one framework are of 2026-03-01 to 2026-03-03, all of the other of 2026-04-01 to 2026-04-03: what "
        "else changed between these days would look like a difference"
    )
