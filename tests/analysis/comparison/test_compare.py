"""Comparisons of made-up runs; those of the write-ups are in test_compare_studies.py."""

from __future__ import annotations

import math
from collections.abc import Callable

import pandas as pd
import pytest

import wrkparse as wp
from tests.analysis.comparison.runs import Runs, cell
from tests.samples import WRK
from wrkparse.analysis.comparison.compare import ComparisonTable, compare
from wrkparse.analysis.comparison.gate import check_limit, parse_limit
from wrkparse.analysis.comparison.text.run_notes import on_next_label
from wrkparse.analysis.runs.selection import TooLittleError
from wrkparse.dataset import QueryError
from wrkparse.dataset.queries.on_demand import ConnectionOnDemand

FAST, SLOW = [110.0, 111.0, 112.0, 113.0], [100.0, 101.0, 102.0, 103.0]


@pytest.fixture
def runs() -> Runs:
    return Runs()


def verdicts(table: ComparisonTable) -> dict[str, str]:
    return dict(zip(table.cells["branch"], table.cells["verdict"], strict=True))


def test_a_comparison_of_whole_reports_asks_six_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes milliseconds. Without traces and short reports, none is about these, nor about what lines say."""
    asked: list[str] = []
    ask = ConnectionOnDemand._with_tables

    def note(connection: ConnectionOnDemand, run: Callable[[str], object], query: str) -> object:
        asked.append(query)
        return ask(connection, run, query)

    monkeypatch.setattr(ConnectionOnDemand, "_with_tables", note)
    dataset = wp.parse_text(WRK, "kiwi/1.txt") + wp.parse_text(WRK.replace("40669.44", "50669.44"), "emu/1.txt")
    assert compare(dataset).cells["n"].tolist() == [1, 1, 1, 1]
    assert len(asked) <= 6
    assert not [query for query in asked if "gc_cycles" in query or "texts" in query]


def test_the_function_is_public() -> None:
    assert wp.compare is compare


def test_four_runs_each_that_do_not_overlap_are_told_apart(runs: Runs) -> None:
    runs.several(FAST, branch="new")
    runs.several(SLOW, branch="old")
    new = cell(compare(runs.dataset(), rows="branch", baseline="branch=old"), branch="new")
    assert (new["center"], new["n"], new["verdict"]) == (111.5, 4, "better")
    # 16 quotients; those in the middle are 112/102 and 111/101 = 1.09901
    assert new["ratio"] == pytest.approx(math.sqrt(112 / 102 * 111 / 101))
    assert (new["ratio_lo"], new["ratio_hi"]) == (110 / 103, 113 / 100)
    assert new["p"] == pytest.approx(2 / 70)
    assert new["p_adjusted"] == pytest.approx(2 / 70)
    assert new[["rank_lo", "runs_needed", "runs_needed_lo"]].isna().all()


def test_a_metric_of_which_less_is_better_turns_the_verdict(runs: Runs) -> None:
    for value in FAST:
        runs.add(labels={"branch": "new"}, latency=value)
    for value in SLOW:
        runs.add(labels={"branch": "old"}, latency=value)
    table = compare(runs.dataset(), rows="branch", metric="latency_mean", baseline="branch=old")
    assert verdicts(table) == {"new": "worse", "old": "baseline"}
    ranked = compare(runs.dataset(), rows="branch", metric="latency_mean")
    assert cell(ranked, "latency_mean", branch="new")["rank_lo"] == 2


def test_three_runs_each_are_too_few_whatever_they_show(runs: Runs) -> None:
    runs.several([1000.0, 1001.0, 1002.0], branch="new")
    runs.several([1.0, 2.0, 3.0], branch="old")
    new = cell(compare(runs.dataset(), rows="branch", baseline="branch=old"), branch="new")
    assert new["verdict"] == "too few"
    assert new["p"] == pytest.approx(0.1)
    assert new["runs_needed"] == 4
    assert math.isnan(new["ratio_lo"])
    assert pd.isna(new["rank_lo"])


def test_four_runs_each_are_too_few_for_two_comparisons(runs: Runs) -> None:
    """2 × 2/70 = 0.057: Holm can't bring the smaller p to 0.05; with 5 runs it is 2 × 2/252."""
    for branch, shift in (("old", 0), ("new", 50), ("other", 90)):
        runs.several([value + shift for value in SLOW], branch=branch)
    table = compare(runs.dataset(), rows="branch", baseline="branch=old")
    assert verdicts(table) == {"new": "too few", "old": "baseline", "other": "too few"}
    assert cell(table, branch="new")["runs_needed"] == 5
    for branch, shift in (("old", 0), ("new", 50), ("other", 90)):
        runs.several([104.0 + shift], branch=branch)
    table = compare(runs.dataset(), rows="branch", baseline="branch=old")
    assert verdicts(table) == {"new": "better", "old": "baseline", "other": "better"}
    assert cell(table, branch="new")["p_adjusted"] == pytest.approx(2 * 2 / 252)


