"""What tells the runs of several logs apart, or those of one page: heads of logs, cells of tables, names of variants.

``@`` is a report of wrk. The expected labels are read by eye from the text.
"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import wrkparse as wp
from tests.context.test_strangers import WRK, written
from wrkparse.context.structure.names.sentence_names import text_written_by_sed
from wrkparse.text.normalize import LineNormalizer


def labels(dataset: wp.Dataset, *keys: str) -> list[tuple[str, ...]]:
    """The labels with these keys of each run, in the order of sources and lines."""
    runs = dataset.arrow("runs")
    found = [runs[key].to_pylist() if key in runs.column_names else [None] * len(runs) for key in keys]
    return [tuple("" if value is None else str(value) for value in row) for row in zip(*found, strict=True)]


def of_logs(folder: Path, logs: dict[str, str], *keys: str) -> list[tuple[str, ...]]:
    for name, page in logs.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written(page))
    return labels(wp.read(folder), *keys)


def of_page(page: str, *keys: str, name: str = "page.md") -> list[tuple[str, ...]]:
    return labels(wp.parse_text(written(page), source=name), *keys)


@pytest.mark.parametrize(
    ("lines", "key", "values"),
    [
        (("commit: 91d3f44 Merge branch 'heron'", "commit: 5b1e0d7 fewer copies"), "commit", ("91d3f44", "5b1e0d7")),
        (("git sha = 91d3f44", "git sha = 5b1e0d7"), "commit", ("91d3f44", "5b1e0d7")),
        (("# branch: main", "# branch: arena"), "branch", ("main", "arena")),
        (("Version: 1.2.0", "Version: 1.3.0-rc1"), "version", ("1.2.0", "1.3.0-rc1")),
    ],
)
def test_a_fact_in_the_head_of_a_log_holds_for_its_runs(
    lines: tuple[str, str], key: str, values: tuple[str, str], tmp_path: Path
) -> None:
    logs = {f"bench-{at}.log": f"Tue Mar 12 10:1{at}:02 CET 2024\n{line}\n\n@\n@\n" for at, line in enumerate(lines)}
    assert of_logs(tmp_path, logs, key) == [(values[0],), (values[0],), (values[1],), (values[1],)]


def test_a_fact_that_all_logs_share_or_other_labels_tell_is_no_label(tmp_path: Path) -> None:
    logs = {f"bench-{at}.log": "commit: 91d3f44\n\n@\n" for at in range(2)}
    assert of_logs(tmp_path / "a", logs, "commit") == [("",), ("",)]
    logs = {f"{name}.log": f"build: {name}\n\n@\n" for name in ("heron", "plover")}
    assert of_logs(tmp_path / "b", logs, "framework", "build") == [("heron", ""), ("plover", "")]


def test_a_fact_holds_up_to_the_next_one(tmp_path: Path) -> None:
    logs = {"a-1.log": "commit: 91d3f44\n\n@\ncommit: 5b1e0d7\n\n@\n@\n", "a-2.log": "commit: 91d3f44\n\n@\n"}
    assert of_logs(tmp_path, logs, "commit") == [("91d3f44",), ("5b1e0d7",), ("5b1e0d7",), ("91d3f44",)]


FENCED = "```\n@\n```\n"


@pytest.mark.parametrize(
    "page",
    [
        f"<table>\n<tr><th>Heron</th><th>Plover</th></tr>\n<tr>\n<td>\n\n{FENCED}\n</td>\n<td>\n\n{FENCED}\n</td>\n</tr>\n</table>\n",
        "<table><tr><td>Heron</td><td>Plover</td></tr>\n<tr><td><pre>\n@\n</pre></td><td><pre>\n@\n</pre></td></tr></table>\n",
        (f'<table border="1">\n<thead><tr>\n<th>Heron\n</th>\n<th align="left"><b>Plover</b></th>\n</tr></thead>\n<tbody>\n'
         f"<tr><td>\n\n{FENCED}\n</td>\n<td>\n\n{FENCED}\n</td></tr></tbody></table>\n"),
    ],
)  # fmt: skip
def test_the_header_of_a_column_names_the_report_in_its_cell(page: str) -> None:
    assert of_page(page, "framework") == [("Heron",), ("Plover",)]


def test_a_table_names_no_report_behind_it() -> None:
    page = f"<table><tr><th>Heron</th></tr><tr><td>\n\n{FENCED}\n</td></tr></table>\n\n{FENCED}"
    assert of_page(page, "title") == [("Heron",), ("",)]


def test_a_table_in_code_names_nothing() -> None:
    page = f"```html\n<table><tr><th>Heron</th></tr><tr><td>\n```\n\n{FENCED}"
    assert of_page(page, "title") == [("",)]


def test_before_and_after_are_no_repeats() -> None:
    page = f"<table>\n<tr><th>Before</th><th>After</th></tr>\n<tr><td>\n\n{FENCED}\n</td><td>\n\n{FENCED}\n</td></tr></table>"
    assert len(set(of_page(page, "framework", "heading"))) == 2


def test_versions_alone_tell_runs_apart() -> None:
    assert of_page(f"5.9.1:\n\n{FENCED}\n6.0.0:\n\n{FENCED}", "heading") == [("5.9.1",), ("6.0.0",)]
    assert of_page(f"v2.0.0-rc1\n\n{FENCED}\nv2.0.0\n\n{FENCED}", "framework") == [("v2.0.0-rc1",), ("v2.0.0",)]
    same = of_page(f"10.1.2.3:\n\n{FENCED}\n10.1.2.4:\n\n{FENCED}", "heading")  # addresses
    assert len(set(same)) == 1


@pytest.mark.parametrize(("one", "other"), [("off", "on"), ("async", "sync"), ("disabled", "enabled")])
def test_two_ways_to_run_are_the_framework_of_files_without_names(one: str, other: str, tmp_path: Path) -> None:
    assert of_logs(tmp_path / "a", {f"{one}.txt": "@\n", f"{other}.txt": "@\n"}, "framework") == [(one,), (other,)]
    logs = {f"{name}/{way}.txt": "@\n" for name in ("heron", "plover") for way in (one, other)}
    expected = [("heron", one), ("heron", other), ("plover", one), ("plover", other)]
    assert of_logs(tmp_path / "b", logs, "framework", "file_name") == expected


def test_a_condition_in_a_heading_is_still_none() -> None:
    page = f"## on\n\n{FENCED}\n## off\n\n{FENCED}"
    assert of_page(page, "framework", "heading") == [("", "on"), ("", "off")]


def test_an_apostrophe_is_a_part_of_a_name(tmp_path: Path) -> None:
    logs = {"cat's eye.txt": "@\n", "it's slow.txt": "@\n"}
    assert [value for (value,) in of_logs(tmp_path, logs, "file_name")] == ["cat's eye", "it's slow"]


def test_standard_input_is_no_name() -> None:
    piped = wp.parse_text(written("@\n"), source="<stdin>") + wp.parse_text(written("@\n"), source="heron.txt")
    assert "<stdin>" not in {value for run in labels(piped, "framework", "file_name") for value in run}


@pytest.mark.parametrize(
    "command",
    [
        "kubectl scale deploy/heron --replicas={}",
        "kubectl -n shop scale deploy/heron --replicas {}",
        "docker compose up -d --scale heron={}",
        "docker service scale heron={}",
    ],
)
def test_the_replicas_of_a_command_are_a_label(command: str) -> None:
    page = "".join(f"$ {command.format(count)}\n$ wrk -t2 -c10 http://h/\n@\n" for count in (1, 4))
    assert of_page(page, "replicas", "heading", name="x.log") == [("1", ""), ("4", "")]


def test_a_part_of_a_core_is_no_core() -> None:
    page = "".join(
        f"$ docker run -d --cpus={count} heron\n$ wrk -c10 http://h/\n@\n" for count in ("0.5", "1.5", "2.0")
    )
    assert of_page(page, "cores", "flag_cpus", name="x.log") == [("", "0.5"), ("", "1.5"), ("2", "")]


@pytest.mark.parametrize("key", ["impl", "engine", "variant"])
def test_a_key_that_says_what_was_measured_gives_the_framework(key: str, tmp_path: Path) -> None:
    logs = {f"{key}={name},conns={c},run=1.txt": "@\n" for name in ("heron", "plover") for c in (8, 64)}
    expected = [("heron", "heron")] * 2 + [("plover", "plover")] * 2
    assert of_logs(tmp_path, logs, "framework", key) == expected


@pytest.mark.parametrize(
    "logs",
    [
        {"impl=heron,c=8.txt": "@\n", "impl=heron,c=64.txt": "@\n"},  # nothing differs
        {"impl=heron.txt": "@\n", "plain.txt": "@\n"},  # one has none
        {"impl=8k.txt": "@\n", "impl=16k.txt": "@\n"},  # sizes
        {"impl=heron,engine=v8.txt": "@\n", "impl=plover,engine=jsc.txt": "@\n"},  # which of the two?
    ],
)
def test_such_a_key_names_nothing_where_it_is_not_clear(logs: dict[str, str], tmp_path: Path) -> None:
    assert {name for (name,) in of_logs(tmp_path, logs, "framework")} <= {"", "plain"}


def test_such_a_key_does_not_overrule_a_framework(tmp_path: Path) -> None:
    logs = {f"nginx/impl={name}.txt": "@\n" for name in ("heron", "plover")}
    assert of_logs(tmp_path, logs, "framework") == [("nginx",), ("nginx",)]


AB = """\
Server Software:        {}
Server Hostname:        10.0.0.7
Server Port:            80

