"""Which bare lines name the runs below them, and how long they hold."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import wrkparse as wp
from tests.samples import WRK
from wrkparse.context.page import title_lines
from wrkparse.context.page.title_lines import may_be_title, title_of_line
from wrkparse.context.titles.settings import setting_extraction


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("nginx", "nginx"),
        ("**curlew**", "curlew"),
        ("curlew:", "curlew"),
        ("[curlew]", "curlew"),
        ("*** curlew / 2 ***", "curlew / 2"),
        (">>> server=curlew", "server=curlew"),
        ("===== curlew =====", "curlew"),
        ("curlew(4 workers)", "curlew(4 workers)"),
        ("Curlew(with 4 workers)", "Curlew(with 4 workers)"),
        ("Curlew(Plover)", "Curlew(Plover)"),
        ("++++curlew+++", "curlew"),
        ("++ C++ ++", "C++"),
        ("=== ./bin/curlew.exe ===", "./bin/curlew.exe"),
        ("--- /opt/curlew/test ---", "/opt/curlew/test"),
        ("Testing curlew with 2 workers", "Testing curlew with 2 workers"),
        ("curlew run 2", "curlew run 2"),
        ("workers=2 conns=64", "workers=2 conns=64"),
        ("kiwi-http: tuned", "kiwi-http: tuned"),
        ("白鹭（4核）", "白鹭（4核）"),
    ],
)
def test_a_line_that_names_something_is_a_title(line: str, title: str) -> None:
    assert title_of_line(line) == title


@pytest.mark.parametrize(
    "line",
    [
        "Requests per second: 12882.78 [#/sec] (mean",  # a line of a report, cut
        "Depth of the queue: 17 [jobs]",
        "mira · comment · 2024-03-02",
        "mira commented on Mar 2, 2024",
        "mira commented 3 days ago",
    ],
)
def test_a_result_and_who_wrote_what_follows_are_no_titles(line: str) -> None:
    assert title_of_line(line) == ""


@pytest.mark.parametrize(
    "line", ["kiwi: 4 [four] workers", "kiwi · emu", "no comment from kiwi", "kiwi opened in 2024"]
)
def test_lines_that_resemble_them_are_titles(line: str) -> None:
    assert title_of_line(line) == line


@pytest.mark.parametrize(
    "line", ["eth0   up   1000", "1234 pts/0    00:00:01 curlew", "Server:    curlew", "a\tcurlew"]
)
def test_a_line_in_columns_is_no_title(line: str) -> None:
    assert not may_be_title(line)


@pytest.mark.parametrize(
    "line",
    [
        "Starting server...",
        "done",
        "Done!",
        "OK",
        "Server started",
        "server listening on port 8080",
        "Listening on port 8080",
        "warming up",
        "Sleeping 10",
        "pod/curlew-5d4f8c-abcde created",
        "panic: runtime error",
        "bash: curlew: command not found",
        "Segmentation fault (core dumped)",
        "@curlew wrote:",
        "Bob said:",
        "Using what Bob told me:",
        "waiting for the server",
        "2024-05-01 12:00",
        "2024/05/01 12:00:00 listening",
        "12:00:01 curlew",
        "99% 369 MiB",
        "run 2",
        "Results",
        "We ran it twice.",
        "How is it so fast?",
        "Content-Type: text/plain",
        "HTTP/1.1 200 OK",
        "go: downloading github.com/x/y v1.2.3",
        "go version go1.21.1 linux/amd64",
        "Curlew(plover)",
        "curlewc plover.rs # 1.68.1",
        "curlew -O2 -o plover plover.c # 10.3",
        "Curlew(Plover);",
        "cd /opt/curlew",
        "curl -s http://h/",
        "sleep $N",
        "time oklib new_check",
        "./start.sh",
        "/usr/bin/curlew",
        "[1] 12345",
        "[2]+ Done",
        "pid 123",
        "Total: 5 s",
        "level=info worker=3 started",
        "PORT=8080",
        "RSS: 41.5 MB after the run",
        "Note: wrk is a tool",
        "error: address in use",
        "",
        "=====",
        "x" * 5000,
    ],
)
def test_a_message_a_command_and_output_are_none(line: str) -> None:
    assert title_of_line(line) == ""


@pytest.mark.parametrize("line", ["kiwi, cpu 2, mem 512MB", "cpu 50%", "cpu 1, mem 256MB", "RSS 2.0 feed"])
def test_what_a_server_is_given_may_tell_runs_apart(line: str) -> None:
    assert title_of_line(line) == line


@given(st.text(max_size=120))
@example("A\x1f:")  # a control that counts as a blank
def test_any_line_is_a_title_or_none(line: str) -> None:
    assert title_of_line(line) == title_of_line(line).strip()


def labels_of_runs(text: str, *keys: str) -> list[dict[str, str]]:
    """The labels of each run, in the text's order, that have one of the keys and no stronger label above them."""
    dataset = wp.parse_text(text)
    found = []
    for run in dataset.runs.sort_values("line").run:
        of_run = dataset.labels[(dataset.labels.run == run) & dataset.labels.key.isin(keys) & ~dataset.labels.overruled]
        found.append(dict(zip(of_run.key, of_run.value, strict=True)))
    return found


