"""Logs as people keep them, each in miniature: what a careful reader would say was measured in each run.

``@`` is a report of wrk. The expected names are read by eye from the text; runs that a reader would not take for repeats
of one setting have different labels.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from pathlib import Path

import pandas as pd
import pytest

import wrkparse as wp
from tests.cases import each_case
from tests.samples import GC
from tests.samples import RATED_WRK as WRK
from wrkparse.context.labels import title_labels
from wrkparse.text.wrapping.heading_formats import without_clock
from wrkparse.text.wrapping.learned_prefixes import learn_prefix


def written(page: str, prefix: str = "") -> str:
    """A page with a report in place of each ``@`` that stands alone, behind the same prefix as the ``@``."""
    lines = []
    for number, line in enumerate(page.strip("\n").split("\n")):
        front, found, behind = line.rpartition("@")
        if found and not behind and not front.strip("> |benchpod/[]-x7k2"):
            report = WRK.format(requests=10 * (1000 + number), rate=1000 + number)
            lines += [front + text for text in report.splitlines()]
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def named(page: str, name: str = "x.log") -> list[str | None]:
    runs = wp.parse_text(written(page), source=name).arrow("runs")
    found: list[str | None] = runs["framework"].to_pylist() if "framework" in runs.column_names else [None] * len(runs)
    return found


@each_case(
    "page, names",
    [
        # What a script says of a run, in any form.
        ("-- variant: heron (run 1) --\n@\n-- variant: heron + cache (run 1) --\n@", ["heron", "heron + cache"]),
        (">>> 1/2 svc-a c=10\n@\n>>> 2/2 svc-b c=10\n@", ["svc-a", "svc-b"]),
        ("INFO target=heron connections=10\n@\nINFO target=kiwi connections=10\n@", ["heron", "kiwi"]),
        ("==> ./heron.log <==\n@\n==> ./kiwi.log <==\n@", ["heron", "kiwi"]),
        ("==> out/heron.txt <==\n@\n\n==> out/kiwi.txt <==\n@", ["out/heron", "out/kiwi"]),
        ('```text title="heron"\n@\n```\n```text title="kiwi"\n@\n```', ["heron", "kiwi"]),
        ("```text [heron]\n@\n```\n```text [kiwi]\n@\n```", ["heron", "kiwi"]),
        ("```{.text filename='heron.log'}\n@\n```\n\n```{.text filename='kiwi.log'}\n@\n```", ["heron", "kiwi"]),
        ("## heron\n```text title=Output\n@\n```\n## kiwi\n```text title=Output\n@\n```", ["heron", "kiwi"]),
        ("name=thread-pool c=10 run 1\n@\nname=reactive c=10 run 1\n@", ["thread-pool", "reactive"]),
        ("+-------+\n| heron |\n+-------+\n@\n+------+\n| kiwi |\n+------+\n@", ["heron", "kiwi"]),
        ("Now testing heron ...\n@\nNow testing kiwi ...\n@", ["heron", "kiwi"]),
        ('{"arm": "heron", "round": 1}\n@\n{"arm": "kiwi", "round": 1}\n@', ["heron", "kiwi"]),
        (("09:00:01,000 [main] INFO Harness - transport = heron\nphase MEASURE\n@\n"
         "09:00:21,000 [main] INFO Harness - transport = kiwi\nphase MEASURE\n@"), ["heron", "kiwi"]),
        # Headings name what was measured, whatever a script prints of its parts below them.
        (("## wren/kiwi\n```\nPackage: express@4.17.1\n```\n```\nHappyTest-PASS\n@\n```\n"
          "## wren/emu\n```\nPackage: restify@9.0.3\n```\n```\nHappyTest-PASS\n@\n```\n## moa\n```\n@\n```"),
         ["wren/kiwi", "wren/emu", "moa"]),
        ("## #1. Kiwi implementation.\n```\nTerminal 1: $ dune build\n@\n```\n## #2. Emu implementation.\n```\nTerminal 1: $ jpm build\n@\n```",
         ["Kiwi", "Emu"]),
        ("### Fast\n**Kiwi**\n```\n@\n```\n***Emu***\n```\n@\n```", ["Kiwi", "Emu"]),
        # A caption below a block is about that block; the last one has no run behind it.
        ("Some listings.\n\n```\n@\n```\n*Listing 1: heron*\n\n```\n@\n```\n*Listing 2: kiwi*\n", ["heron", "kiwi"]),
        ("# Runs\n\n```\n@\n```\n*heron*\n\n## More\n\n```\n@\n```\n*kiwi*\n\n## End\n", ["heron", "kiwi"]),
        # Beside names, titles in other words are names, too.
        ("## Naive version\n@\n## Adding a pool\n@\n## Prepared statements\n@",
         ["Naive version", "Adding a pool", "Prepared statements"]),
        ("## How Debian ships it\n@\n## keepalive to the upstream\n@\n## reuseport\n@\n## sendfile\n@\n## epoll\n@",
         ["How Debian ships it", "keepalive to the upstream", "reuseport", "sendfile", "epoll"]),
        ("master:\n\n@\n\nthis branch:\n\n@", ["master", "this branch"]),
        ("Hier die Ergebnisse mit mod_zausel:\n\n@\n\nUnd jetzt mit zausel-fpm:\n\n@", ["mod_zausel", "zausel-fpm"]),
        ("Hier die Ergebnisse mit mod_php:\n\n@\n\nUnd jetzt mit php-fpm:\n\n@", ["mod_php", "php-fpm"]),
        ("With the pool:\n@\nWith the ring:\n@\nWith the pool, a second time:\n@\nWith the ring again\n@",
         ["With the pool", "With the ring"] * 2),
        # What a script prints behind its command, and a loop.
        ("$ ./bench.sh\nBuilding\nheron 50\n@\nkiwi 50\n@", ["heron", "kiwi"]),
        ("Run 1: heron\n@\nRun 1: kiwi\n@\nRun 2: heron\n@\nRun 2: kiwi\n@", ["heron", "kiwi"] * 2),
        ("Run 1: heron\n@\nRun 2: heron\n@\nRun 1: kiwi\n@\nRun 2: kiwi\n@", ["heron"] * 2 + ["kiwi"] * 2),
        ("$ make bench\nheron\n@\nrun 2\n@\nkiwi\n@", ["heron", "heron", "kiwi"]),
        (("$ for s in a b; do ./bin/$s & sleep 1; echo $s; wrk -c10 http://h/; kill %1; done\nheron\n@\nkiwi\n@"),
         ["heron", "kiwi"]),
        ("$ wrk http://h/\nheron: no such script\n@\n$ wrk http://h/\nkiwi: no such script\n@", [None, None]),
        ("gin 200\n@\necho 200\n@", ["gin", "echo"]),
        # A script starts the server that it is told.
        ("$ ./start.sh heron\n$ wrk http://h/\n@\n$ ./start.sh kiwi\n$ wrk http://h/\n@", ["heron", "kiwi"]),
        # One interpreter runs all.
        ("$ node heron.js &\n$ wrk http://h/\n@\n$ node kiwi.js &\n$ wrk http://h/\n@", ["heron", "kiwi"]),
        ("HTTP/1.1\n@\nHTTP/2\n@", [None, None]),
        ('net/http:\n\n```\nlisten(":80")\n```\n@\nfasthttp:\n\n```\nlisten(":80")\n```\n@', [None, None]),
        # A and B.
        ("Round 1\n\nA:\n@\n\nB:\n@\n\nRound 2\n\nA:\n@\n\nB:\n@", ["A", "B", "A", "B"]),
        # It holds for the runs below that have no such line.
        (
            ("Now using heron v18.20 (npm v10)\n[1/2] load\n@\n[2/2] load\n@\n"
             "Now using heron v20.18 (npm v10)\n[1/2] load\n@\n[2/2] load\n@"),
            ["v18.20", "v18.20", "v20.18", "v20.18"],
        ),
        # Sessions: the program that runs, a comment, the branch in the prompt.
        ("$ ./bin/heron -p 80 &\n$ wrk http://h/\n@\n$ ./bin/kiwi -p 80 &\n$ wrk http://h/\n@", ["heron", "kiwi"]),
        ("./bin/heron & sleep 1; wrk http://h/; kill %1\n@\n./bin/kiwi & sleep 1; wrk http://h/; kill %1\n@",
         ["heron", "kiwi"]),
        ("a@b:~$ # heron\na@b:~$ wrk http://h/\n@\na@b:~$ # kiwi\na@b:~$ wrk http://h/\n@", ["heron", "kiwi"]),
        # What ended names nothing; the next server has the same script.
        (("$ node server.js &\n[1] 21413\n$ wrk http://h/\n@\n$ kill %1\n[1]+  Terminated              node server.js\n"
          "$ bun server.js &\n[1] 22905\n$ wrk http://h/\n@"), ["node server", "bun server"]),
        ("Starting heron...\nWarming up...\n@\nRun 1:\n@\nStopping heron...\nStarting kiwi...\n@", ["heron"] * 2 + ["kiwi"]),
        (("## Run 1\n- Policy: round robin\n- Connections: 10\n\n```\n@\n```\n## Run 2\n- Policy: ip hash\n"
          "- Connections: 10\n\n```\n@\n```"), ["round robin", "ip hash"]),
        ("=== heron ===\n-- 10 connections --\n@\n=== kiwi ===\n-- 10 connections --\n@", ["heron", "kiwi"]),
        # Headings of other dialects, in bold, and in sentences.
        ("**heron**\n\n```\n@\n```\n\n```\n@\n```\n\n**kiwi**\n\n```\n@\n```", ["heron", "heron", "kiwi"]),
        ("h3. heron\n@\nh3. kiwi\n@", ["heron", "kiwi"]),
        ("\\subsection{heron}\n@\n\\subsection{kiwi}\n@", ["heron", "kiwi"]),
        ("[b]heron[/b]\n@\n[b]kiwi[/b]\n@", ["heron", "kiwi"]),
        ("== heron ==\n=== 10 clients ===\n@\n== kiwi ==\n=== 10 clients ===\n@", ["heron", "kiwi"]),
        ("##[group]heron\nrun 1\n@\nrun 2\n@\n##[group]kiwi\nrun 1\n@", ["heron", "heron", "kiwi"]),
        ("On Monday, A wrote:\n> without the patch I get:\n>\n> @\n\nHere the same with the patch:\n\n@",
         ["without the patch", "with the patch"]),
        # Other languages.
        ("Lauf 1: alte Version\n@\nLauf 2: neue Version\n@", ["alte Version", "neue Version"]),
        ("« Essai 1 – heron – 10 connexions »\n@\n« Essai 1 – kiwi – 10 connexions »\n@", ["heron", "kiwi"]),
    ],
)  # fmt: skip
def test_a_name_that_no_list_knows_is_found(page: str, names: list[str]) -> None:
    assert named(page) == names


@pytest.mark.parametrize(
    ("headings", "names"),
    [
        (["Testing zorin...", "Testing quelp..."], ["zorin", "quelp"]),
        (["zorin!", "quelp…"], ["zorin", "quelp"]),
        (["Zorin Corp.", "Quelp Inc."], ["Zorin Corp", "Quelp Inc"]),
        (["Benchmarking zorin, please wait...", "Benchmarking quelp, please wait..."], ["zorin", "quelp"]),
        (["nginx...", "caddy..."], ["nginx", "caddy"]),
        (["1. zorin.", "2. quelp."], ["zorin", "quelp"]),
        (["zorin. Run 1.", "quelp. Run 1."], ["zorin", "quelp"]),
    ],
)
def test_a_heading_may_end_as_a_sentence_does(headings: list[str], names: list[str]) -> None:
    assert named("".join(f"## {heading}\n\n@\n\n@\n\n" for heading in headings)) == [names[0]] * 2 + [names[1]] * 2


@pytest.mark.parametrize(
    "headings",
    [
        ["zorin?", "quelp?"],
        ["Here we look at how zorin does under load.", "Here we look at how quelp does under load."],
        [
            "What I got with the old one at home last night, after the upgrade",
            "What I got with the new one in the lab today",
        ],
    ],
)
def test_runs_below_headings_that_are_different_sentences_are_no_repeats(headings: list[str]) -> None:
    dataset = wp.parse_text(written("".join(f"## {heading}\n\n@\n\n@\n\n" for heading in headings)))
    assert wp.factors(dataset).compared == ("heading",)
    assert dataset.runs.sort_values("line")["heading"].tolist() == [headings[0]] * 2 + [headings[1]] * 2


LATENCY = WRK.replace("  {requests}", "  Latency Distribution\n     50%    1.00ms\n     99%    4.00ms\n  {requests}")


@pytest.mark.parametrize("front", ["{}: ", "[{}] ", "({}) ", "{}> ", "{} | ", "{} - ", "{} — ", "{} => "])
def test_a_name_in_front_of_each_line_is_that_of_the_run(front: str) -> None:
    page = "".join(
        f"{front.format(name)}{line}\n"
        for number, name in enumerate(("zorin", "zorin", "quelp"))
        for line in LATENCY.format(requests=10000 + number, rate=1000 + number).splitlines()
    )
    dataset = wp.parse_text(page)
    assert dataset.runs.sort_values("line")["framework"].tolist() == ["zorin", "zorin", "quelp"]
    percentiles = dataset.measurements.query("stat == 'p99'")
    assert percentiles["value"].tolist() == [0.004] * 3
    assert dataset.diagnostics.empty


# The default layouts of loggers, by their documentation: `logging` of Python, Log4j, SLF4J's SimpleLogger, Spring Boot,
# loguru, zap, env_logger and tracing of Rust, Logger of Ruby, NLog, logrus and slog; and those of runners.
@each_case(
    "front",
    [
        "2026-11-20 10:00:0{1},123 INFO {0} @",
        "INFO:{0}:@",
        "2026-11-20 10:00:0{1},123 - {0} - INFO - @",
        "2026-11-20 10:00:0{1},123 INFO {0} - @",
        "10:00:0{1}.123 [main] INFO  acme.{0} - @",
        "2026-11-20T10:00:0{1}.123Z  INFO 4321 --- [           main] acme.{0}      : @",
        "2026-11-20 10:00:0{1}.123 | INFO     | bench:{0}:42 - @",
        "2026-11-20T10:00:0{1}.123Z\tINFO\t{0}\tbench/main.go:12\t@",
        "[2026-11-20T10:00:0{1}Z INFO  {0}] @",
        "2026-11-20T10:00:0{1}.123456Z  INFO {0}: @",
        "I, [2026-11-20T10:00:0{1}.123456 #4321]  INFO -- {0}: @",
        "2026-11-20 10:00:0{1}.1234|INFO|{0}|@",
        'time="2026-11-20T10:00:0{1}Z" level=info msg="@" server={0}',
        '{{"level":"info","server":"{0}","msg":"@"}}',
        "#12 {1}.231 {0} @",
        "{0} :: @",
        "{0}                : @",
        "+{0} | @",
        "{0} ┃ @",
        "(10:00:0{1}) INFO: From Bench {0}: @",
    ],
)
def test_the_prefix_of_any_logger_names_its_runs(front: str) -> None:
    names = ("zorin", "zorin", "quelp")
    page = "".join(
        front.format(name, number).replace("@", line) + "\n"
        for number, name in enumerate(names)
        for line in LATENCY.format(requests=10000 + number, rate=1000 + number).splitlines()
    )
    dataset = wp.parse_text(page)
    assert dataset.diagnostics.empty
    assert dataset.measurements.query("metric == 'throughput'")["value"].tolist() == [1000, 1001, 1002]
    assert dataset.measurements.query("stat == 'p99'")["value"].tolist() == [0.004] * 3
    found = dataset.runs.sort_values("line")["framework"].tolist()
    assert [name in text for name, text in zip(names, found, strict=True)] == [True] * 3
    assert found[0] == found[1] != found[2]


@pytest.mark.parametrize(
    "front",
    [
        "[pool-1-thread-{}] INFO - ",
        "10:0{}:00 req={}f3a91c7 ",
        "worker-{}> ",
        "2026-11-20 10:0{}:00 INFO root ",
        "{}-Nov-2026 ",
    ],
)
def test_threads_requests_and_times_in_front_of_lines_name_nothing(front: str) -> None:
    page = "".join(
        f"{front.format(number, number)}{line}\n"
        for number in (1, 2, 3)
        for line in LATENCY.format(requests=10000 + number, rate=1000 + number).splitlines()
    )
    dataset = wp.parse_text(page)
    assert dataset.measurements.query("metric == 'throughput'")["value"].tolist() == [1001, 1002, 1003]
    assert not wp.factors(dataset).compared


def test_numbers_of_names_in_front_of_lines_tell_servers_apart() -> None:
    page = "".join(
        f"{name} :: {line}\n"
        for number, name in enumerate(("zorin1", "zorin2", "quelp"))
        for line in LATENCY.format(requests=10000 + number, rate=1000 + number).splitlines()
    )
    assert wp.parse_text(page).runs.sort_values("line")["framework"].tolist() == ["zorin1", "zorin2", "quelp"]


@pytest.mark.parametrize("form", ["emit {n} {line}", "job-{n} {line}", "<{n}> {line}"])
def test_a_prefix_may_count_its_lines(form: str) -> None:
    report = WRK.format(requests=10_000, rate=1000).splitlines()
    page = "\n".join(form.format(n=n, line=line) for n, line in enumerate(report, 123456))
    data = wp.parse_text(f"{page}\n")
    assert data.measurements.query("metric == 'throughput'")["value"].tolist() == [1000]
    assert data.diagnostics.empty


@pytest.mark.parametrize(
    ("following", "stream"),
    [("emu 7 :: ", "~ emu 7 :: "), ("emu 8 :: ", None), ("emu 12 :: ", None), ("emu 123 :: ", "~ emu 0 :: ")],
)
def test_a_number_of_three_digits_in_a_prefix_counts_and_a_smaller_one_is_that_of_a_process(
    following: str, stream: str | None
) -> None:
    learned = learn_prefix("emu 7 :: ", f"{following}2 threads")
    assert (learned and learned[0].stream) == stream


def test_a_sentence_that_ends_in_the_first_line_of_a_report_is_no_prefix() -> None:
    first, *rest = LATENCY.format(requests=10000, rate=1000).splitlines()
    runs = wp.parse_text("\n".join([f"I typed it and saw {first}", *rest])).runs
    assert runs["threads"].tolist() == [2]
    assert "process" not in runs


def test_a_prefix_with_a_known_name_is_no_name_below_a_heading() -> None:
    page = "".join(
        f"== {name} behind nginx\n"
        + "".join(f"nginx - {line}\n" for line in LATENCY.format(requests=rate * 10, rate=rate).splitlines())
        for name, rate in (("kiwi", 1000), ("emu", 1001))
    )
    runs = wp.parse_text(page, source="x.log").runs.sort_values("line")
    assert runs["framework"].tolist() == ["kiwi behind nginx", "emu behind nginx"]


@pytest.mark.parametrize("above", ["", "# Results\n", "# Results\n\n", "Here they are:\n\n"])
@pytest.mark.parametrize(
    "names", [["heron", "zorin", "quelp"], ["nginx", "zorin", "quelp"], ["zorin", "connect", "quelp"]]
)
def test_names_in_front_of_results_in_a_list_tell_runs_apart(above: str, names: list[str]) -> None:
    page = above + "".join(
        f"- {name}: Requests per second:    {n}.21 [#/sec] (mean)\n" for n, name in enumerate(names, 1)
    )
    assert wp.parse_text(page, source="x.md").runs.sort_values("line")["framework"].tolist() == names


@pytest.mark.parametrize("front", ["[INFO] ", "[exec] ", "[2/3] ", "INFO - ", "step1 - "])
def test_a_level_in_front_of_each_line_is_no_name(front: str) -> None:
    page = "".join(f"{front}{line}\n" for line in LATENCY.format(requests=10000, rate=1000).splitlines())
    assert "process" not in wp.parse_text(page).runs


def test_a_word_of_the_url_in_a_name_of_two_words_is_kept(tmp_path: Path) -> None:
    for number, (name, path) in enumerate(
        (("get_user", "users"), ("list_orders", "orders"), ("list_orders", "orders"))
    ):
        text = WRK.format(requests=10000 + number, rate=1000 + number).replace("8080/", f"8080/{path}")
        (tmp_path / f"{name}.{number}.out").write_text(text)
    runs = wp.read(tmp_path).runs.sort_values("source")
    assert runs["file_name"].tolist() == ["get_user", "list_orders", "list_orders"]


def test_org_mode_has_headings_of_its_own() -> None:
    page = "#+TITLE: Builds\n* Results\n** heron\n#+begin_example\n@\n#+end_example\n** kiwi\n@"
    assert named(page, "bench.org") == ["heron", "kiwi"]


@pytest.mark.parametrize(
    ("remark", "same"),
    [("run 2", True), ("Hm, once more:", True), ("Again, with keep-alive off:", False), ("attempt 3", True)],
)
def test_a_remark_that_a_run_is_a_repeat_keeps_its_name(remark: str, same: bool) -> None:
    first, second, _ = named(f"heron:\n@\n{remark}\n@\nkiwi:\n@")
    assert first == "heron"
    assert (second == "heron") is same


def test_a_warm_up_is_no_repeat() -> None:
    runs = wp.parse_text(written("##### heron #####\nwarm-up:\n@\niteration 1:\n@\niteration 2:\n@")).runs
    phases = runs.sort_values("line")["phase"]
    assert [value if isinstance(value, str) else None for value in phases] == ["warm-up", None, None]


def phases(page: str) -> list[tuple[str | None, str | None]]:
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    columns = [runs[key] if key in runs else [None] * len(runs) for key in ("framework", "phase")]
    first, second = ([value if isinstance(value, str) else None for value in column] for column in columns)
    return list(zip(first, second, strict=True))


@pytest.mark.parametrize(
    ("repeats", "page"),
    [
        (2, "== {}\n== run 1\n@\n== run 2\n@\n"),
        (3, "## {}\n@\n## Run 2\n@\n## Run 3\n@\n"),
        (2, "### {}\n\nIt is a small server.\n\n### First run\n@\n### Second run\n@\n"),
    ],
)
def test_a_heading_that_only_counts_leaves_the_name_above_at_its_level(repeats: int, page: str) -> None:
    assert named(page.format("heron") + page.format("kiwi")) == ["heron"] * repeats + ["kiwi"] * repeats


@pytest.mark.parametrize("name", ["### {}\n", "**{}**\n\n"])
def test_a_name_within_a_part_ends_the_one_above_it(name: str) -> None:
    page = f"## nginx\n@\n\n## Run 2\n{name.format('kiwi')}@\n\n{name.format('emu')}@\n"
    assert named(page) == ["nginx", "kiwi", "emu"]


def test_a_warm_up_in_front_of_each_name_is_of_none() -> None:
    page = "## Warm-up\n@\n## heron\n@\n## Warm-up\n@\n## kiwi\n@"
    assert phases(page) == [(None, "warm-up"), ("heron", None), (None, "warm-up"), ("kiwi", None)]


@pytest.mark.parametrize(
    "line",
    ["We stop when the warm-up is done.", "kiwi is slow before warm-up is over", "Wait until the warm-up finished"],
)
def test_a_sentence_that_mentions_the_end_of_a_warm_up_ends_none(line: str) -> None:
    assert phases(f"## Warm-up\n{line}\n@\n## kiwi\n@")[0] == (None, "warm-up")


@pytest.mark.parametrize("last", ["warm-up 2", "warm-up (until done)", "warm-up"])
def test_what_is_measured_behind_a_warm_up_is_none(last: str) -> None:
    page = f"--- warm-up (1 s) ---\n@\n--- {last} ---\n@\n--- measured ---\n@"
    assert [phase for _, phase in phases(page)] == ["warm-up", "warm-up", None]


def test_a_skipped_warm_up_is_no_phase() -> None:
    assert phases("=== kiwi ===\nskipping warm-up\n@\n=== emu ===\n@") == [("kiwi", None), ("emu", None)]


def test_a_heading_that_counts_below_no_name_has_none() -> None:
    assert named("## heron\n@\n## Results\n## Run 1\n@\n## kiwi\n@") == ["heron", None, "kiwi"]


@pytest.mark.parametrize(
    "page",
    [
        "== {}\n== WARM-UP\n@\n== END WARM-UP\n@\n",
        "== {}\n== Begin warm-up\n@\n== Measure\n@\n",
        "== {}\n-- BEGIN WARM-UP\n@\n-- END WARM-UP\n@\n",
        "=== {}: warm-up ===\n@\n=== {}: warm-up done ===\n@\n",
        "=== {}: warm-up ===\n@\nwarm-up is over\n@\n",
        "=== {}: warm-up ===\n@\n=== {}: measurement ===\n@\n",
    ],
)
def test_a_warm_up_ends_where_a_line_says_so(page: str) -> None:
    text = page.replace("{}", "heron") + page.replace("{}", "kiwi")
    assert phases(text) == [("heron", "warm-up"), ("heron", None), ("kiwi", "warm-up"), ("kiwi", None)]


@pytest.mark.parametrize(
    ("page", "names"),
    [
        # The runtime below a heading with a name is none; where it is all that differs, it is.
        (("### Benchmarking Phoenix\nElixir 1.0.2, Erlang/OTP 17.4\n\n@\n### Benchmarking Kiwi\nGo 1.4.1\n\n@\n"
         "### Benchmarking Emu\nGo 1.4.1\n\n@"), ["Phoenix", "Kiwi", "Emu"]),
        ("## Results\nGo 1.4.1\n\n@\nElixir 1.0.2\n\n@", ["Go 1.4.1", "Elixir 1.0.2"]),
        ("## Plain text\nGo 1.22\n@\nNode 20\n@\n## Database\nGo 1.22\n@\nNode 20\n@",
         ["Go 1.22", "Node 20", "Go 1.22", "Node 20"]),
        # A box of Markdown's own signs, as `printf "###\n### results from %s\n###\n"` draws it.
        (("# Python Benchmark Results\n\n###\n### results from gunicorn-3.7 benchmark\n###\n\n@\n\n"
         "###\n### results from kiwi-3.7 benchmark\n###\n\n@"), ["gunicorn-3.7", "kiwi-3.7"]),
        ("## apache2 + mod\\_php\n@\n## nginx + php-fpm\n@\n## apache2 + php-fpm\n@",
         ["apache2 + mod_php", "nginx + php-fpm", "apache2 + php-fpm"]),
        ("## Производительность kiwi\n@\n## Производительность emu\n@", ["kiwi", "emu"]),
        ("## Ergebnisse für kiwi\n@\n## Ergebnisse für emu\n@", ["kiwi", "emu"]),
        ("## laravel 5.7 测试细节\n@\n## kiwi 测试细节\n@", ["laravel 5.7", "kiwi"]),
        (("$ time clang++ -O3 main.cpp\nreal 0m1.5s\nuser 0m1.4s\nsys 0m0.1s\n"
         "$ time g++ -O3 main.cpp\nreal 0m1.6s\nuser 0m1.5s\nsys 0m0.1s"), ["clang++", "g++"]),
    ],
)  # fmt: skip
def test_what_stands_around_a_name_is_none(page: str, names: list[str]) -> None:
    assert named(page) == names


@pytest.mark.parametrize(
    ("runtime", "labels"),
    [
        ("Node.js 20", {"node": "20"}),
        ("Python 3.12rc1", {"python": "3.12rc1"}),
        ("Elixir 1.0.2, Erlang/OTP 17.4", {"elixir": "1.0.2", "erlang": "17.4"}),
        ("Go 1.22 and node.js v20", {"go_version": "1.22", "node": "20"}),
    ],
)
def test_a_runtime_below_headings_with_names_is_a_label(runtime: str, labels: dict[str, str]) -> None:
    page = f"### Benchmarking Phoenix\n{runtime}\n\n@\n### Benchmarking kiwi\n{runtime}\n\n@"
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    assert runs["framework"].tolist() == ["Phoenix", "kiwi"]
    assert {key: runs[key].tolist() for key in labels} == {key: [value] * 2 for key, value in labels.items()}


def test_a_message_ends_at_a_sentence_that_may_say_something_else() -> None:
    page = "".join(
        f"{sentence}\n\n```\n@\n```\n\n"
        for sentence in (
            "@ana sent a request for Dropwizard and here is the result.",
            "@bea sent a request for Kiwi + Jetty/Jersey, and this is what came out of it.",
            "@cyd sent a request for RatPack and here is the result.",
        )
    )
    assert named(page) == ["Dropwizard", None, "RatPack"]


@pytest.mark.parametrize(
    ("heading", "labels"),
    [
        ("2 потока, 4 соединения", {"threads": "2", "connections": "4"}),
        ("kiwi mit 64 Verbindungen", {"connections": "64"}),
        ("kiwi, 4 hilos", {"threads": "4"}),
        ("kiwi (8 rdzeni)", {"cores": "8"}),
    ],
)
def test_a_count_may_have_its_noun_in_another_language(heading: str, labels: dict[str, str]) -> None:
    assert {label.key: label.value for label in title_labels(heading, heading=True)} == labels


def test_a_duration_is_no_name_in_any_language() -> None:
    page = "Длительность - 1 минута\n@\nДлительность - 20 минут\n@\n"
    assert named(page) == [None, None]
    assert named(page.replace("Длительность", "Duration").replace("минута", "minute").replace("минут", "minutes")) == [
        None,
        None,
    ]
    assert named(page.replace("минута", "мин").replace("20 минут", "20сек")) == [None, None]


@pytest.mark.parametrize(
    ("page", "key", "values"),
    [
        ("alloc=10 gogc=50 #1\n@\nalloc=10 gogc=50 #2\n@\nalloc=1000 gogc=50 #1\n@", "alloc", ["10", "10", "1000"]),
        ("mode=fast #1\n@\nmode=fast #2\n@\nmode=safe #1\n@", "mode", ["fast", "fast", "safe"]),
        ("procs-1\n@\nprocs-4\n@", "cores", [1, 4]),
        ("payload=1KB conns=10\n@\npayload=8KB conns=10\n@", "payload", ["1KB", "8KB"]),  # 1000 bytes, or 1024
    ],
)
def test_a_setting_with_a_key_of_its_own_tells_runs_apart(page: str, key: str, values: list[object]) -> None:
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    assert list(runs[key]) == values
    assert "heading" not in runs


@pytest.mark.parametrize(
    ("title", "phase"),
    [
        ("heron c=16 warm-up", "warm-up"),
        ("cores=2 warmup run", "warm-up"),
        ("heron warm-up", "warm-up"),
        ("heron with warm-up", None),
        ("heron without warmup", None),
        ("heron after warm-up", None),
    ],
)
def test_a_warm_up_at_the_end_of_a_banner_is_one_unless_it_is_a_setting(title: str, phase: str | None) -> None:
    runs = wp.parse_text(written(f"=== {title} ===\n@\n=== {title.split(maxsplit=1)[0]} run 1 ===\n@")).runs
    assert [value if isinstance(value, str) else None for value in runs.get("phase", [None] * 2)] == [phase, None]
    if phase:
        assert "warm" not in str(runs.get("framework", [""])[0]).lower()


def test_warm_ups_are_left_out_of_comparisons_unless_they_are_asked_for() -> None:
    page = "warmup heron\n@\nheron\n@\nwarm up (5s) kiwi\n@\nkiwi\n@"
    ds = wp.parse_text(written(page))
    assert list(ds.runs.sort_values("line")["phase"].notna()) == [True, False, True, False]
    table = wp.compare(ds)
    assert (table.rows, table.columns, table.warm_ups) == (("framework",), (), 2)
    assert table.cells["n"].tolist() == [1] * len(table.cells)
    asked = wp.compare(ds, columns="phase")
    assert (asked.warm_ups, len(asked.cells)) == (0, 2 * len(table.cells))


def test_numbers_and_times_tell_no_runs_apart() -> None:
    page = "\n".join(f"server up, pid {4000 + run}, took {run}.5s at 10:0{run}:00\n@" for run in range(3))
    runs = wp.parse_text(written(page)).runs
    assert not {"framework", "heading"} & set(runs.columns)


@pytest.mark.parametrize(
    "page",
    [
        "Thanks to @bob for the box.\n\n@\n\nThanks to @eve for the box.\n\n@",
        "Iteration one\n@\nIteration two\n@\nIteration three\n@",
        "Monday\n@\nTuesday evening\n@\nMarch 3\n@",
        "## Morning\n@\n## Afternoon\n@",
        "The disk was cleaned on Monday.\n@\nThe disk was cleaned on Friday.\n@",
        "See https://example.com/a\n\n@\nSee https://example.com/b\n\n@",
        "$ ls\na.txt  heron.c\n$ wrk -c10 http://h/\n@\n$ ls -l\na.txt  kiwi.c\n$ wrk -c10 http://h/\n@",
        "$ cat notes.txt\nbuy milk\n$ wrk -c10 http://h/\n@\n$ vim notes.txt\n$ wrk -c10 http://h/\n@",
    ],
)
def test_days_addresses_and_other_commands_name_nothing(page: str) -> None:
    assert not any(named(page))


@each_case(
    "first, second",
    [
        ("user bob logged in", "user eve logged in"),
        ("2026-01-01 10:00:00 INFO user bob logged in", "2026-01-01 10:00:20 INFO user eve logged in"),
        ("worker alpha connected", "worker beta connected"),
        ("session opened for user root", "session opened for user deploy"),
        ("request_id=9f3kx", "request_id=b7x9q"),
        ("id: a8f3k2", "id: b7x9q1"),
        ("token: eyJhbGciOi", "token: eyKabGciOi"),
        ("cache miss for key users", "cache miss for key orders"),
        ("WARN: connection pool exhausted", "WARN: retrying upstream auth"),
        ("[WARN] connection pool exhausted", "[WARN] retrying upstream auth"),
        ("npm WARN deprecated request@2.88", "npm WARN deprecated har-validator@5.1"),
        ("[ 12%] Building CXX object src/a.o", "[ 50%] Building CXX object src/b.o"),
        ("gcc -O2 -c main.c", "gcc -O2 -c util.c"),
        ("Compiling serde v1.0", "Compiling axum v0.7"),
        ("Connected to redis-a", "Connected to redis-b"),
        ("reconnecting to kafka-1a", "reconnecting to kafka-1b"),
        ("pid=1 worker=alpha", "pid=2 worker=beta"),
        ("worker alpha ready", "worker beta ready"),
        ("cluster: node heron joined", "cluster: node kiwi joined"),
        ("[worker alpha] up", "[worker beta] up"),
        ("loaded plugin auth", "loaded plugin cart"),
        ("flushed table users", "flushed table carts"),
        ("⠋ fetching packages", "⠙ linking binaries"),
        ("Downloading: ███░░ 40% kiwi.tar", "Downloading: █████ 100% emu.tar"),
    ],
)
@each_case("page", ["{}\n@\n{}\n@", "$ ./bench.sh\n{}\n@\n{}\n@"])
def test_what_programs_note_of_their_own_doings_tells_no_runs_apart(page: str, first: str, second: str) -> None:
    runs = wp.parse_text(written(page.format(first, second))).runs
    assert not {"framework", "heading"} & set(runs.columns)


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("run with tls\n@\nrun without tls\n@", ["with tls", "without tls"]),
        ("loading lib auth\nloading lib users\n@\nloading lib auth\nloading lib cart\n@", [None, None]),
        ("token: jwt\n@\ntoken: paseto\n@", ["jwt", "paseto"]),
        ("worker heron\n@\nworker kiwi\n@", ["worker heron", "worker kiwi"]),
        (
            "plugin heron loaded first\n@\nplugin kiwi loaded first\n@",
            ["plugin heron loaded first", "plugin kiwi loaded first"],
        ),
        ("DEBUG build\n@\nRELEASE build\n@", ["DEBUG build", "RELEASE build"]),
        ("▓▓ heron ▓▓\n@\n▓▓ kiwi ▓▓\n@", ["▓▓ heron ▓▓", "▓▓ kiwi ▓▓"]),
    ],
)
def test_names_that_resemble_such_notes_are_kept(page: str, names: list[str]) -> None:
    assert named(page) == names


def test_a_message_that_is_new_above_each_of_many_runs_is_no_framework() -> None:
    """Whether it announces them or is a server's own, nobody knows: they are told apart, and not named."""
    birds = ["heron", "kiwi", "emu", "ibis"]
    page = "\n".join(f"elected {bird} as leader\nall is well\n@" for bird in birds)
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    assert "framework" not in runs
    assert list(runs["heading"]) == birds
    twice = "\n".join(f"backend {bird} is up\nall is well\n@" for bird in birds for _ in range(2))
    assert named(twice) == [bird for bird in birds for _ in range(2)]


