"""What a comparison says in words. Ratios, intervals and p values are worked out by hand."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

import wrkparse as wp
from tests.analysis.comparison.runs import Runs
from tests.samples import WRK
from wrkparse.analysis.comparison.text.headline import headline, undecided_words
from wrkparse.analysis.comparison.text.notes import cautions, notes
from wrkparse.analysis.comparison.text.overview import overview
from wrkparse.analysis.comparison.text.wording import (
    behind_runs,
    metric_words,
    p_words,
    percent_text,
    place_words,
    ratio_decimals,
    ratio_words,
)
from wrkparse.analysis.runs.selection import NothingToCompareError, TooLittleError
from wrkparse.text.suggestions import did_you_mean

STEPS = [1.01**step for step in range(5)]


@pytest.fixture
def runs() -> Runs:
    return Runs()


def said(runs: Runs, rows: str, baseline: str | None, **options: object) -> list[str]:
    return list(wp.compare(runs.dataset(), rows=rows, baseline=baseline, **options).sentences)  # type: ignore[arg-type]


# Five runs each that do not overlap: p = 2 / C(10, 5) = 2/252. The quotients are 2 · 1.01^(i-j): their median is 2.
# The critical value of U for 5 and 5 is 2 (Mann & Whitney 1947), so the interval is from the 3rd to the 23rd: ±3 steps.
def test_a_server_answers_so_many_times_as_many_requests_as_another(runs: Runs) -> None:
    runs.several([100 * step for step in STEPS], framework="go", connections=64)
    runs.several([200 * step for step in STEPS], framework="nginx", connections=64)
    assert said(runs, "framework", "framework=go") == [
        "nginx answers 2.0 times as many requests as go (1.9–2.1, p = 0.0079, 5 runs each)."
    ]
    assert said(runs, "framework", "framework=go", columns="connections") == [
        "nginx answers 2.0 times as many requests as go at 64 connections (1.9–2.1, p = 0.0079, 5 runs each)."
    ]


def test_a_setting_is_not_the_one_that_answers_and_a_latency_is_better_or_worse(runs: Runs) -> None:
    for gogc, level in (("100", 1.0), ("50", 2.0)):
        for step in STEPS:
            runs.add(labels={"gogc": gogc}, throughput=100 / level * step, latency=0.001 * level * step)
    assert said(runs, "gogc", "gogc=100") == [
        "Throughput with GOGC=50 is 0.50 times that with GOGC=100 (0.49–0.52, p = 0.0079, 5 runs each).",
        "Mean latency with GOGC=50 is 2.0 times that with GOGC=100: worse (1.9–2.1, p = 0.0079, 5 runs each).",
    ]


def with_gogc(runs: Runs, levels: dict[str, float], count: int = 3, **labels: object) -> None:
    for gogc, level in levels.items():
        mixed = sorted(STEPS[:count], key=lambda step: abs(step - STEPS[1]))  # so that nothing drifts
        runs.several([level * step for step in mixed], gogc=gogc, **labels)


# Three groups of three that do not overlap: p = 2 · 3! 3! 3! / 9! = 2/1680. The quotients of the largest and the
# smallest value are 2 · 1.01^(i-j); with three runs each no interval has 95 %.
def test_a_metric_rises_or_falls_with_a_number_though_no_pair_is_decided(runs: Runs) -> None:
    with_gogc(runs, {"50": 100, "100": 120, "200": 200})
    assert said(runs, "gogc", "gogc=100") == [
        (
            "Throughput rises with GOGC: with GOGC=200 it is 2.0 times that with GOGC=50 (trend p = 0.0012, 3 values, 3 runs "
            "each)."
        )
    ]
    table = wp.compare(runs.dataset(), rows="gogc", baseline="gogc=100")
    assert headline(table) == "Throughput rises with GOGC: with GOGC=200 it is 2.0 times that with GOGC=50"
    assert undecided_words(table)
    assert any("Jonckheere" in note for note in notes(table))


def test_a_title_has_no_rise_where_the_runs_drift_and_each_value_was_measured_at_a_time(runs: Runs) -> None:
    for gogc, level in (("50", 100), ("100", 120), ("200", 200)):
        runs.several([level * step for step in STEPS], gogc=gogc)
    table = wp.compare(runs.dataset(), rows="gogc", baseline="gogc=100")
    assert table.monotone["throughput"].rises
    assert "rises" not in (headline(table) or "")


def test_no_metric_rises_from_0_nor_by_what_the_digits_hide(runs: Runs) -> None:
    with_gogc(runs, {"50": 0, "100": 120, "200": 200})
    assert wp.compare(runs.dataset(), rows="gogc", baseline="gogc=100").monotone == {}
    coarse = Runs(resolution=0.5)  # 10, 10, 10, 11, 11, 11 and 12, 12, 12 may all be 11
    for gogc, value in (("50", 10.0), ("100", 11.0), ("200", 12.0)):
        coarse.several([value] * 3, gogc=gogc)
    assert wp.compare(coarse.dataset(), rows="gogc", baseline="gogc=100").monotone["throughput"].p > 0.0001
    coarse = Runs(resolution=1.0)
    for gogc, value in (("50", 10.0), ("100", 11.0), ("200", 12.0)):
        coarse.several([value] * 3, gogc=gogc)
    assert wp.compare(coarse.dataset(), rows="gogc", baseline="gogc=100").monotone == {}


@pytest.mark.parametrize("key", ["env_BUILD_ID", "env_DB_PORT", "env_SEED", "pool_id", "build"])
def test_numbers_that_are_no_amounts_have_no_order(runs: Runs, key: str) -> None:
    for value, level in (("100", 100), ("200", 120), ("300", 200)):
        runs.several([level * step for step in STEPS], **{key: value})
    assert wp.compare(runs.dataset(), rows=key, baseline=f"{key}=100").monotone == {}


# Three groups of four that do not overlap: p = 2 · 4!³ / 12! = 2 / 34,650.
@pytest.mark.parametrize(("key", "words"), [("flag_level", "--level"), ("arg1", "arg1"), ("pool", "pool")])
def test_a_metric_rises_with_a_level_an_argument_or_the_size_of_a_pool(runs: Runs, key: str, words: str) -> None:
    with_steps = [STEPS[at] for at in (1, 3, 0, 2)]
    for value, level in (("1", 100), ("6", 120), ("9", 200)):
        runs.several([level * step for step in with_steps], **{key: value})
    table = wp.compare(runs.dataset())
    assert table.sentences[0].startswith(f"Throughput rises with {words}: with {words}")
    assert table.monotone["throughput"].p == pytest.approx(2 / 34650)


def test_arguments_that_count_up_may_be_variants(runs: Runs) -> None:
    for value, level in (("1", 100), ("2", 120), ("3", 200)):
        runs.several([level * step for step in STEPS], arg1=value)
    assert wp.compare(runs.dataset()).monotone == {}


def test_off_lies_behind_all_numbers_and_settings_are_tested_together(runs: Runs) -> None:
    with_gogc(runs, {"50": 200, "100": 150, "off": 100}, count=2, connections=8)
    with_gogc(runs, {"50": 400, "100": 300, "off": 200}, count=2, connections=64)
    first = said(runs, "gogc", "gogc=100")[0]
    # two groups of three of two: 2 / 90², as each setting has 6! / (2! 2! 2!) = 90 ways to deal out its runs
    assert first.startswith("Throughput falls with GOGC in all 2 settings: with GOGC=off it is 0.50 times")
    assert wp.compare(runs.dataset(), rows="gogc", baseline="gogc=100").monotone["throughput"].p == pytest.approx(
        2 / 8100
    )


@pytest.mark.parametrize(
    ("levels", "count"),
    [
        ({"50": 100, "100": 200, "200": 150}, 3),  # up and down
        ({"50": 100, "100": 200}, 5),  # a pair
        ({"50": 100, "100": 120, "200": 200, "400": 300}, 1),  # single runs
        ({"50": 100, "100": 100.1, "200": 100.2}, 3),  # within the spread
        ({"a": 100, "b": 120, "c": 200}, 3),  # words
    ],
)
def test_nothing_rises_without_an_order_a_direction_and_repeats(
    runs: Runs, levels: dict[str, float], count: int
) -> None:
    with_gogc(runs, levels, count)
    found = wp.compare(runs.dataset(), rows="gogc", baseline=f"gogc={next(iter(levels))}")
    assert found.monotone == {}
    assert not any("rises with" in sentence for sentence in found.sentences)


def test_a_rise_ends_where_the_runs_of_the_values_beyond_overlap(runs: Runs) -> None:
    with_gogc(runs, {"50": 100, "100": 120, "200": 200, "400": 201, "off": 201.5})
    assert said(runs, "gogc", "gogc=100")[0] == (
        "Throughput rises with GOGC up to 200: with GOGC=200 it is 2.0 times that with GOGC=50 (trend p < 0.0001, 5 "
        "values, 3 runs each); beyond that the runs overlap."
    )


def test_a_rise_needs_no_order_among_values_whose_runs_overlap_at_its_end(runs: Runs) -> None:
    with_gogc(runs, {"1": 100, "2": 190, "4": 300, "8": 301, "16": 299.5})
    assert wp.compare(runs.dataset(), rows="gogc", baseline="gogc=1").monotone["throughput"].last == "4"


def test_a_rise_does_not_end_before_a_value_whose_runs_are_all_above(runs: Runs) -> None:
    """198 to 202, 201 to 205 and 204 to 208: neighbours overlap, the first and the last do not."""
    with_gogc(runs, {"50": 100, "100": 200, "200": 203, "400": 206})
    assert wp.compare(runs.dataset(), rows="gogc", baseline="gogc=50").monotone["throughput"].last == "200"


def test_what_is_flat_for_one_server_does_not_rise_in_all_settings(runs: Runs) -> None:
    with_gogc(runs, {"50": 100, "100": 150, "200": 200}, count=4, framework="kiwi")
    with_gogc(runs, {"50": 100, "100": 100.1, "200": 100.2}, count=4, framework="heron")
    assert wp.compare(runs.dataset(), rows="gogc", baseline="gogc=100").monotone == {}


def test_names_that_are_numbers_have_no_order(runs: Runs) -> None:
    for name, level in (("1.20", 100), ("1.21", 120), ("1.22", 200)):
        runs.several([level * step for step in STEPS], version=name)
    assert wp.compare(runs.dataset(), rows="version", baseline="version=1.20").monotone == {}


@pytest.mark.parametrize("key", ["heading", "framework"])
def test_a_condition_that_answers_is_in_quotation_marks(runs: Runs, key: str) -> None:
    runs.several([100 * step for step in STEPS], **{key: "before the pool"})
    runs.several([200 * step for step in STEPS], **{key: "with the pool"})
    assert said(runs, key, f"{key}=before the pool") == [
        "“with the pool” answers 2.0 times as many requests as “before the pool” (1.9–2.1, p = 0.0079, 5 runs each)."
    ]


def test_a_name_with_an_article_is_in_quotation_marks_and_one_letter_is_not(runs: Runs) -> None:
    runs.several([100 * step for step in STEPS], framework="A")
    runs.several([200 * step for step in STEPS], framework="The new one")
    assert said(runs, "framework", "framework=A") == [
        "“The new one” answers 2.0 times as many requests as A (1.9–2.1, p = 0.0079, 5 runs each)."
    ]


def test_what_can_not_be_told_apart_names_the_runs_that_would_tell(runs: Runs) -> None:
    """U = 10: p = 2 · 87/252, from the counts 1 1 2 3 5 7 9 11 14 16 18 of U = 0 … 10.

    Noether, *JASA* 82, 1987: (1.960 + 0.842)² / (12 · ½ · ½ · (15/25 - ½)²) / 2 = 130.8 runs on each side. Newcombe's
    interval at 90 % ends at the θ = 0.82855 where θ - 0.6 = 1.645 √(θ (1 - θ) (1 + 4 (1 - θ) / (2 - θ) + 4 θ / (1 + θ)) / 25),
    by bisection; there Noether's formula gives 12.12.
    """
    runs.several([100 * 1.01**step for step in (0, 2, 4, 6, 8)], input="old")
    runs.several([100 * 1.01**step for step in (1, 3, 5, 7, 9)], input="new")
    assert said(runs, "input", "input=old") == [
        (
            "Throughput of new and old can't be told apart (1.010×, 0.951–1.072, p = 0.69, 5 runs each): "
            "about 131 runs each would show a difference of this size."
        )
    ]


def test_equal_runs_are_alike_within_what_the_interval_allows(runs: Runs) -> None:
    """U = 12.5, so no number of runs would tell. Quotients are 1.001 to the power of -4 … 4, one of -4 and two of -3.

    Of five runs each Moses' interval is from the third smallest to the third largest: 1.001³ - 1 = 0.3003 %, rounded up.
    """
    for name in ("old", "new"):
        runs.several([100 * 1.001**step for step in range(5)], input=name)
    (sentence,) = said(runs, "input", "input=old")
    assert sentence.startswith("Throughput of new and old can't be told apart (")
    assert sentence.endswith(", p = 1, 5 runs each): with 95 % confidence they are alike within 0.31 %.")


def test_runs_in_groups_are_not_called_alike(runs: Runs) -> None:
    """Of each input, as many runs near 100 as near 107: of other sizes, the same groups have other medians."""
    for name in ("old", "new"):
        runs.several([*(100 + 0.1 * at for at in range(5)), *(107 + 0.1 * at for at in range(5))], input=name)
    (sentence,) = said(runs, "input", "input=old")
    assert "can't be told apart" in sentence
    assert "alike" not in sentence


def test_no_more_runs_are_asked_for_than_there_are(runs: Runs) -> None:
    """No run of one side is within the other, which four runs each would show if both sides spread alike.

    Logarithms: means 5.186 and 4.607, variances of the means 0.0505 and 0.0000005, so t = 2.577 with 4 degrees of
    freedom, whose p is 1 - sin θ (1 + cos² θ / 2) with tan θ = t / 2: 0.0615.
    """
    runs.several([100, 100.1, 100.2, 100.3, 100.4], input="old")
    runs.several([110, 130, 160, 200, 400], input="new")
    (sentence,) = said(runs, "input", "input=old")
    assert sentence.startswith("Throughput of new and old can't be told apart (")
    assert sentence.endswith(", p = 0.061, 5 runs each).")


def test_one_run_each_says_what_it_can_not_tell(runs: Runs) -> None:
    """2 / C(6, 3) = 0.1, 2 / C(8, 4) = 0.029."""
    runs.several([100.0], input="old")
    runs.several([90.0], input="new")
    assert said(runs, "input", "input=old") == [
        "new answered 0.90 times as many requests as old (one run each).",
        "One run each can't distinguish a difference from chance; that takes at least 4 runs each.",
    ]


def test_what_single_runs_say_of_several_is_one_sentence_for_each_metric(runs: Runs) -> None:
    """Of two comparisons it takes 5 runs each: 2 · 2 / C(10, 5) = 0.016, 2 · 2 / C(8, 4) = 0.057."""
    for name, level in (("fiber", 1.0), ("chi", 0.88), ("gin", 2.5)):
        runs.add(labels={"framework": name}, throughput=100.0 * level, latency=0.1 / level)
    assert said(runs, "framework", "framework=fiber") == [
        "gin answered 2.5 times and chi 0.88 times as many requests as fiber (one run each).",
        "Mean latency of gin was 0.40 times and of chi 1.14 times that of fiber (one run each).",
        "One run each can't distinguish a difference from chance; that takes at least 5 runs each.",
    ]


def test_names_that_differ_in_numbers_are_said_in_their_order(runs: Runs) -> None:
    for name, level in (("v1", 1.0), ("v2", 1.25), ("v10", 2.0)):
        runs.several([100 * level], framework=name)
    assert said(runs, "framework", "framework=v1")[0] == (
        "v2 answered 1.25 times and v10 2.0 times as many requests as v1 (one run each)."
    )


def test_settings_without_a_name_are_said_one_after_the_other(runs: Runs) -> None:
    for gogc, level in (("100", 1.0), ("200", 1.25), ("400", 1.5)):
        runs.several([100 * level], gogc=gogc)
    assert said(runs, "gogc", None)[0] == "There are too few runs for ranks; name a baseline to see ratios."
    assert said(runs, "gogc", "gogc=100")[0] == (
        "Throughput with GOGC=200 was 1.25 times and with GOGC=400 1.50 times that with GOGC=100 (one run each)."
    )


def test_a_run_beside_several_is_a_single_run(runs: Runs) -> None:
    runs.several([100.0, 101.0], input="old")
    runs.several([200.0], input="new")
    sentences = said(runs, "input", "input=old")
    assert sentences[0].endswith(" times as many requests as old (1 and 2 runs).")
    assert sentences[1].startswith("A single run can't distinguish a difference from chance; that takes at least ")


def test_three_runs_each_are_too_few(runs: Runs) -> None:
    runs.several([100.0, 101.0, 102.0], input="old")
    runs.several([200.0, 202.0, 204.0], input="new")
    [sentence] = said(runs, "input", "input=old")
    assert sentence.startswith("new answered 2.0 times as many requests as old (")
    assert "(p = 0.1, 3 runs each, none overlapping): too few runs to tell; about " in sentence


def test_three_runs_each_that_overlap(runs: Runs) -> None:
    runs.several([100.0, 101.0, 102.0], input="old")
    runs.several([101.5, 102.0, 104.0], input="new")
    [sentence] = said(runs, "input", "input=old")
    assert ", 3 runs each): too few runs to tell; about " in sentence


def test_what_is_decided_is_said_first_then_what_does_not_overlap(runs: Runs) -> None:
    runs.several([100.0 * step for step in STEPS], input="old")
    runs.several([100.5 * step for step in STEPS], input="same")
    runs.several([150.0 * step for step in STEPS[:2]], input="few")
    runs.several([200.0 * step for step in STEPS], input="fast")
    assert [sentence.split()[0] for sentence in said(runs, "input", "input=old")] == ["fast", "few", "Throughput"]


def test_what_runs_too_few_say_of_several_gives_the_smallest_p_and_all_runs_that_would_tell(runs: Runs) -> None:
    """p of three each that do not overlap is 2 / C(6, 3) = 0.1, of two comparisons by Holm 0.2; two that overlap in
    one pair have U = 1, p = 2 · 2 / 20 = 0.2: it stays 0.2.
    """
    runs.several([100.0, 101.0, 102.0], input="old")
    runs.several([200.0, 202.0, 204.0], input="new")
    runs.several([300.0, 302.0, 304.0], input="newer")
    [sentence] = said(runs, "input", "input=old")
    assert sentence == (
        "newer answered 3.0 times and new 2.0 times as many requests as old (adjusted p = 0.2, 3 runs each, none "
        "overlapping): too few runs to tell; about 5 runs each would show a difference of this size."
    )


def test_a_ratio_on_the_other_side_of_1_than_the_medians_is_explained(runs: Runs) -> None:
    """The medians are 100 and 99. Of the nine quotients 98/101, 98/100, 99/101 and 99/100 are below 98/90, the fifth."""
    runs.several([90.0, 100.0, 101.0], input="old")
    runs.several([98.0, 99.0, 112.0], input="new")
    table = wp.compare(runs.dataset(), rows="input", baseline="input=old")
    ratio = float(table.cells.set_index("input").loc["new", "ratio"])
    assert ratio == pytest.approx(98 / 90)
    assert "ratio: the median of the quotients of all pairs of runs, not the quotient of the medians" in cautions(table)
    runs.several([200.0, 201.0, 202.0], input="newer")
    only = wp.compare(runs.dataset(), rows="input", baseline="input=old", where="input <> 'new'")
    assert not any(note.startswith("ratio:") for note in cautions(only))


@pytest.mark.parametrize(
    ("labels", "over"),
    [
        ([{"connections": 8}, {"connections": 64}], "Across 8 and 64 connections, "),
        ([{"gogc": "50"}, {"gogc": "100"}, {"gogc": "200"}], "Across GOGC=50, 100 and 200, "),
        ([{"alloc": "10"}, {"alloc": "500"}], "Across alloc=10 and 500, "),
        ([{"heading": "small page"}, {"heading": "large page"}], "Across “large page” and “small page”, "),
        ([{"connections": c, "gogc": g} for c, g in ((8, "50"), (8, "100"), (64, "50"))], "Across 3 settings, "),
        ([{"connections": 8 * n} for n in range(1, 5)], "Across 4 settings, "),
        ([{"go_version": "1.21"}, {"go_version": "1.22"}], "Across 2 settings, "),
    ],
)
def test_settings_are_named_where_one_label_tells_them_apart(
    runs: Runs, labels: list[dict[str, object]], over: str
) -> None:
    for place in labels:
        for name, level in (("old", 1.0), ("new", 2.0)):
            runs.several([100.0 * level], input=name, **place)
    assert said(runs, "input", "input=old")[0].startswith(over)


def test_a_value_of_0_in_several_settings_has_no_ratio_and_is_no_share(runs: Runs) -> None:
    """ab prints whole milliseconds: 0 of both servers at one connection."""
    for connections, values in ((1, (0.0, 0.001)), (10, (0.003, 0.002))):
        for name, value in zip(("old", "new"), values, strict=True):
            runs.add(labels={"input": name, "connections": connections}, latency=value)
    sentences = said(runs, "input", "input=old", metric="latency")
    assert not any("fewer" in sentence or "more in" in sentence for sentence in sentences)
    assert sentences[0].startswith("Across 1 and 10 connections, mean latency of new and old has no ratio")


def test_printed_digits_that_could_make_the_difference_are_named() -> None:
    runs = Runs(resolution=0.0005)  # ab's whole milliseconds: 1.49 ms and 1.51 ms
    for name, value in (("old", 0.001), ("new", 0.002)):
        for _ in range(6):
            runs.add(labels={"input": name}, latency=value)
    [sentence] = said(runs, "input", "input=old", metric="latency")
    begin = "Mean latency of new and old can't be told apart: the printed digits alone could make the difference (2×, "
    assert sentence.startswith(begin)


def test_all_settings_together_stand_for_each(runs: Runs) -> None:
    """Three of each in six settings, all on one side: p = 2 · (1 / C(6, 3))⁶ = 3·10⁻⁸."""
    for connections in (1, 2, 4, 8, 16, 32):
        runs.several([100.0, 101.0, 102.0], framework="nginx", connections=connections)
        runs.several([50.0, 50.5, 51.0], framework="go", connections=connections)
    [sentence] = said(runs, "framework", "framework=nginx")
    assert re.fullmatch(
        r"Across 6 settings, nginx answers 2\.0 times as many requests as go \(1\.98–2\.02, p < 0\.0001\), "
        r"higher in all 6\.",
        sentence,
    )


@pytest.mark.parametrize(
    ("base", "told"),
    [
        ("go", "go answers 2.0 times as many requests as nginx"),
        ("main", "nginx answers 0.50 times as many requests as main"),
    ],
)
def test_the_faster_stands_first_unless_the_baseline_is_one_by_its_name(runs: Runs, base: str, told: str) -> None:
    runs.several([100.0 * step for step in STEPS], framework=base)
    runs.several([50.0 * step for step in STEPS], framework="nginx")
    [sentence] = said(runs, "framework", f"framework={base}")
    assert sentence.startswith(told)


def test_two_settings_of_one_run_are_too_few_and_one_run_each_is_said_once(runs: Runs) -> None:
    for connections in (8, 64):
        for name, level in (("old", 1), ("new", 2)):
            runs.add(labels={"input": name, "connections": connections}, throughput=100.0 * level, latency=0.1 * level)
    assert said(runs, "input", "input=old") == [
        (
            "Across 8 and 64 connections, new answered 2.0 times as many requests as old, higher in both, "
            "but that is too few to tell (p = 0.5)."
        ),
        (
            "Across 8 and 64 connections, mean latency of new was 2.0 times that of old, higher in both, "
            "but that is too few to tell (p = 0.5)."
        ),
        "One run each describes only these runs, not the next one.",
    ]


def test_settings_that_differ_are_told_with_their_extremes(runs: Runs) -> None:
    for connections, level in ((8, 1.5), (64, 2.0), (512, 4.0)):
        runs.several([100 * step for step in STEPS], input="old", connections=connections)
        runs.several([100 * level * step for step in STEPS], input="new", connections=connections)
    sentences = said(runs, "input", "input=old")
    # no ratio over all settings, which would describe none of them, and no interval of it
    assert sentences[0].startswith(
        "Across 8, 64 and 512 connections, new answers 1.50 to 4.0 times as many requests as old (p"
    )
    assert sentences[0].endswith(", higher in all 3.")
    assert sentences[1:] == [
        (
            "The settings differ from each other (p < 0.0001): 1.50 times at 8 connections to 4.0 times at 512 "
            "connections."
        )
    ]


def test_where_settings_disagree_and_tell_nothing_together_only_what_it_depends_on_is_said(runs: Runs) -> None:
    for connections, level in ((8, 0.5), (64, 1.5), (512, 4.0)):
        runs.several([100 * step for step in STEPS], input="old", connections=connections)
        runs.several([100 * level * step for step in STEPS], input="new", connections=connections)
    # the ratio over all settings, which has no verdict, describes none of them
    assert said(runs, "input", "input=old") == [
        (
            "Throughput of new against old depends on the number of connections (p < 0.0001): 0.50 times at 8 "
            "connections to 4.0 times at 512 connections."
        )
    ]


def test_settings_that_differ_where_each_alone_has_too_few_runs_say_both(runs: Runs) -> None:
    """Of three runs each, no ranks are rarer than 2 in 20: no setting alone can be decided at 0.05."""
    for connections, level in ((8, 0.5), (64, 1.5), (512, 4.0)):
        runs.several([100, 101, 102], input="old", connections=connections)
        runs.several([100 * level, 101 * level, 102 * level], input="new", connections=connections)
    assert said(runs, "input", "input=old")[0] == (
        "Throughput of new against old depends on the number of connections (p < 0.0001): 0.50 times at 8 connections "
        "to 4.0 times at 512 connections. All settings together show that; each alone has too few runs for a verdict."
    )


def test_runs_that_are_too_few_for_any_verdict_do_not_show_that_settings_differ(runs: Runs) -> None:
    """Of two runs each in two settings, no ranks are rarer than 2 in 6 × 6: 0.056."""
    for connections, level in ((8, 0.5), (64, 4.0)):
        runs.several([100, 101], input="old", connections=connections)
        runs.several([100 * level, 101 * level], input="new", connections=connections)
    text = " ".join(said(runs, "input", "input=old"))
    assert "too few to tell" in text
    assert "p <" not in text
    assert "depends on" not in text


@pytest.mark.parametrize(("key", "values", "words"), [
    ("machine", ("big box", "laptop"), "The runs of emu on laptop are compared with those of kiwi on big box"),
    ("cores", (2, 4), "The runs of emu on 4 cores are compared with those of kiwi on 2 cores"),
    ("path", ("/", "/json"), "The runs of emu for /json are compared with those of kiwi for /"),
    ("gogc", ("100", "400"), "The runs of emu with GOGC=400 are compared with those of kiwi with GOGC=100"),
])  # fmt: skip
def test_what_was_measured_elsewhere_or_with_other_requests_is_said_first_and_in_no_title(
    runs: Runs, key: str, values: tuple[str | int, str | int], words: str
) -> None:
    for name, value, level in zip(("kiwi", "emu"), values, (1, 2), strict=True):
        runs.several([100 * level * step for step in STEPS], **{"framework": name, key: value})
    table = wp.compare(runs.dataset(), rows="framework", baseline="framework=kiwi")
    assert next(iter(table.sentences)) == f"{words}: that alone may make a difference."
    assert headline(table) is None
    differing = {"cores": "the number of cores", "gogc": "GOGC"}
    assert undecided_words(table) == f"they differ in {differing.get(key, f'the {key}')}, too"


@pytest.mark.parametrize(("key", "values", "words"), [
    ("threads", (2, 4), "The runs of emu with 4 threads are compared with those of kiwi with 2 threads"),
    ("duration_s", (10, 60), "The runs of emu that took 60 s are compared with those of kiwi that took 10 s"),
])  # fmt: skip
def test_other_threads_or_another_duration_are_said_behind_the_answer(
    runs: Runs, key: str, values: tuple[int, int], words: str
) -> None:
    for name, value, level in zip(("kiwi", "emu"), values, (1, 2), strict=True):
        runs.several([100 * level * step for step in STEPS], **{"framework": name, key: value})
    table = wp.compare(runs.dataset(), rows="framework", baseline="framework=kiwi")
    answer, caution = table.sentences
    assert answer == "emu answers 2.0 times as many requests as kiwi (1.9–2.1, p = 0.0079, 5 runs each)."
    assert caution == f"{words}: that alone may make a difference."
    assert headline(table) is None


def test_of_ratios_without_a_verdict_those_of_one_load_come_first(runs: Runs) -> None:
    for path, level in (("/a", 1), ("/b", 2), ("/c", 3)):
        for name, threads, times in (("kiwi", 2, 1), ("emu", 4, level), ("moa", 2, 4)):
            if path != "/c" or name != "emu":
                labels = {"framework": name, "path": path, "threads": threads}
                runs.add(labels=labels, throughput=100.0 * level * times)
    answers = said(runs, "framework", "framework=kiwi", columns="path")
    assert answers[0].startswith("Across /a, /b and /c, moa answered 4.0 times as many requests as kiwi")
    assert "emu answered" in answers[1]


@pytest.mark.parametrize(("level", "is_first"), [(1, False), (9, True)])
def test_another_load_of_one_of_many_is_said_first_if_that_one_is_the_best(
    runs: Runs, level: int, *, is_first: bool
) -> None:
    for at, name in enumerate(("kiwi", "emu", "tapir", "okapi", "quoll"), 2):
        is_other = name == "quoll"
        runs.several(
            [100 * (level if is_other else at) * step for step in STEPS],
            framework=name,
            cores=4 if is_other else 2,
        )
    said = wp.compare(runs.dataset(), rows="framework", baseline="framework=kiwi").sentences
    caution = (
        "The runs of quoll on 4 cores are compared with those of kiwi on 2 cores: that alone may make a difference."
    )
    assert (said.index(caution) == 0) is is_first


def test_no_loads_are_compared_where_no_run_is_left_to_compare(runs: Runs) -> None:
    for name, connections in (("kiwi", 8), ("emu", 64)):
        runs.add(verdict="invalid", labels={"framework": name, "connections": connections}, throughput=100.0)
    assert said(runs, "framework", "framework=kiwi") == [
        "No run is left to compare: the audit finds both runs invalid."
    ]


def test_of_many_servers_at_another_load_the_sentence_on_each_says_so(runs: Runs) -> None:
    runs.several([10.0], framework="kiwi", connections=100)
    for place, name in enumerate(("emu", "fern", "moss", "wren")):
        runs.several([200.0 * 2**place], framework=name, connections=1000)
    assert said(runs, "framework", "framework=kiwi")[:3] == [
        (
            "The runs of 4 others at 1000 connections are compared with those of kiwi at 100 connections: that alone may "
            "make a difference."
        ),
        (
            "Throughput, best first: wren 1.600k requests/s, moss 800.0 requests/s, fern 400.0 requests/s, emu 200.0 "
            "requests/s, kiwi 10.00 requests/s (one run each; at 100 to 1000 connections)."
        ),
        "At 1000 against 100 connections, wren answered 160 times and emu 20 times as many requests as kiwi (one run each).",
    ]


def test_where_each_setting_has_connections_of_its_own_for_each_server_they_are_said(runs: Runs) -> None:
    for machine, level in (("alder", 1), ("birch", 2)):
        runs.several([100.0 * level], framework="kiwi", go_version=machine, connections=8 * level)
        runs.several([200.0 * level], framework="emu", go_version=machine, connections=32 * level)
    sentences = said(runs, "framework", "framework=kiwi", columns="go_version")
    assert sentences[0].startswith("At other numbers of connections, across ")


def test_the_identifiers_of_two_records_in_a_path_are_no_other_load(runs: Runs) -> None:
    records = ("4f175a78-2879-4a11-8603-9f64071356f7", "e5665f03-b82f-4986-8e10-db4386266791")
    paths = [{"path": f"/user/{record}"} for record in records]
    assert two_servers(runs, paths[0], paths[1]).startswith("emu answers 2.0 times")
    sizes = [{"path": f"/bytes/{size}"} for size in (1024, 1048576)]
    assert two_servers(Runs(), sizes[0], sizes[1]).startswith("The runs of emu for /bytes/1048576 are compared")


def test_who_is_the_best_in_each_setting_is_said_where_no_difference_is_decided(runs: Runs) -> None:
    for connections, level in ((1, 1), (10, 3), (50, 2)):
        for place, name in enumerate(("kiwi", "emu", "fern", "moss", "wren")):
            labels = {"framework": name, "connections": connections}
            runs.add(labels=labels, throughput=1000.0 * level / (place + 1), latency=0.001 * (place + 1) * level)
    found = said(runs, "framework", "framework=emu", columns="connections")
    assert found[0] == (
        "Throughput: kiwi was highest in all 3 settings, 3.000k requests/s at 10 connections at best (one run each)."
    )
    assert "Mean latency: kiwi was lowest in all 3 settings, 1.000 ms at 1 connection at best (one run each)." in found
    runs.add(labels={"framework": "moss", "connections": 100}, throughput=70.0)
    runs.add(labels={"framework": "wren", "connections": 100}, throughput=71.0)
    found = said(runs, "framework", "framework=emu", columns="connections")
    assert found[0] == (
        "Throughput: highest was kiwi in 3 and wren in 1 of 4 settings; the best was 3.000k requests/s at 10 connections "
        "(one run each)."
    )


def test_a_setting_in_which_some_runs_do_not_count_has_no_best(runs: Runs) -> None:
    for connections, level in ((1, 1), (10, 3), (50, 2)):
        for place, name in enumerate(("kiwi", "emu", "fern", "moss", "wren")):
            verdict = "invalid" if (name, connections) == ("kiwi", 50) else "ok"
            labels = {"framework": name, "connections": connections}
            runs.add(verdict=verdict, labels=labels, throughput=1000.0 * level / (place + 1))
    assert said(runs, "framework", "framework=emu", columns="connections")[0] == (
        "Throughput: kiwi was highest in both settings in which all runs count, 3.000k requests/s at 10 connections at "
        "best (one run each)."
    )


def test_a_rate_that_was_asked_for_and_reached_stands_behind_the_latency(runs: Runs) -> None:
    """999.99/s and 1000/s are equal to 1.00 times: an open loop sends so many."""
    for name, throughput, latency in (("kiwi", 1000.0, 0.002), ("emu", 999.99, 0.001)):
        runs.add(labels={"tool": "vegeta", "loop": "open", "framework": name}, throughput=throughput, latency=latency)
    assert said(runs, "framework", "framework=kiwi")[:2] == [
        "Mean latency of emu was 0.50 times that of kiwi (one run each).",
        "All runs answered as many requests as were sent, so their throughput does not tell them apart.",
    ]
    closed = Runs()
    for name, throughput in (("kiwi", 1000.0), ("emu", 999.99)):
        closed.add(labels={"loop": "closed", "framework": name}, throughput=throughput, latency=0.001)
    assert said(closed, "framework", "framework=kiwi")[0].startswith("emu answered 1.0000 times")


def test_a_range_whose_ends_are_equal_is_one_number(runs: Runs) -> None:
    for connections, level in ((8, 1.0), (64, 0.99999)):
        runs.several([1000.0], framework="kiwi", connections=connections)
        runs.several([1000.0 * level], framework="emu", connections=connections)
    assert " answered 1.000 times as many" in said(runs, "framework", "framework=kiwi", columns="connections")[0]


def test_a_share_beside_that_of_runs_without_a_name_reads_as_a_sentence(runs: Runs) -> None:
    for name, late in ((None, 1.0), ("emu", 3.0)):
        runs.add(labels={"framework": name}, throughput=100.0, requests=100.0, errors_timeout=late)
    found = list(wp.compare(runs.dataset(), rows="framework", baseline="framework=", metric="errors_timeout").sentences)
    assert found[0] == (
        "Requests that took longer than the time-out: 3 % of the requests of emu, 1 % of those in runs without a name (one "
        "run each); that is too few to tell."
    )


def test_a_metric_that_one_server_alone_states_says_so(runs: Runs) -> None:
    runs.add(labels={"framework": "kiwi", "rate": 300}, throughput=300.0, latency=0.001)
    runs.add(labels={"framework": "kiwi", "rate": 400}, throughput=400.0)
    runs.add(labels={"framework": "emu", "rate": 400}, throughput=200.0)
    found = said(runs, "framework", "framework=kiwi", columns="rate", metric="throughput,latency_mean")
    assert "Mean latency: only runs of kiwi state any." in found


def test_a_port_that_one_run_does_not_say_is_no_setting(runs: Runs) -> None:
    for name, port in (("kiwi", "8080"), ("kiwi", "8080"), ("emu", "8081"), ("emu", None)):
        runs.add(labels={"framework": name, "port": port}, throughput=100.0 if name == "kiwi" else 200.0)
    table = wp.compare(runs.dataset(), baseline="framework=kiwi")
    assert table.separated == ()
    assert table.sentences[0].startswith("emu answered 2.0 times as many requests as kiwi ")


def test_one_run_of_many_that_states_the_rate_is_not_the_only_run(runs: Runs) -> None:
    runs.add(labels={"framework": "old"}, throughput=100.0, requests=1000.0)
    for count in (1100.0, 1200.0):
        runs.add(labels={"framework": "new"}, requests=count)
    with pytest.raises(TooLittleError, match=r"only one of 3 runs states throughput: .* all state requests, which"):
        wp.compare(runs.dataset())
    [sentence, *_] = wp.compare(runs.dataset(), metric="requests").sentences
    assert sentence.startswith("Requests completed of new was 1.15 times")
    runs.add(labels={"framework": "new"}, latency=0.001)  # now there is nothing that all state
    with pytest.raises(NothingToCompareError, match=r"only one of 4 runs states throughput: nothing to compare\Z"):
        wp.compare(runs.dataset(), metric="throughput")


def two_servers(runs: Runs, kiwi: dict[str, object], emu: dict[str, object]) -> str:
    """The first sentence on two servers, emu at twice kiwi's rate, with labels of their own."""
    for name, level, labels in (("kiwi", 1, kiwi), ("emu", 2, emu)):
        runs.several([100 * level * step for step in STEPS], framework=name, **labels)
    return said(runs, "framework", "framework=kiwi")[0]


