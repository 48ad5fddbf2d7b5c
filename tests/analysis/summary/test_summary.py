"""The first page of a report as data. Ratios and intervals are worked out by hand, as in the tests of sentences."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

import wrkparse as wp
from tests.analysis.comparison.runs import Runs
from tests.samples import GC, SCHED, WRK
from wrkparse.analysis.audit.trust import grade_runs
from wrkparse.analysis.comparison.text.headline import headline
from wrkparse.analysis.runs.labels.conditions import conditions
from wrkparse.analysis.scaling.scaling import scaling
from wrkparse.analysis.summary.days import day_words, measured_days
from wrkparse.analysis.summary.sentences import peak_words, scaling_sentence
from wrkparse.analysis.summary.title import tool_words

FIXTURES = Path(__file__).parents[2] / "fixtures"
STEPS = [1.01**step for step in range(5)]


@pytest.fixture
def runs() -> Runs:
    return Runs()


def add(runs: Runs, name: str, level: float, count: int = 5, **labels: object) -> None:
    runs.several([level * step for step in STEPS[:count]], framework=name, **labels)


def test_the_title_turns_each_ratio_so_that_it_is_above_one(runs: Runs) -> None:
    """Five runs each that do not overlap; the median of the quotients of 400 · 1.01^i and 100 · 1.01^j is 4."""
    add(runs, "heron", 400)
    add(runs, "plover", 100)
    assert wp.summary(runs.dataset()).title == "heron answers 4.0 times as many requests as plover"
    assert headline(wp.compare(runs.dataset(), rows="framework", baseline="framework=plover")) == (
        "heron answers 4.0 times as many requests as plover"
    )


def test_the_title_of_one_run_has_the_digits_that_were_printed() -> None:
    longer = WRK.replace("8 connections", "80 connections")
    slower = longer.replace("193.32us   51.20us   1.57ms", "1.93ms   510.00us   15.70ms")
    said = wp.summary(wp.parse_text(slower))
    assert said.title.endswith(": 40.67k requests/s, mean latency 1.93 ms")
    assert "Mean latency: 1.93 ms." in said.findings


def test_the_title_lists_those_behind_the_nearest_first(runs: Runs) -> None:
    add(runs, "heron", 400)
    add(runs, "siskin", 100)
    add(runs, "plover", 200)
    assert wp.summary(runs.dataset()).title == (
        "heron answers 2.0 times as many requests as plover, 4.0 times as many as siskin"
    )


def test_the_title_names_the_baseline_once(runs: Runs) -> None:
    for name, rate, seconds in (("heron", 100.0, 12.0), ("plover", 300.0, 5.0), ("siskin", 250.0, 2.0)):
        for n in range(6):
            runs.add(labels={"framework": name}, throughput=rate + n / 10, latency=seconds + n / 1000)
    table = wp.compare(runs.dataset(), metric="throughput")
    assert headline(table) == "plover answers 3.0 times as many requests as heron, siskin 2.5 times as many"
    table = wp.compare(runs.dataset(), metric="latency_mean")
    assert headline(table) == "Mean latency of heron is 2.4 times that of plover, 6.0 times that of siskin"
    table = wp.compare(runs.dataset(), metric="latency_mean", rows="framework", baseline="framework=siskin")
    assert headline(table) == "Mean latency of heron is 6.0 times that of siskin, that of plover 2.5 times"


def test_the_title_of_many_frameworks_counts_what_is_decided(runs: Runs) -> None:
    """Holm multiplies the smallest p, 2/252, by the 5 comparisons: 0.04 is still below 0.05."""
    add(runs, "base", 100)
    for at in range(3):
        add(runs, f"fast{at}", 200 + at)
    add(runs, "slow", 50)
    add(runs, "like", 100)
    assert wp.summary(runs.dataset()).title == (
        "Of 5 other frameworks 3 answer more requests than base, 1 fewer; fast2 answers 2.0 times as many"
    )


def test_the_winner_stands_before_how_many_are_ahead(runs: Runs) -> None:
    for at, name in enumerate(["base", "moss", "fern", "reed", "rush"], 1):
        for connections in (8, 64):
            add(runs, name, 100 * at, connections=connections)
    first, *others = wp.summary(runs.dataset()).findings
    assert first.startswith("Across 8 and 64 connections, rush answers 5.0 times as many requests as base (")
    assert "Throughput, 4 comparisons with base: all better." in others


def test_a_title_of_times_names_the_faster(runs: Runs) -> None:
    """Of elapsed times 1, 2 and 6 s, the baseline's is 2 s: it takes twice the shortest."""
    for name, seconds in (("fern", 1.0), ("base", 2.0), ("reed", 6.0)):
        for step in STEPS:
            runs.add(labels={"framework": name}, throughput=100.0, latency=seconds * step)
    table = wp.compare(runs.dataset(), metric="latency_mean", rows="framework", baseline="framework=base")
    assert headline(table) == "Mean latency of base is 2.0 times that of fern"