def test_a_shell_that_times_a_program_has_variables_of_its_own() -> None:
    real = "real\t0m1.5{0}s\nuser\t0m1.0s\nsys\t0m0.1s\n"
    page = f"$ time OMP_NUM_THREADS=1 ./a\n{real.format(1)}$ OMP_NUM_THREADS=2 bash -c 'time ./a'\n{real.format(2)}"
    runs = wp.parse_text(page).runs.sort_values("line")
    assert list(runs["env_OMP_NUM_THREADS"]) == ["1", "2"]


@pytest.mark.parametrize("prompt", ["Sorting$ ", "Sorting> ", "~/sort% ", "> ", "% ", ""])
def test_what_is_timed_is_a_command_behind_any_prompt(prompt: str) -> None:
    page = "".join(
        f"{prompt}time {command}\nreal\t0m{seconds}.5s\nuser\t0m1.0s\nsys\t0m0.1s\n\n"
        for seconds, command in enumerate(["./kiwi 8", "./kiwi 9", "./emu 8", "find heron 8"], 2)
    )
    runs = wp.parse_text(page).runs.sort_values("line")
    assert runs["command"].tolist()[:3] == ["time ./kiwi 8", "time ./kiwi 9", "time ./emu 8"]
    assert runs["framework"].tolist()[:3] == ["kiwi", "kiwi", "emu"]
    assert runs["arg1"].tolist()[:3] == ["8", "9", "8"]


