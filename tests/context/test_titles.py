"""What one heading, title line, folder's name or file's name says. Each row was written by eye, before the code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from wrkparse.context.titles.titles import Title, read_path_part, read_title
from wrkparse.text.wrapping.markup import parse_heading


def says(
    name: str = "", *, repeat: str = "", numbers: tuple[str, ...] = (), short: str = "", settings: str = ""
) -> Title:
    """A `Title`; settings and short keys are written ``key=value key=value``."""

    def pairs(text: str) -> tuple[tuple[str, str], ...]:
        return tuple((key, value) for key, _, value in (pair.partition("=") for pair in text.split()))

    return Title(pairs(settings), name, repeat, numbers, pairs(short))


def in_page(line: str) -> str:
    """The text of a line of a page: a heading's without its marks."""
    found = parse_heading(line)
    return found.text if found else line


PAIRS = [
    ("## server: nginx, procs: 2", says("nginx", settings="framework=nginx cores=2")),
    ("===== SERVER: nginx  WORKERS: 2 =====", says("nginx", settings="framework=nginx workers=2")),
    ("# Server: Go; Connections: 64", says("Go", settings="framework=Go connections=64")),
    ("== nginx procs=1 c=64 run 1 ==", says("nginx", settings="cores=1", short="connections=64", repeat="run 1")),
    (">>> server=nginx", says("nginx", settings="framework=nginx")),
    (">>> server=nginx workers=4 <<<", says("nginx", settings="framework=nginx workers=4")),
    ("## nginx GOMAXPROCS=1", says("nginx", settings="cores=1")),
    ("workers=2 conns=64", says(settings="workers=2 connections=64")),
    ("--- orca: c=100 t=4 ---", says("orca", short="connections=100 threads=4")),
    ("## heron / wader (Initial run)", says("heron / wader")),
    ("## Load testing Curlew Server", says("Curlew Server")),
    ("=====Benching fastKiwi=====", says("fastKiwi")),
    ("Starting point:", says("Starting point")),
    ("(1)对kiwi+php-fpm ： ab -c 100 -n 10000 http://10.0.0.2/", says("kiwi+php-fpm", numbers=("1",))),
    ("### kiwi: wrk -c64 http://h/", says("kiwi")),
    # A result is no name.
    ("### *Latency*: 0.9 ms", says()),
    ("### *Requests per seconds*: 95,000 (two boxes)", says()),
    ("### Throughput: 2.1 GB/s (ab)", says()),
    ("### Latency server", says("Latency server")),
    ("### Throughput: kiwi", says("kiwi")),
    ("### Stress test of plover", says("plover")),
    ("## Now", says("Now")),
    ("plover, work rate 10", says("plover, work", settings="rate=10")),
    ("plover, rate 12,000", says("plover", settings="rate=12000")),
    ("plover 12,000", says("plover", numbers=("12,000",))),
    ("plover 64,128", says("plover", numbers=("64", "128"))),
    ("[Test 3] plover over http", says("plover over http")),
    ("plover with replicas 2:1:1", says("plover with replicas 2:1:1")),
    ("plover, 2: pooled", says("plover: pooled", numbers=("2",))),
    ("from = 5, acks = 1, plover", says("plover", settings="from=5 acks=1")),
    ("from=5, acks=1, plover", says("plover", settings="from=5 acks=1")),
    ("plover, eggs = few, size = big", says("plover, eggs = few, size = big")),
    ("plover(with 5 workers)", says("plover", settings="workers=5")),
    ("plover (curlew with 5 workers)", says("plover (curlew)", settings="workers=5")),
    ("plover, five runs, 64 conns:", says("plover", settings="connections=64")),
    ("plover, 5 runs each", says("plover")),
    ("plover (median of 5 runs)", says("plover")),
    ("plover - ten repetitions", says("plover")),
    ("plover: 10 runs", says("plover")),
    ("plover 5 runs each", says("plover")),
    ("plover 5 runs faster", says("plover 5 runs faster")),
    ("plover with 3 tries", says("plover with 3 tries")),
    ("first version", says("first version")),
    ("first plover", says("plover")),
    ("=== RUN   TestLoad/plover", says("TestLoad/plover")),
    ("## plover at 2048 req/s", says("plover", short="rate=2048")),
    ("## plover @ 16,384 req/s", says("plover", short="rate=16384")),
    ("## plover at 12345 req/s", says("plover", short="rate=12345")),
    ("## plover: 38342 req/s", says("plover")),
    ("## plover at ~2000 rps", says("plover", short="rate=2000")),
    ("## ~2000 rps", says(short="rate=2000")),
    ("=== RUN   Testament", says("RUN Testament")),
    ("## #1. Plover", says("Plover", repeat="#1")),
    ("## 2026-11-20: plover", says("plover")),
    ("## plover (10:30): c=5", says("plover", short="connections=5")),
    ("## Go implementation", says("Go")),
    ("## F# implementation", says("F#")),
    ("## Naive implementation", says("Naive implementation")),
    ("## plover server (wrk)", says("plover server")),
    ("## plover [with ab]", says("plover")),
    ("## plover (wrk and curl)", says("plover (wrk and curl)")),
    ("## plover with 50 concurrency", says("plover", settings="connections=50")),
    ("## plover on 8084 port", says("plover", settings="port=8084")),
    ("## Плавник на порту 8084", says("Плавник", settings="port=8084")),
    ("## Плавник на 8084 порту", says("Плавник", settings="port=8084")),
    ("## plover 50/50 mix", says("plover 50/50 mix")),
    ("## plover 1/2", says("plover", numbers=("1", "2"))),
    ("## plover Thu Jan 28 00:37:25 UTC 2021", says("plover")),
    ("## plover Thu 28 Jan 2021 10:37:25 AM UTC", says("plover")),
    ("## 2] plover", says("plover")),
    ("## plover 单线程性能测试", says("plover 单线程")),
    ("## plover压力测试结果", says("plover")),
    ("## ploverのベンチマーク結果", says("plover")),
    ("## plover テスト", says("plover")),
    ("## 性能测试", says()),
    ("## JRuby (1.6.7.2) / Puma", says("JRuby (1.6.7.2) / Puma")),
    ("## nginx (10.6.7.2)", says("nginx")),
    ("### GOGC=50", says(settings="gogc=50")),
    ("GOGC=off GOMEMLIMIT=1GiB", says(settings="gogc=off gomemlimit=1GiB")),
    ("connections: 64 | threads: 4 | ptarmigan", says("ptarmigan", settings="connections=64 threads=4")),
    ("Loch Lomond | port: 8080", says("Loch Lomond", settings="port=8080")),
    ("framework = corncrake, rate = 2000", says("corncrake", settings="framework=corncrake rate=2000")),
    ("Concurrency: 1,000", says(settings="connections=1000")),
    ("lapwing (concurrency=256)", says("lapwing", settings="connections=256")),
    ("dunlin: 4 cores", says("dunlin", settings="cores=4")),
    (
        "server: kestrel-lite/0.3 (threads: 8)",
        says("kestrel-lite/0.3", settings="framework=kestrel-lite/0.3 threads=8"),
    ),
    ("server: siskin, cache: on", says("siskin", settings="framework=siskin cache=on")),
    ("[cache=on]", says(settings="cache=on")),
    ("crossbill db=pg pool=20", says("crossbill", settings="db=pg pool=20")),
    ("crossbill cache=on", says("crossbill cache=on")),
    ("branch: feature-x", says(settings="branch=feature-x")),
    ("merlin, branch=main, commit=1a2b3c4", says("merlin", settings="branch=main commit=1a2b3c4")),
    ("whimbrel duration=30s", says("whimbrel", settings="duration_s=30s")),
    ("whimbrel, duration: 30 seconds", says("whimbrel", settings="duration_s=30s")),
    ("server: localhost:8080", says(short="port=8080")),
    ("cores=1 cores=4 teal", says("teal")),
    ("teal, connections: 64,128", says("teal")),
    ("teal rate: 50%", says("teal")),
    ("Server: pochard / 4", says("pochard", settings="framework=pochard", numbers=("4",))),
    ("FRAMEWORK=smew WORKERS=2", says("smew", settings="framework=smew workers=2")),
]
COUNTS = [
    ("Testing nginx with 2 workers", says("nginx", settings="workers=2")),
    ("Testing node-elysia on port 3003", says("node-elysia", settings="port=3003")),
    ("## my-server, 8 connections, run 1", says("my-server", settings="connections=8", repeat="run 1")),
    ("Benchmarking kiwi-http (4 threads, 100 connections)", says("kiwi-http", settings="threads=4 connections=100")),
    ("4 threads, 64 concurrent connections: redshank", says("redshank", settings="threads=4 connections=64")),
    ("godwit with 2 worker processes", says("godwit", settings="workers=2")),
    ("godwit (prefork, 4 cores)", says("godwit (prefork)", settings="cores=4")),
    ("knot: 8 threads and 100 connections", says("knot", settings="threads=8 connections=100")),
    ("10k connections / sanderling", says("sanderling", settings="connections=10k")),
    ("avocet, single core", says("avocet", settings="cores=1")),
    ("avocet, 30s, 5000 rps", says("avocet", short="duration_s=30s rate=5000")),
    ("avocet 10,000 requests", says("avocet", short="requests=10000")),
    ("avocet 10M requests", says("avocet", short="requests=10M")),
    ("1 core and 4 cores of turnstone", says("turnstone")),
    ("gannet threads 4 connections 64", says("gannet", settings="threads=4 connections=64")),
    ("gannet GOMAXPROCS 4", says("gannet", settings="cores=4")),
]
FLAGS = [
    ("## Haskell warp +RTS -N2", says("Haskell warp", settings="cores=2")),
    ("osprey -t4 -c100 -d30s", says("osprey", short="threads=4 connections=100 duration_s=30s")),
    ("osprey --workers=2 --reuseport", says("osprey", settings="workers=2 flag_reuseport=true")),
    ("osprey --cpus 4", says("osprey", settings="cores=4")),
    ("osprey --threads 4", says("osprey", settings="flag_threads=4")),  # of wrk, or of the server
    ("osprey --reuseport --backlog=1024", says("osprey", settings="flag_reuseport=true flag_backlog=1024")),
    ("osprey -c 64", says("osprey", short="connections=64")),
]
FLAGS += [
    ("heron c100 t4 d30s", says("heron", short="connections=100 threads=4 duration_s=30s")),
    ("heron-c100", says("heron", short="connections=100")),
    ("heron_c100_tuned", says("heron_tuned", short="connections=100")),
    ("c100_heron", says("heron", short="connections=100")),
    ("HERON (TUNED) / C=256", says("HERON (TUNED)", short="connections=256")),
    ("heron on t2.micro", says("heron on t2.micro")),
    ("heron w/ 4 workers", says("heron", settings="workers=4")),
    ("Threads:4 Connections:64 Server:heron", says("heron", settings="threads=4 connections=64 framework=heron")),
    ("heron, concurrency level: 64", says("heron", settings="connections=64")),
    ("4 cores on heron", says("heron", settings="cores=4")),
    ("heron, keepalive on", says("heron, keepalive on")),
    ("with heron", says("with heron")),
    ("wrk output: heron", says("heron")),
    ("Output of wrk for heron", says("heron")),
    ("Test #3 – heron", says("heron", repeat="#3")),
]
NAMES = [
    ("## alpha", says("alpha")),
    ("[nginx]", says("nginx")),
    ("*** nginx / 2 ***", says("nginx", numbers=("2",))),
    ("*** nginx / 4 ***", says("nginx", numbers=("4",))),
    ("## my-service v2", says("my-service v2")),
    ("### Service A", says("Service A")),
    ("### Service 2", says("Service 2")),
    ("## baseline", says("baseline")),
    ("## before", says("before")),
    ("## branch feature-x", says("branch feature-x")),
    ("3.2 tiger (run 2 of 5)", says("tiger", repeat="run 2 of 5")),
    ("Loch Ness", says("Loch Ness")),
    ("LochNess", says("LochNess")),
    ("LOCH AWE", says("LOCH AWE")),
    ("1. Loch Katrine", says("Loch Katrine")),
    ("a) curlew", says("curlew")),
    ("Test 3: curlew", says("curlew")),
    ("Results: curlew", says("curlew")),
    ("Benchmark results for curlew", says("curlew")),
    ("Results of the curlew", says("curlew")),
    ("curlew benchmark results", says("curlew")),
    ("**curlew**", says("curlew")),
    ("`curlew`", says("curlew")),
    ("`curlew` (*tuned*)", says("curlew (tuned)")),
    ("`ab` outputs:", says()),
    ("🚀 curlew", says("curlew")),
    ("[curlew](https://example.org/curlew)", says("curlew")),
    ("<<< curlew >>>", says("curlew")),
    ("--- curlew", says("curlew")),
    ("── curlew ──", says("curlew")),
    ("━━━━ curlew ━━━━", says("curlew")),
    ("═══curlew═══", says("curlew")),
    ("---------- curlew ----------", says("curlew")),
    ("+++ curlew +++", says("curlew")),
    ("~~~ curlew ~~~", says("curlew")),
    ("│ curlew │", says("curlew")),
    ("▶ curlew", says("curlew")),
    ("==> curlew <==", says("curlew")),
    ('"curlew"', says("curlew")),
    ("curlew:", says("curlew")),
    ("curlew.io", says("curlew.io")),
    ("org/curlew", says("org/curlew")),
    ("curlew/1.4.2", says("curlew/1.4.2")),
    ("curlew:1.4-alpine", says("curlew:1.4-alpine")),
    ("curlew 1.4.2", says("curlew 1.4.2")),
    ("curlew@8080", says("curlew@8080")),
    ("curlew:8080", says("curlew", settings="port=8080")),
    ("curlew (:8080)", says("curlew", settings="port=8080")),
    ("curlew http://localhost:9000/x", says("curlew", short="port=9000")),
    ("curlew 4", says("curlew", numbers=("4",))),
    ("curlew (64, 128)", says("curlew", numbers=("64", "128"))),
    ("Node 12", says("Node 12")),
    ("curlew (worker_processes 1)", says("curlew", settings="workers=1")),
    ("MacBook, 1,4 GHz", says("MacBook, 1,4 GHz")),
    ("curlew 64,128", says("curlew", numbers=("64", "128"))),
    ("##curlew: 51k/sec", says("curlew")),
    ("###curlew (GET): 1,200.5/s", says("curlew (GET)")),
    ("curlew: ~12k req/s", says("curlew")),
    ("curlew (≈ 12,000 rps)", says("curlew")),
    ("curlew => 12000 rps", says("curlew", short="rate=12000")),
    ("curlew -> 12000 rps", says("curlew", short="rate=12000")),
    ("curlew: 500 rps", says("curlew", short="rate=500")),
    ("curlew Detailed Results", says("curlew")),
    ("curlew detailed", says("curlew detailed")),
    ("curlew with 400 http connections", says("curlew", settings="connections=400")),
    ("http/2 skua", says("http/2 skua")),
    ("skua + tern", says("skua + tern")),
    ("skua, tuned", says("skua, tuned")),
    ("skua with tern", says("skua with tern")),
    ("orca (Go 1.21)", says("orca", settings="go_version=1.21")),
    ("v1.2.3", says("v1.2.3")),
    ("2024-05-01 wigeon", says("wigeon")),
    ("wigeon 2024-05-01T12:00:00Z", says("wigeon")),
    ("wigeon (1 May 2024, 12:30)", says("wigeon")),
    ("[12:00:01] wigeon", says("wigeon")),
    ("PR #1234", says("PR #1234")),
    ("fix-1234", says("fix-1234")),
]
REPEATS = [
    ("Run 3", says(repeat="Run 3")),
    ("eider #3", says("eider", repeat="#3")),
    ("eider, trial 2", says("eider", repeat="trial 2")),
    ("eider (2)", says("eider", repeat="(2)")),
    ("eider attempt-2", says("eider", repeat="attempt-2")),
    ("eider rep3", says("eider", repeat="rep3")),
    ("eider: 2nd run", says("eider", repeat="2nd run")),
    ("Iteration 4/10 - eider", says("eider", repeat="Iteration 4/10")),
    ("run=2 eider", says("eider", repeat="run=2")),
    ("[run 2] eider", says("eider", repeat="run 2")),
]
DOCUMENTS = [
    *((text, says()) for text in (
        "Results", "Setup", "Conclusion", "Benchmark results", "Raw output", "Appendix A: logs", "2024-05-01 12:00",
        "Conclusions", "Test environment", "Hardware", "Methodology", "The results", "Summary of results",
        "Load test", "Latency", "Notes", "", "   ", "-----", "**", "How to go faster?", "We ran it twice.",
        "Why is it so slow", "Starting the server...", "What was measured", "Note: this is slow", "x" * 300,
        "测试结果", "结果", "结论", "ベンチマーク結果", "結果", "환경", "결과", "テスト環境", "概要",
    )),
    ("Section 3", says(numbers=("3",))),
    ("Low latency environment", says(settings="")._replace(settings=(("environment", "Low latency"),))),
]  # fmt: skip
OTHER_SCRIPTS = [
    ("12核", says(settings="cores=12")),
    ("8核16线程", says(settings="cores=8 threads=16")),
    ("白鹭 4核", says("白鹭", settings="cores=4")),
    ("白鹭（100并发）", says("白鹭", settings="connections=100")),
    ("服务器：白鹭，进程：2", says("白鹭", settings="framework=白鹭 processes=2")),
    ("赤狐 第2次", says("赤狐", repeat="第2次")),
    ("カワセミ（4スレッド、64接続）", says("カワセミ", settings="threads=4 connections=64")),
    ("【カワセミ】", says("カワセミ")),
    ("サーバー：カワセミ", says("カワセミ", settings="framework=カワセミ")),
    ("カワセミ 2回目", says("カワセミ", repeat="2回目")),
    ("두루미 8코어", says("두루미", settings="cores=8")),
    ("두루미 벤치마크 결과", says("두루미")),
    ("测试结果：白鹭", says("白鹭")),
    ("Грач, 4 cores", says("Грач", settings="cores=4")),
]


