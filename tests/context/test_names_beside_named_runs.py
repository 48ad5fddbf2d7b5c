"""Runs that are named as their siblings are, and texts that name none of the runs below them.

The expected labels are read by eye from the text above each report.
"""

from __future__ import annotations

import pytest

from tests.cases import each_case
from tests.context.test_names_in_pages import labels, report

SESSION = "$ ./sorter &\n$ wrk -t2 -c10 -d10s http://127.0.0.1:8080/\n"


def fenced(number: int, *, connections: int = 10, path: str = "/") -> str:
    return f"```\n{report(number, connections=connections, path=path)}```\n"


@each_case(
    "paragraph, name",
    [
        ("I ran them today.\nkiwi:", "kiwi"),
        ("The server is the one of last week.\nBefore:", "Before"),
    ],
)
def test_the_last_line_of_a_paragraph_is_a_name_if_the_titles_of_the_others_are(paragraph: str, name: str) -> None:
    page = f"{paragraph}\n{fenced(1)}\nemu:\n{fenced(2)}\nplover:\n{fenced(3)}"
    assert labels(page, "framework") == [name, "emu", "plover"]


def test_the_end_of_a_paragraph_above_all_runs_is_no_name() -> None:
    page = f"These are the numbers,\nas I found them:\n{fenced(1)}\nemu:\n{fenced(2)}\nplover:\n{fenced(3)}"
    assert labels(page, "framework") == [None, "emu", "plover"]


def test_a_state_above_one_run_is_its_name_beside_names_above_the_others() -> None:
    """The command makes the first run another setting, so it is not compared with the others line by line."""
    page = "The proxy has to do twice the work, so half of the rate is fine.\n\n"
    for at, (name, target) in enumerate((("Baseline", "bench"), ("Kiwi", "bench-proxy"), ("Emu", "bench-proxy"))):
        load = f"$ make {target}\nwrk http://localhost:8080 -d 10 -t 2 -c 10\n"
        page += f"{name}\n\n```\n{load}{report(at)}```\n\n"
    assert labels(page, "framework") == ["Baseline", "Kiwi", "Emu"]


def test_a_long_line_that_begins_like_the_names_of_others_is_a_name() -> None:
    lines = [
        "Static pages through nginx",
        "Static pages through gunicorn",
        "Static pages through a proxy of requests that go from nginx to gunicorn",
    ]
    page = "\n".join(f"{line}\n{report(at)}" for at, line in enumerate(lines))
    assert labels(page, "framework") == lines


@each_case(
    "titles",
    [
        ("Node - DIRECT", "Go - DIRECT", "Node - NGINX", "Go - NGINX"),
        ("## Node (direct)", "## Go (direct)", "## Node (nginx)", "## Go (nginx)"),
    ],
)
def test_pairs_of_which_some_are_two_known_servers_are_names_as_a_whole(titles: tuple[str, ...]) -> None:
    page = "\n\n".join(f"{title}\n\n{fenced(at)}" for at, title in enumerate(titles))
    assert labels(page, "framework") == [title.removeprefix("## ") for title in titles]


def test_a_version_at_a_path_that_is_called_like_its_server_is_no_name() -> None:
    page = f"## kiwi v1.2\n\n{fenced(1, path='/kiwi/')}\n## emu v2.3\n\n{fenced(2, path='/emu/index')}"
    assert labels(page, "framework") == ["kiwi v1.2", "emu v2.3"]


@each_case(
    "text",
    [
        "The load below is [100 200 400] on 8 threads",
        "### From 100 to 400 connections",
        "# 使用ab测试一下，100/200/400 总耗时",
        "以下压力测试参数基于：8线程，[100 200 400]、30秒",
    ],
)
def test_a_text_with_the_connections_of_all_runs_below_it_names_none_of_them(text: str) -> None:
    page = f"{text}\n\n" + "\n".join(fenced(count, connections=count) for count in (100, 200, 400))
    assert labels(page, "framework") == labels(page, "heading") == [None, None, None]


@each_case("headings", [("结果解析", "性能分析", "高并发下"), ("测试优化结果", "性能测试数据", "压力测试")])
def test_headings_in_chinese_that_say_what_was_done_name_no_server(headings: tuple[str, ...]) -> None:
    page = "\n".join(f"### {heading}\n\n{fenced(at)}" for at, heading in enumerate(headings))
    assert labels(page, "framework") == [None, None, None]