def test_requests_through_the_network_are_no_match_for_those_on_the_machine(runs: Runs) -> None:
    urls = [{"url": f"http://{host}:8080/", "path": "/"} for host in ("127.0.0.1", "10.0.0.5")]
    assert two_servers(runs, urls[0], urls[1]) == (
        "The runs of emu for http://10.0.0.5:8080/ are compared with those of kiwi for http://127.0.0.1:8080/: "
        "that alone may make a difference."
    )


@pytest.mark.parametrize("hosts", [("10.0.0.4", "10.0.0.5"), ("127.0.0.1", "localhost"), ("kiwi.local", "emu.local")])
def test_two_servers_may_have_two_addresses(runs: Runs, hosts: tuple[str, str]) -> None:
    urls = [{"url": f"http://{host}:8080/", "path": "/"} for host in hosts]
    assert two_servers(runs, urls[0], urls[1]).startswith("emu answers 2.0 times")


@pytest.mark.parametrize(("tool", "key", "typed"), [
    ("ab", "flag_k", "-k"),
    ("oha", "flag_disable_keepalive", "--disable-keepalive"),
    ("fortio", "flag_keepalive", "-keepalive"),
])  # fmt: skip
def test_connections_that_are_kept_are_no_match_for_new_ones(runs: Runs, tool: str, key: str, typed: str) -> None:
    both = {"tool": tool, "flag_requests": "1000", "url": "http://127.0.0.1/"}
    assert two_servers(runs, both, both | {key: "true"}) == (
        f"The runs of emu with {typed} are compared with those of kiwi without {typed}: that alone may make a difference."
    )


