"""What commands, titles and paths say of a run, and which saying holds."""

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.cases import each_case
from wrkparse.context.labels import (
    framework_and_version,
    load_labels,
    path_labels,
    server_labels,
    title_labels,
)
from wrkparse.context.precedence import ORIGINS, ResolvedLabels, normalize_value, resolve, suits_key, url_parts
from wrkparse.context.titles.known_names import framework_name, is_known_name, is_prose
from wrkparse.context.titles.vocabulary import flag_key
from wrkparse.model.records import Label
from wrkparse.text.shell import parse_commands
from wrkparse.tools import report_tools

FLAGS = {tool.name: tool.flags for tool in report_tools() if tool.programs}


def server(text: str) -> dict[str, str]:
    """The labels of a server's command, without those that repeat the environment."""
    (command,) = parse_commands(text)
    found = server_labels(command, 7)
    assert all((label.origin, label.line) == ("env", 7) for label in found)
    return {label.key: label.value for label in found if not label.key.startswith("env_")}


def load(text: str, tool: str = "wrk") -> dict[str, str]:
    (command,) = parse_commands(text)
    found = load_labels(command, command.args, FLAGS[tool])
    assert all((label.origin, label.line) == ("flag", None) for label in found)
    return {label.key: label.value for label in found}


def title(text: str) -> dict[str, str]:
    return {label.key: label.value for label in title_labels(text, 1)}


def path(source: str) -> list[tuple[str, str]]:
    assert all((label.origin, label.line) == ("path", None) for label in path_labels(source))
    return [(label.key, label.value) for label in path_labels(source)]


class TestServer:
    @each_case(
        "text, expected",
        [
            ("GOMAXPROCS=36 ./hello", {"cores": "36"}),
            ("CPU_NUM=4 node a.js", {"cores": "4"}),
            ("GOGC=off GOMEMLIMIT=1GiB ./hello", {"gogc": "off", "gomemlimit": "1GiB"}),
            ("GOMAXPROCS=0 ./hello", {}),
            ("GOMAXPROCS= ./hello", {}),
            ("GOMAXPROCS=$N ./hello", {}),
            ("GOMAXPROCS=many ./hello", {}),
            ("./a +RTS -N4 -H128m -RTS -p 80", {"cores": "4", "flag_rts_heap": "128m", "flag_p": "80"}),
            ("cabal run x -- +RTS -N4", {"cores": "4"}),
            ("./a +RTS -N", {"flag_rts_capabilities": "true"}),
            ("taskset -c 0-3,8 ./a", {"cores": "5"}),
            ("taskset -ac 2 ./a", {"cores": "1"}),
            ("taskset --cpu-list 0-1 ./a", {"cores": "2"}),
            ("taskset 0xf0 ./a", {"cores": "4"}),
            ("taskset ff ./a", {"cores": "8"}),
            ("taskset -c x ./a", {}),
            ("taskset xyz ./a", {}),
            ("taskset -c 3-0 ./a", {}),
            ("numactl -C 0-3 ./a", {"cores": "4"}),
            ("numactl --physcpubind=0,2 ./a", {"cores": "2"}),
            ("numactl --cpunodebind=0 ./a", {"flag_cpunodebind": "0"}),
            ("nice -n 10 ./a", {"flag_nice": "10"}),
            ("nice -5 ./a", {"flag_nice": "-5"}),
            ("chrt -f 50 ./a", {"flag_chrt": "-f 50"}),
            ("ionice -c 2 -n 7 ./a", {"flag_ionice": "-c 2 -n 7"}),
            ("setarch -R ./a", {"flag_setarch": "-R"}),
            ("cpulimit -l 50 ./a", {"flag_cpulimit": "-l 50"}),
            (
                "docker run --rm --cpus=4 -e GOGC=off --env GOMEMLIMIT=1GiB image",
                {"cores": "4", "gogc": "off", "gomemlimit": "1GiB"},
            ),
            ("docker run --rm --cpus 2.0 image", {"cores": "2.0"}),
            ("docker run --rm --cpus 1.5 image", {"flag_cpus": "1.5"}),
            ("docker run --rm --cpuset-cpus=0-2 image", {"cores": "3"}),
            ("./hello -prefork=18 -keep-alive", {"flag_prefork": "18", "flag_keep_alive": "true"}),
            ("./hello ----- -=x -1", {}),
        ],
    )
    def test_what_its_command_says(self, text, expected):
        found = server(text)
        assert {key: value for key, value in found.items() if key != "flag_rm"} == expected

    def test_every_variable_stays_under_its_name(self):
        (command,) = parse_commands("PORT=80 GOGC=50 ./x")
        assert [(label.key, label.value) for label in server_labels(command, 1)] == [
            ("env_PORT", "80"),
            ("env_GOGC", "50"),
            ("gogc", "50"),
        ]


