"""Names as programs, services and chats write them above runs: in folds of jobs, tabs of pages, tests, comments.

``@`` is a report of wrk. The expected names are read by eye from the text.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import wrkparse as wp
from tests.context.test_strangers import named, written

_LOAD = "sleep 1\nwrk -t2 -c64 http://127.0.0.1:8080/\n@\nkill 4711\n"


@pytest.mark.parametrize(
    "form",
    [
        # Services that run jobs, and what they run.
        "travis_fold:start:bench.{}\n$ make bench\n@\ntravis_fold:end:bench.{}\n",
        "ok: [{}] => {\n@\n}\n",
        "bench/test_load.py::test_load[{}] \n@\nPASSED\n",
        "bench/test_load.py::TestLoad::test_load[{}]\n@\nPASSED\n",
        "~~~ :rocket: {}\n@\n",
        "[INFO] --- exec:3.1.0:exec (bench) @ {} ---\n@\n",
        "just bench {}\n@\n",
        # Pages, comments, lists of tasks.
        '{{< tab "{}" >}}\n```\n@\n```\n{{< /tab >}}\n',
        '{{% tab title="{}" %}}\n```\n@\n```\n{{% /tab %}}\n',
        "/* {} */\n@\n",
        "REM {}\n@\n",
        "% {}\n@\n",
        "!! {}\n@\n",
        "@@ {} @@\n@\n",
        "«{}»\n@\n",
        "- [x] {}\n\n@\n\n",
        "① {}\n@\n",
        '{},64,"\n@\n"\n',
        # Chats: who wrote a message, and when, is no part of a name.
        "[28.11.25, 10:04:11] Anna: {}:\n@\n",
        "28/11/2025, 10:04 - Ben Ott: {}:\n@\n",
        "[10:04] <anna> {}:\n@\n",
        "[28.11. 10:04] Berg, Anna\n{}\n@\n",
        # Commands without a prompt, as scripts and make echo them.
        f"./bin/{{}} -p 8080 &\n{_LOAD}",
        f"/opt/{{}}/bin/{{}} &\n{_LOAD}",
        f"     Running `target/release/{{}}`\n{_LOAD}",
        f"$ nix run .#{{}} &\n$ {_LOAD}",
        f"$ npx {{}} -p 8080 &\n$ {_LOAD}",
        f"$ bun run {{}}.ts &\n$ {_LOAD}",
        f"$ poetry run python {{}}.py &\n$ {_LOAD}",
        f"$ sudo supervisorctl start {{}}\n$ {_LOAD}",
    ],
)
def test_a_name_is_read_in_any_form(form: str) -> None:
    assert named("".join(form.replace("{}", name) for name in ("kiwi", "emu"))) == ["kiwi", "emu"]


def test_who_wrote_in_a_chat_names_no_run() -> None:
    page = "10:04 <anna> kiwi:\n10:04 <anna> @\n10:06 <ben> emu:\n10:06 <ben> @\n"
    assert named("".join(_with_front(line) for line in page.splitlines(keepends=True))) == ["kiwi", "emu"]


def _with_front(line: str) -> str:
    """A line, or a report with the text in front of each of its lines."""
    front, found, _ = line.rpartition("@")
    return "".join(front + text for text in written("@").splitlines(keepends=True)) if found else line


def test_the_number_of_a_container_is_no_name() -> None:
    page = "".join(
        f"$ docker run -d --name srv -p 8080:80 acme/{name}:1.2\n{digit * 64}\n$ docker exec load wrk -c64 http://srv/\n@\n"
        for name, digit in (("kiwi", "8"), ("emu", "f"))
    )
    assert named(page) == ["kiwi:1.2", "emu:1.2"]


def test_tests_of_pytest_with_one_name_are_no_repeats() -> None:
    page = "".join(
        f"bench.py::test_{kind}[{name}] \n@\nPASSED\n" for kind in ("json", "plain") for name in ("kiwi", "emu")
    )
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    assert list(runs["framework"]) == ["kiwi", "emu", "kiwi", "emu"]
    assert list(runs["heading"]) == ["test_json", "test_json", "test_plain", "test_plain"]


@pytest.mark.parametrize("form", ["./{}/wrk.log:\n@", "/srv/out/{}/wrk.log\n@"])
def test_a_path_above_a_report_tells_runs_apart(form: str) -> None:
    kiwi, emu = named("\n".join(form.replace("{}", name) for name in ("kiwi", "emu")))
    assert "kiwi" in str(kiwi)
    assert "emu" in str(emu)


def test_the_titles_of_pages_name_their_runs(tmp_path: Path) -> None:
    for number, name in enumerate(("Kiwi", "Emu")):
        (tmp_path / f"{number}.md").write_text(written(f"---\ntitle: {name}\ndate: 2025-11-28\n---\n\n```\n@\n```\n"))
    runs = wp.read(tmp_path).runs.sort_values("source")
    assert list(runs["framework"]) == ["Kiwi", "Emu"]


@pytest.mark.parametrize(
    ("first", "second"),
    [("kiwi ★", "kiwi ★★"), ("kiwi 🚀", "kiwi 🐢"), ("kiwi (17 worker processes)", "kiwi (17 worker threads)")],
)
def test_titles_that_differ_in_signs_or_words_are_no_repeats(first: str, second: str) -> None:
    runs = wp.parse_text(written(f"{first}\n\n@\n\n{second}\n\n@\n")).runs.sort_values("line")
    assert list(runs["heading"]) == [first, second]


def test_titles_with_the_same_sign_are_repeats() -> None:
    assert "heading" not in wp.parse_text(written("kiwi ★\n\n@\n\nkiwi ★\n\n@\n")).runs


@pytest.mark.parametrize(("first", "second"), [("kiwi", "kiwi+"), ("kiwi", "Kiwi!"), ("kiwi", "kiwi-raw")])
def test_files_that_differ_in_signs_or_words_are_no_repeats(first: str, second: str, tmp_path: Path) -> None:
    for name in (first, second):
        (tmp_path / f"{name}.txt").write_text(written("@"))
    runs = wp.read(tmp_path).runs
    assert {
        source.removesuffix(".txt"): name for source, name in zip(runs["source"], runs["file_name"], strict=True)
    } == {
        first: first,
        second: second,
    }


@pytest.mark.parametrize(
    "names", [("result", "output"), ("kiwi-1", "kiwi_2"), ("kiwi", "kiwi (1)"), ("kiwi-Mon", "kiwi-Tue")]
)
def test_files_that_count_or_have_words_of_any_output_are_repeats(names: tuple[str, str], tmp_path: Path) -> None:
    for name in names:
        (tmp_path / f"{name}.txt").write_text(written("@"))
    assert "file_name" not in wp.read(tmp_path).runs


@pytest.mark.parametrize(
    ("start", "ports"),
    [
        ("$ export PORT={port}\n$ ./{name} &", ("8081", "8082")),
        ("$ ./{name} --workers 4 {port} &", ("8081", "8082")),
        ("$ ./{name} --port {port} &", ("80", "8082")),
    ],
)
def test_a_load_is_of_the_server_at_its_port(start: str, ports: tuple[str, str]) -> None:
    servers = dict(zip(ports, ("kiwi", "emu"), strict=True))
    starts = "\n".join(start.format(port=port, name=name) for port, name in servers.items())
    loads = "".join(f"$ wrk -c64 http://127.0.0.1{'' if port == '80' else ':' + port}/\n@\n" for port in ports)
    assert named(f"{starts}\n{loads}") == ["kiwi", "emu"]


def test_a_number_behind_an_option_is_no_port() -> None:
    page = "$ ./kiwi --size 8081 &\n$ ./emu --size 8082 &\n$ wrk -c64 http://127.0.0.1:8081/\n@\n"
    assert "kiwi" not in named(page)


@pytest.mark.parametrize(
    ("change", "first", "second"),
    [
        ("pyenv shell {}", "3.11.7", "3.13.0"),
        ("./tune {}", "off", "on"),
        ("sed -i 's/workers=[0-9]*/workers={}/' kiwi.conf", "workers=4", "workers=8"),
        ("sed -i 's|pool=o[nf]*|pool={}|' kiwi.conf", "pool=off", "pool=on"),
    ],
)
def test_what_was_changed_before_a_start_tells_runs_apart(change: str, first: str, second: str) -> None:
    """A command in the foreground is taken for the start of a server, until the next one starts."""
    values = [re.split("[= ]", text)[-1] for text in (first, second)]
    page = "".join(
        f"$ {change.replace('{}', value)}\n$ ./kiwi &\n$ wrk -c64 http://127.0.0.1:8080/\n@\n$ kill %1\n"
        for value in values
    )
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    assert list(runs["version" if "pyenv" in change else "heading"]) == [first, second]


def test_the_former_value_of_a_substitution_names_no_run() -> None:
    page = "".join(
        f"$ sed -i 's/workers={before}/workers={after}/' kiwi.conf\n$ ./kiwi &\n$ wrk -c64 http://h/\n@\n$ kill %1\n"
        for before, after in ((2, 4), (4, 8))
    )
    assert list(wp.parse_text(written(page)).runs.sort_values("line")["heading"]) == ["workers=4", "workers=8"]


def test_a_script_called_like_a_step_is_no_server() -> None:
    page = "$ wrk -c64 http://h/\n@\n$ ./upgrade.sh\n$ wrk -c64 http://h/\n@\n"
    assert "program" not in wp.parse_text(written(page)).runs


@pytest.mark.parametrize(
    ("above", "below"),
    [("Avvio {}", "Fermo {}"), ("Lancement de {}", "Arrêt de {}"), ("{} を起動", "{} を停止"), ("{} up", "{} down")],
)
def test_the_word_that_the_lines_above_and_below_a_run_share_is_its_name(above: str, below: str) -> None:
    page = "".join(f"{above}\n@\n{below}\n".replace("{}", name) for name in ("kiwi", "emu", "plover"))
    assert named(page) == ["kiwi", "emu", "plover"]


@pytest.mark.parametrize("last", ["a word about cats", "B is fast", "Server B"])
def test_another_line_below_the_last_run_leaves_names_whole(last: str) -> None:
    assert named(f"Server A\n@\nServer B\n@\n{last}\n") == ["Server A", "Server B"]


@pytest.mark.parametrize(
    "form",
    [
        "Тест {}",
        "## Сервер {}",
        "## {}の場合",
        "{} を計測",
        "## Μέτρηση {}",
        "### 使用 {} 的情况",
        "Запуск: {}",
    ],
)
def test_words_in_another_script_around_all_names_are_no_part_of_them(form: str) -> None:
    assert named("".join(f"{form}\n\n@\n\n".replace("{}", name) for name in ("kiwi", "emu"))) == ["kiwi", "emu"]


@pytest.mark.parametrize(
    "names",
    [
        ("Сервер v1.2", "Сервер v1.3"),  # of what is left, nobody knows what it is
        ("Сервер A", "Сервер B"),
        ("Без кеша", "С кешем"),
        ("naïve", "naïve pooled"),
        ("avec données", "sans données"),
        ("kiwi (через шлюз)", "emu (через шлюз)"),  # other files may have other remarks
    ],
)
def test_words_in_another_script_stay_if_no_name_is_beside_them(names: tuple[str, str]) -> None:
    assert named("".join(f"{name}\n\n@\n\n" for name in names)) == list(names)


def test_a_name_keeps_its_closing_bracket() -> None:
    page = "- 单线程(无锁) 10连接\n\n@\n\n- 单线程(有锁) 10连接\n\n@\n\n- 双线程 10连接\n\n@\n"
    assert named(page) == ["单线程(无锁)", "单线程(有锁)", "双线程"]


def test_a_name_with_a_remark_directly_behind_it_is_no_call() -> None:
    """As code, it would be a line of a script that holds for the runs below the next title, too."""
    assert named("- 单线程(无锁)\n\n@\n\n- 单线程(有锁)\n\n@\n\n- 双线程\n\n@\n") == [
        "单线程(无锁)",
        "单线程(有锁)",
        "双线程",
    ]


def test_headings_that_state_results_name_nothing() -> None:
    assert named("## Latency: 0.9 ms\n\n@\n\n## Throughput: 2.1 GB/s (big)\n\n@\n") == [None, None]


@pytest.mark.parametrize(
    ("cases", "names"),
    [
        (("Case 1:", "Case 2:", "Case 3:"), ["Case 1", "Case 2", "Case 3"]),
        (("Scenario A (cold):", "Scenario B:", "Scenario C -"), ["Scenario A", "Scenario B", "Scenario C"]),
        (("案例一(默认配置)：", "案例二：", "案例三："), ["案例一", "案例二", "案例三"]),
    ],
)
def test_cases_that_sentences_describe(cases: tuple[str, ...], names: list[str]) -> None:
    """The sentences may be alike, and the last one is always the same."""
    page = "".join(
        f"{case}\nThe breaker opens after {calls} calls.\nAll later calls go to the fallback.\n@\n\n"
        for case, calls in zip(cases, (20, 5, 5), strict=True)
    )
    assert named(page) == names


def test_a_last_word_that_all_names_have_is_no_half_of_them() -> None:
    """Else *Emu App* would be a condition of kiwi, and the two servers one."""
    page = "".join(f"# {name} App Benchmarks\n\n@\n\n" for name in ("Kiwi", "Kiwi-Emu", "Plover"))
    assert named(page) == ["Kiwi App", "Kiwi-Emu App", "Plover App"]