def test_an_option_of_another_tool_is_not_keep_alive_and_unknown_options_were_not_left_out(runs: Runs) -> None:
    both = {"tool": "wrk", "flag_requests": "1000"}
    assert two_servers(runs, both, both | {"flag_k": "true"}).startswith("emu answers 2.0 times")
    unknown = {"tool": "ab", "url": "http://127.0.0.1/"}  # as ab prints it
    assert two_servers(Runs(), unknown, unknown | {"flag_k": "true"}).startswith("emu answers 2.0 times")


def test_threads_follow_from_the_connections_that_are_compared(runs: Runs) -> None:
    for connections, threads, level in ((8, 2, 1), (64, 4, 2)):
        runs.several([100 * level * step for step in STEPS], connections=connections, threads=threads)
    assert said(runs, "connections", "connections=8")[0].startswith("Throughput at 64 connections is 2.0 times")


def test_a_server_that_kept_the_requested_rate_may_answer_more(runs: Runs) -> None:
    steps = [1.001**step for step in range(5)]
    runs.several([1000 * step for step in steps], framework="kiwi", rate=1000)
    runs.several([500 * step for step in steps], framework="emu", rate=1000)
    assert said(runs, "framework", "framework=emu") == [
        "kiwi answers 2.0 times as many requests as emu (1.99–2.01, p = 0.0079, 5 runs each).",
        "kiwi reached the requested 1.000k requests/s and may answer more: its lead is at least this large.",
    ]


