"""time's forms, line by line and whole; expected values come from the texts and from the programs' sources."""

from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp
from tests.cases import each_case
from tests.coverage import unaccounted
from wrkparse.tools.report import Report
from wrkparse.tools.time.tool import TOOL
from wrkparse.tools.time.values import METRICS, parse_time

from .harness import FIXTURES, cases, is_run, labels, numbers, read_report

COMMAND = '\tCommand being timed: "./server"'
BSD = "        0.10 real         0.01 user         0.02 sys"


def read(*lines: str) -> Report:
    """The only report of some lines."""
    (report,) = read_report(TOOL, "\n".join(lines))
    return report


def three(elapsed: float, user: float, system: float) -> dict[str, float]:
    return {"elapsed/total": elapsed, "user/total": user, "system/total": system}


@pytest.mark.parametrize(
    ("text", "value", "resolution"),
    [
        ("0:02.61", 2.61, 0.005),
        ("1:02.03", 62.03, 0.005),  # only the dot tells minutes and seconds …
        ("1:02:03", 3723.0, 0.5),  # … from hours, minutes and seconds
        ("100:00:00", 360000.0, 0.5),
        ("59:59.99", 3599.99, 0.005),
        ("0m0.102s", 0.102, 0.0005),
        ("0m0,104s", 0.104, 0.0005),
        ("125m3.004s", 7503.004, 0.0005),
        ("0m 0.10s", 0.1, 0.005),
        ("1h 2m 03s", 3723.0, 0.5),
        ("0m00.10s", 0.1, 0.005),
        ("0.100123", 0.100123, 5e-7),
        ("1d2h3m4.05s", 93784.05, 0.005),
        ("1h5.00s", 3605.0, 0.005),  # BSD's -h leaves out minutes that are none
        ("101ms", 0.101, 0.0005),
    ],
)
def test_a_time_is_read_as_seconds_in_every_form(text: str, value: float, resolution: float) -> None:
    assert parse_time(text) == (value, pytest.approx(resolution))


