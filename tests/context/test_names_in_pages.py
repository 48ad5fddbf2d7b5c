"""Names that pages give in ways of their own: sentences, words for loads, brackets, paths and headings of files.

The expected labels are read by eye from the text above each report.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp
from tests.context.test_strangers import WRK


def report(number: int = 0, *, connections: int = 10, path: str = "/") -> str:
    text = WRK.replace("8080/", f"8080{path}").replace("10 connections", f"{connections} connections")
    return text.format(requests=10 * (1000 + number), rate=1000 + number)


def labels(page: str, key: str) -> list[str | None]:
    """The labels of the runs of a page, by line."""
    runs = wp.parse_text(page, source="x.md").runs.sort_values("line")
    column = runs[key].dropna() if key in runs else runs["line"].head(0)
    texts = {at: value if isinstance(value, str) else f"{value:g}" for at, value in column.items()}
    return [texts.get(at) for at in runs.index]


def test_sentences_of_several_patterns_name_the_run_below_each() -> None:
    """No sentence is about the run below the next one, whatever their patterns are."""
    patterns = (
        "@ana sent a patch that adds {} here, and this is the result.",
        "@bo opened a request for {} yesterday.",
    )
    names = ["kiwi", "emu", "wren", "moss", "fern", "rhea"]
    said = [patterns[at % 2].format(name) for at, name in enumerate(names)]
    page = "\n".join(f"{sentence}\n\n{report(at)}" for at, sentence in enumerate(said))
    assert labels(page, "heading") == names
    assert set(labels(page, "heading_2")) == {None}


@pytest.mark.parametrize("words", ["время 60 потоков 2 соединений {}", "60 Sekunden mit {} Verbindungen"])
def test_numbers_of_the_report_beside_a_number_that_all_titles_have_name_nothing(words: str) -> None:
    page = ""
    for name in ("ohne Puffer", "mit Puffer"):
        page += f"## {name}\n\n"
        for count in (10, 50):
            page += f"### {words.format(count)}\n\n{report(count, connections=count)}\n"
    assert labels(page, "framework") == ["ohne Puffer", "ohne Puffer", "mit Puffer", "mit Puffer"]


def test_brackets_behind_names_are_their_second_half() -> None:
    titles = ["Kiwi-Pool (keep-alive)", "Kiwi-Pool (close)", "Emu-Pool (keep-alive)", "Emu-Pool (close)"]
    page = "\n".join(f"### {title}\n\n{report(at)}" for at, title in enumerate(titles))
    assert labels(page, "framework") == ["Kiwi-Pool", "Kiwi-Pool", "Emu-Pool", "Emu-Pool"]
    assert labels(page, "heading") == ["keep-alive", "close", "keep-alive", "close"]


def test_a_baseline_beside_a_request_is_a_request() -> None:
    page = f"# baseline: /\n\n{report(1)}\n# query: /users/all\n\n{report(2, path='/users/all')}"
    assert labels(page, "framework") == [None, None]


def test_known_and_unknown_names_are_split_alike() -> None:
    times = "\nreal\t0m0.{0}s\nuser\t0m0.{0}s\nsys\t0m0.000s\n"
    names = ("moss/fib", "moss/sum", "fern/fib", "go/fib", "rust/fib")
    page = "".join(f"{name}\n{times.format(100 + at)}\n" for at, name in enumerate(names))
    assert labels(page, "framework") == ["moss", "moss", "fern", "go", "rust"]


def test_a_heading_in_one_of_many_files_does_not_hide_the_name_of_its_file(tmp_path: Path) -> None:
    """The line is a comment of a template in the middle of a program."""
    for at, name in enumerate(("kiwi", "emu", "wren", "moss")):
        inside = "## this is a comment of the template itself\n\n" if at == 0 else ""
        (tmp_path / f"{name}.txt").write_text(inside + report(at))
    runs = wp.read(str(tmp_path)).runs
    assert sorted(runs["framework"]) == ["emu", "kiwi", "moss", "wren"]


@pytest.mark.parametrize(("words", "rates"), [("38{}42 req/sec", [None] * 2), ("2{}000 req/sec", ["21000", "27000"])])
def test_a_rate_of_many_digits_was_measured(words: str, rates: list[str | None]) -> None:
    page = ""
    for name, digit in (("Kiwi", 1), ("Emu", 7)):
        page += f"# {name}\n**box3 {words.format(digit)}**\n\n```\n$ gunicorn app:{name}\n{report(digit)}```\n\n"
    assert labels(page, "rate") == rates


def test_headings_without_a_blank_and_with_their_results_are_names() -> None:
    """Pages from before CommonMark have such headings; text below one ended the title that it was."""
    names = ("Async", "Kiwi (pooled)", "Emu")
    page = "#Results\n##Big box (2GHz i7)\n" + "".join(
        f"###{name}: {10 + at}k/sec\n\nIt is as it is, and we ran it.\n\n{report(at)}\n"
        for at, name in enumerate(names)
    )
    assert labels(page, "framework") == list(names)
    assert set(labels(page, "heading")) == {None}


@pytest.mark.parametrize("blank", ["", "\n"])
def test_a_title_without_a_blank_above_a_heading_begins_a_section(blank: str) -> None:
    """The runs before and after were repeats."""
    page = f"# Load before\n\n## PUT\n\n{report(1)}\nWe changed it.\n\n#Load after\n{blank}## PUT\n\n{report(2)}"
    assert labels(page, "section") == ["Load before > PUT", "Load after > PUT"]
    assert labels(page, "framework") == ["Load before", "Load after"]


def test_a_lone_title_without_a_blank_is_a_heading_if_another_is() -> None:
    page = f"#Kiwi\n##PUT\n\n{report(1)}\n#Emu\n\nWe changed it, and ran it.\n\n{report(2)}"
    assert labels(page, "section") == ["Kiwi > PUT", "Emu"]
    assert labels("#kiwi\n\nWe ran it.\n\n" + report(1), "section") == [None]  # a topic


def test_the_last_sentence_of_a_long_paragraph_is_about_the_run_below() -> None:
    """Its first characters are about the run above; the two runs below one heading were repeats."""
    told = "That is much faster, even though the answer has a header more, because it has fewer bytes in its body. "
    page = f"## Kiwi\n\n{report(1)}\n## Emu\n\n{report(2)}\n{told}With a longer body of the answer:\n\n{report(3)}"
    assert labels(page, "framework") == ["Kiwi", "Emu", "Emu"]
    assert labels(page, "heading") == [None, None, "With a longer body of the answer"]


def test_comments_that_recur_below_headings_of_one_size_are_compared() -> None:
    """The headings differ in a number of characters alone, so they are no names; the addresses differ, too."""
    page = ""
    for size in (100, 4096, 65536):
        page += f"#### Answers with {size} characters\n\n```\n"
        for name, path in (("direct to app", f"/a?n={size}"), ("gateway", f"/g/a?n={size}")):
            page += f"# {name}\n$ wrk -t4 -c10 'http://127.0.0.1:8080{path}'\n{report(size, path=path)}\n"
        page += "```\n\n"
    assert labels(page, "characters") == ["100", "100", "4096", "4096", "65536", "65536"]
    assert labels(page, "heading") == ["direct to app", "gateway"] * 3
    assert labels(page, "framework") == [None] * 6


def test_a_name_may_say_what_it_is_using() -> None:
    page = f"## Kiwi - server\n\n{report(1)}\n## Kiwi - server using workers\n\n{report(2)}"
    assert labels(page, "framework") == ["Kiwi - server", "Kiwi - server using workers"]


def test_settings_do_not_make_a_comment_too_long_for_a_title() -> None:
    comment = "# the service with its own settings (HTTP_THREADS_COUNT={0}, HTTP_QUEUE_CAPACITY={0}0)\n"
    page = "".join(f"{comment.format(count)}wrk -c10 http://127.0.0.1:8080/\n{report(count)}\n" for count in (1, 8))
    assert labels(f"```\n{page}```\n", "env_HTTP_THREADS_COUNT") == ["1", "8"]


@pytest.mark.parametrize("form", ["`{}`:", "{}:", "{}"])
def test_a_line_above_the_command_in_a_fence_names_the_output_in_the_next_fence(form: str) -> None:
    names = ["kiwi/web", "emu", "rhea"]
    command = "```bash\nwrk -t2 -c10 http://127.0.0.1:8080/\n```\n\n"
    page = "".join(f"{form.format(name)}\n\n{command}```\n{report(at)}```\n\n" for at, name in enumerate(names))
    assert labels(f"# Servers\n\nAll were measured.\n\n{page}", "framework") == names


def test_a_line_above_a_fence_of_code_does_not_name_the_run_in_the_next_fence() -> None:
    code = "```\nx = 1\ny = 2\n```\n\n"
    page = "".join(f"{name}:\n\n{code}```\n{report(at)}```\n\n" for at, name in enumerate(("kiwi", "emu")))
    assert labels(page, "title") == [None, None]


def test_the_title_of_a_page_names_all_of_its_runs_or_none() -> None:
    """The second heading has words that may be a name; only the first run had the framework."""
    page = f"# Async Rust HTTP Server\n\n## wrk load testing\n\n{report(1)}\n## wrk after keep-alive\n\n{report(2)}"
    assert labels(page, "framework") == ["Async Rust HTTP Server"] * 2
    other = page.replace("Async Rust HTTP Server", "Notes")
    assert labels(other, "framework") == [None, None]


def test_headings_with_a_dash_are_read_alike() -> None:
    """The words behind the dash of the second and the fourth are unknown: their frameworks were Python and Java."""
    names = ["PHP — Swoole 6.2", "Python — FastAPI + Granian", "Java — Netty", "Java — Netty + Zorin Native"]
    page = "".join(f"## {name} (port {8080 + at})\n\n{report(at)}\n" for at, name in enumerate(names))
    assert labels(page, "framework") == names


def test_a_name_before_a_dash_may_be_followed_by_a_description() -> None:
    page = f"## Java — the old one of us\n\n{report(1)}\n## Rust — a rewrite by the team\n\n{report(2)}"
    assert labels(page, "framework") == ["Java", "Rust"]


def test_names_that_all_begin_with_an_article_lose_it() -> None:
    page = "".join(f"### The {name} server\n\n{report(at)}\n" for at, name in enumerate(("kiwi", "emu", "rhea")))
    assert labels(page, "framework") == ["kiwi server", "emu server", "rhea server"]


@pytest.mark.parametrize("form", ['echo "{}"', "echo '{}'", "# npm run {}", "# yarn run bench:{}"])
def test_commands_that_print_or_start_a_name_are_no_part_of_it(form: str) -> None:
    names = ["kiwi", "emu", "rhea"]
    page = "```\n" + "\n".join(f"{form.format(name)}\n{report(at)}" for at, name in enumerate(names)) + "```\n"
    assert labels(page, "framework") == names


@pytest.mark.parametrize("flag", ["--num-workers", "--workers"])
def test_flags_in_headings_that_count_workers_are_settings(flag: str) -> None:
    page = "".join(f"## kiwi {flag}={count}\n\n{report(count)}\n" for count in (2, 8))
    assert labels(page, "workers") == ["2", "8"]


def test_headings_that_explain_how_something_is_done_name_nothing() -> None:
    page = f"## 如何开启打印信息\n\n{report(1)}\n## 系统内存回收\n\n{report(2)}"
    assert labels(page, "framework") == [None, None]


@pytest.mark.parametrize("form", ["./{} {}", "node {}.js {}", "./{} --port {}"])
def test_the_last_number_of_a_command_may_be_the_port_of_its_server(form: str) -> None:
    """Both runs had the arguments of the last server, and no name."""
    servers = {8081: "kiwi", 8082: "emu"}
    started = "".join(f"$ {form.format(name, port)} &\n" for port, name in servers.items())
    loads = "".join(f"$ wrk -c10 http://127.0.0.1:{port}/\n{report(port)}" for port in servers)
    page = f"```\n{started}{loads}```\n".replace("8080/", "8081/", 1).replace("8080/", "8082/", 1)
    assert labels(page, "framework") == ["kiwi", "emu"]


def test_a_number_that_no_load_has_as_its_port_chooses_no_server() -> None:
    page = f"```\n$ ./kiwi 5000 &\n$ ./emu 6000 &\n$ wrk -c10 http://127.0.0.1:8080/\n{report(1)}```\n"
    assert labels(page, "arguments") == ["6000"]


@pytest.mark.parametrize("before", ["Sure. ", "Good idea! ", "That took a while. "])
def test_a_sentence_before_a_title_in_its_line_is_no_part_of_it(before: str) -> None:
    page = f"{before}Without the patch:\n\n```\n{report(1)}```\n\nWith the patch:\n\n```\n{report(2)}```\n"
    assert labels(page, "title") == ["Without the patch", "With the patch"]


@pytest.mark.parametrize("name", ["Dr. Emu", "Node.js Express"])
def test_a_full_stop_in_a_name_ends_no_sentence(name: str) -> None:
    page = f"{name}:\n\n```\n{report(1)}```\n\nRhea:\n\n```\n{report(2)}```\n"
    assert labels(page, "title") == [name, "Rhea"]


@pytest.mark.parametrize("pair", [("kiwi 🚀", "kiwi 🐢"), ("🐍 kiwi", "🦀 kiwi"), ("🚀", "🐢"), ("kiwi +", "kiwi -")])
def test_headings_that_differ_only_in_emoji_or_signs_are_not_repeats(pair: tuple[str, str]) -> None:
    """Their runs were pooled: two at 10 and two at 100 connections."""
    page = "".join(f"## {name}\n\n{report(1)}\n{report(2, connections=100)}\n" for name in pair)
    assert labels(page, "heading") == [pair[0], pair[0], pair[1], pair[1]]


def test_the_same_emoji_below_one_heading_are_repeats() -> None:
    page = "".join(f"## kiwi 🚀\n\n{report(number)}\n" for number in (1, 2))
    assert labels(page, "heading") == [None, None]


def test_sizes_that_a_server_used_are_no_settings() -> None:
    def page(*sizes: int) -> str:
        found = zip(("Kiwi", "Emu", "Moa"), sizes, strict=True)
        return "".join(f"## {name}\n\nMax RAM: {size} MB\n\n{report(size)}\n" for name, size in found)

    assert labels(page(276, 231, 22), "payload") == [None] * 3
    assert labels(page(64, 128, 200), "payload") == ["64mb", "128mb", "200mb"]  # those may be payloads
    assert labels(page(50, 1500, 2500), "payload") == ["50mb", "1500mb", "2500mb"]
    assert labels(page(50, 1500, 2510), "payload") == [None] * 3


def test_a_word_of_the_path_and_its_plural_are_cut_alike() -> None:
    page = ""
    for name in ("Kiwi", "Emu"):
        page += f"# {name}\n## Single user test\n\n{report(1, path='/user/getOne')}\n"
        page += f"## All user{'s' * (name == 'Emu')} test\n\n{report(2, path='/user/getAll')}\n"
    assert labels(page, "heading") == ["Single", "All"] * 2


def test_what_go_prints_above_messages_of_the_compiler_names_nothing() -> None:
    """``go run`` calls the files that it is given so. It ends the part of the package above, such as ``# os``."""
    page = f"# os\n{report(1)}# command-line-arguments\n{report(2)}"
    assert labels(page, "section") == ["os", "command-line-arguments"]
    page = f"{report(1)}# command-line-arguments\n{report(2)}"
    assert labels(page, "heading") == labels(page, "framework") == [None, None]
