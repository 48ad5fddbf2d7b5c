"""Names as people write them in notes: in list items, comments, brackets, and below a heading that is a level too high.

The expected labels are read by eye from the text above each report.
"""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.context.test_names_beside_named_runs import fenced
from tests.context.test_names_in_pages import labels, report
from wrkparse.context.structure.names.name_kinds import contradicts
from wrkparse.context.titles.name_extraction import place_of_word
from wrkparse.context.titles.titles import read_title


def test_a_condition_that_touches_the_name_of_a_list_item_is_part_of_it() -> None:
    page = f"  * kiwi_server\n\n{fenced(1)}\n  * kiwi_server(with pool)\n\n{fenced(2)}\n  * emu\n\n{fenced(3)}"
    assert labels(page, "framework") == ["kiwi_server", "kiwi_server(with pool)", "emu"]


def test_results_between_a_list_item_and_its_run_distinguish_no_runs() -> None:
    items = {"Cluster (dev mode)": ("68k", "111k"), "Non cluster (dev mode)": ("61k", "70k")}
    page = "".join(
        f"- {item}\n\nMinimum `{least}`\nMaximum `{most}`\n\n{fenced(at)}\n"
        for at, (item, (least, most)) in enumerate(items.items())
    )
    assert labels(page, "heading") == list(items)


def test_a_prompt_of_the_home_directory_without_a_sign_begins_a_command() -> None:
    load = "wrk -c 10 -d 10 http://localhost:3000/a/1"
    page = (
        f"## Benchmarks\n\n*Kiwi*\n\n```\n~ {load}\n{report(1)}```\n\n*Emu*\n\n```\n\u279c  ~ {load}\n{report(2)}```\n"
    )
    assert labels(page, "framework") == ["Kiwi", "Emu"]


@pytest.mark.parametrize(
    ("text", "name", "settings"),
    [
        ("Kiwi (Threads: 0:5 | Forks: 0)", "Kiwi", {"forks": "0"}),
        ("Kiwi (Threads: 0:16 | Forks: 8)", "Kiwi", {"forks": "8"}),  # 0:16 is no time of day
        ("Kiwi (c=64, rps: 10100, errors: 0)", "Kiwi (rps, errors)", {}),
        ("Kiwi (Workers: 4, Forks: 2)", "Kiwi", {"workers": "4", "forks": "2"}),
        ("Kiwi (4 workers, net/http)", "Kiwi (net/http)", {"workers": "4"}),
        ("1. Kiwi :trophy:", "Kiwi", {}),
        ("Number 2 - Kiwi", "Kiwi", {}),
        ("Number 10: Kiwi", "Kiwi", {}),
    ],
)
def test_a_title_says(text: str, name: str, settings: dict[str, str]) -> None:
    read = read_title(text)
    assert read.name == name
    assert {key: value for key, value in read.settings if value} == settings


def test_comments_of_code_with_two_slashes_are_no_calls_of_a_script() -> None:
    """The lines were compared as calls of the script ``//``, whose arguments "put to" and "get from" differ."""
    load = "C:\\b>wrk -t2 -c10 -d10s http://localhost/"
    page = (
        f"// put messages to queue\n\n{load}\n{report(1)}\n=====\n\n// get messages from queue\n\n{load}\n{report(2)}"
    )
    assert labels(page, "heading") == ["put", "get"]


def test_path_is_a_word_of_a_name_unless_the_path_is_behind_it() -> None:
    kinds = {"latte path based routing": "/latte", "tea header based routing": "/tea", "milk query based routing": "/m"}
    page = "".join(f"## Running {kind}\n\n{fenced(at, path=path)}\n" for at, (kind, path) in enumerate(kinds.items()))
    assert labels(page, "framework") == ["path based routing", "header based routing", "milk query based routing"]
    page = "".join(f"## kiwi path {path}\n\n{fenced(at, path=path)}\n" for at, path in enumerate(("/latte", "/tea")))
    assert labels(page, "heading") == [None, None]


def test_a_sentence_in_another_script_names_nothing_beside_latin_names() -> None:
    page = f"stage-3:\n{fenced(1)}\nstage-4b:\n{fenced(2)}\nemu:\n{fenced(3)}\nБудем профилировать на 20k rps:\n{fenced(4)}"
    assert "Будем профилировать" not in labels(page, "framework")


def test_a_heading_a_level_too_high_is_one_of_those_that_begin_alike() -> None:
    page = f"### Raw data\n\n#### loader -> kiwi\n\n{fenced(1)}\n#### loader -> emu\n\n{fenced(2)}\n### loader -> moa\n\n{fenced(3)}"
    assert labels(page, "framework") == ["loader -> kiwi", "loader -> emu", "loader -> moa"]