def test_a_title_counts_the_settings_of_a_verdict_that_does_not_hold_in_all(runs: Runs) -> None:
    """Of eight settings, plover is ahead by 1.3 times in seven, and as fast in one; runs of one differ by 46 %."""
    for connections in (1, 2, 4, 8, 16, 32, 64, 128):
        for name, level in (("heron", 100), ("plover", 98 if connections == 128 else 130)):
            runs.several([level * 1.1**step for step in range(5)], framework=name, connections=connections)
    table = wp.compare(runs.dataset(), rows="framework", baseline="framework=heron")
    [overall] = table.over_settings.to_dict("records")
    assert overall["verdict"] == "better"
    assert overall["p_differ"] > 0.05
    assert re.fullmatch(
        r"plover answers 1\.\d+ times as many requests as heron, higher in 7 and lower in 1 of 8 settings",
        headline(table) or "",
    )
    turned = wp.compare(runs.dataset(), rows="framework", baseline="framework=plover")
    assert headline(turned) == headline(table)
    assert (headline(turned, turn=False) or "").endswith(
        " requests as plover, higher in 1 and lower in 7 of 8 settings"
    )


def test_where_nothing_is_decided_the_title_says_what_was_measured(runs: Runs) -> None:
    add(runs, "heron", 400, 2)
    add(runs, "plover", 100, 2)
    found = wp.summary(runs.dataset())
    assert found.title == "4 wrk runs of heron and plover: too few to tell them apart"
    assert headline(wp.compare(runs.dataset())) is None


def test_a_title_says_that_runs_enough_for_a_verdict_decide_nothing(runs: Runs) -> None:
    """U = 10 of two times five runs: p = 2 · 87/252, from the counts 1 1 2 3 5 7 9 11 14 16 18 of U = 0 … 10."""
    runs.several([100 * 1.01**step for step in (0, 2, 4, 6, 8)], framework="heron")
    runs.several([100 * 1.01**step for step in (1, 3, 5, 7, 9)], framework="plover")
    assert wp.summary(runs.dataset()).title == "10 wrk runs of heron and plover: no difference is decided"


def test_a_latency_that_is_decided_is_the_title_where_the_throughput_is_not(runs: Runs) -> None:
    """Latencies of 5 runs each that do not overlap; the median quotient of 4 · 1.01^i and 1.01^j is 4."""
    for name, level in (("heron", 1.0), ("plover", 4.0)):
        for step in STEPS:
            runs.add(labels={"framework": name}, throughput=100.0 * step, latency=0.001 * level * step)
    assert wp.summary(runs.dataset()).title == "Mean latency of plover is 4.0 times that of heron"


def test_a_title_of_loads_does_not_count_their_traces() -> None:
    found = wp.summary(wp.parse_text(WRK + "".join(GC.format(n=n, t=n) for n in (1, 2, 3))))
    assert found.title == "1 wrk run of http://10.0.1.70:8080/hello: 40.67k requests/s, mean latency 193.3 µs"
    assert found.byline[0] == "1 wrk run and 1 gctrace"


def test_what_a_single_run_can_not_tell_is_on_the_first_page(runs: Runs) -> None:
    """Sentences on three settings of two metrics, and the last one, are one more than the first page has room for."""
    for name, count in (("base", 3), ("one", 1), ("two", 2), ("three", 3)):
        for step in STEPS[:count]:
            runs.add(labels={"framework": name}, throughput=100.0 * step, latency=0.001 * step)
    found = wp.summary(runs.dataset())
    said = [line for line in found.doubts if line.startswith("A single run can't distinguish a difference from chance")]
    assert len(said) == 1
    assert not set(found.more) & set(found.doubts)


def test_a_first_page_says_that_load_and_server_shared_a_machine() -> None:
    said = "The load generator ran on the server's machine and used some of its cores, so "
    local = WRK.replace("10.0.1.70", "127.0.0.1")
    assert [line for line in wp.summary(wp.parse_text(local)).doubts if line.startswith(said)]
    assert not wp.summary(wp.parse_text(WRK)).doubts
    with_trace = wp.summary(wp.parse_text(local + GC.format(n=1, t=1)))
    assert [line for line in with_trace.doubts if line.startswith(said)]
    doubts = wp.summary(wp.parse_text(WRK + "\n" + local)).doubts
    assert [line for line in doubts if line.startswith("The load generator of 1 run ran on the server's machine")]


def test_a_grade_names_whose_runs_are_doubted(tmp_path: Path) -> None:
    """Of six runs the one with more errors than responses is invalid; with one of each name, no name tells more."""
    failed = WRK.replace("Requests/sec", "  Socket errors: connect 0, read 0, write 400000, timeout 0\nRequests/sec")
    for name in ("heron", "plover"):
        (tmp_path / name).mkdir()
        for number in range(3):
            is_bad = name == "plover" and number == 1
            (tmp_path / name / f"run{number}.log").write_text(failed if is_bad else WRK)
    *_, invalid = map(str, wp.summary(wp.read(tmp_path)).trust)
    assert invalid.startswith("1 run invalid and not compared, of plover: ")
    (tmp_path / "heron" / "run0.log").write_text(failed)
    *_, both = map(str, wp.summary(wp.read(tmp_path)).trust)
    assert both.startswith("2 runs invalid and not compared: ")


def test_a_title_says_settings_as_a_person_would(runs: Runs) -> None:
    for connections in (200, 10, 50):
        add(runs, "heron", 100, 2, connections=connections)
    add(found := Runs(), "a", 100, 2, gogc="100")
    add(found, "a", 100, 2, gogc="50")
    for made in (runs, found):
        for run in made.runs:
            del run["framework"]
    assert wp.summary(runs.dataset()).title == "6 wrk runs at 10, 50 and 200 connections: too few to tell them apart"
    assert wp.summary(found.dataset()).title == "4 wrk runs with GOGC=50 and 100: too few to tell them apart"


