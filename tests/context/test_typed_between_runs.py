"""What people type between the runs of a session: some of it changes what is measured, most of it does not.

``@`` is a report of wrk. The expected labels are read by eye from the text.
"""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.context.test_between_logs import of_page
from tests.samples import WRK
from wrkparse.context.nearby.log_messages import is_log_message

_LOAD = "joe@box:~$ wrk -t2 -c10 -d10s http://127.0.0.1:8080/\n@\n"


def session(*typed: str) -> str:
    """A page of a session: each command with two runs below it."""
    return "".join(f"joe@box:~$ {command}\n{_LOAD * 2}" for command in typed)


@pytest.mark.parametrize(
    "typed",
    [
        "pidof kiwi",
        "sleep 60",
        "sleep 60; uptime",
        "ls",
        "clear",
        "htop",
        "sync; echo 3 | sudo tee /proc/sys/vm/drop_caches",
        "# hmm, noisy, again",
        "# oops",
        "# once more",
    ],
)
def test_what_only_looks_or_waits_leaves_a_server_and_its_setting(typed: str) -> None:
    assert of_page(session("./kiwi &", typed), "program", "framework", "heading") == [("kiwi", "", "")] * 4
    both = session("./kiwi &", typed) + "joe@box:~$ kill %1\n" + session("./emu &", typed)
    assert of_page(both, "framework", "heading") == [("kiwi", "")] * 4 + [("emu", "")] * 4


def test_a_comment_behind_a_prompt_may_still_name_what_is_measured() -> None:
    assert of_page(session("# kiwi", "# emu"), "framework") == [("kiwi",)] * 2 + [("emu",)] * 2


@pytest.mark.parametrize(
    ("typed", "heading"),
    [
        ("sudo renice -n -10 -p 4711", "renice -n -10 -p 4711"),
        ("sudo tc qdisc add dev lo root netem delay 1ms", "tc qdisc add dev lo root netem delay 1ms"),
        ("/usr/sbin/tc qdisc del dev lo root", "/usr/sbin/tc qdisc del dev lo root"),
        ("nvm use 20", "nvm use 20"),
        ("helm upgrade kiwi ./chart --set workers=8", "helm upgrade kiwi ./chart --set workers=8"),
        ("./tune.sh", "./tune.sh"),
        ("make clean && make CFLAGS=-O3 && ./restart.sh", "make CFLAGS=-O3"),
        ("git stash pop && make && ./restart.sh", "git stash pop"),
        ("cp kiwi.tuned kiwi.conf\njoe@box:~$ ./restart.sh", "cp kiwi.tuned kiwi.conf"),
        (
            """psql -c "ALTER SYSTEM SET shared_buffers='1GB'" && ./restart.sh""",
            """psql -c "ALTER SYSTEM SET shared_buffers='1GB'\"""",
        ),
        ("sudo systemctl stop irqbalance", "systemctl stop irqbalance"),
        ("./restart.sh", ""),
        ("systemctl restart kiwi", ""),
    ],
)
def test_a_step_beside_a_server_is_no_server_but_a_setting(typed: str, heading: str) -> None:
    page = session("./kiwi &", typed)
    assert of_page(page, "program", "heading") == [("kiwi", "")] * 2 + [("kiwi", heading)] * 2


@pytest.mark.parametrize("typed", ["emu &", "./emu", "./start-emu.sh", "./switch-to.sh emu", "nginx", "node emu.js"])
def test_what_surely_starts_a_server_takes_the_place_of_the_one_before(typed: str) -> None:
    assert [program for (program,) in of_page(session("./kiwi &", typed), "program")][1:3] != ["kiwi"] * 2


def test_a_script_that_stops_the_server_ends_it() -> None:
    page = (session("./start.sh kiwi", "./stop.sh", "./start.sh emu") + "joe@box:~$ ./stop.sh\n") * 2
    found = of_page(page, "framework", "program", "heading")
    kiwi, stopped, emu = ("kiwi", "start.sh kiwi", ""), ("", "", ""), ("emu", "start.sh emu", "")
    assert found == ([kiwi] * 2 + [stopped] * 2 + [emu] * 2) * 2