@pytest.mark.parametrize(
    "line", ["time to go on:", "> time  is short", "time limit 30s", "time for a run", "time flies, says kiwi."]
)
def test_a_sentence_that_begins_with_time_is_no_command(line: str) -> None:
    runs = wp.parse_text(f"{line}\nreal\t0m2.5s\nuser\t0m1.0s\nsys\t0m0.1s\n").runs
    assert runs["command"].isna().all()


def test_headings_with_versions_in_brackets_name_the_servers_whose_hosts_have_no_version() -> None:
    page = "".join(
        f"### {heading}\n```\n{written('@').replace('127.0.0.1:8080', host)}```\n"
        for heading, host in (("Nginx(1.23.3)", "nginx"), ("Caddy(2.6.4)", "caddy"), ("Siskin", "siskin"))
    )
    runs = wp.parse_text(page).runs.sort_values("line")
    assert runs["framework"].tolist() == ["Nginx(1.23.3)", "Caddy(2.6.4)", "Siskin"]


def test_the_directory_in_the_prompt_tells_runs_apart() -> None:
    page = "".join(f"bob@box:{folder}$ wrk -c10 http://h/\n@\n" for folder in ("~", "~/heron", "/srv/kiwi", "~"))
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    assert [value if isinstance(value, str) else None for value in runs["heading"]] == [
        None, "~/heron", "/srv/kiwi", None,
    ]  # fmt: skip


