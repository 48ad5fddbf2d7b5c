"""Output as people paste and ship it: what is read is the same as of the tools' own lines."""

from __future__ import annotations

import datetime as dt
import functools
import html
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import wrkparse as wp
from tests.analysis.audit.reports import AB, TIME
from tests.samples import GC, SCHED, WRK

SHARES = "  Latency Distribution\n     50%  190.00us\n     75%  201.00us\n     90%  300.00us\n     99%    1.57ms\n"
VERBOSE = '\tCommand being timed: "./a"\n\tUser time (seconds): 0.18\n\tElapsed (wall clock) time (h:mm:ss or m:ss): 0:00.45\n'
TEXT = (
    f"{WRK.replace('  410759', SHARES + '  410759')}\nreal\t0m2.017s\nuser\t0m0.109s\nsys\t0m0.659s\n{AB}"
    f"{VERBOSE}\tExit status: 0\n{GC.format(n=1, t='1.000')}{SCHED.format(t=1000)}"
)


def clock(at: int, form: str) -> str:
    return (dt.datetime(2024, 5, 1, 10, tzinfo=dt.UTC) + dt.timedelta(milliseconds=137 * at)).strftime(form)


def ahead(prefix: str, behind: str = "") -> Callable[[str], str]:
    """Each line behind a prefix, in which ``{iso}``, ``{time}`` and ``{n}`` are the line's time and number."""

    def form(text: str) -> str:
        return "".join(
            prefix.format(iso=clock(at, "%Y-%m-%dT%H:%M:%S.%f"), time=clock(at, "%H:%M:%S"), n=at)
            + line
            + behind
            + "\n"
            for at, line in enumerate(text.splitlines(), 1)
        )

    return form


def records(**beside: str) -> Callable[[str], str]:
    return lambda text: "".join(json.dumps({**beside, "message": line}) + "\n" for line in text.splitlines())


def strings(text: str) -> str:
    """`ansible -v` shows `stdout_lines` so."""
    lines = ",\n".join(f"        {json.dumps(line)}" for line in text.splitlines())
    return f'ok: [h] => {{\n    "stdout_lines": [\n{lines}\n    ]\n}}\n'


FORMS: dict[str, Callable[[str], str]] = {
    "go log": ahead("2024/05/01 {time} "),
    "jenkins": ahead("{time}  "),
    "gitlab": ahead("{iso}Z 01O "),
    "teamcity": ahead("[{time} ]\t[Step 1/1] "),
    "buildkite": ahead("\x1b_bk;t=17145504{n:05}\x07"),
    "stern": ahead("web-5d7f9c-x2kfz app "),
    "logcli": ahead('{iso}Z {{app="web", pod="x-1"}} '),
    "aws logs tail": ahead("{iso}+00:00 ecs/app/0123abc "),
    "cloudwatch": ahead("17145504{n:05}\t"),
    "fly": ahead("2024-05-01T{time}Z app[3287] lax [info]"),
    "tilt": ahead("      server │ "),
    "python": ahead("2024-05-01 {time},123 - bench - INFO - "),
    "python root": ahead("INFO:root:"),
    "airflow": ahead("[2024-05-01, {time} UTC] {{subprocess.py:93}} INFO - "),
    "winston": ahead("info: "),
    "stdout": ahead("[stdout] "),
    "org": ahead(": "),
    "cat -n": ahead("{n:6}\t"),
    "vim": ahead("{n:4} "),
    "drawn box": ahead("│ ", " │"),
    "logfmt": ahead('time="{iso}Z" level=info msg="', '"'),
    "csv": ahead('"{iso}Z","h1","', '"'),
    "csv, the text last": ahead('"May 1, 2024 @ {time}.000",'),
    "records": records(host="a"),
    "strings of json": strings,
    "one string of json": lambda text: f'{{\n    "stdout": {json.dumps(text)}\n}}\n',
    "slack": lambda text: json.dumps({"type": "message", "text": f"```{html.escape(text, quote=False)}```"}) + "\n",
    "repr": lambda text: f"{text.encode()!r}\n",
}