def test_headings_in_chinese_with_a_state_or_a_name_stay_what_they_were() -> None:
    page = "\n".join(f"### {heading}\n\n{fenced(at)}" for at, heading in enumerate(("kiwi测试", "emu测试")))
    assert labels(page, "framework") == ["kiwi", "emu"]
    page = "\n".join(f"### {heading}\n\n{fenced(at)}" for at, heading in enumerate(("使用缓存", "不使用缓存")))
    assert labels(page, "framework") == ["使用缓存", "不使用缓存"]


def test_a_final_run_is_a_repeat() -> None:
    page = ""
    for at, name in enumerate(("Before", "After")):
        page += f"{name}:\n\n```\nRun 1:\n{report(at)}Final run:\n{report(at + 10)}```\n\n"
    assert labels(page, "framework") == ["Before", "Before", "After", "After"]


def test_local_is_a_place_like_remote() -> None:
    page = f"**Remote**\n{report(1)}\n**Local**\n{report(2)}"
    assert labels(page, "heading") == ["Remote", "Local"]


def test_the_wide_number_sign_marks_a_title() -> None:
    page = f"＃kiwi v1.2\n\n{fenced(1)}\n＃emu v2.3\n\n{fenced(2)}"
    assert labels(page, "framework") == ["kiwi v1.2", "emu v2.3"]


@each_case("form", ["<center>{}</center>", "<sub>{}</sub>", "<figcaption>{}</figcaption>", "<small>{}</small>"])
def test_a_caption_below_its_run_may_be_in_html(form: str) -> None:
    page = "\n".join(f"{fenced(at)}{form.format(name)}\n" for at, name in enumerate(("kiwi", "emu")))
    assert labels(page, "framework") == ["kiwi", "emu"]


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("time g++ -O2 main.cpp -o sorter", "time clang++ -O2 main.cpp -o sorter", ("g++", "clang++")),
        ("time go build -o sorter .", "time go build -race -o sorter .", None),
    ],
)
def test_builds_that_are_timed_between_runs_tell_them_apart(
    first: str, second: str, told: tuple[str, str] | None
) -> None:
    page = f"```\n$ {first}\n{SESSION}{report(1)}$ {second}\n{SESSION}{report(2)}```\n"
    headings = labels(page, "heading")
    assert None not in headings
    assert len(set(headings)) == 2
    assert told is None or headings == list(told)


@pytest.mark.parametrize(
    "reload", ["nginx -s reload", "sudo nginx -s reload", "sudo service nginx reload", "systemctl reload nginx"]
)
def test_a_reload_may_change_what_is_measured_and_starts_no_server(reload: str) -> None:
    load = "$ wrk -t2 -c10 -d10s http://127.0.0.1:8080/\n"
    page = f"```\n{load}{report(1)}$ {reload}\n{load}{report(2)}```\n"
    assert labels(page, "program") == [None, None]
    assert labels(page, "heading") == [None, reload]


@each_case("opening", ["```$ {}", "```ana@heron:~$ {}", "```{}"])
def test_a_command_may_be_in_the_line_that_opens_its_block(opening: str) -> None:
    page = ""
    for port in (3000, 3001):
        command = f"wrk -t2 -c10 -d10s -H 'port: {port}' http://127.0.0.1:8080/"
        page += f"{opening.format(command)}\n{report(port)}```\n\n"
    assert ["port: 3000" in (command or "") for command in labels(page, "command")] == [True, False]


@pytest.mark.parametrize("program", ["./wrk-linux-amd64", "wrk_darwin_arm64", "/opt/wrk-linux"])
def test_the_name_of_a_released_binary_may_end_in_a_platform(program: str) -> None:
    page = "".join(
        f"$ {program} -t2 -c10 -d10s -s {name}.lua http://127.0.0.1:8080/\n{report(at)}"
        for at, name in enumerate(("list", "search"))
    )
    assert [command is not None for command in labels(page, "command")] == [True, True]


