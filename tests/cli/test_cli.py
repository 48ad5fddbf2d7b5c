from __future__ import annotations

import csv
import importlib.metadata
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from tests.analysis.audit.reports import AB
from tests.samples import GC, WRK
from wrkparse.analysis.shown.numbers import byte_size_text, quantity
from wrkparse.cli import COMMANDS, main
from wrkparse.plot import KINDS
from wrkparse.text.escape import printable

ERRORS = "  Socket errors: connect 0, read 6135, write 0, timeout 2\n"
FASTER = WRK.replace("Requests/sec:  40669.44\n", f"{ERRORS}Requests/sec:  50000.00\n")
PAGE = f"""\
# Echo servers

## nginx

```
$ wrk -t8 -c8 http://10.0.1.70:8080/hello
{WRK}```

## go

```
$ GOGC=off GOMAXPROCS=4 ./hello &
$ wrk -t8 -c9 http://10.0.1.70:8080/hello
{FASTER}```
"""


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    (tmp_path / "README.md").write_text(PAGE)
    return tmp_path


def wrkparse(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, list(arguments), input=text, catch_exceptions=False)


def subprocess_run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "wrkparse", *arguments], capture_output=True, text=True, check=False, **options
    )  # type: ignore[call-overload,no-any-return]


def test_ingest_tells_what_it_found_and_what_to_do_next(page: Path) -> None:
    result = wrkparse("ingest", "README.md")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("1 file read (")
    assert "runs: 2 wrk" in lines
    assert lines[-2:] == ["store: wrkparse.duckdb", "next: wrkparse runs    wrkparse show RUN"]
    assert Path("wrkparse.duckdb").exists()


def test_ingest_says_once_which_runs_no_label_tells_apart(page: Path) -> None:
    """Two files with numbers for names tell nothing; two folders with names do; the runs of one file may be repeats."""
    for name in ("messy/out.txt", "messy/out2.txt", "tidy/kiwi/1.txt", "tidy/emu/1.txt"):
        (page / name).parent.mkdir(parents=True, exist_ok=True)
        (page / name).write_text(WRK)
    (page / "repeats.txt").write_text(WRK + WRK)
    said = " ".join(wrkparse("ingest", "messy", "-o", "messy.duckdb").stdout.split())
    assert said.count("unlabelled: 2 runs in 2 files, as in out.txt: they have no framework") == 1
    assert "wrkparse explain FILE" in said
    assert "wrkparse label DIRECTORY" in said
    (page / "counted").mkdir()
    for repeat in (1, 2, 3):
        (page / "counted" / f"run_{repeat}.txt").write_text(WRK)
    for path in ("tidy", "repeats.txt", "counted"):
        assert "unlabelled" not in wrkparse("ingest", path, "-o", f"{path}.duckdb").stdout
    assert wrkparse("ingest", "messy", "-q", "-o", "quiet.duckdb").stdout == ""


def test_ingest_of_text_without_a_run_names_the_command_that_shows_why(page: Path) -> None:
    (page / "notes.txt").write_text("nothing of a tool\n")
    lines = wrkparse("ingest", "notes.txt").stdout.splitlines()
    assert lines[-1] == "next: wrkparse explain FILE shows line by line what is read, and what is not"


def test_diagnostics_go_to_stderr_with_path_and_line(page: Path) -> None:
    (page / "bench").mkdir()
    (page / "bench" / "a.txt").write_text(WRK.replace("51.20us", "5l.2us"))
    result = wrkparse("ingest", "bench")
    assert result.exit_code == 0  # all but one cell was read
    assert result.stderr == ("bench/a.txt:4: warning: wrk: latency stdev: '5l.2us' is not a number\n")


def test_a_missing_path_is_said_the_rest_is_read_and_the_exit_code_is_3(page: Path) -> None:
    (page / "a.txt").write_text(WRK)
    result = wrkparse("ingest", "nowhere", "a.txt")
    assert result.exit_code == 3
    assert result.stderr == "nowhere: error: no such file or directory\n"
    assert "runs: 1 wrk" in result.stdout


def test_a_flag_that_the_report_contradicts_is_a_diagnostic_with_both_lines(page: Path) -> None:
    assert wrkparse("ingest", "README.md").stderr == (
        "README.md:21: warning: connections: the report at line 23 says 8, the flag at line 21 says 9; "
        "8 is used for the wrk run at line 22\n"
    )


