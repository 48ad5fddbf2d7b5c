"""What lines near runs say of them: which run they are about, and up to which one they hold.

``@`` is a report of wrk, as in `tests.context.test_strangers`.
"""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.context.test_strangers import named, written


def labels(page: str, *keys: str) -> list[tuple[str | None, ...]]:
    """The labels of some keys of each run, in order."""
    runs = wp.parse_text(written(page), source="x.md").runs.sort_values("line")
    columns = [runs[key].tolist() if key in runs else [None] * len(runs) for key in keys]
    return [tuple(one if isinstance(one, str) else None for one in row) for row in zip(*columns, strict=True)]


@pytest.mark.parametrize(
    "result",
    [
        "Number of Errors:       0",
        "Errors: 0",
        "Heap used: 81.34 MB\nGen 0: 17, Gen 1: 3",
        "CPU used:   45.2%\nRSS:   41 MB",
        "\nAllocated: 52.68 MB",
    ],
)
def test_a_result_directly_below_a_report_is_about_no_other_run(result: str) -> None:
    page = f"brask\n@\n{result}\n@\n{result}\nquenlo\n@\n{result}\n@\n{result}"
    assert labels(page, "framework", "heading") == [("brask", None)] * 2 + [("quenlo", None)] * 2


@pytest.mark.parametrize("setting", ["Delay:  {} ms", "pool: {}", "connections:   {}"])
def test_a_number_that_is_above_the_runs_is_their_setting(setting: str) -> None:
    first, second = labels("".join(f"{setting.format(n)}\n@\n" for n in (10, 20)), "framework", "heading")
    assert first != second


def test_a_line_inside_a_report_is_not_above_the_next_run() -> None:
    page = written("Testing brask\n@\n@\nTesting quenlo\n@\n@").replace(
        "  2 threads", "  1 task(s) running concurrently\n  2 threads", 3
    )
    runs = wp.parse_text(page).runs.sort_values("line")
    assert runs["framework"].tolist() == ["brask", "brask", "quenlo", "quenlo"]
    assert "heading" not in runs


def test_a_name_with_the_date_of_its_build_is_a_name() -> None:
    name = "simple-benchmark:{}-20240216 with 38f87854709089e46e4b90fb8b0134927fefc087b683174f4ede96de27a18e32"
    page = "".join(f"Benchmarking {name.format(it)}\n\n@\n@\n" for it in ("brask-aot", "quenlo-jit"))
    assert named(page) == ["brask-aot"] * 2 + ["quenlo-jit"] * 2


@pytest.mark.parametrize(
    ("page", "headings"),
    [
        # The headings give one name and one number of workers, in other words.
        ("## brask (17 worker processes)\n@\n## brask (17 worker threads)\n@",
         ["brask (17 worker processes)", "brask (17 worker threads)"]),
        ("## brask (17 workers)\n@\n## brask with 17 workers\n@", [None, None]),
        ("## brask\n@\n## brask with 10 connections\n@", [None, None]),
        ("## brask 8 cores, morning\n@\n## brask 8 cores, evening\n@", [None, None]),
        # A remark behind a command is about this command; repeats and exclamations are none.
        ("```\n$ wrk http://h/ # redis pool 10\n@\n$ wrk http://h/ # redis pool 1000\n@\n```",
         ["redis pool 10", "redis pool 1000"]),
        ("```\n$ wrk http://h/ (pool off)\n@\n$ wrk http://h/  // pool on\n@\n```", ["pool off", "pool on"]),
        ("```\n$ wrk http://h/ # run 1\n@\n$ wrk http://h/ # run 2\n@\n```", [None, None]),
        ("```\n$ wrk http://h/ # 10 connections\n@\n$ wrk http://h/ # hmm, noisy\n@\n```", [None, None]),
    ],
)  # fmt: skip
def test_headings_and_remarks_that_differ_part_runs(page: str, headings: list[str | None]) -> None:
    assert labels(page, "heading") == [(heading,) for heading in headings]


def test_names_behind_commands_are_frameworks() -> None:
    assert named("$ wrk http://h/ (brask)\n@\n$ wrk http://h/ (quenlo)\n@") == ["brask", "quenlo"]


def test_a_bracket_behind_a_command_is_no_argument() -> None:
    page = "```\nwrk -c 10 -d 10 （此时redis pool是{}）\n\n@\n```\n"
    runs = wp.parse_text(written(page.format(10) + page.format(1000)), source="x.md").runs.sort_values("line")
    assert runs["url"].tolist() == ["http://127.0.0.1:8080/"] * 2
    assert runs["heading"].tolist() == ["此时redis pool是10", "此时redis pool是1000"]


def test_a_setting_alone_in_a_line_holds_until_its_key_comes_again() -> None:
    part = "pool={}\n10 connections:\n@\n\n10 connections:\n@\n"
    section = f"{part.format(1)}\n{part.format(3)}\n"
    assert labels(f"## brask\n{section}## quenlo\n{section}", "framework", "pool") == [
        (name, pool) for name in ("brask", "quenlo") for pool in ("1", "1", "3", "3")
    ]


def test_a_setting_that_is_not_above_the_first_run_may_be_a_result() -> None:
    assert labels("@\nrps=1\n@\nrps=3\n@\nrps=4", "rps") == [(None,)] * 3


@pytest.mark.parametrize(
    ("page", "names"),
    [
        # The names of headings of two levels, each directly above its runs.
        ("## zork\n@\n### brask\n@\n### quenlo\n@\n## heron\n@\n## kiwi\n@", ["zork", "brask", "quenlo", "heron", "kiwi"]),
        (("# Go\n## gin\n@\n## [Brask](http://b/) v2\n@\n# [Node](http://n/) v10\n@\n"
          "## [Koa](http://k/) v2\n@\n## [Express](http://e/) v4\n@\n## [Quenlo](http://q/) v3\n@"),
         ["gin", "Brask v2", "Node v10", "Koa v2", "Express v4", "Quenlo v3"]),
        # One heading is no name by itself.
        (("# Results\n## gin\n@\n## golang 1.13 serve static file on disk\n@\n# Rust\n## Actix\n@\n## Brask 0.4 + debug\n@"),
         ["gin", "golang 1.13 serve static file on disk", "Actix", "Brask 0.4 + debug"]),
        # Conditions are no names.
        ("# Rust\n## Actix\n@\n## keep-alive off\n@\n# Go\n## gin\n@", ["Actix", "Rust", "gin"]),
        ("## Overview\n@\n## Details\n### brask\n@\n### quenlo\n@", [None, "brask", "quenlo"]),
    ],
)  # fmt: skip
def test_the_headings_directly_above_runs_name_them(page: str, names: list[str | None]) -> None:
    assert named(page, "x.md") == names


@pytest.mark.parametrize(
    ("page", "names"),
    [
        # The second name is a level too deep, as its parts show.
        ("# brask\n## GET\n@\n## PUT\n@\n## quenlo\n### GET\n@\n### PUT\n@", ["brask"] * 2 + ["quenlo"] * 2),
        ("# Without pool\n## c=10\n@\n## c=10, tls\n@\n## With pool\n### c=10\n@\n### c=10, tls\n@",
         ["Without pool"] * 2 + ["With pool"] * 2),
        # A part of each name.
        ("# redis\n## GET\n@\n## Pipelined\n### GET\n@\n# heron\n## GET\n@\n## Pipelined\n### GET\n@",
         ["redis"] * 2 + ["heron"] * 2),
    ],
)  # fmt: skip
def test_parts_with_the_same_headings_show_which_headings_are_siblings(page: str, names: list[str]) -> None:
    assert named(page, "x.md") == names