def test_a_report_may_begin_behind_the_tag_of_its_cell() -> None:
    """The last line of the one above ends behind its tags, too."""
    first, second = (report(at).strip() for at in (1, 2))
    page = f"<table>\n<tr>\n<th> Heron </th>  <th> Plover </th>\n</tr>\n<tr>\n<td>\n<pre>\n{first} </pre> </td>\n"
    page += f"<td> <pre>{second}</pre></td></tr></table>\n"
    assert labels(page, "framework") == ["Heron", "Plover"]


def test_a_file_that_a_load_sends_is_shown_and_names_no_server() -> None:
    page = ""
    for at, name in enumerate(("poll", "result")):
        load = (
            f"$ cat post_{name}.txt\n{{'id': {at}}}\n$ wrk -t2 -c10 -d10s -s post_{name}.txt http://127.0.0.1:8080/\n"
        )
        page += f"### POST /api/{name}/\n\n```\n{load}{report(at)}```\n\n"
    assert labels(page, "framework") == [None, None]
    assert labels(page, "heading") == ["POST /api/poll/", "POST /api/result/"]


def test_a_report_that_is_shown_is_called_like_its_file() -> None:
    page = "".join(f"$ cat {name}.txt\n{report(at)}\n" for at, name in enumerate(("kiwi", "emu")))
    assert labels(page, "framework") == ["kiwi", "emu"]


def test_a_file_above_its_source_code_tells_runs_apart() -> None:
    """The imports of the code do not, though they are nearer, nor does the code push the file out of sight."""
    page = "I ran both.\n\n"
    for at, name in enumerate(("kiwi", "emu")):
        lines = ["package main", f'import "example.org/{name}"', "func main() {", f'\t{name}.Listen(":8080")', "}"]
        lines[3:3] = [f"\t{name}.Handle(path{line})" for line in range(9)]
        code = "\n".join(lines)
        page += f"`{name}/main.go`\n\n```go\n{code}\n```\n\nResults\n\n{fenced(at)}\n"
    assert labels(page, "heading") == ["kiwi/main.go", "emu/main.go"]


@each_case("key", ["Database state", "Размер базы", "状态"])
def test_what_is_behind_a_key_for_a_state_is_no_server(key: str) -> None:
    page = "\n".join(f"#### {key}: {state}\n\n{fenced(at)}" for at, state in enumerate(("brask", "quelp")))
    assert labels(page, "framework") == [None, None]
    assert labels(page, "heading") == ["brask", "quelp"]


@pytest.mark.parametrize("end", ["}'", "  }\n}'", "}' -t2"])
def test_the_data_of_a_request_may_have_several_lines(end: str) -> None:
    first = "wrk -c10 -d10s -H 'Content-Type: application/json' --data '{"
    page = f'```sh\n{first}\n  "id": 1,\n{end} http://127.0.0.1:8080/create\n```\n\n{fenced(1)}'
    assert labels(page, "command")[0] == " ".join(f'{first} "id": 1, {end} http://127.0.0.1:8080/create'.split())


def test_data_without_an_end_take_no_command_in() -> None:
    page = f"```\n$ curl -d '{{\n$ wrk -c10 -d10s http://127.0.0.1:8080/\n{report(1)}```\n"
    assert labels(page, "command") == ["wrk -c10 -d10s http://127.0.0.1:8080/"]


def test_a_line_that_counts_a_repeat_of_the_title_is_about_no_other_run() -> None:
    page = ""
    for at, name in enumerate(("kiwi", "emu")):
        page += f"First run of {name}:\n{report(at)}\nSecond run of {name}:\n{report(at + 10)}\n"
    assert labels(page, "framework") == ["kiwi", "kiwi", "emu", "emu"]
    assert labels(page, "heading") == [None] * 4


def test_a_condition_in_brackets_behind_a_name_loses_its_brackets() -> None:
    page = "".join(f"{name} ({state})\n{report(at)}\n" for at, (name, state) in enumerate(
        (name, state) for name in ("kiwi", "emu") for state in ("cold", "warm")))  # fmt: skip
    assert labels(page, "heading") == ["cold", "warm", "cold", "warm"]


def test_what_has_a_size_is_no_part_of_a_name() -> None:
    titles = [f"### {name}, {size} KB response" for name in ("kiwi", "emu") for size in (1, 10)]
    page = "".join(f"{title}\n{report(at)}\n" for at, title in enumerate(titles))
    assert labels(page, "framework") == ["kiwi", "kiwi", "emu", "emu"]
    assert labels(page, "payload") == ["1kb", "10kb", "1kb", "10kb"]


