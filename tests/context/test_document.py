"""What is in force where, in pages and logs in miniature: a run begins at ``@``, ``@@`` is a line of its output."""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wrkparse as wp
from wrkparse.context.page.document import Context
from wrkparse.tools import report_tools


class Seen(NamedTuple):
    labels: dict[str, str]
    section: str
    command: str | None
    all: list[tuple[str, str, str, int | None]]


def runs(page: str, tool: str = "wrk", *, is_report: bool = True) -> list[Seen]:
    """What each run (``@``) of a page stands under; ``labels`` has the last label of each key but flags, the program and the lines above."""
    context = Context(report_tools())
    found = []
    for number, line in enumerate(page.strip("\n").split("\n"), 1):
        if line.strip() in ("@", "@@"):
            if line.strip() == "@":
                snapshot = context.snapshot(tool, number, is_report=is_report)
                rows = [
                    (label.key, label.value, label.origin, label.line)
                    for label in snapshot.labels
                    if label.key != "above"
                ]
                last = {key: value for key, value, _, _ in rows if not key.startswith(("env_", "flag_", "program"))}
                found.append(Seen(last, snapshot.section, snapshot.command, rows))
            context.note_parsed_line()
        else:
            context.feed(line, number)
    return found


def one(page: str, tool: str = "wrk", *, is_report: bool = True) -> Seen:
    (found,) = runs(page, tool, is_report=is_report)
    return found


def labels(page: str) -> list[dict[str, str]]:
    return [run.labels for run in runs(page)]


def variables(page: str) -> list[dict[str, str]]:
    """The labels of environment variables of each run of a page, and of their settings."""
    return [{key: value for key, value, origin, _ in run.all if origin == "env"} for run in runs(page)]


@pytest.mark.parametrize(
    ("line", "program"),
    [
        ("$ ./bin/json-std -addr :8080", "json-std"),
        ("$ UV_THREADPOOL_SIZE=4 node ./hash-server.js &", "node hash-server.js"),
        ("$ deno run --allow-net server.ts", "deno server.ts"),
        ("$ bun server.js", "bun server.js"),
        ("$ java -jar kiwi.jar", "kiwi.jar"),
        ("$ go run ./cmd/kiwi", "kiwi"),
        ("+ ./bin/json-std -addr :8080", "json-std"),
        ("./bin/kiwi & sleep 1; wrk -t2 http://localhost:8080/; kill %1", "kiwi"),  # started, loaded, then killed
        ("$ docker run --cpus=2 kiwi", "kiwi"),
        ("$ docker exec web ls", None),
        ("$ sleep 5", None),
    ],
)
def test_the_program_that_a_command_starts_is_a_label(line: str, program: str | None) -> None:
    rows = one(f"```\n{line}\n@\n```").all
    assert {key: value for key, value, _, _ in rows}.get("program") == program