def test_runs_that_overlap_are_tied_and_it_says_how_many_it_would_take(runs: Runs) -> None:
    runs.several([101.0, 103.0, 105.0, 107.0], branch="new")
    runs.several([100.0, 102.0, 104.0, 106.0], branch="old")
    table = compare(runs.dataset(), rows="branch", baseline="branch=old")
    new = cell(table, branch="new")
    assert new["verdict"] == "undecided"
    # 10 of 16 pairs are higher: 7.84888 / (6 × 0.125²) = 83.7
    assert new["runs_needed"] == 84
    ranks = compare(runs.dataset(), rows="branch").cells[["rank_lo", "rank_hi"]]
    assert [tuple(pair) for pair in ranks.to_numpy()] == [(1, 2), (1, 2)]


def test_ranks_within_a_column_show_ties(runs: Runs) -> None:
    groups = {"a": 0.0, "b": 0.5, "c": 100.0}
    for branch, shift in groups.items():
        runs.several([value + shift for value in (100.0, 101.0, 102.0, 103.0, 104.0, 105.0)], branch=branch)
    cells = compare(runs.dataset(), rows="branch").cells.set_index("branch")
    assert cells[["rank_lo", "rank_hi"]].to_numpy().tolist() == [[2, 3], [2, 3], [1, 1]]
    assert cells["ratio"].isna().all()
    assert cells["verdict"].isna().all()


def test_one_run_each_is_a_ratio_without_verdict_interval_or_rank() -> None:
    runs = Runs(resolution=0.5)
    runs.several([110.0], branch="new")
    runs.several([100.0], branch="old")
    new = cell(compare(runs.dataset(), rows="branch", baseline="branch=old"), branch="new")
    assert new["ratio"] == 1.1
    assert new["ratio_resolution"] == pytest.approx(1.1 * (0.5 / 110 + 0.5 / 100))
    assert new["verdict"] == "too few"
    assert new["runs_needed"] == 4
    assert new[["lo", "hi", "ratio_lo", "ratio_hi", "p", "p_adjusted", "rank_lo"]].isna().all()


def test_runs_that_differ_in_a_label_are_no_repeats_but_columns(runs: Runs) -> None:
    runs.several([100.0], branch="a", gogc="100", env_GOGC="100")
    runs.several([200.0], branch="a", gogc="off", env_GOGC="off")
    runs.several([300.0], branch="b", gogc="off", env_GOGC="off")
    table = compare(runs.dataset(), rows="branch")
    assert (table.columns, table.separated) == (("gogc",), ("gogc",))
    assert cell(table, branch="a", gogc="100")["center"] == 100.0
    assert cell(table, branch="a", gogc="off")["center"] == 200.0
    assert (table.cells["varies"] == "").all()


def test_labels_may_be_ignored_and_those_that_number_repeats_are(runs: Runs) -> None:
    runs.several([100.0], branch="a", gogc="100", trial="1")
    runs.several([200.0], branch="a", gogc="off", trial="2")
    table = compare(runs.dataset(), rows="branch", ignore="gogc")
    assert (table.columns, table.separated, table.ignored) == ((), (), ("gogc",))
    assert (cell(table, branch="a")["n"], cell(table, branch="a")["varies"]) == (2, "gogc trial")
    with pytest.raises(QueryError, match="no label gogcc"):
        compare(runs.dataset(), rows="branch", ignore="gogcc")


def test_labels_of_all_runs_and_labels_that_differ_with_the_compared_are_named(runs: Runs) -> None:
    runs.several([100.0], branch="a", path="/hello", cores=4)
    runs.several([200.0], branch="b", path="/json", cores=4)
    table = compare(runs.dataset(), rows="branch")
    assert table.constants == {"tool": "wrk", "cores": "4"}
    assert table.also_differ == ("path",)


def test_a_setting_of_the_environment_that_differs_is_not_said_of_all_runs(runs: Runs) -> None:
    runs.several([100.0], gogc="100", env_GOGC="100", env_GOMAXPROCS="2")
    runs.several([200.0], gogc="off", env_GOGC="off", env_GOMAXPROCS="2")
    assert compare(runs.dataset(), rows="gogc").constants == {"tool": "wrk", "env_GOMAXPROCS": "2"}


def test_rows_and_columns_make_a_grid_whose_empty_cells_are_missing(runs: Runs) -> None:
    runs.several([100.0], branch="old", connections=8)
    runs.several([150.0], branch="old", connections=64)
    runs.several([110.0], branch="new", connections=8)
    runs.several([99.0], branch="new", connections=512)
    table = compare(runs.dataset(), rows="branch", columns="connections", baseline="branch=old")
    found = {(row["branch"], row["connections"]): row["verdict"] for row in table.cells.to_dict("records")}
    assert found == {
        ("new", "8"): "too few",
        ("new", "64"): "missing",
        ("new", "512"): "no baseline",
        ("old", "8"): "baseline",
        ("old", "64"): "baseline",
        ("old", "512"): "missing",
    }
    assert list(found)[:3] == [("new", "8"), ("new", "64"), ("new", "512")]  # by size, not by spelling


def test_geometric_means_are_over_the_settings_that_all_have(runs: Runs) -> None:
    for branch, values in {"old": (100.0, 100.0, 100.0), "new": (200.0, 50.0, 400.0), "more": (400.0, 100.0)}.items():
        for connections, value in zip((8, 16, 32), values, strict=False):
            runs.several([value], branch=branch, connections=connections)
    found = compare(runs.dataset(), rows="branch", columns="connections", baseline="branch=old").geomeans
    means = dict(zip(found["branch"], found["geomean"], strict=True))
    assert means == pytest.approx({"old": 1.0, "new": 1.0, "more": 2.0})  # √(2 × ½), √(4 × 1)
    assert set(found["settings_used"]) == {2}
    assert set(found["settings"]) == {3}