def test_a_directory_without_logs_is_said(page: Path) -> None:
    (page / "empty").mkdir()
    result = wrkparse("ingest", "empty")
    assert result.exit_code == 3
    assert result.stderr == "empty: error: no files in this directory\nwrkparse: no files to read\n"
    assert result.stdout == ""
    assert not Path("wrkparse.duckdb").exists()


def test_a_study_with_a_mistake_names_its_line_and_the_choices(page: Path) -> None:
    (page / "wrkparse.yaml").write_text("title: T\nlables:\n- set: {cores: 4}\n")
    result = wrkparse("ingest", "README.md")
    assert result.exit_code == 3
    assert (
        "wrkparse.yaml:2: error: unknown key 'lables' in the file; allowed: title, about, labels, tables"
        in result.stderr
    )
    assert "runs: 2 wrk" in result.stdout


@pytest.mark.parametrize("pair", ["cores", "=4", "a b=4", "cores=", "Tool=x"])
def test_a_label_that_is_none_is_wrong_usage(page: Path, pair: str) -> None:
    result = wrkparse("ingest", "README.md", "--label", pair)
    assert result.exit_code == 2
    assert "--label" in result.stderr


def test_a_store_that_is_no_store_is_said(page: Path) -> None:
    (page / "a.txt").write_text(WRK)
    for command in (["ingest", "a.txt", "-o", "README.md"], ["runs", "nowhere.duckdb"]):
        result = wrkparse(*command)
        assert result.exit_code == 3
        assert result.stderr.startswith("wrkparse: ")
    assert Path("README.md").read_text() == PAGE


def test_standard_input_is_a_source(page: Path, command: tuple[str, ...]) -> None:
    def piped(*arguments: str, text: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*command, *arguments], input=text, capture_output=True, text=True, check=False)

    result = subprocess_run("ingest", "-", "-o", "s.duckdb", input=WRK, cwd=page)
    assert (result.returncode, result.stderr) == (0, "")
    again = piped("ingest", "-", "-o", "s.duckdb", text=WRK)
    assert "<stdin>: note: replaces the earlier runs from standard input; to keep both, name each" in again.stderr
    result = piped("ingest", "today=-", "-o", "s.duckdb", text=GC.format(n=1, t="0.001"))
    assert result.returncode == 0
    shown = wrkparse("runs", "s.duckdb", "--columns", "source,tool,input", "--format", "csv").stdout
    assert shown == "source,tool,input\n<stdin>,wrk,\ntoday,gctrace,today\n"


def test_runs_shows_labels_and_headline_numbers(page: Path) -> None:
    wrkparse("ingest", "README.md")
    lines = wrkparse("runs").stdout.splitlines()
    assert lines[0].split() == [
        "run", "tool", "framework", "cores", "gogc", "conns", "throughput", "latency", "max", "verdict", "errors", "elapsed", "path",
        "source", "line",
    ]  # fmt: skip
    assert lines[1].split()[1:8] == ["wrk", "nginx", "8", "40.67", "k/s", "193.3", "µs"]
    assert lines[2].split()[1:9] == ["wrk", "go", "4", "off", "8", "50.00", "k/s", "193.3"]
    assert "6,137" in lines[2]
    assert lines[3] == "2 runs"


def test_runs_shows_the_labels_that_tell_them_apart(page: Path) -> None:
    sections = "".join(f"## {size} page\n\n```\n{WRK}```\n\n" for size in ("small", "large"))
    (page / "sizes.md").write_text(f"# Kiwi\n\n{sections}")
    header, *rows, _ = wrkparse("runs", "sizes.md").stdout.splitlines()
    assert header.split()[:3] == ["run", "tool", "heading"]
    assert [row.split()[2:4] for row in rows] == [["small", "page"], ["large", "page"]]