@functools.cache
def said(text: str) -> tuple[object, ...]:
    """What a text says; several tests compare with the same one."""
    return said_by(wp.parse_text(text))


def said_by(dataset: wp.Dataset) -> tuple[object, ...]:
    rows = dataset.arrow("measurements").select(("metric", "stat", "value")).to_pylist()
    urls = {row["value"] for row in dataset.arrow("labels").to_pylist() if row["key"] == "url"}
    events = dataset.count("gc_cycles"), dataset.count("sched_ticks")
    return Counter(map(repr, rows)), sorted(urls), events, dataset.arrow("diagnostics")["message"].to_pylist()


@pytest.mark.parametrize("name", FORMS)
def test_it_is_read_as_the_tools_own_lines(name: str) -> None:
    numbers, urls, events, diagnostics = said(TEXT.replace("'", "’") if name == "repr" else TEXT)
    assert (len(urls), events, diagnostics) == (2, (1, 1), [])
    assert said(FORMS[name](TEXT)) == (numbers, urls, events, [])


@pytest.mark.parametrize("tags", ["{}", "<div>{}</div>", "{}<br/>", '<span class="go">{}</span>'])
def test_events_of_a_long_page_are_read_out_of_its_markup(tags: str) -> None:
    lines = [f"GET /x/{at} 200 {at % 7}ms" for at in range(4000)]  # 100 KiB, of which nothing is looked at line by line
    lines[2000:2000] = [GC.format(n=n, t=f"{n}.000").rstrip() for n in range(1, 9)]
    lines[3000:3000] = [SCHED.format(t=1000).rstrip()]
    page = "".join(tags.format(html.escape(line)) + "\n" for line in lines)
    assert said(f"<pre>\n{page}</pre>\n")[2:] == ((8, 1), [])


@pytest.mark.parametrize(
    ("name", "process"),
    [("stern", "web-5d7f9c-x2kfz app"), ("logcli", 'app="web", pod="x-1"'), ("fly", "app[3287] lax"),
     ("aws logs tail", "ecs/app/0123abc")],
)  # fmt: skip
def test_what_a_collector_calls_a_process_is_a_label(name: str, process: str) -> None:
    runs = wp.parse_text(FORMS[name](WRK)).runs
    assert runs["process"].tolist() == [process]


GNU = "3.22user 2.24system 0:02.61elapsed 209%CPU (0avgtext+0avgdata 143804maxresident)k\n"
GNU += "0inputs+0outputs (0major+12345minor)pagefaults 0swaps\n"
TIMES = {
    "gnu": GNU,
    "posix": "real 0.10\nuser 0.02\nsys 0.03\n",
    "zsh": "./a  0.18s user 0.02s system 2% cpu 0.111 total\n",
    "tcsh": "0.184u 0.000s 0:00.94 19.1%\t0+0k 0+0io 0pf+0w\n",
}


@pytest.mark.parametrize("name", sorted(FORMS.keys() - {"vim", "one string of json", "slack", "repr"}))
def test_times_behind_a_prefix_are_one_run_each(name: str) -> None:
    text = "\n".join(TIMES.values())
    dataset = wp.parse_text(FORMS[name](text))
    assert said_by(dataset) == said(text)
    runs = dataset.runs
    assert runs["dialect"].tolist() == list(TIMES)
    assert runs["command"].dropna().tolist() == (["./a"] if name != "org" else [": ./a"])


@pytest.mark.parametrize("command", ["docker-compose up", "bin/serve now", "./a b", "go-wrk -c 5"])
def test_a_command_is_not_taken_for_a_prefix(command: str) -> None:
    text = TIMES["zsh"].replace("./a", command)
    for prefix in ("", "2024/05/01 10:00:00 "):
        runs = wp.parse_text(prefix + text).runs
        assert (runs["command"].tolist(), "process" in runs) == ([command], False)


def test_each_string_of_a_record_is_read() -> None:
    text = json.dumps({"stdout": WRK, "stderr": TIMES["posix"], "rc": 0}) + "\n"
    assert said(text) == said(WRK + TIMES["posix"])