class TestHeadings:
    def test_they_nest_and_end_at_their_level(self):
        page = "# Results\n## nginx\n### 4 cores\n@\n### 8 cores\n@\n## Caddy\n@"
        assert [(run.section, run.labels) for run in runs(page)] == [
            ("Results > nginx > 4 cores", {"framework": "nginx", "cores": "4"}),
            ("Results > nginx > 8 cores", {"framework": "nginx", "cores": "8"}),
            ("Results > Caddy", {"framework": "Caddy"}),
        ]

    @pytest.mark.parametrize("inner", ["## naive", "## Version 1: naive\n### Results", "## Results\n\nkiwi\n"])
    def test_a_page_s_title_with_other_words_than_names_yields_to_a_nearer_name(self, inner):
        assert "framework" not in labels(f"# Go web server\n{inner}\n@")[0]
        assert labels(f"# nginx 1.12\n{inner}\n@")[0]["framework"] == "nginx 1.12"

    @pytest.mark.parametrize("inner", ["", "## Results\n", "## 4 cores\n"])
    def test_it_holds_where_nothing_nearer_names_anything(self, inner):
        assert labels(f"# Go web server\n{inner}@")[0]["framework"] == "Go web server"

    @pytest.mark.parametrize("command", ["time ./solve", "wrk -c10 http://localhost:8080/"])
    def test_lines_that_the_measured_program_prints_are_none(self, command):
        page = f"## curlew\n$ {command}\n# Timestamp: 19.05.2019\n# nginx\n@\n# dunlin\n@"
        assert [run.section for run in runs(page, "time")] == ["curlew", "dunlin"]

    def test_a_script_s_output_may_hold_some(self):
        assert [run.section for run in runs("$ ./bench.sh\n# dunlin\n@\n# curlew\n@")] == ["dunlin", "curlew"]

    @pytest.mark.parametrize("source", ["src/solve.cpp", "Solve.HPP", "main.go.gz"])
    def test_source_code_has_none(self, source):
        """There ``#`` is the preprocessor's, or begins what a program printed that a comment quotes."""
        context = Context(report_tools(), source=source)
        for number, line in enumerate(["/*", "> cat in | ./count", "# 1: nginx = 6", "> time ./solve"], 1):
            context.feed(line, number)
        assert context.snapshot("time", 5).section == ""
        assert "framework" not in {label.key for label in context.snapshot("time", 5).labels}

    def test_labels_know_their_line_and_origin(self):
        assert one("\n\n## nginx\nSome text.\n@").all == [("framework", "nginx", "heading", 1)]
        assert one("x\n\n## nginx\nSome text.\n@").all == [("framework", "nginx", "heading", 3)]

    @pytest.mark.parametrize(
        ("page", "section"),
        [
            ("Title\n=====\nSub\n---\n@", "Title > Sub"),
            ("Title\n=====\nSub\n~~~~~\n@", "Title > Sub"),
            ("Title\n=====\nA\n----\nB\n^^^^\n@", "Title > A > B"),
            ("## Closed ##\n@", "Closed"),
            ("# C#\n@", "C#"),
            ("== Title\n=== Sub\n@", "Title > Sub"),
            ("=== nginx, 4 cores ===\n@", "nginx, 4 cores"),
            ("*** nginx ***\n@", "nginx"),
            ("-------- nginx --------\n@", "nginx"),
            ("<h2 id='x'>A &amp; B</h2>\n@", "A & B"),
            ("## Results\n<details><summary>caddy</summary>\n@", "Results > caddy"),
            ("=====\nnginx\n=====\n@", "nginx"),
            ("#\n## A\n@", "A"),
            # AsciiDoc: the document's title, titles of blocks, blocks between dashes
            ("= Results\n:toc:\n\n== nginx\n@", "Results > nginx"),
            ("= Results\n\n.nginx\n----\n@", "Results > nginx"),
            ("== nginx\n\n[source,console]\n----\n@", "nginx"),
            (".NET\n----\n@", ".NET"),
            # reStructuredText: marks go down in the order of their appearance, a mark above makes another one
            ("Results\n*******\nnginx\n~~~~~\n4 cores\n=======\n@", "Results > nginx > 4 cores"),
            ("Results\n#######\nnginx\n+++++\n4 cores\n-------\nCaddy\n+++++\n@", "Results > Caddy"),
            ("=======\nResults\n=======\n\nnginx\n=====\n\n4 cores\n-------\n@", "Results > nginx > 4 cores"),
            ("=======\nResults\n=======\nnginx\n=====\n4 cores\n-------\nCaddy\n=====\n@", "Results > Caddy"),
            ("Results\n***\n@", ""),  # shorter than the line above
            ("=======\n= nginx\n=======\n@", "nginx"),
            # The title of a page of Jekyll or Hugo holds for it, up to a heading of the first level.
            ("---\ntitle: nginx\ndate: 2020\n---\n@", "nginx"),
            ('---\ntitle: "nginx"\n---\n## 4 cores\n@', "nginx > 4 cores"),
            ("---\ntitle: Servers\n---\n# nginx\n@", "nginx"),
        ],
    )
    def test_forms(self, page, section):
        assert one(page).section == section

    @pytest.mark.parametrize(
        "page",
        [
            "text\n\n---\n@",
            "| a | b |\n--- | ---\n| 1 | 2 |\n@",
            "two lines\nof text\n---\n@",
            "#hashtag\n@",
            "####### seven\n@",
            "--- a/file\n+++ b/file\n@",
            "- item\n---\n@",
        ],
    )
    def test_what_is_none(self, page):
        assert one(page).section == ""

    @pytest.mark.parametrize("callout", ["[!NOTE] nginx", "[!example]- nginx"])
    def test_the_title_of_a_callout_is_a_heading(self, callout):
        assert one(f"> {callout}\n>\n> 8 threads\n\n@").section == "nginx"

    def test_a_log_that_only_begins_with_dashes_is_read(self):
        assert one("---\nstarted just now\n## nginx\n@").section == "nginx"

    def test_a_heading_may_be_the_command(self):
        found = one("### connections: 200\n#### wrk -t8 -c500 -d30s http://h:1/\n@")
        assert found.labels == {"connections": "500", "threads": "8", "duration_s": "30s", "url": "http://h:1/"}
        assert ("connections", "200", "heading", 1) in found.all
        assert ("connections", "500", "flag", 2) in found.all
        assert found.command == "wrk -t8 -c500 -d30s http://h:1/"

    @pytest.mark.parametrize("name", ["wrk", "wrk2", "gctrace", "time", "ab"])
    def test_a_tools_name_alone_is_no_command(self, name):
        found = one(f"## nginx\n$ wrk -t8 http://h/\n## {name}\n@")
        assert (found.section, found.command, found.labels) == (name, None, {})

    def test_a_root_prompt_is_no_heading(self):
        page = "## nginx\n# cd /opt/app\n# sysctl -w a=1\n# wrk -t8 -c16 http://h/\n@"
        assert one(page).section == "nginx"
        assert one(page).labels == {"framework": "nginx", "threads": "8", "connections": "16", "url": "http://h/"}

    def test_a_framework_that_is_also_a_command_is_a_heading_if_it_stands_alone(self):
        page = "# gin\n$ wrk -c8 http://h/\n@\n# echo\n$ wrk -c8 http://h/\n@"
        assert [run["framework"] for run in labels(page)] == ["gin", "echo"]
        assert one("## nginx\n# ls\n# wrk -c16 http://h/\n@").section == "nginx"

    def test_a_root_starts_a_server(self):
        assert one("# GOMAXPROCS=4 ./hello -p 1\n# wrk -c8 http://h/\n@").labels["cores"] == "4"

    def test_a_sentence_is_no_command(self):
        assert one("# GOMAXPROCS=4 means four threads\n@", is_report=False).command is None
        assert one("GOGC=off disables the collector.\n\n$ wrk -t1 http://h/\n@").labels.get("gogc") is None