class TestLoad:
    @pytest.mark.parametrize(
        ("text", "tool", "expected"),
        [
            (
                "wrk -t8 -c200 -d30S http://h/",
                "wrk",
                {"threads": "8", "connections": "200", "duration_s": "30S", "url": "http://h/"},
            ),
            (
                "wrk http://h/?a=1 --threads=8 --connections 1k",
                "wrk",
                {"threads": "8", "connections": "1k", "url": "http://h/?a=1"},
            ),
            ("wrk2 -R2000 --latency http://h/", "wrk", {"rate": "2000", "flag_latency": "true", "url": "http://h/"}),
            ("wrk -t1 http://h/ -- a b", "wrk", {"threads": "1", "url": "http://h/"}),
            ("wrk -t$T -c $C -d <n> $URL", "wrk", {}),
            ("wrk -t and -c are options", "wrk", {"url": "options"}),
            ("wrk -H 'Host: x' h:80", "wrk", {"flag_header": "Host: x", "url": "h:80"}),
            (
                "ab -kc 100 -n 2000 -t 5 http://h/",
                "ab",
                {"flag_k": "true", "connections": "100", "flag_requests": "2000", "duration_s": "5"},
            ),
        ],
    )
    def test_its_own_flags(self, text, tool, expected):
        found = load(text, tool)
        assert {key: found[key] for key in expected} == expected
        assert set(found) - set(expected) <= {"url"} | {key for key in found if key.startswith("flag_")}
        assert not {"threads", "connections", "duration_s", "rate"} & (set(found) - set(expected))

    @pytest.mark.parametrize(
        ("flag", "key"),
        [
            ("--keep-alive", "flag_keep_alive"),
            ("-p", "flag_p"),
            ("-a.b", "flag_a_b"),
            ("--", ""),
            ("-----", ""),
            ("-9", ""),
            ("--é", ""),
            ("--" + "x" * 60, ""),
            ("-a b", ""),
        ],
    )
    def test_the_key_of_a_flag(self, flag, key):
        assert flag_key(flag) == key