def test_the_branch_that_a_command_behind_a_prompt_takes_names_the_run() -> None:
    page = "".join(
        f"bob@box ~/src ({before})$ git switch {branch}\nbob@box ~/src ({branch})$ wrk -c10 http://h/\n@\n"
        for before, branch in (("main", "heron"), ("heron", "kiwi"))
    )
    assert named(page) == ["heron", "kiwi"]


@pytest.mark.parametrize(
    ("commands", "labels"),
    [
        (["./heron 1", "./heron 2", "./heron 2"], {"arg1": ["1", "2", "2"]}),
        (["./heron -v --size=3 a 1", "./heron -v --size=3 a 2"], {"arg1": [None] * 2, "arg2": ["1", "2"]}),
        (["python3 heron.py 8", "python3 heron.py 9", "pypy3 heron.py 8"], {"arg1": ["8", "9", "8"]}),
        (["node ./src/heron.js 8", "node ./src/heron.js"], {"arg1": ["8", None]}),
        (["go run ./heron 8", "go run ./heron 9"], {"arg1": ["8", "9"]}),
        (["gzip -9 big.txt", "gzip -1 big.txt"], {"arg1": ["9", "1"], "arg2": [None] * 2}),
        (["./heron 'a b' 8", "./heron 'a c' 8"], {"arg1": ["a b", "a c"], "arg2": [None] * 2}),
        (["./heron +RTS -N2", "./heron +RTS -N4"], {"arg1": [None] * 2, "cores": [2, 4]}),
        (["./start.sh heron 8", "./start.sh heron 9"], {"arg1": ["8", "9"]}),
        # Programs of different names have no arguments in common, and runs that agree need none.
        (["./heron 8", "./kiwi 9"], {"arg1": [None] * 2}),
        (["./heron 8", "./heron 8"], {"arg1": [None] * 2}),
        (["./heron --size 8", "./heron --size 9"], {"arg1": [None] * 2, "flag_size": ["8", "9"]}),
    ],
)  # fmt: skip
def test_arguments_tell_runs_of_one_program_apart(commands: list[str], labels: dict[str, list[object]]) -> None:
    times = "real\t0m1.5{0}s\nuser\t0m1.0s\nsys\t0m0.1s\n"
    page = "".join(f"$ time {command}\n{times.format(number)}" for number, command in enumerate(commands))
    runs = wp.parse_text(page).runs.sort_values("line")
    for key, values in labels.items():
        column = list(runs[key]) if key in runs else [None] * len(runs)
        assert [None if pd.isna(value) else value for value in column] == values


def test_arguments_of_a_server_tell_runs_apart_and_explain_no_heading() -> None:
    page = "".join(
        f"## {name}\n$ ./serve {name} {size} &\n$ wrk -c10 http://h/\n@\n"
        for name in ("heron", "kiwi")
        for size in (1, 8)
    )
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    assert list(runs["framework"]) == ["heron", "heron", "kiwi", "kiwi"]
    assert list(runs["arg2"]) == ["1", "8", "1", "8"]


@pytest.mark.parametrize("host", ["", ":", "127.0.0.1:"])
@pytest.mark.parametrize(("size", "arg2"), [("", None), (" 4", ["1", "4"])])
def test_the_port_of_the_url_is_no_argument_that_distinguishes_runs(
    size: str, arg2: list[str] | None, host: str
) -> None:
    page = "".join(
        f"$ ./heron {host}{port}{size and argument} &\n$ wrk -c10 http://127.0.0.1:{port}/\n"
        + WRK.replace(":8080", f":{port}").format(requests=10000, rate=1000)
        for port, argument in ((9301, " 1"), (9302, size))
    )
    runs = wp.parse_text(page).runs.sort_values("line")
    assert "arg1" not in runs
    assert (list(runs["arg2"]) if "arg2" in runs else None) == arg2


def test_kernel_parameters_hold_for_a_server_that_a_service_manager_starts() -> None:
    page = "".join(
        f"root@box:~# sysctl -w net.core.somaxconn={number}\nnet.core.somaxconn = {number}\n"
        "root@box:~# systemctl restart heron\nroot@box:~# wrk -c10 http://h/\n@\n"
        for number in (128, 4096)
    )
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    assert list(runs["net_core_somaxconn"]) == ["128", "4096"]


def test_a_container_that_root_starts_is_no_heading() -> None:
    page = "".join(
        f"# docker rm -f sut; docker run -d --cpus={cpus} heron:latest\n# wrk -c10 http://h/\n@\n" for cpus in (1, 2)
    )
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    assert list(runs["cores"]) == [1, 2]
    assert runs["section"].isna().all() or not any(runs["section"])


def test_a_commit_that_a_run_checks_out_overrules_the_one_that_git_bisect_printed_above() -> None:
    commits = ("91d3f44", "5b1e0d7", "a1b2c3d")
    page = "".join(
        f"$ git checkout -q {commit} && make -s && ./kiwi & sleep 2; wrk -t2 -c8 http://localhost/\n@\n"
        f"$ git bisect {verdict}\nBisecting: 3 revisions left to test after this (roughly 2 steps)\n"
        f"[{printed}] fewer copies\n"
        for commit, verdict, printed in zip(
            commits, ("good", "bad", "good"), ("0000001", "0000002", "0000003"), strict=True
        )
    )
    assert wp.parse_text(written(page)).runs["framework"].tolist() == list(commits)


def test_a_commit_that_git_bisect_prints_tells_runs_apart_and_a_verdict_does_not() -> None:
    subjects = {"a1": "parse lazily", "b2": "reload on HUP"}
    page = "".join(
        f"Bisecting: 3 revisions left\n[{digits * 20}] {subject}\n$ make -s bench\n@\n$ git bisect bad\n"
        for digits, subject in subjects.items()
    )
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    assert "framework" not in runs
    assert list(runs["heading"]) == ["a1a1a1a parse lazily", "b2b2b2b reload on HUP"]


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (["rest-a/wrk_conc10_r1.txt", "rest-a/wrk_conc10_r2.txt", "rest-b/wrk_conc10_r1.txt", "rest-b/wrk_conc10_r2.txt"],
         ["rest-a", "rest-a", "rest-b", "rest-b"]),
        (["10c-2t-svc_a.1.log", "10c-2t-svc_a.2.log", "10c-2t-svc_b.1.log", "10c-2t-svc_b.2.log"],
         ["svc_a", "svc_a", "svc_b", "svc_b"]),
        (["order service 10 conns.txt", "order service 10 conns (2).txt", "cart service 10 conns.txt"],
         ["order service", "order service", "cart service"]),
        (["heron-ng.10.wrk", "heron.10.wrk"], ["heron-ng", "heron"]),
        (["go1.24/job-1.stderr", "go1.24/job-2.stderr", "go1.25/job-1.stderr", "go1.25/job-2.stderr"],
         ["go1.24", "go1.24", "go1.25", "go1.25"]),
        (["salida_tomcat.txt", "salida_jetty.txt"], ["tomcat", "jetty"]),
        (["heron10.txt", "kiwi10.txt"], ["heron10", "kiwi10"]),  # one number may be part of the names
        (["before-1.jtl", "before-2.jtl", "after-1.jtl"], ["before", "before", "after"]),
        (["old-1.txt", "old-2.txt", "pr-1234-1.txt", "pr-1234-2.txt"], ["old", "old", "pr", "pr"]),
        (["rails 7/a-1.txt", "rails 7/a-2.txt", "rails 8/a-1.txt"], ["rails 7", "rails 7", "rails 8"]),
        (["php 8.log", "php 9.log"], ["php 8", "php 9"]),
        (["kiwi.txt", "kiwi_2.txt", "emu.txt", "emu_2.txt"], ["kiwi", "kiwi", "emu", "emu"]),
        (["main/1.txt", "main/2.txt", "pr-42/1.txt", "pr-42/2.txt"], ["main", "main", "pr-42", "pr-42"]),
        (["kiwi/run1.txt", "kiwi/warmup.txt", "emu/run1.txt", "emu/warm-up-2.txt"], ["kiwi", "kiwi", "emu", "emu"]),
        (["typescript"], [None]),
        (["typescript.txt"], [None]),  # as script(1) calls its file
    ],
)  # fmt: skip
def test_names_of_files_with_repeats_and_loads(tmp_path: Path, files: list[str], names: list[str | None]) -> None:
    for number, file in enumerate(files):
        path = tmp_path / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(WRK.format(requests=10 * (1000 + number), rate=1000 + number))
    runs = wp.read(str(tmp_path)).runs.set_index("source")
    column = runs.get("framework", {})
    found = [column.get(file) for file in files]
    assert [value if isinstance(value, str) else None for value in found] == names
    repeats = runs.groupby([key for key in ("framework", "connections") if key in runs], dropna=False).size()
    others = {"directory", "file_name", "file_name_2"} & set(runs.columns)
    assert not others or len(repeats) == len(files), "repeats have no label of their own"