@pytest.mark.parametrize("text", ["", "s", "1:2:3:4", "0:-1.00", "abc", "1m", "0:", "1.2.3", "9" * 5000, "0:0x.10"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a"):
        parse_time(text)


@each_case(
    "line, dialect, values",
    [
        ("real\t125m3.004s", "bash", {"elapsed/total": 7503.004}),
        ("user    0m0,178s", "bash", {"user/total": 0.178}),
        ("real\t1h 2m 03s", "busybox", {"elapsed/total": 3723}),
        ("real 0m0,008s // the whole script", "bash", {"elapsed/total": 0.008}),
        ("real 0m0,076s | user 0m0,065s | sys 0m0,012s", "own format", three(0.076, 0.065, 0.012)),
        ("real 1.10 user 0.20 sys 0.03", "own format", three(1.1, 0.2, 0.03)),
        (
            "real\t2.08s\nuser\t0.10s\nsys\t0.01s\ncpu\t5%",
            "own format",
            {**three(2.08, 0.1, 0.01), "cpu_share/total": 0.05},
        ),
        ("real    1:02.08s\nuser    0.10s\nsys     0.01s", "own format", three(62.08, 0.1, 0.01)),
        (
            "make  0.16s user, 0.05s system, 89% cpu, 0.227 total",
            "zsh",
            {**three(0.227, 0.16, 0.05), "cpu_share/total": 0.89},
        ),
        ("0.103 real 0.001 user 0.000 sys 1.37%", "own format", {**three(0.103, 0.001, 0), "cpu_share/total": 0.0137}),
        ("\t0:00.10 real,\t0.02 user,\t0.01 sys", "gnu -f", three(0.1, 0.02, 0.01)),
        (BSD, "bsd", three(0.1, 0.01, 0.02)),
        ("        0,10 real         0,01 user         0,02 sys", "bsd", three(0.1, 0.01, 0.02)),
        ("\t1m2.03s real\t\t0.01s user\t\t0.02s sys", "bsd", three(62.03, 0.01, 0.02)),
        ("\t1d1h5.03s real\t\t0.01s user\t\t0.02s sys", "bsd", three(90005.03, 0.01, 0.02)),
        ("    1m00.10s real     0m00.02s user     0m00.01s system", "mksh", three(60.1, 0.02, 0.01)),
        (
            "make -j 4  38.25s user 2,50s system 340% cpu 1:11.98 total",
            "zsh",
            {**three(71.98, 38.25, 2.5), "cpu_share/total": 3.4},
        ),
        (
            "sleep 9  0.00s user 0.00s system 0% cpu 1:00:09.05 total",
            "zsh",
            {**three(3609.05, 0, 0), "cpu_share/total": 0},
        ),
        (
            "- 78.25s user 3.89s system 912% cpu 9.001 total wall time 0:17.3",
            "zsh",
            {**three(9.001, 78.25, 3.89), "cpu_share/total": 9.12},
        ),
        (
            "0.184u 0.010s 1:00.94 19.1%\t0+0k 8+16io 3pf+0w",
            "tcsh",
            {
                **three(60.94, 0.184, 0.01),
                "cpu_share/total": 0.191,
                "fs_inputs/total": 8,
                "fs_outputs/total": 16,
                "page_faults_major/total": 3,
                "swaps/total": 0,
            },
        ),
        (
            "0.184u 0.010s 1:00.94 19.1%\t5+600k 0+0io 0pf+12w",
            "tcsh",
            {
                **three(60.94, 0.184, 0.01),
                "cpu_share/total": 0.191,
                "avg_shared_text/total": 5 * 1024,
                "avg_unshared_data/total": 600 * 1024,
                "fs_inputs/total": 0,
                "fs_outputs/total": 0,
                "page_faults_major/total": 0,
                "swaps/total": 12,
            },
        ),
        ("0.1u 0.0s 1:02:03 19.1%", "tcsh", {**three(3723, 0.1, 0), "cpu_share/total": 0.191}),
        ("    0m00.20s user     1m00.10s system", "mksh", {"user/total": 0.2, "system/total": 60.1}),
        ("real\t1h2m03.45s", "ksh", {"elapsed/total": 3723.45}),
        ("Executed in    2,50 secs      fish           external", "fish", {"elapsed/total": 2.5}),
        ("Executed in    2.50 secs      fish           external", "fish", {"elapsed/total": 2.5}),
        ("Executed in   19.62 mins      fish           external", "fish", {"elapsed/total": 19.62 * 60}),
        ("1.00user 2.00system 1:02:03elapsed 15780%CPU", "gnu", {**three(3723, 1, 2), "cpu_share/total": 157.8}),
        ("3.22user 2.24system 0:02.61elapsed", "gnu", three(2.61, 3.22, 2.24)),
    ],
)
def test_a_line_gives_its_numbers_and_its_form(line: str, dialect: str, values: dict[str, float]) -> None:
    report = read(line)
    assert report.dialect == dialect
    assert numbers(report) == pytest.approx(values, rel=1e-12)
    assert is_run(TOOL, report)


@pytest.mark.parametrize(
    "line",
    [
        "3.22user 2.24system ...elapsed ...%CPU (0avgtext+0avgdata 143804maxresident)k",
        "3.22user 2.24system …elapsed …%CPU (0avgtext+0avgdata 143804maxresident)k",
        "3.22user 2.24system ?elapsed ??%CPU (0avgtext+0avgdata 143804maxresident)k",
        "3.22user 2.24system elapsed %CPU (0avgtext+0avgdata 143804maxresident)k",
    ],
)
def test_an_elided_figure_is_missing_and_no_mistake(line: str) -> None:
    report = read(line)
    assert numbers(report) == {"user/total": 3.22, "system/total": 2.24, "max_rss/total": 143804 * 1024}
    assert report.diagnostics == []


def test_one_bad_figure_costs_one_figure() -> None:
    report = read("3.22user 2.2.4system 0:02.61elapsed 208%CPU (0avgtext+0avgdata 143804maxresident)k")
    assert set(numbers(report)) == {"user/total", "elapsed/total", "cpu_share/total", "max_rss/total"}
    assert [(found.line, found.code) for found in report.diagnostics] == [(1, "bad-cell")]


def test_resolution_is_half_the_last_printed_digit() -> None:
    report = read("3.22user 2.24system 0:02.61elapsed 208%CPU (0avgtext+0avgdata 143804maxresident)k")
    resolution = {row.metric: row.resolution for row in report.measurements}
    wanted = {"user": 0.005, "system": 0.005, "elapsed": 0.005, "cpu_share": 0.005, "max_rss": 512}
    assert resolution == pytest.approx(wanted)


def test_an_average_size_of_0_says_that_the_kernel_keeps_none() -> None:
    report = read(
        COMMAND,
        "\tAverage shared text size (kbytes): 0",
        "\tAverage unshared data size (kbytes): 12",
        "\tMaximum resident set size (kbytes): 3108",
    )
    assert numbers(report) == {"avg_unshared_data/total": 12 * 1024, "max_rss/total": 3108 * 1024}


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("Command exited with non-zero status 127", {"exit_status/total": 127}),
        ("Command terminated by signal 9", {"signal/total": 9}),
        ("^CCommand terminated by signal 2", {"signal/total": 2}),
        ("Command stopped by signal 19", {"signal/total": 19}),
        ("Command terminated abnormally.", {"signal/total": None}),
        ("time: command terminated abnormally", {"signal/total": None}),
    ],
)
def test_how_the_command_ended_belongs_to_the_figures_that_follow(line: str, values: dict[str, float | None]) -> None:
    assert not is_run(TOOL, read(line))
    report = read(line, "real 0.10", "user 0.01", "sys 0.02")
    assert numbers(report) == {**values, **three(0.1, 0.01, 0.02)}


