"""From a folder of real logs to the answer, with one command and no options.

``tests/fixtures/servers``: three servers in Go with one P each, measured in turns by wrk 4 on one machine. ``heron``
answers a constant, ``plover`` hashes 150 times, ``siskin`` allocates 128 KiB.
"""

from __future__ import annotations

import re
import statistics
from pathlib import Path

import pytest
from click.testing import CliRunner

import wrkparse as wp
from tests.samples import WRK
from wrkparse.cli import main

SERVERS = Path(__file__).parents[1] / "fixtures" / "servers"


def throughput(server: str, connections: int) -> float:
    """The median of the rates, read by a regular expression."""
    texts = [path.read_text() for path in (SERVERS / server).glob(f"c{connections}-*.txt")]
    assert len(texts) == 5
    return statistics.median(float(match[1]) for text in texts if (match := re.search(r"Requests/sec:\s+(\S+)", text)))


def test_a_folder_is_answered_in_sentences() -> None:
    result = CliRunner().invoke(main, ["compare", str(SERVERS)])
    assert result.exit_code == 0, result.output
    said = " ".join(result.output.split())
    for server in ("plover", "siskin"):
        ratios = sorted(throughput("heron", count) / throughput(server, count) for count in (8, 64))
        sentence = re.search(
            rf"Across 8 and 64 connections, heron answers ([0-9.]+)(?: to ([0-9.]+))? times as many requests as {server} "
            r"\((.*?)\)",
            said,
        )
        assert sentence, said
        assert ratios[0] - 0.05 <= float(sentence[1]) <= float(sentence[2] or sentence[1]) <= ratios[1] + 0.05
        assert "p < 0.0001" in sentence[3]


def test_the_names_of_the_folders_are_the_frameworks() -> None:
    runs = wp.read(str(SERVERS)).runs
    assert runs["framework"].tolist() == [source.split("/")[0] for source in runs["source"]]
    assert wp.factors(wp.read(str(SERVERS))) == (("framework",), ("connections",))


@pytest.mark.parametrize(
    "command", [["runs"], ["audit"], ["export", "-o", "out.csv"], ["plot", "latency", "-o", "out.svg"]]
)
def test_other_commands_read_logs_too(command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, [*command, "-s", str(SERVERS / "heron")])
    assert result.exit_code in (0, 1), result.output  # 1 if the audit finds a run invalid
    empty = tmp_path / "empty.txt"
    empty.write_text("nothing here\n")
    nothing = CliRunner().invoke(main, [*command, "-s", str(empty)])
    assert nothing.exit_code == 3
    assert "neither a store nor logs with a run in them" in nothing.output


def test_logs_without_a_run_say_which_line_resembles_one(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text("INF Running 10s test @ http://h/ server=x\nRequests/sec: about 1234.50 in all\n")
    for command in ("compare", "runs"):
        nothing = CliRunner().invoke(main, [command, str(tmp_path / "a.log")])
        assert nothing.exit_code == 3
        assert "a.log:1: note: no run in it; this line resembles one of wrk's" in nothing.output


def test_a_line_that_may_be_a_lost_run_is_named_beside_runs(tmp_path: Path) -> None:
    """The second rate lacks ab's *(mean)*: the run was missing from the comparison without a word."""
    rates = ("Requests per second:    4041.61 [#/sec] (mean)", "Requests per second:    1126.82 [#/sec]")
    for name in ("a.log", "b.log"):
        (tmp_path / name).write_text("\n\n".join((*rates, rates[0])) + "\n")
    said = CliRunner().invoke(main, ["compare", str(tmp_path)]).output
    resembling = [line for line in said.splitlines() if "resembles one of a report" in line]
    what = "note: ab: this line resembles one of a report, but is not read as one"
    assert resembling == [f"a.log:3: {what}: {rates[1]} (and in 1 more place)"]


def test_two_folders_are_two_sides() -> None:
    result = CliRunner().invoke(main, ["compare", str(SERVERS / "heron"), str(SERVERS / "siskin")])
    said = " ".join(result.output.split())
    assert re.search(r"siskin answers 0\.19 to 0\.27 times as many requests as heron", said), said


def test_a_warm_up_in_a_file_of_its_own_is_left_out_and_said_to_be(tmp_path: Path) -> None:
    for name in ("run1", "run2", "warmup"):
        (tmp_path / f"{name}.txt").write_text(WRK.replace("40669.44", "40669.45") if name == "run2" else WRK)
    result = CliRunner().invoke(main, ["compare", str(tmp_path)])
    assert result.exit_code == 3
    assert "the median of 2 runs" in result.output
    assert "1 warm-up not counted; --rows phase compares them" in result.output


@pytest.mark.parametrize(
    ("short", "column"), [("rps", "throughput_per_s"), ("conns", "connections"), ("p99", "latency_p99_s")]
)
def test_sql_gives_the_column_of_a_short_name(short: str, column: str) -> None:
    result = CliRunner().invoke(main, ["sql", f"SELECT {short} FROM wide", "-s", str(SERVERS / "heron")])
    assert result.exit_code == 2
    assert f"{short} is {column} in the view wide" in result.output
    assert CliRunner().invoke(main, ["sql", f"SELECT {column} FROM wide", "-s", str(SERVERS / "heron")]).exit_code == 0