def test_of_two_names_the_baseline_comes_first(runs: Runs) -> None:
    add(runs, "after (#4123)", 400, 2)
    add(runs, "before", 100, 2)
    assert wp.summary(runs.dataset()).title == "4 wrk runs of “before” and “after (#4123)”: too few to tell them apart"


def test_loads_and_traces_are_joined_by_and() -> None:
    assert tool_words({"gctrace": 2, "wrk": 4}) == "4 wrk runs and 2 gctraces"
    assert tool_words({"wrk": 1, "ab": 2, "time": 3}) == "1 wrk run, 2 ab runs and 3 timed runs"


def test_sides_that_differ_between_settings_make_no_title(runs: Runs) -> None:
    for connections, level in ((8, 200), (64, 50)):
        for _ in range(2):
            add(runs, "a", 100, connections=connections)
            add(runs, "b", level, connections=connections)
    assert headline(wp.compare(runs.dataset(), rows="framework", baseline="framework=a")) is None


def test_the_findings_are_the_sentences_of_the_comparison(runs: Runs) -> None:
    add(runs, "heron", 400)
    add(runs, "plover", 100)
    found = wp.summary(runs.dataset())
    assert found.findings == wp.compare(runs.dataset()).sentences
    assert (found.more, found.figure) == ((), "compare")


def test_the_first_sentence_is_about_what_the_title_decides(runs: Runs) -> None:
    """Throughputs are alike, latencies 1 to 4: the latency comes first."""
    for name, level in (("heron", 1.0), ("plover", 4.0)):
        for step in STEPS:
            runs.add(labels={"framework": name}, throughput=100.0 * step, latency=0.001 * level * step)
    first, second, *_ = wp.summary(runs.dataset()).findings
    assert first.startswith("Mean latency of plover is 4.0 times that of heron: worse")
    assert second.startswith("Throughput of plover and heron can't be told apart")


def test_a_title_says_what_settings_without_names_share_once(runs: Runs) -> None:
    """Latencies at GOGC=100 are 4 and 2 times those at 200 and 400; all five runs of each lie apart."""
    for gogc, level in (("100", 4.0), ("200", 1.0), ("400", 2.0)):
        for step in STEPS:
            runs.add(labels={"gogc": gogc}, throughput=100.0 * step, latency=0.001 * level * step)
    assert wp.summary(runs.dataset()).title == (
        "Mean latency with GOGC=100 is 2.0 times that with GOGC=400, 4.0 times that with GOGC=200"
    )


def test_a_first_page_has_at_most_five_sentences_and_the_others_are_kept(runs: Runs) -> None:
    """Six names with two metrics, on the generator's machine: what is decided comes before the rest."""
    for at, name in enumerate(("base", "one", "two", "three", "four", "five"), 1):
        for step in STEPS:
            runs.add(labels={"framework": name, "cores": 2}, throughput=100.0 * step, latency=0.001 * step * at)
    found = wp.summary(runs.dataset())
    assert 3 <= len(found.findings) + len(found.doubts) <= 5
    for begin in ("Throughput, best first: ", "Mean latency, 5 comparisons with base: "):
        assert any(line.startswith(begin) for line in found.findings)
    said = wp.compare(runs.dataset()).sentences
    kept = [*found.findings, *found.doubts, *found.more, *found.notes]
    assert all(any(sentence in line for line in kept) for sentence in said)
    assert len(set(kept)) == len(kept)


def test_one_run_has_its_numbers_and_no_verdict() -> None:
    found = wp.summary(wp.parse_text(WRK))
    assert found.title == "1 wrk run of http://10.0.1.70:8080/hello: 40.67k requests/s, mean latency 193.3 µs"
    assert found.findings == (
        "Throughput: 40.67k requests/s.",
        "Mean latency: 193.3 µs.",
        "One run has no interval: the next one may differ by an unknown amount.",
    )
    assert found.constant == ("8 connections", "8 threads", "path /hello", "10 s each")
    assert not any("repeated" in words for words in found.absent)  # the last finding says it


def test_a_trace_alone_has_its_longest_pause() -> None:
    """Pauses of 0.018 and 0.076 ms; the printed sum of the CPU times over 4 Ps is no test of this sentence."""
    found = wp.summary(wp.parse_text("".join(GC.format(n=n, t=n) for n in (1, 2, 3))))
    assert found.title == "3 garbage collections of one Go process: pauses of up to 76 µs"
    assert found.findings[0] == "In 3 collections of one Go process, the longest pause was 76 µs."
    assert (found.figure, found.absent) == ("gc", ("runs of a load generator", "the scheduler (schedtrace)"))


def test_a_title_of_one_setting_has_its_numbers_unless_they_are_doubtful() -> None:
    """wrk prints 40669.44 requests/s and 193.32us; the third run has the median of its kind."""
    repeats = "\n".join(WRK.replace("40669.44", f"{rate}.44") for rate in (40668, 40669, 40670))
    assert wp.summary(wp.parse_text(repeats)).title.endswith(": medians 40.67k requests/s, mean latency 193.3 µs")
    cut = WRK.replace("Running 10s", "Running 30s")  # it took 10 s
    assert wp.summary(wp.parse_text(cut)).title == "1 wrk run of http://10.0.1.70:8080/hello"
    parted = f"{WRK}emu 1.0 ready\n{WRK.replace('193.32us', '193.42us')}{WRK.replace('193.32us', '193.52us')}"
    assert "requests/s" not in wp.summary(wp.parse_text(parted)).title


