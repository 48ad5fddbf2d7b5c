"""Names in pages that nobody chose for their form: numbers with blanks, results above runs, words beside commands.

The expected labels are read by eye from the text above each report.
"""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.context.test_names_in_pages import labels, report
from wrkparse.context.titles.titles import read_title

LOAD = "wrk -t2 -c10 -d10s http://127.0.0.1:8080/"


def page_of(*texts: str, fence: str = "```") -> str:
    return "# Notes\n\n" + "".join(f"{text}\n{fence}\n{report(at)}{fence}\n\n" for at, text in enumerate(texts))


@pytest.mark.parametrize(
    ("title", "name", "numbers", "rates"),
    [
        ("Kiwi with 100 / 10 000", "Kiwi", ("100", "10000"), ()),
        ("Kiwi 1 000 / 10 000", "Kiwi", ("1000", "10000"), ()),
        ("PUT, 15 500 rps", "PUT", (), (("rate", "15500"),)),
        ("PUT, 1 000 000 rps", "PUT", (), (("rate", "1000000"),)),
        ("Kiwi 8 100", "Kiwi 8", ("100",), ()),  # 8 workers and 100 connections, perhaps
    ],
)
def test_blanks_in_numbers_are_read(
    title: str, name: str, numbers: tuple[str, ...], rates: tuple[tuple[str, str], ...]
) -> None:
    read = read_title(title)
    assert (read.name, read.numbers, read.possible_settings) == (name, numbers, rates)


def test_brackets_of_a_setting_are_no_part_of_the_name() -> None:
    assert read_title("Normal scaling (1–3 pods)").name == "Normal scaling"


@pytest.mark.parametrize(
    "title",
    [
        "压力测试结果",
        "Testing instructions",
        "Perf test output",
        "平均 RT: ~13.91ms, QPS: ~72",
        "平均响应时间 2307.8 [ms]",
    ],
)
def test_words_of_documents_and_results_are_no_names(title: str) -> None:
    assert read_title(title).name == ""


@pytest.mark.parametrize("title", ["QPS: 500", "RT: 5 ms", "Sample", "perf", "stats", "[kiwi](kiwi.html)"])
def test_loads_and_single_words_tell_runs_apart(title: str) -> None:
    """People ask for round rates, and name a server *perf*; a link to a page is no figure."""
    assert read_title(title).name


def test_results_above_runs_name_nothing() -> None:
    page = page_of("平均 RT: ~13.91ms, QPS: ~72\n", "平均 RT: ~13.08ms, QPS: ~156\n")
    assert not {"framework", "heading"} & set(wp.parse_text(page).runs.columns)


def test_what_an_item_adds_to_the_one_above_is_its_name() -> None:
    item = "- HTTP server with 10 concurrent connections and 2 threads, on a single-threaded event loop of its own"
    page = page_of(item, f"{item}, with `Connection: close` header")
    assert labels(page, "heading")[1] == "Connection: close"
    assert "close" not in (labels(page, "heading")[0] or "")


@pytest.mark.parametrize("mark", ["> ", ""])
def test_words_in_front_of_a_command_as_code_are_the_title_of_its_run(mark: str) -> None:
    page = page_of(f"{mark}straight to kiwi `{LOAD}`", f"{mark}through the gateway `{LOAD}`")
    assert labels(page, "heading") == ["straight to kiwi", "through the gateway"]


def test_common_words_in_front_of_a_command_are_none() -> None:
    page = page_of(f"Result of `{LOAD}`", f"Output of `{LOAD}`")
    assert not {"framework", "heading"} & set(wp.parse_text(page).runs.columns)


def test_versions_alone_tell_runs_apart() -> None:
    assert labels(page_of("5.1:", "5.2:"), "heading") == ["5.1", "5.2"]
    assert labels(page_of("With 5.1:", "With 5.2:"), "framework") == ["With 5.1", "With 5.2"]


def test_links_to_figures_name_nothing() -> None:
    figures = (f"[flame/{name}.svg](https://host/flame/{name}.svg)\n" for name in ("one", "two"))
    assert not {"framework", "heading"} & set(wp.parse_text(page_of(*figures)).runs.columns)


def test_remarks_in_rows_of_csv_are_no_settings() -> None:
    rows = [("off", ""), ("on", ""), ("off", "a bit busy, they say"), ("on", "a bit busy")]
    page = "day,who,service,cache,notes,output\n"
    for at, (cache, note) in enumerate(rows):
        quoted = f'"{note}"' if "," in note else note
        page += f'2026-05-1{at // 2},Iris,kiwi,{cache},{quoted},"{report(at)}"\n'
    assert labels(page, "cache") == ["off", "on", "off", "on"]
    assert not {"notes", "who", "day"} & wp.parse_text(page).label_keys()


def test_a_sentence_in_front_of_a_quoted_report_is_no_row() -> None:
    assert labels(f'Well, he wrote, "{report()}"\n', "framework") == [None]


def test_a_setting_beside_a_stated_name_is_taken() -> None:
    assert read_title("service=kiwi, cache=off").settings == (("cache", "off"),)