class TestTitleSettings:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("connections: 200", {"connections": "200"}),
            ("client: 200", {"connections": "200"}),
            ("CPUs：8", {"cores": "8"}),
            ("4 cores", {"cores": "4"}),
            ("1core", {"cores": "1"}),
            ("12-core", {"cores": "12"}),
            ("12核", {"cores": "12"}),
            ("4コア", {"cores": "4"}),
            ("8核16线程", {"cores": "8", "threads": "16"}),
            ("100并发", {"connections": "100"}),
            ("single-core", {"cores": "1"}),
            ("1,000 connections", {"connections": "1000"}),
            ("10k connections", {"connections": "10k"}),
            ("8 threads and 100 connections", {"threads": "8", "connections": "100"}),
            ("cores=4, c=3", {"cores": "4"}),
            ("**4 workers**", {"workers": "4"}),
            ("gogc = 200", {"gogc": "200"}),
            ("framework: mine", {"framework": "mine"}),
            ("Low latency environment", {"environment": "Low latency"}),
        ],
    )
    def test_settings(self, text, expected):
        assert title(text) == expected
        assert {label.origin for label in title_labels(text, 1)} == {"heading"}

    @pytest.mark.parametrize(
        "text",
        ["[nginx](https://nginx.org)", "🚀 nginx", "nginx ⚡️", "nginx {#nginx}", "✅ [nginx](https://nginx.org) {.x}"],
    )
    def test_what_sets_a_title_s_type_is_no_part_of_the_name(self, text):
        assert [(label.key, label.value) for label in title_labels(text, 1)] == [("framework", "nginx")]

    @pytest.mark.parametrize(
        "text", ["GOMAXPROCS=4", "`GOMAXPROCS=4`", "GOMAXPROCS=4:", "with GOMAXPROCS=4", "(GOMAXPROCS=4)"]
    )
    def test_a_variable_is_the_environment_s(self, text):
        assert [(label.key, label.value, label.origin) for label in title_labels(text, 3)] == [
            ("env_GOMAXPROCS", "4", "env"),
            ("cores", "4", "env"),
        ]

    def test_runtime_flags_are_the_environment_s(self):
        assert [(label.key, label.value, label.origin) for label in title_labels("+RTS -N10 -H1G", 3)] == [
            ("cores", "10", "env"),
            ("flag_rts_heap", "1G", "env"),
        ]

    @each_case(
        "text",
        [
            "1 core and 4 cores",
            "4-8 cores",
            "0 cores",
            "0.5 cores",
            "rate: 50%",
            "CPU: i7",
            "Runtime: 30s",
            "server: localhost",
            "Test environment",
            "Setting up the environment",
            "K=V",
            "",
            "   ",
            "**",
            "x" * 300 + " 4 cores",
            "core 4",
            "10,000 requests",
            "2 servers",
            "corescores",
            "http://h/?cores=",
        ],
    )
    def test_nothing(self, text):
        assert title(text) == {}

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("branch: feature-x", {"branch": "feature-x"}),
            ("server: siskin, cache: on", {"framework": "siskin", "cache": "on"}),
            ("crossbill db=pg pool=20", {"db": "pg", "pool": "20"}),
            ("crossbill db=pg", {}),
            ("siskin, version: 2.1", {"version": "2.1"}),
            ("source=a, line=3", {}),
        ],
    )
    def test_keys_that_only_a_heading_may_have(self, text, expected):
        labels = {label.key: label.value for label in title_labels(text, heading=True)}
        assert labels == expected
        assert set(title(text)) == set(expected) & {"framework"}

    @pytest.mark.parametrize(
        "text",
        [
            "Note: this is slow",
            "CacheInfo(hits=3, misses=8)",
            "rm -rf output",
            "hits: 3, misses: 8",
            "< Server: teal",
            "http://h:8080/?cores=4&threads=2",
            "Connected to h (1.2.3.4) port 80",
        ],
    )
    def test_no_heading_is_labelled_by_chance(self, text):
        assert title_labels(text, heading=True) == []


