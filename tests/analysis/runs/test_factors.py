"""Which labels tell settings apart; expected by looking at the runs, made up or published."""

from __future__ import annotations

import pytest

import wrkparse as wp
from wrkparse.analysis.runs.selection import TooLittleError

RUN = """    $ {server}
    $ wrk -t2 -c{connections} -d10s http://127.0.0.1:{port}/
    Running 10s test @ http://127.0.0.1:{port}/
      2 threads and {connections} connections
    Requests/sec:  {rate}
"""


def runs(*settings: tuple[str, str, int, int]) -> wp.Dataset:
    return wp.parse_text(
        "\n".join(
            f"## {heading}\n\n{RUN.format(server=server, connections=connections, port=port, rate=1000 + place)}"
            for place, (heading, server, connections, port) in enumerate(settings)
        )
    )


def test_what_answers_stands_before_how_it_is_asked() -> None:
    ds = runs(("nginx", "nginx", 8, 80), ("caddy", "caddy run", 8, 80), ("nginx", "nginx", 64, 80))
    assert wp.factors(ds) == (("framework",), ("connections",))


def test_a_label_that_follows_from_those_before_it_tells_nothing_more() -> None:
    ds = runs(("nginx", "nginx", 8, 80), ("caddy", "caddy run", 8, 81), ("caddy", "caddy run", 8, 81))
    assert set(ds.wide()["url"]) == {"http://127.0.0.1:80/", "http://127.0.0.1:81/"}
    assert wp.factors(ds) == (("framework",), ())


def test_a_setting_is_named_once_though_environment_and_label_say_it() -> None:
    ds = runs(("Go", "GOGC=50 GOMAXPROCS=2 ./server", 8, 80), ("Go", "GOGC=400 GOMAXPROCS=2 ./server", 8, 80))
    assert {"gogc", "env_GOGC"} <= ds.label_keys()
    assert wp.factors(ds) == (("gogc",), ())


def test_a_setting_known_by_its_name_only_counts_where_nothing_else_tells() -> None:
    ds = runs(("Go", "MODE=a ./server", 8, 80), ("Go", "MODE=b ./server", 8, 80))
    assert wp.factors(ds) == (("env_MODE",), ())


def test_runs_of_one_setting_have_none_and_no_runs_are_said_to_be_none() -> None:
    ds = runs(("nginx", "nginx", 8, 80), ("nginx", "nginx", 8, 80))
    assert wp.factors(ds) == ((), ())
    assert wp.factors(ds, "connections = 9") == ((), ())
    with pytest.raises(TooLittleError, match="no run states errors_timeout"):
        wp.factors(ds, metric="errors_timeout")


GC = "gc 1 @0.1s 1%: 0.01+0.2+0.01 ms clock, 0.04+0.1/0.2/0.1+0.04 ms cpu, 4->4->1 MB, 4 MB goal, 0 MB stacks, 0 MB globals, {} P\n"
TIME = "\nreal\t0m1.5{}s\nuser\t0m1.000s\nsys\t0m0.100s\n"


def timed(*runs: tuple[str, int | None]) -> wp.Dataset:
    """Runs of a program under ``time``, each with a GOGC and the processors that its trace states, if it has one."""
    return wp.parse_text(
        "".join(
            f"$ time GOGC={gogc} GODEBUG=gctrace=1 ./heron\n{GC.format(procs) if procs else ''}{TIME.format(place)}\n"
            for place, (gogc, procs) in enumerate(runs)
        )
    )


def test_cores_that_only_some_traces_state_distinguish_nothing() -> None:
    some = timed(("50", 8), ("50", None), ("off", None))
    assert wp.factors(some, "tool = 'time'", "elapsed") == (("gogc",), ())
    assert wp.compare(some, metric="elapsed", where="tool = 'time'").also_differ == ()
    assert wp.factors(timed(("50", 8), ("50", 4), ("50", None)), "tool = 'time'", "elapsed").load == ("cores",)
    # A command may state the number for some runs only: the others may have more.
    text = "".join(f"$ time {typed}./heron\n{TIME.format(1)}\n" for typed in ("GOMAXPROCS=2 ", ""))
    assert wp.factors(wp.parse_text(text), metric="elapsed").load == ("cores",)