def test_the_same_text_twice_in_a_cell_counts_once(runs: Runs) -> None:
    text = "Running 10s test\n  8 threads\n  Latency 1ms\nRequests/sec: 100.00\n"
    runs.add(text, labels={"branch": "a"}, throughput=100.0)
    runs.add(text.replace("  ", " "), labels={"branch": "a"}, throughput=100.0)
    runs.add(text.replace("100", "102"), labels={"branch": "a"}, throughput=102.0)
    runs.add(text, labels={"branch": "b"}, throughput=100.0)
    table = compare(runs.dataset(), rows="branch")
    assert (cell(table, branch="a")["n"], cell(table, branch="a")["center"]) == (2, 101.0)
    assert cell(table, branch="b")["n"] == 1
    assert table.copies[["where", "copy_of_where", "dropped"]].to_numpy().tolist() == [
        ["log.txt:11", "log.txt:1", True],
        ["log.txt:31", "log.txt:1", False],
    ]


def test_copies_are_dropped_in_a_cell_whose_first_is_itself_a_copy(runs: Runs) -> None:
    text = "a\nb\nc\nd\n"
    for branch in ("a", "b", "b"):
        runs.add(text, labels={"branch": branch}, throughput=100.0)
    table = compare(runs.dataset(), rows="branch")
    assert table.cells["n"].tolist() == [1, 1]
    assert table.copies["copy_of_where"].tolist() == ["log.txt:1", "log.txt:11"]


def excerpted(runs: Runs, **summary: float) -> None:
    """Three runs each of two branches below *All*, and below *Best* copies of some of them, or others."""
    text = "Running 10s test\n  8 threads\n  Latency 1ms\nRequests/sec: {}\n"
    for heading, values in (("All", (100.0, 101.0, 102.0)), ("Best", None)):
        for branch, level in (("old", 1.0), ("new", 2.0)):
            for value in values or (summary[branch],):
                labels = {"branch": branch, "heading": heading}
                runs.add(text.format(level * value), labels=labels, throughput=level * value)


def test_a_section_that_shows_runs_of_another_again_does_not_count(runs: Runs) -> None:
    excerpted(runs, old=102.0, new=101.0)
    table = compare(runs.dataset(), baseline="branch=old")
    assert (table.rows, table.columns, table.cells["n"].tolist()) == (("branch",), (), [3, 3])
    assert table.copies[["copy_of_where", "dropped"]].to_numpy().tolist() == [
        ["log.txt:21", True],
        ["log.txt:41", True],
    ]


def test_a_section_with_a_run_of_its_own_counts(runs: Runs) -> None:
    excerpted(runs, old=102.0, new=105.0)
    table = compare(runs.dataset(), baseline="branch=old")
    assert table.columns == ("heading",)
    assert table.cells["n"].sum() == 7  # one of the two is a copy of a run below *All*


def test_sections_that_are_asked_for_are_compared(runs: Runs) -> None:
    excerpted(runs, old=102.0, new=101.0)
    assert set(compare(runs.dataset(), rows="heading").cells["heading"]) == {"All", "Best"}


def test_short_texts_may_be_alike_by_chance(runs: Runs) -> None:
    for _ in range(2):
        runs.add("real 0.01\nuser 0.00\nsys 0.00\n", labels={"branch": "a"}, throughput=100.0)
    assert cell(compare(runs.dataset(), rows="branch"), branch="a")["n"] == 2


def test_invalid_runs_are_left_out_and_shown_where_there_is_no_other(runs: Runs) -> None:
    runs.add(labels={"branch": "old"}, throughput=100.0, verdict="ok")
    runs.add(labels={"branch": "new"}, throughput=120.0, verdict="ok")
    runs.add(labels={"branch": "new"}, throughput=900.0, verdict="invalid")
    runs.add(labels={"branch": "bad"}, throughput=500.0, verdict="invalid")
    table = compare(runs.dataset(), rows="branch", baseline="branch=old")
    new, bad = cell(table, branch="new"), cell(table, branch="bad")
    assert (new["center"], new["n"], new["invalid"], new["ratio"]) == (120.0, 1, 1, 1.2)
    assert (bad["center"], bad["verdict"], bad["invalid"]) == (500.0, "invalid", 1)
    assert math.isnan(bad["ratio"])
    assert table.audited
    everything = compare(runs.dataset(), rows="branch", baseline="branch=old", include_invalid=True)
    assert cell(everything, branch="new")["center"] == 510.0
    assert cell(everything, branch="bad")["ratio"] == 5.0
    assert everything.cells["invalid"].tolist() == [0, 0, 0]


def test_of_a_run_with_suspect_latencies_only_the_other_numbers_count(runs: Runs) -> None:
    runs.add(labels={"branch": "old"}, throughput=100.0, latency=0.001, verdict="ok")
    runs.add(labels={"branch": "new"}, throughput=120.0, latency=0.5, verdict="latency-suspect")
    table = compare(runs.dataset(), rows="branch", baseline="branch=old", metric=("throughput", "latency_mean"))
    rate, latency = table.cells[table.cells["branch"] == "new"].to_dict("records")
    assert (rate["metric"], rate["ratio"], rate["invalid"]) == ("throughput", 1.2, 0)
    assert (latency["metric"], latency["verdict"], latency["invalid"]) == ("latency_mean", "invalid", 1)