@pytest.mark.parametrize(
    ("first", "counts", "numbers"),
    [
        ((10, 64), range(1, 5), [""] * 8),  # the report says that 10 and 64 are connections: 1 to 4 are repeats
        ((10, 64), range(3), [""] * 6),
        ((7, 70), range(1, 4), ["7"] * 3 + ["70"] * 3),  # 1 to 3 beside each are repeats, 7 and 70 are a setting
        ((7, 70), range(1, 3), ["7 1", "7 2", "70 1", "70 2"]),  # 1 and 2 alone may be cores
        ((7, 70), (2, 4, 8), [f"{first} {last}" for first in (7, 70) for last in (2, 4, 8)]),
    ],
)
def test_a_last_number_that_counts_by_one_beside_another_counts_repeats(
    tmp_path: Path, first: tuple[int, ...], counts: Iterable[int], numbers: list[str]
) -> None:
    for name in ("emu", "kiwi"):
        for load, count in itertools.product(first, counts):
            report = WRK.format(requests=10_000 + load + count, rate=1000 + load + count)
            connections = load if load in (10, 64) else 10
            (tmp_path / f"{name}_{load}_{count}.log").write_text(
                report.replace("10 connections", f"{connections} connections")
            )
    runs = wp.read(str(tmp_path)).runs.sort_values("source", key=lambda files: files.map(by_number))
    assert list(runs["framework"]) == ["emu"] * len(numbers) + ["kiwi"] * len(numbers)
    columns = [list(runs[key]) for key in ("file_name", "file_name_2") if key in runs]
    assert [" ".join(row) for row in zip(*columns, strict=True)] == (numbers * 2 if any(numbers) else [])


@pytest.mark.parametrize("names", ["kiwi-7 kiwi-8 kiwi-9", "kiwi_5_0 kiwi_5_1 kiwi_5_2", "kiwi_1_1_0 kiwi_1_1_1"])
def test_numbers_that_may_be_versions_are_no_repeats(tmp_path: Path, names: str) -> None:
    """7 and 8 may be versions, cores or what not: only numbers from 0 or 1 on count."""
    for number, name in enumerate(names.split()):
        (tmp_path / f"{name}.log").write_text(WRK.format(requests=10 * (1000 + number), rate=1000 + number))
    runs = wp.read(str(tmp_path)).runs.sort_values("source")
    assert len(set(runs["file_name"])) == len(runs)


@pytest.mark.parametrize(
    "page",
    [
        "## {}\n\n@\n",
        "==> {}\n@\n",
        "==> [1/4] {} (2 workers)\nStarting server... ok (pid 812)\n@\nStopping server... done\n",
    ],
)
def test_flags_tell_variants_of_one_name_apart(page: str) -> None:
    names = ["orders-svc", "orders-svc --no-cache", "orders-svc --no-cache --pool=8"]
    runs = wp.parse_text(written("\n".join(page.format(name) for name in names * 2))).runs.sort_values("line")
    assert list(runs["framework"]) == names * 2


def test_flags_of_different_names_stay_outside_them() -> None:
    page = "\n".join(f"## {name}\n\n@\n" for name in ("emu --prod", "kiwi --max-old-space-size=4096"))
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    assert list(runs["framework"]) == ["emu", "kiwi"]


def by_number(file: str) -> tuple[str, int, int]:
    name, load, count = file.removesuffix(".log").split("_")
    return name, int(load), int(count)


def test_letters_and_versions_in_names_of_files_are_settings(tmp_path: Path) -> None:
    for name, version, number in itertools.product(("kiwi", "emu"), ("v1.2.0", "v1.3.0"), (1, 2)):
        text = WRK.format(requests=10000 + number, rate=1000 + number)
        (tmp_path / f"bench_{name}-{version}_c10_t2_d10_{number}.txt").write_text(text)
    runs = wp.read(tmp_path).runs
    assert set(zip(runs["framework"], runs["version"], strict=True)) == set(
        itertools.product(("kiwi", "emu"), ("v1.2.0", "v1.3.0"))
    )
    assert not {"file_name", "heading"} & set(runs)


def test_numbers_in_brackets_that_leave_gaps_are_no_copies(tmp_path: Path) -> None:
    """A matrix of jobs has folders such as ``bench (20)``; a desktop calls the second copy of a file ``a (2).txt``."""
    for number, folder in enumerate(["bench (20)", "bench (22)"]):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "6_Run wrk.txt").write_text(WRK.format(requests=10 * (1000 + number), rate=1000 + number))
    runs = wp.read(str(tmp_path)).runs.sort_values("source")
    assert list(runs["directory"]) == ["20", "22"]


def test_files_that_letters_count_name_nothing_but_stay_apart(tmp_path: Path) -> None:
    """Whether a and b are repeats or variants nobody knows: they are compared pairwise, and their folders named."""
    for number, file in enumerate(["p1/a.log", "p1/b.log", "p2/a.log", "p2/b.log"]):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(WRK.format(requests=10 * (1000 + number), rate=1000 + number))
    runs = wp.read(str(tmp_path)).runs.sort_values("source")
    assert "framework" not in runs
    assert list(runs["directory"]) == ["p1", "p1", "p2", "p2"]
    assert list(runs["series"]) == ["a", "b", "a", "b"]


@each_case(
    "page, headings",
    [
        # Sentences name nothing for sure, but their runs are no repeats of one setting.
        ("As it is in production:\n\n@\n\nThen I turned off keep-alive and ran it again:\n\n@\n\n@",
         ["in production", *["turned off keep-alive"] * 2]),
        ("The pool has 1 thread.\n\n@\n\nThe pool has 2 threads.\n\n@", ["1 thread", "2 threads"]),
        ("@\n^ that's without the index\n@\n^^ and with it\n", ["without the index", "and with it"]),
        ("@\n^ that's without the index\n\n@\n^ and that's with the index on name\n",
         ["without the index", "with the index on name"]),
        ("With the index:\n\n@\n\nThen we dropped the index and ran it again:\n\n@",
         ["With the index", "dropped the index"]),
        # What all of them share, at their ends or in their middle, says nothing.
        ("Here we have the old pool of 8 wide.\n@\nThen we took the ring of 9 wide.\n@", ["have the old pool of 8 wide", "took the ring of 9 wide"]),
        # Code in a sentence is what it is about, unless the sentence takes it away.
        ("With `v1.9.0`:\n\n@\n\nAfter bumping to `v1.10.0` and nothing else:\n\n@", ["v1.9.0", "v1.10.0"]),
        ("With `--fsync`:\n\n@\n\nAnd now without `--fsync`, of course:\n\n@",
         ["--fsync", "without --fsync, of course"]),
        # A sentence in front of the one with the colon is about something else.
        ("sure, here you go. Default:\n\n@\n\nand with `--no-log`:\n\n@", ["Default", "with --no-log"]),
        (("Starting point:\n\n@\n\nThat is slow. Let's see what happens if we widen the pool:\n\n@\n\n"
         "A bit better. What about a bigger box?\n\n@"), ["Starting point", "widen the pool", "bigger box"]),
        # A sentence may be wrapped; what it stresses is its subject.
        (("The results of *kiwi*, the reverse proxy that runs on a single\nbox with two cores, paired with 3.68 GiB RAM:\n\n"
         "@\n\nThe results of *emu* on the same box as above:\n\n@"), ["kiwi", "emu"]),
        (("It was a *very* slow start, as you see:\n\n@\n\nThe second one was *much* better, with four threads:\n\n@"),
         ["very slow start, as you see", "with four threads"]),
        (("It gives us:\n\n@\n\nThe same benchmark for Curly yields:\n\n@"),
         [None, "for Curly"]),
        # Of several lines, the nearest that is not above all of the runs.
        ("Kernel 6.8 is booted.\nThe fans are loud.\n@\nKernel 6.9 rc is booted.\nThe fans are loud.\n@",
         ["6.8", "6.9 rc"]),
        # Code of a server is less than the line above it.
        (('It is plain here:\n\n```\nserve(":80", "a.pem") {\n```\n\n@\n\nNow behind a proxy:\n\n'
         '```\nproxy(":80", "b.pem") {\n```\n\n@'), ["plain", "behind a proxy"]),
        # What a person writes is no note of a program, whatever its words.
        ("As it is:\n\n@\n\nThen I stopped the sidecar and ran it again:\n\n@",
         ["As it is", "stopped the sidecar"]),
        ("As it is:\n\n@\n\nNow with clients connected through the proxy.\n\n@",
         ["As it is", "with clients connected through the proxy"]),
        # Of a chat, what was written, not who wrote it.
        ("ann  10:41 AM\nok so before touching anything:\n@\nann  10:52 AM\nyeah, now with the cache\n@",
         ["before touching anything", "yeah, now with the cache"]),
        (("[10:31] ann: box is free, auth v3 is up\n[10:32] ann:\n@\n[10:33] bo: hm, lower than last week\n"
         "[10:34] ann: now auth v4\n[10:35] ann:\n@\n[10:36] ann: once more to be sure\n@"),
         ["box is free, auth v3 is up", "auth v4", "auth v4"]),
        ("A pool of 4 connections to the base.\n\n@\n\nNow a pool of 16 connections to the base.\n\n@",
         ["4 connections", "16 connections"]),
        (("ann  9:12 AM\nhere's prod as it is\n@\nann  9:20 AM\nnow the new resolver\n@\nbo  9:22 AM\nwow. again please?\n"
         "ann  9:25 AM\nsure\n@"), ["prod as it is", "new resolver", "new resolver"]),
        # Conditions that stand as titles, with nothing else above any run.
        ("cold cache:\n@\nwarm cache:\n@", ["cold cache", "warm cache"]),
        # Of a change the text tells, though of the run before it says nothing.
        ("Here is the output:\n@\nNow with the resolver:\n@", [None, "resolver"]),
        # Unless the text says so, or says nothing.
        ("I ran it with the defaults.\n@\nHere is the output:\n@", [None, None]),
        ("Old and new in turns, against drift.\nRound 1\nA:\n@\nRound 2\nA:\n@", [None, None]),
        ("I ran it three times on a quiet box.\n@\nSecond run:\n@\nAnd the third one:\n@", [None] * 3),
        ("As it is in production:\n\n@\n\nOnce more:\n\n@", [None, None]),
        ("Here is the output:\n\n@\n\nThe results:\n\n@", [None, None]),
        ("It took 3 s for 1200 pages.\n@\nIt took 4 s for 1300 pages.\n@", [None, None]),
        ("GET /pages/a 200 3ms\n@\nGET /pages/b 404 1ms\n@", [None, None]),
        ("listening on port 80, all fine\n@\nstopped after a while, all fine\n@", [None, None]),
    ],
)  # fmt: skip
def test_runs_below_different_sentences_are_no_repeats(page: str, headings: list[str | None]) -> None:
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    assert "framework" not in runs
    column = runs["heading"] if "heading" in runs else [None] * len(runs)
    assert [value if isinstance(value, str) else None for value in column] == headings


def test_a_load_behind_a_name_is_no_part_of_it(tmp_path: Path) -> None:
    """``heron50`` at 50 connections is heron."""
    for number, (name, load) in enumerate([("heron", 50), ("heron", 100), ("kiwi", 50), ("kiwi", 100)]):
        report = WRK.format(requests=10 * (1000 + number), rate=1000 + number)
        (tmp_path / f"{name}{load}.txt").write_text(report.replace("10 connections", f"{load} connections"))
    runs = wp.read(str(tmp_path)).runs.sort_values("source")
    assert list(runs["framework"]) == ["heron", "heron", "kiwi", "kiwi"]


@pytest.mark.parametrize(
    "again",
    [
        "again, same thing",
        "Second run:",
        "And a third:",
        "Another go, to be safe:",
        "Just to double-check:",
        "I let it run a second time, to see how much it moves:",
        "Nothing to see here, so again:",
        "That is what one would compute from 200 threads and 0.1 s each. Once more to be sure:",
    ],
)
def test_a_run_below_a_remark_that_it_is_a_repeat_is_one(again: str) -> None:
    runs = wp.parse_text(written(f"# Trying a pool\n\npooled\n\n@\n\n{again}\n\n@\n\nunpooled\n\n@")).runs
    keys = [key for key in ("framework", "heading") if key in runs]
    told = [tuple(row) for row in runs.sort_values("line")[keys].astype("object").fillna("").to_numpy()]
    assert told[0] == told[1] != told[2]


