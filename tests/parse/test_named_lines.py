"""Lines of reports that have a name in front, a remark behind, or lost their first letters."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import wrkparse as wp
from tests.samples import WRK
from wrkparse.parse.parser import SourceParser

TCSH = "0.184u 0.012s 0:00.94 19.1% 0+0k 2+3io 0pf+0w"


def found(text: str) -> list[tuple[str, float, str | None]]:
    """Tool, throughput or elapsed time, and framework of each run."""
    data = wp.parse_text(text)
    numbers = data.measurements[data.measurements["metric"].isin(["throughput", "elapsed"])].set_index("run")["value"]
    names = data.labels[(data.labels["key"] == "framework") & ~data.labels["overruled"]].set_index("run")["value"]
    return [(run.tool, numbers[run.run], names.get(run.run)) for run in data.runs.itertuples()]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("nginx: Requests/sec: 20296.63", "nginx"),
        ("nginx - Requests/sec:   20296.63", "nginx"),
        ("* haproxy: Requests/sec: 20296.63", "haproxy"),
        ("- nginx 1.25 => Requests/sec: 20296.63", "nginx 1.25"),
        ("Go (net/http): Requests/sec: 20296.63", "Go (net/http)"),
        ("Requests/sec: 20296.63 (nginx)", "nginx"),
        ("Requests/sec:  20296.63   # nginx", "nginx"),
        ("Requests/sec:  20296.63 <- haproxy", "haproxy"),
        ("Requests/sec:  20296.63   nginx", "nginx"),
        ("second try: Requests/sec: 20296.63", None),
        ("- run A: Requests/sec: 20296.63", None),
        ("1. run A: Requests/sec: 20296.63", None),
        ("(2) Requests/sec: 20296.63", None),
    ],
)
def test_a_name_or_a_remark_in_the_line_of_a_rate_is_the_run_s(line: str, name: str | None) -> None:
    assert found(f"{line}\n") == [("wrk", 20296.63, name)]
    second = line.replace("20296.63", "18001.10").replace("nginx", "caddy")
    assert [rate for _, rate, _ in found(f"{line}\n{second}\n")] == [20296.63, 18001.10]


@pytest.mark.parametrize(
    "form",
    [
        "{name} 0.184u 0.012s 0:00.94 19.1% 0+0k 2+3io 0pf+0w",
        "0.184u 0.012s 0:00.94 19.1% 0+0k 2+3io 0pf+0w # {name}",
        "real 0.94 # {name}\nuser 0.18\nsys 0.01",
        "real\t0m0.940s ({name})\nuser\t0m0.180s\nsys\t0m0.010s",
        "Requests/sec: 20296.63 ({name})",
    ],
)
def test_names_that_no_list_has_tell_runs_apart(form: str) -> None:
    """They were pooled as repeats of one setting."""
    named = [name for _, _, name in found("\n".join(form.format(name=name) for name in ("kiwi", "emu", "kiwi")) + "\n")]
    assert named == ["kiwi", "emu", "kiwi"]


def test_a_first_line_that_states_no_result_is_the_report_s_in_front_of_a_remark(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    rest = "Time taken for tests: 2.5 seconds   # in all\nComplete requests: 100\nRequests per second: 40.00 [#/sec] (mean)\n"
    path.write_text("Concurrency Level: 8  ----- # at once\n" + rest)
    data = wp.read(path)
    assert data.runs[["line", "line_end"]].to_numpy().tolist() == [[1, 4]]
    connections = data.labels.query("key == 'connections'")
    assert connections[["value", "origin"]].to_numpy().tolist() == [["8", "report"]]
    path.write_text("Concurrency Level: 8 of 10 connections\n" + rest)
    assert wp.read(path).runs["line"].tolist() == [2]


def test_a_remark_in_brackets_costs_no_report_of_hey() -> None:
    report = (Path(__file__).parents[1] / "fixtures" / "hey" / "mix-0.1.5.txt").read_text()
    line = next(line for line in report.splitlines() if "Requests/sec:" in line)
    data = wp.parse_text(report.replace(line, f"{line}  [QPS是{line.split()[1]}]"))
    assert data.diagnostics.empty
    assert data.measurements.query("metric == 'throughput'")["value"].tolist() == [float(line.split()[1])]


@pytest.mark.parametrize("front", ["{}: ", "[{}] ", "{} | ", "[{}]\t"])
def test_reports_whose_lines_alternate_behind_names_are_a_run_each(front: str) -> None:
    report = (Path(__file__).parents[1] / "fixtures" / "wrk/big.txt").read_text().splitlines()
    text = "".join(front.format(name) + line + "\n" for line in report for name in ("lark", "emu"))
    data = wp.parse_text(text)
    assert data.runs["framework"].tolist() == ["lark", "emu"]
    assert data.diagnostics["code"].tolist() == ["copy"]


@pytest.mark.parametrize(
    "fronts", [("[main] ", "[pool-1] "), ("[worker-1] ", "[worker-2] "), ("[client] ", "[bench] ")]
)
def test_a_report_whose_lines_stand_behind_names_of_threads_is_one(fronts: tuple[str, ...]) -> None:
    report = (Path(__file__).parents[1] / "fixtures" / "wrk/big.txt").read_text().splitlines()
    half = len(report) // 2
    text = "".join(f"{fronts[at >= half]}{line}\n" for at, line in enumerate(report))
    data = wp.parse_text(text)
    assert data.runs["line"].tolist() == [1]
    assert data.diagnostics.empty


TIMES = "18.32user 3.99system 0:22.33elapsed 99%CPU (0avgtext+0avgdata 4622908maxresident)k"


@pytest.mark.parametrize(
    "line",
    ["** `LD=kiwi` (after a build with the default linker in place): `{}`", "- once everything was cached: `{}`"],
)
def test_code_that_ends_a_list_item_is_a_report_whatever_stands_in_front(line: str) -> None:
    again = TIMES.replace("22.33", "22.15")
    text = f"* default: `{TIMES}`\n{line.format(again)}\n"
    assert [(tool, value) for tool, value, _ in found(text)] == [("time", 22.33), ("time", 22.15)]


@pytest.mark.parametrize(
    "line", ["When all was cached and warm it said: `{}`", "- it should print this in the end: `{}`"]
)
def test_code_that_ends_a_sentence_is_none(line: str) -> None:
    assert found(f"{line.format(TIMES)}\n") == []


@pytest.mark.parametrize(
    "line",
    [
        "nginx: Requests per second:    20296.63 [#/sec] (mean)",
        "Requests per second:    20296.63 [#/sec] (mean)  (nginx)",
        "Requests per second:    20296.63 [#/sec] (mean) nginx",
    ],
)
def test_the_same_holds_for_ab(line: str) -> None:
    assert found(f"{line}\n") == [("ab", 20296.63, "nginx")]


@pytest.mark.parametrize(
    "form", ["{}", "cold: {}", "cold {}", "make: {}", "{}  (cold cache)", "{} # cold", "[1] {}", "  - cold - {}"]
)
@pytest.mark.parametrize("times", [TCSH, TCSH[:27], "real 0.94 user 0.18 sys 0.01"])
def test_a_line_of_time_is_read_behind_a_word_and_in_front_of_a_remark(form: str, times: str) -> None:
    line = form.format(times)
    assert found(f"{line}\n{line.replace('0.94', '0.54')}\n") == [("time", 0.94, None), ("time", 0.54, None)]


@pytest.mark.parametrize(
    "lines",
    [
        "real 0.94 # cold\nuser 0.18\nsys 0.01 (fast)\n",
        "cold: real 0.94\nuser 0.18\nsys 0.01\n",
        "cold: real 0.94\ncold: user 0.18\ncold: sys 0.01\n",
        "cold real 0.94\nuser 0.18\nsys 0.01\n",
        "[1] real 0.94\n[1] user 0.18\n[1] sys 0.01\n",
        "cold: real 0m0.94s\nuser 0m0.18s\nsys 0m0.01s\n",
        "real   0m0.94s   first\nuser   0m0.18s\nsys    0m0.01s   end\n",
    ],
)
def test_names_and_remarks_cost_no_line_of_three(lines: str) -> None:
    data = wp.parse_text(lines)
    assert data.measurements.set_index("metric")["value"].to_dict() == {"elapsed": 0.94, "user": 0.18, "system": 0.01}


@pytest.mark.parametrize("form", ["{} (3 MB)", "{}   <-- much", "before: {}", "{} # of three"])
def test_a_line_of_time_v_is_read_with_a_remark(form: str) -> None:
    line = form.format("Maximum resident set size (kbytes): 3108")
    assert wp.parse_text(f"\t{line}\n").measurements["value"].tolist() == [3108 * 1024]
    both = wp.parse_text(f"\t{line}\n\t{line.replace('3108', '3112')}\n")
    assert both.measurements["value"].tolist() == [3108 * 1024, 3112 * 1024]


@pytest.mark.parametrize(
    "line",
    [
        "expected: Requests/sec: 20296.63",
        "Requests/sec: 20296.63  (goal)",
        "What we want to see is: Requests/sec: 20296.63",
        "We saw `Requests/sec:  20296.63` there.",
        "nginx: `Requests/sec: 20296.63`",
        "Requests/sec: 1234.5 (nginx)",  # wrk prints two decimals
        "Requests per second: 1234.56",  # many programs print this; ab goes on with [#/sec]
        "node 8 cluster  Requests/sec:  20296.63",
        "real 0.94 user 0.18 sys 0.01 minutes",
    ],
)
@pytest.mark.parametrize("ahead", ["", "# A page\n\n", "GET /x 200 3ms\n" * 9000])
def test_of_a_file_without_runs_the_line_is_named_that_resembles_a_report_s(
    line: str, ahead: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.md"
    path.write_text(f"{ahead}{line}\nthe end\n")
    data = wp.read(path)
    assert data.runs.empty
    assert data.diagnostics[["line", "code"]].to_numpy().tolist() == [[ahead.count("\n") + 1, "no-runs"]]
    assert " ".join(line.split()) in " ".join(data.diagnostics["message"][0].split())


def test_of_a_file_with_runs_the_first_line_is_named_that_resembles_a_report_s(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("kiwi: Requests/sec: 120.22\nlark: Requests/sec: 99.1\nplum: Requests/sec: 98.7\n")
    data = wp.read(path)
    assert data.runs["line"].tolist() == [1]
    found = data.diagnostics.query("code == 'resembling'")
    assert found[["line", "severity"]].to_numpy().tolist() == [[2, "note"]]
    assert "lark: Requests/sec: 99.1" in found["message"].item()


def resembles_line_of_wrk(line: str) -> bool:
    """Whether a file of only this line has it as the one that resembles a line of wrk's report."""
    parser = SourceParser("a.log")
    assert [*parser.feed(f"{line}\n".encode()), *parser.finish()] == []
    return parser.first_lookalike == (1, "wrk", line)


