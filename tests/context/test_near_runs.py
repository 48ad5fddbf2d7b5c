"""What lines near runs say of them: which run they are about, and up to which one they hold.

``@`` is a report of wrk, as in `tests.context.test_strangers`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp
from tests.context.test_strangers import WRK, named, written
from wrkparse.context.titles.titles import read_title


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
        # Below the title of the page, or of a part of it.
        ("# Results\n## brask\n### GET\n@\n### quenlo\n#### GET\n@", ["brask", "quenlo"]),
        ("# Results\n## Today\n### brask\n#### GET\n@\n#### quenlo\n##### GET\n@", ["brask", "quenlo"]),
        # A part of each name.
        ("# redis\n## GET\n@\n## Pipelined\n### GET\n@\n# heron\n## GET\n@\n## Pipelined\n### GET\n@",
         ["redis"] * 2 + ["heron"] * 2),
    ],
)  # fmt: skip
def test_parts_with_the_same_headings_show_which_headings_are_siblings(page: str, names: list[str]) -> None:
    assert named(page, "x.md") == names


def test_a_heading_with_a_run_of_its_own_is_a_condition_of_the_name_above_it() -> None:
    page = "# kiwi\n## cached\n@\n## tuned\n@\n### cached\n@"
    # without a framework: all three are kiwi
    assert labels(page, "framework", "heading", "heading_2") == [
        (None, "cached", None), (None, "tuned", None), (None, "tuned", "cached")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("page", "names"),
    [
        # Loads and words for output, as Chinese writes them without blanks, are no names.
        ("## brask 并发10\n@\n## quenlo 并发数10持续10s\n@", ["brask", "quenlo"]),
        ("## 输出\n@\n## brask\n@\n## quenlo 10的并发\n@", [None, "brask", "quenlo"]),
        ("## 启动 2 个线程, 每个线程维持五个连接\n@\n## brask\n@\n## quenlo\n@", [None, "brask", "quenlo"]),
        # Numbered tests, and words for a test.
        ("## Test1: brask\n@\n## Test2: quenlo\n@", ["brask", "quenlo"]),
        ("## LoadTest brask\n@\n## LoadTest - quenlo\n@", ["brask", "quenlo"]),
    ],
)
def test_words_for_loads_and_tests_are_no_part_of_names(page: str, names: list[str | None]) -> None:
    assert named(page, "x.md") == names


def test_loads_in_chinese_are_settings() -> None:
    for text in ("并发400 持续120", "并发数400的情况下持续120s", "400的并发，持续120秒"):
        assert dict(read_title(text).settings)["connections"] == "400", text
    assert dict(read_title("8核16线程").settings) == {"cores": "8", "threads": "16"}


def test_processors_name_machines() -> None:
    page = "".join(f"CPU : {n}x Intel(R) Core(TM) i5-4460 CPU @ 3.{n}GHz\nMemory : {n} GB\n\n@\n@\n" for n in (2, 4))
    assert labels(page, "framework", "machine") == [
        (None, f"{n}x Intel(R) Core(TM) i5-4460 CPU @ 3.{n}GHz") for n in (2, 2, 4, 4)
    ]


@pytest.mark.parametrize(
    "target",
    ["> suite@1.0.0 bench:{}\n> wrk http://h/\n", "task: [bench:{}] wrk http://h/", "> Task :{}:bench",
     "nox > Running session bench-{}\nnox > wrk http://h/"],
)  # fmt: skip
def test_the_words_of_a_task_runner_are_no_part_of_names(target: str) -> None:
    page = "".join(f"{target.format(name)}\n@\n@\n\n" for name in ("brask", "quenlo"))
    assert named(page) == ["brask"] * 2 + ["quenlo"] * 2


@pytest.mark.parametrize("names", [["load-balancer", "load-shedder"], ["bench-brask", "quenlo"]])
def test_words_that_may_be_parts_of_names_stay(names: list[str]) -> None:
    assert named("".join(f"## {name}\n@\n" for name in names), "x.md") == names


def test_the_subject_of_a_commit_describes_the_runs_below_it() -> None:
    subjects = ["Add connection pool", "Use writev", "Install a cache"]
    log = (
        "$ git log -1\ncommit {} (HEAD -> main)\nAuthor: A B <a@b.org>\nDate:   Fri Nov 20 10:00:00 2026\n\n    {}\n\n"
    )
    page = "".join(
        f"{log.format(f'{n}a2b3c4d5e6f708192' * 2, it)}$ wrk http://h/\n@\n@\n" for n, it in enumerate(subjects)
    )
    assert labels(page, "heading") == [(it,) for it in subjects for _ in range(2)]


def test_a_line_of_a_configuration_is_called_with_its_key() -> None:
    cat = "$ cat server.toml\nthreads = {}\n$ ./brask &\n$ wrk http://h/\n@\n@\n"
    assert labels("".join(map(cat.format, (1, 4))), "heading") == [("threads = 1",)] * 2 + [("threads = 4",)] * 2
    assert labels("".join(map(cat.replace("threads", "pool").format, (1, 4))), "pool") == [("1",)] * 2 + [("4",)] * 2


def test_a_line_of_json_below_each_run_names_it() -> None:
    page = "".join(f'@\n{{"server": "{name}", "rps": {rps}}}\n' for name, rps in (("brask", 30), ("quenlo", 40)))
    assert named(page) == ["brask", "quenlo"]


def test_counts_in_names_of_files_are_settings_in_singular_and_plural(tmp_path: Path) -> None:
    for number, name in enumerate(("brask-1worker", "brask-17worker", "quenlo-1workers", "quenlo-17workers")):
        (tmp_path / f"{name}.txt").write_text(WRK.format(requests=10 * (1000 + number), rate=1000 + number))
    runs = wp.read(str(tmp_path)).runs.sort_values("source")
    assert list(zip(runs["framework"], runs["workers"], strict=True)) == [
        ("brask", "17"), ("brask", "1"), ("quenlo", "17"), ("quenlo", "1"),
    ]  # fmt: skip


def test_a_heading_that_is_a_name_as_a_whole_has_no_colon() -> None:
    assert named("__Baseline:__\n\n@\n\n__With this PR merged:__\n\n@", "x.md") == ["Baseline", "With this PR merged"]


def test_a_step_that_is_done_names_no_run() -> None:
    assert labels("@\nsync complete\n@\nflush complete\n@", "framework", "heading") == [(None, None)] * 3
    page = "brask\n@\nsync complete\nquenlo\n@\nflush complete"
    assert labels(page, "framework", "heading") == [("brask", None), ("quenlo", None)]


def test_an_end_of_a_day_is_a_time() -> None:
    page = "brask\n@\nend of day\nquenlo\n@\nend of week"
    assert labels(page, "framework", "heading") == [("brask", None), ("quenlo", None)]
    assert labels("@\nend of day\n@\nend of week", "framework") == [(None,)] * 2