Document Path:          /
Document Length:        11 bytes

Concurrency Level:      10
Time taken for tests:   1.000 seconds
Complete requests:      1000
Failed requests:        0
Total transferred:      150000 bytes
HTML transferred:       11000 bytes
Requests per second:    1000.00 [#/sec] (mean)
Time per request:       10.000 [ms] (mean)
"""


@pytest.mark.parametrize(
    ("printed", "names"),
    [
        (("Heron/2.0", "plover/1.4 (Unix)"), ("Heron", "plover")),
        (("heron/2.0", "heron/2.1"), ("heron/2.0", "heron/2.1")),
        (("heron/2.0", "heron/2.0"), ("", "")),
    ],
)
def test_the_server_that_ab_prints_is_the_framework_where_nothing_else_is(
    printed: tuple[str, str], names: tuple[str, str]
) -> None:
    page = "\n".join(map(AB.format, printed))
    assert of_page(page, "framework", name="ab.log") == [(name,) for name in names]
    titled = "".join(f"## kite {at}\n\n```\n{AB.format(one)}```\n\n" for at, one in zip("ab", printed, strict=True))
    assert {name for (name,) in of_page(titled, "framework")}.isdisjoint({"Heron", "plover", "heron/2.0"})


def test_the_tasks_of_a_job_tell_its_log_from_others(tmp_path: Path) -> None:
    logs = {f"job-4821{at}7.out": f"running {n} tasks on n0{at}\ngrid of 64\n@\n" for at, n in enumerate((1, 1, 4))}
    assert of_logs(tmp_path / "a", logs, "tasks") == [("1",), ("1",), ("4",)]
    logs = {f"job-4821{at}7.out": f"visited {n} nodes\ngrid of 64\n@\n" for at, n in enumerate((1, 1, 4))}  # a result
    assert of_logs(tmp_path / "b", logs, "nodes") == [("",), ("",), ("",)]


@pytest.mark.parametrize("line", [
    "{} done", "finished {}", "(that was {})", "done with {}", "--- {} finished ---", "Done testing {}",
])  # fmt: skip
def test_what_a_script_says_it_has_measured_names_the_runs_above(line: str) -> None:
    page = "".join(f"@\n@\n@\n{line.format(name)}\n----------\n" for name in ("kiwi", "emu"))
    assert of_page(page, "framework", "heading", name="bench.log") == [("kiwi", "")] * 3 + [("emu", "")] * 3


ENDS = [
    "start {}|stop {}", "BEGIN {}|END {}", "Entering {}|Leaving {}", "launching {}|killing {}", "open {}|close {}",
    "deploy {}|teardown {}", "setup {}|cleanup {}", ">>> start {}|<<< end {}", "Testing {}|Tested {}",
    "[{}] flumping|[{}] unflumping", "running {} now|{} took 12 s",
]  # fmt: skip


@pytest.mark.parametrize("blank", ["", "\n"])
@pytest.mark.parametrize("first", ["", "prepare\n"])
@pytest.mark.parametrize("form", ENDS)
def test_a_line_that_closes_a_section_is_about_the_runs_above_it(form: str, first: str, blank: str) -> None:
    begin, end = form.split("|")
    names = ("quenlo", "brask", "quenlo", "brask")
    page = "".join(f"{begin.format(name)}\n@\n@\n{end.format(name)}\n{blank}" for name in names)
    found = [" ".join(one) for one in of_page(first + page, "framework", "heading", name="bench.log")]
    assert len(set(found)) == 2
    assert all(name in value for name, value in zip(names, found[::2], strict=True))
    assert found[::2] == found[1::2]


def test_a_section_of_the_same_name_may_follow() -> None:
    page = "".join(f"BEGIN {name}\n@\nEND {name}\n" for name in ("quenlo", "quenlo", "brask", "brask"))
    assert of_page(page, "framework", name="a.log") == [("quenlo",)] * 2 + [("brask",)] * 2


def test_a_line_with_the_name_above_that_has_a_run_of_its_own_names_it() -> None:
    page = "".join(f"cold {name}\n@\nwarm {name}\n@\n" for name in ("quenlo", "brask"))
    assert len(set(of_page(page, "framework", "heading", name="a.log"))) == 4
    page = "".join(f"client: {one}\nserver: {other}\n@\n" for one, other in ("ab", "ba", "cb"))
    found = of_page(page.translate(str.maketrans({"a": "quenlo", "b": "brask"})), "framework", "heading", name="a.log")
    assert len(set(found)) == 3


@pytest.mark.parametrize("title", ["", "\r\x1b[0K\x1b[36;1mmeasure {}\x1b[0;m", "measure {}"])
def test_the_sections_of_a_job_of_gitlab_name_their_runs(title: str) -> None:
    page = "Running with gitlab-runner 16.5.0\n" + "".join(
        f"section_start:17000000{at}0:m_{name}{title.format(name)}\n@\n@\nsection_end:17000000{at}9:m_{name}\r\x1b[0K\n"
        for at, name in enumerate(("quenlo", "brask", "quenlo", "brask"))
    )
    found = [" ".join(one) for one in of_page(page, "framework", "heading", name="job.log")]
    assert len(set(found)) == 2
    assert found[:4] == found[4:]
    assert all(name in value for name, value in zip(("quenlo", "quenlo", "brask", "brask"), found[:4], strict=True))


@pytest.mark.parametrize("lines", [
    ("that was fast", "that was slow"), ("That was odd.", "That was strange!"), ("not done", "almost done"), ("Job done", "Task done"),
    ("done in 10 s", "done in 20 s"), ("finished successfully", "finished loading"), ("cleanup done", "setup done"),
])  # fmt: skip
def test_how_a_run_went_names_nothing(lines: tuple[str, str]) -> None:
    assert of_page(f"@\n{lines[0]}\n@\n{lines[1]}\n", "framework", "heading", name="a.log") == [("", "")] * 2


@pytest.mark.parametrize("form", ["install {} done", "build {} done", "## {} done"])
def test_what_is_done_above_the_first_run_names_the_run_below(form: str) -> None:
    page = "".join(f"{form.format(name)}\n@\n" for name in ("kiwi", "emu", "heron")) + "cleanup done\n"
    found = of_page(page, "framework", name="a.log")
    assert len(set(found)) == 3
    assert all(name in value or not value for name, (value,) in zip(("kiwi", "emu", "heron"), found, strict=True))


@pytest.mark.parametrize(
    "line", ["wrk done", "all done", "run {} done", "Test finished", "benchmark {} complete", "Completed {} requests"]
)
def test_the_end_of_a_run_names_nothing(line: str) -> None:
    page = "".join(f"@\n@\n{line.format(number)}\n" for number in (1, 2))
    assert of_page(page, "framework", "heading", name="bench.log") == [("", "")] * 4


@pytest.mark.parametrize("name", ["{} (copy).log", "{} - Copy.log", "{} (copy 2).log", "{} (another copy).log"])
def test_a_copy_that_a_file_manager_made_is_called_as_its_original(tmp_path: Path, name: str) -> None:
    logs = {f"{server}/{file}": "@" for server in ("kiwi", "emu") for file in ("1.log", name.format(1))}
    assert of_logs(tmp_path, logs, "framework", "file_name") == [("emu", "")] * 2 + [("kiwi", "")] * 2


@pytest.mark.parametrize(("form", "loads"), [
    ("out.{name}.{load}.{n}", ("8", "64")), ("{name}@{load}.{n}.log", ("8", "64")), ("{name}.{n}.log", ("8",)),
    ("{name}.{load}.txt", ("8", "64")), ("wrk.{name}.{load}.{n}.log", ("8", "64")),
])  # fmt: skip
def test_dots_in_front_of_loads_and_counts_part_a_files_name(tmp_path: Path, form: str, loads: tuple[str, ...]) -> None:
    names = {form.format(name=name, load=load, n=n): load for name in ("emu", "kiwi") for load in loads for n in (1, 2)}
    for name, load in names.items():
        (tmp_path / name).write_text(written("@").replace("10 connections", f"{load} connections"))
    found = labels(wp.read(tmp_path), "framework", "version", "file_name")
    assert found == [("emu", "", "")] * (len(names) // 2) + [("kiwi", "", "")] * (len(names) // 2)


@pytest.mark.parametrize("files", [("srv.1.18.log", "srv.1.19.log"), ("node.18.log", "node.20.log")])
def test_other_numbers_behind_dots_are_versions(tmp_path: Path, files: tuple[str, str]) -> None:
    assert len(set(of_logs(tmp_path, dict.fromkeys(files, "@"), "framework", "version", "file_name"))) == 2


def test_a_banner_above_counted_parts_names_all_of_them() -> None:
    page = "".join(
        f"=-=-= now testing: {name} =-=-=\n\n--- attempt 1 ---\n@\n--- attempt 2 ---\n@\n" for name in ("emu", "kiwi")
    )
    assert of_page(page, "framework", "heading", name="a.log") == [("emu", "")] * 2 + [("kiwi", "")] * 2


def test_a_banner_within_a_counted_part_ends_with_it() -> None:
    page = "".join(f"--- attempt {n} ---\n>>> emu\n@\n>>> kiwi\n@\n" for n in (1, 2)) + "--- attempt 3 ---\n@\n"
    names = of_page(page, "framework", name="a.log")
    assert names == [("emu",), ("kiwi",), ("emu",), ("kiwi",), ("",)]


@pytest.mark.parametrize(
    "line", ["finished kiwi, now emu", "fixed the buffer size, rebuilt", "stopped kiwi, started emu"]
)
def test_a_line_that_tells_of_a_change_parts_the_runs_below_it_from_those_above(line: str) -> None:
    assert of_page(f"@\n@\n{line}\n@\n@\n", "heading", name="a.log") == [("",)] * 2 + [(line,)] * 2


def test_a_second_batch_of_one_name_repeats_it() -> None:
    assert of_page("kiwi:\n@\n@\n\nkiwi, second batch:\n@\n@\n", "framework", "heading", name="a.log") == [("", "")] * 4


@pytest.mark.parametrize("script", ["./bench.sh", "bench.py"])
def test_a_script_that_is_run_for_each_server_is_no_part_of_its_name(script: str) -> None:
    page = "".join(f"##[group]Run {script} {name}\n@\n@\n##[endgroup]\n" for name in ("kiwi", "emu"))
    assert [name for (name,) in of_page(page, "framework", name="ci.log")] == ["kiwi"] * 2 + ["emu"] * 2


@pytest.mark.parametrize(
    "end", ["Finished: SUCCESS", "Build succeeded", "exit code 0", "Job succeeded", "Finished: FAILURE"]
)
def test_how_a_job_of_a_service_went_names_no_run(end: str, tmp_path: Path) -> None:
    head = "Started by user Ola\nRunning as SYSTEM\nBuilding in workspace /var/lib/jenkins/workspace/bench\n[Pipeline] sh\n"
    load = "+ wrk -t2 -c10 -d10s http://127.0.0.1:8080/\n@\n"
    logs = {
        f"{name}.log": f"{head}{load * 3}[Pipeline] }}\n[Pipeline] End of Pipeline\n{end}\n" for name in ("kiwi", "emu")
    }
    assert of_logs(tmp_path, logs, "framework", "heading") == [("emu", "")] * 3 + [("kiwi", "")] * 3


def test_the_stages_of_a_job_name_their_runs() -> None:
    load = "+ wrk -t2 -c10 -d10s http://127.0.0.1:8080/\n@\n"
    page = "".join(
        f"[Pipeline] stage\n[Pipeline] {{ (Bench {name})\n[Pipeline] sh\n{load * 2}[Pipeline] }}\n[Pipeline] // stage\n"
        for name in ("kiwi", "emu")
    )
    found = of_page(f"[Pipeline] node\n{page}Finished: SUCCESS\n", "framework", "heading", name="ci.log")
    assert found == [("kiwi", "")] * 2 + [("emu", "")] * 2


@pytest.mark.parametrize(("prefix", "process"), [
    ("Nov 20 10:10:1{n} lab7 {name}[41{n}]: ", "lab7 {name}"),
    ("[pod/{name}-7d9f8b6c5{n}-x{n}k2z/main] ", "pod/{name}/main"), ("[pod/{name}-x{n}k2z/main] ", "pod/{name}/main"),
])  # fmt: skip
def test_what_the_system_draws_for_each_process_tells_no_runs_apart(prefix: str, process: str) -> None:
    names = ("quenlo", "brask")
    page = "".join(
        f"{prefix.format(name=names[n % 2], n=n)}{line}\n" for n in range(4, 8) for line in written("@").splitlines()
    )
    found = labels(wp.parse_text(page, source="all.log"), "framework", "process")
    assert found == [(name, process.format(name=name)) for name in names * 2]


def test_the_parts_of_a_matrix_in_a_folders_name_are_labels_of_their_own(tmp_path: Path) -> None:
    logs = {
        f"job ({system}, {name}, {version})/wrk.txt": "@"
        for system in ("macos-14", "ubuntu-latest")
        for name in ("brask", "quenlo")
        for version in ("1.4", "1.5")
    }
    found = of_logs(tmp_path, logs, "framework", "version")
    assert found == [("brask", "1.4"), ("brask", "1.5"), ("quenlo", "1.4"), ("quenlo", "1.5")] * 2


def test_cases_of_a_test_suite_that_are_counted_are_repeats() -> None:
    page = "".join(
        f'<testcase name="{name}[{number}]"><system-out><![CDATA[\n@\n]]></system-out></testcase>\n'
        for name in ("quenlo", "brask")
        for number in range(3)
    )
    found = of_page(page, "framework", "heading", name="log.txt")
    assert found == [("quenlo", "")] * 3 + [("brask", "")] * 3


def test_a_bracket_at_the_end_of_what_a_program_prints_stays_closed() -> None:
    versions = ("quenlo/1.18.0 (Lab)", "quenlo/1.25.3")
    page = "".join(f"$ quenlo -v\nquenlo version: {version}\n@\n@\n" for version in versions)
    found = [" ".join(one).strip() for one in of_page(page, "framework", "heading", "version", name="log.txt")]
    assert found == [version for version in versions for _ in range(2)]


def test_the_form_of_techempowers_logs_gives_a_framework_and_connections(tmp_path: Path) -> None:
    ruler, loads = "-" * 57, ("16", "64", "256")
    for name in ("brask", "quenlo"):
        parts = (
            f"{ruler}\n Concurrency: {load} for {name}\n wrk -c {load} http://sut/db\n{ruler}\n"
            f"{written('@').replace('10 connections', f'{load} connections')}STARTTIME 17{load}\nENDTIME 18{load}\n"
            for load in loads
        )
        (tmp_path / name / "db").mkdir(parents=True)
        (tmp_path / name / "db" / "raw.txt").write_text("".join(parts))
    found = labels(wp.read(tmp_path), "framework", "connections", "heading", "directory")
    assert found == [(name, load, "", "") for name in ("brask", "quenlo") for load in loads]


def step(command: str, stamp: str) -> str:
    """A step in a log of GitHub Actions, without its output."""
    lines = (f"##[group]Run {command}", f"\x1b[36;1m{command}\x1b[0m", "shell: /usr/bin/bash -e {0}", "##[endgroup]")
    return "".join(f"{stamp}{line}\n" for line in lines)


@pytest.mark.parametrize("stamp", ["", "2026-11-20T10:04:00.1000000Z "])
@pytest.mark.parametrize("verb", ["checkout", "checkout -q", "switch", "checkout --force"])
def test_a_step_that_checks_out_a_branch_names_the_runs_in_the_next_ones(stamp: str, verb: str, tmp_path: Path) -> None:
    branches = ("main", "feature/pool")
    page = "".join(
        f"{step(f'git {verb} {branch}', stamp)}{stamp}Switched to branch '{branch}'\n{step('make bench', stamp)}@\n@\n"
        for branch in branches
    )
    found = of_logs(tmp_path, {f"job-{number}/bench/4_bench.txt": page for number in (1, 2)}, "framework")
    assert found == ([("main",)] * 2 + [("feature/pool",)] * 2) * 2


def test_a_step_that_restores_a_file_names_nothing() -> None:
    page = "".join(f"{step(f'git checkout -- {file}', '')}{step('make bench', '')}@\n@\n" for file in ("a.c", "b.c"))
    assert of_page(page, "framework", name="ci.log") == [("",)] * 4


NAMES = ("heron", "plover", "knot")


@pytest.mark.parametrize(
    "page",
    [
        "@\nheron\n\n@\nplover\n\n@\nknot\n",
        "Here are my results:\n\n@\nheron\n\n@\nplover\n\n@\nknot\n",
        "@\nThat was heron.\n\n@\nThat was plover.\n\n@\nThat was knot.\n",
        "# Results\n" + "".join(f"\n```\n@\n```\n\nThis is {name} with two workers\n" for name in NAMES),
    ],
)
def test_titles_below_runs_name_the_runs_above_them(page: str) -> None:
    assert of_page(page, "framework") == [("heron",), ("plover",), ("knot",)]


@pytest.mark.parametrize(
    "end", ["finish {}", "finish {} test", "finished {} benchmark", "{} test done", "--- {} run finished ---"]
)
def test_what_a_script_ends_names_the_run_above_it_whatever_stands_above_the_first(end: str) -> None:
    page = "".join(
        f"## {part}\n\nI typed `make {part}`, and this came out:\n\n```\n@\n{end.format('heron')}\n\n@\n"
        f"{end.format('plover')}\n```\n\n"
        for part in ("copy", "sort")
    )
    assert of_page(page, "heading", "heading_2") == [
        ("copy", "heron"), ("copy", "plover"), ("sort", "heron"), ("sort", "plover"),
    ]  # fmt: skip
    assert of_page(page[: page.index("## sort")], "framework") == [("heron",), ("plover",)]


def test_titles_below_runs_hold_in_each_section_and_for_known_names() -> None:
    section = "@\nnginx\n\n@\nheron\n\n@\nexpress\n"
    page = f"## 64 connections\n\n{section}\n## 256 connections\n\n{section}"
    assert of_page(page, "framework") == [("nginx",), ("heron",), ("express",)] * 2


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("heron\n\n@\nplover\n\n@\nknot\n", ("heron", "plover")),
        ("Let's start with heron.\n\n@\nNow plover.\n\n@\nNow knot.\n\n@\nNow conclusions.\n", ("", "plover", "knot")),
        ("@\nheron\n\n@\nplover\n\n@\nCheers,\n", ("", "heron", "plover")),
        ("@\nheron\n\n@\nplover\n\n@\nConclusion\n", ("", "heron", "plover")),
        ("@\nheron\n\n@\nplover\n\n@\nAnn\n", ("", "heron", "plover")),
        ("@\nheron\n\n@\nplover\n\n@\n-ann\n", ("", "heron", "plover")),
        ("@\nheron\n\n@\nplover\n\n@\nquestions?\n", ("", "heron", "plover")),
        ("@\nheron\n\n@\nplover\n\n@\nI ran each of them once\n", ("", "heron", "plover")),
        ("@\nheron\n\n@\nplover\n\n@\n", ("", "heron", "plover")),
    ],
)
def test_other_lines_below_the_last_run_do_not_name_it(page: str, names: tuple[str, ...]) -> None:
    assert of_page(page, "framework") == [(name,) for name in names]


def test_the_directory_that_make_enters_names_the_runs_in_it() -> None:
    page = "".join(
        f"make[1]: Entering directory '/src/{name}'\n@\n@\nmake[1]: Leaving directory '/src/{name}'\n" for name in NAMES
    )
    assert of_page(page, "framework", name="make.log") == [(name,) for name in NAMES for _ in range(2)]


def test_what_sed_writes_into_a_configuration_is_the_setting() -> None:
    edit = "$ sed -i 's/^worker_processes .*/worker_processes {};/' nginx.conf && nginx -s reload\n@\n@\n"
    found = of_page("".join(map(edit.format, (1, 2, 4))), "heading", name="a.log")
    assert found == [(f"worker_processes {count}",) for count in (1, 1, 2, 2, 4, 4)]


@pytest.mark.parametrize(
    ("written_text", "expected"),
    [
        (r"pool 8;", "pool 8"),
        (r"salt \& pepper", r"salt \& pepper"),
        (r"\1 on", ""),  # \1 and & are what stood there
        ("& on", ""),
        (r"on \\&", ""),  # a backslash, and what stood there
        (r"C:\\1", r"C:\\1"),
    ],
)
def test_what_sed_writes_is_known_without_parts_of_what_it_replaces(written_text: str, expected: str) -> None:
    assert text_written_by_sed(rf"sed -i 's/\(cache:\) .*/{written_text}/' kiwi.conf") == expected


def test_what_sed_writes_before_a_restart_is_the_setting_of_all_runs_alike() -> None:
    load = "root@box:/etc/kiwi# wrk -t2 -c64 -d10s http://box/\n@\n"
    edit = "root@box:/etc/kiwi# sed -i 's/^{}.*/{};/' {} && systemctl restart kiwi\n"
    page = "".join(edit.format("pool", f"pool {size}", "kiwi.conf") + load * 2 for size in (1, 2, 4))
    assert of_page(page, "heading") == [(f"pool {size}",) for size in (1, 2, 4) for _ in range(2)]
    files = "".join(edit.format("pool", "pool 8", f"{name}.conf") + load for name in ("kiwi", "emu", "plover"))
    assert len(set(of_page(files, "framework", "heading"))) == 3


def test_a_sentence_holds_for_all_runs_up_to_the_next_one() -> None:
    page = "Hi,\n\nhere is what I get with heron:\n\n@\n\n@\n\nand with plover:\n\n@\n\n@\n\nBest,\nJ.\n"
    assert of_page(page, "heading", name="mail.txt") == [("heron",), ("heron",), ("plover",), ("plover",)]


def of_folders(folder: Path, *paths: str) -> list[tuple[str, ...]]:
    return of_logs(folder, {f"{path}/{number}.txt": "@\n" for path in sorted(paths) for number in (1, 2)}, "phase")[::2]


@pytest.mark.parametrize(("warm_up", "measured"), [("warmup", "run"), ("warm-up", "measured"), ("warm", "measured")])
def test_runs_in_a_folder_of_warm_ups_are_warm_ups(tmp_path: Path, warm_up: str, measured: str) -> None:
    paths = [f"{name}/{folder}" for name in ("heron", "plover") for folder in (measured, warm_up)]
    phases = {path: "warm-up" if path.endswith(warm_up) else "" for path in paths}
    assert of_folders(tmp_path, *paths) == [(phases[path],) for path in sorted(paths)]


@pytest.mark.parametrize("folders", [("warmup", "no-warmup"), ("warm", "cold"), ("warm", "run"), ("warmup",)])
def test_other_warm_folders_are_settings(tmp_path: Path, folders: tuple[str, ...]) -> None:
    assert set(of_folders(tmp_path, *folders)) == {("",)}


def test_a_folder_of_discarded_runs_is_no_framework(tmp_path: Path) -> None:
    logs = {f"{name}/{number}.txt": "@\n" for name in (*NAMES, "discarded") for number in (1, 2)}
    names = [(name,) for name in ("", "heron", "knot", "plover") for _ in range(2)]
    assert of_logs(tmp_path, logs, "framework") == names


def texts_of_json(value: object, **options: int) -> str:
    """A value of JSON, with a report of wrk in place of each number."""
    reports = iter(range(1000, 2000))

    def filled(one: object) -> object:
        match one:
            case dict():
                return {key: filled(inner) for key, inner in one.items()}
            case list():
                return [filled(inner) for inner in one]
            case int():
                rate = next(reports)
                return WRK.format(requests=10 * rate, rate=rate)
        return one

    return json.dumps(filled(value), **options)


def frameworks_by_rate(page: str, name: str) -> list[str]:
    """The frameworks of runs, the slowest first: several runs of one line have no other order."""
    runs = wp.parse_text(page, source=name).wide().sort_values("throughput_per_s")
    return [str(framework) for framework in runs["framework"]]


@pytest.mark.parametrize("options", [{}, {"indent": 2}, {"indent": 4}])
@pytest.mark.parametrize("runs", [[0, 0], {"run1": 0, "run2": 0}, {"wrk": [0, 0]}])
@pytest.mark.parametrize("outer", [False, True])
def test_the_keys_above_reports_in_json_name_them(options: dict[str, int], runs: object, *, outer: bool) -> None:
    names: object = dict.fromkeys(NAMES, runs)
    page = texts_of_json({"machine": {"cpu": "EPYC"}, "results": names} if outer else names, **options)
    assert frameworks_by_rate(page, "runs.json") == [name for name in NAMES for _ in range(2)]


@pytest.mark.parametrize("options", [{}, {"indent": 2}])
def test_fields_beside_a_report_in_json_name_it(options: dict[str, int]) -> None:
    page = texts_of_json([{"server": name, "output": 0} for name in NAMES], **options)
    assert frameworks_by_rate(page, "runs.json") == list(NAMES)


def test_the_fields_in_front_of_a_report_in_csv_name_it() -> None:
    page = io.StringIO()
    rows = csv.writer(page)
    rows.writerow(["time", "server", "run", "output"])
    for at, name in enumerate(NAMES * 2):
        report = WRK.format(requests=10_000 + 10 * at, rate=1000 + at)
        rows.writerow([f"2026-11-20 10:0{at}:00", name, at // 3, report])
    assert labels(wp.parse_text(page.getvalue(), source="runs.csv"), "framework") == [(name,) for name in NAMES * 2]


@pytest.mark.parametrize("columns", ["Date,Server,TLS,Output", "day,server,tls,output", "Server,TLS,Output"])
def test_the_day_in_a_row_of_csv_is_no_setting_and_its_columns_keep_their_keys(columns: str) -> None:
    settings = [(name, tls) for name in ("kiwi_a2", "kiwi_a3") for tls in ("off", "on")]
    page = columns + "\n"
    for at, setting in enumerate(settings * 2):
        front = f"2026-09-0{1 + at // 4}," if columns.count(",") > 2 else ""
        page += f'{front}{",".join(setting)},"{WRK.format(requests=10_000 + at, rate=1000 + at)}"\n'
    found = labels(wp.parse_text(page, source="runs.csv"), "framework", "tls", "heading")
    assert found == [(*setting, "") for setting in settings * 2]


def test_the_day_in_a_row_of_csv_without_a_header_is_no_setting() -> None:
    rows = [
        f'2026-09-0{day},{name},"{WRK.format(requests=10_000 + day, rate=1000)}"\n' for day in (1, 2) for name in NAMES
    ]
    found = labels(wp.parse_text("".join(rows), source="runs.csv"), "framework", "heading")
    assert found == [(name, "") for name in NAMES * 2]


def test_numbers_behind_a_sign_count_repeats(tmp_path: Path) -> None:
    page = "".join(f"[{name}#{number}]\n@\n" for name in NAMES for number in (1, 2))
    assert of_page(page, "framework", "heading", name="a.log") == [(name, "") for name in NAMES for _ in range(2)]
    logs = {f"{name} 10 соединений №{number}.txt": "@\n" for name in ("мой", "старый") for number in (1, 2)}
    found = of_logs(tmp_path, logs, "framework", "file_name")
    assert found == [("мой", ""), ("мой", ""), ("старый", ""), ("старый", "")]


def test_folders_in_the_prompts_of_windows_name_runs() -> None:
    page = "".join(f"PS C:\\lab\\{name}> wrk -t2 -c64 http://h/\n@\n" for name in NAMES * 2)
    assert of_page(page, "framework", name="a.log") == [(name,) for name in NAMES * 2]


@pytest.mark.parametrize("options", ["", "-p 2222 ", "-o BatchMode=yes -i ~/.ssh/lab -t "])
def test_the_machine_on_which_ssh_runs_the_load_generator_is_a_label(options: str) -> None:
    page = "".join(f"$ ssh {options}ann@{name} wrk -t2 -c64 -d10s http://api.lab/\n@\n" for name in NAMES)
    assert of_page(page, "machine", name="a.log") == [(name,) for name in NAMES]


def test_a_long_line_of_json_is_read_and_each_run_keeps_only_its_own_text() -> None:
    page = texts_of_json({name: [0] * 80 for name in NAMES})
    assert len(page) > 1 << 16
    dataset = wp.parse_text(page, source="runs.json")
    assert sorted(dataset.runs["framework"]) == sorted(NAMES * 80)
    assert sum(map(len, dataset.arrow("texts")["text"].to_pylist())) < 2 * len(page)


def test_json_that_is_data_is_not_unfolded() -> None:
    numbers = [1] * 20_000
    found = LineNormalizer().feed([json.dumps(["a\nb\nc", "d\ne\nf", numbers])] * 50, 1)
    assert len(found) < 50 * 20


def test_a_sentence_that_names_the_first_run_is_no_introduction() -> None:
    page = "First without any proxy:\n\n@\nheron\n\n@\nplover\n\n@\nknot\n"
    assert of_page(page, "framework")[1:] == [("heron",), ("plover",)]


@pytest.mark.parametrize("form", ["[server#{}]", "backend#{}", "Вариант №{}"])
def test_numbers_behind_a_sign_tell_servers_apart_if_they_are_all_that_does(form: str) -> None:
    page = "".join(f"{form.format(number)}\n@\n@\n" for number in (1, 2, 3))
    found = of_page(page, "framework", "heading", name="a.log")
    assert found[::2] == found[1::2]
    assert len(set(found)) == 3


@pytest.mark.parametrize("options", [{}, {"indent": 2}])
@pytest.mark.parametrize("more", [{"cmd": ["wrk", "-t2"]}, {"config": {"threads": "2"}}])
def test_fields_beside_lists_and_objects_name_a_report_in_json(
    options: dict[str, int], more: dict[str, object]
) -> None:
    page = texts_of_json([{"server": name, **more, "stdout": 0} for name in NAMES], **options)
    assert frameworks_by_rate(page, "runs.json") == list(NAMES)


def test_fields_behind_a_report_in_a_line_of_json_name_it() -> None:
    page = texts_of_json([{"stdout": 0, "server": name} for name in NAMES])
    assert frameworks_by_rate(page, "runs.json") == list(NAMES)


def test_identifiers_in_a_row_of_csv_are_no_part_of_the_name() -> None:
    rows = [
        f'3fa9c1{at},{name},"{WRK.format(requests=10_000 + 10 * at, rate=1000 + at)}"\n'
        for at, name in enumerate(NAMES)
    ]
    assert labels(wp.parse_text("".join(rows), source="runs.csv"), "framework") == [(name,) for name in NAMES]


def test_a_folder_whose_name_contains_a_word_for_warm_is_not_one(tmp_path: Path) -> None:
    assert of_folders(tmp_path, "photon", "warmup") == [("",), ("warm-up",)]
    assert of_folders(tmp_path / "b", "cold", "measured", "warmup") == [("",), ("",), ("warm-up",)]


@pytest.mark.parametrize("prompt", ["{}$ ", "{} >>> ", "{}>>> "])
def test_a_name_for_a_prompt_names_the_run_of_the_command_behind_it(prompt: str) -> None:
    page = "".join(f"{prompt.format(name)}wrk -c10 http://h/\n@\n\n" for name in ("heron_a", "heron_b"))
    assert of_page(page, "framework", name="a.log") == [("heron_a",), ("heron_b",)]


def test_programs_in_a_list_name_the_blocks_below_each() -> None:
    page = "* ./heron\n\n```\n@\n```\n\n```\n@\n```\n\n**wait(0)**\n\n* ./plover -p 2\n\n```\n@\n```\n"
    assert of_page(page, "framework", "heading") == [("heron", ""), ("heron", ""), ("plover", "")]


@pytest.mark.parametrize("command", ["python3 -m heron", "dotnet clean", "go build", "java -jar heron.jar"])
def test_a_command_of_a_build_tool_in_a_comment_names_nothing(command: str) -> None:
    page = f"```\n# {command}\n\n@\n```\n\n```\n@\n```\n"
    assert of_page(page, "framework") == [("",), ("",)]


def test_a_phrase_that_says_where_something_ran_is_no_name_beside_names() -> None:
    page = "On my old laptop, the output is:\n\n@\n\nheron:\n\n@\n\nplover:\n\n@\n"
    assert of_page(page, "framework") == [("",), ("heron",), ("plover",)]


def test_directories_that_a_page_changes_to_are_named_without_the_way_there() -> None:
    page = "```sh\n" + "".join(f"cd {way}\n\n@\n@\n" for way in ("../heron", "./plover", "../../birds/knot")) + "```\n"
    assert of_page(page, "framework") == [("heron",)] * 2 + [("plover",)] * 2 + [("birds/knot",)] * 2


@pytest.mark.parametrize("again", [
    ("heron again:", "plover again:"), ("again heron:", "again plover:"), ("Nochmal heron:", "Und nochmal plover:"),
    ("Once more heron:", "And once more plover:"), ("Now heron again:", "Now plover again:"), ("Encore une fois heron :", "plover, de nouveau :"),
])  # fmt: skip
@pytest.mark.parametrize("first", [("heron:", "plover:"), ("Zuerst heron:", "Dann plover, sonst alles gleich:")])
def test_what_is_measured_once_more_is_the_name_in_the_line(first: tuple[str, str], again: tuple[str, str]) -> None:
    one, other, *repeats = of_page("".join(f"{line}\n\n@\n\n" for line in (*first, *again)), "framework", name="a.txt")
    assert one == ("heron",)
    assert other[0].startswith("plover")
    assert repeats == [one, other]


def test_a_line_that_repeats_two_names_or_none_repeats_no_other() -> None:
    page = "heron:\n\n@\n\nplover:\n\n@\n\n{}:\n\n@\n"
    assert of_page(page.format("and once more for luck"), "framework", name="a.txt")[2] == ("plover",)
    assert of_page(page.format("heron and plover again"), "framework", name="a.txt")[2][0] not in ("heron", "plover")
    page = page.replace("plover", "heron pooled")
    assert of_page(page.format("heron again"), "framework", name="a.txt")[2] == ("heron",)


@pytest.mark.parametrize("end", ["[{}] run {}/2 complete", "[{}] finished run {}", "END {}", "{} 1/3 completed"])
def test_what_a_script_says_behind_each_run_names_the_run_above(end: str) -> None:
    page = "".join(f"@\n{end.format(name, run)}\n\n" for name in ("heron", "plover") for run in (1, 2))
    assert of_page(page, "framework", "heading", name="a.log") == [("heron", "")] * 2 + [("plover", "")] * 2


def test_the_first_message_of_a_log_is_like_those_below_other_messages() -> None:
    page = "".join(f"INFO starting {name}\n@\nINFO {name} stopped\n" for name in ("heron", "heron", "plover", "plover"))
    assert of_page(page, "framework", name="a.log") == [("heron",)] * 2 + [("plover",)] * 2


def test_counts_in_brackets_before_the_dots_of_progress_tell_no_runs_apart() -> None:
    page = "".join(f"Testing {name} [{run}/2]...\n@\ndone.\n" for name in ("heron", "plover") for run in (1, 2))
    assert of_page(page, "framework", "heading", name="a.log") == [("heron", "")] * 2 + [("plover", "")] * 2


def test_a_bracket_around_the_first_word_of_a_name_stays() -> None:
    page = "".join(f"[{name}] tuned\n@\n@\n" for name in ("heron", "plover"))
    assert of_page(page, "framework", name="a.log") == [("[heron] tuned",)] * 2 + [("[plover] tuned",)] * 2


@pytest.mark.parametrize("start", [
    "./{name} --port {port} &", "PORT={port} node {name}.js &", "docker run -d -p {port}:80 lab/{name}:1",
    "./{name} -addr=:{port} &", "./bin/{name} --listen 0.0.0.0:{port} &",
])  # fmt: skip
def test_the_server_at_the_port_of_the_address_is_the_one_that_is_loaded(start: str) -> None:
    servers = {"heron": "8081", "plover": "8082"}
    page = "".join(f"$ {start.format(name=name, port=port)}\n" for name, port in servers.items())
    page += "".join(f"$ wrk -c10 http://127.0.0.1:{port}/\n@\n" for _ in range(2) for port in servers.values())
    heron, plover, *again = of_page(page, "framework", name="a.log")
    assert ["heron" in heron[0], "plover" in plover[0]] == [True, True]
    assert again == [heron, plover]


def test_a_server_that_was_ended_is_not_at_its_port_any_more() -> None:
    load = "$ wrk -c10 http://127.0.0.1:8081/\n@\n"
    page = f"$ ./heron --port 8081 &\n{load}$ pkill heron\n$ ./plover &\n{load}"
    assert of_page(page, "program", name="a.log") == [("heron",), ("plover",)]


def test_the_time_in_front_of_a_sentence_tells_no_runs_apart() -> None:
    page = "".join(
        f"[10:{minute}:00] switching the backend to {name}\n@\n"
        for minute, name in enumerate(("heron", "heron", "plover", "plover"), 10)
    )
    one, repeat, other, last = of_page(page, "framework", "heading", name="a.log")
    assert one == repeat
    assert other == last
    assert one != other


@pytest.mark.parametrize("form", ["{day}/{name}/wrk.txt", "{day}/{name}.txt", "{name}/{day}.txt"])
def test_days_of_the_week_are_no_names_beside_names(form: str, tmp_path: Path) -> None:
    pairs = sorted((form.format(day=day, name=name), name) for day in ("mon", "tues", "Wed") for name in NAMES)
    assert of_logs(tmp_path, {path: "@" for path, _ in pairs}, "framework") == [(name,) for _, name in pairs]


@pytest.mark.parametrize(
    "start", ["./plover &", "./plover --config bird.toml &", "./plover -p 8081 --metrics-port 9090 &"]
)
def test_a_server_that_states_no_single_port_may_be_at_that_of_an_earlier_one(start: str) -> None:
    load = "$ wrk -c10 http://127.0.0.1:8081/\n@\n"
    page = f"$ ./heron --port 8081 &\n$ ./knot --port 8082 &\n{load}$ {start}\n{load}$ ./heron --port 8081 &\n{load}"
    assert of_page(page, "program", name="a.log") == [("heron",), ("plover",), ("heron",)]


def test_a_load_at_a_port_that_no_server_states_is_of_the_last_server() -> None:
    loads = "".join(f"$ wrk -c10 http://127.0.0.1:{port}/\n@\n" for port in (8081, 8083))
    page = f"$ ./heron --port 8081 &\n$ ./plover --port 8082 &\n{loads}"
    assert of_page(page, "program", name="a.log") == [("heron",), ("plover",)]


def test_a_port_may_be_joined_to_its_option() -> None:
    loads = "".join(f"$ wrk -c10 http://127.0.0.1:{port}/\n@\n" for port in (8081, 8082))
    page = f"$ ./heron -p8081 &\n$ ./plover -p8082 &\n{loads}"
    assert of_page(page, "program", name="a.log") == [("heron",), ("plover",)]


def test_the_only_server_with_a_port_is_not_that_of_another_section() -> None:
    load = "$ wrk -c10 http://127.0.0.1:8081/\n@\n```\n\n"
    page = f"## heron\n\n```\n$ GOGC=50 ./heron -p 8081 &\n{load}## plover\n\nStart it in the IDE.\n\n```\n{load}"
    assert of_page(page, "framework", "gogc") == [("heron", "50"), ("plover", "")]


@pytest.mark.parametrize("again", ["again heron, GOGC=200", "back to heron, GOGC=200"])
def test_what_is_measured_once_more_with_another_setting_is_no_repeat(again: str) -> None:
    page = "".join(f"{line}:\n\n@\n\n" for line in ("heron, GOGC=50", "plover, GOGC=50", again))
    assert of_page(page, "gogc", name="a.txt") == [("50",), ("50",), ("200",)]


def test_a_setting_that_is_measured_once_more_is_no_name() -> None:
    page = "".join(f"{line}\n@\n" for line in ("heron GOGC=50", "heron GOGC=100", "again GOGC=50"))
    assert of_page(page, "framework", name="a.txt") == [("",)] * 3
    page = "".join(f"heron, {count} connections\n@\n" for count in (100, 200)) + "again heron, 100 connections\n@\n"
    one, other, again = of_page(page, "framework", name="a.txt")
    assert one == again != other


def test_a_fallback_is_no_way_back() -> None:
    page = "heron\n@\nplover\n@\nfallback to heron\n@\n"
    assert of_page(page, "framework", name="a.txt") == [("heron",), ("plover",), ("fallback to heron",)]


@pytest.mark.parametrize("thing", ["file", "page"])
def test_the_end_of_a_file_names_no_run(thing: str) -> None:
    page = "".join(f"{name}\n@\nend of {thing}\n" for name in ("heron", "plover"))
    assert of_page(page, "framework", name="a.txt") == [("heron",), ("plover",)]


def test_a_sum_of_money_is_no_command_behind_a_prompt() -> None:
    page = "".join(f"price$ {sum_}\n{name}\n@\n" for name, sum_ in (("heron", 20), ("plover", 30)))
    assert of_page(page, "framework", "program", name="a.txt") == [("heron", ""), ("plover", "")]


def test_scripts_and_files_in_a_list_are_no_servers() -> None:
    page = "".join(f"* ./run {name}\n\n```\n@\n```\n\n" for name in ("heron", "plover"))
    assert of_page(page, "framework", "program") == [("heron", ""), ("plover", "")]
    for item in ("./setup.sh", "./src/heron.go: the handler", "./heron is the old one"):
        assert of_page(f"* {item}\n\n```\n@\n```\n", "program") == [("",)]


@pytest.mark.parametrize("arrows", ["Phase >>> {}", "Test >>> {}"])
def test_words_behind_arrows_are_no_command(arrows: str) -> None:
    page = "".join(f"{arrows.format(name)}\n@\n" for name in ("heron", "plover"))
    assert of_page(page, "program", name="a.log") == [("",), ("",)]


def test_the_stop_behind_a_name_that_is_measured_once_more_is_no_part_of_it() -> None:
    assert of_page("heron\n@\nplover\n@\nAgain heron.\n@\n", "framework", name="a.log")[2] == ("heron",)


@pytest.mark.parametrize("parts", [("gc complete", "jit complete"), ("cache done", "index done")])
def test_the_ends_of_parts_of_a_program_do_not_replace_the_names_above_its_runs(parts: tuple[str, str]) -> None:
    page = "".join(f"{name}\n@\n{part}\n" for name, part in zip(("kiwi", "emu"), parts, strict=True))
    assert of_page(page, "framework", name="bench.log") == [("kiwi",), ("emu",)]


@pytest.mark.parametrize("form", ["R{}.{}.log", "R{}-{}.log", "rate{}.{}.log", "R{}_run{}.log"])
def test_repeats_are_numbered_behind_rates(form: str, tmp_path: Path) -> None:
    rates = ("1000", "5000", "10000")
    logs = {f"{name}/{form.format(rate, at)}": "@\n" for name in ("heron", "plover") for rate in rates for at in (1, 2)}
    expected = [(name, f"{rate}.0", "") for name in ("heron", "plover") for rate in rates for _ in (1, 2)]
    assert sorted(of_logs(tmp_path, logs, "framework", "rate", "file_name")) == sorted(expected)


def test_a_machine_or_a_version_with_a_dot_is_no_rate_and_no_repeat(tmp_path: Path) -> None:
    logs = {f"{name}.log": "@\n@\n" for name in ("lab-R640", "lab-R740")}
    assert set(of_logs(tmp_path / "a", logs, "rate")) == {("",)}
    logs = {f"{name}.log": "@\n@\n" for name in ("heron1.1", "heron1.2")}
    found = of_logs(tmp_path / "b", logs, "framework")
    assert found == [("heron1.1",)] * 2 + [("heron1.2",)] * 2


@pytest.mark.parametrize("form", ["Pass {}. {}:", "Run {}: {}:", "## Pass {}. {}", "## Round {}: {}"])
@pytest.mark.parametrize(
    "conditions", [("With `--inline`", "With `--no-inline`"), ("With inlining", "Without inlining")]
)
def test_the_number_of_a_repeat_in_front_of_a_condition_is_no_part_of_it(
    form: str, conditions: tuple[str, str]
) -> None:
    heads = [text for at in (1, 2, 3) for text in (form.format(at, conditions[0]), conditions[1] + ":")]
    if form.startswith("#"):
        heads[1::2] = [f"## {conditions[1]}"] * 3
    page = "# crunchd flags\n\n" + "".join(f"{head}\n\n```\n@\n```\n\n" for head in heads)
    found = [" ".join(one) for one in of_page(page, "framework", "heading")]
    assert found[0] != found[1]
    assert found == found[:2] * 3
    assert not any(map(str.isdigit, "".join(found)))