def test_a_narrow_terminal_gets_the_columns_that_fit(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrkparse("ingest", "README.md")
    monkeypatch.setenv("COLUMNS", "80")
    text = wrkparse("runs").stdout
    assert max(map(len, text.splitlines())) <= 80
    assert "throughput" in text.splitlines()[0]
    assert "no room for" in " ".join(text.splitlines()[-2:])


def test_a_narrow_terminal_says_once_what_all_runs_share_and_cuts_no_name(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"a-service-with-a-long-name-{end}" for end in ("of-the-first", "of-the-second")]
    (page / "long.md").write_text("".join(f"# {name}\n\n```\n{WRK}```\n\n" for name in names))
    monkeypatch.setenv("COLUMNS", "80")
    lines = wrkparse("runs", "long.md").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert "latency" in lines[0]
    assert "conns" not in lines[0]
    assert any(line.startswith("2 runs; all: tool=wrk, connections=8, path=/hello") for line in lines)
    found = "".join(line[10:26].strip() for line in lines[1:-2])  # behind the run and its gap, up to the numbers
    assert "first" in found
    assert "second" in found


def test_what_one_tool_does_not_print_of_the_load_has_no_column(page: Path) -> None:
    (page / "wrk.txt").write_text(WRK)
    (page / "trace.txt").write_text(GC.format(n=1, t="0.001"))
    header = wrkparse("runs", "wrk.txt", "trace.txt").stdout.splitlines()[0].split()
    assert "threads" not in header
    assert "duration" not in header


def test_where_is_a_condition_on_labels_and_metrics(page: Path) -> None:
    wrkparse("ingest", "README.md")

    def lines(where: str) -> list[str]:
        return wrkparse("runs", "--where", where, "--columns", "line", "--format", "csv").stdout.split()[1:]

    assert lines("framework = 'nginx'") == ["7"]
    assert lines("throughput > 45000") == ["22"]
    assert lines("latency_mean < 1e-3 and connections = 8") == ["7", "22"]
    assert lines("rate > 5") == []  # a label that no run has
    assert lines("errors > 0") == ["22"]


def test_a_condition_that_makes_no_sense_is_wrong_usage(page: Path) -> None:
    wrkparse("ingest", "README.md")
    for option in (["--where", "colour = 'red'"], ["--where", "cores ="], ["--columns", "colour"]):
        result = wrkparse("runs", *option)
        assert result.exit_code == 2
        assert "Traceback" not in result.stderr


def test_a_condition_can_reach_nothing_outside_the_store(page: Path) -> None:
    wrkparse("ingest", "README.md")
    result = wrkparse("runs", "--where", "line IN (SELECT 7 FROM read_csv('README.md'))")
    assert result.exit_code == 2


@pytest.mark.parametrize("form", ["csv", "json", "md", "parquet"])
def test_every_format_by_name_and_by_suffix(page: Path, form: str) -> None:
    wrkparse("ingest", "README.md")
    options = ["runs", "--columns", "tool,connections,throughput_per_s"]
    wrkparse(*options, "-o", f"out.{form}")
    written = Path(f"out.{form}").read_bytes()
    assert wrkparse(*options, "--format", form).stdout_bytes == written
    if form == "csv":
        assert list(csv.reader(io.StringIO(written.decode())))[1] == ["wrk", "8", "40669.44"]
    elif form == "json":
        assert json.loads(written)["rows"][1] == {"tool": "wrk", "connections": 8, "throughput_per_s": 50000.0}
    elif form == "md":
        assert written.decode().splitlines()[0].split() == [
            "|",
            "tool",
            "|",
            "connections",
            "|",
            "throughput_per_s",
            "|",
        ]
    else:
        assert pq.read_table(f"out.{form}").to_pylist()[0]["throughput_per_s"] == 40669.44


def test_csv_has_every_column_unless_some_are_chosen(page: Path) -> None:
    wrkparse("ingest", "README.md")
    header = wrkparse("runs", "--format", "csv").stdout.splitlines()[0].split(",")
    assert {"run", "section", "command", "latency_within_stdev_ratio", "bytes_read"} <= set(header)
    rows = list(csv.DictReader(io.StringIO(wrkparse("runs", "--format", "csv").stdout)))
    assert [row["requests"] for row in rows] == ["410759", "410759"]  # a count is whole


def test_an_output_that_can_t_be_written_is_said(page: Path) -> None:
    wrkparse("ingest", "README.md")
    result = wrkparse("runs", "-o", "no/such/dir.csv")
    assert result.exit_code == 3
    assert result.stderr == "wrkparse: no/such/dir.csv can't be written: No such file or directory\n"


def test_the_suffix_of_an_output_names_its_format_or_is_refused(page: Path) -> None:
    wrkparse("ingest", "README.md")
    assert wrkparse("runs", "-o", "RUNS.CSV", "-c", "line").exit_code == 0
    assert Path("RUNS.CSV").read_text() == "line\n7\n22\n"
    result = wrkparse("runs", "-o", "runs.tsv")
    assert result.exit_code == 2
    assert "the suffix selects no format (.md, .csv, .json, .parquet, .txt)" in result.stderr
    assert not Path("runs.tsv").exists()
    assert wrkparse("runs", "-o", "runs.tsv", "--format", "csv", "-c", "line").exit_code == 0


def test_a_column_named_twice_is_shown_once_and_none_is_wrong_usage(page: Path) -> None:
    wrkparse("ingest", "README.md")
    assert wrkparse("runs", "-c", "line, line,tool").stdout.split()[:2] == ["line", "tool"]
    assert wrkparse("runs", "-c", ",").exit_code == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_standard_output_on_a_full_disk_is_said_without_a_traceback(page: Path, command: tuple[str, ...]) -> None:
    for arguments in (["ingest", "README.md"], ["runs"], ["--help"], ["--version"], ["--json-schema"]):
        with Path("/dev/full").open("w") as full:
            result = subprocess.run(
                [*command, *arguments],
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
        assert result.returncode == 3
        assert "Traceback" not in result.stderr
        assert result.stderr.endswith("wrkparse: can't write the output: No space left on device\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell that closes descriptors")
def test_closed_standard_streams_are_no_mistake(page: Path) -> None:
    for command in ("ingest README.md >&- 2>&-", "runs >&-", "runs --format json >&-"):
        shell = subprocess.run(
            ["sh", "-c", f"{sys.executable} -m wrkparse {command}"], capture_output=True, check=False
        )
        assert (shell.returncode, shell.stderr) == (0, b"")


def test_an_interrupt_is_neither_an_answer_nor_a_traceback(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("wrkparse.ingest.ingest.ingest", interrupted)
    result = wrkparse("ingest", "README.md")
    assert (result.exit_code, result.stderr) == (130, "\nwrkparse: interrupted\n")


def test_show_prints_numbers_labels_and_the_lines_they_came_from(page: Path) -> None:
    wrkparse("ingest", "README.md")
    run = wrkparse("runs", "--where", "framework = 'go'", "--columns", "run", "--format", "csv").stdout.split()[1]
    text = wrkparse("show", run[:6]).stdout
    rows = [line.split() for line in text.splitlines()]
    assert f"{run}  wrk" in text
    assert "README.md:22-30" in text
    assert "under Echo servers > go" in text
    assert "$ wrk -t8 -c9 http://10.0.1.70:8080/hello" in text
    assert ["gogc", "off", "env,", "line", "20"] in rows
    assert ["connections", "9", "flag,", "line", "21", "overruled"] in rows
    assert ["connections", "8", "report,", "line", "23"] in rows
    assert ["throughput", "total", "50.00", "k/s", "50000", "0.005", "1/s", "29"] in rows
    assert "    29  Requests/sec:  50000.00" in text


def test_show_prints_the_numbers_of_a_line_in_the_order_of_its_columns(page: Path) -> None:
    (page / "ab.txt").write_text(AB)
    wrkparse("ingest", "ab.txt")
    run = wrkparse("runs", "--columns", "run", "--format", "csv").stdout.split()[1]
    rows = [line.split() for line in wrkparse("show", run).stdout.splitlines()]
    for phase in ("connect", "processing", "response_wait", "total"):
        assert [row[1] for row in rows if row[:1] == [phase]][:5] == ["min", "mean", "stdev", "median", "max"]


def test_show_of_a_trace_counts_its_events(page: Path) -> None:
    (page / "go.log").write_text("".join(GC.format(n=n, t=f"{n}.000") for n in range(1, 8)))
    wrkparse("ingest", "go.log")
    run = wrkparse("runs", "--columns", "run", "--format", "csv").stdout.split()[1]
    text = wrkparse("show", run).stdout
    assert "7 rows in the table gc_cycles" in text
    assert "go.log:1-7" in text


@pytest.mark.parametrize(("run", "said"), [("zzz", "no run begins with 'zzz'"), ("", "2 runs begin with")])
def test_show_of_no_or_many_runs_says_so(page: Path, run: str, said: str) -> None:
    wrkparse("ingest", "README.md")
    result = wrkparse("show", run)
    assert result.exit_code == 3
    assert said in result.stderr


def test_nothing_of_a_log_reaches_the_terminal_as_an_escape_sequence(page: Path) -> None:
    (page / "evil\x1b[31m.txt").write_text("## \x1b]0;title\x07nginx\n\n" + WRK.replace("51.20us", "5\x1b[2Jus"))
    outcome = wrkparse("ingest", str(page / "evil\x1b[31m.txt"))
    shown = outcome.stdout + outcome.stderr + wrkparse("runs").stdout
    run = wrkparse("runs", "--columns", "run", "--format", "csv").stdout.split()[1]
    shown += wrkparse("show", run).stdout
    assert "evil\\x1b[31m.txt" in shown
    assert "\x1b" not in shown
    assert "\x07" not in shown


def test_many_diagnostics_of_a_kind_are_counted_not_listed(page: Path) -> None:
    (page / "bad.txt").write_text(
        "".join(WRK.replace("51.20us", f"5l.{n}us").replace("410759", str(n)) for n in range(25))
    )
    result = wrkparse("ingest", "bad.txt")
    assert len(result.stderr.splitlines()) == 11
    assert "15 more with code bad-cell" in result.stderr


def test_every_command_has_help_with_an_example() -> None:
    for command in COMMANDS:
        text = wrkparse(command, "--help").stdout
        assert text.count("wrkparse " + command) >= 1, command


@pytest.mark.parametrize("words", [("--version", "--verbose"), ("--verbose", "-V")])
def test_the_version_in_detail_says_what_it_runs_on(words: tuple[str, str]) -> None:
    lines = wrkparse(*words).stdout.splitlines()
    assert lines[0] == wrkparse("-V").stdout.strip()
    assert f"Python {sys.version.split()[0]} " in lines[1]
    assert f"duckdb {importlib.metadata.version('duckdb')}" in lines
    assert any(line.startswith("store schema: ") for line in lines)


def test_help_and_version_import_nothing_heavy() -> None:
    """Of the program, and of each command and each kind of figure."""
    code = """
import contextlib, io, sys
from wrkparse.cli import COMMANDS, main
from wrkparse.plot import KINDS
heavy = {"pandas", "pyarrow", "numpy", "duckdb", "matplotlib", "scipy", "yaml", "tabulate", "nbclient", "typst"}
words = [["--help"], ["--version"], *([name, "--help"] for name in COMMANDS), *(["plot", kind, "--help"] for kind in KINDS)]
for one in words:
    with contextlib.redirect_stdout(io.StringIO()) as shown, contextlib.suppress(SystemExit):
        main(one)
    assert shown.getvalue(), one
    print(" ".join(one), sorted(heavy & sys.modules.keys()))
    heavy -= sys.modules.keys()
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    lines = result.stdout.splitlines()
    assert len(lines) == 2 + len(COMMANDS) + len(KINDS)
    assert [line for line in lines if not line.endswith("[]")] == []


def test_runs_imports_neither_plots_nor_fits(page: Path) -> None:
    wrkparse("ingest", "README.md")
    code = (
        "import sys\nfrom wrkparse.cli import main\ntry:\n    main(['runs'])\nexcept SystemExit:\n    pass\n"
        "print([m for m in ('pandas', 'matplotlib', 'scipy') if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=page)
    assert result.stdout.splitlines()[-1] == "[]"


def test_quiet_when_piped_no_progress_bytes(page: Path) -> None:
    (page / "a.txt").write_text(WRK)
    result = subprocess_run("ingest", "a.txt", cwd=page, env={**os.environ, "TERM": "xterm"})
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (193.32e-6, "s", "193.3 µs"),
        (0.00157, "s", "1.570 ms"),
        (60.0, "s", "60.00 s"),
        (40669.44, "1/s", "40.67 k/s"),
        (0.02073, "1/s", "0.02073 /s"),
        (0.0, "s", "0 s"),
        (2870302.0, "1", "2,870,302"),
        (0.8329, "ratio", "83.29 %"),
        (7476347.0, "bytes/s", "7.1 MiB/s"),
        (None, "s", ""),
        (float("nan"), "s", ""),
    ],
)
def test_quantities_are_printed_with_four_digits_and_a_prefix(value: float | None, unit: str, shown: str) -> None:
    assert quantity(value, unit) == shown


def test_sizes_and_control_characters() -> None:
    assert [byte_size_text(0), byte_size_text(1023), byte_size_text(1024), byte_size_text(3 << 30)] == [
        "0 B",
        "1023 B",
        "1.0 KiB",
        "3.0 GiB",
    ]
    assert printable("a\x1b[0mb\u202ec\r日本") == "a\\x1b[0mb\\u202ec\\x0d日本"