def test_latencies_that_the_audit_doubts_in_all_runs_are_in_no_title_and_called_suspect() -> None:
    """8 connections answered 40,669 requests/s: after 0.2 ms on average, not after 0.5 ms."""
    slow = WRK.replace("193.32us", "500.00us")
    found = wp.summary(wp.parse_text(slow))
    assert found.title == "1 wrk run of http://10.0.1.70:8080/hello: 40.67k requests/s"
    assert "Mean latency: 500.0 µs, suspect: above Little's law." in found.findings
    several = wp.summary(wp.parse_text("\n".join(slow.replace("40669.44", f"4066{at}.44") for at in (8, 9))))
    assert several.title.endswith(": median 40.67k requests/s")
    assert any(line.startswith("Mean latency: 500.0 µs, the median of 2 runs") for line in several.findings)
    assert any(line.endswith(", suspect: above Little's law.") for line in several.findings)
    one_of_two = wp.summary(wp.parse_text(f"{slow}\n{WRK}"))
    assert not any("suspect" in line for line in one_of_two.findings)


def test_the_median_of_runs_with_text_between_them_has_no_interval() -> None:
    """The median of 40668.44 to 40673.44 is 40670.94; six runs alone would have an interval."""
    runs = [WRK.replace("40669.44", f"{rate}.44") for rate in range(40668, 40674)]
    alone = wp.summary(wp.parse_text("".join(runs))).findings
    assert alone[0].startswith("Throughput: 40.67k requests/s, the median of 6 runs (")
    parted = wp.summary(wp.parse_text("".join(runs[:3]) + "emu 1.0 ready\n" + "".join(runs[3:]))).findings
    assert parted[0] == "Throughput: 40.67k requests/s, the median of 6 runs, which may be of several settings."


def test_a_longest_pause_that_several_processes_have_is_ascribed_to_none() -> None:
    once = "".join(GC.format(n=n, t=n) for n in (1, 2))
    long = once.replace("0.018", "0.5")
    found = wp.summary(wp.parse_text(f"{once}{long}{once}{long}"))
    assert found.findings[0] == ("In 8 collections of 4 Go processes, the longest pause was 500 µs, in 2 of them.")


def test_the_title_of_one_curve_says_how_far_it_grows_if_its_steps_are_not_decided(runs: Runs) -> None:
    """Three runs against three have p = 0.1 at best, whatever they measured."""
    for cores, level in ((1, 100), (4, 350)):
        add(runs, "heron", level, 3, cores=cores)
    assert wp.summary(runs.dataset()).title == "Throughput of heron was 3.5 times as high on 4 cores as on 1"


def test_the_title_of_one_curve_says_nothing_of_growth_if_runs_overlap(runs: Runs) -> None:
    """Of three runs on 4 cores, two lie among those on 1 core: p = 0.7."""
    runs.several([100, 200, 300], framework="heron", cores=1)
    runs.several([150, 250, 350], framework="heron", cores=4)
    found = wp.summary(runs.dataset())
    assert found.title == "6 wrk runs of heron on 1 to 4 cores: too few to tell them apart"
    assert "p = 0.7" in found.findings[0]
    assert not any("times as high" in line for line in found.findings)
    assert any(
        line.startswith("Throughput on 4 cores is 31 % of linear growth") for line in found.findings
    )  # 250 / 800


def test_the_title_says_that_no_comparison_is_left() -> None:
    """Of two servers, the one answers 97 % of its 410,759 requests with an error."""
    failed = WRK.replace("Requests/sec", "  Non-2xx or 3xx responses: 400000\nRequests/sec")
    found = wp.summary(wp.parse_text(f"# heron\n\n{WRK}\n# plover\n\n{failed}"))
    assert found.title == "2 wrk runs of heron and plover: no comparison is left"


def test_durations_have_their_unit_behind_the_number() -> None:
    text = "".join(
        f"# {name}\n\n{WRK.replace('Running 10s', f'Running {seconds}s').replace('in 10.10s', f'in {seconds}.10s')}\n"
        for seconds in (10, 20)
        for name in ("heron", "plover")
    )
    line = conditions(wp.parse_text(text)).line()
    assert "duration (10 s, 20 s)" in line


def test_a_rise_over_several_values_is_decided_before_its_steps_are(runs: Runs) -> None:
    """Three groups of three that do not overlap: p = 2 · 3! 3! 3! / 9! = 0.0012."""
    for cores, level in ((1, 100), (2, 190), (4, 350)):
        runs.several([level * 1.01, level, level * 1.02], framework="heron", cores=cores)
    found = wp.summary(runs.dataset())
    assert found.title == "Throughput rises with the number of cores: on 4 cores it is 3.5 times that on 1 core"
    assert "(trend p = 0.0012, 3 values, 3 runs each)" in found.findings[0]


