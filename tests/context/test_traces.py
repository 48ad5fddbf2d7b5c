"""What tells traces apart that stand in one file: the commands and the text above them, as for reports."""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.samples import WRK


def trace(cycles: int) -> str:
    """The gctrace of a process with so many collections."""
    return "".join(
        f"gc {number} @0.{number:03d}s 2%: 0.018+1.3+0.076 ms clock, 0.054+0.35/1.2/3.0+0.22 ms cpu, "
        "4->5->1 MB, 5 MB goal, 4 P\n"
        for number in range(1, cycles + 1)
    )


SCHED = "".join(
    f"SCHED {time}ms: gomaxprocs=4 idleprocs=3 threads=5 spinningthreads=0 idlethreads=2 runqueue=0 [0 0 0 0]\n"
    for time in (0, 100)
)
TIME = "\nreal\t0m1.2s\nuser\t0m1.1s\nsys\t0m0.1s\n"


def told(page: str) -> list[tuple[str, str]]:
    """The tool of each run with what tells it from others, in the order of their lines."""
    runs = wp.parse_text(page).runs.sort_values("line")
    keys = [key for key in ("framework", "heading", "gogc") if key in runs]
    rows = runs[keys].astype("object").fillna("").to_numpy() if keys else [[""]] * len(runs)
    return [(tool, "/".join(filter(None, row))) for tool, row in zip(runs["tool"], rows, strict=True)]


@pytest.mark.parametrize("events", [trace(3), SCHED])
def test_a_checkout_names_the_traces_below_it(events: str) -> None:
    run = f"$ GODEBUG=gctrace=1,schedtrace=100 ./teal\n{events}read 20000 rows in @ ms\n"
    page = "".join(
        f"$ git checkout {branch}\nSwitched to branch '{branch}'\n$ go build ./cmd/teal\n{run.replace('@ ms', '205 ms')}{run.replace('@ ms', '239 ms')}"
        for branch in ("main", "wren")
    )
    assert [name for _, name in told(page)] == ["main", "main", "wren", "wren"]


def test_a_trace_and_the_report_of_its_program_are_told_apart_alike() -> None:
    run = f"$ go build ./cmd/teal\n$ time GODEBUG=gctrace=1 ./teal\n{trace(3)}teal done\n{TIME}"
    found = told(f"$ git stash\n{run}$ git stash pop\n{run}")
    assert found == [("gctrace", "git stash"), ("time", "git stash"), ("gctrace", "git stash pop"), ("time", "git stash pop")]  # fmt: skip


def test_sentences_above_blocks_tell_traces_apart_and_say_what_is_a_repeat() -> None:
    block = f"```\n{trace(3)}```"
    found = told(f"As it was:\n\n{block}\n\nWith a pool of buffers:\n\n{block}\n\nand once more:\n\n{block}\n")
    assert len({name for _, name in found[:2]}) == 2
    assert found[1] == found[2]


def test_sentences_between_bare_traces_tell_them_apart() -> None:
    found = told(f"Default settings\n{trace(3)}\nwith GOGC=50\n{trace(5)}\nwith GOGC=400\n{trace(2)}")
    assert len(set(found)) == 3


@pytest.mark.parametrize("lead", ["with GOGC={}", "Run with GOGC={}:", "GOGC={}", "And the same with GOGC={}:"])
def test_the_variable_in_the_line_above_a_trace_is_its_label(lead: str) -> None:
    page = "".join(f"{lead.format(gogc)}\n\n```\n{trace(3)}```\n\n" for gogc in (50, 200))
    runs = wp.parse_text(page).runs.sort_values("line")
    assert runs["gogc"].tolist() == ["50", "200"]


@pytest.mark.parametrize(("numbers", "same"), [((50, 200), False), ((1, 2), True)])
def test_a_number_above_a_trace_is_a_setting_unless_it_counts(numbers: tuple[int, int], same: bool) -> None:
    found = told("".join(f"plover {number}:\n\n```\n{trace(3)}```\n\n" for number in numbers))
    assert (len(set(found)) == 1) is same


@pytest.mark.parametrize("between", ["2026/11/20 10:00:01 listening on :8080", "rows: 4711", "used 31 MB of memory"])
def test_what_a_program_prints_tells_no_traces_apart(between: str) -> None:
    run = f"$ GODEBUG=gctrace=1 ./teal\n{trace(3)}{between}\n"
    assert len(set(told(run + run.replace("4711", "4712").replace("31", "33") + run))) == 1