class TestItems:
    def test_they_nest_by_indentation(self):
        page = (
            "+ wrk -t64 -c 100 -d 60s\n\n    + GOMAXPROCS=1\n\n@\n\n"
            "    + GOMAXPROCS=4\n\n@\n+ wrk -t64 -c 1000\n    + GOMAXPROCS=1\n@"
        )
        assert [(run["connections"], run["cores"]) for run in labels(page)] == [
            ("100", "1"),
            ("100", "4"),
            ("1000", "1"),
        ]

    def test_uneven_siblings(self):
        page = "+ wrk -t64 -c 100\n\n    + GOMAXPROCS=1\n@\n   + GOMAXPROCS=4\n@\n    + GOMAXPROCS=10\n@"
        found = runs(page)
        assert [run.labels["cores"] for run in found] == ["1", "4", "10"]
        assert [sum(key == "cores" for key, *_ in run.all) for run in found] == [1, 1, 1]

    def test_the_end_of_a_wrapped_command_is_no_title(self):
        wrapped = [
            found.get("title")
            for found in labels("kiwi\nwrk -c8 http://h:80/\nhello\n@\nwrk -c8 http://h:80/\nThe emu\n@")
        ]
        assert wrapped == ["kiwi", "The emu"]

    def test_tabs_indent(self):
        assert labels("* nginx\n\t* 4 cores\n@\n* caddy\n@") == [
            {"framework": "nginx", "title": "nginx", "cores": "4"},
            {"framework": "caddy", "title": "caddy"},
        ]

    def test_a_block_at_the_margin_belongs_to_the_item_above(self):
        assert labels("- nginx\n\n```\n@\n```\n\n- caddy\n\n```\n@\n```") == [
            {"framework": "nginx", "title": "nginx"},
            {"framework": "caddy", "title": "caddy"},
        ]

    def test_text_at_the_margin_ends_a_list(self):
        assert labels("- nginx\n\nAfter the list.\n\n@") == [{}]

    def test_a_heading_ends_a_list(self):
        assert labels("- nginx\n## More\n@") == [{}]

    def test_a_list_of_facts_is_no_title(self):
        assert labels("* nginx 1.10\n* Go 1.21\n\n```\n$ wrk -c8 http://h/\n@\n```") == [
            {"connections": "8", "url": "http://h/"}
        ]
        assert labels("* 8 cores\n* 100 connections\n\n@") == [{}]

    def test_what_a_step_starts_runs_on(self):
        page = (
            "1. Start it:\n   ```\n   $ GOMAXPROCS=4 ./hello\n   ```\n"
            "2. Load it:\n   ```\n   $ wrk -c8 http://h/\n   @\n   ```"
        )
        assert labels(page)[0]["cores"] == "4"

    def test_what_an_item_starts_ends_with_it(self):
        page = (
            "- one\n  ```\n  $ GOMAXPROCS=4 ./hello\n  $ wrk http://h/\n  @\n"
            "  ```\n- two\n  ```\n  $ wrk http://h/\n  @\n  ```"
        )
        assert [run.get("cores") for run in labels(page)] == ["4", None]

    def test_a_command_in_code(self):
        assert one("- `GOGC=50 ./hello`\n@").labels == {"gogc": "50"}