@pytest.mark.parametrize(("level", "tells"), [(0.98, False), (0.5, True), (1.5, True)])
def test_throughput_tells_nothing_of_runs_that_all_reached_the_requested_rate(
    runs: Runs, level: float, tells: bool
) -> None:
    steps = [1.001**step for step in range(5)]
    runs.several([1000 * step for step in steps], framework="kiwi", rate=1000)
    runs.several([1000 * level * step for step in steps], framework="emu", rate=1000)
    [sentence, *_] = said(runs, "framework", "framework=kiwi")
    asked = "All runs reached the requested 1.000k requests/s, so their throughput does not tell them apart."
    assert (sentence != asked) == tells


@pytest.mark.parametrize(("level", "tells"), [(0.99, False), (0.5, True)])
def test_throughput_tells_nothing_of_runs_that_reached_rates_of_their_own(
    runs: Runs, level: float, tells: bool
) -> None:
    """At 2000 requests/s 1980 are within the tolerance of 3 %, 1000 are not."""
    for rate, reached in ((1000, 1.0), (2000, level)):
        runs.several([rate * reached * 1.001**step for step in range(5)], framework="kiwi", rate=rate)
    asked = "All runs reached the requested rates, so their throughput does not tell them apart."
    assert (asked in said(runs, "rate", "rate=1000")) != tells


@pytest.mark.parametrize(("level", "tells"), [(0.98, False), (0.5, True)])
def test_a_ratio_of_runs_that_reached_rates_of_their_own_tells_nothing(runs: Runs, level: float, tells: bool) -> None:
    """Asked for 1000 and 8000 requests/s. At 0.5, emu answers 4000, and kiwi was not asked for as many."""
    runs.add(labels={"framework": "kiwi", "rate": 1000}, throughput=1000.0)
    runs.add(labels={"framework": "emu", "rate": 8000}, throughput=8000 * level)
    found = said(runs, "framework", "framework=kiwi")
    asked = "All runs reached the requested rates, so their throughput does not tell them apart."
    assert (asked in found) != tells
    assert ("emu answered 4.0 times as many requests as kiwi (one run each)." in found) == tells
    kept = "kiwi reached the requested rate and may answer more, so the ratio says little of the servers."
    assert (kept in found) == tells