def test_status_0_of_a_killed_command_is_not_believed() -> None:
    lines = [COMMAND, "\tUser time (seconds): 0.00", "\tExit status: 0"]
    assert numbers(read(*lines))["exit_status/total"] == 0
    assert "exit_status/total" not in numbers(read("Command terminated by signal 9", *lines))


def test_a_status_told_twice_is_one_number() -> None:
    report = read("Command exited with non-zero status 3", COMMAND, "\tUser time (seconds): 0.00", "\tExit status: 3")
    assert [row.line for row in report.measurements if row.metric == "exit_status"] == [1]


def test_the_command_of_verbose_output_is_a_label() -> None:
    assert labels(read('\tCommand being timed: "sh -c echo "hi""')) == {"command": 'sh -c echo "hi"'}


def test_a_command_goes_on_to_its_closing_quote() -> None:
    report = read('\tCommand being timed: "sh -c true', "", '  echo "hi', '"', "\tUser time (seconds): 0.18")
    assert labels(report) == {"command": 'sh -c true\n\n  echo "hi\n'}
    assert numbers(report) == {"user/total": 0.18}


def test_a_command_whose_closing_quote_never_comes_is_marked_as_cut() -> None:
    assert labels(read('\tCommand being timed: "sh -c true')) == {"command": "sh -c true …"}
    report = read('\tCommand being timed: "sh -c true', "\tUser time (seconds): 0.18", 'said "no"')
    assert labels(report) == {"command": "sh -c true"}