class TestTitles:
    def test_a_line_by_itself_names_what_follows(self):
        page = "Go standalone\n# wrk -t1 -c2\n@\n@@\nNginx + Go through HTTP\n# wrk -t1 -c2\n@"
        assert [run["framework"] for run in labels(page)] == ["Go standalone", "Nginx + Go through HTTP"]

    def test_it_holds_until_other_text(self):
        page = "nginx:\n$ wrk -c1 http://h/\n@\n$ wrk -c2 http://h/\n@\nNow for something else\n$ wrk -c3 http://h/\n@"
        assert [run.get("framework") for run in labels(page)] == ["nginx", "nginx", None]

    def test_without_a_command(self):
        assert labels("caddy, 4 cores:\n```\n@\n@@\n@\n```") == [
            {"framework": "caddy", "cores": "4", "title": "caddy, 4 cores"},
            {"framework": "caddy", "cores": "4", "title": "caddy, 4 cores"},
        ]

    def test_it_names_all_fences_up_to_the_next_text(self):
        page = "caddy:\n```\n@\n```\n```\n$ wrk -c2 http://h/\n@\n```\n\n```\n@\n```\nNow for another\n```\n@\n```"
        assert [run.get("framework") for run in labels(page)] == ["caddy", "caddy", "caddy", None]

    def test_what_is_said_in_a_fence_ends_with_it(self):
        page = "caddy:\n```\n@\nnginx:\n@\n```\n```\n@\n```\n## Setup\n```\n@\n```"
        assert [run.get("framework") for run in labels(page)] == ["caddy", "nginx", None, None]

    def test_code_in_a_fence_is_not_named_by_what_stands_above_it(self):
        assert labels("The settings:\n```\nlisten 80;\n```\n```\n@\n```") == [{}]

    @pytest.mark.parametrize(
        "text",
        [
            "We ran nginx.",
            "nginx\nwas started",
            "go: downloading github.com/x/y v1.2.3",
            "< Server: nginx/1.10",
            "go version go1.21.1 linux/amd64",
            "nginx;",
            "server {",
            "| nginx | 100 |",
            "nginx\n\n\n\n\n\n\n",
            "PORT=80\nWORKERS=4",
        ],
    )
    def test_what_is_none(self, text):
        assert labels(f"{text}\n$ wrk -c8 http://h/\n@") == [{"connections": "8", "url": "http://h/"}]

    def test_a_job_number_does_not_displace_it(self):
        assert labels("nginx\n$ ./x &\n[1] 12345\n$ wrk -c8 http://h/\n@")[0]["framework"] == "nginx"

    def test_a_comment_in_a_fence_is_one(self):
        found = one("```sh\n# nginx with 4 workers\nwrk -c8 http://h/\n@\n```")
        named = {"workers": "4", "framework": "nginx", "title": "nginx with 4 workers"}
        assert found.labels == {**named, "connections": "8", "url": "http://h/"}
        assert found.section == ""

    def test_what_a_command_prints_is_none_and_displaces_none(self):
        page = (
            "**Go 1.17**\n```\n$ go version\ngo version go1.18 linux/amd64\n"
            "$ ./hello &\nnginx\n$ wrk -c8 http://h/\n@\n```"
        )
        assert labels(page)[0]["framework"] == "Go 1.17"

    def test_a_remark_of_several_lines(self):
        found = runs("# caddy\n# some remark\n# with 4 cores\n@\n# nginx\n@")
        assert [(run.section, run.labels) for run in found] == [
            ("caddy", {"framework": "caddy", "cores": "4"}),
            ("nginx", {"framework": "nginx"}),
        ]

    def test_instructions_are_none(self):
        assert labels("```sh\n# start the server\nwrk -c8 http://h/\n@\n```") == [
            {"connections": "8", "url": "http://h/"}
        ]