@pytest.mark.parametrize(("kiwi", "emu", "tells"), [(960.0, 961.0, False), (960.0, 990.0, True), (940.0, 941.0, True)])
def test_runs_that_fall_short_of_the_rate_by_the_same_part_answered_what_was_sent(
    runs: Runs, kiwi: float, emu: float, tells: bool
) -> None:
    """4.0 and 3.9 % below 1000, 4 and 1 %, 6.0 and 5.9 %."""
    runs.add(labels={"framework": "kiwi", "rate": 1000}, throughput=kiwi)
    runs.add(labels={"framework": "emu", "rate": 1000}, throughput=emu)
    asked = "All runs answered as many requests as were sent, so their throughput does not tell them apart."
    found = said(runs, "framework", "framework=kiwi")
    assert (asked in found) != tells
    assert not any(sentence.startswith("All runs reached") for sentence in found)


def test_settings_in_which_all_reached_the_rate_are_no_evidence(runs: Runs) -> None:
    """At 1000 requests/s both answer what was asked for; at 3000 emu does not keep up: 3000 / 2000 is 1.5."""
    for name, level in (("emu", 2000.0), ("kiwi", 3000.0)):
        runs.add(labels={"framework": name, "rate": 1000}, throughput=1000.0)
        runs.add(labels={"framework": name, "rate": 3000}, throughput=level)
    assert said(runs, "framework", "framework=emu", columns="rate")[:2] == [
        "kiwi answered 1.50 times as many requests as emu at 3000 requests per second (one run each).",
        "All runs at 1000 requests per second reached the requested rate, so their throughput does not tell them apart.",
    ]


def test_a_setting_at_the_requested_rate_does_not_part_the_others(runs: Runs) -> None:
    """The verdict is that of the two rates which emu does not keep: 3000 / 2000 and 4000 / 2000."""
    for name, levels in (("emu", (1000.0, 2000.0, 2000.0)), ("kiwi", (1000.0, 3000.0, 4000.0))):
        for rate, level in zip((1000, 3000, 4000), levels, strict=True):
            runs.several([level * 1.001**step for step in range(5)], framework=name, rate=rate)
    first, *others = said(runs, "framework", "framework=emu", columns="rate")
    assert first.startswith("Across 3000 and 4000 requests per second, kiwi answers ")
    assert "higher in both" in first
    assert (
        "All runs at 1000 requests per second reached the requested rate, so their throughput does not tell them apart."
    ) in others


def test_two_that_reached_the_rate_are_not_compared_though_a_third_did_not(runs: Runs) -> None:
    """Both answer 1000 requests/s at 1000, where wren answers 500: kiwi and emu differ at 3000 only."""
    for name, levels in (("emu", (1000.0, 2000.0)), ("kiwi", (1000.0, 3000.0)), ("wren", (500.0, 500.0))):
        for rate, level in zip((1000, 3000), levels, strict=True):
            runs.add(labels={"framework": name, "rate": rate}, throughput=level)
    found = said(runs, "framework", "framework=emu", columns="rate")
    assert "kiwi answered 1.50 times as many requests as emu at 3000 requests per second (one run each)." in found
    assert not any("Across" in sentence and "kiwi" in sentence for sentence in found)


def test_two_that_reached_the_only_rate_are_not_compared(runs: Runs) -> None:
    for name, level in (("emu", 1000.0), ("kiwi", 999.0), ("wren", 500.0)):
        runs.add(labels={"framework": name, "rate": 1000}, throughput=level)
    found = said(runs, "framework", "framework=emu")
    assert found[0] == "wren answered 0.50 times as many requests as emu (one run each)."
    assert not any("kiwi" in sentence for sentence in found)


def test_where_one_server_alone_missed_its_rate_nothing_is_compared(runs: Runs) -> None:
    for name in ("emu", "kiwi"):
        runs.add(labels={"framework": name, "rate": 1000}, throughput=1000.0)
    runs.add(labels={"framework": "emu", "rate": 3000}, throughput=2000.0)
    assert said(runs, "framework", "framework=emu", columns="rate")[0] == (
        "All runs at 1000 requests per second reached the requested rate, so their throughput does not tell them apart."
    )


def test_those_without_the_baseline_say_their_connections(runs: Runs) -> None:
    runs.add(labels={"framework": "emu", "workers": "1", "connections": 8}, throughput=100.0)
    for name, connections in (("kiwi", 8), ("wren", 64)):
        runs.add(labels={"framework": name, "workers": "4", "connections": connections}, throughput=300.0)
    assert (
        "Throughput with workers=4, best first: kiwi 300.0 requests/s, wren 300.0 requests/s (one run each; at 8 to 64 "
        "connections)."
    ) in said(runs, "framework", "framework=emu", columns="workers")


def test_connections_divide_variants_of_one_server_as_they_divide_servers(runs: Runs) -> None:
    """What was measured at 100 connections was not measured at 1000, and has a variant that the others lack."""
    for labels in ({"framework": "kiwi"}, {"framework": "kiwi", "heading": "pool"}, {"framework": "emu"}):
        runs.add(labels={**labels, "connections": 100}, throughput=100.0)
    for name in ("wren", "moss"):
        runs.add(labels={"framework": name, "connections": 1000}, throughput=300.0)
    table = wp.compare(runs.dataset())
    assert (table.rows, table.columns) == (("framework", "heading"), ("connections",))


def test_an_address_that_distinguishes_no_runs_is_not_unknown(runs: Runs) -> None:
    for server, port in (("kiwi/1", 5000), ("emu/2", 5000), (None, 3000), (None, 8080)):
        labels = {"server_software": server, "url": f"http://localhost:{port}/"}
        runs.add(labels={key: value for key, value in labels.items() if value}, throughput=float(port))
    [sentence, *_] = wp.compare(runs.dataset()).sentences
    assert "unknown URL" not in sentence


def test_servers_that_are_called_as_their_paths_are_not_measured_differently(runs: Runs) -> None:
    for name, level in (("cached", 1), ("plain one", 2)):
        runs.several([100 * level * step for step in STEPS], framework=name, path=f"/{name.split()[0]}")
    table = wp.compare(runs.dataset(), rows="framework", baseline="framework=cached")
    assert next(iter(table.sentences)).startswith("plain one answers 2.0 times as many requests as cached")


def test_where_settings_disagree_the_ratio_of_all_together_comes_second(runs: Runs) -> None:
    for connections, level in ((8, 0.99), (64, 2.0), (512, 4.0)):
        runs.several([100 * step for step in STEPS], input="old", connections=connections)
        runs.several([100 * level * step for step in STEPS], input="new", connections=connections)
    sentences = said(runs, "input", "input=old")
    assert sentences[0] == (
        "Throughput of new against old depends on the number of connections (p < 0.0001): 0.990 times at 8 connections "
        "to 4.0 times at 512 connections."
    )
    assert sentences[1].startswith("Across 8, 64 and 512 connections, new answers ")
    assert sentences[1].endswith(", higher in 2 and lower in 1 of 3.")
    assert len(sentences) == 2


def test_the_faster_of_two_comes_first_also_where_settings_disagree(runs: Runs) -> None:
    for connections, level in ((8, 1.01), (64, 0.5), (512, 0.25)):
        runs.several([100 * step for step in STEPS], framework="heron", connections=connections)
        runs.several([100 * level * step for step in STEPS], framework="kiwi", connections=connections)
    assert said(runs, "framework", "framework=heron")[0] == (
        "Throughput of heron against kiwi depends on the number of connections (p < 0.0001): 0.990 times at 8 "
        "connections to 4.0 times at 512 connections."
    )


def test_a_setting_that_names_nothing_depends_on_a_label_by_its_key(runs: Runs) -> None:
    for alloc, level in (("10", 0.5), ("500", 1.5), ("1000", 4.0)):
        runs.several([100 * step for step in STEPS], gogc="50", alloc=alloc)
        runs.several([100 * level * step for step in STEPS], gogc="400", alloc=alloc)
    assert said(runs, "gogc", "gogc=50")[0] == (
        "Throughput with GOGC=400 against GOGC=50 depends on alloc (p < 0.0001): 0.50 times with alloc=10 to 4.0 times "
        "with alloc=1000."
    )


def test_failures_are_said_as_shares_where_they_differ(runs: Runs) -> None:
    for name, failed in (("old", 0.0), ("new", 5.0)):
        for step in range(5):
            runs.add(labels={"input": name}, throughput=100.0 + step, requests=1000.0, errors_timeout=failed + step / 8)
    sentences = said(runs, "input", "input=old", metric="errors_timeout")
    assert sentences == [  # medians: 5.25 and 0.25 of 1000
        (
            "Requests that took longer than the time-out: 0.525 % of the requests of new, 0.025 % of those of old "
            "(p = 0.0079, 5 runs each): worse."
        )
    ]
    alike = Runs()
    for name in ("old", "new"):
        alike.add(labels={"input": name}, throughput=100.0, requests=1000.0, errors_timeout=3.0)
    assert said(alike, "input", "input=old", metric="errors_timeout") == []


def test_of_many_variants_the_best_and_the_worst_have_a_sentence(runs: Runs) -> None:
    for name, level in (("go", 1.0), ("a", 0.5), ("b", 1.5), ("c", 2.0), ("d", 3.0), ("e", 1.0)):
        runs.several([100 * level * 1.001**step for step in range(8)], framework=name)
    sentences = said(runs, "framework", "framework=go")
    # The median of eight is the mean of the fourth and the fifth: 1.001³ and 1.001⁴ times the level.
    assert sentences[0] == (
        "Throughput, best first: d 301.1 requests/s, c 200.7 requests/s, b 150.5 requests/s … a 50.18 requests/s "
        "(medians of these runs)."
    )
    assert sentences[1] == "Throughput, 5 comparisons with go: 3 better, 1 worse, 1 can't be told apart."
    assert sentences[2].startswith("d answers 3.0 times as many requests as go (2.99–3.01, adjusted p = 0.0")
    assert sentences[3].startswith("go answers 2.0 times as many requests as a (1.99–2.01, adjusted p = 0.0")
    assert len(sentences) == 4


def test_of_many_variants_in_several_settings_none_is_the_best_of_all(runs: Runs) -> None:
    for name, level in (("go", 1.0), ("a", 0.5), ("b", 1.5), ("c", 2.0), ("d", 3.0)):
        for connections in (8, 64):
            labels = {"framework": name, "connections": connections}
            runs.several([100 * level * connections * 1.001**step for step in range(8)], **labels)
    sentences = said(runs, "framework", "framework=go")
    assert sentences[0].startswith("Across 8 and 64 connections, d answers 3.0 times as many requests as go ")
    assert sentences[2] == "Throughput, 4 comparisons with go: 3 better, 1 worse."


