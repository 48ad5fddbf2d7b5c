"""Output as people have it: behind prefixes, in pages and cells, quoted and marked. Expected: what it is without that."""

from __future__ import annotations

import functools
import html
import json
import textwrap
from collections.abc import Callable
from datetime import datetime
from itertools import chain
from pathlib import Path

import pytest

from tests.cases import each_case
from tests.samples import GC, SCHED, WRK
from wrkparse.model.records import Diagnostic
from wrkparse.parse.items import Batch, Item, Run
from wrkparse.parse.parser import SourceParser

FIXTURES = Path(__file__).parents[1] / "fixtures"
Change = Callable[[list[str]], list[str]]

OUTPUTS = {
    "wrk": WRK,
    "wrk2": (FIXTURES / "wrk/calibrated.txt").read_text(),
    "ab": (FIXTURES / "ab/nginx-404.txt").read_text(),
    "time -v": (FIXTURES / "time/gnu-v.txt").read_text(),
    "bash": (FIXTURES / "time/bash-default.txt").read_text(),
    "gctrace": "".join(GC.format(n=n, t=f"0.{n}05") for n in range(1, 6)),
    "schedtrace": "".join(SCHED.format(t=10 * n) for n in range(5)),
    "detail": (FIXTURES / "schedtrace/go1.3.3-detail.log").read_text(),
}


def each(form: str) -> Change:
    return lambda lines: [form.format(line) for line in lines]


def numbered(form: str) -> Change:
    return lambda lines: [form.format(number, line) for number, line in enumerate(lines, 1)]


def docker(line: str) -> str:
    record = {"log": f"{line}\n", "stream": "stderr", "time": "2026-11-20T11:38:23.123456789Z"}
    return json.dumps(record).replace(">", "\\u003e").replace("<", "\\u003c").replace("&", "\\u0026")


def journal(line: str) -> str:
    return json.dumps({"__REALTIME_TIMESTAMP": "1795174703123456", "MESSAGE": line, "_PID": "41", "_COMM": "srv"})