class TestCommands:
    def test_flags_have_the_line_of_their_command(self):
        assert one("```\n$ wrk -t8 --latency http://h/\n@\n```").all == [
            ("threads", "8", "flag", 2),
            ("flag_latency", "true", "flag", 2),
            ("url", "http://h/", "flag", 2),
        ]

    def test_the_server_labels_the_run(self):
        found = one(
            "```\nnan@box:~/d$ GOMAXPROCS=4 GOGC=50 nohup ./gotest &\nnan@box:~$ wrk -t8 -c40 http://h/\n@\n```"
        )
        assert (found.labels["cores"], found.labels["gogc"], found.labels["connections"]) == ("4", "50", "40")
        assert ("env_GOMAXPROCS", "4", "env", 2) in found.all
        assert found.command == "wrk -t8 -c40 http://h/"

    def test_the_next_server_replaces_it(self):
        page = "```\n$ GOMAXPROCS=4 GOGC=off ./a\n$ wrk http://h/\n@\n$ GOMAXPROCS=8 ./b\n$ wrk http://h/\n@\n```"
        assert [(run["cores"], run.get("gogc")) for run in labels(page)] == [("4", "off"), ("8", None)]

    def test_a_deeper_heading_keeps_it_and_the_next_section_does_not(self):
        page = "## A\n$ GOMAXPROCS=4 ./a\n### c100\n@\n### c200\n@\n## B\n@"
        assert [run.get("cores") for run in labels(page)] == ["4", "4", None]

    @pytest.mark.parametrize("line", ["$ pkill hello", "$ sudo systemctl stop hello", "$ kill %1", "$ docker stop x"])
    def test_a_kill_ends_it(self, line):
        page = f"```\n$ GOMAXPROCS=4 ./hello\n{line}\n$ wrk -c8 http://h/\n@\n```"
        assert labels(page) == [{"connections": "8", "url": "http://h/"}]

    @pytest.mark.parametrize("line", ["$ systemctl start nginx", "$ ./other", "$ docker run nginx", "$ node app.js"])
    def test_a_server_without_settings_replaces_it_too(self, line):
        assert "cores" not in one(f"```\n$ GOMAXPROCS=4 ./hello\n{line}\n$ wrk http://h/\n@\n```").labels

    @pytest.mark.parametrize(
        "line",
        [
            "$ sleep 5",
            "$ curl -v http://h/",
            "$ ./attack.sh http://h/",
            "$ ./bench.sh",
            "$ nginx -v",
            "$ hey -n 9 x",
            "$ GOMAXPROCS=1 go build",
            "$ npm run build",
            "$ docker ps",
            "$ cargo build --release",
            "$",
            "+ date +%s",
            "$ tail -f log",
            "2020/01/01 listening on :80",
            "> GET / HTTP/1.1",
            "* Connected to h (1.2.3.4) port 80",
        ],
    )
    def test_noise_does_not(self, line):
        for page in (
            f"```\n$ GOMAXPROCS=4 ./hello\n{line}\n$ wrk http://h/\n@\n```",
            f"$ GOMAXPROCS=4 ./hello\n{line}\n$ wrk http://h/\n@",
        ):
            assert one(page).labels == {"cores": "4", "url": "http://h/"}, page

    @pytest.mark.parametrize(
        "line",
        ["idlethreads=1 runqueue=0 [0 1]", "functions=4354 planted=100 -> report.json", "level=info worker=3 started"],
    )
    def test_a_line_of_a_log_in_a_fence_is_no_command(self, line: str) -> None:
        tick = "SCHED {}ms: gomaxprocs=2 idleprocs=0 threads=5 spinningthreads=0 idlethreads=1 runqueue=3 [1 2]"
        ds = wp.parse_text(f"# nginx\n\n```\n{tick.format(0)}\n{line}\n{tick.format(100)}\n```\n")
        assert ds.runs["line"].tolist() == [4]
        assert sorted(ds.labels["key"]) == ["cores", "framework"]

    def test_a_build_does_not_label(self):
        assert one("```\n$ GOMAXPROCS=1 go build\n$ wrk http://h/\n@\n```").all == [("url", "http://h/", "flag", 3)]

    def test_exports_persist_over_servers(self):
        page = (
            "```\n$ export GOGC=off\n$ GOMAXPROCS=2 ./a\n$ wrk http://h/\n"
            "@\n$ GOMAXPROCS=4 ./b\n$ wrk http://h/\n@\n```"
        )
        assert [(run["gogc"], run["cores"]) for run in labels(page)] == [("off", "2"), ("off", "4")]

    def test_a_service_does_not_inherit_the_shell_s_environment(self):
        assert "cores" not in one("$ export GOMAXPROCS=4\n$ systemctl start nginx\n$ wrk http://h/\n@").labels

    def test_a_command_overrides_what_was_exported(self):
        assert one("```\n$ export GOGC=off\n$ GOGC=50 ./a\n@\n```").labels == {"gogc": "50"}

    @pytest.mark.parametrize(
        "starts",
        [
            ["unset GOGC POOL", "./kiwi &"],
            ["unset GOGC && unset POOL", "./kiwi &"],
            ["unsetenv GOGC POOL", "./kiwi &"],
            ["export GOGC= POOL=", "./kiwi &"],
            ["GOGC= POOL= ./kiwi &"],
            ["env -u GOGC -u POOL ./kiwi &"],
            ["env --unset=GOGC --unset POOL ./kiwi &"],
            ["env -i ./kiwi &"],
            ["sudo env - ./kiwi &"],
        ],
    )
    def test_a_variable_that_is_unset_labels_no_run_below(self, starts: list[str]) -> None:
        load = "$ wrk http://h/\n@\n"
        above = f"$ export GOGC=50 POOL=4\n$ ./kiwi &\n{load}$ kill %1\n"
        below = "".join(f"$ {start}\n" for start in starts) + load
        found = variables(f"{above}{below}$ kill %1\n$ export POOL=8\n$ ./kiwi &\n{load}")
        assert [(run.get("gogc"), run.get("env_POOL")) for run in found[:2]] == [("50", "4"), (None, None)]
        assert found[2]["env_POOL"] == "8"

    def test_what_env_unsets_is_unset_for_its_program_alone(self):
        page = "$ export POOL=4\n$ env -u POOL ./kiwi &\n$ wrk http://h/\n@\n$ kill %1\n$ ./emu &\n$ wrk http://h/\n@\n"
        assert [run.get("env_POOL") for run in variables(page)] == [None, "4"]

    def test_a_variable_that_is_set_behind_a_start_is_not_the_one_that_it_unset(self):
        page = "$ env -u POOL ./kiwi &\n$ export POOL=4\n$ wrk http://h/\n@\n"
        assert variables(page)[0]["env_POOL"] == "4"

    def test_a_function_that_is_unset_is_no_variable(self):
        page = "$ export POOL=4\n$ unset -f POOL\n$ ./kiwi &\n$ wrk http://h/\n@\n"
        assert variables(page)[0]["env_POOL"] == "4"

    def test_a_server_runs_on_with_a_variable_that_is_unset_behind_its_start(self):
        load = "$ wrk http://h/\n@\n"
        page = f"$ export POOL=4\n$ ./kiwi &\n{load}$ unset POOL\n{load}$ kill %1\n$ ./kiwi &\n{load}"
        assert [run.get("env_POOL") for run in variables(page)] == ["4", "4", None]

    def test_a_restart_takes_over_that_a_variable_was_unset(self):
        load = "$ wrk http://h/\n@\n"
        page = f"$ export POOL=4\n$ ./kiwi &\n{load}$ unset POOL\n$ ./restart.sh\n{load}"
        assert [run.get("env_POOL") for run in variables(page)] == ["4", None]

    def test_a_variable_that_is_set_again_is_not_unset_by_the_next_start(self):
        load = "$ wrk http://h/\n@\n"
        page = f"$ export POOL=4\n$ ./kiwi &\n{load}$ unset POOL\n$ export POOL=8\n$ kill %1\n$ ./kiwi &\n{load}"
        assert [run.get("env_POOL") for run in variables(page)] == ["4", "8"]

    def test_a_section_unsets_a_variable_for_itself(self):
        load = "$ ./kiwi &\n$ wrk http://h/\n@\n"
        page = f"# Day 1\n$ export POOL=4\n{load}## old\n$ unset POOL\n{load}## new\n{load}"
        assert [run.get("env_POOL") for run in variables(page)] == ["4", None, "4"]

    def test_a_setting_of_go_is_unset_without_a_prompt_as_it_is_set(self):
        page = "export GOGC=50\n$ wrk http://h/\n@\nunset GOGC\n$ wrk http://h/\n@\n"
        assert [run.get("gogc") for run in variables(page)] == ["50", None]

    def test_a_format_that_is_unset_reads_no_report(self):
        page = "$ export TIMEFORMAT='%R'\n$ unset TIMEFORMAT\n$ time ./kiwi\n1.234\n"
        assert wp.parse_text(page).runs.empty

    def test_a_setting_with_a_colon(self):
        found = one(
            "## Go 1.4.2\n\nGOMAXPROCS=36:\n\n```console\n$ ./attack.sh http://h/\n+ wrk -t8 -c8 http://h/\n@\n```"
        )
        assert ("cores", "36", "env", 3) in found.all

    @pytest.mark.parametrize(
        "line", ["`$ GOMAXPROCS=36 ./hello1.5`:", "`GOMAXPROCS=36 ./hello`", "Server: `GOMAXPROCS=36 ./x`"]
    )
    def test_inline_code(self, line):
        assert one(f"{line}\n\n```\n$ wrk http://h/\n@\n```").labels["cores"] == "36"

    @pytest.mark.parametrize(
        "block", ["PORT=8080\nHOST=localhost", "worker_processes 4;", "threads = 4\nrate: 5", "A=1"]
    )
    def test_a_configuration_does_not_label(self, block):
        assert one(f"```\n{block}\n```\n\n```\n$ wrk -c8 http://h/\n@\n```").all == [
            ("connections", "8", "flag", len(block.split("\n")) + 5),
            ("url", "http://h/", "flag", len(block.split("\n")) + 5),
        ]

    def test_what_set_x_prints_without_a_fence(self):
        page = (
            "+ GOMAXPROCS=4 ./hello\n+ sleep 1\n+ wrk -t1 -c1 http://h/\n@\n"
            "+ wrk -t2 -c2 http://h/\n@\n+ GOMAXPROCS=8 ./hello\n+ wrk -t1 http://h/\n@"
        )
        assert [(run["cores"], run["threads"]) for run in labels(page)] == [("4", "1"), ("4", "2"), ("8", "1")]

    def test_a_command_of_several_lines(self):
        found = one("```\n$ GOMAXPROCS=4 \\\n    ./hello\n$ wrk -t8 \\\n  -c100 \\\n  http://h/\n@\n```")
        assert found.labels == {"cores": "4", "threads": "8", "connections": "100", "url": "http://h/"}
        assert ("threads", "8", "flag", 4) in found.all

    def test_a_command_whose_next_line_never_came(self):
        for page in ("$ wrk -c8 \\\n@", "$ wrk -c8 \\\n\n@", "```\n$ wrk -c8 \\\n```\n@"):
            assert one(page).labels == {"connections": "8"}

    def test_a_line_break_of_markdown_is_none(self):
        assert one("Some text\\\nGo standalone\n\n@").labels == {}

    def test_a_load_generator_in_a_container(self):
        assert one("```\n$ docker run --rm williamyeh/wrk -t4 -c8 http://h/\n@\n```").labels == {
            "threads": "4",
            "connections": "8",
            "url": "http://h/",
        }

    @pytest.mark.parametrize(
        "line",
        [
            "Command: wrk -t4 -c8 http://h/", "Run wrk -t4 -c8 http://h/", "**wrk -t4 -c8 http://h/**",
            "!wrk -t4 -c8 http://h/", "In [3]: !wrk -t4 -c8 http://h/", '$ bash -c "wrk -t4 -c8 http://h/"',
            "$ docker exec x sh -c 'ulimit -n 65536; wrk -t4 -c8 http://h/'", '$ ssh h "wrk -t4 -c8 http://h/ | tee a"',
            "$ watch -n1 wrk -t4 -c8 http://h/",
        ],
    )  # fmt: skip
    def test_a_command_that_is_named_or_quoted(self, line):
        expected = {"threads": "4", "connections": "8", "url": "http://h/"} | (
            {"machine": "h"} if "ssh" in line else {}
        )
        assert one(f"{line}\n@").labels == one(f"```\n{line}\n@\n```").labels == expected

    @pytest.mark.parametrize("line", ["Note: wrk is a tool", "Run time: 5 s", "Remark: time -- and money"])
    def test_a_sentence_that_names_a_tool_is_none(self, line):
        assert one(f"{line}\n\n@").labels == {}

    def test_a_process_s_own_command(self):
        page = "```\n$ GODEBUG=gctrace=1 GOMAXPROCS=2 ./hello\n@\n```"
        found = one(page, "gctrace", is_report=False)
        assert found.command == "GODEBUG=gctrace=1 GOMAXPROCS=2 ./hello"
        assert found.labels == {"cores": "2"}

    def test_time_labels_with_what_it_runs(self):
        found = one("```\n$ time ./a +RTS -N2\n@\n```", "time")
        assert (found.command, found.labels) == ("time ./a +RTS -N2", {"cores": "2"})

    def test_time_of_a_build_starts_nothing(self):
        page = "```\n$ GOMAXPROCS=4 ./hello\n$ time go build\n@\n```"
        assert one(page).labels == {"cores": "4"}

    @pytest.mark.parametrize(
        "page", ["> ```\n> # comment\n> $ wrk -c8 http://h/\n> ```\n@", "> $ wrk -c8 http://h/\n@"]
    )
    def test_block_quotes(self, page):
        assert (one(page).section, one(page).labels) == ("", {"connections": "8", "url": "http://h/"})

    def test_html(self):
        page = "<h3>nginx</h3>\n<pre><code>$ wrk -c8 &quot;http://h/?a=1&amp;b=2&quot;\n@\n</code></pre>"
        assert one(page).labels == {"framework": "nginx", "connections": "8", "url": "http://h/?a=1&b=2"}