def test_the_pauses_of_a_long_trace_have_their_p99() -> None:
    found = wp.summary(wp.parse_text("".join(GC.format(n=n, t=n) for n in range(1, 101))))
    assert found.findings[0] == (
        "In 100 collections of one Go process, the longest pause was 76 µs; the p99 of pauses was 76 µs."
    )


def test_a_p99_of_pauses_takes_a_hundred_collections_of_each_process(tmp_path: Path) -> None:
    """Of 60 collections each, the p99 of a process is its longest pause, however many processes there are."""
    for name in ("a.log", "b.log"):
        (tmp_path / name).write_text("".join(GC.format(n=n, t=n) for n in range(1, 61)))
    assert "p99" not in wp.summary(wp.read(tmp_path)).findings[0]


def test_shares_of_a_trace_have_three_digits() -> None:
    """Pauses of 0.094 ms in each of three seconds; their share of the time between the ends is not known to 4 digits."""
    found = wp.summary(wp.parse_text("".join(GC.format(n=n, t=n) for n in (1, 2, 3))))
    [shares] = re.findall(r"([\d.]+) %", found.findings[1])[:1]
    assert len(shares.replace(".", "").lstrip("0")) <= 3


def test_a_schedule_alone_counts_the_goroutines_that_wait() -> None:
    """3 in the global queue, 1 and 2 in the local ones; no P is idle."""
    found = wp.summary(wp.parse_text("".join(SCHED.format(t=t) for t in (0, 1000, 2000))))
    assert found.findings == (
        "In 3 ticks of one Go process, 100 % of the Ps were busy on average; at most 6 goroutines waited.",
        "All Ps were busy, with at least as many goroutines waiting, for 100 % of the time.",
    )
    assert found.figure == "sched"


def test_without_runs_nothing_is_said() -> None:
    found = wp.summary(wp.parse_text("no output of a tool"))
    assert (found.title, found.findings, found.trust, found.figure) == ("no runs", (), (), "")


def test_runs_of_two_studies_are_not_compared(tmp_path: Path) -> None:
    for name, rate in (("a", 100), ("b", 900)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "wrkparse.yaml").write_text(f"title: {name}\n")
        (tmp_path / name / "log.txt").write_text(WRK.replace("40669.44", f"{rate}.00"))
    found = wp.summary(wp.read(tmp_path))
    assert found.title == "2 wrk runs of 2 studies"
    assert found.findings == (
        "a: Throughput: 100.0 requests/s, invalid: rate contradicts requests.",
        "b: Throughput: 900.0 requests/s, invalid: rate contradicts requests.",
    )


def test_a_study_in_which_nothing_is_compared_says_so(tmp_path: Path) -> None:
    """Each server of the first study was measured at numbers of connections of its own."""
    for study, loads in (("apart", (8, 16, 32, 64)), ("alike", (8, 16, 8, 16))):
        (tmp_path / study).mkdir()
        (tmp_path / study / "wrkparse.yaml").write_text(f"title: {study}\n")
        for name, connections in zip(("heron", "heron", "plover", "plover"), loads, strict=True):
            text = WRK.replace(" 8 connections", f" {connections} connections")
            (tmp_path / study / name).mkdir(exist_ok=True)
            (tmp_path / study / name / f"c{connections}.log").write_text(text)
    said = wp.summary(wp.read(tmp_path)).findings
    assert "apart: nothing is compared, because no two values were measured in one setting." in said
    assert any(line.startswith("alike: ") and "compared" not in line for line in said)


def test_studies_say_in_what_else_the_compared_differ(tmp_path: Path) -> None:
    for study, loads in (("apart", (8, 16)), ("alike", (8, 8))):
        (tmp_path / study).mkdir()
        (tmp_path / study / "wrkparse.yaml").write_text(f"title: {study}\n")
        for name, connections in zip(("heron", "plover"), loads, strict=True):
            text = WRK.replace(" 8 connections", f" {connections} connections")
            (tmp_path / study / f"{name}.log").write_text(text)
    [said] = wp.summary(wp.read(tmp_path)).doubts
    assert said.startswith("apart: the compared runs differ in more than ")
    assert "connections" in said


def test_in_what_else_the_compared_differ_has_no_names_of_labels(runs: Runs) -> None:
    for name, step in (("heron", 1), ("plover", 2)):
        labels = {"framework": name, "env_GOMAXPROCS": str(step), "go_version": f"1.{step}", "flag_prefork": str(step)}
        runs.several([100 * step + at for at in range(5)], **labels)
    [said] = [line for line in wp.summary(runs.dataset()).doubts if "differ in more than" in line]
    assert said == "The compared runs differ in more than framework: go version, GOMAXPROCS, --prefork."


def test_growth_with_cores_is_the_figure_of_runs_that_differ_in_cores(runs: Runs) -> None:
    for cores, rate in ((1, 100.0), (2, 190.0), (4, 320.0)):
        runs.add(labels={"framework": "go", "cores": cores}, throughput=rate)
    found = wp.summary(runs.dataset())
    assert found.figure == "scaling"
    assert any("Throughput of go is 3.2 times as high on 4 cores as on 1" in line for line in found.findings)