PREFIXES: dict[str, Change] = {
    "docker json-file": lambda lines: [docker(line) for line in lines],
    "docker logs -t": each("2026-11-20T11:38:23.123456789Z {}"),
    "compose v1": each("web_1  | {}"),
    "compose v2, coloured": each("\x1b[36mweb-1  | \x1b[0m{}"),
    "compose -t": each("web-1  | 2026-11-20T11:38:23.123456789Z {}"),
    "CRI": each("2026-11-20T12:38:23.123456789+01:00 stderr F {}"),
    "kubectl --prefix": each("[pod/web-7d9f/app] {}"),
    "kubectl --prefix --timestamps": each("[pod/web-7d9f/app] 2026-11-20T11:38:23.1Z {}"),
    "journald short": each("Nov 20 11:38:23 host srv[41]: {}"),
    "journald short-iso": each("2026-11-20T11:38:23+0000 host srv[41]: {}"),
    "journald json": lambda lines: [journal(line) for line in lines],
    "syslog 5424": each("<34>1 2026-11-20T11:38:23.003Z host srv 41 ID47 - {}"),
    "heroku": each("2026-11-20T11:38:23.123456+00:00 app[web.1]: {}"),
    "ts": each("Nov 20 11:38:23 {}"),
    "ts %s": each("1795174703.123456 {}"),
    "in brackets": each("[2026-11-20 11:38:23] {}"),
    "time only": each("[11:38:23] {}"),
    "go log": each("2026/11/20 11:38:23 {}"),
    "go log, microseconds": each("2026/11/20 11:38:23.123456 {}"),
    "klog": each("I1120 11:38:23.123456      41 main.go:52] {}"),
    "logcat": each("11-20 11:38:23.123  1234  1250 E Go      : {}"),
    "logcat -v brief": each("E/Go      ( 1250): {}"),
    "powershell": each("hello.exe : {}"),
    "go test -json": lambda lines: [
        json.dumps({"Time": "2026-11-20T11:38:23.1Z", "Action": "output", "Package": "a/b", "Output": f"{line}\n"})
        for line in lines
    ],
    "github": each("build\tRun bench\t2026-11-20T11:38:23.1234567Z {}"),
    "github, compose -t, a logger": each(
        "build\tRun bench\t2026-11-20T11:38:23.1234567Z web-1  | 2026-11-20T11:38:23.1Z [pool-1-thread-2] INFO {}"
    ),
    "grep -n": numbered("{}:{}"),
    "grep -Hn": numbered("srv.log:{}:{}"),
    "cat -n": numbered("{:6}\t{}"),
    "parallel --tag": each("http://web:8080/\t{}"),
    "name in brackets": each("[kiwi] {}"),
}
PAGES: dict[str, Change] = {
    "colours": each("\x1b[32m{}\x1b[0m"),
    "e-mail": each("> > > {}"),
    "e-mail, glued": each(">>>{}"),
    "name": each("Jo> {}"),
    "Markdown list": lambda lines: ["- a run", "", "  ```", *(f"  {line}" for line in lines), "  ```"],
    "quoted fence": lambda lines: ["> > ```", *(f"> > {line}" for line in lines), "> > ```"],
    "backticks": each("`{}`"),
    "pre": lambda lines: [f"<pre>{html.escape(lines[0])}", *map(html.escape, lines[1:]), "</pre>"],
    "pre and code": lambda lines: [f'<pre class="x"><code>{html.escape(lines[0])}', *map(html.escape, lines[1:])],
    "entities": lambda lines: [html.escape(line).replace(" ", "&nbsp;") for line in lines],
    "entities, twice": lambda lines: [html.escape(html.escape(line)) for line in lines],
    "highlighted": lambda lines: [f'<span class="line"><span class="nt">{html.escape(x)}</span></span>' for x in lines],
    "no-break blanks": lambda lines: [line.replace(" ", "\xa0") for line in lines],
    "ideographic blanks": lambda lines: [line.replace(" ", "\u3000") for line in lines],
    "blanks and tabs": lambda lines: [line.replace("  ", "\t") for line in lines],
    "full width": lambda lines: [line.replace(":", "：").replace("%", "％").replace(",", "，") for line in lines],
    "a diff": each("+{}"),
    "a hunk": lambda lines: [f"@@ -0,0 +1,{len(lines)} @@", *(f"+{line}" for line in lines)],
    "a removed hunk": lambda lines: [f"@@ -1,{len(lines)} +0,0 @@", *(f"-{line}" for line in lines)],
    "comment #": each("# {}"),
    "comment //": each("// {}"),
    "comment, glued": each("//{}"),
    "line breaks of Markdown": each("{}\\"),
    "line breaks, apart": each("{} \\"),
    "comment *": each(" * {}"),
    "pipe": each("| {}"),
    "table with <br>": lambda lines: [f"| it | {'<br>'.join(line.replace('|', ' ') for line in lines)} |"],
    "cell with <br/>": lambda lines: [f"<td>{'<br/>'.join(lines)}</td>"],
    "doubled lines": lambda lines: [piece for line in lines for piece in (line, "")],
    "CRLF": each("{}\r"),
    "bold": each("**{}**"),
    "escaped": lambda lines: [line.replace(">", "\\>").replace("[", "\\[").replace("#", "\\#") for line in lines],
    "AsciiDoc": lambda lines: ["== A run", "", "....", *lines, "...."],
    "reStructuredText": lambda lines: ["A run", "*****", "", "::", "", *(f"    {line}" for line in lines), ""],
}
CHANGES = {**PREFIXES, **PAGES}
# What can't be: a layout that takes away what tells the tool's line from another.
IMPOSSIBLE = {
    ("bash", "blanks and tabs"): "no two blanks in it",
}