def test_an_invalid_baseline_is_no_baseline(runs: Runs) -> None:
    runs.add(labels={"branch": "old"}, throughput=100.0, verdict="invalid")
    runs.add(labels={"branch": "new"}, throughput=120.0, verdict="ok")
    assert verdicts(compare(runs.dataset(), rows="branch", baseline="branch=old")) == {
        "new": "no baseline",
        "old": "invalid",
    }


def test_a_baseline_that_names_one_row_is_that_row(runs: Runs) -> None:
    runs.several([100.0], framework="nginx")
    runs.several([150.0], framework="go", gogc="100")
    runs.several([200.0], framework="go", gogc="off")
    table = compare(runs.dataset(), rows=["framework", "gogc"], baseline="framework=nginx")
    assert table.compared == ("framework", "gogc")
    assert table.cells["ratio"].tolist() == [1.5, 2.0, 1.0]


def test_a_baseline_that_several_rows_have_exchanges_only_its_own_label(runs: Runs) -> None:
    for framework, gogc, value in (("a", "100", 100.0), ("a", "off", 150.0), ("b", "100", 10.0), ("b", "off", 30.0)):
        runs.several([value], framework=framework, gogc=gogc)
    table = compare(runs.dataset(), rows=["framework", "gogc"], baseline={"gogc": 100})
    assert table.compared == ("gogc",)
    assert table.cells["ratio"].tolist() == [1.0, 1.5, 1.0, 3.0]


def test_the_baseline_may_be_a_column_and_may_be_what_has_no_label(runs: Runs) -> None:
    runs.several([100.0], connections=8)
    runs.several([150.0], connections=8, gogc="off")
    table = compare(runs.dataset(), rows="connections", columns="gogc", baseline="gogc=")
    assert table.cells["ratio"].tolist() == [1.5, 1.0]
    assert table.cells["gogc"].isna().tolist() == [False, True]


def test_a_ratio_to_a_count_of_zero_is_missing(runs: Runs) -> None:
    runs.add(labels={"branch": "old"}, errors_timeout=0.0)
    runs.add(labels={"branch": "new"}, errors_timeout=7.0)
    table = compare(runs.dataset(), rows="branch", metric="errors_timeout", baseline="branch=old")
    assert math.isnan(cell(table, "errors_timeout", branch="new")["ratio"])


def test_means_on_request(runs: Runs) -> None:
    runs.several([100.0, 110.0], branch="old")
    runs.several([210.0, 210.2], branch="new")
    new = cell(compare(runs.dataset(), rows="branch", baseline="branch=old", center="mean"), branch="new")
    assert new["center"] == pytest.approx(210.1)
    assert new["hi"] - new["center"] == pytest.approx(12.7062 * 0.1, rel=1e-5)  # t(0.975, 1), standard error 0.1
    assert new["ratio"] == pytest.approx(210.1 / 105)


@pytest.mark.parametrize(("sort", "expected"), [("labels", "abc"), ("source", "cab"), ("best", "bca")])
def test_rows_are_sorted_as_asked(runs: Runs, sort: str, expected: str) -> None:
    for branch, value in (("c", 2.0), ("a", 1.0), ("b", 3.0)):
        runs.several([value], branch=branch)
    assert "".join(compare(runs.dataset(), rows="branch", sort=sort).cells["branch"]) == expected  # type: ignore[arg-type]


def test_what_does_not_exist_is_said_with_what_does(runs: Runs) -> None:
    runs.add(labels={"branch": "a"}, throughput=1.0, latency=1.0)
    dataset = runs.dataset()
    with pytest.raises(QueryError, match="no label brunch; did you mean branch\\?; there are: branch, "):
        compare(dataset, rows="brunch")
    with pytest.raises(QueryError, match=r"no metric 'speed'.*there are: latency_mean, throughput"):
        compare(dataset, rows="branch", metric="speed")
    with pytest.raises(QueryError, match="no metric 'troughput'; did you mean throughput"):
        compare(dataset, rows="branch", metric="troughput")
    with pytest.raises(TooLittleError, match="no run states latency_p99"):
        compare(dataset, rows="branch", metric="latency_p99")
    with pytest.raises(TooLittleError, match="baseline's branch=b: branch is a"):
        compare(dataset, rows="branch", baseline="branch=b")
    with pytest.raises(QueryError, match="neither rows nor columns"):
        compare(dataset, rows="branch", baseline="tool=wrk")
    with pytest.raises(QueryError, match="expected label=value"):
        compare(dataset, rows="branch", baseline="a")
    with pytest.raises(QueryError, match="both rows and columns"):
        compare(dataset, rows="branch", columns="branch")
    with pytest.raises(QueryError, match="needs a label"):
        compare(dataset, rows="")
    with pytest.raises(TooLittleError, match="no run matches \"branch = 'x'\": nothing to compare"):
        compare(dataset, rows="branch", where="branch = 'x'")