def test_without_a_baseline_ranks_are_said(runs: Runs) -> None:
    runs.several([100 + step for step in range(6)], framework="go")
    runs.several([200 + step for step in range(6)], framework="nginx")
    assert said(runs, "framework", None) == ["Ranks by throughput: nginx 1, go 2."]
    few = Runs()
    few.several([100.0], framework="go")
    few.several([200.0], framework="nginx")
    assert said(few, "framework", None) == ["There are too few runs for ranks; name a baseline to see ratios."]


def test_runs_that_do_not_count_are_said_once(runs: Runs) -> None:
    for name in ("old", "new"):
        runs.add(labels={"input": name}, throughput=100.0, latency=0.1, verdict="invalid")
    expected = ["No run is left to compare: the audit finds both runs invalid."]
    assert said(runs, "input", "input=old") == said(runs, "input", None) == expected


def test_latencies_that_are_all_suspect_leave_the_throughput(runs: Runs) -> None:
    for name in ("old", "new"):
        runs.add(labels={"input": name}, throughput=100.0, latency=0.1, verdict="latency-suspect")
    assert said(runs, "input", "input=old")[1] == (
        "Mean latency: no run is left to compare: the audit finds the latencies of both runs suspect."
    )
    expected = "No run is left to compare: the audit finds both runs invalid, or their latencies suspect."
    assert said(runs, "input", "input=old", metric="latency") == [expected]


def test_invalid_runs_and_suspect_latencies_are_counted_each(runs: Runs) -> None:
    for name in ("old", "new"):
        for verdict in ("ok", "latency-suspect", "invalid"):
            throughput = 100.0 if verdict != "ok" or name == "old" else 101.0
            latency = {} if verdict == "ok" else {"latency": 0.1}
            runs.add(labels={"input": name}, throughput=throughput, verdict=verdict, **latency)
    assert (
        "Mean latency: no run is left to compare: the audit finds 2 of 4 runs invalid and the latencies of 2 suspect."
        in said(runs, "input", "input=old")
    )


def test_no_more_runs_are_invalid_than_state_a_metric(runs: Runs) -> None:
    for name, throughput in (("old", {"throughput": 100.0}), ("new", {"throughput": 90.0}), ("odd", {})):
        runs.add(labels={"input": name}, verdict="invalid", latency=0.1, **throughput)
    assert said(runs, "input", "input=old")[0] == "No run is left to compare: the audit finds both runs invalid."


def test_where_the_audit_leaves_no_pair_other_labels_are_not_blamed(runs: Runs) -> None:
    """Of the four places two have a run that counts, but not in one setting: ignoring the label would mix settings."""
    for name, connections, verdict in (("a", 8, "ok"), ("b", 8, "invalid"), ("a", 64, "invalid"), ("b", 64, "ok")):
        runs.add(labels={"framework": name, "connections": connections}, throughput=100.0, verdict=verdict)
    expected = ["No comparison is left: the audit finds 2 of 4 runs invalid."]
    assert said(runs, "framework", "framework=a") == expected


def test_the_first_run_that_counts_is_the_baseline(runs: Runs) -> None:
    for name, verdict in (("a", "invalid"), ("b", "ok"), ("c", "ok")):
        runs.add(labels={"framework": name}, throughput=100.0, verdict=verdict)
    assert wp.compare(runs.dataset()).baseline == {"framework": "b"}
    assert wp.compare(runs.dataset(), include_invalid=True).baseline == {"framework": "a"}


def test_runs_without_a_name_are_no_baseline_of_those_with_one(runs: Runs) -> None:
    for name in (None, "heron", "wren"):
        runs.add(labels={"framework": name} if name else {}, throughput=100.0)
    assert wp.compare(runs.dataset()).baseline == {"framework": "heron"}


@pytest.mark.parametrize(
    ("key", "values", "baseline"),
    [
        ("framework", ("slab-alloc", "trunk"), "trunk"),
        ("framework", ("arena", "kiwi-main"), "kiwi-main"),
        ("framework", ("with pooling", "without pooling"), "without pooling"),
        ("heading", ("cache", "no cache"), "no cache"),
        ("framework", ("nodes", "notes"), "nodes"),
        ("gogc", ("50", "100", "200"), "100"),
        ("gogc", ("off", "50"), "50"),
        ("connections", (256, 64, 1024), "64"),
        ("workers", ("8", "16", "many"), "8"),
        ("gogc", ("400", "50", "off"), "50"),
        ("framework", ("swift", "no-op proxy"), "swift"),
        ("framework", ("nachher", "vorher"), "vorher"),
        ("framework", ("canary", "stable"), "stable"),
        ("framework", ("feature-x", "prod"), "prod"),
        ("framework", ("HEAD", "HEAD~1"), "HEAD~1"),
        ("framework", ("post", "pre"), "pre"),
        ("framework", ("cache", "no-cache"), "no-cache"),
        ("framework", ("opt", "orig"), "orig"),
        ("framework", ("fork", "upstream"), "upstream"),
        ("framework", ("cluster", "single"), "single"),
        ("framework", ("async-io", "sync"), "sync"),
        ("framework", ("optimized", "unoptimized"), "unoptimized"),
        ("framework", ("batched", "naive"), "naive"),
        ("framework", ("naive", "old"), "old"),
        ("framework", ("cache enabled", "cache disabled"), "cache disabled"),
        ("framework", ("kiwi-cluster", "kiwi-single"), "kiwi-single"),
        ("framework", ("emu", "kiwi with caches disabled", "rhea"), "emu"),
        ("framework", ("async", "prodigy"), "async"),
        ("framework", ("after_pool", "before_pool"), "before_pool"),
        ("framework", ("patched build", "vanilla build"), "vanilla build"),
        ("framework", ("new parser", "Old parser"), "Old parser"),
        ("framework", ("new parser", "old pool"), "new parser"),
        ("framework", ("afternoon", "beforehand"), "afternoon"),
    ],
)
def test_the_baseline_of_values_is_what_they_say(
    runs: Runs, key: str, values: tuple[object, ...], baseline: str
) -> None:
    for value in values:
        runs.add(labels={key: value}, throughput=100.0, verdict="ok")
    assert wp.compare(runs.dataset(), rows=key).baseline == {}
    assert wp.compare(runs.dataset()).baseline == {key: baseline}


def test_where_a_server_listens_and_what_it_says_of_itself_is_no_other_difference(runs: Runs) -> None:
    for name, port, host in (("go", 8001, "127.0.0.1"), ("node", 8002, "localhost")):
        url = f"http://{host}:{port}/index.html"
        labels = {"framework": name, "port": str(port), "url": url, "server_software": f"{name}/1.0"}
        runs.several([100.0, 101.0], **labels)
    assert wp.compare(runs.dataset(), rows="framework").also_differ == ()
    runs.several([100.0, 101.0], framework="php", url="http://10.0.0.7:8003/index.html")
    assert wp.compare(runs.dataset(), rows="framework").also_differ == ("url",)


def test_a_port_is_a_difference_of_other_labels_only_with_its_path(runs: Runs) -> None:
    for gogc, path in (("50", "/a"), ("100", "/b")):
        runs.several([100.0, 101.0], gogc=gogc, url=f"http://127.0.0.1:8000{path}", program="./server" + path)
    assert set(wp.compare(runs.dataset(), rows="gogc").also_differ) == {"url", "program"}


def test_without_a_run_that_counts_the_first_is_the_baseline(runs: Runs) -> None:
    for name in ("a", "b"):
        runs.add(labels={"framework": name}, throughput=100.0, verdict="invalid")
    assert wp.compare(runs.dataset()).baseline == {"framework": "a"}


@pytest.mark.parametrize(
    ("ratio", "places"),
    [
        (2.4, 1),
        (1.48, 2),
        (0.41, 2),
        (1.003, 4),
        (0.012, 3),
        (24.0, 0),
        (240.0, 0),
        (1.0, 2),
        (1.00001, 4),
        (0.00041, 5),
        (4.1e-8, 9),
    ],
)
def test_a_ratio_has_two_digits_of_itself_and_of_its_distance_from_1(ratio: float, places: int) -> None:
    assert ratio_decimals(ratio) == places


@pytest.mark.parametrize(
    ("ratio", "low", "high", "resolution", "words"),
    [
        (0.9994, 0.9204, 1.2345, math.nan, "1.00 (0.92–1.23)"),  # two digits of 0.157, half the interval
        (1.0063, 0.9572, 1.1011, math.nan, "1.006 (0.957–1.101)"),
        (1.0063, 1.0041, 1.0085, math.nan, "1.0063 (1.0041–1.0085)"),
        (1.017, 0.293, 3.215, math.nan, "1.02 (0.29–3.21)"),  # at least two decimals
        (8.3, 7.2, 9.0, math.nan, "8.3 (7.2–9.0)"),
        (1.0064, math.nan, math.nan, 0.0037, "1.006"),  # 1.57 ms and 1.56 ms: 1.0064 · (0.005/1.57 + 0.005/1.56) / 2
        (2.0, 1.0, 5.0, 1.5, "2 (1–5)"),  # a digit is left
    ],
)
def test_a_ratio_has_no_digits_that_its_interval_or_the_printed_digits_leave_open(
    ratio: float, low: float, high: float, resolution: float, words: str
) -> None:
    assert ratio_words(ratio, low, high, resolution) == words


def test_a_sentence_on_one_run_each_has_no_digits_that_were_not_printed() -> None:
    """wrk prints 1.57 ms and 1.56 ms: the quotient is 1.0064, and either of the last digits may be half of one off."""
    runs = Runs(resolution=0.000005)
    for name, value in (("old", 0.00156), ("new", 0.00157)):
        runs.add(labels={"input": name}, latency=value)
    assert said(runs, "input", "input=old", metric="latency")[0].startswith(
        "Mean latency of new was 1.006 times that of old"
    )


def test_what_one_run_can_not_tell_is_said_of_the_metric_that_rests_on_one() -> None:
    runs = Runs()
    for name in ("old", "new"):
        for step in STEPS:
            runs.add(labels={"input": name}, throughput=100 * step)
        runs.add(labels={"input": name}, throughput=100.0, latency=0.001)
    last = said(runs, "input", "input=old")[-1]
    assert last.startswith("Mean latency: one run each can't distinguish a difference from chance")


def test_words_behind_runs_do_not_say_runs_again() -> None:
    assert behind_runs("in runs without a name at 8 connections") == "without a name at 8 connections"
    assert behind_runs("of kiwi on 2 cores") == "of kiwi on 2 cores"


def test_metrics_and_settings_are_said_in_words() -> None:
    names = ("throughput", "latency_p99", "latency_p99.9", "latency_mean", "latency_max", "elapsed", "total_p50")
    assert [metric_words(name) for name in names] == [
        "Throughput", "Latency p99", "Latency p99.9", "Mean latency", "Longest latency", "Elapsed time",
        "Time from the start to the last byte p50",
    ]  # fmt: skip
    labels = {"connections": "1", "cores": "8", "gogc": None, "env_GODEBUG": "x=1", "machine": "a"}
    assert place_words(labels) == "at 1 connection on 8 cores without GOGC with GODEBUG=x=1 on a"