def test_a_heading_that_begins_otherwise_is_none_of_those_below_the_heading_before() -> None:
    page = f"### Kiwi\n\n#### with pool\n\n{fenced(1)}\n#### with cache\n\n{fenced(2)}\n### Moa\n\n{fenced(3)}"
    assert labels(page, "framework")[-1] == "Moa"
    assert labels(page, "framework")[:2] != ["with pool", "with cache"]


AUTOCANNON = """\
Running 5s test @ http://127.0.0.1:3000
100 connections with 10 pipelining factor

Stat    2.5% 50%  97.5%  99%    Avg     Stdev    Max
Latency 0 ms 0 ms 105 ms 121 ms 4.42 ms 22.51 ms 255.63 ms

Stat      1%      2.5%    50%     97.5%   Avg     Stdev  Min
Req/Sec   18655   18655   22783   23295   22113.6 1755.8 18641
Bytes/Sec 4.07 MB 4.07 MB 4.97 MB 5.08 MB 4.82 MB 383 kB 4.06 MB

Req/Bytes counts sampled once per second.

111k requests in 5s, 24.1 MB read
"""


@pytest.mark.parametrize(
    "result", ["Minimum `68k`\n", "Minimum is 68k\nMaximum is 111k\n", "We got this far.\nIt took a day.\n"]
)
def test_lines_above_a_report_of_autocannon_name_it_though_its_first_line_is_one_of_wrk(result: str) -> None:
    page = "".join(f"- {name}\n\n{result}\n```\n{AUTOCANNON}```\n\n" for name in ("Kiwi (dev)", "Emu (dev)"))
    found = labels(page, "framework")
    assert (found if any(found) else labels(page, "heading")) == ["Kiwi (dev)", "Emu (dev)"]


def test_a_heading_with_a_result_below_it_may_be_a_level_too_high() -> None:
    page = "".join(
        f"{level} loader -> {name}\n\n<details><summary>3 runs, {1000 * (at + 1)} requests/s</summary>\n\n{fenced(at)}</details>\n\n"
        for at, (level, name) in enumerate((("####", "kiwi"), ("####", "emu"), ("###", "moa")))
    )
    assert labels(f"### Raw data\n\n{page}", "framework") == ["loader -> kiwi", "loader -> emu", "loader -> moa"]


def test_text_behind_a_command_in_a_sentence_leads_in_to_the_run_below() -> None:
    load = "wrk -t2 -c10 -d10s https://localhost:5443/"
    page = (
        f"Let's see what happens with `{load}`, first on .NET 6:\n\n{fenced(1)}\nthen again on .NET 7:\n\n{fenced(2)}"
    )
    assert labels(page, "heading") == [".NET 6", ".NET 7"]


@pytest.mark.parametrize(
    ("titles", "key", "expected"),
    [
        (("Kiwi 6", "Kiwi 7"), "heading", ["Kiwi 6", "Kiwi 7"]),
        (("Kiwi 1", "Kiwi 2"), "heading", [None, None]),  # repeats
        (("Kiwi 6", "Emu 7"), "framework", ["Kiwi", "Emu"]),
        (("Kiwi 60", "Kiwi 70"), "heading", ["60", "70"]),  # no versions: the number may be anything
    ],
)
def test_versions_of_one_name_stay_beside_it(titles: tuple[str, ...], key: str, expected: list[str | None]) -> None:
    page = "\n".join(f"## {title}\n\n{fenced(at)}" for at, title in enumerate(titles))
    assert labels(page, key) == expected


@pytest.mark.parametrize("quantities", [("10 ms", "20 ms"), ("1 KB", "64 KB")])
def test_a_quantity_behind_a_key_is_no_name_of_a_server(quantities: tuple[str, str]) -> None:
    page = "\n".join(f"Delay: {quantity}\n{fenced(at)}" for at, quantity in enumerate(quantities))
    assert labels(page, "framework") == [None, None]
    assert wp.compare(wp.parse_text(page)).sentences


def test_a_path_word_is_part_of_a_name_in_whose_place_another_has_its_own_word() -> None:
    kinds = {"Kiwi Light Endpoint": "/hello", "Kiwi Heavy Endpoint": "/heavy"}
    page = "".join(f"### {kind}\n\n{fenced(at, path=path)}\n" for at, (kind, path) in enumerate(kinds.items()))
    found = labels(page, "framework")
    assert (found if any(found) else labels(page, "heading")) == list(kinds)


def test_a_known_name_in_the_last_line_of_a_paragraph_is_a_title_as_the_others() -> None:
    page = f"It was slow,\nas it was before\nExpress\n{fenced(1)}Koa 1\n{fenced(2)}Koa 2\n{fenced(3)}"
    assert labels(page, "framework") == ["Express", "Koa 1", "Koa 2"]
    page = f"It was slow,\nas it was before\n{fenced(1)}Koa 1\n{fenced(2)}Koa 2\n{fenced(3)}"
    assert labels(page, "framework") == [None, "Koa 1", "Koa 2"]