def test_the_tool_counts_where_nothing_else_tells() -> None:
    report = "Running 10s test @ http://h/\n  2 threads and 8 connections\nRequests/sec:  1000\n"
    with_tail = report.replace(
        "Requests", "  Latency Distribution (HdrHistogram - Recorded Latency)\n 50.000%    1.00ms\nRequests"
    )
    ds = wp.parse_text(f"## nginx\n\n```\n{report}```\n\n```\n{with_tail}```\n")
    assert ds.runs["tool"].tolist() == ["wrk", "wrk2"]
    assert wp.factors(ds) == (("tool",), ())


def test_numbers_of_repeats_and_titles_do_not_count() -> None:
    report = "Running 10s test @ http://h/\n  2 threads and 8 connections\nRequests/sec:  1000\n"
    ds = wp.parse_text("".join(f"kiwi run {n}\n{report}\n" for n in (1, 2)))
    assert ds.runs["title"].tolist() == ["kiwi run 1", "kiwi run 2"]
    assert wp.factors(ds) == ((), ())
    report = "$ export {}={}\n$ wrk -t2 -c8 -d10s http://h/\n" + report
    for name, expected in (("ATTEMPT", ()), ("RUN", ()), ("POOL", ("env_POOL",))):
        ds = wp.parse_text("".join(report.format(name, n) for n in (1, 2)))
        assert ds.runs[f"env_{name}"].tolist() == ["1", "2"]
        assert wp.factors(ds) == (expected, ())


def test_only_runs_for_which_the_condition_holds_are_looked_at() -> None:
    ds = runs(("nginx", "nginx", 8, 80), ("caddy", "caddy run", 8, 80), ("caddy", "caddy run", 64, 80))
    assert wp.factors(ds, "framework = 'caddy'") == ((), ("connections",))


def test_what_only_one_tool_prints_does_not_tell_its_runs_from_those_of_another() -> None:
    """ab prints the software of the server and wrk does not, wrk its threads and duration: they say nothing of a server."""
    ab = "This is ApacheBench, Version 2.3\n\nServer Software:        {}\nServer Hostname:        127.0.0.1\n"
    ab += "Server Port:            8080\n\nDocument Path:          /\n\nConcurrency Level:      8\n"
    ab += "Time taken for tests:   1.000 seconds\nComplete requests:      300\n"
    ab += "Requests per second:    300.00 [#/sec] (mean)\n"
    wrk = RUN.format(server="", connections=8, port=8080, rate=1000)
    assert wp.factors(wp.parse_text(f"{ab.format('nginx')}\n{wrk}")) == (("tool",), ())
    several = wp.parse_text(f"{ab.format('nginx')}\n{ab.format('Apache')}\n{wrk}")
    assert wp.factors(several) == (("framework",), ())  # the servers that ab prints


AB = """\
{banner}Server Software:        {software}
Server Hostname:        127.0.0.1
Server Port:            8080

Document Path:          /plover
Document Length:        12 bytes

Concurrency Level:      10
Time taken for tests:   2.000 seconds
Complete requests:      {requests}
Failed requests:        0
Total transferred:      {bytes} bytes
HTML transferred:       {body} bytes
Requests per second:    {rate:.2f} [#/sec] (mean)
"""
BANNER = "This is ApacheBench, Version 2.3 <$Revision: 1843412 $>\n\n"


def pasted(*runs: tuple[str, str, str | None]) -> wp.Dataset:
    """Reports of ab, each below its command, with its banner, and the line of the server's software unless it is None."""
    page = ""
    for at, (command, banner, software) in enumerate(runs):
        requests = 2000 + 100 * at
        text = AB.format(
            banner=banner, software=software, requests=requests, rate=requests / 2, bytes=100 * requests,
            body=12 * requests,
        )  # fmt: skip
        if software is None:
            text = text.replace("Server Software:        None\n", "")
        page += f"```\n{command and f'$ {command}'}\n{text}```\n\n"
    return wp.parse_text(page)