def test_a_number_in_words_is_one_number() -> None:
    for number in ("2 million", "2M", "2m"):
        assert read_title(f"avocet {number} requests") == Title((), "avocet", "", (), (("requests", "2M"),))


def test_an_unclear_quantity_is_no_setting() -> None:
    assert read_title("avocet 5m requests per second") == Title((), "avocet", "", (), ())
    assert read_title("avocet 30s per run").possible_settings == (("duration_s", "30s"),)
    assert read_title("10M").possible_settings == ()
    assert read_title("10m").possible_settings == (("duration_s", "10m"),)


@each_case("line, expected", [*PAIRS, *COUNTS, *FLAGS, *NAMES, *REPEATS, *DOCUMENTS, *OTHER_SCRIPTS])
def test_a_heading_says(line: str, expected: Title) -> None:
    assert read_title(in_page(line)) == expected


@each_case(
    "part, expected",
    [
        ("alpha", says("alpha")),
        ("procs-2", says(settings="cores=2")),
        ("cores=4", says(settings="cores=4")),
        ("05_thread", says("thread", numbers=("05",))),
        ("05_threads", says(settings="threads=05")),
        ("plover-08thread", says("plover", settings="threads=08")),
        ("8-thread", says(settings="threads=8")),
        ("36cores", says(settings="cores=36")),
        ("c=64", says(short="connections=64")),
        ("alpha-c64-run2", says("alpha", short="connections=64", repeat="run2")),
        ("t41", says(short="threads=41")),
        ("alpha_c64t4", says("alpha", short="connections=64 threads=4")),
        ("t4c64d10", says(short="threads=4 connections=64 duration_s=10")),
        ("c64n1000", says(short="connections=64 n=1000")),
        ("c64d101", says("c64d101")),  # seven digits of a commit
        ("t4c64x", says("t4c64x")),
        ("alpha-c5n4", says("alpha-c5n4")),
        ("nginx-1.12", says("nginx-1.12")),
        ("debian-12", says("debian-12")),
        ("alpha-debian-12-run3", says("alpha-debian-12", repeat="run3")),
        ("2024-05-01_alpha_10", says("alpha", numbers=("10",))),
        ("20240501-120000_alpha", says("alpha")),
        ("results", says()),
        ("logs", says()),
        ("raw-output", says()),
        ("orca_gomaxprocs4_c100_d30s", says("orca", settings="cores=4", short="connections=100 duration_s=30s")),
        ("loch-ness_conns_500", says("loch-ness", settings="connections=500")),
        ("LochNess.v2-4threads", says("LochNess.v2", settings="threads=4")),
        ("gogc-off", says(settings="gogc=off")),
        ("server=teal", says("teal", settings="framework=teal")),
        ("server=teal-cores=4", says("teal", settings="framework=teal cores=4")),
        ("branch=feature-x_c=64", says(settings="branch=feature-x", short="connections=64")),
        ("db=pg", says(settings="db=pg")),
        ("teal (2)", says("teal", repeat="(2)")),
        ("teal-wrk", says("teal")),
        ("teal-rep-3", says("teal", repeat="rep-3")),
        ("attempt-2", says(repeat="attempt-2")),
        ("teal-port3003", says("teal", settings="port=3003")),
        ("c4.8xlarge", says("c4.8xlarge")),
        ("t2.micro", says("t2.micro")),
        ("abc100", says("abc100")),
        ("falcon9", says("falcon9")),
        ("orca_x86_64", says("orca_x86_64")),
        ("go-many-cores", says("go-many-cores")),
        ("my_server_v2", says("my_server_v2")),
        ("白鹭_4核", says("白鹭", settings="cores=4")),
        ("64", says(numbers=("64",))),
        ("", says()),
        ("..", says()),
        ("c" + "9" * 400, says()),
        ("x" * 300, says()),
    ],
)  # fmt: skip
def test_a_part_of_a_path_says(part: str, expected: Title) -> None:
    assert read_path_part(part) == expected


@given(st.text(max_size=220))
def test_any_text_is_read(text: str) -> None:
    for read in (read_title, read_path_part):
        found = read(text)
        assert all(key and value.strip() for key, value in (*found.settings, *found.possible_settings))
        assert found.name == found.name.strip()
        assert "\0" not in "".join([found.name, *(value for _, value in (*found.settings, *found.possible_settings))])
        assert len(found.name) <= len(text)


@pytest.mark.parametrize("sign", ["=", ": ", "c=", "run ", "(", "[", "1 ", "a:b ", "-", "server: ", "**", "](", "x, "])
def test_hostile_text_is_short_work(sign: str) -> None:
    for text in (sign * 60, sign * 10**5):
        read_title(text[:200])
        read_title(text)
        read_path_part(text)


@pytest.mark.parametrize("part", ["Mon", "Tuesday", "morning", "wrk1", "wrk12", "wrk2", "out2", "log03"])
def test_days_and_numbered_tools_in_paths_name_nothing(part: str) -> None:
    assert read_path_part(f"kiwi-{part}").name == "kiwi"
    assert read_path_part(part).name == ""