@pytest.mark.parametrize(
    ("line", "signal", "command"),
    [
        ('bash: line 1: 20251 Killed                  sh -c "kill -9"', 9, 'sh -c "kill -9"'),
        ("./x.sh: line 12: 20251 Segmentation fault      (core dumped) ./server -p 80", 11, "./server -p 80"),
        ("./x.sh: line 12: 20251 Segmentation fault: 11  ./server", 11, "./server"),  # macOS
        ("zsh: killed     ./server", 9, "./server"),
        ("zsh: abort (core dumped)  ./server", 6, "./server"),
        ("fish: Job 1, './server' terminated by signal SIGKILL (Forced quit)", 9, "./server"),
    ],
)
def test_what_a_shell_says_of_a_killed_command_belongs_to_the_figures_right_below(
    line: str, signal: int, command: str
) -> None:
    figures = ("real\t0m0.102s", "user\t0m0.001s", "sys\t0m0.000s")
    report = read(line, "", *figures)
    assert (report.line, labels(report)) == (1, {"command": command})
    assert numbers(report) == {"signal/total": signal, **three(0.102, 0.001, 0)}
    later = read(line, "", "", "", "other output", *figures)
    assert (later.line, labels(later), numbers(later)) == (6, {}, three(0.102, 0.001, 0))
    assert read(line).seen <= TOOL.idle  # says nothing without figures


def test_a_terminals_interrupt_is_not_part_of_the_command() -> None:
    assert labels(read("^Csleep 5  0.00s user 0.00s system 0% cpu 0.298 total")) == {"command": "sleep 5"}


def test_lines_picked_from_verbose_output_are_a_run() -> None:
    report = read(
        "\tElapsed (wall clock) time (h:mm:ss or m:ss): 1:02.03", "\tMaximum resident set size (kbytes): 3108"
    )
    assert is_run(TOOL, report)
    assert numbers(report) == {"elapsed/total": 62.03, "max_rss/total": 3108 * 1024}


def test_the_resident_set_that_busybox_prints_is_left_out() -> None:
    report = read(
        "\tElapsed (wall clock) time (h:mm:ss or m:ss): 1m 0.10s", "\tMaximum resident set size (kbytes): 6912"
    )
    assert numbers(report) == {"elapsed/total": pytest.approx(60.1)}
    assert [(found.line, found.code) for found in report.diagnostics] == [(2, "unit-unknown")]


@pytest.mark.parametrize(("printed", "read_as"), [("1728", None), ("6912", None), ("1732", 1732), ("6900", 6900)])
def test_only_a_mended_busybox_prints_what_is_no_multiple_of_four_pages(printed: str, read_as: int | None) -> None:
    report = read(
        "\tElapsed (wall clock) time (h:mm:ss or m:ss): 1h 2m 03s", f"\tMaximum resident set size (kbytes): {printed}"
    )
    assert numbers(report) == {"elapsed/total": 3723} | ({"max_rss/total": read_as * 1024} if read_as else {})
    assert len(report.diagnostics) == (read_as is None)


def test_older_toybox_prints_the_system_time_first() -> None:
    report = read("Real time (s): 0.101200", "System time (s): 0.000020", "User time (s): 0.001023", "Major faults: 1")
    assert report.dialect == "toybox -v"
    assert numbers(report) == {**three(0.1012, 0.001023, 0.00002), "page_faults_major/total": 1}


def test_a_resident_set_in_the_width_of_macos_is_in_bytes() -> None:
    report = read(BSD, f"{688128:20d}  maximum resident set size", f"{97:20d}  page reclaims")
    assert (report.dialect, report.diagnostics) == ("macos", [])
    assert numbers(report)["max_rss/total"] == 688128


def test_macos_prints_the_resident_set_in_bytes() -> None:
    report = read(BSD, "   688128  maximum resident set size", "   434176  peak memory footprint")
    assert (report.dialect, report.diagnostics) == ("macos", [])
    assert numbers(report) == pytest.approx(
        {**three(0.1, 0.01, 0.02), "max_rss/total": 688128, "peak_footprint/total": 434176}
    )


def test_bsd_prints_the_resident_set_in_kib() -> None:
    report = read(BSD, "      1644  maximum resident set size", "        97  page reclaims", "         3  page faults")
    assert (report.dialect, report.diagnostics) == ("bsd", [])
    assert numbers(report) == pytest.approx(
        {
            **three(0.1, 0.01, 0.02),
            "max_rss/total": 1644 * 1024,
            "page_faults_minor/total": 97,
            "page_faults_major/total": 3,
        }
    )