class TestNames:
    @each_case(
        "text, name",
        [
            ("nginx", "nginx"),
            ("Nginx:", "Nginx"),
            ("actix-web", "actix-web"),
            ("**Rust (hyper)**", "Rust (hyper)"),
            ("FastAPI + uvicorn, 4 workers", "FastAPI + uvicorn"),
            ("nginx 1.10.3 (4 workers)", "nginx 1.10.3"),
            ("Go 1.4.2 Basic", "Go 1.4.2 Basic"),
            ("Go 1.4.2 w/o GC", "Go 1.4.2 w/o GC"),
            ("Golang Result", "Golang"),
            ("MIO Result", "MIO"),
            ("Node.js benchmark results", "Node.js"),
            ("Go standalone", "Go standalone"),
            ("Nginx + Go through FastCGI Unix Socket", "Nginx + Go through FastCGI Unix Socket"),
            ("Go (net/http)", "Go (net/http)"),
            ("Flask inside of FastAPI inside of Uvicorn", "Flask inside of FastAPI inside of Uvicorn"),
            ("Express on Bun", "Express on Bun"),
            ("1. nginx", "nginx"),
            ("2.1 Caddy", "Caddy"),
            ("Python/Flask", "Python/Flask"),
            ("Spring Boot", "Spring Boot"),
            ("go1.5", "go1.5"),
            ("PHP 7.4-fpm", "PHP 7.4-fpm"),
            ("gin (Go 1.21)", "gin"),
            ("Server: nginx/1.10", "nginx/1.10"),
            ("nginx, 4 cores, 100 connections", "nginx"),
            ("Express", "Express"),
            ("Rocket – Rust (nightly) web framework", "Rocket"),
            ("C++ Drogon — Hello World", "C++ Drogon"),
            ("Elixir Phoenix — Eggs", "Elixir Phoenix"),
            ("Go – net/http", "Go – net/http"),
            ("nginx — php-fpm", "nginx — php-fpm"),
            ("Java Quarkus - Native with GraalVM", "Java Quarkus - Native with GraalVM"),
        ],
    )
    def test_of_what_was_measured(self, text, name):
        assert title(text)["framework"] == name

    @each_case(
        "text",
        [
            "How to go faster",
            "Let's go!",
            "Why Node is hard",
            "Going further",
            "Rust in peace",
            "go to",
            "Ready to go",
            "Go live",
            "Go home",
            "Echo chamber",
            "Benchmark results",
            "Test results",
            "Sample output",
            "Unit tests",
            "Performance",
            "Installing nginx",
            "Start nginx",
            "nginx configuration",
            "Go version",
            "go version go1.21 linux/amd64",
            "nginx vs varnish",
            "nginx and varnish",
            "Go vs. Node",
            "nginx?",
            "We used nginx.",
            "性能比較: nuster vs nginx",
            "Getting started with Go",
            "go: downloading github.com/x/y v1.2.3",
            "< Server: nginx",
            "| nginx | 1",
            "Play it again",
            "The flask is empty",
            "Express delivery times",
            "A word on Rust",
            "Native",
            "Warm-up",
            "Springtime",
            "gogo",
            "nginxx",
            "nginx one two three four five six seven eight",
        ],
    )
    def test_prose_names_nothing(self, text):
        assert "framework" not in title(text)

    def test_the_version_of_go(self):
        assert title("gin (Go 1.21)") == {"framework": "gin", "go_version": "1.21"}
        assert title("Go 1.5beta1 prefork") == {"framework": "Go 1.5beta1 prefork", "go_version": "1.5beta1"}
        assert "go_version" not in title("Node 1.4")

    @pytest.mark.parametrize(
        "word", ["nginx", "NGINX", "(nginx)", "nginx-1.12", "nginx/1.12.1", "go1.21rc2", "node12", "`go`", "c++"]
    )
    def test_known_words(self, word):
        assert is_known_name(word)

    @pytest.mark.parametrize(
        "word", ["", "12", "going", "c", "wrk", "server", "-", "1.12-nginx", "x" * 10**6, "a-" * 10**5]
    )
    def test_unknown_words(self, word):
        assert not is_known_name(word)

    def test_a_long_number_behind_a_name_is_no_version(self):
        assert [is_known_name(word) for word in ("go121", "go1.21", "node-18.x", "go10492", "php20260311")] == [
            True, True, True, False, False,
        ]  # fmt: skip

    @given(st.text(max_size=80))
    def test_any_text_gives_labels_or_none(self, text):
        name = framework_name(text)
        assert name is None or any(
            is_known_name(part) for word in name.split() for part in (word, *re.split(r"[/→+|]|->", word))
        )
        assert all(label.value.strip() and label.line == 5 for label in title_labels(text, 5))