def items(text: str) -> list[Item]:
    reader = SourceParser("x.log")
    return [*reader.feed(text.encode()), *reader.finish()]


@functools.cache
def sound(text: str) -> tuple[list[Item], list[object]]:
    """The items and values of a text to which nothing was done, for the many tests that compare with them."""
    found = items(text)
    return found, values(found)


def runs(found: list[Item]) -> list[Run]:
    return sorted((item for item in found if isinstance(item, Run)), key=lambda run: (run.line, run.tool))


def values(found: list[Item]) -> list[object]:
    """All that was read, without lines, times and labels."""
    numbers: list[object] = [m[:5] for run in runs(found) for m in run.numbers.rows()]
    rows = [row[:-1] for run in runs(found) for table in run.rows.values() for row in zip(*table, strict=True)]
    batches = [item for item in found if isinstance(item, Batch)]
    events = [
        {key: value for key, value in row.items() if key not in ("run", "line", "logged_at")}
        for batch in batches
        for row in batch.rows.to_pylist()
    ]
    return [*numbers, *rows, *events, *(item.code for item in found if isinstance(item, Diagnostic))]


@each_case(
    "tool, change", [(tool, change) for tool in OUTPUTS for change in CHANGES if (tool, change) not in IMPOSSIBLE]
)
def test_what_stands_around_a_tool_s_output_changes_nothing_in_it(tool: str, change: str) -> None:
    lines = OUTPUTS[tool].splitlines()
    (clean, numbers), found = sound(OUTPUTS[tool]), items("\n".join(CHANGES[change](lines)) + "\n")
    assert runs(clean)
    assert values(found) == numbers
    assert [run.tool for run in runs(found)] == [run.tool for run in runs(clean)]


def words(line: str, width: int, indent: str = "") -> list[str]:
    """A line as word processors and mail programs wrap it."""
    return textwrap.wrap(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [""]


def columns(line: str, width: int) -> list[str]:
    """A line as terminals wrap it."""
    return [line[at : at + width] for at in range(0, len(line), width)] or [""]


WRAPS: dict[str, Callable[[str, int], list[str]]] = {
    "words": words,
    "hanging": lambda line, width: words(line, width, "    "),
    "columns": columns,
    "mail": lambda line, width: [f"> {piece}" for piece in words(line, width)],
    "mail, quoted again": lambda line, width: [f"> > {piece}" for piece in words(line, width)],
}
WIDE = {
    "wrk2 -U": (FIXTURES / "wrk/calibrated-u_latency.txt").read_text(),
    "ab": (FIXTURES / "ab/warning-median.txt").read_text(),
    "time": (FIXTURES / "time/gnu-default-fail.txt").read_text(),
    "time -v": (FIXTURES / "time/gnu-v.txt").read_text(),
    "gctrace": (FIXTURES / "gctrace/go1.24.13-gctrace2-p2.log").read_text(),
    "gctrace 1.4": (FIXTURES / "gctrace/go1.4.3-fosm.log").read_text(),
    "schedtrace": (FIXTURES / "schedtrace/go1.24.13.log").read_text(),
    "detail": (FIXTURES / "schedtrace/go1.10.8-detail.log").read_text(),
}


@each_case("wrap", WRAPS)
@each_case("width", [64, 72, 76, 80])
@each_case("tool", WIDE)
def test_a_line_that_was_wrapped_is_put_together(tool: str, width: int, wrap: str) -> None:
    lines = WIDE[tool].splitlines()
    if wrap.startswith("mail"):
        wraps = [WRAPS[wrap](line, width) for line in lines]
    else:
        wraps = [WRAPS[wrap](line, width) if len(line) > width else [line] for line in lines]
    found = items("\n".join(chain.from_iterable(wraps)) + "\n")
    assert [value for value in values(found) if value != "mended"] == sound(WIDE[tool])[1]


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        (GC.format(n=1, t="0.105"), "(forced)\n"),
        (SCHED.format(t=0) + "  P0: status=1 schedtick=5 syscalltick=7 m=5 runqsize=0 gfreecnt=1\n", "timerslen=4\n"),
    ],
)
def test_the_rest_of_a_line_that_is_whole_without_it_is_named(line: str, rest: str) -> None:
    for between in ("", "  ", "> "):
        text = f"{line}{between}{rest}{GC.format(n=2, t='0.205')}"
        said = [item for item in items(text) if isinstance(item, Diagnostic)]
        assert [(item.code, item.line) for item in said] == [("bad-event", line.count("\n") + 1)]
        assert rest.strip() in said[0].message
    assert [item for item in items(f"It was\n{rest}") if isinstance(item, Diagnostic)] == []


