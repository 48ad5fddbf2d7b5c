"""Loops of the shell that load servers: which run has which value of the loop's variable."""

from __future__ import annotations

import pytest

import wrkparse as wp
from wrkparse.context.commands.loops import read_loop

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
    runs = wp.parse_text(text, source="session.txt").arrow("runs")
    found = [runs[key].to_pylist() if key in runs.column_names else [None] * len(runs) for key in keys]
    return [tuple("" if value is None else str(value) for value in row) for row in zip(*found, strict=True)]


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
    runs = told(f"$ for c in 8 64 512; do {DONE}\n" + "@\n" * count, "connections", "series")
    assert {connections for connections, _ in runs} == {""}
    assert [series for _, series in runs] == (list("1234")[:count] if count > 1 else [""])  # no repeats of one setting


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
        "for c in 8 64; do wrk -c$c http://h/; done; wrk -c1 http://h/",
        "for a in 1 2; do wrk -c$a http://h/; done; for b in 3 4; do wrk -c$b http://h/; done",
        "for c in {1..100000}; do wrk -c$c http://h/; done",
        "for c in 8 64; do wrk -c$c http://h/ & done",
        "for ((c = 1; c; c++)); do wrk -c$c http://h/; done",
        "for c in $COUNTS; do wrk -c$c http://h/; done",
        'for c in "${COUNTS[@]}"; do wrk -c$c http://h/; done',
        "COUNTS=(8 64); for c in $COUNTS; do wrk -c$c http://h/; done",  # bash: the first one, zsh: all
        "for c in {8..64..8} $(nproc); do wrk -c$c http://h/; done",
        "while read c; do wrk -c$c http://h/; done < counts",
        "c=1; until [ $c -gt 8 ]; do wrk -c$c http://h/; c=$((c * 2)); done",
    ],
)
def test_turns_whose_values_or_order_the_command_does_not_say_are_not_known(text: str) -> None:
    loop = read_loop(text)
    assert loop is not None
    assert loop.turns == ()
    assert loop.varying


@pytest.mark.parametrize("text", ["for c in 8 64; do wrk -c$c http://h/", "wrk -c8 http://h/for c in; do"])
def test_a_loop_that_does_not_end_is_none(text: str) -> None:
    assert read_loop(text) is None


@pytest.mark.parametrize("values", ["1 2 3", "$(seq 3)", "$(seq 1 3)", "{1..3}", "`seq 1 1 3`", "'1' \"2\" 3"])
def test_the_values_of_a_variable(values: str) -> None:
    loop = read_loop(f"for t in {values}; do wrk -t$t http://h/; done")
    assert loop is not None
    assert [turn.labels for turn in loop.turns] == [{"threads": "1"}, {"threads": "2"}, {"threads": "3"}]


@pytest.mark.parametrize(
    "loop",
    [
        "for c in 8 64; do n=0; while [ $n -lt 2 ]; do hey -c $c http://a/; n=$((n+1)); done; done",
        "for c in 8 64; do perf stat -r 2 hey -c $c http://a/; done",
        "for c in 8 64; do hey -c 1 http://a/ >/dev/null; hey -c $c http://a/; done",
        "for c in 8 64; do hey -c $c http://a/; done",  # typed twice, or three times of four turns
    ],
)
def test_more_runs_than_turns_are_not_dealt_out(loop: str) -> None:
    assert told(f"$ {loop}\n" + 4 * "@\n", "connections") == 4 * [("",)]


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("$(seq 64 -8 48)", ("64", "56", "48")),
        ("{64..48..8}", ("64", "56", "48")),
        ("{64..62}", ("64", "63", "62")),
        ("{08..10}", ("08", "09", "10")),
        ("8 {16..18..2} 64", ("8", "16", "18", "64")),
        ("{8,64}", ("8", "64")),
        ("1{0,00}", ("10", "100")),
    ],
)
def test_words_of_a_loop_are_expanded_as_bash_does(words: str, values: tuple[str, ...]) -> None:
    loop = read_loop(f"for c in {words}; do hey -c $c http://h/; done")
    assert loop is not None
    assert tuple(turn.values["c"] for turn in loop.turns) == values