@pytest.mark.parametrize(
    ("rates", "said"),
    [
        (
            {"go": (100.0, 320.0), "c": (200.0, 640.0)},
            "Throughput is 3.2 times as high on 4 cores as on 1 in both curves.",
        ),
        (
            {"go": (100.0, 320.0), "c": (200.0, 500.0)},
            "Throughput of go is 3.2 times as high on 4 cores as on 1; that of c is 2.5 times as high on 4 cores as on 1.",
        ),
    ],
)
def test_growth_of_two_curves_names_both(rates: dict[str, tuple[float, float]], said: str, runs: Runs) -> None:
    for framework, (one, four) in rates.items():
        runs.add(labels={"framework": framework, "cores": 1}, throughput=one)
        runs.add(labels={"framework": framework, "cores": 4}, throughput=four)
    assert scaling_sentence(scaling(runs.dataset())) == said


def test_a_law_is_called_by_a_name_that_can_be_looked_up(runs: Runs) -> None:
    """X = 100 N / (1 + 0.05 (N-1) + 0.01 N(N-1)): 800 / 1.91 = 418.8 at N = 8, 52 % of 800."""
    for cores in (1, 2, 4, 6, 8):
        rate = 100 * cores / (1 + 0.05 * (cores - 1) + 0.01 * cores * (cores - 1))
        runs.add(labels={"framework": "go", "cores": cores}, throughput=rate)
    said = scaling_sentence(scaling(runs.dataset()))
    assert said == (
        "Throughput of go is 4.2 times as high on 8 cores as on 1 (52 % of linear), "
        "as the Universal Scalability Law describes."
    )


def test_what_else_may_limit_growth_is_named(runs: Runs) -> None:
    for cores, rate in ((1, 100.0), (8, 500.0)):
        runs.add(labels={"framework": "go", "cores": cores, "threads": 4}, throughput=rate)
    said = scaling_sentence(scaling(runs.dataset()))
    cause = "Something other than the cores may limit it: the load generator has 4 threads, the server more cores."
    assert said == f"Throughput of go is 5.0 times as high on 8 cores as on 1 (62 % of linear). {cause}"


def test_grades_name_their_causes_the_most_frequent_first() -> None:
    """400,000 failed writes beside 410,759 requests make a run invalid."""
    text = WRK.replace("Requests/sec", "  Socket errors: connect 0, read 0, write 400000, timeout 0\nRequests/sec")
    graded = grade_runs(wp.audit(wp.parse_text(WRK + "\n" + text)))
    assert [(one.verdict, one.runs) for one in graded] == [("ok", 1), ("invalid", 1)]
    assert str(graded[0]) == "1 run sound"
    assert str(graded[1]).startswith("1 run invalid and not compared: ")


def test_beside_loads_the_audit_says_which_runs_are_traces() -> None:
    """The pauses of 0.018 and 0.076 ms on 4 Ps are 0.072 and 0.304 ms of CPU time, not 9 and 9."""
    trace = "".join(
        f"gc {n} @{n}.112s 0%: 0.018+1.3+0.076 ms clock, {stop}+0.35/1.2/3.0+{stop} ms cpu, 4->5->1 MB, 5 MB goal, 4 P\n"
        for n, stop in ((number, "9.0") for number in range(1, 12))
    )
    found = wp.summary(wp.parse_text(f"{WRK}\n\n{trace}"))
    assert [str(one).partition(":")[0] for one in found.trust] == ["1 wrk run sound", "1 gctrace suspect"]
    alone = wp.summary(wp.parse_text(trace))
    assert [str(one).partition(":")[0] for one in alone.trust] == ["1 run suspect"]


def test_conditions_tell_what_is_constant_what_varies_and_what_is_pooled(runs: Runs) -> None:
    for connections in (8, 64):
        add(runs, "a", 100, 3, connections=connections, threads=2)
        add(runs, "b", 100, 2, connections=connections, threads=2)
    known = conditions(runs.dataset())
    assert str(known) == (
        "Held constant: 2 threads. Varies: framework (a, b), connections (8, 64). Pooled: 2 to 3 runs of each setting."
    )


def test_conditions_of_single_runs_pool_nothing(runs: Runs) -> None:
    add(runs, "a", 100, 1)
    add(runs, "b", 100, 1)
    assert str(conditions(runs.dataset())) == "Varies: framework (a, b). Pooled: nothing."


def test_a_figure_of_single_runs_pools_nothing(runs: Runs) -> None:
    add(runs, "a", 100, 3)
    assert conditions(runs.dataset()).line(pooled=False) == "Pooled: nothing."


def test_percentiles_of_ab_are_not_absent() -> None:
    ab = (FIXTURES / "ab" / "n2000.txt").read_text()
    assert "latency percentiles" not in wp.summary(wp.parse_text(ab)).absent
    assert "latency percentiles" in wp.summary(wp.parse_text(WRK)).absent


def test_of_timed_commands_no_server_is_missed() -> None:
    timed = "".join(
        f"$ time {name} x\nreal\t0m{at}.000s\nuser\t0m1.000s\nsys\t0m0.000s\n" for at, name in ((1, "rg"), (2, "grep"))
    )
    found = wp.summary(wp.parse_text(timed))
    assert found.absent == ("repeated runs, so no intervals and no verdicts on single settings",)


