"""Pages and logs that compare things of any name, each in miniature, with the labels that a reader would give.

``@`` is a report of wrk, as in `tests.context.test_strangers`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp
from tests.context.test_near_runs import labels
from tests.context.test_strangers import WRK, named, written
from wrkparse.context.titles.titles import read_title


def frameworks_in_file(file: Path, page: str) -> list[str]:
    """The framework of each run of a page that is a file."""
    file.write_text(written(page))
    return wp.read(file).runs.sort_values("line")["framework"].tolist()


def test_a_title_with_the_known_name_of_the_file_names_more_beside_other_frameworks(tmp_path: Path) -> None:
    page = "Testing Gull Lua 5.4\n@\n\nTesting openresty LuaJIT\n@\n\nTesting teal mod-lua\n@"
    found = frameworks_in_file(tmp_path / "lua.txt", page)
    assert found == ["Gull Lua 5.4", "openresty LuaJIT", "teal mod-lua"]


def test_conditions_beside_the_known_name_of_the_file_stay_conditions(tmp_path: Path) -> None:
    page = "## small files of lua\n@\n## large files of lua\n@"
    assert frameworks_in_file(tmp_path / "lua.md", page) == ["lua", "lua"]


def test_prompts_that_are_only_a_directory_name_what_was_measured_in_it() -> None:
    page = "~/lab/brask$ wrk http://h/\n@\n\n~/lab/quenlo$ wrk http://h/\n@\n\n~/lab/quenlo$ wrk http://h/\n@"
    assert named(page) == ["brask", "quenlo", "quenlo"]


def test_requests_in_titles_distinguish_runs_at_other_loads() -> None:
    page = written("Running GET /eggs with cookies...\n@\nRunning POST /eggs with cookies...\n@")
    first, rest = page.split("Running POST")
    runs = wp.parse_text(f"{first}Running POST{rest.replace('10 connections', '99 connections')}").runs
    headings = runs.sort_values("line")["heading"].tolist()
    assert "GET" in headings[0]
    assert "POST" in headings[1]


@pytest.mark.parametrize("result", ["74441.26 requests/sec", "- 74441.26 req/s", "(812.5 rps)"])
def test_a_rate_with_decimals_in_a_heading_is_a_result(result: str) -> None:
    assert read_title(f"brask {result}").name.rstrip(" -") == "brask"
    assert read_title(f"brask {result}").possible_settings == ()


def test_a_rate_in_thousands_in_a_heading_is_a_setting() -> None:
    assert read_title("brask at 2.5k rps").possible_settings == (("rate", "2.5k"),)


def test_a_heading_of_words_of_documents_is_not_the_name_of_those_without_one() -> None:
    page = "# Brask\n## Setup\nmake\n## Pooled\n@\n## Plain\n@\n# Quenlo\n## Setup\nmake\n\n@\n# Tarn\n## Setup\n\n@"
    assert [heading for _, heading in labels(page, "framework", "heading")] == ["Pooled", "Plain", None, None]


def test_a_name_of_a_file_with_runs_of_several_frameworks_stays_whole(tmp_path: Path) -> None:
    for file in ("first", "second", "nginx-tuning"):
        (tmp_path / f"{file}.md").write_text(written("## nginx\n@\n## brask\n@"))
    runs = wp.read(tmp_path).runs
    assert set(runs["file_name"]) == {"first", "second", "nginx-tuning"}
    assert runs.groupby("file_name")["framework"].nunique().tolist() == [2, 2, 2]


@pytest.mark.parametrize(
    "setting", ["num_of_workers = 8", "`number_of_workers`=8", "n_workers: 8", "Number of workers: 8"]
)
def test_keys_of_counts_with_words_for_number(setting: str) -> None:
    assert read_title(f"Results with {setting}").settings == (("workers", "8"),)


def test_the_file_to_which_a_report_was_saved_is_about_the_run_above() -> None:
    page = "@\nResults saved to out/brask.txt\n\n@\nResults saved to out/quenlo.txt\n"
    assert labels(page, "framework", "title") == [("brask", None), ("quenlo", None)]


def test_a_line_that_says_where_a_report_went_does_not_name_the_run_below() -> None:
    page = "== brask\n@\nDone. Results written to out/1.txt\n@\nDone. Results written to out/2.txt\n== quenlo\n@"
    assert labels(page, "framework", "title") == [("brask", None), ("brask", None), ("quenlo", None)]


@pytest.mark.parametrize("preposition", ["For", "With", "Using"])
def test_a_preposition_that_all_titles_begin_with_belongs_to_no_name(preposition: str) -> None:
    page = f"Results:\n\n{preposition} brask:\n```\n@\n```\n\n{preposition} quenlo:\n```\n@\n```"
    assert named(page, "x.md") == ["brask", "quenlo"]


def test_a_preposition_that_not_all_titles_begin_with_stays() -> None:
    assert labels("With tls:\n@\nWithout tls:\n@", "framework", "heading") in (
        [("With tls", None), ("Without tls", None)],
        [(None, "With tls"), (None, "Without tls")],
    )


@pytest.mark.parametrize("form", ["{}", "== {} ==", "### {}"])
def test_a_count_with_the_state_of_a_step_counts_repeats(form: str) -> None:
    lines = [form.format(f"{name} {number}/2 OK") for name in ("brask", "quenlo") for number in (1, 2)]
    assert named("".join(f"{line}\n@\n" for line in lines)) == ["brask", "brask", "quenlo", "quenlo"]


def test_a_count_with_the_state_of_a_step_may_be_below_its_run() -> None:
    page = "@\nbrask 1/2 OK\n@\nbrask 2/2 OK\n@\nquenlo 1/2 OK\n@\nquenlo 2/2 OK\n"
    assert named(page) == ["brask", "brask", "quenlo", "quenlo"]


@pytest.mark.parametrize("steps", [("small files", "large files"), ("pool [8]:", "pool [16]:"), ("with tls", "no tls")])
def test_a_line_above_a_group_of_runs_names_all_of_them_if_the_next_group_has_the_same_steps(
    steps: tuple[str, str],
) -> None:
    page = "".join(f"{name}\n" + "".join(f"{step}\n@\n\n" for step in steps) for name in ("brask", "quenlo", "tarn"))
    found = labels(page, "framework", "heading")
    assert [framework for framework, _ in found] == [name for name in ("brask", "quenlo", "tarn") for _ in steps]
    headings = [heading for _, heading in found]
    assert headings == headings[:2] * 3
    assert len(set(headings)) == 2


def test_a_line_above_a_group_names_only_the_first_run_if_the_steps_differ() -> None:
    page = "brask\nsmall files\n@\nlarge files\n@\n\nquenlo\nsmall files\n@\nhuge files\n@\n"
    assert [framework for framework, _ in labels(page, "framework", "heading")][1::2] == [None, None]


@pytest.mark.parametrize("joint", ["with", "on", "using", "at"])
def test_a_preposition_before_a_count_is_no_key(joint: str) -> None:
    page = "".join(f"Testing {name} {joint} {n} workers\n@\n" for name in ("brask", "quenlo") for n in (2, 4))
    runs = wp.parse_text(written(page)).runs
    assert joint not in runs
    assert sorted(runs["workers"].astype(int)) == [2, 2, 4, 4]


@pytest.mark.parametrize("prefix", ["[load-{}] ", "[load] ", "lab {} :: "])
@pytest.mark.parametrize("title", ["## {}", "=== {} ===", "Testing {}"])
def test_a_title_loses_the_prefix_of_the_lines_of_its_report(prefix: str, title: str) -> None:
    log = "".join(
        f"{prefix.format(number)}{line}\n"
        for name in ("brask", "quenlo")
        for number in (1, 2)
        for line in (title.format(name), *WRK.format(requests=10000, rate=1000).splitlines())
    )
    frameworks = wp.parse_text(log).runs.sort_values("line")["framework"].tolist()
    assert frameworks == ["brask", "brask", "quenlo", "quenlo"]


def test_a_banner_holds_beyond_the_lines_that_say_where_reports_went() -> None:
    page = "".join(
        f"## {name} query\n```sh\n>>>>> Benchmark Dir: out/{name}\n"
        + "".join(f"Benchmarking: threads={n}\n@\nDone. Results saved to out/{name}/t{n}.txt\n-----\n" for n in (2, 4))
        + "```\n"
        for name in ("brask", "quenlo")
    )
    found = named(page, "x.md")
    assert found[0] == found[1] is not None
    assert found[2] == found[3] not in (None, found[0])


def test_a_file_to_which_a_report_was_saved_does_not_overrule_headings_and_titles() -> None:
    page = "## brask\n@\nReport saved to a_run.txt\n\n## quenlo\n@\nReport saved to b_run.txt\n"
    assert named(page, "x.md") == ["brask", "quenlo"]
    lines = "brask\n@\nLog written to 1st.txt\n@\nLog written to 2nd.txt\nquenlo\n@\nLog written to 3rd.txt\n"
    assert named(lines)[0::2] == ["brask", "quenlo"]


@pytest.mark.parametrize("message", ["Graph saved as plots/{}.png", "flame graph written to {}.svg"])
def test_a_picture_that_was_saved_names_no_run(message: str) -> None:
    page = "".join(f"@\n{message.format(name)}\n\n" for name in ("a1", "b2"))
    assert labels(page, "framework", "heading") == [(None, None)] * 2


def test_times_of_day_above_groups_of_runs_name_none_of_them() -> None:
    page = "".join(f"{time}\nbrask\n@\nquenlo\n@\n" for time in ("morning", "evening"))
    assert labels(page, "framework", "heading") == [("brask", None), ("quenlo", None)] * 2


TIME = "time ./a.out\n0.63user 0.00system 0:00.64elapsed 99%CPU (0avgtext+0avgdata 1288maxresident)k\n"


@pytest.mark.parametrize("make", ["make[1]: {} directory '/lab/{}'", "gmake: {} directory `/lab/{}'"])
def test_the_directory_that_make_enters_names_the_runs_in_it(make: str) -> None:
    page = "".join(
        f"{make.format('Entering', name)}\ncc -o a.out main.x\n{TIME}{make.format('Leaving', name)}\n"
        for name in ("brask", "quenlo", "tarn")
    )
    assert named(f"## Log\n```\n$ make run\n{page}```\n", "x.md") == ["brask", "quenlo", "tarn"]
    nothing = wp.parse_text(f"{page}{TIME}").runs.sort_values("line")["section"].isna().tolist()
    assert nothing == [False, False, False, True]


@pytest.mark.parametrize("title", ["--- {} ---", "Testing {} ..."])
def test_a_title_above_the_directory_that_make_enters_holds_in_it(title: str) -> None:
    page = "".join(
        f"{title.format(name)}\nmake[1]: Entering directory '/lab'\n{TIME}make[1]: Leaving directory '/lab'\n"
        for name in ("brask", "quenlo")
    )
    assert named(page) == ["brask", "quenlo"]


@pytest.mark.parametrize("tags", ["<details>\n  <summary>", "<details><summary>"])
def test_a_summary_may_have_lines_of_its_own(tags: str) -> None:
    page = "".join(f"{tags}\n      {name}\n  </summary>\n\n@\n</details>\n\n" for name in ("brask", "quenlo"))
    assert named(page, "x.md") == ["brask", "quenlo"]
    assert wp.parse_text(written(page), source="x.md").runs.sort_values("line")["section"].tolist() == [
        "brask",
        "quenlo",
    ]


@pytest.mark.parametrize("end", ["", "\n========================"])
def test_a_line_of_signs_that_says_that_a_run_is_done_is_no_title_of_the_next(end: str) -> None:
    page = "".join(f"@\n-----{number}--DONE-----{end}\n\n" for number in (32, 64, 128))
    found = labels(page, "framework", "heading", "section")
    assert found == [(None, None, None)] * 3


@pytest.mark.parametrize(
    "table", ["| {} ms |  l  |\n|---|---|\n| 99 | {} ms |\n", "| % | l |\n|---|---|\n| 90 | {} ms |\n", "99.9% {}ms\n"]
)
def test_latencies_above_runs_distinguish_none(table: str) -> None:
    page = "".join(f"{said}\n\n{table.replace('{}', value)}\n@\n\n" for said, value in PARAGRAPHS.items())
    assert all(isinstance(text, str) for (text,) in labels(page, "heading"))
    assert not any("ms" in text for (text,) in labels(page, "heading"))


PARAGRAPHS = {
    "The first thing that I measured was of course the oldest version that I had.": "1.5",
    "After that I removed the lock around the counter and measured it once more.": "27.25",
    "In the end I took the pool of buffers out, because it had never helped at all.": "3",
}


def test_numbers_that_a_measured_program_counts_distinguish_no_traces() -> None:
    gc = "gc 1 @0.001s 3%: 0.016+0.23+0.019 ms clock, 0.20+0.11/0.060/0.13+0.22 ms cpu, 4->5->{} MB, 5 MB goal, 12 P\n"
    first, second = (
        f"```\n$ go build\n$ GODEBUG=gctrace=1 ./brask\n#allocated: 1\n#allocated: {live}\n{gc.format(live)}```\n\n"
        for live in (2, 3)
    )
    page = f"{first}This line shows:\n\n```\n{gc.format(2)}```\n\n{second}"
    assert not any("allocated" in str(text) for (text,) in labels(page, "heading"))


def test_arguments_of_runs_that_names_and_settings_tell_apart_are_no_labels() -> None:
    runs = ["brask 1", "quenlo 1", "quenlo tuned 4", "tarn 2"]
    page = "".join(
        f"## {name}\n```\n$ ./serve {name.split()[0]} {name.split()[-1]}\n```\n```\n@\n```\n" for name in runs
    )
    assert "arg2" not in wp.parse_text(written(page), source="x.md").runs
    page = "".join(f"## {name.split()[0]}\n```\n$ ./serve {name.split()[-1]}\n```\n```\n@\n```\n" for name in runs)
    assert labels(page, "arg1") == [("1",), ("1",), ("4",), ("2",)]


def test_a_sentence_above_a_list_of_servers_holds_for_all_of_them() -> None:
    items = "* brask\n\n```\n@\n```\n\n* quenlo\n\n```\n@\n```\n\n"
    page = f"Files of `/usr/share/brask/html` are read.\n\n{items}8 pooled requests\n\n{items}"
    found = labels(page, "framework", "heading")
    assert [name for name, _ in found] == ["brask", "quenlo", "brask", "quenlo"]
    first, second, third, fourth = (heading for _, heading in found)
    assert first == second == "/usr/share/brask/html"
    assert third == fourth == "8 pooled requests"


@pytest.mark.parametrize(("first", "second"), [
    ("Гистограмма данного сервера:", "Гистограмма этого сервера:"),
    ("Gráfico de este servidor:", "Gráfico de esta servidor:"),
])  # fmt: skip
def test_words_that_point_at_what_was_said_are_no_names(first: str, second: str) -> None:
    page = f"# Lab\n\n```\n@\n```\n{first}\n\nIt holds.\n\n```\n@\n```\n{second}\n\nIt holds.\n\n```\n@\n```\n"
    assert named(page) == [None, None, None]