@pytest.mark.parametrize(
    ("first", "second", "titles"),
    [
        ("[curlew]", "[dunlin]", ("curlew", "dunlin")),
        ("*** curlew / 2 ***", "*** curlew / 4 ***", ("curlew / 2", "curlew / 4")),
        (">>> server=curlew", ">>> server=dunlin", ("server=curlew", "server=dunlin")),
        (f"{'=' * 90} CURLEW (NEST DRIVER)", f"{'#' * 9} dunlin", ("CURLEW (NEST DRIVER)", "dunlin")),
        ("+ echo 'curlew (nest):'", "+ echo dunlin", ("curlew (nest)", "dunlin")),
        ("Testing curlew with 2 workers", "Testing dunlin", ("Testing curlew with 2 workers", "Testing dunlin")),
    ],
)
def test_a_banner_of_a_log_stands_above_all_runs_up_to_the_next(
    first: str, second: str, titles: tuple[str, str]
) -> None:
    log = f"started\n{first}\nwarming up\n{WRK}\nsleeping 5 s\n{WRK}{second}\nwarming up\n{WRK}"
    in_fence = f"# Results\n\n```\n{log}```\n\n```\n{WRK}```\n"
    once, twice = {"title": titles[0]}, {"title": titles[1]}
    assert labels_of_runs(in_fence, "title") == [once, once, twice, {}]


@pytest.mark.parametrize(
    "line",
    [
        "--- a/curlew",
        "# curlew",
        "=== RUN   TestCurlew",
        "+echo curlew",
        "[INFO]",
        "**curlew**",
        "curlew",
    ],
)
def test_a_line_of_a_diff_a_comment_and_a_bare_title_are_no_banners(line: str) -> None:
    page = f"# Log\n\n```\nstarted\n{line}\nother text\n{WRK}```\n"
    assert labels_of_runs(page, "title") == [{}]


def test_what_echo_prints_is_a_title() -> None:
    """The traced command shows the variable, the line below it what it holds."""
    assert labels_of_runs(f"# Log\n\n```\nstarted\n+ echo $curlew\nother text\n{WRK}```\n", "title") == [
        {"title": "other text"}
    ]


def test_a_script_says_in_its_output_what_it_measures_next() -> None:
    """Lines below a prompt are output, and no titles; what a load generator measures may print the same words."""
    output = "".join(f"######\ntesting {name}\n######\n\n{WRK}" for name in ("curlew", "dunlin"))
    found = labels_of_runs(f"# Log\n\n```\n$ ./bench.sh\n{output}```\n", "title")
    assert found == [{"title": "testing curlew"}, {"title": "testing dunlin"}]
    assert labels_of_runs(f"# Log\n\n```\n$ wrk -c8 http://h/\ntesting curlew\n{WRK}```\n", "title") == [{}]


def test_a_banner_ends_at_a_heading() -> None:
    assert labels_of_runs(f"start\n\n[curlew]\n{WRK}\n## dunlin\n\n{WRK}", "title") == [{"title": "curlew"}, {}]


def test_a_block_s_attributes_are_no_banner() -> None:
    assert labels_of_runs(f"start\n\n[source,console]\n----\n{WRK}----\n", "title", "framework") == [{}]