def test_a_command_in_the_foreground_is_the_server_if_none_was_surely_started() -> None:
    page = session("kiwi --port 8080", "emu --port 8080")
    assert of_page(page, "framework") == [("kiwi",)] * 2 + [("emu",)] * 2


def test_a_unit_beside_a_server_that_is_none_names_nothing() -> None:
    """Whether the other unit is measured, or a database behind the server, is not said."""
    page = session("./kiwi &", "systemctl restart emu")
    assert of_page(page, "program") == [("kiwi",)] * 2 + [("",)] * 2


@pytest.mark.parametrize(
    "typed",
    [
        "sudo systemctl restart {}",
        "systemctl restart {}.service",
        "service {} restart",
        "docker restart {}",
        "docker compose restart {}",
    ],
)
def test_restarts_of_two_units_name_two_servers(typed: str) -> None:
    names = ["kiwi"] * 2 + ["emu"] * 2 + ["kiwi"] * 2
    found = of_page(session(*map(typed.format, ("kiwi", "emu", "kiwi"))), "framework", "heading")
    assert found == [(name, "") for name in names]


def test_restarts_of_one_unit_name_nothing() -> None:
    page = session("systemctl restart kiwi") * 2
    assert of_page(page, "framework", "program", "heading") == [("", "", "")] * 4


def test_a_restart_behind_the_sign_of_root_is_no_heading() -> None:
    page = "".join(f"# sudo systemctl restart {name}@v2\n@\n@\n" for name in ("kiwi", "emu"))
    assert of_page(page, "framework", "heading") == [("kiwi@v2", "")] * 2 + [("emu@v2", "")] * 2


@pytest.mark.parametrize("start", ["./{} &", "perf stat -p $(pidof {}) -- sleep 30 &"])
def test_what_perf_counts_names_nothing(start: str) -> None:
    counts = """
 Performance counter stats for process id '{number}':

         57,2{number}.03 msec task-clock                #    1.904 CPUs utilized
           82{number},409      context-switches          #   14.021 K/sec
   181,557,5{number},890      cycles

      30.00{number}0631 seconds time elapsed
       1.{number}0631 seconds user
       0.{number}0631 seconds sys

"""
    page = "".join(
        session(start.format(name)).replace("@\n", "@\n" + counts.format(number=number))
        for number, name in enumerate(("kiwi", "emu"), 10)
    )
    assert of_page(page, "framework", "heading") == [("kiwi", "")] * 2 + [("emu", "")] * 2


@pytest.mark.parametrize("line", ["4 CPU", "8 workers # tuned", "1.5 seconds think time"])
def test_a_number_of_a_setting_is_no_measurement(line: str) -> None:
    assert not is_log_message(line)


@pytest.mark.parametrize(
    ("typed", "program"),
    [
        ("emu --port 8081", "emu"), ("varnishd -a :8080", "varnishd"), ("./emu.sh", "emu.sh"), ("emu serve", "emu"),
        ("nvm use 20", "kiwi"), ("./stop-cache.sh", "kiwi"), ("./rebuild-index.sh", "kiwi"),
    ],
)  # fmt: skip
def test_a_server_typed_behind_one_in_the_background_is_another_and_a_step_is_none(typed: str, program: str) -> None:
    load = "$ wrk -t12 -c400 http://127.0.0.1:8080/\n"
    data = wp.parse_text(f"$ ./kiwi &\n{load}{WRK}$ {typed}\n{load}{WRK.replace('40669.44', '40670.44')}")
    assert data.runs["program"].tolist() == ["kiwi", program]


def test_a_word_typed_behind_a_server_that_ran_in_the_foreground_is_the_next_server() -> None:
    load = "$ wrk -t12 -c400 http://127.0.0.1:8080/\n"
    data = wp.parse_text(f"$ ./kiwi\n^C\n$ gotham\n{load}{WRK}")
    assert data.runs["program"].tolist() == ["gotham"]