@pytest.mark.parametrize(
    ("head", "values"),
    [
        ("i=1;i<=8;i*=2", ("1", "2", "4", "8")),
        ("i = 8; i > 0; i -= 4", ("8", "4")),
        ("i=1; i<4; ++i", ("1", "2", "3")),
        ("i=1; i<=9; i = i * 2 + 1", ("1", "3", "7")),
        ("i=1; i<=4; i<<=1", ("1", "2", "4")),
        ("i=0;i<9;i=i", ()),
        ("i=1; i<=n; i++", ()),
        ("i=1; i<=8; j++", ()),
    ],
)
def test_the_values_of_a_counter(head: str, values: tuple[str, ...]) -> None:
    loop = read_loop(f"for (({head})); do hey -c $i http://h/; done")
    assert loop is not None
    assert tuple(turn.values["i"] for turn in loop.turns) == values


@pytest.mark.parametrize(
    "body",
    [
        "hey -c $((c*4)) http://h/",
        "hey -c $(( 4 * $c )) http://h/",
        "n=$((c * 4)); hey -c $n http://h/",
        "n=$((c << 1)); m=$((n * 2)); hey -c ${m} http://h/",
    ],
)
def test_what_a_loop_computes_of_its_variable_is_the_value(body: str) -> None:
    assert told(f"$ for c in 8 16; do {body}; done\n@\n@\n", "connections") == [("32",), ("64",)]


SERVERS = "do ./$s & hey -c 8 http://h/; kill %1; done"


@pytest.mark.parametrize(
    "loop",
    [
        f'$ SERVERS=(heron plover)\n$ for s in "${{SERVERS[@]}}"; {SERVERS}',
        f"$ SERVERS='heron plover'\n$ date\n$ for s in $SERVERS; {SERVERS}",
        f"$ export SERVERS=heron; for s in $SERVERS plover; {SERVERS}",
        "```\nSERVERS=(heron plover)\nfor s in ${SERVERS[*]}; do\n  ./$s &\n  hey -c 8 http://h/\n  kill %1\ndone\n```\n",
    ],
)
def test_the_values_of_a_variable_of_the_shell_are_those_that_it_was_given(loop: str) -> None:
    assert told(f"{loop}\n@\n@\n", "framework") == [("heron",), ("plover",)]


def test_an_array_is_no_program() -> None:
    assert told("$ SERVERS=(heron plover)\n$ hey -c 8 http://h/\n@\n", "program", "framework") == [("", "")]


def test_a_variable_that_was_set_anew_is_not_known() -> None:
    page = f"$ SERVERS='heron plover'\n$ SERVERS=$(ls bin)\n$ for s in $SERVERS; {SERVERS}\n@\n@\n"
    assert told(page, "framework", "series") == [("", "1"), ("", "2")]


def test_runs_of_a_loop_whose_values_are_not_known_are_no_repeats() -> None:
    page = "$ for c in $(cat counts); do hey -c $c http://h/; done\n@\n@\n"
    assert told(page, "connections", "series") == [("", "1"), ("", "2")]
    other = page.replace("counts", "others")
    assert told(page + other, "series") == [("1",), ("2",), ("3",), ("4",)]
    assert told(page + page, "series") == [("1",), ("2",), ("1",), ("2",)]  # the same turns again


@pytest.mark.parametrize("loop", ["for i in $(seq $N); do", "while true; do", "for i in {1..$N}; do n=$((i + 1));"])
def test_turns_that_only_count_to_an_unknown_number_are_repeats(loop: str) -> None:
    page = f"$ {loop} hey -c 8 http://h/ | tee out-$i.txt; done\n@\n@\n"
    assert told(page, "connections", "series") == [("8", ""), ("8", "")]


def test_what_a_loop_prints_says_values_that_its_command_does_not_say() -> None:
    page = '$ for c in $(cat counts); do echo "== $c"; hey -c $c http://h/; done\n== 8\n@\n== 64\n@\n'
    assert told(page, "connections", "series") == [("8", ""), ("64", "")]
    page = (
        '$ for s in $(ls bin); do echo "== $s"; bin/$s & hey -c 8 http://h/; kill %1; done\n== heron\n@\n== plover\n@\n'
    )
    assert told(page, "framework", "series") == [("heron", ""), ("plover", "")]


def test_a_loop_that_was_stopped_and_typed_again_names_only_what_is_sure() -> None:
    loop = f"$ for s in heron plover kite; {SERVERS}\n"
    assert told(f"{loop}@\n^C\n{loop}@\n@\n", "framework") == 3 * [("",)]
    assert told(f"{loop}@\n^C\n{loop}@\n@\n@\n", "framework") == [("",), ("heron",), ("plover",), ("kite",)]