def test_the_day_is_that_of_the_lines_and_not_that_of_the_file() -> None:
    stamped = "".join(f"2026-11-22T10:00:0{at % 10}Z {line}\n" for at, line in enumerate(WRK.splitlines()))
    assert measured_days(wp.parse_text(stamped)) == (date(2026, 11, 22), date(2026, 11, 22))
    assert measured_days(wp.parse_text(WRK)) is None
    assert measured_days(wp.parse_text(f"{stamped}\n# Another\n\n{WRK}")) is None


def test_the_date_of_a_study_is_that_of_its_publication(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(WRK)
    study = tmp_path / "wrkparse.yaml"
    study.write_text("title: Two caches\nabout: {date: 2015-05-04}\n")
    assert day_words(wp.read(tmp_path)) == "published on 4 May 2015"
    study.write_text("title: Two caches\nabout: {date: 2015-05-04, measured: 2015-05-02}\n")
    assert day_words(wp.read(tmp_path)) == "measured on 2 May 2015"
    assert measured_days(wp.read(tmp_path)) == (date(2015, 5, 2), date(2015, 5, 2))
    study.unlink()
    assert day_words(wp.read(tmp_path)) == ""


def test_several_days_are_a_range(tmp_path: Path) -> None:
    for name, day in (("a", "2015-05-02"), ("b", "2015-05-04")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "log.txt").write_text(WRK)
        (tmp_path / name / "wrkparse.yaml").write_text(f"about: {{date: {day}}}\n")
    assert day_words(wp.read(tmp_path)) == "published from 2 May 2015 to 4 May 2015"


def test_a_day_in_all_paths_is_that_under_which_the_runs_are_filed(tmp_path: Path) -> None:
    for name in ("2026-11-20/a.txt", "20261121/b.txt"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(WRK)
    assert day_words(wp.read(tmp_path)) == "filed under 20 November 2026 to 21 November 2026"
    assert measured_days(wp.read(tmp_path)) is None
    for name in ("run-20269999.txt", "build-120261121.txt"):
        (tmp_path / name).write_text(WRK)
        assert day_words(wp.read(tmp_path)) == ""
        (tmp_path / name).unlink()


def test_a_single_run_that_is_suspect_says_so_beside_its_numbers() -> None:
    """300 of 410759 requests timed out: their latencies are not in those that wrk prints."""
    errors = "  Socket errors: connect 0, read 0, write 0, timeout 300\n"
    found = wp.summary(wp.parse_text(WRK.replace("Requests/sec:", f"{errors}Requests/sec:")))
    assert [grade.verdict for grade in found.trust] == ["latency-suspect"]
    throughput, latency, *_ = found.findings
    assert throughput == "Throughput: 40.67k requests/s."
    assert latency == "Mean latency: 193.3 µs, suspect: socket errors."


def test_a_title_that_counts_the_runs_is_not_repeated_below_it(runs: Runs) -> None:
    found = wp.summary(wp.parse_text(WRK))
    assert found.title.startswith("1 wrk run")
    assert not any("wrk run" in part for part in found.byline)
    add(runs, "heron", 400)
    add(runs, "plover", 100)
    assert wp.summary(runs.dataset()).byline[0] == "10 wrk runs"


def test_text_and_html_have_title_findings_and_what_is_absent() -> None:
    found = wp.summary(wp.parse_text(WRK))
    for shown in (str(found), found._repr_html_()):
        for part in (found.title, *found.findings, found.absent_words):
            assert part in shown
    assert found.markdown().startswith("- Throughput: 40.67k requests/s.\n")


def test_the_bar_at_a_peak_is_explained_where_there_is_one() -> None:
    """σ = 0.02 and κ = 0.003 have the peak at √(0.98/0.003) = 18.07; to 8 cores, it is out of range."""
    runs = Runs()
    for cores in (1, 2, 4, 8, 16, 32):
        rate = 1000 * cores / (1 + 0.02 * (cores - 1) + 0.003 * cores * (cores - 1))
        runs.add(labels={"framework": "go", "cores": cores}, throughput=rate * (1.001 if cores % 3 == 1 else 0.999))
    found = wp.scaling(runs.dataset())
    assert peak_words(found) == "; the thick bar shows where throughput may be highest, on about 18 cores"
    # a label that one study has and the other lacks is text in one table and a missing number in the next
    texts, numbers = (found.groups.assign(study=None), found.fits.assign(study=float("nan")))
    assert peak_words(replace(found, groups=texts, fits=numbers)) == peak_words(found)
    texts = texts.assign(connections="8").astype({"connections": object})
    assert peak_words(replace(found, groups=texts, fits=numbers.assign(connections="8"))) == peak_words(found)
    assert peak_words(wp.scaling(runs.dataset(), where="cores <= 8")) == ""


@pytest.mark.parametrize(
    ("key", "values", "title"),
    [
        ("cores", [1, 2, 3, 4, 6, 8], "12 wrk runs on 1 to 8 cores"),
        ("gogc", ["50", "100", "200", "400", "off"], "10 wrk runs with GOGC=50 to 400 and off"),
        ("gogc", ["x", "y", "z", "u", "v"], "10 wrk runs with 5 values of GOGC"),
        ("payload_bytes", [1, 2, 3, 4, 5], "10 wrk runs with 1 to 5 bytes"),
    ],
)
def test_a_title_of_many_settings_names_the_ends_of_their_numbers(
    runs: Runs, key: str, values: list[object], title: str
) -> None:
    for value in values:
        for _ in range(2):
            runs.add(labels={key: value}, throughput=100.0)
    assert wp.summary(runs.dataset()).title == f"{title}: too few to tell them apart"


def test_runs_without_the_label_are_others_in_a_title(runs: Runs) -> None:
    for name in ("keep-alive", "none yet", None):
        labels: dict[str, object] = {"connections": 8} | ({"heading": name} if name else {})
        runs.add(labels=labels, throughput=100.0)
    assert wp.summary(runs.dataset()).title == (
        "3 wrk runs of “keep-alive”, “none yet” and others: too few to tell them apart"
    )


@pytest.mark.parametrize(
    ("names", "of"),
    [
        (["axum", "chi", "echo", "fiber", "gin"], "axum, chi, echo, fiber and gin"),
        ([f"server-with-a-long-name-{at}" for at in "abcde"], "5 frameworks"),
        ([f"n{at}" for at in "abcdefghi"], "9 frameworks"),
    ],
)
def test_a_title_names_what_answers_if_there_is_room(names: list[str], of: str, runs: Runs) -> None:
    for name in names:
        runs.several([99.0, 100.0, 101.0], framework=name)
    assert wp.summary(runs.dataset()).title.startswith(f"{3 * len(names)} wrk runs of {of}")


def test_a_title_says_that_all_are_on_one_side(runs: Runs) -> None:
    add(runs, "base", 100)
    for at, name in enumerate("abcd", 2):
        add(runs, name, 100 * at)
    found = wp.compare(runs.dataset(), rows="framework", baseline="framework=base")
    assert headline(found) == "All 4 other frameworks answer more requests than base; d answers 5.0 times as many"


def test_folders_that_are_no_frameworks_are_others_in_a_title(runs: Runs) -> None:
    for at, name in enumerate(["n-0", "n-1", "n-2", "n-3", "n-4"], 1):
        runs.several([100 * at * step for step in (0.98, 0.99, 1.0, 1.01, 1.02, 1.03)], directory=name)
    found = wp.compare(runs.dataset(), rows="directory", baseline="directory=n-0")
    assert headline(found) == "All 4 others answer more requests than “n-0”; “n-4” answers 5.0 times as many"


def test_the_figure_of_variants_on_many_numbers_of_cores_is_that_of_their_growth(runs: Runs) -> None:
    for cores in (1, 2, 4, 8):
        for name, rate in (("heron", 100.0), ("plover", 150.0)):
            add(runs, name, rate * cores, 3, cores=cores, connections=64)
    found = wp.summary(runs.dataset())
    assert found.main is not None
    assert found.main.comparison is not None
    assert found.main.comparison.columns == ("cores",)
    assert found.figure == "scaling"
    assert wp.summary(found.dataset.where("cores < 8")).figure == "compare"  # three points make no curve


def test_a_sentence_on_growth_leaves_out_what_all_curves_share(runs: Runs) -> None:
    """Both at 64 connections: that of heron is 8 times as high, that of plover 4 times."""
    for cores in (1, 8):
        add(runs, "heron", 100.0 * cores, 3, cores=cores, connections=64)
        add(runs, "plover", 100.0 * (cores + 1) / 2 if cores == 1 else 400.0, 3, cores=cores, connections=64)
    said = scaling_sentence(scaling(runs.dataset()))
    assert said is not None
    assert said.startswith(
        "Throughput of heron is 8.0 times as high on 8 cores as on 1; "
        "that of plover is 4.0 times as high on 8 cores as on 1."
    )


def test_a_timed_command_beside_a_load_takes_no_part_in_its_conditions() -> None:
    """The load has 8 connections, the command none: all loads share them nevertheless."""
    found = conditions(wp.parse_text(f"$ wrk -c8 http://h/\n{WRK}\nreal\t0m1.000s\nuser\t0m0.500s\nsys\t0m0.100s\n"))
    assert "8 connections" in found.constant_words
    assert found.varies == {}


def test_growth_whose_rise_is_said_is_compared_with_linear_growth_alone(runs: Runs) -> None:
    """6.4 times on 8 cores is 80 % of 8 times."""
    for cores, level in ((1, 100.0), (2, 190.0), (4, 360.0), (8, 640.0)):
        runs.several([level * step for step in STEPS[:4]], cores=cores)
    said = wp.summary(runs.dataset()).findings
    assert said[0].startswith("Throughput rises with the number of cores: on 8 cores it is 6.4 times")
    assert said[1].startswith("Throughput on 8 cores is 80 % of linear growth")


def test_runs_in_two_groups_have_no_median_in_sentence_and_title(runs: Runs) -> None:
    runs.several([100.0, 101.0, 99.0, 150.0, 151.0, 149.0])
    found = wp.summary(runs.dataset())
    assert found.findings[0] == (
        "Throughput: 6 runs in two groups, 3 near 100.0 requests/s and 3 near 150.0 requests/s, with none between."
    )
    assert "100" not in found.title


def test_runs_in_three_groups_have_no_median_nor_interval(runs: Runs) -> None:
    runs.several([18.0, 24.0, 30.0, 18.1, 24.1, 30.1, 18.2, 24.2, 30.2])
    assert wp.summary(runs.dataset()).findings[0] == (
        "Throughput: 9 runs in 3 groups, 3 near 18.10 requests/s, 3 near 24.10 requests/s and 3 near 30.10 requests/s, with "
        "none between."
    )