def test_a_heading_has_only_the_letters_of_the_one_above_if_it_has_its_word() -> None:
    names = {"C": ["civet2", "crowd"], "Zig": ["zigzag", "zap9"], "Go": ["gozilla", "gobbler"]}
    page = "".join(
        f"## {language}\n\n" + "".join(f"### {name}\n\n{fenced(at)}\n" for at, name in enumerate(of_one))
        for language, of_one in names.items()
    )
    assert labels(page, "framework") == ["civet2", "crowd", "zigzag", "zap9", "gozilla", "gobbler"]


@pytest.mark.parametrize(
    ("word", "text", "place"),
    [
        ("go", "gozilla", None),
        ("go", "cargo", None),
        ("Go", "GoKiwi", 0),
        ("go", "golang", 0),
        ("node", "nodejs-cluster", 0),
        ("kiwi", "kiwi2", 0),
        ("Kiwi", "myKiwi", 2),
        ("kiwi", "kiwi测试", 0),
        ("go", "gozilla-go", 8),
        ("", "kiwi", None),
    ],
)
def test_a_word_is_in_a_text_unless_its_letters_are_of_another_word(word: str, text: str, place: int | None) -> None:
    assert place_of_word(word, text) == place


WARM_UPS = [
    "warm-up (ignored)",
    "Aufwärmen (30s)",
    "прогрев",
    "Aufwärmen",
    "chauffe",
    "calentamiento",
    "预热",
    "ウォームアップ",
    "priming the cache",
]


@pytest.mark.parametrize("title", WARM_UPS)
def test_a_warm_up_may_be_called_so_in_other_languages(title: str) -> None:
    page = "".join(
        f"--- {name} ---\n{title}:\n{report(number)}\nmeasured:\n{report(number + 1)}\n{report(number + 2)}\n"
        for number, name in ((1, "kiwi"), (5, "emu"))
    )
    assert labels(page, "framework") == ["kiwi"] * 3 + ["emu"] * 3
    assert labels(page, "phase") == ["warm-up", None, None] * 2


def test_an_opinion_on_a_result_names_no_run() -> None:
    page = f"v3.1.4:\n{fenced(1)}\nv3.2.0:\n{fenced(2)}\nTried it, much better:\n{fenced(3)}"
    assert labels(page, "framework") == ["v3.1.4", "v3.2.0", None]


def test_a_repeat_behind_a_command_has_the_remark_that_it_repeats() -> None:
    load = "$ wrk -t2 -c10 -d10s http://localhost/"
    remarks = ["old image", "new image", "new image, again"]
    page = "".join(f"{load}   # {remark}\n{report(at)}\n" for at, remark in enumerate(remarks))
    assert labels(page, "heading") == ["old image", "new image", "new image"]


@pytest.mark.parametrize(
    ("above", "below"), [("Test nginx", "Test apache"), ("kiwi", "with nothing"), ("Results nginx", "Results of moa")]
)
def test_a_heading_beside_one_that_names_its_runs_is_not_a_level_too_high(above: str, below: str) -> None:
    word = below.split(maxsplit=1)[0]
    page = f"## {above}\n\n### {word} pool\n\n{fenced(1)}\n### {word} cache\n\n{fenced(2)}\n## {below}\n\n{fenced(3)}"
    assert len({tuple(pair) for pair in zip(labels(page, "framework"), labels(page, "heading"), strict=True)}) == 3


def test_words_of_paths_are_kept_in_all_names_or_in_none() -> None:
    kinds = {"kiwi users": "/users", "kiwi orders": "/orders", "kiwi items": "/items"}
    page = "".join(f"## {kind}\n\n{fenced(at, path=path)}\n" for at, (kind, path) in enumerate(kinds.items()))
    assert len(set(labels(page, "framework"))) == 1


@pytest.mark.parametrize("text", ["which prints", "(see below for the output)"])
def test_other_text_behind_a_command_in_a_sentence_names_nothing(text: str) -> None:
    page = f"We ran `wrk -t2 -c10 -d10s http://localhost/`, {text}:\n\n{fenced(1)}\nNow emu:\n\n{fenced(2)}"
    assert labels(page, "framework")[0] is None
    assert labels(page, "heading")[0] is None


def test_the_name_of_a_language_glued_to_a_framework_contradicts_it_only_if_it_is_short() -> None:
    assert [contradicts(*pair) for pair in (("gofiber", "fiber"), ("actixweb", "actix"), ("gozilla", "go"))] == [
        False,
        False,
        True,
    ]
    assert place_of_word("fiber", "gofiber") == 2
    assert place_of_word("İa", "İa b") == 0