def test_lines_between_the_events_of_one_process_part_no_trace() -> None:
    first, *others = trace(5).splitlines(keepends=True)
    page = f"server starts\n{first}\nrequest 1 of ann\n\nrequest 2 of bo\n{''.join(others)}"
    assert len(told(page)) == 1


@pytest.mark.parametrize("form", [
    ">>> {}", "[{}]", "## {}", "==> {} <==", "* {}", "=== {} ===", "now testing {}", "-- {} --",
])  # fmt: skip
def test_a_title_directly_below_a_report_holds_for_the_trace_and_the_report_below_it(form: str) -> None:
    """No blank line stands between them; only text below an event may be what its program printed."""
    titles = [form.format(f"{name} / GOGC={gogc}") for name in ("kiwi", "emu") for gogc in (50, 100)]
    page = "".join(f"{title}\n{2 * (trace(5) + WRK)}" for title in titles)
    expected = [
        (tool, f"{name}/{gogc}") for name in ("kiwi", "emu") for gogc in (50, 100) for tool in 2 * ("gctrace", "wrk")
    ]
    assert told(page) == expected


@pytest.mark.parametrize("form", ["{}", "{}:", ">> {}", "echo {}"])
def test_variables_directly_below_a_report_are_those_of_the_trace_below(form: str) -> None:
    page = "".join(f"{form.format(f'kiwi / GOGC={gogc}')}\n{2 * (trace(5) + WRK)}" for gogc in (50, 100))
    assert wp.parse_text(page).runs.query("tool == 'gctrace'")["gogc"].tolist() == ["50", "50", "100", "100"]


def test_the_stamps_of_lines_stay_theirs_if_one_line_holds_two_events() -> None:
    lines = trace(5).splitlines()
    page = "".join(
        f"2026-11-20T10:00:0{second}Z {text}\n"
        for second, text in ((1, lines[0]), (2, f"{lines[1]} {lines[2]}"), (4, lines[3]), (5, lines[4]))
    )
    found = wp.parse_text(page)
    assert found.gc_cycles["logged_at"].dt.second.tolist() == [1, 2, 2, 4, 5]
    assert found.gc_cycles["line"].tolist() == [1, 2, 2, 3, 4]
    assert found.texts["line"].tolist() == found.runs["line"].tolist() == [1]


LONG = "".join(
    f"gc {number} @{number * 0.1:.3f}s 16%: 0.013+0.4+2.1 ms clock, 0.027+0/0/2.4+4.2 ms cpu, 10->10->7 MB, 10 MB goal, 4 P\n"
    for number in range(1, 900)
)


@pytest.mark.parametrize(
    "title",
    [
        "### {}", "<h2>{}</h2>", "<summary><b>{}</b></summary>", '<testcase name="{}">', "h2. {}", "\\section{{{}}}",
        "[b]{}[/b]", "**{}**", "::group::{}", "section_start:1700000000:bench_{}", ">>> {}", "[{}]",
        "Benchmarking {} ...", "server={}", "- {}", "Now with {}:", "***** {} *****",
    ],
)  # fmt: skip
def test_a_title_above_a_long_trace_names_it(title: str) -> None:
    """Only events are taken out of most of a long trace; of a short one, each line is read."""
    names = ["plover", "curlew", "dunlin"]
    short, long = (
        wp.parse_text("".join(f"\n{title.format(name)}\n\n{trace}" for name in names)).runs
        for trace in ("".join(LONG.splitlines(keepends=True)[:3]), LONG)
    )
    assert long["framework"].tolist() == short["framework"].tolist() == names
    assert long["section"].equals(short["section"])


def test_a_heading_may_stand_above_what_a_server_prints_before_its_first_collection() -> None:
    started = "".join(f"{number} handlers registered\n" for number in range(100))
    text = "".join(f"<h2>{name}</h2>\n<pre>\n{started}{LONG}</pre>\n" for name in ("plover", "curlew", "dunlin"))
    assert wp.parse_text(text).runs["framework"].tolist() == ["plover", "curlew", "dunlin"]


@pytest.mark.parametrize("opening", ["<pre>", "<![CDATA[", "<system-out><![CDATA["])
def test_the_stamp_of_an_event_behind_markup_is_read(opening: str) -> None:
    stamp = "2026-11-20T10:00:01.5Z "
    text = "".join(f"{stamp}{line}\n" for line in LONG.splitlines())
    for above in ("", "handled\n" * 10_000):
        cycles = wp.parse_text(f"{above}{opening}{text}").gc_cycles
        assert len(cycles) == 899
        assert cycles["logged_at"].notna().all()