def test_a_metric_may_be_named_with_its_unit(runs: Runs) -> None:
    runs.add(labels={"branch": "a"}, throughput=1.0, latency=2.0)
    table = compare(runs.dataset(), rows="branch", metric=["latency_mean_s", "throughput", "throughput_per_s"])
    assert table.cells["metric"].tolist() == ["latency_mean", "throughput"]


@pytest.mark.parametrize(
    ("text", "metric", "relation", "change"),
    [
        ("throughput < -5%", "throughput", "<", -0.05),
        ("latency_p99.9>=12.5 %", "latency_p99.9", ">=", 0.125),
        (" elapsed <= +3% ", "elapsed", "<=", 0.03),
    ],
)
def test_limits_are_read(text: str, metric: str, relation: str, change: float) -> None:
    assert parse_limit(text) == (metric, relation, pytest.approx(change))


@pytest.mark.parametrize("text", ["throughput", "throughput < 5", "throughput = 5%", "< 5%", "a < 5%%", ""])
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(QueryError, match="expected METRIC < -N%"):
        parse_limit(text)


def outcome(runs: Runs, limit: str = "throughput < -5%") -> list[str]:
    found = check_limit(compare(runs.dataset(), rows="branch", baseline="branch=old"), parse_limit(limit))
    return found["outcome"].tolist()


def test_a_drop_beyond_the_limit_that_is_told_from_chance_is_a_regression(runs: Runs) -> None:
    runs.several(FAST, branch="old")
    runs.several(SLOW, branch="new")
    assert outcome(runs) == ["regression"]
    assert outcome(runs, "throughput < -20%") == ["ok"]
    assert outcome(runs, "throughput > 5%") == ["ok"]


def test_a_drop_that_may_be_chance_is_undecided(runs: Runs) -> None:
    runs.several([100.0, 120.0, 140.0, 160.0], branch="old")
    runs.several([90.0, 100.0, 130.0, 150.0], branch="new")
    assert outcome(runs) == ["undecided"]


def test_one_run_each_is_undecided_even_if_it_is_better(runs: Runs) -> None:
    runs.several([100.0], branch="old")
    runs.several([200.0], branch="new")
    assert outcome(runs) == ["undecided"]


def test_a_baseline_alone_has_nothing_to_judge(runs: Runs) -> None:
    runs.several(FAST, branch="old")
    assert outcome(runs) == []


def test_a_change_of_just_the_limit_is_within_it(runs: Runs) -> None:
    runs.several([100.0] * 4, branch="old")
    runs.several([95.0] * 4, branch="new")
    assert outcome(runs) == ["ok"]
    assert outcome(runs, "throughput <= -5%") == ["regression"]


def test_a_change_within_the_limit_whose_interval_is_not_is_undecided(runs: Runs) -> None:
    runs.several([100.0, 101.0, 102.0, 103.0], branch="old")
    # of 16 quotients the ends of 95 %: k = 1, 60/103 and 1.4; they spread unequally, and Welch's t test of the
    # logarithms has the wider interval: scipy.stats.ttest_ind(…, equal_var=False).confidence_interval() of 0.54 to 1.64
    runs.several([60.0, 100.0, 102.0, 140.0], branch="new")
    assert outcome(runs) == ["undecided"]
    assert outcome(runs, "throughput > 5%") == ["undecided"]
    assert outcome(runs, "throughput < -45%") == ["undecided"]
    assert outcome(runs, "throughput < -50%") == ["ok"]


def test_a_ratio_without_an_interval_is_not_within_a_limit(runs: Runs) -> None:
    runs.several([100.0, 101.0, 102.0], branch="old")
    runs.several([103.0, 104.0, 105.0], branch="new")  # p is 2 / C(6, 3) = 0.1
    for confidence, expected in ((0.95, "undecided"), (0.9, "ok")):
        table = compare(runs.dataset(), rows="branch", baseline="branch=old", alpha=0.11, confidence=confidence)
        assert check_limit(table, parse_limit("throughput < -5%"))["outcome"].tolist() == [expected]


