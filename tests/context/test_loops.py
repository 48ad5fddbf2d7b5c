"""Loops of the shell that load servers: which run has which value of the loop's variable."""

from __future__ import annotations

import pytest

import wrkparse as wp
from wrkparse.context.loops import read_loop

HEY = """
Summary:
  Total:	2.0035 secs
  Slowest:	0.0153 secs
  Fastest:	0.0001 secs
  Average:	0.0006 secs
  Requests/sec:	{rate}.0542

Status code distribution:
  [200]	34175 responses

"""
DONE = "hey -z 2s -c $c http://127.0.0.1:8000/; done"


def told(page: str, *keys: str) -> list[tuple[str, ...]]:
    """The labels with these keys of each run of a page, in which each ``@`` stands for a report of hey."""
    text = "".join(
        HEY.format(rate=1000 + at) if line == "@\n" else line for at, line in enumerate(page.splitlines(True))
    )
    runs = wp.parse_text(text, source="session.txt").runs.sort_values("line")
    return [
        tuple("" if key not in runs or runs[key].isna()[at] else str(runs[key][at]) for key in keys)
        for at in runs.index
    ]


@pytest.mark.parametrize(
    ("echo", "lines"),
    [
        ('echo "== $c"', ("== 8", "== 64", "== 512")),
        ("echo c=${c}", ("c=8", "c=64", "c=512")),
        ('printf "\\n--- %s clients ---\\n" $c', ("--- 8 clients ---", "--- 64 clients ---", "--- 512 clients ---")),
        ("sleep 1", ("", "", "")),
    ],
)
def test_the_variable_of_an_option_has_the_value_of_the_turn(echo: str, lines: tuple[str, str, str]) -> None:
    page = f"$ for c in 8 64 512; do {echo}; {DONE}\n" + "".join(f"{line}\n@\n" for line in lines)
    assert told(page, "connections") == [("8",), ("64",), ("512",)]


def test_what_a_loop_prints_says_the_turn_of_a_run_where_some_are_missing() -> None:
    page = f'$ for c in 8 64 512; do echo "== $c"; {DONE}\n== 64\n@\n== 512\n@\n'
    assert told(page, "connections") == [("64",), ("512",)]


@pytest.mark.parametrize("before", ["> ", "for> ", "    "])
def test_a_loop_may_have_several_lines(before: str) -> None:
    lines = [
        "$ for c in 8 64",
        "do",
        'echo "== $c"',
        "hey -z 2s -c $c http://h/",
        "done",
        "== 8",
        "@",
        "== 64",
        "@",
        "",
    ]
    page = "\n".join([lines[0], *(before + line for line in lines[1:5]), *lines[5:]])
    assert told(page, "connections") == [("8",), ("64",)]
    page = page.replace(f"\n{before}do\n", "; do\n")
    assert told(page, "connections") == [("8",), ("64",)]


def test_a_loop_that_never_ends_swallows_no_lines() -> None:
    page = "$ for c in 8 64; do\n$ hey -z 2s -c 16 http://h/\n@\n## heron\n\n@\n"
    assert told(page, "connections", "section") == [("16", ""), ("16", "heron")]


def test_a_banner_of_a_loop_ends_no_server() -> None:
    loop = f'$ for c in 8 64; do echo "== $c"; {DONE}\n== 8\n@\n== 64\n@\n'
    page = f"$ ./heron --port 8000 &\n{loop}$ kill %1\n$ ./plover --port 8000 &\n{loop}"
    expected = [(name, c) for name in ("heron", "plover") for c in ("8", "64")]
    assert told(page, "framework", "connections") == expected


def test_loops_in_loops_have_their_turns_in_order() -> None:
    page = f"$ for s in heron plover; do ./$s & for c in 8 64; do {DONE}; kill %1; done\n" + "@\n" * 4
    expected = [(name, c) for name in ("heron", "plover") for c in ("8", "64")]
    assert told(page, "framework", "connections") == expected