URL = "http://127.0.0.1:8080/plover"
COMMAND = f"ab -k -n 2000 -c 10 {URL}"


def test_a_version_that_a_paste_lacks_tells_no_setting() -> None:
    """The first report has no banner of ab."""
    ds = pasted((COMMAND, "", "kiwi/1.2"), (COMMAND, BANNER, "kiwi/1.2"), (COMMAND, BANNER, "kiwi/1.2"))
    assert set(ds.wide()["tool_version"].fillna("")) == {"", "2.3"}
    assert wp.factors(ds) == ((), ())
    with pytest.raises(TooLittleError, match="the 3 runs differ in no label"):
        wp.compare(ds)


def test_known_values_differ_also_beside_a_run_without_one() -> None:
    newer = BANNER.replace("2.3", "2.4")
    ds = pasted((COMMAND, "", "kiwi/1.2"), (COMMAND, BANNER, "kiwi/1.2"), (COMMAND, newer, "kiwi/1.2"))
    assert wp.factors(ds) == (("tool_version",), ())


@pytest.mark.parametrize(
    ("typed", "key"), [("-k", "flag_k"), ("-H 'Accept-Encoding: gzip'", "flag_header"), ("-s 60", "flag_timeout")]
)
def test_an_option_that_a_command_lacks_was_not_given(typed: str, key: str) -> None:
    ds = pasted((f"ab {URL}", BANNER, "kiwi/1.2"), (f"ab {typed} {URL}", BANNER, "kiwi/1.2"))
    assert wp.factors(ds) == ((key,), ())


@pytest.mark.parametrize(
    ("typed", "keys"),
    [("-k", ("flag_k",)), ("-H 'Accept-Encoding: gzip'", ("flag_header",)), ("-p order.json", ("flag_post",)),
     ("-s 60", ())],
)  # fmt: skip
def test_without_a_command_only_options_that_change_no_request_are_unknown(typed: str, keys: tuple[str, ...]) -> None:
    ds = pasted(("", BANNER, "kiwi/1.2"), (f"ab {typed} {URL}", BANNER, "kiwi/1.2"))
    assert wp.factors(ds) == (keys, ())


def test_a_server_that_does_not_name_itself_is_not_one_that_does() -> None:
    """ab prints the line with nothing behind the colon; without the line, any server may have answered."""
    ds = pasted((COMMAND, BANNER, ""), (COMMAND, BANNER, "kiwi/1.2"))
    assert wp.factors(ds) == (("server_software",), ())
    assert wp.factors(pasted((COMMAND, BANNER, None), (COMMAND, BANNER, "kiwi/1.2"))) == ((), ())


@pytest.mark.parametrize("heading", ["## 10 connections\n\n", ""])
def test_an_unknown_load_is_not_that_of_other_runs(heading: str) -> None:
    first, second = (
        AB.format(banner=BANNER, software="kiwi", requests=requests, rate=requests / 2, bytes=99_000, body=24_000)
        for requests in (2000, 2100)
    )
    first = first.replace("Concurrency Level:      10\n", "")
    ds = wp.parse_text(f"```\n{first}```\n\n{heading}```\n{second}```\n")
    assert set(ds.wide()["connections"].fillna(0)) == {0, 10}
    assert wp.factors(ds).load == ("connections",)


def test_an_unknown_version_is_not_said_to_differ_between_servers() -> None:
    ds = wp.parse_text(
        "".join(
            f"## {name}\n\n```\n$ {COMMAND}\n{report}```\n\n"
            for name, report in (
                ("kiwi", AB.format(banner=BANNER, software="a", requests=2000, rate=1000, bytes=20_000, body=24_000)),
                ("emu", AB.format(banner="", software="a", requests=2100, rate=1050, bytes=21_000, body=25_200)),
            )
        )
    )
    assert wp.compare(ds).also_differ == ()