class TestFences:
    @pytest.mark.parametrize(
        ("begin", "end"), [("```", "```"), ("```bash", "```"), ("~~~", "~~~"), ("````md", "`````")]
    )
    def test_headings_are_none_inside(self, begin, end):
        assert one(f"{begin}\n# not\n## a heading\n{end}\n@").section == ""
        assert one(f"{begin}\n{end}\n## A\n@").section == "A"

    def test_a_shorter_fence_does_not_close(self):
        assert one("````\n```\n## A\n````\n@").section == ""

    def test_code_between_three_signs_in_one_line_opens_none(self):
        assert one("```x```\n## A\n@").section == "A"

    def test_an_unclosed_fence_ends_with_the_page(self):
        assert one("## A\n```\n$ wrk -c8 http://h/\n@").labels["connections"] == "8"

    def test_an_indented_comment_is_no_heading(self):
        assert one("text\n\n    # comment\n    ./run\n\n@").section == ""


class TestEpochs:
    @pytest.mark.parametrize("line", ["## A", "- item", "$ ./hello", "$ wrk -t1 http://h/", "GOGC=off:"])
    def test_what_a_report_cannot_reach_across(self, line):
        context = Context(report_tools())
        before = context.session.epoch
        context.feed(line, 1)
        assert context.session.epoch != before

    @pytest.mark.parametrize("line", ["", "some text", "2020/01/01 12:00:00 GET / 200", "[1] 123", "$ sleep 1"])
    def test_what_it_can(self, line):
        context = Context(report_tools())
        before = context.session.epoch
        context.feed(line, 1)
        assert context.session.epoch == before

    @pytest.mark.parametrize(
        ("line", "changes"), [("$ ./hello", True), ("```", True), ("## A", False), ("$ wrk -c1 http://h", False)]
    )
    def test_where_another_process_may_begin(self, line, changes):
        context = Context(report_tools())
        context.feed(line, 1)
        assert (context.session.process_epoch != 0) is changes


