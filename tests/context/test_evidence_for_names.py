"""Texts of which some look like names: a text names a server only if the runs beside it agree.

The expected labels are read by eye from the texts around each report.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp
from tests.context.test_names_in_pages import labels, report
from wrkparse.context.commands.load_tools import is_load_command
from wrkparse.context.structure.names.sentence_names import shorten_names

AB = """
    Server Hostname:        127.0.0.1
    Server Port:            {port}

    Document Path:          /

    Concurrency Level:      100
    Time taken for tests:   2.000 seconds
    Complete requests:      {requests}
    Failed requests:        0
    Requests per second:    {rate:.2f} [#/sec] (mean)

"""
BOMBARDIER = """Bombarding http://192.0.2.5:{port}/{path} for 10s using {connections} connection(s)
[==========================================================================] 10s
Done!
Statistics        Avg      Stdev        Max
  Reqs/sec      {rate}.00     740.75    6850.93
  Latency        1.62ms     1.15ms    65.00ms
  HTTP codes:
    1xx - 0, 2xx - {rate}0, 3xx - 0, 4xx - 0, 5xx - 0
    others - 0
  Throughput:     4.58MB/s
"""


@pytest.mark.parametrize("mark", ["##", "## "])
def test_a_command_as_heading_names_nothing(mark: str) -> None:
    """The heading above it does, also in pages that were written before a blank was needed in it."""
    page = ""
    for port, name in ((8080, "Plover"), (3000, "Heron")):
        page += f"#{name}\n"
        for at, option in enumerate(("", " -k")):
            page += f"{mark}ab -n {2000 + at} -c 100{option} http://127.0.0.1:{port}/\n"
            page += AB.format(port=port, requests=2000 + at, rate=1000 + at / 2)
    assert labels(page, "framework") == ["Plover", "Plover", "Heron", "Heron"]
    assert labels(page, "heading") == [None] * 4


@pytest.mark.parametrize(
    ("text", "is_command"),
    [
        ("ab -n 2000 -c 100 http://127.0.0.1:8080/", True),
        ("$ wrk http://kiwi.test/", True),
        ("`hey -z 10s http://kiwi.test/`", True),
        ("ab -k -c 8 kiwi.test:80/", True),
        ("wrk http://kiwi.test/ -s post.lua", True),
        ("wrk with a pool", False),
        ("wrk -c64 with a pool", False),
        ("ab -k kiwi", False),
        ("wrk -c64 $KIWI", False),
        ("wrk -c64 http://kiwi.test/: pool", False),
        ("`wrk -c64 http://kiwi.test/` pool", False),
        ("ab", False),
        ("kiwi -k http://kiwi.test/", False),
    ],
)
def test_a_command_of_a_load_generator_is_told_from_a_title(text: str, *, is_command: bool) -> None:
    assert is_load_command(text) is is_command


@pytest.mark.parametrize("heading", ["wrk -c10 {}", "wrk -c10 http://127.0.0.1/: {}", "`wrk http://127.0.0.1/` {}"])
def test_a_name_beside_the_options_of_a_load_generator_is_kept(heading: str) -> None:
    page = "".join(f"## {heading.format(name)}\n\n{report(at)}\n" for at, name in enumerate(("kiwi", "emu")))
    assert labels(page, "framework") == ["kiwi", "emu"]


def test_a_line_with_one_sign_is_a_topic_without_a_heading_below() -> None:
    page = f"#kiwi\n\n{report()}\n## Emu\n\n{report(1)}"
    assert labels(page, "section")[1] == "Emu"


def test_files_of_requests_to_the_same_servers_name_no_server(tmp_path: Path) -> None:
    for path in ("list", "search"):
        (tmp_path / f"test_{path}.txt").write_text(
            "".join(
                BOMBARDIER.format(port=port, path=path, connections=conns, rate=4000 + port + conns)
                for conns in (10, 100)
                for port in (3001, 3002)
            )
        )
    runs = wp.read(tmp_path).runs
    assert len(runs) == 8
    assert "framework" not in runs or runs["framework"].isna().all()
    assert set(runs["path"]) == {"/list", "/search"}


def test_files_of_servers_at_paths_of_their_own_name_them(tmp_path: Path) -> None:
    """Behind one port, as frameworks of PHP are."""
    for name in ("kiwi", "emu"):
        (tmp_path / f"{name}.txt").write_text(BOMBARDIER.format(port=80, path=name, connections=10, rate=4000))
    assert sorted(wp.read(tmp_path).runs["framework"]) == ["emu", "kiwi"]


def test_a_run_beside_named_lines_has_the_line_above_it_as_its_name() -> None:
    """Python is a known word. *Old heron* names its run no less."""
    lines = (
        "Python app / endpoint (which asks the old heron or /list, by the type of the page)",
        "Python app /list endpoint",
    )
    page = "# Heron compared with the old one\n\nAt 20 requests/s things look better.\n\n"
    page += "\n\n".join(f"{line}:\n```\n{report(at)}```" for at, line in enumerate((*lines, "Old heron")))
    assert labels(page, "framework") == ["Python app / endpoint", "Python app /list endpoint", "Old heron"]


def test_names_with_conditions_in_brackets_above_runs() -> None:
    page = "= Results\n\n"
    for at, line in enumerate(("Kiwi (read).", "Emu (read).", "Kiwi (write).", "Emu (write).")):
        page += f"{line}\n\n----\n{report(at)}----\n\n"
    assert labels(page, "framework") == ["Kiwi", "Emu", "Kiwi", "Emu"]
    assert labels(page, "heading") == ["read", "read", "write", "write"]


def test_the_banner_in_a_file_that_a_terminal_shows() -> None:
    ruler = "=" * 40
    page = "# Kiwi with and without logs\n\n"
    for at, (state, shown) in enumerate((("on", " > out\n\n[nix-shell:~/lab]$ cat out"), ("off", ""))):
        page += f"With logs {state}:\n\n```\n[nix-shell:~/lab]$ ./measure.sh go{shown}\n"
        page += f"{ruler}\n        go\n{ruler}\n{report(at)}```\n\n"
    assert labels(page, "framework") == ["go", "go"]


def test_long_sentences_with_one_beginning_stay_different() -> None:
    begin = "Then the plover is asked for a page that it renders anew on each of the requests"
    short = shorten_names([begin, f"{begin}, with the cache", "Plover alone"])
    assert len(set(short.values())) == 3
    assert short["Plover alone"] == "Plover alone"
    assert short[begin] == begin  # 60 characters of it would be those of the other, too
    assert shorten_names([begin])[begin] == "Then the plover is asked for a page that it renders anew on …"


def test_a_long_name_is_cut_where_it_is_that_of_others() -> None:
    serve = "emu serve --workers 4 --port 8080 --root /srv/pages/static"
    short = shorten_names([serve, f"{serve} --pool", f"{serve} --cache on", f"{serve} --cache off"])
    assert list(short.values()) == [
        serve,  # 58 characters
        "emu serve --workers 4 --port 8080 --root … --pool",
        "emu serve --workers 4 --port 8080 --root … --cache on",
        "emu serve --workers 4 --port 8080 --root … --cache off",
    ]


def test_a_name_that_differs_late_and_long_keeps_the_first_words_that_differ() -> None:
    shared = "the plover renders each of its pages anew for any request that comes"
    ends = [f"{word} the second time it is asked for all the pages it has in its store" for word in ("cold", "warm")]
    short = shorten_names([f"{shared} {end}" for end in ends])
    assert list(short.values()) == [
        "… cold the second time it is asked for all the pages it has …",
        "… warm the second time it is asked for all the pages it has …",
    ]


def test_a_command_with_options_above_a_report_is_its_name() -> None:
    """The second command has 65 characters."""
    serve = "emu serve --release --profile kiwi"
    commands = [serve, f"{serve} --features keep_all_pages_hot"]
    page = "".join(f"With the command `{command}` we got:\n\n```\n{report()}```\n\n" for command in commands)
    assert labels(page, "heading") == [serve, "emu serve --release … --features keep_all_pages_hot"]
    beside = page.replace("With the command `", "With a plover (`").replace("` we got:", "`):")
    assert labels(beside, "heading")[1].startswith("With a plover (emu serve")


def test_runs_of_two_tools_with_one_half_of_a_name_differ_in_the_other(tmp_path: Path) -> None:
    for name in ("grove-kiwi-app", "grove-emu-app"):
        (tmp_path / f"{name}.txt").write_text(report())
    for name in ("grove-heron", "plain-kiwi-app"):
        (tmp_path / f"{name}.txt").write_text(BOMBARDIER.format(port=80, path="", connections=10, rate=4000))
    runs = wp.read(tmp_path).runs
    own = runs[[key for key in ("framework", "file_name", "directory") if key in runs]].fillna("")
    assert len(own.drop_duplicates()) == 4


def test_a_switch_above_runs_keeps_its_key() -> None:
    page = "".join(
        f"With `buffering={state}`:\n\n```\n{report(at)}```\n\n" for at, state in enumerate(("true", "false"))
    )
    assert labels(page, "heading") == ["buffering=true", "buffering=false"]


def test_the_key_of_a_label_that_only_some_runs_have_stays_in_their_heading() -> None:
    page = "# added rate limiting for plovers\n\n"
    for conns, option, rate in ((100, "", 19000), (2, " -R 10", 10)):
        page += f"Now:\n\n```\n$ autocannon -c {conns} -d 5{option} http://127.0.0.1:3000\n"
        page += f"Running 5s test @ http://127.0.0.1:3000\n{conns} connections\n\nStat         Avg     Stdev   Max\n"
        page += f"Latency (ms) 51.7    18.15   631\nReq/Sec      {rate}   12.5    {rate + 9}\n"
        page += f"Bytes/Sec    2.13 MB 144 kB  2.36 MB\n\n{rate * 5} requests in 5s, 10.6 MB read\n```\n\n"
    assert labels(page, "rate") == [None, "10"]
    assert labels(page, "heading") == [None, None]


@pytest.mark.parametrize("names", [("kiwi orders", "emu orders"), ("orders", "orders tuned")])
def test_a_word_of_the_path_of_some_runs_below_a_heading_is_part_of_the_other_headings_too(
    names: tuple[str, str],
) -> None:
    first, second = names
    page = f"## {first}\n\n{report(1, path='/orders')}\n{report(2, path='/users')}\n"
    page += f"## {second}\n\n{report(3, path='/orders')}\n"
    assert labels(page, "framework") == [first, first, second]