@pytest.mark.parametrize(("words", "resembles"), [(7, True), (8, False)])
def test_a_line_resembles_one_of_a_report_if_its_first_eight_words_have_one_of_its_words(
    words: int, resembles: bool
) -> None:
    assert resembles_line_of_wrk(f"{'so ' * words}Requests/sec: about 12") is resembles


@pytest.mark.parametrize(("letters", "resembles"), [(22, True), (23, False)])
def test_a_line_resembles_one_of_a_report_if_a_number_is_within_25_characters_of_the_words(
    letters: int, resembles: bool
) -> None:
    between = f": {'x' * letters}"  # after Requests/sec; the number follows
    assert resembles_line_of_wrk(f"so kiwi made Requests/sec{between}7 of them") is resembles


def test_a_line_of_the_open_report_that_cant_be_read_has_one_message(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(
        "Concurrency Level: 8\nTime taken for tests: 2.5 seconds\nComplete requests: 100\nFailed requests: 0\n"
        "Time per request: 2.961 [ms] (mean, across al concurrent requests)\nTransfer rate: 7.5 [Kbytes/sec] received\n"
    )
    found = wp.read(path).diagnostics.query("line == 5")
    assert found["code"].tolist() == ["bad-line"]


@pytest.mark.parametrize(
    "line", ["Nothing that counts, in 2 of 3 cases.", "The real 5 reasons", "In real 4K", "The town was under siege"]
)
def test_prose_has_no_words_of_a_tool(line: str, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(f"{line}\n")
    assert wp.read(path).diagnostics["message"].tolist() == ["no output of a known tool in it"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Requests/sec is what counts, in 2 of 3 cases.", "wrk: Requests/sec"),
        ("  Latency Distribution", "wrk: Latency Distribution"),
        ("     99%  900.00us", "wrk: 99%  900.00us"),
        ("we ran wrk -t2 -c8 and lost the output", "wrk: wrk -t2"),
        ("  90%    240", "ab: 90%    240"),
        ("ms clock, 0.1+0.2 ms cpu, 4->5->1 MB, 5 MB goal, 4 P", "gctrace: ms clock"),
        ("gomaxprocs=4 idleprocs=2 threads=7", "schedtrace: gomaxprocs="),
        ("user 0.1", "time: user 0.1"),
        ("apr_socket_recv: Connection refused (111)", "ab: apr_socket_recv:"),
        ("Total of 5 requests completed", "ab: Total of 5 requests completed"),
        ("** SIEGE 4.0.7", "siege: ** SIEGE 4"),
        ("The server is now under siege...", "siege: server is now under siege"),
        ("Lifting the server siege...", "siege: Lifting the server siege"),
        ("HTTP/1.1 200     0.01 secs:      12 bytes ==> GET  /", "siege: 0.01 secs:      12 bytes ==>"),
        ("running (0m01.0s), 10/10 VUs, 9 complete and 0 interrupted iterations", "k6: 0 interrupted iterations"),
        ("Requests      [total, rate, throughput]", "vegeta: [total, rate, throughput]"),
    ],
)
def test_words_of_a_tool_without_a_run_are_named(line: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(f"# A page\n\n{line}\n")
    found = wp.read(path).diagnostics
    assert found[["line", "message"]].to_numpy().tolist() == [[3, f"no run in it; this line has words of {words}"]]


@pytest.mark.parametrize("line", ["SCHED 12ms: gomaxprocs=4", "gc 12 @3.2s 4%: cut here"])
def test_a_file_with_a_warning_is_not_said_to_have_nothing(line: str, tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_text(f"{line}\n")
    found = wp.read(path).diagnostics
    assert found["severity"].tolist() == ["warning", "note"]
    assert found["message"].iloc[1] == "no run in it"


def test_of_a_file_that_is_too_long_to_be_searched_nothing_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_text("GET /x 200\n" * 100_000 + "Latency Distribution\n")
    assert wp.read(path).diagnostics["message"].tolist() == ["no run in it"]


def test_a_file_with_a_tool_s_lines_is_not_said_to_have_none(tmp_path: Path) -> None:
    cut = tmp_path / "cut.log"
    cut.write_text("".join(WRK.splitlines(keepends=True)[:3]))
    assert wp.read(cut).diagnostics["message"].tolist()[-1] == "no run in it"
    packed = tmp_path / "cut.log.gz"
    packed.write_bytes(gzip.compress(WRK.encode())[:40])
    assert wp.read(packed).diagnostics["message"].tolist()[-1] == "no run in what could be read of it"


def test_a_name_in_a_long_log_is_seen() -> None:
    noise = "".join(f"GET /x/{at} 200 {at % 7}ms\n" for at in range(20_000))
    for line in ("nginx: Requests/sec: 20296.63", "Go (net/http): Requests/sec: 20296.63", f"cold {TCSH}"):
        assert len(found(f"{noise}{line}\n{noise}")) == 1


KIWI = WRK.replace("40669.44", "20000.00").replace("7.13MB\n", "3.50MB\n")


@pytest.mark.parametrize("form", ["{}: ", "{}\t"])
def test_two_programs_that_print_by_turns_are_two_runs(form: str) -> None:
    # as pdsh and GNU parallel --tag --line-buffer print what programs on two machines say
    lark, kiwi = form.format("lark"), form.format("kiwi")
    pairs = zip(WRK.splitlines(keepends=True), KIWI.splitlines(keepends=True), strict=True)
    data = wp.parse_text("".join(f"{lark}{one}{kiwi}{other}" for one, other in pairs) * 2)
    assert data.diagnostics.query("code != 'copy'").empty
    rates = data.wide().sort_values("line")[["process", "throughput_per_s", "latency_mean_s"]]
    assert rates.to_numpy().tolist() == [["lark", 40669.44, 0.00019332], ["kiwi", 20000.0, 0.00019332]] * 2


@pytest.mark.parametrize("form", ["{}: ", "{}\t"])
def test_one_program_after_the_other_behind_its_name_is_a_run_each(form: str) -> None:
    ahead = [form.format(name) for name in ("lark", "kiwi")]
    text = "".join(f"{ahead[0]}{line}" for line in WRK.splitlines(keepends=True))
    text += "".join(f"{ahead[1]}{line}" for line in KIWI.splitlines(keepends=True))
    assert wp.parse_text(text).wide()[["process", "throughput_per_s"]].to_numpy().tolist() == [
        ["lark", 40669.44],
        ["kiwi", 20000.0],
    ]


AB = "Server Hostname:        localhost\nServer Port:            80\n\nComplete requests:      1000\nRequests per second:    500.00 [#/sec] (mean)\n"


@pytest.mark.parametrize(
    ("line", "software"),
    [
        ("erver Software:        Werkzeug/0.9", ["Werkzeug/0.9"]),
        ("rver Software:        nginx/1.1", ["nginx/1.1"]),
        ("Server Sofware:        Werkzeug/0.9", []),
        ("Srver Software:        nginx", []),
    ],
)
def test_a_damaged_line_is_read_or_left_out_and_is_no_title(line: str, software: list[str]) -> None:
    data = wp.parse_text(f"{line}\n{AB}")
    labels = data.labels
    assert "framework" not in labels["key"].tolist()
    assert labels.loc[labels["key"] == "server_software", "value"].tolist() == software
    assert ("mended" in data.diagnostics["code"].tolist()) == bool(software)


def test_lost_letters_in_front_of_a_report_cost_nothing() -> None:
    data = wp.parse_text(WRK.removeprefix("Ru"))
    assert data.runs["url"].tolist() == ["http://10.0.1.70:8080/hello"]
    assert data.diagnostics["code"].tolist() == ["mended"]


def test_a_name_by_itself_below_a_line_that_it_stands_in_front_of_is_text() -> None:
    data = wp.parse_text("    NaN ns [0] |     Req/Sec    14.35k     1.19k   15.82k    72.73%\n    NaN ns [0] |")
    assert data.runs["tool"].tolist() == ["wrk"]