def test_a_forced_collection_in_three_pieces_is_one() -> None:
    line = GC.format(n=1, t="0.105").replace("4 P\n", "4 P (forced)\n")
    found = items(line.replace(" clock", "\nclock").replace(" (", "\n(") + GC.format(n=2, t="0.205"))
    assert [value for value in values(found) if value != "mended"] == values(items(line + GC.format(n=2, t="0.205")))


def test_a_heading_of_signs_is_seen_in_a_long_log_too() -> None:
    rows = "".join(GC.format(n=n, t=f"{n}.5") for n in range(2000))
    for head in ("nginx\n~~~~~\n", "nginx\n*****\n", "= nginx\n"):
        found = runs(items(f"{rows}\n{head}\n{WRK}{rows}"))
        assert [run.section for run in found if run.tool == "wrk"] == ["nginx"]


def test_lines_of_a_detailed_block_without_blanks_in_front_are_read() -> None:
    lines = OUTPUTS["detail"].splitlines()
    for before in ("", " ", "- ", "2026/11/20 11:38:23 "):
        found = items("\n".join(before + line.strip() for line in lines) + "\n")
        assert values(found) == values(items(OUTPUTS["detail"]))


def test_a_url_below_its_line_is_that_line_s() -> None:
    url = "http://ec2-52-1-2-3.eu-central-1.compute.amazonaws.com:8080/plaintext/of/many/words"
    whole = WRK.replace("http://10.0.1.70:8080/hello", url)
    head = whole.splitlines()[0]
    for cut in (head.replace(" http", "\nhttp"), f"{head[:72]}\n{head[72:]}", f"> {head[:72]}\n> {head[72:]}"):
        [run] = runs(items(cut + whole.removeprefix(head)))
        assert [label.value for label in run.labels if label.key == "url"] == [url]


def test_what_stands_below_a_head_and_is_no_url_s_rest_is_not_put_to_it() -> None:
    [run] = runs(items(WRK.replace("hello\n", "hello\nlistening\n")))
    assert [label.value for label in run.labels if label.key == "url"] == ["http://10.0.1.70:8080/hello"]


def test_two_lines_that_only_seem_to_be_one_are_left_apart() -> None:
    text = WRK.replace("Requests/sec:", "Socket errors: connect 0, read 0, write 0, and then\nRequests/sec:")
    found = items(text)
    assert [item.code for item in found if isinstance(item, Diagnostic)] == ["bad-line"]
    assert [m.value for m in runs(found)[0].numbers.rows() if m.metric == "throughput"] == [40669.44]


FRINGES = {
    "prompt in front": "user@host:~$ {}",
    "word glued in front": "done{}",
    "word in front": "stdout: {}",
    "brackets in front": "[out] {}",
    "number in front": "12. {}",
    "Chinese in front": "结果：{}",
    "quoted": '"{}",',
    "in code": "'{}',",
    "tag in front": "<pre>{}",
    "tag behind": "{}</pre>",
    "plus": "+{}",
    "backslash": "{} \\",
    "remark": "{}  <-- here",
    "comment": "{}  # of three",
    "row of a table": "| {} |",
    "drawn box": "│ {} │",
}