def test_the_folder_of_all_files_above_their_reports_is_no_part_of_names() -> None:
    page = "".join(f"results/{name}.txt:\n{report(at)}\n" for at, name in enumerate(("kiwi", "emu")))
    assert labels(page, "framework") == ["kiwi", "emu"]


def test_the_row_of_a_wide_table_above_a_run_does_not_describe_it() -> None:
    table = "| threads | connections | mean | rate | errors |\n| -- | -- | -- | -- | -- |\n| 1 | 100 | 4.6k | 4571 | none |\n"
    page = f"The image of last week.\n\n{table}\n{report(1)}\nThe image of today, rebuilt.\n\n{table}\n{report(2)}"
    assert all("|" not in (heading or "") for heading in labels(page, "heading"))
    assert len(set(labels(page, "heading"))) == 2


@each_case("front", ["<td><pre>", "<td> <pre>", "  <td> <pre>"])
def test_a_cell_is_counted_once_however_its_report_begins(front: str) -> None:
    page = "<table>\n<tr><th>kiwi</th><th>emu</th></tr>\n<tr>\n"
    page += "\n".join(f"{front}{report(at).strip()}</pre></td>" for at in (1, 2)) + "\n</tr></table>\n"
    assert labels(page, "framework") == ["kiwi", "emu"]


def test_a_condition_behind_a_known_name_is_none_of_the_name() -> None:
    titles = [f"### {name} ({state})" for name in ("kiwi", "nginx") for state in ("cold", "warm")]
    page = "".join(f"{title}\n{report(at)}\n" for at, title in enumerate(titles))
    assert labels(page, "framework") == ["kiwi", "kiwi", "nginx", "nginx"]
    assert labels(page, "heading") == ["cold", "warm", "cold", "warm"]


@each_case("key", ["Load balancer", "Date service", "State machine", "Time server"])
def test_a_key_for_a_thing_names_servers(key: str) -> None:
    page = "\n".join(f"#### {key}: {name}\n\n{fenced(at)}" for at, name in enumerate(("brask", "quelp")))
    assert labels(page, "framework") == ["brask", "quelp"]


@each_case("last", ["Thanks", "Perfect", "Miller"])
def test_the_last_word_of_a_paragraph_without_a_colon_names_nothing(last: str) -> None:
    page = f"nginx\n{report(1)}\nemu\n{report(2)}\nWe then waited here for some time and\n{last}\n{report(3)}"
    assert labels(page, "framework") == ["nginx", "emu", None]


def test_loads_behind_a_name_are_no_part_of_it() -> None:
    page = ""
    for name in ("kiwi", "emu"):
        page += f"## {name} 100 and 200\n\n" + "".join(fenced(count, connections=count) for count in (100, 200))
    assert labels(page, "framework") == ["kiwi", "kiwi", "emu", "emu"]


def test_data_without_an_end_take_no_command_of_a_script_in() -> None:
    page = f"```sh\ncurl -d '{{\nwrk -c10 -d10s http://127.0.0.1:8080/\n```\n\n{fenced(1)}"
    assert labels(page, "command") == ["wrk -c10 -d10s http://127.0.0.1:8080/"]


def test_a_narrow_row_above_a_run_may_name_it() -> None:
    page = "".join(f"| {name} | c=64 | t=2 | p=1 |\n{report(at)}\n" for at, name in enumerate(("kiwi", "emu")))
    assert len(set(labels(page, "framework"))) == 2


def test_the_argument_of_a_server_may_be_a_word_for_a_signal() -> None:
    load = "$ wrk -t2 -c10 -d10s http://127.0.0.1:8080/\n"
    page = "".join(f"$ ./{name} graceful &\n{load}{report(at)}" for at, name in enumerate(("kiwi", "emu")))
    assert labels(page, "program") == ["kiwi", "emu"]


def test_a_number_in_a_name_stays_where_it_is() -> None:
    titles = ["brask", "quelp (pool of 10)", "quelp (pool of 50)"]
    page = "".join(f"### {title}\n{report(at)}\n" for at, title in enumerate(titles))
    assert labels(page, "framework") == titles
