"""Names in records of logs: behind a stamp, in the fields of logfmt and JSON, in the journal, in steps of a job."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import wrkparse as wp
from tests.context.test_strangers import WRK, written
from tests.samples import GC
from wrkparse.text.wrapping.prefixes import parse_envelope

NAMES = ["plover", "plover", "curlew", "curlew"]
STAMP = "2026-11-20T10:00:00.1234567Z "


def names(text: str, key: str = "framework") -> list[object]:
    return list(wp.parse_text(text).runs.sort_values("line")[key])


def stamped(text: str, stamp: str) -> str:
    return "".join(f"{stamp}{line}\n" for line in text.splitlines())


def test_a_step_of_azure_pipelines_names_the_runs_in_it() -> None:
    page = "".join(f"##[section]Starting: Bench {name}\n@\n##[section]Finishing: Bench {name}\n" for name in NAMES)
    assert names(stamped(written(page), STAMP)) == NAMES


@pytest.mark.parametrize("stamp", ["", "Nov 20 11:38:23 host app[812]: ", f"{STAMP}stderr F "])
def test_comment_signs_behind_a_stamp_do_not_end_a_report(stamp: str) -> None:
    fixture = Path("tests/fixtures/ab/post-hash.txt").read_text()
    assert all(line.startswith("#") for line in fixture.splitlines() if line)
    dataset = wp.parse_text(stamped(fixture, stamp))
    assert len(dataset.runs) == 1
    # "Document Path:          /post", "Concurrency Level:      4"
    assert list(dataset.runs[["path", "connections"]].iloc[0]) == ["/post", 4]
    assert not [each for each in dataset.diagnostics["code"] if each == "fragment"]


# The beginning of the line is as Airflow prints it; the name is the 100th to 105th character.
LONG = "[2026-11-20, 10:00:00 UTC] {{subprocess.py:75}} INFO - Running command: ['bash', '-c', './script.sh {}']"


def test_a_name_at_the_end_of_a_long_line_is_whole() -> None:
    assert LONG.format("plover").find("plover") < 100 < len(LONG.format("plover"))
    runs = wp.parse_text(written("".join(f"{LONG.format(name)}\n@\n" for name in NAMES))).runs.sort_values("line")
    told = [key for key in ("framework", "heading") if key in runs and runs[key].notna().all()]
    assert told
    assert [[name in str(value) for name in ("plover", "curlew")] for value in runs[told[0]]] == [
        [True, False], [True, False], [False, True], [False, True],
    ]  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        'time="2026-11-20T10:00:00Z" level=info msg="running benchmark" server={} attempt=1',  # logrus
        'time=2026-11-20T10:00:00.123Z level=INFO msg="starting server" name={} attempt=1',  # slog
        '{{"level":"info","server":"{}","time":"2026-11-20T10:00:00Z","message":"starting"}}',  # zerolog
        '{{"time":"2026-11-20T10:00:00Z","level":"INFO","msg":"starting server","server":"{}","port":8080}}',  # slog
    ],
)
def test_a_field_of_a_record_names_the_run_below(line: str) -> None:
    assert names(written("".join(f"{line.format(name)}\n@\n" for name in NAMES))) == NAMES


@pytest.mark.parametrize(
    "line",
    [
        '{{"level":"info","msg":"request","path":"/{}","status":200}}',
        'time="2026-11-20T10:00:00Z" level=info msg=request path=/{} status=200',
        'time="2026-11-20T10:00:00Z" level=warning msg="slow request" path=/{} status=200',
    ],
)
def test_the_fields_of_a_request_name_no_run(line: str) -> None:
    paths = ("index", "about", "users", "posts")
    page = "".join(f"## {name}\n{line.format(path)}\n@\n" for name, path in zip(NAMES, paths, strict=True))
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    assert list(runs["framework"]) == NAMES
    assert "heading" not in runs or runs["heading"].isna().all()


def test_messages_of_k6_name_nothing() -> None:
    failed = 'time="2026-11-20T10:00:00Z" level=warning msg="Request Failed" error="dial tcp {}: refused"'
    page = "".join(f"## {name}\n{failed.format(number)}\n@\n" for number, name in enumerate(NAMES))
    assert names(written(page)) == NAMES


def journal(line: str, unit: str, identifier: str = "wrk", pid: str = "41") -> str:
    fields = {"_SYSTEMD_UNIT": unit, "SYSLOG_IDENTIFIER": identifier, "_PID": pid, "_HOSTNAME": "lab"}
    return json.dumps({"__REALTIME_TIMESTAMP": "1795174703123456", "MESSAGE": line, **fields})


def test_the_unit_of_a_record_of_the_journal_is_the_process() -> None:
    text = "".join(
        f"{journal(line, f'bench@{name}.service', pid=str(40 + number))}\n"
        for number, name in enumerate(NAMES)
        for line in WRK.format(requests=10, rate=1 + number).splitlines()
    )
    assert names(text, "process") == [f"bench@{name}" for name in NAMES]


@pytest.mark.parametrize(
    ("record", "stream"),
    [
        # Each is what `journalctl -o short` prints in the place of the process; a session is none.
        ({"_SYSTEMD_UNIT": "kiwi.service", "_PID": "812"}, "kiwi[812]"),
        ({"_SYSTEMD_UNIT": "session-3.scope", "SYSLOG_IDENTIFIER": "kiwi", "_PID": "812"}, "kiwi[812]"),
        ({"CONTAINER_NAME": "kiwi", "_SYSTEMD_UNIT": "docker.service", "_PID": "812"}, "kiwi[812]"),
        ({"SYSLOG_IDENTIFIER": "kiwi"}, "kiwi"),
        ({"_PID": "812"}, "812"),
    ],
)
def test_processes_of_the_journal(record: dict[str, str], stream: str) -> None:
    found = parse_envelope(json.dumps({"MESSAGE": "hello", **record}))
    assert found is not None
    assert (found.stream, found.fields) == (stream, "")


@pytest.mark.parametrize(
    ("record", "fields"),
    [
        ({"log": "hello\n", "stream": "stderr", "time": "2026-11-20T10:00:00Z"}, ""),  # Docker's json-file
        ({"level": "info", "msg": "start", "server": "kiwi", "attempt": 2}, "server=kiwi attempt=2"),
        ({"msg": "start", "body": "x" * 70, "tags": ["a"], "levels": 3}, "levels=3"),
        ({"msg": "request", "path": "/a", "status": 200}, ""),
    ],
)
def test_other_fields_of_a_record(record: dict[str, object], fields: str) -> None:
    found = parse_envelope(json.dumps(record))
    assert found is not None
    assert found.fields == fields


Line = Callable[[str], str]


@pytest.mark.parametrize(
    "banner",
    [
        lambda name: f"____________ test_load[{name}] ____________\n------------ Captured stdout call ------------\n",
        lambda name: f"___ TestLoad.test_load[{name}] ___\n--- Captured stdout call ---\n",
    ],
)
def test_the_parameters_of_a_test_of_pytest_name_the_runs_in_its_output(banner: Line) -> None:
    page = "===== PASSES =====\n" + "".join(f"{banner(name)}@\n" for name in NAMES)
    assert names(written(page)) == NAMES


@pytest.mark.parametrize("shell", ["bash -c", "sh -lc", "zsh -c"])
def test_the_only_command_that_a_shell_is_given_starts_the_server(shell: str) -> None:
    page = "".join(
        f"$ GOGC=50 {shell} 'exec ./{name} -pool 8' &\n$ wrk -t2 -c10 http://127.0.0.1:8080/\n@\n" for name in NAMES
    )
    runs = wp.parse_text(written(page)).runs
    assert set(zip(runs["gogc"], runs["flag_pool"], strict=True)) == {("50", "8")}
    assert names(written(page)) == NAMES


SETTINGS = [(name, size, attempt) for name in ("plover", "curlew") for size in (8, 32) for attempt in (1, 2)]


@pytest.mark.parametrize(
    ("above", "key"),
    [
        ('level=info msg="run" server={} pool={} attempt={}', "pool"),
        ("2026/11/20 12:00:00 INFO starting server={} pool={} attempt={}", "pool"),
        ("Server      : {}\nPool size   : {}\nAttempt     : {} of 2\n", "pool_size"),
        ("- server: {}\n- pool: {}\n- attempt: {}\n", "pool"),
        (
            "C:\\bench>set POOL={1}\n\nC:\\bench>start {0}.exe\n\nC:\\bench>wrk -t2 -c10 http://127.0.0.1:8080/",
            "env_POOL",
        ),
        (
            "PS C:\\b> $env:POOL = '{1}'\nPS C:\\b> .\\{0}.exe\nPS C:\\b> wrk -t2 -c10 http://127.0.0.1:8080/",
            "env_POOL",
        ),
    ],
)
def test_runs_with_another_setting_above_them_are_no_repeats(above: str, key: str) -> None:
    runs = wp.parse_text(written("".join(f"{above.format(*said)}\n@\n" for said in SETTINGS))).runs.sort_values("line")
    assert list(runs[key].astype(str)) == [str(size) for _, size, _ in SETTINGS]
    assert "attempt" not in runs or runs["attempt"].isna().all()


@pytest.mark.parametrize("above", ["seed: {}", "level=info took={} server=plover", "temperature: {}"])
def test_a_value_that_does_not_come_again_is_no_setting(above: str) -> None:
    values = (17, 17, 23, 99)  # two of them come once
    dataset = wp.parse_text(written("".join(f"{above.format(value)}\n@\n" for value in values)))
    assert dataset.runs["run"].nunique() == 4
    assert not {"seed", "took", "temperature"} & set(dataset.runs.columns[dataset.runs.notna().any()])


def test_a_value_above_a_report_and_its_trace_comes_once() -> None:
    login = "2026/11/20 10:00:00 INFO login user={}\n"
    page = "".join(
        f"## {name}\n{login.format(user)}"
        + "".join(GC.format(n=n, t=n / 10) + login.format(other) for n, other in enumerate(("eve", "fay"), 1))
        + "@\n"
        for name, user in zip(NAMES, ("ada", "bob", "cyd", "dan"), strict=True)
    )
    runs = wp.parse_text(written(page)).runs
    assert {"wrk", "gctrace"} == set(runs["tool"])
    assert "user" not in runs or runs["user"].isna().all()


@pytest.mark.parametrize("above", ["Uptime: {}", "level=info timeouts={}", "Total: {}"])
def test_what_comes_again_by_chance_and_is_a_result_is_no_setting(above: str) -> None:
    page = "".join(f"## {name}\n{above.format(value)}\n@\n" for name, value in zip(NAMES, (3, 4, 3, 4), strict=True))
    dataset = wp.parse_text(written(page))
    assert not {"uptime", "timeouts", "total"} & set(dataset.labels["key"])


def csv_of(header: str, index: bool) -> str:
    rows = [
        f'{f"{number}," if index else ""}{name},{size},{attempt},"{WRK.format(requests=10, rate=1 + number)}"\n'
        for number, (name, size, attempt) in enumerate(SETTINGS)
    ]
    return header + "\n" + "".join(rows)


@pytest.mark.parametrize("index", [False, True])
def test_the_first_line_of_csv_names_the_fields_in_front_of_a_report(index: bool, tmp_path: Path) -> None:
    for number in range(4):  # a line that comes again and again is known as text of the page
        (tmp_path / f"runs-{number}.csv").write_text(csv_of(f"{',' if index else ''}server,pool,attempt,output", index))
    runs = wp.read(tmp_path).runs.sort_values(["source", "line"])
    told = list(zip(runs["framework"], runs["pool"].astype(int), strict=True))
    assert told == [(name, size) for name, size, _ in SETTINGS] * 4


def trace(cycles: int, between: str = "") -> str:
    return "".join(GC.format(n=n, t=n / 10) + between.format(n=n) for n in range(1, cycles + 1))


@pytest.mark.parametrize("cycles", [3, 400])  # 400 with lines between them are more than a piece of the prefilter
@pytest.mark.parametrize("between", ["", "request {n} took 5 ms\n"])
@pytest.mark.parametrize(
    ("above", "key", "values"),
    [
        ("starting {}\n", "framework", ("plover", "curlew")),
        ("starting {}\nlistening on :8080\n", "framework", ("plover", "curlew")),
        ("starting the server with GOGC={}\n", "gogc", ("50", "200")),
        ("2026/11/20 10:00:00 config: GOGC={} pool=8\n2026/11/20 10:00:00 listening on :8080\n", "gogc", ("50", "200")),
        ('level=info msg="starting server" gogc={}\n', "gogc", ("50", "200")),
        ('{{"level":"info","msg":"starting server","gogc":{}}}\n', "gogc", ("50", "200")),
    ],
)
def test_a_line_as_above_the_first_trace_is_about_the_next_one(
    above: str, key: str, values: tuple[str, str], between: str, cycles: int
) -> None:
    order = (values[0], values[0], values[1], values[1])
    runs = wp.parse_text("".join(above.format(value) + trace(cycles, between) for value in order)).runs
    assert list(runs.sort_values("line")[key]) == list(order)


def test_what_a_program_prints_below_its_trace_is_not_about_the_next_one() -> None:
    page = "".join(f"starting {name}\n{trace(3)}served 17 of {name}\n" for name in ("plover", "curlew", "plover"))
    runs = wp.parse_text(page).runs.sort_values("line")
    assert list(runs["framework"]) == ["plover", "curlew", "plover"]


@pytest.mark.parametrize(
    "target", ["make bench-{}", "make {}", "just bench-{}", "make[1]: Entering directory '/lab/{}'"]
)
def test_a_target_of_make_is_a_name_without_the_words_of_all_targets(target: str) -> None:
    assert names(written("".join(f"{target.format(name)}\n@\n" for name in NAMES))) == NAMES


def test_what_an_earlier_program_printed_is_not_about_the_trace_below_a_command() -> None:
    users = ("ada", "bob", "cyd", "dan", "eve")
    page = "".join(
        f"$ GODEBUG=gctrace=1 ./{name}\naccepted a connection from {users[3 * run % 5]}\n"
        + "".join(f"{GC.format(n=n, t=n / 10)}accepted a connection from {users[(n + run) % 5]}\n" for n in range(1, 5))
        for run, name in enumerate(NAMES)
    )
    runs = wp.parse_text(page).runs.sort_values("line")
    assert list(runs["framework"]) == NAMES
    # The third program accepted its first connection from users[1]; the one before it ended with users[0].
    assert "ada" not in str(runs["heading"].iloc[2])


def test_a_server_started_before_make_works_in_a_directory_runs_after_it() -> None:
    entered = "make: Entering directory '/lab/build'\nmake: Leaving directory '/lab/build'\n"
    page = "".join(f"$ ./{name} &\n{entered}$ wrk -t2 -c10 http://127.0.0.1:8080/\n@\n" for name in NAMES)
    assert names(written(page)) == NAMES