def test_text_and_html_have_the_table_and_the_sentences(runs: Runs) -> None:
    runs.several([100 * step for step in STEPS], input="old <b>", connections=64)
    runs.several([200 * step for step in STEPS], input="new", connections=64)
    table = wp.compare(runs.dataset(), rows="input", columns="conns", baseline={"input": "old <b>"})
    lines = str(table).splitlines()
    assert lines[0] == "medians, ratios to input=old <b> (95 % interval)"
    assert [line.split() for line in lines[2:5]] == [
        ["conns", "input", "throughput", "ratio", "p", "n"],
        ["64", "new", "204.0", "/s", "2.0", "(1.9–2.1)", "better", "0.0079", "5"],
        ["old", "<b>", "102.0", "/s", "5"],
    ]
    page = table._repr_html_()
    assert "<table>" in page
    assert "old &lt;b&gt;" in page
    assert "<b>" not in page.replace("&lt;b&gt;", "")
    assert "new answers 2.0 times as many requests as old" in page


@pytest.mark.parametrize(("farthest", "words"), [(199.6, "± 100 %"), (250.0, "± 150 %"), (109.0, "± 9 %")])
def test_a_spread_is_in_whole_per_cent_from_100_on(runs: Runs, farthest: float, words: str) -> None:
    """Of six runs the median is 100; with 2/64 beyond the extremes, they are the ends of its interval."""
    runs.several([99.0, 99.5, 100.0, 100.0, 100.5, farthest], framework="go")
    runs.several([200.0 + step for step in range(6)], framework="nginx")
    [line] = [
        line for line in str(wp.compare(runs.dataset(), baseline="framework=go")).splitlines() if " 100.0 /s" in line
    ]
    assert words in line


def test_an_overview_fits_the_width_and_cuts_labels_where_they_agree(runs: Runs) -> None:
    for name in ("a" * 40 + "1", "a" * 40 + "2"):
        runs.several([100 * step for step in STEPS], framework=name, connections=64)
    text = overview(wp.compare(runs.dataset(), rows="framework", columns="connections"), 60)
    assert max(map(len, text.splitlines()[:6])) <= 60
    assert [line.split()[0 if at else 1].lstrip("a") for at, line in enumerate(text.splitlines()[3:5])] == ["…1", "…2"]


def test_an_overview_breaks_names_at_blanks_and_leaves_n_out_last(runs: Runs) -> None:
    for name, factor in (("Larch", 1.0), ("Maple proxy", 2.0)):
        runs.several([100 * step * factor for step in STEPS], framework=name, connections=64, environment="plain HTTP")
    table = wp.compare(runs.dataset(), rows="framework", columns="environment", baseline="framework=Larch")
    whole = table_lines(overview(table, 100))
    assert [line.split("  ")[0] for line in whole] == ["environment", "plain HTTP", ""]
    width = max(map(len, whole))
    broken = table_lines(overview(table, width - 2))
    assert [line[13:18].strip() for line in broken] == ["frame", "Larch", "Maple", "proxy"]
    assert max(map(len, broken)) <= width - 2
    assert "n is 5 in each row" in overview(table, width - 5)
    assert " n\n" not in overview(table, width - 5)


def test_an_overview_breaks_names_behind_signs_before_it_leaves_columns_out(runs: Runs) -> None:
    for name, factor in (("main-8fd31ca", 1.0), ("release-2024.1", 2.0)):
        runs.several([100 * step * factor for step in STEPS], framework=name, connections=64)
    table = wp.compare(runs.dataset(), rows="framework", baseline="framework=main-8fd31ca")
    width = max(map(len, table_lines(overview(table, 100))))
    lines = table_lines(overview(table, width - 3))
    assert [line.split()[0] for line in lines] == ["framework", "main-", "8fd31ca", "release-", "2024.1"]
    assert lines[0].split()[-2:] == ["p", "n"]


def table_lines(text: str) -> list[str]:
    return text.split("\n\n")[1].splitlines()


def test_many_cells_have_a_row_for_all_settings_together(runs: Runs) -> None:
    for connections in range(1, 41):
        runs.several([100.0], framework="go", connections=connections)
        runs.several([50.0], framework="nginx", connections=connections)
    lines = str(wp.compare(runs.dataset(), rows="framework", baseline="framework=go")).splitlines()
    assert lines[0] == "all settings together, ratios to framework=go (95 % interval)"
    assert lines[3].split()[0] == "nginx"
    assert lines[3].split()[-1] == "40"


def test_a_name_like_a_known_one_is_suggested() -> None:
    assert did_you_mean("framwork", ["connections", "framework"]) == "; did you mean framework?"
    assert did_you_mean("xyz", ["connections", "framework"]) == ""
    assert did_you_mean("tols", ["tool"]) == "; did you mean tool?"
    assert did_you_mean("speed", ["answered", "sched"]) == ""


def test_of_many_settings_with_too_few_runs_none_is_said_to_be_like_the_baseline(runs: Runs) -> None:
    for place in range(6):
        runs.several([1000.0 * (place + 1) + step for step in range(3)], framework=f"server{place}")
    order, tally, *_ = said(runs, "framework", "framework=server0")
    assert order == (
        "Throughput, best first: server5 6.001k requests/s, server4 5.001k requests/s, server3 4.001k requests/s … "
        "server0 1.001k requests/s (medians of these runs)."
    )
    assert tally == "Throughput, 5 comparisons with server0: all have too few runs to tell."


def test_where_no_setting_is_shared_the_labels_that_differ_are_named(runs: Runs) -> None:
    runs.several([100.0, 101.0], input="old", framework="nginx")
    runs.several([200.0, 201.0], input="old", framework="caddy")
    runs.several([100.0, 101.0], input="new")
    assert said(runs, "input", "input=old") == [
        (
            "Throughput: no setting has other runs beside those of old: they differ in framework; "
            "wrkparse compare --ignore framework compares them."
        )
    ]


def test_runs_at_different_ports_may_be_compared_but_not_other_requests(runs: Runs) -> None:
    for cores, port in ((1, 81), (1, 82), (2, 83)):
        runs.several([100.0, 101.0], cores=cores, url=f"http://h:{port}/", path="/")
    [sentence] = said(runs, "cores", "cores=1")
    assert sentence.endswith("those on 1 core: they differ in url; wrkparse compare --ignore url compares them.")
    runs.several([200.0, 201.0], cores=1, url="http://h:83/a", path="/a")
    assert said(runs, "cores", "cores=1")[0].endswith("they differ in path, url.")


def test_runs_of_different_tools_are_not_said_to_be_repeats_of_each_other(runs: Runs) -> None:
    runs.several([100.0, 101.0], input="old", tool="wrk")
    runs.several([200.0, 201.0], input="old", tool="ab")
    runs.several([100.0, 101.0], input="new", tool="hey")
    table = wp.compare(runs.dataset(), rows="input", baseline="input=old")
    assert table.sentences == (
        (
            "Throughput: no setting has other runs beside those of old: they differ in tool; "
            "measure all of them in the same way to compare them."
        ),
    )
    assert "tool differs between runs, so each value has a column" in notes(table)


@pytest.mark.parametrize(("count", "judged"), [(1, ""), (5, ": better (p = 0.0079, 5 runs each)")])
def test_a_latency_that_is_printed_as_0_has_no_ratio(runs: Runs, count: int, judged: str) -> None:
    """Five runs each without overlap: p = 2 / C(10, 5) = 2/252."""
    for step in range(count):
        runs.add(labels={"framework": "go"}, throughput=100.0, latency=0.002 + step / 1e5)
        runs.add(labels={"framework": "nginx"}, throughput=100.0, latency=0.0)
    first = said(runs, "framework", "framework=go", metric="latency_mean")[0]
    assert first == f"Mean latency of nginx and go has no ratio, as a value is 0{judged}."


def test_a_label_that_repeats_the_compared_one_is_no_other_difference(runs: Runs) -> None:
    for name, program, machine in (("grep", "grep", "a"), ("rg", "rg", "b")):
        runs.several([100.0, 101.0], framework=name, program=program, machine=machine)
    assert wp.compare(runs.dataset(), rows="framework").also_differ == ("machine",)
    runs.several([100.0], framework="ag", program="the_silver_searcher", machine="c")
    assert wp.compare(runs.dataset(), rows="framework").also_differ == ("machine",)


@pytest.mark.parametrize("process", ["bench-{}-1", "pod/{0}/{0}"])
def test_a_process_that_is_called_as_what_is_compared_is_no_other_difference(runs: Runs, process: str) -> None:
    for name in ("mole", "vole"):
        runs.several([100.0, 101.0], framework=name, process=process.format(name))
    assert wp.compare(runs.dataset(), rows="framework").also_differ == ()
    runs.several([100.0], framework="emu", process="load2 bench-emu-1")
    assert wp.compare(runs.dataset(), rows="framework").also_differ == ("process",)


def test_the_lines_above_runs_are_no_second_difference(runs: Runs) -> None:
    for name in ("heron", "kiwi"):
        runs.add(labels={"framework": name, "title": f"{name} 50"}, throughput=100.0)
    assert wp.compare(runs.dataset(), rows="framework").also_differ == ()


def test_a_label_that_tells_all_runs_apart_can_be_ignored(runs: Runs) -> None:
    for name, machine in (("old", "a"), ("new", "b"), ("new", "c")):
        runs.add(labels={"framework": name, "machine": machine}, throughput=100.0)
    table = wp.compare(runs.dataset(), ignore="machine")
    assert table.rows == ("framework",)
    assert sorted(table.cells["n"]) == [1, 2]


def test_addresses_that_are_no_urls_are_compared_as_text(runs: Runs) -> None:
    for name, port in (("go", 8080), ("node", 8081)):
        runs.several([100.0, 101.0], framework=name, url=f"http://[redacted]:{port}/")
    assert wp.compare(runs.dataset(), rows="framework").also_differ == ("url",)


def test_failures_that_depend_on_the_setting_have_no_ratio(runs: Runs) -> None:
    for connections, failed in ((32, (1.0, 7.0)), (256, (7.0, 1.0))):
        for name, count in zip(("old", "new"), failed, strict=True):
            for step in range(6):
                labels = {"input": name, "connections": connections}
                runs.add(labels=labels, throughput=100.0, requests=1000.0, errors_timeout=count + step / 8)
    [sentence] = said(runs, "input", "input=old", metric="errors_timeout")
    assert "new has more in 1 and fewer in 1 of 2 settings than old" in sentence


def test_runs_that_only_state_failures_are_counted_as_invalid(runs: Runs) -> None:
    runs.add(labels={"input": "old"}, throughput=100.0, latency=0.1, verdict="ok")
    runs.add(labels={"input": "new"}, throughput=0.0, latency=0.1, errors_timeout=64.0, requests=1.0, verdict="invalid")
    sentences = said(runs, "input", "input=old", metric="throughput,latency,errors_timeout")
    assert sentences[0] == "No comparison is left: the audit finds 1 of 2 runs invalid."


