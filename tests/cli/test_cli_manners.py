"""What all commands have in common: one store, short names, suggestions, conditions, JSON, colours, completion."""

from __future__ import annotations

import gc
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import wrkparse as wp
from tests.command_line import wrkparse
from tests.samples import GC, WRK
from wrkparse.cli import main
from wrkparse.cli.shared import completion
from wrkparse.cli.shared.printing import colour, output, progress
from wrkparse.dataset import QueryError
from wrkparse.ingest.ingest import ingest, parse_text


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two wrk runs and a trace, which no test changes."""
    folder = tmp_path_factory.mktemp("manners")
    page = f"# nginx\n\n{WRK}\n# go\n\n{WRK.replace('40669.44', '50000.00')}\n{GC.format(n=1, t='0.001')}"
    (folder / "page.md").write_text(page)
    ingest([str(folder / "page.md")], folder / "wrkparse.duckdb")
    return folder


@pytest.fixture(autouse=True)
def here(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(made)


@pytest.mark.parametrize("command", [
    ("runs",), ("audit",), ("scaling",), ("gc",), ("sched",), ("sql", "SELECT 1"), ("show", "f"), ("reproduce",),
    ("export", "-o", "none.csv"), ("plot", "compare"), ("report", "-o", "none.pdf"), ("compare",),
])  # fmt: skip
def test_a_store_is_an_argument_or_an_option_and_not_both(command: tuple[str, ...]) -> None:
    twice = wrkparse(*command, "wrkparse.duckdb", "--store", "other.duckdb")
    assert twice.exit_code == 2
    said = " ".join(twice.stderr.split())
    if command == ("compare",):
        assert "give the data only once: as arguments or with --store" in said
    else:
        assert "give" in said
        assert "wrkparse.duckdb and --store other.duckdb" in said
    if command[0] not in {"report", "plot", "export"}:
        assert wrkparse(*command, "wrkparse.duckdb").stdout == wrkparse(*command).stdout


@pytest.mark.parametrize(("arguments", "said"), [
    (("comapre",), "there is no command 'comapre'; did you mean compare?"),
    (("plot", "scalin"), "did you mean scaling?"),
    (("runs", "--colums", "run"), "Did you mean '--columns'?"),
    (("compare", "--rows", "framwork"), "there is no label framwork; did you mean framework?"),
    (("compare", "--metric", "troughput"), "there is no metric 'troughput'; did you mean throughput?"),
    (("runs", "--columns", "conections"), "--columns: no column conections; did you mean connections?"),
    (("runs", "--where", "conections = 8"), "there is no label or metric conections; did you mean connections?"),
])  # fmt: skip
def test_a_misspelt_name_is_told_with_the_one_that_is_like_it(arguments: tuple[str, ...], said: str) -> None:
    result = wrkparse(*arguments)
    assert result.exit_code == 2
    assert said.lower() in " ".join(result.stderr.split()).lower()


def test_a_folder_in_place_of_a_command_is_told_what_reads_it(tmp_path: Path) -> None:
    result = wrkparse(str(tmp_path))
    assert result.exit_code == 2
    assert f"`wrkparse ingest {tmp_path}` reads it" in " ".join(result.stderr.split())


@pytest.mark.parametrize(("condition", "said"), [
    ("framework = nginx", "there is no label or metric nginx; put text in single quotes: 'nginx'"),
    ("framework IN (nginx, go)", "there is no label or metric nginx; put text in single quotes: 'nginx'"),
    ("connections = ", "it ends too early, after '='"),
    ("connections ==== 8", "there is no operator ===="),
    ("nearest(connections) = 8", "there is no function nearest"),
    ("(connections = 8", "it ends too early, after '8'"),
    ("connections = = 8", "it can't be understood at '='"),
    ("p99 > 5ms", "numbers have no unit: 0.005 for 5ms; times are in seconds"),
    ("rps > 1.5k", "numbers have no unit: 1500 for 1.5k"),
    ("run\ufffdain(lue s.s)", "it can't be understood at 's'"),
    ("p99 > .5s", "numbers have no unit: 0.5 for .5s; times are in seconds"),
    ("connections = 8 && rps > 1", "write and for &&"),
    ('framework = "nginx"', "there is no label or metric nginx; put text in single quotes: 'nginx'"),
    ("throughput > 'fast'", "'fast' is not a number"),
    ("avg(connections) > 1", "it applies to each run, so it can't contain sums, means or counts over runs"),
])  # fmt: skip
def test_a_wrong_condition_is_told_in_the_words_of_the_condition(condition: str, said: str) -> None:
    with pytest.raises(QueryError) as problem:
        parse_text(f"# nginx\n\n{WRK}").wide(condition)
    assert str(problem.value) == f"condition {condition!r}: {said}"


@pytest.mark.parametrize("command", ["runs", "audit", "compare", "scaling", "gc", "reproduce"])
def test_an_empty_condition_is_said_to_be_empty(command: str) -> None:
    result = wrkparse(command, "--where", " ")
    assert result.exit_code == 2
    assert "the condition is empty" in result.stderr
    with pytest.raises(QueryError, match="the condition is empty"):
        parse_text(WRK).wide("")


def test_runs_are_sorted_and_limited_by_the_names_in_the_header() -> None:
    options = ("--columns", "framework,rps,conns", "--format", "csv")
    assert wrkparse("runs", "--sort", "-throughput", *options).stdout.splitlines() == [
        "framework,throughput_per_s,connections", "go,50000.0,8", "nginx,40669.44,8", "go,,",
    ]  # fmt: skip
    assert wrkparse("runs", "--sort", "rps", "--limit", "1", *options).stdout.splitlines()[1:] == ["nginx,40669.44,8"]
    assert "1 of 3 runs" in wrkparse("runs", "--limit", "1").stdout


@pytest.mark.parametrize(("short", "full"), [
    (("compare", "--rows", "conns", "--metric", "rps,latency"),
     ("compare", "--rows", "connections", "--metric", "throughput,latency_mean")),
    (("compare", "--rows", "framework", "--columns", "conns"),
     ("compare", "--rows", "framework", "--columns", "connections")),
    (("compare", "--rows", "framework,conns", "--baseline", "conns=8"),
     ("compare", "--rows", "framework,connections", "--baseline", "connections=8")),
    (("runs", "--where", "rps > 45000 AND conns = 8"), ("runs", "--where", "throughput > 45000 AND connections = 8")),
    (("scaling", "--load", "conns", "--metric", "rps"), ("scaling", "--load", "connections")),
    (("runs", "--sort", "latency,rps"), ("runs", "--sort", "latency_mean_s,throughput_per_s")),
])  # fmt: skip
def test_the_names_of_the_header_are_accepted_everywhere(short: tuple[str, ...], full: tuple[str, ...]) -> None:
    result = wrkparse(*short)
    assert (result.exit_code, result.stdout) == (wrkparse(*full).exit_code, wrkparse(*full).stdout)
    assert result.exit_code != 2


@pytest.mark.parametrize(("arguments", "said"), [
    (("scaling", "--by", "framwork"), "there is no label framwork; did you mean framework?"),
    (("scaling", "--load", "conections"), "there is no label conections; did you mean connections?"),
    (("scaling", "--over", "core"), "there is no label core; did you mean cores?"),
    (("scaling", "--metric", "rpss"), "there is no metric 'rpss'; did you mean rps?"),
    (("plot", "multiples", "--by", "framwork"), "there is no label framwork; did you mean framework?"),
    (("plot", "scaling", "--by", "framwork"), "there is no label framwork; did you mean framework?"),
    (("reproduce", "--from", "page.md", "--rows", "conections"), "no label conections; did you mean connections?"),
])  # fmt: skip
def test_analyses_and_figures_suggest_names_too(arguments: tuple[str, ...], said: str) -> None:
    result = wrkparse(*arguments)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


def test_python_takes_short_names_where_the_command_line_does() -> None:
    text = "".join(
        f"## {name}, {cores} cores\n\n```\n{WRK.replace('40669.44', f'{cores * rate}.00')}```\n\n"
        for name, rate in (("nginx", 30000), ("go", 20000)) for cores in (1, 2, 4)
    )  # fmt: skip
    dataset = parse_text(text)
    short = wp.scaling(dataset, by="framework", load="conns", metric="rps")
    full = wp.scaling(dataset, by="framework", load="connections")
    assert short.points.equals(full.points)
    assert short.keys == ("study", "framework", "connections")
    assert wp.scaling(dataset, by="framework,path", load=None).keys == ("study", "framework", "path")
    by_name, by_key = (wp.plot.multiples(dataset, over=over, by="cores") for over in ("conns", "connections"))
    assert wp.plot.data(by_name).equals(wp.plot.data(by_key))
    rows = wp.plot.data(wp.plot.scaling(dataset, load="conns"))
    assert rows.equals(wp.plot.data(wp.plot.scaling(dataset)))


def test_a_limit_and_a_figure_take_them_too(tmp_path: Path) -> None:
    limited = wrkparse("compare", "--rows", "framework", "--baseline", "framework=nginx", "--fail-on", "rps < -5%")
    assert "limit throughput < -5 %" in limited.stderr
    drawn = tmp_path / "drawn.svg"
    result = wrkparse("plot", "multiples", "--over", "conns", "--by", "framework", "--panel", "tool", "-o", str(drawn))
    assert result.exit_code == 0
    assert drawn.exists()


def test_json_has_no_nan_and_no_numbers_as_text() -> None:
    query = "SELECT sum(connections) AS whole, 1.5::DECIMAL(4, 2) AS part, 'nan'::DOUBLE AS n, '-inf'::DOUBLE AS low"
    [row] = json.loads(wrkparse("sql", f"{query}, ['inf'::DOUBLE, 2.0] AS list FROM wide", "--format", "json").stdout)[
        "rows"
    ]
    assert row == {"whole": 16, "part": 1.5, "n": None, "low": None, "list": [None, 2.0]}

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    for command in (("runs",), ("gc",), ("audit",), ("scaling",), ("compare",)):
        text = wrkparse(*command, "--format", "json").stdout
        assert not text or json.loads(text, parse_constant=refuse) is not None


@pytest.mark.parametrize("form", ["table", "csv", "json", "md"])
def test_a_time_that_python_has_not_is_printed_as_duckdb_writes_it(form: str) -> None:
    query = "SELECT TIMESTAMP 'infinity' AS a, 1 AS a, DATE '0044-03-15 (BC)' AS b, [DATE '-infinity'] AS c"
    answer = wrkparse("sql", query, "--format", form)
    assert answer.exit_code == 0
    assert all(value in answer.stdout for value in ("infinity", "0044-03-15 (BC)", "[-infinity]"))
    assert wrkparse("sql", "FROM test_all_types()", "--format", form).exit_code == 0


def test_a_column_that_parquet_can_not_hold_is_said(tmp_path: Path) -> None:
    answer = wrkparse("sql", "SELECT INTERVAL 1 year AS a", "-o", str(tmp_path / "a.parquet"))
    assert answer.exit_code == 2
    assert "cast it to VARCHAR, or choose another format" in answer.stderr


def test_the_version_is_short() -> None:
    assert wrkparse("-V").stdout == wrkparse("--version").stdout
    assert wrkparse("-V").stdout.split()[0] == "wrkparse"


def test_verdicts_are_green_and_red_on_a_terminal_unless_no_color_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "8  new  1 /s  1.3 (1.2–1.4)  better  0.016  5\n\nMean latency of better is 2 times that of old: worse (1–3).\n"
    )
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert colour.with_colours(text) == text  # no terminal
    monkeypatch.setattr(output, "is_terminal", lambda stream: True)
    found = "log.md:3: suspect: wrk, 8 connections\n  4: little-law-high: 1: invalid\n"
    assert colour.with_colours(found) == found.replace("3: suspect:", "3: \x1b[33msuspect\x1b[0m:")
    assert colour.with_colours(text, Path("table.txt")) == text
    painted = text.replace("  better  ", "  \x1b[32mbetter\x1b[0m  ").replace(": worse (", ": \x1b[31mworse\x1b[0m (")
    assert colour.with_colours(text) == painted
    monkeypatch.setenv("NO_COLOR", "1")
    assert colour.with_colours(text) == text


def test_a_terminal_is_told_after_a_while_and_the_line_is_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    told = threading.Event()
    said: list[str] = []

    def print_message(message: str, end: str = "\n") -> None:
        said.append(message + end)
        told.set()

    monkeypatch.setattr(progress, "print_message", print_message)
    with progress.late_progress("reading"):
        pass
    monkeypatch.setattr(progress, "is_terminal", lambda stream: True)
    with progress.late_progress("reading"):  # done before two seconds
        pass
    assert said == []
    monkeypatch.setattr(progress, "PROGRESS_DELAY_S", 0.0)
    with progress.late_progress("reading"):
        assert told.wait(60)
    assert said[0].startswith("\r\x1b[Kreading … 0 s")
    with progress.late_progress("reading") as report:
        report(3 << 20, 4 << 20, "a.txt")
        told.clear()
        assert told.wait(60)
    assert any(line.startswith("\r\x1b[Kreading 75 % of 4.0 MiB … ") for line in said)
    assert said[-1] == "\r\x1b[K"


@pytest.mark.parametrize(("words", "completed"), [
    ("wrkparse comp", ["compare"]),
    ("wrkparse compare --rows framework,connec", ["framework,connections"]),
    ("wrkparse compare --metric throughput,latency_me", ["throughput,latency_mean"]),
    ("wrkparse runs --sort tool_v", ["tool_version"]),
    ("wrkparse scaling --by framew", ["framework"]),
    ("wrkparse plot multiples --over conne", ["connections"]),
    ("wrkparse reproduce --rows framew", ["framework"]),
    ("wrkparse compare --baseline frame", ["framework="]),
    ("wrkparse compare --baseline framework=", ["framework=go", "framework=nginx"]),
    ("wrkparse compare --baseline conns=8,framework=n", ["conns=8,framework=nginx"]),
    ("wrkparse compare --baseline conns=", ["conns=8"]),
])  # fmt: skip
def test_a_shell_completes_names_from_the_store(command: Sequence[str], words: str, completed: list[str]) -> None:
    assert shell(command, {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}) == completed


def test_a_shell_completes_names_from_the_store_among_the_arguments(
    command: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy("wrkparse.duckdb", tmp_path / "other.duckdb")
    monkeypatch.chdir(tmp_path)
    for words in ("wrkparse runs other.duckdb --sort tool_v", "wrkparse runs --store other.duckdb --sort tool_v"):
        assert shell(command, {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}) == ["tool_version"]


def shell(command: Sequence[str], words: dict[str, str]) -> list[str]:
    """What the program answers a shell that completes."""
    environment = os.environ | words | {"_WRKPARSE_COMPLETE": "bash_complete"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


@pytest.mark.parametrize(("condition", "completed"), [
    ("frame", ["framework"]),
    ("conns = 8 AND frame", ["conns = 8 AND framework"]),
    ("framework = 'n", ["framework = 'nginx'"]),
    ("framework in ('go', '", ["framework in ('go', 'go'", "framework in ('go', 'nginx'"]),
    ("framework <> '", ["framework <> 'go'", "framework <> 'nginx'"]),
    ("throughput > 'n", []),
    ("framework = 'nginx", ["framework = 'nginx'"]),
    ("framework = 'it''s", []),
])  # fmt: skip
def test_a_condition_is_completed_with_names_and_values(condition: str, completed: list[str]) -> None:
    with click.Context(main) as context:
        assert completion.complete_condition(context, click.Option(["--where"]), condition) == completed


@pytest.mark.parametrize(("line", "completed"), [
    ("wrkparse compare --baseline framework=n", ["nginx"]),  # bash replaces what stands behind the sign
    ("wrkparse compare --baseline=framework=n", ["nginx"]),
    ("wrkparse runs --where \"framework = 'n", ["framework = 'nginx'"]),
    ("wrkparse compare --baseline frame", ["framework="]),
])  # fmt: skip
def test_bash_gets_the_part_that_it_replaces(command: Sequence[str], line: str, completed: list[str]) -> None:
    environment = {"COMP_LINE": line, "COMP_POINT": str(len(line)), "COMP_WORDS": "", "COMP_CWORD": "0"}
    assert shell(command, environment) == completed


def test_bash_counts_the_characters_up_to_the_cursor(command: Sequence[str]) -> None:
    line = "wrkparse runs --where \"server_software <> 'äöü' and framework = 'n"
    environment = {"COMP_LINE": f"{line}' --json", "COMP_POINT": str(len(line)), "COMP_WORDS": "", "COMP_CWORD": "0"}
    assert shell(command, environment) == ["server_software <> 'äöü' and framework = 'nginx'"]


def test_bash_gets_blanks_escaped(command: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.md").write_text("".join(f"## {name}\n\n```\n{WRK}```\n" for name in ("heron v2", "emu v2")))
    ingest([str(tmp_path / "page.md")], tmp_path / "wrkparse.duckdb")
    monkeypatch.chdir(tmp_path)
    line = "wrkparse compare --baseline framework=h"
    environment = {"COMP_LINE": line, "COMP_POINT": str(len(line)), "COMP_WORDS": "", "COMP_CWORD": "0"}
    assert shell(command, environment) == ["heron\\ v2"]


def test_a_path_is_left_to_the_shell() -> None:
    program = [sys.executable, "-c", "from wrkparse.cli import main; main(prog_name='wrkparse')"]
    for name in ("ingest", "explain", "compare"):
        line = f"wrkparse {name} pa"
        environment = {"COMP_LINE": line, "COMP_POINT": str(len(line)), "COMP_WORDS": "", "COMP_CWORD": "0"}
        assert shell(program, environment) == ["pa"]


def test_reading_tells_the_bytes_that_are_done(tmp_path: Path) -> None:
    sizes = [(tmp_path / name).write_bytes(WRK.encode() * n) for n, name in ((1, "a.txt"), (2, "b.txt"))]
    told: list[tuple[int, int, str]] = []
    wp.read(str(tmp_path), progress=lambda *progress: told.append(progress))
    assert told == [(sizes[0], sum(sizes), "a.txt"), (sum(sizes), sum(sizes), "b.txt")]


def test_a_run_that_printed_nothing_is_said_where_its_repeats_are_read(tmp_path: Path) -> None:
    """wrk that can't connect says so on standard error: its file stays empty."""
    for name, text in (("heron-1.txt", WRK), ("heron-2.txt", ""), ("wren-1.txt", WRK), ("notes.txt", "")):
        (tmp_path / name).write_text(text)
    warning = "heron-2.txt: warning: the file is empty, but heron-1.txt has a run: did this run fail?"
    for command in (("compare",), ("runs",), ("ingest", "-s", str(tmp_path / "a.duckdb"))):
        assert [line for line in wrkparse(*command, str(tmp_path)).stderr.splitlines() if "empty" in line] == [warning]