class TestAnyText:
    pieces = st.sampled_from(
        [
            "#",
            "# ",
            "- ",
            "+ ",
            "1. ",
            "  ",
            "    ",
            "\t",
            "```",
            "~~~",
            "$ ",
            "> ",
            "wrk -t4 -c",
            "GOMAXPROCS=4",
            " ./a",
            "\\",
            "nginx",
            "Go 1.2",
            "===",
            "---",
            "'",
            '"',
            "`",
            "(",
            "=",
            ":",
            "<b>",
            "&lt;",
            "+RTS -N4",
            "time ",
            "taskset -c 0-",
            "@",
        ]
    )
    line = st.one_of(st.lists(pieces, max_size=8).map("".join), st.text(max_size=40))

    @given(st.lists(line, max_size=12))
    def test_nothing_is_raised_and_lines_are_in_range(self, lines):
        context = Context(report_tools())
        for number, text in enumerate(lines, 1):
            if text == "@":
                context.note_parsed_line()
            else:
                context.feed(text, number)
            for tool, is_report in (("wrk", True), ("gctrace", False)):
                snapshot = context.snapshot(tool, number, is_report=is_report)
                assert all(label.line is not None and 1 <= label.line <= number for label in snapshot.labels)

    @pytest.mark.parametrize(
        "piece",
        [
            "(",
            "`",
            "-",
            "a=",
            "a ",
            ">",
            "#",
            "=",
            "<b",
            "&",
            "[",
            "@",
            "+RTS -A",
            "1,000",
            "❯",
            "~",
            "\\",
            "'",
            "A=b ",
        ],
    )
    def test_a_long_line_is_read_at_once(self, piece):
        """A pattern that is worse than linear would not end in the lifetime of a test run."""
        text = piece * (300_000 // len(piece))
        for line in (text, f"$ {text}", f"# {text}", f"- {text}", f"`{text}", f"{text}!", f"{text}:"):
            context = Context(report_tools())
            context.feed(line, 1)
            context.feed("---", 2)
            assert context.snapshot("wrk", 3).command is None


def test_the_copy_button_of_a_page_does_not_come_between_a_title_and_its_run() -> None:
    import wrkparse as wp

    text = "Go standalone\n复制代码 代码如下:\n# wrk -t100 -c5000 -d30s\nRequests/sec: 42745.15\nTransfer/sec: 7.17MB\n"
    assert wp.parse_text(text).runs.framework.tolist() == ["Go standalone"]