REFUSED = """\
Running 10s test @ http://10.0.1.70:8080/hello
  8 threads and 8 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     0.00us    0.00us   0.00us    -nan%
    Req/Sec     0.00      0.00     0.00      -nan%
  0 requests in 10.10s, 0.00B read
  Socket errors: connect 8, read 0, write 0, timeout 0
Requests/sec:      0.00
Transfer/sec:       0.00B
"""


def refusing(folder: Path, runs: int) -> tuple[str, ...]:
    """The sentences on three runs of a server that answers, and these runs of one that refuses all connections."""
    for at in range(3):
        (folder / f"kiwi-{at + 1}.txt").write_text(WRK.replace("40669.44", f"4066{at}.44").replace("10.10s", "10.1s"))
    for at in range(runs):
        (folder / f"emu-{at + 1}.txt").write_text(REFUSED)
    return wp.compare(wp.read(folder), baseline="framework=kiwi").sentences


def test_failed_runs_with_the_same_text_are_no_copies_and_a_server_without_answers_is_named(tmp_path: Path) -> None:
    assert refusing(tmp_path, 3) == (
        "emu answered no request in any of its 3 runs.",
        "No comparison is left: the audit finds 3 of 6 runs invalid.",
    )


def test_a_server_with_one_run_answered_no_request_in_that(tmp_path: Path) -> None:
    assert refusing(tmp_path, 1)[0] == "emu answered no request in its only run."


def test_over_settings_too_few_to_tell_the_ratios_seen_are_given_not_one_of_all() -> None:
    """44 / 100 = 0.44 at one path, 201 / 200 = 1.005 at the other: 0.66 of both together describes neither."""
    runs = Runs()
    for path, old, new in (("/small", 100.0, 44.0), ("/large", 200.0, 201.0)):
        runs.add(labels={"framework": "heron", "path": path}, throughput=old)
        runs.add(labels={"framework": "wren", "path": path}, throughput=new)
    first, *_ = wp.compare(runs.dataset(), rows="framework", baseline="framework=heron").sentences
    assert "wren answered 0.44 to 1.005 times as many requests as heron, higher in 1 and lower in 1 of 2" in first


@pytest.mark.parametrize(
    ("p", "said"), [(0.0502, "p = 0.0502"), (0.05, "p = 0.05"), (0.0096, "p = 0.0096"), (0.00998, "p = 0.00998")]
)
def test_a_p_value_shows_on_which_side_of_the_level_it_is(p: float, said: str) -> None:
    assert p_words(p) == said


def test_of_many_labels_of_a_place_those_that_are_missing_are_not_said(runs: Runs) -> None:
    for branch, level in (("old", 100.0), ("new", 90.0)):
        runs.add(
            labels={"branch": branch, "connections": 64, "gogc": "50", "path": "/a", "heading": "a"}, throughput=level
        )
        runs.add(labels={"branch": branch, "connections": 64, "threads": 2}, throughput=level)
    [sentence, *_] = said(
        runs, "branch", "branch=old", columns="connections,gogc,path,heading,threads", where="threads = 2"
    )
    assert "without" not in sentence
    assert "unknown" not in sentence


def test_the_duration_of_runs_is_not_said_as_a_time_to_answer() -> None:
    assert place_words({"duration_s": "20"}) == "in runs of 20 s"


def test_runs_without_headings_lack_one_thing() -> None:
    assert place_words({"heading": None, "heading_2": None, "cores": "2"}) == "without a heading on 2 cores"
    assert place_words({"file_name": None}) == "without a file name"


def test_what_failed_is_said_where_failures_leave_nothing_to_compare(runs: Runs) -> None:
    """Of the 410,759 requests of one server 41,076 are answered by errors: such runs are invalid."""
    log = "".join(
        f"# {name}\n\n" + f"{WRK.replace('Requests/sec', failed + 'Requests/sec')}\n" * 2
        for name, failed in (("heron", ""), ("wren", "  Non-2xx or 3xx responses: 41076\n"))
    )
    found = wp.compare(wp.parse_text(log), baseline="framework=heron").sentences
    assert "Responses with an error status: 0 % of the requests of heron and 10 % of the requests of wren." in found
    assert sum(sentence.startswith("No comparison is left") for sentence in found) == 1


@pytest.mark.parametrize(
    ("rows", "sides", "also"),
    [
        # The host of a URL may be called as the server, as services of docker compose are.
        ("framework", [{"framework": n, "url": f"http://{n}:8080/"} for n in ("kiwi", "emu")], ()),
        ("framework", [{"framework": n, "url": f"http://{n}-box:8080/{n}"} for n in ("kiwi", "emu")], ("url",)),
        # A URL holds the path; the server listens at the port that is asked.
        ("path", [{"path": p, "url": f"http://h{p}"} for p in ("/1k", "/64k")], ()),
        ("url", [{"url": f"http://h:{n}/", "flag_listen": f"0.0.0.0:{n}"} for n in (8080, 8081)], ()),
        ("url", [{"url": f"http://h:{n}/", "flag_workers": str(n // 1000)} for n in (4000, 8000)], ("flag_workers",)),
    ],
)
def test_a_label_that_says_what_is_compared_again_is_no_other_difference(
    runs: Runs, rows: str, sides: list[dict[str, str]], also: tuple[str, ...]
) -> None:
    for at, labels in enumerate(sides, 1):
        runs.several([100 * at * step for step in STEPS], **labels)
    assert wp.compare(runs.dataset(), rows=rows).also_differ == also


def test_a_setting_beside_compared_options_stands_in_front(runs: Runs) -> None:
    for fast, level in ((None, 1), ("true", 2)):
        runs.several([100 * level * step for step in STEPS], flag_fast=fast)
    runs.several([400 * step for step in STEPS], flag_fast="true", flag_pool="16")
    assert said(runs, "flag_fast", "flag_fast=")[0] == (
        "Without --pool, throughput with --fast is 2.0 times that without --fast (1.9–2.1, p = 0.0079, 5 runs each)."
    )


@pytest.mark.parametrize(("other", "count", "noted"), [
    ("ehron", 1, True),  # two letters exchanged
    ("hreon", 1, True),
    ("hreon", 4, False),  # as many runs: a name of its own
    ("huron", 1, False),
    ("herons", 1, False),
])  # fmt: skip
def test_a_name_that_may_be_misspelt_is_noted(runs: Runs, other: str, count: int, noted: bool) -> None:
    for name, number in (("heron", 4), (other, count)):
        runs.several([100 * step for step in STEPS[:number]], framework=name)
    table = wp.compare(runs.dataset(), rows="framework", baseline="framework=heron")
    found = [note for note in cautions(table) if "misspelt" in note]
    assert found == ([f"{other} (1 run) may be heron (4) misspelt"] if noted else [])


def test_a_letter_more_or_less_is_a_slip_in_a_long_name_only(runs: Runs) -> None:
    for name, number in (("flamingo", 5), ("flamngo", 1), ("gin", 5), ("gini", 1), ("node1", 5), ("node2", 1)):
        runs.several([100 * step for step in STEPS[:number]], framework=name)
    table = wp.compare(runs.dataset(), rows="framework", baseline="framework=gin")
    assert [note for note in cautions(table) if "misspelt" in note] == ["flamngo (1 run) may be flamingo (5) misspelt"]


@pytest.mark.parametrize(("reads", "end"), [(0.0, "; kiwi did not"), (1000.0, "")])
def test_who_closes_each_connection_has_no_share_of_failed_reads(runs: Runs, reads: float, end: str) -> None:
    runs.add(labels={"framework": "kiwi"}, throughput=100.0, requests=1000.0, errors_read=reads)
    runs.add(labels={"framework": "emu"}, throughput=200.0, requests=2000.0, errors_read=1990.0)
    found = list(wp.compare(runs.dataset(), baseline="framework=kiwi", metric="throughput,errors_read").sentences)
    both = "emu" if end else "emu and kiwi"
    assert found[0] == "emu answered 2.0 times as many requests as kiwi (one run each)."
    assert found[1] == f"{both} closed the connection after each response, which wrk counts as failed reads{end}."


def test_of_connections_that_failed_is_said_how_many_were_left(runs: Runs) -> None:
    """155 of 400 are 38.75 %, and 100 of 400 are 25 %."""
    for name, refused in (("kiwi", 155.0), ("emu", 100.0)):
        labels = {"framework": name, "connections": 400}
        runs.add(labels=labels, throughput=100.0, requests=100000.0, errors_connect=refused)
    found = said(runs, "framework", "framework=kiwi")
    assert found[1] == (
        "Connections that failed: 25 % of the connections of emu, 38.8 % of those of kiwi (one run each), so the load may "
        "not have been reached."
    )
    more = Runs()  # a connection that fails is tried again
    for name, refused in (("kiwi", 1550.0), ("emu", 1000.0)):
        labels = {"framework": name, "connections": 400}
        more.add(labels=labels, throughput=100.0, requests=100000.0, errors_connect=refused)
    assert said(more, "framework", "framework=kiwi")[1].startswith(
        "Connections that failed: 1 % of the requests of emu, 1.55 % of those of kiwi"
    )


def test_more_failures_than_requests_are_said_to_be_what_ab_counts(runs: Runs) -> None:
    """115,488 of 100,000."""
    for name, failed in (("kiwi", 114011.0), ("emu", 115488.0)):
        labels = {"framework": name, "tool": "ab"}
        runs.add(labels=labels, throughput=100.0, requests=100000.0, failed_requests=failed)
    found = list(wp.compare(runs.dataset(), baseline="framework=kiwi", metric="failed_requests").sentences)
    assert found[0] == (
        "Failures of requests: 115 % of the requests of emu, 114 % of those of kiwi, where ab counts more failures than "
        "requests (one run each); that is too few to tell."
    )


def test_ends_of_an_interval_that_would_look_equal_have_more_decimals() -> None:
    assert ratio_words(0.1405, 0.1381, 0.1424) == "0.14 (0.138–0.142)"
    assert ratio_words(7.11, 7.06, 7.26) == "7.1 (7.1–7.3)"
    assert ratio_words(0.5, 0.5, 0.5) == "0.50 (0.50–0.50)"


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (1.3e-8, "0.0000013 %"),
        (0.02, "2 %"),
        (0.00125, "0.12 %"),
        (0.25, "25 %"),
        (0.9899, "99 %"),
        (1.05, "105 %"),
        (0.0, "0 %"),
    ],
)
def test_per_cent_have_two_digits_and_no_exponent(share: float, text: str) -> None:
    assert percent_text(share) == text


def test_a_pair_that_the_rise_names_is_not_told_twice(runs: Runs) -> None:
    """Five runs each: 2/252 for a pair, times the two comparisons: each pair is decided."""
    with_gogc(runs, {"50": 100, "100": 150, "200": 200}, count=5)
    rise, pair = said(runs, "gogc", "gogc=50")
    assert rise.startswith("Throughput rises with GOGC: with GOGC=200 it is 2.0 times")
    assert pair.startswith("Throughput with GOGC=100 is 1.50 times that with GOGC=50")