@each_case("fringe", FRINGES)
@each_case("at", range(8))
def test_what_stands_in_one_line_with_a_report_s_is_told_from_it_or_named(at: int, fringe: str) -> None:
    """Both ends are tried in turn: no line is lost without a word, and none is read as another number."""
    lines = WRK.splitlines()
    clean = sound(WRK)[1]
    lines[at] = FRINGES[fringe].format(lines[at])
    found = items("\n".join(lines) + "\n")
    said = [item for item in found if isinstance(item, Diagnostic)]
    assert [value for value in values(found) if not isinstance(value, str) and value not in clean] == []
    assert values(found) == clean or said or (at == 0 and values(found) == clean[1:])


@pytest.mark.parametrize(
    "line", ["done410759 requests in 10.10s, 72.06MB read", "Latency and Requests/sec:  40669.44 of all was seen"]
)
def test_a_line_that_can_t_be_told_from_what_it_is_glued_to_is_named(line: str) -> None:
    head = "".join(WRK.splitlines(keepends=True)[:5])
    said = [item for item in items(f"{head}{line}\n") if isinstance(item, Diagnostic)]
    assert [item.line for item in said if item.code == "bad-line"] == [6]


TIMES = {
    "docker json-file": ("2026-11-20 11:38:23.123456", "UTC"),
    "docker logs -t": ("2026-11-20 11:38:23.123456", "UTC"),
    "compose -t": ("2026-11-20 11:38:23.123456", "UTC"),
    "CRI": ("2026-11-20 11:38:23.123456", "UTC"),
    "journald short-iso": ("2026-11-20 11:38:23", "UTC"),
    "journald json": ("2026-11-20 11:38:23.123456", "UTC"),
    "syslog 5424": ("2026-11-20 11:38:23.003", "UTC"),
    "heroku": ("2026-11-20 11:38:23.123456", "UTC"),
    "ts %s": ("2026-11-20 11:38:23.123456", "UTC"),
    "go test -json": ("2026-11-20 11:38:23.1", "UTC"),
    "github": ("2026-11-20 11:38:23.123456", "UTC"),
    "in brackets": ("2026-11-20 11:38:23", None),
    "go log": ("2026-11-20 11:38:23", None),
    "go log, microseconds": ("2026-11-20 11:38:23.123456", None),
    "journald short": (None, None),  # names no year
    "ts": (None, None),
    "klog": (None, None),
    "time only": (None, None),
    "compose v1": (None, None),
}


@each_case("change", TIMES)
@each_case("tool", ["wrk", "gctrace", "schedtrace"])
def test_the_time_in_front_is_kept_with_its_zone(tool: str, change: str) -> None:
    found = items("\n".join(CHANGES[change](OUTPUTS[tool].splitlines())))
    [run] = runs(found)
    at, zone = TIMES[change]
    expected = datetime.fromisoformat(at) if at else None
    assert (run.logged_from, run.logged_to, run.logged_zone) == (expected, expected, zone)
    for batch in (item for item in found if isinstance(item, Batch)):
        assert set(batch.rows["logged_at"].to_pylist() if "logged_at" in batch.rows.column_names else [None]) == {
            expected
        }


def test_services_in_one_log_are_runs_of_their_own() -> None:
    lines = [f"{name}  | {GC.format(n=n, t=f'0.{n}05')}" for n in (1, 2) for name in ("web_1", "db_1 ")]
    lines[2:2] = [f"load_1 | {line}\n" for line in WRK.splitlines()]
    found = runs(items("".join(lines)))
    assert [(run.tool, run.line, run.line_end) for run in found] == [
        ("gctrace", 1, 11),
        ("gctrace", 2, 12),
        ("wrk", 3, 10),
    ]
    assert [[label.value for label in run.labels if label.key == "process"] for run in found] == [
        ["web_1"], ["db_1"], ["load_1"],
    ]  # fmt: skip