def test_a_paragraph_that_tells_of_a_change_is_no_remark_on_a_repeat() -> None:
    page = "# Pool\n\nFirst as it is:\n\n@\n\nI then disabled the query log in the configuration. Once more:\n\n@"
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    assert runs["heading"].fillna("").nunique() == 2


def test_edits_in_a_session_tell_the_runs_below_apart_up_to_the_next() -> None:
    """The prompt is the same above all runs, so a run with nothing else above goes on with what was edited before."""
    load = "root@box:~# wrk -c10 -t2 -d10s http://127.0.0.1:8080/\n@\n"
    page = (
        "root@box:~# grep pool app.ini\npool = 0\n" + 2 * load
        + "root@box:~# sed -i 's/pool = 0/pool = 8/' app.ini\nroot@box:~# systemctl restart app\n" + 2 * load
    )  # fmt: skip
    headings = wp.parse_text(written(page)).runs.sort_values("line")["heading"].fillna("").tolist()
    assert headings[0] == headings[1] != headings[2] == headings[3]


def session(*lines: str) -> list[str]:
    """What tells the runs of a session apart, in the order of their lines."""
    runs = wp.parse_text(written("\n".join(lines))).runs.sort_values("line")
    keys = [key for key in ("framework", "heading") if key in runs]
    return ["/".join(row) for row in runs[keys].astype("object").fillna("").to_numpy()]


LOAD = "~/sorter$ wrk -c10 -t2 -d10s http://127.0.0.1:8080/"


def test_a_checkout_in_a_line_that_starts_the_server_too_names_the_runs_below() -> None:
    start = "~/sorter$ git checkout -q {} && go build && (./sorter &) && sleep 1"
    lines = [
        line for name in ("kiwi", "emu", "kiwi") for line in (start.format(name), LOAD, "@", "@", "$ pkill sorter")
    ]
    assert session(*lines) == ["kiwi", "kiwi", "emu", "emu", "kiwi", "kiwi"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("vim app.conf", "vim app.conf"),  # what was changed nobody knows
        ("kubectl set image deploy/api api=acme/api:1", "kubectl set image deploy/api api=acme/api:2"),
        ("echo 1 > /proc/sys/net/ipv4/tcp_tw_reuse", "echo 0 > /proc/sys/net/ipv4/tcp_tw_reuse"),
        ("chrt -f 50 ./sorter &", "./sorter &"),
        ("POOL=8; ./sorter -pool $POOL &", "POOL=16; ./sorter -pool $POOL &"),
    ],
)
def test_what_is_changed_between_runs_makes_them_no_repeats(first: str, second: str) -> None:
    page = "\n".join(f"~/sorter$ {command}\n{LOAD}\n@\n@" for command in (first, second))
    dataset = wp.parse_text(written(page))
    factors = wp.factors(dataset)
    keys = [*factors.compared, *factors.load]
    settings = list(
        dataset.runs.sort_values("line")[keys].astype("string").fillna("").itertuples(index=False, name=None)
    )
    assert settings[0] == settings[1] != settings[2] == settings[3]


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        (["$ IMG=kiwi:1; docker run -d $IMG", "@", "$ IMG=emu:2; docker run -d $IMG", "@"], ["kiwi:1", "emu:2"]),
        (["$ IMG=kiwi:1", "$ docker run ${IMG}", "@", "$ IMG=emu:2", "$ docker run ${IMG}", "@"], ["kiwi:1", "emu:2"]),
        (["$ SRV=kiwi", "$ ./$SRV -p 80 &", "@", "$ SRV=emu", "$ ./$SRV -p 80 &", "@"], ["kiwi", "emu"]),
    ],
)
def test_variables_of_the_shell_have_their_values_in_commands(lines: list[str], names: list[str]) -> None:
    page = "\n".join(f"{LOAD}\n@" if line == "@" else line for line in lines)
    assert named(page) == names


@pytest.mark.parametrize("edit", ["git stash", "git apply ../pool.patch", "vim pool.go", "patch -p1 < pool.diff"])
def test_a_run_above_a_command_that_edits_is_no_repeat_of_those_below(edit: str) -> None:
    lines = ["~/sorter$ ./sorter &", LOAD, "@", "@", f"~/sorter$ {edit} && go build && ./sorter &", LOAD, "@", "@"]
    told = session(*lines)
    assert told[:2] == ["", ""]
    assert told[2] == told[3] == edit.partition(" <")[0]


def test_the_file_that_an_editor_opens_names_no_run() -> None:
    lines = ["~/sorter$ vim README.md", LOAD, "@", "@", "~/sorter$ vim notes.txt", LOAD, "@", "@"]
    runs = wp.parse_text(written("\n".join(lines))).runs
    assert "framework" not in runs or runs["framework"].isna().all()


def test_a_command_that_only_waits_or_looks_tells_no_runs_apart() -> None:
    lines = ["~/sorter$ ./sorter & sleep 1", LOAD, "@", "~/sorter$ git status; free -m; ./sorter & sleep 5", LOAD, "@"]
    assert len(set(session(*lines))) == 1


def test_what_the_measured_program_prints_names_no_run() -> None:
    lines = [
        line
        for number, sum_ in enumerate(("99ab14", "99ab42", "77fe01"))
        for line in (
            "$ time ./sorter data.bin",
            f"checksum {sum_}",
            "",
            f"real\t0m1.2{number}s",
            "user\t0m1.1s",
            "sys\t0m0.1s",
        )
    ]
    runs = wp.parse_text("\n".join(lines)).runs
    assert len(runs) == 3
    assert "framework" not in runs or runs["framework"].isna().all()
    assert "heading" not in runs or runs["heading"].isna().all()


def test_a_name_that_the_path_has_as_well_is_a_name() -> None:
    page = "### REST\n\n@\n\n### GraphQL\n\n@"
    text = written(page)
    first, second = text.split("### GraphQL")
    text = first + "### GraphQL" + second.replace("8080/", "8080/graphql")
    runs = wp.parse_text(text).runs.sort_values("line")
    assert runs["framework"].tolist() == ["REST", "GraphQL"]


def test_with_and_without_belong_to_what_follows() -> None:
    page = "## Without sidecar\n\n@\n\n## With sidecar\n\n@\n\n## With sidecar, strict mode\n\n@"
    assert named(page) == ["Without sidecar", "With sidecar", "With sidecar, strict mode"]


def fenced(page: str) -> str:
    return written(page.replace("@", "```\n@\n```"))


@pytest.mark.parametrize("between", ["\n", "\n\n"])
@pytest.mark.parametrize("caption", ["*{}*", "*Listing 1: {}*"])
def test_captions_below_blocks_name_these_also_behind_a_blank_line(between: str, caption: str) -> None:
    page = "\n\n".join(f"@{between}{caption.format(name)}" for name in ("juniper", "sorrel", "tamarack"))
    runs = wp.parse_text(fenced(f"# Locks\n\n{page}")).runs.sort_values("line")
    key = "framework" if "framework" in runs else "heading"
    assert [value.removeprefix("Listing 1: ") for value in runs[key]] == ["juniper", "sorrel", "tamarack"]


def test_captions_above_blocks_name_these() -> None:
    page = "\n\n".join(f"*{name}*\n\n@" for name in ("juniper", "sorrel", "tamarack"))
    runs = wp.parse_text(fenced(f"# Locks\n\n{page}")).runs.sort_values("line")
    assert runs["framework"].tolist() == ["juniper", "sorrel", "tamarack"]


def test_a_repeat_in_a_block_of_its_own_has_the_name_of_the_block_before() -> None:
    page = (
        "Plain locks:\n\n@\n\nSecond run:\n\n@\n\nWith atomics:\n\n@\n\nSecond run:\n\n@\n\n# Other\n\nSecond run:\n\n@"
    )
    runs = wp.parse_text(fenced(page)).runs.sort_values("line")
    names = [value if isinstance(value, str) else None for value in runs["framework"]]
    assert names == ["Plain locks", "Plain locks", "With atomics", "With atomics", None]


@pytest.mark.parametrize("clock", ["09:05  ", "9:05 ", "09:05 - ", "09:05\t", "9:05 am: ", "09:05h "])
def test_the_clock_in_front_of_a_note_is_no_part_of_it(clock: str) -> None:
    said = ("plover", "same again", "-Xmx2g", "again", "-XX:+UseOtherGC, heap still 2g", "and once more", "plover")
    page = "price service, four cores\n\n" + "\n\n".join(f"{clock}{line}\n\n@" for line in said)
    other = "-XX:+UseOtherGC, heap still 2g"
    assert named(page) == ["plover", "plover", "-Xmx2g", "-Xmx2g", other, other, "plover"]


def test_a_note_that_a_name_runs_again_means_the_run_of_that_name() -> None:
    said = ("heron", "plover", "heron again", "plover again", "with a pool, four workers", "heron, again")
    page = "\n\n".join(f"09:0{at} {line}\n\n@" for at, line in enumerate(said))
    assert named(f"notes\n\n{page}") == ["heron", "plover", "heron", "plover", "with a pool, four workers", "heron"]


@pytest.mark.parametrize("line", ["09:05 up 3 days, 2 users", "[09:05] ann: plover it is", "09:05 bo: try plover"])
def test_a_clock_of_a_chat_or_of_uptime_is_left_to_them(line: str) -> None:
    assert without_clock(line) == line


@pytest.mark.parametrize(
    "headings",
    [
        ("Expected behavior", "Actual behavior"),
        ("What did you expect to see?", "What did you see instead?"),
        ("Describe the bug", "Steps to reproduce", "Additional context"),
    ],
)
def test_headings_of_a_template_tell_runs_apart_and_name_none(headings: tuple[str, ...]) -> None:
    page = "".join(f"### {heading}\n\n@\n\n" for heading in headings)
    assert named(page) == [None] * len(headings)
    assert wp.parse_text(written(page)).runs["heading"].nunique() == len(headings)


def test_names_that_a_script_prints_above_several_runs_are_frameworks() -> None:
    page = "".join(f"{name}\nwarming the cache\n@\n@\n\n" for name in ("heron", "plover", "ibis"))
    assert named(page) == ["heron", "heron", "plover", "plover", "ibis", "ibis"]


@pytest.mark.parametrize(
    "lines", [("step one", "step two", "step three", "step four"), ("cold", "warm"), ("it was slow", "it was fast")]
)
def test_other_lines_above_runs_tell_them_apart_and_name_none(lines: tuple[str, ...]) -> None:
    page = "".join(f"{line}\nwaiting for it\n@\n\n" for line in lines)
    assert named(page) == [None] * len(lines)


@pytest.mark.parametrize("baseline", ["baseline", "vanilla", "control"])
def test_what_stands_beside_a_baseline_is_a_variant(baseline: str) -> None:
    page = f"## {baseline}\n\n@\n\n## cache\n\n@\n\n## cache+gzip\n\n@\n"
    assert named(page) == [baseline, "cache", "cache+gzip"]


def test_conditions_without_a_baseline_are_no_variants() -> None:
    assert named("## cache\n\n@\n\n## gzip\n\n@\n\n## cache+gzip\n\n@\n") == [None] * 3


def test_a_number_that_one_name_alone_has_belongs_to_it() -> None:
    page = "## Test 1 – Plain\n\n@\n\n## Test 2 – Queue 50\n\n@\n\n## Test 3 – Queue 100\n\n@\n"
    assert named(page) == ["Plain", "Queue 50", "Queue 100"]
    assert named("## kiwi / 2\n\n@\n\n## kiwi / 8\n\n@\n\n## emu / 2\n\n@\n\n## emu / 8\n\n@\n") == ["kiwi", "kiwi", "emu", "emu"]  # fmt: skip


def test_a_number_in_a_name_that_is_a_label_by_chance_belongs_to_it() -> None:
    """WRK has two threads; 10 is its number of connections, and 5 that of nothing."""
    assert named("## Nimbus 2 + pgo\n\n@\n\n## Quokka\n\n@\n") == ["Nimbus 2 + pgo", "Quokka"]
    assert named("## Nimbus 5 + pgo\n\n@\n\n## Nimbus 2 + pgo\n\n@\n") == ["Nimbus 5 + pgo", "Nimbus 2 + pgo"]
    assert named("## kiwi 10 pgo\n\n@\n\n## emu 10 pgo\n\n@\n") == ["kiwi pgo", "emu pgo"]