@pytest.mark.parametrize("dots", [" ...", "...", "…"])
def test_the_dots_of_a_program_at_work_do_not_hide_what_it_measures(dots: str) -> None:
    text = "".join(f"Running benchmark for {name}{dots}\n\n{WRK}\n" for name in ("kiwi", "emu-server@0.1.0"))
    assert wp.parse_text(text).runs["framework"].tolist() == ["kiwi", "emu-server@0.1.0"]


def test_the_first_line_of_a_fence_names_its_run() -> None:
    page = f"# Log\n\n```\ncurlew\n{WRK}```\n\n```\ndunlin\n{WRK}```\n"
    assert labels_of_runs(page, "title") == [{"title": "curlew"}, {"title": "dunlin"}]


def test_settings_of_a_line_are_no_counts_of_their_values() -> None:
    """In ``workers=2 conns=64`` the 2 belongs to the workers: it is no "2 conns"."""
    dataset = wp.parse_text(f"workers=2 conns=64\n{WRK}")
    settings = dataset.labels[dataset.labels.origin == "heading"]
    assert dict(zip(settings.key, settings.value, strict=True)) == {
        "workers": "2",
        "connections": "64",
        "title": "workers=2 conns=64",
    }
    assert not dataset.labels[dataset.labels.key == "connections"].value.eq("2").any()


@pytest.mark.parametrize(
    ("between", "names", "key"),
    [
        (": ", ("curlew", "dunlin"), "process"),
        (":", ("curlew.txt", "dunlin.txt"), "printed_file"),  # as grep prints the files of lines
    ],
)
def test_a_name_in_front_of_each_line_of_a_report_is_its_process_or_file(
    between: str, names: tuple[str, str], key: str
) -> None:
    log = "".join(f"{name}{between}{line}\n" for name in names for line in WRK.splitlines())
    assert labels_of_runs(log, key) == [{key: name} for name in names]
    assert wp.parse_text(log).runs.line.tolist() == [1, 1 + len(WRK.splitlines())]


def test_a_name_in_front_of_a_single_line_is_its_process() -> None:
    log = "curlew: Requests/sec:  79798.14\nbuzzard: Requests/sec:  69798.14\n"
    assert labels_of_runs(log, "process") == [{"process": "curlew"}, {"process": "buzzard"}]


def test_the_name_of_a_stream_is_no_process() -> None:
    assert labels_of_runs("stdout: Requests/sec:  79798.14\n", "process") == [{}]


@pytest.mark.parametrize("fence", ["```\n", ""])
def test_a_list_item_above_a_report_is_its_title(fence: str) -> None:
    page = "".join(f"- {name}\n\n{fence}{WRK}{fence}\n" for name in ("curlew", "dunlin"))
    assert labels_of_runs(page, "title", "framework") == [
        {"title": name, "framework": name} for name in ("curlew", "dunlin")
    ]


def test_the_signs_of_a_repeat_stand_in_each_text_that_says_one() -> None:
    """The signs are a shortcut: without them the patterns find the same."""
    words = """again once more another go second time 3rd run Run 2 rerun re-run repeated same as before nochmals noch
    einmal erneut encore une fois de nouveau otra vez nuevo novamente ancora una volta jeszcze raz ponownie снова 再次
    to double-check make sure first batch series zum zweiten Mal wiederholung 12 of 15 [3/5] (2) #7 trial attempt pass
    Lauf Messung versuch essai reprise corrida prueba esecuzione prova try take kiwi , : last one""".split()
    pairs = [f"{one}{blank}{two}" for one in words for two in words for blank in (" ", "")]
    texts = [
        *words,
        *pairs,
        *map(str.upper, pairs),
        *(f"the {pair} {words[at % len(words)]}" for at, pair in enumerate(pairs)),
    ]
    assert [
        text
        for text in texts
        if (setting_extraction.find_repeat(text) is None) != (setting_extraction.REPEAT.search(text) is None)
    ] == []
    repeats = [text for text in texts if title_lines._ONCE_MORE.search(text) or setting_extraction.REPEAT.search(text)]
    looked_up = [text for text in repeats if text.isascii() and text[-1] not in ")]"]
    assert len(looked_up) > 5_000
    assert [text for text in looked_up if title_lines._MAY_BE_REPEAT.search(text.lower()) is None] == []