@pytest.mark.parametrize("unit", ["postgresql", "redis", "docker", "systemd-resolved"])
def test_a_restart_of_what_runs_beside_a_server_names_none(unit: str) -> None:
    load = "$ wrk -t12 -c400 http://127.0.0.1:8080/\n"
    other = WRK.replace("40669.44", "40670.44")
    text = f"$ sudo systemctl restart kiwi\n{load}{WRK}$ sudo systemctl restart {unit}\n{load}{other}"
    assert "framework" not in wp.parse_text(text).runs


@pytest.mark.parametrize("titles", [
    ("1 worker/core # 8 cores", "2 worker/core # 8 cores"), ("64 workers # 1", "128 workers # 2"),
    ("Build stable failed", "Build nightly failed"), ("build kiwi passed", "build emu passed"),
])  # fmt: skip
def test_titles_that_resemble_counters_or_jobs_tell_runs_apart(titles: tuple[str, str]) -> None:
    page = "".join(f"{title}\n\n{WRK.replace('40669', f'4066{at}')}\n" for at, title in enumerate(titles))
    runs = wp.parse_text(page).runs.drop(columns=["run", "line", "line_end"])
    assert any(runs[column].nunique(dropna=False) == 2 for column in runs if column not in ("above", "title"))


@pytest.mark.parametrize("quote", ['"', "'"])
def test_flags_of_several_words_in_a_variable_are_one_value(quote: str) -> None:
    flags = ("-O0", "-O2", "-O3 -march=native")
    run = "$ time ./quoll 4000\n\nreal\t0m9.7{}s\nuser\t0m8.737s\nsys\t0m0.485s\n"
    page = "".join(
        f"$ make clean; make CFLAGS={quote}{flag}{quote} >/dev/null\n" + run.format(at) + run.format(at + 5)
        for at, flag in enumerate(flags)
    )
    dataset = wp.parse_text(page, source="timing.txt").runs
    values = [
        {str(value) for key in ("heading", "framework", "cflags") if key in dataset for value in [row[key]] if value}
        for _, row in dataset.iterrows()
    ]
    assert [found - {"nan", "None"} for found in values] == [{flag} for flag in flags for _ in (1, 2)]


@pytest.mark.parametrize("form", ["-j {}:", "-j{}:", "--jobs {}:", "## -j {}", "## --jobs={}", "quoll -j {}:"])
def test_a_number_of_jobs_is_a_count(form: str) -> None:
    run = "```\nreal\t0m4.9{}s\nuser\t0m39.000s\nsys\t0m1.000s\n```\n\n"
    page = "".join(f"{form.format(n)}\n\n{run.format(n)}{run.format(n + 1)}" for n in (1, 2, 16))
    found = of_page(page, "jobs", "framework", name="scaling.md")
    assert [jobs for jobs, _ in found] == ["1", "1", "2", "2", "16", "16"]
    assert {name for _, name in found} <= {"", "quoll"}


@pytest.mark.parametrize("typed", ["puppet apply fix.pp", "sudo ansible-playbook fix.yml", "terraform apply"])
def test_a_program_that_sets_up_a_machine_is_not_the_server(typed: str) -> None:
    page = (
        f"{_LOAD}joe@box:~$ {typed}\nNotice: Finished in 1.12 seconds\njoe@box:~$\n\n--- after the fix ---\n\n{_LOAD}"
    )
    assert of_page(page, "program", "framework", "heading") == [("", "", ""), ("", "", "after the fix")]


def test_an_empty_prompt_is_no_title_and_ends_the_output_above() -> None:
    page = "".join(f"--- {name} ---\n\njoe@box:~$\n{_LOAD}joe@box:~$\n\n" for name in ("kiwi", "emu"))
    assert of_page(page, "framework") == [("kiwi",), ("emu",)]