def test_the_cores_of_the_machine_above_runs_on_some_of_them_are_no_setting_of_these() -> None:
    blocks = [
        f"--- {name}, {cores} cores ---\n$ taskset -c 0-{cores - 1} ./{name} &\n@\n"
        for name in ("magpie", "dunnock")
        for cores in (2, 4, 16)
    ]
    runs = wp.parse_text(written("16-core epyc\n============\n\n" + "\n".join(blocks))).runs.sort_values("line")
    assert list(zip(runs["framework"], runs["cores"], strict=True)) == [
        ("magpie", 2), ("magpie", 4), ("magpie", 16), ("dunnock", 2), ("dunnock", 4), ("dunnock", 16),
    ]  # fmt: skip
    assert "heading" not in runs


def test_a_log_of_nohup_names_nothing(tmp_path: Path) -> None:
    for number, name in enumerate(("out1.log", "out2.log", "nohup.out")):
        (tmp_path / name).write_text(WRK.format(requests=10 * (1000 + number), rate=1000 + number))
    assert not {"framework", "file_name"} & set(wp.read(str(tmp_path)).runs.columns)


def test_no_joining_word_and_no_comma_is_left_of_a_name() -> None:
    assert named("### Cena 1: um processo\n\n@\n\n### Cena 2: cluster com 4 workers\n\n@\n") == [
        "um processo",
        "cluster",
    ]
    page = "".join(f"# {name}, {state}\n\n@\n\n" for name in ("heron", "ibis") for state in ("cold", "warm"))
    assert named(page) == ["heron", "heron", "ibis", "ibis"]
    assert named("com índice\n@\n\nsem índice\n@\n") == ["com índice", "sem índice"]


@pytest.mark.parametrize(
    ("commands", "key", "values"),
    [
        (("make -j1", "make -j4"), "flag_j", ["1", "4"]),
        (("cargo build", "cargo build --release"), "flag_release", [None, "true"]),
        (("kubectl apply -f a.yml", "kubectl apply -f b.yml"), "arg3", ["a.yml", "b.yml"]),
        (("ssh emu true", "ssh kiwi true"), "arg1", ["emu", "kiwi"]),
        (("./kiwi < small.txt", "./kiwi <big.txt"), "arg1", ["small.txt", "big.txt"]),
        (("docker run lab/emu", "docker run lab/kiwi"), "program", ["lab/emu", "lab/kiwi"]),
    ],
)
def test_other_commands_that_are_timed_are_no_repeats(
    commands: tuple[str, str], key: str, values: list[str | None]
) -> None:
    page = "".join(
        f"$ time {command}\n\nreal\t0m1.{at}00s\nuser\t0m1.000s\nsys\t0m0.010s\n" for at, command in enumerate(commands)
    )
    column = wp.parse_text(page).runs.sort_values("line")[key]
    assert [None if pd.isna(value) else value for value in column] == values


@pytest.mark.parametrize(
    ("one", "other", "names"),
    [
        ("git checkout -q main", "git checkout -q perf/copy", ["main", "perf/copy"]),
        ("./kiwi -p 8080", "./emu -p 8080", ["kiwi", "emu"]),
        ("docker run -d lab/kiwi:1", "docker run -d lab/kiwi:2", ["kiwi:1", "kiwi:2"]),
        ("cp kiwi.conf srv.conf", "cp emu.conf srv.conf", ["kiwi.conf", "emu.conf"]),
    ],
)
@pytest.mark.parametrize("stamp", ["", "[2026-11-20T10:00:0{}.300Z] "])
def test_commands_that_a_shell_traces_name_the_runs_below(one: str, other: str, names: list[str], stamp: str) -> None:
    """As `set -x` prints them in the log of a build."""
    lines = [
        line
        for command in (one, other) * 2
        for line in (f"+ {command}", "+ sleep 1", "+ wrk -t2 -c10 -d10s http://127.0.0.1:8080/", "@", "+ kill %1")
    ]
    text = written("\n".join(lines))
    page = "".join(f"{stamp.format(at % 10)}{line}\n" for at, line in enumerate(text.splitlines()))
    assert list(wp.parse_text(page).runs.sort_values("line")["framework"]) == names * 2


@pytest.mark.parametrize(
    "form", ["- {}: Requests/sec: {}.25\n", "- {}: Requests per second:    {}.21 [#/sec] (mean)\n"]
)
def test_each_of_the_results_of_one_name_in_a_list_has_it(form: str) -> None:
    names = ["zorin", "zorin", "zorin", "quelp", "quelp"]
    page = "## Results\n\n" + "".join(form.format(name, 20000 + 1000 * n) for n, name in enumerate(names))
    assert wp.parse_text(page, source="x.md").runs.sort_values("line")["framework"].tolist() == names


def test_statistics_in_front_of_results_in_a_list_name_no_servers() -> None:
    page = "## zorin\n\n" + "".join(
        f"- {name}: Requests/sec: {n}00.25\n" for n, name in enumerate(("best", "worst", "average"), 1)
    )
    assert "framework" not in wp.parse_text(page, source="x.md").runs


@pytest.mark.parametrize("form", ["Requests/sec: {}.25 ({})\n", "Requests/sec: {}.25  # {}\n"])
def test_names_behind_results_may_be_known_and_unknown(form: str) -> None:
    names = ["nginx", "zorin", "quelp"]
    page = "".join(form.format(20000 + 1000 * n, name) for n, name in enumerate(names))
    assert named(page) == names


def test_scripts_of_interpreters_that_a_shell_traces_name_the_runs_below() -> None:
    """As `set -x` prints them. The arguments are those of the command above the run, not of one before it."""
    commands = ["php zorin.php 5000", "./quelp 5000 17", "php zorin.php 90000", "./quelp 90000 17"]
    times = "\nreal\t0m0.{0}s\nuser\t0m0.{0}s\nsys\t0m0.000s\n"
    page = "".join(f"+ {command}\n0\n{times.format(100 + at)}" for at, command in enumerate(commands))
    runs = wp.parse_text(page).runs.sort_values("line")
    assert list(runs["program"]) == ["php zorin.php", "quelp"] * 2
    assert list(runs["arg1"]) == ["5000", "5000", "90000", "90000"]


@pytest.mark.parametrize(
    ("flag", "key", "value"),
    [("-w {}", "heading", "w={}"), ("--pool {} -q", "pool", "{}"), ("--pool={}", "pool", "{}")],
)
def test_flags_behind_names_in_headings_tell_runs_of_each_name_apart(flag: str, key: str, value: str) -> None:
    page = "".join(f"## {name} {flag.format(n)}\n@\n" for name in ("brask", "quenlo") for n in (2, 4))
    runs = wp.parse_text(written(page), source="x.md").runs.sort_values("line")
    assert list(runs["framework"]) == ["brask", "brask", "quenlo", "quenlo"]
    assert list(runs[key]) == [value.format(2), value.format(4)] * 2


@pytest.mark.parametrize("step", ["wait", "bench"])
@pytest.mark.parametrize(("prompt", "behind"), [("+ ", ""), ("$ ", " &")])
def test_scripts_of_interpreters_that_do_a_step_start_no_server(prompt: str, behind: str, step: str) -> None:
    page = "".join(f"{prompt}./{name}{behind}\n{prompt}python3 {step}.py\n@\n" for name in ("zorin", "quelp"))
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    assert list(runs["program"]) == ["zorin", "quelp"]


@pytest.mark.parametrize(
    "options",
    [
        *("ruby -Isrc {}.rb", "ruby -rpre {}.rb", "node -c {}.js"),  # which end like options with code
        *("php -d x=1 {}.php", "php -c php.ini {}.php", "node -r dotenv/config {}.js", "python3 -W ignore {}.py"),
    ],
)
@pytest.mark.parametrize("prompt", ["+ ", "$ "])
def test_values_of_options_of_interpreters_are_not_the_script(prompt: str, options: str) -> None:
    page = "".join(f"{prompt}{options.format(name)}\n@\n" for name in ("zorin", "quelp"))
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    assert list(runs["framework"]) == ["zorin", "quelp"]


def test_code_on_a_command_line_is_no_name_of_a_program() -> None:
    commands = ["ruby -e '(1..9).inject(:+)'", "python3 -c 'sum([1, 2])'", "perl -lne '$a+=$_ for 1..9'"]
    times = "\nreal\t0m0.{0}s\nuser\t0m0.{0}s\nsys\t0m0.000s\n"
    page = "".join(f"$ time {command}\n{times.format(100 + at)}" for at, command in enumerate(commands))
    assert list(wp.parse_text(page).runs.sort_values("line")["program"]) == ["ruby", "python3", "perl"]


def test_versions_of_a_known_name_above_traces_tell_them_apart() -> None:
    trace = "".join(GC.format(n=n, t=f"0.00{n}") for n in (1, 2, 3))
    runs = wp.parse_text(f"Go 1.21:\n{trace}\nGo 1.22:\n{trace}").runs.sort_values("line")
    assert list(runs["version"]) == ["1.21", "1.22"]
    assert not {"heading", "version"} & set(wp.parse_text(f"It took 1.21 s\n{trace}\nIt took 1.22 s\n{trace}").runs)


@pytest.mark.parametrize(
    "prompt",
    ["[mira@tp {}]$ ", "mira@tp:~/{}$ ", "mira@tp:~/bench/{}$ "],
)
def test_the_directory_of_a_prompt_names_the_runs(prompt: str) -> None:
    """A command that ends a server still has the prompt of the directory before. Folders that all share are no name."""
    names = ["heron", "kiwi"] * 2
    commands = ("./run &\n[1] 4242\n", "wrk -t2 -c10 -d10s http://127.0.0.1:8080/\n@\n", "kill %1\n")
    page = "".join(prompt.format(name) + command for name in names for command in commands)
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    assert list(runs["framework"]) == names


@pytest.mark.parametrize("mark", ["##[group]Run ", "::group::"])
def test_groups_of_a_workflow_name_the_runs_in_them(mark: str) -> None:
    names = ["heron", "kiwi"]
    page = "".join(
        f"{mark}./bench.sh {name}\n./bench.sh {name}\nshell: bash -e {{0}}\n##[endgroup]\n@\n" for name in names * 2
    )
    lines = "".join(f"2026-11-20T10:00:00.1234567Z {line}\n" for line in written(page).splitlines())
    assert list(wp.parse_text(lines).runs.sort_values("line")["framework"]) == names * 2


@pytest.mark.parametrize(
    ("line", "same"), [("emu:", False), ("emu", False), ("And once more:", True), ("Output:", True)]
)
def test_a_name_above_the_second_run_of_a_section_tells_it_from_the_first(line: str, same: bool) -> None:
    runs = wp.parse_text(written(f"## Throughput\n\n```\n@\n```\n\n{line}\n\n```\n@\n```\n")).runs
    told = [key for key in ("framework", "heading") if key in runs and runs[key].notna().any()]
    assert bool(told) is not same


def test_directories_in_prompts_are_called_by_what_is_behind_the_folders_that_they_share() -> None:
    lines = [f"lab@box:~/servers/{name}$ wrk -t2 -c10 -d10s http://127.0.0.1:8080/\n@" for name in ("kiwi", "emu")]
    assert named("\n".join(lines)) == ["kiwi", "emu"]


@pytest.mark.parametrize(
    "days", [["Nov 20", "Nov 21"], ["20 November 2026", "21 November 2026"], ["2026-11-20", "2026-11-21"]]
)
def test_a_heading_of_a_day_is_no_name_and_parts_the_runs(days: list[str]) -> None:
    page = "".join(f"## {day}\n\n@\n@\n" for day in days)
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    assert "framework" not in runs
    assert list(runs["heading"]) == [days[0], days[0], days[1], days[1]]


def test_a_pull_request_has_its_number_beside_a_branch() -> None:
    runs = wp.parse_text(written("## main\n\n@\n## PR 42\n\n@\n")).runs.sort_values("line")
    assert list(runs["framework"]) == ["main", "PR 42"]