def test_a_notebook_is_read_as_its_page_with_the_lines_of_its_json() -> None:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# nginx\n", "some words"]},
        {
            "cell_type": "code",
            "metadata": {},
            "outputs": [{"name": "stdout", "output_type": "stream", "text": WRK.splitlines(keepends=True)}],
            "source": ["!wrk -t8 -c8 http://10.0.1.70:8080/hello"],
        },
    ]
    text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
    [run] = runs(items(text))
    raws = text.splitlines()
    assert (run.section, run.command) == ("nginx", "wrk -t8 -c8 http://10.0.1.70:8080/hello")
    assert [
        raws[line - 1].strip().strip('",').removesuffix("\\n") for line in map(run.line.__add__, run.text.offsets)
    ] == WRK.splitlines()
    assert [m[:5] for m in run.numbers.rows()] == [m[:5] for m in runs(items(WRK))[0].numbers.rows()]
    [short] = runs(items(json.dumps({"cells": cells, "nbformat": 4})))
    assert [m[:5] for m in short.numbers.rows()] == [m[:5] for m in run.numbers.rows()]
    assert short.line == 1


def test_what_a_diff_takes_out_is_another_run_than_what_it_puts_in() -> None:
    old, new = WRK.splitlines(), WRK.replace("40669.44", "50000.00").splitlines()
    text = ["@@ -1,8 +1,8 @@", *(f"-{line}" for line in old), *(f"+{line}" for line in new)]
    rates = [m.value for run in runs(items("\n".join(text))) for m in run.numbers.rows() if m.metric == "throughput"]
    assert rates == [40669.44, 50000.0]


@pytest.mark.parametrize(
    "line", ["410759 requests in 1o.10s, 72.06MB", "+410759 requests in, 72.06MB read", "<pre>Req/Sec 5,1lk"]
)
def test_a_line_that_an_open_report_waits_for_is_named_whatever_stands_in_front(line: str) -> None:
    text = "".join(WRK.splitlines(keepends=True)[:4]) + f"{line}\n"
    assert "bad-line" in [item.code for item in items(text) if isinstance(item, Diagnostic)]


@pytest.mark.parametrize(
    "data", ["gc 1 @", "x" * 70, "{", "[", '"', "<a ", "&", "2026-11-20 ", "a|", "> ", "`", "\x1b[", "1:", "SCHED "]
)
def test_a_line_of_a_million_signs_is_read_in_linear_time(data: str) -> None:
    items(data * (60_000 // len(data)) + "\n" + data * (1_000_000 // len(data)) + "\n")


def test_prose_that_quotes_a_line_among_words_is_no_run() -> None:
    text = f"The line `{GC.format(n=1, t='0.1').rstrip()}` says so.\nWe saw `Requests/sec:  40669.44` there.\n"
    assert runs(items(text)) == []


def test_the_first_line_of_a_process_decides_whether_its_times_have_a_zone_whatever_the_line_is() -> None:
    """The clock of the container has a zone, that of the program in the second line has none."""
    log = (
        "2026-11-20T10:00:01.5Z stderr F init log @16 ms, 0.004 ms clock, 64 bytes, 2 allocs\n"
        "2026/11/20 11:38:23 gc 2 @0.022s 29%: 5.0+1.0+0.006 ms clock, 10+0.093/0.12/0+0.012 ms cpu, "
        "7->9->9 MB, 8 MB goal, 0 MB stacks, 0 MB globals, 8 P\n"
    )
    found = items(log)
    [run] = runs(found)
    assert (run.logged_from, run.logged_zone) == (datetime(2026, 11, 20, 10, 0, 1, 500000), "UTC")  # noqa: DTZ001
    [cycle] = [
        row for item in found if isinstance(item, Batch) and item.table == "gc_cycles" for row in item.rows.to_pylist()
    ]
    assert cycle["logged_at"] is None