def test_the_lines_of_a_string_may_end_as_on_windows() -> None:
    windows = WRK.replace("\n", "\r\n")
    for text in (
        f'"stdout": {json.dumps(windows)}',
        json.dumps({"log": f"$ wrk http://10.0.1.70:8080/hello\r\n{windows}"}),
    ):
        assert said(f"{text}\n") == said(WRK)


def test_several_runs_in_one_line_are_several_runs() -> None:
    reports = [WRK, WRK.replace("40669.44", "40669.45"), WRK]
    cells = " | ".join(report.replace("\n", "<br>") for report in reports)
    dataset = wp.parse_text(f"| {cells} |\n")
    assert dataset.runs["run"].is_unique
    rates = dataset.measurements.loc[dataset.measurements["metric"] == "throughput", ["run", "value"]]
    assert rates.to_numpy().tolist() == list(
        map(list, zip(dataset.runs["run"], [40669.44, 40669.45, 40669.44], strict=True))
    )


@pytest.mark.parametrize(
    ("text", "printed", "typed", "metric"),
    [
        (WRK, "40669.44", "40 669.44", "throughput"),
        (WRK, "40669.44", "40\u00a0669.44", "throughput"),
        (WRK, "7.13MB", "7.13MB 8.00MB", "transfer_rate"),
        (AB, "24630.85", "24 630.85", "throughput"),
        (AB, "0.081 seconds", "0,081 seconds", "elapsed"),  # a decimal comma, not thousands
        (TIME, "143804max", "143.804max", "max_rss"),
    ],
)
def test_a_number_written_another_way_is_named_and_not_read_in_part(
    text: str, printed: str, typed: str, metric: str
) -> None:
    assert printed in text
    dataset = wp.parse_text(text.replace(printed, typed))
    assert metric not in dataset.measurements["metric"].tolist()
    assert set(dataset.diagnostics["code"]) & {"bad-line", "bad-cell"}


@pytest.mark.parametrize(
    "total", ["5 295 495 requests", "5'295'495 requests", "12 410759 requests", "410_759 requests"]
)
def test_a_number_in_parts_is_not_taken_for_a_prefix_and_a_number(total: str) -> None:
    dataset = wp.parse_text(WRK.replace("410759 requests", total))
    assert "requests" not in dataset.measurements["metric"].tolist()
    assert dataset.diagnostics["code"].tolist() == ["bad-line"]


@pytest.mark.parametrize("end", ["", "<p>no errors</p>"])
def test_headings_and_code_of_a_page_without_line_ends_are_lines(end: str) -> None:
    page = "".join(
        f'<h2 id="a">{name}</h2><div class="x"><pre class="y">{WRK.replace("40669", rate)}</pre></div>{end}'
        for name, rate in (("lyra", "30001"), ("vega", "24001"))
    )
    runs = wp.parse_text(f"<html><body><h1>Results</h1>{page}</body></html>\n").runs
    assert runs["framework"].tolist() == ["lyra", "vega"]
    assert runs["url"].tolist() == ["http://10.0.1.70:8080/hello"] * 2


def test_the_command_that_a_report_names_is_what_was_measured(tmp_path: Path) -> None:
    text = "".join(VERBOSE.replace("./a", name) for name in ("zstd -k -f big.tar", "xz -k -f big.tar"))
    (tmp_path / "named.log").write_text(text)
    assert wp.read(tmp_path / "named.log").runs["framework"].tolist() == ["zstd", "xz"]
    typed = "".join(
        f"$ /usr/bin/time -v ./{name} -n 2\n{VERBOSE.replace('./a', './moa -n 1')}" for name in ("kiwi", "emu")
    )
    (tmp_path / "typed.log").write_text(typed)
    assert wp.read(tmp_path / "typed.log").runs["framework"].tolist() == ["kiwi", "emu"]


def test_what_zsh_prints_for_itself_names_no_program(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(
        "shell  0.00s user 0.00s system 2% cpu 0.111 total\nchildren  0.00s user 0.00s system 1% cpu 0.111 total\n"
    )
    labels = wp.read(tmp_path / "a.log").labels
    assert not {"program", "framework"} & set(labels["key"])
    assert labels.loc[labels["key"] == "command", "value"].tolist() == ["shell", "children"]