def test_ranks_that_no_numbers_could_tell_are_not_tested(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        pytest.fail("tested")

    monkeypatch.setattr("wrkparse.analysis.comparison.cells.cell_results.compare_medians", refuse)
    for branch in "abcdefgh":  # 28 pairs of four and four: 28 · 2 / C(8, 4) is above 0.05
        runs.several(FAST, branch=branch)
    assert compare(runs.dataset(), rows="branch").cells["rank_lo"].isna().all()


def test_a_comparison_needs_a_metric(runs: Runs) -> None:
    runs.several([1.0], branch="a")
    with pytest.raises(QueryError, match="needs a metric"):
        compare(runs.dataset(), rows="branch", metric=" , ")


def test_a_default_baseline_has_runs_to_be_compared_with() -> None:
    """The first server has no GOGC, so that it shares no setting; of the others `b` shares two with `a` and one with `c`."""
    runs = Runs()
    runs.add(labels={"framework": "first"}, throughput=100.0)
    for name, settings in (("a", ("50", "100")), ("b", ("50", "100", "200")), ("c", ("200",))):
        for gogc in settings:
            runs.add(labels={"framework": name, "gogc": gogc}, throughput=100.0)
    assert dict(wp.compare(runs.dataset()).baseline) == {"framework": "b"}
    assert dict(wp.compare(runs.dataset(), baseline="framework=first").baseline) == {"framework": "first"}


def test_a_value_that_names_a_baseline_is_one_without_runs_beside_it() -> None:
    runs = Runs()
    runs.add(labels={"framework": "main"}, throughput=100.0)
    for name in ("a", "b"):
        runs.add(labels={"framework": name, "gogc": "50"}, throughput=100.0)
    assert dict(wp.compare(runs.dataset()).baseline) == {"framework": "main"}


def test_a_value_without_something_is_a_baseline_only_beside_other_runs() -> None:
    runs = Runs()
    runs.add(labels={"framework": "no replicas"}, throughput=100.0)
    for name in ("a", "b"):
        for gogc in ("50", "100"):
            runs.add(labels={"framework": name, "gogc": gogc}, throughput=100.0)
    assert dict(wp.compare(runs.dataset()).baseline) == {"framework": "a"}
    runs.add(labels={"framework": "no replicas", "gogc": "50"}, throughput=100.0)
    assert dict(wp.compare(runs.dataset()).baseline) == {"framework": "no replicas"}


# Five runs each that do not overlap, twice as many: the sentence is that of any other label.
@pytest.mark.parametrize("key", ["n", "p", "lo", "ratio", "better", "metric", "center", "value", "runs", "settings"])
def test_a_label_may_be_called_like_a_column_of_results(runs: Runs, key: str) -> None:
    for value, level in (("10", 100), ("20", 200)):
        runs.several([level * 1.01**step for step in (3, 1, 5, 2, 4)], **{key: value})
    dataset = runs.dataset()
    table = wp.compare(dataset)
    assert table.rows == (f"label_{key}",)
    assert table.sentences == (
        f"Throughput with {key}=20 is 2.0 times that with {key}=10 (1.9–2.1, p = 0.0079, 5 runs each).",
    )
    assert table.cells["n"].tolist() == [5, 5]
    for name in (key, f"label_{key}"):
        asked = wp.compare(dataset, rows=name, baseline={name: "20"})
        assert asked.cells["ratio"].tolist() == pytest.approx([0.5, 1.0])


@pytest.mark.parametrize("where", [None, "label_throughput <> 'none'"])
def test_a_label_may_be_called_like_a_metric(where: str | None) -> None:
    runs = Runs()
    for value, level in (("high", 200.0), ("low", 100.0), ("none", 1.0)):
        runs.add(labels={"throughput": value}, throughput=level)
    table = wp.compare(runs.dataset(), rows="throughput", metric="throughput", where=where)
    assert table.cells["throughput"].tolist() == ["high", "low", "none"][: 2 if where else 3]
    assert table.cells["center"].tolist() == [200.0, 100.0, 1.0][: 2 if where else 3]


def test_settings_and_claims_over_them_may_be_called_like_a_column_of_results(runs: Runs) -> None:
    for n, level in (("10", 1), ("20", 3)):
        for framework, ratio in (("kiwi", 100), ("emu", 200)):
            runs.several([level * ratio * 1.01**step for step in (3, 1, 5, 2, 4)], framework=framework, n=n)
    table = wp.compare(runs.dataset(), baseline="framework=kiwi")
    assert table.sentences[0].startswith("Across n=10 and 20, emu answers 2.0 times as many requests as kiwi")


def test_other_requests_tell_more_than_how_long_they_were_sent() -> None:
    runs = Runs()
    for script, seconds in (("put.lua", 300), ("get.lua", 60)):
        runs.add(labels={"flag_script": script, "duration_s": seconds}, throughput=100.0)
    table = compare(runs.dataset())
    assert table.rows == ("flag_script",)
    assert table.also_differ == ("duration_s",)


def test_where_the_first_label_crosses_nothing_what_varies_inside_it_is_compared() -> None:
    """Each benchmark has two scripts of its own: 85 of 100 in the first, 90 of 60 in the second, which has no ratio."""
    runs = Runs()
    for heading, script, rate in (("1", "a", 100.0), ("1", "b", 85.0), ("3", "c", 60.0), ("3", "d", 90.0)):
        runs.add(labels={"heading": heading, "flag_script": f"{script}.lua"}, throughput=rate)
    table = compare(runs.dataset())
    assert (table.rows, table.columns) == (("flag_script",), ("heading",))
    assert table.sentences[:2] == (
        "Throughput with --script b.lua was 0.85 times that with --script a.lua for “1” (one run each).",
        (
            "Throughput for “3”, best first: with --script d.lua 90.00 requests/s, with --script c.lua 60.00 requests/s "
            "(one run each)."
        ),
    )
    assert on_next_label(table) == ""  # no two headings meet
    asked = compare(runs.dataset(), rows="heading")
    assert not any("--ignore flag_script" in sentence for sentence in asked.sentences)


def test_servers_that_meet_in_no_setting_are_compared_with_their_headings() -> None:
    """Each run stands for itself: 120 of the 60 of kiwi inline are 2 times."""
    runs = Runs()
    for name, heading, rate in (("kiwi", "Inline", 60.0), ("kiwi", "Pooled", 90.0), ("emu", "Arena", 120.0)):
        runs.add(labels={"framework": name, "heading": heading}, throughput=rate)
    table = compare(runs.dataset())
    assert (table.rows, table.columns) == (("framework", "heading"), ())
    assert table.sentences[0].startswith("emu “Arena” answered 2.0 times and kiwi “Pooled” 1.50 times as many requests")


def test_servers_under_loads_of_their_own_are_still_what_is_compared() -> None:
    runs = Runs()
    for name, heading in (("kiwi", "small"), ("kiwi", "large"), ("emu", "short")):
        runs.add(labels={"framework": name, "heading": heading}, throughput=100.0)
    assert compare(runs.dataset()).rows == ("framework",)


def test_processes_of_one_server_are_variants_beside_the_others() -> None:
    runs = Runs()
    for name, heading, rate in (
        ("emu", None, 30.0),
        ("kiwi", "Single process", 60.0),
        ("kiwi", "With clustering", 90.0),
    ):
        runs.add(labels={"framework": name, "heading": heading}, throughput=rate)
    assert compare(runs.dataset()).rows == ("framework", "heading")


def test_a_single_setting_with_another_load_is_no_baseline_of_the_others() -> None:
    """But whoever asks for it has it."""
    runs = Runs()
    for name, connections in (("moss", 5000), ("kiwi", 1000), ("emu", 1000), ("wren", 1000)):
        runs.add(labels={"framework": name, "connections": connections}, throughput=100.0)
    table = compare(runs.dataset())
    assert (table.columns, table.baseline) == (("connections",), {"framework": "kiwi"})
    assert compare(runs.dataset(), rows="framework", baseline="framework=moss").columns == ()


def test_a_heading_that_says_the_path_is_no_answer() -> None:
    """Of two paths none is faster: the builds below each are compared."""
    runs = Runs()
    for heading, path in (("start", "/"), ("search", "/find")):
        for build, rate in (("1", 60.0), ("2", 90.0)):
            runs.add(labels={"heading": heading, "path": path, "build": build}, throughput=rate)
    table = compare(runs.dataset())
    assert (table.rows, table.columns) == (("build",), ("heading",))


@pytest.mark.parametrize("names", [("GET", "PUT"), ("GET requests", "POST requests (new)")])
def test_methods_of_http_are_no_answer_either(names: tuple[str, str]) -> None:
    runs = Runs()
    for heading in names:
        for build, rate in (("1", 60.0), ("2", 90.0)):
            runs.add(labels={"heading": heading, "build": build}, throughput=rate)
    assert (compare(runs.dataset()).rows, compare(runs.dataset()).columns) == (("build",), ("heading",))


def test_methods_of_http_are_compared_if_nothing_else_differs() -> None:
    runs = Runs()
    for heading in ("GET", "PUT"):
        runs.add(labels={"heading": heading}, throughput=60.0)
    assert compare(runs.dataset()).rows == ("heading",)


def test_most_variants_of_one_server_are_no_settings_though_another_server_has_one() -> None:
    """Kiwi has three, and emu one of these: 30 of the 60 are half, 90 are 1.5 times, 120 are 2.0 times."""
    runs = Runs()
    for name, heading, rate in (
        ("kiwi", "Inline", 60.0), ("kiwi", "Pooled", 90.0), ("kiwi", "Arena", 120.0), ("emu", "Inline", 30.0)
    ):  # fmt: skip
        runs.add(labels={"framework": name, "heading": heading}, throughput=rate)
    table = compare(runs.dataset(), metric="throughput")
    assert (table.rows, table.columns) == (("framework", "heading"), ())
    assert table.sentences[0].startswith("kiwi “Arena” answered 2.0 times")
    runs.add(labels={"framework": "emu", "heading": "Slab"}, throughput=30.0)  # each has a variant of its own
    assert compare(runs.dataset(), metric="throughput").columns == ("heading",)


def test_variants_of_one_server_are_compared_with_the_other_servers() -> None:
    """Emu has no pool: 90 of the 60 without a pool are 1.5 times, the 30 of emu half."""
    runs = Runs()
    for name, heading, rate in (("kiwi", "Inline", 60.0), ("kiwi", "Pooled", 90.0), ("emu", None, 30.0)):
        runs.add(labels={"framework": name, "heading": heading}, throughput=rate)
    table = compare(runs.dataset(), metric="throughput")
    assert (table.rows, table.columns) == (("framework", "heading"), ())
    assert table.sentences[0] == (
        "kiwi “Pooled” answered 1.50 times and emu 0.50 times as many requests as kiwi “Inline” (one run each)."
    )


def test_variants_meet_in_no_setting_in_which_all_runs_but_one_are_invalid() -> None:
    """Kiwi and emu have both variants, but no run of emu counts: 90 of the 60 of go are 1.5 times, 120 are 2.0 times."""
    runs = Runs()
    runs.add(labels={"framework": "go", "heading": None}, throughput=60.0)
    for heading, rate in (("Inline", 90.0), ("Pooled", 120.0)):
        runs.add(labels={"framework": "kiwi", "heading": heading}, throughput=rate)
        runs.add(labels={"framework": "emu", "heading": heading}, throughput=1.0, verdict="invalid")
    table = compare(runs.dataset(), metric="throughput")
    assert (table.rows, table.columns) == (("framework", "heading"), ())
    assert table.sentences[0] == (
        "kiwi “Pooled” answered 2.0 times and kiwi “Inline” 1.50 times as many requests as go (one run each)."
    )


@pytest.mark.parametrize(("key", "size"), [("cores", 4), ("workers", "4")])
def test_the_size_of_one_server_keeps_it_not_apart_from_those_of_unknown_size(key: str, size: int | str) -> None:
    runs = Runs()
    for name, known, rate in (("kiwi", None, 60.0), ("kiwi", size, 120.0), ("emu", None, 30.0)):
        runs.add(labels={"framework": name, key: known}, throughput=rate)
    assert (compare(runs.dataset()).rows, compare(runs.dataset()).columns) == (("framework", key), ())
    runs.add(labels={"framework": "emu", key: size}, throughput=90.0)
    assert (compare(runs.dataset()).rows, compare(runs.dataset()).columns) == (("framework",), (key,))


def test_a_load_that_one_server_has_is_a_setting() -> None:
    runs = Runs()
    for name, heading in (("kiwi", "small files"), ("kiwi", "large files"), ("emu", None)):
        runs.add(labels={"framework": name, "heading": heading}, throughput=100.0)
    assert (compare(runs.dataset()).rows, compare(runs.dataset()).columns) == (("framework",), ("heading",))


def test_a_variant_that_two_servers_have_is_a_setting() -> None:
    runs = Runs()
    for name, heading in (("kiwi", "pooled"), ("kiwi", "plain pool"), ("emu", "pooled")):
        runs.add(labels={"framework": name, "heading": heading}, throughput=100.0)
    assert (compare(runs.dataset()).rows, compare(runs.dataset()).columns) == (("framework",), ("heading",))


def test_the_port_of_each_server_keeps_none_apart_and_two_ports_of_one_server_are_variants() -> None:
    runs = Runs()
    for name, port, path in (
        ("kiwi", 1, "/a"),
        ("emu", 2, "/a"),
        ("emu", 3, "/a"),
        ("kiwi", 1, "/b"),
        ("emu", 2, "/b"),
    ):
        url = f"http://h:{port}{path}"
        runs.add(labels={"framework": name, "path": path, "url": url}, throughput=100.0 * port)
    table = compare(runs.dataset(), metric="throughput")
    assert (table.rows, table.columns) == (("framework", "url"), ("path",))
    assert "emu for http://h:3/a" in " ".join(table.sentences)
    assert "3.0 times" in " ".join(table.sentences)


@pytest.mark.parametrize(("key", "values", "place"), [
    ("path", ("/static", "/"), "for /static"),
    ("connections", (64, 1000), "at 64 connections"),
])  # fmt: skip
def test_servers_are_compared_within_each_path_that_has_several_of_its_own(
    key: str, values: tuple[str | int, str | int], place: str
) -> None:
    runs = Runs()
    rates = {"kiwi": (0, 1400.0), "emu": (0, 700.0), "fern": (1, 140.0), "moss": (1, 70.0)}
    for name, (at, rate) in rates.items():
        runs.add(labels={"framework": name, key: values[at]}, throughput=rate)
    table = compare(runs.dataset())
    assert (table.rows, table.columns, table.baseline) == (("framework",), (key,), {"framework": "kiwi"})
    assert table.sentences[0] == f"emu answered 0.50 times as many requests as kiwi {place} (one run each)."
    assert "fern 140.0 requests/s, moss 70.00 requests/s (one run each)." in table.sentences[1]
    assert compare(runs.dataset(), ignore=key).columns == ()


def test_variants_of_two_servers_are_compared_with_each_other() -> None:
    runs = Runs()
    for name, variant, rate in (("kiwi", "pool", 100.0), ("kiwi", "plain", 110.0), ("emu", "epoll", 150.0)):
        for drift in range(5):
            runs.add(labels={"framework": name, "variant": variant}, throughput=rate + drift)
    table = compare(runs.dataset(), metric="throughput")
    assert table.compared == ("framework", "variant")
    judged = dict(zip(table.cells["variant"], table.cells["verdict"], strict=True))
    assert (judged["plain"], judged["epoll"]) == ("better", "better")


@pytest.mark.parametrize(("name", "columns"), [("baseline", ()), ("auk", ("connections",))])
def test_a_baseline_with_another_load_stands_apart_unless_it_is_named_as_one(
    name: str, columns: tuple[str, ...]
) -> None:
    runs = Runs()
    for server, connections in ((name, 512), ("kiwi", 64), ("emu", 64), ("fern", 64)):
        runs.add(labels={"framework": server, "connections": connections}, throughput=100.0)
    assert compare(runs.dataset()).columns == columns


@pytest.mark.parametrize(("other", "columns"), [("/api/hello", ()), ("/api/small", ("path",))])
def test_a_path_below_another_root_divides_nothing(other: str, columns: tuple[str, ...]) -> None:
    """And no sentence says that it may make a difference."""
    runs = Runs()
    for name, path in (("kiwi", "/hello"), ("emu", "/hello"), ("fern", other), ("moss", other)):
        runs.add(labels={"framework": name, "path": path}, throughput=100.0)
    table = compare(runs.dataset())
    assert table.columns == columns
    assert "alone may make a difference" not in " ".join(table.sentences)


def test_a_path_of_which_one_server_alone_was_asked_divides_nothing() -> None:
    runs = Runs()
    for name, path in (("kiwi", "/static"), ("emu", "/static"), ("fern", "/")):
        runs.add(labels={"framework": name, "path": path}, throughput=100.0)
    assert compare(runs.dataset()).columns == ()