GC = "gc {0} @0.1{0}s 2%: 0.018+1.3+0.076 ms clock, 0.054+0.35/1.0/3.0+0.23 ms cpu, 4->4->3 MB, 5 MB goal, 4 P\n"


def traced(page: str, *keys: str) -> list[tuple[str, ...]]:
    """The labels of each run of a page, in which each line ``T`` stands for a trace."""
    trace = "".join(GC.format(at) for at in range(1, 4))
    return told(page.replace("T\n", trace), *keys)


def test_traces_have_the_values_of_the_turn() -> None:
    loop = "$ for g in 50 100; do GODEBUG=gctrace=1 GOGC=$g ./heron; done\n"
    assert traced(f"{loop}T\nT\n", "gogc") == [("50",), ("100",)]
    loop = "$ for s in heron plover; do GODEBUG=gctrace=1 ./$s; done\n"
    assert traced(f"{loop}T\nT\n", "framework") == [("heron",), ("plover",)]
    banners = "$ for g in $(cat gogcs); do echo g=$g; GODEBUG=gctrace=1 GOGC=$g ./heron; done\n"
    assert traced(f"{banners}g=50\nT\ng=100\nT\n", "series") == [("1",), ("2",)]


def test_traces_that_are_not_as_many_as_the_turns_are_no_repeats() -> None:
    loop = "$ for g in 50 100 200; do GODEBUG=gctrace=1 GOGC=$g ./heron; done\n"
    assert traced(f"{loop}T\nT\n", "gogc", "series") == [("", "1"), ("", "2")]
    loop = loop.replace("do ", 'do echo "== $g"; ')
    assert traced(f"{loop}== 50\nT\n== 200\nT\n", "gogc", "series") == [("50", ""), ("200", "")]
    assert traced(f"{loop}== 50\nT\n== 50\nT\n", "gogc") == [("",), ("",)]  # a turn starts one program


def test_a_trace_is_of_the_loop_around_its_program_alone() -> None:
    loop = "$ for g in 50 100; do GOGC=$g ./heron & for c in 8 16; do hey -c $c http://h/; done; kill %1; done\n"
    assert traced(f"{loop}T\n@\n@\nT\n@\n@\n", "tool", "gogc", "connections") == [
        ("gctrace", "50", ""), ("hey", "50", "8"), ("hey", "50", "16"),
        ("gctrace", "100", ""), ("hey", "100", "8"), ("hey", "100", "16"),
    ]  # fmt: skip


@pytest.mark.parametrize("sign", ["# ", "% ", "> "])
def test_a_heading_that_begins_as_a_loop_does_is_a_heading(sign: str) -> None:
    page = f"{sign}for larder in docker\n\n```\n@\n```\n\n{sign}for pantry in docker\n\n```\n@\n```\n"
    text = page.replace("@\n", HEY.format(rate=1000))
    assert wp.parse_text(text, source="page.md").runs["command"].isna().all()


@pytest.mark.parametrize(
    "loop",
    [
        "for c in 1 2; do c=$((c*8)); hey -c $c http://h/; done",
        "for c in 1 2; do ((c*=8)); hey -c $c http://h/; done",
        "for c in 1 2; do let c*=2; hey -c $c http://h/; done",
        'for c in 1 2; do c="${c}0"; hey -c $c http://h/; done',
        "for c in 8 64; do [ $c -gt 32 ] && c=32; hey -c $c http://h/; done",
        "S='8 64'; S=$(cat f); for c in $S; do hey -c $c http://h/; done",
        "c=8; while [ $c -le 16 ]; do hey -c $c http://h/; ((c*=2)); done",
    ],
)
def test_a_variable_that_is_set_anew_gives_no_wrong_value_and_no_repeats(loop: str) -> None:
    page = f"$ {loop}\n@\n@\n"
    assert told(page, "connections") == [("",), ("",)]
    assert told(page, "series") == [("1",), ("2",)]


@pytest.mark.parametrize(
    "body",
    [
        "./start ${s%/} &",
        "./start ${s##*/} &",
        "cd $s; ./start &",
        "echo $s > /proc/sys/net/x;",
        "if [ $s = kiwi ]; then ./a; else ./b; fi;",
        "case $s in kiwi) ./a;; emu) ./b;; esac;",
    ],
)
def test_a_variable_that_is_used_in_any_way_tells_the_turns_apart(body: str) -> None:
    page = f"$ for s in kiwi emu; do {body} hey -c 8 http://h/; done\n@\n@\n"
    assert told(page, "framework") == [("kiwi",), ("emu",)]