@pytest.mark.parametrize("sign", ["/", "-"])
def test_a_server_whose_files_are_all_empty_is_said_to_have_no_run(tmp_path: Path, sign: str) -> None:
    for name, text in (("heron", WRK), ("wren", "")):
        for run in (1, 2, 3):
            path = tmp_path / f"{name}{sign}{run}.txt"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text.replace("193.32", f"193.3{run}"))
    (tmp_path / "notes.txt").write_text("")
    said = wrkparse("compare", str(tmp_path)).stderr
    assert f"wren{sign}1.txt: warning: 3 files such as this one are empty, but heron{sign}1.txt has a run" in said
    assert f"nothing to compare; 3 files such as wren{sign}1.txt are empty" in said
    assert "notes.txt" not in said


def test_a_warning_is_said_once_with_its_number_of_places(tmp_path: Path) -> None:
    failed = "unable to connect to 127.0.0.1:9015 Connection refused\n"
    for name, text in (("a.txt", WRK), ("b.txt", failed), ("c.txt", failed), ("d.txt", failed)):
        (tmp_path / name).write_text(text)
    [line] = wrkparse("runs", str(tmp_path)).stderr.splitlines()
    assert line.startswith("b.txt:1: warning: wrk: stopped without results: unable to connect to 127.0.0.1:9015")
    assert line.endswith(" (and in 2 more places)")


def test_a_command_looks_for_garbage_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    """With Python's setting of 700 objects, that takes a tenth of the time of a command."""
    chosen: list[int] = []
    monkeypatch.setattr(gc, "set_threshold", lambda *thresholds: chosen.extend(thresholds))
    assert CliRunner().invoke(main, ["--version"]).exit_code == 0
    assert chosen
    assert chosen[0] >= 50_000