@pytest.mark.parametrize(
    ("files", "key", "values"),
    [
        (["cpu0/1.txt", "cpu1/1.txt"], "directory", ["cpu0", "cpu1"]),  # the first and the second
        (["cpu0.txt", "cpu1.txt", "cpu2.txt"], "file_name", ["cpu0", "cpu1", "cpu2"]),
        (["cpu1/1.txt", "cpu2/1.txt", "cpu4/1.txt"], "cores", ["1", "2", "4"]),
        (["1core/1.txt", "4cores/1.txt"], "cores", ["1", "4"]),
        (["run1.txt", "run2.txt", "warmup.txt"], "phase", ["", "", "warm-up"]),
        (["cold/1.txt", "no-warmup/1.txt", "warmup/1.txt"], "phase", ["", "", ""]),  # which may be a setting
    ],
)
def test_numbers_of_processors_and_warm_ups_in_paths(
    tmp_path: Path, files: list[str], key: str, values: list[str]
) -> None:
    for number, file in enumerate(files):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(WRK.format(requests=10 * (1000 + number), rate=1000 + number))
    labels = wp.read(str(tmp_path)).labels
    runs = wp.read(str(tmp_path)).runs.sort_values("source")["run"]
    found = labels[labels["key"] == key].set_index("run")["value"]
    assert [found.get(run, "") for run in runs] == values
    assert key == "cores" or "cores" not in set(labels["key"])


def test_a_picture_above_a_block_of_asciidoc_is_no_heading() -> None:
    page = "== Kiwi\n\nimage::graphs/kiwi.svg[]\n----\n@\n----\n\n== Emu\n\nimage::graphs/emu.svg[svg]\n----\n@\n----\n"
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    assert list(runs["framework"]) == ["Kiwi", "Emu"]
    assert list(runs["section"]) == ["Kiwi", "Emu"]


@pytest.mark.parametrize(
    ("folders", "names"),
    [
        # Each has runs of its own; "kiwi-1" and "kiwi-2" are two servers, or two builds of one.
        ({"kiwi-1": 5, "kiwi-2": 5, "heron": 5}, ["heron", "kiwi-1", "kiwi-2"]),
        ({"quickfix-1": 3, "quickfix-2": 3}, ["quickfix-1", "quickfix-2"]),
        # Rounds, in each of which both were measured, and single repeats.
        ({"kiwi-1": 2, "kiwi-2": 2, "heron-1": 2, "heron-2": 2}, ["heron", "kiwi"]),
        ({"kiwi-1": 1, "kiwi-2": 1, "heron-1": 1, "heron-2": 1}, ["heron", "kiwi"]),
        (
            {"kiwi-1": 3, "kiwi-2": 3, "kiwi-3": 3, "heron-1": 3, "heron-2": 3},
            ["heron", "kiwi"],
        ),  # one round is missing
    ],
)
def test_numbers_of_folders_with_repeats_of_their_own_belong_to_their_names(
    tmp_path: Path, folders: dict[str, int], names: list[str]
) -> None:
    numbers = itertools.count(1000)
    for folder, runs in folders.items():
        (tmp_path / folder).mkdir()
        for run, number in zip(range(1, runs + 1), numbers, strict=False):
            (tmp_path / folder / f"run{run}.txt").write_text(WRK.format(requests=10 * number, rate=number))
    found = wp.read(str(tmp_path)).labels
    key = "framework" if "framework" in set(found["key"]) else "directory"
    assert sorted(set(found[found["key"] == key]["value"])) == names


def test_numbered_folders_with_one_run_of_each_load_are_rounds(tmp_path: Path) -> None:
    for at, (rnd, load) in enumerate(itertools.product((1, 2, 3), (16, 64))):
        (tmp_path / f"kiwi-{rnd}").mkdir(exist_ok=True)
        report = WRK.format(requests=10 * (1000 + at), rate=1000 + at).replace("10 conn", f"{load} conn")
        (tmp_path / f"kiwi-{rnd}" / f"c{load}.txt").write_text(report)
    found = wp.compare(wp.read(str(tmp_path)))
    assert (found.rows, found.cells["n"].unique().tolist()) == (("connections",), [3])


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("kiwi:\n@\nheron:\n@\nkiwi again:\n@\nheron again:\n@", ["kiwi", "heron"]),
        ("kiwi:\n@\nheron:\n@\nslow again:\n@", ["kiwi", "heron", "heron"]),
        ("## kiwi\n@\n## kiwi nochmal\n@\n## heron\n@\n## heron, dritter Versuch\n@", ["kiwi", "kiwi", "heron", "heron"]),
        ("## kiwi\n@\n## kiwi encore une fois\n@\n## heron\n@\n## heron, deuxième reprise\n@", ["kiwi", "kiwi", "heron", "heron"]),
        ("## kiwi\n@\n## kiwi, retry\n@\n## heron\n@\n## heron (Wiederholung)\n@", ["kiwi", "kiwi", "heron", "heron"]),
        ("## kiwi\n@\n## kiwi, second time\n@\n## heron\n@\n## heron, one last time\n@", ["kiwi", "kiwi", "heron", "heron"]),
        ("$ tail -n 12 out/kiwi/r1.log\n@\n$ tail -n 12 out/kiwi/r2.log\n@\n$ tail -n 12 out/heron/r1.log\n@", ["kiwi", "kiwi", "heron"]),
        ("kiwi:\n@\nonce again:\n@\nheron:\n@\nand again:\n@", ["kiwi", "kiwi", "heron", "heron"]),
        ("kiwi:\n@\nnochmal:\n@\nheron:\n@\nnoch einmal:\n@", ["kiwi", "kiwi", "heron", "heron"]),
        ("kiwi:\nLauf Nr. 1\n@\nLauf Nr. 2\n@\nheron:\nLauf Nr. 1\n@\nLauf Nr. 2\n@", ["kiwi", "kiwi", "heron", "heron"]),
        ("kiwi :\nEssai n° 1\n@\nEssai n° 2\n@\nheron :\nEssai n° 1\n@\nEssai n° 2\n@", ["kiwi", "kiwi", "heron", "heron"]),
        # Files that reports went to are names, and their numbers count.
        ("$ wrk http://h/ | tee kiwi-1.txt\n@\n$ wrk http://h/ | tee kiwi-2.txt\n@\n$ wrk http://h/ | tee heron-1.txt\n@",
         ["kiwi", "kiwi", "heron"]),
        (("$ ./kiwi &\n$ wrk http://h/ > /tmp/kiwi-1.txt; cat /tmp/kiwi-1.txt\n@\n$ wrk http://h/ > /tmp/kiwi-2.txt; cat /tmp/kiwi-2.txt\n@\n"
         "$ ./heron &\n$ wrk http://h/ > /tmp/heron-1.txt; cat /tmp/heron-1.txt\n@"), ["kiwi", "kiwi", "heron"]),
    ],
)  # fmt: skip
def test_words_and_files_that_count_repeats_part_none(page: str, names: list[str]) -> None:
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    column = "framework" if "framework" in runs else "heading"
    assert [name for name in runs[column] if isinstance(name, str)] == (names if len(names) == len(runs) else names * 2)
    assert "heading" not in runs or column == "heading"


def test_files_that_reports_of_one_server_went_to_are_no_settings() -> None:
    page = "".join(
        f"$ GOMAXPROCS={n} ./kiwi &\n" + "".join(f"$ wrk http://h/ | tee out{r}.txt\n@\n" for r in range(3))
        for n in (2, 8)
    )
    runs = wp.parse_text(written(page)).runs
    assert sorted(runs["cores"].astype(int)) == [2, 2, 2, 8, 8, 8]
    assert not {"heading", "framework"} & set(runs.columns[runs.notna().any()]) - {"framework"}


def test_the_processors_of_the_load_generator_are_not_the_server_s() -> None:
    page = "".join(f"$ taskset -c {cores} ./kiwi & taskset -c 4-7 wrk -t2 http://h/\n@\n" for cores in ("0", "0-1"))
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    assert runs["cores"].astype(int).tolist() == [1, 2]
    assert runs["program"].tolist() == ["kiwi", "kiwi"]


@pytest.mark.parametrize(
    ("page", "name", "names"),
    [
        ("* DONE kiwi :bench:\n#+begin_src\n@\n#+end_src\n* TODO heron\n#+begin_src\n@\n#+end_src", "x.org", ["kiwi", "heron"]),
        ('In [1]:\n\nsrv = start("kiwi")\n\nOut[1]:\n\n@\n\nIn [2]:\n\nsrv = start("heron")\n\nOut[2]:\n\n@', "x.txt", ["kiwi", "heron"]),
    ],
)  # fmt: skip
def test_marks_of_tasks_and_cells_are_no_part_of_a_name(page: str, name: str, names: list[str]) -> None:
    runs = wp.parse_text(written(page), source=name).runs.sort_values("line")
    assert runs["framework"].tolist() == names


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (["kiwi-1of2.txt", "kiwi-2of2.txt", "heron-1of2.txt", "heron-2of2.txt"], ["heron", "heron", "kiwi", "kiwi"]),
        (["pr-88/1.txt", "pr-88/2.txt", "pr-91/1.txt", "pr-91/2.txt"], ["pr-88", "pr-88", "pr-91", "pr-91"]),
    ],
)
def test_numbers_of_paths_that_count_and_that_name(tmp_path: Path, files: list[str], names: list[str]) -> None:
    for number, file in enumerate(files):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(WRK.format(requests=10 * (1000 + number), rate=1000 + number))
    runs = wp.read(str(tmp_path)).runs.sort_values("source")
    assert runs["framework" if "framework" in runs else "directory"].tolist() == names


@pytest.mark.parametrize("script", ["./bench.sh", "run.py", "/opt/bench/run.sh"])
def test_the_argument_of_a_traced_script_names_the_run_though_its_name_is_known(script: str) -> None:
    page = f"[2026-11-28T02:30:01.123Z] + {script} osprey\n@\n[2026-11-28T02:30:31.123Z] + {script} kestrel\n@"
    assert named(page) == ["osprey", "kestrel"]


@pytest.mark.parametrize(
    "record",
    [
        {"pod": "{}-7f9c8d6b5{}-x2x4k"},
        {"service": "{}", "pod": "loadgen-0"},
        {"kubernetes": {"pod_name": "{}-7f9c8d6b5{}-x2x4k", "container_name": "main"}},
        {"kubernetes": {"pod_name": "{}-7f9c8d6b5{}-x2x4k", "container_name": "{}"}},
        {"kubernetes": {"pod": {"name": "{}-7f9c8d6b5{}-x2x4k"}, "container": {"name": "main"}}},
        {"kubernetes": {"pod_name": "job", "container_name": "{}"}},
    ],
)
def test_records_of_json_name_their_pod(record: dict[str, object]) -> None:
    page = ""
    for number, name in enumerate(("checkout-v1", "checkout-v1", "checkout-v2")):
        fields = json.loads(json.dumps(record).replace("{}", name, 1).replace("{}", str(number), 1).replace("{}", name))
        page += "".join(
            f"{json.dumps({**fields, 'log': text})}\n"
            for text in WRK.format(requests=100 * number + 900, rate=number + 9).splitlines()
        )
    assert named(page) == ["checkout-v1", "checkout-v1", "checkout-v2"]


@pytest.mark.parametrize("end", ["{}: done in 10.1 s", "{} completed in 10.1s", "{} finished after 00:10", "✓ {} done"])
def test_a_line_that_ends_a_run_is_no_title_of_the_next_repeat(end: str) -> None:
    page = "\n".join(
        f"Benchmarking {name} (iteration {number}/2) ...\n@\n{end.format(name)}\n"
        for name in ("plover", "curlew")
        for number in (1, 2)
    )
    assert named(page) == ["plover", "plover", "curlew", "curlew"]


def test_the_random_end_of_a_pod_in_front_of_lines_is_no_part_of_its_name() -> None:
    page = "".join(
        f"{name} {text}\n"
        for name in ("checkout-v1-7f9c8d6b50-x2x4k", "checkout-v1-7f9c8d6b51-x2x4k", "checkout-v2-7f9c8d6b52-x2x4k")
        for text in WRK.format(requests=1000, rate=100).splitlines()
    )
    assert named(page) == ["checkout-v1", "checkout-v1", "checkout-v2"]


def test_headings_on_how_to_read_output_name_nothing() -> None:
    runs = wp.parse_text(written("## Output Format\n\n@\n## Understanding the Output\n\n@\n")).runs
    assert "framework" not in runs