class TestPaths:
    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ("nginx/36cores/c100.txt", [("framework", "nginx"), ("cores", "36")]),
            ("results/nginx-wrk-c100-t4-run1.log", [("framework", "nginx")]),
            ("nginx/100conns/4threads.txt", [("framework", "nginx"), ("connections", "100"), ("threads", "4")]),
            ("t41.md", []),
            ("c=64/server=teal.log", [("framework", "teal")]),
            ("go/gogc-off.log", [("framework", "go"), ("gogc", "off")]),
            ("go-many-cores/logs/x.md", []),
            ("c4.8xlarge/t2.micro/x.txt", []),
            ("abc100.txt", []),
            ("nginx-1.12/cores=4/out.log.gz", [("framework", "nginx-1.12"), ("cores", "4")]),
            ("node_modules/x.txt", []),
            ("conns_500/8threads.md", [("connections", "500"), ("threads", "8")]),
            ("c0.txt", []),
            ("", []),
            ("/", []),
            ("caddy", [("framework", "caddy")]),
            ("c" + "9" * 400, []),
        ],
    )
    def test_what_they_say(self, source, expected):
        assert path(source) == expected

    @given(st.text(max_size=80))
    def test_any_path_gives_labels_or_none(self, source):
        path(source)


def overruled(resolved: ResolvedLabels) -> list[tuple[Label, bool]]:
    """Each label, and whether it is overruled."""
    rows = zip(*resolved.columns, strict=True)
    return [(Label(*said, text, rule), loses) for *said, loses, text, rule in rows]


class TestResolving:
    def test_the_order_of_origins(self):
        assert ORIGINS == ("cli", "file", "report", "env", "flag", "index", "prefix", "heading", "path", "structure")
        labels = [Label("a", origin, origin, 1) for origin in ORIGINS]
        for strongest in range(len(ORIGINS)):
            held = resolve(reversed(labels[strongest:])).winners["a"]
            assert held.origin == ORIGINS[strongest]
            assert resolve(labels[strongest:]).winners["a"] == held

    def test_the_page_of_labels_has_the_origins_in_their_order(self):
        page = (Path(__file__).parents[2] / "docs/labels.md").read_text(encoding="utf-8")
        table = page[page.index("| origin | what it reads |") :].split("\n\n")[0]
        cells = [row.split("|")[1] for row in table.splitlines()[2:]]
        assert tuple(re.findall(r"`(\w+)`", "".join(cells))) == ORIGINS

    def test_of_one_origin_the_nearest_wins_without_contradiction(self):
        outer, inner = Label("cores", "4", "heading", 1), Label("cores", "8", "heading", 5)
        resolved = resolve([outer, inner])
        assert resolved.winners == {"cores": inner}
        assert overruled(resolved) == [(outer, True), (inner, False)]
        assert resolved.conflicts == []

    def test_a_contradiction_names_both(self):
        heading, flag = Label("connections", "200", "heading", 1), Label("connections", "500", "flag", 2)
        assert resolve([heading, flag]).conflicts == [(flag, heading)]

    def test_who_says_the_same_is_not_overruled(self):
        flag, report = Label("duration_s", "1m", "flag", 1), Label("duration_s", "60", "report", 2)
        resolved = resolve([flag, report])
        assert [loses for _, loses in overruled(resolved)] == [False, False]
        assert resolved.conflicts == []

    def test_what_is_said_twice_is_kept_once(self):
        label = Label("a", "b", "env", 1)
        assert overruled(resolve([label, label])) == [(label, False)]

    def test_of_equal_labels_of_one_line_the_first_gives_its_text(self):
        first, again = Label("a", "b", "flag", 1, "-a b", "option"), Label("a", "b ", "flag", 1, "-ab", "option")
        assert overruled(resolve([first, again])) == [(first, False)]

    def test_what_is_said_in_two_lines_is_kept_with_both(self):
        above, here, at_hand = Label("a", "b", "env", 1), Label("a", "b", "env", 9), Label("a", "b ", "env", 9)
        resolved = resolve([above, here, at_hand])
        assert overruled(resolved) == [(above, False), (here, False)]
        assert resolved.winners == {"a": here}

    @each_case(
        "key, value, expected",
        [
            ("duration_s", "30s", "30"),
            ("duration_s", "30S", "30"),
            ("duration_s", "1m", "60"),
            ("duration_s", "1.5h", "5400"),
            ("duration_s", "100", "100"),
            ("duration_s", "2d", "2d"),
            ("connections", "1k", "1000"),
            ("connections", "010", "10"),
            ("connections", "1e3", "1000"),
            ("rate", "2.5K", "2500"),
            ("rate", "1M", "1000000"),
            ("cores", "4.0", "4"),
            ("connections", "123456789012345", "123456789012345"),
            ("cores", "x", "x"),
            ("payload_bytes", "1k", "1k"),
            ("payload_bytes", "64B", "64"),
            ("gogc", "OFF", "off"),
            ("gogc", "-1", "off"),
            ("gogc", "100", "100"),
            ("framework", " nginx ", "nginx"),
            ("env_PORT", "1k", "1k"),
            ("url", "http://h/", "http://h/"),
            ("cores", "", ""),
        ],
    )
    def test_the_form_in_which_values_are_compared(self, key, value, expected):
        assert normalize_value(key, value) == expected
        assert normalize_value(key, expected) == expected

    @given(st.sampled_from(["cores", "duration_s", "rate", "gogc", "payload_bytes", "other"]), st.text(max_size=30))
    def test_any_value_has_one(self, key, value):
        assert normalize_value(key, normalize_value(key, value)) == normalize_value(key, value)
        assert suits_key(key, value) in (True, False)