def test_a_resident_set_that_both_could_have_printed_is_pointed_out() -> None:
    report = read(BSD, "   688128  maximum resident set size", "        97  page reclaims")
    assert numbers(report)["max_rss/total"] == 688128
    assert [(found.line, found.code) for found in report.diagnostics] == [(2, "unit-unknown")]


@each_case(
    "line",
    [
        "real 5 problems",
        "user system",
        "real time is 0.10",
        "real 0m1.2s was what we measured",
        "user 0.10",
        "sys 0.10",
        "sys\t0m0.000s",
        "0m0.001s 0m0.001s",
        "Executed in 2.50 secs",
        "usr time 1.30 millis",
        "Exit status: 0",
        "Swaps: 0",
        "97 page faults",
        "Voluntary context switches: 1",
        "3188maxresident)k",
        "the user 1.00 of the system",
        "12.5 total",
        "killed 12 processes",
        "1.5u 2.5s",
        "Real time (s) 5",
        "User time (s): 5.0",
    ],
)
def test_a_line_that_others_print_too_begins_no_report(line: str) -> None:
    assert read_report(TOOL, line) == []


@pytest.mark.parametrize("line", ["real 0.10", COMMAND, "0inputs+0outputs (0major+12345minor)pagefaults 0swaps"])
def test_too_little_is_no_run(line: str) -> None:
    assert not is_run(TOOL, read(line))


def test_each_form_begins_a_report_after_every_other() -> None:
    forms = [
        "0.18user 0.00system 0:00.29elapsed 62%CPU (0avgtext+0avgdata 3188maxresident)k",
        "real\t0m0.102s\nuser\t0m0.001s\nsys\t0m0.000s",
        "real 0.10\nuser 0.01\nsys 0.02",
        BSD,
        "sleep 0.1  0.00s user 0.00s system 1% cpu 0.102 total",
        "0.001u 0.000s 0:00.10 0.0%\t0+0k 0+0io 0pf+0w",
        "Executed in  101.52 millis    fish           external\n   usr time    1.30 millis    0.00 micros",
        f"{COMMAND}\n\tUser time (seconds): 0.18\n\tExit status: 0",
    ]
    pairs = [(first, second) for first in forms for second in forms]
    for first, second in pairs:
        reports = read_report(TOOL, f"{first}\n\n{second}")
        assert [report.line for report in reports] == [1, first.count("\n") + 3]


PROSE = """
The real time is 0.10 s, of which user 0.05 and sys 0.01: real 0.10 user 0.05 is what we want.

real 2 problems remain; the user 1.0 release of the system 2.0 had 3 of them.

- user 5.00
- sys 1.00
- real users: 12.5 total
- Command exited early
- Swaps: 3
- Maximum resident set size of 100 kbytes
- Executed in 1.25 secs
- 12 page faults, 3 swaps
- GC took 0.10u of 5s
"""


def test_prose_with_the_words_of_time_is_no_run() -> None:
    dataset = wp.parse_text(PROSE, "notes.md")
    assert dataset.runs.empty
    assert set(dataset.diagnostics.code) <= {"no-runs"}


# What shells and people print beside the figures: prompts with commands, fences, fish's ruler, a job that ended before.
NOT_OURS = (r"[$%] .*", "```", "_{56}", r"bash: line 1: 31210 Killed .*", "sh -c exit 3")
LOGS = sorted((*FIXTURES.glob("time/*.txt"), *FIXTURES.glob("time-formats/*.txt")))


@each_case("log", LOGS, ids=lambda log: log.stem)
def test_every_line_of_a_real_log_is_accounted_for(log: Path) -> None:
    assert unaccounted(log, NOT_OURS, LOGS) == []


def test_no_metric_is_declared_twice() -> None:
    names = [metric.name for metric in METRICS]
    assert len(names) == len(set(names))


def test_what_a_line_may_say_is_declared() -> None:
    declared = {metric.name: metric.unit for metric in METRICS}
    for case in cases(TOOL):
        for report in read_report(TOOL, case.read_text()):
            assert {row.metric: row.unit for row in report.measurements}.items() <= declared.items()