def test_a_variable_that_no_option_has_names_the_runs() -> None:
    page = "$ for s in heron plover; do docker run -d --name sut lab/$s; hey -c 8 http://h/; done\n@\n@\n"
    assert told(page, "framework") == [("heron",), ("plover",)]


def test_the_option_of_another_command_is_a_key() -> None:
    page = "$ for r in 1 2 3; do kubectl scale deploy/x --replicas=$r; hey -c 8 http://h/; done\n@\n@\n@\n"
    assert told(page, "replicas") == [("1",), ("2",), ("3",)]


@pytest.mark.parametrize("count", [1, 2, 4])
def test_runs_without_a_banner_that_are_not_as_many_as_the_turns_have_no_value(count: int) -> None:
    assert set(told(f"$ for c in 8 64 512; do {DONE}\n" + "@\n" * count, "connections")) == {("",)}


def test_lines_above_the_runs_that_contradict_the_order_leave_them_without_a_value() -> None:
    page = f'$ for c in 8 64; do echo "== $c"; {DONE}\n== 64\n@\n== 7\n@\n'
    assert told(page, "connections") == [("",), ("",)]


def test_turns_that_only_count_are_repeats() -> None:
    page = "$ for i in 1 2 3; do hey -c 8 http://h/ | tee out-$i.txt; done\n@\n@\n@\n"
    assert len(set(told(page, "framework", "heading", "connections", "i"))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "for c in $(cat counts); do wrk -c$c http://h/; done",
        "for f in *.lua; do wrk -s $f http://h/; done",
        "for c in 8 64; do wrk -c$c http://h/",
        "for c in 8 64; do wrk -c$c http://h/; done; wrk -c1 http://h/",
        "for a in 1 2; do wrk -c$a http://h/; done; for b in 3 4; do wrk -c$b http://h/; done",
        "for c in {1..100000}; do wrk -c$c http://h/; done",
        "wrk -c8 http://h/for c in; do",
    ],
)
def test_a_loop_whose_turns_are_not_known_is_none(text: str) -> None:
    assert read_loop(text) is None


@pytest.mark.parametrize("values", ["1 2 3", "$(seq 3)", "$(seq 1 3)", "{1..3}", "`seq 1 1 3`", "'1' \"2\" 3"])
def test_the_values_of_a_variable(values: str) -> None:
    loop = read_loop(f"for t in {values}; do wrk -t$t http://h/; done")
    assert loop is not None
    assert [turn.labels for turn in loop.turns] == [{"threads": "1"}, {"threads": "2"}, {"threads": "3"}]


@pytest.mark.parametrize(
    "loop",
    [
        "for c in 8 64; do for ((i=0;i<2;i++)); do hey -c $c http://a/; done; done",
        "for c in 8 64; do n=0; while [ $n -lt 2 ]; do hey -c $c http://a/; n=$((n+1)); done; done",
        "for c in 8 64; do perf stat -r 2 hey -c $c http://a/; done",
        "for c in 8 64; do hey -c 1 http://a/ >/dev/null; hey -c $c http://a/; done",
        "for c in 8 64; do hey -c $c http://a/; done",  # typed twice, or three times of four turns
    ],
)
def test_more_runs_than_turns_are_not_dealt_out(loop: str) -> None:
    assert told(f"$ {loop}\n" + 4 * "@\n", "connections") == 4 * [("",)]


@pytest.mark.parametrize("sign", ["# ", "% ", "> "])
def test_a_heading_that_begins_as_a_loop_does_is_a_heading(sign: str) -> None:
    page = f"{sign}for larder in docker\n\n```\n@\n```\n\n{sign}for pantry in docker\n\n```\n@\n```\n"
    text = page.replace("@\n", HEY.format(rate=1000))
    assert wp.parse_text(text, source="page.md").runs["command"].isna().all()