class TestUrls:
    @pytest.mark.parametrize(
        ("url", "expected"),
        [
            ("http://10.0.0.130:8080/64b", {"host": "10.0.0.130", "port": "8080", "path": "/64b"}),
            ("http://go.http/", {"host": "go.http", "port": "80", "path": "/"}),
            ("https://h", {"host": "h", "port": "443", "path": "/"}),
            ("http://h/a?b=1&c=2", {"host": "h", "port": "80", "path": "/a?b=1&c=2"}),
            ("http://[::1]:9/x", {"host": "::1", "port": "9", "path": "/x"}),
            ("h:81/a", {"host": "h", "port": "81", "path": "/a"}),
            ("unix://h/a", {"host": "h", "path": "/a"}),
            ("http://h:port/", {}),
            ("http://[::1/", {}),
            ("", {}),
            ("/only/path", {}),
        ],
    )
    def test_parts(self, url, expected):
        assert url_parts(url) == expected

    @given(st.text(max_size=60))
    def test_any_text_gives_parts_or_none(self, url):
        assert set(url_parts(url)) <= {"host", "port", "path"}


WORDS = st.sampled_from(
    """nginx Go gin node.js 1.2 setup how with on run results version the (8 100 cores cores) connections, A: 1. 2)
    — go1.21 prefork benchmark. nginx? single-core api""".split()
)


@example("nginx — setup")
@given(st.lists(WORDS, min_size=1, max_size=5).map(" ".join))
def test_the_quick_test_for_prose_rejects_no_name(title: str) -> None:
    if is_prose(title):
        assert framework_and_version(title) == []


@pytest.mark.parametrize(
    "text", ["PHP web framework", "PHP web framework benchmark", "Go servers", "added fasthttp support"]
)
def test_a_title_of_a_class_or_of_a_change_names_no_framework(text: str) -> None:
    assert "framework" not in title(text)
